//! The bombs, and what is done with each: all that the page does with such a text.

// what makes a bomb stands on a line, and need not be quick
#![allow(
    clippy::enum_glob_use,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::items_after_statements,
    clippy::semicolon_if_nothing_returned
)]

#[path = "beside.rs"]
mod beside;
#[path = "vectors.rs"]
mod vectors;

use assay::constitution::{self, form as turns_form};
use assay::debate::{self, form as debate_form};
use assay::document;
use assay::persona::{self, form as persona_form};
use assay::share;
use assay::steps::{THROUGH, at_once};

use Target::*;

/// Where a bomb is pasted; where there are several texts, `\u{1}` stands between them.
#[derive(Clone, Copy)]
enum Target {
    Persona,
    Transcript,
    PersonaAndTranscript,
    Config,
    Judge,
    Safety,
    SafetyAndTranscript,
    Turns,
    Debate,
    Profiles,
    Document,
    Link,
    Labels,
    Control,
    Rules,
    Judges,
    File,
    Private,
}

type Bomb = (&'static str, Target, fn(usize) -> String);

/// Does a step, which has a name.
pub type Doing<'a> = &'a mut dyn FnMut(&str, &mut dyn FnMut());

/// The names of all.
pub fn names() -> Vec<&'static str> {
    BOMBS.iter().map(|(name, ..)| *name).collect()
}

fn bomb(name: &str) -> &'static Bomb {
    let known = BOMBS.iter().find(|(known, ..)| *known == name);
    known.expect("a bomb")
}

/// The text of a bomb of about so many characters.
#[allow(dead_code)] // the benchmark does not ask
pub fn text(name: &str, size: usize) -> String {
    (bomb(name).2)(size)
}

/// Makes a bomb of about so many characters and does with it what the page would.
pub fn run(name: &str, size: usize, doing: Doing) {
    let (_, target, make) = bomb(name);
    let text = make(size);
    let parts: Vec<&str> = text.split('\u{1}').collect();
    let row = row("hello there");
    let mut inputs = persona::Inputs {
        persona: "id: a\nexemplars: [x]\nlexicon: {preferred: [a]}\n",
        transcript: &row,
        ..persona::Inputs::default()
    };
    match (target, &parts[..]) {
        (Persona, [text]) => {
            edit_persona(text, doing);
            inputs.persona = text;
        }
        (Transcript, [text]) => inputs.transcript = text,
        (PersonaAndTranscript, [persona, transcript]) => {
            (inputs.persona, inputs.transcript) = (persona, transcript);
        }
        (Config, [persona, transcript, config]) => {
            (inputs.persona, inputs.transcript, inputs.config) =
                (persona, transcript, Some(*config));
        }
        (Judge, [judge]) => inputs.judge = Some(judge),
        (Safety, [safety]) => inputs.safety = Some(safety),
        (SafetyAndTranscript, [safety, transcript]) => {
            (inputs.safety, inputs.transcript) = (Some(*safety), transcript);
        }
        (Turns, [text]) => return score_turns(text, doing),
        (Debate, [text]) => return score_debate(text, doing),
        (Profiles, [text]) => return read_profiles(text, doing),
        (Document, [text]) => return read_document(text, doing),
        (Labels, [labels]) => {
            beside::ask_labels(labels, doing);
            inputs.labels = Some(labels);
        }
        (Control, [control]) => {
            inputs.persona = VOICED;
            inputs.control = Some(control);
        }
        (Rules, [text]) => return beside::edit_rules(text, doing),
        (Judges, [text]) => return beside::read_judges(text, doing),
        (File, [text]) => return beside::open_file(text.as_bytes(), doing),
        (Private, [text]) => return beside::mask(text, doing),
        (Link, [text]) => return doing("decode", &mut || drop(share::decode(text))),
        _ => panic!("{name} has {} parts", parts.len()),
    }
    score_persona(&inputs, doing);
}

/// Does a step and gives back what it made.
fn get<T>(doing: Doing, name: &str, mut step: impl FnMut() -> T) -> T {
    let mut made = None;
    doing(name, &mut || made = Some(step()));
    made.expect("the step was done")
}

fn score_persona(inputs: &persona::Inputs, doing: Doing) {
    let read = get(doing, "read", || persona::read(inputs));
    let Some(run) = read.result else {
        assert!(!read.problems.is_empty(), "neither a result nor a problem");
        return;
    };
    let embedder = vectors::table(&run);
    let options = persona::Options::default();
    let similar = get(doing, "similarities", || run.similarities(&embedder));
    let scored = get(doing, "score", || run.score_with(&options, Some(&similar)));
    doing("intervals", &mut || {
        drop(run.intervals(&options, Some(&similar)))
    });
    if let Some(result) = scored.result {
        doing("exports", &mut || {
            drop((
                share::persona_csv(&result),
                share::persona_markdown(&result),
                persona::summary(&result),
            ));
        });
    }
}

fn edit_persona(text: &str, doing: Doing) {
    use persona_form::{Change, Field, Form, List};
    let Some(form) = get(doing, "form", || Form::read(text)) else {
        return;
    };
    doing("a field", &mut || {
        drop(form.apply(&Change::Field(Field::Name, "new".into())))
    });
    for list in List::ALL {
        if form.list(list).len() > 1 {
            doing("an entry", &mut || {
                drop(form.apply(&Change::Entry(list, 0, "new".into())))
            });
            doing("moved", &mut || {
                drop(form.apply(&Change::Move {
                    list,
                    from: 0,
                    to: 1,
                }))
            });
        }
    }
}

fn score_turns(text: &str, doing: Doing) {
    use turns_form::{Change, Form, Item};
    doing("mend", &mut || drop(document::mend(text)));
    let read = get(doing, "read", || constitution::read(text));
    if let Some(log) = &read.result {
        let scored = get(doing, "score", || {
            constitution::score(log, &constitution::Options::default())
        });
        if let Some(result) = &scored.result {
            doing("intervals", &mut || drop(constitution::intervals(result)));
            doing("exports", &mut || {
                drop((share::reward_csv(result), share::reward_markdown(result)))
            });
        }
    }
    let Some(form) = get(doing, "form", || Form::read(text)) else {
        return;
    };
    let last = form.len().saturating_sub(1);
    for (name, change) in [
        ("set", Change::Set(0, Item::Action, "b".into())),
        ("set the last", Change::Set(last, Item::Action, "b".into())),
        ("tools", Change::Set(0, Item::Tools, "999999999".into())),
        ("add", Change::Add),
        ("move", Change::Move { from: 0, to: last }),
        ("remove", Change::Remove(0)),
    ] {
        doing(name, &mut || drop(form.apply(&change)));
    }
}

fn score_debate(text: &str, doing: Doing) {
    let parsed = get(doing, "read", || debate::read(text));
    if let Some(payload) = &parsed.result {
        firmness(payload, doing);
    }
    use debate_form::{Change, Form};
    let Some(form) = get(doing, "form", || Form::read(text, 0)) else {
        return;
    };
    doing("outcomes", &mut || drop(form.outcome_table()));
    let score = Change::Score {
        row: 0,
        column: form.columns.len().saturating_sub(1),
        field: debate::ReviewField::Support,
        value: Some(1),
    };
    for (name, change) in [
        ("question", Change::Question("q".into())),
        ("rename", Change::RenameCandidate(0, "q".into())),
        ("add a debater", Change::AddDebater("q".into())),
        ("move a debater", Change::MoveDebater { from: 0, to: 1 }),
        ("remove a debater", Change::RemoveDebater(0)),
        ("add a candidate", Change::AddCandidate),
        ("remove a candidate", Change::RemoveCandidate(0)),
        ("rate", score),
    ] {
        doing(name, &mut || drop(form.apply(&change)));
    }
}

fn firmness(payload: &debate::Payload, doing: Doing) {
    let (options, profiles) = (debate::Options::default(), debate::Profiles::built_in());
    let scored = get(doing, "score", || {
        debate::score(payload, profiles, &options)
    });
    if let Some(result) = &scored.result {
        doing("trace", &mut || drop(debate::trace(payload, result)));
        doing("exports", &mut || {
            drop((
                share::debate_csv(result),
                share::debate_markdown(result, None),
                debate::summary(result),
            ));
        });
    }
    if let Some(board) = debate::Board::new(payload, profiles, &options) {
        doing("intervals", &mut || drop(board.intervals()));
        doing("changes", &mut || drop(board.changes()));
        doing("flags", &mut || drop(board.flags()));
        doing("one left out", &mut || drop(board.leave_one_out()));
        doing("debaters", &mut || drop(board.debaters(1_000, 1)));
        doing("domains", &mut || drop(board.domains()));
        doing("uncertainty", &mut || {
            drop(board.uncertainty(&debate::UncertaintyOptions::default()))
        });
    }
}

fn read_profiles(text: &str, doing: Doing) {
    let read = get(doing, "read", || debate::read_profiles(text));
    if let Some(profiles) = &read.result {
        let question = "stock price portfolio ".repeat(2_000);
        doing("detect", &mut || drop(debate::detect(&question, profiles)));
    }
}

fn read_document(text: &str, doing: Doing) {
    doing("detect", &mut || {
        document::detect(text, &|_| None::<()>);
    });
    doing("mend", &mut || drop(document::mend(text)));
    doing("in steps", &mut || {
        drop(at_once(document::Parsed::json_in_steps(text, THROUGH)))
    });
    doing("yaml", &mut || drop(document::parse_yaml(text)));
    doing("jsonl", &mut || drop(document::parse_jsonl(text)));
}

/// A persona with as many exemplars as a voice is learned from.
const VOICED: &str = "exemplars: [one two, three four, five six, seven eight, nine ten, one three, two five, six one, four two, ten one]\n";

/// A reply of a transcript; the text is JSON already.
fn row(text: &str) -> String {
    format!(
        "{{\"session_id\":\"s\",\"turn_index\":1,\"role\":\"assistant\",\"text\":\"{text}\"}}\n"
    )
}

/// A review; the name is JSON already.
fn rev(name: &str) -> String {
    format!(
        "{{\"debater\":\"{name}\",\"support\":1,\"evidence\":1,\"major_risks\":0,\"critical_fail\":0}}"
    )
}

#[rustfmt::skip] // a line each
const BOMBS: &[Bomb] = &[
    ("yaml-alias-scalar", Persona, |k| format!("x: &a {}\nexemplars: [{}]\n", "w".repeat(k / 2), vec!["*a"; k / 8].join(","))),
    ("yaml-alias-scalar-unknown-key", Persona, |k| format!("x: &a {}\ny: [{}]\nid: q\n", "w".repeat(k / 2), vec!["*a"; k / 8].join(","))),
    ("yaml-alias-lists", Persona, |_| { let mut t = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"); for l in 1..5 { let i = vec![format!("*a{}", l - 1); 10].join(", "); t += &format!("a{l}: &a{l} [{i}]\n"); } t }),
    ("yaml-many-anchors", Persona, |k| { let mut t = String::from("a: &a0 [x, x, x, x]\n"); for i in 1..k / 20 { t += &format!("k{i}: &a{i} x\n"); } t }),
    ("yaml-anchor-redefined", Persona, |k| { let mut t = String::from("exemplars:\n"); for i in 0..k / 12 { t += &format!("  - &a w{i}\n"); } t }),
    ("yaml-flow-deep", Persona, |k| "[".repeat(k)),
    ("yaml-flow-deep-map", Persona, |k| "{a: ".repeat(k / 4)),
    ("yaml-dashes", Persona, |k| "- ".repeat(k / 2)),
    ("yaml-questions", Persona, |k| "? ".repeat(k / 2)),
    ("yaml-colons", Persona, |k| "a: ".repeat(k / 3)),
    ("yaml-open-quote", Persona, |k| format!("exemplars: \"{}", "a\n".repeat(k / 2))),
    ("yaml-one-line-plain", Persona, |k| format!("exemplars: [{}]", "a ".repeat(k / 2))),
    ("yaml-plain-multi", Persona, |k| format!("exemplars:\n  - {}", "a\n    ".repeat(k / 6))),
    ("yaml-block-blank", Persona, |k| format!("exemplars:\n  - |\n{}    a\n", "\n".repeat(k))),
    ("yaml-block-spaces", Persona, |k| format!("exemplars:\n  - |\n{}    a\n", "      \n".repeat(k / 7))),
    ("yaml-comments", Persona, |k| format!("{}id: a\n", "# x\n".repeat(k / 4))),
    ("yaml-tags", Persona, |k| format!("id: {}a\n", "!x ".repeat(k / 3))),
    ("yaml-docs", Persona, |k| "---\n".repeat(k / 4)),
    ("yaml-flow-commas", Persona, |k| format!("[{}]", "a, ".repeat(k / 3))),
    ("yaml-flow-single-pair", Persona, |k| format!("exemplars: [{}]", "a: b, ".repeat(k / 6))),
    ("yaml-indent-stairs", Persona, |_| { let mut t = String::new(); for i in 0..430 { t += &" ".repeat(i); t += "a:\n"; } t }),
    ("yaml-percent", Persona, |k| "%A b\n".repeat(k / 5)),
    ("yaml-tabs", Persona, |k| "\t".repeat(k)),
    ("yaml-dup-keys", Persona, |k| "id: a\n".repeat(k / 6)),
    ("yaml-keys", Persona, |k| (0..k / 9).map(|i| format!("k{i}: 1\n")).collect()),
    ("yaml-long-key-many-children", Persona, |k| format!("{}: {{{}}}\n", "k".repeat(900), (0..k / 9).map(|i| format!("a{i}: 1,")).collect::<String>())),
    ("exemplars-unique", Persona, |k| format!("exemplars: [{}]", (0..k / 7).map(|i| format!("{i:x}z")).collect::<Vec<_>>().join(","))),
    ("exemplars-same", Persona, |k| format!("exemplars: [{}]", vec!["a"; k / 2].join(","))),
    ("tone-unique", Persona, |k| format!("style_rules: {{tone: [{}]}}", (0..k / 7).map(|i| format!("{i:x}z")).collect::<Vec<_>>().join(","))),
    ("lexicon-unique-same-first", Persona, |k| format!("lexicon: {{preferred: [{}]}}", (0..k / 7).map(|i| format!("a{i:x}z")).collect::<Vec<_>>().join(","))),
    ("lexicon-conflict", Persona, |k| { let l = (0..k / 16).map(|i| format!("a{i:x}z")).collect::<Vec<_>>().join(","); format!("lexicon: {{preferred: [{l}], avoid: [{l}]}}") }),
    ("lexicon-same-first-vs-text", PersonaAndTranscript, |k| format!("lexicon: {{preferred: [{}]}}\u{1}{}", (0..k / 16).map(|i| format!("a {i:x}")).collect::<Vec<_>>().join(","), row(&"a ".repeat(k / 4)))),
    ("lexicon-long-phrase-vs-text", PersonaAndTranscript, |k| format!("lexicon: {{preferred: [{}b]}}\u{1}{}", "a ".repeat(k / 4), row(&"a ".repeat(k / 4)))),
    ("lexicon-spaces-vs-text", PersonaAndTranscript, |k| format!("lexicon: {{preferred: [\"a b\"]}}\u{1}{}", row(&format!("a{}", " ".repeat(k / 2))))),
    ("response-kill-the-process", Transcript, |k| row(&"kill the process ".repeat(k / 17))),
    ("response-kill", Transcript, |k| row(&"kill you. ".repeat(k / 10))),
    ("response-kill-yourself-crisis", Transcript, |k| row(&"kill yourself call the crisis line. ".repeat(k / 36))),
    ("response-all-rules", Transcript, |k| row(&"i will kill you, guaranteed returns, cure cancer, you idiot, hurt yourself, bomb, weapon, vaccine. ".repeat(k / 100))),
    ("response-one-word", Transcript, |k| row(&"a".repeat(k))),
    ("response-dots", Transcript, |k| row(&".".repeat(k))),
    ("response-dot-space", Transcript, |k| row(&". ".repeat(k / 2))),
    ("response-exclaim", Transcript, |k| row(&"! ".repeat(k / 2))),
    ("response-lol", Transcript, |k| row(&"lol ".repeat(k / 4))),
    ("response-combining", Transcript, |k| row(&format!("a{}", "\u{301}".repeat(k / 2)))),
    ("response-zwj", Transcript, |k| row(&"\u{1f468}\u{200d}".repeat(k / 7))),
    ("response-apostrophes", Transcript, |k| row(&"'".repeat(k))),
    ("response-hyphens", Transcript, |k| row(&"-a".repeat(k / 2))),
    ("response-brackets", Transcript, |k| row(&"(".repeat(k))),
    ("response-backticks", Transcript, |k| row(&"`".repeat(k))),
    ("response-digits", Transcript, |k| row(&"1".repeat(k))),
    ("response-urls", Transcript, |k| row(&"http://a.b/".repeat(k / 11))),
    ("response-newlines", Transcript, |k| row(&"\\n".repeat(k / 2))),
    ("response-lists", Transcript, |k| row(&"\\n- a".repeat(k / 5))),
    ("response-caps", Transcript, |k| row(&"LOL WTF OMG ".repeat(k / 12))),
    ("response-passive", Transcript, |k| row(&"was being been done ".repeat(k / 20))),
    ("response-hedges", Transcript, |k| row(&"maybe perhaps i think ".repeat(k / 22))),
    ("rows-same-index", Transcript, |k| "{\"session_id\":\"s\",\"turn_index\":1,\"role\":\"user\",\"text\":\"a\"}\n".repeat(k / 58)),
    ("rows-messages-empty", Transcript, |k| format!("{{\"messages\":[{}]}}", vec!["{}"; k / 3].join(","))),
    ("rows-messages", Transcript, |k| format!("{{\"messages\":[{}]}}", vec!["{\"role\":\"assistant\",\"content\":\"a\"}"; k / 38].join(","))),
    ("rows-messages-parts", Transcript, |k| format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":[{}]}}]}}", vec!["1"; k / 2].join(","))),
    ("rows-numbers", Transcript, |k| format!("[{}]", vec!["1"; k / 2].join(","))),
    ("rows-keys", Transcript, |k| format!("{{\"role\":\"assistant\",{}\"text\":\"a\"}}", (0..k / 8).map(|i| format!("\"{i:x}\":1,")).collect::<String>())),
    ("rows-sessions", Transcript, |k| (0..k / 40).map(|i| format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"{i}\"}}]}}\n")).collect()),
    ("rows-short-lines", Transcript, |k| "{}\n".repeat(k / 3)),
    ("rows-brace-lines", Transcript, |k| "{\n".repeat(k / 2)),
    ("rows-giant-session-id", Transcript, |k| { let id = "s".repeat(k / 2); (0..2).map(|i| format!("{{\"session_id\":\"{id}\",\"turn_index\":{i},\"role\":\"assistant\",\"text\":\"a\"}}\n")).collect() }),
    ("rows-bad-sessions", Transcript, |k| "{\"role\":\"assistant\",\"text\":\"a\"}\n".repeat(k / 33)),
    ("bootstrap-most", Config, |k| format!("exemplars: [x]\u{1}{}\u{1}scoring: {{bootstrap_samples: 100000}}", (0..k / 45).map(|i| format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"{i}\"}}]}}\n")).collect::<String>())),
    ("bootstrap-10000", Config, |k| format!("exemplars: [x]\u{1}{}\u{1}scoring: {{bootstrap_samples: 10000}}", (0..k / 45).map(|i| format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"{i}\"}}]}}\n")).collect::<String>())),
    ("judge-long-key", Judge, |k| format!("{{\"{}\":{{{}\"score\":1}}}}", "k".repeat(k / 2), (0..k / 16).map(|i| format!("\"{i:x}\":1,")).collect::<String>())),
    ("judge-many", Judge, |k| format!("{{{}}}", (0..k / 20).map(|i| format!("\"{i:x}\":{{\"score\":1}}")).collect::<Vec<_>>().join(","))),
    ("judge-dups", Judge, |k| format!("{{{}}}", (0..k / 16).map(|_| "\"a\":{\"score\":1}".to_owned()).collect::<Vec<_>>().join(","))),
    ("safety-counted", SafetyAndTranscript, |k| format!("- category: custom\n  severity: low\n  pattern: '(?:a?){{200}}(?:[ab]?){{200}}c'\n\u{1}{}", row(&"a".repeat(k / 2)))),
    ("safety-nested-counted", SafetyAndTranscript, |k| format!("- category: custom\n  severity: low\n  pattern: '(?:(?:\\w{{1,20}}\\s?){{1,20}}){{1,3}}z'\n\u{1}{}", row(&"a b ".repeat(k / 8)))),
    ("safety-many-counted", SafetyAndTranscript, |k| format!("{}\u{1}{}", "- category: custom\n  severity: low\n  pattern: '(?:[ab]?){500}c'\n".repeat(300), row(&"a".repeat(k / 2)))),
    ("safety-1000-rules", SafetyAndTranscript, |k| format!("{}\u{1}{}", "- {category: custom, severity: low, pattern: '.*x'}\n".repeat(1000), row(&"a ".repeat(k / 4)))),
    ("safety-match-each", SafetyAndTranscript, |k| format!("- {{category: custom, severity: low, pattern: 'a'}}\n\u{1}{}", row(&"a ".repeat(k / 2)))),
    ("safety-match-each-exceptions", SafetyAndTranscript, |k| format!("- {{category: custom, severity: low, pattern: 'a', exceptions: ['b']}}\n\u{1}{}", row(&"a b. ".repeat(k / 5)))),
    ("safety-words-exceptions", SafetyAndTranscript, |k| format!("- {{category: custom, severity: low, words: [a], exceptions: [b]}}\n\u{1}{}", row(&"a b. ".repeat(k / 5)))),
    ("safety-dot-star", SafetyAndTranscript, |k| format!("- {{category: custom, severity: low, pattern: '.*b'}}\n\u{1}{}", row(&"a ".repeat(k / 2)))),
    ("safety-many-exceptions", Safety, |k| format!("- {{category: custom, severity: low, pattern: 'a', exceptions: [{}]}}\n", vec!["'\\w{20}'"; k / 10].join(","))),
    ("safety-nul", Safety, |k| "\u{0}".repeat(k)),
    ("safety-deep-parens", Safety, |_| format!("- {{category: custom, severity: low, pattern: '{}a{}'}}\n", "(".repeat(1900), ")".repeat(1900))),
    ("safety-alternation", Safety, |_| format!("- {{category: custom, severity: low, pattern: '{}'}}\n", "a|".repeat(1999))),
    ("safety-class", Safety, |_| format!("- {{category: custom, severity: low, pattern: '[{}]{{100}}'}}\n", "\\w\\d\\s".repeat(600))),
    ("json-deep-valid", Turns, |_| format!("{}{}", "[".repeat(500), "]".repeat(500))),
    ("json-deep-turn", Turns, |_| format!("[{{\"overrides\":{}1{}}}]", "{\"a\":".repeat(500), "}".repeat(500))),
    ("json-deep", Turns, |k| "[".repeat(k)),
    ("json-deep-obj", Turns, |k| "{\"a\":".repeat(k / 5)),
    ("json-open-quote", Turns, |k| format!("[\"{}", "\\\"".repeat(k / 2))),
    ("turns-action-dots", Turns, |k| format!("[{{\"action\":\"{}\"}}]", ".".repeat(k))),
    ("turns-empty", Turns, |k| format!("[{}]", vec!["{}"; k / 3].join(","))),
    ("turns-lines", Turns, |k| "{}\n".repeat(k / 3)),
    ("turns-lists-lines", Turns, |k| "[]\n".repeat(k / 3)),
    ("turns-words", Turns, |k| "x {} ".repeat(k / 5)),
    ("turns-fences", Turns, |k| "```\n{}\n```\n".repeat(k / 11)),
    ("turns-fence-open", Turns, |k| "```\n".repeat(k / 4)),
    ("turns-fence-spaces", Turns, |k| format!("```\n{}", " ".repeat(k))),
    ("turns-commas", Turns, |k| format!("[{}]", "[1,],".repeat(k / 5))),
    ("turns-trailing-commas", Turns, |k| format!("[{}{{}}]", "{\"action\":\"a\",},".repeat(k / 16))),
    ("turns-comments", Turns, |k| format!("[{}{{}}]", "//\n".repeat(k / 3))),
    ("turns-comments-block", Turns, |k| format!("[{}{{}}]", "/**/".repeat(k / 4))),
    ("turns-comment-open", Turns, |k| format!("[{}{{}}]", "/*".repeat(k / 2))),
    ("turns-brackets-words", Turns, |k| "[ ".repeat(k / 2)),
    ("turns-brace-quote", Turns, |k| "{\"".repeat(k / 2)),
    ("turns-brace-close", Turns, |k| "{\"a\":1} x".repeat(k / 9)),
    ("turns-close", Turns, |k| format!("x{}", "]}".repeat(k / 2))),
    ("turns-same-number", Turns, |k| format!("[{}]", vec!["{\"turn_number\":1}"; k / 18].join(","))),
    ("turns-unknown-keys", Turns, |k| format!("[{{{}}}]", (0..k / 9).map(|i| format!("\"{i:x}\":1")).collect::<Vec<_>>().join(","))),
    ("turns-dup-keys", Turns, |k| format!("[{{{}}}]", vec!["\"a\":1"; k / 6].join(","))),
    ("turns-overrides", Turns, |k| format!("[{{\"overrides\":{{{}}}}}]", (0..k / 9).map(|i| format!("\"{i:x}\":1")).collect::<Vec<_>>().join(","))),
    ("turns-tools", Turns, |k| format!("[{{\"turn_result\":{{\"tools\":[{}]}}}}]", vec!["1"; k / 2].join(","))),
    ("turns-weights", Turns, |k| format!("{{\"turns\":[{{}}],\"weights\":{{{}}}}}", vec!["\"a\":1"; k / 6].join(","))),
    ("turns-weights-known", Turns, |k| format!("{{\"turns\":[{{}}],\"weights\":{{{}}}}}", vec!["\"ethical\":1"; k / 12].join(","))),
    ("debate-candidates", Debate, |k| format!("{{\"candidates\":[{}]}}", (0..k / 105).map(|i| format!("{{\"id\":\"{i}\",\"wins\":0,\"reviews\":[{}]}}", rev(""))).collect::<Vec<_>>().join(","))),
    ("debate-candidates-critical", Debate, |k| format!("{{\"candidates\":[{}]}}", (0..k / 190).map(|i| format!("{{\"id\":\"{i}\",\"wins\":0,\"reviews\":[{0},{0}]}}", rev("").replace("fail\":0", "fail\":1"))).collect::<Vec<_>>().join(","))),
    ("debate-reviews", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"a\",\"wins\":1,\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}", (0..k / 82).map(|i| rev(&i.to_string())).collect::<Vec<_>>().join(","), rev("x"))),
    ("debate-form-grid", Debate, |k| format!("{{\"candidates\":[{{\"reviews\":[{}]}},{}]}}", vec!["{}"; k / 6].join(","), vec!["{}"; k / 6].join(","))),
    ("debate-form-grid-quarter", Debate, |k| format!("{{\"candidates\":[{{\"reviews\":[{}]}},{}]}}", vec!["{}"; k / 24].join(","), vec!["{}"; k / 24].join(","))),
    ("debate-form-pairwise", Debate, |k| format!("{{\"candidates\":[{}],\"pairwise\":[]}}", vec!["{}"; k / 3].join(","))),
    ("debate-claims", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"a\",\"wins\":1,\"claims\":[{}],\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}", vec!["{\"status\":\"running\"}"; k / 22].join(","), rev("").replace(":1", ":0"), rev("").replace(":1", ":0"))),
    ("debate-pairwise", Debate, |k| { let n = (k / 15).isqrt(); let mut p = vec![]; for i in 0..n { for j in i + 1..n { p.push(format!("{{\"winner\":\"{i}\",\"loser\":\"{j}\"}}")); } } format!("{{\"candidates\":[{}],\"pairwise\":[{}]}}", (0..n).map(|i| format!("{{\"id\":\"{i}\",\"reviews\":[{}]}}", rev(""))).collect::<Vec<_>>().join(","), p.join(",")) }),
    ("debate-pairwise-dups", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"a\",\"reviews\":[{}]}},{{\"id\":\"b\",\"reviews\":[{}]}}],\"pairwise\":[{}]}}", rev(""), rev(""), vec!["{\"winner\":\"a\",\"loser\":\"b\"}"; k / 30].join(","))),
    ("debate-pairwise-cycle", Debate, |k| { let n = (k / 15).isqrt(); let mut p = vec![]; for i in 0..n { for j in i + 1..n { let (a, b) = if (j - i) * 2 < n { (i, j) } else { (j, i) }; p.push(format!("{{\"winner\":\"{a}\",\"loser\":\"{b}\"}}")); } } format!("{{\"candidates\":[{}],\"pairwise\":[{}]}}", (0..n).map(|i| format!("{{\"id\":\"{i}\",\"reviews\":[{}]}}", rev("")) ).collect::<Vec<_>>().join(","), p.join(",")) }),
    ("debate-debaters-33x33", Debate, |k| { let n = (k / 89).isqrt(); let d = n; format!("{{\"candidates\":[{}]}}", (0..n).map(|i| format!("{{\"id\":\"{i}\",\"wins\":0,\"reviews\":[{}]}}", (0..d).map(|j| rev(&j.to_string()).replace("support\":1", &format!("support\":{}", (i * j) % 3)).replace("evidence\":1", &format!("evidence\":{}", (i + j) % 3))).collect::<Vec<_>>().join(","))).collect::<Vec<_>>().join(",")) }),
    ("debate-unique-debaters-100x5", Debate, |k| format!("{{\"candidates\":[{}]}}", (0..k / 970).map(|i| format!("{{\"id\":\"c{i}\",\"wins\":0,\"reviews\":[{}]}}", (0..5).map(|j| rev(&format!("d{}", i * 5 + j))).collect::<Vec<_>>().join(","))).collect::<Vec<_>>().join(","))),
    ("debate-unique-debaters-300x3", Debate, |k| format!("{{\"candidates\":[{}]}}", (0..k / 323).map(|i| format!("{{\"id\":\"c{i}\",\"wins\":0,\"reviews\":[{}]}}", (0..3).map(|j| rev(&format!("d{}", i * 3 + j))).collect::<Vec<_>>().join(","))).collect::<Vec<_>>().join(","))),
    ("debate-unique-debaters-1000x3", Debate, |k| format!("{{\"candidates\":[{}]}}", (0..k / 97).map(|i| format!("{{\"id\":\"c{i}\",\"wins\":0,\"reviews\":[{}]}}", (0..3).map(|j| rev(&format!("d{}", i * 3 + j))).collect::<Vec<_>>().join(","))).collect::<Vec<_>>().join(","))),
    ("debate-many-payloads", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"a\",\"wins\":1,\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}\n", rev(""), rev("")).repeat(k / 230)),
    ("debate-giant-id", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"{}\",\"wins\":1,\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}", "i".repeat(k * 9 / 10), rev(""), rev(""))),
    ("debate-long-id-many-reviews", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"{}\",\"wins\":1,\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}", "i".repeat(k / 2), vec!["{}"; k / 8].join(","), rev(""))),
    ("debate-long-id-many-claims", Debate, |k| format!("{{\"candidates\":[{{\"id\":\"{}\",\"wins\":1,\"claims\":[{}]}},{{\"id\":\"b\"}}]}}", "i".repeat(k / 2), vec!["1"; k / 5].join(","))),
    ("debate-long-question-auto", Debate, |k| format!("{{\"question\":\"{}\",\"candidates\":[{{\"id\":\"a\",\"wins\":1,\"reviews\":[{}]}},{{\"id\":\"b\",\"wins\":0,\"reviews\":[{}]}}]}}", "stock price portfolio ".repeat(k / 25), rev(""), rev(""))),
    ("profiles-long-name", Profiles, |k| format!("{{\"domains\":{{\"{}\":{{\"models\":{{{}}}}}}}}}", "k".repeat(k / 2), (0..k / 16).map(|i| format!("\"{i:x}\":9")).collect::<Vec<_>>().join(","))),
    ("profiles-long-name-unknown", Profiles, |k| format!("{{\"domains\":{{\"{}\":{{{}}}}}}}", "k".repeat(k / 2), (0..k / 16).map(|i| format!("\"{i:x}\":9")).collect::<Vec<_>>().join(","))),
    ("profiles-many", Profiles, |k| format!("{{\"domains\":{{{}}}}}", (0..k / 9).map(|i| format!("\"{i:x}\":{{}}")).collect::<Vec<_>>().join(","))),
    ("profiles-keywords", Profiles, |k| format!("{{\"domains\":{{\"a\":{{\"keywords\":[{}]}}}}}}", (0..k / 8).map(|i| format!("\"{i:x}\"")).collect::<Vec<_>>().join(","))),
    ("detect-words", Document, |k| "a b c. ".repeat(k / 7)),
    ("detect-colons", Document, |k| "a: b\n".repeat(k / 5)),
    ("detect-brace-yaml", Document, |k| "{a: ".repeat(k / 4)),
    ("detect-quotes", Document, |k| "\"a\n".repeat(k / 3)),
    ("detect-mixed-pieces", Document, |k| "{\"a\" x} ".repeat(k / 8)),
    ("detect-cr", Document, |k| "\r".repeat(k)),
    ("mend-commas", Document, |k| format!("[{}]", "[1,],".repeat(k / 5))),
    ("labels-many", Labels, |k| (0..k / 40).map(|i| format!("{{\"text\":\"a {i:x}\",\"label\":{}}}\n", i % 2)).collect()),
    ("labels-labellers", Labels, |k| (0..k / 50).map(|i| format!("{{\"text\":\"a\",\"label\":1,\"labeller\":\"{i:x}\"}}\n")).collect()),
    ("labels-disputed", Labels, |k| (0..k / 50).map(|i| format!("{{\"text\":\"{0:x}\",\"label\":{1}}}\n", i / 2, i % 2)).collect()),
    ("labels-one-text", Labels, |k| format!("{{\"text\":\"{}\",\"label\":1}}\n", "a ".repeat(k / 4)).repeat(2)),
    ("labels-listed", Labels, |k| format!("{{\"labels\":[{}]}}", vec!["{}"; k / 3].join(","))),
    ("labels-brace-lines", Labels, |k| "{\n".repeat(k / 2)),
    ("control-lines", Control, |k| (0..k / 8).map(|i| format!("a {i:x}\n")).collect()),
    ("control-rows", Control, |k| (0..k / 24).map(|i| format!("{{\"text\":\"a {i:x}\"}}\n")).collect()),
    ("control-same", Control, |k| "a\n".repeat(k / 2)),
    ("control-messages", Control, |k| format!("{{\"messages\":[{}]}}", vec!["{\"role\":\"assistant\",\"content\":\"a\"}"; k / 38].join(","))),
    ("rules-many", Rules, |k| "- {category: custom, severity: low, words: [a]}\n".repeat(k / 48)),
    ("rules-words", Rules, |k| format!("- category: custom\n  severity: low\n  words: [{}]\n  exceptions: [c]\n", vec!["a"; k / 2].join(","))),
    ("rules-block-words", Rules, |k| format!("- category: custom\n  severity: low\n  words:\n{}  exceptions: [c]\n", "    - a\n".repeat(k / 8))),
    ("rules-comments", Rules, |k| format!("- category: custom\n{}  severity: low\n  words: [a]\n", "  # a\n".repeat(k / 6))),
    ("answer-objects", Judges, |k| "{\"reply\":\"R01\",\"voice\":1} ".repeat(k / 26)),
    ("answer-open", Judges, |k| "{\"reply\":\"R01\" ".repeat(k / 14)),
    ("answer-braces", Judges, |k| "{".repeat(k)),
    ("answer-names", Judges, |k| "\"R01\": ".repeat(k / 7)),
    ("answer-nonces", Judges, |k| "\"judge\" \"sheet\": ".repeat(k / 17)),
    ("rulings-judges", Judges, |k| (0..k / 70).map(|i| format!("{{\"judge\":\"{i:x}\",\"session_id\":\"s\",\"turn_index\":1,\"voice\":{}}}\n", i % 11)).collect()),
    ("rulings-replies", Judges, |k| (0..k / 70).map(|i| format!("{{\"judge\":\"j\",\"session_id\":\"{i:x}\",\"turn_index\":1,\"voice\":{}}}\n", i % 11)).collect()),
    ("file-lines", File, |k| "{\"a\":1}\n".repeat(k / 8)),
    ("file-brackets", File, |k| "[".repeat(k)),
    ("file-keys", File, |k| format!("{{{}}}", (0..k / 9).map(|i| format!("\"{i:x}\":1")).collect::<Vec<_>>().join(","))),
    ("file-chats", File, |k| (0..k / 90).map(|i| format!("{{\"id\":\"{i:x}\",\"conversations\":[{{\"from\":\"human\",\"value\":\"a\"}},{{\"from\":\"gpt\",\"value\":\"b\"}}]}}\n")).collect()),
    ("file-chat", File, |k| format!("{{\"conversations\":[{}]}}", vec!["{\"from\":\"gpt\",\"value\":\"b\"}"; k / 28].join(","))),
    ("file-messages", File, |k| format!("{{\"messages\":[{}]}}", vec!["{\"role\":\"assistant\",\"content\":\"a\"}"; k / 38].join(","))),
    ("file-csv", File, |k| format!("a,b\n{}", "1,2\n".repeat(k / 4))),
    ("file-csv-wide", File, |k| format!("{}\n{}", "a,".repeat(k / 4), "1,".repeat(k / 4))),
    ("file-csv-quote", File, |k| format!("a,b\n\"{}", "1,\n".repeat(k / 3))),
    ("file-zip-names", File, |k| "PK\u{3}\u{4}".repeat(k / 4)),
    ("private-mails", Private, |k| (0..k / 12).map(|i| format!("a{i:x}@b.org ")).collect()),
    ("private-yaml-line", Private, |k| format!("a: [{}]", (0..k / 14).map(|i| format!("a{i:x}@b.org, ")).collect::<String>())),
    ("private-at", Private, |k| "a@".repeat(k / 2)),
    ("private-dots", Private, |k| format!("a@{}", "b.".repeat(k / 2))),
    ("private-digits", Private, |k| "1".repeat(k)),
    ("private-digit-spaces", Private, |k| "4111 ".repeat(k / 5)),
    ("private-phones", Private, |k| "+49 30 1234567, ".repeat(k / 16)),
    ("private-colons", Private, |k| "a:".repeat(k / 2)),
    ("private-words", Private, |k| "12 Main Street ".repeat(k / 15)),
    ("private-masks", Private, |k| "[mail 9999999".repeat(k / 13)),
    ("private-escapes", Private, |k| format!("[\"{}\"]", "\\u0040a".repeat(k / 7))),
    ("private-yaml", Private, |k| format!("a: [{}]\n", (0..k / 12).map(|i| format!("a{i:x}@b.org")).collect::<Vec<_>>().join(","))),
    ("link-digits", Link, |k| format!("#v{}.", "9".repeat(k))),
];
