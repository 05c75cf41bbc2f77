//! A proposal: its parts, each with its evidence.

use std::collections::HashSet;

use serde::Serialize;

use super::words::Entry;
use crate::persona::voice::Lesson;

/// A part of a proposal that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields of a draft
pub enum Part {
    Exemplar(usize),
    OffBrand(usize),
    Preferred(usize),
    Avoided(usize),
    Trait(usize),
}

/// A proposal of a persona.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draft {
    /// How many examples it was made of.
    pub examples: usize,
    /// How many texts they were held against: the control, and what is labelled off brand.
    pub others: usize,
    /// The examples that stand for all.
    pub exemplars: Vec<Exemplar>,
    /// The same of what is labelled off brand.
    pub off_brand: Vec<Exemplar>,
    /// What the examples say oftener than the others.
    pub preferred: Vec<Entry>,
    /// What they never say and the others do: the off-brand texts, or else the control.
    pub avoided: Vec<Entry>,
    /// Traits that half of the examples show.
    pub traits: Vec<Trait>,
    /// How the examples look, against the others: what the voice hears without being told.
    pub manner: Vec<Manner>,
}

/// An exemplar, and how many examples it is the nearest of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exemplar {
    /// The text.
    pub text: String,
    /// Itself among them.
    pub stands_for: usize,
}

/// A trait with how many show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Trait {
    /// `formality`, `tone` or `verbosity`.
    pub dimension: &'static str,
    /// Its word.
    pub word: &'static str,
    /// How many of the examples show it.
    pub examples: usize,
    /// How many of the others.
    pub others: usize,
}

/// A signal of the voice in which the examples differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manner {
    /// Its name.
    pub signal: &'static str,
    /// How far the mean of the examples lies from that of the others, in deviations of the others.
    pub deviations: f64,
    /// How many of the examples have it.
    pub examples: usize,
    /// How many of the others.
    pub others: usize,
}

impl Draft {
    /// Everything that can be left out, in its order.
    pub fn parts(&self) -> Vec<Part> {
        let each = |number: usize, part: fn(usize) -> Part| (0..number).map(part);
        each(self.exemplars.len(), Part::Exemplar)
            .chain(each(self.off_brand.len(), Part::OffBrand))
            .chain(each(self.preferred.len(), Part::Preferred))
            .chain(each(self.avoided.len(), Part::Avoided))
            .chain(each(self.traits.len(), Part::Trait))
            .collect()
    }

    /// What a voice of the proposal is learned from. Its words are left out: they were chosen on the same
    /// texts, so a voice that counts them would seem to know more than it does.
    pub fn lesson(&self, left_out: &HashSet<Part>) -> Lesson {
        let kept = |texts: &[Exemplar], part: fn(usize) -> Part| {
            let texts = texts.iter().enumerate();
            let kept = texts.filter(|(at, _)| !left_out.contains(&part(*at)));
            kept.map(|(_, one)| one.text.clone()).collect()
        };
        Lesson {
            exemplars: kept(&self.exemplars, Part::Exemplar),
            off_brand: kept(&self.off_brand, Part::OffBrand),
            ..Lesson::default()
        }
    }
}
