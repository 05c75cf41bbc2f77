//! Strict JSON (RFC 8259) with places. Reading stops at the first syntax error
//! of a text; in JSONL every line is a text of its own.

use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};

use super::node::{Entry, Node, Number, Place, Value};
use super::pieces::{blanked, slips};
use super::problem::{Problem, Problems, Severity};

/// Reads one JSON value.
pub fn parse_json(text: &str) -> Result<Node, Problem> {
    parse_from(text, Place { line: 1, column: 1 })
}

/// Reads JSON Lines: one value per line, blank lines skipped. Every line is
/// read; those that do not parse are problems.
pub fn parse_jsonl(text: &str) -> (Vec<Node>, Vec<Problem>) {
    let (mut nodes, mut problems) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let start = Place {
            line: index as u32 + 1,
            column: 1,
        };
        match parse_from(line, start) {
            Ok(node) => nodes.push(node),
            Err(problem) => problems.push(problem),
        }
    }
    (nodes, problems)
}

/// Reads one JSON value that starts at `start` of a larger text. Commas after a
/// last item and comments are errors, each with its place, and reading goes on
/// after them, so that there can be a value besides errors.
pub fn read_json(text: &str, start: Place, problems: &mut Problems) -> Option<Node> {
    let first = match parse_from(text, start) {
        Ok(node) => return Some(node),
        Err(problem) => problem,
    };
    let slips = slips(text);
    if slips.is_empty() {
        problems.push(first);
        return None;
    }
    let mut lines = Lines::new(text, start);
    for slip in &slips {
        let (message, hint) = if slip.is_comma {
            (
                "a comma after the last item, which JSON does not allow",
                "take the comma out",
            )
        } else {
            (
                "a comment, which JSON does not allow",
                "take the comment out",
            )
        };
        let place = lines.place(slip.range.start);
        problems.push(Problem::new(Severity::Error, place, "", message).with_hint(hint));
    }
    match parse_from(&blanked(text, &slips), start) {
        Ok(node) => Some(node),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

/// The syntax tree of strict JSON.
pub(super) fn syntax(
    text: &str,
) -> Result<Option<ast::Value<'_>>, jsonc_parser::errors::ParseError> {
    let strict = ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    Ok(parse_to_ast(text, &CollectOptions::default(), &strict)?.value)
}

#[cfg(test)]
thread_local! {
    /// How many texts this thread has parsed.
    pub static PARSED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

fn parse_from(text: &str, start: Place) -> Result<Node, Problem> {
    #[cfg(test)]
    PARSED.set(PARSED.get() + 1);
    let parsed = syntax(text).map_err(|error| {
        let place = Lines::new(text, start).place(error.range().start);
        Problem::new(
            Severity::Error,
            place,
            "",
            format!("not valid JSON: {}", error.kind()),
        )
    })?;
    let Some(value) = parsed else {
        return Err(Problem::new(
            Severity::Error,
            start,
            "",
            "nothing here: expected a JSON value",
        ));
    };
    convert(&value, &mut Lines::new(text, start))
}

fn convert(value: &ast::Value, lines: &mut Lines) -> Result<Node, Problem> {
    use jsonc_parser::common::Ranged;
    let place = lines.place(value.start());
    let value = match value {
        ast::Value::StringLit(string) => Value::String(string.value.to_string()),
        ast::Value::NumberLit(number) => Value::Number(number_from(number.value, place)?),
        ast::Value::BooleanLit(boolean) => Value::Bool(boolean.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => Value::List(
            array
                .elements
                .iter()
                .map(|element| convert(element, lines))
                .collect::<Result<_, _>>()?,
        ),
        ast::Value::Object(object) => Value::Map(
            object
                .properties
                .iter()
                .map(|property| {
                    Ok(Entry {
                        key: property.name.as_str().to_owned(),
                        place: lines.place(property.range.start),
                        node: convert(&property.value, lines)?,
                    })
                })
                .collect::<Result<_, _>>()?,
        ),
    };
    Ok(Node { place, value })
}

fn number_from(text: &str, place: Place) -> Result<Number, Problem> {
    if let Ok(integer) = text.parse() {
        return Ok(Number::Integer(integer));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Number::Float(float)),
        _ => Err(Problem::new(
            Severity::Error,
            place,
            "",
            format!("number {text} is outside the range of a 64-bit float"),
        )),
    }
}

/// Turns byte offsets into places. Offsets mostly grow, so it goes on from the
/// last one and starts again only when asked to go back.
struct Lines<'a> {
    text: &'a str,
    start: Place,
    offset: usize,
    place: Place,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str, start: Place) -> Self {
        Self {
            text,
            start,
            offset: 0,
            place: start,
        }
    }

    fn place(&mut self, offset: usize) -> Place {
        if offset < self.offset {
            (self.offset, self.place) = (0, self.start);
        }
        let offset = offset.min(self.text.len());
        for character in self.text[self.offset..offset].chars() {
            if character == '\n' {
                self.place.line += 1;
                self.place.column = 1;
            } else {
                self.place.column += 1;
            }
        }
        self.offset = offset;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Reader;
    use super::*;

    #[test]
    fn values_know_their_place() {
        let node = parse_json("{\n  \"é\": [1, 2.0,\n true]}").expect("valid");
        let list = Reader::new(&node).get("é").expect("key");
        assert_eq!(list.place(), Place { line: 2, column: 8 });
        let items = list.items().expect("list");
        assert_eq!(items[0].as_integer(), Some(1));
        assert_eq!(items[1].as_integer(), None);
        assert_eq!(items[2].place(), Place { line: 3, column: 2 });
        assert_eq!(items[2].path(), "é[2]");
    }

    #[test]
    fn syntax_errors_have_a_place() {
        for (text, line, column) in [
            ("{\"a\": 1,}", 1, 8),
            ("[1\n 2]", 1, 3),
            ("", 1, 1),
            ("[01]", 1, 3),
            ("{'a': 1}", 1, 2),
            ("[NaN]", 1, 2),
            ("1e999", 1, 1),
            ("[1] x", 1, 5),
        ] {
            let problem = parse_json(text).expect_err(text);
            assert_eq!(
                (problem.line, problem.column),
                (line, column),
                "{text}: {problem:?}"
            );
        }
    }

    #[test]
    fn deep_nesting_is_a_problem_not_a_crash() {
        assert!(parse_json(&"[".repeat(100_000)).is_err());
        assert!(parse_json(&"{\"a\":".repeat(100_000)).is_err());
    }

    #[test]
    fn every_line_of_jsonl_is_read() {
        let (nodes, problems) = parse_jsonl("{}\n\n{\n[1]\nx");
        assert_eq!(nodes.len(), 2);
        assert_eq!(nodes[1].place.line, 4);
        assert_eq!(
            problems.iter().map(|p| p.line).collect::<Vec<_>>(),
            vec![3, 5]
        );
    }
}
