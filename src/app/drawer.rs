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
    /// Forgets all keys but these, at this time of the clock.
    pub tidy: fn(Vec<String>, f64),
}

/// The browser's own.
pub const DRAWER: Drawer = Drawer {
    put: |entries, done| {
        spawn_local(async move {
            let is_there = match put(entries).await {
                Ok(putting) => putting.await,
                Err(NotLoaded) => false,
            };
            done(is_there);
        });
    },
    get: |keys, done| {
        spawn_local(async move {
            let found = match get(keys).await {
                Ok(getting) => getting.await,
                Err(NotLoaded) => None,
            };
            done(found);
        });
    },
    tidy: |needed, now| {
        let before = format!("{:015.0}", now - OLD);
        spawn_local(async move {
            // what stays is tidied another time
            if let Ok(tidying) = tidy(needed, before).await {
                tidying.await;
            }
        });
    },
};

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
fn tidy(needed: Vec<String>, before: String) -> Result<Going<()>, NotLoaded> {
    Ok(Box::pin(async move {
        let _ = texts::tidy(&needed, &before).await;
    }))
}

#[cfg(test)]
impl Drawer {
    /// What was put there is there, and nothing else.
    pub const NOWHERE: Self = Self {
        put: |_, done| done(true),
        get: |_, done| done(None),
        tidy: |_, _| {},
    };
}
