//! Whether a document is what it is read as: a verdict on one that says nothing would be
//! made of defaults alone.

use super::node::{Node, Value};
use super::path::Step;
use super::problem::{Code, Problem, Problems, Severity};
use super::reader::{Reader, SOURCE};
use crate::text::{Place, Shown};

/// The most keys that a message names.
const MOST_NAMED: usize = 6;
/// The most keys that are told apart.
const MOST_KEYS: usize = 50;

/// The keys of some objects: those that are of their kind, and others.
#[derive(Debug)]
pub struct Kinship {
    kind: &'static [&'static str],
    /// Keys that it may have and that tell nothing: other kinds have them as well.
    beside: &'static [&'static str],
    known: Vec<&'static str>,
    others: Vec<String>,
    objects: usize,
    /// Objects without a key of their kind.
    strangers: usize,
    first: Option<First>,
    first_stranger: Option<(Place, String)>,
}

/// The first of the objects.
#[derive(Debug)]
struct First {
    place: Place,
    path: String,
    /// That it is a result of Assay, if it is one.
    made: Option<String>,
}

impl Kinship {
    /// Of a kind of object that has these keys.
    pub fn new(kind: &'static [&'static str]) -> Self {
        Self {
            kind,
            beside: &[],
            known: Vec::new(),
            others: Vec::new(),
            objects: 0,
            strangers: 0,
            first: None,
            first_stranger: None,
        }
    }

    /// The same kind, which may have these keys as well; they tell nothing.
    #[must_use]
    pub fn beside(self, keys: &'static [&'static str]) -> Self {
        Self {
            beside: keys,
            ..self
        }
    }

    /// Looks at one more; anything but an object is passed over.
    pub fn add(&mut self, object: &Reader) {
        if !object.node().is_object() {
            return;
        }
        let is_kin = self.keys(object);
        self.objects += 1;
        if !is_kin {
            self.strangers += 1;
            let place = || (object.place(), object.path());
            self.first_stranger.get_or_insert_with(place);
        }
        self.first.get_or_insert_with(|| First {
            place: object.place(),
            path: object.path(),
            made: made_by_assay(object.node()),
        });
    }

    /// Looks at the keys of an object that is a part of another. Whether it has one of the kind.
    pub fn keys(&mut self, object: &Reader) -> bool {
        let mut is_kin = false;
        for entry in object.entries() {
            let key = entry.key.as_str();
            if let Some(known) = self.kind.iter().find(|known| **known == key) {
                is_kin = true;
                if !self.known.contains(known) {
                    self.known.push(known);
                }
            } else if key == SOURCE || self.beside.contains(&key) {
            } else if self.others.len() < MOST_KEYS && !self.others.iter().any(|other| other == key)
            {
                self.others.push(key.to_owned());
            }
        }
        is_kin
    }

    /// Says what is wrong: an error where there is no key of the kind (`a turn`) at all,
    /// warnings where some objects have none, and where most keys are of another kind.
    pub fn check(self, what: &str, problems: &mut Problems) {
        let Some(First { place, path, made }) = self.first else {
            return;
        };
        let others = named(&self.others);
        if self.known.is_empty() {
            let given = match &self.others[..] {
                [] => "without keys".to_owned(),
                _ => format!("with the keys {others}"),
            };
            let expected = named(self.kind);
            let message =
                format!("expected {what}, with keys such as {expected}; got an object {given}");
            let mut problem = Problem::new(Severity::Error, place, path, message);
            problem.code = Code::OtherKind;
            problem.hint = made;
            problems.push(problem);
            return;
        }
        if let Some((place, path)) = self.first_stranger {
            let (strangers, objects) = (self.strangers, self.objects);
            let message = format!(
                "{strangers} of {objects} objects have no key of {what}: nothing that they say is scored"
            );
            let problem = Problem::new(Severity::Warning, place, path, message);
            problems.push(problem.with_code(Code::FewKeys));
        }
        if self.others.len() > self.known.len() {
            let message = format!(
                "of these keys only {} are those of {what}; not read: {others}",
                named(&self.known)
            );
            let mut problem = Problem::new(Severity::Warning, place, path, message);
            problem.code = Code::FewKeys;
            problem.hint = made;
            problems.push(problem);
        }
    }
}

/// "a, b and 3 more".
fn named(keys: &[impl AsRef<str>]) -> String {
    let shown = keys.iter().take(MOST_NAMED);
    let shown: Vec<String> = shown
        .map(|key| format!("`{}`", Shown(key.as_ref())))
        .collect();
    match keys.len().saturating_sub(MOST_NAMED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// What the lines of parts hold, that `assay merge` puts together.
const PARTS: [&str; 8] = [
    "persona_part",
    "persona_session",
    "persona_beside",
    "persona_end",
    "reward_part",
    "reward_session",
    "reward_end",
    "league_part",
];

/// Whether a key says that an object is a line of a part.
pub fn is_of_part(key: &str) -> bool {
    PARTS.contains(&key)
}

/// Says that an object is a result that Assay exported, or a line of a part of one, if it is.
pub fn made_by_assay(node: &Node) -> Option<String> {
    if node.entries().iter().any(|entry| is_of_part(&entry.key)) {
        let message = "this is part of a result: `assay merge` puts parts together";
        return Some(message.to_owned());
    }
    let text = |key: &str| match &node.at(&[Step::from(key)])?.value {
        Value::String(text) => Some(text),
        _ => None,
    };
    let formula = text("formula")?;
    let is_result = formula.contains('/')
        && (text("input_sha256").is_some() || text("candidate_sha256").is_some());
    is_result.then(|| {
        let formula = Shown(formula);
        format!("this is a result of Assay ({formula}): give what it was made from")
    })
}

#[cfg(test)]
mod tests {
    use super::super::parse_json;
    use super::*;

    fn told(texts: &[&str]) -> Vec<(Severity, String, Option<String>)> {
        let nodes: Vec<Node> = texts
            .iter()
            .map(|text| parse_json(text).expect("JSON"))
            .collect();
        let mut kinship = Kinship::new(&["a", "b"]);
        for node in &nodes {
            kinship.add(&Reader::new(node));
        }
        let mut problems = Problems::new();
        kinship.check("a pair", &mut problems);
        let told = problems.into_sorted().into_iter();
        told.map(|p| (p.severity, p.message, p.hint)).collect()
    }

    #[test]
    fn nothing_few_and_enough() {
        assert_eq!(told(&["[1]"]), vec![]);
        assert_eq!(told(&[r#"{"a": 1, "x": 2}"#, r#"{"b": 1}"#]), vec![]);
        let (severity, message, hint) = told(&["{}"]).remove(0);
        assert_eq!((severity, hint), (Severity::Error, None));
        assert_eq!(
            message,
            "expected a pair, with keys such as `a`, `b`; got an object without keys"
        );
        let told_few = told(&[r#"{"a": 1, "x": 2, "y": 3}"#, "{}"]);
        let severities: Vec<_> = told_few.iter().map(|(severity, ..)| *severity).collect();
        assert_eq!(severities, [Severity::Warning; 2]);
        assert!(told_few[0].1.contains("1 of 2 objects"), "{told_few:?}");
        assert!(
            told_few[1].1.ends_with("not read: `x`, `y`"),
            "{told_few:?}"
        );
    }

    #[test]
    fn a_result_is_known_as_one() {
        let (severity, _, hint) =
            told(&[r#"{"formula": "rwea/1", "input_sha256": "ab"}"#]).remove(0);
        assert_eq!(severity, Severity::Error);
        assert!(hint.is_some_and(|hint| hint.contains("a result of Assay (rwea/1)")));
        let (_, _, hint) = told(&[r#"{"reward_session": {}}"#]).remove(0);
        assert!(hint.is_some_and(|hint| hint.contains("`assay merge`")));
    }
}
