//! What a debate says that was made of a file's ballots: whether its verdict survives other
//! readings of the same marks, and the strengths of a league. Worked out when the input rests.

use std::time::Duration;

use leptos::prelude::*;

use super::model::Model;
use super::options::options;
use crate::app::derived::{effect, live};
use crate::app::format::{grouped, name, percent};
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, number, words};
use crate::debate::{self, Beside, League, Readings};

/// How long the input rests before other readings are scored.
const REST: Duration = Duration::from_millis(250);

static FIRSTS: [Column; 2] = [
    words("Candidate"),
    number(
        "First in",
        "The share of readings in which it is first, in percent",
    ),
];

static PLAYERS: [Column; 7] = [
    words("Player"),
    number(
        "Strength",
        "400 log10 of its Bradley-Terry strength, the mean being 1000",
    ),
    number("from", "Where the 95 % interval begins"),
    number("to", "Where the 95 % interval ends"),
    number("Won", "Battles won"),
    number("Lost", "Battles lost"),
    number("Tied", "Battles tied"),
];

/// The strengths of so many players are worked out unasked: of a hundred it takes a while.
const FEW_PLAYERS: usize = 20;

/// Both, where the debate keeps what they are made of.
#[component]
pub fn BallotsView(
    /// Whose debate it is.
    model: Model,
) -> impl IntoView {
    let found = RwSignal::new(None::<Readings>);
    let mut rest = debounce(REST, move |()| found.set(find(model)));
    let weighing = Memo::new(move |_| model.desk.work.with(|work| options(work, true)));
    effect(move || {
        // a memo that nobody reads knows of no change
        weighing.with(|_| ());
        model.payload.track();
        model.profiles.track();
        rest(());
    });
    let players = Memo::new(move |_| {
        model.payload.with(|read| {
            let payload = read.result.as_ref()?;
            let is_league = payload
                .origin
                .as_ref()
                .is_some_and(|origin| !origin.league.is_empty());
            is_league.then_some(payload.candidates.len())
        })
    });
    view! {
        {live(move || found.with(|found| found.as_ref().map(readings_view)))}
        {live(move || players.get().map(|players| league_section(model, players)))}
    }
}

/// All that is said beside the result, where the debate keeps what it is made of.
pub fn beside(model: Model) -> Option<Beside> {
    let options = model.desk.work.with_untracked(|work| options(work, true));
    let beside = model.payload.with_untracked(|read| {
        let payload = read.result.as_ref()?;
        payload.origin.as_ref()?;
        model.profiles.with_untracked(|profiles| {
            Some(Beside::of(payload, profiles.result.as_ref()?, &options))
        })
    });
    beside.filter(|beside| *beside != Beside::default())
}

fn find(model: Model) -> Option<Readings> {
    let options = model.desk.work.with_untracked(|work| options(work, true));
    model.payload.with_untracked(|read| {
        let payload = read.result.as_ref()?;
        model.profiles.with_untracked(|profiles| {
            debate::readings(payload, profiles.result.as_ref()?, &options)
        })
    })
}

fn readings_view(readings: &Readings) -> AnyView {
    let sentences = readings.sentences();
    let rows = readings.candidates.iter().map(|own| table::Row {
        id: own.id.clone(),
        is_out: own.first == 0.0,
        cells: vec![
            Cell::text(name(&own.id)),
            Cell {
                text: percent(own.first),
                value: Some(own.first),
            },
        ],
    });
    let rows: Vec<_> = rows.collect();
    let chart = move || said(sentences.clone());
    let table = move || {
        view! { <Table caption="First in so many readings of the same marks" columns=&FIRSTS rows=Signal::stored(rows.clone()) /> }
    };
    view! {
        <Section
            name="readings"
            title="Does the verdict survive the mapping?"
            note="Other ways to read the same marks, with the weights as they are"
            chart=chart
            table=ViewFn::from(table)
        />
    }
    .into_any()
}

fn said(sentences: Vec<String>) -> AnyView {
    let sentences = sentences
        .into_iter()
        .map(|sentence| view! { <p>{sentence}</p> });
    view! { <div class="ballots">{sentences.collect_view()}</div> }.into_any()
}

/// The strengths; those of many players are worked out when they are asked for.
fn league_section(model: Model, players: usize) -> AnyView {
    let open = RwSignal::new(players <= FEW_PLAYERS);
    let chart = move || {
        let league = model
            .payload
            .with(|read| debate::league(read.result.as_ref()?));
        league.as_ref().map(league_view)
    };
    view! {
        <Section
            name="league"
            title="Strengths of the league"
            note="Bradley-Terry, beside the ranking: who would beat whom"
            chart=chart
            open
        />
    }
    .into_any()
}

fn league_view(league: &League) -> AnyView {
    let rows = league.players.iter().map(|player| {
        let whole = |value: f64| Cell::number(value, 0);
        let times = |times: u64| Cell {
            text: grouped(times as usize),
            value: Some(times as f64),
        };
        table::Row {
            id: player.id.clone(),
            is_out: false,
            cells: vec![
                Cell::text(name(&player.id)),
                whole(player.rating),
                whole(player.interval[0]),
                whole(player.interval[1]),
                times(player.won),
                times(player.lost),
                times(player.tied),
            ],
        }
    });
    let rows: Vec<_> = rows.collect();
    view! {
        {said(league.sentences())}
        <Table caption="Strengths of the players of a league" columns=&PLAYERS rows=Signal::stored(rows) />
    }
    .into_any()
}
