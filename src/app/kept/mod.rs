//! What stays between visits.
//!
//! - [`record`]: a work as it is kept, its long texts elsewhere
//! - [`keeper`]: what one tab writes, and what it leaves to the others
//! - [`all`]: everything in one text: the file that a person saves, and what older pages kept
//!
//! The browser keeps short texts at once and together with what is said of them (local
//! storage), and long ones slowly and by themselves (a database, the drawer).

pub mod all;
pub mod keeper;
pub mod record;

/// The browser's local storage, as far as it is needed; a map in tests.
#[derive(Clone, Copy)]
pub struct Shelf {
    /// What is kept under a key.
    pub read: fn(&str) -> Option<String>,
    /// Keeps a text under a key; says whether there was room for it.
    pub write: fn(&str, &str) -> bool,
    /// Forgets a key.
    pub remove: fn(&str),
    /// All keys.
    pub keys: fn() -> Vec<String>,
}

#[cfg(test)]
impl Shelf {
    /// Nothing is kept, and nobody says so.
    pub const NOWHERE: Self = Self {
        read: |_| None,
        write: |_, _| true,
        remove: |_| {},
        keys: Vec::new,
    };
}
