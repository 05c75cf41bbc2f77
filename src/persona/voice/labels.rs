//! What somebody said of replies (SCORING.md section 3, "Labels"): JSONL or a JSON array of rows with
//! `text` and `label`, or a calibration that holds them under `labels`. A labelled transcript is one.

use std::collections::{HashMap, HashSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::learn::Label;
use crate::document::{Code, Parsed, Problem, Problems, Reader, Severity, Value};
use crate::text::{Place, sort_by_key};

/// A verdict of one labeller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The reply.
    pub text: String,
    /// Whether it is on brand; none where the labeller was not sure.
    pub is_on: Option<bool>,
    /// Its session.
    pub session: String,
    /// Its turn there, where that is said.
    pub turn: Option<i64>,
    /// Who says so; empty where it is not said.
    pub labeller: String,
}

/// All verdicts on the replies, as they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(pub Vec<Verdict>);

/// Reads labels; rows without a label (the user's turns) are passed over. What is wrong with a row
/// leaves it out.
pub fn read_labels(text: &str, problems: &mut Problems) -> Labels {
    let parsed = Parsed::items(text);
    let mut labels = Labels::default();
    problems.extend(parsed.strays());
    for piece in 0..parsed.pieces().len() {
        let found = parsed.problems(piece).iter().cloned();
        problems.extend(found.map(Problem::left_out));
        let Some(node) = parsed.node(piece) else {
            continue;
        };
        let root = Reader::new(node);
        let Some(listed) = root.get_some("labels") else {
            labels.0.extend(verdict(&root, problems));
            continue;
        };
        match listed.items() {
            Some(rows) => {
                let rows = rows.iter();
                labels
                    .0
                    .extend(rows.filter_map(|row| verdict(row, problems)));
            }
            None => listed.expected("a list of labels", problems),
        }
    }
    if labels.0.is_empty() && !problems.has_errors() {
        let message =
            "no row has a label: expected rows with `text` and `label` (1 on brand, 0 off brand)";
        let problem = Problem::new(Severity::Warning, Place::START, "", message);
        problems.push(problem.with_code(Code::Missing));
    }
    labels
}

fn verdict(row: &Reader, problems: &mut Problems) -> Option<Verdict> {
    if !matches!(row.value(), Value::Map(_)) {
        let got = row.value().describe();
        let message = format!("expected an object with `text` and `label`, got {got}");
        left_out(row, &message, problems);
        return None;
    }
    let text_of = |key: &str| {
        let value = row.get_some(key)?;
        value.as_str().map(str::to_owned)
    };
    let label = row.get_some("label")?;
    let is_on = match label.value() {
        Value::Bool(is_on) => Some(*is_on),
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "on" | "1" | "on_brand" | "on-brand" => Some(true),
            "off" | "0" | "off_brand" | "off-brand" => Some(false),
            "unsure" => None,
            _ => return expected(&label, problems),
        },
        _ => match label.as_integer() {
            Some(1) => Some(true),
            Some(0) => Some(false),
            _ => return expected(&label, problems),
        },
    };
    let text = text_of("text").or_else(|| text_of("assistant"));
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        let message = "a label without the `text` of its reply";
        left_out(row, message, problems).code = Code::Missing;
        return None;
    };
    let words = |reader: &Reader| reader.as_str().map(str::to_owned);
    // a whole number is read as its digits, as in a transcript
    let number = |reader: &Reader| whole(reader).map(|number| number.to_string());
    let session = |reader: &Reader| words(reader).or_else(|| number(reader));
    Some(Verdict {
        text,
        is_on,
        session: beside(row, "session_id", "a text", session, problems).unwrap_or_default(),
        turn: beside(row, "turn_index", "a whole number", whole, problems),
        labeller: beside(row, "labeller", "a text", words, problems).unwrap_or_default(),
    })
}

fn whole(reader: &Reader) -> Option<i64> {
    reader.as_integer()
}

/// What a row says beside its label; that it is something else is warned of.
fn beside<T>(
    row: &Reader,
    key: &str,
    expected: &str,
    read: impl Fn(&Reader) -> Option<T>,
    problems: &mut Problems,
) -> Option<T> {
    let reader = row.get_some(key)?;
    let value = read(&reader);
    if value.is_none() {
        let got = reader.value().describe();
        problems.warning(
            &reader,
            format!("expected {expected}, got {got}: it is not used"),
        );
    }
    value
}

/// Says why a label is none.
fn left_out<'a>(at: &Reader, message: &str, problems: &'a mut Problems) -> &'a mut Problem {
    problems.warning(at, message.to_owned() + Problem::LEFT_OUT)
}

fn expected(label: &Reader, problems: &mut Problems) -> Option<Verdict> {
    let said = label.value().describe();
    let message = format!("expected 1 (on brand), 0 (off brand) or \"unsure\", got {said}");
    left_out(label, &message, problems);
    None
}

impl Labels {
    /// What can be learned from: the replies that all who were sure agree on, each once, in their
    /// order.
    pub fn agreed(&self) -> Vec<Label> {
        let mut said: HashMap<&str, Option<bool>> = HashMap::new();
        for verdict in &self.0 {
            if let Some(is_on) = verdict.is_on {
                let known = said.entry(&verdict.text).or_insert(Some(is_on));
                if *known != Some(is_on) {
                    *known = None;
                }
            }
        }
        let mut labels = Vec::new();
        for verdict in &self.0 {
            if let Some(Some(is_on)) = said.remove(verdict.text.as_str()) {
                let session = if verdict.session.is_empty() {
                    &verdict.text
                } else {
                    &verdict.session
                };
                labels.push(Label {
                    text: verdict.text.clone(),
                    is_on,
                    session: session.clone(),
                });
            }
        }
        labels
    }

    /// Replies on which those who were sure do not agree.
    pub fn disputed(&self) -> Vec<&str> {
        let mut first: HashMap<&str, bool> = HashMap::new();
        let mut disputed: Vec<&str> = Vec::new();
        for verdict in &self.0 {
            let Some(is_on) = verdict.is_on else { continue };
            let text = verdict.text.as_str();
            if *first.entry(text).or_insert(is_on) != is_on && !disputed.contains(&text) {
                disputed.push(text);
            }
        }
        disputed
    }

    /// Who labelled, in the order of their first label.
    pub fn labellers(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for verdict in &self.0 {
            if !names.contains(&verdict.labeller.as_str()) {
                names.push(&verdict.labeller);
            }
        }
        names
    }

    /// What two labellers said of the replies that both were sure of: the first's verdict, the
    /// second's.
    pub fn both(&self, one: &str, other: &str) -> Vec<(bool, bool)> {
        let of = |name: &str| -> HashMap<&str, bool> {
            let verdicts = self.0.iter().filter(|verdict| verdict.labeller == name);
            verdicts
                .filter_map(|v| Some((v.text.as_str(), v.is_on?)))
                .collect()
        };
        let (one, other) = (of(one), of(other));
        let mut pairs: Vec<(&str, bool, bool)> = one
            .iter()
            .filter_map(|(text, first)| Some((*text, *first, *other.get(text)?)))
            .collect();
        pairs.sort_unstable();
        pairs
            .into_iter()
            .map(|(_, first, second)| (first, second))
            .collect()
    }
}

/// The replies that a labeller has not judged yet, each text once, in an order that the seed draws:
/// who labels must not see what belongs together.
pub fn queue(replies: &[&str], labels: &Labels, labeller: &str, seed: u64) -> Vec<usize> {
    let judged = labels
        .0
        .iter()
        .filter(|verdict| verdict.labeller == labeller);
    let mut known: HashSet<&str> = judged.map(|verdict| verdict.text.as_str()).collect();
    let mut all: Vec<usize> = (0..replies.len())
        .filter(|at| known.insert(replies[*at]))
        .collect();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    // drawn for every reply, so that a label does not change the order of the others
    let keys: Vec<u64> = replies.iter().map(|_| generator.next_u64()).collect();
    sort_by_key(&mut all, |at| keys[*at]);
    all
}

/// A row as labels are written: the keys of the study, the text of a person untouched.
pub fn written(verdict: &Verdict) -> String {
    let label = match verdict.is_on {
        Some(is_on) => serde_json::json!(u8::from(is_on)),
        None => serde_json::json!("unsure"),
    };
    let mut row = serde_json::json!({
        "session_id": verdict.session, "role": "assistant", "text": verdict.text, "label": label,
    });
    if let Some(turn) = verdict.turn {
        row["turn_index"] = turn.into();
    }
    if !verdict.labeller.is_empty() {
        row["labeller"] = serde_json::json!(verdict.labeller);
    }
    row.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Labels, Vec<String>) {
        let mut problems = Problems::new();
        let labels = read_labels(text, &mut problems);
        (
            labels,
            problems
                .into_sorted()
                .into_iter()
                .map(|problem| problem.message)
                .collect(),
        )
    }

    #[test]
    fn rows_with_a_label_are_read_and_the_others_passed_over() {
        let text = concat!(
            r#"{"session_id": "a", "turn_index": 1, "role": "user", "text": "hi"}"#,
            "\n",
            r#"{"session_id": "a", "turn_index": 2, "role": "assistant", "text": "yo", "label": 1, "labeller": "x"}"#,
            "\n",
            r#"{"text": "Dear customer", "label": "off"}"#,
            "\n",
            r#"{"text": "hm", "label": "unsure"}"#,
            "\n",
            r#"{"text": "?", "label": 7}"#,
            "\n",
            r#"{"label": 1}"#,
        );
        let (labels, problems) = read(text);
        assert_eq!(problems.len(), 2, "{problems:?}");
        let said: Vec<_> = labels
            .0
            .iter()
            .map(|v| (v.text.as_str(), v.is_on))
            .collect();
        let turns = labels.0.iter().map(|verdict| verdict.turn);
        assert_eq!(turns.collect::<Vec<_>>(), [Some(2), None, None]);
        assert!(written(&labels.0[0]).contains(r#""turn_index":2"#));
        assert_eq!(
            said,
            [
                ("yo", Some(true)),
                ("Dear customer", Some(false)),
                ("hm", None)
            ]
        );
        let again: String = labels
            .0
            .iter()
            .map(|verdict| written(verdict) + "\n")
            .collect();
        assert_eq!(read(&again).0, labels);
        let calibration = format!(r#"{{"labels": [{}]}}"#, again.trim().replace('\n', ","));
        assert_eq!(read(&calibration).0, labels);
        assert_eq!(read("[]").1.len(), 2);
    }

    #[test]
    fn who_labels_gets_each_text_once_and_in_no_order() {
        let texts: Vec<String> = (0..50).map(|at| format!("reply {}", at % 40)).collect();
        let replies: Vec<&str> = texts.iter().map(String::as_str).collect();
        let nobody = Labels::default();
        let first = queue(&replies, &nobody, "", 7);
        assert_eq!(first.len(), 40);
        assert_ne!(first, (0..40).collect::<Vec<_>>());
        assert_eq!(first, queue(&replies, &nobody, "", 7));
        assert_ne!(first, queue(&replies, &nobody, "", 8));
        let judged = Labels(vec![Verdict {
            text: replies[first[0]].to_owned(),
            is_on: None,
            session: String::new(),
            turn: None,
            labeller: "me".into(),
        }]);
        assert_eq!(queue(&replies, &judged, "me", 7), first[1..]);
        assert_eq!(queue(&replies, &judged, "you", 7), first);
    }

    #[test]
    fn what_labellers_do_not_agree_on_teaches_nothing() {
        let row = |text: &str, is_on: Option<bool>, labeller: &str| Verdict {
            text: text.into(),
            is_on,
            session: String::new(),
            turn: None,
            labeller: labeller.into(),
        };
        let labels = Labels(vec![
            row("a", Some(true), "x"),
            row("b", Some(true), "x"),
            row("c", None, "x"),
            row("a", Some(true), "y"),
            row("b", Some(false), "y"),
            row("c", Some(false), "y"),
        ]);
        let agreed: Vec<_> = labels
            .agreed()
            .into_iter()
            .map(|l| (l.text, l.is_on))
            .collect();
        assert_eq!(agreed, [("a".to_owned(), true), ("c".into(), false)]);
        assert_eq!(labels.disputed(), ["b"]);
        assert_eq!(labels.labellers(), ["x", "y"]);
        assert_eq!(labels.both("x", "y"), [(true, true), (true, false)]);
    }
}
