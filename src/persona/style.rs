//! Style: how near a response is to the nearest exemplar (SCORING.md section 3),
//! and what stability needs of the same vectors.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::document::{Problem, Severity};
use crate::embedding::{Embedder, ModelIdentity};
use crate::steps::{Pause, Progress, step};
use crate::text::{Place, Shown};

use super::config::Config;
use super::drift::Drift;
use super::stability::{self, dot};
use super::taught::Told;
use super::transcript::Session;
use super::voice::{Voice, VoiceScore};

/// What one embedder says of a run; the same for all weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Similarities {
    /// The model; none when nothing was embedded.
    pub model: Option<ModelIdentity>,
    /// Per session, per response: the style in [0, 1] and the number of the nearest exemplar.
    pub styles: Vec<Vec<Option<(f64, usize)>>>,
    /// Per session: standard deviation of the distances to the mean; none where not measured.
    pub spreads: Vec<Option<f64>>,
    /// Per session, per response: 1 - the cosine to the first response, in [0, 2].
    pub to_start: Vec<Vec<Option<f64>>>,
    /// Per session: how it moves; nothing until that was asked for.
    pub drifts: Arc<Vec<Option<Arc<Drift>>>>,
    /// Texts that could not be embedded.
    pub problems: Vec<Problem>,
    /// The voice of the persona; none where it was not asked for or cannot be learned.
    pub voice: Option<Arc<Voice>>,
    /// Per session, per response: its score.
    pub voices: Arc<Vec<Vec<Option<VoiceScore>>>>,
    /// Whether more vectors are on their way: responses without one are not measured yet.
    pub is_partial: bool,
    /// What is said of traits that are told by examples.
    pub told: Arc<Vec<Told>>,
    /// Why there is no voice, in words.
    pub voiceless: Option<String>,
}

impl Similarities {
    /// The style of a response, and the number of its nearest exemplar.
    pub(super) fn style(&self, session: usize, response: usize) -> Option<(f64, usize)> {
        *self.styles.get(session)?.get(response)?
    }

    /// What stands for style in authenticity: style, or the voice where that was asked for.
    pub(super) fn manner(&self, session: usize, response: usize, config: &Config) -> Option<f64> {
        if config.voice_as_style {
            self.voice(session, response).map(|score| score.value)
        } else {
            self.style(session, response).map(|(style, _)| style)
        }
    }

    /// The voice of a response.
    pub(super) fn voice(&self, session: usize, response: usize) -> Option<VoiceScore> {
        *self.voices.get(session)?.get(response)?
    }
}

type Vector = Vec<f64>;

/// Whether the vectors of a session say anything: of its style or of its stability.
pub fn is_compared(exemplars: &[String], session: &Session) -> bool {
    !exemplars.is_empty() || session.responses.len() > 1
}

/// Embeds exemplars and responses, each distinct text once, and compares them. A response
/// is a step.
pub async fn compare(
    exemplars: &[String],
    sessions: &[Session],
    embedder: &dyn Embedder,
    pause: Pause<'_>,
) -> Similarities {
    let total = sessions.iter().map(|session| session.responses.len()).sum();
    let mut done = 0;
    let mut texts = Texts {
        embedder,
        vectors: HashMap::new(),
        dimensions: None,
    };
    let mut result = Similarities {
        model: Some(embedder.model().clone()),
        ..Similarities::default()
    };
    let references = references(exemplars, &mut texts, &mut result.problems);
    for session in sessions {
        if !is_compared(exemplars, session) {
            result.styles.push(vec![None; session.responses.len()]);
            result.spreads.push(None);
            result.to_start.push(vec![None; session.responses.len()]);
            done += session.responses.len();
            continue;
        }
        let mut styles = Vec::new();
        let mut vectors: Vec<Rc<Vector>> = Vec::new();
        let (mut first, mut to_start) = (None, Vec::new());
        for response in &session.responses {
            let vector = texts.vector(&response.text);
            if let Err(message) = &vector {
                let turn = format!("session {:?} turn {}", Shown(&session.id), response.index);
                let message = format!("{turn} has no vector, its style is not measured: {message}");
                result
                    .problems
                    .push(problem("transcript", response.line, turn, message));
            }
            let vector = vector.ok();
            let start = to_start.is_empty().then(|| vector.clone()).flatten();
            first = first.or(start);
            let from_start = |vector: &Rc<Vector>| Some(1.0 - dot(vector, first.as_ref()?));
            to_start.push(vector.as_ref().and_then(from_start));
            styles.push(
                vector
                    .as_ref()
                    .and_then(|vector| nearest(vector, &references)),
            );
            vectors.extend(vector);
            done += 1;
            step(pause, Progress::new(done, total, "replies compared")).await;
        }
        let complete = vectors.len() == session.responses.len();
        result.styles.push(styles);
        result.to_start.push(to_start);
        result
            .spreads
            .push(stability::spread(&vectors).filter(|_| complete));
    }
    result
}

/// The vectors of all exemplars; none where one of them has none: the nearest of
/// some exemplars is not the nearest of all.
fn references<'a>(
    exemplars: &'a [String],
    texts: &mut Texts<'a>,
    problems: &mut Vec<Problem>,
) -> Vec<Rc<Vector>> {
    let mut references = Vec::new();
    for (number, exemplar) in exemplars.iter().enumerate() {
        match texts.vector(exemplar) {
            Ok(vector) => references.push(vector),
            Err(message) => {
                let message = format!(
                    "exemplar {} has no vector, style is not measured: {message}",
                    number + 1
                );
                problems.push(problem(
                    "persona",
                    1,
                    format!("exemplars[{number}]"),
                    message,
                ));
            }
        }
    }
    if references.len() < exemplars.len() {
        references.clear();
    }
    references
}

fn problem(input: &str, line: u32, path: String, message: String) -> Problem {
    let mut problem = Problem::new(Severity::Warning, Place { line, column: 1 }, path, message);
    problem.input = Some(input.into());
    problem
}

/// Vectors by text.
struct Texts<'a> {
    embedder: &'a dyn Embedder,
    vectors: HashMap<&'a str, Result<Rc<Vector>, String>>,
    dimensions: Option<usize>,
}

impl<'a> Texts<'a> {
    fn vector(&mut self, text: &'a str) -> Result<Rc<Vector>, String> {
        if let Some(known) = self.vectors.get(text) {
            return known.clone();
        }
        let vector = self
            .embedder
            .embed(text)
            .map_err(|error| error.0)
            .and_then(|vector| self.unit(&vector))
            .map(Rc::new);
        self.vectors.insert(text, vector.clone());
        vector
    }

    /// The vector at length 1; one that has no length or another dimension is refused.
    fn unit(&mut self, vector: &[f32]) -> Result<Vector, String> {
        let expected = *self.dimensions.get_or_insert(vector.len());
        if vector.len() != expected {
            return Err(format!(
                "expected {expected} components, got {}",
                vector.len()
            ));
        }
        unit(vector)
    }
}

/// A vector at length 1; one that has no length is refused.
pub fn unit(vector: &[f32]) -> Result<Vec<f64>, String> {
    let wide: Vector = vector
        .iter()
        .map(|component| f64::from(*component))
        .collect();
    let length = dot(&wide, &wide).sqrt();
    if !length.is_finite() || length == 0.0 {
        return Err(format!("a vector of length {length} has no direction"));
    }
    Ok(wide.iter().map(|component| component / length).collect())
}

/// The largest cosine, clamped to [0, 1], and whose it is; the first of equals.
fn nearest(vector: &[f64], references: &[Rc<Vector>]) -> Option<(f64, usize)> {
    let mut best: Option<(f64, usize)> = None;
    for (number, reference) in references.iter().enumerate() {
        let cosine = dot(vector, reference);
        if best.is_none_or(|(highest, _)| cosine > highest) {
            best = Some((cosine, number));
        }
    }
    best.map(|(cosine, number)| (cosine.clamp(0.0, 1.0), number))
}
