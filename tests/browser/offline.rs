//! The page without a network, another version of it, what is shared with it, and the way to be
//! rid of it.

use crate::app::{App, BASE, built, in_app, in_folder, in_trouble};
use crate::harness::site::{Fault, Site};
use crate::places;
use assay::document::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::Path;

/// Presses a button of a notice.
fn press(app: &App, label: &str) {
    let script = "
        const buttons = [...document.querySelectorAll('.notice button')];
        const button = buttons.find(button => button.innerText === arguments[0]);
        button.click();
        return true;";
    app.browser
        .wait(30, label, script, &[json!(label)])
        .unwrap();
}

/// Does what loads the page anew, and waits until it is another.
fn into_another(app: &App, act: impl FnOnce()) {
    let mark = "document.documentElement.dataset.old = ''";
    app.browser.run(mark, &[]).unwrap();
    act();
    app.browser.finds(30, "html:not([data-old])").unwrap();
}

/// Loads the page anew as a person does: a driver may ask for what no service worker sees.
fn reload(app: &App) {
    into_another(app, || {
        app.browser
            .run("setTimeout(() => location.reload())", &[])
            .unwrap();
    });
}

fn make_offline(app: &App) {
    app.click("keep-all");
    app.says_at_last("offline", &["Opens without a network."]);
}

#[test]
fn what_was_kept_opens_and_scores_without_a_network() {
    // most hosts send files compressed
    let site = Site::serve_compressed(&built(), BASE).unwrap();
    places::try_on("offline", || {
        let app = &App::open_on(site, "offline", "");
        app.text("open-example-persona");
        make_offline(app);
        app.click("keep-all");
        app.says_at_last("offline", &["Works without a network."]);
        app.site.fail("", &[Fault::Silence; 500]);
        let before = app.site.requests().len();
        reload(app);
        app.says_at_last("offline", &["Works without a network."]);
        app.click("open-example-debate");
        app.says_at_last("verdict", &["wins"]);
        app.go("#/");
        app.click("open-example-persona");
        app.start_embedding();
        app.says_at_last("verdict", &["0."]);
        let refused = app.site.requests().split_off(before);
        let asked = refused.iter().map(|request| request.path.as_str());
        // the browser itself asks for the service worker
        let asked: Vec<_> = asked
            .filter(|path| !path.ends_with("/service-worker.js"))
            .collect();
        assert_eq!(asked, Vec::<&str>::new());
    });
}

#[test]
fn a_file_that_is_damaged_on_the_way_is_not_kept() {
    in_trouble("offline-damaged", "", |app| {
        app.text("open-example-debate");
        app.site.fail("licences.txt", &[Fault::Flipped(7); 2]);
        app.click("keep-all");
        app.says_at_last("offline", &["Not all of it was kept"]);
        make_offline(app);
    });
}

/// A copy of the build, as a host has it.
fn copied(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry
            .map(|entry| (entry.path(), entry.file_name()))
            .unwrap();
        if path.is_dir() {
            copied(&path, &to.join(name));
        } else {
            fs::hard_link(&path, to.join(&name))
                .or_else(|_| fs::copy(&path, to.join(&name)).map(drop))
                .unwrap();
        }
    }
}

/// Puts another version of a file on the host.
fn replace(folder: &Path, name: &str, text: &str) {
    let hash = |bytes: &[u8]| hex(&Sha256::digest(bytes));
    let old = fs::read(folder.join(name)).unwrap();
    let script = fs::read_to_string(folder.join("service-worker.js")).unwrap();
    let listed = script.replace(&hash(&old), &hash(text.as_bytes()));
    assert_ne!(listed, script, "{name} is not listed");
    for (name, text) in [(name, text), ("service-worker.js", &listed)] {
        fs::remove_file(folder.join(name)).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn another_version_waits_until_it_is_taken() {
    let folder = std::env::temp_dir().join(format!("assay-offline-{}", std::process::id()));
    copied(&built(), &folder);
    in_folder(&folder, "offline-update", "", |app| {
        app.click("open-example-debate");
        app.says_at_last("verdict", &["wins"]);
        make_offline(app);
        replace(&folder, "licences.txt", "another version");
        reload(app);
        app.says_at_last("notice", &["There is a new version of Assay."]);
        let licences = "return (await fetch('licences.txt')).text()";
        let text = app.browser.run_async(licences, &[]).unwrap();
        assert_ne!(
            text,
            json!("another version"),
            "what is open stays as it is"
        );
        app.says_at_last("verdict", &["wins"]);
        into_another(app, || press(app, "Load it"));
        app.says_at_last("verdict", &["wins"]);
        let text = app.browser.run_async(licences, &[]).unwrap();
        assert_eq!(text, json!("another version"));
    });
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_shared_with_the_installed_page_opens() {
    in_app("offline-shared", "", |app| {
        app.text("open-example-debate");
        make_offline(app);
        reload(app);
        app.says_at_last("offline", &["Opens without a network."]);
        let share = "
            const example = await (await fetch('examples/debate.json')).text();
            const form = new FormData();
            form.append('files', new File([example], 'a council.json'));
            return (await fetch('share', { method: 'POST', body: form })).url;";
        let led_to = app.browser.run_async(share, &[]).unwrap();
        assert_eq!(led_to, json!(app.site.url("")), "it leads to the page");
        app.go("#/shared");
        app.says_at_last("verdict", &["wins"]);
    });
}

#[test]
fn everything_is_removed_with_one_button() {
    in_app("offline-removed", "", |app| {
        app.click("open-example-debate");
        app.says_at_last("verdict", &["wins"]);
        make_offline(app);
        app.click("remove-all");
        press(app, "Remove it");
        app.browser.finds(30, "link[href='./removed.css']").unwrap();
        let left = "
            const workers = await navigator.serviceWorker.getRegistrations();
            const caches = await self.caches.keys();
            return [...Object.keys(localStorage), ...caches, ...workers.map(({ scope }) => scope)];";
        assert_eq!(app.browser.run_async(left, &[]).unwrap(), json!([]));
    });
}
