//! Everything in one text, as JSON: `{assay, works: {bench: work}, headlines: {bench:
//! words}, recent: [...]}`. It is the file that a person saves, and what older pages kept.
//! Keys that are not known are passed over.

use serde::{Serialize, Serializer};

use crate::app::bench::{Bench, Benches, named};
use crate::app::desk::Work;
use crate::document::{Reader, parse_json};

/// What a saved file says it is.
const MARK: &str = "work/1";

/// Works, and what was put aside.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    /// The work on each bench.
    pub works: Vec<(&'static Bench, Work)>,
    /// What was last said of it.
    pub headlines: Vec<(&'static Bench, String)>,
    /// Work that was replaced by other work, newest first.
    pub recent: Vec<Aside>,
}

/// A work that was put aside, with all its texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Aside {
    /// Its bench.
    pub bench: &'static Bench,
    /// What was said about it when it was put aside.
    pub headline: String,
    /// The work.
    pub work: Work,
}

impl Aside {
    fn read(reader: &Reader, benches: Benches) -> Option<Self> {
        let headline = reader.get("headline");
        Some(Self {
            bench: named(benches, reader.get("bench")?.as_str()?)?,
            headline: headline.and_then(|h| h.as_str()).unwrap_or_default().into(),
            work: Work::read(&reader.get("work")?),
        })
    }
}

impl Kept {
    /// What a text has of these benches; none if it is not JSON.
    // by hand, with the reader of all other documents: a derived one would
    // bring a second JSON parser into the page
    pub fn read(text: &str, benches: Benches) -> Option<Self> {
        let node = parse_json(text).ok()?;
        Some(Self::of(&Reader::new(&node), benches))
    }

    /// What a file has that was saved; none of any other text.
    pub fn read_file(text: &str, benches: Benches) -> Option<Self> {
        // other texts are not parsed for it
        let start = text.trim_start_matches('\u{feff}').trim_start();
        let is_marked = start
            .strip_prefix('{')?
            .trim_start()
            .starts_with("\"assay\"");
        let node = is_marked.then(|| parse_json(start).ok()).flatten()?;
        let root = Reader::new(&node);
        let mark = root.get("assay")?;
        (mark.as_str()? == MARK).then(|| Self::of(&root, benches))
    }

    fn of(root: &Reader, benches: Benches) -> Self {
        let (works, headlines) = (root.get("works"), root.get("headlines"));
        let mut kept = Self::default();
        for bench in benches {
            let work = works.as_ref().and_then(|works| works.get(bench.name));
            if let Some(work) = work {
                kept.works.push((bench, Work::read(&work)));
            }
            let headline = headlines.as_ref().and_then(|all| all.get(bench.name));
            if let Some(headline) = headline.as_ref().and_then(Reader::as_str) {
                kept.headlines.push((bench, headline.to_owned()));
            }
        }
        let recent = root.get("recent").and_then(|recent| recent.items());
        let recent = recent.unwrap_or_default();
        let read = |item: &Reader| Aside::read(item, benches);
        kept.recent = recent.iter().filter_map(read).collect();
        kept
    }

    /// As a file.
    pub fn write(&self) -> String {
        // plain data with string keys cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Serialize for Kept {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut all = serializer.serialize_struct("Kept", 4)?;
        all.serialize_field("assay", MARK)?;
        all.serialize_field("works", &OfBenches(&self.works))?;
        all.serialize_field("headlines", &OfBenches(&self.headlines))?;
        all.serialize_field("recent", &self.recent)?;
        all.end()
    }
}

struct OfBenches<'a, T>(&'a [(&'static Bench, T)]);

impl<T: Serialize> Serialize for OfBenches<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(bench, value)| (bench, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    #[test]
    fn a_saved_file_reads_back() {
        let work = Work::of("x", "half a {");
        let kept = Kept {
            works: BENCHES.iter().map(|bench| (*bench, work.clone())).collect(),
            headlines: vec![(BENCHES[1], "6.50 of 7.00 on average".into())],
            recent: vec![Aside {
                bench: BENCHES[0],
                headline: "A wins: 3.10".into(),
                work: work.clone(),
            }],
        };
        let file = kept.write();
        assert_eq!(Kept::read_file(&file, BENCHES), Some(kept));
        for other in ["", "{}", "{\"assay\": 1}", "{\"assay\": \"work/9\"}", "[1]"] {
            assert_eq!(Kept::read_file(other, BENCHES), None, "{other}");
        }
    }

    #[test]
    fn what_was_kept_before_there_were_headlines_is_read() {
        let text = r#"{"works":{"debate":{"texts":{"debate":"{}"},"settings":{"w_base":"0,5"}},"poem":{"texts":{}}},
            "recent":[{"bench":"persona","headline":"Not scored","work":{"texts":{"persona":"id: x"},"settings":{}}},
                      {"bench":"poem","headline":"","work":{}}], "later": 1}"#;
        let kept = Kept::read(text, BENCHES).expect("JSON");
        let mut debate = Work::of("debate", "{}");
        debate.set("w_base", Some("0,5".into()));
        assert_eq!(kept.works, vec![(BENCHES[0], debate)]);
        assert_eq!(kept.headlines, vec![]);
        assert_eq!(kept.recent.len(), 1);
        assert_eq!(kept.recent[0].bench.name, "persona");
        assert_eq!(kept.recent[0].work, Work::of("persona", "id: x"));
        assert_eq!(Kept::read("{", BENCHES), None);
    }
}
