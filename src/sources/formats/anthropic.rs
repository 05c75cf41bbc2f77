//! Messages as Anthropic's API has them: a request `{"system"?, "max_tokens", "messages": [{"role",
//! "content": [{"type": "text" | "thinking" | "tool_use" | "tool_result", ...}]}]}`, a message in
//! each row, or a reply `{"type": "message", "role": "assistant", "content", "usage"}`.

use super::super::content::Content;
use super::super::conversation::{Conversation, Message};
use super::super::fields::name_of;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::openai;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "anthropic",
    noun: "a chat as Anthropic's API has it",
    shapes: &[
        Shape {
            has: &[
                "messages[].role=user|assistant",
                "messages[].content:list",
                "messages[].content[].type=tool_use|tool_result|thinking|redacted_thinking|server_tool_use",
            ],
            lacks: &["messages[].tool_calls", "epoch"],
        },
        Shape {
            has: &[
                "messages[].role=user|assistant",
                "messages[].content",
                "max_tokens:number",
                "system",
            ],
            lacks: &["messages[].role=system", "messages[].tool_calls"],
        },
        Shape {
            has: &[
                "role=user|assistant",
                "content:list",
                "content[].type=tool_use|tool_result|thinking|redacted_thinking|server_tool_use",
            ],
            lacks: &["session_id", "messages", "tool_calls"],
        },
        Shape {
            has: &[
                "type=message",
                "role=assistant",
                "content[].type",
                "usage.input_tokens",
            ],
            lacks: &["messages"],
        },
    ],
    group: |row| match row.get("messages") {
        Some(_) => Group::Own,
        None => Group::All,
    },
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let is_message = |row: &&Node| row.get("messages").is_none();
    let loose: Vec<&Node> = rows.iter().filter(is_message).collect();
    let mut found = Vec::new();
    if !loose.is_empty() {
        found.push(Conversation {
            messages: messages(loose, &mut context.notes),
            ..Conversation::default()
        });
    }
    for row in rows.iter().filter(|row| !is_message(row)) {
        let text = |key: &str| row.get(key).and_then(Node::text);
        let id = ["id", "session_id", "conversation_id", "custom_id"];
        let rows = row.get("messages").map_or(&[][..], Node::items);
        let line = row.place.line;
        let systems = usize::from(row.get("system").is_some());
        context.notes.drop_many("system messages", systems, line);
        found.push(Conversation {
            id: id
                .into_iter()
                .find_map(|key| name_of(row, key))
                .unwrap_or_default(),
            model: text("model").map(str::to_owned),
            messages: messages(rows, &mut context.notes),
            ..Conversation::default()
        });
    }
    found.into_iter().map(Content::Conversation).collect()
}

fn messages<'a>(rows: impl IntoIterator<Item = &'a Node>, notes: &mut Notes) -> Vec<Message> {
    let mut messages = Vec::new();
    for row in rows {
        for mut message in openai::messages([row], notes) {
            message.input_tokens = row.get("usage").and_then(input_tokens);
            messages.push(message);
        }
    }
    messages
}

/// The tokens that went into the model, those that were cached included.
pub(super) fn input_tokens(usage: &Node) -> Option<u64> {
    let number = |key: &str| {
        let number = usage.get(key).and_then(Node::number)?;
        (number >= 0.0).then_some(number as u64)
    };
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"];
    let cached = cached.into_iter().filter_map(number);
    Some(cached.fold(number("input_tokens")?, u64::saturating_add))
}
