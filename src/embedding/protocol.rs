//! What the page and the embedding worker say to each other: objects with one key,
//! the message's name. The page sends them as JSON; the worker as JavaScript objects with
//! numbers and, for vectors, bytes. The page reads those by hand
//! ([`FromWorker::read`]): the code that would be derived is several times as long,
//! and the page is to be small.
//!
//! The first message of all is the compiled program, a `WebAssembly.Module`, for the
//! worker's start script.
//!
//! A `Blob` is a message of its own: the bytes of the model file. Where the browser
//! keeps no copy of the file, the worker that has fetched it hands them to the page so,
//! and the page to the other workers. A `Blob` is shared, not copied. Of a model that
//! somebody brings, the page hands over the files.

use serde::{Deserialize, Serialize};

/// Crate version and protocol number. The worker names it first of all; a page
/// that knows another one was replaced on the server while it was open. Vectors that are
/// kept in the browser are kept under it too: whoever changes what a text's vector is,
/// with the same model file, raises the number.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/5");

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// Load the model. Answered by [`FromWorker::Progress`] and then
    /// [`FromWorker::Ready`], or by [`FromWorker::Failed`] without an id.
    Load {
        /// Absolute address of the `model/` folder, with a slash at the end; of a model that
        /// is brought, what it is called where its files do not say.
        base: String,
        /// Which model there is: `model.json`, as the page has read it, or the
        /// [card](super::card::Card) of one that is brought. Without one the worker makes it,
        /// and says [`FromWorker::Card`].
        manifest: String,
    },
    /// Embed one text. Answered by [`FromWorker::Vector`] or [`FromWorker::Failed`] with its id.
    Embed {
        /// Names the request in the answer.
        id: u32,
        /// The text.
        text: String,
    },
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWorker {
    /// The worker runs; sent once, first of all.
    Hello {
        /// Its [`VERSION`].
        version: String,
    },
    /// How far loading has come.
    Progress {
        /// Bytes so far.
        received: f64,
        /// Bytes in all.
        total: f64,
        /// What it is doing.
        stage: Stage,
        /// What else there is to say, for people: why it waits.
        remark: Option<String>,
    },
    /// What a model that somebody brings is; before [`FromWorker::Ready`].
    Card {
        /// The card, as JSON.
        card: String,
    },
    /// The model is loaded.
    Ready {},
    /// An embedding.
    Vector {
        /// The request's id.
        id: u32,
        /// Bytes on the way.
        #[serde(serialize_with = "raw::serialize")]
        vector: Vec<f32>,
    },
    /// Something did not work.
    Failed {
        /// The request's id; none when loading failed.
        id: Option<u32>,
        /// What happened, for people.
        message: String,
    },
}

/// Stages of starting a worker and loading the model. The first two are the
/// page's own, before there is a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Downloading the worker's program.
    Program,
    /// Compiling it.
    Compile,
    /// Reading the browser's own copy.
    Cache,
    /// Downloading it.
    Download,
    /// Unpacking the weights and preparing the graph.
    Unpack,
}

/// An object from elsewhere, as the page asks it for its parts.
pub trait Parts: Sized {
    /// A part of this name.
    fn part(&self, name: &str) -> Option<Self>;
    /// It as a number.
    fn number(&self) -> Option<f64>;
    /// It as a text.
    fn text(&self) -> Option<String>;
    /// It as bytes.
    fn bytes(&self) -> Option<Vec<u8>>;
}

impl FromWorker {
    /// Reads a message; none when it is not one.
    pub fn read(message: &impl Parts) -> Option<Self> {
        if let Some(vector) = message.part("vector") {
            Some(Self::Vector {
                id: vector.part("id")?.number()? as u32,
                vector: raw::floats(&vector.part("vector")?.bytes()?),
            })
        } else if let Some(progress) = message.part("progress") {
            Some(Self::Progress {
                received: progress.part("received")?.number()?,
                total: progress.part("total")?.number()?,
                // the page's own stages come from no worker
                stage: match &*progress.part("stage")?.text()? {
                    "cache" => Stage::Cache,
                    "download" => Stage::Download,
                    _ => Stage::Unpack,
                },
                remark: progress.part("remark").and_then(|remark| remark.text()),
            })
        } else if let Some(failed) = message.part("failed") {
            Some(Self::Failed {
                id: failed
                    .part("id")
                    .and_then(|id| id.number())
                    .map(|id| id as u32),
                message: failed.part("message")?.text()?,
            })
        } else if let Some(card) = message.part("card") {
            Some(Self::Card {
                card: card.part("card")?.text()?,
            })
        } else if message.part("ready").is_some() {
            Some(Self::Ready {})
        } else {
            let version = message.part("hello")?.part("version")?.text()?;
            Some(Self::Hello { version })
        }
    }
}

/// 32-bit floats as bytes: one buffer instead of a JavaScript number for each.
pub mod raw {
    /// The bytes of these floats, the least significant of each first.
    pub fn bytes(vector: &[f32]) -> Vec<u8> {
        vector.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    /// The floats of these bytes; what is left over at the end does not count.
    pub fn floats(bytes: &[u8]) -> Vec<f32> {
        let (floats, _) = bytes.as_chunks::<4>();
        floats.iter().map(|&x| f32::from_le_bytes(x)).collect()
    }

    /// Writes floats as their bytes.
    pub fn serialize<S: serde::Serializer>(vector: &[f32], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&bytes(vector))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    impl Parts for Value {
        fn part(&self, name: &str) -> Option<Self> {
            self.get(name).cloned()
        }

        fn number(&self) -> Option<f64> {
            self.as_f64()
        }

        fn text(&self) -> Option<String> {
            self.as_str().map(str::to_owned)
        }

        fn bytes(&self) -> Option<Vec<u8>> {
            let bytes = self.as_array()?.iter();
            bytes.map(|byte| Some(byte.as_u64()? as u8)).collect()
        }
    }

    #[test]
    fn messages_have_the_agreed_shape() {
        let embed = ToWorker::Embed {
            id: 7,
            text: "hi".into(),
        };
        assert_eq!(
            serde_json::to_string(&embed).expect("plain data"),
            r#"{"embed":{"id":7,"text":"hi"}}"#
        );
        let vector = vec![1.0, -0.5];
        assert_eq!(raw::bytes(&vector), [0, 0, 128, 63, 0, 0, 0, 191]);
        assert_eq!(raw::floats(&raw::bytes(&vector)[..7]), [1.0]);
    }

    #[test]
    fn the_page_reads_what_the_worker_writes() {
        let progress = |stage, remark: Option<&str>| FromWorker::Progress {
            received: 12.0,
            total: 20.5,
            stage,
            remark: remark.map(str::to_owned),
        };
        let failed = |id| FromWorker::Failed {
            id,
            message: "no".into(),
        };
        let vector = vec![0.25, -1e-30];
        for message in [
            FromWorker::Hello {
                version: VERSION.into(),
            },
            progress(Stage::Cache, None),
            progress(Stage::Download, Some("it waits")),
            progress(Stage::Unpack, None),
            FromWorker::Card { card: "{}".into() },
            FromWorker::Ready {},
            FromWorker::Vector { id: 7, vector },
            failed(None),
            failed(Some(3)),
        ] {
            let written = serde_json::to_value(&message).expect("plain data");
            assert_eq!(FromWorker::read(&written), Some(message));
        }
        assert_eq!(FromWorker::read(&Value::Null), None);
        assert_eq!(FromWorker::read(&serde_json::json!({ "vector": {} })), None);
    }
}
