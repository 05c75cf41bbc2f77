//! What the page keeps and when: the work of each bench a moment after it changed, what is
//! replaced before it goes; and marks of what is being looked at.

use leptos::prelude::*;

use super::{Absent, Outside, Seat, Shell};
use crate::app::bench::{Bench, Benches};
use crate::app::desk::Work;
use crate::app::drawer::Done;
use crate::app::kept::all::{Aside, Kept};
use crate::app::kept::keeper::{self, Begun, Keeper, Outcome, Shelved};
use crate::app::kept::record::StoredWork;
use crate::app::notice::Act;
use crate::app::route::Page;

/// A bench whose work is being looked at: where a visit does not come to its end, the next
/// one finds the mark. What is looked at for less than this was not the end of it.
const MARK: &str = "assay.mark.";
const LONG: f64 = 3_000.0;
/// A mark is renewed no more often than this.
const SOON: f64 = 1_000.0;

/// What the page keeps.
#[derive(Clone, Copy)]
pub struct Keeping {
    keeper: StoredValue<Keeper>,
    /// Benches of which long texts are on their way into the drawer.
    putting: StoredValue<Vec<&'static str>>,
    /// When each mark was made.
    marks: StoredValue<Vec<(&'static str, f64)>>,
    outside: Outside,
}

impl Keeping {
    pub fn begin(benches: Benches, outside: Outside) -> (Self, Begun) {
        let (tab, now) = ((outside.tab)(), (outside.clock)());
        let (keeper, begun) = Keeper::begin(outside.shelf, benches, tab, now);
        let keeping = Self {
            keeper: StoredValue::new(keeper),
            putting: StoredValue::default(),
            marks: StoredValue::default(),
            outside,
        };
        (keeping, begun)
    }

    fn with<T>(self, act: impl FnOnce(&mut Keeper) -> T) -> T {
        let mut made = None;
        self.keeper.update_value(|keeper| made = Some(act(keeper)));
        let Some(made) = made else {
            unreachable!("the page's own values live as long as the page")
        };
        made
    }

    /// What follows on a bench is no longer what was there.
    pub fn turn_over(self, bench: &'static Bench) {
        self.with(|keeper| keeper.turn_over(bench));
    }

    // ---- marks

    /// Whether the last visit did not come to its end on a bench.
    pub fn is_marked(self, bench: &Bench) -> bool {
        let mark = (self.outside.shelf.read)(&format!("{MARK}{}", bench.name));
        let at = mark.and_then(|mark| mark.parse::<f64>().ok());
        at.is_some_and(|at| (self.outside.clock)() - at > LONG)
    }

    /// Marks that a work is being looked at, until nothing happens for a while.
    pub fn mark(self, bench: &'static Bench) {
        let now = (self.outside.clock)();
        let mut is_new = true;
        let mut is_soon = false;
        self.marks.update_value(|marks| {
            if let Some((_, at)) = marks.iter_mut().find(|(name, _)| *name == bench.name) {
                is_new = false;
                is_soon = now - *at < SOON;
                if !is_soon {
                    *at = now;
                }
            } else {
                marks.push((bench.name, now));
            }
        });
        if !is_soon {
            (self.outside.shelf.write)(&format!("{MARK}{}", bench.name), &format!("{now:.0}"));
        }
        if is_new {
            (self.outside.rest)(Box::new(move |()| self.unmark(bench.name)));
        }
    }

    fn unmark(self, bench: &str) {
        self.marks
            .update_value(|marks| marks.retain(|(name, _)| *name != bench));
        (self.outside.shelf.remove)(&format!("{MARK}{bench}"));
    }

    /// The visit comes to its end.
    fn unmark_all(self) {
        for (bench, _) in self.marks.get_value() {
            self.unmark(bench);
        }
    }
}

impl Shell {
    /// Tracks all that is to be kept.
    pub fn track_kept(self) {
        for seat in self.seats() {
            seat.desk.work.track();
            seat.headline();
        }
    }

    /// Keeps what this tab has changed.
    pub fn keep(self) {
        for seat in self.seats() {
            self.keep_seat(seat, false);
        }
    }

    /// The same when the page goes: nothing can be waited for.
    pub fn leave(self) {
        for seat in self.seats() {
            self.keep_seat(seat, true);
        }
        self.keeping.unmark_all();
    }

    /// Keeps the work of a bench also where it was kept already.
    pub fn keep_anew(self, seat: Seat) {
        self.keeping.with(|keeper| keeper.unkeep(seat.bench));
        self.keep_seat(seat, false);
    }

    fn keep_seat(self, seat: Seat, is_leaving: bool) {
        let (bench, keeping) = (seat.bench, self.keeping);
        if seat.is_away() {
            return;
        }
        let (work, headline) = untrack(|| (seat.desk.work.get(), seat.headline()));
        if keeping.with(|keeper| keeper.is_kept(bench, &work, headline.as_deref())) {
            return;
        }
        let is_putting = keeping
            .putting
            .with_value(|putting| putting.contains(&bench.name));
        if is_putting && !is_leaving {
            // looked at again when that is done
            return;
        }
        let now = (self.outside.clock)();
        let Shelved { work: stored, long } =
            keeping.with(|keeper| keeper.shelve(bench, &work, now));
        if long.is_empty() {
            return self.write(seat, &work, headline, stored);
        }
        if is_leaving {
            // what was begun is done, as a rule; if it is not, the next visit says so
            (self.outside.drawer.put)(long, Box::new(|_| ()));
            return self.write(seat, &work, headline, stored);
        }
        keeping
            .putting
            .update_value(|putting| putting.push(bench.name));
        let texts = long.clone();
        let done = Box::new(move |is_there| {
            keeping
                .putting
                .update_value(|putting| putting.retain(|name| *name != bench.name));
            if is_there {
                keeping.with(|keeper| keeper.drawn(bench, &stored, &long));
                self.write(seat, &work, headline.clone(), stored.clone());
                let needed = keeper::needed(self.outside.shelf, self.benches);
                (self.outside.drawer.tidy)(needed, now);
            } else {
                // without a drawer there may be room beside the short ones
                let whole = StoredWork::whole(&work);
                self.write(seat, &work, headline.clone(), whole);
            }
            self.keep_seat(seat, false);
        });
        (self.outside.drawer.put)(texts, done);
    }

    fn write(self, seat: Seat, work: &Work, headline: Option<String>, stored: StoredWork) {
        let (bench, now) = (seat.bench, (self.outside.clock)());
        let store = self.outside.shelf;
        let outcome = self
            .keeping
            .with(|keeper| keeper.keep(store, bench, work, headline, stored, now));
        let save = || vec![Act::new("Save my work as a file", move || self.save_file())];
        let title = bench.title;
        match outcome {
            Outcome::Kept(0) => {}
            Outcome::Kept(given_up) => {
                self.show_recent();
                let works = if given_up == 1 { "work" } else { "works" };
                self.notices.insist(
                    format!("This browser had no more room: {given_up} older {works} under Recent had to go."),
                    save(),
                );
            }
            Outcome::Forked => {
                self.show_recent();
                self.notices.insist(
                    format!("{title} was changed in another tab too. That version stays on the bench; this one is kept under Recent, and you can go on with it here."),
                    Vec::new(),
                );
            }
            Outcome::NoRoom => self.notices.insist(
                format!("This browser has no room to keep what is on {title}: it is gone when you leave the page."),
                save(),
            ),
        }
    }

    /// Another tab kept something under a key, or everything was forgotten.
    pub fn hear(self, key: Option<String>) {
        let Some(key) = key else {
            self.keeping.with(Keeper::forget);
            self.show_recent();
            self.notices.insist(
                "What this browser kept was cleared. What is on the benches here is kept again.",
                Vec::new(),
            );
            return self.keep();
        };
        let store = self.outside.shelf;
        if let Some(fork) = self.keeping.with(|keeper| keeper.heard(store, &key)) {
            self.show_recent();
            if let Some(bench) = fork {
                let title = bench.title;
                self.notices.insist(
                    format!("{title} was changed in another tab too. Your version stays on the bench; that one is under Recent."),
                    Vec::new(),
                );
            }
        }
    }

    /// Shows what is kept of works that were put aside.
    pub fn show_recent(self) {
        let found = keeper::recents(self.outside.shelf, self.benches);
        if self.recent.with_untracked(|recent| *recent != found) {
            self.recent.set(found);
        }
    }

    /// Forgets all works that were put aside.
    pub fn forget_recent(self) {
        keeper::forget_recents(self.outside.shelf);
        self.show_recent();
    }

    /// Puts the work of a bench aside; says whether it is kept there.
    pub fn put_aside(self, seat: Seat, done: Done<bool>) {
        let headline = untrack(|| seat.headline()).unwrap_or_else(|| "Not scored".to_owned());
        match seat.absent.get_untracked() {
            Some(Absent::Coming(stored) | Absent::Lost(stored)) => {
                done(self.write_aside(seat.bench, headline, stored));
            }
            Some(Absent::Held) | None => {
                let work = seat.desk.work.get_untracked();
                self.aside(seat.bench, headline, work, done);
            }
        }
    }

    fn aside(self, bench: &'static Bench, headline: String, work: Work, done: Done<bool>) {
        let now = (self.outside.clock)();
        let Shelved { work: stored, long } =
            self.keeping.with(|keeper| keeper.shelve(bench, &work, now));
        if long.is_empty() {
            return done(self.write_aside(bench, headline, stored));
        }
        let put = Box::new(move |is_there| {
            // without a drawer there may be room beside the short ones
            let stored = if is_there {
                stored.clone()
            } else {
                StoredWork::whole(&work)
            };
            done(self.write_aside(bench, headline.clone(), stored));
        });
        (self.outside.drawer.put)(long, put);
    }

    fn write_aside(self, bench: &'static Bench, headline: String, stored: StoredWork) -> bool {
        let (store, now) = (self.outside.shelf, (self.outside.clock)());
        let is_kept = self
            .keeping
            .with(|keeper| keeper.put_aside(store, bench, headline, stored, now));
        self.show_recent();
        is_kept
    }

    // ---- work that is not on the desk

    /// Fetches the texts of a work that was kept, where they are in the drawer.
    pub fn fetch_absent(self, seat: Seat) {
        let stored = match seat.absent.get_untracked() {
            Some(Absent::Coming(stored) | Absent::Lost(stored)) => stored,
            Some(Absent::Held) | None => return,
        };
        seat.absent.set(Some(Absent::Coming(stored.clone())));
        let arrived = Box::new(move |found: Option<Vec<Option<String>>>| {
            // something else may have been opened meanwhile
            if seat.absent.get_untracked() != Some(Absent::Coming(stored.clone())) {
                return;
            }
            let headline = seat.last_headline.get_untracked();
            let drawer = found.unwrap_or_default();
            let work = self
                .keeping
                .with(|keeper| keeper.arrived(seat.bench, &stored, &drawer, headline));
            let Some(work) = work else {
                return seat.absent.set(Some(Absent::Lost(stored.clone())));
            };
            let is_held = self.keeping.is_marked(seat.bench);
            seat.absent.set(is_held.then_some(Absent::Held));
            seat.desk.restore(work);
            if let Some(room) = seat.room.get_untracked() {
                room.choose_face.run(());
            }
        });
        let keys = match seat.absent.get_untracked() {
            Some(Absent::Coming(stored)) => stored.keys(),
            _ => Vec::new(),
        };
        (self.outside.drawer.get)(keys, arrived);
    }

    /// Looks at a work that was held.
    pub fn release(self, seat: Seat) {
        seat.absent.set(None);
        self.enter(seat);
    }

    /// Puts aside what is held or lost, and begins anew.
    pub fn begin_anew(self, seat: Seat) {
        self.put_aside(
            seat,
            Box::new(move |is_kept| {
                if is_kept {
                    self.keeping.unmark(seat.bench.name);
                    self.keeping.turn_over(seat.bench);
                    seat.desk.replace(Work::default());
                    seat.last_headline.set(None);
                    seat.absent.set(None);
                    self.enter(seat);
                } else {
                    self.notices
                        .warn("There is no room to put it aside. Save it as a file first.");
                }
            }),
        );
    }

    // ---- a file

    /// Gives the user everything as a file, which reads back.
    pub fn save_file(self) {
        let seats = self.seats().into_iter();
        let absent = seats.filter_map(|seat| match seat.absent.get_untracked() {
            Some(Absent::Coming(stored) | Absent::Lost(stored)) => {
                let headline = untrack(|| seat.headline()).unwrap_or_default();
                Some((seat.bench, headline, stored))
            }
            Some(Absent::Held) | None => None,
        });
        let recent = self.recent.get_untracked().into_iter();
        let aside: Vec<_> = absent
            .chain(recent.map(|recent| (recent.bench, recent.headline, recent.work)))
            .collect();
        let keys: Vec<String> = aside.iter().flat_map(|(.., work)| work.keys()).collect();
        if keys.is_empty() {
            return self.give(&aside, &[]);
        }
        let found = Box::new(move |found: Option<Vec<Option<String>>>| {
            self.give(&aside, &found.unwrap_or_default());
        });
        (self.outside.drawer.get)(keys, found);
    }

    fn give(self, aside: &[(&'static Bench, String, StoredWork)], drawer: &[Option<String>]) {
        let mut kept = Kept::default();
        for seat in self.seats() {
            let work = seat.desk.work.get_untracked();
            if !work.is_blank() || !work.settings.is_empty() {
                kept.works.push((seat.bench, work));
                let headline = untrack(|| seat.headline());
                kept.headlines
                    .extend(headline.map(|words| (seat.bench, words)));
            }
        }
        let (mut at, mut missing) = (0, 0);
        for (bench, headline, stored) in aside {
            let end = at + stored.keys().len();
            let work = drawer
                .get(at..end)
                .or((at == end).then_some(&[]))
                .and_then(|texts| stored.work(texts));
            at = end;
            match work {
                Some(work) => kept.recent.push(Aside {
                    bench,
                    headline: headline.clone(),
                    work,
                }),
                None => missing += 1,
            }
        }
        if !(self.outside.give_file)("assay-work.json", &kept.write()) {
            self.notices.warn("This browser offers no downloads.");
        } else if missing > 0 {
            self.notices.warn(format!(
                "The file has everything but {missing} under Recent, of which this browser has forgotten a text."
            ));
        } else {
            self.notices
                .say("Saved. Drop or paste the file on this page to open it again.");
        }
    }

    /// Opens what a file has; what was there before is put aside.
    pub fn take_file(self, kept: Kept) {
        let count = kept.works.len() + kept.recent.len();
        for aside in kept.recent.into_iter().rev() {
            let done = Box::new(move |is_kept: bool| {
                if !is_kept {
                    self.notices.insist(
                        "There was no room for all that was under Recent in the file.",
                        Vec::new(),
                    );
                }
            });
            self.aside(aside.bench, aside.headline, aside.work, done);
        }
        for (bench, work) in kept.works {
            self.open(bench, work);
        }
        self.go(Page::Start);
        let works = if count == 1 { "work" } else { "works" };
        self.notices.say(format!(
            "{count} {works} opened from the file. What was on the benches before is under Recent."
        ));
    }
}

impl Seat {
    /// Whether the desk does not have the work that was kept.
    fn is_away(self) -> bool {
        self.absent
            .with_untracked(|absent| matches!(absent, Some(Absent::Coming(_) | Absent::Lost(_))))
    }
}
