//! Permalinks: a link reopens to the same result in a browser that has never
//! seen the page, and a damaged one harms nothing.

use crate::app::{App, in_app, in_trouble};
use crate::{constitution, debate, persona};
use serde_json::json;
use std::path::Path;

/// Opens a link in a browser with an empty profile.
fn elsewhere(name: &'static str, link: &str, test: impl FnOnce(&App)) {
    let (_, fragment) = link.split_once('#').expect("a fragment");
    in_app(name, &format!("#{fragment}"), test);
}

#[test]
fn a_debate_reopens() {
    let mut sent = None;
    in_app("link-debate", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        app.retype("weight-w_base-number", "1.75");
        debate::agrees(app, &debate::computed(&text, &[("w_base", 1.75)]));
        let link = app.permalink();
        assert!(link.starts_with(&app.site.url("#v2.")), "{link}");
        sent = Some((link, text, app.text("verdict")));
    });
    let (link, text, verdict) = sent.unwrap();
    elsewhere("link-debate-opened", &link, |app| {
        debate::agrees(app, &debate::computed(&text, &[("w_base", 1.75)]));
        assert_eq!(app.value("input-debate"), text);
        assert_eq!(app.text("verdict"), verdict);
        assert_eq!(app.value("weight-w_base-number"), "1.75");
    });
}

/// The link that opens at the place of this name.
fn link_to(app: &App, place: &str) -> String {
    app.permalink();
    let script = "
        const places = document.querySelector(arguments[0]);
        const found = [...places.options].find(place => place.text.includes(arguments[1]));
        if (!found) throw new Error([...places.options].map(place => place.text));
        places.value = found.value;
        places.dispatchEvent(new Event('change', { bubbles: true }));
        return true;";
    let given = [json!("[data-testid=share-at]"), json!(place)];
    app.browser.wait(30, place, script, &given).unwrap();
    let link = app.wait(
        "share-link",
        "const { value } = document.querySelector(arguments[0]); return value.includes('&at=') && [value]",
    );
    link[0].as_str().unwrap().to_owned()
}

/// Waits until a row is open and in the window, and the focus on its button.
fn is_shown(app: &App, row: &str) {
    let script = "
        const row = document.activeElement.closest('[data-row]');
        const { top, bottom } = row?.getBoundingClientRect() ?? {};
        if (row?.dataset.row === arguments[0] && top >= 0 && top < innerHeight && bottom > 0
            && document.activeElement.getAttribute('aria-expanded') === 'true') return true;
        throw new Error([row?.dataset.row, top, bottom, document.activeElement.outerHTML.slice(0, 80)]);";
    app.browser.wait(30, row, script, &[json!(row)]).unwrap();
}

#[test]
fn a_link_opens_at_a_row_or_a_section() {
    let mut sent = Vec::new();
    in_app("link-row", "", |app| {
        app.click("open-example-debate");
        let row = "[data-testid=section-ranking] [data-row=Options] .row-open";
        app.browser
            .wait(
                30,
                row,
                "return document.querySelector(arguments[0])",
                &[json!(row)],
            )
            .unwrap();
        app.browser.click(row).unwrap();
        sent.push(link_to(app, "Options"));
        sent.push(link_to(app, "If the weights"));
        // at the top again
        app.fill("share-at", "");
        app.wait(
            "share-link",
            "return !document.querySelector(arguments[0]).value.includes('&at=')",
        );
    });
    elsewhere("link-row-opened", &sent[0], |app| is_shown(app, "Options"));
    elsewhere("link-section-opened", &sent[1], |app| {
        let script = "return document.activeElement.id === 'part-shares'
            && document.activeElement.getBoundingClientRect().top < innerHeight";
        app.browser.wait(30, "the section", script, &[]).unwrap();
    });
}

#[test]
fn a_link_opens_at_a_turn_of_a_long_log() {
    let turns: Vec<_> = (1..=300)
        .map(|number| json!({ "turn_number": number, "overrides": { "ethical": 0.5 } }))
        .collect();
    let mut sent = None;
    in_app("link-turn", "#/constitution", |app| {
        app.fill("input-turns", &json!(turns).to_string());
        app.text("verdict");
        sent = Some(app.permalink());
    });
    elsewhere(
        "link-turn-opened",
        &format!("{}&at=turns.217", sent.unwrap()),
        |app| {
            is_shown(app, "217");
        },
    );
}

#[test]
fn a_link_opens_at_a_reply_before_it_is_embedded() {
    let mut sent = None;
    in_app("link-reply", "", |app| {
        app.click("open-example-persona");
        app.text("verdict");
        sent = Some(app.permalink());
    });
    let link = format!("{}&at=replies.1-0", sent.unwrap());
    elsewhere("link-reply-opened", &link, |app| is_shown(app, "1-0"));
}

#[test]
fn turns_reopen() {
    let mut sent = None;
    in_app("link-constitution", "", |app| {
        app.click("open-example-constitution");
        let text = app.example("input-turns");
        app.retype("weight-tasteful-number", "0.3");
        constitution::agrees(app, &constitution::computed(&text, &[("tasteful", 0.3)]));
        sent = Some((app.permalink(), text, app.text("verdict")));
    });
    let (link, text, verdict) = sent.unwrap();
    elsewhere("link-constitution-opened", &link, |app| {
        constitution::agrees(app, &constitution::computed(&text, &[("tasteful", 0.3)]));
        assert_eq!(app.value("input-turns"), text);
        assert_eq!(app.text("verdict"), verdict);
    });
}

#[test]
fn a_persona_reopens() {
    let mut sent = None;
    in_app("link-persona", "", |app| {
        let expected = persona::open_example(app);
        sent = Some((app.permalink(), persona::inputs(app), expected));
    });
    let (link, inputs, expected) = sent.unwrap();
    elsewhere("link-persona-opened", &link, |app| {
        app.text("bench-persona");
        assert_eq!(app.value("input-persona"), inputs[0]);
        assert_eq!(app.value("input-transcript"), inputs[1]);
        app.start_embedding();
        persona::agrees(app, &expected);
    });
}

#[test]
fn the_library_reads_the_pages_link() {
    in_app("link-library", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        let link = app.permalink();
        let document = assay::share::decode(&link).expect("a link of this version");
        let document = serde_json::to_value(&document).unwrap();
        assert_eq!(document["kind"], json!("rwea"));
        assert!(
            document.to_string().contains(&json!(text).to_string()),
            "{document}"
        );
    });
}

#[test]
fn a_damaged_link_leaves_the_work_alone() {
    in_app("link-damaged", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        let link = app.permalink();
        let (_, good) = link.split_once('#').unwrap();
        let half = &good[..good.len() / 2];
        for fragment in [
            "v2.",
            "v2.%%%",
            "v2.AAAA",
            "v1.AAAA",
            "v9.AAAA",
            "v99999999999.x",
            half,
        ] {
            app.go(&format!("#{fragment}"));
            let notice = app.text("notice");
            assert!(
                notice.to_lowercase().contains("link"),
                "{fragment}: {notice}"
            );
            app.go("#/debate");
            assert_eq!(app.value("input-debate"), text, "{fragment}");
            debate::agrees(app, &debate::computed(&text, &[]));
        }
    });
}

#[test]
fn a_visit_with_a_damaged_link_keeps_what_was_there() {
    in_app("link-damaged-visit", "#/debate", |app| {
        app.fill("input-debate", "{\"candidates\": [");
        app.problems();
        // leaving for another page and coming back is a new visit
        app.browser.open("about:blank").unwrap();
        app.go("#v1.AAAA");
        let notice = app.text("notice");
        assert!(notice.to_lowercase().contains("link"), "{notice}");
        app.go("#/debate");
        assert_eq!(app.value("input-debate"), "{\"candidates\": [");
    });
}

#[test]
fn every_file_of_the_build_may_lie_under_any_path() {
    let built = std::env::var("ASSAY_DIST").unwrap_or_else(|_| "dist".to_owned());
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(built)
        .join("index.html");
    let page = std::fs::read_to_string(page).unwrap();
    for absolute in [
        "src=\"/", "href=\"/", "from \"/", "from '/", "http://", "https://",
    ] {
        assert!(!page.contains(absolute), "the page has {absolute}");
    }
}

/// What lies beside the page is opened by its address, one file or several that belong together.
#[test]
fn files_beside_the_page_are_opened_by_a_link() {
    let one = "#src=examples/debate.json&at=ranking.Options";
    in_app("link-source", one, |app| {
        app.says("verdict", &["Ladder wins"]);
        is_shown(app, "Options");
    });
    let both = "#src=examples/persona.yaml&src=examples/transcript.jsonl";
    in_app("link-sources", both, |app| {
        app.text("bench-persona");
        assert!(app.example("input-persona").contains("exemplars"));
        assert!(app.example("input-transcript").contains("role"));
    });
}

/// Nothing is asked of another server, whatever a link says, and each file that does not come is said.
#[test]
fn a_link_opens_nothing_of_another_server() {
    in_app("link-elsewhere", "#/", |app| {
        for address in [
            "http://end.example/a.json",
            "//end.example/a.json",
            "data:,{}",
            "javascript:1",
        ] {
            app.go(&format!("#src={address}"));
            app.says("notice", &["only files beside this page", address]);
            app.go("#/");
        }
        app.go("#src=");
        app.says("notice", &["names no file"]);
    });
    in_trouble("link-missing", "#src=a.json&src=b.json", |app| {
        app.says(
            "notice",
            &[
                "a.json could not be loaded (status 404)",
                "b.json could not be loaded (status 404)",
            ],
        );
    });
}
