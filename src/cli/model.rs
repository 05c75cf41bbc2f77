//! Where the commands find the embedding model.

use std::path::PathBuf;

use super::Failure;
use crate::embedding::Model;

/// Opens the model of a folder; without one, that of `ASSAY_MODEL` or `public/model`.
pub(super) fn open(folder: Option<PathBuf>) -> Result<Model, Failure> {
    let folder = folder
        .or_else(|| std::env::var_os("ASSAY_MODEL").map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from("public/model"));
    Model::open(&folder).map_err(|error| Failure::Model(error.0))
}
