//! How much of the instrument is in the window while a weight is dragged: bench-look DIST
//! (`make bench-look`), as a table for four sizes of windows.

#[path = "harness/mod.rs"]
mod harness;

use harness::driver::{Browser, Setup};
use harness::look::{Look, look};
use harness::site::Site;
use serde_json::json;
use std::env;
use std::error::Error;
use std::path::PathBuf;

const SIZES: [(u32, u32); 4] = [(1280, 800), (1440, 900), (390, 844), (360, 740)];
/// Windows narrower than this are under a finger, where all that is pressed is larger.
const PHONE: u32 = 600;
const BENCHES: [(&str, &str); 3] = [
    ("debate", "w_risk"),
    ("constitution", "ethical"),
    ("persona", "safety_weight"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder: PathBuf = env::args().nth(1).ok_or("usage: bench-look DIST")?.into();
    let site = Site::serve(&folder, "/")?;
    let browser = Browser::start(Setup::default())?;
    println!("bench         window     verdict  weights  rows  chart px      moved px");
    for (bench, weight) in BENCHES {
        browser.open(&site.url("#/"))?;
        browser.click(&format!("[data-testid=\"open-example-{bench}\"]"))?;
        let is_there = "return document.querySelector('.instrument .anatomy-row') !== null
            && !document.querySelector('[aria-busy=true], .waits')";
        browser.wait(120, bench, is_there, &[json!(null)])?;
        for (width, height) in SIZES {
            browser.screen(width, height, false)?;
            browser.touch(width < PHONE)?;
            let Look {
                verdict,
                weights: (seen, all),
                rows,
                chart: (px, high),
                shift,
            } = look(&browser, weight)?;
            let verdict = if verdict { "yes" } else { "no" };
            println!(
                "{bench:13} {:10} {verdict:7}  {seen} of {all}   {rows:4}  {px:4.0} of {high:4.0}  {shift:8.1}",
                format!("{width}x{height}")
            );
        }
    }
    Ok(())
}
