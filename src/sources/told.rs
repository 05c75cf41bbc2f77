//! What a document tells of where it comes from, when nothing else is known of that any more.

use super::formats::noun_of;
use super::mapping::Value;
use super::notes::Dropped;
use crate::document::{self, Node, SOURCE, head, parse_yaml};

/// What stands under `source` in a document that was made of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// What the file was read as, with an article; the format's key where it is not known.
    pub noun: String,
    /// Why.
    pub because: String,
    /// The file's name; empty where nothing says so.
    pub file: String,
    /// Which part of it; empty where nothing says so.
    pub id: String,
    /// The mapping that was used: keys and values.
    pub mapping: Vec<(String, Value)>,
    /// What was left out.
    pub left_out: Vec<Dropped>,
    /// Of a persona, how many of its exemplars were taken from where.
    pub taken: Vec<(String, usize)>,
    /// Verdicts that are others when the seats are swapped, in words: of all debates.
    pub swapped: Vec<String>,
}

/// What a document tells; none of one that was not made of a file.
///
/// ```
/// let text = "{\"source\": {\"format\": \"inspect\", \"because\": \"it has `eval`\"}, \"turns\": []}";
/// assert_eq!(assay::sources::told(text).map(|told| told.noun), Some("a log of Inspect".into()));
/// ```
pub fn told(document: &str) -> Option<Told> {
    let source = head(document, SOURCE).or_else(|| {
        let is_there = document.lines().any(|line| line.starts_with("source:"));
        let root = is_there.then(|| parse_yaml(document).ok()).flatten();
        root.and_then(|root| root.get(SOURCE).cloned())
    })?;
    let text = |key: &str| source.get(key).and_then(Node::text);
    let (format, because) = (text("format")?, text("because")?);
    let mapping = source.get("mapping").map_or(&[][..], Node::entries);
    let mapping = mapping
        .iter()
        .filter_map(|entry| Some((entry.key.clone(), value(&entry.node)?)));
    let taken = source.get("taken").map_or(&[][..], Node::entries);
    let taken = taken
        .iter()
        .filter_map(|entry| Some((entry.key.clone(), entry.node.number()? as usize)));
    let left_out = source.get("left_out").map_or(&[][..], Node::items);
    Some(Told {
        noun: noun_of(format).unwrap_or(format).to_owned(),
        because: because.to_owned(),
        file: text("file").unwrap_or_default().to_owned(),
        id: text("id").unwrap_or_default().to_owned(),
        mapping: mapping.collect(),
        left_out: left_out.iter().filter_map(dropped).collect(),
        taken: taken.collect(),
        swapped: swapped(document, &source),
    })
}

/// Of a debate in each line every one keeps its own.
fn swapped(document: &str, first: &Node) -> Vec<String> {
    const KEY: &str = "swapped";
    let lines = document.lines().skip(1);
    let lines = lines.filter(|line| line.starts_with('{') && line.contains("\"swapped\""));
    let others: Vec<Node> = lines.filter_map(|line| head(line, SOURCE)).collect();
    let all = std::iter::once(first).chain(&others);
    let verdicts = all.flat_map(|source| source.get(KEY).map_or(&[][..], Node::items));
    verdicts.filter_map(Node::text).map(str::to_owned).collect()
}

impl Told {
    /// Where exemplars were taken from: `4 from mes_example, 1 from first_mes`; empty where nothing
    /// says so.
    pub fn taken_words(&self) -> String {
        let taken = self.taken.iter();
        let taken = taken.map(|(origin, times)| format!("{times} from {origin}"));
        taken.collect::<Vec<_>>().join(", ")
    }
}

fn value(node: &Node) -> Option<Value> {
    match &node.value {
        document::Value::Number(number) => Some(Value::Number(number.as_f64())),
        document::Value::String(text) => Some(Value::Text(text.clone())),
        document::Value::List(items) => {
            let names = items.iter().filter_map(Node::text);
            Some(Value::Names(names.map(str::to_owned).collect()))
        }
        _ => None,
    }
}

fn dropped(node: &Node) -> Option<Dropped> {
    let number = |key: &str| node.get(key).and_then(Node::number);
    Some(Dropped {
        what: node.get("what").and_then(Node::text)?.to_owned(),
        times: number("times")? as usize,
        first_line: number("first_line").unwrap_or_default() as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_seats_are_told_of_every_debate() {
        let debate = |verdict: &str| {
            let swapped = format!("[\"{verdict}\"]");
            format!(
                "{{\"question\": \"swapped\", \"source\": {{\"format\": \"x\", \"because\": \"y\", \"swapped\": {swapped}}}}}"
            )
        };
        let one = told(&debate("a")).map(|told| told.swapped);
        assert_eq!(one, Some(vec!["a".to_owned()]));
        let series = format!("{}\n{{}}\n{}\n", debate("a"), debate("b"));
        let both = told(&series).map(|told| told.swapped);
        assert_eq!(both, Some(vec!["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn every_kind_of_document_tells_where_it_comes_from() {
        let source = r#"{"format": "sharegpt", "because": "it has all", "file": "a.json", "mapping": {"low": 0.5, "part": "x", "names": ["a", "b"]}, "left_out": [{"what": "rows", "times": 2, "first_line": 3}]}"#;
        for text in [
            format!("{{\"question\": \"source\", \"source\": {source}, \"candidates\": []}}"),
            format!("{{\"session_id\": \"s\", \"source\": {source}, \"role\": \"user\"}}\n{{}}\n"),
            format!("id: x\nexemplars:\n  - a\n\nsource: {source}\n"),
        ] {
            let told = told(&text).expect("a source");
            assert_eq!((&*told.noun, &*told.file), ("chats of ShareGPT", "a.json"));
            assert_eq!(told.mapping.len(), 3);
            assert_eq!(
                told.mapping[2],
                ("names".into(), Value::Names(vec!["a".into(), "b".into()]))
            );
            assert_eq!(
                (told.left_out[0].times, told.left_out[0].first_line),
                (2, 3)
            );
        }
        for text in [
            "{\"source\": \"a book\"}",
            "source: a book\n",
            "{}",
            "",
            "{\"source\": {\"format\": 1}}",
        ] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
