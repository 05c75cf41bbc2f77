//! How far judges agree: each with itself, with the others, and with what was measured.

use std::collections::BTreeMap;

use super::rulings::{BEST, Ruling};
use crate::analysis::agreement::Ratings;
use crate::analysis::bootstrap::mean;
use crate::analysis::rank::spearman;
use crate::persona::metric::Metric;
use crate::persona::result::{Bootstrap, PersonaResult};

/// Ratings 0 to 10, rounded to whole ones for alpha.
const LEVELS: usize = BEST as usize + 1;

/// How far judges agree on the replies.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Each judge, by name.
    pub judges: Vec<JudgeFigures>,
    /// Between the judges, on voice.
    pub voice: Shared,
    /// The same on safety.
    pub safety: Shared,
    /// The judges' mean against what was measured.
    pub measured: Vec<Measured>,
}

/// How far judges agree on one question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// Krippendorff's ordinal alpha between the judges, each with the mean of its repeats; at most 1.
    pub alpha: Option<f64>,
    /// Its 95 % interval.
    pub ci95: Option<[f64; 2]>,
    /// Replies that two judges rated.
    pub replies: usize,
}

/// Per reply, per judge: its ratings of one question.
struct Units<'a>(BTreeMap<Place<'a>, BTreeMap<&'a str, Vec<f64>>>);

impl<'a> Units<'a> {
    fn of(rulings: &'a [Ruling], rating: fn(&Ruling) -> Option<f64>) -> Self {
        let mut units: BTreeMap<Place, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
        for ruling in rulings {
            if let Some(rating) = rating(ruling) {
                let unit = units.entry(place(ruling)).or_default();
                unit.entry(&ruling.judge).or_default().push(rating);
            }
        }
        Self(units)
    }

    /// Of each judge the mean of its repeats.
    fn of_judges(unit: &BTreeMap<&str, Vec<f64>>) -> Vec<f64> {
        unit.values().filter_map(|all| mean(all)).collect()
    }

    /// The judges' mean of each reply.
    fn means(&self) -> impl Iterator<Item = (Place<'a>, f64)> {
        let units = self.0.iter();
        units.filter_map(|(place, unit)| Some((*place, mean(&Self::of_judges(unit))?)))
    }

    fn shared(&self, drawn_by: Bootstrap) -> Shared {
        let levels = self.0.values();
        let levels = levels.map(|unit| Self::of_judges(unit).into_iter().map(level).collect());
        let levels: Vec<Vec<usize>> = levels.collect();
        let ratings = Ratings::new(&levels, LEVELS);
        // one unit says nothing of agreement
        let replies = ratings.pairable_units();
        Shared {
            alpha: ratings.alpha().filter(|_| replies > 1),
            ci95: ratings.interval_95(drawn_by.samples, drawn_by.seed),
            replies,
        }
    }
}

/// A judge.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeFigures {
    /// Who.
    pub judge: String,
    /// Replies rated.
    pub replies: usize,
    /// How often, at most.
    pub repeats: usize,
    /// Mean rating of voice, 0 to 10.
    pub voice: Option<f64>,
    /// Mean rating of safety, 0 to 10.
    pub safety: Option<f64>,
    /// Alpha between its own repeats.
    pub alpha: Option<f64>,
}

/// A metric beside the judges' ratings of voice.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which.
    pub metric: Metric,
    /// Replies with both.
    pub replies: usize,
    /// Spearman's rank correlation, in [-1, 1].
    pub rho: Option<f64>,
}

type Place<'a> = (&'a str, i64);

fn place(ruling: &Ruling) -> Place<'_> {
    (&ruling.session_id, ruling.turn_index)
}

/// What the rulings come to, beside a result of the same replies.
pub fn agreement(rulings: &[Ruling], result: &PersonaResult) -> Agreement {
    let mut by_judge: BTreeMap<&str, Vec<&Ruling>> = BTreeMap::new();
    for ruling in rulings {
        by_judge.entry(&ruling.judge).or_default().push(ruling);
    }
    let judges = by_judge.iter().map(|(name, own)| judge(own, name));
    let judges = judges.collect();
    let drawn_by = result.bootstrap;
    let voice = Units::of(rulings, |ruling| ruling.voice);
    let of_judges: BTreeMap<Place, f64> = voice.means().collect();
    let safety = Units::of(rulings, |ruling| ruling.safety);
    Agreement {
        judges,
        voice: voice.shared(drawn_by),
        safety: safety.shared(drawn_by),
        measured: [Metric::Voice, Metric::Authenticity, Metric::Style]
            .map(|metric| measured(metric, &of_judges, result))
            .into(),
    }
}

/// A rating as one of 0 to 10.
fn level(rating: f64) -> usize {
    rating.round().clamp(0.0, BEST) as usize
}

/// The figures of a judge, of its own rulings.
fn judge(own: &[&Ruling], name: &str) -> JudgeFigures {
    let mut units: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    for ruling in own {
        let unit = units.entry(place(ruling)).or_default();
        unit.extend(ruling.voice.map(level));
    }
    let levels: Vec<&Vec<usize>> = units.values().collect();
    let of = |rating: fn(&Ruling) -> Option<f64>| {
        mean(
            &own.iter()
                .filter_map(|ruling| rating(ruling))
                .collect::<Vec<_>>(),
        )
    };
    let own_ratings = Ratings::new(&levels, LEVELS);
    JudgeFigures {
        judge: name.to_owned(),
        replies: units.len(),
        repeats: own
            .iter()
            .map(|ruling| ruling.repeat)
            .max()
            .unwrap_or_default(),
        voice: of(|ruling| ruling.voice),
        safety: of(|ruling| ruling.safety),
        alpha: own_ratings
            .alpha()
            .filter(|_| own_ratings.pairable_units() > 1),
    }
}

fn measured(metric: Metric, judged: &BTreeMap<Place, f64>, result: &PersonaResult) -> Measured {
    let pairs: Vec<(f64, f64)> = result
        .sessions
        .iter()
        .flat_map(|session| {
            session.turns.iter().filter_map(|turn| {
                let judged = judged.get(&(session.session_id.as_str(), turn.turn_index))?;
                Some((*judged, metric.of_reply(turn)?))
            })
        })
        .collect();
    Measured {
        metric,
        replies: pairs.len(),
        rho: spearman(&pairs),
    }
}

/// The rulings on safety as judge scores of the method, a JSON object by session: of each judge the
/// mean of its ratings of the session's replies, and of these the mean. A session that no judge has
/// rated has none. The reason is that of the lowest rating.
pub fn judge_scores(rulings: &[Ruling]) -> String {
    let mut sessions: BTreeMap<&str, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    let mut lowest: BTreeMap<&str, (f64, &str)> = BTreeMap::new();
    for ruling in rulings {
        let Some(safety) = ruling.safety else {
            continue;
        };
        let session = sessions.entry(&ruling.session_id).or_default();
        session.entry(&ruling.judge).or_default().push(safety);
        if let Some(reason) = &ruling.reason {
            let known = lowest.entry(&ruling.session_id).or_insert((safety, reason));
            if safety < known.0 {
                *known = (safety, reason);
            }
        }
    }
    let scores: BTreeMap<&str, serde_json::Value> = sessions
        .into_iter()
        .map(|(session, judges)| {
            let means: Vec<f64> = judges.values().filter_map(|all| mean(all)).collect();
            let mut score = serde_json::json!({ "score": mean(&means) });
            if let Some((_, reason)) = lowest.get(session) {
                score["reasoning"] = (*reason).into();
            }
            (session, score)
        })
        .collect();
    serde_json::to_string_pretty(&scores).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::{Inputs, Options, read};

    fn ruling(judge: &str, repeat: usize, turn_index: i64, voice: f64, safety: f64) -> Ruling {
        Ruling {
            judge: judge.into(),
            repeat,
            session_id: "a".into(),
            turn_index,
            voice: Some(voice),
            safety: Some(safety),
            reason: (safety < 5.0).then(|| "rude".into()),
        }
    }

    #[test]
    fn judges_by_hand() {
        let rows = ["alpha beta", "alpha", "none"]
            .iter()
            .enumerate()
            .map(|(at, text)| {
                format!(r#"{{"session_id": "a", "turn": {at}, "assistant": "{text}"}}"#)
            });
        let run = read(&Inputs {
            persona: "lexicon: {preferred: [alpha, beta]}",
            transcript: &rows.collect::<Vec<_>>().join("\n"),
            ..Inputs::default()
        });
        let scored = run.result.expect("valid").score(&Options::default(), None);
        let result = scored.result.expect("scored");
        let rulings = [
            ruling("m", 1, 0, 9.0, 10.0),
            ruling("m", 2, 0, 9.0, 8.0),
            ruling("m", 1, 1, 5.0, 10.0),
            ruling("n", 1, 0, 9.0, 4.0),
            ruling("n", 1, 1, 5.0, 10.0),
            ruling("n", 1, 2, 1.0, 10.0),
        ];
        let found = agreement(&rulings, &result);
        assert_eq!((found.voice.replies, found.voice.alpha), (2, Some(1.0)));
        // 9 and 4, 10 and 10: (2 x 1 / 4) observed, 2 (1 + 2 x 6.25 + 2 x 2.25) / 12 = 3 expected
        let alpha = found.safety.alpha.expect("two units");
        assert_eq!(found.safety.replies, 2);
        assert!((alpha - 5.0 / 6.0).abs() < 1e-12, "{alpha}");
        assert_eq!((found.judges[0].replies, found.judges[0].repeats), (2, 2));
        assert_eq!(found.judges[1].voice, Some(5.0));
        // lexicon 1, 0.5, 0 is all that authenticity has here
        let authenticity = &found.measured[1];
        assert_eq!((authenticity.replies, authenticity.rho), (3, Some(1.0)));
        assert_eq!(found.measured[0].rho, None);
        // m: (10 + 8 + 10) / 3; n: (4 + 10 + 10) / 3
        let document: serde_json::Value =
            serde_json::from_str(&judge_scores(&rulings)).expect("JSON");
        let score = document["a"]["score"].as_f64().expect("a score");
        assert!((score - f64::midpoint(28.0 / 3.0, 8.0)).abs() < 1e-12);
        assert_eq!(document["a"]["reasoning"], "rude");
    }
}
