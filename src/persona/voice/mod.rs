//! `voice/1`: whether a reply sounds like the persona or like any assistant (SCORING.md section 3,
//! "Voice"). The persona's exemplars are held against a control sample of generic replies, and
//! against what the persona says it does not sound like: by what the text looks like
//! ([`surface`]), by its letters ([`ngrams`]), and by what it is about (its vector, and the
//! nearest exemplar). Each is a linear model of its own; their sum, calibrated, is the score, so
//! every score is a sum that can be shown.

mod calibrate;
mod control;
mod explain;
mod families;
mod fit;
mod labels;
mod learn;
mod ngrams;
mod surface;

pub use calibrate::{Calibration, Figure, Held, LEAST_LABELS, NARROW, calibrate, groups, lacks};
pub use control::{Control, ControlSample, ControlSource, LEAST_CONTROL, read_control};
pub use explain::{Explanation, Pull};
pub use families::{FORMULA, Family, Text};
pub use fit::{Counts, LEAST_EXAMPLES, LEAST_OURS, Origin, Sample, Voice, VoiceScore, fit};
pub use labels::{Labels, Verdict, queue, read_labels, written};
pub use learn::{Label, Lesson, vector};
pub(super) use surface::measure;
