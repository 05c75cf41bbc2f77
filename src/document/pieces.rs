//! Where the JSON is in what was pasted: models print it between words, inside
//! a fenced block, or several values one after the other.

use std::ops::Range;

use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::{Place, Places};

/// A stretch of a text that is JSON, or is meant to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Its place in the text.
    pub place: Place,
}

impl Piece {
    /// All of a text.
    pub fn whole(text: &str) -> Self {
        Self {
            range: 0..text.len(),
            place: Place::START,
        }
    }

    /// The piece's own text.
    pub fn of<'a>(&self, text: &'a str) -> &'a str {
        &text[self.range.clone()]
    }

    /// Where text stands around it that is not read: a note of what is.
    pub fn note(&self, text: &str) -> Option<String> {
        if !are_embedded(text, std::slice::from_ref(self)) {
            return None;
        }
        let from = self.place.line;
        // of several texts that are a line each the numbers are not known here
        if !text.trim_end().contains('\n') {
            return Some("only the JSON in this line is read".to_owned());
        }
        Some(match self.of(text).matches('\n').count() as u32 {
            0 => format!("only the JSON in line {from} is read"),
            lines => format!("only the JSON in lines {from} to {} is read", from + lines),
        })
    }
}

/// Whether anything but white space stands around the pieces of a text.
pub fn are_embedded(text: &str, pieces: &[Piece]) -> bool {
    let mut at = 0;
    let mut between = pieces.iter().map(|piece| {
        let before = &text[at..piece.range.start];
        at = piece.range.end;
        before
    });
    between.any(|words| !words.trim().is_empty())
        || pieces
            .last()
            .is_some_and(|last| !text[last.range.end..].trim().is_empty())
}

/// Ranges in the order of the text, with their places.
fn placed(text: &str, ranges: Vec<Range<usize>>) -> Vec<Piece> {
    let mut places = Places::new(text);
    let ranges = ranges.into_iter().map(|range| Piece {
        place: places.at(range.start),
        range,
    });
    ranges.collect()
}

/// The pieces of JSON in a normalised text, at least one: the whole text; the
/// lines of JSONL or values one after the other; the contents of fenced blocks;
/// or the objects between words. A text without any is one piece, so that
/// reading it says what is wrong.
pub fn pieces(text: &str) -> Vec<Piece> {
    at_once(pieces_in_steps(text, THROUGH))
}

/// The same in steps of a stretch of text.
pub async fn pieces_in_steps(text: &str, pause: Pause<'_>) -> Vec<Piece> {
    let mut ranges = one_value_in_steps(text, pause).await;
    if ranges.is_none() {
        ranges = lines_in_steps(text, pause).await;
    }
    let ranges = ranges
        .or_else(|| fenced(text))
        .or_else(|| between_words(text))
        .unwrap_or_else(|| std::iter::once(0..text.len()).collect());
    let mut places = Places::new(text);
    let mut found = Vec::with_capacity(ranges.len());
    let mut next = 0;
    for range in ranges {
        if range.start >= next {
            looked_through(range.start, text.as_bytes(), pause).await;
            next = range.start + STRETCH;
        }
        let place = places.at(range.start);
        found.push(Piece { range, place });
    }
    found
}

/// The items of a list, each as a piece; none if the piece is no list of objects.
pub fn items(text: &str, piece: &Piece) -> Option<Vec<Piece>> {
    let own = piece.of(text);
    let lead = own.len() - own.trim_start().len();
    if !own[lead..].starts_with('[') {
        return None;
    }
    let mut at = piece.range.start + lead + 1;
    let mut found = Vec::new();
    while let Some(start) = text[at..piece.range.end].find(|c: char| !c.is_whitespace() && c != ',')
    {
        let start = at + start;
        if !text[start..].starts_with('{') {
            let closes = text[start..].starts_with(']');
            return (closes && !found.is_empty()).then(|| placed(text, found));
        }
        at = start + value_end(&text.as_bytes()[start..piece.range.end])?;
        found.push(start..at);
    }
    None
}

/// The whole text, if it is one balanced value or the beginning of one.
fn one_value(text: &str) -> Option<Vec<Range<usize>>> {
    at_once(one_value_in_steps(text, THROUGH))
}

async fn one_value_in_steps(text: &str, pause: Pause<'_>) -> Option<Vec<Range<usize>>> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with(['{', '[']) {
        return None;
    }
    let end = value_end_in_steps(&text.as_bytes()[start..], pause).await;
    let end = end.map(|end| start + end);
    let is_one = end.is_none_or(|end| text[end..].trim().is_empty());
    let is_cut = end.is_none() && cut_line(&text[start..]).is_some();
    (is_one && !is_cut).then(|| std::iter::once(0..text.len()).collect())
}

/// The first line of a text where it is a line of JSONL that is cut off: such a one must not swallow the lines after
/// it, one of which is an object by itself.
fn cut_line(text: &str) -> Option<&str> {
    /// So many lines after it are looked at.
    const NEAR: usize = 20;
    let mut lines = text.lines();
    let first = lines.next()?;
    let is_object = |line: &str| line.starts_with('{') && is_value(line.trim_end());
    let is_cut = first.len() > 1
        && !first.ends_with(['{', '[', ','])
        && value_end(first.as_bytes()).is_none()
        && lines.take(NEAR).any(is_object);
    is_cut.then_some(first)
}

/// JSONL: every line that is not blank starts a value, and the first or the second of them is whole. Between such
/// lines others may stand, which another program wrote there.
fn lines(text: &str) -> Option<Vec<Range<usize>>> {
    at_once(lines_in_steps(text, THROUGH))
}

async fn lines_in_steps(text: &str, pause: Pause<'_>) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let (mut at, mut next, mut others) = (0, STRETCH, 0);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() {
            others += usize::from(!content.starts_with(['{', '[']));
            let start = at + (line.len() - line.trim_start().len());
            found.push(start..start + content.len());
        }
        at += line.len();
        if at >= next {
            looked_through(at, text.as_bytes(), pause).await;
            next = at + STRETCH;
        }
    }
    let is_whole = |range: &Range<usize>| is_value(&text[range.clone()]);
    let is_lines = found.len() > 1
        && found.iter().take(2).any(is_whole)
        && (others == 0 || are_between(text, &found, others));
    is_lines.then_some(found)
}

/// Whether so many lines that are no values stand between lines that are: these are many, or each of all stands by
/// itself.
fn are_between(text: &str, lines: &[Range<usize>], others: usize) -> bool {
    /// So many lines that are values for each that is none.
    const MANY: usize = 3;
    let of = |range: &Range<usize>| &text[range.clone()];
    // words before or behind values are no line of theirs
    let mut ends = [lines.first(), lines.last()].into_iter().flatten();
    if !ends.all(|range| of(range).starts_with(['{', '['])) {
        return false;
    }
    let are_whole: Vec<bool> = lines.iter().map(|range| is_value(of(range))).collect();
    let whole = are_whole.iter().filter(|is_whole| **is_whole).count();
    let stands_alone = |(at, range): (usize, &Range<usize>)| {
        let line = of(range);
        let goes_on = || {
            let next = are_whole.get(at + 1);
            next.is_some_and(|is_whole| !is_whole || line.ends_with(['{', '[', ',']))
        };
        are_whole[at]
            || if line.starts_with(['{', '[']) {
                !goes_on()
            } else {
                // an object may stand behind words
                between_words(line).is_none()
            }
    };
    whole >= MANY * others || whole > 1 && lines.iter().enumerate().all(stands_alone)
}

/// Whether a text is an object or a list and nothing else, by its brackets.
fn is_value(text: &str) -> bool {
    text.starts_with(['{', '[']) && value_end(text.as_bytes()) == Some(text.len())
}

/// What stands in fenced blocks, as far as it looks like JSON: a value, or
/// several one after the other. A block that is not closed goes to the end.
fn fenced(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    let mut keep = |range: Range<usize>| {
        let inner = text[range.clone()].trim();
        if inner.starts_with(['{', '[']) {
            let start = range.start + text[range].find(inner).unwrap_or_default();
            let values = one_value(inner)
                .or_else(|| lines(inner))
                .or_else(|| between_words(inner));
            let whole = || std::iter::once(0..inner.len()).collect();
            let values = values.unwrap_or_else(whole).into_iter();
            found.extend(values.map(|value| start + value.start..start + value.end));
        }
    };
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(start) => keep(start..at),
                None => open = Some(end),
            }
        }
        at = end;
    }
    if let Some(start) = open {
        keep(start..text.len());
    }
    (!found.is_empty()).then_some(found)
}

/// Objects, and lists of them, between words. The last may be cut off.
fn between_words(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = text[at..].find(['{', '[']) {
        let start = at + step;
        let rest = text[start..]
            .strip_prefix('[')
            .map_or(&text[start..], str::trim_start);
        let looks_like_json = rest
            .strip_prefix('{')
            .is_some_and(|inner| inner.trim_start().starts_with(['"', '}']));
        if looks_like_json {
            let end = value_end(&text.as_bytes()[start..]);
            let end = end.map_or_else(|| text.trim_end().len(), |end| start + end);
            found.push(start..end);
            at = end;
        } else {
            at = start + 1;
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Where the object or list that starts the bytes ends, by its brackets.
fn value_end(bytes: &[u8]) -> Option<usize> {
    value_extent(bytes).map(|(end, _)| end)
}

/// The same, and how many brackets are open at once in it.
pub(super) fn value_extent(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut brackets = Brackets::default();
    let end = brackets.end(bytes)?;
    Some((end, brackets.deepest))
}

/// The same in steps of a stretch.
async fn value_end_in_steps(bytes: &[u8], pause: Pause<'_>) -> Option<usize> {
    let mut brackets = Brackets::default();
    let mut done = 0;
    for stretch in bytes.chunks(STRETCH) {
        if let Some(end) = brackets.end(stretch) {
            return Some(done + end);
        }
        done += stretch.len();
        looked_through(done, bytes, pause).await;
    }
    None
}

/// Bytes that are looked through in one step.
const STRETCH: usize = 1 << 18;

async fn looked_through(done: usize, of: &[u8], pause: Pause<'_>) {
    let (done, total) = (done / 1000, of.len() / 1000);
    let what = "kB looked through";
    step(pause, Progress::new(done, total, what)).await;
}

/// What of a value has been seen so far.
#[derive(Default)]
struct Brackets {
    depth: usize,
    deepest: usize,
    in_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Where in the next bytes the value ends.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            if self.is_escaped {
                self.is_escaped = false;
                continue;
            }
            match (byte, self.in_string) {
                (b'"', in_string) => self.in_string = !in_string,
                (b'\\', true) => self.is_escaped = true,
                (b'{' | b'[', false) => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                }
                (b'}' | b']', false) => {
                    // the value begins with a bracket
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let pieces = pieces(text);
        for piece in &pieces {
            let lines = text[..piece.range.start].matches('\n').count() as u32;
            assert_eq!(piece.place.line, lines + 1);
        }
        pieces.iter().map(|piece| piece.of(text)).collect()
    }

    #[test]
    fn one_value_is_the_whole_text() {
        for text in [
            "",
            "  ",
            "hello",
            "{\"a\": 1}\n",
            " [1, 2] ",
            "{\"a\": [1,",
            "[\n{\"a\": 1},\n{\"b\": 2}\n]",
        ] {
            assert_eq!(found(text), [text]);
        }
    }

    #[test]
    fn what_a_model_prints_around_json_is_left_out() {
        let fenced = "Here it is:\n```json\n{\"a\": \"``` }\"}\n```\nAnything else?";
        assert_eq!(found(fenced), ["{\"a\": \"``` }\"}"]);
        assert_eq!(found("```\n[1,\n"), ["[1,"]);
        let prose = "As [1] says, {x} is: {\"a\": {\"b\": \"}\"}} and [{\"c\": 1}]. Done {\"d\"";
        assert_eq!(
            found(prose),
            ["{\"a\": {\"b\": \"}\"}}", "[{\"c\": 1}]", "{\"d\""]
        );
        assert_eq!(found("{\"a\": 1}\nHope this helps!"), ["{\"a\": 1}"]);
        let piece = &pieces("é {\"a\": 1}")[0];
        assert_eq!(piece.place, Place { line: 1, column: 3 });
        assert!(are_embedded("é {\"a\": 1}", &pieces("é {\"a\": 1}")));
    }

    #[test]
    fn lines_and_values_one_after_the_other_are_pieces() {
        assert_eq!(
            found("{\"a\": 1}\n\n{\"b\": 2}\n"),
            ["{\"a\": 1}", "{\"b\": 2}"]
        );
        assert_eq!(found("{\"a\": 1}\n{\"b\": \n{\"c\": 3}").len(), 3);
        assert_eq!(
            found("{\"a\": \n{\"b\": 1}\n{\"c\": 3}"),
            ["{\"a\":", "{\"b\": 1}", "{\"c\": 3}"]
        );
        assert_eq!(found("{\n\"a\": 1}\n{\n\"b\": 2}").len(), 2);
        // whatever stands between the lines
        assert_eq!(
            found("{\"a\": 1}\njunk\n{\"b\": \n{\"c\": 3}\n{\"d\": 4}\n"),
            ["{\"a\": 1}", "junk", "{\"b\":", "{\"c\": 3}", "{\"d\": 4}"]
        );
        assert_eq!(
            found("{\"a\": 1}\nTraceback:\n  File {x}\n{\"b\": 2}\n{\"c\":"),
            [
                "{\"a\": 1}",
                "Traceback:",
                "File {x}",
                "{\"b\": 2}",
                "{\"c\":"
            ]
        );
        assert_eq!(
            found("{\"a\": 1}\n```\n{\"b\": 2}\n{\"c\"\n{\"d\": 3}").len(),
            5
        );
        assert_eq!(found("[{\"a\": 1}]\nWARN\n[{\"b\": 2}]").len(), 3);
        // one of them holds an object, or goes on in the next
        let behind = found("{\"a\": 1}\nthen: {\"b\": 2}\n{\"c\": 3}");
        assert_eq!(behind, ["{\"a\": 1}", "{\"b\": 2}", "{\"c\": 3}"]);
        for on in ["{\n\"b\": 2}", "{\"b\":\n2}", "{\"b\": [1,\n2]}"] {
            let text = format!("{{\"a\": 1}}\n{on}\n{{\"c\": 3}}");
            assert_eq!(found(&text), ["{\"a\": 1}", on, "{\"c\": 3}"]);
        }
        assert_eq!(
            found("{\"a\": 1}\n{\"b\": \"x\nreset\n{\"c\": 3}\n{\"d\": 4}\n"),
            [
                "{\"a\": 1}",
                "{\"b\": \"x",
                "reset",
                "{\"c\": 3}",
                "{\"d\": 4}"
            ]
        );
        assert_eq!(found("So: {\"a\":\n{\"b\": 1}}"), ["{\"a\":\n{\"b\": 1}}"]);
    }

    #[test]
    fn a_fenced_block_may_hold_lines() {
        assert_eq!(
            found("Turns:\n```jsonl\n{\"a\": 1}\n{\"b\": 2}\n```\n"),
            ["{\"a\": 1}", "{\"b\": 2}"]
        );
    }

    #[test]
    fn places_count_from_the_beginning_of_the_text() {
        let text = "é {\"a\": 1} ü {\"b\":\n 2}\n  {\"c\": 3}";
        let found = pieces(text);
        let places: Vec<_> = found
            .iter()
            .map(|piece| (piece.place.line, piece.place.column))
            .collect();
        assert_eq!(places, [(1, 3), (1, 14), (3, 3)]);
        for piece in &found {
            assert_eq!(Places::new(text).at(piece.range.start), piece.place);
        }
        assert!(are_embedded(text, &found));
        assert_eq!(
            found[0].note(text).as_deref(),
            Some("only the JSON in line 1 is read")
        );
        let line = "Here: {}";
        let note = pieces(line)[0].note(line);
        assert_eq!(note.as_deref(), Some("only the JSON in this line is read"));
    }

    #[test]
    fn a_list_of_objects_has_items() {
        let text = "x [ {\"a\": 1},\n {\"b\": [2]} ,]";
        let whole = &pieces(text)[0];
        let found = items(text, whole).expect("a list");
        let texts: Vec<_> = found.iter().map(|piece| piece.of(text)).collect();
        assert_eq!(texts, ["{\"a\": 1}", "{\"b\": [2]}"]);
        for text in ["[]", "[1]", "{}", "[{\"a\": 1}", "[{\"a\": 1} x]"] {
            assert_eq!(items(text, &pieces(text)[0]), None, "{text}");
        }
    }
}
