//! A persona run's verdict in words, and how firm its grade is.

use crate::app::format::{count, fixed, grouped, name};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::nearest_words;
use crate::persona::{self, Grade, PersonaResult, voice};

use super::model::Waiting;

/// What stands within the interval of a persona's weight.
pub const GRADE_STANDS: &str = "The grade stands";

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    // "authenticity below 0.4" alone would read as a wish to be less authentic
    nearest_words("the grade", intervals.nearest.as_ref()).replacen(
        "Nearest flip:",
        "Nearest flip of a weight:",
        1,
    )
}

/// What a grade waits for.
const NEED_VECTORS: &str = "Style and stability";
/// The same where the voice stands in the place of style.
const NEED_VOICE: &str = "Voice and stability";

/// The input in a few lines: whose voice, and how much of it.
pub fn gist(persona: Option<&str>, result: &PersonaResult) -> Vec<String> {
    let persona = persona.map(name).into_iter();
    persona.chain([scope(result)]).collect()
}

/// How many replies there are.
fn scope(result: &PersonaResult) -> String {
    let replies = result.sessions.iter().map(|session| session.turns.len());
    let of = count(replies.sum(), "response");
    format!("{of} in {}", count(result.sessions.len(), "session"))
}

/// The verdict of a persona run, and what it waits for; `is_held` says that it is of what
/// was there before. Where the voice stands in the place of style, that is said.
pub fn verdict(
    result: &PersonaResult,
    waiting: Waiting,
    (is_held, is_by_voice): (bool, bool),
) -> Verdict {
    let scope = scope(result);
    let (Some(overall), Some(grade)) = (result.overall, result.grade) else {
        return Verdict::new(Tone::Neutral, "Nothing to score", format!("{scope}."));
    };
    let missing = match &*result.partial {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        few => few.concat(),
    };
    if waiting != Waiting::No && !is_held {
        // a grade from what needs no embedding alone would say something else than it seems
        let how = if waiting == Waiting::OnItsWay {
            "are being computed"
        } else {
            "are not computed here yet"
        };
        let need = if is_by_voice {
            NEED_VOICE
        } else {
            NEED_VECTORS
        };
        let turns = || result.sessions.iter().flat_map(|session| &session.turns);
        let so_far = match turns().filter(|turn| turn.style.is_some()).count() {
            0 => String::new(),
            some => format!(" So far {} have their style.", grouped(some)),
        };
        let detail = format!("{scope}. {need} {how}.{so_far}");
        return Verdict::new(Tone::Neutral, "Not graded yet", detail);
    }
    let tone = match grade {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    };
    let (figure, letter) = (fixed(overall, 3), grade.letter());
    let (headline, measured) = if missing.is_empty() {
        (
            format!("Grade {letter}: {figure}"),
            "all parts measured".to_owned(),
        )
    } else {
        let headline = format!("Grade {letter}: {figure} (without {missing})");
        (
            headline,
            format!("what cannot be measured here is left out: {missing}"),
        )
    };
    let detail = if is_held {
        "As it was before the change, until the new texts are read.".to_owned()
    } else {
        let by = if is_by_voice {
            format!(" Style by {}.", voice::FORMULA)
        } else {
            String::new()
        };
        format!("{scope}, {measured}.{by}")
    };
    Verdict::new(tone, headline, detail)
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
        for (waiting, how) in [
            (Waiting::OnItsWay, "are being computed"),
            (Waiting::ToBeAsked, "are not computed here yet"),
        ] {
            let part = verdict(&result, waiting, (false, false));
            assert_eq!(
                (&*part.headline, part.tone),
                ("Not graded yet", Tone::Neutral)
            );
            assert!(part.detail.contains(how), "{}", part.detail);
        }
        let held = verdict(&result, Waiting::OnItsWay, (true, false));
        assert!(held.headline.starts_with("Grade ") && held.detail.contains("As it was"));
        let part = verdict(&result, Waiting::No, (false, true));
        assert!(part.detail.ends_with(" Style by voice/1."));
        let part = verdict(&result, Waiting::OnItsWay, (false, true));
        assert!(part.detail.contains("Voice and stability"));
        let part = verdict(&result, Waiting::No, (false, false));
        assert!(part.headline.starts_with("Grade ") && part.headline.contains("(without "));
        assert!(part.detail.contains("cannot be measured here"));
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
            holds(
                &verdict(&result, Waiting::No, (false, false)),
                tone,
                &headline,
                detail,
            );
        }
        (result.overall, result.grade) = (None, None);
        let detail = "1 response in 1 session.";
        holds(
            &verdict(&result, Waiting::No, (false, false)),
            Tone::Neutral,
            "Nothing to score",
            detail,
        );
    }
}
