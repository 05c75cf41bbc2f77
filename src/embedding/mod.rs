//! Sentence embeddings: the trait that scorers see, the protocol spoken with
//! the worker, and (feature `embed`) the model itself.

use std::num::NonZero;

use serde::{Deserialize, Serialize};

pub mod card;
#[cfg(feature = "embed")]
mod encoder;
#[cfg(any(feature = "app", feature = "worker-base"))]
pub mod fetch;
pub mod manifest;
#[cfg(feature = "cli")]
mod many;
#[cfg(feature = "embed")]
mod model;
#[cfg(feature = "cli")]
mod native;
#[cfg(feature = "onnx")]
pub mod onnx;
#[cfg(feature = "pack")]
pub mod pack;
#[cfg(feature = "worker")]
pub mod packed;
pub mod protocol;
#[cfg(any(test, feature = "app", feature = "worker-base"))]
mod transfer;
#[cfg(feature = "worker-base")]
pub mod worker;

#[cfg(feature = "embed")]
pub use model::Model;
#[cfg(feature = "cli")]
pub use native::open;

/// Which model a vector comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// Name, `all-MiniLM-L6-v2`.
    pub id: String,
    /// SHA-256 of the packed weights, or of a brought model's files and settings, 64 hex digits.
    pub sha256: String,
    /// How the weights are packed, and how a brought model is used.
    pub precision: String,
}

impl ModelIdentity {
    /// Whether it is the model that comes with Assay, however it is packed: it was made for English.
    pub fn is_english(&self) -> bool {
        self.id == "all-MiniLM-L6-v2"
    }
}

/// Turns a text into a vector, of always as many components.
pub trait Embedder {
    /// Which model it is.
    fn model(&self) -> &ModelIdentity;

    /// The embedding of one text. A text's vector depends on nothing but the text.
    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError>;

    /// The embeddings of texts, in their order, with the help of so many threads where it can use them.
    fn embed_all(
        &self,
        texts: &[&str],
        _threads: NonZero<usize>,
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        texts.iter().map(|text| self.embed(text)).collect()
    }
}

/// Why a text has no vector.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedError(pub String);

impl std::fmt::Display for EmbedError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for EmbedError {}

/// Vectors that were computed elsewhere (by the worker), looked up by text.
#[derive(Clone, Debug)]
pub struct VectorTable {
    /// The model that made them.
    pub model: ModelIdentity,
    /// Text to vector.
    pub vectors: std::collections::HashMap<String, std::rc::Rc<[f32]>>,
}

impl Embedder for VectorTable {
    fn model(&self) -> &ModelIdentity {
        &self.model
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.vectors
            .get(text)
            .map(|vector| vector.to_vec())
            .ok_or_else(|| EmbedError("this text has not been embedded yet".into()))
    }
}
