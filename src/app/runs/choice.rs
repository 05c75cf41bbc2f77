//! Which runs are listed, and in what order.

use super::run::Run;
use crate::app::bench::Bench;

/// So many digits are the beginning of a hash, and no word.
const HASH: usize = 6;

/// The order of the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest first.
    #[default]
    Newest,
    /// By their names.
    Name,
    /// By their benches, the newest of each first.
    Bench,
    /// By what was said of them.
    Verdict,
}

impl Order {
    /// All, with the words in which each is offered.
    pub const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::Newest, "newest", "Newest first"),
        (Self::Name, "name", "By name"),
        (Self::Bench, "bench", "By bench"),
        (Self::Verdict, "verdict", "By verdict"),
    ];
}

/// What is chosen of the runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Words that are to stand in what is said of a run.
    pub words: String,
    /// One bench alone.
    pub bench: Option<&'static Bench>,
    pub order: Order,
}

impl Choice {
    fn takes(&self, run: &Run) -> bool {
        let said = [&run.name, &run.verdict].into_iter().chain(&run.tags);
        let said = said.map(|text| text.to_lowercase());
        let said: Vec<String> = said.chain([run.weights()]).collect();
        let has = |word: &str| {
            let is_hash = word.len() >= HASH && run.input_sha256.starts_with(word);
            is_hash || said.iter().any(|text| text.contains(word))
        };
        self.bench.is_none_or(|bench| bench == run.bench)
            && self.words.to_lowercase().split_whitespace().all(has)
    }

    /// The runs that are chosen, in their order.
    pub fn of(&self, runs: &[Run]) -> Vec<Run> {
        let mut chosen: Vec<Run> = runs.iter().filter(|run| self.takes(run)).cloned().collect();
        crate::text::sort_by(&mut chosen, |one, other| {
            let newest = || other.at.total_cmp(&one.at);
            match self.order {
                Order::Newest => newest(),
                Order::Name => one.name.to_lowercase().cmp(&other.name.to_lowercase()),
                Order::Bench => one.bench.title.cmp(other.bench.title).then_with(newest),
                Order::Verdict => one.verdict.cmp(&other.verdict),
            }
        });
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bench::named;
    use crate::app::benches::BENCHES;
    use crate::app::desk::Work;

    #[test]
    fn runs_are_found_by_all_that_is_said_of_them() {
        let bench = |name| named(BENCHES, name).expect("a bench");
        let run = |name: &str, verdict: &str, at| {
            let work = Work::of("poem", name);
            Run::of(bench("toy"), &work, name.into(), verdict.into(), at)
        };
        let mut runs = [
            run("beta", "A wins", 1.0),
            run("Alpha", "C wins", 3.0),
            run("gamma", "B wins", 2.0),
        ];
        runs[0].tags = vec!["Release".into()];
        let names = |choice: &Choice| {
            let chosen = choice.of(&runs).into_iter();
            chosen.map(|run| run.name).collect::<Vec<_>>()
        };
        let words = |words: &str| Choice {
            words: words.into(),
            ..Choice::default()
        };
        let order = |order| Choice {
            order,
            ..Choice::default()
        };
        assert_eq!(names(&Choice::default()), ["Alpha", "gamma", "beta"]);
        assert_eq!(names(&order(Order::Name)), ["Alpha", "beta", "gamma"]);
        assert_eq!(names(&order(Order::Verdict)), ["beta", "gamma", "Alpha"]);
        assert_eq!(names(&words("wins RELEASE")), ["beta"]);
        assert_eq!(names(&words("a wins")), ["Alpha", "gamma", "beta"]);
        assert_eq!(names(&words("gam wins")), ["gamma"]);
        assert_eq!(names(&words(&runs[1].input_sha256[..12])), ["Alpha"]);
        let other = Choice {
            bench: Some(bench("debate")),
            ..Choice::default()
        };
        assert!(names(&other).is_empty());
    }
}
