//! The page's own state: which page is shown, the notices, what is recent, the
//! theme, the sheet of shortcuts, and a seat for every bench. It knows a bench by
//! its record alone.

pub mod around;
pub mod exports;
pub mod frame;
pub mod help;
mod keeping;
mod offline;
pub mod private;
pub mod shared;
pub mod start_page;
pub mod theme;
#[cfg(test)]
pub mod world;

use std::sync::Arc;

use leptos::prelude::*;
use leptos::reactive::computed::ScopedFuture;

use super::bench::{Bench, Benches, Compare, Host, ModelFiles, Room};
use super::browser::brought::Bundle;
use super::browser::events::{File, Files};
use super::browser::reader::Held;
use super::claim::Claim;
use super::desk::{Desk, Work};
use super::drawer::{Done, Drawer};
use super::embedder::models::SETTING as MODEL;
use super::format;
use super::intake::{Intake, Outlet};
use super::kept::all::Kept;
use super::kept::keeper;
use super::kept::record::{Recent, StoredWork};
use super::kept::shelf::Shelf;
use super::link;
use super::notice::{Act, Notices};
use super::opening::{self, Place};
use super::parts::{Fetching, NotLoaded, fetch};
use super::report;
use super::route::{self, Page, Request};
use super::runs;
use super::words;
use crate::share::Goal;
use crate::sources::Kind;
use keeping::Keeping;
use theme::Theme;

/// Files with their names, or why they did not come.
type Fetched = Result<Vec<(String, Held)>, String>;

/// What the page does to the world outside its signals; something else in tests.
#[derive(Clone, Copy)]
pub struct Outside {
    /// Shows another `#…` in the address.
    pub show_address: fn(&str),
    /// Short texts that stay between visits.
    pub shelf: Shelf,
    /// Long ones.
    pub drawer: Drawer,
    /// A name that no other tab has.
    pub tab: fn() -> String,
    /// Milliseconds since 1970.
    pub clock: fn() -> f64,
    /// Does something when nothing has happened for a while.
    pub rest: fn(Done<()>),
    /// Gives the user a file; says whether it could.
    pub give_file: fn(&str, &str) -> bool,
    /// Scrolls to the top of the page.
    pub scroll_up: fn(),
    /// Shows the theme of a name.
    pub show_theme: fn(&str),
    /// Fetches the bench's example, and gives it to this.
    pub fetch_example: fn(&'static Bench, Done<Result<Work, String>>),
    /// Reads files that are none of our own documents.
    pub read: fn(Intake, Vec<(String, Held)>, Vec<Kind>),
    /// The bytes of a text, as those of a file.
    pub hold: fn(&str) -> Option<Held>,
    /// Fetches files beside the page, and gives them to this with their names.
    pub fetch_files: fn(&'static [&'static str], Done<Fetched>),
    /// Gives what other programs have shared with the page.
    pub fetch_shared: fn(Done<Files>),
    /// Fetches files of these addresses from the page's own server.
    pub fetch_source: fn(Vec<String>, Done<Files>),
}

#[cfg(test)]
impl Outside {
    /// No world.
    pub const NOWHERE: Self = Self {
        show_address: |_| {},
        shelf: Shelf::NOWHERE,
        drawer: Drawer::NOWHERE,
        tab: || "tab".into(),
        clock: || 0.0,
        rest: |_| {},
        give_file: |_, _| true,
        scroll_up: || {},
        show_theme: |_| {},
        fetch_example: |_, _| {},
        read: |_, _, _| {},
        hold: |_| None,
        fetch_files: |_, _| {},
        fetch_shared: |_| {},
        fetch_source: |_, _| {},
    };
}

/// A bench on the page: its work, and its room once it was opened.
#[derive(Clone, Copy)]
pub struct Seat {
    /// Which bench.
    pub bench: &'static Bench,
    /// The work on it.
    pub desk: Desk,
    /// What its code gives the page; none before the bench is opened.
    pub room: RwSignal<Option<Room>>,
    /// How far the way to that is.
    pub way: RwSignal<Way>,
    /// What was last said of the work when it was kept.
    last_headline: RwSignal<Option<String>>,
    /// Why the work that was kept is not on the desk.
    pub absent: RwSignal<Option<Absent>>,
    /// Whether the last visit did not come to its end while the work that was kept was
    /// looked at.
    was_marked: bool,
    /// What is asked about something that is about to leave.
    asking: RwSignal<Option<private::Asking>>,
}

impl Seat {
    /// The seat of a bench with what was kept of it, and what was last said of that.
    fn new(
        bench: &'static Bench,
        (stored, headline): (StoredWork, Option<String>),
        was_marked: bool,
    ) -> Self {
        let work = if stored.keys().is_empty() {
            stored.work(&[])
        } else {
            None
        };
        let absent = match &work {
            None => Some(Absent::Coming(stored)),
            Some(work) => (was_marked && !work.is_blank()).then_some(Absent::Held),
        };
        Self {
            bench,
            desk: desk_with(work.unwrap_or_default()),
            room: RwSignal::new(None),
            way: RwSignal::new(Way::Clear),
            last_headline: RwSignal::new(headline),
            absent: RwSignal::new(absent),
            was_marked,
            asking: RwSignal::new(None),
        }
    }
}

/// Why a work that was kept is not on the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Its texts are being fetched from the drawer.
    Coming(StoredWork),
    /// They are not there, or the drawer does not open.
    Lost(StoredWork),
    /// The last visit did not come to its end while it was looked at: it is on the desk,
    /// and nothing looks at it before the user says so.
    Held,
}

impl Seat {
    /// What is said of the work, as far as it is known without opening the bench. Tracked.
    pub fn headline(self) -> Option<String> {
        if self.room.with(Option::is_none) {
            return self.last_headline.get();
        }
        let (verdict, topic) = self.said()?;
        let topic = topic.map(|topic| format!(" · {topic}"));
        Some(verdict + &topic.unwrap_or_default())
    }

    /// The verdict, and what the work is about; none while there is no result. Tracked.
    pub fn said(self) -> Option<(String, Option<String>)> {
        let room = self.room.get()?;
        let verdict = room.verdict.get()?;
        Some((verdict.headline, room.topic.get()))
    }

    fn entered(self, room: Result<Room, NotLoaded>) {
        self.way.set(match room {
            Ok(_) => Way::Clear,
            Err(NotLoaded) => Way::Failed,
        });
        self.room.set(room.ok());
    }
}

/// The way into a bench, whose code is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nobody went in yet, or the room is there.
    Clear,
    /// Its code is being fetched.
    Loading,
    /// Its code could not be fetched.
    Failed,
}

/// The page's state.
#[derive(Clone, Copy)]
pub struct Shell {
    /// The benches in the order of the navigation.
    pub benches: Benches,
    seats: StoredValue<Vec<Seat>>,
    /// The page shown; follows the address.
    pub page: RwSignal<Page>,
    /// What the user should know that has no other place.
    pub notices: Notices,
    /// Work that was replaced by other work, newest first.
    pub recent: RwSignal<Vec<Recent>>,
    /// Changes with the library of runs.
    pub runs: Trigger,
    /// Two works of a bench that a link holds against each other, the earlier first, until the page
    /// of runs has taken them.
    pub pair: RwSignal<Option<(&'static Bench, [Work; 2])>>,
    /// Light or dark.
    pub theme: RwSignal<Theme>,
    /// Whether the sheet of shortcuts is open.
    pub help: RwSignal<bool>,
    /// Files that are none of our own documents.
    pub intake: Intake,
    /// Files of a model, until the bench that embeds has taken them.
    models: RwSignal<Option<ModelFiles>, LocalStorage>,
    /// What a file says of a bench's work, until it was held against that.
    pub claim: RwSignal<Option<Claim>>,
    /// Where a link opens, until its bench has gone there.
    goal: RwSignal<Option<Goal>>,
    outside: Outside,
    keeping: Keeping,
    /// Whether what the address asked for at start was done.
    is_begun: StoredValue<bool>,
    /// What is made for a bench lives as long as the page, and not as a view.
    owner: StoredValue<Option<Owner>>,
}

/// Where documents go that are made of files. The page is made after it, and held here then.
fn outlet(held: StoredValue<Option<Shell>>, benches: Benches, notices: Notices) -> Outlet {
    let shell = move || held.get_value();
    Outlet {
        open: Arc::new(move |kind, text, file, labels| {
            if let Some(shell) = shell() {
                shell.take_made(kind, text, file, &labels);
            }
        }),
        open_first: Arc::new(move |kind, text, file| {
            let place = opening::place_of_first(kind, benches);
            if let (Some(shell), Some(place)) = (shell(), place) {
                shell.put_first(&place, text, file);
            }
        }),
        compares: Arc::new(move |kind| opening::place_of_first(kind, benches).is_some()),
        replace: Arc::new(move |kind, text, [before, now]| {
            let place = opening::place_for(kind, benches);
            if let (Some(shell), Some(place)) = (shell(), place) {
                let desk = shell.seat(place.bench).desk;
                // a text and its labels are one step of undo
                let gesture = "mapping";
                desk.settle();
                desk.edit(place.input.name, gesture, |_| Some(text));
                let labels = place.bench.input(opening::LABELS);
                if let Some(input) = labels.filter(|_| before != now) {
                    desk.edit(input.name, gesture, |text| {
                        Some(opening::relabelled(text, &before, &now))
                    });
                }
                desk.settle();
            }
        }),
        text: Arc::new(move |kind| {
            let place = opening::place_for(kind, benches);
            let found = shell().zip(place).map(|(shell, place)| {
                let work = shell.seat(place.bench).desk.work;
                work.with(|work| Arc::from(work.text(place.input.name)))
            });
            found.unwrap_or_else(|| "".into())
        }),
        title: Arc::new(move |kind| {
            opening::place_for(kind, benches).map_or("", |place| place.bench.title)
        }),
        show: Arc::new(move || {
            if let Some(shell) = shell() {
                shell.go(Page::Inside);
            }
        }),
        notices,
    }
}

impl Shell {
    /// The page with what was kept on its desks. No bench is opened yet.
    pub fn new(benches: Benches, theme: Theme, outside: Outside) -> Self {
        let (keeping, begun) = Keeping::begin(benches, outside);
        let mut desks = begun.desks;
        let seats = benches.iter().map(|bench| {
            let kept = of(&mut desks, bench).unwrap_or_default();
            Seat::new(bench, kept, keeping.is_marked(bench))
        });
        let held = StoredValue::new(None);
        let notices = Notices::default();
        let shell = Self {
            benches,
            seats: StoredValue::new(seats.collect()),
            page: RwSignal::new(Page::Start),
            notices,
            recent: RwSignal::new(keeper::recents(outside.shelf, benches)),
            runs: Trigger::new(),
            pair: RwSignal::new(None),
            theme: RwSignal::new(theme),
            help: RwSignal::new(false),
            intake: Intake::new(outlet(held, benches, notices)),
            models: RwSignal::new_local(None),
            claim: RwSignal::new(None),
            goal: RwSignal::new(None),
            outside,
            keeping,
            is_begun: StoredValue::new(false),
            owner: StoredValue::new(Owner::current()),
        };
        held.set_value(Some(shell));
        if begun.damaged > 0 {
            shell.notices.insist(
                "Some of what this browser kept cannot be read. It stays in its storage under another name.",
                Vec::new(),
            );
        }
        for seat in shell.seats() {
            // what is not looked at has no mark but that of the last visit
            seat.desk.on_touch(move || {
                if seat.absent.with_untracked(Option::is_none) {
                    keeping.mark(seat.bench);
                }
            });
            shell.fetch_absent(seat);
        }
        shell
    }

    /// All seats, in the order of the navigation.
    pub fn seats(self) -> Vec<Seat> {
        self.seats.get_value()
    }

    /// The seat of a bench.
    pub fn seat(self, bench: &'static Bench) -> Seat {
        let seats = self.seats.get_value();
        let Some(seat) = seats.into_iter().find(|seat| seat.bench == bench) else {
            unreachable!("every bench has a seat")
        };
        seat
    }

    // ---- pages

    /// Goes to a page, to its top.
    pub fn go(self, page: Page) {
        let before = self.page.get_untracked();
        self.turn_to(page);
        (self.outside.show_address)(&page.hash());
        self.scroll_up_from(before);
    }

    fn scroll_up_from(self, before: Page) {
        if self.page.get_untracked() != before {
            (self.outside.scroll_up)();
        }
    }

    /// From now on, what is opened is opened by the user.
    pub fn begun(self) {
        self.is_begun.set_value(true);
    }

    /// Follows an address that the user went to.
    pub fn go_along(self, hash: &str) {
        let before = self.page.get_untracked();
        self.follow(hash);
        self.scroll_up_from(before);
    }

    /// The page of a digit: 0 is the start page, the benches are counted from 1.
    pub fn page_of(self, digit: &str) -> Option<Page> {
        let place = digit.parse::<usize>().ok().filter(|_| digit.len() == 1)?;
        match place.checked_sub(1) {
            None => Some(Page::Start),
            Some(index) => self.benches.get(index).map(|bench| Page::Bench(bench)),
        }
    }

    /// Follows the address.
    pub fn follow(self, hash: &str) {
        match route::read(hash, self.benches) {
            Request::Page(page) => self.turn_to(page),
            Request::Permalink(link) => self.open_permalink(&link),
            Request::Shared => self.take_shared(),
            Request::Source(addresses, goal) => self.take_source(addresses, goal),
            Request::Comparison(links) => self.open_comparison(&links),
            Request::Unknown => {} // an anchor inside the page
        }
    }

    fn turn_to(self, page: Page) {
        if let Page::Bench(bench) = page {
            self.enter(self.seat(bench));
        }
        self.page.set(page);
    }

    /// Opens a bench that was not opened yet, or failed to open. Its room may come
    /// later than the page is shown: nothing here waits for it.
    pub fn enter(self, seat: Seat) {
        let is_held = seat.absent.with_untracked(|absent| match absent {
            Some(Absent::Held) => true,
            Some(Absent::Coming(_) | Absent::Lost(_)) => seat.was_marked,
            None => false,
        });
        let is_going = seat.way.get_untracked() == Way::Loading;
        if is_held || is_going || seat.room.with_untracked(Option::is_some) {
            return;
        }
        // memos and signals are made when the code is there, and then too they are the
        // page's, not the view's from which the bench was opened
        let enter = move || {
            let host = Host {
                bench: seat.bench,
                notices: self.notices,
                is_shown: Signal::derive(move || self.page.get() == Page::Bench(seat.bench)),
                open_example: Callback::new(move |()| self.open_example(seat.bench)),
                take_files: Callback::new(move |files| self.take_files(files)),
                read_text: Callback::new(move |text: String| self.read_text(&text)),
                leave: Callback::new(move |leaving| {
                    frame::leave(leaving, seat.asking, self.notices);
                }),
                goal: self.goal,
                models: self.models,
            };
            ScopedFuture::new_untracked((seat.bench.enter)(seat.desk, host))
        };
        let entering: Fetching<Room> = match self.owner.get_value() {
            Some(owner) => Box::pin(owner.with(enter)),
            None => Box::pin(enter()),
        };
        seat.way.set(Way::Loading);
        fetch(entering, move |room| {
            // its code may have been on the way for longer than the mark stays
            if seat.desk.work.with_untracked(|work| !work.is_blank()) {
                self.keeping.mark(seat.bench);
            }
            seat.entered(room);
        });
    }

    // ---- what comes from outside

    /// Puts the work of a bench aside and opens other work in its place. Where there is no
    /// room to put it aside, the user is asked first.
    pub fn open(self, bench: &'static Bench, work: Work) {
        self.open_as(bench, work, "", "");
    }

    /// The same, with what is said then, and the name that it had under Recent.
    fn open_as(self, bench: &'static Bench, work: Work, said: &str, recent: &str) {
        self.goal.set(None);
        let (seat, recent, said) = (self.seat(bench), recent.to_owned(), said.to_owned());
        let (name, told) = (recent.clone(), said.clone());
        let install = move |work: Work, and: &str| {
            self.install(seat, work);
            if !name.is_empty() {
                // it may be what this tab went on with beside another: then it is kept anew
                (self.outside.shelf.remove)(&keeper::recent_key(&name));
                self.keep_anew(seat);
            }
            self.show_recent();
            if !told.is_empty() {
                self.notices.say(format!("{told}{and}"));
            }
        };
        if !seat.is_replaced_by(&work) {
            return install(work, "");
        }
        let before = seat.desk.work.get_untracked();
        self.put_aside(seat, Box::new(move |is_kept| {
            if is_kept && seat.desk.work.with_untracked(|work| *work == before) {
                return install(work, " What was on this bench before is under Recent on the start page.");
            }
            if is_kept {
                // somebody went on typing while it was put aside
                let open = move || self.open_as(bench, work.clone(), &said, &recent);
                return self.offer(bench, "what was opened", open);
            }
            let anyway = move || install(work.clone(), "");
            let mut acts = self.ways_out();
            acts.push(Act::new("Open all the same", anyway));
            self.notices.insist(
                format!("{}: there is no room in this browser to put aside what is on it. Opening this replaces it.", bench.title),
                acts,
            );
        }));
    }

    /// Gives a way to open what was asked for and came later, at once where nothing has changed
    /// since now: whoever has gone on with the bench meanwhile, or gone elsewhere, is asked.
    fn once_there(self, bench: &'static Bench, what: &'static str) -> impl Fn(Work, &str) {
        let (page, work) = (self.page, self.seat(bench).desk.work);
        let (page_before, before) = (page.get_untracked(), work.get_untracked());
        move |opened, recent| {
            let now = page.get_untracked();
            let is_here = now == page_before || now == Page::Bench(bench);
            // it may be there already: a button was pressed twice
            let is_as_before = |work: &Work| *work == before || *work == opened;
            let is_free = is_here && work.with_untracked(is_as_before);
            let recent = recent.to_owned();
            let open = move || self.open_as(bench, opened.clone(), "", &recent);
            if is_free {
                open();
            } else {
                self.offer(bench, what, open);
            }
        }
    }

    fn offer(
        self,
        bench: &'static Bench,
        what: &str,
        open: impl Fn() + Clone + Send + Sync + 'static,
    ) {
        let words = format!(
            "{}: {what} is there now. You have gone on meanwhile, so all is as you left it.",
            bench.title
        );
        self.notices.offer(words, Act::new("Open it", open));
    }

    fn install(self, seat: Seat, work: Work) {
        let absent = seat.absent.get_untracked();
        // at start it may be the very link that the last visit did not come through
        let is_other = self.is_begun.get_value() || absent != Some(Absent::Held);
        if absent.is_some() && is_other {
            seat.absent.set(None);
        }
        self.notices.dismiss_about(seat.bench.title);
        if seat.desk.work.with_untracked(|before| *before != work) {
            self.keeping.turn_over(seat.bench);
            seat.desk.replace(work);
            seat.last_headline.set(None);
        }
        seat.desk.is_folded.set(true);
        self.notices.dismiss();
        // a room that is not there yet chooses when it is made
        if let Some(room) = seat.room.get_untracked() {
            room.choose_face.run(());
        }
        self.go(Page::Bench(seat.bench));
    }

    /// Opens a work that was put aside.
    pub fn open_recent(self, recent: Recent) {
        let keys = recent.work.keys();
        let there = self.once_there(recent.bench, "what was under Recent");
        let open = move |drawer: &[Option<String>]| match recent.work.work(drawer) {
            Some(work) => there(work, &recent.id),
            None => self
                .notices
                .warn("This work could not be read: this browser has forgotten a text of it."),
        };
        if keys.is_empty() {
            return open(&[]);
        }
        (self.outside.drawer.get)(
            keys,
            Box::new(move |found| open(&found.unwrap_or_default())),
        );
    }

    /// Opens a bench's example.
    pub fn open_example(self, bench: &'static Bench) {
        let there = self.once_there(bench, "the example");
        let take = move |fetched: Result<Work, String>| match fetched {
            Ok(work) => there(work, ""),
            Err(message) => self
                .notices
                .warn(format!("The example could not be opened: {message}.")),
        };
        (self.outside.fetch_example)(bench, Box::new(take));
    }

    /// Takes a text from outside: a permalink, something a bench knows, or what is read
    /// into that.
    pub fn take_text(self, text: String) {
        self.notices.dismiss();
        if let Err(text) = self.open_text(text, None) {
            self.read_text(&text);
        }
    }

    /// Reads a text that is none of our own documents.
    fn read_text(self, text: &str) {
        match (self.outside.hold)(text) {
            Some(held) => self.read(vec![("what was pasted".to_owned(), held)]),
            None => self.not_known("This"),
        }
    }

    fn not_known(self, what: &str) {
        let known = opening::known_by(self.benches);
        self.notices
            .warn(format!("{what} is not something a bench knows: {known}."));
    }

    /// Opens files of other tools that stand beside the page, to try it with.
    pub fn try_files(self, files: &'static [&'static str]) {
        let take = move |fetched| match fetched {
            Ok(files) => self.read(files),
            Err(message) => self
                .notices
                .warn(format!("The example could not be opened: {message}.")),
        };
        (self.outside.fetch_files)(files, Box::new(take));
    }

    /// Reads files that are none of our own documents.
    fn read(self, files: Vec<(String, Held)>) {
        let inputs = match self.page.get_untracked() {
            Page::Bench(bench) => bench.inputs,
            Page::Start | Page::Inside | Page::Runs => &[],
        };
        let prefers = inputs.iter().filter_map(|input| input.kind);
        (self.outside.read)(self.intake, files, prefers.collect());
    }

    /// Opens a text that is one of our own beyond doubt, of a file where it has the name of
    /// one, and says as what: a noun. The text comes back where it is not.
    fn open_text(self, text: String, file: Option<String>) -> Result<&'static str, String> {
        if let Some(link) = opening::permalink_in(&text) {
            match route::read(link, self.benches) {
                Request::Comparison(links) => self.open_comparison(&links),
                _ => self.open_permalink(link),
            }
            return Ok("a link");
        }
        if let Some(kept) = Kept::read_file(&text, self.benches) {
            self.take_file(kept);
            return Ok("saved work");
        }
        if report::is_report(&text) {
            self.take_report(text);
            return Ok("a report");
        }
        if runs::is_file(&text) {
            let notices = self.notices;
            fetch(Box::pin(runs::door::take(self, text)), move |taken| {
                if taken.is_err() {
                    notices.warn(
                        "The code that reads runs could not be loaded. Try again in a while.",
                    );
                }
            });
            return Ok("a file of runs");
        }
        if let Some(claim) = Claim::of_result(&text, self.benches) {
            self.take_result(claim);
            return Ok("a result");
        }
        let Some(place) = opening::sure_place_of(&text, self.benches) else {
            return Err(text);
        };
        self.put(&place, text, file, ["", ""]);
        Ok(place.input.known_by.noun)
    }

    /// Takes files that were given together. Nothing of them goes without a word: of
    /// several for the same place the last is on the bench and the others are under Recent.
    pub fn take_files(self, files: Files) {
        let files = match files {
            Ok(files) => files,
            Err(message) => return self.notices.warn(message),
        };
        self.notices.dismiss();
        if Bundle::is_among(files.iter().map(|file| file.name.as_str())) {
            return self.take_model(files);
        }
        let is_one = files.len() == 1;
        let (mut opened, mut others) = (Vec::new(), Vec::new());
        let mut guessed = Vec::new();
        let texts = files.iter().map(|file| file.text.as_deref());
        let first_of_two = opening::first_of_two(texts, self.benches);
        for (at, file) in files.into_iter().enumerate() {
            if let Some((_, place)) = first_of_two.as_ref().filter(|(first, _)| *first == at) {
                let name = format::name(&file.name);
                self.put_first(place, file.text.unwrap_or_default(), name.clone());
                opened.push((name, "the baseline of a comparison"));
                continue;
            }
            let name = format::name(&file.name);
            let found = file
                .text
                .and_then(|text| self.open_text(text, Some(name.clone())).ok());
            match found {
                Some(noun) => {
                    if file.is_guessed {
                        guessed.push(name.clone());
                    }
                    opened.push((name, noun));
                }
                None => others.push((file.name, file.held)),
            }
        }
        if !guessed.is_empty() {
            self.notices.tell(words::guessed_words(&guessed));
        }
        if !is_one && !opened.is_empty() {
            let words = opened
                .iter()
                .map(|(name, noun)| format!("{name} as {noun}"));
            let words = words.collect::<Vec<_>>().join(", ");
            let again = opening::is_twice(&opened);
            let rest = if again {
                " Of several of a kind the last one is on the bench, and the others are under Recent."
            } else {
                ""
            };
            self.notices.tell(format!("Opened: {words}.{rest}"));
        }
        if !others.is_empty() {
            self.read(others);
        }
    }

    /// Takes what another program has shared with the installed page.
    fn take_shared(self) {
        self.go(Page::Start);
        let take = move |files: Files| match files {
            Ok(files) if files.is_empty() => {}
            files => self.take_files(files),
        };
        (self.outside.fetch_shared)(Box::new(take));
    }

    /// Takes what lies on the page's own server, as if it were dropped.
    fn take_source(self, addresses: Vec<String>, goal: Option<Goal>) {
        self.go(Page::Start);
        let take = move |files| {
            self.take_files(files);
            self.goal.set(goal);
        };
        (self.outside.fetch_source)(addresses, Box::new(take));
    }

    /// Takes the files of a model to the bench that embeds.
    fn take_model(self, files: Vec<File>) {
        let embeds = |bench: &&&'static Bench| bench.settings.words.contains(&MODEL);
        if let Some(bench) = self.benches.iter().find(embeds) {
            let files = files.into_iter().map(|file| (file.name, file.held));
            self.models.set(Some(files.collect()));
            self.go(Page::Bench(bench));
        }
    }

    /// Takes a document that was made of a file.
    /// The labels that came with the one before go with it.
    pub fn take_made(self, kind: Kind, text: String, file: String, labels: &[String; 2]) {
        if let Some(place) = opening::place_for(kind, self.benches) {
            self.put(&place, text, Some(file), [&labels[0], &labels[1]]);
        }
    }

    /// Puts the first of two texts that are compared beside what is on the bench.
    fn put_first(self, Place { bench, input }: &Place, text: String, file: String) {
        let mut work = self.seat(bench).desk.work.get_untracked();
        work.set_text(input.name, text);
        work.set_file(input.name, Some(file));
        self.open(bench, work);
    }

    fn put(self, place: &Place, text: String, file: Option<String>, labels: [&str; 2]) {
        let mut work = if place.input.joins {
            self.seat(place.bench).desk.work.get_untracked()
        } else {
            Work::default()
        };
        work.set_text(place.input.name, text);
        work.set_file(place.input.name, file);
        let [before, now] = labels;
        if let Some(input) = place.bench.input(opening::LABELS).filter(|_| before != now) {
            let all = opening::relabelled(work.text(input.name), before, now);
            work.set_text(input.name, all);
        }
        self.open(place.bench, work);
    }

    /// Opens a permalink, at the place that it names; a damaged one leaves everything as it is.
    pub fn open_permalink(self, link: &str) {
        match link::decode_told(link, self.benches) {
            Ok((bench, work, masked)) => {
                let masked =
                    masked.map(|masked| format!(" Masked before it was shared: {masked}."));
                let said = format!("Opened from a link.{}", masked.unwrap_or_default());
                self.open_as(bench, work, &said, "");
                self.goal.set(Goal::split(link).1);
            }
            Err(message) => {
                self.notices.warn(format!(
                    "{}. Nothing was changed.",
                    format::sentence(&message)
                ));
                (self.outside.show_address)(&self.page.get_untracked().hash());
            }
        }
    }

    /// Opens two works that are to be held against each other, the earlier first.
    fn open_comparison(self, links: &[String; 2]) {
        let [one, other] = links
            .each_ref()
            .map(|link| link::decode(link, self.benches));
        let words = match (one, other) {
            (Ok((bench, one)), Ok((other_bench, other))) if bench == other_bench => {
                return self.show_pair(bench, [one, other]);
            }
            (Ok(_), Ok(_)) => "this link compares works of two benches".to_owned(),
            (Err(message), _) | (_, Err(message)) => message,
        };
        self.notices.warn(format!(
            "{}. Nothing was changed.",
            format::sentence(&words)
        ));
        (self.outside.show_address)(&self.page.get_untracked().hash());
    }

    /// Holds two works against each other: among the runs, or on their bench where that is done
    /// there.
    pub fn show_pair(self, bench: &'static Bench, works: [Work; 2]) {
        let Compare::OnBench(join) = bench.compare else {
            self.pair.set(Some((bench, works)));
            return self.go(Page::Runs);
        };
        let [before, after] = works;
        fetch(join(before, after), move |joined| match joined {
            Ok(work) => self.open(bench, work),
            Err(NotLoaded) => self
                .notices
                .warn("The code that compares runs could not be loaded. Try again in a while."),
        });
    }

    /// Checks a report and opens its input.
    fn take_report(self, text: String) {
        fetch(
            report::fetch_taken(text.clone(), self.benches),
            move |taken| {
                let taken = match taken {
                    Ok(Ok(taken)) => taken,
                    Ok(Err(message)) => {
                        let words =
                            format!("This report cannot be read: {message}. Nothing was changed.");
                        return self.notices.insist(words, Vec::new());
                    }
                    Err(NotLoaded) => {
                        return self.notices.warn(
                        "The code that checks reports could not be loaded. Try again in a while.",
                    );
                    }
                };
                if let Some((bench, work)) = taken.work {
                    self.open(bench, work);
                    let claim = taken.is_waiting.then(|| Claim::of_report(bench, &text));
                    self.claim.set(claim);
                }
                let words = format!("The report: {}", taken.said.join(" "));
                match taken.stands {
                    Some(false) => self.notices.insist(words, Vec::new()),
                    Some(true) | None => self.notices.tell(words),
                }
            },
        );
    }

    /// Takes a result to its bench, where it is held against what comes of the work there.
    fn take_result(self, claim: Claim) {
        let bench = claim.bench;
        if self.seat(bench).desk.work.with_untracked(Work::is_blank) {
            self.notices.tell(
                "A result does not hold its input. Open that here as well: the result is then held against what comes of it.",
            );
        }
        self.claim.set(Some(claim));
        self.go(Page::Bench(bench));
    }

    /// Switches the theme.
    pub fn switch_theme(self) {
        self.theme.update(|theme| *theme = theme.next());
        let theme = self.theme.get_untracked().name();
        (self.outside.show_theme)(theme);
        (self.outside.shelf.write)(theme::KEY, theme);
    }
}

/// A desk whose input is folded away where there is something on it: first the answer.
fn desk_with(work: Work) -> Desk {
    let is_blank = work.is_blank();
    let desk = Desk::new(work);
    desk.is_folded.set(!is_blank);
    desk
}

/// Takes what belongs to a bench out of a list.
fn of(
    list: &mut Vec<(&'static Bench, StoredWork, Option<String>)>,
    wanted: &Bench,
) -> Option<(StoredWork, Option<String>)> {
    let at = list.iter().position(|(bench, ..)| *bench == wanted)?;
    let (_, stored, headline) = list.swap_remove(at);
    Some((stored, headline))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::{Settings, named};
    use crate::app::benches::BENCHES;

    fn shell(kept: &[(&str, &str)]) -> (Owner, Shell) {
        let owner = Owner::new();
        owner.set();
        (owner, Shell::new(BENCHES, Theme::System, world::with(kept)))
    }

    const DEBATE: &str = r#"{"rev": 1, "by": "t", "headline": "A wins: 3.10", "work": {"texts": {"debate": "[]"}, "settings": {}}}"#;
    const PERSONA: &str =
        r#"{"rev": 1, "by": "t", "work": {"texts": {"persona": "id: x"}, "settings": {}}}"#;

    fn bench(name: &str) -> &'static Bench {
        named(BENCHES, name).expect("a bench")
    }

    fn is_entered(shell: Shell, name: &str) -> bool {
        shell.seat(bench(name)).room.with_untracked(Option::is_some)
    }

    #[test]
    fn a_bench_whose_code_does_not_come_keeps_its_work_and_can_be_asked_again() {
        let (_owner, shell) = shell(&[]);
        let seat = shell.seat(bench("toy"));
        shell.take_text("{\"verses\": [\"lost\"]}".into());
        assert_eq!(seat.way.get_untracked(), Way::Failed);
        assert!(!is_entered(shell, "toy"));
        assert!(seat.desk.work.with_untracked(|work| !work.is_blank()));
        seat.desk.replace(Work::of("poem", "{\"verses\": []}"));
        shell.enter(seat);
        assert_eq!(seat.way.get_untracked(), Way::Clear);
        assert!(is_entered(shell, "toy"));
    }

    /// The toy is a folder, its module's line and its place in the list of benches.
    #[test]
    fn one_more_bench_is_known_everywhere() {
        let (_owner, shell) = shell(&[]);
        let toy = bench("toy");
        // a text finds it, and it is routed to, entered and scored
        shell.take_text("{\"verses\": []}".into());
        assert_eq!(shell.page.get_untracked(), Page::Bench(toy));
        assert_eq!(shell.seat(toy).headline(), Some("2 words".into()));
        assert_eq!(
            shell.seat(toy).desk.face.get_untracked(),
            super::super::desk::Face::Form
        );
        shell.follow("#/");
        shell.follow("#/toy");
        assert_eq!(shell.page.get_untracked(), Page::Bench(toy));
        // its work is kept with its headline
        shell.keep();
        let again = Shell::new(BENCHES, Theme::System, shell.outside).seat(toy);
        let work = again.desk.work.get_untracked();
        assert_eq!(work, Work::of("poem", "{\"verses\": []}"));
        assert_eq!(again.headline(), Some("2 words".into()));
        // its links come back with what can be set
        let mut work = Work::of("poem", "half a {");
        let Settings { weights, words, .. } = toy.settings;
        work.set(weights[0].name, Some("0.5".into()));
        work.set(words[0], Some("iamb".into()));
        let link = link::encode(toy, &work).expect("small");
        shell.go(Page::Start);
        shell.follow(&format!("#{link}"));
        assert_eq!(shell.seat(toy).desk.work.get_untracked(), work);
        // what it replaced is recent
        let recent = shell.recent.get_untracked();
        assert_eq!((recent[0].bench, &*recent[0].headline), (toy, "2 words"));
        // keys, the sheet of them and the start page speak of it
        assert_eq!(shell.page_of("4"), Some(Page::Bench(toy)));
        let rows = around::shortcuts(BENCHES);
        assert_eq!(rows[1].0, "Alt + 1, 2, 3, 4");
        assert!(rows[1].1.ends_with(", Toy"));
        assert!(opening::nouns(BENCHES).ends_with(" or a poem"));
    }

    #[test]
    fn no_bench_is_entered_before_it_is_opened() {
        let (debate, persona) = (bench("debate"), bench("persona"));
        let (_owner, shell) = shell(&[
            ("assay.desk.debate", DEBATE),
            ("assay.desk.persona", PERSONA),
        ]);
        assert_eq!(shell.seat(debate).headline(), Some("A wins: 3.10".into()));
        assert_eq!(shell.seat(persona).headline(), None);
        shell.follow("#/toy");
        let entered = BENCHES.iter().filter(|bench| is_entered(shell, bench.name));
        assert_eq!(entered.map(|bench| bench.name).collect::<Vec<_>>(), ["toy"]);
        // once it is open its own verdict counts
        shell.go(Page::Bench(debate));
        assert_eq!(shell.seat(debate).headline(), None);
    }

    #[test]
    fn what_was_said_of_a_bench_that_was_never_opened_goes_with_its_work() {
        let debate = bench("debate");
        let (_owner, shell) = shell(&[("assay.desk.debate", DEBATE)]);
        shell.open(debate, Work::of("debate", "{}"));
        let recent = shell.recent.get_untracked();
        assert_eq!(recent[0].headline, "A wins: 3.10");
        assert_eq!(recent[0].work.work(&[]), Some(Work::of("debate", "[]")));
        assert_eq!(shell.seat(debate).headline(), None);
    }

    #[test]
    fn what_comes_late_does_not_replace_what_was_typed_meanwhile() {
        let (toy, debate) = (bench("toy"), bench("debate"));
        let owner = Owner::new();
        owner.set();
        let shell = Shell::new(BENCHES, Theme::System, world::slow(&[]));
        let work = shell.seat(toy).desk.work;
        // at once where nothing has changed
        shell.open_example(toy);
        shell.go(Page::Bench(toy));
        world::answer();
        assert_eq!(work.get_untracked(), world::example());
        // what was typed, and where one went, stays; the example is one press away
        for (typed, page) in [("mine", Page::Bench(toy)), ("", Page::Bench(debate))] {
            shell.go(Page::Start);
            shell.open_example(toy);
            let mine = Work::of("poem", typed);
            shell.seat(toy).desk.replace(mine.clone());
            shell.go(page);
            world::answer();
            assert_eq!(
                (work.get_untracked(), shell.page.get_untracked()),
                (mine, page)
            );
            let notices = shell.notices.all();
            let act = notices.iter().flat_map(|notice| &notice.acts).next();
            act.expect("a way to it").run();
            world::answer();
            assert_eq!(work.get_untracked(), world::example());
            assert_eq!(shell.page.get_untracked(), Page::Bench(toy));
        }
    }

    #[test]
    fn a_damaged_link_changes_nothing_but_the_notice() {
        let (_owner, shell) = shell(&[]);
        shell.follow("#/toy");
        shell.follow("#v1.AAAA");
        assert_eq!(shell.page.get_untracked(), Page::Bench(bench("toy")));
        assert!(shell.notices.get().is_some_and(|notice| notice.is_error));
        assert!(shell.recent.get_untracked().is_empty());
        shell.follow("#main");
        assert_eq!(shell.page.get_untracked(), Page::Bench(bench("toy")));
    }

    #[test]
    fn halves_of_a_work_join_and_whole_ones_replace() {
        let (_owner, shell) = shell(&[]);
        let work = shell.seat(bench("debate")).desk.work;
        let (debate, profiles) = ("{\"candidates\": []}", "{\"domains\": {}}");
        shell.take_text(profiles.into());
        shell.take_text(debate.into());
        assert_eq!(work.get_untracked(), Work::of("debate", debate));
        shell.take_text(profiles.into());
        assert_eq!(work.get_untracked().text("debate"), debate);
        assert_eq!(work.get_untracked().text("profiles"), profiles);
        shell.take_text("dear diary".into());
        assert!(
            shell
                .notices
                .get()
                .is_some_and(|notice| notice.text.contains("a debate has candidates, turns have"))
        );
    }
}
