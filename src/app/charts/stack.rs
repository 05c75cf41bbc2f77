//! Stacked bars: positive parts to the right of zero, negative ones to the left.

use leptos::prelude::*;

/// A horizontal axis in percent of the chart's width. It always shows zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    min: f64,
    max: f64,
}

impl Axis {
    /// The axis on which all these stacks fit, ending at round numbers.
    pub fn fitting<'a>(stacks: impl Iterator<Item = &'a [f64]>) -> Self {
        let (mut min, mut max) = (0.0_f64, 0.0_f64);
        for stack in stacks {
            min = min.min(stack.iter().filter(|v| **v < 0.0).sum());
            max = max.max(stack.iter().filter(|v| **v > 0.0).sum());
        }
        let step = step(max - min);
        let axis = Self {
            min: (min / step).floor() * step,
            max: (max / step).ceil() * step,
        };
        if axis.max - axis.min > 0.0 && (axis.max - axis.min).is_finite() {
            axis
        } else {
            Self { min: 0.0, max: 1.0 }
        }
    }

    /// Where a value is, in percent.
    pub fn at(&self, value: f64) -> f64 {
        (value - self.min) / (self.max - self.min) * 100.0
    }

    /// Round numbers along the axis.
    pub fn ticks(&self) -> Vec<f64> {
        let step = step(self.max - self.min);
        let count = ((self.max - self.min) / step).round() as i64;
        let first = (self.min / step).round();
        (0..=count.min(20))
            .map(|index| (first + index as f64) * step)
            .collect()
    }
}

/// A round step that divides a range into about eight.
fn step(range: f64) -> f64 {
    if range <= 0.0 || !range.is_finite() {
        return 1.0;
    }
    let rough = range / 8.0;
    let magnitude = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|factor| rough <= factor * magnitude * 1.0001);
    factor.unwrap_or(10.0) * magnitude
}

/// A part of a bar, in percent of the chart's width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Which part.
    pub part: usize,
    /// Left edge.
    pub x: f64,
    /// Width.
    pub width: f64,
}

/// The segments of a stack; parts of zero have none.
pub fn segments(parts: &[f64], axis: Axis) -> Vec<Segment> {
    let (mut right, mut left) = (0.0, 0.0);
    let mut segments = Vec::new();
    for (part, &value) in parts.iter().enumerate() {
        let (from, to) = if value < 0.0 {
            left += value;
            (left, left - value)
        } else {
            right += value;
            (right - value, right)
        };
        if value != 0.0 {
            segments.push(Segment {
                part,
                x: axis.at(from),
                width: axis.at(to) - axis.at(from),
            });
        }
    }
    segments
}

/// A part of every bar: its name, and the class that colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// As people read it.
    pub label: &'static str,
    /// Its letter inside a bar, so that colour is not alone.
    pub letter: &'static str,
    /// Its class in charts.css.
    pub class: &'static str,
}

/// The legend of a chart of stacked bars.
pub fn legend(parts: &[Part]) -> impl IntoView + use<> {
    parts
        .iter()
        .map(|part| {
            view! {
                <li>
                    <svg class="swatch" aria-hidden="true" width="14" height="14">
                        <rect class=part.class width="14" height="14" rx="2" />
                    </svg>
                    {part.label}
                </li>
            }
        })
        .collect_view()
}

/// The scale under a chart of stacked bars.
pub fn scale(axis: Axis) -> impl IntoView {
    let ticks = axis.ticks().into_iter().map(move |tick| {
        let x = format!("{:.3}%", axis.at(tick));
        let anchor = match axis.at(tick) {
            x if x < 1.0 => "start",
            x if x > 99.0 => "end",
            _ => "middle",
        };
        let label = crate::app::state::format::short(tick).replace('-', "−");
        view! { <text x=x y="12" text-anchor=anchor>{label}</text> }
    });
    view! { <svg class="stack-scale" width="100%" height="16" aria-hidden="true">{ticks.collect_view()}</svg> }
}

/// One stacked bar. `wholes` are the full values of the parts where something
/// can be missing; what is missing is drawn as an empty rest.
pub fn bar(
    values: &[f64],
    wholes: Option<&[f64]>,
    parts: &[Part],
    axis: Axis,
) -> impl IntoView + use<> {
    const HEIGHT: u32 = 24;
    let percent = |value: f64| format!("{value:.3}%");
    let drawn = wholes.unwrap_or(values);
    let rects = segments(drawn, axis)
        .into_iter()
        .filter_map(|segment| {
            let part = parts.get(segment.part)?;
            let share = match wholes {
                Some(wholes) => (values[segment.part] / wholes[segment.part]).clamp(0.0, 1.0),
                None => 1.0,
            };
            let filled = segment.width * share;
            let title = format!("{} {}", part.label, crate::app::state::format::fixed(values[segment.part], 2));
            let letter = (filled > 4.0).then(|| {
                view! { <text class="letter" x=percent(segment.x) dx="6" y="16">{part.letter}</text> }
            });
            let rest = (share < 1.0).then(|| {
                view! {
                    <rect class="rest" x=percent(segment.x + filled) width=percent(segment.width - filled) y="2" height=HEIGHT - 4 />
                }
            });
            Some(view! {
                <g>
                    <title>{title}</title>
                    <rect class=format!("segment {}", part.class) x=percent(segment.x) width=percent(filled) y="2" height=HEIGHT - 4 />
                    {rest}
                    {letter}
                </g>
            })
        })
        .collect_view();
    let zero = percent(axis.at(0.0));
    view! {
        <svg class="stack" width="100%" height=HEIGHT aria-hidden="true">
            {rects}
            <line class="zero" x1=zero.clone() x2=zero y1="0" y2=HEIGHT />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_parts_lie_left_of_zero() {
        let parts = [2.0, 1.0, -1.0, 0.0, 0.5];
        let axis = Axis::fitting([&parts[..]].into_iter());
        assert_eq!(
            axis,
            Axis {
                min: -1.0,
                max: 4.0
            }
        );
        let drawn = segments(&parts, axis);
        assert_eq!(drawn.len(), 4);
        assert_eq!(drawn[2].x, 0.0);
        assert_eq!(drawn[2].width, axis.at(0.0));
        assert_eq!(drawn[0].x, axis.at(0.0));
        for (left, right) in [(0, 1), (1, 3)] {
            assert!((drawn[left].x + drawn[left].width - drawn[right].x).abs() < 1e-9);
        }
    }

    #[test]
    fn ticks_are_round_and_cover_the_axis() {
        let axis = Axis::fitting([&[4.6][..], &[-0.7, 1.0][..]].into_iter());
        assert_eq!(axis.ticks(), vec![-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    }

    #[test]
    fn nothing_to_show_is_no_crash() {
        for stack in [&[][..], &[0.0], &[f64::MAX, f64::MAX]] {
            let axis = Axis::fitting([stack].into_iter());
            assert!(axis.ticks().len() <= 21);
            assert!(axis.at(0.0).is_finite());
        }
    }
}
