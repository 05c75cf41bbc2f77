//! The export of claude.ai: an array of `{"uuid", "name", "chat_messages": [{"uuid", "sender":
//! "human"|"assistant", "text", "content"?}]}`.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "claude-export",
    noun: "an export of claude.ai",
    shapes: &[Shape {
        has: &["uuid", "chat_messages:list"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let read = rows.iter().map(|row| {
        let messages = row.get("chat_messages").map_or(&[][..], Node::items);
        let messages = messages
            .iter()
            .filter_map(|row| message(row, &mut context.notes));
        Content::Conversation(Conversation {
            id: field(row, "uuid").to_owned(),
            title: field(row, "name").to_owned(),
            model: row.get("model").and_then(Node::text).map(str::to_owned),
            messages: messages.collect(),
            ..Conversation::default()
        })
    });
    read.collect()
}

fn message(row: &Node, notes: &mut Notes) -> Option<Message> {
    let line = row.place.line;
    let name = field(row, "sender");
    let Some(role) = Role::named(name) else {
        notes.drop(&format!("messages of the sender {name:?}"), line);
        return None;
    };
    let mut message = Message {
        line,
        ..Message::new(role, "")
    };
    let mut texts = Vec::new();
    for part in row.get("content").map_or(&[][..], Node::items) {
        match field(part, "type") {
            "text" => texts.push(field(part, "text")),
            "thinking" => notes.drop("thinking blocks", part.place.line),
            "tool_use" => message.calls.push(Call {
                id: part.get("id").and_then(Node::text).map(str::to_owned),
                name: field(part, "name").to_owned(),
            }),
            "tool_result" => message.outcomes.push(Outcome {
                id: part
                    .get("tool_use_id")
                    .and_then(Node::text)
                    .map(str::to_owned),
                failed: part.get("is_error").and_then(Node::flag),
            }),
            kind => notes.drop(&format!("parts of the type {kind:?}"), part.place.line),
        }
    }
    // `text` is all there is in older exports; in newer ones words of the program stand in it
    message.text = match texts.join("\n") {
        text if text.is_empty() && message.calls.is_empty() => field(row, "text").to_owned(),
        text => text,
    };
    let files =
        ["attachments", "files"].map(|key| row.get(key).map_or(0, |files| files.items().len()));
    notes.drop_many("attached files", files.iter().sum(), line);
    Some(message)
}
