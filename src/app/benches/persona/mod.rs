//! The persona bench: transcripts held against a persona.

mod baseline;
mod beside;
mod choice;
mod comparing;
mod door;
mod drafting;
mod drifting;
mod form;
mod judging;
mod labelling;
mod lent;
mod model;
mod options;
mod replies;
mod reply;
mod reply_fields;
mod result;
mod rules;
mod second;
mod voice;
mod voice_section;
mod words;

use leptos::prelude::*;

use super::page::BenchPage;
use crate::app::bench::{Bench, Compare, Host, InLink, Input, KnownBy, Link, Room, Settings};
use crate::app::derived::{Derived, effect, live};
use crate::app::desk::Desk;
use crate::app::embedder::brought::ModelPanel;
use crate::app::embedder::job::Phase;
use crate::app::embedder::models::SETTING as MODEL;
use crate::app::embedder::panel::EmbeddingPanel;
use crate::app::export::{Format, json};
use crate::app::format::{name, sentence};
use crate::app::job::Clock;
use crate::app::locks::LOCKED;
use crate::app::model::choose_face;
use crate::app::panels::faces::Faces;
use crate::app::panels::number::NumberRow;
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::parts::{Fetching, later};
use crate::app::problems::{OPTIONS, problems_of};
use crate::app::report::written;
use crate::app::seen::Seen;
use crate::app::verdict::Verdict;
use crate::document::{Node, Problem, Reader};
use crate::persona::config::Config;
use crate::persona::{self, PersonaResult, Run};
use crate::share;
use crate::share::report::Report;
use crate::sources::{Kind, told};
use baseline::{BASELINE, BASELINE_CONFIG, BASELINE_PERSONA};
use choice::Chosen;
use labelling::LabellingSection;
use model::{Model, Waiting};
use options::{BY_LABELS, GATE, MAX_VARIANCE, SEED, STYLE_BY, WEIGHTS};
use replies::Replies;
use result::{Figures, Metrics, Origin, Overall, PersonaWeights, Sessions, figures};
use rules::RulesPanel;
use voice_section::VoiceSection;

const PERSONA: Input = Input {
    name: "persona",
    hints: Hints {
        label: "Persona",
        formats: "YAML or JSON",
        placeholder: "exemplars:\n  - Check the log first; it names the failing step.\nlexicon:\n  preferred: [check, log]\n  avoid: [lol]",
    },
    known_by: KnownBy {
        noun: "a persona",
        clause: "a persona has exemplars, lexicon or voice",
        surely: &["exemplars", "lexicon", "style_rules"],
        // other tools have examples and voices, too
        perhaps: &["examples", "voice"],
        shape: Some(has_voice),
    },
    kind: Some(Kind::Persona),
    joins: true,
    first_of_two: None,
    in_link: InLink::Part,
    example: Some("examples/persona.yaml"),
};

const TRANSCRIPT: Input = Input {
    name: "transcript",
    hints: Hints {
        label: "Transcript",
        formats: "JSONL or JSON",
        placeholder: "{\"session_id\": \"s1\", \"turn_index\": 1, \"role\": \"assistant\", \"text\": \"…\"}",
    },
    known_by: KnownBy {
        noun: "a transcript",
        clause: "a transcript has messages or roles",
        surely: &["turn_index"],
        perhaps: &["messages", "role", "assistant"],
        shape: None,
    },
    kind: Some(Kind::Transcript),
    joins: true,
    first_of_two: Some(BASELINE),
    in_link: InLink::Part,
    example: Some("examples/transcript.jsonl"),
};

/// The inputs that need not be there.
const OPTIONAL: [Input; 9] = [
    optional(
        BASELINE,
        "",
        &[],
        Hints {
            label: "Baseline transcript",
            formats: "JSONL or JSON, optional",
            placeholder: "another run, to compare: {\"session_id\": \"s1\", …}",
        },
    ),
    optional(
        BASELINE_PERSONA,
        "",
        &[],
        Hints {
            label: "Baseline persona",
            formats: "YAML or JSON, optional",
            placeholder: "the persona of the baseline, where it was another",
        },
    ),
    optional(
        BASELINE_CONFIG,
        "",
        &[],
        Hints {
            label: "Baseline config",
            formats: "YAML, optional",
            placeholder: "the weights of the baseline, where they were others:\nscoring:\n  authenticity_weight: 0.5",
        },
    ),
    optional(
        "config",
        "a scoring config",
        &["scoring"],
        Hints {
            label: "Scoring config",
            formats: "YAML, optional",
            placeholder: "scoring:\n  authenticity_weight: 0.5",
        },
    ),
    shaped(
        optional(
            "safety",
            "safety rules",
            &[],
            Hints {
                label: "Safety rules",
                formats: "YAML, optional",
                placeholder: "- category: custom\n  severity: high\n  pattern: guaranteed returns",
            },
        ),
        is_rule,
    ),
    shaped(
        optional(
            "judge",
            "judge scores",
            &[],
            Hints {
                label: "Judge scores",
                formats: "JSON, optional",
                placeholder: "{\"s1\": {\"score\": 7.5}}",
            },
        ),
        is_judge,
    ),
    optional(
        "rulings",
        "",
        &[],
        Hints {
            label: "Rulings of judges",
            formats: "JSONL, optional",
            placeholder: "{\"judge\": \"…\", \"session_id\": \"s1\", \"turn_index\": 1, \"voice\": 7}",
        },
    ),
    optional(
        "labels",
        "labels",
        &["labeller"],
        Hints {
            label: "Labels",
            formats: "JSONL, optional",
            placeholder: "{\"session_id\": \"s1\", \"text\": \"…\", \"label\": 1}",
        },
    ),
    optional(
        "control",
        "",
        &[],
        Hints {
            label: "Control sample: not us",
            formats: "JSONL, 20 texts or more, optional",
            placeholder: "{\"text\": \"A reply that is not the persona’s\"}",
        },
    ),
];

/// Whether a voice is that of a persona: others call a speaker so, in a word.
fn has_voice(root: &Reader) -> bool {
    let own = ["tone", "formality", "verbosity", "lexicon"];
    let voice = root.get("voice");
    voice.is_some_and(|voice| own.iter().any(|key| voice.get(key).is_some()))
}

/// Whether an object is a safety rule: lines of logs have a severity, too.
fn is_rule(root: &Reader) -> bool {
    let seeks = root.get("pattern").is_some() || root.get("words").is_some();
    seeks && root.get("severity").is_some()
}

/// Whether each value of an object is what a judge says of a session.
fn is_judge(root: &Reader) -> bool {
    let entries = root.entries();
    let is_score = |node: &Node| node.get("score").and_then(Node::number).is_some();
    !entries.is_empty() && entries.iter().all(|entry| is_score(&entry.node))
}

/// An input that is known by more than a key.
const fn shaped(input: Input, shape: fn(&Reader) -> bool) -> Input {
    Input {
        known_by: KnownBy {
            noun: input.known_by.noun,
            clause: input.known_by.clause,
            surely: input.known_by.surely,
            perhaps: input.known_by.perhaps,
            shape: Some(shape),
        },
        ..input
    }
}

const fn optional(
    name: &'static str,
    noun: &'static str,
    surely: &'static [&'static str],
    hints: Hints,
) -> Input {
    Input {
        name,
        hints,
        known_by: KnownBy {
            noun,
            surely,
            ..KnownBy::NOTHING
        },
        kind: None,
        joins: true,
        first_of_two: None,
        in_link: InLink::PartIfFilled,
        example: None,
    }
}

/// The record.
pub static BENCH: Bench = Bench {
    name: "persona",
    title: "Persona",
    scores: "a persona’s replies",
    purpose: "Does it sound like us? Replies are held against a persona: authenticity, safety, stability.",
    takes: "Persona YAML and transcript JSONL",
    about: "Replies held against a persona: authenticity, safety, stability.",
    inputs: &INPUTS,
    settings: Settings {
        weights: &WEIGHTS,
        numbers: &[SEED, MAX_VARIANCE],
        words: &[BY_LABELS, GATE, LOCKED, STYLE_BY, MODEL],
    },
    link: Link {
        kind: share::Kind::Persona,
        formula: persona::FORMULA,
        main: TRANSCRIPT.name,
    },
    shapes: &share::Shape::OF_SESSIONS,
    // style needs vectors: on the bench, where another run is its baseline
    compare: Compare::OnBench(|before, after| Box::pin(door::beside(before, after))),
    enter: |desk, host| Box::pin(door::enter(desk, host)),
};

static INPUTS: [Input; 12] = {
    let [
        baseline,
        persona,
        weights,
        config,
        safety,
        judge,
        rulings,
        labels,
        control,
    ] = OPTIONAL;
    [
        PERSONA,
        TRANSCRIPT,
        baseline,
        persona,
        weights,
        config,
        safety,
        judge,
        rulings,
        labels,
        control,
        optional(drafting::EXAMPLES, "", &[], drafting::HINTS),
    ]
};

/// The sections of the result.
const SECTIONS: [(&str, &str); 8] = [
    ("sessions", "Sessions"),
    ("replies", "Replies"),
    ("voice", "Voice"),
    ("drift", "Drift"),
    ("compare", "Compare"),
    ("metrics", "Over all sessions"),
    ("judges", "Judges"),
    ("labels", "Labels"),
];

/// What the page has of the bench once its code is there.
fn room(desk: Desk, host: Host) -> Room {
    let model = Model::new(desk, host, Clock::BROWSER);
    model.embed_in_background();
    let seen = figures(model);
    // it sees every change, also those without a result
    effect(move || seen.track());
    let scored = model.scored;
    let verdict = Memo::new(move |_| {
        let how = (model.is_held.get(), model.is_by_voice.get());
        let waiting = model.waiting.get();
        let verdict = |result: &PersonaResult| words::verdict(result, waiting, how);
        scored.with(|e| e.result.as_ref().map(verdict))
    });
    Room {
        verdict: Signal::derive(move || verdict.get().filter(|_| !model.is_old.get())),
        is_current: Signal::derive(move || {
            scored.track();
            !model.is_old.get() && !model.is_held.get() && model.reading.is_current.get()
        }),
        topic: Signal::derive(move || {
            let run = model.run.get();
            let whose = run.result.as_ref()?.name().map(name);
            desk.with_file(whose, TRANSCRIPT.name)
        }),
        export: Callback::new(move |format| -> Fetching<_> { Box::pin(door::file(model, format)) }),
        choose_face: choose_face(desk, model.form, None),
        view: ViewFn::from(move || view! { <PersonaBench model verdict seen /> }),
    }
}

/// The result as a file, if it is one of what is there now.
fn file(model: Model, format: Format) -> Option<String> {
    let is_before = model.is_old.get_untracked() || model.is_held.get_untracked();
    if is_before || !model.reading.is_current.get_untracked() {
        return None;
    }
    model.scored.with_untracked(|scored| {
        let result = scored.result.as_ref()?;
        Some(match format {
            Format::Json => json(result),
            Format::Csv => share::persona_csv(result),
            Format::Markdown => share::persona_markdown(result),
            // what is measured later would be missing in it
            Format::Report if !model.is_whole() => return None,
            Format::Report => {
                let work = model.desk.work.get_untracked();
                let intervals = model.intervals.with_untracked(Clone::clone);
                let document = BENCH.document(&work);
                written(Report::of_persona(document, result, intervals.as_ref()))
            }
            Format::Back(shape) => {
                let transcript = model
                    .desk
                    .work
                    .with_untracked(|work| work.text(TRANSCRIPT.name).to_owned());
                share::persona_back(shape, &transcript, result)?
            }
        })
    })
}

#[component]
fn PersonaBench(
    model: Model,
    verdict: Memo<Option<Verdict>>,
    seen: Derived<Seen<Figures>>,
) -> impl IntoView {
    let desk = model.desk;
    let chosen = Chosen::new(model);
    let all = Signal::derive(move || model.found());
    // what is wrong with a setting stands beside it, and not beside a text
    let problems = Signal::derive(move || {
        let is_of_a_text = |problem: &Problem| problem.input.as_deref() != Some(OPTIONS);
        all.with(|all| all.iter().filter(|p| is_of_a_text(p)).cloned().collect())
    });
    let gist = move || {
        let (run, scored) = (model.run.get(), model.scored.get());
        let name = run.result.as_ref().and_then(Run::name);
        let gist = |result: &PersonaResult| words::gist(name, result);
        scored.result.as_ref().map(gist).unwrap_or_default()
    };
    let settings = move || {
        view! { <div class="settings">
            <ModelPanel desk embedding=model.embedding is_open=model.is_model_shown />
            <OptionsPanel model />
        </div> }
    };
    view! {
        <BenchPage
            desk
            host=model.host
            verdict
            input=move || inputs(model)
            gist=Signal::derive(gist)
            problems
            remarks=Signal::derive(move || all.with(|all| by_the_verdict(all)))
            missing=missing_words(model)
            reading=model.reading
            is_old=model.is_old
            beside=move || embedding(model)
            weights=move || view! { <PersonaWeights model originals=originals(model) /> }
            rows=move || view! { <Overall model seen /><Sessions model seen /> }
            settings
            result=move || view! { <Replies model chosen /><VoiceSection model />{drifting(model, chosen)}{comparing(model)}<Metrics model />{judging(model)}<LabellingSection model /><Origin model /> }
            sections=&SECTIONS
        />
    }
}

/// What has no place in a text, and what makes the whole result doubtful: that is said
/// beside the verdict too.
fn by_the_verdict(problems: &[Problem]) -> Vec<Problem> {
    let of_settings =
        |problem: &&Problem| problem.input.as_deref() == Some(OPTIONS) || problem.code.is_doubt();
    let said = problems.iter().filter(of_settings).cloned();
    let said = said.map(|problem| Problem {
        input: Some(OPTIONS.to_owned()),
        // weights have names there, and labels here
        message: sentence(&problem.message.replace("_weight", " weight")),
        ..problem
    });
    said.collect()
}

/// The vectors that are to be made; nothing is asked where they come by themselves.
fn embedding(model: Model) -> impl IntoView {
    // what the voice is held against begins by itself, too
    let begins = Signal::derive(move || {
        let is_of_control = model.to_embed.with(Vec::is_empty);
        let has_failed = || {
            model
                .embedding
                .job
                .with(|job| matches!(job.phase(), Phase::Failed(_) | Phase::Cancelled))
        };
        model.waiting.get() == Waiting::OnItsWay || is_of_control && !has_failed()
    });
    let (own, bring) = model.other_models();
    view! { <EmbeddingPanel embedding=model.embedding missing=model.wanted begins is_beside=model.is_held own bring /> }
}

/// The problems of one input, where there is something in it.
fn problems(model: Model, input: &'static str) -> Signal<Vec<Problem>> {
    let problems = Memo::new(move |_| {
        let is_blank = model.desk.work.with(|work| work.filled(input).is_none());
        // what was wrong with another text is not said of this one
        if is_blank || !model.reading.says_what_was_found() {
            return Vec::new();
        }
        let found = |all: &[Problem]| problems_of(all, input, TRANSCRIPT.name);
        found(&model.found())
    });
    problems.into()
}

fn inputs(model: Model) -> impl IntoView {
    let desk = model.desk;
    let own = problems(model, PERSONA.name);
    let text = move |input: &'static Input| {
        let (name, hints) = (input.name, input.hints);
        let refuse = Callback::new(move |message: String| model.host.notices.warn(message));
        // a document of another tool is read as what it is, wherever it is dropped
        let known_by = input.kind.map(|_| &input.known_by);
        let is_another =
            move |text: String| known_by.is_some_and(|known_by| known_by.is_another(&text));
        let others = (model.host.take_files, Callback::new(is_another));
        view! { <TextPanel desk name hints problems=problems(model, name) refuse others /> }
    };
    let is_filled = |input: &Input| {
        desk.work
            .with_untracked(|work| work.filled(input.name).is_some())
    };
    let any = OPTIONAL.iter().any(is_filled);
    // what is still to come is not to be looked for below a long form
    let is_awaited = Memo::new(move |_| {
        let is_there = |input: &Input| desk.work.with(|work| work.filled(input.name).is_some());
        is_there(&PERSONA) && !is_there(&TRANSCRIPT)
    });
    view! {
        <div class="halves" class:awaits=is_awaited>
            <div>
                <Faces
                    face=desk.face
                    form=move || later("The form", move || Box::pin(door::form(model, own)))
                >
                    <TextPanel desk name=PERSONA.name hints=PERSONA.hints problems=own has_form=true />
                </Faces>
                <ProblemList desk name=PERSONA.name problems=own face=desk.face />
                {draft_fold(model)}
            </div>
            <div>
                {text(&TRANSCRIPT)}
                <details class="more-inputs" open=any>
                    <summary>"Baseline, config, safety rules, judges, labels, control sample"</summary>
                    <RulesPanel model />
                    {OPTIONAL.each_ref().map(text)}
                </details>
            </div>
        </div>
    }
}

/// The judges, whose code comes when they are first drawn.
fn judging(model: Model) -> impl IntoView {
    later("The judges", move || Box::pin(door::judges(model)))
}

/// The drift of the sessions, whose code comes when it is first drawn.
fn drifting(model: Model, chosen: Chosen) -> impl IntoView {
    later("The drift", move || Box::pin(door::drift(model, chosen)))
}

/// The comparison with another run, whose code comes when it is first drawn.
fn comparing(model: Model) -> impl IntoView {
    later("The comparison", move || Box::pin(door::comparison(model)))
}

/// The way from examples to a persona; its code comes when it is opened.
fn draft_fold(model: Model) -> impl IntoView {
    let is_open = model.is_drafting;
    let panel = move || {
        is_open
            .get()
            .then(|| later("The draft", move || Box::pin(door::drafting(model))))
    };
    let desk = model.desk;
    let is_foreign = Memo::new(move |_| {
        let told = desk
            .work
            .with(|work| work.filled(PERSONA.name).and_then(told));
        told.is_some_and(|told| !told.taken.is_empty())
    });
    let ask = move |_| {
        model.asks_own.set(true);
        is_open.set(true);
    };
    let check = move || {
        is_foreign.get().then(|| {
            view! {
                <button type="button" class="quiet" data-testid="check-own" on:click=ask>
                    "How well do its exemplars tell this voice?"
                </button>
            }
        })
    };
    view! {
        <section class="drafting">
            {live(check)}
            <button
                type="button"
                class="unfold"
                data-testid="fold-draft"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                "Draft a persona from good replies"
            </button>
            {live(panel)}
        </section>
    }
}

/// What is to be put in before there can be a result.
fn missing_words(model: Model) -> Signal<String> {
    Signal::derive(move || {
        model.desk.work.with(|work| {
            let missing = |input: &Input| work.filled(input.name).is_none();
            match (work.is_blank(), missing(&PERSONA), missing(&TRANSCRIPT)) {
                (false, true, _) => {
                    "A persona is needed as well: paste or drop it anywhere on this page."
                        .to_owned()
                }
                (false, _, true) => {
                    "A transcript is needed as well: paste or drop it anywhere on this page."
                        .to_owned()
                }
                _ => String::new(),
            }
        })
    })
}

/// What the run's own config says, or the default one.
fn given<T>(model: Model, read: impl Fn(&Config) -> T) -> T {
    model.run.with(|found| match &found.result {
        Some(run) => read(run.given()),
        None => read(&Config::default()),
    })
}

/// The weights that the run's config gives.
fn originals(model: Model) -> Signal<Vec<f64>> {
    let weights = |config: &Config| [config.outer, config.inner].as_flattened().to_vec();
    Signal::derive(move || given(model, weights))
}

#[component]
fn OptionsPanel(model: Model) -> impl IntoView {
    let desk = model.desk;
    let original = move |read: fn(&Config) -> f64| Signal::derive(move || given(model, read));
    view! {
        <details class="fold numbers" data-testid="options">
            <summary>"Advanced: expected deviation, seed"</summary>
            <div class="number-rows">
                <NumberRow
                    desk
                    field=MAX_VARIANCE
                    original=original(|given| given.max_expected_variance)
                />
                <NumberRow desk field=SEED original=original(|given| given.seed as f64) is_plain=true />
            </div>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Code, Place, Severity};

    #[test]
    fn doubts_and_settings_are_said_by_the_verdict_and_nothing_else() {
        let problem = |message: &str, code: Code, input: &str| Problem {
            input: Some(input.to_owned()),
            ..Problem::new(Severity::Warning, Place::START, "", message).with_code(code)
        };
        let all = [
            problem("these replies", Code::OtherPersona, "transcript"),
            problem("a key", Code::UnknownKey, "persona"),
            problem("of these keys", Code::FewKeys, "persona"),
            problem("style_weight and traits_weight are 0", Code::Value, OPTIONS),
        ];
        let said: Vec<_> = by_the_verdict(&all)
            .into_iter()
            .map(|p| p.message)
            .collect();
        let expected = [
            "These replies",
            "Of these keys",
            "Style weight and traits weight are 0",
        ];
        assert_eq!(said, expected);
    }
}
