//! What happens at start, in reading order: the kept work, then the address,
//! which may hold a permalink, then the page.

use leptos::prelude::request_animation_frame;
use leptos::task::spawn_local;

use super::bench::{Bench, Benches};
use super::browser;
use super::browser::reader::Held;
use super::desk::Work;
use super::drawer::{DRAWER, Done};
use super::kept::shelf::Shelf;
use super::shell::theme::{self, Theme};
use super::shell::{Outside, Shell};

/// How long nothing must happen before what is looked at counts as seen, in milliseconds.
const REST: u32 = 1_000;

/// The page as the browser has it.
pub fn start(benches: Benches) -> Shell {
    begin(benches, &browser::location::hash(), OUTSIDE)
}

fn begin(benches: Benches, hash: &str, outside: Outside) -> Shell {
    let theme = (outside.shelf.read)(theme::KEY);
    let theme = theme.as_deref().map(Theme::from_name).unwrap_or_default();
    (outside.show_theme)(theme.name());
    let shell = Shell::new(benches, theme, outside);
    shell.follow(hash);
    shell.begun();
    shell
}

const OUTSIDE: Outside = Outside {
    show_address: browser::location::show,
    shelf: Shelf {
        read: browser::storage::read,
        write: |key, text| browser::storage::write(key, text).is_ok(),
        remove: browser::storage::remove,
        keys: browser::storage::keys,
    },
    drawer: DRAWER,
    tab: browser::storage::tab,
    clock: browser::storage::clock,
    rest: |act| browser::tasks::after(REST, move || act(())),
    give_file: |name, text| browser::download::offer(name, "application/json", text).is_ok(),
    scroll_up,
    show_theme: browser::theme::show,
    fetch_example,
    read: |intake, files, prefers| intake.take(files, prefers),
    hold: |text| Held::of_text(text).ok(),
    fetch_files: |files, take| spawn_local(async move { take(beside(files).await) }),
    fetch_shared: |take| spawn_local(async move { take(browser::offline::shared().await) }),
    fetch_source: |addresses, take| {
        spawn_local(async move { take(browser::fetch::files(&addresses).await) });
    },
};

/// To the top of a page that was turned to, with the focus on it where that was on what is gone.
fn scroll_up() {
    browser::location::scroll_up();
    request_animation_frame(|| browser::field::focus_if_lost("main"));
}

fn fetch_example(bench: &'static Bench, take: Done<Result<Work, String>>) {
    spawn_local(async move { take(example(bench).await) });
}

async fn beside(files: &'static [&'static str]) -> Result<Vec<(String, Held)>, String> {
    let mut fetched = Vec::new();
    for file in files {
        let text = browser::fetch::text(file).await?;
        let name = file.rsplit('/').next().unwrap_or(file);
        let held = Held::of_text(&text).map_err(|_| format!("{name} could not be kept"))?;
        fetched.push((name.to_owned(), held));
    }
    Ok(fetched)
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
    use leptos::prelude::*;

    use crate::app::link;
    use crate::app::route::Page;
    use crate::app::shell::{Absent, world};

    /// A page with this kept, as key and text.
    fn begun(kept: &[(&str, &str)], hash: &str) -> (Owner, Shell) {
        let owner = Owner::new();
        owner.set();
        let kept = [kept, &[("assay.theme", "dark")]].concat();
        (owner, begin(BENCHES, hash, world::with(&kept)))
    }

    const DEBATE: (&str, &str) = (
        "assay.desk.debate",
        r#"{"rev": 1, "by": "t", "work": {"texts": {"debate": "[]"}, "settings": {}}}"#,
    );

    #[test]
    fn the_address_says_which_page_is_shown_and_the_kept_work_is_on_it() {
        let (_owner, shell) = begun(&[DEBATE], "#/debate");
        let debate = shell.benches[0];
        assert_eq!(shell.page.get_untracked(), Page::Bench(debate));
        assert_eq!(
            shell.seat(debate).desk.work.get_untracked(),
            Work::of("debate", "[]")
        );
        assert_eq!(shell.theme.get_untracked(), Theme::Dark);
        let (_owner, shell) = begun(&[("assay.desk.debate", "{")], "#/nowhere");
        assert_eq!(shell.page.get_untracked(), Page::Start);
        assert!(
            shell
                .seats()
                .iter()
                .all(|seat| seat.desk.work.with_untracked(Work::is_blank))
        );
        assert_eq!(shell.notices.all().len(), 1, "it is said");
    }

    #[test]
    fn a_permalink_comes_after_the_kept_work_and_puts_it_aside() {
        let (_owner, shell) = begun(&[], "");
        let debate = shell.benches[0];
        let linked = Work::of("debate", "{}");
        let link = link::encode(debate, &linked).expect("small");
        let (_owner, shell) = begun(&[DEBATE], &format!("#{link}"));
        assert_eq!(shell.page.get_untracked(), Page::Bench(debate));
        assert_eq!(shell.seat(debate).desk.work.get_untracked(), linked);
        let recent = shell.recent.get_untracked();
        assert_eq!(recent[0].work.work(&[]), Some(Work::of("debate", "[]")));
        assert_eq!(recent[0].headline, "Not scored");
        let said = shell.notices.get().map(|notice| notice.text);
        assert!(said.is_some_and(|said| said.starts_with("Opened from a link.")));
    }

    #[test]
    fn a_damaged_permalink_leaves_the_kept_work_alone() {
        let (_owner, shell) = begun(&[DEBATE], "#v1.AAAA");
        assert_eq!(shell.page.get_untracked(), Page::Start);
        let work = shell.seat(shell.benches[0]).desk.work.get_untracked();
        assert_eq!(work, Work::of("debate", "[]"));
        assert!(shell.recent.get_untracked().is_empty());
    }

    #[test]
    fn what_the_last_visit_did_not_come_through_is_not_looked_at_unasked() {
        let (_owner, shell) = begun(&[DEBATE, ("assay.mark.debate", "3000")], "#/debate");
        let seat = shell.seat(shell.benches[0]);
        assert_eq!(seat.absent.get_untracked(), Some(Absent::Held));
        assert!(seat.room.with_untracked(Option::is_none));
        // another tab may be at it just now
        let (_owner, other) = begun(&[DEBATE, ("assay.mark.debate", "9000")], "#/");
        assert_eq!(other.seat(shell.benches[0]).absent.get_untracked(), None);
        shell.begin_anew(seat);
        assert_eq!(seat.absent.get_untracked(), None);
        assert!(seat.desk.work.with_untracked(Work::is_blank));
        let recent = shell.recent.get_untracked();
        assert_eq!(recent[0].work.work(&[]), Some(Work::of("debate", "[]")));
    }

    #[test]
    fn a_long_text_that_the_last_visit_did_not_come_through_is_not_looked_at_either() {
        let owner = Owner::new();
        owner.set();
        let long = r#"{"rev": 1, "by": "t", "work": {"texts": {"debate": {"key": "k", "length": 2}}, "settings": {}}}"#;
        let kept = [
            ("assay.desk.debate", long),
            ("drawer.k", "[]"),
            ("assay.mark.debate", "3000"),
        ];
        let shell = begin(BENCHES, "#/debate", world::slow(&kept));
        let seat = shell.seat(shell.benches[0]);
        assert!(matches!(
            seat.absent.get_untracked(),
            Some(Absent::Coming(_))
        ));
        assert!(seat.room.with_untracked(Option::is_none));
        world::answer();
        assert_eq!(seat.absent.get_untracked(), Some(Absent::Held));
        assert!(seat.room.with_untracked(Option::is_none));
        // the mark stays for the next visit
        let again = begin(BENCHES, "#/debate", world::again());
        world::answer();
        let seat = again.seat(again.benches[0]);
        assert_eq!(seat.absent.get_untracked(), Some(Absent::Held));
        again.release(seat);
        assert_eq!(seat.absent.get_untracked(), None);
    }

    #[test]
    fn a_file_replaces_nothing_unasked_where_there_is_no_room() {
        let (_owner, shell) = begun(&[DEBATE], "");
        shell.save_file();
        let file = world::file();
        let (_owner, shell) = begun(&[], "");
        let debate = shell.benches[0];
        shell.open(debate, Work::of("debate", "{}"));
        world::fill();
        shell.take_text(file);
        let work = shell.seat(debate).desk.work;
        assert_eq!(work.get_untracked(), Work::of("debate", "{}"));
        let notice = shell.notices.all().pop().expect("it is asked");
        assert!(notice.text.contains("put aside what is on Debate"));
        notice.acts.last().expect("an act").run();
        assert_eq!(work.get_untracked(), Work::of("debate", "[]"));
        let said = shell.notices.get().expect("it is said").text;
        assert!(!said.contains("under Recent"), "{said}");
    }

    #[test]
    fn everything_goes_into_a_file_and_comes_back() {
        let (_owner, shell) = begun(&[DEBATE], "");
        let debate = shell.benches[0];
        shell.open(debate, Work::of("debate", "{}"));
        // a long text is not kept beside the short ones
        let long = "x".repeat(200_000);
        shell.open(debate, Work::of("debate", &*long));
        shell.keep();
        shell.save_file();
        let file = world::file();
        let (_owner, other) = begun(&[], "");
        other.take_text(file);
        let work = other.seat(debate).desk.work.get_untracked();
        assert_eq!(work, Work::of("debate", &*long));
        let recent = other.recent.get_untracked().into_iter();
        let recent: Vec<_> = recent.map(|recent| recent.work.work(&[])).collect();
        let expected = ["{}", "[]"].map(|text| Some(Work::of("debate", text)));
        assert_eq!(recent, expected);
        assert_eq!(other.page.get_untracked(), Page::Start);
    }
}
