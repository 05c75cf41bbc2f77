//! The problems of a text, each a way to its place.

use std::collections::HashMap;

use leptos::prelude::*;

use crate::app::browser::caret::utf16_offset;
use crate::app::browser::field;
use crate::app::derived::live;
use crate::app::desk::{Desk, Face};
use crate::app::format::{count, grouped};
use crate::app::problems::OPTIONS;
use crate::document::{Code, Mend, Problem, Severity, mend, mended};
use crate::text::{Place, Shown};

/// How many are shown; the rest are counted.
const SHOWN: usize = 100;

/// How a severity is shown: by a word and a shape, not by colour alone.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// Its name in style sheets.
    pub class: &'static str,
    /// As people read it.
    pub word: &'static str,
    /// The shape.
    pub mark: &'static str,
}

impl Sign {
    /// The sign of a severity.
    pub const fn of(severity: Severity) -> Self {
        let (class, word, mark) = match severity {
            Severity::Error => ("error", "Error", "✕"),
            Severity::Warning => ("warning", "Warning", "!"),
            Severity::Note => ("note", "Note", "i"),
        };
        Self { class, word, mark }
    }
}

/// The problems of an input, with a way to mend what can be mended by itself.
#[component]
pub fn ProblemList(
    /// Whose input it is.
    desk: Desk,
    /// The input's name.
    name: &'static str,
    /// Its problems.
    #[prop(into)]
    problems: Signal<Vec<Problem>>,
    /// Where the input has a form: which face is shown.
    #[prop(optional)]
    face: Option<RwSignal<Face>>,
) -> impl IntoView {
    let is_mendable =
        Memo::new(move |_| problems.with(|found| found.iter().any(|p| p.code == Code::Slip)));
    let mend_it = move |_| {
        desk.edit(name, "mend", mend);
        desk.settle();
    };
    let mender = move || {
        is_mendable.get().then(|| {
            view! {
                <p class="mend">
                    <button type="button" data-testid="mend" on:click=mend_it>
                        "Take out extra commas and comments"
                    </button>
                </p>
            }
        })
    };
    view! {
        <div id=format!("problems-{name}")>
            {live(mender)}
            {live(move || problems.with(|found| list(desk, name, found, face)))}
        </div>
    }
}

/// A list of problems of the input `name`, each a way to its place in the text.
fn list(
    desk: Desk,
    name: &'static str,
    problems: &[Problem],
    face: Option<RwSignal<Face>>,
) -> impl IntoView + use<> {
    let text = desk.text(name);
    let is_form = face.is_some_and(|face| face.get() == Face::Form);
    let (unread, folded) = apart(folded(problems));
    let more = folded.len().saturating_sub(SHOWN);
    let offers = offers(problems, &folded);
    let item = |(problem, times): (&Problem, usize)| {
        let mends = mends(desk, name, &offers, problem);
        let Sign { class, word, mark } = Sign::of(problem.severity);
        let (line, column) = (problem.line, problem.column);
        let go = move |_| {
            if let Some(face) = face {
                face.set(Face::Text);
            }
            let offset = text.with_untracked(|text| utf16_offset(text, line, column));
            // the text may have to be shown first
            request_animation_frame(move || {
                field::place_caret(&format!("input-{name}"), offset, line);
            });
        };
        // beside a form the text is out of sight: its places say nothing there
        let (place, way) = if is_form {
            ("Show".to_owned(), format!("Show in the text: {word}"))
        } else {
            (
                format!("{line}:{column}"),
                format!("{word}, go to line {line}, column {column}"),
            )
        };
        let path = (!problem.path.is_empty() && !is_form)
            .then(|| view! { <code>{problem.path.clone()}</code>" " });
        let hint = problem.hint.clone();
        let hint = hint.map(|hint| view! { <span class="hint">" "{hint}</span> });
        let times =
            (times > 1).then(|| view! { <strong>" ("{times}" times; this is the first)"</strong> });
        view! {
            <li class=format!("problem {class}") data-testid="problem" data-line=line data-column=column>
                <span class="mark" aria-hidden="true">{mark}</span>
                <button type="button" class="place" on:click=go aria-label=way>{place}</button>
                <span class="message">
                    <span class="visually-hidden">{word}": "</span>{path}{problem.message.clone()}{hint}{times}{mends}
                </span>
            </li>
        }
        .into_any()
    };
    let items: Vec<AnyView> = folded.into_iter().take(SHOWN).map(item).collect();
    let more = (more > 0).then(|| view! { <li class="more">{more}" more"</li> });
    let unread = (!unread.is_empty()).then(|| {
        let words = unread_words(&unread);
        let items: Vec<AnyView> = unread.into_iter().take(SHOWN).map(item).collect();
        view! {
            <li>
                <details class="unread" data-testid="unread-keys">
                    <summary>{words}</summary>
                    <ul class="problems">{items}</ul>
                </details>
            </li>
        }
    });
    view! { <ul class="problems">{items}{unread}{more}</ul> }
}

/// A mend of a problem, and of others of its kind.
struct Offer<'a> {
    of: &'a Problem,
    mend: &'static Mend,
    words: String,
    places: Vec<Place>,
}

/// What is offered beside which problem: to leave one part out, and with the first of a kind all
/// of them. What numbers turns or mends characters does so everywhere, and is offered once.
fn offers<'a>(problems: &'a [Problem], folded: &[Folded<'a>]) -> Vec<Offer<'a>> {
    let mendable =
        |problem: &&Problem| problem.mend.is_some() && problem.severity != Severity::Error;
    let mut found: Vec<Offer> = Vec::new();
    let mut kinds: Vec<(&Mend, Code)> = Vec::new();
    for (of, _) in folded
        .iter()
        .take(SHOWN)
        .filter(|(problem, _)| mendable(problem))
    {
        let of = *of;
        let Some(mend) = of.mend else {
            continue;
        };
        let mut offer = |words: &str, places: Vec<Place>| {
            let words = words.to_owned();
            found.push(Offer {
                of,
                mend,
                words,
                places,
            });
        };
        if *mend == Mend::LeaveOut {
            offer("Leave it out", vec![of.place()]);
        }
        let kind = match mend {
            Mend::LeaveOut => (mend, of.code),
            Mend::Number(_) | Mend::Halves => (mend, Code::default()),
        };
        if kinds.contains(&kind) {
            continue;
        }
        kinds.push(kind);
        let same = problems.iter().filter(mendable);
        let same = same.filter(|other| other.mend == Some(mend) && other.code == of.code);
        let places: Vec<Place> = same.map(Problem::place).collect();
        match (mend, places.len()) {
            (Mend::Number(_), _) => offer("Number the turns anew", places),
            (Mend::Halves, _) => offer("Write \u{fffd} in the text", places),
            (Mend::LeaveOut, 2..) => {
                let words = format!("Leave out all {}", grouped(places.len()));
                offer(&words, places);
            }
            (Mend::LeaveOut, _) => {}
        }
    }
    found
}

/// What is offered beside a problem.
fn mends(desk: Desk, name: &'static str, offers: &[Offer], of: &Problem) -> Vec<AnyView> {
    let own = offers.iter().filter(|offer| std::ptr::eq(offer.of, of));
    own.map(|offer| offer_view(desk, name, offer)).collect()
}

fn offer_view(desk: Desk, name: &'static str, offer: &Offer) -> AnyView {
    let (mend, places, words) = (offer.mend, offer.places.clone(), offer.words.clone());
    let is_all = matches!(mend, Mend::LeaveOut) && places.len() > 1;
    let hook = match mend {
        _ if is_all => "mend-all",
        Mend::LeaveOut => "mend-one",
        Mend::Number(_) => "mend-numbers",
        Mend::Halves => "mend-halves",
    };
    let apply = move |_| {
        desk.edit(name, "mend", |text| mended(mend, text, &places));
        desk.settle();
    };
    view! { " "<button type="button" class="way" data-testid=hook on:click=apply>{words}</button> }
        .into_any()
}

/// So many keys that nobody reads are listed each by itself.
const KEYS: usize = 2;

/// A problem, and how often it is there.
type Folded<'a> = (&'a Problem, usize);

/// Notes about keys that nobody reads, where they are many, and the other problems.
fn apart(folded: Vec<Folded>) -> (Vec<Folded>, Vec<Folded>) {
    let is_unread = |(problem, _): &Folded| {
        problem.severity == Severity::Note && problem.code == Code::UnknownKey
    };
    if folded.iter().filter(|folded| is_unread(folded)).count() > KEYS {
        folded.into_iter().partition(is_unread)
    } else {
        (Vec::new(), folded)
    }
}

/// Which keys nobody reads, in one line.
fn unread_words(unread: &[Folded]) -> String {
    const NAMED: usize = 6;
    let key = |(problem, _): &Folded| {
        let path = problem.path.rsplit('.').next().unwrap_or_default();
        Shown(path).to_string()
    };
    let named = unread
        .iter()
        .take(NAMED)
        .map(key)
        .collect::<Vec<_>>()
        .join(", ");
    let more = match unread.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{} kept but not used: {named}{more}",
        count(unread.len(), "key")
    )
}

/// The worst first, else as in the text. What is only remarked again and again is there once,
/// with how often; each error is a place to go to.
fn folded(problems: &[Problem]) -> Vec<(&Problem, usize)> {
    let mut folded: Vec<(&Problem, usize)> = Vec::new();
    let mut known = HashMap::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        for problem in problems.iter().filter(|p| p.severity == severity) {
            let at = if severity == Severity::Error {
                folded.len()
            } else {
                let same = (Sign::of(severity).word, &problem.message, &problem.input);
                *known.entry(same).or_insert(folded.len())
            };
            match folded.get_mut(at) {
                Some((_, times)) => *times += 1,
                None => folded.push((problem, 1)),
            }
        }
    }
    folded
}

/// The problems of settings, which have no place in a text. One whose path is a section of
/// the result is a way to it.
#[component]
pub fn Remarks(
    /// All problems of an evaluation.
    #[prop(into)]
    evaluation_problems: Signal<Vec<Problem>>,
    /// The names of the sections.
    sections: &'static [(&'static str, &'static str)],
) -> impl IntoView {
    let own = Memo::new(move |_| {
        evaluation_problems.with(|problems| {
            let own = problems.iter();
            let own = own.filter(|problem| problem.input.as_deref() == Some(OPTIONS));
            own.cloned().collect::<Vec<_>>()
        })
    });
    let items = move || {
        let items = own.get().into_iter().map(|problem| {
            let Sign { class, mark, .. } = Sign::of(problem.severity);
            let section = sections.iter().find(|(name, _)| *name == problem.path);
            let way = section.map(|(name, label)| {
                let go = move |_| field::go_to(&format!("part-{name}"));
                view! { " "<button type="button" class="way" on:click=go>{format!("To the {}", label.to_lowercase())}</button> }
            });
            view! {
                <li class=format!("problem {class}") data-testid="problem">
                    <span class="mark" aria-hidden="true">{mark}</span>
                    <span class="message">{problem.message.clone()}{way}</span>
                </li>
            }
        });
        items.collect_view()
    };
    view! { <ul class="problems" aria-live="polite">{live(items)}</ul> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Place;

    #[test]
    fn what_can_be_mended_is_offered_for_one_and_for_all_of_a_kind() {
        const NUMBER: Mend = Mend::Number(crate::document::Numbering {
            keys: &[],
            is_order: true,
        });
        let problem = |severity, line, mend, code| {
            let place = Place { line, column: 1 };
            let message = format!("line {line}");
            Problem::new(severity, place, "", message)
                .with_code(code)
                .mended_by(mend)
        };
        let (out, number) = (&Mend::LeaveOut, &NUMBER);
        let found = [
            problem(Severity::Error, 1, out, Code::Syntax),
            problem(Severity::Warning, 2, out, Code::Syntax),
            problem(Severity::Warning, 3, out, Code::UnknownName),
            problem(Severity::Warning, 4, out, Code::Syntax),
            problem(Severity::Warning, 5, number, Code::Repeated),
            problem(Severity::Warning, 6, number, Code::Missing),
        ];
        let offers = offers(&found, &folded(&found));
        let said = offers
            .iter()
            .map(|offer| (offer.of.line, &*offer.words, offer.places.len()));
        assert_eq!(
            said.collect::<Vec<_>>(),
            [
                (2, "Leave it out", 1),
                (2, "Leave out all 2", 2),
                (3, "Leave it out", 1),
                (4, "Leave it out", 1),
                (5, "Number the turns anew", 1),
            ]
        );
    }

    #[test]
    fn errors_come_first_and_what_is_the_same_is_counted() {
        let problem = |severity, line, message: &str| {
            Problem::new(severity, Place { line, column: 1 }, "", message)
        };
        let found = [
            problem(Severity::Note, 1, "kept"),
            problem(Severity::Warning, 2, "twice"),
            problem(Severity::Note, 3, "kept"),
            problem(Severity::Error, 4, "wrong"),
            problem(Severity::Error, 5, "wrong"),
        ];
        let keys = ["a", "b", "style.c"].map(|path| Problem {
            path: path.to_owned(),
            code: Code::UnknownKey,
            ..problem(Severity::Note, 1, path)
        });
        let (unread, others) = apart(folded(&keys));
        assert!(others.is_empty());
        let words = "3 keys kept but not used: a, b, c";
        assert_eq!(unread_words(&unread), words);
        assert!(apart(folded(&keys[..2])).0.is_empty());
        let lines: Vec<_> = folded(&found).iter().map(|(p, n)| (p.line, *n)).collect();
        assert_eq!(lines, [(4, 1), (5, 1), (2, 1), (1, 2)]);
    }
}
