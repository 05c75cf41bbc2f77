//! Use without a plan: pages, examples, texts, weights, undo, reloads, from a seed. Nothing
//! that was typed is lost, the console stays silent, and memory does not grow.
//!
//! A part of a minute is a test; `make soak TIME=1800` goes on for longer, with a seed of
//! its own. What is done is printed, and `ASSAY_SOAK_SEED` does it again.

use crate::app::{App, in_app, say};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::env;
use std::time::{Duration, Instant};

const SEED: u64 = 20_261_123;
const SECONDS: u64 = 40;
/// Steps between two looks at what is held in memory.
const ROUND: u32 = 60;
/// What memory may grow by from the first look to the last, in MB: caches fill once.
const GROWTH: f64 = 60.0;

/// Bench, its first input, and a weight.
const BENCHES: [(&str, &str, &str); 3] = [
    ("debate", "debate", "w_risk"),
    ("constitution", "turns", "ethical"),
    ("persona", "transcript", "safety_weight"),
];
const TEXTS: [&str; 8] = [
    "",
    "[",
    "{\"candidates\": [{\"id\": \"A\", \"wins\": 1, \"reviews\": [{\"support\": 2, \"evidence\": 1, \"major_risks\": 0, \"critical_fail\": 0}]}, {\"id\": \"B\", \"wins\": 0, \"reviews\": [{\"support\": 1, \"evidence\": 1, \"major_risks\": 1, \"critical_fail\": 0}]}]}",
    "[{\"action\": \"a\", \"turn_result\": {\"response\": \"A reply of some length\"}}, {\"overrides\": {\"ethical\": 0.4}}]",
    "{\"session_id\": \"s\", \"turn\": 1, \"assistant\": \"Happy to help!\"}",
    "\u{202e}שלום \u{1f469}\u{200d}\u{1f4bb}",
    "id: x\nexemplars: [a, b]\n",
    "{\"a\": 1}",
];

fn number(name: &str, default: u64) -> u64 {
    let given = env::var(name).ok().filter(|given| !given.is_empty());
    given.map_or(default, |given| given.parse().expect(name))
}

/// What the page holds, in MB, where the browser tells: after the garbage is collected.
fn memory(app: &App) -> f64 {
    // only Chromium collects when it is told to
    let _ = app
        .browser
        .devtools("HeapProfiler.collectGarbage", &json!({}));
    let used = "return (performance.memory?.usedJSHeapSize ?? 0) / 1e6";
    app.browser.run(used, &[]).unwrap().as_f64().unwrap()
}

fn typed(app: &App, input: &str, text: &str) {
    app.fill(&format!("input-{input}"), text);
    assert_eq!(app.value(&format!("input-{input}")), text);
}

/// A step, and what it was.
#[expect(clippy::too_many_lines, reason = "a list of what a person may do")]
fn step(app: &App, random: &mut ChaCha8Rng) -> String {
    let (bench, input, weight) = BENCHES[random.random_range(0..BENCHES.len())];
    let text = TEXTS[random.random_range(0..TEXTS.len())];
    let click = "const found = document.querySelector(arguments[0]); found?.click(); return true";
    let press = |css: &str| {
        app.browser.run(click, &[json!(css)]).unwrap();
    };
    match random.random_range(0..9) {
        0 => {
            app.go("#/");
            format!("the start page, {}", app.text("open-example-debate"))
        }
        1 => {
            app.go("#/");
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            format!("the example of {bench}")
        }
        2 | 3 => {
            app.go(&format!("#/{bench}"));
            // the text, whatever face is shown
            press(".face-switch button:last-child");
            typed(app, input, text);
            format!("{text:?} into {bench}")
        }
        4 => {
            app.go(&format!("#/{bench}"));
            press(".face-switch button:last-child");
            typed(app, input, text);
            // kept a moment later; leaving keeps it as well
            app.browser.reload().unwrap();
            press(".face-switch button:last-child");
            assert_eq!(app.value(&format!("input-{input}")), text, "after a reload");
            format!("{text:?} into {bench}, and a reload")
        }
        5 => {
            let value = random.random_range(0..30);
            let script = "const field = document.querySelector(arguments[0]);
                if (!field) return true;
                field.value = arguments[1];
                field.dispatchEvent(new InputEvent('input', { bubbles: true }));
                field.dispatchEvent(new Event('change', { bubbles: true }));
                return true";
            app.go(&format!("#/{bench}"));
            let css = format!("[data-testid=\"weight-{weight}-number\"]");
            let value = f64::from(value) / 10.0;
            app.browser
                .run(script, &[json!(css), json!(value.to_string())])
                .unwrap();
            format!("{weight} is {value}")
        }
        6 => {
            let hook = if random.random() { "undo" } else { "redo" };
            press(&format!("[data-testid=\"{hook}\"]"));
            hook.to_owned()
        }
        7 => {
            app.go("#/");
            app.text("open-example-debate");
            press(".recent li:last-child button");
            "what is recent".into()
        }
        _ => {
            press(".face-switch button:first-child");
            press("details:not([open]) > summary");
            press(".anatomy summary, .anatomy [aria-expanded]");
            "faces and parts".into()
        }
    }
}

#[test]
fn use_without_a_plan_breaks_nothing() {
    let seed = number("ASSAY_SOAK_SEED", SEED);
    let end = Instant::now() + Duration::from_secs(number("ASSAY_SOAK_SECONDS", SECONDS));
    in_app("soak", "", |app| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut steps, mut looks) = (0, Vec::new());
        while Instant::now() < end {
            let what = step(app, &mut random);
            steps += 1;
            if env::var_os("ASSAY_SOAK_SEED").is_some() {
                say(&format!("{steps}: {what}"));
            }
            let broken = "return !document.getElementById('broken').hidden";
            let is_broken = app.browser.run(broken, &[]).unwrap();
            assert_eq!(
                is_broken,
                json!(false),
                "step {steps} of seed {seed}: {what}"
            );
            if steps % ROUND == 0 {
                // a page that was opened anew holds little; what grows, grows in one visit
                looks.push(memory(app));
            }
        }
        say(&format!("seed {seed}: {steps} steps; MB held: {looks:.0?}"));
        if let [first, .., last] = looks[..] {
            assert!(last - first < GROWTH, "{looks:.0?} MB");
        }
    });
}
