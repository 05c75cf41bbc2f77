//! A user's safety rules as a form: what stands in each field, as typed, and what a change does to
//! the text. Everything that a change does not concern stays as it was typed, comments too.

use std::fmt::Write;

use super::safety::CATEGORIES;
use crate::document::edit::quoted;
use crate::document::edit_yaml::{Op, edit_yaml};
use crate::document::{Node, Step, Value, normalise, parse_yaml};

/// What an item of the list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A rule that looks for words.
    Words,
    /// A rule that looks for a regular expression.
    Pattern,
    /// Words that no rule may take for a violation.
    Except,
}

impl ItemKind {
    /// The key of what it looks for.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Pattern => "pattern",
            Self::Except => "except",
        }
    }
}

/// An item of the list. Fields that are missing are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Category and severity, as typed.
    pub category: String,
    /// The same.
    pub severity: String,
    /// Words or phrases; of a pattern one.
    pub sought: Vec<String>,
    /// What is excused.
    pub exceptions: Vec<String>,
}

/// A user's rules, item by item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RulesForm {
    text: String,
    root: Option<Node>,
    /// The items.
    pub items: Vec<Item>,
}

/// A change of the form. Items are positions from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesChange {
    /// A rule that looks for words, at the end.
    AddRule(Vec<String>),
    /// Words of a category that no rule may take for a violation.
    Except {
        /// Of this category; of any without one.
        category: Option<String>,
        /// The words.
        words: String,
    },
    /// Category, severity.
    Category(usize, String),
    /// The same.
    Severity(usize, String),
    /// What it looks for, a line each; none takes nothing out.
    Sought(usize, Vec<String>),
    /// What is excused.
    Exceptions(usize, Vec<String>),
    /// Takes an item out.
    Remove(usize),
}

impl RulesForm {
    /// The form of a text; none if it is no list.
    ///
    /// ```
    /// use assay::persona::{RulesChange, RulesForm};
    /// let text = "# ours\n- category: custom # mine\n  severity: low\n  words: [lol]\n";
    /// let form = RulesForm::read(text).expect("a list");
    /// assert_eq!(form.items[0].sought, ["lol"]);
    /// let after = form.apply(&RulesChange::Severity(0, "high".into())).expect("a place");
    /// assert_eq!(after, text.replace("low", "high"));
    /// ```
    pub fn read(text: &str) -> Option<Self> {
        let text = normalise(text);
        let root = parse_yaml(&text).ok()?;
        let nodes: &[Node] = match &root.value {
            Value::List(nodes) => nodes,
            Value::Null => &[],
            _ => return None,
        };
        Some(Self {
            items: (0..nodes.len()).map(|at| item(&root, at)).collect(),
            root: Some(root),
            text,
        })
    }

    /// The text after a change; none where it cannot be made without touching anything else.
    pub fn apply(&self, change: &RulesChange) -> Option<String> {
        match change {
            RulesChange::AddRule(words) => self.added(&rule_of(words)),
            RulesChange::Except { category, words } => {
                let is_home = |item: &&Item| {
                    item.kind == ItemKind::Except
                        && item.category == category.as_deref().unwrap_or_default()
                };
                match self.items.iter().position(|item| is_home(&item)) {
                    Some(at) => self.edited(&Op::Push(path(at, Some("except")), words.clone())),
                    None => self.added(&exception_of(category.as_deref(), words)),
                }
            }
            RulesChange::Category(at, typed) => {
                self.edited(&Op::Set(path(*at, Some("category")), typed.clone()))
            }
            RulesChange::Severity(at, typed) => {
                self.edited(&Op::Set(path(*at, Some("severity")), typed.clone()))
            }
            RulesChange::Sought(at, typed) => {
                let kind = self.items.get(*at)?.kind;
                let home = path(*at, Some(kind.key()));
                if kind == ItemKind::Pattern {
                    return self.edited(&Op::Set(home, typed.join(" ")));
                }
                self.edited(&Op::SetList(home, typed.clone()))
            }
            RulesChange::Exceptions(at, typed) => {
                let home = path(*at, Some("exceptions"));
                let is_there = self.root.as_ref()?.at(&home).is_some();
                match (typed.is_empty(), is_there) {
                    (true, false) => Some(self.text.clone()),
                    (true, true) => self.edited(&Op::Remove(home)),
                    (false, _) => self.edited(&Op::SetList(home, typed.clone())),
                }
            }
            RulesChange::Remove(at) => self.edited(&Op::Remove(path(*at, None))),
        }
    }

    fn edited(&self, op: &Op) -> Option<String> {
        edit_yaml(&self.text, self.root.as_ref()?, op)
    }

    /// The text with an item behind the last one, where that makes a list with one item more.
    fn added(&self, lines: &str) -> Option<String> {
        let is_dash = |line: &&str| line.trim_start().starts_with("- ");
        let first = self.text.lines().find(is_dash).unwrap_or_default();
        let indent = &first[..first.len() - first.trim_start().len()];
        let mut text = self.text.clone();
        // what stands for an empty list gives way to one
        if self.items.is_empty() && text.trim() == "[]" {
            text.clear();
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        for line in lines.lines() {
            let _ = writeln!(text, "{indent}{line}"); // writing to a String cannot fail
        }
        let after = Self::read(&text)?;
        let (last, before) = after.items.split_last()?;
        let same = before == self.items && last.kind != ItemKind::Pattern;
        same.then_some(text)
    }
}

fn path(at: usize, key: Option<&str>) -> Vec<Step> {
    let key = key.map(Step::from);
    std::iter::once(Step::Item(at)).chain(key).collect()
}

fn listed(key: &str, words: &[String]) -> String {
    let mut lines = format!("  {key}:\n");
    for word in words {
        let _ = writeln!(lines, "    - {}", quoted(word)); // cannot fail
    }
    lines
}

fn rule_of(words: &[String]) -> String {
    format!(
        "- category: custom\n  severity: medium\n{}",
        listed("words", words)
    )
}

fn exception_of(category: Option<&str>, words: &str) -> String {
    let words = listed("except", &[words.to_owned()]);
    match category.filter(|category| CATEGORIES.contains(category)) {
        Some(category) => format!("- category: {category}\n{words}"),
        None => format!("-{}", &words[1..]),
    }
}

fn item(root: &Node, at: usize) -> Item {
    let has = |key: &str| root.at(&path(at, Some(key))).is_some();
    let kind = if has("except") {
        ItemKind::Except
    } else if has("pattern") {
        ItemKind::Pattern
    } else {
        ItemKind::Words
    };
    Item {
        kind,
        category: root.typed(&path(at, Some("category"))),
        severity: root.typed(&path(at, Some("severity"))),
        sought: texts(root, &path(at, Some(kind.key()))),
        exceptions: texts(root, &path(at, Some("exceptions"))),
    }
}

/// The texts of a list; one that stands alone is a list of it.
fn texts(root: &Node, home: &[Step]) -> Vec<String> {
    match root.at(home).map(|node| &node.value) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::List(items)) => (0..items.len())
            .map(|at| {
                let mut home = home.to_vec();
                home.push(Step::Item(at));
                root.typed(&home)
            })
            .collect(),
        Some(_) => vec![root.typed(home)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::persona::tried;

    const TEXT: &str = "# what we do not say\n- category: custom # ours\n  severity: high\n  words:\n    - purple lion\n    - golden cow\n- category: violence\n  severity: low\n  pattern: kick(ed)? the .*\n  exceptions: [kick the ball]\n";

    #[expect(
        clippy::needless_pass_by_value,
        reason = "each change is made where it is used"
    )]
    fn after(text: &str, change: RulesChange) -> String {
        let form = RulesForm::read(text).expect("a list");
        form.apply(&change).expect("a change")
    }

    #[test]
    fn words_in_brackets_take_another() {
        let text =
            "# ours\n- category: offensive # mine\n  severity: high\n  words: [zounderkite]\n";
        let changed = after(
            text,
            RulesChange::Sought(0, vec!["zounderkite".into(), "gowk".into()]),
        );
        let found = tried("Thou gowk, thou zounderkite.", &changed);
        assert_eq!(found.len(), 2, "{changed}");
    }

    #[test]
    fn items_are_as_typed() {
        let form = RulesForm::read(TEXT).expect("a list");
        let [words, pattern] = &form.items[..] else {
            panic!("two items: {form:?}");
        };
        assert_eq!(
            (words.kind, pattern.kind),
            (ItemKind::Words, ItemKind::Pattern)
        );
        assert_eq!(words.sought, ["purple lion", "golden cow"]);
        assert_eq!(pattern.sought, ["kick(ed)? the .*"]);
        assert_eq!(pattern.exceptions, ["kick the ball"]);
        assert!(RulesForm::read("rules: 1").is_none());
        assert_eq!(RulesForm::read("").expect("empty").items, vec![]);
    }

    #[test]
    fn a_change_leaves_the_rest_as_it_was() {
        let changed = after(TEXT, RulesChange::Category(0, "offensive".into()));
        assert_eq!(changed, TEXT.replacen("custom", "offensive", 1));
        let changed = after(TEXT, RulesChange::Sought(1, vec!["punt".into()]));
        assert_eq!(changed, TEXT.replace("kick(ed)? the .*", "punt"));
        let excepted = after(
            TEXT,
            RulesChange::Exceptions(0, vec!["the purple lion".into()]),
        );
        assert!(excepted.contains("# ours") && excepted.contains("the purple lion"));
        let bare = after(&excepted, RulesChange::Exceptions(0, vec![]));
        assert_eq!(bare, TEXT);
        let removed = after(TEXT, RulesChange::Remove(1));
        assert!(removed.starts_with("# what we do not say\n") && !removed.contains("kick"));
    }

    #[test]
    fn rules_and_exceptions_are_added_at_the_end() {
        for text in [
            "",
            TEXT,
            "  - {category: custom, severity: low, words: [x]}",
            "[]\n",
        ] {
            let added = after(text, RulesChange::AddRule(vec!["say \"no\"".into()]));
            let form = RulesForm::read(&added).expect("a list");
            let last = form.items.last().expect("the new one");
            assert_eq!(
                (last.kind, &*last.sought),
                (ItemKind::Words, &["say \"no\"".to_owned()][..])
            );
            assert_eq!(tried("We say \"no\" here", &added).len(), 1, "{added}");
        }
        let except = |text: &str, category: Option<&str>, words: &str| {
            let category = category.map(str::to_owned);
            let words = words.to_owned();
            after(text, RulesChange::Except { category, words })
        };
        let one = except("", Some("violence"), "kill you");
        assert_eq!(one, "- category: violence\n  except:\n    - \"kill you\"\n");
        let two = except(&one, Some("violence"), "slap you");
        assert_eq!(
            RulesForm::read(&two).expect("a list").items[0].sought.len(),
            2
        );
        let any = except(&two, None, "eat you");
        assert_eq!(RulesForm::read(&any).expect("a list").items.len(), 2);
        assert!(
            tried("I will kill you.", &any)
                .iter()
                .all(|found| found.excuse.is_some())
        );
    }

    #[test]
    fn a_list_in_one_line_is_left_to_the_text() {
        let form =
            RulesForm::read("[{category: custom, severity: low, words: [x]}]").expect("a list");
        assert_eq!(form.apply(&RulesChange::AddRule(vec!["y".into()])), None);
    }
}
