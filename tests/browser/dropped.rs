//! What people bring, from the drop to the figure: the start page's examples, cards in pictures and
//! archives, tables, files that come together, and a listing that is cancelled.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use assay::sources::{File, Kind, Made, Wanted};
use base64::Engine;
use serde_json::json;

use crate::app::{App, in_app};
use crate::intake::{click_first, drop_files, foreign, sample};

/// What the same readers make of a file here, of all items that can be made into a kind.
fn made(name: &str, bytes: Vec<u8>, kind: Kind, only: Option<usize>) -> Made {
    let file = File::open(name, Box::new(bytes), None).unwrap();
    let listing = &file.listings[0];
    let items = listing.items.iter().enumerate();
    let items = items
        .filter(|(at, item)| only.is_none_or(|only| only == *at) && item.makes.contains(&kind));
    let items: Vec<usize> = items.map(|(at, _)| at).collect();
    let wanted = Wanted {
        kind,
        file: name,
        because: &listing.because,
        mapping: BTreeMap::new(),
    };
    file.make(0, &items, &wanted).unwrap()
}

fn example(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("public/examples");
    fs::read(folder.join(name)).unwrap()
}

/// The input that documents of a kind are in.
fn input(kind: Kind) -> &'static str {
    match kind {
        Kind::Debate => "input-debate",
        Kind::Turns => "input-turns",
        Kind::Persona => "input-persona",
        Kind::Transcript => "input-transcript",
    }
}

/// Waits until an input holds a text.
fn holds(app: &App, kind: Kind, text: &str) {
    let script = "return document.querySelector(arguments[0])?.value === arguments[1]
        || (document.querySelector(arguments[2])?.click(), false)";
    let edit = input(kind).replace("input-", "edit-");
    let arguments = [
        json!(format!("[data-testid={}]", input(kind))),
        json!(text),
        json!(format!("[data-testid={edit}]")),
    ];
    app.browser
        .wait(30, input(kind), script, &arguments)
        .unwrap();
}

#[test]
fn the_start_page_opens_a_councils_chat_with_its_verdict() {
    in_app("try-council", "", |app| {
        app.click("try-0");
        app.says("inside", &["a council of models", "2 parts"]);
        click_first(app, "open-part");
        // what the page is served under is the name
        let made = made(
            "council.json",
            example("council.json"),
            Kind::Debate,
            Some(0),
        );
        let scored = assay::debate::evaluate(&made.text, &assay::debate::Options::default());
        let scored = scored.result.unwrap();
        holds(app, Kind::Debate, &made.text);
        app.says(
            "verdict",
            &[scored.winner.as_deref().unwrap_or("combination")],
        );
    });
}

#[test]
fn the_start_page_opens_an_agents_log_with_its_rewards() {
    in_app("try-agent", "", |app| {
        app.click("try-1");
        app.says("origin", &["agent.jsonl", "read as a log of Claude Code"]);
        let made = made("agent.jsonl", example("agent.jsonl"), Kind::Turns, None);
        holds(app, Kind::Turns, &made.text);
        let log = assay::constitution::read(&made.text).result.unwrap();
        let options = assay::constitution::Options::default();
        let mean = assay::constitution::score(&log, &options).result.unwrap();
        let mean = format!("{:.2}", mean.session.mean_total);
        app.says("verdict", &[&mean]);
    });
}

#[test]
fn the_start_page_opens_a_card_with_a_chat() {
    in_app("try-card", "", |app| {
        app.click("try-2");
        app.text("bench-persona");
        let card = made("card.json", example("card.json"), Kind::Persona, None);
        let chat = made("chat.jsonl", example("chat.jsonl"), Kind::Transcript, None);
        holds(app, Kind::Persona, &card.text);
        holds(app, Kind::Transcript, &chat.text);
        app.says(
            "taken",
            &["2 from alternate_greetings, 1 from first_mes, 5 from mes_example"],
        );
        // before it is used, one press shows how well its exemplars tell the voice from others
        let press = "document.querySelector(arguments[0]).click(); return true";
        app.wait("check-own", press);
        app.says_at_last("draft", &["A proposal, of 8 examples"]);
        app.wait(
            "draft-auc",
            "return parseFloat(document.querySelector(arguments[0]).innerText) > 0;",
        );
    });
}

/// A picture with a card in it.
fn picture(card: &[u8]) -> Vec<u8> {
    let card = base64::engine::general_purpose::STANDARD.encode(card);
    let own = [b"chara\0", card.as_bytes()].concat();
    let mut all = b"\x89PNG\r\n\x1a\n".to_vec();
    all.extend((own.len() as u32).to_be_bytes());
    all.extend([b"tEXt", &own[..], &[0; 4]].concat());
    all
}

/// An archive of one file that is not packed.
fn archive(name: &str, own: &[u8]) -> Vec<u8> {
    let sizes = [rawzip::crc32(own), own.len() as u32, own.len() as u32];
    let sizes = sizes.map(u32::to_le_bytes).concat();
    let names = [name.len() as u16, 0].map(u16::to_le_bytes).concat();
    let head = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0], &sizes[..], &names].concat();
    let entry = [b"PK\x03\x04", &head[..], name.as_bytes(), own].concat();
    let directory = [b"PK\x01\x02\x14\0", &head[..], &[0; 14], name.as_bytes()].concat();
    let ends = [directory.len() as u32, entry.len() as u32];
    let ends = ends.map(u32::to_le_bytes).concat();
    let counts = [1_u16, 1].map(u16::to_le_bytes).concat();
    let end = [b"PK\x05\x06\0\0\0\0", &counts[..], &ends, &[0, 0]].concat();
    [entry, directory, end].concat()
}

#[test]
fn a_card_in_a_picture_and_one_in_an_archive_become_personas() {
    let (_, card) = sample("character-card.json");
    in_app("source-cards", "", |app| {
        for (name, bytes) in [
            ("marlow.png", picture(&card)),
            ("marlow.charx", archive("card.json", &card)),
        ] {
            app.go("#/");
            drop_files(app, &[(name, bytes.clone())]);
            app.says("origin", &[name, "a character card"]);
            let made = made(name, bytes, Kind::Persona, None);
            assert!(
                made.text.contains("At night I count ships"),
                "{}",
                made.text
            );
            holds(app, Kind::Persona, &made.text);
        }
    });
}

#[test]
fn battles_in_a_table_are_a_league() {
    let table =
        "model_a,model_b,winner\nada,bob,model_a\nada,bob,model_a\nbob,ada,tie\nbob,cy,model_b\n";
    in_app("source-table", "", |app| {
        drop_files(app, &[("arena.csv", table.into())]);
        app.says("origin", &["arena.csv"]);
        let made = made("arena.csv", table.into(), Kind::Debate, None);
        assert!(
            made.text.contains("[\"ada\", \"bob\", 2, 0, 1]"),
            "{}",
            made.text
        );
        holds(app, Kind::Debate, &made.text);
        let words = "Strengths by bradley-terry/1 over 4 battles";
        app.says("section-league", &[words]);
    });
}

#[test]
fn a_whole_evaluation_has_strengths() {
    in_app("source-evaluation", "", |app| {
        drop_files(app, &[sample("promptfoo.json")]);
        app.text("inside");
        click_first(app, "open-part");
        let words = "Strengths by bradley-terry/1 over 2 battles";
        app.says("section-league", &[words, "openai:chat:gpt-4o"]);
    });
}

#[test]
fn a_large_listing_can_be_cancelled() {
    in_app("source-cancel", "", |app| {
        let give = r"
            const row = JSON.stringify({messages: [{role: 'user', content: 'Hi '.repeat(300)},
                {role: 'assistant', content: 'Ho '.repeat(300)}]}) + '\n';
            const part = new Blob([row.repeat(2000)]);
            const transfer = new DataTransfer();
            transfer.items.add(new File(Array(150).fill(part), 'large.jsonl'));
            const drop = { dataTransfer: transfer, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new DragEvent('drop', drop));";
        app.browser.run(give, &[]).unwrap();
        app.says("inside", &["looked through"]);
        click_first(app, "inside-cancel");
        app.says("inside", &["Nothing is open"]);
        // another file is read after it
        drop_files(app, &[sample("chatgpt.json")]);
        app.says("inside", &["Inside chatgpt.json"]);
    });
}

#[test]
fn files_that_come_together_find_their_places() {
    let row = |at: usize, text: &str| {
        format!(
            "{{\"session_id\": \"s{at}\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"{text}\"}}\n"
        )
    };
    let transcript = row(1, "Check the log first.") + &row(2, "Ship it.");
    let persona = "id: x\nexemplars:\n  - Check the log; it names the step.\n";
    let judge = "{\"s1\": {\"score\": 7.5}, \"s2\": {\"score\": 4}}";
    in_app("source-judge", "", |app| {
        let files = [
            ("judge.json", judge),
            ("run.jsonl", &transcript),
            ("persona.yaml", persona),
        ];
        drop_files(
            app,
            &files.map(|(name, text)| (name, text.as_bytes().to_vec())),
        );
        app.text("bench-persona");
        holds(app, Kind::Persona, persona);
        holds(app, Kind::Transcript, &transcript);
        let judged = "return document.querySelector(arguments[0])?.value.includes('7.5') === true";
        app.wait("input-judge", judged);
    });
}

#[test]
fn labels_of_a_source_are_put_beside_its_transcript() {
    in_app("source-labels", "#/persona", |app| {
        drop_files(app, &[sample("preference-pairs.jsonl")]);
        app.text("inside");
        click_first(app, "choose-all");
        click_first(app, "open-chosen");
        app.says("origin", &["preference-pairs.jsonl"]);
        let (name, bytes) = sample("preference-pairs.jsonl");
        let made = made(name, bytes, Kind::Transcript, None);
        assert_eq!(made.labels.lines().count(), 6, "{}", made.labels);
        let script = "return document.querySelector(arguments[0])?.value === arguments[1]";
        let arguments = [json!("[data-testid=input-labels]"), json!(made.labels)];
        app.browser
            .wait(30, "the labels", script, &arguments)
            .unwrap();
        // another part of the file has its own, and those of all parts go
        click_first(app, "choose-part");
        app.text("inside");
        click_first(app, "open-part");
        let first = made.labels.split_inclusive('\n').next();
        let arguments = [json!("[data-testid=input-labels]"), json!(first)];
        app.browser
            .wait(30, "the labels of a part", script, &arguments)
            .unwrap();
    });
}

#[test]
fn verdicts_that_change_with_the_seats_are_shown_after_a_reload() {
    let row = "{\"question_id\": 1, \"model_1\": \"ada\", \"model_2\": \"bob\", \"g1_winner\": \"model_1\", \"g2_winner\": \"model_2\", \"judge\": \"j\", \"turn\": 1}\n";
    in_app("source-seats", "", |app| {
        drop_files(app, &[("pairs.jsonl", row.into())]);
        app.says("inside", &["judgments of MT-bench"]);
        // the first is the league over all questions, in which votes are only counted
        let second = "const all = document.querySelectorAll('[data-testid=open-part]');
            if (all.length < 2) return false; all[1].click(); return true;";
        app.browser.wait(30, "a question", second, &[]).unwrap();
        let words = ["1 verdict differing with the seats"];
        app.says("swapped", &words);
        let kept = "return localStorage.getItem('assay.desk.debate')?.includes('swapped') === true";
        app.browser.wait(30, "kept", kept, &[]).unwrap();
        app.browser.reload().unwrap();
        app.says("origin", &["So says the document."]);
        app.says("swapped", &words);
    });
}

#[test]
fn swipes_are_a_second_run_to_compare() {
    in_app("source-swipes", "", |app| {
        drop_files(app, &[sample("sillytavern.jsonl")]);
        app.says("origin", &["sillytavern.jsonl"]);
        let kept = app.value("input-transcript");
        click_first(app, "compare-others");
        let has = "const text = document.querySelector(arguments[0])?.value; return text ? [text] : false";
        let others = app.wait("input-baseline", has);
        let others = others[0].as_str().unwrap();
        assert!(others.contains("the first other one"), "{others}");
        assert_eq!(app.value("input-transcript"), kept);
    });
}

/// Every sample of every source comes to the document that it comes to here, of which the core's
/// tests know the figures.
#[test]
fn every_source_comes_to_the_same_document_as_here() {
    in_app("source-figures", "", |app| {
        for expected in foreign() {
            let name = expected["file"].as_str().unwrap();
            let (_, bytes) = sample(name);
            let file = File::open(name, Box::new(bytes.clone()), None).unwrap();
            let mut kinds = file.listings[0].items.iter().flat_map(|item| &item.makes);
            let Some(&kind) = kinds.next() else {
                // of an error in the other program there is nothing to open
                assert_eq!(expected["items"], json!([]), "{name}");
                continue;
            };
            let made = made(name, bytes.clone(), kind, None);
            app.go("#/");
            drop_files(app, &[(name, bytes)]);
            // what leaves a choice is chosen whole
            let script = "
                if (document.querySelector('[data-testid=origin]')) return true;
                const all = document.querySelector('[data-testid=choose-all]');
                const open = document.querySelector('[data-testid=open-chosen]');
                if (!all || document.querySelector('[data-testid=inside-cancel]')) return false;
                if (open.disabled) { all.click(); return false; }
                if (!open.dataset.given) { open.dataset.given = 'yes'; open.click(); }
                return false;";
            app.browser.wait(30, name, script, &[]).unwrap();
            holds(app, kind, &made.text);
        }
    });
}
