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
use crate::document::Node;

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

/// The text of a key; empty where there is none.
fn field<'a>(row: &'a Node, key: &str) -> &'a str {
    row.get(key).and_then(Node::text).unwrap_or_default()
}

/// What a key says as a name: a text that is not empty, or a number.
fn name_of(row: &Node, key: &str) -> Option<String> {
    let value = row.get(key)?;
    let text = value
        .text()
        .filter(|text| !text.is_empty())
        .map(str::to_owned);
    text.or_else(|| value.number().map(|number| number.to_string()))
}
