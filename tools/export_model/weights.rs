//! The original weights of all-MiniLM-L6-v2, by the names they have there.

use std::error::Error;

use safetensors::SafeTensors;

pub const LAYERS: usize = 6;
pub const HIDDEN: usize = 384;
pub const HEADS: usize = 12;
pub const MAX_TOKENS: usize = 256;
pub const EPSILON: f32 = 1e-12;

/// The original tensors by name.
pub struct Weights<'a>(SafeTensors<'a>);

impl<'a> Weights<'a> {
    /// Those of a safetensors file.
    pub fn read(file: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        Ok(Self(SafeTensors::deserialize(file)?))
    }

    pub fn get(&self, name: &str) -> Result<Vec<f32>, Box<dyn Error>> {
        let tensor = self.0.tensor(name)?;
        if tensor.dtype() != safetensors::Dtype::F32 {
            return Err(format!("{name} is {:?}, expected F32", tensor.dtype()).into());
        }
        Ok(tensor
            .data()
            .chunks_exact(4)
            .map(|bytes| f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect())
    }

    /// Weights and bias of a dense layer or a normalisation.
    pub fn pair(&self, name: &str) -> Result<[Vec<f32>; 2], Box<dyn Error>> {
        Ok([
            self.get(&format!("{name}.weight"))?,
            self.get(&format!("{name}.bias"))?,
        ])
    }

    /// A row for each place. The token type is always 0, so its row is in it.
    pub fn places(&self) -> Result<Vec<f32>, Box<dyn Error>> {
        let positions = self.get("embeddings.position_embeddings.weight")?;
        let types = self.get("embeddings.token_type_embeddings.weight")?;
        Ok(positions[..MAX_TOKENS * HIDDEN]
            .iter()
            .enumerate()
            .map(|(index, value)| value + types[index % HIDDEN])
            .collect())
    }
}

/// The parts of a layer by the names of the original.
pub const PARTS: [&str; 3] = ["query", "key", "value"];

pub fn part(layer: usize, name: &str) -> String {
    format!("encoder.layer.{layer}.{name}")
}
