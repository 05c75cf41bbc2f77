//! Undo as a stack of documents.

/// How many steps back are kept, and how many bytes: a long text that is typed in is
/// another one at every step.
const DEPTH: usize = 200;
const BYTES: usize = 64 << 20;

/// What takes room in a history.
pub trait Bulk {
    /// Bytes that it does not share with another.
    fn bytes_beside(&self, other: &Self) -> usize;
}

/// A document with the ones before it and, after an undo, the ones after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History<T> {
    past: Vec<T>,
    present: T,
    future: Vec<T>,
    /// Names the gesture that made the present; changes of one gesture are one step.
    gesture: Option<String>,
    /// The document before the last gesture, undo or redo.
    previous: Option<T>,
}

impl<T: Clone + PartialEq + Bulk> History<T> {
    /// A history that starts here.
    pub fn new(present: T) -> Self {
        Self {
            past: Vec::new(),
            present,
            future: Vec::new(),
            gesture: None,
            previous: None,
        }
    }

    /// The document before the last gesture, undo or redo; it stays the same
    /// while the gesture goes on.
    pub fn previous(&self) -> Option<&T> {
        self.previous.as_ref()
    }

    /// The document as it is.
    pub fn present(&self) -> &T {
        &self.present
    }

    /// Changes the document. Changes with the same gesture (dragging one
    /// slider, typing in one field) are one step until [`Self::settle`].
    pub fn change(&mut self, gesture: &str, change: impl FnOnce(&mut T)) {
        let mut next = self.present.clone();
        change(&mut next);
        if next == self.present {
            return;
        }
        let before = std::mem::replace(&mut self.present, next);
        if self.gesture.as_deref() != Some(gesture) {
            self.previous = Some(before.clone());
            self.past.push(before);
            self.bound();
        }
        self.gesture = Some(gesture.to_owned());
        self.future.clear();
    }

    /// Forgets the oldest steps where there are too many; the last one stays.
    fn bound(&mut self) {
        let mut bytes = 0;
        let nexts = self.past.iter().skip(1).chain([&self.present]).rev();
        let steps = self.past.iter().rev().zip(nexts);
        let kept = steps.take(DEPTH).take_while(|(step, next)| {
            let before = bytes;
            bytes += step.bytes_beside(next);
            before == 0 || bytes <= BYTES
        });
        let gone = self.past.len() - kept.count();
        self.past.drain(..gone);
    }

    /// Ends the gesture: the next change is a step of its own.
    pub fn settle(&mut self) {
        self.gesture = None;
    }

    /// One step back.
    pub fn undo(&mut self) {
        if let Some(before) = self.past.pop() {
            self.previous = Some(self.present.clone());
            self.future
                .push(std::mem::replace(&mut self.present, before));
            self.gesture = None;
        }
    }

    /// One step forward again.
    pub fn redo(&mut self) {
        if let Some(after) = self.future.pop() {
            self.previous = Some(self.present.clone());
            self.past.push(std::mem::replace(&mut self.present, after));
            self.gesture = None;
        }
    }

    /// Whether there is a step back.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is a step forward.
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Bulk for usize {
        fn bytes_beside(&self, _: &Self) -> usize {
            1
        }
    }

    /// A text of so many megabytes.
    #[derive(Clone, Debug, PartialEq)]
    struct Large(usize);

    impl Bulk for Large {
        fn bytes_beside(&self, other: &Self) -> usize {
            if self == other { 0 } else { self.0 << 20 }
        }
    }

    #[test]
    fn long_texts_are_bounded_by_their_bytes_but_for_the_last() {
        let mut history = History::new(Large(20));
        for size in 21..30 {
            history.change(&size.to_string(), |v| v.0 = size);
        }
        assert_eq!(history.past, [Large(27), Large(28)]);
        history.change("x", |v| v.0 = 100);
        history.change("y", |v| v.0 = 0);
        assert_eq!(history.past, [Large(100)]);
    }

    #[test]
    fn a_drag_is_one_step() {
        let mut history = History::new(0_usize);
        for value in 1..=9 {
            history.change("slider", |v| *v = value);
        }
        history.settle();
        history.change("slider", |v| *v = 10);
        history.undo();
        assert_eq!(*history.present(), 9);
        history.undo();
        assert_eq!(*history.present(), 0);
        assert!(!history.can_undo());
        history.redo();
        history.redo();
        assert_eq!(*history.present(), 10);
    }

    #[test]
    fn a_change_that_changes_nothing_is_no_step() {
        let mut history = History::new(1_usize);
        history.change("a", |_| ());
        assert!(!history.can_undo());
        history.change("a", |v| *v = 2);
        history.undo();
        history.change("b", |v| *v = 3);
        assert!(!history.can_redo());
    }

    #[test]
    fn the_one_before_stays_through_a_gesture() {
        let mut history = History::new(0_usize);
        assert_eq!(history.previous(), None);
        for value in [1, 2, 3] {
            history.change("a", |v| *v = value);
            assert_eq!(history.previous(), Some(&0));
        }
        history.settle();
        history.change("a", |v| *v = 4);
        assert_eq!(history.previous(), Some(&3));
        history.undo();
        assert_eq!(history.previous(), Some(&4));
        history.redo();
        assert_eq!(history.previous(), Some(&3));
    }

    #[test]
    fn the_stack_is_bounded() {
        let mut history = History::new(0_usize);
        for value in 1..=DEPTH + 50 {
            history.change(&value.to_string(), |v| *v = value);
        }
        while history.can_undo() {
            history.undo();
        }
        assert_eq!(*history.present(), 50);
    }
}
