//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod anthropic;
mod atif;
mod claude_code;
mod inspect;
mod openai;
mod tau_bench;

use super::format::Format;

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[
    &anthropic::FORMAT,
    &atif::FORMAT,
    &claude_code::FORMAT,
    &inspect::FORMAT,
    &openai::FORMAT,
    &tau_bench::FORMAT,
];
