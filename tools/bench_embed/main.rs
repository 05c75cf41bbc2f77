//! The embedder against transformers.js, in one browser and one run:
//! `make bench-embed`. Prints a table in Markdown.

// it ends with what went wrong
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../tests/browser/harness/mod.rs"]
mod harness;

use harness::driver::{Browser, Setup};
use harness::site::Site;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const REPLIES: u32 = 500;
/// Replies of an engine before it is the next one's turn.
const SHARE: u32 = 25;

/// What is compared: the name in the table, its kind in `compare.js`, its workers.
struct Engine {
    name: String,
    kind: &'static str,
    workers: u32,
}

/// One row of the table.
struct Figures {
    cold: f64,
    warm: f64,
    bytes: usize,
    gzip: usize,
    memory: Option<u64>,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().expect("the folder to serve"));
    let workers: u32 = words
        .next()
        .map_or(2, |n| n.parse().expect("a number of workers"));
    let date = words.next().unwrap_or_default();

    let engine = |name: &str, kind, workers| Engine {
        name: name.to_owned(),
        kind,
        workers,
    };
    let mut engines = vec![
        engine("transformers.js, float32", "fp32", 1),
        engine("transformers.js, q8", "q8", 1),
        engine("Assay, 1 worker", "ours", 1),
        engine("Assay, 1 worker without relaxed SIMD", "plain", 1),
    ];
    if workers > 1 {
        engines.push(engine(
            &format!("Assay, {workers} workers"),
            "ours",
            workers,
        ));
    }
    let figures: Vec<Figures> = engines
        .iter()
        .map(|engine| alone(&folder, engine))
        .collect();
    let results = in_turns(&folder, &engines);
    print(&engines, &figures, &results, &date);
}

/// An engine in a browser of its own: the first vector with an empty and a full cache, what was
/// fetched, and the memory it takes.
fn alone(folder: &Path, engine: &Engine) -> Figures {
    let site = Site::serve(folder, "/").unwrap();
    let browser = Browser::start(Setup::default()).unwrap();
    let page = site.url(&format!(
        "index.html?engine={}&workers={}",
        engine.kind, engine.workers
    ));
    let first = || {
        browser.open(&page).unwrap();
        let milliseconds = browser.run_async("return await window.first", &[]).unwrap();
        milliseconds.as_f64().unwrap() / 1000.0
    };
    let cold = first();
    let mut paths: Vec<String> = site.requests().into_iter().map(|r| r.path).collect();
    paths.sort();
    let (bytes, gzip) = weight(folder, &paths);
    let warm = first();
    let arguments = [json!(engine.kind), json!(engine.workers), json!(60)];
    browser
        .run_async("await window.compare.some(...arguments)", &arguments)
        .unwrap();
    Figures {
        cold,
        warm,
        bytes,
        gzip,
        memory: peak_memory(browser.process_id()),
    }
}

/// Bytes of the files that were asked for, as they are and as most hosts send them.
fn weight(folder: &Path, paths: &[String]) -> (usize, usize) {
    let files = paths.iter().filter_map(|path| {
        let path = path.split('?').next()?.strip_prefix('/')?;
        Some((path, fs::read(folder.join(path)).ok()?))
    });
    files.fold((0, 0), |(bytes, sent), (path, file)| {
        let text = [".js", ".mjs", ".wasm", ".json", ".html"];
        let on_the_way = if text.iter().any(|ending| path.ends_with(ending)) {
            miniz_oxide::deflate::compress_to_vec(&file, 6).len()
        } else {
            file.len()
        };
        (bytes + file.len(), sent + on_the_way)
    })
}

/// The most memory that the page's process has held, in bytes; Linux says it.
fn peak_memory(driver: u32) -> Option<u64> {
    let status = |process: &str| fs::read_to_string(format!("/proc/{process}/status")).ok();
    let field = |status: &str, name: &str| -> Option<u64> {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    let descends = |process: &str| {
        let mut process = process.to_owned();
        while let Some(parent) = status(&process).and_then(|status| field(&status, "PPid:")) {
            if parent == u64::from(driver) {
                return true;
            }
            process = parent.to_string();
        }
        false
    };
    let processes = fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    processes
        .filter(|process| {
            let command =
                fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            command.contains("--type=renderer") && descends(process)
        })
        .filter_map(|process| field(&status(&process)?, "VmHWM:"))
        .max()
        .map(|kilobytes| kilobytes * 1024)
}

/// All engines in one page, in turns.
fn in_turns(folder: &Path, engines: &[Engine]) -> Vec<Value> {
    let site = Site::serve(folder, "/").unwrap();
    let browser = Browser::start(Setup::default()).unwrap();
    browser.open(&site.url("index.html")).unwrap();
    let isolated = browser
        .run("return window.crossOriginIsolated", &[])
        .unwrap();
    assert_eq!(isolated, json!(false), "the server sends special headers");
    let names: Vec<Value> = engines
        .iter()
        .map(|engine| json!({ "engine": engine.kind, "workers": engine.workers }))
        .collect();
    let arguments = [json!(names), json!(REPLIES), json!(SHARE)];
    let results = browser
        .run_async("return await window.compare.run(...arguments)", &arguments)
        .unwrap();
    results.as_array().unwrap().clone()
}

fn times(result: &Value) -> Vec<f64> {
    serde_json::from_value(result["times"].clone()).unwrap()
}

fn print(engines: &[Engine], figures: &[Figures], results: &[Value], date: &str) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let cpu = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("?");
    let cpu = cpu.map_or("unknown processor", |(_, name)| name);
    println!(
        "{date}; {cores} cores, {cpu}; load {load} at the end; {REPLIES} replies in turns of {SHARE}.\n"
    );
    println!(
        "| | texts/s | ratio (turns) | first vector, cold | warm | fetched (gzip) | peak memory | cosine, lowest (mean) |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let reference = times(&results[0]);
    for ((engine, figures), result) in engines.iter().zip(figures).zip(results) {
        let times = times(result);
        let total: f64 = times.iter().sum();
        let mut ratios: Vec<f64> = reference.iter().zip(&times).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let quarter = ratios.len() / 4;
        println!(
            "| {} | {:.1} | {:.2} ({:.2} to {:.2}) | {:.1} s | {:.1} s | {:.1} MB ({:.1}) | {} | {:.6} ({:.6}) |",
            engine.name,
            f64::from(REPLIES) * 1000.0 / total,
            reference.iter().sum::<f64>() / total,
            ratios[quarter],
            ratios[ratios.len() - 1 - quarter],
            figures.cold,
            figures.warm,
            figures.bytes as f64 / 1e6,
            figures.gzip as f64 / 1e6,
            figures
                .memory
                .map_or("-".into(), |bytes| format!("{:.0} MB", bytes as f64 / 1e6)),
            result["lowest"].as_f64().unwrap(),
            result["mean"].as_f64().unwrap(),
        );
    }
    println!(
        "\nRatio: to transformers.js float32, over all replies, in brackets the middle half of the turns."
    );
}
