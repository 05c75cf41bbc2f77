//! Parts of a transcript that are scored apart, and what they make together (SCORING.md section 3,
//! "Parts"): to the last digit what one run over all of it makes.
//!
//! A part is JSON Lines. Each line is a [`Line`]: the head, which says what was scored with what; a
//! session, as it stands in a result; what is to be known beside the sessions; or the end. They may come in
//! any order, and a head and an end as often as there were jobs. A session is whole in its
//! part: what changes with the others (how firm a departure is) is left to the [`Merge`].

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::analysis::change_point::hold_together;
use crate::document::{Evaluation, PartEnd, input_sha256, unlike};
use crate::steps::{THROUGH, at_once};
use crate::text::Shown;

use super::asides::{Asides, KnownOf, Others};
use super::config::{Config, most_samples};
use super::figures::{Figures, Terms};
use super::inputs::Inputs;
use super::options::Options;
use super::overall::{sessions, whole};
use super::result::{FORMULA, PersonaResult, SafetyPart, SessionResult};
use super::run::Run;
use super::second::{SecondOpinion, SecondTally};
use super::style::Similarities;
use super::written::push_part_session;

/// The kind of part, and the version of its lines.
pub const PART: &str = "persona-part/1";

/// So much is made ready for a line, in bytes: a session of one reply takes less.
const WRITTEN: usize = 1 << 12;

/// A line of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Line {
    /// What the sessions were scored with.
    #[serde(rename = "persona_part")]
    Part(Box<Head>),
    /// A session.
    #[serde(rename = "persona_session")]
    Session(Box<PartSession>),
    /// What is to be known beside sessions.
    #[serde(rename = "persona_beside")]
    Beside(Asides),
    /// The last line: without it the job was broken off.
    #[serde(rename = "persona_end")]
    End(PartEnd),
}

/// What sessions were scored with, whatever they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// [`PART`].
    kind: String,
    /// `alignmenter-reference/1`.
    formula: String,
    /// SHA-256 of each input but the transcript, by its name.
    inputs: BTreeMap<String, String>,
    terms: Terms,
    /// From which value on the second opinion on safety reads a violation.
    second_opinion: Option<f64>,
    known: KnownOf,
}

/// A scored session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartSession {
    /// SHA-256 of its id and its responses.
    pub input_sha256: String,
    /// How often the second opinion and the rules differ.
    second_opinion: SecondTally,
    /// Its rows of other personas.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    other_personas: Others,
    /// As it stands in a result. No departure is held to be none of chance: that depends on the others.
    pub result: SessionResult,
}

impl Line {
    /// As JSON on one line, without its end.
    pub fn written(&self) -> String {
        let mut line = Vec::with_capacity(WRITTEN);
        self.push_line(&mut line);
        // it is made of texts
        String::from_utf8(line).unwrap_or_default()
    }

    /// Appends the same.
    pub fn push_line(&self, out: &mut Vec<u8>) {
        if let Self::Session(session) = self {
            let beside = (&session.second_opinion, &session.other_personas);
            push_part_session(out, &session.input_sha256, beside, &session.result);
        } else {
            // keys are texts, and numbers finite
            out.extend(serde_json::to_vec(self).unwrap_or_default());
        }
    }
}

impl Run {
    /// The head of its part; none where the options are wrong, which the problems tell.
    pub fn part_head(
        &self,
        inputs: &Inputs,
        options: &Options,
        (similarities, second): (&Similarities, &SecondOpinion),
    ) -> Evaluation<Head> {
        let hash = |text: &str| input_sha256(&[("", text)]);
        let optional = [
            ("config", inputs.config),
            ("safety", inputs.safety),
            ("judge", inputs.judge),
            ("labels", inputs.labels),
            ("control", inputs.control),
        ];
        let hashed = optional
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        let hashed = hashed.chain([("persona", inputs.persona)]);
        let hashed = hashed.map(|(name, text)| (name.to_owned(), hash(text)));
        let Evaluation {
            result: config,
            problems,
        } = self.with_config(options);
        let head = config.map(|config| Head {
            kind: PART.to_owned(),
            formula: FORMULA.to_owned(),
            inputs: hashed.collect(),
            terms: Terms::of(&config, similarities),
            second_opinion: Some(second.threshold),
            known: self.known.clone(),
        });
        Evaluation {
            result: head,
            problems,
        }
    }

    /// Its sessions as they stand in a part; nothing where the options are wrong.
    pub fn part_sessions(
        &self,
        options: &Options,
        similarities: &Similarities,
        second: &SecondOpinion,
    ) -> Vec<Line> {
        let Some(config) = self.with_config(options).result else {
            return Vec::new();
        };
        let mut scored = sessions(self, &config, similarities);
        let opinions = at_once(self.opinions(second, THROUGH));
        let tallies = opinions.put(&mut scored);
        let own = self.sessions.iter().zip(scored).zip(tallies);
        own.map(|((session, mut result), tally)| {
            hold(&mut result, false);
            let others = self.asides.other_personas.get(&session.id);
            Line::Session(Box::new(PartSession {
                input_sha256: session.sha256(),
                second_opinion: tally,
                other_personas: others.cloned().unwrap_or_default(),
                result,
            }))
        })
        .collect()
    }

    /// What is to be known beside its sessions, where there is something.
    pub fn part_asides(&self) -> Option<Line> {
        let ids = self.sessions.iter().map(|session| &session.id);
        let asides = self.asides.beside(ids);
        (asides != Asides::default()).then_some(Line::Beside(asides))
    }
}

/// Whether all that was found stands within its reply.
fn are_within(session: &SessionResult) -> bool {
    session.turns.iter().all(|turn| {
        let end = turn.text.chars().count();
        let violations = turn.violations.iter().map(|one| [one.start, one.end]);
        let hits = turn.preferred_hits.iter().chain(turn.avoided_hits.iter());
        let mut spans = violations.chain(hits.map(|hit| [hit.start, hit.end]));
        spans.all(|[from, to]| from <= to && to <= end)
    })
}

/// Says of each session's departure whether it is held to be no chance, over all of them.
fn hold_all(figures: &mut [Figures]) {
    let stretches = figures.iter_mut();
    let mut stretches: Vec<_> = stretches.filter_map(|own| own.stretch.as_mut()).collect();
    let ps: Vec<f64> = stretches.iter().map(|stretch| stretch.p).collect();
    for (stretch, holds) in stretches.iter_mut().zip(hold_together(&ps)) {
        stretch.is_departure = holds;
    }
}

/// Says of a session's departure whether it is held to be no chance.
fn hold(session: &mut SessionResult, holds: bool) {
    if let Some(drift) = &mut session.drift
        && let Some(stretch) = &mut Arc::make_mut(drift).stretch
    {
        stretch.is_departure = holds;
    }
}

/// Parts while they are put together. Of a session its figures are kept, and the place that was given
/// with its line.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    head: Option<Head>,
    sessions: BTreeMap<String, Kept>,
    asides: Asides,
    /// The places of sessions that were given again, each with that of the first. Their lines are to be the same.
    pub again: Vec<(usize, usize)>,
    /// How many sessions, or lines of them, were left out of the parts.
    pub left_out: usize,
}

#[derive(Clone, Debug)]
struct Kept {
    place: usize,
    sha256: String,
    figures: Figures,
    second: SecondTally,
    others: Others,
}

/// What parts make together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The result, to which the sessions are left to be put.
    pub result: PersonaResult,
    /// The sessions by id: the place of each one's line, and whether it departs from the persona.
    pub sessions: Vec<(usize, bool)>,
}

impl Merge {
    /// Takes a line; in words what is wrong with it. `place` is what the caller knows it by, and `told`
    /// says in words where a line is that was taken before.
    pub fn add(
        &mut self,
        line: Line,
        place: usize,
        told: impl Fn(usize) -> String,
    ) -> Result<(), String> {
        match line {
            Line::Part(head) => self.add_head(*head),
            Line::Session(session) => self.add_session(&session, place, told),
            Line::Beside(asides) => {
                self.asides.add(asides);
                Ok(())
            }
            Line::End(end) => {
                self.left_out += end.left_out;
                Ok(())
            }
        }
    }

    fn add_head(&mut self, head: Head) -> Result<(), String> {
        if head.kind != PART {
            return Err(format!("expected a {PART}, got {:?}", Shown(&head.kind)));
        }
        match &self.head {
            Some(first) if *first != head => Err(format!(
                "this part was scored with {} than the first: parts of one job have the same",
                first.other(&head)
            )),
            _ => {
                self.head = Some(head);
                Ok(())
            }
        }
    }

    fn add_session(
        &mut self,
        session: &PartSession,
        place: usize,
        told: impl Fn(usize) -> String,
    ) -> Result<(), String> {
        let id = &session.result.session_id;
        if !are_within(&session.result) {
            return Err(format!(
                "session {:?} has places that are not in its replies: this part was changed",
                Shown(id)
            ));
        }
        match self.sessions.get(id) {
            Some(known) if known.sha256 == session.input_sha256 => {
                self.again.push((place, known.place));
                Ok(())
            }
            Some(known) => Err(format!(
                "session {:?} stands at {} already, with other replies: a session is to be whole in one part (with --lines its rows stand next to each other), and each needs a session_id of its own (or, of several files of chats that have none, a --session-prefix for each file)",
                Shown(id),
                told(known.place)
            )),
            None => {
                let kept = Kept {
                    place,
                    sha256: session.input_sha256.clone(),
                    figures: Figures::of(&session.result),
                    second: session.second_opinion,
                    others: session.other_personas.clone(),
                };
                self.sessions.insert(id.clone(), kept);
                Ok(())
            }
        }
    }

    /// The whole; in words what is missing to it.
    pub fn finish(self) -> Result<Merged, String> {
        let mut head = self.head.ok_or_else(|| {
            "no line says what the sessions were scored with: the head of a part is missing"
                .to_owned()
        })?;
        if self.sessions.is_empty() {
            return Err("the parts have no session".to_owned());
        }
        let most = most_samples(self.sessions.len());
        // what a run of all refuses before it begins
        let asked = head.terms.config.samples;
        head.terms.config.samples = most.min(asked);
        let drawn = (asked > most).then(|| format!(
            "bootstrap_samples is {asked}: with {} sessions at most {most} are drawn, and so many were",
            self.sessions.len()
        ));
        let mut asides = self.asides;
        // nobody answers where it was begun, and somebody where it goes on
        asides
            .empty_sessions
            .retain(|id| !self.sessions.contains_key(id));
        let (mut figures, mut places) = (Vec::new(), Vec::new());
        let (mut hashes, mut second) = (String::new(), SecondTally::default());
        for (id, kept) in self.sessions {
            // what was said of its rows before somebody answered counts as well
            let others = asides.other_personas.entry(id).or_default();
            for (persona, rows) in kept.others {
                *others.entry(persona).or_default() += rows;
            }
            hashes.push_str(&kept.sha256);
            second.add(kept.second);
            places.push(kept.place);
            figures.push(kept.figures);
        }
        hold_all(&mut figures);
        let departs = figures
            .iter()
            .map(|own| own.stretch.is_some_and(|stretch| stretch.is_departure));
        let departs: Vec<bool> = departs.collect();
        let count = |of: fn(&Figures) -> usize| figures.iter().map(of).sum();
        let unread = [count(|own| own.unread), count(|own| own.turns)];
        let is_unjudged = |own: &&Figures| own.safety_part(SafetyPart::JudgeScore).is_none();
        let unjudged = figures.iter().filter(is_unjudged);
        let unjudged: Vec<&str> = unjudged.map(|own| &*own.session_id).collect();
        let mut notes = head.known.words(&asides, unread, &unjudged);
        notes.extend(drawn);
        let mut result = whole(&head.terms, &figures, notes);
        result.second_opinion = head.second_opinion.map(|threshold| second.told(threshold));
        let inputs = head.inputs.iter();
        let inputs = inputs.map(|(name, sha256)| (name.as_str(), sha256.as_str()));
        let inputs: Vec<_> = inputs.chain([("sessions", hashes.as_str())]).collect();
        result.input_sha256 = input_sha256(&inputs);
        Ok(Merged {
            result,
            sessions: places.into_iter().zip(departs).collect(),
        })
    }
}

impl Merged {
    /// A session as it stands in the whole, from the line at its place.
    pub fn session(line: Line, departs: bool) -> Option<SessionResult> {
        let Line::Session(session) = line else {
            return None;
        };
        let mut result = session.result;
        hold(&mut result, departs);
        Some(result)
    }
}

impl Head {
    /// What of another is not as here, in words.
    fn other(&self, other: &Self) -> String {
        let names: Vec<&str> = Inputs::NAMES
            .into_iter()
            .filter(|name| self.inputs.get(*name) != other.inputs.get(*name))
            .collect();
        let model = self.terms.model != other.terms.model;
        let rest = [(self.formula != other.formula, "formula"), (model, "model")];
        let rest = rest.into_iter().filter(|(is, _)| *is);
        let names = names.into_iter().chain(rest.map(|(_, name)| name));
        let mut all: Vec<String> = names.map(|name| format!("another {name}")).collect();
        let [first, other] = [self, other].map(|head| named(&head.terms.config));
        let settings = unlike(&first, &other);
        if !settings.is_empty() {
            all.push(format!("other settings ({settings})"));
        }
        if all.is_empty() {
            "another version of this program".to_owned()
        } else {
            all.join(", ")
        }
    }
}

/// The settings by the names that people know them by.
fn named(config: &Config) -> Value {
    json!({
        "weights": config.outer,
        "authenticity_weights": config.inner,
        "max_expected_variance": config.max_expected_variance,
        "bootstrap_samples": config.samples,
        "seed": config.seed,
        "voice_as_style": config.voice_as_style,
    })
}
