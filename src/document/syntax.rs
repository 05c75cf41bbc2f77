//! One value of strict JSON (RFC 8259), each part of it with its place.

use std::ops::Range;

use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, ast, parse_to_ast};

use super::node::{Entry, Node, Number, Value};
use super::problem::{Code, Problem, Severity};
use crate::text::{Place, Places};

/// Whether a text is a number as JSON writes it, and one that can be read.
pub(super) fn is_number(text: &str) -> bool {
    text.parse().is_ok_and(f64::is_finite)
        && matches!(syntax(text), Ok(Some(ast::Value::NumberLit(_))))
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
pub(super) fn parse(text: &str, start: usize, place: Place) -> Result<Node, Problem> {
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
