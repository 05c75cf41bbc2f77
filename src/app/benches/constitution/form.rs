//! The form of a session: the turns in a grid, and all of one turn below it.

use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::app::browser::field;
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::Face;
use crate::app::format::{count, fixed};
use crate::app::panels::faces::{form_or_start, start_when_asked};
use crate::app::panels::field::{Field, Sheet, small_button, word_button};
use crate::app::panels::grid::{At, KeyGrid, Keys, Look, Measures, Press};
use crate::constitution::form::{Change, Form, Item, MOST_TOOLS};
use crate::constitution::{PRIOR, Principle};

const ANSWERS: [Keys; 1] = [Keys {
    class: "answer",
    title: "",
    keys: &["no", "yes"],
}];
/// The questions of the grid, one per column, with a place where a long word may
/// break, and what it means to say nothing.
const QUESTIONS: [(Item, &str, &str); 3] = [
    (Item::Mutations, "Mutations", "no"),
    (Item::Acknowledged, "Acknow\u{ad}ledged", ""),
    (Item::Passed, "Tools passed", "yes"),
];
const MEASURES: Measures = Measures {
    row: 4.0,
    head: 3.0,
    widths: None,
};
/// How much of a message stands beside its turn.
const GIST: usize = 120;

/// What the parts of the form need.
#[derive(Clone, Copy)]
struct Desk {
    model: Model,
    sheet: Sheet<Form>,
    form: Derived<Arc<Form>>,
    /// Where in the grid one is.
    active: RwSignal<At>,
    /// The turn that is shown below the grid: the one of that row, or the last.
    turn: Memo<usize>,
}

impl Desk {
    fn set(self, turn: usize, item: Item, typed: String) {
        let gesture = self.form.with_untracked(|form| form.path(turn, item));
        self.change(&gesture, &Change::Set(turn, item, typed));
    }

    /// A change that is a step of undo by itself.
    fn change_once(self, change: &Change) {
        self.change("form", change);
        self.sheet.desk.settle();
    }

    fn change(self, gesture: &str, change: &Change) {
        let form = self.form.get_untracked();
        self.sheet.change(gesture, |text| {
            if form.is_of(text) {
                form.apply(change)
            } else {
                // what was typed before is still being read
                Form::read(text)?.apply(change)
            }
        });
    }

    /// Shows a turn below the grid.
    fn show(self, turn: usize) {
        self.active.update(|at| at.row = turn);
    }

    fn len(self) -> usize {
        self.form.with_untracked(|form| form.len())
    }

    /// A field of a turn in one line.
    fn line(self, turn: usize, item: Item, label: String, hook: String) -> AnyView {
        let path = self.form.with_untracked(|form| form.path(turn, item));
        self.sheet.line(
            Field::at_once(label, hook),
            path,
            move |form| form.value(turn, item),
            move |typed| self.set(turn, item, typed),
        )
    }

    /// A field of a turn in several lines, under its label.
    fn area(self, turn: usize, item: Item, label: &'static str, hook: &'static str) -> AnyView {
        let rows = if item == Item::Response { 4 } else { 2 };
        let path = self.form.with_untracked(|form| form.path(turn, item));
        let area = self.sheet.area(
            Field::at_once(label, hook),
            rows,
            path,
            move |form| form.value(turn, item),
            move |typed| self.set(turn, item, typed),
        );
        view! { <div class="form-field"><label for=hook>{label}</label>{area}</div> }.into_any()
    }
}

/// The form; where the text is not JSON, what is wrong with it.
#[component]
pub fn TurnsForm(
    /// Whose turns they are.
    model: Model,
) -> impl IntoView {
    let is_there = Memo::new(move |_| model.form.with(Option::is_some));
    let start = move |()| {
        let desk = model.desk;
        desk.edit("turns", "start", |_| Form::default().apply(&Change::Start));
        desk.settle();
        desk.face.set(Face::Form);
        model.reading.when_read(|| {
            request_animation_frame(|| field::focus("user-message"));
        });
    };
    start_when_asked(model.desk, move || start(()));
    form_or_start(
        is_there,
        model.desk.is_blank(),
        model.reading.is_current,
        (
            "Enter what an agent did, turn by turn, or paste what you have anywhere on this page.",
            "Start with one turn",
        ),
        Callback::new(start),
        ViewFn::from(move || fields(model)),
    )
}

fn fields(model: Model) -> AnyView {
    let sheet = Sheet::new(model.desk, "turns", model.form, model.problems());
    let form = sheet.form;
    let active = RwSignal::new(At::default());
    effect(move || {
        if let Some(row) = model.looked_at.get() {
            active.update(|at| at.row = row);
            request_animation_frame(move || reveal(row));
        }
    });
    let rows = Memo::new(move |_| form.with(|form| form.len()));
    let turn = Memo::new(move |_| active.get().row.min(rows.get().saturating_sub(1)));
    let desk = Desk {
        model,
        sheet,
        form,
        active,
        turn,
    };
    // which paths the turns have: a single turn has others than one in a list
    let shape = Memo::new(move |_| form.with(|form| form.path(0, Item::Number)));
    let is_mark = Memo::new(move |_| {
        let turn = turn.get();
        form.with(|form| (turn < form.len()).then(|| form.is_mark(turn)))
    });
    let inspector = move || {
        shape.track();
        Some(inspect(desk, turn.get(), is_mark.get()?))
    };
    view! {
        <div class="form" data-testid="turns-form">
            <div class="form-bar">
                <h2>"Turns"</h2>
                <span class="muted">{live(move || rows.get())}</span>
                <span class="form-acts">
                    {word_button("Add turn", "add-turn", move || add(desk))}
                </span>
            </div>
            {grid(desk, rows, shape)}
            {live(inspector)}
        </div>
    }
    .into_any()
}

/// Adds a turn and goes to it.
fn add(desk: Desk) {
    desk.change_once(&Change::Add);
    desk.model.reading.when_read(move || {
        let last = desk.len().saturating_sub(1);
        desk.show(last);
        request_animation_frame(move || {
            reveal(last);
            field::focus("user-message");
        });
    });
}

/// Scrolls the grid, not the page, so that a row is in view.
fn reveal(row: usize) {
    let [down, right] = field::scrolled("turns-scroll");
    let top = down.reveal(row as f64 * MEASURES.row, MEASURES.row, MEASURES.head);
    field::scroll_to("turns-scroll", [top, right.offset]);
}

fn grid(desk: Desk, rows: Memo<usize>, shape: Memo<String>) -> impl IntoView {
    let size = Memo::new(move |_| (rows.get(), QUESTIONS.len()));
    let head = move |column: usize| QUESTIONS[column].1.into_any();
    let row_head = move |row: usize| {
        (move || {
            shape.track();
            row_head(desk, row)
        })
        .into_any()
    };
    view! {
        <KeyGrid
            name="turns"
            label="Turns: what was changed, said and passed. Arrow keys move, 1 is yes, 0 is no, Delete takes the answer out, space switches, Enter opens the turn."
            size
            fields=&ANSWERS
            measures=MEASURES
            corner=|| "Number and action"
            head
            row_head
            look=move |at| look(desk, at)
            active=desk.active
            press=move |(at, pressed)| press(desk, at, pressed)
        />
    }
}

fn row_head(desk: Desk, row: usize) -> AnyView {
    let gist = move || {
        let said = desk.form.with(|form| {
            let user = form.value(row, Item::User);
            if user.is_empty() {
                form.value(row, Item::Response)
            } else {
                user
            }
        });
        said.chars().take(GIST).collect::<String>()
    };
    let take = move || desk.show(row);
    view! {
        <div
            class="turn-head"
            class:active=move || desk.turn.get() == row
            on:focusin=move |_| take()
            on:click=move |_| take()
        >
            {desk.line(row, Item::Number, format!("Number of turn {}", row + 1), format!("turn-number-{row}"))}
            {desk.line(row, Item::Action, format!("Action of turn {}", row + 1), format!("action-{row}"))}
            <span class="gist">{gist}</span>
        </div>
    }
    .into_any()
}

fn look(desk: Desk, at: At) -> Look {
    let (item, title, unsaid) = QUESTIONS[at.column];
    desk.form.with(|form| {
        let value = form.value(at.row, item);
        let is_mark = form.is_mark(at.row);
        let (shown, said) = match value.as_str() {
            _ if is_mark => (
                "none".to_owned(),
                "not asked: a mark brings its scores".to_owned(),
            ),
            "true" => ("yes".into(), "yes".into()),
            "false" => ("no".into(), "no".into()),
            "" if unsaid.is_empty() => (
                String::new(),
                "not said: whether the tools passed stands for it".into(),
            ),
            "" => (format!("{unsaid}-unsaid"), format!("not said: {unsaid}")),
            other => (String::new(), other.to_owned()),
        };
        Look {
            value: shown,
            label: format!(
                "{}, turn {}: {said}",
                title.replace('\u{ad}', ""),
                at.row + 1
            ),
            is_wrong: !is_mark && !matches!(value.as_str(), "" | "true" | "false"),
            is_tried: false,
        }
    })
}

fn press(desk: Desk, at: At, pressed: Press) {
    let (item, _, unsaid) = QUESTIONS[at.column];
    let (value, is_mark) = desk
        .form
        .with_untracked(|form| (form.value(at.row, item), form.is_mark(at.row)));
    let is_yes = value == "true" || (value.is_empty() && unsaid == "yes");
    let answer = match pressed {
        Press::Open => return field::focus_end("user-message"),
        _ if is_mark => return,
        Press::Key(0) => "false",
        Press::Key(1) => "true",
        Press::Key(_) => return,
        Press::Toggle if is_yes => "false",
        Press::Toggle => "true",
        Press::Clear | Press::ClearCell => "",
    };
    desk.change_once(&Change::Set(at.row, item, answer.to_owned()));
}

/// All of one turn.
fn inspect(desk: Desk, turn: usize, is_mark: bool) -> AnyView {
    let characters = move || {
        let response = desk.form.with(|form| form.value(turn, Item::Response));
        count(response.chars().count(), "character")
    };
    let has_result = Memo::new(move |_| desk.form.with(|form| form.has_result(turn)));
    let result = move || {
        if has_result.get() {
            word_button("Take the result out", "remove-result", move || {
                desk.change_once(&Change::RemoveResult(turn));
            })
        } else {
            format!("Without a result every principle is {PRIOR:.1}.").into_any()
        }
    };
    view! {
        <div class="inspector" data-testid="turn-inspector">
            {turn_bar(desk, turn)}
            {desk.area(turn, Item::User, "User message", "user-message")}
            {desk.area(turn, Item::Response, "Response", "response")}
            <p class="under muted">{characters}{(!is_mark).then_some(result)}</p>
            {(!is_mark).then(|| tools(desk, turn))}
            {scores(desk, turn, is_mark)}
            {desk.area(turn, Item::Reasoning, "Reasoning", "reasoning")}
        </div>
    }
    .into_any()
}

/// Which turn it is, what it is worth, and where it goes.
fn turn_bar(desk: Desk, turn: usize) -> impl IntoView {
    let go = move |to: usize| {
        if to < desk.len() {
            desk.change_once(&Change::Move { from: turn, to });
            desk.model.reading.when_read(move || desk.show(to));
        }
    };
    let remove = move || {
        desk.change_once(&Change::Remove(turn));
        desk.model.reading.when_read(move || {
            desk.show(turn.min(desk.len().saturating_sub(1)));
        });
    };
    let title = move || {
        let number = desk.form.with(|form| form.value(turn, Item::Number));
        if number.is_empty() {
            (turn + 1).to_string()
        } else {
            number
        }
    };
    let total = move || {
        desk.model.scored.with(|e| {
            let scored = e.result.as_ref()?.turns.get(turn)?;
            let total = fixed(scored.weighted_total, 2);
            Some(format!("{total}, {}", scored.band_word()))
        })
    };
    view! {
        <div class="form-bar">
            <h2>"Turn "{title}</h2>
            <span class="muted" data-testid="turn-total">{total}</span>
            <span class="form-acts minis">
                {small_button("Move this turn up".into(), "↑", move || go(turn.wrapping_sub(1)))}
                {small_button("Move this turn down".into(), "↓", move || go(turn + 1))}
                {small_button("Remove this turn".into(), "×", remove)}
            </span>
        </div>
    }
}

fn tools(desk: Desk, turn: usize) -> AnyView {
    let number = Memo::new(move |_| desk.form.with(|form| form.tools(turn)));
    // counts when it is left: on the way to 12 is 1, which takes names away
    let count = desk.sheet.line(
        Field::when_left("Number of tools", "tools"),
        desk.form
            .with_untracked(|form| form.path(turn, Item::Tools)),
        move |form| form.value(turn, Item::Tools),
        move |typed| desk.change_once(&Change::Set(turn, Item::Tools, typed)),
    );
    let names = move || {
        let names = (0..number.get().min(MOST_TOOLS)).map(|tool| {
            let name = desk.line(
                turn,
                Item::Tool(tool),
                format!("Tool {}", tool + 1),
                format!("tool-{tool}"),
            );
            let remove = small_button(format!("Remove tool {}", tool + 1), "×", move || {
                desk.change_once(&Change::RemoveTool(turn, tool));
            });
            view! { <li>{name}{remove}</li> }
        });
        names.collect_view()
    };
    view! {
        <div class="turn-facts">
            <label>
                "Context in use, 0 to 1 "
                {desk.line(turn, Item::Context, "Context in use".into(), "context".into())}
            </label>
            <label>"Tools "{count}</label>
            {small_button("Add a tool".into(), "+", move || {
                let more = number.get_untracked() + 1;
                desk.change_once(&Change::Set(turn, Item::Tools, more.to_string()));
            })}
        </div>
        <ol class="tool-names">{names}</ol>
    }
    .into_any()
}

/// The scores of a mark, or the overrides of a turn.
fn scores(desk: Desk, turn: usize, is_mark: bool) -> AnyView {
    let rows = Principle::ALL.map(|principle| {
        let (name, label) = (principle.name(), principle.label());
        let score = desk.line(
            turn,
            Item::Score(principle),
            format!("{label}, score"),
            format!("score-{name}"),
        );
        let reason = (!is_mark).then(|| {
            desk.line(
                turn,
                Item::Reason(principle),
                format!("{label}, reason"),
                format!("reason-{name}"),
            )
        });
        view! { <li><span title=principle.help()>{label}</span>{score}{reason}</li> }
    });
    let rows = rows.collect_view();
    if is_mark {
        return view! {
            <h3>"Scores, 0 to 1"</h3>
            <ul class="overrides">{rows}</ul>
        }
        .into_any();
    }
    // as it is when the turn is opened: a fold must not close while one types in it
    let open = desk.form.with_untracked(|form| {
        let items = |principle| [Item::Score(principle), Item::Reason(principle)];
        let mut given = Principle::ALL.into_iter().flat_map(items);
        given.any(|item| !form.value(turn, item).is_empty())
    });
    view! {
        <details class="fold" open=open>
            <summary data-testid="fold-overrides">"Overrides"</summary>
            <ul class="overrides">
                <li class="muted" aria-hidden="true"><span></span><span>"score"</span><span>"reason"</span></li>
                {rows}
                <li>
                    <span>"All the others"</span>
                    <span></span>
                    {desk.line(turn, Item::SharedReason, "Reason of the overrides without one".into(), "shared-reason".into())}
                </li>
            </ul>
        </details>
    }
    .into_any()
}
