//! The result as text for people, in the original scorer's layout.

use std::fmt::Write;

use super::term::Term;
use super::{DebateResult, Row, Ruling};
use crate::text::Shown;

/// A block of text without a final line end.
pub fn summary(result: &DebateResult) -> String {
    let mut text = format!("RWEA Scoring Results\n{}\n", "=".repeat(60));
    if !result.without_domain {
        let weights = Term::ALL.into_iter().zip(result.weights.values());
        // {:?} writes 2.0 where {} writes 2
        let weights = weights.map(|(term, weight)| format!("{}={weight:?}", term.name()));
        let weights: Vec<String> = weights.collect();
        // writing to a String cannot fail
        let _ = write!(
            text,
            "  Domain: {}\n  Weights: {}\n",
            Shown(&result.domain),
            weights.join("  ")
        );
    }
    text.push('\n');
    for row in &result.results {
        text.push_str(&line(row, result.winner.as_deref()));
        text.push('\n');
    }
    text.push_str("\nDecision: ");
    text.push_str(&Ruling::of(result).summary());
    text
}

fn line(row: &Row, winner: Option<&str>) -> String {
    let mut line = format!(
        "  {}: score={:.2}  base={:.2}  risk={:.2}  pairwise={:.2}  crits={}",
        Shown(&row.id),
        row.score,
        row.base,
        row.risk,
        row.pairwise,
        row.critical_fails
    );
    if let Some(model) = &row.model {
        let _ = write!(line, "  model={}", Shown(model));
    }
    if let Some(bonus) = row.reliability_bonus {
        let _ = write!(line, "  rel_bonus=+{bonus:.2}");
    }
    if let (Some(score), Some(bonus)) = (row.formal_score, row.formal_bonus) {
        let _ = write!(line, "  formal={score:+.2}(+{bonus:.2})");
    }
    if row.eliminated {
        line.push_str(" [ELIMINATED]");
    } else if winner == Some(row.id.as_str()) {
        line.push_str(" << WINNER");
    }
    line
}
