//! The debate bench.

use crate::app::{App, in_app, mark, say};
use assay::debate::{DebateResult, Options, Ruling, evaluate};
use serde_json::json;

/// What the library says of a text.
pub fn computed(text: &str, weights: &[(&str, f64)]) -> DebateResult {
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

/// Every candidate's row shows its score and what it is made of.
pub fn agrees(app: &App, expected: &DebateResult) {
    for row in &expected.results {
        let of = row.contributions;
        let parts = [
            ("Base", of.base),
            ("Pairwise", of.pairwise),
            ("Reliability", of.reliability),
            ("Formal", of.formal),
            ("Risk", of.risk),
        ];
        app.row_is(&format!("row-{}", row.id), row.score, &parts);
    }
    let (verdict, headline) = (app.text("verdict"), Ruling::of(expected).headline());
    assert!(verdict.starts_with(&headline), "{headline}: {verdict}");
}

#[test]
fn the_example_gives_the_computed_figures() {
    in_app("debate-example", "", |app| {
        app.click("open-example-debate");
        app.text("bench-debate");
        agrees(app, &computed(&app.example("input-debate"), &[]));
    });
}

#[test]
fn a_weight_changes_the_result_as_computed() {
    in_app("debate-weight", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        app.retype("weight-w_risk-number", "2.5");
        let expected = computed(&text, &[("w_risk", 2.5)]);
        assert_ne!(
            expected.results,
            computed(&text, &[]).results,
            "the example does not tell"
        );
        agrees(app, &expected);
        app.fill("weight-w_risk-range", "0");
        agrees(app, &computed(&text, &[("w_risk", 0.0)]));
    });
}

#[test]
fn an_error_is_shown_at_its_place() {
    in_app("debate-error", "#/debate", |app| {
        app.fill(
            "input-debate",
            "{\n  \"candidates\": [\n    {\"id\": }\n  ]\n}",
        );
        assert_eq!(app.problems().first(), Some(&(3, 12)));
        // typed on the keyboard, one error after another
        app.fill("input-debate", "");
        app.browser
            .type_into(&mark("input-debate"), "{\"candidates\":\u{E007} 7}")
            .unwrap();
        let place =
            "return [...document.querySelectorAll(arguments[0])].some(e => e.dataset.line === '2')";
        app.wait("problem", place);
        assert!(app.problems().contains(&(2, 2)), "{:?}", app.problems());
    });
}

/// The verdict of a pasted debate waits for nothing: no download, no pause.
#[test]
fn the_first_result_comes_in_the_frame_after_the_paste() {
    let candidates: Vec<_> = ["A", "B", "C", "D", "E"]
        .iter()
        .enumerate()
        .map(|(wins, id)| {
            let review =
                json!({ "support": 2, "evidence": wins % 3, "major_risks": 0, "critical_fail": 0 });
            json!({ "id": id, "wins": wins, "reviews": [review.clone(), review] })
        })
        .collect();
    let text = json!({ "candidates": candidates }).to_string();
    in_app("debate-speed", "#/debate", |app| {
        app.value("input-debate");
        let paste = "
            const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
            await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
            const verdict = document.querySelector('[data-testid=\"verdict\"]');
            return [verdict?.innerText ?? '', performance.now()];";
        let arguments = [json!(mark("input-debate")), json!(text)];
        let told = app.browser.run_async(paste, &arguments).unwrap();
        let expected = computed(&text, &[]);
        let headline = Ruling::of(&expected).headline();
        assert!(told[0].as_str().unwrap().starts_with(&headline), "{told}");
        agrees(app, &expected);
        say(&format!(
            "first result of a pasted debate: {} ms after opening the page",
            told[1]
        ));
    });
}
