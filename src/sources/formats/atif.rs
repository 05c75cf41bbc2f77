//! Trajectories in the format ATIF: `{"schema_version": "ATIF-v1...", "session_id", "agent":
//! {"model_name"}, "steps": [{"source": "system" | "user" | "agent", "message", "tool_calls":
//! [{"tool_call_id", "function_name"}], "observation": {"results"}, "metrics": {"prompt_tokens"}}]}`.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::openai;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "atif",
    noun: "a trajectory in the format ATIF",
    shapes: &[Shape {
        has: &["schema_version^ATIF", "steps[].source:text", "agent:object"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let conversations = rows.iter().map(|row| {
        let steps = row.get("steps").map_or(&[][..], Node::items);
        let steps = steps.iter();
        let messages = steps.filter_map(|step| message(step, &mut context.notes));
        let id = word(row, "session_id").or_else(|| word(row, "trajectory_id"));
        Content::Conversation(Conversation {
            id: id.unwrap_or_default(),
            model: row.get("agent").and_then(|agent| word(agent, "model_name")),
            messages: messages.collect(),
            ..Conversation::default()
        })
    });
    conversations.collect()
}

fn message(step: &Node, notes: &mut Notes) -> Option<Message> {
    let line = step.place.line;
    let source = step.get("source").and_then(Node::text).unwrap_or_default();
    let Some(role) = Role::named(source) else {
        notes.drop(&format!("steps of the source {source:?}"), line);
        return None;
    };
    let mut message = Message {
        role,
        model: word(step, "model_name"),
        line,
        ..Message::default()
    };
    if let Some(content) = step.get("message") {
        openai::parts(content, &mut message, notes);
    }
    if step.get("reasoning_content").is_some() {
        notes.drop("thinking blocks", line);
    }
    let calls = step.get("tool_calls").map_or(&[][..], Node::items);
    message.calls.extend(calls.iter().map(|call| Call {
        id: word(call, "tool_call_id"),
        name: word(call, "function_name").unwrap_or_else(|| "unknown".into()),
    }));
    let results = step
        .find("observation.results")
        .map_or(&[][..], Node::items);
    message
        .outcomes
        .extend(results.iter().map(|result| Outcome {
            id: word(result, "source_call_id"),
            failed: failed(result),
        }));
    let tokens = step.find("metrics.prompt_tokens").and_then(Node::number);
    message.input_tokens = tokens.map(|tokens| tokens.max(0.0) as u64);
    Some(message)
}

/// Whether a result says that it failed, itself or in what it has beside.
fn failed(result: &Node) -> Option<bool> {
    let extra = result.get("extra");
    let mut places = [Some(result), extra].into_iter().flatten();
    let code = places.find_map(|row| row.get("exit_code")?.number());
    let beside = || extra.and_then(openai::failed);
    openai::failed(result)
        .or_else(beside)
        .or(code.map(|code| code != 0.0))
}

fn word(row: &Node, key: &str) -> Option<String> {
    row.get(key).and_then(Node::text).map(str::to_owned)
}
