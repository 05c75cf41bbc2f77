//! Cards: what is known of a character, before it is a persona.

/// A character, or the manner of an assistant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Card {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub description: String,
    /// Lines in its own voice, with where each was taken from.
    pub replies: Vec<String>,
    /// From where in the source each of them is; as many as `replies`.
    pub origins: Vec<&'static str>,
    /// Words that it prefers.
    pub preferred: Vec<String>,
    /// Words that it avoids.
    pub avoided: Vec<String>,
}
