//! Events of OpenTelemetry, `gen_ai.evaluation.result`, as its JSON Lines have log records: an event
//! in a line, `{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"eventName", "attributes"}]}]}]}`.
//!
//! The events have no time and no span: results know neither.

use serde::Serialize;

use super::judgements::Judgement;
use super::words::lines;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    resource_logs: [Resource<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Resource<'a> {
    scope_logs: [Scope<'a>; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Scope<'a> {
    scope: Named,
    log_records: [Event<'a>; 1],
}

#[derive(Debug, Serialize)]
struct Named {
    name: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    event_name: &'static str,
    attributes: Vec<Attribute<'a>>,
}

#[derive(Debug, Serialize)]
struct Attribute<'a> {
    key: &'static str,
    value: Any<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::enum_variant_names)] // as the protocol names them
enum Any<'a> {
    StringValue(&'a str),
    /// Whole numbers are texts in this JSON.
    IntValue(String),
    DoubleValue(f64),
}

pub(super) fn text(judgements: &[Judgement]) -> String {
    lines(judgements.iter().map(|judgement| Line {
        resource_logs: [Resource {
            scope_logs: [Scope {
                scope: Named { name: "assay" },
                log_records: [Event {
                    event_name: "gen_ai.evaluation.result",
                    attributes: attributes(judgement),
                }],
            }],
        }],
    }))
}

fn attributes<'a>(judgement: &'a Judgement) -> Vec<Attribute<'a>> {
    let about = &judgement.about;
    let debate = about.debate.map(|debate| Any::IntValue(debate.to_string()));
    let text = |text: Option<&'a str>| text.map(Any::StringValue);
    let all = [
        ("gen_ai.evaluation.name", text(Some(&judgement.name))),
        (
            "gen_ai.evaluation.score.value",
            Some(Any::DoubleValue(judgement.value)),
        ),
        ("gen_ai.evaluation.score.label", text(judgement.label)),
        (
            "gen_ai.evaluation.explanation",
            text(judgement.explanation.as_deref()),
        ),
        ("gen_ai.conversation.id", text(judgement.session)),
        ("gen_ai.response.model", text(about.model)),
        ("assay.debate", debate),
        ("assay.question", text(about.question)),
        ("assay.candidate", text(about.candidate)),
        ("assay.turn", text(about.turn.as_deref())),
        ("assay.action", text(about.action)),
        ("assay.what_if", text(about.what_if)),
        ("assay.formula", text(Some(about.formula))),
        ("assay.input_sha256", text(Some(about.input_sha256))),
    ];
    let all = all.into_iter();
    all.filter_map(|(key, value)| Some(Attribute { key, value: value? }))
        .collect()
}
