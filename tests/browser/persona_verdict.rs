//! The persona bench says what is known: no grade before it is one, the last one while a
//! few texts are read, and what makes a result doubtful beside the verdict.

use crate::app::{App, in_app, mark};
use crate::persona::open_example;
use serde_json::{Value, json};

const PERSONA: &str = include_str!("../../public/examples/persona.yaml");
const TRANSCRIPT: &str = include_str!("../../public/examples/transcript.jsonl");

fn fill(app: &App, persona: &str, transcript: &str) {
    app.fill("input-persona", persona);
    app.fill("input-transcript", transcript);
    app.text("section-sessions");
}

fn waits_for(app: &App, what: &str, script: &str) -> Value {
    app.browser.wait(60, what, script, &[]).unwrap()
}

#[test]
fn there_is_no_grade_before_it_is_one_and_the_last_one_stays_while_texts_are_read() {
    in_app("persona-verdict", "", |app| {
        app.click("open-example-persona");
        app.text("section-sessions");
        let verdict = app.text("verdict");
        assert!(verdict.starts_with("Not graded yet"), "{verdict}");
        assert!(verdict.contains("not computed here yet"), "{verdict}");
        assert_eq!(
            (app.text("grade"), app.text("overall")),
            ("–".into(), "–".into())
        );
        let marks = "return document.querySelectorAll('.overall .mean').length";
        assert_eq!(app.browser.run(marks, &[]).unwrap(), json!(0));
        app.go("#/");

        open_example(app);
        let watch = "
            window.headlines = new Set();
            window.tops = new Set();
            const look = () => {
                headlines.add(document.querySelector('[data-testid=verdict] h2').innerText);
                tops.add(Math.round(document.querySelector('.instrument').getBoundingClientRect().top));
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
            return true";
        let held = "return document.querySelector('[data-testid=verdict]').innerText.includes('As it was before the change')";
        let settled = "return document.querySelector('[data-testid=verdict]').innerText.includes('all parts measured')";
        app.click("face-form");
        app.text("persona-form");
        app.browser.run(watch, &[]).unwrap();
        app.fill(
            "exemplar-0",
            "The chain wants oil, and a brush before that.",
        );
        waits_for(app, "the last result", held);
        waits_for(app, "the new result", settled);
        let seen = app.browser.run("return [...headlines]", &[]).unwrap();
        let seen: Vec<String> = serde_json::from_value(seen).unwrap();
        assert!(
            seen.iter().all(|line| line.starts_with("Grade ")),
            "{seen:?}"
        );
        let tops = app.browser.run("return [...tops]", &[]).unwrap();
        let count = tops.as_array().map(Vec::len);
        assert_eq!(count, Some(1), "what stands there was moved: {tops}");
    });
}

#[test]
fn what_makes_a_result_doubtful_stands_beside_the_verdict() {
    in_app("persona-doubt", "#/persona", |app| {
        let foreign = TRANSCRIPT.replace("marlow_v3", "somebody_else");
        let japanese = r#"{"session_id": "x", "turn_index": 1, "role": "assistant", "text": "申し訳ございません。"}"#;
        fill(
            app,
            PERSONA,
            &format!("{}\n{japanese}\n", foreign.trim_end()),
        );
        let said = "return document.querySelector('.instrument-head .problems')?.innerText";
        let said = waits_for(app, "warnings", said);
        let said = said.as_str().unwrap();
        assert!(
            said.contains("These replies are of another persona"),
            "{said}"
        );
        assert!(said.contains("1 of 20 responses are not English"), "{said}");
    });
}

#[test]
fn figures_say_what_stands_by_construction_and_the_judge_why() {
    in_app("persona-said", "", |app| {
        app.click("open-example-persona");
        app.text("section-sessions");
        let safety = app.text("part-safety");
        assert!(
            safety.contains("1 of 19 responses matched a rule"),
            "{safety}"
        );
        let judge = json!({ "knee-pain": { "score": 2, "reasoning": "It gives medical advice." } });
        app.unfold("input-judge");
        app.fill("input-judge", &judge.to_string());
        app.browser
            .click(&format!("{} .row-open", mark("row-knee-pain")))
            .unwrap();
        let said = app.text("judge-reasoning");
        assert!(said.contains("It gives medical advice."), "{said}");
        // the legend names what occurs, and an avoided word is seen beside a violation
        let safety = "
            document.querySelector('[data-row=knee-pain] [data-part=\"1\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
            return true";
        app.browser.run(safety, &[]).unwrap();
        let legend = "
            const names = [...document.querySelectorAll('.legend.marks mark')].map(mark => mark.className);
            return names.join() === 'avoided,violation'";
        waits_for(app, "legend", legend);
    });
}

#[test]
fn a_word_that_is_not_measured_is_marked_and_keys_are_told_together() {
    in_app("persona-unmeasured", "#/persona", |app| {
        let persona = "id: x\nexemplars: [Check the log.]\nstyle_rules:\n  formality: gen_z_casual\n  tone: [friendly, sassy]\nslogan: a\nowner: b\nteam: c\n";
        fill(app, persona, TRANSCRIPT);
        app.click("face-form");
        let marked = "
            const words = [...document.querySelectorAll('.unmeasured input')].map(field => field.value);
            return words.join() === 'sassy'";
        waits_for(app, "a marked word", marked);
        assert_eq!(
            app.text("unread-keys"),
            "3 keys kept but not used: slogan, owner, team"
        );
        app.click("persona-formality-like");
        let read = "return document.querySelector(arguments[0]).value === 'casual'";
        app.wait("persona-formality", read);
        assert!(app.value("input-persona").contains("formality: casual"));
    });
}

#[test]
fn a_file_that_is_not_utf_8_is_read_and_said() {
    in_app("persona-latin", "", |app| {
        let give = "
            const transfer = new DataTransfer();
            const bytes = new Uint8Array([...arguments[0]].map(c => c.charCodeAt(0)));
            transfer.items.add(new File([bytes], 'voice.yaml'));
            const field = document.querySelector('[data-testid=open-files]');
            field.files = transfer.files;
            field.dispatchEvent(new Event('change', { bubbles: true }));";
        let text = "id: x\nexemplars:\n  - Un café, s'il vous plaît.\n";
        app.browser.run(give, &[json!(text)]).unwrap();
        let said = app.text("notice");
        assert!(said.contains("voice.yaml is not UTF-8"), "{said}");
        assert_eq!(app.value("input-persona"), text);
    });
}
