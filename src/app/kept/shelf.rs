//! Where short texts are kept.

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
