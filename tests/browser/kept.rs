//! What stays: in two tabs, whatever its size, where the browser keeps nothing, after a
//! visit that did not come to its end, and in a file.

use crate::app::{App, can, in_app, in_trouble};
use crate::harness::engine::Ability;
use fantoccini::wd::WindowHandle;
use serde_json::{Value, json};

const DESK: &str = "assay.desk.debate";

/// Waits until this browser keeps a text of the debate that contains this.
fn keeps(app: &App, text: &str) {
    let script = "return (localStorage.getItem(arguments[0]) ?? '').includes(arguments[1])";
    let given = [json!(DESK), json!(text)];
    app.browser.wait(30, "kept text", script, &given).unwrap();
}

/// Waits for a notice that says this.
fn notice(app: &App, words: &str) {
    let script = "return [...document.querySelectorAll('.notice')].some(n => n.innerText.includes(arguments[0]))";
    app.browser
        .wait(30, words, script, &[json!(words)])
        .unwrap();
}

/// Two tabs on the debate, both with a list of this word; the first is shown.
fn two_tabs(app: &App, word: &str) -> [WindowHandle; 2] {
    let text = json!([word]).to_string();
    app.fill("input-debate", &text);
    keeps(app, word);
    let first = app.browser.tab().unwrap();
    app.browser.open_tab().unwrap();
    app.go("#/debate");
    assert_eq!(app.value("input-debate"), text);
    let second = app.browser.tab().unwrap();
    app.browser.switch_to(&first).unwrap();
    [first, second]
}

/// Opens the newest of what was put aside.
fn open_recent(app: &App) {
    app.go("#/");
    app.browser.click(".recent li button").unwrap();
}

/// The input holds a text that is too long to be printed.
fn holds(app: &App, id: &str, text: &str) {
    let found = app.value(id);
    assert!(
        found == text,
        "{} of {} characters",
        found.len(),
        text.len()
    );
}

#[test]
fn a_tab_that_is_left_alone_leaves_the_work_of_another_alone() {
    in_app("tabs-untouched", "#/debate", |app| {
        let [first, second] = two_tabs(app, "first");
        app.fill("input-debate", "[\"an hour later\"]");
        keeps(app, "an hour later");
        app.browser.switch_to(&second).unwrap();
        // typing elsewhere is nothing of the debate's either
        app.go("#/constitution");
        app.fill("input-turns", "[\"turns\"]");
        let script = "return localStorage.getItem('assay.desk.constitution') !== null";
        app.browser.wait(30, "turns", script, &[]).unwrap();
        app.browser.close_tab().unwrap();
        app.browser.switch_to(&first).unwrap();
        app.browser.reload().unwrap();
        assert_eq!(app.value("input-debate"), "[\"an hour later\"]");
        app.go("#/constitution");
        assert_eq!(app.value("input-turns"), "[\"turns\"]");
    });
}

#[test]
fn two_tabs_that_change_the_same_keep_both_and_both_say_so() {
    in_app("tabs-both", "#/debate", |app| {
        let [first, second] = two_tabs(app, "shared");
        app.fill("input-debate", "[\"one way\"]");
        keeps(app, "one way");
        app.browser.switch_to(&second).unwrap();
        app.fill("input-debate", "[\"another way\"]");
        notice(app, "was changed in another tab too");
        app.browser.switch_to(&first).unwrap();
        notice(app, "was changed in another tab too");
        app.browser.reload().unwrap();
        assert_eq!(app.value("input-debate"), "[\"one way\"]");
        open_recent(app);
        assert_eq!(app.value("input-debate"), "[\"another way\"]");
        app.browser.switch_to(&second).unwrap();
        app.browser.close_tab().unwrap();
        app.browser.switch_to(&first).unwrap();
    });
}

#[test]
fn a_version_that_is_opened_where_it_was_made_stays() {
    in_app("tabs-own", "#/debate", |app| {
        let [first, second] = two_tabs(app, "shared");
        app.browser.switch_to(&second).unwrap();
        app.fill("input-debate", "[\"one way\"]");
        keeps(app, "one way");
        app.browser.close_tab().unwrap();
        app.browser.switch_to(&first).unwrap();
        app.fill("input-debate", "[\"another way\"]");
        notice(app, "was changed in another tab too");
        open_recent(app);
        assert_eq!(app.value("input-debate"), "[\"another way\"]");
        app.browser.reload().unwrap();
        assert_eq!(app.value("input-debate"), "[\"one way\"]");
        open_recent(app);
        assert_eq!(app.value("input-debate"), "[\"another way\"]");
    });
}

#[test]
fn what_is_replaced_is_recent_whatever_its_size() {
    in_app("displaced", "#/debate", |app| {
        for size in [1, 1_600_000, 6_000_000] {
            let text = "x".repeat(size);
            app.go("#/debate");
            app.fill("input-debate", &text);
            app.go("#/");
            app.click("open-example-debate");
            app.example("input-debate");
            // a new visit
            app.browser.open("about:blank").unwrap();
            open_recent(app);
            holds(app, "input-debate", &text);
            app.browser.reload().unwrap();
            holds(app, "input-debate", &text);
        }
    });
}

#[test]
fn a_long_text_stays_that_is_left_before_it_was_kept() {
    in_app("left-at-once", "#/debate", |app| {
        let (before, after) = ("x".repeat(150_000), "y".repeat(150_000));
        app.fill("input-debate", &before);
        keeps(app, "150000");
        app.fill("input-debate", &after);
        app.browser.reload().unwrap();
        holds(app, "input-debate", &after);
    });
}

/// A page whose browser refuses something, as private windows and full disks do.
fn refusing(app: &App, script: &str) {
    let source = json!({ "source": script });
    let ability = "Page.addScriptToEvaluateOnNewDocument";
    app.browser.devtools(ability, &source).unwrap();
    app.browser.open("about:blank").unwrap();
}

const NO_DATABASE: &str = "Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });";
const NO_STORAGE: &str = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });";

#[test]
fn where_nothing_is_kept_it_is_said_before_something_goes() {
    if !can(Ability::Devtools) {
        return;
    }
    in_app("kept-nowhere", "", |app| {
        refusing(app, &[NO_DATABASE, NO_STORAGE].concat());
        app.go("#/debate");
        app.fill("input-debate", "[\"mine\"]");
        notice(app, "Debate is not kept: this browser has no room");
        app.go("#/");
        app.click("open-example-debate");
        notice(app, "no room in this browser to put aside");
        app.go("#/debate");
        assert_eq!(app.value("input-debate"), "[\"mine\"]");
        app.go("#/");
        app.click("open-example-debate");
        let press = "const button = [...document.querySelectorAll('.notice button')].find(b => b.textContent === 'Open all the same');
            button?.click();
            return button !== undefined;";
        app.browser.wait(20, "button", press, &[]).unwrap();
        assert!(app.example("input-debate").contains("candidates"));
    });
}

#[test]
fn a_long_text_without_a_database_is_kept_beside_the_short_ones() {
    if !can(Ability::Devtools) {
        return;
    }
    in_app("kept-without-database", "", |app| {
        refusing(app, NO_DATABASE);
        let text = "x".repeat(1_000_000);
        app.go("#/debate");
        app.fill("input-debate", &text);
        keeps(app, &text);
        app.browser.reload().unwrap();
        holds(app, "input-debate", &text);
    });
}

#[test]
fn what_was_cleared_is_kept_again_and_what_cannot_be_read_is_said() {
    in_app("cleared", "#/debate", |app| {
        app.fill("input-debate", "[\"mine\"]");
        keeps(app, "mine");
        let first = app.browser.tab().unwrap();
        app.browser.open_tab().unwrap();
        app.go("#/");
        app.browser.run("localStorage.clear()", &[]).unwrap();
        app.browser.close_tab().unwrap();
        app.browser.switch_to(&first).unwrap();
        notice(app, "was cleared");
        keeps(app, "mine");
        let damage = "localStorage.setItem(arguments[0], '{')";
        // the page itself keeps what it has when it goes
        app.browser.open("about:blank").unwrap();
        app.go("#/");
        // once it has read what is kept: a page still coming would read the damage too soon
        app.text("open-example-debate");
        app.browser.run(damage, &[json!(DESK)]).unwrap();
        app.browser.reload().unwrap();
        notice(app, "cannot be read");
        let set_apart =
            "return Object.keys(localStorage).some(key => key.startsWith('assay.damaged.'))";
        assert_eq!(app.browser.run(set_apart, &[]).unwrap(), json!(true));
    });
}

#[test]
fn what_a_visit_did_not_come_through_is_not_looked_at_unasked() {
    in_app("held", "#/debate", |app| {
        app.fill("input-debate", "[\"poison\"]");
        keeps(app, "poison");
        app.browser.open("about:blank").unwrap();
        app.go("#/");
        let stuck = "localStorage.setItem('assay.mark.debate', String(Date.now() - 60_000))";
        app.browser.run(stuck, &[]).unwrap();
        app.browser.reload().unwrap();
        // the start page is there, and says what is on the bench
        app.text("open-example-debate");
        app.go("#/debate");
        assert!(app.text("away").contains("did not come to its end"));
        // what is opened then is another text
        app.go("#/");
        app.click("open-example-debate");
        app.example("input-debate");
        open_recent(app);
        assert_eq!(app.value("input-debate"), "[\"poison\"]");
        app.browser.open("about:blank").unwrap();
        app.go("#/");
        app.browser.run(stuck, &[]).unwrap();
        app.browser.reload().unwrap();
        app.go("#/debate");
        app.click("away-open");
        assert_eq!(app.value("input-debate"), "[\"poison\"]");
        app.browser.open("about:blank").unwrap();
        app.go("#/");
        app.browser.run(stuck, &[]).unwrap();
        app.browser.reload().unwrap();
        app.go("#/debate");
        app.click("away-aside");
        assert_eq!(app.value("input-debate"), "");
        open_recent(app);
        assert_eq!(app.value("input-debate"), "[\"poison\"]");
    });
}

#[test]
fn a_trap_shows_the_banner_which_says_kept_only_when_it_is() {
    in_trouble("trap", "#/debate", |app| {
        app.fill("input-debate", "[\"mine\"]");
        keeps(app, "mine");
        let trap = "window.dispatchEvent(new ErrorEvent('error', { error: new window.WebAssembly.RuntimeError('unreachable') }));
            return document.getElementById('broken').innerText";
        let said = app.browser.run(trap, &[]).unwrap();
        assert!(said.as_str().unwrap().contains("is kept"), "{said}");
        // what is typed then, nobody hears
        let type_on = format!("document.querySelector('main textarea').value += 'x'; {trap}");
        let said = app.browser.run(&type_on, &[]).unwrap();
        assert!(said.as_str().unwrap().contains("was not kept"), "{said}");
        // fields of a form hold parts of what is kept
        app.browser.reload().unwrap();
        app.go("#/");
        app.click("open-example-debate");
        app.example("input-debate");
        keeps(app, "pension portfolio");
        let field = "return document.querySelector('#question')?.value.length > 0";
        app.browser.wait(20, "question", field, &[]).unwrap();
        let said = app.browser.run(trap, &[]).unwrap();
        assert!(said.as_str().unwrap().contains("is kept"), "{said}");
    });
}

#[test]
fn everything_goes_into_a_file_that_reads_back() {
    let mut file = Value::Null;
    in_app("file-saved", "#/debate", |app| {
        app.fill("input-debate", "[\"before\"]");
        keeps(app, "before");
        app.go("#/");
        app.click("open-example-debate");
        app.example("input-debate");
        // what stands above the foot of the page has come to rest
        let rest = "return document.querySelector('[data-testid=section-debaters]')
            && !document.querySelector('.waits, .stale')";
        app.browser.wait(30, "rest", rest, &[]).unwrap();
        let catch = "URL.createObjectURL = blob => { blob.text().then(text => { window.saved = text; }); return '#'; };
            HTMLAnchorElement.prototype.click = () => {};";
        app.browser.run(catch, &[]).unwrap();
        app.click("save-work");
        file = app
            .browser
            .wait(30, "file", "return window.saved", &[])
            .unwrap();
    });
    let file = file.as_str().unwrap().to_owned();
    in_app("file-opened", "#/debate", |app| {
        app.fill("input-debate", "[\"mine\"]");
        app.go("#/");
        app.fill("input-paste", &file);
        app.browser.click(".take button").unwrap();
        notice(app, "2 works opened from the file");
        app.go("#/debate");
        assert!(app.example("input-debate").contains("candidates"));
        let titles = "return [...document.querySelectorAll('.recent li')].length";
        app.go("#/");
        assert_eq!(
            app.browser.wait(30, "recent", titles, &[]).unwrap(),
            json!(2)
        );
    });
}
