//! A proposal as the text of a persona: YAML, each part with its evidence as a comment.

use std::collections::HashSet;
use std::fmt::Write;

use super::proposal::{Draft, Exemplar, Part};
use super::words::Entry;

/// The name of a persona that has none.
const NAME: &str = "New persona";

impl Draft {
    /// The persona without what is left out. `separation`: the leave-one-out ROC AUC of its voice.
    pub fn written(&self, name: &str, left_out: &HashSet<Part>, separation: Option<f64>) -> String {
        let name = Some(name.trim()).filter(|name| !name.is_empty());
        let name = name.unwrap_or(NAME);
        let mut text = format!(
            "# Drafted from {} examples, held against {} other texts: look it through.\n",
            self.examples, self.others
        );
        // writing to a text cannot fail
        if let Some(separation) = separation {
            let _ = writeln!(
                text,
                "# Its voice tells its exemplars from the others with a leave-one-out ROC AUC of {separation:.3}."
            );
        }
        let _ = writeln!(text, "id: {}\ndisplay_name: {}", slug(name), quoted(name));
        let is_in = |part: Part| !left_out.contains(&part);
        text += &texts("exemplars", &self.exemplars, |at| is_in(Part::Exemplar(at)));
        if !self.off_brand.is_empty() {
            text += &texts("off_brand", &self.off_brand, |at| is_in(Part::OffBrand(at)));
        }
        text += "\nlexicon:\n";
        text += &self.entries("preferred", &self.preferred, |at| {
            is_in(Part::Preferred(at))
        });
        text += &self.entries("avoid", &self.avoided, |at| is_in(Part::Avoided(at)));
        text + &self.rules(is_in)
    }

    fn entries(&self, key: &str, entries: &[Entry], is_in: impl Fn(usize) -> bool) -> String {
        let kept = entries.iter().enumerate().filter(|(at, _)| is_in(*at));
        let lines: Vec<String> = kept
            .map(|(_, one)| {
                let evidence = self.evidence(one.examples, one.others, one.of_others);
                format!("    - {}  # {evidence}\n", quoted(&one.entry))
            })
            .collect();
        if lines.is_empty() {
            return format!("  {key}: []\n");
        }
        format!("  {key}:\n{}", lines.concat())
    }

    /// `in 7 of 20 examples, in 0 of 410 others`
    pub fn evidence(&self, examples: usize, others: usize, of_others: usize) -> String {
        format!(
            "in {examples} of {} examples, in {others} of {of_others} others",
            self.examples
        )
    }

    /// The declared traits.
    fn rules(&self, is_in: impl Fn(Part) -> bool) -> String {
        let traits = self.traits.iter().enumerate();
        let kept: Vec<_> = traits
            .filter(|(at, _)| is_in(Part::Trait(*at)))
            .map(|(_, one)| one)
            .collect();
        if kept.is_empty() {
            return String::new();
        }
        let mut text = "\nstyle_rules:\n".to_owned();
        for one in kept.iter().filter(|one| one.dimension != "tone") {
            let evidence = self.evidence(one.examples, one.others, self.others);
            let _ = writeln!(text, "  {}: {}  # {evidence}", one.dimension, one.word);
        }
        let tones: Vec<_> = kept.iter().filter(|one| one.dimension == "tone").collect();
        if !tones.is_empty() {
            text += "  tone:\n";
        }
        for one in tones {
            let evidence = self.evidence(one.examples, one.others, self.others);
            let _ = writeln!(text, "    - {}  # {evidence}", one.word);
        }
        text
    }
}

fn texts(key: &str, texts: &[Exemplar], is_in: impl Fn(usize) -> bool) -> String {
    let kept = texts.iter().enumerate().filter(|(at, _)| is_in(*at));
    let lines: Vec<String> = kept
        .map(|(_, one)| format!("  - {}\n", quoted(&one.text)))
        .collect();
    if lines.is_empty() {
        return format!("\n{key}: []\n");
    }
    format!("\n{key}:\n{}", lines.concat())
}

/// A text in quotes as JSON and YAML both read it.
fn quoted(text: &str) -> String {
    // a text cannot fail to be written; line ends that only YAML knows are escaped
    let json = serde_json::to_string(text).unwrap_or_default();
    let is_odd = |c: char| {
        matches!(
            c,
            '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{7f}'..='\u{9f}'
        )
    };
    json.chars()
        .map(|c| {
            if is_odd(c) {
                format!("\\u{:04x}", u32::from(c))
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// A name as an id: lower-case letters, digits and underscores, in quotes.
fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let slug = words.join("_").to_lowercase();
    let known = if slug.is_empty() { "persona" } else { &slug };
    quoted(known)
}
