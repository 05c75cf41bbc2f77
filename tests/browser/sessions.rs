//! Several sessions on the constitution bench: which turns are shown, and the ways to the
//! ones that matter; and the witness record that leaves the page and comes back.

use crate::app::{App, in_app};
use serde_json::{Value, json};

const RIGHT: &str = "\u{E014}";
const HOME: &str = "\u{E011}";

/// Waits until a script about the page says so, with the words of the page where it does not.
fn is_so(app: &App, what: &str, script: &str) {
    app.browser.wait(20, what, script, &[]).unwrap();
}

/// Three sessions of 20 turns, each of which has its worst turn at another place; in one of
/// them a number is given twice.
fn sessions() -> String {
    let turn = |session: usize, number: usize| {
        let is_worst = number == 5 * (session + 1);
        let response = if is_worst {
            "OK"
        } else {
            "A reply of more than twenty characters."
        };
        let tools = vec!["t"; if is_worst { 7 + session } else { 1 }];
        let number = if session == 2 && number == 8 {
            7
        } else {
            number
        };
        let action = ["read", "write"][number % 2];
        json!({ "turn_number": number, "action": action, "user_message": format!("{session}: {number}"),
            "turn_result": { "response": response, "tools": tools } })
    };
    let lines = (0..3).map(|session| {
        let turns: Vec<Value> = (1..=20).map(|number| turn(session, number)).collect();
        let id = ["alpha", "beta", "gamma"][session];
        json!({ "session_id": id, "turns": turns }).to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn with_sessions(name: &'static str, test: impl FnOnce(&App)) {
    in_app(name, "#/constitution", |app| {
        app.fill("input-turns", &sessions());
        app.says("verdict", &["over 3 sessions", "3 sessions, 60 turns"]);
        test(app);
    });
}

#[test]
fn lines_of_sessions_are_sessions_and_one_can_be_looked_at_alone() {
    with_sessions("sessions-list", |app| {
        // the lowest first: gamma lost most
        let names = "return [...document.querySelectorAll('.session-row .name')].map(name => name.firstChild.data).join() === 'gamma,beta,alpha'";
        is_so(app, "the sessions, the lowest first", names);
        app.says("turn-count", &["60 turns"]);
        app.click("session-beta");
        app.says("turn-count", &["20 turns"]);
        app.says("session-of", &["beta"]);
        app.says(
            "worst",
            &["Turn 10", "2 characters", "8 tools, 3 more than 5"],
        );
        let pressed = "return document.querySelector('[data-testid=session-beta]').getAttribute('aria-pressed') === 'true'";
        is_so(app, "which session it is", pressed);
        app.click("all-sessions");
        app.says("turn-count", &["60 turns"]);
        app.says("session-of", &["all 3"]);
        // and the same as a table
        app.click("table-sessions");
        app.says("row-session-gamma", &["gamma", "20", "Joy-inducing"]);
    });
}

#[test]
fn a_turn_that_is_named_is_a_way_to_it_and_the_form_goes_along() {
    with_sessions("sessions-ways", |app| {
        app.click("face-form");
        app.text("turns-form");
        app.browser.click(".worst .way").unwrap();
        let opened = "
            const row = document.querySelector('#anatomy-list .evidence')?.closest('li');
            const { top } = row?.getBoundingClientRect() ?? {};
            return row?.innerText.includes('Turn 15 of gamma') && top >= 0 && top < innerHeight;";
        is_so(app, "the turn", opened);
        let inspected = "return document.querySelector('[data-testid=turn-inspector] h2').innerText === 'Turn 15'
            && document.getElementById('user-message').value === '2: 15'";
        is_so(app, "the turn in the form", inspected);
        // what is said of firmness names turns as ways too
        app.says("firm", &["turn "]);
        app.browser.click("[data-testid=firm] .way").unwrap();
        is_so(
            app,
            "the turn of the flip",
            "return document.activeElement.closest('[data-row]') !== null",
        );
        // two turns of one number are told apart
        app.fill("turn-find", "2: 7");
        let names = "return [...document.querySelectorAll('#anatomy-list .name')].map(name => name.firstChild.data).join() === 'Turn 7 of gamma,Turn 7 (2nd) of gamma'";
        is_so(app, "which turn 7 it is", names);
    });
}

#[test]
fn turns_are_listed_by_what_they_lost_on_and_by_their_action() {
    with_sessions("sessions-filters", |app| {
        app.fill("turn-lost", "composable");
        app.says("turn-count", &["3 of 60 turns"]);
        app.fill("turn-lost", "");
        app.says("turn-count", &["60 turns"]);
        // the actions by how frequent they are
        app.fill("turn-action", "1");
        let count = "const text = document.querySelector('[data-testid=turn-count]').innerText;
            return text.includes(' of 60 turns')
                && [...document.querySelectorAll('#anatomy-list small')].every(small => small.innerText.startsWith('read'))";
        is_so(app, "those that read", count);
    });
}

#[test]
fn a_stretch_of_the_line_is_listed_alone() {
    with_sessions("sessions-stretch", |app| {
        let drag = "
            const strip = document.querySelector('[data-testid=turn-line]');
            const box = strip.getBoundingClientRect();
            const at = (kind, share) => strip.dispatchEvent(new PointerEvent(kind, { bubbles: true, button: 0, pointerId: 1,
                clientX: box.left + box.width * share, clientY: box.top + 5 }));
            const [first, last] = [15.5 / 60, 29.5 / 60];
            at('pointerdown', first); at('pointermove', 0.3); at('pointermove', last); at('pointerup', last);
            return true;";
        app.browser.run(drag, &[]).unwrap();
        app.says("turn-count", &["15 of 60 turns"]);
        let first = "return document.querySelector('#anatomy-list .name').innerText.startsWith('Turn 16 of alpha')";
        is_so(app, "the first of the stretch", first);
        // its ends are moved by keys
        let focus = "const end = document.querySelector('[data-testid=brush-first]'); end.focus(); return document.activeElement === end";
        is_so(app, "the end of the stretch", focus);
        app.browser.press(&[RIGHT, RIGHT]).unwrap();
        app.says("turn-count", &["13 of 60 turns"]);
        app.browser.press(&[HOME]).unwrap();
        app.says("turn-count", &["30 of 60 turns"]);
        app.click("clear-stretch");
        app.says("turn-count", &["60 turns"]);
        // a stretch is of its line: another session begins anew
        app.browser.run(drag, &[]).unwrap();
        app.click("session-alpha");
        app.says("turn-count", &["20 turns"]);
    });
}

#[test]
fn what_was_lost_is_a_cell_and_opens_to_why() {
    with_sessions("sessions-losses", |app| {
        app.click("look-losses");
        app.fill("turn-order", "total");
        let cells = "
            const row = document.querySelector('.loss-rows li');
            return row?.innerText.includes('15 of gamma') && row.querySelector('[data-cell=\"4\"]').innerText === '0.60'
                && row.querySelector('[data-cell=\"0\"]').innerText.trim() === ''";
        is_so(app, "what the worst lost", cells);
        app.browser.click(".loss-rows li button").unwrap();
        is_so(
            app,
            "why",
            "return document.querySelector('.loss-rows .evidence')?.innerText.includes('9 tools, 4 more than 5')",
        );
        // a turn that is named is gone to in this list as well
        app.browser.click(".worst li:nth-child(3) .way").unwrap();
        is_so(
            app,
            "the third",
            "return document.querySelector('.loss-rows .evidence')?.closest('li').innerText.includes('5 of alpha')",
        );
    });
}

#[test]
fn a_record_leaves_the_page_and_is_checked_when_it_comes_back() {
    with_sessions("sessions-record", |app| {
        for id in ["save-marks", "save-trace"] {
            app.fill("input-turns", &sessions());
            app.says("verdict", &["3 sessions, 60 turns"]);
            is_so(
                app,
                "no record",
                "return !document.querySelector('[data-testid=record-check]')",
            );
            let record = app.offered(id);
            app.fill("input-turns", &record);
            app.says("record-check", &["60 of 60 turns reproduced exactly"]);
            app.says("verdict", &["3 sessions, 60 turns"]);
            // one score and one text are changed on the way
            let changed = record
                .replacen("\"joy_inducing\":0.55", "\"joy_inducing\":1", 1)
                .replacen("0: 12", "0: twelve", 1);
            app.fill("input-turns", &changed);
            app.says(
                "record-check",
                &["58 reproduced exactly, 2 not as recorded"],
            );
            app.says(
                "section-record",
                &[
                    "Turn 5 of alpha",
                    "joy-inducing: 1 recorded, 0.55 recomputed",
                    "Turn 12 of alpha",
                    "SHA-256 is another",
                ],
            );
            let beside = "return [...document.querySelectorAll('.instrument-head [data-testid=problem]')].some(p => p.innerText.includes('2 not as recorded'))";
            is_so(app, "a word beside the verdict", beside);
            app.browser.click(".differences .way").unwrap();
            app.says("turn-check", &["1 recorded, 0.55 recomputed"]);
        }
    });
}

#[test]
fn another_log_is_not_compared_with_the_one_before() {
    with_sessions("sessions-stale", |app| {
        let log = |score: f64, said: &str| {
            let turn = |number: usize| json!({ "turn_number": number, "user_message": format!("{said} {number}"), "overrides": { "tasteful": score } });
            json!((1..=4).map(turn).collect::<Vec<_>>()).to_string()
        };
        let is_compared = "document.querySelector('.anatomy-rows .bar').style.getPropertyValue('--before').trim() !== '-10000.000%'";
        app.fill("input-turns", &log(0.5, "one"));
        app.says("verdict", &["4 turns"]);
        app.fill("input-turns", &log(0.25, "one"));
        is_so(
            app,
            "what the same turns had before",
            &format!("return {is_compared}"),
        );
        app.fill("input-turns", &log(0.75, "other"));
        is_so(
            app,
            "nothing of another log",
            &format!(
                "return document.querySelector('.total').innerText === '8.45' && !({is_compared})"
            ),
        );
    });
}

#[test]
fn a_turn_that_was_not_measured_is_counted_and_never_perfect() {
    in_app("sessions-unmeasured", "#/constitution", |app| {
        let full = r#"{"session_id": "a", "has_mutations": false, "turn_result": {"response": "A reply of some length, mail jane@posteo.net", "tools": [], "context_utilization": 0.1}}"#;
        let text = format!(
            "{full}\n{{\"session_id\": \"a\", \"action\": \"wait\"}}\n{{\"session_id\": \"b\", \"overrides\": {{\"ethical\": 0.4}}}}"
        );
        app.fill("input-turns", &text);
        app.says("verdict", &["1 of 3 turns not measured"]);
        app.says("session-a", &["1 perfect, 1 of 2 turns not measured"]);
        app.says("unmeasured-turns", &["1 of 3 turns not measured"]);
        // a record asks before it leaves
        app.click("save-marks");
        app.says("private", &["A mail address is in this record."]);
        let marks = app.offered("private-mask");
        assert!(
            marks.contains("[mail 1]") && !marks.contains("posteo"),
            "{marks}"
        );
    });
}
