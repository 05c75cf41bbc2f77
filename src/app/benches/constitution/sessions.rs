//! The sessions of a log beside each other: each with its mean, its bands and its line. One
//! that is chosen is the one whose turns are shown.

use std::ops::Range;
use std::sync::Arc;

use leptos::prelude::*;

use super::choice::{Choice, Chosen};
use super::line::{grounds, turns_of};
use super::model::Model;
use crate::app::charts::timeline;
use crate::app::derived::live;
use crate::app::format::{count, fixed, measured, name};
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, number, words};
use crate::app::panels::unrolled::{Unrolled, Unrolling};
use crate::constitution::{RewardResult, SCALE, ScoredSession};
use crate::text::sort_by;

/// The order of the sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    /// The lowest mean first.
    #[default]
    Mean,
    /// As they begin.
    Log,
    /// By their names.
    Name,
    /// What falls most from turn to turn first.
    Trend,
}

const ORDERS: [(Order, &str, &str); 4] = [
    (Order::Mean, "mean", "Lowest mean first"),
    (Order::Log, "log", "In their order"),
    (Order::Name, "name", "By name"),
    (Order::Trend, "trend", "Steepest fall first"),
];

/// The mean total on the scale of the bands.
fn mean(session: &ScoredSession, result: &RewardResult) -> f64 {
    session.summary.mean_total / result.weights_sum * SCALE
}

/// The places of the sessions in an order; equal ones stay as they begin.
fn ordered(result: &RewardResult, order: Order) -> Vec<usize> {
    let sessions = &result.sessions;
    let mut places: Vec<usize> = (0..sessions.len()).collect();
    let of = |place: &usize| &sessions[*place];
    match order {
        Order::Log => {}
        Order::Mean => sort_by(&mut places, |a, b| {
            let mean = |place| of(place).summary.mean_total;
            mean(a).total_cmp(&mean(b))
        }),
        Order::Name => sort_by(&mut places, |a, b| of(a).session_id.cmp(&of(b).session_id)),
        Order::Trend => sort_by(&mut places, |a, b| {
            let trend = |place| of(place).summary.trend.unwrap_or(f64::INFINITY);
            trend(a).total_cmp(&trend(b))
        }),
    }
    places
}

/// What is drawn of a session.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    id: Arc<str>,
    turns: usize,
    mean: f64,
    bands: Vec<(usize, &'static str)>,
    /// The same in words, with how many turns were not measured.
    words: String,
    unmeasured: Option<String>,
    weakest: &'static str,
    trend: Option<f64>,
    shares: Vec<f64>,
}

impl Line {
    fn of(result: &RewardResult, place: usize) -> Option<Self> {
        let session = result.sessions.get(place)?;
        let summary = &session.summary;
        let bands = summary.measured_bands().named().into_iter();
        let bands = bands.chain([(summary.unmeasured, "unmeasured")]);
        let is_perfect = summary.bands.perfect == summary.turns;
        Some(Self {
            id: session.session_id.clone(),
            turns: summary.turns,
            mean: mean(session, result),
            bands: bands.filter(|(number, _)| *number > 0).collect(),
            words: summary.bands_words(),
            unmeasured: summary.unmeasured_words(),
            weakest: if is_perfect {
                "–"
            } else {
                summary.weakest.word()
            },
            trend: summary.trend,
            shares: turns_of(result, Some(&session.positions))
                .map(|turn| turn.normalised)
                .collect(),
        })
    }
}

/// A slope with its sign.
fn slope(trend: Option<f64>) -> String {
    match trend {
        Some(trend) if trend > 0.0005 => format!("+{}", fixed(trend, 3)),
        trend => measured(trend, 3),
    }
}

/// How many sessions there are; none while there is no result.
fn number_of(model: Model) -> usize {
    let sessions = |result: &RewardResult| result.sessions.len();
    model
        .scored
        .with(|scored| scored.result.as_ref().map_or(0, sessions))
}

/// The section of several sessions.
pub fn view(model: Model, chosen: Chosen) -> impl IntoView {
    let number = Memo::new(move |_| number_of(model));
    let order = RwSignal::new(Order::default());
    let places = Memo::new(move |_| {
        let order = order.get();
        model.scored.with(|scored| {
            let result = scored.result.as_ref();
            result
                .map(|result| ordered(result, order))
                .unwrap_or_default()
        })
    });
    let unrolling = Unrolling::default();
    let list = move || {
        let draw = move |(start, size): (Signal<usize>, usize)| {
            let rows = (0..size).map(|slot| row(model, chosen, places, start, slot));
            view! { <ol class="session-rows">{rows.collect_view()}</ol> }.into_any()
        };
        view! {
            {tools(chosen, order, number)}
            <Unrolled id="sessions-list" count=number unrolling draw foot=move || () />
        }
    };
    let twin = move || {
        let rows = move |range: Range<usize>| {
            places.with(|places| {
                let places = places.get(range).unwrap_or_default();
                model.scored.with(|scored| match &scored.result {
                    Some(result) => places
                        .iter()
                        .map(|place| table_row(result, &result.sessions[*place]))
                        .collect(),
                    None => Vec::new(),
                })
            })
        };
        let rows = table::Rows {
            count: number.into(),
            rows: Callback::new(rows),
        };
        view! { {tools(chosen, order, number)}<Table caption="Sessions" columns=&COLUMNS[..] rows /> }
    };
    view! {
        <Section
            name="sessions"
            title="Sessions"
            note="Choose one to see its turns alone"
            chart=list
            table=ViewFn::from(twin)
        />
    }
}

/// All sessions together, and the order of the list.
fn tools(chosen: Chosen, order: RwSignal<Order>, number: Memo<usize>) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        let value = event_target_value(&event);
        let found = ORDERS.into_iter().find(|(_, name, _)| *name == value);
        order.set(found.map(|(order, ..)| order).unwrap_or_default());
    };
    let each = ORDERS.map(|(_, name, label)| view! { <option value=name>{label}</option> });
    let now = move || {
        let found = ORDERS.into_iter().find(|(known, ..)| *known == order.get());
        found.map_or("", |(_, name, _)| name)
    };
    let is_all = move || chosen.choice.with(|choice| choice.session.is_none());
    view! {
        <div class="turn-tools">
            <button
                type="button"
                data-testid="all-sessions"
                aria-pressed=move || is_all().to_string()
                on:click=move |_| choose(chosen, None)
            >
                "All "{move || count(number.get(), "session")}
            </button>
            <select aria-label="Order of the sessions" data-testid="session-order" prop:value=now on:change=change>
                {each}
            </select>
        </div>
    }
}

/// Shows the turns of a session alone, or all; what else was chosen of the turns stays,
/// but for the stretch, which is of another line.
fn choose(chosen: Chosen, session: Option<Arc<str>>) {
    chosen.choose(|choice| {
        *choice = Choice {
            session,
            stretch: None,
            ..std::mem::take(choice)
        };
    });
}

fn row(
    model: Model,
    chosen: Chosen,
    places: Memo<Vec<usize>>,
    start: Signal<usize>,
    slot: usize,
) -> impl IntoView {
    let line = Memo::new(move |_| {
        let place = places.with(|places| places.get(start.get() + slot).copied())?;
        model
            .scored
            .with(|scored| Line::of(scored.result.as_ref()?, place))
    });
    live(move || {
        let line = line.get()?;
        let id = line.id.clone();
        let is_chosen = move || {
            chosen
                .choice
                .with(|choice| choice.session.as_ref() == Some(&id))
        };
        let id = line.id.clone();
        let take = move |_| choose(chosen, Some(id.clone()));
        let (bands, unmeasured) = (line.words.clone(), line.unmeasured.clone());
        let lows = line.bands.clone().into_iter().map(|(number, band)| {
            view! { <i class=format!("ground {band}") style:flex-grow=number.to_string()></i> }
        });
        Some(view! {
            <li>
                <button
                    type="button"
                    class="session-row"
                    data-testid=format!("session-{}", line.id)
                    aria-pressed=move || is_chosen().to_string()
                    on:click=take
                >
                    <span class="name">{name(&line.id)}<small>{count(line.turns, "turn")}</small></span>
                    <span class="mean" data-value=line.mean.to_string()>{fixed(line.mean, 2)}<small>" of "{format!("{SCALE:.2}")}</small>{unmeasured.map(|words| view! { <small class="unmeasured-turns">{words}</small> })}</span>
                    <span class="bands"><span class="band-bar" aria-hidden="true">{lows.collect_view()}</span><small>{bands}</small></span>
                    <span class="weakest"><small>"weakest "</small>{line.weakest}</span>
                    <span class="slope"><small>"trend "</small>{slope(line.trend)}</span>
                    <span class="little" aria-hidden="true">{timeline::small(&line.shares, &grounds())}</span>
                </button>
            </li>
        })
    })
}

static COLUMNS: [Column; 12] = [
    words("Session"),
    number("Turns", ""),
    number(
        "Mean",
        "On the scale of the bands, whatever the weights add up to",
    ),
    number("Mean total", "With the weights as they are"),
    number("Perfect", ""),
    number("Good", ""),
    number("Concerning", ""),
    number("Poor", ""),
    number(
        "Not measured",
        "Turns of which nothing was measured: they count in the mean with what stands by default, and are in no band here",
    ),
    words("Weakest"),
    number("Trend", "Slope of the total per turn"),
    number("Discounted", "Sum of γ to the power t × total"),
];

fn table_row(result: &RewardResult, session: &ScoredSession) -> table::Row {
    let summary = &session.summary;
    let mut cells = vec![
        Cell::text(name(&session.session_id)),
        Cell::number(summary.turns as f64, 0),
        Cell::number(mean(session, result), 4),
        Cell::number(summary.mean_total, 4),
    ];
    let bands = summary.measured_bands().named();
    cells.extend(bands.map(|(number, _)| Cell::number(number as f64, 0)));
    cells.push(Cell::number(summary.unmeasured as f64, 0));
    cells.push(Cell::text(summary.weakest.label()));
    cells.push(Cell::number(summary.trend, 4));
    cells.push(Cell::number(summary.discounted_value, 4));
    table::Row {
        id: format!("session-{}", session.session_id),
        is_out: false,
        cells,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Options, evaluate};

    #[test]
    fn a_turn_that_was_not_measured_is_in_no_band() {
        let text = r#"{"session_id": "a", "overrides": {"ethical": 0.5}}
{"session_id": "a", "action": "wait"}
{"session_id": "b", "overrides": {"ethical": 1}}"#;
        let result = evaluate(text, &Options::default()).result.expect("scored");
        let line = Line::of(&result, 0).expect("a session");
        assert_eq!(line.words, "1 good, 1 of 2 turns not measured");
        assert_eq!(line.bands, [(1, "good"), (1, "unmeasured")]);
        let line = Line::of(&result, 1).expect("a session");
        assert_eq!((line.words.as_str(), line.unmeasured), ("1 perfect", None));
        // the figures of the document stay
        assert_eq!(result.session.bands.perfect, 2);
        assert_eq!((result.session.unmeasured, result.session.turns), (1, 3));
    }

    #[test]
    fn sessions_are_ordered_by_what_is_asked() {
        let turn = |id: &str, score: f64| {
            format!("{{\"session_id\": \"{id}\", \"overrides\": {{\"ethical\": {score}}}}}")
        };
        let turns = [
            turn("c", 0.5),
            turn("c", 0.9),
            turn("a", 0.6),
            turn("a", 0.4),
            turn("b", 0.1),
        ];
        let text = turns.join("\n");
        let result = evaluate(&text, &Options::default()).result.expect("scored");
        let places = |order| ordered(&result, order);
        assert_eq!(places(Order::Mean), [2, 1, 0]);
        assert_eq!(places(Order::Log), [0, 1, 2]);
        assert_eq!(places(Order::Name), [1, 2, 0]);
        assert_eq!(
            places(Order::Trend),
            [1, 0, 2],
            "what has no trend comes last"
        );
        let line = Line::of(&result, 0).expect("a session");
        assert_eq!((line.words.as_str(), line.turns), ("2 good", 2));
        assert_eq!(
            [slope(Some(0.8)), slope(Some(-0.2)), slope(None)],
            ["+0.800", "−0.200", "–"]
        );
    }
}
