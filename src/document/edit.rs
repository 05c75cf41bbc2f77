//! Changes of a JSON text that leave everything else in it as it was typed:
//! layout, the order of keys, unknown keys.
//!
//! A [`Draft`] parses once and collects changes; [`Draft::finish`] makes them all.
//! What is changed must not overlap: one change per value.

use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;

use super::json::syntax;
use super::pieces::{blanked, slips};
use crate::analysis::sort_by_key;

/// A step on the way to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list.
    Item(usize),
}

impl From<&str> for Step {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for Step {
    fn from(item: usize) -> Self {
        Self::Item(item)
    }
}

/// A path as a list of steps: `path!["candidates", 0, "wins"]`.
#[macro_export]
macro_rules! path {
    ($($step:expr),* $(,)?) => {
        &[$($crate::document::edit::Step::from($step)),*]
    };
}

/// A string as JSON writes it.
pub fn quoted(text: &str) -> String {
    // a string always serialises
    serde_json::to_string(text).unwrap_or_default()
}

/// What was typed as JSON: a number as it is, anything else as a string; none
/// for nothing.
pub fn typed_json(typed: &str) -> Option<String> {
    let typed = typed.trim();
    let number = typed.parse::<f64>().ok().and(syntax(typed).ok().flatten());
    match number {
        Some(_) => Some(typed.to_owned()),
        None => (!typed.is_empty()).then(|| quoted(typed)),
    }
}

/// The order of so many items after one went elsewhere.
pub fn moved(count: usize, from: usize, to: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if from < count && to < count {
        let item = order.remove(from);
        order.insert(to, item);
    }
    order
}

/// A text with changes to be made.
pub struct Draft<'a> {
    text: &'a str,
    /// The text without what JSON does not allow; every byte keeps its place.
    clean: &'a str,
    root: ast::Value<'a>,
    splices: Vec<(Range<usize>, String)>,
}

/// Does something with a draft of a text; none if the text is not JSON.
pub fn edit(text: &str, change: impl FnOnce(&mut Draft)) -> Option<String> {
    let mut change = Some(change);
    edit_with(text, &mut |draft| {
        if let Some(change) = change.take() {
            change(draft);
        }
    })
}

// not generic: it would be compiled for every change
fn edit_with(text: &str, change: &mut dyn FnMut(&mut Draft)) -> Option<String> {
    let clean = blanked(text, &slips(text));
    let root = syntax(&clean).ok()??;
    let mut draft = Draft {
        text,
        clean: &clean,
        root,
        splices: Vec::new(),
    };
    change(&mut draft);
    Some(draft.finish())
}

impl Draft<'_> {
    fn find(&self, path: &[Step]) -> Option<&ast::Value<'_>> {
        path.iter()
            .try_fold(&self.root, |value, step| match (value, step) {
                // as reading does: of a key given twice the last counts
                (ast::Value::Object(object), Step::Key(key)) => object
                    .properties
                    .iter()
                    .rev()
                    .find(|property| property.name.as_str() == key)
                    .map(|property| &property.value),
                (ast::Value::Array(array), Step::Item(item)) => array.elements.get(*item),
                _ => None,
            })
    }

    /// Whether there is a value.
    pub fn has(&self, path: &[Step]) -> bool {
        self.find(path).is_some()
    }

    /// How many items a list has; 0 for anything else.
    pub fn len(&self, path: &[Step]) -> usize {
        self.find(path)
            .and_then(ast::Value::as_array)
            .map_or(0, |array| array.elements.len())
    }

    /// The string there.
    pub fn string(&self, path: &[Step]) -> Option<&str> {
        Some(&self.find(path)?.as_string_lit()?.value)
    }

    /// The keys of an object.
    pub fn keys(&self, path: &[Step]) -> Vec<String> {
        let object = self.find(path).and_then(ast::Value::as_object);
        object.map_or_else(Vec::new, |object| {
            let names = object.properties.iter();
            names
                .map(|property| property.name.as_str().to_owned())
                .collect()
        })
    }

    /// Replaces a value by JSON, or adds the last key of the path to its object.
    /// Nothing happens where the path leads nowhere.
    pub fn set(&mut self, path: &[Step], json: &str) {
        if let Some(value) = self.find(path) {
            let range = bytes(value);
            self.splices.push((range, json.to_owned()));
            return;
        }
        let Some((Step::Key(key), parent)) = path.split_last() else {
            return;
        };
        let Some(ast::Value::Object(object)) = self.find(parent) else {
            return;
        };
        let (whole, parts) = (
            bytes(object),
            object.properties.iter().map(bytes).collect::<Vec<_>>(),
        );
        let colon = object.properties.last().map_or(": ", |property| {
            let range = bytes(&property.value);
            let before = &self.clean[bytes(&property.name).end..range.start];
            if before == ":" { ":" } else { ": " }
        });
        let entry = format!("{}{colon}{json}", quoted(key));
        self.add(&whole, &parts, parts.len(), entry);
    }

    /// Sets a text; an empty one is taken out.
    pub fn set_text(&mut self, path: &[Step], text: &str) {
        if text.is_empty() {
            self.remove(path);
        } else {
            self.set(path, &quoted(text));
        }
    }

    /// Sets a number as typed; an empty one is taken out, and what is no number
    /// is kept as a string.
    pub fn set_typed(&mut self, path: &[Step], typed: &str) {
        match typed_json(typed) {
            Some(json) => self.set(path, &json),
            None => self.remove(path),
        }
    }

    /// Sets JSON as [`Self::set`] does; objects that are missing on the way are made.
    pub fn put(&mut self, path: &[Step], json: &str) {
        let (mut path, mut json) = (path, json.to_owned());
        while let Some((Step::Key(key), parent)) = path.split_last() {
            if parent.is_empty() || self.find(parent).is_some_and(is_object) {
                break;
            }
            json = format!("{{{}: {json}}}", quoted(key));
            path = parent;
        }
        self.set(path, &json);
    }

    /// The text of a value.
    pub fn source(&self, path: &[Step]) -> Option<&str> {
        Some(&self.text[bytes(self.find(path)?)])
    }

    /// Takes the last step of a path out of its object or list.
    pub fn remove(&mut self, path: &[Step]) {
        let Some((last, parent)) = path.split_last() else {
            return;
        };
        match (self.find(parent), last) {
            (Some(ast::Value::Object(object)), Step::Key(key)) => {
                let names: Vec<bool> = object
                    .properties
                    .iter()
                    .map(|property| property.name.as_str() != key)
                    .collect();
                let (whole, parts) = (
                    bytes(object),
                    object.properties.iter().map(bytes).collect::<Vec<_>>(),
                );
                self.keep(&whole, &parts, &|index| names[index]);
            }
            (Some(ast::Value::Array(_)), Step::Item(item)) => {
                self.retain(parent, |index| index != *item);
            }
            _ => {}
        }
    }

    /// Keeps those items of a list.
    pub fn retain(&mut self, list: &[Step], is_kept: impl Fn(usize) -> bool) {
        if let Some(ast::Value::Array(array)) = self.find(list) {
            let (whole, parts) = (
                bytes(array),
                array.elements.iter().map(bytes).collect::<Vec<_>>(),
            );
            self.keep(&whole, &parts, &is_kept);
        }
    }

    /// Inserts JSON before an item of a list, or at its end.
    pub fn insert(&mut self, list: &[Step], item: usize, json: &str) {
        if let Some(ast::Value::Array(array)) = self.find(list) {
            let (whole, parts) = (
                bytes(array),
                array.elements.iter().map(bytes).collect::<Vec<_>>(),
            );
            self.add(&whole, &parts, item.min(parts.len()), json.to_owned());
        }
    }

    /// Puts the items of a list in another order: `order` names each item once.
    pub fn reorder(&mut self, list: &[Step], order: &[usize]) {
        let Some(ast::Value::Array(array)) = self.find(list) else {
            return;
        };
        let parts: Vec<Range<usize>> = array.elements.iter().map(bytes).collect();
        for (place, &item) in order.iter().enumerate() {
            if let (true, Some(to), Some(from)) = (place != item, parts.get(place), parts.get(item))
            {
                let text = self.text[from.clone()].to_owned();
                self.splices.push((to.clone(), text));
            }
        }
    }

    /// Gives a key another name.
    pub fn rename(&mut self, object: &[Step], from: &str, to: &str) {
        let Some(ast::Value::Object(object)) = self.find(object) else {
            return;
        };
        let property = object
            .properties
            .iter()
            .find(|property| property.name.as_str() == from);
        if let Some(range) = property.map(|property| bytes(&property.name)) {
            self.splices.push((range, quoted(to)));
        }
    }

    /// Adds a part to an object or a list, laid out as its neighbours are.
    fn add(&mut self, whole: &Range<usize>, parts: &[Range<usize>], at: usize, part: String) {
        let gap = |end: usize, start: usize| self.clean[end..start].replace(',', "");
        let splice = match (
            at.checked_sub(1).and_then(|before| parts.get(before)),
            parts.get(at),
        ) {
            (Some(before), _) => {
                let space = if let [.., a, b] = parts {
                    gap(a.end, b.start)
                } else {
                    let space = gap(whole.start + 1, before.start);
                    if space.is_empty() { " ".into() } else { space }
                };
                (before.end..before.end, format!(",{space}{part}"))
            }
            (None, Some(after)) => {
                let space = if let [a, b, ..] = parts {
                    gap(a.end, b.start)
                } else {
                    " ".into()
                };
                (after.start..after.start, format!("{part},{space}"))
            }
            (None, None) => (whole.start + 1..whole.end - 1, part),
        };
        self.splices.push(splice);
    }

    fn keep(
        &mut self,
        whole: &Range<usize>,
        parts: &[Range<usize>],
        is_kept: &dyn Fn(usize) -> bool,
    ) {
        let count = parts.len();
        let mut at = 0;
        while at < count {
            if is_kept(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at < count && !is_kept(at) {
                at += 1;
            }
            let range = match (first.checked_sub(1), parts.get(at)) {
                (None, None) => whole.start + 1..whole.end - 1,
                (None, Some(next)) => parts[first].start..next.start,
                (Some(before), _) => parts[before].end..parts[at - 1].end,
            };
            self.splices.push((range, String::new()));
        }
    }

    fn finish(mut self) -> String {
        // stable: insertions at one place stay in the order in which they were asked for
        sort_by_key(&mut self.splices, |(range, _)| range.start);
        let mut out = String::with_capacity(self.text.len() + 64);
        let mut at = 0;
        for (range, with) in &self.splices {
            if range.start >= at {
                out.push_str(&self.text[at..range.start]);
                out.push_str(with);
                at = range.end;
            }
        }
        out.push_str(&self.text[at..]);
        out
    }
}

fn is_object(value: &ast::Value) -> bool {
    value.as_object().is_some()
}

fn bytes(of: &impl Ranged) -> Range<usize> {
    of.start()..of.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "{\n  \"a\": [1, 2, 3],\n  \"b\": {\"x\" : null, \"y\":true}\n}";

    fn done(change: impl FnOnce(&mut Draft)) -> String {
        edit(TEXT, change).expect("JSON")
    }

    #[test]
    fn values_are_replaced_and_keys_added_in_the_layout_around_them() {
        assert_eq!(
            done(|draft| {
                draft.set(path!["a", 1], "\"two\"");
                draft.set(path!["b", "x"], "0");
                draft.set(path!["c"], "[]");
                draft.set(path!["b", "z"], "1");
                draft.set(path!["no", "way"], "1");
            }),
            "{\n  \"a\": [1, \"two\", 3],\n  \"b\": {\"x\" : 0, \"y\":true, \"z\":1},\n  \"c\": []\n}"
        );
        assert_eq!(
            edit("{}", |d| d.set(path!["a"], "1")).expect("JSON"),
            "{\"a\": 1}"
        );
    }

    #[test]
    fn objects_on_the_way_are_made() {
        assert_eq!(
            done(|d| d.put(path!["b", "x", "deep"], "1")),
            TEXT.replace("null", "{\"deep\": 1}")
        );
        assert_eq!(
            edit("{}", |d| d.put(path!["a", "b", "c"], "1")).expect("JSON"),
            "{\"a\": {\"b\": {\"c\": 1}}}"
        );
    }

    #[test]
    fn parts_are_taken_out_with_their_comma() {
        assert_eq!(done(|d| d.remove(path!["a", 0])), TEXT.replace("1, ", ""));
        assert_eq!(done(|d| d.remove(path!["a", 2])), TEXT.replace(", 3", ""));
        assert_eq!(
            done(|d| d.retain(path!["a"], |_| false)),
            TEXT.replace("1, 2, 3", "")
        );
        assert_eq!(
            done(|d| d.retain(path!["a"], |i| i == 1)),
            TEXT.replace("1, 2, 3", "2")
        );
        assert_eq!(
            done(|d| d.remove(path!["a"])),
            "{\n  \"b\": {\"x\" : null, \"y\":true}\n}"
        );
        assert_eq!(done(|d| d.remove(path!["b"])), "{\n  \"a\": [1, 2, 3]\n}");
    }

    #[test]
    fn items_are_inserted_and_moved() {
        assert_eq!(
            done(|d| d.insert(path!["a"], 9, "4")),
            TEXT.replace("3]", "3, 4]")
        );
        assert_eq!(
            done(|d| d.insert(path!["a"], 0, "0")),
            TEXT.replace("[1", "[0, 1")
        );
        assert_eq!(
            done(|d| d.reorder(path!["a"], &[2, 0, 1])),
            TEXT.replace("1, 2, 3", "3, 1, 2")
        );
        assert_eq!(
            done(|d| d.rename(path!["b"], "x", "\"q")),
            TEXT.replace("\"x\"", "\"\\\"q\"")
        );
        assert_eq!(
            edit("[]", |d| d.insert(path![], 0, "1")).expect("JSON"),
            "[1]"
        );
        assert_eq!(
            edit("[\n 1\n]", |d| d.insert(path![], 1, "2")).expect("JSON"),
            "[\n 1,\n 2\n]"
        );
    }

    #[test]
    fn slips_stay_where_they_are() {
        let text = "{\"a\": [1, 2,], // é\n \"b\": 2,}";
        assert_eq!(
            edit(text, |d| {
                d.insert(path!["a"], 2, "3");
                d.set(path!["b"], "3");
            })
            .expect("JSON"),
            "{\"a\": [1, 2, 3,], // é\n \"b\": 3,}"
        );
        assert_eq!(edit("{", |_| ()), None);
        assert_eq!(edit("", |_| ()), None);
    }
}
