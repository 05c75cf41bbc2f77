//! Persona alignment: transcripts scored on authenticity, safety and stability
//! (`alignmenter-reference/1`, SCORING.md section 3).

mod asides;
mod basis;
mod compare;
pub mod config;
mod contexts;
mod departures;
mod detectors;
pub mod draft;
mod drift;
mod figures;
pub mod form;
mod gate;
mod given;
mod inputs;
mod intervals;
mod judge;
pub mod judges;
mod lexicon;
mod measure;
mod metric;
mod options;
mod overall;
mod pairs;
mod part;
mod pattern;
#[allow(clippy::module_inception)] // the persona document is the persona's own file
mod persona;
mod quick_rows;
mod read;
mod reasons;
mod remarks;
mod result;
mod reweigh;
mod rules_form;
mod run;
mod safety;
mod script;
mod second;
mod signals;
mod split;
mod stability;
mod style;
mod summary;
mod taught;
mod teach;
mod thresholds;
mod traits;
mod transcript;
pub mod voice;
mod written;

pub use asides::Asides;
pub use basis::{Basis, Sessions};
pub use compare::{
    Comparison, MetricComparison, ReplyComparison, Shift, compare, compare_in_steps,
};
pub use drift::{Drift, DriftSummary, FORMULA as DRIFT, Stretch};
pub use gate::{Bar, bars};
pub use given::{Given, read_given};
pub use inputs::Inputs;
pub use intervals::{End, Flip, Intervals, Nearest, WeightInterval};
pub use lexicon::AVOIDED_PENALTY;
pub use metric::Metric;
pub use options::Options;
pub use pairs::PairedBy;
pub use part::{Head as PartHead, Line as PartLine, Merge, Merged, PART, PartSession};
pub use persona::parse;
pub use read::{Known, read, read_in_steps, read_with};
pub use reasons::{Reason, reasons, unread_words};
pub use remarks::{remarks, severity_is_idle};
pub use result::{
    AuthenticitySummary, Bootstrap, Evidence, FORMULA, GRADES, Grade, LexiconHit, MetricSummary,
    PersonaResult, SafetyPart, SafetySummary, SecondSummary, SessionResult, TraitResult,
    TurnResult, Violation, ViolationSeverity, VoiceParts, VoiceSummary, Weights,
};
pub use reweigh::{FORMULA as WEIGHTS_BY_LABELS, Reweighed, reweigh};
pub use rules_form::{Item, ItemKind, RulesChange, RulesForm};
pub use run::{Lessons, Run};
pub use safety::{CATEGORIES, Match, Tryout, make_ready, tried};
pub use second::{Opinions, Reading, SecondOpinion};
pub use split::{Side, Split, SplitFigure, split, split_in_steps};
pub use style::Similarities;
pub use summary::{comparison_summary, summary};
pub use taught::{FORMULA as TRAIT, Learned, TaughtSummary, TaughtTrait, Told, TraitLessons};
pub use teach::explain_trait;
pub use transcript::NO_SESSION;
