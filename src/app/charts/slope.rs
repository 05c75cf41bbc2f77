//! A slope chart: the ranks of some rows under several weightings, a line each.

use leptos::prelude::*;

use crate::text::sort_by_key;

/// Height of a row of the chart, in rem.
const STEP: f64 = 2.0;

/// What a column makes of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// Nothing but a rank.
    #[default]
    Ranked,
    /// It wins.
    Wins,
    /// It is one of two that do together.
    Shares,
}

impl Mark {
    const fn class(self) -> &'static str {
        match self {
            Self::Ranked => "ranked",
            Self::Wins => "wins",
            Self::Shares => "shares",
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its heading.
    pub head: String,
    /// What comes of it, in a word or two.
    pub outcome: String,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// As people read it.
    pub label: String,
    /// Its rank in each column; none where it has none.
    pub ranks: Vec<Option<usize>>,
    /// What each column makes of it.
    pub marks: Vec<Mark>,
}

/// A rank on the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// In percent of the width.
    pub x: f64,
    /// In rem.
    pub y: f64,
    /// What is written in it.
    pub rank: usize,
    /// What it comes to there.
    pub mark: Mark,
}

/// The dots of each row, in the order of the columns. Ranks that no row has in
/// a column take no room, so that a choice of rows lies close together.
pub fn dots(rows: &[Row]) -> Vec<Vec<Dot>> {
    let columns = rows.iter().map(|row| row.ranks.len()).max().unwrap_or(0);
    let place = |column: usize, rank: usize| {
        let better = rows
            .iter()
            .filter(|row| row.ranks.get(column).copied().flatten() < Some(rank))
            .filter(|row| row.ranks.get(column).copied().flatten().is_some());
        (better.count() as f64 + 0.5) * STEP
    };
    rows.iter()
        .map(|row| {
            let ranked = row.ranks.iter().enumerate();
            ranked
                .filter_map(|(column, rank)| {
                    Some(Dot {
                        x: (column as f64 + 0.5) / columns as f64 * 100.0,
                        y: place(column, (*rank)?),
                        rank: (*rank)?,
                        mark: row.marks.get(column).copied().unwrap_or_default(),
                    })
                })
                .collect()
        })
        .collect()
}

/// A row's line as SVG's `points`, in a box of 100 by the chart's height.
fn points(dots: &[Dot]) -> String {
    let points = dots.iter().map(|dot| format!("{:.3},{}", dot.x, dot.y));
    points.collect::<Vec<_>>().join(" ")
}

/// The rows in the order of the last column, those without a rank there below.
fn by_last_rank(rows: &[Row]) -> Vec<usize> {
    let last = |row: &Row| row.ranks.last().copied().flatten().unwrap_or(usize::MAX);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    sort_by_key(&mut order, |index| last(&rows[*index]));
    order
}

/// A row's rank in each column and what comes of it there, in words.
fn told(row: &Row, columns: &[Column]) -> String {
    let told = row.ranks.iter().zip(columns).enumerate();
    let told = told.map(|(at, (rank, Column { head, outcome }))| {
        let Some(rank) = rank else {
            return format!("{head} –");
        };
        match row.marks.get(at) {
            None | Some(Mark::Ranked) => format!("{head} {rank}"),
            Some(_) => format!("{head} {rank} ({outcome})"),
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Which row is lit: the one under the pointer or the focus, or else the first.
#[derive(Clone, Copy)]
struct Lit {
    index: RwSignal<Option<usize>>,
    first: Option<usize>,
}

impl Lit {
    fn is(self, index: usize) -> bool {
        self.index.get().or(self.first) == Some(index)
    }
}

/// Draws the chart, with what comes of each column under it. The rows' names stand at the
/// right, at their last rank; a row is lit while the pointer or the focus is on it, and
/// `first` while none is.
pub fn view(columns: &[Column], rows: &[Row], first: Option<usize>) -> impl IntoView + use<> {
    let index = RwSignal::new(None);
    let lit = Lit { index, first };
    let height = rows.len() as f64 * STEP;
    let lines = dots(rows).into_iter().enumerate();
    let lines = lines.map(|(index, dots)| line(index, &dots, height, lit));
    let names = by_last_rank(rows).into_iter().map(|index| {
        let row = &rows[index];
        name(index, row.label.clone(), told(row, columns), lit)
    });
    let said = |of: fn(&Column) -> &String| {
        let said = columns.iter().map(|column| {
            let said = of(column).clone();
            view! { <span>{said}</span> }
        });
        said.collect_view()
    };
    let (heads, outcomes) = (said(|column| &column.head), said(|column| &column.outcome));
    view! {
        <div class="slope-chart">
            <div class="slope-heads" aria-hidden="true">{heads}</div>
            <svg class="slopes" width="100%" height=rem(height) aria-hidden="true">{lines.collect_view()}</svg>
            <ul class="slope-names">{names.collect_view()}</ul>
            <div class="slope-heads slope-outcomes" aria-hidden="true">{outcomes}</div>
        </div>
    }
}

fn rem(length: f64) -> String {
    format!("{length}rem")
}

fn line(index: usize, dots: &[Dot], height: f64, lit: Lit) -> impl IntoView + use<> {
    let marks = dots.iter().map(|dot| {
        let x = format!("{:.3}%", dot.x);
        view! {
            <g class=dot.mark.class()>
                <circle cx=x.clone() cy=rem(dot.y) r="0.625rem" />
                <text x=x y=rem(dot.y + 0.25) text-anchor="middle">{dot.rank}</text>
            </g>
        }
    });
    let marks = marks.collect_view();
    let points = points(dots);
    // the inner drawing is stretched to the width of the chart; the wide line under
    // the thin one is what the pointer can hit
    view! {
        <g
            class:lit=move || lit.is(index)
            on:pointerenter=move |_| lit.index.set(Some(index))
            on:pointerleave=move |_| lit.index.set(None)
        >
            <svg viewBox=format!("0 0 100 {height}") preserveAspectRatio="none">
                <polyline class="reach" points=points.clone() />
                <polyline class="slope" points=points />
            </svg>
            {marks}
        </g>
    }
}

fn name(index: usize, label: String, told: String, lit: Lit) -> impl IntoView {
    let title = told.clone();
    view! {
        <li>
            <button
                type="button"
                class="quiet"
                class:lit=move || lit.is(index)
                title=title
                on:pointerenter=move |_| lit.index.set(Some(index))
                on:pointerleave=move |_| lit.index.set(None)
                on:focus=move |_| lit.index.set(Some(index))
                on:blur=move |_| lit.index.set(None)
            >
                {label}<span class="visually-hidden">": "{told}</span>
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ranks: &[Option<usize>]) -> Row {
        Row {
            label: String::new(),
            ranks: ranks.to_vec(),
            marks: vec![Mark::Wins],
        }
    }

    #[test]
    fn ranks_lie_in_columns_and_the_first_on_top() {
        let found = dots(&[row(&[Some(1), Some(2)]), row(&[Some(2), Some(1)])]);
        assert_eq!(
            found[0][0],
            Dot {
                x: 25.0,
                y: 1.0,
                rank: 1,
                mark: Mark::Wins
            }
        );
        assert_eq!(
            found[0][1],
            Dot {
                x: 75.0,
                y: 3.0,
                rank: 2,
                mark: Mark::Ranked
            }
        );
        assert_eq!((found[1][0].y, found[1][1].y), (3.0, 1.0));
    }

    #[test]
    fn a_rank_that_no_row_has_takes_no_room() {
        let found = dots(&[row(&[Some(3)]), row(&[Some(40)]), row(&[None])]);
        assert_eq!((found[0][0].y, found[1][0].y), (1.0, 3.0));
        assert_eq!(found[2], []);
    }

    #[test]
    fn a_line_leads_through_the_columns_where_there_is_a_rank() {
        let found = dots(&[
            row(&[Some(1), None, Some(2)]),
            row(&[Some(2), Some(1), Some(1)]),
        ]);
        assert_eq!(points(&found[0]), "16.667,1 83.333,3");
        assert_eq!(points(&found[1]), "16.667,3 50.000,1 83.333,1");
        assert_eq!(points(&[]), "");
    }

    #[test]
    fn names_stand_in_the_order_of_the_last_column() {
        let rows = [
            row(&[Some(1), None]),
            row(&[Some(2), Some(2)]),
            row(&[Some(3), Some(1)]),
            row(&[]),
        ];
        assert_eq!(by_last_rank(&rows), [2, 1, 0, 3]);
    }

    #[test]
    fn ranks_are_told_in_words_with_what_comes_of_them() {
        let column = |head: &str, outcome: &str| Column {
            head: head.into(),
            outcome: outcome.into(),
        };
        let columns = [
            column("coding", "wins"),
            column("legal", "too low"),
            column("math", "wins"),
        ];
        let row = row(&[Some(1), None, Some(2)]);
        assert_eq!(told(&row, &columns), "coding 1 (wins), legal –, math 2");
    }

    #[test]
    fn nothing_is_no_crash() {
        assert_eq!(dots(&[]).len(), 0);
        assert_eq!(by_last_rank(&[]).len(), 0);
    }
}
