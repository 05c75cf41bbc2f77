//! Work that was replaced by other work: kept, so that opening something never loses anything.

use serde::Serialize;

use super::bench::{Bench, Benches, named};
use super::desk::Work;
use crate::document::Reader;

/// How many are kept.
const COUNT: usize = 12;
/// Bytes of text that are kept in all; browsers allow about 5 MB.
const BYTES: usize = 1_500_000;

/// A work that was put aside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recent {
    /// Its bench.
    pub bench: &'static Bench,
    /// What was said about it when it was put aside.
    pub headline: String,
    /// The work.
    pub work: Work,
}

impl Recent {
    /// What was put aside and written as JSON; none without one of these benches.
    pub fn read(reader: &Reader, benches: Benches) -> Option<Self> {
        let headline = reader.get("headline");
        Some(Self {
            bench: named(benches, reader.get("bench")?.as_str()?)?,
            headline: headline.and_then(|h| h.as_str()).unwrap_or_default().into(),
            work: Work::read(&reader.get("work")?),
        })
    }
}

/// Puts a work aside, newest first. The same work is kept once; the oldest go
/// when there are too many or they are too large.
pub fn put_aside(recent: &mut Vec<Recent>, item: Recent) {
    if item.work.is_blank() {
        return;
    }
    recent.retain(|other| other.bench != item.bench || other.work != item.work);
    recent.insert(0, item);
    recent.truncate(COUNT);
    let mut total = 0;
    recent.retain(|item| {
        total += item.work.size();
        total <= BYTES
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    fn item(text: &str) -> Recent {
        Recent {
            bench: BENCHES[0],
            headline: String::new(),
            work: Work::of("debate", text),
        }
    }

    #[test]
    fn the_newest_come_first_and_none_twice() {
        let mut recent = Vec::new();
        for text in ["a", "b", "a", " "] {
            put_aside(&mut recent, item(text));
        }
        assert_eq!(recent, vec![item("a"), item("b")]);
    }

    #[test]
    fn they_are_bounded_in_number_and_size() {
        let mut recent = Vec::new();
        for index in 0..50 {
            put_aside(&mut recent, item(&index.to_string()));
        }
        assert_eq!(recent.len(), COUNT);
        put_aside(&mut recent, item(&"x".repeat(BYTES - 1)));
        assert_eq!(recent.len(), 1);
    }
}
