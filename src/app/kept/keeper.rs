//! What a tab keeps: each work by itself, under a revision. A tab writes what it changed
//! and nothing else. Where another tab has kept something of the same bench meanwhile, it
//! leaves that alone and goes on beside it: both versions stay.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::all::Kept;
use super::record::{Recent, Record, SHORT, Stored, StoredWork, There, splice};
use super::shelf::Shelf;
use crate::app::bench::{Bench, Benches};
use crate::app::desk::Work;
use crate::document::{Node, Reader, parse_json};

/// Where all was kept by an older page.
const OLD: &str = "assay.work.1";
/// What a text that cannot be read is called from then on.
const DAMAGED: &str = "assay.damaged.";
const DESK: &str = "assay.desk.";
const RECENT: &str = "assay.recent.";
/// How many works that were put aside are kept.
const MOST_RECENT: usize = 12;

/// What a tab knows of what is kept.
#[derive(Debug)]
pub struct Keeper {
    benches: Benches,
    tab: String,
    /// Makes names that were never there.
    named: u64,
    seen: Vec<Seen>,
}

/// What a tab knows of what is kept of a bench.
#[derive(Debug, Default)]
struct Seen {
    /// The work of the record that it read or wrote last.
    base: Option<StoredWork>,
    /// The revision of that record, where it wrote it.
    rev: Option<u64>,
    /// What it last read or kept.
    kept: Option<(Work, Option<String>)>,
    /// By input: a long text that is in the drawer, with its key.
    long: BTreeMap<String, (Arc<str>, String)>,
    /// Where it goes on since another tab has the bench.
    fork: Option<String>,
    /// Where others go on since this tab has the bench, as far as that was said.
    told: Vec<String>,
}

/// What was kept when the page was opened.
#[derive(Debug, Default)]
pub struct Begun {
    /// Bench, work, and what was last said of it.
    pub desks: Vec<(&'static Bench, StoredWork, Option<String>)>,
    /// How many texts could not be read. They are kept under another name.
    pub damaged: usize,
}

/// A work made ready to be kept.
#[derive(Debug)]
pub struct Shelved {
    /// With the keys of its long texts.
    pub work: StoredWork,
    /// Long texts that have to be in the drawer first, by key.
    pub long: Vec<(String, Arc<str>)>,
}

/// What came of keeping a work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is kept; so many older works were given up for it.
    Kept(usize),
    /// Another tab has the bench: it is kept beside that for the first time.
    Forked,
    /// There is no room for it.
    NoRoom,
}

/// What another tab did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing that matters here.
    Nothing,
    /// Works that were put aside have changed.
    Recent,
    /// The same, since it goes on beside what this tab has of the bench; said once.
    Fork(&'static Bench),
    /// It has written over what this tab kept, and not seen it.
    Lost,
}

impl Keeper {
    /// What is kept of these benches. What an older page kept is taken over.
    pub fn begin(store: Shelf, benches: Benches, tab: String, now: f64) -> (Self, Begun) {
        let mut keeper = Self {
            benches,
            tab,
            named: 0,
            seen: benches.iter().map(|_| Seen::default()).collect(),
        };
        let mut begun = Begun::default();
        keeper.take_over(store, now, &mut begun);
        for bench in benches {
            let key = desk_key(bench);
            let Some(text) = (store.read)(&key) else {
                continue;
            };
            let Some(record) = record(&text) else {
                begun.damaged += usize::from(set_apart(store, &key, &text, now));
                continue;
            };
            keeper.of(bench).base = Some(record.work.clone());
            if record.work.keys().is_empty() {
                let work = record.work.work(&[]).unwrap_or_default();
                keeper.of(bench).kept = Some((work, record.headline.clone()));
            }
            begun.desks.push((bench, record.work, record.headline));
        }
        (keeper, begun)
    }

    fn take_over(&mut self, store: Shelf, now: f64, begun: &mut Begun) {
        let Some(text) = (store.read)(OLD) else {
            return;
        };
        let Some(old) = Kept::read(&text, self.benches) else {
            begun.damaged += usize::from(set_apart(store, OLD, &text, now));
            return;
        };
        let Kept {
            works,
            headlines,
            recent,
        } = old;
        // there is room once it is gone
        (store.remove)(OLD);
        let mut is_whole = true;
        for (bench, work) in works {
            if (store.read)(&desk_key(bench)).is_none() {
                let headline = headlines.iter().find(|(of, _)| *of == bench);
                let headline = headline.map(|(_, headline)| headline.clone());
                let work = StoredWork::whole(&work);
                let written = self.write_desk(store, bench, None, &work, headline);
                is_whole &= written.is_some();
            }
        }
        // the oldest first, as they were put aside
        for (index, aside) in recent.into_iter().rev().enumerate() {
            let work = StoredWork::whole(&aside.work);
            let at = now - 1_000.0 + index as f64;
            let kept = self.put_aside(store, aside.bench, aside.headline, work, at);
            is_whole &= kept.is_some();
        }
        if !is_whole {
            (store.write)(OLD, &text);
        }
    }

    fn of(&mut self, bench: &'static Bench) -> &mut Seen {
        let index = self.benches.iter().position(|other| *other == bench);
        // the benches are those that it began with
        &mut self.seen[index.unwrap_or_default()]
    }

    fn name(&mut self, now: f64) -> String {
        self.named += 1;
        format!("{now:015.0}-{}-{:04}", self.tab, self.named)
    }

    /// Takes in what the drawer has of a work that was kept; the work, if it is whole.
    pub fn arrived(
        &mut self,
        bench: &'static Bench,
        stored: &StoredWork,
        drawer: &[Option<String>],
        headline: Option<String>,
    ) -> Option<Work> {
        let work = stored.work(drawer)?;
        let seen = self.of(bench);
        let mut kept = drawer.iter().flatten();
        for (input, text) in &stored.texts {
            if let Stored::There(there) = text
                && let Some(text) = kept.next()
            {
                let long = (text.as_str().into(), there.key.clone());
                seen.long.insert(input.clone(), long);
            }
        }
        seen.kept = Some((work.clone(), headline));
        Some(work)
    }

    /// Whether this is kept already. What was last said of a work alone is kept where
    /// nothing else has happened.
    pub fn is_kept(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        work: &Work,
        headline: Option<&str>,
    ) -> bool {
        let seen = self.of(bench);
        match &seen.kept {
            Some((kept, said)) => {
                let is_said = match &seen.fork {
                    // it may have been forgotten, or have made room for others
                    Some(fork) => (store.read)(&recent_key(fork)).is_some(),
                    None => said.as_deref() == headline,
                };
                kept == work && is_said
            }
            None => is_nothing(work) && seen.base.is_none(),
        }
    }

    /// Makes a work ready to be kept: long texts get a key, or are told by what was
    /// changed in one that has a key.
    pub fn shelve(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        work: &Work,
        now: f64,
    ) -> Shelved {
        let mut shelved = Shelved {
            work: StoredWork::whole(work),
            long: Vec::new(),
        };
        for (input, text) in &work.texts {
            if text.len() <= SHORT {
                continue;
            }
            let there = self.there(store, bench, input, text).unwrap_or_else(|| {
                let key = self.name(now);
                shelved.long.push((key.clone(), text.clone()));
                There {
                    key,
                    length: text.len(),
                    splice: None,
                }
            });
            shelved
                .work
                .texts
                .insert(input.clone(), Stored::There(there));
        }
        shelved
    }

    fn there(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        input: &str,
        text: &Arc<str>,
    ) -> Option<There> {
        let (kept, key) = self.of(bench).long.get(input)?;
        // what nothing names any more may have been tidied away by any tab
        if !is_named(store, key) {
            return None;
        }
        let splice = if Arc::ptr_eq(kept, text) {
            None
        } else {
            Some(splice(kept, text)).filter(|(from, to, with)| from < to || !with.is_empty())
        };
        let is_short = splice
            .as_ref()
            .is_none_or(|(_, _, with)| with.len() <= SHORT);
        is_short.then(|| There {
            key: key.clone(),
            length: text.len(),
            splice,
        })
    }

    /// Remembers that long texts are in the drawer.
    pub fn drawn(
        &mut self,
        bench: &'static Bench,
        stored: &StoredWork,
        long: &[(String, Arc<str>)],
    ) {
        for (input, text) in &stored.texts {
            let Stored::There(there) = text else {
                continue;
            };
            if let Some((key, text)) = long.iter().find(|(key, _)| *key == there.key) {
                let long = (text.clone(), key.clone());
                self.of(bench).long.insert(input.clone(), long);
            }
        }
    }

    /// Keeps a work that was made ready.
    pub fn keep(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        work: &Work,
        headline: Option<String>,
        stored: StoredWork,
        now: f64,
    ) -> Outcome {
        let is_said_alone = (self.of(bench).kept.as_ref()).is_some_and(|(kept, _)| kept == work);
        let found = kept_of(store, bench);
        // another tab may have kept the very same
        let is_ours = found.as_ref().is_none_or(|found| {
            self.of(bench).base.as_ref() == Some(&found.work) || found.work == stored
        });
        let was_forked = self.of(bench).fork.is_some();
        let outcome = if is_ours && !was_forked {
            let written = if is_nothing(work) {
                (store.remove)(&desk_key(bench));
                (self.of(bench).base, self.of(bench).rev) = (None, None);
                Some(0)
            } else {
                self.write_desk(store, bench, found, &stored, headline.clone())
            };
            written.map_or(Outcome::NoRoom, Outcome::Kept)
        } else if !was_forked && (is_said_alone || is_nothing(work)) {
            // nothing of its own
            Outcome::Kept(0)
        } else {
            let said = headline.clone().unwrap_or_else(|| "Not scored".to_owned());
            let id = self.of(bench).fork.clone();
            let id = id.unwrap_or_else(|| self.name(now));
            let recent = Recent {
                id: id.clone(),
                bench,
                headline: said,
                fork: Some(self.tab.clone()),
                work: stored,
            };
            match make_room(store, &recent_key(&id), &json(&recent)) {
                Some(_) if was_forked => Outcome::Kept(0),
                Some(_) => {
                    self.of(bench).fork = Some(id);
                    bound(store);
                    Outcome::Forked
                }
                None => Outcome::NoRoom,
            }
        };
        // also where there is no room: it is said once, and tried again when something changes
        self.of(bench).kept = Some((work.clone(), headline));
        outcome
    }

    /// Forgets what it has kept: all is to be kept again.
    pub fn forget(&mut self) {
        self.seen.fill_with(Seen::default);
    }

    /// Forgets that it has kept the work of a bench: it is to be kept again.
    pub fn unkeep(&mut self, bench: &'static Bench) {
        self.of(bench).kept = None;
    }

    /// Starts anew on a bench whose work was put aside: what follows is the bench's again,
    /// if no other tab has it.
    pub fn turn_over(&mut self, bench: &'static Bench) {
        self.of(bench).fork = None;
    }

    fn write_desk(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        found: Option<Record>,
        work: &StoredWork,
        headline: Option<String>,
    ) -> Option<usize> {
        let (rev, by) = match found {
            // what is said of a work does not make it another's
            Some(same) if same.work == *work => (same.rev, same.by),
            Some(other) => (other.rev + 1, self.tab.clone()),
            None => (1, self.tab.clone()),
        };
        let record = Record {
            rev,
            by,
            headline,
            work: work.clone(),
        };
        let dropped = make_room(store, &desk_key(bench), &json(&record))?;
        let seen = self.of(bench);
        (seen.base, seen.rev) = (Some(record.work), Some(rev));
        Some(dropped)
    }

    /// Puts a work aside that is ready to be kept; the same work is there once. How many
    /// older ones were given up for it; none where there is no room for it.
    pub fn put_aside(
        &mut self,
        store: Shelf,
        bench: &'static Bench,
        headline: String,
        work: StoredWork,
        now: f64,
    ) -> Option<usize> {
        let id = self.name(now);
        let same = recents(store, self.benches).into_iter();
        for other in same.filter(|other| other.bench == bench && other.work == work) {
            (store.remove)(&recent_key(&other.id));
        }
        let recent = Recent {
            id: id.clone(),
            bench,
            headline,
            fork: None,
            work,
        };
        let given_up = make_room(store, &recent_key(&id), &json(&recent));
        bound(store);
        given_up
    }

    /// What another tab did under a key.
    pub fn heard(&mut self, store: Shelf, key: &str) -> Heard {
        if let Some(id) = key.strip_prefix(RECENT) {
            let text = (store.read)(key);
            let recent = text.and_then(|text| recent(id, &text, self.benches));
            let fork = recent.filter(|recent| {
                let is_others = recent.fork.as_ref().is_some_and(|tab| *tab != self.tab);
                let there = kept_of(store, recent.bench).map(|record| record.work);
                let seen = self.of(recent.bench);
                is_others
                    && there.is_some()
                    && there == seen.base
                    && !seen.told.contains(&recent.id)
            });
            if let Some(Recent { id, bench, .. }) = fork {
                self.of(bench).told.push(id);
                return Heard::Fork(bench);
            }
            return Heard::Recent;
        }
        let benches = self.benches.iter();
        for bench in benches {
            if desk_key(bench) == key {
                let found = kept_of(store, bench);
                let seen = self.of(bench);
                // both wrote at once: a revision that stands twice was never seen by the other
                let is_lost = found.is_some_and(|found| {
                    seen.rev.is_some_and(|rev| found.rev <= rev)
                        && seen.base.as_ref() != Some(&found.work)
                });
                if is_lost {
                    seen.kept = None;
                    return Heard::Lost;
                }
            }
        }
        Heard::Nothing
    }
}

/// Whether there is nothing worth keeping.
fn is_nothing(work: &Work) -> bool {
    work.is_blank() && work.settings.is_empty()
}

fn desk_key(bench: &Bench) -> String {
    format!("{DESK}{}", bench.name)
}

/// The key of a work that was put aside.
pub fn recent_key(id: &str) -> String {
    format!("{RECENT}{id}")
}

fn json(value: &impl Serialize) -> String {
    // plain data with string keys cannot fail to serialise
    serde_json::to_string(value).unwrap_or_default()
}

fn node(text: &str) -> Option<Node> {
    parse_json(text).ok()
}

fn record(text: &str) -> Option<Record> {
    Record::read(&Reader::new(&node(text)?))
}

/// What is kept of a bench.
fn kept_of(store: Shelf, bench: &Bench) -> Option<Record> {
    record(&(store.read)(&desk_key(bench))?)
}

fn recent(id: &str, text: &str, benches: Benches) -> Option<Recent> {
    Recent::read(id, &Reader::new(&node(text)?), benches)
}

/// Keeps a text that cannot be read under another name; says whether there was room for it.
fn set_apart(store: Shelf, key: &str, text: &str, now: f64) -> bool {
    (store.remove)(key);
    let is_apart = (store.write)(&format!("{DAMAGED}{now:.0}.{key}"), text);
    if !is_apart {
        (store.write)(key, text);
    }
    is_apart
}

/// Names of what was put aside, the newest first.
fn ids(store: Shelf) -> Vec<String> {
    let keys = (store.keys)().into_iter();
    let mut ids: Vec<String> = keys
        .filter_map(|key| key.strip_prefix(RECENT).map(str::to_owned))
        .collect();
    crate::text::sort_by(&mut ids, |a, b| b.cmp(a));
    ids
}

/// Works that were put aside, the newest first.
pub fn recents(store: Shelf, benches: Benches) -> Vec<Recent> {
    let ids = ids(store).into_iter();
    ids.filter_map(|id| recent(&id, &(store.read)(&recent_key(&id))?, benches))
        .collect()
}

/// Forgets all that was put aside.
pub fn forget_recents(store: Shelf) {
    for id in ids(store) {
        (store.remove)(&recent_key(&id));
    }
}

/// Whether anything that is kept names a key of the drawer.
fn is_named(store: Shelf, key: &str) -> bool {
    let kept = (store.keys)().into_iter();
    let mut kept = kept.filter(|kept| kept.starts_with(DESK) || kept.starts_with(RECENT));
    kept.any(|kept| (store.read)(&kept).is_some_and(|text| text.contains(key)))
}

/// All keys of the drawer that something needs.
pub fn needed(store: Shelf, benches: Benches) -> Vec<String> {
    let desks = benches.iter().filter_map(|bench| kept_of(store, bench));
    let desks = desks.flat_map(|record| record.work.keys());
    let recents = recents(store, benches).into_iter();
    desks
        .chain(recents.flat_map(|recent| recent.work.keys()))
        .collect()
}

/// The oldest go when there are too many.
fn bound(store: Shelf) {
    for id in ids(store).into_iter().skip(MOST_RECENT) {
        (store.remove)(&recent_key(&id));
    }
}

/// Writes; where there is no room, works that were put aside are given up for it, the
/// oldest first. How many that were; none where there is no room without them either.
fn make_room(store: Shelf, key: &str, text: &str) -> Option<usize> {
    if (store.write)(key, text) {
        return Some(0);
    }
    let old: Vec<_> = ids(store)
        .into_iter()
        .rev()
        .map(|id| recent_key(&id))
        .filter(|other| other != key)
        .filter_map(|key| Some(((store.read)(&key)?, key)))
        .collect();
    for (count, (_, given_up)) in old.iter().enumerate() {
        (store.remove)(given_up);
        if (store.write)(key, text) {
            return Some(count + 1);
        }
    }
    // it is too large even so
    for (text, key) in &old {
        (store.write)(key, text);
    }
    None
}

#[cfg(test)]
mod tests;
