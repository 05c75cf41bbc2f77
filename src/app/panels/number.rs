//! A number to set: a slider and a field, with the original marked. A weight has a lock too,
//! and where it decides something, the stretch on the track in which the verdict stands.

use leptos::prelude::*;

use crate::analysis::flips::{Flip, WeightInterval};
use crate::app::browser::events;
use crate::app::charts::stack::{self, Part};
use crate::app::derived::live;
use crate::app::desk::Desk;
use crate::app::format::short;
use crate::app::locks::{self, is_locked};
use crate::app::number::NumberField;
use crate::app::words;

use super::explain::explained;

/// Where a verdict stands as one number moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The last value below at which it stands; none where nothing flips it.
    pub low: Option<f64>,
    /// The last value above.
    pub high: Option<f64>,
    /// The same in words, with what comes beyond.
    pub words: String,
}

impl Band {
    /// One per interval; `what` is what stands within them.
    pub fn of<F: Flip>(intervals: &[WeightInterval<F>], what: &str) -> Vec<Self> {
        let bands = intervals.iter().map(|interval| Self {
            low: interval.low.flips_at(),
            high: interval.high.flips_at(),
            words: words::stands(what, interval),
        });
        bands.collect()
    }
}

/// Where the thumb of a slider stands for a value: its middle goes from 8 px
/// after the start to 8 px before the end.
fn thumb_place(value: f64, slider_max: f64) -> String {
    let share = (value / slider_max).clamp(0.0, 1.0);
    format!("calc(8px + {share:.4} * (100% - 16px))")
}

/// What a key does to a slider beyond its own steps: a larger one.
fn paged(key: &str, value: f64, field: &NumberField) -> Option<f64> {
    let step = if field.integer { 10.0 } else { 0.1 };
    let by = match key {
        "PageUp" => step,
        "PageDown" => -step,
        _ => return None,
    };
    // without the dust of a binary sum
    let stepped = ((value + by) * 1e4).round() / 1e4;
    Some(stepped.clamp(field.min, field.max))
}

/// The stretch of the track in which the verdict stands, with an end where it
/// flips. Made once: in a drag it moves with every event.
fn band_view(name: &str, band: Signal<Option<Band>>, slider_max: Signal<f64>) -> AnyView {
    let end = move |pick: fn(&Band) -> Option<f64>| band.with(|band| band.as_ref().and_then(pick));
    let (low, high) = (move || end(|band| band.low), move || end(|band| band.high));
    let is_on_track = move |at: Option<f64>| at.is_some_and(|at| at <= slider_max.get());
    let left = move || thumb_place(low().unwrap_or(0.0), slider_max.get());
    let right = move || {
        let max = slider_max.get();
        format!("calc(100% - {})", thumb_place(high().unwrap_or(max), max))
    };
    view! {
        <span
            class="band"
            class:low=move || is_on_track(low())
            class:high=move || is_on_track(high())
            hidden=move || band.with(Option::is_none)
            aria-hidden="true"
            data-testid=format!("band-{name}")
            data-low=move || low().map(|low| low.to_string())
            data-high=move || high().map(|high| high.to_string())
            style:left=left
            style:right=right
        ></span>
    }
    .into_any()
}

/// Keeps a slider under the pointer that drags it, while what stands above takes
/// more lines or fewer.
fn stay(event: &leptos::ev::Event, is_due: StoredValue<bool>) {
    if is_due.get_value() {
        return; // an event of the same frame has seen to it
    }
    if let Some(put_back) = events::place(event) {
        is_due.set_value(true);
        request_animation_frame(move || {
            is_due.try_set_value(false);
            put_back();
        });
    }
}

/// A number: label, slider, field, problem.
#[component]
pub fn NumberRow(
    /// Whose number it is.
    desk: Desk,
    /// Which number.
    field: NumberField,
    /// Its value when nothing is set.
    #[prop(into)]
    original: Signal<f64>,
    /// Whether having the setting at all switches something on; then even the
    /// original value is written down.
    #[prop(optional)]
    is_switched: bool,
    /// Whether it is a name more than an amount: then it has no slider.
    #[prop(optional)]
    is_plain: bool,
) -> impl IntoView {
    let number = Number::new(desk, field, original, is_switched);
    let NumberField {
        name, label, help, ..
    } = field;
    view! {
        <div class="number" class:changed=move || number.is_changed() class:plain=is_plain>
            <span class="number-name" id=number.name_id()>{explained(label, name)}</span>
            {(!is_plain).then(|| view! {
                <span class="slider">
                    <span class="original" aria-hidden="true" style:left=move || number.original_place()></span>
                    {number.slider()}
                </span>
            })}
            {number.text_field()}
            {number.reset_button()}
            <span id=number.help_id() class="visually-hidden">{help}</span>
            {number.problem_view()}
        </div>
    }
}

/// What all parts of a row know.
#[derive(Clone, Copy)]
pub(super) struct Number {
    desk: Desk,
    field: NumberField,
    original: Signal<f64>,
    is_switched: bool,
    /// What is set, as typed.
    raw: Memo<Option<String>>,
    /// The same as a number, or what is wrong with it.
    read: Memo<Result<Option<f64>, String>>,
    /// Whether it is locked.
    held: Memo<bool>,
    /// What counts: what is set, or the original.
    pub(super) value: Signal<f64>,
    slider_max: Signal<f64>,
}

impl Number {
    pub(super) fn new(
        desk: Desk,
        field: NumberField,
        original: Signal<f64>,
        is_switched: bool,
    ) -> Self {
        let read = Memo::new(move |_| desk.work.with(|work| field.read(work)));
        let value = move || read.get().ok().flatten().unwrap_or_else(|| original.get());
        let value = Signal::derive(value);
        let slider_max = move || field.slider_max.max(value.get()).max(original.get());
        Self {
            desk,
            field,
            original,
            is_switched,
            raw: desk.setting(field.name),
            read,
            held: Memo::new(move |_| desk.work.with(|work| is_locked(work, field.name))),
            value,
            slider_max: Signal::derive(slider_max),
        }
    }

    /// A weight in its strip's row: with a lock, and the stretch in which the verdict stands.
    pub(super) fn knob(self, part: Part, band: Signal<Option<Band>>) -> impl IntoView {
        let NumberField {
            name, label, help, ..
        } = self.field;
        let words = move || band.with(|band| band.as_ref().map(|band| band.words.clone()));
        // the name has the room that the number leaves
        let length = move || self.shown().chars().count().clamp(2, 8).to_string();
        view! {
            <div
                class="knob"
                class:changed=move || self.is_changed()
                class:held=move || self.held.get()
            >
                <span class="knob-head" style=("--length", length)>
                    <span class="knob-name" id=self.name_id()>{stack::swatch(&part)}{explained(label, name)}</span>
                    {self.text_field()}
                </span>
                <span class="slider" title=words>
                    {band_view(name, band, self.slider_max)}
                    <span class="original" aria-hidden="true" style:left=move || self.original_place()></span>
                    {self.slider()}
                </span>
                {self.lock_button()}
                {self.reset_button()}
                <span id=self.help_id() class="visually-hidden">{help}" "{live(words)}</span>
                {self.problem_view()}
            </div>
        }
    }

    fn problem_view(self) -> impl IntoView {
        view! {
            <span id=self.problem_id() class="field-problem" aria-live="polite">
                {live(move || self.problem())}
            </span>
        }
    }

    pub(super) fn is_held(self) -> bool {
        self.held.get_untracked()
    }

    /// What it takes to set it to a value; the original value needs no setting.
    pub(super) fn setting(self, text: String) -> (&'static str, Option<String>) {
        let original = self.original.get_untracked();
        let same = !self.is_switched && text.trim().parse() == Ok(original);
        (self.field.name, (!same).then_some(text))
    }

    fn name_id(self) -> String {
        format!("weight-{}-name", self.field.name)
    }

    fn help_id(self) -> String {
        format!("weight-{}-help", self.field.name)
    }

    fn problem_id(self) -> String {
        format!("weight-{}-problem", self.field.name)
    }

    fn is_changed(self) -> bool {
        let read = self.read.get();
        !matches!(read, Ok(None)) && (!self.is_switched || read != Ok(Some(self.original.get())))
    }

    fn original_place(self) -> String {
        thumb_place(self.original.get(), self.slider_max.get())
    }

    fn problem(self) -> Option<String> {
        let problem = self.read.get().err()?;
        let original = short(self.original.get());
        Some(format!("{problem}. The original {original} is used."))
    }

    fn set(self, text: String) {
        let (name, value) = self.setting(text);
        self.desk.set(name, value);
    }

    fn slider(self) -> impl IntoView {
        let Self {
            desk,
            field,
            held,
            value,
            slider_max,
            ..
        } = self;
        let NumberField { name, label, .. } = field;
        let is_due = StoredValue::new(false);
        let slide = move |event| {
            stay(&event, is_due);
            self.set(event_target_value(&event));
        };
        // a row of keys is one gesture, as a drag is: it ends when the slider is left
        let by_key = StoredValue::new(false);
        let end = move |is_left: bool| {
            if is_left || !by_key.get_value() {
                by_key.set_value(false);
                desk.settle();
            }
        };
        let press = move |event: leptos::ev::KeyboardEvent| {
            by_key.set_value(true);
            if let Some(stepped) = paged(&event.key(), value.get_untracked(), &field) {
                event.prevent_default();
                self.set(short(stepped));
            }
        };
        view! {
            <input
                type="range"
                aria-label=format!("{label}, slider")
                aria-describedby=self.help_id()
                data-testid=format!("weight-{name}-range")
                min="0"
                max=move || short(slider_max.get())
                step=if field.integer { "1" } else { "0.01" }
                disabled=move || held.get()
                prop:value=move || short(value.get())
                on:input=slide
                on:keydown=press
                on:pointerdown=move |_| end(true)
                on:change=move |_| end(false)
                on:blur=move |_| end(true)
            />
        }
    }

    /// The number as typed, or the original.
    fn shown(self) -> String {
        let raw = self.raw.get();
        raw.unwrap_or_else(|| short(self.original.get()))
    }

    /// The number as typed: also what is no number stays.
    fn text_field(self) -> impl IntoView {
        let Self { desk, held, .. } = self;
        let name = self.field.name;
        // typed back to the original it is not changed; while it is typed it is what is typed
        let left = move |event| {
            self.set(event_target_value(&event));
            desk.settle();
        };
        view! {
            <input
                type="text"
                inputmode="decimal"
                autocomplete="off"
                id=format!("weight-{name}")
                data-testid=format!("weight-{name}-number")
                aria-labelledby=self.name_id()
                aria-describedby=format!("{} {}", self.help_id(), self.problem_id())
                aria-invalid=move || self.read.get().is_err().to_string()
                disabled=move || held.get()
                prop:value=move || self.shown()
                on:input=move |event| desk.set(name, Some(event_target_value(&event)))
                on:change=left
            />
        }
    }

    fn reset_button(self) -> impl IntoView {
        let Self { desk, original, .. } = self;
        let NumberField { name, label, .. } = self.field;
        let reset = move |_| {
            if self.is_switched {
                self.set(short(original.get_untracked()));
            } else {
                desk.reset(&[name]);
            }
        };
        view! {
            <button
                type="button"
                class="reset"
                aria-label=move || format!("Reset {label} to {}", short(original.get()))
                title=move || format!("Original: {}", short(original.get()))
                disabled=move || !self.is_changed() || self.held.get()
                on:click=reset
            >
                "↺"
            </button>
        }
    }

    /// Locks it at its value, and unlocks it.
    fn lock_button(self) -> impl IntoView {
        let Self { desk, held, .. } = self;
        let NumberField { name, label, .. } = self.field;
        let switch = move |_| {
            let (value, original) = (self.value.get_untracked(), self.original.get_untracked());
            desk.change("lock", |work| {
                if is_locked(work, name) {
                    locks::unlock(work, name, original);
                } else {
                    locks::lock(work, name, short(value));
                }
            });
        };
        let title = move || {
            if held.get() {
                "Locked: it keeps its value when all are reset and when other weights come with the input"
            } else {
                "Lock at this value"
            }
        };
        let shackle = move || {
            if held.get() {
                "M3 7V4a3 3 0 0 1 6 0v3"
            } else {
                "M3 7V4a3 3 0 0 1 5.8-1"
            }
        };
        view! {
            <button
                type="button"
                class="lock"
                data-testid=format!("lock-{name}")
                aria-pressed=move || held.get().to_string()
                aria-label=format!("Lock {label}")
                title=title
                on:click=switch
            >
                <svg width="12" height="14" viewBox="0 0 12 14" aria-hidden="true">
                    <path class="shackle" d=shackle />
                    <rect class="body" x="1" y="6.5" width="10" height="7" rx="1" />
                </svg>
            </button>
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHT: NumberField = NumberField::weight("w", "Weight", 2.0, "");
    const DRAWS: NumberField = NumberField {
        max: 1000.0,
        integer: true,
        ..WEIGHT
    };

    #[test]
    fn page_keys_take_larger_steps_and_stop_at_the_ends() {
        assert_eq!(paged("PageUp", 0.7, &WEIGHT), Some(0.8));
        assert_eq!(paged("PageDown", 0.05, &WEIGHT), Some(0.0));
        assert_eq!(paged("PageUp", 5.0, &DRAWS), Some(15.0));
        assert_eq!(paged("ArrowUp", 0.7, &WEIGHT), None);
    }

    #[test]
    fn the_mark_of_a_value_stays_on_the_track() {
        assert_eq!(thumb_place(1.0, 2.0), "calc(8px + 0.5000 * (100% - 16px))");
        assert_eq!(thumb_place(3.0, 2.0), "calc(8px + 1.0000 * (100% - 16px))");
    }
}
