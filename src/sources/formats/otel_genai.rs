//! Traces with OpenTelemetry's conventions for generative AI: OTLP as JSON or a span in each row,
//! with the attributes `gen_ai.input.messages` and `gen_ai.output.messages` (JSON as texts,
//! `[{"role", "parts": [{"type": "text", "content"}, {"type": "tool_call", "name"}]}]`), or the
//! older `gen_ai.prompt.0.role` and `gen_ai.completion.0.content`.

use super::super::content::Content;
use super::super::conversation::Outcome;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::spans::{self, Span, Step, tokens};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "otel-genai",
    noun: "a trace with OpenTelemetry's conventions for generative AI",
    shapes: &[
        Shape {
            has: &["resourceSpans[].scopeSpans[].spans[].attributes[].key^gen_ai."],
            lacks: &[],
        },
        Shape {
            has: &["resource_spans[].scope_spans[].spans[].attributes[].key^gen_ai."],
            lacks: &[],
        },
        Shape {
            has: &["attributes.^gen_ai."],
            lacks: &[],
        },
        Shape {
            has: &["attributes.gen_ai:object"],
            lacks: &[],
        },
        Shape {
            has: &["attributes[].key^gen_ai."],
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
    let session = session(&spans::attributes(row));
    Group::Named(session.unwrap_or_else(|| spans::trace(row)))
}

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let all = rows.iter().flat_map(spans::spans);
    let spans = all
        .filter_map(|row| span(row, &mut context.notes))
        .collect();
    let conversations = spans::conversations(spans).into_iter();
    conversations.map(Content::Conversation).collect()
}

fn session(attributes: &Node) -> Option<String> {
    let paths = ["gen_ai.conversation.id", "session.id"];
    let found = paths.iter().find_map(|path| attributes.find(path)?.text());
    found.map(str::to_owned)
}

fn span(row: &Node, notes: &mut Notes) -> Option<Span> {
    let attributes = spans::attributes(row);
    let operation = attributes
        .find("gen_ai.operation.name")
        .and_then(Node::text);
    let operation = operation.unwrap_or_default();
    Some(Span {
        session: session(&attributes),
        trace: spans::trace(row),
        at: spans::start(row),
        is_around: matches!(
            operation,
            "invoke_agent" | "create_agent" | "invoke_workflow"
        ),
        step: match operation {
            "execute_tool" => outcome(row, &attributes),
            _ => exchange(row, attributes, notes)?,
        },
    })
}

/// How many events of a span are looked through.
const MOST_EVENTS: usize = 4;

fn outcome(row: &Node, attributes: &Node) -> Step {
    let id = attributes.find("gen_ai.tool.call.id").and_then(Node::text);
    let is_failed = attributes.find("error.type").is_some() || spans::is_failed(row);
    Step::Outcome(Outcome {
        id: id.map(str::to_owned),
        failed: is_failed.then_some(true),
    })
}

fn exchange(row: &Node, attributes: Node, notes: &mut Notes) -> Option<Step> {
    // some keep the messages in events of the span
    let events = row.get("events").map_or(&[][..], Node::items);
    let is_said =
        |event: &&Node| spans::word(event, "name").is_some_and(|name| name.starts_with("gen_ai."));
    let events = events.iter().filter(is_said).take(MOST_EVENTS);
    let events = events.map(spans::attributes);
    let places: Vec<Node> = std::iter::once(attributes).chain(events).collect();
    let find = |paths: [&str; 2]| {
        let mut paths = paths.iter();
        paths.find_map(|path| places.iter().find_map(|place| place.find(path)))
    };
    let input = find(["gen_ai.input.messages", "gen_ai.prompt"]);
    let output = find(["gen_ai.output.messages", "gen_ai.completion"]);
    if input.is_none() && output.is_none() {
        notes.drop("spans without messages", row.place.line);
        return None;
    }
    let model = find(["gen_ai.response.model", "gen_ai.request.model"]).and_then(Node::text);
    let used = find(["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"]);
    let about = (model.map(str::to_owned), tokens(used));
    Some(spans::exchange(input, output, about, notes))
}
