//! Embeds the texts of the control sample again and writes its file: `make control`, when a text or
//! the model has changed. A test says when it is due.

// a tool says what went wrong by panicking
#![allow(clippy::expect_used)]

use std::path::Path;

use assay::embedding::{Embedder, Model};
use assay::persona::voice::Control;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("public/voice/control.json");
    let json = std::fs::read(&file).expect("the control sample");
    let Control { texts, .. } = serde_json::from_slice(&json).expect("texts");
    let model = Model::open(&root.join("public/model")).expect("the model; `make model` makes it");
    let embed = |text: &String| model.embed(text).expect("a vector");
    let vectors: Vec<Vec<f32>> = texts.iter().map(embed).collect();
    let control = Control::pack(model.model().sha256.clone(), texts, &vectors);
    let mut json = serde_json::to_vec_pretty(&control).expect("plain data");
    json.push(b'\n');
    std::fs::write(&file, json).expect("the file written");
}
