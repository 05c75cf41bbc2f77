//! The ways to the turns that matter: the line of all of them, the worst with why, and the
//! fields that choose and order.

use std::sync::Arc;

use leptos::prelude::*;

use super::choice::{Chosen, Order};
use super::line::{BANDS, line};
use super::model::Model;
use super::worst;
use crate::app::derived::live;
use crate::app::format::{count, grouped, name};
use crate::app::panels::field::choice;
use crate::constitution::{Band, NOT_MEASURED, Principle};

/// Sessions of up to so many turns are looked at as they are.
const FEW: usize = 12;
/// The most actions that are offered.
const MOST_ACTIONS: usize = 50;

/// The line of all turns, and ways to find the ones that matter; a short session needs none.
pub fn tools(model: Model, chosen: Chosen) -> AnyView {
    let all = Memo::new(move |_| {
        let own = chosen
            .scope
            .with(|scope| scope.as_ref().map(|scope| scope.len()));
        own.unwrap_or_else(|| {
            let scored = model.scored.get();
            scored
                .result
                .as_ref()
                .map_or(0, |result| result.turns.len())
        })
    });
    let is_long = Memo::new(move |_| {
        model
            .log
            .with(|log| log.result.as_ref().is_some_and(|log| log.turns.len() > FEW))
    });
    let view = move || is_long.get().then(|| line_and_fields(model, chosen, all));
    live(view).into_any()
}

fn line_and_fields(model: Model, chosen: Chosen, all: Memo<usize>) -> impl IntoView {
    let words = chosen.choice;
    let find = move |event: leptos::ev::Event| {
        let words = event_target_value(&event).trim().to_lowercase();
        chosen.choose(|choice| choice.words = words);
    };
    let shown = move || {
        let (number, all) = (chosen.count(all.get()), all.get());
        if number == all {
            count(all, "turn")
        } else {
            format!("{} of {}", grouped(number), count(all, "turn"))
        }
    };
    let is_stretch = Memo::new(move |_| words.with(|choice| choice.stretch.is_some()));
    let clear = move || {
        is_stretch.get().then(|| {
            let show = move |_| chosen.choose(|choice| choice.stretch = None);
            view! {
                <button type="button" data-testid="clear-stretch" on:click=show>
                    "Show the whole line"
                </button>
            }
        })
    };
    view! {
        {line(model, chosen, all)}
        {worst::view(model, chosen)}
        <div class="turn-tools">
            {looks(chosen)}
            {order_field(chosen)}
            {band_field(chosen)}
            {lost_field(chosen)}
            {action_field(model, chosen)}
            <input
                type="text"
                aria-label="Find in actions and messages"
                placeholder="Find in actions and messages"
                data-testid="turn-find"
                prop:value=move || words.with(|choice| choice.words.clone())
                on:input=find
            />
            <span class="muted" role="status" data-testid="turn-count">{shown}</span>
            {live(clear)}
        </div>
    }
}

/// The switch between bars and what was lost.
fn looks(chosen: Chosen) -> impl IntoView {
    let look = |label: &'static str, hook: &str, is_losses: bool| {
        let is_shown = move || chosen.is_losses.get() == is_losses;
        choice(label, hook.to_owned(), is_shown, move || {
            chosen.is_losses.set(is_losses);
        })
    };
    view! {
        <span class="twins" role="group" aria-label="How to draw the turns">
            {look("Bars", "look-bars", false)}
            {look("Losses", "look-losses", true)}
        </span>
    }
}

fn order_field(chosen: Chosen) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        let value = event_target_value(&event);
        let lost = Principle::ALL
            .into_iter()
            .find(|principle| principle.name() == value);
        let order = match (&*value, lost) {
            (_, Some(principle)) => Order::Lost(principle),
            ("total", None) => Order::Total,
            _ => Order::Log,
        };
        chosen.choose(|choice| choice.order = order);
    };
    let principles = Principle::ALL.map(|principle| {
        let label = format!("Most lost on {}", principle.label().to_lowercase());
        view! { <option value=principle.name()>{label}</option> }
    });
    let now = move || {
        chosen.choice.with(|choice| match choice.order {
            Order::Log => "log",
            Order::Total => "total",
            Order::Lost(principle) => principle.name(),
        })
    };
    view! {
        <select aria-label="Order of the turns" data-testid="turn-order" prop:value=now on:change=change>
            <option value="log">"In their order"</option>
            <option value="total">"Lowest total first"</option>
            {principles}
        </select>
    }
}

fn band_field(chosen: Chosen) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        let value = event_target_value(&event);
        let mut words = BANDS.map(Band::word).into_iter().chain([NOT_MEASURED]);
        let word = words.find(|word| *word == value);
        chosen.choose(|choice| choice.band = word);
    };
    let each = BANDS.map(|band| view! { <option value=band.word()>{band.title()}" only"</option> });
    let now = move || chosen.choice.with(|choice| choice.band.unwrap_or_default());
    view! {
        <select aria-label="Band" data-testid="turn-band" prop:value=now on:change=change>
            <option value="">"All bands"</option>
            {each}
            <option value=NOT_MEASURED>"Not measured only"</option>
        </select>
    }
}

fn lost_field(chosen: Chosen) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        let value = event_target_value(&event);
        let mut all = Principle::ALL.into_iter();
        let lost = all.find(|principle| principle.name() == value);
        chosen.choose(|choice| choice.lost = lost);
    };
    let each = Principle::ALL.map(|principle| {
        let label = format!("Lost on {}", principle.word());
        view! { <option value=principle.name()>{label}</option> }
    });
    let lost = move || chosen.choice.with(|choice| choice.lost);
    let now = move || lost().map_or("", Principle::name);
    view! {
        <select aria-label="What the turns lost points on" data-testid="turn-lost" prop:value=now on:change=change>
            <option value="">"All principles"</option>
            {each}
        </select>
    }
}

/// The actions of the log, what is most frequent first; nothing where there is one.
fn action_field(model: Model, chosen: Chosen) -> AnyView {
    let actions = Memo::new(move |_| {
        model.log.with(|log| {
            let turns = log.result.iter().flat_map(|log| &log.turns);
            frequent(turns.map(|turn| &turn.action))
        })
    });
    let change = move |event: leptos::ev::Event| {
        let at: Option<usize> = event_target_value(&event).parse().ok();
        let action = at.and_then(|at| actions.with_untracked(|all| all.get(at).cloned()));
        chosen.choose(|choice| choice.action = action);
    };
    let field = move || {
        let all = actions.get();
        let each = all.iter().enumerate().map(|(at, action)| {
            view! { <option value=at.to_string()>{name(action)}</option> }
        });
        let each = each.collect_view();
        let now = move || {
            let action = chosen.choice.with(|choice| choice.action.clone());
            let at = action.and_then(|action| all.iter().position(|known| *known == action));
            at.map(|at| at.to_string()).unwrap_or_default()
        };
        actions.with(|all| all.len() > 1).then(|| {
            view! {
                <select aria-label="Action" data-testid="turn-action" prop:value=now on:change=change>
                    <option value="">"All actions"</option>
                    {each}
                </select>
            }
        })
    };
    live(field).into_any()
}

/// Each once, what is most frequent first; of equal ones the first.
fn frequent<'a>(actions: impl Iterator<Item = &'a Arc<str>>) -> Vec<Arc<str>> {
    let mut known = std::collections::HashMap::<&Arc<str>, (usize, usize)>::new();
    for (place, action) in actions.enumerate() {
        known.entry(action).or_insert((0, place)).0 += 1;
    }
    let mut known: Vec<_> = known.into_iter().collect();
    known.sort_unstable_by_key(|(_, (times, place))| (usize::MAX - times, *place));
    let actions = known.into_iter().take(MOST_ACTIONS);
    actions.map(|(action, _)| action.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_offered_by_how_frequent_they_are() {
        let actions: Vec<Arc<str>> = ["b", "a", "c", "a", "c"].map(Arc::from).into();
        let found = frequent(actions.iter());
        assert_eq!(found, ["a", "c", "b"].map(Arc::from));
    }
}
