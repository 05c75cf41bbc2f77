//! What the user has themselves: off-brand texts in the form, a control sample, and good replies of
//! which a persona is drafted.

use crate::app::{App, in_app, mark};
use crate::persona::{computed, open_example};
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

/// The page's JSON of what it was taught is the command line's.
fn told_alike(app: &App, persona: String) {
    let page: serde_json::Value = serde_json::from_str(&app.offered("export-json")).expect("JSON");
    let command = computed(&[persona, app.value("input-transcript")], &[]);
    assert_eq!(page["notes"], command["notes"]);
    let near = |one: &serde_json::Value, other: &serde_json::Value| {
        let figure = |value: &serde_json::Value| value.as_f64().expect("a figure");
        let (one, other) = (figure(one), figure(other));
        assert!((one - other).abs() < 1e-4, "{one}, {other}");
    };
    assert_eq!(page["taught"][0]["trait"], "dry_wit");
    near(&page["taught"][0]["mean"], &command["taught"][0]["mean"]);
    for turn in 0..2 {
        let of = |result: &serde_json::Value| {
            result["sessions"][0]["turns"][turn]["taught"][0]["value"].clone()
        };
        near(&of(&page), &of(&command));
    }
}

#[test]
fn a_word_without_a_detector_is_taught_in_the_form_and_told_as_on_the_command_line() {
    let transcript = [
        "Oh good, it rains again.",
        "Your request has been received and will be processed.",
    ];
    let rows = transcript.iter().enumerate().map(|(at, text)| {
        json!({ "session_id": "s", "turn": at + 1, "assistant": text }).to_string()
    });
    let transcript = rows.collect::<Vec<_>>().join("\n");
    in_app("persona-taught", "#/persona", |app| {
        app.text("bench-persona");
        let persona =
            "id: p\nlexicon: {preferred: [good]}\nstyle_rules:\n  tone: [friendly, dry wit]\n";
        app.click("face-text");
        app.fill("input-persona", persona);
        app.fill("input-transcript", &transcript);
        app.click("face-form");
        app.says("trait-examples", &["Traits by examples", "dry wit"]);
        for (at, text) in [
            "Oh good, another meeting about meetings.",
            "Sure, because that worked so well last time.",
        ]
        .iter()
        .enumerate()
        {
            app.click("add-trait-0");
            app.fill(&format!("trait-0-{at}"), text);
        }
        app.start_embedding();
        app.says("taught-means", &["dry wit", "2 examples"]);
        // opened, a reply has its score and what made it
        app.click("face-text");
        let held = app.value("input-persona");
        assert!(
            held.contains("trait_examples:\n  dry_wit:\n    - "),
            "{held}"
        );
        let open = "document.querySelector('[data-testid=reply] .row-open').click(); return true";
        app.browser.run(open, &[]).unwrap();
        app.says("taught", &["dry wit", "for it: ", "against it: "]);
        told_alike(app, held);
        let csv = app.offered("export-csv");
        assert!(csv.contains(",trait dry_wit,style_by,"), "{csv}");
        assert!(app.offered("export-md").contains("dry wit by examples"));
    });
}

#[test]
fn a_prompt_for_a_judge_and_labels_ask_before_they_leave() {
    let reply = r#"{"session_id": "s", "turn": 4, "assistant": "Write to jane@posteo.net"}"#;
    in_app("persona-private-ways", "#/persona", |app| {
        app.fill("input-persona", "lexicon: {preferred: [write], avoid: []}");
        app.fill("input-transcript", reply);
        app.text("verdict");
        let copied = "
            window.copied = undefined;
            navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); };
            return true";
        app.browser.run(copied, &[]).unwrap();
        app.click("fold-judges");
        app.click("copy-sheet");
        app.says("private", &["A mail address is in this prompt."]);
        app.click("private-mask");
        let masked =
            "return window.copied?.includes('[mail 1]') && !window.copied.includes('posteo')";
        app.browser
            .wait(20, "a masked prompt", masked, &[])
            .unwrap();
        // a label is a row with its turn, and leaves in the same way
        app.click("fold-labels");
        app.click("label-start");
        app.text("label-text");
        app.browser.press(&["1"]).unwrap();
        app.says("label-counts", &["1 on brand"]);
        app.click("save-labels");
        app.text("private");
        let labels = app.offered("private-keep");
        let row: serde_json::Value = serde_json::from_str(labels.trim()).expect("a row");
        assert_eq!((&row["turn_index"], &row["label"]), (&json!(4), &json!(1)));
        assert_eq!(row["text"], "Write to jane@posteo.net");
    });
}

#[test]
fn a_reply_that_cannot_be_read_has_no_wrong_number() {
    let rows = [
        json!({ "session_id": "s", "turn": 1, "assistant": "Check the log first." }),
        json!({ "session_id": "s", "turn": 2, "assistant": "まずログを確認してください。お願いします。" }),
    ];
    let transcript = rows.map(|row| row.to_string()).join("\n");
    in_app("persona-unread", "#/persona", |app| {
        app.fill(
            "input-persona",
            "exemplars: [Check the log first.]\nstyle_rules: {formality: casual}",
        );
        app.fill("input-transcript", &transcript);
        app.start_embedding();
        app.text("grade");
        // last, though its figure would be the lower one
        let row = |at: u32| format!("document.querySelectorAll('[data-testid=reply]')[{at}]");
        let last = format!("return {}?.innerText.includes('turn 2')", row(1));
        app.browser.wait(60, "the order", &last, &[]).unwrap();
        let value = format!(
            "return {}.querySelector('.authenticity').dataset.value ?? ''",
            row(1)
        );
        assert_eq!(app.browser.run(&value, &[]).unwrap(), json!(""));
        let open = format!("{}.querySelector('.row-open').click(); return true", row(1));
        app.browser.run(&open, &[]).unwrap();
        app.says(
            "reply-unread",
            &["Cannot be judged: in another script than Latin."],
        );
        app.says("reply-whole", &["authenticity –", "style –"]);
        let csv = app.offered("export-csv");
        let line = csv
            .lines()
            .find(|line| line.starts_with("s,2,"))
            .expect("a row");
        assert!(
            line.starts_with("s,2,,,,") && line.contains("in another script than Latin"),
            "{line}"
        );
    });
}
