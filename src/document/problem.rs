//! Problems: what is wrong with an input, or odd about it, at its place; and
//! evaluations, a result with them.

use serde::{Deserialize, Serialize};

use crate::text::{Place, sort_by_key};

/// How much a problem matters: an error leaves no result, a warning means the
/// result may not be what was meant, a note is for information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// No result can be computed.
    Error,
    /// There is a result, but something is odd.
    Warning,
    /// For information.
    Note,
}

/// What a problem is about, so that nobody has to look into its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Code {
    /// The value there is not what can be used: its kind, its range, or what it
    /// says beside another value.
    #[default]
    Value,
    /// The text is not valid JSON or YAML there.
    Syntax,
    /// A comma after a last item or a comment, which [`mend`](super::mend) takes out.
    Slip,
    /// Something that has to be there is not.
    Missing,
    /// A key that nobody reads.
    UnknownKey,
    /// A key that stands twice in an object.
    RepeatedKey,
    /// The same thing is given twice: an id, a name, a turn.
    Repeated,
    /// A name of something that is not there.
    UnknownName,
    /// Two values of the document that cannot both be true.
    Contradiction,
    /// It is another kind of thing altogether: a file of another tool, perhaps.
    OtherKind,
    /// Text stands around what is read.
    Partial,
    /// A transcript that names another persona.
    OtherPersona,
    /// Responses that the detectors cannot read.
    OtherScript,
    /// Few of the keys that are there are of the kind that it is read as.
    FewKeys,
    /// All that is scored stands by default: nothing was measured.
    Unsaid,
}

impl Code {
    /// Whether it makes the whole result doubtful: that is said beside the verdict too.
    pub fn is_doubt(self) -> bool {
        matches!(
            self,
            Self::OtherPersona | Self::OtherScript | Self::FewKeys | Self::Unsaid
        )
    }
}

/// What can be done about a problem in one step.
#[derive(Debug, PartialEq, Eq)]
pub enum Mend {
    /// What stands there is taken out: a row, a message, a turn, a line.
    LeaveOut,
    /// The turns are numbered anew.
    Number(Numbering),
    /// Halves of characters become U+FFFD.
    Halves,
}

/// Where the numbers of turns stand.
#[derive(Debug, PartialEq, Eq)]
pub struct Numbering {
    /// A key that a turn has, and that of its number; the first that is there counts. The empty
    /// key is in all of them; a turn whose number has an empty key has none.
    pub keys: &'static [(&'static str, &'static str)],
    /// Whether numbers say the order. Else it is that of the text, and a turn without a number has
    /// its place.
    pub is_order: bool,
}

/// Something about an input that its author should know, at its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// How much it matters.
    pub severity: Severity,
    /// What it is about. For the program alone: it is not printed.
    #[serde(skip)]
    pub code: Code,
    /// What can be done about it in one step. For the program alone, too.
    #[serde(skip)]
    pub mend: Option<&'static Mend>,
    /// Where in the document, as `candidates[0].reviews[1].support`; empty for the whole.
    pub path: String,
    /// Line in the text, from 1.
    pub line: u32,
    /// Column in the line in Unicode scalar values, from 1.
    pub column: u32,
    /// What was given and what was expected.
    pub message: String,
    /// A way to mend it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// Which input it belongs to where a result has several (`persona`, `transcript`, ...).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<String>,
}

impl Problem {
    /// A problem at a place, about a value there.
    pub fn new(
        severity: Severity,
        place: Place,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code: Code::default(),
            mend: None,
            path: path.into(),
            line: place.line,
            column: place.column,
            message: message.into(),
            hint: None,
            input: None,
        }
    }

    /// The same problem with another code.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }

    /// Says what it is about.
    pub fn coded(&mut self, code: Code) -> &mut Self {
        self.code = code;
        self
    }

    /// The same problem with what can be done about it.
    #[must_use]
    pub fn mended_by(mut self, mend: &'static Mend) -> Self {
        self.mend = Some(mend);
        self
    }

    /// Where it is.
    pub fn place(&self) -> Place {
        Place {
            line: self.line,
            column: self.column,
        }
    }

    /// The same problem with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// How it ends where it says of a part that it is [left out](Self::left_out).
    pub const LEFT_OUT: &str = "; this is left out";

    /// An error of a part of a document, where the other parts are read: the part is left out,
    /// with a warning.
    #[must_use]
    pub fn left_out(self) -> Self {
        if self.severity != Severity::Error {
            return self;
        }
        Self {
            severity: Severity::Warning,
            message: self.message + Self::LEFT_OUT,
            ..self
        }
    }

    /// Whether it says of a part that it is [left out](Self::left_out).
    pub fn is_left_out(&self) -> bool {
        self.severity == Severity::Warning && self.message.ends_with(Self::LEFT_OUT)
    }

    /// The line a compiler would print: `FILE:LINE:COLUMN: path: message`, without severity and hint.
    pub fn located(&self, file: &str) -> String {
        let Self {
            line,
            column,
            path,
            message,
            ..
        } = self;
        let separator = if path.is_empty() { "" } else { ": " };
        format!("{file}:{line}:{column}: {path}{separator}{message}")
    }
}

/// Collects the problems of one document; reading goes on after each of them.
#[derive(Debug, Default)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// An empty collection.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Adds a problem, and gives it back to be told more exactly.
    pub(super) fn put(&mut self, problem: Problem) -> &mut Problem {
        self.0.push(problem);
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    /// Says what can be done about the problem that was added last.
    pub fn mended_by(&mut self, mend: &'static Mend) {
        if let Some(last) = self.0.last_mut() {
            last.mend = Some(mend);
        }
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0
            .iter()
            .any(|problem| problem.severity == Severity::Error)
    }

    /// All of them, in the order of the text.
    pub fn into_sorted(mut self) -> Vec<Problem> {
        sort_by_key(&mut self.0, |problem| {
            (problem.line, problem.column, problem.severity)
        });
        self.0
    }
}

impl Extend<Problem> for Problems {
    fn extend<T: IntoIterator<Item = Problem>>(&mut self, iter: T) {
        self.0.extend(iter);
    }
}

/// What comes of reading and scoring an input: a result if there was no error,
/// and in any case all problems in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation<T> {
    /// The result; none when there is an error among the problems.
    pub result: Option<T>,
    /// All problems.
    pub problems: Vec<Problem>,
}

impl<T> Evaluation<T> {
    /// Errors only.
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
    }
}
