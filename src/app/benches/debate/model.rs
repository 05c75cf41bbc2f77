//! The memos of a debate: its text is parsed once, and everything follows from that.

use std::sync::Arc;

use leptos::prelude::*;

use super::{DEBATE, PROFILES, options};
use crate::app::bench::Host;
use crate::app::derived::{Derived, effect};
use crate::app::desk::Desk;
use crate::app::model::{Good, Shared, last_good, problems_in};
use crate::app::problems::doubts;
use crate::app::seen::{Seen, seen};
use crate::debate::form::Form;
use crate::debate::{self, Board, DebateResult, Edit, LeftOut, Payload, Profiles};
use crate::document::{Evaluation, Parsed, Problem};

/// What the bench asks with code that comes after its verdict: until then it goes without.
#[derive(Clone, Copy)]
pub struct Later {
    /// The verdict without each debater.
    pub left_out: fn(&Payload, &Board) -> Vec<LeftOut>,
}

/// What follows from the work on the bench.
#[derive(Clone, Copy)]
pub struct Model {
    /// The work.
    pub desk: Desk,
    /// What the page gives the bench.
    pub host: Host,
    /// The debates in the text, each parsed once, when it is first asked for.
    pub parsed: Derived<Arc<Parsed>>,
    /// The chosen debate as a form; none while the text is not JSON.
    pub form: Derived<Option<Arc<Form>>>,
    /// The chosen debate as it was entered and read, or as it was before a mistake.
    pub entered: Shared<Payload>,
    /// Whether it is as it was before a mistake.
    pub is_old: Memo<bool>,
    /// The debate as it is now, with its mistakes.
    now: Shared<Payload>,
    /// The edit that is tried on it, and what it was tried on: it falls away with that.
    pub tried: RwSignal<Option<Tried>>,
    /// The debate that is scored: as entered, or with what is tried.
    pub payload: Shared<Payload>,
    /// The text of the bench's own profiles, parsed once; none where it has none.
    pub own_profiles: Derived<Option<Arc<Parsed>>>,
    /// The profiles that debates are weighed with.
    pub profiles: Shared<Profiles>,
    /// The result.
    pub scored: Shared<DebateResult>,
    /// The result of what was entered: the same unless something is tried.
    pub evidence: Shared<DebateResult>,
    /// The same with the domain's own weights.
    pub original: Shared<DebateResult>,
    /// The result now and before.
    pub seen: Derived<Seen<Figures>>,
    /// What comes later; none before.
    pub later: RwSignal<Option<Later>>,
}

/// An edit that is tried and not made.
#[derive(Clone)]
pub struct Tried {
    /// The edit.
    pub edit: Edit,
    /// Whom it is to put first.
    pub whom: String,
    on: Arc<Evaluation<Payload>>,
}

impl Tried {
    /// Whether it was tried on this.
    fn is_on(&self, entered: &Arc<Evaluation<Payload>>) -> bool {
        Arc::ptr_eq(&self.on, entered) || self.on == *entered
    }
}

/// A result as it was seen.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Which of the debates in the text it is of.
    pub item: usize,
    /// The result.
    pub scored: Option<Arc<Evaluation<DebateResult>>>,
}

// figures are compared at every change: these are the same or made anew
impl PartialEq for Figures {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.scored, &other.scored) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.item == other.item && same
    }
}

impl Model {
    /// Asks result and payload together, where there are both.
    pub fn both(self, ask: &mut dyn FnMut(&DebateResult, &Payload)) {
        self.scored.with(|scored| {
            self.payload.with(|read| {
                if let (Some(result), Some(payload)) = (&scored.result, &read.result) {
                    ask(result, payload);
                }
            });
        });
    }

    /// The memos of a desk.
    pub fn new(desk: Desk, host: Host) -> Self {
        let text = desk.text(DEBATE.name);
        let index = desk.item();
        let parsed = Derived::new(move || text.with(|text| Arc::new(debate::parse(text))));
        let now =
            Derived::new(move || parsed.with(|parsed| debate::read_from(parsed, index.get())));
        let Good {
            read: entered,
            is_old,
        } = last_good(desk, now);
        let tried = RwSignal::new(None::<Tried>);
        let payload = Derived::shared(move || with_tried(entered.get(), tried));
        let profiles_text = desk.text(PROFILES.name);
        let own_profiles = Derived::new(move || {
            profiles_text.with(|text| options::own_profiles(text).map(Arc::new))
        });
        let profiles =
            Derived::new(move || own_profiles.with(|own| options::profiles(own.as_deref())));
        // what changes no option is not weighed anew: the original weights are not
        // while a weight is dragged
        let options = move |with_weights| {
            Memo::new(move |_| desk.work.with(|work| options::options(work, with_weights)))
        };
        let (own, original) = (options(true), options(false));
        let scored = Derived::new(move || weigh(payload, profiles, own));
        let evidence = Derived::shared(move || {
            if is_tried(entered, tried) {
                Arc::new(weigh(entered, profiles, own))
            } else {
                scored.get()
            }
        });
        let figures = move || Figures {
            item: index.get(),
            scored: Some(evidence.get()),
        };
        Self {
            desk,
            host,
            parsed,
            form: Derived::new(move || {
                parsed.with(|parsed| Form::of(parsed, index.get()).map(Arc::new))
            }),
            entered,
            is_old,
            now,
            tried,
            payload,
            own_profiles,
            profiles,
            scored,
            evidence,
            original: Derived::new(move || weigh(payload, profiles, original)),
            seen: seen(desk, Signal::stored(true), figures),
            later: RwSignal::new(None),
        }
    }

    /// Whether an edit is tried.
    pub fn is_trying(self) -> Memo<bool> {
        Memo::new(move |_| is_tried(self.entered, self.tried))
    }

    /// Puts away what is tried once that which it was tried on is another.
    pub fn put_away(self) {
        effect(move || {
            let entered = self.entered.get();
            let is_over =
                |tried: &Option<Tried>| tried.as_ref().is_some_and(|t| !t.is_on(&entered));
            if self.tried.with_untracked(is_over) {
                self.tried.set(None);
            }
        });
    }

    /// Tries an edit on what was entered, in place of one that was tried before.
    pub fn try_edit(self, edit: Edit, whom: String) {
        let on = self.entered.get_untracked();
        self.tried.set(Some(Tried { edit, whom, on }));
    }

    /// The result before the last change, of the same debate: as entered, where an edit
    /// is tried. A weight that is dragged leaves it as it is.
    pub fn before(self) -> Derived<Figures> {
        let is_trying = self.is_trying();
        Derived::new(move || {
            if is_trying.get() {
                return self.seen.with(|seen| seen.now.clone());
            }
            self.seen.with(|Seen { now, before, .. }| {
                if before.item == now.item {
                    before.clone()
                } else {
                    Figures::default()
                }
            })
        })
    }

    /// What was found in what is there now, and on the way to its result.
    pub fn found(self) -> Vec<Problem> {
        if self.is_old.get() {
            self.now.with(|now| now.problems.clone())
        } else {
            self.evidence.with(|scored| scored.problems.clone())
        }
    }

    /// What is said beside the verdict: problems of the settings, and what makes all of it doubtful.
    pub fn remarks(self) -> Vec<Problem> {
        self.scored.with(|scored| {
            let found = &scored.problems;
            found.iter().cloned().chain(doubts(found)).collect()
        })
    }

    /// The problems of the debate's text, and the lines of all that are no debates.
    pub fn problems(self) -> Signal<Vec<Problem>> {
        let found = move || {
            let strays: Vec<Problem> = self.parsed.with(|parsed| parsed.strays().collect());
            [self.found(), strays].concat()
        };
        problems_in(self.desk, found, DEBATE.name)
    }
}

fn is_tried(entered: Shared<Payload>, tried: RwSignal<Option<Tried>>) -> bool {
    let entered = entered.get();
    tried.with(|tried| tried.as_ref().is_some_and(|tried| tried.is_on(&entered)))
}

/// What was entered, with what is tried on it.
fn with_tried(
    entered: Arc<Evaluation<Payload>>,
    tried: RwSignal<Option<Tried>>,
) -> Arc<Evaluation<Payload>> {
    tried.with(|tried| {
        let tried = tried.as_ref().filter(|tried| tried.is_on(&entered));
        match (tried, &entered.result) {
            (Some(tried), Some(payload)) => Arc::new(Evaluation {
                result: Some(tried.edit.try_on(payload)),
                problems: entered.problems.clone(),
            }),
            _ => entered,
        }
    })
}

fn weigh(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::desk::{ITEM, Work};
    use crate::app::notice::Notices;
    use crate::app::problems::OPTIONS;
    use crate::document::{Code, PARSED};

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
        (owner, Model::new(Desk::new(Work::of("debate", text)), host))
    }

    /// Asks the model all that the page asks it.
    fn ask(model: Model) -> (bool, bool) {
        model.original.track();
        model.problems().track();
        model.seen.track();
        let has_form = model.form.with_untracked(Option::is_some);
        let has_result = model.scored.with_untracked(|e| e.result.is_some());
        (has_form, has_result)
    }

    #[test]
    fn what_was_before_is_of_the_same_debate() {
        let debate = r#"{"candidates": [{"id": "A", "wins": 0, "reviews": []}]}"#;
        let (_owner, model) = model(&format!("{debate}\n{debate}"));
        let before = model.before();
        let is_there = || before.with_untracked(|before| before.scored.is_some());
        assert!(!is_there());
        model.desk.set("w_base", Some("0.7".into()));
        assert!(is_there());
        model.desk.settle();
        model.desk.set(ITEM, Some("1".into()));
        assert!(!is_there());
    }

    #[test]
    fn a_keystroke_parses_the_text_once_and_a_weight_not_at_all() {
        let text = r#"{"candidates": [{"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0}]},
            {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
        let (_owner, model) = model(text);
        assert_eq!(ask(model), (true, true));
        let before = PARSED.get();
        model
            .desk
            .type_text("debate", text.replace("\"support\": 2", "\"support\": 1"));
        assert_eq!(ask(model), (true, true));
        assert_eq!(PARSED.get() - before, 1);
        model.desk.set("w_base", Some("0.5".into()));
        assert_eq!(ask(model), (true, true));
        assert_eq!(PARSED.get() - before, 1);
        let before = PARSED.get();
        model
            .desk
            .type_text(PROFILES.name, r#"{"domains": {"x": {}}}"#.into());
        ask(model);
        assert!(model.own_profiles.with_untracked(|own| {
            let parsed = own.as_ref().expect("filled");
            parsed.node(0).is_some()
        }));
        assert_eq!(PARSED.get() - before, 1);
        model.desk.type_text("debate", "{".into());
        assert_eq!(ask(model), (false, false));
    }

    #[test]
    fn what_is_hardly_a_debate_is_said_by_the_verdict() {
        let review = r#"{"support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0}"#;
        let candidate = |id: &str, more: &str| {
            format!(r#"{{"id": "{id}", "wins": 0, "reviews": [{review}]{more}}}"#)
        };
        let said = |root: &str, more: &str| {
            let (a, b) = (candidate("A", more), candidate("B", ""));
            let (_owner, model) = model(&format!(r#"{{"candidates": [{a}, {b}]{root}}}"#));
            assert!(ask(model).1);
            let own = |remark: &Problem| remark.input.as_deref() == Some(OPTIONS);
            let remarks = untrack(|| model.remarks()).into_iter().filter(own);
            remarks.map(|remark| remark.code).collect::<Vec<_>>()
        };
        assert_eq!(said("", ""), []);
        assert_eq!(said(r#", "a": 1"#, r#", "b": 1"#), []);
        assert_eq!(said(r#", "a": 1, "b": 2"#, ""), [Code::FewKeys]);
        let others = r#", "a": 1, "b": 2, "c": 3, "d": 4"#;
        assert_eq!(said("", others), [Code::FewKeys]);
    }
}
