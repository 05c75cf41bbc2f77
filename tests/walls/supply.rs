//! What is brought in: from where, under which licence, and what becomes markup.

use serde_json::Value;
use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::process::Command;

use crate::{root, sources};

/// Packages of the tests, of which nothing is shipped: the list of `deny.toml`.
const EXCEPTIONS: [(&str, &str); 1] = [("webdriver", "MPL-2.0")];

/// Licences that ask for no more than their text: the list of `deny.toml`.
fn allowed() -> Vec<String> {
    let deny = fs::read_to_string(root().join("deny.toml")).unwrap();
    let list = deny
        .split_once("allow = [")
        .unwrap()
        .1
        .split_once(']')
        .unwrap()
        .0;
    let quoted = list.split('"').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

fn cargo(arguments: &[&str]) -> String {
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).unwrap()
}

fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    // older packages write a slash for OR
    let expression = spdx::Expression::parse_mode(licence, spdx::ParseMode::LAX);
    expression.is_ok_and(|expression| {
        expression.evaluate(|wanted| allowed.iter().any(|known| *known == wanted.to_string()))
    })
}

#[test]
fn every_package_comes_from_the_registry_under_a_licence_that_is_known() {
    let metadata = cargo(&["metadata", "--format-version", "1", "--all-features"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let (allowed, mut wrong) = (allowed(), Vec::new());
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let source = package["source"].as_str();
        let is_ours = source.is_none();
        let is_from_registry = source.is_some_and(|source| {
            source.starts_with("registry+https://github.com/rust-lang/crates.io-index")
        });
        let licence = package["license"].as_str().unwrap_or("none");
        let excepted = EXCEPTIONS.contains(&(name, licence));
        let is_known = is_from_registry && (excepted || is_allowed(licence, &allowed));
        if !is_ours && !is_known {
            wrong.push(format!("{name}: {licence}, {source:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_licence_that_asks_for_more_is_seen() {
    let allowed = allowed();
    for (licence, is) in [
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("MIT OR LGPL-2.1-or-later", true),
        ("GPL-3.0", false),
        ("MIT AND GPL-3.0", false),
        ("none", false),
    ] {
        assert_eq!(is_allowed(licence, &allowed), is, "{licence}");
    }
}

#[test]
fn the_pages_list_of_licences_is_that_of_its_packages() {
    let tree = cargo(&[
        "tree",
        "-e",
        "normal",
        "--target",
        "wasm32-unknown-unknown",
        "--no-default-features",
        "--features",
        "app,worker,onnx-worker",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    let names = tree.lines().filter(|line| !line.starts_with("assay"));
    let expected: BTreeSet<String> = names
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some(format!(
                "{} {}",
                words.next()?,
                words.next()?.trim_start_matches('v')
            ))
        })
        .collect();
    let list = fs::read_to_string(root().join("public/licences.txt")).unwrap();
    let lines = list.lines().skip_while(|line| !line.is_empty()).skip(1);
    let listed: BTreeSet<String> = lines
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| Some(line.split_once(':')?.0.to_owned()))
        .collect();
    let missing: Vec<_> = expected.symmetric_difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "tools/licences writes the list anew: {missing:?}"
    );
}

/// Ways from a text to markup, in Rust's bindings and in JavaScript.
const TO_MARKUP: [&str; 15] = [
    "inner_html",
    "innerHTML",
    "outer_html",
    "outerHTML",
    "insert_adjacent_html",
    "insertAdjacentHTML",
    "DomParser",
    "DOMParser",
    "srcdoc",
    "create_contextual_fragment",
    "createContextualFragment",
    "setHTML",
    "write_1",
    "document.write",
    "document().write",
];

/// The first of them in a text.
fn to_markup(text: &str) -> Option<&'static str> {
    TO_MARKUP.into_iter().find(|way| text.contains(way))
}

/// The scripts beside the page.
fn scripts() -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(root().join("public")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "js"))
        .collect();
    assert!(found.len() > 2, "{found:?}");
    found
}

#[test]
fn nothing_becomes_markup_from_a_text() {
    let rust = ["src", "vendor"].into_iter().flat_map(sources);
    for file in rust.chain(scripts()).chain([root().join("index.html")]) {
        let way = to_markup(&fs::read_to_string(&file).unwrap());
        assert_eq!(way, None, "{}", file.display());
    }
}

#[test]
fn every_way_to_markup_is_seen() {
    for breach in [
        "element.set_inner_html(text);",
        "view! { <p inner_html=text></p> }",
        "element.innerHTML = text;",
        "element.set_outer_html(text);",
        "element.outerHTML = text;",
        "element.insert_adjacent_html(\"beforeend\", text);",
        "element.insertAdjacentHTML('beforeend', text);",
        "web_sys::DomParser::new();",
        "new DOMParser().parseFromString(text, 'text/html');",
        "frame.srcdoc = text;",
        "range.create_contextual_fragment(text);",
        "range.createContextualFragment(text);",
        "element.setHTMLUnsafe(text);",
        "page.write_1(text);",
        "document.write(text);",
        "document.writeln(text);",
    ] {
        assert!(to_markup(breach).is_some(), "{breach}");
    }
    assert_eq!(to_markup("element.textContent = text;"), None);
}

/// A host that reads `_headers` says what the page says, and what a page cannot say.
#[test]
fn the_headers_have_the_pages_policy() {
    let page = fs::read_to_string(root().join("index.html")).unwrap();
    let (_, policy) = page.split_once("\"Content-Security-Policy\"").unwrap();
    let (_, policy) = policy.split_once("content=\"").unwrap();
    let own: BTreeSet<&str> = directives(policy.split_once('"').unwrap().0);
    assert!(own.contains("default-src 'self'"), "{own:?}");
    let headers = fs::read_to_string(root().join("public/_headers")).unwrap();
    let (_, headers) = headers.split_once("\n/*\n").unwrap();
    let header = |name: &str| {
        let lines = headers
            .lines()
            .filter_map(|line| line.trim().split_once(": "));
        let values: Vec<&str> = lines
            .filter(|line| line.0 == name)
            .map(|line| line.1)
            .collect();
        assert_eq!(values.len(), 1, "{name}: {values:?}");
        values[0]
    };
    let mut said = directives(header("Content-Security-Policy"));
    assert!(said.remove("frame-ancestors 'none'"), "{said:?}");
    assert_eq!(said, own);
    assert_eq!(header("X-Content-Type-Options"), "nosniff");
    assert_eq!(header("Referrer-Policy"), "no-referrer");
}

fn directives(policy: &str) -> BTreeSet<&str> {
    policy.split(';').map(str::trim).collect()
}

/// A container of the page says the same headers: the line that makes them is run here.
#[test]
fn the_container_has_the_pages_headers() {
    let file = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let line = file.lines().find_map(|line| line.strip_prefix("RUN sed"));
    let (command, _) = line.unwrap().split_once(" /usr/share").unwrap();
    let command = format!("sed{command} public/_headers");
    let mut shell = Command::new("sh");
    let made = shell.args(["-c", &command]).current_dir(root()).output();
    let made = String::from_utf8(made.unwrap().stdout).unwrap();
    let headers = fs::read_to_string(root().join("public/_headers")).unwrap();
    let headers = headers.lines().filter_map(|line| line.strip_prefix("  "));
    let headers: Vec<(&str, &str)> = headers.filter_map(|line| line.split_once(": ")).collect();
    assert!(headers.len() >= 5, "{headers:?}");
    let expected = headers
        .iter()
        .map(|(name, value)| format!("add_header {name} \"{value}\" always;\n"));
    assert_eq!(made, expected.collect::<String>());
}

/// What publishes the page runs what the project has, and takes what that makes.
#[test]
fn the_workflow_builds_what_it_publishes() {
    let text = fs::read_to_string(root().join(".github/workflows/pages.yml")).unwrap();
    let runs = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "));
    assert_eq!(runs.collect::<Vec<_>>(), ["make build"]);
    assert!(text.contains("path: dist\n") && text.contains("'tools/setup'"));
    assert!(
        fs::read_to_string(root().join("Makefile"))
            .unwrap()
            .contains("\nbuild: ")
    );
    assert!(root().join("tools/setup").exists());
}
