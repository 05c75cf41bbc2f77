//! The page of all runs, and what keeps one from elsewhere.

use std::collections::HashSet;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::choice::{Choice, Order};
use super::comparing::Comparing;
use super::library;
use super::run::{Run, Whole, read_file, tags, written_file};
use crate::app::bench::named;
use crate::app::browser::events::is_checked;
use crate::app::browser::{download, run_store as store, storage};
use crate::app::derived::live;
use crate::app::format::{bytes, count, name};
use crate::app::notice::Act;
use crate::app::panels::example::files_button;
use crate::app::route::Page;
use crate::app::shell::{Seat, Shell};

/// Said where the browser does not keep or give what it is asked for.
const REFUSED: &str = "This browser does not keep runs: it has no room for them, or does not allow it. An exported file or a link keeps them elsewhere.";

/// What is known of the runs.
#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// They are being fetched.
    Coming,
    /// The browser does not give them.
    Refused,
    /// Those that can be read, and how many cannot.
    There(Arc<[Run]>, usize),
}

impl Known {
    /// Those that are there.
    fn runs(&self) -> &[Run] {
        match self {
            Self::There(runs, _) => runs,
            Self::Coming | Self::Refused => &[],
        }
    }

    /// How many cannot be read.
    const fn unread(&self) -> usize {
        match self {
            Self::There(_, unread) => *unread,
            Self::Coming | Self::Refused => 0,
        }
    }

    /// The same without the runs.
    fn bare(&self) -> Self {
        match self {
            Self::There(..) => Self::There(Arc::default(), 0),
            other => other.clone(),
        }
    }
}

/// Says what went wrong, and shows what there is now.
fn settled<T, E>(shell: Shell, done: &Result<T, E>) {
    if done.is_err() {
        shell.notices.warn(REFUSED);
    }
    shell.runs.notify();
}

/// Keeps what is on a bench, unless that is kept already.
pub(super) fn keep_work(shell: Shell, seat: Seat) {
    let work = seat.desk.work.get_untracked();
    let Some((verdict, topic)) = untrack(|| seat.said()) else {
        return shell
            .notices
            .warn("There is no verdict of what is here now, so there is no run to keep.");
    };
    let called = topic.map_or_else(|| seat.bench.title.to_owned(), |topic| name(&topic));
    let room = seat.room.get_untracked();
    if !room.is_some_and(|room| room.is_current.get_untracked()) {
        return shell.notices.warn(
            "The verdict is of what was here before: the new one is being worked out. Keep it when it is there.",
        );
    }
    spawn_local(async move {
        let run = Run::of(seat.bench, &work, called, verdict, storage::clock());
        let known = library::all(shell.benches).await;
        let known = known.map(|(runs, _)| runs).unwrap_or_default();
        if let Some(same) = known.iter().find(|known| known.is_same(&run)) {
            let words = format!("This run is kept already, as {}.", same.name);
            return shell.notices.say(words);
        }
        let name = free_name(&run.name, &known);
        let words = format!("Kept as {name}.");
        let run = Run { name, ..run };
        let kept = library::keep(&[Whole { run, work }]).await;
        settled(shell, &kept);
        if kept.is_ok() {
            let show = Act::new("Show all runs", move || shell.go(Page::Runs));
            shell.notices.offer(words, show);
            // what somebody keeps is worth asking for
            let _ = store::ask_to_last().await;
        }
    });
}

/// A name that no run has yet.
fn free_name(name: &str, known: &[Run]) -> String {
    let is_free = |name: &String| known.iter().all(|run| run.name != *name);
    let mut numbers = 2..;
    let mut free = name.to_owned();
    while !is_free(&free) {
        // there are more numbers than runs
        let Some(number) = numbers.next() else { break };
        free = format!("{name} ({number})");
    }
    free
}

/// Takes the runs of a file; those that are there already stay as they are.
pub(super) fn take_runs(shell: Shell, text: &str) {
    let Some((runs, unread)) = read_file(text, shell.benches) else {
        return shell
            .notices
            .warn("This says that it is a file of runs, and has none that can be read.");
    };
    spawn_local(async move {
        // without knowing what is there, what is taken might be put in its place
        let Ok((known, _)) = library::all(shell.benches).await else {
            return shell.notices.warn(REFUSED);
        };
        let number = runs.len();
        let new = beside(&known, runs, &storage::tab());
        let kept = library::keep(&new).await;
        settled(shell, &kept);
        if kept.is_ok() {
            let there = number - new.len();
            shell.notices.say(taken_words(new.len(), there, unread));
            shell.go(Page::Runs);
        }
    });
}

/// The runs of a file that are not among the known ones, each with an id that neither those nor the
/// others have; `tab` is a name that no other tab has.
fn beside(known: &[Run], runs: Vec<Whole>, tab: &str) -> Vec<Whole> {
    let mut ids: HashSet<String> = known.iter().map(|known| known.id.clone()).collect();
    let is_there = |run: &Run| {
        let mut known = known.iter();
        known.any(|known| known.is_same(run) && known.name == run.name)
    };
    let runs = runs.into_iter().filter(|whole| !is_there(&whole.run));
    runs.map(|mut whole| {
        let id = whole.run.id.clone();
        let mut numbers = 2..;
        while !ids.insert(whole.run.id.clone()) {
            let number: u64 = numbers.next().unwrap_or_default();
            whole.run.id = format!("{id}-{tab}-{number}");
        }
        whole
    })
    .collect()
}

/// What came of a file of runs.
fn taken_words(new: usize, there: usize, unread: usize) -> String {
    let taken = format!("{} taken from the file.", count(new, "run"));
    let there = (there > 0).then(|| format!("{there} of it were there already."));
    let unread = (unread > 0).then(|| format!("{unread} could not be read."));
    let all = [Some(taken), there, unread].into_iter().flatten();
    all.collect::<Vec<_>>().join(" ")
}

/// All runs.
#[component]
pub fn RunsPage(shell: Shell) -> impl IntoView {
    let known = RwSignal::new(Known::Coming);
    Effect::new(move || {
        shell.runs.track();
        spawn_local(async move {
            let found = match library::all(shell.benches).await {
                Ok((runs, unread)) => Known::There(runs.into(), unread),
                Err(_) => Known::Refused,
            };
            // the page may have been left meanwhile
            known.try_set(found);
        });
    });
    let choice = RwSignal::new(Choice::default());
    let comparing = Comparing::new();
    let chosen =
        Memo::new(move |_| choice.with(|choice| known.with(|known| choice.of(known.runs()))));
    let save = move |_| save_all(shell, known.with_untracked(|known| known.runs().to_vec()));
    let all = Memo::new(move |_| known.with(|known| known.runs().len()));
    let unread = Memo::new(move |_| known.with(Known::unread));
    let is_empty = Memo::new(move |_| all.get() == 0);
    // what is typed in a row stays for as long as there are runs
    let state = Memo::new(move |_| known.with(Known::bare));
    let body = move || {
        let is_empty = is_empty.get();
        state.with(|state| match state {
            Known::Coming => view! { <p class="muted loading">"Fetching the runs …"</p> }.into_any(),
            Known::Refused => view! { <p role="alert">{REFUSED}</p> }.into_any(),
            Known::There(..) if is_empty => view! {
                <p class="muted" data-testid="no-runs">
                    "No run is kept yet. On a bench with a verdict, \u{201c}Keep\u{201d} puts it here."
                </p>
            }
            .into_any(),
            Known::There(..) => listed(shell, choice, (chosen, comparing), all).into_any(),
        })
    };
    view! {
        <div class="runs" data-testid="runs">
            <header class="bench-head">
                <div>
                    <h1>"Runs"</h1>
                    <p>"Verdicts that are worth it, each with all that it was made of. They stay in this browser."</p>
                </div>
                <div class="tools">
                    <button type="button" data-testid="save-runs" disabled=is_empty on:click=save>
                        "Save all as a file"
                    </button>
                    {files_button(Callback::new(move |files| shell.take_files(files)))}
                </div>
            </header>
            {lasting()}
            {live(move || unread_words(unread.get()))}
            {live(body)}
            {comparing.outcome(shell)}
        </div>
    }
}

/// Whether the browser may take runs away by itself, and the way to ask it not to.
fn lasting() -> impl IntoView {
    let is_lasting = RwSignal::new(None::<bool>);
    let was_refused = RwSignal::new(false);
    spawn_local(async move {
        let told = store::is_lasting().await;
        is_lasting.try_set(told);
    });
    let ask = move |_| {
        spawn_local(async move {
            let told = store::ask_to_last().await;
            was_refused.try_set(told != Some(true));
            is_lasting.try_set(told);
        });
    };
    let said = move || {
        (is_lasting.get() == Some(false)).then(|| {
            let more = was_refused.get().then_some(
                " It did not agree to it: some do when a page is bookmarked or installed.",
            );
            view! {
                <p class="muted" data-testid="lasting">
                    "This browser may forget runs when its disk is full. A file keeps them elsewhere."{more}" "
                    <button type="button" class="quiet" on:click=ask>"Ask it to keep them"</button>
                </p>
            }
        })
    };
    view! { <div aria-live="polite">{live(said)}</div> }
}

fn save_all(shell: Shell, runs: Vec<Run>) {
    spawn_local(async move {
        let Ok((wholes, lost)) = library::wholes(runs).await else {
            return shell.notices.warn(REFUSED);
        };
        let file = format!("assay-runs-{}.json", storage::today());
        let given = download::offer(&file, "application/json", &written_file(&wholes));
        if given.is_err() {
            shell.notices.warn("This browser offers no downloads.");
        } else if lost > 0 {
            let words = format!(
                "{} had no texts any more and are not in the file.",
                count(lost, "run")
            );
            shell.notices.warn(words);
        } else {
            shell
                .notices
                .say("Saved. Drop or paste the file on this page to take its runs.");
        }
    });
}

/// The fields that choose, and the runs that are chosen.
fn listed(
    shell: Shell,
    choice: RwSignal<Choice>,
    (chosen, comparing): (Memo<Vec<Run>>, Comparing),
    all: Memo<usize>,
) -> impl IntoView {
    let bench = move |event| {
        let value = event_target_value(&event);
        choice.update(|choice| choice.bench = named(shell.benches, &value));
    };
    let order = move |event| {
        let value = event_target_value(&event);
        let found = Order::ALL.into_iter().find(|(_, key, _)| *key == value);
        choice
            .update(|choice| choice.order = found.map_or_else(Order::default, |(order, ..)| order));
    };
    let find = move |event| {
        let words = event_target_value(&event);
        choice.update(|choice| choice.words = words);
    };
    let benches = shell.benches.iter();
    let benches = benches.map(|bench| view! { <option value=bench.name>{bench.title}</option> });
    let orders = Order::ALL.map(|(_, key, words)| view! { <option value=key>{words}</option> });
    let counted = move || match (chosen.with(Vec::len), all.get()) {
        (shown, all) if shown == all => count(all, "run"),
        (shown, all) => format!("{shown} of {}", count(all, "run")),
    };
    // a row that is changed stays the same row
    let rows = move || chosen.get();
    view! {
        <div class="turn-tools">
            <input type="text" aria-label="Find in runs" placeholder="Find by name, verdict, tag" data-testid="run-find" prop:value=move || choice.with(|choice| choice.words.clone()) on:input=find />
            <select aria-label="Bench" data-testid="run-bench" on:change=bench>
                <option value="">"All benches"</option>
                {benches.collect_view()}
            </select>
            <select aria-label="Order" data-testid="run-order" on:change=order>{orders}</select>
            <span class="muted" role="status" data-testid="run-count">{live(counted)}</span>
        </div>
        <ul class="run-list">
            <For each=rows key=|run| run.id.clone() let:run>
                {row(shell, comparing, chosen, &run)}
            </For>
        </ul>
        {comparing.view(shell, chosen)}
    }
}

/// What is said of runs that are of another version.
fn unread_words(unread: usize) -> Option<AnyView> {
    (unread > 0).then(|| {
        let words = format!(
            "{} cannot be read: they are of another version of this page, and stay where they are.",
            count(unread, "run")
        );
        view! { <p class="muted">{words}</p> }.into_any()
    })
}

/// Bench, time, weights and size of a run.
fn about(run: &Run) -> String {
    format!(
        "{} · {} · {} · {}",
        run.bench.title,
        storage::local_time(run.at),
        run.weights(),
        bytes(run.size as f64)
    )
}

/// A run as it is now; as it was, once it is gone.
fn followed(runs: Memo<Vec<Run>>, first: Run) -> Memo<Run> {
    Memo::new(move |_| {
        let found = runs.with(|runs| runs.iter().find(|run| run.id == first.id).cloned());
        found.unwrap_or_else(|| first.clone())
    })
}

/// A run: what it is, and what can be done with it.
fn row(
    shell: Shell,
    comparing: Comparing,
    runs: Memo<Vec<Run>>,
    run: &Run,
) -> impl IntoView + use<> {
    let held = StoredValue::new(run.clone());
    let now = followed(runs, run.clone());
    Effect::new(move |_| held.set_value(now.get()));
    let about = about(run);
    let rename = move |event| {
        let typed = event_target_value(&event);
        let typed = typed.trim();
        let mut run = held.get_value();
        if !typed.is_empty() && typed != run.name {
            typed.clone_into(&mut run.name);
            // tags may follow before the list is there anew
            held.set_value(run.clone());
            change(shell, run);
        }
    };
    let retag = move |event| {
        let run = held.get_value();
        let tags = tags(&event_target_value(&event));
        if tags != run.tags {
            let run = Run { tags, ..run };
            held.set_value(run.clone());
            change(shell, run);
        }
    };
    let act = |label: &'static str, hook: &'static str, act: fn(Shell, Run)| {
        let title = move || now.with(|run| format!("{label} {}", run.name));
        view! {
            <button type="button" class="quiet" data-testid=hook aria-label=title on:click=move |_| act(shell, held.get_value())>
                {label}
            </button>
        }
    };
    let id = run.id.clone();
    let is_ticked = move || {
        let id = held.with_value(|run| run.id.clone());
        comparing.ticked.with(|ticked| ticked.contains(&id))
    };
    let tick = move |event| comparing.tick(&id, is_checked(&event));
    let acts = [
        act("Open", "run-open", open),
        act("Duplicate", "run-copy", duplicate),
        act("Delete", "run-delete", delete),
    ];
    view! {
        <li class="run" data-testid="run">
            <input type="text" class="plain run-name" aria-label="Name" prop:value=move || now.with(|run| run.name.clone()) on:change=rename />
            <strong class="run-verdict">{run.verdict.clone()}</strong>
            <span class="muted run-about">{about}" · "<code title="SHA-256 of its texts">{run.input_sha256[..12.min(run.input_sha256.len())].to_owned()}</code></span>
            <input type="text" class="plain run-tags" aria-label=move || now.with(|run| format!("Tags of {}", run.name)) placeholder="tags, with commas" prop:value=move || now.with(|run| run.tags.join(", ")) on:change=retag />
            <span class="run-acts">
                <label class="check">
                    <input type="checkbox" data-testid="run-tick" prop:checked=is_ticked on:change=tick />
                    "Compare"<span class="visually-hidden">{live(move || now.with(|run| format!(" {}", run.name)))}</span>
                </label>
                {acts}
            </span>
        </li>
    }
}

fn change(shell: Shell, run: Run) {
    spawn_local(async move { settled(shell, &library::change(&run).await) });
}

/// Opens a run on its bench.
fn open(shell: Shell, run: Run) {
    spawn_local(async move {
        match library::work(&run).await {
            Some(work) => shell.open(run.bench, work),
            None => shell
                .notices
                .warn("This run could not be read: this browser has forgotten its texts."),
        }
    });
}

/// Puts a second one beside a run.
fn duplicate(shell: Shell, run: Run) {
    spawn_local(async move {
        let known = library::all(shell.benches).await;
        let known = known.map(|(runs, _)| runs).unwrap_or_default();
        let Some(work) = library::work(&run).await else {
            return shell.notices.warn(REFUSED);
        };
        let name = free_name(&run.name, &known);
        let at = storage::clock();
        let id = Run::of(run.bench, &work, String::new(), String::new(), at).id;
        let run = Run {
            id,
            name,
            at,
            ..run
        };
        settled(shell, &library::keep(&[Whole { run, work }]).await);
    });
}

/// Takes a run away; it can be had back as long as the notice stands.
fn delete(shell: Shell, run: Run) {
    spawn_local(async move {
        let work = library::work(&run).await;
        let gone = library::remove(&run).await;
        settled(shell, &gone);
        if gone.is_err() {
            return;
        }
        // of two of one name each has its notice
        let at = storage::local_time(run.at);
        let words = format!("Deleted: {} of {at}.", run.name);
        let Some(work) = work else {
            return shell.notices.say(words);
        };
        let whole = Whole { run, work };
        let back = move || {
            let whole = whole.clone();
            spawn_local(async move { settled(shell, &library::keep(&[whole]).await) });
        };
        shell.notices.offer(words, Act::new("Undo", back));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;
    use crate::app::desk::Work;

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let bench = named(BENCHES, "toy").expect("a bench");
        let run = |name: &str| Run::of(bench, &Work::default(), name.into(), String::new(), 0.0);
        let known = [run("a"), run("a (2)"), run("b (2)")];
        assert_eq!(free_name("a", &known), "a (3)");
        assert_eq!(free_name("b", &known), "b");
    }

    #[test]
    fn a_run_of_a_file_never_takes_the_place_of_one_that_is_kept() {
        let bench = named(BENCHES, "toy").expect("a bench");
        let whole = |name: &str, text: &str| {
            let work = Work::of("poem", text);
            let run = Run::of(bench, &work, name.into(), String::new(), 0.0);
            Whole { run, work }
        };
        // the first was renamed after it was saved; the second is as it was
        let known = [whole("renamed", "x").run, whole("b", "y").run];
        let taken = beside(
            &known,
            vec![whole("a", "x"), whole("b", "y"), whole("c", "x")],
            "tab",
        );
        let names: Vec<&str> = taken.iter().map(|whole| whole.run.name.as_str()).collect();
        assert_eq!(names, ["a", "c"]);
        let ids = known.iter().chain(taken.iter().map(|whole| &whole.run));
        let ids: HashSet<&str> = ids.map(|run| run.id.as_str()).collect();
        assert_eq!(ids.len(), 4, "{ids:?}");
    }

    #[test]
    fn what_came_of_a_file_is_said() {
        assert_eq!(taken_words(1, 0, 0), "1 run taken from the file.");
        let words = "2 runs taken from the file. 3 of it were there already. 1 could not be read.";
        assert_eq!(taken_words(2, 3, 1), words);
    }
}
