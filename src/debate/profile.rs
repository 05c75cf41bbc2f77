//! What is known of a domain: its weights, the words that speak for it, and how
//! reliable each model is in it.

use std::sync::LazyLock;

use super::Weights;
use super::keywords::Keywords;
use super::rules::NO_DOMAIN;
use crate::analysis::check_weights;
use crate::document::{Evaluation, Parsed, Problems, Reader};

/// The domains, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profiles {
    domains: Vec<Domain>,
    pub(super) keywords: Keywords,
}

/// A domain.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    /// Its name.
    pub name: String,
    /// Its weights.
    pub weights: Weights,
    /// Words and phrases that speak for it in a question.
    pub keywords: Vec<String>,
    /// Model and reliability in [0, 1].
    pub models: Vec<(String, f64)>,
}

impl Profiles {
    /// The text of the built-in profiles.
    pub const BUILT_IN: &str = include_str!("profiles.json");

    /// The profiles that come with the program (`profiles.json`).
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Profiles> = LazyLock::new(|| {
            // a test reads it without problems
            read_profiles(Profiles::BUILT_IN).result.unwrap_or_default()
        });
        &BUILT_IN
    }

    /// The domains.
    pub fn domains(&self) -> &[Domain] {
        &self.domains
    }

    /// The domain of a name.
    pub fn domain(&self, name: &str) -> Option<&Domain> {
        self.domains.iter().find(|domain| domain.name == name)
    }

    /// The names of all domains.
    pub fn names(&self) -> Vec<&str> {
        self.domains
            .iter()
            .map(|domain| domain.name.as_str())
            .collect()
    }
}

impl Domain {
    /// The reliability of a model, in [0, 1], if the profile knows it.
    pub fn reliability(&self, model: &str) -> Option<f64> {
        let (_, weight) = self.models.iter().find(|(name, _)| name == model)?;
        Some(*weight)
    }
}

/// Reads profiles: `{"domains": {"<name>": {"weights": {"w_base", ...},
/// "keywords": [], "models": {"<model>": 0.9}}}}`. Problems carry the input `profiles`.
pub fn read_profiles(text: &str) -> Evaluation<Profiles> {
    read_profiles_from(&parse_profiles(text))
}

/// A text of profiles made ready to be read from.
pub fn parse_profiles(text: &str) -> Parsed {
    Parsed::json_value(text)
}

/// Reads the profiles of a text that [`parse_profiles`] made ready.
pub fn read_profiles_from(parsed: &Parsed) -> Evaluation<Profiles> {
    let mut problems = Problems::new();
    let mut profiles = Profiles::default();
    problems.extend(parsed.problems(0).iter().cloned());
    if let Some(node) = parsed.node(0) {
        profiles.domains = domains(&Reader::new(node), &mut problems);
    }
    let result = (!problems.has_errors()).then_some(profiles);
    let mut problems = problems.into_sorted();
    for problem in &mut problems {
        problem.input = Some("profiles".into());
    }
    Evaluation { result, problems }
}

fn domains(root: &Reader, problems: &mut Problems) -> Vec<Domain> {
    root.check_keys(&["about", "source", "domains"], problems);
    let Some(domains) = root.get_some("domains") else {
        problems.error(root, "missing 'domains': expected an object of domains");
        return Vec::new();
    };
    if domains.entries().is_empty() {
        domains.expected("an object of at least one domain", problems);
    }
    domains
        .entries()
        .iter()
        .map(|entry| {
            let reader = domains.child(entry);
            reader.check_keys(&["weights", "keywords", "models", "rationale"], problems);
            if !matches!(reader.value(), crate::document::Value::Map(_)) {
                reader.expected("an object with weights, keywords and models", problems);
            }
            Domain {
                name: entry.key.clone(),
                weights: weights(&reader, problems),
                keywords: keywords(&reader, problems),
                models: models(&reader, problems),
            }
        })
        .collect()
}

fn weights(domain: &Reader, problems: &mut Problems) -> Weights {
    let mut weights = NO_DOMAIN;
    let Some(given) = domain.get_some("weights") else {
        problems.error(domain, "missing 'weights'");
        return weights;
    };
    given.check_keys(&Weights::NAMES, problems);
    for (name, slot) in weights.slots_mut() {
        match given.get_some(name) {
            None => {
                problems.error(&given, format!("missing '{name}'"));
            }
            Some(reader) => match reader.as_f64() {
                Some(value) => *slot = value,
                None => reader.expected("a number", problems),
            },
        }
    }
    for problem in check_weights(&weights.named()) {
        problems.error(&given, problem.message);
    }
    weights
}

fn keywords(domain: &Reader, problems: &mut Problems) -> Vec<String> {
    let Some(list) = domain.get_some("keywords") else {
        return Vec::new();
    };
    let Some(items) = list.items() else {
        list.expected("a list of words", problems);
        return Vec::new();
    };
    let mut keywords = Vec::new();
    for item in items {
        match item.as_str().filter(|word| !word.trim().is_empty()) {
            Some(word) => keywords.push(word.trim().to_owned()),
            None => item.expected("a word or phrase", problems),
        }
    }
    keywords
}

fn models(domain: &Reader, problems: &mut Problems) -> Vec<(String, f64)> {
    let Some(given) = domain.get_some("models") else {
        return Vec::new();
    };
    if !matches!(given.value(), crate::document::Value::Map(_)) {
        given.expected("an object of model and reliability", problems);
    }
    let mut models = Vec::new();
    for entry in given.entries() {
        let reader = given.child(entry);
        match reader.as_f64().filter(|value| (0.0..=1.0).contains(value)) {
            Some(value) => models.push((entry.key.clone(), value)),
            None => reader.expected("a reliability in [0, 1]", problems),
        }
    }
    models
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_profiles_read_without_problems() {
        let read = read_profiles(include_str!("profiles.json"));
        assert_eq!(read.problems, vec![]);
        let profiles = Profiles::built_in();
        assert_eq!(
            profiles.names(),
            [
                "coding", "math", "finance", "legal", "academic", "strategy", "general"
            ]
        );
        let math = profiles.domain("math").expect("math");
        assert_eq!(math.reliability("gemini-3-pro"), Some(1.0));
        assert_eq!(math.reliability("nobody"), None);
    }

    #[test]
    fn every_problem_of_a_profile_is_told() {
        let text = r#"{"domains": {
            "x": {"weights": {"w_base": -1, "w_pairwise": 1, "w_risk": "a", "w_reliability": 0},
                  "keywords": [1], "models": {"m": 1.5}},
            "y": 3}}"#;
        let read = read_profiles(text);
        assert_eq!(read.result, None);
        let messages: Vec<_> = read.errors().map(|p| p.message.as_str()).collect();
        for expected in [
            "w_base must be",
            "a number, got",
            "missing 'w_formal'",
            "a word",
            "in [0, 1], got 1.5",
            "an object with",
        ] {
            assert!(
                messages.iter().any(|m| m.contains(expected)),
                "{expected}: {messages:?}"
            );
        }
        assert!(
            read.problems
                .iter()
                .all(|p| p.input.as_deref() == Some("profiles"))
        );
    }
}
