//! An explanation beside its label, and all of them together.

use leptos::prelude::*;

use super::all::{entries, entry};
use super::entry::{Entry, NEITHER};
use crate::app::derived::live;
use crate::app::format::count;
use crate::text::sort_by_key;

/// Where the methods' own text is, beside the page.
const METHOD: &str = "scoring.txt";

fn line(name: &'static str, text: &str) -> Option<AnyView> {
    let text = text.to_owned();
    (!text.is_empty()).then(|| view! { <div><dt>{name}</dt><dd>{text}</dd></div> }.into_any())
}

/// What there is to know of one number, below its title.
fn body(entry: &Entry) -> AnyView {
    let section = entry.section;
    let range = if entry.better == NEITHER {
        entry.range.to_string()
    } else {
        format!("{}; {}", entry.range, entry.better)
    };
    // a browser that knows such addresses goes to the heading
    let method = format!("{METHOD}#:~:text=%23-,{}", section.replace(' ', "%20"));
    let formula = entry.formula.to_string();
    let formula =
        (!formula.is_empty()).then(|| view! { <p class="formula"><code>{formula}</code></p> });
    view! {
        <p>{entry.says.to_string()}</p>
        {formula}
        <dl>
            {line("Range", &range)}
            {line("From", &entry.from)}
            {line("Weight", &entry.weight)}
        </dl>
        <p class="muted">
            "SCORING.md, “"{section}"”: "
            <a href=method target="_blank">"the method in full"</a>
        </p>
    }
    .into_any()
}

/// One explanation, as it stands beside a label.
pub fn explanation(key: &str) -> AnyView {
    let Some(entry) = entry(key) else {
        return view! { <p>"There is no explanation of this yet."</p> }.into_any();
    };
    let bench = (!entry.bench.is_empty()).then(|| view! { <small>{entry.bench}</small> });
    view! {
        <h3 data-testid="explained">{entry.title.to_string()}</h3>
        {bench}
        {body(&entry)}
    }
    .into_any()
}

/// All of them, with a field to look for one.
#[component]
pub fn Glossary(
    /// The bench that comes first, by its title.
    bench: &'static str,
) -> impl IntoView {
    let words = RwSignal::new(String::new());
    let found = Memo::new(move |_| {
        let words = words.get().to_ascii_lowercase();
        let mut found = entries();
        found.retain(|entry| entry.has(&words));
        // what is on the page, then what all have, then the rest
        sort_by_key(&mut found, |entry| match entry.bench {
            "" => 1,
            of if of == bench => 0,
            _ => 2,
        });
        found
    });
    let list = move || {
        let shown = found.get().into_iter().map(|entry| {
            view! {
                <section class="entry" data-testid=format!("entry-{}", entry.key)>
                    <h3>{entry.title.to_string()}" "<small>{entry.bench}</small></h3>
                    {body(&entry)}
                </section>
            }
        });
        shown.collect_view()
    };
    let number = move || {
        let number = found.with(Vec::len);
        if number == 0 {
            "Nothing here has these words.".to_owned()
        } else {
            count(number, "number")
        }
    };
    view! {
        <div class="glossary">
            <label for="glossary-words">"Look for a number"</label>
            <input
                id="glossary-words"
                data-testid="glossary-words"
                type="search"
                autocomplete="off"
                prop:value=move || words.get()
                on:input=move |event| words.set(event_target_value(&event))
            />
            <p class="muted" role="status" data-testid="glossary-count">{live(number)}</p>
            <div class="glossary-list">{live(list)}</div>
        </div>
    }
}
