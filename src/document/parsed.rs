//! A text parsed once: what reads it, what shows it as a form and what changes it
//! share one tree.

use std::sync::OnceLock;

use super::json::{parse_json, read_json, read_json_in_steps, without_halves};
use super::node::Node;
use super::normalise::normalise;
use super::pieces::{Found, Piece, found_in_steps, items};
use super::problem::{Mend, Problem, Problems, Severity};
use super::yaml::parse_yaml;
use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::Place;

/// A text and the values in it. Each value is parsed when it is first asked for,
/// and only once; two are equal when they are of the same text.
///
/// ```
/// use assay::document::Parsed;
/// let parsed = Parsed::json("First:\n{\"a\": 1}\nand {\"a\": 2}.");
/// assert_eq!(parsed.pieces().len(), 2);
/// let second = parsed.node(1).expect("JSON");
/// assert_eq!((second.place.line, &parsed.text()[second.bytes()]), (3, "{\"a\": 2}"));
/// ```
#[derive(Debug, Default)]
pub struct Parsed {
    text: String,
    kind: Kind,
    /// At least one, but for the default.
    pieces: Vec<Piece>,
    values: Vec<OnceLock<Value>>,
    strays: Vec<Piece>,
    /// Whether other words stand between and around those.
    has_words: bool,
}

/// How a text is taken apart, and what its pieces are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Json,
    Items,
    Yaml,
}

/// What came of parsing a piece: no value, or problems, or both.
#[derive(Debug)]
struct Value {
    node: Option<Node>,
    problems: Vec<Problem>,
}

impl Value {
    fn new(node: Option<Node>, problems: Problems) -> Self {
        Self {
            node,
            problems: problems.into_sorted(),
        }
    }
}

impl PartialEq for Parsed {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text == other.text
    }
}

impl Parsed {
    /// A text with JSON in it: the values that [`pieces`] finds.
    pub fn json(text: &str) -> Self {
        let text = normalise(text);
        let found = at_once(found_in_steps(&text, THROUGH));
        Self::found(text, Kind::Json, found)
    }

    /// The same in steps: a stretch of the text, a value, an item of a large one.
    pub async fn json_in_steps(text: &str, pause: Pause<'_>) -> Self {
        let text = normalise(text);
        let found = found_in_steps(&text, pause).await;
        let mut parsed = Self::found(text, Kind::Json, found);
        let total = parsed.pieces.len();
        for (index, piece) in parsed.pieces.iter().enumerate() {
            let mut problems = Problems::new();
            let node = read_json_in_steps(&parsed.text, piece, &mut problems, pause).await;
            parsed.values[index] = OnceLock::from(Value::new(node, problems));
            let (done, what) = (index + 1, "values read");
            step(pause, Progress::new(done, total, what)).await;
        }
        parsed
    }

    /// A text with JSON in it, in which an object in a list is a value of its own.
    pub fn items(text: &str) -> Self {
        let text = normalise(text);
        let mut found = at_once(found_in_steps(&text, THROUGH));
        let values = std::mem::take(&mut found.values);
        for piece in values {
            match items(&text, &piece) {
                Some(items) => found.values.extend(items),
                None => found.values.push(piece),
            }
        }
        Self::found(text, Kind::Items, found)
    }

    /// A text that is one value of JSON.
    pub fn json_value(text: &str) -> Self {
        let text = normalise(text);
        let whole = vec![Piece::whole(&text)];
        Self::new(text, Kind::Json, whole)
    }

    /// A text that is YAML, or JSON when it looks like JSON and is.
    pub fn yaml(text: &str) -> Self {
        let text = normalise(text);
        let whole = vec![Piece::whole(&text)];
        Self::new(text, Kind::Yaml, whole)
    }

    fn new(text: String, kind: Kind, pieces: Vec<Piece>) -> Self {
        let values = pieces.iter().map(|_| OnceLock::new()).collect();
        Self {
            text,
            kind,
            pieces,
            values,
            strays: Vec::new(),
            has_words: false,
        }
    }

    fn found(text: String, kind: Kind, found: Found) -> Self {
        Self {
            strays: found.strays,
            has_words: found.has_words,
            ..Self::new(text, kind, found.values)
        }
    }

    /// The text, normalised.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where its values are, at least one.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether words stand in the text that are not read, beside [strays](Self::strays).
    pub fn has_words(&self) -> bool {
        self.has_words
    }

    /// The lines that are no values, where values are lines; each is left out.
    pub fn strays(&self) -> impl ExactSizeIterator<Item = Problem> {
        self.strays.iter().map(|line| {
            let message = "expected a JSON object on this line";
            let problem = Problem::new(Severity::Error, line.place, "", message);
            problem.left_out().mended_by(&Mend::LeaveOut)
        })
    }

    /// The value of a piece; none where it is not JSON (or YAML).
    pub fn node(&self, index: usize) -> Option<&Node> {
        self.value(index)?.node.as_ref()
    }

    /// What is wrong with how a piece is written.
    pub fn problems(&self, index: usize) -> &[Problem] {
        self.value(index).map_or(&[], |value| &value.problems)
    }

    fn value(&self, index: usize) -> Option<&Value> {
        let (value, piece) = (self.values.get(index)?, self.pieces.get(index)?);
        Some(value.get_or_init(|| {
            let mut problems = Problems::new();
            let node = match self.kind {
                Kind::Json | Kind::Items => read_json(&self.text, piece, &mut problems),
                Kind::Yaml => {
                    let mut warnings = Vec::new();
                    let read = parse_either(&self.text, &mut warnings);
                    problems.extend(warnings);
                    read.map_err(|problem| problems.push(problem)).ok()
                }
            };
            Value::new(node, problems)
        }))
    }
}

/// YAML, or JSON when it looks like JSON and YAML cannot read it either.
fn parse_either(text: &str, warnings: &mut Vec<Problem>) -> Result<Node, Problem> {
    if text.trim_start().starts_with('{') {
        return parse_json(text)
            .or_else(
                |problem| match without_halves(text, Place::START, warnings) {
                    Some(text) => parse_json(&text),
                    None => Err(problem),
                },
            )
            .or_else(|problem| parse_yaml(text).map_err(|_| problem));
    }
    parse_yaml(text)
}
