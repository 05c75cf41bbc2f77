//! What was found when a witness record was scored again.

use std::fmt::Write as _;

/// What came of scoring a witness record again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// What was found of each turn of the log.
    pub turns: Vec<Finding>,
    /// How many came out as recorded.
    pub exact: usize,
    /// How many did not.
    pub different: usize,
    /// How many turns of the scored text the record leaves out.
    pub missing: usize,
    /// What differs of walks as a whole.
    pub walks: Vec<String>,
    /// The ethical floor that the record was made with, where it was.
    pub ethical_floor: Option<f64>,
}

/// What was found of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It does not say what was measured, so nothing can be worked out again.
    Unchecked,
    /// Everything that is recorded of it came out the same.
    Exact,
    /// What did not, each in words.
    Different(Vec<String>),
}

impl Finding {
    /// It in words, a sentence for each thing that differs.
    pub fn words(&self) -> Vec<String> {
        match self {
            Self::Unchecked => {
                vec!["not checked: the mark does not say what was measured".to_owned()]
            }
            Self::Exact => vec!["reproduced exactly".to_owned()],
            Self::Different(differences) => differences.clone(),
        }
    }
}

impl Check {
    /// Whether everything that is recorded came out the same.
    pub fn holds(&self) -> bool {
        self.different == 0 && self.missing == 0 && self.walks.is_empty()
    }

    /// It in a sentence.
    pub fn words(&self) -> String {
        let all = self.turns.len();
        let turns = if all == 1 { "turn" } else { "turns" };
        let mut said = if self.exact == all {
            format!("Witness record: {all} of {all} {turns} reproduced exactly")
        } else {
            let unchecked = all - self.exact - self.different;
            let parts = [
                (self.exact, "reproduced exactly"),
                (self.different, "not as recorded"),
                (
                    unchecked,
                    "not checked, as the mark does not say what was measured",
                ),
            ];
            let parts = parts.into_iter().filter(|(number, _)| *number > 0);
            let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
            format!("Witness record of {all} {turns}: {}", parts.join(", "))
        };
        if self.missing > 0 {
            // writing to a String cannot fail
            let _ = write!(said, "; {} of the scored text missing", self.missing);
        }
        for walk in &self.walks {
            said += "; ";
            said += walk;
        }
        if let Some(floor) = self.ethical_floor {
            let _ = write!(said, "; it was made with an ethical floor of {floor}");
        }
        said + "."
    }
}
