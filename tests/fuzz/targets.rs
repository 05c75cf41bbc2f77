//! What is done with a text, and what has to be true of it.

#[path = "../bombs/vectors.rs"]
mod vectors;

use std::collections::{BTreeMap, BTreeSet};

use assay::constitution::{self, PerPrinciple, form as turns_form};
use assay::debate::{self, form as debate_form};
use assay::document::{self, Evaluation, Problems, Severity, parse_yaml};
use assay::persona::judges::{self, Rated};
use assay::persona::{self, form as persona_form};
use assay::share;
use assay::sources::{FORMATS, File, Kind, Wanted};
use serde_json::Value;

use crate::mutate::Case;

type Target = (&'static str, fn(&mut Case) -> Result<(), String>);

pub const TARGETS: [Target; 13] = [
    ("debate", debate),
    ("debate-form", edit_debate),
    ("turns", turns),
    ("turns-form", edit_turns),
    ("persona", persona),
    ("persona-form", edit_persona),
    ("document", read_document),
    ("link", link),
    ("sources", sources),
    ("rules-form", edit_rules),
    ("judges", answers),
    ("back", back),
    ("report", report),
];

fn ensure(is: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if is { Ok(()) } else { Err(why()) }
}

/// No result without a reason, places that can be, and JSON that reads back.
fn sound<T>(read: &Evaluation<T>) -> Result<(), String> {
    let has_error = read.problems.iter().any(|p| p.severity == Severity::Error);
    ensure(read.result.is_some() != has_error, || {
        format!(
            "a result with an error, or neither: {:?}",
            read.problems.first()
        )
    })?;
    let is_placed = read.problems.iter().all(|p| p.line > 0 && p.column > 0);
    ensure(is_placed, || "a problem without a place".into())?;
    let longest = read.problems.iter().map(|p| p.message.len()).max();
    ensure(longest.unwrap_or(0) < 2_000, || "an endless message".into())
}

/// As many cells in every row as in the header.
fn rectangular(csv: &str) -> Result<(), String> {
    let (mut cells, mut rows, mut is_quoted) = (1, Vec::new(), false);
    for character in csv.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells += 1,
            '\n' if !is_quoted => rows.push(std::mem::replace(&mut cells, 1)),
            _ => {}
        }
    }
    ensure(!is_quoted && rows.iter().all(|row| *row == rows[0]), || {
        format!("rows of {rows:?} cells")
    })
}

/// JSON has no word for what is not finite: a figure that is not would be null.
fn finite(name: &str, figure: f64) -> Result<(), String> {
    ensure(figure.is_finite(), || format!("{name} is {figure}"))
}

fn weights(case: &mut Case, names: &[&str]) -> Vec<(String, f64)> {
    let mut weights = Vec::new();
    for name in names {
        if case.once_in(4) {
            weights.push(((*name).to_owned(), *case.one(&[0.0, 0.5, 1.0, 1e-300, 1e6])));
        }
    }
    weights
}

fn debate(case: &mut Case) -> Result<(), String> {
    let text = case.text("candidates");
    let read = debate::read_at(&text, case.below(3));
    sound(&read)?;
    let profiles = debate::read_profiles(&case.text("domains"));
    let profiles = profiles
        .result
        .as_ref()
        .unwrap_or(debate::Profiles::built_in());
    let Some(payload) = read.result else {
        return Ok(());
    };
    let options = debate::Options {
        domain: case
            .one(&[
                debate::DomainChoice::Auto,
                debate::DomainChoice::None,
                debate::DomainChoice::Payload,
            ])
            .clone(),
        weights: weights(case, &debate::Weights::NAMES),
        ..debate::Options::default()
    };
    let Some(result) = debate::score(&payload, profiles, &options).result else {
        return Ok(());
    };
    for row in &result.results {
        finite("a score", row.score)?;
    }
    rectangular(&share::debate_csv(&result))?;
    let _ = (
        share::debate_markdown(&result, None),
        debate::summary(&result),
        debate::trace(&payload, &result),
    );
    if let Some(board) = debate::Board::new(&payload, profiles, &options) {
        let draws = debate::UncertaintyOptions {
            draws: 50,
            ..Default::default()
        };
        let _ = (
            board.intervals(),
            board.changes(),
            board.flags(),
            board.leave_one_out(),
        );
        let _ = (
            board.debaters(50, 1),
            board.domains(),
            board.uncertainty(&draws),
        );
    }
    Ok(())
}

#[expect(clippy::too_many_lines, reason = "a list of what may be changed")]
fn edit_debate(case: &mut Case) -> Result<(), String> {
    use debate_form::{Change, Form};
    let text = case.text("candidates");
    let index = case.below(3);
    let Some(form) = Form::read(&text, index) else {
        return Ok(());
    };
    let (rows, columns) = (form.rows.len(), form.columns.len());
    let (row, column, typed) = (case.below(rows + 1), case.below(columns + 1), case.piece());
    let other = case.below(rows + 1);
    let change = match case.below(15) {
        0 => Change::Question(typed),
        1 => Change::AddCandidate,
        2 => Change::RemoveCandidate(row),
        3 => Change::MoveCandidate {
            from: row,
            to: other,
        },
        4 => Change::RenameCandidate(row, typed),
        5 => Change::Model(row, typed),
        6 => Change::Wins(row, typed),
        7 => Change::Formal(row, typed),
        8 => Change::AddDebater(typed),
        9 => Change::RemoveDebater(column),
        10 => Change::RenameDebater(column, typed),
        11 => Change::Justification {
            row,
            column,
            text: typed,
        },
        12 => Change::AddClaim(row),
        13 => Change::TypeWins,
        _ => Change::Score {
            row,
            column,
            field: *case.one(&debate::ReviewField::ALL),
            value: Some(case.below(3) as i64),
        },
    };
    let after = form
        .apply(&change)
        .ok_or_else(|| format!("{change:?} is refused on {text:?}"))?;
    let again = Form::read(&after, index);
    let again = again.ok_or_else(|| format!("{change:?} leaves no form: {text:?} -> {after:?}"))?;
    let holds = match &change {
        Change::Question(question) => again.question == *question,
        Change::AddCandidate => again.rows.len() == rows + 1,
        Change::RemoveCandidate(row) if *row < rows => again.rows.len() + 1 == rows,
        Change::Model(row, model) if *row < rows => again.rows[*row].model == *model,
        Change::Score {
            row,
            column,
            field,
            value: Some(value),
        } if *row < rows && *column < columns => {
            // a column may come before it: it is known by what it is called
            let title = form.columns[*column].title();
            let at = again.columns.iter().position(|one| one.title() == title);
            at.is_some_and(|at| again.value(*row, at, *field) == value.to_string())
        }
        _ => true,
    };
    // a list may hold what is no object, of which no field can be set
    let is_plain = form.rows.iter().all(|row| !row.id.is_empty())
        && debate::read_at(&text, index).result.is_some();
    ensure(holds || !is_plain, || {
        format!("{change:?} is not in {text:?} -> {after:?}")
    })
}

fn turns(case: &mut Case) -> Result<(), String> {
    let text = case.text("turn");
    let read = constitution::read(&text);
    sound(&read)?;
    let Some(log) = read.result else {
        return Ok(());
    };
    let options = constitution::Options {
        weights: weights(case, &PerPrinciple::NAMES),
        replace_weights: case.once_in(2),
        ethical_floor: case.once_in(2).then_some(0.6),
        gamma: *case.one(&[0.0, 0.5, 1.0]),
    };
    let Some(result) = constitution::score(&log, &options).result else {
        return Ok(());
    };
    finite("the mean total", result.session.mean_total)?;
    rectangular(&share::reward_csv(&result))?;
    let _ = (
        share::reward_markdown(&result),
        constitution::intervals(&result),
    );
    let marks =
        serde_json::to_string(&constitution::marks(&log, &result)).map_err(|e| e.to_string())?;
    let again = constitution::read(&marks);
    ensure(again.result.is_some(), || {
        format!("marks do not read back: {:?}", again.problems.first())
    })
}

fn edit_turns(case: &mut Case) -> Result<(), String> {
    use turns_form::{Change, Form, Item};
    let text = case.text("turn");
    let Some(form) = Form::read(&text) else {
        return Ok(());
    };
    let count = form.len();
    let (turn, other) = (case.below(count + 1), case.below(count + 1));
    let items = [
        Item::Number,
        Item::Action,
        Item::User,
        Item::Mutations,
        Item::Reasoning,
        Item::Response,
        Item::Context,
        Item::Tools,
    ];
    let change = match case.below(6) {
        0 => Change::Add,
        1 => Change::Remove(turn),
        2 => Change::Move {
            from: turn,
            to: other,
        },
        3 => Change::RemoveTool(turn, case.below(3)),
        4 => Change::RemoveResult(turn),
        _ => Change::Set(turn, *case.one(&items), case.piece()),
    };
    let Some(after) = form.apply(&change) else {
        return Ok(());
    };
    let again = Form::read(&after);
    let again = again.ok_or_else(|| format!("{change:?} leaves no form: {text:?} -> {after:?}"))?;
    // in a text that cannot be read, what is taken out may have closed what stands behind it
    if constitution::read(&text).result.is_none() {
        return Ok(());
    }
    let expected = match change {
        Change::Add => count + 1,
        Change::Remove(turn) if turn < count => count - 1,
        _ => count,
    };
    ensure(again.len() == expected, || {
        format!(
            "{change:?} makes {} of {count} turns: {text:?} -> {after:?}",
            again.len()
        )
    })
}

fn persona(case: &mut Case) -> Result<(), String> {
    let (persona, transcript) = (case.text("exemplars"), case.text("session_id"));
    let config = case.once_in(4).then(|| case.text("scoring"));
    let safety = case.once_in(4).then(|| case.text("category"));
    let judge = case.once_in(4).then(|| case.text("\"score\""));
    let labels = case.once_in(4).then(|| case.text("\"label\""));
    let control = case.once_in(4).then(|| case.text("\"text\""));
    let inputs = persona::Inputs {
        persona: &persona,
        transcript: &transcript,
        config: config.as_deref(),
        safety: safety.as_deref(),
        judge: judge.as_deref(),
        labels: labels.as_deref(),
        control: control.as_deref(),
    };
    let mut known = persona::Known::default();
    let read = persona::read_with(&inputs, &mut known);
    sound(&read)?;
    ensure(read == persona::read_with(&inputs, &mut known), || {
        "what is known changes the reading".into()
    })?;
    let Some(run) = read.result else {
        return Ok(());
    };
    let table = vectors::table(&run);
    let similar = run.similarities(&table);
    let options = persona::Options::default();
    let Some(result) = run.score_with(&options, Some(&similar)).result else {
        return Ok(());
    };
    if let Some(overall) = result.overall {
        ensure((0.0..=1.0).contains(&overall), || {
            format!("overall is {overall}")
        })?;
    }
    rectangular(&share::persona_csv(&result))?;
    let _ = (
        share::persona_markdown(&result),
        persona::summary(&result),
        run.intervals(&options, Some(&similar)),
    );
    Ok(())
}

fn edit_persona(case: &mut Case) -> Result<(), String> {
    use persona_form::{Change, Field, Form, List};
    let text = case.text("exemplars");
    let Some(form) = Form::read(&text) else {
        return Ok(());
    };
    let examples = (0..form.taught().len()).map(List::Examples);
    let lists: Vec<List> = List::ALL.into_iter().chain(examples).collect();
    let list = *case.one(&lists);
    let length = form.list(list).len();
    let (entry, other, typed) = (case.below(length + 1), case.below(length + 1), case.piece());
    let change = match case.below(5) {
        0 => Change::Field(*case.one(&Field::ALL), typed),
        1 => Change::Entry(list, entry, typed),
        2 => Change::Add(list, typed),
        3 => Change::Remove(list, entry),
        _ => Change::Move {
            list,
            from: entry,
            to: other,
        },
    };
    let Some(after) = form.apply(&change) else {
        return Ok(());
    };
    ensure(Form::read(&after).is_some(), || {
        format!("{change:?} leaves no form: {text:?} -> {after:?}")
    })
}

fn read_document(case: &mut Case) -> Result<(), String> {
    let text = case.text("");
    let _ = document::detect(&text, &|_| None::<()>);
    let _ = parse_yaml(&text);
    let normal = document::normalise(&text);
    for piece in document::pieces(&normal) {
        let _ = piece.of(&normal);
    }
    if let Some(mended) = document::mend(&normal) {
        ensure(mended.len() < normal.len(), || {
            "mending makes a text longer".into()
        })?;
    }
    let (nodes, problems) = document::parse_jsonl(&normal);
    let lines = normal
        .split('\n')
        .filter(|line| !line.trim().is_empty())
        .count();
    ensure(
        nodes.len() <= lines && problems.len() + nodes.len() >= lines,
        || {
            format!(
                "{} values and {} problems of {lines} lines",
                nodes.len(),
                problems.len()
            )
        },
    )
}

fn link(case: &mut Case) -> Result<(), String> {
    let text = case.text("");
    let kind = share::Kind::Rwea;
    let document = share::Document::new(kind, "rwea/1", Value::String(text));
    let link = share::encode(&document).map_err(|error| error.to_string())?;
    ensure(share::decode(&link).as_ref() == Ok(&document), || {
        format!("{link} comes back as another")
    })?;
    // any other character in it is refused
    let place = 1 + case.below(link.len() - 1);
    let other = char::from(b'!' + case.below(94) as u8);
    if !link[place..].starts_with(other) {
        let changed = format!("{}{other}{}", &link[..place], &link[place + 1..]);
        ensure(share::decode(&changed).is_err(), || {
            format!("{changed} opens")
        })?;
    }
    let _ = share::decode(&format!("#v{}.{}", case.below(4), case.text("")));
    Ok(())
}

/// A report says again what it was made of and stands; with another character it does not.
fn report(case: &mut Case) -> Result<(), String> {
    use share::report::{read_report, write};
    use share::verify::compare_reports;

    let (kind, like) = *case.one(&[
        (share::Kind::Rwea, "candidates"),
        (share::Kind::Reward, "turn"),
    ]);
    let text = Value::String(case.text(like));
    let document = share::Document::new(kind, share::formula(kind), text);
    let Ok(made) = share::score_again(&document, None) else {
        return Ok(());
    };
    let html = write(&made);
    let read = read_report(&html).map_err(|problem| problem.message)?;
    ensure(read == made, || "it comes back as another".into())?;
    let account = compare_reports(&html, &read, &made);
    ensure(account.stands(), || account.sentences().join(" "))?;
    let mut place = case.below(html.len());
    while !html.is_char_boundary(place) {
        place -= 1;
    }
    let other = char::from(b'!' + case.below(94) as u8);
    let Some(own) = html[place..].chars().next().filter(|own| *own != other) else {
        return Ok(());
    };
    let rest = &html[place + own.len_utf8()..];
    let changed = format!("{}{other}{rest}", &html[..place]);
    let Ok(read) = read_report(&changed) else {
        return Ok(());
    };
    let Ok(again) = share::score_again(&read.document, None) else {
        return Ok(());
    };
    let account = compare_reports(&changed, &read, &again);
    ensure(!account.stands(), || {
        format!("{own:?} as {other:?} at {place} is not seen")
    })
}

/// What is made of a file of another tool is read as a document of our own.
fn sources(case: &mut Case) -> Result<(), String> {
    let mut bytes = case.text("").into_bytes();
    if case.once_in(4) && !bytes.is_empty() {
        let (at, byte) = (case.below(bytes.len()), case.below(256) as u8);
        bytes[at] = byte;
    }
    let wanted = case.once_in(8).then(|| case.one(FORMATS).key);
    let file = match File::open("a.json", Box::new(bytes), wanted) {
        Ok(file) => file,
        Err(why) => return ensure(!why.is_empty(), || "refused without a word".into()),
    };
    ensure(
        !file.listings.is_empty() || !file.strange.is_empty(),
        || "opened, and nothing is said of it".into(),
    )?;
    for (at, listing) in file.listings.iter().enumerate() {
        let all: Vec<usize> = (0..listing.items.len()).collect();
        let kinds = listing.items.iter().flat_map(|item| item.makes.clone());
        for kind in kinds.collect::<BTreeSet<Kind>>() {
            let wanted = Wanted {
                kind,
                file: "a.json",
                because: &listing.because,
                mapping: BTreeMap::new(),
            };
            let made = match file.make(at, &all, &wanted) {
                Ok(made) => made,
                Err(why) => return ensure(!why.is_empty(), || "refused without a word".into()),
            };
            match kind {
                Kind::Turns => sound(&constitution::read(&made.text))?,
                Kind::Debate => sound(&debate::read(&made.text))?,
                _ => drop(parse_yaml(&made.text)),
            }
        }
    }
    Ok(())
}

fn edit_rules(case: &mut Case) -> Result<(), String> {
    use persona::{RulesChange, RulesForm};
    let text = case.text("category");
    let Some(form) = RulesForm::read(&text) else {
        return Ok(());
    };
    let count = form.items.len();
    let (at, typed) = (case.below(count + 1), case.piece());
    let words = vec![typed.clone(), case.piece()];
    let change = match case.below(7) {
        0 => RulesChange::AddRule(words),
        1 => RulesChange::Except {
            category: case.once_in(2).then(|| "custom".to_owned()),
            words: typed,
        },
        2 => RulesChange::Category(at, typed),
        3 => RulesChange::Severity(at, typed),
        4 => RulesChange::Sought(at, words),
        5 => RulesChange::Exceptions(at, words),
        _ => RulesChange::Remove(at),
    };
    let Some(after) = form.apply(&change) else {
        return Ok(());
    };
    let again = RulesForm::read(&after);
    let again = again.ok_or_else(|| format!("{change:?} leaves no form: {text:?} -> {after:?}"))?;
    let expected = match change {
        RulesChange::AddRule(_) => count + 1,
        RulesChange::Remove(at) if at < count => count - 1,
        // more words may go to an item that is there
        RulesChange::Except { .. } => again.items.len().clamp(count, count + 1),
        _ => count,
    };
    ensure(again.items.len() == expected, || {
        let items = again.items.len();
        format!("{change:?} makes {items} of {count} items: {text:?} -> {after:?}")
    })
}

fn answers(case: &mut Case) -> Result<(), String> {
    let texts: Vec<String> = (0..3 + case.below(30)).map(|_| case.piece()).collect();
    let replies: Vec<Rated> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| Rated {
            session_id: "s",
            turn_index: at as i64,
            text,
            prompt: None,
        })
        .collect();
    let sheets = judges::sheets(&replies, 1);
    let sheet = case.one(&sheets);
    let mut text = case.text("\"reply\"");
    if !case.once_in(8) {
        text.insert_str(0, &format!("{{\"sheet\": \"{}\"}}\n", sheet.nonce));
    }
    let judge = *case.one(&["", "j"]);
    let answer = judges::read_answer(&text, (&sheets, &replies), judge, &[]);
    let (ruled, missing) = (answer.rulings.len(), answer.missing.len());
    ensure(
        ruled + missing <= replies.len() && (ruled > 0 || !answer.problems.is_empty()),
        || format!("{ruled} ruled and {missing} missing without a word: {text:?}"),
    )?;
    let mut written = String::new();
    for ruling in &answer.rulings {
        let figures = [ruling.voice, ruling.safety];
        let is_right = figures
            .iter()
            .flatten()
            .all(|figure| (0.0..=judges::BEST).contains(figure));
        ensure(is_right, || format!("{ruling:?} of {text:?}"))?;
        written += &judges::written(ruling);
        written.push('\n');
    }
    let mut problems = Problems::new();
    let again = judges::read_rulings(&written, &mut problems);
    let is_named = answer.rulings.iter().all(|ruling| !ruling.judge.is_empty());
    ensure(again == answer.rulings || !is_named, || {
        format!("{written} reads back as {again:?}")
    })?;
    let _ = (
        judges::read_rulings(&text, &mut problems),
        judges::judge_scores(&again),
    );
    Ok(())
}

/// A result in the shapes of other tools is JSON, or JSON in every line.
fn back(case: &mut Case) -> Result<(), String> {
    let is_json = |text: &str| serde_json::from_str::<Value>(text).map(drop);
    let written = |shape: share::Shape, text: &str| {
        let lines: Vec<&str> = match shape {
            share::Shape::Comparator => vec![text],
            _ => text.lines().collect(),
        };
        let wrong = lines.into_iter().find_map(|line| is_json(line).err());
        let is_there = |error: serde_json::Error| format!("{}: {error}: {text}", shape.name());
        wrong.map(is_there).map_or(Ok(()), Err)
    };
    let text = case.text("candidates");
    let (profiles, options) = (debate::Profiles::built_in(), debate::Options::default());
    if let Some(payload) = debate::read(&text).result
        && let Some(result) = debate::score(&payload, profiles, &options).result
    {
        for shape in share::Shape::OF_DEBATES {
            written(
                shape,
                &share::debates_back(shape, &text, &[(&payload, &result)]),
            )?;
        }
    }
    let read = constitution::read(&case.text("turn"));
    if let Some(log) = read.result
        && let Some(result) = constitution::score(&log, &constitution::Options::default()).result
    {
        for shape in share::Shape::OF_TURNS {
            written(
                shape,
                &share::reward_back(shape, &log, &result).unwrap_or_default(),
            )?;
        }
    }
    let (persona, transcript) = (case.text("exemplars"), case.text("session_id"));
    let run = persona::read(&persona::Inputs {
        persona: &persona,
        transcript: &transcript,
        ..persona::Inputs::default()
    });
    if let Some(run) = run.result
        && let Some(result) = run.score_with(&persona::Options::default(), None).result
    {
        for shape in share::Shape::OF_SESSIONS {
            written(
                shape,
                &share::persona_back(shape, &transcript, &result).unwrap_or_default(),
            )?;
        }
    }
    Ok(())
}
