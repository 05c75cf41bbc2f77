//! Work to and from a permalink. What makes one is fetched when somebody first asks.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use wasm_split_helpers::wasm_split;

use super::bench::{Bench, Benches, InLink};
use super::desk::Work;
use super::parts::{Fetching, NotLoaded};
use crate::share::{
    Document, Kind, Masks, PrivateKind, counted, decode as decode_document,
    encode as encode_document, find, mark_json,
};

#[wasm_split(more, fallible)]
fn encoded(
    bench: &'static Bench,
    work: Work,
    is_masked: bool,
) -> Result<Result<String, String>, NotLoaded> {
    let mut document = bench.document(&work);
    if is_masked {
        document.mask();
    }
    Ok(written(&document))
}

/// [`encode`], with its code; with the personal data masked or as it is.
pub fn fetch_encoded(
    bench: &'static Bench,
    work: Work,
    is_masked: bool,
) -> Fetching<Result<String, String>> {
    Box::pin(encoded(bench, work, is_masked))
}

/// Personal data that is about to leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// What it is, in words: `3 mail addresses and a phone number`.
    pub words: String,
    /// Whether it is one thing alone.
    pub is_one: bool,
    /// Where it stands; not more than a person looks through.
    pub places: Vec<FoundAt>,
    /// How many more there are.
    pub more: usize,
}

/// A place of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundAt {
    /// Of which text, and in which line.
    pub stands: String,
    /// What stands there.
    pub text: String,
}

/// So many places are listed.
const MOST_PLACES: usize = 100;

/// Looks for personal data in texts with their names; none where there is none.
fn look(texts: &[(String, Arc<str>)]) -> Option<Looked> {
    let mut counts = BTreeMap::new();
    let (mut places, mut all) = (Vec::new(), 0);
    for (name, text) in texts {
        let (mut line, mut counted_to) = (1, 0);
        for found in find(text) {
            line += text[counted_to..found.range.start].matches('\n').count();
            counted_to = found.range.start;
            *counts.entry(found.kind).or_insert(0) += 1;
            all += 1;
            if places.len() < MOST_PLACES {
                let stands = format!("{name}, line {line}");
                let text = found.text;
                places.push(FoundAt { stands, text });
            }
        }
    }
    let in_order = PrivateKind::ALL.into_iter();
    let counts: Vec<_> = in_order
        .filter_map(|kind| Some((kind, *counts.get(&kind)?)))
        .collect();
    (all > 0).then(|| Looked {
        words: counted(&counts),
        is_one: all == 1,
        more: all - places.len(),
        places,
    })
}

#[wasm_split(more, fallible)]
fn looked(texts: Vec<(String, Arc<str>)>) -> Result<Option<Looked>, NotLoaded> {
    Ok(look(&texts))
}

/// What is personal in the texts that a link of some works would hold.
pub fn fetch_looked(bench: &'static Bench, works: &[&Work]) -> Fetching<Option<Looked>> {
    let texts = works.iter().flat_map(|work| {
        bench.inputs.iter().filter_map(|input| {
            let text = work.texts.get(input.name)?.clone();
            Some((input.hints.label.to_owned(), text))
        })
    });
    Box::pin(looked(texts.collect()))
}

/// What is personal in a file.
pub fn fetch_looked_file(name: String, text: &str) -> Fetching<Option<Looked>> {
    Box::pin(looked(vec![(name, text.into())]))
}

#[wasm_split(more, fallible)]
fn masked(text: String, is_json: bool) -> Result<String, NotLoaded> {
    let mut masks = Masks::for_texts([text.as_str()]);
    let masked = masks.mask(&text);
    Ok(if is_json {
        mark_json(&masked, &masks)
    } else {
        masked
    })
}

/// A file with its personal data masked; a result in JSON says so.
pub fn fetch_masked(text: String, is_json: bool) -> Fetching<String> {
    Box::pin(masked(text, is_json))
}

/// The permalink of some work, from `v2.` on. Settings that are not valid
/// numbers stay behind: a link carries what counted.
pub fn encode(bench: &Bench, work: &Work) -> Result<String, String> {
    written(&bench.document(work))
}

fn written(document: &Document) -> Result<String, String> {
    let fragment = encode_document(document).map_err(|error| error.to_string())?;
    Ok(fragment.trim_start_matches('#').to_owned())
}

/// The work in a permalink of one of these benches.
pub fn decode(link: &str, benches: Benches) -> Result<(&'static Bench, Work), String> {
    let (bench, work, _) = decode_told(link, benches)?;
    Ok((bench, work))
}

/// The same, and what was masked in it, in words.
pub fn decode_told(
    link: &str,
    benches: Benches,
) -> Result<(&'static Bench, Work, Option<String>), String> {
    let document = decode_document(link).map_err(|error| error.to_string())?;
    let Some((bench, work)) = work_of(&document, benches) else {
        return Err("this link is of something that this page does not score".into());
    };
    let told = document.masked_words();
    Ok((bench, work, told))
}

/// The work of a document, and its bench; none where no bench shows such.
pub fn work_of(document: &Document, benches: Benches) -> Option<(&'static Bench, Work)> {
    let of = |kind: Kind| benches.iter().find(|bench| bench.link.kind == kind);
    // two transcripts that are compared are a persona's work with a baseline
    let compared = (document.kind == Kind::Compare).then_some(Kind::Persona);
    let bench = of(document.kind).or_else(|| of(compared?))?;
    let mut work = Work::default();
    if let Some(text) = document.text() {
        work.set_text(bench.link.main, text);
    }
    for input in bench.inputs {
        let text = match input.in_link {
            InLink::Option => document.options.get(input.name).and_then(Value::as_str),
            _ => document.part(input.name),
        };
        if let Some(text) = text {
            work.set_text(input.name, text);
        }
    }
    let settings = &bench.settings;
    for (name, weight) in document.weight_list() {
        if settings.weights.iter().any(|field| field.name == name) {
            work.set(&name, Some(weight.to_string()));
        }
    }
    for field in settings.numbers {
        let number = document.options.get(field.name).and_then(Value::as_f64);
        if let Some(number) = number {
            work.set(field.name, Some(number.to_string()));
        }
    }
    for name in settings.words {
        if let Some(word) = document.options.get(*name).and_then(Value::as_str) {
            work.set(name, Some(word.to_owned()));
        }
    }
    Some((bench, work))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::named;
    use crate::app::benches::BENCHES;

    #[test]
    fn work_comes_back_from_its_link() {
        let mut debate = Work::of("debate", "{ not even JSON \u{1f525}");
        debate.set("domain", Some("auto".into()));
        debate.set("w_base", Some("0.75".into()));
        debate.set("locked", Some("w_base".into()));
        debate.set_text("profiles", "{}");
        let mut turns = Work::of("turns", "[]");
        turns.set("gamma", Some("0.5".into()));
        turns.set("weights_mode", Some("replace".into()));
        turns.set("locked", Some("ethical,curated".into()));
        let mut persona = Work::of("persona", "id: x");
        persona.set_text("transcript", "{}");
        persona.set_text("judge", "{\"a\": 1}");
        persona.set("seed", Some("7".into()));
        for (bench, work) in [
            ("debate", debate),
            ("constitution", turns),
            ("persona", persona),
        ] {
            let bench = named(BENCHES, bench).expect("a bench");
            let link = encode(bench, &work).expect("small");
            assert!(link.starts_with("v2."));
            assert_eq!(decode(&link, BENCHES), Ok((bench, work)));
        }
    }

    #[test]
    fn what_is_masked_in_a_link_is_told_and_the_work_stays() {
        let bench = named(BENCHES, "persona").expect("a bench");
        let mut work = Work::of("persona", "exemplars:\n  - ask jane@posteo.net\n");
        work.set_text(
            "transcript",
            "{\"text\": \"jane@posteo.net, 415-555-2671\"}",
        );
        let texts: Vec<_> = work
            .texts
            .iter()
            .map(|(name, text)| (name.to_string(), text.clone()))
            .collect();
        let looked = look(&texts).expect("personal data");
        assert_eq!(looked.words, "2 mail addresses and a phone number");
        assert_eq!(
            (looked.places.len(), looked.more, looked.is_one),
            (3, 0, false)
        );
        let before = work.clone();
        let mut document = bench.document(&work);
        document.mask();
        let link = written(&document).expect("small");
        let (_, opened, told) = decode_told(&link, BENCHES).expect("a link");
        assert_eq!(told.as_deref(), Some("2 mail addresses and a phone number"));
        assert_eq!(
            opened.text("transcript"),
            "{\"text\": \"[mail 1], [phone 1]\"}"
        );
        assert_eq!(opened.text("persona"), "exemplars:\n  - ask [mail 1]\n");
        assert_eq!(work, before);
        assert_eq!(look(&[("x".to_owned(), "nothing".into())]), None);
    }

    #[test]
    fn a_link_of_two_transcripts_opens_with_the_earlier_as_the_baseline() {
        let parts = [
            ("persona", "id: x"),
            ("transcript", "{}"),
            ("baseline", "[]"),
        ];
        let input = parts.map(|(name, text)| (name.to_owned(), Value::from(text)));
        let document = Document::new(
            Kind::Compare,
            "x/1",
            Value::Object(input.into_iter().collect()),
        );
        // the bench of the tests alone would take it
        let persona: Vec<_> = named(BENCHES, "persona").into_iter().collect();
        let link = written(&document).expect("small");
        let (bench, work) = decode(&link, persona.leak()).expect("a link");
        assert_eq!(bench.name, "persona");
        assert_eq!(
            parts.map(|(name, _)| work.text(name)),
            ["id: x", "{}", "[]"]
        );
    }

    #[test]
    fn a_damaged_link_is_an_error() {
        for link in ["", "v1.", "v1.@@", "v3.abc", "v1.AAAA", "v2.AAAA"] {
            assert!(decode(link, BENCHES).is_err(), "{link}");
        }
    }
}
