//! Large inputs: the page stays at hand while it works, says how far it is, and can
//! be told to stop.

use crate::app::{App, can, in_app, say};
use crate::embedding::machine;
use crate::harness::engine::Ability;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Fifty thousand replies in fifty sessions: enough to be measured for seconds, so that
/// there is time to cancel.
fn replies() -> String {
    let mut text = String::new();
    for number in 0..50_000 {
        writeln!(
            text,
            r#"{{"session_id": "s{}", "turn": {number}, "user": "How do I do it?", "assistant": "A fairly usual reply, number {number} — it doesn’t stop before the second sentence, which says a little more than the first."}}"#,
            number % 50,
        )
        .unwrap();
    }
    text
}

/// Begins to note the long tasks, and whether the page says how far it is.
fn watch(app: &App) {
    let script = "
        window.longTasks = [];
        window.watcher = new PerformanceObserver(list =>
            window.longTasks.push(...list.getEntries().map(entry => entry.duration)));
        window.watcher.observe({ type: 'longtask' });
        window.toldProgress = false;
        new MutationObserver(() => {
            const far = document.querySelector('[data-testid=\"job-far\"]');
            window.toldProgress ||= far !== null && far.textContent.startsWith('So far ');
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
        return true;";
    app.browser.run(script, &[]).unwrap();
}

/// The long tasks since then, in milliseconds.
fn long_tasks(app: &App) -> Vec<f64> {
    let script = "
        window.longTasks.push(...window.watcher.takeRecords().map(entry => entry.duration));
        return window.longTasks.splice(0);";
    let tasks: Vec<f64> = serde_json::from_value(app.browser.run(script, &[]).unwrap()).unwrap();
    tasks
}

/// Waits until the page says that it is so far.
fn far(app: &App, words: &str) {
    let script = "const shown = document.querySelector(arguments[0])?.textContent;
        return shown?.startsWith('So far ') && shown.includes(arguments[1])";
    let arguments = [json!("[data-testid=\"job-far\"]"), json!(words)];
    app.browser.wait(60, words, script, &arguments).unwrap();
}

/// The sentence of the verdict, once it is not `other`.
fn verdict_other_than(app: &App, other: &str) -> String {
    let script = "const shown = document.querySelector(arguments[0]).innerText;
        return shown.includes(arguments[1]) ? false : [shown]";
    let arguments = [json!("[data-testid=\"verdict\"]"), json!(other)];
    let shown: Value = app
        .browser
        .wait(120, "a verdict", script, &arguments)
        .unwrap();
    shown[0].as_str().unwrap().to_owned()
}

/// A long text stands in a list; nothing of it is lost, and it can be edited.
fn holds(app: &App, input: &str, text: &str) {
    let list = app.text(&format!("lines-{input}"));
    for line in text.lines().take(20) {
        assert!(list.contains(&line[..line.len().min(100)]), "{list}");
    }
    app.click(&format!("edit-{input}"));
    assert_eq!(app.value(&format!("input-{input}")), text);
}

#[test]
fn fifty_thousand_replies_are_measured_beside_the_page_and_can_be_cancelled() {
    if !can(Ability::Logs) {
        return; // only Chromium tells of long tasks
    }
    in_app("large-persona", "#/persona", |app| {
        let persona = include_str!("../../public/examples/persona.yaml");
        app.fill("input-persona", persona);
        let text = replies();
        watch(app);
        app.paste("input-transcript", &text);
        far(app, "replies measured; 0 of them break a safety rule");
        app.click("job-cancel");
        app.text("job-again");
        let before = long_tasks(app);
        say(&format!(
            "50,000 replies laid out and read, long tasks: {before:.0?} ms"
        ));
        assert!(app.text("verdict").contains("not scored"));

        app.click("job-again");
        far(app, "replies measured; 0 of them break a safety rule");
        let is_running = "return document.querySelector('[data-testid=\"job-far\"]') !== null";
        let (mut tasks, mut answers) = (Vec::new(), 0);
        loop {
            let found = long_tasks(app);
            if app.browser.run(is_running, &[]).unwrap() != true {
                say(&format!("50,000 replies shown, long tasks: {found:.0?} ms"));
                break;
            }
            tasks.extend(found);
            answers += 1;
        }
        say(&format!(
            "50,000 replies measured, long tasks: {tasks:.0?} ms"
        ));
        // a page that measured in one task would have answered when it was done
        assert!(answers > 1, "the page was not at hand while it measured");
        let shown = verdict_other_than(app, "No result");
        assert!(shown.contains("50 sessions"), "{shown}");
        holds(app, "transcript", &text);
    });
}

/// Fifty thousand turns, one in ten of which changed something without saying so.
fn turns() -> String {
    let mut text = String::from("[\n");
    for number in 1..=50_000 {
        let is_silent = number % 10 == 0;
        let end = if number == 50_000 { "\n]" } else { ",\n" };
        write!(
            text,
            r#"{{"turn_number": {number}, "action": "step", "has_mutations": {is_silent}, "acknowledged": false, "turn_result": {{"response": "It is done, as it was asked for.", "tools": []}}}}{end}"#,
        )
        .unwrap();
    }
    text
}

#[test]
fn fifty_thousand_turns_are_read_beside_the_page_and_a_weight_moves_them() {
    if !can(Ability::Logs) {
        return; // only Chromium tells of long tasks
    }
    in_app("large-constitution", "#/constitution", |app| {
        let text = turns();
        watch(app);
        app.paste("input-turns", &text);
        let shown = verdict_other_than(app, "No result");
        let tasks = long_tasks(app);
        say(&format!(
            "50,000 turns read and shown, long tasks: {tasks:.0?} ms"
        ));
        let told = app.browser.run("return window.toldProgress", &[]).unwrap();
        assert_eq!(told, true, "nobody was told how far it was");
        assert!(shown.contains("8.60 of 8.70 on average"), "{shown}");
        assert!(shown.contains("50,000 turns: 45,000 perfect"), "{shown}");

        app.fill("weight-ethical-range", "1");
        let shown = verdict_other_than(app, "8.60 of 8.70");
        let tasks = long_tasks(app);
        say(&format!(
            "a weight of 50,000 turns moved, long tasks: {tasks:.0?} ms"
        ));
        assert!(shown.contains("of 7.70."), "{shown}");
        holds(app, "turns", &text);

        // what is done in the form waits for the reading, and then is where one looks
        app.click("face-form");
        app.click("add-turn");
        let script = "return document.activeElement.matches(arguments[0])
            && document.querySelector('[data-testid=\"turn-inspector\"] h2').textContent === 'Turn 50001'";
        app.wait("user-message", script);
    });
}

/// A run of 460 replies, each another text.
fn few_hundred() -> String {
    let row = |number: usize| {
        let (session, turn) = (number % 46, number / 46);
        json!({ "session_id": format!("s{session:02}"), "turn": turn, "assistant": format!("Reply {number}.") })
            .to_string()
    };
    (0..460).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_embedded_is_shown_meanwhile_and_a_reload_goes_on_from_there() {
    in_app("large-meanwhile", "#/persona", |app| {
        machine(app, 2);
        app.fill("input-persona", "exemplars: [Check the log first.]");
        app.fill("input-transcript", &few_hundred());
        app.start_embedding();
        // no grade yet, and replies that have their style
        let meanwhile = "
            const said = document.querySelector(arguments[0])?.innerText ?? '';
            const figures = document.querySelectorAll('[data-testid=reply] .authenticity[data-value^=\"0.\"]');
            if (said.includes('Not graded yet') && /So far [0-9]+ have their style/.test(said) && figures.length) return true;
            throw new Error(said);";
        let verdict = [json!("[data-testid=\"verdict\"]")];
        app.browser
            .wait(300, "figures so far", meanwhile, &verdict)
            .unwrap();
        let made = app
            .browser
            .run("return vectors", &[])
            .unwrap()
            .as_u64()
            .unwrap();
        assert!(made < 461, "all {made} were there");
        // whoever counts is there before the bench is
        app.go("#/");
        app.browser.reload().unwrap();
        machine(app, 2);
        app.go("#/persona");
        let done = "const { innerText } = document.querySelector(arguments[0]);
            if (!innerText.includes('Not graded yet') && document.querySelector('[data-testid=\"grade\"]')) return true;
            throw new Error(innerText);";
        app.browser.wait(300, "the grade", done, &verdict).unwrap();
        // vectors are kept in batches of 32
        let again = app
            .browser
            .run("return vectors", &[])
            .unwrap()
            .as_u64()
            .unwrap();
        say(&format!(
            "{made} vectors before the reload, {again} after it"
        ));
        assert!(
            again > 0 && again + made < 461 + 2 * 32,
            "{made}, then {again}"
        );
    });
}
