//! Reading marks: of those that say what was measured the rules are asked again, and what
//! they say of the scoring is kept to be checked.

use super::fields::{
    action, boolean, by_default, owned_text, read_overrides, read_weights, share, text, turn_number,
};
use super::principles::{PRIOR, PerPrinciple, Principle, Principles};
use super::turn::{Record, Turn, TurnResult, Walk};
use crate::document::{Code, Problems, Reader, Value};

const MARK: [&str; 12] = [
    "session_id",
    "turn_number",
    "action",
    "user_message",
    "assistant_response",
    "constitutional_scores",
    "reasoning",
    "evidence",
    "weighted_total",
    "band",
    "rejected",
    "witness",
];

/// A mark without evidence brings its scores, and the rules are not asked again. The
/// scores of one with evidence are a record: they are worked out again.
pub(super) fn read_mark(mark: &Reader, place: usize, problems: &mut Problems) -> Turn {
    mark.check_keys(&MARK, problems);
    let evidence = mark.get_some("evidence");
    let (scores, unscored) = scores(mark, problems);
    let response = owned_text(mark, "assistant_response", problems);
    let mut turn = Turn {
        turn_number: turn_number(mark, place, problems),
        session: 0,
        occurrence: 1,
        action: action(mark, problems),
        user_message: owned_text(mark, "user_message", problems),
        has_mutations: false,
        acknowledged: None,
        result: Some(TurnResult {
            response: response.clone(),
            tools: 0,
            tools_passed: true,
            context_utilization: None,
        }),
        overrides: Vec::new(),
        reasoning: owned_text(mark, "reasoning", problems),
        witnessed: None,
        record: None,
        by_default: unscored,
    };
    if let Some(evidence) = evidence {
        read_evidence(&evidence, &mut turn, response, problems);
        turn.record = Some(Box::new(read_record(mark, scores, problems)));
    } else {
        let score = |principle: Principle| scores[principle as usize].unwrap_or(PRIOR);
        turn.witnessed = Some(PerPrinciple::from_values(Principle::ALL.map(score)));
    }
    turn
}

/// The scores of a mark, and the principles that it leaves out.
fn scores(mark: &Reader, problems: &mut Problems) -> ([Option<f64>; Principle::COUNT], Principles) {
    let mut found = [None; Principle::COUNT];
    let mut unscored = Principles::ALL;
    let Some(scores) = mark.get("constitutional_scores") else {
        return (found, unscored);
    };
    if !matches!(scores.value(), Value::Map(_)) {
        scores.expected("an object of principle and score", problems);
        return (found, unscored);
    }
    scores.check_keys(&PerPrinciple::NAMES, problems);
    for principle in Principle::ALL {
        let name = principle.name();
        if let Some(reader) = scores.get_some(name) {
            found[principle as usize] = share(&reader, problems);
            unscored.remove(principle);
        } else {
            let message = format!("missing {name}: {PRIOR:.1} is taken");
            problems.warning(&scores, message).code = Code::Missing;
        }
    }
    (found, unscored)
}

/// What the rules measured: the keys are those of a turn, the tools are counted, and the
/// response stands in the mark.
fn read_evidence(evidence: &Reader, turn: &mut Turn, response: String, problems: &mut Problems) {
    if !matches!(evidence.value(), Value::Map(_)) {
        evidence.expected("an object", problems);
        return;
    }
    let known = ["has_mutations", "acknowledged", "turn_result", "overrides"];
    evidence.check_keys(&known, problems);
    turn.overrides = read_overrides(evidence, problems);
    turn.by_default = by_default(evidence, &turn.overrides);
    turn.has_mutations = boolean(evidence, "has_mutations", problems).unwrap_or(false);
    turn.acknowledged = boolean(evidence, "acknowledged", problems);
    turn.result = evidence.get_some("turn_result").map(|result| {
        if !matches!(result.value(), Value::Map(_)) {
            result.expected("an object or null", problems);
        }
        let known = ["tools", "tools_passed", "context_utilization"];
        result.check_keys(&known, problems);
        let context = result.get_some("context_utilization");
        TurnResult {
            response,
            tools: whole(&result, "tools", problems).unwrap_or(0),
            tools_passed: boolean(&result, "tools_passed", problems).unwrap_or(true),
            context_utilization: context.and_then(|context| share(&context, problems)),
        }
    });
}

fn read_record(
    mark: &Reader,
    scores: [Option<f64>; Principle::COUNT],
    problems: &mut Problems,
) -> Record {
    let mut record = Record {
        place: mark.place(),
        path: mark.path(),
        scores,
        weighted_total: number(mark, "weighted_total", problems),
        band: text(mark, "band", problems).map(str::to_owned),
        rejected: boolean(mark, "rejected", problems),
        formula: None,
        weights: None,
        ethical_floor: None,
        input_sha256: None,
        position: None,
        of: None,
        turn_sha256: None,
        reward: None,
        value: None,
    };
    if let Some(witness) = mark.get_some("witness") {
        read_witness(&witness, &mut record, problems);
    }
    record
}

/// What the scoring of a mark stood on.
fn read_witness(witness: &Reader, record: &mut Record, problems: &mut Problems) {
    if !matches!(witness.value(), Value::Map(_)) {
        witness.expected("an object", problems);
        return;
    }
    let known = [
        "formula",
        "weights",
        "ethical_floor",
        "input_sha256",
        "position",
        "of",
        "turn_sha256",
    ];
    witness.check_keys(&known, problems);
    let own = |key: &str, problems: &mut Problems| text(witness, key, problems).map(str::to_owned);
    record.formula = own("formula", problems);
    record.input_sha256 = own("input_sha256", problems);
    record.turn_sha256 = own("turn_sha256", problems);
    record.position = whole(witness, "position", problems);
    record.of = whole(witness, "of", problems);
    let floor = witness.get_some("ethical_floor");
    record.ethical_floor = floor.and_then(|floor| share(&floor, problems));
    record.weights = witness.get_some("weights").and_then(|weights| {
        let given = read_weights(&weights, problems);
        let weight = |principle: Principle| {
            let mut named = given.iter().rev();
            named
                .find(|(name, _)| name == principle.name())
                .map(|(_, w)| *w)
        };
        let all: Option<Vec<f64>> = Principle::ALL.into_iter().map(weight).collect();
        let all = all.and_then(|all| all.try_into().ok());
        if all.is_none() {
            weights.expected("a weight for each principle", problems);
        }
        all.map(PerPrinciple::from_values)
    });
}

fn number(of: &Reader, key: &str, problems: &mut Problems) -> Option<f64> {
    let reader = of.get_some(key)?;
    let value = reader.as_f64();
    if value.is_none() {
        reader.expected("a number", problems);
    }
    value
}

fn whole(of: &Reader, key: &str, problems: &mut Problems) -> Option<usize> {
    let reader = of.get_some(key)?;
    let value = reader.as_integer();
    let value = value.and_then(|value| usize::try_from(value).ok());
    if value.is_none() {
        reader.expected("a whole number from 0", problems);
    }
    value
}

/// What the step of a policy trace says of its turn: the reward, and what it adds to the
/// value of the walk.
pub(super) fn read_step(step: &Reader, record: &mut Record, problems: &mut Problems) {
    let known = [
        "state_before",
        "action",
        "state_after",
        "reward",
        "discount",
        "value",
        "rationale",
        "mark",
    ];
    step.check_keys(&known, problems);
    record.reward = number(step, "reward", problems);
    record.value = number(step, "value", problems);
}

/// What the head of a policy trace says of the walk.
pub(super) fn read_walk(
    head: &Reader,
    turns: std::ops::Range<usize>,
    problems: &mut Problems,
) -> Walk {
    let known = [
        "session_id",
        "formula",
        "gamma",
        "weights",
        "ethical_floor",
        "input_sha256",
        "turns",
        "value",
    ];
    head.check_keys(&known, problems);
    let gamma = head.get_some("gamma");
    Walk {
        place: head.place(),
        path: head.path(),
        gamma: gamma.and_then(|gamma| share(&gamma, problems)),
        value: number(head, "value", problems),
        count: whole(head, "turns", problems),
        turns,
    }
}
