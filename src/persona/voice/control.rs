//! The control sample: replies as any assistant gives them, with their vectors.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// The largest number a packed component has.
const LARGEST: f64 = 127.0;

/// Replies of no persona. Their vectors are packed, a byte a component, and come from one model;
/// another model has to embed them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// SHA-256 of the model, 64 hex digits.
    pub model: String,
    /// The replies.
    pub texts: Vec<String>,
    /// Signed bytes in base64: one text after the other, each scaled by its largest component.
    vectors: String,
}

impl Control {
    /// Reads the file that ships with the app; in words what is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        let control: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let (vectors, texts) = (control.vectors()?.len(), control.texts.len());
        if vectors != texts {
            return Err(format!(
                "expected a vector for each of {texts} texts, got {vectors}"
            ));
        }
        Ok(control)
    }

    /// Packs the vectors of a model, one for each text.
    pub fn pack(model: String, texts: Vec<String>, vectors: &[Vec<f32>]) -> Self {
        let packed = vectors.iter().flat_map(|vector| {
            let largest = vector
                .iter()
                .fold(0.0_f64, |most, one| most.max(f64::from(*one).abs()));
            let scale = LARGEST / largest.max(f64::MIN_POSITIVE);
            vector
                .iter()
                .map(move |one| (f64::from(*one) * scale).round() as i8 as u8)
        });
        let packed: Vec<u8> = packed.collect();
        Self {
            model,
            texts,
            vectors: STANDARD.encode(packed),
        }
    }

    /// The vectors, to unit length.
    pub fn vectors(&self) -> Result<Vec<Vec<f64>>, String> {
        let bytes = STANDARD
            .decode(&self.vectors)
            .map_err(|error| error.to_string())?;
        let width = bytes.len() / self.texts.len().max(1);
        let unpack = |packed: &[u8]| {
            let vector: Vec<f64> = packed.iter().map(|byte| f64::from(*byte as i8)).collect();
            let length = vector.iter().map(|one| one * one).sum::<f64>().sqrt();
            vector.iter().map(|one| one / length.max(1.0)).collect()
        };
        Ok(bytes.chunks_exact(width.max(1)).map(unpack).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_keep_their_direction() {
        let vectors = [vec![0.6_f32, -0.8, 0.0], vec![0.01, 0.02, -0.03]];
        let texts = vec!["a".to_owned(), "b".into()];
        let packed = Control::pack("sha".into(), texts, &vectors);
        let json = serde_json::to_string(&packed).expect("plain data");
        let read = Control::read(&json).expect("as it was written");
        assert_eq!(read, packed);
        for (vector, again) in vectors.iter().zip(read.vectors().expect("vectors")) {
            let length = vector
                .iter()
                .map(|one| f64::from(*one).powi(2))
                .sum::<f64>()
                .sqrt();
            for (one, other) in vector.iter().zip(&again) {
                assert!(
                    (f64::from(*one) / length - other).abs() < 0.006,
                    "{one} {other}"
                );
            }
        }
        let short = json.replace(r#"["a","b"]"#, r#"["a","b","c","d","e","f","g"]"#);
        assert!(Control::read(&short).is_err());
    }
}
