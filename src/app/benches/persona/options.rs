//! From the work on the bench to the inputs and options of a persona run.

use crate::app::desk::Work;
use crate::app::number::{NumberField, valid_numbers};
use crate::document::{Evaluation, Parsed};
use crate::persona::{self, Metric, Run, voice};
use crate::steps::Pause;

/// Weights of a persona run, in the order of [`Metric::OUTER`] and [`Metric::INNER`].
pub const WEIGHTS: [NumberField; 6] = {
    let [authenticity, safety, stability] = Metric::OUTER;
    let [style, traits, lexicon] = Metric::INNER;
    let overall = "Part of the overall score.";
    [
        weight(authenticity, overall),
        weight(safety, overall),
        weight(stability, overall),
        weight(
            style,
            "Part of authenticity: likeness to the nearest exemplar.",
        ),
        weight(
            traits,
            "Part of authenticity: share of the declared traits shown.",
        ),
        weight(
            lexicon,
            "Part of authenticity: preferred and avoided words.",
        ),
    ]
};

/// The same where the voice stands in the place of style: its weight is style's.
pub const WEIGHTS_BY_VOICE: [NumberField; 6] = {
    let mut all = WEIGHTS;
    all[3].label = Metric::Voice.label();
    all[3].help = "Part of authenticity: the voice, in the place of style.";
    all
};

const fn weight(of: Metric, help: &'static str) -> NumberField {
    NumberField::weight(of.weight(), of.label(), 1.0, help)
}

/// The setting that says which formula fills the place of style in authenticity.
pub const STYLE_BY: &str = "style_by";

/// The setting that holds the inner weights that labels have chosen as numbers with blanks between.
pub const BY_LABELS: &str = "weights_by_labels";

/// Weights as [`BY_LABELS`] has them.
pub fn listed(weights: [f64; 3]) -> String {
    weights.map(|weight| weight.to_string()).join(" ")
}

/// Whether the inner weights are those that labels have chosen: turned since, they are not.
pub fn is_by_labels(work: &Work) -> bool {
    let [.., style, traits, lexicon] = WEIGHTS;
    let now = [style, traits, lexicon].map(|field| field.read(work).ok().flatten());
    let chosen = work.setting(BY_LABELS);
    match now {
        [Some(style), Some(traits), Some(lexicon)] => {
            chosen.is_some_and(|chosen| chosen == listed([style, traits, lexicon]))
        }
        _ => false,
    }
}

/// The setting that holds the bars of a comparison, as [`persona::bars`] reads them.
pub const GATE: &str = "gate";

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

/// Reads the persona run on the bench, whose persona was parsed already, in steps.
pub async fn read(
    work: &Work,
    persona: &Parsed,
    known: &mut persona::Known,
    pause: Pause<'_>,
) -> Evaluation<Run> {
    let inputs = persona::Inputs {
        persona: persona.text(),
        transcript: work.text("transcript"),
        config: work.filled("config"),
        safety: work.filled("safety"),
        judge: work.filled("judge"),
        labels: work.filled("labels"),
        control: work.filled("control"),
    };
    let mut read = persona::read_in_steps(&inputs, persona, known, pause).await;
    // what an empty text lacks would stand for a moment beside the one that is put in
    read.problems.retain(|problem| {
        let text = match problem.input.as_deref() {
            Some("persona") => inputs.persona,
            Some("transcript") | None => inputs.transcript,
            Some(_) => return true,
        };
        !text.trim().is_empty()
    });
    read
}

/// The options of a persona run.
pub fn options(work: &Work) -> persona::Options {
    persona::Options {
        weights: valid_numbers(&WEIGHTS, work),
        seed: SEED.read(work).ok().flatten().map(|seed| seed as u64),
        max_expected_variance: MAX_VARIANCE.read(work).ok().flatten(),
        weights_by_labels: is_by_labels(work),
        voice_as_style: work.setting(STYLE_BY).map(|name| name == voice::FORMULA),
    }
}
