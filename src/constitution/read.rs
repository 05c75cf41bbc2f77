//! Reading turns: one, an array, JSONL, `{"session_id", "turns"}`, or the marks
//! of a session, also between words or in fenced blocks. Every input check of
//! the bench is here, with its place.

use std::collections::HashSet;

use super::principles::{PRIOR, PerPrinciple, Principle, Principles};
use super::reward::Measured;
use super::turn::{Override, Turn, TurnResult};
use crate::analysis::MOST_WEIGHT;
use crate::document::{
    Code, Entry, Evaluation, Kinship, Node, Parsed, Problems, Reader, Value, are_embedded,
    input_sha256_in_steps, made_by_assay,
};
use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::Shown;

/// What a turn does when it does not say.
const DEFAULT_ACTION: &str = "send_message";

/// The turns of a session, read without an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// SHA-256 of the text. It stands first: logs of two texts differ here already.
    pub input_sha256: String,
    /// The session, where it has an id.
    pub session_id: Option<String>,
    /// In the order of the text; at least one.
    pub turns: Vec<Turn>,
    /// Weights that the session brings along.
    pub weights: Vec<(String, f64)>,
    /// `"weights_mode": "replace"`.
    pub replace_weights: bool,
    /// What was measured of each turn: weights only weigh it.
    pub(super) measured: Vec<Measured>,
}

/// A text made ready to be read from. Its values are parsed when they are first
/// needed, and once, for reading and for the [form](super::form::Form) of the turns.
pub fn parse(text: &str) -> Parsed {
    Parsed::json(text)
}

/// Reads turns; all their problems are reported.
///
/// ```
/// let read = assay::constitution::read("{\"turn_number\": 3}\n{}");
/// let log = read.result.expect("no error");
/// assert_eq!([log.turns[0].turn_number, log.turns[1].turn_number], [3, 2]);
/// ```
pub fn read(text: &str) -> Evaluation<Log> {
    read_from(&parse(text))
}

/// Reads the turns of a text that [`parse`] made ready.
pub fn read_from(parsed: &Parsed) -> Evaluation<Log> {
    at_once(read_from_in_steps(parsed, THROUGH))
}

/// A text in steps: what [`parse`] and [`read_from`] make of it.
pub async fn read_in_steps(text: &str, pause: Pause<'_>) -> (Parsed, Evaluation<Log>) {
    let parsed = Parsed::json_in_steps(text, pause).await;
    let read = read_from_in_steps(&parsed, pause).await;
    (parsed, read)
}

async fn read_from_in_steps(parsed: &Parsed, pause: Pause<'_>) -> Evaluation<Log> {
    let mut problems = Problems::new();
    let mut log = Log {
        input_sha256: String::new(),
        session_id: None,
        turns: Vec::new(),
        weights: Vec::new(),
        replace_weights: false,
        measured: Vec::new(),
    };
    let (text, found) = (parsed.text(), parsed.pieces());
    for piece in 0..found.len() {
        problems.extend(parsed.problems(piece).iter().cloned());
    }
    if let [piece] = found {
        if let Some(node) = parsed.node(0) {
            if let Some(note) = piece.note(text) {
                problems.note(&Reader::new(node), note).code = Code::Partial;
            }
            read_root(node, &mut log, &mut problems, pause).await;
        }
    } else {
        let pieces = (0..found.len()).filter_map(|index| Some((index, parsed.node(index)?)));
        let turns: Vec<_> = pieces.collect();
        if let Some((_, first)) = turns.first().filter(|_| are_embedded(text, found)) {
            let message = format!(
                "{} turns are read; what else stands in the text is not",
                found.len()
            );
            problems.warning(&Reader::new(first), message).code = Code::Partial;
        }
        log.turns = read_turns("", &turns, &mut problems, pause).await;
    }
    let failed = problems.has_errors();
    let problems = problems.into_sorted();
    if failed {
        return Evaluation {
            result: None,
            problems,
        };
    }
    let total = log.turns.len();
    for (index, turn) in log.turns.iter().enumerate() {
        log.measured.push(Measured::of(turn));
        let (done, what) = (index + 1, "turns measured");
        step(pause, Progress::new(done, total, what)).await;
    }
    log.input_sha256 = input_sha256_in_steps(&[("turns", text)], pause).await;
    Evaluation {
        result: Some(log),
        problems,
    }
}

async fn read_root(node: &Node, log: &mut Log, problems: &mut Problems, pause: Pause<'_>) {
    let root = Reader::new(node);
    if let Some(result) = made_by_assay(node) {
        // its turns have numbers and actions, and nothing that could be scored
        problems.error(&root, format!("expected turns: {result}"));
        return;
    }
    let turns = if let Some(turns) = root.get("turns") {
        root.check_keys(
            &["session_id", "turns", "weights", "weights_mode"],
            problems,
        );
        let session_id = text(&root, "session_id", problems);
        log.session_id = session_id.map(str::to_owned);
        read_weights(&root, log, problems);
        turns
    } else if matches!(root.value(), Value::List(_)) {
        root
    } else {
        let mut kinship = Kinship::new(&EITHER);
        kinship.add(&root);
        kinship.check(A_TURN, problems);
        log.turns.extend(read_turn(&root, 0, problems));
        return;
    };
    let Value::List(items) = turns.value() else {
        turns.expected("a list of turns", problems);
        return;
    };
    if items.is_empty() {
        turns.expected("at least one turn", problems);
    }
    let items: Vec<_> = items.iter().enumerate().collect();
    log.turns = read_turns(turns.path(), &items, problems, pause).await;
}

/// Reads the items of a list, each given with its position.
async fn read_turns(
    list: &str,
    items: &[(usize, &Node)],
    problems: &mut Problems,
    pause: Pause<'_>,
) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    let mut kinship = Kinship::new(&EITHER);
    for (index, (position, node)) in items.iter().enumerate() {
        let item = Reader::at(node, format!("{list}[{position}]"));
        kinship.add(&item);
        if let Some(mut turn) = read_turn(&item, index, problems) {
            let before = turns.last().map(|before| before.turn_number);
            turn.is_repeated = !seen.insert(turn.turn_number);
            check_order(&item, &turn, before, problems);
            turns.push(turn);
        }
        let (done, total, what) = (index + 1, items.len(), "turns read");
        step(pause, Progress::new(done, total, what)).await;
    }
    kinship.check(A_TURN, problems);
    turns
}

/// Warns of a number that is given twice, or smaller than the one before it.
fn check_order(item: &Reader, turn: &Turn, before: Option<i64>, problems: &mut Problems) {
    let number = turn.turn_number;
    let at = item.get("turn_number");
    let at = at.as_ref().unwrap_or(item);
    if turn.is_repeated {
        let message = format!("turn_number {number} is given twice");
        problems.warning(at, message).code = Code::Repeated;
    } else if before.is_some_and(|before| before > number) {
        let message = format!(
            "turn_number {number} comes after a larger one; turns are scored in the order given"
        );
        problems.warning(at, message);
    }
}

fn read_weights(root: &Reader, log: &mut Log, problems: &mut Problems) {
    if let Some(mode) = root.get_some("weights_mode") {
        match mode.as_str() {
            Some("replace") => log.replace_weights = true,
            Some("merge") => {}
            _ => mode.expected("\"merge\" or \"replace\"", problems),
        }
    }
    let Some(weights) = root.get_some("weights") else {
        return;
    };
    if !matches!(weights.value(), Value::Map(_)) {
        weights.expected("an object of principle and weight", problems);
    }
    for Entry { key, .. } in weights.entries() {
        let Some(reader) = weights.get(key) else {
            continue;
        };
        match reader.as_f64() {
            _ if !PerPrinciple::NAMES.contains(&key.as_str()) => {
                unknown_principle(&reader, key, problems);
            }
            Some(weight) if (0.0..=MOST_WEIGHT).contains(&weight) => {
                log.weights.push((key.clone(), weight));
            }
            _ => {
                let given = reader.value().describe();
                let message =
                    format!("weight {key} must be a number from 0 to {MOST_WEIGHT}, got {given}");
                problems.error(&reader, message);
            }
        }
    }
}

fn unknown_principle(at: &Reader, name: &str, problems: &mut Problems) {
    let names = PerPrinciple::NAMES.join(", ");
    let message = format!(
        "unknown principle {:?}: expected one of {names}",
        Shown(name)
    );
    problems.error(at, message).code = Code::UnknownName;
}

const TURN: [&str; 8] = [
    "turn_number",
    "action",
    "user_message",
    "has_mutations",
    "acknowledged",
    "turn_result",
    "overrides",
    "reasoning",
];
const MARK: [&str; 6] = [
    "turn_number",
    "action",
    "user_message",
    "assistant_response",
    "constitutional_scores",
    "reasoning",
];
/// The keys that a turn or a mark may have, those first that tell the most.
const EITHER: [&str; 10] = [
    "action",
    "turn_result",
    "has_mutations",
    "acknowledged",
    "overrides",
    "constitutional_scores",
    "user_message",
    "assistant_response",
    "reasoning",
    "turn_number",
];
const A_TURN: &str = "a turn or a mark";

fn read_turn(turn: &Reader, index: usize, problems: &mut Problems) -> Option<Turn> {
    if !matches!(turn.value(), Value::Map(_)) {
        turn.expected("a turn (an object)", problems);
        return None;
    }
    if turn.get("constitutional_scores").is_some() {
        return Some(read_mark(turn, index, problems));
    }
    turn.check_keys(&TURN, problems);
    let overrides = read_overrides(turn, problems);
    Some(Turn {
        by_default: by_default(turn, &overrides),
        turn_number: turn_number(turn, index, problems),
        is_repeated: false,
        action: text(turn, "action", problems)
            .unwrap_or(DEFAULT_ACTION)
            .into(),
        user_message: owned_text(turn, "user_message", problems),
        has_mutations: boolean(turn, "has_mutations", problems).unwrap_or(false),
        acknowledged: boolean(turn, "acknowledged", problems),
        result: read_result(turn, problems),
        overrides,
        reasoning: owned_text(turn, "reasoning", problems),
        witnessed: None,
    })
}

/// The principles of which a turn says nothing: none that its rule could measure, and no
/// override.
fn by_default(turn: &Reader, overrides: &[Override]) -> Principles {
    let result = turn.get_some("turn_result");
    let is_said = |key| {
        result
            .as_ref()
            .is_some_and(|result| result.get_some(key).is_some())
    };
    let is_measured = |principle| match principle {
        Principle::Ethical => result.is_some() && turn.get_some("has_mutations").is_some(),
        // no response is one of no characters
        Principle::JoyInducing => result.is_some(),
        Principle::Composable => is_said("tools"),
        Principle::Generative => is_said("context_utilization"),
        Principle::Tasteful | Principle::Curated | Principle::Heterarchical => false,
    };
    let mut unsaid = Principles::those(|principle| !is_measured(principle));
    for given in overrides {
        unsaid.remove(given.principle);
    }
    unsaid
}

/// A mark brings its scores; the rules are not asked again.
fn read_mark(mark: &Reader, index: usize, problems: &mut Problems) -> Turn {
    mark.check_keys(&MARK, problems);
    let mut witnessed = PerPrinciple::all(PRIOR);
    let mut by_default = Principles::ALL;
    if let Some(scores) = mark.get("constitutional_scores") {
        if matches!(scores.value(), Value::Map(_)) {
            scores.check_keys(&PerPrinciple::NAMES, problems);
            for principle in Principle::ALL {
                let name = principle.name();
                if let Some(reader) = scores.get_some(name) {
                    witnessed[principle] = share(&reader, problems).unwrap_or(PRIOR);
                    by_default.remove(principle);
                } else {
                    let message = format!("missing {name}: {PRIOR:.1} is taken");
                    problems.warning(&scores, message).code = Code::Missing;
                }
            }
        } else {
            scores.expected("an object of principle and score", problems);
        }
    }
    Turn {
        turn_number: turn_number(mark, index, problems),
        is_repeated: false,
        action: text(mark, "action", problems)
            .unwrap_or(DEFAULT_ACTION)
            .into(),
        user_message: owned_text(mark, "user_message", problems),
        has_mutations: false,
        acknowledged: None,
        result: Some(TurnResult {
            response: owned_text(mark, "assistant_response", problems),
            tools: 0,
            tools_passed: true,
            context_utilization: None,
        }),
        overrides: Vec::new(),
        reasoning: owned_text(mark, "reasoning", problems),
        witnessed: Some(witnessed),
        by_default,
    }
}

fn turn_number(turn: &Reader, index: usize, problems: &mut Problems) -> i64 {
    let default = index as i64 + 1;
    let Some(reader) = turn.get_some("turn_number") else {
        return default;
    };
    reader
        .as_integer()
        .filter(|number| *number >= 0)
        .unwrap_or_else(|| {
            reader.expected("a whole number from 0", problems);
            default
        })
}

fn read_result(turn: &Reader, problems: &mut Problems) -> Option<TurnResult> {
    let result = turn.get_some("turn_result")?;
    if !matches!(result.value(), Value::Map(_)) {
        result.expected("an object or null", problems);
        return None;
    }
    result.check_keys(
        &[
            "response",
            "tools",
            "tools_passed",
            "user_corrected",
            "signals",
            "stopping_suggestion",
            "context_utilization",
        ],
        problems,
    );
    boolean(&result, "user_corrected", problems);
    text(&result, "stopping_suggestion", problems);
    list_length(&result, "signals", problems);
    Some(TurnResult {
        response: owned_text(&result, "response", problems),
        tools: list_length(&result, "tools", problems),
        tools_passed: boolean(&result, "tools_passed", problems).unwrap_or(true),
        context_utilization: result
            .get_some("context_utilization")
            .and_then(|reader| share(&reader, problems)),
    })
}

/// `{"<principle>": 0.4}` or `{"<principle>": {"score": 0.4, "reason": "..."}}`
/// (`value` may stand for `score`). A `reason` beside the principles holds for
/// those without one of their own.
fn read_overrides(turn: &Reader, problems: &mut Problems) -> Vec<Override> {
    let Some(given) = turn.get_some("overrides") else {
        return Vec::new();
    };
    if !matches!(given.value(), Value::Map(_)) {
        given.expected("an object of principle and score", problems);
    }
    let shared_reason = text(&given, "reason", problems);
    for entry in given.entries() {
        if entry.key != "reason" && !PerPrinciple::NAMES.contains(&entry.key.as_str()) {
            unknown_principle(&given.child(entry), &entry.key, problems);
        }
    }
    Principle::ALL
        .into_iter()
        .filter_map(|principle| {
            let reader = given.get_some(principle.name())?;
            let (score, reason) = if matches!(reader.value(), Value::Map(_)) {
                reader.check_keys(&["score", "value", "reason"], problems);
                let score = reader
                    .get_some("score")
                    .or_else(|| reader.get_some("value"));
                if score.is_none() {
                    problems.error(&reader, "missing 'score'").code = Code::Missing;
                }
                (score?, text(&reader, "reason", problems))
            } else {
                (reader, None)
            };
            Some(Override {
                principle,
                score: share(&score, problems)?,
                reason: reason.or(shared_reason).map(str::to_owned),
            })
        })
        .collect()
}

/// A number in [0, 1].
fn share(reader: &Reader, problems: &mut Problems) -> Option<f64> {
    let value = reader.as_f64().filter(|value| (0.0..=1.0).contains(value));
    if value.is_none() {
        reader.expected("a number in [0, 1]", problems);
    }
    // -0.0 is in the range too
    value.map(|value| value + 0.0)
}

fn boolean(of: &Reader, key: &str, problems: &mut Problems) -> Option<bool> {
    let reader = of.get_some(key)?;
    let value = reader.as_bool();
    if value.is_none() {
        reader.expected("true or false", problems);
    }
    value
}

fn text<'a>(of: &Reader<'a>, key: &str, problems: &mut Problems) -> Option<&'a str> {
    let reader = of.get_some(key)?;
    let value = reader.as_str();
    if value.is_none() {
        reader.expected("a string", problems);
    }
    value
}

fn owned_text(of: &Reader, key: &str, problems: &mut Problems) -> String {
    text(of, key, problems).unwrap_or_default().to_owned()
}

fn list_length(of: &Reader, key: &str, problems: &mut Problems) -> usize {
    let Some(reader) = of.get_some(key) else {
        return 0;
    };
    if let Value::List(items) = reader.value() {
        return items.len();
    }
    reader.expected("a list", problems);
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(text: &str) -> Vec<i64> {
        let read = read(text);
        let log = read.result.unwrap_or_else(|| panic!("{:?}", read.problems));
        log.turns.iter().map(|turn| turn.turn_number).collect()
    }

    #[test]
    fn every_shape_is_read() {
        assert_eq!(turns("{\"action\": \"a\"}"), [1]);
        assert_eq!(turns("[{}, {\"turn_number\": 7}]"), [1, 7]);
        assert_eq!(turns("{\"turn_number\": 3}\r\n\r\n{}"), [3, 2]);
        assert_eq!(
            turns("{\"session_id\": \"s\", \"turns\": [{\"overrides\": {}}]}"),
            [1]
        );
        assert_eq!(turns("{\"constitutional_scores\": {}}"), [1]);
    }

    #[test]
    fn nothing_to_score_is_a_problem() {
        for text in [
            "",
            "[]",
            "{\"turns\": []}",
            "null",
            "3",
            "{\"turns\": 1}",
            "[null]",
            "{}",
            "{\"a\": 1}",
            "[{}, {\"type\": \"user\", \"message\": {}}]",
            "{\"turns\": [{}]}",
            "{\"formula\": \"constitutional-reward/1\", \"input_sha256\": \"ab\", \"turns\": [{\"action\": \"a\"}]}",
            "{\"session_id\": \"a\", \"turns\": [{\"action\": \"b\"}]}\n{\"session_id\": \"b\", \"turns\": []}",
        ] {
            let read = read(text);
            assert!(read.result.is_none() && !read.problems.is_empty(), "{text}");
        }
    }

    #[test]
    fn every_wrong_field_is_told_with_its_place() {
        let text = r#"{"turns": [{"turn_number": -1, "action": 3, "has_mutations": "no", "acknowledged": 0,
 "turn_result": {"response": 1, "tools": 10, "tools_passed": null, "context_utilization": 1.5, "x": 1},
 "overrides": {"taste": 1, "curated": 2, "ethical": {"reason": "a"}}}]}"#;
        let read = read(text);
        let paths: Vec<_> = read.errors().map(|p| (p.line, p.path.as_str())).collect();
        assert_eq!(
            paths,
            [
                (1, "turns[0].turn_number"),
                (1, "turns[0].action"),
                (1, "turns[0].has_mutations"),
                (1, "turns[0].acknowledged"),
                (2, "turns[0].turn_result.response"),
                (2, "turns[0].turn_result.tools"),
                (2, "turns[0].turn_result.context_utilization"),
                (3, "turns[0].overrides.taste"),
                (3, "turns[0].overrides.curated"),
                (3, "turns[0].overrides.ethical"),
            ]
        );
    }

    #[test]
    fn a_broken_line_of_jsonl_is_told_with_its_line() {
        let read = read("{\"turn_number\": 1}\n{\"turn_number\": }\n{\"has_mutations\": 1}");
        let lines: Vec<_> = read.errors().map(|problem| problem.line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn what_models_print_around_turns_does_not_matter() {
        let read_from = |text: &str| {
            let found = read(text);
            let told: Vec<_> = found.problems.into_iter().map(|p| p.message).collect();
            (found.result.map_or(0, |log| log.turns.len()), told)
        };
        assert_eq!(
            read_from("Here:\n```json\n[{\"action\": \"a\"}, {\"action\": \"b\"}]\n```\nDone."),
            (2, vec!["only the JSON in line 3 is read".to_owned()])
        );
        let (turns, told) = read_from("{\"action\": \"a\"}\nturn 2 was:\n{\"action\": \"b\"}");
        assert_eq!((turns, told.len()), (2, 1));
        let (turns, told) = read_from(
            "```jsonl\n{\"action\": \"a\"}\n{\"action\": \"a\"}\n{\"action\": \"a\"}\n```",
        );
        assert_eq!((turns, told.len()), (3, 1));
        let (turns, told) = read_from("[{\"action\": \"a\"}, // no\n]");
        assert_eq!((turns, told.len()), (0, 2), "{told:?}");
    }

    #[test]
    fn odd_turn_numbers_are_warnings() {
        let read = read("[{\"turn_number\": 2}, {\"turn_number\": 1}, {\"turn_number\": 1}]");
        assert!(read.result.is_some());
        assert_eq!(read.problems.len(), 2);
    }

    #[test]
    fn overrides_come_with_or_without_a_reason() {
        let read = read(
            r#"{"overrides": {"reason": "r", "tasteful": 0.4, "curated": {"value": 0.5, "reason": "own"}}}"#,
        );
        let overrides = &read.result.expect("valid").turns[0].overrides;
        assert_eq!(overrides[0].reason.as_deref(), Some("r"));
        assert_eq!(
            (overrides[1].score, overrides[1].reason.as_deref()),
            (0.5, Some("own"))
        );
    }
}
