//! Two thousand texts against the original: its word pieces, and the vectors of
//! the float32 graph.

use std::path::PathBuf;
use std::thread;

use assay::document::hex;
use assay::embedding::Embedder as _;
use sha2::{Digest as _, Sha256};
use tract_onnx::prelude::*;

use crate::{cosine, model, texts};

/// The first eight digits of a hash.
fn short_hash(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))[..8].to_owned()
}

/// A line for each text: the hash of the text, and of its word pieces' numbers in decimal with
/// commas. Written by `token_ids.py` with the original tokenizer.
const TOKEN_IDS: &str = include_str!("../data/embedding/token_ids.tsv");

/// For `token_ids.py`: `cargo test --test embedding -- --ignored write_texts`.
#[test]
#[ignore = "writes the texts to the file that ASSAY_TEXTS names"]
fn write_texts() {
    let file = std::env::var_os("ASSAY_TEXTS").expect("ASSAY_TEXTS names a file");
    let json = serde_json::to_string(&texts::all()).expect("strings");
    std::fs::write(file, json).expect("written");
}

#[test]
fn word_pieces_of_all_kinds_of_texts_are_those_of_the_original() {
    let texts = texts::all();
    assert_eq!(texts.len(), texts::COUNT);
    assert_eq!(TOKEN_IDS.lines().count(), texts::COUNT);
    for (text, line) in texts.iter().zip(TOKEN_IDS.lines()) {
        let ids = model().tokenise(text).expect("ids");
        let numbers: Vec<String> = ids.iter().map(u32::to_string).collect();
        let found = [text, &numbers.join(",")].map(|part| short_hash(part.as_bytes()));
        assert_eq!(found.join("\t"), line, "{text:?}: {ids:?}");
    }
}

/// The float32 graph, as the exporter writes it and tract reads it.
struct Float32(Arc<TypedRunnableModel>);

impl Float32 {
    fn open() -> Self {
        let file = std::env::var_os("ASSAY_FLOAT32").map_or_else(
            || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/float32.onnx"),
            PathBuf::from,
        );
        assert!(
            file.exists(),
            "{} is missing: `tools/setup reference` makes it, `tools/test host` names it",
            file.display()
        );
        let load = || -> TractResult<_> {
            let mut graph = onnx().model_for_path(file)?;
            let length = graph.symbols.sym("length").to_dim();
            for input in 0..3 {
                let shape = [1.to_dim(), length.clone()];
                graph.set_input_fact(input, InferenceFact::dt_shape(i64::datum_type(), shape))?;
            }
            graph.into_optimized()?.into_runnable()
        };
        Self(load().expect("the graph of the exporter"))
    }

    /// The mean of the last hidden state.
    fn embed(&self, ids: &[u32]) -> Vec<f32> {
        let row = |value: &dyn Fn(u32) -> i64| {
            let values = ids.iter().map(|&id| value(id)).collect();
            tract_ndarray::Array2::from_shape_vec((1, ids.len()), values).expect("one row")
        };
        let inputs = [row(&i64::from), row(&|_| 1), row(&|_| 0)];
        let inputs = inputs.into_iter().map(IntoTValue::into_tvalue).collect();
        let outputs = self.0.run(inputs).expect("run");
        let hidden = outputs[0].to_plain_array_view::<f32>().expect("float32");
        let hidden = hidden.as_slice().expect("in order");
        let mut sums = vec![0.0; hidden.len() / ids.len()];
        for row in hidden.chunks(sums.len()) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value / ids.len() as f32;
            }
        }
        sums
    }
}

#[test]
fn all_kinds_of_texts_are_within_one_ten_thousandth_of_float32() {
    let (texts, reference, model) = (texts::all(), Float32::open(), model());
    let check = |text: &String| {
        let ids = model.tokenise(text).expect("ids");
        let cosine = cosine(&model.embed(text).expect("vector"), &reference.embed(&ids));
        assert!(cosine >= 0.9999, "{cosine:.6} for {text:?}");
        cosine
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let mut cosines: Vec<f64> = thread::scope(|scope| {
        let shares: Vec<_> = (0..cores)
            .map(|core| {
                let share = texts.iter().skip(core).step_by(cores);
                scope.spawn(move || share.map(check).collect::<Vec<_>>())
            })
            .collect();
        let shares = shares
            .into_iter()
            .map(|share| share.join().expect("all within"));
        shares.flatten().collect()
    });
    cosines.sort_by(f64::total_cmp);
    let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
    println!(
        "{} texts: lowest cosine {:.6}, hundredth lowest {:.6}, mean {mean:.6}",
        cosines.len(),
        cosines[0],
        cosines[99]
    );
}

#[test]
fn a_vector_does_not_depend_on_what_was_embedded_before() {
    let texts = texts::all();
    let some: Vec<&String> = texts.iter().step_by(97).collect();
    let embed = |text: &&String| model().embed(text).expect("vector");
    let forwards: Vec<_> = some.iter().map(embed).collect();
    let backwards: Vec<_> = some.iter().rev().map(embed).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
}
