//! Trajectories of SWE-agent: `{"trajectory": [{"action", "observation", "response", "thought"}],
//! "history": [{"role", "content", "is_demo"?}], "info"}`. A step is an answer with one command,
//! and the first word of the command is the tool.

use super::super::content::Content;
use super::super::conversation::{Call, Conversation, Message, Role};
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::openai;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "swe-agent",
    noun: "a trajectory of SWE-agent",
    shapes: &[Shape {
        has: &[
            "trajectory[].action:text",
            "trajectory[].observation",
            "trajectory[].response",
        ],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let conversations = rows.iter().map(|row| {
        let history = row.get("history").map_or(&[][..], Node::items);
        let mut messages: Vec<_> = task(history, &mut context.notes).into_iter().collect();
        let steps = row.get("trajectory").map_or(&[][..], Node::items);
        messages.extend(steps.iter().map(step));
        Content::Conversation(Conversation {
            id: word(row, "environment").unwrap_or_default().to_owned(),
            messages,
            ..Conversation::default()
        })
    });
    conversations.collect()
}

/// What the agent was asked for: the first words of a user that are no demonstration. The other
/// words in a user's name are what came of commands.
fn task(history: &[Node], notes: &mut Notes) -> Option<Message> {
    let is_demo = |row: &Node| row.get("is_demo").and_then(Node::flag) == Some(true);
    let demos = history.iter().filter(|row| is_demo(row)).count();
    let line = history.first().map_or(0, |row| row.place.line);
    notes.drop_many("demonstrations", demos, line);
    let is_task = |row: &&Node| word(row, "role") == Some("user") && !is_demo(row);
    let row = history.iter().find(is_task)?;
    openai::messages([row], notes).pop()
}

fn step(step: &Node) -> Message {
    let said = ["response", "thought"].map(|key| word(step, key).unwrap_or_default());
    let text = said.into_iter().find(|text| !text.trim().is_empty());
    let command = word(step, "action").unwrap_or_default();
    let tool = command.split_whitespace().next();
    let name = tool.map(|tool| tool.rsplit('/').next().unwrap_or(tool).to_owned());
    Message {
        calls: name
            .into_iter()
            .map(|name| Call { id: None, name })
            .collect(),
        line: step.place.line,
        ..Message::new(Role::Assistant, text.unwrap_or_default())
    }
}

fn word<'a>(row: &'a Node, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Node::text)
}
