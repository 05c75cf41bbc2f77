//! Strengths of players from who won against whom (SCORING.md section 2, "Leagues"): the model of
//! Bradley and Terry, fitted by the minorise-maximise algorithm of Hunter (2004).
//!
//! Every player has a strength s > 0, and the first of two wins with probability s / (s + t).
//! A round sets each strength to its wins divided by the sum over its opponents of
//! battles / (s + t), which never makes the battles less likely.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::bootstrap::{ENDS_95, percentile};
use crate::text::sort_by;

/// Name and version of the method.
pub const METHOD: &str = "bradley-terry/1";
/// The mean of all ratings.
pub const CENTRE: f64 = 1000.0;
/// Points per factor ten of strength, as in chess.
pub const POINTS: f64 = 400.0;
/// The resamples of a league whose pairs are few.
const MOST_RESAMPLES: usize = 1000;
/// The resamples of a league whose pairs are many.
const LEAST_RESAMPLES: usize = 100;
/// Resamples times pairs: beyond it there are fewer resamples.
const RESAMPLED_PAIRS: usize = 1_000_000;

/// The share by which no strength may still move when a fit ends.
const EXACT: f64 = 1e-11;
/// The same for a resample: far less than a point.
const NEAR: f64 = 1e-5;
/// A strength of one: that of the average player who is added where a fit needs it.
const AVERAGE: f64 = 1.0;

/// What two players did against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The two, by their places.
    pub players: [usize; 2],
    /// How often the first won.
    pub won: u64,
    /// How often the second won.
    pub lost: u64,
    /// How often neither did: half a win for each.
    pub tied: u64,
}

/// Ratings by player.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// 400 log10 of the strength; the mean of all is 1000.
    pub ratings: Vec<f64>,
    /// The 95 % interval of each.
    pub intervals: Vec<[f64; 2]>,
    /// How many rounds the fit took.
    pub rounds: usize,
    /// How many resamples there were.
    pub resamples: usize,
    /// Whether the battles alone have no best fit, so that every player has one tie more, against
    /// an average player.
    pub with_ties: bool,
}

/// Fits, and resamples for the intervals. Pairs of players that are not there are not counted.
pub fn ratings(players: usize, pairs: &[Pair], seed: u64) -> Ratings {
    let known = pairs.iter().copied().filter(|pair| {
        let [one, other] = pair.players;
        one != other && one < players && other < players
    });
    let pairs: Vec<Pair> = known.collect();
    let mut fit = Fit::new(players);
    let number = pairs.len().max(1);
    let (rounds, with_ties) = fit.run(&pairs, most_rounds(number), EXACT);
    let ratings = fit.ratings();
    let resamples = (RESAMPLED_PAIRS / number).clamp(LEAST_RESAMPLES, MOST_RESAMPLES);
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn: Vec<Vec<f64>> = vec![Vec::with_capacity(resamples); players];
    for _ in 0..resamples {
        let battles: Vec<Pair> = pairs
            .iter()
            .map(|pair| again(pair, &mut generator))
            .collect();
        let mut fit = fit.clone();
        fit.run(&battles, most_resample_rounds(number), NEAR);
        for (drawn, rating) in drawn.iter_mut().zip(fit.ratings()) {
            drawn.push(rating);
        }
    }
    let intervals = drawn.into_iter().map(|mut drawn| {
        sort_by(&mut drawn, f64::total_cmp);
        ENDS_95.map(|share| percentile(&drawn, share))
    });
    Ratings {
        ratings,
        intervals: intervals.collect(),
        rounds,
        resamples,
        with_ties,
    }
}

/// The most rounds of a fit: fewer where there are many pairs.
fn most_rounds(pairs: usize) -> usize {
    (50_000_000 / pairs).clamp(1000, 10_000)
}

/// The most rounds of a resample, which begins where the fit ended.
fn most_resample_rounds(pairs: usize) -> usize {
    (1_000_000 / pairs).clamp(50, 500)
}

/// Strengths while they are fitted.
#[derive(Clone)]
struct Fit {
    strengths: Vec<f64>,
}

impl Fit {
    fn new(players: usize) -> Self {
        Self {
            strengths: vec![AVERAGE; players],
        }
    }

    /// How many rounds it took, and whether ties were added.
    fn run(&mut self, pairs: &[Pair], most: usize, least_move: f64) -> (usize, bool) {
        let with_ties = !has_best_fit(self.strengths.len(), pairs);
        let mut wins = vec![if with_ties { 0.5 } else { 0.0 }; self.strengths.len()];
        for pair in pairs {
            let [one, other] = pair.players;
            let half = pair.tied as f64 / 2.0;
            wins[one] += pair.won as f64 + half;
            wins[other] += pair.lost as f64 + half;
        }
        for round in 1..=most {
            if self.round(pairs, &wins, with_ties) < least_move {
                return (round, with_ties);
            }
        }
        (most, with_ties)
    }

    /// One round; the largest share by which a strength moved.
    fn round(&mut self, pairs: &[Pair], wins: &[f64], with_ties: bool) -> f64 {
        let strengths = &self.strengths;
        let ties = strengths.iter().map(|strength| {
            if with_ties {
                1.0 / (strength + AVERAGE)
            } else {
                0.0
            }
        });
        let mut met: Vec<f64> = ties.collect();
        for pair in pairs {
            let [one, other] = pair.players;
            let battles = (pair.won + pair.lost + pair.tied) as f64;
            let part = battles / (strengths[one] + strengths[other]);
            met[one] += part;
            met[other] += part;
        }
        let new = wins.iter().zip(&met).zip(strengths);
        let new = new.map(|((wins, met), old)| if *met > 0.0 { wins / met } else { *old });
        let mut new: Vec<f64> = new.collect();
        if !with_ties {
            // only their proportions are known: they are kept near one
            let mean = new.iter().sum::<f64>() / new.len().max(1) as f64;
            for strength in &mut new {
                *strength /= mean;
            }
        }
        let both = new.iter().zip(strengths);
        let moves = both.map(|(new, old)| (new / old - 1.0).abs());
        let furthest = moves.fold(0.0, f64::max);
        self.strengths = new;
        furthest
    }

    fn ratings(&self) -> Vec<f64> {
        let points = self
            .strengths
            .iter()
            .map(|strength| POINTS * strength.log10());
        let points: Vec<f64> = points.collect();
        let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
        points.iter().map(|points| CENTRE + points - mean).collect()
    }
}

/// Whether the battles alone have a best fit: however the players are parted in two, each part has
/// won or tied against the other. That is so if from the first all are reached by wins and ties,
/// and by losses and ties.
fn has_best_fit(players: usize, pairs: &[Pair]) -> bool {
    let mut beats = vec![Vec::new(); players];
    let mut beaten = vec![Vec::new(); players];
    for pair in pairs {
        let [one, other] = pair.players;
        if pair.won + pair.tied > 0 {
            beats[one].push(other);
            beaten[other].push(one);
        }
        if pair.lost + pair.tied > 0 {
            beats[other].push(one);
            beaten[one].push(other);
        }
    }
    [beats, beaten].iter().all(|next| {
        let mut seen = vec![false; players];
        let mut open = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            open.push(0);
        }
        while let Some(player) = open.pop() {
            for next in &next[player] {
                if !std::mem::replace(&mut seen[*next], true) {
                    open.push(*next);
                }
            }
        }
        seen.into_iter().all(|seen| seen)
    })
}

/// As many battles of a pair, drawn from them with replacement.
fn again(pair: &Pair, generator: &mut ChaCha8Rng) -> Pair {
    let battles = pair.won + pair.lost + pair.tied;
    let won = binomial(battles, pair.won, battles, generator);
    let lost = binomial(battles - won, pair.lost, pair.lost + pair.tied, generator);
    Pair {
        won,
        lost,
        tied: battles - won - lost,
        ..*pair
    }
}

/// From here on a binomial number of this expected value on its rarer side is drawn as a normal one.
const MANY: f64 = 30.0;

/// How many of `times` draws hit, where `hits` of `of` do. Nothing but the four operations and the
/// square root is used, so that it is the same on every platform.
fn binomial(times: u64, hits: u64, of: u64, generator: &mut ChaCha8Rng) -> u64 {
    if times == 0 || hits == 0 {
        return 0;
    }
    if hits >= of {
        return times;
    }
    if hits > of / 2 {
        return times - binomial(times, of - hits, of, generator);
    }
    let share = hits as f64 / of as f64;
    let expected = times as f64 * share;
    if expected < MANY {
        return by_inversion(times, share, uniform(generator));
    }
    let deviation = (expected * (1.0 - share)).sqrt();
    // the sum of twelve uniform numbers has the variance one
    let twelve: u64 = (0..12).map(|_| u64::from(generator.next_u32())).sum();
    let normal = twelve as f64 / (1_u64 << 32) as f64 - 6.0;
    let drawn = (expected + deviation * normal).round().max(0.0);
    (drawn as u64).min(times)
}

/// The number at which the sum of the binomial probabilities passes a uniform number.
fn by_inversion(times: u64, share: f64, uniform: f64) -> u64 {
    let odds = share / (1.0 - share);
    let (mut probability, mut left) = (power(1.0 - share, times), uniform);
    let mut hits = 0;
    while left >= probability && hits < times {
        left -= probability;
        probability *= odds * (times - hits) as f64 / (hits + 1) as f64;
        hits += 1;
        if probability < f64::MIN_POSITIVE {
            break;
        }
    }
    hits
}

fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product *= base;
        }
        base *= base;
        exponent /= 2;
    }
    product
}

/// Uniform in [0, 1), with 53 bits.
fn uniform(generator: &mut ChaCha8Rng) -> f64 {
    (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: usize, other: usize, [won, lost, tied]: [u64; 3]) -> Pair {
        Pair {
            players: [one, other],
            won,
            lost,
            tied,
        }
    }

    fn close(found: f64, exact: f64, by: f64) {
        assert!((found - exact).abs() < by, "{found} for {exact}");
    }

    #[test]
    fn two_players_have_a_closed_form() {
        // the strengths are as the wins, a tie being half
        for (counts, odds) in [([30, 10, 0], 3.0), ([25, 5, 10], 3.0), ([7, 7, 1], 1.0)] {
            let found = ratings(2, &[pair(0, 1, counts)], 42);
            close(
                found.ratings[0] - found.ratings[1],
                400.0 * f64::log10(odds),
                1e-6,
            );
            close(found.ratings[0] + found.ratings[1], 2000.0, 1e-9);
            assert!(!found.with_ties);
        }
        // a factor ten is 400 points
        let found = ratings(2, &[pair(0, 1, [1, 10, 0])], 42);
        close(found.ratings[0], 800.0, 1e-6);
    }

    #[test]
    fn a_chain_of_three_has_a_closed_form() {
        // without a third pair each pair is fitted by itself: 3 to 1, and 1 to 4
        let found = ratings(3, &[pair(0, 1, [3, 1, 0]), pair(1, 2, [1, 4, 0])], 42);
        let between = |one: usize, other: usize| found.ratings[one] - found.ratings[other];
        close(between(0, 1), 400.0 * 3_f64.log10(), 1e-6);
        close(between(2, 1), 400.0 * 4_f64.log10(), 1e-6);
    }

    #[test]
    fn who_won_all_has_a_tie_against_an_average_player_as_everyone_has() {
        // strengths x and 1 / x: wins are as expected where 10 x^2 / (1 + x^2) + x / (1 + x) = 10.5
        let found = ratings(2, &[pair(0, 1, [10, 0, 0])], 42);
        assert!(found.with_ties);
        let x = 10_f64.powf((found.ratings[0] - 1000.0) / 400.0);
        close(10.0 * x * x / (1.0 + x * x) + x / (1.0 + x), 10.5, 1e-6);
        // with nothing at all everyone is average
        let found = ratings(3, &[], 42);
        assert_eq!((found.ratings, found.with_ties), (vec![1000.0; 3], true));
        // two groups that never met
        let found = ratings(4, &[pair(0, 1, [2, 1, 0]), pair(2, 3, [1, 1, 0])], 42);
        assert!(found.with_ties && found.ratings[0] > found.ratings[2]);
        close(found.ratings[2], found.ratings[3], 1e-6);
    }

    #[test]
    fn of_no_players_there_are_no_ratings_and_odd_pairs_are_not_counted() {
        assert_eq!(ratings(0, &[], 1).ratings, Vec::<f64>::new());
        let odd = [
            pair(0, 0, [5, 0, 0]),
            pair(0, 9, [5, 0, 0]),
            pair(0, 1, [1, 1, 0]),
        ];
        assert_eq!(ratings(2, &odd, 1).ratings, [1000.0, 1000.0]);
    }

    fn round_robin(players: usize, battles: u64) -> Vec<Pair> {
        let mut generator = ChaCha8Rng::seed_from_u64(11);
        let mut pairs = Vec::new();
        for one in 0..players {
            for other in one + 1..players {
                let won = 1 + generator.next_u64() % (battles - 2);
                pairs.push(pair(one, other, [won, battles - won, 0]));
            }
        }
        pairs
    }

    #[test]
    fn in_a_round_robin_the_order_is_that_of_the_wins() {
        let pairs = round_robin(7, 40);
        let mut wins = [0; 7];
        for pair in &pairs {
            wins[pair.players[0]] += pair.won;
            wins[pair.players[1]] += pair.lost;
        }
        let found = ratings(7, &pairs, 42);
        for one in 0..7 {
            for other in 0..7 {
                if wins[one] > wins[other] {
                    assert!(found.ratings[one] > found.ratings[other]);
                }
            }
            let [low, high] = found.intervals[one];
            assert!(low < found.ratings[one] && found.ratings[one] < high);
        }
        close(found.ratings.iter().sum(), 7000.0, 1e-6);
        // seats and names do not matter
        let renamed = pairs.iter().rev().map(|own| {
            let [one, other] = own.players;
            pair(6 - other, 6 - one, [own.lost, own.won, own.tied])
        });
        let renamed = ratings(7, &renamed.collect::<Vec<_>>(), 42);
        for one in 0..7 {
            close(renamed.ratings[6 - one], found.ratings[one], 1e-6);
        }
        assert_eq!(ratings(7, &pairs, 42), found);
        assert_ne!(ratings(7, &pairs, 43).intervals, found.intervals);
    }

    #[test]
    fn binomial_numbers_have_their_mean_and_variance() {
        let mut generator = ChaCha8Rng::seed_from_u64(5);
        for (times, hits, of) in [
            (20_u64, 1_u64, 4_u64),
            (100, 9, 10),
            (1000, 1, 2),
            (1_000_000, 3, 7),
            (50, 1, 50),
        ] {
            let share = hits as f64 / of as f64;
            let drawn = (0..4000).map(|_| {
                let drawn = binomial(times, hits, of, &mut generator);
                assert!(drawn <= times);
                drawn as f64
            });
            let drawn: Vec<f64> = drawn.collect();
            let mean = drawn.iter().sum::<f64>() / 4000.0;
            let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 4000.0;
            let exact = times as f64 * share * (1.0 - share);
            close(mean, times as f64 * share, 4.0 * (exact / 4000.0).sqrt());
            close(variance / exact, 1.0, 0.12);
        }
    }

    #[test]
    fn an_interval_of_two_players_is_that_of_their_share() {
        // 600 of 1000: the share has a deviation of 0.01549, so 0.5696 to 0.6304
        let found = ratings(2, &[pair(0, 1, [600, 400, 0])], 42);
        let [low, high] = found.intervals[0];
        let points = |share: f64| 1000.0 + 200.0 * f64::log10(share / (1.0 - share));
        // an end of a thousand resamples has itself a deviation of half a point
        close(low, points(0.5696), 2.0);
        close(high, points(0.6304), 2.0);
    }
}
