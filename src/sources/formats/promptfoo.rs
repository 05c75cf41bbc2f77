//! Results of promptfoo: `{"results": {"results": [{"testIdx", "promptIdx", "provider", "prompt",
//! "vars", "success", "score", "gradingResult": {"componentResults": [{"pass", "score", "reason",
//! "assertion": {"type", "metric"?, "weight"?}}]}}]}}`, or such a result in each row.
//!
//! A test is a debate: its candidates are providers and prompts, its debaters are assertions. All
//! tests together are one more, whose debaters are the tests.

use std::collections::{HashMap, HashSet};

use super::super::ballots::{Ballot, Gathered, Mark};
use super::super::content::Content;
use super::super::conversation::Label;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, word};
use crate::document::{Node, Value};

pub(super) const FORMAT: Format = Format {
    key: "promptfoo",
    noun: "a promptfoo result",
    shapes: &[
        Shape {
            has: &[
                "results.results[].provider",
                "results.results[].success",
                "results.results[].gradingResult",
            ],
            lacks: &[],
        },
        Shape {
            has: &["results.results[].provider", "results.results[].success"],
            lacks: &[],
        },
        Shape {
            has: &["provider", "success", "gradingResult"],
            lacks: &["results"],
        },
        Shape {
            has: &["provider", "success", "testIdx", "promptIdx"],
            lacks: &["results"],
        },
    ],
    group: |row| match row.get("results") {
        Some(_) => Group::Own,
        None => Group::All,
    },
    read,
};

/// The longest name of a prompt or a value that stands in a name.
const SHORT: usize = 48;

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let options = ["score", "pass"];
    let label = "An assertion says by";
    let by = context
        .mapping
        .one_of("verdict", label, &options, options[0]);
    let results: Vec<&Node> = rows.iter().flat_map(results).collect();
    let names = Names::of(&results);
    let mut all = Gathered::new("", "All tests");
    let mut tests = Vec::<Gathered>::new();
    let mut known = HashMap::new();
    for result in results {
        let key = Test::of(result);
        let at = *known.entry(key.key.clone()).or_insert_with(|| {
            tests.push(key.gathered(tests.len()));
            tests.len() - 1
        });
        let test = &mut tests[at];
        let name = names.of_result(result);
        let places = [test.candidate(&name), all.candidate(&name)];
        for (gathered, place) in [&mut *test, &mut all].into_iter().zip(places) {
            gathered.ballots.candidates[place].model = model(result);
        }
        if is_error(result) {
            context
                .notes
                .drop("results with an error", result.place.line);
            continue;
        }
        let said = said(result, by == "pass", &mut context.notes);
        let output = result.find("response.output").and_then(word);
        test.ballots.candidates[places[0]].text = output;
        add(said, test, &mut all, places);
    }
    let ballots = std::iter::once(all).chain(tests);
    ballots
        .map(|gathered| Content::Ballots(gathered.ballots))
        .collect()
}

fn results(row: &Node) -> &[Node] {
    match row.find("results.results") {
        Some(results) => results.items(),
        None => std::slice::from_ref(row),
    }
}

/// What an assertion says of an answer.
struct Said {
    debater: String,
    /// A verdict; none where it is a label, or says nothing.
    marks: Vec<Mark>,
    reason: Option<String>,
    label: Option<Label>,
}

fn add(said: Vec<Said>, test: &mut Gathered, all: &mut Gathered, places: [usize; 2]) {
    let mut together = Vec::new();
    for said in said {
        if let Some(label) = said.label {
            for (gathered, place) in [&mut *test, &mut *all].into_iter().zip(places) {
                gathered.ballots.candidates[place]
                    .labels
                    .push(label.clone());
            }
            continue;
        }
        together.extend(said.marks.iter().cloned());
        test.ballots.ballots.push(Ballot {
            judge: said.debater,
            candidate: places[0],
            marks: said.marks,
            reason: said.reason,
        });
    }
    if !together.is_empty() {
        let ballot = Ballot {
            judge: name_of(test),
            candidate: places[1],
            marks: together,
            reason: None,
        };
        all.ballots.tests.push(ballot.clone());
        all.ballots.ballots.push(ballot);
    }
}

/// A test as a debater.
fn name_of(test: &Gathered) -> String {
    let (id, title) = (&test.ballots.id, &test.ballots.title);
    if title.is_empty() {
        id.clone()
    } else {
        format!("{id}: {title}")
    }
}

/// What stands for a verdict in a result: its assertions, else the grade of the whole, else named
/// scores, else its own score where something was asserted.
fn said(result: &Node, by_pass: bool, notes: &mut Notes) -> Vec<Said> {
    let grade = result
        .get("gradingResult")
        .filter(|grade| grade.is_object());
    let parts = grade
        .and_then(|grade| grade.get("componentResults"))
        .map_or(&[][..], Node::items);
    if !parts.is_empty() {
        let mut taken = HashMap::new();
        let said = parts.iter().enumerate();
        return said
            .filter_map(|(at, part)| assertion(part, at, by_pass, &mut taken, notes))
            .collect();
    }
    let named = result.get("namedScores").map_or(&[][..], Node::entries);
    if grade.is_none() && !named.is_empty() {
        let said = named.iter().map(|entry| Said {
            debater: entry.key.clone(),
            marks: score(&entry.node, &entry.key).into_iter().collect(),
            reason: None,
            label: None,
        });
        return said.collect();
    }
    // a test that asserts nothing passes, and that says nothing
    let asserts = result.get("testCase").map(|test| test.get("assert"));
    if matches!(asserts, Some(asserts) if asserts.is_none_or(|list| list.items().is_empty())) {
        notes.drop("results without assertions", result.place.line);
        return Vec::new();
    }
    let of = grade.unwrap_or(result);
    vec![Said {
        debater: "result".into(),
        marks: mark(of, "", by_pass).into_iter().collect(),
        reason: of.get("reason").and_then(word),
        label: None,
    }]
}

fn assertion(
    part: &Node,
    at: usize,
    by_pass: bool,
    taken: &mut HashMap<String, usize>,
    notes: &mut Notes,
) -> Option<Said> {
    let line = part.place.line;
    let asserted = part.get("assertion");
    let of = |key: &str| asserted.and_then(|asserted| asserted.get(key));
    let kind = of("type").and_then(Node::text);
    let reason = part.get("reason").and_then(word);
    if kind == Some("human") {
        let label = human(part, reason);
        return Some(Said {
            debater: "human".into(),
            marks: Vec::new(),
            reason: None,
            label: Some(label),
        });
    }
    match of("weight").and_then(Node::number) {
        Some(0.0) => {
            notes.drop("assertions without a weight", line);
            return None;
        }
        Some(weight) if weight != 1.0 => notes.drop("weights of assertions", line),
        _ => {}
    }
    let metric = of("metric").and_then(Node::text).unwrap_or_default();
    let value = of("value")
        .and_then(word)
        .filter(|value| is_short(value) && !value.is_empty());
    let name = match (metric, kind, value) {
        ("", Some(kind), Some(value)) => format!("{kind}: {value}"),
        ("", Some(kind), None) => kind.to_owned(),
        ("", None, _) => format!("assertion {}", at + 1),
        (metric, ..) => metric.to_owned(),
    };
    let times = taken.entry(name.clone()).or_default();
    *times += 1;
    let debater = match *times {
        1 => name,
        more => format!("{name} ({more})"),
    };
    Some(Said {
        debater,
        marks: mark(part, metric, by_pass).into_iter().collect(),
        reason,
        label: None,
    })
}

/// A person's verdict.
fn human(part: &Node, reason: Option<String>) -> Label {
    let passed = part.get("pass").and_then(Node::flag);
    let value = passed.map(|passed| f64::from(u8::from(passed)));
    let text = match passed {
        Some(true) => "pass",
        Some(false) => "fail",
        None => "",
    };
    Label {
        name: "human".into(),
        value: value.or_else(|| part.get("score").and_then(Node::number)),
        text: text.into(),
        reason: reason.filter(|reason| !reason.is_empty()),
    }
}

/// A score from 0 to 1, or else whether it passed; the other way round where a person chose so.
fn mark(part: &Node, criterion: &str, by_pass: bool) -> Option<Mark> {
    let scored = || score(part.get("score")?, criterion);
    let passed = || {
        let passed = part.get("pass").or_else(|| part.get("success"));
        Some(Mark::Passed {
            criterion: criterion.to_owned(),
            passed: passed.and_then(Node::flag)?,
        })
    };
    if by_pass {
        passed().or_else(scored)
    } else {
        scored().or_else(passed)
    }
}

fn score(value: &Node, criterion: &str) -> Option<Mark> {
    Some(Mark::Score {
        criterion: criterion.to_owned(),
        value: value.number()?,
        scale: Some((0.0, 1.0)),
    })
}

/// Whether there is no answer. `error` alone may be the reason of an assertion that failed.
fn is_error(result: &Node) -> bool {
    let is_told = |value: Option<&Node>| match value.map(|value| &value.value) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    };
    let reason = result.get("failureReason").and_then(Node::number);
    let is_graded = result.get("gradingResult").is_some_and(Node::is_object);
    reason == Some(2.0)
        || is_told(result.find("response.error"))
        || (reason.is_none() && !is_graded && is_told(result.get("error")))
}

/// Which test a result is of.
struct Test {
    key: String,
    number: Option<String>,
    title: String,
    question: Option<String>,
}

impl Test {
    fn of(result: &Node) -> Self {
        let number = result.get("testIdx").and_then(word);
        let title =
            first_word(result, &["testCase.description", "description"]).unwrap_or_default();
        let vars = result
            .get("vars")
            .or_else(|| result.find("testCase.vars"))
            .map_or(&[][..], Node::entries);
        let question = match vars {
            [] => None,
            [only] => word(&only.node),
            several => {
                let lines = several
                    .iter()
                    .filter_map(|entry| Some(format!("{}: {}", entry.key, word(&entry.node)?)));
                Some(lines.collect::<Vec<_>>().join("\n"))
            }
        };
        let told = || format!("{title}\n{}", question.as_deref().unwrap_or_default());
        Self {
            key: number.clone().unwrap_or_else(told),
            number,
            question: question.filter(|question| !question.is_empty()),
            title,
        }
    }

    fn gathered(self, at: usize) -> Gathered {
        let number = self.number.unwrap_or_else(|| at.to_string());
        let mut gathered = Gathered::new(format!("test-{number}"), self.title);
        gathered.ballots.question = self.question;
        gathered
    }
}

/// What candidates are called: by what tells them apart.
struct Names<'a>(HashMap<Key<'a>, String>);

/// A provider, a prompt, and the column of the two.
type Key<'a> = (&'a str, &'a str, Option<u64>);

fn key(result: &Node) -> Key<'_> {
    let text = |keys: &[&str]| {
        let mut found = keys
            .iter()
            .filter_map(|key| result.find(key).and_then(Node::text));
        found.find(|text| !text.is_empty()).unwrap_or_default()
    };
    let provider = text(&["provider.label", "provider.id", "provider"]);
    let prompt = text(&["prompt.label", "prompt.display", "prompt.raw", "prompt"]);
    let column = result.get("promptIdx").and_then(Node::number);
    (provider, prompt, column.map(f64::to_bits))
}

impl<'a> Names<'a> {
    fn of(results: &[&'a Node]) -> Self {
        let mut keys = Vec::new();
        let (mut seen, mut providers) = (HashSet::new(), HashSet::new());
        let mut prompts = HashMap::new();
        for result in results {
            let (provider, prompt, column) = key(result);
            if seen.insert((provider, prompt, column)) {
                keys.push((provider, prompt, column));
                providers.insert(provider);
                let number = prompts.len() + 1;
                prompts.entry(prompt).or_insert(number);
            }
        }
        let mut taken = HashMap::<String, usize>::new();
        let mut names = HashMap::new();
        for (provider, prompt, column) in keys {
            let number = prompts.get(prompt).copied().unwrap_or_default();
            let short = if is_short(prompt) && !prompt.is_empty() {
                prompt.to_owned()
            } else {
                format!("prompt {number}")
            };
            let name = match (providers.len(), prompts.len()) {
                (_, 1) => provider.to_owned(),
                (1, _) => short,
                _ => format!("{provider}, {short}"),
            };
            let times = taken.entry(name.clone()).or_default();
            *times += 1;
            let name = match *times {
                1 => name,
                more => format!("{name} ({more})"),
            };
            names.insert((provider, prompt, column), name);
        }
        Self(names)
    }

    fn of_result(&self, result: &Node) -> String {
        self.0.get(&key(result)).cloned().unwrap_or_default()
    }
}

fn is_short(text: &str) -> bool {
    text.chars().take(SHORT + 1).count() <= SHORT && !text.contains('\n')
}

/// The model in a provider's id: `openai:chat:gpt-4o` is `gpt-4o`. A script or an address is none.
fn model(result: &Node) -> Option<String> {
    let id = result
        .find("provider.id")
        .or_else(|| result.get("provider"));
    let (maker, rest) = id.and_then(Node::text)?.split_once(':')?;
    if ["file", "exec", "python", "http", "https", "ws", "wss"].contains(&maker) {
        return None;
    }
    let name = match rest.split_once(':') {
        Some(("chat" | "completion" | "messages" | "responses" | "text", name)) => name,
        _ => rest,
    };
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    #[test]
    fn models_stand_in_ids_of_providers() {
        for (id, name) in [
            ("openai:chat:gpt-4o", Some("gpt-4o")),
            (
                "anthropic:messages:claude-sonnet-4",
                Some("claude-sonnet-4"),
            ),
            ("ollama:chat:llama3:8b", Some("llama3:8b")),
            ("mistral:small", Some("small")),
            ("file://own.py", None),
            ("https://example.org", None),
            ("echo", None),
        ] {
            let row = parse_json(&format!("{{\"provider\": {{\"id\": \"{id}\"}}}}"));
            let found = row.ok().and_then(|row| model(&row));
            assert_eq!(found.as_deref(), name, "{id}");
        }
    }
}
