//! What to do with a text that came from outside: pasted, dropped or opened.

use std::collections::HashSet;

use super::bench::{Bench, Benches, Input};
use super::desk::Work;
use crate::document::{Reader, SOURCE, detect};
use crate::share::COMPARE;
use crate::sources::Kind;

/// Where a text belongs.
#[derive(Clone, Copy)]
pub struct Place {
    /// The bench.
    pub bench: &'static Bench,
    /// The input on it.
    pub input: &'static Input,
}

/// All inputs of some benches.
fn inputs(benches: Benches) -> impl Iterator<Item = Place> {
    let of = |bench: &&'static Bench| {
        let bench = *bench;
        bench.inputs.iter().map(move |input| Place { bench, input })
    };
    benches.iter().flat_map(of)
}

/// Where a text belongs, if its shape leaves no doubt.
pub fn sure_place_of(text: &str, benches: Benches) -> Option<Place> {
    detect(text, &|root: &Reader| {
        inputs(benches).find(|place| place.input.known_by.is_sure(root))
    })
}

/// Whether a text of a bench may say where it comes from. What it says is looked at by a part of
/// the page that need not be there otherwise.
pub fn tells_origin(work: &Work, bench: &Bench) -> bool {
    // documents that are made of files say so at their beginning, personas at their end
    const HEAD: usize = 1 << 16;
    let tells = |text: &str| {
        let (head, tail) = (text.len().min(HEAD), text.len().saturating_sub(HEAD));
        let ends = [&text.as_bytes()[..head], &text.as_bytes()[tail..]];
        let mark = SOURCE.as_bytes();
        ends.iter()
            .any(|end| end.windows(mark.len()).any(|own| own == mark))
    };
    let inputs = bench.inputs.iter().filter(|input| input.kind.is_some());
    inputs.into_iter().any(|input| tells(work.text(input.name)))
}

/// Where documents of a kind go.
pub fn place_for(kind: Kind, benches: Benches) -> Option<Place> {
    inputs(benches).find(|place| place.input.kind == Some(kind))
}

/// What the benches know, as in "a debate, turns or a persona".
pub fn nouns(benches: Benches) -> String {
    let known = inputs(benches).map(|place| &place.input.known_by);
    let known = known.filter(|known_by| !known_by.clause.is_empty());
    listed(
        &known.map(|known_by| known_by.noun).collect::<Vec<_>>(),
        "or",
    )
}

/// What each is known by, as in "a debate has candidates, turns have an action".
pub fn known_by(benches: Benches) -> String {
    let clauses = inputs(benches).map(|place| &place.input.known_by);
    let clauses: Vec<_> = clauses.map(|known_by| known_by.clause).collect();
    let clauses = clauses.into_iter().filter(|clause| !clause.is_empty());
    clauses.collect::<Vec<_>>().join(", ")
}

/// The input of a bench that holds labels of replies.
pub const LABELS: &str = "labels";

/// Labels without some lines, and with others that are not there yet.
pub fn relabelled(labels: &str, without: &str, with: &str) -> String {
    let old: HashSet<&str> = without.lines().collect();
    let kept = labels.lines().filter(|line| !old.contains(line));
    let kept: Vec<&str> = kept.collect();
    let known: HashSet<&str> = kept.iter().copied().collect();
    let new = with.lines().filter(|line| !known.contains(line));
    let lines = kept.iter().copied().chain(new);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Of two texts for one input that compares them: which of all texts is the first, and the place
/// that takes it. Nothing where there are more of them, or no such input.
pub fn first_of_two<'a>(
    texts: impl Iterator<Item = Option<&'a str>>,
    benches: Benches,
) -> Option<(usize, Place)> {
    let comparable = |(at, text): (usize, Option<&str>)| {
        let place = sure_place_of(text?, benches)?;
        Some((at, place.bench, place.input.first_of_two?))
    };
    let found: Vec<_> = texts.enumerate().filter_map(comparable).collect();
    match found[..] {
        [(at, bench, input), (_, other, _)] if bench == other => {
            let input = bench.input(input)?;
            Some((at, Place { bench, input }))
        }
        _ => None,
    }
}

/// Where the first of two documents of a kind goes that are to be compared.
pub fn place_of_first(kind: Kind, benches: Benches) -> Option<Place> {
    let Place { bench, input } = place_for(kind, benches)?;
    let input = bench.input(input.first_of_two?)?;
    Some(Place { bench, input })
}

/// Whether something was opened twice as the same.
pub fn is_twice(opened: &[(String, &str)]) -> bool {
    let mut nouns: Vec<&str> = opened.iter().map(|(_, noun)| *noun).collect();
    nouns.sort_unstable();
    nouns.windows(2).any(|pair| pair[0] == pair[1])
}

/// "a, b and c".
pub fn listed(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
    }
}

/// The permalink in a pasted address, as `v2.…`, or two that are compared, as `compare=v2.…,v2.…`.
pub fn permalink_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let (_, fragment) = text.split_once('#')?;
    let plain = !text.contains(char::is_whitespace) && text.starts_with("http");
    let is_link = fragment.starts_with('v') || fragment.starts_with(COMPARE);
    (plain && is_link).then_some(fragment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::benches::BENCHES;

    fn found(text: &str) -> Option<(&'static str, &'static str)> {
        let place = sure_place_of(text, BENCHES)?;
        Some((place.bench.name, place.input.name))
    }

    #[test]
    fn labels_come_with_a_transcript_and_those_by_hand_stay() {
        assert_eq!(relabelled("", "", "a\nb\n"), "a\nb\n");
        assert_eq!(relabelled("by hand\nb", "", "a\nb\n"), "by hand\nb\na\n");
        assert_eq!(
            relabelled("a\nby hand\nb\n", "a\nb\n", "c\n"),
            "by hand\nc\n"
        );
        assert_eq!(relabelled("a\n", "a\n", ""), "");
        let persona = place_for(Kind::Transcript, BENCHES).map(|place| place.bench);
        assert!(persona.is_some_and(|bench| bench.input(LABELS).is_some()));
    }

    #[test]
    fn of_two_transcripts_the_first_is_the_baseline() {
        let row = |text: &str| {
            format!(
                "{{\"session_id\": \"s\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"{text}\"}}"
            )
        };
        let (one, two, persona) = (row("a"), row("b"), "exemplars: [x]".to_owned());
        let of = |texts: &[&String]| {
            let texts = texts.iter().map(|text| Some(text.as_str()));
            first_of_two(texts, BENCHES).map(|(at, place)| (at, place.input.name))
        };
        assert_eq!(of(&[&persona, &one, &two]), Some((1, "baseline")));
        assert_eq!(of(&[&one, &persona]), None);
        assert_eq!(of(&[&one, &two, &one]), None);
    }

    #[test]
    fn texts_find_their_bench() {
        for (text, place) in [
            // what others have as well is left to what reads files
            ("{\"turns\": []}", None),
            ("{\"messages\": []}", None),
            ("{\"role\": \"user\", \"text\": \"a\"}\n{", None),
            ("{\"s1\": {\"score\": 7.5}}", Some(("persona", "judge"))),
            ("{\"s1\": {\"score\": \"good\"}}", None),
            ("voice:\n  tone: [warm]\n", Some(("persona", "persona"))),
            ("{\"candidates\": []}", Some(("debate", "debate"))),
            (
                "[{\"turn_number\": 1, \"action\": \"x\"}]",
                Some(("constitution", "turns")),
            ),
            ("id: x\nexemplars:\n  - a\n", Some(("persona", "persona"))),
            (
                "Here:\n```json\n{\"candidates\": [],}\n```",
                Some(("debate", "debate")),
            ),
            ("{\"domains\": {}}", Some(("debate", "profiles"))),
            // what is sure comes before what others may have as well
            (
                "{\"action\": \"x\", \"lexicon\": {}}",
                Some(("persona", "persona")),
            ),
            // a persona with a mistake in it is still one
            (
                "id: x\nexemplars:\n  - \"half a\n",
                Some(("persona", "persona")),
            ),
            ("scoring:\n  seed: 3\n", Some(("persona", "config"))),
            (
                "- category: custom\n  severity: low\n  words: [x]\n",
                Some(("persona", "safety")),
            ),
            ("dear diary", None),
            ("", None),
        ] {
            assert_eq!(found(text), place, "{text}");
        }
    }

    #[test]
    fn files_of_other_tools_are_none_of_ours() {
        for (text, format) in [
            // the result of promptfoo, and its config
            (
                r#"{"results": {"version": 3, "results": [{"testIdx": 0, "promptIdx": 0, "provider": {"id": "p"}, "success": true, "score": 1, "response": {"output": "x"}, "gradingResult": {"componentResults": []}}]}}"#,
                Some("promptfoo"),
            ),
            (
                "description: x\nprompts: [a]\nproviders: [openai:chat]\ntests:\n  - vars: {examples: y}\n",
                None,
            ),
            (
                r#"{"candidates": [{"content": {"parts": [{"text": "hi"}], "role": "model"}, "finishReason": "STOP"}]}"#,
                None,
            ),
            (r#"{"name": "x", "voice": "alloy", "theme": "dark"}"#, None),
            (
                "{\"severity\": \"INFO\", \"message\": \"a\"}\n{\"severity\": \"WARN\", \"message\": \"b\"}\n",
                None,
            ),
            (
                r#"{"schema_version": "ATIF-v1.2", "session_id": "s", "agent": {"name": "a", "version": "1"}, "examples": [], "steps": [{"step_id": 1, "source": "user", "message": "hi"}, {"step_id": 2, "source": "agent", "message": "ho"}]}"#,
                Some("atif"),
            ),
        ] {
            assert_eq!(found(text), None, "{text}");
            let file = crate::sources::File::open("x", Box::new(text.as_bytes().to_vec()), None);
            let listings = file.map(|file| file.listings).unwrap_or_default();
            let read_as = listings.first().map(|listing| listing.format.key);
            assert_eq!(read_as, format, "{text}");
        }
    }

    #[test]
    fn addresses_are_recognised() {
        assert_eq!(permalink_in(" https://a.b/c/#v1.xyz "), Some("v1.xyz"));
        assert_eq!(permalink_in("https://a.b/c/#/debate"), None);
        assert_eq!(permalink_in("# v1.heading"), None);
    }

    #[test]
    fn words_are_listed_with_a_last_one() {
        assert_eq!(listed(&[], "or"), "");
        assert_eq!(listed(&["a"], "or"), "a");
        assert_eq!(listed(&["a", "b", "c"], "and"), "a, b and c");
    }
}
