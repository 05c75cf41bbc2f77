//! Turns that are as they are meant to be, read in one go: what a job with a million of them waits for.
//! Other keys may stand in them. Of whatever else there is something to say goes the long way, which knows where
//! everything stands.
//!
//! What is measured of a turn is a handful of small things, so that of a million turns a few hundred differ
//! in more than their numbers and words: each of these is scored and written once.

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

use serde::Deserialize;

use super::fields::DEFAULT_ACTION;
use super::options::Options;
use super::principles::{FULL_LENGTH, PerPrinciple, Principle, Principles};
use super::read::{BESIDE, EITHER, RESULT, SESSION, TURN};
use super::reward::{Measured, ScoredTurn, score_turn};
use super::session::sum_up;
use super::turn::{Turn, TurnResult};
use super::written::{push_end, push_head, push_id, push_name_of, push_scored, push_session};
use crate::document::{
    Known as Keys, Noted, Problem, SOURCE, Shallow, Sifted, Text, input_sha256, is_of_part,
    path_from,
};
use crate::path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Session<'a> {
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    #[serde(borrow)]
    turns: Vec<Sifted<'a, Given<'a>>>,
}

impl Keys for Session<'_> {
    const KEYS: &'static [&'static str] = &SESSION;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'a> {
    #[serde(borrow)]
    session_id: Option<Text<'a>>,
    turn_number: Option<i64>,
    #[serde(borrow)]
    action: Option<Text<'a>>,
    #[serde(borrow)]
    user_message: Option<Text<'a>>,
    has_mutations: Option<bool>,
    acknowledged: Option<bool>,
    #[serde(borrow)]
    turn_result: Option<Sifted<'a, Came<'a>>>,
    #[serde(borrow)]
    reasoning: Option<Text<'a>>,
}

impl Keys for Given<'_> {
    const KEYS: &'static [&'static str] = &TURN;
}

/// What came of a turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Came<'a> {
    #[serde(borrow)]
    response: Option<Text<'a>>,
    tools: Option<Vec<Shallow>>,
    tools_passed: Option<bool>,
    #[serde(rename = "user_corrected")]
    _user_corrected: Option<bool>,
    #[serde(rename = "signals")]
    _signals: Option<Vec<Shallow>>,
    #[serde(borrow, rename = "stopping_suggestion")]
    _stopping_suggestion: Option<Text<'a>>,
    context_utilization: Option<f64>,
}

impl Keys for Came<'_> {
    const KEYS: &'static [&'static str] = &RESULT;
}

/// Scores lines of turns with the same weights and options.
///
/// ```
/// use assay::constitution::{Options, QuickTurns, evaluate, own_weights};
///
/// let options = Options::default();
/// let weights = own_weights(&options).result.expect("the defaults");
/// let mut quick = QuickTurns::new(weights, &options);
/// let text = r#"{"turn_result": {"response": "Great!"}}"#;
/// let mut line = Vec::new();
/// assert_eq!(quick.push_line(text, &mut line), Some(vec![]));
/// let long = evaluate(text, &options).result.expect("a turn");
/// assert_eq!(String::from_utf8(line).unwrap(), serde_json::to_string(&long).unwrap());
/// // a number that is none
/// assert_eq!(quick.push_line(r#"{"turn_number": -1, "turn_result": {}}"#, &mut Vec::new()), None);
/// ```
#[derive(Clone, Debug)]
pub struct QuickTurns {
    weights: PerPrinciple,
    ethical_floor: Option<f64>,
    gamma: f64,
    /// How every result begins.
    head: Vec<u8>,
    /// By what is measured of a turn: its place among the known.
    places: HashMap<Seen, usize>,
    known: Vec<Known>,
}

/// So many are kept.
const MOST_KNOWN: usize = 4096;

/// From so many tools on more make no difference.
const MANY_TOOLS: usize = 10;

/// What is measured of a turn, where more of a thing makes no difference without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    has_mutations: bool,
    acknowledged: Option<bool>,
    tools_passed: bool,
    characters: usize,
    tools: usize,
    /// The bits of the share of the context in use.
    used: Option<u64>,
    by_default: Principles,
}

/// In two words: sooner than field by field, and a turn is looked up for each line.
impl Hash for Seen {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = [
            self.has_mutations,
            self.acknowledged.is_some(),
            self.acknowledged == Some(true),
            self.tools_passed,
        ];
        let flags = flags
            .into_iter()
            .chain(Principle::ALL.map(|one| self.by_default.has(one)));
        let bits = flags.fold(
            self.characters * (MANY_TOOLS + 1) + self.tools,
            |bits, flag| 2 * bits + usize::from(flag),
        );
        (bits as u64).hash(state);
        self.used.unwrap_or_default().hash(state);
    }
}

/// A turn that was scored.
#[derive(Clone, Debug)]
struct Known {
    /// Without a number and an action.
    turn: ScoredTurn,
    /// What is written of it behind those.
    written: Vec<u8>,
    /// The summary of a session of this turn alone.
    alone: Vec<u8>,
}

/// A turn that was read: its number, its action, and its place among the known.
type Read<'a> = (i64, &'a str, usize);

impl QuickTurns {
    /// With checked weights, those of [`super::own_weights`].
    pub fn new(weights: PerPrinciple, options: &Options) -> Self {
        let mut head = Vec::new();
        push_head(&mut head, &weights);
        Self {
            weights,
            ethical_floor: options.ethical_floor,
            gamma: options.gamma,
            head,
            places: HashMap::new(),
            known: Vec::new(),
        }
    }

    /// Appends the result, as JSON on one line without its end, of a text that is one turn, a list of turns
    /// or a session, where nothing is to be said of it but that nobody reads some of its keys: then what
    /// [`super::evaluate`] gives of it, and these notes. Of any other text it appends nothing, and gives none.
    pub fn push_line(&mut self, text: &str, out: &mut Vec<u8>) -> Option<Vec<Problem>> {
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
            self.places.clear();
        }
        let found = turns(text)?;
        let (id, turns) = self.read(&found)?;
        let notes = notes(text, &found)?;
        out.extend_from_slice(&self.head);
        push_id(out, id);
        for (at, (number, action, place)) in turns.iter().enumerate() {
            out.extend_from_slice(if at > 0 { b",{" } else { b"{" });
            push_name_of(out, *number, action);
            out.extend_from_slice(&self.known[*place].written);
        }
        out.extend_from_slice(b"],\"session\":{");
        if let [(.., only)] = *turns {
            out.extend_from_slice(&self.known[only].alone);
        } else {
            let scored = turns.iter().map(|(.., place)| &self.known[*place].turn);
            push_session(out, &sum_up(&scored, self.gamma));
        }
        push_end(out, &input_sha256(&[("turns", text)]));
        Some(notes)
    }

    /// The id of the session of a text, and its turns, each with its number, its action and its place among the
    /// known.
    fn read<'a>(&mut self, found: &'a Found) -> Option<(Option<&'a str>, Vec<Read<'a>>)> {
        let named = |id: &'a Option<Text>| id.as_ref().map(|id| &*id.0).filter(|id| !id.is_empty());
        let id = named(&found.id);
        let mut turns = Vec::<Read>::with_capacity(found.turns.len());
        for Sifted { read: given, .. } in &found.turns {
            // turns that name a session are of it, whatever they stand in
            if named(&given.session_id).is_some_and(|own| id != Some(own)) {
                return None;
            }
            let number = given.turn_number.unwrap_or(turns.len() as i64 + 1);
            if number < 0 || turns.last().is_some_and(|(last, ..)| *last >= number) {
                return None;
            }
            let seen = seen(given)?;
            let place = match self.places.get(&seen) {
                Some(place) => *place,
                None => self.know(seen),
            };
            let action = given.action.as_ref();
            let action = action.map_or(DEFAULT_ACTION, |action| &*action.0);
            turns.push((number, action, place));
        }
        (!turns.is_empty()).then_some((id, turns))
    }

    /// Scores a turn of which this is measured; its place among the known.
    fn know(&mut self, seen: Seen) -> usize {
        let turn = turn(seen);
        let measured = Measured::without_reasons(&turn);
        let turn = score_turn((&turn, None), &measured, &self.weights, self.ethical_floor);
        let (mut written, mut alone) = (Vec::new(), Vec::new());
        push_scored(&mut written, &turn);
        push_session(&mut alone, &sum_up(&std::iter::once(&turn), self.gamma));
        self.places.insert(seen, self.known.len());
        self.known.push(Known {
            turn,
            written,
            alone,
        });
        self.known.len() - 1
    }
}

/// The turns of a text, and what they stand in.
struct Found<'a> {
    id: Option<Text<'a>>,
    turns: Vec<Sifted<'a, Given<'a>>>,
    shape: Shape<'a>,
}

enum Shape<'a> {
    One,
    List,
    /// A session with its other keys.
    Session(Vec<&'a str>),
}

fn turns(text: &str) -> Option<Found<'_>> {
    if text.trim_start().starts_with('[') {
        return Some(Found {
            id: None,
            turns: serde_json::from_str(text).ok()?,
            shape: Shape::List,
        });
    }
    if let Ok(only) = serde_json::from_str::<Sifted<Given>>(text)
        && !only.others.contains(&"turns")
    {
        return Some(Found {
            id: only.read.session_id.as_ref().map(|id| Text(id.0.clone())),
            turns: vec![only],
            shape: Shape::One,
        });
    }
    let Sifted { read, others } = serde_json::from_str::<Sifted<Session>>(text).ok()?;
    Some(Found {
        id: read.session_id,
        turns: read.turns,
        shape: Shape::Session(others),
    })
}

/// Keys that make something else of an object than a turn or a session.
const NO_TURN: [&str; 5] = [
    "turns",
    "policy_trace",
    "constitutional_scores",
    "formula",
    SOURCE,
];

/// The notes of keys that nobody reads; none where more is to be said of them.
fn notes(text: &str, found: &Found) -> Option<Vec<Problem>> {
    let of_session = match &found.shape {
        Shape::Session(others) => &others[..],
        Shape::One | Shape::List => &[],
    };
    let of_turns = || found.turns.iter().flat_map(|turn| &turn.others);
    let came = || {
        found
            .turns
            .iter()
            .filter_map(|turn| turn.read.turn_result.as_ref())
    };
    if of_session.is_empty()
        && of_turns().next().is_none()
        && came().all(|came| came.others.is_empty())
    {
        return Some(Vec::new());
    }
    let is_no_turn = |key: &&&str| NO_TURN.contains(*key) || is_of_part(key);
    if of_session
        .iter()
        .chain(of_turns())
        .any(|key| is_no_turn(&key))
        || has_few_keys(found)
    {
        return None;
    }
    let mut noted = Noted::new(text);
    for (index, turn) in found.turns.iter().enumerate() {
        let path = || match found.shape {
            Shape::One => String::new(),
            Shape::List => format!("[{index}]"),
            Shape::Session(_) => format!("turns[{index}]"),
        };
        noted.note(&turn.others, path);
        if let Some(came) = &turn.read.turn_result {
            noted.note(&came.others, || path_from(&path(), path!["turn_result"]));
        }
    }
    noted.note(of_session, String::new);
    noted.into_sorted()
}

/// Whether most keys of the turns are none of a turn, which makes a warning.
fn has_few_keys(found: &Found) -> bool {
    let others = found.turns.iter().flat_map(|turn| &turn.others);
    let others = others.filter(|key| !BESIDE.contains(*key));
    let (kin, others): (HashSet<&str>, HashSet<&str>) =
        others.copied().partition(|key| EITHER.contains(key));
    let has = |is: fn(&Given) -> bool| usize::from(found.turns.iter().any(|turn| is(&turn.read)));
    // each has a result
    let known = 1
        + has(|turn| turn.action.is_some())
        + has(|turn| turn.user_message.is_some())
        + has(|turn| turn.has_mutations.is_some())
        + has(|turn| turn.acknowledged.is_some())
        + has(|turn| turn.reasoning.is_some())
        + has(|turn| turn.turn_number.is_some());
    others.len() > known + kin.len()
}

/// What is measured of a turn; none where it says nothing of any principle, which is to be told.
fn seen(given: &Given) -> Option<Seen> {
    let Sifted { read: came, .. } = given.turn_result.as_ref()?;
    let is_measured = |principle| match principle {
        Principle::Ethical => given.has_mutations.is_some(),
        Principle::JoyInducing => true,
        Principle::Composable => came.tools.is_some(),
        Principle::Generative => came.context_utilization.is_some(),
        _ => false,
    };
    let used = came.context_utilization;
    if used.is_some_and(|used| !(0.0..=1.0).contains(&used)) {
        return None;
    }
    let response = came.response.as_ref();
    let characters = response.map_or(0, |said| said.0.chars().take(FULL_LENGTH).count());
    Some(Seen {
        has_mutations: given.has_mutations.unwrap_or(false),
        acknowledged: given.acknowledged,
        tools_passed: came.tools_passed.unwrap_or(true),
        characters,
        tools: came
            .tools
            .as_ref()
            .map_or(0, |tools| tools.len().min(MANY_TOOLS)),
        // -0.0 is in the range too
        used: used.map(|used| (used + 0.0).to_bits()),
        by_default: Principles::those(|principle| !is_measured(principle)),
    })
}

/// A turn of which this is measured.
fn turn(seen: Seen) -> Turn {
    Turn {
        turn_number: 0,
        session: 0,
        occurrence: 1,
        action: DEFAULT_ACTION.into(),
        user_message: String::new(),
        has_mutations: seen.has_mutations,
        acknowledged: seen.acknowledged,
        result: Some(TurnResult {
            response: ".".repeat(seen.characters),
            tools: seen.tools,
            tools_passed: seen.tools_passed,
            context_utilization: seen.used.map(f64::from_bits),
        }),
        overrides: Vec::new(),
        reasoning: String::new(),
        witnessed: None,
        record: None,
        by_default: seen.by_default,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{composable, joy_inducing};

    #[test]
    fn more_makes_no_difference() {
        assert_eq!(composable(MANY_TOOLS), composable(usize::MAX));
        let joy = |characters: usize| joy_inducing(&"é".repeat(characters));
        assert_eq!(joy(FULL_LENGTH), joy(10 * FULL_LENGTH));
    }

    #[test]
    fn what_is_known_is_bounded() {
        let options = Options::default();
        let mut quick = QuickTurns::new(super::super::DEFAULT_WEIGHTS, &options);
        for at in 0..2 * MOST_KNOWN {
            let used = at as f64 / 1e5;
            let text = format!(r#"{{"turn_result": {{"context_utilization": {used}}}}}"#);
            assert_eq!(quick.push_line(&text, &mut Vec::new()), Some(vec![]));
            assert!(quick.known.len() <= MOST_KNOWN + 1 && quick.known.len() == quick.places.len());
        }
    }
}
