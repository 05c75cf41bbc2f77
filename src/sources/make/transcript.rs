//! Transcripts, of conversations: a row for each text of a user or an assistant.

use serde::Serialize;

use super::super::conversation::{Conversation, Message, Role};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::labels::Labelling;
use super::source::{Source, Written, json};

#[derive(Debug, Serialize)]
struct Row<'a> {
    session_id: &'a str,
    turn_index: usize,
    role: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    persona_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a Written<'a>>,
}

/// The document: JSON Lines. The first row says where it comes from. Then the labels of its
/// replies, as lines of their own.
pub(super) fn text(
    conversations: &[Conversation],
    labelling: &Labelling,
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> (String, String) {
    let speaker = speaker(conversations, mapping);
    let is_other = asks_for_others(conversations, mapping);
    let ids = ids(conversations);
    let (mut rows, mut labels) = (Vec::new(), String::new());
    for (conversation, id) in conversations.iter().zip(&ids) {
        let mut index = 0;
        for message in &conversation.messages {
            let role = match role(message, speaker.as_deref()) {
                Ok(role) => role,
                Err(what) => {
                    notes.drop(what, message.line);
                    continue;
                }
            };
            let text = text_of(message, is_other);
            if text.trim().is_empty() {
                notes.drop("messages without a text", message.line);
                continue;
            }
            index += 1;
            let others = message.alternatives.len();
            notes.drop_many("other replies at the same place", others, message.line);
            // what was said of the reply that was kept holds of no other
            let is_judged = text == message.text;
            let label = labelling.of(message).filter(|_| is_judged);
            if is_judged && role == "assistant" {
                labels += &labelling.line(id, index, message);
            }
            rows.push(Row {
                session_id: id,
                turn_index: index,
                role,
                text,
                tags: &message.tags,
                persona_id: message.persona_id.as_deref(),
                label,
                source: None,
            });
        }
    }
    let written = source.written(mapping, notes);
    if let Some(first) = rows.first_mut() {
        first.source = Some(&written);
    }
    let lines: Vec<_> = rows.iter().map(json).collect();
    (lines.join("\n") + "\n", labels)
}

/// Ids of sessions, each of its own: what stands twice is numbered.
fn ids(conversations: &[Conversation]) -> Vec<String> {
    let mut seen = std::collections::HashMap::<&str, usize>::new();
    let ids = conversations.iter().enumerate().map(|(at, conversation)| {
        if conversation.id.is_empty() {
            return format!("session-{:04}", at + 1);
        }
        let times = seen.entry(&conversation.id).or_default();
        *times += 1;
        match *times {
            1 => conversation.id.clone(),
            more => format!("{} ({more})", conversation.id),
        }
    });
    ids.collect()
}

/// Whether replies that were not kept are wanted, where there are some: a second run to compare.
fn asks_for_others(conversations: &[Conversation], mapping: &mut Mapping) -> bool {
    const KEPT: &str = "the one that was kept";
    const OTHER: &str = "the first other one";
    let mut messages = conversations
        .iter()
        .flat_map(|conversation| &conversation.messages);
    messages.any(|message| !message.alternatives.is_empty())
        && mapping.one_of("reply", "Of several replies", &[KEPT, OTHER], KEPT) == OTHER
}

fn text_of(message: &Message, is_other: bool) -> &str {
    let other = message.alternatives.first().filter(|_| is_other);
    other.unwrap_or(&message.text)
}

/// The name of the one who is held against the persona, where several characters speak.
pub(super) fn speaker(conversations: &[Conversation], mapping: &mut Mapping) -> Option<String> {
    let messages = conversations
        .iter()
        .flat_map(|conversation| &conversation.messages);
    let mut names = Vec::<(&str, usize)>::new();
    let mut known = std::collections::HashMap::<&str, usize>::new();
    for message in messages.filter(|message| message.role == Role::Assistant) {
        let Some(name) = message.name.as_deref() else {
            continue;
        };
        let at = *known.entry(name).or_insert_with(|| {
            names.push((name, 0));
            names.len() - 1
        });
        names[at].1 += 1;
    }
    if names.len() < 2 {
        return None;
    }
    crate::text::sort_by_key(&mut names, |(_, times)| std::cmp::Reverse(*times));
    let options: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    Some(mapping.one_of(
        "speaker",
        "Who is held against the persona",
        &options,
        options[0],
    ))
}

/// The role of a message's row, or why it has none.
pub(super) fn role(message: &Message, speaker: Option<&str>) -> Result<&'static str, &'static str> {
    match message.role {
        Role::User => Ok("user"),
        Role::Assistant => match (speaker, message.name.as_deref()) {
            (Some(speaker), Some(name)) if speaker != name => Ok("user"),
            _ => Ok("assistant"),
        },
        Role::System => Err("system messages"),
        Role::Tool => Err("results of tools"),
    }
}
