//! A slope chart: the ranks of some rows under several weightings, a line each.

use leptos::prelude::*;

use crate::analysis::sort_by_key;

/// Height of a row of the chart, in rem.
const STEP: f64 = 2.0;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// As people read it.
    pub label: String,
    /// Its rank in each column; none where it has none.
    pub ranks: Vec<Option<usize>>,
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
                    })
                })
                .collect()
        })
        .collect()
}

/// Draws the chart. The rows' names stand at the right, at their last rank; a
/// row is lit while the pointer or the focus is on it, and `first` always.
pub fn view(heads: &[String], rows: &[Row], first: Option<usize>) -> impl IntoView + use<> {
    let lit = RwSignal::new(None::<usize>);
    let percent = |x: f64| format!("{x:.3}%");
    let rem = |y: f64| format!("{y}rem");
    let is_lit = move |index: usize| lit.get().map_or(first == Some(index), |lit| lit == index);
    let all = dots(rows);
    let height = rows.len() as f64 * STEP;
    let lines = all.iter().enumerate().map(|(index, dots)| {
        // stretched to the width of the chart, a line of each kind for all columns
        let points: Vec<String> = dots
            .iter()
            .map(|dot| format!("{:.3},{}", dot.x, dot.y))
            .collect();
        let points = points.join(" ");
        let marks = dots.iter().map(|dot| {
            view! {
                <circle cx=percent(dot.x) cy=rem(dot.y) r="0.625rem" />
                <text x=percent(dot.x) y=rem(dot.y + 0.25) text-anchor="middle">{dot.rank}</text>
            }
        });
        view! {
            <g class:lit=move || is_lit(index) on:pointerenter=move |_| lit.set(Some(index)) on:pointerleave=move |_| lit.set(None)>
                <svg viewBox=format!("0 0 100 {height}") preserveAspectRatio="none">
                    <polyline class="reach" points=points.clone() />
                    <polyline class="slope" points=points />
                </svg>
                {marks.collect_view()}
            </g>
        }
    });
    let lines = lines.collect_view();
    // names in the order of the last column; rows without a rank there below
    let mut order: Vec<usize> = (0..rows.len()).collect();
    sort_by_key(&mut order, |index| {
        rows[*index]
            .ranks
            .last()
            .copied()
            .flatten()
            .unwrap_or(usize::MAX)
    });
    let names = order.into_iter().map(|index| {
        let Row { label, ranks } = &rows[index];
        let told: Vec<String> = ranks
            .iter()
            .zip(heads)
            .map(|(rank, head)| rank.map_or(format!("{head} –"), |rank| format!("{head} {rank}")))
            .collect();
        view! {
            <li>
                <button
                    type="button"
                    class="quiet"
                    class:lit=move || is_lit(index)
                    title=told.join(", ")
                    on:pointerenter=move |_| lit.set(Some(index))
                    on:pointerleave=move |_| lit.set(None)
                    on:focus=move |_| lit.set(Some(index))
                    on:blur=move |_| lit.set(None)
                >
                    {label.clone()}<span class="visually-hidden">": "{told.join(", ")}</span>
                </button>
            </li>
        }
    });
    let names = names.collect_view();
    let heads = heads
        .iter()
        .map(|head| view! { <span>{head.clone()}</span> });
    view! {
        <div class="slope-chart">
            <div class="slope-heads" aria-hidden="true">{heads.collect_view()}</div>
            <svg class="slopes" width="100%" height=rem(height) aria-hidden="true">{lines}</svg>
            <ul class="slope-names">{names}</ul>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ranks: &[Option<usize>]) -> Row {
        Row {
            label: String::new(),
            ranks: ranks.to_vec(),
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
                rank: 1
            }
        );
        assert_eq!(
            found[0][1],
            Dot {
                x: 75.0,
                y: 3.0,
                rank: 2
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
    fn nothing_is_no_crash() {
        assert_eq!(dots(&[]).len(), 0);
    }
}
