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
    assert!(!expression.may_match("skill you, kill yours", None));
    assert!(expression.may_match("he kills you", None));
    // not known beyond ASCII
    assert!(expression.may_match("é, kill yours", None));
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
                prop_assert!(expected.is_empty() || expression.may_match(&text, None), "{}", &pattern);
                let starts: Vec<usize> = expected.iter().map(|[start, _]| *start).collect();
                prop_assert_eq!(starts.is_empty(), !expression.may_match(&text, Some(&starts)), "{}", &pattern);
            }
        }
    }
}

/// The lists of a pattern; `<` and `>` where no character of a word stands beside a text, `(` and `)` where
/// what stands beside the pattern does, `[` and `]` where either does.
fn lists(pattern: &str, parts: &[Needs]) -> Vec<Vec<String>> {
    let needs = needs(pattern, parts).expect("a pattern");
    let text = |text: Text| {
        let marks = ["<([", ">)]"].map(str::chars);
        let mut marks = marks
            .into_iter()
            .zip(text.sides)
            .map(|(mut marks, beside)| match beside {
                Beside::Anything => None,
                Beside::NoWord => marks.next(),
                Beside::Outside => marks.nth(1),
                Beside::Near => marks.nth(2),
            });
        let [before, behind] =
            [marks.next(), marks.next()].map(|mark| mark.flatten().map(String::from));
        let text = String::from_utf8_lossy(&text.bytes).into_owned();
        before.unwrap_or_default() + &text + &behind.unwrap_or_default()
    };
    let outside = [Beside::Outside; 2];
    let list = |need: &Need| need.texts(outside).map(text).collect();
    needs.lists.iter().map(list).collect()
}

#[test]
fn a_match_needs_the_texts_of_its_parts() {
    let animals = needs("cats?|dogs", &[]).expect("a pattern");
    let of = |pattern: &str| lists(pattern, std::slice::from_ref(&animals));
    assert_eq!(
        of("(i|we) will( \\w+)? (drown|burn) you"),
        [
            vec!["(i>", "(we>"],
            vec![" will>"],
            vec![" "],
            vec!["<drown>", "<burn>"],
            vec![" you)"],
        ]
    );
    assert_eq!(of("(one thing|other)x?"), [vec!["(one thing", "(other"]]);
    assert_eq!(of("[!?]*(yes|no)(,| ok)*"), [vec!["[yes]", "[no]"]]);
    assert_eq!(of("x(yes|no)+"), [vec!["(x"], vec!["yes", "no"]]);
    assert!(of("a*|b").is_empty());
    let wild = of(&format!("(the )?wild {0} ?{0}*", part(0)));
    assert_eq!(wild, [vec!["[wild "], vec!["<cat", "<dogs"]]);
    let alone = of(&format!("{0}, {0}", part(0)));
    assert_eq!(
        alone,
        [vec!["(cat", "(dogs>"], vec![", "], vec!["<cat", "<dogs)"]]
    );
}

#[test]
fn members_of_an_alternation_need_their_texts_apart() {
    let count = |pattern: &str| {
        let ways = needs(pattern, &[]).expect("a pattern").ways.into_iter();
        ways.map(|way| way.len()).collect::<Vec<usize>>()
    };
    assert_eq!(count("one|two|three"), [1]);
    assert_eq!(count("(a (cat|dog)|pig)( and)? (flies|runs x+ y)"), [3, 5]);
    assert_eq!(count("(a (cat|dog)|pig|b*)z"), [3, 2, 1]);
    assert_eq!(count("(a (cat|dog)|b*)"), [2, 0]);
}

/// Whatever stands between edges and matches has a text of each list, one behind the other.
#[cfg(not(target_arch = "wasm32"))]
mod of_all_matches {
    use super::*;
    use proptest::prelude::*;

    /// Where a part stands in a pattern.
    const PART: &str = "<part>";

    fn pattern() -> impl Strategy<Value = String> {
        let just = [
            " ", "[a-]", "[ab ]?", r"\b", PART, "( b)?", r"\w*", r"\d", "[$é]",
        ];
        let leaf = prop_oneof![
            "[ab]{1,2}",
            proptest::sample::select(just.to_vec()).prop_map(str::to_owned)
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(?:{a}|{b})")),
                (inner, "[*+?]").prop_map(|(a, many)| format!("(?:{a}){many}")),
            ]
        })
    }

    /// Whether the texts of the lists stand in a text from a place on, in their order.
    fn stand(lists: &[Need], text: &str, mut at: usize) -> bool {
        let is_free = |byte: Option<&u8>| !byte.is_some_and(|byte| is_word(*byte));
        for need in lists {
            let ends = need.texts([Beside::NoWord; 2]).filter_map(|one| {
                let bytes = text.as_bytes();
                let place = (at..bytes.len()).find(|place| {
                    let end = place + one.bytes.len();
                    let beside = [
                        place.checked_sub(1).and_then(|before| bytes.get(before)),
                        bytes.get(end),
                    ];
                    let borders = [one.bytes.first(), one.bytes.last()];
                    bytes[*place..].starts_with(&one.bytes)
                        && (0..2).all(|side| {
                            one.sides[side] != Beside::NoWord
                                || is_free(borders[side])
                                || is_free(beside[side])
                        })
                })?;
                Some(place + one.bytes.len())
            });
            // what may stand in the place of the texts may stand before them
            if need.list.or_beyond && !text.is_ascii() {
                continue;
            }
            match ends.min() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn the_needs_stand_in_them(pattern in pattern(), part in pattern(), text in "[ab1é٣$ -]{0,12}") {
            let part = part.replace(PART, "(a|b a|ba)");
            let parts = [needs(&part, &[]).expect("a pattern")];
            let edge = r"(?:\b{start-half}|\b{end-half})";
            let with = |inside: &str| pattern.replace(PART, inside);
            let needs = needs(&with(&super::part(0)), &parts).expect("a pattern");
            let whole = format!("{edge}(?:{}){edge}", with(&format!("(?:{part})")));
            for [start, _] in found(&whole, &text) {
                let begins = |lists: &[Need]| {
                    lists.first().filter(|first| first.is_first()).is_none_or(|first| {
                        let mut texts = first.texts([Beside::NoWord; 2]);
                        texts.any(|one| text.as_bytes()[start..].starts_with(&one.bytes))
                    })
                };
                let are_met = |lists: &Vec<Need>| begins(lists) && stand(lists, &text, start);
                prop_assert!(are_met(&needs.lists), "{} in {:?}: {:?}", whole, text, needs);
                prop_assert!(needs.ways.iter().any(are_met), "{} in {:?}: {:?}", whole, text, needs);
            }
        }
    }
}
