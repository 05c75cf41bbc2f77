//! A form and its text through random edits: each change does what it says and
//! nothing else, whatever the layout, and unknown keys stay.

use std::collections::{BTreeMap, BTreeSet};

use assay::debate::form::{Change, Column, Form};
use assay::debate::{ClaimStatus, ReviewField};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// An odd layout, unknown keys, names that need escapes, a debater without a name.
const TEXT: &str = r#"Here it is:
```json
{ "x-note" :"kept 🔒",
"candidates":[
  {"id": "A", "model":"opus", "reviews" : [{"debater": "P \"q\"", "support": 2, "x-r": [1,{"a":2}]},
      {"debater":"Q","evidence":1,"critical_fail":0, "justification":"because, { so ]"}], "x-c": {"deep": [ ]}},
	{"id":"B","formal_score":0.5,"reviews":[{"support":1,"evidence":0,"major_risks":2,"critical_fail":1},{"debater":"Q","support":0}],"x-c":null},
  {"x-c": -0.0, "claims": [{"status":"proved","text":"t"}, {"status": "running", "x-k": 1}], "id": "Ç", "reviews": []}
 ],
 "pairwise": [ {"winner": "A", "loser": "B"} , {"loser":"A","winner":"Ç","x-p":"why"} ] }
```
That is all."#;

/// Everything that a form shows, whatever the text it was read from.
fn fields(form: &Form) -> impl PartialEq + std::fmt::Debug + '_ {
    (
        (&form.question, &form.domain),
        (&form.columns, &form.rows, &form.outcomes),
    )
}

/// Everything a form says, by name, so that two forms can be told apart.
fn facts(form: &Form) -> BTreeMap<String, String> {
    let mut facts = BTreeMap::new();
    facts.insert("question".into(), form.question.clone());
    for (index, row) in form.rows.iter().enumerate() {
        let id = &row.id;
        facts.insert(format!("model {id}"), row.model.clone());
        facts.insert(format!("wins {id}"), row.wins.clone());
        facts.insert(format!("formal {id}"), row.formal.clone());
        facts.insert(format!("claims {id}"), format!("{:?}", row.claims));
        for (at, column) in form.columns.iter().enumerate() {
            let Some(review) = form.review(index, at) else {
                continue;
            };
            let who = format!("{} on {id}", column.title());
            for field in ReviewField::ALL {
                let value = form.value(index, at, field).to_owned();
                facts.insert(format!("{} {who}", field.name()), value);
            }
            facts.insert(format!("why {who}"), review.justification.clone());
        }
    }
    for (winner, loser) in form.outcomes.iter().flatten() {
        let [winner, loser] = [winner, loser].map(|at| form.rows[*at].id.clone());
        facts.insert(format!("{winner} beats {loser}"), String::new());
    }
    facts
}

fn some_change(form: &Form, random: &mut ChaCha8Rng) -> Change {
    const WORDS: [&str; 6] = ["", "2", "a \"word\"", "ünï\n", "{", "1.50"];
    let mut below = |most: usize| random.random_range(0..most.max(1));
    let (rows, columns) = (form.rows.len(), form.columns.len());
    let (row, column) = (below(rows), below(columns));
    let word = WORDS[below(WORDS.len())].to_owned();
    let field = ReviewField::ALL[below(4)];
    let claims = form.rows.get(row).map_or(0, |row| row.claims.len());
    match below(24) {
        0 => Change::Question(word),
        1 if rows < 9 => Change::AddCandidate,
        2 if rows > 2 => Change::RemoveCandidate(row),
        3 => Change::MoveCandidate {
            from: row,
            to: below(rows),
        },
        4 => Change::RenameCandidate(row, format!("N{}", below(1000))),
        5 => Change::Model(row, word),
        6 => Change::Wins(row, word),
        7 if claims == 0 => Change::Formal(row, word),
        8 if columns < 6 => Change::AddDebater(String::new()),
        9 if columns > 3 => Change::RemoveDebater(column),
        10 => Change::RenameDebater(column, format!("D{}", below(1000))),
        11 => Change::AddClaim(row),
        12 if claims > 0 => Change::ClaimStatus(row, below(claims), ClaimStatus::Disproved),
        13 if claims > 0 => Change::ClaimText(row, below(claims), word),
        14 if claims > 0 => Change::RemoveClaim(row, below(claims)),
        15 => Change::Justification {
            row,
            column,
            text: word,
        },
        16 => Change::RemoveReview { row, column },
        17 | 18 if rows > 1 => {
            let second = (row + 1 + below(rows - 1)) % rows;
            Change::Outcome {
                first: row,
                second,
                winner: [None, Some(row), Some(second)][below(3)],
            }
        }
        19 => Change::TypeWins,
        20 => Change::MoveDebater {
            from: column,
            to: below(columns),
        },
        _ => Change::Score {
            row,
            column,
            field,
            value: [None, Some(0), Some(1)][below(3)],
        },
    }
}

/// The names of what a change may touch, besides what it adds or takes away.
fn may_touch(change: &Change, before: &Form, name: &str) -> bool {
    let id = |row: usize| before.rows[row].id.as_str();
    let cell =
        |row: usize, column: usize| format!("{} on {}", before.columns[column].title(), id(row));
    let nameless = |name: &str| name.contains("Review ");
    match change {
        Change::Start
        | Change::AddCandidate
        | Change::AddDebater(_)
        | Change::MoveCandidate { .. } => false,
        Change::Question(_) => name == "question",
        Change::Model(row, _) => name == format!("model {}", id(*row)),
        Change::Wins(row, _) => name == format!("wins {}", id(*row)),
        Change::Formal(row, _) => name == format!("formal {}", id(*row)),
        Change::AddClaim(row)
        | Change::ClaimText(row, ..)
        | Change::ClaimStatus(row, ..)
        | Change::RemoveClaim(row, _) => {
            name == format!("claims {}", id(*row)) || name == format!("formal {}", id(*row))
        }
        Change::Score {
            row, column, field, ..
        } => name == format!("{} {}", field.name(), cell(*row, *column)),
        Change::Justification { row, column, .. } => name == format!("why {}", cell(*row, *column)),
        // a debater without a name is known by its position
        Change::RemoveReview { row, column } => {
            name.ends_with(&cell(*row, *column)) || (nameless(name) && name.ends_with(id(*row)))
        }
        Change::RemoveDebater(column) | Change::RenameDebater(column, _) => {
            name.contains(&before.columns[*column].title()) || nameless(name)
        }
        Change::MoveDebater { .. } => nameless(name),
        Change::RemoveCandidate(row) | Change::RenameCandidate(row, _) => {
            name.split([' ']).any(|word| word == id(*row)) || name.starts_with("wins ")
        }
        Change::Outcome { first, second, .. } => {
            name.starts_with("wins ")
                || name == format!("{} beats {}", id(*first), id(*second))
                || name == format!("{} beats {}", id(*second), id(*first))
        }
        Change::TypeWins => name.starts_with("wins ") || name.contains(" beats "),
    }
}

fn unknown_keys(text: &str) -> BTreeSet<&str> {
    text.match_indices("\"x-")
        .map(|(at, _)| &text[at..text[at..].find(['\n']).map_or(text.len(), |end| at + end)])
        .map(|rest| &rest[..rest.len().min(6)])
        .collect()
}

const BEFORE: &str = "Here it is:\n```json\n";
const BEHIND: &str = "\n```\nThat is all.";

/// Whether a change may take unknown keys out, with the object they stand in.
fn takes_away(change: &Change) -> bool {
    matches!(
        change,
        Change::RemoveCandidate(_)
            | Change::RemoveDebater(_)
            | Change::RemoveReview { .. }
            | Change::RemoveClaim(..)
            | Change::Outcome { .. }
            | Change::TypeWins
    )
}

/// What stands in the column that is called so; nothing where there is none.
fn value_at<'a>(form: &'a Form, row: usize, title: &str, field: ReviewField) -> &'a str {
    let at = form
        .columns
        .iter()
        .position(|column| column.title() == title);
    at.map_or("", |at| form.value(row, at, field))
}

/// What a change is about has the value it was given.
fn has_its_value(change: &Change, before: &Form, after: &Form, says: &str) {
    match change {
        Change::Score {
            row,
            column,
            field,
            value,
        } => {
            let Some(title) = before.columns.get(*column).map(Column::title) else {
                return;
            };
            let shown = value_at(after, *row, &title, *field);
            let typed = value.map(|value| value.to_string()).unwrap_or_default();
            assert_eq!(shown, typed, "{says}");
        }
        Change::Outcome {
            first,
            second,
            winner,
        } => {
            let expected = winner.map_or(0, |winner| if winner == *first { 1 } else { -1 });
            assert_eq!(after.outcome(*first, *second), expected, "{says}");
        }
        _ => {}
    }
}

/// Checks one change, and gives the text after it.
fn checked(text: &str, before: &Form, change: &Change, edit: &str) -> String {
    let changed = before.apply(change);
    assert!(changed.is_some(), "{edit}: {change:?}\n{text}");
    let changed = changed.unwrap_or_default();
    let says = format!("{edit}: {change:?}\n{text}\n{changed}");
    let after = Form::read(&changed, 0);
    assert!(after.is_some(), "{says}");
    let after = after.unwrap_or_default();
    // what stands around the JSON stays
    assert!(
        changed.starts_with(BEFORE) && changed.ends_with(BEHIND),
        "{says}"
    );
    let json = &changed[BEFORE.len()..changed.len() - BEHIND.len()];
    assert!(json.starts_with("{ \"x-note\" :\"kept 🔒\""), "{says}");
    // nothing else than what the change is about has another value
    let (old, new) = (facts(before), facts(&after));
    for (name, value) in &old {
        if !may_touch(change, before, name) {
            assert_eq!(new.get(name), Some(value), "{name}\n{says}");
        }
    }
    has_its_value(change, before, &after, &says);
    assert!(
        takes_away(change) || unknown_keys(text) == unknown_keys(&changed),
        "{says}"
    );
    // the same JSON in another layout is the same form
    let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let pretty = serde_json::to_string_pretty(&value).expect("JSON");
    let again = Form::read(&pretty, 0).expect("JSON");
    assert_eq!(fields(&again), fields(&after), "{says}");
    changed
}

#[test]
fn form_and_text_stay_in_step_through_500_random_edits() {
    for seed in 0..4 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut text = TEXT.to_owned();
        for edit in 0..500 {
            let before = Form::read(&text, 0).expect("JSON");
            let change = some_change(&before, &mut random);
            text = checked(
                &text,
                &before,
                &change,
                &format!("seed {seed}, edit {edit}"),
            );
        }
    }
}

/// Reviews without a name stand under their position, beside those with one.
#[test]
fn a_rating_goes_into_the_cell_that_was_pressed() {
    let unnamed = include_str!("../fuzz/corpus/unnamed_reviews.json");
    assert!(assay::debate::read(unnamed).result.is_some());
    for text in [TEXT, unnamed] {
        let before = Form::read(text, 0).expect("a debate");
        let (rows, columns) = (before.rows.len(), before.columns.len());
        assert!(before.columns.iter().any(|column| column.name.is_none()));
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            for (field, value) in ReviewField::ALL.into_iter().flat_map(|f| [(f, 0), (f, 1)]) {
                let value = Some(value);
                let change = Change::Score {
                    row,
                    column,
                    field,
                    value,
                };
                let after = before.apply(&change).expect("a place");
                let after = Form::read(&after, 0).expect("a debate");
                let title = before.columns[column].title();
                let says = format!("{change:?} of {title} in {text}");
                let typed = value.map(|value| value.to_string()).unwrap_or_default();
                assert_eq!(value_at(&after, row, &title, field), typed, "{says}");
                let (old, new) = (facts(&before), facts(&after));
                for (name, value) in old
                    .iter()
                    .filter(|(name, _)| !may_touch(&change, &before, name))
                {
                    assert_eq!(new.get(name), Some(value), "{name}: {says}");
                }
            }
        }
    }
}
