//! The engines that the tests can be run in: how each is started, and what each
//! cannot do. `ASSAY_BROWSER` chooses one: `chromium` (unless told otherwise),
//! `firefox` or `webkit`. All run the same tests; what one cannot do is in a table below.

use super::driver::{SCRIPT_LIMIT, Setup};
use serde_json::{Map, Value, json};
use std::env;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Chromium,
    Firefox,
    Webkit,
}

/// What a test may need that not every engine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ability {
    /// The page's errors, from the driver's log or from what the browser prints.
    Errors,
    /// A log of the driver: of the console, and of what the page asked for, where
    /// pages that it went to are told as well, of which no policy is asked.
    Logs,
    /// Another size of screen and another theme while the page runs.
    Screen,
    /// What only developers' tools do: to change the page's surroundings before it begins.
    Devtools,
}

/// What an engine cannot do, and why. A test asks for each all the same: where it is had, the
/// row goes.
const LACKS: [(Engine, Ability, &str); 7] = [
    (
        Engine::Firefox,
        Ability::Devtools,
        "its driver has no way to them",
    ),
    (
        Engine::Webkit,
        Ability::Devtools,
        "its driver has no way to them",
    ),
    (
        Engine::Firefox,
        Ability::Logs,
        "its driver has none: its errors are read from what it prints",
    ),
    (
        Engine::Firefox,
        Ability::Screen,
        "only its window can be sized, to 500 px and more, and its theme is chosen at the start",
    ),
    (
        Engine::Webkit,
        Ability::Errors,
        "its driver has no logs, and it prints nothing",
    ),
    (Engine::Webkit, Ability::Logs, "its driver has none"),
    (
        Engine::Webkit,
        Ability::Screen,
        "only its window can be sized, and its theme is the desktop's",
    ),
];

/// Flags for a Chromium that does only what it is told.
const QUIET_CHROMIUM: [&str; 15] = [
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

/// Where glibc uses AVX in its string functions, SIMD in Firefox's WebAssembly
/// becomes hundreds of times slower: its code mixes the two encodings.
const NO_AVX: &str = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-ERMS";

/// Nobody listens there: what is not for this machine is refused at once,
/// whoever asks. A browser's own errands need no list.
const NOWHERE: &str = "127.0.0.1:9";

impl Engine {
    /// The engine that `ASSAY_BROWSER` names.
    pub fn chosen() -> Result<Self, String> {
        match named_by("ASSAY_BROWSER").as_deref() {
            None | Some("chromium") => Ok(Self::Chromium),
            Some("firefox") => Ok(Self::Firefox),
            Some("webkit") => Ok(Self::Webkit),
            Some(other) => Err(format!(
                "ASSAY_BROWSER is {other}: chromium, firefox or webkit"
            )),
        }
    }

    /// Whether its driver prints which port it has chosen.
    pub fn tells_its_port(self) -> bool {
        self != Self::Webkit
    }

    /// Whether its browser shows itself on a screen whatever it is told.
    pub fn needs_a_screen(self) -> bool {
        self == Self::Webkit
    }

    /// What this engine cannot do.
    pub fn lacking(self) -> impl Iterator<Item = Ability> {
        LACKS
            .iter()
            .filter(move |row| row.0 == self)
            .map(|row| row.1)
    }

    /// Why this engine cannot do something, if it cannot.
    pub fn lacks(self, ability: Ability) -> Option<&'static str> {
        let found = LACKS.iter().find(|row| (row.0, row.1) == (self, ability));
        found.map(|row| row.2)
    }

    /// The driver, to be started on a port (0: one of its choice), and what stands
    /// before that port in the line that it then prints.
    pub fn driver(self, port: u16) -> (Command, &'static str) {
        let (variable, program, told) = match self {
            Self::Chromium => (
                "ASSAY_CHROMEDRIVER",
                "chromedriver",
                "successfully on port ",
            ),
            Self::Firefox => (
                "ASSAY_GECKODRIVER",
                "geckodriver",
                "Listening on 127.0.0.1:",
            ),
            Self::Webkit => ("ASSAY_WEBKITDRIVER", "WebKitWebDriver", ""),
        };
        let mut command = Command::new(named_by(variable).unwrap_or_else(|| program.to_owned()));
        command
            .arg(format!("--port={port}"))
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self == Self::Firefox {
            command.env("GLIBC_TUNABLES", NO_AVX);
        }
        if self == Self::Webkit {
            // a screen in memory has no graphics processor
            command.env("LIBGL_ALWAYS_SOFTWARE", "1");
            command.env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
            command.env("NO_AT_BRIDGE", "1");
        }
        (command, told)
    }

    /// What the driver is asked for: a browser with an empty profile.
    pub fn capabilities(self, setup: Setup) -> Map<String, Value> {
        let options = match self {
            Self::Chromium => json!({
                "browserName": "chrome",
                "goog:chromeOptions": chromium(setup),
                "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            }),
            Self::Firefox => {
                json!({ "browserName": "firefox", "moz:firefoxOptions": firefox(setup) })
            }
            Self::Webkit => json!({ "webkitgtk:browserOptions": webkit() }),
        };
        let every = json!({
            "timeouts": { "script": SCRIPT_LIMIT.as_millis() as u64, "pageLoad": 50_000, "implicit": 0 },
            // a dialogue would be an error of the app's: leave it in the way
            "unhandledPromptBehavior": "dismiss and notify",
            "proxy": self.proxy(),
        });
        let objects = [every, options].into_iter();
        objects
            .filter_map(|object| object.as_object().cloned())
            .flatten()
            .collect()
    }
}

fn chromium(setup: Setup) -> Value {
    let mut flags: Vec<String> = QUIET_CHROMIUM.map(str::to_owned).to_vec();
    flags.push(format!("--window-size={},{}", setup.width, setup.height));
    let mut options = json!({ "args": flags });
    if setup.is_phone {
        let Setup { width, height, .. } = setup;
        options["mobileEmulation"] = json!({ "deviceMetrics": {
            "width": width, "height": height, "pixelRatio": 1.0, "touch": true, "mobile": true,
        }});
    }
    if let Some(program) = named_by("ASSAY_CHROME") {
        options["binary"] = json!(program);
    }
    options
}

fn firefox(setup: Setup) -> Value {
    let (width, height) = (setup.width.to_string(), setup.height.to_string());
    let mut options = json!({
        "args": ["-headless", "--width", width, "--height", height],
        "prefs": {
            // the page's console, and not the browser's own, on its output
            "devtools.console.stdout.content": true,
            "devtools.console.stdout.chrome": false,
            "browser.dom.window.dump.enabled": true,
            // what the page asks for is asked once: it tries again by itself
            "network.http.request.max-attempts": 1,
        },
    });
    if let Some(program) = named_by("ASSAY_FIREFOX") {
        options["binary"] = json!(program);
    }
    options
}

impl Engine {
    /// What is asked of elsewhere comes to nothing. Two of the engines send nothing of the
    /// machine itself to a proxy. WebKit's browser has it from its own line: of a `noProxy` from
    /// here it reads the end that is not there, and now and then it does not come through that.
    fn proxy(self) -> Value {
        match self {
            Self::Webkit => json!({ "proxyType": "system" }),
            _ => json!({ "proxyType": "manual", "httpProxy": NOWHERE, "sslProxy": NOWHERE }),
        }
    }
}

fn webkit() -> Value {
    let proxy = format!("--proxy=http://{NOWHERE}");
    let mut options = json!({
        "args": ["--automation", proxy, "--ignore-host=127.0.0.1", "--ignore-host=localhost"],
    });
    if let Some(program) = named_by("ASSAY_WEBKIT") {
        options["binary"] = json!(program);
    }
    options
}

/// What a variable of the environment says, if it says anything.
pub(super) fn named_by(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|value| !value.is_empty())
}
