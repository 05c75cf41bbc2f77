//! Loading the model from a folder, for the command line and the tests.

use std::path::Path;

use super::manifest::Manifest;
use super::{EmbedError, Model};

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
        Self::load(&read(&folder.join(&manifest.file))?, &manifest.sha256)
    }
}
