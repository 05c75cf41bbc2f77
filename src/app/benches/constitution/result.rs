//! The result of a session: what each turn's score is made of, how firm the
//! bands are, and what holds of all turns together.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use leptos::prelude::*;

use super::choice::{Chosen, with_ways};
use super::door;
use super::model::Model;
use super::options::PRINCIPLES;
use super::turns;
use super::words as verdicts;
use crate::app::benches::page::{provenance, sum_total};
use crate::app::browser::events;
use crate::app::charts::radar::{self, Spoke};
use crate::app::charts::stack::{Axis, Part};
use crate::app::derived::{Derived, live};
use crate::app::format::{fixed, measured, name, short};
use crate::app::panels::anatomy::{self, Anatomy, Opened};
use crate::app::panels::explain::explained;
use crate::app::panels::goal::follow_rows;
use crate::app::panels::number::Band;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, figure, words};
use crate::app::panels::weights::{Group, WeightsPanel};
use crate::app::parts::later;
use crate::app::seen::{Seen, seen};
use crate::constitution::{
    self, Finding, Intervals, Log, Principle, RewardResult, ScoredTurn, Session, Turn, intervals,
    numbered,
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

fn columns(is_several: bool) -> Vec<Column> {
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
    if is_several {
        columns.insert(1, words("Session"));
    }
    columns.extend(scores);
    columns.extend([
        figure("Total", "weighted_total"),
        words("Band").about("band"),
    ]);
    columns
}

/// Names a turn for the program: its number, with which of that number it is, and its
/// session where there are several.
fn turn_id(log: &Log, turn: &Turn) -> String {
    let Turn {
        turn_number: number,
        occurrence,
        session,
        ..
    } = turn;
    let mut id = match occurrence {
        0 | 1 => number.to_string(),
        _ => format!("{number}-{occurrence}"),
    };
    if log.sessions.len() > 1 {
        id = format!("s{}-{id}", session + 1);
    }
    id
}

/// The position of the turn of that name. The list keeps the names of what is open and no
/// positions: an edit of the text moves the turns.
fn position(log: &Log, id: &str) -> Option<usize> {
    let mut turns = log.turns.iter();
    turns.position(|turn| turn_id(log, turn) == id)
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

    fn log(&self) -> Option<&Log> {
        self.0.as_ref()?.0.result.as_ref()
    }
}

/// Whether two logs are the same one, edited in between: most turns of the shorter say in both
/// what they say. The totals of another log are nothing to compare with.
fn is_edited(log: &Log, before: &Log) -> bool {
    let known: HashMap<_, &Turn> = before.turns.iter().map(|turn| (key(turn), turn)).collect();
    let is_kin = |turn: &&Turn| {
        known.get(&key(turn)).is_some_and(|other| {
            let says = |turn: &Turn| !(turn.user_message.is_empty() && turn.response().is_empty());
            let same = |one: &str, other: &str| !one.is_empty() && one == other;
            turn.action == other.action
                && (same(&turn.user_message, &other.user_message)
                    || same(turn.response(), other.response())
                    || !says(turn) && !says(other))
        })
    };
    let shorter = log.turns.len().min(before.turns.len());
    2 * log.turns.iter().filter(is_kin).count() > shorter
}

/// What tells a turn from the others of its log.
fn key(turn: &Turn) -> (usize, i64, usize) {
    (turn.session, turn.turn_number, turn.occurrence)
}

/// The session now and before, for as long as the bench is there.
pub fn figures(model: Model) -> Derived<Seen<Figures>> {
    let now = move || Figures(Some((model.log.get(), model.scored.get())));
    seen(model.desk, model.reading.is_current, now)
}

/// The total of a turn before the last change; none where there was no such turn.
fn totals_before(seen: Derived<Seen<Figures>>) -> impl Fn(usize, &Turn) -> Option<f64> + Copy {
    let others = Derived::new(move || {
        seen.with(|Seen { now, before, .. }| {
            if before.is_of_the_turns_of(now) {
                return HashMap::new();
            }
            let (Some(log), Some(then)) = (now.log(), before.log()) else {
                return HashMap::new();
            };
            if !is_edited(log, then) {
                return HashMap::new();
            }
            let totals = before.turns();
            let totals = totals.map(|(turn, scored)| (key(turn), scored.weighted_total));
            totals.collect()
        })
    });
    move |index, turn| {
        seen.with(|Seen { now, before, .. }| {
            if before.is_of_the_turns_of(now) {
                let (_, scored) = before.turns().nth(index)?;
                Some(scored.weighted_total)
            } else {
                others.with(|others| others.get(&key(turn)).copied())
            }
        })
    }
}

/// The row of a turn; `before` knows its total before the last change.
fn anatomy_row(
    (result, log, index): (&RewardResult, &Log, usize),
    name_of: impl Fn(&ScoredTurn) -> String,
    before: impl Fn(usize, &Turn) -> Option<f64>,
) -> Option<anatomy::Row> {
    let (scored, turn) = (result.turns.get(index)?, log.turns.get(index)?);
    let id = turn_id(log, turn);
    let was = before(index, turn);
    let mut subtitle = format!("{} · {}", name(&scored.action), scored.band_word());
    let check = log.check.as_ref().and_then(|check| check.turns.get(index));
    if matches!(check, Some(Finding::Different(_))) {
        subtitle += " · not as recorded";
    }
    Some(anatomy::Row {
        title: name_of(scored),
        subtitle,
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
            let is_of_one = chosen.choice.with(|choice| choice.session.is_some());
            let is_losses = chosen.is_losses.get();
            let name_of = |turn: &ScoredTurn| {
                // what holds of all rows is not said of each
                let name = if is_of_one {
                    numbered(turn.turn_number, turn.occurrence)
                } else {
                    turn.name()
                };
                if is_losses {
                    name
                } else {
                    format!("Turn {name}")
                }
            };
            let (result, log) = (scored.result.as_ref()?, log.result.as_ref()?);
            anatomy_row((result, log, index), name_of, before)
        }),
    }
}

fn table_row(turn: &ScoredTurn, id: String) -> table::Row {
    let mut cells = vec![
        Cell::text(numbered(turn.turn_number, turn.occurrence)),
        Cell::text(name(&turn.action)),
    ];
    if let Some(session) = &turn.session_id {
        cells.insert(1, Cell::text(name(session)));
    }
    cells.extend(turn.scores.values().map(|score| Cell::number(score, 3)));
    cells.push(Cell::number(turn.weighted_total, 4));
    let band = turn.band_word();
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
        let log = log.result.as_ref()?;
        let turn = log.turns.get(index)?;
        let scored = scored.result.as_ref()?.turns.get(index)?;
        Some(table_row(scored, turn_id(log, turn)))
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

fn principle_rows(result: &RewardResult, session: &Session) -> Vec<table::Row> {
    let rows = Principle::ALL.map(|principle| {
        let weight = result.weights[principle];
        let mean = session.mean_scores[principle];
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

fn spokes(session: &Session) -> [Spoke; Principle::COUNT] {
    Principle::ALL.map(|principle| {
        let value = session.mean_scores[principle];
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
        let reason = scored.reasons.iter().find(|r| r.principle == principle);
        let reason = reason.map(|reason| view! { <small>{reason.words.clone()}</small> });
        view! {
            <div class:less=score < 1.0 class:lit=is_lit>
                <dt title=principle.help()>{principle.label()}{reason}</dt>
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
    let overrides = turn.overrides.iter().map(overridden);
    let notes = scored.notes.iter().cloned().chain(unsaid(scored));
    let notes = notes.map(|note| view! { <li>{note}</li> });
    let check = log.check.as_ref().and_then(|check| check.turns.get(index));
    let checked = check.into_iter().flat_map(Finding::words);
    let checked = checked.map(|words| {
        view! { <li data-testid="turn-check">"Witness record: "{words}</li> }
    });
    view! {
        <div class="conversation">
            {said("User", &turn.user_message)}
            {said("Agent", turn.response())}
            {said("Reasoning", &turn.reasoning)}
        </div>
        <dl class="sum">
            {terms.collect_view()}
            {sum_total("Total", Some(scored.weighted_total))}
        </dl>
        <ul class="notes">{checked.collect_view()}{overrides.collect_view()}{notes.collect_view()}</ul>
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

/// What holds of the session that is chosen, with its name; of all turns where none is.
fn summary(result: &RewardResult, chosen: Chosen) -> (&Session, Option<String>) {
    let wanted = chosen.choice.with(|choice| choice.session.clone());
    let found = wanted.and_then(|wanted| {
        let mut sessions = result.sessions.iter();
        sessions.find(|session| session.session_id == wanted)
    });
    match found {
        Some(session) => (&session.summary, Some(name(&session.session_id))),
        None if result.sessions.is_empty() => (&result.session, None),
        None => {
            let all = format!("all {}", result.sessions.len());
            (&result.session, Some(all))
        }
    }
}

fn session_view(result: &RewardResult, chosen: Chosen) -> impl IntoView + use<> {
    let (session, of) = summary(result, chosen);
    let spokes = spokes(session);
    view! {
        <div class="session">
            {radar::view(&spokes, described(&spokes))}
            {session_figures(result, session, of)}
        </div>
    }
}

fn session_figures(
    result: &RewardResult,
    session: &Session,
    of: Option<String>,
) -> impl IntoView + use<> {
    let of =
        of.map(|of| view! { <div><dt>"Session"</dt><dd data-testid="session-of">{of}</dd></div> });
    let trend = session.trend.map(|trend| {
        if trend > 0.0 {
            format!("+{}", fixed(trend, 3))
        } else {
            fixed(trend, 3)
        }
    });
    view! {
        <dl class="figures">
            {of}
            <div>
                <dt>{explained("Mean total", "mean_total")}</dt>
                <dd data-testid="mean-total" data-value=session.mean_total.to_string()>
                    {fixed(session.mean_total, 2)}
                    <small>" of "{fixed(result.weights_sum, 2)}</small>
                    {session.unmeasured_words().map(|words| view! { <small data-testid="unmeasured-turns">", "{words}</small> })}
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

/// The sentence under the weights: how firm the bands are. The turns that it names are ways
/// to them.
fn firm_words(firmness: Firmness, chosen: Chosen) -> AnyView {
    live(move || {
        firmness.with(|found| {
            let found = found.as_ref()?;
            let flip = found.nearest.as_ref().map(|nearest| {
                let flip = &nearest.flip;
                (flip.turn_name.clone(), flip.turn)
            });
            let closest = found.closest.as_ref().map(|c| (c.name.clone(), c.turn));
            let ways: Vec<_> = flip.into_iter().chain(closest).collect();
            Some(with_ways(&verdicts::how_firm_bands(found), &ways, chosen))
        })
    })
    .into_any()
}

/// The weights with the stretches in which every turn keeps its band.
#[component]
pub fn PrincipleWeights(
    /// Whose they are.
    model: Model,
    /// How far each can move.
    firmness: Firmness,
    /// The turns that are shown.
    chosen: Chosen,
) -> impl IntoView {
    let originals = Signal::derive(move || model.original.get().values().to_vec());
    let bands = Memo::new(move |_| {
        let bands = |found: &Intervals| Band::of(&found.weights, verdicts::BANDS_STAND);
        firmness.with(|found| found.as_ref().map(|found| bands(found)).unwrap_or_default())
    });
    view! { <WeightsPanel desk=model.desk fields=&PRINCIPLES parts=&PARTS groups=&GROUPS originals bands firm_view=move || firm_words(firmness, chosen) /> }
}

/// What each turn's score is made of: the rows that the weights change.
#[component]
pub fn Turns(
    /// Whose result it is.
    model: Model,
    /// The session before the last change.
    seen: Derived<Seen<Figures>>,
    /// Those that are shown.
    chosen: Chosen,
) -> impl IntoView {
    let rows = anatomy_rows(model, seen, chosen);
    let evidence = Callback::new(move |opened: Opened| {
        model.scored.with(|scored| {
            model.log.with(|read| match (&scored.result, &read.result) {
                (Some(result), Some(log)) => turn_evidence(result, log, &opened),
                _ => ().into_any(),
            })
        })
    });
    let turns_table = move || {
        let rows = table_rows(model, rows.count, chosen);
        let is_several = model.log.with_untracked(|log| {
            log.result
                .as_ref()
                .is_some_and(|log| log.sessions.len() > 1)
        });
        view! { {turns::tools(model, chosen)}<Table caption="Scores per principle, 0 to 1" columns=columns(is_several) rows /> }
    };
    let look = move |event: leptos::ev::MouseEvent| {
        let id = events::attribute(&event, "data-row");
        let at = id.and_then(|id| {
            model
                .log
                .with_untracked(|log| position(log.result.as_ref()?, &id))
        });
        if let Some(at) = at {
            chosen.look(at);
        }
    };
    let find = move |id: &str| model.log.with(|log| position(log.result.as_ref()?, id));
    follow_rows("turns", find, move |at| chosen.go(at));
    let turns = move || {
        view! {
            {turns::tools(model, chosen)}
            <div on:click=look>
                {live(move || if chosen.is_losses.get() {
                    later("The losses", move || Box::pin(door::losses(rows, &PARTS, evidence)))
                } else {
                    view! { <Anatomy label="Turns" rows parts=&PARTS evidence /> }.into_any()
                })}
            </div>
        }
    };
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
    /// The turns that are shown.
    chosen: Chosen,
) -> impl IntoView {
    let session = move || {
        let found = |result: &RewardResult| session_view(result, chosen);
        model.scored.with(|e| e.result.as_ref().map(found))
    };
    let principles = move || {
        let of = move |result: &RewardResult| principle_rows(result, summary(result, chosen).0);
        let found = move || model.scored.with(|e| e.result.as_ref().map(of));
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
        {later("The witness record", move || Box::pin(door::record(model, chosen)))}
        <section>{origin}</section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;

    #[test]
    fn every_column_is_explained() {
        for columns in [&columns(true)[..], &MEANS] {
            assert_eq!(unexplained(columns), Vec::<String>::new());
        }
    }
}
