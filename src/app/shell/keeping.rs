//! What the page keeps and when: the work of each bench a moment after it changed, what is
//! replaced before it goes; and marks of what is being looked at.

use leptos::prelude::*;

use super::{Absent, Outside, Seat, Shell};
use crate::app::bench::{Bench, Benches};
use crate::app::desk::Work;
use crate::app::drawer::Done;
use crate::app::kept::all::{Aside, Kept};
use crate::app::kept::keeper::{self, Begun, Heard, Keeper, Outcome, Shelved};
use crate::app::kept::record::{StoredWork, splice};
use crate::app::notice::Act;
use crate::app::route::Page;
use crate::app::runs::STAMP;

/// A bench whose work is being looked at: where a visit does not come to its end, the next
/// one finds the mark. What is looked at for less than this was not the end of it.
const MARK: &str = "assay.mark.";
const LONG: f64 = 3_000.0;
/// A mark is renewed no more often than this, and goes when nothing has happened for so long.
const REST: f64 = 1_000.0;

/// What the page keeps.
#[derive(Clone, Copy)]
pub struct Keeping {
    keeper: StoredValue<Keeper>,
    /// Benches of which long texts are on their way into the drawer.
    putting: StoredValue<Vec<&'static str>>,
    marks: StoredValue<Vec<Mark>>,
    scored: StoredValue<Vec<Scored>>,
    /// Whether nothing is kept any more.
    is_over: StoredValue<bool>,
    outside: Outside,
}

/// The last work on a bench that had a verdict.
#[derive(Clone)]
struct Scored {
    bench: &'static str,
    work: Work,
    /// What was said of it.
    headline: String,
}

/// A mark on a bench.
#[derive(Clone, Copy)]
struct Mark {
    bench: &'static str,
    /// When it was written.
    written: f64,
    /// When something happened last.
    touched: f64,
}

impl Keeping {
    pub fn begin(benches: Benches, outside: Outside) -> (Self, Begun) {
        let (tab, now) = ((outside.tab)(), (outside.clock)());
        let (keeper, begun) = Keeper::begin(outside.shelf, benches, tab, now);
        let keeping = Self {
            keeper: StoredValue::new(keeper),
            putting: StoredValue::default(),
            marks: StoredValue::default(),
            scored: StoredValue::default(),
            is_over: StoredValue::default(),
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
        self.take_scored(bench);
    }

    // ---- what had a verdict

    fn take_scored(self, bench: &Bench) -> Option<Scored> {
        let mut taken = None;
        self.scored.update_value(|all| {
            let at = all.iter().position(|scored| scored.bench == bench.name);
            taken = at.map(|at| all.swap_remove(at));
        });
        taken
    }

    fn remember_scored(self, scored: Scored) {
        self.scored.update_value(|all| {
            all.retain(|other| other.bench != scored.bench);
            all.push(scored);
        });
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
        let (mut is_new, mut is_due) = (false, false);
        self.marks.update_value(|marks| {
            let found = marks.iter_mut().find(|mark| mark.bench == bench.name);
            if let Some(mark) = found {
                mark.touched = now;
                is_due = now - mark.written >= REST;
                if is_due {
                    mark.written = now;
                }
            } else {
                (is_new, is_due) = (true, true);
                marks.push(Mark {
                    bench: bench.name,
                    written: now,
                    touched: now,
                });
            }
        });
        if is_due {
            (self.outside.shelf.write)(&format!("{MARK}{}", bench.name), &format!("{now:.0}"));
        }
        if is_new {
            self.unmark_at_rest(bench.name);
        }
    }

    /// Takes a mark away once nothing has happened for a while.
    fn unmark_at_rest(self, bench: &'static str) {
        let look = move |()| {
            let now = (self.outside.clock)();
            let at = self.marks.with_value(|marks| {
                let mark = marks.iter().find(|mark| mark.bench == bench)?;
                Some(mark.touched)
            });
            match at {
                Some(at) if now - at < REST => self.unmark_at_rest(bench),
                Some(_) => self.unmark(bench),
                None => {}
            }
        };
        (self.outside.rest)(Box::new(look));
    }

    fn unmark(self, bench: &str) {
        self.marks
            .update_value(|marks| marks.retain(|mark| mark.bench != bench));
        (self.outside.shelf.remove)(&format!("{MARK}{bench}"));
    }

    /// The visit comes to its end.
    fn unmark_all(self) {
        for mark in self.marks.get_value() {
            self.unmark(mark.bench);
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

    /// From now on nothing is kept: what there is is being removed.
    pub fn stop_keeping(self) {
        self.keeping.is_over.set_value(true);
    }

    /// Keeps the work of a bench also where it was kept already.
    pub fn keep_anew(self, seat: Seat) {
        self.keeping.with(|keeper| keeper.unkeep(seat.bench));
        self.keep_seat(seat, false);
    }

    fn keep_seat(self, seat: Seat, is_leaving: bool) {
        let (bench, keeping) = (seat.bench, self.keeping);
        if seat.is_away() || keeping.is_over.get_value() {
            return;
        }
        let (work, headline) = untrack(|| (seat.desk.work.get(), seat.headline()));
        self.keep_scored(seat, &work, headline.as_deref());
        let store = self.outside.shelf;
        if keeping.with(|keeper| keeper.is_kept(store, bench, &work, headline.as_deref())) {
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
            keeping.with(|keeper| keeper.shelve(store, bench, &work, now));
        if long.is_empty() {
            return self.write(seat, &work, headline, stored);
        }
        if is_leaving {
            // the drawer gives no answer any more: where there is no room beside the short
            // ones, what was kept before stays
            return self.write(seat, &work, headline, StoredWork::whole(&work));
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
                self.tidy(Vec::new());
            } else {
                // without a drawer there may be room beside the short ones
                let whole = StoredWork::whole(&work);
                self.write(seat, &work, headline.clone(), whole);
            }
            self.keep_seat(seat, false);
        });
        (self.outside.drawer.put)(texts, done);
    }

    /// Puts the last work with a verdict aside once most of it has gone from the bench and
    /// what is there instead has none: the next visit has no undo to bring it back. A text
    /// that is being changed is mostly still there, so that happens once for each such loss.
    fn keep_scored(self, seat: Seat, work: &Work, headline: Option<&str>) {
        let (bench, keeping) = (seat.bench, self.keeping);
        if let Some(headline) = headline {
            return keeping.remember_scored(Scored {
                bench: bench.name,
                work: work.clone(),
                headline: headline.to_owned(),
            });
        }
        let Some(scored) = keeping.take_scored(bench) else {
            return;
        };
        if is_mostly_gone(&scored.work, work) {
            self.aside(bench, scored.headline, scored.work, Box::new(|_| ()));
        } else {
            keeping.remember_scored(scored);
        }
    }

    fn write(self, seat: Seat, work: &Work, headline: Option<String>, stored: StoredWork) {
        let (bench, now) = (seat.bench, (self.outside.clock)());
        let store = self.outside.shelf;
        let outcome = self
            .keeping
            .with(|keeper| keeper.keep(store, bench, work, headline, stored, now));
        let title = bench.title;
        let no_room = format!(
            "{title} is not kept: this browser has no room for what is on it, and it is gone when you leave the page."
        );
        match outcome {
            Outcome::Kept(given_up) => {
                self.notices.dismiss_one(&no_room);
                self.say_given_up(given_up);
            }
            Outcome::Forked => {
                self.show_recent();
                self.notices.insist(
                    format!("{title} was changed in another tab too. That version stays on the bench; this one is kept under Recent, and you can go on with it here."),
                    Vec::new(),
                );
            }
            Outcome::NoRoom => self.notices.insist(no_room, self.ways_out()),
        }
    }

    /// What can be done where there is no room.
    pub(super) fn ways_out(self) -> Vec<Act> {
        vec![Act::beside("Save my work as a file", move || {
            self.save_file();
        })]
    }

    /// Says that older works were given up for one.
    fn say_given_up(self, given_up: usize) {
        if given_up > 0 {
            self.show_recent();
            let works = if given_up == 1 { "work" } else { "works" };
            self.notices.insist(
                format!("This browser had no more room: {given_up} older {works} under Recent had to go."),
                self.ways_out(),
            );
        }
    }

    /// Forgets these texts, and old ones, unless something needs them.
    fn tidy(self, forgotten: Vec<String>) {
        let needed = move || keeper::needed(self.outside.shelf, self.benches);
        (self.outside.drawer.tidy)(forgotten, Box::new(needed), (self.outside.clock)());
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
        if key == STAMP {
            return self.runs.notify();
        }
        let store = self.outside.shelf;
        let heard = self.keeping.with(|keeper| keeper.heard(store, &key));
        if let Heard::Fork(bench) = heard {
            let title = bench.title;
            self.notices.insist(
                format!("{title} was changed in another tab too. Your version stays on the bench; that one is under Recent."),
                Vec::new(),
            );
        }
        if heard != Heard::Nothing {
            self.show_recent();
            // what this tab goes on with may have gone
            self.keep();
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
        let recents = self.recent.get_untracked().into_iter();
        let texts = recents.flat_map(|recent| recent.work.keys()).collect();
        keeper::forget_recents(self.outside.shelf);
        // but for what this tab goes on with beside another
        self.keep();
        self.show_recent();
        self.tidy(texts);
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
        let (store, now) = (self.outside.shelf, (self.outside.clock)());
        let Shelved { work: stored, long } = self
            .keeping
            .with(|keeper| keeper.shelve(store, bench, &work, now));
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
        let given_up = self
            .keeping
            .with(|keeper| keeper.put_aside(store, bench, headline, stored, now));
        self.say_given_up(given_up.unwrap_or_default());
        self.show_recent();
        given_up.is_some()
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
            seat.absent.set(seat.was_marked.then_some(Absent::Held));
            seat.desk.restore(work);
            seat.desk.is_folded.set(true);
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

    /// Opens what a file has; what was there before is put aside. Where there is no room for
    /// that, the user is asked first.
    pub fn take_file(self, kept: Kept) {
        let replaced = kept.works.iter().filter_map(|(bench, work)| {
            let seat = self.seat(bench);
            seat.is_replaced_by(work).then_some(seat)
        });
        let replaced = replaced.collect();
        let done = Box::new(move |unkept: Vec<&'static str>| {
            if unkept.is_empty() {
                return self.open_file(kept, true);
            }
            let benches = unkept.join(" and ");
            let kept = StoredValue::new_local(Some(kept));
            let anyway = move || {
                if let Some(kept) = kept.try_update_value(Option::take).flatten() {
                    self.open_file(kept, false);
                }
            };
            let mut acts = self.ways_out();
            acts.push(Act::new("Open all the same", anyway));
            self.notices.insist(
                format!("There is no room in this browser to put aside what is on {benches}. Opening the file replaces it."),
                acts,
            );
        });
        self.put_all_aside(replaced, Vec::new(), done);
    }

    /// Puts the works of some benches aside, and tells of which there was no room for.
    fn put_all_aside(
        self,
        mut seats: Vec<Seat>,
        mut unkept: Vec<&'static str>,
        done: Done<Vec<&'static str>>,
    ) {
        let Some(seat) = seats.pop() else {
            return done(unkept);
        };
        let next = Box::new(move |is_kept: bool| {
            if !is_kept {
                unkept.push(seat.bench.title);
            }
            self.put_all_aside(seats, unkept, done);
        });
        self.put_aside(seat, next);
    }

    fn open_file(self, kept: Kept, is_put_aside: bool) {
        let count = kept.works.len() + kept.recent.len();
        for (bench, work) in kept.works {
            self.install(self.seat(bench), work);
        }
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
        self.go(Page::Start);
        let works = if count == 1 { "work" } else { "works" };
        let before = if is_put_aside {
            " What was on the benches before is under Recent."
        } else {
            ""
        };
        self.notices
            .say(format!("{count} {works} opened from the file.{before}"));
    }
}

/// Whether more than half of a text of a work is in another no more.
fn is_mostly_gone(before: &Work, now: &Work) -> bool {
    before.texts.iter().any(|(input, text)| {
        let (from, to, _) = splice(text, now.text(input));
        2 * (to - from) > text.len()
    })
}

impl Seat {
    /// Whether opening a work here takes another one's place.
    pub(super) fn is_replaced_by(self, work: &Work) -> bool {
        self.is_away()
            || self
                .desk
                .work
                .with_untracked(|before| !before.is_blank() && !work.holds(before))
    }

    /// Whether the desk does not have the work that was kept.
    fn is_away(self) -> bool {
        self.absent
            .with_untracked(|absent| matches!(absent, Some(Absent::Coming(_) | Absent::Lost(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::world;
    use super::*;
    use crate::app::bench::named;
    use crate::app::benches::BENCHES;
    use crate::app::shell::theme::Theme;

    #[test]
    fn what_had_a_verdict_stays_when_most_of_it_goes_and_not_at_every_change() {
        let owner = Owner::new();
        owner.set();
        let shell = Shell::new(BENCHES, Theme::System, world::with(&[]));
        let toy = named(BENCHES, "toy").expect("a bench");
        let poem = "{\"verses\": [\"one\", \"two\"]}";
        shell.take_text(poem.into());
        let desk = shell.seat(toy).desk;
        let recent = || {
            shell.keep();
            let recent = shell.recent.get_untracked();
            let works = recent.into_iter().map(|recent| recent.headline);
            works.collect::<Vec<_>>()
        };
        desk.type_text("poem", poem.replace("two", "three"));
        assert_eq!(recent(), [""; 0]);
        desk.settle();
        desk.type_text("poem", "  ".into());
        assert_eq!(recent(), ["3 words"]);
        desk.undo();
        assert_eq!(recent(), ["3 words"]);
        desk.type_text("poem", String::new());
        assert_eq!(recent(), ["3 words"], "the same work is there once");
    }

    #[test]
    fn most_of_a_text_has_gone_where_less_than_half_is_left() {
        let work = |text: &str| Work::of("debate", text);
        let before = work("{\"candidates\": []}");
        assert!(!is_mostly_gone(&before, &work("{\"candidates\": [}")));
        assert!(is_mostly_gone(&before, &work("dear diary")));
        assert!(is_mostly_gone(&before, &Work::default()));
    }
}
