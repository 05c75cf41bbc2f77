//! Objects read in one go in which other keys may stand beside those that are read.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::path::{Step, path_from};
use super::plain::{Shallow, Text};
use super::problem::Problem;
use super::reader::{SOURCE, unknown_key};
use crate::text::{Places, sort_by_key};

/// What knows the keys that it is read from.
pub trait Known {
    /// All of them.
    const KEYS: &'static [&'static str];
}

/// An object in which other keys may stand beside those that are known.
pub struct Sifted<'a, T> {
    /// What is read.
    pub read: T,
    /// The other keys, each once, as they stand in the text.
    pub others: Vec<&'a str>,
}

/// So many may be others.
const MOST_OTHERS: usize = 50;

impl<'de: 'a, 'a, T: Deserialize<'de> + Known> Deserialize<'de> for Sifted<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen<'a, T>(PhantomData<(&'a (), T)>);

        impl<'de: 'a, 'a, T: Deserialize<'de> + Known> Visitor<'de> for Seen<'a, T> {
            type Value = Sifted<'a, T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
                let mut others = Vec::new();
                let known = MapAccessDeserializer::new(Sieve {
                    entries,
                    known: T::KEYS,
                    others: &mut others,
                });
                let read = T::deserialize(known)?;
                Ok(Sifted { read, others })
            }
        }

        deserializer.deserialize_map(Seen(PhantomData))
    }
}

/// Passes on what stands under known keys.
struct Sieve<'s, 'de, A> {
    entries: A,
    known: &'static [&'static str],
    others: &'s mut Vec<&'de str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Sieve<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(Text(key)) = self.entries.next_key()? {
            if self.known.contains(&&*key) {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            let Cow::Borrowed(key) = key else {
                return Err(A::Error::custom("a key that is written with escapes"));
            };
            if self.others.len() == MOST_OTHERS || self.others.contains(&key) {
                return Err(A::Error::custom("a key that stands twice, or many"));
            }
            self.others.push(key);
            let Shallow = self.entries.next_value()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.entries.next_value_seed(seed)
    }
}

/// Notes of keys that nobody reads.
#[derive(Debug)]
pub struct Noted<'a> {
    text: &'a str,
    /// Where each begins, in bytes, and its path.
    keys: Vec<(usize, &'a str, String)>,
}

impl<'a> Noted<'a> {
    /// Of a text.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            keys: Vec::new(),
        }
    }

    /// Notes the [others](Sifted::others) of an object of the text, at its path.
    pub fn note(&mut self, others: &[&'a str], path: impl Fn() -> String) {
        for key in others.iter().filter(|key| **key != SOURCE) {
            let path = path_from(&path(), &[Step::from(*key)]);
            self.keys.push((offset(self.text, key), key, path));
        }
    }

    /// All of them, in the order of the text; none where its lines end in more than one way, as places are those in the
    /// text that is [normalised](super::normalise).
    pub fn into_sorted(mut self) -> Option<Vec<Problem>> {
        if !self.keys.is_empty() && self.text.contains('\r') {
            return None;
        }
        sort_by_key(&mut self.keys, |(at, ..)| *at);
        let mut places = Places::new(self.text);
        let note = |(at, key, path): (usize, &str, String)| {
            // a quotation mark stands before it
            unknown_key(key, places.at(at - 1), path)
        };
        Some(self.keys.into_iter().map(note).collect())
    }
}

/// Where a part of a text begins in it, in bytes.
pub fn offset(text: &str, part: &str) -> usize {
    part.as_ptr().addr() - text.as_ptr().addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct One {
        a: i64,
    }

    impl Known for One {
        const KEYS: &'static [&'static str] = &["a"];
    }

    #[test]
    fn other_keys_are_kept_where_they_stand() {
        let text = r#"{"b": [1, {"a": 2}], "a": 3, "c": null}"#;
        let Sifted { read, others } = serde_json::from_str::<Sifted<One>>(text).expect("one");
        assert_eq!((read.a, &others[..]), (3, &["b", "c"][..]));
        assert_eq!(others[1].as_ptr(), text[30..].as_ptr());
        for text in [
            r#"{"a": 1, "a": 1}"#,
            r#"{"a": 1, "b": 1, "b": 1}"#,
            r#"{"a": 1, "\u0062": 1}"#,
            r#"{"b": 1}"#,
            "[1]",
        ] {
            assert!(serde_json::from_str::<Sifted<One>>(text).is_err(), "{text}");
        }
    }
}
