//! Files of LLM Comparator: `{"models": [{"name"}], "examples": [{"input_text", "output_text_a",
//! "output_text_b", "score", "individual_rater_scores": [{"score", "is_flipped", "rationale"}]}]}`.
//! A score above 0 is for the first model, also where the raters saw the answers flipped.

use super::super::ballots::{Gathered, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "llm-comparator",
    noun: "a file of LLM Comparator",
    shapes: &[Shape {
        has: &[
            "models[].name",
            "examples[].output_text_a",
            "examples[].output_text_b",
        ],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let label = "Scores up to this far from 0 are a tie";
    let tie = context.mapping.number("tie", label, 0.0).max(0.0);
    let mut found = Vec::new();
    for row in rows {
        let names = names(row);
        let mut all = gathered("", "All examples", &names);
        all.ballots.is_league = true;
        let first = found.len();
        let examples = row.get("examples").map_or(&[][..], Node::items);
        for (at, example) in examples.iter().enumerate() {
            let id = format!("example-{}", at + 1);
            let mut own = gathered(&id, "", &names);
            own.ballots.question = example.get("input_text").and_then(word);
            for (place, key) in ["output_text_a", "output_text_b"].iter().enumerate() {
                own.ballots.candidates[place].text = example.get(key).and_then(word);
            }
            let votes = votes(example, tie, &mut context.notes);
            own.ballots.votes = votes;
            all.ballots.votes.extend(whole(example, &id, tie));
            found.push(own);
        }
        found.insert(first, all);
    }
    found
        .into_iter()
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}

/// The names of the two models, each of its own.
fn names(row: &Node) -> [String; 2] {
    let models = row.get("models").map_or(&[][..], Node::items);
    let name = |at: usize| {
        models
            .get(at)
            .and_then(|model| first_word(model, &["name"]))
    };
    let [one, other] = [name(0).unwrap_or("A".into()), name(1).unwrap_or("B".into())];
    if one == other {
        [format!("{one} (A)"), format!("{other} (B)")]
    } else {
        [one, other]
    }
}

fn gathered(id: &str, title: &str, names: &[String; 2]) -> Gathered {
    let mut gathered = Gathered::new(id, title);
    for name in names {
        gathered.model(name);
    }
    gathered
}

/// The votes of the raters, or else of the score of the whole.
fn votes(example: &Node, tie: f64, notes: &mut Notes) -> Vec<Vote> {
    let raters = example
        .get("individual_rater_scores")
        .map_or(&[][..], Node::items);
    let mut votes = Vec::new();
    for (at, rater) in raters.iter().enumerate() {
        let Some(score) = rater.get("score").and_then(Node::number) else {
            notes.drop("ratings without a score", rater.place.line);
            continue;
        };
        votes.push(Vote {
            is_swapped: rater.get("is_flipped").and_then(Node::flag) == Some(true),
            reason: rater.get("rationale").and_then(word),
            ..vote(&format!("rater {}", at + 1), score, tie)
        });
    }
    if raters.is_empty() {
        votes.extend(whole(example, "score", tie));
    }
    votes
}

/// The vote of an example's own score, or else of the mean of its raters.
fn whole(example: &Node, judge: &str, tie: f64) -> Option<Vote> {
    let scores = || {
        let raters = example
            .get("individual_rater_scores")
            .map_or(&[][..], Node::items);
        let scores = raters
            .iter()
            .filter_map(|rater| rater.get("score")?.number());
        let (sum, number) = scores.fold((0.0, 0_u32), |(sum, number), score| {
            (sum + score, number + 1)
        });
        (number > 0).then(|| sum / f64::from(number))
    };
    let score = example.get("score").and_then(Node::number);
    Some(vote(judge, score.or_else(scores)?, tie))
}

fn vote(judge: &str, score: f64, tie: f64) -> Vote {
    let winner = usize::from(score < 0.0);
    Vote {
        judge: judge.to_owned(),
        pair: [0, 1],
        winner: (score.abs() > tie).then_some(winner),
        times: 1,
        ..Vote::default()
    }
}
