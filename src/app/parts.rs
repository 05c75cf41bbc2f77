//! Code that is fetched when it is first needed. What it makes is there at once
//! where the code is, and later where it is not.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::derived::live;

/// The code could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl From<wasm_split_helpers::SplitLoaderError> for NotLoaded {
    fn from(_: wasm_split_helpers::SplitLoaderError) -> Self {
        Self
    }
}

/// What comes with code that is on its way.
pub type Fetching<T> = Pin<Box<dyn Future<Output = Result<T, NotLoaded>>>>;

/// Hands on what comes: now, where the code is there, or later. Says whether it is later.
pub fn fetch<T: 'static>(
    mut fetching: Fetching<T>,
    arrived: impl FnOnce(Result<T, NotLoaded>) + 'static,
) -> bool {
    let mut now = Context::from_waker(Waker::noop());
    match fetching.as_mut().poll(&mut now) {
        Poll::Ready(found) => arrived(found),
        Poll::Pending => {
            spawn_local(async move { arrived(fetching.await) });
            return true;
        }
    }
    false
}

/// What is shown where code could not be fetched: what that is, and the way to try again.
pub fn not_loaded(what: &'static str, again: impl Fn() + 'static) -> AnyView {
    view! {
        <div class="on-the-way">
            <p role="alert" data-testid="not-loaded">
                <strong>{what}" could not be loaded."</strong>
                " The network or the server did not give its code. Your work is kept."
            </p>
            <button
                type="button"
                class="primary"
                data-testid="load-again"
                on:click=move |_| again()
            >
                "Try again"
            </button>
        </div>
    }
    .into_any()
}

/// A part of a view whose code is fetched when it is first shown.
pub fn later(
    what: &'static str,
    fetching: impl Fn() -> Fetching<ViewFn> + Copy + Send + Sync + 'static,
) -> AnyView {
    let found = RwSignal::new(None::<Result<ViewFn, NotLoaded>>);
    // a part that is left before it comes is gone when it does
    let ask = move || {
        fetch(fetching(), move |part| {
            found.try_set(Some(part));
        });
    };
    ask();
    let again = move || {
        found.set(None);
        ask();
    };
    live(move || match found.get() {
        None => ().into_any(),
        Some(Ok(part)) => part.run(),
        Some(Err(NotLoaded)) => not_loaded(what, again),
    })
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_comes_at_once() {
        let came = std::rc::Rc::new(std::cell::Cell::new(None));
        let arrived = came.clone();
        let is_later = fetch(Box::pin(std::future::ready(Ok(3))), move |found| {
            arrived.set(Some(found));
        });
        assert_eq!((is_later, came.get()), (false, Some(Ok(3))));
    }
}
