//! What a file says of the work on a bench, held against what is computed here, once that is there.

// what is fetched may not be there; the code itself does not fail
#![allow(clippy::unnecessary_wraps)]

use std::future::pending;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use wasm_split_helpers::wasm_split;

use super::bench::{Bench, Benches, Room};
use super::browser::tasks::within;
use super::derived::effect;
use super::export::Format;
use super::notice::Notices;
use super::parts::NotLoaded;
use crate::share::Kind;
use crate::share::report::{Report, read_report};
use crate::share::verify::{Account, compare_reports, compare_results, misspelled, other_model};
use crate::text::Shown;

/// What comes a moment after a grade (the voice, a second opinion) is waited for: so often, and so
/// many milliseconds each time.
const LOOKS: usize = 20;
const BETWEEN: u32 = 1000;

/// A report or a result, as it was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The bench of what it was made from.
    pub bench: &'static Bench,
    text: Arc<str>,
    is_report: bool,
}

/// What came of it.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    /// Whether it stands; none where that cannot be said here.
    stands: Option<bool>,
    said: Vec<String>,
}

impl From<Account> for Told {
    fn from(account: Account) -> Self {
        Self {
            stands: Some(account.stands()),
            said: account.sentences(),
        }
    }
}

impl Claim {
    /// A report of a bench.
    pub fn of_report(bench: &'static Bench, text: &str) -> Self {
        Self {
            bench,
            text: text.into(),
            is_report: true,
        }
    }

    /// A result as this page and the command line write it, known by the name of its formula. A
    /// witness record is none: its bench checks that by itself.
    pub fn of_result(text: &str, benches: Benches) -> Option<Self> {
        if text.contains("\"turn_sha256\"") || !text.contains("\"input_sha256\"") {
            return None;
        }
        let is_of = |bench: &&&'static Bench| {
            let name = bench.link.formula.split('/').next().unwrap_or_default();
            ["", " "]
                .iter()
                .any(|space| text.contains(&format!("\"formula\":{space}\"{name}/")))
        };
        let bench = benches.iter().find(is_of)?;
        Some(Self {
            bench,
            text: text.into(),
            is_report: false,
        })
    }

    /// Holds it against a report of what is on the bench.
    fn hold(&self, computed: &str) -> Told {
        let unknown = |why: String| Told {
            stands: None,
            said: vec![format!("It cannot be checked here: {why}")],
        };
        let computed = match read_report(computed) {
            Ok(computed) => computed,
            Err(problem) => return unknown(format!("{}.", problem.message)),
        };
        if self.is_report {
            return match read_report(&self.text) {
                Ok(claimed) => match another_model(&claimed.result, &computed) {
                    Some(why) => unknown(why),
                    None => compare_reports(&self.text, &claimed, &computed).into(),
                },
                Err(problem) => unknown(format!("{}.", problem.message)),
            };
        }
        let claimed: Value = match serde_json::from_str(self.text.trim_start_matches('\u{feff}')) {
            Ok(claimed) => claimed,
            Err(_) if is_several(&self.text) => {
                return unknown(
                    "it is several results, a line each. `assay verify FILE --input INPUT` checks them all."
                        .to_owned(),
                );
            }
            Err(error) => return unknown(format!("it is not one value of JSON ({error}).")),
        };
        let [theirs, ours] = [&claimed, &computed.result].map(|result| {
            let sha256 = result.get("input_sha256").and_then(Value::as_str);
            sha256.unwrap_or_default().to_owned()
        });
        if theirs != ours {
            let short = |sha256: &str| Shown(sha256.get(..12).unwrap_or(sha256)).to_string();
            return unknown(format!(
                "it is the result of another input (SHA-256 {} …, here is {} …). Open that one, and give the result once more.",
                short(&theirs),
                short(&ours)
            ));
        }
        if let Some(why) = another_model(&claimed, &computed) {
            return unknown(why);
        }
        let mut account = compare_results(&claimed, &computed.result);
        account.differences.extend(misspelled(&self.text));
        account.into()
    }
}

/// Whether a text has a whole value of JSON in each of its first two lines.
fn is_several(text: &str) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines();
    let mut lines = lines.filter(|line| !line.trim().is_empty());
    let is_value =
        |line: Option<&str>| line.is_some_and(|line| serde_json::from_str::<Value>(line).is_ok());
    is_value(lines.next()) && is_value(lines.next())
}

/// Why the figures of another model are not compared.
fn another_model(claimed: &Value, computed: &Report) -> Option<String> {
    let sha256 = computed.result.get("model")?.get("sha256")?.as_str()?;
    other_model(claimed, sha256)
}

#[wasm_split(more, fallible)]
fn held(claim: Claim, computed: String) -> Result<Told, NotLoaded> {
    Ok(claim.hold(&computed))
}

/// Holds what is claimed of a bench against its result, as soon as there is one.
pub fn follow(
    claim: RwSignal<Option<Claim>>,
    (bench, room): (&'static Bench, RwSignal<Option<Room>>),
    notices: Notices,
) {
    effect(move || {
        let Some(room) = room.get() else {
            return;
        };
        if !room.is_current.get() || room.verdict.with(Option::is_none) {
            return;
        }
        if let Some(now) = claim.get().filter(|claim| claim.bench == bench) {
            spawn_local(check(claim, now, room, notices));
        }
    });
}

async fn check(claim: RwSignal<Option<Claim>>, now: Claim, room: Room, notices: Notices) {
    for look in 1..=LOOKS {
        let may_come = now.bench.link.kind == Kind::Persona && look < LOOKS;
        let report = match room.export.run(Format::Report).await {
            Ok(Some(report)) => report,
            // the voice follows the verdict
            Ok(None) if may_come => {
                within(BETWEEN, pending::<()>()).await;
                continue;
            }
            // there is more to come, which is followed as well
            _ => return,
        };
        let told = held(now.clone(), report).await;
        // it was told meanwhile, or another was given
        if claim.with_untracked(|claim| claim.as_ref() != Some(&now)) {
            return;
        }
        let Ok(told) = told else {
            claim.set(None);
            return notices.warn("The code that checks results could not be loaded. Try again.");
        };
        if told.stands == Some(false) && may_come {
            within(BETWEEN, pending::<()>()).await;
            continue;
        }
        claim.set(None);
        let what = if now.is_report { "report" } else { "result" };
        let words = format!("The {what}: {}", told.said.join(" "));
        return match told.stands {
            Some(false) => notices.insist(words, Vec::new()),
            Some(true) | None => notices.tell(words),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::named;
    use crate::app::benches::BENCHES;
    use crate::app::desk::Work;
    use crate::share::report::write;
    use crate::share::score_again;

    fn report(turns: &str) -> Report {
        let bench = named(BENCHES, "constitution").expect("a bench");
        let document = bench.document(&Work::of("turns", turns));
        score_again(&document, None).expect("a report")
    }

    #[test]
    fn a_result_is_held_against_what_is_on_the_bench() {
        let turns = r#"[{"action": "x", "overrides": {"ethical": 0.5}}]"#;
        let computed = report(turns);
        let text = serde_json::to_string(&computed.result).expect("plain data");
        let claim = |text: &str| Claim::of_result(text, BENCHES).expect("a result");
        assert_eq!(claim(&text).bench.name, "constitution");
        let page = write(&computed);
        assert_eq!(claim(&text).hold(&page).stands, Some(true));
        let told = claim(&text.replace("7.7", "7.8")).hold(&page);
        assert_eq!(told.stands, Some(false));
        assert!(told.said[1].contains("it says 7.8, computed again it is 7.7"));
        // of another input nothing is said
        let other = write(&report(r#"[{"action": "y"}]"#));
        let told = claim(&text).hold(&other);
        assert_eq!(told.stands, None);
        assert!(told.said[0].contains("the result of another input"));
        let told = claim(&format!("{text}\n{text}\n")).hold(&page);
        assert!(told.said[0].contains("several results"), "{:?}", told.said);
        let told = claim(&text[..text.len() - 1]).hold(&page);
        assert!(told.said[0].contains("not one value of JSON"));
    }

    #[test]
    fn what_is_no_result_is_none() {
        for text in [
            "{}",
            "{\"input_sha256\": \"a\", \"formula\": \"own/1\"}",
            "{\"input_sha256\": \"a\", \"turn_sha256\": \"b\", \"formula\": \"reward/1\"}",
        ] {
            assert_eq!(Claim::of_result(text, BENCHES), None, "{text}");
        }
    }
}
