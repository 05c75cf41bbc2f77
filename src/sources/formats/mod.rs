//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod anthropic;
mod atif;
mod claude_code;
mod codex;
mod inspect;
mod langfuse;
mod langsmith;
mod openai;
mod openinference;
mod otel_genai;
mod spans;
mod swe_agent;
mod tau_bench;

use super::format::Format;

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[
    &anthropic::FORMAT,
    &atif::FORMAT,
    &claude_code::FORMAT,
    &codex::FORMAT,
    &inspect::FORMAT,
    &langfuse::FORMAT,
    &langsmith::FORMAT,
    &openai::FORMAT,
    &openinference::FORMAT,
    &otel_genai::FORMAT,
    &swe_agent::FORMAT,
    &tau_bench::FORMAT,
];
