//! A table of shares whose cells are shaded by them.

use leptos::prelude::*;

use crate::app::format::percent;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the shares are of, by its id.
    pub label: String,
    /// Shares in [0, 1].
    pub shares: Vec<f64>,
}

/// Draws the shares in percent.
pub fn heat(
    caption: &'static str,
    corner: &'static str,
    heads: &[String],
    rows: &[Row],
) -> impl IntoView + use<> {
    let heads = heads
        .iter()
        .map(|head| view! { <th scope="col" class="numeric">{head.clone()}</th> });
    let heads = heads.collect_view();
    let rows = rows.iter().map(|row| {
        let cells = row.shares.iter().map(|share| {
            view! {
                <td class="numeric" data-value=share.to_string() style=("--share", share.to_string())>
                    {percent(*share)}
                </td>
            }
        });
        view! {
            <tr data-testid=format!("heat-{}", row.label)>
                <th scope="row">{row.label.clone()}</th>
                {cells.collect_view()}
            </tr>
        }
    });
    view! {
        <div class="table-scroll" role="region" aria-label=caption tabindex="0">
            <table class="heat">
                <caption>{caption}</caption>
                <thead><tr><th scope="col">{corner}</th>{heads}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}
