//! Why one candidate stands before another: in words, term by term, debater by
//! debater, and what alone would turn the two round.

use std::collections::HashMap;

use leptos::prelude::*;

use super::firmness::ask_now;
use super::model::Model;
use crate::app::charts::difference::{self, Span};
use crate::app::derived::live;
use crate::app::format::{count, fixed, name, short};
use crate::debate::{Against, DebateResult, DebaterDifference, Term};
use crate::text::sort_by;

/// So many debaters stand in the table, those who make the most of it.
const SHOWN: usize = 12;

/// The comparisons that are open, by candidate, each with whom it is compared with where
/// somebody was chosen. It is no signal for each: a row that is drawn again ends with its own.
pub type Compared = RwSignal<HashMap<String, Option<String>>>;

/// A candidate beside another that is chosen from a list.
#[component]
pub fn AgainstView(
    /// Whose debate it is.
    model: Model,
    /// The candidate that is asked about.
    id: String,
    /// The comparisons that are open.
    compared: Compared,
) -> impl IntoView {
    let others = {
        let id = id.clone();
        Memo::new(move |_| {
            model
                .scored
                .with(|e| e.result.as_ref().map(|r| rivals(r, &id)))
        })
    };
    let own = StoredValue::new(id.clone());
    let other = move || compared.with(|open| own.with_value(|id| open.get(id).cloned().flatten()));
    let choose = move |event| {
        let chosen = event_target_value(&event);
        compared.update(|open| {
            open.insert(own.get_value(), Some(chosen));
        });
    };
    let chosen = move || {
        let others = others.get().unwrap_or_default();
        let wanted = other().filter(|wanted| others.contains(wanted));
        wanted
            .or_else(|| others.first().cloned())
            .unwrap_or_default()
    };
    let options = move || {
        let options = others.get().unwrap_or_default().into_iter();
        options
            .map(|id| view! { <option value=id.clone() selected=id == chosen()>{name(&id)}</option> })
            .collect_view()
    };
    let label = format!("Compare {} with", name(&id));
    let hook = format!("against-with-{id}");
    let field = hook.clone();
    let found = move || {
        let other = chosen();
        let found = ask_now(model, |_, board| board.against(&id, &other))??;
        Some(view! { <div class="against-found" data-testid="against">{explained(&found)}</div> })
    };
    view! {
        <div class="choice">
            <label for=field.clone()>{label}</label>
            <select
                id=field
                data-testid=hook
                prop:value=chosen
                on:change=choose
            >
                {live(options)}
            </select>
        </div>
        {live(found)}
    }
}

/// The others, by rank: the first is who it is compared with unless somebody else is chosen.
fn rivals(result: &DebateResult, id: &str) -> Vec<String> {
    let ids = result.results.iter().map(|row| row.id.clone());
    ids.filter(|other| other != id).collect()
}

fn explained(found: &Against) -> impl IntoView + use<> {
    let reasons = found.reasons().into_iter();
    let reasons = reasons
        .map(|reason| view! { <li>{reason}</li> })
        .collect_view();
    let vain = found.in_vain().join(" ");
    let vain =
        (!vain.is_empty()).then(|| view! { <p class="muted" data-testid="in-vain">{vain}</p> });
    let (ahead, behind) = (name(&found.ahead), name(&found.behind));
    let round = format!("Any one of these alone puts {behind} before {ahead}");
    view! {
        <p class="lead">{found.sentence.clone()}</p>
        <ul class="notes">{reasons}</ul>
        {sentences_of(round, found.ways())}
        {vain}
        {term_table(found)}
        {debater_table(found)}
    }
}

fn sentences_of(heading: String, ways: Vec<String>) -> Option<impl IntoView> {
    (!ways.is_empty()).then(|| {
        let items = ways.into_iter().map(|way| view! { <li>{way}</li> });
        view! { <h4>{heading}</h4><ul class="notes" data-testid="ways">{items.collect_view()}</ul> }
    })
}

/// Who a difference speaks for is said by the side of its bar and by its sign.
fn signed(difference: f64) -> String {
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", fixed(difference, 4))
}

/// The heads of a table of differences between the two.
fn heads(
    first: &'static str,
    found: &Against,
    spans: &[Span],
    [values, by]: [&'static str; 2],
) -> impl IntoView + use<> {
    let (ahead, behind) = (name(&found.ahead), name(&found.behind));
    let none = |is_above: bool| {
        !spans
            .iter()
            .any(|span| span.width > 0.0 && span.is_above == is_above)
    };
    view! {
        <tr>
            <th scope="col">{first}</th>
            <th scope="col" class="numeric" title=values>{ahead.clone()}</th>
            <th scope="col" class="numeric" title=values>{behind.clone()}</th>
            <th scope="col" aria-hidden="true" class="bars">
                <span class:none=none(false)>{format!("for {behind}")}</span>
                <span class:none=none(true)>{format!("for {ahead}")}</span>
            </th>
            <th scope="col" class="numeric" title=by>"Difference"</th>
        </tr>
    }
}

fn term_table(found: &Against) -> impl IntoView + use<> {
    let spans = difference::spans(&found.terms.iter().map(|t| t.difference).collect::<Vec<_>>());
    let head = heads(
        "Term",
        found,
        &spans,
        ["What the weight multiplies", "Weight × the difference"],
    );
    let rows = found.terms.iter().zip(spans).zip(Term::ALL);
    let rows = rows.map(|((term, span), label)| {
        let [ahead, behind] = found.shown_values(term);
        view! {
            <tr data-testid=format!("against-{}", term.term)>
                <th scope="row">{label.label()}<small>" × "{short(term.weight)}</small></th>
                <td class="numeric">{ahead}</td>
                <td class="numeric">{behind}</td>
                <td class="bars" aria-hidden="true">{difference::view(span)}</td>
                <td class="numeric" data-value=term.difference.to_string()>{signed(term.difference)}</td>
            </tr>
        }
    });
    let caption = "What makes the difference, term by term: the weight times what each has";
    view! {
        <div class="table-scroll" role="region" aria-label=caption tabindex="0">
            <table class="against">
                <caption>{caption}</caption>
                <thead>{head}</thead>
                <tbody>{rows.collect_view()}</tbody>
                <tfoot>
                    <tr>
                        <th scope="row" colspan="3">"Together, the difference of the scores"</th>
                        <td class="bars" aria-hidden="true"></td>
                        <td class="numeric" data-testid="against-gap" data-value=found.gap.to_string()>{signed(found.gap)}</td>
                    </tr>
                </tfoot>
            </table>
        </div>
    }
}

/// A debater's ratings as `2 + 1, risks 0`; a dash where it did not review the candidate.
fn rated(of: Option<[i64; 4]>) -> String {
    of.map_or_else(
        || "–".to_owned(),
        |[support, evidence, risks, fails]| {
            let fail = match fails {
                0 => String::new(),
                fails => format!(
                    ", {}",
                    count(fails.unsigned_abs() as usize, "critical fail")
                ),
            };
            format!(
                "{support} + {evidence}, {}{fail}",
                count(risks.unsigned_abs() as usize, "risk")
            )
        },
    )
}

fn debater_table(found: &Against) -> Option<impl IntoView + use<>> {
    let mut debaters: Vec<&DebaterDifference> = found.debaters.iter().collect();
    sort_by(&mut debaters, |a, b| {
        b.total().abs().total_cmp(&a.total().abs())
    });
    let more = debaters.len().saturating_sub(SHOWN);
    debaters.truncate(SHOWN);
    let spans = difference::spans(&debaters.iter().map(|d| d.total()).collect::<Vec<_>>());
    let says = ["Support + evidence, risks", "Its part of base and risk"];
    let head = heads("Debater", found, &spans, says);
    let rows = debaters.iter().zip(spans).map(|(debater, span)| {
        let parts = format!(
            "base {}, risk {}",
            signed(debater.base),
            signed(debater.risk)
        );
        view! {
            <tr>
                <th scope="row">{name(&debater.name)}</th>
                <td class="numeric">{rated(debater.of_ahead)}</td>
                <td class="numeric">{rated(debater.of_behind)}</td>
                <td class="bars" aria-hidden="true">{difference::view(span)}</td>
                <td class="numeric" title=parts data-value=debater.total().to_string()>{signed(debater.total())}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    let more =
        (more > 0).then(|| view! { <p class="muted">"and "{more}" more, who make less of it"</p> });
    let caption = "Base and risk, debater by debater: support + evidence, and risks";
    (!found.debaters.is_empty()).then(|| {
        view! {
            <div class="table-scroll" role="region" aria-label=caption tabindex="0">
                <table class="against">
                    <caption>{caption}</caption>
                    <thead>{head}</thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {more}
        }
    })
}
