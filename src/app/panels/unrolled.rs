//! Long lists that the page itself scrolls: the first rows are there, and all of them on
//! request. Only those in the window, and a few around them, are drawn; one of them may be
//! open, as tall as what is in it. All others have the height `--row` of the style sheet.

use std::ops::Range;

use leptos::ev;
use leptos::prelude::*;

use super::windowed::{WHOLE, window};
use crate::app::browser::events;
use crate::app::browser::field::{self, Measured};
use crate::app::derived::{effect, live};
use crate::app::format::grouped;

/// So many rows of a long list are there before all are asked for.
pub const FEW: usize = 8;

/// A list as it lies in the window.
#[derive(Clone, Copy)]
pub struct Unrolling {
    /// Whether all rows were asked for.
    pub is_all: RwSignal<bool>,
    /// The row that is open, by its position; the last that was known, while it is not drawn.
    pub open_at: RwSignal<Option<usize>>,
    seen: RwSignal<Measured>,
}

/// A list of which the first rows are shown.
impl Default for Unrolling {
    fn default() -> Self {
        Self {
            is_all: RwSignal::new(false),
            open_at: RwSignal::new(None),
            // in rows, until it is measured
            seen: RwSignal::new(Measured {
                above: 0.0,
                extent: FEW as f64,
                row: 1.0,
                open: 0.0,
            }),
        }
    }
}

impl Unrolling {
    /// Looks where the list is now.
    fn look(self, id: &str) {
        let measured = field::measured(id);
        let before = self.seen.try_get_untracked();
        if let (Some(mut seen), Some(before)) = (measured, before) {
            if seen.open == 0.0 {
                // the row that is open is not drawn
                seen.open = before.open;
            }
            if seen != before {
                self.seen.set(seen);
            }
        }
    }

    /// Makes a row one that is drawn and scrolls the page to it.
    pub fn go_to(self, id: &'static str, index: usize) {
        if index >= FEW {
            self.is_all.set(true);
        }
        self.open_at.set(Some(index));
        // the list is as tall as it will be in the next frame
        request_animation_frame(move || {
            field::scroll_to_row(id, index);
            self.look(id);
        });
    }
}

/// The rows to draw of a list, where one of them may be open.
fn stretch(seen: Measured, open_at: Option<usize>, count: usize) -> Range<usize> {
    let offset = match open_at {
        Some(open) => {
            let below = (open as f64 + 1.0) * seen.row;
            // within what is open, its row is the first
            let beyond = (seen.above - below).clamp(0.0, seen.open.max(0.0));
            seen.above - beyond
        }
        None => seen.above,
    };
    window(offset, seen.extent, seen.row, count)
}

/// A list of which the page draws what is in the window. `draw` is given the rows to draw.
#[component]
pub fn Unrolled(
    /// Its id.
    id: &'static str,
    /// How many rows there are.
    #[prop(into)]
    count: Signal<usize>,
    /// How it lies.
    unrolling: Unrolling,
    /// Draws so many rows from the first one on, which changes with scrolling.
    #[prop(into)]
    draw: Callback<(Signal<usize>, usize), AnyView>,
    /// What stands under the rows, and in sight while they are scrolled.
    #[prop(into)]
    foot: ViewFn,
) -> impl IntoView {
    let Unrolling {
        is_all,
        open_at,
        seen,
    } = unrolling;
    let is_long = Memo::new(move |_| count.get() > WHOLE);
    let is_scrolled = Memo::new(move |_| is_long.get() && is_all.get());
    let range = Memo::new(move |_| {
        let count = count.get();
        if is_scrolled.get() {
            stretch(seen.get(), open_at.get(), count)
        } else if is_long.get() {
            0..FEW
        } else {
            0..count
        }
    });
    let start = Signal::from(Memo::new(move |_| range.with(|range| range.start)));
    let size = Memo::new(move |_| range.with(Range::len));
    let look = move || {
        if is_scrolled.try_get_untracked() == Some(true) {
            unrolling.look(id);
        }
    };
    // it is heard for as long as the list is there
    StoredValue::new_local(events::on_scroll(look));
    effect(move || {
        is_all.track();
        open_at.track();
        request_animation_frame(look);
    });
    // rows that are not drawn, and what is open among them
    let spacer = move |rows: Signal<Range<usize>>| {
        let is_open = move || {
            let open_at = open_at.get();
            open_at.is_some_and(|open| rows.with(|rows| rows.contains(&open)))
        };
        let beside = move || {
            let open = if is_open() { seen.get().open } else { 0.0 };
            format!("{open}px")
        };
        view! { <div class="spacer" style=("--rows", move || rows.with(Range::len).to_string()) style=("--beside", beside)></div> }
    };
    let above = Signal::derive(move || 0..start.get());
    let below = Signal::derive(move || {
        let end = range.with(|range| range.end);
        end..if is_scrolled.get() { count.get() } else { end }
    });
    view! {
        <div id=id class="unrolled" class:long=is_long>
            <span class="row-probe" aria-hidden="true"></span>
            {spacer(above)}
            {live(move || draw.run((start, size.get())))}
            {spacer(below)}
            <div class="unrolled-foot" class:held=is_scrolled>
                {foot.run()}
                {all_button(count, is_long, is_all)}
            </div>
        </div>
    }
}

/// The switch between the first rows and all of them.
fn all_button(count: Signal<usize>, is_long: Memo<bool>, is_all: RwSignal<bool>) -> impl IntoView {
    let words = move || {
        if is_all.get() {
            format!("Show the first {FEW} only")
        } else {
            format!("Show all {}", grouped(count.get()))
        }
    };
    let turn = move |event: ev::MouseEvent| {
        let back = events::place(&event);
        is_all.update(|is_all| *is_all = !*is_all);
        // the list ends elsewhere: the button stays under the hand
        if let Some(back) = back.filter(|_| !is_all.get_untracked()) {
            request_animation_frame(back);
        }
    };
    live(move || {
        is_long.get().then(|| {
            view! {
                <button
                    type="button"
                    class="quiet show-all"
                    data-testid="show-all"
                    aria-expanded=move || is_all.get().to_string()
                    on:click=turn
                >
                    {words}
                </button>
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(above: f64, open: f64) -> Measured {
        Measured {
            above,
            extent: 400.0,
            row: 40.0,
            open,
        }
    }

    /// Where each row begins and ends, below the beginning of the list.
    fn lies(row: usize, open_at: Option<usize>, open: f64) -> (f64, f64) {
        let beyond = |is: bool| if is { open } else { 0.0 };
        let top = row as f64 * 40.0 + beyond(open_at.is_some_and(|at| at < row));
        (top, top + 40.0 + beyond(open_at == Some(row)))
    }

    #[test]
    fn every_row_in_the_window_is_drawn_whatever_is_open() {
        for (open_at, open) in [
            (None, 0.0),
            (Some(0), 900.0),
            (Some(57), 250.0),
            (Some(199), 30.0),
        ] {
            for above in (-600..9000).step_by(7) {
                let above = f64::from(above);
                let drawn = stretch(seen(above, open), open_at, 200);
                for row in 0..200 {
                    let (top, end) = lies(row, open_at, open);
                    if end > above && top < above + 400.0 {
                        assert!(
                            drawn.contains(&row),
                            "row {row} at {above}, {open_at:?} open"
                        );
                    }
                }
                assert_eq!(drawn.len(), 13);
            }
        }
    }
}
