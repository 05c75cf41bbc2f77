//! Drift: how each session moves from the persona and from its start, those that depart first.

use std::sync::Arc;

use leptos::prelude::*;

use super::choice::{Choice, Chosen, Opened, Order, Place};
use super::model::{Model, Waiting};
use crate::app::browser::field;
use crate::app::charts::drift;
use crate::app::derived::live;
use crate::app::format::{count, fixed, grouped, name};
use crate::app::panels::section::Section;
use crate::app::panels::table::{Cell, Column, Row, Table, figure, words};
use crate::persona::{Drift, PersonaResult, SessionResult, Stretch};
use crate::text::sort_by;

/// So many sessions are shown at first, and more at each request.
const SHOWN: usize = 6;

static COLUMNS: [Column; 8] = [
    words("Session"),
    figure("Replies", "drift"),
    figure("Departs at turn", "drift"),
    figure("Back at turn", "drift"),
    figure("Distance outside", "drift"),
    figure("Distance within", "drift"),
    figure("p", "drift"),
    words("Held for"),
];

/// The section.
#[component]
pub fn DriftSection(
    /// Whose result it is.
    model: Model,
    /// The replies that are listed: a departure leads to them.
    chosen: Chosen,
) -> impl IntoView {
    let shown = RwSignal::new(SHOWN);
    let chart = move || live(move || charts(model, chosen, shown));
    let rows = Signal::derive(move || {
        model
            .scored
            .with(|scored| scored.result.as_ref().map(table_rows).unwrap_or_default())
    });
    let table =
        move || view! { <Table caption="Drift of the sessions" columns=&COLUMNS[..] rows /> };
    view! {
        <Section
            name="drift"
            about="drift"
            title="Drift"
            note="Where in a session does it stop sounding like the persona?"
            chart
            table
        />
    }
}

/// The sessions that move, those that depart first, then by how much the stretch stands out.
fn ordered(result: &PersonaResult) -> Vec<(usize, &SessionResult, &Arc<Drift>)> {
    let sessions = result.sessions.iter().enumerate();
    let mut all: Vec<_> = sessions
        .filter_map(|(at, session)| Some((at, session, session.drift.as_ref()?)))
        .collect();
    let key = |drift: &Drift| {
        let stretch = drift.stretch.as_ref();
        let rise = stretch.map_or(f64::NEG_INFINITY, |stretch| stretch.within - stretch.before);
        (drift.departure().is_some(), rise)
    };
    sort_by(&mut all, |(_, _, a), (_, _, b)| {
        let (a, b) = (key(a), key(b));
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    all
}

fn charts(model: Model, chosen: Chosen, shown: RwSignal<usize>) -> AnyView {
    let is_waiting = model.waiting.get() != Waiting::No;
    model.scored.with(|scored| {
        let result = scored.result.as_ref();
        let Some((result, summary)) = result.and_then(|r| Some((r, r.drift.as_ref()?))) else {
            let words = if is_waiting {
                "It is not measured without embeddings."
            } else {
                "It takes sessions of two replies or more."
            };
            return view! { <p class="muted" data-testid="drift-none">{words}</p> }.into_any();
        };
        let said = match summary.told {
            0 => "No session is long enough to tell a departure from chance: that takes 8 replies."
                .to_owned(),
            told => format!(
                "{} of {} long enough to tell {} from the persona.",
                grouped(summary.departed),
                count(told, "session"),
                if summary.departed == 1 { "departs" } else { "depart" },
            ),
        };
        let all = ordered(result);
        let total = all.len();
        let by = all.first().map_or("", |(.., drift)| drift.by);
        let rows = all.into_iter().take(shown.get());
        let rows = rows.map(|(at, session, drift)| row(model, chosen, at, session, drift));
        let more = (shown.get() < total).then(|| {
            let more = move |_| shown.update(|shown| *shown += 2 * SHOWN);
            view! { <button type="button" on:click=more>"Show more of "{grouped(total - shown.get())}</button> }
        });
        view! {
            <p data-testid="drift-gist">{said}</p>
            {legend(by)}
            <ol class="drifts" data-testid="drifts">{rows.collect_view()}</ol>
            {more}
        }
        .into_any()
    })
}

fn legend(by: &str) -> impl IntoView + use<> {
    let line = |class: &'static str| {
        view! {
            <svg class="drift" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
                <path class=class d="M0 .5L1 .5" />
            </svg>
        }
    };
    let by = format!(" distance to the persona (1 − {by})");
    view! {
        <p class="muted drift-legend">
            <span>{line("to-persona")}{by}</span>
            <span>{line("to-start")}" distance to the session’s first reply (1 − cosine)"</span>
            <span>"up is farther, 0 to 1"</span>
        </p>
    }
}

fn row(
    model: Model,
    chosen: Chosen,
    at: usize,
    session: &SessionResult,
    drift: &Drift,
) -> impl IntoView + use<> {
    let id = name(&session.session_id);
    let departure = drift.departure().copied();
    let says = words_of(drift);
    let label = format!("{id}: {says}");
    let go = departure.map(|found| {
        let wanted: Arc<str> = session.session_id.as_str().into();
        let place = Place {
            session: at,
            turn: found.from,
        };
        let go = move |_| show(model, chosen, wanted.clone(), place);
        view! { <button type="button" class="link" data-testid="go-to-departure" on:click=go>"Read it from there"</button> }
    });
    let stretch = departure.map(|found| (found.from, found.to));
    view! {
        <li data-testid="drift">
            <span class="name">{id}<small>{says}</small>{go}</span>
            {drift::view(&drift.to_persona, &drift.to_start, stretch, label)}
        </li>
    }
}

/// What there is to say of a session's way.
fn words_of(drift: &Drift) -> String {
    let replies = count(drift.to_persona.len(), "response");
    match &drift.stretch {
        None if drift.to_persona.len() < 8 => format!("{replies}: too short to tell"),
        None => format!("{replies}: no stretch stands out"),
        Some(found) if found.is_departure => departs(found),
        Some(found) => format!(
            "{replies}: nothing that chance does not make, too (p {})",
            p(found)
        ),
    }
}

fn departs(found: &Stretch) -> String {
    let back = found.returns_at.map_or_else(
        || "does not come back".to_owned(),
        |back| format!("is back at turn {back}"),
    );
    format!(
        "departs at turn {}, {back}: distance {} within, {} outside (p {})",
        found.departs_at,
        fixed(found.within, 2),
        fixed(found.before, 2),
        p(found)
    )
}

fn p(found: &Stretch) -> String {
    if found.p < 0.001 {
        "< 0.001".to_owned()
    } else {
        fixed(found.p, 3)
    }
}

/// Lists the replies of a session in their order, and opens one.
fn show(model: Model, chosen: Chosen, session: Arc<str>, place: Place) {
    chosen.choice.set(Choice {
        order: Order::Transcript,
        session: Some(session),
        ..Choice::default()
    });
    let text = model.scored.with_untracked(|scored| {
        let turn = place.of(scored.result.as_ref()?)?;
        Some(turn.text.clone())
    });
    chosen.open.set(text.map(|text| Opened { place, text }));
    // the list is there when it was drawn anew
    request_animation_frame(move || {
        request_animation_frame(move || {
            field::bring_into_view("[data-testid=reply-whole]");
        });
    });
}

fn table_rows(result: &PersonaResult) -> Vec<Row> {
    let rows = ordered(result).into_iter().map(|(_, session, drift)| {
        let found = drift.stretch;
        let number = |of: fn(&Stretch) -> Option<f64>, decimals| {
            Cell::number(found.as_ref().and_then(of), decimals)
        };
        let held = match found {
            None => "too short, or none",
            Some(found) if found.is_departure => "a departure",
            Some(_) => "chance",
        };
        Row {
            id: format!("drift-{}", session.session_id),
            is_out: false,
            cells: vec![
                Cell::text(name(&session.session_id)),
                Cell::number(drift.to_persona.len() as f64, 0),
                number(|s| Some(s.departs_at as f64), 0),
                number(|s| s.returns_at.map(|at| at as f64), 0),
                number(|s| Some(s.before), 3),
                number(|s| Some(s.within), 3),
                number(|s| Some(s.p), 4),
                Cell::text(held),
            ],
        }
    });
    rows.collect()
}
