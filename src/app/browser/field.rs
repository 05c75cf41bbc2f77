//! Fields and dialogs by their id.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlDialogElement, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

fn element<T: JsCast>(id: &str) -> Option<T> {
    let element: Element = web_sys::window()?.document()?.get_element_by_id(id)?;
    element.dyn_into().ok()
}

/// Puts the caret of a text area at an offset in UTF-16 units, and into view.
/// `line` of `lines` is where it is.
pub fn place_caret(id: &str, offset: u32, line: u32) {
    let Some(area) = element::<HtmlTextAreaElement>(id) else {
        return;
    };
    let _ = area.focus();
    let _ = area.set_selection_range(offset, offset);
    // the text area is as tall as its text; the box around it scrolls
    if let Some(scroller) = area.closest(".text-scroll").ok().flatten() {
        let lines = area.rows().max(1);
        let per_line = f64::from(area.scroll_height()) / f64::from(lines);
        let middle = per_line * f64::from(line) - f64::from(scroller.client_height()) / 2.0;
        scroller.set_scroll_top(middle.max(0.0) as i32);
    }
}

/// Focuses something.
pub fn focus(id: &str) {
    if let Some(element) = element::<HtmlElement>(id) {
        let _ = element.focus();
    }
}

/// Selects the whole text of an input, ready to be copied.
pub fn select(id: &str) {
    if let Some(input) = element::<HtmlInputElement>(id) {
        input.select();
    }
}

/// Opens or closes a dialog.
pub fn show_dialog(id: &str, open: bool) {
    if let Some(dialog) = element::<HtmlDialogElement>(id)
        && dialog.open() != open
    {
        if open {
            let _ = dialog.show_modal();
        } else {
            dialog.close();
        }
    }
}
