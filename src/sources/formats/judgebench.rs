//! Pairs of JudgeBench with what a judge says of them: `{"pair_id", "question", "response_A",
//! "response_B", "label": "A>B", "judgments": [{"decision": "A>B"}, {...}]}`. The second judgment
//! saw the answers swapped, and its decision names the seats as it saw them.

use super::super::ballots::{Candidate, Gathered, Vote};
use super::super::content::Content;
use super::super::conversation::Label;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, seat, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "judgebench",
    noun: "pairs of JudgeBench with judgments",
    shapes: &[Shape {
        has: &[
            "pair_id",
            "response_A",
            "response_B",
            "label",
            "judgments:list",
        ],
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
    let mut pair = Gathered::new(first_word(row, &["pair_id"]).unwrap_or_default(), "");
    pair.ballots.question = row.get("question").and_then(word);
    let right = first_word(row, &["label"]);
    for (place, (id, key)) in [("A", "response_A"), ("B", "response_B")]
        .into_iter()
        .enumerate()
    {
        let at = pair.candidate(id);
        let candidate: &mut Candidate = &mut pair.ballots.candidates[at];
        candidate.model = first_word(row, &["response_model"]);
        candidate.text = row.get(key).and_then(word);
        candidate
            .labels
            .extend(right.as_deref().and_then(|right| label(right, place)));
    }
    let judgments = row.get("judgments").map_or(&[][..], Node::items);
    for (number, judgment) in judgments.iter().enumerate() {
        let decision = judgment.get("decision").and_then(Node::text);
        let Some((winner, times)) = decision.and_then(seat) else {
            notes.drop("judgments without a decision", judgment.place.line);
            continue;
        };
        let judge = first_word(judgment, &["judgment.judge_model", "judge_model"])
            .or_else(|| first_word(row, &["judge_model", "judge_name", "judge"]));
        let is_swapped = number % 2 == 1;
        pair.ballots.votes.push(Vote {
            judge: judge.unwrap_or_else(|| "judge".into()),
            pair: if is_swapped { [1, 0] } else { [0, 1] },
            winner,
            times,
            is_swapped,
            reason: None,
        });
    }
    pair
}

/// Which answer is right.
fn label(right: &str, place: usize) -> Option<Label> {
    let (winner, _) = seat(right)?;
    Some(Label {
        name: "label".into(),
        value: winner.map(|winner| f64::from(u8::from(winner == place))),
        text: right.to_owned(),
        reason: None,
    })
}
