//! The result of a session: what each turn's score is made of, how firm the
//! bands are, and what holds of all turns together.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use super::options::PRINCIPLES;
use super::turns::{self, Chosen};
use super::words as verdicts;
use crate::app::benches::page::{provenance, sum_total};
use crate::app::charts::radar::{self, Spoke};
use crate::app::charts::stack::{Axis, Part};
use crate::app::derived::Derived;
use crate::app::format::{fixed, measured, name, short};
use crate::app::panels::anatomy::{self, Anatomy, Opened};
use crate::app::panels::explain::explained;
use crate::app::panels::number::Band;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, figure, words};
use crate::app::panels::weights::{Group, WeightsPanel};
use crate::app::seen::{Seen, seen};
use crate::constitution::{
    self, Intervals, Log, Principle, RewardResult, ScoredTurn, Turn, intervals,
};
use crate::document::Evaluation;

const PARTS: [Part; Principle::COUNT] = [
    part(Principle::Tasteful, "T", "part-1"),
    part(Principle::Curated, "C", "part-3"),
    part(Principle::Ethical, "E", "part-5"),
    part(Principle::JoyInducing, "J", "part-4"),
    part(Principle::Composable, "Co", "part-2"),
    part(Principle::Heterarchical, "H", "part-6"),
    part(Principle::Generative, "G", "part-7"),
];

const GROUPS: [Group; 1] = [Group {
    label: "",
    count: Principle::COUNT,
}];

const fn part(principle: Principle, letter: &'static str, class: &'static str) -> Part {
    Part {
        label: principle.label(),
        letter,
        class,
    }
}

fn columns() -> Vec<Column> {
    // seven of them stand beside each other
    let short = |principle: Principle| match principle {
        Principle::JoyInducing => "Joy",
        Principle::Composable => "Compos.",
        Principle::Heterarchical => "Heterarch.",
        Principle::Generative => "Generat.",
        _ => principle.label(),
    };
    let scores = Principle::ALL.map(|principle| figure(short(principle), principle.name()));
    let mut columns = vec![words("Turn"), words("Action")];
    columns.extend(scores);
    columns.extend([
        figure("Total", "weighted_total"),
        words("Band").about("band"),
    ]);
    columns
}

/// Names a turn: its number, with its position where an earlier turn has that number.
fn turn_id(turn: &Turn, index: usize) -> String {
    let number = turn.turn_number;
    if turn.is_repeated {
        format!("{number}-{index}")
    } else {
        number.to_string()
    }
}

/// The position of the turn of that name. The list keeps the names of what is open and no
/// positions: an edit of the text moves the turns.
fn position(log: &Log, id: &str) -> Option<usize> {
    let mut turns = log.turns.iter().enumerate();
    turns.position(|(index, turn)| turn_id(turn, index) == id)
}

/// A session in so far as it is compared with the next one.
#[derive(Clone, Default)]
pub struct Figures(Option<Scored>);

/// Turns as they were read, and as they were scored.
type Scored = (Arc<Evaluation<Log>>, Arc<Evaluation<RewardResult>>);

impl PartialEq for Figures {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some((log, scored)), Some((other, others))) => {
                Arc::ptr_eq(log, other) && Arc::ptr_eq(scored, others)
            }
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Figures {
    /// The turns with their scores.
    fn turns(&self) -> impl Iterator<Item = (&Turn, &ScoredTurn)> {
        let session = self.0.as_ref().and_then(|(log, scored)| {
            let (log, scored) = (log.result.as_ref()?, scored.result.as_ref()?);
            Some(log.turns.iter().zip(&scored.turns))
        });
        session.into_iter().flatten()
    }

    fn is_of_the_turns_of(&self, other: &Self) -> bool {
        let logs = self.0.as_ref().zip(other.0.as_ref());
        logs.is_some_and(|((log, _), (other, _))| Arc::ptr_eq(log, other))
    }
}

/// The session now and before, for as long as the bench is there.
pub fn figures(model: Model) -> Derived<Seen<Figures>> {
    let now = move || Figures(Some((model.log.get(), model.scored.get())));
    seen(model.desk, model.reading.is_current, now)
}

/// The total of a turn before the last change; none where there was no such turn.
fn totals_before(seen: Derived<Seen<Figures>>) -> impl Fn(usize, &str) -> Option<f64> + Copy {
    let others = Derived::new(move || {
        seen.with(|Seen { now, before, .. }| {
            if before.is_of_the_turns_of(now) {
                return HashMap::new();
            }
            let turns = before.turns().enumerate();
            let totals =
                turns.map(|(index, (turn, scored))| (turn_id(turn, index), scored.weighted_total));
            totals.collect()
        })
    });
    move |index, id| {
        seen.with(|Seen { now, before, .. }| {
            if before.is_of_the_turns_of(now) {
                let (_, scored) = before.turns().nth(index)?;
                Some(scored.weighted_total)
            } else {
                others.with(|others| others.get(id).copied())
            }
        })
    }
}

/// The row of a turn; `before` knows its total before the last change.
fn anatomy_row(
    (result, turn, index): (&RewardResult, &Turn, usize),
    before: impl Fn(usize, &str) -> Option<f64>,
) -> Option<anatomy::Row> {
    let scored = result.turns.get(index)?;
    let id = turn_id(turn, index);
    let was = before(index, &id);
    Some(anatomy::Row {
        title: format!("Turn {}", scored.turn_number),
        subtitle: format!("{} · {}", name(&scored.action), scored.band.word()),
        rank: None,
        was: None,
        values: scored.contributions.values().to_vec(),
        wholes: Some(result.weights.values().to_vec()),
        score: scored.weighted_total,
        before: was.filter(|was| *was != scored.weighted_total),
        total: fixed(scored.weighted_total, 2),
        out: scored.rejected.then(|| "rejected".to_owned()),
        id,
    })
}

/// The rows of the turns.
fn anatomy_rows(model: Model, seen: Derived<Seen<Figures>>, chosen: Chosen) -> anatomy::Rows {
    let before = totals_before(seen);
    let count = Memo::new(move |_| {
        let count = |result: &RewardResult| result.turns.len();
        let scored = model.scored.get();
        chosen.count(scored.result.as_ref().map_or(0, count))
    });
    let weights = move || {
        let scored = model.scored.get();
        let weights = scored.result.as_ref().map(|result| result.weights.values());
        weights.unwrap_or_default()
    };
    anatomy::Rows {
        count: count.into(),
        counting: count.into(),
        axis: Memo::new(move |_| Axis::to(weights().iter().sum())),
        axis_apart: None,
        wanted: Some(chosen.wanted),
        row: Callback::new(move |place: usize| {
            let index = chosen.position(place)?;
            let (log, scored) = (model.log.get(), model.scored.get());
            let turn = log.result.as_ref()?.turns.get(index)?;
            anatomy_row((scored.result.as_ref()?, turn, index), before)
        }),
    }
}

fn table_row(turn: &ScoredTurn, id: String) -> table::Row {
    let mut cells = vec![
        Cell::text(turn.turn_number.to_string()),
        Cell::text(name(&turn.action)),
    ];
    cells.extend(turn.scores.values().map(|score| Cell::number(score, 3)));
    cells.push(Cell::number(turn.weighted_total, 4));
    let band = turn.band.word();
    cells.push(Cell::text(if turn.rejected {
        format!("{band}, rejected")
    } else {
        band.into()
    }));
    table::Row {
        id,
        is_out: turn.rejected,
        cells,
    }
}

/// The rows of the turns as a table.
fn table_rows(model: Model, count: Signal<usize>, chosen: Chosen) -> table::Rows {
    let row = move |place: usize| {
        let index = chosen.position(place)?;
        let (log, scored) = (model.log.get(), model.scored.get());
        let turn = log.result.as_ref()?.turns.get(index)?;
        let scored = scored.result.as_ref()?.turns.get(index)?;
        Some(table_row(scored, turn_id(turn, index)))
    };
    let rows = move |range: Range<usize>| range.filter_map(row).collect();
    table::Rows {
        count,
        rows: Callback::new(rows),
    }
}

static MEANS: [Column; 4] = [
    words("Principle"),
    figure("Weight", "weights"),
    figure("Mean", "mean_scores"),
    figure("Weight × mean", "mean_scores"),
];

fn principle_rows(result: &RewardResult) -> Vec<table::Row> {
    let rows = Principle::ALL.map(|principle| {
        let weight = result.weights[principle];
        let mean = result.session.mean_scores[principle];
        table::Row {
            id: principle.name().to_owned(),
            is_out: false,
            cells: vec![
                Cell::text(principle.label()),
                Cell::number(weight, 2),
                Cell::number(mean, 4),
                Cell::number(weight * mean, 4),
            ],
        }
    });
    rows.into()
}

fn spokes(result: &RewardResult) -> [Spoke; Principle::COUNT] {
    Principle::ALL.map(|principle| {
        let value = result.session.mean_scores[principle];
        Spoke {
            label: principle.label(),
            value,
            text: fixed(value, 2),
        }
    })
}

/// The radar in words.
fn described(spokes: &[Spoke]) -> String {
    let parts: Vec<String> = spokes
        .iter()
        .map(|spoke| format!("{} {}", spoke.label, spoke.text))
        .collect();
    format!("Session mean per principle: {}.", parts.join(", "))
}

fn overridden(given: &constitution::Override) -> impl IntoView + use<> {
    let reason = given.reason.as_ref();
    let reason = reason
        .map(|reason| format!(": {reason}"))
        .unwrap_or_default();
    view! {
        <li>
            "Override: "
            {given.principle.label()}
            " set to "
            {short(given.score)}
            {reason}
        </li>
    }
}

fn turn_evidence(result: &RewardResult, log: &Log, opened: &Opened) -> AnyView {
    let Some(index) = position(log, &opened.id) else {
        return ().into_any();
    };
    let (Some(scored), Some(turn)) = (result.turns.get(index), log.turns.get(index)) else {
        return ().into_any();
    };
    let terms = Principle::ALL.into_iter().map(|principle| {
        let (weight, score) = (result.weights[principle], scored.scores[principle]);
        let is_lit = opened.part == Some(principle as usize);
        let term = format!("{} × {}", short(weight), short(score));
        view! {
            <div class:less=score < 1.0 class:lit=is_lit>
                <dt title=principle.help()>{principle.label()}</dt>
                <dd class="term">{term}</dd>
                <dd class="figure">{fixed(scored.contributions[principle], 4)}</dd>
            </div>
        }
    });
    let said = |who: &'static str, text: &str| {
        let text = text.trim().to_owned();
        (!text.is_empty())
            .then(|| view! { <div class="said"><strong>{who}</strong><p>{text}</p></div> })
    };
    let response = turn
        .result
        .as_ref()
        .map(|result| result.response.as_str())
        .unwrap_or_default();
    let overrides = turn.overrides.iter().map(overridden);
    let notes = scored.notes.iter().cloned().chain(unsaid(scored));
    let notes = notes.map(|note| view! { <li>{note}</li> });
    view! {
        <div class="conversation">
            {said("User", &turn.user_message)}
            {said("Agent", response)}
            {said("Reasoning", &turn.reasoning)}
        </div>
        <dl class="sum">
            {terms.collect_view()}
            {sum_total("Total", Some(scored.weighted_total))}
        </dl>
        <ul class="notes">{overrides.collect_view()}{notes.collect_view()}</ul>
    }
    .into_any()
}

/// Which principles a turn says nothing of.
fn unsaid(scored: &ScoredTurn) -> Option<String> {
    let unsaid = scored.by_default;
    let words: Vec<&str> = unsaid.iter().map(Principle::word).collect();
    (!words.is_empty()).then(|| {
        let (count, all) = (words.len(), Principle::COUNT);
        format!(
            "{count} of {all} principles by default, as nothing in the turn measures them: {}",
            words.join(", ")
        )
    })
}

fn session_view(result: &RewardResult) -> impl IntoView + use<> {
    let spokes = spokes(result);
    view! {
        <div class="session">
            {radar::view(&spokes, described(&spokes))}
            {session_figures(result)}
        </div>
    }
}

fn session_figures(result: &RewardResult) -> impl IntoView + use<> {
    let session = &result.session;
    let trend = session.trend.map(|trend| {
        if trend > 0.0 {
            format!("+{}", fixed(trend, 3))
        } else {
            fixed(trend, 3)
        }
    });
    view! {
        <dl class="figures">
            <div>
                <dt>{explained("Mean total", "mean_total")}</dt>
                <dd data-testid="mean-total" data-value=session.mean_total.to_string()>
                    {fixed(session.mean_total, 2)}
                    <small>" of "{fixed(result.weights_sum, 2)}</small>
                </dd>
            </div>
            <div><dt>{explained("Weakest", "weakest")}</dt><dd>{session.weakest.label()}</dd></div>
            <div>
                <dt>{explained("Trend", "trend")}</dt>
                <dd>{trend.unwrap_or_else(|| measured(None, 3))}</dd>
            </div>
            <div>
                <dt>{explained("Discounted value", "gamma")}</dt>
                <dd data-testid="discounted" data-value=session.discounted_value.to_string()>
                    {fixed(session.discounted_value, 2)}
                </dd>
            </div>
        </dl>
    }
}

/// How far each weight can move before a turn changes its band; none without a result.
pub type Firmness = Memo<Option<Arc<Intervals>>>;

/// Follows every input event.
pub fn firmness(model: Model) -> Firmness {
    Memo::new(move |_| {
        model
            .scored
            .with(|e| e.result.as_ref().map(|result| Arc::new(intervals(result))))
    })
}

/// The sentence under the verdict: how firm the bands are.
fn firm_words(firmness: Firmness) -> Signal<String> {
    said(firmness, verdicts::how_firm_bands)
}

fn said(firmness: Firmness, say: fn(&Intervals) -> String) -> Signal<String> {
    Signal::derive(move || {
        firmness.with(|found| found.as_ref().map(|found| say(found)).unwrap_or_default())
    })
}

/// The weights with the stretches in which every turn keeps its band.
#[component]
pub fn PrincipleWeights(
    /// Whose they are.
    model: Model,
    /// How far each can move.
    firmness: Firmness,
) -> impl IntoView {
    let originals = Signal::derive(move || model.original.get().values().to_vec());
    let bands = Memo::new(move |_| {
        let bands = |found: &Intervals| Band::of(&found.weights, verdicts::BANDS_STAND);
        firmness.with(|found| found.as_ref().map(|found| bands(found)).unwrap_or_default())
    });
    view! { <WeightsPanel desk=model.desk fields=&PRINCIPLES parts=&PARTS groups=&GROUPS originals bands firm=firm_words(firmness) /> }
}

/// What each turn's score is made of: the rows that the weights change.
#[component]
pub fn Turns(
    /// Whose result it is.
    model: Model,
    /// The session before the last change.
    seen: Derived<Seen<Figures>>,
) -> impl IntoView {
    let chosen = Chosen::new(model);
    let rows = anatomy_rows(model, seen, chosen);
    let evidence = move |opened: Opened| {
        model.scored.with(|scored| {
            model.log.with(|read| match (&scored.result, &read.result) {
                (Some(result), Some(log)) => turn_evidence(result, log, &opened),
                _ => ().into_any(),
            })
        })
    };
    let turns_table = move || {
        let rows = table_rows(model, rows.count, chosen);
        view! { {turns::tools(model, chosen)}<Table caption="Scores per principle, 0 to 1" columns=columns() rows /> }
    };
    let turns = move || view! { {turns::tools(model, chosen)}<Anatomy label="Turns" rows parts=&PARTS evidence /> };
    view! {
        <Section
            name="turns"
            about="weighted_total"
            title="Turns"
            note="An empty part is what was lost; open a turn for why"
            chart=turns
            table=ViewFn::from(turns_table)
        />
    }
}

/// Everything below the turns.
#[component]
pub fn RewardResultView(
    /// Whose result it is.
    model: Model,
) -> impl IntoView {
    let session = move || model.scored.with(|e| e.result.as_ref().map(session_view));
    let principles = move || {
        let found = move || model.scored.with(|e| e.result.as_ref().map(principle_rows));
        let rows = Signal::derive(move || found().unwrap_or_default());
        view! { <Table caption="Session mean per principle" columns=&MEANS[..] rows /> }
    };
    let origin = move || {
        model.scored.with(|e| {
            let result = e.result.as_ref();
            result.map(|result| provenance(result.formula, &result.input_sha256, &[]))
        })
    };
    view! {
        <Section
            name="session"
            about="mean_scores"
            title="Session"
            note="The radar shows mean scores, which no weight changes"
            chart=move || session
            table=ViewFn::from(principles)
        />
        <section>{origin}</section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;

    #[test]
    fn every_column_is_explained() {
        for columns in [&columns()[..], &MEANS] {
            assert_eq!(unexplained(columns), Vec::<String>::new());
        }
    }
}
