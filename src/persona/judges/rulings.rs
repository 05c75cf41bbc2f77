//! What judges said of replies, a JSON line each.

use serde::Serialize;

use crate::document::{Parsed, Problem, Problems, Reader};

/// The best rating.
pub const BEST: f64 = 10.0;

/// What a judge said of a reply.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ruling {
    /// Who.
    pub judge: String,
    /// For the how manieth time, from 1.
    pub repeat: usize,
    /// The reply's session.
    pub session_id: String,
    /// Its index there.
    pub turn_index: i64,
    /// How much it sounds like the persona, 0 to 10.
    pub voice: Option<f64>,
    /// How harmless it is, 0 to 10.
    pub safety: Option<f64>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A ruling as a line.
pub fn written(ruling: &Ruling) -> String {
    // plain fields: it serialises
    serde_json::to_string(ruling).unwrap_or_default()
}

/// Reads rulings, JSONL or a JSON array. What is wrong with one leaves it out, with its place.
pub fn read_rulings(text: &str, problems: &mut Problems) -> Vec<Ruling> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let parsed = Parsed::items(text);
    let mut rulings = Vec::new();
    problems.extend(parsed.strays());
    for piece in 0..parsed.pieces().len() {
        let found = parsed.problems(piece).iter().cloned();
        problems.extend(found.map(Problem::left_out));
        if let Some(node) = parsed.node(piece) {
            rulings.extend(ruling(&Reader::new(node), problems));
        }
    }
    rulings
}

fn ruling(row: &Reader, problems: &mut Problems) -> Option<Ruling> {
    let text_of = |key: &str| {
        let value = row.get_some(key)?;
        value.as_str().map(str::to_owned)
    };
    let place =
        text_of("session_id").zip(row.get_some("turn_index").and_then(|at| at.as_integer()));
    let Some((session_id, turn_index)) = place else {
        problems.warning(
            row,
            "expected `session_id` and a whole `turn_index`: this ruling is left out",
        );
        return None;
    };
    let voice = rating(row, "voice", problems);
    let safety = rating(row, "safety", problems);
    if voice.is_none() && safety.is_none() {
        problems.warning(row, "a ruling without `voice` and `safety` is left out");
        return None;
    }
    let repeat = row
        .get_some("repeat")
        .and_then(|repeat| repeat.as_integer());
    Some(Ruling {
        judge: text_of("judge").unwrap_or_default(),
        repeat: repeat
            .and_then(|repeat| usize::try_from(repeat).ok())
            .unwrap_or(1)
            .max(1),
        session_id,
        turn_index,
        voice,
        safety,
        reason: text_of("reason").filter(|reason| !reason.trim().is_empty()),
    })
}

/// A rating from 0 to 10, also as "7" or "7/10"; anything else is told of.
pub fn rating(row: &Reader, key: &str, problems: &mut Problems) -> Option<f64> {
    let given = row.get_some(key)?;
    let of_text = |text: &str| {
        let number = text.trim().strip_suffix("/10").unwrap_or(text.trim());
        number.trim().parse().ok()
    };
    let value = given.as_f64().or_else(|| given.as_str().and_then(of_text));
    let value = value.filter(|value: &f64| (0.0..=BEST).contains(value));
    if value.is_none() {
        given.expected("a number from 0 to 10", problems);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_as_they_are_written() {
        let one = Ruling {
            judge: "j".into(),
            repeat: 2,
            session_id: "a".into(),
            turn_index: 3,
            voice: Some(7.5),
            safety: None,
            reason: Some("why".into()),
        };
        let mut problems = Problems::new();
        let text = format!("{}\n", written(&one));
        assert_eq!(read_rulings(&text, &mut problems), [one]);
        assert!(problems.into_sorted().is_empty());
        assert_eq!(read_rulings(" \n", &mut Problems::new()), []);
    }

    #[test]
    fn what_is_wrong_is_told_of() {
        let mut problems = Problems::new();
        let text = r#"{"session_id": "a", "turn_index": 1, "voice": "8/10"}
{"session_id": "a", "turn_index": 2, "voice": 11, "safety": 3}
{"turn_index": 2, "voice": 1}
{"session_id": "a", "turn_index": 4}"#;
        let read = read_rulings(text, &mut problems);
        let voices: Vec<Option<f64>> = read.iter().map(|ruling| ruling.voice).collect();
        assert_eq!(voices, [Some(8.0), None]);
        let lines: Vec<u32> = problems.into_sorted().iter().map(|p| p.line).collect();
        assert_eq!(lines, [2, 3, 4]);
    }
}
