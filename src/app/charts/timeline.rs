//! A value per place along a line, over the grounds that it may lie on: of many places the
//! lowest and the highest of each stretch, so that thousands are drawn as quickly as ten.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::dot::DOT;

/// Up to so many places each has a dot of its own; beyond that, each stretch a line.
const DOTS: usize = 400;
/// The stretches of a long line.
const STRETCHES: usize = 600;

/// A ground: its class, and the least value that lies on it, in [0, 1]. The best first.
pub type Ground = (&'static str, f64);

/// The least value of the lowest ground that is needed: below it there is nothing to see.
fn base(values: &[f64], grounds: &[Ground]) -> f64 {
    let lowest = values.iter().copied().fold(1.0, f64::min);
    let below = grounds.iter().map(|(_, least)| *least);
    let base = below.filter(|least| *least < lowest).fold(0.0, f64::max);
    // a line in which all is the best has some room below it too
    base.min(grounds.get(1).map_or(0.0, |(_, least)| *least))
}

/// The places as an SVG path, in a box of 1 by 1 with this value at the bottom.
pub fn path(values: &[f64], base: f64) -> String {
    let mut path = String::new();
    let count = values.len().max(1) as f64;
    let y = |value: f64| 1.0 - ((value - base) / (1.0 - base)).clamp(0.0, 1.0);
    if values.len() <= DOTS {
        for (at, value) in values.iter().enumerate() {
            // writing to a String cannot fail
            let _ = write!(
                path,
                "M{:.4} {:.4}{DOT}",
                (at as f64 + 0.5) / count,
                y(*value)
            );
        }
        return path;
    }
    for stretch in 0..STRETCHES {
        let place = |of: usize| of * values.len() / STRETCHES;
        let within =
            &values[place(stretch)..place(stretch + 1).max(place(stretch) + 1).min(values.len())];
        let low = within.iter().copied().fold(f64::INFINITY, f64::min);
        let high = within.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let x = (stretch as f64 + 0.5) / STRETCHES as f64;
        let _ = write!(path, "M{x:.4} {:.4}{DOT}V{:.4}", y(high), y(low));
    }
    path
}

/// Which of so many places is so far across, in percent; none of none.
pub fn place_at(across: f64, count: usize) -> Option<usize> {
    let at = (across / 100.0 * count as f64).floor().max(0.0) as usize;
    (count > 0).then(|| at.min(count - 1))
}

/// Draws the line.
pub fn view(values: Signal<Vec<f64>>, grounds: Vec<Ground>, label: Signal<String>) -> AnyView {
    let known = grounds.clone();
    let base = Memo::new(move |_| values.with(|values| base(values, &known)));
    let tops = [1.0]
        .into_iter()
        .chain(grounds.clone().into_iter().map(|(_, least)| least));
    let drawn = grounds.into_iter().zip(tops).map(|((class, least), top)| {
        let place = move |value: f64| 1.0 - ((value - base.get()) / (1.0 - base.get())).clamp(0.0, 1.0);
        let height = move || (place(least) - place(top)).to_string();
        view! { <rect class=format!("ground {class}") width="1" y=move || place(top).to_string() height=height /> }
    });
    let drawn = drawn.collect_view();
    view! {
        <svg
            class="timeline"
            viewBox="0 0 1 1"
            preserveAspectRatio="none"
            role="img"
            aria-label=label
        >
            {drawn}
            <path
                class="places"
                class:many=move || values.with(|values| values.len() > DOTS)
                d=move || values.with(|values| path(values, base.get()))
            />
        </svg>
    }
    .into_any()
}

/// The same for one who looks at many lines: as it is now, without a label.
pub fn small(values: &[f64], grounds: &[Ground]) -> AnyView {
    let base = base(values, grounds);
    let place = |value: f64| 1.0 - ((value - base) / (1.0 - base)).clamp(0.0, 1.0);
    let tops = [1.0]
        .into_iter()
        .chain(grounds.iter().map(|(_, least)| *least));
    let drawn = grounds.iter().zip(tops).map(|((class, least), top)| {
        let (y, height) = (place(top), place(*least) - place(top));
        view! { <rect class=format!("ground {class}") width="1" y=y.to_string() height=height.to_string() /> }
    });
    view! {
        <svg class="timeline small" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {drawn.collect_view()}
            <path class="places many" d=path(values, base) />
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_places_are_dots_and_many_are_stretches_with_their_ends() {
        assert_eq!(
            path(&[1.0, 0.25], 0.0),
            "M0.2500 0.0000h.0001M0.7500 0.7500h.0001"
        );
        let mut many = vec![0.5; 50_000];
        many[25_000] = 0.0;
        many[25_001] = 1.0;
        let path = path(&many, 0.0);
        assert_eq!(path.matches('M').count(), STRETCHES);
        assert!(
            path.contains("M0.5008 0.0000h.0001V1.0000"),
            "what is far out is seen"
        );
    }

    #[test]
    fn the_line_begins_at_the_lowest_ground_that_is_needed() {
        let grounds = [
            ("perfect", 1.0),
            ("good", 0.8),
            ("concerning", 0.5),
            ("poor", 0.0),
        ];
        assert_eq!(base(&[1.0, 1.0], &grounds), 0.8);
        assert_eq!(base(&[0.9, 1.0], &grounds), 0.8);
        assert_eq!(base(&[0.7, 1.0], &grounds), 0.5);
        assert_eq!(base(&[0.2, 1.0], &grounds), 0.0);
        assert_eq!(
            path(&[1.0, 0.8], 0.8),
            "M0.2500 0.0000h.0001M0.7500 1.0000h.0001"
        );
    }

    #[test]
    fn nothing_is_no_crash() {
        assert_eq!(path(&[], 0.0), "");
        assert_eq!(place_at(50.0, 0), None);
        assert_eq!((place_at(-1.0, 4), place_at(100.0, 4)), (Some(0), Some(3)));
    }
}
