//! YAML 1.2 (core schema) with places, read from the parser's events. Aliases
//! are resolved as long as the document stays within a size that a person
//! could have meant.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Span};

use super::node::{Entry, Node, Number, Value};
use super::problem::{Code, Problem, Severity};
use crate::text::Place;

/// The most values a document may have once its aliases are resolved.
const MOST_NODES: usize = 200_000;
/// The most bytes of text that its aliases may stand for.
const MOST_ALIASED: usize = 4 << 20;
/// The deepest nesting.
const MOST_DEPTH: usize = 128;

/// Reads the first document of a YAML text.
pub fn parse_yaml(text: &str) -> Result<Node, Problem> {
    let mut builder = Builder {
        parser: Parser::new_from_str(text),
        anchors: HashMap::new(),
        nodes: 0,
        aliased: 0,
    };
    loop {
        let (event, span) = builder.next()?;
        match event {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            Event::StreamEnd | Event::DocumentEnd => {
                return Ok(node(Value::Null, span));
            }
            event => return builder.node(event, span, 0),
        }
    }
}

struct Builder<'a> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    aliased: usize,
}

impl<'a> Builder<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), Problem> {
        match self.parser.next_event() {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(problem(
                *error.marker(),
                format!("not valid YAML: {}", error.info()),
            )),
            // the parser ends with StreamEnd, after which nothing is read
            None => Ok((Event::StreamEnd, Span::empty(Marker::new(0, 1, 0)))),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Problem> {
        self.count(1, span.start)?;
        if depth > MOST_DEPTH {
            let message = format!("nested deeper than {MOST_DEPTH} levels");
            return Err(problem(span.start, message));
        }
        let (value, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let as_string = style != ScalarStyle::Plain
                    || tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str");
                let value = if as_string {
                    Value::String(text.into_owned())
                } else {
                    plain(&text)
                };
                (value, anchor)
            }
            Event::SequenceStart(anchor, _) => (self.list(depth)?, anchor),
            Event::MappingStart(anchor, _) => (self.map(depth)?, anchor),
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    return Err(problem(span.start, "an alias cannot contain itself"));
                };
                let (nodes, bytes) = size(node);
                let node = node.clone();
                self.count(nodes, span.start)?;
                self.aliased = self.aliased.saturating_add(bytes);
                if self.aliased > MOST_ALIASED {
                    let most = MOST_ALIASED >> 20;
                    let message = format!("aliases stand for more than {most} MB of text");
                    return Err(problem(span.start, message));
                }
                return Ok(node);
            }
            _ => return Err(problem(span.start, "expected a value")),
        };
        let node = node(value, span);
        if anchor > 0 {
            self.count(size(&node).0, span.start)?;
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    /// What follows the start of a list, up to its end.
    fn list(&mut self, depth: usize) -> Result<Value, Problem> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::List(items)),
                (event, span) => items.push(self.node(event, span, depth + 1)?),
            }
        }
    }

    /// What follows the start of an object, up to its end.
    fn map(&mut self, depth: usize) -> Result<Value, Problem> {
        let mut entries = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(Value::Map(entries));
            }
            let key = Self::key(event, span)?;
            let (event, value_span) = self.next()?;
            entries.push(Entry {
                key,
                place: place(span.start),
                range: 0..0,
                node: self.node(event, value_span, depth + 1)?,
            });
        }
    }

    fn key(event: Event<'a>, span: Span) -> Result<String, Problem> {
        match event {
            Event::Scalar(text, ..) => Ok(text.into_owned()),
            _ => Err(problem(
                span.start,
                "expected a key that is a word or a quoted text",
            )),
        }
    }

    fn count(&mut self, nodes: usize, at: Marker) -> Result<(), Problem> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MOST_NODES {
            return Err(problem(
                at,
                format!("more than {MOST_NODES} values once aliases are resolved"),
            ));
        }
        Ok(())
    }
}

fn node(value: Value, span: Span) -> Node {
    Node {
        place: place(span.start),
        range: 0..0,
        value,
    }
}

/// How many values there are in one, with itself, and how many bytes of text.
fn size(node: &Node) -> (usize, usize) {
    let add =
        |(nodes, bytes): (usize, usize), more: (usize, usize)| (nodes + more.0, bytes + more.1);
    match &node.value {
        Value::String(text) => (1, text.len()),
        Value::List(items) => items.iter().map(size).fold((1, 0), add),
        Value::Map(entries) => entries
            .iter()
            .map(|entry| add((0, entry.key.len()), size(&entry.node)))
            .fold((1, 0), add),
        _ => (1, 0),
    }
}

/// A plain scalar by the core schema; numbers that are not finite stay text.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    if let Ok(integer) = text.parse() {
        return Value::Number(Number::Integer(integer));
    }
    let numeric = text.bytes().any(|byte| byte.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    match text.parse::<f64>() {
        Ok(float) if numeric && float.is_finite() => Value::Number(Number::Float(float)),
        _ => Value::String(text.to_owned()),
    }
}

fn place(marker: Marker) -> Place {
    // the parser counts lines from 1 and columns from 0
    Place {
        line: marker.line().max(1) as u32,
        column: marker.col() as u32 + 1,
    }
}

fn problem(marker: Marker, message: impl Into<String>) -> Problem {
    Problem::new(Severity::Error, place(marker), "", message).with_code(Code::Syntax)
}

#[cfg(test)]
mod tests {
    use super::super::reader::Reader;
    use super::*;

    #[test]
    fn scalars_follow_the_core_schema() {
        let node = parse_yaml("a: 1\nb: 'x'\nc: [yes, 1.5, ~, \"2\"]\nd:\n").expect("valid");
        let root = Reader::new(&node);
        assert_eq!(root.get("a").and_then(|r| r.as_integer()), Some(1));
        assert_eq!(root.get("b").and_then(|r| r.as_str()), Some("x"));
        let items = root.get("c").and_then(|r| r.items()).expect("list");
        assert_eq!(items[0].as_str(), Some("yes"));
        assert_eq!(items[1].as_f64(), Some(1.5));
        assert!(items[2].is_null());
        assert_eq!(items[3].as_str(), Some("2"));
        assert_eq!(items[0].place(), Place { line: 3, column: 5 });
        assert!(root.get("d").expect("key").is_null());
    }

    #[test]
    fn errors_have_a_place() {
        let problem = parse_yaml("a: 1\nb: [1, 2\nc: 3").expect_err("unclosed");
        assert!(problem.line >= 2, "{problem:?}");
    }

    #[test]
    fn aliases_cannot_explode() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..12 {
            let items = vec![format!("*a{}", level - 1); 10].join(", ");
            text = format!("{text}a{level}: &a{level} [{items}]\n");
        }
        assert!(
            parse_yaml(&text)
                .expect_err("too many")
                .message
                .contains("more than")
        );
        assert!(parse_yaml("a: &x [*x]").is_err());
        let long = format!(
            "a: &x {}\nb: [{}]",
            "x".repeat(1 << 16),
            ["*x"; 80].join(", ")
        );
        let problem = parse_yaml(&long).expect_err("5 MB");
        assert_eq!(
            (problem.line, problem.column),
            (2, 5 + 4 * 64),
            "{problem:?}"
        );
        assert!(parse_yaml(&"[".repeat(100_000)).is_err());
    }
}
