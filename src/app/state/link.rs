//! Work to and from a permalink.

use serde_json::{Map, Value};

use crate::share::{Document, Kind, decode as decode_document, encode as encode_document};
use crate::{constitution, debate, persona};

use super::benches::{
    DEBATE_WEIGHTS, ETHICAL_FLOOR, GAMMA, MAX_VARIANCE, PERSONA_INPUTS, PERSONA_WEIGHTS,
    PRINCIPLES, SEED,
};
use super::number::{NumberField, valid_numbers};
use super::work::{Bench, Work};

/// A text that goes with the options.
const PROFILES: &str = "profiles";

/// How a bench's settings stand in a link.
struct Layout {
    kind: Kind,
    formula: &'static str,
    weights: &'static [NumberField],
    /// Options that are numbers.
    numbers: &'static [NumberField],
    /// Options that are words.
    words: &'static [&'static str],
}

const fn layout(bench: Bench) -> Layout {
    match bench {
        Bench::Debate => Layout {
            kind: Kind::Rwea,
            formula: debate::FORMULA,
            weights: &DEBATE_WEIGHTS,
            numbers: &[],
            words: &["domain", "item", "locked", PROFILES],
        },
        Bench::Constitution => Layout {
            kind: Kind::Reward,
            formula: constitution::FORMULA,
            weights: &PRINCIPLES,
            numbers: &[ETHICAL_FLOOR, GAMMA],
            words: &["weights_mode", "locked"],
        },
        Bench::Persona => Layout {
            kind: Kind::Persona,
            formula: persona::FORMULA,
            weights: &PERSONA_WEIGHTS,
            numbers: &[SEED, MAX_VARIANCE],
            words: &["locked"],
        },
    }
}

/// The permalink of some work, from `v1.` on. Settings that are not valid
/// numbers stay behind: a link carries what counted.
pub fn encode(bench: Bench, work: &Work) -> Result<String, String> {
    let layout = layout(bench);
    let input = match bench {
        Bench::Debate | Bench::Constitution => work.text(bench.main_input()).into(),
        Bench::Persona => {
            let [persona, transcript, ..] = PERSONA_INPUTS;
            let mut texts = Map::new();
            for name in PERSONA_INPUTS {
                if name == persona || name == transcript || work.filled(name).is_some() {
                    texts.insert(name.to_owned(), work.text(name).into());
                }
            }
            Value::Object(texts)
        }
    };
    let weights = valid_numbers(layout.weights, work);
    let mut document = Document::new(layout.kind, layout.formula, input).with_weights(&weights);
    for (name, number) in valid_numbers(layout.numbers, work) {
        document.options.insert(name, number.into());
    }
    for name in layout.words {
        if let Some(typed) = work.setting(name).or_else(|| work.filled(name)) {
            document.options.insert((*name).to_owned(), typed.into());
        }
    }
    let fragment = encode_document(&document).map_err(|error| error.to_string())?;
    Ok(fragment.trim_start_matches('#').to_owned())
}

/// The work in a permalink.
pub fn decode(link: &str) -> Result<(Bench, Work), String> {
    let document = decode_document(link).map_err(|error| error.to_string())?;
    let bench = match document.kind {
        Kind::Rwea => Bench::Debate,
        Kind::Reward => Bench::Constitution,
        Kind::Persona => Bench::Persona,
        Kind::Compare => {
            return Err(
                "this link compares two transcripts, which this page does not show yet".into(),
            );
        }
    };
    let mut work = Work::default();
    if let Some(text) = document.text() {
        work.set_text(bench.main_input(), text);
    }
    for name in PERSONA_INPUTS {
        if let Some(text) = document.part(name) {
            work.set_text(name, text);
        }
    }
    let layout = layout(bench);
    for (name, weight) in document.weight_list() {
        if layout.weights.iter().any(|field| field.name == name) {
            work.set(&name, Some(weight.to_string()));
        }
    }
    read_options(&layout, &document.options, &mut work);
    Ok((bench, work))
}

fn read_options(layout: &Layout, options: &Map<String, Value>, work: &mut Work) {
    for field in layout.numbers {
        if let Some(number) = options.get(field.name).and_then(Value::as_f64) {
            work.set(field.name, Some(number.to_string()));
        }
    }
    for name in layout.words {
        if let Some(word) = options.get(*name).and_then(Value::as_str) {
            if *name == PROFILES {
                work.set_text(name, word);
            } else {
                work.set(name, Some(word.to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (Bench::Debate, debate),
            (Bench::Constitution, turns),
            (Bench::Persona, persona),
        ] {
            let link = encode(bench, &work).expect("small");
            assert!(link.starts_with("v1."));
            assert_eq!(decode(&link), Ok((bench, work)));
        }
    }

    #[test]
    fn a_damaged_link_is_an_error() {
        for link in ["", "v1.", "v1.@@", "v2.abc", "v1.AAAA"] {
            assert!(decode(link).is_err(), "{link}");
        }
    }
}
