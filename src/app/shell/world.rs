//! A world for unit tests: what is kept is kept in memory, and a file that is given stays.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use super::Outside;
use crate::app::desk::Work;
use crate::app::drawer::Drawer;
use crate::app::kept::shelf::Shelf;

thread_local! {
    static KEPT: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
    static FILE: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_FULL: Cell<bool> = const { Cell::new(false) };
    static ASKED: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// From now on there is room for nothing.
pub fn fill() {
    IS_FULL.set(true);
}

/// A world in which this is kept, whose drawer and examples answer when they are told to.
pub fn slow(kept: &[(&str, &str)]) -> Outside {
    with(kept);
    again()
}

/// The example of the toy bench.
pub fn example() -> Work {
    Work::of("poem", "{\"verses\": [\"an example\"]}")
}

/// The same with what is kept there now.
pub fn again() -> Outside {
    let mut world = WORLD;
    world.fetch_example = |_, done| {
        ASKED.with_borrow_mut(|asked| asked.push(Box::new(move || done(Ok(example())))));
    };
    world.drawer.get = |keys, done| {
        ASKED.with_borrow_mut(|asked| asked.push(Box::new(move || (WORLD.drawer.get)(keys, done))));
    };
    world
}

/// Lets a slow world answer.
pub fn answer() {
    for answer in ASKED.take() {
        answer();
    }
}

/// A world in which this is kept, as key and text.
pub fn with(kept: &[(&str, &str)]) -> Outside {
    let kept = kept.iter();
    let kept = kept.map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
    KEPT.set(kept.collect());
    IS_FULL.set(false);
    WORLD
}

/// The file that was given last.
pub fn file() -> String {
    FILE.with_borrow(Clone::clone)
}

const WORLD: Outside = Outside {
    shelf: Shelf {
        read: |key| KEPT.with_borrow(|kept| kept.get(key).cloned()),
        write: |key, text| {
            let is_full = IS_FULL.get();
            if !is_full {
                KEPT.with_borrow_mut(|kept| kept.insert(key.to_owned(), text.to_owned()));
            }
            !is_full
        },
        remove: |key| {
            KEPT.with_borrow_mut(|kept| kept.remove(key));
        },
        keys: || KEPT.with_borrow(|kept| kept.keys().cloned().collect()),
    },
    drawer: Drawer {
        put: |entries, done| {
            for (key, text) in entries {
                KEPT.with_borrow_mut(|kept| kept.insert(format!("drawer.{key}"), text.to_string()));
            }
            done(true);
        },
        get: |keys, done| {
            let text =
                |key: &String| KEPT.with_borrow(|kept| kept.get(&format!("drawer.{key}")).cloned());
            done(Some(keys.iter().map(text).collect()));
        },
        tidy: |_, _, _| {},
    },
    clock: || 10_000.0,
    give_file: |_, text| {
        FILE.set(text.to_owned());
        true
    },
    ..Outside::NOWHERE
};
