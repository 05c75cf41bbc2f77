//! What the page and the embedding worker say to each other: plain objects
//! with one key, the message's name, numbers as JavaScript numbers, vectors as arrays.

use serde::{Deserialize, Serialize};

use super::ModelIdentity;

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// Stages of loading the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        let progress: FromWorker =
            serde_json::from_str(r#"{"progress":{"received":12,"stage":"download"}}"#)
                .expect("total may be left out");
        assert_eq!(
            progress,
            FromWorker::Progress {
                received: 12.0,
                total: None,
                stage: Stage::Download
            }
        );
    }
}
