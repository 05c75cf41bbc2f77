//! What is kept of runs: each act of the user on it, as the browser carries it out.

use super::marks::STAMP;
use super::run::{Run, Whole, read_work};
use crate::app::bench::Benches;
use crate::app::browser::Refused;
use crate::app::browser::run_store::{self as store, Entry};
use crate::app::browser::storage;
use crate::app::browser::tasks::within;
use crate::app::desk::Work;

/// How long the browser has for an answer, in milliseconds.
const PATIENCE: u32 = 20_000;

/// What comes of it within the time that the browser has.
async fn answered<T>(asked: impl Future<Output = Result<T, Refused>>) -> Result<T, Refused> {
    within(PATIENCE, asked).await.unwrap_or(Err(Refused))
}

/// All runs, in no order; what cannot be read is passed over, and counted.
pub async fn all(benches: Benches) -> Result<(Vec<Run>, usize), Refused> {
    let heads = answered(store::heads()).await?;
    let read = |head: &String| Run::read_kept(head, benches);
    let runs: Vec<Run> = heads.iter().filter_map(read).collect();
    let unread = heads.len() - runs.len();
    Ok((runs, unread))
}

/// Keeps runs, all or none.
pub async fn keep(runs: &[Whole]) -> Result<(), Refused> {
    let entries = runs.iter().map(|Whole { run, work }| Entry {
        id: run.id.clone(),
        head: run.written(),
        // plain data with string keys cannot fail to serialise
        work: Some(serde_json::to_string(work).unwrap_or_default()),
    });
    let entries: Vec<Entry> = entries.collect();
    answered(store::put(&entries)).await.inspect(|()| tell())
}

/// Keeps what has changed of what a run is called.
pub async fn change(run: &Run) -> Result<(), Refused> {
    let entry = Entry {
        id: run.id.clone(),
        head: run.written(),
        work: None,
    };
    answered(store::put(&[entry])).await.inspect(|()| tell())
}

/// The work of a run; none where this browser has lost it.
pub async fn work(run: &Run) -> Option<Work> {
    let found = answered(store::works(std::slice::from_ref(&run.id))).await;
    found.ok()?.pop()?.as_deref().and_then(read_work)
}

/// All runs with their texts, and how many have none any more.
pub async fn wholes(runs: Vec<Run>) -> Result<(Vec<Whole>, usize), Refused> {
    let ids: Vec<String> = runs.iter().map(|run| run.id.clone()).collect();
    let works = answered(store::works(&ids)).await?;
    let number = runs.len();
    let wholes = runs.into_iter().zip(works).filter_map(|(run, work)| {
        let work = read_work(work.as_deref()?)?;
        Some(Whole { run, work })
    });
    let wholes: Vec<Whole> = wholes.collect();
    let lost = number - wholes.len();
    Ok((wholes, lost))
}

/// Takes a run away.
pub async fn remove(run: &Run) -> Result<(), Refused> {
    answered(store::remove(&run.id)).await.inspect(|()| tell())
}

/// Other tabs hear of it.
fn tell() {
    // where there is no room for a number, they see it when they are opened next
    let _ = storage::write(STAMP, &format!("{:.0}", storage::clock()));
}
