//! Regular expressions, as rules are written in them.
//!
//! The crate `regex` chooses among several engines and links what it needs to
//! choose. Rules look through short texts, for which its simplest engine does; the
//! page is smaller with that one alone (DESIGN.md).

use std::sync::Arc;

use regex_automata::nfa::thompson::{Compiler, Config, WhichCaptures, pikevm::PikeVM};
use regex_syntax::ParserBuilder;

/// Limits of an expression: what a person could have meant, and no more.
const MOST_BYTES: usize = 1 << 20;
const DEEPEST: u32 = 64;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Expression(Arc<PikeVM>);

impl Expression {
    /// Compiles a pattern, or says why it is none.
    pub fn new(pattern: &str) -> Result<Self, String> {
        let parsed = ParserBuilder::new()
            .nest_limit(DEEPEST)
            .build()
            .parse(pattern)
            .map_err(|error| reason(&error))?;
        let config = Config::new()
            .nfa_size_limit(Some(MOST_BYTES))
            .which_captures(WhichCaptures::Implicit);
        Compiler::new()
            .configure(config)
            .build_from_hir(&parsed)
            .and_then(PikeVM::new_from_nfa)
            .map(|engine| Self(Arc::new(engine)))
            .map_err(|error| match error.size_limit() {
                Some(_) => "it is too large when compiled".into(),
                None => error.to_string(),
            })
    }

    /// Whether a text has a match.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(&mut self.0.create_cache(), text)
    }

    /// The matches in a text, as start and end in bytes; empty ones are none.
    pub fn find(&self, text: &str) -> Vec<[usize; 2]> {
        self.0
            .find_iter(&mut self.0.create_cache(), text)
            .filter(|found| !found.is_empty())
            .map(|found| [found.start(), found.end()])
            .collect()
    }
}

/// What is wrong, without the library's drawing of the pattern.
fn reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "it cannot be read".into(),
    }
}
