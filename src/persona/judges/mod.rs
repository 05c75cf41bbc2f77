//! Judges by copy and paste: prompts with replies under neutral names, what is pasted back, and how
//! far judges agree with each other and with what was measured (SCORING.md section 3, "Judges").

mod agreement;
mod answer;
mod rulings;
mod sheet;

pub use agreement::{Agreement, JudgeFigures, Measured, Shared, agreement, judge_scores};
pub use answer::{Answer, read_answer};
pub use rulings::{BEST, Ruling, read_rulings, written};
pub use sheet::{Rated, Sheet, sheets};
