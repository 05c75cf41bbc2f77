//! The strengths of a league's players (SCORING.md section 2, "Leagues"). They change no score.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::Payload;
use crate::analysis::bootstrap::DEFAULT_SEED;
use crate::analysis::bradley_terry::{METHOD, Pair, ratings};
use crate::analysis::round4;
use crate::text::{Shown, sort_by};

/// A league: who met whom how often, as strengths.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct League {
    /// `bradley-terry/1`.
    pub method: &'static str,
    /// How many battles there were.
    pub battles: u64,
    /// Whether the battles alone have no best fit, so that everyone has one tie more, against an
    /// average player.
    pub with_ties: bool,
    /// How many rounds the fit took.
    pub rounds: usize,
    /// How many resamples the intervals are made of.
    pub resamples: usize,
    /// The seed.
    pub seed: u64,
    /// The players, the strongest first.
    pub players: Vec<Player>,
}

/// A player of a league.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Player {
    /// The candidate.
    pub id: String,
    /// 400 log10 of its strength; the mean of all is 1000. To 4 decimals.
    pub rating: f64,
    /// The 95 % interval of the rating.
    pub interval: [f64; 2],
    /// Battles won.
    pub won: u64,
    /// Battles lost.
    pub lost: u64,
    /// Battles tied.
    pub tied: u64,
}

/// The league that a debate was made of, with the default seed; none where it was made of none.
///
/// ```
/// use assay::debate::{league, read};
///
/// let review = r#"{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}"#;
/// let text = format!(r#"{{"source": {{"league": [["A", "B", 10, 1, 0]]}}, "candidates": [
///     {{"id": "A", "wins": 1, "reviews": [{review}]}}, {{"id": "B", "wins": 0, "reviews": [{review}]}}]}}"#);
/// let league = league(&read(&text).result.expect("a debate")).expect("a league");
/// // ten wins for one lost are 400 points
/// assert_eq!((league.players[0].rating, league.players[1].rating), (1200.0, 800.0));
/// ```
pub fn league(payload: &Payload) -> Option<League> {
    let met = &payload.origin.as_ref()?.league;
    let ids = payload.candidates.iter().enumerate();
    let places: HashMap<&str, usize> = ids.map(|(at, own)| (own.id.as_str(), at)).collect();
    let mut seen = HashSet::new();
    let pairs = met.iter().filter_map(|met| {
        let [one, other] = &met.ids;
        let players = [*places.get(one.as_str())?, *places.get(other.as_str())?];
        let [won, lost, tied] = met.counts;
        let is_new = seen.insert((players[0].min(players[1]), players[0].max(players[1])));
        let is_pair = is_new && players[0] != players[1] && won + lost + tied > 0;
        is_pair.then_some(Pair {
            players,
            won,
            lost,
            tied,
        })
    });
    let pairs: Vec<Pair> = pairs.collect();
    if pairs.is_empty() {
        return None;
    }
    let found = ratings(places.len(), &pairs, DEFAULT_SEED);
    let rated = found.ratings.iter().zip(&found.intervals);
    let players = payload.candidates.iter().zip(rated);
    let mut players: Vec<Player> = players
        .map(|(candidate, (rating, interval))| Player {
            id: candidate.id.clone(),
            rating: round4(*rating),
            interval: interval.map(round4),
            won: 0,
            lost: 0,
            tied: 0,
        })
        .collect();
    let mut battles = 0;
    for pair in &pairs {
        let [one, other] = pair.players;
        battles += pair.won + pair.lost + pair.tied;
        players[one].won += pair.won;
        players[one].lost += pair.lost;
        players[one].tied += pair.tied;
        players[other].won += pair.lost;
        players[other].lost += pair.won;
        players[other].tied += pair.tied;
    }
    // stable: equals stay in the order of the input
    sort_by(&mut players, |a, b| b.rating.total_cmp(&a.rating));
    Some(League {
        method: METHOD,
        battles,
        with_ties: found.with_ties,
        rounds: found.rounds,
        resamples: found.resamples,
        seed: DEFAULT_SEED,
        players,
    })
}

impl League {
    /// Players that a sentence names.
    const NAMED: usize = 5;

    /// The strengths in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let named = self.players.iter().take(Self::NAMED).map(|player| {
            let [low, high] = player.interval;
            let id = Shown(&player.id);
            format!("{id} {:.0} ({low:.0} to {high:.0})", player.rating)
        });
        let named: Vec<String> = named.collect();
        let rest = match self.players.len().saturating_sub(Self::NAMED) {
            0 => String::new(),
            rest => format!(", and {rest} more"),
        };
        let mut sentences = vec![format!(
            "Strengths by {} over {} battles, 1000 being the mean, with 95 % intervals: {}{rest}.",
            self.method,
            self.battles,
            named.join(", ")
        )];
        if let [first, second, ..] = &self.players[..]
            && first.interval[0] <= second.interval[1]
        {
            let (first, second) = (Shown(&first.id), Shown(&second.id));
            sentences.push(format!("The intervals of {first} and {second} overlap."));
        }
        if self.with_ties {
            sentences.push(
                "Someone won or lost all, or groups never met: everyone has one tie more, against an average player."
                    .into(),
            );
        }
        sentences
    }
}
