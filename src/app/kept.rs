//! What the browser keeps between visits, as JSON: `{works: {bench: work},
//! headlines: {bench: words}, recent: [...]}`. Keys that are not known are passed over,
//! so that an older page reads what a newer one kept.

use serde::{Serialize, Serializer};

use super::bench::{Bench, Benches};
use super::desk::Work;
use super::recent::Recent;
use crate::document::{Reader, parse_json};

/// Where it is kept.
pub const KEY: &str = "assay.work.1";

/// No browser keeps more UTF-16 units than this.
const MOST: usize = 5 << 20;

/// What is kept.
#[derive(Debug, Default, PartialEq, Serialize)]
pub struct Kept {
    /// The work on each bench.
    #[serde(serialize_with = "as_object")]
    pub works: Vec<(&'static Bench, Work)>,
    /// What was last said of it: a bench that is not opened scores nothing.
    #[serde(serialize_with = "as_object")]
    pub headlines: Vec<(&'static Bench, String)>,
    /// Work that was replaced by other work, newest first.
    pub recent: Vec<Recent>,
}

impl Kept {
    /// What was kept of these benches; none if it is not JSON.
    // by hand, with the reader of all other documents: a derived one would
    // bring a second JSON parser into the page
    pub fn read(text: &str, benches: Benches) -> Option<Self> {
        let node = parse_json(text).ok()?;
        let root = Reader::new(&node);
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
        let read = |item: &Reader| Recent::read(item, benches);
        kept.recent = recent.iter().filter_map(read).collect();
        Some(kept)
    }

    /// Whether there may be room for it: what is surely too much is not written first.
    pub fn may_fit(&self) -> bool {
        let works = self.works.iter().map(|(_, work)| work);
        let works = works.chain(self.recent.iter().map(|recent| &recent.work));
        let texts = works.flat_map(|work| work.texts.values());
        let mut units = 0;
        for text in texts {
            units += utf16_units(text);
            if units > MOST {
                return false;
            }
        }
        true
    }

    /// As it is kept.
    pub fn write(&self) -> String {
        // plain data with string keys cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// At once for what is surely too much: a text of three bytes for each unit.
fn utf16_units(text: &str) -> usize {
    if text.len() > 3 * MOST {
        return text.len() / 3;
    }
    // what takes two units takes four bytes
    let characters = text.chars().count();
    let astral = |text: &str| text.bytes().filter(|byte| *byte >= 0xF0).count();
    if characters > MOST || text.len() == characters {
        characters
    } else {
        characters + astral(text)
    }
}

fn as_object<T: Serialize, S: Serializer>(
    of_benches: &[(&'static Bench, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(of_benches.iter().map(|(bench, value)| (bench, value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    #[test]
    fn units_are_those_of_javascript() {
        for text in ["", "aé", "…𝄞x"] {
            assert_eq!(utf16_units(text), text.encode_utf16().count());
        }
    }

    #[test]
    fn what_is_kept_comes_back() {
        let work = Work::of("x", "half a {");
        let kept = Kept {
            works: BENCHES.iter().map(|bench| (*bench, work.clone())).collect(),
            headlines: vec![(BENCHES[1], "6.50 of 7.00 on average".into())],
            recent: vec![Recent {
                bench: BENCHES[0],
                headline: "A wins: 3.10".into(),
                work: work.clone(),
            }],
        };
        assert!(kept.may_fit());
        assert_eq!(Kept::read(&kept.write(), BENCHES), Some(kept));
        let kept = Kept {
            works: vec![(BENCHES[0], Work::of("x", "é".repeat(MOST + 1)))],
            ..Kept::default()
        };
        assert!(!kept.may_fit());
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
