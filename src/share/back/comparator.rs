//! A file of LLM Comparator: an example for each debate, on the first two of its ranking.
//!
//! `score` is by how much the score of A is ahead of that of B, x [`WIN`] / [`CLEAR_GAP`], rounded
//! to 4 decimals and held within -1.5 and 1.5: above 0 A is better, below 0 B, and 0 is a tie. So the
//! gap from which a debate has one winner comes to the score from which LLM Comparator counts a win.
//! Against one who is eliminated the other has the whole 1.5; of two it is 0. A rater's score is by
//! how much its rating (support + evidence - major_risks - 2 critical_fail, the mean of several) of A
//! is above that of B, x 0.5 and held likewise; who rates only one of the two is left out.
//!
//! Where all debates have the same two, A is the one who stands first in the input of the first
//! debate; else A is the first of each ranking, and who that is stands in `custom_fields`.
//!
//! Lost are all other candidates, what the ratings of a debater were, head-to-heads, models,
//! domains and weights, which rule broke a tie, and whether anyone was good enough.

use std::collections::HashMap;

use serde::Serialize;

use super::words::{debater, output, said};
use crate::analysis::round4;
use crate::debate::rules::FAIL_RISKS;
use crate::debate::{CLEAR_GAP, Candidate, DebateResult, Decision, Payload, Review, Row, gap};

/// The score from which LLM Comparator counts a win.
const WIN: f64 = 0.25;
/// The largest score.
const MOST: f64 = 1.5;
/// What a point of a rating comes to.
const POINT: f64 = 0.5;
/// Who A and B are where debates have not the same two.
const PLACES: [&str; 2] = ["First of each ranking", "Second of each ranking"];

#[derive(Debug, Serialize)]
struct Comparator<'a> {
    metadata: Metadata,
    models: [Model<'a>; 2],
    examples: Vec<Example<'a>>,
}

#[derive(Debug, Serialize)]
struct Metadata {
    source_path: &'static str,
    custom_fields_schema: [Field; 7],
}

#[derive(Debug, Serialize)]
struct Field {
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Debug, Serialize)]
struct Model<'a> {
    name: &'a str,
}

#[derive(Debug, Serialize)]
struct Example<'a> {
    input_text: &'a str,
    tags: Vec<&'a str>,
    output_text_a: String,
    output_text_b: String,
    score: f64,
    individual_rater_scores: Vec<Rater>,
    custom_fields: Custom<'a>,
}

#[derive(Debug, Serialize)]
struct Rater {
    score: f64,
    rating_label: &'static str,
    is_flipped: bool,
    rationale: Option<String>,
    custom_fields: Who,
}

#[derive(Debug, Serialize)]
struct Who {
    debater: String,
}

#[derive(Debug, Serialize)]
struct Custom<'a> {
    candidate: [&'a str; 2],
    candidate_score: [f64; 2],
    eliminated: [bool; 2],
    decision: Decision,
    what_if: Option<&'a str>,
    input_sha256: &'a str,
}

const fn field(name: &'static str, kind: &'static str) -> Field {
    Field { name, kind }
}

const FIELDS: [Field; 7] = [
    field("candidate", "per_model_text"),
    field("candidate_score", "per_model_number"),
    field("eliminated", "per_model_boolean"),
    field("decision", "category"),
    field("what_if", "text"),
    field("input_sha256", "string"),
    field("debater", "per_rating_string"),
];

/// The first two of a debate's ranking.
struct Pair<'a> {
    result: &'a DebateResult,
    /// In the order of the seats.
    rows: [&'a Row; 2],
    candidates: [&'a Candidate; 2],
    /// Whether the first of the ranking stands second in the input.
    is_turned: bool,
}

impl<'a> Pair<'a> {
    fn of(payload: &'a Payload, result: &'a DebateResult) -> Option<Self> {
        let [first, second, ..] = &result.results[..] else {
            return None;
        };
        let place = |row: &Row| {
            let mut candidates = payload.candidates.iter();
            candidates.position(|candidate| candidate.id == row.id)
        };
        let places = [place(first)?, place(second)?];
        Some(Self {
            result,
            rows: [first, second],
            candidates: places.map(|place| &payload.candidates[place]),
            is_turned: places[0] > places[1],
        })
    }

    fn names(&self) -> [&'a str; 2] {
        self.rows.map(|row| row.id.as_str())
    }

    /// With one of the two in the first seat.
    fn seated(mut self, first: &str) -> Self {
        if self.rows[0].id != first {
            self.rows.reverse();
            self.candidates.reverse();
        }
        self
    }

    fn example(&self) -> Example<'a> {
        let Self {
            result,
            rows,
            candidates: [a, b],
            ..
        } = self;
        let domain = (!result.without_domain).then_some(result.domain.as_str());
        Example {
            input_text: result.question.as_deref().unwrap_or_default(),
            tags: domain.into_iter().collect(),
            output_text_a: output(a),
            output_text_b: output(b),
            score: score(rows),
            individual_rater_scores: raters(a, b),
            custom_fields: Custom {
                candidate: self.names(),
                candidate_score: rows.map(|row| row.score),
                eliminated: rows.map(|row| row.eliminated),
                decision: result.decision,
                what_if: result.what_if.as_ref().map(|tried| tried.words.as_str()),
                input_sha256: &result.input_sha256,
            },
        }
    }
}

/// One line of JSON; empty where there is no debate.
pub(super) fn text(debates: &[(&Payload, &DebateResult)]) -> String {
    let pairs = debates.iter();
    let pairs: Vec<_> = pairs
        .filter_map(|(payload, result)| Pair::of(payload, result))
        .collect();
    let Some(first) = pairs.first() else {
        return String::new();
    };
    let mut names = first.names();
    if first.is_turned {
        names.reverse();
    }
    let [a, b] = names;
    let same = |pair: &Pair| matches!(pair.names(), names if names == [a, b] || names == [b, a]);
    let is_same = pairs.iter().all(same);
    let examples = pairs.into_iter().map(|pair| {
        let pair = if is_same { pair.seated(a) } else { pair };
        pair.example()
    });
    let whole = Comparator {
        metadata: Metadata {
            source_path: "assay",
            custom_fields_schema: FIELDS,
        },
        examples: examples.collect(),
        models: if is_same { names } else { PLACES }.map(|name| Model { name }),
    };
    // plain data with text keys can always be written
    serde_json::to_string(&whole).unwrap_or_default() + "\n"
}

fn score([a, b]: &[&Row; 2]) -> f64 {
    match (a.eliminated, b.eliminated) {
        (true, true) => 0.0,
        (false, true) => MOST,
        (true, false) => -MOST,
        (false, false) => held(gap(a.score, b.score) * WIN / CLEAR_GAP),
    }
}

/// Rounded and within the scale; what is not 0 stays so.
fn held(score: f64) -> f64 {
    round4(score.clamp(-MOST, MOST))
}

/// Who rates both.
fn raters(a: &Candidate, b: &Candidate) -> Vec<Rater> {
    let others: HashMap<String, Vec<&Review>> = by_debater(b).into_iter().collect();
    let both = by_debater(a).into_iter().filter_map(|(name, own)| {
        let other = others.get(&name)?;
        let score = held((rating(&own) - rating(other)) * POINT);
        let rating_label = if score > 0.0 {
            "A is better"
        } else if score < 0.0 {
            "B is better"
        } else {
            "Neither is better"
        };
        let why = justifications(a, &own).chain(justifications(b, other));
        Some(Rater {
            score,
            rating_label,
            is_flipped: false,
            rationale: said(why.collect::<Vec<_>>().join("\n")),
            custom_fields: Who { debater: name },
        })
    });
    both.collect()
}

/// The reviews of each debater, in the order in which they come.
fn by_debater(candidate: &Candidate) -> Vec<(String, Vec<&Review>)> {
    let mut found: Vec<(String, Vec<&Review>)> = Vec::new();
    let mut places = HashMap::new();
    for (at, review) in candidate.reviews.iter().enumerate() {
        let name = debater(review.debater.as_deref(), at);
        let place = *places.entry(name.clone()).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, reviews)) => reviews.push(review),
            None => found.push((name, vec![review])),
        }
    }
    found
}

/// The mean rating.
fn rating(reviews: &[&Review]) -> f64 {
    let points = reviews.iter().map(|review| {
        review.support + review.evidence - review.major_risks - FAIL_RISKS * review.critical_fail
    });
    points.sum::<i64>() as f64 / reviews.len().max(1) as f64
}

fn justifications<'a>(
    candidate: &'a Candidate,
    reviews: &'a [&Review],
) -> impl Iterator<Item = String> + 'a {
    let words = reviews
        .iter()
        .filter_map(|review| review.justification.as_deref());
    words.map(|words| format!("{}: {words}", candidate.id))
}
