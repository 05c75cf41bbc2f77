//! The instrument: verdict, weights and rows in the window together, and nothing moves
//! under the hand.

use crate::app::{App, can, in_app};
use crate::harness::engine::Ability;
use crate::harness::look::look;

/// Sizes of windows, and how many rows are to be seen in each.
const SIZES: [(u32, u32, usize); 3] = [(1280, 800, 5), (1440, 900, 5), (390, 844, 3)];

fn is_together(app: &App, weights: &[&str]) {
    for (width, height, rows) in SIZES {
        app.browser.screen(width, height, false).unwrap();
        for weight in weights {
            let seen = look(&app.browser, weight).unwrap();
            let is_all = seen.weights.0 == seen.weights.1;
            assert!(
                seen.verdict && is_all && seen.rows >= rows && seen.shift < 1.0,
                "{weight} at {width}x{height}: {seen:?}"
            );
        }
    }
}

#[test]
fn verdict_weights_and_rows_of_a_debate_are_seen_together() {
    if !can(Ability::Screen) {
        return;
    }
    in_app("look-debate", "", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        is_together(app, &["w_base", "w_pairwise", "w_risk"]);
    });
}

#[test]
fn verdict_weights_and_rows_of_a_session_are_seen_together() {
    if !can(Ability::Screen) {
        return;
    }
    in_app("look-constitution", "", |app| {
        app.click("open-example-constitution");
        app.text("section-turns");
        is_together(app, &["tasteful", "ethical", "generative"]);
    });
}

#[test]
fn a_border_of_the_strip_takes_from_one_weight_for_the_other() {
    in_app("look-strip", "", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        let drag = "
            const grip = document.querySelector(arguments[0]);
            const strip = grip.parentElement.getBoundingClientRect();
            const at = grip.getBoundingClientRect();
            const send = (type, by) => grip.dispatchEvent(new PointerEvent(type, {
                bubbles: true, pointerId: 1, clientX: at.left + at.width / 2 + by * strip.width, clientY: at.top + 5,
            }));
            send('pointerdown', 0);
            send('pointermove', 0.02);
            send('pointermove', 0.08);
            send('lostpointercapture', 0.08);
            return true;";
        app.wait("grip-0", drag);
        // of 4.25 in all, 0.08 of the strip is 0.34
        let weight = |name: &str| app.value(&format!("weight-{name}-number"));
        assert_eq!([weight("w_base"), weight("w_pairwise")], ["0.89", "1.56"]);
        // it is one step back
        app.click("undo");
        assert_eq!([weight("w_base"), weight("w_pairwise")], ["0.55", "1.9"]);
        // a locked weight stays, and its neighbour alone moves
        app.click("lock-w_pairwise");
        app.wait("grip-0", drag);
        assert_eq!([weight("w_base"), weight("w_pairwise")], ["0.89", "1.9"]);
    });
}

#[test]
fn the_input_is_folded_away_where_there_is_an_answer_and_comes_back() {
    in_app("look-folded", "#/debate", |app| {
        let is_folded = || {
            let script = "return [document.querySelector('.inputs').hidden]";
            app.browser.run(script, &[]).unwrap()[0] == true
        };
        assert!(!is_folded(), "there is no answer yet");
        app.fill("input-debate", "{\"candidates\": [");
        assert!(!is_folded());
        app.go("#/");
        app.click("open-example-debate");
        app.text("section-ranking");
        assert!(is_folded());
        app.click("edit-input");
        assert!(!is_folded());
        // a mistake takes nothing out of sight that one is at
        app.fill("input-debate", "{");
        assert!(!is_folded());
        app.click("undo");
        app.text("section-ranking");
        app.click("fold-input");
        assert!(is_folded());
        app.browser.reload().unwrap();
        app.text("section-ranking");
        assert!(is_folded());
    });
}
