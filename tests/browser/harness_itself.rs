//! The harness on a page of its own: it must see what the tests rely on it to see.

use crate::app::{App, can, in_folder};
use crate::harness::engine::Ability;
use serde_json::json;
use std::path::PathBuf;
use std::{env, fs, process};

/// A folder with these files, removed at the end.
struct Fixture(PathBuf);

impl Fixture {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = env::temp_dir().join(format!("assay-fixture-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        Self(folder)
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const HEAD: &str =
    "<!doctype html><meta charset=utf-8><title>fixture</title><link rel=icon href=data:,>";

#[test]
fn a_quiet_page_gives_no_complaint() {
    let page = format!(
        "{HEAD}<input data-testid=weight><output data-testid=sum></output><script>
            const [field, sum] = document.querySelectorAll('[data-testid]');
            field.oninput = () => setTimeout(() => sum.textContent = 'sum −' + (Number(field.value) * 2).toFixed(4), 200);
        </script>"
    );
    let fixture = Fixture::new("quiet", &[("index.html", &page)]);
    in_folder(&fixture.0, "quiet", "", |app| {
        app.fill("weight", "1");
        app.shows("sum", -2.0);
        app.retype("weight", "0.617");
        app.shows("sum", -1.234);
        app.computes("sum", -1.23405);
        assert_eq!(app.text("sum"), "sum −1.2340");
        assert_eq!(app.value("weight"), "0.617");
    });
}

/// A page that does this, then waits for its worker to say that it has done its part, and
/// what is complained of then.
fn complaints_of(name: &'static str, head: &str, script: &str, worker: &str) -> Vec<String> {
    let page = format!(
        "{HEAD}{head}<p data-testid=done></p><script>
            const tried = [];
            {script}
            const worker = new Worker('worker.js');
            worker.onmessage = () => Promise.all(tried).then(
                () => document.querySelector('p').textContent = 'done');
        </script>"
    );
    let nested =
        "fetch('http://elsewhere.invalid/nested').catch(() => 0).then(() => postMessage(1));";
    let files = [
        ("index.html", page.as_str()),
        ("worker.js", worker),
        ("nested.js", nested),
    ];
    let fixture = Fixture::new(name, &files);
    let app = App::open(&fixture.0, name, "");
    app.text("done");
    app.complaints()
}

const QUIET_WORKER: &str = "postMessage(1);";

/// Exactly one complaint is about each of these, and there is no other.
fn are_about(complaints: &[String], expected: &[&str]) {
    let told = complaints.join("\n");
    for expected in expected {
        let about = complaints.iter().filter(|line| line.contains(expected));
        assert!(about.count() > 0, "{expected} is not in:\n{told}");
    }
    let known = |line: &&String| !expected.iter().any(|expected| line.contains(expected));
    assert_eq!(complaints.iter().find(known), None, "in:\n{told}");
}

#[test]
fn an_error_in_the_console_is_heard() {
    if !can(Ability::Errors) {
        return;
    }
    let script =
        "console.error('this is wrong'); setTimeout(() => { throw new Error('uncaught') });";
    let found = complaints_of("loud", "", script, QUIET_WORKER);
    are_about(&found, &["this is wrong", "uncaught"]);
}

#[test]
fn a_missing_file_is_heard_of() {
    let script = "tried.push(fetch('missing.json'));";
    let found = complaints_of("missing", "", script, QUIET_WORKER);
    assert!(
        found.contains(&"server: 404 GET /some/where/missing.json".to_owned()),
        "{found:?}"
    );
    if can(Ability::Errors) {
        are_about(&found, &["missing.json"]);
    }
}

/// Everything that a page can ask of a foreign host unasked: a request, a picture, a
/// message as it goes, a socket.
const ASKING: &str = "
    tried.push(fetch('http://elsewhere.invalid/fetch').catch(() => 0));
    tried.push(new Promise(done => Object.assign(new Image(), { onerror: done, src: 'http://elsewhere.invalid/picture' })));
    navigator.sendBeacon('http://elsewhere.invalid/beacon');
    try { new WebSocket('ws://elsewhere.invalid/socket'); } catch { /* some engines say no at once */ }";

const ASKED: [&str; 4] = ["fetch", "picture", "beacon", "socket"];

/// What was reported, by the last part of the address; some engines report a socket twice.
fn reported(complaints: &[String]) -> Vec<&str> {
    let elsewhere = complaints
        .iter()
        .filter_map(|line| line.strip_prefix("to elsewhere: "));
    let mut names: Vec<&str> = elsewhere
        .map(|line| line.split(' ').next().unwrap().rsplit('/').next().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn what_a_page_asks_of_elsewhere_is_heard() {
    let found = complaints_of("elsewhere-page", "", ASKING, QUIET_WORKER);
    let mut expected = ASKED.to_vec();
    expected.sort_unstable();
    assert_eq!(reported(&found), expected, "{found:?}");
}

#[test]
fn what_the_pages_own_policy_keeps_in_is_heard_too() {
    let policy =
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'self' 'unsafe-inline'\">";
    let found = complaints_of("elsewhere-kept-in", policy, ASKING, QUIET_WORKER);
    let mut expected = ASKED.to_vec();
    expected.sort_unstable();
    assert_eq!(reported(&found), expected, "{found:?}");
}

#[test]
fn what_a_worker_and_its_own_worker_ask_of_elsewhere_is_heard() {
    let worker = "fetch('http://elsewhere.invalid/worker').catch(() => 0).then(() => {
        new Worker('nested.js').onmessage = () => postMessage(1);
    });";
    let found = complaints_of("elsewhere-worker", "", "", worker);
    assert_eq!(reported(&found), ["nested", "worker"], "{found:?}");
}

#[test]
fn a_wait_ends_and_says_what_it_saw() {
    let page = format!("{HEAD}<p data-testid=score>4.65</p>");
    let fixture = Fixture::new("wait", &[("index.html", &page)]);
    in_folder(&fixture.0, "wait", "", |app| {
        let nothing =
            app.browser
                .wait(1, "thing", "return document.title === 'other'", &[json!(1)]);
        let error = nothing.unwrap_err().to_string();
        assert!(
            error.contains("no thing within 1 s; Error: last seen: false"),
            "{error}"
        );
        app.shows("score", 4.6523);
        assert!(app.browser.run("return numbers", &[]).is_err());
    });
}

#[test]
fn what_an_engine_cannot_do_it_still_cannot() {
    let fixture = Fixture::new("lacking", &[("index.html", HEAD)]);
    let app = App::open(&fixture.0, "lacking", "");
    let all = [
        Ability::Errors,
        Ability::Logs,
        Ability::Screen,
        Ability::Devtools,
    ];
    let engine = app.browser.engine;
    let lacking: Vec<Ability> = engine.lacking().collect();
    let found = all.into_iter().filter(|&ability| !app.browser.has(ability));
    assert_eq!(
        found.collect::<Vec<_>>(),
        all.into_iter()
            .filter(|ability| lacking.contains(ability))
            .collect::<Vec<_>>(),
        "the table in engine.rs says otherwise of {engine:?}"
    );
}

#[test]
fn a_server_gives_nothing_outside_its_folder() {
    let fixture = Fixture::new("outside", &[("index.html", HEAD)]);
    let app = App::open(&fixture.0, "outside", "");
    let script = "return (await fetch('/some/where/%2e%2e/%2e%2e/etc/passwd')).status";
    assert_eq!(app.browser.run_async(script, &[]).unwrap(), json!(404));
}
