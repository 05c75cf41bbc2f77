//! From the work on the bench to the options of a debate.

use crate::app::desk::{ITEM, Work};
use crate::app::number::{NumberField, valid_numbers};
use crate::debate::{self, DomainChoice, Profiles};
use crate::document::Evaluation;

/// Weights of a debate.
pub const WEIGHTS: [NumberField; 5] = [
    NumberField::weight(
        "w_base",
        "Base",
        2.0,
        "Mean of support + evidence over the reviews, 0 to 4.",
    ),
    NumberField::weight(
        "w_pairwise",
        "Pairwise",
        4.0,
        "Share of head-to-head comparisons won, 0 to 1.",
    ),
    NumberField::weight(
        "w_risk",
        "Risk",
        2.0,
        "Mean of major risks + 2 × critical fail, 0 to 4. Subtracted.",
    ),
    NumberField::weight(
        "w_reliability",
        "Reliability",
        2.0,
        "How well the candidate's model does in this domain, 0 to 1.",
    ),
    NumberField::weight(
        "w_formal",
        "Formal",
        2.0,
        "Proved minus disproved claims over both, −1 to 1.",
    ),
];

/// Which of several debates in the text is on the bench, from 0.
pub fn index(work: &Work) -> usize {
    work.setting(ITEM)
        .and_then(|index| index.parse().ok())
        .unwrap_or_default()
}

/// The profiles a debate is weighed with: the bench's own where it has some,
/// the built-in ones where those cannot be read.
pub fn profiles(work: &Work) -> Evaluation<Profiles> {
    let Some(text) = work.filled("profiles") else {
        return Evaluation {
            result: Some(Profiles::built_in().clone()),
            problems: Vec::new(),
        };
    };
    let read = debate::read_profiles(text);
    Evaluation {
        result: read.result.or_else(|| Some(Profiles::built_in().clone())),
        problems: read.problems,
    }
}

/// The options of a debate; without its weights, to know the original ones.
pub fn options(work: &Work, with_weights: bool) -> debate::Options {
    debate::Options {
        domain: domain_choice(work.setting("domain")),
        weights: if with_weights {
            valid_numbers(&WEIGHTS, work)
        } else {
            Vec::new()
        },
        ..debate::Options::default()
    }
}

fn domain_choice(setting: Option<&str>) -> DomainChoice {
    match setting {
        None => DomainChoice::Payload,
        Some("none") => DomainChoice::None,
        Some("auto") => DomainChoice::Auto,
        Some(name) => DomainChoice::Named(name.to_owned()),
    }
}
