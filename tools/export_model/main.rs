//! Makes the model file of the app from the original weights of
//! all-MiniLM-L6-v2: the tokenizer and the packed tensors.
//!
//! `export-model --weights model.safetensors --tokenizer tokenizer.json --out DIR`
//! writes `DIR/<first 16 digits of its SHA-256>.pack` and `DIR/model.json`. With
//! `--onnx FILE` it writes the same model as a plain float32 ONNX graph, which is
//! what the app is compared with.
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
use safetensors::SafeTensors;
use sha2::{Digest, Sha256};

mod graph;
use graph::GraphBuilder;

const ID: &str = "all-MiniLM-L6-v2";
const LAYERS: usize = 6;
const HIDDEN: usize = 384;
const HEADS: usize = 12;
const MAX_TOKENS: usize = 256;
const EPSILON: f32 = 1e-12;
/// Bits per value of the embedding table and of the layers' matrices, measured
/// to keep the lowest cosine to float32 above 0.9999 (see DESIGN.md).
const TABLE_BITS: u32 = 8;
const LAYER_BITS: u32 = 10;
/// The same for the table of places, a hundredth of the other table.
const PLACE_BITS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let weights = std::fs::read(&arguments.weights)?;
    let weights = Weights(SafeTensors::deserialize(&weights)?);
    if let Some(file) = &arguments.onnx {
        let graph = onnx(&weights)?;
        std::fs::write(file, &graph)?;
        println!("{}: {} bytes", file.display(), graph.len());
    }
    let (Some(tokenizer), Some(out)) = (&arguments.tokenizer, &arguments.out) else {
        return Ok(());
    };
    let tokenizer = compact_json(&std::fs::read(tokenizer)?)?;
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
    tokenizer: Option<PathBuf>,
    out: Option<PathBuf>,
    onnx: Option<PathBuf>,
    bits: (u32, u32),
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let (mut weights, mut tokenizer, mut out, mut onnx) = (None, None, None, None);
        let mut bits = (TABLE_BITS, LAYER_BITS);
        while let Some(word) = words.next() {
            let value = words.next().ok_or(format!("{word} needs a value"))?;
            match word.as_str() {
                "--weights" => weights = Some(value.into()),
                "--tokenizer" => tokenizer = Some(value.into()),
                "--out" => out = Some(value.into()),
                "--onnx" => onnx = Some(value.into()),
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
        let weights = weights.ok_or("--weights FILE is missing")?;
        if tokenizer.is_some() != out.is_some() || (out.is_none() && onnx.is_none()) {
            let usage =
                "usage: export-model --weights FILE [--tokenizer FILE --out DIR] [--onnx FILE]";
            return Err(usage.into());
        }
        Ok(Self {
            weights,
            tokenizer,
            out,
            onnx,
            bits,
        })
    }
}

fn compact_json(text: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&serde_json::from_slice::<serde_json::Value>(text)?)
}

/// The original tensors by name.
struct Weights<'a>(SafeTensors<'a>);

impl Weights<'_> {
    fn get(&self, name: &str) -> Result<Vec<f32>, Box<dyn Error>> {
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
    fn pair(&self, name: &str) -> Result<[Vec<f32>; 2], Box<dyn Error>> {
        Ok([
            self.get(&format!("{name}.weight"))?,
            self.get(&format!("{name}.bias"))?,
        ])
    }

    /// A row for each place. The token type is always 0, so its row is in it.
    fn places(&self) -> Result<Vec<f32>, Box<dyn Error>> {
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
const PARTS: [&str; 3] = ["query", "key", "value"];

fn part(layer: usize, name: &str) -> String {
    format!("encoder.layer.{layer}.{name}")
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

/// The model as ONNX: word pieces and their mask in, the last hidden state out.
fn onnx(weights: &Weights) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut graph = GraphBuilder::new();
    let ids = graph.input("input_ids");
    let mask = graph.input("attention_mask");
    // customary, and without effect: the table of places has the row of type 0
    graph.input("token_type_ids");
    let mask = graph.mask(&mask);

    let table = weights.get("embeddings.word_embeddings.weight")?;
    let table = graph.tensor("words", &[table.len() / HIDDEN, HIDDEN], &table);
    let places = graph.tensor("places", &[MAX_TOKENS, HIDDEN], &weights.places()?);
    let words = graph.gather(&table, &ids);
    let places = graph.first_rows(&places, &ids);
    let sum = graph.add(&words, &places);
    let mut hidden = normalised(&mut graph, weights, "embeddings.LayerNorm", &sum)?;

    for layer in 0..LAYERS {
        let dense = |graph: &mut GraphBuilder, name: &str, input: &str| {
            let name = part(layer, name);
            let [matrix, bias] = weights.pair(&name)?;
            Ok::<_, Box<dyn Error>>(graph.dense(&name, input, &matrix, &bias))
        };
        let mut parts = Vec::new();
        for name in PARTS {
            parts.push(dense(
                &mut graph,
                &format!("attention.self.{name}"),
                &hidden,
            )?);
        }
        let parts = [0, 1, 2].map(|i| parts[i].as_str());
        let mixed = graph.attend(parts, &mask, HEADS, HIDDEN / HEADS);
        let mixed = dense(&mut graph, "attention.output.dense", &mixed)?;
        let sum = graph.add(&mixed, &hidden);
        let norm = part(layer, "attention.output.LayerNorm");
        let middle = normalised(&mut graph, weights, &norm, &sum)?;
        let wide = dense(&mut graph, "intermediate.dense", &middle)?;
        let wide = graph.gelu(&wide);
        let narrow = dense(&mut graph, "output.dense", &wide)?;
        let sum = graph.add(&narrow, &middle);
        let norm = part(layer, "output.LayerNorm");
        hidden = normalised(&mut graph, weights, &norm, &sum)?;
    }
    Ok(graph.finish(&hidden, "last_hidden_state"))
}

fn normalised(
    graph: &mut GraphBuilder,
    weights: &Weights,
    name: &str,
    input: &str,
) -> Result<String, Box<dyn Error>> {
    let [scale, bias] = weights.pair(name)?;
    let scale = graph.tensor(&format!("{name}.weight"), &[HIDDEN], &scale);
    let bias = graph.tensor(&format!("{name}.bias"), &[HIDDEN], &bias);
    Ok(graph.layer_norm(input, &scale, &bias, EPSILON))
}
