//! Debates that are as they are meant to be, read in one go: what a job with a million of them waits
//! for. Other keys may stand in them. Whatever else there is to say of one goes the long way, which knows
//! where everything stands.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::evaluate::score;
use super::formal::ClaimStatus;
use super::options::Options;
use super::payload::{
    CANDIDATE, Candidate, Claim, DebateId, Outcome, Payload, REVIEW_KEYS, ROOT, Review,
    impossible_wins, in_words, score_of,
};
use super::profile::Profiles;
use super::result::DebateResult;
use crate::analysis::round4;
use crate::document::{
    Evaluation, Known, Noted, Object, Problem, SOURCE, Sifted, Text, input_sha256, offset,
};
use crate::text::{Place, Places};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Debate<'a> {
    id: Option<DebateId>,
    question: Option<String>,
    domain: Option<String>,
    #[serde(borrow)]
    candidates: Vec<Sifted<'a, Answer<'a>>>,
    #[serde(borrow)]
    pairwise: Option<Vec<Object<Match<'a>>>>,
}

impl Known for Debate<'_> {
    const KEYS: &'static [&'static str] = &ROOT;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer<'a> {
    id: String,
    model: Option<String>,
    wins: Option<i64>,
    formal_score: Option<f64>,
    #[serde(borrow)]
    claims: Option<Vec<Object<Stated<'a>>>>,
    #[serde(borrow)]
    reviews: Vec<Sifted<'a, Rating>>,
}

impl Known for Answer<'_> {
    const KEYS: &'static [&'static str] = &CANDIDATE;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rating {
    debater: Option<String>,
    support: i64,
    evidence: i64,
    major_risks: i64,
    critical_fail: i64,
    justification: Option<String>,
}

impl Known for Rating {
    const KEYS: &'static [&'static str] = &REVIEW_KEYS;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stated<'a> {
    text: Option<String>,
    #[serde(borrow)]
    status: Text<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Match<'a> {
    #[serde(borrow)]
    winner: Text<'a>,
    #[serde(borrow)]
    loser: Text<'a>,
}

/// The same as [`super::evaluate`] with these profiles, of a text that is one debate in which nothing is
/// wrong but for keys that nobody reads. None of any other text, and where the options are refused.
/// `options.profiles` is not looked at.
///
/// ```
/// use assay::debate::{Options, Profiles, evaluate, evaluate_quickly};
///
/// let text = r#"{"candidates": [
///     {"id": "A", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
///     {"id": "B", "wins": 0, "reviews": [{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}]}]}"#;
/// let options = Options::default();
/// let quick = evaluate_quickly(text, Profiles::built_in(), &options);
/// assert_eq!(quick, Some(evaluate(text, &options)));
/// assert_eq!(evaluate_quickly(&text.replace("\"wins\"", "\"win\""), Profiles::built_in(), &options), None);
/// ```
pub fn evaluate_quickly(
    text: &str,
    profiles: &Profiles,
    options: &Options,
) -> Option<Evaluation<DebateResult>> {
    let (mut payload, mut problems) = read(text)?;
    let mut scored = score(&payload, profiles, options);
    if scored.problems.iter().any(|own| own.input.is_none()) {
        find_places(&mut payload, text)?;
        scored = score(&payload, profiles, options);
    }
    problems.extend(scored.problems);
    let result = Some(scored.result?);
    Some(Evaluation { result, problems })
}

/// The debate, and what there is to say of its keys.
fn read(text: &str) -> Option<(Payload, Vec<Problem>)> {
    let Sifted { read, others } = serde_json::from_str::<Sifted<Debate>>(text).ok()?;
    let n = read.candidates.len();
    if n < 2 || others.contains(&SOURCE) || has_few_keys(&read, &others) {
        return None;
    }
    let problems = of_keys(text, &read, &others)?;
    let matches = read.pairwise.filter(|list| !list.is_empty());
    let matches = match matches {
        Some(list) => Some(outcomes(&list, &read.candidates)?),
        None => None,
    };
    let counted = matches.as_ref().map(|matches| {
        let mut wins = vec![0; n];
        for own in matches {
            wins[own.winner] += 1;
        }
        wins
    });
    let candidates = read.candidates.into_iter().enumerate();
    let candidates: Vec<Candidate> = candidates
        .map(|(index, answer)| {
            let counted = counted.as_ref().map(|wins| wins[index]);
            candidate(answer.read, n, counted)
        })
        .collect::<Option<_>>()?;
    let ids: HashSet<&str> = candidates.iter().map(|one| one.id.as_str()).collect();
    if ids.len() < n || impossible_wins(&candidates).is_some() {
        return None;
    }
    let payload = Payload {
        id: read.id.filter(|id| *id != DebateId::Text(String::new())),
        question: filled(read.question),
        domain: filled(read.domain),
        // they are looked for where one is asked for
        places: [Place::START; 2],
        candidates,
        pairwise: matches.unwrap_or_default(),
        what_if: None,
        origin: None,
        notes: problems.iter().map(in_words).collect(),
        input_sha256: input_sha256(&[("payload", text)]),
    };
    Some((payload, problems))
}

/// Whether there may be as many keys that nobody reads as others, which makes a warning.
fn has_few_keys(debate: &Debate, others: &[&str]) -> bool {
    let answers = &debate.candidates;
    let of_answers = answers.iter().flat_map(|answer| &answer.others);
    let of_answers: HashSet<&&str> = of_answers.collect();
    others.len() > 1 || of_answers.len() > 2
}

/// The notes of all keys that nobody reads.
fn of_keys<'a>(text: &'a str, debate: &Debate<'a>, others: &[&'a str]) -> Option<Vec<Problem>> {
    let mut noted = Noted::new(text);
    for (index, answer) in debate.candidates.iter().enumerate() {
        noted.note(&answer.others, || format!("candidates[{index}]"));
        for (review, rating) in answer.read.reviews.iter().enumerate() {
            let path = || format!("candidates[{index}].reviews[{review}]");
            noted.note(&rating.others, path);
        }
    }
    noted.note(others, String::new);
    noted.into_sorted()
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// What a list of matches says, if all have met all, and each pair once.
fn outcomes(list: &[Object<Match>], answers: &[Sifted<Answer>]) -> Option<Vec<Outcome>> {
    let ids = answers.iter().enumerate();
    let ids: HashMap<&str, usize> = ids.map(|(at, own)| (&*own.read.id, at)).collect();
    let mut met = HashSet::new();
    let outcomes = list.iter().map(|Object(own)| {
        let [winner, loser] = [&own.winner, &own.loser].map(|id| ids.get(&*id.0).copied());
        let (winner, loser) = (winner?, loser?);
        let is_new = winner != loser && met.insert((winner.min(loser), winner.max(loser)));
        is_new.then_some(Outcome { winner, loser })
    });
    let outcomes = outcomes.collect::<Option<Vec<_>>>()?;
    (outcomes.len() == answers.len() * (answers.len() - 1) / 2).then_some(outcomes)
}

fn candidate(answer: Answer, n: usize, counted: Option<i64>) -> Option<Candidate> {
    let is_formal = |score: f64| (-1.0..=1.0).contains(&score);
    let wins = answer.wins.or(counted)?;
    let is_sound = !answer.id.is_empty()
        && (0..n as i64).contains(&wins)
        && counted.is_none_or(|counted| counted == wins)
        && answer.formal_score.is_none_or(is_formal)
        && !answer.reviews.is_empty();
    if !is_sound {
        return None;
    }
    let claims = answer.claims.map(|claims| {
        let claims = claims.into_iter().map(|Object(stated)| {
            Some(Claim {
                text: filled(stated.text),
                status: ClaimStatus::parse(&stated.status.0)?,
            })
        });
        claims.collect::<Option<Vec<_>>>()
    });
    let claims = match claims {
        Some(claims) => Some(claims?),
        None => None,
    };
    let derived = claims.as_deref().map(score_of);
    let given = answer.formal_score;
    // compared as shown
    let is_one = given
        .zip(derived)
        .is_none_or(|(given, derived)| round4(given) == round4(derived));
    let reviews = answer.reviews.into_iter().map(|rating| review(rating.read));
    is_one.then_some(Candidate {
        id: answer.id,
        model: filled(answer.model),
        wins,
        formal_score: derived.or(given),
        claims: claims.unwrap_or_default(),
        reviews: reviews.collect::<Option<_>>()?,
        place: Place::START,
    })
}

fn review(rating: Rating) -> Option<Review> {
    let Rating {
        support,
        evidence,
        major_risks,
        critical_fail,
        ..
    } = rating;
    let are_rated = [support, evidence, major_risks]
        .iter()
        .all(|rated| (0..=2).contains(rated));
    (are_rated && (0..=1).contains(&critical_fail)).then(|| Review {
        debater: filled(rating.debater),
        support,
        evidence,
        major_risks,
        critical_fail,
        justification: filled(rating.justification),
    })
}

/// The parts of a debate that scoring may have to say something of.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow)]
    question: Option<&'a RawValue>,
    #[serde(borrow)]
    domain: Option<&'a RawValue>,
    #[serde(borrow)]
    candidates: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Made<'a> {
    #[serde(borrow)]
    model: Option<&'a RawValue>,
}

/// Finds the places of a debate that was read from a text.
fn find_places(payload: &mut Payload, text: &str) -> Option<()> {
    // places are those in the text that is normalised
    if text.contains('\r') {
        return None;
    }
    let parts: Parts = serde_json::from_str(text).ok()?;
    let mut places = Places::new(text);
    for (candidate, part) in payload.candidates.iter_mut().zip(parts.candidates) {
        let made: Made = serde_json::from_str(part.get()).ok()?;
        let at = made.model.filter(|_| candidate.model.is_some());
        candidate.place = places.at(offset(text, at.unwrap_or(part).get()));
    }
    let root = text.len() - text.trim_ascii_start().len();
    payload.places = [parts.question, parts.domain].map(|part| {
        let at = part.map_or(root, |part| offset(text, part.get()));
        places.at(at)
    });
    Some(())
}
