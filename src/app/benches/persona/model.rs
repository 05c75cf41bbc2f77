//! The memos of a persona run, and the embedding that style and stability wait for.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use leptos::prelude::*;

use super::baseline::{Baseline, Sides};
use super::lent::Lent;
use super::options;
use super::second::{Second, fetched, opinions};
use super::voice::{Fetched, Heard, Hearing, hearing};
use crate::app::bench::Host;
use crate::app::benches::page::Reading;
use crate::app::browser::brought::Bundle;
use crate::app::browser::field;
use crate::app::derived::{Derived, effect};
use crate::app::desk::{Desk, Work};
use crate::app::embedder::job::Phase;
use crate::app::embedder::models::SETTING as MODEL;
use crate::app::embedder::models::SETTING;
use crate::app::embedder::pool::Embedding;
use crate::app::job::{Clock, Job, Outcome};
use crate::app::model::{Good, Shared, last_good, scoring};
use crate::document::{Evaluation, Parsed, Problem, Problems};
use crate::persona::form::Form;
use crate::persona::judges::{Ruling, read_rulings};
use crate::persona::{self, Intervals, Known, PersonaResult, Run, Similarities, Told};

/// How long typing rests before texts are embedded.
const REST: Duration = Duration::from_millis(700);

/// With more texts to go than these, or half of all, a result is of other texts.
const FEW: usize = 200;

/// What style and stability wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Nothing: what can be measured is.
    No,
    /// The vectors are being made or read, or that begins by itself in a moment.
    OnItsWay,
    /// Somebody has to ask for them.
    ToBeAsked,
}

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
    /// Those and, once there are none, those that the voice is held against.
    pub wanted: Memo<Vec<String>>,
    /// Whether all vectors are there that the voice is learned from.
    pub is_voice_ready: Memo<bool>,
    /// What style and stability wait for.
    pub waiting: Memo<Waiting>,
    /// The voice beside them, which comes a little later.
    pub heard: Derived<Heard>,
    /// What the examples of each trait say of the replies; none until that is known.
    pub told: Derived<Option<Arc<Vec<Told>>>>,
    /// Whether the voice stands in the place of style.
    pub is_by_voice: Memo<bool>,
    /// What it is held against, once it is there.
    pub control: RwSignal<Fetched>,
    /// What gives a second opinion on the rules of safety, once it is there.
    pub second: Second,
    /// The result. While the vectors of a few texts that changed are on their way it is the
    /// last one: what is measured without them would be another score for a moment.
    pub scored: Shared<PersonaResult>,
    /// Whether it is the last one.
    pub is_held: Memo<bool>,
    /// Whether a persona is being drafted from examples.
    pub is_drafting: RwSignal<bool>,
    /// Whether it is asked at once what the persona's own exemplars make.
    pub asks_own: RwSignal<bool>,
    /// Whether the panel of models stands open.
    pub is_model_shown: RwSignal<bool>,
    /// Where each weight flips the grade.
    pub intervals: Derived<Option<Intervals>>,
    /// The run, and another one to hold it against.
    pub sides: Sides,
    /// What judges said of the replies, and what is wrong with that text.
    pub rulings: Derived<(Vec<Ruling>, Vec<Problem>)>,
    /// The texts of both that have no vector yet.
    pub to_embed: Memo<Vec<String>>,
}

impl Model {
    /// The memos of a desk.
    #[expect(clippy::too_many_lines, reason = "a list of memos")]
    pub fn new(desk: Desk, host: Host, clock: Clock) -> Self {
        let embedding = embedding(desk, host);
        let text = desk.text("persona");
        let job = Job::new(clock);
        let parsed = Derived::new(move || text.with(|text| Arc::new(persona::parse(text))));
        let read = reading(desk, parsed, job);
        let now = Derived::shared(move || read.with(|read| read.result.clone()));
        let Good { read: run, is_old } = last_good(desk, now);
        let is_current = Memo::new(move |_| read.with(|read| read.is_current));
        let missing = Memo::new(move |_| missing(run, embedding));
        let outcome = outcome(run, missing, embedding, Job::new(clock));
        let hearing = hearing(run, missing, embedding, clock);
        let Hearing {
            heard,
            told,
            control,
            ..
        } = hearing;
        let baseline = Baseline::new(desk, parsed, embedding, clock);
        let so_far = so_far(run, missing, embedding, Job::new(clock));
        let compared = compared(run, so_far, (outcome, missing), heard);
        let compared = drifted(run, compared, Job::new(clock));
        let compared = with_traits(compared, told);
        let to_embed = both(missing, baseline.missing);
        let wanted = Memo::new(move |_| match to_embed.get() {
            own if own.is_empty() => hearing.missing.get(),
            own => own,
        });
        let is_by_voice = Memo::new(move |_| is_by_voice(run, desk));
        // where the voice counts, a score without it would be another
        let is_unheard = move || is_by_voice.get() && heard.with(|h| *h == Heard::NotYet);
        let waiting = Memo::new(move |_| {
            let is_measured = outcome.with(|o| o.is_current) && !is_unheard();
            match (missing.with(Vec::is_empty), is_measured) {
                (true, true) => Waiting::No,
                (false, _) if !goes_on(embedding, host) => Waiting::ToBeAsked,
                _ => Waiting::OnItsWay,
            }
        });
        let second = fetched(run);
        let opinions = opinions(run, second, clock);
        let scored = scoring(run, desk.work, move |run, work| {
            let scored =
                compared.with(|known| run.score_with(&options::options(work), known.as_ref()));
            let with_opinions = |result: PersonaResult| match &*opinions.get() {
                Some(opinions) => result.with_opinions(opinions),
                None => result,
            };
            Evaluation {
                result: scored.result.map(with_opinions),
                problems: scored.problems,
            }
        });
        let held = held(scored, waiting, move || {
            let texts = run.with(|run| run.result.as_ref().map_or(0, |run| run.texts().len()));
            let missing = missing.with(Vec::len);
            missing <= FEW && 2 * missing < texts
        });
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
            wanted,
            is_voice_ready: hearing.is_ready,
            waiting,
            heard,
            told,
            is_by_voice,
            control,
            second,
            scored: Derived::shared(move || held.with(|held| held.evaluation.clone())),
            is_held: Memo::new(move |_| held.with(|held| held.is_held)),
            is_drafting: RwSignal::new(false),
            asks_own: RwSignal::new(false),
            is_model_shown: RwSignal::new(false),
            intervals: intervals(run, desk, compared),
            sides: Sides {
                baseline,
                run,
                compared,
                heard,
            },
            rulings: rulings(desk),
            to_embed,
        }
    }

    /// The way back to the page's own model, and the way to where another is brought.
    pub fn other_models(self) -> (Callback<()>, Callback<()>) {
        let own = move |()| self.desk.change(MODEL, |work| work.set(MODEL, None));
        let bring = move |()| {
            self.is_model_shown.set(true);
            field::focus_first(".models > summary");
        };
        (Callback::new(own), Callback::new(bring))
    }

    /// Whether the result has all that vectors tell: the voice and how sessions move come behind the rest.
    pub fn is_whole(self) -> bool {
        let is_told = |known: &Similarities| {
            let is_heard = known.voice.is_some() || known.voiceless.is_some();
            is_heard && !known.drifts.is_empty()
        };
        let compared = self.sides.compared;
        self.waiting.get_untracked() == Waiting::No
            && compared.with_untracked(|known| known.as_ref().is_none_or(is_told))
    }

    /// Why there is no voice, in words. Tracked.
    pub fn voiceless(self) -> Option<String> {
        self.heard.with(|heard| match heard {
            Heard::Voiceless(reason) => Some(reason.clone()),
            Heard::NotYet | Heard::Known(..) => None,
        })
    }

    /// What was found in what is there now, and on the way to its result.
    pub fn found(self) -> Vec<Problem> {
        let mut found = if self.is_old.get() {
            self.now.with(|now| now.problems.clone())
        } else {
            self.scored.with(|scored| scored.problems.clone())
        };
        found.extend(self.sides.baseline.problems());
        found.extend(self.rulings.with(|(_, problems)| problems.clone()));
        found
    }

    /// Embeds what is missing while the bench is shown, where the model has been
    /// loaded in this browser before and the last try did not fail: elsewhere it
    /// is asked for.
    pub fn embed_in_background(self) {
        // what is missing when it has rested, and by the model of then
        let mut embed = debounce(REST, move |()| {
            let texts = self.wanted.get_untracked();
            if !texts.is_empty() && untrack(move || self.embedding.loaded_before()) {
                self.embedding.want(texts);
            }
        });
        effect(move || {
            let missing = self.wanted.get();
            let is_wanted = self.host.is_shown.get() && !missing.is_empty();
            if is_wanted && self.embedding.loaded_before() && self.embedding.is_idle() {
                embed(());
            }
        });
    }
}

/// The texts of a run and of its baseline, each once.
fn both(run: Memo<Vec<String>>, baseline: Memo<Vec<String>>) -> Memo<Vec<String>> {
    Memo::new(move |_| {
        let all = (run.get(), baseline.get());
        let known: HashSet<&String> = all.0.iter().collect();
        let others = all.1.into_iter().filter(|text| !known.contains(text));
        let others: Vec<String> = others.collect();
        [all.0, others].concat()
    })
}

/// The workers, with the model that the work names and the files of one that are dropped.
fn embedding(desk: Desk, host: Host) -> Embedding {
    let embedding = Embedding::new(host.notices);
    let named = desk.setting(SETTING);
    let models = embedding.models;
    embedding.choose(models.choice(named.get_untracked().as_deref()));
    effect(move || {
        let choice = models.choice(named.get().as_deref());
        embedding.choose(choice);
    });
    effect(move || {
        if let Some(files) = host.models.get() {
            host.models.set(None);
            models.look_at(Bundle::of_held(files));
        }
    });
    embedding
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

/// The input that holds what judges said.
pub const RULINGS: &str = "rulings";

fn rulings(desk: Desk) -> Derived<(Vec<Ruling>, Vec<Problem>)> {
    let text = desk.text(RULINGS);
    Derived::new(move || {
        let mut problems = Problems::new();
        let rulings = text.with(|text| read_rulings(text, &mut problems));
        let mut problems = problems.into_sorted();
        for problem in &mut problems {
            problem.input = Some(RULINGS.to_owned());
        }
        (rulings, problems)
    })
}

fn is_by_voice(run: Shared<Run>, desk: Desk) -> bool {
    let chosen = desk.work.with(options::options).voice_as_style;
    let given = || {
        run.with(|run| {
            let run = run.result.as_ref();
            run.is_some_and(|run| run.given().voice_as_style)
        })
    };
    chosen.unwrap_or_else(given)
}

type Compared = Derived<Option<Similarities>>;

/// Whether vectors are being made, or will be in a moment without being asked for. Tracked.
fn goes_on(embedding: Embedding, host: Host) -> bool {
    let is_shown = host.is_shown.get();
    let loaded_before = embedding.loaded_before();
    embedding.job.with(|job| {
        let begins = matches!(job.phase(), Phase::Idle) && is_shown && loaded_before;
        job.is_busy() || begins
    })
}

/// A result, and whether it is the one before.
struct Held {
    evaluation: Arc<Evaluation<PersonaResult>>,
    is_held: bool,
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.is_held == other.is_held && self.evaluation == other.evaluation
    }
}

/// The result now, or the last one with what is wrong now while `few` vectors are on
/// their way.
fn held(
    now: Shared<PersonaResult>,
    waiting: Memo<Waiting>,
    few: impl Fn() -> bool + Send + Sync + 'static,
) -> Derived<Held> {
    let last = Mutex::new(None::<Arc<Evaluation<PersonaResult>>>);
    Derived::new(move || {
        let (evaluation, waiting) = (now.get(), waiting.get());
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = last
            .as_ref()
            .filter(|_| waiting == Waiting::OnItsWay && evaluation.result.is_some() && few());
        if let Some(before) = before {
            let evaluation = Evaluation {
                result: before.result.clone(),
                problems: evaluation.problems.clone(),
            };
            return Held {
                evaluation: Arc::new(evaluation),
                is_held: true,
            };
        }
        // a result without its vectors is none to go back to
        *last = (waiting == Waiting::No && evaluation.result.is_some()).then(|| evaluation.clone());
        Held {
            evaluation,
            is_held: false,
        }
    })
}

type Measured = Derived<Outcome<Option<Similarities>>>;

/// What the vectors of a run say once there are all of them; a weight that is
/// dragged compares none.
fn outcome(
    run: Shared<Run>,
    missing: Memo<Vec<String>>,
    embedding: Embedding,
    job: Job,
) -> Measured {
    let asked = move || (run.get(), missing.with(Vec::is_empty));
    job.outcome(None, asked, move |(run, is_complete), slice| {
        let run = run.clone();
        let made = is_complete.then(|| embedding.made()).flatten();
        Box::pin(async move {
            let run = run.result.as_ref()?;
            let pause = |progress| slice.is_over(progress);
            Some(run.similarities_in_steps(&made?, &pause).await)
        })
    })
}

/// What is known of a run while its vectors come, and of which run.
type SoFar = Derived<Outcome<Option<(Arc<Evaluation<Run>>, Arc<Option<Similarities>>)>>>;

/// What the vectors say that are there before the last has come; of a short run nothing.
fn so_far(run: Shared<Run>, missing: Memo<Vec<String>>, embedding: Embedding, job: Job) -> SoFar {
    let asked = move || {
        let is_long = missing.with(Vec::len) > FEW;
        is_long.then(|| (run.get(), embedding.so_far.get()))
    };
    job.outcome(None, asked, move |asked, slice| {
        let asked = asked.clone().filter(|(_, number)| *number > 0);
        let made = asked.as_ref().and_then(|_| embedding.made());
        Box::pin(async move {
            let (run, _) = asked?;
            let pause = |progress| slice.is_over(progress);
            let known = run
                .result
                .as_ref()?
                .similarities_so_far(&made?, &pause)
                .await;
            Some((run, Arc::new(Some(known))))
        })
    })
}

fn compared(
    run: Shared<Run>,
    so_far: SoFar,
    (outcome, missing): (Measured, Memo<Vec<String>>),
    heard: Derived<Heard>,
) -> Compared {
    // what was said of another run does not hold for this one
    Derived::shared(move || {
        if !missing.with(Vec::is_empty) {
            // what is asked of a short run is nothing, and the last answer is of another
            let known = so_far.with(|found| (*found.result).clone());
            let of_this = known.filter(|(of, _)| Arc::ptr_eq(of, &run.get()));
            return of_this.map(|(_, known)| known).unwrap_or_default();
        }
        let measured = outcome.with(|outcome| {
            let result = outcome.is_current.then(|| outcome.result.clone());
            result.unwrap_or_default()
        });
        let Some(similarities) = measured.as_ref() else {
            return measured;
        };
        let mut similarities = similarities.clone();
        match &*heard.get() {
            Heard::NotYet => return measured,
            Heard::Voiceless(reason) => similarities.voiceless = Some(reason.clone()),
            Heard::Known(voice, scores) => {
                similarities.voices = scores.clone();
                similarities.voice = Some(voice.clone());
            }
        }
        Arc::new(Some(similarities))
    })
}

/// The same with how the sessions move, which comes last.
fn drifted(run: Shared<Run>, compared: Compared, job: Job) -> Compared {
    let asked = move || (run.get(), compared.get());
    let found = job.outcome(None, asked, |(run, compared), slice| {
        let (run, compared) = (run.clone(), compared.clone());
        Box::pin(async move {
            let (run, known) = (run.result.as_ref()?, compared.as_ref().as_ref()?);
            // by style it would be another, for a moment
            let is_heard = known.voice.is_some() || known.voiceless.is_some();
            if !is_heard {
                return None;
            }
            let pause = |progress| slice.is_over(progress);
            Some(Arc::new(run.drifts(known, &pause).await))
        })
    });
    Derived::shared(move || {
        let known = compared.get();
        let drifts = found.with(|found| {
            let found = found.is_current.then(|| (*found.result).clone());
            found.flatten()
        });
        match (&*known, drifts) {
            (Some(similarities), Some(drifts)) => Arc::new(Some(Similarities {
                drifts,
                ..similarities.clone()
            })),
            _ => known,
        }
    })
}

/// The same with what traits by examples say, as soon as that is known.
fn with_traits(compared: Compared, told: Derived<Option<Arc<Vec<Told>>>>) -> Compared {
    Derived::shared(move || {
        let (known, told) = (compared.get(), told.get());
        match (&*known, &*told) {
            (Some(similarities), Some(told)) if !told.is_empty() => Arc::new(Some(Similarities {
                told: told.clone(),
                ..similarities.clone()
            })),
            _ => known,
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::{Inputs, Options};

    fn scored(reply: &str) -> Evaluation<PersonaResult> {
        let row = serde_json::json!({ "session_id": "a", "turn": 1, "assistant": reply });
        let run = persona::read(&Inputs {
            persona: "lexicon: {preferred: [ride, oil], avoid: []}",
            transcript: &row.to_string(),
            ..Inputs::default()
        });
        run.result.expect("valid").score(&Options::default(), None)
    }

    #[test]
    fn the_last_result_stays_while_a_few_vectors_are_on_their_way() {
        let owner = Owner::new();
        owner.set();
        let now = RwSignal::new(scored("A ride."));
        let waiting = RwSignal::new(Waiting::No);
        let is_few = RwSignal::new(true);
        let evaluation = Derived::new(move || now.get());
        let waits = Memo::new(move |_| waiting.get());
        let held = held(evaluation, waits, move || is_few.get());
        let shown = || {
            held.with_untracked(|held| {
                let result = held.evaluation.result.as_ref();
                let text = result.map(|result| result.sessions[0].turns[0].text.to_string());
                (text.unwrap_or_default(), held.is_held)
            })
        };
        let is = |text: &str, is_held: bool| assert_eq!(shown(), (text.to_owned(), is_held));
        is("A ride.", false);
        waiting.set(Waiting::OnItsWay);
        now.set(scored("Some oil."));
        is("A ride.", true);
        waiting.set(Waiting::No);
        is("Some oil.", false);
        // a result of other texts is not this one's, and none to go back to
        is_few.set(false);
        waiting.set(Waiting::OnItsWay);
        now.set(scored("A new log."));
        is("A new log.", false);
        is_few.set(true);
        now.set(scored("Another."));
        is("Another.", false);
        // what somebody has to ask for may never come
        waiting.set(Waiting::No);
        is("Another.", false);
        waiting.set(Waiting::ToBeAsked);
        now.set(scored("The last."));
        is("The last.", false);
    }
}
