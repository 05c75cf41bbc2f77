//! Which turns a text holds, and of which session each is. Sessions are objects with
//! `turns`, policy traces, or turns that name theirs with `session_id`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::document::{Code, Node, Problems, Reader, Value, made_by_assay};
use crate::text::Shown;

/// A session as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionTurns {
    /// Its id, where it has one. Of several sessions each has one: `session-2` is the second
    /// where it has none of its own.
    pub id: Option<Arc<str>>,
    /// Whether that is its own.
    pub is_named: bool,
    /// The positions of its turns in the log, in order; at least one.
    pub turns: Arc<[usize]>,
}

/// A turn as it stands in a text.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) node: &'a Node,
    /// The path up to its position, by its place among the paths.
    list: usize,
    /// Its position there.
    position: Option<usize>,
    /// The step of a trace whose mark it is.
    step: Option<&'a Node>,
    /// What it stands in, where that is a session.
    holder: Option<usize>,
}

/// An object with turns.
#[derive(Debug)]
struct Holder {
    id: Option<Arc<str>>,
    /// The session of those of its turns that name none.
    session: Option<usize>,
}

/// The turns of a text, gathered from whatever they stand in.
#[derive(Debug, Default)]
pub(super) struct Gathered<'a> {
    pub(super) items: Vec<Item<'a>>,
    /// The sessions, which may say what holds of all their turns.
    pub(super) heads: Vec<Reader<'a>>,
    /// The heads of policy traces, each with the positions of its turns.
    pub(super) walks: Vec<(Reader<'a>, Range<usize>)>,
    /// What is wrong with values in which there is no turn.
    pub(super) empty: Problems,
    lists: Vec<String>,
    holders: Vec<Holder>,
    /// The ids of those.
    held: HashSet<Arc<str>>,
    sessions: Sessions,
}

#[derive(Debug, Default)]
struct Sessions {
    known: HashMap<Arc<str>, usize>,
    all: Vec<(Option<Arc<str>>, Vec<usize>)>,
    /// The session of the turns that name none and stand in none.
    loose: Option<usize>,
}

impl Sessions {
    fn begin(&mut self, id: Option<Arc<str>>) -> usize {
        self.all.push((id, Vec::new()));
        self.all.len() - 1
    }

    /// The session of the turns that name none and stand in none.
    fn loose(&mut self) -> usize {
        if self.loose.is_none() {
            self.loose = Some(self.all.len());
            self.all.push((None, Vec::new()));
        }
        self.loose.unwrap_or_default()
    }

    fn of(&mut self, id: &Arc<str>) -> usize {
        if let Some(known) = self.known.get(id) {
            return *known;
        }
        let session = self.begin(Some(id.clone()));
        self.known.insert(id.clone(), session);
        session
    }
}

impl<'a> Gathered<'a> {
    /// Takes up a value: a turn, a list of turns or of sessions, a session, or a trace.
    pub(super) fn add(&mut self, value: &Reader<'a>, problems: &mut Problems) {
        if let Value::List(items) = value.value() {
            let list = self.list(value.path());
            for (position, node) in items.iter().enumerate() {
                if holds_turns(node) {
                    let path = format!("{}[{position}]", value.path());
                    self.add_session(&Reader::at(node, path), problems);
                } else {
                    self.turn(node, (list, Some(position)), (None, None));
                }
            }
        } else if holds_turns(value.node()) {
            self.add_session(value, problems);
        } else {
            let list = self.list(value.path());
            self.turn(value.node(), (list, None), (None, None));
        }
    }

    fn list(&mut self, path: String) -> usize {
        self.lists.push(path);
        self.lists.len() - 1
    }

    fn turn(
        &mut self,
        node: &'a Node,
        (list, position): (usize, Option<usize>),
        (holder, step): (Option<usize>, Option<&'a Node>),
    ) {
        self.items.push(Item {
            node,
            list,
            position,
            step,
            holder,
        });
    }

    fn add_session(&mut self, session: &Reader<'a>, problems: &mut Problems) {
        if let Some(result) = made_by_assay(session.node()) {
            // its turns have numbers and actions, and nothing that could be scored
            problems.error(session, format!("expected turns: {result}"));
            return;
        }
        let trace = session.get("policy_trace");
        let (head, key) = match &trace {
            Some(trace) => (trace, "log"),
            None => (session, "turns"),
        };
        // a record holds as a whole
        let empty = if trace.is_some() {
            &mut *problems
        } else {
            &mut self.empty
        };
        let Some(turns) = session.get(key) else {
            let message = format!("missing '{key}'");
            empty.error(session, message).code = Code::Missing;
            return;
        };
        let Value::List(items) = turns.value() else {
            turns.expected("a list of turns", empty);
            return;
        };
        if items.is_empty() {
            turns.expected("at least one turn", empty);
            return;
        }
        if trace.is_some() {
            session.check_keys(&["policy_trace", "log"], problems);
        }
        let id = session_id(head, problems);
        let again = id.as_ref().filter(|id| !self.held.insert(Arc::clone(id)));
        if let Some(id) = again {
            let message = format!(
                "session_id {:?} is given to several sessions: their turns are joined in the order given",
                Shown(id)
            );
            problems.warning(head, message).code = Code::Repeated;
        }
        self.holders.push(Holder { id, session: None });
        let holder = Some(self.holders.len() - 1);
        let (list, begin) = (self.list(turns.path()), self.items.len());
        for (position, node) in items.iter().enumerate() {
            let mark = trace.is_some().then(|| mark_of(node)).flatten();
            let step = mark.is_some().then_some(node);
            let turn = mark.unwrap_or(node);
            self.turn(turn, (list, Some(position)), (holder, step));
        }
        match trace {
            Some(head) => self.walks.push((head, begin..self.items.len())),
            None => self.heads.push(session.clone()),
        }
    }

    /// A reader of a turn.
    pub(super) fn reader(&self, index: usize) -> Reader<'a> {
        let item = &self.items[index];
        let list = &self.lists[item.list];
        let path = match item.position {
            Some(position) if item.step.is_some() => format!("{list}[{position}].mark"),
            Some(position) => format!("{list}[{position}]"),
            None => list.clone(),
        };
        Reader::at(item.node, path)
    }

    /// A reader of the step of a trace in which a turn stands.
    pub(super) fn step(&self, index: usize) -> Option<Reader<'a>> {
        let item = &self.items[index];
        let path = format!("{}[{}]", self.lists[item.list], item.position?);
        Some(Reader::at(item.step?, path))
    }

    /// Whether a turn is part of a record of what was scored: a mark, or a step of a trace. Such
    /// a record holds as a whole.
    pub(super) fn is_recorded(&self, index: usize) -> bool {
        let is_mark = self.reader(index).get("constitutional_scores").is_some();
        // traces are in the order of their turns
        let after = self
            .walks
            .partition_point(|(_, turns)| turns.start <= index);
        let walk = after.checked_sub(1).map(|at| &self.walks[at].1);
        is_mark || walk.is_some_and(|turns| turns.contains(&index))
    }

    /// Puts the turn of an item, which names its own session or none, at its position in the log.
    /// Gives its session, and its place in it from 0.
    pub(super) fn place(
        &mut self,
        item: usize,
        (reader, position): (&Reader, usize),
        own: Option<Arc<str>>,
        problems: &mut Problems,
    ) -> (usize, usize) {
        let holder = self.items[item].holder;
        let held = holder.and_then(|holder| self.holders[holder].id.clone());
        if let (Some(own), Some(held)) = (&own, &held)
            && own != held
        {
            let at = reader.get("session_id");
            let message = format!(
                "session_id {:?} is not that of the session around it, {:?}, which counts",
                Shown(own),
                Shown(held)
            );
            problems
                .warning(at.as_ref().unwrap_or(reader), message)
                .code = Code::Contradiction;
        }
        let session = match (held.or(own), holder) {
            (Some(id), _) => self.sessions.of(&id),
            (None, Some(holder)) => {
                let sessions = &mut self.sessions;
                let session = &mut self.holders[holder].session;
                *session.get_or_insert_with(|| sessions.begin(None))
            }
            (None, None) => self.sessions.loose(),
        };
        let turns = &mut self.sessions.all[session].1;
        turns.push(position);
        (session, turns.len() - 1)
    }

    /// The sessions, in the order in which they begin. Of several each has a name.
    pub(super) fn sessions(
        self,
        first: Option<&Node>,
        problems: &mut Problems,
    ) -> Vec<SessionTurns> {
        let Sessions { all, known, loose } = self.sessions;
        let is_several = all.len() > 1;
        if let (Some(loose), Some(node), true) = (loose, first, is_several) {
            let message = format!(
                "turns without a session_id stand beside sessions: they are a session of their own, {}",
                name(loose, &known)
            );
            problems.warning(&Reader::new(node), message).code = Code::Missing;
        }
        let named = all.into_iter().enumerate().map(|(place, (id, turns))| {
            let unnamed = || is_several.then(|| name(place, &known));
            SessionTurns {
                is_named: id.is_some(),
                id: id.or_else(unnamed),
                turns: turns.into(),
            }
        });
        named.collect()
    }
}

/// What a session is called that has no id, by its place: no other has that name.
fn name(place: usize, known: &HashMap<Arc<str>, usize>) -> Arc<str> {
    let mut name = format!("session-{}", place + 1);
    while known.contains_key(name.as_str()) {
        name.push('\'');
    }
    name.into()
}

fn holds_turns(node: &Node) -> bool {
    let reader = Reader::new(node);
    reader.get("turns").is_some() || reader.get("policy_trace").is_some()
}

/// The mark of a step in a trace.
fn mark_of(step: &Node) -> Option<&Node> {
    Some(Reader::new(step).get_some("mark")?.node())
}

/// A session's id; a whole number is read as its digits, and an empty text names none.
pub(super) fn session_id(of: &Reader, problems: &mut Problems) -> Option<Arc<str>> {
    let reader = of.get_some("session_id")?;
    match (reader.as_str(), reader.as_integer()) {
        (Some(""), _) => None,
        (Some(id), _) => Some(id.into()),
        (_, Some(number)) => Some(number.to_string().into()),
        _ => {
            reader.expected("a string", problems);
            None
        }
    }
}
