//! Battles of an arena: `{"model_a", "model_b", "winner"}` with `model_a`, `model_b`, `tie` or
//! `both_bad`, or a column for each: `winner_model_a`, `winner_model_b`, `winner_tie`. All battles
//! are one league.

use super::super::ballots::{Gathered, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use super::verdict::{Verdict, first_word};
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "arena-battles",
    noun: "battles of an arena",
    shapes: &[
        Shape {
            has: &[
                "model_a:text",
                "model_b:text",
                "winner=model_a|model_b|tie|tie (bothbad)|both_bad|bothbad",
            ],
            lacks: &[],
        },
        Shape {
            has: &["model_a:text", "model_b:text", "winner_model_a"],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut league = Gathered::new("", "All battles");
    league.ballots.is_league = true;
    for row in rows {
        let line = row.place.line;
        let models = [first_word(row, &["model_a"]), first_word(row, &["model_b"])];
        let [Some(one), Some(other)] = models else {
            context.notes.drop("battles without two models", line);
            continue;
        };
        if one == other {
            context.notes.drop("battles of a model with itself", line);
            continue;
        }
        let Some(verdict) = verdict(row) else {
            context.notes.drop("battles that name no winner", line);
            continue;
        };
        let pair = [league.model(&one), league.model(&other)];
        let judge = first_word(row, &["judge"]).unwrap_or_default();
        league.ballots.votes.push(Vote {
            judge,
            pair,
            winner: verdict.winner(),
            times: 1,
            ..Vote::default()
        });
    }
    vec![Content::Ballots(league.ballots)]
}

/// What a battle came to, where it is said.
fn verdict(row: &Node) -> Option<Verdict> {
    if let Some(word) = row.get("winner").and_then(Node::text) {
        return match word {
            "model_a" => Some(Verdict::First),
            "model_b" => Some(Verdict::Second),
            "tie" | "tie (bothbad)" | "both_bad" | "bothbad" => Some(Verdict::Tie),
            _ => None,
        };
    }
    let keys = [
        ("winner_model_a", Verdict::First),
        ("winner_model_b", Verdict::Second),
        ("winner_tie", Verdict::Tie),
        ("winner_both_bad", Verdict::Tie),
    ];
    let mut told = keys
        .into_iter()
        .filter(|(key, _)| row.get(key).is_some_and(is_set));
    match (told.next(), told.next()) {
        (Some((_, verdict)), None) => Some(verdict),
        _ => None,
    }
}

fn is_set(value: &Node) -> bool {
    match &value.value {
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() == 1.0,
        Value::String(text) => matches!(text.trim(), "1" | "1.0" | "true" | "True"),
        _ => false,
    }
}
