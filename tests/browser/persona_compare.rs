//! Two runs of a persona side by side: pairs, differences, the gate, and the ways in and out.

use serde_json::json;

use crate::app::{App, in_app, mark};

const PERSONA: &str = "id: p\nlexicon:\n  preferred: [alpha, beta]\n  avoid: [gamma]\n";

fn run(texts: [&str; 4]) -> String {
    let places = [("a", 1), ("a", 2), ("b", 1), ("b", 2)];
    let rows = places
        .into_iter()
        .zip(texts)
        .map(|((session, turn), text)| {
            let user = format!("Question {turn} of {session}");
            json!({ "session_id": session, "turn": turn, "user": user, "assistant": text })
                .to_string()
        });
    rows.collect::<Vec<_>>().join("\n")
}

fn old() -> String {
    run(["alpha beta", "alpha", "alpha and beta", "beta"])
}

fn new() -> String {
    run(["alpha", "alpha beta", "gamma and beta", "beta"])
}

fn says(app: &App, id: &str, words: &str) {
    let script = "
        const said = document.querySelector(arguments[0])?.innerText ?? '(nothing)';
        if (said.includes(arguments[1])) return true;
        throw new Error(said);";
    app.browser
        .wait(60, id, script, &[json!(mark(id)), json!(words)])
        .unwrap();
}

#[test]
fn a_run_is_kept_as_the_baseline_and_the_next_one_is_held_against_it() {
    in_app("persona-compare", "#/persona", |app| {
        app.fill("input-persona", PERSONA);
        app.fill("input-transcript", &old());
        app.click("keep-baseline");
        app.fill("input-transcript", &new());
        app.start_embedding();
        says(app, "compare-gist", "4 replies paired by session and turn");
        // by hand: lexicon of the replies 1, .5, 1, .5 and then .5, 1, 0, .5
        says(
            app,
            "change-lexicon",
            "no difference that this data can show",
        );
        let pairs = "
            return [...document.querySelectorAll('[data-testid=pairs] > li')].map(row => [
                row.querySelector('strong').innerText,
                [...row.querySelectorAll('del, ins')].map(part => part.innerText.trim()),
            ]);";
        let rows = app.browser.run(pairs, &[]).unwrap();
        assert_eq!(rows[0], json!(["b turn 1", ["alpha", "gamma"]]), "{rows}");
        // the gate is set, missed, and travels with the work
        app.click("gate");
        app.fill("bar-worse-authenticity", "0.01");
        says(app, "gate-verdict", "The gate is missed.");
        says(app, "gate-verdict", "it may fall by 0.01");
        app.fill("bar-worse-authenticity", "0.9");
        says(app, "gate-verdict", "The gate is passed.");
        says(app, "gate", "--fail-worse authenticity=0.9");
        // a bare bar: no fall that the data shows; it takes the place of the other
        app.click("bar-no-fall-authenticity");
        says(app, "gate", "--fail-worse authenticity");
        let bare =
            "return !document.querySelector(arguments[0]).innerText.includes('authenticity=')";
        app.browser
            .wait(20, "a bare bar", bare, &[json!(mark("gate"))])
            .unwrap();
        says(app, "gate-verdict", "The gate is passed.");
        // the comparison leaves as a file
        let file: serde_json::Value =
            serde_json::from_str(&app.offered("compare-json")).expect("JSON");
        assert_eq!(file["paired_by"], "session_and_turn");
        assert_eq!(file["replies"][0]["session_id"], "b");
        let csv = app.offered("compare-csv");
        assert!(csv.contains("alpha and beta,gamma and beta"), "{csv}");
        assert!(
            app.offered("compare-markdown")
                .contains("no difference that this data can show")
        );
        // the other way round what was lost is won
        app.click("swap-baseline");
        let turned = "
            const first = document.querySelector('[data-testid=pairs] > li strong')?.innerText;
            if (first === 'a turn 2') return true;
            throw new Error(first);";
        app.browser.wait(60, "the pairs", turned, &[]).unwrap();
        app.click("remove-baseline");
        app.text("keep-baseline");
    });
}

#[test]
fn runs_without_common_ids_are_paired_by_what_they_answer() {
    in_app("persona-compare-prompts", "#/persona", |app| {
        app.fill("input-persona", PERSONA);
        app.fill(
            "input-transcript",
            &new().replace("\"session_id\":\"", "\"session_id\":\"x"),
        );
        app.fill("input-baseline", &old());
        app.start_embedding();
        says(
            app,
            "compare-gist",
            "4 replies paired by the text they answer",
        );
        says(app, "section-compare", "Over all sessions of each");
        // a baseline that cannot be read says so at its field, and leaves the verdict
        app.fill("input-baseline", "{\"session_id\": 1");
        says(app, "compare-waits", "The baseline cannot be read");
        app.text("overall");
    });
}

#[test]
fn a_run_with_another_persona_and_weights_is_taken_apart() {
    in_app("persona-compare-parts", "#/persona", |app| {
        app.fill("input-persona", PERSONA);
        app.fill("input-transcript", &new());
        app.fill("input-baseline", &old());
        app.start_embedding();
        says(app, "compare-gist", "4 replies paired");
        let is_absent = "return !document.querySelector(arguments[0])";
        let shown = app.browser.run(is_absent, &[json!(mark("split"))]).unwrap();
        assert_eq!(shown, json!(true));
        app.fill(
            "input-baseline_persona",
            "id: q\nlexicon:\n  preferred: [alpha]\n",
        );
        app.fill(
            "input-baseline_config",
            "scoring: {authenticity_weight: 1, safety_weight: 0, stability_weight: 0}\n",
        );
        // by hand: the lexicon is all of authenticity; one of one word in 1, 1, 1, 0 of the old replies
        let row = "
            const row = [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row =>
                [...row.cells].map(cell => cell.innerText.trim()));
            if (row[0]?.[1] === '0.750') return row[0];
            throw new Error(JSON.stringify(row));";
        let row = app
            .browser
            .wait(60, "the shares", row, &[json!(mark("split"))])
            .unwrap();
        let figures: Vec<f64> = (3..7)
            .map(|at| {
                let text = row[at].as_str().expect("text").replace('\u{2212}', "-");
                text.parse().expect("a number")
            })
            .collect();
        let [difference, shares @ ..] = &figures[..] else {
            panic!("{row}")
        };
        assert!(
            (shares.iter().sum::<f64>() - difference).abs() < 0.002,
            "{row}"
        );
        let file: serde_json::Value =
            serde_json::from_str(&app.offered("compare-json")).expect("JSON");
        assert_eq!(file["split"]["metrics"][0]["before"], 0.75);
        // the other way round the earlier one is on the bench, persona and weights with it
        app.click("swap-baseline");
        let turned = "
            const row = document.querySelector(arguments[0] + ' tbody tr');
            if (row?.cells[2].innerText.trim() === '0.750') return true;
            throw new Error(row?.innerText);";
        app.browser
            .wait(60, "the other way round", turned, &[json!(mark("split"))])
            .unwrap();
        assert!(app.value("input-persona").contains("id: q"));
        // a mistake stands at its field, and the comparison stays
        app.fill("input-baseline_persona", "exemplars: 7\n");
        let said = "
            const said = document.querySelector('#problems-baseline_persona')?.textContent ?? '';
            if (said.includes('expected a list of texts')) return true;
            throw new Error(said);";
        app.browser.wait(60, "its problem", said, &[]).unwrap();
        says(app, "compare-gist", "4 replies paired");
    });
}
