//! The memos of a session: its text is read once, and everything follows from that.

use std::sync::Arc;

use leptos::prelude::*;

use super::options::{options, without_weights};
use crate::app::bench::Host;
use crate::app::benches::page::Reading;
use crate::app::derived::Derived;
use crate::app::desk::{Desk, Work};
use crate::app::job::{Clock, Job, Outcome};
use crate::app::model::{Good, Shared, last_good};
use crate::app::problems::{OPTIONS, doubts, problems_of};
use crate::constitution::form::Form;
use crate::constitution::{self, DEFAULT_WEIGHTS, Log, PerPrinciple, RewardResult};
use crate::document::{Evaluation, Parsed, Place, Problem, Severity};

/// The name of the input.
pub const TURNS: &str = "turns";

/// What follows from the work on the bench.
#[derive(Clone, Copy)]
pub struct Model {
    /// The work.
    pub desk: Desk,
    /// What the page gives the bench.
    pub host: Host,
    /// The reading of the text: a long session takes a while.
    pub reading: Reading,
    /// The turns as a form; none while the text is not JSON.
    pub form: Derived<Option<Arc<Form>>>,
    /// The turns as read, or as they were before a mistake.
    pub log: Shared<Log>,
    /// Whether they are as they were before a mistake.
    pub is_old: Memo<bool>,
    /// The turns as they are now, with their mistakes.
    now: Shared<Log>,
    /// The result; its problems are those of the settings.
    pub scored: Shared<RewardResult>,
    /// The method's or the session's own weights.
    pub original: Memo<PerPrinciple>,
    /// The turn that was opened last, by its position: the form goes to it.
    pub looked_at: RwSignal<Option<usize>>,
}

/// A text as it was read.
#[derive(Clone, PartialEq)]
struct Read {
    parsed: Arc<Parsed>,
    log: Arc<Evaluation<Log>>,
}

impl Model {
    /// The memos of a desk.
    pub fn new(desk: Desk, host: Host, clock: Clock) -> Self {
        let job = Job::new(clock);
        let read = read(desk, job);
        let is_current = Memo::new(move |_| read.with(|read| read.is_current));
        let parsed = Derived::shared(move || read.with(|read| read.result.parsed.clone()));
        let now = Derived::shared(move || read.with(|read| read.result.log.clone()));
        let Good { read: log, is_old } = last_good(desk, now);
        // a weight that is dragged leaves the originals as they are
        let others = Memo::new(move |_| desk.work.with(without_weights));
        Self {
            desk,
            host,
            reading: Reading {
                job,
                is_current: is_current.into(),
            },
            form: Derived::new(move || Form::of(&parsed.get()).map(Arc::new)),
            log,
            is_old,
            now,
            scored: Derived::new(move || {
                let options = desk.work.with(options);
                log.with(|log| match &log.result {
                    Some(log) => constitution::score(log, &options),
                    None => Evaluation {
                        result: None,
                        problems: Vec::new(),
                    },
                })
            }),
            original: Memo::new(move |_| {
                let options = others.with(options);
                log.with(|log| constitution::weights(log.result.as_ref()?, &options).result)
                    .unwrap_or(DEFAULT_WEIGHTS)
            }),
            looked_at: RwSignal::new(None),
        }
    }

    /// What is said beside the verdict: problems of the settings, what makes all of it doubtful,
    /// and what came of scoring a witness record again.
    pub fn remarks(self) -> Vec<Problem> {
        let mut remarks = self.scored.with(|scored| scored.problems.clone());
        self.log.with(|log| {
            remarks.extend(doubts(&log.problems));
            let check = log.result.as_ref().and_then(|log| log.check.as_ref());
            remarks.extend(check.map(|check| {
                let severity = if check.holds() {
                    Severity::Note
                } else {
                    Severity::Warning
                };
                let start = Place { line: 1, column: 1 };
                // the section that names the turns
                let mut remark = Problem::new(severity, start, "record", check.words());
                remark.input = Some(OPTIONS.to_owned());
                remark
            }));
        });
        remarks
    }

    /// The problems of the text, and those that the settings have with it; none as long
    /// as there is no text. A weight that is dragged leaves them as they are.
    pub fn problems(self) -> Signal<Vec<Problem>> {
        let own = Memo::new(move |_| self.scored.with(|scored| scored.problems.clone()));
        let problems = Memo::new(move |_| {
            // what was wrong with another text is not said of this one
            if self.desk.work.with(Work::is_blank) || !self.reading.says_what_was_found() {
                return Vec::new();
            }
            let mut all = self.now.with(|log| log.problems.clone());
            all.extend(own.get());
            problems_of(&all, TURNS, TURNS)
        });
        problems.into()
    }
}

/// What the text of the desk reads as. Typing a weight does not read it again.
fn read(desk: Desk, job: Job) -> Derived<Outcome<Read>> {
    let text = desk.text(TURNS);
    let nothing = Read {
        parsed: Arc::default(),
        log: Arc::new(Evaluation {
            result: None,
            problems: Vec::new(),
        }),
    };
    job.outcome(
        nothing,
        move || text.get(),
        |text, slice| {
            let text = text.clone();
            Box::pin(async move {
                let pause = |progress| slice.is_over(progress);
                let (parsed, mut log) = constitution::read_in_steps(&text, &pause).await;
                // would stand for a moment beside the text that is put in
                if text.trim().is_empty() {
                    log.problems.clear();
                }
                Read {
                    parsed: Arc::new(parsed),
                    log: Arc::new(log),
                }
            })
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::notice::Notices;
    use crate::document::{Code, PARSED};

    /// A clock that stands: everything is done at once.
    const CLOCK: Clock = Clock {
        now: || 0.0,
        later: |task| task(),
    };

    fn model(text: &str) -> (Owner, Model) {
        let owner = Owner::new();
        owner.set();
        let host = Host {
            bench: &super::super::BENCH,
            notices: Notices::default(),
            is_shown: Signal::stored(true),
            open_example: Callback::new(|()| {}),
            take_files: Callback::new(|_| {}),
            leave: Callback::new(|_| {}),
            goal: RwSignal::new(None),
            models: RwSignal::new_local(None),
            read_text: Callback::new(|_| {}),
        };
        (
            owner,
            Model::new(Desk::new(Work::of(TURNS, text)), host, CLOCK),
        )
    }

    /// Asks the model all that the page asks it.
    fn ask(model: Model) -> (bool, bool) {
        model.original.track();
        model.problems().track();
        let has_form = model.form.with_untracked(Option::is_some);
        let has_result = model.scored.with_untracked(|e| e.result.is_some());
        (has_form, has_result)
    }

    #[test]
    fn a_keystroke_parses_the_text_once_and_a_weight_not_at_all() {
        let text = r#"[{"turn_number": 1, "action": "x"}, {"turn_number": 2, "action": "y"}]"#;
        let (_owner, model) = model(text);
        assert_eq!(ask(model), (true, true));
        let before = PARSED.get();
        model
            .desk
            .type_text("turns", text.replace("\"y\"", "\"z\""));
        assert_eq!(ask(model), (true, true));
        assert_eq!(PARSED.get() - before, 1);
        model.desk.set("ethical", Some("0.5".into()));
        assert_eq!(ask(model), (true, true));
        assert_eq!(PARSED.get() - before, 1);
        model.desk.type_text("turns", "{".into());
        // the last result stays, and is not taken for one of what is there
        assert_eq!(ask(model), (false, true));
        assert!(model.is_old.get_untracked());
    }

    #[test]
    fn an_empty_text_has_no_problem_to_leave_to_the_next() {
        let (_owner, model) = model("");
        assert_eq!(ask(model), (false, false));
        let number = || model.now.with(|log| log.problems.len());
        assert_eq!(untrack(number), 0);
        model.desk.type_text("turns", "{".into());
        assert_eq!(ask(model), (false, false));
        assert!(untrack(number) > 0);
    }

    #[test]
    fn what_is_hardly_a_session_is_said_by_the_verdict() {
        let said = |text: &str| {
            let (_owner, model) = model(text);
            assert!(ask(model).1, "{text}");
            let own = |remark: &Problem| remark.input.as_deref() == Some(OPTIONS);
            let remarks = untrack(|| model.remarks()).into_iter().filter(own);
            remarks
                .map(|remark| (remark.code, remark.severity))
                .collect::<Vec<_>>()
        };
        let measured = r#""turn_result": {"response": "a"}"#;
        assert_eq!(said(&format!("[{{{measured}}}]")), []);
        let few = (Code::FewKeys, Severity::Warning);
        let unsaid = (Code::Unsaid, Severity::Warning);
        assert_eq!(said(&format!(r#"[{{{measured}, "a": 1, "b": 2}}]"#)), [few]);
        assert_eq!(said(&format!("[{{{measured}}}, {{}}]")), [few]);
        assert_eq!(said(r#"[{"action": "a"}]"#), [unsaid]);
    }
}
