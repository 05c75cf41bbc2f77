//! Councils of models that rank each other's answers: a saved chat `{"messages": [{"role": "user",
//! "content"}, {"role": "assistant", "stage1": [{"model", "response"}], "stage2": [{"model",
//! "ranking", "parsed_ranking": ["Response B", ...]}], "metadata"?: {"label_to_model"}}]}`, and
//! rows of a study `{"question_id", "stage1_responses": {model: text}, "stage2_data": {"rankings":
//! {model: ["B", ...]}, "label_to_model": {"A": model}}, "expected"}`.
//!
//! Without the map of labels A is the first answer. Where answers were shuffled
//! (`"parsed_ranking": {"ranking", "scores"}`) nothing can be known without it.

use std::collections::{HashMap, HashSet};

use super::super::ballots::{Ballot, Ballots, Candidate, Mark};
use super::super::content::Content;
use super::super::conversation::Label;
use super::super::format::{Context, Format, Group};
use super::super::notes::Notes;
use super::super::shape::Shape;
use super::verdict::{first_word, word};
use crate::document::Node;

pub(super) const FORMAT: Format = Format {
    key: "llm-council",
    noun: "a council of models",
    shapes: &[
        Shape {
            has: &[
                "messages[].stage1[].model",
                "messages[].stage1[].response",
                "messages[].stage2",
            ],
            lacks: &[],
        },
        Shape {
            has: &[
                "question_id",
                "stage1_responses:object",
                "stage2_data.rankings:object",
            ],
            lacks: &[],
        },
    ],
    group: |_| Group::Own,
    read,
};

fn read(rows: &[Node], context: &mut Context) -> Vec<Content> {
    let notes = &mut context.notes;
    let mut found = Vec::new();
    for row in rows {
        match row.get("messages") {
            Some(messages) => found.extend(chat(row, messages.items(), notes)),
            None => found.extend(study(row, notes)),
        }
    }
    found.into_iter().map(Content::Ballots).collect()
}

/// A debate for each answer of a saved chat.
fn chat(row: &Node, messages: &[Node], notes: &mut Notes) -> Vec<Ballots> {
    let id = first_word(row, &["id", "conversation_id"]).unwrap_or_default();
    let title = first_word(row, &["title"]).unwrap_or_default();
    let mut question = None;
    let mut found = Vec::new();
    for message in messages {
        if message.get("role").and_then(Node::text) == Some("user") {
            question = message.get("content").and_then(word);
        }
        let answers = message.get("stage1").map_or(&[][..], Node::items);
        if answers.is_empty() {
            continue;
        }
        let number = found.len() + 1;
        let mut ballots = Ballots {
            id: format!("{id}#{number}").trim_start_matches('#').to_owned(),
            title: title.clone(),
            question: question.clone(),
            ..Ballots::default()
        };
        let models = answers.iter().map(|answer| {
            let text = answer.get("response").and_then(word);
            (first_word(answer, &["model"]).unwrap_or_default(), text)
        });
        ballots.candidates = candidates(models);
        if rank_chat(message, &mut ballots, notes) {
            found.push(ballots);
        }
    }
    found
}

/// The rankings of a message; whether they can be known.
fn rank_chat(message: &Node, ballots: &mut Ballots, notes: &mut Notes) -> bool {
    let rankings = message.get("stage2").map_or(&[][..], Node::items);
    let map = message
        .find("metadata.label_to_model")
        .or_else(|| message.get("label_to_model"))
        .filter(|map| !map.entries().is_empty());
    let is_shuffled = rankings
        .iter()
        .any(|ranking| ranking.get("parsed_ranking").is_some_and(Node::is_object));
    if is_shuffled && map.is_none() {
        let words = "the answers were shuffled before they were ranked, and `label_to_model` is missing: nobody can know which is which";
        notes.error(message.place.line, "stage2", words);
        return false;
    }
    let labels = labels(map, &ballots.candidates);
    let mut judges = Names::default();
    for ranking in rankings {
        let judge = judges.own(&first_word(ranking, &["model"]).unwrap_or_default());
        let parsed = ranking.get("parsed_ranking");
        let list = parsed.map(|parsed| parsed.get("ranking").unwrap_or(parsed));
        let mut order: Vec<String> = list.map_or_else(Vec::new, |list| {
            list.items().iter().filter_map(word).collect()
        });
        if order.is_empty() {
            order = final_ranking(ranking.get("ranking").and_then(Node::text));
        }
        let scores = parsed
            .and_then(|parsed| parsed.get("scores"))
            .map_or(&[][..], Node::entries);
        let scores = scores
            .iter()
            .filter_map(|entry| Some((entry.key.as_str(), entry.node.number()?)));
        rank(
            &judge,
            &order,
            scores.collect(),
            &labels,
            ballots,
            notes,
            ranking.place.line,
        );
    }
    true
}

/// A debate of a row of a study.
fn study(row: &Node, notes: &mut Notes) -> Option<Ballots> {
    let line = row.place.line;
    let Some(rankings) = row
        .find("stage2_data.rankings")
        .filter(|rankings| !rankings.entries().is_empty())
    else {
        notes.drop("questions without rankings", line);
        return None;
    };
    let structure = first_word(row, &["structure"]).unwrap_or_default();
    let parts = [
        first_word(row, &["question_id"]),
        Some(structure.clone()),
        first_word(row, &["replication"]),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    let mut ballots = Ballots {
        id: parts.join(", "),
        title: structure,
        question: first_word(row, &["question", "prompt"]),
        ..Ballots::default()
    };
    let answers = row.get("stage1_responses").map_or(&[][..], Node::entries);
    let models = answers
        .iter()
        .map(|entry| (entry.key.clone(), word(&entry.node)));
    ballots.candidates = candidates(models);
    expect(row, &mut ballots);
    let labels = labels(row.find("stage2_data.label_to_model"), &ballots.candidates);
    for entry in rankings.entries() {
        let order: Vec<String> = entry.node.items().iter().filter_map(word).collect();
        let (judge, none) = (entry.key.as_str(), Vec::new());
        rank(judge, &order, none, &labels, &mut ballots, notes, line);
    }
    Some(ballots)
}

/// Labels by what is expected: of candidates whose final answer the source tells.
fn expect(row: &Node, ballots: &mut Ballots) {
    let Some(expected) = first_word(row, &["expected"]) else {
        return;
    };
    let extracted = row
        .find("stage2_data.extracted_answers")
        .map_or(&[][..], Node::entries);
    let extracted: HashMap<&str, String> = extracted
        .iter()
        .filter_map(|entry| Some((entry.key.as_str(), word(&entry.node)?)))
        .collect();
    for candidate in &mut ballots.candidates {
        let told = extracted.get(candidate.id.as_str()).cloned();
        let Some(answer) = told.or_else(|| final_answer(candidate.text.as_deref()?)) else {
            continue;
        };
        let is_right = answer.trim().eq_ignore_ascii_case(expected.trim());
        candidate.labels.push(Label {
            name: "expected".into(),
            value: Some(f64::from(u8::from(is_right))),
            text: expected.clone(),
            reason: Some(format!("answers {}", answer.trim())),
        });
    }
}

/// What stands after the last `FINAL ANSWER:`, in its line.
fn final_answer(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once("FINAL ANSWER:")?;
    let line = rest.trim_start().lines().next()?.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// The labels after the last `FINAL RANKING:`, in their order.
fn final_ranking(text: Option<&str>) -> Vec<String> {
    let ranking = text.and_then(|text| text.rsplit_once("FINAL RANKING:"));
    let parts = ranking.map(|(_, ranking)| ranking.split("Response ").skip(1));
    let labels = parts.into_iter().flatten().map(|part| {
        let letters = part.chars().take_while(char::is_ascii_uppercase);
        letters.collect::<String>()
    });
    labels.filter(|label| !label.is_empty()).collect()
}

/// Models with their answers; a model that answers twice is two candidates.
fn candidates(models: impl Iterator<Item = (String, Option<String>)>) -> Vec<Candidate> {
    let mut names = Names::default();
    let candidates = models.map(|(model, text)| Candidate {
        id: names.own(&model),
        text,
        model: (!model.is_empty()).then_some(model),
        labels: Vec::new(),
    });
    candidates.collect()
}

/// Names that stand once: what comes again is numbered.
#[derive(Default)]
struct Names(HashMap<String, usize>);

impl Names {
    fn own(&mut self, name: &str) -> String {
        let times = self.0.entry(name.to_owned()).or_default();
        *times += 1;
        match *times {
            1 => name.to_owned(),
            more => format!("{name} ({more})"),
        }
    }
}

/// A label without what stands before its letter.
fn letter(label: &str) -> &str {
    let label = label.trim();
    label.strip_prefix("Response ").unwrap_or(label).trim()
}

/// Which candidate a label stands for: by the map, or in their order.
fn labels(map: Option<&Node>, candidates: &[Candidate]) -> HashMap<String, usize> {
    let Some(map) = map else {
        let letters = ('A'..='Z').map(String::from);
        return letters.zip(0..candidates.len()).collect();
    };
    // of a model that stands several times the labels follow the order of its answers
    let mut places = HashMap::<&str, Vec<usize>>::new();
    for (at, candidate) in candidates.iter().enumerate().rev() {
        let model = candidate.model.as_deref().unwrap_or_default();
        places.entry(model).or_default().push(at);
    }
    let mut labels = HashMap::new();
    for entry in map.entries() {
        let model = entry
            .node
            .text()
            .or_else(|| entry.node.get("model")?.text());
        let place = model.and_then(|model| places.get_mut(model)?.pop());
        if let Some(place) = place {
            labels.insert(letter(&entry.key).to_owned(), place);
        }
    }
    labels
}

/// Adds a judge's ballot: a place for each label, and a score where it gives some.
fn rank(
    judge: &str,
    order: &[String],
    scores: Vec<(&str, f64)>,
    labels: &HashMap<String, usize>,
    ballots: &mut Ballots,
    notes: &mut Notes,
    line: u32,
) {
    let mut seen = HashSet::new();
    let mut ranked = Vec::new();
    for label in order {
        match labels.get(letter(label)) {
            Some(candidate) if seen.insert(*candidate) => ranked.push(*candidate),
            Some(_) => notes.drop("labels that a ballot has twice", line),
            None => notes.drop("labels that stand for no answer", line),
        }
    }
    let mut marks: HashMap<usize, Vec<Mark>> = HashMap::new();
    let of = ranked.len();
    for (at, candidate) in ranked.into_iter().enumerate() {
        let place = at + 1;
        marks
            .entry(candidate)
            .or_default()
            .push(Mark::Rank { place, of });
    }
    for (label, value) in scores {
        if let Some(candidate) = labels.get(letter(label)) {
            marks.entry(*candidate).or_default().push(Mark::Score {
                criterion: String::new(),
                value,
                scale: None,
            });
        }
    }
    if marks.is_empty() {
        let words = format!("{judge} gives no ranking that can be read and is left out");
        notes.warn(line, "stage2", words);
        return;
    }
    let mut marks: Vec<_> = marks.into_iter().collect();
    marks.sort_unstable_by_key(|(candidate, _)| *candidate);
    for (candidate, marks) in marks {
        ballots.ballots.push(Ballot {
            judge: judge.to_owned(),
            candidate,
            marks,
            reason: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_read_from_the_end_of_a_text() {
        let text = "FINAL RANKING: to come. Response A is short.\n\nFINAL RANKING:\n1. Response B\n2. Response A";
        assert_eq!(final_ranking(Some(text)), ["B", "A"]);
        assert_eq!(
            final_ranking(Some("Response A is best.")),
            Vec::<String>::new()
        );
        assert_eq!(
            final_answer("It is 3.\nFINAL ANSWER: 4 \n").as_deref(),
            Some("4")
        );
        assert_eq!(final_answer("4"), None);
    }
}
