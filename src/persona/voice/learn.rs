//! What a voice is learned from, and its vectors.

use std::sync::Arc;

use super::control::{Control, ControlSource};
use super::families::Text;
use super::fit::{LEAST_OURS, Origin, Sample, Voice, fit};
use crate::embedding::{EmbedError, Embedder};
use crate::persona::lexicon::{Lexicon, LexiconMatcher};
use crate::persona::style::unit;
use crate::steps::{Pause, Progress, step};

/// A reply that somebody has judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The reply.
    pub text: String,
    /// Whether it is on brand.
    pub is_on: bool,
    /// Its session: replies of one are left out together.
    pub session: String,
}

/// What a voice is learned from, beside the control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// How the persona sounds.
    pub exemplars: Vec<String>,
    /// How it says it does not.
    pub off_brand: Vec<String>,
    /// What somebody has judged.
    pub labels: Vec<Label>,
    /// The words that it prefers and avoids.
    pub lexicon: Lexicon,
    /// What it is held against, in the place of the control that ships.
    pub control: Option<Arc<Control>>,
}

impl Lesson {
    /// The texts whose vectors are needed beside those of the control that ships.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let labels = self.labels.iter().map(|label| label.text.as_str());
        let own = self.exemplars.iter().chain(&self.off_brand);
        let control = self.control.iter().flat_map(|control| &control.texts);
        own.chain(control).map(String::as_str).chain(labels)
    }

    /// Why no voice can be learned from it, in words.
    pub fn lacks(&self) -> Option<String> {
        let on = self.labels.iter().filter(|label| label.is_on);
        let ours = self.exemplars.len() + on.count();
        if ours < LEAST_OURS {
            return Some(format!(
                "it needs at least {LEAST_OURS} exemplars, the persona has {ours}"
            ));
        }
        self.control.as_ref().and_then(|control| control.lacks())
    }

    /// Learns the voice against its own control, or else this one; in words why there is none. A text,
    /// and then a round of a fit, is a step.
    pub async fn learn(
        &self,
        control: &Control,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Result<Voice, String> {
        match self.lacks() {
            Some(reason) => Err(reason),
            None => self.contrast(control, embedder, pause).await,
        }
    }

    /// The same of fewer of ours than a voice needs.
    pub(in crate::persona) async fn contrast(
        &self,
        control: &Control,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Result<Voice, String> {
        if let Some(reason) = self.control.as_ref().and_then(|own| own.lacks()) {
            return Err(reason);
        }
        let (control, source) = match &self.control {
            Some(own) => (&**own, ControlSource::Given),
            None => (control, ControlSource::Shipped),
        };
        let samples = self.samples(control, embedder, pause).await;
        let samples = samples.map_err(|error| error.0)?;
        let voice = fit(&samples, pause).await;
        let mut voice = voice.ok_or_else(|| "the control sample is empty".to_owned())?;
        voice.control = control.sample(source, pause).await;
        Ok(voice)
    }

    /// Takes a reply apart, to be scored.
    pub fn text(&self, text: &str, embedder: &dyn Embedder) -> Result<Text, EmbedError> {
        let vector = vector(text, embedder)?;
        Ok(Text::new(text, vector, &LexiconMatcher::new(&self.lexicon)))
    }

    /// All samples: exemplars, what is off brand, labels, the control.
    async fn samples(
        &self,
        control: &Control,
        embedder: &dyn Embedder,
        pause: Pause<'_>,
    ) -> Result<Vec<Sample>, EmbedError> {
        let mut samples = Vec::new();
        let lexicon = LexiconMatcher::new(&self.lexicon);
        let of_text = |text: &str| -> Result<Text, EmbedError> {
            Ok(Text::new(text, vector(text, embedder)?, &lexicon))
        };
        let exemplars = self.exemplars.iter().map(|text| (text, Origin::Exemplar));
        let off_brand = self.off_brand.iter().map(|text| (text, Origin::Off));
        for (group, (text, origin)) in exemplars.chain(off_brand).enumerate() {
            let text = of_text(text)?;
            samples.push(Sample {
                text,
                origin,
                is_label: false,
                group,
            });
        }
        let grouped = samples.len();
        let mut sessions: Vec<&str> = Vec::new();
        for (at, label) in self.labels.iter().enumerate() {
            let known = sessions
                .iter()
                .position(|session| *session == label.session);
            let session = known.unwrap_or(sessions.len());
            if known.is_none() {
                sessions.push(&label.session);
            }
            samples.push(Sample {
                text: of_text(&label.text)?,
                origin: if label.is_on { Origin::On } else { Origin::Off },
                is_label: true,
                group: grouped + session,
            });
            step(
                pause,
                Progress::new(at, self.labels.len(), "labels taken apart"),
            )
            .await;
        }
        let vectors = control_vectors(control, embedder)?;
        let total = vectors.len();
        for (group, (text, vector)) in control.texts.iter().zip(vectors).enumerate() {
            samples.push(Sample {
                text: Text::new(text, vector, &lexicon),
                origin: Origin::Control,
                is_label: false,
                group,
            });
            step(
                pause,
                Progress::new(group, total, "replies of the control taken apart"),
            )
            .await;
        }
        Ok(samples)
    }
}

/// The vectors of the control: packed ones of the same model, or made anew.
fn control_vectors(
    control: &Control,
    embedder: &dyn Embedder,
) -> Result<Vec<Vec<f64>>, EmbedError> {
    if embedder.model().sha256 == control.model {
        return control.vectors().map_err(EmbedError);
    }
    let vectors = control.texts.iter().map(|text| vector(text, embedder));
    vectors.collect()
}

/// The vector of a text, of unit length.
pub fn vector(text: &str, embedder: &dyn Embedder) -> Result<Vec<f64>, EmbedError> {
    unit(&embedder.embed(text)?).map_err(EmbedError)
}
