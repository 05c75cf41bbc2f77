//! How firm a debate's verdict is: the smallest changes, uncertain weights, the
//! domains side by side, and the debaters. All of it is of the debate at rest.

use leptos::prelude::*;

use super::firmness::{DebateFirmness, Part, Resting, Sampled};
use super::model::Model;
use super::what_if;
use super::words as verdicts;
use crate::analysis::bootstrap::{DEFAULT_SAMPLES, DEFAULT_SEED};
use crate::app::charts::slope;
use crate::app::derived::{effect, live};
use crate::app::format::{count, fixed, name, percent, short};
use crate::app::panels::heat;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, figure, words};
use crate::app::panels::trace::sentences;
use crate::debate::rules::FLAG_RULE;
use crate::debate::{
    Board, CandidateShares, Debaters, Decision, DomainStanding, Edit, FlagRule, Payload, Reach,
    Ruling, Spread, Term, Uncertainty, capital,
};
use crate::text::{sort_by, sort_by_key};

/// So many candidates are compared in a chart; the table has them all.
const SHOWN: usize = 12;

/// What is asked of the debate at rest, shown again whenever it comes to rest.
pub fn at_rest<V: IntoView + 'static>(
    section: Resting,
    ask: impl Fn(&Payload, &Board) -> V + Copy + Send + Sync + 'static,
) -> impl Fn() -> AnyView + Copy + Send + Sync + 'static {
    let view = move || {
        section
            .rested
            .with(|rested| rested.as_ref().and_then(|rested| rested.ask(ask)))
    };
    move || {
        view! { <div class="at-rest" class:stale=move || !section.is_current.get()>{live(view)}</div> }.into_any()
    }
}

// ---- the smallest changes

/// What would put a candidate first, or make a first one win; none where no
/// single change does. It can be tried: the input stays as it is.
fn change_row(model: Model, reach: &Reach, keep: Callback<Edit>) -> Option<impl IntoView + use<>> {
    let (change, aim) = match (&reach.to_first, &reach.to_win) {
        (Some(change), _) => (change, "to be first"),
        (None, Some(change)) => (change, "to win"),
        (None, None) => return None,
    };
    let (edit, then) = (change.edit, change.becomes.words());
    let size = fixed(change.size * 100.0, 0);
    Some(view! {
        <li data-testid=format!("change-{}", reach.id)>
            <span class="name">{name(&reach.id)}<small>{aim}</small></span>
            <span class="change">
                <span>{change.words.clone()}<small>" → "{then}</small></span>
                {what_if::buttons(model, edit, &reach.id, &change.words, keep)}
            </span>
            <span class="muted" title="Share of the item's own range">{size}" %"</span>
        </li>
    })
}

/// Those that no single change puts first.
fn out_of_reach(reaches: &[Reach]) -> Option<impl IntoView + use<>> {
    let far = reaches.iter().filter(|reach| {
        !reach.wins && reach.rank != Some(1) && reach.to_first.is_none() && reach.to_win.is_none()
    });
    let names: Vec<String> = far.map(|reach| name(&reach.id)).collect();
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    let list = names[..names.len().min(SHOWN)].join(", ");
    (!names.is_empty()).then(
        || view! { <p class="muted">{format!("No single change puts first: {list}{more}.")}</p> },
    )
}

fn flag_words(rule: &FlagRule) -> String {
    let (id, then) = (name(&rule.id), rule.becomes.words());
    if rule.eliminates {
        format!("One critical fail more eliminates {id}: {then}.")
    } else {
        format!("One critical fail less brings {id} back: {then}.")
    }
}

/// Which single change of the input would put each candidate first.
#[component]
pub fn ChangesView(
    /// Whose debate it is.
    model: Model,
    /// How firm it is.
    firmness: DebateFirmness,
    /// Makes an edit.
    keep: Callback<Edit>,
) -> impl IntoView {
    let open = RwSignal::new(true);
    let section = firmness.part(Part::Changes);
    // asked of what was entered: nothing moves under the hand while a change is tried
    let found = Memo::new(move |_| {
        section.rested.with(|rested| {
            rested.as_ref()?.ask_entered(|_, board| {
                let mut reaches = board.changes();
                // by rank, the eliminated last
                sort_by_key(&mut reaches, |reach| reach.rank.unwrap_or(usize::MAX));
                (reaches, board.flags())
            })
        })
    });
    effect(move || {
        // all that stands above has come to rest before
        if section.is_current.get() {
            what_if::reveal(model);
        }
    });
    let list = move || {
        let found = move || found.with(|found| Some(change_list(model, found.as_ref()?, keep)));
        view! { <div class="at-rest" class:stale=move || !section.is_current.get()>{live(found)}</div> }
    };
    view! {
        <Section
            name="changes"
            about="smallest_change"
            title="The smallest change that puts each first"
            note="One rating, win, claim or match; % of its range"
            chart=list
            open
            is_current=section.is_current
        />
    }
}

fn change_list(
    model: Model,
    (reaches, flags): &(Vec<Reach>, Vec<FlagRule>),
    keep: Callback<Edit>,
) -> impl IntoView + use<> {
    let rows = reaches
        .iter()
        .filter_map(|reach| change_row(model, reach, keep));
    let mut rows: Vec<_> = rows.collect();
    let more = rows.len().saturating_sub(SHOWN);
    rows.truncate(SHOWN);
    let more =
        (more > 0).then(|| view! { <li class="muted">"and "{more}" more, that rank lower"</li> });
    let flags = flags.iter().take(SHOWN).map(flag_words).collect();
    view! {
        <ul class="changes">{rows}{more}</ul>
        {out_of_reach(reaches)}
        {sentences(FLAG_RULE, flags)}
    }
}

// ---- uncertain weights

static RANKS: [Column; SHOWN + 4] = {
    const fn rank(title: &'static str) -> Column {
        figure(title, "acceptability")
    }
    [
        words("Candidate"),
        figure("Wins", "acceptability"),
        figure("Combined", "acceptability"),
        rank("1st"),
        rank("2nd"),
        rank("3rd"),
        rank("4th"),
        rank("5th"),
        rank("6th"),
        rank("7th"),
        rank("8th"),
        rank("9th"),
        rank("10th"),
        rank("11th"),
        rank("12th"),
        rank("later"),
    ]
};

const fn mean_weight(term: Term) -> Column {
    figure(term.label(), "central_weights")
}

static CENTRAL: [Column; 6] = [
    words("Candidate"),
    mean_weight(Term::Base),
    mean_weight(Term::Pairwise),
    mean_weight(Term::Risk),
    mean_weight(Term::Reliability),
    mean_weight(Term::Formal),
];

/// The shares of the first ranks, and of all later ones together.
fn first_ranks(shares: &CandidateShares) -> Vec<f64> {
    let (first, later) = shares.ranks.split_at(shares.ranks.len().min(SHOWN));
    let mut ranks = first.to_vec();
    if !later.is_empty() {
        ranks.push(later.iter().sum());
    }
    ranks
}

/// The candidates by how early they tend to rank.
fn by_rank(found: &Uncertainty) -> Vec<&CandidateShares> {
    let mean_rank = |shares: &CandidateShares| {
        let ranks = shares.ranks.iter().enumerate();
        ranks.map(|(rank, share)| rank as f64 * share).sum::<f64>()
    };
    let mut order: Vec<_> = found.candidates.iter().collect();
    sort_by(&mut order, |a, b| mean_rank(a).total_cmp(&mean_rank(b)));
    order
}

fn heat_view(found: &Uncertainty) -> impl IntoView + use<> {
    let order = by_rank(found);
    let shown = &order[..order.len().min(SHOWN)];
    let rows: Vec<_> = shown
        .iter()
        .map(|shares| heat::Row {
            label: name(&shares.id),
            shares: first_ranks(shares),
        })
        .collect();
    let ranks = rows.first().map_or(0, |row| row.shares.len());
    let mut heads: Vec<String> = RANKS[3..].iter().map(|c| c.title.to_string()).collect();
    if ranks > SHOWN {
        heads.truncate(ranks);
    } else {
        heads.truncate(ranks.min(SHOWN));
    }
    let central: Vec<_> = shown
        .iter()
        .filter_map(|shares| {
            let weights = shares.central_weights?;
            let mut cells = vec![Cell::text(name(&shares.id))];
            cells.extend(weights.values().map(|weight| Cell::number(weight, 2)));
            Some(table::Row {
                id: format!("central-{}", shares.id),
                is_out: false,
                cells,
            })
        })
        .collect();
    let caption = "Share of the drawn weights, in percent, with which each candidate has each rank";
    view! {
        {heat::heat(caption, "Candidate", &heads, &rows)}
        {table::table("Central weights: the mean of those with which a candidate is first", &CENTRAL, &central)}
    }
}

fn shares_table(found: &Uncertainty) -> impl IntoView + use<> {
    let order = by_rank(found);
    let ranks = order.first().map_or(0, |shares| first_ranks(shares).len());
    let rows: Vec<_> = order
        .iter()
        .map(|shares| {
            let mut cells = vec![
                Cell::text(name(&shares.id)),
                Cell::number(shares.winner, 4),
                Cell::number(shares.hybrid, 4),
            ];
            cells.extend(
                first_ranks(shares)
                    .into_iter()
                    .map(|share| Cell::number(share, 4)),
            );
            table::Row {
                id: format!("share-{}", shares.id),
                is_out: false,
                cells,
            }
        })
        .collect();
    view! {
        <Table
            caption="Share of the drawn weights"
            columns=&RANKS[..(3 + ranks).min(RANKS.len())]
            rows=Signal::stored(rows)
        />
    }
}

/// What was drawn, in words.
fn drawn(sampled: &Sampled) -> String {
    let Uncertainty {
        options,
        varied,
        decisions,
        ..
    } = &sampled.found;
    let varied = Term::ALL
        .iter()
        .filter(|term| varied.iter().any(|name| *name == term.weight()));
    let varied: Vec<&str> = varied.map(|term| term.name()).collect();
    let varied = if varied.is_empty() {
        "nothing varies".to_owned()
    } else {
        format!("varied: {}", varied.join(", "))
    };
    format!(
        "{} draws, seed {}, {} ms; {varied}. {} in {} %, {} in {} %, {} in {} %.",
        options.draws,
        options.seed,
        fixed(sampled.cost.0, 0),
        capital(Decision::Winner.label()),
        percent(decisions.winner),
        Decision::Hybrid.label(),
        percent(decisions.hybrid),
        Decision::Insufficient.label(),
        percent(decisions.insufficient + decisions.all_eliminated),
    )
}

/// How the weights are uncertain, and what was drawn.
fn spread_choice(firmness: DebateFirmness, is_sampled: Memo<bool>) -> impl IntoView {
    let spread = firmness.spread;
    let cost = move || {
        let sampled = firmness.sampled.read();
        let done = sampled.as_ref().filter(|_| is_sampled.get());
        done.map(|Sampled { cost, .. }| format!("{:.1} {:.1}", cost.0, cost.1))
    };
    let told = move || {
        let sampled = firmness.sampled.read();
        let found = sampled.as_ref().filter(|_| !firmness.is_sampling.get());
        found.map_or_else(|| "Drawing …".to_owned(), drawn)
    };
    let pick = move |event| {
        let percent = event_target_value(&event).parse().ok();
        spread.set(percent.map_or(Spread::Simplex, Spread::WithinPercent));
    };
    let chosen = move || match spread.get() {
        Spread::Simplex => "all".to_owned(),
        Spread::WithinPercent(percent) => short(percent),
    };
    let options = [10, 20, 50].map(
        |percent| view! { <option value=percent.to_string()>"within "{percent}" % of each"</option> },
    );
    view! {
        <div class="choice">
            <label for="spread">"Weights drawn from"</label>
            <select id="spread" data-testid="spread" prop:value=chosen on:change=pick>
                <option value="all">"all with the same sum"</option>
                {options}
            </select>
            <span class="muted" data-testid="draws" data-cost=cost>
                {live(told)}
            </span>
        </div>
    }
}

/// The ranking under uncertain weights.
#[component]
pub fn SharesView(firmness: DebateFirmness) -> impl IntoView {
    let is_sampled = Memo::new(move |_| firmness.is_sampled());
    let shown = move |as_table: bool| {
        move || {
            let view = move || {
                firmness.sampled.with(|sampled| {
                    sampled.as_ref().map(|sampled| {
                        if as_table {
                            shares_table(&sampled.found).into_any()
                        } else {
                            heat_view(&sampled.found).into_any()
                        }
                    })
                })
            };
            view! {
                {spread_choice(firmness, is_sampled)}
                <div class="shares at-rest" class:stale=move || !is_sampled.get()>{live(view)}</div>
            }
        }
    };
    view! {
        <Section
            name="shares"
            about="acceptability"
            title="If the weights are not certain"
            chart=shown(false)
            table=ViewFn::from(shown(true))
            open=firmness.is_open
            is_current=is_sampled
        />
    }
}

// ---- domains side by side

/// The candidates that are among the first of any column, in input order: as
/// many firsts as give no more than [`SHOWN`] candidates.
fn leading(domains: &[DomainStanding]) -> Vec<usize> {
    let candidates = domains.first().map_or(0, |domain| domain.places.len());
    let union = |most: usize| -> Vec<usize> {
        let is_among = |index: &usize| {
            let mut places = domains
                .iter()
                .filter_map(|domain| domain.places.get(*index));
            places.any(|place| place.rank.is_some_and(|rank| rank <= most))
        };
        (0..candidates).filter(is_among).collect()
    };
    let mut best = union(1);
    for most in 2..=SHOWN {
        let more = union(most);
        if more.len() > SHOWN {
            break;
        }
        best = more;
    }
    best
}

fn slope_view(domains: &[DomainStanding]) -> impl IntoView + use<> {
    let columns: Vec<slope::Column> = domains
        .iter()
        .map(|domain| slope::Column {
            head: name(&domain.name),
            outcome: verdicts::outcome(&domain.ruling).to_owned(),
        })
        .collect();
    let mark = |domain: &DomainStanding, id: &String| {
        let Ruling {
            decision,
            winner,
            hybrid_candidates,
        } = &domain.ruling;
        match decision {
            Decision::Winner if winner.as_ref() == Some(id) => slope::Mark::Wins,
            Decision::Hybrid if hybrid_candidates.contains(id) => slope::Mark::Shares,
            _ => slope::Mark::Ranked,
        }
    };
    let shown = leading(domains);
    let rows: Vec<_> = shown
        .iter()
        .map(|index| slope::Row {
            label: name(&domains[0].places[*index].id),
            ranks: domains
                .iter()
                .map(|domain| domain.places[*index].rank)
                .collect(),
            marks: domains
                .iter()
                .map(|domain| mark(domain, &domain.places[*index].id))
                .collect(),
        })
        .collect();
    let first = rows
        .iter()
        .position(|row| row.ranks.last() == Some(&Some(1)));
    let all = domains[0].places.iter().enumerate();
    let survivors = all
        .filter(|(index, _)| domains.iter().any(|d| d.places[*index].rank.is_some()))
        .count();
    let left_out = (survivors > rows.len()).then(|| {
        view! {
            <p class="muted">
                {format!("The {} that come first somewhere, of {}; the table has them all.", rows.len(), count(survivors, "candidate"))}
            </p>
        }
    });
    view! {
        <p class="by-domain" data-testid="by-domain">{verdicts::by_domain(domains)}</p>
        {slope::view(&columns, &rows, first)}
        {left_out}
    }
}

/// A row per candidate with its rank and score in each column.
fn domain_rows(domains: &[DomainStanding]) -> Vec<table::Row> {
    let first = domains.iter().take(1).flat_map(|domain| &domain.places);
    let rows = first.enumerate().map(|(index, candidate)| {
        let mut cells = vec![Cell::text(name(&candidate.id))];
        cells.extend(domains.iter().map(|domain| {
            let place = &domain.places[index];
            let rank = place
                .rank
                .map_or_else(|| "out".to_owned(), |rank| rank.to_string());
            Cell {
                text: format!("{rank} · {}", fixed(place.score, 2)),
                value: Some(place.score),
            }
        }));
        table::Row {
            id: format!("domains-{}", candidate.id),
            is_out: domains.iter().all(|d| d.places[index].rank.is_none()),
            cells,
        }
    });
    let mut rows: Vec<table::Row> = rows.collect();
    let mut cells = vec![Cell::text("Verdict")];
    cells.extend(
        domains
            .iter()
            .map(|domain| Cell::text(domain.ruling.words())),
    );
    rows.insert(
        0,
        table::Row {
            id: "domains-verdict".to_owned(),
            is_out: false,
            cells,
        },
    );
    rows
}

fn domain_columns(domains: &[DomainStanding]) -> Vec<Column> {
    let named = domains.iter().map(|domain| Column {
        title: name(&domain.name).into(),
        numeric: true,
        help: "Rank · score",
        about: "domains",
    });
    std::iter::once(words("Candidate")).chain(named).collect()
}

/// The ranks under every set of weights.
#[component]
pub fn DomainsView(firmness: DebateFirmness) -> impl IntoView {
    let open = RwSignal::new(true);
    let section = firmness.part(Part::Domains);
    let chart = at_rest(section, |_, board| slope_view(&board.domains()));
    let table = at_rest(section, |_, board| {
        let domains = board.domains();
        let (columns, rows) = (domain_columns(&domains), domain_rows(&domains));
        view! { <Table caption="The verdict, and rank and score of each, under every set of weights" columns rows=Signal::stored(rows) /> }
    });
    view! {
        <Section
            name="domains"
            about="domains"
            title="Domains side by side"
            note="The verdict in each, with its weights and reliabilities"
            chart=chart
            table=ViewFn::from(table)
            open
            is_current=section.is_current
        />
    }
}

// ---- the debaters

static DEBATERS: [Column; 8] = [
    words("Debater"),
    figure("Reviews", "ratings"),
    figure("Severity", "severity"),
    figure("Beside others", "deviation"),
    figure("Support", "ratings"),
    figure("Evidence", "ratings"),
    figure("Risks", "ratings"),
    words("Verdict without it").about("left_out"),
];

static AGREEMENT: [Column; 5] = [
    words("Rating"),
    figure("Alpha", "alpha"),
    figure("from", "interval"),
    figure("to", "interval"),
    words("It means"),
];

/// A row per debater, with the verdict without it.
fn debater_rows(all: &Debaters) -> Vec<table::Row> {
    let debaters = all.debaters.iter().zip(&all.left_out);
    let rows = debaters.map(|(debater, left_out)| {
        let without = match &left_out.ruling {
            None => format!("no review left for {}", left_out.unreviewed.join(", ")),
            Some(ruling) if left_out.changes => ruling.words(),
            Some(_) => "the same".into(),
        };
        table::Row {
            id: format!("debater-{}", debater.name),
            is_out: false,
            cells: vec![
                Cell::text(name(&debater.name)),
                Cell::number(debater.reviews as f64, 0),
                Cell::number(debater.severity.mean, 2),
                Cell::number(debater.severity.deviation, 2),
                Cell::number(debater.support.mean, 2),
                Cell::number(debater.evidence.mean, 2),
                Cell::number(debater.major_risks.mean, 2),
                Cell::text(without),
            ],
        }
    });
    rows.collect()
}

/// A row per rating, with how far the debaters agree on it.
fn agreement_rows(all: &Debaters) -> Vec<table::Row> {
    let rows = all.agreement.iter().map(|agreement| {
        let interval = agreement.interval_95;
        table::Row {
            id: format!("alpha-{}", agreement.field.name()),
            is_out: false,
            cells: vec![
                Cell::text(agreement.field.name().replace('_', " ")),
                Cell::number(agreement.alpha, 3),
                Cell::number(interval.map(|[low, _]| low), 3),
                Cell::number(interval.map(|[_, high]| high), 3),
                Cell::text(verdicts::agreement(
                    agreement.alpha,
                    interval.map(|[low, _]| low),
                )),
            ],
        }
    });
    rows.collect()
}

fn debaters_view(payload: &Payload, board: &Board) -> impl IntoView + use<> {
    let all = board.debaters(DEFAULT_SAMPLES, DEFAULT_SEED);
    let (rows, agreement) = (debater_rows(&all), agreement_rows(&all));
    let cycles = all.cycles.iter().map(|cycle| format!("{}.", cycle.words));
    let own = all.self_reviews.iter().map(|own| {
        format!(
            "{} was reviewed by its own model: review {} ({}).",
            name(&own.id),
            own.review + 1,
            name(&own.debater)
        )
    });
    let no_cycles = (all.cycles.is_empty() && !payload.pairwise.is_empty())
        .then(|| view! { <p class="muted">"The head-to-heads have no circle."</p> });
    view! {
        {table::table("Each debater, and the verdict without it", &DEBATERS, &rows)}
        {table::table("How far the debaters agree", &AGREEMENT, &agreement)}
        {sentences("Circles in the head-to-heads", cycles.collect())}
        {no_cycles}
        {sentences("Reviews of one's own", own.collect())}
    }
}

/// The debaters, and what each one's absence would change.
#[component]
pub fn DebatersView(firmness: DebateFirmness) -> impl IntoView {
    let open = RwSignal::new(false);
    let section = firmness.part(Part::Debaters);
    let chart = at_rest(section, debaters_view);
    view! {
        <Section
            name="debaters"
            about="severity"
            title="The debaters"
            note="Severity, agreement, and who decides"
            chart=chart
            open
            is_current=section.is_current
        />
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::glossary::all::unexplained;

    #[test]
    fn every_column_is_explained() {
        for columns in [&RANKS[..], &CENTRAL, &DEBATERS, &AGREEMENT] {
            assert_eq!(unexplained(columns), Vec::<String>::new());
        }
    }
}
