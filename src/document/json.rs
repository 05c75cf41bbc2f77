//! Strict JSON (RFC 8259) with places. A syntax error ends the reading of a value,
//! but for slips (see [`super::slips`]), which are told and read over.

use super::node::Node;
use super::pieces::Piece;
use super::problem::{Code, Mend, Problem, Problems, Severity};
use super::slips::{Slip, blanked, curly_quote, lone_surrogates, replaced, slips};
use super::stepwise::parse_in_steps;
use super::syntax::parse;
use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::{Place, Places};

/// Reads one JSON value.
pub fn parse_json(text: &str) -> Result<Node, Problem> {
    parse(text, 0, Place::START)
}

/// Reads one JSON value that starts at a place of a larger text; escapes that are read as the
/// replacement character are warned of.
pub fn parse_json_at(
    text: &str,
    place: Place,
    warnings: &mut Vec<Problem>,
) -> Result<Node, Problem> {
    parse(text, 0, place).or_else(|problem| match without_halves(text, place, warnings) {
        Some(text) => parse(&text, 0, place),
        None => Err(problem),
    })
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
                Err(problem) => match without_halves(line, place, &mut problems) {
                    Some(line) => match parse(&line, start, place) {
                        Ok(node) => nodes.push(node),
                        Err(problem) => problems.push(problem),
                    },
                    None => problems.push(problem),
                },
            }
        }
        start += line.len() + 1;
        let (done, what) = (index + 1, "lines read");
        step(pause, Progress::new(done, total, what)).await;
    }
    (nodes, problems)
}

/// The same as [`parse_json`] in steps of an item or an entry, where the text is large;
/// with the warnings of escapes that are read as the replacement character.
pub async fn parse_json_in_steps(
    text: &str,
    pause: Pause<'_>,
) -> (Result<Node, Problem>, Vec<Problem>) {
    let mut warnings = Vec::new();
    let mut read = parse_in_steps(text, 0, Place::START, pause).await;
    if read.is_err()
        && let Some(text) = without_halves(text, Place::START, &mut warnings)
    {
        read = parse_in_steps(&text, 0, Place::START, pause).await;
    }
    (read, warnings)
}

/// JSON whose escapes of half a surrogate pair stand for the replacement character, with a
/// warning for each; none where there are none. Every byte keeps its place.
pub(super) fn without_halves(
    text: &str,
    place: Place,
    warnings: &mut Vec<Problem>,
) -> Option<String> {
    let halves = lone_surrogates(text);
    let mut places = Places::within(text, place);
    for half in &halves {
        let escape = &text[*half..half + 6];
        let message = format!("{escape} is half of a character: \u{fffd} stands for it");
        let problem = Problem::new(Severity::Warning, places.at(*half), "", message);
        warnings.push(
            problem
                .with_code(Code::Partial)
                .mended_by(&Mend::Halves)
                .with_hint("the text was cut in the middle of a character, often an emoji"),
        );
    }
    (!halves.is_empty()).then(|| replaced(text, &halves))
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
    let mut warnings = Vec::new();
    let whole = without_halves(own, piece.place, &mut warnings);
    let slips = slips(own);
    if slips.is_empty() && whole.is_none() {
        problems.push(curly(own, piece.place).unwrap_or(first));
        return None;
    }
    let mut places = Places::within(own, piece.place);
    for slip in &slips {
        problems.push(slip_problem(slip, places.at(slip.range.start)));
    }
    problems.extend(warnings);
    // every byte keeps its place
    let own = blanked(whole.as_deref().unwrap_or(own), &slips);
    match parse_in_steps(&own, start, piece.place, pause).await {
        Ok(node) => Some(node),
        Err(problem) => {
            problems.push(curly(&own, piece.place).unwrap_or(problem));
            None
        }
    }
}

/// What is wrong with JSON that does not parse, where its quotes are those of a letter.
fn curly(text: &str, place: Place) -> Option<Problem> {
    let at = curly_quote(text)?;
    let quote = text[at..].chars().next()?;
    let message = format!("a curly quote, {quote}, where JSON has a straight one, \"");
    let problem = Problem::new(
        Severity::Error,
        Places::within(text, place).at(at),
        "",
        message,
    );
    Some(
        problem
            .with_code(Code::Syntax)
            .with_hint("replace all curly quotes around keys and texts"),
    )
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
    fn curly_quotes_are_said_to_be_in_the_way() {
        let text = "{\"a\":\n “b”}";
        let mut problems = Problems::new();
        assert!(read_json(text, &Piece::whole(text), &mut problems).is_none());
        let told = problems.into_sorted();
        assert!(told[0].message.starts_with("a curly quote, “,"), "{told:?}");
        assert_eq!((told.len(), told[0].line, told[0].column), (1, 2, 2));
    }

    #[test]
    fn half_a_character_is_a_warning() {
        let text = "[{\"a\": \"x\\ud83d\"},]";
        let mut problems = Problems::new();
        let node = read_json(text, &Piece::whole(text), &mut problems).expect("a value");
        let half = Reader::new(&node.items()[0]).get("a").expect("a key");
        assert_eq!(half.as_str(), Some("x\u{fffd}"));
        let told = problems.into_sorted();
        let told: Vec<_> = told.iter().map(|p| (p.severity, p.column)).collect();
        assert_eq!(told, [(Severity::Warning, 10), (Severity::Error, 18)]);
        let (nodes, problems) = parse_jsonl("\"\\ud83d\"\n\"\\ud83d");
        assert_eq!((nodes.len(), problems.len()), (1, 3));
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
