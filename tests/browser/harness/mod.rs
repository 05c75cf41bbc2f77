//! What the programs of this folder share: a static server that keeps a record,
//! and a browser driven through WebDriver. Both run on one runtime behind a
//! blocking face, so that the tests read from top to bottom.

#![allow(dead_code, reason = "each of the programs uses its part")]

pub mod driver;
pub mod engine;
pub mod look;
pub mod site;

use serde_json::{Value, json};
use std::sync::LazyLock;
use tokio::runtime::{Builder, Runtime};

/// Where servers answer while tests wait.
#[allow(
    clippy::expect_used,
    reason = "without it there is nothing to test with"
)]
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build();
    runtime.expect("a runtime")
});

/// Does something asynchronous and waits for it.
fn now<T>(work: impl Future<Output = T>) -> T {
    RUNTIME.block_on(work)
}

/// A debate whose ratings follow from the positions, spread without a pattern.
pub fn large_debate(candidates: usize, debaters: usize) -> String {
    let mixed = |a: usize, b: usize| (a * 7919 + b * 104_729 + a * b * 31) % 1009;
    let list: Vec<Value> = (0..candidates)
        .map(|c| {
            let reviews: Vec<Value> = (0..debaters)
                .map(|d| {
                    let mix = mixed(c, d);
                    json!({ "debater": format!("debater {d}"), "support": mix % 3, "evidence": mix / 3 % 3,
                            "major_risks": mix / 9 % 3, "critical_fail": usize::from(mix % 53 == 0) })
                })
                .collect();
            json!({ "id": format!("c{c}"), "model": "opus", "wins": c * 13 % candidates, "reviews": reviews })
        })
        .collect();
    json!({ "domain": "coding", "candidates": list }).to_string()
}
