//! What the traces of several tools have in common: attributes whose keys are paths, messages in
//! many spellings, and calls of a model that each repeat what was said before.

use std::collections::{BTreeMap, HashMap};

use super::super::conversation::{Conversation, Message, Outcome, Role};
use super::super::notes::Notes;
use super::openai;
use crate::document::{Entry, Node, Number, Value, parse_json_at};
use crate::text::Place;

/// A span that says something.
pub(super) struct Span {
    /// The conversation that it says it is of.
    pub(super) session: Option<String>,
    pub(super) trace: String,
    /// When it began, so that the order of texts is that of time.
    pub(super) at: String,
    /// Whether it is around the calls of a model: what it has stands in them as well.
    pub(super) is_around: bool,
    pub(super) step: Step,
}

/// The conversations of spans, in the order in which they are first met.
pub(super) fn conversations(spans: Vec<Span>) -> Vec<Conversation> {
    let named = spans.iter().filter_map(|span| {
        let session = span.session.clone()?;
        Some((span.trace.clone(), session))
    });
    let sessions: HashMap<String, String> = named.collect();
    let mut places = HashMap::<String, usize>::new();
    let mut groups: Vec<(String, Vec<Span>)> = Vec::new();
    for span in spans {
        let of_trace = || sessions.get(&span.trace).cloned();
        let session = span.session.clone().or_else(of_trace);
        let id = session.unwrap_or_else(|| span.trace.clone());
        let at = *places.entry(id.clone()).or_insert_with(|| {
            groups.push((id, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, group)) = groups.get_mut(at) {
            group.push(span);
        }
    }
    let conversations = groups.into_iter().map(|(id, mut spans)| {
        let is_call = |span: &Span| !span.is_around && matches!(span.step, Step::Exchange(..));
        if spans.iter().any(is_call) {
            spans.retain(|span| !span.is_around);
        }
        crate::text::sort_by_key(&mut spans, |span| span.at.clone());
        Conversation {
            id,
            messages: together(spans.into_iter().map(|span| span.step).collect()),
            ..Conversation::default()
        }
    });
    conversations.collect()
}

/// The messages of a call, the reply with what is known of the call.
pub(super) fn exchange(
    input: Option<&Node>,
    output: Option<&Node>,
    about: (Option<String>, Option<u64>),
    notes: &mut Notes,
) -> Step {
    let input = input.map(|input| messages(input, Role::User, notes));
    let output = output.map(|output| messages(output, Role::Assistant, notes));
    let mut output = output.unwrap_or_default();
    let (model, input_tokens) = about;
    if let Some(last) = output.last_mut() {
        last.model = model.or(last.model.take());
        last.input_tokens = input_tokens;
    }
    Step::Exchange(input.unwrap_or_default(), output)
}

/// The spans of a row: those of OTLP, or the row itself.
pub(super) fn spans(row: &Node) -> Vec<&Node> {
    if !is_otlp(row) {
        return vec![row];
    }
    let resources = list(row, ["resourceSpans", "resource_spans"]).iter();
    let scopes = resources.flat_map(|row| list(row, ["scopeSpans", "scope_spans"]));
    scopes
        .flat_map(|row| list(row, ["spans", "spans"]))
        .collect()
}

/// Whether a row has the spans of OTLP in it.
pub(super) fn is_otlp(row: &Node) -> bool {
    row.get("resourceSpans").is_some() || row.get("resource_spans").is_some()
}

fn list<'a>(row: &'a Node, keys: [&str; 2]) -> &'a [Node] {
    let found = keys.iter().find_map(|key| row.get(key));
    found.map_or(&[], Node::items)
}

/// The trace of a span.
pub(super) fn trace(span: &Node) -> String {
    let paths = ["traceId", "trace_id", "context.trace_id"];
    let found = paths.iter().find_map(|path| span.find(path)?.text());
    found.unwrap_or_default().to_owned()
}

/// When a span began, so that the order of texts is that of time.
pub(super) fn start(span: &Node) -> String {
    let keys = [
        "startTimeUnixNano",
        "start_time_unix_nano",
        "startTime",
        "start_time",
    ];
    let found = keys.iter().find_map(|key| span.get(key));
    match found.map(|found| &found.value) {
        Some(Value::String(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{text:0>20}")
        }
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(Number::Integer(number))) => format!("{:020}", (*number).max(0)),
        Some(Value::Number(number)) => format!("{:020.0}", number.as_f64().max(0.0)),
        _ => String::new(),
    }
}

/// Whether a span says that it ended with an error.
pub(super) fn is_failed(span: &Node) -> bool {
    let code = ["status.code", "status_code", "status.status_code"];
    let code = code.iter().find_map(|path| span.find(path));
    code.is_some_and(|code| match &code.value {
        Value::String(text) => text == "ERROR" || text == "STATUS_CODE_ERROR",
        _ => code.number() == Some(2.0),
    })
}

/// A step of a trace.
pub(super) enum Step {
    /// A call of a model: what went in, and what came out.
    Exchange(Vec<Message>, Vec<Message>),
    /// What became of a tool that the steps before called.
    Outcome(Outcome),
}

/// The messages of steps in the order of time. A call has what was said before in it, or only what
/// is new: what is known already stands once.
fn together(steps: Vec<Step>) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for step in steps {
        let (input, output) = match step {
            Step::Exchange(input, output) => (input, output),
            Step::Outcome(outcome) => {
                if let Some(last) = messages.last_mut() {
                    last.outcomes.push(outcome);
                }
                continue;
            }
        };
        let alike = input.iter().zip(&messages);
        let known = alike
            .take_while(|(one, other)| are_alike(one, other))
            .count();
        let has_talk = input[..known]
            .iter()
            .any(|message| message.role != Role::System);
        // a history that was rewritten further on takes the place of what it was
        if has_talk && input.len() >= messages.len() {
            messages.truncate(known);
        }
        messages.extend(input.into_iter().skip(known));
        messages.extend(output);
    }
    messages
}

fn are_alike(one: &Message, other: &Message) -> bool {
    let names = |message: &Message| -> Vec<String> {
        let calls = message.calls.iter();
        calls.map(|call| call.name.clone()).collect()
    };
    one.role == other.role && one.text.trim() == other.text.trim() && names(one) == names(other)
}

/// The messages of a value: a list of them, one of them, an object that has them somewhere, the
/// same as a text of JSON, or a text that is what `role` says.
fn messages(value: &Node, role: Role, notes: &mut Notes) -> Vec<Message> {
    let Some(text) = value.text() else {
        return of_value(value, role, notes);
    };
    let inner = embedded(value);
    let found = inner.map_or_else(Vec::new, |inner| of_value(&inner, role, notes));
    if !found.is_empty() {
        return found;
    }
    // what is no message of any spelling is the text that it is
    let message = Message {
        line: value.place.line,
        ..Message::new(role, text)
    };
    vec![message]
}

/// The value that a text of JSON stands for.
fn embedded(value: &Node) -> Option<Node> {
    let text = value.text()?;
    let looks_so = text.trim_start().starts_with(['{', '[']);
    let place = value.place;
    looks_so.then(|| parse_json_at(text, place, &mut Vec::new()).ok())?
}

/// Where objects have their messages.
const INSIDE: [&str; 10] = [
    "messages",
    "choices",
    "generations",
    "message",
    "output",
    "input",
    "args",
    "contents",
    "content",
    "text",
];

fn of_value(value: &Node, role: Role, notes: &mut Notes) -> Vec<Message> {
    let mut found = Vec::new();
    // by hand and not by recursion: how deep it goes is up to the file
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !value.items().is_empty() {
            open.extend(value.items().iter().rev());
        } else if let Some(message) = message(value, role, notes) {
            found.push(message);
        } else if let Some(inner) = INSIDE.iter().find_map(|key| value.get(key)) {
            open.push(inner);
        }
    }
    found
}

/// A message, if a value is one. LangChain has its own spellings: `{"type": "human"}`, `{"id":
/// [..., "HumanMessage"], "kwargs"}`, and a `{"text", "message"}` around a reply.
fn message(value: &Node, role: Role, notes: &mut Notes) -> Option<Message> {
    if let Some(text) = value.text() {
        return (!text.is_empty()).then(|| Message {
            line: value.place.line,
            ..Message::new(role, text)
        });
    }
    let class = value.get("id").and_then(|id| id.items().last()?.text());
    let (named, own) = match (class, value.get("kwargs"), value.get("data")) {
        (Some(class), Some(kwargs), _) => {
            let class = class.trim_end_matches("Chunk").trim_end_matches("Message");
            (Role::named(class), kwargs)
        }
        (_, _, Some(data)) if data.is_object() => (word(value, "type").and_then(Role::named), data),
        _ => {
            let name = word(value, "role").or_else(|| word(value, "type"));
            (name.and_then(Role::named), value)
        }
    };
    let contents: &[&str] = match named {
        Some(_) => &["content", "contents", "parts", "tool_calls"],
        None => &["content", "tool_calls"],
    };
    let is_there = |key: &&str| own.get(key).is_some_and(|value| value.value != Value::Null);
    let has_content = contents.iter().any(is_there);
    if !has_content {
        return None;
    }
    // replies often stand without a role
    let role = named.unwrap_or(role);
    let mut message = openai::message_of(role, own, notes);
    let calls = own.find("additional_kwargs.tool_calls");
    if message.calls.is_empty() {
        let calls = calls.map_or(&[][..], Node::items);
        message.calls.extend(calls.iter().map(openai::called));
    }
    if word(own, "status") == Some("error") {
        for outcome in &mut message.outcomes {
            outcome.failed = Some(true);
        }
    }
    Some(message)
}

pub(super) fn word<'a>(row: &'a Node, key: &str) -> Option<&'a str> {
    row.get(key).and_then(Node::text)
}

/// A number of tokens.
pub(super) fn tokens(value: Option<&Node>) -> Option<u64> {
    let number = match &value?.value {
        Value::String(text) => text.parse().ok()?,
        _ => value?.number()?,
    };
    (number >= 0.0).then_some(number as u64)
}

/// How many parts of a key are taken apart.
const DEEPEST: usize = 12;
/// How many parts of all keys of a row are taken apart; further keys stay whole.
const MOST: usize = 1 << 16;

/// A value with the points in its keys taken apart, and lists where the parts are numbers:
/// `{"a.0.b": 1}` is `{"a": [{"b": 1}]}`.
pub(super) fn nested(value: &Node) -> Node {
    apart(value, &mut { MOST })
}

fn apart(value: &Node, room: &mut usize) -> Node {
    match &value.value {
        Value::Map(entries) => {
            let mut tree = Tree::default();
            for entry in entries {
                let value = apart(&entry.node, room);
                tree.add(&entry.key, value, room);
            }
            tree.node(value.place)
        }
        Value::List(items) => {
            let items = items.iter().map(|item| apart(item, room)).collect();
            of(value.place, Value::List(items))
        }
        _ => value.clone(),
    }
}

/// The attributes of a span: an object, or the list `[{"key", "value": {"stringValue"}}]` of OTLP.
pub(super) fn attributes(span: &Node) -> Node {
    match span.get("attributes") {
        Some(attributes) if attributes.is_object() => nested(attributes),
        Some(attributes) => pairs(attributes.items(), attributes.place, &mut { MOST }),
        None => of(span.place, Value::Null),
    }
}

fn pairs(items: &[Node], place: Place, room: &mut usize) -> Node {
    let mut tree = Tree::default();
    for item in items {
        if let Some(value) = item.get("value") {
            let value = plain(value, room);
            tree.add(word(item, "key").unwrap_or_default(), value, room);
        }
    }
    tree.node(place)
}

/// A value without the word of its type that OTLP puts around it.
fn plain(value: &Node, room: &mut usize) -> Node {
    let [entry] = value.entries() else {
        return value.clone();
    };
    let own = &entry.node;
    let values = own.get("values").map_or(&[][..], Node::items);
    match entry.key.replace('_', "").to_ascii_lowercase().as_str() {
        "stringvalue" | "intvalue" | "doublevalue" | "boolvalue" => own.clone(),
        "arrayvalue" => {
            let values = values.iter().map(|value| plain(value, room)).collect();
            of(value.place, Value::List(values))
        }
        "kvlistvalue" => pairs(values, value.place, room),
        _ => value.clone(),
    }
}

fn of(place: Place, value: Value) -> Node {
    Node {
        place,
        range: 0..0,
        value,
    }
}

#[derive(Default)]
struct Tree {
    value: Option<Node>,
    parts: BTreeMap<String, Tree>,
}

impl Tree {
    fn add(&mut self, key: &str, value: Node, room: &mut usize) {
        let most = if *room < DEEPEST { 1 } else { DEEPEST };
        let mut at = self;
        for part in key.splitn(most, '.') {
            if !at.parts.contains_key(part) {
                *room = room.saturating_sub(1);
            }
            at = at.parts.entry(part.to_owned()).or_default();
        }
        at.value = Some(value);
    }

    /// The value that it stands for; no deeper than keys have parts.
    fn node(self, place: Place) -> Node {
        if self.parts.is_empty() {
            let empty = || of(place, Value::Map(Vec::new()));
            return self.value.unwrap_or_else(empty);
        }
        let place = self.value.as_ref().map_or(place, |value| value.place);
        let number = |key: &String| key.parse::<usize>().ok();
        if self.parts.keys().all(|key| number(key).is_some()) {
            let mut parts: Vec<_> = self.parts.into_iter().collect();
            crate::text::sort_by_key(&mut parts, |(key, _)| number(key));
            let items = parts.into_iter().map(|(_, part)| part.node(place));
            return of(place, Value::List(items.collect()));
        }
        let mut entries = match self.value.map(|value| value.value) {
            Some(Value::Map(entries)) => entries,
            _ => Vec::new(),
        };
        entries.extend(self.parts.into_iter().map(|(key, part)| Entry {
            key,
            place,
            range: 0..0,
            node: part.node(place),
        }));
        of(place, Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    fn said(role: Role, texts: &[&str]) -> Vec<Message> {
        let messages = texts.iter().enumerate().map(|(at, text)| {
            let other = match role {
                Role::User => Role::Assistant,
                _ => Role::User,
            };
            Message::new(if at % 2 == 0 { role } else { other }, *text)
        });
        messages.collect()
    }

    fn texts(steps: Vec<(Vec<Message>, Vec<Message>)>) -> Vec<String> {
        let steps = steps
            .into_iter()
            .map(|(input, output)| Step::Exchange(input, output));
        let messages = together(steps.collect());
        messages.into_iter().map(|message| message.text).collect()
    }

    #[test]
    fn what_was_said_before_stands_once() {
        use Role::{Assistant, User};
        let whole = vec![
            (said(User, &["a"]), said(Assistant, &["b"])),
            (said(User, &["a", "b ", "c"]), said(Assistant, &["d"])),
        ];
        assert_eq!(texts(whole), ["a", "b", "c", "d"]);
        let new_only = vec![
            (said(User, &["a"]), said(Assistant, &["b"])),
            (said(User, &["c"]), said(Assistant, &["d"])),
        ];
        assert_eq!(texts(new_only), ["a", "b", "c", "d"]);
        let rewritten = vec![
            (said(User, &["a"]), said(Assistant, &["b"])),
            (said(User, &["a", "B!", "c"]), said(Assistant, &["d"])),
        ];
        assert_eq!(texts(rewritten), ["a", "B!", "c", "d"]);
    }

    #[test]
    fn keys_are_taken_apart_as_far_as_there_is_room() {
        let row = parse_json(r#"{"a.10.b": 1, "a.9.b": 2, "c": {"d.e": "f"}, "c.g": true}"#);
        let row = nested(&row.expect("JSON"));
        let numbers = row.get("a").map_or(&[][..], Node::items).iter();
        let numbers: Vec<_> = numbers.filter_map(|item| item.get("b")?.number()).collect();
        assert_eq!(numbers, [2.0, 1.0]);
        assert_eq!(row.find("c.d.e").and_then(Node::text), Some("f"));
        assert_eq!(row.find("c.g").and_then(Node::flag), Some(true));
        let keys: Vec<_> = (0..MOST).map(|at| format!("\"k{at}.x\": 0")).collect();
        let wide = parse_json(&format!("{{{}}}", keys.join(","))).expect("JSON");
        let wide = nested(&wide);
        assert!(wide.find("k0.x").is_some());
        assert!(wide.get(&format!("k{}.x", MOST - 1)).is_some());
    }
}
