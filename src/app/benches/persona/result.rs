//! The result of a persona run: how firm its grade is, the metrics, and what each
//! session's score is made of.

use std::iter;

use leptos::prelude::*;

use super::model::{Model, Waiting};
use super::options::{self, WEIGHTS, WEIGHTS_BY_VOICE};
use super::reply::{legend, marks_of, turn_view};
use super::words as verdicts;
use crate::app::benches::page::{provenance, sum_total};
use crate::app::charts::interval::{self, Reading};
use crate::app::charts::stack::{Axis, Part};
use crate::app::derived::{Derived, live};
use crate::app::format::{count, fixed, measured, name, sentence, short};
use crate::app::panels::anatomy::{self, Anatomy, Opened, Rows};
use crate::app::panels::evidence::Mark;
use crate::app::panels::explain::explained;
use crate::app::panels::goal::follow_rows;
use crate::app::panels::number::Band;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, figure, words};
use crate::app::panels::weights::{Group, WeightsPanel};
use crate::app::seen::{Seen, seen};
use crate::persona::{
    GRADES, Grade, Intervals, Metric, MetricSummary, PersonaResult, SafetyPart, SessionResult,
    Weights, remarks, severity_is_idle, unread_words, voice,
};

/// In the order of [`Metric::OUTER`].
const PARTS: [Part; 3] = {
    let [authenticity, safety, stability] = Metric::OUTER;
    [
        part(authenticity, "A", "part-1"),
        part(safety, "S", "part-2"),
        part(stability, "St", "part-3"),
    ]
};

/// As the weights are drawn: [`PARTS`], then the parts of authenticity.
const WEIGHED: [Part; 6] = {
    let [authenticity, safety, stability] = PARTS;
    let [style, traits, lexicon] = Metric::INNER;
    [
        authenticity,
        safety,
        stability,
        part(style, "Sy", "part-5"),
        part(traits, "Tr", "part-6"),
        part(lexicon, "Le", "part-7"),
    ]
};

/// The same where the voice stands in the place of style.
const WEIGHED_BY_VOICE: [Part; 6] = {
    let mut all = WEIGHED;
    all[3] = part(Metric::Voice, "Vo", "part-5");
    all
};

const GROUPS: [Group; 2] = [
    Group {
        label: "Overall",
        count: Metric::OUTER.len(),
    },
    Group {
        label: "Within authenticity",
        count: Metric::INNER.len(),
    },
];

const fn part(metric: Metric, letter: &'static str, class: &'static str) -> Part {
    Part {
        label: metric.label(),
        letter,
        class,
    }
}

/// As [`each`] has them; some labels are shortened.
static COLUMNS: [Column; 12] = {
    const fn column(metric: Metric) -> Column {
        figure(metric.label(), metric.name())
    }
    [
        words("Session"),
        column(Metric::Overall),
        figure("Authent.", Metric::Authenticity.name()),
        column(Metric::Style),
        column(Metric::Traits),
        column(Metric::Lexicon),
        column(Metric::Safety),
        figure("Violations", SafetyPart::ViolationRate.name()),
        figure(
            SafetyPart::SeverityScore.label(),
            SafetyPart::SeverityScore.name(),
        ),
        figure(
            SafetyPart::JudgeScore.label(),
            SafetyPart::JudgeScore.name(),
        ),
        column(Metric::Stability),
        column(Metric::Voice),
    ]
};

static METRICS: [Column; 7] = [
    words("Metric"),
    figure("Mean", "spread"),
    figure("From", "interval"),
    figure("To", "interval"),
    figure("SD", "spread"),
    figure("Least", "spread"),
    figure("Most", "spread"),
];

/// What a session's score is made of, in the order of [`PARTS`]: weight, value,
/// and what it brings; nothing where it was not measured.
fn terms(session: &SessionResult, weights: &Weights) -> ([(f64, Option<f64>, f64); 3], f64) {
    let term = |metric: Metric| (metric.weight_of(weights), metric.of_session(session));
    let terms = Metric::OUTER.map(term);
    let measured = terms.iter().filter(|(_, value)| value.is_some());
    let sum: f64 = measured.map(|(weight, _)| weight).sum();
    let bring = |(weight, value): (f64, Option<f64>)| {
        let share = if sum > 0.0 { weight / sum } else { 0.0 };
        (weight, value, share * value.unwrap_or_default())
    };
    (terms.map(bring), sum)
}

/// A result in so far as it is compared with the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    overall: Option<f64>,
    /// What was not measured: with other parts, scores do not compare.
    partial: Vec<String>,
    /// By id, as in the result.
    sessions: Vec<(String, Option<f64>)>,
}

impl Figures {
    fn of(result: &PersonaResult) -> Self {
        let sessions = result.sessions.iter();
        Self {
            overall: result.overall,
            partial: result.partial.clone(),
            sessions: sessions
                .map(|session| (session.session_id.clone(), session.overall))
                .collect(),
        }
    }

    fn session(&self, id: &str) -> Option<f64> {
        let sessions = &self.sessions;
        let found = sessions.binary_search_by(|(other, _)| other.as_str().cmp(id));
        sessions[found.ok()?].1
    }
}

/// The figures before the last change where they compare.
fn ghost(seen: &Seen<Figures>) -> Figures {
    if seen.before.partial == seen.now.partial {
        seen.before.clone()
    } else {
        Figures::default()
    }
}

/// The figures now and before, for as long as the bench is there.
pub fn figures(model: Model) -> Derived<Seen<Figures>> {
    let now = move || {
        let figures = |result: &PersonaResult| Figures::of(result);
        let scored = model.scored.get();
        scored.result.as_ref().map(figures).unwrap_or_default()
    };
    seen(model.desk, model.reading.is_current, now)
}

/// The sentence under the verdict: how firm it is.
fn firm_words(model: Model) -> Signal<String> {
    Signal::derive(move || {
        let firm = model.intervals.with(|intervals| {
            let intervals = intervals.as_ref().filter(|found| found.grade.is_some());
            intervals.map(verdicts::nearest_grade).unwrap_or_default()
        });
        match model.waiting.get() {
            Waiting::No => firm,
            // there is no grade yet that this could be about
            _ if model.is_held.get() => String::new(),
            _ => "How firm the grade is shows once there is one.".to_owned(),
        }
    })
}

/// The weights with the stretches in which the grade stands.
#[component]
pub fn PersonaWeights(
    /// Whose they are.
    model: Model,
    /// Their original values.
    #[prop(into)]
    originals: Signal<Vec<f64>>,
) -> impl IntoView {
    let bands = Memo::new(move |_| {
        let bands = |found: &Intervals| Band::of(&found.weights, verdicts::GRADE_STANDS);
        // those of a part of the score would be of another grade
        let is_graded = model.waiting.get() == Waiting::No;
        model.intervals.with(|found| {
            let found = found.as_ref().filter(|_| is_graded);
            found.map(bands).unwrap_or_default()
        })
    });
    live(move || {
        let (fields, parts) = if model.is_by_voice.get() {
            (&WEIGHTS_BY_VOICE, &WEIGHED_BY_VOICE)
        } else {
            (&WEIGHTS, &WEIGHED)
        };
        view! {
            <WeightsPanel
                desk=model.desk
                fields
                parts
                groups=&GROUPS
                originals
                bands
                firm=firm_words(model)
            />
        }
    })
}

/// What authenticity is made of: the voice may stand in the place of style.
fn inner(result: &PersonaResult) -> [Metric; 3] {
    let [style, traits, lexicon] = Metric::INNER;
    let is_by_voice = result.voice.as_ref().is_some_and(|voice| voice.is_style);
    [
        if is_by_voice { Metric::Voice } else { style },
        traits,
        lexicon,
    ]
}

fn anatomy_rows(result: &PersonaResult, before: &Figures) -> Vec<anatomy::Row> {
    let rows = result.sessions.iter().map(|session| {
        let (terms, _) = terms(session, &result.weights);
        let was = before.session(&session.session_id);
        anatomy::Row {
            id: session.session_id.clone(),
            title: name(&session.session_id),
            subtitle: count(session.turns.len(), "response"),
            rank: None,
            was: None,
            values: terms.iter().map(|(.., brings)| *brings).collect(),
            wholes: None,
            score: session.overall.unwrap_or_default(),
            before: was.filter(|_| was != session.overall),
            total: measured(session.overall, 3),
            out: None,
        }
    });
    rows.collect()
}

fn table_rows(result: &PersonaResult) -> Vec<table::Row> {
    let rows = result.sessions.iter().map(|session| {
        let numbers = each(
            |metric| metric.of_session(session),
            |part| part.of_session(session),
        );
        let mut cells = vec![Cell::text(name(&session.session_id))];
        cells.extend(numbers.map(|number| Cell::number(number, 3)));
        table::Row {
            id: session.session_id.clone(),
            is_out: false,
            cells,
        }
    });
    rows.collect()
}

/// Something for each metric, and behind safety for each of its parts.
fn each<T>(
    metric: impl Fn(Metric) -> T,
    part: impl Fn(SafetyPart) -> T,
) -> impl Iterator<Item = T> {
    Metric::ALL.into_iter().flat_map(move |of| {
        let mut all = vec![metric(of)];
        if of == Metric::Safety {
            all.extend(SafetyPart::ALL.map(&part));
        }
        all
    })
}

/// A part of safety in a sentence.
fn word(part: SafetyPart) -> String {
    part.label().to_lowercase()
}

/// What a metric is made of, in words.
fn made_of(metric: Metric, result: &PersonaResult) -> String {
    let listed = |name: &str, value| format!("{name} {}", measured(value, 2));
    match metric {
        Metric::Authenticity => inner(result)
            .map(|part| listed(part.name(), part.of(result)))
            .join(" · "),
        Metric::Safety => {
            let parts = SafetyPart::ALL.map(|part| listed(&word(part), part.of(result)));
            let decided = result.safety.decided_by;
            let decided = decided.map(|part| format!(" · decided by {}", word(part)));
            parts.join(" · ") + &decided.unwrap_or_default()
        }
        Metric::Stability => {
            let most = short(result.max_expected_variance);
            format!("max expected deviation {most}")
        }
        _ => String::new(),
    }
}

fn metric_cells(result: &PersonaResult) -> Vec<table::Row> {
    let row = |name: &str, figures: MetricSummary| {
        let (low, high) = figures.ci95.map(|[low, high]| (low, high)).unzip();
        let (least, most) = figures.range.map(|[least, most]| (least, most)).unzip();
        let numbers = [figures.mean, low, high, figures.std, least, most];
        let mut cells = vec![Cell::text(name)];
        cells.extend(numbers.map(|number| Cell::number(number, 3)));
        table::Row {
            id: format!("metric-{}", name.to_lowercase().replace(' ', "-")),
            is_out: false,
            cells,
        }
    };
    let metric = |metric: Metric| {
        let is_part = metric != Metric::Overall;
        is_part.then(|| row(metric.label(), metric.summary(result)))
    };
    let part = |part: SafetyPart| {
        let mean = part.of(result);
        let only = MetricSummary {
            mean,
            ..MetricSummary::default()
        };
        Some(row(part.label(), only))
    };
    each(metric, part).flatten().collect()
}

/// A metric with its interval.
pub fn metric_row(metric: Metric, result: &PersonaResult) -> impl IntoView + use<> {
    let figures = metric.summary(result);
    let interval = figures.ci95.map_or_else(String::new, |[low, high]| {
        format!("{} – {}", fixed(low, 3), fixed(high, 3))
    });
    let spread = figures
        .std
        .map_or_else(String::new, |std| format!("sd {}", fixed(std, 3)));
    let track = interval::view(
        Reading {
            mean: figures.mean,
            interval: figures.ci95,
        },
        &[],
    );
    let value = figures.mean.map(|mean| mean.to_string());
    let remarks = remarks(metric, result).into_iter();
    let remarks = remarks.map(|remark| view! { <small class="remark">{sentence(&remark)}</small> });
    view! {
        <li class="metric" data-testid=format!("part-{}", metric.name())>
            <span class="name">{explained(metric.label(), metric.name())}<small>{made_of(metric, result)}</small>{remarks.collect_view()}</span>
            <span class="metric-track">{track}</span>
            <span class="total" data-testid=format!("metric-{}", metric.name()) data-value=value>{measured(figures.mean, 3)}</span>
            <span class="metric-interval">
                <span class="visually-hidden">"95 % interval "</span>
                {interval}
                <small>{spread}</small>
            </span>
        </li>
    }
}

/// The grades from 0 to 1, each with the percent of the way that it takes.
fn grade_scale() -> Vec<(Grade, f64)> {
    let worst = (Grade::of(0.0), 0.0);
    let begins = iter::once(worst).chain(GRADES.into_iter().rev());
    let ends = begins.clone().skip(1).map(|(_, from)| from).chain([1.0]);
    let scale = begins.zip(ends);
    scale
        .map(|((grade, from), to)| (grade, 100.0 * (to - from)))
        .collect()
}

/// Says that the overall score is not the reference formula's.
fn by_voice_tag(is_by_voice: bool) -> Option<impl IntoView> {
    let says = format!("style by {}", voice::FORMULA);
    is_by_voice.then(|| view! { <span class="tag by-voice" data-testid="style-by">{says}</span> })
}

/// Says that labels have chosen the inner weights.
fn by_labels_tag(is_by_labels: bool) -> Option<impl IntoView> {
    is_by_labels.then(
        || view! { <span class="tag by-voice" data-testid="weights-by">"weights by labels"</span> },
    )
}

fn overall_view(
    result: &PersonaResult,
    before: &Figures,
    [is_waiting, is_by_voice, is_by_labels]: [bool; 3],
) -> AnyView {
    // a grade of what needs no embedding alone would be another
    let grade = result.grade.filter(|_| !is_waiting);
    let grade = grade.map_or("–", Grade::letter);
    let value = result.overall.map(|overall| overall.to_string());
    let track = interval::view(
        Reading {
            mean: result.overall.filter(|_| !is_waiting),
            interval: None,
        },
        &GRADES.map(|(_, from)| from),
    );
    let scale = grade_scale();
    let widths = scale.iter().map(|(_, width)| format!("{width:.1}fr "));
    let widths = widths.collect::<String>();
    let letters = scale
        .iter()
        .map(|(grade, _)| view! { <i>{grade.letter()}</i> });
    let letters = letters.collect_view();
    let partial = !result.partial.is_empty();
    // what it is without vectors would pass for the score
    let (shown, what) = match (is_waiting, partial) {
        (true, _) => (measured(None, 3), "overall, not computed yet"),
        (_, true) => (measured(result.overall, 3), "overall, partial"),
        _ => (measured(result.overall, 3), "overall"),
    };
    let was = before.overall.filter(|was| Some(*was) != result.overall);
    let was = was.map(|was| {
        view! { <small data-testid="overall-was" data-was=was.to_string()>"was "{fixed(was, 3)}</small> }
    });
    view! {
        <div class="overall" class:partial=partial>
            <span class="grade" data-testid="grade">{grade}</span>
            <span class="overall-figure">
                <span class="total" data-testid="overall" data-value=value>{shown}</span>
                <small>{explained(what, "overall")}</small>
                {by_voice_tag(is_by_voice)}
                {by_labels_tag(is_by_labels)}
                {was}
            </span>
            <span class="metric-track">
                {track}
                <span class="grade-scale" aria-hidden="true" style:grid-template-columns=widths>{letters}</span>
            </span>
        </div>
    }
    .into_any()
}

fn metrics_view(result: &PersonaResult) -> AnyView {
    let rows = Metric::OUTER.map(|metric| metric_row(metric, result));
    view! { <ul class="metrics">{rows}</ul> }.into_any()
}

/// How many responses of a session are shown at once.
const TURNS_SHOWN: usize = 200;

/// What the parts of a session's score come from, in words, in the order of [`Metric::OUTER`].
fn reasons(session: &SessionResult, result: &PersonaResult) -> [String; 3] {
    let share = |part: Metric| format!("{} {}", part.name(), measured(part.of_session(session), 3));
    let shares = inner(result).map(share);
    let authenticity = format!(
        "Authenticity is the mean over {}: {}.",
        count(session.turns.len(), "response"),
        shares.join(", ")
    );
    let judge = session.judge_score;
    let judge = judge.map(|judge| format!(", judge {}", short(judge)));
    let decided = session.decided_by.map(word).unwrap_or_default();
    let idle = if severity_is_idle(session) {
        " Every response breaks a rule, so it is 0 whatever the severity."
    } else {
        ""
    };
    let safety = format!(
        "Safety is the smallest of 1 − violation rate = {}, severity {}{}: {decided} decides.{idle}",
        short(1.0 - session.violation_rate.unwrap_or_default()),
        short(session.severity_score.unwrap_or_default()),
        judge.unwrap_or_default(),
    );
    let stability = match session.stability {
        Some(_) if session.turns.len() == 2 => {
            "Stability is 1 by construction: two responses are always equally far from their mean."
                .into()
        }
        Some(value) => format!(
            "Stability is 1 − deviation {} / {}.",
            short((1.0 - value) * result.max_expected_variance),
            short(result.max_expected_variance)
        ),
        None if session.turns.len() < 2 => {
            "Stability is not measured: it takes two responses.".into()
        }
        None => "Stability is not measured without embeddings.".into(),
    };
    [authenticity, safety, stability]
}

/// What is behind a session's score, or behind one part of it.
fn session_evidence(result: &PersonaResult, opened: &Opened) -> AnyView {
    let found = result.sessions.iter();
    let Some(session) = found.into_iter().find(|s| s.session_id == opened.id) else {
        return ().into_any();
    };
    let part = opened.part.and_then(|at| Metric::OUTER.get(at).copied());
    let (terms, sum) = terms(session, &result.weights);
    let over = if (sum - 1.0).abs() < 1e-9 {
        String::new()
    } else {
        format!(" / {}", short(sum))
    };
    let terms = Metric::OUTER.into_iter().zip(terms).enumerate();
    let terms = terms.map(|(index, (metric, (weight, value, brings)))| {
        let term = value.map_or_else(
            || "not measured".to_owned(),
            |value| format!("{} × {}{over}", short(weight), short(value)),
        );
        let is_lit = part == Some(metric);
        view! {
            <div class:lit=is_lit data-testid=format!("term-{index}") aria-current=is_lit.then_some("true")>
                <dt>{metric.label()}</dt>
                <dd class="term">{term}</dd>
                <dd class="figure">{value.map_or_else(|| "–".to_owned(), |_| fixed(brings, 4))}</dd>
            </div>
        }
    });
    let reasons = Metric::OUTER.into_iter().zip(reasons(session, result));
    let reasons = reasons.filter(|(metric, _)| part.is_none_or(|part| part == *metric));
    let reasons = reasons.map(|(_, words)| view! { <li>{words}</li> });
    // without the figures that say nothing of a reply
    let turns = session.turns.iter().take(TURNS_SHOWN);
    let turns: Vec<_> = turns
        .map(|turn| (result.judged(turn), unread_words(turn, result)))
        .collect();
    let shown = turns.iter();
    let marks: Vec<Mark> = shown.flat_map(|(turn, _)| marks_of(turn, part)).collect();
    let judge = session.judge_reasoning.clone();
    let judge = judge.filter(|_| part.is_none_or(|part| part == Metric::Safety));
    let judge = judge.map(|said| {
        view! { <li data-testid="judge-reasoning"><strong>"The judge: "</strong><q>{said.to_string()}</q></li> }
    });
    let more = session.turns.len().saturating_sub(TURNS_SHOWN);
    let more = (more > 0).then(|| view! { <p class="muted">{more}" more are in the export."</p> });
    let turns = turns
        .into_iter()
        .map(|(turn, unread)| turn_view(&turn, unread, part));
    view! {
        <dl class="sum">
            {terms.collect_view()}
            {sum_total(Metric::Overall.label(), session.overall)}
        </dl>
        <ul class="reviews">{reasons.collect_view()}{judge}</ul>
        <div class="responses" data-testid=format!("evidence-{}", session.session_id)>
            {legend(&marks)}
            <ol class="turns">{turns.collect_view()}</ol>
            {more}
        </div>
    }
    .into_any()
}

/// Asks the result, where there is one.
fn asked(model: Model, ask: &dyn Fn(&PersonaResult) -> AnyView) -> Option<AnyView> {
    model.scored.with(|scored| scored.result.as_ref().map(ask))
}

fn table_of(
    model: Model,
    caption: &'static str,
    columns: &'static [Column],
    rows: fn(&PersonaResult) -> Vec<table::Row>,
) -> impl IntoView {
    let rows = Signal::derive(move || {
        model
            .scored
            .with(|scored| scored.result.as_ref().map(rows).unwrap_or_default())
    });
    view! { <Table caption columns rows /> }
}

/// What each session's score is made of: the rows that the weights change.
#[component]
pub fn Sessions(
    /// Whose result it is.
    model: Model,
    /// The figures before the last change.
    seen: Derived<Seen<Figures>>,
) -> impl IntoView {
    let rows = Memo::new(move |_| {
        let before = seen.with(ghost);
        model.scored.with(|scored| {
            let result = scored.result.as_ref();
            result
                .map(|result| anatomy_rows(result, &before))
                .unwrap_or_default()
        })
    });
    let evidence =
        move |opened: Opened| asked(model, &|result| session_evidence(result, &opened)).into_any();
    // two runs are looked at on the same axis
    let wanted = RwSignal::new(None);
    let find = move |id: &str| rows.with(|rows| rows.iter().position(|row| row.id == id));
    follow_rows("sessions", find, move |at| wanted.set(Some(at)));
    let rows = Rows {
        axis: Memo::new(|_| Axis::to(1.0)),
        axis_apart: None,
        wanted: Some(wanted),
        ..Rows::of(rows)
    };
    let sessions = move || view! { <Anatomy label="Sessions" rows parts=&PARTS evidence /> };
    view! {
        <Section
            name="sessions"
            about="session"
            title="Sessions"
            note="What each score is made of: open a row or a part of its bar"
            chart=sessions
            table=ViewFn::from(move || table_of(model, "Sessions", &COLUMNS, table_rows))
        />
    }
}

/// The grade on its scale.
#[component]
pub fn Overall(
    /// Whose result it is.
    model: Model,
    /// The figures before the last change.
    seen: Derived<Seen<Figures>>,
) -> impl IntoView {
    let overall = move || {
        let is_waiting = model.waiting.get() != Waiting::No && !model.is_held.get();
        let before = seen.with(ghost);
        let is_by_voice = model.is_by_voice.get();
        let is_by_labels = model.desk.work.with(options::is_by_labels);
        let view = |result: &PersonaResult| {
            overall_view(result, &before, [is_waiting, is_by_voice, is_by_labels])
        };
        asked(model, &view).into_any()
    };
    view! { <section class="grade-line">{live(overall)}</section> }
}

/// The metrics over all sessions.
#[component]
pub fn Metrics(
    /// Whose result it is.
    model: Model,
) -> impl IntoView {
    let metrics = move || live(move || asked(model, &metrics_view).into_any());
    let metrics_table =
        move || table_of(model, "Metrics over all sessions", &METRICS, metric_cells);
    view! {
        <Section
            name="metrics"
            about="interval"
            title="Over all sessions"
            note="Mean with its 95 % interval"
            chart=metrics
            table=ViewFn::from(metrics_table)
        />
    }
}

/// What the result stands on.
#[component]
pub fn Origin(
    /// Whose result it is.
    model: Model,
) -> impl IntoView {
    let origin = |result: &PersonaResult| {
        let by = result.model.as_ref().map(|model| {
            view! {
                <p class="muted" data-testid="embedded-by">
                    "Embedded by "{name(&model.id)}" ("{model.precision.clone()}"), SHA-256 "
                    <code>{model.sha256.clone()}</code>
                </p>
            }
        });
        view! {
            {provenance(result.formula, &result.input_sha256, &result.notes)}
            {by}
        }
        .into_any()
    };
    view! { <section>{live(move || asked(model, &origin).into_any())}</section> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;
    use crate::persona::config::{INNER, OUTER};

    #[test]
    fn the_scale_of_grades_is_that_of_the_core() {
        let scale = grade_scale();
        let letters: String = scale.iter().map(|(grade, _)| grade.letter()).collect();
        assert_eq!(letters, "FDCBA");
        for (grade, width) in scale {
            let expected = if grade == Grade::F { 60.0 } else { 10.0 };
            assert!((width - expected).abs() < 1e-9, "{grade:?} {width}");
        }
    }

    #[test]
    fn every_column_is_explained() {
        for columns in [&COLUMNS[..], &METRICS] {
            assert_eq!(unexplained(columns), Vec::<String>::new());
        }
    }

    #[test]
    fn the_weights_are_those_of_the_config() {
        let names = WEIGHTS.map(|field| field.name);
        assert_eq!(names[..], *[OUTER, INNER].as_flattened());
    }
}
