//! Logs of Inspect: `{"version", "status", "eval": {"task", "model"}, "samples": [{"id", "epoch",
//! "input", "target", "messages", "scores": {name: {"value", "answer", "explanation"}},
//! "attachments"}]}`. An `.eval` file is a zip of the same in parts: each sample by itself, and a
//! header without samples. Several logs of one task are a debate: see `inspect_logs`.

use std::collections::HashMap;

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::records::LARGEST;
use super::super::shape::Shape;
use super::openai;
use crate::document::{Entry, Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "inspect",
    noun: "a log of Inspect",
    shapes: &[
        Shape {
            has: &[
                "version:number",
                "status:text",
                "eval.task:text",
                "eval.model:text",
            ],
            lacks: &[],
        },
        Shape {
            has: &["id", "epoch:number", "input", "messages[].role:text"],
            lacks: &[],
        },
    ],
    group: |_| Group::Own,
    read,
};

/// Why a log alone is no debate.
const ONE_CANDIDATE: &str = "several scorers judge one model here, and one candidate is no debate: give it together with the logs of other models of the same task";

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    // what the texts of attachments may come to: many places can point to a large one
    let mut room = LARGEST;
    let mut found = Vec::new();
    for row in rows {
        let header = row.get("eval");
        let of_header = |key: &str| header.and_then(|eval| eval.get(key)?.text());
        let samples = match header {
            Some(_) => row.get("samples").map_or(&[][..], Node::items),
            None => std::slice::from_ref(row),
        };
        for sample in samples {
            if sample
                .get("scores")
                .map_or(0, |scores| scores.entries().len())
                > 1
            {
                context.notes.note(1, "samples.scores", ONE_CANDIDATE);
            }
            let mut conversation = conversation(sample, &mut room, &mut context.notes);
            of_header("task")
                .unwrap_or_default()
                .clone_into(&mut conversation.title);
            if let Some(model) = of_header("model") {
                conversation.model = Some(model.to_owned());
            }
            found.push(Content::Conversation(conversation));
        }
    }
    found
}

fn conversation(sample: &Node, room: &mut usize, notes: &mut Notes) -> Conversation {
    let line = sample.place.line;
    if sample.get("error").is_some_and(Node::is_object) {
        notes.warn(
            line,
            "error",
            format!("the sample {} ended with an error", own_id(sample)),
        );
    }
    let rows = sample.get("messages").map_or(&[][..], Node::items);
    let mut messages = openai::messages(rows, notes);
    let attachments = sample.get("attachments").map_or(&[][..], Node::entries);
    let attachments: HashMap<&str, &str> = attachments
        .iter()
        .filter_map(|entry| Some((entry.key.as_str(), entry.node.text()?)))
        .collect();
    for message in &mut messages {
        attached(message, &attachments, room, notes);
    }
    let output = sample.get("output");
    let replies = |message: &&mut Message| message.role == Role::Assistant;
    if let Some(last) = messages.iter_mut().rfind(replies) {
        last.input_tokens = output.and_then(|output| input_tokens(output.get("usage")?));
        last.labels = labels(sample);
    }
    let model = output.and_then(|output| output.get("model")?.text());
    Conversation {
        id: sample_id(sample),
        model: model.map(str::to_owned),
        messages,
        ..Conversation::default()
    }
}

fn own_id(sample: &Node) -> String {
    match sample.get("id").map(|id| &id.value) {
        Some(Value::String(id)) => id.clone(),
        Some(Value::Number(id)) => id.to_string(),
        _ => String::new(),
    }
}

/// What a sample is called: its id and its epoch.
pub(super) fn sample_id(sample: &Node) -> String {
    let epoch = sample.get("epoch").and_then(Node::number).unwrap_or(1.0);
    format!("{}_epoch_{epoch}", own_id(sample))
}

/// What went in, cached or not: some providers leave what was cached out of `input_tokens`.
fn input_tokens(usage: &Node) -> Option<u64> {
    let number = |key: &str| usage.get(key).and_then(Node::number);
    let input = number("input_tokens")?;
    let whole = number("total_tokens").zip(number("output_tokens"));
    let rest = whole.map_or(input, |(total, output)| total - output);
    Some(input.max(rest).max(0.0) as u64)
}

/// Puts the texts in that stand apart in the attachments.
fn attached(
    message: &mut Message,
    attachments: &HashMap<&str, &str>,
    room: &mut usize,
    notes: &mut Notes,
) {
    const MARK: &str = "attachment://";
    if !message.text.contains(MARK) {
        return;
    }
    let lines = message.text.split('\n').map(|line| {
        let Some(key) = line.strip_prefix(MARK) else {
            return line;
        };
        match attachments.get(key) {
            Some(text) if text.len() <= *room => {
                *room -= text.len();
                text
            }
            Some(_) => {
                notes.error(
                    message.line,
                    "",
                    "attachments come to too much: the rest is left out",
                );
                line
            }
            None => {
                notes.warn(message.line, "", "an attachment is missing");
                line
            }
        }
    });
    message.text = lines.collect::<Vec<_>>().join("\n");
}

fn labels(sample: &Node) -> Vec<Label> {
    let scores = sample.get("scores").map_or(&[][..], Node::entries);
    let mut labels = Vec::new();
    for score in scores {
        let reason = score.node.get("explanation").and_then(Node::text);
        let mut add = |name: String, value: &Node| {
            labels.extend(label(value).map(|(value, text)| Label {
                name,
                value,
                text,
                reason: reason.map(str::to_owned),
            }));
        };
        for (name, value) in values(score) {
            add(name, value);
        }
    }
    labels
}

/// The values of a score, each with its name: it may have several.
pub(super) fn values(score: &Entry) -> Vec<(String, &Node)> {
    let Some(value) = score.node.get("value") else {
        return Vec::new();
    };
    match &value.value {
        Value::Map(parts) => {
            let named = |part: &'_ Entry| format!("{}.{}", score.key, part.key);
            parts.iter().map(|part| (named(part), &part.node)).collect()
        }
        _ => vec![(score.key.clone(), value)],
    }
}

/// A value as a number, where it is one, and as it stands.
pub(super) fn label(value: &Node) -> Option<(Option<f64>, String)> {
    match &value.value {
        Value::String(text) => {
            let number = match text.as_str() {
                "C" => Some(1.0),
                "P" => Some(0.5),
                "I" | "N" => Some(0.0),
                other => other.parse().ok().filter(|number: &f64| number.is_finite()),
            };
            Some((number, text.clone()))
        }
        Value::Number(number) => Some((Some(number.as_f64()), number.to_string())),
        Value::Bool(flag) => Some((Some(f64::from(u8::from(*flag))), flag.to_string())),
        _ => None,
    }
}
