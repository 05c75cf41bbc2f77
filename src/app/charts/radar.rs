//! A radar: values in [0, 1] on axes around a centre.

use leptos::prelude::*;

/// A point; x to the right, y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// Where the axes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radar {
    /// The centre.
    pub centre: Point,
    /// The radius at which a value is 1.
    pub radius: f64,
    /// How many axes; the first one points up, the others follow clockwise.
    pub axes: usize,
}

impl Radar {
    /// The point of a value on an axis.
    pub fn point(&self, axis: usize, value: f64) -> Point {
        let angle = std::f64::consts::TAU * axis as f64 / self.axes.max(1) as f64;
        Point {
            x: self.centre.x + self.radius * value * angle.sin(),
            y: self.centre.y - self.radius * value * angle.cos(),
        }
    }

    /// The polygon of one value per axis, as SVG's `points`.
    pub fn polygon(&self, values: &[f64]) -> String {
        let points = values.iter().enumerate().map(|(axis, value)| {
            let point = self.point(axis, value.clamp(0.0, 1.0));
            format!("{:.2},{:.2}", point.x, point.y)
        });
        points.collect::<Vec<_>>().join(" ")
    }

    /// Where the label of an axis begins: two lines of text, away from the chart
    /// above it as well as below.
    pub fn label(&self, axis: usize) -> Point {
        let Point { x, y } = self.point(axis, 1.13);
        Point {
            x,
            y: y - 2.0 + (y - self.centre.y) / self.radius * 9.0,
        }
    }

    /// How the label of an axis is aligned: `start`, `middle` or `end`.
    pub fn anchor(&self, axis: usize) -> &'static str {
        let x = self.point(axis, 1.0).x - self.centre.x;
        if x.abs() < self.radius * 0.1 {
            "middle"
        } else if x > 0.0 {
            "start"
        } else {
            "end"
        }
    }
}

/// One axis with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoke {
    /// As people read it.
    pub label: &'static str,
    /// In [0, 1].
    pub value: f64,
    /// The value as text.
    pub text: String,
}

/// Draws a radar.
pub fn view(spokes: &[Spoke], description: String) -> impl IntoView + use<> {
    let radar = Radar {
        centre: Point { x: 220.0, y: 150.0 },
        radius: 104.0,
        axes: spokes.len(),
    };
    let values: Vec<f64> = spokes.iter().map(|spoke| spoke.value).collect();
    let rings = [0.25, 0.5, 0.75, 1.0].map(|ring| {
        let class = if ring == 1.0 { "ring outer" } else { "ring" };
        view! { <polygon class=class points=radar.polygon(&vec![ring; spokes.len()]) /> }
    });
    let axes = spokes
        .iter()
        .enumerate()
        .map(|(axis, spoke)| {
            let (end, label) = (radar.point(axis, 1.0), radar.label(axis));
            let dot = radar.point(axis, spoke.value.clamp(0.0, 1.0));
            view! {
                <line class="ring" x1=radar.centre.x y1=radar.centre.y x2=end.x y2=end.y />
                <text x=label.x y=label.y text-anchor=radar.anchor(axis)>
                    <tspan class="radar-label">{spoke.label}</tspan>
                    <tspan class="radar-value" x=label.x dy="15">{spoke.text.clone()}</tspan>
                </text>
                <circle class="dot" cx=dot.x cy=dot.y r="3.5" />
            }
        })
        .collect_view();
    view! {
        <svg class="radar" viewBox="0 0 440 300" role="img" aria-label=description>
            {rings}
            <polygon class="shape" points=radar.polygon(&values) />
            {axes}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADAR: Radar = Radar {
        centre: Point { x: 10.0, y: 10.0 },
        radius: 10.0,
        axes: 4,
    };

    #[test]
    fn the_first_axis_points_up_and_they_go_clockwise() {
        let close = |a: Point, x: f64, y: f64| (a.x - x).abs() < 1e-9 && (a.y - y).abs() < 1e-9;
        assert!(close(RADAR.point(0, 1.0), 10.0, 0.0));
        assert!(close(RADAR.point(1, 0.5), 15.0, 10.0));
        assert!(close(RADAR.point(2, 1.0), 10.0, 20.0));
    }

    #[test]
    fn labels_turn_away_from_the_chart() {
        let heights: Vec<_> = (0..4).map(|axis| RADAR.label(axis).y.round()).collect();
        assert_eq!(heights, [-13.0, 8.0, 29.0, 8.0]);
        let anchors: Vec<_> = (0..4).map(|axis| RADAR.anchor(axis)).collect();
        assert_eq!(anchors, ["middle", "start", "middle", "end"]);
    }

    #[test]
    fn values_stay_inside() {
        assert_eq!(RADAR.polygon(&[5.0]), "10.00,0.00");
        assert_eq!(RADAR.polygon(&[]), "");
    }
}
