//! The formats, one file each. A new one is a file with a [`Format`] in it and two lines here.

mod openai;

use super::format::Format;

/// All of them, in the order in which ties are told.
pub const FORMATS: &[&Format] = &[&openai::FORMAT];
