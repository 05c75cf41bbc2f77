//! Where the commands find the embedding model: the page's own, or one that somebody brings.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::PathBuf;

use lexopt::{Arg, Parser};

use super::Failure;
use super::input::text_value;
use crate::embedding::card::Pooling;
use crate::embedding::onnx::Wishes;
use crate::embedding::{EmbedError, Embedder, ModelIdentity, open};

/// What the arguments say of the model.
#[derive(Default)]
pub(super) struct Chosen {
    folder: Option<PathBuf>,
    wishes: Wishes,
}

impl Chosen {
    /// Takes an argument that is about the model; says whether it was one.
    pub(super) fn take(&mut self, arg: &Arg, parser: &mut Parser) -> Result<bool, Failure> {
        match arg {
            Arg::Long("model") => self.folder = Some(parser.value()?.into()),
            Arg::Long("pooling") => {
                let name = text_value(parser)?;
                let pooling = Pooling::named(&name).ok_or_else(|| {
                    Failure::Usage(format!(
                        "--pooling expects mean, first or own, got {name:?}"
                    ))
                })?;
                self.wishes.pooling = Some(pooling);
            }
            Arg::Long("prefix") => self.wishes.prefix = Some(text_value(parser)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Opens the model; without a folder, that of `ASSAY_MODEL` or `public/model`.
    pub(super) fn open(&self) -> Result<Remembering, Failure> {
        let folder = self
            .folder
            .clone()
            .or_else(|| std::env::var_os("ASSAY_MODEL").map(PathBuf::from))
            .unwrap_or_else(|| PathBuf::from("public/model"));
        let model = open(&folder, &self.wishes).map_err(|error| Failure::Model(error.0))?;
        let known = RefCell::default();
        Ok(Remembering { model, known })
    }
}

/// A model that embeds a text once: style and voice ask for the same ones.
pub(super) struct Remembering {
    model: Box<dyn Embedder>,
    known: RefCell<HashMap<String, Vec<f32>>>,
}

impl Embedder for Remembering {
    fn model(&self) -> &ModelIdentity {
        self.model.model()
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(vector) = self.known.borrow().get(text) {
            return Ok(vector.clone());
        }
        let vector = self.model.embed(text)?;
        self.known
            .borrow_mut()
            .insert(text.to_owned(), vector.clone());
        Ok(vector)
    }
}
