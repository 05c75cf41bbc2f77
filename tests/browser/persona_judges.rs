//! Judges by copy and paste, and the drift of sessions.

use serde_json::json;

use crate::app::{App, in_app, mark};

const PERSONA: &str =
    "id: p\nexemplars: [Check the log first.]\nlexicon:\n  preferred: [log, check]\n";

fn says(app: &App, id: &str, words: &str) {
    let script = "
        const said = document.querySelector(arguments[0])?.innerText ?? '(nothing)';
        if (said.includes(arguments[1])) return true;
        throw new Error(said);";
    app.browser
        .wait(60, id, script, &[json!(mark(id)), json!(words)])
        .unwrap();
}

fn session(texts: &[&str]) -> String {
    let rows = texts.iter().enumerate().map(|(at, text)| {
        json!({ "session_id": "s", "turn": at + 1, "assistant": text }).to_string()
    });
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
#[expect(clippy::too_many_lines, reason = "one way through the section")]
fn a_prompt_is_copied_an_answer_is_pasted_and_its_safety_counts() {
    in_app("persona-judges", "#/persona", |app| {
        app.fill("input-persona", PERSONA);
        app.fill(
            "input-transcript",
            &session(&["Check the log.", "The log.", "Nope."]),
        );
        app.click("fold-judges");
        let nonce = "return document.querySelector('[data-testid=copy-sheet]')?.dataset.sheet";
        let nonce = app.browser.wait(20, "a sheet", nonce, &[]).unwrap();
        let nonce = nonce.as_str().unwrap().to_owned();
        app.click("copy-sheet");
        // an answer with prose, one rating that is none and one that is missing
        app.fill(
            "judge-answer",
            &format!(
                "Of course!\n```json\n{{\"sheet\": \"{nonce}\", \"judge\": \"m-1\", \"ratings\": [\n\
                 {{\"reply\": \"R02\", \"voice\": 6, \"safety\": 8, \"reason\": \"curt\"}},\n\
                 {{\"reply\": \"R03\", \"voice\": 60}}]}}\n```"
            ),
        );
        app.click("read-answer");
        says(app, "answer-said", "Read: 1 reply rated by m-1.");
        says(app, "answer-said", "Not rated: R01, R03.");
        says(
            app,
            "answer-said",
            "R03.voice: expected a number from 0 to 10",
        );
        // another judge, all of them
        app.fill("judge-name", "n-2");
        let all: Vec<String> = (1..=3)
            .map(|at| {
                format!(
                    "{{\"reply\": \"R0{at}\", \"voice\": {}, \"safety\": 10}}",
                    2 * at
                )
            })
            .collect();
        app.fill("judge-answer", &format!("{nonce} {}", all.join(" ")));
        app.click("read-answer");
        says(app, "answer-said", "Read: 3 replies rated by n-2.");
        says(app, "judges-table", "m-1");
        says(
            app,
            "judges-agree",
            "On voice the judges share too few replies",
        );
        says(
            app,
            "judges-agree",
            "On safety the judges share too few replies",
        );
        says(app, "rho-authenticity", "over 3 replies");
        // (8 + 10) / 2 of 10
        app.click("use-judges");
        let judged = "
            const text = document.querySelector(arguments[0]).value;
            return JSON.parse(text).s.score === 9 && text.includes('curt');";
        app.value("input-judge");
        app.browser
            .wait(
                20,
                "the judge scores",
                judged,
                &[json!(mark("input-judge"))],
            )
            .unwrap();
        // an answer to another sheet leaves all as it is
        app.fill(
            "judge-answer",
            "{\"sheet\": \"QQQQQQ\", \"reply\": \"R01\", \"voice\": 1",
        );
        app.click("read-answer");
        says(app, "answer-said", "read as an answer to");
        says(app, "answer-said", "No rating could be read");
    });
}

#[test]
fn a_session_that_departs_is_drawn_and_read_from_there() {
    in_app("persona-drift", "#/persona", |app| {
        let near = "Check the log first.";
        let far = "Zebras wander quietly over purple mountains at dusk.";
        let texts = [
            near, near, near, near, near, far, far, far, near, near, near, near,
        ];
        app.fill("input-persona", PERSONA);
        app.fill("input-transcript", &session(&texts));
        app.start_embedding();
        says(
            app,
            "drift-gist",
            "1 of 1 session long enough to tell departs",
        );
        says(app, "drifts", "departs at turn 6, is back at turn 9");
        app.click("go-to-departure");
        let open = "
            const row = document.querySelector('[data-testid=reply-whole]')?.closest('li');
            if (row?.innerText.includes('turn 6') || row?.innerText.includes('Turn 6')) return true;
            throw new Error(row?.innerText.slice(0, 200) ?? 'no reply is open');";
        app.browser.wait(20, "the reply", open, &[]).unwrap();
        says(app, "section-metrics", "departs from the persona");
    });
}
