//! The debate bench: candidates and reviews to a ranking and a decision.

mod against;
mod ballots;
mod comparing;
mod decision;
mod domain;
mod door;
mod evidence;
mod firm;
mod firmness;
mod form;
mod list;
mod model;
mod options;
mod profile;
mod ratings;
mod result;
mod series;
mod what_if;
mod words;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::page::BenchPage;
use crate::app::bench::{Bench, Compare, Host, InLink, Input, KnownBy, Link, Room, Settings};
use crate::app::browser::{clipboard, field};
use crate::app::derived::live;
use crate::app::desk::{Desk, Face, ITEM, Work};
use crate::app::export::{Format, json};
use crate::app::locks::LOCKED;
use crate::app::model::{Shared, choose_face};
use crate::app::panels::faces::Faces;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::parts::{Fetching, later};
use crate::app::report::written;
use crate::app::verdict::Verdict;
use crate::debate::{self, Board, DebateResult, Payload, Whole};
use crate::document::{Node, Problem, Reader};
use crate::share::report::Report;
use crate::share::{self, WhyNot};
use crate::sources::Kind;
use domain::DomainPanel;
use firmness::{DebateFirmness, ask_now};
use list::DebateList;
use model::Model;
use options::{DOMAIN, WEIGHTS};
use result::{DebateResultView, DebateWeights, Ranking};

/// The text of the debate.
const DEBATE: Input = Input {
    name: "debate",
    hints: Hints {
        label: "Input",
        formats: "candidates and reviews, JSON or JSONL",
        placeholder: "{\"question\": \"…\", \"candidates\": [\n  {\"id\": \"A\", \"wins\": 2, \"reviews\": [\n    {\"support\": 2, \"evidence\": 1,\n     \"major_risks\": 0, \"critical_fail\": 0}]}]}",
    },
    known_by: KnownBy {
        noun: "a debate",
        clause: "a debate has candidates",
        surely: &[],
        perhaps: &["candidates"],
        shape: Some(is_debate),
    },
    kind: Some(Kind::Debate),
    joins: false,
    first_of_two: None,
    in_link: InLink::Whole,
    example: Some("examples/debate.json"),
};

/// The bench's own profiles.
const PROFILES: Input = Input {
    name: "profiles",
    hints: Hints {
        label: "Profiles",
        formats: "JSON",
        placeholder: "",
    },
    known_by: KnownBy {
        surely: &["domains"],
        ..KnownBy::NOTHING
    },
    kind: None,
    joins: true,
    first_of_two: None,
    in_link: InLink::Option,
    example: None,
};

/// Whether candidates are those of a debate: models call what they answer so, too, and there they
/// have a `content`.
fn is_debate(root: &Reader) -> bool {
    let Some(candidates) = root.get("candidates") else {
        return false;
    };
    let own = ["id", "reviews", "wins"];
    let is_own = |candidate: &Node| own.iter().any(|key| candidate.get(key).is_some());
    let items = candidates.node().items();
    items.is_empty() || items.iter().any(is_own)
}

/// The sections of the result.
const SECTIONS: [(&str, &str); 6] = [
    ("ranking", "Scores"),
    ("trace", "Decision"),
    ("changes", "Changes"),
    ("shares", "Uncertainty"),
    ("domains", "Domains"),
    ("debaters", "Debaters"),
];

/// The record.
pub static BENCH: Bench = Bench {
    name: "debate",
    title: "Debate",
    scores: "debates between models",
    purpose: "Which answer won? Candidates are ranked from reviews, head-to-head wins, risks, the models’ reliability and formal proofs.",
    takes: "JSON with candidates and reviews",
    about: "Candidates and their reviews, ranked by reliability-weighted evidence.",
    inputs: &[DEBATE, PROFILES],
    settings: Settings {
        weights: &WEIGHTS,
        numbers: &[],
        words: &[DOMAIN, ITEM, LOCKED],
    },
    link: Link {
        kind: share::Kind::Rwea,
        formula: debate::FORMULA,
        main: DEBATE.name,
    },
    shapes: &share::Shape::OF_DEBATES,
    compare: Compare::Apart(|before, after| Box::pin(door::compare(before, after))),
    enter: |desk, host| Box::pin(door::enter(desk, host)),
};

/// What the page has of the bench once its code is there.
fn room(desk: Desk, host: Host) -> Room {
    let model = Model::new(desk, host);
    let scored = model.scored;
    let said = |of: Shared<DebateResult>| {
        Memo::new(move |_| of.with(|e| e.result.as_ref().map(words::verdict)))
    };
    // what is kept is named after what was entered, whatever is tried
    let (verdict, evidence) = (said(scored), said(model.evidence));
    let evidence = Signal::derive(move || evidence.get().filter(|_| !model.is_old.get()));
    let face = choose_face(desk, model.form, None);
    Room {
        verdict: evidence,
        is_current: Signal::derive(move || {
            scored.track();
            !model.is_old.get()
        }),
        topic: Signal::derive(move || {
            let read = model.payload.get();
            desk.with_file(words::topic(read.result.as_ref()?), DEBATE.name)
        }),
        export: Callback::new(move |format| -> Fetching<_> { Box::pin(door::file(model, format)) }),
        choose_face: Callback::new(move |()| {
            // what is opened is what was entered
            model.tried.set(None);
            face.run(());
        }),
        view: ViewFn::from(move || view! { <DebateBench model verdict /> }),
    }
}

/// The result as a file, if it is one of what is there now.
fn file(model: Model, format: Format) -> Option<String> {
    if model.is_old.get_untracked() {
        return None;
    }
    model.scored.with_untracked(|scored| {
        let result = scored.result.as_ref()?;
        Some(match format {
            Format::Json => match ballots::beside(model) {
                Some(beside) => json(&Whole {
                    result,
                    beside: &beside,
                }),
                None => json(result),
            },
            Format::Csv => share::debate_csv(result),
            Format::Markdown => {
                let second = untrack(|| ask_now(model, second)?);
                let beside = ballots::beside(model);
                let beside = beside.as_ref().map(share::beside_markdown);
                share::debate_markdown(result, second.as_ref()) + &beside.unwrap_or_default()
            }
            Format::Report => report(model, result)?,
            Format::Back(shape) => model.payload.with_untracked(|read| {
                let text = model
                    .desk
                    .work
                    .with_untracked(|work| work.text(DEBATE.name).to_owned());
                let debate = (read.result.as_ref()?, result);
                Some(share::debates_back(shape, &text, &[debate]))
            })?,
        })
    })
}

/// The report of a debate that was entered: what is only tried is no evidence.
fn report(model: Model, result: &DebateResult) -> Option<String> {
    if result.what_if.is_some() {
        return None;
    }
    let work = model.desk.work.get_untracked();
    let mut work = Work::clone(&work);
    let item = work.setting(ITEM).and_then(|item| item.parse().ok());
    let parsed = debate::parse(work.text(DEBATE.name));
    // of several debates it is that of one
    if parsed.pieces().len() > 1 {
        let last = parsed.pieces().len() - 1;
        let piece = &parsed.pieces()[item.unwrap_or(0).min(last)];
        work.set_text(DEBATE.name, piece.of(parsed.text()));
        work.set(ITEM, None);
    }
    let document = BENCH.document(&work);
    let options = options::options(&work, true);
    let profiles = model.profiles.with_untracked(|read| read.result.clone())?;
    let report = model.payload.with_untracked(|read| {
        let payload = read.result.as_ref()?;
        Some(Report::of_debate(
            document,
            (payload, &profiles, &options),
            result,
        ))
    });
    Some(written(report?))
}

/// Why the second is not first.
fn second(_: &Payload, board: &Board) -> Option<WhyNot> {
    let found = board.second_against_first()?;
    Some(WhyNot {
        sentences: found.sentences(),
        id: found.behind,
    })
}

/// For whoever has notes in free text and no JSON: what to ask a model for.
fn notes_aid(model: Model) -> impl IntoView {
    let Model { desk, host, .. } = model;
    let is_blank = desk.is_blank();
    // whoever is filling in the form has no need of it
    let is_away = move || !is_blank.get() && desk.face.get() == Face::Form;
    let is_shown = RwSignal::new(false);
    let copy = move |_| {
        spawn_local(async move {
            if clipboard::copy(&debate::notes_prompt()).await.is_ok() {
                host.notices.tell("Copied. Give it to a model of your choice with your notes under it, and paste the answer here.");
            } else {
                // to be copied by hand
                is_shown.set(true);
                request_animation_frame(|| field::focus("notes-prompt"));
            }
        });
    };
    let by_hand = move || {
        is_shown.get().then(|| {
            view! {
                <textarea id="notes-prompt" class="notes-prompt" rows="8" readonly aria-label="The prompt, to be copied">
                    {debate::notes_prompt()}
                </textarea>
            }
        })
    };
    view! {
        <p class="muted aid" hidden=is_away>
            "Notes in free text? "
            <button type="button" data-testid="copy-prompt" on:click=copy>
                "Copy a prompt that turns them into this format"
            </button>
        </p>
        {live(by_hand)}
    }
}

/// What there is no result without, in words; empty where nothing is missing.
fn missing(model: Model, problems: Signal<Vec<Problem>>, is_form: bool) -> String {
    if model.profiles.with(|read| read.result.is_none()) {
        return "The bench’s own profiles have an error, so nothing is weighed with them. It is listed under Profiles, below.".to_owned();
    }
    if !is_form {
        return String::new();
    }
    let ratings = model
        .form
        .with(|form| form.as_ref().map(|form| form.ratings()));
    problems.with(|problems| words::unfinished(problems, ratings.unwrap_or_default()))
}

#[component]
fn DebateBench(model: Model, verdict: Memo<Option<Verdict>>) -> impl IntoView {
    let desk = model.desk;
    let problems = model.problems();
    let is_form =
        Memo::new(move |_| desk.face.get() == Face::Form && model.form.with(Option::is_some));
    // what is not entered yet is no error in a form, which counts it
    let listed = Signal::derive(move || {
        let mut listed = problems.get();
        if is_form.get() {
            listed.retain(|problem| !words::is_unfilled(problem));
        }
        listed
    });
    let firmness = DebateFirmness::new(model);
    model.put_away();
    let input = move || {
        view! {
            <DebateList model />
            <Faces
                face=desk.face
                form=move || later("The form", move || Box::pin(door::form(model)))
            >
                <TextPanel desk name=DEBATE.name hints=DEBATE.hints problems has_form=true />
            </Faces>
            <ProblemList desk name=DEBATE.name problems=listed face=desk.face />
        }
    };
    let gist = move || {
        let read = model.payload.get();
        read.result.as_ref().map(words::gist).unwrap_or_default()
    };
    let missing = move || missing(model, problems, is_form.get());
    let settings = move || view! { <div class="settings"><DomainPanel model /></div> };
    view! {
        <BenchPage
            desk
            host=model.host
            verdict
            input
            gist=Signal::derive(gist)
            problems
            remarks=move || model.remarks()
            missing=Signal::derive(missing)
            is_old=model.is_old
            weights=move || view! { <DebateWeights model firmness /> }
            rows=move || view! { <Ranking model firmness /> }
            settings
            result=move || view! { <DebateResultView model firmness /> }
            aid=move || notes_aid(model)
            sections=&SECTIONS
        />
    }
}
