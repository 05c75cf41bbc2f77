//! A persona run's verdict in words, and how firm its grade is.

use crate::app::format::{count, fixed};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::{flip_words, range_words};
use crate::persona::{self, Grade, PersonaResult};

/// Where a grade stands as one weight moves, and what comes beyond.
pub fn grade_stands(interval: &persona::WeightInterval) -> String {
    let words = |flip: &persona::Flip| flip.words.clone();
    let ends = [&interval.low, &interval.high].map(|end| (end.at, end.flip.as_ref().map(words)));
    range_words("The grade stands", interval.current, ends)
}

/// The nearest flip of a grade in a sentence.
pub fn nearest_grade(intervals: &persona::Intervals) -> String {
    match &intervals.nearest {
        None => "No change of a single weight changes the grade.".into(),
        Some(nearest) => flip_words(nearest.from, nearest.flip.at, &nearest.flip.words),
    }
}

/// The name of a grade.
pub const fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::A => "A",
        Grade::B => "B",
        Grade::C => "C",
        Grade::D => "D",
        Grade::F => "F",
    }
}

/// The verdict of a persona run.
pub fn verdict(result: &PersonaResult) -> Verdict {
    let sessions = count(result.sessions.len(), "session");
    let responses: usize = result
        .sessions
        .iter()
        .map(|session| session.turns.len())
        .sum();
    let scope = format!("{} in {sessions}", count(responses, "response"));
    let (Some(overall), Some(grade_of)) = (result.overall, result.grade) else {
        return Verdict::new(Tone::Neutral, "Nothing to score", format!("{scope}."));
    };
    let tone = match grade_of {
        Grade::A | Grade::B => Tone::Good,
        Grade::C | Grade::D => Tone::Caution,
        Grade::F => Tone::Bad,
    };
    if result.partial.is_empty() {
        return Verdict::new(
            tone,
            format!("Grade {}: {}", grade(grade_of), fixed(overall, 3)),
            format!("{scope}, all parts measured."),
        );
    }
    Verdict::new(
        Tone::Neutral,
        format!("So far {} ({})", fixed(overall, 3), grade(grade_of)),
        format!(
            "{scope}. Not measured yet or not measurable: {}.",
            result.partial.join(", ")
        ),
    )
}
