//! The embedding work of a bench: asked for once, with progress, and cancellable.

use leptos::prelude::*;

use crate::app::browser::events;
use crate::app::browser::worker::Embedding;
use crate::app::state::embedding::{Job, Phase};
use crate::app::state::format::{bytes, count, duration};
use crate::embedding::protocol::Stage;

/// How far a job is: words, and a share in [0, 1] where it is known.
fn describe(job: &Job, now: f64) -> (String, Option<f64>) {
    match job.phase() {
        Phase::Starting => ("Starting the embedder".into(), None),
        Phase::Loading {
            stage,
            received,
            total,
        } => {
            let verb = match stage {
                Stage::Cache => "Reading the model from this browser's cache",
                Stage::Download => "Downloading the model",
                Stage::Unpack => return ("Unpacking the model".into(), None),
            };
            match total {
                Some(total) if *total > 0.0 => (
                    format!("{verb}: {} of {}", bytes(*received), bytes(*total)),
                    Some((received / total).clamp(0.0, 1.0)),
                ),
                _ => (format!("{verb}: {}", bytes(*received)), None),
            }
        }
        _ => {
            let pace = job.pace(now);
            let rate = pace
                .rate
                .map(|rate| format!(", {rate:.1} per second"))
                .unwrap_or_default();
            let left = pace
                .left
                .map(|left| format!(", {} left", duration(left)))
                .unwrap_or_default();
            let share = (pace.total > 0).then(|| pace.done as f64 / pace.total as f64);
            (
                format!("{} of {} texts{rate}{left}", pace.done, pace.total),
                share,
            )
        }
    }
}

/// Offers and shows the embedding work for some texts.
#[component]
pub fn EmbeddingPanel(
    /// The worker.
    embedding: Embedding,
    /// The texts without a vector.
    #[prop(into)]
    missing: Signal<Vec<String>>,
) -> impl IntoView {
    let job = embedding.job;
    let busy = Memo::new(move |_| job.with(Job::is_busy));
    let number = Memo::new(move |_| missing.with(Vec::len));
    let idle = move || {
        let failed = job.with(|job| match job.phase() {
            Phase::Failed(message) => Some(message.clone()),
            Phase::Outdated(_) => Some("the page was updated on the server; reload it".into()),
            _ => None,
        });
        let failed = failed.map(|message| view! { <p class="failed" role="alert">"Embedding did not work: "{message}"."</p> });
        let once = (!Embedding::loaded_before())
            .then_some(" It loads the model once, about 26 MB, from this page's own server.");
        view! {
            {failed}
            <p>"Style and stability compare the meaning of "{count(number.get(), "text")}" with a language model that runs in this browser."{once}</p>
            <button type="button" class="primary" data-testid="embed-start" on:click=move |_| embedding.want(missing.get_untracked())>
                "Compute style and stability"
            </button>
        }
    };
    let running = move || {
        let described = move || job.with(|job| describe(job, events::now()));
        let share = move || described().1.map(|share| format!("{share:.3}"));
        view! {
            <div class="embedding-progress" data-testid="embed-progress">
                <progress max="1" value=share aria-label="Embedding progress"></progress>
                <span>{move || described().0}</span>
                <button type="button" class="quiet" on:click=move |_| embedding.cancel()>"Cancel"</button>
            </div>
        }
    };
    view! {
        <section class="embedding" class:hidden=move || number.get() == 0 && !busy.get()>
            {move || if busy.get() { running().into_any() } else if number.get() > 0 { idle().into_any() } else { ().into_any() }}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::state::embedding::Event;
    use crate::embedding::protocol::FromWorker;

    #[test]
    fn loading_is_told_in_bytes() {
        let mut job = Job::default();
        job.step(Event::Want(vec!["a".into()]), 0.0);
        let progress = FromWorker::Progress {
            received: 5e6,
            total: Some(20e6),
            stage: Stage::Download,
        };
        job.step(Event::Message(progress), 0.0);
        let (words, share) = describe(&job, 0.0);
        assert_eq!(words, "Downloading the model: 5.0 MB of 20.0 MB");
        assert_eq!(share, Some(0.25));
    }
}
