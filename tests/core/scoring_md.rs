//! The worked examples of SCORING.md: each is computed here, and the line that
//! the document gives for it is built from the computed figures. A change of a
//! formula, of a data file or of the document alone fails.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use assay::analysis::bootstrap::{mean, mean_interval_95, population_std};
use assay::analysis::{apportion, round4, sum};
use assay::constitution::{self, Principle, RewardResult};
use assay::debate::{
    self, Board, DebateResult, DomainChoice, End, FIRM_CHANGE, FIRM_SHARE, Profiles,
    UncertaintyOptions, detect, is_firm,
};
use assay::document::input_sha256;
use assay::embedding::{ModelIdentity, VectorTable};
use assay::persona::{self, Inputs, PersonaResult, SessionResult, TurnResult};
use assay::sources::{File, Kind, Wanted};
use serde_json::{Value, json};

const DOCUMENT: &str = include_str!("../../SCORING.md");
const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const TRANSCRIPT: &str = include_str!("../../public/examples/transcript.jsonl");

/// Every line stands in the document as it is.
fn stands(lines: &[String]) {
    let missing: Vec<&String> = lines
        .iter()
        .filter(|line| !DOCUMENT.contains(line.as_str()))
        .collect();
    assert!(missing.is_empty(), "not in SCORING.md: {missing:#?}");
}

#[test]
fn the_sections_that_the_code_points_to_are_there() {
    let headings = [
        "## 0. Common rules",
        "## 1. Constitutional reward",
        "## 2. RWEA",
        "## 3. Persona alignment",
    ];
    stands(&headings.map(str::to_owned));
}

// ---- 0. common rules

#[test]
fn rounding_and_sums() {
    let rounded = |value: f64| format!("| {value} | {} |", round4(value));
    let terms = [1.0, 1.0, 2.0, 1.2 * 0.65, 1.5, 1.0, 1.0];
    let plain: f64 = terms.iter().sum();
    let thirds = apportion([1.0 / 3.0; 3], 1.0);
    stands(&[
        rounded(0.000_05),
        rounded(0.000_15),
        rounded(0.031_25),
        rounded(0.093_75),
        format!("added plainly: {plain}"),
        format!("compensated:   {}", sum(&terms)),
        format!("{} + {} + {} = 1", thirds[0], thirds[1], thirds[2]),
    ]);
}

#[test]
fn hashes_of_inputs() {
    stands(&[
        input_sha256(&[("turns", "{}\n")]),
        input_sha256(&[("persona", "id: p\n"), ("transcript", "{}\n")]),
    ]);
}

// ---- 1. constitutional reward

fn turn(has_mutations: bool, response: &str, tools: usize, tools_passed: bool) -> Value {
    json!({
        "has_mutations": has_mutations,
        "turn_result": {
            "response": response,
            "tools": vec![json!({"name": "tool"}); tools],
            "tools_passed": tools_passed,
        },
    })
}

fn reward(input: &Value, options: &constitution::Options) -> RewardResult {
    constitution::evaluate(&input.to_string(), options)
        .result
        .expect("valid")
}

fn great() -> Value {
    turn(false, "Great!", 0, true)
}

fn pattern_3() -> Value {
    turn(true, "OK", 10, false)
}

/// `1 x 1 + ... = total` in the order of the principles.
fn addition(result: &RewardResult) -> String {
    let (weights, scores) = (result.weights.values(), result.turns[0].scores.values());
    let terms: Vec<String> = weights
        .iter()
        .zip(scores)
        .map(|(weight, score)| format!("{weight} x {score}"))
        .collect();
    format!("{} = {}", terms.join(" + "), result.turns[0].weighted_total)
}

#[test]
fn turns() {
    let defaults = constitution::Options::default();
    let mut lines = Vec::new();
    let overridden = json!({
        "turn_result": {"response": "A reply of more than twenty."},
        "overrides": {"ethical": 0.8, "composable": 0.9},
    });
    let basic = turn(true, "I've successfully updated the file!", 1, true);
    for input in [great(), pattern_3(), basic, overridden] {
        let result = reward(&input, &defaults);
        lines.push(addition(&result));
        let turn = &result.turns[0];
        lines.push(format!(
            "normalised {:.4}, {}",
            turn.normalised,
            json!(turn.band).as_str().unwrap_or_default()
        ));
    }
    let mut dense = great();
    dense["turn_result"]["context_utilization"] = json!(0.97);
    let generative = reward(&dense, &defaults).turns[0].scores[Principle::Generative];
    lines.push(format!("5.5 - 5 x 0.97 = {}", round4(generative)));
    stands(&lines);
}

#[test]
fn weights_that_merge_and_weights_that_replace() {
    let input = turn(true, "Done!", 0, false);
    let mut options = constitution::Options {
        weights: vec![("ethical".into(), 3.0)],
        ..constitution::Options::default()
    };
    let merged = addition(&reward(&input, &options));
    options.replace_weights = true;
    let replaced = addition(&reward(&input, &options));
    stands(&[merged, replaced]);
}

#[test]
fn a_session_of_turns() {
    let perfect = turn(false, "A reply of more than twenty.", 0, true);
    let input = json!([great(), perfect, pattern_3()]);
    let session = reward(&input, &constitution::Options::default()).session;
    stands(&[
        format!("mean_total       = {:.4}", session.mean_total),
        format!(
            "trend            = {}",
            round4(session.trend.expect("three turns"))
        ),
        format!("discounted_value = {}", round4(session.discounted_value)),
        format!(
            "weakest          = {} ({:.4})",
            session.weakest.name(),
            session.mean_scores[session.weakest]
        ),
    ]);
}

#[test]
fn several_sessions_of_turns() {
    let perfect = turn(false, "A reply of more than twenty.", 0, true);
    let input = json!([
        {"session_id": "a", "turns": [great(), perfect, pattern_3()]},
        {"session_id": "b", "turns": [perfect]},
    ]);
    let result = reward(&input, &constitution::Options::default());
    let line = |name: &str, session: &constitution::Session| {
        let trend = session.trend.map(|trend| round4(trend).to_string());
        format!(
            "{name:18} mean_total {}, trend {}, discounted_value {}",
            round4(session.mean_total),
            trend.unwrap_or_else(|| "not measured".to_owned()),
            round4(session.discounted_value)
        )
    };
    stands(&[
        line("session a", &result.sessions[0].summary),
        line("session b", &result.sessions[1].summary),
        line("all 2 sessions", &result.session),
    ]);
}

#[test]
fn why_a_turn_lost_points() {
    let result = reward(&pattern_3(), &constitution::Options::default());
    let reasons = result.turns[0].reasons.iter();
    let reasons = reasons.map(|reason| format!("{}: {}", reason.principle.name(), reason.words));
    stands(&reasons.collect::<Vec<_>>());
}

#[test]
fn how_far_a_weight_can_move() {
    let result = reward(&pattern_3(), &constitution::Options::default());
    let found = constitution::intervals(&result);
    let end = |end: &constitution::End| match &end.flip {
        None => "never".to_owned(),
        Some(flip) => format!("{} ({})", round4(flip.at), flip.words),
    };
    let mut lines: Vec<_> = found
        .weights
        .iter()
        .map(|w| {
            format!(
                "| {} | {} | {} | {} |",
                w.weight,
                w.current,
                end(&w.low),
                end(&w.high)
            )
        })
        .collect();
    // the weight at which the mean of ethical and the rest meets 4.99995 / 8.7
    let [parting, rest, others] = [4.999_95 / 8.7, 8.7 - 2.0, 6.41 - 2.0 * 0.5];
    let at = (parting * rest - others) / (0.5 - parting);
    lines.push(format!(
        "w = (4.99995 / 8.7 x 6.7 - 5.41) / (0.5 - 4.99995 / 8.7) = {}",
        round4(at)
    ));
    let high = found.weights[2]
        .high
        .flip
        .as_ref()
        .expect("poor in the end");
    assert!((high.at - at).abs() < 1e-9);
    let nearest = found.nearest.expect("a flip");
    let change = nearest.relative().expect("above 0");
    lines.push(format!(
        "{}: a change by {:.1} %.",
        nearest.flip.words,
        change * 100.0
    ));
    let closest = found.closest.expect("not perfect");
    lines.push(format!(
        "The turn has {} and is {}, {} short of {}.",
        closest.scaled,
        closest.band.word(),
        closest.by,
        closest.other.word()
    ));
    stands(&lines);
}

// ---- 2. RWEA

fn debate_of(payload: &Value, domain: DomainChoice) -> DebateResult {
    let options = debate::Options {
        domain,
        ..debate::Options::default()
    };
    debate::evaluate(&payload.to_string(), &options)
        .result
        .expect("valid")
}

fn five_models() -> Value {
    let cases: Vec<Value> =
        serde_json::from_str(include_str!("../data/debates.json")).expect("valid data");
    let case = cases
        .into_iter()
        .find(|case| case["case"] == "five models, coding");
    case.expect("the case")["payload"].clone()
}

#[test]
fn five_models_of_coding() {
    let result = debate_of(&five_models(), DomainChoice::Named("coding".into()));
    let row = result
        .results
        .iter()
        .find(|row| row.id == "E")
        .expect("candidate E");
    let (w, c) = (&result.weights, &row.contributions);
    let reliability = row.model_weight.expect("a domain");
    let formal = row.formal_score.expect("given");
    let mut lines = vec![
        format!(
            "score(E) = {} x {} + {} x {} - {} x {} + {} x {reliability} + {} x {formal}",
            w.w_base,
            row.base,
            w.w_pairwise,
            row.pairwise,
            w.w_risk,
            row.risk,
            w.w_reliability,
            w.w_formal
        ),
        format!(
            "         = {} + {} - {} + {} + {} = {}",
            c.base, c.pairwise, -c.risk, c.reliability, c.formal, row.score
        ),
    ];
    for row in &result.results {
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} |",
            row.id, row.base, row.risk, row.pairwise, row.score, row.critical_fails
        ));
    }
    let gap = round4(result.results[0].score - result.results[1].score);
    lines.push(format!(
        "gap = {} - {} = {gap}",
        result.results[0].score, result.results[1].score
    ));
    assert_eq!(result.winner.as_deref(), Some("C"));
    stands(&lines);
}

/// The lines of the section on firmness, for the same example.
#[test]
#[expect(
    clippy::too_many_lines,
    reason = "one worked example, as it stands there"
)]
fn firmness_of_five_models() {
    let read = debate::read(&five_models().to_string());
    let payload = read.result.expect("valid");
    let options = debate::Options {
        domain: DomainChoice::Named("coding".into()),
        ..debate::Options::default()
    };
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("valid weights");
    let intervals = board.intervals();
    let end = |end: &End| match &end.flip {
        Some(flip) => format!("{} ({})", round4(end.at), flip.words),
        None => "never".into(),
    };
    let mut lines: Vec<String> = intervals
        .weights
        .iter()
        .map(|w| {
            let (low, high) = (end(&w.low), end(&w.high));
            format!("| {} | {} | {low} | {high} |", w.weight, w.current)
        })
        .collect();
    let nearest = intervals.nearest_relative.as_ref().expect("a flip");
    let relative = nearest.relative.expect("above 0");
    lines.push(format!(
        "{}: a change by {:.1} %",
        nearest.words,
        relative * 100.0
    ));
    // the closed form, before rounding moves it by less than a ten-thousandth
    let (numbers, weights) = (board.numbers(), board.weights().values());
    let ahead = |term: usize| round4(numbers.values[2][term] - numbers.values[0][term]);
    let gap = round4(numbers.score(2, &weights) - numbers.score(0, &weights));
    lines.push(format!(
        "gap(w_pairwise) = {gap} + (w_pairwise - {}) x {}",
        weights[1],
        ahead(1)
    ));
    let crossing = round4(weights[1] - (gap - debate::CLEAR_GAP) / ahead(1));
    lines.push(format!("It is 0.40 at {crossing}."));
    let reachable = board.changes().iter().any(|reach| reach.to_first.is_some());
    assert!(!reachable, "no single change puts anyone else first");
    let beside = board.against("A", "C").expect("two candidates");
    for term in &beside.terms {
        let [ahead, behind] = term.values;
        lines.push(format!(
            "| {} | {} | {ahead} | {behind} | {} |",
            term.term, term.weight, term.difference
        ));
    }
    lines.push(format!("| together | | | | {} |", beside.gap));
    let found = board.uncertainty(&UncertaintyOptions::default());
    for shares in &found.candidates {
        let ranks: Vec<String> = shares
            .ranks
            .iter()
            .map(|share| format!("{share:.4}"))
            .collect();
        lines.push(format!("| {} | {} |", shares.id, ranks.join(" | ")));
    }
    let firm = is_firm(&intervals, Some(&found));
    lines.push(format!(
        "A change below {} % or a share below {} % is not firm; this verdict is {}.",
        FIRM_CHANGE * 100.0,
        FIRM_SHARE * 100.0,
        if firm { "firm" } else { "not firm" }
    ));
    stands(&lines);
}

#[test]
fn contributions_of_thirds() {
    let review = |support: i64, risks: i64| json!({"support": support, "evidence": 1, "major_risks": risks, "critical_fail": 0});
    let payload = json!({
        "candidates": [
            {"id": "A", "reviews": [review(2, 1), review(1, 0), review(1, 0)]},
            {"id": "B", "reviews": [review(1, 0)]},
            {"id": "C", "reviews": [review(1, 0)]},
        ],
        "pairwise": [
            {"winner": "A", "loser": "B"},
            {"winner": "B", "loser": "C"},
            {"winner": "C", "loser": "A"},
        ],
    });
    let result = debate_of(&payload, DomainChoice::None);
    let row = result
        .results
        .iter()
        .find(|row| row.id == "A")
        .expect("candidate A");
    let c = &row.contributions;
    assert_eq!(row.wins, 1);
    stands(&[
        format!(
            "base {}, risk {}, pairwise {}",
            row.base, row.risk, row.pairwise
        ),
        format!("{} + {} - {} = {}", c.base, c.pairwise, -c.risk, row.score),
    ]);
}

#[test]
fn domains_from_words() {
    let lines: Vec<String> = [
        "Which clause of the contract covers GDPR compliance?",
        "Is this syntax right?",
        "Is there a proof in the code?",
        "Wait a sec, is the SEC involved?",
    ]
    .into_iter()
    .map(|question| {
        let (domain, hits) = detect(question, Profiles::built_in());
        let words: Vec<String> = hits
            .iter()
            .flat_map(|hit| &hit.hits)
            .map(|hit| format!("{} {}-{}", hit.keyword, hit.start, hit.end))
            .collect();
        let words = if words.is_empty() {
            "none".to_owned()
        } else {
            words.join(", ")
        };
        format!("| {question} | {words} | {domain} |")
    })
    .collect();
    stands(&lines);
}

/// A file's first debate.
fn made_of(file: &Value) -> debate::Payload {
    let bytes = file.to_string().into_bytes();
    let file = File::open("ballots.json", Box::new(bytes), None).expect("bytes");
    let listing = &file.listings[0];
    let wanted = Wanted {
        kind: Kind::Debate,
        file: "ballots.json",
        because: &listing.because,
        mapping: BTreeMap::new(),
    };
    let made = file.make(0, &[0], &wanted).expect("bytes");
    debate::read(&made.text).result.expect("a debate")
}

/// The reviews of a file's first debate: each candidate's support, evidence, risk and critical fail.
fn of_ballots(file: &Value) -> Vec<[i64; 4]> {
    let candidates = made_of(file).candidates.into_iter();
    let reviews = candidates.map(|candidate| {
        let review = &candidate.reviews[0];
        [
            review.support,
            review.evidence,
            review.major_risks,
            review.critical_fail,
        ]
    });
    reviews.collect()
}

#[test]
fn ballots() {
    let mut lines = Vec::new();
    for places in 2..=6 {
        let names = &["A", "B", "C", "D", "E", "F"][..places];
        let answers = names
            .iter()
            .map(|name| json!({"model": name, "response": "x"}));
        let order = names.iter().map(|name| format!("Response {name}"));
        let council = json!({"messages": [{
            "role": "assistant",
            "stage1": answers.collect::<Value>(),
            "stage2": [{"model": "judge", "parsed_ranking": order.collect::<Vec<_>>()}],
        }]});
        let ratings = of_ballots(&council);
        let ratings = ratings.iter().map(|[support, evidence, ..]| {
            assert_eq!(support, evidence);
            support.to_string()
        });
        lines.push(format!(
            "| {places} | {} |",
            ratings.collect::<Vec<_>>().join(" ")
        ));
    }
    let scores = json!({"correctness": 90, "completeness": 60, "clarity": 30});
    let pair = json!({
        "pairId": "p", "judgeId": "judge", "answerAVariant": "A", "answerBVariant": "B",
        "winner": "A", "scoresA": scores, "scoresB": scores,
        "violationsA": ["long", "late"], "violationsB": [],
    });
    let [support, evidence, risks, critical] = of_ballots(&pair)[0];
    lines.push(format!(
        "support {support}, evidence {evidence}, major_risks {risks}, critical_fail {critical}"
    ));
    stands(&lines);
}

#[test]
fn readings_of_two_scores() {
    let pair = json!({
        "pairId": "p", "judgeId": "judge", "answerAVariant": "A", "answerBVariant": "B",
        "winner": "tie", "scoresA": {"quality": 90}, "scoresB": {"quality": 70},
    });
    let payload = made_of(&pair);
    let options = debate::Options::default();
    let found = debate::readings(&payload, Profiles::built_in(), &options).expect("marks");
    assert!(found.are_all);
    let firsts = &found.candidates;
    let nearest = found.nearest.expect("a nearest reading");
    let verdicts = [[2, 2], [2, 1], [2, 0], [1, 1], [1, 0], [0, 0]].map(|ratings| {
        let candidates = ["A", "B"].into_iter().zip(ratings).map(|(id, rating)| {
            json!({"id": id, "wins": 0, "reviews": [{
                "support": rating, "evidence": rating, "major_risks": 0, "critical_fail": 0,
            }]})
        });
        let debate = json!({"candidates": candidates.collect::<Value>()});
        let ruling = debate::Ruling::of(&debate_of(&debate, DomainChoice::None));
        format!("| {} | {} | {} |", ratings[0], ratings[1], ruling.words())
    });
    stands(&verdicts);
    stands(&[
        format!(
            "all {} readings: the verdict stands in {}",
            found.readings, found.same_verdict
        ),
        format!(
            "A is first in {}, B in {}",
            firsts[0].first, firsts[1].first
        ),
        format!("nearest: {}, {}", nearest.words, nearest.ruling.words()),
    ]);
}

#[test]
fn strengths_of_a_league() {
    let review = json!({"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0});
    let candidate = |id: &str| json!({"id": id, "wins": 0, "reviews": [review]});
    let text = json!({
        "source": {"league": [["A", "B", 30, 10, 0]]},
        "candidates": [candidate("A"), candidate("B")],
    });
    let payload = debate::read(&text.to_string()).result.expect("a debate");
    let league = debate::league(&payload).expect("a league");
    let players = league.players.iter().map(|player| {
        let [low, high] = player.interval;
        format!("{} {} ({low} to {high})", player.id, player.rating)
    });
    stands(&[
        format!("400 x log10(3) = {}", round4(400.0 * 3_f64.log10())),
        players.collect::<Vec<_>>().join(", "),
    ]);
}

// ---- 3. persona alignment

/// Vectors of texts, as a worker would have made them.
fn table<'a>(vectors: impl IntoIterator<Item = (&'a str, Vec<f32>)>) -> VectorTable {
    VectorTable {
        model: ModelIdentity {
            id: "given".into(),
            sha256: "0".repeat(64),
            precision: "float32".into(),
        },
        vectors: vectors
            .into_iter()
            .map(|(text, vector)| (text.to_owned(), Rc::from(vector)))
            .collect::<HashMap<_, _>>(),
    }
}

fn persona_result(inputs: &Inputs, vectors: Option<&VectorTable>) -> PersonaResult {
    let run = persona::read(inputs).result.expect("valid");
    let options = persona::Options::default();
    run.score(&options, vectors.map(|table| table as _))
        .result
        .expect("scored")
}

fn example() -> PersonaResult {
    let inputs = Inputs {
        persona: PERSONA,
        transcript: TRANSCRIPT,
        ..Inputs::default()
    };
    persona_result(&inputs, None)
}

fn session<'a>(result: &'a PersonaResult, id: &str) -> &'a SessionResult {
    let found = result.sessions.iter().find(|s| s.session_id == id);
    found.expect("a session of the example")
}

fn response<'a>(result: &'a PersonaResult, id: &str, index: i64) -> &'a TurnResult {
    let turns = &session(result, id).turns;
    turns
        .iter()
        .find(|turn| turn.turn_index == index)
        .expect("a turn of the example")
}

#[test]
fn authenticity_of_a_happy_person() {
    let reference: Value =
        serde_json::from_str(include_str!("../data/embedding/reference.json")).expect("valid");
    let vectors = table(
        reference["texts"]
            .as_array()
            .expect("texts")
            .iter()
            .map(|case| {
                let vector = serde_json::from_value(case["vector"].clone()).expect("numbers");
                (case["text"].as_str().expect("a text"), vector)
            }),
    );
    let inputs = Inputs {
        persona: "exemplars: [Today is a sunny day, That is a happy dog]\n\
                  lexicon: {preferred: [happy, dog], avoid: [sad]}\n\
                  style_rules: {formality: business_casual, verbosity: detailed}\n",
        transcript: r#"{"session_id": "a", "turn": 1, "assistant": "That is a happy person"}"#,
        ..Inputs::default()
    };
    let result = persona_result(&inputs, Some(&vectors));
    let session = &result.sessions[0];
    let (style, traits) = (
        session.style.expect("measured"),
        session.traits.expect("measured"),
    );
    let lexicon = session.lexicon.expect("measured");
    stands(&[format!(
        "authenticity = 0.6 x {style:.4} + 0.25 x {traits} + 0.15 x {lexicon} = {:.4}",
        session.authenticity.expect("measured")
    )]);
}

#[test]
fn signals_of_casual_talk() {
    let result = example();
    let turn = response(&result, "late-part", 2);
    let formality = turn
        .traits
        .iter()
        .find(|found| &*found.name == "formality:business_casual")
        .expect("declared");
    let mut lines: Vec<String> = formality
        .evidence
        .iter()
        .skip(1)
        .filter(|evidence| evidence.threshold.is_none())
        .map(|evidence| format!("| {} | {} |", evidence.signal, evidence.value))
        .collect();
    lines.push(format!(
        "formality index = {}",
        round4(formality.evidence[0].value)
    ));
    assert!(!formality.matched);
    stands(&lines);
}

#[test]
fn thresholds_of_the_detectors() {
    let source = include_str!("../../src/persona/thresholds.rs");
    let rows: Vec<String> = source
        .lines()
        .filter_map(|line| line.strip_prefix("pub const ")?.split_once(": "))
        .filter_map(|(name, rest)| {
            let (_, value) = rest.trim_end_matches(';').split_once(" = ")?;
            Some(format!("| `{name}` | {value} |"))
        })
        .collect();
    assert!(rows.len() > 40, "{}", rows.len());
    stands(&rows);
}

#[test]
fn weights_of_the_domains() {
    let rows: Vec<String> = Profiles::built_in()
        .domains()
        .iter()
        .map(|domain| {
            let weights = domain.weights.named().map(|(_, weight)| weight.to_string());
            format!("| {} | {} |", domain.name, weights.join(" | "))
        })
        .collect();
    stands(&rows);
}

#[test]
fn lexicon_of_the_example() {
    let result = example();
    let mut lines = Vec::new();
    for (id, index) in [("brakes-squeal", 2), ("invoice-dispute", 2)] {
        let turn = response(&result, id, index);
        lines.push(format!("lexicon = {}", turn.lexicon.expect("measured")));
        for hit in turn.preferred_hits.iter().chain(turn.avoided_hits.iter()) {
            lines.push(format!("`{}` {}-{}", hit.entry, hit.start, hit.end));
        }
    }
    stands(&lines);
}

#[test]
fn safety_of_the_example() {
    let result = example();
    let session = session(&result, "knee-pain");
    let rate = session.violation_rate.expect("measured");
    let severity = session.severity_score.expect("measured");
    stands(&[
        format!("violation_rate = 1 / 2 = {rate}"),
        format!("severity_score = 1 - 0.5 - 0.2 = {}", round4(severity)),
        format!(
            "safety = min(1 - {rate}, {}) = {}, decided by {}",
            round4(severity),
            round4(session.safety.expect("measured")),
            json!(session.decided_by).as_str().unwrap_or_default()
        ),
    ]);
}

#[test]
fn stability_of_three_directions() {
    let inputs = Inputs {
        persona: "exemplars: [one]",
        transcript: r#"[{"session_id": "a", "turn": 1, "assistant": "one"},
                        {"session_id": "a", "turn": 2, "assistant": "two"},
                        {"session_id": "a", "turn": 3, "assistant": "three"}]"#,
        ..Inputs::default()
    };
    let vectors = table([
        ("one", vec![0.6, 0.8]),
        ("two", vec![1.0, 0.0]),
        ("three", vec![0.0, 1.0]),
    ]);
    let stability = persona_result(&inputs, Some(&vectors)).sessions[0].stability;
    // the same by hand
    let (x, y) = (1.6_f64 / 3.0, 1.8_f64 / 3.0);
    let length = x.hypot(y);
    let distances = [(0.6, 0.8), (1.0, 0.0), (0.0, 1.0)]
        .map(|(a, b): (f64, f64)| 1.0 - (a * x + b * y) / length);
    let spread = population_std(&distances).expect("three");
    stands(&[
        format!("mean = ({x:.4}, {y:.4}), its length {length:.4}"),
        format!(
            "distances {:.4}, {:.4}, {:.4}",
            distances[0], distances[1], distances[2]
        ),
        format!(
            "stability = 1 - {spread:.4} / 0.25 = {:.4}",
            stability.expect("measured")
        ),
    ]);
}

#[test]
fn a_session_without_style_and_stability() {
    let result = example();
    let session = session(&result, "opening-hours");
    let (traits, lexicon) = (
        session.traits.expect("measured"),
        session.lexicon.expect("measured"),
    );
    let authenticity = session.authenticity.expect("measured");
    stands(&[
        format!(
            "authenticity = (0.25 x {traits} + 0.15 x {lexicon}) / 0.4 = {}",
            round4(authenticity)
        ),
        format!(
            "overall = (0.5 x {} + 0.3 x {}) / 0.8 = {}",
            round4(authenticity),
            session.safety.expect("measured"),
            round4(session.overall.expect("measured"))
        ),
    ]);
}

#[test]
fn bootstrap_intervals() {
    let eighths: Vec<f64> = (0..8).map(|k| f64::from(k) / 8.0).collect();
    let [low, high] = mean_interval_95(&eighths, 1000, 42).expect("eight values");
    let differences = [-0.5925, 0.615];
    let [worst, best] = mean_interval_95(&differences, 1000, 42).expect("two values");
    stands(&[
        format!(
            "mean {}, interval [{low}, {high}]",
            mean(&eighths).expect("eight")
        ),
        format!(
            "mean {:.5}, interval [{worst}, {best}]",
            mean(&differences).expect("two")
        ),
    ]);
}
