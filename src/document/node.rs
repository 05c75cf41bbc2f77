//! A parsed document whose every value knows its place in the text.

use std::collections::HashSet;
use std::fmt::Write;

use super::edit::Step;
use super::problem::{Problem, Problems, Severity};

/// A place in a text: line and column from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value starts.
    pub place: Place,
    /// The value.
    pub value: Value,
}

/// What JSON and YAML can say.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`, or nothing in YAML.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    List(Vec<Node>),
    /// An object, in the order of the text; a key given twice stands twice.
    Map(Vec<Entry>),
}

/// A key of an object with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key starts.
    pub place: Place,
    /// Its value.
    pub node: Node,
}

/// A number as it was written: `2` is an integer, `2.0` is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Written without fraction or exponent, and within 64 bits.
    Integer(i64),
    /// Any other finite number.
    Float(f64),
}

impl Number {
    /// The number as a float.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl Value {
    /// What a person would call it, with the value where it is short: `number 3`, `a list`.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            Self::Number(Number::Integer(value)) => value.to_string(),
            Self::Number(Number::Float(value)) => value.to_string(),
            Self::String(text) if text.chars().count() <= 40 => format!("{text:?}"),
            Self::String(text) => format!("{:?}...", text.chars().take(40).collect::<String>()),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Map(_) => "an object".into(),
        }
    }
}

impl Node {
    /// The value at the end of a path; of a key given twice the last.
    pub fn at(&self, path: &[Step]) -> Option<&Node> {
        path.iter()
            .try_fold(self, |node, step| match (&node.value, step) {
                (Value::Map(entries), Step::Key(key)) => entries
                    .iter()
                    .rev()
                    .find(|entry| entry.key == *key)
                    .map(|entry| &entry.node),
                (Value::List(items), Step::Item(item)) => items.get(*item),
                _ => None,
            })
    }

    /// The value at the end of a path as a field shows it: a string without its
    /// quotes, a number as it is, nothing for null and where nothing is.
    pub fn typed(&self, path: &[Step]) -> String {
        match self.at(path).map(|node| &node.value) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.describe(),
        }
    }
}

/// Reads a node and remembers the path to it, so that problems can say where.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    node: &'a Node,
    path: String,
}

impl<'a> Reader<'a> {
    /// Starts at the root, whose path is empty.
    pub fn new(node: &'a Node) -> Self {
        Self::at(node, "")
    }

    /// Starts at a node that is known by a path.
    pub fn at(node: &'a Node, path: impl Into<String>) -> Self {
        Self {
            node,
            path: path.into(),
        }
    }

    /// The node itself.
    pub fn node(&self) -> &'a Node {
        self.node
    }

    /// The value itself.
    pub fn value(&self) -> &'a Value {
        &self.node.value
    }

    /// Where it stands.
    pub fn place(&self) -> Place {
        self.node.place
    }

    /// The path from the root, as `candidates[0].wins`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether the value is `null`.
    pub fn is_null(&self) -> bool {
        self.node.value == Value::Null
    }

    /// The entries of an object; none of anything else.
    pub fn entries(&self) -> &'a [Entry] {
        match &self.node.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key; the last one where a key stands twice. None of anything but an object.
    pub fn get(&self, key: &str) -> Option<Reader<'a>> {
        let entry = self.entries().iter().rev().find(|entry| entry.key == key)?;
        Some(self.child(entry))
    }

    /// The value of a key unless it is missing or null.
    pub fn get_some(&self, key: &str) -> Option<Reader<'a>> {
        self.get(key).filter(|reader| !reader.is_null())
    }

    /// A reader of an entry's value.
    #[must_use]
    pub fn child(&self, entry: &'a Entry) -> Reader<'a> {
        let mut path = self.path.clone();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&entry.key);
        Reader {
            node: &entry.node,
            path,
        }
    }

    /// The items of a list; none if it is not a list.
    pub fn items(&self) -> Option<Vec<Reader<'a>>> {
        let Value::List(items) = &self.node.value else {
            return None;
        };
        Some(
            items
                .iter()
                .enumerate()
                .map(|(index, node)| {
                    let mut path = self.path.clone();
                    // writing to a String cannot fail
                    let _ = write!(path, "[{index}]");
                    Reader { node, path }
                })
                .collect(),
        )
    }

    /// The string, if it is one.
    pub fn as_str(&self) -> Option<&'a str> {
        match &self.node.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The integer, if it was written as one (`2.0` and `true` are none).
    pub fn as_integer(&self) -> Option<i64> {
        match self.node.value {
            Value::Number(Number::Integer(value)) => Some(value),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self.node.value {
            Value::Number(number) => Some(number.as_f64()),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self.node.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Says that something else was expected: `expected a string, got 3`.
    pub fn expected(&self, what: &str, problems: &mut Problems) {
        problems.error(
            self,
            format!("expected {what}, got {}", self.value().describe()),
        );
    }

    /// Notes every key that is not among `known` (with its own place), and warns of a key given twice.
    pub fn check_keys(&self, known: &[&str], problems: &mut Problems) {
        let mut seen = HashSet::new();
        for entry in self.entries() {
            let path = self.child(entry).path;
            if !known.contains(&entry.key.as_str()) {
                problems.push(Problem::new(
                    Severity::Note,
                    entry.place,
                    path.clone(),
                    format!("unknown key {:?} is kept but not used", entry.key),
                ));
            }
            if !seen.insert(entry.key.as_str()) {
                problems.push(Problem::new(
                    Severity::Warning,
                    entry.place,
                    path,
                    format!("key {:?} is given twice; the last one counts", entry.key),
                ));
            }
        }
    }
}
