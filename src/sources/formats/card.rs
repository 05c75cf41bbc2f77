//! Character cards. V1 is flat: `{"name", "description", "personality", "scenario", "first_mes",
//! "mes_example"}`; V2 and V3 have the same under `data`, with `alternate_greetings`, and say so in
//! `spec`.
//!
//! `mes_example` has examples of talk, each after a line `<START>`: lines that begin with
//! `{{char}}:` or `{{user}}:`, and what follows them.

use super::super::card::Card;
use super::super::content::Content;
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::shape::Shape;
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "character-card",
    noun: "a character card",
    shapes: &[
        Shape {
            has: &["spec=chara_card_v2|chara_card_v3", "data.name:text"],
            lacks: &[],
        },
        Shape {
            has: &["name:text", "description:text", "first_mes:text"],
            lacks: &["messages"],
        },
        Shape {
            has: &["name:text", "description:text", "mes_example:text"],
            lacks: &["messages"],
        },
        Shape {
            has: &[
                "name:text",
                "description:text",
                "personality:text",
                "scenario:text",
                "first_mes:text",
                "mes_example:text",
            ],
            lacks: &["messages"],
        },
        // a V2 card has the flat fields, too, for programs that know only those
        Shape {
            has: &[
                "spec^chara_card",
                "data.name:text",
                "name",
                "description",
                "personality",
                "scenario",
                "first_mes",
                "mes_example",
            ],
            lacks: &[],
        },
    ],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let user = context
        .mapping
        .text("user", "The name that stands for {{user}}", "User");
    let cards = rows.iter().map(|row| {
        let data = row.get("data").filter(|data| data.is_object());
        Content::Card(card(data.unwrap_or(row), &user))
    });
    cards.collect()
}

fn card(data: &Node, user: &str) -> Card {
    let name = match field(data, "nickname") {
        "" => field(data, "name"),
        nickname => nickname,
    };
    let filled = |text: &str| filled(text, name, user);
    let mut card = Card {
        name: field(data, "name").to_owned(),
        ..Card::default()
    };
    let about = ["description", "personality", "scenario", "system_prompt"];
    let about = about.map(|key| filled(field(data, key).trim()));
    let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
    card.description = about.join("\n\n");
    let mut add = |text: &str, origin| {
        let text = filled(text.trim());
        if !text.is_empty() {
            card.replies.push(text);
            card.origins.push(origin);
        }
    };
    for line in spoken(field(data, "mes_example"), name) {
        add(&line, "mes_example");
    }
    add(field(data, "first_mes"), "first_mes");
    for key in ["alternate_greetings", "group_only_greetings"] {
        for greeting in data.get(key).map_or(&[][..], Node::items) {
            add(greeting.text().unwrap_or_default(), "alternate_greetings");
        }
    }
    card
}

/// What the character says in examples of talk.
fn spoken(examples: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut own: Option<String> = None;
    for line in examples.lines() {
        let start = line.trim_start();
        let speaker = speaker(start, name);
        if start.to_ascii_lowercase().starts_with("<start>") || speaker.is_some() {
            found.extend(own.take());
        }
        match (speaker, &mut own) {
            (Some((true, said)), _) => own = Some(said.to_owned()),
            (None, Some(own)) => {
                own.push('\n');
                own.push_str(line);
            }
            _ => {}
        }
    }
    found.extend(own);
    found
}

/// Whether a line begins with the character's name or with someone else's, and what follows it.
fn speaker<'a>(line: &'a str, name: &str) -> Option<(bool, &'a str)> {
    let (who, said) = line.split_once(':')?;
    match who.trim().to_ascii_lowercase().as_str() {
        "{{char}}" | "<bot>" => Some((true, said)),
        "{{user}}" | "<user>" => Some((false, said)),
        _ if !name.is_empty() && who.trim() == name => Some((true, said)),
        _ => None,
    }
}

/// A text with names where something stands for them, in capitals or not.
fn filled(text: &str, name: &str, user: &str) -> String {
    const PLACES: [(&str, bool); 4] = [
        ("{{char}}", true),
        ("<bot>", true),
        ("{{user}}", false),
        ("<user>", false),
    ];
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '<']) {
        let (before, after) = rest.split_at(at);
        filled.push_str(before);
        let starts = |place: &&(&str, bool)| {
            let start = after.get(..place.0.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(place.0))
        };
        if let Some((place, is_own)) = PLACES.iter().find(starts) {
            filled.push_str(if *is_own { name } else { user });
            rest = &after[place.len()..];
        } else {
            filled.push_str(&after[..1]);
            rest = &after[1..];
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in() {
        for (text, expected) in [
            (
                "{{Char}} greets {{user}}, <BOT> waves at <USER>.",
                "Ann greets you, Ann waves at you.",
            ),
            ("{{random}} <b> {", "{{random}} <b> {"),
            ("{é {{char}", "{é {{char}"),
        ] {
            assert_eq!(filled(text, "Ann", "you"), expected);
        }
    }

    #[test]
    fn only_the_character_is_heard() {
        let examples = "<START>\n{{user}}: Who?\n{{char}}: Me.\nAnd you?\n<START>\nnothing\n{{CHAR}}: Yes: so.\nAnn: No.";
        assert_eq!(
            spoken(examples, "Ann"),
            [" Me.\nAnd you?", " Yes: so.", " No."]
        );
    }
}
