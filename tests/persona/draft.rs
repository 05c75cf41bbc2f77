//! From examples to a persona: what is proposed of texts of which it is known.

use std::collections::HashSet;

use assay::document::Problems;
use assay::persona::draft::{Draft, Examples, Part, draft};
use assay::persona::voice::Control;
use assay::persona::{Inputs, read, read_given};
use assay::steps::{THROUGH, at_once};
use proptest::prelude::*;

use crate::embedder::FakeEmbedder;

fn proposed(examples: &str, control: &[String]) -> Result<Draft, String> {
    let examples = Examples::new(read_given(examples, &mut Problems::new()));
    let control = Control::given(control.to_vec());
    at_once(draft(
        &examples,
        &control,
        &FakeEmbedder::hashing(),
        THROUGH,
    ))
}

/// Replies of an assistant.
fn stiff() -> Vec<String> {
    let reply = |at: usize| {
        format!(
            "Certainly, I can assist you with request number {at}. Please review the document that was provided by our team."
        )
    };
    (0..60).map(reply).collect()
}

/// Replies of somebody at sea, short and loud.
fn salty(number: usize) -> String {
    let reply = |at: usize| format!("arr matey, cask {at} is yer prize!! gonna sail at dawn lol");
    (0..number).map(reply).collect::<Vec<_>>().join("\n")
}

#[test]
fn words_traits_and_manner_are_those_of_the_examples() {
    let found = proposed(&salty(20), &stiff()).expect("enough examples");
    assert_eq!((found.examples, found.others), (20, 60));
    assert_eq!(found.exemplars.len(), 12);
    let stands_for: usize = found.exemplars.iter().map(|one| one.stands_for).sum();
    assert_eq!(stands_for, 20);
    let entries: Vec<&str> = found
        .preferred
        .iter()
        .map(|one| one.entry.as_str())
        .collect();
    assert!(
        entries.iter().any(|entry| entry.contains("matey")),
        "{entries:?}"
    );
    assert!(
        found
            .preferred
            .iter()
            .all(|one| one.examples == 20 && one.others == 0)
    );
    let words: Vec<&str> = found.traits.iter().map(|one| one.word).collect();
    assert!(
        words.contains(&"casual") && words.contains(&"concise"),
        "{words:?}"
    );
    let casual = found
        .traits
        .iter()
        .find(|one| one.word == "casual")
        .expect("casual");
    assert_eq!((casual.examples, casual.others), (20, 0));
    let manner: Vec<(&str, bool)> = found
        .manner
        .iter()
        .map(|one| (one.signal, one.deviations > 0.0))
        .collect();
    assert!(manner.contains(&("exclamation marks", true)), "{manner:?}");
}

#[test]
fn the_proposal_reads_as_the_persona_that_it_shows() {
    let found = proposed(&salty(20), &stiff()).expect("enough examples");
    let left_out = HashSet::from([Part::Exemplar(0), Part::Preferred(0), Part::Trait(0)]);
    for (left_out, less) in [(HashSet::new(), 0), (left_out, 1)] {
        let text = found.written("Old Salt: \"the\" #1", &left_out, Some(0.987_65));
        assert!(text.contains("ROC AUC of 0.988"), "{text}");
        assert!(
            text.contains("  # in 20 of 20 examples, in 0 of 60 others"),
            "{text}"
        );
        let run = read(&Inputs {
            persona: &text,
            transcript: r#"{"session_id": "s", "turn": 1, "assistant": "arr"}"#,
            ..Inputs::default()
        });
        assert_eq!(run.problems, vec![], "{text}");
        let run = run.result.expect("valid");
        assert_eq!(run.name(), Some("Old Salt: \"the\" #1"));
        let lesson = run.lesson();
        assert_eq!(lesson.exemplars, found.lesson(&left_out).exemplars);
        assert_eq!(lesson.exemplars.len(), 12 - less);
        assert_eq!(lesson.lexicon.preferred.len(), found.preferred.len() - less);
    }
    // nothing left of it is still a persona
    let all: HashSet<Part> = found.parts().into_iter().collect();
    let text = found.written("", &all, None);
    assert!(
        text.contains("exemplars: []") && text.contains("preferred: []"),
        "{text}"
    );
}

#[test]
fn labels_choose_the_examples_and_give_what_is_avoided() {
    let row = |text: String, label: u8| {
        serde_json::json!({"session_id": "s", "role": "assistant", "text": text, "label": label})
            .to_string()
    };
    let on = salty(12);
    let on = on.lines().map(|line| row(line.to_owned(), 1));
    let off = (0..8).map(|at| {
        row(
            format!("Dear customer, as per policy your ticket {at} is closed."),
            0,
        )
    });
    let other = serde_json::json!({"text": "nobody has judged this"}).to_string();
    let rows: Vec<String> = on.chain(off).chain([other]).collect();
    let found = proposed(&rows.join("\n"), &stiff()).expect("enough examples");
    assert_eq!((found.examples, found.others), (12, 68));
    assert_eq!(found.off_brand.len(), 8);
    let avoided: Vec<&str> = found.avoided.iter().map(|one| one.entry.as_str()).collect();
    assert!(
        avoided.iter().any(|entry| entry.contains("policy")),
        "{avoided:?}"
    );
    assert!(
        found
            .avoided
            .iter()
            .all(|one| one.examples == 0 && one.of_others == 8 && one.z < 0.0)
    );
    let text = found.written("", &HashSet::new(), None);
    assert!(text.contains("\noff_brand:\n"), "{text}");
}

#[test]
fn too_few_examples_say_how_many_are_needed() {
    let reason = proposed(&salty(4), &stiff()).expect_err("too few");
    assert_eq!(reason, "5 good replies at least are needed, here are 4");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever is pasted: what is proposed reads as a persona without a mistake, and its entries
    /// stand in the examples.
    #[test]
    fn any_texts_make_a_persona_that_reads(texts in prop::collection::vec("(\\PC{1,40}|[a-c ]{1,12}|\"?[:#-] [a-z\n]{1,9})", 5..30)) {
        let rows: String = texts.iter().map(|text| serde_json::json!({"text": text}).to_string() + "\n").collect();
        if let Ok(found) = proposed(&rows, &stiff()) {
            let text = found.written(&texts[0], &HashSet::new(), None);
            let run = read(&Inputs {
                persona: &text,
                transcript: r#"{"session_id": "s", "turn": 1, "assistant": "arr"}"#,
                ..Inputs::default()
            });
            let run = run.result.ok_or_else(|| TestCaseError::fail(format!("{:?}\n{text}", run.problems)))?;
            prop_assert_eq!(run.lesson().exemplars.len(), found.exemplars.len());
            prop_assert!(found.preferred.iter().all(|one| one.examples >= 3));
        }
    }
}
