//! What a judge's marks of a candidate come to: support, evidence and risk (SCORING.md, "Ballots").

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::super::ballots::{Ballot, Ballots, Mark};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::turns::has_word;

/// A review as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Review {
    pub(super) debater: String,
    pub(super) support: u8,
    pub(super) evidence: u8,
    pub(super) major_risks: u8,
    pub(super) critical_fail: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) justification: Option<String>,
    /// What its ratings are made of.
    #[serde(skip)]
    pub(super) told: Vec<Told>,
    /// How many rules are broken.
    #[serde(skip)]
    pub(super) violations: u32,
}

/// What one mark says before the thresholds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Told {
    /// Of which of the criteria; none where it is of the whole.
    pub(super) criterion: Option<usize>,
    pub(super) share: Share,
    /// The scale that a score is on.
    pub(super) scale: Option<(f64, f64)>,
}

/// A share of a scale, or passed or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Share {
    Of(f64),
    Passed(bool),
}

/// A criterion as it is assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Criterion {
    pub(super) name: String,
    /// What it counts as, and what it would count as by its name.
    pub(super) counts_as: String,
    pub(super) by_name: &'static str,
    /// Whether a person said so.
    pub(super) is_set: bool,
}

/// What a criterion says something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Support,
    Evidence,
    Both,
    Risk,
    Nothing,
}

const PARTS: [(&str, Part); 5] = [
    ("support", Part::Support),
    ("evidence", Part::Evidence),
    ("both", Part::Both),
    ("risk", Part::Risk),
    ("left out", Part::Nothing),
];

impl Part {
    fn named(word: &str) -> Self {
        let known = PARTS.iter().find(|(known, _)| *known == word);
        known.map_or(Self::Both, |(_, part)| *part)
    }
}

/// How the words in the names of criteria begin that tell what they are about. The first that is
/// found counts.
const TELLING: [(&str, &[&str]); 4] = [
    ("support", &["harmless"]),
    (
        "risk",
        &[
            "harm",
            "violation",
            "error",
            "risk",
            "toxic",
            "unsafe",
            "hallucinat",
            "bias",
            "incorrect",
        ],
    ),
    (
        "evidence",
        &[
            "correct", "factual", "complete", "accura", "evidence", "faithful", "ground", "truth",
            "citation",
        ],
    ),
    (
        "support",
        &[
            "help", "quality", "style", "overall", "support", "clarity", "relevan", "tone",
            "concis", "creativ",
        ],
    ),
];

/// The part that the name of a criterion tells; `both` where it tells none.
fn telling(criterion: &str) -> &'static str {
    let told = TELLING
        .iter()
        .find(|(_, words)| words.iter().any(|word| has_word(criterion, word)));
    told.map_or("both", |(part, _)| part)
}

/// Scales that scores are given on, as they are chosen.
const SCALES: [(&str, f64, f64); 6] = [
    ("0 to 1", 0.0, 1.0),
    ("1 to 5", 1.0, 5.0),
    ("0 to 5", 0.0, 5.0),
    ("1 to 10", 1.0, 10.0),
    ("0 to 10", 0.0, 10.0),
    ("0 to 100", 0.0, 100.0),
];

/// The first usual scale that has room for all values from `least` to `most`.
fn usual(least: f64, most: f64) -> &'static str {
    let fits = |(_, low, high): &&(&str, f64, f64)| *low <= least && most <= *high;
    let found = SCALES.iter().find(fits);
    found.map_or("0 to 100", |(name, ..)| name)
}

/// From where on a value is a good one: the middle of that scale. Where none has room, half of
/// the largest value: a thumb is -1 or 1, and 0 is neither.
pub(super) fn middle(least: f64, most: f64) -> f64 {
    let fits = |(_, low, high): &&(&str, f64, f64)| *low <= least && most <= *high;
    let known = SCALES.iter().find(fits);
    known.map_or(most / 2.0, |(_, low, high)| f64::midpoint(*low, *high))
}

/// The most criteria that can be assigned: a table of more is no choice.
const MOST_CRITERIA: usize = 200;

/// The choices of the mapping.
pub(super) struct Rules {
    /// Shares of a scale: at most the first is 0, at least the second is 2.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) criteria: Vec<Criterion>,
    /// By name, where a criterion stands among them and what it counts as.
    parts: HashMap<String, (usize, Part)>,
    /// Of criteria whose scale the source does not say.
    scales: HashMap<String, (f64, f64)>,
}

impl Rules {
    /// Asks the mapping for what these ballots need.
    pub(super) fn ask(all: &[Ballots], mapping: &mut Mapping, notes: &mut Notes) -> Self {
        let (is_graded, criteria) = criteria(all);
        let mut rules = Self::default();
        if is_graded {
            let (low, high) = (rules.low, rules.high);
            let words = "Share of the scale up to which a score is 0";
            rules.low = mapping.number("low", words, low).clamp(0.0, 1.0);
            let words = "Share of the scale from which a score is 2";
            rules.high = mapping.number("high", words, high).clamp(0.0, 1.0);
        }
        let number = criteria.len();
        if number > MOST_CRITERIA {
            let words = format!(
                "there are {number} criteria: {MOST_CRITERIA} of them can be assigned, the others count by their names"
            );
            notes.warn(1, "source.mapping", words);
        }
        for (at, (criterion, values)) in criteria.into_iter().enumerate() {
            // what cannot be set any more is as it would be proposed
            let mut proposed = Mapping::default();
            let mapping = if at < MOST_CRITERIA {
                &mut *mapping
            } else {
                &mut proposed
            };
            rules.ask_part(criterion, mapping);
            if let Some((least, most)) = values {
                rules.ask_scale(criterion, [least, most], mapping, notes);
            }
        }
        rules
    }

    fn ask_part(&mut self, criterion: &str, mapping: &mut Mapping) {
        if criterion.is_empty() {
            return;
        }
        let options = PARTS.map(|(word, _)| word);
        let key = format!("criterion.{criterion}");
        let label = format!("{criterion} counts as");
        let by_name = telling(criterion);
        let counts_as = mapping.one_of(&key, &label, &options, by_name);
        let part = (self.criteria.len(), Part::named(&counts_as));
        self.parts.insert(criterion.to_owned(), part);
        self.criteria.push(Criterion {
            name: criterion.to_owned(),
            counts_as,
            by_name,
            is_set: mapping.is_set(&key),
        });
    }

    fn ask_scale(
        &mut self,
        criterion: &str,
        [least, most]: [f64; 2],
        mapping: &mut Mapping,
        notes: &mut Notes,
    ) {
        let (key, label) = match criterion {
            "" => ("scale".to_owned(), "Scale of the scores".to_owned()),
            name => (format!("scale.{name}"), format!("Scale of {name}")),
        };
        let options = SCALES.map(|(name, ..)| name);
        let word = mapping.one_of(&key, &label, &options, usual(least, most));
        let known = SCALES.iter().find(|(name, ..)| *name == word);
        let (low, high) = known.map_or((0.0, 1.0), |(_, low, high)| (*low, *high));
        if least < low || most > high {
            let words = format!(
                "scores from {least} to {most} on a scale of {word}: its ends stand for what is beyond"
            );
            notes.warn(1, "candidates", words);
        }
        self.scales.insert(criterion.to_owned(), (low, high));
    }

    /// A share of a scale as 0, 1 or 2. A share on a threshold belongs to the outer side.
    pub(super) fn step(&self, share: f64) -> u8 {
        // a threshold that is no round number in binary is met all the same
        const SLACK: f64 = 1e-9;
        if share >= self.high - SLACK {
            2
        } else {
            u8::from(share > self.low + SLACK)
        }
    }

    /// What a judge's marks come to; none where nothing of them can be used.
    pub(super) fn review(&self, ballot: &Ballot) -> Option<Review> {
        let mut sums = Sums::default();
        for mark in &ballot.marks {
            self.add(mark, &mut sums);
        }
        let (support, evidence, risk) = (sums.support.get(), sums.evidence.get(), sums.risk.get());
        let either = support.or(evidence);
        if either.is_none() && risk.is_none() && !sums.is_said {
            return None;
        }
        let step = |share: Option<f64>| share.map_or(1, |share| self.step(share));
        let risks = risk.map_or(0, |share| self.step(share));
        Some(Review {
            debater: ballot.judge.clone(),
            support: step(either),
            evidence: step(evidence.or(either)),
            major_risks: risks.max(sums.violations.min(2) as u8),
            critical_fail: u8::from(sums.is_critical),
            justification: ballot.reason.clone(),
            told: sums.told,
            violations: sums.violations,
        })
    }

    fn add(&self, mark: &Mark, sums: &mut Sums) {
        match mark {
            Mark::Violations(number) => {
                sums.violations = sums.violations.saturating_add(*number);
                sums.is_said = true;
            }
            Mark::Critical => {
                sums.is_critical = true;
                sums.is_said = true;
            }
            Mark::Rank { place, of } => {
                if let Some(share) = place_share(*place, *of) {
                    sums.tell(None, Share::Of(share), None);
                    sums.add(Part::Both, share);
                }
            }
            Mark::Passed { criterion, passed } => {
                let part = self.part(criterion);
                // what passes a check of harm has none
                let is_one = *passed != (part == Part::Risk);
                sums.tell(self.place(criterion), Share::Passed(*passed), None);
                sums.add(part, f64::from(u8::from(is_one)));
            }
            Mark::Score {
                criterion,
                value,
                scale,
            } => {
                let known = || self.scales.get(criterion).copied();
                let (low, high) = scale.or_else(known).unwrap_or((0.0, 1.0));
                if value.is_finite() && low < high {
                    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
                    let place = self.place(criterion);
                    sums.tell(place, Share::Of(share), Some((low, high)));
                    sums.add(self.part(criterion), share);
                }
            }
        }
    }

    /// How good a mark says that something is, from 0 to 1; none where it counts as nothing.
    pub(super) fn good(&self, mark: &Mark) -> Option<f64> {
        let mut sums = Sums::default();
        self.add(mark, &mut sums);
        let risk = sums.risk.get().map(|share| 1.0 - share);
        sums.support.get().or(sums.evidence.get()).or(risk)
    }

    fn part(&self, criterion: &str) -> Part {
        let known = self.parts.get(criterion);
        known.map_or(Part::Both, |(_, part)| *part)
    }

    fn place(&self, criterion: &str) -> Option<usize> {
        self.parts.get(criterion).map(|(place, _)| *place)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            low: 1.0 / 3.0,
            high: 2.0 / 3.0,
            criteria: Vec::new(),
            parts: HashMap::new(),
            scales: HashMap::new(),
        }
    }
}

/// A criterion's least and largest value, of those whose scale the source does not say.
type Span = Option<(f64, f64)>;

/// Whether thresholds are needed, and the criteria.
fn criteria(all: &[Ballots]) -> (bool, BTreeMap<&str, Span>) {
    let mut is_graded = all.iter().any(|ballots| ballots.is_league);
    let mut criteria = BTreeMap::<&str, Span>::new();
    let ballots = all.iter().flat_map(|ballots| &ballots.ballots);
    for mark in ballots.flat_map(|ballot| &ballot.marks) {
        match mark {
            Mark::Score {
                criterion,
                value,
                scale,
            } => {
                is_graded = true;
                let span = criteria.entry(criterion).or_default();
                if scale.is_none() && value.is_finite() {
                    let (least, most) = span.unwrap_or((*value, *value));
                    *span = Some((least.min(*value), most.max(*value)));
                }
            }
            Mark::Passed { criterion, .. } => {
                criteria.entry(criterion).or_default();
            }
            Mark::Rank { .. } => is_graded = true,
            Mark::Violations(_) | Mark::Critical => {}
        }
    }
    (is_graded, criteria)
}

#[derive(Default)]
struct Sums {
    support: Mean,
    evidence: Mean,
    risk: Mean,
    violations: u32,
    told: Vec<Told>,
    is_critical: bool,
    /// Whether something is said beside shares of a scale.
    is_said: bool,
}

impl Sums {
    fn tell(&mut self, criterion: Option<usize>, share: Share, scale: Option<(f64, f64)>) {
        self.told.push(Told {
            criterion,
            share,
            scale,
        });
    }

    fn add(&mut self, part: Part, share: f64) {
        match part {
            Part::Support => self.support.add(share),
            Part::Evidence => self.evidence.add(share),
            Part::Both => {
                self.support.add(share);
                self.evidence.add(share);
            }
            Part::Risk => self.risk.add(share),
            Part::Nothing => {}
        }
    }
}

#[derive(Default)]
struct Mean {
    sum: f64,
    number: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.number += 1;
    }

    fn get(&self) -> Option<f64> {
        (self.number > 0).then(|| self.sum / f64::from(self.number))
    }
}

/// A place from 1 as a share: of places that divide a scale evenly from the top, the middle of its
/// own. A place among one says nothing.
fn place_share(place: usize, of: usize) -> Option<f64> {
    let middle = place.clamp(1, of.max(1)) as f64 - 0.5;
    (of > 1).then(|| 1.0 - middle / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::mapping::Value;

    fn ballot(marks: Vec<Mark>) -> Ballot {
        Ballot {
            judge: "J".into(),
            marks,
            ..Ballot::default()
        }
    }

    fn score(criterion: &str, value: f64, scale: Option<(f64, f64)>) -> Mark {
        Mark::Score {
            criterion: criterion.into(),
            value,
            scale,
        }
    }

    fn passed(criterion: &str, passed: bool) -> Mark {
        Mark::Passed {
            criterion: criterion.into(),
            passed,
        }
    }

    #[test]
    fn a_good_value_begins_in_the_middle_of_the_scale() {
        for (least, most, from) in [
            (0.0, 1.0, 0.5),
            (2.0, 4.0, 3.0),
            (-1.0, 1.0, 0.5),
            (-1.0, 0.0, 0.0),
            (3.0, 400.0, 200.0),
        ] {
            assert_eq!(middle(least, most), from, "{least} to {most}");
        }
    }

    /// Support, evidence, risk and critical fail of marks under a mapping.
    fn rated_by(marks: Vec<Mark>, set: &[(&str, &str)]) -> Option<[u8; 4]> {
        let set = set
            .iter()
            .map(|(key, word)| ((*key).to_owned(), Value::Text((*word).to_owned())));
        let mut mapping = Mapping::new(set.collect());
        let all = [Ballots {
            ballots: vec![ballot(marks)],
            ..Ballots::default()
        }];
        let rules = Rules::ask(&all, &mut mapping, &mut Notes::default());
        assert_eq!(mapping.refused(), Vec::<String>::new());
        let review = rules.review(&all[0].ballots[0])?;
        Some([
            review.support,
            review.evidence,
            review.major_risks,
            review.critical_fail,
        ])
    }

    fn rated(marks: Vec<Mark>) -> Option<[u8; 4]> {
        rated_by(marks, &[])
    }

    #[test]
    fn thresholds_are_met_at_their_edges() {
        // a third of the scale of 1 to 10 is at 4 and at 7
        for (value, rating) in [(1.0, 0), (4.0, 0), (4.1, 1), (6.9, 1), (7.0, 2), (10.0, 2)] {
            let found = rated(vec![score("", value, Some((1.0, 10.0)))]);
            assert_eq!(found, Some([rating, rating, 0, 0]), "{value}");
        }
        // beyond the scale is its end; what is no number, or on no scale, is no verdict
        assert_eq!(
            rated(vec![score("", 12.0, Some((1.0, 10.0)))]),
            Some([2, 2, 0, 0])
        );
        assert_eq!(rated(vec![score("", f64::NAN, Some((1.0, 10.0)))]), None);
        assert_eq!(rated(vec![score("", f64::INFINITY, None)]), None);
        assert_eq!(rated(vec![score("", 3.0, Some((3.0, 3.0)))]), None);
        let half = vec![score("", 5.5, Some((1.0, 10.0)))];
        assert_eq!(
            rated_by(half.clone(), &[("high", "0.5")]),
            Some([2, 2, 0, 0])
        );
        assert_eq!(rated_by(half, &[("low", "0.5")]), Some([0, 0, 0, 0]));
    }

    #[test]
    fn a_scale_that_is_not_said_is_the_first_with_room() {
        for (least, most, name) in [
            (0.0, 1.0, "0 to 1"),
            (1.0, 5.0, "1 to 5"),
            (0.0, 5.0, "0 to 5"),
            (1.0, 5.1, "1 to 10"),
            (0.0, 10.0, "0 to 10"),
            (0.0, 11.0, "0 to 100"),
            (-1.0, 1.0, "0 to 100"),
        ] {
            assert_eq!(usual(least, most), name, "{least} to {most}");
        }
        // 3 of 1 to 5 is the middle, of 0 to 100 it is low
        let three = vec![score("", 3.0, None)];
        assert_eq!(rated(three.clone()), Some([1, 1, 0, 0]));
        assert_eq!(
            rated_by(three, &[("scale", "0 to 100")]),
            Some([0, 0, 0, 0])
        );
    }

    #[test]
    fn places_are_thirds() {
        let ratings = |of: usize| {
            let places = 1..=of;
            let rated = places.map(|place| rated(vec![Mark::Rank { place, of }]));
            rated
                .map(|rated| rated.map_or(9, |[support, ..]| support))
                .collect::<Vec<_>>()
        };
        assert_eq!(ratings(1), [9]);
        assert_eq!(ratings(2), [2, 0]);
        assert_eq!(ratings(3), [2, 1, 0]);
        assert_eq!(ratings(4), [2, 1, 1, 0]);
        assert_eq!(ratings(5), [2, 2, 1, 0, 0]);
        assert_eq!(ratings(6), [2, 2, 1, 1, 0, 0]);
        // a place that cannot be is the nearest
        assert_eq!(place_share(0, 2), Some(0.75));
        assert_eq!(place_share(7, 2), Some(0.25));
    }

    #[test]
    fn criteria_are_assigned_by_name() {
        for (criterion, part) in [
            ("Correctness", "evidence"),
            ("factuality", "evidence"),
            ("completeness", "evidence"),
            ("helpfulness", "support"),
            ("overallQuality", "support"),
            ("writing style", "support"),
            ("harm", "risk"),
            ("rule_violations", "risk"),
            ("factual errors", "risk"),
            ("harmlessness", "support"),
            ("charm", "both"),
            ("asterisks", "both"),
            ("reasoning", "both"),
        ] {
            assert_eq!(telling(criterion), part, "{criterion}");
        }
    }

    #[test]
    fn criteria_are_averaged_before_the_thresholds() {
        let on = |criterion: &str, share: f64| score(criterion, share, Some((0.0, 1.0)));
        // evidence (1 + 0.5) / 2 = 0.75 is 2; support 0.5 is 1; risk 0.2 is 0
        let marks = vec![
            on("correctness", 1.0),
            on("completeness", 0.5),
            on("style", 0.5),
            on("harm", 0.2),
        ];
        assert_eq!(rated(marks.clone()), Some([1, 2, 0, 0]));
        // as support: (0.5 + 0.5) / 2 = 0.5; evidence 1; the harm left out
        let set = [
            ("criterion.completeness", "support"),
            ("criterion.harm", "left out"),
        ];
        assert_eq!(rated_by(marks, &set), Some([1, 2, 0, 0]));
        // what is of no criterion counts as both: evidence (0.4 + 1) / 2 = 0.7, support 0.4
        assert_eq!(
            rated(vec![on("", 0.4), on("accuracy", 1.0)]),
            Some([1, 2, 0, 0])
        );
        // a part that nothing is said of is the other one; with only a risk both are in the middle
        assert_eq!(rated(vec![on("accuracy", 1.0)]), Some([2, 2, 0, 0]));
        assert_eq!(rated(vec![on("style", 0.0)]), Some([0, 0, 0, 0]));
        assert_eq!(rated(vec![on("toxicity", 0.5)]), Some([1, 1, 1, 0]));
        assert_eq!(
            rated_by(vec![on("style", 1.0)], &[("criterion.style", "left out")]),
            None
        );
    }

    #[test]
    fn what_passes_is_two_and_what_is_broken_is_a_risk() {
        assert_eq!(rated(vec![passed("", true)]), Some([2, 2, 0, 0]));
        assert_eq!(rated(vec![passed("", false)]), Some([0, 0, 0, 0]));
        assert_eq!(rated(vec![passed("harm", true)]), Some([1, 1, 0, 0]));
        assert_eq!(rated(vec![passed("harm", false)]), Some([1, 1, 2, 0]));
        assert_eq!(rated(vec![Mark::Violations(0)]), Some([1, 1, 0, 0]));
        assert_eq!(rated(vec![Mark::Violations(1)]), Some([1, 1, 1, 0]));
        let many = vec![Mark::Violations(u32::MAX), Mark::Violations(3)];
        assert_eq!(rated(many), Some([1, 1, 2, 0]));
        assert_eq!(
            rated(vec![passed("", true), Mark::Critical]),
            Some([2, 2, 0, 1])
        );
        assert_eq!(rated(vec![]), None);
    }
}
