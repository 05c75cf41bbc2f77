//! How long the questions about firmness take: `cargo bench --bench firmness --no-default-features`.

// a benchmark says what went wrong by panicking
#![allow(missing_docs, clippy::expect_used)]

use assay::debate::{
    Board, DomainChoice, Options, Payload, Profiles, UncertaintyOptions, read, score,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A debate whose ratings follow from the positions, spread without a pattern.
fn debate(candidates: usize, debaters: usize, with_matches: bool) -> Payload {
    let mixed = |a: usize, b: usize| (a * 7919 + b * 104_729 + a * b * 31) % 1009;
    let mut list = Vec::new();
    for c in 0..candidates {
        let reviews: Vec<String> = (0..debaters)
            .map(|d| {
                let mix = mixed(c, d);
                let flag = usize::from(mix % 53 == 0);
                format!(
                    r#"{{"debater": "d{d}", "support": {}, "evidence": {}, "major_risks": {}, "critical_fail": {flag}}}"#,
                    mix % 3, mix / 3 % 3, mix / 9 % 3
                )
            })
            .collect();
        let wins = if with_matches {
            String::new()
        } else {
            format!(r#""wins": {},"#, c * 13 % candidates)
        };
        list.push(format!(
            r#"{{"id": "c{c}", "model": "opus", {wins} "reviews": [{}]}}"#,
            reviews.join(",")
        ));
    }
    let pairs = (0..candidates).flat_map(|a| (a + 1..candidates).map(move |b| (a, b)));
    let matches: Vec<String> = pairs
        .map(|(a, b)| if mixed(a, b) % 2 == 0 { (a, b) } else { (b, a) })
        .map(|(a, b)| format!(r#"{{"winner": "c{a}", "loser": "c{b}"}}"#))
        .collect();
    let matches = if with_matches {
        matches.join(",")
    } else {
        String::new()
    };
    let text = format!(
        r#"{{"candidates": [{}], "pairwise": [{matches}]}}"#,
        list.join(",")
    );
    read(&text).result.expect("a valid debate")
}

/// The median of some runs.
fn time<T>(name: &str, runs: usize, mut run: impl FnMut() -> T) {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .collect();
    times.sort();
    println!(
        "  {name:<38} {:>10.3} ms",
        times[runs / 2].as_secs_f64() * 1e3
    );
}

fn main() {
    let options = Options {
        domain: DomainChoice::Named("general".into()),
        ..Options::default()
    };
    let profiles = Profiles::built_in();
    for (candidates, debaters, with_matches) in [
        (12, 5, false),
        (12, 5, true),
        (200, 12, false),
        (200, 12, true),
    ] {
        let payload = debate(candidates, debaters, with_matches);
        let wins = if with_matches {
            "head-to-heads"
        } else {
            "wins given"
        };
        println!("{candidates} candidates x {debaters} debaters, {wins}");
        let board = Board::new(&payload, profiles, &options).expect("valid weights");
        time("score", 21, || score(&payload, profiles, &options));
        time("prepare the board", 21, || {
            Board::new(&payload, profiles, &options)
        });
        time("weight intervals", 21, || board.intervals());
        time("smallest changes", 11, || board.changes());
        time("flags", 11, || board.flags());
        time("leave one out", 11, || board.leave_one_out());
        time("debaters with 1000 resamples", 5, || {
            board.debaters(1000, 42)
        });
        time("domains side by side", 11, || board.domains());
        time("trace", 11, || board.trace());
        time("uncertainty, 10 000 draws", 5, || {
            board.uncertainty(&UncertaintyOptions::default())
        });
    }
}
