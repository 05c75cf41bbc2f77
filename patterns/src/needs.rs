//! Texts that every match of an expression holds: where they are missing, there is
//! nothing to search.

use std::ops::Deref;
use std::sync::Arc;

use regex_syntax::hir::{Hir, HirKind};

/// Texts of which every match holds one, shared by the patterns that have them.
pub type Texts = Arc<OneOf>;

/// Texts, with how often one of them stands at a place.
#[derive(Debug, PartialEq)]
pub struct OneOf {
    texts: Box<[Box<[u8]>]>,
    frequency: f64,
}

impl OneOf {
    fn new(texts: Vec<Box<[u8]>>) -> Texts {
        let frequency = frequency(&texts);
        let texts = texts.into();
        Arc::new(Self { texts, frequency })
    }
}

impl Deref for OneOf {
    type Target = [Box<[u8]>];

    fn deref(&self) -> &Self::Target {
        &self.texts
    }
}

/// Lists of texts: every match holds a text of each list.
pub type Needs = Vec<Texts>;

/// Words that stand in every text, and are of no help to find the rare ones.
const COMMON: [&str; 28] = [
    "the", "you", "your", "and", "for", "are", "can", "will", "have", "that", "this", "with",
    "not", "but", "all", "from", "they", "there", "just", "was", "our", "has", "don't", "what",
    "who", "would", "should", "one",
];

/// What stands before the character of a part, in place of the part.
const PART: char = '\u{e000}';

/// How a part of a pattern is written where only what it needs is of interest.
///
/// ```
/// use assay_patterns::{needs, part};
/// let animals = needs("cats|dogs", &[]).unwrap_or_default();
/// let wild = needs(&format!("wild {}s?", part(0)), &[animals]).unwrap_or_default();
/// assert_eq!(wild.len(), 2, "the word and an animal: {wild:?}");
/// ```
pub fn part(number: usize) -> String {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let character = char::from_u32(u32::from(PART).saturating_add(1 + number));
    format!("(?:{PART}{})", character.unwrap_or(PART))
}

/// What every match of a pattern holds, the rarest first, as far as that can be guessed;
/// `parts` are the needs of its parts.
pub fn needs(pattern: &Hir, parts: &[Needs]) -> Needs {
    match pattern.kind() {
        HirKind::Literal(literal) => literal_needs(&literal.0, parts),
        HirKind::Capture(capture) => needs(&capture.sub, parts),
        HirKind::Repetition(repeated) if repeated.min > 0 => needs(&repeated.sub, parts),
        HirKind::Concat(members) => {
            let all = members.iter().flat_map(|member| needs(member, parts));
            rarest_first(all.collect())
        }
        HirKind::Alternation(members) => {
            // of each the rarest, any of which may stand there
            let rarest = |member| needs(member, parts).into_iter().next();
            let rarest: Option<Vec<Texts>> = members.iter().map(rarest).collect();
            let any = |rarest: Vec<Texts>| rarest.iter().flat_map(|texts| texts.to_vec()).collect();
            rarest.map(any).map(OneOf::new).into_iter().collect()
        }
        _ => Needs::new(),
    }
}

fn rarest_first(mut needs: Needs) -> Needs {
    needs.sort_by(|one, other| one.frequency.total_cmp(&other.frequency));
    needs
}

/// Of a literal text in which parts may stand.
fn literal_needs(literal: &[u8], parts: &[Needs]) -> Needs {
    let is_literal = |text: &str| !text.is_empty();
    let one = |text: &str| OneOf::new(vec![text.as_bytes().into()]);
    let text = match std::str::from_utf8(literal) {
        Ok(text) if text.contains(PART) => text,
        _ => return vec![OneOf::new(vec![literal.into()])],
    };
    let mut all = Needs::new();
    for (number, piece) in text.split(PART).enumerate() {
        let mut rest = piece;
        if number > 0 {
            let mut characters = piece.chars();
            let part = characters
                .next()
                .map(|part| u32::from(part) - u32::from(PART) - 1);
            let part = part.and_then(|part| parts.get(part as usize));
            all.extend(part.into_iter().flatten().cloned());
            rest = characters.as_str();
        }
        all.extend(Some(rest).filter(|rest| is_literal(rest)).map(one));
    }
    rarest_first(all)
}

/// How often one of the texts stands at a place, guessed by their lengths.
fn frequency(texts: &[Box<[u8]>]) -> f64 {
    let one = |text: &[u8]| {
        let is_common = COMMON
            .iter()
            .any(|word| text.trim_ascii() == word.as_bytes());
        let length = if is_common { 1 } else { text.len() };
        0.2_f64.powi(i32::try_from(length).unwrap_or(i32::MAX))
    };
    texts.iter().map(|text| one(text)).sum()
}
