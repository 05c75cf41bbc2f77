//! Files that are served beside the page.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

/// The text of a file beside the page, as the server has it now.
pub async fn text(relative: &str) -> Result<String, String> {
    let failed = |_| format!("{relative} could not be loaded");
    let window = web_sys::window().ok_or("no window")?;
    let url = super::location::beside_the_page(relative);
    let init = RequestInit::new();
    init.set_cache(RequestCache::NoCache);
    let response = JsFuture::from(window.fetch_with_str_and_init(&url, &init))
        .await
        .map_err(|_| format!("{relative} could not be loaded: no connection to the server"))?;
    let response: Response = response.dyn_into().map_err(failed)?;
    if !response.ok() {
        return Err(format!(
            "{relative} could not be loaded (status {})",
            response.status()
        ));
    }
    let body = JsFuture::from(response.text().map_err(failed)?)
        .await
        .map_err(failed)?;
    let text = body
        .as_string()
        .ok_or_else(|| format!("{relative} is not a text"))?;
    // some servers answer every address with the page
    let start = text.trim_start().get(..9).unwrap_or_default();
    if start.eq_ignore_ascii_case("<!doctype") {
        return Err(format!(
            "{relative} could not be loaded: the server gave a page in its place"
        ));
    }
    Ok(text)
}
