//! Labels by hand on the persona bench, and what they say of the voice.

use serde_json::json;

use crate::app::{App, in_app, mark};
use crate::persona::open_example;

/// Replies of the example that are off brand begin like this.
const OFF: [&str; 5] = ["Dear", "Unfortunately", "We acknowledge", "Honestly", "lol"];

/// The reply that is to be labelled, once it is another than the last; none when all are done.
fn next(app: &App, last: Option<&str>) -> Option<String> {
    let script = "if (document.querySelector(arguments[1])) return {done: true};
        const text = document.querySelector(arguments[0])?.textContent;
        if (text && text !== arguments[2]) return {text};";
    let found = app
        .browser
        .wait(
            30,
            "reply to label",
            script,
            &[
                json!(mark("label-text")),
                json!(mark("label-done")),
                json!(last),
            ],
        )
        .unwrap();
    found["text"].as_str().map(str::to_owned)
}

/// Opens the section and asks how well the voice knows the labels: all its figures as they stand.
fn calibrated(app: &App) -> String {
    app.click("calibrate");
    app.says_at_last("calibration", &["out of fold", "disagree with the voice"]);
    app.text("calibration")
}

#[test]
fn labels_by_keyboard_calibrate_the_voice_and_a_link_brings_them_back() {
    let mut kept = None;
    in_app("persona-labels", "", |app| {
        open_example(app);
        app.click("fold-labels");
        app.says("label-lack", &["0 on brand and 0 off brand"]);
        app.click("label-start");
        let mut last = None;
        let (mut on, mut off) = (0, 0);
        while let Some(text) = next(app, last.as_deref()) {
            let is_off = OFF.iter().any(|start| text.starts_with(start));
            let key = if is_off { "0" } else { "1" };
            (on, off) = if is_off { (on, off + 1) } else { (on + 1, off) };
            app.browser.press(&[key]).unwrap();
            last = Some(text);
        }
        assert!(off >= 3 && on >= 7, "{on} on, {off} off");
        let counts = format!("{on} on brand, {off} off brand, 0 unsure; 0 to go");
        app.says("label-counts", &[&counts]);
        // the last one is taken back and given again
        app.click("label-b");
        let again = next(app, None).expect("the reply of the last label");
        assert_eq!(Some(again), last);
        app.browser.press(&["1"]).unwrap();
        app.says("label-counts", &["0 to go"]);
        let figures = calibrated(app);
        // what labels have chosen is said, here and where the link is opened
        app.says(
            "weights-by-labels",
            &["tell these labels apart best", "out of fold"],
        );
        app.click("use-weights");
        app.says("weights-by", &["weights by labels"]);
        let link = app.permalink();
        let labels = app.value("input-labels");
        assert_eq!(labels.lines().count(), on + off);
        kept = Some((link, figures));
    });
    let (link, figures) = kept.expect("the page came to its end");
    let fragment = &link[link.find('#').expect("a fragment")..];
    in_app("persona-labels-link", fragment, |app| {
        app.start_embedding();
        app.click("fold-labels");
        app.says("label-counts", &["0 to go"]);
        app.says("weights-by", &["weights by labels"]);
        assert_eq!(calibrated(app), figures);
    });
}
