//! Results of LLMBar: `{"input", "output_1", "output_2", "label": 1, "results": [{"swap = False":
//! {"winner": "1"}, "swap = True": {...}}]}`. A winner names the output, also where the two were
//! swapped.

use super::super::ballots::{Gathered, Vote};
use super::super::content::Content;
use super::super::conversation::Label;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::word;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "llmbar",
    noun: "results of LLMBar",
    shapes: &[Shape {
        has: &["input", "output_1", "output_2", "label", "results:list"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let pairs = rows.iter().map(|row| pair(row, &mut context.notes));
    pairs
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}

fn pair(row: &Node, notes: &mut Notes) -> Gathered {
    let mut pair = Gathered::default();
    pair.ballots.question = row.get("input").and_then(word);
    let right = row.get("label").and_then(word);
    let right = right.as_deref();
    for (key, own) in [("output_1", "1"), ("output_2", "2")] {
        let at = pair.candidate(key);
        let candidate = &mut pair.ballots.candidates[at];
        candidate.text = row.get(key).and_then(word);
        if let Some(right @ ("1" | "2")) = right {
            candidate.labels.push(Label {
                name: "label".into(),
                value: Some(f64::from(u8::from(right == own))),
                text: right.to_owned(),
                reason: None,
            });
        }
    }
    let rounds = row.get("results").map_or(&[][..], Node::items);
    for (at, round) in rounds.iter().enumerate() {
        let judge = match rounds.len() {
            1 => "judge".to_owned(),
            _ => format!("round {}", at + 1),
        };
        for entry in round.entries() {
            let Some(swap) = entry.key.trim().strip_prefix("swap") else {
                continue;
            };
            let winner = entry.node.get("winner").and_then(word);
            let winner = match winner.as_deref() {
                Some("1") => Some(0),
                Some("2") => Some(1),
                Some("tie" | "Tie" | "0") => None,
                _ => {
                    notes.drop("judgments that name no winner", entry.node.place.line);
                    continue;
                }
            };
            pair.ballots.votes.push(Vote {
                judge: judge.clone(),
                pair: [0, 1],
                winner,
                times: 1,
                is_swapped: swap.to_ascii_lowercase().ends_with("true"),
                reason: None,
            });
        }
    }
    pair
}
