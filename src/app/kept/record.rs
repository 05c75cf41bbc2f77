//! A work as it is kept: a short text as it is, a long one by its key in the drawer,
//! with what was changed in it since it was put there.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::app::bench::{Bench, Benches, named};
use crate::app::desk::{Texts, Work};
use crate::document::Reader;

/// Bytes of a text that is kept as it is.
pub const SHORT: usize = 100_000;

/// A text as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It stands here.
    Here(Arc<str>),
    /// It is in the drawer, but for a stretch of it.
    There(There),
}

/// Where a long text is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct There {
    /// Its key in the drawer. What is put there under a key never changes.
    pub key: String,
    /// Bytes of the text.
    pub length: usize,
    /// The bytes of what is in the drawer that are replaced, from and to, and with what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub splice: Option<(usize, usize, String)>,
}

impl There {
    /// The text, from what is in the drawer; none where it is not what was put there.
    pub fn text(&self, kept: &str) -> Option<Arc<str>> {
        let text = match &self.splice {
            None => kept.into(),
            Some((from, to, with)) => {
                let (before, after) = (kept.get(..*from)?, kept.get(*to..)?);
                [before, with, after].concat().into()
            }
        };
        Some(text).filter(|text: &Arc<str>| text.len() == self.length)
    }
}

impl Serialize for Stored {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Here(text) => text.serialize(serializer),
            Self::There(there) => there.serialize(serializer),
        }
    }
}

/// A work as it is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoredWork {
    /// By input.
    pub texts: BTreeMap<String, Stored>,
    /// By name.
    pub settings: Texts,
}

impl StoredWork {
    /// With all its texts in it.
    pub fn whole(work: &Work) -> Self {
        let texts = work.texts.iter();
        Self {
            texts: texts
                .map(|(name, text)| (name.clone(), Stored::Here(text.clone())))
                .collect(),
            settings: work.settings.clone(),
        }
    }

    /// From JSON; parts of another shape are left out.
    fn read(reader: &Reader) -> Self {
        let plain = Work::read(reader);
        let mut stored = Self::whole(&plain);
        let texts = reader.get("texts");
        for entry in texts.as_ref().map_or(&[][..], |texts| texts.entries()) {
            if let Some(there) = read_there(&Reader::new(&entry.node)) {
                stored.texts.insert(entry.key.clone(), Stored::There(there));
            }
        }
        stored
    }

    /// The keys of its texts that are in the drawer.
    pub fn keys(&self) -> Vec<String> {
        let texts = self.texts.values();
        texts
            .filter_map(|text| match text {
                Stored::Here(_) => None,
                Stored::There(there) => Some(there.key.clone()),
            })
            .collect()
    }

    /// The work, with what the drawer has under [these keys](Self::keys); none where
    /// something is missing.
    pub fn work(&self, drawer: &[Option<String>]) -> Option<Work> {
        let mut kept = drawer.iter();
        let mut work = Work {
            settings: self.settings.clone(),
            ..Work::default()
        };
        for (name, text) in &self.texts {
            let text = match text {
                Stored::Here(text) => text.clone(),
                Stored::There(there) => there.text(kept.next()?.as_ref()?)?,
            };
            work.texts.insert(name.clone(), text);
        }
        Some(work)
    }

    /// Bytes of all texts.
    pub fn size(&self) -> usize {
        let texts = self.texts.values();
        texts
            .map(|text| match text {
                Stored::Here(text) => text.len(),
                Stored::There(there) => there.length,
            })
            .sum()
    }
}

fn read_there(reader: &Reader) -> Option<There> {
    let number = |reader: Reader| usize::try_from(reader.as_integer()?).ok();
    let splice = reader.get("splice").and_then(|splice| {
        let [from, to, with] = splice.items()?.try_into().ok()?;
        Some((number(from)?, number(to)?, with.as_str()?.to_owned()))
    });
    Some(There {
        key: reader.get("key")?.as_str()?.to_owned(),
        length: number(reader.get("length")?)?,
        splice,
    })
}

/// The work of a bench, as one of the tabs kept it last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Counts what was kept of the bench.
    pub rev: u64,
    /// Which tab kept it.
    pub by: String,
    /// What was last said of it: a bench that is not opened scores nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headline: Option<String>,
    /// The work.
    pub work: StoredWork,
}

impl Record {
    /// From JSON; none of anything else.
    pub fn read(root: &Reader) -> Option<Self> {
        let text = |key: &str| Some(root.get(key)?.as_str()?.to_owned());
        Some(Self {
            rev: u64::try_from(root.get("rev")?.as_integer()?).ok()?,
            by: text("by")?,
            headline: text("headline"),
            work: StoredWork::read(&root.get("work")?),
        })
    }
}

/// A work that was put aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recent {
    /// Its name; a later one is greater.
    #[serde(skip)]
    pub id: String,
    /// Its bench.
    pub bench: &'static Bench,
    /// What was said about it when it was put aside.
    pub headline: String,
    /// The tab that went on with it while another tab had the bench.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fork: Option<String>,
    /// The work.
    pub work: StoredWork,
}

impl Recent {
    /// When it was put aside, in milliseconds since 1970, where its name tells.
    pub fn at(&self) -> Option<f64> {
        self.id.split('-').next()?.parse().ok()
    }

    /// From JSON; none without one of these benches.
    pub fn read(id: &str, reader: &Reader, benches: Benches) -> Option<Self> {
        let text = |key: &str| Some(reader.get(key)?.as_str()?.to_owned());
        Some(Self {
            id: id.to_owned(),
            bench: named(benches, reader.get("bench")?.as_str()?)?,
            headline: text("headline").unwrap_or_default(),
            fork: text("fork"),
            work: StoredWork::read(&reader.get("work")?),
        })
    }
}

/// The stretch of a text that is another one in the next, as bytes of the first, from
/// and to, and what stands there instead.
pub fn splice(before: &str, after: &str) -> (usize, usize, String) {
    let (one, other) = (before.as_bytes(), after.as_bytes());
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let mut from = same;
    while !before.is_char_boundary(from) {
        from -= 1;
    }
    let most = one.len().min(other.len()) - from;
    let ends = one.iter().rev().zip(other.iter().rev()).take(most);
    let mut end = ends.take_while(|(a, b)| a == b).count();
    while !before.is_char_boundary(before.len() - end) {
        end -= 1;
    }
    (
        from,
        before.len() - end,
        after[from..after.len() - end].to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::app::benches::BENCHES;
    use crate::document::parse_json;

    #[test]
    fn a_record_comes_back() {
        let mut work = StoredWork::whole(&Work::of("x", "half a {"));
        let there = There {
            key: "k1".into(),
            length: 7,
            splice: Some((2, 3, "é".into())),
        };
        work.texts.insert("y".into(), Stored::There(there));
        let record = Record {
            rev: 7,
            by: "t".into(),
            headline: Some("A wins".into()),
            work: work.clone(),
        };
        let json = serde_json::to_string(&record).expect("plain data");
        let node = parse_json(&json).expect("JSON");
        assert_eq!(Record::read(&Reader::new(&node)), Some(record));
        let recent = Recent {
            id: "1".into(),
            bench: BENCHES[0],
            headline: "A wins".into(),
            fork: None,
            work,
        };
        let json = serde_json::to_string(&recent).expect("plain data");
        let node = parse_json(&json).expect("JSON");
        let read = Recent::read("1", &Reader::new(&node), BENCHES);
        assert_eq!(read.as_ref(), Some(&recent));
        assert_eq!(recent.work.keys(), ["k1"]);
        let work = recent.work.work(&[Some("abXdef".into())]).expect("whole");
        assert_eq!((work.text("x"), work.text("y")), ("half a {", "abédef"));
        assert_eq!(recent.work.work(&[None]), None);
        assert_eq!(recent.work.work(&[Some("another".into())]), None);
    }

    proptest! {
        #[test]
        fn what_is_spliced_is_the_text(before in "[aé]{0,8}", after in "[aé]{0,8}") {
            let there = There {
                key: String::new(),
                length: after.len(),
                splice: Some(splice(&before, &after)),
            };
            let text = there.text(&before);
            prop_assert_eq!(text.as_deref(), Some(&*after));
        }
    }
}
