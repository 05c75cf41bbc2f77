//! What to do with a text that came from outside: pasted, dropped or opened.

use crate::document::{Kind, detect};

use super::work::Bench;

/// Where a text belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The bench.
    pub bench: Bench,
    /// The input on it.
    pub input: &'static str,
}

/// Where a text belongs, if its shape tells.
pub fn place_of(text: &str) -> Option<Place> {
    let (bench, input) = match detect(text)? {
        Kind::Debate => (Bench::Debate, "debate"),
        Kind::Profiles => (Bench::Debate, "profiles"),
        Kind::Turns => (Bench::Constitution, "turns"),
        Kind::Persona => (Bench::Persona, "persona"),
        Kind::Transcript => (Bench::Persona, "transcript"),
    };
    Some(Place { bench, input })
}

/// The permalink in a pasted address, as `v1.…`.
pub fn permalink_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let (_, fragment) = text.split_once('#')?;
    let plain = !text.contains(char::is_whitespace) && text.starts_with("http");
    (plain && fragment.starts_with('v')).then_some(fragment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_find_their_bench() {
        assert_eq!(
            place_of("{\"messages\": []}"),
            Some(Place {
                bench: Bench::Persona,
                input: "transcript"
            })
        );
        assert_eq!(place_of("dear diary"), None);
    }

    #[test]
    fn addresses_are_recognised() {
        assert_eq!(permalink_in(" https://a.b/c/#v1.xyz "), Some("v1.xyz"));
        assert_eq!(permalink_in("https://a.b/c/#/debate"), None);
        assert_eq!(permalink_in("# v1.heading"), None);
    }
}
