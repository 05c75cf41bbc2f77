//! Annotations of OpenInference as JSON Lines: `{"session.id", "annotation.name",
//! "annotation.score", "annotation.label", "annotation.explanation",
//! "annotation.annotator_kind": "CODE", "metadata"}`.
//!
//! Results know no spans: what was judged stands in `metadata`.

use serde::Serialize;

use super::judgements::{About, Judgement};
use super::words::lines;

#[derive(Debug, Serialize)]
struct Annotation<'a> {
    #[serde(rename = "session.id", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(rename = "annotation.name")]
    name: &'a str,
    #[serde(rename = "annotation.score")]
    score: f64,
    #[serde(rename = "annotation.label", skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
    #[serde(
        rename = "annotation.explanation",
        skip_serializing_if = "Option::is_none"
    )]
    explanation: Option<&'a str>,
    #[serde(rename = "annotation.annotator_kind")]
    kind: &'static str,
    metadata: &'a About<'a>,
}

pub(super) fn text(judgements: &[Judgement]) -> String {
    lines(judgements.iter().map(|judgement| Annotation {
        session: judgement.session,
        name: &judgement.name,
        score: judgement.value,
        label: judgement.label,
        explanation: judgement.explanation.as_deref(),
        kind: "CODE",
        metadata: &judgement.about,
    }))
}
