//! Documents of which there is nothing to say, read in one go by serde. What is not quite as it is meant
//! to be is refused, and read again by who knows where everything stands.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, Deserializer};

/// What is written as an object: a list of the same values in order is none.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Seen<T> {
            type Value = Object<T>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(Seen(PhantomData))
    }
}

/// What knows the keys that it is read from.
pub trait Known {
    /// All of them.
    const KEYS: &'static [&'static str];
}

/// An [`Object`] in which other keys may stand beside those that are known.
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

/// A text, which is not copied where it stands as it is meant.
pub struct Text<'a>(pub Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Seen;

        impl<'de> Visitor<'de> for Seen {
            type Value = Text<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Seen)
    }
}

/// Any value that is not nested deeply; it is only seen to be one.
pub struct Shallow;

/// So deep may it be.
const DEEP: usize = 16;

impl<'de> Deserialize<'de> for Shallow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Within(DEEP).deserialize(deserializer)
    }
}

/// So many levels are left.
#[derive(Clone, Copy)]
struct Within(usize);

impl Within {
    fn less<E: Error>(self) -> Result<Self, E> {
        let left = self.0.checked_sub(1);
        left.map(Self).ok_or_else(|| E::custom("nested deeply"))
    }
}

impl<'de> DeserializeSeed<'de> for Within {
    type Value = Shallow;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Shallow, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within {
    type Value = Shallow;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_str<E>(self, _: &str) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_unit<E>(self) -> Result<Shallow, E> {
        Ok(Shallow)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Shallow, A::Error> {
        let inner = self.less()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(Shallow)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Shallow, A::Error> {
        let inner = self.less()?;
        while entries.next_key::<IgnoredAny>()?.is_some() {
            entries.next_value_seed(inner)?;
        }
        Ok(Shallow)
    }
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

    #[test]
    fn what_is_deep_is_refused() {
        let read = |depth: usize| {
            let text = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            serde_json::from_str::<Shallow>(&text).is_ok()
        };
        assert_eq!([read(0), read(DEEP), read(DEEP + 1)], [true, true, false]);
        for text in ["{\"a\": [null, true, -1, 1.5, \"x\", {}]}", "\"\""] {
            assert!(serde_json::from_str::<Shallow>(text).is_ok(), "{text}");
        }
        for text in ["{", "1e999", "\"\\ud800\""] {
            assert!(serde_json::from_str::<Shallow>(text).is_err(), "{text}");
        }
    }
}
