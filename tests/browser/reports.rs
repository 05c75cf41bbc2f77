//! A report from the page: it proves itself when it is dropped, and does not with another digit.

use crate::app::{App, in_app};
use crate::persona;
use serde_json::json;

/// Opens a text on the start page, and waits for what is said of it.
fn opens(app: &App, text: &str, words: &str) {
    app.go("#/");
    app.fill("input-paste", text);
    app.browser.click(".take-acts button").unwrap();
    notices(app, words);
}

/// Waits for a notice of these words.
fn notices(app: &App, words: &str) {
    let script = "
        const said = [...document.querySelectorAll('.notice')].map(notice => notice.innerText);
        if (said.some(words => words.includes(arguments[0]))) return true;
        throw new Error(`${location.hash}: ${JSON.stringify(said)}`);";
    let given = [json!(words)];
    app.browser.wait(60, words, script, &given).unwrap();
}

/// Takes the notices away.
fn dismiss(app: &App) {
    let script = "
        const buttons = [...document.querySelectorAll('.notice button')];
        buttons.find(button => button.innerText === 'Dismiss')?.click();
        return document.querySelector('.notice') === null;";
    app.browser.wait(30, "no notice", script, &[]).unwrap();
}

/// The report with another last digit of a score in what is seen.
fn with_another_digit(report: &str, score: &str) -> String {
    assert!(report.contains(score), "no {score} in the report");
    let last = score.chars().last().and_then(|digit| digit.to_digit(10));
    let other = (last.expect("a digit") + 1) % 10;
    report.replace(score, &format!("{}{other}", &score[..score.len() - 1]))
}

#[test]
fn a_debates_report_stands_and_falls_with_a_digit() {
    in_app("report-debate", "", |app| {
        app.click("open-example-debate");
        app.text("verdict");
        let text = app.example("input-debate");
        let report = app.offered("export-html");
        let result: serde_json::Value = serde_json::from_str(&app.offered("export-json")).unwrap();
        let score = result["results"][0]["score"].to_string();
        app.fill("input-debate", "[]");
        opens(app, &report, "It stands");
        // what was scored is on its bench again
        app.text("bench-debate");
        assert_eq!(app.value("input-debate").trim_end(), text.trim_end());
        dismiss(app);
        opens(app, &with_another_digit(&report, &score), "does not stand");
        dismiss(app);
        opens(app, &report[..report.len() / 2], "cannot be read");
    });
}

#[test]
fn a_report_of_turns_stands_on_the_page_it_came_from() {
    in_app("report-turns", "", |app| {
        app.click("open-example-constitution");
        app.text("verdict");
        let report = app.offered("export-html");
        opens(app, &report, "It stands");
        app.text("bench-constitution");
    });
}

#[test]
fn a_result_is_held_against_what_is_on_the_bench() {
    in_app("report-result", "", |app| {
        app.click("open-example-constitution");
        app.text("verdict");
        let text = app.example("input-turns");
        let result = app.offered("export-json");
        let read: serde_json::Value = serde_json::from_str(&result).unwrap();
        let mean = read["turns"][0]["weighted_total"].to_string();
        opens(app, &result, "The result: It stands");
        app.text("bench-constitution");
        dismiss(app);
        opens(
            app,
            &with_another_digit(&result, &mean),
            "The result: It does not stand",
        );
        dismiss(app);
        app.fill("input-turns", "[{\"action\": \"x\"}]");
        app.says("verdict", &["1 turn"]);
        opens(app, &result, "the result of another input");
        dismiss(app);
        // with nothing there it waits for its input
        app.fill("input-turns", "");
        opens(app, &result, "does not hold its input");
        dismiss(app);
        app.fill("input-turns", &text);
        notices(app, "The result: It stands");
    });
}

#[test]
fn a_personas_report_is_compared_once_its_figures_are_there() {
    in_app("report-persona", "", |app| {
        persona::open_example(app);
        let report = app.offered("export-html");
        let result: serde_json::Value = serde_json::from_str(&app.offered("export-json")).unwrap();
        opens(app, &report, "The report: It stands");
        app.text("bench-persona");
        dismiss(app);
        let score = result["overall"].to_string();
        // what comes of vectors may differ by a little
        opens(
            app,
            &with_another_digit(&report, &score[..4]),
            "compared once they are computed here",
        );
        notices(app, "The report: It does not stand");
    });
}
