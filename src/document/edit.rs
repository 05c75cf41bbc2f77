//! Changes of a JSON text that leave everything else in it as it was typed:
//! layout, the order of keys, unknown keys.
//!
//! A [`Draft`] looks at a tree that is there already and collects changes; they
//! are made all at once. What is changed must not overlap: one change per value.

use std::ops::Range;

use super::json::read_json;
use super::node::{Entry, Node, Value};
use super::path::Step;
use super::pieces::Piece;
use super::problem::Problems;
use super::slips::{blanked, slips};
use super::syntax::is_number;
use crate::text::sort_by_key;

/// A string as JSON writes it.
pub fn quoted(text: &str) -> String {
    // a string always serialises
    serde_json::to_string(text).unwrap_or_default()
}

/// What was typed as JSON: a number as it is, anything else as a string; none
/// for nothing.
pub fn typed_json(typed: &str) -> Option<String> {
    let typed = typed.trim();
    if is_number(typed) {
        return Some(typed.to_owned());
    }
    (!typed.is_empty()).then(|| quoted(typed))
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

/// A text with changes to be made to one of its values.
pub struct Draft<'a> {
    text: &'a str,
    root: &'a Node,
    splices: Vec<(Range<usize>, String)>,
}

/// Does something with a draft of a text; none if the text is not JSON.
pub fn edit(text: &str, change: impl FnOnce(&mut Draft)) -> Option<String> {
    let root = read_json(text, &Piece::whole(text), &mut Problems::new())?;
    Some(edit_value(text, &root, change))
}

/// Does something with one of the values of a text; paths begin at that value, and
/// the rest of the text is not looked at.
pub fn edit_value(text: &str, value: &Node, change: impl FnOnce(&mut Draft)) -> String {
    let mut draft = Draft {
        text,
        root: value,
        splices: Vec::new(),
    };
    change(&mut draft);
    draft.finish()
}

impl<'a> Draft<'a> {
    /// Whether there is a value.
    pub fn has(&self, path: &[Step]) -> bool {
        self.root.at(path).is_some()
    }

    /// How many items a list has; 0 for anything else.
    pub fn len(&self, path: &[Step]) -> usize {
        self.root.at(path).map_or(0, |node| node.items().len())
    }

    /// The string there.
    pub fn string(&self, path: &[Step]) -> Option<&'a str> {
        match &self.root.at(path)?.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The keys of an object.
    pub fn keys(&self, path: &[Step]) -> Vec<String> {
        let entries = self.root.at(path).map_or(&[][..], Node::entries);
        entries.iter().map(|entry| entry.key.clone()).collect()
    }

    /// Replaces a value by JSON, or adds the last key of the path to its object.
    /// Nothing happens where the path leads nowhere.
    pub fn set(&mut self, path: &[Step], json: &str) {
        if let Some(value) = self.root.at(path) {
            self.splices.push((value.bytes(), json.to_owned()));
            return;
        }
        let Some((Step::Key(key), parent)) = path.split_last() else {
            return;
        };
        let Some(object) = self.root.at(parent).filter(|node| node.is_object()) else {
            return;
        };
        let colon = object.entries().last().map_or(": ", |entry| {
            let before = &self.text[entry.range.end as usize..entry.node.bytes().start];
            if before == ":" { ":" } else { ": " }
        });
        let entry = format!("{}{colon}{json}", quoted(key));
        self.add(object, object.entries().len(), entry);
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
            if parent.is_empty() || self.root.at(parent).is_some_and(Node::is_object) {
                break;
            }
            json = format!("{{{}: {json}}}", quoted(key));
            path = parent;
        }
        self.set(path, &json);
    }

    /// The text of a value.
    pub fn source(&self, path: &[Step]) -> Option<&'a str> {
        Some(&self.text[self.root.at(path)?.bytes()])
    }

    /// Takes the last step of a path out of its object or list.
    pub fn remove(&mut self, path: &[Step]) {
        let Some((last, parent)) = path.split_last() else {
            return;
        };
        match (self.root.at(parent), last) {
            (Some(object), Step::Key(key)) if object.is_object() => {
                let entries = object.entries();
                self.keep(object, &|index| entries[index].key != *key);
            }
            (Some(_), Step::Item(item)) => self.retain(parent, |index| index != *item),
            // nothing is there under a key
            (Some(_), Step::Key(_)) | (None, _) => {}
        }
    }

    /// Keeps those items of a list.
    pub fn retain(&mut self, list: &[Step], is_kept: impl Fn(usize) -> bool) {
        if let Some(list) = self.list(list) {
            self.keep(list, &is_kept);
        }
    }

    /// Inserts JSON before an item of a list, or at its end.
    pub fn insert(&mut self, list: &[Step], item: usize, json: &str) {
        if let Some(list) = self.list(list) {
            self.add(list, item.min(list.items().len()), json.to_owned());
        }
    }

    /// Puts the items of a list in another order: `order` names each item once.
    pub fn reorder(&mut self, list: &[Step], order: &[usize]) {
        let items = self.list(list).map_or(&[][..], Node::items);
        for (place, &item) in order.iter().enumerate() {
            if let (true, Some(to), Some(from)) = (place != item, items.get(place), items.get(item))
            {
                let text = self.text[from.bytes()].to_owned();
                self.splices.push((to.bytes(), text));
            }
        }
    }

    fn list(&self, path: &[Step]) -> Option<&'a Node> {
        let node = self.root.at(path)?;
        matches!(node.value, Value::List(_)).then_some(node)
    }

    /// Gives a key another name.
    pub fn rename(&mut self, object: &[Step], from: &str, to: &str) {
        let entries = self.root.at(object).map_or(&[][..], Node::entries);
        if let Some(entry) = entries.iter().find(|entry| entry.key == from) {
            let range = entry.range.start as usize..entry.range.end as usize;
            self.splices.push((range, quoted(to)));
        }
    }

    /// Adds a part to an object or a list, laid out as its neighbours are.
    fn add(&mut self, parent: &Node, at: usize, part: String) {
        let (whole, parts) = (parent.bytes(), parts(parent));
        let gap = |end: usize, start: usize| {
            let gap = &self.text[end..start];
            blanked(gap, &slips(gap)).replace(',', "")
        };
        let splice = match (
            at.checked_sub(1).and_then(|before| parts.get(before)),
            parts.get(at),
        ) {
            (Some(before), _) => {
                let space = if let [.., a, b] = &parts[..] {
                    gap(a.end, b.start)
                } else {
                    let space = gap(whole.start + 1, before.start);
                    if space.is_empty() { " ".into() } else { space }
                };
                (before.end..before.end, format!(",{space}{part}"))
            }
            (None, Some(after)) => {
                let space = if let [a, b, ..] = &parts[..] {
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

    /// Keeps those parts of an object or a list.
    fn keep(&mut self, parent: &Node, is_kept: &dyn Fn(usize) -> bool) {
        let (whole, parts) = (parent.bytes(), parts(parent));
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

/// The bytes of the items of a list, or of the entries of an object.
fn parts(parent: &Node) -> Vec<Range<usize>> {
    let of_entry = |entry: &Entry| entry.range.start as usize..entry.node.bytes().end;
    let (items, entries) = (parent.items().iter(), parent.entries().iter());
    items
        .map(Node::bytes)
        .chain(entries.map(of_entry))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path;

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
