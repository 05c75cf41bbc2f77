//! The keywords of domains, made ready to be found in questions.

use std::sync::OnceLock;

use crate::text::{Folded, Hit, Phrases, Reading};

/// The keywords of all domains, made ready where a domain is first detected: a job has a million questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Keywords(OnceLock<[(Reading, Phrases); 2]>);

/// They are made of the domains.
impl PartialEq for Keywords {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Keywords {
    /// The first place of each keyword in a question; they are the same in every call.
    pub(super) fn first_places<'a, T: Iterator<Item = &'a str>>(
        &self,
        question: &str,
        keywords: impl Fn() -> T,
    ) -> impl Iterator<Item = Option<Hit>> {
        let readings = self.0.get_or_init(|| {
            [Reading::AnyCase, Reading::Exact].map(|reading| {
                let is_read = |keyword: &str| is_acronym(keyword) == (reading == Reading::Exact);
                // a blank entry never matches, and keeps the others in their places
                let entries = keywords().map(|k| if is_read(k) { k } else { "" });
                (reading, Phrases::read_as(reading, entries))
            })
        });
        let found = readings
            .each_ref()
            .map(|(reading, phrases)| phrases.first(&Folded::read_as(*reading, question)));
        let [any_case, exact] = found;
        any_case
            .into_iter()
            .zip(exact)
            .map(|(any_case, exact)| any_case.or(exact))
    }
}

/// All capitals and at most four letters (`SEC`, `CI/CD`): the same letters in
/// lower case may be another word.
fn is_acronym(keyword: &str) -> bool {
    let mut letters = keyword.chars().filter(|c| c.is_alphabetic());
    let count = letters.clone().count();
    (1..=4).contains(&count) && letters.all(char::is_uppercase)
}
