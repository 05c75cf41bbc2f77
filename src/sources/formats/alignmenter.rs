//! Rows that someone has labelled for Alignmenter: `{"session_id", "turn_index", "role", "text",
//! "label"?: 0|1, "confidence"?, "notes"?}`. Rows without any of it are our own transcript.

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Role};
use super::super::fields::{field, name_of};
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "alignmenter",
    noun: "rows labelled for Alignmenter",
    shapes: &[
        Shape {
            has: &[
                "session_id",
                "turn_index",
                "role:text",
                "text:text",
                "confidence",
            ],
            lacks: &[],
        },
        Shape {
            has: &[
                "session_id",
                "turn_index",
                "role:text",
                "text:text",
                "notes",
            ],
            lacks: &[],
        },
    ],
    group: |row| match name_of(row, "session_id") {
        Some(id) => Group::Named(id),
        None => Group::None,
    },
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut found = Vec::new();
    for row in rows {
        let name = field(row, "role");
        let Some(role) = Role::named(name) else {
            context
                .notes
                .drop(&format!("messages of the role {name:?}"), row.place.line);
            continue;
        };
        let index = row
            .get("turn_index")
            .and_then(Node::number)
            .unwrap_or(f64::MAX);
        let tags = row.get("tags").map_or(&[][..], Node::items);
        let tags = tags.iter().filter_map(Node::text);
        let mut message = Message {
            tags: tags.map(str::to_owned).collect(),
            persona_id: name_of(row, "persona_id"),
            line: row.place.line,
            ..Message::new(role, field(row, "text"))
        };
        message.labels.extend(label(row));
        found.push((index, message));
    }
    crate::text::sort_by(&mut found, |(one, _), (other, _)| one.total_cmp(other));
    let id = rows.first().and_then(|row| name_of(row, "session_id"));
    vec![Content::Conversation(Conversation {
        id: id.unwrap_or_default(),
        messages: found.into_iter().map(|(_, message)| message).collect(),
        ..Conversation::default()
    })]
}

fn label(row: &Node) -> Option<Label> {
    let label = row.get("label")?;
    let value = label
        .number()
        .or_else(|| label.flag().map(|flag| f64::from(u8::from(flag))))?;
    Some(Label {
        name: "on_brand".into(),
        value: Some(value),
        text: value.to_string(),
        reason: row.get("notes").and_then(Node::text).map(str::to_owned),
    })
}
