//! The form of a debate: who was asked, what each debater says of each
//! candidate, who beat whom, what was proved.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::DEBATE;
use super::model::Model;
use crate::app::browser::field;
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::{Face, ITEM};
use crate::app::format::{count, fixed, name};
use crate::app::panels::faces::{form_or_start, start_when_asked};
use crate::app::panels::field::{Field, Sheet, small_button, word_button};
use crate::app::panels::grid::{At, KeyGrid, Keys, Look, Measures, Press, return_to};
use crate::debate::form::{Change, Form};
use crate::debate::{ClaimStatus, Edit, Profiles, ReviewField, UNKNOWN_MODEL};
use crate::text::sort_by;

/// The grid of reviews.
const REVIEWS: &str = "reviews";

const FIELDS: [Keys; 4] = [
    Keys {
        class: "seg",
        title: "S",
        keys: &["0", "1", "2"],
    },
    Keys {
        class: "seg",
        title: "E",
        keys: &["0", "1", "2"],
    },
    Keys {
        class: "seg risk",
        title: "R",
        keys: &["0", "1", "2"],
    },
    Keys {
        class: "flag",
        title: "",
        keys: &["critical"],
    },
];
const FIELD_NAMES: [&str; 4] = ["Support", "Evidence", "Major risks", "Critical fail"];

const DUEL: [Keys; 1] = [Keys {
    class: "duel",
    title: "",
    keys: &[""],
}];
/// Beyond this many candidates there is no grid of all pairs.
const MOST_DUELS: usize = 1_000;

const STATUSES: [ClaimStatus; 5] = [
    ClaimStatus::Proved,
    ClaimStatus::Disproved,
    ClaimStatus::Inconclusive,
    ClaimStatus::Timeout,
    ClaimStatus::Running,
];

/// What the parts of the form need.
#[derive(Clone, Copy)]
struct Desk {
    model: Model,
    sheet: Sheet<Form>,
    form: Derived<Arc<Form>>,
}

impl Desk {
    /// Makes a change; `gesture` names the field, so that typing in it is one step of undo.
    fn change(self, gesture: &str, change: &Change) {
        let form = self.form.get_untracked();
        self.sheet.change(gesture, |_| form.apply(change));
    }

    /// A change that is a step of undo by itself.
    fn change_once(self, change: &Change) {
        let form = self.form.get_untracked();
        self.sheet.change_once(|_| form.apply(change));
    }
}

/// Makes an edit that was proposed, as a step of undo.
pub fn make_edit(model: Model, edit: &Edit) {
    let form = model.form.with_untracked(Clone::clone);
    if let Some(form) = form
        && let Some(change) = Change::of(edit, &form)
    {
        let desk = model.desk;
        desk.edit(DEBATE.name, "keep", |_| form.apply(&change));
        desk.settle();
    }
}

/// The form; where the text is not JSON, what is wrong with it.
#[component]
pub fn DebateForm(
    /// Whose debate it is.
    model: Model,
) -> impl IntoView {
    let is_there = Memo::new(move |_| model.form.with(Option::is_some));
    let start = move |()| {
        let desk = model.desk;
        desk.edit(DEBATE.name, "start", |_| {
            Form::default().apply(&Change::Start)
        });
        desk.settle();
        desk.face.set(Face::Form);
        request_animation_frame(|| field::focus("question"));
    };
    start_when_asked(model.desk, move || start(()));
    form_or_start(
        is_there,
        model.desk.is_blank(),
        Signal::stored(true),
        (
            "Enter candidates, debaters and their reviews by hand, or paste what you have anywhere on this page.",
            "Start with two candidates",
        ),
        Callback::new(start),
        ViewFn::from(move || view! { <Fields model /> }),
    )
}

#[component]
fn Fields(model: Model) -> impl IntoView {
    let problems = Signal::derive(move || model.found());
    let sheet = Sheet::new(model.desk, DEBATE.name, model.form, problems);
    let desk = Desk {
        model,
        sheet,
        form: sheet.form,
    };
    let form = desk.form;
    let active = RwSignal::new(At::default());
    let size = Memo::new(move |_| form.with(|form| (form.rows.len(), form.columns.len())));
    let question = sheet.area(
        Field::at_once("Question", "question"),
        2,
        "question",
        |form| form.question.clone(),
        move |text| desk.change("question", &Change::Question(text)),
    );
    let tally = move || form.with(|form| tally(form));
    view! {
        <div class="form" data-testid="debate-form">
            <div class="form-field">
                <label for="question">"Question"</label>
                {question}
            </div>
            <div class="form-bar">
                <h2>"Reviews"</h2>
                <span class="muted" data-testid="ratings">{live(tally)}</span>
                <span class="form-acts">
                    {word_button("Add candidate", "add-candidate", move || desk.change_once(&Change::AddCandidate))}
                    {word_button("Add debater", "add-debater", move || desk.change_once(&Change::AddDebater(String::new())))}
                </span>
            </div>
            <p class="muted scale-legend">
                "Support and evidence: 0 none, 1 some, 2 strong. Risks: 0 none, 1 some, 2 grave. Critical: the answer must not be used."
            </p>
            <KeyGrid
                name=REVIEWS
                label="Reviews: candidates by debaters. 0, 1 and 2 set and lead on, arrow keys move, space switches critical fail, Enter goes to the justification and Escape comes back."
                size
                fields=&FIELDS
                measures=Measures { row: 9.5, head: 3.75, widths: Some((7.25, 6.25)) }
                corner=legend
                head=move |column| column_head(desk, column)
                row_head=move |row| row_head(desk, row)
                look=move |at| look(desk, at, active)
                active
                press=move |(at, pressed)| press(desk, at, pressed)
                entry=true
                has_more=move |at| is_justified(desk, at)
                caption=move |column| column_title(desk, column)
            />
            <datalist id="models">{live(move || known_models(model))}</datalist>
            <Inspector desk active />
            <Duels desk />
            <p class="form-acts">
                {word_button("Add another debate", "add-debate", move || add_debate(desk))}
            </p>
        </div>
    }
}

/// What there is to rate, and how much of it is rated.
fn tally(form: &Form) -> String {
    let (given, all) = form.ratings();
    let left = if given < all {
        format!(": {given} of {} entered", count(all, "rating"))
    } else {
        String::new()
    };
    format!(
        "{} by {}{left}",
        count(form.rows.len(), "candidate"),
        count(form.columns.len(), "debater")
    )
}

/// Puts one more debate into the text, and on the bench.
fn add_debate(desk: Desk) {
    let form = desk.form.get_untracked();
    let number = desk
        .model
        .parsed
        .with_untracked(|parsed| parsed.pieces().len());
    let Some(text) = form.with_another() else {
        let notices = desk.model.host.notices;
        return notices
            .warn("Another debate cannot be added to this text by itself: add it to the text.");
    };
    let work = desk.model.desk;
    work.edit(DEBATE.name, "another", |_| Some(text));
    work.set(ITEM, Some(number.to_string()));
    work.settle();
    request_animation_frame(|| field::focus("question"));
}

/// What the letters in the grid stand for.
fn legend() -> impl IntoView {
    view! {
        <span class="visually-hidden">"Candidate"</span>
        <span class="keys-legend" aria-hidden="true">
            "S support" <br /> "E evidence" <br /> "R risks"
        </span>
    }
}

fn known_models(model: Model) -> AnyView {
    let mut models: Vec<String> = model.profiles.with(|profiles| {
        let domains = profiles.result.iter().flat_map(Profiles::domains);
        let models = domains.flat_map(|domain| &domain.models);
        models.map(|(model, _)| model.clone()).collect()
    });
    sort_by(&mut models, Ord::cmp);
    models.dedup();
    let options = models
        .into_iter()
        .map(|model| view! { <option value=model></option> });
    options.collect_view().into_any()
}

fn title_of(form: &Form, column: usize) -> String {
    let column = form.columns.get(column);
    column
        .map(crate::debate::form::Column::title)
        .unwrap_or_default()
}

fn column_title(desk: Desk, column: usize) -> String {
    desk.form.with(|form| name(&title_of(form, column)))
}

fn column_head(desk: Desk, column: usize) -> AnyView {
    let name = move |form: &Form| title_of(form, column);
    let last = move || desk.form.with(|form| form.columns.len() - 1);
    let shift = move |to: usize| desk.change_once(&Change::MoveDebater { from: column, to });
    view! {
        {desk.sheet.line(
            Field::when_left(format!("Name of debater {}", column + 1), format!("debater-{column}")),
            "",
            name,
            move |typed| desk.change_once(&Change::RenameDebater(column, typed.trim().to_owned())),
        )}
        <span class="minis">
            {small_button(format!("Move debater {} to the left", column + 1), "←", move || shift(column.saturating_sub(1)))}
            {small_button(format!("Move debater {} to the right", column + 1), "→", move || shift((column + 1).min(last())))}
            {small_button(format!("Remove debater {} with all its reviews", column + 1), "×", move || desk.change_once(&Change::RemoveDebater(column)))}
        </span>
    }
    .into_any()
}

fn row_head(desk: Desk, row: usize) -> AnyView {
    let shift = move |to: usize| {
        let last = desk.form.with_untracked(|form| form.rows.len() - 1);
        desk.change_once(&Change::MoveCandidate {
            from: row,
            to: to.min(last),
        });
    };
    let of = move |read: fn(&crate::debate::form::Row) -> String| {
        move |form: &Form| form.rows.get(row).map(read).unwrap_or_default()
    };
    let counted = Memo::new(move |_| {
        desk.form
            .with(|form| form.rows.get(row).and_then(|row| row.counted))
    });
    let wins = move || match counted.get() {
        Some(wins) => view! { <span>{count(wins, "win")}</span> }.into_any(),
        None => view! {
            <label>
                "wins "
                {desk.sheet.line(
                    Field::at_once(format!("Wins of candidate {}", row + 1), format!("wins-{row}")),
                    format!("candidates[{row}].wins"),
                    of(|row| row.wins.clone()),
                    move |typed| desk.change(&format!("wins{row}"), &Change::Wins(row, typed)),
                )}
            </label>
        }
        .into_any(),
    };
    view! {
        {desk.sheet.line(
            Field::when_left(format!("Id of candidate {}", row + 1), format!("candidate-{row}")),
            format!("candidates[{row}].id"),
            of(|row| row.id.clone()),
            move |typed| desk.change_once(&Change::RenameCandidate(row, typed.trim().to_owned())),
        )}
        <span class="model">
            {desk.sheet.line(
                Field::at_once(format!("Model of candidate {}", row + 1), format!("model-{row}"))
                    .offering("models"),
                format!("candidates[{row}].model"),
                of(|row| row.model.clone()),
                move |typed| desk.change(&format!("model{row}"), &Change::Model(row, typed)),
            )}
        </span>
        <span class="reliability">{live(move || reliability(desk, row))}</span>
        <span class="row-wins">{live(wins)}</span>
        <span class="minis">
            {small_button(format!("Move candidate {} up", row + 1), "↑", move || shift(row.saturating_sub(1)))}
            {small_button(format!("Move candidate {} down", row + 1), "↓", move || shift(row + 1))}
            {small_button(format!("Remove candidate {}", row + 1), "×", move || desk.change_once(&Change::RemoveCandidate(row)))}
        </span>
    }
    .into_any()
}

/// The reliability that a candidate's model gets, and why.
fn reliability(desk: Desk, row: usize) -> String {
    let model = desk
        .form
        .with(|form| form.rows.get(row).map(|row| row.model.clone()));
    let Some(model) = model.filter(|model| !model.is_empty()) else {
        return "no model".into();
    };
    desk.model.scored.with(|scored| {
        let Some(result) = &scored.result else {
            return String::new();
        };
        desk.model.profiles.with(|profiles| {
            let all = profiles.result.as_ref().filter(|_| !result.without_domain);
            let domain = all.and_then(|all| all.domain(&result.domain));
            match domain.map(|domain| domain.reliability(&model)) {
                None => "no domain: not weighed".into(),
                Some(Some(weight)) => {
                    format!("reliability {} in {}", fixed(weight, 2), result.domain)
                }
                Some(None) => format!("{UNKNOWN_MODEL:.2}: not known in {}", result.domain),
            }
        })
    })
}

fn look(desk: Desk, at: At, active: RwSignal<At>) -> Look {
    let field = ReviewField::ALL[at.field];
    let is_here = move || {
        let active = active.get();
        (active.row, active.column) == (at.row, at.column)
    };
    desk.form.with(|form| {
        let value = form.value(at.row, at.column, field);
        let (Some(row), Some(column)) = (form.rows.get(at.row), form.columns.get(at.column)) else {
            return Look::default();
        };
        let has_review = row.review_in(at.column).is_some();
        let is_known = value
            .parse::<i64>()
            .is_ok_and(|value| (0..=field.most()).contains(&value));
        // what is not there yet is no mistake, unless the rest of the review is
        let is_begun = || {
            form.review(at.row, at.column)
                .is_some_and(|review| review.values[..3].iter().any(|value| !value.is_empty()))
        };
        let is_left = || is_begun() && !is_here();
        let shown = match (value, has_review) {
            ("", true) => "missing",
            ("", false) => "empty",
            (value, _) => value,
        };
        let tried = tried(desk, at.row, row.review_in(at.column), field);
        let what_if = tried.map_or_else(String::new, |to| format!(", what if: {to}"));
        Look {
            value: value.to_owned(),
            label: format!(
                "{} {shown}{what_if}, {} on {}",
                FIELD_NAMES[at.field],
                name(&column.title()),
                name(&row.id)
            ),
            is_tried: tried.is_some(),
            is_wrong: has_review && !is_known && (!value.is_empty() || is_left()),
        }
    })
}

/// The value that is tried in a field of a review.
fn tried(desk: Desk, row: usize, of: Option<usize>, rated: ReviewField) -> Option<i64> {
    desk.model.tried.with(|tried| match tried.as_ref()?.edit {
        Edit::Review {
            candidate,
            review,
            field,
            to,
            ..
        } if candidate == row && Some(review) == of && field == rated => Some(to),
        _ => None,
    })
}

/// Whether a debater says why.
fn is_justified(desk: Desk, at: At) -> bool {
    desk.form.with(|form| {
        let review = form.review(at.row, at.column);
        review.is_some_and(|review| !review.justification.trim().is_empty())
    })
}

fn press(desk: Desk, at: At, pressed: Press) {
    let field = ReviewField::ALL[at.field];
    let score = |value: Option<i64>| {
        desk.change_once(&Change::Score {
            row: at.row,
            column: at.column,
            field,
            value,
        });
    };
    let is_set = desk
        .form
        .with_untracked(|form| form.value(at.row, at.column, field) == "1");
    match pressed {
        Press::Key(key) if key as i64 <= field.most() => score(Some(key as i64)),
        Press::Key(_) => {}
        Press::Toggle if field == ReviewField::CriticalFail => score(Some(i64::from(!is_set))),
        Press::Toggle | Press::Open => field::focus_end("justification"),
        Press::Clear => score(None),
        Press::ClearCell => desk.change_once(&Change::RemoveReview {
            row: at.row,
            column: at.column,
        }),
    }
}

/// More about the active cell: the justification, and the candidate's claims.
#[component]
fn Inspector(desk: Desk, active: RwSignal<At>) -> impl IntoView {
    let form = desk.form;
    let row = Memo::new(move |_| active.get().row);
    let candidate = move || {
        let row = row.get();
        form.with(|form| id_of(form, row))
    };
    let claims = Memo::new(move |_| {
        let row = row.get();
        let count = |form: &Form| form.rows.get(row).map_or(0, |row| row.claims.len());
        (row, form.with(|form| count(form)))
    });
    let add_claim = move || desk.change_once(&Change::AddClaim(row.get_untracked()));
    let list = move || {
        let (row, count) = claims.get();
        if count == 0 {
            typed_formal(desk, row)
        } else {
            claim_list(desk, row, count)
        }
    };
    view! {
        <div class="inspector">
            {justification(desk, active)}
            <div class="form-bar">
                <h2>"Claims of "{live(candidate)}</h2>
                <span class="muted" data-testid="formal-shown">
                    {live(move || formal(desk, row.get()))}
                </span>
                <span class="form-acts">{word_button("Add claim", "add-claim", add_claim)}</span>
            </div>
            {live(list)}
        </div>
    }
}

/// Why the debater of the active cell says so.
fn justification(desk: Desk, active: RwSignal<At>) -> impl IntoView {
    let form = desk.form;
    let title = move || {
        let at = active.get();
        form.with(
            |form| match (form.columns.get(at.column), form.rows.get(at.row)) {
                (Some(column), Some(row)) => {
                    format!("{} on {}", name(&column.title()), name(&row.id))
                }
                _ => String::new(),
            },
        )
    };
    let text = Memo::new(move |_| {
        let at = active.get();
        form.with(|form| {
            form.review(at.row, at.column)
                .map(|review| review.justification.clone())
        })
        .unwrap_or_default()
    });
    effect(move || text.with(|text| field::show_text("justification", text)));
    let justify = move |event| {
        let At { row, column, .. } = active.get_untracked();
        let change = Change::Justification {
            row,
            column,
            text: event_target_value(&event),
        };
        desk.change(&format!("why{row}.{column}"), &change);
    };
    let back = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            event.stop_propagation();
            return_to(REVIEWS, active.get_untracked());
        }
    };
    view! {
        <div class="form-field">
            <label for="justification">"Why: "{live(title)}</label>
            <textarea
                id="justification"
                data-testid="justification"
                rows="2"
                on:keydown=back
                on:input=justify
                on:change=move |_| desk.model.desk.settle()
            ></textarea>
        </div>
    }
}

/// The formal score of a candidate and what it comes from.
fn formal(desk: Desk, row: usize) -> String {
    desk.form.with(|form| {
        let Some(row) = form.rows.get(row) else {
            return String::new();
        };
        let statuses: Vec<_> = row
            .claims
            .iter()
            .filter_map(|(_, status)| ClaimStatus::parse(status))
            .collect();
        if statuses.is_empty() {
            return if row.formal.is_empty() {
                "no formal score"
            } else {
                "formal score as typed"
            }
            .into();
        }
        let of = |wanted| statuses.iter().filter(|status| **status == wanted).count();
        format!(
            "{} proved, {} disproved: formal score {}",
            of(ClaimStatus::Proved),
            of(ClaimStatus::Disproved),
            fixed(crate::debate::formal_score(&statuses), 2)
        )
    })
}

fn typed_formal(desk: Desk, row: usize) -> AnyView {
    view! {
        <label class="formal">
            "Formal score, −1 to 1, where there are no claims "
            {desk.sheet.line(
                Field::at_once(format!("Formal score of candidate {}", row + 1), format!("formal-{row}")),
                format!("candidates[{row}].formal_score"),
                move |form| form.rows.get(row).map(|row| row.formal.clone()).unwrap_or_default(),
                move |typed| desk.change(&format!("formal{row}"), &Change::Formal(row, typed)),
            )}
        </label>
    }
    .into_any()
}

fn claim_list(desk: Desk, row: usize, count: usize) -> AnyView {
    let claims = (0..count).map(|claim| {
        let status = Memo::new(move |_| {
            desk.form.with(|form| {
                let claims = form.rows.get(row).map(|row| &row.claims);
                claims.and_then(|claims| claims.get(claim)).map(|(_, status)| status.clone()).unwrap_or_default()
            })
        });
        let options = STATUSES.map(|status| view! { <option value=status.word()>{status.word()}</option> });
        let pick = move |event| {
            if let Some(status) = ClaimStatus::parse(&event_target_value(&event)) {
                desk.change_once(&Change::ClaimStatus(row, claim, status));
            }
        };
        let path = format!("candidates[{row}].claims[{claim}].status");
        view! {
            <li>
                {desk.sheet.line(
                    Field::at_once(format!("Claim {}", claim + 1), format!("claim-{claim}")),
                    format!("candidates[{row}].claims[{claim}].text"),
                    move |form| form.rows.get(row).and_then(|row| row.claims.get(claim)).map(|(text, _)| text.clone()).unwrap_or_default(),
                    move |typed| desk.change(&format!("claim{row}.{claim}"), &Change::ClaimText(row, claim, typed)),
                )}
                <select
                    aria-label=format!("Status of claim {}", claim + 1)
                    aria-invalid=move || desk.sheet.is_wrong(&path).to_string()
                    prop:value=move || ClaimStatus::parse(&status.get()).map_or("", ClaimStatus::word)
                    on:change=pick
                >
                    {options}
                </select>
                {small_button(format!("Remove claim {}", claim + 1), "×", move || desk.change_once(&Change::RemoveClaim(row, claim)))}
            </li>
        }
    });
    view! { <ol class="claims">{claims.collect_view()}</ol> }.into_any()
}

/// Who beat whom, and whether the wins can be.
#[component]
fn Duels(desk: Desk) -> impl IntoView {
    let form = desk.form;
    let rows = Memo::new(move |_| form.with(|form| form.rows.len()));
    let is_counted = Memo::new(move |_| form.with(|form| form.outcomes.is_some()));
    let sum = move || {
        let (wins, all) = form.with(|form| form.wins());
        if is_counted.get() {
            format!("{wins} of {} entered", count(all, "pair"))
        } else if wins == 0 {
            "no win entered yet".to_owned()
        } else {
            format!("{} typed, of {}", count(wins, "win"), count(all, "pair"))
        }
    };
    // more wins than matches cannot be; fewer are only fewer
    let is_off = move || {
        let (wins, all) = form.with(|form| form.wins());
        wins > all
    };
    let grid = move || {
        if rows.get() > MOST_DUELS {
            let words = format!(
                "A grid of all pairs is shown up to {MOST_DUELS} candidates. Beyond that, type wins, or edit the pairwise list in the text."
            );
            view! { <p class="muted">{words}</p> }.into_any()
        } else {
            duel_grid(desk, rows)
        }
    };
    let type_wins = move || {
        let act = move || desk.change_once(&Change::TypeWins);
        is_counted
            .get()
            .then(|| word_button("Type wins instead", "type-wins", act))
    };
    view! {
        <details class="duels" open=move || is_counted.get()>
            <summary>
                "Head-to-heads "
                <span class="muted" class:off=is_off data-testid="wins-sum">{live(sum)}</span>
            </summary>
            {live(grid)}
            {live(type_wins)}
        </details>
    }
}

fn duel_grid(desk: Desk, rows: Memo<usize>) -> AnyView {
    let form = desk.form;
    let id = move |at: usize| form.with(|form| id_of(form, at));
    let outcomes = Memo::new(move |_| form.with(|form| form.outcome_table()));
    let look = move |at: At| {
        let outcome = outcomes.with(|table| table.get(&(at.row, at.column)).copied());
        let (first, second) = (id(at.row), id(at.column));
        let (value, label) = match outcome {
            _ if at.row == at.column => ("self", format!("{first} does not meet itself")),
            Some(1) => ("1", format!("{first} beats {second}")),
            Some(-1) => ("-1", format!("{second} beats {first}")),
            _ => ("", format!("{first} against {second}: nobody yet")),
        };
        Look {
            value: value.into(),
            label,
            is_wrong: false,
            is_tried: desk.model.tried.with(|tried| {
                let edit = tried.as_ref().map(|tried| tried.edit);
                matches!(edit, Some(Edit::Match { winner, loser, .. })
                    if [winner, loser] == [at.row, at.column] || [loser, winner] == [at.row, at.column])
            }),
        }
    };
    let active = RwSignal::new(At::default());
    let head =
        move |at: usize| view! { <span class="duel-head">{live(move || id(at))}</span> }.into_any();
    view! {
        <KeyGrid
            name="duels"
            label="Head-to-heads. Arrow keys move, 1: the row wins, 0: the column wins, Delete: nobody yet, space switches."
            size=Signal::derive(move || (rows.get(), rows.get()))
            fields=&DUEL
            measures=Measures { row: 2.0, head: 2.0, widths: Some((7.5, 4.75)) }
            corner=|| "row beats column"
            head
            row_head=head
            look
            active
            press=move |(at, pressed)| press_duel(desk, at, pressed)
        />
    }
    .into_any()
}

fn id_of(form: &Form, row: usize) -> String {
    let row = form.rows.get(row);
    row.map(|row| name(&row.id)).unwrap_or_default()
}

fn press_duel(desk: Desk, at: At, pressed: Press) {
    let (first, second) = (at.row, at.column);
    if first == second {
        return;
    }
    let now = desk.form.with_untracked(|form| form.outcome(first, second));
    let winner = match (pressed, now) {
        (Press::Key(1), _) | (Press::Toggle | Press::Open, 0) => Some(first),
        (Press::Key(0 | 2), _) | (Press::Toggle | Press::Open, 1) => Some(second),
        (Press::Key(_), _) => return,
        _ => None,
    };
    desk.change_once(&Change::Outcome {
        first,
        second,
        winner,
    });
}
