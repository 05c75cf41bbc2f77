//! Loading a model from a folder, for the command line and the tests.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use super::card::is_plain;
use super::manifest::Manifest;
use super::onnx::files::{File as Brought, MODEL_MOST};
use super::onnx::{OnnxModel, Wishes};
use super::{EmbedError, Embedder, Model, ModelIdentity};
use crate::document::hex;

impl Model {
    /// Loads the model of a folder with `model.json`, and checks its hash.
    pub fn open(folder: &Path) -> Result<Self, EmbedError> {
        let (path, manifest) = manifest(folder)?;
        let bytes = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        manifest.check(&Sha256::digest(&bytes))?;
        Self::load(&bytes, manifest.sha256)
    }
}

impl Manifest {
    /// Fails where this is not the hash of its file.
    fn check(&self, sha256: &[u8]) -> Result<(), EmbedError> {
        let found = hex(sha256);
        if found == self.sha256 {
            return Ok(());
        }
        Err(EmbedError(format!(
            "the model file is damaged: its SHA-256 is {found}, expected {}",
            self.sha256
        )))
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> EmbedError {
    EmbedError(format!(
        "cannot read {}: {error}; `make model` makes it",
        path.display()
    ))
}

/// That of a file, of which never more than a piece is held.
fn sha256_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut sha256 = Sha256::new();
    loop {
        let piece = file.fill_buf()?;
        if piece.is_empty() {
            return Ok(sha256.finalize().to_vec());
        }
        sha256.update(piece);
        let length = piece.len();
        file.consume(length);
    }
}

/// The file of the model of a folder, and what `model.json` says of it.
fn manifest(folder: &Path) -> Result<(PathBuf, Manifest), EmbedError> {
    let path = folder.join("model.json");
    let text = std::fs::read(&path).map_err(|error| unreadable(&path, &error))?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| EmbedError(format!("{}: {error}", path.display())))?;
    Ok((folder.join(&manifest.file), manifest))
}

/// A model that is read for the first text: what embeds nothing neither waits for its weights nor holds them.
/// That its file is there and as it should be is known before.
struct Unread {
    folder: PathBuf,
    identity: ModelIdentity,
    model: OnceLock<Result<Model, EmbedError>>,
}

impl Unread {
    fn open(folder: &Path) -> Result<Self, EmbedError> {
        let (path, manifest) = manifest(folder)?;
        let sha256 = sha256_of(&path).map_err(|error| unreadable(&path, &error))?;
        manifest.check(&sha256)?;
        Ok(Self {
            folder: folder.to_owned(),
            identity: ModelIdentity {
                id: manifest.id,
                sha256: manifest.sha256,
                precision: manifest.precision,
            },
            model: OnceLock::new(),
        })
    }

    fn when_needed(&self) -> Result<&Model, EmbedError> {
        let model = self.model.get_or_init(|| Model::open(&self.folder));
        model.as_ref().map_err(Clone::clone)
    }
}

impl Embedder for Unread {
    fn model(&self) -> &ModelIdentity {
        &self.identity
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        self.when_needed()?.embed(text)
    }

    fn embed_all(
        &self,
        texts: &[&str],
        threads: NonZero<usize>,
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        match self.when_needed() {
            Ok(model) => model.embed_all(texts, threads),
            Err(error) => texts.iter().map(|_| Err(error.clone())).collect(),
        }
    }
}

/// Where a model's files may stand in its folder.
const PLACES: [&str; 3] = ["", "onnx", "1_Pooling"];

/// The model of a folder: the page's own, which has `model.json`, or one that somebody brings;
/// of that the folder or its ONNX file. How it pools has to be asked for where its files do not say.
pub fn open(path: &Path, wishes: &Wishes) -> Result<Box<dyn Embedder + Send + Sync>, EmbedError> {
    let is_own = !path.is_file() && path.join("model.json").exists() || !path.exists();
    if is_own && *wishes == Wishes::default() {
        return Ok(Box::new(Unread::open(path)?));
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
fn files(folder: &Path, chosen: Option<&Path>) -> Result<Vec<Brought>, EmbedError> {
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
        files.push(Brought {
            name: name.display().to_string(),
            bytes,
        });
    }
    Ok(files)
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
