//! Packed bytes made whole, up to a size: deflate, gzip, zlib and zstd.

use std::io::Read;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Why bytes are not made whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// They are not what they should be, or end before.
    Damaged,
    /// They come to more than there is room for.
    TooLarge,
}

/// Bytes that are made whole at once.
const STRETCH: usize = 64 << 10;
/// The most zstd frames, or gzip members, one after the other.
const MOST_FRAMES: usize = 100_000;

/// Adds what deflated bytes come to, and gives how many of them were used. What was there before
/// a failure stands in `found`.
pub(super) fn deflated(
    packed: &[u8],
    format: DataFormat,
    most: usize,
    found: &mut Vec<u8>,
) -> Result<usize, Failure> {
    let mut state = InflateState::new_boxed(format);
    let mut stretch = vec![0; STRETCH];
    let mut at = 0;
    loop {
        let step = inflate(&mut state, &packed[at..], &mut stretch, MZFlush::None);
        at += step.bytes_consumed;
        let room = most.saturating_sub(found.len());
        found.extend_from_slice(&stretch[..step.bytes_written.min(room)]);
        match step.status {
            _ if step.bytes_written > room => return Err(Failure::TooLarge),
            Ok(MZStatus::StreamEnd) => return Ok(at),
            Ok(_) if step.bytes_consumed > 0 || step.bytes_written > 0 => {}
            _ => return Err(Failure::Damaged),
        }
    }
}

/// The file in a gzip, of one member or several.
pub(super) fn gzip(mut packed: &[u8], most: usize) -> Result<Vec<u8>, Failure> {
    let mut found = Vec::new();
    for _ in 0..MOST_FRAMES {
        let start = found.len();
        let own = member(packed).ok_or(Failure::Damaged)?;
        let used = deflated(own, DataFormat::Raw, most, &mut found)?;
        let (check, rest) = own[used..].split_at_checked(8).ok_or(Failure::Damaged)?;
        if rawzip::crc32(&found[start..]).to_le_bytes() != check[..4] {
            return Err(Failure::Damaged);
        }
        if !rest.starts_with(&[0x1f, 0x8b, 8]) {
            // what else follows is padding
            return Ok(found);
        }
        packed = rest;
    }
    Err(Failure::Damaged)
}

/// What follows the head of a gzip member.
fn member(packed: &[u8]) -> Option<&[u8]> {
    let (head, mut rest) = packed.split_at_checked(10)?;
    let flags = *head.get(3)?;
    if flags & 4 != 0 {
        let (size, after) = rest.split_at_checked(2)?;
        let size = u16::from_le_bytes(size.try_into().ok()?);
        rest = after.get(usize::from(size)..)?;
    }
    // the name of the file and a comment, each up to a zero
    for flag in [8, 16] {
        if flags & flag != 0 {
            let end = rest.iter().position(|byte| *byte == 0)?;
            rest = rest.get(end + 1..)?;
        }
    }
    if flags & 2 != 0 {
        rest = rest.get(2..)?;
    }
    Some(rest)
}

/// What zstd frames come to, one after the other.
pub(super) fn zstd(packed: &[u8], most: usize) -> Result<Vec<u8>, Failure> {
    let mut found = Vec::new();
    zstd_into(packed, most, &mut found)?;
    Ok(found)
}

/// The same; what was there before a failure stands in `found`.
pub(super) fn zstd_into(
    mut packed: &[u8],
    most: usize,
    found: &mut Vec<u8>,
) -> Result<(), Failure> {
    let mut decoder = FrameDecoder::new();
    for _ in 0..MOST_FRAMES {
        if packed.is_empty() {
            return Ok(());
        }
        match StreamingDecoder::new_with_decoder(&mut packed, &mut decoder) {
            Ok(frame) => {
                // one byte more than there is room for tells that there is more
                let room = most.saturating_sub(found.len());
                let read = frame.take(room as u64 + 1).read_to_end(found);
                if found.len() > most {
                    found.truncate(most);
                    return Err(Failure::TooLarge);
                }
                read.map_err(|_| Failure::Damaged)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => packed = packed.get(length as usize..).ok_or(Failure::Damaged)?,
            Err(_) => return Err(Failure::Damaged),
        }
    }
    Err(Failure::Damaged)
}
