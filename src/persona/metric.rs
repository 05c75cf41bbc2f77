//! The overall score and its parts: everything that is made per metric is made from
//! [`Metric`], so that a metric has one name, one label and one place everywhere.

use super::result::{MetricSummary, PersonaResult, SessionResult, TurnResult, Weights};

/// A metric, in the order in which results show them; each is in [0, 1] (SCORING.md section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// The weighted mean of authenticity, safety and stability.
    Overall,
    /// The weighted mean of style, traits and lexicon.
    Authenticity,
    /// Likeness to the nearest exemplar.
    Style,
    /// Share of the declared traits shown.
    Traits,
    /// Preferred words used, avoided words not.
    Lexicon,
    /// The smallest of its [parts](super::SafetyPart).
    Safety,
    /// How alike the responses of a session are.
    Stability,
    /// Whether it sounds like the persona or like any assistant: `voice/1`, beside the others.
    Voice,
}

impl Metric {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Overall,
        Self::Authenticity,
        Self::Style,
        Self::Traits,
        Self::Lexicon,
        Self::Safety,
        Self::Stability,
        Self::Voice,
    ];

    /// What the overall score is made of, in the order of the formula.
    pub const OUTER: [Self; 3] = [Self::Authenticity, Self::Safety, Self::Stability];

    /// What authenticity is made of, in the order of the formula.
    pub const INNER: [Self; 3] = [Self::Style, Self::Traits, Self::Lexicon];

    /// What a single reply has.
    pub const OF_REPLIES: [Self; 5] = [
        Self::Authenticity,
        Self::Style,
        Self::Traits,
        Self::Lexicon,
        Self::Voice,
    ];

    /// The metric of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|metric| metric.name() == name)
    }

    /// Its name in results and sentences.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overall => "overall",
            Self::Authenticity => "authenticity",
            Self::Style => "style",
            Self::Traits => "traits",
            Self::Lexicon => "lexicon",
            Self::Safety => "safety",
            Self::Stability => "stability",
            Self::Voice => "voice",
        }
    }

    /// Its name at the head of a column or field.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Overall => "Overall",
            Self::Authenticity => "Authenticity",
            Self::Style => "Style",
            Self::Traits => "Traits",
            Self::Lexicon => "Lexicon",
            Self::Safety => "Safety",
            Self::Stability => "Stability",
            Self::Voice => "Voice",
        }
    }

    /// The name of its weight; empty for the overall score and the voice, which have none.
    pub const fn weight(self) -> &'static str {
        match self {
            Self::Overall | Self::Voice => "",
            Self::Authenticity => "authenticity_weight",
            Self::Style => "style_weight",
            Self::Traits => "traits_weight",
            Self::Lexicon => "lexicon_weight",
            Self::Safety => "safety_weight",
            Self::Stability => "stability_weight",
        }
    }

    /// Its weight among these; the overall score is the whole, 1, and the voice is no part of it.
    pub const fn weight_of(self, weights: &Weights) -> f64 {
        match self {
            Self::Overall => 1.0,
            Self::Authenticity => weights.authenticity,
            Self::Style => weights.style,
            Self::Traits => weights.traits,
            Self::Lexicon => weights.lexicon,
            Self::Safety => weights.safety,
            Self::Stability => weights.stability,
            Self::Voice => 0.0,
        }
    }

    /// Its mean over the sessions; none when it was not measured.
    pub fn of(self, result: &PersonaResult) -> Option<f64> {
        self.summary(result).mean
    }

    /// Its figures over the sessions: of [`Self::OUTER`] and the voice all of them, of the others
    /// the mean.
    pub fn summary(self, result: &PersonaResult) -> MetricSummary {
        let mean = match self {
            Self::Authenticity => return result.authenticity.metric,
            Self::Safety => return result.safety.metric,
            Self::Stability => return result.stability,
            Self::Voice => {
                return result
                    .voice
                    .as_ref()
                    .map(|voice| voice.metric)
                    .unwrap_or_default();
            }
            Self::Overall => result.overall,
            Self::Style => result.authenticity.style,
            Self::Traits => result.authenticity.traits,
            Self::Lexicon => result.authenticity.lexicon,
        };
        MetricSummary {
            mean,
            ..MetricSummary::default()
        }
    }

    /// Its value in a session; none when it was not measured.
    pub const fn of_session(self, session: &SessionResult) -> Option<f64> {
        match self {
            Self::Overall => session.overall,
            Self::Authenticity => session.authenticity,
            Self::Style => session.style,
            Self::Traits => session.traits,
            Self::Lexicon => session.lexicon,
            Self::Safety => session.safety,
            Self::Stability => session.stability,
            Self::Voice => session.voice,
        }
    }

    /// Its value in a reply; none when it was not measured, or is none of [`Self::OF_REPLIES`].
    pub fn of_reply(self, turn: &TurnResult) -> Option<f64> {
        match self {
            Self::Authenticity => turn.authenticity,
            Self::Style => turn.style,
            Self::Traits => {
                let matched = turn.traits.iter().filter(|found| found.matched).count();
                (!turn.traits.is_empty()).then(|| matched as f64 / turn.traits.len() as f64)
            }
            Self::Lexicon => turn.lexicon,
            Self::Voice => turn.voice,
            Self::Overall | Self::Safety | Self::Stability => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_one() {
        for metric in Metric::ALL {
            assert_eq!(metric.label().to_lowercase(), metric.name());
            assert_eq!(Metric::named(metric.name()), Some(metric));
        }
        for metric in [Metric::OUTER, Metric::INNER].as_flattened() {
            assert_eq!(metric.weight().strip_suffix("_weight"), Some(metric.name()));
        }
        assert_eq!(Metric::named("charm"), None);
    }
}
