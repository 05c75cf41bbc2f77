//! ShareGPT: `{"conversations": [{"from": "human"|"gpt"|"system", "value"}]}`, with an instruction
//! beside it under `system` in some.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::fields::{field, name_of};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use crate::document::{Node, parse_json};

pub(super) const FORMAT: Format = Format {
    key: "sharegpt",
    noun: "chats of ShareGPT",
    shapes: &[Shape {
        has: &["conversations[].from:text", "conversations[].value"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let read = rows.iter().map(|row| {
        let system = row
            .get("system")
            .and_then(Node::text)
            .filter(|text| !text.is_empty());
        let mut messages: Vec<Message> = system
            .map(|text| Message::new(Role::System, text))
            .into_iter()
            .collect();
        let said = row.get("conversations").map_or(&[][..], Node::items);
        messages.extend(
            said.iter()
                .filter_map(|said| message(said, &mut context.notes)),
        );
        Content::Conversation(Conversation {
            id: ["id", "conversation_id"]
                .into_iter()
                .find_map(|key| name_of(row, key))
                .unwrap_or_default(),
            title: field(row, "title").to_owned(),
            model: row.get("model").and_then(Node::text).map(str::to_owned),
            messages,
            ..Conversation::default()
        })
    });
    read.collect()
}

fn message(said: &Node, notes: &mut Notes) -> Option<Message> {
    let line = said.place.line;
    let (name, text) = (field(said, "from"), field(said, "value"));
    let mut message = Message {
        line,
        ..Message::default()
    };
    if name == "function_call" || name == "tool_call" {
        message.role = Role::Assistant;
        // the value is the call as JSON, as a rule
        let call = parse_json(text).ok();
        let tool = call
            .as_ref()
            .and_then(|call| call.get("name")?.text())
            .unwrap_or("unknown");
        message.calls.push(Call {
            id: None,
            name: tool.to_owned(),
        });
        return Some(message);
    }
    let Some(role) = Role::named(name) else {
        notes.drop(&format!("messages from {name:?}"), line);
        return None;
    };
    message.role = role;
    match role {
        Role::Tool => message.outcomes.push(Outcome::default()),
        _ => text.clone_into(&mut message.text),
    }
    Some(message)
}
