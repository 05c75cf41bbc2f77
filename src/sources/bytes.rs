//! Bytes that need not be in memory.

use std::ops::Range;

/// The bytes of a file, read in stretches.
pub trait Bytes {
    /// How many there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of them; fewer where the file ends before. What went wrong is said in words.
    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String>;

    /// The text that they were made of, where that is no JSON: a document in YAML.
    fn original(&self) -> Option<&str> {
        None
    }

    /// Whether they are the rows of a table.
    fn is_table(&self) -> bool {
        false
    }
}

impl Bytes for &[u8] {
    fn len(&self) -> u64 {
        (**self).len() as u64
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        let within = |at: u64| {
            usize::try_from(at)
                .unwrap_or(usize::MAX)
                .min((**self).len())
        };
        let (start, end) = (within(range.start), within(range.end));
        Ok(self[start..end.max(start)].to_vec())
    }
}

impl Bytes for Vec<u8> {
    fn len(&self) -> u64 {
        Bytes::len(&self.as_slice())
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>, String> {
        Bytes::read(&self.as_slice(), range)
    }
}
