//! The theme's attribute on the root element, which the style sheets read.

/// Shows a theme: `light`, `dark`, or anything else for the system's.
pub fn show(name: &str) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.document_element());
    if let Some(root) = root {
        let _ = match name {
            "light" | "dark" => root.set_attribute("data-theme", name),
            _ => root.remove_attribute("data-theme"),
        };
    }
}
