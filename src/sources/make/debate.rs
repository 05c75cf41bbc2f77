//! Debates, of ballots: scores, ranks, passes and votes become support, evidence and risk by
//! thresholds, and the majority of each pair becomes wins (SCORING.md, "Ballots").

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::super::ballots::{Ballot, Ballots, Mark, Vote};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::source::{Source, Written, json};

#[derive(Debug, Serialize)]
struct Debate<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Written<'a>>,
    candidates: Vec<Candidate<'a>>,
    pairwise: Vec<Pair<'a>>,
}

#[derive(Debug, Serialize)]
struct Candidate<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    reviews: Vec<Review>,
}

#[derive(Debug, Serialize)]
struct Review {
    debater: String,
    support: u8,
    evidence: u8,
    major_risks: u8,
    critical_fail: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<String>,
}

#[derive(Debug, Serialize)]
struct Pair<'a> {
    winner: &'a str,
    loser: &'a str,
}

/// The document: a debate, or a debate in a line.
pub(super) fn text(
    all: &[Ballots],
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> String {
    let rules = Rules::ask(all, mapping);
    let mut debates: Vec<_> = all
        .iter()
        .map(|ballots| debate(ballots, &rules, notes))
        .collect();
    for (at, (debate, ballots)) in debates.iter_mut().zip(all).enumerate() {
        let written = match at {
            0 => source.written(mapping, notes),
            _ => Written::default(),
        };
        debate.source = Some(written.of(&ballots.id));
    }
    if let [debate] = &debates[..] {
        // plain data with text keys can always be written
        return serde_json::to_string_pretty(debate).unwrap_or_default() + "\n";
    }
    let lines: Vec<_> = debates.iter().map(json).collect();
    lines.join("\n") + "\n"
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

/// Words in the names of criteria that tell what they are about.
const TELLING: [(Part, &[&str]); 3] = [
    (
        Part::Risk,
        &[
            "harm",
            "violation",
            "error",
            "risk",
            "toxic",
            "unsafe",
            "hallucinat",
            "bias",
        ],
    ),
    (
        Part::Evidence,
        &[
            "correct", "factual", "complete", "accura", "evidence", "faithful", "ground", "truth",
            "citation",
        ],
    ),
    (
        Part::Support,
        &[
            "help", "quality", "style", "overall", "support", "clarity", "relevan", "tone",
            "concis", "creativ",
        ],
    ),
];

fn telling(criterion: &str) -> &'static str {
    let name = criterion.to_lowercase();
    let told = TELLING
        .iter()
        .find(|(_, words)| words.iter().any(|word| name.contains(word)));
    let part = told.map_or(Part::Both, |(part, _)| *part);
    PARTS
        .iter()
        .find(|(_, known)| *known == part)
        .map_or("both", |(word, _)| word)
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

/// The smallest usual scale that has room for values.
fn usual(values: &[f64]) -> &'static str {
    let fits = |(_, low, high): &&(&str, f64, f64)| {
        values.iter().all(|value| (low..=high).contains(&value))
    };
    SCALES
        .iter()
        .find(fits)
        .map_or("0 to 100", |(name, ..)| name)
}

/// The choices of the mapping.
struct Rules {
    /// Shares of a scale: at most the first is 0, at least the second is 2.
    low: f64,
    high: f64,
    parts: HashMap<String, Part>,
    /// Of criteria whose scale the source does not say.
    scales: HashMap<String, (f64, f64)>,
}

impl Rules {
    fn ask(all: &[Ballots], mapping: &mut Mapping) -> Self {
        let mut criteria = BTreeMap::<&str, Vec<f64>>::new();
        let marks = all
            .iter()
            .flat_map(|ballots| &ballots.ballots)
            .flat_map(|ballot| &ballot.marks);
        let (mut is_graded, mut parts, mut scales) = (false, HashMap::new(), HashMap::new());
        for mark in marks {
            match mark {
                Mark::Score {
                    criterion,
                    value,
                    scale,
                } => {
                    is_graded = true;
                    let values = criteria.entry(criterion).or_default();
                    if scale.is_none() {
                        values.push(*value);
                    }
                }
                Mark::Passed { criterion, .. } => {
                    criteria.entry(criterion).or_default();
                }
                Mark::Rank { .. } => is_graded = true,
                Mark::Violations(_) | Mark::Critical => {}
            }
        }
        let is_graded = is_graded || all.iter().any(|ballots| ballots.is_league);
        let mut share = |key: &str, label: &str, third: f64| match is_graded {
            true => mapping.number(key, label, third).clamp(0.0, 1.0),
            false => third,
        };
        let low = share(
            "low",
            "Share of the scale up to which a score is 0",
            1.0 / 3.0,
        );
        let high = share(
            "high",
            "Share of the scale from which a score is 2",
            2.0 / 3.0,
        );
        for (criterion, values) in criteria {
            let options = PARTS.map(|(word, _)| word);
            let part = match criterion {
                "" => Part::Both,
                name => {
                    let key = format!("criterion.{name}");
                    let label = format!("{name} counts as");
                    let word = mapping.one_of(&key, &label, &options, telling(name));
                    PARTS
                        .iter()
                        .find(|(known, _)| *known == word)
                        .map_or(Part::Both, |(_, part)| *part)
                }
            };
            parts.insert(criterion.to_owned(), part);
            if !values.is_empty() {
                let (key, label) = match criterion {
                    "" => ("scale".to_owned(), "Scale of the scores".to_owned()),
                    name => (format!("scale.{name}"), format!("Scale of {name}")),
                };
                let options = SCALES.map(|(name, ..)| name);
                let word = mapping.one_of(&key, &label, &options, usual(&values));
                let scale = SCALES.iter().find(|(name, ..)| *name == word);
                scales.insert(
                    criterion.to_owned(),
                    scale.map_or((0.0, 1.0), |(_, low, high)| (*low, *high)),
                );
            }
        }
        Self {
            low,
            high,
            parts,
            scales,
        }
    }

    /// A share of a scale as 0, 1 or 2. A share on a threshold belongs to the outer side.
    fn step(&self, share: f64) -> u8 {
        const SLACK: f64 = 1e-9;
        if share >= self.high - SLACK {
            2
        } else if share <= self.low + SLACK {
            0
        } else {
            1
        }
    }

    /// The ratings that a judge's marks come to; none where nothing of them can be used.
    fn review(&self, ballot: &Ballot) -> Option<Review> {
        let (mut support, mut evidence, mut risk) =
            (Mean::default(), Mean::default(), Mean::default());
        let (mut violations, mut critical_fail, mut is_said) = (0, 0, false);
        for mark in &ballot.marks {
            let (criterion, share) = match mark {
                Mark::Violations(number) => {
                    violations += *number;
                    is_said = true;
                    continue;
                }
                Mark::Critical => {
                    critical_fail = 1;
                    is_said = true;
                    continue;
                }
                Mark::Rank { place, of } => ("", place_share(*place, *of)),
                Mark::Passed { criterion, passed } => {
                    (criterion.as_str(), f64::from(u8::from(*passed)))
                }
                Mark::Score {
                    criterion,
                    value,
                    scale,
                } => {
                    let (low, high) = scale
                        .or_else(|| self.scales.get(criterion).copied())
                        .unwrap_or((0.0, 1.0));
                    if !value.is_finite() || high <= low {
                        continue;
                    }
                    (
                        criterion.as_str(),
                        ((value - low) / (high - low)).clamp(0.0, 1.0),
                    )
                }
            };
            match self.parts.get(criterion).copied().unwrap_or(Part::Both) {
                Part::Support => support.add(share),
                Part::Evidence => evidence.add(share),
                Part::Both => {
                    support.add(share);
                    evidence.add(share);
                }
                Part::Risk => risk.add(share),
                Part::Nothing => {}
            }
        }
        let either = support.get().or(evidence.get());
        if either.is_none() && !is_said && risk.get().is_none() {
            return None;
        }
        let step = |share: Option<f64>| share.map_or(1, |share| self.step(share));
        let risks = risk.get().map_or(0, |share| self.step(share));
        Some(Review {
            debater: ballot.judge.clone(),
            support: step(either),
            evidence: step(evidence.get().or(either)),
            major_risks: risks.max(violations.min(2) as u8),
            critical_fail,
            justification: ballot.reason.clone(),
        })
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

/// A place from 1 as a share: the first is 1, the last 0.
fn place_share(place: usize, of: usize) -> f64 {
    match of {
        0 | 1 => 1.0,
        _ => 1.0 - (place.clamp(1, of) - 1) as f64 / (of - 1) as f64,
    }
}

fn debate<'a>(ballots: &'a Ballots, rules: &Rules, notes: &mut Notes) -> Debate<'a> {
    let mut reviews: Vec<Vec<Review>> = ballots.candidates.iter().map(|_| Vec::new()).collect();
    for ballot in &ballots.ballots {
        let Some(own) = reviews.get_mut(ballot.candidate) else {
            continue;
        };
        match rules.review(ballot) {
            Some(review) => own.push(review),
            None => notes.drop("verdicts without anything usable", 0),
        }
        let candidate = &ballots.candidates[ballot.candidate];
        if ballot.judge == candidate.id || Some(&ballot.judge) == candidate.model.as_ref() {
            let words = format!("{} judges an answer of its own: it is kept", ballot.judge);
            notes.warn(1, "candidates", words);
        }
    }
    let votes = votes(ballots);
    if ballots.ballots.is_empty() {
        if ballots.is_league {
            of_league(ballots, &votes, rules, &mut reviews);
        } else {
            of_votes(&votes, &mut reviews);
        }
    }
    disagreements(ballots, &votes, notes);
    let candidates = ballots.candidates.iter().zip(reviews);
    Debate {
        question: ballots.question.as_deref(),
        source: None,
        candidates: candidates
            .map(|(candidate, reviews)| Candidate {
                id: &candidate.id,
                model: candidate.model.as_deref(),
                reviews,
            })
            .collect(),
        pairwise: majorities(ballots, &votes),
    }
}

/// All votes: those of the source, and every pair on a ballot that ranks.
fn votes(ballots: &Ballots) -> Vec<Vote> {
    let mut votes = ballots.votes.clone();
    let mut places = BTreeMap::<&str, Vec<(usize, usize)>>::new();
    for ballot in &ballots.ballots {
        for mark in &ballot.marks {
            if let Mark::Rank { place, .. } = mark {
                places
                    .entry(&ballot.judge)
                    .or_default()
                    .push((ballot.candidate, *place));
            }
        }
    }
    for (judge, places) in places {
        for (at, (one, first)) in places.iter().enumerate() {
            for (other, second) in &places[at + 1..] {
                let winner = match first.cmp(second) {
                    std::cmp::Ordering::Less => Some(0),
                    std::cmp::Ordering::Greater => Some(1),
                    std::cmp::Ordering::Equal => None,
                };
                votes.push(Vote {
                    judge: judge.to_owned(),
                    pair: [*one, *other],
                    winner,
                    times: 1,
                    ..Vote::default()
                });
            }
        }
    }
    votes
}

/// Where there are only votes, each is a review of the two: the better one has 2, the other 0.
fn of_votes(votes: &[Vote], reviews: &mut [Vec<Review>]) {
    for vote in votes {
        for (seat, candidate) in vote.pair.into_iter().enumerate() {
            let rating = match vote.winner {
                None => 1,
                Some(winner) if winner == seat => 2,
                Some(_) => 0,
            };
            let Some(own) = reviews.get_mut(candidate) else {
                continue;
            };
            own.push(Review {
                debater: vote.judge.clone(),
                support: rating,
                evidence: rating,
                major_risks: 0,
                critical_fail: 0,
                justification: vote.reason.clone(),
            });
        }
    }
}

/// In a league each opponent is a debater: the share of battles won against it is the score.
fn of_league(ballots: &Ballots, votes: &[Vote], rules: &Rules, reviews: &mut [Vec<Review>]) {
    let mut against = BTreeMap::<(usize, usize), (f64, f64)>::new();
    for vote in votes {
        let times = f64::from(vote.times.max(1));
        for seat in [0, 1] {
            let (own, other) = (vote.pair[seat], vote.pair[1 - seat]);
            let (won, all) = against.entry((own, other)).or_default();
            *all += times;
            *won += match vote.winner {
                None => times / 2.0,
                Some(winner) if winner == seat => times,
                Some(_) => 0.0,
            };
        }
    }
    for ((own, other), (won, all)) in against {
        let (Some(reviews), Some(opponent)) = (reviews.get_mut(own), ballots.candidates.get(other))
        else {
            continue;
        };
        let rating = rules.step(won / all);
        reviews.push(Review {
            debater: format!("against {}", opponent.id),
            support: rating,
            evidence: rating,
            major_risks: 0,
            critical_fail: 0,
            justification: Some(format!("{won} of {all} battles won, a tie being half")),
        });
    }
}

/// For and against, of a pair whose first is the smaller place.
fn tallies(votes: &[Vote]) -> BTreeMap<(usize, usize), [u64; 2]> {
    let mut tallies = BTreeMap::<(usize, usize), [u64; 2]>::new();
    for vote in votes {
        let [one, other] = vote.pair;
        if one == other {
            continue;
        }
        let tally = tallies.entry((one.min(other), one.max(other))).or_default();
        if let Some(winner) = vote.winner {
            let is_first = vote.pair[winner.min(1)] == one.min(other);
            tally[usize::from(!is_first)] += u64::from(vote.times.max(1));
        }
    }
    tallies
}

/// Who has the majority of each pair; a tie is a win for neither.
fn majorities<'a>(ballots: &'a Ballots, votes: &[Vote]) -> Vec<Pair<'a>> {
    let name = |at: usize| {
        ballots
            .candidates
            .get(at)
            .map(|candidate| candidate.id.as_str())
    };
    let pairs = tallies(votes)
        .into_iter()
        .filter_map(|((one, other), [first, second])| {
            let (winner, loser) = match first.cmp(&second) {
                std::cmp::Ordering::Greater => (one, other),
                std::cmp::Ordering::Less => (other, one),
                std::cmp::Ordering::Equal => return None,
            };
            Some(Pair {
                winner: name(winner)?,
                loser: name(loser)?,
            })
        });
    pairs.collect()
}

/// Judges who say otherwise when the seats are swapped.
fn disagreements(ballots: &Ballots, votes: &[Vote], notes: &mut Notes) {
    let mut seen = HashMap::<(&str, usize, usize), (bool, Option<usize>)>::new();
    let mut differ = 0;
    for vote in votes {
        let [one, other] = vote.pair;
        let key = (vote.judge.as_str(), one.min(other), one.max(other));
        let winner = vote.winner.map(|winner| vote.pair[winner.min(1)]);
        match seen.get(&key) {
            Some((swapped, before)) if *swapped != vote.is_swapped && *before != winner => {
                differ += 1
            }
            Some(_) => {}
            None => {
                seen.insert(key, (vote.is_swapped, winner));
            }
        }
    }
    if differ > 0 && !ballots.is_league {
        let pairs = if differ == 1 {
            "one pair"
        } else {
            "some pairs"
        };
        let words = format!(
            "judges say otherwise of {pairs} when the seats are swapped ({differ}): both votes count"
        );
        notes.warn(1, "pairwise", words);
    }
}
