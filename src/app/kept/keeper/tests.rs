use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::app::benches::BENCHES;

thread_local! {
    static KEPT: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
    static ROOM: Cell<usize> = const { Cell::new(usize::MAX) };
}

const SHELF: Shelf = Shelf {
    read: |key| KEPT.with_borrow(|kept| kept.get(key).cloned()),
    write: |key, text| {
        KEPT.with_borrow_mut(|kept| {
            let others = kept.iter().filter(|(other, _)| *other != key);
            let used: usize = others.map(|(_, text)| text.len()).sum();
            let fits = used + text.len() <= ROOM.get();
            if fits {
                kept.insert(key.to_owned(), text.to_owned());
            }
            fits
        })
    },
    remove: |key| {
        KEPT.with_borrow_mut(|kept| kept.remove(key));
    },
    keys: || KEPT.with_borrow(|kept| kept.keys().cloned().collect()),
};

fn fresh() {
    KEPT.with_borrow_mut(BTreeMap::clear);
    ROOM.set(usize::MAX);
}

/// A tab, with what it shows of the first bench.
struct Tab {
    keeper: Keeper,
    work: Work,
}

impl Tab {
    fn open(name: &str) -> Self {
        let (mut keeper, begun) = Keeper::begin(SHELF, BENCHES, name.to_owned(), 0.0);
        let desk = begun
            .desks
            .into_iter()
            .find(|(bench, ..)| *bench == BENCHES[0]);
        let work = desk.and_then(|(bench, stored, headline)| {
            let drawer: Vec<_> = stored.keys().iter().map(|key| drawer(key)).collect();
            keeper.arrived(bench, &stored, &drawer, headline)
        });
        Self {
            keeper,
            work: work.unwrap_or_default(),
        }
    }

    fn keep(&mut self) -> Outcome {
        self.keep_as(None)
    }

    fn keep_as(&mut self, headline: Option<&str>) -> Outcome {
        if self.keeper.is_kept(SHELF, BENCHES[0], &self.work, headline) {
            return Outcome::Kept(0);
        }
        let work = self.shelve(1.0);
        let headline = headline.map(str::to_owned);
        self.keeper
            .keep(SHELF, BENCHES[0], &self.work, headline, work, 1.0)
    }

    /// The work as it is kept, with its long texts in the drawer.
    fn shelve(&mut self, now: f64) -> StoredWork {
        let Shelved { work, long } = self.keeper.shelve(SHELF, BENCHES[0], &self.work, now);
        for (key, text) in &long {
            (SHELF.write)(&format!("drawer.{key}"), text);
        }
        self.keeper.drawn(BENCHES[0], &work, &long);
        work
    }

    fn replace(&mut self, text: &str) {
        if !self.work.is_blank() {
            let work = self.shelve(2.0);
            let said = String::new();
            let put_aside = self.keeper.put_aside(SHELF, BENCHES[0], said, work, 2.0);
            assert!(put_aside.is_some());
        }
        self.keeper.turn_over(BENCHES[0]);
        self.work = Work::of("debate", text);
    }
}

/// Forgets what nothing names, as if it had been there for long.
fn tidy() {
    let needed = needed(SHELF, BENCHES);
    for key in (SHELF.keys)() {
        let name = key.strip_prefix("drawer.");
        if name.is_some_and(|name| !needed.iter().any(|needed| needed == name)) {
            (SHELF.remove)(&key);
        }
    }
}

fn drawer(key: &str) -> Option<String> {
    (SHELF.read)(&format!("drawer.{key}"))
}

/// All texts of the first bench that somebody would find: on the bench, or put aside.
fn found() -> Vec<String> {
    let desk = (SHELF.read)(&desk_key(BENCHES[0])).and_then(|text| record(&text));
    let desk = desk.map(|record| record.work);
    let recents = recents(SHELF, BENCHES)
        .into_iter()
        .map(|recent| recent.work);
    let works = desk.into_iter().chain(recents);
    works
        .map(|stored| {
            let drawer: Vec<_> = stored.keys().iter().map(|key| drawer(key)).collect();
            stored
                .work(&drawer)
                .expect("whole")
                .text("debate")
                .to_owned()
        })
        .collect()
}

/// Two tabs on what the first has kept.
fn pair(text: &str) -> [Tab; 2] {
    fresh();
    let mut first = Tab::open("a");
    first.work = Work::of("debate", text);
    first.keep();
    [first, Tab::open("b")]
}

#[test]
fn a_tab_that_was_left_alone_writes_nothing() {
    let [mut first, mut second] = pair("1");
    first.work = Work::of("debate", "an hour of work");
    first.keep();
    // it closes, having said something of what it shows
    assert_eq!(second.keep(), Outcome::Kept(0));
    assert_eq!(second.keep_as(Some("A wins")), Outcome::Kept(0));
    assert_eq!(found(), ["an hour of work"]);
    assert_eq!(first.keep_as(Some("B wins")), Outcome::Kept(0));
}

#[test]
fn two_tabs_that_change_the_same_keep_both() {
    let [mut first, mut second] = pair("1");
    second.work = Work::of("debate", "2");
    assert_eq!(second.keep(), Outcome::Kept(0));
    first.work = Work::of("debate", "3");
    assert_eq!(first.keep(), Outcome::Forked);
    first.work = Work::of("debate", "4");
    assert_eq!(first.keep(), Outcome::Kept(0), "it goes on beside");
    second.work = Work::of("debate", "5");
    assert_eq!(second.keep(), Outcome::Kept(0));
    assert_eq!(found(), ["5", "4"]);
    // the other one hears of it, once, also after it was opened again
    let fork = ids(SHELF).remove(0);
    let hear = |tab: &mut Tab| tab.keeper.heard(SHELF, &recent_key(&fork));
    assert_eq!(hear(&mut second), Heard::Fork(BENCHES[0]));
    assert_eq!(hear(&mut second), Heard::Recent);
    assert_eq!(hear(&mut Tab::open("c")), Heard::Fork(BENCHES[0]));
    assert_eq!(hear(&mut first), Heard::Recent);
    assert_eq!(first.keeper.heard(SHELF, "assay.theme"), Heard::Nothing);
    // what it goes on with stays, whoever forgets what was put aside
    forget_recents(SHELF);
    first.keep();
    assert_eq!(found(), ["5", "4"]);
}

#[test]
fn of_two_that_write_at_once_both_stay() {
    let [mut first, mut second] = pair("1");
    let key = desk_key(BENCHES[0]);
    let kept = || (SHELF.read)(&key).expect("kept");
    let before = kept();
    second.work = Work::of("debate", "2");
    second.keep();
    let seconds = kept();
    // neither sees what the other writes; the second comes last
    (SHELF.write)(&key, &before);
    first.work = Work::of("debate", "3");
    first.keep();
    (SHELF.write)(&key, &seconds);
    assert_eq!(first.keeper.heard(SHELF, &key), Heard::Lost);
    assert_eq!(first.keep(), Outcome::Forked);
    assert_eq!(found(), ["2", "3"]);
    // what is made of what was seen is no loss
    second.work = Work::of("debate", "4");
    second.keep();
    assert_eq!(first.keeper.heard(SHELF, &key), Heard::Nothing);
}

#[test]
fn long_texts_are_told_by_what_was_changed() {
    fresh();
    let mut tab = Tab::open("a");
    let long = "x".repeat(SHORT + 1);
    tab.work = Work::of("debate", &*long);
    tab.keep();
    let longer = format!("{long}y");
    tab.work = Work::of("debate", &*longer);
    let shelved = tab.keeper.shelve(SHELF, BENCHES[0], &tab.work, 3.0);
    assert!(shelved.long.is_empty(), "nothing more goes into the drawer");
    tab.keep();
    let again = Tab::open("b");
    assert_eq!(again.work.text("debate"), longer);
    assert_eq!(needed(SHELF, BENCHES).len(), 1);
}

#[test]
fn older_works_are_given_up_before_the_one_on_the_bench() {
    fresh();
    let mut tab = Tab::open("a");
    for text in ["1", "2", "3"] {
        tab.work = Work::of("debate", text.repeat(1_000));
        tab.keep();
        tab.replace("");
    }
    ROOM.set(4_000);
    tab.work = Work::of("debate", "4".repeat(2_500));
    assert_eq!(tab.keep(), Outcome::Kept(2));
    assert_eq!(found(), ["4".repeat(2_500), "3".repeat(1_000)]);
    tab.work = Work::of("debate", "5".repeat(5_000));
    assert_eq!(tab.keep(), Outcome::NoRoom);
    assert_eq!(found().len(), 2, "what is there stays");
    let is_kept = tab.keeper.is_kept(SHELF, BENCHES[0], &tab.work, None);
    assert!(is_kept, "said once");
}

#[test]
fn what_cannot_be_read_is_kept_under_another_name() {
    fresh();
    (SHELF.write)(&desk_key(BENCHES[0]), "{");
    (SHELF.write)(OLD, "[");
    let (_, begun) = Keeper::begin(SHELF, BENCHES, "a".into(), 5.0);
    assert_eq!((begun.desks.len(), begun.damaged), (0, 2));
    let keys = (SHELF.keys)();
    assert_eq!(
        keys,
        [
            "assay.damaged.5.assay.desk.debate",
            "assay.damaged.5.assay.work.1"
        ]
    );
}

#[test]
fn what_an_older_page_kept_is_taken_over() {
    fresh();
    let old = r#"{"works":{"debate":{"texts":{"debate":"[]"},"settings":{}}},"headlines":{"debate":"A wins"},
        "recent":[{"bench":"debate","headline":"new","work":{"texts":{"debate":"2"},"settings":{}}},
                  {"bench":"debate","headline":"old","work":{"texts":{"debate":"1"},"settings":{}}}]}"#;
    (SHELF.write)(OLD, old);
    let (_, begun) = Keeper::begin(SHELF, BENCHES, "a".into(), 5_000.0);
    assert_eq!(begun.desks[0].2.as_deref(), Some("A wins"));
    assert_eq!(found(), ["[]", "2", "1"]);
    assert_eq!((SHELF.read)(OLD), None);
}

#[test]
fn what_was_cleared_is_kept_again() {
    for text in ["1".to_owned(), "x".repeat(SHORT + 1)] {
        let [mut tab, _] = pair(&text);
        KEPT.with_borrow_mut(BTreeMap::clear);
        tab.keeper.forget();
        assert_eq!(tab.keep(), Outcome::Kept(0));
        assert_eq!(found(), [text]);
    }
}

/// What happens in one of three tabs.
#[derive(Clone, Copy, Debug)]
enum Event {
    Types { is_long: bool },
    Keeps,
    Opens,
    Closes,
    Tidies,
}

fn event() -> impl Strategy<Value = (usize, Event)> {
    let event = prop_oneof![
        any::<bool>().prop_map(|is_long| Event::Types { is_long }),
        Just(Event::Keeps),
        Just(Event::Opens),
        Just(Event::Closes),
        Just(Event::Tidies),
    ];
    (0_usize..3, event)
}

/// Texts that were typed, each with the one that it was made from.
#[derive(Default)]
struct Versions(Vec<(String, String)>);

impl Versions {
    fn next(&mut self, from: &str, times: usize) -> String {
        let text = format!("{} ", self.0.len()).repeat(times);
        self.0.push((text.clone(), from.to_owned()));
        text
    }

    /// Whether a text is found, or one that was made from it.
    fn is_found(&self, text: &str) -> bool {
        text.is_empty()
            || found().iter().any(|found| {
                let parent = |text: &String| {
                    let version = self.0.iter().find(|(version, _)| version == text);
                    version.map(|(_, from)| from.clone())
                };
                std::iter::successors(Some(found.clone()), parent).any(|version| version == text)
            })
    }
}

proptest! {
    /// Whatever tabs do beside each other: what one shows when it is closed, and what it
    /// replaces, is found, or what somebody made from it.
    #[test]
    fn nothing_that_was_kept_is_lost(events in prop::collection::vec(event(), 0..24)) {
        fresh();
        let mut tabs: Vec<Option<Tab>> = vec![None, None, None];
        let (mut names, mut versions) = (0, Versions::default());
        for (number, event) in events {
            let tab = tabs[number].get_or_insert_with(|| {
                names += 1;
                Tab::open(&format!("tab{names}"))
            });
            let shown = tab.work.text("debate").to_owned();
            match event {
                Event::Types { is_long } => {
                    let text = versions.next(&shown, if is_long { SHORT } else { 1 });
                    tab.work = Work::of("debate", text);
                }
                Event::Keeps => {
                    tab.keep();
                }
                Event::Tidies => tidy(),
                Event::Opens => {
                    tab.keep();
                    tab.replace(&versions.next("", 1));
                    prop_assert!(versions.is_found(&shown), "{shown:.20}");
                    tab.keep();
                }
                Event::Closes => {
                    tab.keep();
                    tabs[number] = None;
                    prop_assert!(versions.is_found(&shown), "{shown:.20}");
                }
            }
            prop_assert!(ids(SHELF).len() <= MOST_RECENT);
        }
    }
}
