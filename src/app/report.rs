//! Reports: what a bench writes, and what is said of one that is dropped.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

use wasm_split_helpers::wasm_split;

use super::bench::{Bench, Benches};
use super::browser::storage;
use super::desk::Work;
use super::link::work_of;
use super::parts::{Fetching, NotLoaded};
pub use crate::share::report::is_report;
use crate::share::report::{Report, read_report, write};
use crate::share::verify::compare_reports;
use crate::share::{Kind, other_formula, score_again};

/// A report as a file, of today.
pub fn written(report: Report) -> String {
    write(&report.dated(Some(storage::today())))
}

/// A report that was given.
pub struct Taken {
    /// Its bench and its work; none where this page does not show such.
    pub work: Option<(&'static Bench, Work)>,
    /// Whether all that it says is what is computed here; none where that was not asked.
    pub stands: Option<bool>,
    /// What there is to say of it, a sentence each.
    pub said: Vec<String>,
    /// Whether it is to be held against what the bench computes.
    pub is_waiting: bool,
}

#[wasm_split(more, fallible)]
fn taken(text: String, benches: Benches) -> Result<Result<Taken, String>, NotLoaded> {
    Ok(take(&text, benches))
}

/// Reads a report, and computes anew what it says, with its code.
pub fn fetch_taken(text: String, benches: Benches) -> Fetching<Result<Taken, String>> {
    Box::pin(taken(text, benches))
}

fn take(text: &str, benches: Benches) -> Result<Taken, String> {
    let claimed = read_report(text).map_err(|problem| problem.message)?;
    let work = work_of(&claimed.document, benches);
    let taken = |stands, said| Taken {
        work: work.clone(),
        stands,
        said,
        is_waiting: false,
    };
    if let Some(why) = other_formula(&claimed.document) {
        return Ok(taken(
            None,
            vec![format!("It cannot be checked here: {why}")],
        ));
    }
    if claimed.document.kind == Kind::Persona {
        let words = "Its figures come of vectors: they are compared once they are computed here.";
        let mut taken = taken(None, vec![words.to_owned()]);
        taken.is_waiting = true;
        return Ok(taken);
    }
    Ok(match score_again(&claimed.document, None) {
        Ok(computed) => {
            let account = compare_reports(text, &claimed, &computed);
            taken(Some(account.stands()), account.sentences())
        }
        Err(problems) => {
            let words = problems.iter().map(|problem| problem.message.clone());
            let words: Vec<String> = words.collect();
            let words = format!("Its input cannot be scored: {}.", words.join("; "));
            taken(Some(false), vec![words])
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::named;
    use crate::app::benches::BENCHES;

    const TURNS: &str = r#"[{"action": "x", "overrides": {"ethical": 0.5}}]"#;

    fn report() -> String {
        let bench = named(BENCHES, "constitution").expect("a bench");
        let document = bench.document(&Work::of("turns", TURNS));
        write(&score_again(&document, None).expect("a report"))
    }

    #[test]
    fn a_report_stands_and_opens_its_work_and_one_with_another_digit_does_not() {
        let report = report();
        assert!(is_report(&report));
        let taken = take(&report, BENCHES).expect("a report");
        assert_eq!(taken.stands, Some(true), "{:?}", taken.said);
        let (bench, work) = taken.work.expect("a bench");
        assert_eq!((bench.name, work.text("turns")), ("constitution", TURNS));
        // 8.7 less half of 2
        assert!(report.contains("7.7"));
        let other = report.replace("7.7", "7.8");
        let taken = take(&other, BENCHES).expect("a report");
        assert_eq!(taken.stands, Some(false));
        assert!(take(&report[..report.len() / 2], BENCHES).is_err());
    }
}
