//! The library of runs: kept, found, renamed, opened again, taken away and brought back, in a file
//! and in another tab.

use crate::accessibility::is_clean;
use crate::app::{App, can, in_app};
use crate::harness::engine::Ability;
use serde_json::json;

const NO_DATABASE: &str = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });";

/// Waits for a notice that says this, and presses its button where one is named.
fn notice(app: &App, words: &str, act: &str) {
    let script = "
        const notices = [...document.querySelectorAll('.notice')];
        const found = notices.find(n => n.innerText.includes(arguments[0]));
        if (!found || !arguments[1]) return found !== undefined;
        const button = [...found.querySelectorAll('button')].find(b => b.innerText === arguments[1]);
        button?.click();
        return button !== undefined;";
    let given = [json!(words), json!(act)];
    app.browser.wait(30, words, script, &given).unwrap();
}

/// Waits until the list has these names, in this order.
fn lists(app: &App, names: &[&str]) {
    let script = "
        const names = [...document.querySelectorAll('.run-name')].map(field => field.value);
        if (JSON.stringify(names) === JSON.stringify(arguments[0])) return true;
        throw new Error(names);";
    app.browser
        .wait(30, "names of runs", script, &[json!(names)])
        .unwrap();
}

/// Types into the field of the first run, as somebody who then goes on, and waits until that is
/// kept: the other tabs are told of it then.
fn write(app: &App, css: &str, text: &str) {
    let script = "
        const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        const told = localStorage.getItem('assay.runs');
        field.dispatchEvent(new Event('change', { bubbles: true }));
        return told;";
    let given = [json!(css), json!(text)];
    let told = app.browser.run(script, &given).unwrap();
    let is_kept = "return localStorage.getItem('assay.runs') !== arguments[0];";
    app.browser.wait(30, css, is_kept, &[told]).unwrap();
}

/// Keeps what is on the bench once more, with another weight, and goes to the runs.
fn keep_with_another_weight(app: &App) {
    app.fill("weight-w_base-range", "2");
    app.says("verdict", &[""]);
    app.click("keep");
    notice(app, "(2)", "Show all runs");
    app.says("run-count", &["2 runs"]);
}

/// Ticks the two runs that are there.
fn tick_both(app: &App) {
    let tick = "
        const boxes = [...document.querySelectorAll('[data-testid=run-tick]')];
        boxes.filter(box => !box.checked).slice(0, 1).forEach(box => box.click());
        return boxes.length === 2 && boxes.every(box => box.checked);";
    app.browser.wait(30, "two ticks", tick, &[]).unwrap();
}

#[test]
fn a_run_is_kept_found_and_opened_again() {
    in_app("runs", "", |app| {
        app.click("open-example-debate");
        let verdict = app.text("verdict");
        app.click("keep");
        notice(app, "Kept as", "");
        // the same is not kept twice; another weight is another run
        app.click("keep");
        notice(app, "This run is kept already", "");
        keep_with_another_weight(app);
        is_clean(app, "runs");
        write(app, ".run-name", "Heavier base");
        write(app, ".run-tags", "release, base");
        app.browser.reload().unwrap();
        app.says(
            "runs",
            &["w_base 2", "weights as published", &verdict[..10]],
        );
        app.fill("run-find", "base RELEASE");
        lists(app, &["Heavier base"]);
        app.says("run-count", &["1 of 2 runs"]);
        // what is on the bench goes, and comes again
        app.go("#/debate");
        app.fill("input-debate", "[]");
        app.go("#/runs");
        app.fill("run-find", "heavier");
        app.click("run-open");
        app.text("bench-debate");
        app.says("verdict", &[""]);
        assert_eq!(app.value("weight-w_base-range"), "2");
        assert!(app.value("input-debate").contains("candidates"));
    });
}

#[test]
fn two_runs_are_compared_and_the_comparison_has_a_link() {
    let mut sent = None;
    in_app("runs-compare", "", |app| {
        app.click("open-example-debate");
        app.text("verdict");
        app.click("keep");
        notice(app, "Kept as", "");
        keep_with_another_weight(app);
        // the weights alone are between them
        tick_both(app);
        app.click("compare-runs");
        app.says("run-difference", &["(2) against", "By the weights"]);
        let sums = "
            const rows = [...document.querySelectorAll('.run-table tbody tr')];
            const of = row => [...row.querySelectorAll('td')].map(cell => Number(cell.dataset.value));
            return rows.length > 1 && rows.every(row => {
                const [, , before, after, input, reviews, weights] = of(row);
                return input === 0 && reviews === 0 && Math.abs(after - before - weights) < 1e-9;
            });";
        app.browser
            .wait(30, "shares that add up", sums, &[])
            .unwrap();
        is_clean(app, "two runs compared");
        let csv = app.offered("difference-csv");
        assert!(csv.contains("Candidate,Rank before"), "{csv}");
        app.click("share-difference");
        let link = app.value("share-link");
        sent = link
            .split_once('#')
            .map(|(_, fragment)| format!("#{fragment}"));
    });
    // the comparison has a link, which keeps nothing where it is opened
    let sent = sent.unwrap();
    assert!(sent.starts_with("#compare=v2."), "{sent}");
    in_app("runs-compared", &sent, |app| {
        app.says(
            "run-difference",
            &["The later run against", "By the weights"],
        );
        app.text("no-runs");
        app.go(&sent[..sent.len() - 9]);
        app.says("notice", &["damaged", "Nothing was changed"]);
    });
}

#[test]
fn a_run_that_is_deleted_comes_back_and_all_go_into_a_file() {
    in_app("runs-file", "", |app| {
        app.click("open-example-constitution");
        app.text("verdict");
        app.click("keep");
        notice(app, "Kept as", "Show all runs");
        app.says("run-count", &["1 run"]);
        write(app, ".run-name", "An agent");
        lists(app, &["An agent"]);
        app.click("run-copy");
        lists(app, &["An agent (2)", "An agent"]);
        app.click("run-delete");
        lists(app, &["An agent"]);
        notice(app, "Deleted: An agent (2)", "Undo");
        lists(app, &["An agent (2)", "An agent"]);
        let file = app.offered("save-runs");
        app.click("run-delete");
        lists(app, &["An agent"]);
        app.click("run-delete");
        app.text("no-runs");
        // the file brings both, and brings nothing twice
        app.go("#/");
        app.fill("input-paste", &file);
        app.browser.click(".take-acts button").unwrap();
        lists(app, &["An agent (2)", "An agent"]);
        app.go("#/");
        app.fill("input-paste", &file);
        app.browser.click(".take-acts button").unwrap();
        notice(app, "2 of it were there already", "");
        lists(app, &["An agent (2)", "An agent"]);
    });
}

#[test]
fn two_runs_of_a_persona_are_compared_on_its_bench() {
    in_app("runs-persona", "", |app| {
        app.click("open-example-persona");
        app.text("bench-persona");
        app.start_embedding();
        app.text("verdict");
        app.click("keep");
        notice(app, "Kept as", "");
        let text = app.example("input-transcript");
        let other = text.replacen("Happy to help!", "Pursuant to your request:", 1);
        assert_ne!(text, other);
        app.fill("input-transcript", &other);
        app.fill("input-config", "scoring: {authenticity_weight: 0.9}");
        app.says_at_last("verdict", &[""]);
        app.click("keep");
        notice(app, "(2)", "Show all runs");
        app.says("run-count", &["2 runs"]);
        tick_both(app);
        app.says("run-pair", &["on the bench Persona", "as its baseline"]);
        app.click("compare-runs");
        app.text("bench-persona");
        app.says_at_last("compare-gist", &["paired by session and turn"]);
        assert_eq!(app.value("input-baseline").trim_end(), text.trim_end());
        assert_eq!(app.value("input-transcript").trim_end(), other.trim_end());
        // the weights of the earlier were others, its persona was not
        let weights = app.value("input-baseline_config");
        assert!(weights.contains("authenticity_weight: 0.5\n"), "{weights}");
        assert_eq!(app.value("input-baseline_persona"), "");
        app.says_at_last("split", &["Overall", "Authenticity"]);
    });
}

#[test]
fn another_tab_hears_of_a_run() {
    in_app("runs-tabs", "#/runs", |app| {
        app.text("no-runs");
        let first = app.browser.tab().unwrap();
        app.browser.open_tab().unwrap();
        app.go("#/");
        app.click("open-example-debate");
        app.text("verdict");
        app.click("keep");
        notice(app, "Kept as", "");
        app.browser.switch_to(&first).unwrap();
        app.says("run-count", &["1 run"]);
    });
}

#[test]
fn a_browser_that_keeps_no_runs_is_survived() {
    if !can(Ability::Devtools) {
        return;
    }
    in_app("runs-denied", "", |app| {
        let source = json!({ "source": NO_DATABASE });
        let ability = "Page.addScriptToEvaluateOnNewDocument";
        app.browser.devtools(ability, &source).unwrap();
        app.browser.open("about:blank").unwrap();
        app.go("#/");
        app.click("open-example-debate");
        app.text("verdict");
        app.click("keep");
        notice(app, "does not keep runs", "");
        app.go("#/runs");
        app.says("runs", &["does not keep runs"]);
    });
}
