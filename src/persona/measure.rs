//! What the texts of responses alone tell: traits, lexicon and safety.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::Problem;
use crate::steps::{Pause, Progress, step};
use crate::text::Folded;

use super::judge::Judged;
use super::lexicon::LexiconMatcher;
use super::persona::Persona;
use super::result::Violation;
use super::run::ScoredTurn;
use super::safety::{self, SessionSafety};
use super::script;
use super::signals::Signals;
use super::traits;
use super::transcript::Session;

/// Measured responses with what they were measured against.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) persona: Persona,
    pub(super) rules: Option<String>,
    pub(super) sessions: Arc<Vec<Session>>,
    pub(super) turns: Vec<Arc<Vec<ScoredTurn>>>,
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
        let signals = Signals::measure(text, &folded);
        // others may part where apostrophes of other shapes stand
        let sentences = text.is_ascii().then_some(&*signals.sentences);
        Ok(ScoredTurn {
            traits: traits::detect(&persona.traits, &signals).into(),
            lexicon: lexicon.score(&folded),
            violations: safety::violations(text, &folded, sentences, rules)?.into(),
            unread: script::unread(text, &folded),
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
