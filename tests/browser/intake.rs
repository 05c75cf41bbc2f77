//! Files of other sources: dropped on the page, chosen from, mapped, and opened.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::app::{App, in_app};

pub fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/sources")
}

/// What is expected of every sample of another tool, by their names. What has our own keys is
/// one of our own documents as it stands, and none of these.
pub fn foreign() -> Vec<Value> {
    let files = fs::read_dir(samples()).unwrap();
    let files = files.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.to_string_lossy().ends_with(".expected.json"))
        .collect();
    files.sort();
    let expected = files
        .iter()
        .map(|path| serde_json::from_slice(&fs::read(path).unwrap()).unwrap());
    let is_foreign = |expected: &Value| {
        let format = expected["format"].as_str().unwrap();
        !format.starts_with("assay-") && format != "alignmenter"
    };
    expected.filter(is_foreign).collect()
}

/// Drops files on the page, each with its name and bytes.
pub fn drop_files(app: &App, files: &[(&str, Vec<u8>)]) {
    let files: Vec<Value> = files
        .iter()
        .map(|(name, bytes)| json!([name, bytes]))
        .collect();
    let give = "
        const transfer = new DataTransfer();
        for (const [name, bytes] of arguments[0]) {
            transfer.items.add(new File([new Uint8Array(bytes)], name));
        }
        const drop = { dataTransfer: transfer, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('drop', drop));";
    app.browser.run(give, &[json!(files)]).unwrap();
}

pub fn sample(name: &str) -> (&str, Vec<u8>) {
    (name, fs::read(samples().join(name)).unwrap())
}

/// Clicks the first element of a hook that is shown.
pub fn click_first(app: &App, hook: &str) {
    let script = "
        const found = document.querySelector(`[data-testid='${arguments[0]}']`);
        if (!found || found.disabled) return false;
        found.click();
        return true;";
    app.browser.wait(30, hook, script, &[json!(hook)]).unwrap();
}

/// Every sample of every source, dropped one after the other: each is read as what it is.
#[test]
fn every_source_is_known_when_it_is_dropped() {
    in_app("sources", "", |app| {
        for expected in foreign() {
            let file = expected["file"].as_str().unwrap();
            app.go("#/");
            drop_files(app, &[sample(file)]);
            // what leaves no choice is opened, and says where it comes from
            let script = "
                const shown = document.querySelector('[data-testid=inside] select, [data-testid=origin]');
                const busy = document.querySelector('[data-testid=inside-cancel]');
                if (!shown || busy) return false;
                const all = document.querySelectorAll('[data-testid=inside], [data-testid=origin]');
                const text = [...all].map(one => one.innerText).join(' ');
                return text.includes(arguments[0]) ? text : false;";
            let noun = assay::sources::FORMATS
                .iter()
                .find(|known| expected["format"] == known.key)
                .unwrap()
                .noun;
            let what = format!("{file} as {noun}");
            app.browser.wait(30, &what, script, &[json!(noun)]).unwrap();
        }
    });
}

#[test]
fn a_log_becomes_turns_with_a_mapping_that_can_be_changed() {
    in_app("source-turns", "#/constitution", |app| {
        drop_files(app, &[sample("openai-chat.jsonl")]);
        app.text("inside");
        click_first(app, "choose-all");
        click_first(app, "open-chosen");
        let origin = app.text("origin");
        assert!(
            origin.contains("read as a chat as OpenAI's API has it"),
            "{origin}"
        );
        let first = app.value("input-turns");
        assert!(first.contains("\"has_mutations\":true"), "{first}");
        app.browser.click("[data-testid=mapping] summary").unwrap();
        app.retype("mapping-writes", "cancel");
        app.tab();
        let is = "return document.querySelector(arguments[0]).value.includes('\"has_mutations\":true') === false";
        app.wait("input-turns", is);
        // the mapping goes back with the document
        app.click("undo");
        app.wait(
            "input-turns",
            "return document.querySelector(arguments[0]).value.includes('\"has_mutations\":true')",
        );
        // one choice stands for all turns at once
        let choose = "const select = document.querySelector(arguments[0]);
            select.value = 'yes'; select.dispatchEvent(new Event('change', {bubbles: true})); return true;";
        app.wait("mapping-acknowledged", choose);
        app.wait(
            "input-turns",
            "return document.querySelector(arguments[0]).value.includes('\"acknowledged\":true')",
        );
        app.click("undo");
        app.wait(
            "mapping-writes",
            "const held = document.querySelector(arguments[0]).value;
            if (held.startsWith('write')) return true; throw new Error(held);",
        );
    });
}

#[test]
fn several_logs_of_one_task_are_offered_as_one_debate() {
    in_app("source-together", "", |app| {
        let logs = [
            "inspect-logs-a.json",
            "inspect-logs-b.json",
            "inspect-logs-c.eval",
        ];
        drop_files(app, &logs.map(sample));
        let inside = app.text("inside");
        let words = [
            "Inside 3 files",
            "inspect-logs-a.json, inspect-logs-b.json and inspect-logs-c.eval",
            "Read as 3 logs of Inspect, because there is more than one eval.model of the same eval.task.",
            "One debate of 3 logs",
            "the task \"wells\" on \"deep wells\", 2 of 4 samples",
        ];
        for words in words {
            assert!(inside.contains(words), "{words}: {inside}");
        }
        click_first(app, "open-part");
        app.text("bench-debate");
        let origin = app.text("origin");
        assert!(
            origin.contains("(one of 3 parts) read as 3 logs of Inspect"),
            "{origin}"
        );
        let text = app.value("input-debate");
        assert!(text.contains("house/large"), "{text}");
        // the mapping has effect at once, and goes back
        app.browser.click("[data-testid=mapping] summary").unwrap();
        let select = "const select = document.querySelector(arguments[0]);
            select.value = 'left out'; select.dispatchEvent(new Event('change', {bubbles: true})); return true;";
        let harm = "[data-testid='mapping-criterion.harm']";
        app.browser
            .wait(30, "the mapping", select, &[json!(harm)])
            .unwrap();
        let has =
            "return document.querySelector(arguments[0]).value.includes('\"debater\": \"harm\"')";
        app.wait("input-debate", &format!("{has} === false"));
        app.click("undo");
        app.wait("input-debate", has);
    });
}

#[test]
fn logs_that_are_no_debate_together_are_said() {
    in_app("source-apart", "", |app| {
        let logs = ["inspect-logs-b.json", "inspect-logs-other.json"];
        drop_files(app, &logs.map(sample));
        app.says(
            "notice",
            &[
                "No debate of these logs.",
                "the task \"bridges\"",
                "has one model here (house/small)",
            ],
        );
    });
}

#[test]
fn what_is_read_can_be_read_as_another_kind() {
    in_app("source-kind", "", |app| {
        drop_files(app, &[sample("openai-chat.jsonl")]);
        app.text("inside");
        click_first(app, "open-part");
        assert!(app.text("origin").contains("openai-chat.jsonl"));
        click_first(app, "instead-turns");
        app.text("bench-constitution");
        assert!(app.value("input-turns").contains("\"turns\""));
    });
}

/// A drop on a field of its own.
fn drop_on(app: &App, hook: &str, (name, own): (&str, Vec<u8>)) {
    let script = "
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(arguments[2])], arguments[1]));
        const drop = { dataTransfer: transfer, bubbles: true, cancelable: true };
        const field = document.querySelector(`[data-testid='${arguments[0]}']`);
        if (!field) return false;
        field.dispatchEvent(new DragEvent('drop', drop));
        return true;";
    let given = [json!(hook), json!(name), json!(own)];
    app.browser.wait(30, hook, script, &given).unwrap();
}

#[test]
fn a_file_of_another_tool_is_read_wherever_it_is_dropped() {
    in_app("source-field", "#/persona", |app| {
        drop_on(app, "input-transcript", sample("chatgpt.json"));
        app.says("inside", &["Inside chatgpt.json"]);
        click_first(app, "open-part");
        app.says("origin", &["chatgpt.json"]);
        assert!(app.value("input-transcript").contains("\"turn_index\""));
        // one of our own is for the field that it is dropped on
        let own = b"{\"session_id\": \"s\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"Mine.\"}".to_vec();
        drop_on(app, "input-transcript", ("own.jsonl", own));
        app.wait(
            "input-transcript",
            "return document.querySelector(arguments[0]).value.includes('Mine.')",
        );
    });
}

#[test]
fn after_a_reload_a_document_says_itself_where_it_comes_from() {
    in_app("source-reload", "#/constitution", |app| {
        drop_files(app, &[sample("openai-chat.jsonl")]);
        app.text("inside");
        click_first(app, "open-part");
        app.says("origin", &["openai-chat.jsonl", "one of 2 parts"]);
        let kept = "return localStorage.getItem('assay.desk.constitution')?.includes('openai-chat') === true";
        app.browser.wait(30, "kept", kept, &[]).unwrap();
        app.browser.reload().unwrap();
        let words = [
            "openai-chat.jsonl",
            "read as a chat as OpenAI's API has it, because it has messages",
            "So says the document.",
            "choose it again",
        ];
        app.says("origin", &words);
        app.browser.click("[data-testid=mapping] summary").unwrap();
        app.says("mapping", &["writes", "write, edit, create"]);
        let inputs = "return document.querySelectorAll('[data-testid=mapping] input').length";
        assert_eq!(app.browser.run(inputs, &[]).unwrap(), 0);
    });
}

#[test]
fn what_nobody_knows_is_said_with_what_came_near() {
    in_app("source-unknown", "", |app| {
        let text = br#"{"messages": [{"role": "user"}]}"#.to_vec();
        drop_files(app, &[("odd.json", text)]);
        let words = [
            "odd.json is not something that Assay reads. Nearest: ",
            "is missing",
        ];
        app.says("notice", &words);
        // a format can be tried all the same
        app.browser.click("[data-testid=notice] button").unwrap();
        app.says("inside", &["What came nearest", "Choose what it is"]);
        let choose = "const select = document.querySelector(arguments[0]);
            if (!select.querySelector('option[value=openai-chat]')) return false;
            select.value = 'openai-chat'; select.dispatchEvent(new Event('change', {bubbles: true})); return true;";
        app.wait("read-as", choose);
        let words = "read as a chat as OpenAI's API has it, because you chose it";
        app.says("origin", &[words]);
    });
}

#[test]
fn of_a_long_list_a_part_is_found_by_its_words() {
    let line = |at: usize| {
        format!(
            r#"{{"id": "chat-{at}", "messages": [{{"role": "user", "content": "Question {at} of many"}}, {{"role": "assistant", "content": "Answer {at}"}}]}}"#
        )
    };
    let lines: Vec<_> = (0..20_000).map(line).collect();
    in_app("source-long", "#/persona", |app| {
        drop_files(app, &[("many.jsonl", lines.join("\n").into_bytes())]);
        app.wait(
            "inside-search",
            "return !!document.querySelector(arguments[0])",
        );
        app.fill("inside-search", "question 19998");
        let one = "return document.querySelectorAll('[data-testid=open-part]').length === 1";
        app.wait("inside", one);
        click_first(app, "open-part");
        assert!(app.value("input-transcript").contains("Answer 19998"));
    });
}

#[test]
fn a_text_that_was_put_in_is_read_as_what_it_is() {
    let text = fs::read_to_string(samples().join("promptfoo.json")).unwrap();
    in_app("source-typed", "#/debate", |app| {
        app.fill("input-debate", &text);
        click_first(app, "read-another");
        app.says("inside", &["a promptfoo result", "what was pasted"]);
        click_first(app, "open-part");
        app.says("origin", &["what was pasted"]);
        assert!(app.value("input-debate").contains("\"candidates\""));
    });
}

#[test]
fn a_league_shows_strengths_and_other_readings_are_told() {
    in_app("source-league", "", |app| {
        drop_files(app, &[sample("arena-battles.json")]);
        app.says("section-league", &["Strengths by bradley-terry/1 over"]);
        app.go("#/");
        drop_files(app, &[sample("llm-council.json")]);
        app.text("inside");
        click_first(app, "open-part");
        app.says(
            "section-readings",
            &["readings of the same marks", "the verdict stands in"],
        );
    });
}

#[test]
fn a_result_leaves_in_the_shape_of_another_tool_and_is_read_again() {
    in_app("source-back", "", |app| {
        app.click("open-example-debate");
        app.text("section-ranking");
        let offered = app.offered("export-for-comparator").into_bytes();
        app.go("#/");
        drop_files(app, &[("back.json", offered)]);
        app.says("inside", &["a file of LLM Comparator"]);
        click_first(app, "open-part");
        app.says("origin", &["back.json"]);
        app.says("verdict", &["Ladder wins"]);
    });
}
