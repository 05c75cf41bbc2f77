//! Regular expressions, as rules are written in them, searched in counted steps.
//!
//! The library compiles them; its engines run to their end, and a short text with a short
//! pattern can take them minutes. This one simulates the same automaton (Pike's way: all
//! threads side by side, the one that a backtracking search would try first in front) and
//! counts what it does, so that a search ends, in matches or in [`TooManySteps`].
//! Between matches it looks only at the bytes that one can begin with.
//!
//! A package of its own, because optimisation is set by package.

#[cfg(feature = "quick")]
use std::sync::{Arc, OnceLock};

use regex_automata::nfa::thompson::{Compiler, Config, NFA, State, WhichCaptures};
use regex_automata::util::primitives::StateID;
use regex_syntax::ParserBuilder;
use regex_syntax::hir::Hir;

pub use needs::{Beside, Need, Needs, OneOf, Sides, Text, is_word, part};

mod needs;
#[cfg(feature = "quick")]
mod quick;

/// Limits of an expression: what a person could have meant, and no more.
const MOST_BYTES: usize = 1 << 20;
const DEEPEST: u32 = 64;
/// Bytes passed over that cost as much as a step of a thread.
const BYTES_A_STEP: usize = 8;

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub struct Expression {
    automaton: NFA,
    /// By byte: whether a match that is not empty can begin with it.
    begins: Box<[bool; 256]>,
    /// Made when it is first asked.
    #[cfg(feature = "quick")]
    quick: Arc<OnceLock<Option<quick::Quick>>>,
}

/// What every match of a pattern holds, without compiling it: lists of texts, of each of
/// which it holds one. A part of the pattern may be written by [`part`], as the number of
/// its needs among `parts`.
///
/// # Errors
///
/// What is wrong with the pattern.
pub fn needs(pattern: &str, parts: &[Needs]) -> Result<Needs, String> {
    Ok(needs::needs(&parse(pattern)?, parts))
}

fn parse(pattern: &str) -> Result<Hir, String> {
    let mut parser = ParserBuilder::new().nest_limit(DEEPEST).build();
    parser.parse(pattern).map_err(|error| reason(&error))
}

/// A search that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManySteps;

impl Expression {
    /// Compiles a pattern, or says why it is none.
    ///
    /// ```
    /// use assay_patterns::Expression;
    /// let found = Expression::new(r"ref-\d+").map(|e| e.find("ref-1, ref-22", &mut 1_000));
    /// assert_eq!(found, Ok(Ok(vec![[0, 5], [7, 13]])));
    /// ```
    pub fn new(pattern: &str) -> Result<Self, String> {
        let parsed = parse(pattern)?;
        let config = Config::new()
            .nfa_size_limit(Some(MOST_BYTES))
            .which_captures(WhichCaptures::None);
        let automaton = Compiler::new()
            .configure(config)
            .build_from_hir(&parsed)
            .map_err(|error| match error.size_limit() {
                Some(_) => "it is too large when compiled".into(),
                None => error.to_string(),
            })?;
        Ok(Self {
            begins: begins(&automaton),
            automaton,
            #[cfg(feature = "quick")]
            quick: Arc::default(),
        })
    }

    /// Bytes of memory that it holds.
    pub fn memory_usage(&self) -> usize {
        self.automaton.memory_usage() + self.begins.len()
    }

    /// Whether a text may hold a match, anywhere or from one of some places on (in bytes, between characters),
    /// without counting steps: for patterns of which is known that they are small. With the feature `quick` most texts that hold none are told; without it none is.
    ///
    /// ```
    /// use assay_patterns::Expression;
    /// let expression = Expression::new("cats?").expect("a pattern");
    /// assert!(expression.may_match("two cats", None));
    /// assert!(!(cfg!(feature = "quick") && expression.may_match("two dogs", None)));
    /// assert!(!(cfg!(feature = "quick") && expression.may_match("two cats", Some(&[0, 5]))));
    /// ```
    #[cfg(feature = "quick")]
    pub fn may_match(&self, text: &str, from: Option<&[usize]>) -> bool {
        let quick = self
            .quick
            .get_or_init(|| quick::Quick::new(&self.automaton));
        quick
            .as_ref()
            .is_none_or(|quick| quick.may_match(text, from))
    }

    /// Without the feature `quick` any text may hold a match.
    #[cfg(not(feature = "quick"))]
    pub const fn may_match(&self, _: &str, _: Option<&[usize]>) -> bool {
        true
    }

    /// The matches in a text that do not overlap, from the left, as start and end in
    /// bytes; empty ones are none. What the search takes is taken from `steps`; when
    /// none are left it ends.
    pub fn find(&self, text: &str, steps: &mut u64) -> Result<Vec<[usize; 2]>, TooManySteps> {
        let mut search = Search {
            expression: self,
            text: text.as_bytes(),
            steps,
            current: Threads::default(),
            next: Threads::default(),
            open: Vec::new(),
        };
        let (mut matches, mut at) = (Vec::new(), 0);
        while let Some([start, end]) = search.from(at)? {
            if start < end {
                matches.push([start, end]);
            }
            at = if start < end { end } else { end + 1 };
        }
        Ok(matches)
    }
}

/// Which bytes a match can begin with, whatever stands around it.
fn begins(automaton: &NFA) -> Box<[bool; 256]> {
    let mut bytes = Box::new([false; 256]);
    let mut seen = vec![false; automaton.states().len()];
    let mut open = vec![automaton.start_anchored()];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.as_usize()], true) {
            continue;
        }
        match automaton.state(id) {
            State::ByteRange { trans } => {
                bytes[usize::from(trans.start)..=usize::from(trans.end)].fill(true);
            }
            State::Sparse(sparse) => {
                for trans in &*sparse.transitions {
                    bytes[usize::from(trans.start)..=usize::from(trans.end)].fill(true);
                }
            }
            State::Dense(_) => bytes.fill(true),
            State::Look { next, .. } | State::Capture { next, .. } => open.push(*next),
            State::Union { alternates } => open.extend(alternates.iter()),
            State::BinaryUnion { alt1, alt2 } => open.extend([alt1, alt2]),
            State::Fail | State::Match { .. } => {}
        }
    }
    bytes
}

/// Threads in the order of their priority, no two in one state.
#[derive(Default)]
struct Threads {
    /// State and where its match would start.
    list: Vec<(StateID, usize)>,
    /// By state: its number in the list, if it is there.
    place: Vec<u32>,
}

impl Threads {
    fn add(&mut self, state: StateID, start: usize) -> bool {
        let place = self.place[state.as_usize()] as usize;
        if self
            .list
            .get(place)
            .is_some_and(|(there, _)| *there == state)
        {
            return false;
        }
        // there are at most as many states as fit a u32
        self.place[state.as_usize()] = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push((state, start));
        true
    }
}

struct Search<'a> {
    expression: &'a Expression,
    text: &'a [u8],
    steps: &'a mut u64,
    current: Threads,
    next: Threads,
    /// States to be followed, the next one last.
    open: Vec<StateID>,
}

impl Search<'_> {
    fn take(&mut self, steps: usize) -> Result<(), TooManySteps> {
        *self.steps = self.steps.checked_sub(steps as u64).ok_or(TooManySteps)?;
        Ok(())
    }

    /// The first match that starts at `at` or later; of those that start there the one
    /// that is tried first. Empty ones that stand where no other can begin are passed over.
    fn from(&mut self, mut at: usize) -> Result<Option<[usize; 2]>, TooManySteps> {
        let mut found = None;
        self.current.list.clear();
        loop {
            if self.current.list.is_empty() {
                if found.is_some() {
                    return Ok(found);
                }
                let Some(next) = self.begin(at)? else {
                    return Ok(None);
                };
                at = next;
            }
            if found.is_none() {
                let start = self.expression.automaton.start_anchored();
                self.follow(start, at, at, false)?;
            }
            self.advance(at, &mut found)?;
            std::mem::swap(&mut self.current, &mut self.next);
            self.next.list.clear();
            at += 1;
        }
    }

    /// The next place at which a match can begin.
    fn begin(&mut self, at: usize) -> Result<Option<usize>, TooManySteps> {
        let begins = &self.expression.begins;
        let rest = self.text.get(at..).unwrap_or_default();
        let next = rest.iter().position(|byte| begins[usize::from(*byte)]);
        self.take(next.unwrap_or(rest.len()) / BYTES_A_STEP + 1)?;
        if self.current.place.is_empty() && next.is_some() {
            let states = self.expression.automaton.states().len();
            self.take(states / BYTES_A_STEP)?;
            self.current.place = vec![0; states];
            self.next.place = vec![0; states];
        }
        Ok(next.map(|next| at + next))
    }

    /// Every thread takes the byte at `at`; a match ends those behind its thread.
    fn advance(&mut self, at: usize, found: &mut Option<[usize; 2]>) -> Result<(), TooManySteps> {
        self.take(self.current.list.len())?;
        for number in 0..self.current.list.len() {
            let (id, start) = self.current.list[number];
            let target = match self.expression.automaton.state(id) {
                State::Match { .. } => {
                    *found = Some([start, at]);
                    break;
                }
                State::ByteRange { trans } => trans.matches(self.text, at).then_some(trans.next),
                State::Sparse(sparse) => sparse.matches(self.text, at),
                State::Dense(dense) => dense.matches(self.text, at),
                _ => None,
            };
            if let Some(target) = target {
                self.follow(target, at + 1, start, true)?;
            }
        }
        Ok(())
    }

    /// Adds the states that are reached from a state without a byte, in their order.
    fn follow(
        &mut self,
        from: StateID,
        at: usize,
        start: usize,
        to_next: bool,
    ) -> Result<(), TooManySteps> {
        let automaton = &self.expression.automaton;
        let threads = if to_next {
            &mut self.next
        } else {
            &mut self.current
        };
        let mut count = 0;
        self.open.push(from);
        while let Some(id) = self.open.pop() {
            count += 1;
            if !threads.add(id, start) {
                continue;
            }
            match automaton.state(id) {
                State::Look { look, next }
                    if automaton.look_matcher().matches(*look, self.text, at) =>
                {
                    self.open.push(*next);
                }
                State::Capture { next, .. } => self.open.push(*next),
                State::Union { alternates } => self.open.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => self.open.extend([*alt2, *alt1]),
                _ => {}
            }
        }
        self.take(count)
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

#[cfg(test)]
mod tests;
