//! Documents of our own formats, made of what was chosen from a file.

mod debate;
mod labels;
mod marks;
mod persona;
mod ratings;
mod source;
mod transcript;
mod turns;
mod votes;

use std::collections::BTreeMap;

use super::ballots::{Ballots, Candidate};
use super::bytes::Bytes;
use super::card::Card;
use super::content::{Content, Kind};
use super::conversation::{Conversation, Label};
use super::format::{Context, Format};
use super::listing::Item;
use super::mapping::{Mapping, Setting, Value};
use super::notes::Notes;
use super::records::{LARGEST, Stretch, values};
use labels::Labelling;
use source::Source;

/// What is to be made.
#[derive(Clone, Debug)]
pub struct Wanted<'a> {
    /// The kind of document.
    pub kind: Kind,
    /// The name of the file.
    pub file: &'a str,
    /// Why it was read as it was.
    pub because: &'a str,
    /// The choices of the mapping that a person made.
    pub mapping: BTreeMap<String, Value>,
}

/// A document, and what is to be said of how it was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: String,
    /// Of a transcript the labels of its replies that the source carries, as JSON Lines; empty
    /// where there are none.
    pub labels: String,
    /// The mapping that was used.
    pub mapping: Vec<Setting>,
    /// What was left out, and problems.
    pub notes: Notes,
}

/// Makes a document of some items of a file, whose parts are given in order. `Err` says what
/// cannot be read.
pub fn make(
    parts: &[&dyn Bytes],
    format: &Format,
    items: &[&Item],
    wanted: &Wanted,
) -> Result<Made, String> {
    let mut context = Context {
        mapping: Mapping::new(wanted.mapping.clone()),
        notes: Notes::default(),
    };
    let (mut all, mut own) = (Vec::new(), Vec::new());
    for items in items.chunk_by(|one, next| one.part == next.part) {
        let Some(bytes) = items.first().and_then(|item| parts.get(item.part)) else {
            continue;
        };
        let contents = contents(*bytes, format, items, &mut context)?;
        let is_own = |content: &Content| matches!(content, Content::Own { kind, .. } if *kind == wanted.kind);
        if contents.iter().any(is_own) {
            own.push(whole(*bytes)?);
        }
        all.extend(contents);
    }
    Ok(made(all, &own, format.key, wanted, context))
}

/// Makes a document of contents that are read already.
pub(super) fn of_contents(contents: Vec<Content>, format: &str, wanted: &Wanted) -> Made {
    let context = Context {
        mapping: Mapping::new(wanted.mapping.clone()),
        notes: Notes::default(),
    };
    made(contents, &[], format, wanted, context)
}

/// A debate of a league whose battles were counted: of its players their names and models, and of each two
/// that met how often the first won, lost and tied. In words why there is none.
pub fn league_text(
    players: &[(String, Option<String>)],
    met: &[([usize; 2], [u64; 3])],
) -> Result<String, String> {
    let candidates = players.iter().map(|(id, model)| Candidate {
        id: id.clone(),
        model: model.clone(),
        ..Candidate::default()
    });
    let ballots = Ballots {
        title: "All battles".to_owned(),
        candidates: candidates.collect(),
        battles: met.to_vec(),
        is_league: true,
        ..Ballots::default()
    };
    let wanted = Wanted {
        kind: Kind::Debate,
        file: "",
        because: "",
        mapping: BTreeMap::new(),
    };
    let made = of_contents(vec![Content::Ballots(ballots)], "arena-battles", &wanted);
    let problem = made
        .notes
        .problems
        .first()
        .map(|problem| problem.message.clone());
    if made.text.is_empty() {
        Err(problem.unwrap_or_else(|| "nobody met".to_owned()))
    } else {
        Ok(made.text)
    }
}

/// The text of a part as it stands.
fn whole(bytes: &dyn Bytes) -> Result<String, String> {
    if let Some(text) = bytes.original() {
        return Ok(text.to_owned());
    }
    if bytes.len() > LARGEST as u64 {
        let most = LARGEST / 1_000_000;
        return Err(format!("a document has at most {most} MB"));
    }
    Ok(crate::text::decode(&bytes.read(0..bytes.len())?).0)
}

/// What the items hold.
fn contents(
    bytes: &dyn Bytes,
    format: &Format,
    items: &[&Item],
    context: &mut Context,
) -> Result<Vec<Content>, String> {
    let mut found = Vec::new();
    let mut last: Option<(&[Stretch], Vec<Content>)> = None;
    for item in items {
        let is_last = matches!(&last, Some((stretches, _)) if *stretches == item.stretches);
        if !is_last {
            let mut nodes = Vec::new();
            for stretch in &item.stretches {
                nodes.extend(values(bytes, stretch, &mut context.notes)?);
            }
            last = Some((&item.stretches, (format.read)(&nodes, context)));
        }
        if let Some((_, contents)) = &last {
            match item.inner {
                Some(inner) if inner >= contents.len() => {
                    let words = "the mapping leaves fewer parts than were chosen";
                    context.notes.error(0, "source.mapping", words);
                }
                Some(inner) => found.extend(contents.get(inner).cloned()),
                None => found.extend(contents.iter().cloned()),
            }
        }
    }
    Ok(found)
}

/// Says which labels have no place in a document: a transcript has one of a reply, turns have none.
fn drop_labels(
    conversations: &[Conversation],
    labelling: &Labelling,
    kind: Kind,
    notes: &mut Notes,
) {
    for conversation in conversations {
        let first = conversation.messages.first();
        let line = first.map_or(0, |message| message.line);
        // what a reply carries too is not lost with the conversation's
        let replies = || conversation.messages.iter().flat_map(|one| &one.labels);
        let is_lost = |own: &&Label| {
            !replies().any(|other| (&other.name, other.value) == (&own.name, own.value))
        };
        let whole = conversation.labels.iter().filter(is_lost).count();
        notes.drop_many("labels of a whole conversation", whole, line);
        for message in &conversation.messages {
            if kind == Kind::Turns {
                notes.drop_many("labels of replies", message.labels.len(), message.line);
            } else {
                let others = labelling.others(message);
                notes.drop_many("labels by other verdicts", others, message.line);
            }
        }
    }
}

/// Contents by what they are.
fn sorted(contents: Vec<Content>) -> (Vec<Conversation>, Vec<Ballots>, Vec<Card>) {
    let (mut conversations, mut ballots, mut cards) = (Vec::new(), Vec::new(), Vec::new());
    for content in contents {
        match content {
            Content::Conversation(conversation) => conversations.push(conversation),
            Content::Ballots(some) => ballots.push(some),
            Content::Card(card) => cards.push(card),
            Content::Own { .. } => {}
        }
    }
    (conversations, ballots, cards)
}

/// Makes a document of contents.
fn made(
    contents: Vec<Content>,
    own: &[String],
    format: &str,
    wanted: &Wanted,
    context: Context,
) -> Made {
    let Context {
        mut mapping,
        mut notes,
    } = context;
    let (conversations, ballots, cards) = sorted(contents);
    let source = Source {
        format,
        because: wanted.because,
        file: wanted.file,
    };
    let labelling = match wanted.kind {
        Kind::Transcript | Kind::Persona => Labelling::ask(&conversations, &mut mapping),
        Kind::Turns | Kind::Debate => Labelling::ask(&[], &mut mapping),
    };
    if matches!(wanted.kind, Kind::Turns | Kind::Transcript) {
        drop_labels(&conversations, &labelling, wanted.kind, &mut notes);
    }
    let mut labels = String::new();
    let text = match wanted.kind {
        _ if !own.is_empty() => own.join("\n"),
        Kind::Turns => turns::text(&conversations, &source, &mut mapping, &mut notes),
        Kind::Transcript => {
            let (text, own) = transcript::text(
                &conversations,
                &labelling,
                &source,
                &mut mapping,
                &mut notes,
            );
            labels = own;
            text
        }
        Kind::Debate => debate::text(&ballots, &source, &mut mapping, &mut notes),
        Kind::Persona => persona::text(
            &cards,
            &conversations,
            &labelling,
            &source,
            &mut mapping,
            &mut notes,
        ),
    };
    for words in mapping.refused() {
        notes.warn(1, "source.mapping", words);
    }
    Made {
        kind: wanted.kind,
        text,
        labels,
        mapping: mapping.asked().to_vec(),
        notes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::conversation::{Message, Role};
    use super::*;

    #[test]
    fn labels_that_have_no_place_are_told() {
        let label = |value| Label {
            name: "reward".into(),
            value: Some(value),
            text: String::new(),
            reason: None,
        };
        let reply = |value| Message {
            labels: vec![label(value)],
            ..Message::new(Role::Assistant, "ho".to_owned())
        };
        let conversation = Conversation {
            messages: vec![reply(1.0), reply(0.5)],
            labels: vec![label(0.25)],
            ..Conversation::default()
        };
        let told = |kind| {
            let wanted = Wanted {
                kind,
                file: "x",
                because: "",
                mapping: BTreeMap::new(),
            };
            let contents = vec![Content::Conversation(conversation.clone())];
            let dropped = of_contents(contents, "x", &wanted).notes.dropped;
            let labels = dropped
                .into_iter()
                .filter(|own| own.what.starts_with("labels"));
            labels.map(|own| (own.what, own.times)).collect::<Vec<_>>()
        };
        let whole = ("labels of a whole conversation".to_owned(), 1);
        assert_eq!(told(Kind::Transcript), std::slice::from_ref(&whole));
        let replies = ("labels of replies".to_owned(), 2);
        assert_eq!(told(Kind::Turns), [whole, replies]);
    }

    #[test]
    fn scores_become_labels_by_a_choice_of_the_mapping() {
        let said = |name: &str, value| Label {
            name: name.into(),
            value: Some(value),
            text: String::new(),
            reason: None,
        };
        let reply = |text: &str, labels: Vec<Label>| Message {
            labels,
            ..Message::new(Role::Assistant, text)
        };
        let conversation = Conversation {
            id: "s".into(),
            messages: vec![
                reply("a", vec![said("voice", 4.0), said("safe", 1.0)]),
                reply("b", vec![said("voice", 2.5), said("safe", 0.0)]),
                reply("c", vec![said("voice", 1.0)]),
            ],
            ..Conversation::default()
        };
        let labels = |set: &[(&str, Value)]| {
            let set = set
                .iter()
                .map(|(key, value)| ((*key).to_owned(), value.clone()));
            let wanted = Wanted {
                kind: Kind::Transcript,
                file: "x",
                because: "",
                mapping: set.collect(),
            };
            let contents = vec![Content::Conversation(conversation.clone())];
            let made = of_contents(contents, "x", &wanted);
            let rows = made.labels.lines().map(|row| {
                let row: serde_json::Value = serde_json::from_str(row).expect("JSON");
                assert_eq!(row["session_id"], "s");
                format!("{} {} {}", row["text"], row["label"], row["labeller"]).replace('"', "")
            });
            let others = made
                .notes
                .dropped
                .iter()
                .map(|own| own.times)
                .sum::<usize>();
            (rows.collect::<Vec<_>>(), others)
        };
        let voice = Value::Text("voice".into());
        // what is never anything but 0 or 1 is the label, unless someone chooses another; the 1 of
        // a scale to 5 is its worst
        let any = ["a 1 safe", "b 0 safe"].map(str::to_owned);
        assert_eq!(labels(&[]), (any.to_vec(), 3));
        // 1 to 4 is on a scale of 1 to 5, whose middle is 3
        let by_voice = ["a 1 voice", "b 0 voice", "c 0 voice"].map(str::to_owned);
        assert_eq!(labels(&[("label", voice.clone())]), (by_voice.to_vec(), 2));
        let from = ("label_from", Value::Number(2.5));
        assert_eq!(labels(&[("label", voice), from]).0[1], "b 1 voice");
        let none = Value::Text("none of them".into());
        assert_eq!(labels(&[("label", none)]), (vec![], 5));
    }
}
