//! A sentence-embedding model that somebody brings: an ONNX graph, its tokenizer.json, and what
//! its files of settings say. tract reads and runs it; no text leaves the machine for it either.

pub mod files;
mod graph;
#[cfg(feature = "onnx-worker")]
pub mod worker;

use sha2::{Digest, Sha256};
use tokenizers::{Tokenizer, TruncationParams};

use super::card::{Card, Pooling, Settings};
use super::{EmbedError, Embedder, ModelIdentity};
use crate::document::hex;
use files::{File, MODEL_MOST, Sorted, TOKENIZER_MOST, TOKENS_MOST, Told, sort};
use graph::{Graph, Read};

/// Where no file gives a length.
const TOKENS: usize = 256;
/// What fills texts up, where a tokenizer does not say.
const PADS: [&str; 2] = ["[PAD]", "<pad>"];
/// What is embedded when a model is brought: whether it runs, and how long its vectors are.
const TRIALS: [&str; 2] = ["a", "A trial of several words."];

/// What somebody asks of a model, in the place of what its files say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// How it pools.
    pub pooling: Option<Pooling>,
    /// What is written before every text.
    pub prefix: Option<String>,
}

/// A loaded model.
pub struct OnnxModel {
    card: Card,
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    graph: Graph,
}

impl std::fmt::Debug for OnnxModel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = formatter.debug_struct("OnnxModel");
        shown.field("card", &self.card).finish_non_exhaustive()
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn within(what: &str, bytes: usize, most: u64) -> Result<(), EmbedError> {
    if bytes as u64 <= most {
        return Ok(());
    }
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    Err(EmbedError(format!(
        "{what} has {} MB; the most is {} MB",
        megabytes(bytes as u64),
        megabytes(most)
    )))
}

impl OnnxModel {
    /// Takes the files of a model and tries it. `name` is what it is called where its files do
    /// not say.
    pub fn bring(files: Vec<File>, name: &str, wishes: &Wishes) -> Result<Self, EmbedError> {
        let Sorted {
            model,
            tokenizer,
            told,
        } = sort(files)?;
        within("the ONNX file", model.bytes.len(), MODEL_MOST)?;
        within("tokenizer.json", tokenizer.bytes.len(), TOKENIZER_MOST)?;
        let hashes = [sha256(&model.bytes), sha256(&tokenizer.bytes)];
        let bytes = model.bytes.len() as u64;
        let read = graph::read(model.bytes)?;
        let poolings = poolings(&read);
        let settings = settings(&told, wishes, &poolings)?;
        let [model_sha256, tokenizer_sha256] = hashes;
        let is_pooling_told = told.pooling.is_some() || poolings.contains(&Pooling::Own);
        let card = Card {
            name: told.name.unwrap_or_else(|| name.to_owned()),
            files: [model.name, tokenizer.name],
            model_sha256,
            tokenizer_sha256,
            bytes,
            weights: read.weights.to_owned(),
            dimensions: 0,
            is_pooling_told,
            poolings,
            prompts: told.prompts,
            settings,
        };
        let mut model = Self::build(card, read, &tokenizer.bytes)?;
        for trial in TRIALS {
            model.card.dimensions = model.embed(trial)?.len();
        }
        Ok(model)
    }

    /// Loads a model that was brought before from its two files.
    pub fn load(card: Card, model: Vec<u8>, tokenizer: &[u8]) -> Result<Self, EmbedError> {
        for (what, bytes, expected) in [
            ("the ONNX file", &*model, &card.model_sha256),
            ("tokenizer.json", tokenizer, &card.tokenizer_sha256),
        ] {
            let found = sha256(bytes);
            if found != *expected {
                return Err(EmbedError(format!(
                    "{what} of {} is damaged: its SHA-256 is {found}, expected {expected}. Bring the model again",
                    card.name
                )));
            }
        }
        Self::build(card, graph::read(model)?, tokenizer)
    }

    fn build(card: Card, read: Read, tokenizer: &[u8]) -> Result<Self, EmbedError> {
        let output = match card.settings.pooling {
            Pooling::Own => read.outputs.text.clone(),
            Pooling::Mean | Pooling::First => read.outputs.tokens.clone(),
        };
        let output = output.ok_or_else(|| {
            EmbedError(format!(
                "the model has no output that is {}",
                card.settings.pooling.words()
            ))
        })?;
        let (tokenizer, pad) = load_tokenizer(tokenizer, card.settings.max_tokens)?;
        Ok(Self {
            identity: card.identity(),
            tokenizer,
            graph: read.plan(&output, pad)?,
            card,
        })
    }

    /// What is known of it.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// The ids of a text's tokens, prefix and special tokens included.
    pub fn tokenise(&self, text: &str) -> Result<Vec<u32>, EmbedError> {
        let text = format!("{}{text}", self.card.settings.prefix);
        let encoding = self
            .tokenizer
            .encode_fast(text, true)
            .map_err(|error| EmbedError(format!("the text cannot be cut into tokens: {error}")))?;
        Ok(encoding.get_ids().to_vec())
    }
}

/// What the outputs allow, the best first.
fn poolings(read: &Read) -> Vec<Pooling> {
    let own = read.outputs.text.iter().map(|_| Pooling::Own);
    let of_tokens = read.outputs.tokens.iter();
    own.chain(of_tokens.flat_map(|_| [Pooling::Mean, Pooling::First]))
        .collect()
}

fn settings(told: &Told, wishes: &Wishes, can: &[Pooling]) -> Result<Settings, EmbedError> {
    let pooling = match (wishes.pooling, &told.pooling) {
        (Some(pooling), _) => pooling,
        (None, _) if can.contains(&Pooling::Own) => Pooling::Own,
        (None, Some(Ok(pooling))) => *pooling,
        (None, Some(Err(name))) => {
            return Err(EmbedError(format!(
                "its files say that it pools by {name}; known are the mean of the tokens and the first token"
            )));
        }
        (None, None) => Pooling::Mean,
    };
    if !can.contains(&pooling) {
        let can: Vec<&str> = can.iter().map(|pooling| pooling.words()).collect();
        return Err(EmbedError(format!(
            "its outputs allow {}, and not {}",
            can.join(" or "),
            pooling.words()
        )));
    }
    let prefix = wishes.prefix.clone().or_else(|| told.prefix.clone());
    Ok(Settings {
        pooling,
        // where no file lists the steps, it is what nearly all models of this kind do
        normalise: told.normalise.unwrap_or(true),
        max_tokens: told.max_tokens.unwrap_or(TOKENS).min(TOKENS_MOST),
        prefix: prefix.unwrap_or_default(),
    })
}

/// The tokenizer, and the id of what fills a text up.
fn load_tokenizer(bytes: &[u8], max_length: usize) -> Result<(Tokenizer, u32), EmbedError> {
    let wrong = |error| EmbedError(format!("tokenizer.json cannot be read: {error}"));
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(wrong)?;
    tokenizer
        .with_truncation(Some(TruncationParams {
            max_length,
            ..TruncationParams::default()
        }))
        .map_err(wrong)?;
    let pad = tokenizer.get_padding().map(|padding| padding.pad_id);
    let pad = pad.or_else(|| PADS.into_iter().find_map(|pad| tokenizer.token_to_id(pad)));
    tokenizer.with_padding(None);
    Ok((tokenizer, pad.unwrap_or_default()))
}

/// One vector of a text's rows. One text at a time has no padding, so the mean over all its
/// tokens is the masked mean.
fn pooled(rows: &[f32], width: usize, settings: &Settings) -> Vec<f32> {
    let mut sums = vec![0.0; width];
    let counted = match settings.pooling {
        Pooling::Mean => rows.len() / width.max(1),
        Pooling::First | Pooling::Own => 1,
    };
    for row in rows.chunks_exact(width.max(1)).take(counted) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += f64::from(*value) / counted as f64;
        }
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    let length = if settings.normalise {
        length.max(1e-12)
    } else {
        1.0
    };
    sums.iter().map(|sum| (sum / length) as f32).collect()
}

impl Embedder for OnnxModel {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let ids = self.tokenise(text)?;
        if ids.is_empty() {
            return Err(EmbedError(
                "its tokenizer finds no token in the text".into(),
            ));
        }
        let (rows, width) = self.graph.run(&ids)?;
        let vector = pooled(&rows, width, &self.card.settings);
        if vector.is_empty() || vector.iter().any(|value| !value.is_finite()) {
            return Err(EmbedError(
                "the model's vector is not made of numbers".into(),
            ));
        }
        Ok(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pooling: Pooling, normalise: bool) -> Settings {
        Settings {
            pooling,
            normalise,
            max_tokens: 8,
            prefix: String::new(),
        }
    }

    #[test]
    fn rows_become_one_vector() {
        let rows = [3.0, 0.0, 1.0, 2.0, 2.0, 4.0];
        assert_eq!(pooled(&rows, 2, &set(Pooling::Mean, false)), [2.0, 2.0]);
        assert_eq!(pooled(&rows, 2, &set(Pooling::First, false)), [3.0, 0.0]);
        assert_eq!(pooled(&rows, 2, &set(Pooling::First, true)), [1.0, 0.0]);
        assert_eq!(pooled(&rows[4..], 2, &set(Pooling::Own, false)), [2.0, 4.0]);
    }

    #[test]
    fn what_is_asked_for_comes_before_what_files_say() {
        let told = Told {
            pooling: Some(Ok(Pooling::First)),
            prefix: Some("query: ".into()),
            ..Told::default()
        };
        let can = [Pooling::Mean, Pooling::First];
        let of = |wishes: &Wishes| settings(&told, wishes, &can).expect("can be");
        let by_files = of(&Wishes::default());
        assert_eq!(
            (by_files.pooling, &*by_files.prefix),
            (Pooling::First, "query: ")
        );
        let asked = of(&Wishes {
            pooling: Some(Pooling::Mean),
            prefix: Some(String::new()),
        });
        assert_eq!((asked.pooling, &*asked.prefix), (Pooling::Mean, ""));
        let own = Wishes {
            pooling: Some(Pooling::Own),
            prefix: None,
        };
        let words = settings(&told, &own, &can).expect_err("it cannot").0;
        assert_eq!(
            words,
            "its outputs allow mean of the tokens or first token, and not pooled by the model"
        );
    }
}
