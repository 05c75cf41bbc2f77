//! Makes the model file of the app from the original weights of
//! all-MiniLM-L6-v2: an ONNX graph, the tokenizer, and the packed tensors.
//!
//! `export-model --weights model.safetensors --tokenizer tokenizer.json --out DIR`
//! writes `DIR/<first 16 digits of its SHA-256>.pack` and `DIR/model.json`.
//!
//! Choices in the graph, each exact in real arithmetic: one text at a time, so
//! there is no padding and no mask; the token type is always 0, so its row is
//! added to the position table; query, key and value are one product; the
//! scale of the attention is folded into the query's weights.

// bits and bias are what they are called
#![allow(clippy::similar_names)]

use std::error::Error;
use std::path::PathBuf;

use assay::document::hex;
use assay::embedding::manifest::Manifest;
use assay::embedding::pack::PackWriter;
use safetensors::SafeTensors;
use sha2::{Digest, Sha256};

mod graph;
use graph::GraphBuilder;

const LAYERS: usize = 6;
const HIDDEN: usize = 384;
const HEADS: usize = 12;
const MAX_TOKENS: usize = 256;
const EPSILON: f32 = 1e-12;
/// Bits per value of the embedding table and of the layers' matrices, measured
/// to keep the lowest cosine to float32 above 0.9999 (see DESIGN.md).
const TABLE_BITS: u32 = 8;
const LAYER_BITS: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let weights = std::fs::read(&arguments.weights)?;
    let weights = Weights(SafeTensors::deserialize(&weights)?);
    let tokenizer = compact_json(&std::fs::read(&arguments.tokenizer)?)?;

    let mut tensors = PackWriter::new();
    let graph = build_graph(&weights, &mut tensors, arguments.bits)?;
    let graph = tensors.section(&graph);
    let tokenizer = tensors.section(&tokenizer);
    let (table, layer) = arguments.bits;
    let precision = if arguments.bits == (32, 32) {
        "float32".to_owned()
    } else {
        format!(
            "table {table}-bit, layers {layer}-bit, blocks of 32, float16 scales; computed in float32"
        )
    };
    let file = tensors.finish("all-MiniLM-L6-v2", &precision, MAX_TOKENS, graph, tokenizer)?;

    let sha256 = hex(&Sha256::digest(&file));
    let manifest = Manifest {
        id: "all-MiniLM-L6-v2".into(),
        file: format!("{}.pack", &sha256[..16]),
        bytes: file.len() as u64,
        sha256,
        precision,
    };
    std::fs::create_dir_all(&arguments.out)?;
    std::fs::write(arguments.out.join(&manifest.file), &file)?;
    std::fs::write(
        arguments.out.join("model.json"),
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
        let (mut weights, mut tokenizer, mut out, mut bits) =
            (None, None, None, (TABLE_BITS, LAYER_BITS));
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
        let missing = |name: &str| {
            format!(
                "usage: export-model --weights FILE --tokenizer FILE --out DIR (missing {name})"
            )
        };
        Ok(Self {
            weights: weights.ok_or_else(|| missing("--weights"))?,
            tokenizer: tokenizer.ok_or_else(|| missing("--tokenizer"))?,
            out: out.ok_or_else(|| missing("--out"))?,
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
}

/// Writes the tensors and returns the graph as ONNX bytes.
fn build_graph(
    weights: &Weights,
    tensors: &mut PackWriter,
    (table_bits, layer_bits): (u32, u32),
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut graph = GraphBuilder::new(tensors);
    let (ids, positions) = (graph.input("ids"), graph.input("positions"));

    let table = weights.get("embeddings.word_embeddings.weight")?;
    let table = graph.tensor("words", &[table.len() / HIDDEN, HIDDEN], &table, table_bits);
    let places = graph.tensor(
        "positions_table",
        &[MAX_TOKENS, HIDDEN],
        &position_table(weights)?,
        32,
    );
    let words = graph.gather(&table, &ids);
    let places = graph.gather(&places, &positions);
    let sum = graph.add(&words, &places);
    let mut hidden = layer_norm(&mut graph, weights, "embeddings.LayerNorm", &sum)?;

    for layer in 0..LAYERS {
        let prefix = format!("encoder.layer.{layer}");
        let attended = attention(&mut graph, weights, &prefix, &hidden, layer_bits)?;
        let sum = graph.add(&attended, &hidden);
        let middle = layer_norm(
            &mut graph,
            weights,
            &format!("{prefix}.attention.output.LayerNorm"),
            &sum,
        )?;
        let wide = dense(
            &mut graph,
            weights,
            &format!("{prefix}.intermediate.dense"),
            &middle,
            HIDDEN,
            layer_bits,
        )?;
        let wide = graph.gelu(&wide);
        let narrow = dense(
            &mut graph,
            weights,
            &format!("{prefix}.output.dense"),
            &wide,
            4 * HIDDEN,
            layer_bits,
        )?;
        let sum = graph.add(&narrow, &middle);
        hidden = layer_norm(
            &mut graph,
            weights,
            &format!("{prefix}.output.LayerNorm"),
            &sum,
        )?;
    }
    let pooled = graph.mean_over_tokens(&hidden);
    Ok(graph.finish(&pooled))
}

fn position_table(weights: &Weights) -> Result<Vec<f32>, Box<dyn Error>> {
    let positions = weights.get("embeddings.position_embeddings.weight")?;
    let types = weights.get("embeddings.token_type_embeddings.weight")?;
    Ok(positions[..MAX_TOKENS * HIDDEN]
        .iter()
        .enumerate()
        .map(|(index, value)| value + types[index % HIDDEN])
        .collect())
}

fn layer_norm(
    graph: &mut GraphBuilder,
    weights: &Weights,
    name: &str,
    input: &str,
) -> Result<String, Box<dyn Error>> {
    let scale = graph.tensor(
        &format!("{name}.weight"),
        &[HIDDEN],
        &weights.get(&format!("{name}.weight"))?,
        32,
    );
    let bias = graph.tensor(
        &format!("{name}.bias"),
        &[HIDDEN],
        &weights.get(&format!("{name}.bias"))?,
        32,
    );
    Ok(graph.layer_norm(input, &scale, &bias, EPSILON))
}

fn dense(
    graph: &mut GraphBuilder,
    weights: &Weights,
    name: &str,
    input: &str,
    width: usize,
    bits: u32,
) -> Result<String, Box<dyn Error>> {
    let matrix = weights.get(&format!("{name}.weight"))?;
    let bias = weights.get(&format!("{name}.bias"))?;
    Ok(graph.dense(name, input, width, &matrix, &bias, bits))
}

fn attention(
    graph: &mut GraphBuilder,
    weights: &Weights,
    prefix: &str,
    input: &str,
    bits: u32,
) -> Result<String, Box<dyn Error>> {
    let scale = 1.0 / ((HIDDEN / HEADS) as f32).sqrt();
    let (mut matrix, mut bias) = (Vec::new(), Vec::new());
    for (part, factor) in [("query", scale), ("key", 1.0), ("value", 1.0)] {
        let name = format!("{prefix}.attention.self.{part}");
        matrix.extend(
            weights
                .get(&format!("{name}.weight"))?
                .iter()
                .map(|value| value * factor),
        );
        bias.extend(
            weights
                .get(&format!("{name}.bias"))?
                .iter()
                .map(|value| value * factor),
        );
    }
    let joint = graph.dense(
        &format!("{prefix}.attention.self"),
        input,
        HIDDEN,
        &matrix,
        &bias,
        bits,
    );
    let attended = graph.attend(&joint, HEADS, HIDDEN / HEADS);
    dense(
        graph,
        weights,
        &format!("{prefix}.attention.output.dense"),
        &attended,
        HIDDEN,
        bits,
    )
}
