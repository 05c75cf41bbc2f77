//! What is hostile and what goes wrong for real: texts that would break out of their place, a
//! program that traps, workers that end or loop, markup and scripts that the policy refuses.

use crate::app::{App, can, in_app, in_trouble};
use crate::embedding::machine;
use crate::harness::driver::Browser;
use crate::harness::engine::Ability;
use crate::harness::site::Fault;
use crate::persona::{agrees, computed, inputs};
use serde_json::{Value, json};

/// What is wider than the window, if the page scrolls sideways.
fn sideways(app: &App) -> Value {
    let script = "
        const page = document.documentElement;
        if (page.scrollWidth <= page.clientWidth) return [];
        const wide = e => e.getBoundingClientRect().right > page.clientWidth + 1;
        const found = [...document.querySelectorAll('body *')].filter(wide);
        return found.map(e => e.outerHTML.slice(0, 90)).slice(-6);";
    app.browser.run(script, &[]).unwrap()
}

fn number(browser: &Browser, script: &str) -> f64 {
    browser.run(script, &[]).unwrap().as_f64().unwrap()
}

/// On a phone's screen where there is another, and on the one there is.
fn on_screens(app: &App, look: impl Fn()) {
    look();
    if can(Ability::Screen) {
        app.browser.screen(390, 844, false).unwrap();
        look();
    }
}

#[test]
fn a_bench_opens_at_its_top() {
    in_app("hostile-top", "", |app| {
        if can(Ability::Screen) {
            app.browser.screen(390, 844, false).unwrap();
        }
        for bench in ["debate", "constitution", "persona"] {
            app.go("#/");
            app.text(&format!("open-example-{bench}"));
            app.browser
                .run("scrollTo(0, 500); return true", &[])
                .unwrap();
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            let at_top = "return [scrollY].find(y => y === 0) === 0";
            app.browser.wait(20, "top", at_top, &[]).unwrap();
        }
    });
}

/// A debate with names that write backwards, pile up marks, and never end.
fn debate_of_hostile_names() -> String {
    let names = [
        "\u{202e}Alpha".to_owned(),
        format!("Beta{}", "\u{0301}".repeat(3000)),
        "G".repeat(100_000),
        "W".repeat(400),
    ];
    let candidates: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(wins, id)| {
            json!({ "id": id, "wins": wins, "model": id, "reviews": [
                { "debater": id, "support": 2, "evidence": wins % 3, "major_risks": 0, "critical_fail": 0 }
            ]})
        })
        .collect();
    json!({ "question": "Q".repeat(5000), "candidates": candidates }).to_string()
}

#[test]
fn names_that_would_break_out_stay_in_their_place() {
    in_app("hostile-names", "#/debate", |app| {
        app.fill("input-debate", &debate_of_hostile_names());
        app.says("verdict", &["apart"]);
        let verdict = app.text("verdict");
        assert!(!verdict.contains('\u{202e}'), "{verdict}");
        app.text("section-debaters");
        on_screens(app, || {
            assert_eq!(sideways(app), json!([]), "sideways");
            let height = number(&app.browser, "return document.body.scrollHeight");
            assert!(height < 20_000.0, "{height} px high");
            // nothing is drawn above or below its own line
            let marks = "return [...document.querySelectorAll('.result-section')].filter(e => e.scrollHeight > e.clientHeight + 60).length";
            assert!(number(&app.browser, marks) < 1.0, "marks over others");
        });
    });
}

#[test]
fn a_long_word_of_the_lexicon_stays_in_the_form() {
    in_app("hostile-words", "#/persona", |app| {
        let word = "x".repeat(400);
        let persona = format!(
            "id: x\ntone: [{word}]\nlexicon:\n  preferred: [{word}, a]\n  avoided: [{word}]\nexemplars:\n  - {word}\n"
        );
        app.fill("input-persona", &persona);
        let form =
            "document.querySelector('.face-switch button:first-child')?.click(); return true";
        app.browser.run(form, &[]).unwrap();
        app.text("persona-form");
        on_screens(app, || {
            assert_eq!(sideways(app), json!([]), "sideways");
            let outside = "return [...document.querySelectorAll('.chip button, .chips button')].filter(e => e.getBoundingClientRect().right > innerWidth).length";
            assert!(
                number(&app.browser, outside) < 1.0,
                "a button off the screen"
            );
        });
    });
}

#[test]
fn letters_of_twice_the_size_need_no_sideways_scrolling() {
    if !can(Ability::Devtools) {
        return;
    }
    in_app("hostile-letters", "", |app| {
        app.browser.screen(390, 844, false).unwrap();
        let sizes = json!({ "fontSizes": { "standard": 32, "fixed": 26 } });
        app.browser.devtools("Page.setFontSizes", &sizes).unwrap();
        app.browser.reload().unwrap();
        for bench in ["debate", "constitution", "persona"] {
            app.go("#/");
            app.text(&format!("open-example-{bench}"));
            let size = "return parseFloat(getComputedStyle(document.documentElement).fontSize)";
            let size = number(&app.browser, size);
            assert!(size >= 30.0, "the letters stayed small: {size}");
            assert_eq!(sideways(app), json!([]), "the start page");
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            assert_eq!(sideways(app), json!([]), "{bench}");
        }
    });
}

#[test]
fn a_grid_of_fifty_thousand_ratings_is_drawn_in_part() {
    in_app("hostile-grid", "#/debate", |app| {
        let candidates: Vec<Value> = (0..100)
            .map(|n| {
                let reviews: Vec<Value> = (0..500)
                    .map(|d| json!({ "debater": format!("d{n}-{d}"), "support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0 }))
                    .collect();
                json!({ "id": format!("c{n}"), "wins": 0, "reviews": reviews })
            })
            .collect();
        app.fill(
            "input-debate",
            &json!({ "candidates": candidates }).to_string(),
        );
        app.says("verdict", &["c"]);
        let elements = number(&app.browser, "return document.querySelectorAll('*').length");
        assert!(elements < 15_000.0, "{elements} elements");
    });
}

#[test]
fn a_rating_goes_into_the_column_that_was_pressed() {
    in_app("hostile-column", "#/debate", |app| {
        let rating = |debater: &str| {
            format!(
                "{{{debater}\"support\": 1, \"evidence\": 1, \"major_risks\": 0, \"critical_fail\": 0}}"
            )
        };
        let (nameless, named) = (rating(""), rating("\"debater\": \"d\", "));
        let text = format!(
            "{{\"candidates\": [{{\"id\": \"A\", \"wins\": 0, \"reviews\": [{nameless}]}}, {{\"id\": \"B\", \"wins\": 0, \"reviews\": [{named}]}}]}}"
        );
        app.fill("input-debate", &text);
        let form =
            "document.querySelector('.face-switch button:first-child')?.click(); return true";
        app.browser.run(form, &[]).unwrap();
        app.text("debate-form");
        app.unfold("debate-form");
        let columns = "
            const cells = [...document.querySelectorAll('[id^=reviews-1-]')].filter(e => /^reviews-1-[0-9]+-0$/.test(e.id));
            return cells.map(e => [e.id, e.dataset.value ?? '']);";
        let before: Vec<(String, String)> =
            serde_json::from_value(app.browser.run(columns, &[]).unwrap()).unwrap();
        let empty: Vec<&String> = before
            .iter()
            .filter(|(_, value)| value.is_empty())
            .map(|(id, _)| id)
            .collect();
        assert_eq!(empty.len(), 1, "{before:?}");
        let cell = format!("#{} [data-key='2']", empty[0]);
        app.browser.click(&cell).unwrap();
        let is_two = format!(
            "const cell = document.getElementById('{}'); if (cell?.dataset.value === '2') return true; throw new Error(document.querySelector('[data-testid=reviews]')?.outerHTML.slice(0, 900))",
            empty[0]
        );
        app.browser.wait(20, "the rating", &is_two, &[]).unwrap();
        let after: Vec<(String, String)> =
            serde_json::from_value(app.browser.run(columns, &[]).unwrap()).unwrap();
        assert_eq!(after.len(), before.len(), "{after:?}");
    });
}

/// A program that does nothing but trap, and is called in a task of its own.
const TRAP: &str = "
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 116, 0, 0, 10, 5, 1, 3, 0, 0, 11];
    // a driver's script may have a world of its own: this is the page's
    const { Module, Instance } = window.WebAssembly;
    window.setTimeout(new Instance(new Module(new window.Uint8Array(bytes))).exports.t);
    return true";

#[test]
fn a_trap_is_heard_wherever_it_happens() {
    in_trouble("hostile-trap", "#/debate", |app| {
        app.fill("input-debate", "[\"mine\"]");
        let kept = "return Object.values(localStorage).some(text => text.includes('mine'))";
        app.browser.wait(20, "kept", kept, &[]).unwrap();
        app.browser.run(TRAP, &[]).unwrap();
        let said = "const banner = document.getElementById('broken'); return !banner.hidden && banner.innerText";
        let said = app.browser.wait(20, "banner", said, &[]).unwrap();
        assert!(said.as_str().unwrap().contains("is kept"), "{said}");
    });
}

/// A worker whose third text is its end: it closes itself, or comes back from nothing.
const CLOSES: &str = "{ let told = 0; addEventListener('message', ({ data }) => { if (String(data).includes('\"embed\"') && ++told === 3) { close(); throw new Error('closed'); } }); }";
const LOOPS: &str = "{ let told = 0; addEventListener('message', ({ data }) => { if (String(data).includes('\"embed\"') && ++told === 3) for (;;); }); }";

#[test]
fn a_worker_that_closes_itself_or_loops_is_replaced() {
    for (name, end) in [("hostile-closes", CLOSES), ("hostile-loops", LOOPS)] {
        in_trouble(name, "", |app| {
            machine(app, 1);
            app.site.fail("embedder_start.js", &[Fault::Begins(end)]);
            app.click("open-example-persona");
            app.text("bench-persona");
            app.start_embedding();
            agrees(app, &computed(&inputs(app), &[]));
            let workers = app.browser.run("return window.workers.length", &[]);
            assert_eq!(workers.unwrap(), json!(2), "{name}");
        });
    }
}

#[test]
fn markup_that_runs_and_scripts_from_elsewhere_are_refused() {
    in_trouble("hostile-markup", "", |app| {
        app.text("open-example-debate");
        let has = app
            .browser
            .run("return typeof trustedTypes === 'object'", &[]);
        if has.unwrap() != true {
            return; // an engine without them has the page's policy alone
        }
        let tries = "
            const thrown = run => { try { run(); return false; } catch (error) { return error.name === 'TypeError'; } };
            return [
                thrown(() => { document.createElement('p').innerHTML = '<img src=x onerror=alert(1)>'; }),
                thrown(() => { document.createElement('p').innerHTML = '<svg><script>1</script></svg>'; }),
                thrown(() => new Worker('https://elsewhere.invalid/x.js')),
                thrown(() => { document.createElement('script').src = 'data:text/javascript,1'; }),
                thrown(() => { document.createElement('script').text = '1'; }),
            ];";
        let refused = app.browser.run(tries, &[]).unwrap();
        assert_eq!(refused, json!([true, true, true, true, true]));
    });
}

#[test]
fn paper_and_forced_colours_keep_what_is_read() {
    in_app("hostile-media", "", |app| {
        if !can(Ability::Devtools) {
            return;
        }
        // a sheet is as wide as that
        app.browser.screen(800, 1100, false).unwrap();
        let show = |medium: &str, forced: &str| {
            let media = json!({ "media": medium, "features": [{ "name": "forced-colors", "value": forced }] });
            app.browser
                .devtools("Emulation.setEmulatedMedia", &media)
                .unwrap();
        };
        // what is drawn and cannot be scrolled to on paper
        let cut = "
            const isCut = e => {
                const { overflowX, overflowY } = getComputedStyle(e);
                return e.checkVisibility() && !e.matches('.visually-hidden, input, select, svg, .strip-part')
                    && (overflowY !== 'visible' && e.scrollHeight > e.clientHeight + 2
                        || overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 2);
            };
            return [...document.querySelectorAll('main *')].filter(isCut).map(e => e.outerHTML.slice(0, 90));";
        // what is chosen, and is told by its colour alone
        let untold = "
            const isUntold = e => e.checkVisibility() && getComputedStyle(e).outlineStyle !== 'solid';
            const chosen = [...document.querySelectorAll('[aria-pressed=true], [aria-current]')];
            return [chosen.length > 1, ...chosen.filter(isUntold).map(e => e.outerHTML.slice(0, 90))];";
        // parts of a bar that have the colour of the page, which the system paints over
        let unpainted = "
            const parts = [...document.querySelectorAll('.stack rect, .stack [style*=width]')];
            const ground = getComputedStyle(document.body).backgroundColor;
            const isLost = e => [getComputedStyle(e).fill, getComputedStyle(e).backgroundColor].every(
                colour => colour === ground || colour === 'rgba(0, 0, 0, 0)');
            return [parts.length > 1, ...parts.filter(isLost).map(e => e.outerHTML.slice(0, 90))];";
        for bench in ["debate", "constitution", "persona"] {
            app.go("#/");
            app.click(&format!("open-example-{bench}"));
            app.text(&format!("bench-{bench}"));
            if bench == "persona" {
                app.start_embedding();
            }
            app.wait(
                "go-rows",
                "return document.querySelector('.outline') !== null",
            );
            show("print", "none");
            assert_eq!(app.browser.run(cut, &[]).unwrap(), json!([]), "{bench}");
            show("", "active");
            for script in [untold, unpainted] {
                let found = app.browser.run(script, &[]).unwrap();
                assert_eq!(found, json!([true]), "{bench}: {script}");
            }
            show("", "none");
        }
    });
}
