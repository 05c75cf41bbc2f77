//! A persona run's verdict in words, and how firm its grade is.

use crate::app::format::{count, fixed, name};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::nearest_words;
use crate::persona::{self, Grade, PersonaResult};

/// What stands within the interval of a persona's weight.
pub const GRADE_STANDS: &str = "The grade stands";

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    nearest_words("the grade", intervals.nearest.as_ref())
}

/// The input in a few lines: whose voice, and how much of it.
pub fn gist(persona: Option<&str>, result: &PersonaResult) -> Vec<String> {
    let replies = result.sessions.iter().map(|session| session.turns.len());
    let of = count(replies.sum(), "response");
    let sessions = count(result.sessions.len(), "session");
    let persona = persona.map(name).into_iter();
    persona.chain([format!("{of} in {sessions}")]).collect()
}

/// The verdict of a persona run; `is_waiting` says whether texts are still to be embedded.
pub fn verdict(result: &PersonaResult, is_waiting: bool) -> Verdict {
    let sessions = count(result.sessions.len(), "session");
    let responses: usize = result
        .sessions
        .iter()
        .map(|session| session.turns.len())
        .sum();
    let scope = format!("{} in {sessions}", count(responses, "response"));
    let (Some(overall), Some(grade)) = (result.overall, result.grade) else {
        return Verdict::new(Tone::Neutral, "Nothing to score", format!("{scope}."));
    };
    let tone = match grade {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    };
    if result.partial.is_empty() {
        return Verdict::new(
            tone,
            format!("Grade {}: {}", grade.letter(), fixed(overall, 3)),
            format!("{scope}, all parts measured."),
        );
    }
    let missing = result.partial.join(" and ");
    if is_waiting {
        // a grade from what needs no embedding alone would say something else than it seems
        return Verdict::new(
            Tone::Neutral,
            "Not graded yet",
            format!("{scope}. Without embeddings there is no {missing}."),
        );
    }
    Verdict::new(
        tone,
        format!(
            "Grade {}: {} (without {missing})",
            grade.letter(),
            fixed(overall, 3)
        ),
        format!("{scope}. What could not be measured here: {missing}."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::Inputs;

    fn holds(verdict: &Verdict, tone: Tone, headline: &str, detail: &str) {
        assert_eq!(*verdict, Verdict::new(tone, headline, detail));
    }

    #[test]
    fn a_persona_run_is_graded_once_all_is_measured() {
        let run = persona::read(&Inputs {
            persona: "lexicon: {preferred: [ride, oil], avoid: []}",
            transcript: r#"{"session_id": "a", "turn": 1, "assistant": "A ride."}"#,
            ..Inputs::default()
        });
        let scored = run
            .result
            .expect("valid")
            .score(&persona::Options::default(), None);
        let mut result = scored.result.expect("scored");
        let part = verdict(&result, true);
        assert_eq!(
            (&*part.headline, part.tone),
            ("Not graded yet", Tone::Neutral)
        );
        let part = verdict(&result, false);
        assert!(part.headline.starts_with("Grade ") && part.headline.contains("(without "));
        assert!(part.detail.contains("What could not be measured here: "));
        result.partial.clear();
        for (overall, tone, letter) in [
            (0.9, Tone::Good, "A"),
            (0.8, Tone::Good, "B"),
            (0.75, Tone::Caution, "C"),
            (0.6, Tone::Caution, "D"),
            (0.1, Tone::Bad, "F"),
        ] {
            (result.overall, result.grade) = (Some(overall), Some(Grade::of(overall)));
            let headline = format!("Grade {letter}: {overall:.3}");
            let detail = "1 response in 1 session, all parts measured.";
            holds(&verdict(&result, false), tone, &headline, detail);
        }
        (result.overall, result.grade) = (None, None);
        let detail = "1 response in 1 session.";
        holds(
            &verdict(&result, false),
            Tone::Neutral,
            "Nothing to score",
            detail,
        );
    }
}
