//! Traces with the conventions of OpenInference (Phoenix): OTLP or a span in each row, with the
//! attributes `llm.input_messages.0.message.role`, flat or nested, and people's words on a span
//! under `annotations.0.annotation.name`.

use super::super::content::Content;
use super::super::conversation::{Label, Message, Outcome};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::spans::{self, Span, Step, tokens, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "openinference",
    noun: "a trace with the conventions of OpenInference",
    shapes: &[
        Shape {
            has: &["resourceSpans[].scopeSpans[].spans[].attributes[].key^llm.input_messages"],
            lacks: &[],
        },
        Shape {
            has: &["resourceSpans[].scopeSpans[].spans[].attributes[].key^openinference."],
            lacks: &[],
        },
        Shape {
            has: &["attributes.^llm.input_messages"],
            lacks: &[],
        },
        Shape {
            has: &["attributes.llm.input_messages"],
            lacks: &[],
        },
        Shape {
            has: &["attributes.openinference:object"],
            lacks: &[],
        },
        Shape {
            has: &["attributes.^openinference."],
            lacks: &[],
        },
        Shape {
            has: &["^attributes.llm.input_messages"],
            lacks: &[],
        },
        Shape {
            has: &["^llm.input_messages"],
            lacks: &[],
        },
    ],
    group,
    read,
};

fn group(row: &Node) -> Group {
    if spans::is_otlp(row) {
        return Group::All;
    }
    let row = whole(row);
    let session = session(attributes(&row));
    Group::Named(session.unwrap_or_else(|| spans::trace(&row)))
}

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let all = rows.iter().flat_map(spans::spans);
    let spans = all
        .filter_map(|row| span(row, &mut context.notes))
        .collect();
    let conversations = spans::conversations(spans).into_iter();
    conversations.map(Content::Conversation).collect()
}

/// A row with its attributes as an object and all its keys taken apart.
fn whole(row: &Node) -> Node {
    let mut whole = spans::nested(row);
    let is_list = row
        .get("attributes")
        .is_some_and(|list| !list.items().is_empty());
    if let (true, crate::document::Value::Map(entries)) = (is_list, &mut whole.value) {
        let own = entries.iter_mut().find(|entry| entry.key == "attributes");
        if let Some(own) = own {
            own.node = spans::attributes(row);
        }
    }
    whole
}

/// The attributes; some rows have them without a key.
fn attributes(row: &Node) -> &Node {
    row.get("attributes").unwrap_or(row)
}

fn session(attributes: &Node) -> Option<String> {
    let found = attributes.find("session.id").and_then(Node::text);
    found.map(str::to_owned)
}

fn span(row: &Node, notes: &mut Notes) -> Option<Span> {
    let row = whole(row);
    let attributes = attributes(&row);
    let kind = attributes
        .find("openinference.span.kind")
        .and_then(Node::text);
    let kind = kind.or_else(|| word(&row, "span_kind"));
    let is_llm = attributes.find("llm.input_messages").is_some()
        || attributes.find("llm.output_messages").is_some();
    let step = match kind {
        Some("TOOL") => {
            let id = attributes
                .find("tool.id")
                .or_else(|| attributes.find("tool_call.id"));
            Step::Outcome(Outcome {
                id: id.and_then(Node::text).map(str::to_owned),
                failed: spans::is_failed(&row).then_some(true),
            })
        }
        Some("LLM" | "AGENT" | "CHAIN" | "UNKNOWN") => exchange(&row, attributes, notes)?,
        _ if is_llm => exchange(&row, attributes, notes)?,
        _ => {
            notes.drop("spans without messages", row.place.line);
            return None;
        }
    };
    Some(Span {
        session: session(attributes),
        trace: spans::trace(&row),
        at: spans::start(&row),
        is_around: !is_llm && kind != Some("LLM") && matches!(step, Step::Exchange(..)),
        step,
    })
}

fn exchange(row: &Node, attributes: &Node, notes: &mut Notes) -> Option<Step> {
    let find = |paths: [&str; 2]| paths.iter().find_map(|path| attributes.find(path));
    let input = find(["llm.input_messages", "input.value"]);
    let output = find(["llm.output_messages", "output.value"]);
    if input.is_none() && output.is_none() {
        notes.drop("spans without messages", row.place.line);
        return None;
    }
    let model = find(["llm.model_name", "llm.invocation_parameters.model"]);
    let used = attributes.find("llm.token_count.prompt");
    let about = (model.and_then(Node::text).map(str::to_owned), tokens(used));
    let mut step = spans::exchange(input, output, about, notes);
    if let Step::Exchange(_, output) = &mut step
        && let Some(last) = output.last_mut()
    {
        annotate(last, row, attributes, notes);
    }
    Some(step)
}

/// Adds what people and checks say of a reply; what models say is no label.
fn annotate(message: &mut Message, row: &Node, attributes: &Node, notes: &mut Notes) {
    let all = [row, attributes];
    let lists = all.iter().filter_map(|place| place.get("annotations"));
    for annotation in lists.flat_map(Node::items) {
        let own = annotation.get("annotation").unwrap_or(annotation);
        if word(own, "annotator_kind") == Some("LLM") {
            notes.drop("verdicts of models", annotation.place.line);
            continue;
        }
        let result = own.get("result").unwrap_or(own);
        let value = result.get("score").and_then(Node::number);
        let text = word(result, "label").map(str::to_owned);
        if value.is_none() && text.is_none() {
            continue;
        }
        message.labels.push(Label {
            name: word(own, "name").unwrap_or("annotation").to_owned(),
            value,
            text: text
                .or(value.map(|value| value.to_string()))
                .unwrap_or_default(),
            reason: word(result, "explanation").map(str::to_owned),
        });
    }
}
