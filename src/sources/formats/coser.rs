//! Simulations of CoSER: `[{"book_title", "circumstance", "simulation": [{"role", "content"}],
//! "involved_character_profiles"}]`. Every character speaks for itself: which one is held against
//! the persona is a choice of the mapping.

use super::super::content::Content;
use super::super::conversation::{Conversation, Message, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "coser",
    noun: "a simulation of CoSER",
    shapes: &[Shape {
        has: &["simulation[].role", "simulation[].content"],
        lacks: &[],
    }],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let read = rows.iter().map(|row| {
        let mut messages = Vec::new();
        for said in row.get("simulation").map_or(&[][..], Node::items) {
            let name = field(said, "role");
            // who sets the scene and who says whose turn it is are no characters
            if matches!(name, "NSP" | "") {
                context
                    .notes
                    .drop("messages of no character", said.place.line);
                continue;
            }
            let role = match name {
                "Environment" => Role::User,
                _ => Role::Assistant,
            };
            messages.push(Message {
                name: Some(name.to_owned()),
                line: said.place.line,
                ..Message::new(role, field(said, "content"))
            });
        }
        Content::Conversation(Conversation {
            title: field(row, "book_title").to_owned(),
            messages,
            ..Conversation::default()
        })
    });
    read.collect()
}
