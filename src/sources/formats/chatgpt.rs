//! ChatGPT's export: an array of `{"title", "mapping": {ID: {"parent", "children", "message":
//! {"author": {"role"}, "content": {"content_type", "parts"}}}}, "current_node"}`. The mapping is a
//! tree with every answer that was ever given: what is read is the branch of `current_node`.

use std::collections::HashMap;

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Outcome, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "chatgpt",
    noun: "an export of ChatGPT",
    shapes: &[Shape {
        has: &["mapping:object", "mapping{}.message", "mapping{}.children"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let read = rows.iter().map(|row| {
        let id = ["conversation_id", "id"]
            .into_iter()
            .find_map(|key| row.get(key)?.text());
        let model = row.get("default_model_slug").and_then(Node::text);
        Content::Conversation(Conversation {
            id: id.unwrap_or_default().to_owned(),
            title: field(row, "title").to_owned(),
            model: model.map(str::to_owned),
            messages: messages(row, &mut context.notes),
            ..Conversation::default()
        })
    });
    read.collect()
}

/// The messages of the branch that was last shown, the first first.
fn messages(row: &Node, notes: &mut Notes) -> Vec<Message> {
    let all = row.get("mapping").map_or(&[][..], Node::entries);
    let mut known: HashMap<&str, &Node> = all
        .iter()
        .map(|entry| (entry.key.as_str(), &entry.node))
        .collect();
    let is_leaf = |step: &Node| {
        step.get("children")
            .is_none_or(|children| children.items().is_empty())
    };
    let mut next = Some(field(row, "current_node")).filter(|id| known.contains_key(id));
    if next.is_none() && !all.is_empty() {
        let words = "the branch that was last shown is not named: the last one is read";
        notes.warn(row.place.line, "current_node", words);
        let last = all.iter().rev().find(|entry| is_leaf(&entry.node));
        next = last.map(|entry| entry.key.as_str());
    }
    let mut branch = Vec::new();
    // each is walked once, even where one leads back
    while let Some(step) = next.and_then(|id| known.remove(id)) {
        branch.push(step);
        next = step.get("parent").and_then(Node::text);
    }
    branch.reverse();
    let there = |step: &&Node| step.get("message").is_some_and(Node::is_object);
    let other = all.iter().map(|entry| &entry.node).filter(there).count();
    let own = branch.iter().copied().filter(there).count();
    notes.drop_many(
        "messages of other branches",
        other.saturating_sub(own),
        row.place.line,
    );
    let steps = branch.into_iter().filter_map(|step| step.get("message"));
    steps.filter_map(|step| message(step, notes)).collect()
}

fn message(step: &Node, notes: &mut Notes) -> Option<Message> {
    let line = step.place.line;
    if !step.is_object() {
        return None;
    }
    let name = step
        .find("author.role")
        .and_then(Node::text)
        .unwrap_or_default();
    let Some(role) = Role::named(name) else {
        notes.drop(&format!("messages of the role {name:?}"), line);
        return None;
    };
    let is_hidden = step
        .find("metadata.is_visually_hidden_from_conversation")
        .and_then(Node::flag);
    if is_hidden == Some(true) {
        notes.drop("messages that are not shown", line);
        return None;
    }
    let model = step.find("metadata.model_slug").and_then(Node::text);
    let mut message = Message {
        line,
        model: model.map(str::to_owned),
        ..Message::new(role, "")
    };
    let content = step.get("content")?;
    let kind = field(content, "content_type");
    if matches!(kind, "thoughts" | "reasoning_recap") {
        notes.drop("thinking blocks", line);
        return None;
    }
    if matches!(kind, "user_editable_context" | "model_editable_context") {
        notes.drop("instructions and memories", line);
        return None;
    }
    if role == Role::Tool {
        let failed = (kind == "system_error").then_some(true);
        message.outcomes.push(Outcome { id: None, failed });
        return Some(message);
    }
    // what is said to a tool is a call of it
    let recipient = field(step, "recipient");
    if role == Role::Assistant && !matches!(recipient, "" | "all") {
        message.calls.push(Call {
            id: None,
            name: recipient.to_owned(),
        });
        return Some(message);
    }
    message.text = text(content, notes);
    Some(message)
}

/// The text of a content: parts, of which pictures and sounds are none.
fn text(content: &Node, notes: &mut Notes) -> String {
    let mut texts = Vec::new();
    for part in content.get("parts").map_or(&[][..], Node::items) {
        if let Some(text) = part.text().or_else(|| part.get("text")?.text()) {
            texts.push(text);
        } else {
            let kind = field(part, "content_type");
            notes.drop(&format!("parts of the type {kind:?}"), part.place.line);
        }
    }
    texts.extend(content.get("text").and_then(Node::text));
    texts.join("\n")
}
