//! What is known of the files that were given, and the talk with the worker.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;

use super::{Intake, Outlet};
use crate::app::browser::reader::{Held, Reading};
use crate::app::format::{bytes, count, name};
use crate::app::notice::Act;
use crate::document::Problem;
use crate::reading::protocol::{
    Document, FromReader, Inside, Item, Listing, Order, ToReader, Together, Unknown, VERSION,
};
use crate::sources::{Dropped, Kind, Setting, Value};

/// From this size on the page of what is inside is shown while a file is looked through.
const LARGE: f64 = 4e6;
/// So many documents are remembered with where they come from.
const MOST_ORIGINS: usize = 30;

/// All that is known.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// The files that were given last.
    pub(super) files: RwSignal<Vec<Given>>,
    /// The formats that there are: their keys and nouns.
    pub(super) formats: RwSignal<Vec<(String, String)>>,
    /// Where documents come from, the newest last.
    pub(super) origins: RwSignal<Vec<Origin>>,
    /// Whether the mapping is unfolded.
    pub(super) is_mapping_open: RwSignal<bool>,
    /// The kinds of the bench that the files were given on.
    pub(super) prefers: StoredValue<Vec<Kind>>,
    worker: StoredValue<Option<Reading>, LocalStorage>,
    held: StoredValue<Vec<Held>, LocalStorage>,
    /// How often files were given: what was made of those before cannot be made anew.
    round: RwSignal<u32>,
    /// The items that were told of files that are still looked through, by file and listing.
    told: StoredValue<BTreeMap<(usize, usize), Vec<Item>>>,
    /// What documents that are being made are for.
    purposes: StoredValue<Vec<(Order, Purpose)>>,
}

/// A file that was given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    pub(super) name: String,
    pub(super) size: f64,
    pub(super) seen: Seen,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Seen {
    /// It is looked through: so many bytes so far.
    Looking(f64),
    /// What is in it.
    Inside(Arc<Inside>),
    /// It cannot be read; in words.
    Failed(String),
}

/// What the first of two runs is opened as.
const BASELINE: &str = "the baseline of a comparison";

/// What a document is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Purpose {
    /// To be opened.
    Open,
    /// To be opened as the first of two that are compared.
    OpenFirst,
    /// To stand in the place of the one before, which had these labels.
    Remake(String),
}

/// Where a document comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Origin {
    pub(super) kind: Kind,
    pub(super) text: Arc<str>,
    /// The labels of its replies, one a line.
    pub(super) labels: String,
    /// The name of the file.
    pub(super) file: String,
    /// What it was read as, with an article.
    pub(super) noun: String,
    /// Why.
    pub(super) because: String,
    pub(super) order: Order,
    /// How many of how many items it is.
    pub(super) of: (usize, usize),
    pub(super) mapping: Vec<Setting>,
    pub(super) dropped: Vec<Dropped>,
    pub(super) problems: Vec<Problem>,
    round: u32,
}

impl Intake {
    /// The room, which is made when it is first asked for. It lives as long as the page.
    pub(super) fn room(self) -> Room {
        if let Some(room) = self.room.get_untracked() {
            return room;
        }
        let room = match self.owner.get_value() {
            Some(owner) => owner.with(Room::new),
            None => Room::new(),
        };
        self.room.set(Some(room));
        room
    }

    pub(super) fn outlet(self) -> Outlet {
        self.outlet.get_value()
    }
}

impl Room {
    fn new() -> Self {
        Self {
            files: RwSignal::new(Vec::new()),
            formats: RwSignal::new(Vec::new()),
            origins: RwSignal::new(Vec::new()),
            is_mapping_open: RwSignal::new(false),
            prefers: StoredValue::new(Vec::new()),
            worker: StoredValue::new_local(None),
            held: StoredValue::new_local(Vec::new()),
            round: RwSignal::new(0),
            told: StoredValue::new(BTreeMap::new()),
            purposes: StoredValue::new(Vec::new()),
        }
    }

    /// What is in a file, with the items that were told before.
    fn with_items(self, file: usize, mut inside: Inside) -> Inside {
        self.told.update_value(|told| {
            for (at, listing) in inside.listings.iter_mut().enumerate() {
                if let Some(items) = told.remove(&(file, at)) {
                    // nobody else holds it yet
                    *listing = Arc::new(Listing {
                        items,
                        ..(**listing).clone()
                    });
                }
            }
        });
        inside
    }

    /// Whether a file is what several files are together.
    pub(super) fn is_joined(self, file: usize) -> bool {
        file >= self.held.with_value(Vec::len)
    }

    /// What can be made of the items of an order.
    pub(super) fn makes(self, order: &Order) -> Vec<Kind> {
        self.files.with_untracked(|files| {
            let Some(Seen::Inside(inside)) = files.get(order.file).map(|given| &given.seen) else {
                return Vec::new();
            };
            let listing = inside.listings.get(order.listing);
            let first = order.items.first().and_then(|at| listing?.items.get(*at));
            first.map_or(Vec::new(), |item| item.makes.clone())
        })
    }

    /// The labels that came with a document, as far as that is remembered.
    fn labels_of(self, kind: Kind, text: &str) -> String {
        self.origins.with_untracked(|origins| {
            let mut origins = origins.iter().rev();
            let found = origins.find(|origin| origin.kind == kind && *origin.text == *text);
            found.map_or_else(String::new, |origin| origin.labels.clone())
        })
    }

    /// Whether the files of a document are still at hand. Tracked.
    pub(super) fn is_at_hand(self, origin: &Origin) -> bool {
        self.round.get() == origin.round
    }
}

/// Looks through files.
pub(super) fn take(intake: Intake, files: Vec<(String, Held)>, prefers: Vec<Kind>) {
    let (room, outlet) = (intake.room(), intake.outlet());
    room.prefers.set_value(prefers);
    room.round.update(|round| *round += 1);
    let given = files.iter().map(|(file, held)| Given {
        name: name(file),
        size: held.size(),
        seen: Seen::Looking(0.0),
    });
    room.files.set(given.collect());
    let (names, held): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let size: f64 = held.iter().map(Held::size).sum();
    room.held.set_value(held.clone());
    room.told.set_value(BTreeMap::new());
    let words = match &names[..] {
        [only] => format!("Reading {} ({}) …", name(only), bytes(size)),
        all => format!("Reading {} ({}) …", count(all.len(), "file"), bytes(size)),
    };
    outlet.notices.say(words);
    if size > LARGE {
        (outlet.show)();
    }
    tell(intake, &ToReader::Open { names }, &held);
}

/// Reads a file as another format.
pub(super) fn read_as(intake: Intake, file: usize, format: String) {
    let room = intake.room();
    see(room, file, Seen::Looking(0.0));
    tell(intake, &ToReader::Reopen { file, format }, &[]);
}

/// Stops looking, and forgets the files.
pub(super) fn cancel(intake: Intake) {
    let room = intake.room();
    room.worker.set_value(None);
    room.files.set(Vec::new());
    room.round.update(|round| *round += 1);
    intake.outlet().notices.dismiss();
}

/// Asks for a document that is opened when it is made.
pub(super) fn open(intake: Intake, order: Order) {
    ask(intake, order, Purpose::Open);
}

/// Makes a document anew, with a choice of its mapping changed.
pub(super) fn remap(intake: Intake, origin: &Origin, key: &str, value: Option<Value>) {
    let mut order = origin.order.clone();
    match value {
        Some(value) => order.mapping.insert(key.to_owned(), value),
        None => order.mapping.remove(key),
    };
    ask(intake, order, Purpose::Remake(origin.labels.clone()));
}

/// Opens what another choice of the mapping makes of a document beside it, as the first of two that
/// are compared.
pub(super) fn compare(intake: Intake, origin: &Origin, key: &str, value: String) {
    let mut order = origin.order.clone();
    order.mapping.insert(key.to_owned(), Value::Text(value));
    ask(intake, order, Purpose::OpenFirst);
}

/// Makes a document of another kind of the same items.
pub(super) fn remake_as(intake: Intake, origin: &Origin, kind: Kind) {
    let order = Order {
        kind,
        mapping: BTreeMap::new(),
        ..origin.order.clone()
    };
    open(intake, order);
}

fn ask(intake: Intake, order: Order, purpose: Purpose) {
    let room = intake.room();
    room.purposes
        .update_value(|purposes| purposes.push((order.clone(), purpose)));
    tell(intake, &ToReader::Make(order), &[]);
}

/// Tells the worker something; it is started where it does not run.
fn tell(intake: Intake, message: &ToReader, files: &[Held]) {
    let room = intake.room();
    if room.worker.with_value(Option::is_none) {
        match Reading::start(move |heard| hear(intake, heard)) {
            Ok(worker) => room.worker.set_value(Some(worker)),
            Err(words) => return broke(intake, &words),
        }
    }
    let sent = room
        .worker
        .with_value(|worker| worker.as_ref().map(|worker| worker.send(message, files)));
    if !matches!(sent, Some(Ok(()))) {
        broke(intake, "the browser did not hand over the files");
    }
}

fn hear(intake: Intake, heard: Result<FromReader, String>) {
    let room = intake.room();
    match heard {
        Err(words) => broke(intake, &words),
        Ok(FromReader::Hello { version, formats }) => {
            if version != VERSION {
                return broke(intake, "this page was replaced on the server: reload it");
            }
            room.formats.set(formats);
        }
        Ok(FromReader::Progress { file, read, .. }) => see(room, file, Seen::Looking(read as f64)),
        Ok(FromReader::Items {
            file,
            listing,
            items,
        }) => room.told.update_value(|told| {
            told.entry((file, listing)).or_default().extend(items);
        }),
        Ok(FromReader::Opened { file, inside }) => {
            see(
                room,
                file,
                Seen::Inside(Arc::new(room.with_items(file, inside))),
            );
        }
        Ok(FromReader::Done { together }) => {
            join(room, together);
            settle(intake);
        }
        Ok(FromReader::Failed { file, message }) => {
            let was_making = room.purposes.try_update_value(Vec::pop).flatten();
            if was_making.is_some() {
                intake
                    .outlet()
                    .notices
                    .warn(format!("No document could be made: {message}."));
            } else {
                see(room, file, Seen::Failed(message));
            }
        }
        Ok(FromReader::Made { order, document }) => made(intake, order, document),
    }
}

fn see(room: Room, file: usize, seen: Seen) {
    room.files.update(|files| {
        if let Some(given) = files.get_mut(file) {
            given.seen = seen;
        }
    });
}

/// Puts what several files are together after the last of them.
fn join(room: Room, together: Option<Together>) {
    let held = room.held.with_value(Vec::len);
    let joined = together.map(|Together { name, inside }| Given {
        name,
        size: 0.0,
        seen: Seen::Inside(Arc::new(room.with_items(held, inside))),
    });
    room.files.update(|files| {
        files.truncate(held);
        files.extend(joined);
    });
}

/// The worker broke: it is started anew when it is next needed.
fn broke(intake: Intake, words: &str) {
    let room = intake.room();
    // it is let go of when what it said is done with
    leptos::task::spawn_local(async move { room.worker.set_value(None) });
    room.purposes.set_value(Vec::new());
    room.round.update(|round| *round += 1);
    room.files.update(|files| {
        for given in files.iter_mut() {
            if matches!(given.seen, Seen::Looking(_)) {
                given.seen = Seen::Failed(format!("the program that reads files broke: {words}"));
            }
        }
    });
    let notices = intake.outlet().notices;
    notices.dismiss();
    notices.insist(format!("The files could not be read: {words}."), Vec::new());
}

/// A document of the only item of a file.
fn whole(file: usize, kind: Kind) -> Order {
    Order {
        file,
        listing: 0,
        items: vec![0],
        kind,
        mapping: BTreeMap::new(),
    }
}

/// When all files are looked through: opens what leaves no choice, and asks for the rest.
fn settle(intake: Intake) {
    let (room, outlet) = (intake.room(), intake.outlet());
    let files = room.files.get_untracked();
    if files
        .iter()
        .any(|given| matches!(given.seen, Seen::Looking(_)))
    {
        return;
    }
    outlet.notices.dismiss();
    let (own, joined) = files.split_at(room.held.with_value(Vec::len).min(files.len()));
    if let Some(Seen::Inside(inside)) = joined.first().map(|given| &given.seen) {
        if !inside.listings.is_empty() {
            // one of them or all of them together: that is to be chosen
            return (outlet.show)();
        }
        outlet.notices.insist(not_together(inside), Vec::new());
    }
    let prefers = room.prefers.get_value();
    let (mut orders, mut open_questions) = (Vec::new(), Vec::new());
    for (file, given) in own.iter().enumerate() {
        match &given.seen {
            Seen::Looking(_) => {}
            Seen::Failed(words) => outlet
                .notices
                .insist(format!("{}: {words}.", given.name), Vec::new()),
            Seen::Inside(inside) => match only(inside, &prefers) {
                Some(kind) => orders.push(whole(file, kind)),
                None if inside.listings.is_empty() => {
                    let words = not_known(&given.name, inside);
                    outlet.insist_on_a_choice(words, "Choose what it is");
                }
                None => open_questions.push(given.name.clone()),
            },
        }
    }
    let first = first_of_two(&orders, &*outlet.compares);
    if orders.len() > 1 {
        outlet.notices.tell(opened_words(&files, &orders, first));
    }
    match &open_questions[..] {
        [] => {}
        // nothing else is there to be looked at
        _ if orders.is_empty() => (outlet.show)(),
        names => {
            let names = names.join(", ");
            let words = format!("{names}: there is more than one way to open this.");
            outlet.insist_on_a_choice(words, "Choose what is opened");
        }
    }
    for (at, order) in orders.into_iter().enumerate() {
        let purpose = if first == Some(at) {
            Purpose::OpenFirst
        } else {
            Purpose::Open
        };
        ask(intake, order, purpose);
    }
}

impl Outlet {
    /// Says what cannot be opened at once, with the way to the page of what is inside.
    fn insist_on_a_choice(&self, words: String, label: &'static str) {
        let show = self.show.clone();
        let choose = Act::new(label, move || show());
        self.notices.insist(words, vec![choose]);
    }
}

/// Of exactly two documents of a kind that is compared, the first.
fn first_of_two(orders: &[Order], compares: &dyn Fn(Kind) -> bool) -> Option<usize> {
    let all = orders.iter().enumerate();
    let found: Vec<usize> = all
        .filter(|(_, order)| compares(order.kind))
        .map(|(at, _)| at)
        .collect();
    match found[..] {
        [first, second] if orders[first].kind == orders[second].kind => Some(first),
        _ => None,
    }
}

/// Why several files are not one document.
fn not_together(inside: &Inside) -> String {
    let words = inside.problems.iter().map(|problem| &*problem.message);
    let words: Vec<_> = words.collect();
    format!("No debate of these logs. {}.", words.join(". "))
}

/// What several files were opened as.
fn opened_words(files: &[Given], orders: &[Order], first: Option<usize>) -> String {
    let words = orders.iter().enumerate().map(|(at, order)| {
        let name = files
            .get(order.file)
            .map_or("", |given| given.name.as_str());
        let noun = if first == Some(at) {
            BASELINE
        } else {
            order.kind.noun()
        };
        format!("{name} as {noun}")
    });
    let words: Vec<_> = words.collect();
    let others = orders
        .iter()
        .enumerate()
        .filter(|(at, _)| first != Some(*at));
    let kinds = others.map(|(_, order)| order.kind);
    let is_twice = kinds.clone().collect::<BTreeSet<_>>().len() < kinds.count();
    let rest = if is_twice {
        " Of several of a kind the last one is on the bench, and the others are under Recent."
    } else {
        ""
    };
    format!("Opened: {}.{rest}", words.join(", "))
}

/// The kind that the only item of a file becomes, where nothing is to be asked.
fn only(inside: &Inside, prefers: &[Kind]) -> Option<Kind> {
    match &inside.listings[..] {
        // any words could be anything: they are not opened unasked
        [listing]
            if listing.format != "text" && listing.items.len() == 1 && listing.ties.is_empty() =>
        {
            let makes = &listing.items[0].makes;
            let preferred = makes.iter().find(|kind| prefers.contains(kind));
            preferred.or_else(|| makes.first()).copied()
        }
        _ => None,
    }
}

/// What is said of a file that no format knows.
fn not_known(file: &str, inside: &Inside) -> String {
    let mut words = vec![format!("{file} is not something that Assay reads.")];
    if let Some(Unknown { nearest, .. }) = inside.unknown.first() {
        let near = nearest.iter().take(2);
        let near: Vec<_> = near
            .map(|(noun, missing)| missing_words(noun, missing))
            .collect();
        if !near.is_empty() {
            words.push(format!("Nearest: {}.", near.join("; ")));
        }
    }
    if let Some(problem) = inside.problems.first() {
        words.push(format!("Line {}: {}.", problem.line, problem.message));
    }
    words.join(" ")
}

fn missing_words(noun: &str, missing: &[String]) -> String {
    let is = if missing.len() == 1 { "is" } else { "are" };
    format!("{noun}, but {} {is} missing", missing.join(" and "))
}

/// A document was made: it goes where it was wanted, and it is remembered where it comes from.
fn made(intake: Intake, order: Order, document: Document) {
    let (room, outlet) = (intake.room(), intake.outlet());
    let purpose = room.purposes.try_update_value(|purposes| {
        let at = purposes.iter().position(|(wanted, _)| *wanted == order)?;
        Some(purposes.remove(at).1)
    });
    let Some(purpose) = purpose.flatten() else {
        return;
    };
    let Document {
        text,
        labels,
        mapping,
        dropped,
        problems,
    } = document;
    let files = room.files.get_untracked();
    let Some(given) = files.get(order.file) else {
        return;
    };
    let Seen::Inside(inside) = &given.seen else {
        return;
    };
    let Some(listing) = inside.listings.get(order.listing) else {
        return;
    };
    let origin = Origin {
        kind: order.kind,
        text: text.as_str().into(),
        labels: labels.clone(),
        file: given.name.clone(),
        noun: listing.noun.clone(),
        because: listing.because.clone(),
        of: (order.items.len(), listing.items.len()),
        mapping,
        dropped,
        problems,
        round: room.round.get_untracked(),
        order,
    };
    let kind = origin.kind;
    let labels_before = room.labels_of(kind, &(outlet.text)(kind));
    room.origins.update(|origins| {
        origins.retain(|other| other.text != origin.text);
        origins.push(origin);
        if origins.len() > MOST_ORIGINS {
            origins.remove(0);
        }
    });
    match purpose {
        Purpose::Open => {
            (outlet.open)(kind, text, given.name.clone(), [labels_before, labels]);
        }
        Purpose::OpenFirst => (outlet.open_first)(kind, text, given.name.clone()),
        Purpose::Remake(before) => (outlet.replace)(kind, text, [before, labels]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(makes: &[Kind]) -> Item {
        Item {
            id: String::new(),
            title: String::new(),
            first_words: String::new(),
            count: 1,
            unit: "messages".into(),
            makes: makes.to_vec(),
        }
    }

    fn inside(items: Vec<Item>) -> Inside {
        Inside {
            listings: vec![Arc::new(Listing {
                format: "x".into(),
                noun: "an x".into(),
                because: "it has `x`".into(),
                ties: Vec::new(),
                items,
            })],
            ..Inside::default()
        }
    }

    #[test]
    fn one_item_is_opened_on_the_bench_it_was_given_on() {
        let both = [Kind::Transcript, Kind::Turns];
        let one = inside(vec![item(&both)]);
        assert_eq!(only(&one, &[]), Some(Kind::Transcript));
        assert_eq!(only(&one, &[Kind::Turns]), Some(Kind::Turns));
        assert_eq!(only(&one, &[Kind::Debate]), Some(Kind::Transcript));
        assert_eq!(only(&inside(vec![item(&both), item(&both)]), &[]), None);
        assert_eq!(only(&Inside::default(), &[]), None);
    }

    #[test]
    fn what_is_not_known_is_said_with_what_came_near() {
        let inside = Inside {
            unknown: vec![Unknown {
                name: "x".into(),
                nearest: vec![("a chat".into(), vec!["`role`".into(), "`content`".into()])],
            }],
            ..Inside::default()
        };
        assert_eq!(
            not_known("x.json", &inside),
            "x.json is not something that Assay reads. Nearest: a chat, but `role` and `content` are missing."
        );
    }
}
