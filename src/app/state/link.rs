//! Work to and from a permalink.

use super::work::{Bench, Work};

/// The permalink of some work, from `v1.` on.
pub fn encode(bench: Bench, work: &Work) -> Result<String, String> {
    let _ = (bench, work);
    Err("not available yet".into())
}

/// The work in a permalink.
pub fn decode(link: &str) -> Result<(Bench, Work), String> {
    let _ = link;
    Err("not available yet".into())
}
