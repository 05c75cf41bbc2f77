//! From the work on the bench to the options of a session.

use crate::app::desk::Work;
use crate::app::number::{NumberField, valid_numbers};
use crate::constitution::{Options, Principle};

/// Weights of the principles.
pub const PRINCIPLES: [NumberField; Principle::COUNT] = {
    const fn field(principle: Principle) -> NumberField {
        NumberField::weight(principle.name(), principle.label(), 4.0, principle.help())
    }
    [
        field(Principle::Tasteful),
        field(Principle::Curated),
        field(Principle::Ethical),
        field(Principle::JoyInducing),
        field(Principle::Composable),
        field(Principle::Heterarchical),
        field(Principle::Generative),
    ]
};

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

    #[test]
    fn every_principle_has_a_weight_in_its_place() {
        let names = PRINCIPLES.map(|field| field.name);
        assert_eq!(names, Principle::ALL.map(Principle::name));
    }
}
