//! What a candidate's score stands on: the formula with its numbers, and the
//! reviews, matches, model or claims behind each term.

use leptos::prelude::*;

use super::against::Compared;
use super::door;
use super::model::Model;
use crate::app::benches::page::sum_total;
use crate::app::derived::live;
use crate::app::format::{fixed, name, short};
use crate::app::panels::anatomy::Opened;
use crate::app::parts::{Fetching, later};
use crate::debate::rules::FAIL_RISKS;
use crate::debate::{Candidate, DebateResult, Payload, Review, Row, Term};

/// What is tried on a part of the payload, as a mark; none where it is as entered.
fn tried(payload: &Payload, part: &str) -> Option<AnyView> {
    let tried = payload.what_if.as_ref();
    let tried = tried.filter(|tried| {
        let rest = tried.path.strip_prefix(part);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })?;
    Some(
        view! { <mark class="tag tried" data-testid="tried">"What if: "{tried.words.clone()}</mark> }.into_any(),
    )
}

/// A review, and what it brings to a term.
fn review_item(
    review: &Review,
    term: Option<Term>,
    tried: Option<AnyView>,
) -> impl IntoView + use<> {
    let Review {
        support,
        evidence,
        major_risks,
        critical_fail,
        ..
    } = *review;
    let who = name(review.debater.as_deref().unwrap_or("A debater"));
    let fail = (critical_fail > 0).then(|| view! { <span class="tag">"critical fail"</span> });
    let scores = match term {
        Some(Term::Base) => format!(
            "support {support} + evidence {evidence} = {}",
            support + evidence
        ),
        Some(Term::Risk) => format!(
            "risks {major_risks} + {FAIL_RISKS} × critical fail {critical_fail} = {}",
            major_risks + FAIL_RISKS * critical_fail
        ),
        _ => format!("support {support}, evidence {evidence}, risks {major_risks}"),
    };
    let why = review
        .justification
        .clone()
        .map(|why| view! { <q>{why}</q> });
    view! { <li><strong>{who}</strong>" "<span class="muted">{scores}</span>" "{fail}{tried}{why}</li> }
}

/// The matches of a candidate, or its wins where only those are given.
fn matches(payload: &Payload, position: usize, row: &Row) -> Vec<String> {
    let rival = |index: usize| name(&payload.candidates[index].id);
    let mut all = vec![format!(
        "{} of {} comparisons won",
        row.wins,
        payload.candidates.len().saturating_sub(1)
    )];
    for outcome in &payload.pairwise {
        if outcome.winner == position {
            all.push(format!("beats {}", rival(outcome.loser)));
        } else if outcome.loser == position {
            all.push(format!("loses to {}", rival(outcome.winner)));
        }
    }
    all
}

fn proofs(candidate: &Candidate) -> Vec<String> {
    if candidate.claims.is_empty() {
        return vec![candidate.formal_score.map_or_else(
            || "no claims and no formal score: it counts as 0".to_owned(),
            |score| format!("formal score {} as given", short(score)),
        )];
    }
    let claims = candidate.claims.iter().enumerate();
    claims
        .map(|(index, claim)| {
            let text = claim.text.clone();
            let text = text.unwrap_or_else(|| format!("claim {}", index + 1));
            format!("{text}: {}", claim.status.word())
        })
        .collect()
}

/// Which reviews flagged a candidate: "review 1 (opus), review 3".
pub fn flagged(candidate: &Candidate) -> String {
    let flagged = candidate.reviews.iter().enumerate();
    let flagged = flagged.filter(|(_, review)| review.critical_fail > 0);
    let names: Vec<String> = flagged
        .map(|(index, review)| match &review.debater {
            Some(debater) => format!("review {} ({debater})", index + 1),
            None => format!("review {}", index + 1),
        })
        .collect();
    names.join(", ")
}

/// What is behind a term in words, where it is not the reviews.
fn behind(
    opened: Option<Term>,
    result: &DebateResult,
    payload: &Payload,
    position: usize,
    row: &Row,
) -> Vec<String> {
    match opened {
        Some(Term::Pairwise) => matches(payload, position, row),
        Some(Term::Reliability) => vec![match (&row.model, row.model_weight) {
            (Some(model), Some(weight)) => {
                format!("{model} has {} in {}", short(weight), result.domain)
            }
            _ => "no model or no domain: it counts as 0".to_owned(),
        }],
        Some(Term::Formal) => proofs(&payload.candidates[position]),
        _ => Vec::new(),
    }
}

/// Why a candidate is not first, or why it is: beside another, when that is asked.
fn why(
    model: Model,
    result: &DebateResult,
    row: &Row,
    compared: Compared,
) -> impl IntoView + use<> {
    let is_first = result
        .results
        .first()
        .is_some_and(|first| first.id == row.id);
    let label = match (row.eliminated, is_first) {
        (true, _) => "Why eliminated?",
        (_, true) => "Why first?",
        _ => "Why not first?",
    };
    let id = row.id.clone();
    let hook = format!("why-{id}");
    let is_open = {
        let id = id.clone();
        Memo::new(move |_| compared.with(|open| open.contains_key(&id)))
    };
    let toggle = {
        let id = id.clone();
        move |_| {
            compared.update(|open| {
                if open.remove(&id).is_none() {
                    open.insert(id.clone(), None);
                }
            });
        }
    };
    let shown = move || {
        let id = StoredValue::new(id.clone());
        let part = move || -> Fetching<ViewFn> {
            Box::pin(door::against(model, id.get_value(), compared))
        };
        is_open.get().then(|| later("The comparison", part))
    };
    view! {
        <div class="why-not">
            <button
                type="button"
                class="quiet"
                data-testid=hook
                aria-expanded=move || is_open.get().to_string()
                on:click=toggle
            >
                {label}
            </button>
            {live(shown)}
        </div>
    }
}

/// What is behind a row, or behind one part of its bar.
pub fn row_evidence(
    model: Model,
    (result, payload): (&DebateResult, &Payload),
    opened: &Opened,
    compared: Compared,
) -> AnyView {
    let row = result.results.iter().find(|row| row.id == opened.id);
    let position = payload
        .candidates
        .iter()
        .position(|candidate| candidate.id == opened.id);
    let (Some(row), Some(position)) = (row, position) else {
        return ().into_any();
    };
    let opened = opened.part.and_then(|part| Term::ALL.get(part).copied());
    let (weights, contributions) = (result.weights.values(), row.contributions.values());
    let terms = Term::ALL.map(|term| {
        let index = term as usize;
        let (name, contribution) = (term.label(), contributions[term]);
        let sign = if term.sign() < 0.0 { "−" } else { "" };
        let is_lit = opened == Some(term);
        let term = format!("{sign}{} × {}", short(weights[term]), short(row.value(term)));
        view! {
            <div class:lit=is_lit data-testid=format!("term-{index}") aria-current=is_lit.then_some("true")>
                <dt>{name}</dt><dd class="term">{term}</dd><dd class="figure">{fixed(contribution, 4)}</dd>
            </div>
        }
    });
    let items = items(
        payload,
        position,
        opened,
        behind(opened, result, payload, position, row),
    );
    let mean = match opened {
        Some(Term::Base) => Some(row.base),
        Some(Term::Risk) => Some(row.risk),
        _ => None,
    };
    view! {
        <dl class="sum">
            {terms}
            {sum_total("Score", Some(row.score))}
        </dl>
        <ul class="reviews" data-testid=format!("evidence-{}", row.id)>
            {items}
            {mean.map(|mean| view! { <li><strong>"Mean "{short(mean)}</strong></li> })}
        </ul>
        {why(model, result, row, compared)}
    }
    .into_any()
}

/// The words behind a part of a candidate's score, each with what is tried in it; its
/// reviews where there are none.
fn items(payload: &Payload, position: usize, opened: Option<Term>, words: Vec<String>) -> AnyView {
    if words.is_empty() {
        let reviews = payload.candidates[position].reviews.iter().enumerate();
        let items = reviews.map(|(index, review)| {
            let part = format!("candidates[{position}].reviews[{index}]");
            review_item(review, opened, tried(payload, &part))
        });
        items.collect_view().into_any()
    } else {
        let items = words.into_iter().map(|words| view! { <li>{words}</li> });
        let parts: &[&str] = match opened {
            Some(Term::Pairwise) => &["wins"],
            Some(Term::Formal) => &["claims", "formal_score"],
            _ => &[],
        };
        let own = parts
            .iter()
            .map(|part| tried(payload, &format!("candidates[{position}].{part}")));
        let of_pairs = (opened == Some(Term::Pairwise)).then(|| tried(payload, "pairwise"));
        let marks = own.chain(of_pairs).flatten();
        let marks = marks.map(|mark| view! { <li>{mark}</li> });
        view! { {items.collect_view()}{marks.collect_view()} }.into_any()
    }
}
