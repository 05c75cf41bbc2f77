//! all-MiniLM-L6-v2: tokenizer, graph and the way from a text to a vector.

#[cfg(feature = "cli")]
use std::num::NonZero;

use tokenizers::{Tokenizer, TruncationParams};
use tract_core::prelude::*;

use super::pack::Pack;
use super::{EmbedError, Embedder, ModelIdentity, encoder};

/// In so many bytes there are mostly more word pieces than are taken.
const FIRST: usize = 1 << 14;

/// The loaded model.
pub struct Model {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    most_tokens: usize,
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
            most_tokens: pack.header.max_tokens,
            plan: encoder::plan(&pack)?,
        })
    }

    /// The ids of a text's word pieces, special tokens included, at most 256.
    pub fn tokenise(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let cut = |text: &str| {
            let encoding = self.tokenizer.encode_fast(text, true).map_err(|error| {
                EmbedError(format!("the text cannot be cut into word pieces: {error}"))
            })?;
            Ok(encoding.get_ids().to_vec())
        };
        // the words at the beginning of a long text are cut as they are in the whole
        let mut length = FIRST;
        while length < text.len() {
            let mut rest = text.as_bytes()[length..].iter();
            let Some(end) = rest.position(|byte| *byte == b' ') else {
                break;
            };
            let ids = cut(&text[..length + end])?;
            if ids.len() == self.most_tokens {
                return Ok(ids);
            }
            length *= 8;
        }
        cut(text)
    }

    /// The vectors of texts that are cut into word pieces.
    pub(super) fn run(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.run_plan(texts)
            .map_err(|error| EmbedError(format!("the model could not be run: {error:#}")))
    }

    fn run_plan(&self, texts: &[&[u32]]) -> TractResult<Vec<Vec<f32>>> {
        let ids: Vec<i64> = texts.concat().into_iter().map(i64::from).collect();
        let lengths: Vec<i64> = texts.iter().map(|ids| ids.len() as i64).collect();
        let inputs = tvec!(tensor1(&ids).into(), tensor1(&lengths).into());
        let outputs = self.plan.run(inputs)?;
        let rows = outputs[0].to_plain_array_view::<f32>()?;
        let width = rows.shape()[1];
        let mut rest = rows.as_slice().unwrap_or_default();
        let mut vectors = Vec::with_capacity(texts.len());
        for ids in texts {
            let (rows, further) = rest.split_at(ids.len() * width);
            vectors.push(unit_mean(rows, width));
            rest = further;
        }
        Ok(vectors)
    }
}

/// The mean of the rows of a text, brought to the length 1. There is no
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
        let vectors = self.run(&[&self.tokenise(text)?])?;
        // one text, one vector
        Ok(vectors.concat())
    }

    #[cfg(feature = "cli")]
    fn embed_all(
        &self,
        texts: &[&str],
        threads: NonZero<usize>,
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        self.embed_many(texts, threads)
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
