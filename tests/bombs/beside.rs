//! What stands beside the documents: labels, a control sample, the form of safety rules, judges'
//! answers, files of other tools, personal data.

use std::collections::BTreeMap;

use assay::persona::{self, RulesChange, RulesForm, judges, voice};
use assay::share;
use assay::sources::{File, Wanted};

use super::{Doing, get};

/// What labels are asked for, beside what a run makes of them.
pub fn ask_labels(text: &str, doing: Doing) {
    let mut problems = assay::document::Problems::new();
    let labels = get(doing, "labels", || voice::read_labels(text, &mut problems));
    doing("agreed", &mut || drop(labels.agreed()));
    doing("disputed", &mut || drop(labels.disputed()));
    doing("labellers", &mut || drop(labels.labellers()));
    let replies: Vec<&str> = labels.0.iter().map(|v| v.text.as_str()).collect();
    doing("queue", &mut || {
        drop(voice::queue(&replies, &labels, "", 1))
    });
}

/// Edits of the form of safety rules.
pub fn edit_rules(text: &str, doing: Doing) {
    let Some(form) = get(doing, "form", || RulesForm::read(text)) else {
        return;
    };
    let last = form.items.len().saturating_sub(1);
    for (name, change) in [
        ("a rule", RulesChange::AddRule(vec!["b".into()])),
        ("a category", RulesChange::Category(last, "custom".into())),
        (
            "sought",
            RulesChange::Sought(last, vec!["b".into(), "c".into()]),
        ),
        (
            "exceptions",
            RulesChange::Exceptions(0, vec!["b".into(), "c".into()]),
        ),
        ("a rule out", RulesChange::Remove(0)),
        (
            "excused",
            RulesChange::Except {
                category: None,
                words: "b".into(),
            },
        ),
    ] {
        doing(name, &mut || drop(form.apply(&change)));
    }
}

/// An answer of a judge, read beside what was said before, and rulings.
pub fn read_judges(text: &str, doing: Doing) {
    let reply = judges::Rated {
        session_id: "s",
        turn_index: 1,
        text: "hello there",
        prompt: None,
    };
    let replies = [reply; 60];
    let sheets = judges::sheets(&replies, 1);
    // the answer is to the first sheet, whatever stands in it
    let answer = format!("{}\n{text}", sheets[0].nonce);
    let of = (&sheets[..], &replies[..]);
    let read = get(doing, "answer", || {
        judges::read_answer(&answer, of, "j", &[])
    });
    doing("answer again", &mut || {
        drop(judges::read_answer(&answer, of, "j", &read.rulings))
    });
    let mut problems = assay::document::Problems::new();
    let rulings = get(doing, "rulings", || {
        judges::read_rulings(text, &mut problems)
    });
    doing("scores", &mut || drop(judges::judge_scores(&rulings)));
    let inputs = persona::Inputs {
        persona: "exemplars: [x]\nlexicon: {preferred: [hello]}\n",
        transcript: r#"{"session_id":"s","turn_index":1,"role":"assistant","text":"hello there"}"#,
        ..persona::Inputs::default()
    };
    let run = persona::read(&inputs).result.expect("a run");
    let options = persona::Options::default();
    let result = run.score_with(&options, None).result.expect("a result");
    doing("agreement", &mut || {
        drop(judges::agreement(&rulings, &result))
    });
}

/// A file of another tool: what is in it, and everything that can be made of the first few.
pub fn open_file(bytes: &[u8], doing: Doing) {
    let open = || File::open("a", Box::new(bytes.to_vec()), None);
    let Ok(file) = get(doing, "open", open) else {
        return;
    };
    for (at, listing) in file.listings.iter().enumerate() {
        let items: Vec<usize> = (0..listing.items.len()).collect();
        let kinds = listing.items.first().map(|item| item.makes.clone());
        for kind in kinds.unwrap_or_default() {
            let wanted = Wanted {
                kind,
                file: "a",
                because: &listing.because,
                mapping: BTreeMap::new(),
            };
            let name = format!("make {kind:?}");
            doing(&name, &mut || drop(file.make(at, &items, &wanted)));
        }
    }
}

/// Personal data, found and masked.
pub fn mask(text: &str, doing: Doing) {
    doing("find", &mut || drop(share::find(text)));
    let mut masks = get(doing, "known masks", || share::Masks::for_texts([text]));
    doing("mask", &mut || drop(masks.mask(text)));
}
