//! A world for unit tests: what is kept is kept in memory, and a file that is given stays.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Outside;
use crate::app::drawer::Drawer;
use crate::app::kept::shelf::Shelf;

thread_local! {
    static KEPT: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
    static FILE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A world in which this is kept, as key and text.
pub fn with(kept: &[(&str, &str)]) -> Outside {
    let kept = kept.iter();
    let kept = kept.map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
    KEPT.set(kept.collect());
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
            KEPT.with_borrow_mut(|kept| kept.insert(key.to_owned(), text.to_owned()));
            true
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
        tidy: |_, _| {},
    },
    clock: || 10_000.0,
    give_file: |_, text| {
        FILE.set(text.to_owned());
        true
    },
    ..Outside::NOWHERE
};
