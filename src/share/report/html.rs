//! Writing a report: HTML that is XML too, so that any reader of either takes it apart.

use serde_json::{Value, json};

use super::super::figures::{INK, PALETTE, Table, Theme, charts, svg, tables};
use super::super::markup;
use super::super::permalink::Kind;
use super::claims::{Report, Said};

/// The version of the layout: a report of another one is not compared as it stands.
pub(super) const VERSION: &str = "1";
/// How a report of any version begins.
pub(super) const BEGINNING: &str = "<!DOCTYPE html><html lang=\"en\" data-assay-report=\"";
/// The attribute of the block of what a report says.
pub(super) const CLAIMS: &str = "data-claims=\"\"";
/// The attribute that names a text of the input.
pub(super) const PART: &str = "data-part";

/// Nothing is run and nothing is fetched.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

const STYLE: &str = "
body { margin: 0; background: var(--ink-0); color: var(--ink-1); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 2rem; line-height: 1.25; margin: .25rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; break-after: avoid; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; break-after: avoid; }
p, li, dd { overflow-wrap: anywhere; }
.beside, dt, figcaption { color: var(--ink-2); }
figure { margin: 1rem 0; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th { white-space: nowrap; }
td { overflow-wrap: break-word; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--ink-3); }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr { break-inside: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dd { margin: 0; }
pre { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; border: 1px solid var(--ink-3); padding: .5rem; }
@page { margin: 16mm; }
@media print {
  main { max-width: none; padding: 0; }
  body { font-size: 10pt; background: #fff; }
  table { font-size: 7pt; }
  th { white-space: normal; }
  th, td { padding-right: 6px; }
  .wide { overflow: visible; }
  pre { max-height: none; overflow: visible; font-size: 8pt; }
}
";

/// The report as a file. The same report is the same file, byte for byte.
pub fn write(report: &Report) -> String {
    let mut html = head(report);
    let kind = report.document.kind;
    let (verdict, others) = match report.said.split_first() {
        Some((verdict, others)) => (Some(verdict), others),
        None => (None, &report.said[..]),
    };
    html += &header(report, verdict);
    let drawn = each(&charts(kind, &report.result), |chart| {
        format!("<figure>\n{}</figure>\n", svg(chart, Theme::Both))
    });
    html += &section("charts", "Charts", &drawn);
    for (at, table) in tables(kind, &report.result).iter().enumerate() {
        html += &section(&format!("table-{at}"), &table.title, &table_html(table));
    }
    for (at, said) in others.iter().enumerate() {
        html += &section(
            &format!("said-{at}"),
            &said.title,
            &sentences(&said.sentences),
        );
    }
    html += &section("made-with", "What it was made with", &made_with(report));
    html += &section("input", "The whole input", &input(report));
    html += &section("data", "The result as data", &claims(report));
    html + "</main>\n</body>\n</html>\n"
}

/// The markup of each of several, one after the other.
fn each<T>(items: &[T], markup: impl Fn(&T) -> String) -> String {
    let mut all = String::new();
    for item in items {
        all += &markup(item);
    }
    all
}

/// What it is a report of.
fn subject(kind: Kind) -> &'static str {
    match kind {
        Kind::Rwea => "Debate",
        Kind::Reward => "Constitutional reward",
        Kind::Persona => "Persona alignment",
        Kind::Compare => "Persona alignment, compared",
    }
}

fn head(report: &Report) -> String {
    let title = subject(report.document.kind);
    let verdict = report.said.first().and_then(|said| said.sentences.first());
    let verdict = markup::name(verdict.map_or("", String::as_str));
    let (light, dark) = (colours(0), colours(1));
    format!(
        "{BEGINNING}{VERSION}\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta name=\"color-scheme\" content=\"light dark\" />\n\
         <title>{title}: {verdict}</title>\n<style>\n:root {{ color-scheme: light dark; {light} }}\n\
         @media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}{STYLE}</style>\n\
         </head>\n<body>\n<main>\n"
    )
}

/// The variables of a theme.
fn colours(theme: usize) -> String {
    let variables = |name: &str, list: &[[&str; 2]]| {
        let all = list.iter().enumerate();
        let all = all.map(|(at, colours)| format!("--{name}-{at}: {};", colours[theme]));
        all.collect::<Vec<_>>().join(" ")
    };
    format!("{} {}", variables("ink", &INK), variables("hue", &PALETTE))
}

fn header(report: &Report, verdict: Option<&Said>) -> String {
    let subject = subject(report.document.kind);
    let dated = report
        .dated
        .as_deref()
        .map(|day| format!(", {}", markup::line(day)));
    let dated = dated.unwrap_or_default();
    let said = verdict.map_or(&[][..], |said| &said.sentences);
    let (first, rest) = said
        .split_first()
        .map_or(("", said), |(first, rest)| (first, rest));
    let first = markup::line(first);
    let rest = each(rest, |words| format!("<p>{}</p>\n", markup::line(words)));
    format!(
        "<header>\n<p class=\"beside\">{subject}{dated}</p>\n<h1>{first}</h1>\n{rest}</header>\n"
    )
}

/// A part of the report under its heading; nothing where it is empty.
fn section(id: &str, title: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    let title = markup::name(title);
    format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{content}</section>\n")
}

fn table_html(table: &Table) -> String {
    let head = each(&table.head, |name| {
        format!("<th scope=\"col\">{}</th>", markup::name(name))
    });
    let cell = |text: &String| {
        let class = if text.parse::<f64>().is_ok() {
            " class=\"n\""
        } else {
            ""
        };
        format!("<td{class}>{}</td>", markup::name(text))
    };
    let row =
        |row: &Vec<String>| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<div class=\"wide\">\n<table>\n<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
}

fn sentences(said: &[String]) -> String {
    let items = each(said, |words| format!("<li>{}</li>\n", markup::line(words)));
    format!("<ul>\n{items}</ul>\n")
}

/// Formula, model, weights and options: all that is needed beside the input.
fn made_with(report: &Report) -> String {
    let (document, result) = (&report.document, &report.result);
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let mut facts = vec![
        ("Formula".to_owned(), text(&result["formula"])),
        ("Assay".to_owned(), document.app.clone()),
        ("Input SHA-256".to_owned(), text(&result["input_sha256"])),
    ];
    if let Some(model) = result.get("model").and_then(Value::as_object) {
        let facts_of_model = model
            .iter()
            .map(|(name, value)| (format!("Model {name}"), text(value)));
        facts.extend(facts_of_model);
    }
    let weights = document.weights.iter();
    facts.extend(weights.map(|(name, weight)| (format!("Weight {name}"), text(weight))));
    let options = document.options.iter();
    facts.extend(options.map(|(name, option)| (format!("Option {name}"), text(option))));
    if let Some(masked) = document.masked_words() {
        facts.push(("Masked".to_owned(), masked));
    }
    let facts = each(&facts, |(name, value)| {
        format!(
            "<dt>{}</dt><dd>{}</dd>\n",
            markup::name(name),
            markup::line(value)
        )
    });
    format!(
        "<dl>\n{facts}</dl>\n<p class=\"beside\">Weights and options that are not named are those of the method. \
         <code>assay verify</code> computes everything again from the input below and compares it.</p>\n"
    )
}

/// Every text of the input as it was given; one that has characters that no page can show as they are,
/// as JSON.
fn input(report: &Report) -> String {
    let part = |name: &str, value: &Value| {
        let (name, heading) = (markup::escaped(name), markup::name(name));
        let (text, form) = match value.as_str().filter(|text| markup::is_plain(text)) {
            Some(text) => (markup::escaped(text), ""),
            None => (markup::escaped(&markup::json(value)), " data-as=\"json\""),
        };
        format!("<h3>{heading}</h3>\n<pre tabindex=\"0\" {PART}=\"{name}\"{form}>\n{text}</pre>\n")
    };
    match &report.document.input {
        Value::Object(parts) => parts
            .iter()
            .map(|(name, value)| part(name, value))
            .collect(),
        whole => part("input", whole),
    }
}

/// What the report says, as data.
fn claims(report: &Report) -> String {
    // a document has string keys, and cannot fail to serialise
    let mut document = serde_json::to_value(&report.document).unwrap_or_default();
    if let Value::Object(document) = &mut document {
        document.remove("input");
    }
    let claims = json!({
        "dated": report.dated,
        "document": document,
        "result": report.result,
        "said": report.said,
    });
    let text = markup::escaped(&markup::json(&claims));
    format!("<pre tabindex=\"0\" {CLAIMS}>\n{text}</pre>\n")
}
