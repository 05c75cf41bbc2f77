//! The turns with the lowest totals, each with what it lost points on.

use leptos::prelude::*;

use super::choice::{Chosen, Positions, way};
use super::model::Model;
use crate::app::derived::live;
use crate::app::format::{count, fixed, sentence};
use crate::constitution::{RewardResult, ScoredTurn};

/// How many are shown.
const SHOWN: usize = 5;

/// A turn among the worst.
#[derive(Clone, Debug, PartialEq)]
struct Bad {
    position: usize,
    name: String,
    total: String,
    band: &'static str,
    /// What it lost points on, what cost most first.
    reasons: String,
}

/// The worst of the turns at these positions, and how many have the total of the last of
/// them without being shown.
fn worst(result: &RewardResult, scope: &Positions) -> (Vec<Bad>, usize) {
    let total = |at: usize| result.turns[at].weighted_total;
    let all = 0..scope
        .as_ref()
        .map_or(result.turns.len(), |scope| scope.len());
    let all = all.map(|place| scope.as_ref().map_or(place, |scope| scope[place]));
    // one pass: of fifty thousand few are kept
    let mut found: Vec<usize> = Vec::with_capacity(SHOWN + 1);
    let mut tied = 0;
    for at in all.filter(|at| !result.turns[*at].reasons.is_empty()) {
        let is_full = found.len() == SHOWN;
        if let Some(last) = found.last().filter(|_| is_full) {
            if total(at) == total(*last) {
                tied += 1;
                continue;
            }
            if total(at) > total(*last) {
                continue;
            }
        }
        let place = found.partition_point(|other| total(*other) <= total(at));
        found.insert(place, at);
        if found.len() > SHOWN {
            let out = found.pop().map(total);
            let is_tied = out.is_some() && out == found.last().map(|last| total(*last));
            tied = if is_tied { tied + 1 } else { 0 };
        }
    }
    let shown = found.into_iter().map(|position| {
        let turn = &result.turns[position];
        Bad {
            position,
            name: turn.name(),
            total: fixed(turn.weighted_total, 2),
            band: turn.band_word(),
            reasons: reasons(turn, result),
        }
    });
    (shown.collect(), tied)
}

/// Why a turn lost points, in a sentence.
fn reasons(turn: &ScoredTurn, result: &RewardResult) -> String {
    let costs = turn.costs(&result.weights);
    let words = costs.iter().filter(|(_, lost)| *lost > 0.0);
    let words: Vec<&str> = words.map(|(reason, _)| reason.words.as_str()).collect();
    sentence(&words.join("; "))
}

/// Draws them; nothing where no turn lost anything.
pub fn view(model: Model, chosen: Chosen) -> AnyView {
    let found = Memo::new(move |_| {
        let scope = chosen.scope.get();
        model.scored.with(|scored| {
            let result = scored.result.as_ref();
            result
                .map(|result| worst(result, &scope))
                .unwrap_or_default()
        })
    });
    live(move || {
        let (bad, tied) = found.get();
        let more = (tied > 0).then(|| format!(" {} as low as the last.", count(tied, "more turn")));
        let more = more.map(|more| view! { <p class="muted">{more}</p> });
        let rows = bad.iter().map(|bad| {
            view! {
                <li>
                    {way(chosen, format!("Turn {}", bad.name), bad.position)}
                    <span class="figure">{bad.total.clone()}" "<small>{bad.band}</small></span>
                    <span class="why">{bad.reasons.clone()}</span>
                </li>
            }
        });
        let rows = rows.collect_view();
        (!bad.is_empty()).then(|| {
            view! {
                <div class="worst" data-testid="worst">
                    <h4>"Lowest totals, and why"</h4>
                    <ol>{rows}</ol>
                    {more}
                </div>
            }
        })
    })
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{Options, evaluate};

    fn found(scores: &[f64]) -> (Vec<usize>, usize) {
        let turn = |score: &f64| format!("{{\"overrides\": {{\"ethical\": {score}}}}}");
        let turns: Vec<String> = scores.iter().map(turn).collect();
        let text = format!("[{}]", turns.join(","));
        let result = evaluate(&text, &Options::default()).result.expect("scored");
        let (bad, tied) = worst(&result, &None);
        (bad.iter().map(|bad| bad.position).collect(), tied)
    }

    #[test]
    fn the_worst_come_first_and_what_is_as_low_is_counted() {
        assert_eq!(found(&[1.0, 1.0]), (vec![], 0));
        assert_eq!(found(&[1.0, 0.5, 0.25]), (vec![2, 1], 0));
        assert_eq!(
            found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1]),
            (vec![7, 0, 1, 2, 3], 3)
        );
        assert_eq!(
            found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.1, 0.1, 0.2, 0.3, 0.4]),
            (vec![6, 7, 8, 9, 10], 0)
        );
    }

    #[test]
    fn the_reasons_are_a_sentence_with_the_dearest_first() {
        let text =
            r#"[{"turn_result": {"response": "OK", "tools": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}]"#;
        let result = evaluate(text, &Options::default()).result.expect("scored");
        let said = reasons(&result.turns[0], &result);
        assert_eq!(said, "10 tools, 5 more than 5; 2 characters");
    }
}
