//! all-MiniLM-L6-v2: tokenizer, graph and the way from a text to a vector.

use tokenizers::{Tokenizer, TruncationParams};
use tract_core::prelude::*;

use super::pack::Pack;
use super::{EmbedError, Embedder, ModelIdentity, encoder};

/// The loaded model.
pub struct Model {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    plan: Arc<TypedRunnableModel>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Model")
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}

impl Model {
    /// Loads a model file (see [`super::pack`]). Whoever has read it has checked
    /// that its SHA-256 is this one.
    pub fn load(bytes: &[u8], sha256: String) -> Result<Self, EmbedError> {
        let pack = Pack::read(bytes)?;
        let identity = ModelIdentity {
            id: pack.header.id.clone(),
            sha256,
            precision: pack.header.precision.clone(),
        };
        Ok(Self {
            identity,
            tokenizer: load_tokenizer(&pack)?,
            plan: encoder::plan(&pack)?,
        })
    }

    /// The ids of a text's word pieces, special tokens included, at most 256.
    pub fn tokenise(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let encoding = self.tokenizer.encode_fast(text, true).map_err(|error| {
            EmbedError(format!("the text cannot be cut into word pieces: {error}"))
        })?;
        Ok(encoding.get_ids().to_vec())
    }

    fn run(&self, ids: &[u32]) -> TractResult<Vec<f32>> {
        let ids: Vec<i64> = ids.iter().map(|&id| i64::from(id)).collect();
        let outputs = self.plan.run(tvec!(tensor1(&ids).into()))?;
        let rows = outputs[0].to_plain_array_view::<f32>()?;
        Ok(unit_mean(
            rows.as_slice().unwrap_or_default(),
            rows.shape()[1],
        ))
    }
}

/// The mean of the rows, brought to the length 1. One text at a time has no
/// padding, so the mean over all its tokens is the masked mean. In f64, where it
/// is a few lines and the same on every machine.
fn unit_mean(rows: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += f64::from(*value);
        }
    }
    let length = sums
        .iter()
        .map(|sum| sum * sum)
        .sum::<f64>()
        .sqrt()
        .max(1e-12);
    sums.iter().map(|sum| (sum / length) as f32).collect()
}

impl Embedder for Model {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.run(&self.tokenise(text)?)
            .map_err(|error| EmbedError(format!("the model could not be run: {error:#}")))
    }
}

fn load_tokenizer(pack: &Pack) -> Result<Tokenizer, EmbedError> {
    let wrong = |error| EmbedError(format!("the tokenizer cannot be read: {error}"));
    let mut tokenizer = Tokenizer::from_bytes(pack.tokenizer()?).map_err(wrong)?;
    tokenizer
        .with_truncation(Some(TruncationParams {
            max_length: pack.header.max_tokens,
            ..TruncationParams::default()
        }))
        .map_err(wrong)?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}
