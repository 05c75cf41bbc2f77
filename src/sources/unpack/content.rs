//! What is in an unpacked file.

use super::super::notes::Notes;
use super::bounds::HEAD;
use super::kind::FileKind;
use super::part::Part;
use super::text;

/// A part of unpacked bytes; none of what can be of no use. `Err` says what is wrong.
pub(super) fn content(
    name: &str,
    own: Vec<u8>,
    most: usize,
    notes: &mut Notes,
) -> Result<Option<Part>, String> {
    match FileKind::of(&own[..own.len().min(HEAD as usize)]) {
        FileKind::Json => Ok(Some(Part {
            name: name.to_owned(),
            bytes: own,
            original: None,
            is_table: false,
        })),
        FileKind::Text => text::part(name, &own, most, notes).map(Some),
        FileKind::Zip | FileKind::Gzip | FileKind::Zstd => {
            Err("archives in archives are not opened".into())
        }
        FileKind::Png | FileKind::Markup | FileKind::Other => Ok(None),
    }
}
