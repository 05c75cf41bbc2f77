//! Why one candidate stands before another: the difference of their scores term by
//! term and debater by debater, and what alone would turn the two round (SCORING.md
//! section 2, "One against another"). Nothing here changes a score or a decision.

use std::cmp::Ordering;

use serde::Serialize;

use super::changes::{Change, to_pass};
use super::debaters::Roster;
use super::intervals::overtaken;
use super::numbers::{Numbers, standing};
use super::payload::Payload;
use super::rules::{ELIMINATION, FAIL_RISKS, MOST_MEAN};
use super::score::opponents;
use super::term::{ByTerm, Term};
use super::trace::reviews_in_words;
use super::verdict::{comes_before, gap};
use super::{DebateResult, ReviewField, Row, TieBreak, Weights};
use crate::analysis::flips::beyond;
use crate::analysis::{apportion_all, round4};
use crate::text::{Shown, sort_by};

/// Steps of a value that is no mean of whole numbers, in one.
const STEPS: f64 = 1e4;
/// So many terms, debaters or ways are named in a sentence.
const NAMED: usize = 3;

/// Two candidates beside each other. Numbers are rounded to 4 decimals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Against {
    /// Who comes first of the two.
    pub ahead: String,
    /// Who comes after it.
    pub behind: String,
    /// The score of the one ahead less the score of the one behind. Below 0 only where
    /// the one behind is eliminated.
    pub gap: f64,
    /// What put one first where the scores are equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tie_broken_by: Option<TieBreak>,
    /// Why the one behind is out, where it is: then no number brings it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eliminated: Option<Out>,
    /// The head-to-heads that each won: the one ahead, the one behind.
    pub wins: [i64; 2],
    /// How many each could have won.
    pub opponents: usize,
    /// How the two stand, in a sentence.
    pub sentence: String,
    /// By term, in the order of the formula; the differences add up to the gap.
    pub terms: Vec<TermDifference>,
    /// By debater, in the order of the reviews. The differences add up to those of base
    /// and risk.
    pub debaters: Vec<DebaterDifference>,
    /// By term, what of the one behind would have to be otherwise.
    pub needs: Vec<Need>,
    /// By weight, where the two turn round; only those that do.
    pub weights: Vec<Turn>,
    /// The smallest single change of a rating, win, match or claim that turns them round.
    pub smallest_change: Option<Change>,
}

/// What is known of an eliminated candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Out {
    /// The flagged reviews, positions from 0.
    pub reviews: Vec<usize>,
    /// The same in words: "review 1 (opus) and review 3".
    pub words: String,
    /// The rank that its score alone would give it among the survivors, from 1.
    pub otherwise: usize,
    /// Of how many, it among them.
    pub of: usize,
}

/// A term of two scores.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermDifference {
    /// The term's name (`base`, ...).
    pub term: &'static str,
    /// Its weight.
    pub weight: f64,
    /// What the weight multiplies: of the one ahead, of the one behind. Risk is not
    /// negative, as it is shown.
    pub values: [f64; 2],
    /// The contribution to the one ahead less that to the one behind: weight x the
    /// difference of the values (with risk, its negative), to 0.0002.
    pub difference: f64,
}

/// A debater's ratings of two candidates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DebaterDifference {
    /// Its name, or its position in words.
    pub name: String,
    /// What its ratings bring the one ahead more than the one behind, by base.
    pub base: f64,
    /// The same by risk: above 0 where it sees more risks in the one behind.
    pub risk: f64,
    /// How it rated the one ahead: support, evidence, `major_risks` and `critical_fail`,
    /// each added up over its reviews; none where it did not review it.
    pub of_ahead: Option<[i64; 4]>,
    /// The same of the one behind.
    pub of_behind: Option<[i64; 4]>,
}

impl DebaterDifference {
    /// Base and risk together.
    pub fn total(&self) -> f64 {
        round4(self.base + self.risk)
    }
}

/// What a term of the one behind, the others kept, would have to be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Need {
    /// The term's name.
    pub term: &'static str,
    /// Its value now; risk is not negative, and of pairwise it is the share of wins.
    pub from: f64,
    /// The nearest value with which it comes before the other; none where the best does not.
    pub to: Option<f64>,
    /// The best value that it can have.
    pub best: f64,
    /// The score of the other less its own with the best value.
    pub gap_at_best: f64,
}

/// A weight at which the two turn round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// The weight's name (`w_base`, ...).
    pub weight: &'static str,
    /// Its value.
    pub from: f64,
    /// The nearest at which the one behind comes first, the other weights kept.
    pub at: f64,
    /// "pairwise below 1.31".
    pub words: String,
}

/// Compares two candidates of a scored payload, in either order; none if one of them is
/// not there, or both are the same.
pub(super) fn against(
    payload: &Payload,
    result: &DebateResult,
    numbers: &Numbers,
    ids: [&str; 2],
) -> Option<Against> {
    let places = ids.map(|id| result.results.iter().position(|row| row.id == id));
    let ([Some(one), Some(other)], true) = (places, ids[0] != ids[1]) else {
        return None;
    };
    let rows = [one.min(other), one.max(other)].map(|place| &result.results[place]);
    let place = |row: &Row| payload.candidates.iter().position(|c| c.id == row.id);
    let pair = [place(rows[0])?, place(rows[1])?];
    let (weights, contributions) = (
        result.weights.values(),
        rows.map(|row| row.contributions.values()),
    );
    let difference = |term: Term| round4(contributions[0][term] - contributions[1][term]);
    let eliminated = rows[1]
        .eliminated
        .then(|| out(payload, numbers, &weights, pair[1]));
    let mut found = Against {
        ahead: rows[0].id.clone(),
        behind: rows[1].id.clone(),
        gap: gap(rows[0].score, rows[1].score),
        wins: rows.map(|row| row.wins),
        opponents: payload.candidates.len() - 1,
        tie_broken_by: rows[0].tie_break(rows[1]),
        terms: Term::ALL
            .into_iter()
            .map(|term| TermDifference {
                term: term.name(),
                weight: weights[term],
                values: rows.map(|row| row.value(term)),
                difference: difference(term),
            })
            .collect(),
        debaters: debaters(
            payload,
            &weights,
            pair,
            [difference(Term::Base), difference(Term::Risk)],
        ),
        needs: Vec::new(),
        weights: Vec::new(),
        smallest_change: to_pass(payload, numbers, &result.weights, [pair[1], pair[0]]),
        eliminated,
        sentence: String::new(),
    };
    found.sentence = found.standing(rows);
    if found.eliminated.is_none() {
        let asked = Asked {
            payload,
            numbers,
            weights: &weights,
            pair,
        };
        found.needs = Term::ALL
            .into_iter()
            .filter_map(|term| asked.need(term))
            .collect();
        found.weights = turns(numbers, &result.weights, pair);
    }
    Some(found)
}

fn out(payload: &Payload, numbers: &Numbers, weights: &ByTerm<f64>, candidate: usize) -> Out {
    let all = &payload.candidates[candidate].reviews;
    let reviews: Vec<usize> = (0..all.len())
        .filter(|review| all[*review].critical_fail > 0)
        .collect();
    let as_if = |candidate: usize| {
        let mut standing = numbers.standing(candidate, weights);
        standing.eliminated = false;
        (candidate, standing)
    };
    let own = as_if(candidate);
    let before = numbers
        .survivors()
        .filter(|other| comes_before(&as_if(*other), &own));
    Out {
        words: reviews_in_words(all, &reviews),
        reviews,
        otherwise: before.count() + 1,
        of: numbers.survivors().count() + 1,
    }
}

/// What each debater brings to the differences of base and risk.
fn debaters(
    payload: &Payload,
    weights: &ByTerm<f64>,
    pair: [usize; 2],
    totals: [f64; 2],
) -> Vec<DebaterDifference> {
    let roster = Roster::new(payload);
    let mut rated = vec![[None::<[i64; 4]>; 2]; roster.debaters.len()];
    for (side, candidate) in pair.into_iter().enumerate() {
        let reviews = payload.candidates[candidate].reviews.iter();
        for (review, debater) in reviews.zip(&roster.of[candidate]) {
            let sum = rated[*debater][side].get_or_insert([0; 4]);
            for (sum, field) in sum.iter_mut().zip(ReviewField::ALL) {
                *sum += field.of(review);
            }
        }
    }
    let count = pair.map(|candidate| payload.candidates[candidate].reviews.len().max(1) as f64);
    // its share of the two means, as they are weighed
    let share = |weight: f64, of: &[Option<[i64; 4]>; 2], value: fn(&[i64; 4]) -> i64| {
        let [ahead, behind] = [0, 1].map(|side| {
            let rated = of[side].as_ref().map_or(0, value);
            rated as f64 / count[side]
        });
        weight * (ahead - behind)
    };
    let base = |all: &[i64; 4]| all[0] + all[1];
    let risk = |all: &[i64; 4]| all[2] + FAIL_RISKS * all[3];
    // who reviewed neither brings nothing, rounding included
    let who: Vec<usize> = (0..rated.len())
        .filter(|debater| rated[*debater].iter().any(Option::is_some))
        .collect();
    let of = |weight: f64, value: fn(&[i64; 4]) -> i64, total: f64| {
        let all = who
            .iter()
            .map(|debater| share(weight, &rated[*debater], value));
        apportion_all(&all.collect::<Vec<_>>(), total)
    };
    let bases = of(weights[Term::Base], base, totals[0]);
    let risks = of(-weights[Term::Risk], risk, totals[1]);
    let parts = bases.into_iter().zip(risks);
    who.iter()
        .zip(parts)
        .map(|(debater, (base, risk))| DebaterDifference {
            name: roster.debaters[*debater].name(),
            base,
            risk,
            of_ahead: rated[*debater][0],
            of_behind: rated[*debater][1],
        })
        .collect()
}

/// What two candidates are asked about: who is ahead, who is behind.
struct Asked<'a> {
    payload: &'a Payload,
    numbers: &'a Numbers,
    weights: &'a ByTerm<f64>,
    pair: [usize; 2],
}

impl Asked<'_> {
    /// Where the one behind stands with another value of a term, its sign included.
    fn passes(&self, term: Term, value: f64) -> (bool, f64) {
        let [ahead, behind] = self.pair;
        let mut values = self.numbers.values[behind];
        values[term] = value;
        let new = standing(&values, self.numbers.critical_fails[behind], self.weights);
        let old = self.numbers.standing(ahead, self.weights);
        let passes = comes_before(&(behind, new), &(ahead, old));
        (passes, gap(old.score, new.score))
    }

    /// None where nothing is weighed with the term.
    fn need(&self, term: Term) -> Option<Need> {
        if self.weights[term] == 0.0 {
            return None;
        }
        let behind = self.pair[1];
        let now = self.numbers.values[behind][term];
        // every value is a whole number of steps: means of whole numbers, or of 0.0001
        let reviews = self.payload.candidates[behind].reviews.len().max(1) as f64;
        let (steps, best) = match term {
            Term::Base => (reviews, MOST_MEAN),
            Term::Pairwise => (opponents(self.payload), 1.0),
            Term::Risk => (reviews, 0.0),
            Term::Reliability | Term::Formal => (STEPS, 1.0),
        };
        let value = |step: f64| (step / steps).min(best);
        let (passes_at_best, gap_at_best) = self.passes(term, best);
        let (mut without, mut with) = ((now * steps + 1e-9).floor(), (best * steps).ceil());
        while with - without > 1.0 {
            let middle = f64::midpoint(without, with).floor();
            if self.passes(term, value(middle)).0 {
                with = middle;
            } else {
                without = middle;
            }
        }
        let shown = |value: f64| round4(term.sign() * value);
        Some(Need {
            term: term.name(),
            from: shown(now),
            to: (passes_at_best && now < best).then(|| shown(value(with))),
            best: shown(best),
            gap_at_best,
        })
    }
}

/// Where each weight turns two survivors round.
fn turns(numbers: &Numbers, weights: &Weights, pair: [usize; 2]) -> Vec<Turn> {
    let values = weights.values();
    let turn = |term: Term| {
        let from = values[term];
        let others = Term::ALL.into_iter().filter(|other| *other != term);
        let is_alone = others.map(|other| values[other]).sum::<f64>() == 0.0;
        let found = overtaken(numbers, weights, term, pair);
        let found = found.into_iter().flatten();
        // no weight at all is no set of weights
        let found = found.filter(|at| *at > 0.0 || !is_alone);
        let at = found.min_by(|a, b| (a - from).abs().total_cmp(&(b - from).abs()))?;
        Some(Turn {
            weight: term.weight(),
            from,
            at,
            words: beyond(term.name(), at, from),
        })
    };
    Term::ALL.into_iter().filter_map(turn).collect()
}

// ---- in words

/// A number in a sentence, as short as it goes.
fn number(value: f64) -> String {
    round4(value).to_string()
}

fn wins_in_words(wins: i64) -> String {
    let ending = if wins == 1 { "" } else { "s" };
    format!("{wins} win{ending}")
}

/// "a", "a and b", "a, b and c".
fn listed(words: &[String], last: &str) -> String {
    match words.split_last() {
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

impl Against {
    /// Who stands where: "B is 0.3 behind C (2.775 against 3.075)."
    fn standing(&self, [first, second]: [&Row; 2]) -> String {
        let (ahead, behind) = (Shown(&self.ahead), Shown(&self.behind));
        let scores = format!("{} against {}", number(second.score), number(first.score));
        if let Some(out) = &self.eliminated {
            let otherwise = format!(
                "By its score alone it would be {} of {}",
                ordinal(out.otherwise),
                out.of
            );
            return format!(
                "{behind} is eliminated by {ELIMINATION}: {}. {otherwise} ({scores}).",
                out.words
            );
        }
        match self.tie_broken_by {
            Some(tie) => format!(
                "{behind} has the same score as {ahead} ({}): {}.",
                number(first.score),
                tie.between(first, second)
            ),
            None => format!(
                "{behind} is {} behind {ahead} ({scores}).",
                number(self.gap)
            ),
        }
    }

    /// All that is said of the two, sentence by sentence.
    pub fn sentences(&self) -> Vec<String> {
        let mut lines = vec![self.sentence.clone()];
        lines.extend(self.reasons());
        let ways = self.ways().into_iter();
        lines.extend(ways.map(|way| format!("Enough alone: {way}.")));
        lines.extend(self.in_vain());
        lines
    }

    /// The same as text, a sentence on each line.
    pub fn text(&self) -> String {
        self.sentences().join("\n")
    }

    /// What a term's weight multiplies, of each of the two; of pairwise the wins.
    pub fn shown_values(&self, term: &TermDifference) -> [String; 2] {
        if term.term == Term::Pairwise.name() {
            self.wins.map(wins_in_words)
        } else {
            term.values.map(number)
        }
    }

    /// Which terms make the difference, and which speak against it.
    pub fn reasons(&self) -> Vec<String> {
        let for_whom = |sign: f64| {
            let mut terms: Vec<&TermDifference> = self
                .terms
                .iter()
                .filter(|term| term.difference * sign > 0.0)
                .collect();
            sort_by(&mut terms, |a, b| {
                b.difference.abs().total_cmp(&a.difference.abs())
            });
            let words = terms.iter().map(|term| {
                let by = number(term.difference.abs());
                let mut values = self.shown_values(term);
                if sign < 0.0 {
                    values.swap(0, 1);
                }
                let [own, others] = values;
                format!("{} {by} ({own} against {others})", term.term)
            });
            words.collect::<Vec<_>>()
        };
        let said = [(1.0, &self.ahead), (-1.0, &self.behind)].map(|(sign, id)| {
            let words = for_whom(sign);
            (!words.is_empty()).then(|| format!("For {}: {}.", Shown(id), listed(&words, "and")))
        });
        let mut said: Vec<String> = said.into_iter().flatten().collect();
        said.extend(self.loudest());
        said
    }

    /// Whose ratings make the most of the difference.
    fn loudest(&self) -> Option<String> {
        if self.debaters.len() < 2 {
            return None;
        }
        let louder = |a: &&DebaterDifference, b: &&DebaterDifference| {
            // of equals the first
            a.total().total_cmp(&b.total()).then(Ordering::Greater)
        };
        let loudest = self.debaters.iter().max_by(louder)?;
        (loudest.total() > 0.0).then(|| {
            format!(
                "Of the debaters, the ratings of {} add most to the difference: {} in favour of {}.",
                Shown(&loudest.name),
                number(loudest.total()),
                Shown(&self.ahead)
            )
        })
    }

    /// What alone would turn the two round, one way each, the ways in the input first.
    pub fn ways(&self) -> Vec<String> {
        let mut ways = Vec::new();
        if let Some(change) = &self.smallest_change {
            ways.push(format!("{}: {}", change.words, change.becomes.words()));
        }
        ways.extend(self.needs.iter().filter_map(|need| {
            let (from, to) = (need.from, need.to?);
            Some(if need.term == Term::Pairwise.name() {
                let wins = (to * self.opponents as f64).round() as i64;
                format!("{} instead of {}", wins_in_words(wins), self.wins[1])
            } else {
                format!("{} {} instead of {}", need.term, number(to), number(from))
            })
        }));
        let mut turns: Vec<&Turn> = self.weights.iter().collect();
        // a weight of 0 has no proportion: it comes last
        let change = |turn: &Turn| (turn.at - turn.from).abs() / turn.from;
        sort_by(&mut turns, |a, b| change(a).total_cmp(&change(b)));
        let named = turns.iter().take(NAMED);
        ways.extend(named.map(|turn| format!("the weight of {}", turn.words)));
        ways
    }

    /// What alone could not, in words.
    pub fn in_vain(&self) -> Vec<String> {
        if self.eliminated.is_some() && self.smallest_change.is_none() {
            let ahead = Shown(&self.ahead);
            return vec![format!("No single change brings it before {ahead}.")];
        }
        let mut said = Vec::new();
        let needs = self.needs.iter();
        let needs = needs.filter(|need| need.to.is_none() && need.from != need.best);
        let short = needs.map(|need| {
            let (what, short) = (best_words(need), need.gap_at_best.max(0.0));
            format!("{what} ({} short)", number(short))
        });
        let short: Vec<String> = short.collect();
        if !short.is_empty() {
            let behind = Shown(&self.behind);
            let short = listed(&short, "or");
            said.push(format!(
                "None of these alone is enough for {behind}: {short}."
            ));
        }
        if self.smallest_change.is_none() {
            said.push("No single rating, win or claim turns them round.".into());
        }
        if self.eliminated.is_none() && self.weights.is_empty() {
            said.push("No single weight turns them round.".into());
        }
        said
    }
}

/// The best that a term can be, in words.
fn best_words(need: &Need) -> String {
    match need.term {
        "pairwise" => "all wins".into(),
        "risk" => "no risk at all".into(),
        "formal" => "every claim proved".into(),
        term => format!("{term} {}", number(need.best)),
    }
}

/// "1st", "2nd", "11th".
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, hundred) if hundred != 11 => "st",
        (2, hundred) if hundred != 12 => "nd",
        (3, hundred) if hundred != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
