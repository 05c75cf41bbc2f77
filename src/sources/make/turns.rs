//! Turns of an agent, of conversations: a turn is a user's text up to the next user's.

use serde::Serialize;

use super::super::conversation::{Conversation, Message, Outcome, Role};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::source::{Source, json};

/// Parts of the names of tools that write.
const WRITES: [&str; 16] = [
    "write", "edit", "create", "update", "delete", "remove", "insert", "book", "cancel", "send",
    "apply", "patch", "move", "deploy", "commit", "push",
];
/// Tools that can write and mostly read.
const SHELLS: [&str; 4] = ["bash", "shell", "terminal", "exec"];

/// How many tokens a model takes in, by the beginning of its name: what its makers published.
const WINDOWS: [(&str, f64); 24] = [
    ("claude-", 200_000.0),
    ("gpt-5", 400_000.0),
    ("gpt-4.1", 1_047_576.0),
    ("gpt-4o", 128_000.0),
    ("gpt-4-turbo", 128_000.0),
    ("gpt-4-32k", 32_768.0),
    ("gpt-4", 8_192.0),
    ("gpt-3.5", 16_385.0),
    ("o1", 200_000.0),
    ("o3", 200_000.0),
    ("o4", 200_000.0),
    ("gemini-1.5-pro", 2_097_152.0),
    ("gemini-", 1_048_576.0),
    ("llama-3.1", 131_072.0),
    ("llama-3.2", 131_072.0),
    ("llama-3.3", 131_072.0),
    ("llama-3", 8_192.0),
    ("mistral-large", 131_072.0),
    ("mixtral-8x22b", 65_536.0),
    ("mixtral-8x7b", 32_768.0),
    ("deepseek-", 131_072.0),
    ("qwen2.5", 131_072.0),
    ("grok-4", 256_000.0),
    ("grok-3", 131_072.0),
];

#[derive(Debug, Serialize)]
struct Turn<'a> {
    turn_number: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<&'a str>,
    has_mutations: bool,
    turn_result: TurnResult<'a>,
}

#[derive(Debug, Serialize)]
struct TurnResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<&'a str>,
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools_passed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_utilization: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Tool<'a> {
    name: &'a str,
}

/// The document: one session, or a session in a line.
pub(super) fn text(
    conversations: &[Conversation],
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> String {
    let rules = Rules::ask(conversations, mapping);
    let all: Vec<_> = conversations
        .iter()
        .map(|conversation| turns(conversation, &rules, notes))
        .collect();
    let written = source.written(mapping, notes);
    let source = json(&written);
    let id = |at: usize| match conversations[at].id.as_str() {
        "" => format!("session-{}", at + 1),
        id => id.to_owned(),
    };
    if let [turns] = &all[..] {
        let lines: Vec<_> = turns.iter().map(json).collect();
        return format!(
            "{{\"session_id\": {}, \"source\": {source}, \"turns\": [\n{}\n]}}\n",
            json(&id(0)),
            lines.join(",\n")
        );
    }
    let mut text = String::new();
    for (at, turns) in all.iter().enumerate() {
        let first = if at == 0 {
            format!("\"source\": {source}, ")
        } else {
            String::new()
        };
        text += &format!(
            "{{\"session_id\": {}, {first}\"turns\": {}}}\n",
            json(&id(at)),
            json(turns)
        );
    }
    text
}

/// What the source does not say.
struct Rules {
    action: String,
    writes: Vec<String>,
    /// Of each model that is named, how many tokens it takes; none where nobody says.
    windows: Vec<(String, f64)>,
}

impl Rules {
    fn ask(conversations: &[Conversation], mapping: &mut Mapping) -> Self {
        let action = mapping.text("action", "Action of every turn", "send_message");
        let mut writes = mapping.names("writes", "A tool writes if its name has", &WRITES);
        let has_shell = |message: &Message| {
            message
                .calls
                .iter()
                .any(|call| SHELLS.iter().any(|shell| has_word(&call.name, shell)))
        };
        let messages = || {
            conversations
                .iter()
                .flat_map(|conversation| &conversation.messages)
        };
        if messages().any(has_shell) {
            let shells = mapping.one_of("shell", "A shell writes", &["no", "yes"], "no");
            if shells == "yes" {
                writes.extend(SHELLS.map(str::to_owned));
            }
        }
        let mut windows = Vec::new();
        let used = messages().filter(|message| message.input_tokens.is_some());
        for message in used {
            let Some(model) = model_of(message, conversations) else {
                continue;
            };
            if windows.iter().any(|(known, _)| known == model) {
                continue;
            }
            let key = format!("window.{model}");
            let label = format!("Tokens that {model} takes (0: not known)");
            let window = mapping.number(&key, &label, window(model));
            windows.push((model.to_owned(), window));
        }
        Self {
            action,
            writes,
            windows,
        }
    }
}

fn model_of<'a>(message: &'a Message, conversations: &'a [Conversation]) -> Option<&'a str> {
    let own = message.model.as_deref();
    own.or_else(|| {
        conversations
            .iter()
            .find_map(|conversation| conversation.model.as_deref())
    })
}

/// The tokens that a model takes; 0 where it is not known.
fn window(model: &str) -> f64 {
    let name = model.to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    let known = WINDOWS.iter().find(|(start, _)| name.starts_with(start));
    known.map_or(0.0, |(_, tokens)| *tokens)
}

/// Whether a name has a word: in `str_replace_editor` and `WriteFile`, at the beginning of a part.
pub(super) fn has_word(name: &str, word: &str) -> bool {
    let mut parts = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_uppercase() && before.is_lowercase() || !c.is_alphanumeric() {
            parts.push(' ');
        }
        parts.extend(c.to_lowercase());
        before = c;
    }
    let word = word.to_lowercase();
    parts
        .split(|c: char| !c.is_alphanumeric())
        .any(|part| part.starts_with(&word))
}

fn turns<'a>(conversation: &'a Conversation, rules: &'a Rules, notes: &mut Notes) -> Vec<Turn<'a>> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut outcomes: Vec<&Outcome> = Vec::new();
    for message in &conversation.messages {
        let line = message.line;
        if message.role == Role::System {
            notes.drop("system messages", line);
            continue;
        }
        if message.role == Role::User || turns.is_empty() {
            close(&mut turns, &mut outcomes);
            turns.push(Turn {
                turn_number: turns.len() + 1,
                action: &rules.action,
                user_message: (message.role == Role::User).then_some(message.text.as_str()),
                has_mutations: false,
                turn_result: TurnResult {
                    response: None,
                    tools: Vec::new(),
                    tools_passed: None,
                    context_utilization: None,
                },
            });
        }
        let Some(turn) = turns.last_mut() else {
            continue;
        };
        let result = &mut turn.turn_result;
        if message.role == Role::Assistant && !message.text.trim().is_empty() {
            result.response = Some(&message.text);
        }
        for call in &message.calls {
            turn.has_mutations |= rules.writes.iter().any(|word| has_word(&call.name, word));
            result.tools.push(Tool { name: &call.name });
        }
        outcomes.extend(&message.outcomes);
        if let Some(share) = used(message, conversation, rules) {
            result.context_utilization = Some(share);
        }
        notes.drop_many(
            "other replies at the same place",
            message.alternatives.len(),
            line,
        );
    }
    close(&mut turns, &mut outcomes);
    turns
}

/// A turn's tools passed if there are some and none is said to have failed.
fn close(turns: &mut [Turn], outcomes: &mut Vec<&Outcome>) {
    if let Some(turn) = turns.last_mut()
        && !turn.turn_result.tools.is_empty()
    {
        let failed = outcomes.iter().any(|outcome| outcome.failed == Some(true));
        turn.turn_result.tools_passed = Some(!failed);
    }
    outcomes.clear();
}

/// How full the model was when it wrote a message, from 0 to 1.
fn used(message: &Message, conversation: &Conversation, rules: &Rules) -> Option<f64> {
    let tokens = message.input_tokens? as f64;
    let model = message.model.as_deref().or(conversation.model.as_deref())?;
    let (_, window) = rules.windows.iter().find(|(known, _)| known == model)?;
    (*window > 0.0).then(|| (tokens / window).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_parts_of_names() {
        for (name, word, found) in [
            ("write_file", "write", true),
            ("WriteFile", "write", true),
            ("NotebookEdit", "edit", true),
            ("credit_check", "edit", false),
            ("update-booking", "book", true),
            ("list_facebook_friends", "book", false),
            ("str_replace_editor", "edit", true),
        ] {
            assert_eq!(has_word(name, word), found, "{name} {word}");
        }
        assert_eq!(window("anthropic/claude-sonnet-4"), 200_000.0);
        assert_eq!(window("my-model"), 0.0);
    }
}
