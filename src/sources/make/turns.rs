//! Turns of an agent, of conversations: a turn is a user's text up to the next user's.

use std::collections::{BTreeMap, BTreeSet};

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

/// Of how many models the window is asked for.
const MOST_MODELS: usize = 50;

#[derive(Debug, Serialize)]
struct Turn<'a> {
    #[serde(rename = "turn_number")]
    number: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<&'a str>,
    has_mutations: bool,
    #[serde(rename = "turn_result")]
    result: TurnResult<'a>,
}

#[derive(Debug, Default, Serialize)]
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
    let mut lines = Vec::new();
    for (at, turns) in all.iter().enumerate() {
        let first = if at == 0 {
            format!("\"source\": {source}, ")
        } else {
            String::new()
        };
        lines.push(format!(
            "{{\"session_id\": {}, {first}\"turns\": {}}}\n",
            json(&id(at)),
            json(turns)
        ));
    }
    lines.concat()
}

/// What the source does not say.
struct Rules {
    action: String,
    writes: Vec<String>,
    /// Of each model that is named, how many tokens it takes; none where nobody says.
    windows: BTreeMap<String, f64>,
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
        let measured = conversations.iter().flat_map(|conversation| {
            let messages = conversation.messages.iter();
            let measured = messages.filter(|message| message.input_tokens.is_some());
            measured.filter_map(|message| model_of(message, conversation))
        });
        let models: BTreeSet<&str> = measured.collect();
        let windows = models.into_iter().take(MOST_MODELS).map(|model| {
            let key = format!("window.{model}");
            let label = format!("Tokens that {model} takes (0: not known)");
            (
                model.to_owned(),
                mapping.number(&key, &label, window(model)),
            )
        });
        let windows = windows.collect();
        Self {
            action,
            writes,
            windows,
        }
    }
}

/// The model that wrote a message: its own, or that of its conversation.
fn model_of<'a>(message: &'a Message, conversation: &'a Conversation) -> Option<&'a str> {
    let own = message.model.as_deref();
    own.or(conversation.model.as_deref())
}

/// The tokens that a model takes; 0 where it is not known.
fn window(model: &str) -> f64 {
    let name = model.to_ascii_lowercase();
    let name = name.rsplit('/').next().unwrap_or_default();
    // clouds put the maker before it: `anthropic.claude-...`
    let is_of = |start: &str| name.starts_with(start) || name.contains(&format!(".{start}"));
    let known = WINDOWS.iter().find(|(start, _)| is_of(start));
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
        let is_user = message.role == Role::User;
        let is_blank = message.text.trim().is_empty();
        // what comes with a user's text came of the calls before it
        outcomes.extend(&message.outcomes);
        if is_user && is_blank {
            notes.drop("users' messages without a text", line);
        }
        if is_user && !is_blank || turns.is_empty() {
            close(&mut turns, &mut outcomes);
            turns.push(Turn {
                number: turns.len() + 1,
                action: &rules.action,
                user_message: is_user.then_some(message.text.as_str()),
                has_mutations: false,
                result: TurnResult::default(),
            });
        }
        let Some(turn) = turns.last_mut() else {
            continue;
        };
        if message.role == Role::Assistant && !is_blank {
            turn.result.response = Some(&message.text);
        }
        for call in &message.calls {
            turn.has_mutations |= rules.writes.iter().any(|word| has_word(&call.name, word));
            turn.result.tools.push(Tool { name: &call.name });
        }
        if message.input_tokens.is_some() {
            turn.result.context_utilization = used(message, conversation, rules);
        }
        let others = message.alternatives.len();
        notes.drop_many("other replies at the same place", others, line);
    }
    close(&mut turns, &mut outcomes);
    turns
}

/// A turn's tools passed if there are some and none is said to have failed.
fn close(turns: &mut [Turn], outcomes: &mut Vec<&Outcome>) {
    if let Some(turn) = turns.last_mut()
        && !turn.result.tools.is_empty()
    {
        let failed = outcomes.iter().any(|outcome| outcome.failed == Some(true));
        turn.result.tools_passed = Some(!failed);
    }
    outcomes.clear();
}

/// How full the model was when it wrote a message, from 0 to 1.
fn used(message: &Message, conversation: &Conversation, rules: &Rules) -> Option<f64> {
    let tokens = message.input_tokens? as f64;
    let window = rules.windows.get(model_of(message, conversation)?)?;
    (*window > 0.0).then(|| (tokens / window).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::super::super::conversation::Call;
    use super::super::super::mapping::Value;
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
        assert_eq!(window("us.anthropic.claude-opus-4-v1:0"), 200_000.0);
        assert_eq!(window("my-model"), 0.0);
    }

    fn call(id: &str, name: &str) -> Message {
        Message {
            calls: vec![Call {
                id: Some(id.into()),
                name: name.into(),
            }],
            ..Message::new(Role::Assistant, "")
        }
    }

    fn outcome(role: Role, text: &str, failed: Option<bool>) -> Message {
        Message {
            outcomes: vec![Outcome { id: None, failed }],
            ..Message::new(role, text)
        }
    }

    fn conversation(messages: Vec<Message>) -> Conversation {
        Conversation {
            messages,
            ..Conversation::default()
        }
    }

    /// The sessions of a document, and the mapping.
    fn written(
        conversations: &[Conversation],
        set: &[(&str, Value)],
    ) -> (Vec<serde_json::Value>, Mapping) {
        let set = set
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.clone()));
        let mut mapping = Mapping::new(set.collect());
        let source = Source {
            format: "a-chat",
            because: "it has all",
            file: "a.json",
        };
        let text = text(conversations, &source, &mut mapping, &mut Notes::default());
        let values = serde_json::Deserializer::from_str(&text).into_iter();
        (values.map(|value| value.expect("JSON")).collect(), mapping)
    }

    #[test]
    fn tools_pass_unless_one_is_said_to_have_failed() {
        let conversation = conversation(vec![
            Message::new(Role::User, "one"),
            call("a", "look"),
            outcome(Role::Tool, "Error: no such file", None),
            Message::new(Role::User, "two"),
            call("b", "look"),
            outcome(Role::Tool, "", Some(false)),
            call("c", "look"),
            // an outcome that comes with the next words is of the turn before them
            outcome(Role::User, "three", Some(true)),
            call("d", "look"),
            Message::new(Role::User, "four"),
            Message::new(Role::Assistant, "no tool"),
        ]);
        let (sessions, _) = written(&[conversation], &[]);
        let passed = |turn: usize| &sessions[0]["turns"][turn]["turn_result"]["tools_passed"];
        assert_eq!(passed(0), true, "words alone say nothing");
        assert_eq!(passed(1), false);
        assert_eq!(passed(2), true);
        assert!(passed(3).is_null());
    }

    #[test]
    fn the_context_is_that_of_the_last_call_by_the_window_of_its_model() {
        let said = |tokens: u64, model: &str| Message {
            input_tokens: Some(tokens),
            model: (!model.is_empty()).then(|| model.to_owned()),
            ..Message::new(Role::Assistant, "ok")
        };
        let mut first = conversation(vec![
            Message::new(Role::User, "one"),
            said(150_000, ""),
            said(50_000, ""),
            Message::new(Role::User, "two"),
            said(900_000, ""),
            Message::new(Role::User, "three"),
            said(10, "claude-x"),
            said(10, "unheard-of"),
        ]);
        first.model = Some("claude-x".into());
        let mut second = conversation(vec![said(500, "")]);
        second.model = Some("house-model".into());
        let set = [("window.house-model", Value::Number(1_000.0))];
        let (sessions, mapping) = written(&[first, second], &set);
        let share = |session: usize, turn: usize| {
            sessions[session]["turns"][turn]["turn_result"]["context_utilization"].as_f64()
        };
        assert_eq!(share(0, 0), Some(0.25));
        assert_eq!(share(0, 1), Some(1.0));
        assert_eq!(share(0, 2), None, "the last call is not measured");
        assert_eq!(share(1, 0), Some(0.5));
        assert_eq!(mapping.refused(), [] as [String; 0]);
    }

    #[test]
    fn shells_write_by_choice_and_names_can_be_changed() {
        let chat = || {
            conversation(vec![
                Message::new(Role::User, "one"),
                call("a", "Bash"),
                Message::new(Role::User, "two"),
                call("b", "mcp__files__write_file"),
                Message::new(Role::User, "three"),
                call("c", "rename"),
            ])
        };
        let writes = |set: &[(&str, Value)]| {
            let (sessions, _) = written(&[chat()], set);
            [0, 1, 2].map(|turn| sessions[0]["turns"][turn]["has_mutations"] == true)
        };
        assert_eq!(writes(&[]), [false, true, false]);
        let shell = ("shell", Value::Text("yes".into()));
        assert_eq!(writes(&[shell]), [true, true, false]);
        let names = ("writes", Value::Text("rename".into()));
        assert_eq!(writes(&[names]), [false, false, true]);
    }

    #[test]
    fn a_conversation_without_a_user_is_one_turn_and_blank_words_begin_none() {
        let none = conversation(vec![
            Message::new(Role::System, "Be brief."),
            Message::new(Role::Assistant, "Good morning."),
            call("a", "look"),
        ]);
        let blank = conversation(vec![
            Message::new(Role::User, "one"),
            Message::new(Role::User, " "),
            Message::new(Role::Assistant, "two"),
        ]);
        let (sessions, _) = written(&[none, blank], &[]);
        assert_eq!(sessions.len(), 2);
        assert_eq!(sessions[0]["session_id"], "session-1");
        assert_eq!(sessions[1]["session_id"], "session-2");
        assert_eq!(sessions[0]["source"]["format"], "a-chat");
        assert!(sessions[1].get("source").is_none());
        let turns = |session: usize| sessions[session]["turns"].as_array().map_or(0, Vec::len);
        assert_eq!((turns(0), turns(1)), (1, 1));
        assert!(sessions[0]["turns"][0].get("user_message").is_none());
        assert_eq!(sessions[1]["turns"][0]["turn_result"]["response"], "two");
    }
}
