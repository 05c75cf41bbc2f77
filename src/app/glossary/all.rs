//! All entries of the glossary.

use super::entry::Entry;
use super::{common, constitution, debate, persona};

/// All of them: what all benches have, then bench by bench.
pub fn entries() -> Vec<Entry> {
    let of = |bench: &'static str, entries: Vec<Entry>| {
        entries
            .into_iter()
            .map(move |entry| Entry { bench, ..entry })
    };
    let all = of("", common::entries()).chain(of("Debate", debate::entries()));
    let all = all.chain(of("Constitution", constitution::entries()));
    all.chain(of("Persona", persona::entries())).collect()
}

/// The entry that a label names; a weight is explained with what it weighs.
pub fn entry(key: &str) -> Option<Entry> {
    let weighed = key.strip_suffix("_weight").unwrap_or(key);
    let named = |entry: &Entry| entry.key == key || entry.key == weighed;
    entries().into_iter().find(named)
}

/// The columns of numbers that nothing explains.
#[cfg(test)]
pub fn unexplained(columns: &[crate::app::panels::table::Column]) -> Vec<String> {
    let columns = columns
        .iter()
        .filter(|column| column.numeric || !column.about.is_empty());
    let unexplained = columns.filter(|column| entry(column.about).is_none());
    unexplained.map(|column| column.title.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::app::bench::Settings;
    use crate::app::benches::BENCHES;

    const SCORING: &str = include_str!("../../../SCORING.md");

    #[test]
    fn every_entry_is_whole_and_its_section_is_there() {
        let mut keys = HashSet::new();
        for entry in entries() {
            let key = entry.key;
            assert!(keys.insert(key), "{key} is explained twice");
            assert!(entry.says.len() > 20 && entry.says.ends_with('.'), "{key}");
            assert!(!entry.range.is_empty() && !entry.from.is_empty(), "{key}");
            let heading = format!("{}\n", entry.section);
            let heads = SCORING.lines().filter(|line| line.starts_with('#'));
            let heads: HashSet<&str> = heads
                .map(|line| line.trim_start_matches(['#', ' ']))
                .collect();
            let section = heading.trim_end();
            assert!(
                heads.contains(section) || SCORING.contains(&format!("**{section}.**")),
                "{key}: no {section} in SCORING.md"
            );
        }
    }

    #[test]
    fn every_weight_and_option_is_explained() {
        // what the tests' own bench scores is nobody's to explain
        for bench in BENCHES.iter().filter(|bench| bench.name != "toy") {
            let Settings {
                weights, numbers, ..
            } = bench.settings;
            for field in weights.iter().chain(numbers) {
                let found = entry(field.name);
                assert!(found.is_some(), "{}: {}", bench.name, field.name);
            }
        }
    }

    #[test]
    fn words_are_looked_for_in_all_of_an_entry() {
        let entry = entry("stability").expect("explained");
        assert!(entry.has("stab") && entry.has("deviation stability"));
        assert!(!entry.has("stability pairwise"));
    }
}
