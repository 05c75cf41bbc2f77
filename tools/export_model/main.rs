//! Makes the model file of the app from the original weights of
//! all-MiniLM-L6-v2: the tokenizer and the packed tensors.
//!
//! `export-model --weights model.safetensors --tokenizer tokenizer.json --out DIR`
//! writes `DIR/<first 16 digits of its SHA-256>.pack` and `DIR/model.json`.
//!
//! Choices in the pack, each exact in real arithmetic: the token type is always
//! 0, so its row is added to the table of places; query, key and value are one
//! product; the scale of the attention is folded into the query's weights.

// bits and bias are what they are called
#![allow(clippy::similar_names)]

use std::error::Error;
use std::path::PathBuf;

use assay::document::hex;
use assay::embedding::manifest::Manifest;
use assay::embedding::pack::{Header, PackWriter};
use sha2::{Digest, Sha256};

mod weights;
use weights::{EPSILON, HEADS, HIDDEN, LAYERS, MAX_TOKENS, PARTS, Weights, part};

const ID: &str = "all-MiniLM-L6-v2";
/// Bits per value of the embedding table and of the layers' matrices, measured
/// to keep the lowest cosine to float32 above 0.9999 (see DESIGN.md).
const TABLE_BITS: u32 = 8;
const LAYER_BITS: u32 = 10;
/// The same for the table of places, a hundredth of the other table.
const PLACE_BITS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let weights = std::fs::read(&arguments.weights)?;
    let weights = Weights::read(&weights)?;
    let tokenizer = compact_json(&std::fs::read(&arguments.tokenizer)?)?;
    let (table, layer) = arguments.bits;
    let precision = if arguments.bits == (32, 32) {
        "float32".to_owned()
    } else {
        format!(
            "table {table}-bit, layers {layer}-bit, blocks of 32, float16 scales; computed in float32"
        )
    };
    let file = pack(&weights, &tokenizer, arguments.bits, &precision)?;

    let sha256 = hex(&Sha256::digest(&file));
    let manifest = Manifest {
        id: ID.into(),
        file: format!("{}.pack", &sha256[..16]),
        bytes: file.len() as u64,
        sha256,
        precision,
    };
    let out = &arguments.out;
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join(&manifest.file), &file)?;
    std::fs::write(
        out.join("model.json"),
        serde_json::to_string_pretty(&manifest)?,
    )?;
    println!("{}: {} bytes", manifest.file, manifest.bytes);
    Ok(())
}

struct Arguments {
    weights: PathBuf,
    tokenizer: PathBuf,
    out: PathBuf,
    bits: (u32, u32),
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut weights, mut tokenizer, mut out) = (None, None, None);
        let mut bits = (TABLE_BITS, LAYER_BITS);
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            match word.as_str() {
                "--weights" => weights = Some(value.into()),
                "--tokenizer" => tokenizer = Some(value.into()),
                "--out" => out = Some(value.into()),
                // another packing, for measuring: TABLE,LAYERS; 32,32 is float32
                "--bits" => {
                    bits = value
                        .split_once(',')
                        .and_then(|(table, layers)| {
                            Some((table.parse().ok()?, layers.parse().ok()?))
                        })
                        .ok_or("--bits takes two numbers, as 8,10")?;
                }
                _ => return Err(format!("unknown option {word}")),
            }
        }
        let (Some(weights), Some(tokenizer), Some(out)) = (weights, tokenizer, out) else {
            return Err("usage: export-model --weights FILE --tokenizer FILE --out DIR".into());
        };
        Ok(Self {
            weights,
            tokenizer,
            out,
            bits,
        })
    }
}

fn compact_json(text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&serde_json::from_slice::<serde_json::Value>(text)?)
}

/// The model file.
fn pack(
    weights: &Weights,
    tokenizer: &[u8],
    (table_bits, layer_bits): (u32, u32),
    precision: &str,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut file = PackWriter::new();
    let tokenizer = file.section(&miniz_oxide::deflate::compress_to_vec(tokenizer, 9));
    let table = weights.get("embeddings.word_embeddings.weight")?;
    file.tensor("words", &[table.len() / HIDDEN, HIDDEN], &table, table_bits);
    let place_bits = if table_bits == 32 { 32 } else { PLACE_BITS };
    file.tensor(
        "places",
        &[MAX_TOKENS, HIDDEN],
        &weights.places()?,
        place_bits,
    );
    let mut add = |name: &str, [matrix, bias]: [Vec<f32>; 2], bits: u32| {
        let shape = [bias.len(), matrix.len() / bias.len()];
        let shape = if shape[1] == 1 { &shape[..1] } else { &shape };
        file.tensor(&format!("{name}.weight"), shape, &matrix, bits);
        file.tensor(&format!("{name}.bias"), &[bias.len()], &bias, 32);
    };
    add("words.norm", weights.pair("embeddings.LayerNorm")?, 32);
    for layer in 0..LAYERS {
        add(
            &format!("layer.{layer}.joint"),
            joint(weights, layer)?,
            layer_bits,
        );
        for (name, original, bits) in [
            ("mixed", "attention.output.dense", layer_bits),
            ("mixed.norm", "attention.output.LayerNorm", 32),
            ("wide", "intermediate.dense", layer_bits),
            ("narrow", "output.dense", layer_bits),
            ("narrow.norm", "output.LayerNorm", 32),
        ] {
            let tensors = weights.pair(&part(layer, original))?;
            add(&format!("layer.{layer}.{name}"), tensors, bits);
        }
    }
    Ok(file.finish(Header {
        id: ID.into(),
        precision: precision.to_owned(),
        max_tokens: MAX_TOKENS,
        layers: LAYERS,
        heads: HEADS,
        epsilon: EPSILON,
        tokenizer,
        tensors: Vec::new(),
    })?)
}

/// Query, key and value of a layer as one matrix and bias, the query scaled.
fn joint(weights: &Weights, layer: usize) -> Result<[Vec<f32>; 2], Box<dyn Error>> {
    let scale = 1.0 / ((HIDDEN / HEADS) as f32).sqrt();
    let mut joint = [Vec::new(), Vec::new()];
    for (name, factor) in PARTS.into_iter().zip([scale, 1.0, 1.0]) {
        let tensors = weights.pair(&part(layer, &format!("attention.self.{name}")))?;
        for (joint, values) in joint.iter_mut().zip(tensors) {
            joint.extend(values.iter().map(|value| value * factor));
        }
    }
    Ok(joint)
}
