//! The weights as one strip over the chart that they change: a segment each, as wide as its
//! share of their sum. The border between two is dragged. The sliders under it do the same
//! for whoever does not point.

use leptos::ev;
use leptos::prelude::*;

use crate::app::browser::events;
use crate::app::charts::stack::Part;
use crate::app::derived::live;
use crate::app::desk::Desk;
use crate::app::format::{percent, short};

use super::number::Number;

/// A border that is being dragged.
#[derive(Clone, Copy, Debug)]
struct Drag {
    /// The segment before it.
    left: usize,
    /// Where the pointer took it.
    from: f64,
    /// What a pixel is worth.
    per_pixel: f64,
    /// The two weights then.
    before: [f64; 2],
}

/// What becomes of two weights when the border between them goes so far to the right: one
/// takes from the other. A weight that is held stays, and takes nothing.
fn moved([left, right]: [f64; 2], by: f64, held: [bool; 2]) -> [f64; 2] {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    match held {
        [false, false] => {
            let sum = left + right;
            let left = round((left + by).clamp(0.0, sum));
            // without the dust of a binary difference
            [left, ((sum - left) * 1e4).round() / 1e4]
        }
        [false, true] => [round((left + by).max(0.0)), right],
        [true, false] => [left, round((right - by).max(0.0))],
        [true, true] => [left, right],
    }
}

/// Some weights and what is done to them.
#[derive(Clone, Copy)]
struct Strip {
    desk: Desk,
    numbers: StoredValue<Vec<Number>>,
    sum: Memo<f64>,
    dragged: StoredValue<Option<Drag>>,
}

impl Strip {
    fn value(self, at: usize) -> Signal<f64> {
        self.numbers.with_value(|all| all[at].value)
    }

    /// A weight's share of the sum; the given one where all weigh nothing.
    fn share(self, at: usize, of_nothing: f64) -> f64 {
        let sum = self.sum.get();
        if sum > 0.0 {
            self.value(at).get() / sum
        } else {
            of_nothing
        }
    }

    fn take(self, event: &ev::PointerEvent, left: usize) {
        let Some((from, width)) = events::hold(event).filter(|(_, width)| *width > 0.0) else {
            return;
        };
        event.prevent_default();
        let sum = self.sum.get_untracked();
        let count = self.numbers.with_value(Vec::len) as f64;
        self.dragged.set_value(Some(Drag {
            left,
            from,
            per_pixel: if sum > 0.0 { sum } else { count } / width,
            before: [left, left + 1].map(|at| self.value(at).get_untracked()),
        }));
    }

    fn drag(self, event: &ev::PointerEvent) {
        let Some(drag) = self.dragged.get_value() else {
            return;
        };
        let pair = [drag.left, drag.left + 1].map(|at| self.numbers.with_value(|all| all[at]));
        let by = (f64::from(event.client_x()) - drag.from) * drag.per_pixel;
        let values = moved(drag.before, by, pair.map(Number::is_held));
        let settings = pair.iter().zip(values);
        let settings = settings.map(|(number, value)| number.setting(short(value)));
        self.desk.set_together("strip", settings.collect());
    }

    fn leave(self) {
        if self.dragged.get_value().is_some() {
            self.dragged.set_value(None);
            self.desk.settle();
        }
    }

    /// The border behind a segment.
    fn grip(self, at: usize) -> impl IntoView {
        view! {
            <i
                class="grip"
                data-testid=format!("grip-{at}")
                on:pointerdown=move |event| self.take(&event, at)
                on:pointermove=move |event| self.drag(&event)
                on:lostpointercapture=move |_| self.leave()
            ></i>
        }
    }

    fn segment(self, at: usize, part: Part, is_whole: bool) -> impl IntoView {
        let Part { label, class, .. } = part;
        // what weighs nothing can still be taken by its border
        let width = move || format!("{:.4}", self.share(at, 1.0).max(0.004));
        let in_percent = move || format!(" {} %", percent(self.share(at, 0.0)));
        let in_percent =
            is_whole.then(|| view! { <small class="strip-share">{live(in_percent)}</small> });
        view! {
            <span class=format!("strip-part {class}") title=label style:flex-grow=width>
                <span class="strip-label">{label}</span>{in_percent}
            </span>
        }
    }
}

/// The strip of some weights. Where these are parts of a whole each shows its share.
pub fn strip(desk: Desk, numbers: Vec<Number>, parts: &'static [Part], is_whole: bool) -> AnyView {
    let count = numbers.len();
    let numbers = StoredValue::new(numbers);
    let value = move |at: usize| numbers.with_value(|all| all[at].value);
    let strip = Strip {
        desk,
        numbers,
        sum: Memo::new(move |_| (0..count).map(|at| value(at).get()).sum()),
        dragged: StoredValue::new(None),
    };
    let segments = (0..count).map(|at| {
        let grip = (at + 1 < count).then(|| strip.grip(at));
        view! { {strip.segment(at, parts[at], is_whole)}{grip} }
    });
    view! { <div class="strip" aria-hidden="true">{segments.collect_view()}</div> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_weight_takes_from_the_other_and_a_held_one_stays() {
        let free = [false, false];
        assert_eq!(moved([1.0, 0.5], 0.2, free), [1.2, 0.3]);
        assert_eq!(moved([1.0, 0.5], 9.0, free), [1.5, 0.0]);
        assert_eq!(moved([1.0, 0.5], -9.0, free), [0.0, 1.5]);
        assert_eq!(moved([1.0, 0.5], 0.2, [false, true]), [1.2, 0.5]);
        assert_eq!(moved([1.0, 0.5], 0.2, [true, false]), [1.0, 0.3]);
        assert_eq!(moved([1.0, 0.5], 0.2, [true, true]), [1.0, 0.5]);
    }
}
