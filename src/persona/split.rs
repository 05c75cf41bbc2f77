//! What of the difference between two runs comes from the persona, from the transcript and from
//! the weights (SCORING.md section 0, "Comparing two runs").

use std::collections::HashMap;

use serde::Serialize;

use super::config::Config;
use super::metric::Metric;
use super::options::Options;
use super::overall::score_by;
use super::result::PersonaResult;
use super::run::Run;
use super::style::Similarities;
use super::voice;
use crate::analysis::shapley::shares;
use crate::steps::{Pause, Progress, THROUGH, at_once, step};

/// The sets of parts that are as in the later run: 2 to the power of three.
const SETS: usize = 8;
/// What has no weight in the formula has no place here.
const METRICS: [Metric; 4] = [
    Metric::Overall,
    Metric::Authenticity,
    Metric::Safety,
    Metric::Stability,
];

/// A figure of two runs, and what of its difference each part adds: averaged over every order in
/// which the three can change (Shapley), they add up to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SplitFigure {
    /// The metric, or the id of the session whose overall it is.
    pub name: String,
    /// As it was, with the earlier persona and weights.
    pub before: f64,
    /// As it is.
    pub after: f64,
    /// After less before, in [-1, 1].
    pub difference: f64,
    /// The share of the persona, its words, tone and exemplars.
    pub persona: f64,
    /// The share of the replies.
    pub transcript: f64,
    /// The share of the weights and the other numbers of the config.
    pub weights: f64,
}

/// A difference taken apart.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Split {
    /// Overall and what it is made of, where all of it was measured.
    pub metrics: Vec<SplitFigure>,
    /// The overall of each session that both transcripts have.
    pub sessions: Vec<SplitFigure>,
}

/// A run with its vectors' similarities.
pub type Side<'a> = (&'a Run, &'a Similarities);

impl Run {
    /// The config with the options on top; none where an option is refused.
    pub fn configured(&self, options: &Options) -> Option<Config> {
        self.with_config(options).result
    }
}

/// Takes the difference of two runs apart. The sides are, in this order, the earlier persona on the
/// earlier transcript, the later persona on the earlier transcript, the earlier persona on the later
/// transcript, the later on the later. The configs are the earlier and the later one.
///
/// # Errors
///
/// Where the voice stands in the place of style: it is learned anew with each persona.
pub fn split(sides: [Side; 4], configs: [&Config; 2]) -> Result<Split, String> {
    at_once(split_in_steps(sides, configs, THROUGH))
}

/// The same in steps: a score of a run.
///
/// # Errors
///
/// As [`split`].
pub async fn split_in_steps(
    sides: [Side<'_>; 4],
    configs: [&Config; 2],
    pause: Pause<'_>,
) -> Result<Split, String> {
    if configs.iter().any(|config| config.voice_as_style) {
        return Err(format!(
            "the difference is not taken apart where {} stands in the place of style: it is learned anew with each persona",
            voice::FORMULA
        ));
    }
    let mut results = Vec::new();
    // bit 0: the persona is the later one; bit 1: the transcript; bit 2: the weights
    for set in 0..SETS {
        let (run, similarities) = sides[set % 4];
        let config = Config {
            // no interval is asked for
            samples: 0,
            ..configs[set / 4].clone()
        };
        results.push(score_by(run, &config, similarities));
        step(pause, Progress::new(set + 1, SETS, "runs scored")).await;
    }
    let metrics = METRICS.iter().filter_map(|metric| {
        let worths = results.iter().map(|result| metric.of(result));
        figure(metric.name(), worths)
    });
    Ok(Split {
        metrics: metrics.collect(),
        sessions: sessions(&results),
    })
}

/// The overall of each session that all have, in the order of the last.
fn sessions(results: &[PersonaResult]) -> Vec<SplitFigure> {
    let overalls: Vec<HashMap<&str, Option<f64>>> = results
        .iter()
        .map(|result| {
            let sessions = result.sessions.iter();
            let overall = sessions.map(|session| (session.session_id.as_str(), session.overall));
            overall.collect()
        })
        .collect();
    let last = results.last().into_iter();
    last.flat_map(|result| &result.sessions)
        .filter_map(|session| {
            let id = session.session_id.as_str();
            let worths = overalls.iter();
            figure(id, worths.map(|overall| overall.get(id).copied().flatten()))
        })
        .collect()
}

/// A figure by its worths of all sets of parts; none where one was not measured.
fn figure(name: &str, worths: impl Iterator<Item = Option<f64>>) -> Option<SplitFigure> {
    let worths: Vec<f64> = worths.collect::<Option<_>>()?;
    let [persona, transcript, weights] = shares::<3>(&worths)?;
    let (before, after) = (*worths.first()?, *worths.last()?);
    Some(SplitFigure {
        name: name.to_owned(),
        before,
        after,
        difference: after - before,
        persona,
        transcript,
        weights,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Inputs, read};
    use super::*;

    fn run(persona: &str, reply: &str, config: &str) -> Run {
        let transcript = format!(r#"{{"session_id": "s", "turn": 1, "assistant": "{reply}"}}"#);
        let read = read(&Inputs {
            persona,
            transcript: &transcript,
            config: Some(config),
            ..Inputs::default()
        });
        read.result.expect("valid")
    }

    const ONE: &str = "lexicon: {preferred: [ride, oil, bike, tyre]}";
    const TWO: &str = "lexicon: {preferred: [ride, oil]}";
    const EVEN: &str =
        "scoring: {authenticity_weight: 0.5, safety_weight: 0.5, stability_weight: 0}";
    const MANNER: &str = "scoring: {authenticity_weight: 1, safety_weight: 0, stability_weight: 0}";

    fn found(configs: [&str; 2]) -> Split {
        let personas = [ONE, TWO];
        let replies = ["ride", "ride and oil"];
        let none = Similarities::default();
        let runs: Vec<Run> = (0..4)
            .map(|set: usize| run(personas[set % 2], replies[set / 2], configs[0]))
            .collect();
        let sides = [0, 1, 2, 3].map(|set: usize| (&runs[set], &none));
        let [earlier, later] = configs.map(|config| run(ONE, "x", config).given().clone());
        split(sides, [&earlier, &later]).expect("no voice")
    }

    #[test]
    fn shares_by_hand() {
        // lexicon, safety is 1: one of four, one of two, two of four, two of two
        let found = found([EVEN, MANNER]);
        let overall = &found.metrics[0];
        assert_eq!(overall.name, "overall");
        // (0.25 + 1) / 2, and 1
        assert!((overall.before - 0.625).abs() < 1e-12 && (overall.after - 1.0).abs() < 1e-12);
        // worths: 0.625 0.75 0.75 1 under even weights, 0.25 0.5 0.5 1 under the others
        // persona: (2*0.125 + 0.25 + 0.25 + 2*0.5) / 6; transcript the same; weights the rest
        let expected = [1.75 / 6.0, 1.75 / 6.0, 0.375 - 3.5 / 6.0];
        for (found, expected) in [overall.persona, overall.transcript, overall.weights]
            .into_iter()
            .zip(expected)
        {
            assert!((found - expected).abs() < 1e-12, "{overall:?}");
        }
        assert_eq!(found.sessions.len(), 1);
        assert_eq!(found.sessions[0].name, "s");
        // stability of one reply is not measured
        let names: Vec<&str> = found.metrics.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["overall", "authenticity", "safety"]);
    }

    #[test]
    fn a_part_that_is_the_same_has_no_share() {
        let same = found([EVEN, EVEN]);
        assert_eq!(same.metrics[0].weights, 0.0);
        // the weights of authenticity, safety and stability are not in authenticity
        let manner = &found([EVEN, MANNER]).metrics[1];
        assert_eq!(
            (manner.name.as_str(), manner.weights),
            ("authenticity", 0.0)
        );
    }

    #[test]
    fn the_voice_in_styles_place_is_refused() {
        let one = run(ONE, "ride", EVEN);
        let none = Similarities::default();
        let by_voice = Config {
            voice_as_style: true,
            ..one.given().clone()
        };
        let refused = split([(&one, &none); 4], [one.given(), &by_voice]);
        assert!(refused.is_err_and(|reason| reason.contains("voice/1")));
    }
}
