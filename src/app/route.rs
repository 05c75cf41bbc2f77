//! What the part of the address after `#` asks for.

use super::bench::{Bench, Benches, named};
use crate::share::{Goal, compared_links};

/// A page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The start page.
    #[default]
    Start,
    /// A bench.
    Bench(&'static Bench),
    /// What is inside of files that were given.
    Inside,
    /// The library of runs.
    Runs,
}

/// The address of [`Page::Inside`].
const INSIDE: &str = "inside";
/// The address of [`Page::Runs`].
const RUNS: &str = "runs";
/// The address to which the service worker leads what is shared.
const SHARED: &str = "shared";
/// What stands before the address of a file.
const SOURCE: &str = "src=";

impl Page {
    /// Its address.
    pub fn hash(self) -> String {
        match self {
            Self::Start => "#/".to_owned(),
            Self::Bench(bench) => format!("#/{}", bench.name),
            Self::Inside => format!("#/{INSIDE}"),
            Self::Runs => format!("#/{RUNS}"),
        }
    }
}

/// What an address asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A page.
    Page(Page),
    /// A permalink, whole (`v2.…`).
    Permalink(String),
    /// What another program has shared with the installed page.
    Shared,
    /// Files that lie on the page's own server, by their addresses as they stand in the link, and
    /// where in their result it opens.
    Source(Vec<String>, Option<Goal>),
    /// Two permalinks whose works are to be held against each other, the earlier first.
    Comparison([String; 2]),
    /// Nothing that is known.
    Unknown,
}

/// Reads the part of an address after `#`.
pub fn read(hash: &str, benches: Benches) -> Request {
    let rest = hash.trim_start_matches('#');
    if let Some(name) = rest.strip_prefix('/') {
        if name.is_empty() {
            return Request::Page(Page::Start);
        }
        if name == INSIDE {
            return Request::Page(Page::Inside);
        }
        if name == RUNS {
            return Request::Page(Page::Runs);
        }
        if name == SHARED {
            return Request::Shared;
        }
        return named(benches, name)
            .map_or(Request::Unknown, |bench| Request::Page(Page::Bench(bench)));
    }
    if rest.starts_with(SOURCE) {
        let (rest, goal) = Goal::split(rest);
        let addresses = rest.split('&').filter_map(|part| part.strip_prefix(SOURCE));
        let addresses = addresses.filter(|address| !address.is_empty());
        return Request::Source(addresses.map(str::to_owned).collect(), goal);
    }
    if let Some(links) = compared_links(rest) {
        return Request::Comparison(links.map(str::to_owned));
    }
    let version = rest.split('.').next().unwrap_or_default();
    if rest.is_empty() {
        Request::Page(Page::Start)
    } else if version.len() < rest.len()
        && version
            .strip_prefix('v')
            .is_some_and(|v| !v.is_empty() && v.bytes().all(|digit| digit.is_ascii_digit()))
    {
        Request::Permalink(rest.to_owned())
    } else {
        Request::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    #[test]
    fn addresses_are_told_apart() {
        for (hash, request) in [
            ("", Request::Page(Page::Start)),
            ("#/", Request::Page(Page::Start)),
            ("#v1.abc", Request::Permalink("v1.abc".into())),
            ("#v9.", Request::Permalink("v9.".into())),
            ("#/shared", Request::Shared),
            (
                "#v99999999999.x",
                Request::Permalink("v99999999999.x".into()),
            ),
            ("#src=", Request::Source(vec![], None)),
            (
                "#src=runs/a.json&src=b%20c.yaml",
                Request::Source(vec!["runs/a.json".into(), "b%20c.yaml".into()], None),
            ),
            (
                "#src=a.json&at=turns.7",
                Request::Source(
                    vec!["a.json".into()],
                    Some(Goal {
                        section: "turns".into(),
                        row: Some("7".into()),
                    }),
                ),
            ),
            (
                "#compare=v2.a,v2.b",
                Request::Comparison(["v2.a".into(), "v2.b".into()]),
            ),
            ("#compare=v2.a", Request::Unknown),
            ("#v.x", Request::Unknown),
            ("#v1", Request::Unknown),
            ("#main", Request::Unknown),
            ("#/nowhere", Request::Unknown),
        ] {
            assert_eq!(read(hash, BENCHES), request, "{hash}");
        }
        let pages = BENCHES.iter().map(|bench| Page::Bench(bench));
        for page in pages.chain([Page::Start, Page::Inside, Page::Runs]) {
            assert_eq!(read(&page.hash(), BENCHES), Request::Page(page));
        }
    }
}
