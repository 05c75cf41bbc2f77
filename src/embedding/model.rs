//! all-MiniLM-L6-v2: tokenizer, graph and the way from a text to a vector.

use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};
use tract_onnx::pb::{ModelProto, TensorProto};
use tract_onnx::prelude::*;

use super::pack::Pack;
use super::{EmbedError, Embedder, ModelIdentity};
use crate::document::hex;

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

fn failed(what: &str) -> impl Fn(anyhow::Error) -> EmbedError {
    move |error| EmbedError(format!("{what}: {error:#}"))
}

impl Model {
    /// Loads a model file (see [`super::pack`]) whose SHA-256 must be the one given.
    pub fn load(bytes: &[u8], sha256: &str) -> Result<Self, EmbedError> {
        let found = hex(&Sha256::digest(bytes));
        if found != sha256 {
            return Err(EmbedError(format!(
                "the model file is damaged: its SHA-256 is {found}, expected {sha256}"
            )));
        }
        let pack = Pack::read(bytes)?;
        let identity = ModelIdentity {
            id: pack.header.id.clone(),
            sha256: found,
            precision: pack.header.precision.clone(),
        };
        Ok(Self {
            identity,
            tokenizer: load_tokenizer(&pack)?,
            plan: load_graph(&pack)?,
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
        let positions: Vec<i64> = (0..ids.len() as i64).collect();
        let outputs = self
            .plan
            .run(tvec!(tensor1(&ids).into(), tensor1(&positions).into()))?;
        let pooled = outputs[0].to_plain_array_view::<f32>()?;
        Ok(normalised(pooled.iter().copied()))
    }
}

/// The graph ends with the mean over the tokens; the length is taken here, in
/// f64, where it is two lines and the same on every machine. One text at a
/// time has no padding, so the mean over all its tokens is the masked mean.
fn normalised(pooled: impl Iterator<Item = f32> + Clone) -> Vec<f32> {
    let length = pooled
        .clone()
        .map(|value| f64::from(value).powi(2))
        .sum::<f64>()
        .sqrt()
        .max(1e-12);
    pooled
        .map(|value| (f64::from(value) / length) as f32)
        .collect()
}

impl Embedder for Model {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.run(&self.tokenise(text)?)
            .map_err(failed("the model could not be run"))
    }
}

fn load_tokenizer(pack: &Pack) -> Result<Tokenizer, EmbedError> {
    let wrong = |error| EmbedError(format!("the tokenizer cannot be read: {error}"));
    let mut tokenizer = Tokenizer::from_bytes(pack.tokenizer()).map_err(wrong)?;
    tokenizer
        .with_truncation(Some(TruncationParams {
            max_length: pack.header.max_tokens,
            ..TruncationParams::default()
        }))
        .map_err(wrong)?;
    tokenizer.with_padding(None);
    Ok(tokenizer)
}

fn load_graph(pack: &Pack) -> Result<Arc<TypedRunnableModel>, EmbedError> {
    let wrong = failed("the model's graph cannot be read");
    let onnx = onnx();
    let mut proto = onnx
        .proto_model_for_read(&mut pack.graph())
        .map_err(&wrong)?;
    fill_initializers(&mut proto, pack)?;
    let model = onnx.model_for_proto_model(&proto).map_err(&wrong)?;
    drop(proto);
    let length = model.symbols.sym("length").to_dim();
    let fact = || InferenceFact::dt_shape(i64::datum_type(), [length.clone()]);
    model
        .with_input_fact(0, fact())
        .and_then(|model| model.with_input_fact(1, fact()))
        .and_then(InferenceModelExt::into_optimized)
        .and_then(IntoRunnable::into_runnable)
        .map_err(wrong)
}

fn fill_initializers(proto: &mut ModelProto, pack: &Pack) -> Result<(), EmbedError> {
    let initializers = proto
        .graph
        .iter_mut()
        .flat_map(|graph| &mut graph.initializer);
    for initializer in
        initializers.filter(|initializer: &&mut TensorProto| initializer.raw_data.is_empty())
    {
        let tensor = pack
            .header
            .tensors
            .iter()
            .find(|tensor| tensor.name == initializer.name)
            .ok_or_else(|| {
                EmbedError(format!("the model file lacks tensor {}", initializer.name))
            })?;
        initializer.raw_data = pack.unpack(tensor)?;
    }
    Ok(())
}
