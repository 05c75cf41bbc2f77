//! Downloads of Langfuse: `{"trace": {"id", "sessionId", "input", "output", "scores"},
//! "observations": [{"id", "type", "input", "output", "model"}]}`, or a trace with its
//! observations inside. Inputs are often JSON as a text.

use std::collections::HashMap;

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Outcome};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::spans::{self, Span, Step, tokens, word};
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "langfuse",
    noun: "a trace of Langfuse",
    shapes: &[
        Shape {
            has: &["trace.id:text", "observations:list"],
            lacks: &[],
        },
        Shape {
            has: &[
                "id:text",
                "observations[].traceId:text",
                "observations[].type:text",
            ],
            lacks: &[],
        },
    ],
    group: |row| match id(row) {
        Some(id) => Group::Named(id.to_owned()),
        None => Group::Own,
    },
    read,
};

fn trace(row: &Node) -> &Node {
    row.get("trace").unwrap_or(row)
}

fn id(row: &Node) -> Option<&str> {
    word(trace(row), "sessionId").or_else(|| word(trace(row), "id"))
}

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut all = Vec::new();
    for row in rows {
        all.extend(of_trace(row, &mut context.notes));
    }
    let title = rows.first().and_then(|row| word(trace(row), "name"));
    let conversations = spans::conversations(all).into_iter().map(|conversation| {
        Content::Conversation(Conversation {
            title: title.unwrap_or_default().to_owned(),
            ..conversation
        })
    });
    conversations.collect()
}

/// What a trace says, with its labels at the replies that they judge.
fn of_trace(row: &Node, notes: &mut Notes) -> Vec<Span> {
    let trace = trace(row);
    let rows = row.get("observations").map_or(&[][..], Node::items);
    let mut spans: Vec<Span> = Vec::new();
    let mut places = HashMap::new();
    for row in rows {
        if let Some(span) = observation(row, trace, notes) {
            places.extend(word(row, "id").map(|id| (id, spans.len())));
            spans.push(span);
        }
    }
    if trace.get("input").is_some() || trace.get("output").is_some() {
        let (input, output) = (trace.get("input"), trace.get("output"));
        let step = spans::exchange(input, output, (None, None), notes);
        spans.push(span(trace, trace, true, step));
    }
    // a trace is judged by what came of it: the reply of its last call
    let calls = spans.iter().enumerate();
    let last = calls.max_by_key(|(_, span)| (reply(span).is_some(), !span.is_around, &span.at));
    let last = last.map(|(at, _)| at);
    let beside = row.get("scores").filter(|_| row.get("trace").is_some());
    let scores = [trace.get("scores"), beside];
    for score in scores.into_iter().flatten().flat_map(Node::items) {
        let of_call = word(score, "observationId").and_then(|id| places.get(id).copied());
        let label = label(score, notes);
        let at = of_call.or(last).and_then(|at| spans.get_mut(at));
        if let Some(Step::Exchange(_, output)) = at.map(|span| &mut span.step)
            && let Some(reply) = output.last_mut()
        {
            reply.labels.extend(label);
        }
    }
    spans
}

fn reply(span: &Span) -> Option<&Message> {
    match &span.step {
        Step::Exchange(_, output) => output.last(),
        Step::Outcome(_) => None,
    }
}

fn span(row: &Node, trace: &Node, is_around: bool, step: Step) -> Span {
    Span {
        session: word(trace, "sessionId").map(str::to_owned),
        trace: word(trace, "id").unwrap_or_default().to_owned(),
        at: ["startTime", "timestamp"]
            .iter()
            .find_map(|key| word(row, key))
            .unwrap_or_default()
            .to_owned(),
        is_around,
        step,
    }
}

fn observation(row: &Node, trace: &Node, notes: &mut Notes) -> Option<Span> {
    let kind = word(row, "type").unwrap_or_default();
    let step = match kind {
        "GENERATION" => {
            let paths = [
                "usageDetails.input",
                "usage.input",
                "promptTokens",
                "inputUsage",
            ];
            let used = paths.iter().find_map(|path| row.find(path));
            let cached = row.find("usageDetails").map_or(0, cached);
            let used = tokens(used).map(|used| used.saturating_add(cached));
            let about = (word(row, "model").map(str::to_owned), used);
            spans::exchange(row.get("input"), row.get("output"), about, notes)
        }
        "TOOL" => Step::Outcome(Outcome {
            id: None,
            failed: (word(row, "level") == Some("ERROR")).then_some(true),
        }),
        _ => {
            notes.drop("observations around calls of models", row.place.line);
            return None;
        }
    };
    Some(span(row, trace, false, step))
}

/// The tokens that were cached, which Langfuse counts by themselves.
fn cached(usage: &Node) -> u64 {
    let parts = usage.entries().iter();
    let parts =
        parts.filter(|part| part.key.starts_with("input_cache") || part.key.starts_with("cache_"));
    let parts = parts.filter_map(|part| tokens(Some(&part.node)));
    parts.fold(0, u64::saturating_add)
}

/// A score that a person gave; those of models and programs are no labels.
fn label(score: &Node, notes: &mut Notes) -> Option<Label> {
    if word(score, "source") != Some("ANNOTATION") {
        notes.drop("verdicts of models", score.place.line);
        return None;
    }
    let value = score.get("value")?;
    let number = match &value.value {
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        _ => value.number(),
    };
    let text = word(score, "stringValue").or_else(|| value.text());
    Some(Label {
        name: word(score, "name").unwrap_or("score").to_owned(),
        value: number,
        text: text.map_or_else(|| number.unwrap_or_default().to_string(), str::to_owned),
        reason: word(score, "comment").map(str::to_owned),
    })
}
