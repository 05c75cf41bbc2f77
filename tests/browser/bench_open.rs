//! How long a person waits for a debate that somebody sent: bench-open DIST [DIST]
//! (`make bench-open`). Reports; asserts nothing about the clock.
//!
//! A permalink is opened in a browser that has never seen the page, over a network and
//! with a processor that Chromium slows down, from a server that compresses as most
//! hosts do. The time is from the start of the navigation until the frame with the
//! verdict was drawn. Two builds are opened in turns.

#[path = "harness/mod.rs"]
mod harness;

use assay::share::{Document, Kind, encode};
use harness::driver::{Browser, DriverError, Setup};
use harness::site::Site;
use serde_json::{Value, json};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const RUNS: usize = 5;

/// Processors of phones are about so many times slower than this one.
const SLOWER: u32 = 4;

/// Megabits per second down and up, milliseconds until an answer begins.
const NETWORKS: [(f64, f64, u32); 2] = [(1.6, 0.75, 150), (9.0, 1.5, 60)];

/// Notes when the verdict was drawn: a message posted in a frame arrives after it.
const NOTE: &str = "
    const shown = () => document.querySelector('[data-testid=\"verdict\"]')?.textContent.trim();
    const observer = new MutationObserver(() => {
        if (!shown()) return;
        observer.disconnect();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => { window.verdictShown = performance.now(); };
        requestAnimationFrame(() => port2.postMessage(0));
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });";

/// Milliseconds until the verdict, once.
fn open(link: &str, site: &Site, network: Option<(f64, f64, u32)>) -> Result<f64, DriverError> {
    let browser = Browser::start(Setup {
        width: 390,
        height: 844,
        ..Setup::default()
    })?;
    // no page is there, but what is set holds for all of this address
    browser.open(&site.url("none"))?;
    browser.devtools("Network.enable", &json!({}))?;
    browser.devtools(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({ "source": NOTE }),
    )?;
    if let Some((down, up, latency)) = network {
        let bytes = |megabits: f64| megabits * 1e6 / 8.0;
        let conditions = json!({
            "offline": false, "latency": latency,
            "downloadThroughput": bytes(down), "uploadThroughput": bytes(up),
        });
        browser.devtools("Network.emulateNetworkConditions", &conditions)?;
        browser.devtools("Emulation.setCPUThrottlingRate", &json!({ "rate": SLOWER }))?;
    }
    browser.open(link)?;
    let shown = browser.wait(60, "verdict", "return window.verdictShown", &[])?;
    Ok(shown.as_f64().unwrap_or(f64::NAN))
}

fn main() -> Result<(), Box<dyn Error>> {
    let builds: Vec<PathBuf> = env::args().skip(1).map(PathBuf::from).collect();
    if builds.is_empty() {
        return Err("usage: bench-open DIST [DIST]".into());
    }
    let debate = fs::read_to_string("public/examples/debate.json")?;
    let fragment = encode(&Document::new(Kind::Rwea, "", Value::String(debate)))?;
    let mut sites = Vec::new();
    for build in &builds {
        let site = Site::serve_compressed(build, "/some/where/")?;
        let link = site.url(&format!("#{}", fragment.trim_start_matches('#')));
        // the server compresses a file when it is first asked for
        let free = open(&link, &site, None)?;
        println!("{}: {free:.0} ms unhindered", build.display());
        sites.push((site, link));
    }
    for network in NETWORKS {
        let (down, _, latency) = network;
        println!(
            "{down} Mbit/s, {latency} ms, processor slowed {SLOWER} times; seconds until the verdict"
        );
        let mut times = vec![Vec::new(); sites.len()];
        for run in 0..RUNS {
            for turn in 0..sites.len() {
                let which = (run + turn) % sites.len();
                let (site, link) = &sites[which];
                times[which].push(open(link, site, Some(network))? / 1000.0);
            }
        }
        for (build, times) in builds.iter().zip(&mut times) {
            times.sort_by(f64::total_cmp);
            println!(
                "  {:<24} median {:.2}  ({:.2} to {:.2})",
                build.display(),
                times[RUNS / 2],
                times[0],
                times[RUNS - 1]
            );
        }
    }
    Ok(())
}
