//! Personas, of cards and of good replies: a proposal, to be looked through.

use super::super::card::Card;
use super::super::conversation::{Conversation, Message, Role};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::labels::Labelling;
use super::source::{Source, json};
use super::transcript::{role, speaker};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

/// The most exemplars that are proposed.
const MOST: f64 = 20.0;
/// The least and the most letters of an exemplar.
const LENGTHS: std::ops::RangeInclusive<usize> = 12..=1000;

/// The document: YAML.
pub(super) fn text(
    cards: &[Card],
    conversations: &[Conversation],
    labelling: &Labelling,
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> String {
    let card = if let [first, rest @ ..] = cards {
        notes.drop_many("further cards", rest.len(), 0);
        first.clone()
    } else {
        let speaker = speaker(conversations, mapping);
        of_replies(conversations, labelling, speaker.as_deref(), notes)
    };
    let name = mapping.text("name", "Name", &card.name);
    let most = mapping
        .number("exemplars", "Exemplars at most", MOST)
        .max(1.0) as usize;
    let exemplars = exemplars(&card, most, notes);
    let mut text = format!(
        "# A proposal, of {}: look it through.\n",
        one_line(source.file)
    );
    // writing to a text cannot fail
    let _ = writeln!(text, "id: {}\ndisplay_name: {}", slug(&name), json(&name));
    if !card.description.trim().is_empty() {
        let _ = writeln!(text, "description: {}", json(card.description.trim()));
    }
    text += if exemplars.is_empty() {
        "\nexemplars: []\n"
    } else {
        "\nexemplars:\n"
    };
    let mut taken = BTreeMap::<&str, usize>::new();
    for (exemplar, origin) in &exemplars {
        *taken.entry(origin).or_default() += 1;
        let _ = writeln!(text, "  - {}  # {origin}", json(exemplar));
    }
    text += "\nlexicon:\n";
    text += &words("preferred", &card.preferred);
    text += &words("avoid", &card.avoided);
    let written = source.written(mapping, notes).taken(taken);
    text + &format!("\nsource: {}\n", json(&written))
}

/// The lines of a card that are proposed, each with where it was taken from.
fn exemplars<'a>(card: &'a Card, most: usize, notes: &mut Notes) -> Vec<(&'a str, &'static str)> {
    let mut found = Vec::<(&str, &str)>::new();
    let mut known = HashSet::new();
    let replies = card.replies.iter().zip(&card.origins);
    let lines = replies.flat_map(|(reply, origin)| {
        let lines = lines(reply.trim()).into_iter();
        lines.map(|line| (line, *origin))
    });
    for (line, origin) in lines {
        if known.contains(line) || !LENGTHS.contains(&line.chars().count()) {
            notes.drop("lines that are too short, too long or there already", 0);
        } else if found.len() >= most {
            notes.drop("lines beyond the number of exemplars", 0);
        } else {
            known.insert(line);
            found.push((line, origin));
        }
    }
    found
}

/// A reply, or its lines where it is too long to be one exemplar.
fn lines(reply: &str) -> Vec<&str> {
    if reply.chars().count() <= *LENGTHS.end() {
        return vec![reply];
    }
    let lines = reply.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).collect()
}

fn words(key: &str, words: &[String]) -> String {
    if words.is_empty() {
        return format!("  {key}: []\n");
    }
    let lines: Vec<_> = words
        .iter()
        .map(|word| format!("    - {}\n", json(word)))
        .collect();
    format!("  {key}:\n{}", lines.concat())
}

/// A card of what an assistant, or one of several characters, says in conversations; without what
/// is said to be bad.
fn of_replies(
    conversations: &[Conversation],
    labelling: &Labelling,
    speaker: Option<&str>,
    notes: &mut Notes,
) -> Card {
    let messages = || {
        conversations
            .iter()
            .flat_map(|conversation| &conversation.messages)
    };
    let mut replies = Vec::new();
    for message in messages().filter(|message| !message.text.trim().is_empty()) {
        if role(message, speaker) != Ok("assistant") {
            continue;
        }
        match labelling.of(message) {
            Some(0) => notes.drop("replies that are labelled as bad", message.line),
            _ => replies.push(message.text.clone()),
        }
    }
    let system = messages().find(|message| message.role == Role::System);
    let titles = conversations
        .iter()
        .map(|conversation| conversation.title.as_str());
    Card {
        name: speaker
            .or_else(|| own_name(messages()))
            .or_else(|| titles.into_iter().find(|title| !title.is_empty()))
            .unwrap_or("A new persona")
            .to_owned(),
        description: system.map_or(String::new(), |message| message.text.clone()),
        origins: vec!["replies"; replies.len()],
        replies,
        ..Card::default()
    }
}

/// The name under which an assistant speaks.
fn own_name<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Option<&'a str> {
    let mut own = messages
        .into_iter()
        .filter(|message| message.role == Role::Assistant);
    own.find_map(|message| message.name.as_deref())
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
