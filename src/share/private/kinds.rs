//! Kinds of personal data, and how each is known where it begins.

use serde::Serialize;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // named by what is said of it
pub enum Kind {
    Mail,
    Phone,
    Card,
    Iban,
    Ip,
    Id,
    Address,
}

impl Kind {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 7] = [
        Self::Mail,
        Self::Phone,
        Self::Address,
        Self::Card,
        Self::Iban,
        Self::Ip,
        Self::Id,
    ];

    /// What stands in its mask.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mail => "mail",
            Self::Phone => "phone",
            Self::Card => "card",
            Self::Iban => "iban",
            Self::Ip => "ip",
            Self::Id => "id",
            Self::Address => "address",
        }
    }

    /// One of it, and several.
    pub const fn nouns(self) -> [&'static str; 2] {
        match self {
            Self::Mail => ["a mail address", "mail addresses"],
            Self::Phone => ["a phone number", "phone numbers"],
            Self::Card => ["a card number", "card numbers"],
            Self::Iban => ["an IBAN", "IBANs"],
            Self::Ip => ["an IP address", "IP addresses"],
            Self::Id => ["a national id", "national ids"],
            Self::Address => ["a postal address", "postal addresses"],
        }
    }
}

/// Endings of file names that follow an `@` as hosts do (`icon@2x.png`).
const FILES: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "js", "ts", "css", "json", "html", "map",
];
/// Length of an IBAN by country.
const IBANS: [(&str, usize); 38] = [
    ("AD", 24),
    ("AE", 23),
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GI", 23),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
];
const STREETS: [&str; 9] = [
    "Street",
    "St",
    "Avenue",
    "Ave",
    "Road",
    "Rd",
    "Lane",
    "Boulevard",
    "Blvd",
];
const STRASSEN: [&str; 5] = ["straße", "strasse", "str.", "gasse", "allee"];

/// The mail address around an `@`: its bounds. A local part has at most 64 characters, a host 253.
pub fn mail(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let is_local = |byte: &u8| byte.is_ascii_alphanumeric() || b"._%+-".contains(byte);
    let local = text[..at]
        .iter()
        .rev()
        .take(65)
        .take_while(|byte| is_local(byte));
    let mut start = at - local.count();
    while start < at && !text[start].is_ascii_alphanumeric() {
        start += 1;
    }
    let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let host = text[at + 1..]
        .iter()
        .take(254)
        .take_while(|byte| is_host(byte));
    let mut end = at + 1 + host.count();
    while end > at + 1 && !text[end - 1].is_ascii_alphanumeric() {
        end -= 1;
    }
    let length = at - start;
    if !(1..=64).contains(&length) || text[at - 1] == b'.' || end - at > 254 {
        return None;
    }
    // git@host:path is no address
    if text.get(end) == Some(&b':') && text.get(end + 1).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let labels: Vec<&[u8]> = text[at + 1..end].split(|byte| *byte == b'.').collect();
    let top = labels.last()?;
    let is_label = |label: &&[u8]| !label.is_empty() && label[0] != b'-';
    let is_top = top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic);
    let is_file = FILES
        .iter()
        .any(|file| top.eq_ignore_ascii_case(file.as_bytes()));
    (labels.len() > 1 && is_top && !is_file && labels.iter().all(is_label)).then_some((start, end))
}

/// Digits from here on with at most one of the separators between two: the digits, and where each
/// ends.
fn digits(text: &[u8], from: usize, separators: &[u8], most: usize) -> (Vec<u8>, Vec<usize>) {
    let (mut found, mut ends) = (Vec::new(), Vec::new());
    let mut at = from;
    while found.len() < most {
        match text.get(at) {
            Some(byte) if byte.is_ascii_digit() => {
                found.push(byte - b'0');
                ends.push(at + 1);
            }
            Some(byte)
                if separators.contains(byte)
                    && text.get(at + 1).is_some_and(u8::is_ascii_digit)
                    && !found.is_empty() => {}
            _ => break,
        }
        at += 1;
    }
    (found, ends)
}

/// Whether nothing goes on here that a number or a name would be part of.
fn ends(text: &[u8], at: usize) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    match text.get(at) {
        Some(byte) if goes_on(byte) => false,
        Some(b'-' | b'.' | b'/' | b',' | b':') => !text.get(at + 1).is_some_and(u8::is_ascii_digit),
        _ => true,
    }
}

/// A card number: a known beginning, its length, and Luhn's check.
pub fn card(text: &[u8], from: usize) -> Option<usize> {
    let (found, places) = digits(text, from, b" -", 17);
    let number = |digits: usize| {
        found
            .iter()
            .take(digits)
            .fold(0, |all, one| all * 10 + u32::from(*one))
    };
    let length = match (number(1), number(2), number(4)) {
        (_, 34 | 37, _) => 15,
        (4, ..) | (_, 51..=55 | 65, _) | (.., 2221..=2720 | 6011) => 16,
        _ => return None,
    };
    if found.len() != length {
        return None;
    }
    let end = *places.last()?;
    // whole, or in groups of four (of 4, 6 and 5)
    let groups: Vec<usize> = text[from..end]
        .split(|byte| !byte.is_ascii_digit())
        .map(<[u8]>::len)
        .collect();
    let is_set = matches!(groups.as_slice(), [_] | [4, 4, 4, 4] | [4, 6, 5]);
    (is_set && luhn(&found) && ends(text, end)).then_some(end)
}

fn luhn(digits: &[u8]) -> bool {
    let each = digits.iter().rev().enumerate();
    let sum: u32 = each
        .map(|(at, digit)| match (at % 2, u32::from(*digit) * 2) {
            (0, _) => u32::from(*digit),
            (_, double) => double / 10 + double % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// An IBAN: a country's length and ISO 7064's check.
pub fn iban(text: &[u8], from: usize) -> Option<usize> {
    let country = std::str::from_utf8(text.get(from..from + 2)?).ok()?;
    let (_, length) = IBANS.iter().find(|(name, _)| *name == country)?;
    let (mut at, mut found) = (from, Vec::new());
    while found.len() < *length {
        match text.get(at)? {
            byte if byte.is_ascii_digit() || byte.is_ascii_uppercase() => found.push(*byte),
            b' ' if found.len() % 4 == 0 => {}
            _ => return None,
        }
        at += 1;
    }
    let value = |byte: &u8| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        _ => u32::from(byte - b'A') + 10,
    };
    let turned = found[4..].iter().chain(&found[..4]);
    let rest = turned.fold(0, |rest, byte| match value(byte) {
        digit @ 0..=9 => (rest * 10 + digit) % 97,
        letter => (rest * 100 + letter) % 97,
    });
    (rest == 1 && !text.get(at).is_some_and(u8::is_ascii_alphanumeric)).then_some(at)
}

/// A telephone number: with its country's code, as in North America (`415-555-2671`), or with a 0
/// and a space, slash or dash behind the area's.
pub fn phone(text: &[u8], from: usize) -> Option<usize> {
    match text[from] {
        b'+' => international(text, from),
        b'(' => {
            let area = text.get(from + 1..from + 4)?;
            let is_area = area.iter().all(u8::is_ascii_digit) && (b'2'..=b'9').contains(&area[0]);
            let rest = match text.get(from + 4..from + 6)? {
                [b')', b' '] => from + 6,
                [b')', _] => from + 5,
                _ => return None,
            };
            let end = american(text, rest, 2)?;
            is_area.then_some(end)
        }
        // what follows on digits is a part of a longer number
        b'0' if from > 1 && text[from - 1] == b' ' && text[from - 2].is_ascii_digit() => None,
        b'0' => national(text, from),
        _ => american(text, from, 3),
    }
}

/// `+49 170 1234567`, `+1 (415) 555-2671`: 8 to 15 digits.
fn international(text: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut count, mut end, mut is_set) = (from + 1, 0, from, false);
    if !matches!(text.get(at), Some(b'1'..=b'9')) {
        return None;
    }
    // two separators may stand together: `) `
    let mut between = 0;
    while count < 16 && between < 3 {
        match text.get(at) {
            Some(byte) if byte.is_ascii_digit() => {
                (count, end, between) = (count + 1, at + 1, 0);
            }
            Some(b' ' | b'-' | b'.' | b'/' | b'(' | b')') => {
                between += 1;
                is_set = true;
            }
            _ => break,
        }
        at += 1;
    }
    let least = if is_set
        && text[from..end]
            .iter()
            .any(|byte| !byte.is_ascii_digit() && *byte != b'+')
    {
        8
    } else {
        10
    };
    ((least..=15).contains(&count) && ends(text, end)).then_some(end)
}

/// Groups of 3, 3 and 4 digits, or the last two of them, with one separator.
fn american(text: &[u8], from: usize, groups: usize) -> Option<usize> {
    let mut at = from;
    let mut separator = None;
    for (number, length) in [3, 3, 4].into_iter().skip(3 - groups).enumerate() {
        if number > 0 {
            let here = *text.get(at).filter(|byte| b"-.".contains(byte))?;
            if separator.is_some_and(|before| before != here) {
                return None;
            }
            separator = Some(here);
            at += 1;
        }
        let group = text.get(at..at + length)?;
        let is_first = length == 3;
        if !group.iter().all(u8::is_ascii_digit) || is_first && !(b'2'..=b'9').contains(&group[0]) {
            return None;
        }
        at += length;
    }
    ends(text, at).then_some(at)
}

/// `0170 1234567`, `020 7946 0958`, `089/1234567`: 9 to 12 digits.
fn national(text: &[u8], from: usize) -> Option<usize> {
    let (found, places) = digits(text, from, b" /-", 13);
    let end = *places.last()?;
    let groups: Vec<usize> = text[from..end]
        .split(|byte| !byte.is_ascii_digit())
        .map(<[u8]>::len)
        .collect();
    let [area, rest @ ..] = groups.as_slice() else {
        return None;
    };
    let is_set = (3..=5).contains(area)
        && !rest.is_empty()
        && rest[0] >= 3
        && rest.iter().all(|group| *group > 1);
    // 00 is no area
    (is_set && found[1] != 0 && (9..=12).contains(&found.len()) && ends(text, end)).then_some(end)
}

/// A public IP address, of version 4 or 6. A number of a version has small parts.
pub fn ip(text: &[u8], from: usize) -> Option<usize> {
    let run = |of: fn(&u8) -> bool| {
        let bytes = text[from..].iter().take(64);
        from + bytes.take_while(|byte| of(byte)).count()
    };
    // a port may stand behind an address of version 4
    let four = run(|byte| byte.is_ascii_digit() || *byte == b'.');
    let six = run(|byte| byte.is_ascii_hexdigit() || *byte == b':');
    let mut end = four.max(six);
    while end > from && b".:".contains(&text[end - 1]) {
        end -= 1;
    }
    let address = std::str::from_utf8(&text[from..end]).ok()?;
    let is_public = match address.parse::<core::net::IpAddr>().ok()? {
        core::net::IpAddr::V4(address) => {
            let octets = address.octets();
            let large = octets.iter().filter(|octet| **octet > 9).count();
            let is_inside = address.is_private()
                || address.is_loopback()
                || address.is_unspecified()
                || address.is_broadcast()
                || address.is_link_local()
                || octets[0] == 0
                || octets[0] >= 224;
            !is_inside && large >= 2 && !follows_version(text, from)
        }
        core::net::IpAddr::V6(address) => (0x2000..0x4000).contains(&address.segments()[0]),
    };
    let goes_on = text.get(end).is_some_and(u8::is_ascii_alphanumeric);
    (is_public && !goes_on).then_some(end)
}

/// Whether the word before says that this is a version.
fn follows_version(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(12)..at].to_ascii_lowercase();
    let before = before.trim_ascii_end();
    ["version", "release", "build", " v"]
        .iter()
        .any(|word| before.ends_with(word.as_bytes()))
}

/// A national id that is unmistakable: a social security number of the United States with its
/// dashes, a national insurance number with its spaces, a `codice fiscale` with its check.
pub fn id(text: &[u8], from: usize) -> Option<usize> {
    let is = |length: usize, shape: &[u8]| {
        let part = text.get(from..from + length)?;
        let fits = part.iter().zip(shape).all(|(byte, kind)| match kind {
            b'9' => byte.is_ascii_digit(),
            b'A' => byte.is_ascii_uppercase(),
            other => byte == other,
        });
        (fits && ends(text, from + length)).then_some(part)
    };
    if let Some(number) = is(11, b"999-99-9999") {
        let is_given = !matches!(&number[..3], b"000" | b"666" | [b'9', ..])
            && &number[4..6] != b"00"
            && &number[7..] != b"0000";
        return is_given.then_some(from + 11);
    }
    if let Some(number) = is(13, b"AA 99 99 99 A") {
        let is_given = !b"DFIQUV".contains(&number[0])
            && !b"DFIQUVO".contains(&number[1])
            && (b'A'..=b'D').contains(&number[12]);
        return is_given.then_some(from + 13);
    }
    let code = is(16, b"AAAAAA99A99A999A")?;
    fiscal(code).then_some(from + 16)
}

/// The check of a `codice fiscale`: a sum over odd and even places, modulo 26.
fn fiscal(code: &[u8]) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    let value = |byte: u8| {
        u32::from(if byte.is_ascii_digit() {
            byte - b'0'
        } else {
            byte - b'A'
        })
    };
    let each = code[..15].iter().enumerate();
    let sum: u32 = each
        .map(|(at, byte)| match at % 2 {
            0 => ODD[value(*byte) as usize],
            _ => value(*byte),
        })
        .sum();
    sum % 26 == value(code[15])
}

/// `221 Baker Street`: a number, one to three capitalised words, and what a street is called.
pub fn address(text: &[u8], from: usize) -> Option<usize> {
    let digits = text[from..]
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if !(1..=5).contains(&digits) {
        return None;
    }
    let mut at = from + digits;
    if text.get(at).is_some_and(u8::is_ascii_lowercase) {
        at += 1;
    }
    for word in 0..4 {
        if text.get(at) != Some(&b' ') || !text.get(at + 1).is_some_and(u8::is_ascii_uppercase) {
            return None;
        }
        let letters = text[at + 1..].iter().take(24);
        let letters = letters.take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'\'');
        let end = at + 1 + letters.count();
        let is_street = STREETS
            .iter()
            .any(|street| street.as_bytes() == &text[at + 1..end]);
        if is_street && word > 0 {
            return (!text.get(end).is_some_and(u8::is_ascii_alphanumeric)).then_some(end);
        }
        at = end;
    }
    None
}

/// `Hauptstraße 12`: the name of a street, from its capital, and a number.
pub fn strasse(text: &[u8], from: usize) -> Option<usize> {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80 || *byte == b'.';
    let letters = text[from..]
        .iter()
        .take(40)
        .take_while(|byte| is_letter(byte));
    let end = from + letters.count();
    let street = &text[from..end];
    let of = |ending: &&str| street.len() > ending.len() + 2 && street.ends_with(ending.as_bytes());
    if !STRASSEN.iter().any(of) || text.get(end) != Some(&b' ') {
        return None;
    }
    let digits = text[end + 1..]
        .iter()
        .take(5)
        .take_while(|byte| byte.is_ascii_digit());
    let digits = digits.count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    let mut last = end + 1 + digits;
    if text.get(last).is_some_and(u8::is_ascii_lowercase) {
        last += 1;
    }
    ends(text, last).then_some(last)
}
