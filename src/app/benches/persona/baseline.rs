//! Another run of the same persona, to hold the one on the bench against: read, measured by the
//! same voice, and compared, each when what it needs is there.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use leptos::prelude::*;

use super::lent::Lent;
use super::options;
use super::voice::Heard;
use crate::app::derived::Derived;
use crate::app::desk::{Desk, Work};
use crate::app::embedder::pool::Embedding;
use crate::app::job::{Clock, Job};
use crate::app::model::Shared;
use crate::document::{Evaluation, Parsed, Problem};
use crate::persona::{
    self, Comparison, Known, PersonaResult, Run, Similarities, Split, compare_in_steps,
    split_in_steps,
};

/// The input that holds its transcript.
pub const BASELINE: &str = "baseline";
/// The input that holds its persona, where that was another.
pub const BASELINE_PERSONA: &str = "baseline_persona";
/// The input that holds its config, where that was another.
pub const BASELINE_CONFIG: &str = "baseline_config";
/// The inputs of the run on the bench.
const TRANSCRIPT: &str = "transcript";
const CONFIG: &str = "config";
const PERSONA: &str = "persona";

/// A baseline, in so far as it is read.
#[derive(Clone, Copy)]
pub struct Baseline {
    /// The persona on the bench on its transcript, and what is wrong with that.
    pub run: Shared<Run>,
    /// Its own persona and config on its transcript and on the one on the bench; read where it has
    /// one of the two.
    pub own: [Shared<Run>; 2],
    /// Whether its config is its own.
    has_config: Memo<bool>,
    /// The texts of them all that have no vector yet.
    pub missing: Memo<Vec<String>>,
}

impl Baseline {
    /// The baseline of a desk. With nothing in its field nothing is read.
    pub fn new(
        desk: Desk,
        persona: Derived<Arc<Parsed>>,
        embedding: Embedding,
        clock: Clock,
    ) -> Self {
        let is_there = is_filled(desk, BASELINE);
        let texts = texts(desk, BASELINE);
        let asked = move || {
            is_there.get().then(|| Asked {
                texts: texts.map(|text| text.get()),
                persona: (*persona.get()).clone(),
                names: vec![(TRANSCRIPT, BASELINE)],
            })
        };
        let run = reading(clock, false, asked);
        let has_config = is_filled(desk, BASELINE_CONFIG);
        let own = own_runs(desk, persona, clock);
        let missing = Memo::new(move |_| {
            let all = [run, own[0], own[1]];
            let mut seen = HashSet::new();
            let missing = all.into_iter().flat_map(|run| {
                run.with(|run| {
                    let texts = run.result.as_ref().map(Run::texts).unwrap_or_default();
                    embedding.missing(&texts)
                })
            });
            missing.filter(|text| seen.insert(text.clone())).collect()
        });
        Self {
            run,
            own,
            has_config,
            missing,
        }
    }

    /// What is wrong with what it is read from. Tracked.
    pub fn problems(self) -> Vec<Problem> {
        // what is wrong with its own persona is wrong on both transcripts
        let both = [self.run, self.own[0]];
        let problems = both.map(|run| run.with(|run| run.problems.clone()));
        problems.concat()
    }
}

fn is_filled(desk: Desk, input: &'static str) -> Memo<bool> {
    let text = desk.text(input);
    Memo::new(move |_| text.with(|text| !text.trim().is_empty()))
}

/// A transcript, with the config and the safety rules on the bench.
fn texts(desk: Desk, transcript: &'static str) -> [Memo<Arc<str>>; 3] {
    [transcript, CONFIG, "safety"].map(|name| desk.text(name))
}

/// The baseline's own persona and config on both transcripts, where it has one of the two; in the
/// place of the other is the one on the bench.
fn own_runs(desk: Desk, persona: Derived<Arc<Parsed>>, clock: Clock) -> [Shared<Run>; 2] {
    let [is_there, has_persona, has_config] =
        [BASELINE, BASELINE_PERSONA, BASELINE_CONFIG].map(|input| is_filled(desk, input));
    let own_text = desk.text(BASELINE_PERSONA);
    let own_persona = Derived::new(move || own_text.with(|text| Arc::new(persona::parse(text))));
    let own_config = desk.text(BASELINE_CONFIG);
    // what is wrong with the others is said of the run on the bench
    let names = move || -> Vec<Named> {
        let own = [
            (has_persona.get(), (PERSONA, BASELINE_PERSONA)),
            (has_config.get(), (CONFIG, BASELINE_CONFIG)),
        ];
        let own = own.into_iter().filter(|(is_own, _)| *is_own);
        own.map(|(_, named)| named).collect()
    };
    [BASELINE, TRANSCRIPT].map(|transcript| {
        let [transcript, config, safety] = texts(desk, transcript);
        let asked = move || {
            let has_own = is_there.get() && (has_persona.get() || has_config.get());
            has_own.then(|| {
                let config = if has_config.get() { own_config } else { config };
                let parsed = if has_persona.get() {
                    own_persona
                } else {
                    persona
                };
                Asked {
                    texts: [transcript, config, safety].map(|text| text.get()),
                    persona: (*parsed.get()).clone(),
                    names: names(),
                }
            })
        };
        reading(clock, true, asked)
    })
}

/// An input as it is read, and the input that holds it.
type Named = (&'static str, &'static str);

/// What a run is read from.
#[derive(Clone, PartialEq)]
struct Asked {
    /// Transcript, config and safety rules.
    texts: [Arc<str>; 3],
    persona: Arc<Parsed>,
    /// The inputs of which it is said what is wrong with them.
    names: Vec<Named>,
}

/// Reads a run; nothing where nothing is asked.
fn reading(
    clock: Clock,
    is_own: bool,
    asked: impl Fn() -> Option<Asked> + Send + Sync + 'static,
) -> Shared<Run> {
    let known = Arc::new(Mutex::new(Known::default()));
    let nothing = || Evaluation {
        result: None,
        problems: Vec::new(),
    };
    let read = Job::new(clock).outcome(nothing(), asked, move |asked, slice| {
        let Some(asked) = asked.clone() else {
            return Box::pin(async move { nothing() });
        };
        let mut lent = Lent::from(&known);
        Box::pin(async move {
            let mut work = Work::default();
            let inputs = [TRANSCRIPT, CONFIG, "safety"];
            for (name, text) in inputs.into_iter().zip(asked.texts) {
                work.set_text(name, text);
            }
            let pause = |progress| slice.is_over(progress);
            let mut read = options::read(&work, &asked.persona, &mut lent.known, &pause).await;
            let named = |problem: &Problem| {
                let input = problem.input.as_deref();
                let names = asked.names.iter();
                let mut names = names.filter(|(name, _)| input == Some(*name));
                names.next().map(|(_, named)| (*named).to_owned())
            };
            read.problems.retain(|problem| named(problem).is_some());
            for problem in &mut read.problems {
                problem.input = named(problem);
            }
            read
        })
    });
    Derived::shared(move || {
        read.with(|read| {
            // of its own, what was there before is of no use
            let is_shown = read.is_current || !is_own;
            if is_shown {
                read.result.clone()
            } else {
                Arc::new(nothing())
            }
        })
    })
}

/// What a comparison is made of, each cheap to hand around.
#[derive(Clone, Copy)]
pub struct Sides {
    /// The baseline.
    pub baseline: Baseline,
    /// The run on the bench.
    pub run: Shared<Run>,
    /// What its vectors say; none until they are there.
    pub compared: Derived<Option<Similarities>>,
    /// Its voice, by which the baseline is heard, too.
    pub heard: Derived<Heard>,
}

/// The comparison of both once there are all vectors: of two results that are scored with the
/// weights on the bench. What of it comes from the persona and the weights is known a little later.
pub fn comparison(
    sides: Sides,
    desk: Desk,
    embedding: Embedding,
    clock: Clock,
) -> Derived<Option<Arc<Comparison>>> {
    let baseline = sides.baseline;
    let measured = measured(
        (baseline.run, baseline.missing),
        Some(sides.heard),
        embedding,
        clock,
    );
    let apart = split(sides, measured, desk, embedding, clock);
    let asked = move || {
        let options = desk.work.with(options::options);
        (
            sides.run.get(),
            baseline.run.get(),
            sides.compared.get(),
            measured.get(),
            options,
        )
    };
    let made = Job::new(clock).outcome(None, asked, |asked, slice| {
        let (run, baseline, compared, measured, options) = asked.clone();
        Box::pin(async move {
            let scored = |run: &Evaluation<Run>, known: &Option<Similarities>| {
                let run = run.result.as_ref()?.without_judge();
                let scored: Option<PersonaResult> =
                    run.score_with(&options, Some(known.as_ref()?)).result;
                scored
            };
            let baseline = scored(&baseline, &measured)?;
            let candidate = scored(&run, &compared)?;
            let pause = |progress| slice.is_over(progress);
            Some(compare_in_steps(&baseline, &candidate, &pause).await)
        })
    });
    Derived::new(move || {
        let found = made.with(|outcome| {
            let found = outcome.is_current.then(|| (*outcome.result).clone());
            found.flatten()
        })?;
        let apart = (*apart.get()).clone();
        Some(Arc::new(match apart {
            Some(apart) => found.with_split(apart),
            None => found,
        }))
    })
}

/// What of the difference comes from what; none where the baseline has nothing of its own, or before
/// that is known.
fn split(
    sides: Sides,
    of_baseline: Derived<Option<Similarities>>,
    desk: Desk,
    embedding: Embedding,
    clock: Clock,
) -> Derived<Option<Result<Split, String>>> {
    let Baseline {
        run,
        own,
        has_config,
        missing,
    } = sides.baseline;
    let of_own = own.map(|run| measured((run, missing), None, embedding, clock));
    let asked = move || {
        let is_read = own.iter().all(|run| run.with(|run| run.result.is_some()));
        is_read.then(|| {
            let runs = [own[0], run, own[1], sides.run].map(Derived::get);
            let known = [of_own[0], of_baseline, of_own[1], sides.compared].map(Derived::get);
            (
                runs,
                known,
                desk.work.with(options::options),
                has_config.get(),
            )
        })
    };
    let made = Job::new(clock).outcome(None, asked, |asked, slice| {
        let asked = asked.clone();
        Box::pin(async move {
            let (runs, known, options, has_config) = asked?;
            let runs = runs.map(|run| Some(run.result.as_ref()?.without_judge()));
            let [Some(one), Some(two), Some(three), Some(four)] = &runs else {
                return None;
            };
            let [Some(of_one), Some(of_two), Some(of_three), Some(of_four)] =
                known.each_ref().map(|known| known.as_ref().as_ref())
            else {
                return None;
            };
            let own = persona::Options::default();
            let earlier = one.configured(if has_config { &own } else { &options })?;
            let later = four.configured(&options)?;
            let sides = [
                (one, of_one),
                (two, of_two),
                (three, of_three),
                (four, of_four),
            ];
            let pause = |progress| slice.is_over(progress);
            Some(split_in_steps(sides, [&earlier, &later], &pause).await)
        })
    });
    Derived::shared(move || {
        made.with(|outcome| {
            let known = outcome.is_current.then(|| outcome.result.clone());
            known.unwrap_or_default()
        })
    })
}

/// What the vectors of a run say, with the voice of the run on the bench, where that is to be heard.
fn measured(
    (run, missing): (Shared<Run>, Memo<Vec<String>>),
    heard: Option<Derived<Heard>>,
    embedding: Embedding,
    clock: Clock,
) -> Derived<Option<Similarities>> {
    let asked = move || {
        let is_complete = missing.with(Vec::is_empty);
        (run.get(), is_complete, heard.map(Derived::get))
    };
    let measured = Job::new(clock).outcome(None, asked, move |(run, is_complete, heard), slice| {
        let (run, heard) = (run.clone(), heard.clone());
        let made = is_complete.then(|| embedding.made()).flatten();
        Box::pin(async move {
            let voice = match heard.as_deref() {
                Some(Heard::NotYet) => return None,
                Some(Heard::Voiceless(_)) | None => None,
                Some(Heard::Known(voice, _)) => Some(voice.clone()),
            };
            let run = run.result.as_ref()?;
            let pause = |progress| slice.is_over(progress);
            let made = made?;
            Some(
                run.measured_by_in_steps(voice.as_ref(), &made, &pause)
                    .await,
            )
        })
    });
    Derived::shared(move || {
        measured.with(|outcome| {
            let known = outcome.is_current.then(|| outcome.result.clone());
            known.unwrap_or_default()
        })
    })
}
