//! How far long work is, with a way out of it; once it was cancelled, a way back.

use leptos::prelude::*;

use crate::app::derived::live;
use crate::app::format::grouped;
use crate::app::job::{Job, Phase};
use crate::steps::Progress;

/// "So far 3,200 of 10,000 replies measured", and what was found in them.
fn words(progress: Progress) -> String {
    let (done, total) = (grouped(progress.done), grouped(progress.total));
    let so_far = format!("So far {done} of {total} {}", progress.what);
    match progress.found {
        Some((number, what)) => format!("{so_far}; {} of them {what}", grouped(number)),
        None => so_far,
    }
}

fn share(progress: Progress) -> String {
    let share = progress.done as f64 / progress.total.max(1) as f64;
    format!("{share:.3}")
}

/// What is announced: that it takes a while and that it was cancelled, not every step.
fn announcement(phase: Phase, has_result: bool) -> &'static str {
    match phase {
        Phase::Quiet => "",
        Phase::Running(_) if has_result => {
            "This takes a while; the result before it stays until then."
        }
        Phase::Running(_) => "This takes a while.",
        Phase::Cancelled => "Cancelled: what is there now is not scored.",
    }
}

/// Stands there while a job runs for longer than a moment, and after it was cancelled.
#[component]
pub fn ProgressPanel(
    /// The work.
    job: Job,
    /// Whether the result shown is of what is there now.
    is_current: Signal<bool>,
    /// Whether one is shown.
    has_result: Memo<bool>,
) -> impl IntoView {
    let phase = Memo::new(move |_| {
        if is_current.get() {
            Phase::Quiet
        } else {
            job.phase()
        }
    });
    let announced = Memo::new(move |_| announcement(phase.get(), has_result.get()));
    let running = Memo::new(move |_| matches!(phase.get(), Phase::Running(_)));
    let progress = move || match phase.get() {
        Phase::Running(progress) => Some(progress),
        _ => None,
    };
    let far = move || progress().map(words).unwrap_or_default();
    let share = move || progress().map(share);
    let buttons = move || {
        if running.get() {
            view! {
                <progress max="1" value=share aria-label="Scoring progress"></progress>
                <span data-testid="job-far">{far}</span>
                <button type="button" class="quiet" data-testid="job-cancel" on:click=move |_| job.cancel()>
                    "Cancel"
                </button>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="primary" data-testid="job-again" on:click=move |_| job.again()>
                    "Score it"
                </button>
            }
            .into_any()
        }
    };
    let is_quiet = move || announced.get().is_empty();
    view! {
        <section class:job=move || !is_quiet() data-testid="job">
            <p role="status">{announced}</p>
            {live(move || if is_quiet() { ().into_any() } else { buttons() })}
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_numbers_and_announced_once() {
        let progress = |done| Progress::new(done, 10_000, "replies measured");
        assert_eq!(
            words(progress(3200)),
            "So far 3,200 of 10,000 replies measured"
        );
        let found = Progress {
            found: Some((1100, "break a rule")),
            ..progress(3200)
        };
        assert_eq!(
            words(found),
            "So far 3,200 of 10,000 replies measured; 1,100 of them break a rule"
        );
        assert_eq!(share(progress(3200)), "0.320");
        let running = |done, has| announcement(Phase::Running(progress(done)), has);
        assert_eq!(running(1, true), running(9000, true));
        // nothing stays where nothing was
        assert!(!running(1, false).contains("before"));
        assert!(announcement(Phase::Cancelled, true).contains("not scored"));
    }
}
