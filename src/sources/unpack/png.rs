//! Cards in pictures: the text chunk `ccv3`, or else `chara`, of a PNG is JSON in base64.

use std::ops::Range;

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use miniz_oxide::DataFormat;

use super::super::bytes::Bytes;
use super::super::notes::Notes;
use super::bounds::LARGEST;
use super::inflate::deflated;
use super::kind::is_json;

/// The most chunks that are walked through.
const MOST_CHUNKS: usize = 100_000;
/// The names under which a card stands, the best first.
const NAMES: [&str; 2] = ["ccv3", "chara"];
/// Cards are written with padding and without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The JSON of the card in a picture.
pub(super) fn card(bytes: &dyn Bytes, notes: &mut Notes) -> Result<Vec<u8>, String> {
    let mut found = [None, None];
    for (kind, range) in chunks(bytes)? {
        // `tEXt`, `zTXt` and `iTXt`
        if &kind[1..] != b"EXt" && &kind[1..] != b"TXt" || range.end - range.start > LARGEST as u64
        {
            continue;
        }
        let own = bytes.read(range)?;
        let Some((name, rest)) = cut(&own) else {
            continue;
        };
        let place = NAMES.iter().position(|known| known.as_bytes() == name);
        if let Some(place) = place
            && found[place].is_none()
        {
            found[place] = Some(content(kind, rest).and_then(json));
        }
    }
    if found.iter().all(Option::is_none) {
        return Err("the picture has no card in it".into());
    }
    for (card, name) in found.into_iter().zip(NAMES) {
        match card {
            Some(Some(card)) => return Ok(card),
            Some(None) => notes.error(
                1,
                "",
                format!("the card {name:?} of the picture is damaged"),
            ),
            None => {}
        }
    }
    Err("the card in the picture is damaged".into())
}

/// The kind of a chunk, and where its bytes are.
type Chunk = ([u8; 4], Range<u64>);

/// The chunks, as far as they go.
fn chunks(bytes: &dyn Bytes) -> Result<Vec<Chunk>, String> {
    let mut found = Vec::new();
    let mut at = 8;
    for _ in 0..MOST_CHUNKS {
        let head = bytes.read(at..at + 8)?;
        let Ok([s0, s1, s2, s3, kind @ ..]) = <[u8; 8]>::try_from(head) else {
            break;
        };
        let size = u64::from(u32::from_be_bytes([s0, s1, s2, s3]));
        let end = at + 8 + size;
        if end > bytes.len() || &kind == b"IEND" {
            break;
        }
        found.push((kind, at + 8..end));
        at = end + 4;
    }
    Ok(found)
}

/// What stands before a zero, and after it.
fn cut(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// The text of a chunk after its name.
fn content(kind: [u8; 4], rest: &[u8]) -> Option<Vec<u8>> {
    let whole = |packed: &[u8]| {
        let mut found = Vec::new();
        deflated(packed, DataFormat::Zlib, LARGEST, &mut found).ok()?;
        Some(found)
    };
    match &kind {
        b"tEXt" => Some(rest.to_vec()),
        b"zTXt" => whole(rest.get(1..)?),
        b"iTXt" => {
            // whether it is packed, how, a language and the name in that language
            let (_, after) = cut(rest.get(2..)?)?;
            let (_, text) = cut(after)?;
            match rest[0] {
                0 => Some(text.to_vec()),
                _ => whole(text),
            }
        }
        _ => None,
    }
}

/// The JSON of a text, which is base64 as a rule.
fn json(text: Vec<u8>) -> Option<Vec<u8>> {
    if text.trim_ascii_start().starts_with(b"{") {
        return Some(text);
    }
    let letters: Vec<u8> = text
        .into_iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .collect();
    let json = BASE64.decode(letters).ok()?;
    (!json.is_empty() && is_json(json.trim_ascii_start())).then_some(json)
}
