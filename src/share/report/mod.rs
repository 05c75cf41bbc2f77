//! A report that proves itself: one HTML file that is read without a script, and holds the whole input
//! beside what it says came of it. [`write`] writes it, [`read_report`] takes out what it says, and
//! [`verify`](super::verify) compares both with what comes of the input now.

mod claims;
mod html;
mod read;

pub use claims::{Report, Said};
pub use html::write;
pub use read::{is_report, read_report};
