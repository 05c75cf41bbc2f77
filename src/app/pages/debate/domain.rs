//! Which domain a debate is weighed in, and why.

use leptos::prelude::*;

use crate::app::panels::evidence::{self, Mark};
use crate::app::state::store::Store;
use crate::debate::{DebateResult, Payload, Profiles};

/// The question with the words marked that speak for the domain.
pub fn question(result: &DebateResult, payload: &Payload) -> Option<impl IntoView + use<>> {
    let text = payload.question.as_deref()?;
    let marks: Vec<Mark> = result
        .domain_hits
        .iter()
        .flatten()
        .flat_map(|domain| {
            domain.hits.iter().map(|hit| Mark {
                start: hit.start,
                end: hit.end,
                class: if domain.domain == result.domain {
                    "preferred"
                } else {
                    "trait"
                },
                title: format!("{} speaks for {}", hit.keyword, domain.domain),
            })
        })
        .collect();
    let tally: Vec<String> = result
        .domain_hits
        .iter()
        .flatten()
        .map(|domain| format!("{} {}", domain.domain, domain.hits.len()))
        .collect();
    let tally = (!tally.is_empty())
        .then(|| view! { <p class="muted">"Words found: "{tally.join(", ")}"."</p> });
    Some(view! { <div class="question">{evidence::marked(text, &marks)}{tally}</div> })
}

/// The choice of a domain.
#[component]
pub fn DomainPicker(store: Store) -> impl IntoView {
    let desk = store.debate_desk;
    let setting = desk.setting("domain");
    let pick = move |event| {
        let value = event_target_value(&event);
        desk.set("domain", (value != "payload").then_some(value));
        desk.settle();
    };
    let own = move || {
        let named = store
            .debate_payload
            .with(|e| e.result.as_ref().and_then(|payload| payload.domain.clone()));
        format!(
            "As the input says ({})",
            named.unwrap_or_else(|| "none".into())
        )
    };
    let domains = Profiles::built_in().names();
    let options = domains
        .into_iter()
        .map(|name| view! { <option value=name>{name}</option> });
    let chosen = move || setting.get().unwrap_or_else(|| "payload".into());
    view! {
        <div class="choice">
            <label for="domain">"Domain"</label>
            <select id="domain" data-testid="domain" prop:value=chosen on:change=pick>
                <option value="payload">{own}</option>
                <option value="none">"none"</option>
                <option value="auto">"detect from the question"</option>
                {options.collect_view()}
            </select>
            <span class="muted" data-testid="domain-used">
                {move || store.debate.with(|e| e.result.as_ref().map(|result| format!("in use: {}", result.domain)))}
            </span>
        </div>
    }
}
