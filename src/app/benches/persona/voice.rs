//! The voice of the persona on the bench: the control sample is fetched once there is something to
//! hold against it, the voice is learned when the persona has changed, and the replies are heard
//! when they have.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::fetch;
use crate::app::derived::{Derived, effect};
use crate::app::embedder::pool::Embedding;
use crate::app::job::{Clock, Job};
use crate::app::model::Shared;
use crate::persona::voice::{Control, Lesson, Voice, VoiceScore};
use crate::persona::{Run, Told, TraitLessons};

/// Where the control sample lies, beside the page.
const CONTROL: &str = "voice/control.json";

/// What is known of a run's voice.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Heard {
    /// It is on its way, or waits for vectors.
    #[default]
    NotYet,
    /// There is none, for a reason in words.
    Voiceless(String),
    /// The voice, and what it says of each reply, per session.
    Known(Arc<Voice>, Arc<Vec<Vec<Option<VoiceScore>>>>),
}

/// The control sample, or why it could not be had; none while it is on its way.
pub type Fetched = Option<Result<Arc<Control>, String>>;

/// The voice, and what it is learned with.
#[derive(Clone, Copy)]
pub struct Hearing {
    /// The voice of the run.
    pub heard: Derived<Heard>,
    /// What the examples of each trait say of its replies; none until that is known.
    pub told: Derived<Option<Arc<Vec<Told>>>>,
    /// What it is held against.
    pub control: RwSignal<Fetched>,
    /// Texts of the control that have no vector of the model yet.
    pub missing: Memo<Vec<String>>,
    /// Whether all vectors are there that it is learned from.
    pub is_ready: Memo<bool>,
}

/// The voice of a run as soon as its vectors are there, and the control sample.
pub fn hearing(
    run: Shared<Run>,
    missing: Memo<Vec<String>>,
    embedding: Embedding,
    clock: Clock,
) -> Hearing {
    let lesson =
        Memo::new(move |_| run.with(|run| run.result.as_ref().map(|run| Arc::new(run.lesson()))));
    let lessons = Memo::new(move |_| run.with(|run| Some(run.result.as_ref()?.trait_lessons())));
    let has_own = Memo::new(move |_| missing.with(Vec::is_empty));
    let can_learn = Memo::new(move |_| {
        let has_traits = lessons.with(|lessons| lessons.as_ref().is_some_and(|l| !l.is_empty()));
        has_traits || lesson.with(|lesson| lesson.as_ref().is_some_and(|l| l.lacks().is_none()))
    });
    let control = control(lesson, can_learn, has_own);
    let missing = Memo::new(move |_| {
        let wanted = has_own.get() && can_learn.get();
        let of_control = |control: &Fetched| missing_of_control(control.as_ref(), embedding);
        if wanted {
            control.with(of_control)
        } else {
            Vec::new()
        }
    });
    let is_ready = Memo::new(move |_| has_own.get() && missing.with(Vec::is_empty));
    let learned = learned(lesson, is_ready, control, embedding, Job::new(clock));
    let asked = move || (run.get(), learned.get());
    let all = Job::new(clock).outcome(Heard::NotYet, asked, move |(run, learned), slice| {
        let (run, learned) = (run.clone(), learned.clone());
        let made = embedding.made();
        Box::pin(async move {
            let voice = match (*learned).clone() {
                None => return Heard::NotYet,
                Some(Err(reason)) => return Heard::Voiceless(reason),
                Some(Ok(voice)) => voice,
            };
            match (run.result.as_ref(), made) {
                (Some(run), Some(made)) => {
                    let pause = |progress| slice.is_over(progress);
                    let scores = run.hear(&voice, &made, &pause).await;
                    Heard::Known(voice, Arc::new(scores))
                }
                _ => Heard::NotYet,
            }
        })
    });
    // what was said of another run does not hold for this one
    let heard = Derived::shared(move || {
        all.with(|outcome| {
            let heard = outcome.is_current.then(|| outcome.result.clone());
            heard.unwrap_or_default()
        })
    });
    Hearing {
        heard,
        told: told(run, lessons, is_ready, control, (embedding, clock)),
        control,
        missing,
        is_ready,
    }
}

/// What traits by examples say of the replies: learned again when an example has changed, and not for
/// a reply.
fn told(
    run: Shared<Run>,
    lessons: Memo<Option<TraitLessons>>,
    is_ready: Memo<bool>,
    control: RwSignal<Fetched>,
    (embedding, clock): (Embedding, Clock),
) -> Derived<Option<Arc<Vec<Told>>>> {
    let asked = move || (lessons.get(), is_ready.get(), control.get());
    let learned =
        Job::new(clock).outcome(None, asked, move |(lessons, is_ready, control), slice| {
            let (lessons, control) = (lessons.clone(), control.clone());
            let made = is_ready.then(|| embedding.made()).flatten();
            Box::pin(async move {
                let lessons = lessons?;
                if lessons.is_empty() {
                    return Some(Vec::new());
                }
                let own = lessons.control.clone().map(Ok);
                let pause = |progress| slice.is_over(progress);
                Some(match own.or(control)? {
                    Ok(control) => lessons.learn(&control, &made?, &pause).await,
                    Err(reason) => lessons.unlearned(&reason),
                })
            })
        });
    let learned = Derived::shared(move || {
        let found = learned.with(|found| found.is_current.then(|| found.result.clone()));
        found.unwrap_or_default()
    });
    let asked = move || (run.get(), learned.get(), is_ready.get());
    let told = Job::new(clock).outcome(None, asked, move |(run, learned, _), slice| {
        let (run, learned) = (run.clone(), learned.clone());
        let made = embedding.made();
        Box::pin(async move {
            let (run, learned) = (run.result.as_ref()?, learned.as_ref().as_ref()?);
            if learned.is_empty() {
                return Some(Arc::new(Vec::new()));
            }
            let pause = |progress| slice.is_over(progress);
            Some(Arc::new(run.tell(learned, &made?, &pause).await))
        })
    });
    Derived::shared(move || {
        let found = told.with(|found| found.is_current.then(|| found.result.clone()));
        found.unwrap_or_default()
    })
}

/// Those of the control's texts that are to be embedded: its vectors are those of the page's own
/// model, and another one has to make them itself.
fn missing_of_control(
    control: Option<&Result<Arc<Control>, String>>,
    embedding: Embedding,
) -> Vec<String> {
    let Some(Ok(control)) = control else {
        return Vec::new();
    };
    if embedding
        .model_sha256()
        .is_none_or(|model| model == control.model)
    {
        return Vec::new();
    }
    let texts: Vec<&str> = control.texts.iter().map(String::as_str).collect();
    embedding.missing(&texts)
}

/// The control sample, fetched once a persona that can have a voice or a trait by examples has its
/// vectors.
fn control(
    lesson: Memo<Option<Arc<Lesson>>>,
    can_learn: Memo<bool>,
    is_ready: Memo<bool>,
) -> RwSignal<Fetched> {
    let control = RwSignal::new(None);
    effect(move || {
        let has_own = lesson.with(|lesson| lesson.as_ref().is_some_and(|l| l.control.is_some()));
        if can_learn.get() && !has_own && is_ready.get() && control.with_untracked(Option::is_none)
        {
            fetch_control(control);
        }
    });
    control
}

/// Fetches the control sample that ships, unless it is there; the browser keeps the file.
pub fn fetch_control(into: RwSignal<Fetched>) {
    if into.with_untracked(Option::is_some) {
        return;
    }
    spawn_local(async move {
        let read = fetch::text(CONTROL)
            .await
            .and_then(|json| Control::read(&json));
        into.try_set(Some(read.map(Arc::new)));
    });
}

/// The control of a lesson: its own, which needs no fetching, or the one that was fetched.
pub fn held_against(lesson: &Lesson, fetched: Fetched) -> Fetched {
    let own = lesson.control.clone().map(Ok);
    own.or(fetched)
}

type Learned = Option<Result<Arc<Voice>, String>>;

/// The voice of the persona: learned again when the persona has changed, and not for a reply.
fn learned(
    lesson: Memo<Option<Arc<Lesson>>>,
    is_ready: Memo<bool>,
    control: RwSignal<Fetched>,
    embedding: Embedding,
    job: Job,
) -> Derived<Learned> {
    let asked = move || (lesson.get(), is_ready.get(), control.get());
    let learned = job.outcome(None, asked, move |(lesson, is_ready, control), slice| {
        let (lesson, control) = (lesson.clone(), control.clone());
        let made = is_ready.then(|| embedding.made()).flatten();
        Box::pin(async move {
            let lesson = lesson?;
            if let Some(reason) = lesson.lacks() {
                return Some(Err(reason));
            }
            let control = match held_against(&lesson, control)? {
                Ok(control) => control,
                Err(reason) => return Some(Err(reason)),
            };
            let pause = |progress| slice.is_over(progress);
            let voice = lesson.learn(&control, &made?, &pause).await;
            Some(voice.map(Arc::new))
        })
    });
    Derived::shared(move || {
        learned.with(|outcome| {
            let learned = outcome.is_current.then(|| outcome.result.clone());
            learned.unwrap_or_default()
        })
    })
}
