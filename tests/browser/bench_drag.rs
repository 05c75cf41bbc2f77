//! What a drag of a weight costs the page per frame: bench-drag DIST
//! (`make bench-drag`). Reports; asserts nothing about the clock.
//!
//! In every frame's `requestAnimationFrame` one input event sets the slider to
//! its next step. The work of the frame is counted from there until a message
//! posted at that moment arrives, which is after the frame was drawn: the event
//! and what follows it at once, then style, layout and paint on the main thread.
//! That includes waiting for a core and for the compositor; the processor time of the
//! main thread, which the browser counts, does not.

#[path = "harness/mod.rs"]
mod harness;

use harness::driver::{Browser, Setup};
use harness::large_debate;
use harness::site::Site;
use serde_json::{Value, json};
use std::env;
use std::error::Error;
use std::path::PathBuf;

const EVENTS: u32 = 120;
const FRAME: f64 = 1000.0 / 60.0;

const FILL: &str = "
    const field = document.querySelector('[data-testid=\"input-debate\"]');
    if (!field) return false;
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(field, arguments[0]);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    return true;";

const DRAG: &str = "
    const [name, events] = arguments;
    const slider = document.querySelector(`[data-testid=\"weight-${name}-range\"]`);
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    const channel = new MessageChannel();
    const posted = () => new Promise(next => { channel.port1.onmessage = next; channel.port2.postMessage(0); });
    const frame = () => new Promise(next => requestAnimationFrame(next));
    slider.focus();
    const frames = [];
    await frame();
    for (let n = 0; n < events; n++) {
        // there and back, a whole drag each way
        const share = n < events / 2 ? n / (events / 2) : 2 - n / (events / 2);
        await frame();
        const began = performance.now();
        set.call(slider, String(Math.round(share * slider.max * 100) / 100));
        slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await Promise.resolve();
        const scripted = performance.now();
        // what the page queued for this turn, then style, layout and paint of this frame
        await posted();
        const done = performance.now();
        frames.push([scripted - began, done - began]);
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    return { frames, rows: document.querySelectorAll('.anatomy-rows > li').length };";

/// Milliseconds of processor time on the main thread so far: of all tasks, and
/// of script alone.
fn processor(browser: &Browser) -> Result<[f64; 2], Box<dyn Error>> {
    let answer = browser.devtools("Performance.getMetrics", &json!({}))?;
    let metrics: Vec<Value> = serde_json::from_value(answer["metrics"].clone())?;
    let named = |name: &str| metrics.iter().find(|metric| metric["name"] == name);
    let seconds = |name: &str| named(name).and_then(|metric| metric["value"].as_f64());
    let all = seconds("TaskDuration").ok_or("the browser counts no tasks")?;
    let script = seconds("ScriptDuration").ok_or("the browser counts no script")?;
    Ok([all * 1000.0, script * 1000.0])
}

/// Median, 95th percentile and maximum.
fn summary(mut times: Vec<f64>) -> (f64, f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    (at(0.5), at(0.95), at(1.0))
}

fn main() -> Result<(), Box<dyn Error>> {
    let dist = env::args()
        .nth(1)
        .map(PathBuf::from)
        .ok_or("usage: bench-drag DIST")?;
    let site = Site::serve(&dist, "/assay/")?;
    let browser = Browser::start(Setup::default())?;
    for (candidates, debaters) in [(12, 5), (200, 12)] {
        browser.open("about:blank")?;
        browser.open(&site.url("#/debate"))?;
        let text = json!(large_debate(candidates, debaters));
        browser.wait(30, "the input", FILL, &[text])?;
        let drawn = "const cost = document.querySelector('[data-testid=draws]')?.dataset.cost;
            return document.querySelectorAll('.anatomy-rows > li').length > 10 && cost";
        let cost = browser.wait(60, "the result at rest", drawn, &[])?;
        let ticks = json!({ "timeDomain": "threadTicks" });
        browser.devtools("Performance.enable", &ticks)?;
        println!("{candidates} candidates x {debaters} debaters");
        println!(
            "  10000 draws of weights: ms in all, ms of the longest piece: {}",
            cost.as_str().unwrap_or_default()
        );
        for weight in ["w_base", "w_pairwise", "w_risk"] {
            let before = processor(&browser)?;
            let answer = browser.run_async(DRAG, &[json!(weight), json!(EVENTS)])?;
            let after = processor(&browser)?;
            let frames: Vec<[f64; 2]> = serde_json::from_value(answer["frames"].clone())?;
            let over = frames.iter().filter(|[_, all]| *all > FRAME).count();
            for (what, column) in [("script", 0), ("script, style, layout, paint", 1)] {
                let (median, p95, max) = summary(frames.iter().map(|f| f[column]).collect());
                println!(
                    "  {weight:<12} {what:<30} median {median:5.1}  p95 {p95:5.1}  max {max:5.1} ms"
                );
            }
            let mean = |of: usize| (after[of] - before[of]) / f64::from(EVENTS);
            println!(
                "  {weight:<12} processor time per frame        mean {:7.1}  of it script {:.1} ms",
                mean(0),
                mean(1)
            );
            println!(
                "  {weight:<12} {over} of {} frames over {FRAME:.1} ms, the first took {:.1}; {} rows in the page",
                frames.len(),
                frames[0][1],
                answer["rows"]
            );
        }
        browser.run("localStorage.clear()", &[])?;
    }
    Ok(())
}
