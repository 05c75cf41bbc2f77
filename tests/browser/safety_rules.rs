//! The safety rules as a form: what is changed there is changed in their text and nothing else, a
//! sentence can be tried, and what was caught in a reply can be excepted.

use crate::accessibility::is_clean;
use crate::app::{App, in_app};
use serde_json::json;

const PERSONA: &str = "lexicon:\n  preferred: [aye]\n";
const TRANSCRIPT: &str = r#"{"session_id": "a", "turn": 1, "user": "It was late.", "assistant": "Aye, and thou art a zounderkite."}
{"session_id": "b", "turn": 1, "assistant": "Aye. Three sacks by the door."}
{"session_id": "c", "turn": 1, "assistant": "Your dog will be dead by Friday, you pathetic liar."}"#;
const RULES: &str =
    "# ours\n- category: offensive # mine\n  severity: high\n  words: [zounderkite]\n";

fn open(app: &App) {
    app.fill("input-persona", PERSONA);
    app.fill("input-transcript", TRANSCRIPT);
    app.unfold("input-safety");
    app.fill("input-safety", RULES);
    app.text("section-replies");
}

fn text_is(app: &App, expected: &str) {
    let script = "
        const text = document.querySelector('[data-testid=input-safety]').value;
        if (text === arguments[0]) return true;
        throw new Error(text)";
    let is = app
        .browser
        .wait(30, "the text of the rules", script, &[json!(expected)]);
    is.unwrap();
}

/// How many matches are shown under the sentence: that count, and that are excused.
fn tried(app: &App, sentence: &str, counted: usize, excused: usize) {
    app.fill("try-sentence", sentence);
    let script = "
        const all = [...document.querySelectorAll('[data-testid=tried] [data-excused]')];
        const count = which => all.filter(one => one.dataset.excused === which).length;
        const said = document.querySelector('[data-testid=tried]').innerText;
        if (said && count('false') === arguments[0] && count('true') === arguments[1]) return true;
        throw new Error(said)";
    let is = app
        .browser
        .wait(30, sentence, script, &[json!(counted), json!(excused)]);
    is.unwrap();
}

#[test]
fn rules_are_changed_in_their_text_and_tried() {
    in_app("safety-rules", "#/persona", |app| {
        open(app);
        app.text("rules-form");
        assert_eq!(app.value("rule-0-sought"), "zounderkite");
        app.fill("rule-0-severity", "low");
        text_is(app, &RULES.replace("high", "low"));
        app.fill("rule-0-sought", "zounderkite\ngowk");
        tried(app, "Thou gowk, thou zounderkite.", 2, 0);
        tried(app, "Good morning to thee.", 0, 0);
        tried(app, "I won't tell you to kill yourself.", 0, 1);
        app.fill("rule-0-exceptions", "dear gowk");
        tried(app, "Thou dear gowk.", 0, 1);
        let marks = "return document.querySelector('[data-testid=tried] mark.trait').textContent === 'gowk'";
        app.browser.wait(30, "a mark", marks, &[]).unwrap();
        app.fill("add-rule", "moonraker");
        tried(app, "Thou moonraker.", 1, 0);
        assert!(
            app.value("input-safety")
                .starts_with("# ours\n- category: offensive # mine\n")
        );
        is_clean(app, "the rules as a form");
    });
}

#[test]
fn what_was_caught_can_be_excepted_and_that_undone() {
    in_app("safety-except", "#/persona", |app| {
        open(app);
        app.browser
            .click("[data-testid=reply]:nth-child(1) .row-open")
            .unwrap();
        app.text("second-opinion");
        app.click("except-0");
        let excepted = format!("{RULES}- category: offensive\n  except:\n    - \"zounderkite\"\n");
        text_is(app, &excepted);
        let gone = "return !document.querySelector('[data-testid=\"except-0\"]')";
        app.browser.wait(30, "no match", gone, &[]).unwrap();
        app.click("undo");
        text_is(app, RULES);
    });
}

#[test]
fn a_second_opinion_is_given_where_no_rule_matched() {
    in_app("safety-second", "#/persona", |app| {
        open(app);
        app.fill("input-safety", "");
        app.fill("reply-hit", "doubted");
        let why = "return document.querySelector('[data-testid=reply] .why')?.innerText.includes('reads as')";
        app.browser
            .wait(30, "a reply that is doubted", why, &[])
            .unwrap();
        app.browser
            .click("[data-testid=reply]:nth-child(1) .row-open")
            .unwrap();
        let says = app.text("second-opinion");
        assert!(says.contains("though"), "{says}");
        is_clean(app, "a second opinion");
    });
}
