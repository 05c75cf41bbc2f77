//! The decision step by step, with the numbers filled in; what a hybrid's two
//! contribute; and the questions that would raise a score which is too low.

use std::collections::HashMap;

use serde::Serialize;

use super::formal::{ClaimStatus, formal_score};
use super::rules::{CLEAR_GAP, ELIMINATING_FAILS, MOST_MEAN, SUFFICIENT};
use super::score::risks;
use super::term::Term;
use super::verdict::{Ruling, capital, gap, idle_pairwise};
use super::{Candidate, DebateResult, Decision, Payload, Review, ReviewField, Row, TieBreak};
use crate::analysis::round4;
use crate::text::{Shown, sort_by, sort_by_key};

/// How a decision came about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trace {
    /// The steps, in the order in which they are taken.
    pub steps: Vec<Step>,
    /// Of a hybrid, what each of the two brings; else empty.
    pub sides: Vec<Side>,
    /// Where nobody is good enough, what to ask; the most promising first. Else empty.
    pub follow_ups: Vec<FollowUp>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What was found.
    #[serde(flatten)]
    pub fact: Fact,
    /// The same in a sentence.
    pub sentence: String,
}

/// What a step found. Scores and gaps are rounded to 4 decimals.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs)] // the numbers of the rule
pub enum Fact {
    /// Something that was only tried; what follows is no evidence.
    WhatIf { path: String },
    /// Nobody has won a head-to-head, and they have a weight.
    NoHeadToHeads { weight: f64 },
    /// Too many critical fails.
    Eliminated {
        candidate: String,
        /// The flagged reviews, positions from 0.
        reviews: Vec<usize>,
        limit: usize,
    },
    /// How many are left.
    Survivors { survivors: usize, candidates: usize },
    /// Equal scores at the top.
    Tie {
        first: String,
        second: String,
        score: f64,
        broken_by: TieBreak,
    },
    /// The top score against [`SUFFICIENT`].
    Threshold {
        candidate: String,
        score: f64,
        threshold: f64,
        met: bool,
    },
    /// The lead against [`CLEAR_GAP`]; not asked where the threshold is not met.
    Gap {
        first: String,
        second: String,
        gap: f64,
        clear_gap: f64,
        clear: bool,
    },
    /// There is no second.
    OnlySurvivor { candidate: String },
    /// The verdict.
    Decided { ruling: Ruling },
}

/// Where one of a hybrid's two is stronger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Side {
    /// A term (`base`, ...) or `debater`.
    pub about: &'static str,
    /// The debater, if it is one that reviewed both.
    pub debater: Option<String>,
    /// Of the first: the term's contribution, or the debater's mean of
    /// support + evidence - major_risks - 2 critical_fail.
    pub first: f64,
    /// Of the second.
    pub second: f64,
    /// Who is stronger; none if neither.
    pub stronger: Option<String>,
    /// In a sentence.
    pub sentence: String,
}

/// A question whose answer may raise a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FollowUp {
    /// The candidate.
    pub candidate: String,
    /// A term (`base`, `pairwise`, `risk`), `claim` or `critical_fail`.
    pub about: &'static str,
    /// What the best answer would add to its score; none for a flag, which
    /// decides whether there is a score.
    pub gain: Option<f64>,
    /// The reviews (or the claim) to look at, positions from 0.
    pub places: Vec<usize>,
    /// The question.
    pub question: String,
}

/// Traces the decision of a scored payload.
pub fn trace(payload: &Payload, result: &DebateResult) -> Trace {
    let survivors: Vec<&Row> = result
        .results
        .iter()
        .filter(|row| !row.eliminated)
        .collect();
    let tried = result.what_if.iter().map(|tried| Step {
        fact: Fact::WhatIf {
            path: tried.path.clone(),
        },
        sentence: format!("{}.", tried.sentence()),
    });
    let idle = result.idle_pairwise().map(|weight| Step {
        fact: Fact::NoHeadToHeads { weight },
        sentence: format!("{}.", capital(&idle_pairwise(weight))),
    });
    let mut steps: Vec<Step> = tried.chain(idle).collect();
    steps.extend(eliminations(payload, result));
    let count = survivors.len();
    let of = result.results.len();
    steps.push(Step {
        fact: Fact::Survivors {
            survivors: count,
            candidates: of,
        },
        sentence: format!("{count} of {of} candidates remain."),
    });
    if let Some(first) = survivors.first() {
        steps.extend(at_the_top(first, survivors.get(1).copied(), result));
    }
    let ruling = Ruling::of(result);
    steps.push(Step {
        sentence: ruling.conclusion(),
        fact: Fact::Decided { ruling },
    });
    Trace {
        steps,
        sides: match (result.decision, survivors.as_slice()) {
            (Decision::Hybrid, [first, second, ..]) => sides(payload, first, second),
            _ => Vec::new(),
        },
        follow_ups: match (result.decision, survivors.first()) {
            (Decision::Insufficient, Some(first)) => lacking(payload, result, first),
            (Decision::AllEliminated, _) => flagged(payload),
            _ => Vec::new(),
        },
    }
}

fn candidate<'a>(payload: &'a Payload, id: &str) -> Option<&'a Candidate> {
    payload
        .candidates
        .iter()
        .find(|candidate| candidate.id == id)
}

fn positions(reviews: &[Review], is: impl Fn(&Review) -> bool) -> Vec<usize> {
    (0..reviews.len())
        .filter(|index| is(&reviews[*index]))
        .collect()
}

/// The most reviews that a sentence names.
const MOST_NAMED: usize = 12;

/// "review 1 (opus) and review 3".
pub(super) fn reviews_in_words(reviews: &[Review], places: &[usize]) -> String {
    let mut words: Vec<String> = places
        .iter()
        .take(MOST_NAMED)
        .map(
            |place| match reviews.get(*place).and_then(|r| r.debater.as_ref()) {
                Some(debater) => format!("review {} ({})", place + 1, Shown(debater)),
                None => format!("review {}", place + 1),
            },
        )
        .collect();
    if places.len() > MOST_NAMED {
        words.push(format!("{} more", places.len() - MOST_NAMED));
    }
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn eliminations(payload: &Payload, result: &DebateResult) -> Vec<Step> {
    let out = result.results.iter().filter(|row| row.eliminated);
    out.map(|row| {
        let all = candidate(payload, &row.id).map_or(&[][..], |c| &c.reviews);
        let reviews = positions(all, |review| review.critical_fail > 0);
        Step {
            sentence: format!(
                "{} is eliminated: {} critical fails, in {}; {ELIMINATING_FAILS} or more eliminate.",
                Shown(&row.id),
                row.critical_fails,
                reviews_in_words(all, &reviews)
            ),
            fact: Fact::Eliminated {
                candidate: row.id.clone(),
                reviews,
                limit: ELIMINATING_FAILS,
            },
        }
    })
    .collect()
}

/// Tie, threshold and gap.
fn at_the_top(first: &Row, second: Option<&Row>, result: &DebateResult) -> Vec<Step> {
    let mut steps = Vec::new();
    if let (Some(second), Some(broken_by)) = (second, result.tie_broken_by) {
        let by = broken_by.between(first, second);
        steps.push(Step {
            sentence: format!(
                "{} and {} tie at {}: {by}.",
                Shown(&first.id),
                Shown(&second.id),
                first.score
            ),
            fact: Fact::Tie {
                first: first.id.clone(),
                second: second.id.clone(),
                score: first.score,
                broken_by,
            },
        });
    }
    let met = first.score >= SUFFICIENT;
    let compared = if met { "at least" } else { "below" };
    steps.push(Step {
        sentence: format!(
            "{} has the top score, {}: {compared} {SUFFICIENT:.2}.",
            Shown(&first.id),
            first.score
        ),
        fact: Fact::Threshold {
            candidate: first.id.clone(),
            score: first.score,
            threshold: SUFFICIENT,
            met,
        },
    });
    if met {
        steps.push(lead(first, second));
    }
    steps
}

fn lead(first: &Row, second: Option<&Row>) -> Step {
    let Some(second) = second else {
        return Step {
            sentence: format!("{} has no rival left.", Shown(&first.id)),
            fact: Fact::OnlySurvivor {
                candidate: first.id.clone(),
            },
        };
    };
    let gap = gap(first.score, second.score);
    let clear = gap >= CLEAR_GAP;
    let compared = if clear { "at least" } else { "less than" };
    Step {
        sentence: format!(
            "It leads {} ({}) by {gap}: {compared} {CLEAR_GAP:.2}.",
            Shown(&second.id),
            second.score
        ),
        fact: Fact::Gap {
            first: first.id.clone(),
            second: second.id.clone(),
            gap,
            clear_gap: CLEAR_GAP,
            clear,
        },
    }
}

fn sides(payload: &Payload, first: &Row, second: &Row) -> Vec<Side> {
    let contributions = [first, second].map(|row| row.contributions.values());
    let terms = Term::ALL.into_iter().filter_map(|term| {
        let [a, b] = contributions.map(|parts| parts[term]);
        (a != 0.0 || b != 0.0).then(|| side([first, second], term.name(), None, [a, b]))
    });
    let mut all: Vec<Side> = terms.collect();
    let pair = candidate(payload, &first.id).zip(candidate(payload, &second.id));
    if let Some((one, other)) = pair {
        let others: HashMap<&str, f64> = opinions(other).into_iter().collect();
        for (debater, a) in opinions(one) {
            if let Some(b) = others.get(debater) {
                all.push(side([first, second], "debater", Some(debater), [a, *b]));
            }
        }
    }
    all
}

/// Contributions are rounded so that they add up: what is equal may differ by as much.
const ADDS_UP: f64 = 2e-4;

/// Who of two has the larger number.
fn side(rows: [&Row; 2], about: &'static str, debater: Option<&str>, numbers: [f64; 2]) -> Side {
    let [first, second] = rows;
    let [mut a, b] = numbers.map(round4);
    if (a - b).abs() < ADDS_UP {
        a = b;
    }
    let subject = match debater {
        Some(debater) => format!("To {}", Shown(debater)),
        None => format!("In {about}"),
    };
    let (more, less) = if a > b {
        (first, second)
    } else {
        (second, first)
    };
    let (most, least) = (a.max(b), a.min(b));
    let sentence = if a == b {
        format!(
            "{subject} {} and {} are equal ({a}).",
            Shown(&first.id),
            Shown(&second.id)
        )
    } else {
        format!(
            "{subject} {} is stronger than {} ({most} against {least}).",
            Shown(&more.id),
            Shown(&less.id)
        )
    };
    Side {
        about,
        debater: debater.map(str::to_owned),
        first: a,
        second: b,
        stronger: (a != b).then(|| more.id.clone()),
        sentence,
    }
}

/// What each named debater thinks of a candidate, in the order of the reviews.
fn opinions(candidate: &Candidate) -> Vec<(&str, f64)> {
    let mut sums: Vec<(&str, f64, f64)> = Vec::new();
    let mut places = HashMap::new();
    for review in &candidate.reviews {
        let Some(name) = review.debater.as_deref() else {
            continue;
        };
        let value = (review.support + review.evidence - risks(review)) as f64;
        let next = sums.len();
        let place = *places.entry(name).or_insert(next);
        if place == next {
            sums.push((name, 0.0, 0.0));
        }
        let (_, sum, count) = &mut sums[place];
        *sum += value;
        *count += 1.0;
    }
    sums.into_iter()
        .map(|(name, sum, count)| (name, sum / count))
        .collect()
}

/// What keeps the top candidate below the threshold.
fn lacking(payload: &Payload, result: &DebateResult, first: &Row) -> Vec<FollowUp> {
    let Some(candidate) = candidate(payload, &first.id) else {
        return Vec::new();
    };
    let weights = result.weights.values();
    let mut all: Vec<FollowUp> = [Term::Base, Term::Pairwise, Term::Risk]
        .into_iter()
        .map(|term| {
            let (best, places, question) = asked(payload, candidate, first, term);
            let gain = weights[term] * (best - term.sign() * first.value(term));
            follow_up(first, term.name(), gain, places, question)
        })
        .collect();
    all.extend(
        unresolved(candidate, weights[Term::Formal])
            .map(|(claim, gain, question)| follow_up(first, "claim", gain, vec![claim], question)),
    );
    all.retain(|follow_up| follow_up.gain.is_some_and(|gain| gain > 0.0));
    // stable: equal gains stay in the order of the formula
    sort_by(&mut all, |a, b| {
        b.gain.unwrap_or(0.0).total_cmp(&a.gain.unwrap_or(0.0))
    });
    all
}

fn follow_up(
    of: &Row,
    about: &'static str,
    gain: f64,
    places: Vec<usize>,
    question: String,
) -> FollowUp {
    FollowUp {
        candidate: of.id.clone(),
        about,
        gain: Some(round4(gain)),
        places,
        question,
    }
}

/// Of a term that reviews and matches make: its best value, the reviews to look
/// at, and the question.
fn asked(
    payload: &Payload,
    candidate: &Candidate,
    row: &Row,
    term: Term,
) -> (f64, Vec<usize>, String) {
    let Row { id, wins, .. } = row;
    let id = Shown(id);
    let reviews = &candidate.reviews;
    match term {
        Term::Base => {
            let (field, lowest) = weaker_half(reviews);
            let question = format!(
                "What would raise {id}'s {}? It is lowest in {}; base is {} of {MOST_MEAN}.",
                field.name(),
                reviews_in_words(reviews, &lowest),
                row.base
            );
            (MOST_MEAN, lowest, question)
        }
        Term::Risk => {
            let risky = positions(reviews, |r| r.major_risks + r.critical_fail > 0);
            let question = format!(
                "How can the risks of {id} be met that {} name? Risk is {} of {MOST_MEAN}.",
                reviews_in_words(reviews, &risky),
                row.risk
            );
            (0.0, risky, question)
        }
        _ => {
            let others = payload.candidates.len().saturating_sub(1);
            let question = format!(
                "What does {id} miss that the candidates it lost to have? It won {wins} of {others}."
            );
            (1.0, Vec::new(), question)
        }
    }
}

/// Support or evidence, whichever is lower in sum, and the reviews where it is lowest.
fn weaker_half(reviews: &[Review]) -> (ReviewField, Vec<usize>) {
    let sum = |field: ReviewField| reviews.iter().map(|r| field.of(r)).sum::<i64>();
    let field = if sum(ReviewField::Evidence) <= sum(ReviewField::Support) {
        ReviewField::Evidence
    } else {
        ReviewField::Support
    };
    let least = reviews.iter().map(|review| field.of(review)).min();
    let lowest = positions(reviews, |review| Some(field.of(review)) == least);
    (field, lowest)
}

/// Claims that are neither proved nor disproved, what a proof of each alone
/// would add, and the question.
fn unresolved(
    candidate: &Candidate,
    w_formal: f64,
) -> impl Iterator<Item = (usize, f64, String)> + '_ {
    let now = candidate.formal_score.unwrap_or(0.0);
    let mut statuses: Vec<ClaimStatus> = candidate.claims.iter().map(|c| c.status).collect();
    let open = candidate.claims.iter().enumerate();
    open.filter(|(_, claim)| !claim.status.is_decided())
        .map(move |(index, claim)| {
            statuses[index] = ClaimStatus::Proved;
            let gain = w_formal * (formal_score(&statuses) - now);
            statuses[index] = claim.status;
            let text = match &claim.text {
                Some(text) => format!("\"{}\"", Shown(text)),
                None => format!("claim {} of {}", index + 1, Shown(&candidate.id)),
            };
            let question = format!(
                "Can {text} be proved? The prover's answer is {}.",
                claim.status.word()
            );
            (index, gain, question)
        })
}

/// The flags of eliminated candidates, those with the fewest first.
fn flagged(payload: &Payload) -> Vec<FollowUp> {
    let mut all: Vec<(usize, FollowUp)> = payload
        .candidates
        .iter()
        .map(|candidate| {
            let reviews = &candidate.reviews;
            let places = positions(reviews, |review| review.critical_fail > 0);
            let too_many = (places.len() + 1).saturating_sub(ELIMINATING_FAILS);
            let question = format!(
                "Can {} be cured of what {} call critical? {too_many} of {} flags must go.",
                Shown(&candidate.id),
                reviews_in_words(reviews, &places),
                places.len()
            );
            let follow_up = FollowUp {
                candidate: candidate.id.clone(),
                about: "critical_fail",
                gain: None,
                places,
                question,
            };
            (too_many, follow_up)
        })
        .collect();
    sort_by_key(&mut all, |(flags, _)| *flags);
    all.into_iter().map(|(_, follow_up)| follow_up).collect()
}
