//! What a document says under `source` of how its ratings were made: the marks that they are made
//! of, and who met whom in a league. No score depends on it; it tells what else could have been
//! made of the same marks. What cannot be read of it is as if it were not there.

use std::collections::HashMap;

use crate::document::{Reader, SOURCE, Value};

/// The most marks that are read.
const MOST_MARKS: usize = 50_000;
/// The most criteria.
const MOST_CRITERIA: usize = 1000;
/// The most that two can have met.
const MOST_BATTLES: i64 = 1_000_000_000_000;

/// What is known of how a debate was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// What its ratings are made of.
    pub marks: Option<Marks>,
    /// Who met whom; empty where it is no league.
    pub league: Vec<Met>,
}

/// Two candidates by their ids, and how often the first won, lost and tied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The two.
    pub ids: [String; 2],
    /// Won by the first, lost by it, tied.
    pub counts: [u64; 3],
}

/// The marks that ratings are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// The share up to which a rating is 0.
    pub low: f64,
    /// The share from which it is 2.
    pub high: f64,
    /// The one scale of all marks, where they have one.
    pub scale: Option<[f64; 2]>,
    /// What the marks are about.
    pub criteria: Vec<Criterion>,
    /// By candidate, a row for each of its reviews.
    pub reviews: HashMap<String, Vec<Marked>>,
}

/// What marks are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// Its name; empty where it is the whole.
    pub name: String,
    /// What it counts as.
    pub counts_as: Part,
    /// What it would count as by its name.
    pub by_name: Part,
    /// Whether a person said so.
    pub is_set: bool,
}

/// The marks of a review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marked {
    /// Each with its criterion.
    pub marks: Vec<(usize, Mark)>,
    /// How many rules are broken.
    pub violations: i64,
}

/// What is said of a criterion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mark {
    /// A share of a scale, from 0 to 1.
    Share(f64),
    /// Passed or failed.
    Passed(bool),
}

/// What a criterion counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Support.
    Support,
    /// Evidence.
    Evidence,
    /// Support and evidence.
    Both,
    /// Risk.
    Risk,
    /// Nothing.
    Nothing,
}

impl Part {
    /// Its word in documents.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Support => "support",
            Self::Evidence => "evidence",
            Self::Both => "both",
            Self::Risk => "risk",
            Self::Nothing => "left out",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        let all = [
            Self::Support,
            Self::Evidence,
            Self::Both,
            Self::Risk,
            Self::Nothing,
        ];
        all.into_iter().find(|part| part.word() == word)
    }
}

impl Origin {
    /// Of a debate; none where it says nothing of it.
    pub(super) fn read(debate: &Reader) -> Option<Self> {
        let source = debate.get_some(SOURCE)?;
        let origin = Self {
            marks: source.get_some("marks").and_then(|marks| marks_of(&marks)),
            league: league_of(&source),
        };
        (origin != Self::default()).then_some(origin)
    }
}

fn league_of(source: &Reader) -> Vec<Met> {
    let league = source.get_some("league");
    let rows = league.as_ref().and_then(Reader::items).unwrap_or_default();
    let met = rows.iter().filter_map(|row| {
        let items = row.items()?;
        let [first, second, counts @ ..] = &items[..] else {
            return None;
        };
        let counts: Option<Vec<u64>> = counts.iter().map(count).collect();
        Some(Met {
            ids: [first.as_str()?.to_owned(), second.as_str()?.to_owned()],
            counts: counts?.try_into().ok()?,
        })
    });
    met.collect()
}

fn count(reader: &Reader) -> Option<u64> {
    let count = reader.as_integer()?;
    let is_count = (0..=MOST_BATTLES).contains(&count);
    is_count.then_some(count.unsigned_abs())
}

fn marks_of(marks: &Reader) -> Option<Marks> {
    let share = |key: &str| {
        let share = marks.get_some(key)?.as_f64()?;
        (0.0..=1.0).contains(&share).then_some(share)
    };
    let criteria = marks.get_some("criteria")?.items()?;
    let criteria: Option<Vec<Criterion>> = criteria.iter().map(criterion_of).collect();
    let criteria = criteria.filter(|criteria| criteria.len() <= MOST_CRITERIA)?;
    let shares = marks.get_some("shares")?;
    let (mut reviews, mut number) = (HashMap::new(), 0);
    for entry in shares.entries() {
        let rows = shares.child(entry).items()?;
        let rows: Option<Vec<Marked>> =
            rows.iter().map(|row| row_of(row, criteria.len())).collect();
        let rows = rows?;
        number += rows.iter().map(|row| row.marks.len() + 1).sum::<usize>();
        reviews.insert(entry.key.clone(), rows);
    }
    let scale = marks.get_some("scale").and_then(|scale| {
        let ends = scale.items()?;
        let ends: Option<Vec<f64>> = ends.iter().map(Reader::as_f64).collect();
        <[f64; 2]>::try_from(ends?).ok()
    });
    let marks = Marks {
        low: share("low")?,
        high: share("high")?,
        scale: scale.filter(|[least, most]| least < most && (most - least).is_finite()),
        criteria,
        reviews,
    };
    (number <= MOST_MARKS).then_some(marks)
}

fn criterion_of(criterion: &Reader) -> Option<Criterion> {
    let text = |key: &str| criterion.get_some(key)?.as_str();
    Some(Criterion {
        name: text("name")?.to_owned(),
        counts_as: Part::parse(text("counts_as")?)?,
        by_name: Part::parse(text("by_name")?)?,
        is_set: criterion.get_some("is_set")?.as_bool()?,
    })
}

/// A row: a mark for each criterion, then how many rules are broken, where there are some.
fn row_of(row: &Reader, criteria: usize) -> Option<Marked> {
    let mut marked = Marked::default();
    for (at, said) in row.items()?.iter().enumerate() {
        if at >= criteria {
            marked.violations = said.as_integer().filter(|number| *number >= 0)?;
        } else if let Value::List(_) = said.value() {
            for said in said.items()? {
                marked.marks.push((at, mark(&said)?));
            }
        } else if !said.is_null() {
            marked.marks.push((at, mark(said)?));
        }
    }
    Some(marked)
}

fn mark(said: &Reader) -> Option<Mark> {
    if let Some(passed) = said.as_bool() {
        return Some(Mark::Passed(passed));
    }
    let share = said.as_f64()?;
    (0.0..=1.0).contains(&share).then_some(Mark::Share(share))
}
