//! Where the commands find the embedding model: the page's own, or one that somebody brings.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::num::NonZero;
use std::path::PathBuf;

use lexopt::{Arg, Parser};

use super::Failure;
use super::input::{all_threads, text_value, threads_value};
use super::progress::{Progress, Step};
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
    /// How many threads may work; all unless it is said.
    pub(super) fn threads(&self) -> Option<NonZero<usize>> {
        self.threads
    }

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
    pub(super) fn open(&self) -> Result<Opened, Failure> {
        let folder = self
            .folder
            .clone()
            .or_else(|| std::env::var_os("ASSAY_MODEL").map(PathBuf::from))
            .unwrap_or_else(|| PathBuf::from("public/model"));
        let model = open(&folder, &self.wishes).map_err(|error| Failure::Model(error.0))?;
        Ok(Opened {
            model,
            threads: self.threads.unwrap_or_else(all_threads),
        })
    }
}

/// A model that threads can share.
pub(super) struct Opened {
    model: Box<dyn Embedder + Send + Sync>,
    /// How many threads it may use.
    pub(super) threads: NonZero<usize>,
}

impl Opened {
    /// The model as it is.
    pub(super) fn model(&self) -> &dyn Embedder {
        &*self.model
    }

    /// One that embeds a text once, with this help.
    pub(super) fn remembering<'a>(&'a self, with: Help<'a>) -> Remembering<'a> {
        Remembering {
            model: self.model(),
            with,
            known: RefCell::default(),
        }
    }

    /// The same with all threads, and nothing known.
    pub(super) fn alone(&self) -> Remembering<'_> {
        self.remembering(Help {
            threads: self.threads,
            earlier: None,
            is_told: true,
        })
    }
}

/// What a model is helped by.
#[derive(Clone, Copy)]
pub(super) struct Help<'a> {
    pub(super) threads: NonZero<usize>,
    /// Vectors that are known already.
    pub(super) earlier: Option<&'a Vectors>,
    /// Whether it says how far it is.
    pub(super) is_told: bool,
}

/// Vectors by their texts.
pub(super) type Vectors = HashMap<String, Vec<f32>>;

/// A model that embeds a text once: style and voice ask for the same ones.
pub(super) struct Remembering<'a> {
    model: &'a dyn Embedder,
    with: Help<'a>,
    known: RefCell<Vectors>,
}

/// So many texts for each thread are embedded between two words of how far it is.
const TOGETHER: usize = 512;

impl Remembering<'_> {
    /// Embeds texts that will be asked for one by one, all at once. One without a vector says why then.
    pub(super) fn prepare<'a>(&self, texts: impl IntoIterator<Item = &'a str>) {
        let mut seen = HashSet::new();
        let texts = texts.into_iter().filter(|text| seen.insert(*text));
        let mut unknown: Vec<&str> = texts.filter(|text| self.find(text).is_none()).collect();
        // those of like length together, the longest first: what is left is never underestimated
        unknown.sort_by_key(|text| Reverse(text.len()));
        let whole = unknown.iter().map(|text| text.len() as u64).sum();
        // another thread may hold stderr while this one works for it
        let mut progress = self
            .with
            .is_told
            .then(|| Progress::new("replies embedded", Some(whole), false));
        for texts in unknown.chunks(TOGETHER * self.with.threads.get()) {
            let vectors = self.model.embed_all(texts, self.with.threads);
            let made = texts.iter().zip(vectors);
            let made = made.filter_map(|(text, vector)| Some(((*text).to_owned(), vector.ok()?)));
            self.known.borrow_mut().extend(made);
            let step = Step {
                count: texts.len(),
                share: texts.iter().map(|text| text.len() as u64).sum(),
                ..Step::default()
            };
            if let Some(progress) = &mut progress {
                progress.add(step);
            }
        }
        if let Some(progress) = progress {
            progress.hide();
        }
    }

    fn find(&self, text: &str) -> Option<Vec<f32>> {
        let earlier = self.with.earlier.and_then(|earlier| earlier.get(text));
        earlier
            .cloned()
            .or_else(|| self.known.borrow().get(text).cloned())
    }

    /// The vectors that it knows by now.
    pub(super) fn into_known(self) -> Vectors {
        self.known.into_inner()
    }
}

impl Embedder for Remembering<'_> {
    fn model(&self) -> &ModelIdentity {
        self.model.model()
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(vector) = self.find(text) {
            return Ok(vector);
        }
        let vector = self.model.embed(text)?;
        self.known
            .borrow_mut()
            .insert(text.to_owned(), vector.clone());
        Ok(vector)
    }
}
