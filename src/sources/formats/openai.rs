//! Chats as OpenAI's API has them, and the JSON Lines of fine-tuning: `{"messages": [{"role",
//! "content", "tool_calls"?}]}`, or a message in each row.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "openai-chat",
    noun: "a chat as OpenAI's API has it",
    shapes: &[
        Shape {
            has: &["messages[].role:text", "messages[].content"],
            lacks: &[],
        },
        Shape {
            has: &["role=system|developer|user|assistant|tool", "content"],
            lacks: &["session_id", "turn_index", "messages"],
        },
    ],
    group: |node| match node.get("messages") {
        Some(_) => Group::Own,
        None => Group::All,
    },
    read,
};

fn read(nodes: &[Node], context: &mut Context) -> Vec<Content> {
    let is_message = |node: &&Node| node.get("messages").is_none();
    let loose: Vec<&Node> = nodes.iter().filter(is_message).collect();
    let mut found = Vec::new();
    if !loose.is_empty() {
        found.push(Content::Conversation(Conversation {
            messages: messages(loose, &mut context.notes),
            ..Conversation::default()
        }));
    }
    for node in nodes.iter().filter(|node| !is_message(node)) {
        let id = ["session_id", "id", "conversation_id"]
            .iter()
            .find_map(|key| node.get(key)?.text());
        let model = node.get("model").and_then(Node::text);
        let rows = node.get("messages").map_or(&[][..], Node::items);
        found.push(Content::Conversation(Conversation {
            id: id.unwrap_or_default().to_owned(),
            model: model.map(str::to_owned),
            messages: messages(rows, &mut context.notes),
            ..Conversation::default()
        }));
    }
    found
}

/// Messages of chats, as OpenAI's API has them and many others do.
pub(in super::super) fn messages<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    notes: &mut Notes,
) -> Vec<Message> {
    let read = nodes.into_iter().filter_map(|node| message(node, notes));
    read.collect()
}

fn message(node: &Node, notes: &mut Notes) -> Option<Message> {
    let line = node.place.line;
    if !node.is_object() {
        notes.drop("messages that are no objects", line);
        return None;
    }
    let name = node.get("role").and_then(Node::text).unwrap_or_default();
    let Some(role) = Role::named(name) else {
        notes.drop(&format!("messages of the role {name:?}"), line);
        return None;
    };
    let mut message = Message {
        role,
        name: node.get("name").and_then(Node::text).map(str::to_owned),
        model: node.get("model").and_then(Node::text).map(str::to_owned),
        line,
        ..Message::default()
    };
    if let Some(content) = node.get("content") {
        parts(content, &mut message, notes);
    }
    let calls = node.get("tool_calls").map_or(&[][..], Node::items);
    for call in calls.iter().chain(node.get("function_call")) {
        let name = call
            .find("function.name")
            .or_else(|| call.get("function"))
            .or_else(|| call.get("name"));
        message.calls.push(Call {
            id: call.get("id").and_then(Node::text).map(str::to_owned),
            name: name.and_then(Node::text).unwrap_or("unknown").to_owned(),
        });
    }
    if role == Role::Tool {
        let id = node.get("tool_call_id").and_then(Node::text);
        message.outcomes.push(Outcome {
            id: id.map(str::to_owned),
            failed: failed(node),
        });
    }
    Some(message)
}

/// What a content says: a text, or parts with texts, calls and results among them.
fn parts(content: &Node, message: &mut Message, notes: &mut Notes) {
    if let Some(text) = content.text() {
        text.clone_into(&mut message.text);
        return;
    }
    for part in content.items() {
        let kind = part.get("type").and_then(Node::text).unwrap_or("text");
        let text = part
            .get("text")
            .and_then(Node::text)
            .or_else(|| part.text());
        match (kind, text) {
            ("text" | "input_text" | "output_text", Some(text)) => {
                if !message.text.is_empty() {
                    message.text.push('\n');
                }
                message.text.push_str(text);
            }
            ("thinking" | "redacted_thinking" | "reasoning", _) => {
                notes.drop("thinking blocks", part.place.line);
            }
            (kind, _) => notes.drop(&format!("parts of the type {kind:?}"), part.place.line),
        }
    }
}

/// Whether a result says by a flag or an error that it failed.
fn failed(node: &Node) -> Option<bool> {
    let flag = node.get("is_error").and_then(Node::flag);
    let error = node.get("error").map(|error| match &error.value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    });
    flag.or(error)
}
