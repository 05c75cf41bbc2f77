//! What the user says the persona does not sound like: off-brand texts in the form, and a control
//! sample of their own.

use crate::app::{in_app, mark};
use crate::persona::open_example;
use serde_json::json;

#[test]
fn off_brand_texts_are_edited_in_the_form_and_comments_stay() {
    in_app("persona-off-brand", "", |app| {
        app.click("open-example-persona");
        let persona =
            "exemplars: [x, y]\nnotes:\n  # never\n  off_brand: # stiff\n    - Dear customer\n";
        app.click("face-text");
        app.fill("input-persona", persona);
        app.click("face-form");
        app.unfold("off-brands");
        assert_eq!(app.value("off-brand-0"), "Dear customer");
        app.fill("off-brand-0", "Dear: valued customer");
        app.click("add-off-brand");
        app.fill("off-brand-1", "As per our policy");
        app.click("face-text");
        let wanted = "exemplars: [x, y]\nnotes:\n  # never\n  off_brand: # stiff\n    - \"Dear: valued customer\"\n    - \"As per our policy\"\n";
        let script = "const held = document.querySelector(arguments[0]).value;
            if (held === arguments[1]) return true; throw new Error(held);";
        let arguments = [json!(mark("input-persona")), json!(wanted)];
        app.browser
            .wait(30, "both texts in the persona", script, &arguments)
            .unwrap();
    });
}

#[test]
fn a_control_sample_of_ones_own_stands_in_the_place_of_the_one_that_ships() {
    let rows = |number: usize| -> String {
        let row = |at: usize| {
            format!(
                "{}\n",
                json!({"text": format!("Dear customer, request {at} was received by our team.")})
            )
        };
        (0..number).map(row).collect()
    };
    let mut kept = None;
    in_app("persona-control", "", |app| {
        open_example(app);
        app.says("section-voice", &["410 generic replies"]);
        app.fill("input-control", &rows(3));
        app.says(
            "voice-silent",
            &["the control sample has 3 texts, at least 20 are needed"],
        );
        app.fill("input-control", &rows(25));
        app.says(
            "section-voice",
            &["25 texts of the control sample that was given"],
        );
        kept = Some(app.permalink());
    });
    let link = kept.expect("the page came to its end");
    let fragment = &link[link.find('#').expect("a fragment")..];
    in_app("persona-control-link", fragment, |app| {
        app.start_embedding();
        app.says(
            "section-voice",
            &["25 texts of the control sample that was given"],
        );
    });
}
