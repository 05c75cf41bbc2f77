//! The memos of a session: its text is parsed once, and everything follows from that.

use std::sync::Arc;

use leptos::prelude::*;

use super::options;
use crate::app::bench::Host;
use crate::app::derived::Derived;
use crate::app::desk::Desk;
use crate::app::model::{Shared, problems_in, scoring};
use crate::constitution::form::Form;
use crate::constitution::{self, Log, RewardResult};
use crate::document::Problem;

/// What follows from the work on the bench.
#[derive(Clone, Copy)]
pub struct Model {
    /// The work.
    pub desk: Desk,
    /// What the page gives the bench.
    pub host: Host,
    /// The turns as a form; none while the text is not JSON.
    pub form: Derived<Option<Arc<Form>>>,
    /// The turns as read.
    pub log: Shared<Log>,
    /// The result.
    pub scored: Shared<RewardResult>,
    /// The same with the method's or the session's own weights.
    pub original: Shared<RewardResult>,
}

impl Model {
    /// The memos of a desk.
    pub fn new(desk: Desk, host: Host) -> Self {
        let text = desk.text("turns");
        let parsed = Derived::new(move || text.with(|text| Arc::new(constitution::parse(text))));
        let log = Derived::new(move || parsed.with(|parsed| constitution::read_from(parsed)));
        // a weight that is dragged leaves the original as it is
        let others = Memo::new(move |_| desk.work.with(options::without_weights));
        Self {
            desk,
            host,
            form: Derived::new(move || parsed.with(|parsed| Form::of(parsed).map(Arc::new))),
            log,
            scored: scoring(log, desk.work, |log, work| options::score(log, work, true)),
            original: scoring(log, others, |log, work| options::score(log, work, false)),
        }
    }

    /// The problems of the text.
    pub fn problems(self) -> Signal<Vec<Problem>> {
        problems_in(self.desk, self.scored, "turns")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::desk::Work;
    use crate::app::notice::Notices;
    use crate::document::PARSED;

    fn model(text: &str) -> (Owner, Model) {
        let owner = Owner::new();
        owner.set();
        let host = Host {
            bench: &super::super::BENCH,
            notices: Notices::default(),
            is_shown: Signal::stored(true),
            open_example: Callback::new(|()| {}),
        };
        (owner, Model::new(Desk::new(Work::of("turns", text)), host))
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
        assert_eq!(ask(model), (false, false));
    }
}
