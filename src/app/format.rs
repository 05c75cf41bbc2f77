//! Numbers, sizes and names as people read them.

use crate::text::Shown;

/// A name that somebody typed, as it stands beside figures.
pub fn name(typed: &str) -> String {
    Shown(typed).to_string()
}

/// A number with fixed decimals and a real minus sign; never `−0.00`.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A difference with its sign and fixed decimals.
pub fn signed(value: f64, decimals: usize) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    sign.to_owned() + &fixed(value, decimals)
}

/// A share in whole percent; what is little is not nothing, and nearly all is not all.
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 {
        "<1".into()
    } else if (0.995..1.0).contains(&share) {
        ">99".into()
    } else {
        fixed(share * 100.0, 0)
    }
}

/// A number that may not have been measured.
pub fn measured(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| fixed(value, decimals))
}

/// A number as short as it goes, to at most four decimals.
pub fn short(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.to_owned()
    }
}

/// A whole number as `10,000`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes as `26.7 MB`.
pub fn bytes(count: f64) -> String {
    if count >= 1e6 {
        format!("{:.1} MB", count / 1e6)
    } else if count >= 1e3 {
        format!("{:.0} kB", count / 1e3)
    } else {
        format!("{count:.0} bytes")
    }
}

/// A duration in milliseconds as `12 s` or `2 min 5 s`.
pub fn duration(ms: f64) -> String {
    let seconds = (ms / 1000.0).ceil().max(0.0) as u64;
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

/// The same words with a capital at the start.
pub fn sentence(words: &str) -> String {
    let mut characters = words.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

/// `1 turn`, `2,000 turns`.
pub fn count(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(-0.7, 2), "−0.70");
        assert_eq!(fixed(4.65, 2), "4.65");
        assert_eq!(short(2.0), "2");
        assert_eq!(short(0.35), "0.35");
        assert_eq!(short(-0.0), "0");
        assert_eq!(measured(None, 2), "–");
        assert_eq!(bytes(26_700_000.0), "26.7 MB");
        assert_eq!(duration(125_000.0), "2 min 5 s");
        assert_eq!(count(1, "turn"), "1 turn");
        let shares = [0.0, 0.001, 0.008, 0.874, 0.999, 1.0].map(percent);
        assert_eq!(shares, ["0", "<1", "1", "87", ">99", "100"]);
        assert_eq!(sentence("ßa é"), "SSa é");
        assert_eq!(sentence(""), "");
    }
}
