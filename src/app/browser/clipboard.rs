//! The clipboard.

use super::Refused;
use wasm_bindgen_futures::JsFuture;

/// Copies a text; fails where the browser does not allow it.
pub async fn copy(text: &str) -> Result<(), Refused> {
    let window = web_sys::window().ok_or(Refused)?;
    if !window.is_secure_context() {
        return Err(Refused); // there is no clipboard at all
    }
    let promise = window.navigator().clipboard().write_text(text);
    JsFuture::from(promise)
        .await
        .map(|_| ())
        .map_err(|_| Refused)
}
