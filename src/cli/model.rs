//! Where the commands find the embedding model: the page's own, or one that somebody brings.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::path::PathBuf;

use lexopt::{Arg, Parser};

use super::Failure;
use super::input::{all_threads, text_value, threads_value};
use crate::embedding::card::Pooling;
use crate::embedding::onnx::Wishes;
use crate::embedding::{EmbedError, Embedder, ModelIdentity, open};

/// What the arguments say of the model.
#[derive(Default)]
pub(super) struct Chosen {
    folder: Option<PathBuf>,
    wishes: Wishes,
    threads: Option<NonZero<usize>>,
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
            Arg::Long("threads") => {
                self.threads = Some(threads_value(parser)?);
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
        Ok(Remembering {
            model,
            threads: self.threads.unwrap_or_else(all_threads),
            known: RefCell::default(),
        })
    }
}

/// A model that embeds a text once: style and voice ask for the same ones.
pub(super) struct Remembering {
    model: Box<dyn Embedder>,
    /// How many threads it may use.
    pub(super) threads: NonZero<usize>,
    known: RefCell<HashMap<String, Vec<f32>>>,
}

impl Remembering {
    /// Embeds texts that will be asked for one by one, all at once. One without a vector says why then.
    pub(super) fn prepare<'a>(&self, texts: impl IntoIterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        let texts = texts.into_iter().filter(|text| seen.insert(*text));
        let is_new = |text: &&str| !self.known.borrow().contains_key(*text);
        let unknown: Vec<&str> = texts.filter(is_new).collect();
        let vectors = self.model.embed_all(&unknown, self.threads);
        let made = unknown.into_iter().zip(vectors);
        let made = made.filter_map(|(text, vector)| Some((text.to_owned(), vector.ok()?)));
        self.known.borrow_mut().extend(made);
    }
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

    fn embed_all(
        &self,
        texts: &[&str],
        threads: NonZero<usize>,
    ) -> Vec<Result<Vec<f32>, EmbedError>> {
        self.model.embed_all(texts, threads)
    }
}
