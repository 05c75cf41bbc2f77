//! What a judge answered, as it was pasted: in prose, fenced, cut off, out of order or with faults.

use std::collections::BTreeMap;

use super::rulings::{Ruling, rating};
use super::sheet::{Rated, Sheet, name};
use crate::document::{Problems, Reader, normalise, parse_json};

/// An object that rates one reply is looked for within so many bytes.
const LONGEST: usize = 20_000;
/// At most so many are looked at.
const MOST: usize = 2_000;

/// What could be read of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The rulings, in the order of the transcript.
    pub rulings: Vec<Ruling>,
    /// Names of the replies that it does not rate.
    pub missing: Vec<String>,
    /// Everything that is wrong with it, in words.
    pub problems: Vec<String>,
}

/// Reads an answer to one of these sheets. `judge` is who gave it, where the page was told;
/// `known` is what was said before: a judge who rates a reply again repeats it.
pub fn read_answer(
    text: &str,
    (sheets, replies): (&[Sheet], &[Rated]),
    judge: &str,
    known: &[Ruling],
) -> Answer {
    let text = normalise(text);
    let mut answer = Answer::default();
    let Some(sheet) = sheet_of(&text, sheets, &mut answer.problems) else {
        return answer;
    };
    let named = (!judge.trim().is_empty()).then(|| judge.trim().to_owned());
    let judge = named
        .or_else(|| text_after(&text, "\"judge\""))
        .unwrap_or_default();
    if judge.is_empty() {
        answer
            .problems
            .push("it does not say who judges: the judge has no name".to_owned());
    }
    let rated = ratings(&text, sheet, &mut answer.problems);
    let place = |at: usize| {
        replies
            .get(at)
            .map(|reply| (reply.session_id, reply.turn_index))
    };
    let before = known.iter().filter(|ruling| {
        let of = (ruling.session_id.as_str(), ruling.turn_index);
        ruling.judge == judge && rated.keys().any(|at| place(*at) == Some(of))
    });
    let repeat = before.map(|ruling| ruling.repeat).max().unwrap_or_default() + 1;
    let is_missing = |(_, at): &(usize, &usize)| !rated.contains_key(at);
    let missing = sheet.replies.iter().enumerate().filter(is_missing);
    answer.missing = missing.map(|(number, _)| name(number)).collect();
    let ruled = rated
        .into_iter()
        .filter_map(|(at, (voice, safety, reason))| {
            let (session_id, turn_index) = place(at)?;
            Some(Ruling {
                judge: judge.clone(),
                repeat,
                session_id: session_id.to_owned(),
                turn_index,
                voice,
                safety,
                reason,
            })
        });
    answer.rulings = ruled.collect();
    answer
}

/// The sheet that an answer is to: the one whose letters stand in it.
fn sheet_of<'a>(text: &str, sheets: &'a [Sheet], problems: &mut Vec<String>) -> Option<&'a Sheet> {
    let found: Vec<&Sheet> = sheets
        .iter()
        .filter(|sheet| text.contains(&sheet.nonce))
        .collect();
    match (&found[..], sheets) {
        ([only], _) => Some(only),
        ([], [only]) => {
            problems.push(format!(
                "it names no sheet: read as an answer to {}",
                only.nonce
            ));
            Some(only)
        }
        ([], _) => {
            let known: Vec<&str> = sheets
                .iter()
                .take(5)
                .map(|sheet| sheet.nonce.as_str())
                .collect();
            let said = text_after(text, "\"sheet\"");
            let said = said.map_or_else(|| "none".to_owned(), |said| format!("{said:?}"));
            problems.push(format!(
                "it is no answer to these sheets: expected a \"sheet\" of {}, got {said}",
                known.join(", ")
            ));
            None
        }
        (several, _) => {
            let named: Vec<&str> = several.iter().map(|sheet| sheet.nonce.as_str()).collect();
            problems.push(format!(
                "it names several sheets ({}): paste one answer at a time",
                named.join(", ")
            ));
            None
        }
    }
}

/// The text that a key has, wherever it stands.
fn text_after(text: &str, key: &str) -> Option<String> {
    let rest = text[text.find(key)? + key.len()..].trim_start();
    let rest = rest.strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let value: String = rest
        .chars()
        .take_while(|c| *c != '"' && *c != '\n')
        .take(200)
        .collect();
    let value = value.trim().to_owned();
    (!value.is_empty() && value != "your model's name and version").then_some(value)
}

type Rating = (Option<f64>, Option<f64>, Option<String>);

/// What each reply of a sheet was given, by its place among all.
fn ratings(text: &str, sheet: &Sheet, said: &mut Vec<String>) -> BTreeMap<usize, Rating> {
    let mut rated: BTreeMap<usize, Rating> = BTreeMap::new();
    let mut from = 0;
    for _ in 0..MOST {
        let Some(start) = text[from..].find('{').map(|at| from + at) else {
            break;
        };
        from = start + 1;
        // the outer object is looked through for those within
        if !text[from..].trim_start().starts_with("\"reply\"")
            && !inner(text, start).is_some_and(|object| object.contains("\"reply\""))
        {
            continue;
        }
        let line = text[..start].matches('\n').count() + 1;
        let Some(object) = inner(text, start) else {
            if text[from..].trim_start().starts_with("\"reply\"") {
                said.push(format!("line {line}: this rating is cut off"));
            }
            continue;
        };
        from = start + object.len();
        rate(object, line, sheet, &mut rated, said);
    }
    if rated.is_empty() {
        said.push(
            "no rating could be read: expected objects with \"reply\", \"voice\" and \"safety\""
                .to_owned(),
        );
    }
    rated
}

/// The object that begins here if it ends before another begins.
fn inner(text: &str, start: usize) -> Option<&str> {
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in text.as_bytes()[start..]
        .iter()
        .enumerate()
        .skip(1)
        .take(LONGEST)
    {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'{' if !is_text => return None,
            b'}' if !is_text => return Some(&text[start..=start + at]),
            _ => {}
        }
    }
    None
}

fn rate(
    object: &str,
    line: usize,
    sheet: &Sheet,
    rated: &mut BTreeMap<usize, Rating>,
    said: &mut Vec<String>,
) {
    let node = match parse_json(object) {
        Ok(node) => node,
        Err(problem) => {
            said.push(format!("line {line}: {}", problem.message));
            return;
        }
    };
    let row = Reader::new(&node);
    let reply = row.get_some("reply");
    let reply = reply.as_ref().and_then(Reader::as_str).unwrap_or_default();
    let number = reply.trim().trim_start_matches(['R', 'r']).parse::<usize>();
    let place = number
        .ok()
        .and_then(|number| sheet.replies.get(number.checked_sub(1)?));
    let Some(place) = place else {
        said.push(format!("line {line}: the sheet has no reply {reply:?}"));
        return;
    };
    let mut problems = Problems::new();
    let voice = rating(&row, "voice", &mut problems);
    let safety = rating(&row, "safety", &mut problems);
    let found = problems.into_sorted();
    said.extend(
        found
            .iter()
            .map(|p| format!("line {line}: {reply}.{}: {}", p.path, p.message)),
    );
    if voice.is_none() && safety.is_none() {
        if found.is_empty() {
            said.push(format!("line {line}: {reply} has no voice and no safety"));
        }
        return;
    }
    let reason = row.get_some("reason");
    let reason = reason.and_then(|reason| reason.as_str().map(str::to_owned));
    if rated.insert(*place, (voice, safety, reason)).is_some() {
        said.push(format!(
            "line {line}: {reply} is rated twice; the last one counts"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::sheets;
    use super::*;

    const TEXTS: [&str; 4] = ["one", "two", "three", "four"];

    fn replies() -> Vec<Rated<'static>> {
        let reply = |(at, text): (usize, &'static &'static str)| Rated {
            session_id: "s",
            turn_index: at as i64,
            text,
            prompt: None,
        };
        TEXTS.iter().enumerate().map(reply).collect()
    }

    fn given(text: &str, known: &[Ruling]) -> Answer {
        let replies = replies();
        let sheets = sheets(&replies, 42);
        let text = text.replace("NONCE", &sheets[0].nonce);
        read_answer(&text, (&sheets, &replies), "", known)
    }

    #[test]
    fn a_fenced_answer_out_of_order_is_read() {
        let answer = given(
            "Sure! Here it is, {honestly}:\n```json\n{\"sheet\": \"NONCE\", \"judge\": \"m-1\", \"ratings\": [
{\"reply\": \"R04\", \"voice\": 9, \"safety\": 10, \"reason\": \"a } in it\"},
{\"reply\": \"R01\", \"voice\": \"3/10\", \"safety\": 10},
{\"safety\": 1, \"reply\": \"R02\"},
{\"reply\": \"R03\", \"voice\": 5, \"safety\": 10}]}\n```\nAnything else?",
            &[],
        );
        assert_eq!(answer.problems, Vec::<String>::new());
        assert_eq!(answer.missing, Vec::<String>::new());
        assert!(
            answer
                .rulings
                .iter()
                .all(|ruling| ruling.judge == "m-1" && ruling.repeat == 1)
        );
        // names lead back to turns through the drawn order
        let sheet = &sheets(&replies(), 42)[0];
        let fourth = sheet.replies[3] as i64;
        let found = answer
            .rulings
            .iter()
            .find(|ruling| ruling.turn_index == fourth);
        assert_eq!(found.and_then(|ruling| ruling.voice), Some(9.0));
        assert_eq!(answer.rulings.len(), 4);
        // the same judge again is a repeat
        let again = given(
            "NONCE \"judge\": \"m-1\" {\"reply\": \"R1\", \"voice\": 1}",
            &answer.rulings,
        );
        assert_eq!(again.rulings[0].repeat, 2);
        assert_eq!(again.missing, ["R02", "R03", "R04"]);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let answer = given(
            "{\"sheet\": \"NONCE\", \"ratings\": [{\"reply\": \"R01\", \"voice\": 12},
{\"reply\": \"R09\", \"voice\": 1}, {\"reply\": \"R02\", \"voice\": 4, \"safety\": 9},
{\"reply\": \"R02\", \"voice\": 5}, {\"reply\": \"R03\"}, {\"reply\": \"R04\", \"voi",
            &[],
        );
        let said = answer.problems.join("\n");
        for words in [
            "does not say who judges",
            "R01.voice: expected a number from 0 to 10",
            "line 2: the sheet has no reply \"R09\"",
            "line 3: R02 is rated twice",
            "line 3: R03 has no voice",
            "line 3: this rating is cut off",
        ] {
            assert!(said.contains(words), "{words}: {said}");
        }
        assert_eq!(answer.missing, ["R01", "R03", "R04"]);
        assert_eq!(answer.rulings.len(), 1);
    }

    #[test]
    fn an_answer_to_another_sheet_is_refused() {
        let many: Vec<String> = (0..30).map(|at| format!("text {at}")).collect();
        let replies: Vec<Rated> = many
            .iter()
            .enumerate()
            .map(|(at, text)| Rated {
                session_id: "s",
                turn_index: at as i64,
                text,
                prompt: None,
            })
            .collect();
        let sheets = sheets(&replies, 42);
        assert_eq!(sheets.len(), 2);
        let answer = read_answer("{\"sheet\": \"XXXXXX\"}", (&sheets, &replies), "j", &[]);
        assert!(
            answer.problems[0].contains("got \"XXXXXX\""),
            "{:?}",
            answer.problems
        );
        let both = format!("{} {}", sheets[0].nonce, sheets[1].nonce);
        let answer = read_answer(&both, (&sheets, &replies), "j", &[]);
        assert!(answer.problems[0].contains("several sheets"));
        // and hostile text costs little
        let deep = "{".repeat(300_000);
        let answer = read_answer(
            &(sheets[0].nonce.clone() + &deep),
            (&sheets, &replies),
            "j",
            &[],
        );
        assert!(answer.rulings.is_empty());
    }
}
