//! A text that is none of the bench's: the way to read it as what it is.

use leptos::prelude::*;

use crate::app::bench::Host;
use crate::app::derived::live;
use crate::app::desk::Desk;
use crate::document::{Code, Problem, Severity};

/// The input that holds something of another kind, by its name.
fn other_kind(problems: &[Problem], main: &str) -> Option<String> {
    let is_other =
        |problem: &&Problem| problem.severity == Severity::Error && problem.code == Code::OtherKind;
    let problem = problems.iter().find(is_other)?;
    Some(problem.input.clone().unwrap_or_else(|| main.to_owned()))
}

/// The offer to read a text that somebody put in as the file of another tool that it may be.
pub fn read_as_another(desk: Desk, host: Host, problems: Signal<Vec<Problem>>) -> impl IntoView {
    let input =
        Memo::new(move |_| problems.with(|problems| other_kind(problems, host.bench.link.main)));
    live(move || {
        let input = input.get()?;
        let read = move |_| {
            let text = desk
                .work
                .with_untracked(|work| work.text(&input).to_owned());
            host.read_text.run(text);
        };
        Some(view! {
            <p class="another">
                "Is it of another tool? "
                <button type="button" data-testid="read-another" on:click=read>"Read it as what it is"</button>
            </p>
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_another_kind_is_told_by_its_problem() {
        let told = |text: &str| other_kind(&crate::debate::read(text).problems, "debate");
        assert_eq!(told("{\"results\": []}").as_deref(), Some("debate"));
        assert_eq!(told("{\"candidates\": []}"), None);
        let turns = crate::constitution::read("{\"results\": []}").problems;
        assert_eq!(other_kind(&turns, "turns").as_deref(), Some("turns"));
    }
}
