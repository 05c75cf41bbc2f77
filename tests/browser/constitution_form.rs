//! The form of turns, how firm their bands are, and what was before.

use crate::app::{App, in_app, mark};
use crate::constitution::{agrees, computed};
use assay::constitution::{Intervals, RewardResult, intervals};
use serde_json::{Value, json};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const DOWN: &str = "\u{E015}";
const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";
const ALT_2: &str = "\u{E00A}2";

fn has_focus(app: &App, id: &str) {
    app.wait(id, "return document.activeElement.matches(arguments[0])");
}

/// Starts a form from an empty page: a turn with its context, and an override.
fn enter_a_turn(app: &App) {
    app.text("open-example-debate");
    app.browser.press(&[ALT_2]).unwrap();
    app.text("bench-constitution");
    app.tab_to("face-form");
    app.browser.press(&[ENTER]).unwrap();
    app.text("form-start");
    app.tab_to("form-start");
    app.browser.press(&[ENTER]).unwrap();
    has_focus(app, "user-message");
    app.browser.press(&["Clean up.", TAB, "Done"]).unwrap();
    app.tab_to("context");
    app.browser
        .press(&["0.95", TAB, "\u{E009}a", "7", TAB])
        .unwrap();
    app.text("turn-inspector");
    app.tab_to("fold-overrides");
    app.browser.press(&[ENTER]).unwrap();
    app.tab_to("score-tasteful");
    app.browser.press(&["0.4", TAB, "Not asked for."]).unwrap();
}

/// A second turn, and the marks of both.
fn add_a_turn_and_mark_both(app: &App) {
    app.tab_to("add-turn");
    app.browser.press(&[ENTER]).unwrap();
    has_focus(app, "user-message");
    app.browser
        .press(&["And now?", TAB, "Nothing is left."])
        .unwrap();
    // the grid is one stop of Tab: yes, no, no, and the turn below
    app.tab_to_cell("0,0,0");
    for keys in [
        &["1", RIGHT, "0", RIGHT, "0", DOWN],
        &[" ", LEFT, "1", "\u{E017}", LEFT, "1"],
    ] {
        for key in keys {
            app.browser.press(&[key]).unwrap();
            app.settle();
        }
    }
}

/// The text holds what was entered, and nothing that was not.
fn holds_both_turns(text: &str) {
    let value: Value = serde_json::from_str(text).unwrap();
    let (first, second) = (&value["turns"][0], &value["turns"][1]);
    assert_eq!(first["user_message"], "Clean up.");
    assert_eq!(
        (&first["has_mutations"], &first["acknowledged"]),
        (&json!(true), &json!(false))
    );
    let result = &first["turn_result"];
    assert_eq!(result["tools_passed"], false);
    assert_eq!(result["tools"].as_array().map(Vec::len), Some(7));
    assert_eq!(
        first["overrides"]["tasteful"],
        json!({"score": 0.4, "reason": "Not asked for."})
    );
    assert_eq!(
        second["turn_result"],
        json!({"response": "Nothing is left.", "tools_passed": false})
    );
    assert_eq!(
        (&second["acknowledged"], &second["has_mutations"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(second["turn_number"], 2);
}

#[test]
fn a_session_is_entered_and_weighed_by_keyboard_alone() {
    in_app("turns-keyboard", "", |app| {
        enter_a_turn(app);
        add_a_turn_and_mark_both(app);
        let text = app.value("input-turns");
        holds_both_turns(&text);
        agrees(app, &computed(&text, &[]));
        // weighed: five steps on a slider
        app.tab_to("weight-ethical-range");
        app.browser.press(&[RIGHT; 5]).unwrap();
        agrees(app, &computed(&text, &[("ethical", 2.05)]));
    });
}

/// 150 edits, in the form and in the text, and after each the two are compared.
const EDITS: &str = r"
    const frame = () => new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
    let seed = 11;
    const below = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % most; };
    const area = document.querySelector('[data-testid=\'input-turns\']');
    const fill = (field, text) => {
        const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
        field.focus();
        Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, text);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const key = (cell, key) => cell.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const principles = ['tasteful', 'curated', 'ethical', 'joy_inducing', 'composable', 'heterarchical', 'generative'];
    const turns = () => JSON.parse(area.value).turns;
    const shown = (turn, column) => {
        const value = [turn.has_mutations, turn.acknowledged, turn.turn_result?.tools_passed][column];
        return value === undefined ? ['no-unsaid', '', 'yes-unsaid'][column] : value ? 'yes' : 'no';
    };
    const texts = { 'user-message': t => t.user_message, response: t => t.turn_result?.response, reasoning: t => t.reasoning,
        context: t => t.turn_result?.context_utilization,
        tools: t => { const tools = t.turn_result?.tools; return Array.isArray(tools) ? tools.length : tools; } };
    let compared = 0;
    for (let edit = 0; edit < 150; edit++) {
        const cells = [...document.querySelectorAll('#turns [data-at]')];
        const cell = cells[below(cells.length)];
        const one = list => list[below(list.length)];
        const what = below(9);
        document.querySelectorAll('details').forEach(fold => { fold.open = true; });
        if (what < 2) cell.querySelectorAll('i')[below(2)].click();
        else if (what === 2) key(cell, one(['0', '1', ' ', 'Delete']));
        else if (what === 3) fill(document.getElementById(one(Object.keys(texts))), one(['', '1', '0.5', 'a \'b\'', '7']));
        else if (what === 4) fill(document.getElementById(one(['score-', 'reason-']) + one(principles)), one(['', '0.5', '1', 'so']));
        else if (what === 5) fill(document.getElementById(one(['turn-number-', 'action-']) + below(turns().length)), one(['', '3', 'fork']));
        else if (what === 6) [...document.querySelectorAll('.turn-head')][below(turns().length)].click();
        else if (what === 7) {
            const count = turns().length;
            if (count < 8) document.querySelector('[data-testid=\'add-turn\']').click();
            else document.querySelectorAll('.inspector .minis .mini')[below(3)].click();
        } else {
            const value = JSON.parse(area.value);
            const turn = one(value.turns);
            turn.has_mutations = below(2) === 1;
            turn.extra = edit;
            (turn.turn_result ??= {}).response = 'edit ' + edit;
            fill(area, JSON.stringify(value, null, below(3)));
        }
        await frame();
        const value = JSON.parse(area.value);
        const fail = words => { throw new Error(`edit ${edit} (${what}): ${words}\n${area.value}`); };
        const same = (id, expected) => {
            const drawn = document.getElementById(id);
            if (!drawn) fail(`${id} is not there`);
            if (drawn.value !== String(expected ?? '')) fail(`${id} shows ${drawn.value}, the text has ${expected}`);
            compared++;
        };
        if (document.querySelectorAll('.turn-head').length !== value.turns.length) fail('not all turns are drawn');
        for (const drawn of document.querySelectorAll('#turns [data-at]')) {
            const [row, column] = drawn.dataset.at.split(',').map(Number);
            const expected = shown(value.turns[row], column);
            if (drawn.dataset.value !== expected) fail(`${drawn.id} shows ${drawn.dataset.value} and not ${expected}`);
            compared++;
        }
        value.turns.forEach((turn, row) => { same('turn-number-' + row, turn.turn_number); same('action-' + row, turn.action); });
        const active = [...document.querySelectorAll('.turn-head')].findIndex(head => head.classList.contains('active'));
        const turn = value.turns[active];
        for (const [id, read] of Object.entries(texts)) same(id, read(turn));
        for (const name of principles) {
            const given = turn.overrides?.[name];
            same('score-' + name, given instanceof Object ? given.score ?? given.value : given);
            same('reason-' + name, given?.reason);
        }
        if (value.kept !== 'by the form') fail('an unknown key is gone');
    }
    return compared;";

#[test]
fn form_and_text_stay_in_step_through_150_random_edits() {
    in_app("turns-150", "", |app| {
        app.click("open-example-constitution");
        app.text("turns-form");
        let text = app.value("input-turns");
        app.fill(
            "input-turns",
            &text.replacen('{', "{\"kept\": \"by the form\",", 1),
        );
        let compared = app.browser.run_async(EDITS, &[]).unwrap();
        assert!(compared.as_f64().unwrap() > 150.0 * 40.0, "{compared}");
    });
}

#[test]
fn a_mistake_is_shown_beside_its_field_and_undone() {
    in_app("turns-mistake", "", |app| {
        app.click("open-example-constitution");
        app.text("turns-form");
        let before = app.value("input-turns");
        let invalid =
            "return document.querySelector(arguments[0]).getAttribute('aria-invalid') === 'true'";
        app.fill("turn-number-2", "three");
        app.wait("turn-number-2", invalid);
        assert!(
            app.value("input-turns")
                .contains("\"turn_number\": \"three\"")
        );
        assert_eq!(app.problems().len(), 1);
        app.click("undo");
        app.wait(
            "turn-number-2",
            "return document.querySelector(arguments[0]).value === '3'",
        );
        assert_eq!(app.value("input-turns"), before);
        // an override whose score is no share
        app.fill("score-ethical", "1.5");
        app.wait("score-ethical", invalid);
        app.fill("reason-ethical", "why not");
        app.wait("score-ethical", invalid);
        app.fill("score-ethical", "0.5");
        let text = app.value("input-turns");
        assert!(
            text.contains("{\"score\": 0.5, \"reason\": \"why not\"}"),
            "{text}"
        );
        agrees(app, &computed(&text, &[]));
    });
}

#[test]
fn what_agents_log_is_pasted_and_shown_as_a_form() {
    in_app("turns-paste", "", |app| {
        app.text("open-example-constitution");
        let line = |number: usize, response: &str| {
            json!({"turn_number": number, "action": "send_message", "turn_result": {"response": response}}).to_string()
        };
        let lines = format!(
            "The log:\n```jsonl\n{}\n{}\n```\n",
            line(1, "One"),
            line(2, "Two")
        );
        let script = "
            const data = new DataTransfer();
            data.setData('text/plain', arguments[0]);
            document.body.dispatchEvent(new ClipboardEvent('paste', {
                clipboardData: data, dataType: 'text/plain', data: arguments[0], bubbles: true,
            }));
            return true;";
        app.browser
            .wait(30, "a paste", script, &[json!(lines)])
            .unwrap();
        app.text("turns-form");
        agrees(app, &computed(&lines, &[]));
        // the form changes its own line
        app.unfold("turns-form");
        app.browser.click("#turns-1-0-0 [data-key='1']").unwrap();
        app.wait(
            "turns",
            "return document.getElementById('turns-1-0-0').dataset.value === 'yes'",
        );
        let text = app.value("input-turns");
        assert!(
            text.starts_with(&format!("The log:\n```jsonl\n{}\n{{", line(1, "One"))),
            "{text}"
        );
        assert!(
            text.contains("\"has_mutations\"") && text.ends_with("}\n```\n"),
            "{text}"
        );
        agrees(app, &computed(&text, &[]));
        // a mark has its scores
        let mark = json!([{"constitutional_scores": assay::constitution::PerPrinciple::all(0.5)}])
            .to_string();
        app.fill("input-turns", &mark);
        // the form is that of the mark by now
        app.wait(
            "score-ethical",
            "return document.querySelector(arguments[0]).value === '0.5'",
        );
        app.fill("score-ethical", "0.75");
        let text = app.value("input-turns");
        assert!(text.contains("\"ethical\":0.75"), "{text}");
        agrees(app, &computed(&text, &[]));
    });
}

fn example() -> (String, RewardResult, Intervals) {
    let text = include_str!("../../public/examples/turns.json").to_owned();
    let result = computed(&text, &[]);
    let intervals = intervals(&result);
    (text, result, intervals)
}

/// Waits until every turn is told to be in its band.
fn bands_are(app: &App, expected: &RewardResult) {
    let turns: Vec<_> = expected
        .turns
        .iter()
        .map(|turn| json!([mark(&format!("row-{}", turn.turn_number)), turn.band]))
        .collect();
    let script = "
        for (const [row, band] of arguments[0]) {
            const shown = document.querySelector(row).querySelector('.name small').innerText;
            if (!shown.endsWith('· ' + band)) throw new Error(`${row}: ${shown}, expected ${band}`);
        }
        return true;";
    app.browser
        .wait(30, "the bands of all turns", script, &[json!(turns)])
        .unwrap();
}

#[test]
fn the_bands_on_the_sliders_are_drawn_and_true() {
    in_app("turns-bands", "", |app| {
        app.click("open-example-constitution");
        let (text, result, found) = example();
        bands_are(app, &result);
        let nearest = found.nearest.as_ref().expect("a flip").flip.words.clone();
        let closest = found.closest.as_ref().expect("not all are perfect");
        let firm = app.text("firm");
        assert!(
            firm.contains(&nearest) && firm.contains(&format!("turn {}", closest.name)),
            "{firm}"
        );
        let mut flips = 0;
        for interval in &found.weights {
            let drawn = app.wait(
                &format!("band-{}", interval.weight),
                "const { low, high } = document.querySelector(arguments[0]).dataset; return [low ?? null, high ?? null]",
            );
            let field = format!("weight-{}-number", interval.weight);
            for (drawn, end) in [(&drawn[0], &interval.low), (&drawn[1], &interval.high)] {
                let drawn = drawn.as_str().map(|at| at.parse::<f64>().unwrap());
                assert_eq!(drawn, end.flips_at(), "{}", interval.weight);
                // the fields take up to a million
                let Some(flip) = end.flip.as_ref().filter(|flip| flip.at < 1e6) else {
                    continue;
                };
                flips += 1;
                app.fill(&field, &flip.at.to_string());
                let beyond = computed(&text, &[(interval.weight, flip.at)]);
                assert_eq!(beyond.turns[flip.turn].band, flip.band);
                bands_are(app, &beyond);
                app.fill(&field, &end.at.to_string());
                bands_are(app, &result);
            }
            app.fill(&field, &interval.current.to_string());
            bands_are(app, &result);
        }
        assert!(flips >= 3, "the example does not tell");
    });
}

#[test]
fn the_totals_before_the_last_gesture_are_ghosts() {
    in_app("turns-ghost", "", |app| {
        app.click("open-example-constitution");
        let (text, result, _) = example();
        bands_are(app, &result);
        let changed = computed(&text, &[("ethical", 3.0)]);
        // where a bar's line stands, as a share of the length of its parts
        let share = "
            const style = document.querySelector(arguments[0]).querySelector('.bar').style;
            const at = name => parseFloat(style.getPropertyValue(name));
            const length = [0, 1, 2, 3, 4, 5, 6].reduce((sum, part) => sum + at('--w' + part), 0);
            return [at('--before') < 0 ? null : (at('--before') - at('--zero')) / length]";
        let ghost = |turn: i64| app.wait(&format!("row-{turn}"), share)[0].as_f64();
        assert_eq!(ghost(5), None);
        app.fill("weight-ethical-range", "3");
        agrees(app, &changed);
        for (before, now) in result.turns.iter().zip(&changed.turns) {
            let expected = before.weighted_total / now.weighted_total;
            let shown = ghost(now.turn_number).expect("every total has changed");
            assert!((shown - expected).abs() < 1e-3, "{shown} is not {expected}");
        }
        // another gesture, in the form: one turn has another total
        app.unfold("turns-form");
        app.browser.click("#turns-4-0-0 [data-key='0']").unwrap();
        let text = app.value("input-turns");
        agrees(app, &computed(&text, &[("ethical", 3.0)]));
        assert_eq!(ghost(1), None);
        assert!(ghost(5).expect("a ghost") < 1.0);
        app.click("undo");
        agrees(app, &changed);
        assert!(ghost(5).expect("a ghost") > 1.0);
    });
}

#[test]
fn a_long_session_is_drawn_in_part() {
    in_app("turns-long", "#/constitution", |app| {
        let lines: Vec<String> = (1..=10_000)
            .map(|turn| {
                json!({"turn_number": turn, "has_mutations": turn % 3 == 0, "turn_result": {"response": "x".repeat(turn % 30), "tools_passed": turn % 2 == 0}}).to_string()
            })
            .collect();
        app.fill("input-turns", &lines.join("\n"));
        app.click("face-form");
        app.text("turns-form");
        let drawn = "return [document.querySelectorAll('#turns [data-at]').length, document.querySelectorAll('.anatomy-rows > li').length]";
        let drawn = app.browser.run(drawn, &[]).unwrap();
        for drawn in drawn.as_array().unwrap() {
            assert!((1..150).contains(&drawn.as_u64().unwrap()), "{drawn}");
        }
        app.wait("turns-form", "document.getElementById('turns-scroll').scrollTop = 1e7; return document.getElementById('turns-9999-0-0') !== null");
        app.browser.click("#turns-9999-0-0 [data-key='1']").unwrap();
        app.wait(
            "turns",
            "return document.getElementById('turns-9999-0-0').dataset.value === 'yes'",
        );
        assert!(app.value("input-turns").ends_with("\"has_mutations\":true,\"turn_number\":10000,\"turn_result\":{\"response\":\"xxxxxxxxxx\",\"tools_passed\":true}}"));
    });
}
