//! The app's signals. Everything else follows from them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use leptos::prelude::*;
use serde::{Serialize, Serializer};

use crate::app::browser;
use crate::app::browser::worker::Embedding;
use crate::constitution::form::Form as TurnsForm;
use crate::constitution::{self, Log, RewardResult};
use crate::debate::form::Form;
use crate::debate::{self, DebateResult, Payload, Profiles};
use crate::document::{Evaluation, Parsed, Problem, Reader, parse_json};
use crate::persona::form::Form as PersonaForm;
use crate::persona::{Intervals, Known, PersonaResult, Run, Similarities};

use super::benches;
use super::derived::Derived;
use super::format;
use super::history::History;
use super::link;
use super::opening::{self, Place};
use super::recent::{Recent, put_aside};
use super::route::{self, Page, Request};
use super::words::{self, Verdict};
use super::work::{Bench, Texts, Work, same_texts};

/// Where the work is kept in the browser.
const KEPT: &str = "assay.work.1";
/// Where the choice of theme is kept.
const THEME: &str = "assay.theme";

/// What is kept in the browser between visits.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Kept {
    #[serde(serialize_with = "as_object")]
    works: Vec<(Bench, Work)>,
    recent: Vec<Recent>,
}

impl Kept {
    // by hand, with the reader of all other documents: a derived one would
    // bring a second JSON parser into the page
    fn read(text: &str) -> Option<Self> {
        let node = parse_json(text).ok()?;
        let root = Reader::new(&node);
        let works = root.get("works");
        let mut kept = Self::default();
        for bench in Bench::ALL {
            let work = works.as_ref().and_then(|works| works.get(bench.name()));
            if let Some(work) = work {
                kept.works.push((bench, Work::read(&work)));
            }
        }
        let recent = root.get("recent").and_then(|recent| recent.items());
        let recent = recent.unwrap_or_default();
        kept.recent = recent.iter().filter_map(Recent::read).collect();
        Some(kept)
    }
}

fn as_object<S: Serializer>(works: &[(Bench, Work)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(works.iter().map(|(bench, work)| (bench, work)))
}

/// Something the user should know that has no other place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something went wrong.
    pub is_error: bool,
    /// What, in words.
    pub text: String,
    /// Whether reloading the page helps.
    pub offer_reload: bool,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Its name; kept, and in the `data-theme` attribute.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next one of the switch.
    #[must_use]
    pub const fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    fn from_name(name: &str) -> Self {
        [Self::Light, Self::Dark]
            .into_iter()
            .find(|theme| theme.name() == name)
            .unwrap_or_default()
    }
}

/// The two faces of an input. They show the same text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Face {
    /// Fields.
    Form,
    /// The text itself.
    #[default]
    Text,
}

/// The work on one bench and how to change it.
#[derive(Clone, Copy)]
pub struct Desk {
    /// Which bench.
    pub bench: Bench,
    /// The document of record with its undo stack. Written by the methods below only.
    history: RwSignal<History<Work>>,
    /// The document as it is now.
    pub work: Memo<Work>,
    /// The document before the last gesture, undo or redo.
    pub previous: Memo<Option<Work>>,
    /// Which face of its input is shown.
    pub face: RwSignal<Face>,
}

impl Desk {
    fn new(bench: Bench, work: Work) -> Self {
        let history = RwSignal::new(History::new(work));
        Self {
            bench,
            history,
            work: Memo::new(move |_| history.with(|history| history.present().clone())),
            previous: Memo::new(move |_| history.with(|history| history.previous().cloned())),
            face: RwSignal::new(Face::Text),
        }
    }

    /// The text of an input as typed.
    pub fn text(self, input: &'static str) -> Memo<Arc<str>> {
        let text = move |_: Option<&Arc<str>>| {
            self.work
                .with(|work| work.texts.get(input).cloned().unwrap_or_default())
        };
        Memo::new_with_compare(text, |old, new| match (old, new) {
            (Some(old), Some(new)) => !Arc::ptr_eq(old, new) && old != new,
            _ => true,
        })
    }

    /// A setting as typed.
    pub fn setting(self, name: &'static str) -> Memo<Option<String>> {
        Memo::new(move |_| self.work.with(|work| work.setting(name).map(str::to_owned)))
    }

    /// Replaces a text; typing in one input is one step of undo until it is left.
    pub fn type_text(self, input: &'static str, text: String) {
        self.put_edit(input, input, Some(text));
    }

    /// Changes a text through a form; changes with the same gesture are one step
    /// of undo. Says whether it could: what does not parse cannot be changed.
    pub fn edit(
        self,
        input: &'static str,
        gesture: &str,
        change: impl FnOnce(&str) -> Option<String>,
    ) -> bool {
        self.put_edit(input, gesture, change(&self.text_now(input)))
    }

    // these two are not generic: `edit` would be as large for every change
    fn text_now(self, input: &str) -> Arc<str> {
        self.work
            .with_untracked(|work| work.texts.get(input).cloned().unwrap_or_default())
    }

    fn put_edit(self, input: &'static str, gesture: &str, changed: Option<String>) -> bool {
        let is_possible = changed.is_some();
        if let Some(text) = changed {
            self.history
                .update(|history| history.change(gesture, |work| work.set_text(input, text)));
        }
        is_possible
    }

    /// Replaces a setting; dragging one slider is one step of undo.
    pub fn set(self, name: &'static str, value: Option<String>) {
        self.history
            .update(|history| history.change(name, |work| work.set(name, value)));
    }

    /// Changes several settings in one step of undo.
    pub fn change(self, name: &str, change: impl FnOnce(&mut Work)) {
        self.history.update(|history| {
            history.settle();
            history.change(name, change);
            history.settle();
        });
    }

    /// Resets settings in one step.
    pub fn reset(self, names: &[&str]) {
        self.history.update(|history| {
            history.settle();
            history.change("reset", |work| {
                for name in names {
                    work.set(name, None);
                }
            });
            history.settle();
        });
    }

    /// Ends the gesture: the next change is a step of its own.
    pub fn settle(self) {
        self.history.update_untracked(History::settle);
    }

    /// One step back.
    pub fn undo(self) {
        self.history.update(History::undo);
    }

    /// One step forward.
    pub fn redo(self) {
        self.history.update(History::redo);
    }

    /// Whether there is nothing on it.
    pub fn is_blank(self) -> Memo<bool> {
        Memo::new(move |_| self.work.with(Work::is_blank))
    }

    /// Whether there is a step back, and one forward.
    pub fn steps(self) -> Memo<(bool, bool)> {
        Memo::new(move |_| {
            self.history
                .with(|history| (history.can_undo(), history.can_redo()))
        })
    }

    /// What was there before the last gesture, undo or redo, as a ghost beside what
    /// is there now; none where nothing was changed. `ask` is given the work of
    /// then and whether it has the texts of now.
    pub fn before<T: PartialEq + Send + Sync + 'static>(
        self,
        ask: impl Fn(&Work, bool) -> Option<T> + Send + Sync + 'static,
    ) -> Memo<Option<T>> {
        // while a gesture goes on this stays the same, and nothing is asked anew
        let same = Memo::new(move |_| {
            self.previous.with(|previous| {
                let previous = previous.as_ref()?;
                self.work.with(|work| {
                    let is_same = previous.setting("item") == work.setting("item");
                    is_same.then(|| same_texts(&previous.texts, &work.texts))
                })
            })
        });
        Memo::new(move |_| {
            let same = same.get()?;
            self.previous.with(|previous| ask(previous.as_ref()?, same))
        })
    }

    fn replace(self, work: Work) {
        self.history.update(|history| {
            history.settle();
            history.change("open", |present| *present = work);
            history.settle();
        });
    }
}

/// The rank, where there is one, and the score of each row by its id.
pub type Standings = HashMap<String, (Option<usize>, f64)>;

/// An evaluation that is cheap to hand around.
pub type Shared<T> = Derived<Evaluation<T>>;

/// The app's signals and the memos of its results.
#[derive(Clone, Copy)]
pub struct Store {
    /// The debate bench's work.
    pub debate_desk: Desk,
    /// The constitution bench's work.
    pub constitution_desk: Desk,
    /// The persona bench's work.
    pub persona_desk: Desk,
    /// The page shown; follows the address.
    pub page: RwSignal<Page>,
    /// The one notice shown; a newer one replaces it.
    pub notice: RwSignal<Option<Notice>>,
    /// Work that was replaced by other work, newest first.
    pub recent: RwSignal<Vec<Recent>>,
    /// Light or dark.
    pub theme: RwSignal<Theme>,
    /// Whether the sheet of shortcuts is open.
    pub help: RwSignal<bool>,
    /// The embedding worker and the vectors it has made.
    pub embedding: Embedding,
    /// The debates in the text, parsed once.
    pub debates: Derived<Arc<Parsed>>,
    /// The chosen debate as a form; none while the text is not JSON.
    pub debate_form: Derived<Option<Arc<Form>>>,
    /// The chosen debate as read.
    pub debate_payload: Shared<Payload>,
    /// The profiles that debates are weighed with.
    pub profiles: Shared<Profiles>,
    /// The debate's result.
    pub debate: Shared<DebateResult>,
    /// The same with the domain's own weights.
    pub debate_original: Shared<DebateResult>,
    /// The turns as a form; none while the text is not JSON.
    pub turns_form: Derived<Option<Arc<TurnsForm>>>,
    /// The turns as read.
    pub turns: Shared<Log>,
    /// The result of the turns.
    pub constitution: Shared<RewardResult>,
    /// The same with the method's or the session's own weights.
    pub constitution_original: Shared<RewardResult>,
    /// The persona run as read.
    pub persona_run: Shared<Run>,
    /// The texts of the run that have no vector yet.
    pub persona_missing: Memo<Vec<String>>,
    /// The persona result; style and stability are measured once no vector is missing.
    pub persona: Shared<PersonaResult>,
    /// Where each weight of the persona run flips its grade.
    pub persona_intervals: Derived<Option<Intervals>>,
    /// The persona as a form; none while its text cannot be read.
    pub persona_form: Derived<Option<Arc<PersonaForm>>>,
}

impl Store {
    /// A store with the work that the browser kept.
    pub fn restore() -> Self {
        let mut kept = browser::storage::read(KEPT)
            .and_then(|text| Kept::read(&text))
            .unwrap_or_default();
        let mut desk = |wanted| {
            let mut works = kept.works.iter_mut();
            let work = works.find(|(bench, _)| *bench == wanted);
            Desk::new(
                wanted,
                work.map(|(_, work)| std::mem::take(work))
                    .unwrap_or_default(),
            )
        };
        let (debate_desk, constitution_desk, persona_desk) = (
            desk(Bench::Debate),
            desk(Bench::Constitution),
            desk(Bench::Persona),
        );
        let theme = browser::storage::read(THEME).map(|name| Theme::from_name(&name));
        let notice = RwSignal::new(None);
        let embedding = Embedding::new(notice);
        let debate_text = debate_desk.text("debate");
        let debate_index = Memo::new(move |_| debate_desk.work.with(benches::debate_index));
        let debates = Derived::new(move || debate_text.with(|text| Arc::new(debate::parse(text))));
        let debate_payload = Derived::new(move || {
            debates.with(|parsed| debate::read_from(parsed, debate_index.get()))
        });
        let profiles = memo(debate_desk, benches::profiles);
        let weighed = move |with_weights| {
            // what changes no option is not weighed anew: the original weights
            // are not while a weight is dragged
            let options = Memo::new(move |_| {
                debate_desk
                    .work
                    .with(|work| benches::debate_options(work, with_weights))
            });
            Derived::new(move || weigh_debate(debate_payload, profiles, options))
        };
        let turns_text = constitution_desk.text("turns");
        let turns_parsed =
            Derived::new(move || turns_text.with(|text| Arc::new(constitution::parse(text))));
        let turns =
            Derived::new(move || turns_parsed.with(|parsed| constitution::read_from(parsed)));
        let persona_run = persona_run(persona_desk);
        let persona_missing = Memo::new(move |_| missing_texts(persona_run, embedding));
        let persona_similarities = similarities(persona_run, persona_missing, embedding);
        let persona_text = persona_desk.text("persona");
        let store = Self {
            debate_desk,
            constitution_desk,
            persona_desk,
            page: RwSignal::new(Page::Start),
            notice,
            recent: RwSignal::new(kept.recent),
            theme: RwSignal::new(theme.unwrap_or_default()),
            help: RwSignal::new(false),
            embedding,
            debates,
            debate_form: Derived::new(move || {
                debates
                    .with(|parsed| Form::of(parsed, debate_index.get()))
                    .map(Arc::new)
            }),
            debate_payload,
            profiles,
            debate: weighed(true),
            debate_original: weighed(false),
            turns_form: Derived::new(move || turns_parsed.with(TurnsForm::of).map(Arc::new)),
            turns,
            constitution: scored(turns, constitution_desk, |read, work| {
                benches::constitution(read, work, true)
            }),
            constitution_original: scored(turns, constitution_desk, |read, work| {
                benches::constitution(read, work, false)
            }),
            persona_run,
            persona_missing,
            persona: scored(persona_run, persona_desk, move |run, work| {
                persona_similarities
                    .with(|known| run.score_with(&benches::persona_options(work), known.as_ref()))
            }),
            persona_intervals: intervals(persona_run, persona_desk, persona_similarities),
            persona_form: Derived::new(move || {
                persona_text
                    .with(|text| PersonaForm::read(text))
                    .map(Arc::new)
            }),
        };
        for bench in Bench::ALL {
            store.choose_face(bench);
        }
        store
    }

    /// The desk of a bench.
    pub fn desk(self, bench: Bench) -> Desk {
        match bench {
            Bench::Debate => self.debate_desk,
            Bench::Constitution => self.constitution_desk,
            Bench::Persona => self.persona_desk,
        }
    }

    /// The problems of the debate's text.
    pub fn debate_problems(self) -> Signal<Vec<Problem>> {
        problems_in(self.debate_desk, self.debate, "debate")
    }

    /// The problems of the text of the turns.
    pub fn turns_problems(self) -> Signal<Vec<Problem>> {
        problems_in(self.constitution_desk, self.constitution, "turns")
    }

    /// The verdict on a bench, if there is a result.
    pub fn verdict(self, bench: Bench) -> Option<Verdict> {
        match bench {
            Bench::Debate => self.debate.with(|e| e.result.as_ref().map(words::debate)),
            Bench::Constitution => self
                .constitution
                .with(|e| e.result.as_ref().map(words::constitution)),
            Bench::Persona => self.persona.with(|e| e.result.as_ref().map(words::persona)),
        }
    }

    /// Says something.
    pub fn say(self, text: impl Into<String>) {
        self.notify(text.into(), false);
    }

    /// Says that something went wrong.
    pub fn warn(self, text: impl Into<String>) {
        self.notify(text.into(), true);
    }

    fn notify(self, text: String, is_error: bool) {
        self.notice.set(Some(Notice {
            is_error,
            text,
            offer_reload: false,
        }));
    }

    /// Goes to a page.
    pub fn go(self, page: Page) {
        self.page.set(page);
        browser::location::show(&page.hash());
    }

    /// Puts the work of a bench aside and opens other work in its place.
    pub fn open(self, bench: Bench, work: Work) {
        let desk = self.desk(bench);
        let before = desk.work.get_untracked();
        if before != work {
            let headline = untrack(|| self.verdict(bench))
                .map_or_else(|| "Not scored".to_owned(), |verdict| verdict.headline);
            self.recent.update(|recent| {
                recent.retain(|item| item.bench != bench || item.work != work);
                put_aside(
                    recent,
                    Recent {
                        bench,
                        headline,
                        work: before,
                    },
                );
            });
            desk.replace(work);
            self.notice.set(None);
        }
        self.choose_face(bench);
        self.go(Page::Bench(bench));
    }

    /// Shows a form of what was opened where there is one.
    fn choose_face(self, bench: Bench) {
        let is_readable = match bench {
            Bench::Debate => self.debate_form.with_untracked(Option::is_some),
            Bench::Constitution => self.turns_form.with_untracked(Option::is_some),
            Bench::Persona => self.persona_form.with_untracked(Option::is_some),
        };
        let face = if is_readable { Face::Form } else { Face::Text };
        self.desk(bench).face.set(face);
    }

    /// Takes a text from outside: a permalink, or something a bench knows.
    pub fn take_text(self, text: String) {
        if let Some(link) = opening::permalink_in(&text) {
            self.open_permalink(link);
        } else if let Some(place) = opening::place_of(&text) {
            self.notice.set(None);
            self.put(place, text);
        } else {
            self.warn(
                "This is not something a bench knows: a debate has candidates, turns have an action or a turn_result, a persona has exemplars, lexicon or voice, a transcript has messages or roles.",
            );
        }
    }

    /// Takes several texts, as files that were dropped together.
    pub fn take_texts(self, texts: Vec<String>) {
        for text in texts {
            self.take_text(text);
        }
    }

    fn put(self, place: Place, text: String) {
        let mut work = match place.bench {
            // a persona and a transcript are two halves of one work, so are a debate and profiles
            Bench::Persona => self.persona_desk.work.get_untracked(),
            Bench::Debate if place.input == "profiles" => self.debate_desk.work.get_untracked(),
            Bench::Debate | Bench::Constitution => Work::default(),
        };
        work.set_text(place.input, text);
        self.open(place.bench, work);
    }

    /// Opens a permalink; a damaged one leaves everything as it is.
    pub fn open_permalink(self, link: &str) {
        match link::decode(link) {
            Ok((bench, work)) => {
                self.open(bench, work);
                self.say("Opened from a link. What was on this bench before is under Recent on the start page.");
            }
            Err(message) => {
                self.warn(format!(
                    "{}. Nothing was changed.",
                    format::sentence(&message)
                ));
                browser::location::show(&self.page.get_untracked().hash());
            }
        }
    }

    /// Follows the address.
    pub fn follow(self, hash: &str) {
        match route::read(hash) {
            Request::Page(page) => self.page.set(page),
            Request::Permalink(link) => self.open_permalink(&link),
            Request::Unknown => {} // an anchor inside the page
        }
    }

    /// Switches the theme.
    pub fn switch_theme(self) {
        self.theme.update(|theme| *theme = theme.next());
        let theme = self.theme.get_untracked().name();
        browser::theme::show(theme);
        let _ = browser::storage::write(THEME, theme);
    }

    /// Tracks all that is to be kept.
    pub fn track_kept(self) {
        for bench in Bench::ALL {
            self.desk(bench).work.track();
        }
        self.recent.track();
    }

    /// What is to be kept, as JSON. Tracks all work.
    pub fn kept(self) -> String {
        let mut kept = Kept {
            works: Vec::new(),
            recent: self.recent.get(),
        };
        for bench in Bench::ALL {
            let work = self.desk(bench).work.get();
            if !work.is_blank() || !work.settings.is_empty() {
                kept.works.push((bench, work));
            }
        }
        serde_json::to_string(&kept).unwrap_or_default()
    }

    /// Keeps the work in the browser; says once when there is no room for it.
    pub fn keep(self, kept: &str) {
        if browser::storage::write(KEPT, kept).is_err()
            && self.notice.with_untracked(Option::is_none)
        {
            self.warn(
                "This browser has no room to keep the work. Export it before you leave the page.",
            );
        }
    }
}

/// The problems of the main text of a bench; none as long as there is no text. A
/// weight that is dragged leaves them as they are.
fn problems_in<T: PartialEq + Send + Sync + 'static>(
    desk: Desk,
    scored: Shared<T>,
    input: &'static str,
) -> Signal<Vec<Problem>> {
    let problems = Memo::new(move |_| {
        if desk.work.with(Work::is_blank) {
            return Vec::new();
        }
        scored.with(|scored| benches::problems_of(&scored.problems, input, input))
    });
    problems.into()
}

fn weigh_debate(
    payload: Shared<Payload>,
    profiles: Shared<Profiles>,
    options: Memo<debate::Options>,
) -> Evaluation<DebateResult> {
    let (payload, profiles) = (payload.get(), profiles.get());
    let mut problems = payload.problems.clone();
    let mut result = None;
    if let (Some(payload), Some(profiles)) = (&payload.result, &profiles.result) {
        let scored = options.with(|options| debate::score(payload, profiles, options));
        problems.extend(scored.problems);
        result = scored.result;
    }
    problems.extend(profiles.problems.iter().cloned());
    Evaluation { result, problems }
}

/// What the texts of a desk read as. Typing a weight does not read them again.
fn memo<T: PartialEq + Send + Sync + 'static>(
    desk: Desk,
    read: impl Fn(&Work) -> Evaluation<T> + Send + Sync + 'static,
) -> Shared<T> {
    let texts = Memo::new_with_compare(
        move |_| desk.work.with(|work| work.texts.clone()),
        |old: Option<&Texts>, new| match (old, new) {
            (Some(old), Some(new)) => !same_texts(old, new),
            _ => true,
        },
    );
    Derived::new(move || {
        let work = Work {
            texts: texts.get(),
            ..Work::default()
        };
        read(&work)
    })
}

/// What is scored after reading, with the problems of both.
fn after<R: Send + Sync + PartialEq + 'static, T>(
    read: Shared<R>,
    desk: Desk,
    score: impl Fn(&R, &Work) -> Evaluation<T>,
) -> Evaluation<T> {
    read.with(|read| {
        let mut problems = read.problems.clone();
        let result = read.result.as_ref().and_then(|read| {
            let scored = desk.work.with(|work| score(read, work));
            problems.extend(scored.problems);
            scored.result
        });
        Evaluation { result, problems }
    })
}

fn scored<R: Send + Sync + PartialEq + 'static, T: Send + Sync + PartialEq + 'static>(
    read: Shared<R>,
    desk: Desk,
    score: impl Fn(&R, &Work) -> Evaluation<T> + Send + Sync + 'static,
) -> Shared<T> {
    Derived::new(move || after(read, desk, &score))
}

fn persona_run(desk: Desk) -> Shared<Run> {
    let known = Mutex::new(Known::default());
    memo(desk, move |work| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        benches::persona_run(work, &mut known)
    })
}

type Compared = Derived<Option<Similarities>>;

/// What the vectors of a run say once there are all of them; a weight that is
/// dragged compares none.
fn similarities(run: Shared<Run>, missing: Memo<Vec<String>>, embedding: Embedding) -> Compared {
    Derived::new(move || {
        let is_complete = missing.with(Vec::is_empty);
        run.with(|read| {
            let run = read.result.as_ref().filter(|_| is_complete)?;
            embedding.with_table(|table| Some(run.similarities(table?)))
        })
    })
}

fn intervals(run: Shared<Run>, desk: Desk, compared: Compared) -> Derived<Option<Intervals>> {
    Derived::new(move || {
        let options = desk.work.with(benches::persona_options);
        run.with(|read| {
            let run = read.result.as_ref()?;
            compared.with(|known| run.intervals(&options, known.as_ref()))
        })
    })
}

fn missing_texts(run: Shared<Run>, embedding: Embedding) -> Vec<String> {
    run.with(|evaluation| {
        let texts = evaluation
            .result
            .as_ref()
            .map(Run::texts)
            .unwrap_or_default();
        embedding.missing(&texts)
    })
}
