//! What the ratings of a debate are made of, as its source keeps it: the shares of scales before
//! the thresholds (SCORING.md, "Readings").

use std::collections::BTreeMap;

use serde::Serialize;

use super::ratings::{Review, Rules, Share, Told};
use crate::analysis::round4;

/// The most marks that a debate keeps.
const MOST_MARKS: usize = 20_000;

/// Shares by criterion, of each candidate's reviews in their order.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Marks {
    low: f64,
    high: f64,
    /// The one scale of all scores, where they have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<(f64, f64)>,
    criteria: Vec<Criterion>,
    /// Of each candidate a row for each review: what it says of each criterion, then how many
    /// rules it says are broken, where there are some.
    shares: BTreeMap<String, Vec<Vec<Said>>>,
}

/// A criterion, and what it counts as.
#[derive(Clone, Debug, Serialize)]
struct Criterion {
    /// Empty where it is of the whole.
    name: String,
    counts_as: String,
    by_name: &'static str,
    /// Whether nothing else is to be tried.
    is_set: bool,
}

/// What a review says of a criterion.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Said {
    Nothing,
    Passed(bool),
    Share(f64),
    Several(Vec<Said>),
    Violations(u32),
}

impl Marks {
    /// Of a debate's candidates; none where nothing is on a scale, or where it is too much.
    pub(super) fn of<'a>(
        candidates: impl Iterator<Item = (&'a str, &'a [Review])> + Clone,
        rules: &Rules,
    ) -> Option<Self> {
        let reviews = candidates.clone().flat_map(|(_, reviews)| reviews);
        let told: Vec<&Told> = reviews.flat_map(|review| &review.told).collect();
        let is_graded = |told: &&Told| matches!(told.share, Share::Of(_));
        if told.len() > MOST_MARKS || !told.iter().any(is_graded) {
            return None;
        }
        // only the criteria that this debate has
        let mut places: BTreeMap<Option<usize>, usize> =
            told.iter().map(|told| (told.criterion, 0)).collect();
        let mut criteria = Vec::new();
        for (criterion, place) in &mut places {
            *place = criteria.len();
            let known = criterion.and_then(|at| rules.criteria.get(at));
            criteria.push(known.map_or_else(Criterion::whole, Criterion::of));
        }
        let rows = candidates.map(|(id, reviews)| {
            let rows = reviews.iter().map(|review| row(review, &places));
            (id.to_owned(), rows.collect())
        });
        Some(Self {
            low: rules.low,
            high: rules.high,
            scale: scale(&told),
            criteria,
            shares: rows.collect(),
        })
    }
}

impl Criterion {
    fn whole() -> Self {
        Self {
            name: String::new(),
            counts_as: "both".to_owned(),
            by_name: "both",
            is_set: true,
        }
    }

    fn of(known: &super::ratings::Criterion) -> Self {
        Self {
            name: known.name.clone(),
            counts_as: known.counts_as.clone(),
            by_name: known.by_name,
            is_set: known.is_set,
        }
    }
}

/// The scale of all marks, where it is one.
fn scale(told: &[&Told]) -> Option<(f64, f64)> {
    let (first, rest) = told.split_first()?;
    let is_same = rest.iter().all(|told| told.scale == first.scale);
    first.scale.filter(|_| is_same)
}

fn row(review: &Review, places: &BTreeMap<Option<usize>, usize>) -> Vec<Said> {
    let mut row = vec![Said::Nothing; places.len()];
    for told in &review.told {
        let said = match told.share {
            Share::Of(share) => Said::Share(round4(share)),
            Share::Passed(passed) => Said::Passed(passed),
        };
        let place = places.get(&told.criterion);
        if let Some(at) = place.and_then(|place| row.get_mut(*place)) {
            match at {
                Said::Nothing => *at = said,
                Said::Several(several) => several.push(said),
                one => *one = Said::Several(vec![one.clone(), said]),
            }
        }
    }
    if review.violations > 0 {
        row.push(Said::Violations(review.violations));
    }
    row
}
