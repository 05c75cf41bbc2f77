//! Reading turns: one, an array, JSONL, `{"session_id", "turns"}`, or the marks
//! of a session, also between words or in fenced blocks. Every input check of
//! the bench is here, with its place.

use std::sync::Arc;

use super::PerPrinciple;
use crate::analysis::MOST_WEIGHT;
use crate::document::{
    Entry, Evaluation, Node, Parsed, Piece, Problem, Problems, Reader, Value, are_embedded,
    input_sha256, normalise, pieces,
};

/// What a turn does when it does not say.
const DEFAULT_ACTION: &str = "send_message";

/// The turns of a session, read without an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The session, where it has an id.
    pub session_id: Option<String>,
    /// In the order of the text; at least one.
    pub turns: Vec<Turn>,
    /// Weights that the session brings along.
    pub weights: Vec<(String, f64)>,
    /// `"weights_mode": "replace"`.
    pub replace_weights: bool,
    /// SHA-256 of the text.
    pub input_sha256: String,
}

/// A turn of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Its number; its place in the list, from 1, where it has none.
    pub turn_number: i64,
    /// The action evaluated.
    pub action: String,
    /// What the user said.
    pub user_message: String,
    /// Whether the turn changed anything.
    pub has_mutations: bool,
    /// Whether it said so; `None` is taken from `tools_passed`.
    pub acknowledged: Option<bool>,
    /// What came of it; without one every principle is 1.0.
    pub result: Option<TurnResult>,
    /// Scores that were given from outside.
    pub overrides: Vec<Override>,
    /// Why.
    pub reasoning: String,
    /// The scores of a mark; they stand instead of the rules.
    pub witnessed: Option<PerPrinciple>,
}

/// What came of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnResult {
    /// The assistant's text.
    pub response: String,
    /// Number of tools used.
    pub tools: usize,
    /// Whether the tools succeeded.
    pub tools_passed: bool,
    /// Share of the context in use, in [0, 1].
    pub context_utilization: Option<f64>,
}

/// A score from outside instead of the rule's.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// The principle.
    pub principle: &'static str,
    /// In [0, 1].
    pub score: f64,
    /// Why.
    pub reason: Option<String>,
}

/// A text of turns as it was parsed: once, for all who read it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedTurns {
    /// Where its pieces are; at least one.
    pieces: Vec<Piece>,
    /// What stands in those that are JSON.
    nodes: Arc<Vec<Node>>,
    /// Which pieces those are.
    positions: Vec<usize>,
    /// What was found on the way.
    problems: Vec<Problem>,
}

/// Parses a text of turns.
pub fn parse(text: &str) -> ParsedTurns {
    let text = normalise(text);
    let pieces = pieces(&text);
    let (mut nodes, mut positions, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    for (position, piece) in pieces.iter().enumerate() {
        let parsed = Parsed::read(&text, piece);
        problems.extend(parsed.problems);
        if let Some(node) = parsed.node {
            nodes.push(node);
            positions.push(position);
        }
    }
    ParsedTurns {
        pieces,
        nodes: Arc::new(nodes),
        positions,
        problems,
    }
}

impl ParsedTurns {
    /// What stands in the pieces; none if one of them is not JSON.
    pub(super) fn nodes(&self) -> Option<&Arc<Vec<Node>>> {
        Some(&self.nodes).filter(|nodes| nodes.len() == self.pieces.len())
    }
}

/// Reads turns; all their problems are reported.
pub fn read(text: &str) -> Evaluation<Log> {
    read_parsed(text, &parse(text))
}

/// The same of a text that is parsed already.
pub fn read_parsed(text: &str, parsed: &ParsedTurns) -> Evaluation<Log> {
    let mut problems = Problems::new();
    problems.extend(parsed.problems.iter().cloned());
    let normal = normalise(text);
    let mut log = Log {
        session_id: None,
        turns: Vec::new(),
        weights: Vec::new(),
        replace_weights: false,
        input_sha256: String::new(),
    };
    let (found, nodes) = (&parsed.pieces, &parsed.nodes);
    if let [piece] = &found[..] {
        if let Some(node) = nodes.first() {
            if let Some(note) = piece.note(&normal) {
                problems.note(&Reader::new(node), note);
            }
            read_root(node, &mut log, &mut problems);
        }
    } else {
        let items = nodes.iter().zip(&parsed.positions);
        let items: Vec<_> = items
            .map(|(node, position)| Reader::at(node, format!("[{position}]")))
            .collect();
        if let Some(first) = items.first().filter(|_| are_embedded(&normal, found)) {
            let message = format!(
                "{} turns are read; what else stands in the text is not",
                found.len()
            );
            problems.warning(&Reader::new(first.node()), message);
        }
        log.turns = read_turns(&items, &mut problems);
    }
    let failed = problems.has_errors();
    let problems = problems.into_sorted();
    let result = (!failed).then(|| {
        log.input_sha256 = input_sha256(&[("turns", text)]);
        log
    });
    Evaluation { result, problems }
}

fn read_root(node: &Node, log: &mut Log, problems: &mut Problems) {
    let root = Reader::new(node);
    let turns = if let Some(turns) = root.get("turns") {
        root.check_keys(
            &["session_id", "turns", "weights", "weights_mode"],
            problems,
        );
        let session_id = text(&root, "session_id", problems);
        log.session_id = session_id.map(str::to_owned);
        read_weights(&root, log, problems);
        turns
    } else if root.items().is_some() {
        root
    } else {
        log.turns.extend(read_turn(&root, 0, problems));
        return;
    };
    let Some(items) = turns.items() else {
        turns.expected("a list of turns", problems);
        return;
    };
    if items.is_empty() {
        turns.expected("at least one turn", problems);
    }
    log.turns = read_turns(&items, problems);
}

fn read_turns(items: &[Reader], problems: &mut Problems) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::with_capacity(items.len());
    let mut seen = std::collections::HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let Some(turn) = read_turn(item, index, problems) else {
            continue;
        };
        let number = turn.turn_number;
        let at = item.get("turn_number");
        let at = at.as_ref().unwrap_or(item);
        if !seen.insert(number) {
            problems.warning(at, format!("turn_number {number} is given twice"));
        } else if turns.last().is_some_and(|last| last.turn_number > number) {
            let message = format!(
                "turn_number {number} comes after a larger one; turns are scored in the order given"
            );
            problems.warning(at, message);
        }
        turns.push(turn);
    }
    turns
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
    problems.error(
        at,
        format!("unknown principle {name:?}: expected one of {names}"),
    );
}

fn read_turn(turn: &Reader, index: usize, problems: &mut Problems) -> Option<Turn> {
    if !matches!(turn.value(), Value::Map(_)) {
        turn.expected("a turn (an object)", problems);
        return None;
    }
    if turn.get("constitutional_scores").is_some() {
        return Some(read_mark(turn, index, problems));
    }
    turn.check_keys(
        &[
            "turn_number",
            "action",
            "user_message",
            "has_mutations",
            "acknowledged",
            "turn_result",
            "overrides",
            "reasoning",
        ],
        problems,
    );
    Some(Turn {
        turn_number: turn_number(turn, index, problems),
        action: text(turn, "action", problems)
            .unwrap_or(DEFAULT_ACTION)
            .to_owned(),
        user_message: owned_text(turn, "user_message", problems),
        has_mutations: boolean(turn, "has_mutations", problems).unwrap_or(false),
        acknowledged: boolean(turn, "acknowledged", problems),
        result: read_result(turn, problems),
        overrides: read_overrides(turn, problems),
        reasoning: owned_text(turn, "reasoning", problems),
        witnessed: None,
    })
}

/// A mark brings its scores; the rules are not asked again.
fn read_mark(mark: &Reader, index: usize, problems: &mut Problems) -> Turn {
    mark.check_keys(
        &[
            "turn_number",
            "action",
            "user_message",
            "assistant_response",
            "constitutional_scores",
            "reasoning",
        ],
        problems,
    );
    let mut witnessed = PerPrinciple::all(1.0);
    if let Some(scores) = mark.get("constitutional_scores") {
        if matches!(scores.value(), Value::Map(_)) {
            scores.check_keys(&PerPrinciple::NAMES, problems);
            for (name, slot) in witnessed.slots_mut() {
                match scores.get_some(name) {
                    Some(reader) => *slot = share(&reader, problems).unwrap_or(1.0),
                    None => {
                        problems.warning(&scores, format!("missing {name}: 1.0 is taken"));
                    }
                }
            }
        } else {
            scores.expected("an object of principle and score", problems);
        }
    }
    Turn {
        turn_number: turn_number(mark, index, problems),
        action: text(mark, "action", problems)
            .unwrap_or(DEFAULT_ACTION)
            .to_owned(),
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
    PerPrinciple::NAMES
        .into_iter()
        .filter_map(|principle| {
            let reader = given.get_some(principle)?;
            let (score, reason) = if matches!(reader.value(), Value::Map(_)) {
                reader.check_keys(&["score", "value", "reason"], problems);
                let score = reader
                    .get_some("score")
                    .or_else(|| reader.get_some("value"));
                if score.is_none() {
                    problems.error(&reader, "missing 'score'");
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
        assert_eq!(turns("{}"), [1]);
        assert_eq!(turns("[{}, {\"turn_number\": 7}]"), [1, 7]);
        assert_eq!(turns("{\"turn_number\": 3}\r\n\r\n{}"), [3, 2]);
        assert_eq!(turns("{\"session_id\": \"s\", \"turns\": [{}]}"), [1]);
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
            read_from("Here:\n```json\n[{}, {}]\n```\nDone."),
            (2, vec!["only the JSON in line 3 is read".to_owned()])
        );
        let (turns, told) = read_from("{\"action\": \"a\"}\nturn 2 was:\n{\"action\": \"b\"}");
        assert_eq!((turns, told.len()), (2, 1));
        let (turns, told) = read_from("```jsonl\n{}\n{}\n{}\n```");
        assert_eq!((turns, told.len()), (3, 1));
        let (turns, told) = read_from("[{}, // no\n]");
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
