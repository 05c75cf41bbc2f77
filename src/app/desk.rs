//! The work on one bench: the document of record with its undo stack, and the
//! gestures that change it.

mod history;
mod work;

use std::sync::Arc;

use leptos::prelude::*;

use history::History;
pub use work::{ITEM, Texts, Work};
use work::{are_blank, same_texts};

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
    /// The document of record with its undo stack. Written by the methods below only.
    history: RwSignal<History<Work>>,
    /// What of the document stays while a setting moves. These are signals of their own:
    /// all that follows from a memo looks again whenever the memo may be another.
    texts: RwSignal<Texts>,
    item: RwSignal<Option<String>>,
    /// The document as it is now.
    pub work: Memo<Work>,
    /// The document before the last gesture, undo or redo.
    pub previous: Memo<Option<Work>>,
    /// Which face of its input is shown.
    pub face: RwSignal<Face>,
    /// Whether the input is folded away wherever there is a result to look at.
    pub is_folded: RwSignal<bool>,
    /// Whether the form is asked to begin with nothing, once it is there.
    pub is_starting: RwSignal<bool>,
    /// How often other work was put there: what is known of the one before says nothing of it.
    pub opened: RwSignal<u32>,
    /// What is told before a text changes.
    touch: StoredValue<Option<Arc<dyn Fn() + Send + Sync>>>,
}

impl Desk {
    /// A desk with this work on it.
    pub fn new(work: Work) -> Self {
        let (texts, item) = (work.texts.clone(), work.item());
        let history = RwSignal::new(History::new(work));
        Self {
            history,
            texts: RwSignal::new(texts),
            item: RwSignal::new(item),
            work: Memo::new(move |_| history.with(|history| history.present().clone())),
            previous: Memo::new(move |_| history.with(|history| history.previous().cloned())),
            face: RwSignal::new(Face::Text),
            is_folded: RwSignal::new(false),
            is_starting: RwSignal::new(false),
            opened: RwSignal::new(0),
            touch: StoredValue::new(None),
        }
    }

    /// From now on this is told before a text changes, and before anything looks at it.
    pub fn on_touch(self, tell: impl Fn() + Send + Sync + 'static) {
        self.touch.set_value(Some(Arc::new(tell)));
    }

    fn touched(self) {
        if let Some(tell) = self.touch.get_value() {
            tell();
        }
    }

    /// Puts work there as if nothing had been before.
    pub fn restore(self, work: Work) {
        self.touched();
        self.opened.update(|opened| *opened += 1);
        self.update(|history| *history = History::new(work));
    }

    fn update(self, change: impl FnOnce(&mut History<Work>)) {
        self.history.update(change);
        self.history.with_untracked(|history| {
            let work = history.present();
            if !self
                .texts
                .with_untracked(|texts| same_texts(texts, &work.texts))
            {
                self.texts.set(work.texts.clone());
            }
            if self.item.with_untracked(|item| *item != work.item()) {
                self.item.set(work.item());
            }
        });
    }

    /// All texts as typed.
    pub fn texts(self) -> Texts {
        self.texts.get()
    }

    /// Which of several documents in a text is on the bench, from 0.
    pub fn item(self) -> Memo<usize> {
        Memo::new(move |_| {
            let index = self.item.with(|item| item.as_ref()?.parse().ok());
            index.unwrap_or_default()
        })
    }

    /// The text of an input as typed.
    pub fn text(self, input: &'static str) -> Memo<Arc<str>> {
        let text = move |_: Option<&Arc<str>>| {
            self.texts
                .with(|texts| texts.get(input).cloned().unwrap_or_default())
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

    /// What a work is about, and from which file the text of an input came: what is known
    /// of both.
    pub fn with_file(self, topic: Option<String>, input: &'static str) -> Option<String> {
        let file = self.work.with(|work| work.file(input).map(str::to_owned));
        match (topic, file) {
            (Some(topic), Some(file)) => Some(format!("{topic} · {file}")),
            (topic, file) => topic.or(file),
        }
    }

    /// Shows the form and asks it to begin with nothing.
    pub fn start(self) {
        self.face.set(Face::Form);
        self.is_starting.set(true);
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
            self.touched();
            self.update(|history| history.change(gesture, |work| work.set_text(input, text)));
        }
        is_possible
    }

    /// Replaces a setting; dragging one slider is one step of undo.
    pub fn set(self, name: &'static str, value: Option<String>) {
        self.update(|history| history.change(name, |work| work.set(name, value)));
    }

    /// Replaces several settings; with the same gesture they are one step of undo.
    pub fn set_together(self, gesture: &str, settings: Vec<(&'static str, Option<String>)>) {
        self.update(|history| {
            history.change(gesture, |work| {
                for (name, value) in settings {
                    work.set(name, value);
                }
            });
        });
    }

    /// Changes several settings in one step of undo.
    pub fn change(self, name: &str, change: impl FnOnce(&mut Work)) {
        self.update(|history| {
            history.settle();
            history.change(name, change);
            history.settle();
        });
    }

    /// Resets settings in one step.
    pub fn reset(self, names: &[&str]) {
        self.update(|history| {
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
        self.touched();
        self.update(History::undo);
    }

    /// One step forward.
    pub fn redo(self) {
        self.touched();
        self.update(History::redo);
    }

    /// Whether there is nothing on it.
    pub fn is_blank(self) -> Memo<bool> {
        Memo::new(move |_| self.texts.with(are_blank))
    }

    /// Whether there is a step back, and one forward.
    pub fn steps(self) -> Memo<(bool, bool)> {
        Memo::new(move |_| {
            self.history
                .with(|history| (history.can_undo(), history.can_redo()))
        })
    }

    /// Puts other work in the place of what is there, as a step of undo.
    pub fn replace(self, work: Work) {
        self.touched();
        self.opened.update(|opened| *opened += 1);
        self.update(|history| {
            history.settle();
            history.change("open", |present| *present = work);
            history.settle();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> (Owner, Desk) {
        let owner = Owner::new();
        owner.set();
        (owner, Desk::new(Work::of("debate", "{}")))
    }

    #[test]
    fn typing_is_one_step_until_the_input_is_left() {
        let (_owner, desk) = desk();
        desk.type_text("debate", "{1".into());
        desk.type_text("debate", "{12".into());
        desk.settle();
        desk.type_text("debate", "{123".into());
        desk.undo();
        assert_eq!(&*desk.text("debate").get_untracked(), "{12");
        desk.undo();
        assert_eq!(&*desk.text("debate").get_untracked(), "{}");
        assert_eq!(desk.steps().get_untracked(), (false, true));
        desk.redo();
        assert_eq!(&*desk.text("debate").get_untracked(), "{12");
    }

    #[test]
    fn what_cannot_be_edited_stays_as_it_was_typed() {
        let (_owner, desk) = desk();
        assert!(!desk.edit("debate", "try", |_| None));
        assert_eq!(desk.steps().get_untracked(), (false, false));
        assert!(desk.edit("debate", "try", |text| Some(format!("[{text}]"))));
        assert_eq!(&*desk.text("debate").get_untracked(), "[{}]");
    }

    #[test]
    fn a_reset_and_an_opened_work_are_steps_of_their_own() {
        let (_owner, desk) = desk();
        desk.set("a", Some("1".into()));
        desk.set("a", Some("2".into()));
        desk.reset(&["a"]);
        desk.replace(Work::of("debate", "[]"));
        for expected in [None, Some("2"), None] {
            desk.undo();
            let setting = desk.setting("a").get_untracked();
            assert_eq!(setting.as_deref(), expected);
        }
    }
}
