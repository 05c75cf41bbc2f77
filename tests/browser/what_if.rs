//! A change that is tried is no evidence: the input stays until somebody keeps it.

use crate::app::{App, in_app, mark};
use serde_json::Value;

/// A tie at the top that one rating turns over.
const DEBATE: &str = r#"{"question": "Which database?", "candidates": [
 {"id": "Postgres", "wins": 1, "reviews": [{"debater": "ann", "support": 2, "evidence": 1, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
 {"id": "Kafka", "wins": 1, "reviews": [{"debater": "ann", "support": 2, "evidence": 2, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 1, "evidence": 2, "major_risks": 1, "critical_fail": 0}]},
 {"id": "SQLite", "wins": 1, "reviews": [{"debater": "ann", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0}]}]}"#;
const TRY: &str = "try-Postgres";

/// Tries it, or puts it away, once the sections above, which come one after the other, move the
/// button no more.
fn click_try(app: &App) {
    let script = "
        const { top } = document.querySelector(arguments[0]).getBoundingClientRect();
        window.looks = window.seenTop === top ? window.looks + 1 : 0;
        window.seenTop = top;
        return window.looks > 15 && !document.querySelector('.stale, .waits')";
    app.browser.run("window.looks = 0", &[]).unwrap();
    app.wait(TRY, script);
    app.click(TRY);
}

fn with_tried(name: &'static str, test: impl FnOnce(&App)) {
    in_app(name, "#/debate", |app| {
        app.fill("input-debate", DEBATE);
        app.says("verdict", &["combine Postgres and Kafka"]);
        app.click(TRY);
        app.says(
            "what-if",
            &["As entered", "combine Postgres and Kafka", "Postgres wins"],
        );
        // it is at rest, and its button not under what is said of it
        let script = "
            const [button, dock] = [TRY, '.what-if'].map(css => document.querySelector(css).getBoundingClientRect());
            return button.bottom < dock.top && button.top > 0 && !document.querySelector('.stale')";
        let script = script.replace("TRY", &format!("'{}'", mark(TRY)));
        app.wait(TRY, &script);
        test(app);
    });
}

#[test]
fn what_is_tried_changes_no_input_and_says_what_it_is() {
    with_tried("what_is_tried_changes_no_input", |app| {
        app.says("verdict", &["What if: Postgres wins", "Not as entered"]);
        assert_eq!(app.value("input-debate"), DEBATE);
        // the cell is lit in the form, with what was entered in it
        app.click("face-form");
        let lit = "const lit = document.querySelectorAll('.tried[data-at]');
            return lit.length === 1 && lit[0].dataset.value === '1' && lit[0].ariaLabel.includes('what if: 2')";
        app.browser.wait(20, "the lit cell", lit, &[]).unwrap();
        // the row shows what is tried and where it stood
        let open = "document.querySelector(arguments[0] + ' .row-open').click(); return true";
        app.wait("row-Postgres", open);
        app.says("tried", &["evidence 2 instead of 1"]);
        // every export says so
        let json: Value = serde_json::from_str(&app.offered("export-json")).unwrap();
        assert_eq!(json["what_if"]["path"], "candidates[0].reviews[0].evidence");
        assert_eq!(json["decision"], "winner");
        assert!(app.offered("export-md").contains("What if, not as entered"));
        assert!(
            app.offered("export-csv")
                .lines()
                .next()
                .unwrap()
                .ends_with(",what_if")
        );
        // a link holds what was entered
        let link = app.permalink();
        app.browser.open(&link).unwrap();
        app.says("verdict", &["combine Postgres and Kafka"]);
    });
}

#[test]
fn what_is_tried_is_put_away_or_kept() {
    with_tried("what_is_tried_is_put_away_or_kept", |app| {
        // its button puts it away again, and keeps the focus
        click_try(app);
        let gone = "return document.querySelector(arguments[0]) === null";
        app.wait("what-if", gone);
        app.says("verdict", &["combine Postgres and Kafka"]);
        click_try(app);
        app.click("discard-what-if");
        app.wait("what-if", gone);
        app.wait(TRY, "return document.activeElement.matches(arguments[0])");
        // a change of the input puts it away too
        click_try(app);
        app.says("what-if", &["Postgres wins"]);
        let renamed = DEBATE.replace("SQLite", "DuckDB");
        app.fill("input-debate", &renamed);
        app.wait("what-if", gone);
        // kept, it is a step of undo
        click_try(app);
        app.click("keep-what-if");
        app.wait("what-if", gone);
        app.says("verdict", &["Postgres wins"]);
        let script = "const { value } = document.querySelector(arguments[0]);
            return value.includes('\"evidence\": 2, \"major_risks\": 1') && [value]";
        app.wait("input-debate", script);
        app.click("undo");
        app.says("verdict", &["combine Postgres and Kafka"]);
        assert_eq!(app.value("input-debate"), renamed);
    });
}
