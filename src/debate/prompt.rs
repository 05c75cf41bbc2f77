//! From notes in free text to a payload: what to ask a model for.

use super::rules::MOST_RATING;

/// An answer as it is asked for, which reads without a problem.
const EXAMPLE: &str = r#"{
  "question": "Which cache should we use?",
  "candidates": [
    {"id": "Redis", "model": "opus", "reviews": [
      {"debater": "Ann", "support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0,
       "justification": "Measured on our own load."},
      {"debater": "Bob", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0,
       "justification": "Fine, but nobody owns it."}]},
    {"id": "In process", "model": "gpt-5.2", "reviews": [
      {"debater": "Ann", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0,
       "justification": "Fast, and lost at every restart."},
      {"debater": "Bob", "support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0,
       "justification": "One moving part less."}]}
  ],
  "pairwise": [{"winner": "Redis", "loser": "In process"}]
}"#;

/// A prompt that has a model write what judges noted in free text as a payload; the notes
/// follow at its end.
///
/// ```
/// assert!(assay::debate::notes_prompt().contains("\"critical_fail\": 0"));
/// ```
pub fn notes_prompt() -> String {
    let most = MOST_RATING;
    format!(
        "Below are a question, the answers to it and what judges noted about them. Write them as one JSON object and nothing else.

- candidates: every answer, with an id (a short name) and, where it is known, the model that wrote it.
- reviews: one for each judge of each candidate, with the judge's name as debater, and
  support: 0 to {most}, how far the judge stands behind the answer;
  evidence: 0 to {most}, how well what it claims is backed;
  major_risks: 0 to {most}, how much could go badly wrong;
  critical_fail: 1 if the judge says that the answer must not be used, else 0;
  justification: the judge's reason in one sentence, in the judge's own words.
- pairwise: who beat whom, one entry for each pair that a judge or a vote has decided; leave out what nobody decided.
- All ratings are whole numbers. Do not guess: where the notes do not say enough for a rating, ask me before you answer.

The shape, with other content:
{EXAMPLE}

The notes:
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::{Options, evaluate};

    #[test]
    fn what_is_asked_for_is_read_and_scored() {
        let found = evaluate(EXAMPLE, &Options::default());
        assert_eq!(found.problems, []);
        let result = found.result.expect("scored");
        assert_eq!(result.results.len(), 2);
        assert!(notes_prompt().contains(EXAMPLE));
    }
}
