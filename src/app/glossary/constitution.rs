//! The numbers of a session of turns.

use super::entry::{Entry, HIGHER, LOWER, NEITHER, to};
use crate::app::format::{percent, short};
use crate::constitution::{
    Band, CLEAN_TOOLS, DEFAULT_ETHICAL_FLOOR, DEFAULT_GAMMA, DEFAULT_WEIGHTS, FULL_LENGTH, PRIOR,
    Principle, ROOMY_CONTEXT, SCALE, composable, ethical, generative, joy_inducing,
};

/// What a principle is scored by.
fn rule(principle: Principle) -> (String, String) {
    let prior = short(PRIOR);
    match principle {
        Principle::Tasteful | Principle::Curated | Principle::Heterarchical => (
            "an override in the turn; no rule measures it".to_owned(),
            format!("{prior}, or the override"),
        ),
        Principle::Ethical => (
            "has_mutations, and acknowledged (or tools_passed)".to_owned(),
            format!(
                "no changes {}, changes acknowledged {}, unacknowledged {}",
                short(ethical(false, false)),
                short(ethical(true, true)),
                short(ethical(true, false))
            ),
        ),
        Principle::JoyInducing => (
            "the length n of the response in characters".to_owned(),
            format!(
                "none {}; below {FULL_LENGTH}: 0.5 + 0.5 × n / {FULL_LENGTH}; else {}",
                short(joy_inducing("")),
                short(1.0)
            ),
        ),
        Principle::Composable => (
            "the number n of tools".to_owned(),
            format!(
                "up to {CLEAN_TOOLS}: 1; else 1 − 0.1 × (n − {CLEAN_TOOLS}), at least {}",
                short(composable(usize::MAX))
            ),
        ),
        Principle::Generative => (
            "the share u of the context in use".to_owned(),
            format!(
                "up to {}: 1; else 1 − 5 × (u − {}), at least {}; unknown {prior}",
                short(ROOMY_CONTEXT),
                short(ROOMY_CONTEXT),
                short(generative(Some(1.0)))
            ),
        ),
    }
}

fn principle(principle: Principle) -> Entry {
    let least = match principle {
        Principle::Ethical => ethical(true, false),
        Principle::JoyInducing => joy_inducing(""),
        Principle::Composable => composable(usize::MAX),
        Principle::Generative => generative(Some(1.0)),
        Principle::Tasteful | Principle::Curated | Principle::Heterarchical => 0.0,
    };
    let (from, formula) = rule(principle);
    let range = if least > 0.0 {
        format!("{}; an override goes from 0 to 1", to(least, 1.0))
    } else {
        to(0.0, 1.0)
    };
    Entry::new(
        principle.name(),
        principle.label(),
        "Principles",
        format!(
            "{} One of the seven principles of a turn.",
            principle.question()
        ),
    )
    .from(from)
    .range(range, HIGHER)
    .formula(formula)
    .weight(format!("{} unless set", short(DEFAULT_WEIGHTS[principle])))
}

fn totals() -> Vec<Entry> {
    let bands = [Band::Perfect, Band::Good, Band::Concerning]
        .map(|band| format!("{} from {}", band.word(), short(band.least())));
    let bands = format!("{}, {} below", bands.join(", "), Band::Poor.word());
    vec![
        Entry::new(
            "weighted_total",
            "Total",
            "Total, normalised, band",
            "How well a turn did on all seven principles. An empty part of its bar is what it lost.",
        )
        .from("the scores of the principles and their weights")
        .range(format!("0 to the sum of the weights, {SCALE} unless set"), HIGHER)
        .formula("total = Σ weight × score"),
        Entry::new(
            "band",
            "Band",
            "Total, normalised, band",
            format!("The name of a stretch of totals: {bands}."),
        )
        .from("the total on the scale of the default weights, whatever the weights are")
        .range("perfect, good, concerning, poor", HIGHER)
        .formula(format!("total / sum of weights × {SCALE}, to 4 decimals")),
        Entry::new(
            "by_default",
            "By default",
            "By default",
            format!("Scores that stand at {} because nothing in the turn measures them. Many of them make a good session out of a log that says little.", short(PRIOR)),
        )
        .from("the fields that a turn has")
        .range("0 to seven for each turn", LOWER),
        Entry::new(
            "ethical_floor",
            "Ethical floor",
            "Ethical floor",
            "A turn whose ethical score is below it is rejected, whatever its total. The total stays, and counts in the session.",
        )
        .from("the ethical score of each turn")
        .range(format!("0 to 1; off, or {} unless set", short(DEFAULT_ETHICAL_FLOOR)), "a higher floor is stricter")
        .formula("rejected if ethical < floor"),
    ]
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn session() -> Vec<Entry> {
    vec![
        Entry::new(
            "mean_total",
            "Mean total",
            "A session",
            "How well the turns did on average.",
        )
        .from("the totals of all turns, rejected ones too")
        .range("0 to the sum of the weights", HIGHER)
        .formula("mean_total = Σ total / turns"),
        Entry::new(
            "mean_scores",
            "Mean per principle",
            "A session",
            "The mean score of each principle over the turns. No weight changes it; the radar shows it.",
        )
        .from("the scores of all turns")
        .range(to(0.0, 1.0), HIGHER)
        .formula("mean = Σ score / turns; weight × mean is what it brings to the mean total"),
        Entry::new(
            "weakest",
            "Weakest",
            "A session",
            "The principle with the lowest mean score: where to begin. Of equal ones the first.",
        )
        .from("the means of the principles")
        .range("one of the seven", NEITHER),
        Entry::new(
            "trend",
            "Trend",
            "A session",
            "Whether the turns get better (above 0) or worse (below 0), in points of the total for each turn.",
        )
        .from("the totals in the order of the log; two turns at least")
        .range("about 0", HIGHER)
        .formula("slope of the least-squares line through the totals"),
        Entry::new(
            "gamma",
            "Discounted value",
            "A session",
            format!("The sum of all totals, where later turns count less. γ is {} unless set: at 1 all count alike, at 0 only the first.", short(DEFAULT_GAMMA)),
        )
        .from("the totals in the order of the log, and γ")
        .range("0 and more, larger for a longer session; γ from 0 to 1", HIGHER)
        .formula("Σ γ^t × total, t from 0"),
        Entry::new(
            "closest",
            "Closest to another band",
            "Closest to another band",
            "The turn with the least to go to another band. Perfect turns have nothing to gain and are left out.",
        )
        .from("the totals on the scale of the bands")
        .range(to(0.0, SCALE), NEITHER)
        .formula("distance to the nearest bound of a band"),
        Entry::new(
            "context",
            "Context in use",
            "Principles",
            format!("The share of the model's context that a turn fills. Above {} % it costs points on generative.", percent(ROOMY_CONTEXT)),
        )
        .from("context_utilization of the turn")
        .range(to(0.0, 1.0), LOWER),
    ]
}

/// Its entries.
pub fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> = Principle::ALL.map(principle).into();
    all.extend(totals());
    all.extend(session());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_the_methods_own() {
        let rule = |principle| rule(principle).1;
        // the halves and tenths of the lines are those of the functions
        assert_eq!(joy_inducing("a"), 0.5 + 0.5 / FULL_LENGTH as f64);
        assert_eq!(composable(CLEAN_TOOLS + 1), 1.0 - 0.1);
        let slope = (generative(Some(0.95)) - 1.0) / (0.95 - ROOMY_CONTEXT);
        assert!((slope + 5.0).abs() < 1e-9);
        assert_eq!(
            rule(Principle::Ethical),
            "no changes 1, changes acknowledged 0.9, unacknowledged 0.5"
        );
        for principle in Principle::ALL {
            let entry = super::principle(principle);
            assert_eq!(entry.key, principle.name());
        }
    }
}
