//! How the decision came about, and what would bring on those who were not chosen.

use leptos::prelude::*;

use super::firm::at_rest;
use super::firmness::{self, DebateFirmness};
use super::model::Model;
use crate::app::format::{fixed, name};
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, words};
use crate::app::panels::trace::{self, Steps};
use crate::debate::{self, Board, Fact, Payload, Term};

/// The columns of what two candidates bring.
fn sides_between(both: [String; 2]) -> [Column; 4] {
    let [first, second] = both.map(|name| Column {
        title: name.into(),
        numeric: true,
        help: "",
        about: "sides",
    });
    [words("Where"), first, second, words("Stronger")]
}

/// What the two to combine bring, and what to ask where nobody is good enough.
fn ways_on(_: &Payload, board: &Board) -> Option<impl IntoView + use<>> {
    let traced = board.trace()?;
    let both = traced.steps.iter().find_map(|step| match &step.fact {
        Fact::Gap { first, second, .. } => Some([name(first), name(second)]),
        _ => None,
    });
    let sides: Vec<_> = traced
        .sides
        .into_iter()
        .map(|side| {
            let term = Term::ALL.into_iter().find(|term| term.name() == side.about);
            let about = term.map_or(side.about, Term::label);
            let whose = side
                .debater
                .map(|debater| format!("Rated by {}", name(&debater)));
            table::Row {
                id: format!("side-{about}"),
                is_out: false,
                cells: vec![
                    Cell::text(whose.unwrap_or_else(|| about.to_owned())),
                    Cell::number(side.first, 2),
                    Cell::number(side.second, 2),
                    Cell::text(side.stronger.map_or_else(|| "equal".into(), |id| name(&id))),
                ],
            }
        })
        .collect();
    let sides = both.filter(|_| !sides.is_empty()).map(|both| {
        table::table(
            "What each of the two brings: contributions, and how each debater rates them (support + evidence − risks)",
            &sides_between(both),
            &sides,
        )
    });
    let asked = traced.follow_ups.into_iter().map(|follow_up| {
        let gain = follow_up
            .gain
            .map(|gain| format!(" Worth up to {}.", fixed(gain, 2)));
        format!("{}{}", follow_up.question, gain.unwrap_or_default())
    });
    Some(view! { {sides}{trace::sentences("What to ask next", asked.collect())} })
}

/// How the decision came about, step by step.
fn sentences(model: Model) -> Memo<Vec<String>> {
    Memo::new(move |_| {
        let mut sentences = Vec::new();
        model.both(&mut |result, payload| {
            let steps = debate::trace(payload, result).steps.into_iter();
            sentences = steps.map(|step| step.sentence).collect();
        });
        sentences
    })
}

/// How the decision came about, and what would bring those on who were not chosen.
#[component]
pub fn DecisionView(
    /// Whose result it is.
    model: Model,
    /// How firm it is.
    firmness: DebateFirmness,
) -> impl IntoView {
    let traced = firmness.part(firmness::Part::Trace);
    let sentences = sentences(model);
    view! {
        <Section
            name="trace"
            about="decision"
            title="How it was decided"
            chart=move || view! { <Steps sentences />{at_rest(traced, ways_on)()} }
            is_current=traced.is_current
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;

    #[test]
    fn every_column_is_explained() {
        let sides = sides_between(["A".to_owned(), "B".to_owned()]);
        assert_eq!(unexplained(&sides), Vec::<String>::new());
    }
}
