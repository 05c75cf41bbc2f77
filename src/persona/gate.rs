//! Bars that a run has to pass: how low a metric may be, and how far below a baseline.

use std::fmt;

use super::compare::{Comparison, MetricComparison, Shift};
use super::metric::Metric;

/// A bar. Written as on the command line: `fail-under overall=0.8`, `fail-worse voice=0.02`,
/// `fail-worse voice`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// The metric is at least so much, in [0, 1].
    Least(Metric, f64),
    /// Its mean falls by no more than so much from the baseline, in [0, 1].
    Fall(Metric, f64),
    /// It does not fall in a way that the data shows: its interval is not all below 0.
    NoFall(Metric),
}

impl Bar {
    /// `METRIC=VALUE`; or what was expected, in words.
    pub fn least(text: &str) -> Result<Self, String> {
        let read = text
            .split_once('=')
            .and_then(|(name, value)| Some(Self::Least(Metric::named(name)?, share(value)?)));
        read.ok_or_else(|| expected("--fail-under", "METRIC=VALUE", "value", text))
    }

    /// `METRIC` or `METRIC=DROP`; or what was expected, in words.
    pub fn worse(text: &str) -> Result<Self, String> {
        let read = match text.split_once('=') {
            None => Metric::named(text).map(Self::NoFall),
            Some((name, most)) => Metric::named(name)
                .zip(share(most))
                .map(|(metric, most)| Self::Fall(metric, most)),
        };
        read.ok_or_else(|| expected("--fail-worse", "METRIC or METRIC=DROP", "drop", text))
    }

    /// Whether it is about a baseline.
    pub const fn is_worse(self) -> bool {
        !matches!(self, Self::Least(..))
    }

    /// Why it is missed, in words; none where it is passed. What was not measured misses it.
    /// `of` is the run's metric, `comparison` what it changed from a baseline.
    pub fn missed(
        self,
        of: impl Fn(Metric) -> Option<f64>,
        comparison: Option<&Comparison>,
    ) -> Option<String> {
        let changed = |metric: Metric| {
            let all = comparison.map(|comparison| &comparison.metrics);
            let found = all.and_then(|all| all.iter().find(|one| one.metric == metric.name()));
            found.and_then(|found| Some((found, found.difference?)))
        };
        let unmeasured =
            |metric: Metric| format!("{} was not measured on both sides", metric.name());
        match self {
            Self::Least(metric, least) => match of(metric) {
                Some(value) if value >= least => None,
                Some(value) => Some(format!(
                    "{} is {value:.4}, the bar is {least}",
                    metric.name()
                )),
                None => Some(format!(
                    "{} was not measured, the bar is {least}",
                    metric.name()
                )),
            },
            Self::Fall(metric, most) => match changed(metric) {
                Some((_, by)) if by >= -most => None,
                Some((_, by)) => Some(format!(
                    "{} fell by {:.4}, it may fall by {most}",
                    metric.name(),
                    -by
                )),
                None => Some(unmeasured(metric)),
            },
            Self::NoFall(metric) => match changed(metric) {
                Some((found, by)) if MetricComparison::shift(found) == Shift::Worse => {
                    Some(format!(
                        "{} fell by {:.4}, more than chance explains",
                        metric.name(),
                        -by
                    ))
                }
                Some(_) => None,
                None => Some(unmeasured(metric)),
            },
        }
    }
}

fn share(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (0.0..=1.0).contains(&value).then_some(value)
}

fn expected(option: &str, shape: &str, what: &str, text: &str) -> String {
    format!(
        "{option} expects {shape} with a metric of {} and a {what} from 0 to 1, got {text:?}",
        Metric::ALL.map(Metric::name).join(", ")
    )
}

impl fmt::Display for Bar {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Least(metric, value) => write!(formatter, "fail-under {}={value}", metric.name()),
            Self::Fall(metric, most) => write!(formatter, "fail-worse {}={most}", metric.name()),
            Self::NoFall(metric) => write!(formatter, "fail-worse {}", metric.name()),
        }
    }
}

/// Bars as they are written, with commas between; what is none is left out.
pub fn bars(text: &str) -> Vec<Bar> {
    let read = |one: &str| match one.trim().split_once(' ')? {
        ("fail-under", rest) => Bar::least(rest).ok(),
        ("fail-worse", rest) => Bar::worse(rest).ok(),
        _ => None,
    };
    text.split(',').filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_read_as_they_are_written() {
        let all = [
            Bar::Least(Metric::Overall, 0.8),
            Bar::Fall(Metric::Voice, 0.02),
            Bar::NoFall(Metric::Safety),
        ];
        let text = all.map(|bar| bar.to_string()).join(",");
        assert_eq!(
            text,
            "fail-under overall=0.8,fail-worse voice=0.02,fail-worse safety"
        );
        assert_eq!(bars(&text), all);
        assert_eq!(bars("fail-under overall=2,fail-worse mood,x"), []);
        assert!(Bar::worse("overall=-1").is_err_and(|said| said.contains("--fail-worse expects")));
    }

    #[test]
    fn what_was_not_measured_misses() {
        for bar in [
            Bar::Least(Metric::Overall, 0.0),
            Bar::Fall(Metric::Overall, 1.0),
            Bar::NoFall(Metric::Overall),
        ] {
            let said = bar.missed(|_| None, None);
            assert!(
                said.is_some_and(|said| said.contains("was not measured")),
                "{bar}"
            );
        }
        let least = Bar::Least(Metric::Overall, 0.8);
        assert_eq!(least.missed(|_| Some(0.8), None), None);
        assert_eq!(
            least.missed(|_| Some(0.7), None).as_deref(),
            Some("overall is 0.7000, the bar is 0.8")
        );
    }
}
