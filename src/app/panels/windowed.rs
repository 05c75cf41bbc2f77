//! Long lists: only the rows in view, and a few around them, are in the page.
//! All rows of a long list have the height `--row` of the style sheet.

use std::ops::Range;

use leptos::prelude::*;

use crate::app::derived::live;

use crate::app::browser::events;

/// A list of up to so many rows is drawn whole.
pub const WHOLE: usize = 40;
/// Rows that are drawn beyond each edge, so that the next one is there to be
/// scrolled or tabbed to.
const BEYOND: usize = 1;
/// Rows in view before anything was scrolled, where nothing else is said.
const AT_FIRST: f64 = 8.0;

/// The rows to draw when a box of height `extent` is scrolled by `offset` over
/// `count` rows of height `item`. They are as many wherever it is scrolled, so
/// that the same elements show other rows.
pub fn window(offset: f64, extent: f64, item: f64, count: usize) -> Range<usize> {
    let (in_view, first) = if item > 0.0 {
        ((extent / item).ceil() + 1.0, (offset / item).floor())
    } else {
        (1.0, 0.0)
    };
    let size = (in_view.max(0.0) as usize)
        .saturating_add(2 * BEYOND)
        .min(count);
    let start = (first.max(0.0) as usize).saturating_sub(BEYOND);
    let start = start.min(count - size);
    start..start + size
}

/// A list that is drawn in part where it is long. `draw` is given the rows to draw.
#[component]
pub fn Windowed(
    /// Its id, for whoever scrolls it.
    #[prop(optional)]
    id: &'static str,
    /// What the list is, for those who do not see it.
    label: &'static str,
    /// How many rows there are.
    #[prop(into)]
    count: Signal<usize>,
    /// How many rows are in view before anything was scrolled.
    #[prop(default = AT_FIRST)]
    at_first: f64,
    /// Draws so many rows from the first one on, which changes with scrolling.
    #[prop(into)]
    draw: Callback<(Signal<usize>, usize), AnyView>,
) -> impl IntoView {
    // offset, height of the box and of a row; in rows until it is scrolled
    let scrolled = RwSignal::new((0.0, at_first, 1.0));
    let is_long = move || count.get() > WHOLE;
    let range = Memo::new(move |_| {
        let count = count.get();
        let (offset, extent, item) = scrolled.get();
        if count <= WHOLE {
            0..count
        } else {
            window(offset, extent, item, count)
        }
    });
    let start = Signal::from(Memo::new(move |_| range.with(|range| range.start)));
    let size = Memo::new(move |_| range.with(Range::len));
    let scroll = move |event: leptos::ev::Event| {
        if let Some((offset, extent, content)) = events::scrolled(&event) {
            scrolled.set((offset, extent, content / count.get_untracked() as f64));
        }
    };
    let spacer = move |rows: Signal<usize>| {
        view! { <div class="spacer" style=("--rows", move || rows.get().to_string())></div> }
    };
    view! {
        <div
            id=(!id.is_empty()).then_some(id)
            class="windowed"
            class:long=is_long
            role=move || is_long().then_some("region")
            aria-label=move || is_long().then_some(label)
            tabindex=move || is_long().then_some("0")
            on:scroll=scroll
        >
            {spacer(start)}
            {live(move || draw.run((start, size.get())))}
            {spacer(Signal::derive(move || count.get() - range.get().end))}
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_in_view_and_a_few_around_them() {
        assert_eq!(window(0.0, 400.0, 40.0, 200), 0..13);
        assert_eq!(window(4000.0, 400.0, 40.0, 200), 99..112);
        assert_eq!(window(7600.0, 400.0, 40.0, 200), 187..200);
    }

    #[test]
    fn every_row_in_view_is_drawn_and_as_many_wherever_it_is_scrolled() {
        for offset in 0..7600 {
            let drawn = window(f64::from(offset), 400.0, 40.0, 200);
            for row in 0..200_usize {
                let top = row as f64 * 40.0 - f64::from(offset);
                if top < 400.0 && top + 40.0 > 0.0 {
                    assert!(drawn.contains(&row), "row {row} at {offset}");
                }
            }
            assert_eq!(drawn.len(), 13);
        }
    }

    #[test]
    fn odd_measures_are_no_crash() {
        assert_eq!(window(0.0, 400.0, 40.0, 0), 0..0);
        assert_eq!(window(-50.0, 400.0, 40.0, 3), 0..3);
        assert_eq!(window(1e9, 400.0, 40.0, 50), 37..50);
        assert_eq!(window(0.0, 400.0, f64::NAN, 50), 0..3);
        assert_eq!(window(0.0, 400.0, 0.0, 50), 0..3);
        assert_eq!(window(f64::NAN, f64::INFINITY, 40.0, 50), 0..50);
    }
}
