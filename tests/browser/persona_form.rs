//! The persona bench without the model: its form in step with its text, how firm
//! its grade is, what was before, and what a score is made of.

use crate::app::{App, in_app, mark};
use assay::persona::config::{INNER, OUTER};
use assay::persona::{Inputs, Options, PersonaResult, Run, read};
use serde_json::{Value, json};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const CONTROL_A: &str = "\u{E009}a";

/// The run on the page as the library reads it.
fn run(app: &App) -> Run {
    let (persona, transcript) = (app.value("input-persona"), app.value("input-transcript"));
    let inputs = Inputs {
        persona: &persona,
        transcript: &transcript,
        ..Inputs::default()
    };
    let read = read(&inputs);
    let problems = read.problems;
    read.result
        .unwrap_or_else(|| panic!("{problems:?} in {persona}"))
}

/// The result that the page is to show, without embeddings.
fn scored(app: &App, weights: &[(&str, f64)]) -> PersonaResult {
    let options = Options {
        weights: weights
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        ..Options::default()
    };
    run(app)
        .score(&options, None)
        .result
        .expect("valid weights")
}

/// Waits until the page shows this result.
fn shows(app: &App, expected: &PersonaResult) {
    app.computes("overall", expected.overall.expect("an overall score"));
    // there is no grade while something is still to be embedded
    let waits = "return [document.querySelector('[data-testid=\"embed-start\"]') !== null]";
    let grade = if app.browser.run(waits, &[]).unwrap()[0] == true {
        "–".to_owned()
    } else {
        format!("{:?}", expected.grade.expect("a grade"))
    };
    assert_eq!(app.text("grade"), grade);
}

fn open(app: &App) {
    app.click("open-example-persona");
    app.text("persona-form");
    app.example("input-transcript");
    // the input folds when there is something to look at
    app.says("verdict", &["Not graded yet"]);
}

/// Waits until an input holds a text, or does not.
fn holds(app: &App, id: &str, part: &str, wanted: bool) {
    let script = "const held = document.querySelector(arguments[0]).value;
        if (held.includes(arguments[1]) === arguments[2]) return true; throw new Error(held);";
    let arguments = [json!(mark(id)), json!(part), json!(wanted)];
    app.browser
        .wait(30, &format!("{part} in {id}"), script, &arguments)
        .unwrap();
}

/// The form's words go into the text, quoted where they need it.
fn fill_the_form(app: &App) {
    app.fill("persona-name", "Marlow: the helper");
    holds(
        app,
        "input-persona",
        "display_name: \"Marlow: the helper\"\n",
        true,
    );
    app.fill("exemplar-1", "Good news: it is \"true\" again.");
    holds(
        app,
        "input-persona",
        "  - \"Good news: it is \\\"true\\\" again.\"\n",
        true,
    );
    app.fill("tone-1", "technical");
    holds(
        app,
        "input-persona",
        "tone: [\"friendly\", \"technical\", \"practical\"]",
        true,
    );
}

/// What the form does not know stands as it stood before.
fn keeps_the_rest(before: &str, text: &str) {
    for kept in [
        "# The voice of a bicycle workshop's chat helper.\n",
        "  sentence_length: {max_avg: 18}\n",
    ] {
        assert!(
            before.contains(kept) && text.contains(kept),
            "{kept} in {text}"
        );
    }
    assert_eq!(before.lines().count(), text.lines().count());
}

/// What is changed in the text is in the form.
fn change_the_text(app: &App, text: &str) {
    app.fill(
        "input-persona",
        &text
            .replace("formality: business_casual", "formality: formal")
            .replace("- \"ride\"", "- \"trip\""),
    );
    app.wait(
        "persona-formality",
        "return document.querySelector(arguments[0]).value === 'formal'",
    );
    app.wait(
        "preferred-0",
        "return document.querySelector(arguments[0]).value === 'trip'",
    );
    shows(app, &scored(app, &[]));
}

#[test]
fn form_and_text_stay_in_step_both_ways() {
    in_app("persona-form", "", |app| {
        open(app);
        let before = app.value("input-persona");
        fill_the_form(app);
        let text = app.value("input-persona");
        keeps_the_rest(&before, &text);
        shows(app, &scored(app, &[]));
        change_the_text(app, &text);
        // a text that is no persona has no form, and comes back with it
        app.fill("input-persona", "a: [");
        app.wait(
            "form",
            "return document.querySelector('.form-empty') !== null",
        );
        app.fill("input-persona", &text);
        app.wait(
            "persona-name",
            "return document.querySelector(arguments[0]).value === 'Marlow: the helper'",
        );
    });
}

#[test]
fn entries_come_move_and_go_and_undo_brings_them_back() {
    in_app("persona-entries", "", |app| {
        open(app);
        let before = app.value("input-persona");
        app.tab_to("add-preferred");
        app.browser.press(&["cargo bell", ENTER]).unwrap();
        holds(app, "input-persona", "    - \"no can do\"\n", true);
        holds(
            app,
            "input-persona",
            "    - \"book a slot\"\n    - \"cargo bell\"\n",
            true,
        );
        shows(app, &scored(app, &[]));
        let click = |label: &str| {
            let script =
                "document.querySelector(`[aria-label=\"${arguments[0]}\"]`).click(); return true";
            app.browser.run(script, &[json!(label)]).unwrap();
        };
        click("Remove entry 2 of Avoided words");
        holds(app, "input-persona", "as an AI", false);
        click("Move exemplar 1 down");
        app.wait(
            "exemplar-1",
            "return document.querySelector(arguments[0]).value.startsWith('Happy to help!')",
        );
        app.click("add-exemplar");
        app.wait(
            "exemplar-10",
            "return document.activeElement.matches(arguments[0])",
        );
        app.browser.press(&["Ring first, then ride."]).unwrap();
        holds(
            app,
            "input-persona",
            "  - \"Ring first, then ride.\"\n\nlexicon",
            true,
        );
        // typing is one step, and each of the others
        app.tab_to("undo");
        for _ in 0..5 {
            app.browser.press(&[ENTER]).unwrap();
        }
        holds(app, "input-persona", "Ring first", false);
        let script = "const held = document.querySelector(arguments[0]).value;
            if (held === arguments[1]) return true; throw new Error(held);";
        app.browser
            .wait(
                30,
                "the text of before",
                script,
                &[json!(mark("input-persona")), json!(before)],
            )
            .unwrap();
    });
}

#[test]
fn in_a_field_that_nobody_typed_into_undo_is_the_pages() {
    in_app("persona-undo", "", |app| {
        open(app);
        app.click("add-exemplar");
        app.wait(
            "exemplar-10",
            "return document.activeElement.matches(arguments[0])",
        );
        app.browser.press(&["\u{E009}z"]).unwrap();
        app.wait(
            "add-exemplar",
            "return !document.querySelector('[data-testid=\"exemplar-10\"]')",
        );
    });
}

#[test]
fn a_persona_is_entered_and_scored_by_keyboard_alone() {
    in_app("persona-keyboard", "#/persona", |app| {
        app.text("bench-persona");
        app.tab_to("face-form");
        app.browser.press(&[ENTER]).unwrap();
        app.text("persona-start");
        app.tab_to("persona-start");
        app.browser.press(&[ENTER]).unwrap();
        app.wait(
            "persona-name",
            "return document.activeElement.matches(arguments[0])",
        );
        app.browser
            .press(&["The helper", TAB, CONTROL_A, "helper", TAB])
            .unwrap();
        app.tab_to("persona-formality");
        app.browser.press(&["casual"]).unwrap();
        app.tab_to("exemplar-0");
        app.browser
            .press(&["Check the log first; it names the step."])
            .unwrap();
        for (list, words) in [
            ("preferred", ["log", "step: one"]),
            ("avoided", ["lol", "obviously"]),
        ] {
            app.tab_to(&format!("add-{list}"));
            for word in words {
                app.browser.press(&[word, ENTER]).unwrap();
            }
        }
        app.tab_to("input-transcript");
        let row = json!({ "session_id": "s", "turn": 1, "assistant": "Obviously, check the log." });
        app.browser.press(&[&row.to_string()]).unwrap();
        let result = scored(app, &[]);
        let turn = &result.sessions[0].turns[0];
        assert_eq!((turn.preferred_hits.len(), turn.avoided_hits.len()), (1, 1));
        assert_eq!(turn.traits.len(), 1);
        shows(app, &result);
        let text = app.value("input-persona");
        assert!(
            text.contains("display_name: \"The helper\"") && text.contains("\"step: one\""),
            "{text}"
        );
        // weighed
        app.tab_to("weight-safety_weight-number");
        app.browser.press(&[CONTROL_A, "0.05"]).unwrap();
        shows(app, &scored(app, &[("safety_weight", 0.05)]));
    });
}

#[test]
fn the_bands_are_the_computed_ones_and_true() {
    in_app("persona-bands", "#/persona", |app| {
        // no exemplar and one reply: nothing waits for the model, and there is a grade
        app.fill("input-persona", "lexicon: {preferred: [ride, oil]}");
        let reply = json!({ "session_id": "a", "turn": 1, "assistant": "A good ride." });
        app.fill("input-transcript", &reply.to_string());
        app.text("section-sessions");
        let verdict = app.text("verdict");
        assert!(
            verdict.starts_with("Grade D: 0.688 (without style, traits and stability)"),
            "{verdict}"
        );
        let found = run(app)
            .intervals(&Options::default(), None)
            .expect("valid");
        let flips: Vec<_> = found
            .weights
            .iter()
            .flat_map(|w| [&w.low, &w.high])
            .collect();
        assert!(flips.iter().filter(|end| end.flip.is_some()).count() >= 4);
        for (interval, name) in found.weights.iter().zip(OUTER.into_iter().chain(INNER)) {
            let script = "const { low, high } = document.querySelector(arguments[0]).dataset;
                return [low ?? null, high ?? null]";
            let drawn = app.wait(&format!("band-{name}"), script);
            for (drawn, end) in [(&drawn[0], &interval.low), (&drawn[1], &interval.high)] {
                let drawn = drawn.as_str().map(|at| at.parse::<f64>().unwrap());
                assert_eq!(drawn, end.flips_at(), "{name}");
            }
        }
        let nearest = found.nearest.expect("a flip").flip;
        assert!(
            app.text("firm").contains(&nearest.words),
            "{}",
            app.text("firm")
        );
        // on both sides of an end
        let safety = &found.weights[1];
        let end = &safety.low;
        let flip = end.flip.as_ref().expect("safety decides here");
        for (weight, grade) in [(end.at, found.grade), (flip.at, flip.becomes)] {
            app.retype("weight-safety_weight-number", &weight.to_string());
            let expected = scored(app, &[("safety_weight", weight)]);
            assert_eq!(expected.grade, grade);
            shows(app, &expected);
        }
    });
}

#[test]
fn what_was_before_the_last_change_stays_in_sight() {
    in_app("persona-ghost", "", |app| {
        open(app);
        let was = |expected: f64| {
            let script = "const { was } = document.querySelector(arguments[0]).dataset;
                return Math.abs(Number(was) - arguments[1]) < 1e-9";
            app.browser
                .wait(
                    30,
                    "overall-was",
                    script,
                    &[json!(mark("overall-was")), json!(expected)],
                )
                .unwrap();
        };
        let first = scored(app, &[]);
        app.retype("weight-safety_weight-number", "0.9");
        let second = scored(app, &[("safety_weight", 0.9)]);
        shows(app, &second);
        was(first.overall.expect("scored"));
        // each session has its mark
        let line = |id: &str| {
            let script = "const bar = document.querySelector(`${arguments[0]} .bar`);
                return [parseFloat(bar.style.getPropertyValue('--before'))]";
            app.wait(&format!("row-{id}"), script)[0]
                .as_f64()
                .expect("a place")
        };
        assert!(line("invoice-dispute") > 0.0, "{}", line("invoice-dispute"));
        app.click("undo");
        shows(app, &first);
        was(second.overall.expect("scored"));
        // a change of a word moves it as well
        app.fill("preferred-0", "zeppelin");
        let third = scored(app, &[]);
        shows(app, &third);
        was(first.overall.expect("scored"));
    });
}

#[test]
fn a_session_opens_to_the_words_behind_its_score() {
    in_app("persona-anatomy", "", |app| {
        open(app);
        let result = scored(app, &[]);
        let session = result
            .sessions
            .iter()
            .find(|s| s.session_id == "knee-pain")
            .expect("there");
        let row = mark("row-knee-pain");
        app.browser.click(&format!("{row} .row-open")).unwrap();
        let marks = |class: &str| {
            let script = "return [document.querySelectorAll(`${arguments[0]} .marked mark.${arguments[1]}`).length]";
            let found = app
                .browser
                .run(script, &[json!(mark("evidence-knee-pain")), json!(class)]);
            found.unwrap()[0].as_u64().unwrap()
        };
        app.text("evidence-knee-pain");
        assert!(marks("violation") >= 2 && marks("trait") > 0);
        // the formula with its numbers
        let authenticity = session.authenticity.expect("measured");
        let term = app.text("term-0");
        let brings = format!("{:.4}", 0.5 * authenticity / 0.8);
        assert!(
            term.contains("/ 0.8") && term.contains(&brings),
            "{term}: {brings}"
        );
        assert!(app.text("term-2").contains("not measured"));
        // a part shows what it stands on
        app.browser
            .click(&format!("{row} [data-part='1'] .segment"))
            .unwrap();
        app.wait(
            "term-1",
            "return document.querySelector(arguments[0]).matches('.lit')",
        );
        assert!(marks("violation") >= 2 && marks("trait") == 0);
        // the twins say the same
        app.click("table-sessions");
        app.cell_computes("row-knee-pain", "Authent.", authenticity);
        // the weights stay in sight over what is scrolled under them
        app.browser.run("scrollTo(0, 0)", &[]).unwrap();
        app.click("table-metrics");
        let metric = result.authenticity.metric;
        let [low, _] = metric.ci95.expect("eight sessions");
        app.cell_computes(
            "row-metric-authenticity",
            "Mean",
            metric.mean.expect("measured"),
        );
        app.cell_computes("row-metric-authenticity", "From", low);
        let heads = app
            .browser
            .run(
                "return [document.querySelectorAll('th[scope=col]').length]",
                &[],
            )
            .unwrap();
        assert_eq!(heads[0], Value::from(19));
    });
}
