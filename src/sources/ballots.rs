//! Ballots: what judges, rubrics and people say of candidates.

use std::collections::HashMap;

use super::conversation::Label;
use super::notes::Dropped;

/// Verdicts on the same candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballots {
    /// Its id in the file; empty where it has none.
    pub id: String,
    /// What a person would call it.
    pub title: String,
    /// What the candidates answer.
    pub question: Option<String>,
    /// What it is of, where there is no question.
    pub about: String,
    /// At least two make a debate.
    pub candidates: Vec<Candidate>,
    /// What a judge says of one candidate.
    pub ballots: Vec<Ballot>,
    /// What a judge says of two.
    pub votes: Vec<Vote>,
    /// Of a whole evaluation, what each test says of each candidate: the judge is the test. Who has
    /// the higher score in a test has won it; these are no reviews.
    pub tests: Vec<Ballot>,
    /// Whether the votes are battles of a league: they are counted, not shown one by one.
    pub is_league: bool,
    /// Battles of a league that were counted already: of two candidates how often the first won, lost and
    /// tied.
    pub battles: Vec<([usize; 2], [u64; 3])>,
    /// What of the source is not in it.
    pub left_out: Vec<Dropped>,
}

impl Ballots {
    /// A league whose candidates stand in the order of their names: who meets whom first makes no
    /// difference to its figures. What is no league, or more than one, stays as it is.
    #[must_use]
    pub fn in_order(&self) -> Self {
        let mut own = self.clone();
        if !own.is_league || !own.ballots.is_empty() || !own.tests.is_empty() {
            return own;
        }
        let mut order: Vec<usize> = (0..own.candidates.len()).collect();
        order.sort_by(|one, other| self.candidates[*one].id.cmp(&self.candidates[*other].id));
        let mut places = vec![0; order.len()];
        for (place, was) in order.iter().enumerate() {
            places[*was] = place;
        }
        // a candidate that is not there stays one
        let moved = |was: &mut usize| *was = places.get(*was).copied().unwrap_or(*was);
        own.candidates = order
            .iter()
            .map(|was| self.candidates[*was].clone())
            .collect();
        own.votes
            .iter_mut()
            .flat_map(|vote| &mut vote.pair)
            .for_each(moved);
        own.battles
            .iter_mut()
            .flat_map(|(pair, _)| pair)
            .for_each(moved);
        own
    }
}

/// Something that is judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// Its name, of its own among the candidates.
    pub id: String,
    /// The model that wrote it.
    pub model: Option<String>,
    /// What it says.
    pub text: Option<String>,
    /// What a person or a ground truth says of it.
    pub labels: Vec<Label>,
}

/// What a judge says of one candidate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ballot {
    /// Who judges.
    pub judge: String,
    /// Which candidate: its place in the list.
    pub candidate: usize,
    /// Several where a rubric has several criteria.
    pub marks: Vec<Mark>,
    /// Why, in the judge's words.
    pub reason: Option<String>,
}

/// One thing that a judge says of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A value on a scale.
    Score {
        /// Of what; empty where it is of the whole.
        criterion: String,
        /// The value.
        value: f64,
        /// The least and the largest that it can be, where the source says so.
        scale: Option<(f64, f64)>,
    },
    /// A place among all candidates of the ballot, from 1.
    Rank {
        /// The place.
        place: usize,
        /// Among how many.
        of: usize,
    },
    /// Passed or failed.
    Passed {
        /// Of what; empty where it is of the whole.
        criterion: String,
        /// Whether it did.
        passed: bool,
    },
    /// How many rules are broken.
    Violations(u32),
    /// What the source itself calls critical.
    Critical,
}

/// What a judge says of two candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vote {
    /// Who judges.
    pub judge: String,
    /// The two: their places in the list.
    pub pair: [usize; 2],
    /// The better one of the two (0 or 1); none where they tie.
    pub winner: Option<usize>,
    /// Twice where the judge is very sure and the source counts it twice.
    pub times: u32,
    /// Whether the seats were swapped: the first of the pair was shown second.
    pub is_swapped: bool,
    /// Why, in the judge's words.
    pub reason: Option<String>,
}

/// Ballots while they are gathered: a candidate is found by its name, however many there are.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// What there is so far.
    pub(super) ballots: Ballots,
    places: HashMap<String, usize>,
}

impl Gathered {
    /// Of nothing but an id and a title.
    pub(super) fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        let ballots = Ballots {
            id: id.into(),
            title: title.into(),
            ..Ballots::default()
        };
        Self {
            ballots,
            places: HashMap::new(),
        }
    }

    /// The place of a candidate, which is added where it is new.
    pub(super) fn candidate(&mut self, id: &str) -> usize {
        if let Some(place) = self.places.get(id) {
            return *place;
        }
        let place = self.ballots.candidates.len();
        self.places.insert(id.to_owned(), place);
        self.ballots.candidates.push(Candidate {
            id: id.to_owned(),
            ..Candidate::default()
        });
        place
    }

    /// The place of a model's answer.
    pub(super) fn model(&mut self, name: &str) -> usize {
        let place = self.candidate(name);
        let candidate = &mut self.ballots.candidates[place];
        candidate.model.get_or_insert_with(|| name.to_owned());
        place
    }
}
