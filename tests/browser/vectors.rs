//! Both builds of the worker against the command line, component by component.

use crate::app::in_app;
use crate::harness::engine::Engine;
use serde_json::{Value, json};
use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Short, long, other scripts, nothing at all.
const TEXTS: [&str; 6] = [
    "That is a happy person",
    "a",
    "We have looked into your order, and we found that it left our warehouse on Monday: the carrier \
     will bring it within five working days. Please write again if it has not come by then!",
    "fn main() { println!(\"{}\", 0xFF); } // 👩‍👩‍👧‍👦 🔥",
    "机器学习模型 مرحبا بالعالم привет мир",
    "",
];

/// What a build of the worker gives for texts. The messages are those of
/// `embedding::protocol`, which the worker names in its greeting.
const EMBED: &str = r"
    const [program, texts] = arguments;
    const worker = new Worker(`embedder_start.js?${program}`);
    const answers = [], waiting = [];
    const take = data => {
        if (data instanceof Blob || data.progress) return;
        waiting.length ? waiting.shift()(data) : answers.push(data);
    };
    worker.onmessage = ({ data }) => take(data);
    worker.onerror = ({ message }) => take({ failed: { message } });
    const next = async () => {
        const message = answers.shift() ?? await new Promise(next => waiting.push(next));
        if (message.failed) throw new Error(message.failed.message);
        return message;
    };
    worker.postMessage(await WebAssembly.compileStreaming(fetch(`${program}_bg.wasm`)));
    await next();
    const ask = message => {
        worker.postMessage(JSON.stringify(message));
        return next();
    };
    const base = new URL('model/', location.href).href;
    await ask({ load: { base, manifest: await (await fetch(base + 'model.json')).text() } });
    const vectors = [];
    for (const text of texts) {
        const { vector: { vector } } = await ask({ embed: { id: 1, text } });
        vectors.push(Array.from(new Float32Array(vector.slice().buffer)));
    }
    worker.terminate();
    return vectors;
";

/// Whether the engine takes a module with one instruction of relaxed SIMD: some do from a version on.
const RELAXED: &str = "return WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0,
    65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11]))";

/// The command line's vectors; it takes a text per line.
fn computed() -> Vec<Vec<f64>> {
    let program = env::var("ASSAY_BIN")
        .expect("ASSAY_BIN names the command line (make test-browser sets it)");
    let mut command = Command::new(program)
        .arg("embed")
        .arg("--model")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("public/model"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = TEXTS.map(|text| format!("{text}\n")).concat();
    command
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = command.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn both_builds_of_the_worker_give_the_command_lines_vectors() {
    in_app("vectors", "", |app| {
        let expected = computed();
        assert_eq!(expected.len(), TEXTS.len());
        let programs = ["embedder", "embedder-relaxed"];
        let is_relaxed_there = app.browser.run(RELAXED, &[]).unwrap() == true;
        let may_lack_it = app.browser.engine != Engine::Chromium;
        assert!(is_relaxed_there || may_lack_it, "Chromium has relaxed SIMD");
        for program in &programs[..if is_relaxed_there { 2 } else { 1 }] {
            let arguments = [json!(program), json!(TEXTS)];
            let found: Value = app.browser.run_async(EMBED, &arguments).unwrap();
            let found: Vec<Vec<f64>> = serde_json::from_value(found).unwrap();
            for ((text, found), expected) in TEXTS.iter().zip(&found).zip(&expected) {
                assert_eq!(found.len(), 384);
                let pairs = || found.iter().zip(expected);
                let furthest = pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(furthest < 1e-5, "{program}: {text:?} is off by {furthest}");
                // both have the length 1 to seven digits
                let cosine: f64 = pairs().map(|(a, b)| a * b).sum();
                assert!(
                    cosine > 1.0 - 1e-6,
                    "{program}: {text:?} has cosine {cosine}"
                );
            }
        }
    });
}
