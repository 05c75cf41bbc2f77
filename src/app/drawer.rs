//! Long texts that the browser keeps, whose code is fetched when there is one.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

use std::pin::Pin;
use std::sync::Arc;

use leptos::task::spawn_local;
use wasm_split_helpers::wasm_split;

use super::browser::tasks::within;
use super::browser::texts;
use super::parts::NotLoaded;

/// How old a key must be before it is forgotten, in milliseconds: another tab may have put
/// it there a moment ago.
const OLD: f64 = 3_600_000.0;

/// What goes on when something is there, whatever view asked for it.
pub type Done<T> = Box<dyn FnOnce(T)>;

/// Texts with their keys.
pub type Entries = Vec<(String, Arc<str>)>;
/// What is found, key by key; none where nothing can be looked at.
pub type Found = Option<Vec<Option<String>>>;

/// How long the browser has for an answer, in milliseconds.
const PATIENCE: u32 = 20_000;

/// What is done with long texts; something else in tests.
#[derive(Clone, Copy)]
pub struct Drawer {
    /// Puts texts there under keys that were never there, and says whether they are.
    pub put: fn(Entries, Done<bool>),
    /// What is there, key by key; none where it cannot be looked at.
    pub get: fn(Vec<String>, Done<Found>),
    /// Forgets these keys, and all that are old at this time of the clock, but for those
    /// that are needed when it comes to that.
    pub tidy: fn(Vec<String>, Needed, f64),
}

/// Tells which keys are needed.
pub type Needed = Box<dyn Fn() -> Vec<String>>;

/// The browser's own.
pub const DRAWER: Drawer = Drawer {
    put: |entries, done| hand(put(entries), false, done),
    get: |keys, done| hand(get(keys), None, done),
    tidy: |forgotten, needed, now| {
        let before = format!("{:015.0}", now - OLD);
        // what stays is tidied another time
        hand(tidy(forgotten, needed, before), (), Box::new(|()| ()));
    },
};

/// Gives what comes of it, or this where its code cannot be fetched.
fn hand<T: 'static>(
    coming: impl Future<Output = Result<Going<T>, NotLoaded>> + 'static,
    otherwise: T,
    done: Done<T>,
) {
    spawn_local(async move {
        let given = match coming.await {
            Ok(going) => going.await,
            Err(NotLoaded) => otherwise,
        };
        done(given);
    });
}

/// What goes on in code that was fetched.
type Going<T> = Pin<Box<dyn Future<Output = T>>>;

#[wasm_split(more, fallible)]
fn put(entries: Entries) -> Result<Going<bool>, NotLoaded> {
    Ok(Box::pin(async move {
        let put = within(PATIENCE, texts::put(&entries)).await;
        put.is_some_and(|put| put.is_ok())
    }))
}

#[wasm_split(more, fallible)]
fn get(keys: Vec<String>) -> Result<Going<Found>, NotLoaded> {
    Ok(Box::pin(async move {
        within(PATIENCE, texts::get(&keys)).await?.ok()
    }))
}

#[wasm_split(more, fallible)]
fn tidy(forgotten: Vec<String>, needed: Needed, before: String) -> Result<Going<()>, NotLoaded> {
    Ok(Box::pin(async move {
        let is_due = move |key: &str| *key < *before || forgotten.iter().any(|old| old == key);
        let _ = texts::tidy(is_due, needed).await;
    }))
}

#[cfg(test)]
impl Drawer {
    /// What was put there is there, and nothing else.
    pub const NOWHERE: Self = Self {
        put: |_, done| done(true),
        get: |_, done| done(None),
        tidy: |_, _, _| {},
    };
}
