//! A debate held against an earlier run of it.

use super::options::{options, own_profiles, profiles};
use super::{DEBATE, PROFILES};
use crate::app::bench::HeldAgainst;
use crate::app::desk::{ITEM, Work};
use crate::app::format::name;
use crate::app::panels::table::{Cell, Column, Row, number, words};
use crate::debate::{
    Cause, DebatePlace, Difference, Options, Payload, Profiles, Ruling, Weighed, difference,
    read_at,
};

static COLUMNS: [Column; 8] = [
    words("Candidate"),
    number("Rank before", ""),
    number("Rank after", ""),
    number("Score before", ""),
    number("Score after", ""),
    number("By the input", "Its share of the difference"),
    number("By the reviews", "Their share of the difference"),
    number("By the weights", "Their share of the difference"),
];

/// A run as it is weighed.
struct Read {
    payload: Payload,
    profiles: Profiles,
    options: Options,
}

impl Read {
    fn weighed(&self) -> Weighed<'_> {
        Weighed {
            payload: &self.payload,
            profiles: &self.profiles,
            options: &self.options,
        }
    }
}

fn read(work: &Work) -> Option<Read> {
    let item = work.setting(ITEM).and_then(|item| item.parse().ok());
    let own = own_profiles(work.text(PROFILES.name));
    Some(Read {
        payload: read_at(work.text(DEBATE.name), item.unwrap_or_default()).result?,
        profiles: profiles(own.as_ref()).result?,
        options: options(work, true),
    })
}

/// Holds a debate against an earlier one.
pub fn held_against(before: &Work, after: &Work) -> Result<HeldAgainst, String> {
    let [before, after] = [("earlier", before), ("later", after)].map(|(which, work)| {
        read(work).ok_or_else(|| format!("the {which} run has a debate with mistakes"))
    });
    let (before, after) = (before?, after?);
    let found = difference(before.weighed(), after.weighed());
    let found = found.ok_or("the weights of one of them are refused")?;
    Ok(HeldAgainst {
        said: said(&found),
        columns: &COLUMNS,
        rows: rows(&found),
    })
}

/// What was decided, and what has changed that.
fn said(found: &Difference) -> Vec<String> {
    let [before, after] = found.rulings.each_ref().map(Ruling::headline);
    let mut said = Vec::new();
    if before == after {
        said.push(format!("The decision is the same: {after}."));
    } else {
        said.push(format!("Before: {before}. After: {after}."));
        said.push(format!(
            "The other decision comes with {} alone.",
            enough(&found.decided_by)
        ));
    }
    said.push(if found.ordered_by.is_empty() {
        "Candidates of both runs stand in the same order.".to_owned()
    } else {
        format!(
            "Another order comes with {} alone.",
            enough(&found.ordered_by)
        )
    });
    said
}

/// Which causes are enough: `the weights`, `the input or the reviews and the weights together`.
fn enough(sets: &[Vec<Cause>]) -> String {
    let set = |causes: &Vec<Cause>| {
        let words: Vec<&str> = causes.iter().map(|cause| cause.words()).collect();
        match words.len() {
            1 => words.concat(),
            2 => words.join(" and ") + " together",
            _ => "all three together".to_owned(),
        }
    };
    sets.iter().map(set).collect::<Vec<_>>().join(", or with ")
}

fn rows(found: &Difference) -> Vec<Row> {
    let candidates = found.candidates.iter();
    candidates
        .map(|candidate| {
            let rank =
                |place: Option<DebatePlace>| Cell::number(place.map(|place| place.rank as f64), 0);
            let score =
                |place: Option<DebatePlace>| Cell::number(place.map(|place| place.score), 4);
            let mut cells = vec![
                Cell::text(name(&candidate.id)),
                rank(candidate.before),
                rank(candidate.after),
                score(candidate.before),
                score(candidate.after),
            ];
            let shares = candidate.shares.map(|shares| shares.map(Some));
            let shares = shares.unwrap_or_default().into_iter();
            cells.extend(shares.map(|share| Cell::number(share, 4)));
            Row {
                id: candidate.id.clone(),
                is_out: candidate.after.is_none_or(|place| place.eliminated),
                cells,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"candidates": [
        {"id": "A", "wins": 1, "reviews": [{"support": 0, "evidence": 0, "major_risks": 0, "critical_fail": 0}]},
        {"id": "B", "wins": 0, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]}]}"#;

    #[test]
    fn weights_that_change_the_winner_are_named_and_their_shares_add_up() {
        let before = Work::of("debate", TEXT);
        let mut after = before.clone();
        after.set("w_base", Some("2".into()));
        let held = held_against(&before, &after).expect("two debates");
        assert!(
            held.said
                .iter()
                .any(|said| said.contains("the weights alone")),
            "{:?}",
            held.said
        );
        let b = held.rows.iter().find(|row| row.id == "B").expect("B");
        let value = |at: usize| b.cells[at].value.expect("a number");
        // 0.5 x 4, then 2 x 4
        assert_eq!([value(3), value(4), value(7)], [2.0, 8.0, 6.0]);
        assert_eq!(value(5) + value(6), 0.0);
    }

    #[test]
    fn a_debate_that_cannot_be_read_is_named() {
        let (broken, whole) = (Work::of("debate", "{"), Work::of("debate", TEXT));
        let words = held_against(&whole, &broken).expect_err("a mistake");
        assert_eq!(words, "the later run has a debate with mistakes");
    }

    #[test]
    fn what_is_enough_is_said_in_words() {
        use Cause::{Input, Reviews, Weights};
        let words = enough(&[vec![Input], vec![Reviews, Weights]]);
        assert_eq!(
            words,
            "the input, or with the reviews and the weights together"
        );
    }
}
