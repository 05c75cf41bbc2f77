//! From texts to a [run](Run): reads and checks all inputs, and measures what their
//! texts alone tell.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{Evaluation, Parsed, Problem, Problems, Severity, input_sha256_in_steps};
use crate::steps::{Pause, Progress, THROUGH, at_once, step};
use crate::text::Folded;

use super::basis::{Asides, Basis};
use super::config::{Config, read_config};
use super::judge::{Judged, read_judge};
use super::lexicon::LexiconMatcher;
use super::persona::{Persona, parse, read_persona};
use super::result::Violation;
use super::run::{Run, ScoredTurn};
use super::safety::{self, SessionSafety};
use super::script;
use super::signals::Signals;
use super::traits;
use super::transcript::{Session, read_transcript};
use super::voice::{Labels, read_control, read_labels};

/// The texts a run is made from, as typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs<'a> {
    /// Persona (YAML or JSON). Problems carry the input name `persona`.
    pub persona: &'a str,
    /// Transcript (JSONL or JSON). Input name `transcript`.
    pub transcript: &'a str,
    /// Scoring config (YAML). Input name `config`.
    pub config: Option<&'a str>,
    /// Safety rules (YAML) beside the built-in ones. Input name `safety`.
    pub safety: Option<&'a str>,
    /// Judge scores (JSON). Input name `judge`.
    pub judge: Option<&'a str>,
    /// Labels for the voice (JSONL), or a calibration that holds them. Input name `labels`.
    pub labels: Option<&'a str>,
    /// A control sample for the voice (JSONL or JSON), in the place of the one that ships. Input name
    /// `control`.
    pub control: Option<&'a str>,
}

impl Inputs<'_> {
    /// Their names, in order, but the transcript's.
    pub const NAMES: [&'static str; 6] =
        ["persona", "config", "safety", "judge", "labels", "control"];
}

/// What was read and measured last: who types in one input does not wait for the
/// others, nor for responses that are as they were.
#[derive(Clone, Debug, Default)]
pub struct Known {
    transcript: Option<KnownTranscript>,
    measured: Option<Measured>,
}

/// A transcript with what it was read from.
#[derive(Clone, Debug)]
struct KnownTranscript {
    text: String,
    persona: Option<String>,
    sessions: Arc<Vec<Session>>,
    asides: Asides,
    problems: Vec<Problem>,
}

/// Measured responses with what they were measured against.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    persona: Persona,
    rules: Option<String>,
    sessions: Arc<Vec<Session>>,
    turns: Vec<Arc<Vec<ScoredTurn>>>,
}

/// Reads and checks all inputs. Problems carry the name of their input and come
/// in the order of the inputs, then of the text.
///
/// ```
/// use assay::persona::{Inputs, read};
/// let read = read(&Inputs {
///     persona: "exemplars: [Check the log first.]",
///     transcript: r#"{"session_id": "s", "turn": 1, "assistant": "Read the log."}"#,
///     ..Inputs::default()
/// });
/// assert!(read.result.is_some() && read.problems.is_empty());
/// ```
pub fn read(inputs: &Inputs) -> Evaluation<Run> {
    read_with(inputs, &mut Known::default())
}

/// The same, the faster the less has changed since `known` was made.
pub fn read_with(inputs: &Inputs, known: &mut Known) -> Evaluation<Run> {
    at_once(read_in_steps(
        inputs,
        &parse(inputs.persona),
        known,
        THROUGH,
    ))
}

fn evaluation(result: Option<Run>, problems: Vec<Problem>) -> Evaluation<Run> {
    Evaluation { result, problems }
}

/// The same in steps: a row of the transcript, a response, a stretch of the hash; with
/// the text of the persona as [`parse`] made it ready.
/// Dropped between two steps it leaves `known` fit for the next reading.
#[expect(clippy::too_many_lines, reason = "one input after the other")]
pub async fn read_in_steps(
    inputs: &Inputs<'_>,
    persona: &Parsed,
    known: &mut Known,
    pause: Pause<'_>,
) -> Evaluation<Run> {
    let mut all = Vec::new();
    let persona = of_input("persona", &mut all, |problems| {
        read_persona(persona, problems)
    });
    let id = persona.as_ref().and_then(|persona| persona.id.clone());
    let transcript = known_transcript(inputs.transcript, id, &mut known.transcript, pause).await;
    all.extend(transcript.problems.iter().cloned());
    let config = inputs.config.map_or_else(Config::default, |text| {
        of_input("config", &mut all, |problems| {
            read_config(text, transcript.sessions.len(), problems)
        })
    });
    let mut rules = None;
    if let Some(text) = inputs.safety {
        let mut found = Problems::new();
        rules = Some(safety::read_rules(text, &mut found, pause).await);
        of_input("safety", &mut all, |problems| *problems = found);
    }
    let ids: Vec<&str> = transcript.sessions.iter().map(|s| s.id.as_str()).collect();
    let judge = inputs.judge.map(|text| {
        of_input("judge", &mut all, |problems| {
            read_judge(text, Some(&ids), problems)
        })
    });
    let labels = inputs.labels.map_or_else(Labels::default, |text| {
        of_input("labels", &mut all, |problems| read_labels(text, problems))
    });
    let control = inputs.control.map(|text| {
        Arc::new(of_input("control", &mut all, |problems| {
            read_control(text, problems)
        }))
    });
    let failed = all
        .iter()
        .any(|problem| problem.severity == Severity::Error);
    let Some(persona) = persona.filter(|_| !failed) else {
        return evaluation(None, all);
    };
    let sessions = &transcript.sessions;
    let by_rules = (inputs.safety, rules.as_ref());
    let turns = match known_turns(&persona, sessions, by_rules, &mut known.measured, pause).await {
        Ok(turns) => turns,
        Err(problem) => {
            of_input("safety", &mut all, |problems| problems.push(problem));
            return evaluation(None, all);
        }
    };
    let unread = turns.iter().flat_map(|turns| turns.iter());
    let unread = unread.map(|turn| turn.unread.is_some());
    let foreign = script::warning(sessions, unread);
    of_input("transcript", &mut all, |problems| problems.extend(foreign));
    let basis = Basis {
        persona,
        config,
        rules,
        judge,
        labels,
        control,
    };
    let mut run = basis.measured(sessions.clone(), turns, &transcript.asides);
    run.input_sha256 = hash(inputs, pause).await;
    evaluation(Some(run), all)
}

/// The responses measured; those that were measured last by the same persona and
/// rules (their text, and what was read of it) are taken from there.
async fn known_turns(
    persona: &Persona,
    sessions: &Arc<Vec<Session>>,
    (rules_text, rules): (Option<&str>, Option<&safety::Rules>),
    known: &mut Option<Measured>,
    pause: Pause<'_>,
) -> Result<Vec<Arc<Vec<ScoredTurn>>>, Problem> {
    let same = known.as_ref().filter(|known| {
        known.persona.lexicon == persona.lexicon
            && known.persona.traits == persona.traits
            && known.rules.as_deref() == rules_text
    });
    let turns = measure(persona, sessions, rules, same, pause).await?;
    *known = Some(Measured {
        persona: persona.clone(),
        rules: rules_text.map(str::to_owned),
        sessions: sessions.clone(),
        turns: turns.clone(),
    });
    Ok(turns)
}

/// Reads one input; its problems are sorted and carry its name.
pub(super) fn of_input<T>(
    input: &str,
    all: &mut Vec<Problem>,
    read: impl FnOnce(&mut Problems) -> T,
) -> T {
    let mut problems = Problems::new();
    let value = read(&mut problems);
    all.extend(problems.into_sorted().into_iter().map(|mut problem| {
        problem.input = Some(input.to_owned());
        problem
    }));
    value
}

/// The transcript as it was read last, or anew.
async fn known_transcript<'a>(
    text: &str,
    persona: Option<String>,
    known: &'a mut Option<KnownTranscript>,
    pause: Pause<'_>,
) -> &'a KnownTranscript {
    let is_known = |known: &KnownTranscript| known.text == text && known.persona == persona;
    if let Some(old) = known.take().filter(is_known) {
        return known.insert(old);
    }
    let mut found = Problems::new();
    let transcript = read_transcript(text, persona.as_deref(), &mut found, pause).await;
    let mut problems = Vec::new();
    of_input("transcript", &mut problems, |problems| *problems = found);
    known.insert(KnownTranscript {
        text: text.to_owned(),
        persona,
        asides: transcript.asides(),
        sessions: Arc::new(transcript.sessions),
        problems,
    })
}

/// Traits, lexicon and safety of every response; of a session that is known as it
/// was measured. The problem of a rule that takes too long.
pub(super) async fn measure(
    persona: &Persona,
    sessions: &[Session],
    rules: Option<&safety::Rules>,
    known: Option<&Measured>,
    pause: Pause<'_>,
) -> Result<Vec<Arc<Vec<ScoredTurn>>>, Problem> {
    safety::prepare(pause).await;
    let lexicon = LexiconMatcher::new(&persona.lexicon);
    let turn = |text: &str| {
        let folded = Folded::new(text);
        Ok(ScoredTurn {
            traits: traits::detect(&persona.traits, &Signals::measure(text, &folded)).into(),
            lexicon: lexicon.score(&folded),
            violations: safety::violations(text, &folded, rules)?.into(),
            unread: script::unread(text),
        })
    };
    // sessions come in the order of their ids
    let as_known = |session: &Session| {
        let known = known?;
        let found = known
            .sessions
            .binary_search_by(|other| other.id.cmp(&session.id));
        let found = found
            .ok()
            .filter(|found| known.sessions[*found] == *session)?;
        known.turns.get(found).cloned()
    };
    let total = sessions.iter().map(|session| session.responses.len()).sum();
    let (mut done, mut in_breach) = (0, 0);
    let mut measured = Vec::with_capacity(sessions.len());
    for session in sessions {
        if let Some(known) = as_known(session) {
            done += session.responses.len();
            in_breach += known.iter().filter(|turn| turn.is_in_breach()).count();
            measured.push(known);
            continue;
        }
        let mut turns = Vec::with_capacity(session.responses.len());
        for response in &session.responses {
            let turn = turn(&response.text)?;
            in_breach += usize::from(turn.is_in_breach());
            turns.push(turn);
            done += 1;
            let progress = Progress {
                found: Some((in_breach, "break a safety rule")),
                ..Progress::new(done, total, "replies measured")
            };
            step(pause, progress).await;
        }
        measured.push(Arc::new(turns));
    }
    Ok(measured)
}

pub(super) fn safety_of(
    sessions: &[Session],
    turns: &[Arc<Vec<ScoredTurn>>],
    judge: &BTreeMap<String, Judged>,
) -> Vec<SessionSafety> {
    sessions
        .iter()
        .zip(turns)
        .map(|(session, turns)| {
            let violations: Vec<&[Violation]> =
                turns.iter().map(|turn| &*turn.violations).collect();
            safety::session(
                &violations,
                judge.get(&session.id).map(|judged| judged.score),
            )
        })
        .collect()
}

async fn hash(inputs: &Inputs<'_>, pause: Pause<'_>) -> String {
    let optional = [
        ("config", inputs.config),
        ("safety", inputs.safety),
        ("judge", inputs.judge),
        ("labels", inputs.labels),
        ("control", inputs.control),
    ];
    let mut parts = vec![
        ("persona", inputs.persona),
        ("transcript", inputs.transcript),
    ];
    parts.extend(
        optional
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?))),
    );
    input_sha256_in_steps(&parts, pause).await
}
