//! A parsed document whose every value knows its place in the text.

use std::ops::Range;

use super::path::Step;
use crate::text::Place;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where the value starts.
    pub place: Place,
    /// Its bytes in the text; empty where it was read from YAML.
    pub range: Range<u32>,
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
    /// The bytes of the key, with its quotes; empty where it was read from YAML.
    pub range: Range<u32>,
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

impl std::fmt::Display for Number {
    /// Whole numbers in all their digits.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(formatter),
            Self::Float(value) => value.fmt(formatter),
        }
    }
}

impl Value {
    /// What a person would call it, with the value where it is short: `3`, `a list of 2`.
    pub fn describe(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            // `1.0` is not called `1`, where an integer was expected
            Self::Number(Number::Float(value)) => format!("{value:?}"),
            Self::Number(value) => value.to_string(),
            Self::String(text) if text.chars().count() <= 40 => format!("{text:?}"),
            Self::String(text) => format!("{:?}...", text.chars().take(40).collect::<String>()),
            Self::List(items) => format!("a list of {}", items.len()),
            Self::Map(_) => "an object".into(),
        }
    }
}

impl Node {
    /// The bytes of the value in its text.
    pub fn bytes(&self) -> Range<usize> {
        self.range.start as usize..self.range.end as usize
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The entries of an object; none of anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Whether the value is an object.
    pub fn is_object(&self) -> bool {
        matches!(self.value, Value::Map(_))
    }

    /// The value of a key; of one given twice the last. None of anything but an object.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries().iter().rev().find(|entry| entry.key == key)?;
        Some(&entry.node)
    }

    /// The value at the end of keys with points between them: `message.content`.
    pub fn find(&self, keys: &str) -> Option<&Node> {
        keys.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// The string, if it is one.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Number(number) => Some(number.as_f64()),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn flag(&self) -> Option<bool> {
        match self.value {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

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
