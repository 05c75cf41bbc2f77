//! The links of the examples: a character that is another one is refused, wherever it stands.

use assay::constitution;
use assay::debate;
use assay::persona;
use assay::share::{Document, Kind, decode, encode};
use serde_json::{Value, json};

/// As the page makes them.
fn examples() -> [Document; 3] {
    let debate = include_str!("../../public/examples/debate.json");
    let turns = include_str!("../../public/examples/turns.json");
    let persona = json!({
        "persona": include_str!("../../public/examples/persona.yaml"),
        "transcript": include_str!("../../public/examples/transcript.jsonl"),
    });
    let text = |text: &str| Value::String(text.to_owned());
    [
        Document::new(Kind::Rwea, debate::FORMULA, text(debate)),
        Document::new(Kind::Reward, constitution::FORMULA, text(turns)),
        Document::new(Kind::Persona, persona::FORMULA, persona),
    ]
}

#[test]
fn any_other_character_in_a_link_of_an_example_is_refused() {
    // a neighbour in the alphabet of links, the same letter of the other case, and marks
    let others = |character: char| {
        let neighbour = char::from(character as u8 ^ 1);
        let case = char::from(character as u8 ^ 0x20);
        [neighbour, case, '1', 'A', '_', '=', '#', '%', '\u{fc}']
    };
    for document in examples() {
        let link = encode(&document).expect("a link");
        assert_eq!(decode(&link).as_ref(), Ok(&document));
        assert!(link.len() > 1_000, "{link}");
        // without the first it is the same link, named without its mark
        for (place, character) in link.char_indices().skip(1) {
            let others = others(character).into_iter();
            for other in others.filter(|other| *other != character) {
                let (before, after) = (&link[..place], &link[place + 1..]);
                let changed = format!("{before}{other}{after}");
                assert!(decode(&changed).is_err(), "{other:?} at {place} of {link}");
            }
            let shorter = format!("{}{}", &link[..place], &link[place + 1..]);
            assert!(decode(&shorter).is_err(), "without {place} of {link}");
        }
    }
}
