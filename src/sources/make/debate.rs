//! Debates, of ballots (SCORING.md, "Ballots"): what judges say of each candidate becomes its
//! reviews, and the majority of each pair becomes wins.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use super::super::ballots::Ballots;
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::ratings::{Review, Rules};
use super::source::{Labelled, Source, Written, json};
use super::votes;

/// The most candidates of a debate: its pairs are a square of them.
const MOST_CANDIDATES: usize = 300;

#[derive(Debug, Serialize)]
struct Debate<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Written<'a>>,
    candidates: Vec<Candidate<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairwise: Vec<Pair>,
}

#[derive(Debug, Serialize)]
struct Candidate<'a> {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<&'a str>,
    /// Only where no pair has a winner: an empty list of pairs would say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<u8>,
    reviews: Vec<Review>,
}

#[derive(Debug, Serialize)]
struct Pair {
    winner: String,
    loser: String,
}

/// The document: a debate, or a debate in a line; empty where there is none.
pub(super) fn text(
    all: &[Ballots],
    source: &Source,
    mapping: &mut Mapping,
    notes: &mut Notes,
) -> String {
    let rules = Rules::ask(all, mapping, notes);
    let mut debates = Vec::new();
    for ballots in all {
        if let Some((debate, labels)) = debate(ballots, &rules, notes) {
            debates.push((debate, labels, ballots.id.as_str()));
        }
    }
    let mut written = source.written(mapping, notes);
    let debates = debates.into_iter().map(|(mut debate, labels, id)| {
        // the whole stands once, with the first
        let own = std::mem::take(&mut written);
        debate.source = Some(own.of(id).with(labels));
        debate
    });
    let debates: Vec<_> = debates.collect();
    match &debates[..] {
        [] => String::new(),
        // plain data with text keys can always be written
        [debate] => serde_json::to_string_pretty(debate).unwrap_or_default() + "\n",
        debates => {
            let lines: Vec<_> = debates.iter().map(json).collect();
            lines.join("\n") + "\n"
        }
    }
}

/// A debate, with the labels of its candidates; none where fewer than two can stand in it.
fn debate<'a>(
    ballots: &'a Ballots,
    rules: &Rules,
    notes: &mut Notes,
) -> Option<(Debate<'a>, Vec<Labelled<'a>>)> {
    if ballots.candidates.len() > MOST_CANDIDATES {
        let words = format!(
            "{} of {} candidates: a debate has at most {MOST_CANDIDATES}, so it is left out",
            title(ballots),
            ballots.candidates.len()
        );
        notes.error(1, "candidates", words);
        return None;
    }
    let reviews = reviews(ballots, rules, notes);
    let kept: Vec<bool> = reviews.iter().map(|own| !own.is_empty()).collect();
    let ids = ids(ballots, notes);
    let number = kept.iter().filter(|kept| **kept).count();
    if number < 2 {
        let words = format!(
            "{}: a debate needs two candidates that are judged, and this has {number}",
            title(ballots)
        );
        notes.error(1, "candidates", words);
        return None;
    }
    for (id, _) in ids.iter().zip(&kept).filter(|(_, kept)| !**kept) {
        let words = format!("{id} is left out: nobody says anything usable of it");
        notes.warn(1, "candidates", words);
    }
    let pairs = votes::majorities(ballots).into_iter();
    let pairs = pairs.filter(|(winner, loser)| kept[*winner] && kept[*loser]);
    let pairwise: Vec<_> = pairs
        .map(|(winner, loser)| Pair {
            winner: ids[winner].clone(),
            loser: ids[loser].clone(),
        })
        .collect();
    let wins = pairwise.is_empty().then_some(0);
    let labels = labels(ballots, &ids);
    let candidates = ballots.candidates.iter().zip(ids).zip(reviews);
    let candidates = candidates.filter(|(_, reviews)| !reviews.is_empty());
    let debate = Debate {
        question: ballots.question.as_deref(),
        source: None,
        candidates: candidates
            .map(|((candidate, id), reviews)| Candidate {
                id,
                model: candidate.model.as_deref(),
                wins,
                reviews,
            })
            .collect(),
        pairwise,
    };
    Some((debate, labels))
}

/// What a debate is called in a message.
fn title(ballots: &Ballots) -> &str {
    let names = [&ballots.title, &ballots.id];
    let found = names.into_iter().find(|name| !name.is_empty());
    found.map_or("a debate", String::as_str)
}

/// Ids of candidates, each of its own: what has none is counted, what stands twice is numbered.
fn ids(ballots: &Ballots, notes: &mut Notes) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut times = HashMap::<&str, usize>::new();
    let mut ids = Vec::new();
    for (at, candidate) in ballots.candidates.iter().enumerate() {
        let name = candidate.id.as_str();
        let mut id = match name {
            "" => format!("candidate {}", at + 1),
            name => name.to_owned(),
        };
        while !taken.insert(id.clone()) {
            let times = times.entry(name).or_insert(1);
            *times += 1;
            id = format!("{name} ({times})");
        }
        if id != name && !name.is_empty() {
            notes.warn(
                1,
                "candidates",
                format!("{name} stands twice: one is {id:?} here"),
            );
        }
        ids.push(id);
    }
    ids
}

/// The reviews of each candidate.
fn reviews(ballots: &Ballots, rules: &Rules, notes: &mut Notes) -> Vec<Vec<Review>> {
    let mut reviews: Vec<Vec<Review>> = ballots.candidates.iter().map(|_| Vec::new()).collect();
    // of each judge, how many ballots can be used and how many cannot
    let mut judges = BTreeMap::<&str, [usize; 2]>::new();
    for ballot in &ballots.ballots {
        let Some(own) = reviews.get_mut(ballot.candidate) else {
            continue;
        };
        let review = rules.review(ballot);
        judges.entry(&ballot.judge).or_default()[usize::from(review.is_none())] += 1;
        own.extend(review);
        flag(&ballot.judge, ballots, ballot.candidate, notes);
    }
    for (judge, [used, unused]) in judges {
        if used == 0 {
            let words = format!("{judge} gives nothing usable and is left out");
            notes.warn(1, "candidates", words);
        }
        notes.drop_many("verdicts without anything usable", unused, 0);
    }
    if reviews.iter().all(Vec::is_empty) {
        if ballots.is_league {
            votes::of_league(ballots, rules, &mut reviews);
        } else {
            votes::of_votes(ballots, &mut reviews);
        }
    }
    for vote in &ballots.votes {
        for candidate in vote.pair {
            flag(&vote.judge, ballots, candidate, notes);
        }
    }
    votes::disagreements(ballots, notes);
    reviews
}

/// Says so where a judge judges itself: its verdict is kept.
fn flag(judge: &str, ballots: &Ballots, candidate: usize, notes: &mut Notes) {
    let Some(candidate) = ballots.candidates.get(candidate) else {
        return;
    };
    let is_own = candidate.id == judge || candidate.model.as_deref() == Some(judge);
    if is_own && !judge.is_empty() {
        let words = format!("{judge} judges an answer of its own: it is kept");
        notes.warn(1, "candidates", words);
    }
}

/// What people and ground truths say of candidates.
fn labels<'a>(ballots: &'a Ballots, ids: &[String]) -> Vec<Labelled<'a>> {
    let candidates = ballots.candidates.iter().zip(ids);
    let labels = candidates.flat_map(|(candidate, id)| {
        let labels = candidate.labels.iter();
        labels.map(|label| Labelled {
            candidate: id.clone(),
            name: &label.name,
            value: label.value,
            text: &label.text,
            reason: label.reason.as_deref(),
        })
    });
    labels.collect()
}
