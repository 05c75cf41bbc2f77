//! Files that are served beside the page.

use super::events::{File, Files, read_file};
use super::location;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestCache, RequestInit, Response};

/// What the server has now at an address of a file of this name.
async fn answer(url: &str, name: &str) -> Result<Response, String> {
    let window = web_sys::window().ok_or("no window")?;
    let init = RequestInit::new();
    init.set_cache(RequestCache::NoCache);
    let response = JsFuture::from(window.fetch_with_str_and_init(url, &init))
        .await
        .map_err(|_| format!("{name} could not be loaded: no connection to the server"))?;
    let response: Response = response
        .dyn_into()
        .map_err(|_| format!("{name} could not be loaded"))?;
    if !response.ok() {
        let status = response.status();
        return Err(format!("{name} could not be loaded (status {status})"));
    }
    Ok(response)
}

/// The text of a file beside the page, as the server has it now.
pub async fn text(relative: &str) -> Result<String, String> {
    let failed = |_| format!("{relative} could not be loaded");
    let response = answer(&location::beside_the_page(relative), relative).await?;
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

/// Files on the page's own server, by their addresses from the page; `%20` may stand for what an
/// address has no place for. Fails in words, for all of them.
pub async fn files(addresses: &[String]) -> Files {
    let (mut found, mut failed) = (Vec::new(), Vec::new());
    for address in addresses {
        match file(address).await {
            Ok(file) => found.push(file),
            Err(words) => failed.push(words),
        }
    }
    if addresses.is_empty() {
        return Err("The link names no file behind src=.".to_owned());
    }
    if failed.is_empty() {
        return Ok(found);
    }
    Err(format!(
        "The link could not be opened: {}.",
        failed.join("; ")
    ))
}

async fn file(address: &str) -> Result<File, String> {
    let named = js_sys::decode_uri_component(address).map_or(address.to_owned(), Into::into);
    let failed = |_| format!("{named} could not be read");
    let url = location::beside_the_page(address);
    if !location::is_own(&url) {
        return Err(format!(
            "{named} is on another server, and only files beside this page are opened by a link"
        ));
    }
    let response = answer(&url, &named).await?;
    let blob = JsFuture::from(response.blob().map_err(failed)?)
        .await
        .map_err(failed)?;
    let name = named.split(['?', '#']).next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let parts = js_sys::Array::of1(&blob);
    let file = web_sys::File::new_with_blob_sequence(&parts, name).map_err(failed)?;
    read_file(&file).await
}
