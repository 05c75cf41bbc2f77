//! Reading turns: one, an array, JSONL, sessions, or a witness record of them (marks, or a
//! policy trace), also between words or in fenced blocks. Every input check of the bench
//! is here, in `sessions`, `fields` and `record`, with its place.

use std::collections::HashMap;

use super::check::{check, report};
use super::fields::{
    action, boolean, by_default, list_length, owned_text, read_overrides, read_weights, share,
    text, turn_number,
};
use super::log::Log;
use super::principles::Principle;
use super::record::{read_mark, read_step, read_walk};
use super::reward::Measured;
use super::sessions::{Gathered, session_id};
use super::turn::{Turn, TurnResult};
use crate::document::{
    Code, Evaluation, Kinship, Mend, Node, Numbering, Parsed, Problem, Problems, Reader, Severity,
    Value, input_sha256_in_steps,
};
use crate::steps::{Pause, Progress, THROUGH, at_once, step};

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
        sessions: Vec::new(),
        turns: Vec::new(),
        rows: Vec::new(),
        check: None,
        walks: Vec::new(),
        weights: Vec::new(),
        replace_weights: false,
        measured: Vec::new(),
    };
    let gathered = gather(parsed, &mut problems);
    read_turns(gathered, &mut log, &mut problems, pause).await;
    if !problems.has_errors() {
        let total = log.turns.len();
        for (index, turn) in log.turns.iter().enumerate() {
            log.measured.push(Measured::of(turn));
            let (done, what) = (index + 1, "turns measured");
            step(pause, Progress::new(done, total, what)).await;
        }
        log.check = check(&log, pause).await;
        if let Some(check) = &log.check {
            report(check, &log, &mut problems);
        }
    }
    if problems.has_errors() {
        return Evaluation {
            result: None,
            problems: problems.into_sorted(),
        };
    }
    log.input_sha256 = input_sha256_in_steps(&[("turns", parsed.text())], pause).await;
    Evaluation {
        result: Some(log),
        problems: problems.into_sorted(),
    }
}

/// Finds the turns in a text, whatever they stand in.
fn gather<'a>(parsed: &'a Parsed, problems: &mut Problems) -> Gathered<'a> {
    let (text, found) = (parsed.text(), parsed.pieces());
    let mut gathered = Gathered::default();
    let (mut first, mut unread) = (None, Vec::new());
    for piece in 0..found.len() {
        let Some(node) = parsed.node(piece) else {
            unread.extend(parsed.problems(piece).iter().cloned());
            continue;
        };
        problems.extend(parsed.problems(piece).iter().cloned());
        let path = match found.len() {
            1 => String::new(),
            _ => format!("[{piece}]"),
        };
        let root = Reader::at(node, path);
        let only = Some(found).filter(|found| found.len() == 1);
        if let Some(note) = only.and_then(|found| found[0].note(text)) {
            problems.note(&root, note).code = Code::Partial;
        }
        if matches!(root.value(), Value::List(items) if items.is_empty()) {
            root.expected("at least one turn", &mut gathered.empty);
        }
        gathered.add(&root, problems);
        first = first.or(Some(root));
    }
    problems.extend(parsed.strays());
    // a line that cannot be read leaves the others as they are
    let is_read = first.is_some();
    problems.extend(unread.into_iter().map(|problem| {
        if is_read {
            problem.left_out().mended_by(&Mend::LeaveOut)
        } else {
            problem
        }
    }));
    if let Some(first) = first.filter(|_| found.len() > 1 && parsed.has_words()) {
        let message = format!(
            "{} turns are read; what else stands in the text is not",
            gathered.items.len()
        );
        problems.warning(&first, message).code = Code::Partial;
    }
    gathered
}

async fn read_turns(
    mut gathered: Gathered<'_>,
    log: &mut Log,
    problems: &mut Problems,
    pause: Pause<'_>,
) {
    let mut kinship = Kinship::new(&EITHER).beside(&BESIDE);
    let total = gathered.items.len();
    let mut numbers = Numbers::default();
    let mut first = None;
    // where the turn of each item stands in the log, or would
    let mut positions = Vec::with_capacity(total);
    // what is wrong with turns that are not in the log
    let mut faults = Vec::new();
    for index in 0..total {
        let item = gathered.reader(index);
        kinship.add(&item);
        positions.push(log.turns.len());
        let mut own = Problems::new();
        let turn = read_item(&mut gathered, (index, log.turns.len()), &mut own);
        if let Some(mut turn) = turn {
            numbers.count(&item, &mut turn, &mut own);
            log.turns.push(turn);
            log.rows.push(index);
            first = first.or(Some(gathered.items[index].node));
            problems.extend(own.into_sorted());
        } else if gathered.is_recorded(index) {
            problems.extend(own.into_sorted());
        } else {
            faults.extend(own.into_sorted());
        }
        let (done, what) = (index + 1, "turns read");
        step(pause, Progress::new(done, total, what)).await;
    }
    leave_out(faults, &mut gathered, !log.turns.is_empty(), problems);
    kinship.check(A_TURN, problems);
    check_said(&log.turns, first, problems);
    for head in &gathered.heads {
        read_head(head, log, problems);
    }
    let position = |item: usize| positions.get(item).copied().unwrap_or(log.turns.len());
    let walks = gathered.walks.iter().cloned();
    log.walks = walks
        .map(|(head, turns)| {
            let turns = position(turns.start)..position(turns.end);
            read_walk(&head, turns, problems)
        })
        .collect();
    read_recorded_weights(log, problems);
    log.sessions = gathered.sessions(first, problems);
    if let [session] = &log.sessions[..] {
        log.session_id.clone_from(&session.id);
    }
}

/// A turn that cannot be read leaves the others as they are, where there are others; nor does a session without any
/// touch them.
fn leave_out(
    faults: Vec<Problem>,
    gathered: &mut Gathered,
    is_read: bool,
    problems: &mut Problems,
) {
    let empty = std::mem::take(&mut gathered.empty).into_sorted();
    if !is_read {
        problems.extend(faults.into_iter().chain(empty));
        return;
    }
    problems.extend(faults.into_iter().map(|fault| match fault.severity {
        Severity::Error => fault.left_out().mended_by(&Mend::LeaveOut),
        _ => fault,
    }));
    problems.extend(empty.into_iter().map(Problem::left_out));
}

/// The turn of an item, to stand at a position in the log; none where something is wrong with it
/// and it is no part of a record.
fn read_item(
    gathered: &mut Gathered,
    (index, position): (usize, usize),
    problems: &mut Problems,
) -> Option<Turn> {
    let item = gathered.reader(index);
    if !matches!(item.value(), Value::Map(_)) {
        item.expected("a turn (an object)", problems);
        return None;
    }
    let own = session_id(&item, problems);
    let mut turn = read_turn(&item, 0, problems);
    if let (Some(step), Some(record)) = (gathered.step(index), &mut turn.record) {
        read_step(&step, record, problems);
    }
    if problems.has_errors() && !gathered.is_recorded(index) {
        return None;
    }
    // its place is counted without the turns that are left out
    let (session, place) = gathered.place(index, (&item, position), own, problems);
    turn.session = session;
    if item.get_some("turn_number").is_none() {
        turn.turn_number = place as i64 + 1;
    }
    Some(turn)
}

/// The numbers that were given, by their session.
#[derive(Default)]
struct Numbers {
    /// How often each was.
    given: HashMap<(usize, i64), usize>,
    /// The last one.
    last: HashMap<usize, i64>,
}

impl Numbers {
    /// Counts the number of a turn, and warns of what is odd about it.
    fn count(&mut self, item: &Reader, turn: &mut Turn, problems: &mut Problems) {
        let (session, number) = (turn.session, turn.turn_number);
        let times = self.given.entry((session, number)).or_insert(0);
        *times += 1;
        turn.occurrence = *times;
        check_order(item, turn, self.last.insert(session, number), problems);
    }
}

/// Warns where no turn says anything of any principle.
fn check_said(turns: &[Turn], first: Option<&Node>, problems: &mut Problems) {
    let is_unsaid = |turn: &Turn| turn.by_default.count() == Principle::COUNT;
    let is_all = !problems.has_errors() && turns.iter().all(is_unsaid);
    let Some(first) = first.filter(|_| is_all) else {
        return;
    };
    let scores = turns.len() * Principle::COUNT;
    let message = format!(
        "nothing was measured: no turn says anything of any principle, and all {scores} scores stand by default"
    );
    let mut problem = Problem::new(Severity::Warning, first.place, "", message);
    problem.hint = Some("give each turn its `turn_result`, or `overrides`".into());
    problems.push(problem.with_code(Code::Unsaid));
}

/// Warns of a number that is given twice, or smaller than the one before it.
fn check_order(item: &Reader, turn: &Turn, before: Option<i64>, problems: &mut Problems) {
    let number = turn.turn_number;
    let at = item.get("turn_number");
    let at = at.as_ref().unwrap_or(item);
    if turn.occurrence > 1 {
        let message = format!("turn_number {number} is given twice");
        problems.warning(at, message).code = Code::Repeated;
        number_anew(turn, problems);
    } else if before.is_some_and(|before| before > number) {
        let message = format!(
            "turn_number {number} comes after a larger one; turns are scored in the order given"
        );
        problems.warning(at, message);
        number_anew(turn, problems);
    }
}

/// How turns are numbered.
const NUMBER_ANEW: Mend = Mend::Number(Numbering {
    keys: &[("", "turn_number")],
    is_order: false,
});

/// Offers to number the turns anew. A mark is what it was scored as: nothing of it is changed.
fn number_anew(turn: &Turn, problems: &mut Problems) {
    if turn.record.is_none() && turn.witnessed.is_none() {
        problems.mended_by(&NUMBER_ANEW);
    }
}

/// The weights of a witness record are those of its session.
fn read_recorded_weights(log: &mut Log, problems: &mut Problems) {
    let recorded = log.turns.iter().filter_map(|turn| turn.record.as_ref());
    let mut recorded = recorded.filter_map(|record| Some((record, record.weights?)));
    let Some((_, weights)) = recorded.next().filter(|_| log.weights.is_empty()) else {
        return;
    };
    if let Some((record, _)) = recorded.find(|(_, other)| *other != weights) {
        let message = "this mark was scored with other weights than the first: all are scored again with those of the first";
        let problem = Problem::new(Severity::Warning, record.place, &*record.path, message);
        problems.push(problem.with_code(Code::Contradiction));
    }
    let named = weights.named().into_iter();
    log.weights = named
        .map(|(name, weight)| (name.to_owned(), weight))
        .collect();
}

/// What a session says beside its turns.
fn read_head(head: &Reader, log: &mut Log, problems: &mut Problems) {
    head.check_keys(&SESSION, problems);
    let mut is_replacing = false;
    if let Some(mode) = head.get_some("weights_mode") {
        match mode.as_str() {
            Some("replace") => is_replacing = true,
            Some("merge") => {}
            _ => mode.expected("\"merge\" or \"replace\"", problems),
        }
    }
    let weights = head.get_some("weights");
    let given = weights
        .as_ref()
        .map(|weights| read_weights(weights, problems));
    let (Some(weights), Some(given)) = (weights, given.filter(|given| !given.is_empty())) else {
        log.replace_weights |= is_replacing;
        return;
    };
    if log.weights.is_empty() {
        log.weights = given;
        log.replace_weights |= is_replacing;
    } else if given != log.weights || is_replacing != log.replace_weights {
        let message = "these weights differ from those of a session before: all sessions are scored with the first weights, so that they can be compared";
        problems.warning(&weights, message).code = Code::Contradiction;
    }
}

/// The keys of a session.
pub(super) const SESSION: [&str; 4] = ["session_id", "turns", "weights", "weights_mode"];
pub(super) const TURN: [&str; 9] = [
    "session_id",
    "turn_number",
    "action",
    "user_message",
    "has_mutations",
    "acknowledged",
    "turn_result",
    "overrides",
    "reasoning",
];
/// The keys of what came of a turn.
pub(super) const RESULT: [&str; 7] = [
    "response",
    "tools",
    "tools_passed",
    "user_corrected",
    "signals",
    "stopping_suggestion",
    "context_utilization",
];
/// The keys that a turn or a mark may have, those first that tell the most.
pub(super) const EITHER: [&str; 10] = [
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
/// Keys of both that other documents have as well: they tell nothing.
pub(super) const BESIDE: [&str; 6] = [
    "session_id",
    "evidence",
    "weighted_total",
    "band",
    "rejected",
    "witness",
];
const A_TURN: &str = "a turn or a mark";

/// An object with a turn or a mark, whose place in its session is given.
fn read_turn(turn: &Reader, place: usize, problems: &mut Problems) -> Turn {
    if turn.get("constitutional_scores").is_some() {
        return read_mark(turn, place, problems);
    }
    turn.check_keys(&TURN, problems);
    let overrides = read_overrides(turn, problems);
    Turn {
        by_default: by_default(turn, &overrides),
        turn_number: turn_number(turn, place, problems),
        session: 0,
        occurrence: 1,
        action: action(turn, problems),
        user_message: owned_text(turn, "user_message", problems),
        has_mutations: boolean(turn, "has_mutations", problems).unwrap_or(false),
        acknowledged: boolean(turn, "acknowledged", problems),
        result: read_result(turn, problems),
        overrides,
        reasoning: owned_text(turn, "reasoning", problems),
        witnessed: None,
        record: None,
    }
}

fn read_result(turn: &Reader, problems: &mut Problems) -> Option<TurnResult> {
    let result = turn.get_some("turn_result")?;
    if !matches!(result.value(), Value::Map(_)) {
        result.expected("an object or null", problems);
        return None;
    }
    result.check_keys(&RESULT, problems);
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
    fn a_session_without_turns_is_left_out_and_the_others_are_read() {
        let whole = "{\"session_id\": \"a\", \"turns\": [{\"action\": \"b\"}]}";
        for (empty, path) in [
            ("{\"session_id\": \"b\", \"turns\": []}", "[1].turns"),
            ("{\"session_id\": \"b\", \"turns\": 1}", "[1].turns"),
            ("[]", "[1]"),
        ] {
            let read = read(&format!("{whole}\n{empty}\n"));
            let log = read.result.expect(empty);
            assert_eq!((log.turns.len(), log.sessions.len()), (1, 1), "{empty}");
            let lost = read.problems.iter().find(|problem| problem.is_left_out());
            let place = lost.map(|problem| (problem.line, problem.path.as_str()));
            assert_eq!(place, Some((2, path)), "{:?}", read.problems);
        }
        // a record holds as a whole
        for empty in ["[]", "1"] {
            let trace = format!("{{\"policy_trace\": {{}}, \"log\": {empty}}}");
            let found = read(&format!("{whole}\n{trace}\n"));
            assert!(found.result.is_none(), "{empty}");
        }
    }

    #[test]
    fn a_turn_with_a_wrong_field_is_left_out_and_the_others_are_read() {
        let sound = r#"{"session_id": "s", "action": "a"}"#;
        let wrong = r#"{"session_id": "t", "turn_result": {"tools": 10}, "has_mutations": "no"}"#;
        let text = format!("[{sound}, {wrong}, 3,\n{sound}]");
        let read = read(&text);
        let log = read.result.expect("two turns are sound");
        let numbers: Vec<_> = log.turns.iter().map(|turn| turn.turn_number).collect();
        assert_eq!((numbers, log.rows), (vec![1, 2], vec![0, 3]));
        let sessions: Vec<_> = log.sessions.iter().map(|of| of.turns.to_vec()).collect();
        assert_eq!(sessions, [[0, 1]]);
        let told: Vec<_> = read
            .problems
            .iter()
            .filter(|problem| problem.mend == Some(&Mend::LeaveOut))
            .map(|problem| (problem.severity, problem.path.as_str()))
            .collect();
        let warned = |path| (Severity::Warning, path);
        assert_eq!(
            told,
            [
                warned("[1].turn_result.tools"),
                warned("[1].has_mutations"),
                warned("[2]")
            ]
        );
        let places: Vec<_> = read
            .problems
            .iter()
            .filter(|p| p.mend.is_some())
            .map(Problem::place)
            .collect();
        let rest = crate::document::mended(&Mend::LeaveOut, &text, &places).expect("mended");
        assert_eq!(
            super::read(&rest).result.map(|log| log.turns),
            Some(log.turns)
        );
        // where no turn is left, and in a mark, it stays an error
        let mark = r#"{"constitutional_scores": {"ethical": 2}}"#;
        for text in [
            format!("[{wrong}]"),
            format!("[{wrong}, 3]"),
            format!("[{sound}, {mark}]"),
        ] {
            assert!(super::read(&text).result.is_none(), "{text}");
        }
    }

    #[test]
    fn a_turn_that_is_left_out_moves_no_trace() {
        let trace = r#"{"policy_trace": {}, "log": [{"state_before": "a", "action": "b", "mark": {"constitutional_scores": {}}}]}"#;
        let read = read(&format!(
            "[{{\"action\": 3}}, {{\"action\": \"a\"}}, {trace}]"
        ));
        let log = read.result.unwrap_or_else(|| panic!("{:?}", read.problems));
        assert_eq!((log.turns.len(), log.walks[0].turns.clone()), (2, 1..2));
        // a trace holds as a whole
        let odd = r#"{"policy_trace": {}, "log": [3]}"#;
        let read = super::read(&format!("[{{\"action\": \"a\"}}, {odd}]"));
        assert!(read.result.is_none());
    }

    #[test]
    fn a_broken_line_of_jsonl_is_told_with_its_line() {
        let text = "{\"turn_number\": 1}\n{\"turn_number\": }\n{\"has_mutations\": 1}";
        let told = |text| {
            let problems = read(text).problems.into_iter();
            problems.map(|p| (p.severity, p.line)).collect::<Vec<_>>()
        };
        // the other lines are read, and nothing was measured in them
        let warnings = [1, 2, 3].map(|line| (Severity::Warning, line));
        assert_eq!(told(text), warnings);
        assert_eq!(told("{\"turn_number\": }"), [(Severity::Error, 1)]);
    }

    #[test]
    fn what_models_print_around_turns_does_not_matter() {
        let read_from = |text: &str| {
            let found = read(text);
            let told: Vec<_> = found.problems.into_iter().map(|p| p.message).collect();
            (found.result.map_or(0, |log| log.turns.len()), told)
        };
        assert_eq!(
            read_from("Here:\n```json\n[{\"turn_result\": {}}, {\"action\": \"b\"}]\n```\nDone."),
            (2, vec!["only the JSON in line 3 is read".to_owned()])
        );
        let (turns, told) = read_from("{\"turn_result\": {}}\nturn 2 was:\n{\"action\": \"b\"}");
        assert_eq!((turns, told.len()), (2, 1));
        let (turns, told) = read_from(
            "```jsonl\n{\"turn_result\": {}}\n{\"turn_result\": {}}\n{\"turn_result\": {}}\n```",
        );
        assert_eq!((turns, told.len()), (3, 1));
        let (turns, told) = read_from("[{\"turn_result\": {}}, // no\n]");
        assert_eq!((turns, told.len()), (0, 2), "{told:?}");
    }

    #[test]
    fn faults_that_are_survived_are_mended_in_the_text() {
        let mended = |text: &str| {
            let found = read(text).problems;
            let mend = found.iter().find_map(|problem| problem.mend)?;
            let own = found.iter().filter(|problem| problem.mend == Some(mend));
            let places: Vec<_> = own.map(Problem::place).collect();
            crate::document::mended(mend, text, &places)
        };
        let text = "{\"turn_number\": 1, \"action\": \"a\"}\n{\"turn_number\": }\n";
        let rest = "{\"turn_number\": 1, \"action\": \"a\"}\n";
        assert_eq!(mended(text).as_deref(), Some(rest));
        let text = "[{\"turn_number\": 2, \"turn_result\": {}}, {\"turn_number\": 1}, {\"turn_number\": 1}]";
        let rest = "[{\"turn_number\": 2, \"turn_result\": {}}, {\"turn_number\": 3}, {\"turn_number\": 4}]";
        assert_eq!(mended(text).as_deref(), Some(rest));
        assert_eq!(read(rest).problems, []);
        // a mark is what was scored: its number stays
        let mark = "{\"constitutional_scores\": {}, \"turn_number\": 1}";
        assert_eq!(mended(&format!("{mark}\n{mark}")), None);
    }

    #[test]
    fn odd_turn_numbers_are_warnings() {
        let read = read(
            "[{\"turn_number\": 2, \"turn_result\": {}}, {\"turn_number\": 1}, {\"turn_number\": 1}]",
        );
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
