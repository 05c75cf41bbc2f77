//! The harness on a page of its own: it must see what the tests rely on it to see.

use crate::app::{App, in_folder};
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

#[test]
fn a_loud_page_is_heard() {
    let page = format!(
        "{HEAD}<p data-testid=done></p><script>
            console.error('this is wrong');
            const tried = [fetch('missing.json'), fetch('http://elsewhere.invalid/page').catch(() => 0)];
            const worker = new Worker('worker.js');
            worker.onmessage = () => Promise.all(tried).then(
                () => document.querySelector('p').textContent = 'done');
        </script>"
    );
    let worker =
        "fetch('http://elsewhere.invalid/worker').catch(() => 0).then(() => postMessage(1));";
    let fixture = Fixture::new("loud", &[("index.html", &page), ("worker.js", worker)]);
    let app = App::open(&fixture.0, "loud", "");
    app.text("done");
    let complaints = app.complaints().join("\n");
    for expected in [
        "this is wrong",
        "404 GET /some/where/missing.json",
        "the page asked for http://elsewhere.invalid/page",
        "http://elsewhere.invalid/worker",
    ] {
        assert!(
            complaints.contains(expected),
            "{expected} is not in:\n{complaints}"
        );
    }
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
fn a_server_gives_nothing_outside_its_folder() {
    let fixture = Fixture::new("outside", &[("index.html", HEAD)]);
    let app = App::open(&fixture.0, "outside", "");
    let script = "return (await fetch('/some/where/%2e%2e/%2e%2e/etc/passwd')).status";
    assert_eq!(app.browser.run_async(script, &[]).unwrap(), json!(404));
}
