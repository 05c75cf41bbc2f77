//! The constitution bench.

use crate::app::{App, in_app, mark};
use assay::constitution::{Options, PerPrinciple, RewardResult, evaluate};
use serde_json::json;

/// What the library says of a text.
pub fn computed(text: &str, weights: &[(&str, f64)]) -> RewardResult {
    let weights = weights
        .iter()
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect();
    evaluate(
        text,
        &Options {
            weights,
            ..Options::default()
        },
    )
    .result
    .expect("a text without errors")
}

/// Every turn's row shows its total and its seven parts.
pub fn agrees(app: &App, expected: &RewardResult) {
    for turn in &expected.turns {
        let names = PerPrinciple::NAMES.map(|name| name.replace('_', "-"));
        let parts = names.iter().map(String::as_str);
        let parts: Vec<_> = parts.zip(turn.contributions.values()).collect();
        app.row_is(
            &format!("row-{}", turn.turn_number),
            turn.weighted_total,
            &parts,
        );
    }
}

#[test]
fn the_example_gives_the_computed_figures() {
    in_app("constitution-example", "", |app| {
        app.click("open-example-constitution");
        app.text("bench-constitution");
        agrees(app, &computed(&app.example("input-turns"), &[]));
    });
}

#[test]
fn a_weight_changes_the_result_as_computed() {
    in_app("constitution-weight", "", |app| {
        app.click("open-example-constitution");
        let text = app.example("input-turns");
        app.retype("weight-ethical-number", "0.5");
        let expected = computed(&text, &[("ethical", 0.5)]);
        assert_ne!(
            expected.turns,
            computed(&text, &[]).turns,
            "the example does not tell"
        );
        agrees(app, &expected);
        app.fill("weight-ethical-range", "1");
        agrees(app, &computed(&text, &[("ethical", 1.0)]));
    });
}

#[test]
fn an_error_is_shown_at_its_place() {
    in_app("constitution-error", "#/constitution", |app| {
        app.fill(
            "input-turns",
            "[\n  {\"turn_number\": 1,\n   \"action\": 5}\n]",
        );
        assert!(
            app.problems().iter().any(|(line, _)| *line == 3),
            "{:?}",
            app.problems()
        );
        app.fill("input-turns", "[\n  {\"turn_number\": 1,\n]");
        assert!(
            app.problems()
                .iter()
                .any(|(line, _)| *line == 3 || *line == 2),
            "{:?}",
            app.problems()
        );
    });
}

#[test]
fn faults_that_are_survived_are_mended_with_a_click() {
    in_app("mends", "#/constitution", |app| {
        let row = |rest: &str| {
            format!("{{\"turn_number\": {rest}, \"turn_result\": {{\"response\": \"One.\"}}}}")
        };
        let lines = [
            row("1"),
            row("1"),
            "{\"turn_number\": }".into(),
            "{\"turn_number\": ,}".into(),
        ];
        let [first, second, _, fourth] = &lines;
        app.fill("input-turns", &lines.join("\n"));
        let is = |text: &str| {
            let script = "const held = document.querySelector(arguments[0])?.value;
                return held === arguments[1] || (window.last = held, false)";
            let given = [json!(mark("input-turns")), json!(text)];
            app.browser.wait(30, text, script, &given).unwrap();
        };
        app.click("mend-one");
        is(&format!("{first}\n{second}\n{fourth}"));
        app.click("undo");
        is(&lines.join("\n"));
        app.click("mend-all");
        is(&format!("{first}\n{second}\n"));
        app.click("mend-numbers");
        is(&format!("{first}\n{}\n", row("2")));
        let problems = "return document.querySelectorAll('#problems-turns .problem').length === 0";
        app.browser.wait(30, "no problem", problems, &[]).unwrap();
        app.click("undo");
        is(&format!("{first}\n{second}\n"));
    });
}
