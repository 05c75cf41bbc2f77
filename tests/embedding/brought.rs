//! Models that somebody brings, against what another runtime and the original tokenizers make of
//! the same files (`small_models.py`), and the page's own model on both ways.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use assay::embedding::card::{Card, Pooling};
use assay::embedding::onnx::files::File;
use assay::embedding::onnx::{OnnxModel, Wishes};
use assay::embedding::{EmbedError, Embedder as _, open, pack::Pack};

use crate::{cosine, model, reference};

#[derive(serde::Deserialize)]
struct Fact {
    text: String,
    ids: Vec<u32>,
    mean: Option<Vec<f32>>,
    first: Option<Vec<f32>>,
    own: Option<Vec<f32>>,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/onnx")
        .join(name)
}

fn facts(name: &str) -> Vec<Fact> {
    let all = include_str!("../data/onnx/facts.json");
    let mut all: BTreeMap<String, Vec<Fact>> = serde_json::from_str(all).expect("valid");
    all.remove(name).expect("facts of this model")
}

fn file(path: &Path) -> File {
    File {
        name: path.display().to_string(),
        bytes: fs::read(path).expect("a file of the tests"),
    }
}

/// A model with some of the files of its folder.
fn brought(name: &str, files: &[&str], wishes: &Wishes) -> Result<OnnxModel, EmbedError> {
    let files = files.iter().map(|part| file(&folder(name).join(part)));
    OnnxModel::bring(files.collect(), name, wishes)
}

const ALL: [&str; 7] = [
    "model.onnx",
    "tokenizer.json",
    "config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "1_Pooling/config.json",
];

fn pooling(pooling: Pooling) -> Wishes {
    Wishes {
        pooling: Some(pooling),
        prefix: None,
    }
}

fn is_near(found: &[f32], expected: &[f32], text: &str) {
    assert_eq!(found.len(), expected.len());
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 2e-5, "{text:?}: {one} {other}");
    }
}

#[test]
fn a_multilingual_model_is_the_same_in_another_runtime() {
    for (wishes, way) in [
        (Wishes::default(), Pooling::Mean),
        (pooling(Pooling::First), Pooling::First),
    ] {
        let model = brought("multilingual", &ALL, &wishes).expect("it runs");
        assert_eq!(model.card().settings.pooling, way);
        for fact in facts("multilingual") {
            assert_eq!(model.tokenise(&fact.text), Ok(fact.ids), "{:?}", fact.text);
            let vector = model.embed(&fact.text).expect("a vector");
            let expected = if way == Pooling::Mean {
                fact.mean
            } else {
                fact.first
            };
            is_near(&vector, &expected.expect("a fact"), &fact.text);
        }
    }
}

#[test]
fn what_a_text_says_counts_and_not_its_language() {
    let model = brought("multilingual", &ALL, &Wishes::default()).expect("it runs");
    let [english, german, japanese, arabic, other] = [
        "The bread is fresh, baked this morning.",
        "Brot, frisch gebacken am Morgen.",
        "新鮮な パン は 朝 焼いた です。",
        "خبز طازج مخبوز صباح",
        "Der Zug ist spät am Bahnhof.",
    ]
    .map(|text| model.embed(text).expect("a vector"));
    for same in [&german, &japanese, &arabic] {
        assert!(cosine(&english, same) > cosine(&english, &other) + 0.1);
    }
}

#[test]
fn a_model_that_pools_itself_needs_no_word_of_it() {
    let model = brought(
        "pooled",
        &["model.onnx", "tokenizer.json"],
        &Wishes::default(),
    );
    let model = model.expect("it runs");
    let card = model.card();
    assert_eq!(card.settings.pooling, Pooling::Own);
    let can = [Pooling::Own, Pooling::Mean, Pooling::First];
    assert_eq!(card.poolings, can);
    assert_eq!((card.dimensions, &*card.weights), (32, "float32"));
    assert!(card.is_pooling_told);
    // no file gives a length: the facts were cut at 64
    for fact in facts("pooled").iter().filter(|fact| fact.ids.len() < 64) {
        assert_eq!(
            model.tokenise(&fact.text).as_ref(),
            Ok(&fact.ids),
            "{:?}",
            fact.text
        );
        let vector = model.embed(&fact.text).expect("a vector");
        is_near(&vector, fact.own.as_ref().expect("a fact"), &fact.text);
    }
    // the mean of its tokens is what it does
    let mean = brought(
        "pooled",
        &["model.onnx", "tokenizer.json"],
        &pooling(Pooling::Mean),
    );
    let mean = mean.expect("it runs").embed("the bread").expect("a vector");
    is_near(
        &mean,
        &model.embed("the bread").expect("a vector"),
        "the bread",
    );
}

#[test]
fn files_and_settings_make_the_identity() {
    let by = |wishes: &Wishes| brought("multilingual", &ALL, wishes).expect("it runs");
    let mean = by(&Wishes::default());
    assert_eq!(mean.model(), by(&Wishes::default()).model());
    assert_eq!(mean.model().id, "multilingual-small");
    assert_eq!(
        mean.model().precision,
        "ONNX float32, mean of the tokens, at most 64 tokens"
    );
    assert_ne!(
        mean.model().sha256,
        by(&pooling(Pooling::First)).model().sha256
    );
    assert_eq!(mean.card().prompts, ["query: "]);
    let prefix = Wishes {
        pooling: None,
        prefix: Some("query: ".into()),
    };
    let prefixed = by(&prefix);
    assert_ne!(mean.model().sha256, prefixed.model().sha256);
    assert_eq!(
        prefixed.embed("bread"),
        mean.embed("query: bread"),
        "the prefix stands before the text"
    );
}

#[test]
fn a_model_is_loaded_again_by_its_card_and_damage_is_seen() {
    let model = brought("multilingual", &ALL, &Wishes::default()).expect("it runs");
    let card = Card::read(&model.card().json()).expect("as it was written");
    let read = |name: &str| fs::read(folder("multilingual").join(name)).expect("a file");
    let (onnx, tokenizer) = (read("model.onnx"), read("tokenizer.json"));
    let again = OnnxModel::load(card.clone(), onnx.clone(), &tokenizer).expect("it runs");
    assert_eq!(again.model(), model.model());
    assert_eq!(again.embed("Brot"), model.embed("Brot"));
    let mut damaged = onnx;
    *damaged.last_mut().expect("a byte") ^= 1;
    let words = OnnxModel::load(card, damaged, &tokenizer)
        .expect_err("damaged")
        .0;
    assert!(
        words.contains("the ONNX file of multilingual-small is damaged"),
        "{words}"
    );
}

#[test]
fn what_cannot_be_run_is_said_by_operator() {
    let files = vec![
        file(&folder("broken.onnx")),
        file(&folder("multilingual/tokenizer.json")),
    ];
    let words = OnnxModel::bring(files, "broken", &Wishes::default())
        .expect_err("broken")
        .0;
    assert_eq!(
        words,
        "this model cannot be run here: tract has no operator Frobnicate, com.microsoft.SkipLayerNormalization (2 times). A file that was optimised for one runtime has its operators; the plain export (model.onnx) has not"
    );
    let half = fs::read(folder("multilingual/model.onnx")).expect("a file");
    let files = vec![
        File {
            name: "model.onnx".into(),
            bytes: half[..half.len() / 2].to_vec(),
        },
        file(&folder("multilingual/tokenizer.json")),
    ];
    let words = OnnxModel::bring(files, "half", &Wishes::default())
        .expect_err("half")
        .0;
    assert!(
        words.contains("this is not an ONNX file, or only a part of one"),
        "{words}"
    );
}

#[test]
fn the_command_line_asks_how_a_model_pools_where_nothing_says_it() {
    let copy = std::env::temp_dir().join(format!("assay-brought-{}", std::process::id()));
    fs::create_dir_all(copy.join("onnx")).expect("a folder");
    let from = folder("multilingual");
    fs::copy(from.join("model.onnx"), copy.join("onnx/model.onnx")).expect("copied");
    fs::copy(from.join("tokenizer.json"), copy.join("tokenizer.json")).expect("copied");
    let failed = |wishes: &Wishes| open(&copy, wishes).err().map(|error| error.0);
    let words = failed(&Wishes::default()).expect("it asks");
    assert!(words.contains("say --pooling mean"), "{words}");
    let words = failed(&pooling(Pooling::Own)).expect("it cannot");
    assert!(words.contains("and not pooled by the model"), "{words}");
    let model = open(&copy, &pooling(Pooling::Mean)).expect("it runs");
    // 256 tokens where no file says: another model than the one of 64
    assert!(model.model().precision.contains("at most 256 tokens"));
    // the file itself is as good as its folder
    let by_file = open(&copy.join("onnx/model.onnx"), &pooling(Pooling::Mean));
    assert_eq!(
        by_file.expect("it runs").model().sha256,
        model.model().sha256
    );
    fs::remove_file(copy.join("tokenizer.json")).expect("removed");
    let words = failed(&pooling(Pooling::Mean)).expect("it lacks");
    assert!(words.contains("tokenizer.json is missing"), "{words}");
    fs::remove_dir_all(copy).expect("removed");
}

/// The page's own model: its float32 graph with its tokenizer, brought like any other.
#[test]
fn the_pages_own_model_brought_as_onnx_is_float32() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let float32 = std::env::var_os("ASSAY_FLOAT32")
        .map_or_else(|| root.join("target/float32.onnx"), PathBuf::from);
    let packed =
        std::env::var_os("ASSAY_MODEL").map_or_else(|| root.join("public/model"), PathBuf::from);
    let mut entries = fs::read_dir(packed).expect("the model; `make model` makes it");
    let pack = entries.find_map(|entry| {
        let path = entry.ok()?.path();
        (path.extension()? == "pack").then_some(path)
    });
    let pack = fs::read(pack.expect("a pack")).expect("the model");
    let tokenizer = File {
        name: "tokenizer.json".into(),
        bytes: Pack::read(&pack)
            .and_then(|pack| pack.tokenizer())
            .expect("whole"),
    };
    let files = vec![file(&float32), tokenizer];
    let brought = OnnxModel::bring(files, "float32", &pooling(Pooling::Mean)).expect("it runs");
    let (mut lowest, mut lowest_packed) = (f64::INFINITY, f64::INFINITY);
    let (mut seconds, mut count) = (0.0, 0);
    for case in reference() {
        assert_eq!(
            brought.tokenise(&case.text).expect("ids"),
            case.ids,
            "{}",
            case.text
        );
        let began = Instant::now();
        let vector = brought.embed(&case.text).expect("a vector");
        seconds += began.elapsed().as_secs_f64();
        count += 1;
        lowest = lowest.min(cosine(&vector, &case.vector));
        let packed = model().embed(&case.text).expect("a vector");
        lowest_packed = lowest_packed.min(cosine(&vector, &packed));
    }
    println!(
        "lowest cosine to the reference {lowest:.7}, to the packed model {lowest_packed:.6}; {:.1} texts/s",
        f64::from(count) / seconds
    );
    assert!(lowest > 0.999_999, "{lowest}");
    assert!(lowest_packed > 0.9999, "{lowest_packed}");
}
