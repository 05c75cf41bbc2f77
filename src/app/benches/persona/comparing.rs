//! Two runs of one persona: what changed from the baseline, metric by metric, with the bars that
//! it has to pass, and reply by reply, the worst change first.

use std::sync::Arc;

use leptos::prelude::*;
use similar::{ChangeTag, TextDiff};

use super::baseline::{BASELINE, BASELINE_CONFIG, BASELINE_PERSONA, comparison};
use super::beside::swapped;
use super::model::Model;
use super::options::GATE;
use crate::app::bench::Leaves;
use crate::app::browser::events::is_checked;
use crate::app::browser::storage;
use crate::app::charts::interval::{self, Reading};
use crate::app::derived::{Derived, live};
use crate::app::export::{Format, file_name, json};
use crate::app::format::{count, grouped, measured, name, sentence, signed};
use crate::app::job::Clock;
use crate::app::panels::explain::explained;
use crate::app::panels::field::word_button;
use crate::app::panels::section::Section;
use crate::app::panels::table::{Cell, Row, number, table, words};
use crate::persona::{
    Bar, Comparison, Grade, Metric, MetricComparison, PairedBy, ReplyComparison, Shift, Split,
    SplitFigure, bars,
};
use crate::share;

/// The input that holds the run.
const TRANSCRIPT: &str = "transcript";
/// So many replies are shown at first, and more at each request.
const SHOWN: usize = 10;
/// Of longer texts, in bytes, the differences are not marked: that takes its time.
const LONG: usize = 8_000;
/// What a bar can be set for.
const BARRED: [Metric; 5] = [
    Metric::Overall,
    Metric::Authenticity,
    Metric::Safety,
    Metric::Stability,
    Metric::Voice,
];

type Found = Derived<Option<Arc<Comparison>>>;

/// The section.
#[component]
pub fn CompareSection(
    /// Whose run it is.
    model: Model,
) -> impl IntoView {
    let compared = comparison(model.sides, model.desk, model.embedding, Clock::BROWSER);
    let has_baseline =
        Memo::new(move |_| model.desk.work.with(|work| work.filled(BASELINE).is_some()));
    let chart = move || {
        live(move || {
            if has_baseline.get() {
                comparing(model, compared).into_any()
            } else {
                begin(model).into_any()
            }
        })
    };
    view! {
        <Section
            name="compare"
            about="compare"
            title="Compare"
            note="Another run of the same persona, pair by pair: what got better, what got worse?"
            chart
        />
    }
}

/// How a comparison begins.
fn begin(model: Model) -> impl IntoView {
    let keep = move |_| {
        model.desk.change(BASELINE, |work| {
            let now = work.text(TRANSCRIPT).to_owned();
            work.set_text(BASELINE, now);
            work.set_text(TRANSCRIPT, "");
            // those of a baseline before
            for input in [BASELINE_PERSONA, BASELINE_CONFIG] {
                work.set_text(input, "");
            }
        });
        model
            .host
            .notices
            .tell("This run is the baseline now. Paste or drop the new one.".to_owned());
    };
    view! {
        <p class="muted">
            "Keep this run as the baseline, then paste or drop the new one; or put an older transcript into the field “Baseline transcript”."
        </p>
        <button type="button" data-testid="keep-baseline" on:click=keep>"Keep this run as the baseline"</button>
    }
}

fn comparing(model: Model, compared: Found) -> impl IntoView {
    let swap = move |_| {
        model.desk.change(BASELINE, |work| *work = swapped(work));
    };
    let remove = move |_| {
        model.desk.change(BASELINE, |work| {
            for input in [BASELINE, BASELINE_PERSONA, BASELINE_CONFIG] {
                work.set_text(input, "");
            }
        });
    };
    let waits = move || {
        let is_read = model.sides.baseline.run.with(|run| run.result.is_some());
        let lacks = model.to_embed.with(Vec::len);
        match (is_read, lacks) {
            (false, _) if model.is_old.get() => {
                "It waits until what is wrong with the run itself is mended.".to_owned()
            }
            (false, _) => "The baseline cannot be read: see what is said at its field.".to_owned(),
            (true, 0) => "… it is being compared.".to_owned(),
            (true, lacks) => format!("It waits for the embeddings of {}.", count(lacks, "text")),
        }
    };
    view! {
        {live(move || match compared.get().as_ref() {
            Some(found) => found_view(model, found.clone()).into_any(),
            None => view! { <p class="muted" data-testid="compare-waits">{waits}</p> }.into_any(),
        })}
        <p class="compare-ways">
            <button type="button" data-testid="swap-baseline" on:click=swap>"Swap the two"</button>
            <button type="button" data-testid="remove-baseline" on:click=remove>"Remove the baseline"</button>
        </p>
    }
}

fn found_view(model: Model, found: Arc<Comparison>) -> impl IntoView {
    let notes = found
        .notes
        .iter()
        .map(|note| view! { <li>{sentence(note)}</li> });
    let notes = (!found.notes.is_empty())
        .then(|| view! { <ul class="muted compare-notes">{notes.collect_view()}</ul> });
    view! {
        <p data-testid="compare-gist">{gist(&found)}</p>
        {notes}
        {changes(&found)}
        {found.split.as_ref().map(apart)}
        {ways_out(model, found.clone())}
        {gate(model, found.clone())}
        {replies(found)}
    }
}

/// The comparison as a file: JSON as the command line prints it, the paired replies, a summary.
fn ways_out(model: Model, found: Arc<Comparison>) -> impl IntoView {
    let way = |words: &'static str, format: Format| {
        let found = found.clone();
        let save = move || {
            let text = match format {
                Format::Json => json(&*found),
                Format::Csv => share::comparison_csv(&found),
                _ => share::comparison_markdown(&found),
            };
            let topic = untrack(|| {
                model
                    .run
                    .with(|run| run.result.as_ref()?.name().map(str::to_owned))
            });
            let name = file_name("comparison", topic.as_deref(), &storage::today());
            let name = format!("{name}.{}", format.ending());
            model
                .host
                .save(name, format.media_type(), text, Leaves::File);
        };
        word_button(words, hook_of(format), save)
    };
    view! {
        <p class="compare-ways" role="group" aria-label="Export the comparison">
            {way("Comparison as JSON", Format::Json)}
            {way("Pairs as CSV", Format::Csv)}
            {way("Comparison as Markdown", Format::Markdown)}
        </p>
    }
}

const fn hook_of(format: Format) -> &'static str {
    match format {
        Format::Json => "compare-json",
        Format::Csv => "compare-csv",
        _ => "compare-markdown",
    }
}

/// The comparison in a sentence or two.
fn gist(found: &Comparison) -> String {
    let side = |overall: Option<f64>, grade: Option<Grade>| {
        let grade = grade.map_or_else(String::new, |grade| format!(" ({})", grade.letter()));
        measured(overall, 3) + &grade
    };
    let by = match found.paired_by {
        PairedBy::SessionAndTurn => "by session and turn",
        PairedBy::Prompt => "by the text they answer",
        PairedBy::Nothing => "",
    };
    let paired = match found.replies.len() {
        0 => "No reply has a partner.".to_owned(),
        1 => format!("1 reply paired {by}."),
        replies => format!("{} replies paired {by}.", grouped(replies)),
    };
    let [old, new] = found.unpaired_replies;
    let alone = match (old, new) {
        (0, 0) => String::new(),
        _ => format!(
            " Without a partner: {} in the baseline, {} in the new run.",
            grouped(old),
            grouped(new)
        ),
    };
    format!(
        "Overall {} → {}. {paired}{alone}",
        side(found.baseline_overall, found.baseline_grade),
        side(found.candidate_overall, found.candidate_grade)
    )
}

/// Each metric's change on one scale, with its interval and what that says.
fn changes(found: &Comparison) -> impl IntoView + use<> {
    let ends = |one: &MetricComparison| {
        let [low, high] = one.ci95.unwrap_or_default();
        let difference = one.difference.unwrap_or_default();
        [low, high, difference]
            .map(f64::abs)
            .into_iter()
            .fold(0.0, f64::max)
    };
    let all = found.metrics.iter().chain(&found.reply_metrics);
    let most = all.map(ends).fold(0.0, f64::max).max(0.01);
    let place = move |difference: f64| f64::midpoint(difference / most, 1.0);
    let rows = |all: &[MetricComparison]| {
        let rows = all.iter().map(|one| change(one, &place));
        rows.collect_view()
    };
    let of_replies = (!found.reply_metrics.is_empty()).then(|| {
        view! {
            <h4>"Over the paired replies"</h4>
            <ul class="metric-differences" data-testid="reply-changes">{rows(&found.reply_metrics)}</ul>
        }
    });
    let title = if found.is_paired {
        "Over the paired sessions"
    } else {
        "Over all sessions of each"
    };
    view! {
        <h4>{title}</h4>
        <ul class="metric-differences" data-testid="changes">{rows(&found.metrics)}</ul>
        {of_replies}
    }
}

/// What of the difference comes from what.
fn apart(split: &Split) -> impl IntoView + use<> {
    let columns = [
        words("Metric"),
        number("Before", "With the earlier persona and weights"),
        number("Now", ""),
        number("Difference", ""),
        number("By the persona", "Its words, tone and exemplars"),
        number("By the replies", ""),
        number("By the weights", "And the other numbers of the config"),
    ];
    let rows: Vec<Row> = split.metrics.iter().map(split_row).collect();
    view! {
        <h4>{explained("What the difference comes from", "difference_shares")}</h4>
        <p class="muted">
            "The earlier run with its own persona and weights, by the safety rules on the bench and without a judge. Each share is what a change of that part adds, averaged over every order in which the parts can change: together they are the difference."
        </p>
        <div class="split-table" data-testid="split">{table("The share of each part", &columns, &rows)}</div>
    }
}

fn split_row(one: &SplitFigure) -> Row {
    let label = Metric::named(&one.name)
        .map_or_else(|| one.name.clone(), |metric| metric.label().to_owned());
    let shares = [one.difference, one.persona, one.transcript, one.weights];
    let signed = |value: f64| Cell {
        text: signed(value, 3),
        value: Some(value),
    };
    let mut cells = vec![Cell::text(label)];
    cells.extend([one.before, one.after].map(|value| Cell::number(value, 3)));
    cells.extend(shares.map(signed));
    Row {
        id: one.name.clone(),
        is_out: false,
        cells,
    }
}

fn change(one: &MetricComparison, place: &dyn Fn(f64) -> f64) -> impl IntoView + use<> {
    let label = Metric::named(one.metric).map_or(one.metric, Metric::label);
    let shift = one.shift();
    let class = match shift {
        Shift::Better => "shift better",
        Shift::Worse => "shift worse",
        Shift::None | Shift::Untold | Shift::Unmeasured => "shift",
    };
    let reading = Reading {
        mean: one.difference.map(place),
        interval: one.ci95.map(|ends| ends.map(place)),
    };
    let interval = one.ci95.map_or_else(String::new, |[low, high]| {
        format!("{} – {}", signed(low, 3), signed(high, 3))
    });
    let difference = one
        .difference
        .map_or_else(|| "–".to_owned(), |by| signed(by, 3));
    view! {
        <li class="metric-difference" data-testid=format!("change-{}", one.metric)>
            <span class="name">
                {explained(label, one.metric)}
                <small>{measured(one.baseline, 3)}" → "{measured(one.candidate, 3)}</small>
            </span>
            <span class="metric-track">{interval::view(reading, &[0.5])}</span>
            <span class="total" data-value=one.difference.map(|by| by.to_string())>{difference}</span>
            <span class="metric-interval"><span class="visually-hidden">"95 % interval "</span>{interval}</span>
            <span class=class>{MetricComparison::words(shift)}</span>
        </li>
    }
}

/// The bars that are set. Tracked.
fn set_bars(model: Model) -> Vec<Bar> {
    model
        .desk
        .work
        .with(|work| work.setting(GATE).map(bars).unwrap_or_default())
}

/// The gate: the bars, and which are missed.
fn gate(model: Model, found: Arc<Comparison>) -> impl IntoView {
    let all = Memo::new(move |_| set_bars(model));
    let rows = BARRED.map(|metric| {
        view! {
            <tr>
                <th scope="row">{metric.label()}</th>
                <td>{bar_field(model, metric, false)}</td>
                <td>{bar_field(model, metric, true)}</td>
                <td>{no_fall_field(model, metric)}</td>
            </tr>
        }
    });
    let verdict = move || {
        let missed = all.with(|all| missed(model, &found, all));
        let count = all.with(Vec::len);
        match (count, missed.len()) {
            (0, _) => "No bar is set.".into_any(),
            (_, 0) => {
                view! { <strong class="shift better">"The gate is passed."</strong> }.into_any()
            }
            _ => {
                let missed = missed.into_iter();
                let missed = missed.map(|words| view! { <li>{sentence(&words)}</li> });
                view! {
                    <strong class="shift worse">"The gate is missed."</strong>
                    <ul>{missed.collect_view()}</ul>
                }
                .into_any()
            }
        }
    };
    let command = move || {
        let all = all.get();
        let options = all.iter().map(|bar| format!(" --{bar}"));
        (!all.is_empty()).then(|| {
            let options = options.collect::<String>();
            view! { <p class="muted">"On the command line: "<code>"assay persona --persona FILE --input NEW --compare OLD"{options}</code></p> }
        })
    };
    let open = model
        .desk
        .work
        .with_untracked(|work| work.setting(GATE).is_some());
    view! {
        <details class="gate" data-testid="gate" open=open>
            <summary>"Gate: bars that a new run has to pass"</summary>
            <table class="bars">
                <thead>
                    <tr>
                        <th scope="col">"Metric"</th>
                        <th scope="col">"At least"</th>
                        <th scope="col">"May fall by"</th>
                        <th scope="col">"No fall that the data shows"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <div data-testid="gate-verdict">{live(verdict)}</div>
            {live(command)}
        </details>
    }
}

fn missed(model: Model, found: &Comparison, all: &[Bar]) -> Vec<String> {
    model.scored.with(|scored| {
        let result = scored.result.as_ref();
        let of = |metric: Metric| metric.of(result?);
        let missed = all.iter().filter_map(|bar| bar.missed(of, Some(found)));
        missed.collect()
    })
}

/// The bar of a metric: how low it may be, or how far it may fall.
fn bar_field(model: Model, metric: Metric, is_fall: bool) -> impl IntoView {
    let is_here = move |bar: &Bar| match *bar {
        Bar::Least(of, _) => !is_fall && of == metric,
        Bar::Fall(of, _) | Bar::NoFall(of) => is_fall && of == metric,
    };
    let held = move || {
        let bars = set_bars(model);
        let value = bars
            .iter()
            .find(|bar| is_here(bar))
            .and_then(|bar| match bar {
                Bar::Least(_, value) | Bar::Fall(_, value) => Some(value.to_string()),
                Bar::NoFall(_) => None,
            });
        value.unwrap_or_default()
    };
    let change = move |event| {
        let text = event_target_value(&event);
        let given: Option<f64> = text.trim().parse().ok();
        let given = given.filter(|given| (0.0..=1.0).contains(given));
        let mut all = untrack(|| set_bars(model));
        all.retain(|bar| !is_here(bar));
        let bar = if is_fall { Bar::Fall } else { Bar::Least };
        all.extend(given.map(|given| bar(metric, given)));
        set(model, &all);
    };
    let (kind, what) = if is_fall {
        ("worse", "may fall by")
    } else {
        ("under", "at least")
    };
    view! {
        <input
            type="number"
            min="0"
            max="1"
            step="0.01"
            placeholder="–"
            aria-label=format!("{} {what}", metric.label())
            data-testid=format!("bar-{kind}-{}", metric.name())
            prop:value=held
            on:change=change
        />
    }
}

/// The bar that a metric passes unless its interval lies below 0. It and a drop exclude each other.
fn no_fall_field(model: Model, metric: Metric) -> impl IntoView {
    let is_of = move |bar: &Bar| match *bar {
        Bar::Fall(of, _) | Bar::NoFall(of) => of == metric,
        Bar::Least(..) => false,
    };
    let is_set = move || set_bars(model).contains(&Bar::NoFall(metric));
    let change = move |event| {
        let is_wanted = is_checked(&event);
        let mut all = untrack(|| set_bars(model));
        all.retain(|bar| !is_of(bar));
        all.extend(is_wanted.then_some(Bar::NoFall(metric)));
        set(model, &all);
    };
    view! {
        <input
            type="checkbox"
            aria-label=format!("{} does not fall in a way that the data shows", metric.label())
            data-testid=format!("bar-no-fall-{}", metric.name())
            prop:checked=is_set
            on:change=change
        />
    }
}

fn set(model: Model, bars: &[Bar]) {
    let bars: Vec<String> = bars.iter().map(ToString::to_string).collect();
    let setting = (!bars.is_empty()).then(|| bars.join(","));
    model.desk.change(GATE, |work| work.set(GATE, setting));
}

/// The paired replies, the worst change first.
fn replies(found: Arc<Comparison>) -> impl IntoView {
    let shown = RwSignal::new(SHOWN);
    let total = found.replies.len();
    let worse = found
        .replies
        .iter()
        .filter(|reply| reply.is_worse())
        .count();
    let list = move || {
        let rows = found.replies.iter().take(shown.get());
        rows.map(reply_view).collect_view()
    };
    let more = move || {
        (shown.get() < total).then(|| {
            let rest = total - shown.get();
            let more = move |_| shown.update(|shown| *shown += 2 * SHOWN);
            view! {
                <button type="button" data-testid="more-pairs" on:click=more>
                    "Show more of "{grouped(rest)}
                </button>
            }
        })
    };
    (total > 0).then(|| {
        view! {
            <h4>"Replies, the worst change first"</h4>
            <p class="muted">{format!("{} of {} got worse in authenticity, or break a rule now.", grouped(worse), grouped(total))}</p>
            <ol class="pairs" data-testid="pairs">{list}</ol>
            {live(more)}
        }
    })
}

fn reply_view(reply: &ReplyComparison) -> impl IntoView + use<> {
    let figures = Metric::OF_REPLIES.into_iter().filter_map(|metric| {
        let by = *reply.differences.get(metric.name())?;
        Some(view! { <span>{metric.name()}" "<b>{signed(by, 3)}</b></span> })
    });
    let breach = match reply.is_in_breach {
        [false, true] => Some(("shift worse", "breaks a rule now")),
        [true, false] => Some(("shift better", "breaks no rule any more")),
        [true, true] => Some(("shift", "breaks a rule in both")),
        [false, false] => None,
    };
    let breach = breach.map(|(class, words)| view! { <span class=class>{words}</span> });
    let prompt = reply.prompt.as_ref().map(|text| {
        view! { <p class="prompt"><span class="muted">"To: "</span><q>{text.to_string()}</q></p> }
    });
    let [old, new] = sides(&reply.baseline, &reply.candidate);
    let side = |title: &'static str, is_new: bool, parts: Vec<Part>| {
        let parts = parts.into_iter().map(|part| match part {
            (false, text) => text.into_any(),
            (true, text) if is_new => view! { <ins>{text}</ins> }.into_any(),
            (true, text) => view! { <del>{text}</del> }.into_any(),
        });
        view! {
            <div class="side">
                <span class="muted">{title}</span>
                <p dir="auto">{parts.collect_view()}</p>
            </div>
        }
    };
    view! {
        <li>
            <p class="turn-figures">
                <strong>{name(&reply.session_id)}" turn "{reply.turn_index}</strong>
                {figures.collect_view()}
                {breach}
            </p>
            {prompt}
            <div class="sides">{side("Baseline", false, old)}{side("New run", true, new)}</div>
        </li>
    }
}

/// A stretch of a text, and whether only this side has it.
type Part = (bool, String);

/// Both texts, with what only one has.
fn sides(old: &str, new: &str) -> [Vec<Part>; 2] {
    if old == new || old.len().max(new.len()) > LONG {
        return [old, new].map(|text| vec![(false, text.to_owned())]);
    }
    let mut sides = [Vec::new(), Vec::new()];
    let add = |side: &mut Vec<Part>, is_own: bool, text: &str| match side.last_mut() {
        Some(last) if last.0 == is_own => last.1.push_str(text),
        _ => side.push((is_own, text.to_owned())),
    };
    let diff = TextDiff::from_words(old, new);
    for change in diff.iter_all_changes() {
        let [old, new] = &mut sides;
        match change.tag() {
            ChangeTag::Equal => {
                add(old, false, change.value());
                add(new, false, change.value());
            }
            ChangeTag::Delete => add(old, true, change.value()),
            ChangeTag::Insert => add(new, true, change.value()),
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_one_side_has_is_marked() {
        let part = |is_own: bool, text: &str| (is_own, text.to_owned());
        let [old, new] = sides("We fry it fresh.", "We always fry it.");
        assert_eq!(old, [part(false, "We fry "), part(true, "it fresh.")],);
        assert_eq!(
            new,
            [
                part(false, "We "),
                part(true, "always "),
                part(false, "fry "),
                part(true, "it.")
            ],
        );
        // both are whole again
        for (side, text) in [(old, "We fry it fresh."), (new, "We always fry it.")] {
            let whole: String = side.into_iter().map(|(_, text)| text).collect();
            assert_eq!(whole, text);
        }
        let long = "a ".repeat(LONG);
        assert_eq!(sides(&long, "b")[1], [part(false, "b")]);
    }
}
