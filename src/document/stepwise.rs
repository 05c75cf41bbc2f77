//! Large JSON in steps: a list item by item, an object entry by entry, into the very
//! nodes that reading it at once makes.

use std::pin::Pin;

use super::node::{Entry, Node, Value};
use super::pieces::value_extent;
use super::problem::Problem;
use super::syntax::parse;
use crate::steps::{Pause, Progress, step};
use crate::text::{Place, Places};

/// A value of up to so many bytes is read in one step.
const SMALL: usize = 1 << 14;
/// Fewer open brackets than the parser allows.
const NESTED: usize = 500;
/// Within so many others, a value is read in one step whatever its size: the walk must not
/// run out of stack.
const DEEP: usize = 16;

/// Reads a value that starts at a byte and a place of a larger text.
pub(super) async fn parse_in_steps(
    text: &str,
    start: usize,
    place: Place,
    pause: Pause<'_>,
) -> Result<Node, Problem> {
    parse_by(SMALL, text, start, place, pause).await
}

async fn parse_by(
    small: usize,
    text: &str,
    start: usize,
    place: Place,
    pause: Pause<'_>,
) -> Result<Node, Problem> {
    if text.len() <= small {
        return parse(text, start, place);
    }
    let mut walk = Walk {
        small,
        text,
        start,
        places: Places::within(text, place),
        depth: 0,
        pause,
    };
    match walk.root().await {
        Ok(node) => Ok(node),
        Err(Stop::Wrong(problem)) => Err(problem),
        // reading the whole says what is wrong
        Err(Stop::Unclear) => parse(text, start, place),
    }
}

/// Why a value cannot be read in steps.
enum Stop {
    /// It is no JSON: reading the whole stops here as well.
    Wrong(Problem),
    /// What it is depends on more than the part that was looked at.
    Unclear,
}

/// A value and where it ends.
type Found = Result<(Node, usize), Stop>;

struct Walk<'a> {
    small: usize,
    text: &'a str,
    start: usize,
    places: Places<'a>,
    /// How many containers are open.
    depth: usize,
    pause: Pause<'a>,
}

impl Walk<'_> {
    async fn root(&mut self) -> Result<Node, Stop> {
        let (node, end) = self.value(self.space(0)).await?;
        if self.space(end) == self.text.len() {
            Ok(node)
        } else {
            Err(Stop::Unclear)
        }
    }

    /// The first byte from `at` on that is no white space.
    fn space(&self, at: usize) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        let space = bytes
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        at + space.count()
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    async fn value(&mut self, at: usize) -> Found {
        let bytes = &self.text.as_bytes()[at..];
        let is_container = matches!(bytes.first(), Some(b'{' | b'['));
        let may_enter = self.depth < DEEP && bytes.len() > self.small;
        let extent = match bytes.first() {
            Some(b'{' | b'[') if may_enter => value_extent(&bytes[..self.small]),
            Some(b'{' | b'[') => value_extent(bytes),
            Some(b'"') => string_end(bytes).map(|end| (end, 0)),
            _ => Some((scalar_end(bytes), 0)),
        };
        // how deep is too deep depends on what is around it
        let end = extent
            .filter(|(_, nested)| self.depth + nested <= NESTED)
            .map(|(end, _)| end);
        let Some(length) = end else {
            return if is_container && may_enter && extent.is_none() {
                self.container(at).await
            } else {
                Err(Stop::Unclear)
            };
        };
        let end = at + length;
        let place = self.places.at(at);
        match parse(&self.text[at..end], self.start + at, place) {
            Ok(node) => Ok((node, end)),
            // what is between two brackets is wrong by itself
            Err(problem) if is_container => Err(Stop::Wrong(problem)),
            Err(_) => Err(Stop::Unclear),
        }
    }

    /// A list or an object that is not small.
    fn container(&mut self, open: usize) -> Pin<Box<dyn Future<Output = Found> + '_>> {
        Box::pin(async move {
            let place = self.places.at(open);
            self.depth += 1;
            let is_list = self.byte(open) == Some(b'[');
            let (mut items, mut entries) = (Vec::new(), Vec::new());
            let mut at = self.space(open + 1);
            let end = loop {
                let after = if is_list {
                    let (node, after) = self.value(at).await?;
                    items.push(node);
                    after
                } else {
                    let (entry, after) = self.entry(at).await?;
                    entries.push(entry);
                    after
                };
                let next = self.space(after);
                match (self.byte(next), is_list) {
                    (Some(b','), _) => at = self.space(next + 1),
                    (Some(b']'), true) | (Some(b'}'), false) => break next + 1,
                    _ => return Err(Stop::Unclear),
                }
                let (done, total) = (at / 1000, self.text.len() / 1000);
                let what = "kB read";
                step(self.pause, Progress::new(done, total, what)).await;
            };
            self.depth -= 1;
            let node = Node {
                place,
                range: self.range(open, end),
                value: if is_list {
                    Value::List(items)
                } else {
                    Value::Map(entries)
                },
            };
            Ok((node, end))
        })
    }

    async fn entry(&mut self, at: usize) -> Result<(Entry, usize), Stop> {
        if self.byte(at) != Some(b'"') {
            return Err(Stop::Unclear);
        }
        let (key, end) = self.key(at)?;
        let place = self.places.at(at);
        let colon = self.space(end);
        if self.byte(colon) != Some(b':') {
            return Err(Stop::Unclear);
        }
        let (node, after) = self.value(self.space(colon + 1)).await?;
        let range = self.range(at, end);
        let entry = Entry {
            key,
            place,
            range,
            node,
        };
        Ok((entry, after))
    }

    fn key(&self, at: usize) -> Result<(String, usize), Stop> {
        let end = at + string_end(&self.text.as_bytes()[at..]).ok_or(Stop::Unclear)?;
        match parse(&self.text[at..end], 0, Place::START) {
            Ok(Node {
                value: Value::String(key),
                ..
            }) => Ok((key, end)),
            _ => Err(Stop::Unclear),
        }
    }

    fn range(&self, from: usize, to: usize) -> std::ops::Range<u32> {
        (self.start + from) as u32..(self.start + to) as u32
    }
}

/// Where the string at the beginning ends.
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Where a number or a word at the beginning ends.
fn scalar_end(bytes: &[u8]) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    const PLACE: Place = Place { line: 3, column: 5 };

    fn same(text: &str) -> Result<Node, Problem> {
        let whole = parse(text, 7, PLACE);
        for small in [1, 4, 16] {
            let found = at_once(parse_by(small, text, 7, PLACE, THROUGH));
            assert_eq!(found, whole, "{text} by {small}");
        }
        whole
    }

    #[test]
    fn in_steps_is_at_once() {
        for text in [
            " \n[ {\"é\": [1, {\"b\": null}]},\n\n {\"a\": \"]},{\"} , {} ]\n",
            "{\"k\\u00e9y\\\"\": -1.5e3, \"turns\" : [true,false , \"x\\\\\"], \"turns\":{}}",
            "[[], [[]], {}, \"\"]",
        ] {
            assert!(same(text).is_ok(), "{text}");
        }
        for text in [
            "[{} {}]",
            "[{},,{}]",
            "[,{}]",
            "[{},]",
            "[{}] x",
            "[{}, x]",
            "[{\"a\" 1}]",
            "[{}",
            "{\"a\": [1, 2}, \"b\": []}",
            "{\"a\": tru e}",
            "{a: 1}",
            "{\"a\", 1}",
            "[\"a]",
            "[1e999, 1]",
            "{\"a\": 1}}",
        ] {
            assert!(same(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_deep_is_read_at_once_and_too_deep_is_a_problem() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(same(&nested(DEEP + 3)).is_ok());
        assert!(same(&"[".repeat(100_000)).is_err());
        assert!(same(&nested(50_000)).is_err());
        assert!(same(&"{\"a\":".repeat(50_000)).is_err());
    }

    #[test]
    fn an_item_is_a_step() {
        let text = format!("{{\"turns\": [{}]}}", vec!["{\"a\": 1}"; 50].join(", "));
        let steps = std::cell::Cell::new(0);
        let pause = |progress: Progress| {
            assert!(progress.done <= progress.total);
            steps.set(steps.get() + 1);
            true
        };
        at_once(parse_by(16, &text, 0, Place::START, &pause)).expect("valid");
        assert_eq!(steps.get(), 49);
    }

    // in a browser proptest finds no entropy
    #[cfg(not(target_arch = "wasm32"))]
    mod broken {
        use super::same;
        use proptest::prelude::*;

        fn json() -> impl Strategy<Value = String> {
            let leaf = prop_oneof![
                Just("null".to_owned()),
                Just("-12.5".to_owned()),
                Just("\"é \\\" ]}\"".to_owned()),
                Just("1".to_owned()),
            ];
            leaf.prop_recursive(4, 40, 4, |inner| {
                prop_oneof![
                    prop::collection::vec(inner.clone(), 0..4)
                        .prop_map(|items| format!("[{}]", items.join(" ,\n"))),
                    prop::collection::vec(inner, 0..4).prop_map(|values| {
                        let entry = |value| format!("\"k\": {value}");
                        let entries: Vec<_> = values.into_iter().map(entry).collect();
                        format!("{{{}}}", entries.join(", "))
                    }),
                ]
            })
        }

        proptest! {
            /// Also where a character was lost, or one too many is there.
            #[test]
            fn broken_or_not_it_is_the_same(text in json(), at: prop::sample::Index, put in "[\\[\\]{},:\"x/ ]?") {
                let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
                let at = places[at.index(places.len())];
                let lost: String = text[at..].chars().skip(1).collect();
                let _ = same(&text);
                let _ = same(&[&text[..at], &put, &lost].concat());
            }
        }
    }
}
