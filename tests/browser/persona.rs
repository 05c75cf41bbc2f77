//! The persona bench, with the real embedder in the browser's worker against
//! the command line on this machine.

use crate::app::{App, in_app, mark, say};
use crate::embedding::machine;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

/// The inputs on the page.
pub fn inputs(app: &App) -> [String; 2] {
    [
        app.example("input-persona"),
        app.example("input-transcript"),
    ]
}

/// What the command line prints of these inputs, and of weights as a config.
pub fn computed(inputs: &[String; 2], weights: &[(&str, f64)]) -> Value {
    let program = env::var("ASSAY_BIN")
        .expect("ASSAY_BIN names the command line (make test-browser sets it)");
    let folder = env::temp_dir().join(format!(
        "assay-persona-{}-{:?}",
        process::id(),
        std::thread::current().id()
    ));
    fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, text: &str| -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let lines = weights
        .iter()
        .map(|(name, value)| format!("  {name}: {value}\n"));
    let config: String = std::iter::once("scoring:\n".to_owned())
        .chain(lines)
        .collect();
    let mut command = Command::new(program);
    command
        .arg("persona")
        .arg("--persona")
        .arg(file("persona.yaml", &inputs[0]))
        .arg("--input")
        .arg(file("transcript.jsonl", &inputs[1]))
        .arg("--model")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("public/model"));
    if !weights.is_empty() {
        command.arg("--config").arg(file("config.yaml", &config));
    }
    let output = command.output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Headings of the table of sessions, and what is under them.
const COLUMNS: [(&str, &str); 7] = [
    ("Overall", "overall"),
    ("Authent.", "authenticity"),
    ("Style", "style"),
    ("Traits", "traits"),
    ("Lexicon", "lexicon"),
    ("Safety", "safety"),
    ("Stability", "stability"),
];

/// The page shows these figures to 1e-4.
pub fn agrees(app: &App, expected: &Value) {
    app.computes(
        "overall",
        expected["overall"].as_f64().expect("an overall score"),
    );
    assert_eq!(app.text("grade"), expected["grade"].as_str().unwrap());
    // the figures of the parts are in the table
    let script = "const table = document.querySelector(arguments[0]);
        if (table.getAttribute('aria-pressed') === 'true') return true;
        table.click();";
    app.wait("table-sessions", script);
    let sessions = expected["sessions"].as_array().unwrap();
    assert!(!sessions.is_empty());
    for session in sessions {
        let row = format!("row-{}", session["session_id"].as_str().unwrap());
        for (heading, figure) in COLUMNS {
            if let Some(value) = session[figure].as_f64() {
                app.cell_computes(&row, heading, value);
            }
        }
    }
}

/// Opens the example and waits until it is embedded.
pub fn open_example(app: &App) -> Value {
    app.click("open-example-persona");
    app.text("bench-persona");
    let inputs = inputs(app);
    app.start_embedding();
    let expected = computed(&inputs, &[]);
    agrees(app, &expected);
    expected
}

#[test]
fn the_embedder_gives_the_command_lines_figures() {
    in_app("persona-example", "", |app| {
        let expected = open_example(app);
        assert!(
            expected["authenticity"]["style"].is_number(),
            "nothing was embedded"
        );
        let since = app.browser.run("return performance.now()", &[]).unwrap();
        say(&format!(
            "persona example, model loaded and embedded: {:.1} s",
            since.as_f64().unwrap() / 1000.0
        ));

        // the model is asked for once: the next visit has it in its cache
        let downloads = || {
            app.site
                .requests()
                .iter()
                .filter(|r| r.path.contains("/model/"))
                .count()
        };
        let before = downloads();
        assert!(before > 0, "the model came from nowhere");

        // a weight: no new embedding, other figures
        let weights = [
            ("authenticity_weight", 0.1),
            ("safety_weight", 0.1),
            ("stability_weight", 0.8),
        ];
        for (name, value) in weights {
            app.retype(&format!("weight-{name}-number"), &value.to_string());
        }
        agrees(app, &computed(&inputs(app), &weights));
        assert_eq!(downloads(), before, "a weight made the model load again");
    });
}

/// One of the notices says so.
fn is_noticed(app: &App, words: &str) {
    let script =
        "const said = [...document.querySelectorAll(arguments[0])].map(notice => notice.innerText);
        if (said.some(said => said.includes(arguments[1]))) return true;
        throw new Error(said.join());";
    let arguments = [json!(mark("notice")), json!(words)];
    app.browser.wait(20, words, script, &arguments).unwrap();
}

#[test]
fn a_worker_that_dies_is_replaced_and_the_figures_are_the_same() {
    in_app("persona-dead-worker", "", |app| {
        machine(app, 1);
        // the only worker dies when it has made its first vector
        let script = "
            const Real = Worker;
            window.Worker = class extends Real {
                constructor(...parameters) {
                    super(...parameters);
                    if (workers.length > 1) return;
                    this.addEventListener('message', event => {
                        if (!event.data.vector) return;
                        // WebKit lets one that is terminated say nothing more
                        this.dispatchEvent(new ErrorEvent('error', { message: 'killed by a test' }));
                        this.terminate();
                    });
                }
            };";
        app.browser.run(script, &[]).unwrap();
        open_example(app);
        let workers = app.browser.run("return window.workers.length", &[]);
        assert_eq!(workers.unwrap(), json!(2));
        is_noticed(app, "killed by a test");
    });
}

/// Workers whose third text never reaches them: they are silent from then on, as those
/// that end themselves or loop.
const DEAF: &str = "
    const tell = Worker.prototype.postMessage;
    window.told = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
        const isText = typeof message === 'string' && message.includes('\"embed\"');
        if (isText && ++window.told === 3) return;
        return tell.call(this, message, ...rest);
    };";

#[test]
fn a_worker_that_falls_silent_is_replaced_and_the_figures_are_the_same() {
    in_app("persona-silent-worker", "", |app| {
        machine(app, 1);
        app.browser.run(DEAF, &[]).unwrap();
        open_example(app);
        is_noticed(app, "nothing was heard of it");
    });
}

#[test]
fn cancel_frees_a_worker_that_does_not_answer() {
    in_app("persona-cancelled", "", |app| {
        machine(app, 1);
        app.browser.run(DEAF, &[]).unwrap();
        app.click("open-example-persona");
        app.start_embedding();
        let deaf = "return window.told >= 3";
        app.browser.wait(120, "third text", deaf, &[]).unwrap();
        app.browser
            .click("[data-testid=\"embed-progress\"] button")
            .unwrap();
        let offered = "return document.querySelector('[data-testid=\"embed-start\"]') !== null";
        app.browser.wait(20, "offer", offered, &[]).unwrap();
        app.start_embedding();
        agrees(app, &computed(&inputs(app), &[]));
    });
}

#[test]
fn an_error_is_shown_at_its_place() {
    in_app("persona-error", "#/persona", |app| {
        app.fill("input-persona", "id: x\nlexicon:\n  preferred: [a\n");
        assert!(
            app.problems().iter().any(|(line, _)| *line >= 3),
            "{:?}",
            app.problems()
        );
        app.fill("input-persona", "id: x\nlexicon:\n  preferred: 7\n");
        let place =
            "return [...document.querySelectorAll(arguments[0])].some(e => e.dataset.line === '3')";
        app.browser
            .wait(20, "a problem in line 3", place, &[json!(mark("problem"))])
            .unwrap();
    });
}
