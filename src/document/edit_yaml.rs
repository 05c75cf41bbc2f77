//! Changes of a YAML text that leave everything else in it as it was typed:
//! layout, comments, quotes, unknown keys.
//!
//! A change is made where the value stands. The text is then read again and must
//! say what was meant; what cannot be written so is refused.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use super::edit::{Draft as JsonDraft, edit_value, quoted};
use super::json::parse_json;
use super::node::{Entry, Node, Value};
use super::path::Step;
use super::problem::Problem;
use super::yaml::parse_yaml;
use crate::text::{Place, scalar_starts};

/// A list is changed item by item as long as that reads so many bytes; beyond that it is written
/// anew as a whole.
const MOST_RELISTED: usize = 4 << 20;

/// A change of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Replaces a value by a text, or adds the keys that lead to it.
    Set(Vec<Step>, String),
    /// Replaces a value by a list of texts, likewise.
    SetList(Vec<Step>, Vec<String>),
    /// Takes a key or an item out. The last item leaves an empty list or nothing.
    Remove(Vec<Step>),
    /// Puts a text at the end of a list that is there.
    Push(Vec<Step>, String),
    /// Puts the items of a list in another order, which names each of them once.
    Reorder(Vec<Step>, Vec<usize>),
}

/// The text, YAML or JSON, after a change of the value that was read from it; none
/// where the change cannot be made without touching anything else.
pub fn edit_yaml(text: &str, node: &Node, op: &Op) -> Option<String> {
    let wanted = wanted(node.clone(), op)?;
    let is_meant = |new: &str, read: fn(&str) -> Result<Node, Problem>| {
        read(new).is_ok_and(|node| same(&node.value, &wanted.value))
    };
    // values know their bytes where they were read from JSON
    if !node.bytes().is_empty() {
        let new = in_json(text, node, op);
        return is_meant(&new, parse_json).then_some(new);
    }
    let tree = tree(text);
    if let Op::SetList(path, texts) = op
        && let Some(steps) = relisted(node, path, texts)
        && steps.len() * text.len() <= MOST_RELISTED
    {
        return steps.iter().try_fold(text.to_owned(), |text, step| {
            edit_yaml(&text, &parse_yaml(&text).ok()?, step)
        });
    }
    // as its neighbours are written, or in quotes, which can say anything
    [Quotes::AsAround, Quotes::Double]
        .into_iter()
        .find_map(|quotes| {
            let splices = Draft {
                text,
                tree: tree.as_ref(),
                quotes,
            }
            .splices(op)?;
            let new = spliced(text, splices);
            is_meant(&new, parse_yaml).then_some(new)
        })
}

/// The changes that make other texts of a list, where there is one with items: what stays keeps
/// the way it is written.
fn relisted(node: &Node, path: &[Step], texts: &[String]) -> Option<Vec<Op>> {
    let Value::List(old) = &node.at(path)?.value else {
        return None;
    };
    let old: Vec<String> = old.iter().map(|item| item.typed(&[])).collect();
    let item = |at: usize| [path, &[Step::Item(at)]].concat();
    let kept = old.iter().zip(texts).take_while(|(a, b)| a == b).count();
    let (rest, new) = (&old[kept..], &texts[kept..]);
    let pairs = rest.iter().rev().zip(new.iter().rev());
    // what is new is pushed at the end: only what is taken out leaves the items behind it
    let behind = if rest.len() > new.len() {
        pairs.take_while(|(a, b)| a == b).count()
    } else {
        0
    };
    let (rest, new) = (rest.len() - behind, &new[..new.len() - behind]);
    let is_other = |at: &usize| old[kept + at] != new[*at];
    let sets = (0..rest.min(new.len())).filter(is_other);
    let sets = sets.map(|at| Op::Set(item(kept + at), new[at].clone()));
    let pushes = new.iter().skip(rest);
    let pushes = pushes.map(|text| Op::Push(path.to_vec(), text.clone()));
    let removes = (kept + new.len()..kept + rest).rev();
    let removes = removes.map(|at| Op::Remove(item(at)));
    (!old.is_empty()).then(|| sets.chain(pushes).chain(removes).collect())
}

/// Whether two values say the same; nothing, an empty list and an empty object do.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(one), Value::List(other)) => {
            let pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.into_iter().all(|(a, b)| same(&a.value, &b.value))
        }
        (Value::Map(one), Value::Map(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len()
                && pairs.all(|(a, b)| a.key == b.key && same(&a.node.value, &b.node.value))
        }
        _ => one == other || is_empty(one) && is_empty(other),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::List(items) => items.is_empty(),
        Value::Map(entries) => entries.is_empty(),
        _ => false,
    }
}

/// What the document is to say after a change.
fn wanted(mut node: Node, op: &Op) -> Option<Node> {
    let of = |text: &String| Value::String(text.clone());
    match op {
        Op::Set(path, text) => at(&mut node, path)?.value = of(text),
        Op::SetList(path, texts) => {
            at(&mut node, path)?.value = Value::List(texts.iter().map(of).map(placeless).collect());
        }
        Op::Remove(path) => {
            let (last, parent) = path.split_last()?;
            match (&mut at(&mut node, parent)?.value, last) {
                (Value::Map(entries), Step::Key(key)) => entries.retain(|entry| entry.key != *key),
                (Value::List(items), Step::Item(item)) if *item < items.len() => {
                    items.remove(*item);
                }
                _ => return None,
            }
        }
        Op::Push(path, text) => match &mut at(&mut node, path)?.value {
            Value::List(items) => items.push(placeless(of(text))),
            _ => return None,
        },
        Op::Reorder(path, order) => {
            let Value::List(items) = &mut at(&mut node, path)?.value else {
                return None;
            };
            let old = items.clone();
            *items = order
                .iter()
                .filter_map(|from| old.get(*from).cloned())
                .collect();
        }
    }
    Some(node)
}

fn placeless(value: Value) -> Node {
    Node {
        place: Place::START,
        range: 0..0,
        value,
    }
}

/// The value at a path; keys that are missing are added.
fn at<'a>(node: &'a mut Node, path: &[Step]) -> Option<&'a mut Node> {
    let Some((first, rest)) = path.split_first() else {
        return Some(node);
    };
    if node.value == Value::Null {
        node.value = Value::Map(Vec::new());
    }
    match (&mut node.value, first) {
        (Value::Map(entries), Step::Key(key)) => {
            let found = entries.iter().rposition(|entry| entry.key == *key);
            let index = found.unwrap_or_else(|| {
                entries.push(Entry {
                    key: key.clone(),
                    place: Place::START,
                    range: 0..0,
                    node: placeless(Value::Null),
                });
                entries.len() - 1
            });
            at(&mut entries.get_mut(index)?.node, rest)
        }
        (Value::List(items), Step::Item(item)) => at(items.get_mut(*item)?, rest),
        _ => None,
    }
}

fn in_json(text: &str, node: &Node, op: &Op) -> String {
    edit_value(text, node, |draft| match op {
        Op::Set(path, text) => add_json(draft, path, &quoted(text)),
        Op::SetList(path, texts) => add_json(draft, path, &flow(texts)),
        Op::Remove(path) => draft.remove(path),
        Op::Push(path, text) => draft.insert(path, usize::MAX, &quoted(text)),
        Op::Reorder(path, order) => draft.reorder(path, order),
    })
}

/// Sets a value, with the objects that are missing on the way to it.
fn add_json(draft: &mut JsonDraft, path: &[Step], json: &str) {
    let mut json = json.to_owned();
    let mut path = path;
    while let Some((Step::Key(key), parent)) = path.split_last()
        && !parent.is_empty()
        && !draft.has(parent)
    {
        json = format!("{{{}: {json}}}", quoted(key));
        path = parent;
    }
    draft.set(path, &json);
}

/// A key as it is written: bare where it is a name, in quotes where it could be read as anything else.
fn key_text(key: &str) -> String {
    let is_name = key.starts_with(|c: char| c.is_alphabetic())
        && key
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && !["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
            .contains(&&*key.to_lowercase());
    if is_name { key.to_owned() } else { quoted(key) }
}

fn flow(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// A value with its range in the text.
#[derive(Debug)]
struct Tree {
    range: Range<usize>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Scalar(ScalarStyle),
    /// Whether it stands in brackets.
    List(bool, Vec<Tree>),
    /// The same of an object.
    Map(bool, Vec<MapEntry>),
    /// What cannot be changed: an alias.
    Alias,
}

/// A key, its range and its value.
type MapEntry = (String, Range<usize>, Tree);

/// The tree of a text that parses; none where there is no value.
fn tree(text: &str) -> Option<Tree> {
    let mut grower = Grower {
        text,
        bytes: scalar_starts(text),
        parser: Parser::new_from_str(text),
    };
    loop {
        match grower.next()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
            (Event::StreamEnd | Event::DocumentEnd, _) => return None,
            (event, range) => return grower.grow(&event, range),
        }
    }
}

struct Grower<'a> {
    text: &'a str,
    /// Where each character begins.
    bytes: Vec<usize>,
    parser: Parser<'a, StrInput<'a>>,
}

impl<'a> Grower<'a> {
    fn next(&mut self) -> Option<(Event<'a>, Range<usize>)> {
        let (event, span) = self.parser.next_event()?.ok()?;
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(self.text.len());
        Some((event, byte(span.start.index())..byte(span.end.index())))
    }

    fn grow(&mut self, event: &Event, range: Range<usize>) -> Option<Tree> {
        let is_flow = self.text[range.clone()].ends_with(['[', '{']);
        let (end, kind) = match event {
            Event::Scalar(_, style, ..) => {
                return Some(Tree {
                    range: scalar(self.text, range, *style),
                    kind: Kind::Scalar(*style),
                });
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::SequenceEnd, range) => break range.end,
                        (event, range) => items.push(self.grow(&event, range)?),
                    }
                };
                let last = items.last().map(|item: &Tree| item.range.end);
                let end = if is_flow { end } else { last? };
                (end, Kind::List(is_flow, items))
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                let end = loop {
                    match self.next()? {
                        (Event::MappingEnd, range) => break range.end,
                        (Event::Scalar(key, style, ..), range) => {
                            let range = scalar(self.text, range, style);
                            let (event, value) = self.next()?;
                            let mut value = self.grow(&event, value)?;
                            if value.range.start <= range.end && value.range.is_empty() {
                                // nothing stands there: it would stand behind the colon
                                let colon = self.text[range.end..].find(':')?;
                                let place = range.end + colon + 1;
                                value.range = place..place;
                            }
                            entries.push((key.into_owned(), range, value));
                        }
                        _ => return None,
                    }
                };
                let last = entries
                    .last()
                    .map(|(_, _, value): &(_, _, Tree)| value.range.end);
                let end = if is_flow { end } else { last? };
                (end, Kind::Map(is_flow, entries))
            }
            Event::Alias(_) => (range.end, Kind::Alias),
            _ => return None,
        };
        Some(Tree {
            range: range.start..end,
            kind,
        })
    }
}

/// The range of a scalar as it is written: the parser's own leaves out how a
/// block begins, and takes in what follows a quote.
fn scalar(text: &str, range: Range<usize>, style: ScalarStyle) -> Range<usize> {
    let Range { start, end } = range;
    match style {
        ScalarStyle::Plain => start..end,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            let quote = text[start..].chars().next().unwrap_or_default();
            let mut characters = text[start..].char_indices().skip(1).peekable();
            while let Some((at, character)) = characters.next() {
                if character == '\\' && quote == '"' {
                    characters.next();
                } else if character == quote {
                    if quote == '\'' && characters.next_if(|(_, next)| *next == quote).is_some() {
                        continue;
                    }
                    return start..start + at + 1;
                }
            }
            start..end
        }
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let line = line_start(text, start);
            let depth = start - line;
            let header = text[..line].rfind(['|', '>']).unwrap_or(start);
            let mut last = text[..line].trim_end().len();
            let mut at = line;
            for line in text[line..].split_inclusive('\n') {
                let inner = line.trim();
                let indent = line.len() - line.trim_start().len();
                if !inner.is_empty() {
                    if indent < depth {
                        break;
                    }
                    last = at + line.trim_end().len();
                }
                at += line.len();
            }
            header..last.max(header)
        }
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Behind the line in which a place is.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Replaces ranges, which come in the order of the text.
fn spliced(text: &str, splices: Vec<(Range<usize>, String)>) -> String {
    let mut new = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (range, with) in splices {
        new.push_str(&text[at..range.start.max(at)]);
        new.push_str(&with);
        at = range.end.max(at);
    }
    new.push_str(&text[at..]);
    new
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    AsAround,
    Double,
}

/// A text to be changed.
struct Draft<'a> {
    text: &'a str,
    tree: Option<&'a Tree>,
    quotes: Quotes,
}

type Splices = Vec<(Range<usize>, String)>;

/// What a key or an item is to be.
enum New<'a> {
    Text(&'a str),
    List(&'a [String]),
}

impl<'a> Draft<'a> {
    fn splices(&self, op: &Op) -> Option<Splices> {
        match op {
            Op::Set(path, text) => self.set(path, &New::Text(text)),
            Op::SetList(path, texts) => self.set(path, &New::List(texts)),
            Op::Remove(path) => self.remove(path),
            Op::Push(path, text) => self.push(path, text),
            Op::Reorder(path, order) => self.reorder(path, order),
        }
    }

    fn find(&self, path: &[Step]) -> Option<&'a Tree> {
        path.iter()
            .try_fold(self.tree?, |tree, step| match (&tree.kind, step) {
                (Kind::Map(_, entries), Step::Key(key)) => entries
                    .iter()
                    .rev()
                    .find(|(name, ..)| name == key)
                    .map(|(_, _, value)| value),
                (Kind::List(_, items), Step::Item(item)) => items.get(*item),
                _ => None,
            })
    }

    /// A text as a scalar in one line, written as another one is.
    fn scalar(&self, text: &str, as_is: Option<ScalarStyle>) -> String {
        let is_line = !text.contains('\n');
        match as_is {
            _ if self.quotes == Quotes::Double => quoted(text),
            Some(ScalarStyle::SingleQuoted) if is_line => format!("'{}'", text.replace('\'', "''")),
            Some(ScalarStyle::DoubleQuoted) => quoted(text),
            // what is not safe this way is read as something else, and refused
            _ if is_line && !text.is_empty() => text.to_owned(),
            _ => quoted(text),
        }
    }

    fn set(&self, path: &[Step], new: &New) -> Option<Splices> {
        let is_blank_list = |old: &&Tree| matches!(new, New::List(_)) && old.range.is_empty();
        let Some(old) = self.find(path).filter(|old| !is_blank_list(old)) else {
            return self.add(path, new);
        };
        let before = if self.text[..old.range.start].ends_with([' ', '\n', '[', '{', ','])
            || old.range.start == 0
        {
            ""
        } else {
            " "
        };
        let with = match (new, &old.kind) {
            (New::List(texts), Kind::Scalar(_)) => flow(texts),
            (New::List(texts), Kind::List(true, items)) if items.is_empty() => flow(texts),
            (New::List(texts), Kind::List(true, items)) => {
                // the parser's end may lie behind a comment
                let last = items.last()?.range.end;
                let rest = self.text[last..].trim_start_matches([' ', '\n', ',']);
                let end = self.text.len() - rest.strip_prefix(']')?.len();
                return Some(vec![(old.range.start..end, flow(texts))]);
            }
            (New::List(texts), Kind::List(false, items)) => {
                let start = self.dash(items.first()?)?;
                let range = start..items.last()?.range.end;
                return Some(vec![(range, self.block_list(texts, start))]);
            }
            (New::Text(text), Kind::Scalar(style)) => self.replaced(text, old, *style),
            _ => return None,
        };
        Some(vec![(old.range.clone(), format!("{before}{with}"))])
    }

    /// Texts in place of a list that has a line for each item, and its first dash here.
    fn block_list(&self, texts: &[String], start: usize) -> String {
        let indent = " ".repeat(start - line_start(self.text, start));
        if texts.is_empty() {
            return " []".to_owned();
        }
        let lines: Vec<String> = texts
            .iter()
            .map(|text| format!("- {}", quoted(text)))
            .collect();
        lines.join(&format!("\n{indent}"))
    }

    /// A text in place of a scalar; a block stays one.
    fn replaced(&self, text: &str, old: &Tree, style: ScalarStyle) -> String {
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        if !is_block || self.quotes == Quotes::Double || text.trim().is_empty() {
            return self.scalar(text, Some(style));
        }
        let body = self.text[old.range.clone()].lines().skip(1);
        let first = body.into_iter().find(|line| !line.trim().is_empty());
        let depth = first.map_or(2, |line| line.len() - line.trim_start().len());
        let indent = " ".repeat(depth);
        let (end, text) = text
            .strip_suffix('\n')
            .map_or(("-", text), |text| ("", text));
        let lines = text.split('\n').map(|line| {
            if line.is_empty() {
                String::new()
            } else {
                format!("{indent}{line}")
            }
        });
        format!("|{end}\n{}", lines.collect::<Vec<_>>().join("\n"))
    }

    /// Adds the keys that are missing on the way to a value.
    fn add(&self, path: &[Step], new: &New) -> Option<Splices> {
        let there = (0..=path.len())
            .rev()
            .find(|depth| self.find(&path[..*depth]).is_some());
        let (parent, missing) = path.split_at(there.unwrap_or_default());
        let keys: Option<Vec<&str>> = missing
            .iter()
            .map(|step| match step {
                Step::Key(key) => Some(key.as_str()),
                Step::Item(_) => None,
            })
            .collect();
        let keys = keys?;
        let parent = self.find(parent);
        let (at, depth) = match parent.map(|parent| (&parent.kind, &parent.range)) {
            None => (self.text.len(), 0),
            Some((Kind::Map(true, entries), range)) => {
                return Some(vec![self.flow_entry(entries, range, &keys, new)]);
            }
            Some((Kind::Map(false, entries), range)) => {
                let (_, first, _) = entries.first()?;
                let depth = first.start - line_start(self.text, first.start);
                (line_end(self.text, range.end), depth)
            }
            // a key with nothing behind it
            Some((Kind::Scalar(ScalarStyle::Plain), range))
                if range.is_empty() && there > Some(0) =>
            {
                let line = line_start(self.text, range.start);
                let own = self.text[line..].len() - self.text[line..].trim_start_matches(' ').len();
                (line_end(self.text, range.end), own + 2)
            }
            Some(_) => return None,
        };
        let lines = self.block_lines(depth, &keys, new)?;
        let is_open = at > 0 && !self.text[..at].ends_with('\n');
        let before = if is_open { "\n" } else { "" };
        Some(vec![(at..at, format!("{before}{}\n", lines.join("\n")))])
    }

    /// An entry at the end of an object in braces; keys on the way are objects in braces.
    fn flow_entry(
        &self,
        entries: &[MapEntry],
        range: &Range<usize>,
        keys: &[&str],
        new: &New,
    ) -> (Range<usize>, String) {
        let mut entry = match new {
            New::Text(text) => self.scalar(text, None),
            New::List(texts) => flow(texts),
        };
        for (inner, key) in keys.iter().enumerate().rev() {
            entry = format!("{}: {entry}", key_text(key));
            if inner > 0 {
                entry = format!("{{{entry}}}");
            }
        }
        let last = entries.last().map(|(_, _, value)| value.range.end);
        let place = last.unwrap_or(range.start + 1);
        let comma = if last.is_some() { ", " } else { "" };
        (place..place, format!("{comma}{entry}"))
    }

    /// The lines of a key that is added, with the keys on the way to it.
    fn block_lines(&self, depth: usize, keys: &[&str], new: &New) -> Option<Vec<String>> {
        let indented = |depth: usize| " ".repeat(depth);
        let mut lines = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            lines.push(format!("{}{}:", indented(depth + 2 * index), key_text(key)));
        }
        match (new, lines.last_mut()) {
            (New::Text(text), Some(line)) => {
                line.push(' ');
                line.push_str(&self.scalar(text, None));
            }
            (New::Text(_), None) => return None,
            (New::List(texts), _) => {
                let indent = indented(depth + 2 * keys.len());
                lines.extend(
                    texts
                        .iter()
                        .map(|text| format!("{indent}- {}", self.scalar(text, None))),
                );
            }
        }
        Some(lines)
    }

    fn push(&self, path: &[Step], text: &str) -> Option<Splices> {
        let whole = self.find(path)?;
        let Kind::List(is_flow, items) = &whole.kind else {
            return None;
        };
        let last = items.last();
        let style = last.and_then(|last| match last.kind {
            Kind::Scalar(style) => Some(style),
            _ => None,
        });
        let new = self.scalar(text, style);
        if *is_flow {
            let place = last.map_or(whole.range.start + 1, |last| last.range.end);
            let comma = if last.is_some() { ", " } else { "" };
            return Some(vec![(place..place, format!("{comma}{new}"))]);
        }
        let dash = self.dash(items.first()?)?;
        let indent = &self.text[line_start(self.text, dash)..dash];
        let place = line_end(self.text, last?.range.end);
        let line = if self.text[..place].ends_with('\n') {
            format!("{indent}- {new}\n")
        } else {
            format!("\n{indent}- {new}")
        };
        Some(vec![(place..place, line)])
    }

    /// Where the dash of an item is: first in its line.
    fn dash(&self, item: &Tree) -> Option<usize> {
        let before = self.text[..item.range.start].trim_end();
        let dash = before.len().checked_sub(1)?;
        let is_first = self.text[line_start(self.text, dash)..dash]
            .trim()
            .is_empty();
        (before.ends_with('-') && is_first).then_some(dash)
    }

    fn remove(&self, path: &[Step]) -> Option<Splices> {
        let (last, parent) = path.split_last()?;
        let parent = self.find(parent)?;
        let (is_flow, parts, index): (bool, Vec<Range<usize>>, usize) = match (&parent.kind, last) {
            (Kind::Map(is_flow, entries), Step::Key(key)) => {
                let index = entries.iter().rposition(|(name, ..)| name == key)?;
                let parts = entries.iter();
                let parts = parts.map(|(_, name, value)| name.start..value.range.end);
                (*is_flow, parts.collect(), index)
            }
            (Kind::List(true, items), Step::Item(item)) => {
                let ranges = items.iter().map(|item| item.range.clone());
                (true, ranges.collect(), *item)
            }
            (Kind::List(false, items), Step::Item(item)) => {
                let parts = items.iter();
                let parts: Option<Vec<_>> = parts
                    .map(|item| Some(self.dash(item)?..item.range.end))
                    .collect();
                (false, parts?, *item)
            }
            _ => return None,
        };
        let part = parts.get(index)?;
        let range = if is_flow {
            match (index.checked_sub(1), parts.get(index + 1)) {
                (None, None) => part.clone(),
                (None, Some(next)) => part.start..next.start,
                (Some(before), _) => parts[before].end..part.end,
            }
        } else {
            // the whole lines, with a comment at their end
            let start = line_start(self.text, part.start);
            if !self.text[start..part.start].trim().is_empty() {
                return None;
            }
            start..line_end(self.text, part.end)
        };
        Some(vec![(range, String::new())])
    }

    fn reorder(&self, path: &[Step], order: &[usize]) -> Option<Splices> {
        let Kind::List(_, items) = &self.find(path)?.kind else {
            return None;
        };
        let splices = items.iter().zip(order).map(|(item, from)| {
            let from = self.text[items.get(*from)?.range.clone()].to_owned();
            Some((item.range.clone(), from))
        });
        splices.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Parsed;
    use super::*;
    use crate::path;

    const TEXT: &str = "# a voice\nid: m # its id\nexemplars:\n  - \"one\"  # first\n  - 'it''s two'\n  - |\n    three\n\n    lines\n  # the last\n  - four\n    goes on\nlexicon: {preferred: [a, \"b\" , c], x: 1}\n\nvoice:\nextra:\n- &a z\n- *a\n";

    #[allow(clippy::needless_pass_by_value)] // made where it is given
    fn done(op: Op) -> Option<String> {
        edited(TEXT, &op)
    }

    fn edited(text: &str, op: &Op) -> Option<String> {
        let parsed = Parsed::yaml(text);
        edit_yaml(text, parsed.node(0)?, op)
    }

    /// What differs from the text: lines taken out, and lines put in.
    #[allow(clippy::needless_pass_by_value)] // made where it is given
    fn differs(op: Op) -> (Vec<String>, Vec<String>) {
        let new = done(op).expect("possible");
        let (mut old, mut new): (Vec<&str>, Vec<&str>) =
            (TEXT.split('\n').collect(), new.split('\n').collect());
        while !old.is_empty() && old.first() == new.first() {
            old.remove(0);
            new.remove(0);
        }
        while !old.is_empty() && old.last() == new.last() {
            old.pop();
            new.pop();
        }
        let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect();
        (owned(old), owned(new))
    }

    fn set(path: &[Step], text: &str) -> Op {
        Op::Set(path.to_vec(), text.to_owned())
    }

    #[test]
    fn a_value_is_written_as_it_was_and_quoted_where_it_must_be() {
        let line = |op| differs(op).1;
        assert_eq!(line(set(path!["id"], "n")), ["id: n # its id"]);
        assert_eq!(line(set(path!["id"], "7")), ["id: \"7\" # its id"]);
        assert_eq!(line(set(path!["id"], "a: b")), ["id: \"a: b\" # its id"]);
        assert_eq!(line(set(path!["id"], "a #b")), ["id: \"a #b\" # its id"]);
        assert_eq!(
            line(set(path!["exemplars", 0], "say \"x\"")),
            ["  - \"say \\\"x\\\"\"  # first"]
        );
        assert_eq!(
            line(set(path!["exemplars", 1], "it's 2")),
            ["  - 'it''s 2'"]
        );
        assert_eq!(line(set(path!["exemplars", 1], "a\nb")), ["  - \"a\\nb\""]);
        assert_eq!(line(set(path!["exemplars", 3], "five")), ["  - five"]);
        assert_eq!(
            line(set(path!["lexicon", "preferred", 1], "ü, ]")),
            ["lexicon: {preferred: [a, \"ü, ]\" , c], x: 1}"]
        );
        assert_eq!(
            line(set(path!["lexicon", "preferred", 0], "d, e")),
            ["lexicon: {preferred: [\"d, e\", \"b\" , c], x: 1}"]
        );
    }

    #[test]
    fn a_block_stays_a_block_where_it_can() {
        let (old, new) = differs(set(path!["exemplars", 2], "3\n\nmore\n"));
        assert_eq!(
            (old.join("|"), new.join("|")),
            ("    three||    lines".into(), "    3||    more".into())
        );
        let (_, new) = differs(set(path!["exemplars", 2], "one line"));
        assert_eq!(new, ["  - |-", "    one line"]);
        let (_, new) = differs(set(path!["exemplars", 2], " starts with a space"));
        assert_eq!(new, ["  - \" starts with a space\""]);
    }

    #[test]
    fn keys_are_added_where_they_belong() {
        let (old, new) = differs(set(path!["voice", "tone"], "warm"));
        assert_eq!((old, new), (vec![], vec!["  tone: warm".to_owned()]));
        let (_, new) = differs(set(path!["style_rules", "formality"], "casual"));
        assert_eq!(new, ["style_rules:", "  formality: casual"]);
        let list = |path: &[Step]| Op::SetList(path.to_vec(), vec!["q".into()]);
        assert_eq!(
            differs(list(path!["lexicon", "avoid"])).1,
            ["lexicon: {preferred: [a, \"b\" , c], x: 1, avoid: [\"q\"]}"]
        );
        assert_eq!(
            differs(list(path!["voice", "lexicon", "avoid"])).1,
            ["  lexicon:", "    avoid:", "      - q"]
        );
        assert_eq!(
            edited("# only words\n", &set(path!["id"], "a")).as_deref(),
            Some("# only words\nid: a\n")
        );
        assert_eq!(
            edited("", &list(path!["exemplars"])).as_deref(),
            Some("exemplars:\n  - q\n")
        );
        assert_eq!(
            edited("id: a", &set(path!["name"], "b")).as_deref(),
            Some("id: a\nname: b\n")
        );
    }

    #[test]
    fn items_come_and_go_with_their_lines() {
        let push = |path: &[Step], text: &str| Op::Push(path.to_vec(), text.into());
        assert_eq!(
            differs(push(path!["exemplars"], "five")),
            (vec![], vec!["  - five".to_owned()])
        );
        assert_eq!(
            differs(push(path!["lexicon", "preferred"], "d")).1,
            ["lexicon: {preferred: [a, \"b\" , c, d], x: 1}"]
        );
        let remove = |path: &[Step]| Op::Remove(path.to_vec());
        assert_eq!(
            differs(remove(path!["exemplars", 0])).0,
            ["  - \"one\"  # first"]
        );
        assert_eq!(
            differs(remove(path!["exemplars", 2])).0,
            ["  - |", "    three", "", "    lines"]
        );
        assert_eq!(
            differs(remove(path!["exemplars", 3])).0,
            ["  - four", "    goes on"]
        );
        assert_eq!(
            differs(remove(path!["lexicon", "preferred", 1])).1,
            ["lexicon: {preferred: [a , c], x: 1}"]
        );
        assert_eq!(
            differs(remove(path!["lexicon", "preferred", 0])).1,
            ["lexicon: {preferred: [\"b\" , c], x: 1}"]
        );
        assert_eq!(differs(remove(path!["id"])).0, ["id: m # its id"]);
        let only = edited("a:\n- x # y\nb: 1\n", &remove(path!["a", 0]));
        assert_eq!(only.as_deref(), Some("a:\nb: 1\n"));
        let list = Op::SetList(path!["a"].to_vec(), vec!["x".into(), "1".into()]);
        let of = |text: &str| edited(text, &list).expect("possible");
        assert_eq!(of("a: # y\nb: 1\n"), "a: # y\n  - \"x\"\n  - \"1\"\nb: 1\n");
        assert_eq!(of("a: []\nb: 1\n"), "a: [\"x\", \"1\"]\nb: 1\n");
        assert_eq!(of("a: x # y\n"), "a: [\"x\", \"1\"] # y\n");
        let relist = |texts: &[&str]| {
            let texts = texts.iter().map(|text| (*text).to_owned()).collect();
            let list = "a:\n- x # the first\n- 'y'\n- z\nb: 1\n";
            edited(list, &Op::SetList(path!["a"].to_vec(), texts)).expect("possible")
        };
        assert_eq!(relist(&["z"]), "a:\n- z\nb: 1\n");
        assert_eq!(relist(&[]), "a:\nb: 1\n");
        assert_eq!(
            relist(&["x", "it's", "z", "w"]),
            "a:\n- x # the first\n- 'it''s'\n- z\n- w\nb: 1\n"
        );
        // for each item of a long list the text would be read again: it is written anew
        let long = "- x\n".repeat(4_000);
        let new = of(&format!("a:\n{long}b: 1\n"));
        assert_eq!(new, "a:\n- \"x\"\n- \"1\"\nb: 1\n");
        let new = of(&format!("a: [{}] # y\n", "x, ".repeat(4_000)));
        assert_eq!(new, "a: [\"x\", \"1\"] # y\n");
        let none = Op::SetList(path!["a"].to_vec(), Vec::new());
        let new = edited(&format!("a:\n{long}b: 1\n"), &none);
        assert_eq!(new.as_deref(), Some("a:\n []\nb: 1\n"));
        let (_, new) = differs(Op::Reorder(path!["exemplars"].to_vec(), vec![1, 0, 2, 3]));
        assert_eq!(new, ["  - 'it''s two'  # first", "  - \"one\""]);
    }

    #[test]
    fn what_would_touch_something_else_is_refused() {
        // an anchor is another value too
        assert_eq!(done(set(path!["extra", 0], "y")), None);
        assert_eq!(done(set(path!["extra", 1], "y")), None);
        assert_eq!(edited("a: [", &set(path!["a"], "y")), None);
        assert_eq!(
            edited("- a: b\n", &Op::Remove(path![0, "a"].to_vec())),
            None
        );
        assert_eq!(done(Op::Push(path!["id"].to_vec(), "y".into())), None);
    }

    #[test]
    fn json_stays_json() {
        const JSON: &str = "{\"id\": \"a\", \"examples\":[\"x\"]}";
        let new = |op| edited(JSON, &op);
        assert_eq!(
            new(set(path!["id"], "b: c")).as_deref(),
            Some("{\"id\": \"b: c\", \"examples\":[\"x\"]}")
        );
        assert_eq!(
            new(Op::SetList(
                path!["lexicon", "avoid"].to_vec(),
                vec!["q".into()]
            ))
            .as_deref(),
            Some("{\"id\": \"a\", \"examples\":[\"x\"], \"lexicon\":{\"avoid\": [\"q\"]}}")
        );
        assert_eq!(
            new(Op::Push(path!["examples"].to_vec(), "y".into())).as_deref(),
            Some("{\"id\": \"a\", \"examples\":[\"x\", \"y\"]}")
        );
    }
}
