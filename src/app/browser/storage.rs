//! The browser's local storage: short texts by key, at once, shared by all tabs.

use super::Refused;
use gloo::events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{Storage, StorageEvent};

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

/// Forgets a key.
pub fn remove(key: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(key);
    }
}

/// All keys.
pub fn keys() -> Vec<String> {
    let Some(storage) = storage() else {
        return Vec::new();
    };
    let count = storage.length().unwrap_or_default();
    (0..count)
        .filter_map(|index| storage.key(index).ok().flatten())
        .collect()
}

/// What other tabs keep: the key; none when everything was forgotten.
pub fn on_change(handler: impl Fn(Option<String>) + 'static) {
    EventListener::new(&gloo::utils::window(), "storage", move |event| {
        if let Some(event) = event.dyn_ref::<StorageEvent>() {
            handler(event.key());
        }
    })
    .forget();
}

/// A name that no other tab has.
pub fn tab() -> String {
    format!("{:x}", (js_sys::Math::random() * 9e15) as u64)
}

/// A time in milliseconds since 1970 as people here write it.
pub fn local_time(at: f64) -> String {
    let date = js_sys::Date::new(&at.into());
    date.to_locale_string("default", &wasm_bindgen::JsValue::UNDEFINED)
        .into()
}

/// The day here, as 2026-11-23.
pub fn today() -> String {
    let now = js_sys::Date::new_0();
    let (year, month, day) = (now.get_full_year(), now.get_month() + 1, now.get_date());
    format!("{year}-{month:02}-{day:02}")
}

/// Milliseconds since 1970.
pub fn clock() -> f64 {
    js_sys::Date::now()
}
