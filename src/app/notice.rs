//! The notices of the page: what the user should know that has no other place.

use std::fmt;
use std::sync::Arc;

use leptos::prelude::*;

/// Something the user should know.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Whether something went wrong.
    pub is_error: bool,
    /// What, in words.
    pub text: String,
    /// What can be done about it.
    pub acts: Vec<Act>,
}

/// Something that can be done about a notice, which goes away then or stays. No callback of the
/// library: that ends with the view in which it was made, and a notice does not.
#[derive(Clone)]
pub struct Act {
    /// As the button says it.
    pub label: &'static str,
    /// Whether the notice stays: what it asks is still to be answered.
    pub stays: bool,
    run: Arc<dyn Fn() + Send + Sync>,
}

impl fmt::Debug for Act {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.label)
    }
}

impl Act {
    /// An act.
    pub fn new(label: &'static str, run: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            label,
            stays: false,
            run: Arc::new(run),
        }
    }

    /// An act that leaves the notice where it is.
    pub fn beside(label: &'static str, run: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            stays: true,
            ..Self::new(label, run)
        }
    }

    /// Does it.
    pub fn run(&self) {
        (self.run)();
    }
}

/// Where notices are shown: those that stand until they are dismissed, and one about what
/// was done last.
#[derive(Clone, Copy)]
pub struct Notices {
    standing: RwSignal<Vec<Notice>>,
    last: RwSignal<Option<Notice>>,
}

impl Default for Notices {
    fn default() -> Self {
        Self {
            standing: RwSignal::new(Vec::new()),
            last: RwSignal::new(None),
        }
    }
}

impl Notices {
    /// All that are shown, the newest last. Tracked.
    pub fn all(self) -> Vec<Notice> {
        let mut all = self.standing.get();
        all.extend(self.last.get());
        all
    }

    /// The notice about what was done last. Tracked.
    pub fn get(self) -> Option<Notice> {
        self.last.get()
    }

    /// Says something.
    pub fn say(self, text: impl Into<String>) {
        self.show(text.into(), false);
    }

    /// Says that something went wrong.
    pub fn warn(self, text: impl Into<String>) {
        self.show(text.into(), true);
    }

    fn show(self, text: String, is_error: bool) {
        self.last.set(Some(Notice {
            is_error,
            text,
            acts: Vec::new(),
        }));
    }

    /// Says something that stays until it is dismissed, whatever is said beside it; once.
    pub fn insist(self, text: impl Into<String>, acts: Vec<Act>) {
        self.stand(text.into(), true, acts);
    }

    /// The same of something that went well.
    pub fn tell(self, text: impl Into<String>) {
        self.stand(text.into(), false, Vec::new());
    }

    /// Says what is there to be had, with the way to it.
    pub fn offer(self, text: impl Into<String>, act: Act) {
        self.stand(text.into(), false, vec![act]);
    }

    fn stand(self, text: String, is_error: bool, acts: Vec<Act>) {
        self.standing.update(|standing| {
            standing.retain(|other| other.text != text);
            standing.push(Notice {
                is_error,
                text,
                acts,
            });
        });
    }

    /// Takes away what was said about what was done last.
    pub fn dismiss(self) {
        self.last.set(None);
    }

    /// Takes away what stands about something that is no longer there.
    pub fn dismiss_about(self, subject: &str) {
        self.standing
            .update(|standing| standing.retain(|other| !other.text.starts_with(subject)));
    }

    /// Takes a notice away.
    pub fn dismiss_one(self, text: &str) {
        self.standing
            .update(|standing| standing.retain(|other| other.text != text));
        if self
            .last
            .with_untracked(|last| last.as_ref().is_some_and(|last| last.text == text))
        {
            self.last.set(None);
        }
    }
}
