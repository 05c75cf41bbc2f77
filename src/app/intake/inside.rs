//! The page of what is inside of files: what they were read as, and a list to choose from.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;

use super::Intake;
use super::room::{Given, Seen, cancel, open, read_as};
use crate::app::derived::live;
use crate::app::format::{bytes, count, grouped, percent};
use crate::app::panels::unrolled::{Unrolled, Unrolling};
use crate::document::Problem;
use crate::reading::protocol::{Inside, Item, Listing, Order};
use crate::sources::{Dropped, Kind};

/// Ids of lists; what stands beyond the last has its name again.
const IDS: [&str; 8] = [
    "inside-1", "inside-2", "inside-3", "inside-4", "inside-5", "inside-6", "inside-7", "inside-8",
];

/// The page.
#[component]
pub(super) fn InsidePage(intake: Intake) -> impl IntoView {
    let room = intake.room();
    let title = move || {
        room.files.with(|files| match &files[..] {
            [] => "Nothing is open".to_owned(),
            [only] => format!("Inside {}", only.name),
            files => {
                let own = (0..files.len()).filter(|at| !room.is_joined(*at));
                format!("Inside {}", count(own.count(), "file"))
            }
        })
    };
    let body = move || {
        room.files.with(|files| {
            if files.is_empty() {
                return view! {
                    <p class="muted">"Drop a file anywhere, paste a text, or " <a href="#/">"begin on the start page"</a> "."</p>
                }
                .into_any();
            }
            let (own, joined): (Vec<_>, Vec<_>) = files.iter().enumerate().partition(|(at, _)| !room.is_joined(*at));
            // what they are together comes first
            let all = joined.into_iter().chain(own);
            all.map(|(at, given)| file_view(intake, at, given)).collect_view().into_any()
        })
    };
    view! {
        <div class="inside" data-testid="inside">
            <h1>{live(title)}</h1>
            {live(body)}
        </div>
    }
}

fn file_view(intake: Intake, at: usize, given: &Given) -> AnyView {
    let is_several = intake.room().files.with_untracked(|files| files.len() > 1);
    let name = is_several.then(|| view! { <h2>{given.name.clone()}</h2> });
    let body = match &given.seen {
        Seen::Looking(read) => looking(intake, given.size, *read),
        Seen::Failed(words) => view! { <p role="alert">{words.clone()}"."</p> }.into_any(),
        Seen::Inside(inside) if inside.listings.is_empty() && intake.room().is_joined(at) => {
            apart(inside)
        }
        Seen::Inside(inside) => inside_view(intake, at, inside),
    };
    view! { <section class="inside-file" data-testid="inside-file">{name}{body}</section> }
        .into_any()
}

/// Why several files are not one document.
fn apart(inside: &Inside) -> AnyView {
    let problems = inside.problems.iter();
    let items = problems.map(|problem| view! { <li>{coded(&problem.message)}"."</li> });
    view! {
        <div class="inside-unknown" data-testid="inside-apart">
            <p>"These files are no debate together:"</p>
            <ul>{items.collect_view()}</ul>
        </div>
    }
    .into_any()
}

fn looking(intake: Intake, size: f64, read: f64) -> AnyView {
    let share = if size > 0.0 { read / size } else { 0.0 };
    let words = format!(
        "{} of {} looked through ({})",
        bytes(read),
        bytes(size),
        percent(share)
    );
    view! {
        <div class="inside-looking">
            <progress max="1" value=share.to_string() aria-label="Looked through"></progress>
            <p>{words}</p>
            <button type="button" data-testid="inside-cancel" on:click=move |_| cancel(intake)>"Cancel"</button>
        </div>
    }
    .into_any()
}

fn inside_view(intake: Intake, file: usize, inside: &Arc<Inside>) -> AnyView {
    let listings = inside.listings.iter().enumerate().map(|(at, listing)| {
        let place = Place { file, listing: at };
        let listing = listing.clone();
        view! { <ListingView intake place listing /> }
    });
    let unknown = inside.unknown.iter().map(|unknown| {
        let near = unknown.nearest.iter().map(|(noun, missing)| {
            view! { <li>{noun.clone()}": "{coded(&missing.join(", "))}" missing"</li> }
        });
        view! {
            <div class="inside-unknown">
                <p><strong>{unknown.name.clone()}</strong>" is nothing that Assay reads. What came nearest:"</p>
                <ul>{near.collect_view()}</ul>
                {other_format(intake, file, None, "Choose what it is: ")}
            </div>
        }
    });
    view! {
        {listings.collect_view()}
        {unknown.collect_view()}
        {remarks(&inside.dropped, &inside.problems)}
    }
    .into_any()
}

/// A sentence with what stands between back ticks as code.
pub(super) fn coded(words: &str) -> AnyView {
    let parts = words.split('`').enumerate().map(|(at, part)| {
        let part = part.to_owned();
        if at % 2 == 1 {
            view! { <code>{part}</code> }.into_any()
        } else {
            part.into_any()
        }
    });
    parts.collect_view().into_any()
}

/// What was left out, and what else is to be said; folded.
pub(super) fn remarks(dropped: &[Dropped], problems: &[Problem]) -> Option<AnyView> {
    if dropped.is_empty() && problems.is_empty() {
        return None;
    }
    let left_out: usize = dropped.iter().map(|dropped| dropped.times).sum();
    let mut words = Vec::new();
    if left_out > 0 {
        words.push(format!("{} left out", grouped(left_out)));
    }
    if !problems.is_empty() {
        words.push(count(problems.len(), "remark"));
    }
    let dropped = dropped.iter().map(|dropped| {
        let first = match dropped.first_line {
            0 => String::new(),
            line => format!(", the first in line {line}"),
        };
        let why = match dropped.why() {
            "" => String::new(),
            why => format!(": {why}"),
        };
        view! { <li>{dropped.what.clone()}": "{grouped(dropped.times)}{first}<span class="muted">{why}</span></li> }
    });
    let problems = problems.iter().map(|problem| {
        view! { <li>"Line "{problem.line}": "{problem.message.clone()}</li> }
    });
    Some(
        view! {
            <details class="origin-more" data-testid="left-out">
                <summary>{words.join(", ")}</summary>
                <ul>{dropped.collect_view()}{problems.collect_view()}</ul>
            </details>
        }
        .into_any(),
    )
}

/// A choice of another format for a file.
fn other_format(intake: Intake, file: usize, now: Option<String>, words: &'static str) -> AnyView {
    let formats = intake.room().formats.get_untracked();
    let held = now.clone().unwrap_or_default();
    let held_is_none = held.is_empty();
    let options = formats.into_iter().map(|(key, noun)| {
        let selected = now.as_ref() == Some(&key);
        view! { <option value=key selected=selected>{noun}</option> }
    });
    let change = move |event| {
        let chosen = event_target_value(&event);
        if !chosen.is_empty() && chosen != held {
            read_as(intake, file, chosen);
        }
    };
    let none = held_is_none.then(|| view! { <option value="">"…"</option> });
    view! {
        <label class="inside-format">
            {words}
            <select data-testid="read-as" on:change=change>{none}{options.collect_view()}</select>
        </label>
    }
    .into_any()
}

/// Which listing of which file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    file: usize,
    listing: usize,
}

/// A listing on the page.
#[derive(Clone, Copy)]
struct Chooser {
    intake: Intake,
    place: Place,
    kind: RwSignal<Kind>,
    chosen: RwSignal<BTreeSet<usize>>,
    query: RwSignal<String>,
    found: Memo<Arc<Vec<usize>>>,
    listing: StoredValue<Arc<Listing>>,
}

impl Chooser {
    fn open(self, items: Vec<usize>) {
        open(
            self.intake,
            Order {
                file: self.place.file,
                listing: self.place.listing,
                items,
                kind: self.kind.get_untracked(),
                mapping: BTreeMap::new(),
            },
        );
    }
}

/// Whether an item has all words of a question.
fn matches(item: &Item, words: &[String]) -> bool {
    let text = format!("{}\n{}\n{}", item.id, item.title, item.first_words).to_lowercase();
    words.iter().all(|word| text.contains(word))
}

#[component]
fn ListingView(intake: Intake, place: Place, listing: Arc<Listing>) -> impl IntoView {
    let kinds = kinds(&listing.items);
    let prefers = intake.room().prefers.get_value();
    let first = kinds
        .iter()
        .find(|kind| prefers.contains(kind))
        .or(kinds.first());
    let kind = RwSignal::new(first.copied().unwrap_or(Kind::Transcript));
    let query = RwSignal::new(String::new());
    let searched = listing.clone();
    let found = Memo::new(move |_| {
        let words: Vec<String> = query.with(|query| {
            query
                .to_lowercase()
                .split_whitespace()
                .map(str::to_owned)
                .collect()
        });
        let items = searched.items.iter().enumerate();
        Arc::new(
            items
                .filter(|(_, item)| matches(item, &words))
                .map(|(at, _)| at)
                .collect::<Vec<_>>(),
        )
    });
    let chooser = Chooser {
        intake,
        place,
        kind,
        chosen: RwSignal::new(BTreeSet::new()),
        query,
        found,
        listing: StoredValue::new(listing.clone()),
    };
    let because = listing.because.clone();
    let ties: Vec<_> = listing.ties.iter().map(|(_, noun)| noun.as_str()).collect();
    let ties =
        (!ties.is_empty()).then(|| format!(" It could as well be {}: choose.", ties.join(" or ")));
    view! {
        <div class="inside-listing">
            <p class="inside-because">
                "Read as "<strong>{listing.noun.clone()}</strong>", because "{coded(&because)}"."{ties}" "
                {(!intake.room().is_joined(place.file)).then(|| other_format(intake, place.file, Some(listing.format.clone()), "Not so? Read it as "))}
            </p>
            {kind_choice(chooser, &kinds)}
            {list(chooser)}
        </div>
    }
}

/// All kinds that can be made of some items, those of the first item first.
fn kinds(items: &[Item]) -> Vec<Kind> {
    let mut kinds = Vec::new();
    for kind in items.iter().flat_map(|item| &item.makes) {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    kinds
}

fn kind_choice(chooser: Chooser, kinds: &[Kind]) -> Option<AnyView> {
    if kinds.len() < 2 {
        return None;
    }
    let title = chooser.intake.outlet().title;
    let name = format!("kind-{}-{}", chooser.place.file, chooser.place.listing);
    let choices = kinds.iter().map(|kind| {
        let kind = *kind;
        let is_chosen = move || chooser.kind.get() == kind;
        view! {
            <label>
                <input
                    type="radio"
                    name=name.clone()
                    data-testid=format!("open-as-{}", kind.name())
                    prop:checked=is_chosen
                    on:change=move |_| chooser.kind.set(kind)
                />
                {kind.noun()}
                <span class="muted">" in "{title(kind)}</span>
            </label>
        }
    });
    let choices = choices.collect_view();
    Some(
        view! { <fieldset class="inside-kinds"><legend>"Open as"</legend>{choices}</fieldset> }
            .into_any(),
    )
}

fn list(chooser: Chooser) -> AnyView {
    let total = chooser.listing.with_value(|listing| listing.items.len());
    let id = IDS[(chooser.place.file + chooser.place.listing).min(IDS.len() - 1)];
    let number = Signal::derive(move || chooser.found.with(|found| found.len()));
    let search = (total > 8).then(|| {
        view! {
            <input
                type="text"
                class="inside-search"
                aria-label="Search what is inside"
                placeholder="Search titles and first words"
                data-testid="inside-search"
                on:input=move |event| chooser.query.set(event_target_value(&event))
            />
        }
    });
    let status = move || match number.get() {
        found if found == total => count(total, "part"),
        found => format!("{} of {}", grouped(found), count(total, "part")),
    };
    let draw = Callback::new(move |(start, size): (Signal<usize>, usize)| {
        let rows =
            (0..size).map(|offset| row(chooser, Signal::derive(move || start.get() + offset)));
        view! { <ul class="inside-rows">{rows.collect_view()}</ul> }.into_any()
    });
    view! {
        <div class="inside-head">
            {search}
            <span class="muted" aria-live="polite">{live(status)}</span>
            {acts(chooser)}
        </div>
        <Unrolled id count=number unrolling=Unrolling::default() draw foot=ViewFn::from(|| ()) />
    }
    .into_any()
}

/// What can be done with several.
fn acts(chooser: Chooser) -> AnyView {
    let chosen = move || chooser.chosen.with(BTreeSet::len);
    let open_chosen = move |_| {
        let items = chooser
            .chosen
            .with_untracked(|chosen| chosen.iter().copied().collect());
        chooser.open(items);
    };
    let all = move |_| {
        let found = chooser.found.get_untracked();
        chooser.chosen.update(|chosen| {
            if found.iter().all(|at| chosen.contains(at)) {
                chosen.clear();
            } else {
                chosen.extend(found.iter());
            }
        });
    };
    view! {
        <span class="inside-acts">
            <button type="button" class="quiet" data-testid="choose-all" on:click=all>"Choose all"</button>
            <button
                type="button"
                class="primary"
                data-testid="open-chosen"
                disabled=move || chosen() == 0
                on:click=open_chosen
            >
                {live(move || match chosen() { 0 => "Open the chosen".to_owned(), n => format!("Open the {} chosen", grouped(n)) })}
            </button>
        </span>
    }
    .into_any()
}

/// An item in a row: to be opened by itself, or chosen with others.
fn row(chooser: Chooser, at: Signal<usize>) -> AnyView {
    let index = Memo::new(move |_| chooser.found.with(|found| found.get(at.get()).copied()));
    let item = move || {
        let index = index.get()?;
        chooser
            .listing
            .with_value(|listing| listing.items.get(index).cloned().map(|item| (index, item)))
    };
    live(move || {
        item().map(|(index, item)| {
            let title = match (item.title.is_empty(), item.id.is_empty()) {
                (false, _) => item.title.clone(),
                (true, false) => item.id.clone(),
                (true, true) => format!("Part {}", index + 1),
            };
            let is_chosen = move || chooser.chosen.with(|chosen| chosen.contains(&index));
            let turn = move |_| {
                chooser.chosen.update(|chosen| {
                    if !chosen.remove(&index) {
                        chosen.insert(index);
                    }
                });
            };
            let label = format!("Choose {title}");
            let number = count(item.count, item.unit.trim_end_matches('s'));
            view! {
                <li class="inside-row">
                    <label class="inside-tick"><input type="checkbox" aria-label=label prop:checked=is_chosen on:change=turn /></label>
                    <button type="button" class="inside-open" data-testid="open-part" on:click=move |_| chooser.open(vec![index])>
                        <strong>{title}</strong>
                        <span class="inside-words">{item.first_words}</span>
                        <span class="muted">{number}</span>
                        <span class="inside-go" aria-hidden="true">"→"</span>
                    </button>
                </li>
            }
        })
    })
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_of_a_question_must_be_there() {
        let item = Item {
            id: "a-7".into(),
            title: "Moving an Order".into(),
            first_words: "to Friday".into(),
            count: 2,
            unit: "messages".into(),
            makes: vec![Kind::Turns],
        };
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(matches(&item, &words("order friday")));
        assert!(matches(&item, &words("a-7")));
        assert!(!matches(&item, &words("order monday")));
    }
}
