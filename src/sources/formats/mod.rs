//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod alignmenter;
mod card;
mod character_llm;
mod chatgpt;
mod claude_export;
mod coser;
mod openai;
mod own;
mod sharegpt;
mod sillytavern;
mod table;
mod text;

use super::format::Format;

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[
    &alignmenter::FORMAT,
    &card::FORMAT,
    &character_llm::FORMAT,
    &chatgpt::FORMAT,
    &claude_export::FORMAT,
    &coser::FORMAT,
    &openai::FORMAT,
    &own::DEBATE,
    &own::PERSONA,
    &own::TRANSCRIPT,
    &own::TURNS,
    &sharegpt::FORMAT,
    &sillytavern::FORMAT,
    &table::FORMAT,
    &text::FORMAT,
];
