//! Mends: a fault that was survived and told is taken out of the text itself, with nothing else
//! in it changed. What is left out is an item of a list, or a line; what is numbered anew keeps
//! every number that can stay.

use std::collections::{BTreeMap, HashMap};

use super::edit::{Draft, edit_value};
use super::json::read_json;
use super::node::{Node, Number, Value};
use super::normalise::normalise;
use super::path::Step;
use super::pieces::{Piece, found_in_steps};
use super::problem::{Mend, Numbering, Problems};
use super::slips::{lone_surrogates, replaced};
use crate::steps::{THROUGH, at_once};
use crate::text::{Place, Places, sort_by_key};

/// A text with problems at these places mended; none where there is nothing to mend.
///
/// ```
/// use assay::{document::{Mend, mended}, text::Place};
/// let second = Place { line: 2, column: 4 };
/// let text = "{\"a\": 1}\n{\"a\": \n{\"a\": 2}\n";
/// let rest = mended(&Mend::LeaveOut, text, &[second]);
/// assert_eq!(rest.as_deref(), Some("{\"a\": 1}\n{\"a\": 2}\n"));
/// ```
pub fn mended(mend: &Mend, text: &str, places: &[Place]) -> Option<String> {
    let text = &normalise(text);
    let out = match mend {
        Mend::LeaveOut => left_out(text, places),
        Mend::Number(numbering) => numbered(text, numbering),
        Mend::Halves => replaced(text, &lone_surrogates(text)),
    };
    (out != *text).then_some(out)
}

/// The values of a text: the lines, where each is one or is meant to be, so that one that is cut
/// off does not swallow those after it.
fn units(text: &str) -> Vec<Piece> {
    let found = at_once(found_in_steps(text, THROUGH));
    let mut found = [found.values, found.strays].concat();
    found.sort_by_key(|piece| piece.range.start);
    let whole = |piece: &Piece| read_json(text, piece, &mut Problems::new()).is_some();
    let is_line = |line: &str| line.trim_start().starts_with(['{', '[']);
    let mut filled = text.lines().filter(|line| !line.trim().is_empty());
    if found.iter().all(whole) || !filled.all(is_line) {
        return found;
    }
    let (mut places, mut at, mut lines) = (Places::new(text), 0, Vec::new());
    for line in text.split_inclusive('\n') {
        let own = line.trim();
        if !own.is_empty() {
            let start = at + line.len() - line.trim_start().len();
            lines.push(Piece {
                range: start..start + own.len(),
                place: places.at(start),
            });
        }
        at += line.len();
    }
    lines
}

/// The value of a unit, with places of the whole text and bytes of its own.
fn value(text: &str, unit: &Piece) -> Option<Node> {
    let own = Piece {
        range: 0..unit.range.len(),
        place: unit.place,
    };
    read_json(unit.of(text), &own, &mut Problems::new())
}

/// The text with other words for some of its units; those without words go with their lines.
fn rewritten(text: &str, units: &[Piece], with: &BTreeMap<usize, Option<String>>) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (unit, words) in with {
        let range = &units[*unit].range;
        let (start, end) = match words {
            Some(_) => (range.start, range.end),
            None => line_around(text, range.start, range.end),
        };
        out.push_str(&text[at..start]);
        out.push_str(words.as_deref().unwrap_or_default());
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// A stretch with its line, where nothing else stands on it.
fn line_around(text: &str, start: usize, end: usize) -> (usize, usize) {
    let before = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let after = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    let is_alone = text[before..start].trim().is_empty() && text[end..after].trim().is_empty();
    if is_alone {
        (before, after)
    } else {
        (start, end)
    }
}

fn left_out(text: &str, places: &[Place]) -> String {
    let units = units(text);
    let mut by_unit = BTreeMap::<usize, Vec<Place>>::new();
    for place in places {
        let after = units.partition_point(|unit| unit.place <= *place);
        by_unit
            .entry(after.saturating_sub(1))
            .or_default()
            .push(*place);
    }
    let with = by_unit.into_iter().map(|(at, places)| {
        let words =
            value(text, &units[at]).and_then(|root| without(units[at].of(text), &root, &places));
        (at, words)
    });
    rewritten(text, &units, &with.collect())
}

/// A value without the rows at some places; none where it is such a row itself.
fn without(own: &str, root: &Node, places: &[Place]) -> Option<String> {
    let mut lists = BTreeMap::<Vec<usize>, (Vec<Step>, Vec<usize>)>::new();
    for place in places {
        let (path, item) = row_at(root, *place)?;
        // paths have no order; where their lists begin does
        let begins = root.at(&path).map_or(0, |list| list.bytes().start);
        lists
            .entry(vec![begins])
            .or_insert_with(|| (path, Vec::new()))
            .1
            .push(item);
    }
    let leave_out = |draft: &mut Draft| {
        for (path, mut items) in lists.into_values() {
            items.sort_unstable();
            draft.retain(&path, |item| items.binary_search(&item).is_err());
        }
    };
    Some(edit_value(own, root, leave_out))
}

/// The keys of lists of rows.
const LISTS: [&str; 2] = ["turns", "messages"];

/// The innermost row of a list that a place is in: the list, and which item.
fn row_at(root: &Node, place: Place) -> Option<(Vec<Step>, usize)> {
    let (mut path, mut node, mut found) = (Vec::new(), root, None);
    loop {
        let inner = LISTS.iter().find_map(|key| {
            let list = node.get(key).filter(|list| list.place <= place)?;
            Some((*key, list))
        });
        if let Some((key, list)) = inner {
            path.push(Step::from(key));
            node = list;
        }
        let after = node.items().partition_point(|item| item.place <= place);
        let Some(item) = after.checked_sub(1) else {
            return found;
        };
        found = Some((path.clone(), item));
        path.push(Step::Item(item));
        node = &node.items()[item];
    }
}

/// A turn in its text.
struct Row<'a> {
    unit: usize,
    path: Vec<Step>,
    session: String,
    /// The key of its number, and the number as it stands.
    key: &'static str,
    given: Option<i64>,
    node: &'a Node,
}

fn numbered(text: &str, numbering: &Numbering) -> String {
    let units = units(text);
    let roots: Vec<_> = units.iter().map(|unit| value(text, unit)).collect();
    let mut rows = Vec::new();
    for (unit, root) in roots.iter().enumerate() {
        if let Some(root) = root {
            add_rows(root, unit, numbering, &mut rows);
        }
    }
    let mut by_unit = BTreeMap::<usize, Vec<(Vec<Step>, i64)>>::new();
    for (row, number) in numbers(&rows, numbering.is_order) {
        let mut path = row.path.clone();
        path.push(Step::from(row.key));
        by_unit.entry(row.unit).or_default().push((path, number));
    }
    let with = by_unit.into_iter().filter_map(|(at, changes)| {
        let number = |draft: &mut Draft| {
            for (path, number) in &changes {
                draft.set(path, &number.to_string());
            }
        };
        let root = roots[at].as_ref()?;
        Some((at, Some(edit_value(units[at].of(text), root, number))))
    });
    rewritten(text, &units, &with.collect())
}

fn add_rows<'a>(root: &'a Node, unit: usize, numbering: &Numbering, rows: &mut Vec<Row<'a>>) {
    let mut add = |node: &'a Node, path: Vec<Step>, session: String| {
        let key = numbering
            .keys
            .iter()
            .find(|(has, _)| has.is_empty() || node.get(has).is_some());
        let Some((_, key)) = key.filter(|(_, key)| node.is_object() && !key.is_empty()) else {
            return;
        };
        let given = match node.get(key).map(|number| &number.value) {
            Some(Value::Number(Number::Integer(number))) => Some(*number),
            _ => None,
        };
        rows.push(Row {
            unit,
            path,
            session,
            key,
            given,
            node,
        });
    };
    let id = |node: &Node| node.typed(&[Step::from("session_id")]);
    let items = match &root.value {
        Value::List(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| (vec![Step::Item(at)], item))
            .collect(),
        _ => vec![(Vec::new(), root)],
    };
    for (at, (path, item)) in items.into_iter().enumerate() {
        let Some(turns) = item.get("turns") else {
            add(item, path, id(item));
            continue;
        };
        // a session without an id is one of its own
        let session = match id(item) {
            id if id.is_empty() => format!("\0{unit} {at}"),
            id => id,
        };
        for (turn, node) in turns.items().iter().enumerate() {
            let own = [Step::from("turns"), Step::Item(turn)];
            let path = path.iter().cloned().chain(own).collect();
            add(node, path, session.clone());
        }
    }
}

/// The rows whose numbers change, with these: in each session they go up.
fn numbers<'r, 'a>(rows: &'r [Row<'a>], is_order: bool) -> Vec<(&'r Row<'a>, i64)> {
    let mut sessions = HashMap::<&str, Vec<(i64, &Row)>>::new();
    for row in rows {
        let own = sessions.entry(&row.session).or_default();
        let next = match own.last() {
            Some((before, _)) if is_order => before.saturating_add(1),
            _ => own.len() as i64 + 1,
        };
        own.push((row.given.unwrap_or(next), row));
    }
    let mut changed = Vec::new();
    for own in sessions.values_mut() {
        if is_order {
            sort_by_key(own, |(number, _)| *number);
        }
        let mut last: Option<i64> = None;
        for (number, row) in own {
            let new = last.map_or(*number, |last| (*number).max(last.saturating_add(1)));
            // without a number a turn has its place, unless numbers are the order
            let stays =
                row.given == Some(new) || row.given.is_none() && !is_order && *number == new;
            if !stays {
                changed.push((*row, new));
            }
            last = Some(new);
        }
    }
    sort_by_key(&mut changed, |(row, _)| (row.unit, row.node.range.start));
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_PLACE: Mend = Mend::Number(Numbering {
        keys: &[("", "n")],
        is_order: false,
    });
    const BY_NUMBER: Mend = Mend::Number(Numbering {
        keys: &[("messages", ""), ("role", "n"), ("user", "m")],
        is_order: true,
    });

    fn at(line: u32, column: u32) -> Place {
        Place { line, column }
    }

    fn without(text: &str, places: &[Place]) -> Option<String> {
        mended(&Mend::LeaveOut, text, places)
    }

    #[test]
    fn a_row_is_left_out_with_its_line_and_nothing_else_changes() {
        let lines = "{\"a\":  1}\n\n{\"a\": \n{\"a\": 2}";
        let broken = without(lines, &[at(3, 7)]);
        assert_eq!(broken.as_deref(), Some("{\"a\":  1}\n\n{\"a\": 2}"));
        assert_eq!(
            without(lines, &[at(4, 7), at(1, 1)]).as_deref(),
            Some("\n{\"a\": \n")
        );
        // also where the first two lines are broken
        let lines = "{\"a\"\n{\"b\n{\"a\": 2}\n";
        assert_eq!(
            without(lines, &[at(1, 5)]).as_deref(),
            Some("{\"b\n{\"a\": 2}\n")
        );
        let list = "[\n  {\"a\": 1},\n  {\"a\": 2},\n  {\"a\": 3}\n]";
        assert_eq!(
            without(list, &[at(3, 9)]).as_deref(),
            Some("[\n  {\"a\": 1},\n  {\"a\": 3}\n]")
        );
        assert_eq!(
            without(list, &[at(2, 3), at(3, 3), at(4, 3)]).as_deref(),
            Some("[]")
        );
    }

    #[test]
    fn in_a_session_or_a_conversation_only_the_turn_is_left_out() {
        let text =
            "{\"turns\": [{\"a\": [1]}, 7], \"b\": 1}\n{\"messages\": [{\"role\": \"x\"}, {}]}\n";
        assert_eq!(
            without(text, &[at(1, 24), at(2, 24)]).as_deref(),
            Some("{\"turns\": [{\"a\": [1]}], \"b\": 1}\n{\"messages\": [{}]}\n")
        );
        let nested = "[{\"turns\": [{}, {}]}, {\"turns\": [{}]}]";
        assert_eq!(
            without(nested, &[at(1, 17)]).as_deref(),
            Some("[{\"turns\": [{}]}, {\"turns\": [{}]}]")
        );
        assert_eq!(without("", &[]), None);
    }

    #[test]
    fn numbers_go_up_in_each_session_and_what_can_stay_stays() {
        let number = |text: &str| mended(&BY_PLACE, text, &[]);
        assert_eq!(
            number("[{\"n\": 1}, {\"n\": 1},\n {\"n\":4}, {\"n\": 2}]").as_deref(),
            Some("[{\"n\": 1}, {\"n\": 2},\n {\"n\":4}, {\"n\": 5}]")
        );
        assert_eq!(
            number("{\"session_id\": \"a\", \"n\": 3}\n{\"n\": 1, \"session_id\": 7}\n{\"session_id\": \"a\", \"n\": 3}\n").as_deref(),
            Some("{\"session_id\": \"a\", \"n\": 3}\n{\"n\": 1, \"session_id\": 7}\n{\"session_id\": \"a\", \"n\": 4}\n")
        );
        // what has no number has its place, and that is none too few
        assert_eq!(number("[{}, {\"n\": 2}]"), None);
        assert_eq!(
            number("{\"turns\": [{\"n\": 5}, {}]}").as_deref(),
            Some("{\"turns\": [{\"n\": 5}, {\"n\": 6}]}")
        );
        assert_eq!(
            number("{\"turns\": [{\"n\": 5}]}\n{\"turns\": [{\"n\": 5}]}"),
            None
        );
        // a number that is none is a fault of its own
        assert_eq!(number("[{\"n\": 1}, 3, {\"n\": \"x\"}]"), None);
    }

    #[test]
    fn numbers_that_are_an_order_keep_it() {
        let number = |text: &str| mended(&BY_NUMBER, text, &[]);
        assert_eq!(
            number("{\"role\": 1, \"n\": 2}\n{\"role\": 1, \"n\": 1}\n{\"user\": 1, \"m\": 2}\n{\"role\": 1}\n{\"messages\": [], \"role\": 1}").as_deref(),
            Some("{\"role\": 1, \"n\": 2}\n{\"role\": 1, \"n\": 1}\n{\"user\": 1, \"m\": 3}\n{\"role\": 1, \"n\": 4}\n{\"messages\": [], \"role\": 1}")
        );
    }

    #[test]
    fn halves_of_characters_are_written_as_what_stands_for_them() {
        let whole = mended(&Mend::Halves, "[\"\\ud83d\"]", &[]);
        assert_eq!(whole.as_deref(), Some("[\"\\ufffd\"]"));
        assert_eq!(mended(&Mend::Halves, "[\"a\"]", &[]), None);
    }
}
