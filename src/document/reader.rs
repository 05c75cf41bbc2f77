//! Reading a node: what stands under a key, of which kind it is, and what to say
//! where it is not what was expected.

use std::collections::HashSet;
use std::rc::Rc;

use super::node::{Entry, Node, Number, Value};
use super::path::{push_item, push_key};
use super::problem::{Code, Problem, Problems, Severity};
use crate::text::{Place, Shown};

/// The key under which a document says where it comes from (see `sources`); no scorer reads it.
pub const SOURCE: &str = "source";

/// Reads a node and remembers the way to it, so that problems can say where.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    node: &'a Node,
    way: Rc<Way<'a>>,
}

/// The way to a node. Most nodes have nothing wrong with them: it becomes a path where one is asked for.
#[derive(Debug)]
enum Way<'a> {
    Start(String),
    Key(Rc<Way<'a>>, &'a str),
    Item(Rc<Way<'a>>, usize),
}

impl Way<'_> {
    fn path(&self) -> String {
        match self {
            Self::Start(start) => start.clone(),
            Self::Key(above, key) => {
                let mut path = above.path();
                push_key(&mut path, key);
                path
            }
            Self::Item(above, item) => {
                let mut path = above.path();
                push_item(&mut path, *item);
                path
            }
        }
    }
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
            way: Rc::new(Way::Start(path.into())),
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
    pub fn path(&self) -> String {
        self.way.path()
    }

    /// Whether the value is `null`.
    pub fn is_null(&self) -> bool {
        self.node.value == Value::Null
    }

    /// The entries of an object; none of anything else.
    pub fn entries(&self) -> &'a [Entry] {
        self.node.entries()
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
        Reader {
            node: &entry.node,
            way: Rc::new(Way::Key(self.way.clone(), &entry.key)),
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
                .map(|(index, node)| Reader {
                    node,
                    way: Rc::new(Way::Item(self.way.clone(), index)),
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

    /// Notes every key that is not among `known` (with its own place), and warns of a key given
    /// twice. [`SOURCE`] is known everywhere.
    pub fn check_keys(&self, known: &[&str], problems: &mut Problems) {
        for entry in self.entries() {
            if !known.contains(&entry.key.as_str()) && entry.key != SOURCE {
                let path = self.child(entry).path();
                problems.push(unknown_key(&entry.key, entry.place, path));
            }
        }
        self.check_repeated(problems);
    }

    /// Warns of every key that is given twice, at its later place.
    pub fn check_repeated(&self, problems: &mut Problems) {
        let mut seen = HashSet::new();
        for entry in self.entries() {
            if !seen.insert(entry.key.as_str()) {
                let message = format!(
                    "key {:?} is given twice; the last one counts",
                    Shown(&entry.key)
                );
                let path = self.child(entry).path();
                problems.push(
                    Problem::new(Severity::Warning, entry.place, path, message)
                        .with_code(Code::RepeatedKey),
                );
            }
        }
    }
}

/// The note of a key that no reader knows.
pub fn unknown_key(key: &str, place: Place, path: impl Into<String>) -> Problem {
    let message = format!("unknown key {:?} is kept but not used", Shown(key));
    Problem::new(Severity::Note, place, path, message).with_code(Code::UnknownKey)
}

impl Problems {
    /// Adds an error at what `at` reads; the returned problem can take a code and a hint.
    pub fn error(&mut self, at: &Reader, message: impl Into<String>) -> &mut Problem {
        self.at(Severity::Error, at, message)
    }

    /// Adds a warning at what `at` reads.
    pub fn warning(&mut self, at: &Reader, message: impl Into<String>) -> &mut Problem {
        self.at(Severity::Warning, at, message)
    }

    /// Adds a note at what `at` reads.
    pub fn note(&mut self, at: &Reader, message: impl Into<String>) -> &mut Problem {
        self.at(Severity::Note, at, message)
    }

    fn at(&mut self, severity: Severity, at: &Reader, message: impl Into<String>) -> &mut Problem {
        self.put(Problem::new(severity, at.place(), at.path(), message))
    }
}
