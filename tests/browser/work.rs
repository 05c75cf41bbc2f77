//! Work in progress: nothing typed is lost.

use crate::app::in_app;
use crate::debate;

#[test]
fn a_reload_keeps_the_text_and_the_weights() {
    in_app("reload", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        app.retype("weight-w_risk-number", "1.25");
        let expected = debate::computed(&text, &[("w_risk", 1.25)]);
        debate::agrees(app, &expected);
        app.browser.reload().unwrap();
        debate::agrees(app, &expected);
        assert_eq!(app.value("input-debate"), text);
    });
}

#[test]
fn a_reload_keeps_a_text_that_is_wrong() {
    in_app("reload-wrong", "#/constitution", |app| {
        app.fill("input-turns", "{ half a tur");
        let problems = app.problems();
        app.browser.reload().unwrap();
        assert_eq!(app.value("input-turns"), "{ half a tur");
        assert_eq!(app.problems(), problems);
    });
}

#[test]
fn a_text_that_is_pasted_over_a_finished_debate_leaves_it_under_recent() {
    in_app("pasted-over", "", |app| {
        app.click("open-example-debate");
        let text = app.example("input-debate");
        debate::agrees(app, &debate::computed(&text, &[]));
        app.wait(
            "bench-debate",
            "return localStorage.getItem('assay.desk.debate')?.includes('headline')",
        );
        app.click("face-text");
        app.fill("input-debate", "Dear diary, this is no debate.");
        app.browser.reload().unwrap();
        app.go("#/");
        let recent = "document.querySelector('.recent li button')";
        app.wait(
            "input-paste",
            &format!("return {recent}?.innerText.includes('wins')"),
        );
        app.browser
            .run(&format!("{recent}.click(); return true"), &[])
            .unwrap();
        debate::agrees(app, &debate::computed(&text, &[]));
    });
}

#[test]
fn no_input_breaks_the_page() {
    let deep = "[".repeat(50_000);
    let long = format!("{{\"candidates\": \"{}\"}}", "x".repeat(2_000_000));
    in_app("odd-input", "#/debate", |app| {
        for text in [
            "",
            " ",
            "\u{feff}",
            "null",
            "[]",
            "{}",
            "0",
            "1e999",
            "\"\\ud800\"",
            "{\"candidates\":[{},{}]}",
            "{\"candidates\":[{\"id\":\"A\",\"wins\":1e308,\"reviews\":[]},{\"id\":\"A\",\"reviews\":[{\"support\":-1}]}]}",
            "\u{202e}👩‍👩‍👧 <script>alert(1)</script>",
            &deep,
            &long,
        ] {
            for (bench, inputs) in [
                ("debate", &["debate"][..]),
                ("constitution", &["turns"]),
                ("persona", &["persona", "transcript"]),
            ] {
                app.go(&format!("#/{bench}"));
                for input in inputs {
                    app.fill(&format!("input-{input}"), text);
                }
                app.wait(
                    &format!("bench-{bench}"),
                    "return document.querySelector(arguments[0]).innerText !== ''",
                );
            }
        }
        let broken = app
            .browser
            .run(
                "return document.getElementById('broken')?.hidden ?? true",
                &[],
            )
            .unwrap();
        assert_eq!(broken, true, "the page says that it broke");
        // and it still works
        app.go("#/");
        app.click("open-example-debate");
        debate::agrees(app, &debate::computed(&app.example("input-debate"), &[]));
    });
}
