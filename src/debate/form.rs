//! A payload as a form: what stands in each field, as typed, and what a change
//! of a field does to the text. Works on any JSON, also where reading finds
//! mistakes, so that a form can show and mend them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::edit::{Edit, ReviewField};
use super::formal::ClaimStatus;
use super::payload::parse;
use crate::document::edit::{Draft, edit_value, moved, quoted};
use crate::document::{Node, Parsed, Step};
use crate::path;
use crate::text::sort_by_key;

/// A payload, field by field. Fields that are missing are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The text in which the payload stands.
    parsed: Arc<Parsed>,
    /// Which of the debates in it.
    index: usize,
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
    /// The columns in which it has a review, in order, each with the review's position.
    /// Not a cell for every column: of many candidates and many debaters most are empty.
    placed: Vec<(usize, usize)>,
}

impl Row {
    /// Which of its reviews stands in a column.
    pub fn review_in(&self, column: usize) -> Option<usize> {
        let found = self
            .placed
            .binary_search_by_key(&column, |(column, _)| *column);
        Some(self.placed[found.ok()?].1)
    }
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
    ///
    /// ```
    /// use assay::debate::form::{Change, Form};
    /// let form = Form::read(r#"{"candidates": [{"id": "A",  "wins": 1}]}"#, 0).expect("JSON");
    /// assert_eq!(form.rows[0].wins, "1");
    /// assert_eq!(
    ///     form.apply(&Change::Wins(0, "2".into())).expect("a place"),
    ///     r#"{"candidates": [{"id": "A",  "wins": 2}]}"#
    /// );
    /// ```
    pub fn read(text: &str, index: usize) -> Option<Self> {
        Self::of(&Arc::new(parse(text)), index)
    }

    /// The form of one of the debates in a text that [`parse`] made ready; beyond
    /// the last is the last.
    pub fn of(parsed: &Arc<Parsed>, index: usize) -> Option<Self> {
        let index = index.min(parsed.pieces().len().checked_sub(1)?);
        let root = parsed.node(index).filter(|node| node.is_object())?;
        Some(Self {
            parsed: parsed.clone(),
            index,
            ..Self::of_root(root)
        })
    }

    /// The text after a change of its debate; none where the form is of no text.
    /// Everything that the change does not concern stays as it was typed.
    pub fn apply(&self, change: &Change) -> Option<String> {
        if *change == Change::Start {
            return Some(START.to_owned());
        }
        let root = self.parsed.node(self.index)?;
        Some(edit_value(self.parsed.text(), root, |draft| {
            make(draft, self, change);
        }))
    }

    /// The text with one debate more at its end, of two candidates without ratings: in the
    /// list where the debates are one, else on a line of its own. None where neither is read.
    pub fn with_another(&self) -> Option<String> {
        self.parsed.node(self.index)?;
        let text = self.parsed.text().trim();
        let new = START.replace('\n', " ");
        let new = new.trim();
        let in_list = text.strip_suffix(']').filter(|_| text.starts_with('['));
        let all = match in_list {
            Some(list) => format!("{},\n{new}\n]\n", list.trim_end()),
            // one that stands on many lines cannot be one of many lines
            None if text.starts_with('{') && text.contains('\n') && self.is_only() => {
                format!("[\n{text},\n{new}\n]\n")
            }
            None => format!("{text}\n{new}\n"),
        };
        let is_read = parse(&all).pieces().len() == self.parsed.pieces().len() + 1;
        is_read.then_some(all)
    }

    /// Whether its text has no other debate.
    fn is_only(&self) -> bool {
        self.parsed.pieces().len() == 1
    }

    fn of_root(root: &Node) -> Self {
        let candidates = list(root, "candidates");
        let mut rows: Vec<Row> = candidates.iter().map(read_row).collect();
        let columns = place_reviews(&mut rows, candidates);
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
            ..Self::default()
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
        row.reviews.get(row.review_in(column)?)
    }

    /// Who won a head-to-head: 1 the first, -1 the second, 0 nobody yet.
    pub fn outcome(&self, first: usize, second: usize) -> i32 {
        let outcomes = self.outcomes.iter().flatten();
        outcomes
            .map(|pair| i32::from(*pair == (first, second)) - i32::from(*pair == (second, first)))
            .sum::<i32>()
            .signum()
    }

    /// The [outcomes](Self::outcome) of those pairs that somebody won, both ways round.
    pub fn outcome_table(&self) -> HashMap<(usize, usize), i32> {
        let mut table: HashMap<(usize, usize), i32> = HashMap::new();
        for &(winner, loser) in self.outcomes.iter().flatten() {
            *table.entry((winner, loser)).or_default() += 1;
            *table.entry((loser, winner)).or_default() -= 1;
        }
        table.retain(|_, sum| {
            *sum = sum.signum();
            *sum != 0
        });
        table
    }

    /// How many ratings of the reviews are given, and how many there are to be given:
    /// three for each review, and a critical fail that is missing.
    pub fn ratings(&self) -> (usize, usize) {
        let reviews = self.rows.iter().flat_map(|row| &row.reviews);
        let counted = reviews.map(|review| {
            let [ratings @ .., critical_fail] = &review.values;
            let given = ratings.iter().filter(|value| !value.is_empty()).count();
            (given, ratings.len() + usize::from(critical_fail.is_empty()))
        });
        counted.fold((0, 0), |(given, all), (more, of)| (given + more, all + of))
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

/// The items of a list under a key; none where there is no list.
fn list<'a>(of: &'a Node, key: &str) -> &'a [Node] {
    of.at(path![key]).map_or(&[], Node::items)
}

/// A field as it is typed.
fn raw(of: &Node, key: &str) -> String {
    of.typed(path![key])
}

fn read_row(item: &Node) -> Row {
    let claims = list(item, "claims").iter();
    let reviews = list(item, "reviews").iter();
    Row {
        id: raw(item, "id"),
        model: raw(item, "model"),
        wins: raw(item, "wins"),
        formal: raw(item, "formal_score"),
        claims: claims
            .map(|claim| (raw(claim, "text"), raw(claim, "status")))
            .collect(),
        reviews: reviews
            .map(|review| Review {
                values: ReviewField::ALL.map(|field| raw(review, field.name())),
                justification: raw(review, "justification"),
            })
            .collect(),
        counted: None,
        placed: Vec::new(),
    }
}

/// Says of each candidate which of its reviews stands in which column; the columns.
fn place_reviews(rows: &mut [Row], candidates: &[Node]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut known: HashMap<Column, usize> = HashMap::new();
    for (row, candidate) in rows.iter_mut().zip(candidates) {
        for (index, column) in columns_of(candidate).into_iter().enumerate() {
            let next = columns.len();
            let at = *known.entry(column.clone()).or_insert(next);
            if at == next {
                columns.push(column);
            }
            row.placed.push((at, index));
        }
        sort_by_key(&mut row.placed, |(column, _)| *column);
    }
    columns
}

/// The column of each review of a candidate.
fn columns_of(candidate: &Node) -> Vec<Column> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let reviews = list(candidate, "reviews").iter().enumerate();
    let columns = reviews.map(|(index, review)| {
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
fn outcomes(root: &Node, rows: &[Row]) -> Option<Vec<(usize, usize)>> {
    let items = list(root, "pairwise");
    if items.is_empty() {
        return None;
    }
    let positions: HashMap<&str, usize> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| (row.id.as_str(), index))
        .collect();
    let side = |item: &Node, key| positions.get(raw(item, key).as_str()).copied();
    let pairs = items
        .iter()
        .filter_map(|item| Some((side(item, "winner")?, side(item, "loser")?)));
    Some(pairs.collect())
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
                let placed = &form.rows.get(candidate)?.placed;
                Self::Score {
                    row: candidate,
                    column: placed.iter().find(|(_, at)| *at == review)?.0,
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
        Change::RemoveReview { row, column } => remove_review(draft, form, *row, *column),
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
            let path = path!["candidates", *row, "claims", *claim, "status"];
            draft.set(path, &quoted(status.word()));
        }
        Change::RemoveClaim(row, claim) => remove_claim(draft, *row, *claim),
    }
}

fn remove_review(draft: &mut Draft, form: &Form, row: usize, column: usize) {
    if let Some(review) = form.rows.get(row).and_then(|row| row.review_in(column)) {
        draft.remove(path!["candidates", row, "reviews", review]);
    }
}

fn remove_claim(draft: &mut Draft, row: usize, claim: usize) {
    let list = path!["candidates", row, "claims"];
    if draft.len(list) > 1 {
        draft.remove(path!["candidates", row, "claims", claim]);
    } else {
        draft.remove(list);
    }
}

/// Does something with the path of each review of a debater.
fn each_review(form: &Form, column: usize, mut act: impl FnMut(Vec<Step>)) {
    for (row, candidate) in form.rows.iter().enumerate() {
        if let Some(review) = candidate.review_in(column) {
            act(path!["candidates", row, "reviews", review].to_vec());
        }
    }
}

fn move_debater(draft: &mut Draft, form: &Form, from: usize, to: usize) {
    // where each column goes
    let mut places = vec![0; form.columns.len()];
    for (place, column) in moved(form.columns.len(), from, to).into_iter().enumerate() {
        places[column] = place;
    }
    for (row, candidate) in form.rows.iter().enumerate() {
        let mut cells = candidate.placed.clone();
        sort_by_key(&mut cells, |(column, _)| places[*column]);
        let reviews: Vec<usize> = cells.into_iter().map(|(_, review)| review).collect();
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
    let taken: HashSet<&str> = form.rows.iter().map(|row| row.id.as_str()).collect();
    let is_free = |id: &String| !taken.contains(id.as_str());
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
    let names = form
        .columns
        .iter()
        .filter_map(|column| column.name.as_deref());
    let taken: HashSet<&str> = names.collect();
    let is_free = |name: &String| !taken.contains(name.as_str());
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

/// Adds a review that is known by its position alone, at that position: one with a name
/// makes way to the end, and what is missing before it is there, and empty.
fn add_nameless(draft: &mut Draft, (row, candidate): (usize, &Row), nth: usize, json: &str) {
    let there = candidate.reviews.len();
    let occupied = path!["candidates", row, "reviews", nth];
    let Some(named) = draft.source(occupied) else {
        let before = vec![stub(None); nth.saturating_sub(there)];
        let all = [&before[..], &[json.to_owned()]].concat();
        return add_review(draft, row, &all.join(", "));
    };
    draft.set(occupied, json);
    add_review(draft, row, named);
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
    match (candidate.review_in(column), json) {
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
            let review = format!("{{{name}\"{key}\": {json}{fail}}}");
            if debater.name.is_some() {
                add_review(draft, row, &review);
            } else {
                add_nameless(draft, (row, candidate), debater.nth, &review);
            }
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
    let mut wins_of = vec![0; form.rows.len()];
    for (winner, _) in outcomes {
        wins_of[*winner] += 1;
    }
    for (row, candidate) in form.rows.iter().enumerate() {
        let wins: usize = wins_of[row];
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

    fn changed(text: &str, index: usize, change: &Change) -> String {
        let form = Form::read(text, index).expect("JSON");
        form.apply(change).expect("JSON")
    }

    fn after(changes: &[Change]) -> (String, Form) {
        let mut text = TEXT.to_owned();
        for change in changes {
            text = changed(&text, 0, change);
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
        let table = form.outcome_table();
        for (first, second) in (0..n * n).map(|at| (at / n, at % n)) {
            let outcome = table.get(&(first, second)).copied();
            assert_eq!(outcome.unwrap_or(0), form.outcome(first, second));
        }
        assert_eq!(form.wins(), (1, 1));
        // the last review has a word and no more
        assert_eq!(form.ratings(), (7, 10));
        assert_eq!(Form::read("{", 0), None);
        assert_eq!(Form::read("[]", 0), None);
        let form = Form::read("{\"candidates\": 3}", 0).expect("an object");
        assert_eq!(
            (form.rows, form.columns, form.outcomes),
            (vec![], vec![], None)
        );
        assert_eq!((form.question, form.domain), (String::new(), String::new()));
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
        let text = changed(&text, 0, &outcome(Some(0)));
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
    fn a_debate_more_stands_where_it_is_read() {
        let line = TEXT.replace('\n', " ");
        for text in [
            TEXT.to_owned(),
            line.clone(),
            format!("{line}\n{line}\n"),
            format!("[{line}, {line}]"),
            format!("[\n{TEXT}\n]\n"),
        ] {
            let form = Form::read(&text, 0).expect("JSON");
            let all = form.with_another().expect("a place");
            let (before, after) = (parse(&text).pieces().len(), parse(&all).pieces().len());
            assert_eq!(after, before + 1, "{all}");
            let first = Form::read(&all, 0).expect("JSON");
            assert_eq!(first.rows, form.rows, "{all}");
            let new = Form::read(&all, before).expect("JSON");
            assert_eq!((new.rows.len(), new.ratings()), (2, (0, 6)), "{all}");
        }
        assert_eq!(Form::default().with_another(), None);
    }

    #[test]
    fn one_debate_of_several_is_changed() {
        let line = TEXT.replace('\n', " ");
        let text = format!("{line}\n{line}\n");
        let changed = changed(&text, 1, &Change::Model(0, "new".into()));
        assert_eq!(changed.lines().next(), Some(line.as_str()));
        assert_eq!(changed.lines().count(), 2);
        assert!(
            changed
                .lines()
                .nth(1)
                .expect("second")
                .contains("\"model\": \"new\"")
        );
        let started = Form::default().apply(&Change::Start).expect("always");
        assert_eq!(Form::read(&started, 0).expect("JSON").rows.len(), 2);
    }
}
