//! How firm a debate is, on the page, against what the library computes.

use crate::app::{App, in_app, mark};
use crate::harness::large_debate;
use assay::debate::{
    Board, DebateResult, Decision, DomainChoice, Intervals, Options, Payload, Profiles, Ruling,
    Spread, Uncertainty, UncertaintyOptions, read, score, side_by_side,
};
use serde_json::json;

/// Five candidates in coding, with head-to-heads that give the wins. One
/// candidate is eliminated, and several weights flip the verdict.
fn text() -> String {
    let review = |debater: &str, [support, evidence, major_risks, critical_fail]: [u8; 4]| {
        json!({ "debater": debater, "support": support, "evidence": evidence,
                "major_risks": major_risks, "critical_fail": critical_fail,
                "justification": format!("{debater} on it") })
    };
    let candidate = |id: &str, model: &str, ratings: [[u8; 4]; 3]| {
        let [one, two, three] = ratings;
        json!({ "id": id, "model": model,
                "reviews": [review("ann", one), review("bob", two), review("cyd", three)] })
    };
    let candidates = [
        candidate("A", "opus", [[2, 2, 1, 0], [2, 1, 0, 0], [2, 2, 1, 0]]),
        candidate("B", "gpt-5.2", [[1, 1, 0, 0], [2, 1, 0, 0], [1, 1, 0, 0]]),
        candidate(
            "C",
            "gemini-3.1-pro",
            [[2, 2, 0, 0], [1, 2, 1, 0], [2, 1, 0, 0]],
        ),
        candidate("D", "kimi-2.5", [[0, 1, 2, 1], [1, 0, 2, 1], [1, 1, 1, 0]]),
        candidate(
            "E",
            "gemini-3-pro",
            [[1, 2, 1, 0], [1, 1, 0, 0], [0, 1, 1, 0]],
        ),
    ];
    let outcomes = ["BA", "CA", "AD", "AE", "BC", "BD", "BE", "CD", "CE", "ED"];
    let pairwise: Vec<_> = outcomes
        .iter()
        .map(|pair| json!({ "winner": pair[..1], "loser": pair[1..] }))
        .collect();
    json!({ "question": "Which one?", "domain": "coding", "candidates": candidates, "pairwise": pairwise })
        .to_string()
}

fn payload() -> Payload {
    read(&text()).result.expect("a text without errors")
}

fn options(weights: &[(&str, f64)]) -> Options {
    Options {
        weights: weights
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
        ..Options::default()
    }
}

fn scored(options: &Options) -> DebateResult {
    score(&payload(), Profiles::built_in(), options)
        .result
        .expect("valid weights")
}

fn intervals() -> Intervals {
    let (payload, options) = (payload(), Options::default());
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("valid weights");
    board.intervals()
}

/// Opens the bench with the text above.
fn with_debate(name: &'static str, test: impl FnOnce(&App)) {
    in_app(name, "#/debate", |app| {
        app.fill("input-debate", &text());
        says(app, &Ruling::of(&scored(&Options::default())));
        test(app);
    });
}

/// Waits until the verdict says this.
fn says(app: &App, ruling: &Ruling) {
    let words: Vec<String> = match (ruling.decision, &ruling.winner) {
        (Decision::Winner, Some(winner)) => vec![format!("{winner} wins")],
        (Decision::Hybrid, _) => vec!["combine".into(), ruling.hybrid_candidates.join(" and ")],
        (Decision::Insufficient, _) => vec!["Not enough to decide".into()],
        _ => vec!["Nobody is left".into()],
    };
    let script = "const text = document.querySelector(arguments[0]).innerText;
        if (arguments[1].every(words => text.includes(words))) return true;
        throw new Error(text);";
    let arguments = [json!(mark("verdict")), json!(words)];
    app.browser
        .wait(20, &format!("{words:?} in the verdict"), script, &arguments)
        .unwrap();
}

/// Chooses from a list of options.
fn choose(app: &App, id: &str, value: &str) {
    let script = "const list = document.querySelector(arguments[0]);
        list.value = arguments[1];
        list.dispatchEvent(new Event('change', { bubbles: true }));
        return list.value === arguments[1];";
    let arguments = [json!(mark(id)), json!(value)];
    app.browser.wait(20, id, script, &arguments).unwrap();
}

/// The numbers that the cells of a row carry, once there is such a row.
fn numbers(app: &App, row: &str) -> Vec<f64> {
    let script = "return [...document.querySelector(arguments[0]).querySelectorAll('[data-value]')]
        .map(e => Number(e.dataset.value))";
    serde_json::from_value(app.wait(row, script)).unwrap()
}

#[test]
fn the_bands_on_the_sliders_are_the_computed_ones() {
    with_debate("firmness-bands", |app| {
        let intervals = intervals();
        let flips = intervals.weights.iter().flat_map(|w| [&w.low, &w.high]);
        assert!(
            flips.filter(|end| end.flip.is_some()).count() >= 3,
            "the debate does not tell"
        );
        for interval in &intervals.weights {
            let band = format!("band-{}", interval.weight);
            let script = "const { low, high } = document.querySelector(arguments[0]).dataset;
                return [low ?? null, high ?? null]";
            let found = app.wait(&band, script);
            for (found, end) in [(&found[0], &interval.low), (&found[1], &interval.high)] {
                let found = found.as_str().map(|at| at.parse::<f64>().unwrap());
                let expected = end.flips_at();
                assert_eq!(found, expected, "{}", interval.weight);
            }
        }
        let nearest = intervals.nearest_relative.expect("a flip").words;
        assert!(app.text("firm").contains(&nearest));
    });
}

#[test]
fn beyond_a_named_flip_the_verdict_is_the_named_one() {
    with_debate("firmness-flips", |app| {
        let intervals = intervals();
        for interval in &intervals.weights {
            let slider = format!("weight-{}-range", interval.weight);
            let field = format!("weight-{}-number", interval.weight);
            for end in [&interval.low, &interval.high] {
                let Some(flip) = &end.flip else { continue };
                // by the field, to the last bit
                app.fill(&field, &flip.at.to_string());
                says(app, &flip.becomes);
                app.fill(&field, &end.at.to_string());
                says(app, &intervals.ruling);
                // by the slider, to its next step
                let is_below = flip.at < interval.current;
                let step = if is_below {
                    (flip.at * 100.0).floor() / 100.0
                } else {
                    (flip.at * 100.0).ceil() / 100.0
                };
                let beyond = scored(&options(&[(interval.weight, step)]));
                let max = app.wait(
                    &slider,
                    "return [Number(document.querySelector(arguments[0]).max)]",
                );
                if (0.0..=max[0].as_f64().unwrap()).contains(&step) {
                    app.fill(&slider, &step.to_string());
                    says(app, &Ruling::of(&beyond));
                }
                app.fill(&field, &interval.current.to_string());
                says(app, &intervals.ruling);
            }
        }
    });
}

#[test]
fn a_locked_weight_stays_when_the_domain_changes_and_when_all_are_reset() {
    with_debate("firmness-lock", |app| {
        let before = app.value("weight-w_risk-number");
        app.click("lock-w_risk");
        let is_disabled = "return document.querySelector(arguments[0]).disabled";
        app.wait("weight-w_risk-range", is_disabled);
        app.wait("weight-w_risk-number", is_disabled);
        choose(app, "domain", "math");
        let general = Profiles::built_in()
            .domain("math")
            .expect("built in")
            .weights;
        let script = format!(
            "return document.querySelector(arguments[0]).value === '{}'",
            general.w_base
        );
        app.wait("weight-w_base-number", &script);
        assert_eq!(app.value("weight-w_risk-number"), before);
        assert_ne!(
            before,
            general.w_risk.to_string(),
            "the domains do not tell"
        );
        app.retype("weight-w_base-number", "1.5");
        app.click("reset-weights");
        app.wait("weight-w_base-number", &script);
        assert_eq!(app.value("weight-w_risk-number"), before);
        // held where weights are uncertain
        let told = "return !/varied:[^.]*risk/.test(document.querySelector(arguments[0]).innerText)
            && /varied/.test(document.querySelector(arguments[0]).innerText)";
        app.wait("draws", told);
    });
}

#[test]
fn where_a_row_stood_is_shown_until_the_next_gesture() {
    with_debate("firmness-ghost", |app| {
        let ranks = |weights: &[(&str, f64)]| -> Vec<String> {
            let rows = scored(&options(weights)).results;
            let survivors = rows.into_iter().filter(|row| !row.eliminated);
            survivors.map(|row| row.id).collect()
        };
        let (before, after) = (ranks(&[]), ranks(&[("w_pairwise", 0.0)]));
        assert_ne!(before, after, "the debate does not tell");
        let ghosts = "return document.querySelectorAll('[data-testid=ghost]').length";
        assert_eq!(app.browser.run(ghosts, &[]).unwrap(), json!(0));
        app.fill("weight-w_pairwise-range", "0");
        for (place, id) in after.iter().enumerate() {
            let was = before.iter().position(|other| other == id).unwrap();
            let script = format!(
                "const ghost = document.querySelector(arguments[0]).querySelector('[data-testid=ghost]');
                 return [ghost && ghost.dataset.was].filter(was => was {} '{}').length === 1",
                if was == place { "!==" } else { "===" },
                was + 1
            );
            app.wait(&format!("row-{id}"), &script);
        }
        // another gesture that moves nobody
        app.fill("weight-w_risk-range", "0.81");
        app.browser
            .wait(20, "no ghosts", &format!("{ghosts} === 0"), &[])
            .unwrap();
    });
}

fn uncertainty(spread: Spread) -> Uncertainty {
    let (payload, options) = (payload(), Options::default());
    let board = Board::new(&payload, Profiles::built_in(), &options).expect("valid weights");
    board.uncertainty(&UncertaintyOptions {
        spread,
        ..UncertaintyOptions::default()
    })
}

#[test]
fn the_shares_are_the_computed_ones_in_chart_and_table() {
    with_debate("firmness-shares", |app| {
        let found = uncertainty(Spread::Simplex);
        for shares in &found.candidates {
            let shown = numbers(app, &format!("heat-{}", shares.id));
            assert_eq!(shown, shares.ranks, "{}", shares.id);
            assert!((shown.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let percents: f64 = shown.iter().map(|share| (share * 100.0).round()).sum();
            assert!((percents - 100.0).abs() <= shown.len() as f64 / 2.0);
        }
        app.click("table-shares");
        for shares in &found.candidates {
            let mut expected = vec![shares.winner, shares.hybrid];
            expected.extend(&shares.ranks);
            assert_eq!(numbers(app, &format!("row-share-{}", shares.id)), expected);
        }
        choose(app, "spread", "10");
        let within = uncertainty(Spread::WithinPercent(10.0));
        assert_ne!(
            within.candidates, found.candidates,
            "the spread does not tell"
        );
        app.wait(
            "draws",
            "return !!document.querySelector(arguments[0]).dataset.cost",
        );
        for shares in &within.candidates {
            let shown = numbers(app, &format!("row-share-{}", shares.id));
            assert_eq!(shown[2..], shares.ranks, "{}", shares.id);
        }
    });
}

#[test]
fn sections_come_to_rest_one_a_frame_and_none_before_the_drag_rests() {
    with_debate("firmness-rest", |app| {
        let drag = "
            const slider = document.querySelector(arguments[0]);
            const waiting = () => document.querySelectorAll('.result-section.waits').length;
            const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
            const frame = () => new Promise(next => requestAnimationFrame(next));
            const channel = new MessageChannel();
            const posted = () => new Promise(next => { channel.port1.onmessage = next; channel.port2.postMessage(0); });
            while (waiting() || !document.querySelector('[data-testid=draws]')?.dataset.cost) await frame();
            const moving = [], resting = [];
            for (let n = 0; n < 20; n++) {
                set.call(slider, String(n / 20));
                slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
                await posted();
                moving.push(waiting());
                await frame();
            }
            do { resting.push(waiting()); await frame(); } while (waiting());
            return { moving, resting };";
        let slider = json!(mark("weight-w_risk-range"));
        let told = app.browser.run_async(drag, &[slider]).unwrap();
        let counts =
            |of: &str| -> Vec<i64> { serde_json::from_value(told[of].clone()).expect("counts") };
        let (moving, mut resting) = (counts("moving"), counts("resting"));
        assert_eq!(moving, [6; 20]);
        resting.push(0);
        let steps = resting.windows(2).map(|pair| pair[0] - pair[1]);
        assert!(
            steps.clone().all(|step| step == 0 || step == 1),
            "{resting:?}"
        );
        assert_eq!(steps.sum::<i64>(), 6);
    });
}

#[test]
fn the_domains_side_by_side_are_scored_each() {
    with_debate("firmness-domains", |app| {
        app.click("table-domains");
        let (payload, profiles) = (payload(), Profiles::built_in());
        let standings = side_by_side(&payload, profiles, &Options::default());
        assert_eq!(standings.len(), 9);
        for standing in standings.iter().filter(|standing| !standing.own) {
            let column = standings
                .iter()
                .position(|other| other == standing)
                .unwrap();
            let domain = match standing.name.as_str() {
                "none" => DomainChoice::None,
                name => DomainChoice::Named(name.to_owned()),
            };
            let options = Options {
                domain,
                ..Options::default()
            };
            let result = score(&payload, profiles, &options).result.expect("scored");
            for (index, row) in result.results.iter().enumerate() {
                let id = format!("row-domains-{}", row.id);
                assert_eq!(
                    numbers(app, &id)[column],
                    row.score,
                    "{} in {}",
                    row.id,
                    standing.name
                );
                let script = format!(
                    "return document.querySelector(arguments[0]).cells[{}].innerText",
                    column + 1
                );
                let shown = app.wait(&id, &script);
                let rank = if row.eliminated {
                    "out".to_owned()
                } else {
                    (index + 1).to_string()
                };
                assert!(
                    shown.as_str().unwrap().starts_with(&format!("{rank} ·")),
                    "{shown}"
                );
            }
        }
    });
}

#[test]
fn a_part_of_a_bar_opens_what_it_stands_on() {
    with_debate("firmness-parts", |app| {
        let part = |id: &str, part: usize| {
            // what is painted: a driver may hold a group of a drawing for covered by its own parts
            let row = mark(&format!("row-{id}"));
            format!("{row} [data-part=\"{part}\"] .segment")
        };
        app.browser.click(&part("C", 1)).unwrap();
        assert!(app.text("evidence-C").contains("beats D"));
        let lit = "return document.querySelector(arguments[0]).classList.contains('lit')";
        app.wait("term-1", lit);
        // another part of the same row, then by the keyboard
        app.browser.click(&part("C", 0)).unwrap();
        app.wait("term-0", lit);
        assert!(app.text("evidence-C").contains("ann on it"));
        let button = format!("{} button", mark("row-A"));
        app.browser
            .type_into(&button, "\u{E014}\u{E014}\u{E007}")
            .unwrap();
        assert!(app.text("evidence-A").contains("beats D"));
        // the row's own button closes it
        app.browser.type_into(&button, " ").unwrap();
        let gone = "return document.querySelector(arguments[0]) === null";
        app.browser
            .wait(20, "closed evidence", gone, &[json!(mark("evidence-A"))])
            .unwrap();
    });
}

#[test]
fn a_long_ranking_is_drawn_in_part_and_in_place() {
    in_app("firmness-large", "#/debate", |app| {
        let text = large_debate(200, 12);
        app.fill("input-debate", &text);
        let result = assay::debate::evaluate(&text, &Options::default())
            .result
            .expect("scored");
        let (first, last) = (
            &result.results[0],
            result.results.iter().rfind(|row| !row.eliminated),
        );
        let last = last.expect("a survivor");
        app.row_is(&format!("row-{}", first.id), first.score, &[]);
        let rows = "return document.querySelectorAll('.anatomy-rows > li').length";
        assert!(app.browser.run(rows, &[]).unwrap().as_u64().unwrap() < 80);
        // the rows stay the same elements while a weight moves
        let touch =
            "document.querySelectorAll('.anatomy-rows > li').forEach(row => { row.known = true; })";
        app.browser.run(touch, &[]).unwrap();
        app.fill("weight-w_risk-range", "0.1");
        let expected = assay::debate::evaluate(&text, &options(&[("w_risk", 0.1)]))
            .result
            .expect("scored");
        let first = &expected.results[0];
        app.row_is(&format!("row-{}", first.id), first.score, &[]);
        let known = "return document.querySelector(arguments[0]).known === true";
        app.wait(&format!("row-{}", first.id), known);
        // all rows are there on request, and their end comes when the page is scrolled to it
        app.click("show-all");
        let all =
            "return arguments[0] && document.getElementById('anatomy-list').offsetHeight > 3000";
        app.wait("show-all", all);
        let last = expected
            .results
            .iter()
            .rfind(|row| !row.eliminated)
            .unwrap_or(last);
        let scroll = "document.getElementById('anatomy-list').scrollIntoView({ block: 'end' })";
        app.browser.run(scroll, &[]).unwrap();
        app.row_is(&format!("row-{}", last.id), last.score, &[]);
        assert!(app.browser.run(rows, &[]).unwrap().as_u64().unwrap() < 80);
        // a row in the middle of them opens in its place, as tall as what is in it
        let press = "document.querySelector(arguments[0] + ' .row-open').click(); return true";
        app.wait(&format!("row-{}", last.id), press);
        let in_place = "
            const row = document.querySelector(arguments[0]);
            const [box, inner] = [row.getBoundingClientRect(), row.querySelector('.evidence').getBoundingClientRect()];
            return inner.height > 100 && inner.top >= box.top && inner.bottom <= box.bottom + 1;";
        app.wait(&format!("row-{}", last.id), in_place);
        // and few are there again
        app.click("show-all");
        let few = "return arguments[0] && document.querySelectorAll('#anatomy-list .anatomy-rows > li').length === 8";
        app.wait("show-all", few);
    });
}
