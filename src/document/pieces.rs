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
        if !are_embedded(text, [self]) {
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

/// Whether words stand around the pieces of a text.
pub(super) fn are_embedded<'a>(text: &str, pieces: impl IntoIterator<Item = &'a Piece>) -> bool {
    let is_words = |text: &str| !text.trim_matches(is_between).is_empty();
    let mut at = 0;
    for piece in pieces {
        if is_words(&text[at..piece.range.start]) {
            return true;
        }
        at = piece.range.end;
    }
    is_words(&text[at..])
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

/// The pieces of JSON in a normalised text, at least one: the whole text, if it is one value; else the values in it,
/// one after the other, in lines of JSONL, between words or in fenced blocks. One that is cut off ends where the next
/// one begins. A text without any is one piece, so that reading it says what is wrong.
pub fn pieces(text: &str) -> Vec<Piece> {
    at_once(found_in_steps(text, THROUGH)).values
}

/// What stands in a text, in its order.
pub struct Found {
    /// Its pieces of JSON, at least one.
    pub values: Vec<Piece>,
    /// In JSONL the lines that are none, and those of which the beginning is lost.
    pub strays: Vec<Piece>,
    /// Whether other words stand between and around those.
    pub has_words: bool,
}

/// The pieces of a text with what stands between them, in steps of a stretch of text.
pub async fn found_in_steps(text: &str, pause: Pause<'_>) -> Found {
    let mut found = Found {
        values: Vec::new(),
        strays: Vec::new(),
        has_words: false,
    };
    if !is_one_value(text, pause).await {
        let mut scan = Scan::new(text, pause);
        scan.run().await;
        let (mut places, mut next) = (Places::new(text), 0);
        for (range, is_value) in scan.kept() {
            if range.start >= next {
                looked_through(range.start, text.as_bytes(), pause).await;
                next = range.start + STRETCH;
            }
            let place = places.at(range.start);
            let kept = if is_value {
                &mut found.values
            } else {
                &mut found.strays
            };
            kept.push(Piece { range, place });
        }
        let mut all: Vec<&Piece> = found.values.iter().chain(&found.strays).collect();
        all.sort_by_key(|piece| piece.range.start);
        found.has_words = are_embedded(text, all);
    }
    if found.values.is_empty() {
        found.values.push(Piece::whole(text));
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

/// Whether a text is one balanced value.
async fn is_one_value(text: &str, pause: Pause<'_>) -> bool {
    let text = text.trim();
    text.starts_with(['{', '['])
        && value_end_in_steps(text.as_bytes(), pause).await == Some(text.len())
}

/// Whether a text is an object or a list and nothing else, by its brackets.
fn is_value(text: &str) -> bool {
    text.starts_with(['{', '[']) && value_end(text.as_bytes()) == Some(text.len())
}

/// What stands between values in a line: white space, the commas of a list, and what RFC 7464 begins a text with.
fn is_between(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '\u{1e}'
}

/// What a stretch of a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A value in one line, or one that is cut off.
    Line,
    /// A value in several lines.
    Block,
    /// A value behind words.
    Inline,
    /// A line without a value.
    Words,
    /// A line whose value began before it.
    Torn,
}

struct Part {
    range: Range<usize>,
    stands: Stands,
    is_fenced: bool,
}

/// Looks for the values of a text from its beginning to its end.
struct Scan<'a> {
    text: &'a str,
    pause: Pause<'a>,
    parts: Vec<Part>,
    at: usize,
    /// The line with which the fenced block began in which this is, and how many parts stand before it.
    fence: Option<(Range<usize>, usize)>,
    /// Bytes that were looked at for a value that ended before them.
    in_vain: usize,
    next_step: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a str, pause: Pause<'a>) -> Self {
        Self {
            text,
            pause,
            parts: Vec::new(),
            at: 0,
            fence: None,
            in_vain: 0,
            next_step: STRETCH,
        }
    }

    async fn run(&mut self) {
        while self.at < self.text.len() {
            let end = line_end(self.text, self.at);
            let line = &self.text[self.at..end];
            let start = end - line.trim_start_matches(is_between).len();
            let own = self.text[start..end].trim_end();
            self.at = end;
            if is_fence(own) {
                self.fence = match self.fence {
                    Some(_) => None,
                    None => Some((start..start + own.len(), self.parts.len())),
                };
            } else if is_torn(own) {
                self.push(start..start + own.len(), Stands::Torn);
            } else if self.begins(start, own) {
                self.values(start, false).await;
            } else if let Some(value) = inline(&self.text[start..], own.len()) {
                self.values(start + value, true).await;
            } else if !own.is_empty() {
                self.push(start..start + own.len(), Stands::Words);
            }
            self.breathe(self.at).await;
        }
        // among lines it begins nothing
        if let Some((range, before)) = self.fence.take()
            && before > 0
            && self.parts[0].stands == Stands::Line
        {
            self.parts[before..]
                .iter_mut()
                .for_each(|part| part.is_fenced = false);
            let at = self.parts.len();
            self.push(range, Stands::Words);
            self.parts[before..=at].rotate_right(1);
        }
    }

    fn push(&mut self, range: Range<usize>, stands: Stands) {
        self.parts.push(Part {
            range,
            stands,
            is_fenced: self.fence.is_some(),
        });
    }

    /// Whether a value begins at the beginning of a line: an object, or a list of some.
    fn begins(&self, start: usize, line: &str) -> bool {
        /// So far the first object of a list is looked for.
        const NEAR: usize = 200;
        let rest = &self.text[start..];
        if rest.starts_with('{') {
            let is_all = |end: usize| line[end..].trim_matches(is_between).is_empty();
            return looks_like_json(rest) || value_end(line.as_bytes()).is_none_or(is_all);
        }
        let Some(inner) = rest.strip_prefix('[') else {
            return false;
        };
        let is_list = || {
            inner.trim_start().starts_with(['"', '[', ']', '-'])
                || inner.starts_with(|c: char| c.is_ascii_digit())
        };
        let mut near = inner.chars().take(NEAR);
        let within = near.find(|c| *c != '[' && !c.is_whitespace());
        self.fence.is_some() || within == Some('{') || is_list() && is_value(line)
    }

    /// Takes the value at a place and those that follow it in the line in which it ends.
    async fn values(&mut self, mut start: usize, mut is_inline: bool) {
        let mut line = 0;
        loop {
            let (end, is_cut) = self.extent(start).await;
            let stands = match self.text[start..end].contains('\n') {
                _ if is_inline => Stands::Inline,
                true if !is_cut => Stands::Block,
                _ => Stands::Line,
            };
            self.push(start..end, stands);
            if end > line {
                line = line_end(self.text, end);
                self.at = line;
            }
            let rest = &self.text[end..line];
            let behind = line - rest.trim_start_matches(is_between).len();
            let Some(next) = inline(&self.text[behind..], line - behind) else {
                return;
            };
            start = behind + next;
            is_inline |= next > 0;
        }
    }

    /// Where the value that starts at a place ends, and whether it is cut off: it ends with its line then, where that
    /// could end so, or before the line with which another one begins.
    async fn extent(&mut self, start: usize) -> (usize, bool) {
        /// So many times the text is looked at for values that end nowhere.
        const OFTEN: usize = 4;
        let text = self.text;
        // the line in which this stands has been taken
        let line = text[start..self.at].trim_end();
        if self.in_vain > OFTEN * text.len() {
            let end = value_end(line.as_bytes());
            return (start + end.unwrap_or(line.len()), end.is_none());
        }
        let mut value = Value::default();
        let mut at = start;
        let cut = loop {
            let to = text.len().min(at + STRETCH);
            match value.go_on(text, at..to) {
                Some(End::Closed(end)) => return (end, false),
                Some(End::Cut { before, seen }) => {
                    at = seen;
                    break before;
                }
                None => at = to,
            }
            if at == text.len() {
                // behind a key more likely another line than its value
                let is_open = line.ends_with(['{', '[', ',']);
                break value.whole.filter(|_| !is_open).unwrap_or(at);
            }
            self.breathe(at).await;
        };
        let own = if cut < text.len() && !line.ends_with(OPEN_ENDS) {
            line
        } else {
            text[start..cut].trim_end()
        };
        let end = start + own.len();
        self.in_vain += at.saturating_sub(end);
        (end, true)
    }

    async fn breathe(&mut self, at: usize) {
        if at >= self.next_step {
            looked_through(at, self.text.as_bytes(), self.pause).await;
            self.next_step = at + STRETCH;
        }
    }

    /// The values; the lines that are torn, where there are others; and those that are none, where values are lines; and
    /// whether each is a value. Of a text with fenced blocks those behind words outside of them are examples.
    fn kept(self) -> impl Iterator<Item = (Range<usize>, bool)> {
        use Stands::{Block, Inline, Line, Torn, Words};
        let parts = self.parts;
        let number = |stands| parts.iter().filter(|part| part.stands == stands).count();
        let has_fenced = parts
            .iter()
            .any(|part| part.is_fenced && matches!(part.stands, Line | Block));
        let begins = parts
            .first()
            .is_some_and(|first| matches!(first.stands, Line | Torn) && !first.is_fenced);
        let are_lines = begins && number(Block) == 0 && number(Line) + number(Torn) > 1;
        let has_values = number(Line) + number(Block) > 0;
        parts.into_iter().filter_map(move |part| {
            let is_kept = match part.stands {
                Line | Block => true,
                Inline => !has_fenced,
                Torn => has_values,
                Words => are_lines && has_values,
            };
            is_kept.then_some((part.range, !matches!(part.stands, Torn | Words)))
        })
    }
}

/// Whether a line is the end of a value which began before it: it closes more than it opens. The end of a file was kept,
/// or a writer broke off.
fn is_torn(line: &str) -> bool {
    let line = line.trim_end_matches(is_between);
    if !line.ends_with(['}', ']']) {
        return false;
    }
    let (mut open, mut has_key) = (0_isize, false);
    let mut words = |words: &str| {
        has_key |= words.contains("\":");
        let count = |brackets: [char; 2]| words.matches(brackets).count() as isize;
        open += count(['{', '[']) - count(['}', ']']);
    };
    let mut rest = line;
    let mut next = line.starts_with(['{', '[']).then_some(0);
    while let Some(start) = next.or_else(|| inline(rest, rest.len())) {
        words(&rest[..start]);
        match value_end(&rest.as_bytes()[start..]) {
            Some(end) => rest = &rest[start + end..],
            None => return false,
        }
        next = None;
    }
    words(rest);
    has_key && open < 0
}

/// Whether a fenced block begins or ends with a line.
fn is_fence(line: &str) -> bool {
    line.strip_prefix(FENCE)
        .is_some_and(|kind| !kind.contains(['{', '`']))
}

/// What a fenced block begins and ends with.
const FENCE: &str = "```";

/// What a line ends with whose value goes on in the next.
const OPEN_ENDS: [char; 4] = ['{', '[', ',', ':'];

/// Where the line ends in which a place is, with its break.
fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Whether a text begins with an object or a list of some.
fn looks_like_json(text: &str) -> bool {
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    text.strip_prefix('{')
        .is_some_and(|inner| inner.trim_start().starts_with(['"', '}']))
}

/// Where in the first bytes of a text something begins that looks like JSON.
fn inline(text: &str, first: usize) -> Option<usize> {
    let mut brackets = text[..first].match_indices(['{', '[']);
    brackets.find_map(|(at, _)| looks_like_json(&text[at..]).then_some(at))
}

/// Where a value ends.
enum End {
    /// With its last bracket.
    Closed(usize),
    /// Before a line that cannot stand in it, or that one begins with; the text was looked at to there.
    Cut { before: usize, seen: usize },
}

/// What of a value has been seen so far.
#[derive(Default)]
struct Value {
    strings: Strings,
    open: Vec<u8>,
    last: u8,
    /// The first line that is an object by itself.
    whole: Option<usize>,
}

impl Value {
    /// Looks at the next bytes of a text.
    fn go_on(&mut self, text: &str, range: Range<usize>) -> Option<End> {
        let bytes = &text.as_bytes()[..range.end];
        for at in range {
            let byte = bytes[at];
            if byte == b'\n'
                && let Some(before) = self.cut_at(text, at + 1)
            {
                let seen = at + 1;
                return Some(End::Cut { before, seen });
            }
            match byte {
                _ if self.strings.take(byte) => {
                    self.last = b'"';
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b'{' | b'[' => self.open.push(byte),
                b'}' | b']' => {
                    self.open.pop();
                    if self.open.is_empty() {
                        return Some(End::Closed(at + 1));
                    }
                }
                _ => {}
            }
            self.last = byte;
        }
        None
    }

    /// Where the value ends if it does not go on with the line at a place.
    fn cut_at(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = &text[at..];
        // no string holds a break
        if is_fence(rest[..line_end(rest, 0)].trim()) {
            return Some(self.whole.unwrap_or(at));
        }
        let inner = rest.strip_prefix('{')?;
        if !inner.trim_start_matches([' ', '\t']).starts_with('"') {
            return None;
        }
        let line = rest[..line_end(rest, 0)].trim_end();
        if self.whole.is_none() && is_value(line) {
            self.whole = Some(at);
        }
        let is_item = self.open.last() == Some(&b'[') && matches!(self.last, b'[' | b',');
        let may_stand = !self.strings.is_in && (is_item || self.last == b':');
        (!may_stand).then(|| self.whole.unwrap_or(at))
    }
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
    strings: Strings,
    depth: usize,
    deepest: usize,
}

/// Whether what is looked at is within a string.
#[derive(Default)]
struct Strings {
    is_in: bool,
    is_escaped: bool,
}

impl Strings {
    /// Takes the next byte; whether it is of a string, its quotes included.
    fn take(&mut self, byte: u8) -> bool {
        if self.is_escaped {
            self.is_escaped = false;
            return true;
        }
        match (byte, self.is_in) {
            (b'"', is_in) => self.is_in = !is_in,
            (b'\\', true) => self.is_escaped = true,
            (_, is_in) => return is_in,
        }
        true
    }
}

impl Brackets {
    /// Where in the next bytes the value ends.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.strings.take(*byte) => {}
                b'{' | b'[' => {
                    self.depth += 1;
                    self.deepest = self.deepest.max(self.depth);
                }
                b'}' | b']' => {
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

    /// The values, and what stands between them.
    fn found(text: &str) -> Vec<&str> {
        let found = at_once(found_in_steps(text, THROUGH));
        let mut pieces = [found.values, found.strays].concat();
        pieces.sort_by_key(|piece| piece.range.start);
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
    }

    #[test]
    fn what_stands_between_lines_is_told_apart() {
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
            found("{\"a\": 1}\n```\n{\"b\": 2}\n{\"c\"\n{\"d\": 3}"),
            ["{\"a\": 1}", "```", "{\"b\": 2}", "{\"c\"", "{\"d\": 3}"]
        );
        assert_eq!(
            found("{\"a\": 1}\n[WARN] slow [1]\n{\"b\": 2} # ok\n{\"c\": 3},\n[1]\nKilled"),
            [
                "{\"a\": 1}",
                "[WARN] slow [1]",
                "{\"b\": 2}",
                "{\"c\": 3}",
                "[1]",
                "Killed"
            ]
        );
        assert_eq!(
            found("{\"a\": 1} {\"b\": 2}, [{\"c\": 3}]\nWARN\n{\"d\": 4}"),
            [
                "{\"a\": 1}",
                "{\"b\": 2}",
                "[{\"c\": 3}]",
                "WARN",
                "{\"d\": 4}"
            ]
        );
        // words before the first line are a log's, or a model's
        assert_eq!(
            found("Begun\nINFO {\"a\": 1}\nINFO {\"b\": \nINFO\n{\"c\": 3}"),
            ["{\"a\": 1}", "{\"b\": \nINFO", "{\"c\": 3}"]
        );
        assert_eq!(found("[{\"a\": 1}]\nWARN\n[{\"b\": 2}]").len(), 3);
    }

    #[test]
    fn what_goes_on_in_the_next_line_is_one_value() {
        let behind = found("{\"a\": 1}\nthen: {\"b\": 2}\n{\"c\": 3}");
        assert_eq!(behind, ["{\"a\": 1}", "{\"b\": 2}", "{\"c\": 3}"]);
        for on in [
            "{\n\"b\": 2}",
            "{\"b\":\n2}",
            "{\"b\":\n{\"x\": 2}\n}",
            "{\"b\": [1,\n2]}",
            "{\"b\": [\n{\"x\": 2},\n{\"x\": 3}\n]}",
        ] {
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
    fn a_fenced_block_may_hold_lines_and_others_stand_beside_it() {
        assert_eq!(
            found("Turns, as {\"x\": 1}:\n```jsonl\n{\"a\": 1}\n{\"b\": 2}\n```\n"),
            ["{\"a\": 1}", "{\"b\": 2}"]
        );
        assert_eq!(
            found("{\"a\": 1}\nand\n```json\n{\n\"b\": 2}\n```\n{\"c\": 3}"),
            ["{\"a\": 1}", "{\n\"b\": 2}", "{\"c\": 3}"]
        );
        assert_eq!(
            found("{\"a\": 1}\nand\n```\n{\"b\": 2}\n```\nKilled"),
            ["{\"a\": 1}", "and", "{\"b\": 2}", "Killed"]
        );
    }

    #[test]
    fn what_is_torn_takes_nothing_with_it() {
        // the beginning of the first line is lost
        for torn in [
            "ole\": \"user\", \"x\": {\"y\": [1]}, \"z\": 2}",
            "lo world\", \"x\": {\"y\": 1}}",
            "{\"y\": 1}, \"x\": 2}",
            "o\": \"a {\\\"b\\\": 1}\"}",
        ] {
            let text = format!("{torn}\n{{\"a\": 1}}\nWARN\n");
            assert_eq!(found(&text), [torn, "{\"a\": 1}", "WARN"]);
        }
        let cut = "INFO {\"a\": \"b\n{\"c\": 1}\n{\"d\": 2}";
        assert_eq!(found(cut), ["{\"a\": \"b", "{\"c\": 1}", "{\"d\": 2}"]);
        assert_eq!(
            found("{\n\"a\": [1,\n{\"b\": 2},\n2\n{\"c\": 3}"),
            ["{\n\"a\": [1,\n{\"b\": 2},\n2", "{\"c\": 3}"]
        );
        assert_eq!(
            found("{\"a\": {\n```\n{\"b\": 1}\n```"),
            ["{\"a\": {", "{\"b\": 1}"]
        );
        let cut = "{\"a\": \"cut\n```\nagain:\n  ```json\n  {\n\"b\": 2\n}\n  ```\n";
        let fenced = format!("```json\n{cut}");
        assert_eq!(found(&fenced), ["{\"a\": \"cut", "{\n\"b\": 2\n}"]);
        // what closes no more than it opens, or has one bracket too many, is not
        for (text, value) in [
            ("\\boxed{{\"a\": 1}}\nQED", "{\"a\": 1}"),
            ("42[\"m\",{\"a\": 1}]\nso", "{\"a\": 1}"),
            ("So: {\"a\": 1}}", "{\"a\": 1}"),
            ("I set \"s\": [1, 2]\n{\"a\": 1}", "{\"a\": 1}"),
            ("```json {\"a\": 1} ```\nDone", "{\"a\": 1}"),
        ] {
            assert_eq!(found(text), [value], "{text}");
        }
        // many that end nowhere take no longer each
        let many = "{\"a\":\n{\"b\": 1}\n,\n\"k\":\n".repeat(20_000);
        assert_eq!(pieces(&many).len(), 40_000);
        let indented = " {\"a\": 1\n".repeat(20_000) + "{\"z\": 1}\n";
        assert_eq!(pieces(&indented).len(), 20_001);
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod lines_of_all_kinds {
        use super::*;
        use proptest::prelude::*;

        /// What may stand in a file of lines.
        fn line() -> impl Strategy<Value = (String, bool)> {
            let object =
                r#"\{"a": (\[\{"b": "[\[\{x, ]{0,4}"\}\]|[0-9]), "c": "(\\"|[\]\} a:])*"\}"#;
            prop_oneof![
                4 => object.prop_map(|text| (text, true)),
                1 => "[A-Z\\[][a-z ]{0,6}[\\]a-z]( [#`0-9]+)?".prop_map(|text| (text, false)),
                1 => (object, 1_usize..30).prop_map(|(text, end)| {
                    let cut = text[..end.min(text.len() - 1)].trim_end_matches(['{', '[', ',', ' ', ':']);
                    (cut.to_owned(), false)
                }),
                1 => (object, 1_usize..9).prop_map(|(text, start)| (text[start..].to_owned(), false)),
            ]
        }

        proptest! {
            #[test]
            fn no_line_takes_another_with_it(all in prop::collection::vec(line(), 2..9)) {
                let lines: Vec<&str> = all.iter().map(|(line, _)| line.as_str()).collect();
                let text = lines.join("\n");
                // what is torn may close what is cut
                prop_assume!(!is_value(text.trim()));
                let found = at_once(found_in_steps(&text, THROUGH));
                let values: Vec<&str> = found.values.iter().map(|piece| piece.of(&text)).collect();
                let whole = all.iter().filter(|(_, is_whole)| *is_whole);
                let mut left = values.iter();
                for (line, _) in whole {
                    prop_assert!(left.any(|value| value == line), "{line} is not in {values:?} of\n{text}");
                }
            }
        }
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
