//! The memos of a persona run, and the embedding that style and stability wait for.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leptos::prelude::*;

use super::options;
use crate::app::bench::Host;
use crate::app::benches::page::Reading;
use crate::app::derived::{Derived, effect};
use crate::app::desk::{Desk, Work};
use crate::app::embedder::pool::Embedding;
use crate::app::job::{Clock, Job, Outcome};
use crate::app::model::{Good, Shared, last_good, scoring};
use crate::document::{Evaluation, Parsed, Problem};
use crate::persona::form::Form;
use crate::persona::{self, Intervals, Known, PersonaResult, Run, Similarities};

/// How long typing rests before texts are embedded.
const REST: Duration = Duration::from_millis(700);

/// What follows from the work on the bench.
#[derive(Clone, Copy)]
pub struct Model {
    /// The work.
    pub desk: Desk,
    /// What the page gives the bench.
    pub host: Host,
    /// The embedding workers and the vectors they have made.
    pub embedding: Embedding,
    /// The persona as a form; none while its text cannot be read.
    pub form: Derived<Option<Arc<Form>>>,
    /// The reading and measuring of the run: a long transcript takes a while.
    pub reading: Reading,
    /// The run as read, or as it was before a mistake.
    pub run: Shared<Run>,
    /// Whether it is as it was before a mistake.
    pub is_old: Memo<bool>,
    /// The run as it is now, with its mistakes.
    now: Shared<Run>,
    /// The texts of the run that have no vector yet.
    pub missing: Memo<Vec<String>>,
    /// The result; style and stability are measured once no vector is missing.
    pub scored: Shared<PersonaResult>,
    /// Where each weight flips the grade.
    pub intervals: Derived<Option<Intervals>>,
}

impl Model {
    /// The memos of a desk.
    pub fn new(desk: Desk, host: Host, clock: Clock) -> Self {
        let embedding = Embedding::new(host.notices);
        let text = desk.text("persona");
        let job = Job::new(clock);
        let parsed = Derived::new(move || text.with(|text| Arc::new(persona::parse(text))));
        let read = reading(desk, parsed, job);
        let now = Derived::shared(move || read.with(|read| read.result.clone()));
        let Good { read: run, is_old } = last_good(desk, now);
        let is_current = Memo::new(move |_| read.with(|read| read.is_current));
        let missing = Memo::new(move |_| missing(run, embedding));
        let compared = compared(run, missing, embedding, Job::new(clock));
        Self {
            desk,
            host,
            embedding,
            form: Derived::new(move || parsed.with(Form::of).map(Arc::new)),
            reading: Reading {
                job,
                is_current: is_current.into(),
            },
            run,
            is_old,
            now,
            missing,
            scored: scoring(run, desk.work, move |run, work| {
                compared.with(|known| run.score_with(&options::options(work), known.as_ref()))
            }),
            intervals: intervals(run, desk, compared),
        }
    }

    /// What was found in what is there now, and on the way to its result.
    pub fn found(self) -> Vec<Problem> {
        if self.is_old.get() {
            self.now.with(|now| now.problems.clone())
        } else {
            self.scored.with(|scored| scored.problems.clone())
        }
    }

    /// Embeds what is missing while the bench is shown, where the model has been
    /// loaded in this browser before and the last try did not fail: elsewhere it
    /// is asked for.
    pub fn embed_in_background(self) {
        let mut embed = debounce(REST, move |texts: Vec<String>| self.embedding.want(texts));
        effect(move || {
            let missing = self.missing.get();
            let is_wanted = self.host.is_shown.get() && !missing.is_empty();
            if is_wanted && self.embedding.is_idle() && Embedding::loaded_before() {
                embed(missing);
            }
        });
    }
}

/// What is known of earlier readings, lent to the one that goes on; it comes back also
/// from a reading that is dropped.
struct Lent {
    known: Known,
    home: Arc<Mutex<Known>>,
}

impl Lent {
    fn from(home: &Arc<Mutex<Known>>) -> Self {
        let mut known = home.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            known: mem::take(&mut *known),
            home: home.clone(),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        *home = mem::take(&mut self.known);
    }
}

/// What the texts of the desk read as. Typing a weight does not read them again.
fn reading(
    desk: Desk,
    persona: Derived<Arc<Parsed>>,
    job: Job,
) -> Derived<Outcome<Evaluation<Run>>> {
    let known = Arc::new(Mutex::new(Known::default()));
    let nothing = Evaluation {
        result: None,
        problems: Vec::new(),
    };
    let texts = move || (desk.texts(), persona.get());
    job.outcome(nothing, texts, move |(texts, persona), slice| {
        let mut lent = Lent::from(&known);
        let work = Work {
            texts: texts.clone(),
            ..Work::default()
        };
        let persona = persona.clone();
        Box::pin(async move {
            let pause = |progress| slice.is_over(progress);
            options::read(&work, &persona, &mut lent.known, &pause).await
        })
    })
}

type Compared = Derived<Option<Similarities>>;

/// What the vectors of a run say once there are all of them; a weight that is
/// dragged compares none.
fn compared(
    run: Shared<Run>,
    missing: Memo<Vec<String>>,
    embedding: Embedding,
    job: Job,
) -> Compared {
    let asked = move || (run.get(), missing.with(Vec::is_empty));
    let outcome = job.outcome(None, asked, move |(run, is_complete), slice| {
        let run = run.clone();
        let made = is_complete.then(|| embedding.made()).flatten();
        Box::pin(async move {
            let run = run.result.as_ref()?;
            let pause = |progress| slice.is_over(progress);
            Some(run.similarities_in_steps(&made?, &pause).await)
        })
    });
    // what was said of another run does not hold for this one
    Derived::shared(move || {
        outcome.with(|outcome| {
            let result = outcome.is_current.then(|| outcome.result.clone());
            result.unwrap_or_default()
        })
    })
}

fn intervals(run: Shared<Run>, desk: Desk, compared: Compared) -> Derived<Option<Intervals>> {
    Derived::new(move || {
        let options = desk.work.with(options::options);
        run.with(|read| {
            let run = read.result.as_ref()?;
            compared.with(|known| run.intervals(&options, known.as_ref()))
        })
    })
}

fn missing(run: Shared<Run>, embedding: Embedding) -> Vec<String> {
    run.with(|evaluation| {
        let texts = evaluation
            .result
            .as_ref()
            .map(Run::texts)
            .unwrap_or_default();
        embedding.missing(&texts)
    })
}
