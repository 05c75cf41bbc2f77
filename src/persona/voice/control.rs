//! The control sample: replies as any assistant gives them, with their vectors. The one that ships
//! with the app, or one that the user gives in its place.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::document::{Code, Problem, Problems, Severity, input_sha256_in_steps};
use crate::persona::given::read_given;
use crate::steps::Pause;
use crate::text::Place;

/// With fewer texts nothing can be said of what is usual: measured in SCORING.md section 3, "Voice".
pub const LEAST_CONTROL: usize = 20;
/// Of more texts so many are taken, spread evenly: a fit takes as long as there are texts.
pub const MOST_CONTROL: usize = 2_000;

/// The largest number a packed component has.
const LARGEST: f64 = 127.0;

/// Replies of no persona. Their vectors are packed, a byte a component, and come from one model;
/// another model has to embed them again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Control {
    /// SHA-256 of the model, 64 hex digits.
    pub model: String,
    /// The replies.
    pub texts: Vec<String>,
    /// Signed bytes in base64: one text after the other, each scaled by its largest component.
    vectors: String,
}

/// What a voice was held against.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlSample {
    /// Whose it is.
    pub source: ControlSource,
    /// How many texts.
    pub texts: usize,
    /// SHA-256 of the texts, one a line, as hex.
    pub sha256: String,
}

/// Whose control sample it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ControlSource {
    /// The generic replies that come with the app.
    #[default]
    Shipped,
    /// The user's own.
    Given,
}

impl Control {
    /// A sample of texts that an embedder has yet to see.
    pub const fn given(texts: Vec<String>) -> Self {
        Self {
            model: String::new(),
            texts,
            vectors: String::new(),
        }
    }

    /// Why a sample of one's own cannot be used, in words.
    pub fn lacks(&self) -> Option<String> {
        let texts = self.texts.len();
        (texts < LEAST_CONTROL).then(|| match texts {
            0 => format!(
                "the control sample has no text: at least {LEAST_CONTROL} replies that are not the persona's are needed"
            ),
            1 => format!("the control sample has 1 text, at least {LEAST_CONTROL} are needed"),
            _ => format!("the control sample has {texts} texts, at least {LEAST_CONTROL} are needed"),
        })
    }

    /// What is told of it in a result. A stretch of its hash is a step.
    pub(super) async fn sample(&self, source: ControlSource, pause: Pause<'_>) -> ControlSample {
        ControlSample {
            source,
            texts: self.texts.len(),
            sha256: input_sha256_in_steps(&[("control", &self.texts.join("\n"))], pause).await,
        }
    }

    /// Reads the file that ships with the app; in words what is wrong with it.
    pub fn read(json: &str) -> Result<Self, String> {
        let control: Self = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let (vectors, texts) = (control.vectors()?.len(), control.texts.len());
        if vectors != texts {
            return Err(format!(
                "expected a vector for each of {texts} texts, got {vectors}"
            ));
        }
        Ok(control)
    }

    /// Packs the vectors of a model, one for each text.
    pub fn pack(model: String, texts: Vec<String>, vectors: &[Vec<f32>]) -> Self {
        let packed = vectors.iter().flat_map(|vector| {
            let largest = vector
                .iter()
                .fold(0.0_f64, |most, one| most.max(f64::from(*one).abs()));
            let scale = LARGEST / largest.max(f64::MIN_POSITIVE);
            vector
                .iter()
                .map(move |one| (f64::from(*one) * scale).round() as i8 as u8)
        });
        let packed: Vec<u8> = packed.collect();
        Self {
            model,
            texts,
            vectors: STANDARD.encode(packed),
        }
    }

    /// The vectors, to unit length.
    pub fn vectors(&self) -> Result<Vec<Vec<f64>>, String> {
        let bytes = STANDARD
            .decode(&self.vectors)
            .map_err(|error| error.to_string())?;
        let width = bytes.len() / self.texts.len().max(1);
        let unpack = |packed: &[u8]| {
            let vector: Vec<f64> = packed.iter().map(|byte| f64::from(*byte as i8)).collect();
            let length = vector.iter().map(|one| one * one).sum::<f64>().sqrt();
            vector.iter().map(|one| one / length.max(1.0)).collect()
        };
        Ok(bytes.chunks_exact(width.max(1)).map(unpack).collect())
    }
}

/// Reads a control sample of one's own: texts in any shape that [`read_given`] knows, without those
/// that are labelled on brand. Each counts once. Too few are a warning.
pub fn read_control(text: &str, problems: &mut Problems) -> Control {
    let given = read_given(text, problems).into_iter();
    let mut texts: Vec<String> = given
        .filter(|given| given.is_on != Some(true))
        .map(|given| given.text)
        .collect();
    let all = texts.len();
    if all > MOST_CONTROL {
        texts = (0..MOST_CONTROL)
            .map(|at| texts[at * all / MOST_CONTROL].clone())
            .collect();
        let message = format!(
            "of {all} texts {MOST_CONTROL} are taken, spread evenly: more would take long and change little"
        );
        problems.push(Problem::new(Severity::Note, Place::START, "", message));
    }
    let control = Control::given(texts);
    if let Some(reason) = control.lacks() {
        let message = format!("there is no voice: {reason}");
        let problem = Problem::new(Severity::Warning, Place::START, "", message);
        problems.push(problem.with_code(Code::Missing));
    }
    control
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_told_how_much_it_lacks() {
        let read = |text: &str| {
            let mut problems = Problems::new();
            let control = read_control(text, &mut problems);
            let problems = problems.into_sorted().into_iter();
            (
                control.texts,
                problems.map(|problem| problem.message).collect::<Vec<_>>(),
            )
        };
        let few = |texts: usize| {
            let plural = if texts == 1 { "" } else { "s" };
            format!(
                "there is no voice: the control sample has {texts} text{plural}, at least 20 are needed"
            )
        };
        assert_eq!(
            read(r#"[{"text": "one", "label": 1}, {"text": "two", "label": 0}, "two"]"#),
            (vec!["two".to_owned()], vec![few(1)])
        );
        assert_eq!(read("one\ntwo\none").1, [few(2)]);
        assert!(read("[]").1[0].contains("has no text: at least 20"));
        let many: Vec<String> = (0..5_000).map(|at| format!("reply {at}")).collect();
        let (texts, problems) = read(&serde_json::json!(many).to_string());
        assert_eq!((texts.len(), problems.len()), (MOST_CONTROL, 1));
        assert_eq!(texts[MOST_CONTROL - 1], "reply 4997");
    }

    #[test]
    fn vectors_keep_their_direction() {
        let vectors = [vec![0.6_f32, -0.8, 0.0], vec![0.01, 0.02, -0.03]];
        let texts = vec!["a".to_owned(), "b".into()];
        let packed = Control::pack("sha".into(), texts, &vectors);
        let json = serde_json::to_string(&packed).expect("plain data");
        let read = Control::read(&json).expect("as it was written");
        assert_eq!(read, packed);
        for (vector, again) in vectors.iter().zip(read.vectors().expect("vectors")) {
            let length = vector
                .iter()
                .map(|one| f64::from(*one).powi(2))
                .sum::<f64>()
                .sqrt();
            for (one, other) in vector.iter().zip(&again) {
                assert!(
                    (f64::from(*one) / length - other).abs() < 0.006,
                    "{one} {other}"
                );
            }
        }
        let short = json.replace(r#"["a","b"]"#, r#"["a","b","c","d","e","f","g"]"#);
        assert!(Control::read(&short).is_err());
    }
}
