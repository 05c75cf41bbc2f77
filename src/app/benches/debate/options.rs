//! From the work on the bench to the options of a debate.

use crate::app::desk::Work;
use crate::app::number::{NumberField, valid_numbers};
use crate::debate::{self, ByTerm, DomainChoice, Profiles, Term};
use crate::document::{Evaluation, Parsed};

/// The setting that chooses a domain.
pub const DOMAIN: &str = "domain";

/// Weights of a debate.
pub const WEIGHTS: ByTerm<NumberField> = {
    // sliders beside each other have one scale
    const fn field(term: Term) -> NumberField {
        NumberField::weight(term.weight(), term.label(), 3.0, term.help())
    }
    [
        field(Term::Base),
        field(Term::Pairwise),
        field(Term::Risk),
        field(Term::Reliability),
        field(Term::Formal),
    ]
};

/// The bench's own profiles, where it has some, made ready to be read from.
pub fn own_profiles(text: &str) -> Option<Parsed> {
    let is_filled = !text.trim().is_empty();
    is_filled.then(|| debate::parse_profiles(text))
}

/// The profiles a debate is weighed with: the bench's own where it has some, and none where
/// those cannot be read: other weights than were meant would make another verdict.
pub fn profiles(own: Option<&Parsed>) -> Evaluation<Profiles> {
    own.map_or_else(
        || Evaluation {
            result: Some(Profiles::built_in().clone()),
            problems: Vec::new(),
        },
        debate::read_profiles_from,
    )
}

/// The options of a debate; without its weights, to know the original ones.
pub fn options(work: &Work, with_weights: bool) -> debate::Options {
    debate::Options {
        domain: work
            .setting(DOMAIN)
            .map_or(DomainChoice::Payload, DomainChoice::parse),
        weights: if with_weights {
            valid_numbers(&WEIGHTS, work)
        } else {
            Vec::new()
        },
        ..debate::Options::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_domain_can_be_chosen_and_old_settings_mean_what_they_meant() {
        let chosen = |setting: Option<&str>| {
            let mut work = Work::default();
            work.set("domain", setting.map(str::to_owned));
            options(&work, true).domain
        };
        assert_eq!(chosen(None), DomainChoice::Payload);
        assert_eq!(chosen(Some("none")), DomainChoice::None);
        assert_eq!(chosen(Some("auto")), DomainChoice::Auto);
        for name in ["legal", "none", "auto", "payload", ""] {
            let named = DomainChoice::Named(name.to_owned());
            assert_eq!(chosen(named.spelling().as_deref()), named);
        }
    }
}
