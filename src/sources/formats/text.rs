//! A text with no data in it: a system prompt, or replies in the voice that is wanted. It becomes
//! a proposal of a persona.

use super::super::card::Card;
use super::super::content::Content;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "text",
    noun: "a text",
    shapes: &[Shape {
        has: &[":text"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

const BLOCKS: &str = "replies with blank lines between them";
const LINES: &str = "a reply in each line";
const PROMPT: &str = "instructions";

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut found = Vec::new();
    for text in rows.iter().filter_map(Node::text) {
        let default = guess(text);
        let what = context.mapping.one_of(
            "text",
            "What the text is",
            &[BLOCKS, LINES, PROMPT],
            default,
        );
        let replies = match what.as_str() {
            BLOCKS => blocks(text),
            LINES => lines(text).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        let description = match what.as_str() {
            PROMPT => text.trim().to_owned(),
            _ => String::new(),
        };
        found.push(Content::Card(Card {
            name: "A new persona".into(),
            description,
            origins: vec!["text"; replies.len()],
            replies,
            ..Card::default()
        }));
    }
    found
}

/// What a text seems to be, by how it is set.
fn guess(text: &str) -> &'static str {
    let is_set = |line: &str| line.starts_with(['#', '*', '-', '<']) || line.ends_with(':');
    if text.trim_start().starts_with("You are ") || lines(text).any(is_set) {
        return PROMPT;
    }
    match (blocks(text).len(), lines(text).count()) {
        (3.., _) => BLOCKS,
        (1, 3..) => LINES,
        _ => PROMPT,
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Lines with no blank one between them.
fn blocks(text: &str) -> Vec<String> {
    let all: Vec<&str> = text.lines().map(str::trim_end).collect();
    let blocks = all
        .split(|line| line.is_empty())
        .filter(|lines| !lines.is_empty());
    blocks
        .map(|lines| lines.join("\n").trim().to_owned())
        .collect()
}
