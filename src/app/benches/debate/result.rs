//! The result of a debate: the verdict and how firm it is, what each score is
//! made of.

use leptos::prelude::*;

use super::against::Compared;
use super::evidence::{flagged, row_evidence};
use super::firmness::{self, DebateFirmness};
use super::model::Model;
use super::options::WEIGHTS;
use super::words as verdicts;
use super::{domain, door};
use crate::app::benches::page::provenance;
use crate::app::charts::stack::Part;
use crate::app::derived::live;
use crate::app::format::{fixed, name};
use crate::app::model::Standings;
use crate::app::panels::anatomy::{self, Anatomy, Opened, Rows};
use crate::app::panels::goal::follow_rows;
use crate::app::panels::number::Band;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, figure, words};
use crate::app::panels::weights::{Group, WeightsPanel};
use crate::app::parts::{Fetching, later};
use crate::debate::rules::ELIMINATED;
use crate::debate::{ByTerm, DebateResult, Intervals, NO_DOMAIN, Payload, Term};

const PARTS: ByTerm<Part> = [
    part(Term::Base, "B", "part-1"),
    part(Term::Pairwise, "P", "part-2"),
    Part {
        label: "Risk, subtracted",
        letter: "−",
        class: "part-minus",
    },
    part(Term::Reliability, "R", "part-3"),
    part(Term::Formal, "F", "part-4"),
];

const fn part(term: Term, letter: &'static str, class: &'static str) -> Part {
    Part {
        label: term.label(),
        letter,
        class,
    }
}

const GROUPS: [Group; 1] = [Group {
    label: "",
    count: Term::ALL.len(),
}];

static COLUMNS: [Column; 10] = {
    const fn column(term: Term) -> Column {
        figure(term.label(), term.weight())
    }
    [
        words("Candidate"),
        words("Model"),
        column(Term::Base),
        column(Term::Pairwise),
        column(Term::Risk),
        column(Term::Reliability),
        column(Term::Formal),
        figure("Score", "score"),
        figure("Fails", "critical_fails"),
        words("State"),
    ]
};

fn standings(result: &DebateResult) -> Standings {
    let rows = result.results.iter().enumerate();
    rows.map(|(index, row)| {
        let rank = (!row.eliminated).then_some(index + 1);
        (row.id.clone(), (rank, row.score))
    })
    .collect()
}

/// The standings before the last change, of the same debate.
fn standings_before(model: Model) -> Memo<Option<Standings>> {
    let before = model.before();
    Memo::new(move |_| before.with(|before| before.scored.as_ref()?.result.as_ref().map(standings)))
}

fn anatomy_rows(
    result: &DebateResult,
    payload: &Payload,
    before: Option<&Standings>,
) -> Vec<anatomy::Row> {
    let rows = result.results.iter().enumerate().map(|(index, row)| {
        let rank = (!row.eliminated).then_some(index + 1);
        let was = before.and_then(|before| before.get(&row.id)).copied();
        let (was, score) = was.unwrap_or((rank, row.score));
        let out = row.eliminated.then(|| {
            let candidate = payload
                .candidates
                .iter()
                .find(|candidate| candidate.id == row.id);
            let by = candidate.map(flagged).unwrap_or_default();
            format!("eliminated by {by}")
        });
        anatomy::Row {
            id: row.id.clone(),
            title: name(&row.id),
            // a candidate may be called as its model is
            subtitle: name(
                row.model
                    .as_deref()
                    .filter(|model| *model != row.id)
                    .unwrap_or_default(),
            ),
            rank,
            was: was.filter(|_| was != rank),
            values: row.contributions.values().to_vec(),
            wholes: None,
            score: row.score,
            before: (score != row.score).then_some(score),
            total: fixed(row.score, 2),
            out,
        }
    });
    rows.collect()
}

fn table_rows(result: &DebateResult) -> Vec<table::Row> {
    let rows = result.results.iter().map(|row| {
        let mut cells = vec![
            Cell::text(name(&row.id)),
            Cell::text(name(row.model.as_deref().unwrap_or("–"))),
        ];
        let numbers = row.contributions.values().into_iter().chain([row.score]);
        cells.extend(numbers.map(|n| Cell::number(n, 4)));
        cells.push(Cell::number(row.critical_fails as f64, 0));
        cells.push(Cell::text(if row.eliminated { "eliminated" } else { "in" }));
        table::Row {
            id: row.id.clone(),
            is_out: row.eliminated,
            cells,
        }
    });
    rows.collect()
}

/// The sentence under the verdict: how firm it is.
fn firm_words(firmness: DebateFirmness) -> Signal<String> {
    Signal::derive(move || {
        firmness.intervals.with(|intervals| {
            let Some(intervals) = intervals else {
                return String::new();
            };
            let sampled = firmness.sampled.read();
            let shares = sampled.as_ref().map(|sampled| &sampled.found);
            let is_current = firmness.part(firmness::Part::Trace).is_current.get();
            let decisive = firmness
                .left_out
                .with(|all| verdicts::decisive(all, is_current));
            verdicts::how_firm(intervals, &decisive, shares, firmness.is_sampled())
        })
    })
}

/// The weights with the stretches in which the verdict stands.
#[component]
pub fn DebateWeights(
    /// Whose they are.
    model: Model,
    /// How firm the verdict is.
    firmness: DebateFirmness,
) -> impl IntoView {
    let originals = Signal::derive(move || {
        model.original.with(|e| {
            e.result
                .as_ref()
                .map_or(NO_DOMAIN, |result| result.weights)
                .values()
                .to_vec()
        })
    });
    let bands = Memo::new(move |_| {
        let bands = |found: &Intervals| Band::of(&found.weights, verdicts::VERDICT_STANDS);
        firmness
            .intervals
            .with(|found| found.as_ref().map(|found| bands(found)).unwrap_or_default())
    });
    view! {
        <WeightsPanel
            desk=model.desk
            fields=&WEIGHTS
            parts=&PARTS
            groups=&GROUPS
            originals
            bands
            firm=firm_words(firmness)
            lead=move || domain::choice(model)
        />
    }
}

fn ranking_table(model: Model) -> impl IntoView {
    let rows = Signal::derive(move || {
        let mut rows = Vec::new();
        model.both(&mut |result, _| rows = table_rows(result));
        rows
    });
    view! { <Table caption="Contributions, weight × value" columns=&COLUMNS[..] rows /> }
}

/// Formula and input of the result.
fn basis(model: Model) -> Memo<Option<(&'static str, String)>> {
    Memo::new(move |_| {
        let mut basis = None;
        model.both(&mut |result, _| {
            basis = Some((result.formula, result.input_sha256.clone()));
        });
        basis
    })
}

/// What each score is made of: the rows that the weights change.
#[component]
pub fn Ranking(
    /// Whose result it is.
    model: Model,
    /// How firm it is.
    firmness: DebateFirmness,
) -> impl IntoView {
    let before = standings_before(model);
    let rows = Memo::new(move |_| {
        let mut rows = Vec::new();
        before.with(|before| {
            model.both(&mut |result, payload| {
                rows = anatomy_rows(result, payload, before.as_ref());
            });
        });
        rows
    });
    let compared = Compared::default();
    let evidence = move |opened: Opened| {
        let mut view = ().into_any();
        model.both(&mut |result, payload| {
            view = row_evidence(model, (result, payload), &opened, compared);
        });
        view
    };
    let wanted = RwSignal::new(None);
    let find = move |id: &str| rows.with(|rows| rows.iter().position(|row| row.id == id));
    follow_rows("ranking", find, move |at| wanted.set(Some(at)));
    let all = Rows {
        wanted: Some(wanted),
        ..Rows::of(rows)
    };
    let ranking = move || {
        view! { <Anatomy label="Ranking" rows=all parts=&PARTS evidence apart=ELIMINATED /> }
    };
    view! {
        <Section
            name="ranking"
            about="score"
            title="What each score is made of"
            note="Open a row or a part of its bar"
            chart=ranking
            table=ViewFn::from(move || ranking_table(model))
            is_current=firmness.part(firmness::Part::Ranking).is_current
        />
    }
}

/// Everything below the rows. Nobody reads it before the verdict, so its code comes after.
#[component]
pub fn DebateResultView(
    /// Whose result it is.
    model: Model,
    /// How firm it is.
    firmness: DebateFirmness,
) -> impl IntoView {
    let basis = basis(model);
    let has_more = Memo::new(move |_| model.parsed.with(|parsed| parsed.pieces().len() > 1));
    let series = move || {
        let part = move || -> Fetching<ViewFn> { Box::pin(door::series(model)) };
        has_more
            .get()
            .then(|| later("The table of all debates", part))
    };
    let origin = move || {
        let (formula, input_sha256) = basis.get()?;
        Some(provenance(formula, &input_sha256, &[]))
    };
    view! {
        {later("How it was decided", move || Box::pin(door::rest(model, firmness)))}
        {live(series)}
        {later("The ratings", move || Box::pin(door::ratings(model)))}
        <section>{live(origin)}</section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;

    #[test]
    fn every_column_is_explained() {
        assert_eq!(unexplained(&COLUMNS), Vec::<String>::new());
    }
}
