//! A chart as SVG: a file of its own in the light or the dark theme, or a part of a page with its colours.

use std::fmt::Write as _;

use super::super::markup;
use super::chart::{Chart, Form, INK, Mark, PALETTE, figure};

/// Which colours a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// Those of the page that it is a part of: its variables `--hue-0` to `--hue-7`, and `--ink-0` to
    /// `--ink-3` for ground, text, what is said beside it, and lines.
    Both,
}

/// A colour of [`INK`] or of [`PALETTE`].
#[derive(Clone, Copy)]
enum Colour {
    Ground,
    Text,
    Beside,
    Line,
    Hue(usize),
}

impl Theme {
    /// A colour as an attribute, `fill` or `stroke`.
    fn attribute(self, name: &str, colour: Colour) -> String {
        let (list, at, variable) = match colour {
            Colour::Ground => (&INK[..], 0, "ink"),
            Colour::Text => (&INK[..], 1, "ink"),
            Colour::Beside => (&INK[..], 2, "ink"),
            Colour::Line => (&INK[..], 3, "ink"),
            Colour::Hue(at) => (&PALETTE[..], at % PALETTE.len(), "hue"),
        };
        match self {
            Self::Light => format!("{name}=\"{}\"", list[at][0]),
            Self::Dark => format!("{name}=\"{}\"", list[at][1]),
            // a variable is no value of an attribute everywhere
            Self::Both => format!("style=\"{name}:var(--{variable}-{at})\""),
        }
    }
}

const WIDTH: f64 = 640.0;
const RIGHT: f64 = 620.0;
/// Where the rows' names end, and the values of lines.
const LABELS: f64 = 170.0;
const VALUES: f64 = 48.0;
const ROW: f64 = 26.0;
const BAR: f64 = 16.0;
const LINES: f64 = 220.0;
/// A line has so many dots at most.
const MOST_DOTS: usize = 400;
const FONT: &str = "font-family=\"system-ui, sans-serif\"";

/// What is drawn so far.
struct Canvas<'a> {
    chart: &'a Chart,
    theme: Theme,
    markup: String,
    /// Where the plot begins and ends, from above.
    top: f64,
    bottom: f64,
}

/// The chart as an element `svg`, well-formed as XML. Every text of it is escaped, and every mark says
/// what it is in its `title`.
pub fn svg(chart: &Chart, theme: Theme) -> String {
    let lines = legend_lines(chart);
    let top = 40.0 + 20.0 * lines.len() as f64;
    let height = match chart.form {
        Form::Line => LINES,
        Form::Bars | Form::Dots => ROW * chart.rows.len() as f64,
    };
    let mut canvas = Canvas {
        chart,
        theme,
        markup: String::new(),
        top,
        bottom: top + height,
    };
    canvas.head(top + height + 76.0);
    canvas.legend(&lines);
    canvas.axis();
    canvas.rules();
    match chart.form {
        Form::Line => canvas.lines(),
        Form::Bars | Form::Dots => canvas.rows(),
    }
    canvas.markup.push_str("</svg>\n");
    canvas.markup
}

/// The series in lines that fit, each with the place where it begins; nothing of a single one.
fn legend_lines(chart: &Chart) -> Vec<Vec<(f64, usize)>> {
    let mut lines = Vec::new();
    if chart.series.len() < 2 {
        return lines;
    }
    let mut left = WIDTH;
    for (at, series) in chart.series.iter().enumerate() {
        let width = 34.0 + 7.0 * series.name.chars().count() as f64;
        if left + width > RIGHT {
            lines.push(Vec::new());
            left = 20.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((left, at));
        }
        left += width;
    }
    lines
}

/// So much of a name as fits beside its row: a wide letter takes the place of two.
fn short(label: &str) -> String {
    const MOST: usize = 20;
    let mut width = 0;
    let fits = label.chars().take_while(|character| {
        width += if *character >= '\u{1100}' { 2 } else { 1 };
        width <= MOST
    });
    let kept: String = fits.collect();
    if kept.len() == label.len() {
        kept
    } else {
        kept + "…"
    }
}

impl Canvas<'_> {
    // writing to a String cannot fail
    fn put(&mut self, element: &str) {
        let _ = writeln!(self.markup, "{element}");
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, colour: Colour, words: &str) {
        let fill = self.theme.attribute("fill", colour);
        let words = markup::name(words);
        self.put(&format!(
            "<text x=\"{x:.2}\" y=\"{y:.2}\" text-anchor=\"{anchor}\" font-size=\"12\" {FONT} {fill}>{words}</text>"
        ));
    }

    fn head(&mut self, height: f64) {
        let Chart {
            name,
            title,
            source,
            ..
        } = self.chart;
        let (title, ground) = (
            markup::line(title),
            self.theme.attribute("fill", Colour::Ground),
        );
        self.put(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{name}-title {name}-source\">\n<title id=\"{name}-title\">{title}</title>"
        ));
        if self.theme != Theme::Both {
            self.put(&format!(
                "<rect width=\"{WIDTH}\" height=\"{height}\" {ground}/>"
            ));
        }
        let fill = self.theme.attribute("fill", Colour::Text);
        self.put(&format!(
            "<text x=\"20\" y=\"24\" font-size=\"15\" font-weight=\"600\" {FONT} {fill}>{title}</text>"
        ));
        let fill = self.theme.attribute("fill", Colour::Beside);
        let (source, y) = (markup::line(source), height - 12.0);
        self.put(&format!(
            "<text id=\"{name}-source\" x=\"20\" y=\"{y:.2}\" font-size=\"11\" {FONT} {fill}>{source}</text>"
        ));
    }

    fn legend(&mut self, lines: &[Vec<(f64, usize)>]) {
        let chart = self.chart;
        for (number, line) in lines.iter().enumerate() {
            let y = 40.0 + 20.0 * number as f64;
            for (left, at) in line {
                let Some(series) = chart.series.get(*at) else {
                    continue;
                };
                let fill = self.theme.attribute("fill", Colour::Hue(series.hue));
                self.put(&format!(
                    "<rect x=\"{left:.2}\" y=\"{y:.2}\" width=\"12\" height=\"12\" {fill}/>"
                ));
                self.text((left + 17.0, y + 10.5), "start", Colour::Text, &series.name);
            }
        }
    }

    /// Where the plot begins on the left.
    fn left(&self) -> f64 {
        match self.chart.form {
            Form::Line => VALUES,
            Form::Bars | Form::Dots => LABELS,
        }
    }

    /// The place of a value on its axis.
    fn place(&self, value: f64) -> f64 {
        let [low, high] = self.chart.ends;
        let share = (value - low) / (high - low);
        match self.chart.form {
            Form::Line => self.bottom - share * (self.bottom - self.top),
            Form::Bars | Form::Dots => LABELS + share * (RIGHT - LABELS),
        }
    }

    /// A line across the plot at a value.
    fn across(&mut self, value: f64, colour: Colour, dashes: &str) {
        let (at, stroke) = (self.place(value), self.theme.attribute("stroke", colour));
        let (left, top, bottom) = (self.left(), self.top, self.bottom);
        let ends = match self.chart.form {
            Form::Line => {
                format!("x1=\"{left:.2}\" x2=\"{RIGHT:.2}\" y1=\"{at:.2}\" y2=\"{at:.2}\"")
            }
            Form::Bars | Form::Dots => {
                format!("x1=\"{at:.2}\" x2=\"{at:.2}\" y1=\"{top:.2}\" y2=\"{bottom:.2}\"")
            }
        };
        self.put(&format!("<line {ends} {stroke}{dashes}/>"));
    }

    fn axis(&mut self) {
        for tick in self.chart.ticks() {
            self.across(tick, Colour::Line, "");
            let place = self.place(tick);
            let (at, anchor) = match self.chart.form {
                Form::Line => ((VALUES - 6.0, place + 4.0), "end"),
                Form::Bars | Form::Dots => ((place, self.bottom + 16.0), "middle"),
            };
            self.text(at, anchor, Colour::Beside, &figure(tick));
        }
        let at = (self.left(), self.bottom + 36.0);
        self.text(at, "start", Colour::Beside, self.chart.axis);
    }

    fn rules(&mut self) {
        let chart = self.chart;
        for rule in &chart.rules {
            self.across(rule.value, Colour::Beside, " stroke-dasharray=\"4 3\"");
            let at = (RIGHT, self.place(rule.value) - 4.0);
            let words = format!("{} {}", rule.label, figure(rule.value));
            self.text(at, "end", Colour::Beside, &words);
        }
    }

    /// What a mark is, in words.
    fn title(mark: &Mark) -> String {
        let (name, value) = (&mark.series.name, figure(mark.value));
        let interval = mark
            .interval
            .map(|[low, high]| format!(" ({} to {})", figure(low), figure(high)));
        let words = format!("{}: {value}{}", name, interval.unwrap_or_default());
        format!(
            "<title>{}, {}</title>",
            markup::name(mark.label),
            markup::line(&words)
        )
    }

    fn rows(&mut self) {
        let chart = self.chart;
        for (at, row) in chart.rows.iter().enumerate() {
            let y = self.top + ROW * at as f64 + ROW / 2.0;
            self.text(
                (LABELS - 8.0, y + 4.0),
                "end",
                Colour::Text,
                &short(&row.label),
            );
        }
        for mark in chart.marks() {
            let y = self.top + ROW * mark.row as f64 + ROW / 2.0;
            if chart.form == Form::Bars {
                self.bar(&mark, y);
            } else {
                self.dot(&mark, y);
            }
        }
        for (at, row) in chart.rows.iter().enumerate() {
            let Some(total) = row.total else { continue };
            let (x, y) = (self.place(total), self.top + ROW * at as f64);
            let (from, to) = (y + 2.0, y + ROW - 2.0);
            let (stroke, title) = (
                self.theme.attribute("stroke", Colour::Text),
                markup::name(&row.label),
            );
            self.put(&format!(
                "<line class=\"total\" x1=\"{x:.2}\" x2=\"{x:.2}\" y1=\"{from:.2}\" y2=\"{to:.2}\" stroke-width=\"2\" {stroke}><title>{title}: {}</title></line>",
                figure(total)
            ));
        }
    }

    fn bar(&mut self, mark: &Mark, y: f64) {
        let [from, to] = mark.span.map(|end| self.place(end));
        let (left, width, top) = (from.min(to), (to - from).abs(), y - BAR / 2.0);
        let fill = self.theme.attribute("fill", Colour::Hue(mark.series.hue));
        self.put(&format!(
            "<rect class=\"mark\" x=\"{left:.2}\" y=\"{top:.2}\" width=\"{width:.2}\" height=\"{BAR}\" {fill}>{}</rect>",
            Self::title(mark)
        ));
    }

    fn dot(&mut self, mark: &Mark, y: f64) {
        let colour = Colour::Hue(mark.series.hue);
        if let Some([low, high]) = mark.interval.map(|ends| ends.map(|end| self.place(end))) {
            let stroke = self.theme.attribute("stroke", colour);
            self.put(&format!(
                "<line class=\"interval\" x1=\"{low:.2}\" x2=\"{high:.2}\" y1=\"{y:.2}\" y2=\"{y:.2}\" stroke-width=\"2\" {stroke}/>"
            ));
        }
        let (x, fill) = (self.place(mark.value), self.theme.attribute("fill", colour));
        self.put(&format!(
            "<circle class=\"mark\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"5\" {fill}>{}</circle>",
            Self::title(mark)
        ));
    }

    fn lines(&mut self) {
        let chart = self.chart;
        let marks = chart.marks();
        let step = (RIGHT - VALUES) / chart.rows.len().max(1) as f64;
        let place = |row: usize| VALUES + step * (row as f64 + 0.5);
        for series in &chart.series {
            let own = marks.iter().filter(|mark| mark.series == series);
            let points =
                own.map(|mark| format!("{:.2},{:.2}", place(mark.row), self.place(mark.value)));
            let points = points.collect::<Vec<_>>().join(" ");
            let stroke = self.theme.attribute("stroke", Colour::Hue(series.hue));
            self.put(&format!(
                "<polyline points=\"{points}\" fill=\"none\" stroke-width=\"2\" {stroke}/>"
            ));
        }
        // of many the line alone is seen
        let dots = if marks.len() > MOST_DOTS {
            &[][..]
        } else {
            &marks[..]
        };
        for mark in dots {
            let (x, y) = (place(mark.row), self.place(mark.value));
            let fill = self.theme.attribute("fill", Colour::Hue(mark.series.hue));
            self.put(&format!(
                "<circle class=\"mark\" cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"3\" {fill}>{}</circle>",
                Self::title(mark)
            ));
        }
        self.places(step);
    }

    /// The names of some places below a line, so that they do not run into each other.
    fn places(&mut self, step: f64) {
        let chart = self.chart;
        let each = (60.0 / step).ceil().max(1.0) as usize;
        for (at, row) in chart.rows.iter().enumerate().step_by(each) {
            let x = VALUES + step * (at as f64 + 0.5);
            let label: String = short(&row.label).chars().take(8).collect();
            self.text((x, self.bottom + 16.0), "middle", Colour::Beside, &label);
        }
    }
}
