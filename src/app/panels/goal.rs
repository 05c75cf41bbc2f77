//! Going to the place in a result that a link names, once that place is there.

use leptos::prelude::*;

use crate::app::browser::field;
use crate::app::derived::effect;
use crate::share::Goal;

/// What the parts of a result know of a link that was opened. It is a context: a part may come
/// long after the rest.
#[derive(Clone, Copy)]
pub struct Goals {
    /// The place, until somebody has gone there.
    goal: RwSignal<Option<Goal>>,
    /// Whether the result is of what the link opened.
    is_current: Signal<bool>,
}

impl Goals {
    /// For the parts of a result, which is that of what there is now or is not.
    pub fn provide(goal: RwSignal<Option<Goal>>, is_current: Signal<bool>) {
        provide_context(Self { goal, is_current });
    }

    /// What is to be gone to in a section. Tracked.
    fn wanted(self, section: &str) -> Option<Goal> {
        let goal = self.goal.get().filter(|goal| goal.section == section);
        goal.filter(|_| self.is_current.get())
    }

    /// Does it a frame later, unless this part is gone by then: what is opened on the bench that is
    /// shown is drawn anew.
    fn leave_for(self, go: impl FnOnce() + 'static) {
        let here = StoredValue::new(());
        request_animation_frame(move || {
            if here.try_get_value().is_some() {
                self.goal.set(None);
                go();
            }
        });
    }
}

/// Goes to a section, and unfolds it.
pub fn follow_section(section: &'static str, open: Option<RwSignal<bool>>) {
    let Some(goals) = use_context::<Goals>() else {
        return;
    };
    effect(move || {
        if goals.wanted(section).is_none_or(|goal| goal.row.is_some()) {
            return;
        }
        goals.leave_for(move || {
            if let Some(open) = open {
                open.set(true);
            }
            // what it shows is there a frame later
            request_animation_frame(move || field::go_to(&format!("part-{section}")));
        });
    });
}

/// Goes to a row of a section, once it is found.
pub fn follow_rows(
    section: &'static str,
    find: impl Fn(&str) -> Option<usize> + Send + Sync + 'static,
    go: impl Fn(usize) + Clone + Send + Sync + 'static,
) {
    let Some(goals) = use_context::<Goals>() else {
        return;
    };
    effect(move || {
        let row = goals.wanted(section).and_then(|goal| goal.row);
        if let Some(at) = row.and_then(|row| find(&row)) {
            let go = go.clone();
            goals.leave_for(move || go(at));
        }
    });
}
