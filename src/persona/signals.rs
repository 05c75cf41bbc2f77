//! What a text is made of: the linguistic signals that the trait detectors
//! weigh. The word lists are English, as are the detectors.

use std::borrow::Cow;
use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::text::{Folded, Phrases, is_word, sort_by_key};

/// A place in a text, `[start, end)` in Unicode scalar values.
pub type Span = [usize; 2];

/// The word lists, in the order of their numbers.
const LISTS: [&str; 6] = [
    include_str!("data/slang.txt"),
    include_str!("data/formal.txt"),
    include_str!("data/hedges.txt"),
    include_str!("data/professional.txt"),
    include_str!("data/friendly.txt"),
    include_str!("data/conversational.txt"),
];
const TECHNICAL: &str = include_str!("data/technical.txt");
const PARTICIPLES: &str = include_str!("data/irregular_participles.txt");

/// Words before `'s` where it stands for `is` or `us`.
const CONTRACTED_IS: [&str; 13] = [
    "it", "that", "this", "what", "who", "where", "when", "how", "here", "there", "he", "she",
    "let",
];
const NOMINAL_ENDINGS: [&str; 9] = [
    "tion", "tions", "ment", "ments", "ance", "ence", "ity", "ness", "sion",
];
/// So many letters a noun of these endings has at least.
const LONG: usize = 7;
const UNITS: [&str; 22] = [
    "ms", "kb", "mb", "gb", "tb", "kib", "mib", "gib", "hz", "khz", "mhz", "ghz", "px", "fps",
    "rpm", "mm", "nm", "kg", "psi", "kpa", "mah", "mbps",
];
const EMOTICONS: [&str; 12] = [
    ":)", ":-)", ":(", ";)", ";-)", ":D", ":-D", ":P", "<3", "xD", ":')", "^^",
];
/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 14] = [
    "e.g", "i.e", "etc", "mr", "mrs", "ms", "dr", "vs", "approx", "no", "fig", "st", "prof", "cf",
];

/// Everything measured in one text.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// Words with their places.
    pub words: Vec<Span>,
    /// Sentences with their places.
    pub sentences: Vec<Span>,
    /// Mean letters per word.
    pub mean_word_length: f64,
    /// Mean words per sentence.
    pub mean_sentence_length: f64,
    /// Slang and chat abbreviations.
    pub slang: Vec<Span>,
    /// Formal phrases and honorifics.
    pub formal: Vec<Span>,
    /// Hedges.
    pub hedges: Vec<Span>,
    /// Courtesies and verbs of work.
    pub courtesies: Vec<Span>,
    /// Warm phrases.
    pub warm: Vec<Span>,
    /// Markers of talk.
    pub talk: Vec<Span>,
    /// Terms of the trade.
    pub technical_terms: Vec<Span>,
    /// Identifiers, flags, paths, versions, quantities with a unit.
    pub technical_tokens: Vec<Span>,
    /// Other numbers.
    pub numbers: Vec<Span>,
    /// Code between backticks.
    pub code: Vec<Span>,
    /// `don't`, `we're`, `it's`.
    pub contractions: Vec<Span>,
    /// Emoji and emoticons.
    pub emoji: Vec<Span>,
    /// Exclamation marks; a run is one.
    pub exclamations: Vec<Span>,
    /// Question marks; a run is one.
    pub questions: Vec<Span>,
    /// First and second person pronouns.
    pub pronouns: Vec<Span>,
    /// A form of `be` with a past participle.
    pub passives: Vec<Span>,
    /// Nouns made of verbs and adjectives.
    pub nominals: Vec<Span>,
    /// Sentences that start in lower case.
    pub lower_case_starts: Vec<Span>,
}

impl Signals {
    /// Measures a text; `folded` is the same text folded.
    pub fn measure(text: &str, folded: &Folded) -> Self {
        let characters: Vec<char> = if text.is_ascii() {
            text.bytes().map(char::from).collect()
        } else {
            text.chars().collect()
        };
        let mut signals = Self {
            emoji: emoji(text, &characters),
            ..Self::default()
        };
        // most texts have none of these
        let may_hold = |byte: u8| text.as_bytes().contains(&byte) || characters.len() < text.len();
        if may_hold(b'`') {
            signals.code = code(&characters);
        }
        if may_hold(b'!') {
            signals.exclamations = runs(&characters, |c| matches!(c, '!' | '！'));
        }
        if may_hold(b'?') {
            signals.questions = runs(&characters, |c| matches!(c, '?' | '？'));
        }
        signals.words = words(folded);
        signals.sentences = sentences(&characters);
        signals.lists(folded);
        signals.each_word(&characters, folded);
        if characters.len() < text.len() || may_hold_tokens(text) {
            signals.tokens(&characters);
        }
        signals.means(text, &characters);
        signals
    }

    /// Code is no prose: what a list finds in it does not count.
    fn outside_code(&self, start: usize) -> bool {
        // they come in order and do not overlap
        let ended = self.code.partition_point(|code| code[1] <= start);
        self.code.get(ended).is_none_or(|code| start < code[0])
    }

    fn lists(&mut self, folded: &Folded) {
        struct Lists {
            phrases: Phrases,
            list_of: Vec<usize>,
        }
        static ALL: LazyLock<Lists> = LazyLock::new(|| {
            let lists = LISTS.iter().chain([&TECHNICAL]).enumerate();
            let entries: Vec<(usize, &str)> = lists
                .flat_map(|(number, list)| entries(list).map(move |entry| (number, entry)))
                .collect();
            Lists {
                phrases: Phrases::new(entries.iter().map(|(_, entry)| *entry)),
                list_of: entries.iter().map(|(number, _)| *number).collect(),
            }
        });
        let mut found: [Vec<Span>; 7] = Default::default();
        for hit in ALL.phrases.find(folded) {
            let spans = &mut found[ALL.list_of[hit.entry]];
            if !self.outside_code(hit.start) {
                continue;
            }
            // of overlapping phrases of one list the first and longest counts
            match spans.last_mut() {
                Some(last) if last[0] == hit.start => last[1] = last[1].max(hit.end),
                Some(last) if hit.start < last[1] => {}
                _ => spans.push([hit.start, hit.end]),
            }
        }
        [
            self.slang,
            self.formal,
            self.hedges,
            self.courtesies,
            self.warm,
            self.talk,
            self.technical_terms,
        ] = found;
    }

    fn each_word(&mut self, characters: &[char], folded: &Folded) {
        static IRREGULAR: LazyLock<FxHashSet<&str>> =
            LazyLock::new(|| entries(PARTICIPLES).collect());
        let in_code = |span: &Span| !self.outside_code(span[0]);
        let mut words = Cow::from(&self.words);
        if !self.code.is_empty() {
            words.to_mut().retain(|span| !in_code(span));
        }
        for (number, span) in words.iter().enumerate() {
            let word = folded.stretch(*span);
            let apostrophe = word.bytes().position(|byte| byte == b'\'');
            let host = apostrophe.map_or(word, |at| &word[..at]);
            if apostrophe.is_some_and(|at| is_contraction(host, &word[at + 1..])) {
                self.contractions.push(*span);
            }
            // `I'm` and `you're` hold a pronoun too
            let us_country = word == "us" && characters[span[0]..span[1]] == ['U', 'S'];
            if is_pronoun(host) && !us_country {
                self.pronouns.push(*span);
            }
            let is_long = word.len() >= LONG && word.chars().count() >= LONG;
            if is_long && NOMINAL_ENDINGS.iter().any(|end| word.ends_with(end)) {
                self.nominals.push(*span);
            }
            if is_form_of_be(word) {
                let near = &words[number + 1..];
                let participle = near.iter().take(2).enumerate().find(|(at, next)| {
                    is_participle(folded.stretch(**next), &IRREGULAR)
                        && (*at == 0 || is_adverb(folded.stretch(near[0])))
                });
                if let Some((_, end)) = participle {
                    self.passives.push([span[0], end[1]]);
                }
            }
        }
        for sentence in &self.sentences {
            let first = characters[sentence[0]..sentence[1]]
                .iter()
                .find(|c| c.is_alphanumeric());
            if first.is_some_and(|c| c.is_lowercase()) && self.outside_code(sentence[0]) {
                self.lower_case_starts.push([sentence[0], sentence[0] + 1]);
            }
        }
    }

    /// Technical shapes among what white space separates.
    fn tokens(&mut self, characters: &[char]) {
        let mut at = 0;
        while at < characters.len() {
            let ordinary = ordinary(&characters[at..]);
            if ordinary > 0 {
                at += ordinary;
                continue;
            }
            let length = characters[at..]
                .iter()
                .take_while(|c| !c.is_whitespace())
                .count();
            let (mut start, mut end) = (at, at + length);
            at = end.max(at + 1);
            while start < end
                && !characters[start].is_alphanumeric()
                && !"-./".contains(characters[start])
            {
                start += 1;
            }
            while start < end
                && !characters[end - 1].is_alphanumeric()
                && !"/%".contains(characters[end - 1])
            {
                end -= 1;
            }
            if start == end || !self.outside_code(start) {
                continue;
            }
            let token = &characters[start..end];
            if token[1..].iter().all(char::is_ascii_lowercase) && token[0].is_ascii_alphabetic() {
                continue;
            }
            if is_technical(token) {
                self.technical_tokens.push([start, end]);
            } else if token.iter().any(char::is_ascii_digit)
                && !token.iter().any(|c| c.is_alphabetic())
            {
                self.numbers.push([start, end]);
            }
        }
    }

    fn means(&mut self, text: &str, characters: &[char]) {
        let letters: usize = if text.is_ascii() {
            // all of them stand in words
            text.bytes().filter(u8::is_ascii_alphanumeric).count()
        } else {
            let words = self.words.iter();
            let words = words.map(|[start, end]| characters[*start..*end].iter());
            words
                .map(|word| word.filter(|c| c.is_alphanumeric()).count())
                .sum()
        };
        let words = self.words.len() as f64;
        if !self.words.is_empty() {
            self.mean_word_length = letters as f64 / words;
            self.mean_sentence_length = words / self.sentences.len().max(1) as f64;
        }
    }
}

/// Whether a text has a byte of some; all are asked, many at once.
fn holds(text: &str, wanted: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |found, byte| found | wanted(byte))
}

/// Of each emoticon one byte is one of these.
fn is_of_emoticon(byte: u8) -> bool {
    matches!(byte, b':' | b';' | b'<' | b'^' | b'D')
}

/// Whether a text of ASCII may hold a technical token or a number.
fn may_hold_tokens(text: &str) -> bool {
    let pairs = text.as_bytes().windows(2);
    holds(text, |byte| {
        byte.is_ascii_digit() | matches!(byte, b'_' | b'/' | b'(')
    }) || pairs.fold(false, |found, pair| {
        let [before, behind] = [pair[0], pair[1]];
        let is_inside = before == b'.' && behind > b' ';
        let is_flag = before == b'-' && behind == b'-';
        let is_camel = before.is_ascii_lowercase() && behind.is_ascii_uppercase();
        found | is_inside | is_flag | is_camel
    })
}

/// The length of an ordinary word with a mark behind it and the blank after both, as most are; 0 where
/// something else stands.
fn ordinary(characters: &[char]) -> usize {
    if !characters[0].is_ascii_alphabetic() {
        return 0;
    }
    let rest = characters[1..].iter();
    let end = 1 + rest.take_while(|c| c.is_ascii_lowercase()).count();
    match characters[end..] {
        [' ', ..] => end + 1,
        ['.' | ',' | '!' | '?' | ';' | ':', ' ', ..] => end + 2,
        _ => 0,
    }
}

/// The entries of a word list: a line each; `#` starts a comment line.
pub fn entries(list: &str) -> impl Iterator<Item = &str> {
    list.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Of what stands before and behind an apostrophe.
fn is_contraction(host: &str, tail: &str) -> bool {
    match tail {
        "s" => CONTRACTED_IS.contains(&host),
        _ => matches!(tail, "t" | "m" | "re" | "ve" | "ll" | "d"),
    }
}

/// First and second person.
fn is_pronoun(word: &str) -> bool {
    matches!(
        word,
        "i" | "me" | "my" | "we" | "us" | "our" | "you" | "your" | "yours" | "mine" | "ours"
    )
}

fn is_form_of_be(word: &str) -> bool {
    matches!(
        word,
        "is" | "are" | "was" | "were" | "be" | "been" | "being" | "am"
    )
}

fn is_participle(word: &str, irregular: &FxHashSet<&str>) -> bool {
    (word.len() > 4 && word.ends_with("ed")) || irregular.contains(&word)
}

fn is_adverb(word: &str) -> bool {
    word.ends_with("ly")
        || matches!(
            word,
            "not" | "also" | "now" | "always" | "never" | "being" | "been"
        )
}

/// Runs of characters that `wanted` accepts.
fn runs(characters: &[char], wanted: impl Fn(char) -> bool) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for (at, character) in characters.iter().enumerate() {
        if !wanted(*character) {
            continue;
        }
        match spans.last_mut() {
            Some(last) if last[1] == at => last[1] += 1,
            _ => spans.push([at, at + 1]),
        }
    }
    spans
}

/// Words: runs of word characters, with apostrophes and hyphens inside.
fn words(folded: &Folded) -> Vec<Span> {
    let characters = folded.characters();
    if folded.text().len() > characters.len() {
        return words_of_any(characters);
    }
    let mut spans: Vec<Span> = Vec::with_capacity(folded.word_starts().len());
    for start in folded.word_starts() {
        let [at, length] = [start.at, start.length].map(|number| number as usize);
        match spans.last_mut() {
            Some(last) if last[1] + 1 == at && matches!(characters[last[1]], '\'' | '-') => {
                last[1] = at + length;
            }
            _ => spans.push([at, at + length]),
        }
    }
    spans
}

/// The same of a text with characters beyond ASCII.
fn words_of_any(folded: &[char]) -> Vec<Span> {
    let joins = |at: usize| {
        matches!(folded[at], '\'' | '-')
            && at > 0
            && is_word(folded[at - 1])
            && folded.get(at + 1).is_some_and(|next| is_word(*next))
    };
    let mut spans: Vec<Span> = Vec::with_capacity(folded.len() / 4);
    let mut at = 0;
    while at < folded.len() {
        let start = at;
        while at < folded.len() && (is_word(folded[at]) || joins(at)) {
            at += 1;
        }
        if start < at {
            spans.push([start, at]);
        }
        at += 1;
    }
    spans
}

/// Sentences: they end with `.`, `!`, `?` or `…` before white space, or with the line.
pub fn sentences(characters: &[char]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (at, character) in characters.iter().enumerate() {
        // as most do not
        if matches!(character, 'a'..='z' | ' ') {
            continue;
        }
        let next = characters.get(at + 1);
        let ends = match character {
            '\n' | '。' | '！' | '？' => true,
            '!' | '?' | '…' => next.is_none_or(|next| !matches!(next, '!' | '?' | '.')),
            '.' => {
                next.is_none_or(|next| next.is_whitespace() || "\"')”’*_`".contains(*next))
                    && !is_abbreviation(&characters[start..at])
            }
            _ => false,
        };
        if ends {
            push_sentence(characters, start, at + 1, &mut spans);
            start = at + 1;
        }
    }
    push_sentence(characters, start, characters.len(), &mut spans);
    spans
}

fn is_abbreviation(before: &[char]) -> bool {
    let tail: Vec<char> = before
        .iter()
        .rev()
        .take_while(|c| !c.is_whitespace())
        .take(8)
        .copied()
        .collect();
    let word: String = tail.iter().rev().flat_map(|c| c.to_lowercase()).collect();
    ABBREVIATIONS.contains(&word.trim_start_matches(['(', '"', '[']))
}

/// A sentence without the white space before it; one without a word is none.
fn push_sentence(characters: &[char], start: usize, end: usize, spans: &mut Vec<Span>) {
    let blank = characters[start..end]
        .iter()
        .take_while(|c| c.is_whitespace())
        .count();
    if characters[start..end].iter().any(|c| c.is_alphanumeric()) {
        spans.push([start + blank, end]);
    }
}

/// Code between backticks; a fence of three is one span with what it holds.
fn code(characters: &[char]) -> Vec<Span> {
    let ticks = runs(characters, |c| c == '`');
    let mut spans = Vec::new();
    let mut at = 0;
    while at < ticks.len() {
        let width = ticks[at][1] - ticks[at][0];
        let close = ticks[at + 1..].iter().position(|t| t[1] - t[0] == width);
        match close {
            Some(offset) => {
                spans.push([ticks[at][0], ticks[at + 1 + offset][1]]);
                at += offset + 2;
            }
            None => at += 1,
        }
    }
    spans
}

fn emoji(text: &str, characters: &[char]) -> Vec<Span> {
    if text.is_ascii() && !holds(text, is_of_emoticon) {
        return Vec::new();
    }
    // one span for a base with its modifiers, joiners and selectors
    let beyond_ascii = if text.is_ascii() { &[] } else { characters };
    let mut spans = runs(beyond_ascii, |c| {
        matches!(c, '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{26ff}' | '\u{2702}'..='\u{2712}'
            | '\u{2728}' | '\u{2744}' | '\u{2763}'..='\u{2764}' | '\u{2b50}' | '\u{1f1e6}'..='\u{1f1ff}'
            | '\u{fe0f}' | '\u{200d}')
    });
    // a joiner or selector alone is none
    spans.retain(|span| {
        characters[span[0]..span[1]]
            .iter()
            .any(|c| !matches!(c, '\u{fe0f}' | '\u{200d}'))
    });
    for (at, character) in characters.iter().enumerate() {
        if !matches!(character, ':' | ';' | '<' | 'x' | '^') {
            continue;
        }
        let is_free = at == 0 || characters[at - 1].is_whitespace();
        if !is_free {
            continue;
        }
        let token: String = characters[at..]
            .iter()
            .take(4)
            .take_while(|c| !c.is_whitespace())
            .collect();
        let token = token.trim_end_matches(['.', ',', '!']);
        if EMOTICONS.contains(&token) {
            spans.push([at, at + token.chars().count()]);
        }
    }
    sort_by_key(&mut spans, |span| *span);
    spans
}

/// Identifiers, flags, paths, dotted names, versions, quantities with a unit.
fn is_technical(token: &[char]) -> bool {
    let text: String = token.iter().collect();
    let inner = |wanted: char| {
        token
            .windows(3)
            .any(|w| w[1] == wanted && w[0].is_alphanumeric() && w[2].is_alphanumeric())
    };
    let flag = text.starts_with("--") && token.len() > 3 && token[2].is_ascii_alphabetic();
    let path = (text.starts_with("./")
        || text.starts_with('/')
        || text.ends_with('/')
        || text.matches('/').count() > 1)
        && token.iter().filter(|c| c.is_alphabetic()).count() > 2
        && !text.contains("://");
    let camel = token.len() > 4
        && token
            .windows(2)
            .filter(|w| w[0].is_lowercase() && w[1].is_uppercase())
            .count()
            > 0
        && token[0].is_lowercase();
    let call = text.len() > 3 && text.contains("()");
    flag || inner('_')
        || path
        || camel
        || call
        || is_dotted(&text)
        || is_quantity(&text)
        || is_version(&text)
}

/// `report.notes`, `config.yaml`: lower-case segments of two characters and more.
fn is_dotted(text: &str) -> bool {
    let segments: Vec<&str> = text.split('.').collect();
    segments.len() > 1
        && !text.starts_with("www")
        && segments.iter().all(|segment| {
            segment.len() > 1
                && segment.starts_with(|c: char| c.is_ascii_lowercase())
                && segment
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        })
}

/// `250ms`, `16GB`.
fn is_quantity(text: &str) -> bool {
    let unit = text
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')
        .to_lowercase();
    unit.len() < text.len() && UNITS.contains(&unit.as_str())
}

/// `v2`, `1.4.2`.
fn is_version(text: &str) -> bool {
    let (marked, digits) = match text.strip_prefix('v') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits
            .split('.')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
        && (marked || digits.matches('.').count() >= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(text: &str) -> Signals {
        Signals::measure(text, &Folded::new(text))
    }

    fn texts(text: &str, spans: &[Span]) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        spans
            .iter()
            .map(|s| characters[s[0]..s[1]].iter().collect())
            .collect()
    }

    #[test]
    fn contractions_are_not_possessives() {
        let text = "It\u{2019}s the team's cache; don't worry, we're on it. Anna's here.";
        assert_eq!(
            texts(text, &measure(text).contractions),
            ["It\u{2019}s", "don't", "we're"]
        );
    }

    #[test]
    fn sentences_do_not_end_at_abbreviations_or_decimals() {
        let text = "Use 0.35, e.g. here. Dr. Roe agrees!! Really?\nyes";
        assert_eq!(
            texts(text, &measure(text).sentences),
            ["Use 0.35, e.g. here.", "Dr. Roe agrees!!", "Really?", "yes"]
        );
    }

    #[test]
    fn technical_shapes_are_found_and_plain_words_not() {
        let text = "Set max_retries and timeoutMs, run --dry-run on ./bin/app, see report.notes, v2, 1.4.2, 250ms. \
                    And/or www.shop.example e.g. 3.5 today, YouTube.";
        assert_eq!(
            texts(text, &measure(text).technical_tokens),
            [
                "max_retries",
                "timeoutMs",
                "--dry-run",
                "./bin/app",
                "report.notes",
                "v2",
                "1.4.2",
                "250ms"
            ]
        );
        assert_eq!(texts(text, &measure(text).numbers), ["3.5"]);
    }

    #[test]
    fn emoticons_have_what_is_asked_for_first() {
        for one in EMOTICONS {
            assert!(holds(one, is_of_emoticon), "{one}");
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod as_the_rule_says {
        use super::super::*;
        use proptest::prelude::*;

        proptest! {
            #[test]
            fn words_of_ascii_are_words(text in "[aB1_'. -]{0,16}") {
                let folded = Folded::new(&text);
                prop_assert_eq!(words(&folded), words_of_any(folded.characters()));
            }

            #[test]
            fn no_token_is_passed_over(text in "[abvmsDT17 ./_()\n-]{0,12}") {
                let mut signals = Signals::default();
                signals.tokens(&text.chars().collect::<Vec<char>>());
                let found = signals.technical_tokens.len() + signals.numbers.len();
                prop_assert!(found == 0 || may_hold_tokens(&text), "{:?}", signals);
            }
        }
    }

    #[test]
    fn code_is_no_prose() {
        let text = "Call `yo lol!` or\n```\nx = 1\n``` now";
        let signals = measure(text);
        assert_eq!(texts(text, &signals.code), ["`yo lol!`", "```\nx = 1\n```"]);
        assert!(signals.slang.is_empty());
    }

    #[test]
    fn emoji_sequences_are_one() {
        let text = "Hi 👩‍💻 there :) ❤️ 10:30";
        assert_eq!(texts(text, &measure(text).emoji), ["👩‍💻", ":)", "❤️"]);
    }

    #[test]
    fn passives_and_nominal_style() {
        let text = "The application was carefully reviewed and has been sent for evaluation.";
        let signals = measure(text);
        assert_eq!(
            texts(text, &signals.passives),
            ["was carefully reviewed", "been sent"]
        );
        assert_eq!(
            texts(text, &signals.nominals),
            ["application", "evaluation"]
        );
    }

    #[test]
    fn odd_texts_do_no_harm() {
        // text, words in it, signs of emotion in it
        for (text, words, signs) in [
            ("", 0, 0),
            (" ", 0, 0),
            ("`", 0, 0),
            ("```", 0, 0),
            ("....", 0, 0),
            ("!?", 0, 2),
            // a joiner and a mark are characters of words, as Unicode has it
            ("\u{200d}", 1, 0),
            ("--", 0, 0),
            ("'", 0, 0),
            ("''s", 1, 0),
            ("a'", 1, 0),
            ("\u{301}", 1, 0),
        ] {
            let found = measure(text);
            assert_eq!(found.words.len(), words, "{text:?}: {:?}", found.words);
            let signals = [&found.exclamations, &found.questions, &found.emoji];
            assert_eq!(
                signals.map(Vec::len).iter().sum::<usize>(),
                signs,
                "{text:?}"
            );
            assert!(found.mean_word_length.is_finite() && found.mean_sentence_length.is_finite());
            let length = text.chars().count();
            let lists = [
                &found.words,
                &found.code,
                &found.technical_tokens,
                &found.contractions,
            ];
            for spans in lists.into_iter().chain(signals) {
                assert!(
                    spans
                        .iter()
                        .all(|span| span[0] < span[1] && span[1] <= length)
                        && spans.windows(2).all(|pair| pair[0][1] <= pair[1][0]),
                    "{text:?}: {spans:?}"
                );
            }
        }
    }
}
