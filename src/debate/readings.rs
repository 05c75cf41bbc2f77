//! Whether a verdict survives the mapping (SCORING.md section 2, "Readings"): a debate that was
//! made of marks on scales is made again with other thresholds and other parts of the criteria.
//! No score depends on it.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

use super::evaluate::setting;
use super::numbers::Numbers;
use super::origin::{Criterion, Mark, Marked, Marks, Part};
use super::rules::{FAIL_RISKS, MOST_RATING};
use super::term::{ByTerm, Term};
use super::verdict::{Ruling, Top};
use super::{Options, Payload, Profiles, Review};
use crate::analysis::bootstrap::{DEFAULT_SEED, draw};
use crate::analysis::round4;
use crate::text::{Shown, sort_by};

/// Name and version of the rules.
const RULES: &str = "readings/1";
/// How many readings are drawn where there are more.
const DRAWS: usize = 1000;
/// Shares that are as near as this are one: each is rounded to 4 decimals.
const SLACK: f64 = 0.000_06;
/// Marks times assignments that are worked out.
const MOST_ASSIGNED: usize = 2_000_000;
/// Reviews times thresholds that are tried for the nearest reading.
const MOST_TRIED: usize = 5_000_000;

/// What comes of other readings of the same marks. Shares are in [0, 1], to 4 decimals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Readings {
    /// `readings/1`.
    pub rules: &'static str,
    /// How many readings were scored.
    pub readings: usize,
    /// Whether these are all that there are; if not, they were drawn.
    pub are_all: bool,
    /// The seed of drawing.
    pub seed: u64,
    /// The share in which the present first is first.
    pub same_first: f64,
    /// The share in which the verdict is the present one.
    pub same_verdict: f64,
    /// Candidates, in input order.
    pub candidates: Vec<First>,
    /// The nearest reading that has another verdict, where one was found.
    pub nearest: Option<NearestReading>,
    /// How many reviews are not as the present mapping makes them of their marks, and stay as they
    /// are in every reading.
    pub kept: usize,
}

/// How often a candidate is first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct First {
    /// The candidate.
    pub id: String,
    /// The share of readings in which it is first.
    pub first: f64,
}

/// The nearest reading that has another verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NearestReading {
    /// What is read otherwise: "if a score from 7 of 10 already counted as 2".
    pub words: String,
    /// How many shares a threshold moved over; 1 where a criterion counts as something else.
    pub steps: usize,
    /// What it comes to.
    pub ruling: Ruling,
}

/// Scores other readings of the marks that a debate was made of, with its own weights and options.
/// None where it keeps no marks, where the weights are refused, and where nobody survives.
pub fn readings(payload: &Payload, profiles: &Profiles, options: &Options) -> Option<Readings> {
    let marks = payload.origin.as_ref()?.marks.as_ref()?;
    let (weights, domain) = setting(payload, profiles, options)?;
    let desk = Desk::new(
        payload,
        marks,
        Numbers::new(payload, domain),
        weights.values(),
    );
    let present = desk.top(&desk.present, desk.cuts(&desk.present));
    let first = present.first?;
    let mut tally = Tally {
        firsts: vec![0.0; payload.candidates.len()],
        same_verdict: 0.0,
        readings: 0,
    };
    let are_all = desk.sample(|top, weight| {
        tally.readings += 1;
        if let Some(first) = top.first {
            tally.firsts[first] += weight;
        }
        if verdict(top) == verdict(present) {
            tally.same_verdict += weight;
        }
    });
    let candidates = payload.candidates.iter().zip(&tally.firsts);
    Some(Readings {
        rules: RULES,
        readings: tally.readings,
        are_all,
        seed: DEFAULT_SEED,
        same_first: round4(tally.firsts[first]),
        same_verdict: round4(tally.same_verdict),
        candidates: candidates
            .map(|(candidate, first)| First {
                id: candidate.id.clone(),
                first: round4(*first),
            })
            .collect(),
        nearest: desk.nearest(present),
        kept: desk.rows.iter().flatten().filter(|row| row.is_kept).count(),
    })
}

struct Tally {
    firsts: Vec<f64>,
    same_verdict: f64,
    readings: usize,
}

/// What a verdict is: the decision and whom it names.
fn verdict(top: Top) -> (super::Decision, Option<usize>, Option<usize>) {
    use super::Decision::{AllEliminated, Hybrid, Insufficient, Winner};
    match top.decision {
        Winner => (Winner, top.first, None),
        Hybrid => (Hybrid, top.first, top.second),
        other @ (Insufficient | AllEliminated) => (other, None, None),
    }
}

/// Thresholds: shares before the first are 0, from the second on 2.
type Cuts = [usize; 2];

/// Shares of parts by which nothing is said.
const SILENT: u32 = u32::MAX;

/// The reviews under an assignment of the criteria.
struct Assigned {
    /// The distinct shares of all parts, the least first.
    shares: Vec<f64>,
    /// Per candidate and review the places of its shares of support, evidence and risk.
    places: Vec<Vec<[u32; 3]>>,
}

impl Assigned {
    /// In how many ways the shares can be parted in three.
    fn maps(&self) -> usize {
        let shares = self.shares.len();
        // beyond what a machine word holds there are too many all the same
        (shares + 1).saturating_mul(shares + 2) / 2
    }
}

/// A review beside its marks.
struct Row<'a> {
    review: &'a Review,
    marked: &'a Marked,
    /// Whether it stays as it is in every reading.
    is_kept: bool,
}

struct Desk<'a> {
    payload: &'a Payload,
    marks: &'a Marks,
    rows: Vec<Vec<Row<'a>>>,
    numbers: Numbers,
    weights: ByTerm<f64>,
    /// The present assignment.
    parts: Vec<Part>,
    present: Assigned,
}

impl<'a> Desk<'a> {
    fn new(payload: &'a Payload, marks: &'a Marks, numbers: Numbers, weights: ByTerm<f64>) -> Self {
        const UNMARKED: &Marked = &Marked {
            marks: Vec::new(),
            violations: 0,
        };
        let rows = payload.candidates.iter().map(|candidate| {
            let marked = marks.reviews.get(&candidate.id);
            // a review that was added or taken away leaves nobody's marks in their places
            let marked = marked.filter(|marked| marked.len() == candidate.reviews.len());
            let reviews = candidate.reviews.iter().enumerate();
            let rows = reviews.map(|(at, review)| Row {
                review,
                marked: marked.and_then(|marked| marked.get(at)).unwrap_or(UNMARKED),
                is_kept: marked.is_none(),
            });
            rows.collect()
        });
        let criteria = marks.criteria.iter();
        let mut desk = Self {
            payload,
            marks,
            rows: rows.collect(),
            numbers,
            weights,
            parts: criteria.map(|criterion| criterion.counts_as).collect(),
            present: Assigned {
                shares: Vec::new(),
                places: Vec::new(),
            },
        };
        desk.present = desk.assigned(&desk.parts);
        let cuts = desk.cuts(&desk.present);
        for (rows, places) in desk.rows.iter_mut().zip(&desk.present.places) {
            for (row, places) in rows.iter_mut().zip(places) {
                let review = row.review;
                let said = [review.support, review.evidence, review.major_risks];
                row.is_kept |= ratings(row.marked, *places, cuts) != said;
            }
        }
        desk.present = desk.assigned(&desk.parts);
        desk
    }

    /// The reviews under an assignment.
    fn assigned(&self, parts: &[Part]) -> Assigned {
        let means = self.rows.iter().map(|rows| {
            let means = rows.iter().map(|row| {
                if row.is_kept {
                    [None; 3]
                } else {
                    means(row.marked, parts)
                }
            });
            means.collect()
        });
        let means: Vec<Vec<[Option<f64>; 3]>> = means.collect();
        let mut sorted: Vec<f64> = means
            .iter()
            .flatten()
            .flatten()
            .filter_map(|m| *m)
            .collect();
        sort_by(&mut sorted, f64::total_cmp);
        let mut shares: Vec<f64> = Vec::new();
        for share in sorted {
            if shares.last().is_none_or(|last| share > last + SLACK) {
                shares.push(share);
            }
        }
        let place = |share: Option<f64>| match share {
            None => SILENT,
            Some(share) => {
                let after = shares.partition_point(|known| *known <= share);
                after.saturating_sub(1) as u32
            }
        };
        let places = means.into_iter();
        let places = places.map(|rows| rows.into_iter().map(|row| row.map(place)).collect());
        Assigned {
            places: places.collect(),
            shares,
        }
    }

    /// The present thresholds among the shares of an assignment.
    fn cuts(&self, assigned: &Assigned) -> Cuts {
        let shares = &assigned.shares;
        let high = shares.partition_point(|share| *share < self.marks.high - SLACK);
        let low = shares.partition_point(|share| *share <= self.marks.low + SLACK);
        [low.min(high), high]
    }

    /// The best two and the decision of a reading.
    fn top(&self, assigned: &Assigned, cuts: Cuts) -> Top {
        let mut numbers = self.numbers.clone();
        let candidates = self.rows.iter().zip(&assigned.places);
        for ((rows, places), values) in candidates.zip(&mut numbers.values) {
            let (mut base, mut risk) = (0, 0);
            for (row, places) in rows.iter().zip(places) {
                let [support, evidence, risks] = if row.is_kept {
                    [
                        row.review.support,
                        row.review.evidence,
                        row.review.major_risks,
                    ]
                } else {
                    ratings(row.marked, *places, cuts)
                };
                base += support + evidence;
                risk += risks + FAIL_RISKS * row.review.critical_fail;
            }
            let reviews = rows.len().max(1) as f64;
            values[Term::Base] = Term::Base.sign() * (base as f64 / reviews);
            values[Term::Risk] = Term::Risk.sign() * (risk as f64 / reviews);
        }
        numbers.top(&self.weights)
    }

    /// Scores all readings, or as many as are drawn; whether these are all. The weights add up
    /// to 1.
    fn sample(&self, mut count: impl FnMut(Top, f64)) -> bool {
        let mut generator = ChaCha8Rng::seed_from_u64(DEFAULT_SEED);
        let choices: Vec<Vec<Part>> = self.marks.criteria.iter().map(choices).collect();
        let number = choices.iter().map(Vec::len);
        let number = number.fold(1, usize::saturating_mul);
        let marks: usize = self
            .rows
            .iter()
            .flatten()
            .map(|row| row.marked.marks.len() + 1)
            .sum();
        let most = (MOST_ASSIGNED / marks.max(1)).clamp(1, DRAWS);
        let is_whole = number <= most;
        let pool: Vec<Assigned> = (0..number.min(most))
            .map(|at| {
                let mut left = at;
                let parts = choices.iter().map(|choices| {
                    let choice = if is_whole {
                        left % choices.len()
                    } else {
                        draw(&mut generator, choices.len())
                    };
                    left /= choices.len();
                    choices[choice]
                });
                self.assigned(&parts.collect::<Vec<_>>())
            })
            .collect();
        let all: usize = pool
            .iter()
            .map(Assigned::maps)
            .fold(0, usize::saturating_add);
        if is_whole && all <= DRAWS {
            for assigned in &pool {
                let weight = 1.0 / (pool.len() * assigned.maps()) as f64;
                for high in 0..=assigned.shares.len() {
                    for low in 0..=high {
                        count(self.top(assigned, [low, high]), weight);
                    }
                }
            }
            return true;
        }
        for at in 0..DRAWS {
            let assigned = if is_whole {
                &pool[draw(&mut generator, pool.len())]
            } else {
                &pool[at % pool.len()]
            };
            let cuts = drawn(&mut generator, assigned.shares.len());
            count(self.top(assigned, cuts), 1.0 / DRAWS as f64);
        }
        false
    }

    /// The nearest reading with another verdict than the present one.
    fn nearest(&self, present: Top) -> Option<NearestReading> {
        let other = |top: Top, steps: usize, words: &dyn Fn() -> String| {
            (verdict(top) != verdict(present)).then(|| NearestReading {
                words: words(),
                steps,
                ruling: top.ruling(self.payload),
            })
        };
        let assigned = &self.present;
        let [low, high] = self.cuts(assigned);
        let last = assigned.shares.len();
        let reviews: usize = self.rows.iter().map(Vec::len).sum();
        let most = (MOST_TRIED / reviews.max(1)).clamp(10, DRAWS);
        for steps in 1..=(last + 1).min(most) {
            let moved = [
                high.checked_sub(steps)
                    .filter(|high| *high >= low)
                    .map(|high| [low, high]),
                Some([low, high + steps]).filter(|[_, high]| *high <= last),
                Some([low + steps, high]).filter(|[low, high]| low <= high),
                low.checked_sub(steps).map(|low| [low, high]),
            ];
            for cuts in moved.into_iter().flatten() {
                let words = || self.threshold_words([low, high], cuts);
                if let Some(found) = other(self.top(assigned, cuts), steps, &words) {
                    return Some(found);
                }
            }
            if steps > 1 {
                continue;
            }
            for (at, criterion) in self.marks.criteria.iter().enumerate() {
                for choice in choices(criterion) {
                    let mut parts = self.parts.clone();
                    parts[at] = choice;
                    let assigned = self.assigned(&parts);
                    let top = self.top(&assigned, self.cuts(&assigned));
                    let words = || criterion_words(criterion, choice);
                    if let Some(found) = other(top, steps, &words) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// What a moved threshold says.
    fn threshold_words(&self, [low, high]: Cuts, [new_low, new_high]: Cuts) -> String {
        let shares = &self.present.shares;
        let share = |at: Option<usize>| {
            at.and_then(|at| shares.get(at))
                .map(|share| self.mark(*share))
        };
        let noun = if self.marks.scale.is_some() {
            "score"
        } else {
            "share"
        };
        let (from, up_to) = (share(Some(new_high)), share(new_low.checked_sub(1)));
        if new_high < high {
            format!(
                "if a {noun} from {} already counted as 2",
                from.unwrap_or_default()
            )
        } else if new_high > high {
            let only = |from| format!("if a {noun} counted as 2 only from {from}");
            from.map_or_else(|| format!("if no {noun} counted as 2"), only)
        } else if new_low > low {
            format!(
                "if a {noun} up to {} already counted as 0",
                up_to.unwrap_or_default()
            )
        } else {
            let only = |up_to| format!("if a {noun} counted as 0 only up to {up_to}");
            up_to.map_or_else(|| format!("if no {noun} counted as 0"), only)
        }
    }

    /// A share as it stands on the scale of the marks.
    fn mark(&self, share: f64) -> String {
        let Some([least, most]) = self.marks.scale else {
            return format!("{} % of the scale", hundredths(100.0 * share));
        };
        let mark = hundredths(least + share * (most - least));
        if (least == 0.0 || least == 1.0) && most > 1.0 {
            format!("{mark} of {most}")
        } else {
            format!("{mark} on the scale of {least} to {most}")
        }
    }
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn criterion_words(criterion: &Criterion, choice: Part) -> String {
    let name = Shown(&criterion.name);
    let counts = |part: Part| match part {
        Part::Both => "support and evidence",
        part => part.word(),
    };
    match choice {
        Part::Nothing => format!("if {name} were left out"),
        choice => format!(
            "if {name} counted as {} instead of {}",
            counts(choice),
            counts(criterion.counts_as)
        ),
    }
}

/// What a criterion can count as in a reading.
fn choices(criterion: &Criterion) -> Vec<Part> {
    if criterion.is_set {
        return vec![criterion.counts_as];
    }
    let mut choices = vec![Part::Support, Part::Evidence, Part::Both];
    if criterion.by_name == Part::Risk {
        choices.extend([Part::Risk, Part::Nothing]);
    }
    if !choices.contains(&criterion.counts_as) {
        choices.push(criterion.counts_as);
    }
    choices
}

/// Two of the places between shares, or the same one twice, each choice as likely.
fn drawn(generator: &mut ChaCha8Rng, shares: usize) -> Cuts {
    let one = draw(generator, shares + 2);
    let mut other = draw(generator, shares + 1);
    other += usize::from(other >= one);
    [one.min(other), one.max(other) - 1]
}

/// The shares of support, evidence and risk that marks come to.
fn means(marked: &Marked, parts: &[Part]) -> [Option<f64>; 3] {
    let mut sums = [(0.0, 0_u32); 3];
    let mut add = |at: usize, share: f64| {
        sums[at].0 += share;
        sums[at].1 += 1;
    };
    for (criterion, mark) in &marked.marks {
        let part = parts.get(*criterion).copied().unwrap_or(Part::Both);
        let share = match *mark {
            Mark::Share(share) => share,
            // what passes a check of harm has none
            Mark::Passed(passed) => f64::from(u8::from(passed != (part == Part::Risk))),
        };
        match part {
            Part::Support => add(0, share),
            Part::Evidence => add(1, share),
            Part::Both => {
                add(0, share);
                add(1, share);
            }
            Part::Risk => add(2, share),
            Part::Nothing => {}
        }
    }
    let [support, evidence, risk] =
        sums.map(|(sum, number)| (number > 0).then(|| sum / f64::from(number)));
    [support.or(evidence), evidence.or(support), risk]
}

/// Support, evidence and risk of a review by the places of its shares.
fn ratings(marked: &Marked, places: [u32; 3], [low, high]: Cuts) -> [i64; 3] {
    let step = |place: u32, silent: i64| match place as usize {
        _ if place == SILENT => silent,
        place if place >= high => MOST_RATING,
        place => i64::from(place >= low),
    };
    let [support, evidence, risk] = places;
    let violations = marked.violations.min(MOST_RATING);
    [
        step(support, 1),
        step(evidence, 1),
        step(risk, 0).max(violations),
    ]
}

impl Readings {
    /// Candidates that a sentence names.
    const NAMED: usize = 5;

    /// What comes of them, in sentences.
    pub fn sentences(&self) -> Vec<String> {
        let percent = |share: f64| format!("{} %", hundredths(100.0 * share));
        let which = if self.are_all {
            format!("all {} readings", self.readings)
        } else {
            format!("{} readings", self.readings)
        };
        let mut firsts: Vec<&First> = self.candidates.iter().filter(|c| c.first > 0.0).collect();
        sort_by(&mut firsts, |a, b| b.first.total_cmp(&a.first));
        let named = firsts.iter().take(Self::NAMED);
        let named = named.map(|own| format!("{} {}", Shown(&own.id), percent(own.first)));
        let mut sentences = vec![
            format!(
                "Of {which} of the same marks ({}) the verdict stands in {}, and the first candidate in {}.",
                self.rules,
                percent(self.same_verdict),
                percent(self.same_first)
            ),
            format!("First: {}.", named.collect::<Vec<_>>().join(", ")),
        ];
        sentences.push(match &self.nearest {
            Some(nearest) => format!(
                "The nearest reading with another verdict: {}. That makes {}.",
                nearest.words,
                nearest.ruling.made()
            ),
            None => {
                "No other threshold and no other part of one criterion changes the verdict.".into()
            }
        });
        if self.kept > 0 {
            sentences.push(format!(
                "{} of the reviews are not as their marks make them and stay as they are.",
                self.kept
            ));
        }
        sentences
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::{evaluate, read};

    const PROFILES: fn() -> &'static Profiles = Profiles::built_in;

    fn review([support, evidence, risks]: [i64; 3]) -> String {
        format!(
            r#"{{"support": {support}, "evidence": {evidence}, "major_risks": {risks}, "critical_fail": 0}}"#
        )
    }

    /// A debate of A and B with the marks of one scale from 0 to 10.
    fn scores(a: f64, b: f64, ratings: [i64; 2]) -> String {
        let [of_a, of_b] = ratings.map(|rating| review([rating, rating, 0]));
        format!(
            r#"{{"source": {{"marks": {{"low": 0.3333333333333333, "high": 0.6666666666666666, "scale": [0, 10],
                "criteria": [{{"name": "", "counts_as": "both", "by_name": "both", "is_set": true}}],
                "shares": {{"A": [[{a}]], "B": [[{b}]]}}}}}},
                "candidates": [{{"id": "A", "wins": 0, "reviews": [{of_a}]}}, {{"id": "B", "wins": 0, "reviews": [{of_b}]}}]}}"#
        )
    }

    fn found(text: &str) -> Option<Readings> {
        let payload = read(text).result.expect("a debate");
        readings(&payload, PROFILES(), &Options::default())
    }

    #[test]
    fn two_shares_have_six_readings() {
        // A 0.9, B 0.7: both are 2. Readings of A and B: 00 01 11 02 12 22 where A >= B; each
        // point is worth 1, and A is first in all six as the first of the input breaks ties.
        // Both at 2: a combination; so it is at 11. A at 2, B at 1: a winner, as at 2 0. At 1 0
        // nobody has 1.2, nor at 1 1 (a score of 1), nor at 0 0.
        let all = found(&scores(0.9, 0.7, [2, 2])).expect("marks");
        assert_eq!((all.readings, all.are_all, all.kept), (6, true, 0));
        assert_eq!(all.same_first, 1.0);
        assert_eq!(all.same_verdict, 0.1667);
        let nearest = all.nearest.expect("a reading");
        assert_eq!(nearest.words, "if a score counted as 2 only from 9 of 10");
        assert_eq!(
            (nearest.steps, nearest.ruling.words().as_str()),
            (1, "A wins")
        );
        let shares: f64 = all.candidates.iter().map(|candidate| candidate.first).sum();
        assert!((shares - 1.0).abs() < 1e-3);
    }

    #[test]
    fn thresholds_are_told_in_words() {
        let words = |a: f64, b: f64, ratings: [i64; 2]| {
            found(&scores(a, b, ratings))
                .expect("marks")
                .nearest
                .map(|nearest| nearest.words)
        };
        // A 1, B 0: nobody is good enough; if 6 counted as 2, A would win
        assert_eq!(
            words(0.6, 0.1, [1, 0]).as_deref(),
            Some("if a score from 6 of 10 already counted as 2")
        );
        // A 2 wins over B 1
        assert_eq!(
            words(0.8, 0.6, [2, 1]).as_deref(),
            Some("if a score from 6 of 10 already counted as 2")
        );
        assert_eq!(
            words(0.8, 0.1, [2, 0]).as_deref(),
            Some("if no score counted as 2")
        );
    }

    #[test]
    fn what_was_changed_by_hand_stays() {
        // B's 0.1 is a 0 by its mark and was made a 2: no reading changes it
        let all = found(&scores(0.9, 0.1, [2, 2])).expect("marks");
        assert_eq!((all.kept, all.readings), (1, 3));
        // without marks, or with marks that are none, there is nothing to read otherwise
        let text = scores(0.9, 0.1, [2, 0]);
        assert_eq!(found(&text.replace("\"marks\"", "\"mark\"")), None);
        assert_eq!(found(&text.replace("[[0.9]]", "[[\"x\"]]")), None);
        assert_eq!(found(&text.replace("[[0.9]]", "[[1e9]]")), None);
    }

    /// A debate of several candidates and criteria, rated by the present mapping.
    fn many(candidates: usize, reviews: usize, seed: u64) -> String {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let parts = [
            ("style", Part::Support),
            ("truth", Part::Evidence),
            ("sense", Part::Both),
            ("harm", Part::Risk),
        ];
        let criteria = parts.map(|(name, part)| {
            let part = part.word();
            format!(r#"{{"name": "{name}", "counts_as": "{part}", "by_name": "{part}", "is_set": false}}"#)
        });
        let (mut shares, mut given) = (Vec::new(), Vec::new());
        for candidate in 0..candidates {
            let (mut rows, mut rated) = (Vec::new(), Vec::new());
            for _ in 0..reviews {
                let row: Vec<f64> = (0..4)
                    .map(|_| round4(draw(&mut generator, 10) as f64 / 9.0))
                    .collect();
                let marks = row
                    .iter()
                    .map(|share| Mark::Share(*share))
                    .enumerate()
                    .collect();
                let marked = Marked {
                    marks,
                    violations: 0,
                };
                let step = |share: Option<f64>| match share.expect("a mark") {
                    share if share >= 2.0 / 3.0 - SLACK => 2,
                    share => i64::from(share > 1.0 / 3.0 + SLACK),
                };
                rated.push(review(
                    means(&marked, &parts.map(|(_, part)| part)).map(step),
                ));
                rows.push(format!("{row:?}"));
            }
            shares.push(format!(r#""c{candidate}": [{}]"#, rows.join(", ")));
            given.push(format!(
                r#"{{"id": "c{candidate}", "wins": 0, "reviews": [{}]}}"#,
                rated.join(", ")
            ));
        }
        format!(
            r#"{{"source": {{"marks": {{"low": 0.3333333333333333, "high": 0.6666666666666666, "criteria": [{}], "shares": {{{}}}}}}}, "candidates": [{}]}}"#,
            criteria.join(", "),
            shares.join(", "),
            given.join(", ")
        )
    }

    #[test]
    fn the_present_mapping_is_a_reading_with_the_present_scores() {
        for seed in 0..20 {
            let text = many(4, 5, seed);
            let payload = read(&text).result.expect("a debate");
            let origin = payload.origin.clone().expect("an origin");
            let marks = origin.marks.as_ref().expect("marks");
            let (weights, domain) =
                setting(&payload, PROFILES(), &Options::default()).expect("weights");
            let numbers = Numbers::new(&payload, domain);
            let desk = Desk::new(&payload, marks, numbers.clone(), weights.values());
            assert!(desk.rows.iter().flatten().all(|row| !row.is_kept));
            let cuts = desk.cuts(&desk.present);
            assert_eq!(
                desk.top(&desk.present, cuts),
                numbers.top(&weights.values())
            );
            let choices: Vec<_> = marks.criteria.iter().map(choices).collect();
            assert!(
                desk.parts
                    .iter()
                    .zip(&choices)
                    .all(|(part, choices)| choices.contains(part))
            );
            let all = found(&text).expect("marks");
            assert_eq!(Some(&all), found(&text).as_ref());
            assert_eq!((all.readings, all.are_all), (1000, false));
            let sum: f64 = all.candidates.iter().map(|candidate| candidate.first).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(all.same_verdict <= 1.0 && all.same_first <= 1.0);
            let scored = evaluate(&text, &Options::default()).result.expect("scored");
            let ruling = desk.top(&desk.present, cuts).ruling(&payload);
            assert_eq!(ruling, Ruling::of(&scored));
        }
    }

    #[test]
    fn thresholds_are_drawn_evenly() {
        let mut generator = ChaCha8Rng::seed_from_u64(3);
        let mut times = std::collections::BTreeMap::new();
        for _ in 0..10_000 {
            let [low, high] = drawn(&mut generator, 3);
            assert!(low <= high && high <= 3);
            *times.entry([low, high]).or_insert(0) += 1;
        }
        assert_eq!(times.len(), 10);
        assert!(
            times.values().all(|times| (850..1150).contains(times)),
            "{times:?}"
        );
    }
}
