//! The walls of the house: which part of the sources may name what. Each wall
//! reads the sources as tokens, so comments, strings and layout do not matter,
//! and each is shown a breach that it must see.

// a test says what went wrong by panicking; clippy knows only #[test] functions as tests
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod circles;
mod paths;
mod supply;

use assay::analysis::agreement::{AGREED, TENTATIVE};
use assay::constitution::Band;
use assay::debate::{CLEAR_GAP, FIRM_CHANGE, FIRM_SHARE, SUFFICIENT, UNKNOWN_MODEL};
use assay::persona::GRADES;
use paths::{Named, code, named_paths};
use proc_macro2::{TokenStream, TokenTree};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The modules that compute: the same input gives the same output, everywhere.
const CORE: [&str; 9] = [
    "analysis",
    "constitution",
    "debate",
    "document",
    "persona",
    "share",
    "sources",
    "steps",
    "text",
];
/// What only a browser has.
const BROWSER: [&str; 4] = ["web_sys", "js_sys", "gloo", "wasm_bindgen"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files under a folder of the package.
fn sources(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Every path that the sources of `folders` name and `breaks` refuses, as
/// `file:line: path`. A folder without sources is an error: a wall that guards
/// nothing has been left behind by a move.
fn breaches(folders: &[&str], breaks: impl Fn(&Path, &Named) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for folder in folders {
        let files = sources(folder);
        assert!(!files.is_empty(), "{folder} has no sources");
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let file = file.strip_prefix(root()).unwrap();
            for named in named_paths(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display())) {
                if breaks(file, &named) {
                    found.push(format!("{}:{named}", file.display()));
                }
            }
        }
    }
    found
}

/// Does any path in this source text break the rule?
fn seen(text: &str, breaks: impl Fn(&Named) -> bool) -> bool {
    named_paths(text).unwrap().iter().any(breaks)
}

fn assert_none(breaches: &[String], wall: &str) {
    assert!(breaches.is_empty(), "{wall}:\n  {}", breaches.join("\n  "));
}

fn folder_of(module: &str) -> String {
    format!("src/{module}")
}

/// The benches: the folders beside the list of them.
fn benches() -> Vec<String> {
    let entries = fs::read_dir(root().join("src/app/benches")).unwrap();
    let folders = entries.map(|entry| entry.unwrap().path());
    let names = folders.filter(|path| path.is_dir()).map(|path| stem(&path));
    names.collect()
}

/// The scorers: each is the method of the bench of its name.
fn scorers() -> Vec<String> {
    let all = benches().into_iter();
    all.filter(|name| CORE.contains(&name.as_str())).collect()
}

/// The name of a file or folder without what follows the point.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_module_has_its_place_behind_the_walls() {
    for entry in fs::read_dir(root().join("src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = CORE.contains(&name.as_str())
            || [
                "app",
                "bin",
                "cli",
                "embedding",
                "lib.rs",
                "main.rs",
                "reading",
            ]
            .contains(&name.as_str());
        assert!(
            known,
            "src/{name} is new: say in tests/walls what it may name"
        );
    }
    let scorers = scorers();
    for bench in benches() {
        // what the tests' own bench scores by is its own
        let known = scorers.contains(&bench) || bench == "toy";
        assert!(known, "the bench {bench} has no method of its name in src");
    }
}

// ---- the core is pure

fn impure(named: &Named) -> bool {
    named.is_any_of(&BROWSER)
        || named.is_any_of(&[
            "leptos",
            "wasm_bindgen_futures",
            "getrandom",
            "tract_core",
            "tract_onnx",
            "assay_kernels",
            "tokenizers",
        ])
        || [
            "std::time",
            "std::fs",
            "std::env",
            "std::net",
            "std::process",
            "std::thread",
            "std::io::stdin",
            "std::io::stdout",
            "std::io::stderr",
            "rand::rng",
            "rand::thread_rng",
            "rand::random",
            "rand::rngs::OsRng",
            "rand::rngs::ThreadRng",
        ]
        .iter()
        .any(|path| named.starts_with(path))
        || named.ends_with_any(&[
            "thread_rng",
            "from_os_rng",
            "from_entropy",
            "OsRng",
            "RandomState",
        ])
        || named.is_module("app")
        || named.is_module("cli")
}

#[test]
fn the_core_is_pure() {
    let folders = CORE.map(folder_of);
    let found = breaches(&folders.each_ref().map(String::as_str), |_, named| {
        impure(named)
    });
    assert_none(
        &found,
        "the core names what only some machines have, or what differs from run to run",
    );
}

#[test]
fn an_impure_core_is_seen() {
    for breach in [
        "use web_sys::Window;",
        "use leptos::prelude::*;",
        "fn f() { let t = std::time::Instant::now(); }",
        "use std::{collections::HashMap, time::{Duration}};",
        "use std::{fs, io};",
        "fn f() -> u8 { rand::rng().random() }",
        "use rand::{Rng, thread_rng};",
        "fn f() { let r = ChaCha8Rng::from_os_rng(); }",
        "fn f() { let x = ::std::env::var(\"HOME\"); }",
        "use crate::app::desk;",
        "macro_rules! m { () => { std::fs::read(\"x\") } }",
    ] {
        assert!(seen(breach, impure), "not seen: {breach}");
    }
    for fine in [
        "// std::time::Instant::now()\nuse std::collections::BTreeMap;",
        "const NOTE: &str = \"std::fs::read\";",
        "use rand::Rng; use rand_chacha::ChaCha8Rng; fn f() { ChaCha8Rng::seed_from_u64(7); }",
        "fn f(time: f64) -> f64 { let fs = time; fs }",
    ] {
        assert!(!seen(fine, impure), "wrongly seen: {fine}");
    }
}

// ---- the scorers do not know each other

/// Does a file of scorer `home` name another of these?
fn names_another_scorer(home: &str, scorers: &[String], named: &Named) -> bool {
    scorers
        .iter()
        .any(|scorer| scorer != home && named.is_module(scorer))
}

#[test]
fn scorers_do_not_know_each_other() {
    let scorers = scorers();
    for home in &scorers {
        let found = breaches(&[&folder_of(home)], |_, named| {
            names_another_scorer(home, &scorers, named)
        });
        assert_none(
            &found,
            &format!("{home} names another scorer; what two need lives in analysis or document"),
        );
    }
}

#[test]
fn scorers_do_not_know_where_documents_come_from() {
    for home in scorers() {
        // what a source says of itself is values of the document
        let found = breaches(&[&folder_of(&home)], |_, named| named.is_module("sources"));
        assert_none(&found, &format!("{home} names the sources"));
    }
    let breaks = |named: &Named| named.is_module("sources");
    assert!(seen("use crate::sources::Marks;", breaks));
    assert!(!seen("use crate::document::SOURCE;", breaks));
}

#[test]
fn a_scorer_that_knows_another_is_seen() {
    let scorers = ["constitution", "debate", "persona"].map(str::to_owned);
    let breaks = |named: &Named| names_another_scorer("persona", &scorers, named);
    assert!(seen("use crate::debate::Profile;", breaks));
    assert!(seen(
        "use crate::{analysis, constitution::{Turn, marks}};",
        breaks
    ));
    assert!(seen("fn f() { super::super::debate::score(); }", breaks));
    assert!(!seen(
        "use crate::persona::style; use crate::analysis::weights;",
        breaks
    ));
    assert!(!seen("fn f(debate: u8) -> u8 { debate }", breaks));
}

// ---- the ground floor

fn names_a_floor_above(floors: &[&str], named: &Named) -> bool {
    floors.iter().any(|floor| named.is_module(floor))
}

#[test]
fn text_and_steps_name_no_other_module_and_document_only_these() {
    for (home, below) in [
        ("text", &["text"][..]),
        ("steps", &["steps"]),
        ("document", &["text", "steps", "document"]),
    ] {
        let above = CORE.into_iter().filter(|floor| !below.contains(floor));
        let above: Vec<&str> = above.collect();
        let found = breaches(&[&folder_of(home)], |_, named| {
            names_a_floor_above(&above, named)
        });
        assert_none(&found, &format!("{home} names what stands above it"));
    }
}

#[test]
fn a_floor_above_is_seen() {
    let breaks = |named: &Named| names_a_floor_above(&["analysis", "document"], named);
    assert!(seen("use crate::analysis::sort_by;", breaks));
    assert!(seen(
        "fn f() { crate::document::parse_json(\"\"); }",
        breaks
    ));
    assert!(!seen(
        "use crate::text::Place; fn f(document: u8) {}",
        breaks
    ));
}

// ---- no two files name each other

/// Folders in which the `mod.rs` still has what its files need. Of a bench these are the
/// record and the door, of files of other tools what the page has of them and the door: the way in
/// leads from one to the other and back.
const FAMILIES: [&str; 6] = [
    "app::benches::constitution",
    "app::benches::debate",
    "app::benches::persona",
    "app::browser",
    "app::intake",
    "app::shell",
];

#[test]
fn no_two_files_of_the_core_or_the_app_name_each_other() {
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let file = file.strip_prefix(root().join("src")).unwrap().to_owned();
        (file, text)
    };
    let folders = CORE.map(folder_of);
    let files = folders.iter().flat_map(|folder| sources(folder));
    let files = files.chain(sources("src/app")).map(read);
    let files: Vec<_> = files.collect();
    assert_none(
        &circles::circles(&files, &FAMILIES),
        "two files name each other: what both need is a third",
    );
    let all = circles::circles(&files, &[]);
    for family in FAMILIES {
        let is_needed = all.iter().any(|c| c.starts_with(&format!("{family} and ")));
        assert!(is_needed, "take {family} off FAMILIES: it has no circle");
    }
}

#[test]
fn two_files_that_name_each_other_are_seen() {
    let circles = |one: &str, other: &str, families: &[&str]| {
        let files = [
            (
                "a/mod.rs",
                "mod one;\nmod other;\npub use one::One;\npub use other::Other;",
            ),
            ("a/one.rs", one),
            ("a/other.rs", other),
        ];
        let files = files.map(|(file, text)| (PathBuf::from(file), text.to_owned()));
        circles::circles(&files, families).len()
    };
    assert_eq!(
        circles("use super::other::f;", "use super::one::g;", &[]),
        1
    );
    assert_eq!(
        circles(
            "use super::Other;",
            "fn f() { crate::a::one::g(); }",
            &["a"]
        ),
        1
    );
    assert_eq!(circles("use super::Other;", "struct Other;", &[]), 0);
    let test = "#[cfg(test)]\nmod tests { use super::super::One; }";
    assert_eq!(circles("use super::Other;", test, &[]), 0);
    // what the `mod.rs` has itself, by name or all of it
    for own in ["use super::Own;", "use super::*;"] {
        assert_eq!(circles(own, "pub(super) struct Other;", &[]), 1, "{own}");
        assert_eq!(circles(own, "pub(super) struct Other;", &["a"]), 0, "{own}");
    }
}

// ---- only embedding names the model runtime

fn names_the_runtime(named: &Named) -> bool {
    named.first().starts_with("tract") || named.is_any_of(&["tokenizers"])
}

#[test]
fn only_embedding_names_the_model_runtime() {
    let found = breaches(
        &["src", "kernels", "patterns", "tools", "tests"],
        |file, named| {
            // the exporter writes ONNX, and the tests run that as the reference
            !file.starts_with("src/embedding")
                && !file.starts_with("tools/export_model")
                && !file.starts_with("tests/embedding")
                && names_the_runtime(named)
        },
    );
    assert_none(&found, "tract and tokenizers are named outside embedding");
}

#[test]
fn a_runtime_outside_embedding_is_seen() {
    assert!(seen("use tract_onnx::prelude::*;", names_the_runtime));
    assert!(seen("fn f(t: tokenizers::Tokenizer) {}", names_the_runtime));
    assert!(!seen("use crate::embedding::Embedder;", names_the_runtime));
}

// ---- only app/browser, the workers and the fetching they share touch the browser

/// In the app: the bindings themselves, and what frameworks re-export of them.
fn touches_the_browser(named: &Named) -> bool {
    named.is_any_of(&["web_sys", "js_sys", "gloo"])
        || ["leptos::web_sys", "leptos::js_sys", "leptos::wasm_bindgen"]
            .iter()
            .any(|path| named.starts_with(path))
}

#[test]
fn only_app_browser_the_workers_and_fetching_touch_the_browser() {
    let found = breaches(&["src"], |file, named| {
        // a worker has no page: what it needs of the browser is its own; and large files
        // are fetched in the same way by both
        !file.starts_with("src/app/browser")
            && file != Path::new("src/embedding/worker.rs")
            && file != Path::new("src/embedding/packed.rs")
            && file != Path::new("src/embedding/onnx/worker.rs")
            && file != Path::new("src/embedding/fetch.rs")
            && file != Path::new("src/reading/worker.rs")
            && touches_the_browser(named)
    });
    assert_none(&found, "the browser is touched outside of its places");
}

#[test]
fn a_touch_of_the_browser_is_seen() {
    assert!(seen(
        "fn f() { let w = web_sys::window(); }",
        touches_the_browser
    ));
    assert!(seen(
        "use leptos::{prelude::*, web_sys::HtmlElement};",
        touches_the_browser
    ));
    assert!(seen(
        "use gloo::storage::LocalStorage;",
        touches_the_browser
    ));
    assert!(!seen(
        "use leptos::prelude::*; use crate::app::browser;",
        touches_the_browser
    ));
}

// ---- inside of the app

/// What the panels and charts are put together from: a desk, plain data, the browser.
const PARTS_KNOW: [&str; 13] = [
    "browser", "charts", "derived", "desk", "format", "job", "locks", "number", "panels", "parts",
    "problems", "verdict", "words",
];

/// A chart is numbers in, shapes out.
const CHARTS_KNOW: [&str; 2] = ["charts", "format"];

/// The modules of the app: files and folders.
fn app_modules() -> Vec<String> {
    let entries = fs::read_dir(root().join("src/app")).unwrap();
    entries.map(|entry| stem(&entry.unwrap().path())).collect()
}

/// Does the path lead into a module of the app that is not among these?
fn leaves(named: &Named, modules: &[String], known: &[&str]) -> bool {
    let path = named.in_app().unwrap_or_default();
    path.first()
        .is_some_and(|first| modules.iter().any(|module| module == first) && !known.contains(first))
}

#[test]
fn panels_and_charts_know_a_desk_and_plain_data() {
    let modules = app_modules();
    // a part of the panels may be named as a module of the app is
    let folders = ["src/app/panels", "src/app/charts"];
    let found = breaches(&folders, |_, named| leaves(named, &modules, &PARTS_KNOW));
    assert_none(&found, "a panel knows a bench, or the page around it");
    let found = breaches(&["src/app/charts"], |_, named| {
        leaves(named, &modules, &CHARTS_KNOW)
    });
    assert_none(&found, "a chart names more than numbers and shapes");
}

#[test]
fn the_browser_is_bindings_only() {
    let modules = app_modules();
    let found = breaches(&["src/app/browser"], |_, named| {
        named.is_any_of(&["leptos"]) || leaves(named, &modules, &["browser"])
    });
    assert_none(&found, "app/browser names what is not the browser's");
}

/// Does the path lead to a bench, and not to the list of them?
fn names_a_bench(named: &Named) -> bool {
    let path = named.in_app().unwrap_or_default();
    path.first() == Some(&"benches") && path.get(1) != Some(&"BENCHES")
        || named.first() == "benches" && !named.ends_with_any(&["BENCHES", "benches"])
}

#[test]
fn the_page_knows_the_benches_by_their_list_alone() {
    let found = breaches(&["src/app"], |file, named| {
        !file.starts_with("src/app/benches") && names_a_bench(named)
    });
    assert_none(&found, "a bench is reached past its record");
}

#[test]
fn a_bench_knows_neither_the_page_nor_another_bench() {
    let scorers = scorers();
    for home in &benches() {
        let folder = format!("src/app/benches/{home}");
        let found = breaches(&[&folder], |_, named| {
            let path = named.in_app().unwrap_or_default();
            let page = [
                "shell", "start", "kept", "drawer", "route", "link", "opening",
            ];
            names_another_scorer(home, &scorers, named)
                || path.first().is_some_and(|first| page.contains(first))
                || path.first() == Some(&"benches") && path.get(1) != Some(&"page")
        });
        assert_none(
            &found,
            &format!("the bench {home} names what is not its own"),
        );
    }
}

#[test]
fn a_breach_inside_of_the_app_is_seen() {
    let modules = ["shell", "desk", "benches"].map(str::to_owned);
    let panel = |named: &Named| leaves(named, &modules, &PARTS_KNOW);
    assert!(seen("use crate::app::shell::Shell;", panel));
    assert!(seen("use super::super::benches;", panel));
    assert!(!seen(
        "use crate::app::desk::Desk; use super::field;",
        panel
    ));
    assert!(!seen("fn f(shell: u8) -> u8 { shell }", panel));
    let chart = |named: &Named| leaves(named, &modules, &CHARTS_KNOW);
    assert!(seen("use crate::app::desk::Desk;", chart));
    assert!(seen(
        "use crate::app::benches::debate::BENCH;",
        names_a_bench
    ));
    assert!(seen("use benches::{BENCHES, debate};", names_a_bench));
    assert!(!seen("use crate::app::benches::BENCHES;", names_a_bench));
    assert!(!seen("mod benches; use benches::BENCHES;", names_a_bench));
}

// ---- no unsafe code

#[test]
fn nothing_is_unsafe() {
    let found = breaches(
        &["src", "kernels", "patterns", "tools", "tests"],
        |file, named| named.is_any_of(&["unsafe"]) && !counts_steps(file),
    );
    assert_none(&found, "unsafe code");
    // the lint is lifted for what a macro writes and for the compiler's counters, and there only
    let found = breaches(
        &["src", "kernels", "patterns", "tools", "tests"],
        |file, named| named.is_any_of(&["unsafe_code"]) && !is_a_door(file) && !counts_steps(file),
    );
    assert_none(&found, "unsafe code is allowed");
}

/// Where the compiler's counters are read: in a test, built by a stage of its own.
fn counts_steps(file: &Path) -> bool {
    file == Path::new("tests/bombs/steps.rs")
}

/// The ways into the benches' code.
fn is_a_door(file: &Path) -> bool {
    let homes = ["src/app/benches", "src/app/intake", "src/app/runs"];
    homes.iter().any(|home| file.starts_with(home)) && file.ends_with("door.rs")
}

#[test]
fn unsafe_code_is_seen() {
    let breaks = |named: &Named| named.is_any_of(&["unsafe"]);
    assert!(seen("fn f() { unsafe { g() } }", breaks));
    assert!(seen("#[unsafe(no_mangle)] fn f() {}", breaks));
    assert!(!seen("// unsafe\n#![forbid(unsafe_code)]", breaks));
}

// ---- a number of a method is written once, beside its rule

/// The folders that say what a method decided, but do not decide. Their own tests
/// say what a sentence should be and may write numbers.
const SPEAKING: [&str; 3] = ["src/app", "src/share", "src/cli"];

/// Numbers that the methods fix, as a person would type them: the rules of a debate,
/// bounds of grades, bands and agreement.
fn fixed_numbers() -> Vec<String> {
    let rules = [
        SUFFICIENT,
        CLEAR_GAP,
        UNKNOWN_MODEL,
        FIRM_CHANGE,
        FIRM_SHARE,
    ];
    let bands = [Band::Perfect, Band::Good, Band::Concerning].map(Band::least);
    let grades = GRADES.map(|(_, bound)| bound);
    let numbers = [&rules[..], &bands, &grades, &[AGREED, TENTATIVE]].concat();
    let typed = numbers.iter().flat_map(|number| {
        // without two decimals a half is any half
        let short = (number * 2.0).fract() != 0.0;
        [
            Some(format!("{number:.2}")),
            short.then(|| number.to_string()),
        ]
    });
    typed.flatten().collect()
}

/// The literals of a source text before its tests, each as written.
fn literals(text: &str) -> Vec<String> {
    fn walk(stream: TokenStream, found: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) => walk(group.stream(), found),
                TokenTree::Literal(literal) => found.push(literal.to_string()),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(code(text).parse().unwrap(), &mut found);
    found
}

/// Does a literal hold one of the numbers, alone or in a sentence?
fn holds_one_of(numbers: &[String], literal: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let words = literal.split(|c: char| !is_part(c));
    // a full stop ends a sentence
    words
        .map(|word| word.trim_end_matches('.'))
        .any(|word| numbers.iter().any(|number| number == word))
}

#[test]
fn the_numbers_of_a_method_are_not_typed_where_it_is_spoken_of() {
    let (fixed, mut found) = (fixed_numbers(), Vec::new());
    for folder in SPEAKING {
        for file in sources(folder) {
            let text = fs::read_to_string(&file).unwrap();
            let file = file.strip_prefix(root()).unwrap().display().to_string();
            // its own test holds the usage to the method's defaults
            let is_usage =
                |literal: &String| file == "src/cli/mod.rs" && literal.contains("--ethical-floor");
            let literals = literals(&text).into_iter().filter(|l| !is_usage(l));
            let typed = literals.filter(|literal| holds_one_of(&fixed, literal));
            found.extend(typed.map(|literal| format!("{file}: {literal}")));
        }
    }
    assert_none(
        &found,
        "a method's number is typed by hand; take its constant",
    );
}

#[test]
fn a_typed_number_of_a_method_is_seen() {
    let fixed = fixed_numbers();
    let seen = |text: &str| literals(text).iter().any(|l| holds_one_of(&fixed, l));
    for breach in [
        "fn f() -> String { format!(\"from 0.40 on a lead is a win.\") }",
        "view! { <p>\"a decision needs 1.20.\"</p> }",
        "const LEAST: f64 = 8.7;",
        "#[cfg(test)]\nconst TEST: u8 = 0;\nconst B: &str = \"from 0.80\";",
    ] {
        assert!(seen(breach), "not seen: {breach}");
    }
    for fine in [
        "// 0.40\nfn f() -> f64 { CLEAR_GAP }",
        "const A: &str = \"10.40 kB, version 1.20.3\";",
        "fn f() {}\n#[cfg(test)]\nmod tests { const A: f64 = 0.40; }",
    ] {
        assert!(!seen(fine), "wrongly seen: {fine}");
    }
}

// ---- the app does not link the model runtime

/// The crates that a build of these features for the browser links.
fn linked(features: &str) -> Vec<String> {
    let output = Command::new(env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()))
        .current_dir(root())
        .args([
            "tree",
            "--offline",
            "--locked",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])
        .args(["--edges", "normal", "--target", "wasm32-unknown-unknown"])
        .args(["--no-default-features", "--features", features])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

fn runtime_among(crates: &[String]) -> bool {
    crates
        .iter()
        .any(|name| name.starts_with("tract") || name == "tokenizers")
}

#[test]
fn the_app_links_no_model_runtime() {
    let crates = linked("app");
    assert!(
        crates.iter().any(|name| name == "leptos"),
        "this is not the app's tree: {crates:?}"
    );
    assert!(!runtime_among(&crates), "the app links the model runtime");
}

#[test]
fn a_linked_model_runtime_is_seen() {
    assert!(runtime_among(&linked("worker")));
}

/// The worker of the page's own model needs tract's core; what reads ONNX would double its size,
/// and is a program of its own.
#[test]
fn the_worker_reads_no_onnx() {
    let reads_onnx = |crates: &[String]| crates.iter().any(|name| name == "tract-onnx");
    assert!(
        !reads_onnx(&linked("worker")),
        "the worker links tract-onnx"
    );
    assert!(reads_onnx(&linked("onnx-worker")), "not seen where it is");
}

#[test]
fn the_core_links_nothing_of_the_browser() {
    let crates = linked("");
    for name in ["web-sys", "js-sys", "wasm-bindgen", "leptos", "getrandom"] {
        assert!(
            !crates.iter().any(|linked| linked == name),
            "the core links {name}"
        );
    }
}
