//! Runs of tau-bench: `[{"task_id", "trial", "reward", "info", "traj": [messages]}]`. The reward
//! is the ground truth's word on the whole. The user is a model as well; it ends with a mark.

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Role};
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use super::openai;
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "tau-bench",
    noun: "a run of tau-bench",
    shapes: &[Shape {
        has: &["task_id", "reward", "traj:list"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

/// What the user says when it is done.
const END: &str = "###STOP###";

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let conversations = rows.iter().map(|row| {
        let messages = row.get("traj").map_or(&[][..], Node::items);
        let reward = row.get("reward").and_then(Node::number);
        let label = reward.map(|reward| Label {
            name: "reward".into(),
            value: Some(reward),
            text: reward.to_string(),
            reason: None,
        });
        if messages.is_empty() {
            // a run that broke off has the error in its place
            let words = format!("the run {} has no messages", id(row));
            context.notes.warn(row.place.line, "traj", words);
        }
        let mut messages = openai::messages(messages, &mut context.notes);
        let is_end = |message: &Message| message.role == Role::User && message.text.trim() == END;
        if messages.last().is_some_and(is_end) {
            messages.pop();
            context.notes.drop("marks of the end", row.place.line);
        }
        Content::Conversation(Conversation {
            id: id(row),
            messages,
            labels: label.into_iter().collect(),
            ..Conversation::default()
        })
    });
    conversations.collect()
}

fn id(row: &Node) -> String {
    let shown = |key: &str| match row.get(key).map(|value| &value.value) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => "?".to_owned(),
    };
    format!("task {} trial {}", shown("task_id"), shown("trial"))
}
