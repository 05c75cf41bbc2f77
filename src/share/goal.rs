//! Where in a result a link opens: `&at=SECTION` or `&at=SECTION.ROW` behind it, with the row's
//! name percent-encoded. It is the page's own, beside the contract of permalinks.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stands between a link and the place in it.
const AT: &str = "&at=";

/// All but the characters that stand for themselves in any part of an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A place in a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The section, by its name: ASCII letters.
    pub section: String,
    /// A row of it, by its name.
    pub row: Option<String>,
}

impl Goal {
    /// What stands behind a link that opens there.
    #[must_use]
    pub fn written(&self) -> String {
        let row = self.row.as_deref().map(|row| {
            let row = utf8_percent_encode(row, ESCAPED);
            format!(".{row}")
        });
        format!("{AT}{}{}", self.section, row.unwrap_or_default())
    }

    /// A link without the place that it names, and that place where it names one.
    #[must_use]
    pub fn split(link: &str) -> (&str, Option<Self>) {
        let Some((link, at)) = link.split_once(AT) else {
            return (link, None);
        };
        let (section, row) = match at.split_once('.') {
            Some((section, row)) => (section, Some(row)),
            None => (at, None),
        };
        let is_name = !section.is_empty() && section.bytes().all(|b| b.is_ascii_lowercase());
        let row = row.map(|row| percent_decode_str(row).decode_utf8_lossy().into_owned());
        let section = section.to_owned();
        (link, is_name.then_some(Self { section, row }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_as_it_was_written() {
        for row in [
            None,
            Some("A"),
            Some("a.b&at=c#d/\u{e9} \"%\u{5d0}"),
            Some(""),
        ] {
            let goal = Goal {
                section: "ranking".into(),
                row: row.map(str::to_owned),
            };
            let link = format!("v2.abc{}", goal.written());
            assert!(link.is_ascii() && !link.contains('#'), "{link}");
            assert_eq!(Goal::split(&link), ("v2.abc", Some(goal)));
        }
    }

    #[test]
    fn what_is_no_place_leaves_the_link() {
        for (link, bare) in [
            ("v2.abc", "v2.abc"),
            ("v2.abc&at=", "v2.abc"),
            ("v2.abc&at=<b>", "v2.abc"),
            ("v2.abc&a", "v2.abc&a"),
        ] {
            assert_eq!(Goal::split(link), (bare, None));
        }
    }
}
