//! Vectors for the texts of a run, without a model.

use assay::embedding::{ModelIdentity, VectorTable};
use assay::persona::Run;

/// A vector for each text that the run wants; it depends on the text alone.
pub fn table(run: &Run) -> VectorTable {
    let texts = run.texts().into_iter();
    VectorTable {
        model: ModelIdentity {
            id: String::new(),
            sha256: String::new(),
            precision: String::new(),
        },
        vectors: texts.map(|text| (text.to_owned(), vector(text))).collect(),
    }
}

fn vector(text: &str) -> std::rc::Rc<[f32]> {
    let seed = text.bytes().fold(7_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    (0..384_u32)
        .map(|at| ((seed ^ (at * 2_654_435)) % 97) as f32 - 48.0)
        .collect()
}
