//! The debate's numbers.

use super::entry::{Entry, HIGHER, LOWER, NEITHER, to};
use crate::analysis::acceptability::DEFAULT_DRAWS;
use crate::analysis::agreement::{AGREED, TENTATIVE};
use crate::app::format::{grouped, percent, short};
use crate::debate::rules::{ELIMINATION, FAIL_RISKS, FLAG_RULE, MOST_MEAN, MOST_RATING};
use crate::debate::{
    CLEAR_GAP, FIRM_CHANGE, FIRM_SHARE, GENERAL, NO_DOMAIN, SUFFICIENT, Term, UNKNOWN_MODEL,
};

fn term(term: Term, says: &'static str, from: String, formula: &'static str) -> Entry {
    let (range, better) = match term {
        Term::Base => (to(0.0, MOST_MEAN), HIGHER),
        Term::Risk => (to(0.0, MOST_MEAN), "lower is better; it is subtracted"),
        Term::Pairwise | Term::Reliability => (to(0.0, 1.0), HIGHER),
        Term::Formal => ("−1 to 1".to_owned(), HIGHER),
    };
    let weight = short(NO_DOMAIN.values()[term as usize]);
    Entry::new(term.weight(), term.label(), "The score", says)
        .from(from)
        .range(range, better)
        .formula(formula)
        .weight(format!(
            "{weight} without a domain; every domain has its own"
        ))
}

fn terms() -> [Entry; Term::COUNT] {
    [
        term(
            Term::Base,
            "How well the reviews find an answer supported and proved by evidence.",
            format!("support and evidence of each review, 0 to {MOST_RATING} each"),
            "base = mean(support + evidence)",
        ),
        term(
            Term::Pairwise,
            "How many of the others an answer beat, one against one.",
            "the head-to-heads, or the wins as given".to_owned(),
            "pairwise = wins / (candidates − 1)",
        ),
        term(
            Term::Risk,
            "How much the reviews find dangerous or wrong in an answer.",
            format!("major risks, 0 to {MOST_RATING}, and critical fails of each review"),
            // its two numbers are one: see the test
            "risk = mean(major_risks + 2 × critical_fail)",
        ),
        term(
            Term::Reliability,
            "How well the candidate's model does in this domain, by the domain's profile.",
            format!(
                "the profile; {UNKNOWN_MODEL} for a model it does not know, 0 without a model or a domain"
            ),
            "reliability = the model's number in the profile",
        ),
        term(
            Term::Formal,
            "What provers say of the claims: proved against disproved. Open claims do not count.",
            "the claims' status, or the formal score as given".to_owned(),
            "formal = (proved − disproved) / (proved + disproved)",
        ),
    ]
}

fn decision() -> Vec<Entry> {
    let most = short(MOST_MEAN);
    vec![
        Entry::new(
            "score",
            "Score",
            "The score",
            "All that speaks for an answer less what speaks against it. It is rounded to 4 decimals, and every decision is taken on the rounded number.",
        )
        .from("the five terms and their weights")
        .range(format!("open; {SUFFICIENT:.2} is the least that wins"), HIGHER)
        .formula("w_base × base + w_pairwise × pairwise − w_risk × risk + w_reliability × reliability + w_formal × formal"),
        Entry::new(
            "critical_fails",
            "Critical fails",
            "Elimination and order",
            format!("Reviews that call an answer unusable. An answer with {ELIMINATION} is eliminated, whatever its score."),
        )
        .from("critical_fail of its reviews")
        .range("0 to the number of its reviews", LOWER)
        .formula(format!("one counts {FAIL_RISKS} in risk, too")),
        Entry::new(
            "decision",
            "Decision",
            "Decision",
            format!("A lead of {CLEAR_GAP:.2} or more is a win. A smaller one is none: the first two are to be combined. A best score below {SUFFICIENT:.2} decides nothing."),
        )
        .from("the rounded scores of those who were not eliminated")
        .range("winner, combine, not enough, all eliminated", NEITHER)
        .formula("gap = score of the first − score of the second"),
        Entry::new(
            "sides",
            "First, second, stronger",
            "Decision",
            "What each of the two that are to be combined brings, term by term and debater by debater: what to take from which.",
        )
        .from("the contributions and the reviews of the two")
        .range(format!("a contribution, or a mean of support + evidence from 0 to {most}"), HIGHER),
        Entry::new(
            "domain",
            "Domain",
            "Weights and domains",
            format!("A field with its own weights and its own reliabilities of models. Detected, it is the one with the most keywords in the question; without any, or with a tie, {GENERAL}."),
        )
        .from("your choice, the input, or the words of the question")
        .range("none, or a domain of the profiles", NEITHER),
    ]
}

fn firmness() -> Vec<Entry> {
    let (change, share) = (percent(FIRM_CHANGE), percent(FIRM_SHARE));
    let draws = grouped(DEFAULT_DRAWS);
    vec![
        Entry::new(
            "firm",
            "Firm against weights",
            "Firm",
            format!("Said of a winner that no single weight dethrones by a change of less than {change} %, and that is first with at least {share} % of all weights. It says nothing of the judges: see the debaters. The two bounds are conventions of this page."),
        )
        .from("the nearest flip and the shares of first places")
        .range("firm, or not firm", NEITHER),
        Entry::new(
            "smallest_change",
            "Smallest change",
            "Smallest change",
            "The one change of the input that would put a candidate first and is smallest: a rating, a claim, a formal score, a win or a match turned over. Nothing is changed until you try it.",
        )
        .from("every single change of the input, each decided anew")
        .range("above 0 % to 100 % of the item's own range", "larger is further away")
        .formula(format!("size = change / range; one step of 0 to {MOST_RATING} is {}", short(1.0 / MOST_RATING as f64))),
        Entry::new(
            "flags",
            FLAG_RULE,
            "Two flags",
            format!("{} eliminate. Here are the candidates that one flag more would put out, or one less would bring back.", crate::debate::capital(ELIMINATION)),
        )
        .from("the critical fails of each candidate")
        .range("one more, or one less", NEITHER),
        Entry::new(
            "acceptability",
            "Share of the weights",
            "Uncertain weights",
            "With what part of all weights a candidate has a rank: if you do not know the weights, this is how likely each rank is. Wins counts where it is the winner, Combined where it is one of the two to be combined.",
        )
        .from(format!("{draws} draws of weights, each scored and decided; locked weights do not vary"))
        .range("0 to 100 %, or 0 to 1 in tables", "a larger share of 1st is better")
        .formula("share = draws with that rank / draws"),
        Entry::new(
            "central_weights",
            "Central weights",
            "Uncertain weights",
            "What one has to find important for a candidate to be first: the mean of the weights with which it is.",
        )
        .from("the draws in which it is first")
        .range("as the weights", NEITHER)
        .formula("mean of each weight over those draws"),
        Entry::new(
            "domains",
            "Domains side by side",
            "Weights and domains",
            "The rank and the score of every candidate under each domain's weights and reliabilities.",
        )
        .from("the same reviews, scored once for each domain")
        .range("rank 1 and more", "rank 1 is best"),
    ]
}

fn debaters() -> Vec<Entry> {
    let most = short(MOST_MEAN);
    vec![
        Entry::new(
            "severity",
            "Severity",
            "Debaters",
            "How hard a debater judges, over all its reviews: above 0 it finds more risks than merits.",
        )
        .from("all its ratings")
        .range(format!("−{most} to {most}"), "neither way: it tells judges apart, not answers")
        .formula(format!("mean(major_risks + {FAIL_RISKS} × critical_fail − support − evidence)")),
        Entry::new(
            "deviation",
            "± others",
            "Debaters",
            "How much harder (above 0) or milder (below 0) a debater judges than the others do the same candidates.",
        )
        .from("its severity and the others' on each candidate")
        .range(format!("−{} to {}", short(2.0 * MOST_MEAN), short(2.0 * MOST_MEAN)), "nearer to 0 is more like the others"),
        Entry::new(
            "ratings",
            "Reviews, support, evidence, risks",
            "Debaters",
            "How many reviews a debater wrote, and its mean rating of each kind.",
        )
        .from("its reviews")
        .range(format!("0 to {MOST_RATING} for a mean"), NEITHER),
        Entry::new(
            "left_out",
            "Without it",
            "Debaters",
            "The verdict as it would be without this debater's reviews. Where it is another, the verdict hangs on one judge.",
        )
        .from("the debate decided again without its reviews")
        .range("the same, or another verdict", "the same is firmer"),
        Entry::new(
            "alpha",
            "Alpha",
            "Debaters",
            format!("Krippendorff's alpha for ordinal ratings: how far the debaters agree, beyond chance. From {AGREED} on they agree, from {TENTATIVE} on tentatively; at 0 as by chance, below 0 less than that."),
        )
        .from("the ratings of one kind; the interval by drawing candidates anew")
        .range("up to 1", "higher is more agreement")
        .formula("α = 1 − disagreement seen / disagreement expected by chance"),
        Entry::new(
            "circles",
            "Circles",
            "Debaters",
            "Candidates that beat one another in a ring: then the head-to-heads have no first.",
        )
        .from("the head-to-heads")
        .range("none, or the shortest rings", "none is clearer"),
    ]
}

/// Its entries.
pub fn entries() -> Vec<Entry> {
    let mut all: Vec<Entry> = terms().into();
    all.extend(decision());
    all.extend(firmness());
    all.extend(debaters());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_of_a_fail_is_the_rules() {
        let risk = terms()[Term::Risk as usize].formula.clone();
        assert!(risk.contains(&format!("+ {FAIL_RISKS} × critical_fail")));
    }

    #[test]
    fn every_term_is_explained() {
        let keys: Vec<_> = terms().iter().map(|entry| entry.key).collect();
        assert_eq!(keys, Term::ALL.map(Term::weight));
    }
}
