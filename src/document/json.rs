//! Strict JSON (RFC 8259) with places. A syntax error ends the reading of a value,
//! but for slips (see [`super::slips`]), which are told and read over.

use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};

use super::node::{Entry, Node, Number, Value};
use super::pieces::{Piece, items};
use super::problem::{Code, Problem, Problems, Severity};
use super::slips::{Slip, blanked, slips};
use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::{Place, Places};

/// Reads one JSON value.
pub fn parse_json(text: &str) -> Result<Node, Problem> {
    parse(text, 0, Place::START)
}

/// Reads JSON Lines: one value per line, blank lines skipped. Every line is
/// read; those that do not parse are problems.
pub fn parse_jsonl(text: &str) -> (Vec<Node>, Vec<Problem>) {
    at_once(parse_jsonl_in_steps(text, THROUGH))
}

/// The same in steps of a line.
pub async fn parse_jsonl_in_steps(text: &str, pause: Pause<'_>) -> (Vec<Node>, Vec<Problem>) {
    let (mut nodes, mut problems) = (Vec::new(), Vec::new());
    let total = text.split('\n').count();
    let mut start = 0;
    for (index, line) in text.split('\n').enumerate() {
        let place = Place {
            line: index as u32 + 1,
            column: 1,
        };
        if !line.trim().is_empty() {
            match parse(line, start, place) {
                Ok(node) => nodes.push(node),
                Err(problem) => problems.push(problem),
            }
        }
        start += line.len() + 1;
        let (done, what) = (index + 1, "lines read");
        step(pause, Progress { done, total, what }).await;
    }
    (nodes, problems)
}

/// Reads a text that is one list of objects in steps of an object, into what
/// [`parse_json`] has of it. None of any other text, nor where there is an error.
pub async fn parse_list_in_steps(text: &str, pause: Pause<'_>) -> Option<Vec<Node>> {
    let found = items(text, &Piece::whole(text))?;
    let (first, last) = (found.first()?, found.last()?);
    let between = found.windows(2);
    let between = between.map(|pair| &text[pair[0].range.end..pair[1].range.start]);
    let is_list = text[..first.range.start].trim() == "["
        && text[last.range.end..].trim() == "]"
        && between.into_iter().all(|between| between.trim() == ",");
    if !is_list {
        return None;
    }
    let mut nodes = Vec::with_capacity(found.len());
    for (index, piece) in found.iter().enumerate() {
        nodes.push(parse(piece.of(text), piece.range.start, piece.place).ok()?);
        let (done, total, what) = (index + 1, found.len(), "rows read");
        step(pause, Progress { done, total, what }).await;
    }
    Some(nodes)
}

/// Reads the JSON value in a piece of a text. Commas after a last item and
/// comments are errors, each with its place, and reading goes on after them, so
/// that there can be a value besides errors.
pub fn read_json(text: &str, piece: &Piece, problems: &mut Problems) -> Option<Node> {
    let (own, start) = (piece.of(text), piece.range.start);
    let first = match parse(own, start, piece.place) {
        Ok(node) => return Some(node),
        Err(problem) => problem,
    };
    let slips = slips(own);
    if slips.is_empty() {
        problems.push(first);
        return None;
    }
    let mut places = Places::within(own, piece.place);
    for slip in &slips {
        problems.push(slip_problem(slip, places.at(slip.range.start)));
    }
    // every byte keeps its place
    match parse(&blanked(own, &slips), start, piece.place) {
        Ok(node) => Some(node),
        Err(problem) => {
            problems.push(problem);
            None
        }
    }
}

fn slip_problem(slip: &Slip, place: Place) -> Problem {
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
    Problem::new(Severity::Error, place, "", message)
        .with_code(Code::Slip)
        .with_hint(hint)
}

/// Whether a text is a number as JSON writes it.
pub(super) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok() && matches!(syntax(text), Ok(Some(ast::Value::NumberLit(_))))
}

#[cfg(test)]
thread_local! {
    /// How many texts this thread has parsed.
    pub static PARSED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// The syntax tree of strict JSON.
fn syntax(text: &str) -> Result<Option<ast::Value<'_>>, jsonc_parser::errors::ParseError> {
    #[cfg(test)]
    PARSED.set(PARSED.get() + 1);
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

/// Reads a value that starts at a byte and a place of a larger text.
fn parse(text: &str, start: usize, place: Place) -> Result<Node, Problem> {
    let mut places = Places::within(text, place);
    let parsed = syntax(text).map_err(|error| {
        let message = format!("not valid JSON: {}", error.kind());
        let place = places.at(error.range().start);
        Problem::new(Severity::Error, place, "", message).with_code(Code::Syntax)
    })?;
    let Some(value) = parsed else {
        let message = "nothing here: expected a JSON value";
        return Err(Problem::new(Severity::Error, place, "", message).with_code(Code::Missing));
    };
    Converter { start, places }.node(&value)
}

/// Makes nodes of a syntax tree whose text starts at a byte of a larger one.
struct Converter<'a> {
    start: usize,
    places: Places<'a>,
}

impl Converter<'_> {
    fn node(&mut self, value: &ast::Value) -> Result<Node, Problem> {
        let (range, place) = self.stretch(value);
        let value = match value {
            ast::Value::StringLit(string) => Value::String(string.value.to_string()),
            ast::Value::NumberLit(number) => Value::Number(number_from(number.value, place)?),
            ast::Value::BooleanLit(boolean) => Value::Bool(boolean.value),
            ast::Value::NullKeyword(_) => Value::Null,
            ast::Value::Array(array) => {
                let items = array.elements.iter().map(|element| self.node(element));
                Value::List(items.collect::<Result<_, _>>()?)
            }
            ast::Value::Object(object) => {
                let entries = object.properties.iter().map(|entry| self.entry(entry));
                Value::Map(entries.collect::<Result<_, _>>()?)
            }
        };
        Ok(Node {
            place,
            range,
            value,
        })
    }

    fn entry(&mut self, property: &ast::ObjectProp) -> Result<Entry, Problem> {
        let (range, place) = self.stretch(&property.name);
        Ok(Entry {
            key: property.name.as_str().to_owned(),
            place,
            range,
            node: self.node(&property.value)?,
        })
    }

    fn stretch(&mut self, of: &impl Ranged) -> (Range<u32>, Place) {
        let [start, end] = [of.start(), of.end()].map(|at| (self.start + at) as u32);
        (start..end, self.places.at(of.start()))
    }
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

#[cfg(test)]
mod tests {
    use super::super::reader::Reader;
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
    fn values_and_keys_know_their_bytes_in_the_whole_text() {
        let text = "é {\"a\" : [1, // b\n {\"ü\": \"]\"},]}";
        let piece = &super::super::pieces(text)[0];
        let node = read_json(text, piece, &mut Problems::new()).expect("slips are read over");
        assert_eq!(&text[node.bytes()], &text[3..]);
        let entry = &node.entries()[0];
        assert_eq!(
            &text[entry.range.start as usize..entry.range.end as usize],
            "\"a\""
        );
        let items = entry.node.items();
        assert_eq!(&text[items[1].bytes()], "{\"ü\": \"]\"}");
        assert_eq!(items[1].place, Place { line: 2, column: 2 });
        let (nodes, _) = parse_jsonl("\n1\r\n 22");
        assert_eq!([nodes[0].bytes(), nodes[1].bytes()], [1..2, 5..7]);
    }

    #[test]
    fn a_list_in_steps_is_the_list_at_once() {
        let list = |text| at_once(parse_list_in_steps(text, THROUGH));
        for text in [
            "[{}]",
            " \n[ {\"é\": [1, {\"b\": null}]},\n\n {\"a\": \"]},{\"} , {} ]\n",
        ] {
            let Value::List(nodes) = parse_json(text).expect("valid").value else {
                panic!("{text} is a list");
            };
            assert_eq!(list(text), Some(nodes), "{text}");
        }
        // left to the reading of the whole, which says what is wrong
        for text in [
            "[]",
            "[{} {}]",
            "[{},,{}]",
            "[,{}]",
            "[{},]",
            "[{}] x",
            "x [{}]",
            "[{}, 1]",
            "[{\"a\" 1}]",
            "{}",
            "[{}",
        ] {
            assert_eq!(list(text), None, "{text}");
        }
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
