//! The benches, each in a folder of its own: a record (its `mod.rs`), the door, the
//! model (memos), the form, the result, the words and the options. A new one is a
//! folder and two lines here: its module, and its record in [`BENCHES`].

mod another;
pub mod constitution;
pub mod debate;
mod page;
pub mod persona;
#[cfg(test)]
mod toy;

use super::bench::Benches;

/// All benches, in the order of the navigation.
pub const BENCHES: Benches = &[
    &debate::BENCH,
    &constitution::BENCH,
    &persona::BENCH,
    #[cfg(test)]
    &toy::BENCH,
];
