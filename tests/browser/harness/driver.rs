//! A browser, driven through WebDriver by fantoccini, and read from top to
//! bottom: every call returns when it is done. A wait is a script in the page
//! that ends when its condition holds, so there is no guessing of pauses.

use super::engine::{Ability, Engine, named_by};
use super::now;
use fantoccini::actions::{InputSource, KeyAction, KeyActions};
use fantoccini::elements::Element;
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::wd::{WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{fmt, fs, io, thread};
use tokio::time::timeout;

/// So often is looked for something to click before it is called covered.
const LOOKS: usize = 20;

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

impl From<CmdError> for DriverError {
    fn from(error: CmdError) -> Self {
        // not every driver says in words what is in the code
        match &error {
            CmdError::Standard(told) if told.message.is_empty() => {
                Self(format!("{:?}", told.error))
            }
            _ => Self(error.to_string()),
        }
    }
}

type Outcome<T> = Result<T, DriverError>;

/// How long a script in the page may take; waits have their own, shorter limit.
pub const SCRIPT_LIMIT: Duration = Duration::from_secs(600);

/// Comes to an end when the element stays where it is: not every driver notices that the page
/// has moved between its look and its click.
const STILL: &str = "
    const frame = () => new Promise(requestAnimationFrame);
    const place = () => JSON.stringify(document.querySelector(arguments[0])?.getBoundingClientRect());
    for (let last, still = 0, frames = 0; still < 3 && frames < 120; frames++) {
        const now = place();
        still = now === last ? still + 1 : 0;
        last = now;
        await frame();
    }";

/// From now on the page knows whether such an element was clicked. The window is asked and not
/// the element: the page may draw that anew meanwhile.
const HIT: &str = "
    window.hit = false;
    const hit = event => {
        if (!event.target.closest?.(arguments[0])) return;
        window.hit = true;
        removeEventListener('click', hit, true);
    };
    addEventListener('click', hit, true);";

/// Whether it was: a click may come a little after the driver said that it was made. A page that
/// was left by it knows nothing.
const WAS_HIT: &str = "
    const end = performance.now() + 1000;
    while (window.hit === false && performance.now() < end) await new Promise(requestAnimationFrame);
    return window.hit !== false;";

/// So long may a driver take beyond that: a page is loaded on a busy machine.
const ANSWER_LIMIT: Duration = Duration::from_secs(60);

/// So long may the first page of a browser take that is then started again, and so often.
const FIRST_LIMIT: Duration = Duration::from_secs(20);
const TRIES: usize = 4;

/// So long may it take to what comes after a test.
const LAST_LIMIT: Duration = Duration::from_secs(15);

/// What is said of one that takes longer.
pub const SILENT: &str = "the driver said nothing";

/// How a browser is started.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    pub width: u32,
    pub height: u32,
    /// Whether it is a phone's: all that is seen is under a finger.
    pub is_phone: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 900,
            is_phone: false,
        }
    }
}

impl Setup {
    /// A small phone, held upright.
    pub const PHONE: Self = Self {
        width: 360,
        height: 740,
        is_phone: true,
    };

    /// The screen that `ASSAY_SCREEN` names: `desk` (unless told otherwise) or `phone`.
    pub fn chosen() -> Result<Self, String> {
        match named_by("ASSAY_SCREEN").as_deref() {
            None | Some("desk") => Ok(Self::default()),
            Some("phone") => Ok(Self::PHONE),
            Some(other) => Err(format!("ASSAY_SCREEN is {other}: desk or phone")),
        }
    }
}

/// A browser and its driver; both end with this value.
pub struct Browser {
    pub engine: Engine,
    client: Client,
    driver: Driver,
}

/// A driver's process, and what it and its browser have printed.
struct Driver {
    process: Child,
    #[allow(dead_code, reason = "it ends with this value")]
    screen: Option<Screen>,
    port: u16,
    printed: Arc<Mutex<Vec<String>>>,
}

/// A screen in memory, of one browser alone: two on one screen take the keyboard from each
/// other, and wait for it.
struct Screen(Child);

impl Screen {
    /// Starts it, and gives its name.
    fn start() -> Outcome<(Self, String)> {
        let mut command = Command::new("Xvfb");
        command
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24"])
            .args(["-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().map_err(|error| {
            DriverError(format!("Xvfb: {error} (tools/setup browsers installs it)"))
        })?;
        let output = process.stdout.take();
        let screen = Self(process);
        let mut line = String::new();
        let mut output = BufReader::new(output.ok_or_else(|| DriverError("no output".into()))?);
        output.read_line(&mut line)?;
        Ok((screen, format!(":{}", line.trim())))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A command of the driver that is not in the standard.
#[derive(Debug)]
struct Extension {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Extension {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!(
            "session/{}/{}",
            session.unwrap_or_default(),
            self.path
        ))
    }

    fn method_and_body(&self, _: &url::Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

impl Browser {
    /// Starts the chosen engine and its driver, with an empty profile.
    pub fn start(setup: Setup) -> Outcome<Self> {
        Self::start_within(setup, ANSWER_LIMIT)
    }

    fn start_within(setup: Setup, limit: Duration) -> Outcome<Self> {
        let engine = Engine::chosen().map_err(DriverError)?;
        if let Some(why) = engine.lacks(Ability::Screen).filter(|_| setup.is_phone) {
            return Err(DriverError(format!("{engine:?} is no phone's: {why}")));
        }
        let driver = start_driver(engine)?;
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(engine.capabilities(setup));
        let address = format!("http://127.0.0.1:{}", driver.port);
        let client = within(limit, builder.connect(&address))?;
        Ok(Self {
            engine,
            client: client.map_err(|error| DriverError(error.to_string()))?,
            driver,
        })
    }

    /// The driver's process; the browser's are its descendants.
    pub fn process_id(&self) -> u32 {
        self.driver.process.id()
    }

    /// Loads a page. Going to the same page with another `#...` does not load
    /// it anew, as in a browser's address line.
    pub fn open(&self, url: &str) -> Outcome<()> {
        // WebKit's driver may wait for ever for a page that is there already
        if self.engine == Engine::Webkit
            && let Some((page, _)) = url.split_once('#')
        {
            let script = "
                const is_there = location.href.split('#')[0] === arguments[0];
                if (is_there) location.assign(arguments[1]);
                return is_there;";
            if self.run(script, &[json!(page), json!(url)])? == true {
                return Ok(());
            }
        }
        told(self.client.goto(url))
    }

    /// Starts a browser on a page.
    pub fn start_on(setup: Setup, url: &str) -> Outcome<Self> {
        let is_patient = Engine::chosen().map_err(DriverError)? != Engine::Webkit;
        if is_patient {
            return Self::first(setup, url, ANSWER_LIMIT);
        }
        // WebKit's driver sometimes never says that its browser or the first page is there;
        // another does
        for _ in 1..TRIES {
            match Self::first(setup, url, FIRST_LIMIT) {
                Err(error) if error.0.starts_with(SILENT) => {
                    eprintln!("  note: a WebKit that did not answer is started again");
                }
                done => return done,
            }
        }
        Self::first(setup, url, FIRST_LIMIT)
    }

    fn first(setup: Setup, url: &str, limit: Duration) -> Outcome<Self> {
        let browser = Self::start_within(setup, limit)?;
        within(limit, browser.client.goto(url))??;
        Ok(browser)
    }

    pub fn reload(&self) -> Outcome<()> {
        told(self.client.refresh())
    }

    /// The tab that is driven.
    pub fn tab(&self) -> Outcome<WindowHandle> {
        told(self.client.window())
    }

    /// Opens a tab beside the others, and drives it from now on. WebKit's browser draws a tab
    /// only where somebody looks at it, and its driver looks at none: there it is a window.
    pub fn open_tab(&self) -> Outcome<()> {
        let opened = told(self.client.new_window(self.engine != Engine::Webkit))?;
        self.switch_to(&opened.handle)
    }

    /// Drives another tab from now on.
    pub fn switch_to(&self, tab: &WindowHandle) -> Outcome<()> {
        told(self.client.switch_to_window(tab.clone()))
    }

    /// Closes the tab that is driven, as its owner would.
    pub fn close_tab(&self) -> Outcome<()> {
        told(self.client.close_window())
    }

    /// Runs the body of a function in the page, with `arguments[0]`, ...
    pub fn run(&self, script: &str, arguments: &[Value]) -> Outcome<Value> {
        told(self.client.execute(script, arguments.to_vec()))
    }

    /// Runs the body of an async function in the page.
    pub fn run_async(&self, script: &str, arguments: &[Value]) -> Outcome<Value> {
        self.run_within(SCRIPT_LIMIT, script, arguments)
    }

    fn run_within(&self, limit: Duration, script: &str, arguments: &[Value]) -> Outcome<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async function () {{ {script} }}).apply(null, arguments)
                 .then(value => done({{ value }}), error => {{
                     // not every engine begins the stack with what it is about
                     const stack = String(error.stack || '');
                     done({{ thrown: stack.includes(error) ? stack : error + '\\n' + stack }});
                 }});"
        );
        let work = self.client.execute_async(&script, arguments.to_vec());
        let mut answer = within(limit + ANSWER_LIMIT, work)??;
        match answer["thrown"].as_str() {
            Some(error) => Err(DriverError(error.to_owned())),
            None => Ok(answer["value"].take()),
        }
    }

    /// Waits for an element of whatever page is there by then: a script that waits goes with its
    /// page.
    pub fn finds(&self, seconds: u64, css: &str) -> Outcome<()> {
        let waiting = self.client.wait().at_most(Duration::from_secs(seconds));
        told(waiting.for_element(Locator::Css(css))).map(drop)
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
        let look = || self.run_within(Duration::from_secs(seconds), &body, arguments);
        // a driver may lose what a page says that is busy: it is asked once more
        let is_lost = |error: &DriverError| error.0 == format!("{:?}", ErrorStatus::UnknownError);
        let found = look().or_else(|error| if is_lost(&error) { look() } else { Err(error) });
        found.map_err(|error| DriverError(format!("no {what} within {seconds} s; {error}")))
    }

    /// Clicks the element as a person does: it must be visible and uncovered. The driver
    /// looks where it is before it clicks there; where the page has moved in between, it
    /// looks again, as a person does.
    pub fn click(&self, css: &str) -> Outcome<()> {
        const INTO_SIGHT: &str =
            "document.querySelector(arguments[0])?.scrollIntoView({ block: 'center' })";
        // WebKit's driver does not say that it clicked beside the element, or what lies over it
        let is_told = self.engine != Engine::Webkit;
        let mut looks = 0;
        loop {
            if !is_told {
                self.run(INTO_SIGHT, &[json!(css)])?;
            }
            self.run_async(STILL, &[json!(css)])?;
            if !is_told {
                self.run(HIT, &[json!(css)])?;
            }
            let Err(error) = within(ANSWER_LIMIT, self.element(css)?.click())? else {
                if is_told || self.run_async(WAS_HIT, &[])? == true {
                    return Ok(());
                }
                if looks == LOOKS {
                    return Err(DriverError(format!("{css} was clicked beside")));
                }
                looks += 1;
                continue;
            };
            looks += 1;
            let told = match &error {
                CmdError::Standard(told) => Some(&told.error),
                _ => None,
            };
            let is_out_of_sight = told == Some(&ErrorStatus::ElementNotInteractable)
                || told == Some(&ErrorStatus::MoveTargetOutOfBounds);
            let is_covered = told == Some(&ErrorStatus::ElementClickIntercepted);
            if !(is_covered || is_out_of_sight) || looks == LOOKS {
                return Err(error.into());
            }
            // what stays at an edge of the window may be over it
            self.run(INTO_SIGHT, &[json!(css)])?;
            let frames = "for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);";
            self.run_async(frames, &[])?;
        }
    }

    /// Types on the keyboard into the element.
    pub fn type_into(&self, css: &str, text: &str) -> Outcome<()> {
        told(self.element(css)?.send_keys(text))
    }

    /// Presses keys one after the other, whatever has the focus. A key with
    /// others held is one string that starts with those (Ctrl, Shift, Alt).
    pub fn press(&self, keys: &[&str]) -> Outcome<()> {
        const HELD: [char; 3] = ['\u{E008}', '\u{E009}', '\u{E00A}'];
        let mut actions = KeyActions::new("keyboard".into());
        for chord in keys {
            let held: Vec<char> = chord.chars().take_while(|key| HELD.contains(key)).collect();
            let down = |actions: KeyActions, value| actions.then(KeyAction::Down { value });
            let up = |actions: KeyActions, value| actions.then(KeyAction::Up { value });
            actions = held.iter().copied().fold(actions, down);
            for key in chord.chars().skip(held.len()) {
                actions = up(down(actions, key), key);
            }
            actions = held.iter().rev().copied().fold(actions, up);
        }
        told(self.client.perform_actions(actions))
    }

    /// Waits for the element.
    fn element(&self, css: &str) -> Outcome<Element> {
        let is_there = "return document.querySelector(arguments[0]) !== null";
        self.wait(20, css, is_there, &[json!(css)])?;
        told(self.client.find(Locator::Css(css)))
    }

    fn extension(&self, path: &'static str, body: Value) -> Outcome<Value> {
        told(self.client.issue_cmd(Extension { path, body }))
    }

    /// The driver's log of a kind since it was last asked: `browser`, `performance`.
    fn log(&self, kind: &str) -> Outcome<Vec<Value>> {
        let entries = self.extension("se/log", json!({ "type": kind }))?;
        serde_json::from_value(entries).map_err(|error| DriverError(error.to_string()))
    }

    /// Errors in the console of the pages of a site since they were last asked for.
    pub fn console_errors(&self, site: &str) -> Outcome<Vec<String>> {
        if self.engine.lacks(Ability::Logs).is_some() {
            let mut printed = self
                .driver
                .printed
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let uncaught = format!("JavaScript error: {site}");
            // the browser's own begin with the name of a part of it
            let begins = ["console.error: \"", "console.error: (", &uncaught];
            let is_error = |line: &String| begins.iter().any(|begin| line.starts_with(begin));
            return Ok(printed.drain(..).filter(is_error).collect());
        }
        let severe =
            |entry: &Value| (entry["level"] == "SEVERE").then(|| entry["message"].to_string());
        Ok(self.log("browser")?.iter().filter_map(severe).collect())
    }

    /// What pages asked for since this was last asked, where the driver notes it.
    pub fn requested(&self) -> Outcome<Vec<String>> {
        if self.engine.lacks(Ability::Logs).is_some() {
            return Ok(Vec::new());
        }
        let address = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let sent = message["method"] == "Network.requestWillBeSent";
            let url = message["params"]["request"]["url"]
                .as_str()
                .filter(|_| sent)?;
            // the page a new browser opens with is not ours
            (!url.starts_with("chrome:") && url != "about:blank").then(|| url.to_owned())
        };
        Ok(self
            .log("performance")?
            .iter()
            .filter_map(address)
            .collect())
    }

    /// Sets what the page sees as its screen. Only where the engine has `Ability::Screen`.
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

    /// Says whether the page is seen under a finger. Only where the engine has
    /// `Ability::Screen`.
    pub fn touch(&self, enabled: bool) -> Outcome<()> {
        let touch = json!({ "enabled": enabled });
        self.devtools("Emulation.setTouchEmulationEnabled", &touch)
            .map(drop)
    }

    /// Asks Chromium's developer tools.
    pub fn devtools(&self, method: &str, parameters: &Value) -> Outcome<Value> {
        self.extension(
            "goog/cdp/execute",
            json!({ "cmd": method, "params": parameters }),
        )
    }

    /// Tries what an engine may lack, whatever is said of it.
    pub fn has(&self, ability: Ability) -> bool {
        match ability {
            Ability::Logs => self.log("browser").is_ok(),
            Ability::Screen => self.screen(360, 740, true).is_ok(),
            Ability::Devtools => self.devtools("Browser.getVersion", &json!({})).is_ok(),
            // where a driver has no log of them, they are read from what the browser prints
            Ability::Errors => {
                drop(self.run("console.error('heard')", &[]));
                let printed = self.driver.printed.lock();
                let printed = printed.unwrap_or_else(PoisonError::into_inner);
                self.log("browser").is_ok() || printed.iter().any(|line| line.contains("heard"))
            }
        }
    }

    /// Writes a picture (PNG) of what is seen.
    pub fn screenshot(&self, file: &Path) -> Outcome<()> {
        // a page that hangs is not drawn either
        let png = within(LAST_LIMIT, self.client.screenshot())??;
        Ok(fs::write(file, png)?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // the driver ends its browser with the session; then it may go itself
        drop(within(LAST_LIMIT, self.client.clone().close()));
    }
}

/// Waits for what the driver is asked; one that says nothing for so long has hung.
fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Outcome<T> {
    let silent = |_| DriverError(format!("{SILENT} for {} s", limit.as_secs()));
    now(async { timeout(limit, work).await }).map_err(silent)
}

/// What the driver answers to a command.
fn told<T>(command: impl Future<Output = Result<T, CmdError>>) -> Outcome<T> {
    Ok(within(ANSWER_LIMIT, command)??)
}

impl Drop for Driver {
    fn drop(&mut self) {
        // a driver that has hung leaves its browser: both are of one group
        let group = format!("-{}", self.process.id());
        drop(Command::new("kill").args(["-KILL", "--", &group]).output());
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Starts the driver on a free port. The driver itself looks for one and then
/// opens it, so that another test may come between: it gets some tries.
fn start_driver(engine: Engine) -> Outcome<Driver> {
    let mut last = DriverError(String::new());
    for _ in 0..5 {
        let given = if engine.tells_its_port() {
            0
        } else {
            free_port()?
        };
        let (mut command, told) = engine.driver(given);
        let mut screen = None;
        if engine.needs_a_screen() {
            let (started, name) = Screen::start()?;
            command.env("DISPLAY", name);
            screen = Some(started);
        }
        let mut process = command.spawn().map_err(|error| {
            DriverError(format!(
                "{command:?}: {error} (tools/setup browsers installs it)"
            ))
        })?;
        let (output, errors) = (process.stdout.take(), process.stderr.take());
        let mut driver = Driver {
            process,
            screen,
            port: 0,
            printed: Arc::default(),
        };
        let mut output = BufReader::new(output.ok_or_else(|| DriverError("no output".into()))?);
        let port = if given == 0 {
            port_of(&mut output, told)
        } else {
            opened(given)
        };
        match port {
            Ok(port) => {
                driver.port = port;
                keep(output, Arc::clone(&driver.printed));
                if let Some(errors) = errors {
                    keep(BufReader::new(errors), Arc::clone(&driver.printed));
                }
                return Ok(driver);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The port that the driver chose, from what it says at its start.
fn port_of(output: &mut BufReader<ChildStdout>, told: &str) -> Outcome<u16> {
    let mut line = String::new();
    while output.read_line(&mut line)? > 0 {
        if let Some((_, rest)) = line.split_once(told) {
            let port = rest.trim().trim_end_matches('.');
            return port
                .parse()
                .map_err(|_| DriverError(format!("no port in: {line}")));
        }
        line.clear();
    }
    Err(DriverError("the driver ended at its start".into()))
}

/// A port that nobody has now, for a driver that would not tell its own choice.
fn free_port() -> Outcome<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Waits until somebody listens on the port.
fn opened(port: u16) -> Outcome<u16> {
    let end = Instant::now() + Duration::from_secs(20);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if Instant::now() > end {
            return Err(DriverError("the driver does not listen".into()));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(port)
}

/// Keeps what is printed from now on, so that nobody waits for a reader.
fn keep(output: impl BufRead + Send + 'static, printed: Arc<Mutex<Vec<String>>>) {
    thread::spawn(move || {
        for line in output.lines().map_while(Result::ok) {
            let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
            printed.push(line);
        }
    });
}
