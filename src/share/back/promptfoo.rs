//! Results as promptfoo writes them, as JSON Lines: `{"testIdx", "promptIdx", "provider": {"id",
//! "label"?}, "vars", "response": {"output"}, "success", "score", "namedScores", "gradingResult":
//! {"pass", "score", "reason", "componentResults"}}`.
//!
//! A debate is a test, and its candidates are providers, in the order of the ranking: `label` is a
//! candidate's name where `id` is its model. One assertion counts: the verdict, which the winner
//! passes, or both that are to be combined, and nobody else. The reviews are assertions of weight
//! 0: they are there to be read. Numbers are in `namedScores`.
//!
//! Read back, a debate has the same candidates, models, decision and winner. Lost are scores,
//! reviews (an assertion of weight 0 is no vote), head-to-heads, domains and weights.
//!
//! A turn is a test of one provider, its session; its assertions are the principles with their
//! weights, so that its score is the normalised total. Read back, several sessions are candidates
//! of one debate; one session is none.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::judgements::why;
use super::words::{debater, lines, made_of, output, standing};
use crate::analysis::round4;
use crate::constitution::{Log, Principle, RewardResult, ScoredTurn, Turn};
use crate::debate::rules::MOST_RATING;
use crate::debate::{Candidate, DebateResult, Payload, Review, Row, Term};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    test_idx: usize,
    prompt_idx: usize,
    provider: Provider<'a>,
    vars: Vars<'a>,
    response: Response,
    success: bool,
    score: f64,
    named_scores: Named,
    grading_result: Grade,
    metadata: Metadata<'a>,
}

#[derive(Debug, Serialize)]
struct Provider<'a> {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Vars<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Response {
    output: String,
}

#[derive(Debug, Serialize)]
struct Metadata<'a> {
    formula: &'static str,
    input_sha256: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    what_if: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Grade {
    pass: bool,
    score: f64,
    reason: String,
    component_results: Vec<Component>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Component {
    pass: bool,
    score: f64,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    named_scores: Option<Named>,
    assertion: Assertion,
}

#[derive(Debug, Serialize)]
struct Assertion {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    metric: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    weight: f64,
}

/// Numbers by name, in their order.
#[derive(Debug)]
struct Named(Vec<(&'static str, f64)>);

impl Serialize for Named {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

pub(super) fn of_debates(debates: &[(&Payload, &DebateResult)]) -> String {
    // a candidate has one column in all tests
    let mut columns = HashMap::new();
    let mut found = Vec::new();
    for (test, (payload, result)) in debates.iter().enumerate() {
        let candidates = payload.candidates.iter();
        let candidates: HashMap<&str, &Candidate> = candidates
            .map(|candidate| (candidate.id.as_str(), candidate))
            .collect();
        for row in &result.results {
            let next = columns.len();
            let column = *columns.entry(row.id.as_str()).or_insert(next);
            if let Some(candidate) = candidates.get(row.id.as_str()) {
                found.push(of_candidate((test, column), candidate, row, result));
            }
        }
    }
    lines(found.into_iter())
}

fn of_candidate<'a>(
    (test_idx, prompt_idx): (usize, usize),
    candidate: &'a Candidate,
    row: &'a Row,
    result: &'a DebateResult,
) -> Line<'a> {
    let standing = standing(result, row);
    let pass = matches!(standing, "winner" | "combined");
    let score = f64::from(u8::from(pass));
    let verdict = Component {
        pass,
        score,
        reason: standing.into(),
        named_scores: None,
        assertion: Assertion {
            kind: "assay",
            metric: Some("verdict"),
            value: None,
            weight: 1.0,
        },
    };
    let reviews = candidate.reviews.iter().enumerate();
    let reviews = reviews.map(|(at, review)| of_review(at, review));
    let terms = Term::ALL
        .into_iter()
        .map(|term| (term.name(), row.value(term)));
    let provider = match row.model.as_deref() {
        Some(model) => Provider {
            // what reads an id takes what stands before a colon for the maker
            id: format!("model:{model}"),
            label: Some(&row.id),
        },
        None => Provider {
            id: row.id.clone(),
            label: None,
        },
    };
    Line {
        test_idx,
        prompt_idx,
        provider,
        vars: Vars {
            question: result.question.as_deref(),
            user_message: None,
        },
        response: Response {
            output: output(candidate),
        },
        success: pass,
        score,
        named_scores: Named([("score", row.score)].into_iter().chain(terms).collect()),
        grading_result: Grade {
            pass,
            score,
            reason: format!("{standing}: {}", made_of(row)),
            component_results: [verdict].into_iter().chain(reviews).collect(),
        },
        metadata: Metadata {
            formula: result.formula,
            input_sha256: &result.input_sha256,
            what_if: result.what_if.as_ref().map(|tried| tried.words.as_str()),
        },
    }
}

/// A review: the share of support and evidence that it gives. It passes without a critical fail.
fn of_review(at: usize, review: &Review) -> Component {
    let numbers = [
        ("support", review.support),
        ("evidence", review.evidence),
        ("major_risks", review.major_risks),
        ("critical_fail", review.critical_fail),
    ];
    let most = 2 * MOST_RATING;
    Component {
        pass: review.critical_fail == 0,
        score: round4((review.support + review.evidence) as f64 / most as f64),
        reason: review.justification.clone().unwrap_or_default(),
        named_scores: Some(Named(
            numbers.map(|(name, value)| (name, value as f64)).into(),
        )),
        assertion: Assertion {
            kind: "llm-rubric",
            metric: None,
            value: Some(debater(review.debater.as_deref(), at)),
            weight: 0.0,
        },
    }
}

pub(super) fn of_turns(log: &Log, result: &RewardResult) -> String {
    let mut columns = HashMap::new();
    let turns = log.turns.iter().zip(&result.turns).enumerate();
    let turns = turns.map(|(test, (turn, scored))| {
        let session = scored
            .session_id
            .as_deref()
            .or(result.session_id.as_deref());
        let session = session.unwrap_or("agent");
        let next = columns.len();
        let column = *columns.entry(session).or_insert(next);
        of_turn((test, column), session, (turn, scored), result)
    });
    lines(turns)
}

fn of_turn<'a>(
    (test_idx, prompt_idx): (usize, usize),
    session: &str,
    (turn, scored): (&'a Turn, &'a ScoredTurn),
    result: &'a RewardResult,
) -> Line<'a> {
    let principles = Principle::ALL.into_iter().map(|principle| Component {
        pass: !(scored.rejected && principle == Principle::Ethical),
        score: scored.scores[principle],
        reason: why(scored, principle).unwrap_or_default(),
        named_scores: None,
        assertion: Assertion {
            kind: "assay",
            metric: Some(principle.name()),
            value: None,
            weight: result.weights[principle],
        },
    });
    let user = turn.user_message.as_str();
    Line {
        test_idx,
        prompt_idx,
        provider: Provider {
            id: session.to_owned(),
            label: None,
        },
        vars: Vars {
            question: None,
            user_message: (!user.is_empty()).then_some(user),
        },
        response: Response {
            output: turn.response().to_owned(),
        },
        success: !scored.rejected,
        score: scored.normalised,
        named_scores: Named(scored.scores.named().into()),
        grading_result: Grade {
            pass: !scored.rejected,
            score: scored.normalised,
            reason: scored.notes.join("; "),
            component_results: principles.collect(),
        },
        metadata: Metadata {
            formula: result.formula,
            input_sha256: &result.input_sha256,
            what_if: None,
        },
    }
}
