//! Another run of the same persona, to hold the one on the bench against: read, measured by the
//! same voice, and compared, each when what it needs is there.

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
use crate::persona::{Comparison, Known, PersonaResult, Run, Similarities, compare_in_steps};

/// The input that holds its transcript.
pub const BASELINE: &str = "baseline";
/// The input that holds the other one's.
const TRANSCRIPT: &str = "transcript";

/// A baseline, in so far as it is read.
#[derive(Clone, Copy)]
pub struct Baseline {
    /// It, and what is wrong with it.
    pub run: Shared<Run>,
    /// The texts of it that have no vector yet.
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
        let known = Arc::new(Mutex::new(Known::default()));
        let nothing = || Evaluation {
            result: None,
            problems: Vec::new(),
        };
        let texts = [BASELINE, "config", "safety"].map(|name| (name, desk.text(name)));
        let asked = move || (texts.map(|(name, text)| (name, text.get())), persona.get());
        let read = Job::new(clock).outcome(nothing(), asked, move |(texts, persona), slice| {
            let mut lent = Lent::from(&known);
            let mut work = Work::default();
            for (name, text) in texts {
                let name = if *name == BASELINE { TRANSCRIPT } else { name };
                work.set_text(name, text.clone());
            }
            let persona = persona.clone();
            Box::pin(async move {
                if work.filled(TRANSCRIPT).is_none() {
                    return nothing();
                }
                let pause = |progress| slice.is_over(progress);
                let mut read = options::read(&work, &persona, &mut lent.known, &pause).await;
                // the others are those of the run on the bench, and said of that
                let is_own = |problem: &Problem| problem.input.as_deref() == Some(TRANSCRIPT);
                read.problems.retain(is_own);
                for problem in &mut read.problems {
                    problem.input = Some(BASELINE.to_owned());
                }
                read
            })
        });
        let run = Derived::shared(move || read.with(|read| read.result.clone()));
        let missing = Memo::new(move |_| {
            run.with(|run| {
                let texts = run.result.as_ref().map(Run::texts).unwrap_or_default();
                embedding.missing(&texts)
            })
        });
        Self { run, missing }
    }
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
/// weights on the bench.
pub fn comparison(
    sides: Sides,
    desk: Desk,
    embedding: Embedding,
    clock: Clock,
) -> Derived<Option<Arc<Comparison>>> {
    let measured = measured(sides, embedding, Job::new(clock));
    let asked = move || {
        let options = desk.work.with(options::options);
        (
            sides.run.get(),
            sides.baseline.run.get(),
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
            Some(Arc::new(
                compare_in_steps(&baseline, &candidate, &pause).await,
            ))
        })
    });
    Derived::new(move || {
        made.with(|outcome| {
            outcome
                .is_current
                .then(|| (*outcome.result).clone())
                .flatten()
        })
    })
}

/// What the baseline's vectors say, with the voice of the run on the bench.
fn measured(sides: Sides, embedding: Embedding, job: Job) -> Derived<Option<Similarities>> {
    let asked = move || {
        let is_complete = sides.baseline.missing.with(Vec::is_empty);
        (sides.baseline.run.get(), is_complete, sides.heard.get())
    };
    let measured = job.outcome(None, asked, move |(run, is_complete, heard), slice| {
        let (run, heard) = (run.clone(), heard.clone());
        let made = is_complete.then(|| embedding.made()).flatten();
        Box::pin(async move {
            let voice = match &*heard {
                Heard::NotYet => return None,
                Heard::Voiceless(_) => None,
                Heard::Known(voice, _) => Some(voice.clone()),
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
