//! The persona bench: transcripts held against a persona.

use leptos::prelude::*;

use super::start::ExampleButton;
use crate::app::charts::interval::{self, Reading};
use crate::app::panels::embedding::EmbeddingPanel;
use crate::app::panels::evidence::{self, Mark};
use crate::app::panels::frame::BenchFrame;
use crate::app::panels::problems::Remarks;
use crate::app::panels::table::{self, Cell, Column, number, words};
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::panels::verdict::VerdictPanel;
use crate::app::panels::weights::{NumberRow, WeightsPanel};
use crate::app::state::benches::{
    MAX_VARIANCE, PERSONA_INPUTS, PERSONA_WEIGHTS, SEED, problems_of,
};
use crate::app::state::export;
use crate::app::state::format::{count, fixed, measured, short};
use crate::app::state::store::Store;
use crate::app::state::words as verdicts;
use crate::app::state::work::Bench;
use crate::persona::{
    MetricSummary, PersonaResult, SafetyPart, SessionResult, TraitResult, TurnResult, Weights,
};

/// Where the grades D, C, B and A begin.
const GRADES: [f64; 4] = [0.6, 0.7, 0.8, 0.9];

static COLUMNS: [Column; 11] = [
    words("Session"),
    number("Overall", "Weighted mean of what was measured"),
    number(
        "Authent.",
        "0.6 style + 0.25 traits + 0.15 lexicon, by default",
    ),
    number("Style", "Likeness to the nearest exemplar"),
    number("Traits", "Share of the declared traits shown"),
    number("Lexicon", "Preferred words used, avoided words not"),
    number("Safety", "The smallest of the three beside it"),
    number("Violations", "Share of responses with a violation"),
    number("Severity", "1 without violations, 0 with a critical one"),
    number("Judge", "The judge's score / 10"),
    number("Stability", "How alike the responses of a session are"),
];

/// The weights in the order of the fields.
fn weight_values(weights: &Weights) -> Vec<f64> {
    vec![
        weights.authenticity,
        weights.safety,
        weights.stability,
        weights.style,
        weights.traits,
        weights.lexicon,
    ]
}

fn table_rows(result: &PersonaResult) -> Vec<table::Row> {
    let rows = result.sessions.iter().map(|session| {
        let numbers = [
            session.overall,
            session.authenticity,
            session.style,
            session.traits,
            session.lexicon,
            session.safety,
            session.violation_rate,
            session.severity_score,
            session.judge_score,
            session.stability,
        ];
        let mut cells = vec![Cell::text(session.session_id.clone())];
        cells.extend(numbers.map(|number| Cell::number(number, 3)));
        table::Row {
            id: session.session_id.clone(),
            is_out: false,
            cells,
        }
    });
    rows.collect()
}

const fn part_name(part: SafetyPart) -> &'static str {
    match part {
        SafetyPart::ViolationRate => "violation rate",
        SafetyPart::SeverityScore => "severity",
        SafetyPart::JudgeScore => "judge",
    }
}

/// A metric's name, its parts in words, and its figures.
fn metrics(result: &PersonaResult) -> [(&'static str, String, MetricSummary); 3] {
    let parts = |parts: &[(&str, Option<f64>)]| {
        let parts = parts
            .iter()
            .map(|(name, value)| format!("{name} {}", measured(*value, 2)));
        parts.collect::<Vec<_>>().join(" · ")
    };
    let (authenticity, safety) = (&result.authenticity, &result.safety);
    let decided = safety.decided_by.map_or_else(String::new, |part| {
        format!(" · decided by {}", part_name(part))
    });
    [
        (
            "Authenticity",
            parts(&[
                ("style", authenticity.style),
                ("traits", authenticity.traits),
                ("lexicon", authenticity.lexicon),
            ]),
            authenticity.metric,
        ),
        (
            "Safety",
            parts(&[
                ("violations", safety.violation_rate),
                ("severity", safety.severity_score),
                ("judge", safety.judge_score),
            ]) + &decided,
            safety.metric,
        ),
        (
            "Stability",
            format!(
                "max expected deviation {}",
                short(result.max_expected_variance)
            ),
            result.stability,
        ),
    ]
}

fn metric_row(name: &'static str, parts: String, metric: MetricSummary) -> impl IntoView {
    let interval = metric.ci95.map_or_else(String::new, |[low, high]| {
        format!("{} – {}", fixed(low, 3), fixed(high, 3))
    });
    let spread = metric
        .std
        .map_or_else(String::new, |std| format!("sd {}", fixed(std, 3)));
    let track = interval::view(
        Reading {
            mean: metric.mean,
            interval: metric.ci95,
        },
        &[],
    );
    let value = metric.mean.map(|mean| mean.to_string());
    view! {
        <li class="metric">
            <span class="name">{name}<small>{parts}</small></span>
            <span class="metric-track">{track}</span>
            <span class="total" data-testid=format!("metric-{}", name.to_lowercase()) data-value=value>{measured(metric.mean, 3)}</span>
            <span class="metric-interval"><span class="visually-hidden">"95 % interval "</span>{interval}<small>{spread}</small></span>
        </li>
    }
}

fn overall_view(result: &PersonaResult) -> impl IntoView + use<> {
    let grade = result.grade.map_or("–", verdicts::grade);
    let value = result.overall.map(|overall| overall.to_string());
    let track = interval::view(
        Reading {
            mean: result.overall,
            interval: None,
        },
        &GRADES,
    );
    let partial = !result.partial.is_empty();
    let rows = metrics(result).map(|(name, parts, metric)| metric_row(name, parts, metric));
    view! {
        <div class="overall" class:partial=partial>
            <span class="grade" data-testid="grade">{grade}</span>
            <span class="overall-figure">
                <span class="total" data-testid="overall" data-value=value>{measured(result.overall, 3)}</span>
                <small>{if partial { "overall, partial" } else { "overall" }}</small>
            </span>
            <span class="metric-track">
                {track}
                <span class="grade-scale" aria-hidden="true"><i>"F"</i><i>"D"</i><i>"C"</i><i>"B"</i><i>"A"</i></span>
            </span>
        </div>
        <ul class="metrics">{rows}</ul>
    }
}

fn marks_of(turn: &TurnResult) -> Vec<Mark> {
    let mut marks = Vec::new();
    for hit in &turn.preferred_hits {
        marks.push(Mark {
            start: hit.start,
            end: hit.end,
            class: "preferred",
            title: format!("preferred: {}", hit.entry),
        });
    }
    for hit in &turn.avoided_hits {
        marks.push(Mark {
            start: hit.start,
            end: hit.end,
            class: "avoided",
            title: format!("avoided: {}", hit.entry),
        });
    }
    for violation in &turn.violations {
        marks.push(Mark {
            start: violation.start,
            end: violation.end,
            class: "violation",
            title: format!(
                "{} ({:?}): {}",
                violation.category, violation.severity, violation.pattern
            ),
        });
    }
    for shown in &turn.traits {
        for evidence in &shown.evidence {
            for &[start, end] in &evidence.spans {
                marks.push(Mark {
                    start,
                    end,
                    class: "trait",
                    title: format!("{}: {}", shown.name, evidence.signal),
                });
            }
        }
    }
    marks
}

fn trait_item(shown: &TraitResult) -> impl IntoView + use<> {
    let measures = shown.evidence.iter().map(|evidence| {
        let threshold = evidence
            .threshold
            .clone()
            .map(|t| format!(" ({t})"))
            .unwrap_or_default();
        format!("{} {}{threshold}", evidence.signal, short(evidence.value))
    });
    let measures = measures.collect::<Vec<_>>().join(", ");
    let (mark, word) = if shown.matched {
        ("✓", "shown")
    } else {
        ("✕", "not shown")
    };
    view! {
        <li class:missed=!shown.matched>
            <span aria-hidden="true">{mark}</span>" "<strong>{shown.name.clone()}</strong>" "{word}
            <small>{measures}</small>
        </li>
    }
}

fn turn_view(turn: &TurnResult) -> impl IntoView + use<> {
    let figures = [
        ("authenticity", turn.authenticity),
        ("style", turn.style),
        ("lexicon", turn.lexicon),
    ];
    let figures =
        figures.map(|(name, value)| view! { <span>{name}" "<b>{measured(value, 3)}</b></span> });
    let nearest = turn.nearest_exemplar.clone().map(|text| {
        view! { <p class="nearest"><span class="muted">"Nearest exemplar: "</span><q>{text}</q></p> }
    });
    let violations = turn.violations.iter().map(|violation| {
        let severity = format!("{:?}", violation.severity).to_lowercase();
        view! { <li class="missed"><strong>{severity}" "{violation.category.clone()}</strong><small>{violation.pattern.clone()}</small></li> }
    });
    view! {
        <li class="turn">
            <p class="turn-figures"><strong>"Turn "{turn.turn_index}</strong>{figures}</p>
            {evidence::marked(&turn.text, &marks_of(turn))}
            {nearest}
            <ul class="traits">{turn.traits.iter().map(trait_item).collect_view()}{violations.collect_view()}</ul>
        </li>
    }
}

/// How many responses of a session are shown at once.
const TURNS_SHOWN: usize = 200;

fn session_view(session: &SessionResult) -> impl IntoView + use<> {
    let more = session.turns.len().saturating_sub(TURNS_SHOWN);
    let more = (more > 0).then(|| view! { <p class="muted">{more}" more are in the export."</p> });
    view! {
        <ol class="turns">{session.turns.iter().take(TURNS_SHOWN).map(turn_view).collect_view()}</ol>
        {more}
    }
}

#[component]
fn Sessions(store: Store) -> impl IntoView {
    // which session shows its responses; none shows none
    let open = RwSignal::new(None::<String>);
    let items = move || {
        store.persona.with(|e| {
            let sessions = e.result.iter().flat_map(|result| &result.sessions);
            let items = sessions.map(|session| {
                let id = session.session_id.clone();
                let is_open = open.with(|open| open.as_deref() == Some(&id));
                let toggle = move |_| open.update(|open| *open = (open.as_deref() != Some(&id)).then(|| id.clone()));
                view! {
                    <li>
                        <button type="button" class="session-row" aria-expanded=is_open.to_string() on:click=toggle>
                            <span class="name">{session.session_id.clone()}</span>
                            <span class="muted">{count(session.turns.len(), "response")}</span>
                            <span class="total">{measured(session.overall, 3)}</span>
                        </button>
                        {is_open.then(|| session_view(session))}
                    </li>
                }
            });
            items.collect_view()
        })
    };
    view! {
        <section>
            <header class="panel-head"><h3>"Responses"</h3><span class="muted">"Open a session to see the words behind its scores"</span></header>
            <ul class="legend marks">
                <li><mark class="preferred">"preferred"</mark></li>
                <li><mark class="avoided">"avoided"</mark></li>
                <li><mark class="trait">"trait evidence"</mark></li>
                <li><mark class="violation">"violation"</mark></li>
            </ul>
            <ul class="sessions">{items}</ul>
        </section>
    }
}

const fn hints(input: &str) -> Hints {
    match input.as_bytes() {
        b"persona" => Hints {
            label: "Persona",
            formats: "YAML or JSON",
            placeholder: "exemplars:\n  - Check the log first; it names the failing step.\nlexicon:\n  preferred: [check, log]\n  avoid: [lol]",
        },
        b"transcript" => Hints {
            label: "Transcript",
            formats: "JSONL or JSON",
            placeholder: "{\"session_id\": \"s1\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"…\"}",
        },
        b"config" => Hints {
            label: "Scoring config",
            formats: "YAML, optional",
            placeholder: "scoring:\n  authenticity_weight: 0.5",
        },
        b"safety" => Hints {
            label: "Safety rules",
            formats: "YAML, optional",
            placeholder: "- category: custom\n  severity: high\n  pattern: guaranteed returns",
        },
        _ => Hints {
            label: "Judge scores",
            formats: "JSON, optional",
            placeholder: "{\"s1\": {\"score\": 7.5}}",
        },
    }
}

/// The persona bench.
#[component]
pub fn PersonaBench() -> impl IntoView {
    let store = expect_context::<Store>();
    let desk = store.persona_desk;
    let blank = Memo::new(move |_| desk.work.with(super::super::state::work::Work::is_blank));
    let all_problems = Signal::derive(move || store.persona.with(|e| e.problems.clone()));
    let problems = move |input: &'static str| {
        Signal::derive(move || {
            let filled = desk.work.with(|work| work.filled(input).is_some());
            let found = all_problems.with(|all| problems_of(all, input, "transcript"));
            if filled { found } else { Vec::new() }
        })
    };
    let text = move |input: &'static str| view! { <TextPanel desk name=input hints=hints(input) problems=problems(input) /> };
    let input = move || {
        let [persona, transcript, optional @ ..] = PERSONA_INPUTS;
        let any = desk
            .work
            .with_untracked(|work| optional.iter().any(|name| work.filled(name).is_some()));
        view! {
            {text(persona)}
            {text(transcript)}
            <details class="more-inputs" open=any>
                <summary>"Config, safety rules, judge scores"</summary>
                {optional.map(text)}
            </details>
        }
    };
    let originals = Signal::derive(move || {
        store.persona_original.with(|e| {
            e.result.as_ref().map_or_else(
                || vec![0.5, 0.3, 0.2, 0.6, 0.25, 0.15],
                |result| weight_values(&result.weights),
            )
        })
    });
    let original_of = move |pick: fn(&PersonaResult) -> f64, otherwise: f64| {
        Signal::derive(move || {
            store
                .persona_original
                .with(|e| e.result.as_ref().map_or(otherwise, pick))
        })
    };
    let export = move |format| {
        store.persona.with(|e| {
            e.result
                .as_ref()
                .map(|result| export::persona(result, format))
        })
    };
    let verdict = Signal::derive(move || store.verdict(Bench::Persona));
    let has_result = Memo::new(move |_| store.persona.with(|e| e.result.is_some()));
    let empty = Signal::derive(move || {
        let missing = |name: &str| desk.work.with(|work| work.filled(name).is_none());
        match (blank.get(), missing("persona"), missing("transcript")) {
            (false, true, _) => "A persona is needed as well: paste one beside.".to_owned(),
            (false, _, true) => "A transcript is needed as well: paste one beside.".to_owned(),
            _ => super::empty_words(desk, all_problems),
        }
    });
    let result = move || {
        view! {
            <section>
                {move || store.persona.with(|e| e.result.as_ref().map(overall_view))}
            </section>
            <section>
                {move || store.persona.with(|e| e.result.as_ref().map(|result| table::table("Sessions", &COLUMNS, &table_rows(result))))}
            </section>
            <Sessions store />
            <section>
                {move || store.persona.with(|e| e.result.as_ref().map(|result| super::provenance(result.formula, &result.input_sha256, &result.notes)))}
            </section>
        }
    };
    view! {
        <BenchFrame bench=Bench::Persona about="Replies held against a persona: authenticity, safety, stability." export input>
            <VerdictPanel verdict empty />
            <Show when=move || blank.get()><ExampleButton bench=Bench::Persona /></Show>
            <Remarks evaluation_problems=all_problems />
            <EmbeddingPanel embedding=store.embedding missing=store.persona_missing />
            <div class="settings">
                <WeightsPanel desk fields=&PERSONA_WEIGHTS originals />
                <section class="numbers">
                    <header class="panel-head"><h3>"Options"</h3></header>
                    <div class="number-rows">
                        <NumberRow desk field=MAX_VARIANCE original=original_of(|result| result.max_expected_variance, 0.25) />
                        <NumberRow desk field=SEED original=original_of(|result| result.bootstrap.seed as f64, 0.0) />
                    </div>
                </section>
            </div>
            <Show when=move || has_result.get()>{result}</Show>
        </BenchFrame>
    }
}
