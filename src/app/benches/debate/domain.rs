//! Which domain a debate is weighed in, and why; the weights that each domain brings.

use leptos::prelude::*;

use super::model::Model;
use super::options::DOMAIN;
use super::{PROFILES, door};
use crate::app::derived::live;
use crate::app::format::{fixed, name, short};
use crate::app::panels::evidence::{self, Mark};
use crate::app::parts::later;
use crate::debate::{
    AUTO_NAME, DebateResult, Detection, DomainChoice, DomainHit, GENERAL, NO_DOMAIN,
    NO_DOMAIN_NAME, Payload, Profiles, Term, Weights, domain_heading,
};
use crate::document::Evaluation;

/// Which domain was used.
#[derive(Clone, PartialEq)]
enum Used {
    /// None, as was asked.
    None,
    /// None, because the profiles do not have the one that was asked for.
    Unknown(String),
    /// This one.
    Domain(String),
}

impl Used {
    fn of(result: &DebateResult) -> Self {
        let name = result.domain.clone();
        match (result.without_domain, result.is_domain_known) {
            (true, _) => Self::None,
            (_, true) => Self::Domain(name),
            _ => Self::Unknown(name),
        }
    }

    /// As the rows of [`comparison`] are named.
    fn row(&self) -> (bool, String) {
        match self {
            Self::Domain(name) => (false, name.clone()),
            _ => (true, NO_DOMAIN_NAME.to_owned()),
        }
    }
}

fn used(model: Model) -> Memo<Option<Used>> {
    Memo::new(move |_| model.scored.with(|e| e.result.as_ref().map(Used::of)))
}

/// What a domain was detected from: the question, the domain, and what speaks for each.
type Asked = (String, String, Vec<DomainHit>);

/// A weight that is dragged changes none of this.
fn asked(model: Model) -> Memo<Option<Asked>> {
    Memo::new(move |_| {
        model.scored.with(|scored| {
            let result = scored.result.as_ref()?;
            let hits = result.domain_hits.clone()?;
            let question = |read: &Evaluation<Payload>| read.result.as_ref()?.question.clone();
            let text = model.payload.with(question)?;
            Some((text, result.domain.clone(), hits))
        })
    })
}

/// What a domain means, and the profiles behind it: set rarely, and folded away until then.
#[component]
pub fn DomainPanel(
    /// Whose debate it is.
    model: Model,
) -> impl IntoView {
    let (used, asked) = (used(model), asked(model));
    let why = move || {
        asked.with(|asked| {
            let (text, domain, hits) = asked.as_ref()?;
            Some(question(text, domain, hits))
        })
    };
    let own_profiles = model.desk.text(PROFILES.name);
    let whose = move || {
        if own_profiles.with(|text| text.is_empty()) {
            "built in"
        } else {
            "your own"
        }
    };
    view! {
        <section class="domain">
            <details class="fold" data-testid="domain-why" hidden=move || asked.with(Option::is_none)>
                <summary>"Why this domain"</summary>
                {live(why)}
            </details>
            <details class="fold">
                <summary>"Weights of every domain"</summary>
                {live(move || comparison(model, used.with(|used| used.as_ref().map(Used::row))))}
            </details>
            <details class="fold" data-testid="profile">
                <summary>
                    "Profiles: weights, models, keywords "
                    <span class="muted">{live(whose)}</span>
                </summary>
                {later("The editor of profiles", move || Box::pin(door::profiles(model)))}
            </details>
        </section>
    }
}

/// Which domain, and what that means.
pub fn choice(model: Model) -> impl IntoView {
    let (desk, used, asked) = (model.desk, used(model), asked(model));
    let setting = desk.setting(DOMAIN);
    let pick = move |event| {
        let value = event_target_value(&event);
        desk.set(DOMAIN, (!value.is_empty()).then_some(value));
        desk.settle();
    };
    let own = move || {
        let domain = |payload: &Payload| payload.domain.clone();
        let named = model.payload.with(|e| e.result.as_ref().and_then(domain));
        format!(
            "As the input says ({})",
            named.unwrap_or_else(|| NO_DOMAIN_NAME.into())
        )
    };
    let names = Memo::new(move |_| {
        model.profiles.with(|read| {
            let names = read.result.iter().flat_map(|profiles| profiles.names());
            names.map(str::to_owned).collect::<Vec<_>>()
        })
    });
    let options = move || {
        let options = names.get().into_iter();
        options
            .map(|name| view! { <option value=DomainChoice::Named(name.clone()).spelling()>{name.clone()}</option> })
            .collect_view()
    };
    let chosen = move || {
        names.track();
        setting.get().unwrap_or_default()
    };
    let is_unknown = move || used.with(|used| matches!(used, Some(Used::Unknown(_))));
    let from = move || {
        asked.with(|asked| {
            let (_, domain, hits) = asked.as_ref()?;
            detected(domain, hits)
        })
    };
    view! {
        <div class="choice">
            <label for="domain">"Domain"</label>
            <select id="domain" data-testid="domain" prop:value=chosen on:change=pick>
                <option value="">{live(own)}</option>
                <option value=NO_DOMAIN_NAME>"none: no domain"</option>
                <option value=AUTO_NAME>"detect from the question"</option>
                {live(options)}
            </select>
            <span class="muted" data-testid="domain-used">
                <span class:caution=is_unknown>{live(move || used.with(|used| meaning(used.as_ref())))}</span>
                {live(from)}
            </span>
        </div>
    }
}

/// From which words of the question a domain was detected.
fn detected(domain: &str, hits: &[DomainHit]) -> Option<AnyView> {
    if let Some((_, word)) = Detection::of(hits).by_one_keyword(hits) {
        let word = name(word);
        let words = format!(" Detected from one word alone, “{word}”: is it right?");
        let doubt = view! { <span class="caution" data-testid="one-keyword">{words}</span> };
        return Some(doubt.into_any());
    }
    let hits = &hits.iter().find(|found| found.domain == domain)?.hits;
    let words: Vec<&str> = hits.iter().map(|hit| hit.keyword.as_str()).collect();
    Some(format!(" Detected from “{}”.", words.join(", ")).into_any())
}

fn meaning(used: Option<&Used>) -> String {
    match used {
        None => String::new(),
        Some(Used::None) => "In use: none. Without a domain neither reliability nor formal proofs count.".into(),
        Some(Used::Unknown(unknown)) => format!(
            "In use: none, because the profiles have no domain “{}”. Neither reliability nor formal proofs count.",
            name(unknown)
        ),
        Some(Used::Domain(domain)) if domain == GENERAL => "In use: general, the profile for questions that no domain claims. Reliability and formal proofs count.".into(),
        Some(Used::Domain(domain)) => format!("In use: {}.", name(domain)),
    }
}

/// The question with the words marked that speak for a domain, and the
/// runners-up; only where the domain was detected.
fn question(text: &str, used: &str, found: &[DomainHit]) -> AnyView {
    let marks: Vec<Mark> = found
        .iter()
        .flat_map(|domain| {
            domain.hits.iter().map(|hit| Mark {
                start: hit.start,
                end: hit.end,
                class: if domain.domain == used {
                    "preferred"
                } else {
                    "trait"
                },
                title: format!("{} speaks for {}", hit.keyword, domain.domain),
                tip: None,
            })
        })
        .collect();
    let tally = found.iter().map(|domain| {
        let words: Vec<&str> = domain.hits.iter().map(|hit| hit.keyword.as_str()).collect();
        let is_used = domain.domain == used;
        view! {
            <div class:used=is_used>
                <dt>{domain.domain.clone()}</dt>
                <dd class="figure">{domain.hits.len()}</dd>
                <dd>{words.join(", ")}</dd>
            </div>
        }
    });
    let tie = Detection::of(found).sentence();
    view! {
            <div class="question">
                {evidence::marked(text, &marks)}
                <dl class="tally" data-testid="domain-hits">{tally.collect_view()}</dl>
                {tie.map(|tie| view! { <p class="muted">{tie}</p> })}
            </div>
    }
    .into_any()
}

/// The heading and the hook of a domain's row, or (`true`) of the row without one.
fn named((is_none, name): (bool, String)) -> (String, Option<String>) {
    let hook = |spelling| format!("domain-{spelling}");
    if is_none {
        return (name.clone(), Some(hook(name)));
    }
    let heading = domain_heading(&name);
    (heading, DomainChoice::Named(name).spelling().map(hook))
}

/// The weights of all domains, each with its difference to the one in use.
fn comparison(model: Model, used: Option<(bool, String)>) -> AnyView {
    let rows: Vec<((bool, String), Weights)> = model.profiles.with(|read| {
        let domains = read.result.iter().flat_map(Profiles::domains);
        let none = ((true, NO_DOMAIN_NAME.to_owned()), NO_DOMAIN);
        std::iter::once(none)
            .chain(domains.map(|domain| ((false, domain.name.clone()), domain.weights)))
            .collect()
    });
    let reference = rows
        .iter()
        .find(|(name, _)| Some(name) == used.as_ref())
        .map(|(_, weights)| weights.values());
    let head = Term::ALL.map(|term| view! { <th scope="col" class="numeric">{term.label()}</th> });
    let body = rows.into_iter().map(|(name, weights)| {
        let is_used = Some(&name) == used.as_ref();
        let (heading, hook) = named(name);
        let cells = weights.values().into_iter().enumerate().map(|(index, value)| {
            let change = reference.map_or(0.0, |reference| value - reference[index]);
            let sign = if change > 0.0 { "+" } else { "" };
            let change = (change.abs() > 1e-9).then(|| view! { <small>{sign}{fixed(change, 2)}</small> });
            view! { <td class="numeric" data-value=value.to_string()>{short(value)}" "{change}</td> }
        });
        view! { <tr class:used=is_used data-testid=hook><th scope="row">{heading}</th>{cells.collect_view()}</tr> }
    });
    view! {
        <div class="table-scroll" role="region" aria-label="Weights of every domain" tabindex="0">
            <table>
                <caption>"Weights, and in small the difference to the domain in use"</caption>
                <thead><tr><th scope="col">"Domain"</th>{head}</tr></thead>
                <tbody>{body.collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_named_none_has_a_row_of_its_own() {
        let none = || NO_DOMAIN_NAME.to_owned();
        let (without, domain) = (named((true, none())), named((false, none())));
        assert_eq!(without, ("none".into(), Some("domain-none".into())));
        assert_eq!(domain, ("“none”".into(), Some("domain-=none".into())));
        let legal = named((false, "legal".into()));
        assert_eq!(legal, ("legal".into(), Some("domain-legal".into())));
    }
}
