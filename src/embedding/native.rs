//! Loading the model from a folder, for the command line and the tests.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::manifest::Manifest;
use super::{EmbedError, Model};
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
