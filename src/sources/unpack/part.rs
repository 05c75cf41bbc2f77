//! A file in a file.

use std::ops::Range;

use super::super::bytes::Bytes;

/// A file in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in the archive, or that of the file.
    pub name: String,
    /// Its values as JSON, one or several.
    pub bytes: Vec<u8>,
    /// Its own text, where that is not JSON.
    pub original: Option<String>,
    /// Whether its values are the rows of a table.
    pub is_table: bool,
}

impl Bytes for Part {
    fn len(&self) -> u64 {
        Bytes::len(&self.bytes)
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        Bytes::read(&self.bytes, range)
    }

    fn original(&self) -> Option<&str> {
        self.original.as_deref()
    }

    fn is_table(&self) -> bool {
        self.is_table
    }
}
