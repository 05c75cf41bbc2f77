//! From texts to a [run](Run): reads and checks all inputs, and measures what their
//! texts alone tell.

use std::sync::Arc;

use crate::document::{Evaluation, Parsed, Problem, Problems, Severity, input_sha256_in_steps};
use crate::steps::{Pause, THROUGH, at_once};

use super::asides::Asides;
use super::basis::Basis;
use super::config::{Config, read_config};
use super::inputs::{Inputs, of_input};
use super::judge::read_judge;
use super::measure::{Measured, measure};
use super::persona::{Persona, parse, read_persona};
use super::run::{Run, ScoredTurn};
use super::safety;
use super::script;
use super::transcript::{Session, read_transcript};
use super::voice::{Labels, read_control, read_labels};

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

/// Reads and checks all inputs. Problems carry the name of their input and come
/// in the order of the inputs, then of the text. A row that cannot be read leaves the others as they are: it is a
/// warning that [says so](Problem::is_left_out).
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
    inputs.tell_blank(&mut all);
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
        rules: rules.map(Arc::new),
        judge: judge.map(Arc::new),
        labels,
        control,
    };
    let mut run = basis.measured(sessions.clone(), turns, transcript.asides.clone());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_file_beside_a_transcript_is_told() {
        let inputs = Inputs {
            persona: "exemplars: [Hello]",
            transcript: r#"[{"session_id": "s", "turn_index": 1, "role": "assistant", "text": "a"}]"#,
            config: Some(" \n"),
            safety: Some(""),
            ..Inputs::default()
        };
        let told = read(&inputs);
        let of = told.problems.iter().map(|problem| problem.input.as_deref());
        assert_eq!(of.collect::<Vec<_>>(), [Some("config"), Some("safety")]);
        assert!(told.result.is_some());
    }
}
