//! Judge scores (JSON): `{"<session_id>": {"score": 7.5, "reasoning": "..."}}`, 0 to 10.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::document::{Problems, Reader, Value, normalise, parse_json};
use crate::text::Shown;

/// The judge's best score.
const BEST: f64 = 10.0;

/// What the judge said of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The score / 10, in [0, 1].
    pub score: f64,
    /// Why, where it says so.
    pub reasoning: Option<Arc<str>>,
}

/// Session id to score / 10, in [0, 1]. `sessions` are those of the transcript, sorted, where they are
/// known; ones that the transcript does not have are warned of.
pub fn read_judge(
    text: &str,
    sessions: Option<&[&str]>,
    problems: &mut Problems,
) -> BTreeMap<String, Judged> {
    let mut scores = BTreeMap::new();
    let node = match parse_json(&normalise(text)) {
        Ok(node) => node,
        Err(problem) => {
            problems.push(problem);
            return scores;
        }
    };
    let root = Reader::new(&node);
    let Value::Map(entries) = root.value() else {
        root.expected("an object of session ids", problems);
        return scores;
    };
    for entry in entries {
        let reader = root.child(entry);
        if scores.contains_key(&entry.key) {
            problems.warning(&reader, "this session is given twice; the last one counts");
        }
        if let Some(score) = score(&reader, problems) {
            let reasoning = reasoning(&reader, problems);
            let score = score / BEST;
            scores.insert(entry.key.clone(), Judged { score, reasoning });
        }
        let is_there = |ids: &[&str]| ids.binary_search(&entry.key.as_str()).is_ok();
        if !sessions.is_none_or(is_there) {
            problems.warning(
                &reader,
                format!(
                    "the transcript has no scored session {:?}",
                    Shown(&entry.key)
                ),
            );
        }
    }
    scores
}

fn score(reader: &Reader, problems: &mut Problems) -> Option<f64> {
    if !matches!(reader.value(), Value::Map(_)) {
        reader.expected("an object with `score`", problems);
        return None;
    }
    reader.check_keys(&["score", "reasoning"], problems);
    let Some(score) = reader.get("score") else {
        problems.error(reader, "`score` is missing: expected a number from 0 to 10");
        return None;
    };
    match score.as_f64() {
        Some(value) if (0.0..=BEST).contains(&value) => Some(value),
        _ => {
            score.expected("a number from 0 to 10", problems);
            None
        }
    }
}

/// Why, where that is said.
fn reasoning(reader: &Reader, problems: &mut Problems) -> Option<Arc<str>> {
    let reasoning = reader.get_some("reasoning")?;
    match reasoning.as_str().map(str::trim) {
        Some("") => None,
        Some(text) => Some(text.into()),
        None => {
            let message = format!(
                "expected a text, got {}; it is not shown",
                reasoning.value().describe()
            );
            problems.warning(&reasoning, message);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_scaled_to_one() {
        let mut problems = Problems::new();
        let text =
            r#"{"a": {"score": 7.5, "reasoning": "fine"}, "b": {"score": 11}, "c": 3, "d": {}}"#;
        let scores = read_judge(text, Some(&["a", "b", "c", "d"]), &mut problems);
        let judged = Judged {
            score: 0.75,
            reasoning: Some("fine".into()),
        };
        assert_eq!(scores, BTreeMap::from([("a".to_owned(), judged)]));
        let paths: Vec<String> = problems.into_sorted().into_iter().map(|p| p.path).collect();
        assert_eq!(paths, ["b.score", "c", "d"]);
    }

    #[test]
    fn unknown_sessions_and_bad_documents_are_said() {
        for (text, count) in [
            (r#"{"z": {"score": 1}}"#, 1),
            ("[]", 1),
            ("{", 1),
            ("{}", 0),
        ] {
            let mut problems = Problems::new();
            read_judge(text, Some(&["a"]), &mut problems);
            assert_eq!(problems.into_sorted().len(), count, "{text}");
        }
    }
}
