//! What is said of a result in one line, and how to take it.

/// How a verdict is to be taken; shown as a mark beside the words, never as colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Clear and good.
    Good,
    /// Look twice.
    Caution,
    /// Bad.
    Bad,
    /// Neither.
    Neutral,
}

impl Tone {
    /// Its name in style sheets.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Caution => "caution",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// A verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How to take it.
    pub tone: Tone,
    /// The verdict.
    pub headline: String,
    /// What it stands on.
    pub detail: String,
}

impl Verdict {
    /// A verdict in words.
    pub fn new(tone: Tone, headline: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            tone,
            headline: headline.into(),
            detail: detail.into(),
        }
    }

    /// The same as what was found before so many errors came into the input; as it is where
    /// none did.
    #[must_use]
    pub fn of_before(self, errors: Option<usize>) -> Self {
        let errors = match errors {
            None => return self,
            Some(1) => "an error".to_owned(),
            Some(errors) => format!("{errors} errors"),
        };
        Self {
            tone: Tone::Caution,
            detail: format!(
                "Of the input as it was before {errors} came into it. {}",
                self.detail
            ),
            ..self
        }
    }

    /// The same where some settings are no numbers and their originals are used: nothing
    /// that somebody did not ask for passes for clear.
    #[must_use]
    pub fn with_originals_for(self, settings: &[&str]) -> Self {
        if settings.is_empty() {
            return self;
        }
        let settings = settings.join(", ");
        Self {
            tone: Tone::Caution,
            detail: format!(
                "No number is set for {settings}, so the original value is used. {}",
                self.detail
            ),
            ..self
        }
    }
}
