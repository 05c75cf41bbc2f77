//! What the page and the embedding worker say to each other: plain objects
//! with one key, the message's name, numbers as JavaScript numbers, vectors as bytes.
//!
//! A `Blob` is a message of its own: the bytes of the model file. Where the browser
//! keeps no copy of the file, the worker that has fetched it hands them to the page so,
//! and the page to the other workers. A `Blob` is shared, not copied.

use serde::{Deserialize, Serialize};

use super::manifest::Manifest;

/// Crate version and protocol number. The worker names it first of all; a page
/// that knows another one was replaced on the server while it was open. Vectors that are
/// kept in the browser are kept under it too: whoever changes what a text's vector is,
/// with the same model file, raises the number.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/3");

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// Load the model. Answered by [`FromWorker::Progress`] and then
    /// [`FromWorker::Ready`], or by [`FromWorker::Failed`] without an id.
    Load {
        /// Absolute address of the `model/` folder, with a slash at the end.
        base: String,
        /// Which model there is.
        manifest: Manifest,
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
        /// Bytes in all.
        total: f64,
        /// What it is doing.
        stage: Stage,
        /// What else there is to say, for people: why it waits.
        remark: Option<String>,
    },
    /// The model is loaded.
    Ready {
        /// How long loading took, in milliseconds.
        load_ms: f64,
    },
    /// An embedding.
    Vector {
        /// The request's id.
        id: u32,
        /// 384 components of unit length; little-endian bytes on the way.
        #[serde(with = "raw")]
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
    /// Reading the browser's own copy.
    Cache,
    /// Downloading it.
    Download,
    /// Unpacking the weights and preparing the graph.
    Unpack,
}

/// 32-bit floats as bytes: one buffer instead of a JavaScript number for each.
mod raw {
    use serde::{Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(vector: &[f32], to: S) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
        to.serialize_bytes(&bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f32>, D::Error> {
        from.deserialize_bytes(Bytes)
    }

    struct Bytes;

    impl de::Visitor<'_> for Bytes {
        type Value = Vec<f32>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("the bytes of 32-bit floats")
        }

        fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<f32>, E> {
            let (floats, rest) = bytes.as_chunks::<4>();
            if rest.is_empty() {
                Ok(floats.iter().map(|&x| f32::from_le_bytes(x)).collect())
            } else {
                Err(E::invalid_length(bytes.len(), &self))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::value::{BytesDeserializer, Error};

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
            serde_json::from_str(r#"{"progress":{"received":12,"total":20,"stage":"download"}}"#)
                .expect("a remark may be left out");
        assert_eq!(
            progress,
            FromWorker::Progress {
                received: 12.0,
                total: 20.0,
                stage: Stage::Download,
                remark: None,
            }
        );
    }

    #[test]
    fn vectors_are_bytes_on_the_way() {
        let vector = FromWorker::Vector {
            id: 1,
            vector: vec![1.0, -0.5],
        };
        let bytes = [0, 0, 128, 63, 0, 0, 0, 191];
        assert_eq!(
            serde_json::to_value(&vector).expect("plain data")["vector"]["vector"],
            serde_json::json!(bytes)
        );
        let read = |bytes| raw::deserialize(BytesDeserializer::<Error>::new(bytes));
        assert_eq!(read(&bytes), Ok(vec![1.0, -0.5]));
        assert!(read(&bytes[1..]).is_err());
    }
}
