//! The form of a debate: from the keyboard, in step with the text, and what is pasted.

use crate::app::{App, in_app, mark};
use crate::debate::{agrees, computed};
use crate::harness::large_debate;
use assay::debate::{Options, evaluate};
use serde_json::{Value, json};

const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const LEFT: &str = "\u{E012}";
const RIGHT: &str = "\u{E014}";
const ALT_1: &str = "\u{E00A}1";
const CONTROL_A: &str = "\u{E009}a";

/// Types over what stands in the field that has the focus, and leaves it.
fn type_over(app: &App, text: &str) {
    app.browser.press(&[CONTROL_A, text, TAB]).unwrap();
}

/// Starts a form from an empty page: a question, and a candidate and a debater more.
fn start_with_a_question(app: &App) {
    app.text("open-example-debate");
    app.browser.press(&[ALT_1]).unwrap();
    app.text("bench-debate");
    app.tab_to("face-form");
    app.browser.press(&[ENTER]).unwrap();
    app.text("form-start");
    app.tab_to("form-start");
    app.browser.press(&[ENTER]).unwrap();
    let has_focus = "return document.activeElement.matches(arguments[0])";
    app.wait("question", has_focus);
    app.browser.press(&["Which, then?"]).unwrap();
    app.tab_to("add-candidate");
    app.browser.press(&[ENTER]).unwrap();
    app.tab_to("add-debater");
    app.browser.press(&[ENTER]).unwrap();
}

fn name_and_count_wins(app: &App) {
    app.tab_to("debater-0");
    type_over(app, "Ann");
    app.tab_to("candidate-0");
    type_over(app, "First");
    type_over(app, "opus");
    type_over(app, "2");
    app.tab_to("wins-1");
    type_over(app, "1");
}

/// Types the scores of three candidates by two debaters, along each row.
fn rate(app: &App) {
    // the grid is one stop of Tab
    app.wait(
        "reviews",
        "return document.querySelectorAll('#reviews [data-at]').length === 24",
    );
    app.tab_to_cell("0,0,0");
    for scores in ["222", "111", "011", "012", "120", "100"] {
        // a digit leads on: through the review, past its flag, to the next debater
        for digit in scores.chars().chain(['0']) {
            app.browser.press(&[&digit.to_string()]).unwrap();
            app.settle();
        }
    }
}

/// The text that was entered, with what was typed at its place.
fn entered(app: &App) -> String {
    let text = app.value("input-debate");
    let read = evaluate(&text, &Options::default());
    let errors: Vec<_> = read.errors().map(|p| p.message.clone()).collect();
    assert!(errors.is_empty(), "{errors:?} in {text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["question"], "Which, then?");
    assert_eq!(value["candidates"][0]["id"], "First");
    assert_eq!(value["candidates"][0]["reviews"][0]["debater"], "Ann");
    assert_eq!(value["candidates"][2]["reviews"][1]["support"], 1);
    text
}

#[test]
fn a_debate_is_entered_weighed_and_shared_by_keyboard_alone() {
    in_app("form-keyboard", "", |app| {
        start_with_a_question(app);
        name_and_count_wins(app);
        rate(app);
        let text = entered(app);
        agrees(app, &computed(&text, &[]));
        // weighed: five steps on a slider
        app.tab_to("weight-w_pairwise-range");
        app.browser.press(&[RIGHT; 5]).unwrap();
        agrees(app, &computed(&text, &[("w_pairwise", 2.05)]));
        // shared
        app.browser.press(&["\u{E00A}1"]).unwrap();
        app.tab_to("share");
        app.browser.press(&[ENTER]).unwrap();
        let link = "const link = document.querySelector(arguments[0]); return link && link.value.includes('#v2.')";
        app.wait("share-link", link);
    });
}

impl App {
    /// Presses Tab until this field of a grid has the focus.
    pub fn tab_to_cell(&self, at: &str) {
        for _ in 0..150 {
            let script = "return [document.activeElement.dataset.at ?? null]";
            let now = self.browser.run(script, &[]).unwrap();
            if now[0] == at {
                return;
            }
            self.tab();
        }
        panic!("Tab does not come to {at}");
    }

    /// Waits for two frames: a grid moves the focus in the next one.
    pub fn settle(&self) {
        let frames = "await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next))); return true";
        self.browser.run_async(frames, &[]).unwrap();
    }
}

/// 500 edits, in the form and in the text, and after each the two are compared.
const EDITS: &str = r"
    const frame = () => new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));
    let seed = 7;
    const below = most => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % most; };
    const area = document.querySelector('[data-testid=\'input-debate\']');
    const fields = ['support', 'evidence', 'major_risks', 'critical_fail'];
    const fill = (field, text) => {
        const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
        Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, text);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const key = (cell, key) => cell.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    let cells = 0;
    for (let edit = 0; edit < 500; edit++) {
        const shown = [...document.querySelectorAll('#reviews [data-at]')];
        const cell = shown[below(shown.length)];
        const what = below(6);
        if (what < 2) {
            const key = cell.querySelectorAll('i')[below(cell.querySelectorAll('i').length)];
            key.click();
            if (below(2)) key.click();
        }
        else if (what === 2) key(cell, String(below(3)));
        else if (what === 3) key(cell, ['Delete', ' ', '1'][below(3)]);
        else if (what === 4) fill(document.getElementById('model-' + below(3)), 'model ' + edit);
        else {
            const value = JSON.parse(area.value);
            const review = value.candidates[below(value.candidates.length)].reviews[0];
            review[fields[below(3)]] = below(3);
            value.extra = edit;
            fill(area, JSON.stringify(value, null, below(3)));
        }
        await frame();
        const value = JSON.parse(area.value);
        for (const drawn of document.querySelectorAll('#reviews [data-at]')) {
            const [row, column, field] = drawn.dataset.at.split(',').map(Number);
            const review = value.candidates[row].reviews[column];
            const expected = review?.[fields[field]];
            if (drawn.dataset.value !== (expected === undefined ? '' : String(expected)))
                throw new Error(`edit ${edit} (${what}): ${drawn.id} shows ${drawn.dataset.value}, the text has ${expected}`);
            cells++;
        }
        value.candidates.forEach((candidate, row) => {
            const drawn = document.getElementById('model-' + row);
            if (drawn && drawn.value !== (candidate.model ?? '')) throw new Error(`edit ${edit}: ${drawn.value} is not ${candidate.model}`);
        });
        if (edit > 400 && value.kept !== 'by the form') throw new Error('an unknown key is gone');
    }
    return cells;";

#[test]
fn form_and_text_stay_in_step_through_500_random_edits() {
    in_app("form-500", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        let text = app.value("input-debate");
        app.fill(
            "input-debate",
            &text.replacen('{', "{\"kept\": \"by the form\",", 1),
        );
        let cells = app.browser.run_async(EDITS, &[]).unwrap();
        assert!(cells.as_f64().unwrap() > 500.0 * 16.0, "{cells}");
    });
}

#[test]
fn undo_goes_back_through_the_form() {
    in_app("form-undo", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        let before = app.value("input-debate");
        app.unfold("debate-form");
        app.rate_by_mouse("#reviews-0-0-0 [data-key='0']");
        app.wait(
            "reviews",
            "return document.getElementById('reviews-0-0-0').dataset.value === '0'",
        );
        assert_ne!(app.value("input-debate"), before);
        app.click("undo");
        app.wait(
            "reviews",
            "return document.getElementById('reviews-0-0-0').dataset.value === '2'",
        );
        assert_eq!(app.value("input-debate"), before);
    });
}

#[test]
fn what_models_print_is_pasted_and_mended() {
    in_app("form-paste", "#/debate", |app| {
        // between words, in a fence, with commas too many
        let slipped = debate("A").replace(']', ",]");
        app.fill(
            "input-debate",
            &format!("Sure:\n```json\n{slipped}\n```\nDone."),
        );
        // three commas, and that only the JSON is read
        assert_eq!(app.problems().len(), 4);
        app.click("mend");
        let text = app.value("input-debate");
        assert!(
            text.starts_with("Sure:") && text.contains(&debate("A")),
            "{text}"
        );
        agrees(app, &computed(&text, &[]));
        // several, one per line
        app.fill(
            "input-debate",
            &format!(
                "{}\n{}\n{}",
                debate("A"),
                debate("B"),
                "{\"candidates\": []}"
            ),
        );
        let list = app.text("debates");
        assert!(
            list.contains("About B") && list.contains("A wins") && list.contains("1 error"),
            "{list}"
        );
        app.click("debate-1");
        app.wait("row-B", "return document.querySelector(arguments[0])");
        agrees(app, &computed(&debate("B"), &[]));
        // the form changes that line and no other
        app.click("face-form");
        app.rate_by_mouse("#reviews-0-0-0 [data-key='1']");
        let expected = debate("B").replacen("\"support\":2", "\"support\":1", 1);
        app.wait_value(
            "input-debate",
            &format!("{}\n{expected}\n{}", debate("A"), "{\"candidates\": []}"),
        );
        // and a link opens at that debate again
        let link = app.permalink();
        app.browser.run("localStorage.clear()", &[]).unwrap();
        app.browser.open("about:blank").unwrap();
        app.browser.open(&link).unwrap();
        agrees(app, &computed(&expected, &[]));
    });
}

#[test]
fn a_click_sets_a_rating_unless_there_is_a_reason_to_read_first() {
    in_app("form-clicks", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        app.unfold("debate-form");
        let cell = "return [document.querySelector('#reviews-0-0-0').dataset.value,
            document.querySelector('.grid-asks')?.innerText ?? '']";
        let is_now = |value: &str, asked: &str| {
            let script = format!(
                "const now = (() => {{ {cell} }})();
                return now[0] === arguments[1] && now[1] === arguments[2]"
            );
            let now = app.browser.wait(
                30,
                "the rating",
                &script,
                &[json!(null), json!(value), json!(asked)],
            );
            now.unwrap();
        };
        // it has a justification: that is shown, and how to go on is said in the cell
        app.browser.click("#reviews-0-0-0 [data-key='1']").unwrap();
        is_now("2", "Again to set 1");
        app.browser.click("#reviews-0-0-0 [data-key='1']").unwrap();
        is_now("1", "");
        // the value that is set is looked at, however often
        app.browser.click("#reviews-0-0-0 [data-key='1']").unwrap();
        is_now("1", "");
        // without one a click sets at once
        app.browser.click("#reviews-0-1-0 [data-key='0']").unwrap();
        app.fill("justification", "");
        app.browser.click("#reviews-0-0-0 [data-key='1']").unwrap();
        app.browser.click("#reviews-0-1-0 [data-key='0']").unwrap();
        app.wait(
            "reviews",
            "return document.querySelector('#reviews-0-1-0').dataset.value === '0'",
        );
    });
}

impl App {
    /// Clicks a rating: the first click may look at the cell, the second then sets it.
    fn rate_by_mouse(&self, css: &str) {
        self.browser.click(css).unwrap();
        self.browser.click(css).unwrap();
    }

    /// Clicks an element, wherever it is scrolled to.
    fn tap(&self, css: &str) {
        let script =
            "const found = document.querySelector(arguments[0]); found.click(); return true";
        self.browser.wait(30, css, script, &[json!(css)]).unwrap();
    }

    /// Waits until an input holds exactly this.
    fn wait_value(&self, id: &str, expected: &str) {
        let script = "const held = document.querySelector(arguments[0]).value;
            if (held === arguments[1]) return true; throw new Error(held);";
        self.browser
            .wait(30, id, script, &[json!(mark(id)), json!(expected)])
            .unwrap();
    }
}

#[test]
fn the_caret_stays_where_it_was_when_the_form_changes_the_text() {
    in_app("form-caret", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        let script = "
            const area = document.querySelector(arguments[0]);
            const at = area.value.indexOf('Options') + 3;
            area.setSelectionRange(at, at);
            return true;";
        app.wait("input-debate", script);
        app.fill("candidate-0", "A much longer name");
        let held = "
            const area = document.querySelector(arguments[0]);
            return area.value.includes('A much longer name')
                && [area.value.slice(area.selectionStart - 3, area.selectionStart + 4)];";
        assert_eq!(app.wait("input-debate", held)[0], "Options");
    });
}

#[test]
fn head_to_heads_give_the_wins() {
    in_app("form-duels", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        app.unfold("debate-form");
        app.browser.click(".duels summary").unwrap();
        app.tap("#duels-0-1-0");
        app.wait(
            "wins-sum",
            "return document.querySelector(arguments[0]).innerText.startsWith('1 of 10 pairs')",
        );
        app.tap("#duels-2-1-0");
        app.wait(
            "wins-sum",
            "return document.querySelector(arguments[0]).innerText.startsWith('2 of 10 pairs')",
        );
        // a third press takes an outcome back: won, lost, nobody
        app.tap("#duels-0-1-0");
        app.tap("#duels-0-1-0");
        app.wait(
            "wins-sum",
            "return document.querySelector(arguments[0]).innerText.startsWith('1 of 10 pairs')",
        );
        let value: Value = serde_json::from_str(&app.value("input-debate")).unwrap();
        assert_eq!(
            value["pairwise"],
            json!([{ "winner": "Options", "loser": "Split" }])
        );
        app.click("type-wins");
        app.wait(
            "wins-2",
            "return document.querySelector(arguments[0]).value === '1'",
        );
    });
}

#[test]
fn head_to_heads_of_hundreds_are_drawn_in_part() {
    in_app("form-duels-large", "#/debate", |app| {
        app.fill("input-debate", &large_debate(200, 1));
        app.click("face-form");
        app.text("debate-form");
        app.browser.click(".duels summary").unwrap();
        app.tap("#duels-0-1-0");
        let end = "\u{E009}\u{E010}"; // Control and End
        app.browser.press(&[end]).unwrap();
        let at_end = "return document.activeElement.id === 'duels-199-199-0'";
        app.wait("duels", at_end);
        app.browser.press(&[LEFT]).unwrap();
        app.wait(
            "duels",
            "return document.activeElement.id === 'duels-199-198-0'",
        );
        app.browser.press(&["1"]).unwrap();
        app.wait(
            "wins-sum",
            "return document.querySelector(arguments[0]).innerText.startsWith('2 of 19,900 pairs')",
        );
        let value: Value = serde_json::from_str(&app.value("input-debate")).unwrap();
        assert_eq!(
            value["pairwise"],
            json!([{ "winner": "c0", "loser": "c1" }, { "winner": "c199", "loser": "c198" }])
        );
        let drawn = "return document.querySelectorAll('#duels [data-at]').length";
        assert!(app.browser.run(drawn, &[]).unwrap().as_u64().unwrap() < 1_000);
    });
}

#[test]
fn profiles_of_ones_own_weigh_and_travel() {
    in_app("form-profiles", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        app.browser
            .run(
                "document.querySelectorAll('details').forEach(fold => { fold.open = true; })",
                &[],
            )
            .unwrap();
        app.click("profile-own");
        app.text("profile-form");
        app.fill("profile-w_base", "1.25");
        let text = app.value("input-debate");
        let profiles = app.value("input-profiles");
        let options = Options {
            profiles: Some(profiles.clone()),
            ..Options::default()
        };
        let expected = evaluate(&text, &options).result.unwrap();
        assert_eq!(expected.weights.w_base, 1.25);
        agrees(app, &expected);
        app.fill("profile-w_base", "much");
        app.wait(
            "profile-w_base",
            "return document.querySelector(arguments[0]).getAttribute('aria-invalid') === 'true'",
        );
        app.fill("profile-w_base", "1.25");
        let link = app.permalink();
        app.browser.run("localStorage.clear()", &[]).unwrap();
        app.browser.open("about:blank").unwrap();
        app.browser.open(&link).unwrap();
        agrees(app, &expected);
        app.browser
            .run(
                "document.querySelectorAll('details').forEach(fold => { fold.open = true; })",
                &[],
            )
            .unwrap();
        app.click("profile-built-in");
        agrees(app, &computed(&text, &[]));
    });
}

#[test]
fn a_new_form_counts_what_is_left_and_leads_on() {
    in_app("form-new", "#/debate", |app| {
        app.click("face-form");
        app.click("form-start");
        app.text("debate-form");
        let listed = "return document.querySelectorAll('[data-testid=problem]').length";
        assert_eq!(app.browser.run(listed, &[]).unwrap(), 0);
        assert!(app.text("ratings").contains("0 of 6 ratings entered"));
        assert!(app.text("verdict").contains("0 of 6 ratings entered"));
        let wrong = "return document.querySelectorAll('#reviews .wrong').length";
        assert_eq!(app.browser.run(wrong, &[]).unwrap(), 0);
        // a review that is begun and left is marked
        app.tap("#reviews-0-0-0 [data-key='2']");
        app.tap("#reviews-1-0-0 [data-key='1']");
        app.wait(
            "reviews",
            "return document.querySelectorAll('#reviews .wrong').length === 2",
        );
        // Enter goes to the justification and Escape comes back
        let focused = |id: &str| {
            let is_there = format!("return document.activeElement.id === '{id}'");
            app.wait("reviews", &is_there);
        };
        focused("reviews-1-0-0");
        app.browser.press(&[ENTER]).unwrap();
        focused("justification");
        app.browser.press(&["Plain.", "\u{E00C}"]).unwrap();
        focused("reviews-1-0-0");
        for at in ["1-0-1", "1-0-2", "1-0-3", "1-0-3"] {
            app.browser.press(&["1"]).unwrap();
            focused(&format!("reviews-{at}"));
        }
        let value: Value = serde_json::from_str(&app.value("input-debate")).unwrap();
        let review = &value["candidates"][1]["reviews"][0];
        assert_eq!(
            (
                &review["major_risks"],
                &review["critical_fail"],
                &review["justification"]
            ),
            (&json!(1), &json!(1), &json!("Plain."))
        );
    });
}

#[test]
fn looking_at_a_justification_changes_no_rating() {
    in_app("form-look", "", |app| {
        app.click("open-example-debate");
        app.text("debate-form");
        app.unfold("debate-form");
        let before = app.value("input-debate");
        app.tap("#reviews-1-2-1 [data-key='0']");
        let why = "return document.querySelector(arguments[0]).value.startsWith('Volatility')";
        app.wait("justification", why);
        assert_eq!(app.value("input-debate"), before);
        app.tap("#reviews-1-2-1 [data-key='0']");
        app.wait(
            "reviews",
            "return document.getElementById('reviews-1-2-1').dataset.value === '0'",
        );
    });
}

/// A debate that its first candidate wins.
fn debate(id: &str) -> String {
    let review = json!({ "debater": "P", "support": 2, "evidence": 1, "major_risks": 0, "critical_fail": 0 });
    json!({ "question": format!("About {id}"), "candidates": [
        { "id": id, "wins": 1, "reviews": [review] },
        { "id": "Z", "wins": 0, "reviews": [review] },
    ]})
    .to_string()
}

#[test]
fn a_line_that_is_no_debate_is_told_and_taken_out() {
    in_app("strays", "#/debate", |app| {
        let [a, b] = ["A", "B"].map(debate);
        app.fill("input-debate", &format!("{a}\nWARN: retrying\n{b}\n"));
        let list = app.text("debates");
        assert!(!list.contains("error"), "{list}");
        app.says("problem", &["expected a JSON object on this line"]);
        agrees(app, &computed(&a, &[]));
        app.click("mend-one");
        app.wait_value("input-debate", &format!("{a}\n{b}\n"));
    });
}
