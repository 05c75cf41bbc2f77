//! The pages. A bench's page is its form and its anatomy; the rest is panels.

use leptos::prelude::*;

use crate::app::state::store::Desk;
use crate::document::{Problem, Severity};

pub mod constitution;
pub mod debate;
pub mod persona;
pub mod start;

/// What to do when there is no result.
fn empty_words(desk: Desk, problems: Signal<Vec<Problem>>) -> String {
    if desk.work.with(super::state::work::Work::is_blank) {
        return "Paste or drop an input, or open the example.".into();
    }
    problems.with(|problems| {
        let errors = problems.iter().filter(|p| p.severity == Severity::Error);
        match errors.count() {
            0 => "The settings leave nothing to compute.".into(),
            1 => "One error in the input has to be mended first; it is listed beside the text.".into(),
            number => format!("{number} errors in the input have to be mended first; they are listed beside the text."),
        }
    })
}

/// What a result stands on: formula, input, and what the scorer noted.
fn provenance(formula: &str, input_sha256: &str, notes: &[String]) -> impl IntoView + use<> {
    let notes = notes
        .iter()
        .map(|note| view! { <li>{note.clone()}</li> })
        .collect_view();
    view! {
        <div class="provenance">
            <ul class="notes">{notes}</ul>
            <p class="muted">"Formula "<code>{formula.to_owned()}</code>", input SHA-256 "<code>{input_sha256.to_owned()}</code></p>
        </div>
    }
}
