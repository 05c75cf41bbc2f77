//! Which turns of a session are shown, and in what order; and the line of all of them.

use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::app::browser::events;
use crate::app::charts::timeline;
use crate::app::derived::live;
use crate::app::format::{count, fixed, grouped};
use crate::app::panels::anatomy;
use crate::constitution::{Band, Log, Principle, RewardResult, SCALE};

/// Sessions of up to so many turns are looked at as they are.
const FEW: usize = 12;

/// The order of the turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As they were.
    #[default]
    Log,
    /// The lowest total first.
    Total,
    /// What a principle cost most first.
    Lost(Principle),
}

/// What is chosen of the turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    order: Order,
    /// One band alone.
    band: Option<Band>,
    /// Words that are to be in a turn, in small letters.
    words: String,
}

impl Choice {
    fn takes_all(&self) -> bool {
        self.band.is_none() && self.words.is_empty()
    }

    /// The positions of the turns that are chosen, in their order; none where that is all
    /// of them as they are.
    pub fn of(&self, log: &Log, result: &RewardResult) -> Option<Vec<usize>> {
        if self.takes_all() && self.order == Order::Log {
            return None;
        }
        let turns = log.turns.iter().zip(&result.turns).enumerate();
        let has_words = |turn: &crate::constitution::Turn| {
            let response = turn.result.as_ref().map(|result| result.response.as_str());
            let texts = [
                &*turn.action,
                &*turn.user_message,
                response.unwrap_or_default(),
            ];
            texts
                .iter()
                .any(|text| text.to_lowercase().contains(&self.words))
        };
        let chosen = turns.filter(|(_, (turn, scored))| {
            self.band.is_none_or(|band| band == scored.band)
                && (self.words.is_empty() || has_words(turn))
        });
        let mut chosen: Vec<usize> = chosen.map(|(at, _)| at).collect();
        let lost = |principle: Principle, at: usize| {
            result.weights[principle] - result.turns[at].contributions[principle]
        };
        match self.order {
            Order::Log => {}
            Order::Total => crate::text::sort_by(&mut chosen, |a, b| {
                let total = |at: &usize| result.turns[*at].weighted_total;
                total(a).total_cmp(&total(b))
            }),
            Order::Lost(principle) => crate::text::sort_by(&mut chosen, |a, b| {
                lost(principle, *b).total_cmp(&lost(principle, *a))
            }),
        }
        Some(chosen)
    }
}

/// The turns that are chosen. Turning a weight may change their order.
#[derive(Clone, Copy)]
pub struct Chosen {
    choice: RwSignal<Choice>,
    /// Their positions; none where that is all of them as they are.
    positions: Memo<Option<Arc<Vec<usize>>>>,
    /// A turn to go to, by its place in the list.
    pub wanted: RwSignal<Option<usize>>,
}

impl Chosen {
    pub fn new(model: Model) -> Self {
        let choice = RwSignal::new(Choice::default());
        let positions = Memo::new(move |_| {
            let choice = choice.get();
            let (log, scored) = (model.log.get(), model.scored.get());
            let (log, result) = (log.result.as_ref()?, scored.result.as_ref()?);
            choice.of(log, result).map(Arc::new)
        });
        Self {
            choice,
            positions,
            wanted: RwSignal::new(None),
        }
    }

    /// How many of so many are chosen. Tracked.
    pub fn count(self, all: usize) -> usize {
        let count = |chosen: &Option<Arc<Vec<usize>>>| chosen.as_ref().map(|c| c.len());
        self.positions.with(count).unwrap_or(all)
    }

    /// The position of the turn at a place in the list. Tracked.
    pub fn position(self, place: usize) -> Option<usize> {
        self.positions.with(|chosen| match chosen {
            Some(chosen) => chosen.get(place).copied(),
            None => Some(place),
        })
    }

    /// Goes to the turn at a position, wherever it is in the list; all are shown again where
    /// it is not among those chosen.
    fn go(self, position: usize) {
        let place = |chosen: &Option<Arc<Vec<usize>>>| match chosen {
            Some(chosen) => chosen.iter().position(|at| *at == position),
            None => Some(position),
        };
        let mut found = self.positions.with_untracked(place);
        if found.is_none() {
            self.choice.set(Choice::default());
            found = Some(position);
        }
        self.wanted.set(found);
    }
}

/// The line of all turns, and ways to find the ones that matter; a short session needs none.
pub fn tools(model: Model, chosen: Chosen) -> AnyView {
    let all = Memo::new(move |_| {
        model.scored.with(|scored| {
            scored
                .result
                .as_ref()
                .map_or(0, |result| result.turns.len())
        })
    });
    let is_long = Memo::new(move |_| all.get() > FEW);
    let view = move || is_long.get().then(|| line_and_fields(model, chosen, all));
    live(view).into_any()
}

fn line_and_fields(model: Model, chosen: Chosen, all: Memo<usize>) -> impl IntoView {
    let choice = chosen.choice;
    let find = move |event: leptos::ev::Event| {
        let words = event_target_value(&event).trim().to_lowercase();
        choose(choice, |choice| choice.words = words);
    };
    let shown = move || {
        let (number, all) = (chosen.count(all.get()), all.get());
        if number == all {
            count(all, "turn")
        } else {
            format!("{} of {}", grouped(number), count(all, "turn"))
        }
    };
    view! {
        {line(model, chosen, all)}
        <div class="turn-tools">
            {order_field(choice)}
            {band_field(choice)}
            <input
                type="text"
                aria-label="Find in actions and messages"
                placeholder="Find in actions and messages"
                data-testid="turn-find"
                prop:value=move || choice.with(|choice| choice.words.clone())
                on:input=find
            />
            <span class="muted" role="status" data-testid="turn-count">{shown}</span>
        </div>
    }
}

/// Chooses otherwise, and goes to the first of the turns.
fn choose(choice: RwSignal<Choice>, change: impl FnOnce(&mut Choice)) {
    choice.update(change);
    anatomy::to_first();
}

const BANDS: [Band; 4] = [Band::Perfect, Band::Good, Band::Concerning, Band::Poor];

fn line(model: Model, chosen: Chosen, all: Memo<usize>) -> impl IntoView {
    let shares = Signal::derive(move || {
        model.scored.with(|scored| {
            let turns = scored.result.iter().flat_map(|result| &result.turns);
            turns.map(|turn| turn.normalised).collect::<Vec<_>>()
        })
    });
    let grounds = BANDS.map(|band| (band.word(), band.least() / SCALE));
    let label = Signal::derive(move || {
        model.scored.with(|scored| {
        let turns = scored.result.iter().flat_map(|result| &result.turns);
        let lowest = turns.min_by(|a, b| a.weighted_total.total_cmp(&b.weighted_total));
        lowest.map_or_else(String::new, |turn| {
            let (number, total) = (turn.turn_number, fixed(turn.weighted_total, 2));
            format!("Totals of all turns; the lowest is turn {number} with {total}. Press to go to a turn.")
        })
    })
    });
    let press = move |event: leptos::ev::MouseEvent| {
        let across = events::across(&event, "data-timeline");
        let at = across.and_then(|across| timeline::place_at(across, all.get_untracked()));
        if let Some(at) = at {
            chosen.go(at);
        }
    };
    view! {
        <div class="turn-line" data-timeline="" on:click=press>
            {timeline::view(shares, grounds.to_vec(), label)}
        </div>
    }
}

fn order_field(choice: RwSignal<Choice>) -> impl IntoView {
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
        choose(choice, |choice| choice.order = order);
    };
    let principles = Principle::ALL.map(|principle| {
        let label = format!("Most lost on {}", principle.label().to_lowercase());
        view! { <option value=principle.name()>{label}</option> }
    });
    let now = move || {
        choice.with(|choice| match choice.order {
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

fn band_field(choice: RwSignal<Choice>) -> impl IntoView {
    let change = move |event: leptos::ev::Event| {
        let value = event_target_value(&event);
        let band = BANDS.into_iter().find(|band| band.word() == value);
        choose(choice, |choice| choice.band = band);
    };
    let each = BANDS.map(|band| view! { <option value=band.word()>{band.title()}" only"</option> });
    let now = move || choice.with(|choice| choice.band.map_or("", Band::word));
    view! {
        <select aria-label="Band" data-testid="turn-band" prop:value=now on:change=change>
            <option value="">"All bands"</option>
            {each}
        </select>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Options, read, score};

    #[test]
    fn turns_are_chosen_by_band_and_words_and_ordered_by_what_they_lost() {
        let text = r#"[{"action": "read", "overrides": {"tasteful": 0.5}},
            {"action": "write", "user_message": "Now WRITE it", "overrides": {"ethical": 0.1, "curated": 0.0}},
            {"action": "write", "overrides": {"ethical": 0.0, "curated": 0.0, "composable": 0}}]"#;
        let log = read(text).result.expect("turns");
        let result = score(&log, &Options::default()).result.expect("scored");
        let chosen = |choice: Choice| choice.of(&log, &result);
        assert_eq!(chosen(Choice::default()), None);
        let order = |order| Choice {
            order,
            ..Choice::default()
        };
        assert_eq!(chosen(order(Order::Total)), Some(vec![2, 1, 0]));
        assert_eq!(
            chosen(order(Order::Lost(Principle::Tasteful))),
            Some(vec![0, 1, 2])
        );
        let words = Choice {
            words: "now write".into(),
            ..Choice::default()
        };
        assert_eq!(chosen(words), Some(vec![1]));
        let band = Choice {
            band: Some(result.turns[2].band),
            ..Choice::default()
        };
        assert!(chosen(band).is_some_and(|found| found.contains(&2) && !found.contains(&0)));
    }
}
