//! Two runs of a bench held against each other.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::library;
use super::run::Run;
use crate::app::bench::HeldAgainst;
use crate::app::browser::download;
use crate::app::derived::live;
use crate::app::export::Format;
use crate::app::panels::table::{Cell, table};
use crate::app::shell::Shell;
use crate::share::{Entry, table_csv, table_markdown};

/// The runs that are ticked, the earlier first, and what comes of them.
#[derive(Clone, Copy)]
pub struct Comparing {
    /// Names of the runs that are ticked.
    pub ticked: RwSignal<Vec<String>>,
    /// The two, and what they differ in.
    found: RwSignal<Option<Found>>,
}

#[derive(Clone)]
struct Found {
    before: Run,
    after: Run,
    held: Result<HeldAgainst, String>,
}

impl Comparing {
    /// Nothing is ticked.
    pub fn new() -> Self {
        Self {
            ticked: RwSignal::new(Vec::new()),
            found: RwSignal::new(None),
        }
    }

    /// Ticks a run, or takes the tick away; of more than two the last two stay.
    pub fn tick(self, id: &str, is_ticked: bool) {
        self.found.set(None);
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
        pair.sort_by(|one, other| one.at.total_cmp(&other.at));
        let [before, after] = pair;
        let Some(compare) = before.bench.compare else {
            return;
        };
        spawn_local(async move {
            let works = (library::work(&before).await, library::work(&after).await);
            let (Some(one), Some(other)) = works else {
                return shell
                    .notices
                    .warn("A run could not be read: this browser has forgotten its texts.");
            };
            let Ok(held) = compare(one, other).await else {
                return shell.notices.warn(
                    "The code that compares runs could not be loaded. Try again in a while.",
                );
            };
            self.found.try_set(Some(Found {
                before,
                after,
                held,
            }));
        });
    }

    /// What is ticked, and what comes of it.
    pub fn view(self, shell: Shell, runs: Memo<Vec<Run>>) -> impl IntoView {
        let pair = Memo::new(move |_| {
            let ticked = self.ticked.get();
            let found =
                |id: &String| runs.with(|runs| runs.iter().find(|run| run.id == *id).cloned());
            ticked.iter().filter_map(found).collect::<Vec<Run>>()
        });
        let asked = move || asked(self, shell, &pair.get());
        let found = move || self.found.get().map(|found| shown(&found));
        view! {
            <div class="run-pair" data-testid="run-pair" aria-live="polite">{live(asked)}</div>
            <div data-testid="run-difference">{live(found)}</div>
        }
    }
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
        [one, ..] if one.bench.compare.is_none() => format!(
            "Runs of {} are compared on its bench: open the later one, and give the earlier transcript as its baseline.",
            one.bench.title
        ),
        [one, other, ..] => {
            let pair = [one.clone(), other.clone()];
            return Some(
                view! {
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

fn shown(found: &Found) -> AnyView {
    let Found {
        before,
        after,
        held,
    } = found;
    let title = format!("{} against {}", after.name, before.name);
    let held = match held {
        Ok(held) => held.clone(),
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
    let figures = table("What differs", held.columns, &held.rows);
    let save = move |format: Format| {
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
        // where there are no downloads the table is there to be read
        let _ = download::offer(&file, format.media_type(), &text);
    };
    let save = StoredValue::new(save);
    view! {
        <section class="run-difference">
            <h2>{title}</h2>
            <ul class="plain-list">{said}</ul>
            <p class="muted">
                "Each share is what a change of that part adds, averaged over every order in which the parts can change: together they are the difference."
            </p>
            <div class="run-table">{figures}</div>
            <p class="run-saves">
                <button type="button" data-testid="difference-csv" on:click=move |_| save.with_value(|save| save(Format::Csv))>"Save as CSV"</button>
                <button type="button" data-testid="difference-md" on:click=move |_| save.with_value(|save| save(Format::Markdown))>"Save as Markdown"</button>
            </p>
        </section>
    }
    .into_any()
}
