//! The constitution bench.

use crate::app::{App, can, in_app, mark};
use crate::harness::engine::Ability;
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
fn a_slider_stays_under_the_finger_while_the_words_above_it_change() {
    if !can(Ability::Screen) {
        return;
    }
    in_app("constitution-slider", "", |app| {
        app.browser.screen(390, 844, false).unwrap();
        app.click("open-example-constitution");
        app.text("row-1");
        let drag = "
            const slider = document.querySelector(arguments[0]);
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
            const frame = () => new Promise(next => requestAnimationFrame(next));
            slider.scrollIntoView({ block: 'center' });
            await frame();
            const tops = [], places = [];
            for (let n = 0; n <= 40; n++) {
                set.call(slider, String(slider.max * n / 40));
                slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
                await frame();
                const top = slider.getBoundingClientRect().top;
                tops.push(top);
                places.push(top + scrollY);
            }
            const range = of => Math.max(...of) - Math.min(...of);
            return [range(tops), range(places)];";
        let slider = json!(mark("weight-tasteful-range"));
        let told = app.browser.run_async(drag, &[slider]).unwrap();
        let [tops, places]: [f64; 2] = serde_json::from_value(told).unwrap();
        assert!(places > 15.0, "nothing above the slider changes its height");
        assert!(tops < 5.0, "the slider moves by {tops} px");
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
