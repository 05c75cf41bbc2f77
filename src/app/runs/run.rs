//! A run as it is kept, as JSON: `{id, bench, name, verdict, at, input_sha256, tags, settings,
//! size}`, its texts beside it. A file of runs is `{"assay": "runs/1", "runs": [...]}`, each run
//! with its `work`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::marks::MARK;
use crate::app::bench::{Bench, Benches, named};
use crate::app::desk::Work;
use crate::document::{Reader, input_sha256, parse_json};

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// A name that no other run has.
    pub id: String,
    /// The bench that it was scored on.
    pub bench: &'static Bench,
    /// What it is called.
    pub name: String,
    /// What its result said.
    pub verdict: String,
    /// When it was kept, in milliseconds since 1970.
    pub at: f64,
    /// SHA-256 of its texts, 64 hex digits: two runs of the same texts have the same.
    pub input_sha256: String,
    /// Words that the user put on it.
    pub tags: Vec<String>,
    /// Its settings as typed, those that are not as published; weights among them.
    pub settings: BTreeMap<String, Arc<str>>,
    /// Bytes of its texts.
    pub size: usize,
}

/// A run with its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// What it is.
    pub run: Run,
    /// Its texts and settings.
    pub work: Work,
}

impl Run {
    /// The run of a work, at a time.
    pub fn of(bench: &'static Bench, work: &Work, name: String, verdict: String, at: f64) -> Self {
        let texts = work.texts.iter();
        let texts: Vec<(&str, &str)> = texts.map(|(name, text)| (name.as_str(), &**text)).collect();
        let input_sha256 = input_sha256(&texts);
        Self {
            id: format!("{at:015.0}-{}", &input_sha256[..8]),
            bench,
            name,
            verdict,
            at,
            tags: Vec::new(),
            settings: work.settings.clone(),
            size: texts.iter().map(|(_, text)| text.len()).sum(),
            input_sha256,
        }
    }

    /// Whether another run is of the same texts with the same settings.
    pub fn is_same(&self, other: &Self) -> bool {
        self.bench == other.bench
            && self.input_sha256 == other.input_sha256
            && self.settings == other.settings
    }

    /// Its weights in words.
    pub fn weights(&self) -> String {
        let fields = self.bench.settings.weights.iter();
        let own = fields.filter_map(|field| {
            let typed = self.settings.get(field.name)?;
            Some(format!("{} {typed}", field.name))
        });
        let own: Vec<String> = own.collect();
        match own.len() {
            0 => "weights as published".to_owned(),
            _ => own.join(", "),
        }
    }

    /// As it is kept.
    pub fn written(&self) -> String {
        // plain data with string keys cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What was kept; none where that is something else.
    pub fn read_kept(text: &str, benches: Benches) -> Option<Self> {
        let node = parse_json(text).ok()?;
        Self::read(&Reader::new(&node), benches)
    }

    fn read(reader: &Reader, benches: Benches) -> Option<Self> {
        let text = |key: &str| Some(reader.get(key)?.as_str()?.to_owned());
        let number = |key: &str| {
            reader
                .get(key)
                .and_then(|number| number.as_f64())
                .unwrap_or_default()
        };
        let tags = reader.get("tags").and_then(|tags| tags.items());
        let tags = tags.unwrap_or_default();
        let tags = tags
            .iter()
            .filter_map(|tag| tag.as_str().map(str::to_owned));
        let settings = Work::read(reader).settings;
        Some(Self {
            id: text("id")?,
            bench: named(benches, &text("bench")?)?,
            name: text("name")?,
            verdict: text("verdict").unwrap_or_default(),
            at: number("at"),
            input_sha256: text("input_sha256").unwrap_or_default(),
            tags: tags.collect(),
            settings,
            size: number("size") as usize,
        })
    }
}

/// Tags as typed: between commas, each once.
pub fn tags(typed: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in typed.split(',').map(str::trim) {
        if !tag.is_empty() && !tags.iter().any(|other| other == tag) {
            tags.push(tag.to_owned());
        }
    }
    tags
}

/// The work that was kept under a run; none where it is damaged.
pub fn read_work(text: &str) -> Option<Work> {
    let node = parse_json(text).ok()?;
    Some(Work::read(&Reader::new(&node)))
}

/// A file of runs.
pub fn written_file(runs: &[Whole]) -> String {
    #[derive(Serialize)]
    struct One<'a> {
        #[serde(flatten)]
        run: &'a Run,
        work: &'a Work,
    }
    #[derive(Serialize)]
    struct All<'a> {
        assay: &'static str,
        runs: Vec<One<'a>>,
    }
    let runs = runs.iter().map(|Whole { run, work }| One { run, work });
    let all = All {
        assay: MARK.trim_matches('"'),
        runs: runs.collect(),
    };
    // plain data with string keys cannot fail to serialise
    serde_json::to_string(&all).unwrap_or_default()
}

/// The runs of a file, and how many of them cannot be read.
pub fn read_file(text: &str, benches: Benches) -> Option<(Vec<Whole>, usize)> {
    let node = parse_json(text).ok()?;
    let items = Reader::new(&node).get("runs")?.items()?;
    let whole = |item: &Reader| {
        let work = Work::read(&item.get("work")?);
        let run = Run::read(item, benches)?;
        // what the file says of its texts is found anew
        let Run {
            input_sha256,
            size,
            settings,
            ..
        } = Run::of(run.bench, &work, String::new(), String::new(), run.at);
        let run = Run {
            input_sha256,
            settings,
            size,
            ..run
        };
        Some(Whole { run, work })
    };
    let runs: Vec<Whole> = items.iter().filter_map(whole).collect();
    let unread = items.len() - runs.len();
    Some((runs, unread))
}

#[cfg(test)]
mod tests {
    use super::super::marks::is_file;
    use super::*;
    use crate::app::benches::BENCHES;

    fn toy(text: &str) -> Whole {
        let bench = named(BENCHES, "toy").expect("a bench");
        let mut work = Work::of("poem", text);
        work.set("w_rhyme", Some("2".into()));
        let run = Run::of(bench, &work, "A poem".into(), "3 words".into(), 5.0);
        Whole { run, work }
    }

    #[test]
    fn what_is_kept_reads_back() {
        let Whole { mut run, work } = toy("one \u{1F600} \"two\"");
        run.tags = tags(" a, b,, a ");
        assert_eq!(run.tags, ["a", "b"]);
        assert_eq!(Run::read_kept(&run.written(), BENCHES), Some(run.clone()));
        let whole = [Whole { run, work }];
        let file = written_file(&whole);
        assert!(is_file(&file));
        let spaced = file.replacen("{\"assay\":", "\u{feff} { \"assay\" : ", 1);
        assert!(is_file(&spaced));
        assert_eq!(read_file(&file, BENCHES), Some((whole.to_vec(), 0)));
        assert!(!is_file("{\"assay\": \"work/1\"}"));
    }

    #[test]
    fn the_same_texts_and_settings_are_the_same_run() {
        let (one, mut other) = (toy("one").run, toy("one").run);
        other.name = "Another name".into();
        assert!(one.is_same(&other));
        assert!(!one.is_same(&toy("two").run));
        other.settings.clear();
        assert!(!one.is_same(&other));
        assert_eq!(other.weights(), "weights as published");
    }

    #[test]
    fn a_file_cannot_say_another_hash_than_its_texts_have() {
        let whole = toy("one");
        let file = written_file(std::slice::from_ref(&whole));
        let forged = file.replace(&whole.run.input_sha256, &"0".repeat(64));
        assert_ne!(file, forged);
        let (runs, unread) = read_file(&forged, BENCHES).expect("runs");
        assert_eq!((runs, unread), (vec![whole], 0));
        let broken = file.replace("\"bench\":\"toy\"", "\"bench\":\"none\"");
        assert_eq!(read_file(&broken, BENCHES), Some((Vec::new(), 1)));
    }
}
