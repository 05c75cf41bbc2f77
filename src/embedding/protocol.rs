//! What the page and the embedding worker say to each other: plain objects
//! with one key, the message's name, numbers as JavaScript numbers, vectors as arrays.

use serde::{Deserialize, Serialize};

use super::ModelIdentity;
use crate::document::Reader;

/// Crate version and protocol number. The worker names it first of all; a page
/// that knows another one was replaced on the server while it was open.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/2");

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// Load the model. Answered by [`FromWorker::Progress`] and then
    /// [`FromWorker::Ready`], or by [`FromWorker::Failed`] without an id.
    Load {
        /// Absolute address of the `model/` folder, with a slash at the end.
        base: String,
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
        /// Bytes in all, where known.
        total: Option<f64>,
        /// What it is doing.
        stage: Stage,
    },
    /// The model is loaded.
    Ready {
        /// Which model it is.
        model: ModelIdentity,
        /// How long loading took, in milliseconds.
        load_ms: f64,
    },
    /// An embedding.
    Vector {
        /// The request's id.
        id: u32,
        /// 384 components of unit length.
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

impl FromWorker {
    /// Reads a message; none if it is not one.
    ///
    /// By hand, with the reader of all other documents: what can be derived
    /// brings a second one into the page, and the words of its errors.
    pub fn read(message: &Reader) -> Option<Self> {
        let text = |reader: &Reader, key| Some(reader.get(key)?.as_str()?.to_owned());
        let id = |reader: &Reader| u32::try_from(reader.get("id")?.as_integer()?).ok();
        if let Some(hello) = message.get("hello") {
            return Some(Self::Hello {
                version: text(&hello, "version")?,
            });
        }
        if let Some(progress) = message.get("progress") {
            let stage = progress.get("stage")?;
            return Some(Self::Progress {
                received: progress.get("received")?.as_f64()?,
                total: progress.get("total").and_then(|total| total.as_f64()),
                stage: match stage.as_str()? {
                    "cache" => Stage::Cache,
                    "download" => Stage::Download,
                    "unpack" => Stage::Unpack,
                    _ => return None,
                },
            });
        }
        if let Some(ready) = message.get("ready") {
            let model = ready.get("model")?;
            return Some(Self::Ready {
                model: ModelIdentity {
                    id: text(&model, "id")?,
                    sha256: text(&model, "sha256")?,
                    precision: text(&model, "precision")?,
                },
                load_ms: ready.get("load_ms")?.as_f64()?,
            });
        }
        if let Some(answer) = message.get("vector") {
            let vector = answer.get("vector")?.items()?;
            return Some(Self::Vector {
                id: id(&answer)?,
                // a 32-bit float comes through JSON unchanged
                vector: vector
                    .iter()
                    .map(|component| Some(component.as_f64()? as f32))
                    .collect::<Option<_>>()?,
            });
        }
        let failed = message.get("failed")?;
        Some(Self::Failed {
            id: id(&failed),
            message: text(&failed, "message")?,
        })
    }
}

/// Stages of loading the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Reading it from the browser's cache.
    Cache,
    /// Downloading it.
    Download,
    /// Unpacking the weights and preparing the graph.
    Unpack,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

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
    }

    #[test]
    fn messages_come_back_as_they_were_sent() {
        let model = ModelIdentity {
            id: "m".into(),
            sha256: "5a".into(),
            precision: "8-bit".into(),
        };
        let failed = |id| FromWorker::Failed {
            id,
            message: "no \"network\"".into(),
        };
        for message in [
            FromWorker::Hello {
                version: VERSION.into(),
            },
            FromWorker::Progress {
                received: 12.0,
                total: None,
                stage: Stage::Cache,
            },
            FromWorker::Progress {
                received: 0.5,
                total: Some(1e9),
                stage: Stage::Download,
            },
            FromWorker::Progress {
                received: 1.0,
                total: Some(1.0),
                stage: Stage::Unpack,
            },
            FromWorker::Ready {
                model,
                load_ms: 1.25,
            },
            FromWorker::Vector {
                id: u32::MAX,
                vector: vec![0.1, -1.0 / 3.0, f32::MIN_POSITIVE, 1.0, 0.0],
            },
            failed(Some(0)),
            failed(None),
        ] {
            let sent = serde_json::to_string(&message).expect("plain data");
            let node = parse_json(&sent).expect("JSON");
            assert_eq!(FromWorker::read(&Reader::new(&node)), Some(message));
        }
        for other in [
            "7",
            "{}",
            r#"{"hello":{}}"#,
            r#"{"progress":{"received":1,"stage":"rest"}}"#,
            r#"{"vector":{"id":1,"vector":[null]}}"#,
            r#"{"vector":{"id":-1,"vector":[]}}"#,
        ] {
            let node = parse_json(other).expect("JSON");
            assert_eq!(FromWorker::read(&Reader::new(&node)), None, "{other}");
        }
    }
}
