//! What the programs of this folder share: a static server that keeps a record,
//! and a browser driven through WebDriver. Both are small and blocking, on the
//! standard library alone, so that the tests read from top to bottom.

#![allow(dead_code, reason = "each of the programs uses its part")]

pub mod driver;
pub mod http;
pub mod proxy;
pub mod site;

use serde_json::{Value, json};

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
