//! Documents of which there is nothing to say, read in one go by serde. What is not quite as it is meant
//! to be is refused, and read again by who knows where everything stands.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
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
