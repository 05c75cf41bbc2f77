//! Pairs of a preferred and another answer: `{"prompt"?, "chosen", "rejected"}` with texts or
//! messages, and OpenAI's `{"input": {"messages"}, "preferred_output", "non_preferred_output"}`.
//! Each is two conversations: the preferred one has the label 1, the other 0.

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::openai::messages;
use super::verdict::{first_word, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "preference-pairs",
    noun: "pairs of a preferred and another answer",
    shapes: &[
        Shape {
            has: &[
                "input.messages[].role",
                "preferred_output",
                "non_preferred_output",
            ],
            lacks: &[],
        },
        Shape {
            has: &["chosen[].role", "chosen[].content", "rejected[].content"],
            lacks: &[],
        },
        Shape {
            has: &["chosen:text", "rejected:text"],
            lacks: &[],
        },
    ],
    group: |_| Group::Own,
    read,
};

/// The two sides: their keys, their names and their labels.
const SIDES: [([&str; 2], &str, f64); 2] = [
    (["preferred_output", "chosen"], "preferred", 1.0),
    (["non_preferred_output", "rejected"], "other", 0.0),
];

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut found = Vec::new();
    for row in rows {
        let id = first_word(row, &["id", "prompt_id", "question_id"]);
        for (keys, name, value) in SIDES {
            let Some(side) = keys.into_iter().find_map(|key| row.get(key)) else {
                context
                    .notes
                    .drop("pairs without one of the answers", row.place.line);
                continue;
            };
            let mut said = before(row, side, &mut context.notes);
            said.extend(answer(side, &mut context.notes));
            let label = Label {
                name: "preferred".into(),
                value: Some(value),
                text: name.to_owned(),
                reason: None,
            };
            let last = said
                .iter_mut()
                .rev()
                .find(|message| message.role == Role::Assistant);
            if let Some(last) = last {
                last.labels.push(label.clone());
            }
            let id = match &id {
                Some(id) => format!("{id}, {name}"),
                None => String::new(),
            };
            found.push(Content::Conversation(Conversation {
                id,
                title: name.to_owned(),
                messages: said,
                labels: vec![label],
                ..Conversation::default()
            }));
        }
    }
    found
}

/// What was said before the answer, where the answer does not say it again.
fn before(row: &Node, side: &Node, notes: &mut Notes) -> Vec<Message> {
    let line = row.place.line;
    if let Some(rows) = row.find("input.messages") {
        return messages(rows.items(), notes);
    }
    let is_whole = match side.text() {
        Some(text) => text.contains(ASSISTANT),
        None => side
            .items()
            .iter()
            .any(|message| message.get("role").and_then(Node::text) == Some("user")),
    };
    if is_whole {
        return Vec::new();
    }
    let mut said = Vec::new();
    for (keys, role) in [
        (["system", "system_prompt", "system_message"], Role::System),
        (["prompt", "question", "instruction"], Role::User),
    ] {
        let told = keys.into_iter().find_map(|key| row.get(key));
        match told {
            Some(list) if !list.items().is_empty() => said.extend(messages(list.items(), notes)),
            Some(told) => said.extend(
                word(told)
                    .filter(|text| !text.is_empty())
                    .map(|text| at(Message::new(role, text), line)),
            ),
            None => {}
        }
    }
    said
}

/// How texts of whole chats mark who speaks.
const HUMAN: &str = "\n\nHuman:";
const ASSISTANT: &str = "\n\nAssistant:";

fn answer(side: &Node, notes: &mut Notes) -> Vec<Message> {
    let line = side.place.line;
    let Some(text) = side.text() else {
        let rows = match side.items() {
            [] => std::slice::from_ref(side),
            items => items,
        };
        return messages(rows, notes);
    };
    if !text.contains(ASSISTANT) {
        return vec![at(Message::new(Role::Assistant, text), line)];
    }
    let mut said = Vec::new();
    for part in text.split(HUMAN) {
        let mut replies = part.split(ASSISTANT);
        let user = replies.next().unwrap_or_default().trim();
        if !user.is_empty() {
            said.push(at(Message::new(Role::User, user), line));
        }
        let replies = replies.map(|reply| Message::new(Role::Assistant, reply.trim()));
        said.extend(replies.map(|reply| at(reply, line)));
    }
    said
}

fn at(mut message: Message, line: u32) -> Message {
    message.line = line;
    message
}
