//! A debate's verdict in words, and how firm it is. Every number of the method in it
//! is the method's own constant.

use std::collections::BTreeSet;

use crate::analysis::agreement::{AGREED, TENTATIVE};
use crate::app::format::{count, fixed, name, percent, short};
use crate::app::verdict::{Tone, Verdict};
use crate::app::words::{flip_words, no_flip};
use crate::debate::rules::{CLEAR_GAP, ELIMINATION, SUFFICIENT};
use crate::debate::{
    ASK, DebateResult, Decision, DomainStanding, Intervals, LeftOut, Payload, Row, Ruling, Spread,
    Uncertainty, best_two, capital, gap, is_firm,
};
use crate::document::{Code, Problem, Severity};
use crate::text::sort_by_key;

/// What stands within the interval of a debate's weight.
pub const VERDICT_STANDS: &str = "The verdict stands";

/// What was asked.
pub fn topic(payload: &Payload) -> Option<String> {
    let question = payload.question.as_deref().map(str::trim);
    question.filter(|question| !question.is_empty()).map(name)
}

/// The input in a few lines: what was asked, and how much there is.
pub fn gist(payload: &Payload) -> Vec<String> {
    let question = topic(payload).unwrap_or_else(|| "No question".to_owned());
    let candidates = payload.candidates.iter();
    let reviews = candidates.flat_map(|candidate| &candidate.reviews);
    let named: BTreeSet<&str> = reviews
        .filter_map(|review| review.debater.as_deref())
        .collect();
    let of = count(payload.candidates.len(), "candidate");
    let by = match named.len() {
        0 => String::new(),
        number => format!(", {}", count(number, "debater")),
    };
    let mut lines = vec![question, format!("{of}{by}")];
    if !payload.pairwise.is_empty() {
        let pairs = payload.candidates.len() * (payload.candidates.len() - 1) / 2;
        let decided = payload.pairwise.len();
        lines.push(format!("{decided} of {pairs} head-to-heads"));
    }
    lines
}

/// Whether a problem is a rating that is not entered yet: the form counts those.
pub fn is_unfilled(problem: &Problem) -> bool {
    let is_missing = problem.severity == Severity::Error && problem.code == Code::Missing;
    is_missing && problem.path.contains(".reviews[")
}

/// What is missing before there is a verdict, while the form is looked at: the ratings
/// that are given of all, and how many mistakes there are.
pub fn unfinished(problems: &[Problem], (given, all): (usize, usize)) -> String {
    let errors = problems.iter().filter(|p| p.severity == Severity::Error);
    let (unfilled, wrong): (Vec<&Problem>, Vec<&Problem>) = errors.partition(|p| is_unfilled(p));
    let left = (!unfilled.is_empty()).then(|| {
        format!(
            "{given} of {} entered: the verdict comes with the last.",
            count(all, "rating")
        )
    });
    let wrong = match wrong.len() {
        0 => None,
        1 => Some("One mistake has to be corrected; it is listed below the form.".to_owned()),
        number => Some(format!(
            "{number} mistakes have to be corrected; they are listed below the form."
        )),
    };
    let said: Vec<String> = [left, wrong].into_iter().flatten().collect();
    said.join(" ")
}

/// The verdict of a debate; of one with an edit that is only tried it says so.
pub fn verdict(result: &DebateResult) -> Verdict {
    let verdict = plain_verdict(result);
    match &result.what_if {
        None => verdict,
        Some(tried) => Verdict::new(
            Tone::Caution,
            format!("What if: {}", verdict.headline),
            format!("Not as entered: {}. {}", tried.words, verdict.detail),
        ),
    }
}

/// The verdict alone, whether it follows from what was entered or not.
pub fn plain_verdict(result: &DebateResult) -> Verdict {
    let out = result.results.iter().filter(|row| row.eliminated).count();
    let also_out = match out {
        0 => String::new(),
        out => format!(" {} eliminated.", count(out, "candidate")),
    };
    let tie = result
        .tie_broken_by
        .map_or_else(String::new, |by| format!(" {}", by.sentence()));
    let idle = result.idle_pairwise().map_or(
        "",
        |_| " Nobody has won a head-to-head: pairwise adds 0 to every score.",
    );
    let also_out = also_out + idle;
    let headline = Ruling::of(result).headline();
    let ask = capital(ASK);
    match (result.decision, best_two(&result.results)) {
        (Decision::Winner, [Some(first), second]) => {
            let over = second.map_or_else(
                || "The only candidate left.".to_owned(),
                |second| lead(first, second) + &tie,
            );
            let headline = format!("{headline}: {}", fixed(first.score, 2));
            Verdict::new(Tone::Good, headline, over + &also_out)
        }
        (Decision::Hybrid, [Some(first), Some(second)]) => Verdict::new(
            Tone::Caution,
            headline,
            no_lead(first, second) + &tie + &also_out,
        ),
        (Decision::Insufficient, [Some(first), _]) => {
            let score = beside(first.score, SUFFICIENT);
            let needs = format!(
                "The best score is {score} ({}), and a decision needs {SUFFICIENT:.2}.",
                name(&first.id)
            );
            Verdict::new(Tone::Caution, headline, format!("{needs} {ask}.{also_out}"))
        }
        _ => Verdict::new(
            Tone::Bad,
            headline,
            format!("Every candidate has {ELIMINATION}. {ask}."),
        ),
    }
}

/// A number beside a bound of the method: what is below it never looks as if it were not.
fn beside(value: f64, bound: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    if (rounded < bound) == (value < bound) {
        fixed(value, 2)
    } else {
        short(value)
    }
}

fn lead(first: &Row, second: &Row) -> String {
    format!(
        "Ahead of {} by {}; from {CLEAR_GAP:.2} on a lead is a win.",
        name(&second.id),
        fixed(gap(first.score, second.score), 2)
    )
}

fn no_lead(first: &Row, second: &Row) -> String {
    let gap = gap(first.score, second.score);
    let decimals = decimals([first.score, second.score, gap]);
    let apart = if decimals > 2 {
        fixed(gap, decimals)
    } else {
        beside(gap, CLEAR_GAP)
    };
    format!(
        "{} against {}: {apart} apart, and below {CLEAR_GAP:.2} the top two are combined.",
        fixed(first.score, decimals),
        fixed(second.score, decimals),
    )
}

/// As many decimals as it takes for a difference to be right as it is shown.
fn decimals([minuend, subtrahend, difference]: [f64; 3]) -> usize {
    let right = |decimals: &usize| {
        let steps = 10_f64.powi(i32::try_from(*decimals).unwrap_or(4));
        // as they are printed
        let shown = |value: f64| {
            let printed = format!("{value:.decimals$}").parse().unwrap_or(value);
            (printed * steps).round()
        };
        let off: f64 = shown(minuend) - shown(subtrahend) - shown(difference);
        off.abs() < 0.5
    };
    (2..4).find(right).unwrap_or(4)
}

/// A verdict in a word or two, under a column of a chart that shows whom it names.
pub fn outcome(ruling: &Ruling) -> &'static str {
    match ruling.decision {
        Decision::Winner => "wins",
        Decision::Hybrid => "combine",
        Decision::Insufficient => "too low",
        Decision::AllEliminated => "all out",
    }
}

/// Which verdict each domain comes to, the commonest first.
pub fn by_domain(domains: &[DomainStanding]) -> String {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for domain in domains {
        let words = domain.ruling.words();
        let name = name(&domain.name);
        match said.iter_mut().find(|(other, _)| *other == words) {
            Some((_, names)) => names.push(name),
            None => said.push((words, vec![name])),
        }
    }
    if let [(words, names)] = said.as_slice() {
        return format!("Under all {} sets of weights: {words}.", names.len());
    }
    // stable: as many domains keep the order of the columns
    sort_by_key(&mut said, |(_, names)| std::cmp::Reverse(names.len()));
    let said = said.iter();
    let said = said.map(|(words, names)| format!("with {}: {words}", names.join(", ")));
    format!("{}.", capital(&said.collect::<Vec<_>>().join("; ")))
}

/// Whose absence changes the verdict, beside how firm it is against weights. A dash keeps
/// the place of it while it is out of date.
pub fn decisive(left_out: &[LeftOut], is_current: bool) -> String {
    if let [only] = left_out {
        return format!("It rests on {} alone. ", name(&only.name));
    }
    let decisive: Vec<&LeftOut> = left_out.iter().filter(|debater| debater.changes).collect();
    match (decisive.as_slice(), left_out.len()) {
        (_, 0) => String::new(),
        _ if !is_current => "Without one debater: –. ".to_owned(),
        ([], _) => "Without any one debater it is the same. ".to_owned(),
        ([first, rest @ ..], _) => {
            let then = first.ruling.as_ref().map(Ruling::words).unwrap_or_default();
            let more = match rest {
                [] => String::new(),
                [second] => format!("Without {} it changes too. ", name(&second.name)),
                rest => format!("Without any of {} others it changes too. ", rest.len()),
            };
            format!("Without {}: {then}. {more}", name(&first.name))
        }
    }
}

/// The nearest flip in a sentence.
pub fn nearest_flip(intervals: &Intervals) -> String {
    let nearest = intervals
        .nearest_relative
        .as_ref()
        .or(intervals.nearest_absolute.as_ref());
    nearest.map_or_else(
        || no_flip("the verdict"),
        |flip| flip_words(flip.from, flip.to, &flip.words),
    )
}

/// How firm the verdict of a debate is; the share of weight space once it is known.
/// While the shares are out of date a dash keeps the place of theirs, so that in a
/// drag nothing below moves. `decisive` is what is said of the debaters, see [`decisive`].
pub fn how_firm(
    intervals: &Intervals,
    decisive: &str,
    shares: Option<&Uncertainty>,
    is_current: bool,
) -> String {
    let ruling = &intervals.ruling;
    let flip = nearest_flip(intervals);
    let Some(winner) = &ruling.winner else {
        return format!("{decisive}{flip}");
    };
    let verdict = if is_firm(intervals, shares.filter(|_| is_current)) {
        "Firm against weights. "
    } else if ruling.decision == Decision::Winner {
        "Not firm: no clear winner. "
    } else {
        ""
    };
    let share = shares.map_or_else(String::new, |shares| {
        let space = match shares.options.spread {
            Spread::Simplex => "of all weights with the same sum".to_owned(),
            Spread::WithinPercent(within) => {
                format!("of the weights within {within} % of these")
            }
        };
        // it is being counted; the sentence keeps its length, so that nothing moves
        let share = if is_current {
            percent(shares.first(winner))
        } else {
            "…".to_owned()
        };
        // to be first is less than to win where the top two are close
        let wins = match ruling.decision {
            Decision::Hybrid if is_current => {
                format!(
                    ", and far enough ahead in {} %",
                    percent(shares.wins(winner))
                )
            }
            Decision::Hybrid => ", and far enough ahead in … %".to_owned(),
            _ => String::new(),
        };
        format!(" {} is first in {share} % {space}{wins}.", name(winner))
    });
    format!("{verdict}{decisive}{flip}{share}")
}

/// What an agreement means (Krippendorff's own bounds).
pub fn agreement(alpha: Option<f64>, low: Option<f64>) -> &'static str {
    match alpha {
        Some(alpha) if alpha > 0.0 && low.is_some_and(|low| low <= 0.0) => {
            "too few ratings to tell: it may be chance"
        }
        None => "not defined: too few ratings, or all the same",
        Some(alpha) if alpha >= AGREED => "they agree",
        Some(alpha) if alpha >= TENTATIVE => "they agree tentatively",
        Some(alpha) if alpha > 0.0 => "they agree little",
        Some(_) => "no more than by chance",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debate::rules::FIRM_CHANGE;
    use crate::debate::{
        Board, NearestFlip, Options, Profiles, UncertaintyOptions, evaluate, read,
    };

    /// A debate of A and B; of each, the reviews as support, evidence,
    /// major_risks, critical_fail. Head-to-heads weigh nothing.
    fn said(a: &[[u8; 4]], b: &[[u8; 4]], base: f64, risk: f64) -> Verdict {
        let reviews = |all: &[[u8; 4]]| {
            let all = all.iter().map(|[support, evidence, risks, fail]| {
                format!(
                    r#"{{"support": {support}, "evidence": {evidence}, "major_risks": {risks}, "critical_fail": {fail}}}"#
                )
            });
            all.collect::<Vec<_>>().join(",")
        };
        let text = format!(
            r#"{{"candidates": [{{"id": "A", "wins": 1, "reviews": [{}]}}, {{"id": "B", "wins": 0, "reviews": [{}]}}]}}"#,
            reviews(a),
            reviews(b)
        );
        let weights = [("w_base", base), ("w_pairwise", 0.0), ("w_risk", risk)];
        let options = Options {
            weights: weights.map(|(name, value)| (name.to_owned(), value)).into(),
            ..Options::default()
        };
        verdict(&evaluate(&text, &options).result.expect("scored"))
    }

    fn holds(verdict: &Verdict, tone: Tone, headline: &str, detail: &str) {
        assert_eq!(*verdict, Verdict::new(tone, headline, detail));
    }

    #[test]
    fn a_new_form_says_how_much_is_left_and_no_errors() {
        let started = r#"{"candidates": [{"id": "A", "wins": 0, "reviews": [{"critical_fail": 0}]},
            {"id": "B", "wins": 0, "reviews": [{"support": 2, "critical_fail": 0}]}]}"#;
        let read = read(started);
        assert!(read.problems.iter().all(is_unfilled), "{:?}", read.problems);
        assert_eq!(
            unfinished(&read.problems, (1, 6)),
            "1 of 6 ratings entered: the verdict comes with the last."
        );
        let wrong = started.replace("\"support\": 2", "\"support\": 3");
        let read = crate::debate::read(&wrong);
        let words = unfinished(&read.problems, (1, 6));
        assert!(
            words.ends_with("One mistake has to be corrected; it is listed below the form."),
            "{words}"
        );
        assert_eq!(unfinished(&[], (6, 6)), "");
    }

    #[test]
    fn every_decision_of_a_debate_is_said_with_its_rule() {
        let (best, fair, out) = ([2, 2, 0, 0], [1, 1, 0, 0], [2, 2, 0, 1]);
        let lead = format!("Ahead of B by 1.00; from {CLEAR_GAP:.2} on a lead is a win.");
        let won = said(&[best], &[fair], 0.5, 0.0);
        holds(&won, Tone::Good, "A wins: 2.00", &lead);
        let only = said(&[best], &[out, out], 0.5, 0.0);
        let words = "The only candidate left. 1 candidate eliminated.";
        holds(&only, Tone::Good, "A wins: 2.00", words);
        let needs = format!(
            "The best score is 1.00 (A), and a decision needs {SUFFICIENT:.2}. Ask follow-up questions."
        );
        let little = said(&[fair], &[fair], 0.5, 0.0);
        holds(&little, Tone::Caution, "Not enough to decide", &needs);
        let none = said(&[out, out], &[out, out], 0.5, 0.0);
        let words = format!("Every candidate has {ELIMINATION}. Ask follow-up questions.");
        holds(&none, Tone::Bad, "Nobody is left", &words);
    }

    #[test]
    fn a_debate_without_head_to_heads_says_so() {
        let text = r#"{"candidates": [
            {"id": "A", "wins": 0, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
            {"id": "B", "wins": 0, "reviews": [{"support": 0, "evidence": 0, "major_risks": 0, "critical_fail": 0}]}]}"#;
        let said = |text: &str| {
            let result = evaluate(text, &Options::default()).result;
            verdict(&result.expect("scored")).detail
        };
        let idle = "Nobody has won a head-to-head";
        assert!(said(text).contains(idle), "{}", said(text));
        assert!(!said(&text.replacen("\"wins\": 0", "\"wins\": 1", 1)).contains(idle));
    }

    #[test]
    fn a_number_never_looks_as_if_it_met_a_bound_that_it_does_not_meet() {
        let bound = CLEAR_GAP;
        assert_eq!(beside(bound - 0.004, bound), short(bound - 0.004));
        assert_eq!(beside(bound - 0.1, bound), fixed(bound - 0.1, 2));
        assert_eq!(beside(bound, bound), fixed(bound, 2));
    }

    #[test]
    fn a_hybrid_is_said_with_what_broke_its_tie() {
        let best = [2, 2, 0, 0];
        let apart = |first: &str, second: &str, by: &str| {
            format!(
                "{first} against {second}: {by} apart, and below {CLEAR_GAP:.2} the top two are combined."
            )
        };
        let close = said(&[best, best, best], &[best, best, [1, 2, 0, 0]], 0.5, 0.0);
        let headline = "No clear winner: combine A and B";
        holds(
            &close,
            Tone::Caution,
            headline,
            &apart("2.00", "1.83", "0.17"),
        );
        for (verdict, tie) in [
            (
                said(&[best], &[[2, 2, 0, 1]], 0.5, 0.0),
                "fewer critical fails decided.",
            ),
            (
                said(&[[2, 2, 1, 0]], &[[2, 1, 0, 0]], 1.0, 1.0),
                "the higher base decided.",
            ),
            (
                said(&[best], &[best], 0.5, 0.0),
                "and nothing breaks the tie: combine them, and consider one more pass.",
            ),
        ] {
            assert_eq!(verdict.headline, headline);
            assert!(verdict.detail.contains("0.00 apart"), "{}", verdict.detail);
            assert!(verdict.detail.ends_with(tie), "{}", verdict.detail);
        }
    }

    fn ruled(decision: Decision, relative: Option<f64>) -> Intervals {
        let ruling = Ruling {
            decision,
            winner: Some("A".into()),
            hybrid_candidates: Vec::new(),
        };
        let flip = relative.map(|relative| NearestFlip {
            weight: "w_base",
            from: 1.0,
            to: 1.0 + relative,
            change: relative,
            relative: Some(relative),
            becomes: ruling.clone(),
            words: "it flips".into(),
        });
        Intervals {
            ruling,
            weights: Vec::new(),
            nearest_absolute: flip.clone(),
            nearest_relative: flip,
        }
    }

    #[test]
    fn a_difference_is_right_as_it_is_shown() {
        assert_eq!(decimals([4.56, 2.91, 1.65]), 2);
        assert_eq!(decimals([3.075, 2.775, 0.3]), 3);
        assert_eq!(decimals([1.0005, 0.0, 1.0005]), 2);
    }

    #[test]
    fn firm_is_what_neither_a_small_change_nor_the_weight_space_shakes() {
        let (near, far) = (FIRM_CHANGE / 2.0, FIRM_CHANGE * 2.0);
        let words = |decision, relative| how_firm(&ruled(decision, relative), "", None, true);
        assert_eq!(
            words(Decision::Winner, None),
            "Firm against weights. No change of a single weight changes the verdict."
        );
        assert!(
            words(Decision::Winner, Some(far))
                .starts_with("Firm against weights. Nearest flip: it flips")
        );
        let shaken = words(Decision::Winner, Some(near));
        assert!(shaken.starts_with("Not firm: no clear winner. Nearest"));
        assert!(words(Decision::Hybrid, Some(near)).starts_with("Nearest flip"));
        let mut nobody = ruled(Decision::Insufficient, None);
        nobody.ruling.winner = None;
        assert_eq!(how_firm(&nobody, "", None, true), nearest_flip(&nobody));
    }

    #[test]
    fn the_share_of_the_weight_space_is_told_once_it_is_known() {
        let payload = read(include_str!("../../../../public/examples/debate.json"));
        let payload = payload.result.expect("valid");
        let options = Options::default();
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        let intervals = ruled(Decision::Winner, None);
        for (spread, space) in [
            (Spread::Simplex, "of all weights with the same sum."),
            (
                Spread::WithinPercent(20.0),
                "of the weights within 20 % of these.",
            ),
        ] {
            let shares = board.uncertainty(&UncertaintyOptions {
                spread,
                draws: 20,
                ..UncertaintyOptions::default()
            });
            let now = how_firm(&intervals, "", Some(&shares), true);
            assert!(now.ends_with(space) && !now.contains('…'), "{now}");
            let before = how_firm(&intervals, "", Some(&shares), false);
            let dash = format!("A is first in … % {space}");
            assert!(before.ends_with(&dash), "{before}");
        }
    }

    #[test]
    fn the_verdict_of_each_domain_is_told_the_commonest_first() {
        let payload = read(include_str!("../../../../public/examples/debate.json"));
        let payload = payload.result.expect("valid");
        let options = Options::default();
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        let mut domains = board.domains();
        let same = "Under all 9 sets of weights: Ladder wins.";
        assert_eq!(by_domain(&domains), same);
        domains.truncate(3);
        domains[0].ruling.decision = Decision::Insufficient;
        assert_eq!(
            by_domain(&domains),
            "With coding, math: Ladder wins; with none: no candidate is good enough."
        );
    }

    #[test]
    fn who_decides_is_told_beside_what_is_firm() {
        let debater = |name: &str, changes: bool| LeftOut {
            name: name.into(),
            ruling: changes.then(|| ruled(Decision::Winner, None).ruling),
            changes,
            unreviewed: Vec::new(),
        };
        let (one, two, three) = (debater("P", false), debater("Q", true), debater("R", true));
        assert_eq!(decisive(&[], true), "");
        assert_eq!(decisive(&[one.clone()], true), "It rests on P alone. ");
        let same = "Without any one debater it is the same. ";
        assert_eq!(decisive(&[one.clone(), one.clone()], true), same);
        assert_eq!(
            decisive(&[one.clone(), two.clone(), three], true),
            "Without Q: A wins. Without R it changes too. "
        );
        assert_eq!(decisive(&[one, two], false), "Without one debater: –. ");
    }

    #[test]
    fn of_a_close_first_it_is_told_how_often_it_would_win() {
        let payload = read(include_str!("../../../../public/examples/debate.json"));
        let payload = payload.result.expect("valid");
        let options = Options::default();
        let board = Board::new(&payload, Profiles::built_in(), &options).expect("weights");
        let shares = board.uncertainty(&UncertaintyOptions {
            draws: 20,
            ..UncertaintyOptions::default()
        });
        let mut close = ruled(Decision::Hybrid, None);
        close.ruling.winner = Some("Ladder".into());
        let now = how_firm(&close, "", Some(&shares), true);
        let told =
            "is first in 100 % of all weights with the same sum, and far enough ahead in 100 %.";
        assert!(now.ends_with(told), "{now}");
        let before = how_firm(&close, "", Some(&shares), false);
        assert!(before.ends_with("and far enough ahead in … %."), "{before}");
    }

    #[test]
    fn an_agreement_is_told_by_its_bounds() {
        let sure = |alpha: Option<f64>| agreement(alpha, Some(0.1));
        let below = |bound: f64| sure(Some(bound - 1e-9));
        assert_eq!(sure(Some(AGREED)), "they agree");
        let at_zero = agreement(Some(AGREED), Some(0.0));
        assert!(at_zero.starts_with("too few"));
        assert_eq!(below(AGREED), "they agree tentatively");
        assert_eq!(sure(Some(TENTATIVE)), "they agree tentatively");
        assert_eq!(below(TENTATIVE), "they agree little");
        assert_eq!(sure(Some(0.0)), "no more than by chance");
        assert!(agreement(None, None).starts_with("not defined"));
    }
}
