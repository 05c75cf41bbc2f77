//! What happens at start, in reading order: the kept work, then the address,
//! which may hold a permalink, then the page.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::bench::{Bench, Benches};
use super::browser;
use super::desk::Work;
use super::kept::{self, Kept};
use super::shell::theme::{self, Theme};
use super::shell::{Outside, Shell};

/// What the browser has when the page is loaded.
#[derive(Default)]
struct Found {
    /// The work it kept.
    kept: Option<String>,
    /// The name of the theme it kept.
    theme: Option<String>,
    /// The part of the address from `#` on.
    hash: String,
}

/// The page as the browser has it.
pub fn start(benches: Benches) -> Shell {
    let found = Found {
        kept: browser::storage::read(kept::KEY),
        theme: browser::storage::read(theme::KEY),
        hash: browser::location::hash(),
    };
    begin(benches, &found, OUTSIDE)
}

fn begin(benches: Benches, found: &Found, outside: Outside) -> Shell {
    let kept = found.kept.as_deref();
    let kept = kept.and_then(|text| Kept::read(text, benches));
    let theme = found.theme.as_deref();
    let theme = theme.map(Theme::from_name).unwrap_or_default();
    (outside.show_theme)(theme.name());
    let shell = Shell::new(benches, kept.unwrap_or_default(), theme, outside);
    shell.follow(&found.hash);
    shell
}

const OUTSIDE: Outside = Outside {
    show_address: browser::location::show,
    keep: |key, text| browser::storage::write(key, text).is_ok(),
    show_theme: browser::theme::show,
    fetch_example,
};

fn fetch_example(bench: &'static Bench, take: Callback<Result<Work, String>>) {
    spawn_local(async move { take.run(example(bench).await) });
}

async fn example(bench: &Bench) -> Result<Work, String> {
    let mut work = Work::default();
    for input in bench.inputs {
        if let Some(file) = input.example {
            work.set_text(input.name, browser::fetch::text(file).await?);
        }
    }
    Ok(work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;
    use crate::app::link;
    use crate::app::route::Page;

    fn begun(kept: Option<&str>, hash: &str) -> (Owner, Shell) {
        let owner = Owner::new();
        owner.set();
        let found = Found {
            kept: kept.map(str::to_owned),
            theme: Some("dark".into()),
            hash: hash.into(),
        };
        (owner, begin(BENCHES, &found, Outside::NOWHERE))
    }

    const KEPT: &str = r#"{"works": {"debate": {"texts": {"debate": "[]"}, "settings": {}}}}"#;

    #[test]
    fn the_address_says_which_page_is_shown_and_the_kept_work_is_on_it() {
        let (_owner, shell) = begun(Some(KEPT), "#/debate");
        let debate = shell.benches[0];
        assert_eq!(shell.page.get_untracked(), Page::Bench(debate));
        assert_eq!(
            shell.seat(debate).desk.work.get_untracked(),
            Work::of("debate", "[]")
        );
        assert_eq!(shell.theme.get_untracked(), Theme::Dark);
        let (_owner, shell) = begun(Some("{"), "#/nowhere");
        assert_eq!(shell.page.get_untracked(), Page::Start);
        assert!(
            shell
                .seats()
                .iter()
                .all(|seat| seat.desk.work.with_untracked(Work::is_blank))
        );
    }

    #[test]
    fn a_permalink_comes_after_the_kept_work_and_puts_it_aside() {
        let (_owner, shell) = begun(None, "");
        let debate = shell.benches[0];
        let linked = Work::of("debate", "{}");
        let link = link::encode(debate, &linked).expect("small");
        let (_owner, shell) = begun(Some(KEPT), &format!("#{link}"));
        assert_eq!(shell.page.get_untracked(), Page::Bench(debate));
        assert_eq!(shell.seat(debate).desk.work.get_untracked(), linked);
        let recent = shell.recent.get_untracked();
        assert_eq!(recent[0].work, Work::of("debate", "[]"));
        assert_eq!(recent[0].headline, "Not scored");
        let said = shell.notices.get().map(|notice| notice.text);
        assert!(said.is_some_and(|said| said.starts_with("Opened from a link.")));
    }

    #[test]
    fn a_damaged_permalink_leaves_the_kept_work_alone() {
        let (_owner, shell) = begun(Some(KEPT), "#v1.AAAA");
        assert_eq!(shell.page.get_untracked(), Page::Start);
        let work = shell.seat(shell.benches[0]).desk.work.get_untracked();
        assert_eq!(work, Work::of("debate", "[]"));
        assert!(shell.recent.get_untracked().is_empty());
    }
}
