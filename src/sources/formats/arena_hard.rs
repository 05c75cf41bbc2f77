//! Judgments of Arena-Hard: `{"uid", "model", "judge", "baseline", "games": [{"score": "A>>B"},
//! {...}]}`. In the first game A is the baseline, in the second the seats are swapped. `>>` counts
//! twice.

use std::collections::HashMap;

use super::super::ballots::{Gathered, Vote};
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use super::verdict::{first_word, seat};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "arena-hard",
    noun: "judgments of Arena-Hard",
    shapes: &[
        Shape {
            has: &["uid", "model:text", "judge", "games[].score"],
            lacks: &[],
        },
        // as it was first
        Shape {
            has: &["question_id", "model:text", "judge", "games[].score"],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut all = Gathered::new("", "All questions");
    all.ballots.is_league = true;
    let mut questions = Vec::<Gathered>::new();
    let mut known = HashMap::new();
    for row in rows {
        let line = row.place.line;
        let Some(model) = first_word(row, &["model"]) else {
            context.notes.drop("judgments without a model", line);
            continue;
        };
        let told = first_word(row, &["baseline"]);
        let baseline = told.unwrap_or_else(|| {
            let label = "Name of the baseline, where the file does not say it";
            context.mapping.text("baseline", label, "baseline")
        });
        if model == baseline {
            context.notes.drop("judgments of a model with itself", line);
            continue;
        }
        let id = first_word(row, &["uid", "question_id"]).unwrap_or_default();
        let at = *known.entry(id.clone()).or_insert_with(|| {
            questions.push(Gathered::new(id, ""));
            questions.len() - 1
        });
        let judge = first_word(row, &["judge"]).unwrap_or_else(|| "judge".into());
        let games = row.get("games").map_or(&[][..], Node::items);
        for (number, game) in games.iter().enumerate() {
            let score = game.get("score").and_then(Node::text);
            let Some((winner, times)) = score.and_then(seat) else {
                context
                    .notes
                    .drop("games without a verdict", game.place.line);
                continue;
            };
            let is_swapped = number % 2 == 1;
            for gathered in [&mut questions[at], &mut all] {
                let (first, second) = (gathered.model(&baseline), gathered.model(&model));
                gathered.ballots.votes.push(Vote {
                    judge: judge.clone(),
                    pair: if is_swapped {
                        [second, first]
                    } else {
                        [first, second]
                    },
                    winner,
                    times,
                    is_swapped,
                    reason: None,
                });
            }
        }
    }
    let found = std::iter::once(all).chain(questions);
    found
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}
