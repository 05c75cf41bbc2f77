//! Judgments of MT-bench: of one answer `{"question_id", "model", "judge", "judgment", "score",
//! "turn"}`, or of two `{"question_id", "model_1", "model_2", "g1_winner", "g2_winner", "judge",
//! "turn"}` with `model_1`, `model_2`, `tie` or `error`. The second game has the seats swapped;
//! its winner is named all the same.

use std::collections::HashMap;

use super::super::ballots::{Ballot, Gathered, Mark, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "mt-bench",
    noun: "judgments of MT-bench",
    shapes: &[
        Shape {
            has: &["question_id", "model:text", "judge", "score:number", "turn"],
            lacks: &["games"],
        },
        Shape {
            has: &["question_id", "model_1:text", "model_2:text", "g1_winner"],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read,
};

/// What the scores are given on.
const SCALE: (f64, f64) = (1.0, 10.0);

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut all = Gathered::new("", "All questions");
    all.ballots.is_league = true;
    let mut questions = Vec::<Gathered>::new();
    let mut known = HashMap::new();
    for row in rows {
        let id = id(row);
        let at = *known.entry(id.clone()).or_insert_with(|| {
            questions.push(Gathered::new(id.clone(), ""));
            questions.len() - 1
        });
        let own = &mut questions[at];
        let judge = judge(row);
        match row.get("g1_winner") {
            Some(_) => {
                games(row, &judge, own, &mut context.notes);
                // said once, of the question itself
                games(row, &judge, &mut all, &mut Notes::default());
            }
            None => {
                if let Some((model, mark)) = scored(row, &mut context.notes) {
                    rate(&model, &judge, mark.clone(), own, row);
                    rate(&model, &id, mark, &mut all, row);
                }
            }
        }
    }
    let found = std::iter::once(all).chain(questions);
    found
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}

/// A question and its turn.
fn id(row: &Node) -> String {
    let question = first_word(row, &["question_id"]).unwrap_or_default();
    match row.get("turn").and_then(word) {
        Some(turn) => format!("question {question}, turn {turn}"),
        None => format!("question {question}"),
    }
}

/// The judge's name: the first of its name and its prompt.
fn judge(row: &Node) -> String {
    let judge = row.get("judge");
    let name = judge.and_then(|judge| judge.items().first().or(Some(judge)));
    let name = name.and_then(word);
    name.or_else(|| first_word(row, &["judge.model_name", "judge.model"]))
        .unwrap_or_else(|| "judge".into())
}

/// A model's score; a score below 0 stands for a judgment that could not be read.
fn scored(row: &Node, notes: &mut Notes) -> Option<(String, Mark)> {
    let score = row.get("score").and_then(Node::number);
    let (Some(value), Some(model)) = (score, first_word(row, &["model"])) else {
        notes.drop("judgments without a score", row.place.line);
        return None;
    };
    if value < 0.0 {
        notes.drop("judgments with an error", row.place.line);
        return None;
    }
    let mark = Mark::Score {
        criterion: String::new(),
        value,
        scale: Some(SCALE),
    };
    Some((model, mark))
}

fn rate(model: &str, judge: &str, mark: Mark, gathered: &mut Gathered, row: &Node) {
    let candidate = gathered.model(model);
    let is_own = !gathered.ballots.is_league;
    let ballot = Ballot {
        judge: judge.to_owned(),
        candidate,
        marks: vec![mark],
        reason: row.get("judgment").and_then(word).filter(|_| is_own),
    };
    if !is_own {
        gathered.ballots.tests.push(ballot.clone());
    }
    gathered.ballots.ballots.push(ballot);
}

fn games(row: &Node, judge: &str, gathered: &mut Gathered, notes: &mut Notes) {
    let line = row.place.line;
    let (Some(one), Some(other)) = (first_word(row, &["model_1"]), first_word(row, &["model_2"]))
    else {
        notes.drop("judgments without two models", line);
        return;
    };
    let pair = [gathered.model(&one), gathered.model(&other)];
    let is_own = !gathered.ballots.is_league;
    for (key, told, is_swapped) in [
        ("g1_winner", "g1_judgment", false),
        ("g2_winner", "g2_judgment", true),
    ] {
        let Some(verdict) = row.get(key).and_then(Node::text) else {
            continue;
        };
        let winner = match verdict {
            "model_1" => Some(0),
            "model_2" => Some(1),
            "tie" => None,
            "error" => {
                notes.drop("judgments with an error", line);
                continue;
            }
            _ => {
                notes.drop("judgments that name no winner", line);
                continue;
            }
        };
        gathered.ballots.votes.push(Vote {
            judge: judge.to_owned(),
            pair,
            winner,
            times: 1,
            is_swapped,
            reason: row.get(told).and_then(word).filter(|_| is_own),
        });
    }
}
