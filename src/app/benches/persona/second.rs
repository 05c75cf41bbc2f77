//! A second opinion on the rules of safety: its file is fetched once there are replies, and read
//! against them when they have changed. Without it the page has the rules alone.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::fetch;
use crate::app::derived::{Derived, effect, live};
use crate::app::format::fixed;
use crate::app::job::{Clock, Job};
use crate::app::model::Shared;
use crate::app::panels::explain::explained;
use crate::persona::{Opinions, Run, SecondOpinion, TurnResult};
use crate::text::Shown;

/// Where the model lies, beside the page.
const FILE: &str = "voice/safety.json";

/// The model, once it is there; one that cannot be had is left out.
pub type Second = RwSignal<Option<Arc<SecondOpinion>>>;

/// The model, fetched once a run is read.
pub fn fetched(run: Shared<Run>) -> Second {
    let second = RwSignal::new(None);
    let is_asked = StoredValue::new(false);
    effect(move || {
        if run.with(|run| run.result.is_some()) && !is_asked.get_value() {
            is_asked.set_value(true);
            spawn_local(async move {
                let json = fetch::text(FILE).await;
                let read = json.and_then(|json| SecondOpinion::read(&json));
                second.set(read.ok().map(Arc::new));
            });
        }
    });
    second
}

/// What it says of every reply of the run as it is now.
pub fn opinions(run: Shared<Run>, second: Second, clock: Clock) -> Derived<Option<Arc<Opinions>>> {
    let asked = move || (run.get(), second.get());
    let read = Job::new(clock).outcome(None, asked, move |(run, second), slice| {
        let (run, second) = (run.clone(), second.clone());
        Box::pin(async move {
            let (run, second) = (run.result.as_ref()?, second?);
            let pause = |progress| slice.is_over(progress);
            Some(Arc::new(run.opinions(&second, &pause).await))
        })
    });
    Derived::shared(move || {
        read.with(|outcome| {
            let found = outcome.is_current.then(|| outcome.result.clone());
            Arc::new((*found.unwrap_or_default()).clone())
        })
    })
}

/// What it says of one reply, where it was asked.
pub fn opinion(second: Second, turn: &TurnResult) -> Option<AnyView> {
    turn.second_opinion?;
    let (text, has_match) = (turn.text.clone(), !turn.violations.is_empty());
    let said = move || {
        let second = second.get()?;
        let reading = second.reading(&text, has_match);
        let words = match (reading.value >= second.threshold, has_match) {
            (true, true) => "reads as a violation, as the rules say",
            (true, false) => "reads as a violation, though no rule matched",
            (false, true) => "reads as harmless, though a rule matched",
            (false, false) => "reads as harmless, as the rules say",
        };
        let named = reading.words.iter().map(|([start, end], share)| {
            let word: String = text.chars().skip(*start).take(end - start).collect();
            let sign = if *share > 0.0 { "+" } else { "" };
            format!("“{}” {sign}{}", Shown(&word), fixed(*share, 2))
        });
        let named = named.collect::<Vec<_>>().join(", ");
        Some(view! {
            <p class="second-opinion" data-testid="second-opinion" data-value=reading.value.to_string()>
                {explained("Second opinion", "second_opinion")}": "{words}" ("<b>{fixed(reading.value, 2)}</b>", a violation from "{fixed(second.threshold, 2)}"). "
                <small class="muted">"What weighs most: "{named}</small>
            </p>
        })
    };
    Some(view! { {live(said)} }.into_any())
}
