//! A link that was made: on the clipboard where the browser allows it, and in a field.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::app::browser::{clipboard, field, location};
use crate::app::format::{count, name};
use crate::share::Goal;

/// Links longer than this are cut off by some chat tools.
const LONG: usize = 2000;

/// A permalink that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// All of it.
    pub url: String,
    /// Whether it is on the clipboard.
    pub is_copied: bool,
    /// The places where it may open, with what they are called.
    places: Vec<(Goal, String)>,
    /// Where it opens, as a position among them.
    at: Option<usize>,
}

impl Made {
    /// The same link, opening elsewhere.
    fn opening(&self, at: Option<usize>) -> Self {
        let (bare, _) = Goal::split(&self.url);
        let goal = at.and_then(|at| self.places.get(at));
        let goal = goal.map(|(goal, _)| goal.written()).unwrap_or_default();
        Self {
            url: format!("{bare}{goal}"),
            at,
            ..self.clone()
        }
    }
}

/// Puts a link on the clipboard, and shows it: what stands behind `#`. It may open at the
/// sections and the open rows within a part of the page, where one is named.
pub async fn copy(link: String, within: Option<String>, made: RwSignal<Option<Made>>) {
    let places = within.map(|within| places(&within)).unwrap_or_default();
    let link = Made {
        url: location::with_hash(&link),
        is_copied: false,
        places,
        at: None,
    };
    show(link, made).await;
}

async fn show(link: Made, made: RwSignal<Option<Made>>) {
    let is_copied = clipboard::copy(&link.url).await.is_ok();
    made.set(Some(Made { is_copied, ..link }));
    if !is_copied {
        field::select("share-link");
    }
}

/// The rows that are open come first: somebody is looking at them.
fn places(within: &str) -> Vec<(Goal, String)> {
    let found = field::places(within).into_iter();
    let named = |(section, row, title): (String, Option<String>, String)| {
        (Goal { section, row }, name(title.trim()))
    };
    let (rows, sections): (Vec<_>, Vec<_>) =
        found.map(named).partition(|(goal, _)| goal.row.is_some());
    rows.into_iter().chain(sections).collect()
}

/// What is said of a link that was made.
pub fn shared(link: Made, made: RwSignal<Option<Made>>) -> impl IntoView {
    let length = link.url.chars().count();
    let copied = if link.is_copied {
        "The link is on your clipboard."
    } else {
        "Copy this link; the browser did not allow it to be copied for you."
    };
    let long = (length > LONG)
        .then_some(" Some chat tools cut links this long: send an exported file instead.");
    let url = link.url.clone();
    view! {
        <div class="shared" role="status">
            <p>
                <strong>{copied}</strong>
                " It contains the data itself ("
                {count(length, "character")}
                "), so whoever has it can read the data. No server is involved."
                {long}
            </p>
            <div class="shared-link">
                <input
                    id="share-link"
                    data-testid="share-link"
                    type="text"
                    readonly
                    aria-label="Permalink"
                    value=url
                />
                {opens_at(link, made)}
                <button type="button" class="quiet" on:click=move |_| made.set(None)>
                    "Close"
                </button>
            </div>
        </div>
    }
}

/// The choice of the place where a link opens, where there is any.
fn opens_at(link: Made, made: RwSignal<Option<Made>>) -> Option<impl IntoView> {
    if link.places.is_empty() {
        return None;
    }
    let each = link.places.iter().enumerate().map(|(at, (_, title))| {
        let is_it = link.at == Some(at);
        view! { <option value=at.to_string() selected=is_it>{title.clone()}</option> }
    });
    let each = each.collect_view();
    let choose = move |event| {
        let other = link.opening(event_target_value(&event).parse().ok());
        spawn_local(async move {
            show(other, made).await;
            field::focus("share-at");
        });
    };
    Some(view! {
        <label class="share-at">
            "Opens at"
            <select id="share-at" data-testid="share-at" on:change=choose>
                <option value="">"the top"</option>
                {each}
            </select>
        </label>
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_opens_where_it_is_told_and_at_the_top_again() {
        let goal = Goal {
            section: "turns".into(),
            row: Some("12".into()),
        };
        let top = Made {
            url: "https://host/#v2.abc".into(),
            is_copied: true,
            places: vec![(goal, "Turn 12".into())],
            at: None,
        };
        let there = top.opening(Some(0));
        assert_eq!(there.url, "https://host/#v2.abc&at=turns.12");
        assert_eq!(there.opening(None), top);
    }
}
