//! Why one candidate stands before another, on the page; and what is said where it matters.

use crate::app::{App, in_app, mark};
use assay::debate::{Board, Options, Profiles, read};
use serde_json::{Value, json};

/// Opens a row of the result and asks why.
fn ask_why(app: &App, id: &str) {
    app.browser
        .click(&format!("{} .row-open", mark(&format!("row-{id}"))))
        .unwrap();
    app.click(&format!("why-{id}"));
    app.text("against");
}

#[test]
fn a_row_says_why_it_is_not_first() {
    in_app("against", "", |app| {
        app.click("open-example-debate");
        let payload = read(&app.example("input-debate")).result.expect("valid");
        let options = Options::default();
        let found = |weights: &[(&str, f64)], one: &str, other: &str| {
            let weights = weights.iter();
            let options = Options {
                weights: weights
                    .map(|(name, value)| ((*name).to_owned(), *value))
                    .collect(),
                ..options.clone()
            };
            let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
            board.against(one, other).expect("two candidates")
        };
        let shown = |expected: &assay::debate::Against| {
            let script = "const text = document.querySelector(arguments[0]).innerText;
                if (arguments[1].every(words => text.includes(words))) return true;
                throw new Error(text);";
            let words: Vec<&String> = [&expected.sentence].into_iter().collect();
            let arguments = [json!(mark("against")), json!(words)];
            app.browser
                .wait(20, "the comparison", script, &arguments)
                .unwrap();
            for term in &expected.terms {
                let id = format!("against-{}", term.term);
                let script = "return [Number(document.querySelector(arguments[0]).lastElementChild.dataset.value)]";
                assert_eq!(app.wait(&id, script)[0], json!(term.difference), "{id}");
            }
            let gap = "return [Number(document.querySelector(arguments[0]).dataset.value)]";
            assert_eq!(app.wait("against-gap", gap)[0], json!(expected.gap));
        };
        ask_why(app, "Split");
        shown(&found(&[], "Split", "Ladder"));
        // beside another, and while a weight moves
        let choose = "const list = document.querySelector(arguments[0]);
            list.value = 'Options';
            list.dispatchEvent(new Event('change', { bubbles: true }));
            return list.value === 'Options';";
        app.wait("against-with-Split", choose);
        shown(&found(&[], "Split", "Options"));
        app.retype("weight-w_risk-number", "2.5");
        shown(&found(&[("w_risk", 2.5)], "Split", "Options"));
        // closed again, and of one that is out
        app.click("why-Split");
        ask_why(app, "Wait");
        shown(&found(&[("w_risk", 2.5)], "Wait", "Ladder"));
    });
}

const REVIEW: &str =
    r#"{"debater": "P", "support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}"#;

/// A debate of two with this before its candidates, and these wins of A.
fn two(before: &str, wins: u8) -> String {
    format!(
        r#"{{{before}"candidates": [{{"id": "A", "wins": {wins}, "reviews": [{REVIEW}]}},
        {{"id": "B", "wins": 0, "reviews": [{{"debater": "P", "support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}}]}}]}}"#
    )
}

#[test]
fn what_a_verdict_rests_on_is_said_beside_it() {
    in_app("against-cautions", "#/debate", |app| {
        let idle = "Nobody has won a head-to-head";
        app.fill("input-debate", &two("", 0));
        let says = |id: &str, words: &str| {
            let script = format!(
                "return document.querySelector(arguments[0]).innerText.includes({})",
                json!(words)
            );
            app.wait(id, &script);
        };
        says("verdict", idle);
        says("firm", "It rests on P alone.");
        app.fill("input-debate", &two("", 1));
        says("verdict", "A wins");
        assert!(!app.text("verdict").contains(idle));
        app.fill("input-debate", &two("\n\"domain\": \"medical\", ", 1));
        says("domain-used", "no domain “medical”");
        assert_eq!(app.problems().first(), Some(&(2, 11)));
        app.fill(
            "input-debate",
            &two(
                "\"question\": \"How do we deploy?\", \"domain\": \"auto\", ",
                1,
            ),
        );
        says("one-keyword", "“deploy”");
        // the verdict of each domain, in words and in the table
        says("by-domain", "Under all 9 sets of weights: A wins.");
        app.click("table-domains");
        says("row-domains-verdict", "A wins");
    });
}

#[test]
fn a_comma_too_many_paints_no_name() {
    in_app("against-slip", "#/debate", |app| {
        let slipped = two("", 1).replace("\"critical_fail\": 0}]", "\"critical_fail\": 0,}]");
        app.fill("input-debate", &slipped);
        assert!(!app.problems().is_empty());
        app.click("face-form");
        let invalid = "return [document.querySelector(arguments[0]).getAttribute('aria-invalid')]";
        let of = |id: &str| -> Value { app.wait(id, invalid)[0].clone() };
        assert_eq!(of("debater-0"), "false");
        assert_eq!(of("candidate-0"), "false");
    });
}

#[test]
fn several_debates_stand_side_by_side_with_how_each_model_did() {
    in_app("against-series", "#/debate", |app| {
        let line = |wins: u8| {
            let text = two("\"question\": \"Which, jane@posteo.net?\", ", wins).replace('\n', " ");
            text.replace("\"id\": \"A\"", "\"id\": \"A\", \"model\": \"opus\"")
        };
        let texts = [line(1), line(0), "{\"candidates\": []}".to_owned()];
        app.fill("input-debate", &texts.join("\n"));
        let told = "const text = document.querySelector(arguments[0]).innerText;
            if (text === 'opus wins 2 of 2 debates, with a mean rank of 1.00. 1 has an error and no verdict.') return true;
            throw new Error(text);";
        app.wait("series-told", told);
        let verdict = "return document.querySelector(arguments[0]).cells[1].innerText === 'A wins'";
        app.wait("row-series-1", verdict);
        app.wait("row-series-2", verdict);
        // the table asks before it leaves
        app.click("series-csv");
        app.says("private", &["2 mail addresses are in this file."]);
        let csv = app.offered("private-mask");
        assert!(
            csv.contains("Which, [mail 1]?") && !csv.contains("posteo"),
            "{csv}"
        );
        // a weight weighs them all
        app.retype("weight-w_base-number", "0.1");
        let verdict = "return document.querySelector(arguments[0]).cells[1].innerText === 'Not enough to decide'";
        app.wait("row-series-2", verdict);
        // one more is on the bench, and empty
        app.click("face-form");
        app.click("add-debate");
        app.wait(
            "ratings",
            "return document.querySelector(arguments[0]).innerText.includes('0 of 6 ratings')",
        );
        assert_eq!(app.value("input-debate").lines().count(), 4);
    });
}
