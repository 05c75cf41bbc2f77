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
/// Of how many tools it is asked whether they write: a table of more is no choice.
const MOST_TOOLS: usize = 100;

/// What can be said of a tool.
const WRITING: [&str; 2] = ["writes", "reads"];

/// Words by which a reply says that something was changed.
const SAYS_SO: [&str; 24] = [
    "added",
    "applied",
    "booked",
    "cancelled",
    "canceled",
    "changed",
    "committed",
    "created",
    "deleted",
    "deployed",
    "edited",
    "inserted",
    "moved",
    "patched",
    "pushed",
    "removed",
    "renamed",
    "replaced",
    "saved",
    "sent",
    "set",
    "updated",
    "wrote",
    "written",
];

/// How it is told whether a turn that changed something said so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Acknowledged {
    /// Nobody says: that its tools passed stands for it.
    LeftOut,
    All,
    None,
    /// Those whose response has one of some words.
    BySaying,
}

const ACKNOWLEDGED: [(&str, Acknowledged); 4] = [
    ("left out", Acknowledged::LeftOut),
    ("yes", Acknowledged::All),
    ("no", Acknowledged::None),
    ("by its words", Acknowledged::BySaying),
];

#[derive(Debug, Serialize)]
struct Turn<'a> {
    #[serde(rename = "turn_number")]
    number: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_message: Option<&'a str>,
    has_mutations: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    acknowledged: Option<bool>,
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
    /// Of tools that were asked for by name, whether they write.
    tools: BTreeMap<String, bool>,
    acknowledged: Acknowledged,
    /// Words by which a response says that something was changed, in lower case.
    words: Vec<String>,
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
        let tools = ask_tools(messages(), &writes, mapping);
        let mut rules = Self {
            action,
            writes,
            tools,
            acknowledged: Acknowledged::LeftOut,
            words: Vec::new(),
            windows: BTreeMap::new(),
        };
        let mut calls = messages().flat_map(|message| &message.calls);
        if calls.any(|call| rules.writes(&call.name)) {
            rules.ask_acknowledged(mapping);
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
        rules.windows = windows.collect();
        rules
    }

    /// Asks what stands for `acknowledged`, which no log has: once for all turns.
    fn ask_acknowledged(&mut self, mapping: &mut Mapping) {
        let options = ACKNOWLEDGED.map(|(words, _)| words);
        let label = "A turn that writes says so (left out: if its tools passed)";
        let chosen = mapping.one_of("acknowledged", label, &options, options[0]);
        let known = ACKNOWLEDGED.iter().find(|(words, _)| *words == chosen);
        self.acknowledged = known.map_or(Acknowledged::LeftOut, |(_, how)| *how);
        if self.acknowledged == Acknowledged::BySaying {
            let label = "A response says so if it has the word";
            let words = mapping.names("acknowledged.words", label, &SAYS_SO);
            self.words = words.iter().map(|word| word.to_lowercase()).collect();
        }
    }

    /// Whether a tool writes: as somebody said, or by its name.
    fn writes(&self, tool: &str) -> bool {
        let is_named = || self.writes.iter().any(|word| has_word(tool, word));
        self.tools.get(tool).copied().unwrap_or_else(is_named)
    }

    /// Whether a turn that writes says so; none where nobody says.
    fn acknowledges(&self, response: Option<&str>) -> Option<bool> {
        match self.acknowledged {
            Acknowledged::LeftOut => None,
            Acknowledged::All => Some(true),
            Acknowledged::None => Some(false),
            Acknowledged::BySaying => {
                let words = response
                    .unwrap_or_default()
                    .split(|c: char| !c.is_alphanumeric());
                let mut words = words.map(str::to_lowercase);
                Some(words.any(|word| self.words.contains(&word)))
            }
        }
    }
}

/// Asks of each tool that is called whether it writes; proposed is what its name tells.
fn ask_tools<'a>(
    messages: impl Iterator<Item = &'a Message>,
    writes: &[String],
    mapping: &mut Mapping,
) -> BTreeMap<String, bool> {
    let calls = messages.flat_map(|message| &message.calls);
    let names: BTreeSet<&str> = calls.map(|call| call.name.as_str()).collect();
    let asked = names.into_iter().take(MOST_TOOLS).map(|name| {
        let is_named = writes.iter().any(|word| has_word(name, word));
        let key = format!("tool.{name}");
        let by_name = WRITING[usize::from(!is_named)];
        let chosen = mapping.one_of(&key, &format!("The tool {name}"), &WRITING, by_name);
        (name.to_owned(), chosen == WRITING[0])
    });
    asked.collect()
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
            close(&mut turns, &mut outcomes, rules);
            turns.push(Turn {
                number: turns.len() + 1,
                action: &rules.action,
                user_message: is_user.then_some(message.text.as_str()),
                has_mutations: false,
                acknowledged: None,
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
            turn.has_mutations |= rules.writes(&call.name);
            turn.result.tools.push(Tool { name: &call.name });
        }
        if message.input_tokens.is_some() {
            turn.result.context_utilization = used(message, conversation, rules);
        }
        let others = message.alternatives.len();
        notes.drop_many("other replies at the same place", others, line);
    }
    close(&mut turns, &mut outcomes, rules);
    turns
}

/// A turn's tools passed if there are some and none is said to have failed; whether it said what
/// it changed is known when its last response is.
fn close(turns: &mut [Turn], outcomes: &mut Vec<&Outcome>, rules: &Rules) {
    if let Some(turn) = turns.last_mut()
        && turn.has_mutations
    {
        turn.acknowledged = rules.acknowledges(turn.result.response);
    }
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
    fn what_writes_and_whether_it_is_said_is_chosen_for_all_turns_at_once() {
        let conversation = conversation(vec![
            Message::new(Role::User, "one"),
            call("a", "archive"),
            Message::new(Role::Assistant, "It is Archived now."),
            Message::new(Role::User, "two"),
            call("b", "edit_file"),
            call("c", "archive"),
            Message::new(Role::Assistant, "Done."),
            Message::new(Role::User, "three"),
            Message::new(Role::Assistant, "You are welcome. Archived."),
        ]);
        let found = |set: &[(&str, &str)]| {
            let set = set
                .iter()
                .map(|(key, word)| (*key, Value::Text((*word).into())));
            let set: Vec<_> = set.collect();
            let (sessions, mapping) = written(std::slice::from_ref(&conversation), &set);
            assert_eq!(mapping.refused(), Vec::<String>::new());
            let turns = sessions[0]["turns"].as_array().expect("turns").iter();
            let said = turns.map(
                |turn| match (&turn["has_mutations"], turn.get("acknowledged")) {
                    (serde_json::Value::Bool(false), None) => "reads".to_owned(),
                    (_, said) => said.map_or("writes".to_owned(), ToString::to_string),
                },
            );
            said.collect::<Vec<_>>()
        };
        assert_eq!(found(&[]), ["reads", "writes", "reads"]);
        let archive = ("tool.archive", "writes");
        assert_eq!(found(&[archive]), ["writes", "writes", "reads"]);
        assert_eq!(found(&[("tool.edit_file", "reads")]), ["reads"; 3]);
        let said = |word| found(&[archive, ("acknowledged", word)]);
        assert_eq!(said("yes"), ["true", "true", "reads"]);
        assert_eq!(said("no"), ["false", "false", "reads"]);
        assert_eq!(said("by its words"), ["false", "false", "reads"]);
        let words = ("acknowledged.words", "archived, done");
        let by_words = ("acknowledged", "by its words");
        assert_eq!(
            found(&[archive, by_words, words]),
            ["true", "true", "reads"]
        );
        assert_eq!(
            found(&[by_words, ("acknowledged.words", "archived")]),
            ["reads", "false", "reads"]
        );
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
