//! Distances by turn: a line to the persona, a line to the start, and the stretch of a departure.

use std::fmt::Write as _;

use leptos::prelude::*;

use super::dot::DOT;

/// The values as an SVG path in a box of 1 by 1, 0 at the bottom and `most` at the top; a line has
/// a gap where nothing was measured, and a value between two gaps is a dot. Of longer lines than
/// the box has pixels, each value is still there.
pub fn path(values: &[Option<f64>], most: f64) -> String {
    let mut path = String::new();
    let last = values.len().saturating_sub(1).max(1) as f64;
    let mut is_on = false;
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            is_on = false;
            continue;
        };
        let (x, y) = (at as f64 / last, 1.0 - (value / most).clamp(0.0, 1.0));
        // writing to a String cannot fail
        let _ = if is_on {
            write!(path, "L{x:.4} {y:.4}")
        } else {
            write!(path, "M{x:.4} {y:.4}{DOT}")
        };
        is_on = true;
    }
    path
}

/// Left edge and width of a stretch of places, with half a place on either side.
pub fn ground((from, to): (usize, usize), count: usize) -> (f64, f64) {
    let last = count.saturating_sub(1).max(1) as f64;
    let edge = |at: f64| (at / last).clamp(0.0, 1.0);
    let (left, right) = (edge(from as f64 - 0.5), edge(to as f64 - 0.5));
    (left, right - left)
}

/// Draws both lines.
pub fn view(
    to_persona: &[Option<f64>],
    to_start: &[Option<f64>],
    stretch: Option<(usize, usize)>,
    label: String,
) -> impl IntoView + use<> {
    let stretch = stretch.map(|stretch| {
        let (x, width) = ground(stretch, to_persona.len());
        view! { <rect class="departed" x=format!("{x:.4}") width=format!("{width:.4}") height="1" /> }
    });
    view! {
        <svg class="drift" viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label=label>
            {stretch}
            <path class="to-start" d=path(to_start, 1.0) />
            <path class="to-persona" d=path(to_persona, 1.0) />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_gaps() {
        let values = [Some(0.0), Some(1.0), None, Some(0.5), Some(2.0)];
        assert_eq!(
            path(&values, 1.0),
            "M0.0000 1.0000h.0001L0.2500 0.0000M0.7500 0.5000h.0001L1.0000 0.0000"
        );
        assert_eq!(path(&[Some(1.0)], 2.0), "M0.0000 0.5000h.0001");
        assert_eq!(path(&[], 1.0), "");
    }

    #[test]
    fn a_stretch_reaches_half_way_to_its_neighbours() {
        assert_eq!(ground((2, 4), 5), (0.375, 0.5));
        assert_eq!(ground((2, 5), 5), (0.375, 0.625));
        assert_eq!(ground((0, 1), 1), (0.0, 0.5));
    }
}
