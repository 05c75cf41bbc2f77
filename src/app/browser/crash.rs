//! What is left to say when the program breaks: the page goes on showing what
//! it showed, and a banner from index.html says that the text is kept.

/// From now on a panic shows the banner.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let banner = web_sys::window()
            .and_then(|window| window.document())
            .and_then(|document| document.get_element_by_id("broken"));
        if let Some(banner) = banner {
            let _ = banner.remove_attribute("hidden");
        }
    }));
}
