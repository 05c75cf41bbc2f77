//! A payload as a form: what stands in each field, as typed, and what a change
//! of a field does to the text. Works on any JSON, also where reading finds
//! mistakes, so that a form can show and mend them.

use std::collections::HashMap;

use super::payload::debates;
use super::{ClaimStatus, Edit, ReviewField};
use crate::document::edit::{Draft, Step, edit, moved, quoted};
use crate::document::{Node, Problems, Reader, Value, normalise, read_json};
use crate::path;

/// A payload, field by field. Fields that are missing are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The question.
    pub question: String,
    /// The domain that the payload names.
    pub domain: String,
    /// One per debater, in the order in which they appear.
    pub columns: Vec<Column>,
    /// The candidates.
    pub rows: Vec<Row>,
    /// Head-to-heads as winner and loser, positions among the candidates; none
    /// where wins are typed.
    pub outcomes: Option<Vec<(usize, usize)>>,
}

/// A debater. The same name twice in one candidate's reviews is two columns; a
/// review without a name belongs to the column of its position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Column {
    /// Its name, where it has one.
    pub name: Option<String>,
    /// Which of its reviews of a candidate; without a name, the position. From 0.
    pub nth: usize,
}

impl Column {
    /// As people read it.
    pub fn title(&self) -> String {
        match (&self.name, self.nth) {
            (None, nth) => format!("Review {}", nth + 1),
            (Some(name), 0) => name.clone(),
            (Some(name), nth) => format!("{name} ({})", nth + 1),
        }
    }
}

/// A candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// Its model.
    pub model: String,
    /// Its wins as typed.
    pub wins: String,
    /// The wins that the head-to-heads give it, where there are any.
    pub counted: Option<usize>,
    /// Its formal score as typed.
    pub formal: String,
    /// Its claims: text and status.
    pub claims: Vec<(String, String)>,
    /// Its reviews, in the order of the text.
    pub reviews: Vec<Review>,
    /// Per column, which review stands there.
    pub cells: Vec<Option<usize>>,
}

/// A review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// support, evidence, major_risks, critical_fail.
    pub values: [String; 4],
    /// Why.
    pub justification: String,
}

impl Form {
    /// The form of one of the debates in a text; none if it is not JSON.
    pub fn read(text: &str, index: usize) -> Option<Self> {
        let text = normalise(text);
        let found = debates(&text);
        let piece = found.get(index).or(found.last())?;
        Self::of(&read_json(
            piece.of(&text),
            piece.place,
            &mut Problems::new(),
        )?)
    }

    /// The form of a debate that is parsed already; none if it is no object.
    pub fn of(node: &Node) -> Option<Self> {
        let root = Reader::new(node);
        matches!(root.value(), Value::Map(_)).then(|| Self::of_root(&root))
    }

    fn of_root(root: &Reader) -> Self {
        let items = root.get("candidates").as_ref().and_then(Reader::items);
        let items = items.unwrap_or_default();
        let mut columns: Vec<Column> = Vec::new();
        let mut known: HashMap<Column, usize> = HashMap::new();
        let mut rows: Vec<Row> = items.iter().map(read_row).collect();
        for (row, item) in rows.iter_mut().zip(&items) {
            for (index, column) in columns_of(item).into_iter().enumerate() {
                let next = columns.len();
                let at = *known.entry(column.clone()).or_insert(next);
                if at == next {
                    columns.push(column);
                }
                row.cells.resize(row.cells.len().max(at + 1), None);
                row.cells[at] = Some(index);
            }
        }
        for row in &mut rows {
            row.cells.resize(columns.len(), None);
        }
        let outcomes = outcomes(root, &rows);
        if let Some(outcomes) = &outcomes {
            for row in &mut rows {
                row.counted = Some(0);
            }
            for (winner, _) in outcomes {
                rows[*winner].counted = rows[*winner].counted.map(|wins| wins + 1);
            }
        }
        Self {
            question: raw(root, "question"),
            domain: raw(root, "domain"),
            columns,
            rows,
            outcomes,
        }
    }

    /// What stands in a field of a review; empty where there is no review.
    pub fn value(&self, row: usize, column: usize, field: ReviewField) -> &str {
        self.review(row, column)
            .map_or("", |review| &review.values[field as usize])
    }

    /// The review in a cell.
    pub fn review(&self, row: usize, column: usize) -> Option<&Review> {
        let row = self.rows.get(row)?;
        row.reviews.get((*row.cells.get(column)?)?)
    }

    /// Who won a head-to-head: 1 the first, -1 the second, 0 nobody yet.
    pub fn outcome(&self, first: usize, second: usize) -> i32 {
        let outcomes = self.outcomes.iter().flatten();
        outcomes
            .map(|pair| i32::from(*pair == (first, second)) - i32::from(*pair == (second, first)))
            .sum::<i32>()
            .signum()
    }

    /// The [outcomes](Self::outcome) of all pairs, row after row.
    pub fn outcome_table(&self) -> Vec<i8> {
        let n = self.rows.len();
        let mut table = vec![0_i8; n * n];
        for &(winner, loser) in self.outcomes.iter().flatten() {
            for (place, sign) in [(winner * n + loser, 1), (loser * n + winner, -1)] {
                table[place] = table[place].saturating_add(sign);
            }
        }
        table.into_iter().map(i8::signum).collect()
    }

    /// How many wins there are in all, typed or counted, and how many there should be.
    pub fn wins(&self) -> (usize, usize) {
        let wins = self
            .rows
            .iter()
            .map(|row| row.counted.or_else(|| row.wins.trim().parse().ok()));
        let n = self.rows.len();
        (wins.flatten().sum(), n * n.saturating_sub(1) / 2)
    }
}

fn read_row(item: &Reader) -> Row {
    let list = |key| item.get(key).as_ref().and_then(Reader::items);
    let claims = list("claims").unwrap_or_default();
    let reviews = list("reviews").unwrap_or_default();
    Row {
        id: raw(item, "id"),
        model: raw(item, "model"),
        wins: raw(item, "wins"),
        formal: raw(item, "formal_score"),
        claims: claims
            .iter()
            .map(|claim| (raw(claim, "text"), raw(claim, "status")))
            .collect(),
        reviews: reviews
            .iter()
            .map(|review| Review {
                values: ReviewField::ALL.map(|field| raw(review, field.name())),
                justification: raw(review, "justification"),
            })
            .collect(),
        counted: None,
        cells: Vec::new(),
    }
}

/// The column of each review of a candidate.
fn columns_of(candidate: &Reader) -> Vec<Column> {
    let reviews = candidate.get("reviews").as_ref().and_then(Reader::items);
    let mut seen: HashMap<String, usize> = HashMap::new();
    let reviews = reviews.unwrap_or_default();
    let columns = reviews.iter().enumerate().map(|(index, review)| {
        let name = raw(review, "debater");
        if name.is_empty() {
            return Column {
                name: None,
                nth: index,
            };
        }
        let count = seen.entry(name.clone()).or_insert(0);
        *count += 1;
        Column {
            name: Some(name),
            nth: *count - 1,
        }
    });
    columns.collect()
}

/// The outcomes that name two candidates; none without a list or with an empty one.
fn outcomes(root: &Reader, rows: &[Row]) -> Option<Vec<(usize, usize)>> {
    let items = root.get("pairwise")?.items()?;
    if items.is_empty() {
        return None;
    }
    let positions: HashMap<&str, usize> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| (row.id.as_str(), index))
        .collect();
    let side = |item: &Reader, key| positions.get(raw(item, key).as_str()).copied();
    let pairs = items
        .iter()
        .filter_map(|item| Some((side(item, "winner")?, side(item, "loser")?)));
    Some(pairs.collect())
}

/// A field as it is typed.
fn raw(of: &Reader, key: &str) -> String {
    of.node().typed(path![key])
}

/// A change of a form. Candidates, claims and columns are positions from 0.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // positions and what is typed
pub enum Change {
    /// A new debate in place of an empty text.
    Start,
    Question(String),
    AddCandidate,
    RemoveCandidate(usize),
    MoveCandidate {
        from: usize,
        to: usize,
    },
    /// The head-to-heads go along.
    RenameCandidate(usize, String),
    Model(usize, String),
    /// As typed: what is no number is kept as a string, and reading says so.
    Wins(usize, String),
    /// As typed, like wins.
    Formal(usize, String),
    /// Without a name, the first free one.
    AddDebater(String),
    RemoveDebater(usize),
    MoveDebater {
        from: usize,
        to: usize,
    },
    RenameDebater(usize, String),
    /// None takes the value out. Where there is no review yet, one is added.
    Score {
        row: usize,
        column: usize,
        field: ReviewField,
        value: Option<i64>,
    },
    Justification {
        row: usize,
        column: usize,
        text: String,
    },
    RemoveReview {
        row: usize,
        column: usize,
    },
    /// Who wins between two candidates; from now on wins are counted.
    Outcome {
        first: usize,
        second: usize,
        winner: Option<usize>,
    },
    /// The wins that were counted are typed from now on.
    TypeWins,
    /// A claim replaces a typed formal score.
    AddClaim(usize),
    ClaimText(usize, usize, String),
    ClaimStatus(usize, usize, ClaimStatus),
    RemoveClaim(usize, usize),
}

impl Change {
    /// What an edit of a payload is in its form; none where the form has no such place.
    pub fn of(edit: &Edit, form: &Form) -> Option<Self> {
        Some(match *edit {
            Edit::Review {
                candidate,
                review,
                field,
                to,
                ..
            } => {
                let cells = &form.rows.get(candidate)?.cells;
                Self::Score {
                    row: candidate,
                    column: cells.iter().position(|cell| *cell == Some(review))?,
                    field,
                    value: Some(to),
                }
            }
            Edit::Claim {
                candidate,
                claim,
                to,
                ..
            } => Self::ClaimStatus(candidate, claim, to),
            Edit::Formal { candidate, to, .. } => Self::Formal(candidate, to.to_string()),
            Edit::Wins { candidate, to, .. } => Self::Wins(candidate, to.to_string()),
            Edit::Match { winner, loser, .. } => Self::Outcome {
                first: winner,
                second: loser,
                winner: Some(winner),
            },
        })
    }
}

/// The text after a change of one of its debates; none if that is not JSON.
/// Everything that the change does not concern stays as it was typed.
pub fn apply(text: &str, index: usize, change: &Change) -> Option<String> {
    if *change == Change::Start {
        return Some(START.to_owned());
    }
    let text = normalise(text);
    let found = debates(&text);
    let piece = found.get(index).or(found.last())?;
    let own = piece.of(&text);
    let form = Form::read(own, 0)?;
    let changed = edit(own, |draft| make(draft, &form, change))?;
    let (before, after) = (&text[..piece.range.start], &text[piece.range.end..]);
    Some([before, &changed, after].concat())
}

/// What a new debate starts from.
const START: &str = r#"{
  "question": "",
  "candidates": [
    {"id": "A", "wins": 0, "reviews": [{"debater": "Debater 1", "critical_fail": 0}]},
    {"id": "B", "wins": 0, "reviews": [{"debater": "Debater 1", "critical_fail": 0}]}
  ]
}
"#;

fn make(draft: &mut Draft, form: &Form, change: &Change) {
    match change {
        Change::Start => {}
        Change::Question(text) => draft.set_text(path!["question"], text),
        Change::AddCandidate => add_candidate(draft, form),
        Change::RemoveCandidate(row) => remove_candidate(draft, form, *row),
        Change::MoveCandidate { from, to } => {
            draft.reorder(path!["candidates"], &moved(form.rows.len(), *from, *to));
        }
        Change::RenameCandidate(row, id) => rename_candidate(draft, form, *row, id),
        Change::Model(row, model) => draft.set_text(path!["candidates", *row, "model"], model),
        Change::Wins(row, typed) => draft.set_typed(path!["candidates", *row, "wins"], typed),
        Change::Formal(row, typed) => {
            draft.set_typed(path!["candidates", *row, "formal_score"], typed);
        }
        Change::AddDebater(name) => add_debater(draft, form, name),
        Change::RemoveDebater(column) => {
            each_review(form, *column, |review| draft.remove(&review));
        }
        Change::MoveDebater { from, to } => move_debater(draft, form, *from, *to),
        Change::RenameDebater(column, name) => each_review(form, *column, |mut review| {
            review.push("debater".into());
            draft.set_text(&review, name);
        }),
        Change::Score {
            row,
            column,
            field,
            value,
        } => {
            let json = value.map(|value| value.to_string());
            set_in_review(draft, form, (*row, *column), field.name(), json);
        }
        Change::Justification { row, column, text } => {
            let json = (!text.is_empty()).then(|| quoted(text));
            set_in_review(draft, form, (*row, *column), "justification", json);
        }
        Change::RemoveReview { row, column } => {
            let cells = form.rows.get(*row).map(|row| &row.cells);
            if let Some(Some(review)) = cells.and_then(|cells| cells.get(*column)) {
                draft.remove(path!["candidates", *row, "reviews", *review]);
            }
        }
        Change::Outcome {
            first,
            second,
            winner,
        } => set_outcome(draft, form, (*first, *second), *winner),
        Change::TypeWins => type_wins(draft, form),
        Change::AddClaim(row) => add_claim(draft, *row),
        Change::ClaimText(row, claim, text) => {
            draft.set_text(path!["candidates", *row, "claims", *claim, "text"], text);
        }
        Change::ClaimStatus(row, claim, status) => {
            let status = quoted(status.word());
            draft.set(
                path!["candidates", *row, "claims", *claim, "status"],
                &status,
            );
        }
        Change::RemoveClaim(row, claim) => {
            let list = path!["candidates", *row, "claims"];
            if draft.len(list) > 1 {
                draft.remove(path!["candidates", *row, "claims", *claim]);
            } else {
                draft.remove(list);
            }
        }
    }
}

/// Does something with the path of each review of a debater.
fn each_review(form: &Form, column: usize, mut act: impl FnMut(Vec<Step>)) {
    for (row, candidate) in form.rows.iter().enumerate() {
        if let Some(Some(review)) = candidate.cells.get(column) {
            act(path!["candidates", row, "reviews", *review].to_vec());
        }
    }
}

fn move_debater(draft: &mut Draft, form: &Form, from: usize, to: usize) {
    let order = moved(form.columns.len(), from, to);
    for (row, candidate) in form.rows.iter().enumerate() {
        let reviews: Vec<usize> = order
            .iter()
            .filter_map(|column| candidate.cells[*column])
            .collect();
        draft.reorder(path!["candidates", row, "reviews"], &reviews);
    }
}

fn type_wins(draft: &mut Draft, form: &Form) {
    draft.remove(path!["pairwise"]);
    for (row, candidate) in form.rows.iter().enumerate() {
        if let Some(wins) = candidate.counted {
            draft.set(path!["candidates", row, "wins"], &wins.to_string());
        }
    }
}

fn add_claim(draft: &mut Draft, row: usize) {
    let claim = r#"{"text": "", "status": "inconclusive"}"#;
    let list = path!["candidates", row, "claims"];
    draft.remove(path!["candidates", row, "formal_score"]);
    if draft.has(list) {
        let end = draft.len(list);
        draft.insert(list, end, claim);
    } else {
        draft.set(list, &format!("[{claim}]"));
    }
}

fn stub(name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{{\"debater\": {}, \"critical_fail\": 0}}", quoted(name)),
        None => "{\"critical_fail\": 0}".into(),
    }
}

fn add_candidate(draft: &mut Draft, form: &Form) {
    let is_free = |id: &String| form.rows.iter().all(|row| row.id != *id);
    let letters = ('A'..='Z').map(String::from);
    let numbered =
        (form.rows.len() + 1..=2 * form.rows.len() + 1).map(|number| format!("C{number}"));
    let id = letters.chain(numbered).find(is_free).unwrap_or_default();
    // a nameless review is known by its position, which names before it would change
    let is_named = form.columns.iter().any(|column| column.name.is_some());
    let reviews: Vec<String> = form
        .columns
        .iter()
        .filter(|column| column.name.is_some() == is_named)
        .map(|column| stub(column.name.as_deref()))
        .collect();
    let wins = if form.outcomes.is_some() {
        ""
    } else {
        "\"wins\": 0, "
    };
    let json = format!(
        "{{\"id\": {}, {wins}\"reviews\": [{}]}}",
        quoted(&id),
        reviews.join(", ")
    );
    if draft.has(path!["candidates"]) {
        draft.insert(path!["candidates"], form.rows.len(), &json);
    } else {
        draft.set(path!["candidates"], &format!("[{json}]"));
    }
}

fn remove_candidate(draft: &mut Draft, form: &Form, row: usize) {
    let Some(candidate) = form.rows.get(row) else {
        return;
    };
    draft.remove(path!["candidates", row]);
    let Some(outcomes) = &form.outcomes else {
        return;
    };
    let matches = draft.len(path!["pairwise"]);
    let gone: Vec<bool> = (0..matches)
        .map(|at| {
            ["winner", "loser"]
                .iter()
                .any(|side| draft.string(path!["pairwise", at, *side]) == Some(&candidate.id))
        })
        .collect();
    draft.retain(path!["pairwise"], |at| !gone[at]);
    let left: Vec<(usize, usize)> = outcomes
        .iter()
        .copied()
        .filter(|(winner, loser)| *winner != row && *loser != row)
        .collect();
    count_wins(draft, form, &left, Some(row));
}

fn rename_candidate(draft: &mut Draft, form: &Form, row: usize, id: &str) {
    let Some(candidate) = form.rows.get(row) else {
        return;
    };
    draft.set(path!["candidates", row, "id"], &quoted(id));
    let old = &candidate.id;
    let count = |id: &str| form.rows.iter().filter(|row| row.id == id).count();
    // a name that two candidates share says of neither whom a match was about
    if count(old) > 1 || count(id) > 0 {
        return;
    }
    for at in 0..draft.len(path!["pairwise"]) {
        for side in ["winner", "loser"] {
            if draft.string(path!["pairwise", at, side]) == Some(old) {
                draft.set(path!["pairwise", at, side], &quoted(id));
            }
        }
    }
}

fn add_debater(draft: &mut Draft, form: &Form, name: &str) {
    let is_free = |name: &String| form.columns.iter().all(|c| c.name.as_ref() != Some(name));
    let name = Some(name.trim().to_owned())
        .filter(|name| !name.is_empty() && is_free(name))
        .or_else(|| {
            // one more name than there are columns: one of them is free
            let numbers = form.columns.len() + 1..=2 * form.columns.len() + 1;
            let mut names = numbers.map(|number| format!("Debater {number}"));
            names.find(is_free)
        });
    let review = stub(name.as_deref());
    for row in 0..form.rows.len() {
        add_review(draft, row, &review);
    }
}

fn add_review(draft: &mut Draft, row: usize, json: &str) {
    let list = path!["candidates", row, "reviews"];
    if draft.has(list) {
        let end = draft.len(list);
        draft.insert(list, end, json);
    } else {
        draft.set(list, &format!("[{json}]"));
    }
}

/// Sets or takes out a value of a review, which is added where there is none.
fn set_in_review(
    draft: &mut Draft,
    form: &Form,
    (row, column): (usize, usize),
    key: &str,
    json: Option<String>,
) {
    let (Some(candidate), Some(debater)) = (form.rows.get(row), form.columns.get(column)) else {
        return;
    };
    match (candidate.cells[column], json) {
        (Some(review), Some(json)) => {
            draft.set(path!["candidates", row, "reviews", review, key], &json);
        }
        (Some(review), None) => draft.remove(path!["candidates", row, "reviews", review, key]),
        (None, Some(json)) => {
            let name = debater.name.as_ref();
            let name = name.map_or_else(String::new, |name| {
                format!("\"debater\": {}, ", quoted(name))
            });
            let fail = if key == "critical_fail" {
                ""
            } else {
                ", \"critical_fail\": 0"
            };
            add_review(draft, row, &format!("{{{name}\"{key}\": {json}{fail}}}"));
        }
        (None, None) => {}
    }
}

fn set_outcome(
    draft: &mut Draft,
    form: &Form,
    (first, second): (usize, usize),
    winner: Option<usize>,
) {
    let (Some(a), Some(b)) = (form.rows.get(first), form.rows.get(second)) else {
        return;
    };
    let list = path!["pairwise"];
    let is_pair = |draft: &Draft, at: usize| {
        let side = |side| draft.string(path!["pairwise", at, side]);
        let pair = (side("winner"), side("loser"));
        pair == (Some(&a.id), Some(&b.id)) || pair == (Some(&b.id), Some(&a.id))
    };
    let met = (0..draft.len(list)).find(|at| is_pair(draft, *at));
    let mut outcomes = form.outcomes.clone().unwrap_or_default();
    outcomes.retain(|pair| *pair != (first, second) && *pair != (second, first));
    if let Some(winner) = winner {
        let loser = if winner == first { second } else { first };
        outcomes.push((winner, loser));
        let [winner, loser] = [winner, loser].map(|row| quoted(&form.rows[row].id));
        let json = format!("{{\"winner\": {winner}, \"loser\": {loser}}}");
        match met {
            Some(at) => {
                draft.set(path!["pairwise", at, "winner"], &winner);
                draft.set(path!["pairwise", at, "loser"], &loser);
            }
            None if draft.has(list) => {
                let end = draft.len(list);
                draft.insert(list, end, &json);
            }
            None => draft.set(list, &format!("[{json}]")),
        }
    } else if let Some(at) = met {
        draft.remove(path!["pairwise", at]);
    }
    if form.outcomes.is_none() {
        // wins that were typed would contradict what is counted from now on
        for row in 0..form.rows.len() {
            draft.remove(path!["candidates", row, "wins"]);
        }
    } else if outcomes.is_empty() {
        // an empty list says nothing of who won
        for row in 0..form.rows.len() {
            draft.set(path!["candidates", row, "wins"], "0");
        }
    } else {
        count_wins(draft, form, &outcomes, None);
    }
}

/// Sets the wins of those candidates that give them besides the head-to-heads.
fn count_wins(draft: &mut Draft, form: &Form, outcomes: &[(usize, usize)], gone: Option<usize>) {
    for (row, candidate) in form.rows.iter().enumerate() {
        let wins = outcomes.iter().filter(|(winner, _)| *winner == row).count();
        if Some(row) != gone && !candidate.wins.is_empty() && candidate.wins != wins.to_string() {
            draft.set(path!["candidates", row, "wins"], &wins.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{
 "note": "kept",
 "candidates": [
  {"id": "A", "x": [1,  2], "reviews": [{"debater": "P", "support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0}]},
  {"id": "B", "model": "m", "reviews": [{"debater": "Q", "support": 0, "evidence": 1, "major_risks": 2, "critical_fail": 1}, {"support": "two"}]}
 ],
 "pairwise": [{"winner": "B", "loser": "A", "why": "better"}]
}"#;

    fn after(changes: &[Change]) -> (String, Form) {
        let mut text = TEXT.to_owned();
        for change in changes {
            text = apply(&text, 0, change).expect("JSON");
        }
        let form = Form::read(&text, 0).expect("JSON");
        (text, form)
    }

    #[test]
    fn a_form_shows_what_stands_in_the_text() {
        let (_, form) = after(&[]);
        let titles: Vec<_> = form.columns.iter().map(Column::title).collect();
        assert_eq!(titles, ["P", "Q", "Review 2"]);
        assert_eq!(form.value(0, 0, ReviewField::Support), "2");
        assert_eq!(form.value(1, 2, ReviewField::Support), "two");
        assert_eq!(form.value(0, 1, ReviewField::Support), "");
        assert_eq!(form.rows[1].counted, Some(1));
        assert_eq!((form.outcome(0, 1), form.outcome(1, 0)), (-1, 1));
        let n = form.rows.len();
        let pairs = (0..n * n).map(|at| form.outcome(at / n, at % n) as i8);
        assert_eq!(form.outcome_table(), pairs.collect::<Vec<_>>());
        assert_eq!(form.wins(), (1, 1));
        assert_eq!(Form::read("{", 0), None);
        assert_eq!(Form::read("[]", 0), None);
        assert_eq!(Form::read("{\"candidates\": 3}", 0), Some(Form::default()));
    }

    #[test]
    fn unknown_keys_and_layout_survive_every_change() {
        let score = |row, column, field, value| Change::Score {
            row,
            column,
            field,
            value,
        };
        let (text, form) = after(&[
            score(0, 0, ReviewField::Support, Some(1)),
            score(0, 1, ReviewField::Evidence, Some(2)),
            Change::Justification {
                row: 0,
                column: 0,
                text: "so \"there\"".into(),
            },
            Change::RenameCandidate(0, "Ä".into()),
            Change::AddCandidate,
            Change::AddDebater("R".into()),
        ]);
        for kept in [
            "\"note\": \"kept\"",
            "[1,  2]",
            "\"why\": \"better\"",
            "\"loser\": \"Ä\"",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        assert_eq!(form.rows.len(), 3);
        assert_eq!(form.rows[2].id, "A");
        assert_eq!(form.columns.len(), 4);
        assert_eq!(form.value(0, 0, ReviewField::Support), "1");
        assert_eq!(form.value(0, 1, ReviewField::Evidence), "2");
        assert_eq!(form.value(0, 1, ReviewField::CriticalFail), "0");
        assert_eq!(
            form.review(0, 0).expect("review").justification,
            "so \"there\""
        );
    }

    #[test]
    fn wins_follow_the_head_to_heads() {
        let outcome = |winner| Change::Outcome {
            first: 0,
            second: 1,
            winner,
        };
        let (text, form) = after(&[outcome(Some(0))]);
        assert_eq!(form.rows[0].counted, Some(1));
        assert!(text.contains("\"why\": \"better\""), "{text}");
        let (text, form) = after(&[Change::TypeWins]);
        assert_eq!(form.outcomes, None);
        assert_eq!(
            (form.rows[0].wins.as_str(), form.rows[1].wins.as_str()),
            ("0", "1")
        );
        let text = apply(&text, 0, &outcome(Some(0))).expect("JSON");
        let form = Form::read(&text, 0).expect("JSON");
        assert_eq!(form.rows[0].wins, "");
        assert_eq!(form.outcomes, Some(vec![(0, 1)]));
        let (_, form) = after(&[outcome(None)]);
        assert_eq!(form.rows[0].wins, "0");
    }

    #[test]
    fn what_is_no_number_is_kept_as_typed() {
        let (text, form) = after(&[
            Change::Wins(0, "two".into()),
            Change::Formal(1, ".5".into()),
        ]);
        assert!(text.contains("\"wins\": \"two\""));
        assert!(text.contains("\"formal_score\": \".5\""));
        assert_eq!(form.rows[0].wins, "two");
        let (text, _) = after(&[
            Change::Wins(0, "1".into()),
            Change::Formal(1, "-0.5".into()),
        ]);
        assert!(text.contains("\"wins\": 1}") && text.contains("\"formal_score\": -0.5}"));
    }

    #[test]
    fn claims_candidates_and_debaters_come_and_go() {
        let (_, form) = after(&[
            Change::AddClaim(0),
            Change::ClaimText(0, 0, "t".into()),
            Change::ClaimStatus(0, 0, ClaimStatus::Proved),
            Change::AddClaim(0),
            Change::MoveCandidate { from: 1, to: 0 },
            Change::RemoveDebater(0),
        ]);
        assert_eq!(form.rows[0].id, "B");
        assert_eq!(form.rows[1].claims[0], ("t".into(), "proved".into()));
        assert_eq!(form.rows[0].reviews.len(), 1);
        let (_, form) = after(&[Change::AddClaim(0), Change::RemoveClaim(0, 0)]);
        assert_eq!(form.rows[0].claims, vec![]);
        let (_, form) = after(&[Change::RemoveCandidate(0)]);
        assert_eq!((form.rows.len(), form.outcomes), (1, None));
        let (_, form) = after(&[
            Change::MoveDebater { from: 1, to: 0 },
            Change::RenameDebater(0, "S".into()),
        ]);
        assert_eq!(form.rows[1].reviews.len(), 2);
        assert!(
            form.columns
                .iter()
                .any(|column| column.name.as_deref() == Some("S"))
        );
    }

    #[test]
    fn one_debate_of_several_is_changed() {
        let line = TEXT.replace('\n', " ");
        let text = format!("{line}\n{line}\n");
        let changed = apply(&text, 1, &Change::Model(0, "new".into())).expect("JSON");
        assert_eq!(changed.lines().next(), Some(line.as_str()));
        assert_eq!(changed.lines().count(), 2);
        assert!(
            changed
                .lines()
                .nth(1)
                .expect("second")
                .contains("\"model\": \"new\"")
        );
        let started = apply("", 0, &Change::Start).expect("always");
        assert_eq!(Form::read(&started, 0).expect("JSON").rows.len(), 2);
    }
}
