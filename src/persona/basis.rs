//! What a transcript is scored by, whatever is in it: read once for many transcripts, or for the many
//! stretches of one.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{Evaluation, Problem, Problems, Severity};
use crate::steps::{THROUGH, at_once};

use super::asides::{Asides, KnownOf};
use super::config::{Config, read_config};
use super::inputs::{Inputs, of_input};
use super::judge::{Judged, read_judge};
use super::measure::{measure, safety_of};
use super::persona::{Persona, parse, read_persona};
use super::run::{Run, ScoredTurn};
use super::safety::{self, Rules};
use super::traits::Declared;
use super::transcript::{ROW_START, Session, read_stretch};
use super::voice::{Control, Labels, read_control, read_labels};

/// All inputs but the transcript, read and checked.
#[derive(Clone, Debug)]
pub struct Basis {
    pub(super) persona: Persona,
    pub(super) config: Config,
    pub(super) rules: Option<Arc<Rules>>,
    /// The judge's scores by session; none where no judge was asked.
    pub(super) judge: Option<Arc<BTreeMap<String, Judged>>>,
    pub(super) labels: Labels,
    pub(super) control: Option<Arc<Control>>,
}

/// Sessions that were read, and what is to be known of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions {
    pub(super) scored: Vec<Session>,
    /// What is to be known beside them.
    pub asides: Asides,
}

impl Sessions {
    /// How many sessions have something to score.
    pub fn len(&self) -> usize {
        self.scored.len()
    }

    /// Whether there is nothing to score.
    pub fn is_empty(&self) -> bool {
        self.scored.is_empty()
    }

    /// Whether something is to be known that stands in none of them.
    pub fn has_asides(&self) -> bool {
        let ids = self.scored.iter().map(|session| &session.id);
        self.asides.beside(ids) != Asides::default()
    }

    /// Names sessions that were named by their number alone (`session-0001`, and `row-0001` of what has no other
    /// source), in a text that does not say it: each by this prefix and its number behind so many others.
    #[must_use]
    pub fn named(mut self, text: &str, prefix: &str, others: usize) -> Self {
        let own = |id: &str| {
            let number = id
                .strip_prefix("session-")
                .or_else(|| id.strip_prefix(ROW_START));
            let number: usize = number?.parse().ok()?;
            (!text.contains(id)).then(|| format!("{prefix}-{:04}", others + number))
        };
        for session in &mut self.scored {
            if let Some(own) = own(&session.id) {
                session.id = own;
            }
        }
        let Asides {
            empty_sessions,
            other_personas,
        } = self.asides;
        let named = |id: String| own(&id).unwrap_or(id);
        let rows = other_personas.into_iter();
        self.asides = Asides {
            empty_sessions: empty_sessions.into_iter().map(named).collect(),
            other_personas: rows.map(|(id, rows)| (named(id), rows)).collect(),
        };
        self
    }

    /// Takes up others, which come behind them.
    pub fn add(&mut self, other: Self) {
        self.scored.extend(other.scored);
        self.asides.add(other.asides);
    }

    /// What tells each session from every other: the SHA-256 of its id and its responses.
    pub fn sha256s(&self) -> impl Iterator<Item = String> + '_ {
        self.scored.iter().map(Session::sha256)
    }
}

impl Basis {
    /// Reads all inputs but the transcript, with the options that a run is scored with checked later.
    /// Problems carry the name of their input and come in the order of the inputs.
    pub fn read(inputs: &Inputs) -> Evaluation<Self> {
        let mut all = Vec::new();
        let parsed = parse(inputs.persona);
        let persona = of_input("persona", &mut all, |problems| {
            read_persona(&parsed, problems)
        });
        let config = inputs.config.map_or_else(Config::default, |text| {
            of_input("config", &mut all, |problems| {
                read_config(text, 1, problems)
            })
        });
        inputs.tell_blank(&mut all);
        let rules = inputs.safety.map(|text| {
            of_input("safety", &mut all, |problems| {
                at_once(safety::read_rules(text, problems, THROUGH))
            })
        });
        let judge = inputs.judge.map(|text| {
            of_input("judge", &mut all, |problems| {
                read_judge(text, None, problems)
            })
        });
        let labels = inputs.labels.map_or_else(Labels::default, |text| {
            of_input("labels", &mut all, |problems| read_labels(text, problems))
        });
        let control = inputs.control.map(|text| {
            let read = of_input("control", &mut all, |problems| read_control(text, problems));
            Arc::new(read)
        });
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let persona = persona.filter(|_| !all.iter().any(is_error));
        let basis = persona.map(|persona| Self {
            persona,
            config,
            rules: rules.map(Arc::new),
            judge: judge.map(Arc::new),
            labels,
            control,
        });
        Evaluation {
            result: basis,
            problems: all,
        }
    }

    /// The same without what a voice and traits are learned from, for sessions that are measured with
    /// [`Lessons`](super::Lessons).
    #[must_use]
    pub fn without_lessons(self) -> Self {
        Self {
            labels: Labels::default(),
            control: None,
            ..self
        }
    }

    /// Reads the sessions of a stretch of a transcript, before which so many rows stand.
    pub fn sessions(&self, text: &str, before: usize) -> Evaluation<Sessions> {
        let mut problems = Problems::new();
        let persona = self.persona.id.as_deref();
        let (read, _) = at_once(read_stretch(
            (text, before),
            persona,
            &mut problems,
            THROUGH,
        ));
        let sessions = Sessions {
            asides: read.asides(),
            scored: read.sessions,
        };
        let mut all = Vec::new();
        of_input("transcript", &mut all, |own| *own = problems);
        Evaluation {
            result: Some(sessions),
            problems: all,
        }
    }

    /// Measures sessions: a run of them, whose hash is empty. Fails with the problem of a rule that takes
    /// too long.
    pub fn run(&self, sessions: Sessions) -> Result<Run, Problem> {
        let Sessions { scored, asides } = sessions;
        let rules = self.rules.as_deref();
        let turns = at_once(measure(&self.persona, &scored, rules, None, THROUGH))?;
        Ok(self.clone().measured(Arc::new(scored), turns, asides))
    }

    /// The run of sessions that were measured.
    pub(super) fn measured(
        self,
        sessions: Arc<Vec<Session>>,
        turns: Vec<Arc<Vec<ScoredTurn>>>,
        asides: Asides,
    ) -> Run {
        let none = BTreeMap::new();
        let judge = self.judge.as_deref().unwrap_or(&none);
        let unread = turns.iter().flat_map(|turns| turns.iter());
        let unread = unread.filter(|turn| turn.unread.is_some()).count();
        let all = turns.iter().map(|turns| turns.len()).sum();
        let known = self.known();
        let ids = sessions.iter().map(|session| session.id.as_str());
        let is_unjudged = |id: &&str| !judge.contains_key(*id);
        let unjudged: Vec<&str> = ids.filter(is_unjudged).collect();
        let reasons = sessions.iter();
        let reasons = reasons.map(|session| judge.get(&session.id)?.reasoning.clone());
        let agreed = self.labels.agreed().into_iter();
        Run {
            safety: safety_of(&sessions, &turns, judge),
            reasoning: reasons.collect(),
            notes: known.words(&asides, [unread, all], &unjudged),
            known,
            asides,
            judged: agreed.map(|label| (label.text, label.is_on)).collect(),
            sessions,
            turns,
            persona: self.persona,
            labels: self.labels,
            control: self.control,
            config: self.config,
            input_sha256: String::new(),
        }
    }

    /// What is to be known of it.
    pub(super) fn known(&self) -> KnownOf {
        // what examples tell can be measured
        let untaught = |declared: &&Declared| !self.persona.is_taught(declared);
        let untaught = self.persona.traits.iter().filter(untaught);
        KnownOf {
            persona_id: self.persona.id.clone(),
            notes: untaught.filter_map(Declared::not_measurable).collect(),
            is_judged: self.judge.is_some(),
        }
    }
}
