//! How long small texts that could make something large take, and twice as long ones:
//! `cargo bench --bench bombs --no-default-features -- [NAME]`. The slowest step of each.

// a benchmark says what went wrong by panicking
#![allow(missing_docs, clippy::expect_used, clippy::panic)]

#[path = "../tests/bombs/bombs.rs"]
mod bombs;

use std::time::{Duration, Instant};

/// The slowest step.
fn slowest(name: &str, size: usize) -> (Duration, String) {
    let mut slowest = (Duration::ZERO, String::new());
    bombs::run(name, size, &mut |step, act| {
        let began = Instant::now();
        act();
        let took = began.elapsed();
        if took >= slowest.0 {
            slowest = (took, step.to_owned());
        }
    });
    slowest
}

fn main() {
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    for name in bombs::names() {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.contains(wanted.as_str()))
        {
            continue;
        }
        let [(small, _), (large, step)] = [97_000, 194_000].map(|size| slowest(name, size));
        let ratio = large.as_secs_f64() / small.as_secs_f64().max(1e-6);
        let mark = if small > Duration::from_millis(250) {
            "  SLOW"
        } else {
            ""
        };
        println!("{name:<36} {small:>10.1?} {large:>10.1?}  {ratio:>4.1}  {step}{mark}");
    }
}
