//! Personas, of cards and of good replies: a proposal, to be looked through.

use super::super::card::Card;
use super::super::conversation::{Conversation, Role};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::source::{Source, json};

/// The most exemplars that are proposed.
const MOST: f64 = 20.0;
/// The least and the most letters of an exemplar.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=600;

/// The document: YAML.
pub(super) fn text(
    cards: &[Card],
    conversations: &[Conversation],
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> String {
    let card = match cards {
        [first, rest @ ..] => {
            notes.drop_many("further cards", rest.len(), 0);
            first.clone()
        }
        [] => of_replies(conversations),
    };
    let name = mapping.text("name", "Name", &card.name);
    let most = mapping
        .number("exemplars", "Exemplars at most", MOST)
        .max(1.0) as usize;
    let mut exemplars = Vec::<&str>::new();
    for reply in card.replies.iter().map(|reply| reply.trim()) {
        let is_new = !exemplars.contains(&reply);
        if !is_new || !LENGTHS.contains(&reply.chars().count()) {
            notes.drop("lines that are too short, too long or there already", 0);
        } else if exemplars.len() >= most {
            notes.drop("lines beyond the number of exemplars", 0);
        } else {
            exemplars.push(reply);
        }
    }
    let mut text = format!(
        "# A proposal, of {}: look it through.\n",
        one_line(source.file)
    );
    text += &format!("id: {}\ndisplay_name: {}\n", slug(&name), json(&name));
    if !card.description.trim().is_empty() {
        text += &format!("description: {}\n", json(card.description.trim()));
    }
    text += "\nexemplars:\n";
    for exemplar in &exemplars {
        text += &format!("  - {}\n", json(exemplar));
    }
    text += "\nlexicon:\n";
    text += &words("preferred", &card.preferred);
    text += &words("avoid", &card.avoided);
    let written = source.written(mapping, notes);
    text + &format!("\nsource: {}\n", json(&written))
}

fn words(key: &str, words: &[String]) -> String {
    if words.is_empty() {
        return format!("  {key}: []\n");
    }
    let lines = words.iter().map(|word| format!("    - {}\n", json(word)));
    format!("  {key}:\n{}", lines.collect::<String>())
}

/// A card of what an assistant says in conversations.
fn of_replies(conversations: &[Conversation]) -> Card {
    let messages = || {
        conversations
            .iter()
            .flat_map(|conversation| &conversation.messages)
    };
    let replies: Vec<String> = messages()
        .filter(|message| message.role == Role::Assistant && !message.text.trim().is_empty())
        .map(|message| message.text.clone())
        .collect();
    let system = messages().find(|message| message.role == Role::System);
    let name = conversations
        .iter()
        .map(|conversation| conversation.title.as_str());
    Card {
        name: name
            .into_iter()
            .find(|title| !title.is_empty())
            .unwrap_or("A new persona")
            .to_owned(),
        description: system.map_or(String::new(), |message| message.text.clone()),
        origins: vec!["replies"; replies.len()],
        replies,
        ..Card::default()
    }
}

/// A name as an id: lower-case letters, digits and underscores.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => slug.push(c),
            false if !slug.is_empty() && !slug.ends_with('_') => slug.push('_'),
            false => {}
        }
    }
    let slug = slug.trim_end_matches('_');
    if slug.is_empty() {
        "persona".to_owned()
    } else {
        json(slug)
    }
}

fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
