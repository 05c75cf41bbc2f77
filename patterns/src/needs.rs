//! Texts that every match of an expression holds: where they are missing, there is
//! nothing to search.

use std::sync::Arc;

use regex_syntax::hir::{Class, Hir, HirKind};

/// What is known of the place before or behind a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Beside {
    /// Anything may stand there.
    Anything,
    /// No character of a word does.
    NoWord,
    /// No character of a word does, or what stands beside the whole pattern.
    Near,
    /// What stands beside the whole pattern does.
    Outside,
}

impl Beside {
    /// The same where this is known of what stands beside the whole pattern.
    fn within(self, outside: Self) -> Self {
        match (self, outside) {
            (Self::Near, Self::Outside) => Self::Near,
            (Self::Outside | Self::Near, outside) => outside,
            (known, _) => known,
        }
    }
}

/// What is known of the places before and behind.
pub type Sides = [Beside; 2];

const OUTSIDE: Sides = [Beside::Outside; 2];

fn within(own: Sides, outside: Sides) -> Sides {
    std::array::from_fn(|side| own[side].within(outside[side]))
}

/// A text of a pattern, with what is known of the places beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// In UTF-8, or bytes where a pattern is of bytes.
    pub bytes: Box<[u8]>,
    /// Beside it.
    pub sides: Sides,
}

/// Texts, with how often one of them stands at a place.
#[derive(Debug, PartialEq)]
pub struct OneOf {
    /// Every match holds one of them.
    pub texts: Box<[Text]>,
    /// As far as that can be guessed.
    pub frequency: f64,
    /// Whether one of them stands in most texts.
    pub is_common: bool,
    /// Whether a match may hold a character beyond ASCII in the place of them.
    pub or_beyond: bool,
}

/// A list of texts of which every match holds one.
#[derive(Clone, Debug, PartialEq)]
pub struct Need {
    /// Shared by the patterns that have it.
    pub list: Arc<OneOf>,
    /// What stands in the place of [`Beside::Outside`] in it.
    pub sides: Sides,
}

impl Need {
    fn new(texts: Vec<Text>, or_beyond: bool) -> Self {
        let frequencies = texts.iter().map(|text| frequency(&text.bytes));
        let list = OneOf {
            frequency: frequencies.clone().sum(),
            is_common: frequencies.fold(0.0, f64::max) >= LETTER,
            texts: texts.into(),
            or_beyond,
        };
        Self {
            list: Arc::new(list),
            sides: OUTSIDE,
        }
    }

    /// Whether every match begins with one of its texts.
    pub fn is_first(&self) -> bool {
        let mut texts = self.texts([Beside::Outside; 2]);
        texts.all(|text| text.sides[0] == Beside::Outside) && !self.list.or_beyond
    }

    /// Its texts, where this is known of what stands beside the pattern.
    pub fn texts(&self, outside: Sides) -> impl Iterator<Item = Text> {
        self.list.texts.iter().map(move |text| Text {
            bytes: text.bytes.clone(),
            sides: within(text.sides, within(self.sides, outside)),
        })
    }
}

/// What every match of a pattern holds: a text of each list, those of one behind those of the list before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Needs {
    /// In their order.
    pub lists: Vec<Need>,
    /// The same of each of some ways in which it can match: every match is in one of them. None where
    /// nothing is known.
    pub ways: Vec<Vec<Need>>,
    /// Its first and its last character.
    borders: [Border; 2],
}

/// What the first or the last character of a match may be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Border {
    /// There may be none.
    is_optional: bool,
    /// There never is one.
    is_empty: bool,
    /// It may be one of a word.
    is_word: bool,
}

impl Border {
    const NONE: Self = Self {
        is_optional: true,
        is_empty: true,
        is_word: false,
    };

    /// Of a text that is not empty.
    fn of(character: Option<u8>) -> Self {
        Self {
            is_optional: false,
            is_empty: false,
            is_word: character.is_some_and(|byte| is_word(byte) || !byte.is_ascii()),
        }
    }
}

/// Whether a byte is a character of a word in ASCII.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Words that stand in every text, and are of no help to find the rare ones.
const COMMON: [&str; 51] = [
    "the", "you", "your", "and", "for", "are", "can", "will", "have", "that", "this", "with",
    "not", "but", "all", "from", "they", "there", "just", "was", "our", "has", "don't", "what",
    "who", "would", "should", "one", "an", "as", "at", "be", "by", "do", "go", "he", "if", "in",
    "is", "it", "me", "my", "no", "of", "on", "or", "so", "to", "up", "us", "we",
];

/// None of them is longer, in bytes.
const LONGEST: usize = 6;

/// What stands before the character of a part, in place of the part.
const PART: char = '\u{e000}';

/// How a part of a pattern is written where only what it needs is of interest.
///
/// ```
/// use assay_patterns::{needs, part};
/// let animals = needs("cats|dogs", &[]).unwrap_or_default();
/// let wild = needs(&format!("wild {}s?", part(0)), &[animals]).unwrap_or_default();
/// assert_eq!(wild.lists.len(), 2, "the word and an animal: {wild:?}");
/// ```
pub fn part(number: usize) -> String {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let character = char::from_u32(u32::from(PART).saturating_add(1 + number));
    format!("(?:{PART}{})", character.unwrap_or(PART))
}

/// What every match of a pattern holds; `parts` are the needs of its parts.
pub fn needs(pattern: &Hir, parts: &[Needs]) -> Needs {
    let whole = Piece::Pattern(pattern);
    let lists = whole.lists(parts, OUTSIDE);
    Needs {
        ways: ways(pattern, parts).unwrap_or_else(|| vec![lists.clone()]),
        borders: whole.borders(parts),
        lists,
    }
}

/// Of a pattern that is an alternation, or has some in a row, what each member of one needs with what stands
/// beside it: of the one with the most members that need several texts. None where no member does.
fn ways(pattern: &Hir, parts: &[Needs]) -> Option<Vec<Vec<Need>>> {
    let row = match without_capture(pattern).kind() {
        HirKind::Concat(members) => members.iter().collect(),
        _ => vec![pattern],
    };
    let row: Vec<Piece> = row.into_iter().map(Piece::Pattern).collect();
    let sides = row_sides(&row, parts, OUTSIDE);
    // of each alternation, by its place: the lists of its members
    let of_members = row.iter().zip(&sides).enumerate().filter_map(|(at, own)| {
        let (Piece::Pattern(pattern), sides) = own else {
            return None;
        };
        let HirKind::Alternation(members) = without_capture(pattern).kind() else {
            return None;
        };
        let of_member = |member| Piece::Pattern(member).lists(parts, *sides);
        let lists: Vec<Vec<Need>> = members.iter().map(of_member).collect();
        Some((at, lists))
    });
    let with_several = |lists: &[Vec<Need>]| lists.iter().filter(|own| own.len() > 1).count();
    let (split, members) = of_members.max_by_key(|(_, lists)| with_several(lists))?;
    if with_several(&members) == 0 {
        return None;
    }
    // the others are shared by all ways
    let others = row
        .iter()
        .zip(sides)
        .enumerate()
        .map(|(at, (piece, sides))| {
            let is_split = at == split;
            (!is_split).then(|| piece.lists(parts, sides))
        });
    let others: Vec<Option<Vec<Need>>> = others.collect();
    let way = |own: Vec<Need>| {
        let row = others.iter().map(|lists| lists.as_ref().unwrap_or(&own));
        row.flatten().cloned().collect()
    };
    Some(members.into_iter().map(way).collect())
}

fn without_capture(pattern: &Hir) -> &Hir {
    match pattern.kind() {
        HirKind::Capture(capture) => without_capture(&capture.sub),
        _ => pattern,
    }
}

/// Something that stands in a pattern between others.
enum Piece<'a> {
    Pattern(&'a Hir),
    Text(&'a [u8]),
    Part(&'a Needs),
}

impl Piece<'_> {
    /// What it may begin and end with.
    fn borders(&self, parts: &[Needs]) -> [Border; 2] {
        let pattern = match self {
            Self::Pattern(pattern) => pattern,
            Self::Text(text) => {
                return [text.first(), text.last()].map(|one| Border::of(one.copied()));
            }
            Self::Part(part) => return part.borders,
        };
        match pattern.kind() {
            HirKind::Empty | HirKind::Look(_) => [Border::NONE; 2],
            HirKind::Literal(literal) => row_borders(&pieces(&literal.0, parts), parts),
            HirKind::Class(class) => {
                let is_word = may_be_word(class);
                let border = Border {
                    is_optional: false,
                    is_empty: false,
                    is_word,
                };
                [border; 2]
            }
            HirKind::Repetition(repeated) => {
                let borders = Self::Pattern(&repeated.sub).borders(parts);
                borders.map(|border| Border {
                    is_optional: border.is_optional || repeated.min == 0,
                    ..border
                })
            }
            HirKind::Capture(capture) => Self::Pattern(&capture.sub).borders(parts),
            HirKind::Concat(members) => {
                let members: Vec<Piece> = members.iter().map(Piece::Pattern).collect();
                row_borders(&members, parts)
            }
            HirKind::Alternation(members) => {
                let all = members.iter().map(|one| Piece::Pattern(one).borders(parts));
                let either = |one: [Border; 2], other: [Border; 2]| {
                    std::array::from_fn(|side| Border {
                        is_optional: one[side].is_optional || other[side].is_optional,
                        is_empty: one[side].is_empty && other[side].is_empty,
                        is_word: one[side].is_word || other[side].is_word,
                    })
                };
                all.reduce(either).unwrap_or_default()
            }
        }
    }

    /// Its lists, between what is known to stand beside it.
    fn lists(&self, parts: &[Needs], sides: Sides) -> Vec<Need> {
        let pattern = match self {
            Self::Pattern(pattern) => pattern,
            Self::Text(text) => {
                let bytes = (*text).into();
                return vec![Need::new(vec![Text { bytes, sides }], false)];
            }
            Self::Part(part) => {
                let placed = |need: &Need| Need {
                    sides: within(need.sides, sides),
                    list: Arc::clone(&need.list),
                };
                return part.lists.iter().map(placed).collect();
            }
        };
        match pattern.kind() {
            HirKind::Literal(literal) => row_lists(&pieces(&literal.0, parts), parts, sides),
            HirKind::Class(class) => few(class, sides).into_iter().collect(),
            HirKind::Capture(capture) => Self::Pattern(&capture.sub).lists(parts, sides),
            HirKind::Repetition(repeated) if repeated.min > 0 => {
                let one = Self::Pattern(&repeated.sub);
                let [first, last] = one.borders(parts);
                // what is repeated may stand behind itself
                let beside = |outside, other: Border| match repeated.max {
                    Some(1) => outside,
                    _ if other.is_word => Beside::Anything,
                    _ => Beside::Near.within(outside),
                };
                one.lists(parts, [beside(sides[0], last), beside(sides[1], first)])
            }
            HirKind::Concat(members) => {
                let members: Vec<Piece> = members.iter().map(Piece::Pattern).collect();
                row_lists(&members, parts, sides)
            }
            HirKind::Alternation(members) => {
                // of each the rarest, any of which may stand there
                let rarest = |member| {
                    let all = Self::Pattern(member).lists(parts, sides).into_iter();
                    all.min_by(|one, other| one.list.frequency.total_cmp(&other.list.frequency))
                };
                let rarest: Option<Vec<Need>> = members.iter().map(rarest).collect();
                let texts =
                    |all: Vec<Need>| all.iter().flat_map(|one| one.texts(OUTSIDE)).collect();
                rarest
                    .map(|all| {
                        let or_beyond = all.iter().any(|one| one.list.or_beyond);
                        Need::new(texts(all), or_beyond)
                    })
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Of pieces one behind the other.
fn row_borders(row: &[Piece], parts: &[Needs]) -> [Border; 2] {
    let borders: Vec<[Border; 2]> = row.iter().map(|piece| piece.borders(parts)).collect();
    let of = |all: &mut dyn Iterator<Item = Border>| {
        let mut border = Border::NONE;
        for one in all {
            border.is_word |= one.is_word;
            border.is_empty &= one.is_empty;
            border.is_optional = one.is_optional;
            if !one.is_optional {
                break;
            }
        }
        border
    };
    [
        of(&mut borders.iter().map(|[first, _]| *first)),
        of(&mut borders.iter().rev().map(|[_, last]| *last)),
    ]
}

fn row_lists(row: &[Piece], parts: &[Needs], sides: Sides) -> Vec<Need> {
    let sides = row_sides(row, parts, sides);
    let lists = row.iter().zip(sides);
    lists
        .flat_map(|(piece, sides)| piece.lists(parts, sides))
        .collect()
}

/// What is known to stand beside each piece.
fn row_sides(row: &[Piece], parts: &[Needs], [before, behind]: Sides) -> Vec<Sides> {
    let borders: Vec<[Border; 2]> = row.iter().map(|piece| piece.borders(parts)).collect();
    let beside = |near: &mut dyn Iterator<Item = Border>, outside: Beside| {
        let mut beside = Beside::Outside;
        for border in near {
            if border.is_word {
                return Beside::Anything;
            }
            if !border.is_optional {
                return Beside::NoWord;
            }
            if !border.is_empty {
                beside = Beside::Near;
            }
        }
        beside.within(outside)
    };
    let sides = (0..row.len()).map(|at| {
        [
            beside(
                &mut borders[..at].iter().rev().map(|[_, last]| *last),
                before,
            ),
            beside(
                &mut borders[at + 1..].iter().map(|[first, _]| *first),
                behind,
            ),
        ]
    });
    sides.collect()
}

/// A literal text and the parts that stand in it.
fn pieces<'a>(literal: &'a [u8], parts: &'a [Needs]) -> Vec<Piece<'a>> {
    let Some(text) = std::str::from_utf8(literal)
        .ok()
        .filter(|text| text.contains(PART))
    else {
        return vec![Piece::Text(literal)];
    };
    let mut all = Vec::new();
    for (number, piece) in text.split(PART).enumerate() {
        let mut rest = piece.chars();
        if number > 0 {
            let part = rest
                .next()
                .map(|part| u32::from(part) - u32::from(PART) - 1);
            let part = part.and_then(|part| parts.get(part as usize));
            all.extend(part.map(Piece::Part));
        }
        let rest = Some(rest.as_str()).filter(|rest| !rest.is_empty());
        all.extend(rest.map(|rest| Piece::Text(rest.as_bytes())));
    }
    all
}

/// Whether a character of a class may be one of a word; all beyond ASCII may.
fn may_be_word(class: &Class) -> bool {
    let is_of_word = |one: u32| u8::try_from(one).is_ok_and(is_word);
    let holds = |start: u32, end: u32| end > 127 || (start..=end).any(is_of_word);
    match class {
        Class::Unicode(class) => {
            let mut ranges = class.iter();
            ranges.any(|range| holds(range.start().into(), range.end().into()))
        }
        Class::Bytes(class) => {
            let mut ranges = class.iter();
            ranges.any(|range| holds(range.start().into(), range.end().into()))
        }
    }
}

/// The characters of a class that has few of ASCII, as digits are.
fn few(class: &Class, sides: Sides) -> Option<Need> {
    const FEW: usize = 10;
    let Class::Unicode(class) = class else {
        return None;
    };
    let or_beyond = class.iter().any(|range| !range.end().is_ascii());
    let ascii: Vec<char> = class
        .iter()
        .flat_map(|range| (range.start()..=range.end()).take_while(char::is_ascii))
        .take(FEW + 1)
        .collect();
    let text = |character: &char| Text {
        bytes: [*character as u8].into(),
        sides,
    };
    let is_few = (1..=FEW).contains(&ascii.len());
    is_few.then(|| Need::new(ascii.iter().map(text).collect(), or_beyond))
}

/// How often a letter stands at a place, and a common word.
const LETTER: f64 = 0.2;
/// How often a digit does.
const DIGIT: f64 = 0.01;

/// How often a text stands at a place, guessed by its length.
fn frequency(text: &[u8]) -> f64 {
    let word = text.trim_ascii();
    let mut common = COMMON.iter();
    let is_common = word.len() <= LONGEST && common.any(|one| word == one.as_bytes());
    if let [b'0'..=b'9'] = text {
        return DIGIT;
    }
    let length = if is_common { 1 } else { text.len() };
    LETTER.powi(i32::try_from(length).unwrap_or(i32::MAX))
}
