//! A file with what is in it.

use super::bytes::Bytes;
use super::listing::{Item, Listing, Look, Unknown, look};
use super::make::{Made, Wanted, make};
use super::notes::Notes;

/// A file that was looked through.
pub struct File {
    /// Its name.
    pub name: String,
    /// A listing for each format that there is in it.
    pub listings: Vec<Listing>,
    /// Parts that no format knows, with their names.
    pub unknown: Vec<(String, Unknown)>,
    /// What is said about the reading.
    pub notes: Notes,
    bytes: Box<dyn Bytes>,
}

impl File {
    /// Looks through a file. `wanted` is the key of a format that a person chose. `watch` is told
    /// how many bytes are read, and says whether to go on.
    pub fn open(
        name: &str,
        bytes: Box<dyn Bytes>,
        wanted: Option<&str>,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, String> {
        let mut file = Self {
            name: name.to_owned(),
            listings: Vec::new(),
            unknown: Vec::new(),
            notes: Notes::default(),
            bytes,
        };
        match look(&*file.bytes, wanted, watch)? {
            Look::Known(listing) => file.listings.push(listing),
            Look::Unknown(unknown) => file.unknown.push((name.to_owned(), unknown)),
        }
        Ok(file)
    }

    /// Makes a document of some items of one of its listings.
    pub fn make(&self, listing: usize, items: &[usize], wanted: &Wanted) -> Result<Made, String> {
        let listing = self
            .listings
            .get(listing)
            .ok_or("there is no such listing")?;
        let items: Vec<&Item> = items
            .iter()
            .filter_map(|at| listing.items.get(*at))
            .collect();
        make(&*self.bytes, listing.format, &items, wanted)
    }

    /// Its bytes, to be looked through anew.
    pub fn into_bytes(self) -> Box<dyn Bytes> {
        self.bytes
    }
}
