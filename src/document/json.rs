//! Strict JSON (RFC 8259) with places. A syntax error ends the reading of a value,
//! but for slips (see [`super::slips`]), which are told and read over.

use super::node::Node;
use super::pieces::Piece;
use super::problem::{Code, Problem, Problems, Severity};
use super::slips::{Slip, blanked, slips};
use super::stepwise::parse_in_steps;
use super::syntax::parse;
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
        step(pause, Progress::new(done, total, what)).await;
    }
    (nodes, problems)
}

/// The same as [`parse_json`] in steps of an item or an entry, where the text is large.
pub async fn parse_json_in_steps(text: &str, pause: Pause<'_>) -> Result<Node, Problem> {
    parse_in_steps(text, 0, Place::START, pause).await
}

/// Reads the JSON value in a piece of a text. Commas after a last item and
/// comments are errors, each with its place, and reading goes on after them, so
/// that there can be a value besides errors.
pub fn read_json(text: &str, piece: &Piece, problems: &mut Problems) -> Option<Node> {
    at_once(read_json_in_steps(text, piece, problems, THROUGH))
}

/// The same in steps of an item or an entry, where the piece is large.
pub async fn read_json_in_steps(
    text: &str,
    piece: &Piece,
    problems: &mut Problems,
    pause: Pause<'_>,
) -> Option<Node> {
    let (own, start) = (piece.of(text), piece.range.start);
    let first = match parse_in_steps(own, start, piece.place, pause).await {
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
    match parse_in_steps(&blanked(own, &slips), start, piece.place, pause).await {
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
