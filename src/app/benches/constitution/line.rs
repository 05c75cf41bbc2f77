//! The line of all turns: a press goes to one, a drag shows a stretch alone, and the ends of
//! the stretch can be moved by keys.

use leptos::ev;
use leptos::prelude::*;

use super::choice::{Choice, Chosen};
use super::model::Model;
use crate::app::browser::events;
use crate::app::charts::timeline::{self, Ground};
use crate::app::derived::live;
use crate::app::format::fixed;
use crate::constitution::{Band, RewardResult, SCALE, ScoredTurn};

/// The bands, the best first.
pub const BANDS: [Band; 4] = [Band::Perfect, Band::Good, Band::Concerning, Band::Poor];
/// So far, in percent of the line, a press is not yet a drag.
const STILL: f64 = 0.75;

/// The grounds of the line.
pub fn grounds() -> Vec<Ground> {
    let grounds = BANDS.map(|band| (band.word(), band.least() / SCALE));
    grounds.to_vec()
}

/// The scored turns at some positions; all where there are none.
pub fn turns_of<'a>(
    result: &'a RewardResult,
    positions: Option<&'a [usize]>,
) -> Box<dyn Iterator<Item = &'a ScoredTurn> + 'a> {
    match positions {
        Some(positions) => Box::new(positions.iter().filter_map(|at| result.turns.get(*at))),
        None => Box::new(result.turns.iter()),
    }
}

/// An end of the stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// The stretch of so many places that is shown.
fn stretch(choice: &Choice, count: usize) -> (usize, usize) {
    let end = count.saturating_sub(1);
    match &choice.stretch {
        Some(stretch) => ((*stretch.start()).min(end), (*stretch.end()).min(end)),
        None => (0, end),
    }
}

/// The stretch after a key on one of its ends; none where the key is for something else.
fn moved(
    key: &str,
    edge: Edge,
    (first, last): (usize, usize),
    count: usize,
) -> Option<(usize, usize)> {
    let far = (count / 10).max(1);
    let at = if edge == Edge::First { first } else { last };
    let to = match key {
        "ArrowLeft" | "ArrowDown" => at.saturating_sub(1),
        "ArrowRight" | "ArrowUp" => at + 1,
        "PageDown" => at.saturating_sub(far),
        "PageUp" => at + far,
        "Home" => 0,
        "End" => count,
        _ => return None,
    };
    Some(match edge {
        Edge::First => (to.min(last), last),
        Edge::Last => (first, to.max(first).min(count.saturating_sub(1))),
    })
}

/// Shows a stretch alone; the whole line is no stretch.
fn show(chosen: Chosen, (first, last): (usize, usize), count: usize) {
    let is_all = first == 0 && last + 1 >= count;
    chosen.choose(|choice| choice.stretch = (!is_all).then_some(first..=last));
}

/// The normalised totals of the turns on the line.
fn shares(model: Model, chosen: Chosen) -> Signal<Vec<f64>> {
    Signal::derive(move || {
        let scope = chosen.scope.get();
        model.scored.with(|scored| {
            let result = scored.result.as_ref();
            let turns = result.map(|result| turns_of(result, scope.as_deref()));
            let shares = turns.into_iter().flatten().map(|turn| turn.normalised);
            shares.collect::<Vec<_>>()
        })
    })
}

/// The line in words.
fn label(model: Model, chosen: Chosen) -> Signal<String> {
    Signal::derive(move || {
        let scope = chosen.scope.get();
        model.scored.with(|scored| {
            let result = scored.result.as_ref();
            let turns = result.map(|result| turns_of(result, scope.as_deref()));
            let turns = turns.into_iter().flatten();
            let lowest = turns.min_by(|a, b| a.weighted_total.total_cmp(&b.weighted_total));
            lowest.map_or_else(String::new, |turn| {
                let (name, total) = (turn.name(), fixed(turn.weighted_total, 2));
                format!("Totals of all turns; the lowest is turn {name} with {total}.")
            })
        })
    })
}

/// The pointer on the line: a press goes to a turn, a drag shows a stretch.
#[derive(Clone, Copy)]
struct Drag {
    chosen: Chosen,
    /// How many turns are on the line.
    count: Memo<usize>,
    /// From where to where the pointer drags, in percent.
    from_to: RwSignal<Option<(f64, f64)>>,
    /// A click ends a drag as well, and goes nowhere then.
    has_moved: StoredValue<bool>,
}

impl Drag {
    fn take(self, event: &ev::PointerEvent) {
        if event.button() == 0 && events::hold(event).is_some() {
            let at = events::across(event, "data-timeline");
            self.from_to.set(at.map(|at| (at, at)));
        }
    }

    fn follow(self, event: &ev::PointerEvent) {
        let from = self.from_to.get_untracked().map(|(from, _)| from);
        if let (Some(from), Some(at)) = (from, events::across(event, "data-timeline")) {
            self.from_to.set(Some((from, at.clamp(0.0, 100.0))));
        }
    }

    fn place(self, at: f64) -> usize {
        timeline::place_at(at, self.count.get_untracked()).unwrap_or_default()
    }

    fn leave(self) {
        let dragged = self.from_to.get_untracked();
        self.from_to.set(None);
        let dragged = dragged.filter(|(from, to)| (to - from).abs() >= STILL);
        self.has_moved.set_value(dragged.is_some());
        if let Some((from, to)) = dragged {
            let stretch = (self.place(from.min(to)), self.place(from.max(to)));
            show(self.chosen, stretch, self.count.get_untracked());
        }
    }

    fn press(self, event: &ev::MouseEvent) {
        let at = events::across(event, "data-timeline").filter(|_| !self.has_moved.get_value());
        self.has_moved.set_value(false);
        if let Some(position) = at.and_then(|at| self.chosen.on_line(self.place(at))) {
            self.chosen.go(position);
        }
    }

    /// From where to where the line is listed, in percent; none where all of it is. Tracked.
    fn window(self) -> Option<(f64, f64)> {
        if let Some((from, to)) = self.from_to.get() {
            return ((to - from).abs() >= STILL).then(|| (from.min(to), from.max(to)));
        }
        let count = self.count.get();
        let (first, last) = self.chosen.choice.with(|choice| stretch(choice, count));
        let share = |place: usize| place as f64 / count.max(1) as f64 * 100.0;
        (last + 1 < count || first > 0).then(|| (share(first), share(last + 1)))
    }
}

/// Draws the line of the turns in scope, of which there are so many.
pub fn line(model: Model, chosen: Chosen, count: Memo<usize>) -> impl IntoView {
    let drag = Drag {
        chosen,
        count,
        from_to: RwSignal::new(None),
        has_moved: StoredValue::new(false),
    };
    let window = Memo::new(move |_| drag.window());
    let brush = move || {
        let (left, right) = window.get()?;
        Some(view! {
            <i class="brush-off" style:left="0" style:width=format!("{left:.3}%")></i>
            <i class="brush-off" style:left=format!("{right:.3}%") style:right="0"></i>
        })
    };
    view! {
        <div class="turn-line">
            {end(chosen, count, Edge::First, window)}
            <div
                class="turn-strip"
                data-timeline=""
                data-testid="turn-line"
                on:pointerdown=move |event| drag.take(&event)
                on:pointermove=move |event| drag.follow(&event)
                on:pointerup=move |_| drag.leave()
                on:pointercancel=move |_| drag.from_to.set(None)
                on:click=move |event| drag.press(&event)
            >
                {timeline::view(shares(model, chosen), grounds(), label(model, chosen))}
                {live(brush)}
            </div>
            {end(chosen, count, Edge::Last, window)}
        </div>
    }
}

/// An end of the stretch, which keys move.
fn end(
    chosen: Chosen,
    count: Memo<usize>,
    edge: Edge,
    window: Memo<Option<(f64, f64)>>,
) -> impl IntoView {
    let at = move || {
        let (first, last) = chosen.choice.with(|choice| stretch(choice, count.get()));
        if edge == Edge::First { first } else { last }
    };
    let press = move |event: ev::KeyboardEvent| {
        let count = count.get_untracked();
        let now = chosen
            .choice
            .with_untracked(|choice| stretch(choice, count));
        if let Some(next) = moved(&event.key(), edge, now, count) {
            event.prevent_default();
            show(chosen, next, count);
        }
    };
    let (label, class, hook) = match edge {
        Edge::First => (
            "First turn that is listed",
            "brush-end first",
            "brush-first",
        ),
        Edge::Last => ("Last turn that is listed", "brush-end last", "brush-last"),
    };
    let place = move || {
        let (left, right) = window.get().unwrap_or((0.0, 100.0));
        let at = if edge == Edge::First { left } else { right };
        format!("{:.5}", at / 100.0)
    };
    view! {
        <span
            class=class
            role="slider"
            tabindex="0"
            aria-label=label
            aria-valuemin="1"
            aria-valuemax=move || count.get().to_string()
            aria-valuenow=move || (at() + 1).to_string()
            data-testid=hook
            style=("--share", place)
            on:keydown=press
        ></span>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_the_ends_of_the_stretch_which_do_not_pass_each_other() {
        let first = |key, now| moved(key, Edge::First, now, 100);
        let last = |key, now| moved(key, Edge::Last, now, 100);
        assert_eq!(first("ArrowRight", (0, 99)), Some((1, 99)));
        assert_eq!(first("ArrowLeft", (0, 99)), Some((0, 99)));
        assert_eq!(first("PageUp", (5, 9)), Some((9, 9)));
        assert_eq!(first("Home", (5, 9)), Some((0, 9)));
        assert_eq!(last("ArrowLeft", (5, 5)), Some((5, 5)));
        assert_eq!(last("PageDown", (5, 40)), Some((5, 30)));
        assert_eq!(last("End", (5, 40)), Some((5, 99)));
        assert_eq!(last("Enter", (5, 40)), None);
        assert_eq!(moved("End", Edge::Last, (0, 0), 0), Some((0, 0)));
    }

    #[test]
    fn a_stretch_of_another_log_is_cut_to_what_is_there() {
        let choice = Choice {
            stretch: Some(5..=90),
            ..Choice::default()
        };
        assert_eq!(stretch(&choice, 100), (5, 90));
        assert_eq!(stretch(&choice, 20), (5, 19));
        assert_eq!(stretch(&choice, 3), (2, 2));
        assert_eq!(stretch(&choice, 0), (0, 0));
    }
}
