//! Parts of a transcript make together what one run over all of it makes, however it is split.

use std::sync::OnceLock;

use assay::document::PartEnd;
use assay::persona::voice::Control;
use assay::persona::{
    Basis, Inputs, Merge, Merged, Options, PartLine, PersonaResult, Run, SecondOpinion, Sessions,
    compare, read,
};
use assay::steps::{THROUGH, at_once};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::embedder::FakeEmbedder;
use super::schema::{assert_fits, schema};

const PERSONA: &str = "id: p\nexemplars:\n  - yo, it's up!\n  - nah fam, not today\n  - sent it just now :)\n  - lol sure, one sec\n  - ok done, have fun!\nlexicon: {preferred: [fam, sent], avoid: [dear customer]}\nstyle_rules: {tone: [dry wit, friendly, mystical], verbosity: concise}\ntrait_examples:\n  dry wit:\n    - Oh good, another meeting about meetings.\n    - Sure, because that worked so well last time.\n";
const CONFIG: &str = "scoring: {authenticity_weight: 2, bootstrap_samples: 50, seed: 9}\n";
const RULES: &str = "- {category: custom, severity: low, words: [sent]}\n";
const JUDGE: &str =
    r#"{"s1": {"score": 4}, "s3": {"score": 9, "reasoning": "calm"}, "unheard-of": {"score": 1}}"#;

/// What replies are made of: rules that match, words of the lexicon, other languages and scripts.
const PIECES: [&str; 9] = [
    "yo fam, sent it",
    "Dear customer, your request has been received.",
    "I will kill you and your whole family.",
    "Nehmen Sie davon am besten drei Tabletten und danach nichts mehr.",
    "こんにちは、元気ですか。",
    "Please be advised that we are closed.",
    "ok :)",
    "text that cannot be embedded",
    "Take two and call me in the morning!!",
];

fn controls() -> &'static (Control, SecondOpinion) {
    static MADE: OnceLock<(Control, SecondOpinion)> = OnceLock::new();
    MADE.get_or_init(|| {
        let file = |name: &str| std::fs::read_to_string(name).expect("readable");
        let control = Control::read(&file("public/voice/control.json")).expect("a control");
        let second = SecondOpinion::read(&file("public/voice/safety.json")).expect("an opinion");
        // its vectors are of another embedder: texts are embedded anew
        (Control::given(control.texts[..24].to_vec()), second)
    })
}

fn labels() -> String {
    let label = |(at, (text, label)): (usize, (&str, u8))| {
        json!({"session_id": format!("l{at}"), "text": text, "label": label}).to_string()
    };
    let given = PIECES.iter().copied().zip([1, 0, 0, 0, 1, 0, 1, 0, 0]);
    given.enumerate().map(label).collect::<Vec<_>>().join("\n")
}

/// A session: its rows, each a line.
type Rows = Vec<String>;

/// A reply: its pieces, and the persona that it says it is of.
type Reply = (Vec<usize>, Option<&'static str>);

/// Sessions of one to twelve replies, or of none, with ids whose order is not that of their numbers.
fn sessions() -> impl Strategy<Value = Vec<Rows>> {
    let reply = (
        vec(0..PIECES.len(), 1..3),
        prop::sample::select(vec![None, Some("p"), Some("q"), Some("r")]),
    );
    let session = prop_oneof![vec(reply.clone(), 0..4), vec(reply, 8..12)];
    vec(session, 1..9).prop_map(|sessions| {
        let rows = |(number, replies): (usize, Vec<Reply>)| {
            let id = format!("s{}", (number * 7) % 10);
            let mut rows = vec![json!({"session_id": id, "turn_index": 0, "role": "user", "text": "?"})];
            rows.extend(replies.into_iter().enumerate().map(|(at, (pieces, persona))| {
                let text = pieces.iter().map(|at| PIECES[*at]).collect::<Vec<_>>().join(" ");
                let mut row = json!({"session_id": id, "turn_index": at + 1, "role": "assistant", "text": text});
                if let Some(persona) = persona {
                    row["persona_id"] = json!(persona);
                }
                row
            }));
            rows.iter().map(Value::to_string).collect()
        };
        sessions.into_iter().enumerate().map(rows).collect()
    })
}

#[derive(Clone, Copy, Debug)]
struct Extras {
    is_judged: bool,
    has_rules: bool,
    has_labels: bool,
    options: (Option<u64>, Option<bool>),
}

fn extras() -> impl Strategy<Value = Extras> {
    let seed = prop::option::of(0..5_u64);
    let voice = prop::option::of(any::<bool>());
    (any::<bool>(), any::<bool>(), any::<bool>(), (seed, voice)).prop_map(
        |(is_judged, has_rules, has_labels, options)| Extras {
            is_judged,
            has_rules,
            has_labels,
            options,
        },
    )
}

struct Job {
    labels: String,
    extras: Extras,
    embedder: FakeEmbedder,
}

impl Job {
    fn inputs<'a>(&'a self, transcript: &'a str) -> Inputs<'a> {
        let when = |is: bool, text: &'a str| is.then_some(text);
        Inputs {
            persona: PERSONA,
            transcript,
            config: Some(CONFIG),
            safety: when(self.extras.has_rules, RULES),
            judge: when(self.extras.is_judged, JUDGE),
            labels: when(self.extras.has_labels, &self.labels),
            control: None,
        }
    }

    fn options(&self) -> Options {
        let (seed, voice_as_style) = self.extras.options;
        Options {
            seed,
            voice_as_style,
            ..Options::default()
        }
    }

    fn run(&self, transcript: &str) -> Option<Run> {
        read(&self.inputs(transcript)).result
    }

    /// All at once, as one run does it.
    fn single(&self, transcript: &str) -> Option<PersonaResult> {
        let (control, second) = controls();
        let run = self.run(transcript)?;
        let measured = run.measured(&self.embedder, control);
        let result = run.score_with(&self.options(), Some(&measured)).result;
        let opinions = at_once(run.opinions(second, THROUGH));
        Some(result.expect("scored").with_opinions(&opinions))
    }

    /// A part of sessions that are there at once.
    fn whole_part(&self, transcript: &str) -> Vec<PartLine> {
        let (control, second) = controls();
        let Some(run) = self.run(transcript) else {
            // a transcript in which nobody answers has nothing to score
            return Vec::new();
        };
        let measured = run.measured(&self.embedder, control);
        let inputs = self.inputs(transcript);
        let head = run.part_head(&inputs, &self.options(), (&measured, second));
        let head = PartLine::Part(Box::new(head.result.expect("valid options")));
        let sessions = run.part_sessions(&self.options(), &measured, second);
        [head]
            .into_iter()
            .chain(sessions)
            .chain(run.part_asides())
            .collect()
    }

    /// A part of sessions that come one after the other.
    fn streamed_part(&self, sessions: &[Rows]) -> Vec<PartLine> {
        let (control, second) = controls();
        let inputs = self.inputs("");
        let basis = Basis::read(&inputs).result.expect("valid inputs");
        let none = basis.run(Sessions::default()).expect("quick rules");
        let lessons = none.learned(control, &self.embedder);
        let measured = none.measured_with(&lessons, &self.embedder);
        let head = none.part_head(&inputs, &self.options(), (&measured, second));
        let mut lines = vec![PartLine::Part(Box::new(
            head.result.expect("valid options"),
        ))];
        let basis = basis.without_lessons();
        for rows in sessions {
            let read = basis
                .sessions(&rows.join("\n"), 0)
                .result
                .expect("valid rows");
            let run = basis.run(read).expect("quick rules");
            let measured = run.measured_with(&lessons, &self.embedder);
            lines.extend(run.part_sessions(&self.options(), &measured, second));
            lines.extend(run.part_asides());
        }
        lines.push(PartLine::End(PartEnd::default()));
        lines
    }
}

/// What lines make together, as JSON.
fn merged(lines: &[PartLine]) -> Value {
    let mut merge = Merge::default();
    let read =
        |line: &PartLine| -> PartLine { serde_json::from_str(&line.written()).expect("a line") };
    for (at, line) in lines.iter().enumerate() {
        merge
            .add(read(line), at, |at| at.to_string())
            .expect("it fits");
    }
    let Merged {
        mut result,
        sessions,
    } = merge.finish().expect("a whole");
    let session = |(at, departs): (usize, bool)| Merged::session(read(&lines[at]), departs);
    result.sessions = sessions.into_iter().filter_map(session).collect();
    json!(result)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// To the last digit, the bootstrap and what is noted included; only the hash of the input is
    /// another, and that is the same for all ways to split.
    #[test]
    fn parts_make_what_one_run_makes(
        sessions in sessions(),
        cuts in vec((0..4_usize, any::<bool>()), 9),
        order in any::<prop::sample::Index>(),
        extras in extras(),
    ) {
        let job = Job { labels: labels(), extras, embedder: FakeEmbedder::hashing() };
        let text = |sessions: &[Rows]| sessions.concat().join("\n");
        let Some(single) = job.single(&text(&sessions)) else {
            return Ok(());
        };
        let mut parts: Vec<Vec<Rows>> = vec![Vec::new(); 4];
        for (rows, (part, _)) in sessions.iter().zip(&cuts) {
            parts[*part].push(rows.clone());
        }
        let mut lines = Vec::new();
        for (part, (_, is_streamed)) in parts.iter().zip(&cuts) {
            // nobody answers in a part that is read as a whole: then it is read as it comes
            let whole = if *is_streamed { Vec::new() } else { job.whole_part(&text(part)) };
            lines.extend(if whole.is_empty() { job.streamed_part(part) } else { whole });
        }
        let turned = order.index(lines.len());
        lines.rotate_left(turned);
        let [mut single, mut merged] = [json!(single), merged(&lines)];
        let schema = schema("persona-part");
        for line in &lines {
            assert_fits(&schema, &json!(line));
            let by_serde = serde_json::to_string(line).expect("keys are texts");
            prop_assert_eq!(line.written(), by_serde);
        }
        assert_fits(&self::schema("persona-result"), &merged);
        let own = merged["input_sha256"].take();
        let mut streamed = self::merged(&job.streamed_part(&sessions));
        prop_assert_eq!(streamed["input_sha256"].take(), own);
        single["input_sha256"].take();
        prop_assert_eq!(&single, &merged);
        // numbers are compared by their digits
        prop_assert_eq!(single.to_string(), merged.to_string());
        prop_assert_eq!(single.to_string(), streamed.to_string());
    }
}

fn job() -> Job {
    Job {
        labels: labels(),
        extras: Extras {
            is_judged: false,
            has_rules: false,
            has_labels: false,
            options: (None, None),
        },
        embedder: FakeEmbedder::hashing(),
    }
}

fn row(session: &str, text: &str) -> String {
    json!({"session_id": session, "turn_index": 1, "role": "assistant", "text": text}).to_string()
}

fn fault(lines: impl IntoIterator<Item = PartLine>) -> Option<String> {
    let mut merge = Merge::default();
    for (at, line) in lines.into_iter().enumerate() {
        if let Err(message) = merge.add(line, at, |at| format!("line {at}")) {
            return Some(message);
        }
    }
    merge.finish().err()
}

#[test]
fn what_does_not_belong_together_is_told() {
    let job = job();
    let one = job.whole_part(&row("a", "yo"));
    assert_eq!(fault(one.clone()), None);
    // the same session again counts once, another of the same name does not
    let again = one.iter().chain(&one).cloned();
    assert_eq!(fault(again), None);
    let other = job.whole_part(&row("a", "no"));
    let said = fault(one.iter().chain(&other).cloned()).expect("a fault");
    assert!(said.contains("\"a\" stands at line 1 already"), "{said}");
    // another judge, other settings
    let mut others = self::job();
    others.extras.is_judged = true;
    others.extras.options = (Some(1), None);
    let said = fault(
        one.iter()
            .cloned()
            .chain(others.whole_part(&row("b", "yo"))),
    );
    let said = said.expect("a fault");
    assert!(said.contains("another judge, other settings ("), "{said}");
    let said = fault(one[1..].to_vec()).expect("a fault");
    assert!(said.contains("the head of a part is missing"), "{said}");
    let said = fault(one[..1].to_vec()).expect("a fault");
    assert!(said.contains("have no session"), "{said}");
}

#[test]
fn a_comparison_fits_its_schema() {
    let job = job();
    let text = |replies: [&str; 2]| [row("a", replies[0]), row("b", replies[1])].join("\n");
    let [before, after] = [["yo fam", "ok :)"], ["Dear customer", "ok :)"]].map(text);
    let result = |transcript: &str| job.single(transcript).expect("scored");
    let compared = compare(&result(&before), &result(&after));
    assert_fits(&schema("persona-comparison"), &json!(compared));
}

#[test]
fn what_is_known_beside_sessions_is_known_once() {
    let job = job();
    let user = |session: &str, persona: &str| {
        json!({"session_id": session, "turn_index": 0, "role": "user", "text": "?", "persona_id": persona}).to_string()
    };
    let no_role =
        json!({"session_id": "z", "turn_index": 1, "text": "x", "persona_id": "q"}).to_string();
    let conversation = json!({"messages": [{"role": "assistant", "content": "yo"}]}).to_string();
    // nobody answers in e; x begins before another session and goes on after it
    let sessions = [
        vec![user("e", "q")],
        vec![user("x", "q")],
        vec![row("y", "ok")],
        vec![row("x", "yo")],
        vec![no_role],
        vec![String::new()],
        vec![conversation],
    ];
    let text = sessions.concat().join("\n");
    let mut single = json!(job.single(&text).expect("scored"));
    let basis = Basis::read(&job.inputs("")).result.expect("valid inputs");
    let mut lines = job.streamed_part(&[]);
    for (before, rows) in sessions.iter().enumerate() {
        let read = basis
            .sessions(&rows.join("\n"), before)
            .result
            .expect("rows");
        let run = basis.run(read).expect("quick rules");
        let (control, second) = controls();
        let measured = run.measured(&job.embedder, control);
        lines.extend(run.part_sessions(&job.options(), &measured, second));
        // a job that is gone on with says it again
        lines.extend(run.part_asides());
        lines.extend(run.part_asides());
    }
    let mut merged = merged(&lines);
    single["input_sha256"].take();
    merged["input_sha256"].take();
    assert_eq!(merged["sessions"][0]["session_id"], "row-0007");
    assert_eq!(single.to_string(), merged.to_string());
}
