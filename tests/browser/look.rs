//! The instrument: verdict, weights and rows in the window together, and nothing moves
//! under the hand.

use crate::app::{App, can, in_app, mark};
use crate::harness::engine::Ability;
use crate::harness::look::look;
use serde_json::json;

/// Sizes of windows, and how many rows are to be seen in each; the narrow ones are phones',
/// under a finger.
const SIZES: [(u32, u32, usize); 4] =
    [(1280, 800, 5), (1440, 900, 5), (390, 844, 3), (360, 740, 3)];

fn is_together(app: &App, weights: &[&str]) {
    for (width, height, rows) in SIZES {
        app.browser.screen(width, height, false).unwrap();
        app.browser.touch(width < 600).unwrap();
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
fn verdict_weights_and_rows_of_a_persona_are_seen_together() {
    if !can(Ability::Screen) {
        return;
    }
    in_app("look-persona", "", |app| {
        app.click("open-example-persona");
        app.text("section-sessions");
        is_together(
            app,
            &["authenticity_weight", "safety_weight", "stability_weight"],
        );
    });
}

#[test]
fn a_border_of_the_strip_takes_from_one_weight_for_the_other() {
    in_app("look-strip", "", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        let drag = "
            const grip = document.querySelector(arguments[0]);
            const { width } = grip.parentElement.getBoundingClientRect();
            const at = grip.getBoundingClientRect();
            // an event is at a whole pixel
            const [from, by] = [Math.round(at.left + at.width / 2), Math.round(0.08 * width)];
            const send = (type, by) => grip.dispatchEvent(new PointerEvent(type, {
                bubbles: true, pointerId: 1, clientX: from + by, clientY: at.top + 5,
            }));
            send('pointerdown', 0);
            send('pointermove', 5);
            send('pointermove', by);
            send('lostpointercapture', by);
            return [by / width];";
        let share = app.wait("grip-0", drag)[0].as_f64().unwrap();
        // the weights are 4.25 in all
        let moved = (4.25 * share * 100.0).round() / 100.0;
        let after = [short(0.55 + moved), short(1.9 - moved)];
        let weight = |name: &str| app.value(&format!("weight-{name}-number"));
        assert_eq!([weight("w_base"), weight("w_pairwise")], after);
        // it is one step back
        app.click("undo");
        assert_eq!([weight("w_base"), weight("w_pairwise")], ["0.55", "1.9"]);
        // a locked weight stays, and its neighbour alone moves
        app.click("lock-w_pairwise");
        app.wait("grip-0", drag);
        assert_eq!(
            [weight("w_base"), weight("w_pairwise")],
            [after[0].as_str(), "1.9"]
        );
    });
}

#[test]
fn the_input_is_folded_away_where_there_is_an_answer_and_comes_back() {
    in_app("look-folded", "#/debate", |app| {
        let folded = |expected: bool| {
            let script = "return document.querySelector('.inputs')?.hidden === arguments[0]";
            let words = if expected {
                "a folded input"
            } else {
                "an open input"
            };
            app.browser
                .wait(20, words, script, &[json!(expected)])
                .unwrap();
        };
        folded(false);
        app.fill("input-debate", "{\"candidates\": [");
        folded(false);
        app.go("#/");
        app.click("open-example-debate");
        app.text("section-ranking");
        folded(true);
        app.click("edit-input");
        folded(false);
        // a mistake takes nothing out of sight that one is at
        app.fill("input-debate", "{");
        folded(false);
        app.click("undo");
        app.text("section-ranking");
        app.click("fold-input");
        folded(true);
        app.browser.reload().unwrap();
        app.text("section-ranking");
        folded(true);
    });
}

#[test]
fn a_mistake_leaves_the_last_result_and_is_gone_to() {
    in_app("look-mistake", "#/debate", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        app.text("section-ranking");
        let says = |words: &str| {
            let script = "const text = document.querySelector(arguments[0]).innerText;
                if (text.includes(arguments[1])) return true;
                throw new Error(text);";
            let arguments = [json!(mark("verdict")), json!(words)];
            app.browser.wait(20, words, script, &arguments).unwrap();
        };
        let before = app.text("row-Ladder");
        app.fill(
            "input-debate",
            &text.replace("\"support\": 2", "\"support\": 7"),
        );
        says("as it was before");
        assert_eq!(app.text("row-Ladder"), before);
        // it is no result of what is there now
        app.click("export-json");
        app.browser
            .wait(
                20,
                "a word",
                "return document.querySelector('.notice')?.innerText.includes('no result')",
                &[],
            )
            .unwrap();
        // the way to the first error, also where the input is folded away
        app.click("fold-input");
        app.click("to-errors");
        app.browser
            .wait(
                20,
                "the error",
                "return document.activeElement.matches('.problem.error .place')",
                &[],
            )
            .unwrap();
        app.click("undo");
        says("wins");
        // what was there before says nothing of other work
        app.fill("input-debate", "{");
        says("as it was before");
        app.click("undo");
        app.fill("input-debate", "");
        app.fill("input-debate", "{");
        says("No result");
    });
}

/// A weight as its field shows it.
fn short(weight: f64) -> String {
    let text = format!("{weight:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The names of the rows that are shown: `Turn 7`.
fn shown(app: &App) -> Vec<String> {
    let script = "return [...document.querySelectorAll('#anatomy-list .name')].map(name => name.firstChild.textContent)";
    let names = app.browser.run(script, &[]).unwrap();
    serde_json::from_value(names).unwrap()
}

#[test]
fn the_turns_that_matter_are_found_in_a_long_session() {
    in_app("look-turns", "#/constitution", |app| {
        let turns: Vec<_> = (1..=300)
            .map(|number| {
                let (ethical, action) = (f64::from(number != 126), ["read", "write"][number % 2]);
                json!({ "turn_number": number, "action": action, "overrides": { "ethical": ethical } })
            })
            .collect();
        app.fill("input-turns", &json!(turns).to_string());
        let label = app
            .browser
            .wait(
                20,
                "the line",
                "return [document.querySelector('.timeline').getAttribute('aria-label')]",
                &[],
            )
            .unwrap();
        assert!(label[0].as_str().unwrap().contains("turn 126"), "{label}");
        // a press on the line goes there, and opens it
        let press = "
            const line = document.querySelector('.timeline');
            const box = line.getBoundingClientRect();
            // a click is at a whole pixel: the first within the turn
            const clientX = Math.ceil(box.left + box.width * 125 / 300);
            line.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY: box.top + 5 }));
            return true;";
        app.browser.run(press, &[]).unwrap();
        let opened = "
            const row = document.querySelector('#anatomy-list .evidence')?.closest('li');
            const { top, bottom } = row?.getBoundingClientRect() ?? {};
            if (row?.innerText.trim().startsWith('Turn 126') && top >= 0 && Math.floor(bottom) <= innerHeight) return true;
            throw new Error([row?.innerText.slice(0, 40), top, bottom, innerHeight]);";
        app.browser.wait(20, "the turn", opened, &[]).unwrap();
        // the worst comes first, and others are left out
        app.fill("turn-order", "total");
        app.browser
            .wait(20, "the order", "return document.querySelector('#anatomy-list .name').innerText.startsWith('Turn 126')", &[])
            .unwrap();
        app.fill("turn-order", "log");
        app.fill("turn-find", "WRITE");
        app.wait(
            "turn-count",
            "return document.querySelector(arguments[0]).innerText === '150 of 300 turns'",
        );
        assert_eq!(shown(app)[..2], ["Turn 1", "Turn 3"]);
        // and a turn that is left out can still be gone to
        app.browser.run(press, &[]).unwrap();
        app.wait(
            "turn-count",
            "return document.querySelector(arguments[0]).innerText === '300 turns'",
        );
    });
}

#[test]
fn files_that_come_together_are_opened_and_none_goes_without_a_word() {
    in_app("look-files", "", |app| {
        let give = "
            const transfer = new DataTransfer();
            for (const [name, text] of arguments[0]) transfer.items.add(new File([text], name));
            const field = document.querySelector('[data-testid=open-files]');
            field.files = transfer.files;
            field.dispatchEvent(new Event('change', { bubbles: true }));";
        let row =
            |text: &str| json!({ "session_id": "s", "turn": 1, "assistant": text }).to_string();
        let files = json!([
            ["voice.yaml", "id: x\nexemplars:\n  - Check the log.\n"],
            ["on.jsonl", row("on")],
            ["notes.txt", "dear diary"],
            ["off.jsonl", row("off")],
        ]);
        app.browser.run(give, &[files]).unwrap();
        let said = "
            const said = [...document.querySelectorAll('.notice')].map(notice => notice.innerText).join(' ');
            return said.includes('on.jsonl as the baseline of a comparison, off.jsonl as a transcript')
                && said.includes('notes.txt: there is more than one way to open this');";
        app.browser
            .wait(20, "what became of them", said, &[])
            .unwrap();
        // the last one is on the bench: the field may be drawn a moment after the words
        let holds = "return document.querySelector(arguments[0])?.value.includes(arguments[1])";
        for (field, text) in [
            ("input-transcript", "off"),
            ("input-baseline", "on"),
            ("input-persona", "exemplars"),
        ] {
            app.value(field);
            app.browser
                .wait(20, field, holds, &[json!(mark(field)), json!(text)])
                .unwrap();
        }
    });
}

#[test]
fn a_row_of_keys_on_a_slider_is_one_step_of_undo() {
    in_app("look-keys", "#/debate", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        let slider = "weight-w_risk-range";
        let focus = "const slider = document.querySelector(arguments[0]); slider.focus();
            return document.activeElement === slider && [slider.value]";
        let before = app.wait(slider, focus);
        app.browser
            .press(&["\u{E014}", "\u{E014}", "\u{E014}"])
            .unwrap();
        let moved = "return document.querySelector(arguments[0]).value";
        assert_ne!(app.wait(slider, moved), before[0]);
        // another gesture at another weight
        app.fill("weight-w_base-range", "0.3");
        app.click("undo");
        app.click("undo");
        let back = format!(
            "return document.querySelector(arguments[0]).value === {}",
            before[0]
        );
        app.wait(slider, &back);
    });
}

#[test]
fn each_bench_begins_with_nothing_from_the_start_page() {
    in_app("look-nothing", "", |app| {
        for (bench, first) in [
            ("debate", "question"),
            ("constitution", "user-message"),
            ("persona", "persona-name"),
        ] {
            app.go("#/");
            let card =
                format!(".card:has([data-testid=open-example-{bench}]) [data-testid=start-empty]");
            app.browser
                .wait(
                    20,
                    &card,
                    "return document.querySelector(arguments[0]) !== null",
                    &[json!(card)],
                )
                .unwrap();
            app.browser.click(&card).unwrap();
            app.wait(first, "return document.activeElement.matches(arguments[0])");
        }
    });
}

#[test]
fn notes_in_free_text_are_helped_to_a_debate() {
    in_app("look-notes", "#/debate", |app| {
        // a text that is no JSON is not the end of the way
        app.fill("input-debate", "Ann liked Redis best. Bob did not.");
        let refuse = "navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))";
        app.browser.run(refuse, &[]).unwrap();
        app.click("copy-prompt");
        let script = "const area = document.getElementById('notes-prompt');
            return area && document.activeElement === area && [area.value]";
        let prompt = app.wait("copy-prompt", script);
        let prompt = prompt[0].as_str().unwrap();
        assert_eq!(prompt.trim(), assay::debate::notes_prompt().trim());
        // what is asked for is what the page reads
        let (from, to) = (prompt.find('{').unwrap(), prompt.rfind('}').unwrap());
        app.fill("input-debate", &prompt[from..=to]);
        app.text("row-Redis");
    });
}
