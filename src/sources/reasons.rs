//! Why a part of a source is left out, in words: each kind of part has one reason, so a document of
//! an earlier visit tells it, too.

use super::notes::Dropped;

/// How the names of parts begin, and why such parts are left out. The first that fits counts.
const REASONS: &[(&str, &str)] = &[
    ("thinking blocks", "what a model thinks is no reply"),
    ("thoughts", "what a model thinks is no reply"),
    (
        "parts of the type",
        "only texts and calls of tools are read",
    ),
    (
        "items of the type",
        "only messages and calls of tools are read",
    ),
    ("messages of the role", UNKNOWN_ROLE),
    ("messages of the sender", UNKNOWN_ROLE),
    ("messages from", UNKNOWN_ROLE),
    ("rows of the role", UNKNOWN_ROLE),
    ("turns of the role", UNKNOWN_ROLE),
    ("steps of the source", UNKNOWN_ROLE),
    ("spans without messages", "nothing is said in them"),
    (
        "runs around calls of models",
        "the calls inside of them are read",
    ),
    (
        "observations around calls of models",
        "the calls inside of them are read",
    ),
    ("system messages", "instructions are nobody\u{2019}s reply"),
    (
        "instructions and memories",
        "instructions are nobody\u{2019}s reply",
    ),
    (
        "results of tools",
        "a transcript has what people and assistants say",
    ),
    (
        "messages of other branches",
        "the branch that was kept is read",
    ),
    ("messages of sidechains", "they are talk between programs"),
    (
        "messages of the program itself",
        "neither the user nor the model wrote them",
    ),
    (
        "rows that the program wrote or hid",
        "neither the user nor the model wrote them",
    ),
    (
        "marks of the end",
        "they say that the user is done, and nothing else",
    ),
    (
        "messages that are not shown",
        "the program hides them from its user",
    ),
    (
        "messages that are no objects",
        "they have neither a role nor a text",
    ),
    ("messages of no character", "nobody is said to speak"),
    ("messages without a text", "there is nothing to score"),
    (
        "users' messages without a text",
        "there is nothing to score",
    ),
    (
        "summaries of what came before",
        "what they sum up is there itself",
    ),
    ("demonstrations", "they were shown to the agent as examples"),
    (
        "attached files",
        "only what is written in the messages is read",
    ),
    ("rows that stand twice", "each is read once"),
    (
        "other replies at the same place",
        "a place has one reply: the mapping says which",
    ),
    (
        "lines that are too short",
        "they would teach nothing, or teach it twice",
    ),
    (
        "lines beyond the number of exemplars",
        "the mapping says how many there are",
    ),
    ("further cards", "a persona is made of one card"),
    (
        "replies that are labelled as bad",
        "an exemplar is a good reply",
    ),
    (
        "labels of a whole conversation",
        "a label here is of a single reply",
    ),
    (
        "labels of replies",
        "turns are scored by what happened in them",
    ),
    (
        "labels by other verdicts",
        "a reply has one label: the mapping says which verdict it is",
    ),
    (
        "labels that stand for no answer",
        "nobody knows whom they judge",
    ),
    (
        "labels that a ballot has twice",
        "a ballot ranks each answer once",
    ),
    (
        "verdicts of models",
        "a label is what a person or a ground truth says",
    ),
    ("verdicts without anything usable", NO_VERDICT),
    ("results with an error", "an error is no verdict"),
    ("judgments with an error", "an error is no verdict"),
    (
        "results without assertions",
        "a test that asserts nothing passes, and that says nothing",
    ),
    (
        "assertions without a weight",
        "the source does not count them either",
    ),
    (
        "weights of assertions",
        "every assertion is a debater, and debaters count alike",
    ),
    ("judgments that name no winner", NO_VERDICT),
    ("battles that name no winner", NO_VERDICT),
    ("games without a verdict", NO_VERDICT),
    ("ratings without a score", NO_VERDICT),
    ("judgments without a score", NO_VERDICT),
    ("judgments without a decision", NO_VERDICT),
    ("annotations without a preference", NO_VERDICT),
    ("questions without rankings", NO_VERDICT),
    ("judgments without a model", NOBODY_JUDGED),
    ("judgments without two", NOBODY_JUDGED),
    ("battles without two", NOBODY_JUDGED),
    ("annotations without two", NOBODY_JUDGED),
    ("pairs without one of the answers", NOBODY_JUDGED),
    ("judgments of a ", "nobody wins against itself"),
    ("battles of a ", "nobody wins against itself"),
    ("annotations of a ", "nobody wins against itself"),
    (
        "samples that are not scored in all logs",
        "models are compared in what all of them did",
    ),
    (
        "entries that repeat the samples",
        "the samples themselves are read",
    ),
    (
        "entries of the archive that a later one replaces",
        "of entries of one name the last counts",
    ),
    (
        "entries of the archive that are no text",
        "only texts are read",
    ),
    (
        "entries of the archive with very long names",
        "no program writes such names",
    ),
    ("empty parts", "nothing is in them"),
    (
        "other parts",
        "there are too many kinds of them to be told one by one",
    ),
];

const UNKNOWN_ROLE: &str = "it is not known whose they are";
const NO_VERDICT: &str = "without a verdict there is no vote";
const NOBODY_JUDGED: &str = "it is not known who is judged";

impl Dropped {
    /// Why it was left out; empty where that is not known.
    pub fn why(&self) -> &'static str {
        let found = REASONS
            .iter()
            .find(|(start, _)| self.what.starts_with(start));
        found.map_or("", |(_, why)| why)
    }
}
