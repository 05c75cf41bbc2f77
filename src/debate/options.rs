//! What the caller may change: the domain, the question, the profiles, the weights.

use serde::Serialize;

use super::term::{ByTerm, Term};

/// The five weights, each finite and >= 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // named by the method
pub struct Weights {
    pub w_base: f64,
    pub w_pairwise: f64,
    pub w_risk: f64,
    pub w_reliability: f64,
    pub w_formal: f64,
}

impl Weights {
    /// The names, in the order of [`Term::ALL`].
    pub const NAMES: ByTerm<&'static str> = [
        Term::Base.weight(),
        Term::Pairwise.weight(),
        Term::Risk.weight(),
        Term::Reliability.weight(),
        Term::Formal.weight(),
    ];

    /// Each weight with its name.
    pub fn named(&self) -> ByTerm<(&'static str, f64)> {
        let mut copy = *self;
        copy.slots_mut().map(|(name, slot)| (name, *slot))
    }

    /// The weights alone, by term.
    pub fn values(&self) -> ByTerm<f64> {
        self.named().map(|(_, value)| value)
    }

    /// The weights of such a list.
    pub fn from_values(values: ByTerm<f64>) -> Self {
        let [w_base, w_pairwise, w_risk, w_reliability, w_formal] = values;
        Self {
            w_base,
            w_pairwise,
            w_risk,
            w_reliability,
            w_formal,
        }
    }

    pub(super) fn slots_mut(&mut self) -> ByTerm<(&'static str, &mut f64)> {
        let [base, pairwise, risk, reliability, formal] = Self::NAMES;
        [
            (base, &mut self.w_base),
            (pairwise, &mut self.w_pairwise),
            (risk, &mut self.w_risk),
            (reliability, &mut self.w_reliability),
            (formal, &mut self.w_formal),
        ]
    }
}

/// Which domain the weights come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DomainChoice {
    /// The payload's own `domain`, none if it names none.
    #[default]
    Payload,
    /// No domain, whatever the payload says.
    None,
    /// Detected from the question.
    Auto,
    /// This one. Where the profiles have no domain of that name, `none` and `auto`
    /// mean what they mean in a payload.
    Named(String),
}

/// What `domain` says, in a payload and a result, when there is none.
pub const NO_DOMAIN_NAME: &str = "none";
/// What `domain` says in a payload when it is to be detected.
pub const AUTO_NAME: &str = "auto";

/// Stands before a name that would mean something else alone.
const NAMED: char = '=';

impl DomainChoice {
    /// Reads a choice as it is spelled on the command line and kept as a setting:
    /// `none`, `auto`, or the name of a domain; `=none` is the domain named "none".
    /// Left out, it is [`Self::Payload`].
    ///
    /// ```
    /// use assay::debate::DomainChoice;
    ///
    /// assert_eq!(DomainChoice::parse("none"), DomainChoice::None);
    /// assert_eq!(DomainChoice::parse("legal"), DomainChoice::Named("legal".into()));
    /// assert_eq!(DomainChoice::parse("=none"), DomainChoice::Named("none".into()));
    /// ```
    pub fn parse(spelling: &str) -> Self {
        match spelling {
            NO_DOMAIN_NAME => Self::None,
            AUTO_NAME => Self::Auto,
            _ => {
                let marked = spelling.strip_prefix(NAMED);
                let name = marked.filter(|name| needs_mark(name)).unwrap_or(spelling);
                Self::Named(name.to_owned())
            }
        }
    }

    /// Its spelling, which [`Self::parse`] reads; none for [`Self::Payload`].
    pub fn spelling(&self) -> Option<String> {
        match self {
            Self::Payload => None,
            Self::None => Some(NO_DOMAIN_NAME.to_owned()),
            Self::Auto => Some(AUTO_NAME.to_owned()),
            Self::Named(name) if needs_mark(name) => Some(format!("{NAMED}{name}")),
            Self::Named(name) => Some(name.clone()),
        }
    }
}

/// A name that is spelled like another choice, marks before it left aside: every
/// other name is spelled as it is, as it always was.
fn needs_mark(name: &str) -> bool {
    matches!(
        name.trim_start_matches(NAMED),
        "" | NO_DOMAIN_NAME | AUTO_NAME
    )
}

/// What the caller may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Where the domain comes from.
    pub domain: DomainChoice,
    /// A question that replaces the payload's own.
    pub question: Option<String>,
    /// Text of a profiles file (JSON) that replaces the built-in one.
    pub profiles: Option<String>,
    /// Weights by name (`w_base`, ...) that replace the domain's.
    pub weights: Vec<(String, f64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_has_a_spelling_of_its_own() {
        let names = [
            "", "=", "==", "none", "=none", "==none", "auto", "payload", "=legal", "legal",
        ];
        let domains = names.map(|name| DomainChoice::Named(name.to_owned()));
        let mut spellings = Vec::new();
        for choice in domains
            .into_iter()
            .chain([DomainChoice::None, DomainChoice::Auto])
        {
            let spelling = choice.spelling().expect("it is a choice");
            assert_eq!(DomainChoice::parse(&spelling), choice, "{spelling}");
            assert!(!spellings.contains(&spelling), "{spelling}");
            spellings.push(spelling);
        }
        assert_eq!(DomainChoice::Payload.spelling(), None);
    }

    #[test]
    fn what_was_kept_means_what_it_meant() {
        let name = |name: &str| DomainChoice::Named(name.to_owned());
        for (spelling, choice) in [
            ("none", DomainChoice::None),
            ("auto", DomainChoice::Auto),
            ("payload", name("payload")),
            ("legal", name("legal")),
            ("=legal", name("=legal")),
        ] {
            assert_eq!(DomainChoice::parse(spelling), choice);
        }
    }
}
