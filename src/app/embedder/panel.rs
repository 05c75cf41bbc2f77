//! The embedding work of a bench: asked for once, with progress, and cancellable.

use leptos::prelude::*;

use super::job::{Job, Loading, Pace, Phase, STALLED};
use super::models::{Choice, Named};
use super::pool::Embedding;
use crate::app::browser::events;
use crate::app::derived::live;

use crate::app::format::{bytes, count, duration};
use crate::embedding::protocol::Stage;

/// Texts per second below which something is wrong with the browser, not with the texts: the
/// slowest phones make some.
const SLOW: f64 = 0.5;

/// Milliseconds that the first text may take before that is said.
const FIRST: f64 = 8000.0;

/// What is said where texts take seconds, as they do in Firefox on some processors.
fn slowness(pace: &Pace) -> &'static str {
    let is_slow = pace.rate.map_or(pace.elapsed > FIRST, |rate| rate < SLOW);
    if is_slow {
        ". A text takes seconds in this browser on this machine, where a fiftieth of one is usual: \
         Firefox does so on some processors, and Chromium, Chrome, Edge or Safari may be faster. \
         What is done stays done"
    } else {
        ""
    }
}

/// How far a job is: words, and a share in [0, 1] where it is known.
fn describe(job: &Job, now: f64) -> (String, Option<f64>) {
    match job.phase() {
        Phase::Starting => ("Starting the embedder".into(), None),
        Phase::Recalling => ("Looking up what was computed before".into(), None),
        Phase::Loading(loading) => describe_loading(loading, now),
        _ => {
            let pace = job.pace(now);
            let rate = match pace.rate {
                Some(rate) if rate < SLOW => format!(", {} each", duration(1000.0 / rate)),
                Some(rate) => format!(", {rate:.1} per second"),
                None => String::new(),
            };
            let left = pace
                .left
                .map(|left| format!(", {} left", duration(left)))
                .unwrap_or_default();
            let share = (pace.total > 0).then(|| pace.done as f64 / pace.total as f64);
            (
                format!(
                    "{} of {} texts{rate}{left}{}",
                    pace.done,
                    pace.total,
                    slowness(&pace)
                ),
                share,
            )
        }
    }
}

fn describe_loading(loading: &Loading, now: f64) -> (String, Option<f64>) {
    let (received, total) = (loading.received, loading.total);
    let words = match loading.stage {
        Stage::Compile => "Starting the embedder".into(),
        Stage::Cache => "Reading the model from this browser's cache".into(),
        Stage::Unpack => "Unpacking the model".into(),
        Stage::Program | Stage::Download => {
            let what = if loading.stage == Stage::Program {
                "embedder"
            } else {
                "model"
            };
            let far = format!("{} of {}", bytes(received), bytes(total));
            let silent = now - loading.heard;
            let rest = match (&loading.remark, loading.speed(now)) {
                (Some(remark), _) => format!(": {remark}"),
                _ if silent > STALLED => {
                    format!(": nothing has come for {}", duration(silent))
                }
                (None, Some((rate, left))) => {
                    format!(", {} per second, {} left", bytes(rate), duration(left))
                }
                (None, None) => String::new(),
            };
            return (
                format!("Downloading the {what}: {far}{rest}"),
                Some((received / total).clamp(0.0, 1.0)),
            );
        }
    };
    (words, None)
}

/// Offers and shows the embedding work for some texts.
#[component]
pub fn EmbeddingPanel(
    /// The worker.
    embedding: Embedding,
    /// The texts without a vector.
    #[prop(into)]
    missing: Signal<Vec<String>>,
    /// Whether it begins by itself in a moment: then nothing is offered.
    begins: Signal<bool>,
    /// Whether a result stands there meanwhile, which is not to be moved.
    #[prop(into)]
    is_beside: Signal<bool>,
    /// Takes the page's own model.
    own: Callback<()>,
    /// Shows where another model is brought.
    bring: Callback<()>,
) -> impl IntoView {
    let job = embedding.job;
    let busy = Memo::new(move |_| job.with(Job::is_busy));
    let number = Memo::new(move |_| missing.with(Vec::len));
    let is_offered = Memo::new(move |_| number.get() > 0 && !begins.get());
    let idle = move || {
        let failed = job.with(|job| match job.phase() {
            Phase::Failed(message) => Some(message.clone()),
            Phase::Outdated(_) => Some("the page was updated on the server; reload it".into()),
            _ => None,
        });
        let failed = failed.map(|message| view! { <p class="failed" role="alert">"Embedding did not work: "{message}". Traits, lexicon and safety need no embedding."</p> });
        if let Choice::Absent(named) = embedding.choice.get() {
            return absent(&named, own, bring);
        }
        let once = (!embedding.loaded_before()).then_some(
            " It loads the model and its program once, about 30 MB, from this page's own server.",
        );
        view! {
            {failed}
            <p>"Style and stability compare the meaning of "{count(number.get(), "text")}" with a language model that runs in this browser."{once}</p>
            <button type="button" class="primary" data-testid="embed-start" on:click=move |_| embedding.want(missing.get_untracked())>
                "Compute style and stability"
            </button>
            " "
            <button type="button" class="quiet" data-testid="model-other" on:click=move |_| bring.run(())>
                "Use another model …"
            </button>
        }
        .into_any()
    };
    let running = move || {
        let described = move || job.with(|job| describe(job, events::now()));
        let share = move || described().1.map(|share| format!("{share:.3}"));
        view! {
            <div class="embedding-progress" data-testid="embed-progress">
                <progress max="1" value=share aria-label="Embedding progress"></progress>
                <span>{live(move || described().0)}</span>
                <button type="button" class="quiet" on:click=move |_| embedding.cancel()>"Cancel"</button>
            </div>
        }
    };
    view! {
        <section class="embedding" class:hidden=move || !busy.get() && !is_offered.get() class:beside=is_beside>
            {live(move || if busy.get() { running().into_any() } else if is_offered.get() { idle() } else { ().into_any() })}
        </section>
    }
}

/// What is said where the work names a model that is not here.
fn absent(named: &Named, own: Callback<()>, bring: Callback<()>) -> AnyView {
    view! {
        <p data-testid="model-absent">
            "This work was scored with another model: "<strong>{named.to_string()}</strong>
            ". It is not in this browser. Style, stability and voice are the same only with it: bring its ONNX file and tokenizer.json, or compute them anew with the model of this page."
        </p>
        <button type="button" class="primary" data-testid="model-bring" on:click=move |_| bring.run(())>
            "Bring it …"
        </button>
        " "
        <button type="button" class="quiet" data-testid="model-take-own" on:click=move |_| own.run(())>
            "Use the model of this page"
        </button>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::embedder::job::Event;
    use crate::embedding::protocol::FromWorker;

    #[test]
    fn a_browser_that_takes_seconds_for_a_text_is_told_of() {
        let pace = |rate: Option<f64>, elapsed| Pace {
            done: 3,
            total: 9,
            rate,
            left: None,
            elapsed,
        };
        for (rate, elapsed, is_slow) in [
            (None, 2000.0, false),
            (None, 9000.0, true),
            (Some(0.125), 24_000.0, true),
            (Some(2.0), 24_000.0, false),
        ] {
            let words = slowness(&pace(rate, elapsed));
            assert_eq!(words.contains("takes seconds"), is_slow, "{rate:?}");
        }
    }

    #[test]
    fn loading_is_told_in_bytes() {
        let mut job = Job::default();
        let texts = vec!["a".to_owned()];
        job.step(Event::Want { texts, pool: 1 }, 0.0);
        let missing = Ok(vec!["a".to_owned()]);
        job.step(Event::Recalled { ticket: 1, missing }, 0.0);
        let mut progress = |stage, received, remark: Option<&str>, now| {
            let progress = FromWorker::Progress {
                received,
                total: 20e6,
                stage,
                remark: remark.map(str::to_owned),
            };
            job.step(Event::Message(1, progress), now);
            describe(&job, now)
        };
        for (stage, what) in [(Stage::Program, "embedder"), (Stage::Download, "model")] {
            let (words, share) = progress(stage, 5e6, None, 0.0);
            assert_eq!(words, format!("Downloading the {what}: 5.0 MB of 20.0 MB"));
            assert_eq!(share, Some(0.25));
            let (words, _) = progress(stage, 10e6, None, 5000.0);
            let far = format!("Downloading the {what}: 10.0 MB of 20.0 MB");
            assert_eq!(words, format!("{far}, 1.0 MB per second, 10 s left"));
            let (words, _) = progress(stage, 10e6, None, 17_000.0);
            assert_eq!(words, format!("{far}: nothing has come for 12 s"));
            let (words, _) = progress(stage, 10e6, Some("it waits"), 18_000.0);
            assert_eq!(words, format!("{far}: it waits"));
        }
        let (words, share) = progress(Stage::Compile, 20e6, None, 7000.0);
        assert_eq!((&*words, share), ("Starting the embedder", None));
    }
}
