//! Makes the pictures in docs/ from the built app: screenshots DIST DOCS
//! (`make screenshots`). Each bench with its example, wide in light colours and
//! narrow in dark ones.

#[path = "harness/mod.rs"]
mod harness;

use harness::driver::{Browser, DriverError, Setup};
use harness::site::Site;
use serde_json::json;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Name, width, height, dark.
const SCREENS: [(&str, u32, u32, bool); 2] =
    [("light", 1280, 860, false), ("dark", 390, 844, true)];

fn mark(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

/// Opens the example of a bench and waits for its whole result.
fn open_example(browser: &Browser, bench: &str) -> Result<(), DriverError> {
    browser.click(&mark(&format!("open-example-{bench}")))?;
    browser.wait(
        30,
        bench,
        "return document.querySelector(arguments[0])",
        &[json!(mark(&format!("bench-{bench}")))],
    )?;
    if bench == "persona" {
        browser.click(&mark("embed-start"))?;
        let done =
            "return document.querySelector(arguments[0]) && !document.querySelector(arguments[1])";
        let marks = [json!(mark("overall")), json!(mark("embed-progress"))];
        browser.wait(300, "overall score", done, &marks)?;
    }
    let verdict = "return document.querySelector(arguments[0]).innerText.trim()";
    browser.wait(30, "verdict", verdict, &[json!(mark("verdict"))])?;
    // fonts, and a frame in which all of it has been drawn
    let drawn = "await document.fonts.ready;
        window.scrollTo(0, 0);
        document.activeElement?.blur();
        await new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)));";
    browser.run_async(drawn, &[]).map(drop)
}

fn take(dist: &Path, docs: &Path) -> Result<(), Box<dyn Error>> {
    let site = Site::serve(dist, "/assay/")?;
    for (screen, width, height, dark) in SCREENS {
        let browser = Browser::start(Setup {
            width,
            height,
            ..Setup::default()
        })?;
        for bench in ["debate", "constitution", "persona"] {
            browser.open(&site.url(""))?;
            browser.screen(width, height, dark)?;
            open_example(&browser, bench)?;
            let file = docs.join(format!("{bench}-{screen}.png"));
            browser.screenshot(&file)?;
            println!("{}", file.display());
            // the next bench starts on a page without work in progress
            browser.run("localStorage.clear(); sessionStorage.clear()", &[])?;
            browser.open("about:blank")?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = env::args().skip(1).map(PathBuf::from).collect();
    let [dist, docs] = &folders[..] else {
        return Err("usage: screenshots DIST DOCS".into());
    };
    fs::create_dir_all(docs)?;
    take(dist, docs)
}
