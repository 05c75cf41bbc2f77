//! Bytes of a file as a text.

/// What the bytes of a file were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with a byte-order mark or without.
    Utf8,
    /// UTF-16 with a byte-order mark.
    Utf16,
    /// Windows-1252, of which Latin-1 is a part: what is none of the others. Any bytes are
    /// a text in it, so this is a guess.
    Windows1252,
}

/// What Windows-1252 has from 0x80 to 0x9F; the five that it leaves open are as in Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Reads the bytes of a file, whatever they are. A byte-order mark is not part of the text.
///
/// ```
/// use assay::text::{Encoding, decode};
/// assert_eq!(decode("café".as_bytes()), ("café".to_owned(), Encoding::Utf8));
/// assert_eq!(decode(b"caf\xe9"), ("café".to_owned(), Encoding::Windows1252));
/// ```
pub fn decode(bytes: &[u8]) -> (String, Encoding) {
    let wide = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units = bytes.chunks(2).map(|pair| match *pair {
            [first, second] => read([first, second]),
            // half a character at the end
            _ => u16::from(b'?'),
        });
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => {
            return (String::from_utf8_lossy(rest).into_owned(), Encoding::Utf8);
        }
        [0xff, 0xfe, rest @ ..] => return (wide(rest, u16::from_le_bytes), Encoding::Utf16),
        [0xfe, 0xff, rest @ ..] => return (wide(rest, u16::from_be_bytes), Encoding::Utf16),
        _ => {}
    }
    if let Ok(text) = str::from_utf8(bytes) {
        return (text.to_owned(), Encoding::Utf8);
    }
    let of_byte = |byte: &u8| match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    (bytes.iter().map(of_byte).collect(), Encoding::Windows1252)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_told_by_its_bytes() {
        let text = "café “naïve” – 10 €";
        let wide: Vec<u16> = text.encode_utf16().collect();
        let little = wide.iter().flat_map(|unit| unit.to_le_bytes());
        let little: Vec<u8> = [0xff, 0xfe].into_iter().chain(little).collect();
        let big = wide.iter().flat_map(|unit| unit.to_be_bytes());
        let big: Vec<u8> = [0xfe, 0xff].into_iter().chain(big).collect();
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let narrow = b"caf\xe9 \x93na\xefve\x94 \x96 10 \x80";
        for (bytes, encoding) in [
            (text.as_bytes(), Encoding::Utf8),
            (&marked, Encoding::Utf8),
            (&little, Encoding::Utf16),
            (&big, Encoding::Utf16),
            (narrow, Encoding::Windows1252),
        ] {
            assert_eq!(decode(bytes), (text.to_owned(), encoding));
        }
    }

    #[test]
    fn any_bytes_are_a_text() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&all).0.chars().count(), 256);
        assert_eq!(decode(b""), (String::new(), Encoding::Utf8));
        assert_eq!(decode(b"\xff\xfea\0b").0, "a?");
    }
}
