//! Masks personal data: the same value has the same mask in all texts of a document.

use std::collections::{BTreeMap, HashMap};

use super::find::{Found, find};
use super::kinds::Kind;
use crate::document::edit::quoted;
use crate::document::edit_yaml::{Op, edit_yaml};
use crate::document::{Node, Parsed, Step, Value};
use crate::text::Place;

/// So many scalars in quotes or over several lines are set one by one in a YAML text; in more the mask is
/// written as it is.
const MOST_SCALARS: usize = 200;
/// In a longer text all of them: it is parsed for each.
const MOST_YAML: usize = 256 << 10;

/// The masks of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// By kind and value.
    numbers: HashMap<(Kind, String), usize>,
    /// The last number of each kind.
    last: BTreeMap<Kind, usize>,
    /// How often each kind was masked.
    counts: BTreeMap<Kind, usize>,
}

impl Masks {
    /// Masks for these texts: their numbers go on after those that stand there already.
    pub fn for_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut masks = Self::default();
        texts.into_iter().for_each(|text| masks.begin(text));
        masks
    }

    /// Goes on with a text that is counted by itself: new numbers go on after those that stand in it already.
    pub fn begin(&mut self, text: &str) {
        self.counts.clear();
        for (at, _) in text.match_indices('[') {
            let rest = &text[at + 1..];
            let known = Kind::ALL.into_iter().find_map(|kind| {
                let number = rest.strip_prefix(kind.name())?.strip_prefix(' ')?;
                let digits: String = number
                    .chars()
                    .take(7)
                    .take_while(char::is_ascii_digit)
                    .collect();
                let number: usize = digits.parse().ok()?;
                Some((kind, number))
            });
            if let Some((kind, number)) = known {
                let last = self.last.entry(kind).or_default();
                *last = number.max(*last);
            }
        }
    }

    /// How often each kind was masked, in the order in which they are told.
    pub fn counts(&self) -> Vec<(Kind, usize)> {
        let count = |kind| Some((kind, *self.counts.get(&kind)?));
        Kind::ALL.into_iter().filter_map(count).collect()
    }

    /// The same as JSON: each kind with its number.
    pub fn told(&self) -> serde_json::Value {
        let counts = self.counts().into_iter();
        let counts: serde_json::Map<String, serde_json::Value> = counts
            .map(|(kind, number)| (kind.name().to_owned(), number.into()))
            .collect();
        serde_json::Value::Object(counts)
    }

    /// The mask of what was found: `[mail 1]`.
    fn of(&mut self, found: &Found) -> String {
        *self.counts.entry(found.kind).or_default() += 1;
        let last = self.last.entry(found.kind).or_default();
        let number = self.numbers.entry((found.kind, found.value.clone()));
        let number = *number.or_insert_with(|| {
            *last += 1;
            *last
        });
        format!("[{} {number}]", found.kind.name())
    }

    /// A text with its personal data masked. JSON and YAML stay what they are: a number that is a
    /// value of its own becomes a text.
    pub fn mask(&mut self, text: &str) -> String {
        let is_json = text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with(['{', '[']);
        if is_json {
            return self.written(text, &outside_of_strings(text));
        }
        if find(text).is_empty() {
            return text.to_owned();
        }
        // places are those of the text without it
        if let Some(text) = text.strip_prefix('\u{feff}') {
            return format!("\u{feff}{}", self.mask(text));
        }
        let parsed = Parsed::yaml(text);
        match parsed
            .node(0)
            .filter(|node| node.is_object() || matches!(node.value, Value::List(_)))
        {
            Some(root) => {
                let text = self.in_bare(text, root);
                self.in_yaml(text)
            }
            None => self.written(text, &[]),
        }
    }

    /// The masks in the place of what was found, in quotes where a bare value stood.
    fn written(&mut self, text: &str, outside: &[std::ops::Range<usize>]) -> String {
        let mut masked = String::with_capacity(text.len());
        let mut from = 0;
        for found in find(text) {
            masked += &text[from..found.range.start];
            let is_bare = || {
                let before = outside.partition_point(|range| range.end <= found.range.start);
                outside
                    .get(before)
                    .is_some_and(|range| range.contains(&found.range.start))
            };
            let mask = self.of(&found);
            let is_value = text[..found.range.start]
                .trim_end()
                .ends_with([':', ',', '['])
                && text[found.range.end..]
                    .trim_start()
                    .starts_with([',', '}', ']']);
            if is_value && is_bare() {
                masked.extend(["\"", &mask, "\""]);
            } else {
                masked += &mask;
            }
            from = found.range.end;
        }
        masked + &text[from..]
    }

    /// Each other text of a YAML document is set as the form sets it, so that quotes come where they are
    /// needed; comments are masked as they stand.
    fn in_yaml(&mut self, mut text: String) -> String {
        let most = if text.len() > MOST_YAML {
            0
        } else {
            MOST_SCALARS
        };
        let mut refused = Vec::new();
        for _ in 0..most {
            let parsed = Parsed::yaml(&text);
            let Some(root) = parsed.node(0) else { break };
            let Some((path, held)) = personal(root, &mut Vec::new(), &refused) else {
                break;
            };
            let mut tried = self.clone();
            let masked = tried.written(&held, &[]);
            let Some(changed) = edit_yaml(&text, root, &Op::Set(path.clone(), masked)) else {
                // it is masked as it stands, and the others are looked at
                refused.push(path);
                continue;
            };
            (text, *self) = (changed, tried);
        }
        self.written(&text, &[])
    }
}

impl Masks {
    /// Bare keys and values with personal data in them are written anew, in quotes where a mask in them
    /// would be read as a list. Those in quotes are masked as they stand.
    fn in_bare(&mut self, text: &str, root: &Node) -> String {
        let mut search = Bare {
            text,
            lines: line_starts(text),
            last: (Place::START, 0),
            found: Vec::new(),
        };
        search.look(root, false);
        let mut found = search.found;
        // what an alias stands for is found at its anchor once more: the brackets of one may need quotes
        found.sort_unstable_by_key(|(start, _, is_quoted)| (*start, !is_quoted));
        found.dedup_by_key(|(start, ..)| *start);
        let (mut masked, mut from) = (String::with_capacity(text.len()), 0);
        for (start, held, is_quoted) in found {
            masked += &text[from..start];
            let written = self.written(held, &[]);
            if is_quoted || written.starts_with('[') {
                masked += &quoted(&written);
            } else {
                masked += &written;
            }
            from = start + held.len();
        }
        masked + &text[from..]
    }
}

/// Looks for bare keys and values of one line with personal data in them.
struct Bare<'a> {
    text: &'a str,
    lines: Vec<usize>,
    /// Where it looked last, and the byte there.
    last: (Place, usize),
    /// The byte at which each begins, it, and whether brackets in it need quotes.
    found: Vec<(usize, &'a str, bool)>,
}

impl Bare<'_> {
    /// In a node, which may stand between brackets.
    fn look(&mut self, node: &Node, is_between: bool) {
        let start = self.byte_at(node.place);
        let rest = &self.text[start..];
        let is_between = is_between || rest.starts_with(['[', '{']);
        match &node.value {
            Value::List(items) => {
                for item in items {
                    self.look(item, is_between);
                }
            }
            Value::Map(entries) => {
                for entry in entries {
                    self.take(&entry.key, entry.place, true);
                    self.look(&entry.node, is_between);
                }
            }
            Value::String(held) => self.take(held, node.place, is_between),
            Value::Number(_) => {
                let ends = |c: char| c.is_whitespace() || ",]}".contains(c);
                let rest = &self.text[behind_marks(self.text, start)..];
                let number = rest.split(ends).next().unwrap_or_default();
                self.take(number, node.place, is_between);
            }
            _ => {}
        }
    }

    fn take(&mut self, held: &str, place: Place, is_quoted: bool) {
        if held.contains('\n') || find(held).is_empty() {
            return;
        }
        let text = self.text;
        let start = behind_marks(text, self.byte_at(place));
        if text[start..].starts_with(held) && !is_in_block(text, start) {
            self.found
                .push((start, &text[start..start + held.len()], is_quoted));
        }
    }

    /// The byte at a place. Places come in the order of the text: a line is read once, however long.
    fn byte_at(&mut self, place: Place) -> usize {
        let (known, at) = self.last;
        let is_behind = known.line == place.line && known.column <= place.column;
        let (column, from) = if is_behind {
            (known.column, at)
        } else {
            let line = self.lines.get(place.line as usize - 1);
            (1, line.copied().unwrap_or(self.text.len()))
        };
        let mut rest = self.text[from..].char_indices();
        let found = rest.nth((place.column - column) as usize);
        let at = found.map_or(self.text.len(), |(at, _)| from + at);
        self.last = (place, at);
        at
    }
}

/// Where a value begins, behind its anchor and its tag.
fn behind_marks(text: &str, mut start: usize) -> usize {
    while text[start..].starts_with(['&', '!']) {
        let rest = &text[start..];
        let mark = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let gap = rest[mark..].len() - rest[mark..].trim_start_matches(' ').len();
        start += mark + gap;
    }
    start
}

/// Whether the line before the one that begins here opens a block, in which quotes are text.
fn is_in_block(text: &str, start: usize) -> bool {
    let (before, line) = text[..start]
        .rsplit_once('\n')
        .unwrap_or(("", &text[..start]));
    let opening = before.lines().next_back().unwrap_or_default().trim_end();
    let opening = opening.trim_end_matches(|c: char| c.is_ascii_digit() || "+-".contains(c));
    line.trim().is_empty() && opening.ends_with(['|', '>'])
}

/// The byte at which each line of a text begins.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).collect()
}

/// The first text with personal data in it that was not refused, and its path.
fn personal(
    node: &Node,
    path: &mut Vec<Step>,
    refused: &[Vec<Step>],
) -> Option<(Vec<Step>, String)> {
    let mut into = |step: Step, node: &Node| {
        path.push(step);
        let found = personal(node, path, refused);
        path.pop();
        found
    };
    match &node.value {
        Value::String(text) => (!find(text).is_empty() && !refused.contains(path))
            .then(|| (path.clone(), text.clone())),
        Value::List(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| into(at.into(), item))
        }
        Value::Map(entries) => entries
            .iter()
            .find_map(|entry| into(Step::from(entry.key.as_str()), &entry.node)),
        _ => None,
    }
}

/// The stretches of JSON between its strings.
fn outside_of_strings(text: &str) -> Vec<std::ops::Range<usize>> {
    let (mut ranges, mut start, mut is_in) = (Vec::new(), 0, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_in => at += 1,
            b'"' => {
                if is_in {
                    start = at + 1;
                } else {
                    ranges.push(start..at);
                }
                is_in = !is_in;
            }
            _ => {}
        }
        at += 1;
    }
    if !is_in {
        ranges.push(start..bytes.len());
    }
    ranges
}

/// `3 mail addresses and a phone number`; empty for nothing.
pub fn counted(counts: &[(Kind, usize)]) -> String {
    let each: Vec<String> = counts
        .iter()
        .map(|(kind, number)| match (number, kind.nouns()) {
            (1, [one, _]) => one.to_owned(),
            (_, [_, many]) => format!("{number} {many}"),
        })
        .collect();
    match each.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// A result's JSON with `masked` as its first key: what was masked, how often.
pub fn mark_json(json: &str, masks: &Masks) -> String {
    let Some(rest) = json.strip_prefix('{') else {
        return json.to_owned();
    };
    let comma = if rest.trim_start().starts_with('}') {
        ""
    } else {
        ","
    };
    format!("{{\"masked\":{}{comma}{rest}", masks.told())
}
