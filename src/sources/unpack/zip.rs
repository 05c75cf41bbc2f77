//! The entries of a zip archive, read by its directory: only those that are texts, within bounds.

use std::collections::HashMap;
use std::io;

use miniz_oxide::DataFormat;
use rawzip::{CompressionMethod, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder, ZipLocator};

use super::super::bytes::Bytes;
use super::super::notes::Notes;
use super::bounds::{HEAD, LARGEST, LARGEST_ALL, MOST_TIMES};
use super::content::content;
use super::inflate::{Failure, deflated, zstd_into};
use super::kind::FileKind;
use super::part::Part;

/// The most entries that are looked at.
const MOST_ENTRIES: usize = 50_000;
/// The most bytes of an entry's name.
const LONGEST_NAME: usize = 1024;
/// Entries from this size on are looked at before they are unpacked.
const LARGE: u64 = 1 << 20;
/// Packed bytes that are read to look at one: more than the largest block of zstd.
const GLANCE: u64 = 160 << 10;

/// The bytes as the archive reads them.
struct At<'a>(&'a dyn Bytes);

impl ReaderAt for At<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let end = offset.saturating_add(buffer.len() as u64);
        let read = self.0.read(offset..end).map_err(io::Error::other)?;
        let size = read.len().min(buffer.len());
        buffer[..size].copy_from_slice(&read[..size]);
        Ok(size)
    }
}

/// An entry as the directory has it.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    is_encrypted: bool,
    check: u32,
}

/// The entries that can be of use. What cannot be read is said, and the rest is given.
pub(super) fn parts(bytes: &dyn Bytes, notes: &mut Notes) -> Result<Vec<Part>, String> {
    parts_within(LARGEST_ALL, bytes, notes)
}

/// The same with room for so many bytes.
fn parts_within(
    mut room: usize,
    bytes: &dyn Bytes,
    notes: &mut Notes,
) -> Result<Vec<Part>, String> {
    let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipLocator::new()
        .locate_in_reader(At(bytes), &mut buffer, bytes.len())
        .map_err(|_| "the archive is cut off or damaged: it has no directory".to_owned())?;
    let entries = entries(&archive, &mut buffer, notes);
    let mut parts = Vec::new();
    for entry in &entries {
        match part(&archive, entry, &mut room, notes) {
            Ok(Some(part)) => {
                room = room.saturating_sub(part.bytes.len());
                parts.push(part);
            }
            Ok(None) => notes.drop("entries of the archive that are no text", 0),
            Err(words) => notes.error(1, "", format!("{:?} is left out: {words}", entry.name)),
        }
    }
    Ok(parts)
}

/// The entries with something in them; of those with one name the last.
fn entries(archive: &ZipArchive<At>, buffer: &mut [u8], notes: &mut Notes) -> Vec<Entry> {
    let mut found = Vec::<Entry>::new();
    let mut known = HashMap::<String, usize>::new();
    let mut directory = archive.entries(buffer);
    for count in 0.. {
        let entry = match directory.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(_) => {
                notes.error(
                    1,
                    "",
                    "the archive is damaged: its directory ends too early",
                );
                break;
            }
        };
        if count == MOST_ENTRIES {
            let words = format!("only the first {MOST_ENTRIES} entries of the archive are read");
            notes.error(1, "", words);
            break;
        }
        if entry.is_dir() || entry.uncompressed_size_hint() == 0 {
            continue;
        }
        if entry.file_path().len() > LONGEST_NAME {
            notes.drop("entries of the archive with very long names", 0);
            continue;
        }
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let entry = Entry {
            place: entry.wayfinder(),
            method: entry.compression_method(),
            is_encrypted: entry.flags().is_encrypted(),
            check: entry.crc32(),
            name: name.clone(),
        };
        if let Some(at) = known.get(&name) {
            notes.drop("entries of the archive that a later one replaces", 0);
            found[*at] = entry;
        } else {
            known.insert(name, found.len());
            found.push(entry);
        }
    }
    found
}

/// What an entry holds; none of one that is no text. `room` is what may still be unpacked: every
/// try takes of it, or else many entries could share bytes that are slow to unpack.
fn part(
    archive: &ZipArchive<At>,
    entry: &Entry,
    room: &mut usize,
    notes: &mut Notes,
) -> Result<Option<Part>, String> {
    let size = entry.place.uncompressed_size_hint();
    let packed = entry.place.compressed_size_hint();
    if entry.is_encrypted {
        return Err("it is encrypted".into());
    }
    if !is_known(entry.method) {
        return Err(format!(
            "it is packed by the method {}",
            entry.method.as_u16()
        ));
    }
    let damaged = |_| "it is cut off or damaged".to_owned();
    let (start, end) = archive
        .get_entry(entry.place)
        .map_err(damaged)?
        .compressed_data_range();
    let bytes = archive.get_ref().0;
    if end > bytes.len() {
        return Err("it is cut off or damaged".into());
    }
    let mut take = |of: u64| {
        let of = usize::try_from(of).unwrap_or(usize::MAX);
        let most = LARGEST_ALL / 1_000_000;
        *room = room
            .checked_sub(of)
            .ok_or_else(|| format!("of an archive at most {most} MB are unpacked"))?;
        Ok::<(), String>(())
    };
    if size > LARGE {
        take(GLANCE)?;
        let head = bytes.read(start..end.min(start + GLANCE))?;
        let mut glance = Vec::new();
        // it ends in the middle, as it should
        let _ = whole(entry.method, &head, HEAD as usize, &mut glance);
        if matches!(
            FileKind::of(&glance),
            FileKind::Png | FileKind::Markup | FileKind::Other
        ) {
            return Ok(None);
        }
    }
    bounds(size, packed)?;
    take(size.max(packed))?;
    let mut own = Vec::new();
    let read = whole(
        entry.method,
        &bytes.read(start..end)?,
        size as usize,
        &mut own,
    );
    if read.is_err() || own.len() as u64 != size || rawzip::crc32(&own) != entry.check {
        return Err("it is cut off or damaged".into());
    }
    content(&entry.name, own, LARGEST.min(*room), notes)
}

/// Whether the size of an entry is one that a text has.
fn bounds(size: u64, packed: u64) -> Result<(), String> {
    let most = LARGEST as u64;
    if size.max(packed) > most {
        let (size, most) = (size.max(packed) / 1_000_000, most / 1_000_000);
        return Err(format!(
            "it has {size} MB, of an archive's entry at most {most} MB are read: unpack it and open it by itself"
        ));
    }
    if size > LARGE && size / MOST_TIMES as u64 > packed {
        return Err(format!(
            "unpacked it is more than {MOST_TIMES} times as large, as no text is"
        ));
    }
    Ok(())
}

fn is_known(method: CompressionMethod) -> bool {
    [
        CompressionMethod::STORE,
        CompressionMethod::DEFLATE,
        CompressionMethod::ZSTD,
    ]
    .contains(&method)
}

/// Unpacks bytes up to a size.
fn whole(
    method: CompressionMethod,
    packed: &[u8],
    most: usize,
    found: &mut Vec<u8>,
) -> Result<(), Failure> {
    match method {
        CompressionMethod::DEFLATE => deflated(packed, DataFormat::Raw, most, found).map(|_| ()),
        CompressionMethod::ZSTD => zstd_into(packed, most, found),
        _ => {
            found.extend_from_slice(&packed[..packed.len().min(most)]);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive whose entries all have the same stored bytes.
    fn overlapping(times: u16, own: &[u8]) -> Vec<u8> {
        let head = |name: u16| {
            let sizes = [rawzip::crc32(own), own.len() as u32, own.len() as u32];
            let sizes = sizes.map(u32::to_le_bytes).concat();
            [
                &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                &sizes[..],
                &name.to_le_bytes(),
                &[0, 0],
            ]
            .concat()
        };
        let mut all = [b"PK\x03\x04", &head(0)[..], own].concat();
        let start = all.len() as u32;
        for at in 0..times {
            let name = format!("{at:05}");
            all.extend([b"PK\x01\x02\x14\0", &head(5)[..], &[0; 14], name.as_bytes()].concat());
        }
        let size = all.len() as u32 - start;
        let counts = [times, times].map(u16::to_le_bytes).concat();
        let places = [size, start].map(u32::to_le_bytes).concat();
        all.extend([b"PK\x05\x06\0\0\0\0", &counts[..], &places, &[0, 0]].concat());
        all
    }

    #[test]
    fn entries_that_share_their_bytes_take_room_each() {
        let own = [b"[\"", &[b'a'; 1000][..], b"\"]"].concat();
        let archive = overlapping(100, &own);
        let mut notes = Notes::default();
        let parts = parts_within(20_000, &archive, &mut notes).expect("an archive");
        // each of 1004 bytes is unpacked and kept: after 19 times there is no room
        assert_eq!(parts.len(), 10);
        assert_eq!(notes.problems.len(), 100 - parts.len());
    }
}
