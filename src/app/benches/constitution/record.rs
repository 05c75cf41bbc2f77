//! The witness record: a way to take it along, and what came of scoring one again.

use leptos::prelude::*;

use super::choice::{Chosen, way};
use super::model::Model;
use crate::app::bench::Leaves;
use crate::app::browser::storage;
use crate::app::derived::live;
use crate::app::export::file_name;
use crate::app::format::{count, name};
use crate::app::panels::field::word_button;
use crate::app::panels::section::Section;
use crate::constitution::{Check, Finding, Log, RewardResult};
use crate::share::{reward_marks, reward_traces};

/// How many turns that differ are named.
const SHOWN: usize = 20;

/// Offers a file of the record.
fn save(model: Model, ending: &str, kind: &'static str, write: fn(&Log, &RewardResult) -> String) {
    let (log, scored) = (model.log.get_untracked(), model.scored.get_untracked());
    let (Some(log), Some(result)) = (&log.result, &scored.result) else {
        return;
    };
    let topic = log.session_id.as_deref().map(name);
    let file = file_name(model.host.bench.name, topic.as_deref(), &storage::today());
    let file = format!("{file}.{ending}");
    let text = write(log, result);
    model.host.save(file, kind, text, Leaves::Record);
}

/// The section of the record.
pub fn view(model: Model, chosen: Chosen) -> AnyView {
    let checked = move || {
        let log = model.log.get();
        let log = log.result.as_ref()?;
        let check = log.check.as_ref()?;
        Some(found(check, log, model, chosen))
    };
    let marks = move || save(model, "marks.json", "application/json", reward_marks);
    let trace = move || save(model, "trace.jsonl", "application/jsonl", reward_traces);
    let body = move || {
        view! {
            {live(checked)}
            <p class="measure">
                "What was said and measured, with what it was weighed and what came of it, a mark for each turn. "
                "Open the file here again, or run " <code>"assay reward --check FILE"</code>
                ": it is scored again, and a score or a text that was changed on the way is named."
            </p>
            <p class="acts">
                {word_button("Save the marks", "save-marks", marks)}
                {word_button("Save the policy trace", "save-trace", trace)}
            </p>
        }
    };
    view! { <Section name="record" title="Witness record" chart=body /> }.into_any()
}

/// What came of scoring a record again.
fn found(check: &Check, log: &Log, model: Model, chosen: Chosen) -> impl IntoView + use<> {
    let class = if check.holds() {
        "record-holds"
    } else {
        "record-differs"
    };
    let different = check.turns.iter().enumerate();
    let different = different.filter_map(|(at, finding)| match finding {
        Finding::Different(differences) => Some((at, differences.clone())),
        Finding::Unchecked | Finding::Exact => None,
    });
    let scored = model.scored.get();
    let turn_name = |at: usize| {
        let turn = scored
            .result
            .as_ref()
            .and_then(|result| result.turns.get(at));
        let number = || {
            log.turns
                .get(at)
                .map_or(0, |turn| turn.turn_number)
                .to_string()
        };
        turn.map_or_else(number, crate::constitution::ScoredTurn::name)
    };
    let rows = different.take(SHOWN).map(|(at, differences)| {
        view! { <li>{way(chosen, format!("Turn {}", turn_name(at)), at)}<span class="why">{differences.join("; ")}</span></li> }
    });
    let rows = rows.collect_view();
    let more = check.different.saturating_sub(SHOWN);
    let more = (more > 0).then(|| view! { <p class="muted">{count(more, "more turn")}</p> });
    view! {
        <p class=class data-testid="record-check">{check.words()}</p>
        <ol class="differences">{rows}</ol>
        {more}
    }
}
