//! Loading a model from a folder, for the command line and the tests.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::card::is_plain;
use super::manifest::Manifest;
use super::onnx::files::{File, MODEL_MOST};
use super::onnx::{OnnxModel, Wishes};
use super::{EmbedError, Embedder, Model};
use crate::document::hex;

impl Model {
    /// Loads the model of a folder with `model.json`, and checks its hash.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| {
                EmbedError(format!(
                    "cannot read {}: {error}; `make model` makes it",
                    path.display()
                ))
            })
        };
        let path = folder.join("model.json");
        let manifest: Manifest = serde_json::from_slice(&read(&path)?)
            .map_err(|error| EmbedError(format!("{}: {error}", path.display())))?;
        let bytes = read(&folder.join(&manifest.file))?;
        let found = hex(&Sha256::digest(&bytes));
        if found != manifest.sha256 {
            return Err(EmbedError(format!(
                "the model file is damaged: its SHA-256 is {found}, expected {}",
                manifest.sha256
            )));
        }
        Self::load(&bytes, found)
    }
}

/// Where a model's files may stand in its folder.
const PLACES: [&str; 3] = ["", "onnx", "1_Pooling"];

/// The model of a folder: the page's own, which has `model.json`, or one that somebody brings;
/// of that the folder or its ONNX file. How it pools has to be asked for where its files do not say.
pub fn open(path: &Path, wishes: &Wishes) -> Result<Box<dyn Embedder + Send + Sync>, EmbedError> {
    let is_own = !path.is_file() && path.join("model.json").exists() || !path.exists();
    if is_own && *wishes == Wishes::default() {
        return Ok(Box::new(Model::open(path)?));
    }
    if is_own {
        return Err(EmbedError(format!(
            "{} has the page's own model, whose pooling and prefix are fixed",
            path.display()
        )));
    }
    let (folder, chosen) = if path.is_file() {
        (home(path), Some(path))
    } else {
        (path.to_owned(), None)
    };
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
    let name = whole.file_name().unwrap_or_default().display().to_string();
    let model = OnnxModel::bring(files(&folder, chosen)?, &name, wishes);
    let model = model.map_err(|error| EmbedError(format!("{}: {}", path.display(), error.0)))?;
    if !model.card().is_pooling_told && wishes.pooling.is_none() {
        return Err(EmbedError(format!(
            "{}: its files do not say how it pools (1_Pooling/config.json is missing): say --pooling mean, which most models have, or --pooling first",
            path.display()
        )));
    }
    Ok(Box::new(model))
}

/// The folder of a model, of which this is the ONNX file.
fn home(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let home = match folder.file_name() {
        Some(name) if name == "onnx" => folder.parent().unwrap_or(folder),
        _ => folder,
    };
    if home.as_os_str().is_empty() {
        ".".into()
    } else {
        home.into()
    }
}

/// All files of a model's folder that may say something of it, of several ONNX files the chosen one.
fn files(folder: &Path, chosen: Option<&Path>) -> Result<Vec<File>, EmbedError> {
    let wrong = |path: &Path, error: &std::io::Error| {
        EmbedError(format!("cannot read {}: {error}", path.display()))
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for place in PLACES {
        let place = folder.join(place);
        let entries = match std::fs::read_dir(&place) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(wrong(&place, &error)),
        };
        paths.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
    }
    paths.sort();
    let is_graph = |path: &PathBuf| path.extension().is_some_and(|ends| ends == "onnx");
    let plain = paths
        .iter()
        .find(|path| is_plain(&path.display().to_string()));
    let wanted = chosen.map(Path::to_owned).or_else(|| plain.cloned());
    let is_wanted = |path: &PathBuf| {
        !is_graph(path) || wanted.as_ref().is_none_or(|wanted| is_same(wanted, path))
    };
    let mut files = Vec::new();
    for path in paths
        .iter()
        .filter(|path| path.is_file() && is_wanted(path))
    {
        // of what is neither a graph nor a JSON only the name is of use
        let is_read = is_graph(path) || path.extension().is_some_and(|ends| ends == "json");
        let length = std::fs::metadata(path).map_or(0, |about| about.len());
        let bytes = if is_read && length <= MODEL_MOST {
            std::fs::read(path).map_err(|error| wrong(path, &error))?
        } else if is_graph(path) {
            return Err(EmbedError(format!(
                "{} has {} MB; the most is {} MB",
                path.display(),
                length / 1_000_000,
                MODEL_MOST / 1_000_000
            )));
        } else {
            Vec::new()
        };
        let name = path.strip_prefix(folder).unwrap_or(path);
        files.push(File {
            name: name.display().to_string(),
            bytes,
        });
    }
    Ok(files)
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
