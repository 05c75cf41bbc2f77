//! A ROC curve: false alarms to the right, what is found upwards.

use leptos::prelude::*;

/// The side of the square that it is drawn in.
const SIDE: f64 = 100.0;

/// The corners as points of the square, `x,y x,y ...`.
fn points(corners: &[[f64; 2]]) -> String {
    let point = |[x, y]: &[f64; 2]| format!("{:.2},{:.2}", x * SIDE, SIDE - y * SIDE);
    corners.iter().map(point).collect::<Vec<_>>().join(" ")
}

/// Draws the curve with the diagonal of a coin.
pub fn view(corners: &[[f64; 2]], label: String) -> impl IntoView + use<> {
    view! {
        <svg class="roc" viewBox="-1 -1 102 102" role="img" aria-label=label>
            <rect class="frame" x="0" y="0" width="100" height="100" />
            <line class="coin" x1="0" y1="100" x2="100" y2="0" />
            <polyline class="curve" points=points(corners) />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_goes_up() {
        assert_eq!(
            points(&[[0.0, 0.0], [0.25, 0.5], [1.0, 1.0]]),
            "0.00,100.00 25.00,50.00 100.00,0.00"
        );
    }
}
