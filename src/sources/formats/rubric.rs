//! Judgments of pairs by a rubric: `{"pairId", "judgeId", "orientation", "answerAVariant",
//! "answerBVariant", "winner", "scoresA": {...}, "scoresB", "violationsA", "violationsB",
//! "rationale"}`. A pair is a debate of its two variants; which of them was shown first is told
//! by the seats, and a judge who saw them the other way round is another vote.

use super::super::ballots::{Ballot, Gathered, Mark, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, word};
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "rubric-pairs",
    noun: "judgments of pairs by a rubric",
    shapes: &[Shape {
        has: &["pairId", "judgeId", "answerAVariant", "answerBVariant"],
        lacks: &[],
    }],
    group: |row| match row.get("pairId").and_then(word) {
        Some(pair) => Group::Named(pair),
        None => Group::None,
    },
    read,
};

/// The keys of the two seats.
const SEATS: [[&str; 3]; 2] = [
    ["answerAVariant", "scoresA", "violationsA"],
    ["answerBVariant", "scoresB", "violationsB"],
];

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let id = rows.first().and_then(|row| first_word(row, &["pairId"]));
    let title = rows
        .first()
        .and_then(|row| first_word(row, &["comparisonId"]));
    let mut pair = Gathered::new(id.unwrap_or_default(), title.unwrap_or_default());
    let question = rows
        .iter()
        .find_map(|row| first_word(row, &["question", "prompt"]));
    pair.ballots.question = question;
    for row in rows {
        judgment(row, &mut pair, &mut context.notes);
    }
    vec![Content::Ballots(pair.ballots)]
}

fn judgment(row: &Node, pair: &mut Gathered, notes: &mut Notes) {
    let line = row.place.line;
    let variants = SEATS.map(|[variant, ..]| first_word(row, &[variant]));
    let [Some(one), Some(other)] = variants else {
        notes.drop("judgments without two variants", line);
        return;
    };
    if one == other {
        notes.drop("judgments of a variant with itself", line);
        return;
    }
    let places = [pair.candidate(&one), pair.candidate(&other)];
    let judge = first_word(row, &["judgeId"]).unwrap_or_default();
    let reason = row.get("rationale").and_then(word);
    let mut is_empty = true;
    for (seat, candidate) in places.into_iter().enumerate() {
        let marks = marks(row, seat);
        if marks.is_empty() {
            continue;
        }
        is_empty = false;
        pair.ballots.ballots.push(Ballot {
            judge: judge.clone(),
            candidate,
            marks,
            reason: reason.clone(),
        });
    }
    let winner = row.get("winner").and_then(Node::text).unwrap_or_default();
    let winner = match winner.trim().to_ascii_uppercase().as_str() {
        "A" => Some(0),
        "B" => Some(1),
        "TIE" | "DRAW" | "EQUAL" => None,
        _ if is_empty => {
            notes.warn(
                line,
                "winner",
                format!("{judge} gives no verdict here and is left out"),
            );
            return;
        }
        _ => {
            notes.drop("judgments that name no winner", line);
            return;
        }
    };
    pair.ballots.votes.push(Vote {
        judge,
        pair: places,
        winner,
        times: 1,
        is_swapped: places[0] > places[1],
        reason,
    });
}

/// What a judge says of the answer in a seat.
fn marks(row: &Node, seat: usize) -> Vec<Mark> {
    let [_, scores, violations] = SEATS[seat];
    let scores = row.get(scores).map_or(&[][..], Node::entries);
    let mut marks: Vec<Mark> = scores
        .iter()
        .filter_map(|entry| {
            Some(Mark::Score {
                criterion: entry.key.clone(),
                value: entry.node.number()?,
                scale: None,
            })
        })
        .collect();
    let number = row.get(violations).and_then(|told| match &told.value {
        Value::List(rules) => Some(u32::try_from(rules.len()).unwrap_or(u32::MAX)),
        Value::Number(number) => Some(number.as_f64().max(0.0) as u32),
        _ => None,
    });
    // no violations of an answer that nothing else is said of may be a judgment that failed
    if let Some(number) = number
        && (number > 0 || !marks.is_empty())
    {
        marks.push(Mark::Violations(number));
    }
    marks
}
