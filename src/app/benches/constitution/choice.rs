//! Which turns are shown, and in what order; and the way to one of them from wherever it
//! is named.

use std::ops::RangeInclusive;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::app::panels::anatomy;
use crate::constitution::{Log, Principle, RewardResult, ScoredTurn, Turn};

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
    /// One session alone, by its id.
    pub session: Option<Arc<str>>,
    /// A stretch of the line, by places from 0.
    pub stretch: Option<RangeInclusive<usize>>,
    pub order: Order,
    /// One band alone, by its word; or what was not measured.
    pub band: Option<&'static str>,
    /// Only what lost points on this principle.
    pub lost: Option<Principle>,
    /// One action alone.
    pub action: Option<Arc<str>>,
    /// Words that are to be in a turn, in small letters.
    pub words: String,
}

/// The positions of turns; all of them where there is none.
pub type Positions = Option<Arc<[usize]>>;

impl Choice {
    /// The turns of the session that is chosen: those on the line.
    fn scope(&self, result: &RewardResult) -> Positions {
        let wanted = self.session.as_ref()?;
        let mut sessions = result.sessions.iter();
        let session = sessions.find(|session| session.session_id == *wanted)?;
        Some(session.positions.clone())
    }

    fn takes(&self, turn: &Turn, scored: &ScoredTurn) -> bool {
        let has_words = || {
            let texts = [&*turn.action, &*turn.user_message, turn.response()];
            let mut texts = texts.iter();
            texts.any(|text| text.to_lowercase().contains(&self.words))
        };
        (self.band).is_none_or(|band| band == scored.band_word())
            && self.lost.is_none_or(|lost| scored.scores[lost] < 1.0)
            && (self.action.as_ref()).is_none_or(|action| *action == turn.action)
            && (self.words.is_empty() || has_words())
    }

    /// Whether all turns in the scope are shown as they are.
    fn is_bare(&self) -> bool {
        let Self { session, .. } = self;
        *self
            == Self {
                session: session.clone(),
                ..Self::default()
            }
    }

    /// The positions of the turns that are chosen, in their order; none where that is all
    /// of them as they are.
    pub fn of(&self, log: &Log, result: &RewardResult) -> Positions {
        let scope = self.scope(result);
        if self.is_bare() {
            return scope;
        }
        let count = scope
            .as_ref()
            .map_or(result.turns.len(), |scope| scope.len());
        let (first, last) = match &self.stretch {
            Some(stretch) => (*stretch.start(), *stretch.end()),
            None => (0, usize::MAX),
        };
        let places = first.min(count)..last.saturating_add(1).min(count);
        let positions = places.map(|place| scope.as_ref().map_or(place, |scope| scope[place]));
        let mut chosen: Vec<usize> = positions
            .filter(|at| self.takes(&log.turns[*at], &result.turns[*at]))
            .collect();
        match self.order {
            Order::Log => {}
            Order::Total => crate::text::sort_by(&mut chosen, |a, b| {
                let total = |at: &usize| result.turns[*at].weighted_total;
                total(a).total_cmp(&total(b))
            }),
            Order::Lost(principle) => crate::text::sort_by(&mut chosen, |a, b| {
                let cost = |at: &usize| result.turns[*at].lost(&result.weights, principle);
                cost(b).total_cmp(&cost(a))
            }),
        }
        Some(chosen.into())
    }
}

/// The turns that are chosen. Turning a weight may change their order.
#[derive(Clone, Copy)]
pub struct Chosen {
    model: Model,
    /// What is chosen.
    pub choice: RwSignal<Choice>,
    /// The positions of the turns on the line: of a session, or all.
    pub scope: Memo<Positions>,
    /// The positions of those that are listed.
    positions: Memo<Positions>,
    /// A turn to go to, by its place in the list.
    pub wanted: RwSignal<Option<usize>>,
    /// Whether the list shows what was lost, a cell for each principle, and no bars.
    pub is_losses: RwSignal<bool>,
}

impl Chosen {
    /// All turns of a model, to begin with.
    pub fn new(model: Model) -> Self {
        let choice = RwSignal::new(Choice::default());
        let scope = Memo::new(move |_| {
            let scored = model.scored.get();
            let result = scored.result.as_ref()?;
            choice.with(|choice| choice.scope(result))
        });
        let positions = Memo::new(move |_| {
            let choice = choice.get();
            let (log, scored) = (model.log.get(), model.scored.get());
            let (log, result) = (log.result.as_ref()?, scored.result.as_ref()?);
            choice.of(log, result)
        });
        Self {
            model,
            choice,
            scope,
            positions,
            wanted: RwSignal::new(None),
            is_losses: RwSignal::new(false),
        }
    }

    /// How many of so many are chosen. Tracked.
    pub fn count(self, all: usize) -> usize {
        let count = |chosen: &Positions| chosen.as_ref().map(|chosen| chosen.len());
        self.positions.with(count).unwrap_or(all)
    }

    /// The position of the turn at a place in the list. Tracked.
    pub fn position(self, place: usize) -> Option<usize> {
        self.positions.with(|chosen| match chosen {
            Some(chosen) => chosen.get(place).copied(),
            None => Some(place),
        })
    }

    /// The position of the turn at a place on the line.
    pub fn on_line(self, place: usize) -> Option<usize> {
        self.scope.with_untracked(|scope| match scope {
            Some(scope) => scope.get(place).copied(),
            None => Some(place),
        })
    }

    /// Goes to the turn at a position and opens it, wherever it is in the list; all are shown
    /// again where it is not among those chosen.
    pub fn go(self, position: usize) {
        let place = |chosen: &Positions| match chosen {
            Some(chosen) => chosen.iter().position(|at| *at == position),
            None => Some(position),
        };
        let mut found = self.positions.with_untracked(place);
        if found.is_none() {
            self.choice.update(|choice| {
                let session = choice.session.take();
                *choice = Choice {
                    session,
                    ..Choice::default()
                };
            });
            found = self.positions.with_untracked(place);
        }
        if found.is_none() {
            self.choice.set(Choice::default());
            found = Some(position);
        }
        self.wanted.set(found);
        self.look(position);
    }

    /// Notes the turn that is looked at, for the form.
    pub fn look(self, position: usize) {
        let model = self.model;
        // the form has the turns that are left out, too
        let row = model.log.with_untracked(|log| {
            let log = log.result.as_ref()?;
            log.rows.get(position).copied()
        });
        model.looked_at.set(row);
    }

    /// Chooses otherwise, and goes to the first of the turns.
    pub fn choose(self, change: impl FnOnce(&mut Choice)) {
        self.choice.update(change);
        anatomy::to_first();
    }
}

/// A turn's name as a way to it.
pub fn way(chosen: Chosen, name: String, position: usize) -> AnyView {
    view! {
        <button type="button" class="way" data-testid="to-turn" on:click=move |_| chosen.go(position)>
            {name}
        </button>
    }
    .into_any()
}

/// A sentence in which turns are named, each name a way to its turn; `ways` are their
/// names and positions in the order in which they stand there.
pub fn with_ways(said: &str, ways: &[(String, usize)], chosen: Chosen) -> AnyView {
    let mut views = Vec::new();
    let mut rest = said;
    for (name, position) in ways {
        let named = format!("turn {name}");
        let Some(at) = rest.find(&named) else {
            continue;
        };
        views.push(rest[..at].to_owned().into_any());
        rest = &rest[at + named.len()..];
        views.push(way(chosen, named, *position));
    }
    views.push(rest.to_owned().into_any());
    views.collect_view().into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{NOT_MEASURED, Options, read, score};

    fn chosen(text: &str, choice: &Choice) -> Option<Vec<usize>> {
        let log = read(text).result.expect("turns");
        let result = score(&log, &Options::default()).result.expect("scored");
        choice.of(&log, &result).map(|found| found.to_vec())
    }

    const TURNS: &str = r#"[{"action": "read", "overrides": {"tasteful": 0.5}},
        {"action": "write", "user_message": "Now WRITE it", "overrides": {"ethical": 0.1, "curated": 0.0}},
        {"action": "write", "overrides": {"ethical": 0.0, "curated": 0.0, "composable": 0}}]"#;

    #[test]
    fn turns_are_chosen_by_what_they_are_and_ordered_by_what_they_lost() {
        let is = |choice: Choice, expected: &[usize]| {
            assert_eq!(
                chosen(TURNS, &choice).as_deref(),
                Some(expected),
                "{choice:?}"
            );
        };
        let bare = Choice::default;
        assert_eq!(chosen(TURNS, &bare()), None);
        let order = |order| Choice { order, ..bare() };
        is(order(Order::Total), &[2, 1, 0]);
        is(order(Order::Lost(Principle::Tasteful)), &[0, 1, 2]);
        let words = "now write".to_owned();
        is(Choice { words, ..bare() }, &[1]);
        let band = Some("poor");
        is(Choice { band, ..bare() }, &[2]);
        let lost = Some(Principle::Ethical);
        is(Choice { lost, ..bare() }, &[1, 2]);
        let action = Some("read".into());
        is(Choice { action, ..bare() }, &[0]);
        let stretch = Some(1..=7);
        is(Choice { stretch, ..bare() }, &[1, 2]);
        let stretch = Some(1..=1);
        is(
            Choice {
                stretch,
                lost,
                ..bare()
            },
            &[1],
        );
    }

    #[test]
    fn what_was_not_measured_is_in_no_band() {
        let text = r#"[{"action": "x"}, {"action": "x", "overrides": {"ethical": 1}}]"#;
        for (band, expected) in [(NOT_MEASURED, 0), ("perfect", 1)] {
            let choice = Choice {
                band: Some(band),
                ..Choice::default()
            };
            assert_eq!(chosen(text, &choice).as_deref(), Some(&[expected][..]));
        }
    }

    #[test]
    fn a_session_is_the_scope_and_one_that_is_gone_is_none() {
        let text = r#"[{"session_id": "a", "action": "x"}, {"session_id": "b", "action": "x"},
            {"session_id": "a", "overrides": {"ethical": 0}}, {"session_id": "b", "action": "x"}]"#;
        let of = |session: &str, stretch| Choice {
            session: Some(session.into()),
            stretch,
            ..Choice::default()
        };
        assert_eq!(chosen(text, &of("a", None)), Some(vec![0, 2]));
        assert_eq!(chosen(text, &of("b", Some(1..=1))), Some(vec![3]));
        assert_eq!(chosen(text, &of("gone", None)), None);
        let worst = Choice {
            order: Order::Total,
            ..of("a", None)
        };
        assert_eq!(chosen(text, &worst), Some(vec![2, 0]));
    }
}
