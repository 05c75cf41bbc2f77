//! What the worker holds, and how it answers.

use super::protocol::{
    Document, FromReader, Inside, Item, Listing, Order, ToReader, Unknown, VERSION,
};
use crate::sources::{self, Bytes, FORMATS, File, Format, Made, Notes, Strange, Wanted};

/// Bytes that are read between two reports.
const REPORT: u64 = 4_000_000;

/// The files that were given last.
#[derive(Default)]
pub struct Reader {
    files: Vec<Option<File>>,
}

impl Reader {
    /// What the worker says first of all.
    pub fn hello() -> FromReader {
        FromReader::Hello {
            version: VERSION.into(),
            formats: FORMATS.iter().copied().map(named).collect(),
        }
    }

    /// Does what the page asks for. `files` are the bytes that come with the message.
    pub fn hear(
        &mut self,
        message: ToReader,
        files: Vec<Box<dyn Bytes>>,
        answer: &mut dyn FnMut(FromReader),
    ) {
        match message {
            ToReader::Open { names } => {
                self.files = names.iter().map(|_| None).collect();
                for (at, (name, bytes)) in names.iter().zip(files).enumerate() {
                    self.open(at, name, bytes, answer);
                }
            }
            ToReader::Reopen { file, format } => {
                let held = self.files.get_mut(file).and_then(Option::take);
                match held {
                    Some(held) => {
                        let total = held.bytes();
                        let opened = held.reopen(&format, &mut reporting(file, total, answer));
                        self.opened(file, opened, answer);
                    }
                    None => answer(gone(file)),
                }
            }
            ToReader::Make(order) => answer(self.make(order)),
        }
    }

    fn open(
        &mut self,
        at: usize,
        name: &str,
        bytes: Box<dyn Bytes>,
        answer: &mut dyn FnMut(FromReader),
    ) {
        let total = bytes.len();
        let opened = File::open(name, bytes, None, &mut reporting(at, total, answer));
        self.opened(at, opened, answer);
    }

    fn opened(
        &mut self,
        at: usize,
        opened: Result<File, String>,
        answer: &mut dyn FnMut(FromReader),
    ) {
        match opened {
            Ok(file) => {
                answer(FromReader::Opened {
                    file: at,
                    inside: inside(&file),
                });
                self.files[at] = Some(file);
            }
            Err(message) => answer(FromReader::Failed { file: at, message }),
        }
    }

    fn make(&self, order: Order) -> FromReader {
        let Some(file) = self.files.get(order.file).and_then(Option::as_ref) else {
            return gone(order.file);
        };
        let because = file
            .listings
            .get(order.listing)
            .map_or("", |listing| listing.because.as_str());
        let wanted = Wanted {
            kind: order.kind,
            file: &file.name,
            because,
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

/// Reports how far a file is looked through.
fn reporting(
    file: usize,
    total: u64,
    answer: &mut dyn FnMut(FromReader),
) -> impl FnMut(u64) -> bool {
    let mut next = REPORT;
    move |read| {
        if read >= next {
            next = read + REPORT;
            answer(FromReader::Progress { file, read, total });
        }
        true
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
    Inside {
        listings: file.listings.iter().map(listing).collect(),
        unknown: file.strange.iter().map(not_known).collect(),
        dropped: notes.dropped.clone(),
        problems: problems(notes),
    }
}

fn listing(listing: &sources::Listing) -> Listing {
    let items = listing.items.iter().map(|item| Item {
        id: item.id.clone(),
        title: item.title.clone(),
        first_words: item.first_words.clone(),
        count: item.count,
        unit: item.unit.clone(),
        makes: item.makes.clone(),
    });
    Listing {
        format: listing.format.key.to_owned(),
        noun: listing.format.noun.to_owned(),
        because: listing.because.clone(),
        ties: listing.ties.iter().copied().map(named).collect(),
        items: items.collect(),
    }
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
        mapping: made.mapping,
        dropped: made.notes.dropped.clone(),
        problems: problems(made.notes),
    }
}

fn problems(notes: Notes) -> Vec<crate::document::Problem> {
    notes.problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Kind;

    #[test]
    fn a_file_is_looked_through_and_a_document_is_made_of_it() {
        let text = r#"{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}"#;
        let mut reader = Reader::default();
        let mut heard = Vec::new();
        let open = ToReader::Open {
            names: vec!["chat.json".into()],
        };
        let bytes: Box<dyn Bytes> = Box::new(text.as_bytes().to_vec());
        reader.hear(open, vec![bytes], &mut |answer| heard.push(answer));
        let FromReader::Opened { inside, .. } = &heard[0] else {
            panic!("{heard:?}");
        };
        assert_eq!(inside.listings[0].items[0].count, 2);
        heard.clear();
        let order = Order {
            file: 0,
            listing: 0,
            items: vec![0],
            kind: Kind::Turns,
            mapping: std::collections::BTreeMap::new(),
        };
        reader.hear(ToReader::Make(order.clone()), vec![], &mut |answer| {
            heard.push(answer)
        });
        assert!(
            matches!(&heard[0], FromReader::Made { document, .. } if document.text.contains("Hello"))
        );
        heard.clear();
        let other = Order { file: 7, ..order };
        reader.hear(ToReader::Make(other), vec![], &mut |answer| {
            heard.push(answer)
        });
        assert!(matches!(heard[0], FromReader::Failed { file: 7, .. }));
    }
}
