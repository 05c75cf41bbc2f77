//! The mapping: what a source does not say and a method needs. Each choice has a default, is
//! written into the document under `source`, and can be changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A choice of the mapping: what it was and what it could be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// By which it is set: `criterion.style`.
    pub key: String,
    /// As people read it.
    pub label: String,
    /// What was used.
    pub value: Value,
    /// What can be chosen; empty where anything can be typed.
    pub options: Vec<String>,
    /// Whether a person chose it.
    pub is_set: bool,
}

/// The value of a choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word, or a text.
    Text(String),
    /// Names.
    Names(Vec<String>),
}

/// Choices that people made, and what was asked of them.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    set: BTreeMap<String, Value>,
    /// What was asked, in the order of asking.
    asked: Vec<Setting>,
    /// What was set and cannot be used, in words.
    refused: Vec<String>,
}

impl Mapping {
    /// A mapping with some choices made.
    pub fn new(set: BTreeMap<String, Value>) -> Self {
        Self {
            set,
            ..Self::default()
        }
    }

    /// A number; `default` where none is set.
    pub fn number(&mut self, key: &str, label: &str, default: f64) -> f64 {
        let value = match self.set.get(key) {
            Some(Value::Number(value)) if value.is_finite() => Some(*value),
            Some(Value::Text(text)) => text
                .trim()
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite()),
            _ => None,
        };
        self.ask(
            key,
            label,
            &[],
            value.map(Value::Number),
            Value::Number(default),
        );
        value.unwrap_or(default)
    }

    /// One of some words; `default` where none of them is set.
    pub fn one_of(&mut self, key: &str, label: &str, options: &[&str], default: &str) -> String {
        let value = match self.set.get(key) {
            Some(Value::Text(text)) if options.contains(&text.as_str()) => Some(text.clone()),
            _ => None,
        };
        let fallback = Value::Text(default.to_owned());
        self.ask(
            key,
            label,
            options,
            value.clone().map(Value::Text),
            fallback,
        );
        value.unwrap_or_else(|| default.to_owned())
    }

    /// A text; `default` where none is set.
    pub fn text(&mut self, key: &str, label: &str, default: &str) -> String {
        let value = match self.set.get(key) {
            Some(Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        let fallback = Value::Text(default.to_owned());
        self.ask(key, label, &[], value.clone().map(Value::Text), fallback);
        value.unwrap_or_else(|| default.to_owned())
    }

    /// Names, given as a list or with commas between them.
    pub fn names(&mut self, key: &str, label: &str, default: &[&str]) -> Vec<String> {
        let value = match self.set.get(key) {
            Some(Value::Names(names)) => Some(names.clone()),
            Some(Value::Text(text)) => {
                let names = text.split(',').map(str::trim);
                let names = names.filter(|name| !name.is_empty());
                Some(names.map(str::to_owned).collect())
            }
            _ => None,
        };
        let fallback: Vec<String> = default.iter().map(|name| (*name).to_owned()).collect();
        let used = value.clone().map(Value::Names);
        self.ask(key, label, &[], used, Value::Names(fallback.clone()));
        value.unwrap_or(fallback)
    }

    fn ask(
        &mut self,
        key: &str,
        label: &str,
        options: &[&str],
        set: Option<Value>,
        default: Value,
    ) {
        if self.asked.iter().any(|asked| asked.key == key) {
            return;
        }
        if set.is_none() && self.set.contains_key(key) {
            let expected = match (&default, options) {
                (Value::Number(_), _) => "a number".to_owned(),
                (Value::Names(_), _) => "names".to_owned(),
                (Value::Text(_), []) => "a text".to_owned(),
                (Value::Text(_), options) => format!("one of {}", options.join(", ")),
            };
            self.refused.push(format!(
                "`{key}` of the mapping is left out: expected {expected}"
            ));
        }
        self.asked.push(Setting {
            key: key.to_owned(),
            label: label.to_owned(),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            is_set: set.is_some(),
            value: set.unwrap_or(default),
        });
    }

    /// What was asked, in the order of asking.
    pub fn asked(&self) -> &[Setting] {
        &self.asked
    }

    /// Whether a person chose what was asked.
    pub(super) fn is_set(&self, key: &str) -> bool {
        let asked = self.asked.iter().rev().find(|asked| asked.key == key);
        asked.is_some_and(|asked| asked.is_set)
    }

    /// What was set and could not be used, or was not asked for, in words.
    pub fn refused(&self) -> Vec<String> {
        let unasked = self.set.keys().filter(|key| {
            let asked = |setting: &Setting| setting.key == **key;
            !self.asked.iter().any(asked)
        });
        let unasked =
            unasked.map(|key| format!("`{key}` of the mapping is not used by this source"));
        self.refused.iter().cloned().chain(unasked).collect()
    }

    /// The choices as the document keeps them.
    pub fn kept(&self) -> BTreeMap<String, Value> {
        let asked = self.asked.iter();
        asked
            .map(|setting| (setting.key.clone(), setting.value.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_used_and_what_cannot_be_is_said() {
        let set = [
            ("high", Value::Text("0.8".into())),
            ("low", Value::Names(vec![])),
            ("style", Value::Text("risk".into())),
            ("other", Value::Number(1.0)),
        ];
        let set = set.map(|(key, value)| (key.to_owned(), value));
        let mut mapping = Mapping::new(set.into());
        assert_eq!(mapping.number("high", "upper", 0.5), 0.8);
        assert_eq!(mapping.number("low", "lower", 0.25), 0.25);
        assert_eq!(
            mapping.one_of("style", "style", &["support", "risk"], "support"),
            "risk"
        );
        assert_eq!(
            mapping.names("writes", "tools that write", &["edit"]),
            ["edit"]
        );
        let set: Vec<_> = mapping.asked().iter().map(|asked| asked.is_set).collect();
        assert_eq!(set, [true, false, true, false]);
        assert_eq!(
            mapping.refused(),
            [
                "`low` of the mapping is left out: expected a number",
                "`other` of the mapping is not used by this source"
            ]
        );
    }
}
