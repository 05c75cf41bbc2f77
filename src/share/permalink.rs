//! Permalinks: `#v2.<base64url, no padding, of a raw deflate of compact JSON and its CRC-32>`.
//!
//! The checksum (ISO-HDLC, of the deflated bytes, its least byte first) is there because a
//! link travels through mail and chats: a quarter of the links with one wrong character
//! would inflate to other figures. A link of version 1 has none, and opens as ever.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value};

use super::goal::Goal;
use super::private::{Masks, PrivateKind, counted};
use crate::document::{Node, Number as WrittenNumber, Value as Written, parse_json};
use crate::path;
use crate::text::Shown;

/// The key of what was masked.
const MASKED: &str = "masked";

/// The most bytes of JSON a link may hold.
pub const MOST_BYTES: usize = 4 << 20;

/// The version that is written.
const VERSION: u64 = 2;
/// The one before it: the same document without a checksum behind it.
const UNCHECKED: u64 = 1;
/// How hard to compress, of 10.
const LEVEL: u8 = 9;

/// What a link holds: the input as typed and what differs from the defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Version of the layout, 2; a document of version 1 is the same.
    pub v: u64,
    /// Version of the program that wrote it.
    pub app: String,
    /// Which bench it belongs to.
    pub kind: Kind,
    /// Formula name and version, as `rwea/1`.
    pub formula: Option<String>,
    /// The text, or for `persona` and `compare` an object of texts.
    pub input: Value,
    /// Weights that differ from the defaults.
    pub weights: Map<String, Value>,
    /// Options that differ from the defaults.
    pub options: Map<String, Value>,
    /// Keys that this version does not know; they are kept.
    pub other: Map<String, Value>,
}

// By hand, both ways: a derived `flatten` is 30 kB of the page.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("v", &self.v)?;
        map.serialize_entry("app", &self.app)?;
        map.serialize_entry("kind", &self.kind)?;
        if let Some(formula) = &self.formula {
            map.serialize_entry("formula", formula)?;
        }
        map.serialize_entry("input", &self.input)?;
        if !self.weights.is_empty() {
            map.serialize_entry("weights", &self.weights)?;
        }
        if !self.options.is_empty() {
            map.serialize_entry("options", &self.options)?;
        }
        for (key, value) in &self.other {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// The benches that have links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // named by the bench
pub enum Kind {
    Rwea,
    Reward,
    Persona,
    Compare,
}

impl Kind {
    /// The kind of a name as links have it.
    fn from_name(name: Option<&str>) -> Option<Self> {
        match name? {
            "rwea" => Some(Self::Rwea),
            "reward" => Some(Self::Reward),
            "persona" => Some(Self::Persona),
            "compare" => Some(Self::Compare),
            _ => None,
        }
    }

    /// The keys of the input object; none where the input is one text.
    pub(super) fn input_keys(self) -> &'static [&'static str] {
        match self {
            Self::Rwea | Self::Reward => &[],
            Self::Persona => &["persona", "transcript"],
            Self::Compare => &["persona", "transcript", "baseline"],
        }
    }
}

/// Why a link cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is no link in the text.
    NotALink,
    /// A version that this program does not know.
    UnknownVersion(String),
    /// A kind that this program does not know.
    UnknownKind(String),
    /// Cut short or changed on the way.
    Damaged(&'static str),
    /// The JSON is not a document.
    NotADocument(String),
    /// More than [`MOST_BYTES`] of JSON.
    TooLarge,
}

impl std::fmt::Display for LinkError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotALink => write!(
                formatter,
                "this is not an Assay link: expected #v2. and data"
            ),
            Self::UnknownVersion(version) => write!(
                formatter,
                "this link has version {version}; this program reads versions {UNCHECKED} to {VERSION}: a newer one may open it"
            ),
            Self::UnknownKind(kind) => write!(
                formatter,
                "this link is of kind {kind}; expected rwea, reward, persona or compare"
            ),
            Self::Damaged(why) => write!(
                formatter,
                "this link is damaged ({why}): copy the whole link once more"
            ),
            Self::NotADocument(why) => {
                write!(
                    formatter,
                    "this link does not hold an Assay document: {why}"
                )
            }
            Self::TooLarge => write!(
                formatter,
                "the data is larger than {} MiB, the most a link holds: share a file instead",
                MOST_BYTES >> 20
            ),
        }
    }
}

impl std::error::Error for LinkError {}

impl Document {
    /// A document of this program's version, without weights or options.
    pub fn new(kind: Kind, formula: &str, input: Value) -> Self {
        Self {
            v: VERSION,
            app: env!("CARGO_PKG_VERSION").into(),
            kind,
            formula: Some(formula.into()),
            input,
            weights: Map::new(),
            options: Map::new(),
            other: Map::new(),
        }
    }

    /// Masks the personal data of all texts, and says under `masked` what was masked, how often: each
    /// kind with its number.
    pub fn mask(&mut self) -> Masks {
        let mut texts = Vec::new();
        for value in self.input_texts() {
            texts.push(value.clone());
        }
        let mut masks = Masks::for_texts(texts.iter().map(String::as_str));
        for text in self.input_texts() {
            *text = masks.mask(text);
        }
        if !masks.counts().is_empty() {
            self.other.insert(MASKED.into(), masks.told());
        }
        masks
    }

    /// The texts of the input and of the options.
    fn input_texts(&mut self) -> Vec<&mut String> {
        let inputs: Vec<&mut Value> = match &mut self.input {
            Value::Object(parts) => parts.values_mut().collect(),
            whole => vec![whole],
        };
        let all = inputs.into_iter().chain(self.options.values_mut());
        all.filter_map(|value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
        .collect()
    }

    /// What was masked before this was shared, in words; none where nothing was.
    pub fn masked_words(&self) -> Option<String> {
        let counts = self.other.get(MASKED)?.as_object()?;
        let count = |kind: PrivateKind| {
            let number = counts.get(kind.name())?.as_u64()?;
            Some((kind, usize::try_from(number).ok()?))
        };
        let counts: Vec<_> = PrivateKind::ALL.into_iter().filter_map(count).collect();
        Some(counted(&counts)).filter(|words| !words.is_empty())
    }

    /// Sets the weights; one that is not finite is left out, as JSON has no word for it.
    #[must_use]
    pub fn with_weights(mut self, weights: &[(String, f64)]) -> Self {
        for (name, weight) in weights {
            if let Some(weight) = Number::from_f64(*weight) {
                self.weights.insert(name.clone(), weight.into());
            }
        }
        self
    }

    /// The weights as the scorers' options take them.
    pub fn weight_list(&self) -> Vec<(String, f64)> {
        self.weights
            .iter()
            .filter_map(|(name, weight)| Some((name.clone(), weight.as_f64()?)))
            .collect()
    }

    /// The input where it is one text (`rwea`, `reward`).
    pub fn text(&self) -> Option<&str> {
        self.input.as_str()
    }

    /// One text of the input object (`persona`, `compare`).
    pub fn part(&self, name: &str) -> Option<&str> {
        self.input.get(name)?.as_str()
    }

    /// Reads a document from its JSON, migrating older versions.
    pub fn from_node(node: Node) -> Result<Self, LinkError> {
        let value = plain(node.value);
        let version = value.get("v").cloned().unwrap_or(Value::Null);
        // an older version gets its own arm, which turns it into the next one
        match version.as_u64() {
            Some(UNCHECKED | VERSION) => {}
            Some(version) => return Err(LinkError::UnknownVersion(version.to_string())),
            None => return Err(LinkError::NotADocument("it has no version 'v'".into())),
        }
        let Value::Object(map) = value else {
            return Err(LinkError::NotADocument("it is not an object".into()));
        };
        let kind = map.get("kind").unwrap_or(&Value::Null);
        let kind = Kind::from_name(kind.as_str())
            .ok_or_else(|| LinkError::UnknownKind(kind.to_string()))?;
        let mut document = Self {
            v: VERSION,
            app: String::new(),
            kind,
            formula: None,
            input: Value::Null,
            weights: Map::new(),
            options: Map::new(),
            other: Map::new(),
        };
        for (key, value) in map {
            match key.as_str() {
                "v" | "kind" => {}
                "app" => document.app = text(value, "app")?.unwrap_or_default(),
                "formula" => document.formula = text(value, "formula")?,
                "input" => document.input = value,
                "weights" => document.weights = numbers(object(value, "weights")?)?,
                "options" => document.options = object(value, "options")?,
                _ => {
                    document.other.insert(key, value);
                }
            }
        }
        document.check_input()?;
        Ok(document)
    }

    fn check_input(&self) -> Result<(), LinkError> {
        let keys = self.kind.input_keys();
        if keys.is_empty() && self.text().is_none() {
            return Err(LinkError::NotADocument("input must be a text".into()));
        }
        for key in keys {
            if self.part(key).is_none() {
                let why = format!("input must be an object with a text '{key}'");
                return Err(LinkError::NotADocument(why));
            }
        }
        Ok(())
    }
}

fn text(value: Value, key: &str) -> Result<Option<String>, LinkError> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err(LinkError::NotADocument(format!("'{key}' must be a text"))),
    }
}

fn object(value: Value, key: &str) -> Result<Map<String, Value>, LinkError> {
    match value {
        Value::Null => Ok(Map::new()),
        Value::Object(map) => Ok(map),
        _ => Err(LinkError::NotADocument(format!(
            "'{key}' must be an object"
        ))),
    }
}

fn numbers(weights: Map<String, Value>) -> Result<Map<String, Value>, LinkError> {
    match weights.iter().find(|(_, weight)| !weight.is_number()) {
        Some((name, _)) => Err(LinkError::NotADocument(format!(
            "weight '{name}' must be a number"
        ))),
        None => Ok(weights),
    }
}

/// A value without its place; of a key that stands twice the last one.
fn plain(value: Written) -> Value {
    match value {
        Written::Null => Value::Null,
        Written::Bool(value) => Value::Bool(value),
        Written::Number(WrittenNumber::Integer(value)) => value.into(),
        Written::Number(WrittenNumber::Float(value)) => value.into(),
        Written::String(text) => Value::String(text),
        Written::List(items) => {
            Value::Array(items.into_iter().map(|item| plain(item.value)).collect())
        }
        Written::Map(entries) => {
            let mut map = Map::new();
            for entry in entries {
                map.insert(entry.key, plain(entry.node.value));
            }
            Value::Object(map)
        }
    }
}

/// The fragment of a document, `#v2.…`.
pub fn encode(document: &Document) -> Result<String, LinkError> {
    document.check_input()?;
    let json = serde_json::to_vec(document).map_err(|e| LinkError::NotADocument(e.to_string()))?;
    if json.len() > MOST_BYTES {
        return Err(LinkError::TooLarge);
    }
    let mut packed = compress_to_vec(&json, LEVEL);
    packed.extend(crc32(&packed).to_le_bytes());
    Ok(format!("#v{VERSION}.{}", URL_SAFE_NO_PAD.encode(packed)))
}

/// CRC-32 (ISO-HDLC), a bit at a time: a table would be larger than a link takes time.
fn crc32(bytes: &[u8]) -> u32 {
    let crc = bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    });
    !crc
}

/// What stands before two permalinks, with a comma between them: a comparison.
pub const COMPARE: &str = "compare=";

/// The two permalinks of a comparison, the earlier first, of a whole address or its fragment.
///
/// ```
/// use assay::share::compared_links;
///
/// assert_eq!(compared_links("https://example.org/#compare=v2.a,v2.b"), Some(["v2.a", "v2.b"]));
/// assert_eq!(compared_links("#v2.a"), None);
/// ```
pub fn compared_links(link: &str) -> Option<[&str; 2]> {
    let link = link.trim();
    let fragment = link.rsplit_once('#').map_or(link, |(_, fragment)| fragment);
    let (one, other) = fragment.strip_prefix(COMPARE)?.split_once(',')?;
    Some([one, other])
}

/// The document of a link: a whole address, its fragment, or `v2.…` alone. A place in it
/// ([`Goal`]) is passed over.
pub fn decode(link: &str) -> Result<Document, LinkError> {
    let link = link.trim();
    let fragment = link.rsplit_once('#').map_or(link, |(_, fragment)| fragment);
    let (fragment, _) = Goal::split(fragment);
    let (version, packed) = fragment
        .strip_prefix('v')
        .and_then(|rest| rest.split_once('.'))
        .filter(|(version, _)| !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()))
        .ok_or(LinkError::NotALink)?;
    let number: u64 = match version.parse() {
        Ok(number @ (UNCHECKED | VERSION)) => number,
        _ => return Err(LinkError::UnknownVersion(Shown(version).to_string())),
    };
    let wrong = LinkError::Damaged("a character is missing or wrong");
    let packed = URL_SAFE_NO_PAD.decode(packed.trim_end_matches('='));
    let packed = packed.map_err(|_| wrong.clone())?;
    let packed = match packed.split_last_chunk() {
        _ if number == UNCHECKED => &packed,
        Some((packed, sum)) if crc32(packed) == u32::from_le_bytes(*sum) => packed,
        _ => return Err(wrong),
    };
    let json = decompress_to_vec_with_limit(packed, MOST_BYTES).map_err(|error| {
        if error.status == TINFLStatus::HasMoreOutput {
            LinkError::TooLarge
        } else {
            LinkError::Damaged("it does not unpack")
        }
    })?;
    // the reader of all other documents: a second one would be 8 kB of the page
    let node = std::str::from_utf8(&json)
        .ok()
        .and_then(|json| parse_json(json).ok())
        .ok_or(LinkError::Damaged("it does not unpack to JSON"))?;
    // a link whose own version was changed on the way has another one inside
    let other = UNCHECKED + VERSION - number;
    let inner = node.at(path!["v"]).map(|version| &version.value);
    if inner == Some(&Written::Number(WrittenNumber::Integer(other as i64))) {
        return Err(LinkError::Damaged("its version is not that of its data"));
    }
    Document::from_node(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn packed(json: &str) -> String {
        let mut packed = compress_to_vec(json.as_bytes(), LEVEL);
        packed.extend(crc32(&packed).to_le_bytes());
        URL_SAFE_NO_PAD.encode(packed)
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    /// As version 1 wrote it.
    const OLD: &str = "#v1.LclBDsIgEEbhq5h_3SCYuJmrWGMmgjqpIgFaFoS7dxZdvu91bCA3gVMCwRpnLCYsEr1mboG1Xv_8W798wNkpSUxrVegznhy9eK6hzKDT7T50tyDvTy2gjvbIUhaQNZfrGDs";

    #[test]
    fn a_link_of_version_1_opens_for_ever() {
        let document = decode(OLD).expect("a link");
        let expected = Document {
            app: "0.1.0".into(),
            ..Document::new(Kind::Rwea, "rwea/1", json!("{\"candidates\": []}"))
                .with_weights(&[("w_risk".to_owned(), 0.25)])
        };
        assert_eq!(document, expected);
        assert!(decode(&OLD.replace("#v1", "#v2")).is_err());
    }

    #[test]
    fn any_other_character_in_a_link_is_refused() {
        let text = r#"{"candidates": [{"id": "A", "wins": 1}, {"id": "B", "wins": 0}]}"#;
        let document = Document::new(Kind::Rwea, "rwea/1", json!(text))
            .with_weights(&[("w_risk".to_owned(), 0.25)]);
        let link = encode(&document).expect("encodes");
        for place in 1..link.len() {
            for other in ('!'..='~').filter(|other| !link[place..].starts_with(*other)) {
                let changed = format!("{}{other}{}", &link[..place], &link[place + 1..]);
                assert!(decode(&changed).is_err(), "{changed}");
            }
        }
    }

    #[test]
    fn a_document_comes_back_from_any_spelling_of_its_link() {
        let weights = [("w_base".to_owned(), 0.1 + 0.2)];
        let document = Document::new(Kind::Rwea, "rwea/1", json!("{ \"a\": \u{1f525} }"))
            .with_weights(&weights);
        let fragment = encode(&document).expect("encodes");
        for link in [
            fragment.clone(),
            fragment[1..].to_owned(),
            format!(" https://example.org/a/b/{fragment}\n"),
            format!("{fragment}=="),
        ] {
            assert_eq!(decode(&link).as_ref(), Ok(&document));
        }
        assert_eq!(document.weight_list(), weights);
    }

    #[test]
    fn unknown_keys_survive() {
        let text = r#"{"v":2,"app":"0.0.9","kind":"persona","input":{"persona":"a","transcript":"b","judge":"c"},"options":{"seed":7},"later":{"x":[1,2.5,null]}}"#;
        let value: Value = serde_json::from_str(text).expect("valid");
        let node = parse_json(text).expect("valid");
        let document = Document::from_node(node).expect("a document");
        assert_eq!(document.part("judge"), Some("c"));
        let again = decode(&encode(&document).expect("encodes")).expect("decodes");
        assert_eq!(serde_json::to_value(again).expect("serialises"), value);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let version = |error| matches!(error, Err(LinkError::UnknownVersion(_)));
        assert_eq!(decode(""), Err(LinkError::NotALink));
        assert_eq!(decode("https://example.org/"), Err(LinkError::NotALink));
        assert_eq!(decode("#vx.abc"), Err(LinkError::NotALink));
        assert!(version(decode("#v3.abc")));
        assert!(version(decode("#v99999999999999999999.abc")));
        assert!(matches!(decode("#v2.a*b"), Err(LinkError::Damaged(_))));
        assert!(matches!(decode("#v2."), Err(LinkError::Damaged(_))));
        let link = |json: &str| decode(&format!("v2.{}", packed(json)));
        assert!(matches!(link("{"), Err(LinkError::Damaged(_))));
        assert!(matches!(link("[]"), Err(LinkError::NotADocument(_))));
        assert!(version(link(r#"{"v":3,"kind":"rwea","input":""}"#)));
        assert_eq!(
            link(r#"{"v":2,"kind":"poem","input":""}"#),
            Err(LinkError::UnknownKind("\"poem\"".into()))
        );
        for wrong in [
            r#"{"v":2,"kind":"rwea"}"#,
            r#"{"v":2,"kind":"rwea","input":{}}"#,
            r#"{"v":2,"kind":"persona","input":"a"}"#,
            r#"{"v":2,"kind":"compare","input":{"persona":"","transcript":""}}"#,
            r#"{"v":2,"kind":"reward","input":"","weights":{"ethical":"2"}}"#,
        ] {
            assert!(
                matches!(link(wrong), Err(LinkError::NotADocument(_))),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_link_cannot_be_a_bomb() {
        let json = format!("\"{}\"", "a".repeat(MOST_BYTES));
        assert_eq!(
            decode(&format!("v2.{}", packed(&json))),
            Err(LinkError::TooLarge)
        );
        let document = Document::new(Kind::Reward, "x", Value::String("a".repeat(MOST_BYTES)));
        assert_eq!(encode(&document), Err(LinkError::TooLarge));
    }

    #[test]
    fn a_cut_link_is_damaged() {
        let document = Document::new(Kind::Rwea, "rwea/1", json!("some text to be cut"));
        let fragment = encode(&document).expect("encodes");
        for end in 4..fragment.len() {
            assert!(decode(&fragment[..end]).is_err(), "{end}");
        }
    }
}
