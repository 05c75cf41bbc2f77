//! Stacked bars: positive parts to the right of zero, negative ones to the left.

use std::fmt::Write as _;

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

    /// The axis from zero to a value that nothing is beyond.
    pub fn to(max: f64) -> Self {
        let is_drawable = max > 0.0 && max.is_finite();
        Self {
            min: 0.0,
            max: if is_drawable { max } else { 1.0 },
        }
    }

    /// Where a value is, in percent.
    pub fn at(&self, value: f64) -> f64 {
        (value - self.min) / (self.max - self.min) * 100.0
    }

    /// Round numbers along the axis.
    pub fn ticks(&self) -> Vec<f64> {
        let step = step(self.max - self.min);
        // but for the dust of a division the last one may be short of the end
        let count = ((self.max - self.min) / step + 1e-9).floor() as i64;
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

/// The segments of a stack; those of zero have no width, and say so to whoever
/// does not look.
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
        segments.push(Segment {
            part,
            x: axis.at(from),
            width: axis.at(to) - axis.at(from),
        });
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
    /// Its class in stack.css.
    pub class: &'static str,
}

/// A small square in the colour of a part.
pub fn swatch(part: &Part) -> impl IntoView + use<> {
    view! {
        <svg class="swatch" aria-hidden="true" width="12" height="12">
            <rect class=part.class width="12" height="12" rx="2" />
        </svg>
    }
}

/// How a number on the scale is aligned, so that it stays over the chart.
fn anchor(at: f64) -> &'static str {
    if at < 1.0 {
        "start"
    } else if at > 99.0 {
        "end"
    } else {
        "middle"
    }
}

/// The scale under a chart of stacked bars.
pub fn scale(axis: Axis) -> impl IntoView {
    let ticks = axis.ticks().into_iter().map(move |tick| {
        let at = axis.at(tick);
        let label = crate::app::format::short(tick).replace('-', "−");
        view! { <text x=format!("{at:.3}%") y="12" text-anchor=anchor(at)>{label}</text> }
    });
    view! { <svg class="stack-scale" width="100%" height="16" aria-hidden="true">{ticks.collect_view()}</svg> }
}

/// A part of a bar as it is drawn, in percent of the chart's width.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Piece {
    /// Left edge.
    pub x: f64,
    /// Width of what is there.
    pub width: f64,
    /// Width of what is missing to the whole.
    pub rest: f64,
    /// The contribution.
    pub value: f64,
}

/// A bar as it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// A piece per part.
    pub pieces: Vec<Piece>,
    /// Where zero is.
    pub zero: f64,
    /// Where the sum is; none where parts may be missing.
    pub sum: Option<f64>,
    /// Where the sum was before the last change.
    pub before: Option<f64>,
}

/// Lays out a bar. `wholes` are the full values of the parts where something
/// can be missing.
pub fn lay_out(values: &[f64], wholes: Option<&[f64]>, axis: Axis, before: Option<f64>) -> Bar {
    let pieces = segments(wholes.unwrap_or(values), axis).into_iter();
    let pieces = pieces.map(|segment| {
        let value = values[segment.part];
        let share = match wholes {
            Some(wholes) if wholes[segment.part] > 0.0 => {
                (value / wholes[segment.part]).clamp(0.0, 1.0)
            }
            _ => 1.0,
        };
        Piece {
            x: segment.x,
            width: segment.width * share,
            rest: segment.width * (1.0 - share),
            value,
        }
    });
    Bar {
        pieces: pieces.collect(),
        zero: axis.at(0.0),
        sum: wholes.is_none().then(|| axis.at(values.iter().sum())),
        // where it is off the axis it would stand over what is beside the chart
        before: before
            .map(|before| axis.at(before))
            .filter(|at| (0.0..=100.0).contains(at)),
    }
}

/// The places of a bar's elements as properties that stack.css reads: all of a
/// bar is one write to the page, which is what keeps a long ranking in step with
/// a dragged weight.
pub fn properties(bar: &Bar) -> String {
    let mut text = String::new();
    for (index, piece) in bar.pieces.iter().enumerate() {
        let Piece { x, width, rest, .. } = piece;
        let letter = u8::from(*width > 4.0);
        let _ = write!(
            text,
            "--x{index}:{x:.3}%;--w{index}:{width:.3}%;--r{index}:{rest:.3}%;--l{index}:{letter};"
        );
    }
    let mut line = |name: &str, at: Option<f64>| {
        // far out of sight where there is none
        let _ = write!(text, "--{name}:{:.3}%;", at.unwrap_or(-1e4));
    };
    line("zero", Some(bar.zero));
    line("sum", bar.sum);
    line("before", bar.before);
    text
}

/// The images of a bar that is one element with backgrounds, from the front to
/// the back: sum, sum before, zero, parts. It has no letters and shows nothing
/// that is missing, and costs a tenth: for lists of hundreds.
pub fn images(parts: &[Part]) -> String {
    let mut text = String::from("var(--paint-ink), var(--paint-ink), var(--paint-line)");
    for part in parts {
        let _ = write!(text, ", var(--paint-{})", part.class);
    }
    text
}

/// Sizes and positions of the [`images`].
pub fn places(bar: &Bar) -> (String, String) {
    let (mut sizes, mut positions) = (String::new(), String::new());
    let lines = [(bar.sum, 2), (bar.before, 2), (Some(bar.zero), 1)];
    for (at, width) in lines {
        let width = at.map_or(0, |_| width);
        let _ = write!(sizes, "{width}px 100%,");
        let _ = write!(positions, "{:.2}% 0,", at.unwrap_or_default());
    }
    for piece in &bar.pieces {
        // a position in percent is that of the image's own point
        let free = 100.0 - piece.width;
        let x = if free > 0.0 {
            piece.x / free * 100.0
        } else {
            0.0
        };
        let _ = write!(sizes, "{:.2}% 80%,", piece.width);
        let _ = write!(positions, "{x:.2}% 50%,");
    }
    sizes.pop();
    positions.pop();
    (sizes, positions)
}

/// The part that is drawn at a place, in percent of the bar's width.
pub fn part_at(bar: &Bar, x: f64) -> Option<usize> {
    let is_there = |piece: &Piece| piece.width > 0.0 && piece.x <= x && x <= piece.x + piece.width;
    bar.pieces.iter().position(is_there)
}

/// One stacked bar, laid out by the [`properties`] around it. Each part can be
/// pressed (`data-part`); what is missing of it is an empty rest. Small lines
/// show the sum, and where it was before.
pub fn view(parts: &'static [Part]) -> impl IntoView {
    const HEIGHT: u32 = 24;
    let drawn = parts.iter().enumerate().map(|(index, part)| {
        let Part { label, letter, class } = *part;
        view! {
            <g role="button" tabindex="-1" aria-label=label data-part=index class=format!("piece-{index}")>
                <title>{label}</title>
                <rect class=format!("segment {class}") y="2" height=HEIGHT - 4 />
                <rect class="rest" y="2" height=HEIGHT - 4 />
                <text class="letter" x="6" y="16">{letter}</text>
            </g>
        }
    });
    view! {
        <svg class="stack" width="100%" height=HEIGHT role="group" aria-label="What it is made of">
            {drawn.collect_view()}
            <line class="zero" y2=HEIGHT />
            <line class="before" y2=HEIGHT />
            <line class="sum-mark" y2=HEIGHT />
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
        assert_eq!(drawn[3].width, 0.0);
        assert_eq!(drawn[2].x, 0.0);
        assert_eq!(drawn[2].width, axis.at(0.0));
        assert_eq!(drawn[0].x, axis.at(0.0));
        for (left, right) in [(0, 1), (1, 4)] {
            assert!((drawn[left].x + drawn[left].width - drawn[right].x).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_missing_is_the_rest() {
        let axis = Axis::fitting([&[2.0, 2.0][..]].into_iter());
        let bar = lay_out(&[2.0, 0.5], Some(&[2.0, 2.0]), axis, None);
        assert_eq!((bar.pieces[0].width, bar.pieces[0].rest), (50.0, 0.0));
        assert_eq!((bar.pieces[1].width, bar.pieces[1].rest), (12.5, 37.5));
        assert_eq!((bar.sum, bar.zero), (None, 0.0));
        let nothing = lay_out(&[0.0, 0.0], Some(&[0.0, 2.0]), axis, Some(1.0));
        assert_eq!(
            (nothing.pieces[0].rest, nothing.pieces[1].rest),
            (0.0, 50.0)
        );
        assert_eq!(nothing.before, Some(25.0));
        let far = lay_out(&[1.0], None, axis, Some(4.5));
        assert_eq!(far.before, None, "it is off the axis");
    }

    #[test]
    fn places_are_properties() {
        let axis = Axis::fitting([&[2.0, 2.0][..]].into_iter());
        let text = properties(&lay_out(&[2.0, 0.1], None, axis, None));
        assert!(text.starts_with("--x0:0.000%;--w0:50.000%;--r0:0.000%;--l0:1;--x1:50.000%;"));
        assert!(text.contains("--l1:0;") && text.contains("--sum:52.500%;"));
        assert!(text.ends_with("--before:-10000.000%;"));
    }

    #[test]
    fn backgrounds_lie_where_the_parts_are() {
        let axis = Axis::fitting([&[2.0, -2.0][..]].into_iter());
        let bar = lay_out(&[1.0, 0.0, -2.0], None, axis, None);
        let (sizes, positions) = places(&bar);
        assert_eq!(
            sizes,
            "2px 100%,0px 100%,1px 100%,25.00% 80%,0.00% 80%,50.00% 80%"
        );
        // a quarter that starts in the middle: two thirds of the free room
        assert!(positions.starts_with("25.00% 0,0.00% 0,50.00% 0,66.67% 50%,"));
        assert_eq!(part_at(&bar, 60.0), Some(0));
        assert_eq!(part_at(&bar, 10.0), Some(2));
        assert_eq!(part_at(&bar, 90.0), None);
    }

    #[test]
    fn ticks_are_round_and_cover_the_axis() {
        let axis = Axis::fitting([&[4.6][..], &[-0.7, 1.0][..]].into_iter());
        assert_eq!(axis.ticks(), vec![-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let ends = [-1.0, 0.0, 5.0].map(|tick| anchor(axis.at(tick)));
        assert_eq!(ends, ["start", "middle", "end"]);
    }

    #[test]
    fn a_bar_of_one_element_has_an_image_for_each_line_and_part() {
        let part = |class| Part {
            label: "",
            letter: "",
            class,
        };
        let images = images(&[part("part-1"), part("part-minus")]);
        assert_eq!(
            images,
            "var(--paint-ink), var(--paint-ink), var(--paint-line), var(--paint-part-1), var(--paint-part-minus)"
        );
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
