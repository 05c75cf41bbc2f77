//! What a file is, by its first bytes.

/// What can be told by the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    /// JSON or JSON Lines in UTF-8, or nothing at all.
    Json,
    /// Any other text.
    Text,
    /// A web page, XML, a drawing.
    Markup,
    Png,
    Zip,
    Gzip,
    Zstd,
    /// What no one reads.
    Other,
}

impl FileKind {
    /// What bytes begin.
    pub(super) fn of(head: &[u8]) -> Self {
        match head {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => return Self::Png,
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => return Self::Zip,
            [0x1f, 0x8b, 8, ..] => return Self::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => return Self::Zstd,
            // the marks of UTF-16
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Self::Text,
            _ => {}
        }
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let is_control = |byte: &&u8| matches!(byte, 0..=8 | 14..=26 | 28..=31);
        if text.contains(&0) || text.iter().filter(is_control).count() * 20 > text.len() {
            return Self::Other;
        }
        let text = text.trim_ascii_start();
        if is_json(text) {
            return Self::Json;
        }
        let start: Vec<u8> = text.iter().take(9).map(u8::to_ascii_lowercase).collect();
        let markup: [&[u8]; 5] = [b"<!doctype", b"<html", b"<?xml", b"<svg", b"<!--"];
        if markup.iter().any(|mark| start.starts_with(mark)) {
            Self::Markup
        } else {
            Self::Text
        }
    }
}

/// Whether a text begins as JSON does: with a bracket, and after it what can stand in it.
pub(super) fn is_json(text: &[u8]) -> bool {
    let Some((first, rest)) = text.split_first() else {
        return true;
    };
    let next = rest.trim_ascii_start().first().copied();
    match (first, next) {
        // a comment may stand before the first key
        (b'{', next) => next.is_none_or(|next| matches!(next, b'"' | b'}' | b'/' | b'\'')),
        (b'[', next) => next.is_none_or(|next| {
            matches!(next, b'{' | b'[' | b'"' | b']' | b'/' | b'-' | b'0'..=b'9')
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_tell() {
        for (bytes, kind) in [
            (b"" as &[u8], FileKind::Json),
            (b"\xef\xbb\xbf [{\"a\": 1}]", FileKind::Json),
            (b"{\"a\": 1}", FileKind::Json),
            (b"{{char}} is kind.", FileKind::Text),
            (b"[INST] Hello", FileKind::Text),
            (b"a,b\n1,2\n", FileKind::Text),
            (b"\xff\xfea\0", FileKind::Text),
            (b"<!DOCTYPE html><p>", FileKind::Markup),
            (b"<START>\nAnn: Hello", FileKind::Text),
            (b"PK\x03\x04rest", FileKind::Zip),
            (b"\x1f\x8b\x08\0", FileKind::Gzip),
            (b"\0\0\0\x20ftyp", FileKind::Other),
        ] {
            assert_eq!(FileKind::of(bytes), kind, "{bytes:?}");
        }
    }
}
