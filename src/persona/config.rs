//! The scoring config (YAML, `scoring.*`), the options on top of it, and the weights that come of both.

use serde::{Deserialize, Serialize};

use crate::analysis::bootstrap::{DEFAULT_SAMPLES, DEFAULT_SEED};
use crate::document::{
    Code, Place, Problem, Problems, Reader, Severity, Value, normalise, parse_yaml,
};

use super::metric::Metric;
use super::options::Options;
use super::result::{FORMULA, Weights};
use super::voice;
use crate::text::Shown;

/// Names of the three weights of the overall score, in order.
pub const OUTER: [&str; 3] = names(Metric::OUTER);
/// Names of the three weights of authenticity, in order.
pub const INNER: [&str; 3] = names(Metric::INNER);
/// Their defaults.
const DEFAULT_OUTER: [f64; 3] = [0.5, 0.3, 0.2];
const DEFAULT_INNER: [f64; 3] = [0.6, 0.25, 0.15];
/// The standard deviation of distances at which stability is 0, by default.
pub const DEFAULT_MAX_EXPECTED_VARIANCE: f64 = 0.25;
/// Which formula fills the place of style.
const STYLE_BY: &str = "style_by";
/// The most resamples a config may ask for.
const MOST_SAMPLES: usize = 100_000;
/// The most sessions that are drawn in all of them; it takes a tenth of a second.
const MOST_DRAWS: usize = 20_000_000;

/// The most resamples for so many sessions: the default is never too many.
pub(super) fn most_samples(sessions: usize) -> usize {
    (MOST_DRAWS / sessions.max(1)).clamp(DEFAULT_SAMPLES, MOST_SAMPLES)
}

const fn names([first, second, third]: [Metric; 3]) -> [&'static str; 3] {
    [first.weight(), second.weight(), third.weight()]
}

/// What a config sets; weights as given, not yet scaled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// Authenticity, safety, stability.
    pub outer: [f64; 3],
    /// Style, traits, lexicon.
    pub inner: [f64; 3],
    /// Greater than 0.
    pub max_expected_variance: f64,
    /// Resamples, 1 to 100,000.
    pub samples: usize,
    /// Seed of the bootstrap.
    pub seed: u64,
    /// Whether the voice stands in the place of style.
    pub voice_as_style: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            outer: DEFAULT_OUTER,
            inner: DEFAULT_INNER,
            max_expected_variance: DEFAULT_MAX_EXPECTED_VARIANCE,
            samples: DEFAULT_SAMPLES,
            seed: DEFAULT_SEED,
            voice_as_style: false,
        }
    }
}

impl Config {
    /// Sets a weight by its name; false if there is none of that name.
    fn set_weight(&mut self, name: &str, value: f64) -> bool {
        let outer = OUTER.iter().position(|known| *known == name);
        let inner = INNER.iter().position(|known| *known == name);
        match (outer, inner) {
            (Some(index), _) => self.outer[index] = value,
            (_, Some(index)) => self.inner[index] = value,
            _ => return false,
        }
        true
    }

    /// The weights, each three scaled to sum to 1, and a sentence for each three that had to be.
    pub fn weights(&self) -> (Weights, Vec<String>) {
        let mut notes = Vec::new();
        for (names, values) in [(OUTER, self.outer), (INNER, self.inner)] {
            if !sum_to_one(values) {
                let sum: f64 = values.iter().sum();
                notes.push(format!(
                    "{}, {} and {} sum to {sum} and were scaled to sum to 1",
                    names[0], names[1], names[2]
                ));
            }
        }
        (scaled(self.outer, self.inner), notes)
    }
}

impl Config {
    /// What it says, as a config.
    pub fn written(&self) -> String {
        let weights = OUTER.into_iter().chain(INNER);
        let values = [self.outer, self.inner];
        let weights = weights.zip(values.as_flattened());
        let mut lines: Vec<String> = weights
            .map(|(name, value)| format!("  {name}: {value}\n"))
            .collect();
        lines.push(format!(
            "  max_expected_variance: {}\n",
            self.max_expected_variance
        ));
        let default = Self::default();
        if self.samples != default.samples {
            lines.push(format!("  bootstrap_samples: {}\n", self.samples));
        }
        if self.seed != default.seed {
            lines.push(format!("  seed: {}\n", self.seed));
        }
        if self.voice_as_style {
            lines.push(format!("  {STYLE_BY}: {}\n", voice::FORMULA));
        }
        format!("scoring:\n{}", lines.concat())
    }
}

fn sum_to_one(values: [f64; 3]) -> bool {
    (values.iter().sum::<f64>() - 1.0).abs() < 1e-12
}

/// Weights as given, each three scaled to sum to 1. One of each must be above 0.
pub fn scaled(outer: [f64; 3], inner: [f64; 3]) -> Weights {
    let [authenticity, safety, stability] = shares(outer);
    let [style, traits, lexicon] = shares(inner);
    Weights {
        authenticity,
        safety,
        stability,
        style,
        traits,
        lexicon,
    }
}

/// Divided by the largest first, so that no sum overflows.
fn shares(values: [f64; 3]) -> [f64; 3] {
    if sum_to_one(values) {
        return values;
    }
    let largest = values.iter().copied().fold(0.0, f64::max);
    let shares = values.map(|value| value / largest);
    let total: f64 = shares.iter().sum();
    shares.map(|share| share / total)
}

/// Reads a config over the defaults, for a run of so many sessions.
pub fn read_config(text: &str, sessions: usize, problems: &mut Problems) -> Config {
    let mut config = Config::default();
    let node = match parse_yaml(&normalise(text)) {
        Ok(node) => node,
        Err(problem) => {
            problems.push(problem);
            return config;
        }
    };
    let root = Reader::new(&node);
    if root.is_null() {
        return config;
    }
    if !matches!(root.value(), Value::Map(_)) {
        root.expected("an object with `scoring`", problems);
        return config;
    }
    root.check_keys(&["scoring"], problems);
    let Some(scoring) = root.get_some("scoring") else {
        let message = "there is no `scoring` in this config: the defaults are used";
        problems.warning(&root, message).code = Code::Missing;
        return config;
    };
    if !matches!(scoring.value(), Value::Map(_)) {
        scoring.expected("an object", problems);
        return config;
    }
    read_scoring(&scoring, most_samples(sessions), &mut config, problems);
    config
}

fn read_scoring(scoring: &Reader, most: usize, config: &mut Config, problems: &mut Problems) {
    let mut known = vec![
        "max_expected_variance",
        "bootstrap_samples",
        "seed",
        STYLE_BY,
    ];
    known.extend(OUTER);
    known.extend(INNER);
    scoring.check_keys(&known, problems);
    for name in OUTER.into_iter().chain(INNER) {
        let Some(reader) = scoring.get_some(name) else {
            continue;
        };
        match reader.as_f64() {
            Some(value) if is_weight(value) => {
                config.set_weight(name, value);
            }
            _ => reader.expected("a finite number >= 0", problems),
        }
    }
    for (names, values) in [(OUTER, config.outer), (INNER, config.inner)] {
        if let Some(message) = all_zero(&names, &values) {
            problems.error(scoring, message);
        }
    }
    if let Some(reader) = scoring.get_some(STYLE_BY) {
        match reader.as_str() {
            Some(name) if name == voice::FORMULA => config.voice_as_style = true,
            Some(name) if name == FORMULA => config.voice_as_style = false,
            _ => reader.expected(&format!("`{FORMULA}` or `{}`", voice::FORMULA), problems),
        }
    }
    if let Some(reader) = scoring.get_some("max_expected_variance") {
        match reader.as_f64() {
            Some(value) if is_scale(value) => config.max_expected_variance = value,
            _ => reader.expected("a finite number > 0", problems),
        }
    }
    if let Some(reader) = scoring.get_some("bootstrap_samples") {
        match reader.as_integer() {
            Some(value) if (1..=most as i64).contains(&value) => config.samples = value as usize,
            _ => {
                let sessions = if most < MOST_SAMPLES {
                    " with so many sessions"
                } else {
                    ""
                };
                reader.expected(&format!("an integer from 1 to {most}{sessions}"), problems);
            }
        }
    }
    if let Some(reader) = scoring.get_some("seed") {
        match reader.as_integer().map(u64::try_from) {
            Some(Ok(value)) => config.seed = value,
            _ => reader.expected("an integer >= 0", problems),
        }
    }
}

fn is_weight(value: f64) -> bool {
    value.is_finite() && value >= 0.0
}

fn is_scale(value: f64) -> bool {
    value.is_finite() && value > 0.0
}

fn all_zero(names: &[&str; 3], values: &[f64; 3]) -> Option<String> {
    values.iter().all(|value| *value == 0.0).then(|| {
        format!(
            "{}, {} and {} are all 0: at least one must be > 0",
            names[0], names[1], names[2]
        )
    })
}

/// The config with the options on top; what is wrong with an option is an error.
pub fn with_options(config: &Config, options: &Options, problems: &mut Problems) -> Config {
    let mut config = config.clone();
    let mut error = |path: &str, message: String| {
        let mut problem =
            Problem::new(Severity::Error, Place { line: 1, column: 1 }, path, message);
        problem.input = Some("options".into());
        problems.push(problem);
    };
    for (name, value) in &options.weights {
        if !is_weight(*value) {
            error(name, format!("expected a finite number >= 0, got {value}"));
        } else if !config.set_weight(name, *value) {
            error(name, format!("there is no weight {:?}", Shown(name)));
        }
    }
    for (names, values) in [(OUTER, config.outer), (INNER, config.inner)] {
        if let Some(message) = all_zero(&names, &values) {
            error(names[0], message);
        }
    }
    match options.max_expected_variance {
        Some(value) if is_scale(value) => config.max_expected_variance = value,
        Some(value) => error(
            "max_expected_variance",
            format!("expected a finite number > 0, got {value}"),
        ),
        None => {}
    }
    config.seed = options.seed.unwrap_or(config.seed);
    config.voice_as_style = options.voice_as_style.unwrap_or(config.voice_as_style);
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Config, Vec<Problem>) {
        let mut problems = Problems::new();
        let config = read_config(text, 1, &mut problems);
        (config, problems.into_sorted())
    }

    #[test]
    fn the_defaults_need_no_scaling() {
        let (weights, notes) = Config::default().weights();
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(
            [weights.authenticity, weights.safety, weights.stability],
            [0.5, 0.3, 0.2]
        );
        assert_eq!(
            [weights.style, weights.traits, weights.lexicon],
            [0.6, 0.25, 0.15]
        );
    }

    #[test]
    fn what_is_written_is_read_as_it_was() {
        let config = Config {
            outer: [2.0, 0.1, 1e-7],
            inner: [1.0 / 3.0, 0.0, 0.5],
            max_expected_variance: 0.04,
            voice_as_style: true,
            samples: 200,
            seed: 7,
        };
        assert_eq!(read(&config.written()), (config, vec![]));
        let default = Config::default();
        assert_eq!(read(&default.written()), (default, vec![]));
    }

    #[test]
    fn weights_are_scaled_and_said_to_be() {
        let (config, problems) =
            read("scoring:\n  authenticity_weight: 2\n  safety_weight: 1\n  stability_weight: 1\n");
        assert_eq!(problems, vec![]);
        let (weights, notes) = config.weights();
        assert_eq!(
            [weights.authenticity, weights.safety, weights.stability],
            [0.5, 0.25, 0.25]
        );
        assert!(
            notes.len() == 1 && notes[0].contains("sum to 4"),
            "{notes:?}"
        );
    }

    #[test]
    fn extreme_weights_stay_finite() {
        for value in [1e308, 5e-324] {
            let config = Config {
                outer: [value; 3],
                ..Config::default()
            };
            let (weights, _) = config.weights();
            assert!((weights.safety - 1.0 / 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn bad_values_are_named() {
        let (_, problems) = read(
            "scoring:\n  authenticity_weight: -1\n  style_weight: x\n  max_expected_variance: 0\n  \
             bootstrap_samples: 0\n  seed: -3\n  colour: 1\n",
        );
        let lines: Vec<u32> = problems.iter().map(|p| p.line).collect();
        assert_eq!(lines, [2, 3, 4, 5, 6, 7]);
        let (_, problems) = read("scoring: {style_weight: 0, traits_weight: 0, lexicon_weight: 0}");
        assert!(problems[0].message.contains("style_weight"));
    }

    #[test]
    fn options_are_checked_too() {
        let options = Options {
            voice_as_style: None,
            weights_by_labels: false,
            weights: vec![
                ("style_weight".into(), f64::NAN),
                ("charm_weight".into(), 1.0),
                ("safety_weight".into(), 0.9),
            ],
            seed: Some(3),
            max_expected_variance: Some(f64::INFINITY),
        };
        let mut problems = Problems::new();
        let config = with_options(&Config::default(), &options, &mut problems);
        assert_eq!(problems.into_sorted().len(), 3);
        assert_eq!((config.outer[1], config.seed), (0.9, 3));
    }
}
