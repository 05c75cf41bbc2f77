//! The trait detectors: pure functions of a text's signals that say whether a
//! trait shows, and by what. Each adds weighted counts to an index and compares
//! it with a threshold; all numbers stand in [`super::thresholds`].

use std::borrow::Cow;
use std::sync::LazyLock;

use super::result::Evidence;
use super::signals::{Signals, Span};
use super::thresholds as t;

/// Whether a trait shows, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// Whether it shows.
    pub matched: bool,
    /// The index or count that decided first, then its signals.
    pub evidence: Vec<Evidence>,
}

/// Words that are the same for every text.
type Said = Cow<'static, str>;

/// A threshold in words, made once.
macro_rules! said {
    ($($words:tt)*) => {{
        static WORDS: LazyLock<String> = LazyLock::new(|| format!($($words)*));
        Said::Borrowed(WORDS.as_str())
    }};
}

/// A least value, and the same in words.
macro_rules! from {
    ($least:expr) => {
        ($least, said!(">= {}", $least))
    };
}

/// The detector of a trait word; none for a word without one.
pub fn detect(word: &str, signals: &Signals) -> Option<Detection> {
    Some(match word {
        "formal" => formality(signals, said!(">= {}", t::FORMAL_FROM), |index| {
            index >= t::FORMAL_FROM
        }),
        "business_casual" => formality(
            signals,
            said!("> {} and < {}", t::CASUAL_UP_TO, t::FORMAL_FROM),
            |index| index > t::CASUAL_UP_TO && index < t::FORMAL_FROM,
        ),
        "casual" => formality(signals, said!("<= {}", t::CASUAL_UP_TO), |index| {
            index <= t::CASUAL_UP_TO
        }),
        "professional" => professional(signals),
        "friendly" => friendly(signals),
        "technical" => technical(signals),
        "conversational" => conversational(signals),
        "concise" => verbosity(signals, said!("<= {}", t::CONCISE_UP_TO), |words| {
            words <= t::CONCISE_UP_TO
        }),
        "balanced" => verbosity(
            signals,
            said!(
                ">= {} and <= {}",
                t::CONCISE_UP_TO + 1,
                t::DETAILED_FROM - 1
            ),
            |words| words > t::CONCISE_UP_TO && words < t::DETAILED_FROM,
        ),
        "detailed" => verbosity(signals, said!(">= {}", t::DETAILED_FROM), |words| {
            words >= t::DETAILED_FROM
        }),
        _ => return None,
    })
}

/// Few verdicts have more evidence.
const EVIDENCE: usize = 4;

/// A sum of weighted signals with its evidence.
struct Index {
    total: f64,
    /// Counts are divided by this.
    scale: f64,
    evidence: Vec<Evidence>,
}

impl Index {
    fn new(signals: &Signals) -> Self {
        Self {
            total: 0.0,
            scale: (signals.words.len() as f64 / t::WORDS_PER_COUNT).max(1.0),
            evidence: Vec::with_capacity(EVIDENCE),
        }
    }

    /// Adds a signal by its places.
    fn count(&mut self, signal: &'static str, spans: &[Span], weight: f64) {
        if !spans.is_empty() {
            self.total += weight * spans.len() as f64 / self.scale;
            self.evidence
                .push(evidence(signal, spans.len() as f64, None, spans));
        }
    }

    /// Adds a weight if a measured value reaches a threshold.
    fn from(&mut self, signal: &'static str, value: f64, (least, said): (f64, Said), weight: f64) {
        if value >= least {
            self.total += weight;
        }
        self.evidence.push(evidence(signal, value, Some(said), &[]));
    }

    /// The verdict, with the index as the first piece of evidence.
    fn detection(mut self, name: &'static str, threshold: Said, matched: bool) -> Detection {
        self.evidence
            .insert(0, evidence(name, self.total, Some(threshold), &[]));
        Detection {
            matched,
            evidence: self.evidence,
        }
    }
}

fn evidence(signal: &'static str, value: f64, threshold: Option<Said>, spans: &[Span]) -> Evidence {
    Evidence {
        signal: Cow::Borrowed(signal),
        value,
        threshold,
        spans: spans.to_vec(),
    }
}

/// One index from casual to formal, cut in three. Formal from its threshold on,
/// casual up to its own, business casual strictly between.
fn formality(signals: &Signals, threshold: Said, is_shown: impl Fn(f64) -> bool) -> Detection {
    let mut index = Index::new(signals);
    index.count("slang", &signals.slang, t::SLANG);
    index.count("emoji", &signals.emoji, t::EMOJI);
    index.count("exclamations", &signals.exclamations, t::EXCLAMATION);
    index.count("contractions", &signals.contractions, t::CONTRACTION);
    index.count("markers of talk", &signals.talk, t::TALK);
    index.count(
        "lower-case starts",
        &signals.lower_case_starts,
        t::LOWER_CASE_START,
    );
    index.count("formal phrases", &signals.formal, t::FORMAL_PHRASE);
    index.count("passives", &signals.passives, t::PASSIVE);
    index.count("hedges", &signals.hedges, t::HEDGE);
    let share = signals.nominals.len() as f64 / signals.words.len().max(1) as f64;
    index.from(
        "nominal share",
        share,
        from!(t::NOMINAL_SHARE_FROM),
        t::NOMINAL,
    );
    index.from(
        "mean word length",
        signals.mean_word_length,
        from!(t::LONG_WORDS_FROM),
        t::LONG_WORDS,
    );
    index.from(
        "mean sentence length",
        signals.mean_sentence_length,
        from!(t::LONG_SENTENCES_FROM),
        t::LONG_SENTENCES,
    );
    let matched = is_shown(index.total);
    index.detection("formality index", threshold, matched)
}

fn professional(signals: &Signals) -> Detection {
    let mut index = Index::new(signals);
    index.count(
        "courtesies and verbs of work",
        &signals.courtesies,
        t::COURTESY,
    );
    index.count("formal phrases", &signals.formal, t::PROFESSIONAL_FORMAL);
    index.count("markers of talk", &signals.talk, t::PROFESSIONAL_TALK);
    let technical = technical_index(signals).total;
    index.from(
        "technical index",
        technical,
        from!(t::TECHNICAL_FROM),
        t::PROFESSIONAL_TECHNICAL,
    );
    index.from(
        "mean word length",
        signals.mean_word_length,
        from!(t::LONG_WORDS_FROM),
        t::PROFESSIONAL_LONG_WORDS,
    );
    let loud = [
        &signals.exclamations,
        &signals.talk,
        &signals.warm,
        &signals.slang,
        &signals.emoji,
    ];
    if loud.iter().all(|spans| spans.is_empty()) {
        index.from("restraint", 1.0, from!(1.0), t::RESTRAINT);
    }
    let barred = [("slang", &signals.slang), ("emoji", &signals.emoji)];
    for (signal, spans) in barred {
        index.evidence.push(evidence(
            signal,
            spans.len() as f64,
            Some("<= 0".into()),
            spans,
        ));
    }
    index.evidence.push(evidence(
        "exclamations",
        signals.exclamations.len() as f64,
        Some(said!("<= {}", t::PROFESSIONAL_EXCLAMATIONS)),
        &signals.exclamations,
    ));
    let matched = index.total >= t::PROFESSIONAL_FROM
        && signals.slang.is_empty()
        && signals.emoji.is_empty()
        && signals.exclamations.len() <= t::PROFESSIONAL_EXCLAMATIONS;
    index.detection(
        "professional index",
        said!(">= {}", t::PROFESSIONAL_FROM),
        matched,
    )
}

fn friendly(signals: &Signals) -> Detection {
    let mut index = Index::new(signals);
    index.count("warm phrases", &signals.warm, t::WARM);
    index.count("emoji", &signals.emoji, t::FRIENDLY_EMOJI);
    index.count(
        "exclamations",
        &signals.exclamations,
        t::FRIENDLY_EXCLAMATION,
    );
    let matched = index.total >= t::FRIENDLY_FROM;
    index.detection("friendly index", said!(">= {}", t::FRIENDLY_FROM), matched)
}

fn technical_index(signals: &Signals) -> Index {
    let mut index = Index::new(signals);
    // density takes care of length
    index.scale = 1.0;
    index.count("code", &signals.code, t::CODE);
    index.count(
        "technical tokens",
        &signals.technical_tokens,
        t::TECHNICAL_TOKEN,
    );
    index.count(
        "technical terms",
        &signals.technical_terms,
        t::TECHNICAL_TERM,
    );
    index.count("numbers", &signals.numbers, t::NUMBER);
    index
}

fn technical(signals: &Signals) -> Detection {
    let mut index = technical_index(signals);
    let density = index.total / signals.words.len().max(1) as f64;
    index.from(
        "index per word",
        density,
        from!(t::TECHNICAL_DENSITY_FROM),
        0.0,
    );
    let matched = index.total >= t::TECHNICAL_FROM && density >= t::TECHNICAL_DENSITY_FROM;
    index.detection(
        "technical index",
        said!(">= {}", t::TECHNICAL_FROM),
        matched,
    )
}

fn conversational(signals: &Signals) -> Detection {
    let mut index = Index::new(signals);
    index.count("markers of talk", &signals.talk, t::CONVERSATIONAL_TALK);
    index.count(
        "contractions",
        &signals.contractions,
        t::CONVERSATIONAL_CONTRACTION,
    );
    index.count("questions", &signals.questions, t::QUESTION);
    index.count("first and second person", &signals.pronouns, t::PRONOUN);
    index.count("slang", &signals.slang, t::CONVERSATIONAL_SLANG);
    index.count("formal phrases", &signals.formal, t::CONVERSATIONAL_FORMAL);
    let matched = index.total >= t::CONVERSATIONAL_FROM;
    index.detection(
        "conversational index",
        said!(">= {}", t::CONVERSATIONAL_FROM),
        matched,
    )
}

fn verbosity(signals: &Signals, threshold: Said, is_shown: impl Fn(usize) -> bool) -> Detection {
    let words = signals.words.len();
    let matched = is_shown(words);
    Detection {
        matched,
        evidence: vec![
            evidence("words", words as f64, Some(threshold), &[]),
            evidence("sentences", signals.sentences.len() as f64, None, &[]),
            evidence(
                "mean sentence length",
                signals.mean_sentence_length,
                None,
                &[],
            ),
        ],
    }
}
