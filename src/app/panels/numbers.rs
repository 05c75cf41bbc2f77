//! Numbers to set: a slider and a field each, with the original marked.

use leptos::prelude::*;

use crate::app::state::format::short;
use crate::app::state::number::NumberField;
use crate::app::state::store::Desk;

/// A heading with a reset over some numbers.
#[component]
pub fn NumberPanel(
    /// Whose numbers they are.
    desk: Desk,
    /// The heading.
    title: &'static str,
    /// The numbers.
    fields: &'static [NumberField],
    /// Their original values, in the same order.
    #[prop(into)]
    originals: Signal<Vec<f64>>,
) -> impl IntoView {
    let names: Vec<&'static str> = fields.iter().map(|field| field.name).collect();
    let checked = names.clone();
    let changed = Memo::new(move |_| {
        desk.work
            .with(|work| checked.iter().any(|name| work.setting(name).is_some()))
    });
    let rows = fields.iter().enumerate().map(|(index, field)| {
        let original =
            Memo::new(move |_| originals.with(|all| all.get(index).copied().unwrap_or_default()));
        view! { <NumberRow desk field=*field original /> }
    });
    view! {
        <section class="numbers">
            <header class="panel-head">
                <h3>{title}</h3>
                <button type="button" class="quiet" disabled=move || !changed.get() on:click=move |_| desk.reset(&names)>
                    "Reset"
                </button>
            </header>
            <div class="number-rows">{rows.collect_view()}</div>
        </section>
    }
}

/// Where the thumb of a slider stands for a value: its middle goes from 8 px
/// after the start to 8 px before the end.
fn thumb_place(value: f64, slider_max: f64) -> String {
    let share = (value / slider_max).clamp(0.0, 1.0);
    format!("calc(8px + {share:.4} * (100% - 16px))")
}

/// A number: label, slider, field, problem.
#[component]
pub fn NumberRow(
    /// Whose number it is.
    desk: Desk,
    /// Which number.
    field: NumberField,
    /// Its value when nothing is set.
    #[prop(into)]
    original: Signal<f64>,
    /// Whether having the setting at all switches something on; then even the
    /// original value is written down.
    #[prop(optional)]
    is_switched: bool,
) -> impl IntoView {
    let NumberField { name, label, .. } = field;
    let raw = desk.setting(name);
    let read = Memo::new(move |_| desk.work.with(|work| field.read(work)));
    let shown = move || raw.get().unwrap_or_else(|| short(original.get()));
    let value = move || read.get().ok().flatten().unwrap_or_else(|| original.get());
    let is_changed = move || {
        !matches!(read.get(), Ok(None)) && (!is_switched || read.get() != Ok(Some(original.get())))
    };
    let set = move |text: String| {
        let same = !is_switched && text.trim().parse() == Ok(original.get_untracked());
        desk.set(name, (!same).then_some(text));
    };
    let type_in = move |event| desk.set(name, Some(event_target_value(&event)));
    let id = format!("weight-{name}");
    let (help_id, problem_id) = (format!("{id}-help"), format!("{id}-problem"));
    let described = format!("{help_id} {problem_id}");
    let slider_max = move || field.slider_max.max(value()).max(original.get());
    let step = if field.integer { "1" } else { "0.01" };
    view! {
        <div class="number" class:changed=is_changed>
            <label for=id.clone() title=field.help>{label}</label>
            <span class="slider">
                <span
                    class="original"
                    aria-hidden="true"
                    style:left=move || thumb_place(original.get(), slider_max())
                ></span>
                <input
                    type="range"
                    aria-label=format!("{label}, slider")
                    data-testid=format!("weight-{name}-range")
                    min="0"
                    max=move || short(slider_max())
                    step=step
                    prop:value=move || short(value())
                    on:input=move |event| set(event_target_value(&event))
                    on:change=move |_| desk.settle()
                />
            </span>
            <input
                type="text"
                inputmode="decimal"
                autocomplete="off"
                id=id.clone()
                data-testid=format!("weight-{name}-number")
                aria-describedby=described
                aria-invalid=move || read.get().is_err().to_string()
                prop:value=shown
                on:input=type_in
                on:change=move |_| desk.settle()
            />
            <button
                type="button"
                class="reset"
                aria-label=move || format!("Reset {label} to {}", short(original.get()))
                title=move || format!("Original: {}", short(original.get()))
                disabled=move || !is_changed()
                on:click=move |_| if is_switched { set(short(original.get_untracked())) } else { desk.reset(&[name]) }
            >
                "↺"
            </button>
            <span id=help_id class="visually-hidden">{field.help}</span>
            <span id=problem_id class="field-problem" aria-live="polite">
                {move || read.get().err().map(|problem| format!("{problem}. The original {} is used.", short(original.get())))}
            </span>
        </div>
    }
}
