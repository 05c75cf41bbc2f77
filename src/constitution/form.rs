//! Turns as a form: what stands in each field, as typed, and what a change of a
//! field does to the text. Works on any JSON, also where reading finds mistakes,
//! so that a form can show and mend them.

use std::ops::Range;
use std::sync::Arc;

use super::principles::{PerPrinciple, Principle};
use super::read::parse;
use crate::document::edit::{Draft, edit_value, moved, quoted, typed_json};
use crate::document::{Node, Parsed, Step, Value, path_from};
use crate::path;

/// The turns of a text. Fields that are missing are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// The text in which the turns stand.
    parsed: Arc<Parsed>,
    shape: Shape,
    /// Where each turn is, where several sessions hold them.
    spots: Vec<Spot>,
}

/// Where a turn is among sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spot {
    /// The value of the text.
    piece: usize,
    /// The item of the value, where that is a list.
    item: Option<usize>,
    /// The key of the list in which the turn is, and its place there; none where the item
    /// or the value itself is the turn.
    within: Option<(&'static str, usize)>,
}

/// How turns stand in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    /// Each is a value of its own, as in JSONL.
    #[default]
    Several,
    /// The value is the only turn.
    One,
    /// The value is a list of them.
    List,
    /// The value is a session with a list of them.
    Session,
    /// Several sessions hold them, or a policy trace does.
    Sessions,
}

/// A field of a turn. Tools are positions from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// Its number.
    Number,
    /// The action evaluated.
    Action,
    /// What the user said.
    User,
    /// Whether it changed anything: `true`, `false`, or nothing said.
    Mutations,
    /// Whether it said so: `true`, `false`, or nothing said.
    Acknowledged,
    /// Why.
    Reasoning,
    /// The assistant's text.
    Response,
    /// Whether the tools succeeded: `true`, `false`, or nothing said.
    Passed,
    /// Share of the context in use.
    Context,
    /// How many tools were used: fewer take away the last, more are added at the end.
    Tools,
    /// The name of a tool.
    Tool(usize),
    /// The score of a principle: an override, or a mark's own.
    Score(Principle),
    /// The reason of an override.
    Reason(Principle),
    /// The reason of the overrides that have none of their own.
    SharedReason,
}

/// A change of a form. Turns are positions from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // positions and what is typed
pub enum Change {
    /// A new session in place of an empty text.
    Start,
    /// A turn, or a mark among marks, after the last.
    Add,
    Remove(usize),
    Move {
        from: usize,
        to: usize,
    },
    /// A field as typed: what is no number is kept as a string, and reading says
    /// so. An empty one is taken out.
    Set(usize, Item, String),
    RemoveTool(usize, usize),
    /// What came of the turn is taken out; nothing measures a principle then.
    RemoveResult(usize),
}

/// What a new session starts from.
const START: &str = r#"{
  "turns": [
    {"turn_number": 1, "action": "send_message", "has_mutations": false, "turn_result": {"response": ""}}
  ]
}
"#;

impl Form {
    /// The form of a text; none if it is not JSON, or cannot hold turns.
    ///
    /// ```
    /// use assay::constitution::form::{Change, Form, Item};
    /// let form = Form::read(r#"{"turn_number":  4}"#).expect("JSON");
    /// assert_eq!(form.value(0, Item::Number), "4");
    /// assert_eq!(
    ///     form.apply(&Change::Set(0, Item::Number, "5".into())).expect("a place"),
    ///     r#"{"turn_number":  5}"#
    /// );
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        Self::of(&Arc::new(parse(text)))
    }

    /// The form of a text that [`parse`] made ready.
    pub fn of(parsed: &Arc<Parsed>) -> Option<Self> {
        let count = parsed.pieces().len();
        let nodes = || (0..count).filter_map(|piece| parsed.node(piece));
        if nodes().count() < count {
            return None;
        }
        let first = nodes().next()?;
        let has = |node: &Node, key: &str| node.entries().iter().any(|entry| entry.key == key);
        let is_walk = |node: &Node| has(node, "policy_trace");
        let holds = |node: &Node| is_walk(node) || has(node, "turns");
        let is_held = |node: &Node| holds(node) || node.items().iter().any(holds);
        let shape = match count {
            2.. if nodes().any(|node| is_held(node) || is_list(node)) => Shape::Sessions,
            2.. => Shape::Several,
            _ if is_list(first) && is_held(first) => Shape::Sessions,
            _ if is_list(first) => Shape::List,
            _ if !first.is_object() => return None,
            _ if is_walk(first) => Shape::Sessions,
            _ if holds(first) => Shape::Session,
            _ => Shape::One,
        };
        let spots = match shape {
            Shape::Sessions => spots(parsed),
            _ => Vec::new(),
        };
        let parsed = parsed.clone();
        Some(Self {
            parsed,
            shape,
            spots,
        })
    }

    /// Whether it is the form of this text.
    pub fn is_of(&self, text: &str) -> bool {
        self.parsed.text() == text
    }

    /// The text after a change; none where the form has no such place. Everything
    /// that the change does not concern stays as it was typed.
    pub fn apply(&self, change: &Change) -> Option<String> {
        match change {
            Change::Start => Some(START.to_owned()),
            Change::Add => self.add(),
            Change::Remove(turn) => self.remove(*turn),
            Change::Move { from, to } => self.reorder(*from, *to),
            Change::Set(turn, ..) | Change::RemoveTool(turn, _) | Change::RemoveResult(turn) => {
                let turn = self.turn(*turn)?;
                Some(self.edit(turn, |draft| make(draft, turn, change)))
            }
        }
    }

    fn edit(&self, value: &Node, change: impl FnOnce(&mut Draft)) -> String {
        edit_value(self.parsed.text(), value, change)
    }

    /// The list of turns, where they stand in one.
    fn list(&self) -> Option<&Node> {
        match self.shape {
            Shape::Several | Shape::One => None,
            Shape::List => self.parsed.node(0),
            Shape::Session => self.parsed.node(0)?.at(path!["turns"]),
            Shape::Sessions => self.list_of(*self.spots.last()?),
        }
    }

    /// The value or item at a spot: a turn, or a session.
    fn unit(&self, spot: Spot) -> Option<&Node> {
        let value = self.parsed.node(spot.piece)?;
        match spot.item {
            Some(item) => value.items().get(item),
            None => Some(value),
        }
    }

    /// The list in which the turn at a spot is.
    fn list_of(&self, spot: Spot) -> Option<&Node> {
        match spot.within {
            Some((key, _)) => self.unit(spot)?.at(path![key]),
            None => spot.item.and_then(|_| self.parsed.node(spot.piece)),
        }
    }

    /// Its place in that list.
    fn place_in_list(spot: Spot) -> Option<usize> {
        spot.within.map(|(_, place)| place).or(spot.item)
    }

    fn turn(&self, turn: usize) -> Option<&Node> {
        match self.shape {
            Shape::Several | Shape::One => self.parsed.node(turn),
            Shape::List | Shape::Session => self.list()?.items().get(turn),
            Shape::Sessions => {
                let spot = *self.spots.get(turn)?;
                let Some((_, place)) = spot.within else {
                    return self.unit(spot);
                };
                let turn = self.list_of(spot)?.items().get(place)?;
                Some(turn.at(path!["mark"]).unwrap_or(turn))
            }
        }
    }

    fn turns(&self) -> impl Iterator<Item = &Node> {
        (0..self.len()).filter_map(|turn| self.turn(turn))
    }

    /// How many turns there are.
    pub fn len(&self) -> usize {
        match self.shape {
            Shape::Several | Shape::One => self.parsed.pieces().len(),
            Shape::List | Shape::Session => self.list().map_or(0, |list| list.items().len()),
            Shape::Sessions => self.spots.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What stands in a field.
    pub fn value(&self, turn: usize, item: Item) -> String {
        let Some(node) = self.turn(turn) else {
            return String::new();
        };
        let steps = steps(node, item);
        match node.at(&steps).map(|node| &node.value) {
            Some(Value::List(tools)) if item == Item::Tools => tools.len().to_string(),
            _ => node.typed(&steps),
        }
    }

    /// Whether a turn is a mark, which brings its scores.
    pub fn is_mark(&self, turn: usize) -> bool {
        self.turn(turn).is_some_and(is_mark)
    }

    /// Whether it is said what came of a turn.
    pub fn has_result(&self, turn: usize) -> bool {
        let turn = self.turn(turn);
        let result = turn.and_then(|turn| turn.at(path!["turn_result"]));
        result.is_some_and(|result| result.value != Value::Null)
    }

    /// How many tools a turn used.
    pub fn tools(&self, turn: usize) -> usize {
        let turn = self.turn(turn);
        let tools = turn.and_then(|turn| turn.at(path!["turn_result", "tools"]));
        tools.map_or(0, |tools| tools.items().len())
    }

    /// The path of a field, as problems name it; of an override, with all it holds.
    pub fn path(&self, turn: usize, item: Item) -> String {
        let prefix = match self.shape {
            Shape::One => String::new(),
            Shape::Several | Shape::List => format!("[{turn}]"),
            Shape::Session => format!("turns[{turn}]"),
            Shape::Sessions => match self.spots.get(turn) {
                Some(spot) => self.prefix(*spot),
                None => String::new(),
            },
        };
        let Some(turn) = self.turn(turn) else {
            return prefix;
        };
        let mut steps = steps(turn, item);
        if matches!(item, Item::Score(_)) {
            steps.truncate(2);
        }
        path_from(&prefix, &steps)
    }

    /// The path of the turn at a spot.
    fn prefix(&self, spot: Spot) -> String {
        let mut steps = Vec::new();
        if self.parsed.pieces().len() > 1 {
            steps.push(Step::Item(spot.piece));
        }
        steps.extend(spot.item.map(Step::Item));
        if let Some((key, place)) = spot.within {
            steps.extend([Step::from(key), Step::Item(place)]);
            let turn = self.list_of(spot).and_then(|list| list.items().get(place));
            let mark = turn.and_then(|turn| turn.at(path!["mark"]));
            steps.extend(mark.map(|_| Step::from("mark")));
        }
        path_from("", &steps)
    }

    fn add(&self) -> Option<String> {
        let (text, turn) = (self.parsed.text(), self.new_turn());
        match self.shape {
            Shape::Sessions => {
                let spot = *self.spots.last()?;
                if let Some(list) = self.list_of(spot) {
                    return Some(self.edit(list, |draft| {
                        draft.insert(path![], list.items().len(), &turn);
                    }));
                }
                let end = self.unit(spot)?.bytes().end;
                Some(
                    [
                        &text[..end],
                        "
",
                        &turn,
                        &text[end..],
                    ]
                    .concat(),
                )
            }
            Shape::Several => {
                let end = self.turns().last()?.bytes().end;
                Some([&text[..end], "\n", &turn, &text[end..]].concat())
            }
            Shape::One => {
                let range = self.turn(0)?.bytes();
                let list = format!("[\n{},\n{turn}\n]", &text[range.clone()]);
                Some(replaced(text, range, &list))
            }
            Shape::List | Shape::Session => Some(self.edit(self.list()?, |draft| {
                if self.is_empty() {
                    draft.set(path![], &format!("[{turn}]"));
                } else {
                    draft.insert(path![], self.len(), &turn);
                }
            })),
        }
    }

    /// A turn that goes on counting where the others do.
    fn new_turn(&self) -> String {
        let session = |turn: usize| {
            let unit = self.spots.get(turn).filter(|spot| spot.within.is_some());
            let unit = unit.map(|spot| (spot.piece, spot.item));
            let named = self.turn(turn).map(|turn| turn.typed(path!["session_id"]));
            (unit, named.unwrap_or_default())
        };
        let last = self.len().checked_sub(1).map(session);
        let own = (0..self.len()).filter(|turn| last.as_ref() == Some(&session(*turn)));
        let numbers = own.map(|turn| self.value(turn, Item::Number));
        let highest = numbers
            .filter_map(|number| number.parse::<i64>().ok())
            .max();
        let named = last.map(|(_, named)| named).filter(|name| !name.is_empty());
        let named = named.map(|name| format!("\"session_id\": {}, ", quoted(&name)));
        let number =
            highest.map(|highest| format!("\"turn_number\": {}, ", highest.saturating_add(1)));
        let number = named.unwrap_or_default() + &number.unwrap_or_default();
        if !self.is_empty() && self.turns().all(is_mark) {
            let scores = PerPrinciple::NAMES.map(|name| format!("\"{name}\": 1"));
            return format!(
                "{{{number}\"constitutional_scores\": {{{}}}}}",
                scores.join(", ")
            );
        }
        format!(
            "{{{number}\"action\": \"send_message\", \"has_mutations\": false, \"turn_result\": {{\"response\": \"\"}}}}"
        )
    }

    fn remove(&self, turn: usize) -> Option<String> {
        let (text, range) = (self.parsed.text(), self.turn(turn)?.bytes());
        if self.len() == 1 && self.shape != Shape::Session {
            let whole = self.parsed.node(0)?.bytes();
            // among words an empty list is not seen as one
            let is_all =
                text[..whole.start].trim().is_empty() && text[whole.end..].trim().is_empty();
            let none = if is_all { "[]" } else { "{\"turns\": []}" };
            return Some(replaced(text, whole, none));
        }
        let line = |mut range: Range<usize>| {
            // with its line
            if text[range.end..].starts_with('\n') {
                range.end += 1;
            } else if text[..range.start].ends_with('\n') {
                range.start -= 1;
            }
            Some(replaced(text, range, ""))
        };
        match self.shape {
            Shape::Several => line(range),
            Shape::Sessions => {
                let spot = *self.spots.get(turn)?;
                let list = self.list_of(spot);
                if let Some(list) = list.filter(|list| list.items().len() > 1) {
                    let place = Self::place_in_list(spot)?;
                    return Some(self.edit(list, |draft| draft.retain(path![], |at| at != place)));
                }
                // the last turn of a session goes with it
                match spot.item {
                    Some(item) => {
                        let list = self.parsed.node(spot.piece)?;
                        Some(self.edit(list, |draft| draft.retain(path![], |at| at != item)))
                    }
                    None => line(self.unit(spot)?.bytes()),
                }
            }
            Shape::One | Shape::List | Shape::Session => Some(self.edit(self.list()?, |draft| {
                draft.retain(path![], |item| item != turn);
            })),
        }
    }

    fn reorder(&self, from: usize, to: usize) -> Option<String> {
        if self.shape == Shape::Sessions {
            // a turn stays in its session
            let (from, to) = (*self.spots.get(from)?, *self.spots.get(to)?);
            let is_beside = (from.piece, from.item) == (to.piece, to.item);
            let list = self.list_of(from).filter(|_| is_beside)?;
            let (from, to) = (Self::place_in_list(from)?, Self::place_in_list(to)?);
            let order = moved(list.items().len(), from, to);
            return Some(self.edit(list, |draft| draft.reorder(path![], &order)));
        }
        let order = moved(self.len(), from, to);
        if let Some(list) = self.list() {
            return Some(self.edit(list, |draft| draft.reorder(path![], &order)));
        }
        let (first, last) = (from.min(to), from.max(to));
        let turns = (first..=last).map(|turn| Some(self.turn(turn)?.bytes()));
        let ranges = turns.collect::<Option<Vec<_>>>()?;
        let text = self.parsed.text();
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        for (index, range) in ranges.iter().enumerate() {
            out.push_str(&text[at..range.start]);
            out.push_str(&text[ranges[order[first + index] - first].clone()]);
            at = range.end;
        }
        out.push_str(&text[at..]);
        Some(out)
    }
}

fn is_list(node: &Node) -> bool {
    matches!(node.value, Value::List(_))
}

/// Where the turns of a text are, as reading finds them.
fn spots(parsed: &Parsed) -> Vec<Spot> {
    let mut spots = Vec::new();
    let mut add = |unit: &Node, piece: usize, item: Option<usize>| {
        let is_walk = unit.at(path!["policy_trace"]).is_some();
        let key = if is_walk { "log" } else { "turns" };
        let held = unit.at(path![key]).map(|list| (key, list));
        let spot = |within| Spot {
            piece,
            item,
            within,
        };
        match held {
            Some((key, list)) => {
                let places = 0..list.items().len();
                spots.extend(places.map(|place| spot(Some((key, place)))));
            }
            None => spots.push(spot(None)),
        }
    };
    for piece in 0..parsed.pieces().len() {
        let Some(value) = parsed.node(piece) else {
            continue;
        };
        if is_list(value) {
            for (item, unit) in value.items().iter().enumerate() {
                add(unit, piece, Some(item));
            }
        } else {
            add(value, piece, None);
        }
    }
    spots
}

fn is_mark(turn: &Node) -> bool {
    turn.at(path!["constitutional_scores"]).is_some()
}

/// The way from a turn to a field, as it stands or would stand there.
fn steps(turn: &Node, item: Item) -> Vec<Step> {
    let override_of = |principle: Principle| path!["overrides", principle.name()].to_vec();
    match item {
        Item::Number => path!["turn_number"].to_vec(),
        Item::Action => path!["action"].to_vec(),
        Item::User => path!["user_message"].to_vec(),
        Item::Mutations => path!["has_mutations"].to_vec(),
        Item::Acknowledged => path!["acknowledged"].to_vec(),
        Item::Reasoning => path!["reasoning"].to_vec(),
        Item::Response if is_mark(turn) => path!["assistant_response"].to_vec(),
        Item::Response => path!["turn_result", "response"].to_vec(),
        Item::Passed => path!["turn_result", "tools_passed"].to_vec(),
        Item::Context => path!["turn_result", "context_utilization"].to_vec(),
        Item::Tools => path!["turn_result", "tools"].to_vec(),
        Item::Tool(tool) => {
            let mut steps = path!["turn_result", "tools", tool].to_vec();
            if is_object(turn, &steps) {
                steps.push("name".into());
            }
            steps
        }
        Item::Score(principle) if is_mark(turn) => {
            path!["constitutional_scores", principle.name()].to_vec()
        }
        Item::Score(principle) => {
            let mut steps = override_of(principle);
            if is_object(turn, &steps) {
                // as reading does: `value` may stand for `score`
                let is_there = |key: &str| {
                    let given = turn.at(&steps).and_then(|given| given.at(path![key]));
                    given.is_some_and(|given| given.value != Value::Null)
                };
                let key = if !is_there("score") && is_there("value") {
                    "value"
                } else {
                    "score"
                };
                steps.push(key.into());
            }
            steps
        }
        Item::Reason(principle) => {
            let mut steps = override_of(principle);
            steps.push("reason".into());
            steps
        }
        Item::SharedReason => path!["overrides", "reason"].to_vec(),
    }
}

fn is_object(turn: &Node, path: &[Step]) -> bool {
    turn.at(path).is_some_and(Node::is_object)
}

fn replaced(text: &str, range: Range<usize>, with: &str) -> String {
    [&text[..range.start], with, &text[range.end..]].concat()
}

fn make(draft: &mut Draft, turn: &Node, change: &Change) {
    let tools = path!["turn_result", "tools"];
    match change {
        Change::Start | Change::Add | Change::Remove(_) | Change::Move { .. } => {}
        Change::Set(_, item, typed) => set(draft, turn, *item, typed),
        Change::RemoveTool(_, tool) => draft.retain(tools, |other| other != *tool),
        Change::RemoveResult(_) => draft.remove(path!["turn_result"]),
    }
}

/// Beyond this many tools a number is a slip, and stays one.
pub const MOST_TOOLS: usize = 100;

fn set_tools(draft: &mut Draft, tools: &[Step], count: usize) {
    let added =
        (draft.len(tools)..count).map(|tool| format!("{{\"name\": \"tool {}\"}}", tool + 1));
    if draft.len(tools) == 0 {
        let added: Vec<_> = added.collect();
        draft.put(tools, &format!("[{}]", added.join(", ")));
    } else {
        for tool in added {
            draft.insert(tools, usize::MAX, &tool);
        }
        draft.retain(tools, |tool| tool < count);
    }
}

fn set(draft: &mut Draft, turn: &Node, item: Item, typed: &str) {
    let steps = steps(turn, item);
    let count = typed
        .trim()
        .parse()
        .ok()
        .filter(|count| *count <= MOST_TOOLS);
    if let (Item::Tools, Some(count)) = (item, count) {
        return set_tools(draft, &steps, count);
    }
    let json = match item {
        Item::Mutations | Item::Acknowledged | Item::Passed
            if matches!(typed, "true" | "false") =>
        {
            Some(typed.to_owned())
        }
        Item::Number | Item::Context | Item::Tools | Item::Score(_) => typed_json(typed),
        // a tool without a name is still a tool
        Item::Tool(_) => Some(quoted(typed)),
        _ => (!typed.is_empty()).then(|| quoted(typed)),
    };
    match (item, json) {
        (Item::Reason(_), Some(reason)) => {
            let given = &steps[..2];
            match draft.source(given).map(str::to_owned) {
                // the score is given by itself so far
                Some(score) if !is_object(turn, given) && score != "null" => {
                    draft.set(
                        given,
                        &format!("{{\"score\": {score}, \"reason\": {reason}}}"),
                    );
                }
                _ => draft.put(&steps, &reason),
            }
        }
        (_, Some(json)) => draft.put(&steps, &json),
        (Item::Score(_) | Item::Reason(_) | Item::SharedReason, None) if !is_mark(turn) => {
            take_out(draft, &steps);
        }
        (_, None) => draft.remove(&steps),
    }
}

/// Takes a value out, with the objects around it that hold nothing else.
fn take_out(draft: &mut Draft, mut steps: &[Step]) {
    if !draft.has(steps) {
        return;
    }
    while let [parent @ .., Step::Key(key)] = steps
        && !parent.is_empty()
        && draft.keys(parent).iter().all(|other| other == key)
    {
        steps = parent;
    }
    draft.remove(steps);
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: &str = r#"{"turn_number": 4,  "x": [1,  2], "turn_result": {"response": "Hi", "tools": [{"name": "a", "k": 1}, "b"]},
      "overrides": {"ethical": 0.5, "curated": {"value": 0.25, "reason": "r"}}}"#;

    fn after(text: &str, changes: &[Change]) -> (String, Form) {
        let mut text = text.to_owned();
        for change in changes {
            let form = Form::read(&text).expect("JSON");
            text = form.apply(change).expect("a place");
        }
        let form = Form::read(&text).expect("JSON");
        (text, form)
    }

    fn set(item: Item, typed: &str) -> Change {
        Change::Set(0, item, typed.to_owned())
    }

    #[test]
    fn every_shape_is_a_form() {
        for (text, paths) in [
            (TURN.to_owned(), ["turn_number", "overrides.curated"]),
            (
                format!("[{TURN}]"),
                ["[0].turn_number", "[0].overrides.curated"],
            ),
            (
                format!("{}\n{{}}", TURN.replace('\n', " ")),
                ["[0].turn_number", "[0].overrides.curated"],
            ),
            (
                format!("So:\n```\n{{\"turns\": [{TURN}]}}\n```"),
                ["turns[0].turn_number", "turns[0].overrides.curated"],
            ),
        ] {
            let form = Form::read(&text).expect("JSON");
            assert_eq!(form.value(0, Item::Number), "4");
            assert_eq!(
                (
                    form.value(0, Item::Score(Principle::Curated)),
                    form.value(0, Item::Reason(Principle::Curated))
                ),
                ("0.25".into(), "r".into())
            );
            assert_eq!(
                (form.value(0, Item::Tool(0)), form.value(0, Item::Tool(1))),
                ("a".into(), "b".into())
            );
            assert_eq!(
                [Item::Number, Item::Score(Principle::Curated)].map(|item| form.path(0, item)),
                paths
            );
            let changed = form.apply(&set(Item::User, "é\n")).expect("a place");
            assert_eq!(
                Form::read(&changed).expect("JSON").value(0, Item::User),
                "é\n"
            );
        }
        for text in ["3", "null", "{", "\"a\""] {
            assert_eq!(Form::read(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_typed_stands_where_it_belongs_and_the_rest_stays() {
        let (text, form) = after(
            TURN,
            &[
                set(Item::Context, "0.97"),
                set(Item::Number, "four"),
                set(Item::Score(Principle::Curated), "0.5"),
                set(Item::Reason(Principle::Ethical), "so"),
                set(Item::Reason(Principle::Tasteful), "only"),
                set(Item::Tool(1), ""),
                set(Item::Acknowledged, "true"),
            ],
        );
        for kept in [
            "\"x\": [1,  2]",
            "\"turn_number\": \"four\",",
            "\"value\": 0.5",
            "\"k\": 1",
            "{\"score\": 0.5, \"reason\": \"so\"}",
            "\"tasteful\": {\"reason\": \"only\"}",
            "\"acknowledged\": true",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        assert_eq!(
            (form.tools(0), form.value(0, Item::Context)),
            (2, "0.97".into())
        );
        let (text, _) = after(
            TURN,
            &[
                set(Item::Score(Principle::Ethical), ""),
                set(Item::Score(Principle::Curated), ""),
                set(Item::Reason(Principle::Curated), ""),
            ],
        );
        assert!(!text.contains("overrides"), "{text}");
        let (text, form) = after("{\"turn_result\": null}", &[set(Item::Response, "Hi")]);
        assert_eq!(
            (text.as_str(), form.has_result(0)),
            ("{\"turn_result\": {\"response\": \"Hi\"}}", true)
        );
        let (text, _) = after(TURN, &[Change::RemoveResult(0)]);
        assert!(!text.contains("turn_result"));
    }

    #[test]
    fn tools_come_and_go() {
        let (text, form) = after(TURN, &[set(Item::Tools, "4"), Change::RemoveTool(0, 1)]);
        assert_eq!(form.tools(0), 3);
        assert!(
            text.contains(r#"[{"name": "a", "k": 1}, {"name": "tool 3"}, {"name": "tool 4"}]"#),
            "{text}"
        );
        assert_eq!(after(TURN, &[set(Item::Tools, "1")]).1.tools(0), 1);
        assert_eq!(after("{}", &[set(Item::Tools, "2")]).1.tools(0), 2);
        let (text, form) = after(TURN, &[set(Item::Tools, "many")]);
        assert!(text.contains("\"tools\": \"many\""), "{text}");
        assert_eq!(
            (form.value(0, Item::Tools), form.tools(0)),
            ("many".into(), 0)
        );
    }

    #[test]
    fn turns_come_go_and_move_in_every_shape() {
        let session = "{\"turns\": [{\"turn_number\": 1}, {\"turn_number\": 7}], \"x\": 1}";
        let list = "[{\"turn_number\": 1},\n {\"turn_number\": 7}]";
        let lines = "{\"turn_number\": 1}\n{\"turn_number\": 7}\n";
        for text in [session, list, lines] {
            let numbers = |changes: &[Change]| {
                let form = after(text, changes).1;
                (0..form.len())
                    .map(|turn| form.value(turn, Item::Number))
                    .collect::<Vec<_>>()
            };
            assert_eq!(numbers(&[Change::Add]), ["1", "7", "8"]);
            assert_eq!(
                numbers(&[Change::Add, Change::Move { from: 2, to: 0 }]),
                ["8", "1", "7"]
            );
            assert_eq!(
                numbers(&[Change::Remove(0), Change::Remove(0), Change::Add]),
                [""; 1]
            );
        }
        let (text, form) = after(TURN, &[Change::Add]);
        assert!(text.starts_with("[\n{\"turn_number\": 4,  \"x\""), "{text}");
        assert_eq!(form.len(), 2);
        assert_eq!(after(TURN, &[Change::Remove(0)]).0, "[]");
        let form = Form::default();
        let started = form.apply(&Change::Start).expect("always");
        assert_eq!(Form::read(&started).expect("JSON").len(), 1);
    }

    #[test]
    fn marks_have_their_scores() {
        let mark = r#"[{"constitutional_scores": {"ethical": 0.5}, "assistant_response": "a"}]"#;
        let (text, form) = after(
            mark,
            &[
                set(Item::Score(Principle::Ethical), "1"),
                set(Item::Score(Principle::Tasteful), "0.5"),
                set(Item::Response, "b"),
                Change::Add,
            ],
        );
        assert!(
            text.contains(r#"{"ethical": 1, "tasteful": 0.5}, "assistant_response": "b"}"#),
            "{text}"
        );
        assert!(form.is_mark(1) && form.value(1, Item::Score(Principle::Generative)) == "1");
        // a score that is cleared leaves the mark a mark
        let (_, form) = after(mark, &[set(Item::Score(Principle::Ethical), "")]);
        assert!(form.is_mark(0));
    }
}
