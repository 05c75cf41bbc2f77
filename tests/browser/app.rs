//! The app as a test meets it: a browser with an empty profile on the built
//! page, and the `data-testid` marks that the page carries for this.

use crate::harness::driver::{Browser, Setup};
use crate::harness::engine::{Ability, Engine};
use crate::harness::site::Site;
use crate::places;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs, thread};

/// Where the page is served: under a path, as on many a static host.
pub const BASE: &str = "/some/where/";

/// Long enough for anything but the model on a busy machine.
const PATIENCE: u64 = 30;

/// So often is a file asked for within that.
const TRIES: u64 = 3;

/// Loading the model and embedding an example, with one thread on a busy machine.
const MODEL_PATIENCE: u64 = 300;

/// What a test asks of elsewhere at its end, to hear that it is heard.
const END: &str = "http://end.invalid/";
const END_HOST: &str = "end.invalid";

/// Numbers in an element: those it shows, each with the error its decimals
/// allow, and those it carries in full as `data-value`.
const NUMBERS: &str = r"
    const numbers = element => {
        const shown = (element.innerText.match(/[-−]?\d+(?:\.\d+)?/g) || []).map(token => ({
            value: Number(token.replace('−', '-')),
            error: 0.5 * 10 ** -(token.split('.')[1] || '').length + 1e-9,
        }));
        const carried = [element, ...element.querySelectorAll('[data-value]')]
            .filter(e => e.dataset.value !== undefined && e.dataset.value !== '')
            .map(e => ({ value: Number(e.dataset.value), error: 1e-9 }));
        return shown.concat(carried);
    };
";

/// The page, served and opened.
pub struct App {
    pub browser: Browser,
    pub site: Site,
    name: &'static str,
}

/// The CSS selector of a mark.
pub fn mark(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

/// The button that puts a long text into its input.
fn edit(id: &str) -> String {
    mark(&id.replacen("input-", "edit-", 1))
}

/// Serves a folder, opens its page at `fragment`, runs the test, and then looks
/// at what the browser has to say: no error in the console, no request that
/// failed, none that left.
pub fn in_folder(folder: &Path, name: &'static str, fragment: &str, test: impl FnOnce(&App)) {
    places::try_on(name, || {
        let app = App::open(folder, name, fragment);
        test(&app);
        let complaints = app.complaints();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    });
}

/// `in_folder` with the build in `ASSAY_DIST`, or in `dist`.
pub fn in_app(name: &'static str, fragment: &str, test: impl FnOnce(&App)) {
    in_folder(&built(), name, fragment, test);
}

/// The built page on a server that is to fail, of which the browser complains.
pub fn in_trouble(name: &'static str, fragment: &str, test: impl FnOnce(&App)) {
    places::try_on(name, || test(&App::open(&built(), name, fragment)));
}

/// Whether the engine can do what a test needs; says why it cannot.
pub fn can(ability: Ability) -> bool {
    let why = Engine::chosen().unwrap().lacks(ability);
    if let Some(why) = why {
        say(&format!("left out: {why}"));
    }
    why.is_none()
}

/// The build that is tested.
pub fn built() -> PathBuf {
    let built = env::var("ASSAY_DIST").unwrap_or_else(|_| "dist".to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(built);
    assert!(
        folder.join("index.html").exists(),
        "no build in {}: make build",
        folder.display()
    );
    folder
}

impl App {
    pub fn open(folder: &Path, name: &'static str, fragment: &str) -> Self {
        Self::open_on(Site::serve(folder, BASE).unwrap(), name, fragment)
    }

    /// The page of a server that is there already.
    pub fn open_on(site: Site, name: &'static str, fragment: &str) -> Self {
        let app = Self {
            browser: Browser::start_on(Setup::chosen().unwrap(), &site.url(fragment)).unwrap(),
            site,
            name,
        };
        app.go(fragment);
        app
    }

    /// Goes to a fragment of the page, `#/debate`, and waits until the page has begun.
    pub fn go(&self, fragment: &str) {
        self.browser.open(&self.site.url(fragment)).unwrap();
        let has_begun = "return document.getElementById('late') === null";
        self.browser.wait(PATIENCE, "page", has_begun, &[]).unwrap();
    }

    /// Waits for the element with this mark to be there and to show something.
    pub fn text(&self, id: &str) -> String {
        let script = "return document.querySelector(arguments[0]).innerText.trim()";
        let text = self
            .browser
            .wait(PATIENCE, id, script, &[json!(mark(id))])
            .unwrap();
        text.as_str().unwrap().to_owned()
    }

    /// Waits until the element says all these words.
    pub fn says(&self, id: &str, words: &[&str]) {
        self.says_within(id, words, PATIENCE);
    }

    /// The same where texts are embedded first.
    pub fn says_at_last(&self, id: &str, words: &[&str]) {
        self.says_within(id, words, MODEL_PATIENCE);
    }

    fn says_within(&self, id: &str, words: &[&str], seconds: u64) {
        let script = "const text = document.querySelector(arguments[0]).innerText;
            if (arguments[1].every(words => text.includes(words))) return true;
            throw new Error(text);";
        let what = format!("{words:?} in {id}");
        let arguments = [json!(mark(id)), json!(words)];
        self.browser
            .wait(seconds, &what, script, &arguments)
            .unwrap();
    }

    /// What a button offers as a file.
    pub fn offered(&self, id: &str) -> String {
        let watch = "
            window.offered = undefined;
            const make = window.madeUrl ??= URL.createObjectURL;
            URL.createObjectURL = blob => {
                blob.text().then(text => { window.offered = text; });
                return make.call(URL, blob);
            };";
        self.browser.run(watch, &[]).unwrap();
        let offered = "return window.offered";
        for _ in 0..TRIES {
            self.click(id);
            // what is being worked out anew takes the button away under the click
            if let Ok(text) = self.browser.wait(PATIENCE / TRIES, id, offered, &[]) {
                return text.as_str().unwrap().to_owned();
            }
        }
        panic!("{id} offers no file")
    }

    pub fn click(&self, id: &str) {
        self.unfold(id);
        self.browser.click(&mark(id)).unwrap();
    }

    /// Opens what is folded away and has what is wanted in it: the input, the exports, or a part as on
    /// a narrow screen.
    pub fn unfold(&self, id: &str) {
        let script = "
            const wanted = document.querySelector(arguments[0]);
            if (wanted?.closest('.inputs[hidden]')) document.getElementById('edit-input').click();
            const fold = wanted?.closest('summary') ? null : wanted?.closest('details:not([open])');
            if (fold) fold.open = true;
            const sheet = wanted?.closest('#exports:not(:popover-open)');
            if (sheet) document.querySelector('[data-exports]').click();";
        self.browser.run(script, &[json!(mark(id))]).unwrap();
    }

    /// Presses Tab until the element with this mark has the focus.
    pub fn tab_to(&self, id: &str) {
        self.unfold(id);
        let is_there = "return [document.activeElement.matches(arguments[0])]";
        for _ in 0..300 {
            let there = self.browser.run(is_there, &[json!(mark(id))]).unwrap();
            if there[0] == true {
                return;
            }
            self.tab();
        }
        panic!("Tab does not come to {id}");
    }

    /// Presses Tab. Where it leaves the page for the browser's own fields, as Firefox
    /// has it behind the last one, it goes on with the first.
    pub fn tab(&self) {
        let from = "window.tabbedFrom = document.activeElement";
        self.browser.run(from, &[]).unwrap();
        self.browser.press(&["\u{E004}"]).unwrap();
        let has_left =
            "return !document.hasFocus() || document.activeElement === window.tabbedFrom";
        if self.browser.run(has_left, &[]).unwrap() == true {
            // another tab in between brings the page back, as it does a person
            let tab = self.browser.tab().unwrap();
            self.browser.open_tab().unwrap();
            self.browser.close_tab().unwrap();
            self.browser.switch_to(&tab).unwrap();
            let first = "document.querySelector('.skip').focus()";
            self.browser.run(first, &[]).unwrap();
        }
    }

    /// What an input holds.
    pub fn value(&self, id: &str) -> String {
        let script = "
            const field = document.querySelector(arguments[0]);
            return field ? [field.value] : document.querySelector(arguments[1])?.click();";
        let arguments = [json!(mark(id)), json!(edit(id))];
        let value = self.browser.wait(PATIENCE, id, script, &arguments).unwrap();
        value[0].as_str().unwrap().to_owned()
    }

    /// What an input holds once the example is in it: one of the files that the
    /// page ships.
    pub fn example(&self, id: &str) -> String {
        let text = self.wait(
            id,
            "const { value } = document.querySelector(arguments[0]); return value && [value]",
        );
        let text = text[0].as_str().unwrap().to_owned();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("public/examples");
        let is_file = fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| fs::read_to_string(entry.ok()?.path()).ok())
            .any(|file| file.trim_end() == text.trim_end());
        assert!(is_file, "{id} holds no file of public/examples: {text}");
        text
    }

    /// Replaces an input's text at once, as a paste does.
    pub fn fill(&self, id: &str, text: &str) {
        let script = "
            const field = document.querySelector(arguments[0]);
            if (!field) return document.querySelector(arguments[2])?.click();
            field.focus();
            const kind = [HTMLTextAreaElement, HTMLSelectElement, HTMLInputElement].find(kind => field instanceof kind);
            Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, arguments[1]);
            field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }));
            field.dispatchEvent(new Event('change', { bubbles: true }));
            return true;";
        self.browser
            .wait(
                PATIENCE,
                id,
                script,
                &[json!(mark(id)), json!(text), json!(edit(id))],
            )
            .unwrap();
    }

    /// Pastes into an input from the clipboard, in a task of its own.
    pub fn paste(&self, id: &str, text: &str) {
        let script = "
            const [field, text] = [document.querySelector(arguments[0]), arguments[1]];
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', text);
            field.focus();
            setTimeout(() => {
                const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
                const taken = !field.dispatchEvent(event);
                document.documentElement.dataset.pasted = taken;
            });
            return true;";
        let arguments = [json!(mark(id)), json!(text)];
        self.browser.wait(PATIENCE, id, script, &arguments).unwrap();
        let taken = "return document.documentElement.dataset.pasted";
        let taken = self.browser.wait(PATIENCE, id, taken, &[]).unwrap();
        assert_eq!(taken, "true", "the page leaves a long text to the field");
    }

    /// Types a number over the one in a field, on the keyboard.
    pub fn retype(&self, id: &str, text: &str) {
        const CONTROL_A: &str = "\u{E009}a";
        let focus = "const field = document.querySelector(arguments[0]);
            field.focus();
            return document.activeElement === field";
        self.wait(id, focus);
        self.browser.press(&[CONTROL_A, text]).unwrap();
    }

    /// Waits for a script about the element with this mark to give something.
    pub fn wait(&self, id: &str, script: &str) -> Value {
        self.browser
            .wait(PATIENCE, id, script, &[json!(mark(id))])
            .unwrap()
    }

    /// Waits until the element shows this number, to at least two decimals.
    pub fn shows(&self, id: &str, expected: f64) {
        self.shows_within(id, expected, 0.005, PATIENCE);
    }

    /// Waits until the element shows or carries this number within `tolerance`,
    /// with enough decimals to tell.
    fn shows_within(&self, id: &str, expected: f64, tolerance: f64, seconds: u64) {
        let script = format!(
            "{NUMBERS}
             const element = document.querySelector(arguments[0]);
             const [expected, tolerance] = [arguments[1], arguments[2]];
             const fits = n => n.error <= tolerance + 1e-6
                 && Math.abs(n.value - expected) <= Math.max(n.error, tolerance === 0.005 ? 0 : tolerance);
             if (numbers(element).some(fits)) return true;
             throw new Error(element.outerHTML.slice(0, 600));"
        );
        let arguments = [json!(mark(id)), json!(expected), json!(tolerance)];
        self.browser
            .wait(seconds, &format!("{expected} in {id}"), &script, &arguments)
            .unwrap();
    }

    /// Waits until the element shows or carries this number to 1e-4; with the
    /// patience that the model needs.
    pub fn computes(&self, id: &str, expected: f64) {
        self.shows_within(id, expected, 1e-4, MODEL_PATIENCE);
    }

    /// Waits until a row of bars shows this total, and each of these parts by its name. The
    /// total is carried in full; all are shown to two decimals.
    pub fn row_is(&self, id: &str, total: f64, parts: &[(&str, f64)]) {
        let script = r"
            const row = document.querySelector('li' + arguments[0]);
            const [total, parts] = [Number(arguments[1]), arguments[2]];
            const fail = words => { throw new Error(words + ' in ' + row.outerHTML.slice(0, 900)); };
            const is = (name, text, value) => {
                const shown = Number((text ?? '').replace('−', '-'));
                if (!/\.\d\d$/.test(text) || !(Math.abs(shown - value) < 0.005 + 1e-9)) fail(`${name} is ${text}, not ${value},`);
            };
            const drawn = row.querySelector('.total');
            if (Number(drawn.dataset.value) !== total) fail(`the total is not ${total}`);
            is('the total', drawn.innerText.trim(), total);
            const told = row.querySelector('.row-open > .visually-hidden')?.textContent;
            for (const [name, value] of parts)
                is(name, told.match(new RegExp(name + '[^\\d−]*(−?\\d+\\.\\d+)', 'i'))?.[1], value);
            if (parts.length && told.match(/\d+\.\d+/g).length !== parts.length) fail('another part');
            return true;";
        // as text: not every driver hands on the last digit of a number
        let arguments = [json!(mark(id)), json!(total.to_string()), json!(parts)];
        self.browser.wait(PATIENCE, id, script, &arguments).unwrap();
    }

    /// Waits until the cell of a table in this row, under this heading, carries this number
    /// to 1e-4; with the patience that the model needs.
    pub fn cell_computes(&self, row: &str, heading: &str, expected: f64) {
        let script = "
            const row = document.querySelector('tr' + arguments[0]);
            const heads = [...row.closest('table').querySelectorAll('thead th')];
            const cell = row.cells[heads.findIndex(head => head.textContent === arguments[1])];
            const found = cell.dataset.value;
            if (found && Math.abs(Number(found) - arguments[2]) <= 1e-4) return true;
            throw new Error(`${found} in ${cell.outerHTML}`);";
        let arguments = [json!(mark(row)), json!(heading), json!(expected)];
        let what = format!("{expected} under {heading} in {row}");
        self.browser
            .wait(MODEL_PATIENCE, &what, script, &arguments)
            .unwrap();
    }

    /// Asks for the embedding where the page waits to be asked.
    pub fn start_embedding(&self) {
        let script = "
            const start = document.querySelector(arguments[0]);
            if (start && !start.disabled) { start.click(); return true; }
            return document.querySelector('[data-testid=\"embed-progress\"]') !== null;";
        self.wait("embed-start", script);
    }

    /// Lines and columns of the problems that are listed; waits for one.
    pub fn problems(&self) -> Vec<(i64, i64)> {
        let script = "
            const found = [...document.querySelectorAll(arguments[0])];
            return found.length && found.map(e => [Number(e.dataset.line), Number(e.dataset.column)]);";
        let places = self.wait("problem", script);
        serde_json::from_value(places).unwrap()
    }

    /// The permalink that the Share button gives.
    pub fn permalink(&self) -> String {
        self.click("share");
        let script = "
            const link = document.querySelector(arguments[0]);
            return [link.value, link.href, link.innerText].find(text => text && text.includes('#v2.'));";
        self.wait("share-link", script)
            .as_str()
            .unwrap()
            .trim()
            .to_owned()
    }

    /// What went wrong unseen: errors in the console, requests that failed, and
    /// requests to anywhere but this page's own place.
    pub fn complaints(&self) -> Vec<String> {
        let own = self.site.url("");
        let mut found = Vec::new();
        // the end of what the engine reports, which shows that it does
        let end = "fetch(arguments[0]).catch(() => 0)";
        let errors = self.browser.console_errors(&own).unwrap();
        drop(self.browser.run(end, &[json!(END)]));
        if !self.site.hears_of(END, Duration::from_secs(PATIENCE)) {
            found.push("requests to elsewhere are not reported".to_owned());
        }
        // some engines report it twice
        let elsewhere = self.site.elsewhere().into_iter();
        let elsewhere = elsewhere.filter(|line| !line.starts_with(END));
        found.extend(elsewhere.map(|line| format!("to elsewhere: {line}")));
        // those that were printed until now
        let late = self.browser.console_errors(&own).unwrap().into_iter();
        let late = late.filter(|line| !line.contains(END_HOST));
        found.extend(
            errors
                .into_iter()
                .chain(late)
                .map(|line| format!("console: {line}")),
        );
        for request in self.site.requests() {
            if !matches!(request.status, 200 | 206) || !request.path.starts_with(BASE) {
                found.push(format!(
                    "server: {} {} {}",
                    request.status, request.method, request.path
                ));
            }
        }
        let reports = self.site.reports();
        let known = [own.as_str(), "data:", "blob:", END, &reports];
        let own = |url: &String| known.iter().any(|begin| url.starts_with(begin));
        let requested = self.browser.requested().unwrap().into_iter();
        let others = requested.filter(|url| !own(url));
        found.extend(others.map(|url| format!("the page asked for {url}")));
        found
    }
}

impl Drop for App {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        let folder: PathBuf = env::temp_dir().join("assay-browser-tests");
        let picture = folder.join(format!("{}.png", self.name));
        if fs::create_dir_all(&folder).is_ok() && self.browser.screenshot(&picture).is_ok() {
            eprintln!("what was seen: {}", picture.display());
        }
        for complaint in self.complaints() {
            eprintln!("{complaint}");
        }
    }
}

/// Says something about a run that is worth knowing and no reason to fail; the
/// test harness keeps `println!` of a test that passes to itself.
pub fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    drop(writeln!(out, "  note: {line}"));
}
