//! From the work on the bench to the options of a session.

use crate::app::desk::Work;
use crate::app::number::{NumberField, valid_numbers};
use crate::constitution::Options;

/// Weights of the seven principles.
pub const PRINCIPLES: [NumberField; 7] = [
    NumberField::weight(
        "tasteful",
        "Tasteful",
        4.0,
        "Does this serve a clear purpose?",
    ),
    NumberField::weight("curated", "Curated", 4.0, "Is this intentional?"),
    NumberField::weight(
        "ethical",
        "Ethical",
        4.0,
        "Does this respect human agency? Changes should be acknowledged.",
    ),
    NumberField::weight(
        "joy_inducing",
        "Joy-inducing",
        4.0,
        "Does this delight? Replies under 20 characters score lower.",
    ),
    NumberField::weight(
        "composable",
        "Composable",
        4.0,
        "Does this compose cleanly? More than 5 tools score lower.",
    ),
    NumberField::weight(
        "heterarchical",
        "Heterarchical",
        4.0,
        "Can this both lead and follow?",
    ),
    NumberField::weight(
        "generative",
        "Generative",
        4.0,
        "Is this compressive? Over 90 % of the context scores lower.",
    ),
];

/// The ethical floor.
pub const ETHICAL_FLOOR: NumberField = NumberField {
    name: "ethical_floor",
    label: "Ethical floor",
    help: "A turn whose ethical score is below it is rejected, whatever its total.",
    min: 0.0,
    max: 1.0,
    slider_max: 1.0,
    integer: false,
};

/// The discount of later turns.
pub const GAMMA: NumberField = NumberField {
    name: "gamma",
    label: "Discount γ",
    help: "Turn t counts γ to the power t in the discounted value.",
    min: 0.0,
    max: 1.0,
    slider_max: 1.0,
    integer: false,
};

/// The setting that says how weights stand to those of the session: `replace`, or
/// over them.
pub const WEIGHTS_MODE: &str = "weights_mode";

/// The settings that are not weights, without the texts.
pub fn without_weights(work: &Work) -> Work {
    let mut others = Work {
        settings: work.settings.clone(),
        ..Work::default()
    };
    for field in &PRINCIPLES {
        others.set(field.name, None);
    }
    others
}

/// The options of a session.
pub fn options(work: &Work) -> Options {
    let default = Options::default();
    Options {
        weights: valid_numbers(&PRINCIPLES, work),
        replace_weights: work.setting(WEIGHTS_MODE) == Some("replace"),
        ethical_floor: ETHICAL_FLOOR.read(work).ok().flatten(),
        gamma: GAMMA.read(work).ok().flatten().unwrap_or(default.gamma),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constitution::{CLEAN_TOOLS, FULL_LENGTH, PerPrinciple, ROOMY_CONTEXT};

    #[test]
    fn a_principle_is_explained_by_its_own_numbers() {
        let names = PRINCIPLES.map(|field| field.name);
        assert_eq!(names, PerPrinciple::NAMES);
        let says = |name: &str, number: String| {
            let mut fields = PRINCIPLES.iter();
            let field = fields.find(|field| field.name == name);
            assert!(
                field.is_some_and(|field| field.help.contains(&number)),
                "{name}: {number}"
            );
        };
        says("joy_inducing", format!("under {FULL_LENGTH} characters"));
        says("composable", format!("More than {CLEAN_TOOLS} tools"));
        says(
            "generative",
            format!("Over {} % of the context", ROOMY_CONTEXT * 100.0),
        );
    }
}
