use super::*;

fn found(pattern: &str, text: &str) -> Vec<[usize; 2]> {
    let expression = Expression::new(pattern).expect(pattern);
    expression
        .find(text, &mut u64::MAX.clone())
        .expect("steps without end")
}

#[test]
fn the_leftmost_match_that_is_tried_first_is_found() {
    assert_eq!(found("a|ab", "xab"), [[1, 2]]);
    assert_eq!(found("ab|a", "xab ab"), [[1, 3], [4, 6]]);
    assert_eq!(found("a+?", "aa"), [[0, 1], [1, 2]]);
    assert_eq!(found(r"\bcat\b", "cat concat, cat"), [[0, 3], [12, 15]]);
    assert_eq!(found("a*", "baac"), [[1, 3]]);
    assert_eq!(found("a*?", "baac"), [[0; 2]; 0]);
    assert_eq!(found("é.", "é\u{1f600}é"), [[0, 6]]);
    assert_eq!(found("$", "a"), [[0; 2]; 0]);
}

#[test]
fn a_bad_pattern_says_why() {
    for (pattern, why) in [("(a", "unclosed group"), ("(a{9999}){9999}", "too large")] {
        let reason = Expression::new(pattern).expect_err(pattern);
        assert!(reason.contains(why), "{reason}");
    }
}

#[test]
fn a_search_ends_with_its_steps() {
    let expression = Expression::new("(?:[ab]?){500}c").expect("a pattern");
    let text = "ab".repeat(10_000);
    assert_eq!(expression.find(&text, &mut 1_000_000), Err(TooManySteps));
    let mut steps = 1_000_000;
    assert_eq!(expression.find("abc", &mut steps), Ok(vec![[0, 3]]));
    assert!(steps < 1_000_000);
}

#[cfg(feature = "quick")]
#[test]
fn most_texts_without_a_match_are_told() {
    let expression =
        Expression::new(r"\b{start-half}kill(ed|s)? you\b{end-half}").expect("a pattern");
    assert!(!expression.may_match("skill you, kill yours"));
    assert!(expression.may_match("he kills you"));
    // not known beyond ASCII
    assert!(expression.may_match("é, kill yours"));
}

/// Searches that begin again after each match, and look to the end of the text for it.
#[test]
fn steps_are_counted_over_all_matches_of_a_text() {
    let expression = Expression::new("a.*x|a").expect("a pattern");
    let text = "a".repeat(5_000);
    assert_eq!(expression.find(&text, &mut 1_000_000), Err(TooManySteps));
}

#[cfg(not(target_arch = "wasm32"))]
mod against_the_library {
    use proptest::prelude::*;
    use regex_automata::nfa::thompson::pikevm::PikeVM;

    fn pattern() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            "[abé ]",
            Just(".".to_owned()),
            Just(r"\w".to_owned()),
            Just(r"\W".to_owned()),
            Just(r"\b".to_owned()),
            Just(r"\b{start-half}".to_owned()),
            Just(r"\b{end-half}".to_owned()),
            Just("^".to_owned()),
            Just("$".to_owned()),
            Just("[^a]".to_owned()),
            Just(String::new()),
        ];
        leaf.prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
                (inner.clone(), "[*+?]\\??").prop_map(|(a, many)| format!("(?:{a}){many}")),
                (inner, "\\{[0-2],3\\}\\??").prop_map(|(a, many)| format!("(?:{a}){many}")),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_matches_are_the_librarys(pattern in pattern(), text in "[abéx \n\u{1f600}]{0,20}") {
            let library = PikeVM::new(&pattern).expect("a pattern");
            let expected: Vec<[usize; 2]> = library
                .find_iter(&mut library.create_cache(), &text)
                .filter(|found| !found.is_empty())
                .map(|found| [found.start(), found.end()])
                .collect();
            prop_assert_eq!(super::found(&pattern, &text), &expected[..], "{}", &pattern);
            let expression = super::Expression::new(&pattern).expect("a pattern");
            // the second search goes on with what the first one learned
            for _ in 0..2 {
                prop_assert!(expected.is_empty() || expression.may_match(&text), "{}", &pattern);
            }
        }
    }
}

#[test]
fn a_match_needs_the_texts_of_its_parts() {
    let animals = needs("cats|dogs", &[]).expect("a pattern");
    let of = |pattern: &str| -> Vec<Vec<String>> {
        let needs = needs(pattern, std::slice::from_ref(&animals)).expect("a pattern");
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        needs
            .iter()
            .map(|list| list.iter().map(|one| text(one)).collect())
            .collect()
    };
    assert_eq!(
        of("(i|we) will( \\w+)? (drown|burn) you"),
        [
            vec!["drown", "burn"],
            vec![" will"],
            vec![" "],
            vec![" you"],
            vec!["i", "we"]
        ]
    );
    assert_eq!(of("(one thing|other)x?"), [vec!["one thing", "other"]]);
    assert!(of("a*|b").is_empty());
    let wild = of(&format!("(the )?wild {0} ?{0}*", part(0)));
    assert_eq!(wild, [vec!["wild "], vec!["cats", "dogs"]]);
}
