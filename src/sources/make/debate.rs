//! Debates, of ballots (SCORING.md, "Ballots"): what judges say of each candidate becomes its
//! reviews, and the majority of each pair becomes wins.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::Serialize;

use super::super::ballots::{Ballots, Mark};
use super::super::mapping::Mapping;
use super::super::notes::Notes;
use super::marks::Marks;
use super::ratings::{Review, Rules};
use super::source::{Labelled, Met, Source, Written, json, json_in_lines};
use super::votes;

/// The rules by which ballots become a debate: a change of them is a new version.
const RULES: &str = "ballots/2";
/// The most candidates of a debate: its pairs are a square of them.
const MOST_CANDIDATES: usize = 500;

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
    let all: Vec<Ballots> = all.iter().map(Ballots::in_order).collect();
    let rules = Rules::ask(&all, mapping, notes);
    let mut debates = Vec::new();
    for ballots in &all {
        if let Some((debate, beside)) = debate(ballots, &rules, notes) {
            debates.push((debate, beside, ballots.id.as_str()));
        }
    }
    let mut written = source.written(mapping, notes).by(RULES);
    let debates = debates.into_iter().map(|(mut debate, beside, id)| {
        // the whole stands once, with the first
        let own = std::mem::take(&mut written);
        let own = own.of(id).with(beside.labels, beside.swapped);
        debate.source = Some(own.made_of(beside.marks, beside.league));
        debate
    });
    let debates: Vec<_> = debates.collect();
    match &debates[..] {
        [] => String::new(),
        [debate] => json_in_lines(debate) + "\n",
        debates => {
            let lines: Vec<_> = debates.iter().map(json).collect();
            lines.join("\n") + "\n"
        }
    }
}

/// What a debate's source says of it, beside the debate itself.
struct Beside<'a> {
    labels: Vec<Labelled<'a>>,
    swapped: Vec<String>,
    marks: Option<Marks>,
    league: Vec<Met>,
}

/// A debate; none where fewer than two can stand in it.
fn debate<'a>(
    ballots: &'a Ballots,
    rules: &Rules,
    notes: &mut Notes,
) -> Option<(Debate<'a>, Beside<'a>)> {
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
    let judged = ids.iter().map(String::as_str);
    let judged = judged.zip(reviews.iter().map(Vec::as_slice));
    let beside = Beside {
        labels: labels(ballots, &ids),
        swapped: votes::disagreements(ballots, &ids, notes),
        marks: Marks::of(judged.filter(|(_, reviews)| !reviews.is_empty()), rules),
        league: league(ballots, rules, &ids, &kept),
    };
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
    Some((debate, beside))
}

/// Who met whom in a league or in a whole evaluation, of those that are kept.
fn league(ballots: &Ballots, rules: &Rules, ids: &[String], kept: &[bool]) -> Vec<Met> {
    let counts = votes::counts(ballots, rules).into_iter();
    let counts = counts.filter(|((one, other), _)| kept[*one] && kept[*other]);
    let met = counts.map(|((one, other), [won, lost, tied])| {
        (ids[one].clone(), ids[other].clone(), won, lost, tied)
    });
    met.collect()
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
    for dropped in &ballots.left_out {
        notes.drop_many(&dropped.what, dropped.times, dropped.first_line);
    }
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
    tell_missing_ranks(ballots, notes);
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
    reviews
}

/// Says so where a judge ranks only some of the answers: of the others it says nothing.
fn tell_missing_ranks(ballots: &Ballots, notes: &mut Notes) {
    let is_rank = |mark: &Mark| matches!(mark, Mark::Rank { .. });
    let mut ranked = BTreeMap::<&str, BTreeSet<usize>>::new();
    for ballot in &ballots.ballots {
        if ballot.marks.iter().any(is_rank) {
            let own = ranked.entry(&ballot.judge).or_default();
            own.insert(ballot.candidate);
        }
    }
    let all = ballots.candidates.len();
    for (judge, own) in ranked.into_iter().filter(|(_, own)| own.len() < all) {
        let words = format!("{judge} ranks {} of {all} answers", own.len());
        notes.warn(1, "candidates", words);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::{Options, Payload, Profiles, read, read_at, readings};
    use crate::sources::ballots::{self, Ballot, Mark, Vote};
    use crate::sources::conversation::Label;

    fn of(ids: &[&str]) -> Ballots {
        let candidates = ids.iter().map(|id| ballots::Candidate {
            id: (*id).into(),
            ..ballots::Candidate::default()
        });
        Ballots {
            title: "Bread".into(),
            candidates: candidates.collect(),
            ..Ballots::default()
        }
    }

    fn says(judge: &str, candidate: usize, mark: Mark) -> Ballot {
        Ballot {
            judge: judge.into(),
            candidate,
            marks: vec![mark],
            reason: None,
        }
    }

    fn passes(judge: &str, candidate: usize, passed: bool) -> Ballot {
        let criterion = String::new();
        says(judge, candidate, Mark::Passed { criterion, passed })
    }

    fn ranks(judge: &str, order: &[usize]) -> Vec<Ballot> {
        let of = order.len();
        let places = order.iter().enumerate();
        let ballots = places.map(|(at, candidate)| {
            let place = at + 1;
            says(judge, *candidate, Mark::Rank { place, of })
        });
        ballots.collect()
    }

    fn vote(judge: &str, pair: [usize; 2], winner: Option<usize>) -> Vote {
        Vote {
            judge: judge.into(),
            pair,
            winner,
            times: 1,
            ..Vote::default()
        }
    }

    fn written(all: &[Ballots]) -> (String, Vec<String>, Notes) {
        let source = Source {
            format: "own",
            because: "it is a test",
            file: "a.json",
        };
        let mut notes = Notes::default();
        let text = text(all, &source, &mut Mapping::default(), &mut notes);
        let words = notes.problems.iter().map(|problem| problem.message.clone());
        (text, words.collect(), notes)
    }

    fn payload(text: &str) -> Payload {
        let read = read(text);
        assert_eq!(read.errors().next(), None, "{text}");
        read.result.expect("a payload")
    }

    /// Each candidate's id, support of its reviews, and wins.
    fn shown(payload: &Payload) -> Vec<String> {
        let candidates = payload.candidates.iter().map(|candidate| {
            let reviews = candidate.reviews.iter();
            let support: String = reviews.map(|review| review.support.to_string()).collect();
            format!("{} {support} {}", candidate.id, candidate.wins)
        });
        candidates.collect()
    }

    #[test]
    fn ranks_are_reviews_and_every_pair_is_a_vote() {
        let mut ballots = of(&["A", "B", "C"]);
        ballots.ballots = ranks("x", &[0, 1, 2]);
        ballots.ballots.extend(ranks("y", &[1, 0, 2]));
        ballots.ballots.extend(ranks("z", &[0, 2, 1]));
        let (text, problems, _) = written(&[ballots.clone()]);
        // A beats B 2 to 1 and C 3 to 0; B beats C 2 to 1
        assert_eq!(shown(&payload(&text)), ["A 212 2", "B 120 1", "C 001 0"]);
        assert_eq!(problems, Vec::<String>::new());
        // a tie is a win for neither
        ballots.ballots.truncate(6);
        let (text, ..) = written(&[ballots]);
        assert_eq!(shown(&payload(&text)), ["A 21 1", "B 12 1", "C 00 0"]);
    }

    #[test]
    fn a_judge_that_ranks_only_some_is_named() {
        let mut ballots = of(&["A", "B", "C"]);
        ballots.ballots = ranks("x", &[0, 1, 2]);
        ballots.ballots.extend(ranks("y", &[1, 0]));
        let (_, problems, _) = written(&[ballots]);
        assert_eq!(problems, ["y ranks 2 of 3 answers"]);
    }

    #[test]
    fn where_there_are_only_votes_they_are_the_reviews() {
        let mut ballots = of(&["A", "B"]);
        ballots.votes = vec![
            vote("x", [0, 1], Some(0)),
            vote("y", [1, 0], Some(0)),
            vote("z", [0, 1], None),
            Vote {
                times: 2,
                ..vote("w", [0, 1], Some(1))
            },
        ];
        let (text, ..) = written(&[ballots]);
        // B has three votes of four: the sure one counts twice
        assert_eq!(shown(&payload(&text)), ["A 20100 0", "B 02122 1"]);
    }

    #[test]
    fn swapped_seats_are_two_votes_and_a_difference_is_said() {
        let swapped = |pair, winner| Vote {
            is_swapped: true,
            ..vote("x", pair, winner)
        };
        let mut ballots = of(&["A", "B"]);
        ballots.votes = vec![vote("x", [0, 1], Some(0)), swapped([1, 0], Some(1))];
        let (text, problems, _) = written(&[ballots.clone()]);
        assert_eq!(shown(&payload(&text)), ["A 22 1", "B 00 0"]);
        assert_eq!(problems, Vec::<String>::new());
        // the first seat wins both times: that is one vote for each
        ballots.votes = vec![vote("x", [0, 1], Some(0)), swapped([1, 0], Some(0))];
        let (text, problems, _) = written(&[ballots]);
        assert_eq!(shown(&payload(&text)), ["A 20 0", "B 02 0"]);
        let words = "one verdict is another when the seats are swapped: both votes count";
        assert_eq!(problems, [words]);
        assert!(text.contains("\"x on A and B: A, swapped B\""), "{text}");
        assert!(text.contains("\"rules\": \"ballots/2\""), "{text}");
    }

    #[test]
    fn in_a_league_opponents_are_the_debaters() {
        let mut ballots = of(&["A", "B", "C"]);
        ballots.is_league = true;
        // A has 2 of 3 against B, the edge of the upper third, and 1.5 of 2 against C
        ballots.votes = vec![
            vote("u", [0, 1], Some(0)),
            vote("v", [1, 0], Some(1)),
            vote("v", [0, 1], Some(1)),
            vote("v", [2, 0], None),
            vote("u", [2, 0], Some(1)),
            vote("u", [2, 2], Some(0)),
            vote("u", [2, 9], Some(0)),
        ];
        let (text, problems, _) = written(&[ballots]);
        let payload = payload(&text);
        assert_eq!(shown(&payload), ["A 22 2", "B 0 0", "C 0 0"]);
        let review = &payload.candidates[0].reviews[1];
        assert_eq!(review.debater.as_deref(), Some("against C"));
        let why = review.justification.as_deref();
        assert_eq!(why, Some("1.5 of 2 votes won, a tie being half"));
        assert_eq!(problems, Vec::<String>::new());
        let league = crate::debate::league(&payload).expect("a league");
        let players = league.players.iter();
        let counts = players.map(|own| (own.id.as_str(), [own.won, own.lost, own.tied]));
        let expected = [("A", [3, 1, 1]), ("C", [0, 1, 1]), ("B", [1, 2, 0])];
        let mut counts: Vec<_> = counts.collect();
        counts.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!((counts, league.battles), (expected, 5));
        assert!(text.contains("[\"A\", \"B\", 2, 1, 0],\n"), "{text}");
        let readings = readings(&payload, Profiles::built_in(), &Options::default());
        assert_eq!(readings.map(|found| found.kept), Some(0));
    }

    #[test]
    fn in_a_whole_evaluation_the_higher_score_wins_a_test() {
        let score = |criterion: &str, value: f64| Mark::Score {
            criterion: criterion.into(),
            value,
            scale: Some((0.0, 1.0)),
        };
        let in_test = |judge: &str, candidate, marks: &[Mark]| Ballot {
            judge: judge.into(),
            candidate,
            marks: marks.to_vec(),
            reason: None,
        };
        let mut ballots = of(&["A", "B", "C"]);
        ballots.tests = vec![
            // a risk counts the other way round: A has (0.9 + 0.8) / 2, B 0.9 and C (1 + 0) / 2
            in_test("1", 0, &[score("quality", 0.9), score("harm", 0.2)]),
            in_test("1", 1, &[score("quality", 0.9)]),
            in_test("1", 2, &[score("quality", 1.0), score("harm", 1.0)]),
            // of a test that is run twice the mean counts: A and B have 0.3
            in_test("2", 0, &[score("quality", 0.3)]),
            in_test("2", 1, &[score("quality", 0.1)]),
            in_test("2", 1, &[score("quality", 0.5)]),
            // C alone says nothing
            in_test("3", 2, &[score("quality", 1.0)]),
            in_test("3", 9, &[score("quality", 1.0)]),
            in_test("3", 0, &[]),
        ];
        ballots.ballots = (0..3).map(|at| passes("x", at, true)).collect();
        ballots.ballots.push(says("x", 2, score("harm", 0.5)));
        let (text, problems, _) = written(&[ballots]);
        assert_eq!(problems, Vec::<String>::new());
        let expected = r#"["A", "B", 0, 1, 1]"#;
        assert!(text.contains(expected), "{text}");
        assert!(text.contains(r#"["A", "C", 1, 0, 0]"#), "{text}");
        assert!(text.contains(r#"["B", "C", 1, 0, 0]"#), "{text}");
        let payload = payload(&text);
        // no vote and no win is made of it
        assert_eq!(shown(&payload), ["A 2 0", "B 2 0", "C 21 0"]);
        let league = crate::debate::league(&payload).expect("strengths");
        assert_eq!((league.battles, league.players[0].id.as_str()), (4, "B"));
    }

    #[test]
    fn the_marks_that_ratings_are_made_of_are_kept() {
        let score = |criterion: &str, value: f64| Mark::Score {
            criterion: criterion.into(),
            value,
            scale: Some((1.0, 10.0)),
        };
        let mut ballots = of(&["A", "B"]);
        // means of ninths that meet a threshold exactly, and lose it by their fourth decimals
        for (judge, candidate, values) in [
            ("x", 0, [6.0, 2.0]),
            ("x", 1, [7.0, 10.0]),
            ("y", 1, [3.0, 5.0]),
        ] {
            let marks = vec![
                score("style", values[0]),
                score("clarity", values[1]),
                Mark::Violations(1),
            ];
            ballots.ballots.push(Ballot {
                judge: judge.into(),
                candidate,
                marks,
                reason: None,
            });
        }
        ballots.ballots.push(passes("z", 0, true));
        let (text, ..) = written(&[ballots.clone()]);
        assert!(text.contains("[null, 0.1111, 0.5556, 1]"), "{text}");
        assert!(text.contains("[true, null, null]"), "{text}");
        let read = payload(&text);
        assert_eq!(shown(&read), ["A 02 0", "B 20 0"]);
        let found = readings(&read, Profiles::built_in(), &Options::default()).expect("marks");
        assert_eq!(found.kept, 0);
        assert_eq!(
            found,
            readings(&read, Profiles::built_in(), &Options::default()).expect("marks")
        );
        // of several debates each keeps its own, on its line
        let (text, ..) = written(&[ballots.clone(), ballots]);
        let second = read_at(&text, 1).result.expect("a debate");
        assert_eq!(second.origin, read.origin);
        assert!(second.origin.is_some());
        // where nothing is graded, nothing is kept
        let mut ballots = of(&["A", "B"]);
        ballots.ballots = vec![passes("x", 0, true), passes("x", 1, true)];
        let (text, ..) = written(&[ballots]);
        assert_eq!(payload(&text).origin, None);
    }

    #[test]
    fn judges_of_nothing_and_of_themselves_are_named() {
        let mut ballots = of(&["A", "B"]);
        ballots.candidates[1].model = Some("m".into());
        ballots.ballots = vec![
            passes("A", 0, true),
            passes("m", 1, true),
            Ballot {
                marks: vec![],
                ..passes("silent", 0, true)
            },
        ];
        let (text, problems, notes) = written(&[ballots]);
        assert_eq!(shown(&payload(&text)), ["A 2 0", "B 2 0"]);
        assert_eq!(
            problems,
            [
                "A judges an answer of its own: it is kept",
                "m judges an answer of its own: it is kept",
                "silent gives nothing usable and is left out"
            ]
        );
        assert_eq!(notes.dropped[0].times, 1);
        assert!(text.contains("verdicts without anything usable"), "{text}");
    }

    #[test]
    fn what_nobody_judges_is_left_out_and_one_is_no_debate() {
        let mut ballots = of(&["A", "B", "C"]);
        ballots.ballots = vec![passes("x", 0, true), passes("x", 2, false)];
        ballots.votes = vec![vote("x", [1, 0], Some(0)), vote("x", [0, 2], Some(0))];
        let (text, problems, _) = written(&[ballots.clone()]);
        assert_eq!(shown(&payload(&text)), ["A 2 1", "C 0 0"]);
        assert_eq!(
            problems,
            ["B is left out: nobody says anything usable of it"]
        );
        let whole = ballots.clone();
        ballots.ballots.pop();
        let words = "Bread: a debate needs two candidates that are judged, and this has 1";
        let (text, problems, _) = written(&[ballots.clone()]);
        assert_eq!((text.as_str(), problems), ("", vec![words.to_owned()]));
        // of several debates the others stand, and the first says where they come from
        let (text, problems, _) = written(&[ballots, whole.clone(), whole]);
        assert_eq!(text.lines().count(), 2);
        assert_eq!(problems[0], words);
        assert!(
            text.lines()
                .next()
                .is_some_and(|line| line.contains("it is a test"))
        );
        let second = read_at(&text, 1);
        assert_eq!(second.errors().next(), None);
        let (text, problems, _) = written(&[of(&["A"; MOST_CANDIDATES + 1])]);
        assert_eq!(text, "");
        let words = "Bread of 501 candidates: a debate has at most 500, so it is left out";
        assert_eq!(problems, [words]);
    }

    #[test]
    fn every_candidate_has_an_id_of_its_own() {
        let mut ballots = of(&["A", "A", "", "A (2)", "candidate 3"]);
        ballots.ballots = (0..5).map(|at| passes("x", at, at == 1)).collect();
        ballots.votes = vec![vote("x", [1, 0], Some(0)), vote("x", [2, 0], Some(0))];
        let (text, problems, _) = written(&[ballots]);
        assert_eq!(
            shown(&payload(&text)),
            [
                "A 0 0",
                "A (2) 2 1",
                "candidate 3 0 1",
                "A (2) (2) 0 0",
                "candidate 3 (2) 0 0"
            ]
        );
        assert_eq!(problems.len(), 3);
        assert_eq!(problems[0], "A stands twice: one is \"A (2)\" here");
    }

    #[test]
    fn labels_stand_beside_the_reviews() {
        let mut ballots = of(&["A", "B"]);
        ballots.candidates[1].labels.push(Label {
            name: "human".into(),
            value: Some(0.0),
            text: "fail".into(),
            reason: None,
        });
        ballots.ballots = vec![passes("x", 0, true), passes("x", 1, true)];
        let (text, ..) = written(&[ballots]);
        payload(&text);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let label = &value["source"]["labels"][0];
        assert_eq!(label["candidate"], "B");
        assert_eq!(label["value"], 0.0);
    }
}
