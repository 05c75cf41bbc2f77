//! Logs of Claude Code: rows `{"uuid", "sessionId", "isSidechain", "type": "user" | "assistant",
//! "message": {"id", "role", "content", "model", "usage"}}`, and titles `{"type": "summary", "summary"}`.
//! A session is the rows of its id; a reply may stand in several rows with the same `message.id`.

use std::collections::{HashMap, HashSet};

use super::super::content::Content;
use super::super::conversation::{Conversation, Message, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::anthropic::input_tokens;
use super::openai;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "claude-code",
    noun: "a log of Claude Code",
    shapes: &[
        Shape {
            has: &[
                "uuid:text",
                "sessionId:text",
                "type=user|assistant",
                "message.role=user|assistant",
                "message.content",
            ],
            lacks: &[],
        },
        Shape {
            has: &["type=summary", "summary:text", "leafUuid:text"],
            lacks: &[],
        },
    ],
    group,
    read,
};

fn group(row: &Node) -> Group {
    let text = |key: &str| row.get(key).and_then(Node::text);
    let session = text("sessionId").map(str::to_owned);
    match (text("type"), session, title(row)) {
        (Some("user" | "assistant"), Some(session), _) | (_, Some(session), Some(_)) => {
            Group::Named(session)
        }
        (_, None, Some(title)) => Group::Title(title.to_owned()),
        _ => Group::None,
    }
}

/// The title that a row gives, by any of the keys that there have been for it.
fn title(row: &Node) -> Option<&str> {
    let text = |key: &str| row.get(key).and_then(Node::text);
    match text("type")? {
        "summary" => text("summary"),
        "custom-title" => text("customTitle"),
        "ai-title" => text("aiTitle"),
        _ => None,
    }
}

/// Flags of rows that are no part of the conversation, and what such rows are.
const ASIDE: [(&str, &str); 4] = [
    ("isSidechain", "messages of sidechains"),
    ("isMeta", "messages of the program itself"),
    ("isApiErrorMessage", "messages of the program itself"),
    ("isCompactSummary", "summaries of what came before"),
];

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let notes = &mut context.notes;
    let mut messages: Vec<Message> = Vec::new();
    let mut replies = HashMap::<&str, usize>::new();
    let mut calls = HashSet::new();
    let mut seen = HashSet::new();
    for row in rows {
        let line = row.place.line;
        let is_set = |flag: &str| row.get(flag).and_then(Node::flag) == Some(true);
        if let Some((_, what)) = ASIDE.iter().find(|(flag, _)| is_set(flag)) {
            notes.drop(what, line);
            continue;
        }
        // a session that is taken up again repeats its rows
        let uuid = row.get("uuid").and_then(Node::text);
        if uuid.is_some_and(|uuid| !seen.insert(uuid)) {
            notes.drop("rows that stand twice", line);
            continue;
        }
        let Some(mut message) = message(row, notes) else {
            continue;
        };
        message.calls.retain(|call| match &call.id {
            Some(id) => calls.insert(id.clone()),
            None => true,
        });
        let id = row.find("message.id").and_then(Node::text);
        let id = id.filter(|_| message.role == Role::Assistant);
        let known = id.and_then(|id| replies.get(id));
        if let Some(reply) = known.and_then(|at| messages.get_mut(*at)) {
            join(reply, message);
        } else {
            replies.extend(id.map(|id| (id, messages.len())));
            messages.push(message);
        }
    }
    let id = rows.iter().find_map(|row| row.get("sessionId")?.text());
    let title = rows.iter().find_map(title);
    vec![Content::Conversation(Conversation {
        id: id.unwrap_or_default().to_owned(),
        title: title.unwrap_or_default().to_owned(),
        messages,
        ..Conversation::default()
    })]
}

fn message(row: &Node, notes: &mut Notes) -> Option<Message> {
    let own = row.get("message")?;
    let mut message = openai::messages([own], notes).pop()?;
    message.line = row.place.line;
    message.input_tokens = own.get("usage").and_then(input_tokens);
    Some(message)
}

/// Adds another row of a reply to it.
fn join(reply: &mut Message, row: Message) {
    openai::add(&mut reply.text, &row.text);
    reply.calls.extend(row.calls);
    reply.outcomes.extend(row.outcomes);
    reply.input_tokens = row.input_tokens.or(reply.input_tokens);
}

#[cfg(test)]
mod tests {
    use super::super::super::listing::{Look, look};

    const USER: &str = r#"{"uuid": "1", "sessionId": "s", "type": "user", "message": {"role": "user", "content": "Hi"}}"#;

    fn titles(rows: &[&str]) -> Vec<String> {
        let text = rows.join("\n");
        match crate::steps::at_once(look(&text.as_bytes(), None, crate::steps::THROUGH)) {
            Ok(Look::Known(listing)) => listing.items.into_iter().map(|item| item.title).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_title_is_of_its_session_or_of_the_only_one() {
        let summary = r#"{"type": "summary", "summary": "A greeting", "leafUuid": "1"}"#;
        assert_eq!(titles(&[summary, USER]), ["A greeting"]);
        let other = USER.replace(r#""s""#, r#""t""#);
        assert_eq!(titles(&[summary, USER, &other]), ["", ""]);
        let named = r#"{"type": "custom-title", "customTitle": "Mine", "sessionId": "t"}"#;
        assert_eq!(titles(&[USER, &other, named]), ["", "Mine"]);
    }
}
