//! What the user has themselves: off-brand texts in the form, a control sample, and good replies of
//! which a persona is drafted.

use crate::app::{in_app, mark};
use crate::persona::open_example;
use serde_json::json;

#[test]
fn off_brand_texts_are_edited_in_the_form_and_comments_stay() {
    in_app("persona-off-brand", "#/persona", |app| {
        app.text("bench-persona");
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

#[test]
fn good_replies_become_a_proposal_and_the_proposal_a_persona() {
    in_app("persona-draft", "#/persona", |app| {
        app.text("bench-persona");
        app.click("fold-draft");
        app.text("draft-start");
        app.fill("input-examples", "one\ntwo");
        app.click("draft-start");
        app.says("draft", &["5 good replies at least are needed, here are 2"]);
        let replies: Vec<String> = (0..14)
            .map(|at| format!("arr matey, cask {at} is yer prize!! gonna sail at dawn lol"))
            .collect();
        app.fill("input-examples", &replies.join("\n"));
        app.click("draft-start");
        app.says(
            "draft",
            &[
                "A proposal, of 14 examples",
                "matey",
                "in 14 of 14 examples, in 0 of 410 others",
                "formality: casual",
            ],
        );
        // the voice of the proposal was learned, each exemplar left out once
        let auc = app.wait(
            "draft-auc",
            "const auc = parseFloat(document.querySelector(arguments[0]).innerText); return auc > 0 && auc;",
        );
        assert!(auc.as_f64().expect("a number") > 0.9, "{auc}");
        app.fill("draft-name", "Old Salt");
        // what is ticked off is not in the persona
        let tick = "document.querySelector('.draft-part input').click(); return true";
        app.browser.run(tick, &[]).unwrap();
        app.click("draft-use");
        app.click("face-text");
        app.wait(
            "input-persona",
            "const text = document.querySelector(arguments[0]).value;
             if (text.includes('display_name: \"Old Salt\"') && (text.match(/cask [0-9]+ is yer/g) ?? []).length === 11) return true;
             throw new Error(text);",
        );
        app.click("undo");
        app.wait(
            "input-persona",
            "return document.querySelector(arguments[0]).value === ''",
        );
    });
}

#[test]
fn the_replies_that_are_listed_become_examples() {
    in_app("persona-draft-replies", "", |app| {
        open_example(app);
        app.fill("reply-find", "brake");
        let count = app.text("reply-count");
        app.click("draft-of-replies");
        let number: usize = count
            .split(' ')
            .next()
            .and_then(|word| word.parse().ok())
            .expect("a number");
        let examples = app.value("input-examples");
        assert_eq!(examples.lines().count(), number, "{count}: {examples}");
        app.text("draft-start");
    });
}

#[test]
fn personal_data_is_masked_in_what_leaves_and_the_work_stays() {
    let mut kept = None;
    let reply = r#"{"session_id": "s", "turn": 1, "assistant": "Write to jane@posteo.net or 415-555-2671, jane@posteo.net"}"#;
    in_app("persona-private", "#/persona", |app| {
        app.text("bench-persona");
        app.click("face-text");
        app.fill("input-persona", "lexicon: {preferred: [write], avoid: []}");
        app.fill("input-transcript", reply);
        app.text("verdict");
        app.click("share");
        app.says(
            "private",
            &["2 mail addresses and a phone number are in this link."],
        );
        app.click("private-mask");
        let link = app.wait(
            "share-link",
            "return document.querySelector(arguments[0]).value",
        );
        assert_eq!(app.value("input-transcript"), reply);
        kept = link.as_str().map(str::to_owned);
        app.click("export-csv");
        app.says("private", &["are in this file"]);
        let csv = app.offered("private-mask");
        assert!(
            csv.contains("Write to [mail 1] or [phone 1], [mail 1]"),
            "{csv}"
        );
        app.click("export-csv");
        app.text("private");
        assert!(app.offered("private-keep").contains("jane@posteo.net"));
        app.click("export-json");
        app.text("private");
        let json = app.offered("private-mask");
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["masked"], json!({"mail": 2, "phone": 1}));
        assert_eq!(
            json["sessions"][0]["turns"][0]["text"],
            "Write to [mail 1] or [phone 1], [mail 1]"
        );
    });
    let link = kept.expect("a link");
    let fragment = &link[link.find('#').expect("a fragment")..];
    in_app("persona-private-link", fragment, |app| {
        app.says(
            "notice",
            &["Masked before it was shared: 2 mail addresses and a phone number"],
        );
        assert!(
            app.value("input-transcript")
                .contains("Write to [mail 1] or [phone 1]")
        );
    });
}
