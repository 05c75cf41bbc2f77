//! A chart: what is drawn, not how.

/// Colours of series in the light and in the dark theme; the last is for what is taken away.
pub(in crate::share) const PALETTE: [[&str; 2]; 8] = [
    ["#0d5c63", "#72c9cd"],
    ["#67a9ad", "#2f777b"],
    ["#bfdadb", "#1f4d51"],
    ["#d9b878", "#8a6b33"],
    ["#4a6aa0", "#8fabdf"],
    ["#bb93ad", "#8a5c7b"],
    ["#98a862", "#66743a"],
    ["#d9806c", "#7a3527"],
];

/// The colour of what is taken away.
pub(super) const MINUS: usize = PALETTE.len() - 1;

/// Colours of the ground, of text, of what is said beside it, and of lines.
pub(in crate::share) const INK: [[&str; 2]; 4] = [
    ["#fbfaf8", "#14171a"],
    ["#191d21", "#e9e7e2"],
    ["#59626b", "#a3abb3"],
    ["#e0ddd6", "#2b3137"],
];

/// So many rows are drawn; all of them stand in the tables.
const MOST_ROWS: usize = 60;

/// A chart as plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The name of its file, without an ending.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What it was made from: formula and input.
    pub source: String,
    /// What its values are.
    pub axis: &'static str,
    /// Where the axis of values begins and ends.
    pub ends: [f64; 2],
    /// What its marks are of.
    pub series: Vec<Series>,
    /// Its rows, or the places of its lines, in order.
    pub rows: Vec<Row>,
    /// Values that are marked across all rows.
    pub rules: Vec<Rule>,
    /// How it is drawn.
    pub form: Form,
}

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A bar for each row, of parts beside each other: what adds to the right of 0, what takes away to
    /// the left.
    Bars,
    /// A dot for each part, with its interval.
    Dots,
    /// The rows from left to right, and a line for each series through them.
    Line,
}

/// What marks of one colour are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Which of the eight colours it has.
    pub hue: usize,
}

impl Series {
    /// Series of these names, each with the next colour.
    pub(super) fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let names = names.into_iter().enumerate();
        let series = names.map(|(at, name)| Self {
            name: name.to_owned(),
            hue: at % MINUS,
        });
        series.collect()
    }
}

/// A row of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Whose it is, as somebody named it.
    pub label: String,
    /// Its values.
    pub parts: Vec<Part>,
    /// What the parts come to, where that is marked.
    pub total: Option<f64>,
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Position of its series.
    pub series: usize,
    /// The value.
    pub value: f64,
    /// Where it may as well lie, low and high.
    pub interval: Option<[f64; 2]>,
}

/// A value that is marked across all rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The value.
    pub value: f64,
    /// What it is.
    pub label: String,
}

/// A mark of a chart, of which [`Chart::marks`] has all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark<'a> {
    /// Position of its row.
    pub row: usize,
    pub label: &'a str,
    pub series: &'a Series,
    pub value: f64,
    /// Where it begins and ends on the axis: the same for what is a point.
    pub span: [f64; 2],
    pub interval: Option<[f64; 2]>,
}

impl Row {
    /// Where each part begins and ends: parts of a bar lie beside each other.
    fn spans(&self, form: Form) -> Vec<[f64; 2]> {
        let (mut plus, mut minus) = (0.0, 0.0);
        let spans = self.parts.iter().map(|part| {
            if form != Form::Bars {
                return [part.value; 2];
            }
            let side = if part.value < 0.0 {
                &mut minus
            } else {
                &mut plus
            };
            let from: f64 = *side;
            *side += part.value;
            [from, *side]
        });
        spans.collect()
    }
}

impl Chart {
    /// Every mark, row by row.
    pub(super) fn marks(&self) -> Vec<Mark<'_>> {
        let rows = self.rows.iter().enumerate();
        let marks = rows.flat_map(|(at, row)| {
            let parts = row.parts.iter().zip(row.spans(self.form));
            parts.filter_map(move |(part, span)| {
                Some(Mark {
                    row: at,
                    label: &row.label,
                    series: self.series.get(part.series)?,
                    value: part.value,
                    span,
                    interval: part.interval,
                })
            })
        });
        marks.collect()
    }

    /// The same without the rows that are too many to be drawn under each other; the title says so.
    #[must_use]
    pub(super) fn bounded(mut self) -> Self {
        let all = self.rows.len();
        if self.form != Form::Line && all > MOST_ROWS {
            self.rows.truncate(MOST_ROWS);
            self.title = format!("{} (the first {MOST_ROWS} of {all})", self.title);
        }
        self
    }

    /// The same with an axis from 0, or from where marks begin, to where the last one ends.
    #[must_use]
    pub(super) fn fitted(mut self) -> Self {
        let marks = self.marks();
        let ends = marks.iter().flat_map(|mark| {
            let interval = mark.interval.unwrap_or(mark.span);
            mark.span.into_iter().chain(interval)
        });
        let totals = self.rows.iter().filter_map(|row| row.total);
        let rules = self.rules.iter().map(|rule| rule.value);
        let all = ends.chain(totals).chain(rules);
        let [low, high] = all.fold([0.0_f64, 0.0], |[low, high], value| {
            [low.min(value), high.max(value)]
        });
        self.ends = if high > low { [low, high] } else { [0.0, 1.0] };
        self
    }

    /// Values of the axis that are written on it: some five, of one, two or five and zeros.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let [low, high] = self.ends;
        let step = (high - low) / 5.0;
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        // of libm, so that the page and the command line write the same
        let power = libm::pow(10.0, libm::log10(step).floor());
        let nice = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
        let nice = nice.into_iter().find(|nice| *nice >= step * 0.999);
        let step = nice.unwrap_or(step);
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        // a dozen are enough for any axis; what is not finite has none
        let count = (last - first).clamp(0.0, 12.0) as usize;
        (0..=count).map(|at| (first + at as f64) * step).collect()
    }
}

/// A number as it stands at a mark or an axis: six digits at most.
pub(super) fn figure(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.is_finite() {
        rounded.to_string()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[&[f64]]) -> Chart {
        let row = |values: &&[f64]| Row {
            label: "a".into(),
            parts: values
                .iter()
                .enumerate()
                .map(|(series, value)| Part {
                    series,
                    value: *value,
                    interval: None,
                })
                .collect(),
            total: None,
        };
        Chart {
            name: "x",
            title: "X".into(),
            source: String::new(),
            axis: "y",
            ends: [0.0, 1.0],
            series: Series::named(["a", "b", "c"]),
            rows: values.iter().map(row).collect(),
            rules: Vec::new(),
            form: Form::Bars,
        }
    }

    #[test]
    fn parts_of_a_bar_lie_beside_each_other() {
        let spans: Vec<_> = chart(&[&[2.0, -1.0, 0.5]])
            .marks()
            .into_iter()
            .map(|m| m.span)
            .collect();
        assert_eq!(spans, [[0.0, 2.0], [0.0, -1.0], [2.0, 2.5]]);
    }

    #[test]
    fn an_axis_fits_and_its_ticks_are_round() {
        let fitted = chart(&[&[2.0, -1.0], &[4.5, 0.0]]).fitted();
        assert_eq!(fitted.ends, [-1.0, 4.5]);
        assert_eq!(fitted.ticks(), [0.0, 2.0, 4.0]);
        assert_eq!(chart(&[]).fitted().ticks().len(), 6);
        for odd in [f64::INFINITY, f64::MAX, 5e-324] {
            assert!(chart(&[&[odd]]).fitted().ticks().len() <= 13, "{odd}");
        }
    }

    #[test]
    fn more_rows_than_can_be_read_are_left_to_the_table() {
        let rows = vec![[1.0]; 100];
        let rows: Vec<&[f64]> = rows.iter().map(|row| &row[..]).collect();
        let bounded = chart(&rows).bounded();
        assert_eq!(bounded.rows.len(), MOST_ROWS);
        assert_eq!(bounded.title, "X (the first 60 of 100)");
    }
}
