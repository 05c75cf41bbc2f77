//! A text that is too long for a field: browsers lay out every line of a field, at
//! every change around it. Its lines are a list instead, of which those in view are
//! drawn.

use std::iter;
use std::sync::Arc;

use leptos::prelude::*;
use memchr::{Memchr, memchr_iter};

use super::problems::Sign;
use super::windowed::Windowed;
use crate::app::derived::{Derived, live};
use crate::app::format::{bytes, count};
use crate::document::Severity;

/// A field of up to so many lines and bytes is drawn within a frame or two.
const MOST_LINES: usize = 3000;
const MOST_BYTES: usize = 400_000;
/// More lines than the list is high (lines.css).
const IN_VIEW: f64 = 30.0;
/// How much of a line is shown.
const SHOWN: usize = 400;
/// More bytes than this at once are pasted, not typed.
const TYPED: usize = 10_000;

/// Where the line breaks of a text are, in bytes.
pub fn breaks(text: &str) -> Memchr<'_> {
    memchr_iter(b'\n', text.as_bytes())
}

/// Whether a text is too long for a field.
pub fn is_long(text: &str) -> bool {
    text.len() > MOST_BYTES || breaks(text).count() >= MOST_LINES
}

/// Whether a text became too long by being typed in: then it stays where it is.
pub fn is_outgrown(before: &str, after: &str) -> bool {
    after.len().abs_diff(before.len()) < TYPED && !is_long(before) && is_long(after)
}

/// A text by its lines.
#[derive(Debug, PartialEq)]
struct Lines {
    text: Arc<str>,
    /// Where each begins.
    starts: Vec<usize>,
}

impl Lines {
    fn of(text: Arc<str>) -> Self {
        let starts = iter::once(0).chain(breaks(&text).map(|at| at + 1));
        Self {
            starts: starts.collect(),
            text,
        }
    }

    /// The beginning of a line, from 0, and how much follows.
    fn line(&self, index: usize) -> Option<(&str, usize)> {
        let start = *self.starts.get(index)?;
        let end = self
            .starts
            .get(index + 1)
            .map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        let shown = line
            .char_indices()
            .nth(SHOWN)
            .map_or(line.len(), |(at, _)| at);
        Some((&line[..shown], line.len() - shown))
    }
}

/// The lines of a text with their numbers and the marks of their problems. `marks` are
/// in the order of the lines; `edit` puts the text into a field after all.
pub fn lines_view(
    name: &'static str,
    label: &'static str,
    text: Memo<Arc<str>>,
    marks: Memo<Vec<(u32, Severity)>>,
    edit: Callback<()>,
) -> AnyView {
    let lines = Derived::new(move || Lines::of(text.get()));
    let length = Memo::new(move |_| lines.with(|lines| lines.starts.len()));
    let row = move |index: Signal<usize>| {
        let shown = move || {
            let index = index.get();
            lines.with(|lines| {
                let (line, rest) = lines.line(index)?;
                let line = line.to_owned();
                let rest = (rest > 0)
                    .then(|| view! { <span class="muted">" … "{bytes(rest as f64)}" more"</span> });
                Some(view! { <code>{line}</code>{rest} })
            })
        };
        let mark = move || {
            let line = index.get() as u32 + 1;
            marks.with(|marks| {
                let found = marks.binary_search_by_key(&line, |(line, _)| *line).ok()?;
                let Sign { class, mark, .. } = Sign::of(marks[found].1);
                Some(view! { <span class=format!("line-mark {class}")>{mark}</span> })
            })
        };
        view! {
            <div class="line">
                <span class="line-number" aria-hidden="true">{live(mark)}{move || index.get() + 1}</span>
                {live(shown)}
            </div>
        }
    };
    let draw = move |(start, size): (Signal<usize>, usize)| {
        let rows = (0..size).map(|slot| row(Signal::derive(move || start.get() + slot)));
        rows.collect_view().into_any()
    };
    let size = move || {
        let size = text.with(|text| bytes(text.len() as f64));
        format!("{}, {size}: shown as a list. ", count(length.get(), "line"))
    };
    view! {
        <div class="long-text" id=format!("lines-{name}") data-testid=format!("lines-{name}") data-lines=move || length.get()>
            <p class="under muted">
                {size}
                <button type="button" class="quiet" data-testid=format!("edit-{name}") on:click=move |_| edit.run(())>
                    "Edit as text"
                </button>
            </p>
            <Windowed label count=length at_first=IN_VIEW draw />
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_text_and_long_ones_are_cut() {
        let long = "é".repeat(SHOWN + 3);
        let lines = Lines::of(format!("a\n\n{long}\n").into());
        let all: Vec<_> = (0..5).map(|index| lines.line(index)).collect();
        let cut = "é".repeat(SHOWN);
        assert_eq!(
            all,
            [
                Some(("a", 0)),
                Some(("", 0)),
                Some((cut.as_str(), 6)),
                Some(("", 0)),
                None
            ]
        );
    }

    #[test]
    fn what_is_typed_in_stays_in_its_field() {
        let text = "x\n".repeat(MOST_LINES - 1);
        let longer = format!("{text}\n");
        assert!(!is_long(&text) && is_long(&longer));
        assert!(is_outgrown(&text, &longer));
        assert!(!is_outgrown("", &longer) || longer.len() < TYPED);
        assert!(!is_outgrown("", &"x".repeat(MOST_BYTES + 1)));
        // one that was long already was put into the field by hand
        assert!(!is_outgrown(&longer, &format!("{longer}\n")));
    }
}
