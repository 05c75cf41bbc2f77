//! Annotations of AlpacaEval: `{"instruction", "output_1", "generator_1", "output_2",
//! "generator_2", "annotator", "preference"}`. A preference below 1.5 is for the first, above for
//! the second; 1.5 is a tie, and so is 0 in older files.

use super::super::ballots::{Gathered, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use super::verdict::{Verdict, first_word, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "alpaca-eval",
    noun: "annotations of AlpacaEval",
    shapes: &[Shape {
        has: &[
            "instruction",
            "generator_1:text",
            "generator_2:text",
            "preference",
        ],
        lacks: &[],
    }],
    group: |_| Group::All,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut all = Gathered::new("", "All instructions");
    all.ballots.is_league = true;
    let mut found = Vec::new();
    for row in rows {
        let line = row.place.line;
        let mut own = Gathered::new(format!("instruction-{}", found.len() + 1), "");
        own.ballots.question = row.get("instruction").and_then(word);
        let models = ["generator_1", "generator_2"].map(|key| first_word(row, &[key]));
        let [Some(one), Some(other)] = models else {
            context.notes.drop("annotations without two models", line);
            continue;
        };
        if one == other {
            context
                .notes
                .drop("annotations of a model with itself", line);
            continue;
        }
        let preference = row.get("preference").and_then(Node::number);
        let Some(verdict) = preference.and_then(verdict) else {
            context.notes.drop("annotations without a preference", line);
            continue;
        };
        let judge = first_word(row, &["annotator"]).unwrap_or_else(|| "annotator".into());
        for gathered in [&mut own, &mut all] {
            let pair = [gathered.model(&one), gathered.model(&other)];
            gathered.ballots.votes.push(Vote {
                judge: judge.clone(),
                pair,
                winner: verdict.winner(),
                times: 1,
                ..Vote::default()
            });
        }
        for (place, key) in ["output_1", "output_2"].into_iter().enumerate() {
            own.ballots.candidates[place].text = row.get(key).and_then(word);
        }
        found.push(own);
    }
    let found = std::iter::once(all).chain(found);
    found
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}

/// What a preference says; nothing where the number is none.
fn verdict(preference: f64) -> Option<Verdict> {
    match preference {
        0.0 | 1.5 => Some(Verdict::Tie),
        1.0..1.5 => Some(Verdict::First),
        1.5..=2.0 => Some(Verdict::Second),
        _ => None,
    }
}
