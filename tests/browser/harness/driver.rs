//! A browser, driven through WebDriver. A wait is a script in the page that
//! ends when its condition holds, so there is no guessing of pauses.

use super::http;
use serde_json::{Value, json};
use std::fmt;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, io};

/// What the driver or the page answered instead of doing it.
#[derive(Debug)]
pub struct DriverError(String);

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DriverError {}

impl From<io::Error> for DriverError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

type Outcome<T> = Result<T, DriverError>;

/// How long a script in the page may take; waits have their own, shorter limit.
const SCRIPT_LIMIT: Duration = Duration::from_secs(600);

/// Flags for a browser that does only what it is told.
const QUIET: [&str; 15] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=AutofillServerCommunication,NetworkTimeServiceQuerying,OptimizationHints,MediaRouter,Translate",
    "--force-color-profile=srgb",
    "--no-default-browser-check",
    "--no-first-run",
];

/// How a browser is started.
#[derive(Clone, Copy)]
pub struct Setup {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    /// Where everything goes that does not stay on this machine.
    pub proxy: Option<SocketAddr>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 900,
            dark: false,
            proxy: None,
        }
    }
}

/// A chromedriver and the browser it runs; both end with this value.
pub struct Browser {
    process: Child,
    address: SocketAddr,
    session: String,
}

impl Browser {
    /// Starts the driver and the browser of `ASSAY_CHROMEDRIVER` and
    /// `ASSAY_CHROME`, or those on the PATH, with an empty profile.
    pub fn start(setup: Setup) -> Outcome<Self> {
        let program = named_by("ASSAY_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let (process, port) = start_driver(&program)?;
        let mut browser = Self {
            process,
            address: SocketAddr::from(([127, 0, 0, 1], port)),
            session: String::new(),
        };
        let answer = browser.ask("POST", "/session", &capabilities(setup))?;
        browser.session = text_of(&answer["sessionId"]);
        Ok(browser)
    }

    /// The driver's process; the browser's are its descendants.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        let body = if method == "POST" {
            body.to_string()
        } else {
            String::new()
        };
        let patience = SCRIPT_LIMIT + Duration::from_secs(30);
        let answer = http::ask(self.address, method, path, &body, patience)?;
        let mut json: Value = serde_json::from_slice(&answer.body)
            .map_err(|e| DriverError(format!("{path}: {e}")))?;
        let value = json["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(DriverError(format!(
                "{path}: {error}: {}",
                text_of(&value["message"])
            ))),
            None => Ok(value),
        }
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Outcome<Value> {
        self.ask(method, &format!("/session/{}{path}", self.session), body)
    }

    /// Loads a page. Going to the same page with another `#...` does not load
    /// it anew, as in a browser's address line.
    pub fn open(&self, url: &str) -> Outcome<()> {
        self.command("POST", "/url", &json!({ "url": url }))
            .map(drop)
    }

    pub fn reload(&self) -> Outcome<()> {
        self.command("POST", "/refresh", &json!({})).map(drop)
    }

    pub fn url(&self) -> Outcome<String> {
        self.command("GET", "/url", &Value::Null)
            .map(|url| text_of(&url))
    }

    /// Runs the body of a function in the page, with `arguments[0]`, ...
    pub fn run(&self, script: &str, arguments: &[Value]) -> Outcome<Value> {
        self.command(
            "POST",
            "/execute/sync",
            &json!({ "script": script, "args": arguments }),
        )
    }

    /// Runs the body of an async function in the page.
    pub fn run_async(&self, script: &str, arguments: &[Value]) -> Outcome<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async function () {{ {script} }}).apply(null, arguments)
                 .then(value => done({{ value }}), error => done({{ thrown: String(error.stack || error) }}));"
        );
        let mut answer = self.command(
            "POST",
            "/execute/async",
            &json!({ "script": script, "args": arguments }),
        )?;
        match answer["thrown"].as_str() {
            Some(error) => Err(DriverError(error.to_owned())),
            None => Ok(answer["value"].take()),
        }
    }

    /// Waits until the body of a function in the page gives something true, and
    /// gives that. An exception in it counts as not yet.
    pub fn wait(
        &self,
        seconds: u64,
        what: &str,
        script: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        let body = format!(
            "const condition = function () {{ {script} }};
             const given = Array.from(arguments).slice(0, -1);
             const end = performance.now() + {seconds} * 1000;
             for (let last; ;) {{
                 try {{ const value = condition.apply(null, given); if (value) return value; last = value; }}
                 catch (error) {{ last = error; }}
                 if (performance.now() > end) throw new Error('last seen: ' + last);
                 await new Promise(next => setTimeout(next, 16));
             }}"
        );
        self.run_async(&body, arguments)
            .map_err(|error| DriverError(format!("no {what} within {seconds} s; {error}")))
    }

    /// Clicks the element as a person does: it must be visible and uncovered.
    pub fn click(&self, css: &str) -> Outcome<()> {
        let element = self.element(css)?;
        self.command("POST", &format!("/element/{element}/click"), &json!({}))
            .map(drop)
    }

    /// Types on the keyboard into the element.
    pub fn type_into(&self, css: &str, text: &str) -> Outcome<()> {
        let element = self.element(css)?;
        self.command(
            "POST",
            &format!("/element/{element}/value"),
            &json!({ "text": text }),
        )
        .map(drop)
    }

    /// Presses keys one after the other, whatever has the focus. A key with
    /// others held is one string that starts with those (Ctrl, Shift, Alt).
    pub fn press(&self, keys: &[&str]) -> Outcome<()> {
        const HELD: [char; 3] = ['\u{E008}', '\u{E009}', '\u{E00A}'];
        let mut actions = Vec::new();
        for chord in keys {
            let act = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
            let held = chord.chars().take_while(|key| HELD.contains(key));
            let held: Vec<char> = held.collect();
            actions.extend(held.iter().map(|key| act("keyDown", *key)));
            for key in chord.chars().skip(held.len()) {
                actions.extend([act("keyDown", key), act("keyUp", key)]);
            }
            actions.extend(held.iter().rev().map(|key| act("keyUp", *key)));
        }
        let source = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.command("POST", "/actions", &json!({ "actions": [source] }))
            .map(drop)
    }

    /// Waits for the element and gives its WebDriver id.
    fn element(&self, css: &str) -> Outcome<String> {
        self.wait(
            20,
            css,
            "return document.querySelector(arguments[0]) !== null",
            &[json!(css)],
        )?;
        let found = self.command(
            "POST",
            "/element",
            &json!({ "using": "css selector", "value": css }),
        )?;
        let id = found.as_object().and_then(|found| found.values().next());
        Ok(id.map(text_of).unwrap_or_default())
    }

    /// The browser's log of a kind since it was last asked: `browser`, `performance`.
    pub fn log(&self, kind: &str) -> Outcome<Vec<Value>> {
        let mut entries = self.command("POST", "/se/log", &json!({ "type": kind }))?;
        Ok(entries
            .as_array_mut()
            .map(std::mem::take)
            .unwrap_or_default())
    }

    /// Sets what the page sees as its screen.
    pub fn screen(&self, width: u32, height: u32, dark: bool) -> Outcome<()> {
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics)?;
        let scheme = if dark { "dark" } else { "light" };
        let features = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]});
        self.devtools("Emulation.setEmulatedMedia", &features)
            .map(drop)
    }

    /// Asks the browser's developer tools.
    pub fn devtools(&self, method: &str, parameters: &Value) -> Outcome<Value> {
        self.command(
            "POST",
            "/goog/cdp/execute",
            &json!({ "cmd": method, "params": parameters }),
        )
    }

    /// Writes a picture (PNG) of what is seen.
    pub fn screenshot(&self, file: &Path) -> Outcome<()> {
        let base64 = self
            .command("GET", "/screenshot", &Value::Null)
            .map(|picture| text_of(&picture))?;
        let png = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, base64)
            .map_err(|error| DriverError(error.to_string()))?;
        Ok(fs::write(file, png)?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // the driver ends its browser with the session; then it may go itself
        if !self.session.is_empty() {
            drop(self.command("DELETE", "", &Value::Null));
        }
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

fn named_by(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Starts the driver on a free port. The driver itself looks for one and then
/// opens it, so that another test may come between: it gets some tries.
fn start_driver(program: &str) -> Outcome<(Child, u16)> {
    let mut last = DriverError(String::new());
    for _ in 0..5 {
        let mut process = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| {
                DriverError(format!(
                    "{program}: {error} (tools/setup browsers installs it)"
                ))
            })?;
        match port_of(&mut process) {
            Ok(port) => return Ok((process, port)),
            Err(error) => last = error,
        }
        drop(process.kill());
        drop(process.wait());
    }
    Err(last)
}

/// The port that the driver chose, from what it says at its start.
fn port_of(process: &mut Child) -> Outcome<u16> {
    let output = process
        .stdout
        .take()
        .ok_or_else(|| DriverError("no output of the driver".into()))?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        if let Some((_, rest)) = line.split_once("successfully on port ") {
            let port = rest.trim_end_matches(['.', '\n']);
            return port
                .parse()
                .map_err(|_| DriverError(format!("no port in: {line}")));
        }
    }
    drop(process.kill());
    Err(DriverError("the driver ended at its start".into()))
}

fn capabilities(setup: Setup) -> Value {
    let mut flags: Vec<String> = QUIET.map(str::to_owned).to_vec();
    flags.push(format!("--window-size={},{}", setup.width, setup.height));
    if setup.dark {
        flags.push("--force-dark-mode".into());
    }
    if let Some(proxy) = setup.proxy {
        // loopback addresses are not sent to a proxy
        flags.push(format!("--proxy-server=http://{proxy}"));
    }
    let mut options = json!({ "args": flags });
    if let Some(program) = named_by("ASSAY_CHROME") {
        options["binary"] = json!(program);
    }
    json!({ "capabilities": { "alwaysMatch": {
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        "timeouts": { "script": SCRIPT_LIMIT.as_millis() as u64, "pageLoad": 120_000, "implicit": 0 },
        // a dialogue would be an error of the app's: leave it in the way
        "unhandledPromptBehavior": "dismiss and notify",
    }}})
}
