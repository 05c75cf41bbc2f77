//! The families of features, and how a text becomes a row of each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ngrams::{BUCKETS, Grams};
use super::surface::{SIGNALS, measure};
use crate::persona::lexicon::LexiconMatcher;
use crate::persona::stability::dot;
use crate::steps::{Pause, Progress, step};

/// Name and version of the formula.
pub const FORMULA: &str = "voice/1";

/// A standardised signal is cut at so many standard deviations: one odd number decides nothing.
const FARTHEST: f64 = 4.0;
/// The least standard deviation of a signal, in the middle one of all signals: what the control
/// never does (drawn out letters) would weigh beyond all measure.
const LEAST_DEVIATION: f64 = 0.25;

/// A family of features, each a linear model of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// What the text looks like.
    Surface,
    /// Its letters.
    Ngrams,
    /// What it is about: its vector.
    Vectors,
    /// The largest cosine to one of ours.
    Nearest,
}

impl Family {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Surface, Self::Ngrams, Self::Vectors, Self::Nearest];

    /// What it is called where it is shown.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Surface => "Manner",
            Self::Ngrams => "Letters and words",
            Self::Vectors => "Matter",
            Self::Nearest => "Nearest exemplar",
        }
    }

    /// What a coefficient costs; chosen on the development personas (SCORING.md section 3, "Voice").
    pub(super) const fn strength(self) -> f64 {
        match self {
            Self::Surface => 0.005,
            Self::Ngrams | Self::Nearest => 0.000_25,
            Self::Vectors => 0.0025,
        }
    }

    /// What a standard deviation of the control counts for: manner, letters and matter alike, and
    /// the matter half by its direction and half by the nearest.
    pub(super) const fn weight(self) -> f64 {
        match self {
            Self::Surface | Self::Ngrams => 1.0,
            Self::Vectors | Self::Nearest => 0.5,
        }
    }
}

/// A text taken apart once for all fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    surface: Vec<f64>,
    grams: BTreeMap<u32, u32>,
    /// Of unit length.
    pub(super) vector: Vec<f64>,
}

impl Text {
    /// Takes a text apart; its vector has unit length.
    pub(in crate::persona) fn new(text: &str, vector: Vec<f64>, lexicon: &LexiconMatcher) -> Self {
        Self {
            surface: measure(text, lexicon)
                .iter()
                .map(|signal| signal.value)
                .collect(),
            grams: Grams::new(text).counts(),
            vector,
        }
    }
}

/// What rows are made with: what is usual in the texts of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    means: Vec<f64>,
    deviations: Vec<f64>,
    /// How rare each bucket is; 0 where at most one text has it.
    rarity: Vec<f64>,
    centre: Vec<f64>,
}

impl Space {
    /// Signals are standardised and vectors centred on the control; rarity is counted in all texts.
    /// A text is a step.
    pub async fn new<'a>(
        control: &[&Text],
        all: impl Iterator<Item = &'a Text>,
        pause: Pause<'_>,
    ) -> Self {
        let number = control.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Text) -> f64| {
            control.iter().map(|text| value(text)).sum::<f64>() / number
        };
        let means: Vec<f64> = (0..SIGNALS)
            .map(|at| mean(&|text| text.surface[at]))
            .collect();
        let deviation = |at: usize| mean(&|text| (text.surface[at] - means[at]).powi(2)).sqrt();
        let deviations: Vec<f64> = (0..SIGNALS).map(deviation).collect();
        let mut sorted: Vec<f64> = deviations
            .iter()
            .copied()
            .filter(|one| *one > 0.0)
            .collect();
        sorted.sort_by(f64::total_cmp);
        let least = sorted
            .get(sorted.len() / 2)
            .map_or(1.0, |middle| LEAST_DEVIATION * middle);
        let width = control.first().map_or(0, |text| text.vector.len());
        let centre = (0..width).map(|at| mean(&|text| text.vector[at])).collect();
        Self {
            deviations: deviations.into_iter().map(|one| one.max(least)).collect(),
            rarity: rarity(all, pause).await,
            means,
            centre,
        }
    }

    /// How many columns a family has.
    pub fn width(&self, family: Family) -> usize {
        match family {
            Family::Surface => SIGNALS,
            Family::Ngrams => BUCKETS,
            Family::Vectors => self.centre.len(),
            Family::Nearest => 1,
        }
    }

    /// The row of a text in a family; the nearest of ours is told apart ([`nearest`]).
    pub fn row(&self, family: Family, text: &Text) -> Vec<(u32, f64)> {
        match family {
            Family::Surface => {
                let standard =
                    |at: usize| (text.surface[at] - self.means[at]) / self.deviations[at];
                let cut = |at| standard(at).clamp(-FARTHEST, FARTHEST);
                (0..SIGNALS).map(|at| (at as u32, cut(at))).collect()
            }
            Family::Ngrams => self.weighed(&text.grams),
            Family::Vectors => {
                let centred = text.vector.iter().zip(&self.centre).map(|(a, b)| a - b);
                (0..).zip(centred).collect()
            }
            Family::Nearest => Vec::new(),
        }
    }

    /// Buckets by how often and how rare they are, to unit length.
    fn weighed(&self, grams: &BTreeMap<u32, u32>) -> Vec<(u32, f64)> {
        let weigh = |(bucket, count): (&u32, &u32)| {
            let rarity = self
                .rarity
                .get(*bucket as usize)
                .filter(|rarity| **rarity > 0.0)?;
            Some((*bucket, (1.0 + libm::log(f64::from(*count))) * rarity))
        };
        let mut row: Vec<(u32, f64)> = grams.iter().filter_map(weigh).collect();
        let length = row
            .iter()
            .map(|(_, value)| value * value)
            .sum::<f64>()
            .sqrt();
        if length > 0.0 {
            for (_, value) in &mut row {
                *value /= length;
            }
        }
        row
    }
}

/// How rare each bucket is, 0 for one that at most one text has.
async fn rarity<'a>(texts: impl Iterator<Item = &'a Text>, pause: Pause<'_>) -> Vec<f64> {
    let (mut having, mut number) = (vec![0_u32; BUCKETS], 0_u32);
    for text in texts {
        number += 1;
        for bucket in text.grams.keys() {
            having[*bucket as usize] += 1;
        }
        step(
            pause,
            Progress::new(number as usize, number as usize, "texts counted"),
        )
        .await;
    }
    let rare = |texts: u32| match texts {
        0 | 1 => 0.0,
        _ => 1.0 + libm::log(f64::from(1 + number) / f64::from(1 + texts)),
    };
    having.into_iter().map(rare).collect()
}

/// The largest cosine of a vector to one of ours, and which it is; none without any.
pub fn nearest<'a>(
    vector: &[f64],
    ours: impl Iterator<Item = (usize, &'a [f64])>,
) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for (number, one) in ours {
        let cosine = dot(vector, one);
        if best.is_none_or(|(highest, _)| cosine > highest) {
            best = Some((cosine, number));
        }
    }
    best
}
