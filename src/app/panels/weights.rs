//! The weights, over the chart that they change.

use leptos::prelude::*;

use super::explain::ask;
use super::number::{Band, Number};
use super::strip::strip;
use crate::app::charts::stack::Part;
use crate::app::derived::live;
use crate::app::desk::Desk;
use crate::app::locks::is_locked;
use crate::app::number::NumberField;

/// Weights that share a strip.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are parts of; empty where there is one group.
    pub label: &'static str,
    /// How many they are.
    pub count: usize,
}

/// The weights over the chart that they change: strips, a slider each, a reset, and a line
/// about the one in hand.
#[component]
pub fn WeightsPanel(
    /// Whose weights they are.
    desk: Desk,
    /// The weights.
    fields: &'static [NumberField],
    /// How each is drawn, in the same order.
    parts: &'static [Part],
    /// Which of them share a strip, in their order.
    groups: &'static [Group],
    /// Their original values, in the same order.
    #[prop(into)]
    originals: Signal<Vec<f64>>,
    /// Where the verdict stands, in the same order; empty where that is not known.
    #[prop(optional, into)]
    bands: Signal<Vec<Band>>,
    /// How firm the verdict is: said while no weight is in hand.
    #[prop(optional, into)]
    firm: Signal<String>,
    /// The same as a view, where what it names can be gone to.
    #[prop(optional, into)]
    firm_view: ViewFn,
    /// What stands beside the heading.
    #[prop(optional, into)]
    lead: ViewFn,
) -> impl IntoView {
    // which weight the pointer or the focus is on
    let in_hand = RwSignal::new(None::<usize>);
    let numbers = fields.iter().enumerate().map(|(index, field)| {
        let original = move || originals.with(|all| all.get(index).copied());
        let original = Memo::new(move |_| original().unwrap_or_default());
        Number::new(desk, *field, original.into(), false)
    });
    let numbers: Vec<Number> = numbers.collect();
    let knob = |index: usize| {
        let band = Memo::new(move |_| bands.with(|all| all.get(index).cloned()));
        taken_in_hand(
            index,
            in_hand,
            numbers[index].knob(parts[index], band.into()),
        )
    };
    let mut first = 0;
    let groups = groups.iter().map(|group| {
        let range = first..first + group.count;
        first = range.end;
        let label = (!group.label.is_empty()).then(|| view! { <h4>{group.label}</h4> });
        view! {
            <div class="weights-group">
                {label}
                {strip(desk, numbers[range.clone()].to_vec(), &parts[range.clone()], !group.label.is_empty())}
                <div class="knobs">{range.map(knob).collect_view()}</div>
            </div>
        }
    });
    let of_one = Memo::new(move |_| {
        let index = in_hand.get()?;
        bands.with(|all| Some(all.get(index)?.words.clone()))
    });
    let is_of_one = move || of_one.with(Option::is_some);
    view! {
        <section class="weights" aria-label="Weights" id="weights" tabindex="-1">
            <header class="weights-head">
                <h3>"Weights"</h3>
                {ask("Weights", "weights")}
                <div class="weights-lead">{lead.run()}</div>
                {reset_button(desk, fields)}
            </header>
            <div class="weights-groups">{groups.collect_view()}</div>
            // not announced: it follows every move of a weight
            <p class="stands">
                <span data-testid="firm" hidden=is_of_one>{firm}{firm_view.run()}</span>
                <span data-testid="stands" hidden=move || !is_of_one()>{live(move || of_one.get())}</span>
            </p>
        </section>
    }
}

fn reset_button(desk: Desk, fields: &'static [NumberField]) -> impl IntoView {
    let can_reset = Memo::new(move |_| {
        desk.work
            .with(|work| resettable(fields, work).next().is_some())
    });
    let reset = move |_| {
        let names: Vec<_> = desk
            .work
            .with_untracked(|work| resettable(fields, work).collect());
        desk.reset(&names);
    };
    view! {
        <button
            type="button"
            class="quiet"
            data-testid="reset-weights"
            disabled=move || !can_reset.get()
            on:click=reset
        >
            "Reset"
        </button>
    }
}

/// A row that says when the pointer or the focus is on it.
fn taken_in_hand(
    index: usize,
    in_hand: RwSignal<Option<usize>>,
    row: impl IntoView,
) -> impl IntoView {
    view! {
        <div
            on:pointerenter=move |_| in_hand.set(Some(index))
            on:pointerleave=move |_| in_hand.set(None)
            on:focusin=move |_| in_hand.set(Some(index))
            on:focusout=move |_| in_hand.set(None)
        >
            {row}
        </div>
    }
}

/// The weights that are set and not locked.
fn resettable<'a>(
    fields: &'static [NumberField],
    work: &'a crate::app::desk::Work,
) -> impl Iterator<Item = &'static str> + 'a {
    let names = fields.iter().map(|field| field.name);
    names.filter(|name| work.setting(name).is_some() && !is_locked(work, name))
}
