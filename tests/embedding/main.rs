//! The embedder against float32 reference embeddings. Needs the model in
//! `public/model` (or the folder that `ASSAY_MODEL` names), as `make test` provides.

#![allow(clippy::expect_used, clippy::panic)] // a test that cannot go on fails

mod brought;
mod command_line;
mod fidelity;
#[path = "../core/own_files.rs"]
mod own_files;
mod texts;

use std::path::PathBuf;
use std::sync::OnceLock;

use assay::embedding::onnx::Wishes;
use assay::embedding::{Embedder, Model};

#[derive(serde::Deserialize)]
struct Reference {
    texts: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    text: String,
    ids: Vec<u32>,
    vector: Vec<f32>,
}

fn reference() -> Vec<Case> {
    let text = include_str!("../data/embedding/reference.json");
    serde_json::from_str::<Reference>(text)
        .expect("valid")
        .texts
}

/// Where the model is.
fn folder() -> PathBuf {
    std::env::var_os("ASSAY_MODEL").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("public/model"),
        PathBuf::from,
    )
}

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::open(&folder()).expect("the model; `make model` makes it"))
}

/// The command line reads it for the first text that needs a vector.
#[test]
fn a_model_that_is_read_when_it_is_needed_is_the_same() {
    let later = assay::embedding::open(&folder(), &Wishes::default()).expect("the model");
    assert_eq!(later.model(), Embedder::model(model()));
    let text = "Ride safely!";
    assert_eq!(later.embed(text), model().embed(text));
    let all = later.embed_all(&[text], std::num::NonZero::<usize>::MIN);
    assert_eq!(all, [model().embed(text)]);
    // what is damaged is told before
    let damaged = own_files::path("damaged");
    std::fs::create_dir_all(&damaged).expect("a folder");
    std::fs::write(damaged.join("a.pack"), "ASSAYPK2").expect("written");
    let manifest =
        r#"{"id": "a", "file": "a.pack", "bytes": 8, "sha256": "00", "precision": "any"}"#;
    std::fs::write(damaged.join("model.json"), manifest).expect("written");
    let error = assay::embedding::open(&damaged, &Wishes::default())
        .err()
        .expect("damaged");
    assert!(
        error
            .0
            .starts_with("the model file is damaged: its SHA-256 is "),
        "{error}"
    );
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(&a, &b)| f64::from(a) * f64::from(b))
            .sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn word_pieces_are_those_of_the_original_tokenizer() {
    for case in reference() {
        assert_eq!(
            model().tokenise(&case.text).expect("ids"),
            case.ids,
            "{}",
            case.text
        );
    }
}

#[test]
fn every_vector_is_within_one_ten_thousandth_of_float32() {
    let mut lowest = f64::INFINITY;
    for case in reference() {
        let vector = model().embed(&case.text).expect("vector");
        let cosine = cosine(&vector, &case.vector);
        lowest = lowest.min(cosine);
        assert!(cosine >= 0.9999, "{cosine:.6} for {:?}", case.text);
    }
    println!("lowest cosine {lowest:.6}");
}

/// Of a long text the beginning is cut, which is what there is of the whole.
#[test]
fn word_pieces_of_long_texts_are_those_of_their_beginning() {
    let cut = |text: &str| model().tokenise(text).expect("word pieces");
    let words = "Größe, naïve! ".repeat(200);
    assert_eq!(cut(&words).len(), 256);
    assert_eq!(cut(&words.repeat(100)), cut(&words));
    // words that are too long to be known are one piece each
    let long = "x".repeat(20_000);
    let [one, many] =
        [1, 3].map(|count| cut(&format!("{} hi there", vec![&*long; count].join(" "))));
    assert_eq!((one.len(), many.len()), (5, 7));
    assert_eq!(one[2..], many[4..]);
}

#[test]
fn a_vector_has_unit_length_and_depends_on_nothing_else() {
    let alone = model().embed("Check the report.").expect("vector");
    model()
        .embed(&"something else entirely ".repeat(500))
        .expect("vector");
    assert_eq!(alone, model().embed("Check the report.").expect("vector"));
    let length: f64 = alone.iter().map(|&value| f64::from(value).powi(2)).sum();
    assert!((length - 1.0).abs() < 1e-6);
    assert_eq!(alone.len(), 384);
}

#[test]
fn the_happy_person_and_the_happy_dog() {
    let [person, dog] = ["That is a happy person", "That is a happy dog"]
        .map(|text| model().embed(text).expect("vector"));
    assert!((cosine(&person, &dog) - 0.6946).abs() < 0.002);
}
