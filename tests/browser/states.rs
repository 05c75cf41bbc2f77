//! Pictures of every state of the page, to be looked at: states DIST FOLDER [STATE...]
//! (`make states`). Each is taken whole, on a desk and on a phone, in light and in dark colours.

#[path = "harness/mod.rs"]
mod harness;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use harness::driver::{Browser, DriverError, Setup};
use harness::large_debate;
use harness::site::Site;
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

const SCREENS: [(&str, Setup); 2] = [
    (
        "1280",
        Setup {
            width: 1280,
            height: 800,
            is_phone: false,
        },
    ),
    (
        "390",
        Setup {
            width: 390,
            height: 844,
            is_phone: true,
        },
    ),
];

/// What one does to come to a state.
enum Step {
    /// Goes to a part of the page.
    Go(&'static str),
    /// Clicks what has this mark.
    Click(&'static str),
    /// Clicks what a selector finds.
    Press(&'static str),
    /// Puts a text into a field.
    Fill(&'static str, String),
    /// Waits for what a selector finds.
    Await(&'static str),
    /// Runs a script.
    Run(&'static str),
    /// Drops files on the page.
    Drop(Vec<(&'static str, &'static [u8])>),
}

use Step::{Await, Click, Drop, Fill, Go, Press, Run};

/// How the page is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Medium {
    /// In both themes.
    Screen,
    /// In the colours that somebody has chosen for everything.
    ForcedColours,
    Paper,
    /// With letters twice as large.
    Large,
}

struct State {
    name: &'static str,
    medium: Medium,
    steps: Vec<Step>,
}

fn state(name: &'static str, steps: Vec<Step>) -> State {
    State {
        name,
        medium: Medium::Screen,
        steps,
    }
}

/// A bench with its example and all of its result.
fn example(bench: &str) -> Vec<Step> {
    match bench {
        "debate" => vec![Click("open-example-debate"), Await("#anatomy-list li")],
        "constitution" => vec![
            Click("open-example-constitution"),
            Await("#anatomy-list li"),
        ],
        _ => vec![
            Click("open-example-persona"),
            Click("embed-start"),
            Await("[data-testid=overall]"),
            Await("body:not(:has([data-testid=embed-progress]))"),
        ],
    }
}

fn on(bench: &str, more: Vec<Step>) -> Vec<Step> {
    let mut steps = example(bench);
    steps.extend(more);
    steps
}

/// Two sessions of eight turns with a low one each.
fn sessions() -> String {
    let sessions = ["alpha", "beta"].map(|id| {
        let turns: Vec<Value> = (0..8)
            .map(|turn| json!({ "has_mutations": turn != 3, "turn_result": { "response": "OK" } }))
            .collect();
        json!({ "session_id": id, "turns": turns }).to_string()
    });
    sessions.join("\n")
}

/// A tie that one rating turns over.
const TIED: &str = r#"{"question": "Which database?", "candidates": [
 {"id": "Postgres", "wins": 1, "reviews": [{"debater": "ann", "support": 2, "evidence": 1, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
 {"id": "Kafka", "wins": 1, "reviews": [{"debater": "ann", "support": 2, "evidence": 2, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 1, "evidence": 2, "major_risks": 1, "critical_fail": 0}]},
 {"id": "SQLite", "wins": 1, "reviews": [{"debater": "ann", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0},
   {"debater": "bob", "support": 1, "evidence": 1, "major_risks": 1, "critical_fail": 0}]}]}"#;

/// Logs of one task, each of another model.
const LOGS: [(&str, &[u8]); 3] = [
    (
        "gpt-4o.json",
        include_bytes!("../data/sources/inspect-logs-a.json"),
    ),
    (
        "small.json",
        include_bytes!("../data/sources/inspect-logs-b.json"),
    ),
    (
        "large.eval",
        include_bytes!("../data/sources/inspect-logs-c.eval"),
    ),
];
/// Chats with tools.
const CHATS: (&str, &[u8]) = (
    "openai-chat.jsonl",
    include_bytes!("../data/sources/openai-chat.jsonl"),
);

/// Turns with faults that are survived.
const FAULTS: &str = r#"{"turn_number": 1, "action": "a", "turn_result": {"response": "One."}}
{"turn_number": 1, "action": "a", "turn_result": {"response": "Two."}}
{"turn_number": 3, "action": }
{"turn_number": 4, "action": }
{"turn_number": 5, "action": "a", "turn_result": {"response": "Five."}}"#;

const UNFOLD: &str = "
    document.querySelectorAll('details').forEach(fold => { fold.open = true; });
    document.querySelectorAll('.unfold[aria-expanded=false]').forEach(fold => fold.click());";
const TABLES: &str = "document.querySelectorAll('.twins button[data-testid^=table-][aria-pressed=false]').forEach(twin => twin.click())";

#[allow(clippy::too_many_lines, reason = "a list, one state after the other")]
fn states() -> Vec<State> {
    let mistakes =
        "{\"candidates\": [{\"id\": \"A\", \"wins\": 3}, {\"id\": \"B\", \"wins\": true},]}";
    let mut all = vec![
        state("start", vec![]),
        state("help", vec![Click("help")]),
        state("glossary", vec![Click("help"), Click("help-numbers")]),
        state(
            "recent",
            vec![
                Go("#/debate"),
                Fill("input-debate", TIED.to_owned()),
                Go("#/"),
                Click("open-example-debate"),
                Await("#anatomy-list li"),
                Go("#/"),
                Await(".recent li"),
            ],
        ),
        state("debate-empty", vec![Go("#/debate")]),
        state("debate", example("debate")),
        state(
            "debate-form",
            on("debate", vec![Click("edit-input"), Click("face-form")]),
        ),
        state(
            "debate-text",
            on("debate", vec![Click("edit-input"), Click("face-text")]),
        ),
        state("debate-unfolded", on("debate", vec![Run(UNFOLD)])),
        state(
            "debate-tables",
            on("debate", vec![Run(UNFOLD), Run(TABLES)]),
        ),
        state(
            "debate-why-not",
            on(
                "debate",
                vec![
                    Press("[data-testid=row-Split] .row-open"),
                    Click("why-Split"),
                    Await("[data-testid=against]"),
                ],
            ),
        ),
        state(
            "debate-profile",
            on(
                "debate",
                vec![
                    Run(UNFOLD),
                    Click("profile-own"),
                    Await("[data-testid=profile-form]"),
                ],
            ),
        ),
        state(
            "debate-what-if",
            vec![
                Go("#/debate"),
                Fill("input-debate", TIED.to_owned()),
                Click("try-Postgres"),
                Await("[data-testid=what-if]"),
            ],
        ),
        state(
            "debate-problems",
            vec![
                Go("#/debate"),
                Fill("input-debate", mistakes.to_owned()),
                Await("[data-testid=problem]"),
            ],
        ),
        state(
            "debate-mistake-later",
            on(
                "debate",
                vec![
                    Fill("input-debate", mistakes.to_owned()),
                    Await("[data-testid=problem]"),
                ],
            ),
        ),
        state(
            "debate-large",
            vec![
                Go("#/debate"),
                Fill("input-debate", large_debate(40, 8)),
                Await("#anatomy-list li"),
            ],
        ),
        state(
            "debate-share",
            on(
                "debate",
                vec![Click("share"), Await("[data-testid=share-link]")],
            ),
        ),
        state(
            "inside-together",
            vec![Drop(LOGS.to_vec()), Await(".inside-listing")],
        ),
        state(
            "together",
            vec![
                Drop(LOGS.to_vec()),
                Await(".inside-listing"),
                Click("open-part"),
                Await("[data-testid=mapping]"),
                Run(UNFOLD),
            ],
        ),
        state(
            "apart",
            vec![
                Drop(LOGS[..1].repeat(2)),
                Await("[data-testid=inside-apart]"),
            ],
        ),
        state(
            "log-mapping",
            vec![
                Go("#/constitution"),
                Drop(vec![CHATS]),
                Click("choose-all"),
                Click("open-chosen"),
                Await("[data-testid=mapping]"),
                Run(UNFOLD),
            ],
        ),
        state(
            "mends",
            vec![
                Go("#/constitution"),
                Fill("input-turns", FAULTS.to_owned()),
                Await("[data-testid=mend-all]"),
            ],
        ),
        state("constitution-empty", vec![Go("#/constitution")]),
        state("constitution", example("constitution")),
        state(
            "constitution-form",
            on(
                "constitution",
                vec![Click("edit-input"), Click("face-form"), Run(UNFOLD)],
            ),
        ),
        state(
            "constitution-text",
            on(
                "constitution",
                vec![Click("edit-input"), Click("face-text")],
            ),
        ),
        state(
            "constitution-unfolded",
            on("constitution", vec![Run(UNFOLD)]),
        ),
        state(
            "constitution-tables",
            on("constitution", vec![Run(UNFOLD), Run(TABLES)]),
        ),
        state(
            "constitution-losses",
            vec![
                Go("#/constitution"),
                Fill("input-turns", sessions()),
                Click("look-losses"),
                Press(".loss-rows li button"),
            ],
        ),
        state(
            "constitution-sessions",
            vec![
                Go("#/constitution"),
                Fill("input-turns", sessions()),
                Await("[data-testid=section-sessions]"),
            ],
        ),
        state(
            "constitution-problems",
            vec![
                Go("#/constitution"),
                Fill(
                    "input-turns",
                    "[{\"constitutional_scores\": {\"ethical\": 2}}, {\"action\": 3,}]".to_owned(),
                ),
                Await("[data-testid=problem]"),
            ],
        ),
        state("persona-empty", vec![Go("#/persona")]),
        state(
            "persona-waits",
            vec![
                Click("open-example-persona"),
                Await("[data-testid=embed-start]"),
            ],
        ),
        state(
            "persona-embedding",
            vec![
                Click("open-example-persona"),
                Click("embed-start"),
                Await("[data-testid=embed-progress]"),
            ],
        ),
        state("persona", example("persona")),
        state(
            "persona-form",
            on(
                "persona",
                vec![Click("edit-input"), Click("face-form"), Run(UNFOLD)],
            ),
        ),
        state(
            "persona-text",
            on("persona", vec![Click("edit-input"), Click("face-text")]),
        ),
        state("persona-unfolded", on("persona", vec![Run(UNFOLD)])),
        state(
            "persona-tables",
            on("persona", vec![Run(UNFOLD), Run(TABLES)]),
        ),
        state(
            "persona-evidence",
            on(
                "persona",
                vec![Press("[data-testid=row-knee-pain] .row-open")],
            ),
        ),
        state(
            "persona-reply",
            on(
                "persona",
                vec![
                    Await(".replies .voice[data-value]"),
                    Press(".replies li:nth-child(2) .row-open"),
                    Await(".voice-apart"),
                ],
            ),
        ),
        state(
            "persona-explained",
            on(
                "persona",
                vec![
                    Press(".metrics [data-about=safety]"),
                    Await("[data-testid=explained]"),
                ],
            ),
        ),
    ];
    for (bench, names) in [
        ("debate", ["debate-forced", "debate-paper", "debate-32px"]),
        (
            "constitution",
            [
                "constitution-forced",
                "constitution-paper",
                "constitution-32px",
            ],
        ),
        (
            "persona",
            ["persona-forced", "persona-paper", "persona-32px"],
        ),
    ] {
        let media = [Medium::ForcedColours, Medium::Paper, Medium::Large];
        for (name, medium) in names.into_iter().zip(media) {
            all.push(State {
                name,
                medium,
                steps: example(bench),
            });
        }
    }
    for (name, medium) in [
        ("start-forced", Medium::ForcedColours),
        ("start-32px", Medium::Large),
    ] {
        all.push(State {
            name,
            medium,
            steps: vec![],
        });
    }
    all
}

fn mark(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

fn take_step(browser: &Browser, site: &Site, step: &Step) -> Result<(), DriverError> {
    match step {
        Go(fragment) => browser.open(&site.url(fragment)),
        Click(id) => {
            let folded = "return document.querySelector(arguments[0])?.closest('.inputs[hidden]') && document.getElementById('edit-input').click()";
            browser.run(folded, &[json!(mark(id))])?;
            // what is to be opened may be open
            let is_open = "return arguments[0] === 'edit-input' && document.querySelector('.inputs')?.hidden === false";
            if browser.run(is_open, &[json!(id)])? == true {
                return Ok(());
            }
            browser.click(&mark(id))
        }
        Press(css) => browser.click(css),
        Fill(id, text) => {
            let script = "
                const field = document.querySelector(arguments[0]);
                if (!field) return document.querySelector(arguments[2])?.click();
                field.focus();
                Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, arguments[1]);
                field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
                field.dispatchEvent(new Event('change', { bubbles: true }));
                return true;";
            let edit = mark(&id.replacen("input-", "edit-", 1));
            let arguments = [json!(mark(id)), json!(text), json!(edit)];
            browser.wait(20, id, script, &arguments).map(drop)
        }
        Await(css) => {
            let is_there = "return document.querySelector(arguments[0]) !== null";
            browser.wait(120, css, is_there, &[json!(css)]).map(drop)
        }
        Run(script) => browser.run(script, &[]).map(drop),
        Drop(files) => {
            let script = "
                const transfer = new DataTransfer();
                for (const [name, own] of arguments[0]) transfer.items.add(new File([new Uint8Array(own)], name));
                const drop = { dataTransfer: transfer, bubbles: true, cancelable: true };
                document.body.dispatchEvent(new DragEvent('drop', drop));";
            browser.run(script, &[json!(files)]).map(drop)
        }
    }
}

/// Shows the page in a medium and a theme.
fn show(browser: &Browser, medium: Medium, is_dark: bool) -> Result<(), DriverError> {
    let scheme = if is_dark { "dark" } else { "light" };
    let forced = if medium == Medium::ForcedColours {
        "active"
    } else {
        "none"
    };
    let media = json!({
        "media": if medium == Medium::Paper { "print" } else { "" },
        "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
            { "name": "forced-colors", "value": forced },
        ],
    });
    browser.devtools("Emulation.setEmulatedMedia", &media)?;
    let size = if medium == Medium::Large { "32px" } else { "" };
    let script = "document.documentElement.style.fontSize = arguments[0];
        await document.fonts.ready;
        for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);";
    browser.run_async(script, &[json!(size)]).map(drop)
}

/// Writes a picture of the whole page, what is beyond the window included.
fn picture(browser: &Browser, file: &Path) -> Result<(), Box<dyn Error>> {
    let whole = json!({ "captureBeyondViewport": true });
    let answer = browser.devtools("Page.captureScreenshot", &whole)?;
    let png = answer["data"].as_str().ok_or("no picture")?;
    Ok(fs::write(file, STANDARD.decode(png)?)?)
}

fn take(
    site: &Site,
    browser: &Browser,
    state: &State,
    to: &Path,
    screen: &str,
) -> Result<(), Box<dyn Error>> {
    browser.open(&site.url(""))?;
    let begun = "return document.getElementById('late') === null";
    browser.wait(30, "page", begun, &[])?;
    for step in &state.steps {
        take_step(browser, site, step)?;
    }
    // the sections of a result come one after the other
    let rest = "return document.querySelector('.at-rest.stale, .waits') === null";
    if state.name != "persona-embedding" {
        drop(browser.wait(20, "rest", rest, &[]));
    }
    let themes: &[bool] = if state.medium == Medium::Screen {
        &[false, true]
    } else {
        &[false]
    };
    for is_dark in themes {
        show(browser, state.medium, *is_dark)?;
        let theme = if *is_dark { "dark" } else { "light" };
        picture(
            browser,
            &to.join(format!("{}-{screen}-{theme}.png", state.name)),
        )?;
    }
    // the next begins on a page without work in progress
    show(browser, Medium::Screen, false)?;
    browser.run("localStorage.clear(); sessionStorage.clear()", &[])?;
    browser.open("about:blank")?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = env::args().skip(1);
    let (Some(dist), Some(to)) = (given.next(), given.next()) else {
        return Err("usage: states DIST FOLDER [STATE...]".into());
    };
    let (wanted, to) = (given.collect::<Vec<_>>(), PathBuf::from(to));
    fs::create_dir_all(&to)?;
    let site = Site::serve(Path::new(&dist), "/assay/")?;
    let mut failed = 0;
    for (screen, setup) in SCREENS {
        let mut browser = Browser::start(setup)?;
        let all = states().into_iter();
        for state in
            all.filter(|state| wanted.is_empty() || wanted.iter().any(|name| name == state.name))
        {
            if let Err(error) = take(&site, &browser, &state, &to, screen) {
                println!("{} at {screen} px: {error}", state.name);
                failed += 1;
                browser = Browser::start(setup)?;
            }
        }
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} states were not come to").into())
    }
}
