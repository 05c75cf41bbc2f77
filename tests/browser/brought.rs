//! A model that somebody brings: dropped, tried, used, kept, named by its hash, and never mixed
//! with another; against the command line with the same files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use serde_json::{Value, json};

use crate::accessibility::is_clean;
use crate::app::{App, in_app, mark};
use crate::harness::engine::Engine;

const PERSONA: &str = "id: baker
display_name: The baker
exemplars:
  - \"The bread is fresh.\"
  - \"Fresh bread, baked this morning.\"
  - \"The oven is good.\"
  - \"The mill is at the river.\"
  - \"The flour is good.\"
";

/// The first two replies say what the exemplars say, the other two do not.
const REPLIES: [(&str, &str); 4] = [
    ("german", "Brot, frisch gebacken am Morgen."),
    ("japanese", "新鮮な パン は 朝 焼いた です。"),
    ("arabic", "متأخر قطار محطة"),
    ("trains", "Der Zug ist spät am Bahnhof."),
];

fn transcript() -> String {
    let row = |(session, text): &(&str, &str)| {
        json!({ "session_id": session, "turn_index": 1, "role": "assistant", "text": text })
            .to_string()
    };
    REPLIES.iter().map(row).collect::<Vec<_>>().join("\n")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/onnx")
}

/// What the command line prints with the model of a folder.
fn computed(model: &Path) -> Value {
    let program = env::var("ASSAY_BIN")
        .expect("ASSAY_BIN names the command line (make test-browser sets it)");
    let own = env::temp_dir().join(format!("assay-brought-page-{}", process::id()));
    fs::create_dir_all(&own).unwrap();
    let [persona, replies] = ["persona.yaml", "transcript.jsonl"].map(|name| own.join(name));
    fs::write(&persona, PERSONA).unwrap();
    fs::write(&replies, transcript()).unwrap();
    let mut command = Command::new(program);
    command.arg("persona").arg("--persona").arg(&persona);
    command
        .arg("--input")
        .arg(&replies)
        .arg("--model")
        .arg(model);
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Drops files of the tests' models on the page.
fn drop_files(app: &App, files: &[&str]) {
    let file = |path: &&str| {
        let name = path.rsplit('/').next().unwrap();
        json!([name, fs::read(folder().join(path)).unwrap()])
    };
    let files: Vec<Value> = files.iter().map(file).collect();
    let give = "
        const transfer = new DataTransfer();
        for (const [name, bytes] of arguments[0]) {
            transfer.items.add(new File([new Uint8Array(bytes)], name));
        }
        const drop = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('drop', drop));";
    app.browser.run(give, &[json!(files)]).unwrap();
}

const MODEL: [&str; 6] = [
    "multilingual/model.onnx",
    "multilingual/tokenizer.json",
    "multilingual/config.json",
    "multilingual/sentence_bert_config.json",
    "multilingual/modules.json",
    "multilingual/1_Pooling/config.json",
];

/// What the page exports once the voice has been heard too, which is last of all.
fn exported(app: &App) -> Value {
    let script = "return document.querySelector(arguments[0]) !== null
        && document.querySelector(arguments[1]) === null
        && document.querySelector(arguments[2]) === null";
    let marks = ["export-json", "voice-silent", "embed-progress"].map(|id| json!(mark(id)));
    app.browser
        .wait(120, "all figures", script, &marks)
        .unwrap();
    serde_json::from_str(&app.offered("export-json")).unwrap()
}

/// Model, style and voice of each reply agree.
fn agrees(app: &App, expected: &Value) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    // the figures of the model before may still stand there, and the voice is heard after the rest
    let found = loop {
        let found = exported(app);
        let is_whole = found["sessions"][0]["turns"][0]["voice"].is_number();
        if found["model"] == expected["model"] && is_whole || std::time::Instant::now() > deadline {
            break found;
        }
    };
    assert_eq!(found["model"], expected["model"]);
    for (found, expected) in found["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .zip(expected["sessions"].as_array().unwrap())
    {
        for figure in ["style", "voice"] {
            let of = |session: &Value| session["turns"][0][figure].as_f64().expect(figure);
            let (one, other) = (of(found), of(expected));
            assert!(
                (one - other).abs() < 2e-3,
                "{figure} of {}: {one} {other}",
                found["session_id"]
            );
        }
    }
}

fn style(result: &Value, session: &str) -> f64 {
    let sessions = result["sessions"].as_array().unwrap();
    let found = sessions.iter().find(|one| one["session_id"] == session);
    found.unwrap()["turns"][0]["style"].as_f64().unwrap()
}

fn open_bench(app: &App) {
    app.go("#/persona");
    app.text("bench-persona");
    app.fill("input-persona", PERSONA);
    app.fill("input-transcript", &transcript());
}

fn bring(app: &App) {
    drop_files(app, &MODEL);
    app.says(
        "model-found",
        &["multilingual-small", "32 components", "float32"],
    );
    app.click("model-use");
    app.says("model-name", &["multilingual-small"]);
}

#[test]
fn a_model_is_brought_used_kept_and_left_again() {
    let (by_it, by_own) = (
        computed(&folder().join("multilingual")),
        computed(&Path::new(env!("CARGO_MANIFEST_DIR")).join("public/model")),
    );
    let hash = by_it["model"]["sha256"].as_str().unwrap();
    // other languages are judged by what they say
    for (baker, trains) in [("german", "trains"), ("japanese", "arabic")] {
        assert!(style(&by_it, baker) > style(&by_it, trains) + 0.1);
    }
    let mut link = String::new();
    in_app("brought", "", |app| {
        open_bench(app);
        bring(app);
        agrees(app, &by_it);
        app.says("embedded-by", &["multilingual-small", hash]);
        is_clean(app, "a model that was brought");
        link = app.permalink();
        // it is there again after a reload, and so are its vectors
        app.browser.reload().unwrap();
        app.text("bench-persona");
        agrees(app, &by_it);
        app.unfold("model-hash");
        app.says("model-hash", &[hash]);
        // another reply needs the model itself
        app.fill("input-transcript", &transcript().replace("spät", "late"));
        app.fill("input-transcript", &transcript());
        agrees(app, &by_it);
        // back to the page's own, and to it once more
        app.click("model-own");
        app.start_embedding();
        agrees(app, &by_own);
        app.says("embedded-by", &["all-MiniLM-L6-v2"]);
        app.fill("model", hash);
        agrees(app, &by_it);
        // pooled otherwise it is another model, which needs the files: a driven WebKit has none
        // of them after a reload (`places.rs`)
        if Engine::chosen().unwrap() == Engine::Webkit {
            bring(app);
        }
        app.fill("model-pooling", "first");
        app.click("model-use");
        app.says_at_last("embedded-by", &["first token"]);
        assert!(!app.text("embedded-by").contains(hash));
    });
    in_app("brought-link", &link[link.find('#').unwrap()..], |app| {
        app.text("bench-persona");
        app.says("model-absent", &["multilingual-small", &hash[..12]]);
        bring(app);
        agrees(app, &by_it);
    });
}

#[test]
fn what_is_no_model_is_said_and_changes_nothing() {
    in_app("brought-broken", "", |app| {
        open_bench(app);
        drop_files(app, &["broken.onnx", "multilingual/tokenizer.json"]);
        let words =
            ["tract has no operator Frobnicate, com.microsoft.SkipLayerNormalization (2 times)"];
        app.says("model-failed", &words);
        app.says("model-name", &["all-MiniLM-L6-v2"]);
        drop_files(app, &["multilingual/model.onnx"]);
        app.says("model-failed", &["tokenizer.json is missing"]);
        // without a word on pooling it is asked
        drop_files(
            app,
            &["multilingual/model.onnx", "multilingual/tokenizer.json"],
        );
        app.says("model-found", &["Its files do not say how it pools"]);
        // a model that pools itself
        drop_files(app, &["pooled/model.onnx", "pooled/tokenizer.json"]);
        // in what can be chosen, which not every engine counts to what is seen
        let says = "return document.querySelector(arguments[0]).textContent.includes('pooled by the model')";
        app.wait("model-found", says);
    });
}
