//! What the numbers are: every label that explains itself has its words, by pointer and by
//! keyboard, and all of them are found under Help.

use crate::app::{App, in_app, mark};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ENTER: &str = "\u{E007}";
const ESCAPE: &str = "\u{E00C}";

/// What the labels on the page now name, in charts and in tables.
fn asked(app: &App) -> BTreeSet<String> {
    let script = "
        document.querySelectorAll('details').forEach(fold => { fold.open = true; });
        document.querySelectorAll('.unfold[aria-expanded=false]').forEach(fold => fold.click());
        const about = () => [...document.querySelectorAll('[data-about]')].map(e => e.dataset.about);
        window.asked = new Set([...(window.asked ?? []), ...about()]);
        document.querySelectorAll('.twins button[data-testid^=table-][aria-pressed=false]').forEach(twin => twin.click());
        return [...new Set([...window.asked, ...about()])];";
    // the sections come one after the other
    let settled = "return document.querySelectorAll('.at-rest.stale').length === 0";
    app.browser.wait(60, "rest", settled, &[]).unwrap();
    let mut found = BTreeSet::new();
    for _ in 0..2 {
        let names: Vec<String> =
            serde_json::from_value(app.browser.run(script, &[]).unwrap()).unwrap();
        found.extend(names);
        app.browser.wait(60, "rest", settled, &[]).unwrap();
    }
    found
}

#[test]
fn every_label_that_explains_itself_is_in_the_glossary() {
    in_app("explained-all", "", |app| {
        let mut all = BTreeSet::new();
        for (bench, section) in [
            ("debate", "section-debaters"),
            ("constitution", "section-session"),
            ("persona", "section-sessions"),
        ] {
            app.click(&format!("open-example-{bench}"));
            app.text(section);
            let found = asked(app);
            assert!(found.len() > 8, "{bench}: {found:?}");
            all.extend(found);
            app.go("#/");
        }
        app.click("help");
        app.click("help-numbers");
        app.text("glossary-count");
        let script = "
            const has = key => document.querySelector(`[data-testid='entry-${key}']`) !== null;
            return arguments[0].filter(key => !has(key) && !has(key.replace(/_weight$/, '')));";
        let missing = app.browser.run(script, &[json!(all)]).unwrap();
        assert_eq!(missing, json!([]));
    });
}

/// The title of the explanation that is open; waits for one.
fn title(app: &App, expected: &str) {
    let script = "
        const open = document.querySelector('#explanation:popover-open');
        return open?.querySelector('h3')?.innerText === arguments[1];";
    let arguments = [json!(mark("explained")), json!(expected)];
    app.browser.wait(20, expected, script, &arguments).unwrap();
}

fn focus(app: &App, css: &str) {
    let script = "document.querySelector(arguments[0]).focus(); return true";
    app.browser.run(script, &[json!(css)]).unwrap();
}

#[test]
fn an_explanation_opens_and_closes_by_keys_and_gives_the_focus_back() {
    in_app("explained-keys", "", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        focus(app, ".knob [data-about=w_risk]");
        app.browser.press(&[ENTER]).unwrap();
        title(app, "Risk");
        let words = app.text("explanation");
        assert!(words.contains("risk = mean(major_risks"), "{words}");
        assert!(words.contains("lower is better"), "{words}");

        // the next one takes its place
        focus(app, ".knob [data-about=w_base]");
        app.browser.press(&[ENTER]).unwrap();
        title(app, "Base");

        app.browser.press(&[ESCAPE]).unwrap();
        let closed = "return document.querySelector('#explanation:popover-open') === null
            && document.activeElement.dataset.about === 'w_base'";
        app.browser.wait(20, "closed", closed, &[]).unwrap();

        // it stays within the window
        app.browser.click(".weights .ask").unwrap();
        title(app, "Weights");
        let inside = "
            const at = document.querySelector('#explanation').getBoundingClientRect();
            return at.left >= 0 && at.right <= innerWidth && at.top >= 0";
        app.browser.wait(20, "inside", inside, &[]).unwrap();
    });
}

#[test]
fn the_glossary_is_looked_through() {
    in_app("explained-glossary", "", |app| {
        app.click("open-example-persona");
        app.text("section-sessions");
        app.browser
            .click(".metrics [data-about=stability]")
            .unwrap();
        title(app, "Stability");
        app.click("all-numbers");
        let first = "
            const first = document.querySelector('.glossary .entry');
            return first?.dataset.testid === 'entry-overall'
                && document.activeElement.id === 'glossary-words'";
        app.browser.wait(20, "its own first", first, &[]).unwrap();
        app.fill("glossary-words", "krippendorff");
        let only = "
            const all = [...document.querySelectorAll('.glossary .entry')];
            return all.length === 1 && all[0].dataset.testid === 'entry-alpha'";
        app.browser.wait(20, "one entry", only, &[]).unwrap();
        app.fill("glossary-words", "zebra");
        let none = "return document.querySelector(arguments[0]).innerText.startsWith('Nothing')";
        app.wait("glossary-count", none);
        // the method's own text is there
        let method = "return (await fetch('scoring.txt')).text()";
        let text: Value = app.browser.run_async(method, &[]).unwrap();
        let text = text.as_str().unwrap();
        assert!(
            text == include_str!("../../SCORING.md"),
            "another text: {}",
            &text[..100]
        );
    });
}
