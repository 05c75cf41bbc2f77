//! Files that the user takes along.

use super::Refused;
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Offers a text as a file; fails where the browser does not allow it.
pub fn offer(name: &str, media_type: &str, text: &str) -> Result<(), Refused> {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options).map_err(|_| Refused)?;
    offer_blob(name, &blob)
}

/// Offers bytes as a file.
pub fn offer_blob(name: &str, blob: &Blob) -> Result<(), Refused> {
    let url = Url::create_object_url_with_blob(blob).map_err(|_| Refused)?;
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(Refused)?;
    let anchor: HtmlAnchorElement = document
        .create_element("a")
        .map_err(|_| Refused)?
        .dyn_into()
        .map_err(|_| Refused)?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // the download has its own hold on the data once it has started
    gloo::timers::callback::Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    Ok(())
}
