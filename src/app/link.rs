//! Work to and from a permalink. What makes one is fetched when somebody first asks.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

use serde_json::{Map, Value};
use wasm_split_helpers::wasm_split;

use super::bench::{Bench, Benches, InLink};
use super::desk::Work;
use super::number::valid_numbers;
use super::parts::{Fetching, NotLoaded};
use crate::share::{Document, decode as decode_document, encode as encode_document};

#[wasm_split(more, fallible)]
fn encoded(bench: &'static Bench, work: Work) -> Result<Result<String, String>, NotLoaded> {
    Ok(encode(bench, &work))
}

/// [`encode`], with its code.
pub fn fetch_encoded(bench: &'static Bench, work: Work) -> Fetching<Result<String, String>> {
    Box::pin(encoded(bench, work))
}

/// The permalink of some work, from `v2.` on. Settings that are not valid
/// numbers stay behind: a link carries what counted.
pub fn encode(bench: &Bench, work: &Work) -> Result<String, String> {
    let (link, settings) = (&bench.link, &bench.settings);
    let weights = valid_numbers(settings.weights, work);
    let document = Document::new(link.kind, link.formula, input(bench, work));
    let mut document = document.with_weights(&weights);
    let options = &mut document.options;
    for (name, number) in valid_numbers(settings.numbers, work) {
        options.insert(name, number.into());
    }
    for name in settings.words {
        if let Some(typed) = work.setting(name) {
            options.insert((*name).to_owned(), typed.into());
        }
    }
    for input in bench.inputs {
        if let Some(text) = work
            .filled(input.name)
            .filter(|_| input.in_link == InLink::Option)
        {
            options.insert(input.name.to_owned(), text.into());
        }
    }
    let fragment = encode_document(&document).map_err(|error| error.to_string())?;
    Ok(fragment.trim_start_matches('#').to_owned())
}

/// The input of a link: one text, or several by name.
fn input(bench: &Bench, work: &Work) -> Value {
    let mut parts = Map::new();
    for input in bench.inputs {
        let is_part = match input.in_link {
            InLink::Whole => return work.text(input.name).into(),
            InLink::Part => true,
            InLink::PartIfFilled => work.filled(input.name).is_some(),
            InLink::Option => false,
        };
        if is_part {
            parts.insert(input.name.to_owned(), work.text(input.name).into());
        }
    }
    Value::Object(parts)
}

/// The work in a permalink of one of these benches.
pub fn decode(link: &str, benches: Benches) -> Result<(&'static Bench, Work), String> {
    let document = decode_document(link).map_err(|error| error.to_string())?;
    let Some(bench) = benches
        .iter()
        .find(|bench| bench.link.kind == document.kind)
    else {
        return Err("this link compares two transcripts, which this page does not show yet".into());
    };
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
    Ok((bench, work))
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
    fn a_damaged_link_is_an_error() {
        for link in ["", "v1.", "v1.@@", "v3.abc", "v1.AAAA", "v2.AAAA"] {
            assert!(decode(link, BENCHES).is_err(), "{link}");
        }
    }
}
