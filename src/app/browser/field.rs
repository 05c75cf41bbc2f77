//! Fields and dialogs by their id.

use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{
    ClipboardEvent, Element, Event, HtmlDialogElement, HtmlElement, HtmlInputElement,
    HtmlTextAreaElement, css,
};

use super::caret::carried;

fn element<T: JsCast>(id: &str) -> Option<T> {
    let element: Element = web_sys::window()?.document()?.get_element_by_id(id)?;
    element.dyn_into().ok()
}

/// Puts the caret of a text area at an offset in UTF-16 units, and into view.
/// `line` of `lines` is where it is.
pub fn place_caret(id: &str, offset: u32, line: u32) {
    let Some(area) = element::<HtmlTextAreaElement>(id) else {
        return show_line(&id.replacen("input-", "lines-", 1), line);
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

/// Scrolls a list of lines so that one is in its middle.
fn show_line(id: &str, line: u32) {
    let list = element::<HtmlElement>(id);
    let Some(list) = list else { return };
    let lines = list
        .get_attribute("data-lines")
        .and_then(|lines| lines.parse().ok());
    let Some(scroller) = list.query_selector(".windowed").ok().flatten() else {
        return;
    };
    let per_line = f64::from(scroller.scroll_height()) / lines.unwrap_or(1.0);
    let middle = per_line * f64::from(line) - f64::from(scroller.client_height()) / 2.0;
    scroller.set_scroll_top(middle.max(0.0) as i32);
    if let Some(scroller) = scroller.dyn_ref::<HtmlElement>() {
        let _ = scroller.focus();
    }
}

/// The whole text of a field after a paste, where the pasted text is
/// `long`; the field itself is left as it is.
pub fn pasted(event: &ClipboardEvent, long: fn(&str) -> bool) -> Option<String> {
    let area: HtmlTextAreaElement = event.target()?.dyn_into().ok()?;
    let pasted = event.clipboard_data()?.get_data("text/plain").ok()?;
    if !long(&pasted) {
        return None;
    }
    let before: Vec<u16> = area.value().encode_utf16().collect();
    let start = area.selection_start().ok()??.min(before.len() as u32) as usize;
    let end = area.selection_end().ok()??.min(before.len() as u32) as usize;
    let [head, tail] = [&before[..start], &before[end..]].map(String::from_utf16_lossy);
    Some([head, pasted, tail].concat())
}

/// Focuses something.
pub fn focus(id: &str) {
    if let Some(element) = element::<HtmlElement>(id) {
        let _ = element.focus();
    }
}

/// Focuses something and scrolls to where it begins.
pub fn go_to(id: &str) {
    if let Some(element) = element::<HtmlElement>(id) {
        let _ = element.focus();
        element.scroll_into_view();
    }
}

/// Scrolls as little as it takes to see something with its margin for scrolling.
pub fn reveal(id: &str) {
    if let Some(element) = element::<Element>(id) {
        scroll_nearest(&element);
    }
}

fn scroll_nearest(element: &Element) {
    let nearest = web_sys::ScrollIntoViewOptions::new();
    nearest.set_block(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&nearest);
}

/// Focuses something and leaves the page where it is.
pub fn focus_still(id: &str) {
    let still = web_sys::FocusOptions::new();
    still.set_prevent_scroll(true);
    if let Some(element) = element::<HtmlElement>(id) {
        let _ = element.focus_with_options(&still);
    }
}

/// Where in the window the focus is, inside of an element of this class: what it gives
/// scrolls that element and the page so that it is there again.
pub fn hold_focus(class: &'static str) -> impl FnOnce() + 'static {
    let held = document().active_element().and_then(|field| {
        let around = field.closest(&format!(".{class}")).ok()??;
        Some((field.get_bounding_client_rect().top(), field, around))
    });
    move || {
        let Some((top, field, around)) = held else {
            return;
        };
        let moved = || field.get_bounding_client_rect().top() - top;
        // what does not scroll stays as it is
        around.set_scroll_top(around.scroll_top() + moved().round() as i32);
        window().scroll_by_with_x_and_y(0.0, moved());
    }
}

/// What has the focus now: what it gives puts the focus back there.
pub fn keep_focus() -> impl Fn() + Clone + 'static {
    let held = document().active_element();
    move || {
        let element = held
            .clone()
            .and_then(|held| held.dyn_into::<HtmlElement>().ok());
        if let Some(element) = element {
            let _ = element.focus();
        }
    }
}

/// Focuses something where what had the focus is gone, so that Tab goes on from there.
pub fn focus_if_lost(id: &str) {
    let active = document().active_element();
    if active.is_none_or(|active| active.tag_name() == "BODY") {
        focus_still(id);
    }
}

/// Focuses a text area, ready to go on writing.
pub fn focus_end(id: &str) {
    if let Some(area) = element::<HtmlTextAreaElement>(id) {
        let end = area.text_length();
        let _ = area.focus();
        let _ = area.set_selection_range(end, end);
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

/// Empties an input of one line.
pub fn clear(id: &str) {
    if let Some(input) = element::<HtmlInputElement>(id) {
        input.set_value("");
    }
}

/// Shows a text in a text area; the caret stays with the characters around it.
pub fn show_text(id: &str, text: &str) {
    let Some(area) = element::<HtmlTextAreaElement>(id) else {
        return;
    };
    let before = area.value();
    if before == text {
        return;
    }
    let caret = area.selection_start().ok().flatten().unwrap_or_default();
    let caret = carried(&before, text, caret);
    area.set_value(text);
    let _ = area.set_selection_range(caret, caret);
}

/// What was hit in a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where: row, column and field.
    pub at: [usize; 3],
    /// Which of the field's keys.
    pub key: Option<usize>,
}

/// How far something is scrolled along an axis, and how much of it can be seen, in rem.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scrolled {
    /// What lies before it.
    pub offset: f64,
    /// What can be seen.
    pub extent: f64,
}

impl Scrolled {
    /// The offset at which a stretch can be seen beside a heading as long as `head`,
    /// with as little scrolling as that takes.
    pub fn reveal(self, start: f64, length: f64, head: f64) -> f64 {
        let least = start + length + head - self.extent;
        self.offset.min(start).max(least.min(start))
    }
}

/// The field of a grid that an event comes from.
pub fn hit(event: &Event) -> Option<Hit> {
    let target: Element = event.target()?.dyn_into().ok()?;
    let number = |name: &str, of: &Element| of.get_attribute(name)?.parse::<usize>().ok();
    let field = target.closest("[data-at]").ok()??;
    let mut at = field
        .get_attribute("data-at")?
        .split(',')
        .map(str::parse)
        .collect::<Result<Vec<_>, _>>()
        .ok()?
        .into_iter();
    Some(Hit {
        at: [at.next()?, at.next()?, at.next()?],
        key: number("data-key", &target),
    })
}

/// Pixels in a rem: more on a large screen, and as many as a person likes.
fn rem() -> f64 {
    let root = document().document_element();
    let style = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
    let size = style.and_then(|style| style.get_property_value("font-size").ok());
    let pixels = size.and_then(|size| size.trim_end_matches("px").parse().ok());
    pixels.filter(|pixels| *pixels > 0.0).unwrap_or(16.0)
}

/// How far something is scrolled, in rem: down, and to the right.
pub fn scrolled(id: &str) -> [Scrolled; 2] {
    let rem = rem();
    element::<Element>(id).map_or_else(Default::default, |element| {
        let axis = |offset, extent| Scrolled {
            offset: f64::from(offset) / rem,
            extent: f64::from(extent) / rem,
        };
        [
            axis(element.scroll_top(), element.client_height()),
            axis(element.scroll_left(), element.client_width()),
        ]
    })
}

/// How a list of rows of one height lies in the window, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// How much of it lies above the window; less than nothing where it begins in it.
    pub above: f64,
    /// The height of the window.
    pub extent: f64,
    /// The height of a row.
    pub row: f64,
    /// The height of what is open in it; nothing where that is not drawn.
    pub open: f64,
}

/// How a list lies in the window.
pub fn measured(id: &str) -> Option<Measured> {
    let list = element::<Element>(id)?;
    let height = |css: &str| {
        let found = list.query_selector(css).ok().flatten();
        found.map_or(0.0, |found| found.get_bounding_client_rect().height())
    };
    Some(Measured {
        above: -list.get_bounding_client_rect().top(),
        extent: window().inner_height().ok()?.as_f64()?,
        row: height(".row-probe"),
        open: height(".evidence"),
    })
}

/// Scrolls the page so that a row of a list is at its top, below the one before it: what opens
/// in the row has the rest of the window.
pub fn scroll_to_row(id: &str, index: usize) {
    if let Some(seen) = measured(id) {
        let down = (index as f64 - 1.0) * seen.row - seen.above - staying();
        window().scroll_by_with_x_and_y(0.0, down);
    }
}

/// How much of the window verdict and weights take, where they stay at its top.
fn staying() -> f64 {
    let head = document().query_selector(".instrument-head").ok().flatten();
    head.map_or(0.0, |head| {
        let style = window().get_computed_style(&head).ok().flatten();
        let position = style.and_then(|style| style.get_property_value("position").ok());
        let is_sticky = position.is_some_and(|position| position == "sticky");
        if is_sticky {
            head.get_bounding_client_rect().height()
        } else {
            0.0
        }
    })
}

/// Scrolls the page up to where something begins, where that lies above the window.
pub fn back_to(id: &str) {
    if let Some(element) = element::<Element>(id)
        && element.get_bounding_client_rect().top() < 0.0
    {
        element.scroll_into_view();
    }
}

/// Gives the focus to the first element of a selector, which is scrolled to for that.
pub fn focus_first(css: &str) {
    let found = document().query_selector(css).ok().flatten();
    if let Some(element) = found {
        let _ = element.unchecked_into::<HtmlElement>().focus();
    }
}

/// Gives the focus to an element's first button, and scrolls the page so that the element is in
/// it, with as little as that takes.
pub fn bring_into_view(selector: &str) {
    let Some(row) = document().query_selector(selector).ok().flatten() else {
        return;
    };
    if let Some(button) = row.query_selector("button").ok().flatten() {
        let _ = button.unchecked_into::<HtmlElement>().focus();
        scroll_nearest(&row);
    }
}

/// The same of the row of that name, below what the selector before it names.
pub fn bring_row_into_view(within: &str, id: &str) {
    // a name may hold what has a meaning in a selector
    bring_into_view(&format!("{within}[data-row={}]", css::escape(id)));
}

/// The sections of a result, and those of its rows that are open: the name of the section, that
/// of the row, and what it is called.
pub fn places(within: &str) -> Vec<(String, Option<String>, String)> {
    let css = format!("{within} .result-section, {within} .result-section [aria-expanded=true]");
    let all = document().query_selector_all(&css).ok();
    let nodes = all
        .iter()
        .flat_map(|all| (0..all.length()).filter_map(|at| all.item(at)));
    let of = |element: Element| {
        let section = element.closest(".result-section").ok().flatten()?;
        let name = section.id().strip_prefix("part-")?.to_owned();
        if element == section {
            let heading = section.query_selector("h3").ok().flatten()?;
            return Some((name, None, heading.text_content()?));
        }
        let row = element.closest("[data-row]").ok().flatten()?;
        element.get_attribute("data-press")?;
        let title = element.query_selector(".name, .reply-text").ok().flatten();
        let title = title.as_ref().unwrap_or(&element).text_content()?;
        Some((name, row.get_attribute("data-row"), title))
    };
    nodes.filter_map(|node| of(node.dyn_into().ok()?)).collect()
}

/// Scrolls something to offsets in rem, down and to the right.
pub fn scroll_to(id: &str, [down, right]: [f64; 2]) {
    if let Some(element) = element::<Element>(id) {
        let rem = rem();
        element.set_scroll_top((down * rem).round() as i32);
        element.set_scroll_left((right * rem).round() as i32);
    }
}

/// Makes one field of a grid the one that Tab comes to, and focuses it.
pub fn rove(grid: &str, id: &str) {
    let old = element::<Element>(grid).and_then(|grid| {
        grid.query_selector("[data-at][tabindex='0']")
            .ok()
            .flatten()
    });
    if let Some(old) = old {
        let _ = old.set_attribute("tabindex", "-1");
    }
    if let Some(field) = element::<HtmlElement>(id) {
        let _ = field.set_attribute("tabindex", "0");
        let _ = field.focus();
    }
}

/// Makes the first field of a grid the one that Tab comes to, where there is none.
pub fn keep_stop(grid: &str) {
    let Some(grid) = element::<Element>(grid) else {
        return;
    };
    let find = |css| grid.query_selector(css).ok().flatten();
    if let (None, Some(first)) = (find("[data-at][tabindex='0']"), find("[data-at]")) {
        let _ = first.set_attribute("tabindex", "0");
    }
}

/// What of an element is written.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Its text.
    Text,
    /// An attribute.
    Attribute(&'static str),
    /// A property of its style.
    Style(&'static str),
}

/// Places inside an element that are written again and again, and by nobody else:
/// each knows what it holds, so that only what changes is written.
pub struct Slots(Vec<(HtmlElement, Place, Option<String>)>);

impl Slots {
    /// The places: of all elements that `css` finds, in their order, or of the
    /// element itself where that is empty.
    pub fn new(within: &HtmlElement, places: &[(&str, Place)]) -> Self {
        let mut slots = Vec::new();
        for (css, place) in places {
            if css.is_empty() {
                slots.push((within.clone(), *place, None));
                continue;
            }
            // the selectors are the page's own
            let found = within.query_selector_all(css).ok();
            let elements = found.iter().flat_map(|found| {
                (0..found.length()).filter_map(|index| found.get(index)?.dyn_into().ok())
            });
            slots.extend(elements.map(|element| (element, *place, None)));
        }
        Self(slots)
    }

    /// Writes a value to each place.
    pub fn write<'a>(&mut self, values: impl IntoIterator<Item = &'a str>) {
        for ((element, place, held), value) in self.0.iter_mut().zip(values) {
            if held.as_deref() == Some(value) {
                continue;
            }
            // only a name that is none is refused, and names are the page's own
            let _ = match place {
                Place::Attribute(name) => element.set_attribute(name, value),
                Place::Style(name) => element.style().set_property(name, value),
                Place::Text => {
                    // a new text node would be laid out anew
                    match element.first_child() {
                        Some(text) => text.set_node_value(Some(value)),
                        None => element.set_text_content(Some(value)),
                    }
                    Ok(())
                }
            };
            *held = Some(value.to_owned());
        }
    }
}

/// Sets the style properties of an element, all of them at once.
pub fn set_properties(element: &HtmlElement, properties: &str) {
    element.style().set_css_text(properties);
}

/// Whether the window is as narrow as a phone.
pub fn is_narrow() -> bool {
    let width = window().inner_width().ok().and_then(|width| width.as_f64());
    width.is_some_and(|width| width < 640.0)
}
