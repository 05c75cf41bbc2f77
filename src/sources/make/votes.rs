//! What votes on pairs come to: who has the majority of each pair, and reviews where there are
//! only votes (SCORING.md, "Ballots").

use std::collections::{BTreeMap, HashMap};

use super::super::ballots::{Ballots, Mark, Vote};
use super::super::notes::Notes;
use super::ratings::{Review, Rules, Share, Told};

/// The most that one vote counts.
const MOST_TIMES: u32 = 9;

fn times(vote: &Vote) -> u32 {
    vote.times.clamp(1, MOST_TIMES)
}

/// The two of a vote, where they are two candidates.
fn seats(vote: &Vote, candidates: usize) -> Option<[usize; 2]> {
    let [one, other] = vote.pair;
    (one != other && one < candidates && other < candidates).then_some(vote.pair)
}

/// The battles that were counted, between two candidates that there are.
fn battles(ballots: &Ballots) -> impl Iterator<Item = ([usize; 2], [u64; 3])> + '_ {
    let number = ballots.candidates.len();
    let is_there = move |[one, other]: [usize; 2]| one != other && one < number && other < number;
    let counted = ballots.battles.iter().copied();
    counted.filter(move |(pair, _)| is_there(*pair))
}

/// For each pair, who has the majority: the winner and the loser. A tie is a win for neither.
/// Votes are those of the source, and every pair on a ballot that ranks.
pub(super) fn majorities(ballots: &Ballots) -> Vec<(usize, usize)> {
    let number = ballots.candidates.len();
    let mut tally = Tally::new(number);
    for vote in &ballots.votes {
        let (Some(pair), Some(winner)) = (seats(vote, number), vote.winner) else {
            continue;
        };
        let winner = winner.min(1);
        tally.add(pair[winner], pair[1 - winner], u64::from(times(vote)));
    }
    for (pair, [won, lost, _]) in battles(ballots) {
        tally.add(pair[0], pair[1], won);
        tally.add(pair[1], pair[0], lost);
    }
    for ranking in rankings(ballots).values() {
        for (at, (one, first)) in ranking.iter().enumerate() {
            for (other, second) in &ranking[at + 1..] {
                match first.cmp(second) {
                    std::cmp::Ordering::Less => tally.add(*one, *other, 1),
                    std::cmp::Ordering::Greater => tally.add(*other, *one, 1),
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
    }
    tally.majorities()
}

/// The candidates and places on each judge's ballot.
fn rankings(ballots: &Ballots) -> BTreeMap<&str, Vec<(usize, usize)>> {
    let mut rankings = BTreeMap::<&str, BTreeMap<usize, usize>>::new();
    for ballot in &ballots.ballots {
        for mark in &ballot.marks {
            if let Mark::Rank { place, of: 2.. } = mark
                && ballot.candidate < ballots.candidates.len()
            {
                let own = rankings.entry(&ballot.judge).or_default();
                own.entry(ballot.candidate).or_insert(*place);
            }
        }
    }
    let lists = rankings.into_iter();
    lists
        .map(|(judge, places)| (judge, places.into_iter().collect()))
        .collect()
}

/// How often each candidate was put before each other.
struct Tally {
    number: usize,
    over: Vec<u64>,
}

impl Tally {
    fn new(number: usize) -> Self {
        Self {
            number,
            over: vec![0; number * number],
        }
    }

    fn add(&mut self, winner: usize, loser: usize, times: u64) {
        if let Some(over) = self.over.get_mut(winner * self.number + loser) {
            *over += times;
        }
    }

    fn majorities(&self) -> Vec<(usize, usize)> {
        let over = |one: usize, other: usize| self.over.get(one * self.number + other);
        let mut found = Vec::new();
        for one in 0..self.number {
            for other in one + 1..self.number {
                match over(one, other).cmp(&over(other, one)) {
                    std::cmp::Ordering::Greater => found.push((one, other)),
                    std::cmp::Ordering::Less => found.push((other, one)),
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
        found
    }
}

/// Where there are only votes, each is a review of the two: the better one has 2, the other 0.
pub(super) fn of_votes(ballots: &Ballots, reviews: &mut [Vec<Review>]) {
    for vote in &ballots.votes {
        let Some(pair) = seats(vote, reviews.len()) else {
            continue;
        };
        for (seat, candidate) in pair.into_iter().enumerate() {
            let rating = match vote.winner {
                None => 1,
                Some(winner) => 2 * u8::from(winner == seat),
            };
            let review = Review {
                debater: vote.judge.clone(),
                support: rating,
                evidence: rating,
                major_risks: 0,
                critical_fail: 0,
                justification: vote.reason.clone(),
                told: Vec::new(),
                violations: 0,
            };
            for _ in 0..times(vote) {
                reviews[candidate].push(review.clone());
            }
        }
    }
}

/// In a league each opponent is a debater: the share of battles won against it is the score.
pub(super) fn of_league(ballots: &Ballots, rules: &Rules, reviews: &mut [Vec<Review>]) {
    let mut against = BTreeMap::<(usize, usize), (f64, f64)>::new();
    for vote in &ballots.votes {
        let Some(pair) = seats(vote, reviews.len()) else {
            continue;
        };
        let times = f64::from(times(vote));
        for seat in [0, 1] {
            let (won, all) = against.entry((pair[seat], pair[1 - seat])).or_default();
            *all += times;
            *won += match vote.winner {
                None => times / 2.0,
                Some(winner) if winner == seat => times,
                Some(_) => 0.0,
            };
        }
    }
    for (pair, [won, lost, tied]) in battles(ballots) {
        let (all, half) = ((won + lost + tied) as f64, tied as f64 / 2.0);
        for (seat, won) in [(0, won), (1, lost)] {
            let own = against.entry((pair[seat], pair[1 - seat])).or_default();
            own.0 += won as f64 + half;
            own.1 += all;
        }
    }
    for ((own, other), (won, all)) in against {
        let rating = rules.step(won / all);
        reviews[own].push(Review {
            debater: format!("against {}", ballots.candidates[other].id),
            support: rating,
            evidence: rating,
            major_risks: 0,
            critical_fail: 0,
            justification: Some(format!("{won} of {all} votes won, a tie being half")),
            told: vec![Told {
                criterion: None,
                share: Share::Of(won / all),
                scale: None,
            }],
            violations: 0,
        });
    }
}

/// Scores that differ by less are equal: sums of the same shares in another order.
const EQUAL: f64 = 1e-9;

/// Of each pair how often the first won, lost and tied: by the votes of a league, and in the tests
/// of a whole evaluation by the higher score.
pub(super) fn counts(ballots: &Ballots, rules: &Rules) -> BTreeMap<(usize, usize), [u64; 3]> {
    let mut counts = BTreeMap::<_, [u64; 3]>::new();
    for scores in scores(ballots, rules).values() {
        let scores: Vec<_> = scores.iter().collect();
        for (at, (one, (sum, number))) in scores.iter().enumerate() {
            for (other, (others, times)) in &scores[at + 1..] {
                let ahead = sum / number - others / times;
                let outcome = match ahead {
                    _ if ahead.abs() < EQUAL => 2,
                    _ if ahead > 0.0 => 0,
                    _ => 1,
                };
                counts.entry((**one, **other)).or_default()[outcome] += 1;
            }
        }
    }
    let votes = ballots.votes.iter().filter(|_| ballots.is_league);
    for vote in votes {
        let Some([one, other]) = seats(vote, ballots.candidates.len()) else {
            continue;
        };
        let first = one.min(other);
        let outcome = match vote.winner {
            None => 2,
            Some(winner) => usize::from(vote.pair[winner.min(1)] != first),
        };
        let counts = counts.entry((first, one.max(other))).or_default();
        counts[outcome] += u64::from(times(vote));
    }
    for ([one, other], [won, lost, tied]) in battles(ballots) {
        let own = counts.entry((one.min(other), one.max(other))).or_default();
        let given = if one < other {
            [won, lost, tied]
        } else {
            [lost, won, tied]
        };
        own.iter_mut()
            .zip(given)
            .for_each(|(own, given)| *own += given);
    }
    counts
}

/// Of each test, what the marks of each candidate sum up to, and how many there are.
fn scores<'a>(
    ballots: &'a Ballots,
    rules: &Rules,
) -> BTreeMap<&'a str, BTreeMap<usize, (f64, f64)>> {
    let mut scores = BTreeMap::<&str, BTreeMap<usize, (f64, f64)>>::new();
    let tests = ballots.tests.iter();
    for test in tests.filter(|test| test.candidate < ballots.candidates.len()) {
        for share in test.marks.iter().filter_map(|mark| rules.good(mark)) {
            let own = scores.entry(&test.judge).or_default();
            let (sum, number) = own.entry(test.candidate).or_default();
            *sum += share;
            *number += 1.0;
        }
    }
    scores
}

/// The most verdicts that are kept in words.
const MOST_KEPT: usize = 200;

/// The verdicts that are others when the seats are swapped, in words; how many there are is said.
/// In a league votes are on different answers, and nothing can be said.
pub(super) fn disagreements(ballots: &Ballots, ids: &[String], notes: &mut Notes) -> Vec<String> {
    let (mut kept, mut differ) = (Vec::new(), 0_usize);
    if ballots.is_league {
        return kept;
    }
    let mut seen = HashMap::<(&str, usize, usize), (bool, Option<usize>)>::new();
    for vote in &ballots.votes {
        let Some([one, other]) = seats(vote, ids.len()) else {
            continue;
        };
        let key = (vote.judge.as_str(), one.min(other), one.max(other));
        let winner = vote.winner.map(|winner| vote.pair[winner.min(1)]);
        let (swapped, before) = *seen.entry(key).or_insert((vote.is_swapped, winner));
        if swapped == vote.is_swapped || before == winner {
            continue;
        }
        differ += 1;
        if kept.len() < MOST_KEPT {
            let name = |winner: Option<usize>| winner.map_or("a tie", |at| ids[at].as_str());
            let (first, second) = if swapped {
                (winner, before)
            } else {
                (before, winner)
            };
            kept.push(format!(
                "{} on {} and {}: {}, swapped {}",
                vote.judge,
                ids[key.1],
                ids[key.2],
                name(first),
                name(second)
            ));
        }
    }
    if differ > 0 {
        let words = match differ {
            1 => "one verdict is another when the seats are swapped: both votes count".to_owned(),
            _ => {
                format!("{differ} verdicts are others when the seats are swapped: both votes count")
            }
        };
        notes.warn(1, "pairwise", words);
    }
    kept
}
