//! Chats of SillyTavern, JSON Lines: a head `{"user_name", "character_name"}` and rows `{"name",
//! "is_user", "is_system", "mes", "swipes"?, "swipe_id"?}`. Swipes are replies that were tried at
//! one place; `mes` is the one that was kept.

use super::super::content::Content;
use super::super::conversation::{Conversation, Message, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "sillytavern",
    noun: "a chat of SillyTavern",
    shapes: &[
        Shape {
            has: &["user_name:text", "character_name:text"],
            lacks: &["mes"],
        },
        Shape {
            has: &["name:text", "is_user:bool", "mes:text"],
            lacks: &[],
        },
    ],
    group: |_| Group::All,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let mut chat = Conversation::default();
    for row in rows {
        let line = row.place.line;
        let Some(text) = row.get("mes").and_then(Node::text) else {
            // newer files have the word "unused" in their head
            let name = field(row, "character_name");
            if !name.is_empty() && name != "unused" {
                name.clone_into(&mut chat.title);
            }
            continue;
        };
        let is_narrator = row.find("extra.type").and_then(Node::text) == Some("narrator");
        if is_narrator || row.get("is_system").and_then(Node::flag) == Some(true) {
            context
                .notes
                .drop("rows that the program wrote or hid", line);
            continue;
        }
        let role = match row.get("is_user").and_then(Node::flag) {
            Some(true) => Role::User,
            _ => Role::Assistant,
        };
        let swipes = row.get("swipes").map_or(&[][..], Node::items);
        let others = swipes
            .iter()
            .filter_map(Node::text)
            .filter(|swipe| *swipe != text && !swipe.is_empty());
        if chat.title.is_empty() && role == Role::Assistant {
            field(row, "name").clone_into(&mut chat.title);
        }
        chat.messages.push(Message {
            name: row.get("name").and_then(Node::text).map(str::to_owned),
            model: row
                .find("extra.model")
                .and_then(Node::text)
                .map(str::to_owned),
            alternatives: others.map(str::to_owned).collect(),
            line,
            ..Message::new(role, text)
        });
    }
    vec![Content::Conversation(chat)]
}
