//! Which replies are shown, and in what order.

use std::cmp::Ordering;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::persona::{PersonaResult, TurnResult, ViolationSeverity};
use crate::text::{sort_by, sort_by_key};

/// Where a reply is in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its session, from 0.
    pub session: usize,
    /// Which of the session's, from 0.
    pub turn: usize,
}

impl Place {
    /// The reply; none where the result has none there.
    pub fn of(self, result: &PersonaResult) -> Option<&TurnResult> {
        result.sessions.get(self.session)?.turns.get(self.turn)
    }
}

/// All places of a result, in the order of the transcript.
pub fn places(result: &PersonaResult) -> impl Iterator<Item = Place> {
    let sessions = result.sessions.iter().enumerate();
    sessions.flat_map(|(session, scored)| {
        let turns = 0..scored.turns.len();
        turns.map(move |turn| Place { session, turn })
    })
}

/// The order of the replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// What breaks a rule, then the lowest score.
    #[default]
    Worst,
    /// The other way round.
    Best,
    /// As they were.
    Transcript,
    /// The longest first.
    Length,
}

/// What replies are looked at by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Voice,
    Authenticity,
}

impl Score {
    /// Nothing where it was not measured, or says nothing of the reply.
    fn of(self, turn: &TurnResult, result: &PersonaResult) -> Option<f64> {
        match self {
            Self::Voice => turn.voice,
            Self::Authenticity => turn.authenticity.filter(|_| !result.is_noise(turn)),
        }
    }

    /// What ranks the replies of a result: the voice where it was measured.
    pub fn that_ranks(result: &PersonaResult) -> Self {
        if result.voice.is_some() {
            Self::Voice
        } else {
            Self::Authenticity
        }
    }
}

/// A bound of a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Of which score.
    pub score: Score,
    /// Whether it is the most; else it is the least.
    pub is_most: bool,
    /// In [0, 1].
    pub at: f64,
}

impl Bound {
    /// What was not measured is on no side of a bound.
    fn takes(self, turn: &TurnResult, result: &PersonaResult) -> bool {
        let within = |value: f64| {
            if self.is_most {
                value <= self.at
            } else {
                value >= self.at
            }
        };
        self.score.of(turn, result).is_some_and(within)
    }
}

/// What was found in a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A rule broken.
    Violation,
    /// An avoided word.
    Avoided,
    /// A preferred word.
    Preferred,
    /// A declared trait that it does not show.
    Missed,
    /// It is in another language: its traits cannot be read.
    Unread,
    /// The rules say one thing, the second opinion another.
    Doubted,
    /// No rule and no word.
    Nothing,
}

impl Hit {
    fn is_in(self, turn: &TurnResult) -> bool {
        match self {
            Self::Violation => !turn.violations.is_empty(),
            Self::Avoided => !turn.avoided_hits.is_empty(),
            Self::Preferred => !turn.preferred_hits.is_empty(),
            Self::Missed => turn.unread.is_none() && turn.traits.iter().any(|shown| !shown.matched),
            Self::Unread => turn.unread.is_some(),
            Self::Doubted => turn.is_doubted,
            Self::Nothing => {
                let found = [Self::Violation, Self::Avoided, Self::Preferred];
                !found.into_iter().any(|hit| hit.is_in(turn))
            }
        }
    }
}

/// What somebody called a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    On,
    Off,
    Not,
}

impl Judged {
    fn of(turn: &TurnResult) -> Self {
        match turn.label {
            Some(true) => Self::On,
            Some(false) => Self::Off,
            None => Self::Not,
        }
    }
}

/// What is chosen of the replies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    pub order: Order,
    /// One session alone, by its id.
    pub session: Option<Arc<str>>,
    pub bound: Option<Bound>,
    pub hit: Option<Hit>,
    pub tag: Option<Arc<str>>,
    pub judged: Option<Judged>,
    /// Words that are to be in a reply or in what it answers, in small letters.
    pub words: String,
}

impl Choice {
    fn takes(&self, turn: &TurnResult, result: &PersonaResult) -> bool {
        let has_words = || {
            let mut texts = [Some(&turn.text), turn.prompt.as_ref()]
                .into_iter()
                .flatten();
            texts.any(|text| text.to_lowercase().contains(&self.words))
        };
        self.hit.is_none_or(|hit| hit.is_in(turn))
            && self.bound.is_none_or(|bound| bound.takes(turn, result))
            && self.judged.is_none_or(|judged| judged == Judged::of(turn))
            && (self.tag.as_ref()).is_none_or(|tag| turn.tags.contains(tag))
            && (self.words.is_empty() || has_words())
    }

    /// The places of the replies that are chosen, in their order.
    pub fn of(&self, result: &PersonaResult) -> Arc<[Place]> {
        let is_in_session = |place: &Place| {
            let id = &result.sessions[place.session].session_id;
            self.session.as_ref().is_none_or(|wanted| **wanted == **id)
        };
        let reply = |place: Place| place.of(result).map(|turn| (place, turn));
        let all = places(result).filter(is_in_session).filter_map(reply);
        let mut chosen: Vec<(Place, &TurnResult)> =
            all.filter(|(_, turn)| self.takes(turn, result)).collect();
        let score = Score::that_ranks(result);
        match self.order {
            Order::Transcript => {}
            // what has no score is neither: it comes last
            Order::Worst => sort_by(&mut chosen, |(_, a), (_, b)| {
                let value = |turn: &TurnResult| score.of(turn, result).unwrap_or(f64::INFINITY);
                worse((a, value(a)), (b, value(b)))
            }),
            Order::Best => sort_by(&mut chosen, |(_, a), (_, b)| {
                let value = |turn: &TurnResult| score.of(turn, result).unwrap_or(f64::NEG_INFINITY);
                worse((b, value(b)), (a, value(a)))
            }),
            Order::Length => sort_by_key(&mut chosen, |(_, turn)| usize::MAX - turn.text.len()),
        }
        chosen.into_iter().map(|(place, _)| place).collect()
    }
}

/// Which of two is worse: what breaks the worse rule, then the lower score.
fn worse((one, value): (&TurnResult, f64), (other, other_value): (&TurnResult, f64)) -> Ordering {
    let severity = |turn: &TurnResult| -> Option<ViolationSeverity> {
        turn.violations.iter().map(|found| found.severity).max()
    };
    severity(other)
        .cmp(&severity(one))
        .then_with(|| value.total_cmp(&other_value))
}

/// A reply that is open: where it was, and what it says. Where another stands after an edit of
/// the text, that is not open.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    pub place: Place,
    pub text: Arc<str>,
}

/// The replies that are chosen. Turning a weight may change their order.
#[derive(Clone, Copy)]
pub struct Chosen {
    /// What is chosen.
    pub choice: RwSignal<Choice>,
    /// The places of those that are listed.
    pub places: Memo<Arc<[Place]>>,
    /// The one that is looked at.
    pub open: RwSignal<Option<Opened>>,
}

impl Chosen {
    /// All replies of a model, to begin with.
    pub fn new(model: Model) -> Self {
        let choice = RwSignal::new(Choice::default());
        let places = Memo::new(move |_| {
            let choice = choice.get();
            let scored = model.scored.get();
            let chosen = scored.result.as_ref().map(|result| choice.of(result));
            chosen.unwrap_or_default()
        });
        Self {
            choice,
            places,
            open: RwSignal::new(None),
        }
    }

    /// Where in the list the open reply is; nowhere where it is not among those chosen. Tracked.
    pub fn open_at(self) -> Option<usize> {
        let place = self.open.with(|open| Some(open.as_ref()?.place))?;
        self.places
            .with(|places| places.iter().position(|listed| *listed == place))
    }
}

/// The tags of a result, each once, and whether there are labels in it.
pub fn offered(result: &PersonaResult) -> (Vec<Arc<str>>, bool) {
    let turns = || result.sessions.iter().flat_map(|session| &session.turns);
    let mut tags: Vec<Arc<str>> = turns().flat_map(|turn| turn.tags.iter().cloned()).collect();
    sort_by(&mut tags, Ord::cmp);
    tags.dedup();
    (tags, turns().any(|turn| turn.label.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::{Inputs, Options, read};

    const PERSONA: &str = "lexicon: {preferred: [ride, oil], avoid: [delve]}
style_rules: {verbosity: concise}";
    const SAFETY: &str = "- {category: custom, severity: low, pattern: guaranteed}
- {category: custom, severity: high, pattern: idiot}";
    const TRANSCRIPT: &str = r#"{"session_id": "a", "turn": 1, "user": "Oil or wax?", "assistant": "A ride needs oil.", "label": 1, "tags": ["x"]}
{"session_id": "a", "turn": 2, "assistant": "Let us delve into it at once.", "label": 0}
{"session_id": "b", "turn": 1, "assistant": "Guaranteed to please.", "tags": ["y", "x"]}
{"session_id": "b", "turn": 2, "assistant": "You idiot."}
{"session_id": "b", "turn": 3, "assistant": "Just ride."}"#;

    /// The result; with these voices, in the order of the transcript.
    fn scored(voices: &[f64]) -> PersonaResult {
        let run = read(&Inputs {
            persona: PERSONA,
            transcript: TRANSCRIPT,
            safety: Some(SAFETY),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let mut result = scored.result.expect("scored");
        let turns = result.sessions.iter_mut().flat_map(|s| &mut s.turns);
        for (turn, voice) in turns.zip(voices) {
            turn.voice = Some(*voice);
        }
        if !voices.is_empty() {
            result.voice = Some(crate::persona::VoiceSummary {
                formula: crate::persona::voice::FORMULA,
                metric: crate::persona::MetricSummary::default(),
                learned_from: crate::persona::voice::Counts::default(),
                control: crate::persona::voice::ControlSample::default(),
                threshold: None,
                separation: None,
                is_style: false,
            });
        }
        result
    }

    /// Session and turn of each, as `a1`.
    fn names(result: &PersonaResult, choice: &Choice) -> Vec<String> {
        let name = |place: &Place| {
            let session = &result.sessions[place.session].session_id;
            format!("{session}{}", place.turn + 1)
        };
        choice.of(result).iter().map(name).collect()
    }

    #[test]
    fn the_worst_come_first_and_what_breaks_a_rule_before_them() {
        let by = |voices: &[f64], order| {
            let choice = Choice {
                order,
                ..Choice::default()
            };
            names(&scored(voices), &choice)
        };
        // by authenticity: words and length
        assert_eq!(by(&[], Order::Worst), ["b2", "b1", "a2", "b3", "a1"]);
        let voices = [0.2, 0.9, 0.99, 0.98, 0.1];
        assert_eq!(by(&voices, Order::Worst), ["b2", "b1", "b3", "a1", "a2"]);
        assert_eq!(by(&voices, Order::Best), ["a2", "a1", "b3", "b1", "b2"]);
        assert_eq!(
            by(&voices, Order::Transcript),
            ["a1", "a2", "b1", "b2", "b3"]
        );
        assert_eq!(by(&[], Order::Length), ["a2", "b1", "a1", "b2", "b3"]);
    }

    #[test]
    fn replies_are_chosen_by_what_they_are() {
        let result = scored(&[0.2, 0.9, 0.5, 0.4, 0.1]);
        let is = |choice: Choice, expected: &[&str]| {
            let choice = Choice {
                order: Order::Transcript,
                ..choice
            };
            assert_eq!(names(&result, &choice), expected, "{choice:?}");
        };
        let bare = Choice::default;
        let session = Some("b".into());
        is(Choice { session, ..bare() }, &["b1", "b2", "b3"]);
        for (hit, expected) in [
            (Hit::Violation, &["b1", "b2"][..]),
            (Hit::Avoided, &["a2"]),
            (Hit::Preferred, &["a1", "b3"]),
            (Hit::Missed, &[]),
            (Hit::Nothing, &[]),
        ] {
            let hit = Some(hit);
            is(Choice { hit, ..bare() }, expected);
        }
        for (score, is_most, at, expected) in [
            (Score::Voice, true, 0.2, &["a1", "b3"][..]),
            (Score::Voice, false, 0.5, &["a2", "b1"]),
            (Score::Authenticity, false, 1.0, &["a1"]),
        ] {
            let bound = Some(Bound { score, is_most, at });
            is(Choice { bound, ..bare() }, expected);
        }
        for (judged, expected) in [
            (Judged::On, &["a1"][..]),
            (Judged::Off, &["a2"]),
            (Judged::Not, &["b1", "b2", "b3"]),
        ] {
            let judged = Some(judged);
            is(Choice { judged, ..bare() }, expected);
        }
        let tag = Some("x".into());
        is(Choice { tag, ..bare() }, &["a1", "b1"]);
        // in what it answers, too
        let words = "wax".to_owned();
        is(Choice { words, ..bare() }, &["a1"]);
        let words = "just ride".to_owned();
        is(Choice { words, ..bare() }, &["b3"]);
    }

    #[test]
    fn what_was_not_measured_is_within_no_bound() {
        let bound = |is_most| Choice {
            bound: Some(Bound {
                score: Score::Voice,
                is_most,
                at: 0.5,
            }),
            ..Choice::default()
        };
        let result = scored(&[]);
        assert_eq!(names(&result, &bound(true)).len(), 0);
        assert_eq!(names(&result, &bound(false)).len(), 0);
    }

    #[test]
    fn what_cannot_be_judged_comes_last_and_is_within_no_bound() {
        let transcript = format!(
            "{TRANSCRIPT}\n{}",
            r#"{"session_id": "c", "turn": 1, "assistant": "\u6cb9\u3092\u5dee\u3057\u3066\u304f\u3060\u3055\u3044\u3002"}"#
        );
        let run = read(&Inputs {
            persona: PERSONA,
            transcript: &transcript,
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let result = scored.result.expect("scored");
        for order in [Order::Worst, Order::Best] {
            let choice = Choice {
                order,
                ..Choice::default()
            };
            // what breaks a rule stands where that puts it
            let mut names = names(&result, &choice);
            names.retain(|name| name != "b2");
            assert_eq!(names.last().map(String::as_str), Some("c1"), "{order:?}");
        }
        let bound = Some(Bound {
            score: Score::Authenticity,
            is_most: true,
            at: 1.0,
        });
        let within = names(
            &result,
            &Choice {
                bound,
                ..Choice::default()
            },
        );
        assert!(!within.contains(&"c1".to_owned()), "{within:?}");
        for (hit, expected) in [(Hit::Missed, &[][..]), (Hit::Unread, &["c1"])] {
            let hit = Some(hit);
            assert_eq!(
                names(
                    &result,
                    &Choice {
                        hit,
                        ..Choice::default()
                    }
                ),
                expected
            );
        }
    }

    #[test]
    fn tags_and_labels_are_offered_where_there_are_any() {
        let (tags, has_labels) = offered(&scored(&[]));
        assert_eq!((tags, has_labels), (vec!["x".into(), "y".into()], true));
    }

    #[test]
    fn ten_thousand_replies_are_put_in_order() {
        let mut result = scored(&[]);
        let turn = result.sessions[0].turns[1].clone();
        result.sessions[0].turns = vec![turn; 10_000];
        assert_eq!(Choice::default().of(&result).len(), 10_003);
    }
}
