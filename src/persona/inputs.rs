//! The texts that a run is made from.

use crate::document::{Problem, Problems, Severity};
use crate::text::Place;

/// The texts a run is made from, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs<'a> {
    /// Persona (YAML or JSON). Problems carry the input name `persona`.
    pub persona: &'a str,
    /// Transcript (JSONL or JSON). Input name `transcript`.
    pub transcript: &'a str,
    /// Scoring config (YAML). Input name `config`.
    pub config: Option<&'a str>,
    /// Safety rules (YAML) beside the built-in ones. Input name `safety`.
    pub safety: Option<&'a str>,
    /// Judge scores (JSON). Input name `judge`.
    pub judge: Option<&'a str>,
    /// Labels for the voice (JSONL), or a calibration that holds them. Input name `labels`.
    pub labels: Option<&'a str>,
    /// A control sample for the voice (JSONL or JSON), in the place of the one that ships. Input name
    /// `control`.
    pub control: Option<&'a str>,
}

impl Inputs<'_> {
    /// Their names, in order, but the transcript's.
    pub const NAMES: [&'static str; 6] =
        ["persona", "config", "safety", "judge", "labels", "control"];

    /// An empty file changes nothing, which is hardly what was meant.
    pub(super) fn tell_blank(&self, all: &mut Vec<Problem>) {
        for (name, text) in [("config", self.config), ("safety", self.safety)] {
            if text.is_some_and(|text| text.trim().is_empty()) {
                let message = "nothing here: it changes nothing";
                let problem = Problem::new(Severity::Warning, Place::START, "", message);
                of_input(name, all, |problems| problems.push(problem));
            }
        }
    }
}

/// Reads one input; its problems are sorted and carry its name.
pub(super) fn of_input<T>(
    input: &str,
    all: &mut Vec<Problem>,
    read: impl FnOnce(&mut Problems) -> T,
) -> T {
    let mut problems = Problems::new();
    let value = read(&mut problems);
    all.extend(problems.into_sorted().into_iter().map(|mut problem| {
        problem.input = Some(input.to_owned());
        problem
    }));
    value
}
