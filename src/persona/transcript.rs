//! Transcripts: JSONL or a JSON array, in four shapes of rows. Only assistant
//! turns with text that is not blank are scored; sessions are ordered by id,
//! the turns of a session by index.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::asides::{Asides, Others, of_another, times};
use super::quick_rows::{OTHER_ROLES, QuickRow, quick_rows};
use crate::document::{
    Code, Kinship, Mend, Node, Numbering, Problem, Problems, Reader, SOURCE, Severity, Value,
    input_sha256, made_by_assay, normalise, parse_json_in_steps, parse_jsonl_in_steps, unknown_key,
};
use crate::steps::{Pause, Progress, step};
use crate::text::{Place, Shown, sort_by_key};

/// A row, to start from.
const ROW: &str = r#"{"session_id": "s1", "turn_index": 1, "role": "assistant", "text": "..."}"#;

/// The session of rows that name none.
pub const NO_SESSION: &str = "session";

/// A session with its scored responses, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// By turn index.
    pub responses: Vec<Response>,
}

/// An assistant turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Index in its session.
    pub index: i64,
    /// The text as given.
    pub text: Arc<str>,
    /// What it answers: the text of the user before it.
    pub prompt: Option<Arc<str>>,
    /// Whether somebody called it on brand (`label`: 1 or 0, true or false).
    pub label: Option<bool>,
    /// The tags of its row.
    pub tags: Arc<[Arc<str>]>,
    /// Line in the transcript.
    pub line: u32,
}

/// A transcript as the scorers need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// Sessions with something to score.
    pub sessions: Vec<Session>,
    /// Ids of sessions without.
    pub empty_sessions: Vec<String>,
    /// By the id of their session, the rows of other personas.
    pub others: BTreeMap<String, Others>,
}

impl Transcript {
    /// What is to be known beside its sessions; they are left.
    pub fn asides(&self) -> Asides {
        Asides {
            empty_sessions: self.empty_sessions.iter().cloned().collect(),
            other_personas: self.others.clone(),
        }
    }
}

impl Session {
    /// What tells it from every other: the SHA-256 of its id, and of the number and text of each response.
    pub fn sha256(&self) -> String {
        let responses = self.responses.iter();
        let said: Vec<_> = responses.map(|one| (one.index, &one.text)).collect();
        // numbers and texts
        let said = serde_json::to_string(&said).unwrap_or_default();
        input_sha256(&[("session", &self.id), ("responses", &said)])
    }
}

/// How turns are numbered; the messages of a conversation are counted.
const NUMBER_ANEW: Mend = Mend::Number(Numbering {
    keys: &[
        ("messages", ""),
        ("role", "turn_index"),
        ("assistant", "turn"),
        ("user", "turn"),
    ],
    is_order: true,
});

const ROW_KEYS: [&str; 12] = [
    "session_id",
    "turn_index",
    "role",
    "text",
    "tags",
    "persona_id",
    "turn",
    "user",
    "assistant",
    "messages",
    "label",
    SOURCE,
];
const MESSAGE_KEYS: [&str; 2] = ["role", "content"];
/// The keys under which a row says who spoke, what and when; the others tell nothing of what it is.
const SPOKEN: [&str; 7] = [
    "role",
    "text",
    "messages",
    "user",
    "assistant",
    "content",
    "turn_index",
];

/// Reads a transcript. `persona` is the persona's id, to compare the rows' with.
pub async fn read_transcript(
    text: &str,
    persona: Option<&str>,
    problems: &mut Problems,
    pause: Pause<'_>,
) -> Transcript {
    let (transcript, start) = read_stretch((text, 0), persona, problems, pause).await;
    if transcript.sessions.is_empty() && !problems.has_errors() {
        let place = start.unwrap_or(Place::START);
        let message = "no assistant turn with text: there is nothing to score";
        problems.push(Problem::new(Severity::Error, place, "", message).with_code(Code::Missing));
    }
    transcript
}

/// Reads a stretch of a transcript, before which so many rows stand and in which there may be nothing to
/// score; and where it begins.
pub async fn read_stretch(
    (text, before): (&str, usize),
    persona: Option<&str>,
    problems: &mut Problems,
    pause: Pause<'_>,
) -> (Transcript, Option<Place>) {
    let text = normalise(text);
    // what is wrong with a row leaves that row out, and not the others
    let mut found = Problems::new();
    let mut builder = Builder {
        persona,
        kinship: Kinship::new(&SPOKEN).beside(&ROW_KEYS),
        sessions: BTreeMap::new(),
        repeated: HashMap::new(),
        others: BTreeMap::new(),
    };
    let start = match quick_rows(&text, pause).await {
        Some(rows) => builder.take_quick(rows, before, pause).await,
        None => builder.take(&text, before, &mut found, pause).await,
    };
    let kinship = std::mem::replace(&mut builder.kinship, Kinship::new(&SPOKEN));
    let transcript = builder.finish(before, &mut found, pause).await;
    let is_read = !transcript.sessions.is_empty();
    if is_read {
        kinship.check("a row of a transcript", &mut found);
    }
    problems.extend(
        found
            .into_sorted()
            .into_iter()
            .map(|problem| if is_read { problem.left_out() } else { problem }),
    );
    (transcript, start)
}

/// One value over several lines, an array of rows, or a row per line; and whether rows are known by their
/// lines.
async fn rows(text: &str, problems: &mut Problems, pause: Pause<'_>) -> (Vec<Node>, bool) {
    let (whole, halves) = parse_json_in_steps(text, pause).await;
    if whole.is_ok() {
        problems.extend(halves);
    }
    let whole = match whole {
        Ok(Node {
            value: Value::List(rows),
            ..
        }) => return (rows, false),
        Ok(row) => return (vec![row], true),
        Err(problem) => problem,
    };
    if !is_rows(text) {
        // not a row per line: what is wrong with the whole says more
        problems.push(whole);
        return (Vec::new(), false);
    }
    let (rows, lines) = parse_jsonl_in_steps(text, pause).await;
    problems.extend(lines.into_iter().map(|problem| match problem.severity {
        Severity::Error => problem.mended_by(&Mend::LeaveOut),
        _ => problem,
    }));
    (rows, true)
}

/// Whether what is no JSON as a whole is a row per line, some of them broken.
fn is_rows(text: &str) -> bool {
    /// So many lines tell.
    const LINES: usize = 20;
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let Some(first) = lines.next() else {
        return false;
    };
    let is_row = |line: &&str| line.starts_with('{') && line.trim_end().ends_with('}');
    let is_one_at_least = first.trim_end().ends_with('}');
    // the beginning of a value may have such lines
    let least = if first.starts_with('{') && !first.trim_end().ends_with("},") {
        2
    } else {
        1
    };
    !first.trim_start().starts_with('[')
        && (is_one_at_least || lines.take(LINES).filter(is_row).count() >= least)
}

const ROWS_CHECKED: &str = "rows checked";

/// What a row is called, by how many stand before it.
fn path_of(before: usize) -> String {
    format!("row {}", before + 1)
}

/// What is said once for many rows.
#[derive(Debug)]
struct Repeated {
    first: Problem,
    rows: usize,
}

/// Who spoke.
#[derive(Debug)]
enum Speaker {
    /// The assistant, with the text if there is any.
    Assistant(Option<String>),
    /// The user, with the text if there is any.
    User(Option<String>),
    /// Anyone else.
    Other,
}

impl Speaker {
    fn new(role: &str, text: Option<String>) -> Self {
        match role {
            "assistant" => Self::Assistant(text),
            "user" => Self::User(text),
            _ => Self::Other,
        }
    }
}

/// A turn of any role, before the order is known.
#[derive(Debug)]
struct Turn {
    index: i64,
    speaker: Speaker,
    /// What it answers, where its own row says so.
    prompt: Option<String>,
    label: Option<bool>,
    tags: Arc<[Arc<str>]>,
    place: Place,
    path: String,
}

impl Turn {
    fn new(index: i64, speaker: Speaker, at: &Reader) -> Self {
        Self {
            index,
            speaker,
            prompt: None,
            label: label(at),
            tags: tags(at),
            place: at.place(),
            path: at.path(),
        }
    }
}

#[derive(Debug)]
struct Builder<'a> {
    persona: Option<&'a str>,
    kinship: Kinship,
    sessions: BTreeMap<String, Vec<Turn>>,
    repeated: HashMap<String, Repeated>,
    others: BTreeMap<String, Others>,
}

impl Builder<'_> {
    /// Takes the rows of a text, before which so many stand; where they begin.
    async fn take(
        &mut self,
        text: &str,
        before: usize,
        problems: &mut Problems,
        pause: Pause<'_>,
    ) -> Option<Place> {
        let (rows, is_lines) = rows(text, problems, pause).await;
        let (total, start) = (rows.len(), rows.first().map(|row| row.place));
        // each row is let go of in its own step
        for (number, row) in rows.into_iter().enumerate() {
            // a line keeps its number whatever stands above it
            let own = if is_lines {
                row.place.line as usize - 1
            } else {
                number
            };
            let reader = Reader::at(&row, path_of(before + number));
            self.row(&reader, before + own, problems);
            drop(row);
            step(pause, Progress::new(number + 1, total, ROWS_CHECKED)).await;
        }
        start
    }

    /// The same of rows of which there is nothing to say.
    async fn take_quick(
        &mut self,
        rows: Vec<(QuickRow<'_>, Place)>,
        before: usize,
        pause: Pause<'_>,
    ) -> Option<Place> {
        let (total, start) = (rows.len(), rows.first().map(|(_, place)| *place));
        for (number, (row, place)) in rows.into_iter().enumerate() {
            let turn = Turn {
                index: row.turn_index,
                speaker: Speaker::new(&row.role.0, Some(row.text.0.into_owned())),
                prompt: None,
                label: None,
                tags: Arc::default(),
                place,
                path: path_of(before + number),
            };
            self.push(row.session_id.0.into_owned(), turn);
            step(pause, Progress::new(number + 1, total, ROWS_CHECKED)).await;
        }
        start
    }

    fn row(&mut self, row: &Reader, number: usize, problems: &mut Problems) {
        let Value::Map(entries) = row.value() else {
            row.expected("an object (a turn or a conversation)", problems);
            problems.mended_by(&Mend::LeaveOut);
            return;
        };
        self.kinship.add(row);
        for entry in entries {
            if !ROW_KEYS.contains(&entry.key.as_str()) {
                self.unknown_key(&entry.key, &row.child(entry).path(), entry.place);
            }
        }
        row.check_repeated(problems);
        self.check_persona(row, number, problems);
        check_tags(row, problems);
        if row.get("messages").is_some() {
            self.conversation(row, number, problems);
        } else if row.get("role").is_some() {
            self.single(row, role, problems);
        } else if row.get("assistant").is_some() || row.get("user").is_some() {
            self.exchange(row, problems);
        } else if row.get("label").is_some() && row.get("text").is_some() {
            // what is labelled is a reply
            self.single(row, |_, _| Some("assistant"), problems);
        } else {
            let keys: Vec<Shown> = entries
                .iter()
                .take(6)
                .map(|entry| Shown(&entry.key))
                .collect();
            problems
                .error(row, format!("expected `role` and `text`, `user` and `assistant`, or `messages`, got {keys:?}"))
                .coded(Code::OtherKind)
                .hint = Some(made_by_assay(row.node()).unwrap_or_else(|| ROW.into()));
            problems.mended_by(&Mend::LeaveOut);
        }
    }

    /// `{"session_id", "turn_index", "role", "text"}`, or `{"session_id", "turn_index", "text", "label"}`
    fn single<'a>(
        &mut self,
        row: &Reader<'a>,
        role: fn(&Reader<'a>, &mut Problems) -> Option<&'a str>,
        problems: &mut Problems,
    ) {
        let session = self.session_id(row, problems);
        let index = self.index(row, "turn_index", session.as_deref());
        let role = role(row, problems);
        let Some(text) = row.get("text") else {
            problems.error(row, "`text` is missing").code = Code::Missing;
            problems.mended_by(&Mend::LeaveOut);
            return;
        };
        let text = content(&text, problems);
        if let (Some(session), Some(role)) = (session, role) {
            self.push(session, Turn::new(index, Speaker::new(role, text), row));
        }
    }

    /// `{"session_id", "turn", "user", "assistant"}`
    fn exchange(&mut self, row: &Reader, problems: &mut Problems) {
        let session = self.session_id(row, problems);
        let index = self.index(row, "turn", session.as_deref());
        let user = row.get("user");
        let prompt = user.and_then(|user| content(&user, problems));
        let text = row
            .get("assistant")
            .and_then(|text| content(&text, problems));
        if let Some(session) = session {
            let turn = Turn {
                prompt,
                ..Turn::new(index, Speaker::Assistant(text), row)
            };
            self.push(session, turn);
        }
    }

    /// `{"messages": [{"role", "content"}]}`; messages are numbered from 1, and
    /// a row without `session_id` is the session `row-0001` by its number.
    fn conversation(&mut self, row: &Reader, number: usize, problems: &mut Problems) {
        let session = match row.get_some("session_id") {
            Some(_) => self.session_id(row, problems),
            None => Some(session_of(row, number)),
        };
        let Some(messages) = row.get("messages") else {
            return;
        };
        let Some(items) = messages.items() else {
            messages.expected("a list of messages", problems);
            return;
        };
        let tags = tags(row);
        for (index, message) in items.iter().enumerate() {
            if !matches!(message.value(), Value::Map(_)) {
                message.expected("an object with `role` and `content`", problems);
                problems.mended_by(&Mend::LeaveOut);
                continue;
            }
            self.kinship.keys(message);
            message.check_repeated(problems);
            for entry in message.entries() {
                if !MESSAGE_KEYS.contains(&entry.key.as_str()) {
                    self.unknown_key(&entry.key, &message.child(entry).path(), entry.place);
                }
            }
            let role = role(message, problems);
            let text = message
                .get("content")
                .and_then(|text| content(&text, problems));
            if let (Some(session), Some(role)) = (&session, role) {
                let speaker = Speaker::new(role, text);
                let turn = Turn {
                    tags: tags.clone(),
                    ..Turn::new(number_of(index), speaker, message)
                };
                self.push(session.clone(), turn);
            }
        }
        if let Some(session) = session {
            self.sessions.entry(session).or_default();
        }
    }

    /// The session's id; a whole number is read as its digits. Rows that name none are of one
    /// session together.
    fn session_id(&mut self, row: &Reader, problems: &mut Problems) -> Option<String> {
        let Some(reader) = row.get_some("session_id") else {
            let message =
                format!("`session_id` is missing; it counts to the session {NO_SESSION:?}");
            let problem = Problem::new(Severity::Warning, row.place(), row.path(), message);
            self.repeat("session_id".to_owned(), problem.with_code(Code::Missing));
            return Some(NO_SESSION.to_owned());
        };
        match (reader.as_str(), reader.as_integer()) {
            (Some(id), _) if !id.trim().is_empty() => Some(id.to_owned()),
            (_, Some(number)) => Some(number.to_string()),
            _ => {
                reader.expected("a text that is not blank", problems);
                problems.mended_by(&Mend::LeaveOut);
                None
            }
        }
    }

    /// The index of a row. Where it is none, the row follows the one before it in its session.
    fn index(&mut self, row: &Reader, key: &str, session: Option<&str>) -> i64 {
        let given = row.get_some(key);
        if let Some(index) = given.as_ref().and_then(Reader::as_integer) {
            return index;
        }
        let before = session.and_then(|session| self.sessions.get(session)?.last());
        let index = before.map_or(1, |turn| turn.index.saturating_add(1));
        let (at, message) = match &given {
            None => (
                row,
                format!("`{key}` is missing; turns without it follow the one before them"),
            ),
            Some(given) => (
                given,
                format!(
                    "expected an integer, got {}; the turn follows the one before it",
                    given.value().describe()
                ),
            ),
        };
        let problem = Problem::new(Severity::Warning, at.place(), at.path(), message);
        let kind = if given.is_none() {
            "index"
        } else {
            "index no integer"
        };
        let problem = problem.with_code(Code::Missing);
        self.repeat(kind.to_owned(), problem.mended_by(&NUMBER_ANEW));
        index
    }

    fn push(&mut self, session: String, turn: Turn) {
        self.sessions.entry(session).or_default().push(turn);
    }

    fn check_persona(&mut self, row: &Reader, number: usize, problems: &mut Problems) {
        let Some(reader) = row.get_some("persona_id") else {
            return;
        };
        let Some(id) = reader.as_str() else {
            reader.expected("a text", problems);
            return;
        };
        if let Some(persona) = self.persona
            && persona != id
        {
            let others = self.others.entry(session_of(row, number)).or_default();
            *others.entry(id.to_owned()).or_default() += 1;
            let message = of_another(id, persona);
            let problem = Problem::new(Severity::Warning, reader.place(), reader.path(), message);
            self.repeat(
                format!("persona {id}"),
                problem.with_code(Code::OtherPersona),
            );
        }
    }

    fn unknown_key(&mut self, key: &str, path: &str, place: Place) {
        self.repeat(format!("key {key}"), unknown_key(key, place, path));
    }

    fn repeat(&mut self, what: String, first: Problem) {
        let repeated = Repeated { first, rows: 0 };
        self.repeated.entry(what).or_insert(repeated).rows += 1;
    }

    async fn finish(self, before: usize, problems: &mut Problems, pause: Pause<'_>) -> Transcript {
        problems.extend(self.repeated.into_values().map(|mut repeated| {
            let first = &mut repeated.first;
            first.message = times(std::mem::take(&mut first.message), repeated.rows);
            repeated.first
        }));
        let mut transcript = Transcript {
            others: self.others,
            ..Transcript::default()
        };
        let total = self.sessions.len();
        for (number, (id, mut turns)) in self.sessions.into_iter().enumerate() {
            // by place too, so that duplicates are reported at the later of two
            sort_by_key(&mut turns, |turn| (turn.index, turn.place));
            duplicates((&id, before), &mut turns, problems);
            let responses = responses(turns);
            if responses.is_empty() {
                transcript.empty_sessions.push(id);
            } else {
                transcript.sessions.push(Session { id, responses });
            }
            let (done, what) = (number + 1, "sessions put in order");
            step(pause, Progress::new(done, total, what)).await;
        }
        transcript
    }
}

/// How the id of a conversation begins that has none.
pub(super) const ROW_START: &str = "row-";

/// The session that a row is of by what it says, whether or not it is read: a conversation without an id is
/// one by itself, by its number.
fn session_of(row: &Reader, number: usize) -> String {
    let id = row.get_some("session_id");
    let id = id.map(|id| (id.as_str().map(str::to_owned), id.as_integer()));
    match id {
        Some((Some(id), _)) => id,
        Some((_, Some(number))) => number.to_string(),
        _ if row.get("messages").is_some() => format!("{ROW_START}{:04}", number + 1),
        _ => NO_SESSION.to_owned(),
    }
}

/// Two assistant turns of one index are alternatives: both count, in the order of the text,
/// unless they say the same; then one counts. A turn of another role beside it does not change
/// the scores. All are warnings; so many lines stand before the text.
fn duplicates((session, lines): (&str, usize), turns: &mut Vec<Turn>, problems: &mut Problems) {
    let (mut start, mut again) = (0, Vec::new());
    for at in 1..turns.len() {
        if turns[at].index != turns[at - 1].index {
            start = at;
            continue;
        }
        let (turn, before) = (&turns[at], &turns[start..at]);
        let is_said = |text: &Option<String>| {
            let mut said = before.iter().filter_map(|other| match &other.speaker {
                Speaker::Assistant(other) => Some(other),
                Speaker::User(_) | Speaker::Other => None,
            });
            said.next()
                .map(|first| first == text && said.all(|other| other == text))
        };
        let same = match &turn.speaker {
            Speaker::Assistant(text) => is_said(text),
            Speaker::User(_) | Speaker::Other => None,
        };
        let end = match same {
            Some(false) => ", with another text; both count, in their order",
            Some(true) => ", with the same text; it counts once",
            None => "",
        };
        if same == Some(true) {
            again.push(at);
        }
        let message = format!(
            "session {:?} has turn {} already, at line {}{end}",
            Shown(session),
            turn.index,
            lines + before[0].place.line as usize
        );
        let mend = match same {
            Some(true) => &Mend::LeaveOut,
            _ => &NUMBER_ANEW,
        };
        problems.push(
            Problem::new(Severity::Warning, turn.place, turn.path.clone(), message)
                .with_code(Code::Repeated)
                .mended_by(mend),
        );
    }
    let (mut again, mut at) = (again.into_iter().peekable(), 0);
    turns.retain(|_| {
        let is_again = again.next_if_eq(&at).is_some();
        at += 1;
        !is_again
    });
}

fn responses(turns: Vec<Turn>) -> Vec<Response> {
    let mut asked = None;
    let response = |turn: Turn| {
        let text = match turn.speaker {
            Speaker::Assistant(Some(text)) => text,
            Speaker::User(text) => {
                asked = text;
                return None;
            }
            Speaker::Assistant(None) | Speaker::Other => return None,
        };
        let prompt = turn.prompt.or_else(|| asked.take());
        (!text.trim().is_empty()).then(|| Response {
            index: turn.index,
            text: text.into(),
            prompt: prompt
                .filter(|prompt| !prompt.trim().is_empty())
                .map(Into::into),
            label: turn.label,
            tags: turn.tags,
            line: turn.place.line,
        })
    };
    turns.into_iter().filter_map(response).collect()
}

fn role<'a>(row: &Reader<'a>, problems: &mut Problems) -> Option<&'a str> {
    let Some(reader) = row.get("role") else {
        problems.error(row, "`role` is missing").code = Code::Missing;
        problems.mended_by(&Mend::LeaveOut);
        return None;
    };
    let Some(role) = reader.as_str().filter(|role| !role.trim().is_empty()) else {
        reader.expected("a role (\"user\", \"assistant\", ...)", problems);
        problems.mended_by(&Mend::LeaveOut);
        return None;
    };
    if role != "assistant" && !OTHER_ROLES.contains(&role) {
        problems
            .warning(
                &reader,
                format!(
                    "role {:?} is not known; this turn is not scored",
                    Shown(role)
                ),
            )
            .coded(Code::UnknownName)
            .hint = Some("only \"assistant\" turns are scored".into());
        problems.mended_by(&Mend::LeaveOut);
    }
    Some(role)
}

/// Messages are numbered from 1.
fn number_of(index: usize) -> i64 {
    i64::try_from(index).map_or(i64::MAX, |index| index.saturating_add(1))
}

/// A text, or a list of parts of which those with `text` are joined by line feeds.
pub(super) fn content(reader: &Reader, problems: &mut Problems) -> Option<String> {
    if reader.is_null() {
        return None;
    }
    if let Some(text) = reader.as_str() {
        return Some(text.to_owned());
    }
    let Some(parts) = reader.items() else {
        reader.expected("a text or a list of parts", problems);
        problems.mended_by(&Mend::LeaveOut);
        return None;
    };
    let mut texts = Vec::new();
    for part in parts {
        match (part.value(), part.get("text")) {
            (Value::String(text), _) => texts.push(text.as_str()),
            (Value::Map(_), Some(text)) => match text.as_str() {
                Some(text) => texts.push(text),
                None => text.expected("a text", problems),
            },
            // a picture, a file, a tool call
            (Value::Map(_), None) => {}
            _ => part.expected("a part with `text`", problems),
        }
    }
    Some(texts.join("\n"))
}

/// The tags of a row; those that are no texts were told.
fn tags(row: &Reader) -> Arc<[Arc<str>]> {
    let tags = row.get_some("tags").and_then(|tags| tags.items());
    let tags = tags.unwrap_or_default();
    tags.iter()
        .filter_map(Reader::as_str)
        .map(Into::into)
        .collect()
}

/// What somebody has judged: 1 or true is on brand, 0 or false is off.
pub(super) fn label(row: &Reader) -> Option<bool> {
    let label = row.get_some("label")?;
    match label.value() {
        Value::Bool(is_on) => Some(*is_on),
        _ => match label.as_integer() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
    }
}

fn check_tags(row: &Reader, problems: &mut Problems) {
    let Some(tags) = row.get_some("tags") else {
        return;
    };
    let all_texts = tags
        .items()
        .is_some_and(|items| items.iter().all(|item| item.as_str().is_some()));
    if !all_texts {
        problems.warning(
            &tags,
            format!(
                "expected a list of texts, got {}; tags are not used",
                tags.value().describe()
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn read(text: &str) -> (Transcript, Vec<Problem>) {
        let mut problems = Problems::new();
        let transcript = at_once(read_transcript(text, Some("p"), &mut problems, THROUGH));
        (transcript, problems.into_sorted())
    }

    #[cfg(not(target_arch = "wasm32"))]
    mod quickly_as_the_long_way {
        use super::super::*;
        use crate::steps::{THROUGH, at_once};
        use proptest::prelude::*;

        /// What is built of a text, as it is shown, and what is wrong with it.
        fn built(text: &str, is_quick: bool) -> Option<(Transcript, Vec<Problem>)> {
            let mut builder = Builder {
                persona: Some("p"),
                kinship: Kinship::new(&SPOKEN).beside(&ROW_KEYS),
                sessions: BTreeMap::new(),
                repeated: HashMap::new(),
                others: BTreeMap::new(),
            };
            let mut found = Problems::new();
            if is_quick {
                at_once(builder.take_quick(at_once(quick_rows(text, THROUGH))?, 3, THROUGH));
            } else {
                at_once(builder.take(text, 3, &mut found, THROUGH));
            }
            let kinship = std::mem::replace(&mut builder.kinship, Kinship::new(&SPOKEN));
            kinship.check("a row of a transcript", &mut found);
            let transcript = at_once(builder.finish(3, &mut found, THROUGH));
            Some((transcript, found.into_sorted()))
        }

        /// Rows that most are like, with a slip here and there.
        fn row() -> impl Strategy<Value = String> {
            let keys = prop::sample::subsequence(vec![0, 1, 2, 3, 4], 3..=5).prop_shuffle();
            let texts = r#"[a é\"{}\[\],:]{0,6}|\\u00e9|\\ud800|\\n|\\/|\t"#;
            let index = prop_oneof!["[0-9]", "-?[0-9]{1,20}", "1.0|1e1|-0|01|null"];
            let role = "assistant|user|system|tool|human| |assi\\\\u0073tant";
            (keys, "[s ]{0,2}", index, role, texts, "[ ]{0,1}").prop_map(
                |(keys, session, index, role, text, space)| {
                    let own = [
                        format!(r#""session_id":{space}"{session}""#),
                        format!(r#""turn_index": {index}"#),
                        format!(r#""role": "{role}""#),
                        format!(r#""text": "{text}""#),
                        // twice, or another key
                        format!(
                            r#""{}": 1"#,
                            if space.is_empty() {
                                "turn_index"
                            } else {
                                "turn"
                            }
                        ),
                    ];
                    let own: Vec<&str> = keys.iter().map(|key| own[*key].as_str()).collect();
                    format!("{{{}}}{space}", own.join(", "))
                },
            )
        }

        proptest! {
            #[test]
            fn rows_are_read(
                rows in prop::collection::vec(prop_oneof![
                    "[s]{1,2}".prop_map(|id| format!(
                        r#"{{"session_id": "{id}", "turn_index": 1, "role": "assistant", "text": "é \\u00e9 \\ud83d\\ude00"}}"#
                    )),
                    row(),
                    Just(String::new()),
                ], 0..4),
            ) {
                let text = rows.join("\n");
                if let Some(quick) = built(&text, true) {
                    prop_assert_eq!(Some(quick), built(&text, false), "{}", text);
                }
            }
        }
    }

    #[test]
    fn plain_rows_are_read_quickly() {
        let plain = r#"{"session_id": "s", "turn_index": 1, "role": "assistant", "text": "a\nb"}"#;
        let is_quick = |text: &str| at_once(quick_rows(text, THROUGH)).is_some();
        assert!(is_quick(&format!("{plain}\n\n{plain} \n")));
        for other in [
            r#"["s", 1, "assistant", "a"]"#,
            &plain.replace("assistant", "narrator"),
            &plain.replace("\"s\"", "\" \""),
            &plain.replace('}', ", \"label\": 1}"),
            &format!(" {plain}"),
        ] {
            assert!(!is_quick(&format!("{plain}\n{other}")), "{other}");
        }
    }

    /// The text with all faults of a kind mended, and what is told of it then.
    fn mended(text: &str, mend: &'static Mend) -> (String, Vec<String>) {
        let found = read(text).1.into_iter();
        let places: Vec<_> = found
            .filter(|p| p.mend == Some(mend))
            .map(|p| p.place())
            .collect();
        assert!(!places.is_empty(), "{text}");
        let text = crate::document::mended(mend, text, &places).expect("a fault");
        let told = read(&text).1.into_iter().map(|problem| problem.message);
        (text, told.collect())
    }

    #[test]
    fn a_torn_first_row_is_left_out_as_any_other() {
        let row = |id: &str| {
            format!(
                r#"{{"session_id": "{id}", "turn_index": 1, "role": "assistant", "text": "a"}}"#
            )
        };
        let torn = format!("{}\njunk\n{}\n{}\n", &row("a")[..30], row("b"), row("c"));
        let (transcript, problems) = read(&torn);
        let lines: Vec<u32> = problems.iter().map(|problem| problem.line).collect();
        assert_eq!((transcript.sessions.len(), lines), (2, vec![1, 2]));
        // one value over several lines is told as it is
        let (transcript, problems) = read("{\"session_id\": \"a\",\n  {\"x\": 1}\n  {\"y\": 1}\n");
        assert_eq!((transcript.sessions.len(), problems.len()), (0, 1));
    }

    #[test]
    fn a_key_given_twice_is_told() {
        let twice = "{\"session_id\": \"s\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"a\",\n \"text\": \"b\"}\n";
        let messages =
            "{\"messages\": [{\"role\": \"assistant\", \"content\": \"a\",\n \"content\": \"b\"}]}";
        for text in [twice, messages] {
            let (transcript, problems) = read(text);
            assert_eq!(&*transcript.sessions[0].responses[0].text, "b");
            let lines: Vec<u32> = problems.iter().map(|problem| problem.line).collect();
            assert_eq!(lines, [2], "{problems:?}");
            assert!(problems[0].message.contains("given twice"));
        }
    }

    #[test]
    fn faults_that_are_survived_are_mended_in_the_text() {
        let good = r#"{"session_id": "s", "turn_index": 1, "role": "assistant", "text": "a"}"#;
        for bad in [
            "{\"session_id\": \"s\", ",
            r#"{"session_id": "s", "turn_index": 2, "role": "narrator", "text": "b"}"#,
            r#"{"session_id": "s", "turn_index": 2, "role": "assistant"}"#,
            r#"{"session_id": "s", "turn_index": 2, "text": "b", "role": 3}"#,
            r#"{"session_id": "s", "turn_index": 2, "text": 7, "role": "assistant"}"#,
            r#"{"session_id": " ", "turn_index": 2, "text": "b", "role": "assistant"}"#,
            r#"{"session_id": "s", "turn_index": 1, "role": "assistant", "text": "a"}"#,
            r#"{"x": 1}"#,
            "[3]",
        ] {
            let (text, told) = mended(&format!("{good}\n{bad}\n"), &Mend::LeaveOut);
            assert_eq!((text, told), (format!("{good}\n"), vec![]), "{bad}");
        }
        let chat = r#"{"session_id": "s", "messages": [{"role": "x", "content": "c"}, {"role": "assistant", "content": "d"}]}"#;
        let (text, told) = mended(chat, &Mend::LeaveOut);
        assert_eq!(told, Vec::<String>::new());
        assert_eq!(
            text,
            r#"{"session_id": "s", "messages": [{"role": "assistant", "content": "d"}]}"#
        );
        let rows = format!(
            "{good}\n{}\n{}\n{}\n",
            good.replace("\"a\"", "\"b\""),
            good.replace("\"turn_index\": 1, ", ""),
            good.replace("\"turn_index\": 1", "\"turn_index\": \"x\""),
        );
        let before = read(&rows).0;
        let (text, told) = mended(&rows, &NUMBER_ANEW);
        assert_eq!(told, Vec::<String>::new(), "{text}");
        let texts = |transcript: &Transcript| {
            let responses = transcript.sessions[0].responses.iter();
            responses.map(|r| r.text.clone()).collect::<Vec<_>>()
        };
        // their order is as it was scored
        assert_eq!(texts(&read(&text).0), texts(&before));
        assert!(text.starts_with(good));
    }

    fn shape(transcript: &Transcript) -> Vec<(&str, Vec<(i64, &str)>)> {
        transcript
            .sessions
            .iter()
            .map(|session| {
                let turns = session.responses.iter().map(|r| (r.index, &*r.text));
                (session.id.as_str(), turns.collect())
            })
            .collect()
    }

    #[test]
    fn four_shapes_are_read() {
        let cases = [
            (
                r#"{"session_id": "s", "turn_index": 2, "role": "assistant", "text": "b", "tags": ["x"], "persona_id": "p"}"#,
                "s",
                2,
            ),
            (
                r#"{"session_id": "s", "turn": 3, "user": "a", "assistant": "b"}"#,
                "s",
                3,
            ),
            (
                r#"{"session_id": "s", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}"#,
                "s",
                2,
            ),
            (
                r#"{"messages": [{"role": "assistant", "content": [{"type": "text", "text": "b"}, {"type": "image_url"}]}]}"#,
                "row-0001",
                1,
            ),
        ];
        for (text, id, index) in cases {
            let (transcript, problems) = read(text);
            assert_eq!(problems, vec![], "{text}");
            assert_eq!(shape(&transcript), [(id, vec![(index, "b")])], "{text}");
        }
    }

    #[test]
    fn lines_arrays_and_one_object_over_lines_are_read() {
        let row = |turn| format!(r#"{{"session_id": 1, "turn": {turn}, "assistant": "b"}}"#);
        for text in [
            format!("\u{feff}{}\r\n\r\n{}\r\n", row(2), row(1)),
            format!("[{},\n {}]", row(2), row(1)),
            "{\n\"session_id\": \"1\",\n\"messages\": [\n{\"role\": \"assistant\", \"content\": \"b\"},\n\
             {\"role\": \"assistant\", \"content\": \"b\"}\n]}".into(),
        ] {
            let (transcript, problems) = read(&text);
            assert_eq!(problems, vec![], "{text}");
            assert_eq!(shape(&transcript), [("1", vec![(1, "b"), (2, "b")])], "{text}");
        }
    }

    #[test]
    fn sessions_are_ordered_and_blank_turns_left_out() {
        let (transcript, problems) = read(
            "{\"session_id\": \"b\", \"turn_index\": 2, \"role\": \"assistant\", \"text\": \"two\"}\n\
             {\"session_id\": \"a\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \" \\n\"}\n\
             {\"session_id\": \"b\", \"turn_index\": -1, \"role\": \"assistant\", \"text\": \"one\"}\n\
             {\"session_id\": \"b\", \"turn_index\": 3, \"role\": \"system\", \"text\": \"x\"}\n",
        );
        assert_eq!(problems, vec![]);
        assert_eq!(shape(&transcript), [("b", vec![(-1, "one"), (2, "two")])]);
        assert_eq!(transcript.empty_sessions, ["a"]);
    }

    #[test]
    fn every_bad_line_is_reported_and_the_others_are_read() {
        let (transcript, problems) = read(
            "{\"session_id\": \"a\", \"turn_index\": 1.0, \"role\": \"assistant\", \"text\": \"x\"}\n\
             {\"session_id\": \"\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": 3}\n\
             {broken}\n\
             {\"a\": 1}\n\
             7\n\
             {\"session_id\": \"a\", \"messages\": [1, {\"role\": \"\"}]}\n",
        );
        let lines: Vec<u32> = problems
            .iter()
            .filter(|p| p.severity == Severity::Warning)
            .map(|p| p.line)
            .collect();
        // of the fourth also that it is of another kind, and how many are
        assert_eq!(lines, [1, 2, 2, 3, 4, 4, 5, 6, 6]);
        assert!(problems.iter().all(|p| p.severity != Severity::Error));
        let warned = |p: &&Problem| p.severity == Severity::Warning;
        let broken = problems.iter().filter(warned).nth(3);
        assert!(
            broken
                .expect("a warning")
                .message
                .ends_with("; this is left out"),
            "{problems:?}"
        );
        assert_eq!(shape(&transcript), [("a", vec![(1, "x")])]);
    }

    #[test]
    fn what_is_hardly_a_transcript_is_said() {
        let row = r#"{"session_id": "a", "turn_index": 1, "role": "assistant", "text": "x""#;
        let doubts = |more: &str| {
            let (_, problems) = read(&format!("{row}{more}"));
            let doubts = problems.iter().filter(|p| p.code == Code::FewKeys);
            doubts.map(|p| p.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(doubts(r#", "a": 1, "b": 2, "c": 3}"#), Vec::<String>::new());
        let told = doubts(r#", "a": 1, "b": 2, "c": 3, "d": 4}"#);
        assert!(
            told.len() == 1 && told[0].ends_with("not read: `a`, `b`, `c`, `d`"),
            "{told:?}"
        );
        let told = doubts("}\n{\"type\": \"summary\"}\n{\"type\": \"system\"}");
        assert!(
            told.len() == 1 && told[0].starts_with("2 of 3 objects have no key"),
            "{told:?}"
        );
        // the keys of messages count
        let (_, problems) = read(
            r#"{"messages": [{"role": "assistant", "content": "x"}], "a": 1, "b": 2, "c": 3}"#,
        );
        assert!(
            problems.iter().all(|p| p.code != Code::FewKeys),
            "{problems:?}"
        );
    }

    #[test]
    fn rows_without_numbers_follow_one_another() {
        let (transcript, problems) = read(
            "{\"role\": \"user\", \"text\": \"q\"}\n\
             {\"role\": \"assistant\", \"text\": \"b\"}\n\
             {\"role\": \"assistant\", \"text\": \"a\", \"turn_index\": null}\n",
        );
        assert_eq!(shape(&transcript), [("session", vec![(2, "b"), (3, "a")])]);
        let said: Vec<_> = problems.iter().map(|p| p.message.as_str()).collect();
        assert_eq!(problems.len(), 2, "{said:?}");
        assert!(
            said.iter().all(|said| said.ends_with("(3 times)")),
            "{said:?}"
        );
    }

    #[test]
    fn a_turn_given_twice_is_reported_at_the_later_place() {
        let said = |role: &str, text: &str| {
            format!(r#"{{"session_id": "a", "turn_index": 1, "role": "{role}", "text": "{text}"}}"#)
        };
        let row = |role: &str| said(role, "x");
        let (transcript, problems) = read(&[row("assistant"), said("assistant", "y")].join("\n"));
        assert_eq!(
            (problems[0].severity, problems[0].line),
            (Severity::Warning, 2)
        );
        assert_eq!(shape(&transcript), [("a", vec![(1, "x"), (1, "y")])]);
        // one that says the same counts once
        let (transcript, problems) =
            read(&[row("assistant"), row("user"), row("assistant")].join("\n"));
        let all = problems.iter().map(|p| (p.severity, p.line));
        let warned = [(Severity::Warning, 2), (Severity::Warning, 3)];
        assert_eq!(all.collect::<Vec<_>>(), warned);
        assert_eq!(transcript.sessions[0].responses.len(), 1);
        let (_, problems) = read(&[row("user"), row("assistant")].join("\n"));
        assert_eq!(
            (problems[0].severity, problems[0].line),
            (Severity::Warning, 2)
        );
    }

    #[test]
    fn a_response_knows_what_it_answers() {
        let text = [
            r#"{"session_id": "a", "turn_index": 1, "role": "user", "text": "Where is it?"}"#,
            r#"{"session_id": "a", "turn_index": 2, "role": "assistant", "text": "Here."}"#,
            r#"{"session_id": "a", "turn_index": 3, "role": "assistant", "text": "And there."}"#,
            r#"{"session_id": "b", "turn": 1, "user": "Why?", "assistant": "So."}"#,
        ];
        let (transcript, problems) = read(&text.join("\n"));
        assert_eq!(problems, vec![]);
        let responses = transcript.sessions.iter().flat_map(|s| &s.responses);
        let prompts: Vec<_> = responses.map(|r| r.prompt.as_deref()).collect();
        assert_eq!(prompts, [Some("Where is it?"), None, Some("Why?")]);
    }

    #[test]
    fn labels_and_tags_are_kept() {
        let text = [
            r#"{"session_id": "a", "turn": 1, "assistant": "b", "label": 1, "tags": ["x", "y"]}"#,
            r#"{"session_id": "a", "turn": 2, "assistant": "c", "label": false}"#,
            r#"{"session_id": "a", "turn": 3, "assistant": "d", "label": "good"}"#,
            r#"{"session_id": "b", "tags": ["z"], "messages": [{"role": "assistant", "content": "e"}]}"#,
        ];
        let (transcript, problems) = read(&text.join("\n"));
        assert_eq!(problems, vec![]);
        let responses = transcript.sessions.iter().flat_map(|s| &s.responses);
        let kept = responses.map(|r| (r.label, r.tags.join(",")));
        let expected = [
            (Some(true), "x,y"),
            (Some(false), ""),
            (None, ""),
            (None, "z"),
        ];
        let expected = expected.map(|(label, tags)| (label, tags.to_owned()));
        assert_eq!(kept.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_foreign_persona_id_is_one_warning() {
        let row = |turn| {
            format!(
                r#"{{"session_id": "a", "turn": {turn}, "assistant": "x", "persona_id": "q", "mood": 1}}"#
            )
        };
        let (_, problems) = read(&[row(1), row(2)].join("\n"));
        assert_eq!(problems.len(), 2);
        assert!(problems.iter().all(|p| p.message.ends_with("(2 times)")));
        assert!(problems.iter().any(|p| p.severity == Severity::Warning));
    }

    #[test]
    fn nothing_to_score_is_an_error() {
        for text in [
            "",
            "[]",
            "{}",
            "[",
            "x",
            r#"{"messages": []}"#,
            r#"{"session_id": "a", "turn": 1, "assistant": null}"#,
        ] {
            let (transcript, problems) = read(text);
            assert!(transcript.sessions.is_empty(), "{text}");
            assert_eq!(
                problems
                    .iter()
                    .filter(|p| p.severity == Severity::Error)
                    .count(),
                1,
                "{text}: {problems:?}"
            );
        }
    }
}
