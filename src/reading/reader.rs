//! What the worker holds, and how it answers.

use std::cell::RefCell;
use std::sync::Arc;

use super::protocol::{
    Document, FromReader, Inside, Item, Listing, MOST_ITEMS, Order, ToReader, Together, Unknown,
    VERSION,
};
use crate::sources::{self, Bytes, FORMATS, File, Format, Made, Strange, Wanted, together};
use crate::steps::{Pause, Progress};

/// Kilobytes that are read between two reports.
const REPORT: usize = 4_000;

/// The files that were given last.
#[derive(Default)]
pub struct Reader {
    files: RefCell<Vec<Option<File>>>,
    /// What several of them are together.
    together: RefCell<Option<File>>,
}

/// Where answers go.
pub type Answer<'a> = &'a dyn Fn(FromReader);

impl Reader {
    /// What the worker says first of all.
    pub fn hello() -> FromReader {
        FromReader::Hello {
            version: VERSION.into(),
            formats: FORMATS.iter().copied().map(named).collect(),
        }
    }

    /// Does what the page asks for, in steps of a stretch of a file. `files` are the bytes that
    /// come with the message.
    pub async fn hear(
        &self,
        message: ToReader,
        files: Vec<Box<dyn Bytes>>,
        answer: Answer<'_>,
        rest: Pause<'_>,
    ) {
        match message {
            ToReader::Open { names } => {
                self.together.take();
                *self.files.borrow_mut() = names.iter().map(|_| None).collect();
                for (at, (name, bytes)) in names.iter().zip(files).enumerate() {
                    let pause = reporting(at, answer, rest);
                    let opened = File::open_in_steps(name, bytes, None, &pause).await;
                    self.opened(at, opened, answer);
                }
                self.done(answer, rest).await;
            }
            ToReader::Reopen { file, format } => {
                self.together.take();
                let held = self.files.borrow_mut().get_mut(file).and_then(Option::take);
                let Some(held) = held else {
                    return answer(gone(file));
                };
                let pause = reporting(file, answer, rest);
                let opened = held.reopen_in_steps(&format, &pause).await;
                self.opened(file, opened, answer);
                self.done(answer, rest).await;
            }
            ToReader::Make(order) => answer(self.make(order)),
        }
    }

    fn opened(&self, at: usize, opened: Result<File, String>, answer: Answer) {
        match opened {
            Ok(file) => {
                tell_items(at, &file, answer);
                answer(FromReader::Opened {
                    file: at,
                    inside: inside(&file),
                });
                if let Some(held) = self.files.borrow_mut().get_mut(at) {
                    *held = Some(file);
                }
            }
            Err(message) => answer(FromReader::Failed { file: at, message }),
        }
    }

    /// Says that all files are looked through, and what several of them are together.
    async fn done(&self, answer: Answer<'_>, rest: Pause<'_>) {
        // nobody else takes files while these are being joined
        let files = self.files.take();
        let held: Vec<&File> = files.iter().flatten().collect();
        let joined = together(&held, rest).await;
        let told = joined.as_ref().map(|file| {
            tell_items(files.len(), file, answer);
            Together {
                name: file.name.clone(),
                inside: inside(file),
            }
        });
        *self.files.borrow_mut() = files;
        *self.together.borrow_mut() = joined;
        answer(FromReader::Done { together: told });
    }

    fn make(&self, order: Order) -> FromReader {
        let (files, together) = (self.files.borrow(), self.together.borrow());
        let together = together.as_ref().filter(|_| order.file == files.len());
        let Some(file) = files.get(order.file).and_then(Option::as_ref).or(together) else {
            return gone(order.file);
        };
        let listing = file.listings.get(order.listing);
        let wanted = Wanted {
            kind: order.kind,
            file: &file.name,
            because: listing.map_or("", |listing| listing.because.as_str()),
            mapping: order.mapping.clone(),
        };
        match file.make(order.listing, &order.items, &wanted) {
            Ok(made) => FromReader::Made {
                order,
                document: document(made),
            },
            Err(message) => FromReader::Failed {
                file: order.file,
                message,
            },
        }
    }
}

/// Tells what is inside of a file, in parts that a page reads within a frame.
fn tell_items(at: usize, file: &File, answer: Answer) {
    for (listing, of) in file.listings.iter().enumerate() {
        for items in of.items.chunks(MOST_ITEMS) {
            answer(FromReader::Items {
                file: at,
                listing,
                items: items.iter().map(item).collect(),
            });
        }
    }
}

/// Reports how far a file is looked through, and rests where it is to.
fn reporting<'a>(
    file: usize,
    answer: Answer<'a>,
    rest: Pause<'a>,
) -> impl Fn(Progress) -> bool + 'a {
    let next = std::cell::Cell::new(REPORT);
    move |progress| {
        if progress.done >= next.get() {
            next.set(progress.done + REPORT);
            answer(FromReader::Progress {
                file,
                read: progress.done as u64 * 1000,
                total: progress.total as u64 * 1000,
            });
        }
        rest(progress)
    }
}

fn gone(file: usize) -> FromReader {
    FromReader::Failed {
        file,
        message: "the file is not at hand any more: choose it again".into(),
    }
}

fn named(format: &Format) -> (String, String) {
    (format.key.to_owned(), format.noun.to_owned())
}

fn inside(file: &File) -> Inside {
    let mut notes = file.notes.clone();
    for listing in &file.listings {
        notes.extend(listing.notes.clone());
    }
    for strange in &file.strange {
        notes.extend(strange.unknown.notes.clone());
    }
    // what several files are not together is no listing: its notes say why
    let is_shown = |listing: &&sources::Listing| !file.is_joined() || !listing.items.is_empty();
    let listings = file.listings.iter().filter(is_shown);
    Inside {
        listings: listings.map(listing).collect(),
        unknown: file.strange.iter().map(not_known).collect(),
        dropped: notes.dropped,
        problems: notes.problems,
    }
}

fn item(item: &sources::Item) -> Item {
    Item {
        id: item.id.clone(),
        title: item.title.clone(),
        first_words: item.first_words.clone(),
        count: item.count,
        unit: item.unit.clone(),
        makes: item.makes.clone(),
    }
}

/// A listing without its items.
fn listing(listing: &sources::Listing) -> Arc<Listing> {
    Arc::new(Listing {
        format: listing.format.key.to_owned(),
        noun: listing.noun.clone(),
        because: listing.because.clone(),
        ties: listing.ties.iter().copied().map(named).collect(),
        items: Vec::new(),
    })
}

fn not_known(strange: &Strange) -> Unknown {
    let nearest = strange.unknown.nearest.iter().map(|(format, missing)| {
        let missing = missing.iter().map(|path| sources::shown(path));
        (format.noun.to_owned(), missing.collect())
    });
    Unknown {
        name: strange.name.clone(),
        nearest: nearest.collect(),
    }
}

fn document(made: Made) -> Document {
    Document {
        text: made.text,
        labels: made.labels,
        mapping: made.mapping,
        dropped: made.notes.dropped,
        problems: made.notes.problems,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Kind;
    use crate::steps::{THROUGH, at_once};

    fn heard(reader: &Reader, message: ToReader, files: Vec<Box<dyn Bytes>>) -> Vec<FromReader> {
        let heard = RefCell::new(Vec::new());
        let answer = |answer| heard.borrow_mut().push(answer);
        at_once(reader.hear(message, files, &answer, THROUGH));
        heard.into_inner()
    }

    #[test]
    fn a_file_is_looked_through_and_a_document_is_made_of_it() {
        let text = r#"{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}"#;
        let reader = Reader::default();
        let open = ToReader::Open {
            names: vec!["chat.json".into()],
        };
        let bytes: Box<dyn Bytes> = Box::new(text.as_bytes().to_vec());
        let told = heard(&reader, open, vec![bytes]);
        let [
            FromReader::Items { items, .. },
            FromReader::Opened { inside, .. },
            FromReader::Done { together: None },
        ] = &told[..]
        else {
            panic!("{told:?}");
        };
        assert_eq!((items[0].count, inside.listings.len()), (2, 1));
        let order = Order {
            file: 0,
            listing: 0,
            items: vec![0],
            kind: Kind::Turns,
            mapping: std::collections::BTreeMap::new(),
        };
        let made = heard(&reader, ToReader::Make(order.clone()), vec![]);
        assert!(
            matches!(&made[0], FromReader::Made { document, .. } if document.text.contains("Hello"))
        );
        let other = Order { file: 7, ..order };
        let gone = heard(&reader, ToReader::Make(other), vec![]);
        assert!(matches!(gone[0], FromReader::Failed { file: 7, .. }));
    }
}
