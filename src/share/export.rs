//! Results as CSV (RFC 4180) and as a Markdown summary.

use crate::constitution::{
    DEFAULT_WEIGHTS, PerPrinciple, Principle, RewardResult, ScoredTurn, Session, numbered,
};
use crate::debate::{Beside, DebateLine, DebateResult, Ruling, Term, Weights, tally};
use crate::text::one_line;

/// One line per candidate: its values, its contributions as `part_<term>`, then what they
/// were weighed with: the weights and the domain, the same on every line.
pub fn debate_csv(result: &DebateResult) -> String {
    let parts = Term::ALL.map(|term| format!("part_{}", term.name()));
    let mut header = vec![
        "rank",
        "id",
        "model",
        "wins",
        "base",
        "risk",
        "pairwise",
        "score",
        "critical_fails",
        "eliminated",
        "model_weight",
        "formal_score",
    ];
    header.extend(parts.iter().map(String::as_str));
    header.extend(Weights::NAMES);
    header.push("domain");
    // no figure leaves as evidence that is none
    let what_if = result.what_if.as_ref().map(|tried| cell(&tried.words));
    header.extend(what_if.as_ref().map(|_| "what_if"));
    let optional = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let rows = result.results.iter().enumerate().map(|(index, row)| {
        let mut cells = vec![
            (index + 1).to_string(),
            cell(&row.id),
            cell(row.model.as_deref().unwrap_or_default()),
            row.wins.to_string(),
            row.base.to_string(),
            row.risk.to_string(),
            row.pairwise.to_string(),
            row.score.to_string(),
            row.critical_fails.to_string(),
            row.eliminated.to_string(),
            optional(row.model_weight),
            optional(row.formal_score),
        ];
        cells.extend(row.contributions.values().map(|part| part.to_string()));
        cells.extend(result.weights.values().map(|weight| weight.to_string()));
        cells.push(cell(&result.domain));
        cells.extend(what_if.clone());
        cells
    });
    csv(&header, rows)
}

/// One line per debate of a text that has several.
pub fn debates_csv(lines: &[DebateLine]) -> String {
    let header = [
        "number",
        "question",
        "candidates",
        "domain",
        "decision",
        "winner",
        "combined",
        "score",
        "gap",
    ];
    let optional = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let rows = lines.iter().map(|line| {
        let Ruling {
            decision,
            winner,
            hybrid_candidates,
        } = &line.ruling;
        vec![
            line.number.to_string(),
            cell(line.question.as_deref().unwrap_or_default()),
            line.candidates.to_string(),
            cell(&line.domain),
            decision.name().to_owned(),
            cell(winner.as_deref().unwrap_or_default()),
            cell(&hybrid_candidates.join("; ")),
            optional(line.score),
            optional(line.gap),
        ]
    });
    csv(&header, rows)
}

/// How each model did over several debates, and a table of the debates.
pub fn debates_markdown(lines: &[DebateLine]) -> String {
    let decimal = |value: Option<f64>| value.map(|v| format!("{v:.4}")).unwrap_or_default();
    let models = tally(lines).into_iter().map(|model| {
        vec![
            inline(&model.model),
            model.candidates.to_string(),
            model.wins.to_string(),
            model.combined.to_string(),
            model.eliminated.to_string(),
            format!("{:.2}", model.mean_rank),
        ]
    });
    let head = [
        "Model",
        "Candidates",
        "Wins",
        "Combined",
        "Eliminated",
        "Mean rank",
    ];
    let models = table(&head, models);
    let debates = lines.iter().map(|line| {
        vec![
            line.number.to_string(),
            inline(line.question.as_deref().unwrap_or_default()),
            inline(&line.ruling.headline()),
            decimal(line.score),
            decimal(line.gap),
            inline(&line.domain),
        ]
    });
    let head = ["", "Question", "Verdict", "Score", "Gap", "Domain"];
    let debates = table(&head, debates);
    format!("# {} debates\n\n{models}\n{debates}", lines.len())
}

/// One line per turn: its session, scores, contributions as `part_<principle>`, the total and
/// what is said of it, why it lost points, then what it was scored with, the same on every
/// line: the weights as `weight_<principle>`, the ethical floor and the discount.
pub fn reward_csv(result: &RewardResult) -> String {
    let parts = PerPrinciple::NAMES.map(|name| format!("part_{name}"));
    let mut header = vec!["session_id", "turn_number", "action"];
    header.extend(PerPrinciple::NAMES);
    header.extend(parts.iter().map(String::as_str));
    header.extend([
        "weighted_total",
        "normalised",
        "band",
        "rejected",
        "notes",
        "by_default",
        "reasons",
    ]);
    let weights = PerPrinciple::NAMES.map(|name| format!("weight_{name}"));
    header.extend(weights.iter().map(String::as_str));
    header.extend(["ethical_floor", "gamma"]);
    let rows = result.turns.iter().map(|turn| {
        let session = turn.session_id.as_ref().or(result.session_id.as_ref());
        let mut row = vec![
            cell(session.map_or("", |session| session)),
            turn.turn_number.to_string(),
            cell(&turn.action),
        ];
        row.extend(turn.scores.values().map(|v| v.to_string()));
        row.extend(turn.contributions.values().map(|v| v.to_string()));
        row.push(turn.weighted_total.to_string());
        row.push(turn.normalised.to_string());
        row.push(turn.band.word().to_owned());
        row.push(turn.rejected.to_string());
        row.push(cell(&turn.notes.join("; ")));
        let unsaid: Vec<&str> = turn.by_default.iter().map(Principle::name).collect();
        row.push(unsaid.join("; "));
        row.push(cell(&reasons(turn, result)));
        row.extend(result.weights.values().map(|weight| weight.to_string()));
        let floor = result.ethical_floor.map(|floor| floor.to_string());
        row.extend([floor.unwrap_or_default(), result.gamma.to_string()]);
        row
    });
    csv(&header, rows)
}

/// Why a turn lost points, what cost most first.
fn reasons(turn: &ScoredTurn, result: &RewardResult) -> String {
    let costs = turn.costs(&result.weights).into_iter();
    let costs = costs.map(|(reason, _)| format!("{}: {}", reason.principle.word(), reason.words));
    costs.collect::<Vec<_>>().join("; ")
}

/// Why a candidate is not first, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// The candidate.
    pub id: String,
    /// See [`Against::sentences`](crate::debate::Against::sentences).
    pub sentences: Vec<String>,
}

/// The verdict and a table of candidates; why the second is not first, where it is given.
pub fn debate_markdown(result: &DebateResult, second: Option<&WhyNot>) -> String {
    let verdict = Ruling::of(result).markdown(inline);
    let rows = result.results.iter().map(|row| {
        vec![
            inline(&row.id),
            inline(row.model.as_deref().unwrap_or_default()),
            format!("{:.4}", row.score),
            format!("{:.4}", row.base),
            format!("{:.4}", row.risk),
            format!("{:.4}", row.pairwise),
            row.critical_fails.to_string(),
            if row.eliminated { "eliminated" } else { "" }.into(),
        ]
    });
    let header = [
        "Candidate",
        "Model",
        "Score",
        "Base",
        "Risk",
        "Pairwise",
        "Critical fails",
        "",
    ];
    let table = table(&header, rows);
    let question = result.question.as_deref().map(str::trim);
    let question = question.filter(|question| !question.is_empty());
    let question = question.map(|question| format!("Question: {}\n\n", inline(question)));
    let what_if = result.what_if.as_ref();
    let what_if = what_if.map(|tried| format!("**{}.**\n\n", inline(&tried.sentence())));
    let weights = weights_table(
        "Of the domain",
        (result.weights.named(), result.original_weights.values()),
    );
    format!(
        "# Debate\n\n{}{}{verdict}\n\n{table}\n{}{weights}{}\nDomain: {}{}. Formula: {}. Input SHA-256: `{}`\n",
        question.unwrap_or_default(),
        what_if.unwrap_or_default(),
        second.map(why_not).unwrap_or_default(),
        bullets(&result.notes),
        inline(&result.domain),
        if result.without_domain || result.is_domain_known {
            ""
        } else {
            ", which the profiles do not have: the weights without a domain"
        },
        result.formula,
        result.input_sha256
    )
}

fn why_not(WhyNot { id, sentences }: &WhyNot) -> String {
    // names may stand at the start of a sentence: in a list they begin nothing else
    format!("## Why not {}\n{}\n", inline(id), bullets(sentences))
}

/// What is said beside a result, as sections that can follow [`debate_markdown`]; empty where
/// nothing is.
pub fn beside_markdown(beside: &Beside) -> String {
    let mut text = String::new();
    for (name, sentences) in beside.parts() {
        for piece in ["\n## ", name, "\n", &bullets(&sentences)] {
            text.push_str(piece);
        }
    }
    text
}

/// The session, or all of them, and a table of turns with why each lost points.
pub fn reward_markdown(result: &RewardResult) -> String {
    let session = &result.session;
    let is_several = !result.sessions.is_empty();
    let rows = result.turns.iter().map(|turn| {
        let session = turn.session_id.as_deref().map(inline);
        let mut row: Vec<String> = session.into_iter().collect();
        row.extend([
            numbered(turn.turn_number, turn.occurrence),
            inline(&turn.action),
        ]);
        row.extend(turn.scores.values().map(|score| format!("{score:.2}")));
        row.push(format!("{:.4}", turn.weighted_total));
        let band = turn.band_word().to_owned();
        row.push(if turn.rejected {
            format!("{band}, rejected")
        } else {
            band
        });
        row.push(inline(&reasons(turn, result)));
        row
    });
    let mut header = if is_several {
        vec!["Session"]
    } else {
        Vec::new()
    };
    header.extend(["Turn", "Action"]);
    header.extend(PerPrinciple::NAMES);
    header.extend(["Total", "Band", "Why it lost points"]);
    let table = table(&header, rows);
    let weights = weights_table(
        "Of the method",
        (result.weights.named(), DEFAULT_WEIGHTS.values()),
    );
    let floor = result
        .ethical_floor
        .map_or_else(|| "none".to_owned(), |floor| floor.to_string());
    let named = result.session_id.as_deref();
    let named = named.map(|id| format!("Session: {}\n\n", inline(id)));
    let of = if is_several {
        format!(" of {} sessions", result.sessions.len())
    } else {
        String::new()
    };
    format!(
        "# Constitutional reward\n\n{}Mean total **{:.4}** of {} over {} turns{of}; weakest principle: {}; {}.\n\n{}{table}\n{weights}\nEthical floor: {floor}. Discount: {}. Formula: {}. Input SHA-256: `{}`\n",
        named.unwrap_or_default(),
        session.mean_total,
        result.weights_sum,
        session.turns,
        session.weakest.name(),
        unsaid(session),
        sessions_table(result),
        result.gamma,
        result.formula,
        result.input_sha256
    )
}

/// How many turns were not measured, and how many scores stand by default.
fn unsaid(session: &Session) -> String {
    let scores = format!(
        "{} of {} scores stand by default",
        session.by_default,
        session.scores()
    );
    let words = session.unmeasured_words().into_iter().chain([scores]);
    words.collect::<Vec<_>>().join("; ")
}

/// What holds of each session; nothing where there is one.
fn sessions_table(result: &RewardResult) -> String {
    if result.sessions.is_empty() {
        return String::new();
    }
    let rows = result.sessions.iter().map(|session| {
        let summary = &session.summary;
        let trend = summary.trend;
        vec![
            inline(&session.session_id),
            summary.turns.to_string(),
            format!("{:.4}", summary.mean_total),
            summary.bands_words(),
            inline(summary.weakest.name()),
            trend.map_or_else(|| "not measured".to_owned(), |trend| format!("{trend:+.4}")),
            format!("{:.4}", summary.discounted_value),
        ]
    });
    let header = [
        "Session",
        "Turns",
        "Mean total",
        "Bands",
        "Weakest",
        "Trend per turn",
        "Discounted value",
    ];
    table(&header, rows) + "\n"
}

/// The weights with what they would be unless somebody had said otherwise: with them the
/// scores can be worked out again.
pub(super) fn weights_table<const N: usize>(
    originals: &str,
    (used, original): ([(&'static str, f64); N], [f64; N]),
) -> String {
    let rows = used.into_iter().zip(original);
    let rows = rows.map(|((name, used), original)| {
        let changed = if used == original { "" } else { "changed" };
        let name = inline(name);
        vec![name, used.to_string(), original.to_string(), changed.into()]
    });
    table(&["Weight", "Used", originals, ""], rows)
}

/// Lines as RFC 4180 has them, behind the mark by which a spreadsheet knows UTF-8.
pub(super) fn csv(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("\u{feff}{}", header.join(","));
    text.push_str("\r\n");
    for row in rows {
        text.push_str(&row.join(","));
        text.push_str("\r\n");
    }
    text
}

/// A cell of a table that leaves as it stands on the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Words.
    Text(String),
    /// A figure, not rounded.
    Number(f64),
}

/// A table of words and figures as CSV.
pub fn table_csv(header: &[&str], rows: impl Iterator<Item = Vec<Entry>>) -> String {
    let written = |entry: Entry| match entry {
        Entry::Text(text) => cell(&text),
        Entry::Number(number) => number.to_string(),
    };
    let rows = rows.map(|row| row.into_iter().map(written).collect());
    csv(header, rows)
}

/// The same as Markdown.
pub fn table_markdown(header: &[&str], rows: impl Iterator<Item = Vec<Entry>>) -> String {
    let written = |entry: Entry| match entry {
        Entry::Text(text) => inline(&text),
        Entry::Number(number) => number.to_string(),
    };
    let rows = rows.map(|row| row.into_iter().map(written).collect());
    table(header, rows)
}

/// A text cell: quoted where CSV asks for it, and with an apostrophe before what
/// a spreadsheet would run as a formula.
pub(super) fn cell(text: &str) -> String {
    let guard = guard(text);
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

/// The apostrophe before what a spreadsheet would run as a formula.
pub(super) fn guard(text: &str) -> &'static str {
    let starts = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    if text.starts_with(starts) { "'" } else { "" }
}

pub(super) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(header.iter().map(|&name| inline(name)).collect());
    text.push_str(&line(vec!["---".into(); header.len()]));
    for row in rows {
        text.push_str(&line(row));
    }
    text
}

pub(super) fn bullets(notes: &[String]) -> String {
    let mut text = String::new();
    for note in notes {
        text.push_str("\n- ");
        let note = inline(note);
        // what would begin a list in the list
        let marked = note.trim_start_matches(|c: char| c.is_ascii_digit());
        if marked.starts_with(['-', '+', '=', '.', ')']) {
            text.push_str(&note[..note.len() - marked.len()]);
            text.push('\\');
            text.push_str(marked);
        } else {
            text.push_str(&note);
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Text that Markdown shows as it is, on one line.
pub(super) fn inline(text: &str) -> String {
    let line = one_line(&text.replace(['\n', '\r', '\t'], " "));
    let line = line.trim();
    let mut shown = String::with_capacity(line.len());
    for (at, character) in line.char_indices() {
        // many readers make a link of an address without being asked
        let is_address = match character {
            ':' => line[at..].starts_with("://"),
            '.' => {
                let before = line.as_bytes()[..at].last_chunk::<3>();
                before.is_some_and(|before| before.eq_ignore_ascii_case(b"www"))
            }
            _ => false,
        };
        let is_live = matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' | '@' | '$'
        );
        if is_address || is_live {
            shown.push('\\');
        }
        shown.push(character);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBATE: &str = r#"{"candidates": [
        {"id": "=A|\"x\",\n", "wins": 1, "reviews": [{"support": 2, "evidence": 2, "major_risks": 0, "critical_fail": 0}]},
        {"id": "B", "wins": 0, "reviews": [{"support": 0, "evidence": 0, "major_risks": 0, "critical_fail": 0}]}]}"#;

    #[test]
    fn csv_is_quoted_and_guarded() {
        let result = crate::debate::evaluate(DEBATE, &crate::debate::Options::default());
        let csv = debate_csv(&result.result.expect("valid"));
        assert!(csv.starts_with("\u{feff}rank,id,"));
        assert!(
            csv.contains(
                "1,\"'=A|\"\"x\"\",\n\",,1,4,0,1,4,0,false,,,2,2,0,0,0,0.5,2,0.7,0,0,none\r\n"
            ),
            "{csv}"
        );
    }

    #[test]
    fn markdown_shows_text_as_it_is() {
        let result = crate::debate::evaluate(DEBATE, &crate::debate::Options::default());
        let markdown = debate_markdown(&result.result.expect("valid"), None);
        assert!(markdown.contains("**=A\\|\"x\",** wins."), "{markdown}");
        assert!(markdown.contains("| B |  | 0.0000 |"));
    }

    #[test]
    fn markdown_has_what_it_takes_to_work_the_scores_out_again() {
        let text = DEBATE.replacen('{', "{\"question\": \"*Which?*\",", 1);
        let options = crate::debate::Options {
            weights: vec![("w_risk".into(), 1.3)],
            ..crate::debate::Options::default()
        };
        let result = crate::debate::evaluate(&text, &options);
        let markdown = debate_markdown(&result.result.expect("valid"), None);
        assert!(markdown.contains("Question: \\*Which?\\*\n"), "{markdown}");
        assert!(
            markdown.contains("| w\\_risk | 1.3 | 0.7 | changed |"),
            "{markdown}"
        );
        assert!(
            markdown.contains("| w\\_base | 0.5 | 0.5 |  |"),
            "{markdown}"
        );
    }

    #[test]
    fn what_is_said_beside_a_result_follows_it() {
        let options = crate::debate::Options::default();
        let profiles = crate::debate::Profiles::built_in();
        let beside = |text: &str| {
            let payload = crate::debate::read(text).result.expect("valid");
            beside_markdown(&Beside::of(&payload, profiles, &options))
        };
        assert_eq!(beside(DEBATE), "");
        let league = r#"{"source": {"league": [["*B*", "B", 3, 1, 0]]}, "#;
        let text = DEBATE
            .replacen('{', league, 1)
            .replace(r#"=A|\"x\",\n"#, "*B*");
        let markdown = beside(&text);
        assert!(
            markdown.starts_with("\n## League\n\n- Strengths by bradley-terry/1 over 4 battles"),
            "{markdown}"
        );
        assert!(markdown.contains("\\*B\\* 1095 ("), "{markdown}");
    }

    #[test]
    fn turns_have_one_line_each() {
        let result = crate::constitution::evaluate(
            "[{\"action\": \"a\"}, {\"action\": \"-1\"}]",
            &crate::constitution::Options::default(),
        );
        let result = result.result.expect("valid");
        let csv = reward_csv(&result);
        let columns: Vec<usize> = csv.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [33, 33, 33]);
        assert!(csv.contains("\n,2,'-1,1,"));
        assert!(reward_markdown(&result).contains("Mean total **8.7000** of 8.7 over 2 turns;"));
    }

    #[test]
    fn several_sessions_stand_in_both() {
        let text = r#"{"session_id": "=a", "turns": [{"turn_result": {"response": "OK"}}, {"action": "x"}]}
            {"session_id": "b", "turns": [{"action": "y"}]}"#;
        let options = crate::constitution::Options {
            ethical_floor: Some(0.6),
            ..crate::constitution::Options::default()
        };
        let result = crate::constitution::evaluate(text, &options)
            .result
            .expect("valid");
        let csv = reward_csv(&result);
        assert!(csv.contains("\r\n'=a,1,send_message,"), "{csv}");
        assert!(csv.contains("\r\nb,1,y,"), "{csv}");
        assert!(csv.contains(",joy-inducing: 2 characters,1,1,2,"), "{csv}");
        assert!(csv.ends_with(",0.6,0.99\r\n"), "{csv}");
        let markdown = reward_markdown(&result);
        for expected in [
            " over 3 turns of 2 sessions; weakest principle: joy_inducing; 2 of 3 turns not measured; 20 of 21",
            "| =a | 2 | 8.4300 | 1 good, 1 of 2 turns not measured | joy\\_inducing | +0.5400 |",
            "| b | 1 | 8.7000 | 1 of 1 turn not measured | tasteful | not measured |",
            "| Session | Turn | Action |",
            "| joy-inducing: 2 characters |",
        ] {
            assert!(markdown.contains(expected), "{expected}\n{markdown}");
        }
    }
}
