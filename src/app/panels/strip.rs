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

/// The strip of some weights. Where these are parts of a whole each shows its share.
pub fn strip(desk: Desk, numbers: Vec<Number>, parts: &'static [Part], is_whole: bool) -> AnyView {
    let numbers = StoredValue::new(numbers);
    let dragged = StoredValue::new(None::<Drag>);
    let value = move |at: usize| numbers.with_value(|all| all[at].value);
    let count = numbers.with_value(Vec::len);
    let sum = Memo::new(move |_| (0..count).map(|at| value(at).get()).sum::<f64>());
    let share = move |at: usize| {
        let sum = sum.get();
        let share = if sum > 0.0 {
            value(at).get() / sum
        } else {
            1.0
        };
        // what weighs nothing can still be taken by its border
        format!("{:.4}", share.max(0.004))
    };
    let take = move |event: ev::PointerEvent, left: usize| {
        let Some((from, width)) = events::hold(&event).filter(|(_, width)| *width > 0.0) else {
            return;
        };
        event.prevent_default();
        let sum = sum.get_untracked();
        dragged.set_value(Some(Drag {
            left,
            from,
            per_pixel: if sum > 0.0 { sum } else { count as f64 } / width,
            before: [left, left + 1].map(|at| value(at).get_untracked()),
        }));
    };
    let drag = move |event: ev::PointerEvent| {
        let Some(drag) = dragged.get_value() else {
            return;
        };
        let pair = [drag.left, drag.left + 1].map(|at| numbers.with_value(|all| all[at]));
        let by = (f64::from(event.client_x()) - drag.from) * drag.per_pixel;
        let values = moved(drag.before, by, pair.map(Number::is_held));
        let settings = pair.iter().zip(values);
        let settings = settings.map(|(number, value)| number.setting(short(value)));
        desk.set_together("strip", settings.collect());
    };
    let leave = move |_| {
        if dragged.get_value().is_some() {
            dragged.set_value(None);
            desk.settle();
        }
    };
    let segments = (0..count).map(|at| {
        let Part { label, class, .. } = parts[at];
        let in_percent = move || {
            let sum = sum.get();
            let share = if sum > 0.0 {
                value(at).get() / sum
            } else {
                0.0
            };
            format!(" {} %", percent(share))
        };
        let in_percent =
            is_whole.then(|| view! { <small class="strip-share">{live(in_percent)}</small> });
        let grip = (at + 1 < count).then(|| {
            view! {
                <i
                    class="grip"
                    data-testid=format!("grip-{at}")
                    on:pointerdown=move |event| take(event, at)
                    on:pointermove=drag
                    on:lostpointercapture=leave
                ></i>
            }
        });
        view! {
            <span class=format!("strip-part {class}") title=label style:flex-grow=move || share(at)>
                <span class="strip-label">{label}</span>{in_percent}
            </span>
            {grip}
        }
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
