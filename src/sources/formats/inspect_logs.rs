//! Several logs of Inspect of one task: what one model got in a task is no debate, what several
//! got in the same one is. A candidate is the model of a log, a judge is a scorer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::ballots::{Ballot, Ballots, Candidate, Mark};
use super::super::content::Content;
use super::super::conversation::Role;
use super::super::format::{Rows, Several};
use super::super::notes::{Dropped, Notes};
use super::{inspect, openai};
use crate::document::{Node, Value};
use crate::text::Shown;

pub(super) const SEVERAL: Several = Several {
    key: "inspect-logs",
    format: &inspect::FORMAT,
    noun: "logs of Inspect",
    because: "there is more than one `eval.model` of the same `eval.task`",
    keep,
    read,
};

/// What a debate needs of a log or a sample: not what was said in it.
fn keep(mut row: Node) -> Node {
    if let Value::Map(entries) = &mut row.value {
        entries.retain(|entry| {
            matches!(
                entry.key.as_str(),
                "eval" | "samples" | "id" | "epoch" | "input" | "scores"
            )
        });
        let samples = entries.iter_mut().find(|entry| entry.key == "samples");
        if let Some(Value::List(samples)) = samples.map(|entry| &mut entry.node.value) {
            *samples = std::mem::take(samples).into_iter().map(keep).collect();
        }
    }
    row
}

/// What a model got in a task.
struct Log<'a> {
    file: &'a str,
    model: &'a str,
    /// By id and epoch; only those that were scored.
    samples: HashMap<String, &'a Node>,
    /// Their names, as they stand.
    order: Vec<String>,
}

fn read(files: &[Rows], notes: &mut Notes) -> Vec<Content> {
    let mut tasks: Vec<(String, Vec<Log>)> = Vec::new();
    for file in files {
        let Some((task, log)) = log(file) else {
            let words = format!(
                "{} has no header with `eval.task` and `eval.model`: it is in no debate with the others",
                file.file
            );
            notes.error(1, "eval", words);
            continue;
        };
        match tasks.iter_mut().find(|(known, _)| *known == task) {
            Some((_, logs)) => logs.push(log),
            None => tasks.push((task, vec![log])),
        }
    }
    let (mut found, is_only) = (Vec::new(), tasks.len() == 1);
    for (task, logs) in &tasks {
        let models: BTreeSet<&str> = logs.iter().map(|log| log.model).collect();
        if models.len() > 1 {
            debates((task, is_only), logs, notes, &mut found);
        } else if let Some(model) = models.first() {
            let files: Vec<&str> = logs.iter().map(|log| log.file).collect();
            let words = format!(
                "{}: {task} has one model here ({}), and one candidate is no debate: give the logs of other models of the same task",
                files.join(", "),
                Shown(model)
            );
            notes.error(1, "eval.model", words);
        }
    }
    found
}

/// A log with the task that it is of; none without a header.
fn log<'a>(file: &'a Rows) -> Option<(String, Log<'a>)> {
    let eval = file.rows.iter().find_map(|row| row.get("eval"))?;
    let text = |key: &str| eval.find(key).and_then(Node::text);
    let (task, model) = (text("task")?, text("model")?);
    let task = match text("dataset.name") {
        Some(dataset) if dataset != task => {
            format!("the task {:?} on {:?}", Shown(task), Shown(dataset))
        }
        _ => format!("the task {:?}", Shown(task)),
    };
    let mut log = Log {
        file: file.file,
        model,
        samples: HashMap::new(),
        order: Vec::new(),
    };
    for row in &file.rows {
        let samples = match row.get("eval") {
            Some(_) => row.get("samples").map_or(&[][..], Node::items),
            None => std::slice::from_ref(row),
        };
        for sample in samples.iter().filter(|sample| !scores(sample).is_empty()) {
            let id = inspect::sample_id(sample);
            // of a sample that stands twice the last one counts, as in the archive
            if log.samples.insert(id.clone(), sample).is_none() {
                log.order.push(id);
            }
        }
    }
    Some((task, log))
}

/// The debate over all samples of a task, and that of each, which names the task unless it is the
/// only one.
fn debates(
    (task, is_only): (&str, bool),
    logs: &[Log],
    notes: &mut Notes,
    found: &mut Vec<Content>,
) {
    let mut known = BTreeSet::new();
    let all = logs.iter().flat_map(|log| &log.order);
    let all: Vec<&str> = all
        .map(String::as_str)
        .filter(|id| known.insert(*id))
        .collect();
    let times = |id: &str| {
        logs.iter()
            .filter(|log| log.samples.contains_key(id))
            .count()
    };
    let (common, others): (Vec<&str>, Vec<&str>) =
        all.iter().copied().partition(|id| times(id) == logs.len());
    if common.is_empty() {
        let words = format!(
            "no sample of {task} is scored in all {} logs: there is no debate over all of it",
            logs.len()
        );
        notes.warn(1, "samples", words);
    } else {
        let (number, samples) = (logs.len(), common.len());
        let about = match others.len() {
            0 => format!("{task}, {samples} samples"),
            others => format!("{task}, {samples} of {} samples", samples + others),
        };
        let title = format!("One debate of {number} logs");
        let left_out = (!others.is_empty()).then(|| Dropped {
            what: "samples that are not scored in all logs".to_owned(),
            times: others.len(),
            first_line: 0,
        });
        found.push(Content::Ballots(Ballots {
            tests: tests(logs, &common),
            about,
            left_out: left_out.into_iter().collect(),
            ..ballots("all samples".to_owned(), title, logs, &common)
        }));
    }
    for id in all.iter().filter(|id| times(id) > 1) {
        let title = if is_only {
            String::new()
        } else {
            format!("{id} of {task}")
        };
        let own = ballots((*id).to_owned(), title, logs, &[id]);
        let question = logs.iter().find_map(|log| question(log.samples.get(*id)?));
        found.push(Content::Ballots(Ballots { question, ..own }));
    }
}

/// What scorers say of the models in some samples: what they say in each is one mark.
fn ballots(id: String, title: String, logs: &[Log], samples: &[&str]) -> Ballots {
    let mut found = Ballots {
        id,
        title,
        ..Ballots::default()
    };
    for (candidate, log) in logs.iter().enumerate() {
        found.candidates.push(Candidate {
            id: log.model.to_owned(),
            model: Some(log.model.to_owned()),
            ..Candidate::default()
        });
        let mut judges = BTreeMap::<&str, Ballot>::new();
        let scored = samples.iter().filter_map(|id| log.samples.get(*id));
        for (judge, reason, mark) in scored.flat_map(|sample| scores(sample)) {
            let ballot = judges.entry(judge).or_insert_with(|| Ballot {
                judge: judge.to_owned(),
                candidate,
                ..Ballot::default()
            });
            ballot.marks.push(mark);
            // why it is so is said of a sample, not of all
            ballot.reason = reason.filter(|_| samples.len() == 1).map(str::to_owned);
        }
        found.ballots.extend(judges.into_values());
    }
    found
}

/// What all scorers together say of each model in each sample.
fn tests(logs: &[Log], samples: &[&str]) -> Vec<Ballot> {
    let mut found = Vec::new();
    for id in samples {
        for (candidate, log) in logs.iter().enumerate() {
            let sample = log.samples.get(*id).map(|sample| scores(sample));
            let marks = sample.into_iter().flatten().map(|(_, _, mark)| mark);
            found.push(Ballot {
                judge: (*id).to_owned(),
                candidate,
                marks: marks.collect(),
                reason: None,
            });
        }
    }
    found
}

/// What a sample is about: its input, or what the user says last in it.
fn question(sample: &Node) -> Option<String> {
    let input = sample.get("input")?;
    if let Some(text) = input.text() {
        return Some(text.to_owned());
    }
    let messages = openai::messages(input.items(), &mut Notes::default());
    let mut users = messages
        .into_iter()
        .filter(|message| message.role == Role::User);
    users.next_back().map(|message| message.text)
}

/// What scorers say of a sample: who, why, and the mark.
fn scores(sample: &Node) -> Vec<(&str, Option<&str>, Mark)> {
    let mut found = Vec::new();
    for score in sample.get("scores").map_or(&[][..], Node::entries) {
        let judge = score.key.as_str();
        let reason = score.node.get("explanation").and_then(Node::text);
        for (criterion, value) in inspect::values(score) {
            // a letter or a flag is a share already; the scale of a number is not said
            let scale = value.number().is_none().then_some((0.0, 1.0));
            if let Some((Some(value), _)) = inspect::label(value) {
                let mark = Mark::Score {
                    criterion,
                    value,
                    scale,
                };
                found.push((judge, reason, mark));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse_json;

    fn files<'a>(texts: &'a [(&'a str, String)]) -> Vec<Rows<'a>> {
        let files = texts.iter().map(|(file, text)| Rows {
            file,
            rows: vec![keep(parse_json(text).expect("JSON"))],
        });
        files.collect()
    }

    /// A log of a model whose samples have these values by one scorer.
    fn log_of(task: &str, model: &str, values: &[&str]) -> String {
        let samples = values.iter().enumerate().map(|(at, value)| {
            format!(
                r#"{{"id": {at}, "epoch": 1, "input": "Q{at}", "messages": [], "scores": {{"match": {{"value": {value}, "explanation": "E{at}"}}}}}}"#
            )
        });
        let samples = samples.collect::<Vec<_>>().join(", ");
        format!(r#"{{"eval": {{"task": "{task}", "model": "{model}"}}, "samples": [{samples}]}}"#)
    }

    fn found(texts: &[(&str, String)]) -> (Vec<Ballots>, Vec<String>) {
        let mut notes = Notes::default();
        let ballots = read(&files(texts), &mut notes).into_iter();
        let ballots = ballots.filter_map(|content| match content {
            Content::Ballots(ballots) => Some(ballots),
            _ => None,
        });
        let words = notes.problems.iter().map(|problem| problem.message.clone());
        (ballots.collect(), words.collect())
    }

    #[test]
    fn logs_of_one_task_are_a_debate_over_all_samples_and_one_of_each() {
        let (ballots, problems) = found(&[
            ("a.json", log_of("t", "m", &["\"C\"", "\"P\"", "0.5"])),
            ("b.json", log_of("t", "n", &["\"I\"", "true", "null"])),
        ]);
        assert_eq!(problems, Vec::<String>::new());
        let left_out: Vec<_> = ballots.iter().map(|own| own.left_out.len()).collect();
        assert_eq!((left_out, ballots[0].left_out[0].times), (vec![1, 0, 0], 1));
        let ids: Vec<_> = ballots.iter().map(|own| own.id.as_str()).collect();
        assert_eq!(ids, ["all samples", "0_epoch_1", "1_epoch_1"]);
        assert_eq!(ballots[0].title, "One debate of 2 logs");
        assert_eq!(ballots[0].about, "the task \"t\", 2 of 3 samples");
        let values = |own: &Ballots| -> Vec<Vec<f64>> {
            let values = own.ballots.iter().map(|ballot| {
                let marks = ballot.marks.iter().filter_map(|mark| match mark {
                    Mark::Score { value, scale, .. } => scale.map(|_| *value),
                    _ => None,
                });
                marks.collect()
            });
            values.collect()
        };
        assert_eq!(values(&ballots[0]), [vec![1.0, 0.5], vec![0.0, 1.0]]);
        assert_eq!(values(&ballots[2]), [vec![0.5], vec![1.0]]);
        let (whole, first) = (&ballots[0].ballots[0], &ballots[1].ballots[0]);
        assert_eq!(
            (whole.reason.as_deref(), first.reason.as_deref()),
            (None, Some("E0"))
        );
        assert_eq!(ballots[1].question.as_deref(), Some("Q0"));
    }

    #[test]
    fn logs_that_do_not_fit_are_said() {
        let (ballots, problems) = found(&[
            ("a.json", log_of("t", "m", &["1"])),
            ("b.json", log_of("t", "m", &["0"])),
            ("c.json", log_of("u", "n", &["0"])),
            ("d.json", "{\"samples\": []}".into()),
        ]);
        assert_eq!(ballots, []);
        let rest = "and one candidate is no debate: give the logs of other models of the same task";
        assert_eq!(
            problems,
            [
                "d.json has no header with `eval.task` and `eval.model`: it is in no debate with the others".to_owned(),
                format!("a.json, b.json: the task \"t\" has one model here (m), {rest}"),
                format!("c.json: the task \"u\" has one model here (n), {rest}"),
            ]
        );
        let (ballots, problems) = found(&[
            ("a.json", log_of("t", "m", &["1", "null"])),
            ("b.json", log_of("t", "n", &["null", "0"])),
        ]);
        assert_eq!(ballots, []);
        assert_eq!(
            problems,
            [
                "no sample of the task \"t\" is scored in all 2 logs: there is no debate over all of it"
            ]
        );
    }
}
