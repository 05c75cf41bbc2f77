//! Several debates in one text, side by side: what came of each, and how each model did
//! over all of them. They are scored in steps, when the input rests.

use std::time::Duration;

use leptos::prelude::*;

use super::model::Model;
use super::options::options;
use crate::app::bench::Leaves;
use crate::app::browser::events::now;
use crate::app::browser::storage::today;
use crate::app::derived::{effect, live};
use crate::app::export::{Format, file_name};
use crate::app::format::{count, fixed, grouped, name};
use crate::app::panels::field::word_button;
use crate::app::panels::section::Section;
use crate::app::panels::table::{self, Cell, Column, Table, number, words};
use crate::debate::{DebateLine, ModelTally, read_from, score, tally};
use crate::share;

/// How long the input rests before all debates are scored again.
const REST: Duration = Duration::from_millis(250);
/// For how many milliseconds the scoring holds the page at a time.
const SLICE: f64 = 6.0;

static MODELS: [Column; 6] = [
    words("Model"),
    number("Candidates", "How many candidates it brought"),
    number("Wins", "In how many debates it is the winner"),
    number("Combined", "How often it is one of the two to be combined"),
    number("Eliminated", "How many of its candidates were eliminated"),
    number("Mean rank", "The mean of its places, the eliminated last"),
];

static DEBATES: [Column; 5] = [
    words("Debate"),
    words("Verdict"),
    number("Score", "The best score"),
    number("Gap", "By how much the best is ahead of the second"),
    words("Domain"),
];

/// What was found of the debates: those with errors have no line.
#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    lines: Vec<DebateLine>,
    /// How many were looked at.
    read: usize,
}

/// All debates of a text that has several.
#[component]
pub fn SeriesView(
    /// Whose debates they are.
    model: Model,
) -> impl IntoView {
    let (found, is_done) = (RwSignal::new(Found::default()), RwSignal::new(false));
    let open = RwSignal::new(true);
    let run = StoredValue::new(0_u32);
    let series = Series {
        model,
        found,
        is_done,
        run,
    };
    let weighing = Memo::new(move |_| model.desk.work.with(|work| options(work, true)));
    let mut rest = debounce(REST, move |mine| series.go_on(Found::default(), mine));
    effect(move || {
        // a memo that nobody reads knows of no change
        weighing.with(|_| ());
        model.parsed.track();
        model.profiles.track();
        if open.get() {
            run.update_value(|run| *run += 1);
            is_done.set(false);
            rest(run.get_value());
        }
    });
    view! {
        <Section
            name="series"
            title="All debates of this text"
            note="With the same weights and domain setting"
            chart=move || series.view()
            open
            is_current=is_done
        />
    }
}

#[derive(Clone, Copy)]
struct Series {
    model: Model,
    found: RwSignal<Found>,
    is_done: RwSignal<bool>,
    run: StoredValue<u32>,
}

impl Series {
    /// Scores some more, with room for the page between, unless another run has begun.
    fn go_on(self, mut found: Found, mine: u32) {
        if self.run.try_get_value() != Some(mine) {
            return;
        }
        let all = self
            .model
            .parsed
            .with_untracked(|parsed| parsed.pieces().len());
        let began = now();
        while found.read < all && now() - began < SLICE {
            found.lines.extend(self.score(found.read));
            found.read += 1;
        }
        if found.read == all {
            self.found.set(found);
            self.is_done.set(true);
        } else {
            request_animation_frame(move || self.go_on(found, mine));
        }
    }

    fn score(self, index: usize) -> Option<DebateLine> {
        let Model {
            desk,
            parsed,
            profiles,
            ..
        } = self.model;
        let payload = parsed
            .with_untracked(|parsed| read_from(parsed, index))
            .result?;
        let options = desk.work.with_untracked(|work| options(work, true));
        let scored = profiles.with_untracked(|read| {
            let profiles = read.result.as_ref()?;
            score(&payload, profiles, &options).result
        });
        Some(DebateLine::of(index + 1, &scored?))
    }

    fn view(self) -> impl IntoView {
        let models = Signal::derive(move || {
            let tallies = self.found.with(|found| tally(&found.lines));
            tallies.iter().map(model_row).collect::<Vec<_>>()
        });
        let debates = Signal::derive(move || {
            self.found
                .with(|found| found.lines.iter().map(debate_row).collect::<Vec<_>>())
        });
        let take = move |format: Format| move || self.take(format);
        view! {
            <div class="series">
            <p data-testid="series-told">{live(move || self.told())}</p>
            <Table caption="How each model did over all debates" columns=&MODELS[..] rows=models />
            <Table caption="What came of each debate" columns=&DEBATES[..] rows=debates />
            <p class="form-acts">
                {word_button("All as CSV", "series-csv", take(Format::Csv))}
                {word_button("All as Markdown", "series-markdown", take(Format::Markdown))}
            </p>
            </div>
        }
    }

    /// Who won how many, in a sentence.
    fn told(self) -> String {
        if !self.is_done.get() {
            return "The debates are being scored.".to_owned();
        }
        self.found.with(|found| {
            let scored = found.lines.len();
            let wrong = match found.read - scored {
                0 => String::new(),
                wrong => format!(" {} an error and no verdict.", has(wrong)),
            };
            let best = tally(&found.lines).into_iter().next();
            let best = best.filter(|best| best.wins > 0).map(|best| {
                format!(
                    "{} wins {} of {}, with a mean rank of {}.",
                    name(&best.model),
                    grouped(best.wins),
                    count(scored, "debate"),
                    fixed(best.mean_rank, 2)
                )
            });
            let best =
                best.unwrap_or_else(|| format!("Nobody wins in {}.", count(scored, "debate")));
            best + &wrong
        })
    }

    fn take(self, format: Format) {
        let text = self.found.with_untracked(|found| match format {
            Format::Csv => share::debates_csv(&found.lines),
            _ => share::debates_markdown(&found.lines),
        });
        let name = format!(
            "{}.{}",
            file_name("debates", None, &today()),
            format.ending()
        );
        let host = self.model.host;
        host.save(name, format.media_type(), text, Leaves::File);
    }
}

/// "1 has", "2 have".
fn has(number: usize) -> String {
    let verb = if number == 1 { "has" } else { "have" };
    format!("{} {verb}", grouped(number))
}

fn model_row(tally: &ModelTally) -> table::Row {
    table::Row {
        id: format!("model-{}", tally.model),
        is_out: false,
        cells: vec![
            Cell::text(name(&tally.model)),
            Cell::number(tally.candidates as f64, 0),
            Cell::number(tally.wins as f64, 0),
            Cell::number(tally.combined as f64, 0),
            Cell::number(tally.eliminated as f64, 0),
            Cell::number(tally.mean_rank, 2),
        ],
    }
}

fn debate_row(line: &DebateLine) -> table::Row {
    let question = line.question.as_deref().map(name).unwrap_or_default();
    table::Row {
        id: format!("series-{}", line.number),
        is_out: false,
        cells: vec![
            Cell::text(format!("{}. {question}", line.number)),
            Cell::text(line.ruling.headline()),
            Cell::number(line.score, 2),
            Cell::number(line.gap, 2),
            Cell::text(name(&line.domain)),
        ],
    }
}
