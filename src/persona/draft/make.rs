//! Makes a proposal from examples.

use super::examples::Examples;
use super::medoids::medoids;
use super::proposal::{Draft, Exemplar, Manner, Trait};
use super::words::{Counts, Entry};
use crate::embedding::Embedder;
use crate::persona::detectors::detect;
use crate::persona::lexicon::{Lexicon, LexiconMatcher};
use crate::persona::signals::Signals;
use crate::persona::traits::Dimension;
use crate::persona::voice::{Control, measure, vector};
use crate::steps::{Pause, Progress, step};
use crate::text::{Folded, sort_by};

/// So many exemplars are proposed: what a person looks through, and enough for a voice.
const MOST_EXEMPLARS: usize = 12;
/// The share of the examples that must show a trait.
const LEAST_SHOWN: f64 = 0.5;
/// A signal is told from so many standard deviations of the others on, and so many of them.
const LEAST_DEVIATIONS: f64 = 0.5;
const MOST_SIGNALS: usize = 8;

/// Makes a proposal; in words why there is none. A text is a step.
pub async fn draft(
    examples: &Examples,
    control: &Control,
    embedder: &dyn Embedder,
    pause: Pause<'_>,
) -> Result<Draft, String> {
    if let Some(reason) = examples.lacks() {
        return Err(reason);
    }
    let Examples { ours, off } = examples;
    let counts = Counts::new(ours.iter().map(String::as_str), pause).await;
    let of_off = Counts::new(off.iter().map(String::as_str), pause).await;
    let of_control = Counts::new(control.texts.iter().map(String::as_str), pause).await;
    let of_others = of_control.with(&of_off);
    let all = of_others.with(&counts);
    let preferred = counts.against(&of_others, &all, false).into_iter();
    // what is labelled off brand says more than what any assistant says
    let reference = if off.is_empty() { &of_control } else { &of_off };
    let avoided = reference.against(&counts, &all, true).into_iter();
    let texts: Vec<&str> = ours.iter().map(String::as_str).collect();
    let others: Vec<&str> = control
        .texts
        .iter()
        .chain(off)
        .map(String::as_str)
        .collect();
    let (here, there) = (
        looked_at(&texts, pause).await,
        looked_at(&others, pause).await,
    );
    Ok(Draft {
        examples: ours.len(),
        others: others.len(),
        exemplars: exemplars(ours, embedder, pause).await?,
        off_brand: exemplars(off, embedder, pause).await?,
        preferred: preferred
            .map(|(entry, examples, count, z)| Entry {
                entry,
                examples,
                others: count,
                of_others: others.len(),
                z,
            })
            .collect(),
        avoided: avoided
            .map(|(entry, count, examples, z)| Entry {
                entry,
                examples,
                others: count,
                of_others: reference.texts,
                z: -z,
            })
            .collect(),
        traits: traits(&here, &there),
        manner: manner(&here, &there),
    })
}

/// The texts that stand for all of them.
async fn exemplars(
    texts: &[String],
    embedder: &dyn Embedder,
    pause: Pause<'_>,
) -> Result<Vec<Exemplar>, String> {
    let vectors = texts.iter().map(|text| vector(text, embedder));
    let vectors: Result<Vec<_>, _> = vectors.collect();
    let vectors = vectors.map_err(|error| error.0)?;
    let found = medoids(&vectors, MOST_EXEMPLARS, pause).await;
    let exemplar = |(at, stands_for): (usize, usize)| Exemplar {
        text: texts[at].clone(),
        stands_for,
    };
    Ok(found.into_iter().map(exemplar).collect())
}

/// What a text shows and looks like.
struct Look {
    /// The words of the traits that it shows.
    shows: Vec<&'static str>,
    /// Each signal's name, value and whether it has a place in the text.
    signals: Vec<(&'static str, f64, bool)>,
}

async fn looked_at(texts: &[&str], pause: Pause<'_>) -> Vec<Look> {
    let nothing = Lexicon::default();
    let lexicon = LexiconMatcher::new(&nothing);
    let mut looks = Vec::with_capacity(texts.len());
    for (done, text) in texts.iter().enumerate() {
        let signals = Signals::measure(text, &Folded::new(text));
        let words = Dimension::ALL.into_iter().flat_map(Dimension::words);
        let shows = words.copied().filter(|word| {
            let found = detect(word, &signals);
            found.is_some_and(|found| found.matched)
        });
        looks.push(Look {
            shows: shows.collect(),
            signals: measure(text, &lexicon)
                .into_iter()
                .map(|signal| (signal.name, signal.value, !signal.spans.is_empty()))
                .collect(),
        });
        step(pause, Progress::new(done, texts.len(), "texts looked at")).await;
    }
    looks
}

/// Of formality and verbosity the word that most show, of tone each that half of them do.
fn traits(here: &[Look], there: &[Look]) -> Vec<Trait> {
    let count = |looks: &[Look], word| {
        looks
            .iter()
            .filter(|look| look.shows.contains(&word))
            .count()
    };
    let mut found = Vec::new();
    for dimension in Dimension::ALL {
        let words = dimension.words().iter().map(|word| Trait {
            dimension: dimension.key(),
            word,
            examples: count(here, *word),
            others: count(there, *word),
        });
        let shown = |shown: &Trait| shown.examples as f64 >= LEAST_SHOWN * here.len() as f64;
        let mut words: Vec<Trait> = words.filter(shown).collect();
        if dimension != Dimension::Tone {
            sort_by(&mut words, |a, b| b.examples.cmp(&a.examples));
            words.truncate(1);
        }
        found.append(&mut words);
    }
    found
}

/// The signals in which the two samples differ most.
fn manner(here: &[Look], there: &[Look]) -> Vec<Manner> {
    let signals = here.first().map_or(0, |look| look.signals.len());
    let mean = |looks: &[Look], of: &dyn Fn(&Look) -> f64| {
        looks.iter().map(of).sum::<f64>() / looks.len().max(1) as f64
    };
    let differ = |at: usize| {
        let value = |look: &Look| look.signals[at].1;
        let (ours, theirs) = (mean(here, &value), mean(there, &value));
        let deviation = mean(there, &|look| (value(look) - theirs).powi(2)).sqrt();
        let having = |looks: &[Look]| looks.iter().filter(|look| look.signals[at].2).count();
        Manner {
            signal: here[0].signals[at].0,
            // what the others never do at all is no infinity
            deviations: (ours - theirs) / deviation.max(0.05),
            examples: having(here),
            others: having(there),
        }
    };
    let mut found: Vec<Manner> = (0..signals).map(differ).collect();
    found.retain(|one| one.deviations.abs() >= LEAST_DEVIATIONS);
    sort_by(&mut found, |a, b| {
        b.deviations.abs().total_cmp(&a.deviations.abs())
    });
    found.truncate(MOST_SIGNALS);
    found
}
