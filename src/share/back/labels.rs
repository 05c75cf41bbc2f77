//! The labels of an input as JSON Lines, with the keys that they came in: what `source.labels` of a
//! debate holds, and the rows of a transcript that have a `label`.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::words::lines;
use crate::document::{Entry, Node, Number, Parsed, SOURCE, Value};

/// Of several debates each label says which it is of, from 1.
pub(super) fn of_debates(text: &str) -> String {
    let parsed = Parsed::items(text);
    let number = parsed.pieces().len();
    let debates = (0..number).filter_map(|at| Some((at, parsed.node(at)?)));
    lines(debates.flat_map(|(at, debate)| {
        let labels = debate.find("source.labels").map_or(&[][..], Node::items);
        let labels = labels.iter().filter(|label| label.is_object());
        labels.map(move |label| Row {
            debate: (number > 1).then_some(at + 1),
            entries: label.entries(),
        })
    }))
}

/// A row as it stands, but for what the document says of itself.
pub(super) fn of_transcript(text: &str) -> String {
    let parsed = Parsed::items(text);
    let rows = (0..parsed.pieces().len()).filter_map(|at| parsed.node(at));
    let has_label = |row: &&Node| {
        row.get("label")
            .is_some_and(|label| label.value != Value::Null)
    };
    lines(rows.filter(has_label).map(|row| Row {
        debate: None,
        entries: row.entries(),
    }))
}

struct Row<'a> {
    debate: Option<usize>,
    entries: &'a [Entry],
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(debate) = &self.debate {
            map.serialize_entry("debate", debate)?;
        }
        for entry in self.entries.iter().filter(|entry| entry.key != SOURCE) {
            map.serialize_entry(&entry.key, &Written(&entry.node))?;
        }
        map.end()
    }
}

/// A value as it was read.
struct Written<'a>(&'a Node);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.value {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(Number::Integer(number)) => serializer.serialize_i64(*number),
            Value::Number(Number::Float(number)) => serializer.serialize_f64(*number),
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items.iter().map(Written)),
            Value::Map(entries) => {
                let entries = entries.iter();
                serializer.collect_map(entries.map(|entry| (&entry.key, Written(&entry.node))))
            }
        }
    }
}
