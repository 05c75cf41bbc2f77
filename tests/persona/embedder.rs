//! An embedder for arithmetic: vectors given by hand, or made from the text's hash.

use std::collections::HashMap;

use assay::embedding::{EmbedError, Embedder, ModelIdentity};

pub struct FakeEmbedder {
    model: ModelIdentity,
    given: HashMap<String, Vec<f32>>,
}

impl FakeEmbedder {
    /// Every text by its hash.
    pub fn hashing() -> Self {
        Self::given(&[])
    }

    /// These texts as given, all others by their hash.
    pub fn given(vectors: &[(&str, &[f32])]) -> Self {
        Self {
            model: ModelIdentity {
                id: "fake".into(),
                sha256: "0".repeat(64),
                precision: "float32".into(),
            },
            given: vectors
                .iter()
                .map(|(text, vector)| ((*text).to_owned(), vector.to_vec()))
                .collect(),
        }
    }
}

impl Embedder for FakeEmbedder {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(vector) = self.given.get(text) {
            return Ok(vector.clone());
        }
        if text.contains("cannot be embedded") {
            return Err(EmbedError("refused".into()));
        }
        let dimensions = self.given.values().next().map_or(8, Vec::len);
        let mut state = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let vector: Vec<f32> = (0..dimensions)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 40) as f32 / (1u64 << 24) as f32 - 0.3
            })
            .collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        Ok(vector.into_iter().map(|x| x / length).collect())
    }
}
