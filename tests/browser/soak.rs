//! Use without a plan: pages, examples, texts, weights, undo, reloads, from a seed. Nothing
//! that was typed is lost, the console stays silent, and memory does not grow.
//!
//! A part of a minute is a test; `make soak TIME=1800` goes on for longer, with a seed of
//! its own. What is done is printed, and `ASSAY_SOAK_SEED` does it again.

use crate::app::{App, can, in_app, say};
use crate::harness::engine::Ability;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use std::env;
use std::time::{Duration, Instant};

const SEED: u64 = 20_261_123;
const SECONDS: u64 = 40;
/// Steps between two looks at what is held in memory.
const ROUND: u32 = 40;
/// Such rounds between two reloads.
const VISIT: u32 = 12;
/// What memory may grow by from the first look of a visit to the last, in MB: caches fill once,
/// and undo keeps what was.
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

/// What the page holds, in MB, where developers' tools tell: what scripts hold after the garbage
/// is collected, and the memory of the program, which never becomes smaller.
fn memory(app: &App) -> Option<f64> {
    // a driver whose scripts have modules of their own (Firefox) would begin a second program
    let program = "
        const { module } = document.querySelector('script[data-wasm]').dataset;
        const { memory } = await (await import(new URL(module, document.baseURI))).default();
        return memory.buffer.byteLength;";
    let ask = |method| app.browser.devtools(method, &json!({})).unwrap();
    if !can(Ability::Devtools) {
        return None;
    }
    let program = app.browser.run_async(program, &[]).unwrap();
    ask("HeapProfiler.collectGarbage");
    let scripts = ask("Runtime.getHeapUsage")["usedSize"].as_f64().unwrap();
    Some((program.as_f64().unwrap() + scripts) / 1e6)
}

fn typed(app: &App, input: &str, text: &str) {
    app.fill(&format!("input-{input}"), text);
    assert_eq!(app.value(&format!("input-{input}")), text);
}

/// A step, and what it was.
#[expect(clippy::too_many_lines, reason = "a list of what a person may do")]
fn step(app: &App, random: &mut ChaCha8Rng) -> String {
    const KINDS: u32 = 10;
    let (bench, input, weight) = BENCHES[random.random_range(0..BENCHES.len())];
    let text = TEXTS[random.random_range(0..TEXTS.len())];
    let click = "const found = document.querySelector(arguments[0]); found?.click(); return true";
    let press = |css: &str| {
        app.browser.run(click, &[json!(css)]).unwrap();
    };
    match random.random_range(0..KINDS) {
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
        2..=4 => {
            app.go(&format!("#/{bench}"));
            // the text, whatever face is shown
            press(".face-switch button:last-child");
            typed(app, input, text);
            format!("{text:?} into {bench}")
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
        8 => {
            let script = "
                const fields = [...document.querySelectorAll('.inputs input:not([type=file]), .inputs textarea')];
                const field = fields[arguments[0] % fields.length];
                if (!field) return true;
                const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
                Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, arguments[1]);
                field.dispatchEvent(new InputEvent('input', { bubbles: true }));
                field.dispatchEvent(new Event('change', { bubbles: true }));
                return true";
            let which = random.random_range(0..1000);
            let typed = ["1", "2.5", "", "x", "\u{202e}ש"][random.random_range(0..5)];
            app.go(&format!("#/{bench}"));
            press(".face-switch button:first-child");
            app.browser
                .run(script, &[json!(which), json!(typed)])
                .unwrap();
            format!("{typed:?} into field {which} of the form of {bench}")
        }
        _ => {
            press(".face-switch button:first-child");
            press("details:not([open]) > summary");
            press(".anatomy summary, .anatomy [aria-expanded]");
            "faces and parts".into()
        }
    }
}

/// Leaves and comes back: what stands in a field is kept.
fn reload(app: &App, random: &mut ChaCha8Rng) {
    let (bench, input, _) = BENCHES[random.random_range(0..BENCHES.len())];
    let text = TEXTS[random.random_range(0..TEXTS.len())];
    let as_text = "document.querySelector('.face-switch button:last-child')?.click(); return true";
    app.go(&format!("#/{bench}"));
    app.browser.run(as_text, &[]).unwrap();
    typed(app, input, text);
    // kept a moment later; leaving keeps it as well
    app.browser.reload().unwrap();
    app.browser.run(as_text, &[]).unwrap();
    assert_eq!(
        app.value(&format!("input-{input}")),
        text,
        "after a reload of {bench}"
    );
}

#[test]
fn use_without_a_plan_breaks_nothing() {
    let seed = number("ASSAY_SOAK_SEED", SEED);
    let end = Instant::now() + Duration::from_secs(number("ASSAY_SOAK_SECONDS", SECONDS));
    // what fails is played again by its seed
    say(&format!("seed {seed}"));
    in_app("soak", "", |app| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (mut steps, mut visits) = (0, vec![Vec::new()]);
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
                visits.last_mut().unwrap().extend(memory(app));
            }
            // what grows, grows within a visit: it is a long one
            if steps % (ROUND * VISIT) == 0 {
                reload(app, &mut random);
                visits.push(Vec::new());
            }
        }
        say(&format!("{steps} steps; MB held: {visits:.0?}"));
        for looks in visits {
            if let [first, .., last] = looks[..] {
                assert!(last - first < GROWTH, "seed {seed}: {looks:.0?} MB");
            }
        }
    });
}
