//! Texts that every match of an expression holds: where they are missing, there is
//! nothing to search.

use regex_syntax::hir::{Hir, HirKind};

/// Lists of texts: every match holds a text of each list.
pub type Needs = Vec<Vec<Box<[u8]>>>;

/// Words that stand in every text, and are of no help to find the rare ones.
const COMMON: [&str; 28] = [
    "the", "you", "your", "and", "for", "are", "can", "will", "have", "that", "this", "with",
    "not", "but", "all", "from", "they", "there", "just", "was", "our", "has", "don't", "what",
    "who", "would", "should", "one",
];

/// What every match of a pattern holds, the rarest first, as far as that can be guessed.
pub fn needs(pattern: &Hir) -> Needs {
    match pattern.kind() {
        HirKind::Literal(literal) => vec![vec![literal.0.clone()]],
        HirKind::Capture(capture) => needs(&capture.sub),
        HirKind::Repetition(repeated) if repeated.min > 0 => needs(&repeated.sub),
        HirKind::Concat(parts) => {
            let mut all: Needs = parts.iter().flat_map(needs).collect();
            all.sort_by(|one, other| frequency(one).total_cmp(&frequency(other)));
            all
        }
        HirKind::Alternation(parts) => {
            // of each the rarest, any of which may stand there
            let parts = parts.iter().map(|part| needs(part).into_iter().next());
            let parts: Option<Vec<_>> = parts.collect();
            parts.map(|parts| parts.concat()).into_iter().collect()
        }
        _ => Needs::new(),
    }
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
