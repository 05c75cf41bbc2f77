//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod alignmenter;
mod alpaca_eval;
mod anthropic;
mod arena;
mod arena_hard;
mod atif;
mod card;
mod character_llm;
mod chatgpt;
mod claude_code;
mod claude_export;
mod codex;
mod comparator;
mod coser;
mod council;
mod inspect;
mod inspect_logs;
mod judgebench;
mod langfuse;
mod langsmith;
mod llmbar;
mod mt_bench;
mod openai;
mod openinference;
mod otel_genai;
mod own;
mod preferences;
mod promptfoo;
mod rubric;
mod sharegpt;
mod sillytavern;
mod spans;
mod swe_agent;
pub(super) mod table;
mod tau_bench;
mod text;
mod verdict;

use super::format::{Format, Several};

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[
    &alignmenter::FORMAT,
    &alpaca_eval::FORMAT,
    &anthropic::FORMAT,
    &arena::FORMAT,
    &arena_hard::FORMAT,
    &atif::FORMAT,
    &card::FORMAT,
    &character_llm::FORMAT,
    &chatgpt::FORMAT,
    &claude_code::FORMAT,
    &claude_export::FORMAT,
    &codex::FORMAT,
    &comparator::FORMAT,
    &coser::FORMAT,
    &council::FORMAT,
    &inspect::FORMAT,
    &judgebench::FORMAT,
    &langfuse::FORMAT,
    &langsmith::FORMAT,
    &llmbar::FORMAT,
    &mt_bench::FORMAT,
    &openai::FORMAT,
    &openinference::FORMAT,
    &otel_genai::FORMAT,
    &own::DEBATE,
    &own::PERSONA,
    &own::TRANSCRIPT,
    &own::TURNS,
    &preferences::FORMAT,
    &promptfoo::FORMAT,
    &rubric::FORMAT,
    &sharegpt::FORMAT,
    &sillytavern::FORMAT,
    &swe_agent::FORMAT,
    &table::FORMAT,
    &tau_bench::FORMAT,
    &text::FORMAT,
];

/// Those of which several files are one document together.
pub(super) const SEVERAL: &[Several] = &[inspect_logs::SEVERAL];

/// Their keys and nouns: what names them needs not know how they are read.
const NOUNS: [(&str, &str); FORMATS.len()] = {
    let mut nouns = [("", ""); FORMATS.len()];
    let mut at = 0;
    while at < nouns.len() {
        nouns[at] = (FORMATS[at].key, FORMATS[at].noun);
        at += 1;
    }
    nouns
};

/// What a file of the format of a key is, with an article; several of them together, in the plural.
pub fn noun_of(key: &str) -> Option<&'static str> {
    const TOGETHER: (&str, &str) = (inspect_logs::SEVERAL.key, inspect_logs::SEVERAL.noun);
    let mut nouns = NOUNS.iter().chain([&TOGETHER]);
    nouns
        .find(|(known, _)| *known == key)
        .map(|(_, noun)| *noun)
}
