//! The page's address.

use wasm_bindgen::JsValue;

/// The part from `#` on; empty when there is none.
pub fn hash() -> String {
    web_sys::window()
        .and_then(|window| window.location().hash().ok())
        .unwrap_or_default()
}

/// Shows another `#…` in the address. A permalink or an empty address is
/// replaced; from one page to another there is a step back.
pub fn show(hash: &str) {
    let Some(window) = web_sys::window() else {
        return;
    };
    let before = self::hash();
    if before == hash {
        return;
    }
    if before.starts_with("#/") {
        let _ = window.location().set_hash(hash);
    } else if let Ok(history) = window.history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// Scrolls to the top of the page.
pub fn scroll_up() {
    if let Some(window) = web_sys::window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// The absolute address of something beside the page.
pub fn beside_the_page(relative: &str) -> String {
    let base = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.base_uri().ok().flatten())
        .unwrap_or_default();
    web_sys::Url::new_with_base(relative, &base)
        .map_or_else(|_| relative.to_owned(), |url| url.href())
}

/// Whether an address is on the page's own server.
pub fn is_own(address: &str) -> bool {
    let own = web_sys::window().and_then(|window| window.location().origin().ok());
    let url = web_sys::Url::new(address).ok();
    own.is_some() && own == url.map(|url| url.origin())
}

/// The page's address with another `#…`.
pub fn with_hash(hash: &str) -> String {
    let href = web_sys::window()
        .and_then(|window| window.location().href().ok())
        .unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}#{hash}")
}

/// Loads the page anew.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        let _ = window.location().reload();
    }
}
