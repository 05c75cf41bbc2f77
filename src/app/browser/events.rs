//! Events of the whole page: keys, pastes, drops, the address.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::{document, window};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    ClipboardEvent, DragEvent, Element, Event, EventTarget, HtmlElement, KeyboardEvent, MouseEvent,
    PointerEvent,
};

use super::reader::Held;
use crate::text::{Encoding, decode};

/// A key that was pressed.
#[allow(clippy::struct_excessive_bools)] // a keyboard has that many
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// As the browser names it.
    pub key: String,
    /// Ctrl, or Command on a Mac.
    pub command: bool,
    /// Shift.
    pub shift: bool,
    /// Alt, or Option on a Mac.
    pub alt: bool,
    /// Whether it was pressed in a field that takes text.
    pub in_text: bool,
    /// Whether it was pressed in a field for a number.
    pub in_number: bool,
    /// Whether it was pressed in an empty field that nobody typed into: the browser has
    /// nothing to undo there.
    pub in_untouched: bool,
}

/// Marks a field that somebody typed into.
const TYPED: &str = "data-typed";

fn is_untouched(event: &Event) -> bool {
    let Some(element) = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
    else {
        return false;
    };
    let value = match element.dyn_ref::<web_sys::HtmlInputElement>() {
        Some(input) => Some(input.value()),
        None => element
            .dyn_ref::<web_sys::HtmlTextAreaElement>()
            .map(web_sys::HtmlTextAreaElement::value),
    };
    value.is_some_and(|value| value.is_empty()) && !element.has_attribute(TYPED)
}

fn tag(event: &Event) -> String {
    let element = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlElement>().ok());
    element.map_or_else(String::new, |element| match element.get_attribute("type") {
        Some(kind) => format!("{}:{kind}", element.tag_name()),
        None => element.tag_name(),
    })
}

fn takes_text(tag: &str) -> bool {
    tag == "TEXTAREA" || tag == "INPUT" || tag == "INPUT:text" || tag == "SELECT"
}

/// The key of an event; where it was pressed is not looked at.
pub fn key(pressed: &KeyboardEvent) -> Key {
    Key {
        key: pressed.key(),
        command: pressed.ctrl_key() || pressed.meta_key(),
        shift: pressed.shift_key(),
        alt: pressed.alt_key(),
        in_text: false,
        in_number: false,
        in_untouched: false,
    }
}

/// Keys; the handler says whether it took one.
pub fn on_key(handler: impl Fn(Key) -> bool + 'static) {
    EventListener::new(&document(), "input", |event| {
        if let Some(field) = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
        {
            // only a name that is none is refused
            let _ = field.set_attribute(TYPED, "");
        }
    })
    .forget();
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        let Some(pressed) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        let tag = tag(event);
        let in_number = tag == "INPUT:text"
            && event
                .target()
                .and_then(|target| target.dyn_into::<HtmlElement>().ok())
                .is_some_and(|element| {
                    element.get_attribute("inputmode").as_deref() == Some("decimal")
                });
        let key = Key {
            in_text: takes_text(&tag),
            in_number,
            in_untouched: is_untouched(event),
            ..key(pressed)
        };
        if handler(key) {
            event.prevent_default();
        }
    })
    .forget();
}

/// Text pasted anywhere but in a field.
pub fn on_paste(handler: impl Fn(String) + 'static) {
    EventListener::new(&document(), "paste", move |event| {
        if takes_text(&tag(event)) {
            return;
        }
        let text = event
            .dyn_ref::<ClipboardEvent>()
            .and_then(ClipboardEvent::clipboard_data)
            .and_then(|data| data.get_data("text/plain").ok())
            .filter(|text| !text.trim().is_empty());
        if let Some(text) = text {
            handler(text);
        }
    })
    .forget();
}

/// A file that somebody gave.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it; none where that is no text, or too long for one.
    pub text: Option<String>,
    /// Whether it is not UTF-8, and its encoding a guess.
    pub is_guessed: bool,
    /// Its bytes.
    pub held: Held,
}

/// Files that were given, or why they could not be read.
pub type Files = Result<Vec<File>, String>;

/// Files dropped anywhere but where something takes them for itself. `hover` says whether
/// something is held over the page.
pub fn on_drop(handler: impl Fn(Files) + Clone + 'static, hover: impl Fn(bool) + Clone + 'static) {
    let listen = |name: &'static str, on: bool, hover: Box<dyn Fn(bool)>| {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(&window(), name, options, move |event| {
            let files = event
                .dyn_ref::<DragEvent>()
                .and_then(DragEvent::data_transfer)
                .is_some_and(|data| data.types().includes(&"Files".into(), 0));
            if files {
                event.prevent_default();
                hover(on);
            }
        })
        .forget();
    };
    listen("dragover", true, Box::new(hover.clone()));
    listen("dragleave", false, Box::new(hover.clone()));
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&window(), "drop", options, move |event| {
        hover(false);
        if !event.default_prevented() {
            take_dropped(event, handler.clone());
        }
    })
    .forget();
}

/// The files of a drop, which is taken by that.
pub fn take_dropped(event: &Event, handler: impl FnOnce(Files) + 'static) {
    let files = event
        .dyn_ref::<DragEvent>()
        .and_then(DragEvent::data_transfer)
        .and_then(|data| data.files())
        .filter(|files| files.length() > 0);
    if let Some(files) = files {
        event.prevent_default();
        spawn_local(async move { handler(read_files(&files).await) });
    }
}

/// The files that were chosen in a field for files, which may be asked for them again.
pub fn on_chosen(event: &Event, handler: impl FnOnce(Files) + 'static) {
    let input = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some((input, files)) = input.and_then(|input| Some((input.clone(), input.files()?))) else {
        return;
    };
    spawn_local(async move {
        handler(read_files(&files).await);
        input.set_value("");
    });
}

/// Files up to this size are read as texts.
const LARGEST: f64 = 64e6;

async fn read_files(files: &web_sys::FileList) -> Files {
    let mut read = Vec::new();
    for file in (0..files.length()).filter_map(|index| files.get(index)) {
        read.push(read_file(&file).await?);
    }
    Ok(read)
}

/// A file with its text, or why it cannot be read.
pub(super) async fn read_file(file: &web_sys::File) -> Result<File, String> {
    let name = file.name();
    let (mut text, mut is_guessed) = (None, false);
    if file.size() <= LARGEST {
        let bytes = JsFuture::from(file.array_buffer()).await;
        let bytes = bytes.map_err(|_| format!("{name} could not be read"))?;
        let bytes = js_sys::Uint8Array::new(&bytes).to_vec();
        if !is_binary(&bytes) {
            let (decoded, encoding) = decode(&bytes);
            is_guessed = encoding == Encoding::Windows1252;
            text = Some(decoded);
        }
    }
    let held = Held::of(file.clone().into());
    Ok(File {
        name,
        text,
        is_guessed,
        held,
    })
}

/// Whether bytes are no text: a picture, an archive.
fn is_binary(bytes: &[u8]) -> bool {
    let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    !is_wide && bytes.iter().take(4096).any(|byte| *byte == 0)
        || bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"\x1f\x8b")
}

/// Presses of elements with this attribute, which open the popover of this id: it comes to
/// stand beside the one that was pressed. The handler hears the attribute.
pub fn on_asked(
    popover: &'static str,
    attribute: &'static str,
    handler: impl Fn(String) + 'static,
) {
    let by = "data-by";
    let options = EventListenerOptions::run_in_capture_phase();
    EventListener::new_with_options(&document(), "click", options, move |event| {
        let asked = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok());
        let asked = asked.and_then(|at| at.closest(&format!("[{attribute}]")).ok().flatten());
        let shown = document().get_element_by_id(popover);
        let shown = shown.and_then(|shown| shown.dyn_into::<HtmlElement>().ok());
        let (Some(asked), Some(shown)) = (asked, shown) else {
            return;
        };
        // a second one would close what the first has opened
        if !asked.has_attribute(by) && shown.matches(":popover-open").unwrap_or(false) {
            let _ = shown.hide_popover();
        }
        let others = document().query_selector(&format!("[{by}]")).ok().flatten();
        if let Some(other) = others {
            let _ = other.remove_attribute(by);
        }
        let _ = asked.set_attribute(by, "");
        shown.style().set_css_text(&beside(&asked));
        handler(asked.get_attribute(attribute).unwrap_or_default());
    })
    .forget();
}

/// Where something that opens stands, as style properties: below an element where there is
/// more room than above it, and within the window.
fn beside(element: &Element) -> String {
    let length = |found: Result<wasm_bindgen::JsValue, _>| {
        let found = found.ok().and_then(|length| length.as_f64());
        found.unwrap_or_default()
    };
    let (wide, high) = (
        length(window().inner_width()),
        length(window().inner_height()),
    );
    let frame = element.get_bounding_client_rect();
    let down = length(window().scroll_y().map(Into::into));
    // as wide as the style sheet lets it be, at most
    let left = frame.left().min(wide - 400.0).max(16.0);
    let (above, below) = (frame.top(), high - frame.bottom());
    if below >= above || below > 320.0 {
        let top = down + frame.bottom() + 4.0;
        format!(
            "left: {left}px; top: {top}px; max-height: {}px",
            below - 16.0
        )
    } else {
        let bottom = high - down - frame.top() + 4.0;
        format!(
            "left: {left}px; bottom: {bottom}px; max-height: {}px",
            above - 16.0
        )
    }
}

/// Changes of the address.
pub fn on_address(handler: impl Fn() + 'static) {
    EventListener::new(&window(), "hashchange", move |_| handler()).forget();
}

/// Hears of what moves in the window, for as long as it is kept.
pub struct Scrolling {
    _listeners: [EventListener; 2],
}

/// The page is scrolled, or its window is another.
pub fn on_scroll(handler: impl Fn() + Copy + 'static) -> Scrolling {
    let listen = |name: &'static str| EventListener::new(&window(), name, move |_| handler());
    Scrolling {
        _listeners: ["scroll", "resize"].map(listen),
    }
}

/// Hears of printing, for as long as it is kept.
pub struct Printing {
    _listeners: [EventListener; 2],
}

/// The page is about to be printed, or has been.
pub fn on_print(handler: impl Fn(bool) + Copy + 'static) -> Printing {
    let listen = |(name, is_printing): (&'static str, bool)| {
        EventListener::new(&window(), name, move |_| handler(is_printing))
    };
    Printing {
        _listeners: [("beforeprint", true), ("afterprint", false)].map(listen),
    }
}

/// The page is about to go out of sight, maybe for good.
pub fn on_leaving(handler: impl Fn() + 'static) {
    EventListener::new(&window(), "pagehide", move |_| handler()).forget();
}

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

/// The checked state of the box an event comes from.
pub fn is_checked(event: &Event) -> bool {
    event
        .target()
        .and_then(|target: EventTarget| target.dyn_into::<web_sys::HtmlInputElement>().ok())
        .is_some_and(|input| input.checked())
}

/// Whether the element an event comes from is unfolded.
pub fn is_open(event: &Event) -> bool {
    let element = event.target().and_then(|at| at.dyn_into::<Element>().ok());
    element.is_some_and(|element| element.has_attribute("open"))
}

/// The value of an attribute of the element an event comes from, or of the
/// nearest around it that has one.
pub fn attribute(event: &Event, name: &str) -> Option<String> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let holder = element.closest(&format!("[{name}]")).ok()??;
    holder.get_attribute(name)
}

/// How far across the element with this attribute the pointer is, in percent.
pub fn across(event: &Event, name: &str) -> Option<f64> {
    let pointer: &MouseEvent = event.dyn_ref()?;
    let element: Element = event.target()?.dyn_into().ok()?;
    let around = element.closest(&format!("[{name}]")).ok()??;
    let frame = around.get_bounding_client_rect();
    Some((f64::from(pointer.client_x()) - frame.x()) / frame.width() * 100.0)
}

/// Where in the window the element is that an event comes from: what it gives
/// scrolls the page so that the element is there again, as far as the page goes.
pub fn place(event: &Event) -> Option<impl FnOnce() + 'static> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let top = element.get_bounding_client_rect().top();
    Some(move || {
        let moved = element.get_bounding_client_rect().top() - top;
        if moved.abs() >= 1.0 {
            window().scroll_by_with_x_and_y(0.0, moved);
        }
    })
}

/// Moves the focus from the element an event comes from: to its next neighbour
/// or the one before, or, from a button, to the first `inner` element beside it.
/// Says whether there was one.
pub fn step_focus(event: &Event, forward: bool, inner: &str) -> bool {
    let Some(from) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else {
        return false;
    };
    let beside = |css: &str| from.closest("li").ok()??.query_selector(css).ok()?;
    let to = if from.tag_name() == "BUTTON" {
        forward.then(|| beside(inner)).flatten()
    } else if forward {
        from.next_element_sibling()
    } else {
        from.previous_element_sibling().or_else(|| beside("button"))
    };
    // elements of a drawing take the focus as those of a page do
    to.is_some_and(|to| to.unchecked_into::<HtmlElement>().focus().is_ok())
}

/// How far the box an event comes from is scrolled, its height, and that of its
/// content.
pub fn scrolled(event: &Event) -> Option<(f64, f64, f64)> {
    let element: Element = event.target()?.dyn_into().ok()?;
    Some((
        f64::from(element.scroll_top()),
        f64::from(element.client_height()),
        f64::from(element.scroll_height()),
    ))
}

/// Holds the pointer that pressed an element, so that the element hears of it wherever it
/// goes. Where it is, and how wide the element around it is, in pixels.
pub fn hold(event: &PointerEvent) -> Option<(f64, f64)> {
    let element: Element = event.current_target()?.dyn_into().ok()?;
    let width = element.parent_element()?.get_bounding_client_rect().width();
    // without it the pointer is lost when it leaves the element, and the drag ends there
    let _ = element.set_pointer_capture(event.pointer_id());
    Some((f64::from(event.client_x()), width))
}
