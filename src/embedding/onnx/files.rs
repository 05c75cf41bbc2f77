//! The files that somebody brings, each known by what is in it: two of them may be called
//! `config.json`.

use serde_json::Value;

use crate::embedding::EmbedError;
use crate::embedding::card::{Pooling, is_plain};
use crate::text::Shown;

/// The most bytes of a model: what a browser's memory holds three times.
pub const MODEL_MOST: u64 = 1_000_000_000;
/// The most bytes of a tokenizer; those of 100 languages have 17 MB.
pub const TOKENIZER_MOST: u64 = 100_000_000;
/// No other file of settings is as long: it is a tokenizer.
const SETTINGS_MOST: usize = 1_000_000;
/// Longer texts are cut here whatever a model says: what a text takes grows faster than its length.
pub const TOKENS_MOST: usize = 512;

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, for messages.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What the files of settings say of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What it is called.
    pub name: Option<String>,
    /// How it pools, or the name of a way that is not known here.
    pub pooling: Option<Result<Pooling, String>>,
    /// Whether a step that brings vectors to the length 1 is among its modules.
    pub normalise: Option<bool>,
    /// Its longest text in tokens, from whichever file knows best.
    pub max_tokens: Option<usize>,
    /// The prefix that it has for every text.
    pub prefix: Option<String>,
    /// All that it has.
    pub prompts: Vec<String>,
}

/// The files of a model.
#[derive(Debug)]
pub struct Sorted {
    /// The ONNX file.
    pub model: File,
    /// tokenizer.json.
    pub tokenizer: File,
    /// What the others say.
    pub told: Told,
}

/// Finds out which file is what; in words what is missing.
pub fn sort(files: Vec<File>) -> Result<Sorted, EmbedError> {
    let names: Vec<String> = files.iter().map(|file| file.name.clone()).collect();
    let (mut models, mut tokenizers, mut settings) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        match json(&file.bytes) {
            Some(Json::Tokenizer) => tokenizers.push(file),
            Some(Json::Settings(value)) => settings.push(value),
            None if is_onnx(&file) => models.push(file),
            None => {}
        }
    }
    Ok(Sorted {
        model: one(models, &names, "an ONNX file (model.onnx)", missing_model)?,
        tokenizer: one(tokenizers, &names, "tokenizer.json", missing_tokenizer)?,
        told: told(&settings),
    })
}

enum Json {
    Tokenizer,
    Settings(Value),
}

fn json(bytes: &[u8]) -> Option<Json> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace())?;
    if !matches!(first, b'{' | b'[') {
        return None;
    }
    if bytes.len() > SETTINGS_MOST {
        return Some(Json::Tokenizer);
    }
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let is_tokenizer = value
        .get("model")
        .is_some_and(|model| model.get("vocab").is_some());
    Some(if is_tokenizer {
        Json::Tokenizer
    } else {
        Json::Settings(value)
    })
}

/// An ONNX file begins with its version, a small number in the first field.
fn is_onnx(file: &File) -> bool {
    let is_called = std::path::Path::new(&file.name)
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("onnx"));
    is_called || matches!(file.bytes[..], [8, 1..=30, ..])
}

fn one(
    mut found: Vec<File>,
    names: &[String],
    what: &str,
    remedy: fn(&[String]) -> &'static str,
) -> Result<File, EmbedError> {
    if found.len() > 1 {
        let plain = found.iter().position(|file| is_plain(&file.name));
        if let Some(plain) = plain {
            return Ok(found.swap_remove(plain));
        }
        let found: Vec<String> = found
            .iter()
            .map(|file| Shown(&file.name).to_string())
            .collect();
        return Err(EmbedError(format!(
            "{} of the files are each {what}: {}. Give one of them",
            found.len(),
            found.join(", ")
        )));
    }
    found.pop().ok_or_else(|| {
        let given = if names.is_empty() {
            "no file was given".to_owned()
        } else {
            let names: Vec<String> = names.iter().map(|name| Shown(name).to_string()).collect();
            format!("given were {}", names.join(", "))
        };
        EmbedError(format!("{what} is missing; {given}. {}", remedy(names)))
    })
}

fn has(names: &[String], ends: &[&str]) -> bool {
    names
        .iter()
        .any(|name| ends.iter().any(|end| name.ends_with(end)))
}

fn missing_model(names: &[String]) -> &'static str {
    if has(names, &[".safetensors", ".bin", ".pt", ".h5", ".gguf"]) {
        "Weights in another format have to be exported first: `optimum-cli export onnx --model DIR OUT`"
    } else {
        "It lies among the model's files, often in the folder onnx/"
    }
}

fn missing_tokenizer(names: &[String]) -> &'static str {
    if has(
        names,
        &[
            "vocab.txt",
            "sentencepiece.bpe.model",
            "spiece.model",
            "vocab.json",
        ],
    ) {
        "A vocabulary alone does not say how a text is cut: `AutoTokenizer.from_pretrained(DIR).save_pretrained(DIR)` of transformers writes it"
    } else {
        "It lies among the model's files"
    }
}

fn told(settings: &[Value]) -> Told {
    let mut told = Told::default();
    // where several files give a length: the model's own, its tokenizer's, its table of places
    let mut lengths = [None; 3];
    let number = |value: &Value, key: &str| {
        let number = value.get(key)?.as_f64()?;
        // "no limit" is written as a number with 30 digits
        (1.0..1e6).contains(&number).then_some(number as usize)
    };
    for value in settings {
        if let Some(modules) = value.as_array() {
            let kinds = modules
                .iter()
                .filter_map(|module| module.get("type")?.as_str());
            let kinds: Vec<&str> = kinds.collect();
            if !kinds.is_empty() {
                told.normalise = Some(kinds.iter().any(|kind| kind.ends_with("Normalize")));
            }
        }
        if let Some(pooling) = pooling(value) {
            told.pooling = Some(pooling);
        }
        lengths[0] = lengths[0].or(number(value, "max_seq_length"));
        lengths[1] = lengths[1].or(number(value, "model_max_length"));
        if let Some(places) = number(value, "max_position_embeddings") {
            // models of RoBERTa's kind count their places from 2
            let first = match value.get("model_type").and_then(Value::as_str) {
                Some(kind) if kind.contains("roberta") || kind == "mpnet" => 2,
                _ => 0,
            };
            lengths[2] = Some(places.saturating_sub(first).max(1));
        }
        prompts(value, &mut told);
        if let Some(name) = value.get("_name_or_path").and_then(Value::as_str) {
            let last = name.trim_end_matches('/').rsplit('/').next();
            told.name = last.filter(|name| !name.is_empty()).map(str::to_owned);
        }
    }
    told.max_tokens = lengths.into_iter().flatten().next();
    told
}

/// What a file of a pooling says: several ways at once are none that is known here.
fn pooling(value: &Value) -> Option<Result<Pooling, String>> {
    let entries = value.as_object()?.iter();
    let modes = entries.filter_map(|(key, on)| Some((key.strip_prefix("pooling_mode_")?, on)));
    let modes: Vec<(&str, &Value)> = modes.collect();
    if modes.is_empty() {
        return None;
    }
    let on = modes.iter().filter(|(_, on)| on.as_bool() == Some(true));
    let on: Vec<&str> = on.map(|(mode, _)| *mode).collect();
    Some(match on[..] {
        ["mean_tokens"] => Ok(Pooling::Mean),
        ["cls_token"] => Ok(Pooling::First),
        _ => Err(on.join(" and ")),
    })
}

fn prompts(value: &Value, told: &mut Told) {
    let Some(prompts) = value.get("prompts").and_then(Value::as_object) else {
        return;
    };
    let texts = prompts.values().filter_map(Value::as_str);
    told.prompts = texts
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect();
    let name = value.get("default_prompt_name").and_then(Value::as_str);
    let prefix = name.and_then(|name| prompts.get(name)?.as_str());
    told.prefix = prefix.map(str::to_owned);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: &[u8]) -> File {
        File {
            name: name.into(),
            bytes: bytes.to_vec(),
        }
    }

    fn model() -> [File; 2] {
        [
            file("model.onnx", &[8, 8, 18]),
            file("tokenizer.json", br#"{"model": {"vocab": {}}}"#),
        ]
    }

    fn told_by(more: &[&str]) -> Told {
        let more = more.iter().map(|text| file("config.json", text.as_bytes()));
        sort(model().into_iter().chain(more).collect())
            .expect("whole")
            .told
    }

    #[test]
    fn files_are_known_by_what_is_in_them() {
        let sorted = sort(vec![
            file("b", br#"{"model": {"vocab": []}}"#),
            file("README.md", b"# words"),
            file("a", &[8, 7, 0]),
        ]);
        let sorted = sorted.expect("whole");
        assert_eq!((&*sorted.model.name, &*sorted.tokenizer.name), ("a", "b"));
        assert_eq!(sorted.told, Told::default());
    }

    #[test]
    fn all_that_the_files_of_settings_say_is_heard() {
        let told = told_by(&[
            r#"{"_name_or_path": "org/multi", "model_type": "xlm-roberta", "max_position_embeddings": 514}"#,
            r#"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#,
            r#"{"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": "query"}"#,
            r#"[{"type": "sentence_transformers.models.Transformer"}, {"type": "sentence_transformers.models.Normalize"}]"#,
        ]);
        assert_eq!(told.name.as_deref(), Some("multi"));
        assert_eq!(told.pooling, Some(Ok(Pooling::First)));
        assert_eq!(told.max_tokens, Some(512));
        assert_eq!(told.prefix.as_deref(), Some("query: "));
        assert_eq!(told.prompts.len(), 2);
        assert_eq!(told.normalise, Some(true));
    }

    #[test]
    fn the_models_own_length_comes_first_and_no_limit_is_none() {
        let places = r#"{"model_type": "bert", "max_position_embeddings": 512}"#;
        let tokenizer = r#"{"model_max_length": 1000000000000000019884624838656}"#;
        assert_eq!(told_by(&[places, tokenizer]).max_tokens, Some(512));
        let own = r#"{"max_seq_length": 128}"#;
        assert_eq!(told_by(&[places, own]).max_tokens, Some(128));
    }

    #[test]
    fn a_pooling_that_is_not_known_here_is_named() {
        let told =
            told_by(&[r#"{"pooling_mode_lasttoken": true, "pooling_mode_cls_token": false}"#]);
        assert_eq!(told.pooling, Some(Err("lasttoken".into())));
    }

    #[test]
    fn what_is_missing_is_said() {
        let fails = |files: Vec<File>| sort(files).expect_err("not whole").0;
        let [onnx, tokenizer] = model();
        let words = fails(vec![
            tokenizer.clone(),
            file("model.safetensors", b"weights"),
        ]);
        assert!(
            words.contains("an ONNX file (model.onnx) is missing"),
            "{words}"
        );
        assert!(words.contains("optimum-cli export onnx"), "{words}");
        let words = fails(vec![
            onnx.clone(),
            file("sentencepiece.bpe.model", b"\n\x0e"),
        ]);
        assert!(
            words.contains("tokenizer.json is missing; given were model.onnx, "),
            "{words}"
        );
        assert!(words.contains("save_pretrained"), "{words}");
        let quantised = file("model_int8.onnx", &onnx.bytes);
        let all = vec![quantised.clone(), onnx.clone(), tokenizer.clone()];
        assert_eq!(sort(all).expect("the plain one").model.name, "model.onnx");
        let words = fails(vec![quantised.clone(), quantised, tokenizer]);
        assert!(
            words.contains("2 of the files are each an ONNX file"),
            "{words}"
        );
        assert!(fails(Vec::new()).contains("no file was given"));
    }
}
