//! What a download does about a connection that breaks: where it goes on, how
//! often it tries and how long it waits. Without a browser, so that it can be tested.

/// How long to wait before each further try, in seconds.
const PAUSES: [u32; 4] = [1, 2, 4, 8];
/// A try that brought this much further than all before was worth it: the count begins anew.
const WORTH: usize = 256 * 1024;

/// What the server's answer means for the bytes that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It goes on where the bytes end.
    GoesOn,
    /// It is the file from its start.
    FromStart,
    /// It is of no use.
    Refused,
}

/// What to make of an answer with this status and `Content-Range`, when `held`
/// bytes are there. A status of 206 counts only if it begins where they end.
pub fn answer(status: u16, content_range: Option<&str>, held: usize) -> Answer {
    let begins = || {
        let range = content_range?.strip_prefix("bytes ")?;
        range.split('-').next()?.trim().parse::<usize>().ok()
    };
    match status {
        206 if begins() == Some(held) => Answer::GoesOn,
        200 => Answer::FromStart,
        _ => Answer::Refused,
    }
}

/// Tries of one download.
#[derive(Clone, Debug, Default)]
pub struct Tries {
    failed: usize,
    furthest: usize,
}

impl Tries {
    /// A try ended early with `held` bytes there: how many seconds to wait
    /// before the next; none when it is enough.
    pub fn pause(&mut self, held: usize) -> Option<u32> {
        if held >= self.furthest + WORTH {
            self.failed = 0;
        }
        self.furthest = self.furthest.max(held);
        self.failed += 1;
        PAUSES.get(self.failed - 1).copied()
    }

    /// `try 2 of 5`: which one comes next.
    pub fn next(&self) -> String {
        format!("try {} of {}", self.failed + 1, PAUSES.len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_goes_on_only_where_the_bytes_end() {
        assert_eq!(answer(206, Some("bytes 5-9/10"), 5), Answer::GoesOn);
        assert_eq!(answer(206, Some("bytes 4-9/10"), 5), Answer::Refused);
        assert_eq!(answer(206, Some("items 5-9/10"), 5), Answer::Refused);
        assert_eq!(answer(206, None, 0), Answer::Refused);
        assert_eq!(answer(200, None, 5), Answer::FromStart);
        assert_eq!(answer(416, Some("bytes */10"), 10), Answer::Refused);
    }

    #[test]
    fn tries_come_to_an_end() {
        let mut tries = Tries::default();
        let pauses: Vec<u32> = std::iter::from_fn(|| tries.pause(0)).collect();
        assert_eq!(pauses, PAUSES);
        assert_eq!(Tries::default().next(), "try 1 of 5");
    }

    #[test]
    fn a_connection_that_breaks_often_still_gets_there() {
        let mut tries = Tries::default();
        for held in (1..100).map(|n| n * WORTH) {
            assert_eq!(tries.pause(held), Some(1));
            assert_eq!(tries.next(), "try 2 of 5");
        }
        // but not one that breaks at the same place and begins anew each time
        let mut tries = Tries::default();
        assert_eq!(
            std::iter::from_fn(|| tries.pause(9 * WORTH)).count(),
            PAUSES.len()
        );
    }
}
