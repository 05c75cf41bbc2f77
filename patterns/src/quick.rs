//! Whether a pattern matches at all, asked of a lazy DFA: for patterns that are known to be small, where
//! most texts hold no match. Places are left to the counted search.

use std::sync::{Mutex, PoisonError};

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::{Anchored, Input};

/// What the states of one pattern may take in memory, in bytes for each thread that searches at once: the
/// largest of ours need as much to begin with, and few take it.
const CAPACITY: usize = 1 << 24;
/// After so many times in which that was not enough a search gives up.
const CLEARED: usize = 3;

#[derive(Debug)]
pub struct Quick {
    dfa: DFA,
    /// Those that no search holds now.
    caches: Mutex<Vec<Cache>>,
}

impl Quick {
    /// None where the states would take more than they may.
    pub fn new(automaton: &NFA) -> Option<Self> {
        let config = DFA::config()
            .unicode_word_boundary(true)
            .cache_capacity(CAPACITY)
            .minimum_cache_clear_count(Some(CLEARED));
        let dfa = DFA::builder()
            .configure(config)
            .build_from_nfa(automaton.clone())
            .ok()?;
        Some(Self {
            dfa,
            caches: Mutex::default(),
        })
    }

    /// Whether a text may hold a match, anywhere or from one of some places on: a search that was given up, as
    /// at a letter beyond ASCII where the pattern minds the edges of words, says that it may.
    pub fn may_match(&self, text: &str, from: Option<&[usize]>) -> bool {
        let caches = || self.caches.lock().unwrap_or_else(PoisonError::into_inner);
        let known = caches().pop();
        let mut cache = known.unwrap_or_else(|| self.dfa.create_cache());
        let mut search = |input: Input| {
            let found = self.dfa.try_search_fwd(&mut cache, &input.earliest(true));
            !matches!(found, Ok(None))
        };
        let may_match = match from {
            None => search(Input::new(text)),
            Some(places) => places.iter().any(|place| {
                let input = Input::new(text).anchored(Anchored::Yes);
                search(input.range(*place..))
            }),
        };
        caches().push(cache);
        may_match
    }
}
