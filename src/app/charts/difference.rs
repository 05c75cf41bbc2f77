//! Differences as bars on either side of a line at 0, all on one scale.

use leptos::prelude::*;

/// A bar, in percent of the width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its left edge.
    pub from: f64,
    /// Its width.
    pub width: f64,
    /// Where 0 is.
    pub zero: f64,
    /// Whether it lies to the right of 0.
    pub is_above: bool,
}

/// The bars of some differences. The scale reaches from the least to the greatest, 0
/// among them; without any difference 0 is in the middle.
pub fn spans(differences: &[f64]) -> Vec<Span> {
    let least = differences.iter().copied().fold(0.0, f64::min);
    let most = differences.iter().copied().fold(0.0, f64::max);
    let range = most - least;
    let place = |value: f64| {
        if range > 0.0 && range.is_finite() {
            (value - least) / range * 100.0
        } else {
            50.0
        }
    };
    let zero = place(0.0);
    let span = |value: &f64| {
        let end = place(*value);
        Span {
            from: zero.min(end),
            width: (end - zero).abs(),
            zero,
            is_above: *value > 0.0,
        }
    };
    differences.iter().map(span).collect()
}

/// Draws a bar.
pub fn view(span: Span) -> impl IntoView {
    let percent = |value: f64| format!("{value:.3}%");
    let class = if span.is_above { "above" } else { "below" };
    let zero = percent(span.zero);
    view! {
        <svg class="difference" width="100%" height="14" aria-hidden="true">
            <rect class=class x=percent(span.from) width=percent(span.width) y="2" height="10" />
            <line x1=zero.clone() x2=zero y1="0" y2="14" />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_share_a_scale_with_0_on_it() {
        let found = spans(&[3.0, -1.0, 0.0]);
        assert_eq!(
            found[0],
            Span {
                from: 25.0,
                width: 75.0,
                zero: 25.0,
                is_above: true
            }
        );
        assert_eq!(
            (found[1].from, found[1].width, found[1].is_above),
            (0.0, 25.0, false)
        );
        assert_eq!((found[2].from, found[2].width), (25.0, 0.0));
        let above = spans(&[1.0, 2.0]);
        assert_eq!((above[0].zero, above[1].width), (0.0, 100.0));
        assert_eq!(spans(&[0.0])[0].zero, 50.0);
        assert_eq!(spans(&[]), []);
    }
}
