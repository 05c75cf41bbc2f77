//! Interviews of Character-LLM, of several turns: `{"character", "model", "content": [{"turn_role":
//! "interviewer"|"character", "turn_content": [{"role", "action", "content"}]}]}`, and single ones:
//! `{"topic_id", "question", "reply": {"role", "action", "content"}}`.

use super::super::content::Content;
use super::super::conversation::{Conversation, Message, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "character-llm",
    noun: "interviews of Character-LLM",
    shapes: &[
        Shape {
            has: &["content[].turn_role", "content[].turn_content:list"],
            lacks: &[],
        },
        Shape {
            has: &["question:text", "reply.action", "reply.content:text"],
            lacks: &[],
        },
    ],
    group: |row| match row.get("reply") {
        Some(_) => Group::All,
        None => Group::Own,
    },
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut found = Vec::new();
    // single questions are one interview each; they have no names, and are kept in order
    let singles = rows.iter().filter(|row| row.get("reply").is_some());
    for (at, row) in singles.enumerate() {
        let mut messages = vec![Message {
            line: row.place.line,
            ..Message::new(Role::User, field(row, "question"))
        }];
        messages.extend(
            row.get("reply")
                .and_then(|reply| said(&[reply], Role::Assistant, &mut context.notes)),
        );
        found.push(Content::Conversation(Conversation {
            id: format!("question-{:04}", at + 1),
            title: field(row, "question").to_owned(),
            messages,
            ..Conversation::default()
        }));
    }
    for row in rows.iter().filter(|row| row.get("reply").is_none()) {
        let model = row.get("model").and_then(Node::text);
        let turns = row.get("content").map_or(&[][..], Node::items);
        let messages = turns
            .iter()
            .filter_map(|turn| message(turn, &mut context.notes));
        found.push(Content::Conversation(Conversation {
            id: row
                .get("qid")
                .and_then(Node::number)
                .map_or(String::new(), |id| format!("question-{id}")),
            title: field(row, "topic").to_owned(),
            model: model.map(str::to_owned),
            messages: messages.collect(),
            ..Conversation::default()
        }));
    }
    found
}

fn message(turn: &Node, notes: &mut Notes) -> Option<Message> {
    let role = match field(turn, "turn_role") {
        "interviewer" => Role::User,
        "character" => Role::Assistant,
        other => {
            notes.drop(&format!("turns of the role {other:?}"), turn.place.line);
            return None;
        }
    };
    let lines: Vec<&Node> = turn
        .get("turn_content")
        .map_or(&[][..], Node::items)
        .iter()
        .collect();
    said(&lines, role, notes)
}

/// What is said in the lines of a turn; what is only thought is left out.
fn said(lines: &[&Node], role: Role, notes: &mut Notes) -> Option<Message> {
    let mut texts = Vec::new();
    for line in lines {
        if field(line, "action").contains("thinking") {
            notes.drop("thoughts", line.place.line);
        } else {
            texts.push(field(line, "content"));
        }
    }
    let first = lines.first()?;
    Some(Message {
        name: Some(field(first, "role").to_owned()).filter(|name| !name.is_empty()),
        line: first.place.line,
        ..Message::new(role, texts.join("\n"))
    })
}
