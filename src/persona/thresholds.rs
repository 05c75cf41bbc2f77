//! Every threshold and weight of the trait detectors, in one table. They were
//! chosen on the even texts of `tests/data/persona/corpus.tsv`; two were then
//! moved after a look at real transcripts (the bound of casual, long words for
//! professional). How well they do is measured in `tests/persona/corpus.rs`.

/// Counts are taken per this many words, so that a long text is not more of
/// everything; a shorter text counts as it is.
pub const WORDS_PER_COUNT: f64 = 40.0;

/// Formality index at which a text is formal.
pub const FORMAL_FROM: f64 = 2.0;
/// Formality index up to which a text is casual; between the two it is business casual.
pub const CASUAL_UP_TO: f64 = -2.25;

/// Formality: slang or a chat abbreviation.
pub const SLANG: f64 = -2.0;
/// Formality: an emoji or emoticon.
pub const EMOJI: f64 = -1.5;
/// Formality: an exclamation mark.
pub const EXCLAMATION: f64 = -1.0;
/// Formality: a contraction.
pub const CONTRACTION: f64 = -0.5;
/// Formality: a marker of talk (`well,`, `you know`).
pub const TALK: f64 = -0.5;
/// Formality: a sentence that starts in lower case.
pub const LOWER_CASE_START: f64 = -0.75;
/// Formality: a formal phrase or honorific.
pub const FORMAL_PHRASE: f64 = 1.5;
/// Formality: a passive.
pub const PASSIVE: f64 = 0.75;
/// Formality: a hedge.
pub const HEDGE: f64 = 0.5;
/// Formality: nouns made of verbs and adjectives (`-tion`, `-ment`, ...), from `NOMINAL_SHARE_FROM` on.
pub const NOMINAL: f64 = 0.75;
/// Share of such nouns among the words from which the style is nominal.
pub const NOMINAL_SHARE_FROM: f64 = 0.10;
/// Formality: long words, from `LONG_WORDS_FROM` on.
pub const LONG_WORDS: f64 = 0.5;
/// Mean letters per word from which words are long.
pub const LONG_WORDS_FROM: f64 = 5.2;
/// Formality: long sentences, from `LONG_SENTENCES_FROM` on.
pub const LONG_SENTENCES: f64 = 0.5;
/// Mean words per sentence from which sentences are long.
pub const LONG_SENTENCES_FROM: f64 = 18.0;

/// Professional: index from which a text is professional, with at most
/// `PROFESSIONAL_EXCLAMATIONS` exclamation marks and no slang or emoji.
pub const PROFESSIONAL_FROM: f64 = 1.5;
/// Professional: the most exclamation marks.
pub const PROFESSIONAL_EXCLAMATIONS: usize = 1;
/// Professional: a courtesy or verb of work.
pub const COURTESY: f64 = 1.0;
/// Professional: a formal phrase.
pub const PROFESSIONAL_FORMAL: f64 = 1.0;
/// Professional: nothing loud or chatty (no exclamation, no marker of talk, no warm phrase).
pub const RESTRAINT: f64 = 0.75;
/// Professional: technical vocabulary.
pub const PROFESSIONAL_TECHNICAL: f64 = 0.75;
/// Professional: long words, from `LONG_WORDS_FROM` on.
pub const PROFESSIONAL_LONG_WORDS: f64 = 0.75;
/// Professional: a marker of talk.
pub const PROFESSIONAL_TALK: f64 = -0.75;

/// Friendly: index from which a text is friendly.
pub const FRIENDLY_FROM: f64 = 1.0;
/// Friendly: a warm phrase.
pub const WARM: f64 = 1.0;
/// Friendly: an emoji or emoticon.
pub const FRIENDLY_EMOJI: f64 = 0.75;
/// Friendly: an exclamation mark.
pub const FRIENDLY_EXCLAMATION: f64 = 0.25;

/// Technical: index from which a text is technical, if it is also dense enough.
pub const TECHNICAL_FROM: f64 = 2.0;
/// Technical: index per word from which the text is dense.
pub const TECHNICAL_DENSITY_FROM: f64 = 0.08;
/// Technical: code between backticks.
pub const CODE: f64 = 2.0;
/// Technical: an identifier, flag, path, version or quantity with a unit.
pub const TECHNICAL_TOKEN: f64 = 1.0;
/// Technical: a term of the trade.
pub const TECHNICAL_TERM: f64 = 1.0;
/// Technical: any other number.
pub const NUMBER: f64 = 0.25;

/// Conversational: index from which a text is conversational.
pub const CONVERSATIONAL_FROM: f64 = 1.5;
/// Conversational: a marker of talk.
pub const CONVERSATIONAL_TALK: f64 = 1.0;
/// Conversational: a contraction.
pub const CONVERSATIONAL_CONTRACTION: f64 = 0.5;
/// Conversational: a question.
pub const QUESTION: f64 = 0.5;
/// Conversational: a first or second person pronoun.
pub const PRONOUN: f64 = 0.2;
/// Conversational: slang.
pub const CONVERSATIONAL_SLANG: f64 = 0.5;
/// Conversational: a formal phrase.
pub const CONVERSATIONAL_FORMAL: f64 = -1.0;

/// Concise: the most words.
pub const CONCISE_UP_TO: usize = 30;
/// Detailed: the fewest words; between the two a text is balanced.
pub const DETAILED_FROM: usize = 80;
