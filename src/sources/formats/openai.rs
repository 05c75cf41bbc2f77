//! Chats as OpenAI's API has them, and the JSON Lines of fine-tuning: `{"messages": [{"role",
//! "content", "tool_calls"?}]}`, or a message in each row.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::fields::name_of;
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
    group: |row| match (row.get("messages"), row.get("role")) {
        (None, Some(_)) => Group::All,
        // what is neither is told
        _ => Group::Own,
    },
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let is_message = |row: &&Node| row.get("messages").is_none() && row.get("role").is_some();
    let loose: Vec<&Node> = rows.iter().filter(is_message).collect();
    let mut found = Vec::new();
    if !loose.is_empty() {
        found.push(Content::Conversation(Conversation {
            messages: messages(loose, &mut context.notes),
            ..Conversation::default()
        }));
    }
    for row in rows.iter().filter(|row| !is_message(row)) {
        let id = ["session_id", "id", "conversation_id"]
            .iter()
            .find_map(|key| name_of(row, key));
        let model = row.get("model").and_then(Node::text);
        let rows = row.get("messages").map_or(&[][..], Node::items);
        found.push(Content::Conversation(Conversation {
            id: id.unwrap_or_default(),
            model: model.map(str::to_owned),
            messages: messages(rows, &mut context.notes),
            ..Conversation::default()
        }));
    }
    found
}

/// Messages of chats, as OpenAI's API has them and many others do.
pub(in super::super) fn messages<'a>(
    rows: impl IntoIterator<Item = &'a Node>,
    notes: &mut Notes,
) -> Vec<Message> {
    let read = rows.into_iter().filter_map(|row| message(row, notes));
    read.collect()
}

fn message(row: &Node, notes: &mut Notes) -> Option<Message> {
    let line = row.place.line;
    if !row.is_object() {
        notes.drop("messages that are no objects", line);
        return None;
    }
    let name = row.get("role").and_then(Node::text).unwrap_or_default();
    let Some(role) = Role::named(name) else {
        notes.drop(&format!("messages of the role {name:?}"), line);
        return None;
    };
    Some(message_of(role, row, notes))
}

/// A message whose role is known.
pub(super) fn message_of(role: Role, row: &Node, notes: &mut Notes) -> Message {
    let mut message = Message {
        role,
        name: word(row, "name"),
        model: word(row, "model"),
        line: row.place.line,
        ..Message::default()
    };
    let content = ["content", "contents", "parts"];
    if let Some(content) = content.iter().find_map(|key| row.get(key)) {
        parts(content, &mut message, notes);
    }
    let calls = row.get("tool_calls").map_or(&[][..], Node::items);
    let call = row.get("function_call").filter(|call| call.is_object());
    message.calls.extend(calls.iter().chain(call).map(called));
    if role == Role::Tool && message.outcomes.is_empty() {
        message.outcomes.push(Outcome {
            id: word(row, "tool_call_id").or_else(|| word(row, "id")),
            failed: failed(row),
        });
    }
    // results that come in a user's name are no words of a user
    if role == Role::User && message.text.trim().is_empty() && !message.outcomes.is_empty() {
        message.role = Role::Tool;
    }
    message
}

fn word(row: &Node, key: &str) -> Option<String> {
    row.get(key).and_then(Node::text).map(str::to_owned)
}

/// A call, by any of its spellings.
pub(super) fn called(call: &Node) -> Call {
    let call = call.get("tool_call").unwrap_or(call);
    let name = call
        .find("function.name")
        .or_else(|| call.get("function"))
        .or_else(|| call.get("name"));
    Call {
        id: word(call, "id").or_else(|| word(call, "call_id")),
        name: name.and_then(Node::text).unwrap_or("unknown").to_owned(),
    }
}

/// What a content says: a text, or parts with texts, calls and results among them.
pub(super) fn parts(content: &Node, message: &mut Message, notes: &mut Notes) {
    if let Some(text) = content.text() {
        add(&mut message.text, text);
        return;
    }
    for part in content.items() {
        let part = part.get("message_content").unwrap_or(part);
        let kind = part.get("type").and_then(Node::text).unwrap_or("text");
        let text = ["text", "content"]
            .iter()
            .find_map(|key| part.get(key)?.text())
            .or_else(|| part.text());
        match (kind, text) {
            ("text" | "input_text" | "output_text", Some(text)) => add(&mut message.text, text),
            ("tool_use" | "tool_call" | "server_tool_use" | "mcp_tool_use", _) => {
                message.calls.push(called(part));
            }
            ("tool_result" | "tool_call_response" | "mcp_tool_result", _) => {
                let id = word(part, "tool_use_id").or_else(|| word(part, "id"));
                let failed = failed(part);
                message.outcomes.push(Outcome { id, failed });
            }
            ("thinking" | "redacted_thinking" | "reasoning", _) => {
                notes.drop("thinking blocks", part.place.line);
            }
            (kind, _) => notes.drop(&format!("parts of the type {kind:?}"), part.place.line),
        }
    }
}

/// Adds a text in a line of its own.
pub(super) fn add(to: &mut String, text: &str) {
    if !to.is_empty() && !text.is_empty() {
        to.push('\n');
    }
    to.push_str(text);
}

/// Whether a result says by a flag or an error that it failed.
pub(super) fn failed(row: &Node) -> Option<bool> {
    let flag = row.get("is_error").and_then(Node::flag);
    let error = row.get("error").map(|error| match &error.value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    });
    flag.or(error)
}
