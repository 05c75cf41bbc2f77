//! Finds personal data in a text: one pass, and at each place a bounded look ahead.

use super::kinds::{self, Kind};

/// Something personal, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Its bytes in the text.
    pub range: std::ops::Range<usize>,
    /// As it stands there, without escapes.
    pub text: String,
    /// What makes it the same as another: its letters in lower case, its digits.
    pub value: String,
}

/// A text as it reads, with the place of each byte: escapes of JSON are what they stand for, or a
/// space, so that nothing begins within one.
struct Plain {
    bytes: Vec<u8>,
    places: Vec<usize>,
}

impl Plain {
    fn new(text: &str) -> Self {
        let given = text.as_bytes();
        let (mut bytes, mut places) = (
            Vec::with_capacity(given.len()),
            Vec::with_capacity(given.len() + 1),
        );
        let mut at = 0;
        while at < given.len() {
            let (byte, length) = match (given[at], given.get(at + 1)) {
                (b'\\', Some(b'u')) => (b' ', 6),
                (b'\\', Some(next)) if next.is_ascii_alphabetic() => (b' ', 2),
                (b'\\', Some(next)) if next.is_ascii_punctuation() => (*next, 2),
                (byte, _) => (byte, 1),
            };
            bytes.push(byte);
            places.push(at);
            at += length;
        }
        places.push(given.len());
        Self { bytes, places }
    }
}

/// All personal data of a text, in its order; nothing overlaps.
///
/// ```
/// use assay::share::{PrivateKind, find};
/// let found = find("Write to jane@posteo.net, or call +49 170 1234567.");
/// let kinds: Vec<PrivateKind> = found.iter().map(|one| one.kind).collect();
/// assert_eq!(kinds, [PrivateKind::Mail, PrivateKind::Phone]);
/// ```
pub fn find(text: &str) -> Vec<Found> {
    let plain = Plain::new(text);
    let bytes = &plain.bytes;
    let mut all: Vec<Found> = Vec::new();
    let (mut at, mut free) = (0, 0);
    while at < bytes.len() {
        let Some((kind, start, end)) = here(bytes, at).filter(|(_, start, _)| *start >= free)
        else {
            at += 1;
            continue;
        };
        let read = String::from_utf8_lossy(&bytes[start..end]).into_owned();
        // a mail address begins before its sign: what was found in it is part of it
        all.push(Found {
            kind,
            range: plain.places[start]..plain.places[end],
            value: same(kind, &read),
            text: read,
        });
        (at, free) = (end.max(at + 1), end);
    }
    all
}

/// Where something ends that begins at a place.
type Known = fn(&[u8], usize) -> Option<usize>;

/// What is here: its kind and its bounds.
fn here(text: &[u8], at: usize) -> Option<(Kind, usize, usize)> {
    let byte = text[at];
    if byte == b'@' {
        return kinds::mail(text, at).map(|(start, end)| (Kind::Mail, start, end));
    }
    let before = at.checked_sub(1).map(|before| text[before]);
    let is_inside =
        |byte: u8| byte.is_ascii_alphanumeric() || b"_-./@#=&$".contains(&byte) || byte >= 0x80;
    if before.is_some_and(is_inside) {
        return None;
    }
    let first = |tries: &[(Kind, Known)]| {
        let mut tries = tries.iter();
        tries.find_map(|(kind, of)| of(text, at).map(|end| (*kind, at, end)))
    };
    match byte {
        b'0'..=b'9' => first(&[
            (Kind::Card, kinds::card),
            (Kind::Id, kinds::id),
            (Kind::Phone, kinds::phone),
            (Kind::Ip, kinds::ip),
            (Kind::Address, kinds::address),
        ]),
        b'+' | b'(' => first(&[(Kind::Phone, kinds::phone)]),
        b'A'..=b'Z' => first(&[
            (Kind::Iban, kinds::iban),
            (Kind::Id, kinds::id),
            (Kind::Address, kinds::strasse),
        ]),
        _ => None,
    }
}

/// What a value is compared by.
fn same(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Mail | Kind::Ip => text.to_lowercase(),
        Kind::Address => text.to_owned(),
        _ => text.chars().filter(char::is_ascii_alphanumeric).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, String)> {
        let found = find(text).into_iter();
        found.map(|one| (one.kind, one.text)).collect()
    }

    fn is(text: &str, kind: Kind, part: &str) {
        assert_eq!(kinds(text), [(kind, part.to_owned())], "{text}");
    }

    #[test]
    fn each_kind_is_found() {
        is(
            "write jane.doe+x@mail.posteo.net.",
            Kind::Mail,
            "jane.doe+x@mail.posteo.net",
        );
        is(
            r#"{"text": "hi\nbob@posteo.net\n"}"#,
            Kind::Mail,
            "bob@posteo.net",
        );
        is(r"jane\_doe@posteo\.net", Kind::Mail, "jane_doe@posteo.net");
        for phone in [
            "+49 170 1234567",
            "+1 (415) 555-2671",
            "415-555-2671",
            "(415) 555-2671",
            "020 7946 0958",
            "089/1234567",
            "+442079460958",
        ] {
            is(&format!("call {phone}, please"), Kind::Phone, phone);
        }
        for card in [
            "4111 1111 1111 1111",
            "4111111111111111",
            "3782-822463-10005",
            "5555555555554444",
        ] {
            is(&format!("card {card}."), Kind::Card, card);
        }
        for iban in ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819"] {
            is(&format!("to {iban} today"), Kind::Iban, iban);
        }
        is("from 93.184.216.34:80", Kind::Ip, "93.184.216.34");
        is(
            "at 2001:db8:85a3::8a2e:370:7334.",
            Kind::Ip,
            "2001:db8:85a3::8a2e:370:7334",
        );
        is("my number is 123-45-6789", Kind::Id, "123-45-6789");
        is("it is AB 12 34 56 C", Kind::Id, "AB 12 34 56 C");
        is(
            "codice RSSMRA85T10A562S, ecco",
            Kind::Id,
            "RSSMRA85T10A562S",
        );
        is(
            "at 221 Baker Street, London",
            Kind::Address,
            "221 Baker Street",
        );
        is("in der Hauptstraße 12a.", Kind::Address, "Hauptstraße 12a");
    }

    #[test]
    fn what_is_not_personal_is_left_alone() {
        for text in [
            "version 12.34.56.78 and 10.0.0.1, 127.0.0.1, 1.2.3.4",
            "icon@2x.png, @jane, npm i left-pad@1.3.0, git@github.com:a/b",
            "4111 1111 1111 1112 and 1234567812345678",
            "DE89 3704 0044 0532 0130 01",
            "order 2024-11-23 10:00:00, 1732358400000, 550e8400-e29b-41d4-a716-446655440000",
            "12 of 410, 3.14159, 1,000,000 and $4111111111111111",
            "000-12-3456, 666-12-3456, 123-456-789",
            "5 Small Steps, 12 Angry Men, 3 Main ideas, the Street 5",
            "a 60 - 70 % chance, +10 points, +100000, ISBN 0-306-40615-2",
            "the ratio is 16:9 at 12:30:45, std::vector, dead::beef",
            "RSSMRA85T10A562T",
            "Straße 5, Hauptstraße, 12",
        ] {
            assert_eq!(kinds(text), [], "{text}");
        }
    }
}
