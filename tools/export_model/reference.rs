//! Writes the original weights of all-MiniLM-L6-v2 as a plain float32 ONNX graph,
//! which is what the app is compared with:
//! `export-reference model.safetensors float32.onnx`.

use std::error::Error;

mod graph;
mod weights;
use graph::GraphBuilder;
use weights::{EPSILON, HEADS, HIDDEN, LAYERS, MAX_TOKENS, PARTS, Weights, part};

fn main() -> Result<(), Box<dyn Error>> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    let [weights, out] = &files[..] else {
        return Err("usage: export-reference WEIGHTS OUT".into());
    };
    let weights = std::fs::read(weights)?;
    let graph = onnx(&Weights::read(&weights)?)?;
    std::fs::write(out, &graph)?;
    println!("{}: {} bytes", out.display(), graph.len());
    Ok(())
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
