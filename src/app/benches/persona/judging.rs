//! Judges by copy and paste: a prompt for some replies at a time, the field that takes what a judge
//! answers, and how far judges agree with each other and with what was measured.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::model::{Model, RULINGS};
use crate::app::bench::{Leaves, Leaving};
use crate::app::browser::{clipboard, field};
use crate::app::derived::{Derived, live};
use crate::app::format::{count, fixed, grouped, measured, name, sentence};
use crate::app::panels::section::Section;
use crate::persona::judges::{
    Agreement, Ruling, Shared, Sheet, agreement, judge_scores, read_answer, sheets, written,
};

/// The input that holds the scores that the formula takes.
const JUDGE: &str = "judge";
/// The order in which replies are shown to a judge; its value means nothing, that it is fixed does.
const SEED: u64 = 42;
/// So many sheets have a button at first.
const SHOWN: usize = 12;

#[derive(Clone, Copy)]
struct Judging {
    model: Model,
    rulings: Derived<Vec<Ruling>>,
    sheets: Derived<Vec<Sheet>>,
    /// The prompt to copy by hand, where the browser does not copy.
    by_hand: RwSignal<Option<String>>,
    pasted: RwSignal<String>,
    judge: RwSignal<String>,
    said: RwSignal<Vec<String>>,
}

/// The section.
#[component]
pub fn JudgingSection(
    /// Whose replies they are.
    model: Model,
) -> impl IntoView {
    let judging = Judging {
        model,
        rulings: Derived::new(move || model.rulings.with(|(rulings, _)| rulings.clone())),
        sheets: Derived::new(move || {
            model.run.with(|run| {
                let rated = run.result.as_ref().map(crate::persona::Run::rated);
                sheets(&rated.unwrap_or_default(), SEED)
            })
        }),
        by_hand: RwSignal::new(None),
        pasted: RwSignal::new(String::new()),
        judge: RwSignal::new(String::new()),
        said: RwSignal::new(Vec::new()),
    };
    let open = RwSignal::new(
        model
            .rulings
            .with_untracked(|(rulings, _)| !rulings.is_empty()),
    );
    view! {
        <Section
            name="judges"
            about="judges"
            title="Judges, by copy and paste"
            note="Have models of your choice rate the replies, without a key: copy a prompt, paste the answer"
            open
            chart=move || {
                view! {
                    <div class="judging">
                        <h4>"1. Copy a prompt"</h4>
                        {live(move || prompts(judging))}
                        <h4>"2. Paste the answer"</h4>
                        {answer(judging)}
                        {live(move || found(judging))}
                    </div>
                }
            }
        />
    }
}

/// A button for each sheet.
#[expect(clippy::too_many_lines, reason = "one list with its button")]
fn prompts(judging: Judging) -> AnyView {
    let Judging {
        rulings, sheets, ..
    } = judging;
    let all = sheets.get();
    let rulings = rulings.get();
    let shown = RwSignal::new(SHOWN);
    let total = all.len();
    let of_sheet = move |(number, sheet): (usize, &Sheet)| {
        let judges = judged_by(judging.model, sheet, &rulings);
        let replies = match sheet.replies.len() {
            1 => "1 reply".to_owned(),
            replies => format!("{replies} replies"),
        };
        let words = format!("Sheet {} ({replies})", number + 1);
        let state = match judges {
            0 => String::new(),
            judges => format!(" ✓ {}", count(judges, "judge")),
        };
        let copied = sheet.clone();
        view! {
            <li>
                <button
                    type="button"
                    data-testid="copy-sheet"
                    data-sheet=sheet.nonce.clone()
                    on:click=move |_| copy(judging, &copied)
                >
                    {words}
                </button>
                <span class="muted">{state}</span>
            </li>
        }
    };
    let list = move || {
        let rows = all.iter().enumerate().take(shown.get());
        rows.map(&of_sheet).collect_view()
    };
    let more = move || {
        (shown.get() < total).then(|| {
            view! {
                <button type="button" on:click=move |_| shown.update(|shown| *shown += 4 * SHOWN)>
                    "Show more of "{grouped(total - shown.get())}
                </button>
            }
        })
    };
    let by_hand = move || {
        judging.by_hand.get().map(|prompt| {
            view! {
                <textarea id="sheet-prompt" class="notes-prompt" rows="8" readonly aria-label="The prompt, to be copied">
                    {prompt}
                </textarea>
            }
        })
    };
    view! {
        <p class="muted">
            "A prompt holds the persona and up to 20 replies in a drawn order, under names that say nothing. What you paste into a model’s page leaves this one."
        </p>
        <ul class="sheets" data-testid="sheets">{list}</ul>
        {live(more)}
        {live(by_hand)}
    }
    .into_any()
}

/// How many judges have rated replies of a sheet.
fn judged_by(model: Model, sheet: &Sheet, rulings: &[Ruling]) -> usize {
    model.run.with(|run| {
        let rated = run.result.as_ref().map(crate::persona::Run::rated);
        let rated = rated.unwrap_or_default();
        let places = sheet.replies.iter().filter_map(|at| rated.get(*at));
        let places: Vec<(&str, i64)> = places.map(|one| (one.session_id, one.turn_index)).collect();
        let of_sheet = rulings
            .iter()
            .filter(|ruling| places.contains(&(ruling.session_id.as_str(), ruling.turn_index)));
        let mut judges: Vec<&str> = of_sheet.map(|ruling| ruling.judge.as_str()).collect();
        judges.sort_unstable();
        judges.dedup();
        judges.len()
    })
}

fn copy(judging: Judging, sheet: &Sheet) {
    let model = judging.model;
    let persona = model
        .desk
        .work
        .with_untracked(|work| work.text("persona").to_owned());
    let prompt = model.run.with_untracked(|run| {
        let rated = run.result.as_ref().map(crate::persona::Run::rated);
        sheet.prompt(&persona, &rated.unwrap_or_default())
    });
    judging.by_hand.set(None);
    let go = move |prompt: String| give(judging, prompt);
    model.host.leave.run(Leaving {
        name: "The prompt".to_owned(),
        text: prompt,
        leaves: Leaves::Prompt,
        is_result: false,
        go: Callback::new(go),
    });
}

/// Puts a prompt on the clipboard, or shows it to be copied by hand.
fn give(judging: Judging, prompt: String) {
    let model = judging.model;
    spawn_local(async move {
        if clipboard::copy(&prompt).await.is_ok() {
            model
                .host
                .notices
                .tell("Copied. Give it to a model of your choice, and paste its answer below.");
        } else {
            judging.by_hand.set(Some(prompt));
            request_animation_frame(|| field::focus("sheet-prompt"));
        }
    });
}

fn answer(judging: Judging) -> impl IntoView {
    let Judging {
        pasted,
        judge,
        said,
        ..
    } = judging;
    let lines = move || {
        let lines = said.get().into_iter();
        lines.map(|words| view! { <li>{words}</li> }).collect_view()
    };
    view! {
        <textarea
            class="notes-prompt"
            rows="5"
            data-testid="judge-answer"
            aria-label="What the judge answered"
            placeholder="The model’s answer, as it is: fences, prose and broken JSON are put up with."
            prop:value=pasted
            on:input=move |event| pasted.set(event_target_value(&event))
        ></textarea>
        <p class="judging-ways">
            <label>
                "Who judges "
                <input
                    class="plain"
                    type="text"
                    data-testid="judge-name"
                    placeholder="as the answer says"
                    prop:value=judge
                    on:input=move |event| judge.set(event_target_value(&event))
                />
            </label>
            <button type="button" data-testid="read-answer" on:click=move |_| read(judging)>"Read the answer"</button>
        </p>
        <ul class="judging-said" role="status" data-testid="answer-said">{lines}</ul>
    }
}

/// Reads what was pasted and keeps what can be read of it.
fn read(judging: Judging) {
    let Judging {
        model,
        rulings,
        sheets,
        pasted,
        judge,
        said,
        ..
    } = judging;
    let read = model.run.with_untracked(|run| {
        let rated = run.result.as_ref().map(crate::persona::Run::rated);
        let rated = rated.unwrap_or_default();
        let (sheets, known) = (sheets.get_untracked(), rulings.get_untracked());
        read_answer(
            &pasted.get_untracked(),
            (&sheets, &rated),
            &judge.get_untracked(),
            &known,
        )
    });
    let mut words = Vec::new();
    if let Some(first) = read.rulings.first() {
        let who = if first.judge.is_empty() {
            "a judge without a name".to_owned()
        } else {
            name(&first.judge)
        };
        let again = match first.repeat {
            1 => String::new(),
            repeat => format!(", for the {repeat}. time"),
        };
        words.push(format!(
            "Read: {} by {who}{again}.",
            match read.rulings.len() {
                1 => "1 reply rated".to_owned(),
                rated => format!("{rated} replies rated"),
            }
        ));
        if !read.missing.is_empty() {
            words.push(format!("Not rated: {}.", read.missing.join(", ")));
        }
        let lines: Vec<String> = read.rulings.iter().map(written).collect();
        let lines = lines.join("\n");
        model.desk.settle();
        model.desk.edit(RULINGS, "ruling", |text| {
            let text = text.trim_end();
            let before = if text.is_empty() {
                String::new()
            } else {
                format!("{text}\n")
            };
            Some(format!("{before}{lines}\n"))
        });
        pasted.set(String::new());
    }
    words.extend(read.problems.iter().map(|problem| sentence(problem)));
    said.set(words);
}

/// How far the judges agree, and the way to use their safety.
fn found(judging: Judging) -> Option<AnyView> {
    let Judging { model, rulings, .. } = judging;
    let rulings = rulings.get();
    if rulings.is_empty() {
        return None;
    }
    let found = model
        .scored
        .with(|scored| Some(agreement(&rulings, scored.result.as_ref()?)))?;
    let has_safety = rulings.iter().any(|ruling| ruling.safety.is_some());
    Some(
        view! {
            <h4>"3. What they say"</h4>
            {figures(&found)}
            {has_safety.then(|| take(model, rulings))}
        }
        .into_any(),
    )
}

fn take(model: Model, rulings: Arc<Vec<Ruling>>) -> impl IntoView {
    let take = move |_| {
        let scores = judge_scores(&rulings);
        model
            .desk
            .change(JUDGE, |work| work.set_text(JUDGE, scores));
        model.host.notices.tell("The judges’ safety is in the field “Judge scores” now, and counts. Undo takes it back.");
    };
    view! {
        <p class="judging-ways">
            <button type="button" data-testid="use-judges" on:click=take>"Use their safety as judge scores"</button>
            <span class="muted">"It then is a part of safety: of each session the mean of the judges’ means."</span>
        </p>
    }
}

/// How far two judges or more agree on a question, in a sentence.
fn agreed(on: &str, shared: Shared) -> String {
    let Some(alpha) = shared.alpha else {
        return format!("On {on} the judges share too few replies to tell how far they agree.");
    };
    let interval = shared.ci95.map_or_else(String::new, |[low, high]| {
        format!(" (95 % {} to {})", fixed(low, 2), fixed(high, 2))
    });
    let replies = match shared.replies {
        1 => "1 reply".to_owned(),
        replies => format!("{} replies", grouped(replies)),
    };
    format!(
        "The judges agree on {on} with an alpha of {}{interval}, over {replies} rated by two or more.",
        fixed(alpha, 2)
    )
}

/// How far the judges agree with each other, on what they rated.
fn between(found: &Agreement) -> String {
    if found.judges.len() == 1 {
        return "One judge: with another one, their agreement shows.".to_owned();
    }
    let has_safety = found.judges.iter().any(|judge| judge.safety.is_some());
    let safety = has_safety.then(|| agreed("safety", found.safety));
    let words = [Some(agreed("voice", found.voice)), safety];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn figures(found: &Agreement) -> impl IntoView + use<> {
    let rows = found.judges.iter().map(|judge| {
        let who = if judge.judge.is_empty() {
            "(no name)".to_owned()
        } else {
            name(&judge.judge)
        };
        view! {
            <tr>
                <th scope="row">{who}</th>
                <td>{grouped(judge.replies)}</td>
                <td>{grouped(judge.repeats)}</td>
                <td>{measured(judge.voice, 2)}</td>
                <td>{measured(judge.safety, 2)}</td>
                <td>{measured(judge.alpha, 2)}</td>
            </tr>
        }
    });
    let measured = found.measured.iter().map(|beside| {
        let rho = beside
            .rho
            .map_or_else(|| "not defined".to_owned(), |rho| fixed(rho, 2));
        let words = format!(
            "{}: rank correlation {rho} over {}",
            beside.metric.label(),
            match beside.replies {
                1 => "1 reply".to_owned(),
                replies => format!("{} replies", grouped(replies)),
            }
        );
        view! { <li data-testid=format!("rho-{}", beside.metric.name())>{words}</li> }
    });
    view! {
        <div class="scroll">
            <table class="bars" data-testid="judges-table">
                <thead>
                    <tr>
                        <th scope="col">"Judge"</th>
                        <th scope="col">"Replies"</th>
                        <th scope="col">"Times"</th>
                        <th scope="col">"Voice, of 10"</th>
                        <th scope="col">"Safety, of 10"</th>
                        <th scope="col">"Alpha with itself"</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        <p data-testid="judges-agree">{between(found)}</p>
        <p>"The judges’ voice against what was measured:"</p>
        <ul class="judging-said">{measured.collect_view()}</ul>
    }
}
