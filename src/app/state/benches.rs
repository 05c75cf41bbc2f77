//! From the work on a bench to its options and result.

use crate::constitution::{self, Log, RewardResult};
use crate::debate::{self, ByTerm, DomainChoice, Profiles, Term};
use crate::document::{Evaluation, Problem};
use crate::persona::{self, Run};

use super::number::{NumberField, valid_numbers};
use super::work::Work;

/// Weights of a debate.
pub const DEBATE_WEIGHTS: ByTerm<NumberField> = {
    const fn field(term: Term, slider_max: f64) -> NumberField {
        NumberField::weight(term.weight(), term.label(), slider_max, term.help())
    }
    [
        field(Term::Base, 2.0),
        field(Term::Pairwise, 4.0),
        field(Term::Risk, 2.0),
        field(Term::Reliability, 2.0),
        field(Term::Formal, 2.0),
    ]
};

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

/// Weights of a persona run.
pub const PERSONA_WEIGHTS: [NumberField; 6] = [
    NumberField::weight(
        "authenticity_weight",
        "Authenticity",
        1.0,
        "Part of the overall score.",
    ),
    NumberField::weight("safety_weight", "Safety", 1.0, "Part of the overall score."),
    NumberField::weight(
        "stability_weight",
        "Stability",
        1.0,
        "Part of the overall score.",
    ),
    NumberField::weight(
        "style_weight",
        "Style",
        1.0,
        "Part of authenticity: likeness to the nearest exemplar.",
    ),
    NumberField::weight(
        "traits_weight",
        "Traits",
        1.0,
        "Part of authenticity: share of the declared traits shown.",
    ),
    NumberField::weight(
        "lexicon_weight",
        "Lexicon",
        1.0,
        "Part of authenticity: preferred and avoided words.",
    ),
];

/// Scale of the stability's standard deviation.
pub const MAX_VARIANCE: NumberField = NumberField {
    name: "max_expected_variance",
    label: "Max expected deviation",
    help: "The standard deviation of distances at which stability is 0.",
    min: 0.0001,
    max: 2.0,
    slider_max: 1.0,
    integer: false,
};

/// Seed of the bootstrap.
pub const SEED: NumberField = NumberField {
    name: "seed",
    label: "Seed",
    help: "Same input and seed, same intervals.",
    min: 0.0,
    max: 999_999.0,
    slider_max: 100.0,
    integer: true,
};

/// Which of several debates in the text is on the bench, from 0.
pub fn debate_index(work: &Work) -> usize {
    work.setting("item")
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
pub fn debate_options(work: &Work, with_weights: bool) -> debate::Options {
    debate::Options {
        domain: work
            .setting("domain")
            .map_or(DomainChoice::Payload, DomainChoice::parse),
        weights: if with_weights {
            valid_numbers(&DEBATE_WEIGHTS, work)
        } else {
            Vec::new()
        },
        ..debate::Options::default()
    }
}

/// Reads the turns on the bench.
pub fn turns(work: &Work) -> Evaluation<Log> {
    constitution::read(work.text("turns"))
}

/// Scores turns; without the bench's weights, to know the original ones.
pub fn constitution(log: &Log, work: &Work, with_weights: bool) -> Evaluation<RewardResult> {
    let default = constitution::Options::default();
    let options = constitution::Options {
        weights: if with_weights {
            valid_numbers(&PRINCIPLES, work)
        } else {
            Vec::new()
        },
        replace_weights: work.setting("weights_mode") == Some("replace"),
        ethical_floor: ETHICAL_FLOOR.read(work).ok().flatten(),
        gamma: GAMMA.read(work).ok().flatten().unwrap_or(default.gamma),
    };
    constitution::score(log, &options)
}

/// The names of the persona bench's inputs, in order; the first two are needed.
pub const PERSONA_INPUTS: [&str; 5] = ["persona", "transcript", "config", "safety", "judge"];

/// Reads the persona run on the bench.
pub fn persona_run(work: &Work, known: &mut persona::Known) -> Evaluation<Run> {
    let inputs = persona::Inputs {
        persona: work.text("persona"),
        transcript: work.text("transcript"),
        config: work.filled("config"),
        safety: work.filled("safety"),
        judge: work.filled("judge"),
    };
    persona::read_with(&inputs, known)
}

/// The options of a persona run.
pub fn persona_options(work: &Work) -> persona::Options {
    persona::Options {
        weights: valid_numbers(&PERSONA_WEIGHTS, work),
        seed: SEED.read(work).ok().flatten().map(|seed| seed as u64),
        max_expected_variance: MAX_VARIANCE.read(work).ok().flatten(),
    }
}

/// What stands for the settings where problems name an input.
pub const OPTIONS: &str = "options";

/// The problems of one text; those that name no input belong to the main one.
pub fn problems_of(problems: &[Problem], input: &str, main: &str) -> Vec<Problem> {
    let belongs = |problem: &&Problem| problem.input.as_deref().unwrap_or(main) == input;
    problems.iter().filter(belongs).cloned().collect()
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

    #[test]
    fn any_domain_can_be_chosen_and_old_settings_mean_what_they_meant() {
        let chosen = |setting: Option<&str>| {
            let mut work = Work::default();
            work.set("domain", setting.map(str::to_owned));
            debate_options(&work, true).domain
        };
        assert_eq!(chosen(None), DomainChoice::Payload);
        assert_eq!(chosen(Some("none")), DomainChoice::None);
        assert_eq!(chosen(Some("auto")), DomainChoice::Auto);
        for name in ["legal", "none", "auto", "payload", ""] {
            let named = DomainChoice::Named(name.to_owned());
            assert_eq!(chosen(named.spelling().as_deref()), named);
        }
    }
}
