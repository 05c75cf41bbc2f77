//! Charts and tables that are taken along, each read by a reader of its kind.

use crate::app::{App, in_app};
use crate::harness::engine::Engine;
use serde_json::{Value, json};

/// What goes to the clipboard from now on is heard.
const LISTEN: &str = "
    navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); };
    navigator.clipboard.write = items => items[0].getType('image/png')
        .then(blob => createImageBitmap(blob))
        .then(picture => { window.copied = `${picture.width}x${picture.height}`; });
    window.copied = undefined;
    return true";

/// What is copied by a button.
fn copied(app: &App, id: &str) -> String {
    app.browser.run("window.copied = undefined", &[]).unwrap();
    app.click(id);
    let text = app.browser.wait(30, id, "return window.copied", &[]);
    text.unwrap().as_str().unwrap().to_owned()
}

/// The size of the PNG that is saved by a button, as a browser decodes it.
fn saved_size(app: &App, id: &str) -> Value {
    let watch = "
        window.size = undefined;
        const make = window.madeUrl ??= URL.createObjectURL;
        URL.createObjectURL = blob => {
            createImageBitmap(blob).then(picture => { window.size = [blob.type, picture.width, picture.height]; });
            return make.call(URL, blob);
        };";
    app.browser.run(watch, &[]).unwrap();
    app.click(id);
    app.browser.wait(30, id, "return window.size", &[]).unwrap()
}

/// The charts of a bench's example, each drawn; their names.
fn drawn(app: &App, bench: &str) -> Vec<String> {
    app.click(&format!("open-example-{bench}"));
    app.text("verdict");
    app.click("export-figures");
    // WebKit gives the width that it is shown with
    let is_other = Engine::chosen().unwrap() == Engine::Webkit;
    let script = "
        const all = [...document.querySelectorAll('.taken img')];
        const is_drawn = img => img.complete && (img.naturalWidth === 640 || arguments[0] && img.naturalWidth > 0);
        return all.length > 0 && all.every(is_drawn) && all.map(img => img.dataset.testid.replace('figure-', ''));";
    let given = [json!(is_other)];
    let names = app
        .browser
        .wait(30, "drawn charts", script, &given)
        .unwrap();
    serde_json::from_value(names).unwrap()
}

#[test]
fn charts_leave_as_pictures_and_data_and_tables_as_cells() {
    in_app("figures", "", |app| {
        assert_eq!(drawn(app, "debate"), ["contributions"]);
        app.browser.run(LISTEN, &[]).unwrap();
        // as a file, as text on the clipboard, and as pictures of two sizes
        let svg = app.offered("save-svg-contributions");
        let read = roxmltree::Document::parse(&svg).unwrap();
        let size = |name| read.root_element().attribute(name).unwrap().parse::<f64>();
        let (width, height) = (size("width").unwrap(), size("height").unwrap());
        assert_eq!(copied(app, "copy-svg-contributions"), svg);
        let one = saved_size(app, "save-png-contributions");
        assert_eq!(one, json!(["image/png", width as u32, height as u32]));
        let two = (2 * width as u32, 2 * height as u32);
        let large = saved_size(app, "save-2x.png-contributions");
        assert_eq!(large, json!(["image/png", two.0, two.1]));
        let picture = copied(app, "copy-2x.png-contributions");
        assert_eq!(picture, format!("{}x{}", two.0, two.1));
        // the same numbers in a specification
        let spec: Value = serde_json::from_str(&app.offered("save-vl.json-contributions")).unwrap();
        assert!(spec["$schema"].as_str().unwrap().contains("vega-lite/v5"));
        let result: Value = serde_json::from_str(&app.offered("export-json")).unwrap();
        let first = &result["results"][0];
        let cells = copied(app, "copy-TSV-Candidates");
        let cells: Vec<Vec<&str>> = cells
            .lines()
            .map(|line| line.split('\t').collect())
            .collect();
        assert!(cells.iter().all(|line| line.len() == cells[0].len()));
        assert!(
            cells[1].contains(&first["id"].as_str().unwrap()),
            "{cells:?}"
        );
        let table = copied(app, "copy-Markdown-Weights");
        assert!(
            table.contains("| --- |") || table.contains("|---|"),
            "{table}"
        );
        // dark is another picture, and a weight another chart
        app.click("figures-dark");
        let dark = app.offered("save-svg-contributions");
        assert_ne!(dark, svg);
        app.retype("weight-w_risk-number", "2.5");
        let script =
            "return decodeURIComponent(document.querySelector('.taken img').src) !== arguments[0]";
        let before = json!(format!("data:image/svg+xml;charset=utf-8,{dark}"));
        app.browser
            .wait(30, "another chart", script, &[before])
            .unwrap();
        app.click("figures-close");
        let gone = "return document.querySelector('.figures-panel') === null";
        app.browser.wait(30, "closed", gone, &[]).unwrap();
    });
}

#[test]
fn charts_of_turns_are_drawn_without_a_question() {
    in_app("figures-turns", "", |app| {
        let names = drawn(app, "constitution");
        assert!(names.contains(&"principles".to_owned()), "{names:?}");
        for name in names {
            let svg = app.offered(&format!("save-svg-{name}"));
            assert!(roxmltree::Document::parse(&svg).is_ok(), "{name}");
        }
    });
}
