//! What stands above every bench: its name, undo and redo, the ways to leave with
//! the result. It needs nothing of the bench's own code: what comes from there is
//! shown once it is there.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::exports::{EXPORTS, exports};
use super::private::{Asking, question};
use super::shared::{Made, copy, shared};
use super::{Absent, Seat, Shell, Way};
use crate::app::bench::{Leaves, Leaving};
use crate::app::browser::{field, storage};
use crate::app::claim;
use crate::app::derived::live;
use crate::app::desk::Work;
use crate::app::export::{Format, file_name};
use crate::app::figures;
use crate::app::intake::door;
use crate::app::link;
use crate::app::notice::Notices;
use crate::app::opening;
use crate::app::parts::{NotLoaded, fetch, later, not_loaded};
use crate::app::runs;

/// Said where the code of what was asked for did not come.
const NO_CODE: &str =
    "The network or the server did not give the code for this. Try again in a while.";

/// Said where there is no result of what is there now, though one of before may be seen.
const NO_RESULT: &str = "The input has an error or lacks something, so there is no result of it to export. Mend it first; a result that is shown in grey is of what was there before.";

/// Said where there is a result and no report of it.
const NO_REPORT: &str = "There is no report of this: a report proves itself by what was entered. Keep or discard what is tried first, and wait until all figures are there.";

/// A bench.
#[component]
pub fn BenchFrame(
    /// Which.
    seat: Seat,
) -> impl IntoView {
    let made = RwSignal::new(None::<Made>);
    let asking = seat.asking;
    let is_drawn = RwSignal::new(false);
    let close = Callback::new(move |()| asking.set(None));
    let asked = move || asking.with(|asking| asking.as_ref().map(|asking| question(asking, close)));
    let shell = expect_context::<Shell>();
    let room = move || match (seat.absent.get(), seat.room.get()) {
        (Some(absent), _) => away(shell, seat, &absent),
        (None, Some(room)) => room.view.run(),
        (None, None) => on_the_way(shell, seat).into_any(),
    };
    let bench = seat.bench;
    claim::follow(shell.claim, (bench, seat.room), shell.notices);
    // a document of an earlier visit says itself where it comes from
    let has_origin = Memo::new(move |_| {
        shell.intake.is_used()
            || seat
                .desk
                .work
                .with(|work| opening::tells_origin(work, bench))
    });
    view! {
        <div class="bench" data-testid=format!("bench-{}", bench.name)>
            <header class="bench-head">
                <div>
                    <h1>{bench.title}</h1>
                    <p>{bench.about}</p>
                </div>
                <Tools seat made asking is_drawn />
            </header>
            {live(asked)}
            {live(move || made.get().map(|link| shared(link, made)))}
            {live(move || is_drawn.get().then(|| drawn(seat, is_drawn, shell.notices)))}
            {live(move || has_origin.get().then(|| origins(shell, seat)))}
            {live(room)}
        </div>
    }
}

/// Where the documents of a bench come from.
fn origins(shell: Shell, seat: Seat) -> AnyView {
    let inputs = seat.bench.inputs.iter();
    let kinds: Vec<_> = inputs.filter_map(|input| input.kind).collect();
    let kinds = StoredValue::new(kinds);
    later("Where it comes from", move || {
        Box::pin(door::origin(shell.intake, kinds.get_value()))
    })
}

/// What is shown where the work that was kept is not to be seen.
fn away(shell: Shell, seat: Seat, absent: &Absent) -> AnyView {
    let (said, does): (_, Option<(&'static str, Callback<()>)>) = match absent {
        Absent::Coming(_) => {
            return view! { <p class="muted loading">"Fetching what you left here …"</p> }
                .into_any();
        }
        Absent::Lost(_) => (
            "What you left here could not be fetched: this browser has forgotten a long text of it, or does not give it now.",
            Some((
                "Try again",
                Callback::new(move |()| shell.fetch_absent(seat)),
            )),
        ),
        Absent::Held => (
            "The last visit did not come to its end while this bench was open. Its text may be too much for this page.",
            Some(("Open it", Callback::new(move |()| shell.release(seat)))),
        ),
    };
    let does = does.map(|(label, act)| {
        view! {
            <button type="button" class="primary" data-testid="away-open" on:click=move |_| act.run(())>
                {label}
            </button>
        }
    });
    view! {
        <div class="on-the-way">
            <p role="alert" data-testid="away">{said}</p>
            <p class="away-acts">
                {does}
                <button type="button" data-testid="away-save" on:click=move |_| shell.save_file()>
                    "Save my work as a file"
                </button>
                <button type="button" data-testid="away-aside" on:click=move |_| shell.begin_anew(seat)>
                    "Put it aside"
                </button>
            </p>
        </div>
    }
    .into_any()
}

/// What is shown until the bench's code is there.
fn on_the_way(shell: Shell, seat: Seat) -> impl IntoView {
    live(move || match seat.way.get() {
        Way::Failed => not_loaded("This bench", move || shell.enter(seat)),
        Way::Clear | Way::Loading => {
            view! { <p class="muted loading">"Loading the bench …"</p> }.into_any()
        }
    })
}

#[component]
fn Tools(
    seat: Seat,
    made: RwSignal<Option<Made>>,
    asking: RwSignal<Option<Asking>>,
    is_drawn: RwSignal<bool>,
) -> impl IntoView {
    let shell = expect_context::<Shell>();
    let notices = shell.notices;
    let desk = seat.desk;
    let (steps, blank) = (desk.steps(), desk.is_blank());
    let can_undo = Signal::derive(move || steps.get().0);
    let can_redo = Signal::derive(move || steps.get().1);
    let share = move |_| share(seat, made, asking, notices);
    let keep = move |_| {
        fetch(Box::pin(runs::door::keep(shell, seat)), move |kept| {
            if kept.is_err() {
                notices.warn(NO_CODE);
            }
        });
    };
    let save = move |format: Format| {
        let none = "There is no result to export yet.";
        let Some(room) = seat.room.get_untracked() else {
            notices.warn(none);
            return;
        };
        let name = format!("{}.{}", stem(seat), format.ending());
        fetch(room.export.run(format), move |text| match text {
            Ok(Some(text)) => leave(file(name.clone(), format, text, notices), asking, notices),
            Ok(None) if room.verdict.with_untracked(Option::is_none) => notices.warn(NO_RESULT),
            Ok(None) if format == Format::Report => notices.warn(NO_REPORT),
            Ok(None) => notices.warn(none),
            Err(NotLoaded) => notices.warn(NO_CODE),
        });
    };
    view! {
        <div class="tools">
            <span class="group">
                {step_button("Undo", "undo", "Undo (Ctrl+Z)", can_undo, move || desk.undo())}
                {step_button("Redo", "redo", "Redo (Ctrl+Shift+Z)", can_redo, move || desk.redo())}
            </span>
            <button
                type="button"
                id="export"
                data-testid="export"
                data-exports
                popovertarget=EXPORTS
                disabled=blank
            >
                "Export"
            </button>
            {exports(seat.bench.shapes, save, move || is_drawn.set(true))}
            <button type="button" data-testid="keep" disabled=blank on:click=keep>
                "Keep"
            </button>
            <button type="button" class="primary" data-testid="share" disabled=blank on:click=share>
                "Share"
            </button>
        </div>
    }
}

/// What files of what is on a bench are called, without an ending.
fn stem(seat: Seat) -> String {
    let room = seat.room.get_untracked();
    let topic = room.and_then(|room| room.topic.get_untracked());
    file_name(seat.bench.name, topic.as_deref(), &storage::today())
}

/// The charts and tables of what is on a bench.
fn drawn(seat: Seat, is_drawn: RwSignal<bool>, notices: Notices) -> AnyView {
    let result = move |()| match seat.room.get_untracked() {
        Some(room) => room.export.run(Format::Json),
        None => Box::pin(std::future::ready(Ok(None))),
    };
    let changes = move || {
        seat.desk.work.track();
        if let Some(room) = seat.room.get() {
            room.is_current.track();
        }
    };
    let source = figures::source::Source {
        kind: seat.bench.link.kind,
        result: Callback::new(result),
        changes: Signal::derive(changes),
        stem: Callback::new(move |()| stem(seat)),
        leave: Callback::new(move |leaving| leave(leaving, seat.asking, notices)),
        notices,
        close: Callback::new(move |()| {
            is_drawn.set(false);
            field::focus("export");
        }),
    };
    later("Charts and tables", move || {
        Box::pin(figures::door::figures(source))
    })
}

/// Makes a permalink; nothing personal leaves unasked.
fn share(
    seat: Seat,
    made: RwSignal<Option<Made>>,
    asking: RwSignal<Option<Asking>>,
    notices: Notices,
) {
    let within = format!("[data-testid=bench-{}]", seat.bench.name);
    let send = move |work: Work, is_masked: bool| {
        let within = within.clone();
        let encoded = link::fetch_encoded(seat.bench, work, is_masked);
        fetch(encoded, move |link| match link {
            Ok(Ok(link)) => spawn_local(copy(link, Some(within.clone()), made)),
            Ok(Err(message)) => notices.warn(format!("No link could be made: {message}.")),
            Err(NotLoaded) => notices.warn(NO_CODE),
        });
    };
    let work = seat.desk.work.get_untracked();
    made.set(None);
    let looking = link::fetch_looked(seat.bench, &[&work]);
    fetch(looking, move |looked| match looked {
        Ok(None) => send(work, false),
        Ok(Some(looked)) => asking.set(Some(Asking {
            looked,
            leaves: Leaves::Link,
            go: Callback::new(move |is_masked| send(work.clone(), is_masked)),
        })),
        Err(NotLoaded) => notices.warn(NO_CODE),
    });
}

/// A file of a result.
fn file(name: String, format: Format, text: String, notices: Notices) -> Leaving {
    let leaves = match format {
        Format::Report => Leaves::Report,
        _ => Leaves::File,
    };
    Leaving {
        is_result: format == Format::Json,
        leaves,
        ..Leaving::file(name, format.media_type(), text, notices)
    }
}

/// Lets a text go; nothing personal leaves unasked.
pub fn leave(leaving: Leaving, asking: RwSignal<Option<Asking>>, notices: Notices) {
    let looking = link::fetch_looked_file(leaving.name.clone(), &leaving.text);
    fetch(looking, move |looked| match looked {
        Ok(None) => leaving.go.run(leaving.text),
        Ok(Some(looked)) => asking.set(Some(Asking {
            looked,
            leaves: leaving.leaves,
            go: Callback::new(move |is_masked: bool| {
                let Leaving { text, go, .. } = leaving.clone();
                if !is_masked {
                    return go.run(text);
                }
                fetch(
                    link::fetch_masked(text, leaving.is_result),
                    move |masked| match masked {
                        Ok(masked) => go.run(masked),
                        Err(NotLoaded) => notices.warn(NO_CODE),
                    },
                );
            }),
        })),
        Err(NotLoaded) => notices.warn(NO_CODE),
    });
}

fn step_button(
    label: &'static str,
    hook: &'static str,
    title: &'static str,
    is_possible: Signal<bool>,
    step: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="quiet"
            data-testid=hook
            title=title
            disabled=move || !is_possible.get()
            on:click=move |_| step()
        >
            {label}
        </button>
    }
}
