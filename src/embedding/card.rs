//! What is known of a model that somebody brings: what it is called, how a text becomes a vector
//! by it, and its identity. Plain data, for the page and the command line.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::ModelIdentity;
use crate::document::{Reader, hex, parse_json};

/// How the vectors of a text's tokens become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// Their mean.
    Mean,
    /// The first token's, which stands for the whole text in models that were trained so.
    First,
    /// The model does it: its output is one vector.
    Own,
}

impl Pooling {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Mean, Self::First, Self::Own];

    /// As cards and options have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::First => "first",
            Self::Own => "own",
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Mean => "mean of the tokens",
            Self::First => "first token",
            Self::Own => "pooled by the model",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|pooling| pooling.name() == name)
    }
}

/// What decides on a text's vector, beside the two files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// How the vectors of the tokens become one.
    pub pooling: Pooling,
    /// Whether the vector is brought to the length 1. No score depends on it.
    pub normalise: bool,
    /// The most tokens of a text, special ones included.
    pub max_tokens: usize,
    /// Written before every text.
    pub prefix: String,
}

/// A model as it was found in its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Card {
    /// What it is called.
    pub name: String,
    /// The names of its ONNX file and of its tokenizer.json, as they were given.
    pub files: [String; 2],
    /// SHA-256 of the ONNX file, 64 hex digits.
    pub model_sha256: String,
    /// SHA-256 of tokenizer.json, 64 hex digits.
    pub tokenizer_sha256: String,
    /// Bytes of the ONNX file.
    pub bytes: u64,
    /// The type that most of its weights have, `float32`.
    pub weights: String,
    /// Components of a vector.
    pub dimensions: usize,
    /// Whether its files say how it pools; else that was assumed.
    pub is_pooling_told: bool,
    /// The poolings that it can have.
    pub poolings: Vec<Pooling>,
    /// Prefixes that its files name.
    pub prompts: Vec<String>,
    /// How it is used.
    pub settings: Settings,
}

impl Card {
    /// Which model it is: the SHA-256 of both files' and of all settings, so that vectors that
    /// were made otherwise are another model's.
    pub fn identity(&self) -> ModelIdentity {
        let Settings {
            pooling,
            normalise,
            max_tokens,
            prefix,
        } = &self.settings;
        let mut hash = Sha256::new();
        for part in [
            "assay-onnx/1",
            &self.model_sha256,
            &self.tokenizer_sha256,
            pooling.name(),
            if *normalise { "unit" } else { "as it is" },
            &max_tokens.to_string(),
            prefix,
        ] {
            hash.update(part);
            hash.update([0]);
        }
        let prefix = (!prefix.is_empty()).then(|| format!(", after {prefix:?}"));
        ModelIdentity {
            id: self.name.clone(),
            sha256: hex(&hash.finalize()),
            precision: format!(
                "ONNX {}, {}, at most {max_tokens} tokens{}",
                self.weights,
                pooling.words(),
                prefix.unwrap_or_default()
            ),
        }
    }

    /// As it is kept and sent.
    pub fn json(&self) -> String {
        // plain data cannot fail to serialise
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads [`Card::json`]; none when it is no card.
    pub fn read(json: &str) -> Option<Self> {
        let card = parse_json(json).ok()?;
        Self::of(&Reader::new(&card))
    }

    /// Reads a card that stands in something else.
    pub fn of(card: &Reader<'_>) -> Option<Self> {
        let text = |name| Some(card.get(name)?.as_str()?.to_owned());
        let number = |card: &Reader<'_>, name| usize::try_from(card.get(name)?.as_integer()?).ok();
        let texts = |name| -> Option<Vec<String>> {
            let texts = card.get(name)?.items()?;
            let owned = |text: &Reader<'_>| Some(text.as_str()?.to_owned());
            texts.iter().map(owned).collect()
        };
        let pooling = |reader: &Reader<'_>| Pooling::named(reader.as_str()?);
        let settings = card.get("settings")?;
        Some(Self {
            name: text("name")?,
            files: <[String; 2]>::try_from(texts("files")?).ok()?,
            model_sha256: text("model_sha256")?,
            tokenizer_sha256: text("tokenizer_sha256")?,
            bytes: number(card, "bytes")? as u64,
            weights: text("weights")?,
            dimensions: number(card, "dimensions")?,
            is_pooling_told: card.get("is_pooling_told")?.as_bool()?,
            poolings: card
                .get("poolings")?
                .items()?
                .iter()
                .map(pooling)
                .collect::<Option<_>>()?,
            prompts: texts("prompts")?,
            settings: Settings {
                pooling: pooling(&settings.get("pooling")?)?,
                normalise: settings.get("normalise")?.as_bool()?,
                max_tokens: number(&settings, "max_tokens")?,
                prefix: settings.get("prefix")?.as_str()?.to_owned(),
            },
        })
    }
}

/// Whether a file is the plain export of a model, which is taken where there are several.
pub fn is_plain(name: &str) -> bool {
    name.rsplit(['/', '\\']).next() == Some("model.onnx")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn card() -> Card {
        Card {
            name: "multilingual".into(),
            files: ["model.onnx".into(), "tokenizer.json".into()],
            model_sha256: "a".repeat(64),
            tokenizer_sha256: "b".repeat(64),
            bytes: 470_052_906,
            weights: "float32".into(),
            dimensions: 384,
            is_pooling_told: true,
            poolings: vec![Pooling::Mean, Pooling::First],
            prompts: vec!["query: ".into()],
            settings: Settings {
                pooling: Pooling::Mean,
                normalise: true,
                max_tokens: 128,
                prefix: String::new(),
            },
        }
    }

    #[test]
    fn a_card_comes_back_as_it_was_written() {
        assert_eq!(Card::read(&card().json()), Some(card()));
        assert_eq!(Card::read("{}"), None);
        assert_eq!(Card::read("no"), None);
    }

    #[test]
    fn whatever_changes_a_vector_makes_another_model() {
        let mut all = vec![card(); 7];
        all[1].settings.pooling = Pooling::First;
        all[2].settings.normalise = false;
        all[3].settings.max_tokens = 127;
        all[4].settings.prefix = "query: ".into();
        all[5].model_sha256 = "c".repeat(64);
        all[6].tokenizer_sha256 = "c".repeat(64);
        let mut hashes: Vec<String> = all.iter().map(|card| card.identity().sha256).collect();
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 7);
        // a name does not
        let mut renamed = card();
        renamed.name = "other".into();
        assert_eq!(renamed.identity().sha256, card().identity().sha256);
        assert_eq!(
            all[4].identity().precision,
            "ONNX float32, mean of the tokens, at most 128 tokens, after \"query: \""
        );
    }
}
