//! Taking out of a report what it says.

use serde_json::{Map, Value};

use super::super::markup::unescaped;
use super::super::permalink::Document;
use super::claims::{Report, Said};
use super::html::{BEGINNING, CLAIMS, PART, VERSION};
use crate::document::{Place, Problem, Severity, parse_json};

/// Whether a text is a report, of whatever version.
pub fn is_report(text: &str) -> bool {
    text.trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with(BEGINNING)
}

/// What a report says, of any spelling of its ends of lines. Fails where it is of a version that is not
/// known, or is cut or changed such that its input or its result cannot be taken out.
pub fn read_report(text: &str) -> Result<Report, Problem> {
    let text = text.replace("\r\n", "\n");
    let beginning = text
        .find(BEGINNING)
        .ok_or_else(|| problem("this is no Assay report"))?;
    let version = &text[beginning + BEGINNING.len()..];
    let version = version.split('"').next().unwrap_or_default();
    if version != VERSION {
        return Err(problem(&format!(
            "this report has version {version:?}; this program reads version {VERSION}"
        )));
    }
    let (mut claims, mut parts) = (None, Map::new());
    for block in text.split("<pre ").skip(1) {
        let (attributes, text) =
            block_of(block).ok_or_else(|| problem("a text of this report is cut"))?;
        if attributes.contains(CLAIMS) {
            claims = Some(json(&text, "what this report says")?);
        } else if let Some(name) = attribute(attributes, PART) {
            let is_json = attributes.contains("data-as=\"json\"");
            let part = if is_json {
                json(&text, "its input")?
            } else {
                text.into()
            };
            parts.insert(unescaped(name), part);
        }
    }
    let claims = claims.filter(Value::is_object);
    let mut claims =
        claims.ok_or_else(|| problem("this report does not say what came of its input"))?;
    let document = document(&mut claims, parts)?;
    Ok(Report {
        document,
        result: claims["result"].take(),
        said: said(&claims["said"]),
        dated: claims["dated"].as_str().map(str::to_owned),
    })
}

/// The attributes of a block, and its text.
fn block_of(block: &str) -> Option<(&str, String)> {
    let (attributes, rest) = block.split_once(">\n")?;
    let (text, _) = rest.split_once("</pre>")?;
    Some((attributes, unescaped(text)))
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = attributes.split_once(name)?;
    let (value, _) = rest.strip_prefix("=\"")?.split_once('"')?;
    Some(value)
}

fn json(text: &str, what: &str) -> Result<Value, Problem> {
    serde_json::from_str(text).map_err(|error| problem(&format!("{what} cannot be read: {error}")))
}

/// The document with the input that stands beside it.
fn document(claims: &mut Value, mut parts: Map<String, Value>) -> Result<Document, Problem> {
    let mut document = claims["document"].take();
    let whole = parts.remove("input");
    let input = whole.unwrap_or(Value::Object(parts));
    if let Value::Object(document) = &mut document {
        document.insert("input".into(), input);
    }
    let node = parse_json(&document.to_string())?;
    Document::from_node(node).map_err(|error| problem(&error.to_string()))
}

fn said(value: &Value) -> Vec<Said> {
    let all = value.as_array().into_iter().flatten();
    let all = all.map(|one| Said {
        title: one["title"].as_str().unwrap_or_default().to_owned(),
        sentences: one["sentences"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|sentence| sentence.as_str().map(str::to_owned))
            .collect(),
    });
    all.collect()
}

fn problem(message: &str) -> Problem {
    Problem::new(Severity::Error, Place { line: 1, column: 1 }, "", message)
}
