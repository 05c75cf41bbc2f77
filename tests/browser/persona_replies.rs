//! The replies of a persona run: worst first, chosen by what they are, each with what was found in
//! it and what made its voice; and the voice in the place of style.

use crate::accessibility::is_clean;
use crate::app::{App, in_app, say};
use serde_json::{Value, json};

/// A small persona that has a voice, with a lexicon and a trait.
const PERSONA: &str = "id: mill
display_name: The old mill
exemplars:
  - \"Aye. Flour's ground, sacks are by the door. Mind the step.\"
  - \"Nay, not today. Wheel's stuck till the river comes up.\"
  - \"Aye, two sacks of rye. Bring thy own cart.\"
  - \"Stone's dressed. Bread'll be better for it, mark me.\"
  - \"Rain tomorrow. Come early or come wet.\"
  - \"Nay, wheat's sold. There's barley, and it's good barley.\"
off_brand:
  - \"Thank you for reaching out! I would be happy to assist you with your flour order today.\"
lexicon:
  preferred: [aye, nay, sack]
  avoid: [happy to assist, valued customer]
style_rules:
  verbosity: concise
";

/// Replies with what they answer: two are the persona's, two any assistant's, one breaks a rule.
const REPLIES: [(&str, &str, &str, &str); 5] = [
    (
        "a",
        "Is the rye ready?",
        "Aye. Rye's ground, three sacks by the door.",
        r#", "label": 1, "tags": ["short"]"#,
    ),
    (
        "a",
        "Can I order online?",
        "Thank you for your interest! I would be happy to assist you with your online order. Could you please provide more details about the products you need?",
        r#", "label": 0"#,
    ),
    (
        "b",
        "Will you open on Sunday?",
        "Nay. Wheel rests on Sunday, and so do I.",
        "",
    ),
    (
        "b",
        "What is gluten?",
        "Gluten is a group of proteins found in certain grains. It is important to consult a professional if you have concerns about your diet.",
        "",
    ),
    ("b", "It was late.", "Aye, and thou art a zounderkite.", ""),
];

const SAFETY: &str = "- category: offensive\n  severity: high\n  words: [zounderkite]\n";

fn transcript() -> String {
    let row = |(at, (session, asked, said, more)): (usize, &(&str, &str, &str, &str))| {
        format!(
            "{{\"session_id\": \"{session}\", \"turn\": {at}, \"user\": \"{asked}\", \"assistant\": \"{said}\"{more}}}\n"
        )
    };
    REPLIES.iter().enumerate().map(row).collect()
}

/// Puts the run on the bench and waits until its voice is there.
fn open(app: &App) {
    app.fill("input-persona", PERSONA);
    app.fill("input-transcript", &transcript());
    app.unfold("input-safety");
    app.fill("input-safety", SAFETY);
    app.text("section-replies");
    app.start_embedding();
    let heard = "
        const voices = [...document.querySelectorAll('[data-testid=reply] .voice')];
        return voices.length === 5 && voices.every(voice => voice.dataset.value)";
    app.browser.wait(300, "voices", heard, &[]).unwrap();
}

/// The texts of the list, in its order.
const LISTED: &str =
    "[...document.querySelectorAll('[data-testid=reply] .reply-text')].map(text => text.innerText)";

fn waits(app: &App, what: &str, script: &str) -> Value {
    app.browser.wait(30, what, script, &[]).unwrap()
}

fn counts(app: &App, words: &str) {
    let script = "
        const said = document.querySelector('[data-testid=reply-count]').innerText;
        if (said === arguments[0]) return true;
        throw new Error(said)";
    let count = app.browser.wait(30, words, script, &[json!(words)]);
    count.unwrap();
}

#[test]
fn replies_are_listed_worst_first_and_chosen_by_what_they_are() {
    in_app("persona-replies", "#/persona", |app| {
        open(app);
        counts(app, "5 replies");
        let worst = waits(app, "the list", &format!("return {LISTED}"));
        let worst: Vec<String> = serde_json::from_value(worst).unwrap();
        assert_eq!(worst[0], REPLIES[4].2, "what breaks a rule comes first");
        let ours = [REPLIES[0].2, REPLIES[2].2];
        assert!(
            worst[3..].iter().all(|text| ours.contains(&text.as_str())),
            "{worst:?}"
        );
        let first = "return document.querySelector('[data-testid=reply] .why').innerText";
        let first = waits(app, "a reason", first);
        assert!(
            first
                .as_str()
                .unwrap()
                .starts_with("Breaks a rule: offensive"),
            "{first}"
        );
        let reasons = "return document.querySelector('.reply-rows').innerText.includes('Off: sounds like any assistant (voice 0.')";
        waits(app, "an off voice in words", reasons);

        app.fill("reply-order", "transcript");
        let texts: Vec<&str> = REPLIES.iter().map(|(_, _, text, _)| *text).collect();
        let in_order = format!("return {LISTED}.join('|') === {:?}", texts.join("|"));
        waits(app, "the order of the transcript", &in_order);
        // in what they answer, too
        app.fill("reply-find", "sunday?");
        counts(app, "1 of 5 replies");
        app.fill("reply-find", "");
        for (field, value, expected) in [
            ("reply-session", "0", "2 of 5 replies"),
            ("reply-session", "", "5 replies"),
            ("reply-hit", "avoided", "1 of 5 replies"),
            ("reply-hit", "violation", "1 of 5 replies"),
            ("reply-hit", "", "5 replies"),
            ("reply-label", "off", "1 of 5 replies"),
            ("reply-label", "", "5 replies"),
            ("reply-tag", "0", "1 of 5 replies"),
            ("reply-tag", "", "5 replies"),
            ("reply-bound", "voice-least", "3 of 5 replies"),
            ("reply-bound-at", "0", "5 replies"),
        ] {
            app.fill(field, value);
            counts(app, expected);
        }
    });
}

#[test]
fn an_open_reply_has_its_marks_and_its_voice_as_a_sum_and_keys_go_on() {
    in_app("persona-reply", "#/persona", |app| {
        open(app);
        app.browser
            .click("[data-testid=reply]:nth-child(2) .row-open")
            .unwrap();
        app.text("voice-apart");
        let marks = "
            const marks = document.querySelector('[data-testid=reply-marked]');
            const legend = [...document.querySelectorAll('.reply-whole .legend mark')].map(mark => mark.innerText);
            return marks.querySelector('mark.pull.down[tabindex=\"0\"] .tip')?.textContent.startsWith('voice −')
                && legend.some(words => words.includes('any assistant'))";
        waits(app, "marks", marks);
        let sum = "
            const shares = [...document.querySelectorAll('.voice-apart [data-share]')].map(part => Number(part.dataset.share));
            const total = Number(document.querySelector('[data-testid=voice-log-odds]').dataset.value);
            const voice = Number(document.querySelector('[data-testid=voice-value]').dataset.value);
            const listed = Number(document.querySelector('[data-testid=reply]:nth-child(2) .voice').dataset.value);
            const near = (one, other) => Math.abs(one - other) < 1e-9;
            return shares.length === 5 && near(shares.reduce((a, b) => a + b), total)
                && near(voice, 1 / (1 + Math.exp(-total))) && near(voice, listed)";
        waits(app, "a sum", sum);
        assert!(
            app.text("reply-whole")
                .contains("Nearest exemplar (cosine 0.")
        );

        let is_open = |row: usize| {
            format!(
                "const open = [...document.querySelectorAll('[data-testid=reply] .row-open')].map(row => row.ariaExpanded === 'true');
                return open.filter(open => open).length === 1 && open[{row}]
                    && document.activeElement.closest('[data-testid=reply]')?.dataset.index === '{row}'"
            )
        };
        app.browser.press(&["n"]).unwrap();
        waits(app, "the next one", &is_open(2));
        app.browser.press(&["k"]).unwrap();
        waits(app, "the one before", &is_open(1));
        app.click("reply-next");
        waits(app, "the next one by its button", &is_open(2));
        is_clean(app, "an open reply");
    });
}

#[test]
fn of_ten_thousand_replies_those_in_sight_are_drawn() {
    in_app("persona-many-replies", "#/persona", |app| {
        let row = |at: usize| {
            let (session, said) = (
                at / 20,
                "Aye. Sacks are by the door, mind the step. ".repeat(4),
            );
            format!(
                "{{\"session_id\": \"s{session}\", \"turn\": {at}, \"assistant\": \"{said}{at}\"}}\n"
            )
        };
        let many: String = (0..10_000).map(row).collect();
        app.fill("input-persona", PERSONA);
        app.fill("input-transcript", &many);
        counts(app, "10,000 replies");
        app.browser
            .click("#replies-list [data-testid=show-all]")
            .unwrap();
        let scroll = "
            const list = document.getElementById('replies-list');
            scrollTo(0, list.getBoundingClientRect().top + scrollY);
            const frame = () => new Promise(requestAnimationFrame);
            const times = [];
            for (let last = await frame(); times.length < 120; ) {
                scrollBy(0, 400);
                const now = await frame();
                times.push(now - last);
                last = now;
            }
            await frame();
            const rows = [...list.querySelectorAll('[data-testid=reply]')];
            times.sort((a, b) => a - b);
            return [rows.length, Number(rows[0].dataset.index), times[60], times[114], times[119]];";
        let seen = app.browser.run_async(scroll, &[]).unwrap();
        say(&format!(
            "10,000 replies: {} drawn from {} on; frames of {:.0} ms, the longest of 95 % {:.0} ms, of all {:.0} ms",
            seen[0],
            seen[1],
            seen[2].as_f64().unwrap(),
            seen[3].as_f64().unwrap(),
            seen[4].as_f64().unwrap()
        ));
        assert!(
            seen[0].as_u64().unwrap() < 60 && seen[1].as_u64().unwrap() > 100,
            "{seen}"
        );
    });
}

#[test]
fn the_voice_takes_the_place_of_style_is_marked_and_travels_in_a_link() {
    let mut sent = None;
    in_app("persona-by-voice", "#/persona", |app| {
        open(app);
        let figure = "return document.querySelector('[data-testid=overall]').dataset.value";
        let before = waits(app, "the overall score", figure);
        app.click("style-by-voice");
        assert_eq!(app.text("style-by"), "style by voice/1");
        let after = waits(
            app,
            "another overall score",
            &format!(
                "const now = document.querySelector('[data-testid=overall]').dataset.value; return now !== {before} && now"
            ),
        );
        let named = "return document.querySelector('.weights').innerText.includes('Voice')";
        waits(app, "the weight's name", named);
        app.says("verdict", &["Style by voice/1"]);
        sent = Some((app.permalink(), after));
        app.browser.press(&["\u{E00C}"]).unwrap();
        app.browser
            .run("document.activeElement.blur()", &[])
            .unwrap();
        app.browser.press(&["\u{E009}z"]).unwrap();
        let back = format!(
            "return document.querySelector('[data-testid=overall]').dataset.value === {before} && !document.querySelector('[data-testid=style-by]')"
        );
        waits(app, "the score before", &back);
    });
    let (link, expected) = sent.unwrap();
    let fragment = &link[link.find('#').unwrap()..];
    in_app("persona-by-voice-link", fragment, |app| {
        app.text("section-replies");
        app.start_embedding();
        app.computes("overall", expected.as_str().unwrap().parse().unwrap());
        app.says("verdict", &["Style by voice/1"]);
        assert_eq!(app.text("style-by"), "style by voice/1");
    });
}
