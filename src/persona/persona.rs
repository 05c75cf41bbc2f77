//! The persona document: three spellings circulate and all are read
//! (`exemplars | examples`, `lexicon | voice.lexicon` with `avoid | avoided`,
//! `display_name | name`, `style_rules.* | voice.*`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::document::{Code, Kinship, Parsed, Problem, Problems, Reader, Severity, Value};
use crate::text::{Shown, canonical};

use super::lexicon::Lexicon;
use super::taught::Taught;
use super::traits::{Declared, Dimension};

/// A persona as the scorers need it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Persona {
    /// `id`.
    pub id: Option<String>,
    /// `display_name` or `name`.
    pub name: Option<String>,
    /// Responses that show the voice.
    pub exemplars: Vec<String>,
    /// Preferred and avoided entries.
    pub lexicon: Lexicon,
    /// Declared traits, measurable or not.
    pub traits: Vec<Declared>,
    /// Texts that it does not sound like: the lists under `off_brand`, wherever they stand.
    pub off_brand: Vec<String>,
    /// Traits that are told by examples.
    pub taught: Vec<Taught>,
}

impl Persona {
    /// Whether a trait is told by examples.
    pub(super) fn is_taught(&self, declared: &Declared) -> bool {
        is_taught(&self.taught, declared)
    }
}

fn is_taught(taught: &[Taught], declared: &Declared) -> bool {
    taught.iter().any(|one| one.word == declared.word)
}

/// The key of what the persona does not sound like, at any depth.
pub(super) const OFF_BRAND: &str = "off_brand";
/// The key of texts that show a trait, by its word.
pub(super) const TRAIT_EXAMPLES: &str = "trait_examples";

const ROOT: [&str; 12] = [
    "exemplars",
    OFF_BRAND,
    TRAIT_EXAMPLES,
    "lexicon",
    "style_rules",
    "voice",
    "id",
    "name",
    "display_name",
    "examples",
    "description",
    "version",
];

/// The text of a persona made ready to be read from: YAML or JSON, parsed when it is
/// first needed, and once, for reading and for its [form](super::form::Form).
pub fn parse(text: &str) -> Parsed {
    Parsed::yaml(text)
}

/// Reads a persona; `None` when nothing could be made of it.
pub fn read_persona(parsed: &Parsed, problems: &mut Problems) -> Option<Persona> {
    problems.extend(parsed.problems(0).iter().cloned());
    let root = Reader::new(parsed.node(0)?);
    if !matches!(root.value(), Value::Map(_)) {
        problems
            .error(
                &root,
                format!(
                    "expected a persona (an object with exemplars, lexicon, style_rules), got {}",
                    root.value().describe()
                ),
            )
            .hint = Some("start with `id: my_persona`".into());
        return None;
    }
    root.check_keys(&ROOT, problems);
    let mut kinship = Kinship::new(&ROOT);
    kinship.add(&root);
    kinship.check("a persona", problems);
    let voice = section(
        &root,
        "voice",
        &["tone", "formality", "verbosity", "lexicon"],
        problems,
    );
    let rules = section(
        &root,
        "style_rules",
        &["tone", "formality", "verbosity"],
        problems,
    );
    let taught = taught(&root, problems);
    let persona = Persona {
        id: text_of(&root, "id", problems),
        name: name(&root, problems),
        exemplars: exemplars(&root, problems),
        lexicon: lexicon(&root, voice.as_ref(), problems),
        traits: traits(rules.as_ref(), voice.as_ref(), &taught, problems),
        off_brand: off_brand(&root, problems),
        taught,
    };
    if persona.exemplars.is_empty() && persona.lexicon.is_empty() && persona.traits.is_empty() {
        let message =
            "the persona has no exemplars, no lexicon and no traits: authenticity is not measured";
        problems.warning(&root, message).code = Code::Missing;
    }
    Some(persona)
}

fn section<'a>(
    root: &Reader<'a>,
    key: &str,
    known: &[&str],
    problems: &mut Problems,
) -> Option<Reader<'a>> {
    let section = root.get_some(key)?;
    if !matches!(section.value(), Value::Map(_)) {
        section.expected("an object", problems);
        return None;
    }
    section.check_keys(known, problems);
    Some(section)
}

/// A text under a key, without white space at its ends.
fn text_of(reader: &Reader, key: &str, problems: &mut Problems) -> Option<String> {
    let value = reader.get_some(key)?;
    if let Some(text) = value.as_str() {
        return Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    }
    expected_text(&value, problems);
    None
}

fn expected_text(value: &Reader, problems: &mut Problems) {
    let message = format!("expected a text, got {}", value.value().describe());
    let problem = problems.error(value, message);
    if matches!(value.value(), Value::Number(_) | Value::Bool(_)) {
        problem.hint = Some("put it in quotes to make it a text".into());
    }
}

fn name(root: &Reader, problems: &mut Problems) -> Option<String> {
    let (display, name) = (
        text_of(root, "display_name", problems),
        text_of(root, "name", problems),
    );
    if let (Some(display), Some(other)) = (&display, &name)
        && display != other
    {
        let message = format!(
            "display_name {:?} is used, not name {:?}",
            Shown(display),
            Shown(other)
        );
        problems.note(root, message).code = Code::Contradiction;
    }
    display.or(name)
}

/// The texts of a list (a single text is a list of one); each with its reader.
fn texts<'a>(list: &Reader<'a>, problems: &mut Problems) -> Vec<(String, Reader<'a>)> {
    if list.is_null() {
        return Vec::new();
    }
    let Some(items) = list
        .items()
        .or_else(|| list.as_str().map(|_| vec![list.clone()]))
    else {
        list.expected("a list of texts", problems);
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        match item.as_str() {
            Some(text) if text.trim().is_empty() => {
                problems.warning(&item, "a blank entry is left out");
            }
            Some(text) => texts.push((text.trim().to_owned(), item)),
            None => expected_text(&item, problems),
        }
    }
    texts
}

/// Both readers that may hold a list, first the one that is read first.
fn either<'a>(reader: &Reader<'a>, keys: [&str; 2], problems: &mut Problems) -> Vec<Reader<'a>> {
    let found: Vec<_> = keys.iter().filter_map(|key| reader.get_some(key)).collect();
    if let [_, second] = found.as_slice() {
        problems.note(
            second,
            format!("both {} and {} are given; both are used", keys[0], keys[1]),
        );
    }
    found
}

fn exemplars(root: &Reader, problems: &mut Problems) -> Vec<String> {
    let (mut exemplars, mut seen) = (Vec::new(), HashSet::new());
    for list in either(root, ["exemplars", "examples"], problems) {
        for (text, reader) in texts(&list, problems) {
            if seen.insert(text.clone()) {
                exemplars.push(text);
            } else {
                let message = "this exemplar stands twice; it counts once";
                problems.warning(&reader, message).code = Code::Repeated;
            }
        }
    }
    exemplars
}

/// What the lists under `off_brand` hold, under any heading, each text once.
fn off_brand(root: &Reader, problems: &mut Problems) -> Vec<String> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    // a stack and not a recursion; what comes later lies deeper in it
    let mut open = vec![root.clone()];
    while let Some(reader) = open.pop() {
        for entry in reader.entries().iter().rev() {
            open.push(reader.child(entry));
        }
        if let Some(list) = reader.get_some(OFF_BRAND) {
            for (text, _) in texts(&list, problems) {
                if seen.insert(text.clone()) {
                    found.push(text);
                }
            }
        }
    }
    found
}

/// The texts under `trait_examples`, by the word of the trait.
fn taught(root: &Reader, problems: &mut Problems) -> Vec<Taught> {
    let Some(section) = root.get_some(TRAIT_EXAMPLES) else {
        return Vec::new();
    };
    if !matches!(section.value(), Value::Map(_)) {
        section.expected("an object of traits, each with a list of texts", problems);
        return Vec::new();
    }
    let mut all: Vec<Taught> = Vec::new();
    for entry in section.entries() {
        let list = section.child(entry);
        let word = Declared::new(Dimension::Tone, &entry.key).word;
        let mut examples: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for (text, _) in texts(&list, problems) {
            if seen.insert(text.clone()) {
                examples.push(text);
            }
        }
        let one = Taught { word, examples };
        if let Some(reason) = one.lacks() {
            let message = format!(
                "{:?} is not told by its examples: {reason}",
                Shown(&one.word)
            );
            problems.warning(&list, message).code = Code::Missing;
        }
        if all.iter().any(|other| other.word == one.word) {
            let message = format!("{:?} stands twice; the first counts", Shown(&one.word));
            problems.warning(&list, message).code = Code::Repeated;
        } else {
            all.push(one);
        }
    }
    all
}

fn lexicon(root: &Reader, voice: Option<&Reader>, problems: &mut Problems) -> Lexicon {
    let mut lexicon = Lexicon::default();
    let mut seen = HashMap::new();
    let sections = [Some(root), voice];
    for reader in sections.into_iter().flatten() {
        let known = ["preferred", "avoid", "avoided"];
        let Some(section) = section(reader, "lexicon", &known, problems) else {
            continue;
        };
        if let Some(list) = section.get_some("preferred") {
            entries(
                &list,
                "preferred",
                &mut lexicon.preferred,
                &mut seen,
                problems,
            );
        }
        for list in either(&section, ["avoid", "avoided"], problems) {
            entries(&list, "avoided", &mut lexicon.avoided, &mut seen, problems);
        }
    }
    lexicon
}

fn entries(
    list: &Reader,
    side: &'static str,
    into: &mut Vec<String>,
    seen: &mut HashMap<Vec<char>, &'static str>,
    problems: &mut Problems,
) {
    for (entry, reader) in texts(list, problems) {
        match seen.get(&canonical(&entry)) {
            Some(other) if *other == side => {
                let message = format!("{:?} stands twice; it counts once", Shown(&entry));
                problems.warning(&reader, message).code = Code::Repeated;
                continue;
            }
            Some(_) => {
                let message = format!("{:?} is both preferred and avoided", Shown(&entry));
                problems.warning(&reader, message).code = Code::Contradiction;
            }
            None => {
                seen.insert(canonical(&entry), side);
            }
        }
        into.push(entry);
    }
}

fn traits(
    rules: Option<&Reader>,
    voice: Option<&Reader>,
    taught: &[Taught],
    problems: &mut Problems,
) -> Vec<Declared> {
    let (mut declared, mut seen) = (Vec::new(), HashSet::new());
    for dimension in Dimension::ALL {
        for reader in [rules, voice].into_iter().flatten() {
            let Some(value) = reader.get_some(dimension.key()) else {
                continue;
            };
            let words = texts(&value, problems);
            if dimension != Dimension::Tone && words.len() > 1 {
                problems.error(&value, format!("expected one word, got {}", words.len()));
                continue;
            }
            for (word, reader) in words {
                let new = Declared::new(dimension, &word);
                if seen.insert(Arc::clone(&new.name)) {
                    unmeasurable_note(&new, taught, &reader, problems);
                    declared.push(new);
                }
            }
        }
    }
    one_of_each(&declared, rules, voice, problems);
    declared
}

fn unmeasurable_note(
    declared: &Declared,
    taught: &[Taught],
    reader: &Reader,
    problems: &mut Problems,
) {
    if is_taught(taught, declared) {
        return;
    }
    if let Some(reason) = declared.not_measurable() {
        problems.push(Problem::new(
            Severity::Note,
            reader.place(),
            reader.path(),
            reason,
        ));
    }
}

/// A persona has one formality and one verbosity, wherever they are declared.
fn one_of_each(
    declared: &[Declared],
    rules: Option<&Reader>,
    voice: Option<&Reader>,
    problems: &mut Problems,
) {
    for dimension in [Dimension::Formality, Dimension::Verbosity] {
        let key = dimension.key();
        let count = declared.iter().filter(|d| d.dimension == dimension).count();
        if count > 1
            && let (Some(_), Some(second)) = (
                rules.and_then(|reader| reader.get_some(key)),
                voice.and_then(|reader| reader.get_some(key)),
            )
        {
            let message = format!("style_rules and voice declare different {key}");
            problems.error(&second, message).code = Code::Contradiction;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<Persona>, Vec<Problem>) {
        let mut problems = Problems::new();
        let persona = read_persona(&parse(text), &mut problems);
        (persona, problems.into_sorted())
    }

    #[test]
    fn three_spellings_are_one_persona() {
        let texts = [
            "id: a\ndisplay_name: N\nexemplars: [x]\nlexicon:\n  preferred: [p]\n  avoid: [q]\n\
             style_rules:\n  tone: friendly\n  formality: casual\n  verbosity: concise\n",
            "id: a\nname: N\nexamples: [x]\nvoice:\n  lexicon: {preferred: [p], avoided: [q]}\n  \
             tone: [friendly]\n  formality: Casual\n  verbosity: concise\n",
            "{\"id\": \"a\", \"name\": \"N\", \"examples\": [\"x\"], \"lexicon\": {\"preferred\": [\"p\"], \
             \"avoided\": [\"q\"]}, \"voice\": {\"tone\": \"friendly\", \"formality\": \"casual\", \
             \"verbosity\": \"concise\"}}",
        ];
        let personas: Vec<Persona> = texts
            .iter()
            .map(|text| {
                let (persona, problems) = read(text);
                assert_eq!(problems, vec![], "{text}");
                persona.expect("valid")
            })
            .collect();
        assert_eq!(personas[0], personas[1]);
        assert_eq!(personas[0], personas[2]);
        assert_eq!(personas[0].traits.len(), 3);
    }

    #[test]
    fn an_unknown_key_is_a_note_with_its_line() {
        let (_, problems) =
            read("exemplars: [x]\nslogan: y\nstyle_rules:\n  emojis: {allowed: false}\n");
        let lines: Vec<(u32, &str)> = problems.iter().map(|p| (p.line, p.path.as_str())).collect();
        assert_eq!(lines, [(2, "slogan"), (4, "style_rules.emojis")]);
        assert!(problems.iter().all(|p| p.severity == Severity::Note));
    }

    #[test]
    fn wrong_kinds_are_all_reported_at_their_place() {
        let (_, problems) = read(
            "id: 7\nexemplars: {a: b}\nlexicon:\n  preferred: [1, x]\n  avoid: [true]\n\
             style_rules: [tone]\nvoice:\n  formality: [casual, formal]\n",
        );
        let errors: Vec<(u32, &str)> = problems
            .iter()
            .filter(|p| p.severity == Severity::Error)
            .map(|p| (p.line, p.path.as_str()))
            .collect();
        assert_eq!(
            errors,
            [
                (1, "id"),
                (2, "exemplars"),
                (4, "lexicon.preferred[0]"),
                (5, "lexicon.avoid[0]"),
                (6, "style_rules"),
                (8, "voice.formality"),
            ]
        );
    }

    #[test]
    fn what_is_no_persona_says_so() {
        for text in ["", "hello", "[1]", "a: [", "{\"id\": ]"] {
            let (persona, problems) = read(text);
            assert!(
                persona.is_none() && problems.len() == 1,
                "{text}: {problems:?}"
            );
        }
    }

    #[test]
    fn entries_given_twice_count_once() {
        let (persona, problems) =
            read("lexicon:\n  preferred: [Set, 'set ', run]\n  avoid: [run]\n");
        let lexicon = persona.expect("valid").lexicon;
        assert_eq!(lexicon.preferred, ["Set", "run"]);
        assert_eq!(lexicon.avoided, ["run"]);
        assert_eq!(problems.len(), 2);
    }
}
