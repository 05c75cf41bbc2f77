//! The browser's local storage.

use super::Refused;
use web_sys::Storage;

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// What is kept under a key; none also when storage is switched off.
pub fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Keeps a text; fails when there is no room or storage is switched off.
pub fn write(key: &str, text: &str) -> Result<(), Refused> {
    let storage = storage().ok_or(Refused)?;
    storage.set_item(key, text).map_err(|_| Refused)
}
