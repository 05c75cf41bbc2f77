//! Two runs of a bench held against each other.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::library;
use super::run::Run;
use crate::app::bench::{Bench, Compare, HeldAgainst, Leaves, Leaving};
use crate::app::derived::live;
use crate::app::desk::Work;
use crate::app::export::Format;
use crate::app::link::{fetch_encoded, fetch_looked};
use crate::app::panels::table::{Cell, table};
use crate::app::parts::{NotLoaded, fetch};
use crate::app::shell::Shell;
use crate::app::shell::frame::leave;
use crate::app::shell::private::{Asking, question};
use crate::app::shell::shared::{Made, copy, shared};
use crate::share::{COMPARE, Entry, table_csv, table_markdown};

/// Said where the code of what was asked for did not come.
const NO_CODE: &str = "The code that makes links could not be loaded. Try again in a while.";

/// So many rows of a comparison are shown.
const MOST_ROWS: usize = 500;

/// The runs that are ticked, the earlier first, and what comes of them.
#[derive(Clone, Copy)]
pub struct Comparing {
    /// Names of the runs that are ticked.
    pub ticked: RwSignal<Vec<String>>,
    /// The two, and what they differ in.
    found: RwSignal<Option<Found>>,
    /// The link that was made of them.
    made: RwSignal<Option<Made>>,
    /// What is asked about personal data in what is about to leave.
    asking: RwSignal<Option<Asking>>,
}

#[derive(Clone)]
struct Found {
    bench: &'static Bench,
    /// What the two are called, the earlier first.
    names: [String; 2],
    works: [Work; 2],
    held: Result<HeldAgainst, String>,
}

impl Comparing {
    /// Nothing is ticked.
    pub fn new() -> Self {
        Self {
            ticked: RwSignal::new(Vec::new()),
            found: RwSignal::new(None),
            made: RwSignal::new(None),
            asking: RwSignal::new(None),
        }
    }

    /// What is shown from now on; what was made of another comparison goes.
    fn show(self, found: Option<Found>) {
        self.made.try_set(None);
        self.asking.try_set(None);
        self.found.try_set(found);
    }

    /// Ticks a run, or takes the tick away; of more than two the last two stay.
    pub fn tick(self, id: &str, is_ticked: bool) {
        self.show(None);
        self.ticked.update(|ticked| {
            ticked.retain(|other| other != id);
            if is_ticked {
                ticked.push(id.to_owned());
                if ticked.len() > 2 {
                    ticked.remove(0);
                }
            }
        });
    }

    /// Holds the two against each other, the later against the earlier.
    fn compare(self, shell: Shell, mut pair: [Run; 2]) {
        shell.pair.set(None);
        pair.sort_by(|one, other| one.at.total_cmp(&other.at));
        let [before, after] = pair;
        spawn_local(async move {
            let works = (library::work(&before).await, library::work(&after).await);
            let (Some(one), Some(other)) = works else {
                return shell
                    .notices
                    .warn("A run could not be read: this browser has forgotten its texts.");
            };
            if is_on_bench(before.bench) {
                return shell.show_pair(before.bench, [one, other]);
            }
            self.hold(shell, before.bench, [before.name, after.name], [one, other])
                .await;
        });
    }

    async fn hold(self, shell: Shell, bench: &'static Bench, names: [String; 2], works: [Work; 2]) {
        let Compare::Apart(compare) = bench.compare else {
            return;
        };
        let [one, other] = works.clone();
        let Ok(held) = compare(one, other).await else {
            return shell
                .notices
                .warn("The code that compares runs could not be loaded. Try again in a while.");
        };
        self.show(Some(Found {
            bench,
            names,
            works,
            held,
        }));
    }

    /// Takes the two works of a link.
    fn take(self, shell: Shell) {
        Effect::new(move |_| {
            // it stays: the page may be drawn once more before this one has come
            let Some((bench, works)) = shell.pair.get() else {
                return;
            };
            let names = ["the earlier run of the link", "The later run"].map(str::to_owned);
            spawn_local(self.hold(shell, bench, names, works));
        });
    }

    /// What is ticked, and what can be done with it.
    pub fn view(self, shell: Shell, runs: Memo<Vec<Run>>) -> impl IntoView {
        let pair = Memo::new(move |_| {
            let ticked = self.ticked.get();
            let found =
                |id: &String| runs.with(|runs| runs.iter().find(|run| run.id == *id).cloned());
            ticked.iter().filter_map(found).collect::<Vec<Run>>()
        });
        let asked = move || asked(self, shell, &pair.get());
        view! { <div class="run-pair" data-testid="run-pair" aria-live="polite">{live(asked)}</div> }
    }

    /// What came of it, or of the two works of a link, which need not be kept.
    pub fn outcome(self, shell: Shell) -> impl IntoView {
        self.take(shell);
        let link = Link {
            shell,
            made: self.made,
            asking: self.asking,
        };
        let found = move || self.found.get().map(|found| shown(&found, link));
        view! { <div data-testid="run-difference">{live(found)}</div> }
    }
}

/// Whether two of its works are compared on the bench.
const fn is_on_bench(bench: &Bench) -> bool {
    matches!(bench.compare, Compare::OnBench(_))
}

/// What can be done with the runs that are ticked.
fn asked(comparing: Comparing, shell: Shell, ticked: &[Run]) -> Option<AnyView> {
    let words = match ticked {
        [] => return None,
        [one] => format!(
            "{} is ticked. Tick another run of {} to compare the two.",
            one.name, one.bench.title
        ),
        [one, other, ..] if one.bench != other.bench => {
            "These two are runs of different benches, which have nothing to compare.".to_owned()
        }
        [one, other, ..] => {
            let pair = [one.clone(), other.clone()];
            let note = is_on_bench(one.bench).then(|| {
                let bench = one.bench.title;
                view! {
                    <p class="muted">
                        "They are compared on the bench "{bench}", reply by reply: the later run opens there with the earlier one’s transcript as its baseline. Both are scored with the persona and the weights of the later run; where those of the earlier were others, it is said what of the difference they make."
                    </p>
                }
            });
            return Some(
                view! {
                    {note}
                    <button type="button" class="primary" data-testid="compare-runs" on:click=move |_| comparing.compare(shell, pair.clone())>
                        "Compare the two"
                    </button>
                }
                .into_any(),
            );
        }
    };
    Some(view! { <p class="muted">{words}</p> }.into_any())
}

/// A link that holds a comparison.
#[derive(Clone, Copy)]
struct Link {
    shell: Shell,
    made: RwSignal<Option<Made>>,
    /// What is asked about personal data in it.
    asking: RwSignal<Option<Asking>>,
}

impl Link {
    /// Makes it; nothing personal leaves unasked.
    fn share(self, bench: &'static Bench, works: &[Work; 2]) {
        let Self {
            shell,
            made,
            asking,
        } = self;
        made.set(None);
        let looking = fetch_looked(bench, &works.each_ref());
        let works = works.clone();
        let send = move |is_masked: bool| {
            let [one, other] = works.clone();
            spawn_local(async move {
                let pair = (
                    fetch_encoded(bench, one, is_masked).await,
                    fetch_encoded(bench, other, is_masked).await,
                );
                match pair {
                    (Ok(Ok(one)), Ok(Ok(other))) => {
                        copy(format!("{COMPARE}{one},{other}"), None, made).await;
                    }
                    (Ok(Err(message)), _) | (_, Ok(Err(message))) => shell
                        .notices
                        .warn(format!("No link could be made: {message}.")),
                    _ => shell.notices.warn(NO_CODE),
                }
            });
        };
        fetch(looking, move |looked| match looked {
            Ok(None) => send(false),
            Ok(Some(looked)) => asking.set(Some(Asking {
                looked,
                leaves: Leaves::Link,
                go: Callback::new(send),
            })),
            Err(NotLoaded) => shell.notices.warn(NO_CODE),
        });
    }

    /// What is asked, and the link that was made.
    fn view(self) -> impl IntoView {
        let Self { made, asking, .. } = self;
        let close = Callback::new(move |()| asking.set(None));
        let asked =
            move || asking.with(|asking| asking.as_ref().map(|asking| question(asking, close)));
        view! {
            {live(asked)}
            {live(move || made.get().map(|link| shared(link, made)))}
        }
    }
}

/// Lets the table leave as a file; nothing personal leaves unasked.
fn save(held: &HeldAgainst, link: Link, format: Format) {
    let heads: Vec<&str> = held.columns.iter().map(|column| &*column.title).collect();
    let entry = |cell: &Cell| match cell.value {
        Some(value) => Entry::Number(value),
        None => Entry::Text(cell.text.clone()),
    };
    let rows = held.rows.iter();
    let rows = rows.map(|row| row.cells.iter().map(entry).collect());
    let text = match format {
        Format::Markdown => table_markdown(&heads, rows),
        _ => table_csv(&heads, rows),
    };
    let file = format!("assay-comparison.{}", format.ending());
    let notices = link.shell.notices;
    let leaving = Leaving::file(file, format.media_type(), text, notices);
    leave(leaving, link.asking, notices);
}

fn shown(found: &Found, link: Link) -> AnyView {
    let Found {
        bench,
        names: [before, after],
        works,
        held,
    } = found.clone();
    let title = format!("{after} against {before}");
    let held = match held {
        Ok(held) => held,
        Err(reason) => {
            let words = format!("Not compared: {reason}.");
            return view! { <p role="alert">{words}</p> }.into_any();
        }
    };
    let said = held
        .said
        .iter()
        .map(|words| view! { <li>{words.clone()}</li> });
    let said = said.collect_view();
    let shown = &held.rows[..held.rows.len().min(MOST_ROWS)];
    let figures = table("What differs", held.columns, shown);
    let rest = (held.rows.len() > MOST_ROWS).then(|| {
        let words = format!(
            "The first {MOST_ROWS} of {} rows are shown; the files have all of them.",
            held.rows.len()
        );
        view! { <p class="muted">{words}</p> }
    });
    let save = move |format: Format| save(&held, link, format);
    let save = StoredValue::new(save);
    view! {
        <section class="run-difference">
            <h2>{title}</h2>
            <ul class="plain-list">{said}</ul>
            <p class="muted">
                "Each share is what a change of that part adds, averaged over every order in which the parts can change: together they are the difference."
            </p>
            <div class="run-table">{figures}</div>
            {rest}
            <p class="run-saves">
                <button type="button" class="primary" data-testid="share-difference" on:click=move |_| link.share(bench, &works)>"Share"</button>
                <button type="button" data-testid="difference-csv" on:click=move |_| save.with_value(|save| save(Format::Csv))>"Save as CSV"</button>
                <button type="button" data-testid="difference-md" on:click=move |_| save.with_value(|save| save(Format::Markdown))>"Save as Markdown"</button>
            </p>
            {link.view()}
        </section>
    }
    .into_any()
}
