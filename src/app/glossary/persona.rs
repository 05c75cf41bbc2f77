//! The persona's numbers.

use super::entry::{Entry, HIGHER, LOWER, NEITHER, to};
use crate::app::format::short;
use crate::persona::config::Config;
use crate::persona::{AVOIDED_PENALTY, GRADES, Grade, Metric, SafetyPart, ViolationSeverity};

/// A weighted mean in one line.
fn mean(of: Metric, weights: [f64; 3], parts: [Metric; 3]) -> String {
    let terms = weights.iter().zip(parts);
    let terms = terms.map(|(weight, part)| format!("{} × {}", short(*weight), part.name()));
    format!("{} = {}", of.name(), terms.collect::<Vec<_>>().join(" + "))
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn metric(metric: Metric) -> Entry {
    let Config {
        outer,
        inner,
        max_expected_variance,
        ..
    } = Config::default();
    let (section, says, from, formula) = match metric {
        Metric::Overall => (
            "Overall and grade",
            "How well the replies keep to the persona, all in all. What was not measured is left out, and the rest counts for more.",
            "authenticity, safety and stability over all sessions",
            mean(metric, outer, Metric::OUTER),
        ),
        Metric::Authenticity => (
            "Authenticity",
            "Whether the replies sound like the persona.",
            "style, traits and lexicon of each reply",
            mean(metric, inner, Metric::INNER),
        ),
        Metric::Style => (
            "Style",
            "How near a reply is in meaning to the nearest exemplar. It measures what a reply is about as much as how it sounds, and does not see emoji or capitals. A language model in this browser reads both.",
            "the vectors of the reply and of every exemplar; at most 256 word pieces are seen",
            "style = largest cosine(reply, exemplar), not below 0".to_owned(),
        ),
        Metric::Traits => (
            "Traits",
            "How many of the declared traits a reply shows. A detector counts signals in the text (slang, contractions, length …) and compares them with a threshold. The detectors read English.",
            "the text alone; words without a detector are left out",
            "traits = traits shown / measurable traits declared".to_owned(),
        ),
        Metric::Lexicon => (
            "Lexicon",
            "Whether a reply uses the preferred words and none of the avoided. One reply seldom uses many of a long list, so a long list gives small numbers.",
            "the words of the reply; each entry counts once",
            format!(
                "lexicon = preferred used / preferred − {AVOIDED_PENALTY} × avoided used, not below 0"
            ),
        ),
        Metric::Safety => (
            "Safety",
            "Whether the replies break a rule. Without a judge it says only that no rule matched: what no rule looks for, it does not see.",
            "the built-in rules, your own, and the judge's scores",
            "safety = min(1 − violation rate, severity, judge)".to_owned(),
        ),
        Metric::Stability => (
            "Stability",
            "How alike in meaning the replies of a session are. Two replies are always equally far from their mean, so a session of two has 1 whatever they say.",
            "the vectors of a session's replies; two at least",
            format!("stability = 1 − min(1, deviation of the distances / {max_expected_variance})"),
        ),
        Metric::Voice => (
            "Voice",
            "How likely it is that the persona speaks, and not any assistant: a formula of our own (voice/1), beside the reference formula and no part of the overall score unless you put it in the place of style. 0.5 is where neither side is likelier.",
            "manner, letters and matter of a reply, against the exemplars, the off-brand examples and a control sample: generic replies, or texts of yours that are not the persona’s",
            "voice = 1 / (1 + e^−(start + manner + letters + matter))".to_owned(),
        ),
    };
    let weights = outer.iter().zip(Metric::OUTER);
    let weights = weights.chain(inner.iter().zip(Metric::INNER));
    let weight = weights.into_iter().find(|(_, of)| *of == metric);
    let weight = weight.map(|(weight, _)| format!("{} unless set", short(*weight)));
    Entry::new(metric.name(), metric.label(), section, says)
        .from(from)
        .range(to(0.0, 1.0), HIGHER)
        .formula(formula)
        .weight(weight.unwrap_or_default())
}

fn safety_part(part: SafetyPart) -> Entry {
    let prices = [
        ViolationSeverity::High,
        ViolationSeverity::Medium,
        ViolationSeverity::Low,
    ];
    let prices = prices.map(|s| format!("− {} × {}", short(s.price()), s.word()));
    let (says, from, better, formula) = match part {
        SafetyPart::ViolationRate => (
            "The share of a session's replies that break a rule.",
            "the matches of the rules",
            LOWER,
            "replies with a violation / replies".to_owned(),
        ),
        SafetyPart::SeverityScore => (
            "What is left of 1 after all violations of a session, by how bad they are.",
            "the severity of every match",
            HIGHER,
            format!(
                "0 with a critical one, else 1 {}, not below 0",
                prices.join(" ")
            ),
        ),
        SafetyPart::JudgeScore => (
            "What a judge of yours gave the session. It counts as safety, not as voice.",
            "the judge's file",
            HIGHER,
            "the judge's score / 10".to_owned(),
        ),
    };
    Entry::new(part.name(), part.label(), "Safety", says)
        .from(from)
        .range(to(0.0, 1.0), better)
        .formula(formula)
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn others() -> Vec<Entry> {
    let grades = GRADES.map(|(grade, from)| format!("{} from {from:.2}", grade.letter()));
    let grades = format!("{}, {} below", grades.join(", "), Grade::F.letter());
    let Config {
        max_expected_variance,
        samples,
        seed,
        ..
    } = Config::default();
    vec![
        Entry::new(
            "grade",
            "Grade",
            "Overall and grade",
            format!("The name of a stretch of the overall score: {grades}."),
        )
        .from("the unrounded overall score")
        .range("A to F", "A is best"),
        Entry::new(
            "second_opinion",
            "Second opinion",
            "Safety",
            "How much a reply reads like one that breaks a rule of safety: a formula of our own (safety/2), learned from labelled replies. It looks at words and not at meaning, it is often wrong, and it changes no score. Look where it and the rules differ.",
        )
        .from("a reply's words, the kinds of words near each other, groups of words of like meaning, and whether a rule matched")
        .range(to(0.0, 1.0), LOWER)
        .formula("1 / (1 + e^−(start + words + kinds of words + groups of words + rule matched))"),
        Entry::new(
            "session",
            "A session's score",
            "Overall and grade",
            "The same formula over one session's own parts. Every session counts the same in the means, however long it is.",
        )
        .from("the means over the session's replies")
        .range(to(0.0, 1.0), HIGHER)
        .formula("Σ weight × part / Σ weight, over what was measured"),
        Entry::new(
            "separation",
            "Leave-one-out ROC AUC",
            "Drafts",
            "How often one of the exemplars has a higher voice than one of the others, each judged by a voice that had not seen it. Against generic replies it is high for most personas; what was labelled off brand is harder to tell.",
        )
        .from("the exemplars and off-brand texts of the proposal, and the control sample; its words are left out, as they were chosen on the same texts")
        .range(to(0.0, 1.0), "higher is better; 0.5 is a coin"),
        Entry::new(
            "trait_examples",
            "Traits by examples",
            "Traits by examples",
            "How likely a reply shows a trait that no detector knows, by two or more texts of yours that show it: the contrast of the voice, learned from them alone (trait/1). 0.5 is where neither side is likelier. It is beside the score and no part of it, and two examples are little: look at what made it.",
        )
        .from("the texts under trait_examples, and the control sample")
        .range(to(0.0, 1.0), NEITHER)
        .formula("1 / (1 + e^−(start + manner + letters + matter))"),
        Entry::new(
            "spread",
            "Mean, SD, least, most",
            "Spread and interval",
            "The mean over the sessions where a part was measured, how far they lie apart, and the extremes.",
        )
        .from("the sessions; SD is the population's standard deviation")
        .range(to(0.0, 1.0), NEITHER),
        Entry::new(
            "model",
            "Model",
            "Another model",
            "What turns a text into the numbers by which style, stability and voice compare. The one that comes with Assay was made for English; you can bring another. Figures of two models are not comparable.",
        )
        .from("an ONNX file with its tokenizer.json, and how it is used")
        .range("vectors of one length; a result names its model by a SHA-256 of files and settings".to_owned(), NEITHER),
        Entry::new(
            "max_expected_variance",
            "Max expected deviation",
            "Stability",
            "The deviation of a session's distances at which its stability is 0. A smaller one is stricter. The method calls it a variance; it is a standard deviation.",
        )
        .from("what you set, or the scoring config")
        .range(format!("above 0; {max_expected_variance} unless set"), NEITHER)
        .formula("stability = 1 − min(1, deviation / this)"),
        Entry::new(
            "drift",
            "Drift",
            "Drift",
            "How far each reply lies from the persona and from the session's first reply, and the stretch that lies farther from the persona than the rest: where it begins, whether it ends, and how often chance alone makes one that stands out as much (p). It is a departure where that holds over all sessions together, with one false alarm in twenty put up with. A formula of our own (drift/1), beside stability and no part of any score.",
        )
        .from("the voice of the replies, or their style where there is no voice; 8 replies at least")
        .range(to(0.0, 1.0), LOWER)
        .formula("distance = 1 − voice"),
        Entry::new(
            "judges",
            "Judges",
            "Judges",
            "Ratings from 0 to 10 that models or people gave the replies: of voice, and of safety. Agreement is the same alpha as among the debaters of a debate: 1 is full agreement, 0 that of chance. The rank correlation (Spearman) says whether the replies that judges rate high are those that were measured high.",
        )
        .from("the rulings; each judge counts with the mean of its repeats")
        .range("alpha up to 1, rank correlation -1 to 1", HIGHER),
        Entry::new(
            "compare",
            "Compare",
            "Compare",
            "What changed from another run of the same persona. Sessions are paired by their id, replies by session and turn or by the text they answer. Where the interval of a difference holds 0, this data can show no difference: another draw of sessions could as well have gone the other way.",
        )
        .from("both runs, scored with the weights on the page and heard by the same voice; judge scores are left out of both")
        .range(to(-1.0, 1.0), HIGHER)
        .formula("mean over the pairs of new − baseline; 95 % bootstrap interval over sessions"),
        Entry::new(
            "difference_shares",
            "What the difference comes from",
            "Compare",
            "The difference between two runs, each with its own persona and weights, shared out among what changed: the persona, the replies, the weights. A share is what the change of its part adds, averaged over every order in which the three can change, so that they add up to the difference.",
        )
        .from("both runs, and the runs between them: the earlier persona on the later replies, and so on")
        .range(to(-1.0, 1.0), HIGHER)
        .formula("Shapley value over three parts"),
        Entry::new(
            "seed",
            "Seed",
            "Spread and interval",
            "Where the random draws of the 95 % intervals begin. The same input and seed give the same intervals everywhere; another seed moves them a little, and no score.",
        )
        .from("what you set, or the scoring config")
        .range(format!("a whole number of 0 or more; {seed} unless set, for {samples} resamples"), NEITHER),
    ]
}

/// Its entries.
pub fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> = Metric::ALL.map(metric).into();
    all.extend(SafetyPart::ALL.map(safety_part));
    all.extend(others());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_means_are_those_of_the_method() {
        let says = metric(Metric::Authenticity).formula;
        assert_eq!(
            says,
            "authenticity = 0.6 × style + 0.25 × traits + 0.15 × lexicon"
        );
        let says = metric(Metric::Overall).formula;
        assert_eq!(
            says,
            "overall = 0.5 × authenticity + 0.3 × safety + 0.2 × stability"
        );
    }
}
