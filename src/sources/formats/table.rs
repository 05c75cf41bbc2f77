//! Tables: objects that have nothing but texts, as CSV has them. Which column is what, the mapping
//! says; what it starts with is guessed by the names of the columns and by what is in them.

use super::super::content::Content;
use super::super::conversation::{Conversation, Label, Message, Role};
use super::super::fields::field;
use super::super::format::{Context, Format, Group};
use super::super::mapping::Mapping;
use super::super::shape::Shape;
use crate::document::Node;
use std::collections::HashMap;

pub(in crate::sources) const FORMAT: Format = Format {
    key: "table",
    noun: "a table",
    shapes: &[Shape {
        has: &["{all}:text"],
        lacks: &[],
    }],
    group: |_| Group::All,
    read,
};

/// Whether records that do not come from a table look like its rows: a single flat object may be
/// anything, lines with a severity are the log of a program, and somebody has to say something.
pub(in crate::sources) fn are_rows(records: &[Node]) -> bool {
    let [first, _, ..] = records else {
        return false;
    };
    let names: Vec<&str> = first.entries().iter().map(|entry| &*entry.key).collect();
    let guess = Guess {
        rows: records,
        names: &names,
    };
    let is_log = names.iter().any(|name| LOGS.contains(name));
    !is_log && (guess.role().is_some() || guess.named(&TEXTS).is_some())
}

/// What the lines of a program's log have.
const LOGS: [&str; 4] = ["severity", "level", "levelname", "log_level"];
/// No column.
const NONE: &str = "(none)";
/// Rows that are looked at to guess.
const LOOKED_AT: usize = 200;

/// Which column is what; none where there is none.
struct Columns {
    session: Option<String>,
    role: Option<String>,
    text: Option<String>,
    prompt: Option<String>,
    label: Option<String>,
}

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let columns = Columns::ask(rows, &mut context.mapping);
    let mut found = Vec::<Conversation>::new();
    let mut known = HashMap::<&str, usize>::new();
    let value = |row: &'_ Node, column: &Option<String>| {
        let column = column.as_deref()?;
        Some(row.get(column)?.text()?.trim().to_owned())
    };
    for row in rows {
        let id = columns
            .session
            .as_deref()
            .map_or("", |column| field(row, column));
        let at = *known.entry(id).or_insert_with(|| {
            found.push(Conversation {
                id: id.to_owned(),
                ..Conversation::default()
            });
            found.len() - 1
        });
        let line = row.place.line;
        let name = value(row, &columns.role);
        let Some(role) = name.as_deref().map_or(Some(Role::Assistant), Role::named) else {
            let name = name.unwrap_or_default();
            context
                .notes
                .drop(&format!("rows of the role {name:?}"), line);
            continue;
        };
        let messages = &mut found[at].messages;
        if let Some(prompt) = value(row, &columns.prompt).filter(|prompt| !prompt.is_empty()) {
            messages.push(Message {
                line,
                ..Message::new(Role::User, prompt)
            });
        }
        let mut message = Message {
            line,
            ..Message::new(role, value(row, &columns.text).unwrap_or_default())
        };
        if let (Some(column), Some(text)) = (&columns.label, value(row, &columns.label)) {
            message.labels.extend(label(column, &text));
        }
        messages.push(message);
    }
    found.into_iter().map(Content::Conversation).collect()
}

/// What a cell says of a reply; nothing where it is empty.
fn label(column: &str, text: &str) -> Option<Label> {
    let value = match text.to_ascii_lowercase().as_str() {
        "" => return None,
        "true" => Some(1.0),
        "false" => Some(0.0),
        number => number.parse().ok().filter(|value: &f64| value.is_finite()),
    };
    Some(Label {
        name: column.to_owned(),
        value,
        text: text.to_owned(),
        reason: None,
    })
}

impl Columns {
    fn ask(rows: &[Node], mapping: &mut Mapping) -> Self {
        let rows = &rows[..rows.len().min(LOOKED_AT)];
        let mut names = Vec::<&str>::new();
        for entry in rows.first().map_or(&[][..], Node::entries) {
            names.push(&entry.key);
        }
        let guess = Guess {
            rows,
            names: &names,
        };
        let role = guess.role();
        let text = guess.text();
        let session = guess.session();
        let prompt = role.is_none().then(|| guess.named(&PROMPTS)).flatten();
        let label = guess.named(&LABELS).filter(|name| Some(*name) != text);
        let options: Vec<&str> = std::iter::once(NONE).chain(names.iter().copied()).collect();
        let mut ask = |key: &str, words: &str, default: Option<&str>| {
            let chosen = mapping.one_of(key, words, &options, default.unwrap_or(NONE));
            (chosen != NONE).then_some(chosen)
        };
        Self {
            session: ask("column.session", "Column of the session", session),
            role: ask("column.role", "Column of who speaks", role),
            text: ask("column.text", "Column of the text", text),
            prompt: ask(
                "column.prompt",
                "Column of what is answered",
                prompt.filter(|name| Some(*name) != text),
            ),
            label: ask("column.label", "Column of a judgement (0 or 1)", label),
        }
    }
}

const SESSIONS: [&str; 8] = [
    "session",
    "conversation",
    "chat",
    "thread",
    "dialog",
    "dialogue",
    "ticket",
    "call",
];
const ROLES: [&str; 6] = ["role", "speaker", "sender", "author", "from", "who"];
const TEXTS: [&str; 10] = [
    "text",
    "response",
    "reply",
    "answer",
    "output",
    "completion",
    "message",
    "content",
    "assistant",
    "utterance",
];
const PROMPTS: [&str; 6] = [
    "prompt",
    "question",
    "user",
    "input",
    "instruction",
    "query",
];
const LABELS: [&str; 5] = ["label", "score", "rating", "verdict", "passed"];

/// Guesses what columns are.
struct Guess<'a> {
    rows: &'a [Node],
    names: &'a [&'a str],
}

impl<'a> Guess<'a> {
    /// The first column with one of some words in its name, in the order of the words.
    fn named(&self, words: &[&str]) -> Option<&'a str> {
        let has = |name: &str, word: &str| {
            let name = name.to_lowercase();
            name.split(|c: char| !c.is_alphanumeric())
                .any(|part| part == word)
        };
        let found = words
            .iter()
            .find_map(|word| self.names.iter().find(|name| has(name, word)));
        found.copied()
    }

    fn values(&self, column: &str) -> impl Iterator<Item = &'a str> {
        let rows = self.rows.iter();
        rows.filter_map(move |row| row.get(column)?.text())
            .filter(|text| !text.trim().is_empty())
    }

    /// The column named as one of roles in which most are known, or else one in which only such stand.
    fn role(&self) -> Option<&'a str> {
        let known = |name: &&str| {
            let values = self.values(name);
            let are_known = values.map(|value| usize::from(Role::named(value.trim()).is_some()));
            are_known.fold((0, 0), |(all, known), is_known| (all + 1, known + is_known))
        };
        let most_roles = |name: &&str| {
            let (all, known) = known(name);
            known * 2 > all
        };
        let only_roles = |name: &&str| {
            let (all, known) = known(name);
            known > 0 && known == all
        };
        let named = self.named(&ROLES).filter(most_roles);
        named.or_else(|| self.names.iter().copied().find(only_roles))
    }

    /// The column named as a text, or else the one with the longest texts.
    fn text(&self) -> Option<&'a str> {
        let length = |name: &&str| self.values(name).map(str::len).sum::<usize>();
        let longest = || self.names.iter().copied().max_by_key(length);
        self.named(&TEXTS).or_else(longest)
    }

    /// The column named as a session, or an id that stands more than once.
    fn session(&self) -> Option<&'a str> {
        let repeats = |name: &&str| {
            let mut values: Vec<&str> = self.values(name).collect();
            let all = values.len();
            values.sort_unstable();
            values.dedup();
            values.len() < all
        };
        self.named(&SESSIONS)
            .or_else(|| self.named(&["id"]).filter(|name| repeats(name)))
    }
}
