//! What a checker of accessibility (axe-core) says of every page, in both themes.

use crate::app::{App, can, in_app, mark};
use crate::harness::engine::Ability;
use serde_json::{Value, json};
use std::{env, fs};

const SCREENS: [(u32, u32, bool); 4] = [
    (1280, 900, false),
    (1280, 900, true),
    (360, 740, false),
    (360, 740, true),
];

const ESCAPE: &str = "\u{E00C}";

/// Narrower windows are a phone's, under a finger.
const PHONE: u32 = 600;

/// Every rule of WCAG 2.2 A and AA and the good practices.
const ALL: &str = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";

/// The rules that the colours of another theme can break.
const COLOURS: &str = "['color-contrast', 'link-in-text-block']";

/// What is against these rules; what cannot be told by a machine is not reported.
fn violations(app: &App, rules: &str) -> Vec<String> {
    let path =
        env::var("ASSAY_AXE").expect("ASSAY_AXE names axe.min.js: make test-browser sets it");
    let axe = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    app.browser.run(&axe, &[]).unwrap();
    let found = app
        .browser
        .run_async(
            &format!(
                "const found = await axe.run(document, {{ runOnly: {rules} }});
                 return found.violations.flatMap(v => v.nodes.map(n =>
                     v.id + ': ' + n.target.join(' ') + ': ' + n.failureSummary + ' ' + n.html.slice(0, 200)));"
            ),
            &[],
        )
        .unwrap();
    serde_json::from_value(found).unwrap()
}

/// Checks the page as it is on every screen.
pub fn is_clean(app: &App, what: &str) {
    let mut found = Vec::new();
    let has_screens = can(Ability::Screen);
    for (width, height, dark) in &SCREENS[..if has_screens { SCREENS.len() } else { 1 }] {
        if has_screens {
            app.browser.screen(*width, *height, *dark).unwrap();
            app.browser.touch(*width < PHONE).unwrap();
        }
        // what stays in sight over the fields (the way to the result on a phone, the
        // mistakes) covers some in part wherever one is; at the end it covers none, but
        // for the line of the sections, which is kept from staying
        let end = "
            document.querySelectorAll('.outline').forEach(line => { line.style.position = 'static'; });
            document.querySelector('.bench-input')?.scrollTo(0, 1e6);
            scrollTo(0, 1e6);
            return true";
        app.browser.run(end, &[]).unwrap();
        let theme = if *dark { "dark" } else { "light" };
        found.extend(
            violations(app, if *dark { COLOURS } else { ALL })
                .into_iter()
                .map(|line| format!("{what}, {width} px, {theme}: {line}")),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Opens everything that can be opened on the page.
fn unfold(app: &App) {
    let script =
        "document.querySelectorAll('details').forEach(fold => { fold.open = true; }); return true";
    app.browser.run(script, &[]).unwrap();
}

#[test]
fn the_checker_finds_what_is_wrong() {
    in_app("axe-itself", "", |app| {
        app.text("open-example-debate");
        let script = "document.querySelector('main').insertAdjacentHTML('beforeend', '<input><img src=icon.svg>'); return true";
        app.browser.run(script, &[]).unwrap();
        let found = violations(app, ALL).join("\n");
        assert!(
            found.contains("label") && found.contains("image-alt"),
            "{found}"
        );
    });
}

#[test]
fn the_start_page_and_the_shortcuts_are_clean() {
    in_app("axe-start", "", |app| {
        app.text("open-example-debate");
        is_clean(app, "start");
        app.click("help");
        is_clean(app, "shortcuts");
        app.click("help-numbers");
        app.text("glossary-count");
        is_clean(app, "glossary");
    });
}

#[test]
fn the_debate_bench_is_clean() {
    in_app("axe-debate", "#/debate", |app| {
        app.text("bench-debate");
        is_clean(app, "empty debate");
        app.click("open-example-debate");
        app.text("debate-form");
        unfold(app);
        is_clean(app, "debate form");
        app.click("export");
        app.text("exports");
        is_clean(app, "exports");
        app.browser.press(&[ESCAPE]).unwrap();
        app.browser
            .click("[data-testid='row-Split'] .row-open")
            .unwrap();
        app.click("why-Split");
        app.text("against");
        is_clean(app, "why not first");
        app.click("face-text");
        is_clean(app, "debate text");
        app.click("profile-own");
        app.text("profile-form");
        is_clean(app, "profiles");
        app.fill("input-debate", "{\"candidates\": [1,]}");
        app.text("mend");
        is_clean(app, "debate with mistakes");
    });
}

#[test]
fn the_constitution_bench_is_clean() {
    in_app("axe-constitution", "#/constitution", |app| {
        app.text("bench-constitution");
        is_clean(app, "empty constitution");
        app.click("open-example-constitution");
        app.text("turns-form");
        unfold(app);
        is_clean(app, "turns form");
        app.click("face-text");
        is_clean(app, "turns text");
        app.click("face-form");
        app.fill(
            "input-turns",
            "[{\"constitutional_scores\": {\"ethical\": 2}}, {\"action\": 3,}]",
        );
        app.text("mend");
        unfold(app);
        is_clean(app, "turns with mistakes");
        let lines = ["a", "b"].map(|id| {
            let turn = json!({ "has_mutations": true, "turn_result": { "response": "OK" } });
            json!({ "session_id": id, "turns": vec![turn; 25] }).to_string()
        });
        app.fill("input-turns", &lines.join("\n"));
        app.text("section-sessions");
        is_clean(app, "sessions");
        app.click("look-losses");
        app.browser.click(".loss-rows li button").unwrap();
        app.text("save-marks");
        is_clean(app, "losses");
    });
}

#[test]
fn the_persona_bench_is_clean() {
    in_app("axe-persona", "", |app| {
        app.click("open-example-persona");
        app.text("persona-form");
        unfold(app);
        app.browser
            .click(&format!("{} .row-open", mark("row-knee-pain")))
            .unwrap();
        app.text("evidence-knee-pain");
        is_clean(app, "persona form");
        app.browser.click(".metrics [data-about=safety]").unwrap();
        app.text("explained");
        is_clean(app, "explanation");
        app.browser.press(&["\u{E00C}"]).unwrap();
        app.click("face-text");
        app.click("table-metrics");
        app.click("table-sessions");
        is_clean(app, "persona text");
    });
}

/// Nothing is wider than a narrow screen, and every text can be read on it.
#[test]
fn no_page_scrolls_sideways() {
    if !can(Ability::Screen) {
        return;
    }
    for (name, bench) in [
        ("wide-debate", "debate"),
        ("wide-constitution", "constitution"),
        ("wide-persona", "persona"),
    ] {
        in_app(name, "", |app| {
            app.browser.screen(360, 740, false).unwrap();
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            unfold(app);
            let width = app
                .browser
                .run(
                    "const page = document.documentElement; return [page.scrollWidth - page.clientWidth]",
                    &[json!(mark(bench))],
                )
                .unwrap();
            assert_eq!(width[0], Value::from(0), "{bench}");
        });
    }
}

/// A row of a grid has one height, whatever the size of its type.
#[test]
fn no_row_of_a_grid_is_cut_off() {
    if !can(Ability::Screen) {
        return;
    }
    for (name, bench) in [
        ("cut-debate", "debate"),
        ("cut-constitution", "constitution"),
    ] {
        in_app(name, "", |app| {
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            unfold(app);
            for (width, height) in [(360, 740), (1280, 900), (3840, 2160)] {
                app.browser.screen(width, height, false).unwrap();
                let cut = app
                    .browser
                    .wait(
                        20,
                        "a grid",
                        "const bottom = e => e.getBoundingClientRect().bottom;
                         const rows = [...document.querySelectorAll('.grid-row')];
                         const cut = rows.filter(row => [...row.querySelectorAll('*')].some(e => bottom(e) > bottom(row) + 1));
                         return rows.length > 5 && [cut.map(row => row.innerText)];",
                        &[],
                    )
                    .unwrap();
                assert_eq!(cut, json!([[]]), "{bench} at {width} px");
            }
        });
    }
}

/// From the top of the page to each section of a result, with Tab and Enter alone.
#[test]
fn every_part_of_a_result_is_within_thirty_tabs() {
    const ENTER: &str = "\u{E007}";
    const MOST: usize = 30;
    for (name, bench) in [
        ("keys-debate", "debate"),
        ("keys-constitution", "constitution"),
        ("keys-persona", "persona"),
    ] {
        in_app(name, "", |app| {
            // what was opened with the keyboard goes on where it is
            app.tab_to(&format!("open-example-{bench}"));
            app.browser.press(&[ENTER]).unwrap();
            app.wait(
                "outline",
                "return document.querySelector('.outline button') !== null",
            );
            app.tab();
            let first = "return [document.activeElement.dataset.testid]";
            assert_eq!(app.browser.run(first, &[]).unwrap()[0], "undo", "{bench}");
            let ways = "return [...document.querySelectorAll('.outline button')].map(way => way.dataset.testid)";
            let ways: Vec<String> =
                serde_json::from_value(app.browser.run(ways, &[]).unwrap()).unwrap();
            for way in ways {
                // as if the page was just opened
                let top = "document.querySelector('.skip').focus(); scrollTo(0, 0); return true";
                app.browser.run(top, &[]).unwrap();
                let mut tabs = 1;
                let mut tab_until = |there: &str| {
                    let is_there = format!("return [Boolean({there})]");
                    while app.browser.run(&is_there, &[]).unwrap()[0] == false {
                        app.tab();
                        tabs += 1;
                        assert!(tabs <= MOST, "{bench}: {way} takes more than {MOST} tabs");
                    }
                };
                tab_until("document.activeElement.getAttribute('href') === '#sections'");
                app.browser.press(&[ENTER]).unwrap();
                tab_until(&format!(
                    "document.activeElement.dataset.testid === '{way}'"
                ));
                app.browser.press(&[ENTER]).unwrap();
                let part = way.replace("go-", "part-");
                tab_until(&format!(
                    "document.activeElement.parentElement.closest('#{part}')"
                ));
            }
        });
    }
}
