//! What was known of earlier readings, for the one that goes on.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use crate::persona::Known;

/// What is known of earlier readings, lent to the one that goes on; it comes back also
/// from a reading that is dropped.
pub struct Lent {
    /// It.
    pub known: Known,
    home: Arc<Mutex<Known>>,
}

impl Lent {
    /// Takes it from where it is kept.
    pub fn from(home: &Arc<Mutex<Known>>) -> Self {
        let mut known = home.lock().unwrap_or_else(PoisonError::into_inner);
        Self {
            known: mem::take(&mut *known),
            home: home.clone(),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut home = self.home.lock().unwrap_or_else(PoisonError::into_inner);
        *home = mem::take(&mut self.known);
    }
}
