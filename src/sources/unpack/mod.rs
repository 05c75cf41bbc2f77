//! What is inside a file: the entries of an archive, the card in a picture, the rows of a table,
//! the values of a YAML text. What a file is, its first bytes tell, never its name.
//!
//! ```text
//! JSON, JSON Lines          as it is
//! PNG                       the JSON of its text chunk `ccv3` or `chara`
//! zip                       its entries, read by its directory; archives in it are not opened
//! gzip, zstd                the one file in it
//! CSV, TSV                  an object for each row
//! YAML                      the same values as JSON
//! words with JSON in them   the JSON
//! any other text            one JSON string
//! ```

mod bounds;
mod content;
mod inflate;
mod kind;
mod part;
mod png;
mod table;
mod text;
mod zip;

use super::bytes::Bytes;
use super::notes::Notes;
use bounds::{HEAD, LARGEST};
use content::content;
use kind::FileKind;

pub use part::Part;

/// What came of unpacking a file.
#[derive(Debug)]
pub enum Unpacked {
    /// It is JSON already: it is read where it is.
    AsItIs,
    /// What is inside, as JSON.
    Parts(Vec<Part>),
}

/// Unpacks a file. `Err` says why nothing can be read; of an archive, what cannot be read is said
/// in `notes` and the rest is given.
pub fn unpack(name: &str, bytes: &dyn Bytes, notes: &mut Notes) -> Result<Unpacked, String> {
    let head = bytes.read(0..HEAD)?;
    let part = match FileKind::of(&head) {
        FileKind::Json => return Ok(Unpacked::AsItIs),
        FileKind::Zip => return Ok(Unpacked::Parts(zip::parts(bytes, notes)?)),
        FileKind::Png => Part {
            name: name.to_owned(),
            bytes: png::card(bytes, notes)?,
            original: None,
            is_table: false,
        },
        FileKind::Gzip => packed(name, inflate::gzip(&all(bytes)?, LARGEST), notes)?,
        FileKind::Zstd => packed(name, inflate::zstd(&all(bytes)?, LARGEST), notes)?,
        FileKind::Text => text::part(name, &all(bytes)?, LARGEST, notes)?,
        FileKind::Markup => return Err("web pages and XML are not read".into()),
        FileKind::Other => return Err("this is no text, and no archive that can be read".into()),
    };
    Ok(Unpacked::Parts(vec![part]))
}

/// Whether bytes begin an archive.
pub fn is_archive(head: &[u8]) -> bool {
    FileKind::of(head) == FileKind::Zip
}

/// All bytes of a file that is not read in stretches.
fn all(bytes: &dyn Bytes) -> Result<Vec<u8>, String> {
    if bytes.len() > LARGEST as u64 {
        let (size, most) = (bytes.len() / 1_000_000, LARGEST / 1_000_000);
        return Err(format!(
            "it has {size} MB: of what is not JSON at most {most} MB are read"
        ));
    }
    bytes.read(0..bytes.len())
}

/// The file in a packed one.
fn packed(
    name: &str,
    unpacked: Result<Vec<u8>, inflate::Failure>,
    notes: &mut Notes,
) -> Result<Part, String> {
    let own = match unpacked {
        Ok(own) => own,
        Err(inflate::Failure::Damaged) => {
            return Err("the packed file is cut off or damaged".into());
        }
        Err(inflate::Failure::TooLarge) => {
            let most = LARGEST / 1_000_000;
            return Err(format!(
                "unpacked it has more than {most} MB: unpack it and open what is inside"
            ));
        }
    };
    content(name, own, LARGEST, notes)?.ok_or_else(|| "what is packed in it is no text".to_owned())
}
