//! A bench for the tests: what one more costs. It counts the words of a text, and
//! touches nothing but this folder and its two lines in `benches/mod.rs`.

use leptos::prelude::*;

use crate::app::bench::{Bench, Compare, InLink, Input, KnownBy, Link, Room, Settings};
use crate::app::desk::{Desk, Face};
use crate::app::number::NumberField;
use crate::app::parts::{Fetching, NotLoaded};
use crate::app::verdict::{Tone, Verdict};
use crate::share;

const POEM: Input = Input {
    name: "poem",
    hints: crate::app::panels::text::Hints {
        label: "Poem",
        formats: "JSON",
        placeholder: "{\"verses\": []}",
    },
    known_by: KnownBy {
        noun: "a poem",
        clause: "a poem has verses",
        surely: &["verses"],
        ..KnownBy::NOTHING
    },
    kind: None,
    joins: false,
    first_of_two: None,
    in_link: InLink::Option,
    example: None,
};

/// A text that the kind of link which the toy borrows must have.
const fn part(name: &'static str) -> Input {
    Input {
        name,
        known_by: KnownBy::NOTHING,
        first_of_two: None,
        in_link: InLink::Part,
        ..POEM
    }
}

/// The record.
pub static BENCH: Bench = Bench {
    name: "toy",
    title: "Toy",
    scores: "poems",
    purpose: "How many words?",
    takes: "JSON with verses",
    about: "Words, counted.",
    inputs: &[POEM, part("persona"), part("transcript"), part("baseline")],
    settings: Settings {
        weights: &[NumberField::weight("w_words", "Words", 2.0, "")],
        numbers: &[],
        words: &["metre"],
    },
    link: Link {
        // a bench that people use gets a kind of its own, in `share`
        kind: share::Kind::Compare,
        formula: "toy/1",
        main: POEM.name,
    },
    shapes: &[],
    compare: Compare::OnBench(|_, after| Box::pin(std::future::ready(Ok(after)))),
    enter: |desk, _| {
        // stands for code that does not come
        let is_lost = desk.text(POEM.name).get_untracked().contains("lost");
        let room = if is_lost {
            Err(NotLoaded)
        } else {
            Ok(room(desk))
        };
        Box::pin(std::future::ready(room))
    },
};

fn room(desk: Desk) -> Room {
    let text = desk.text(POEM.name);
    let words = Memo::new(move |_| text.with(|text| text.split_whitespace().count()));
    let verdict = move || {
        let words = words.get();
        (words > 0).then(|| Verdict::new(Tone::Good, format!("{words} words"), ""))
    };
    let choose_face = Callback::new(move |()| desk.face.set(Face::Form));
    choose_face.run(());
    Room {
        verdict: Signal::derive(verdict),
        is_current: Signal::stored(true),
        topic: Signal::stored(None),
        export: Callback::new(move |_| -> Fetching<_> {
            let file = Some(words.get_untracked().to_string());
            Box::pin(std::future::ready(Ok(file)))
        }),
        choose_face,
        view: ViewFn::from(move || words.get()),
    }
}
