//! The page without a network, and out of the browser: what is said of both in the footer.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::Shell;
use crate::app::browser::offline::{self, Kept};
use crate::app::derived::live;
use crate::app::format::bytes;
use crate::app::notice::Act;
use crate::app::route::Page;

/// How far the page can do without a network.
#[derive(Clone, Debug, PartialEq)]
enum State {
    /// Nothing is known, or this browser cannot.
    Unknown,
    /// Nobody has asked for it yet.
    Off,
    /// The page is being kept.
    Starting,
    /// It opens without one, and so many bytes are missing for all it can do.
    Opens(f64),
    /// They are being fetched: so many of so many.
    Fetching(f64, f64),
    /// They could not be fetched; why.
    Failed(String),
    /// All of it is there.
    Whole,
}

impl State {
    /// After asking what is missing, and after each file.
    fn after(kept: Kept, is_fetching: bool) -> Self {
        match kept {
            Kept::Failed(words) => Self::Failed(words),
            Kept::Bytes(done, all) if done >= all => Self::Whole,
            Kept::Bytes(done, all) if is_fetching => Self::Fetching(done, all),
            Kept::Bytes(_, all) => Self::Opens(all),
        }
    }

    /// What is said of it; none where there is nothing to say.
    fn words(&self) -> Option<String> {
        match self {
            Self::Unknown | Self::Off => None,
            Self::Starting => Some("Keeping the page …".to_owned()),
            Self::Opens(_) => Some("Opens without a network.".to_owned()),
            Self::Fetching(done, all) => {
                Some(format!("Fetched {} of {}.", bytes(*done), bytes(*all)))
            }
            Self::Failed(words) => Some(format!("Not all of it was kept: {words}.")),
            Self::Whole => Some("Works without a network.".to_owned()),
        }
    }

    /// What can be done about it.
    fn act(&self) -> Option<String> {
        match self {
            Self::Opens(missing) => Some(format!(
                "Keep the model and all the rest too: {}",
                bytes(*missing)
            )),
            Self::Off => Some("Make this work offline".to_owned()),
            Self::Failed(_) => Some("Try again".to_owned()),
            Self::Unknown | Self::Starting | Self::Fetching(..) | Self::Whole => None,
        }
    }
}

/// What the footer says of networks, and the way to be rid of everything.
#[component]
pub fn Offline() -> impl IntoView {
    let shell = expect_context::<Shell>();
    let state = RwSignal::new(State::Unknown);
    let ask = move |is_fetching| {
        spawn_local(offline::keep_all(is_fetching, move |kept| {
            state.set(State::after(kept, is_fetching));
        }));
    };
    let begin = move || {
        state.set(State::Starting);
        spawn_local(async move {
            match offline::start(move || another_version(shell)).await {
                Ok(()) => ask(false),
                Err(words) => state.set(State::Failed(words)),
            }
        });
    };
    spawn_local(async move {
        match offline::is_on().await {
            Some(true) => begin(),
            Some(false) => state.set(State::Off),
            None => {}
        }
    });
    offline::on_installed(begin);
    let act = move |_| match state.get_untracked() {
        State::Opens(missing) => {
            state.set(State::Fetching(0.0, missing));
            ask(true);
        }
        _ => begin(),
    };
    let shown = move || {
        let state = state.get();
        let button = state.act().map(|label| {
            view! {
                <button type="button" class="quiet" data-testid="keep-all" on:click=act>
                    {label}
                </button>
            }
        });
        view! { {state.words()} " " {button} }
    };
    view! {
        <p data-testid="offline" aria-live="polite">{live(shown)}</p>
        <button type="button" class="quiet" data-testid="remove-all" on:click=move |_| ask_to_remove(shell)>
            "Remove everything from this browser"
        </button>
    }
}

fn another_version(shell: Shell) {
    shell.notices.offer(
        "There is a new version of Assay. This page stays as it is until you load it, with your work.",
        Act::new("Load it", || spawn_local(offline::take_over())),
    );
}

fn ask_to_remove(shell: Shell) {
    let remove = move || {
        shell.stop_keeping();
        spawn_local(async move {
            if offline::remove_all().await.is_err() {
                shell
                    .notices
                    .warn("This browser did not let go of all of it.");
            }
        });
    };
    let mut acts = shell.ways_out();
    acts.push(Act::new("Show the runs, to save them", move || {
        shell.go(Page::Runs);
    }));
    acts.push(Act::new("Remove it", remove));
    shell.notices.insist(
        "This takes your work, what is under Recent, all runs that you kept, and all files of this page out of this browser. It cannot be undone. Other tabs of Assay keep theirs: close them first.",
        acts,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_follows_what_is_kept() {
        let state = State::after(Kept::Bytes(0.0, 3e7), false);
        assert_eq!(state, State::Opens(3e7));
        assert!(state.act().is_some_and(|act| act.contains("30.0 MB")));
        let state = State::after(Kept::Bytes(1e7, 3e7), true);
        assert_eq!(
            state.words().as_deref(),
            Some("Fetched 10.0 MB of 30.0 MB.")
        );
        assert_eq!(State::after(Kept::Bytes(3e7, 3e7), true), State::Whole);
        // nothing is missing
        assert_eq!(State::after(Kept::Bytes(0.0, 0.0), false), State::Whole);
        let failed = State::after(Kept::Failed("no room".into()), true);
        assert_eq!(failed.act().as_deref(), Some("Try again"));
        assert_eq!((State::Off.words(), State::Unknown.act()), (None, None));
    }
}
