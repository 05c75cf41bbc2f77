//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod alpaca_eval;
mod arena;
mod arena_hard;
mod comparator;
mod council;
mod judgebench;
mod llmbar;
mod mt_bench;
mod openai;
mod preferences;
mod promptfoo;
mod rubric;
mod verdict;

use super::format::Format;

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[
    &alpaca_eval::FORMAT,
    &arena::FORMAT,
    &arena_hard::FORMAT,
    &comparator::FORMAT,
    &council::FORMAT,
    &judgebench::FORMAT,
    &llmbar::FORMAT,
    &mt_bench::FORMAT,
    &openai::FORMAT,
    &preferences::FORMAT,
    &promptfoo::FORMAT,
    &rubric::FORMAT,
];
