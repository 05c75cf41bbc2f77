//! Reading a payload: candidates, their reviews and who beat whom. Error
//! messages keep the words of the original scorer's validator where it has any.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::formal::{ClaimStatus, formal_score};
use super::origin::Origin;
use crate::analysis::round4;
use crate::document::{
    Code, Evaluation, Kinship, Parsed, Problem, Problems, Reader, Severity, Value, input_sha256,
    made_by_assay,
};
use crate::text::{Place, Shown, sort_by_key};

/// A payload that was read without an error.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// What its source calls it, a text or a whole number; no score depends on it.
    pub id: Option<DebateId>,
    /// The question that was debated.
    pub question: Option<String>,
    /// The domain it names.
    pub domain: Option<String>,
    /// Where the question and the domain stand in the text, or the payload without them.
    pub places: [Place; 2],
    /// At least two, with distinct ids.
    pub candidates: Vec<Candidate>,
    /// Who beat whom, each pair at most once; empty when wins were given instead.
    pub pairwise: Vec<Outcome>,
    /// The edit that was tried on what was read, where there is one: its figures are no
    /// evidence.
    pub what_if: Option<WhatIf>,
    /// How it was made, where its source says so; no score depends on it.
    pub origin: Option<Arc<Origin>>,
    /// Warnings and notes of reading, in words.
    pub notes: Vec<String>,
    /// SHA-256 of the text.
    pub input_sha256: String,
}

/// What a debate is called, as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DebateId {
    /// A text that is not empty.
    Text(String),
    /// A whole number.
    Number(i64),
}

/// An edit that was tried on a payload and not made: what follows from it is no evidence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WhatIf {
    /// Where in the payload (`candidates[0].reviews[1].support`).
    pub path: String,
    /// The edit in words.
    pub words: String,
}

impl WhatIf {
    /// "What if, not as entered: A's review 2: support 2 instead of 1", without a final stop.
    pub fn sentence(&self) -> String {
        format!("What if, not as entered: {}", self.words)
    }
}

/// A candidate answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name, unique in the payload.
    pub id: String,
    /// The model that wrote it.
    pub model: Option<String>,
    /// Head-to-head wins, from 0 to n - 1, given or counted from `pairwise`.
    pub wins: i64,
    /// In [-1, 1], given or derived from claims.
    pub formal_score: Option<f64>,
    /// What the formal score is derived from; empty when it was given or is missing.
    pub claims: Vec<Claim>,
    /// At least one.
    pub reviews: Vec<Review>,
    /// Where it stands in the text (its model, where it names one).
    pub place: Place,
}

/// A claim of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What it claims.
    pub text: Option<String>,
    /// What a prover says of it.
    pub status: ClaimStatus,
}

/// The outcome of one head-to-head, as positions among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won.
    pub winner: usize,
    /// Who lost.
    pub loser: usize,
}

/// What a debater says of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Who.
    pub debater: Option<String>,
    /// From 0 to 2.
    pub support: i64,
    /// From 0 to 2.
    pub evidence: i64,
    /// From 0 to 2.
    pub major_risks: i64,
    /// 0 or 1.
    pub critical_fail: i64,
    /// Why.
    pub justification: Option<String>,
}

pub(super) const ROOT: [&str; 5] = ["candidates", "pairwise", "question", "domain", "id"];
pub(super) const CANDIDATE: [&str; 6] =
    ["id", "wins", "reviews", "model", "formal_score", "claims"];
pub(super) const REVIEW_KEYS: [&str; 6] = [
    "debater",
    "support",
    "evidence",
    "major_risks",
    "critical_fail",
    "justification",
];

/// A text made ready to be read from: its debates are the pieces, at least one. A
/// payload, payloads in a list or one per line, also between words or in fenced
/// blocks. Each is parsed when it is first needed, and once, for reading and for
/// its [form](super::form::Form).
pub fn parse(text: &str) -> Parsed {
    Parsed::items(text)
}

/// Reads a payload, the first where a text has several ([`read_from`] reads each); all its problems are reported.
///
/// ```
/// let read = assay::debate::read(r#"{"candidates": [{"id": "A", "wins": 1}]}"#);
/// assert_eq!(read.result, None);
/// let words: Vec<_> = read.errors().map(|problem| problem.message.as_str()).collect();
/// assert_eq!(
///     words,
///     ["need at least 2 candidates, got 1", "candidate 'A' has no valid reviews list",
///      "candidate 'A': wins must be int in [0, 0]"]
/// );
/// ```
pub fn read(text: &str) -> Evaluation<Payload> {
    read_at(text, 0)
}

/// Reads one of several payloads in a text; beyond the last is the last.
pub fn read_at(text: &str, index: usize) -> Evaluation<Payload> {
    read_from(&parse(text), index)
}

/// Reads one of the payloads of a text that [`parse`] made ready; beyond the last is
/// the last. The hash of the input is that of the whole text if there is only one
/// payload, else of its piece.
pub fn read_from(parsed: &Parsed, index: usize) -> Evaluation<Payload> {
    let (text, pieces) = (parsed.text(), parsed.pieces());
    // a text that was parsed has one piece at least
    let index = index.min(pieces.len().saturating_sub(1));
    let is_only = pieces.len() <= 1;
    let mut problems = Problems::new();
    problems.extend(parsed.problems(index).iter().cloned());
    let payload = parsed.node(index).and_then(|node| {
        let root = Reader::new(node);
        if let Some(note) = pieces[index].note(text).filter(|_| is_only) {
            problems.note(&root, note).code = Code::Partial;
        }
        read_payload(&root, &mut problems)
    });
    let failed = problems.has_errors();
    let problems = problems.into_sorted();
    let result = payload.filter(|_| !failed).map(|mut payload| {
        let input = if is_only {
            text
        } else {
            pieces[index].of(text)
        };
        payload.input_sha256 = input_sha256(&[("payload", input)]);
        payload.notes = problems.iter().map(in_words).collect();
        payload
    });
    Evaluation { result, problems }
}

pub(super) fn in_words(problem: &Problem) -> String {
    if problem.severity == Severity::Note && !problem.path.is_empty() {
        format!("{}: {}", problem.path, problem.message)
    } else {
        problem.message.clone()
    }
}

fn read_payload(root: &Reader, problems: &mut Problems) -> Option<Payload> {
    if !matches!(root.value(), Value::Map(_)) {
        root.expected("an object with 'candidates'", problems);
        return None;
    }
    root.check_keys(&ROOT, problems);
    let question = optional_text(root, "question", Severity::Error, problems);
    let domain = optional_text(root, "domain", Severity::Error, problems);
    let Some(items) = root.get("candidates").as_ref().and_then(Reader::items) else {
        let at = root.get("candidates").unwrap_or_else(|| root.clone());
        let hint = || "give at least two candidates, each with id, wins and reviews".into();
        problems
            .error(&at, "'candidates' must be a list")
            .coded(Code::OtherKind)
            .hint = Some(made_by_assay(root.node()).unwrap_or_else(hint));
        return None;
    };
    if items.len() < 2 {
        let at = root.get("candidates").unwrap_or_else(|| root.clone());
        let message = format!("need at least 2 candidates, got {}", items.len());
        problems.error(&at, message);
    }
    let ids = read_ids(&items, problems);
    let counted = count_wins(root, &ids, problems);
    let candidates: Vec<_> = items
        .iter()
        .enumerate()
        .filter_map(|(index, item)| {
            let wins = counted.as_ref().map(|c| (c.wins[index], c.sound));
            read_candidate(item, index, items.len(), wins, problems)
        })
        .collect();
    if !problems.has_errors() {
        check_round_robin(root, &candidates, problems);
        check_kinship(root, &items, problems);
    }
    Some(Payload {
        id: own_id(root, problems),
        question,
        domain,
        places: ["question", "domain"]
            .map(|key| root.get_some(key).map_or(root.place(), |at| at.place())),
        candidates,
        pairwise: counted.map(|counted| counted.outcomes).unwrap_or_default(),
        what_if: None,
        origin: Origin::read(root).map(Arc::new),
        notes: Vec::new(),
        input_sha256: String::new(),
    })
}

/// What a debate is called; any other value is left alone.
fn own_id(root: &Reader, problems: &mut Problems) -> Option<DebateId> {
    let id = root.get_some("id")?;
    match (id.as_str(), id.as_integer()) {
        (Some(text), _) => (!text.is_empty()).then(|| DebateId::Text(text.to_owned())),
        (_, Some(number)) => Some(DebateId::Number(number)),
        _ => {
            let given = id.value().describe();
            let message = format!("id must be a string or a whole number of 64 bits, got {given}");
            problems.warning(&id, message);
            None
        }
    }
}

/// Warns where most keys are not those of a debate.
fn check_kinship(root: &Reader, items: &[Reader], problems: &mut Problems) {
    let mut of_root = Kinship::new(&ROOT);
    of_root.add(root);
    of_root.check("a debate", problems);
    let mut of_candidates = Kinship::new(&CANDIDATE);
    for item in items {
        of_candidates.add(item);
    }
    of_candidates.check("a candidate", problems);
}

/// The id of each candidate, where it has a proper one.
fn read_ids<'a>(items: &[Reader<'a>], problems: &mut Problems) -> Vec<Option<&'a str>> {
    let mut ids: Vec<Option<&str>> = Vec::with_capacity(items.len());
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let id = read_id(item, index, problems);
        if let Some(id) = id
            && !seen.insert(id)
        {
            let at = item.get("id").unwrap_or_else(|| item.clone());
            problems
                .error(&at, format!("duplicate candidate id: '{}'", Shown(id)))
                .coded(Code::Repeated)
                .hint = Some("give every candidate an id of its own".into());
        }
        ids.push(id);
    }
    ids
}

fn read_id<'a>(item: &Reader<'a>, index: usize, problems: &mut Problems) -> Option<&'a str> {
    if !matches!(item.value(), Value::Map(_)) {
        // said by read_candidate
        return None;
    }
    let Some(reader) = item.get_some("id") else {
        let message = format!("candidate {}: missing 'id'", index + 1);
        problems.error(item, message).code = Code::Missing;
        return None;
    };
    let id = reader.as_str().filter(|id| !id.is_empty());
    if id.is_none() {
        let message = format!("candidate {}: id must be a non-empty string", index + 1);
        problems.error(&reader, message).hint = Some(format!("got {}", reader.value().describe()));
    }
    id
}

fn read_candidate(
    item: &Reader,
    index: usize,
    n: usize,
    counted: Option<(i64, bool)>,
    problems: &mut Problems,
) -> Option<Candidate> {
    if !matches!(item.value(), Value::Map(_)) {
        let message = format!("candidate {}: must be an object", index + 1);
        problems.error(item, message).hint = Some(format!("got {}", item.value().describe()));
        return None;
    }
    item.check_keys(&CANDIDATE, problems);
    let id = item.get("id").and_then(|id| id.as_str().map(str::to_owned));
    let name = id.as_ref().map_or_else(
        || format!("candidate {}", index + 1),
        |id| format!("candidate '{}'", Shown(id)),
    );
    let model = optional_text(item, "model", Severity::Error, problems);
    let place = match &model {
        Some(_) => item
            .get("model")
            .map_or(item.place(), |model| model.place()),
        None => item.place(),
    };
    let wins = read_wins(item, &name, n, counted, problems);
    let (formal_score, claims) = read_formal(item, &name, problems);
    let reviews = read_reviews(item, &name, problems);
    Some(Candidate {
        id: id?,
        model,
        wins: wins?,
        formal_score,
        claims,
        reviews,
        place,
    })
}

fn read_wins(
    item: &Reader,
    name: &str,
    n: usize,
    counted: Option<(i64, bool)>,
    problems: &mut Problems,
) -> Option<i64> {
    let Some(reader) = item.get_some("wins") else {
        if counted.is_none() {
            problems
                .error(item, format!("{name}: missing 'wins'"))
                .coded(Code::Missing)
                .hint = Some("give wins, or a 'pairwise' list of who beat whom".into());
        }
        return counted.map(|(wins, _)| wins);
    };
    let most = n.saturating_sub(1);
    let Some(wins) = integer_in(&reader, most as i64) else {
        let message = format!("{name}: wins must be int in [0, {most}]");
        problems.error(&reader, message).hint = Some(got(&reader));
        return None;
    };
    if let Some((counted, true)) = counted
        && counted != wins
    {
        let message = format!("{name}: wins is {wins}, but the pairwise list gives {counted}");
        problems
            .error(&reader, message)
            .coded(Code::Contradiction)
            .hint = Some("leave one of them out".into());
    }
    Some(wins)
}

/// The formal score, and the claims it is derived from.
fn read_formal(item: &Reader, name: &str, problems: &mut Problems) -> (Option<f64>, Vec<Claim>) {
    let given = item.get_some("formal_score").and_then(|reader| {
        let value = reader.as_f64().filter(|value| (-1.0..=1.0).contains(value));
        if value.is_none() {
            let message = format!("{name}: formal_score must be a number in [-1, 1]");
            problems.error(&reader, message).hint = Some(got(&reader));
        }
        Some((reader, value?))
    });
    let claims = item
        .get_some("claims")
        .and_then(|claims| read_claims(&claims, name, problems));
    let derived = claims.as_deref().map(score_of);
    // compared as shown, so that 0.6667 and two proved of three agree
    if let (Some((reader, given)), Some(derived)) = (&given, derived)
        && round4(*given) != round4(derived)
    {
        let message = format!(
            "{name}: formal_score is {given}, but its claims give {}",
            round4(derived)
        );
        problems
            .error(reader, message)
            .coded(Code::Contradiction)
            .hint = Some("leave one of them out".into());
    }
    let score = derived.or(given.map(|(_, value)| value));
    (score, claims.unwrap_or_default())
}

/// The formal score that claims give.
pub(super) fn score_of(claims: &[Claim]) -> f64 {
    let statuses: Vec<_> = claims.iter().map(|claim| claim.status).collect();
    formal_score(&statuses)
}

fn read_claims(claims: &Reader, name: &str, problems: &mut Problems) -> Option<Vec<Claim>> {
    let Some(items) = claims.items() else {
        let message = format!("{name}: claims must be a list");
        problems.error(claims, message).hint = Some(format!("got {}", claims.value().describe()));
        return None;
    };
    let mut read = Vec::new();
    for (index, claim) in items.iter().enumerate() {
        claim.check_keys(&["text", "status"], problems);
        let text = optional_text(claim, "text", Severity::Warning, problems);
        let status = claim.get_some("status");
        let word = status.as_ref().and_then(Reader::as_str);
        if let Some(status) = word.and_then(ClaimStatus::parse) {
            read.push(Claim { text, status });
        } else {
            let at = status.unwrap_or_else(|| claim.clone());
            let number = index + 1;
            let message = format!(
                "{name} claim {number}: status must be one of proved, disproved, inconclusive, timeout, running"
            );
            problems.error(&at, message).hint = Some(format!("got {}", at.value().describe()));
        }
    }
    Some(read)
}

fn read_reviews(item: &Reader, name: &str, problems: &mut Problems) -> Vec<Review> {
    let list = item.get("reviews");
    let reviews = list.as_ref().and_then(Reader::items).unwrap_or_default();
    if reviews.is_empty() {
        let at = list.unwrap_or_else(|| item.clone());
        problems
            .error(&at, format!("{name} has no valid reviews list"))
            .coded(Code::Missing)
            .hint = Some("give at least one review".into());
    }
    reviews
        .iter()
        .enumerate()
        .filter_map(|(index, review)| {
            read_review(review, &format!("{name} review {}", index + 1), problems)
        })
        .collect()
}

fn read_review(review: &Reader, name: &str, problems: &mut Problems) -> Option<Review> {
    if !matches!(review.value(), Value::Map(_)) {
        problems
            .error(review, format!("{name}: must be an object"))
            .hint = Some(format!("got {}", review.value().describe()));
        return None;
    }
    let fields = [
        ("support", 2),
        ("evidence", 2),
        ("major_risks", 2),
        ("critical_fail", 1),
    ];
    review.check_keys(&REVIEW_KEYS, problems);
    let debater = optional_text(review, "debater", Severity::Warning, problems);
    let justification = optional_text(review, "justification", Severity::Warning, problems);
    let [support, evidence, major_risks, critical_fail] = fields.map(|(field, most)| {
        let Some(reader) = review.get(field) else {
            problems
                .error(review, format!("{name}: missing '{field}'"))
                .coded(Code::Missing)
                .hint = meant(review, field);
            return None;
        };
        let value = integer_in(&reader, most);
        if value.is_none() {
            let message = format!("{name}: {field} must be int in [0, {most}]");
            problems.error(&reader, message).hint = Some(got(&reader));
        }
        value
    });
    Some(Review {
        debater,
        support: support?,
        evidence: evidence?,
        major_risks: major_risks?,
        critical_fail: critical_fail?,
        justification,
    })
}

/// What stands there; of a number in quotes, that they are in the way.
fn got(reader: &Reader) -> String {
    let given = reader.value().describe();
    let quoted = reader.as_str().map(str::trim);
    match quoted.filter(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) {
        Some(number) => format!("got {given}: take the quotes away, {number}"),
        None => format!("got {given}"),
    }
}

/// The key that may have been meant by one that is missing: one that nobody reads and that
/// is written nearly the same.
fn meant(review: &Reader, missing: &str) -> Option<String> {
    let plain = |key: &str| {
        let letters = key.chars().filter(|c| c.is_alphanumeric());
        let letters: String = letters.flat_map(char::to_lowercase).collect();
        letters.trim_end_matches('s').to_owned()
    };
    let keys = review.entries().iter().map(|entry| entry.key.as_str());
    let near = keys
        .filter(|key| !REVIEW_KEYS.contains(key))
        .find(|key| plain(key) == plain(missing))?;
    Some(format!(
        "there is {:?}: did you mean {missing:?}?",
        Shown(near)
    ))
}

fn integer_in(reader: &Reader, most: i64) -> Option<i64> {
    reader
        .as_integer()
        .filter(|value| (0..=most).contains(value))
}

/// A text that may be missing, null or empty.
fn optional_text(
    of: &Reader,
    key: &str,
    severity: Severity,
    problems: &mut Problems,
) -> Option<String> {
    let reader = of.get_some(key)?;
    if reader.as_str().is_none() {
        let given = reader.value().describe();
        problems.push(Problem::new(
            severity,
            reader.place(),
            reader.path(),
            format!("{key} must be a string, got {given}"),
        ));
    }
    reader
        .as_str()
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
}

/// Wins counted from the `pairwise` list.
struct Counted {
    /// Per candidate.
    wins: Vec<i64>,
    /// The outcomes that were counted.
    outcomes: Vec<Outcome>,
    /// Whether the list has no mistake, so that given wins can be held against it.
    sound: bool,
}

/// Counts wins; none without a `pairwise` list.
fn count_wins(root: &Reader, ids: &[Option<&str>], problems: &mut Problems) -> Option<Counted> {
    let list = root.get_some("pairwise")?;
    let Some(items) = list.items() else {
        problems.error(&list, "'pairwise' must be a list").hint =
            Some(format!("got {}", list.value().describe()));
        return None;
    };
    // an empty list says nothing of who won
    if items.is_empty() {
        return None;
    }
    let named = ids.iter().enumerate();
    let named = named.filter_map(|(index, id)| Some(((*id)?, index)));
    let known = Known {
        ids: named.collect(),
        is_whole: are_distinct(ids),
    };
    let mut wins = vec![0; ids.len()];
    let mut met = HashSet::new();
    let mut outcomes = Vec::new();
    let mut sound = true;
    for (index, item) in items.iter().enumerate() {
        let name = format!("pairwise {}", index + 1);
        item.check_keys(&["winner", "loser"], problems);
        let winner = side(item, "winner", &name, &known, problems);
        let loser = side(item, "loser", &name, &known, problems);
        let (Some(winner), Some(loser)) = (winner, loser) else {
            sound = false;
            continue;
        };
        if winner == loser {
            sound = false;
            problems.error(item, format!("{name}: a candidate cannot meet itself"));
        } else if !met.insert((winner.min(loser), winner.max(loser))) {
            sound = false;
            problems
                .error(
                    item,
                    format!("{name}: these two candidates have met before"),
                )
                .coded(Code::Repeated)
                .hint = Some("give each pair once".into());
        } else {
            wins[winner] += 1;
            outcomes.push(Outcome { winner, loser });
        }
    }
    // of a list with a mistake nobody knows how many it lacks
    if sound {
        check_pairs(&list, met.len(), ids.len(), problems);
    }
    Some(Counted {
        wins,
        outcomes,
        sound,
    })
}

/// Warns where not all of so many candidates have met all others.
fn check_pairs(list: &Reader, met: usize, candidates: usize, problems: &mut Problems) {
    let pairs = candidates * candidates.saturating_sub(1) / 2;
    if met < pairs {
        let message = format!(
            "the pairwise list has {met} of {pairs} pairs; a missing pair is a win for neither"
        );
        problems.warning(list, message).code = Code::Missing;
    }
}

/// The candidates that a match may name.
struct Known<'a> {
    ids: HashMap<&'a str, usize>,
    /// Whether each has an id of its own. Otherwise a name that is not among them may be
    /// of the one whose id is wrong, which is an error already.
    is_whole: bool,
}

fn are_distinct(ids: &[Option<&str>]) -> bool {
    let mut seen = HashSet::new();
    let mut all = ids.iter();
    all.all(|id| id.is_some_and(|id| seen.insert(id)))
}

fn side(
    item: &Reader,
    key: &str,
    name: &str,
    known: &Known,
    problems: &mut Problems,
) -> Option<usize> {
    let Some(reader) = item.get_some(key) else {
        problems
            .error(item, format!("{name}: missing '{key}'"))
            .code = Code::Missing;
        return None;
    };
    let id = reader.as_str();
    if id.is_some() && !known.is_whole {
        return None;
    }
    let index = id.and_then(|id| known.ids.get(id).copied());
    if index.is_none() {
        let given = reader.value().describe();
        let message = format!("{name}: {key} {given} is not a candidate");
        problems.error(&reader, message).code = Code::UnknownName;
    }
    index
}

/// Warns of wins that no round robin can give: k candidates win at most the
/// k(k-1)/2 matches among themselves and k(n-k) against the others.
fn check_round_robin(root: &Reader, candidates: &[Candidate], problems: &mut Problems) {
    if let Some([k, total, most]) = impossible_wins(candidates) {
        let at = root.get("candidates").unwrap_or_else(|| root.clone());
        let message = format!(
            "wins are not a possible round-robin outcome: {k} candidates have {total} wins together, at most {most} are possible"
        );
        problems.warning(&at, message).code = Code::Contradiction;
    }
}

/// Of how many candidates the wins together are more than they can have won: their number, their wins
/// and the most; none where the wins can be.
pub(super) fn impossible_wins(candidates: &[Candidate]) -> Option<[i64; 3]> {
    let n = candidates.len();
    let mut wins: Vec<i64> = candidates.iter().map(|candidate| candidate.wins).collect();
    sort_by_key(&mut wins, |wins| std::cmp::Reverse(*wins));
    let mut total = 0;
    wins.iter().enumerate().find_map(|(index, wins)| {
        let k = index + 1;
        total += wins;
        let most = (k * (k - 1) / 2 + k * (n - k)) as i64;
        (total > most).then_some([k as i64, total, most])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_models_print_is_read() {
        let plain = format!(
            r#"{{"candidates": [{{"id": "A", "wins": 1, "reviews": [{REVIEW}]}}, {{"id": "B", "wins": 0, "reviews": [{REVIEW}]}}]}}"#
        );
        let of = |text: &str, index| {
            let read = read_at(text, index);
            let ids = read.result.map(|payload| payload.candidates[0].id.clone());
            let places: Vec<_> = read.problems.iter().map(|p| (p.line, p.column)).collect();
            (ids, places)
        };
        let a = Some("A".to_owned());
        let fenced = format!("Sure!\n```json\n{plain}\n```\n");
        assert_eq!(of(&fenced, 0), (a.clone(), vec![(3, 1)]));
        assert_eq!(
            of(&format!("So: {plain} Bye."), 0),
            (a.clone(), vec![(1, 5)])
        );
        let other = plain.replace("\"A\"", "\"C\"");
        for several in [
            format!("{plain}\n{other}\n"),
            format!("[{plain}, {other}]"),
            format!("First:\n```\n{plain}\n```\nand\n```\n{other}\n```\n"),
        ] {
            assert_eq!(parse(&several).pieces().len(), 2);
            assert_eq!(of(&several, 0).0, a);
            assert_eq!(of(&several, 1).0, Some("C".to_owned()));
            assert_eq!(of(&several, 9), of(&several, 1));
        }
        let slip = plain.replace("}]}]}", "},],}],}");
        let read = read_at(&format!("x {slip}"), 0);
        let commas: Vec<_> = read.errors().map(|p| p.hint.as_deref()).collect();
        assert_eq!(commas, [Some("take the comma out"); 3]);
        assert_eq!(of(&crate::document::mend(&slip).expect("slips"), 0).0, a);
    }

    const REVIEW: &str = r#"{"support": 1, "evidence": 1, "major_risks": 0, "critical_fail": 0}"#;

    fn payload(a: &str, b: &str, rest: &str) -> Evaluation<Payload> {
        read(&format!(
            r#"{{"candidates": [{{"id": "A", {a} "reviews": [{REVIEW}]}}, {{"id": "B", {b} "reviews": [{REVIEW}]}}]{rest}}}"#
        ))
    }

    #[test]
    fn one_wrong_id_is_one_error() {
        let pairs = r#", "pairwise": [{"winner": "A", "loser": "B"}, {"winner": "C", "loser": "B"},
            {"winner": "A", "loser": "C"}]"#;
        let of = |third: &str| {
            let text = format!(
                r#"{{"candidates": [{{"id": "A", "reviews": [{REVIEW}]}}, {{"id": "B", "reviews": [{REVIEW}]}},
                {{"id": {third}, "reviews": [{REVIEW}]}}]{pairs}}}"#
            );
            let read = read(&text);
            let messages = read.problems.into_iter().map(|p| p.message);
            messages.collect::<Vec<_>>()
        };
        assert_eq!(of("\"C\""), Vec::<String>::new());
        assert_eq!(of("\"A\""), ["duplicate candidate id: 'A'"]);
        assert_eq!(of("\"\""), ["candidate 3: id must be a non-empty string"]);
        // where every id is proper, a name that is none of them is an error of its own
        assert_eq!(of("\"D\"").len(), 2);
    }

    #[test]
    fn what_is_nearly_right_is_told_how_to_be_right() {
        let review = REVIEW
            .replace("\"support\": 1", "\"support\": \"2\"")
            .replace("major_risks", "majorRisk");
        let text = format!(
            r#"{{"candidates": [{{"id": "A", "wins": 1, "reviews": [{review}]}}, {{"id": "B", "wins": 0, "reviews": [{REVIEW}]}}]}}"#
        );
        let found = read(&text);
        let hints: Vec<_> = found.errors().filter_map(|p| p.hint.as_deref()).collect();
        assert_eq!(
            hints,
            [
                "there is \"majorRisk\": did you mean \"major_risks\"?",
                "got \"2\": take the quotes away, 2",
            ]
        );
    }

    fn errors(read: &Evaluation<Payload>) -> Vec<&str> {
        read.errors()
            .map(|problem| problem.message.as_str())
            .collect()
    }

    #[test]
    fn wins_are_counted_from_the_pairwise_list() {
        let read = payload("", "", r#", "pairwise": [{"winner": "B", "loser": "A"}]"#);
        let wins: Vec<_> = read
            .result
            .expect("valid")
            .candidates
            .iter()
            .map(|c| c.wins)
            .collect();
        assert_eq!(wins, [0, 1]);
    }

    #[test]
    fn a_bad_pairwise_list_is_told_in_full() {
        let read = payload(
            "\"wins\": 1,",
            "",
            r#", "pairwise": [{"winner": "A", "loser": "A"}, {"winner": "B", "loser": "A"},
               {"winner": "A", "loser": "B"}, {"winner": "X", "loser": 3}, {}]"#,
        );
        assert_eq!(
            errors(&read),
            [
                "pairwise 1: a candidate cannot meet itself",
                "pairwise 3: these two candidates have met before",
                "pairwise 4: winner \"X\" is not a candidate",
                "pairwise 4: loser 3 is not a candidate",
                "pairwise 5: missing 'winner'",
                "pairwise 5: missing 'loser'",
            ]
        );
    }

    #[test]
    fn given_wins_must_be_those_of_the_list() {
        let read = payload(
            "\"wins\": 1,",
            "",
            r#", "pairwise": [{"winner": "B", "loser": "A"}]"#,
        );
        let expected = "candidate 'A': wins is 1, but the pairwise list gives 0";
        assert_eq!(errors(&read), [expected]);
    }

    #[test]
    fn an_incomplete_or_impossible_round_robin_is_a_warning() {
        let read = payload("\"wins\": 1,", "\"wins\": 1,", "");
        assert!(read.result.expect("valid").notes[0].contains("2 candidates have 2 wins"));
    }

    #[test]
    fn claims_and_formal_score_must_agree_as_shown() {
        let claims =
            r#""claims": [{"status": "proved"}, {"status": "proved"}, {"status": "disproved"}],"#;
        let with = |formal: &str| {
            payload(
                &format!("\"wins\": 1, {formal} {claims}"),
                "\"wins\": 0,",
                "",
            )
        };
        let formal =
            |read: Evaluation<Payload>| read.result.expect("valid").candidates[0].formal_score;
        assert_eq!(formal(with("")), Some(1.0 / 3.0));
        assert_eq!(formal(with("\"formal_score\": 0.3333,")), Some(1.0 / 3.0));
        assert_eq!(
            errors(&with("\"formal_score\": 0.5,")),
            ["candidate 'A': formal_score is 0.5, but its claims give 0.3333"]
        );
    }

    #[test]
    fn problems_know_their_place() {
        let text = "{\"candidates\": [\n {\"id\": 1, \"reviews\": 2},\n 3]}";
        let found: Vec<_> = read(text)
            .problems
            .iter()
            .map(|p| (p.line, p.column, p.path.clone(), p.message.clone()))
            .collect();
        let expected = [
            (2, 2, "candidates[0]", "candidate 1: missing 'wins'"),
            (
                2,
                9,
                "candidates[0].id",
                "candidate 1: id must be a non-empty string",
            ),
            (
                2,
                23,
                "candidates[0].reviews",
                "candidate 1 has no valid reviews list",
            ),
            (3, 2, "candidates[1]", "candidate 2: must be an object"),
        ];
        assert_eq!(
            found,
            expected.map(|(l, c, p, m)| (l, c, p.into(), m.into()))
        );
    }

    #[test]
    fn wrong_shapes_are_problems() {
        for text in [
            "",
            "null",
            "[]",
            "{}",
            "{\"candidates\": {}}",
            "{\"candidates\": [[], null]}",
        ] {
            assert_eq!(read(text).result, None, "{text}");
        }
        let read = payload(
            "\"wins\": true,",
            "\"wins\": 1.0,",
            ", \"domain\": 3, \"x\": 1",
        );
        assert_eq!(read.errors().count(), 3);
        assert_eq!(read.problems.len(), 4, "the unknown key is a note");
    }
}
