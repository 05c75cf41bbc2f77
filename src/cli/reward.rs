//! `assay reward`: scores the turns of an agent.

use std::fmt::Write;

use lexopt::{Arg, Parser};

use super::input::{Common, number_value, weights_value};
use super::output::{report, result, validation};
use super::{Failure, Status, Streams, help};
use crate::constitution::{Options, RewardResult, evaluate, read};
use crate::text::{Shown, one_line};

pub(super) fn run(mut parser: Parser, streams: &mut Streams) -> Result<Status, Failure> {
    let mut common = Common::default();
    let mut options = Options::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('h') | Arg::Long("help") => return help(streams),
            Arg::Long("weights") => options.weights = weights_value(&mut parser, streams)?,
            Arg::Long("replace-weights") => options.replace_weights = true,
            Arg::Long("ethical-floor") => {
                options.ethical_floor = Some(number_value("ethical-floor", &mut parser)?);
            }
            Arg::Long("gamma") => options.gamma = number_value("gamma", &mut parser)?,
            Arg::Long(name) => {
                let name = name.to_owned();
                if !common.take(&Arg::Long(&name), &mut parser)? {
                    return Err(Arg::Long(&name).unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let source = common.source()?;
    let name = source.name();
    let text = source.read(streams)?;
    let file = |problem: &crate::document::Problem| match problem.input.as_deref() {
        Some("options") => "<options>".into(),
        _ => name.clone(),
    };
    if common.validate {
        return validation(read(&text).problems, file, streams);
    }
    let scored = evaluate(&text, &options);
    report(&scored.problems, file, streams)?;
    let scored = scored.result.ok_or(Failure::Reported)?;
    result(&scored, common.format, summary, streams)?;
    Ok(Status::Done)
}

/// A line per turn and what holds of the session.
fn summary(result: &RewardResult) -> String {
    let mut text = format!("Constitutional Reward\n{}\n\n", "=".repeat(60));
    for turn in &result.turns {
        // writing to a String cannot fail
        let _ = write!(
            text,
            "  {} {}: total={:.2}/{:.2}  {}",
            turn.turn_number,
            Shown(&turn.action),
            turn.weighted_total,
            result.weights_sum,
            turn.band.title()
        );
        for (name, score) in turn.scores.named() {
            if score < 1.0 {
                let _ = write!(text, "  {name}={score:.2}");
            }
        }
        text.push_str(if turn.rejected { " [REJECTED]\n" } else { "\n" });
        for note in turn.notes.iter() {
            let _ = writeln!(text, "      {}", one_line(note));
        }
    }
    let session = &result.session;
    let bands = session.bands.named();
    let bands = bands.map(|(number, band)| format!("{number} {band}"));
    let _ = write!(
        text,
        "\nTurns: {}  mean total: {:.2}  weakest: {} ({:.2})  discounted value: {:.2}\nBands: {}\nScores by default: {} of {}",
        session.turns,
        session.mean_total,
        session.weakest.name(),
        session.mean_scores[session.weakest],
        session.discounted_value,
        bands.join(", "),
        session.by_default,
        session.scores()
    );
    if let Some(trend) = session.trend {
        let _ = write!(text, "\nTrend: {trend:+.4} per turn");
    }
    text
}
