//! The page in parts: a bench's code is fetched when it is first opened, and again
//! where it did not come.

use crate::app::{App, BASE, built, in_app, in_trouble};
use crate::debate::{agrees, computed};
use crate::harness::site::Fault;
use std::collections::BTreeSet;
use std::fs;

/// The files of some parts, as the build lists them: a line for each part.
fn files_of(parts: &[&str]) -> BTreeSet<String> {
    let list = fs::read_to_string(built().join("parts.txt")).unwrap();
    let line = |part: &&str| {
        let mut lines = list.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(name, _)| name == part).expect("is listed").1
    };
    let files = parts.iter().flat_map(|part| line(part).split(' '));
    files.map(str::to_owned).collect()
}

/// The files of parts that the server was asked for; each once.
fn fetched(app: &App) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for request in app.site.requests() {
        if request.path.contains("-parts/") {
            let file = request.path.replace(BASE, "");
            assert!(found.insert(file), "{} was fetched twice", request.path);
        }
    }
    found
}

#[test]
fn a_bench_brings_its_own_parts_and_no_others() {
    in_app("parts-fetched", "", |app| {
        app.text("open-example-debate");
        app.settle();
        assert_eq!(fetched(app), BTreeSet::new());
        app.click("open-example-debate");
        agrees(app, &computed(&app.example("input-debate"), &[]));
        app.text("debate-form");
        app.text("firm");
        let fetched = fetched(app);
        assert!(fetched.is_superset(&files_of(&["debate"])), "{fetched:?}");
        // some files are of several parts
        let own = files_of(&["debate", "more"]);
        assert!(fetched.is_subset(&own), "{fetched:?}");
        assert!(!files_of(&["persona"]).is_subset(&own), "it does not tell");
    });
}

#[test]
fn a_part_that_is_refused_is_said_and_comes_when_asked_again() {
    in_trouble("parts-refused", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate").replace("Options", "Others");
        app.fill("input-debate", &text);
        let expected = computed(&text, &[]);
        agrees(app, &expected);
        app.site.fail("split_debate.wasm", &[Fault::Refused]);
        app.browser.reload().unwrap();
        let told = app.text("not-loaded");
        assert!(told.contains("could not be loaded"), "{told}");
        assert!(told.contains("Your work is kept"), "{told}");
        let requests = app.site.requests();
        let refused = requests.iter().filter(|request| request.status == 503);
        assert_eq!(refused.count(), 1);
        app.click("load-again");
        agrees(app, &expected);
        assert_eq!(app.value("input-debate"), text);
    });
}

#[test]
fn a_host_that_does_not_know_programs_is_served_as_well() {
    in_app("parts-untyped", "", |app| {
        app.text("open-example-debate");
        app.site.fail(".wasm", &[Fault::Untyped; 200]);
        app.browser.reload().unwrap();
        app.click("open-example-debate");
        agrees(app, &computed(&app.example("input-debate"), &[]));
        app.text("debate-form");
    });
}
