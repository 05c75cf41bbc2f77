//! One reply: what was found in it, what it lacks, and what made its voice.

use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use super::voice::Heard;
use crate::app::derived::Derived;
use crate::app::format::{fixed, measured, sentence, short};
use crate::app::panels::evidence::{self, Mark};
use crate::app::panels::explain::explained;
use crate::persona::voice::{Explanation, Family, Pull};
use crate::persona::{Metric, TraitResult, TurnResult, explain_trait};
use crate::text::{Shown, sort_by};

/// The words that a part of the score stands on; all without a part.
pub fn marks_of(turn: &TurnResult, part: Option<Metric>) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut mark = |class, title, start, end| {
        marks.push(Mark {
            start,
            end,
            class,
            title,
            tip: None,
        });
    };
    if part.is_none_or(|part| part == Metric::Authenticity) {
        for hit in turn.preferred_hits.iter() {
            let title = format!("preferred: {}", hit.entry);
            mark("preferred", title, hit.start, hit.end);
        }
    }
    // an avoided word beside a violation is worth to be seen
    if part != Some(Metric::Stability) {
        for hit in turn.avoided_hits.iter() {
            let title = format!("avoided: {}", hit.entry);
            mark("avoided", title, hit.start, hit.end);
        }
    }
    if part.is_none_or(|part| part == Metric::Safety) {
        for found in turn.violations.iter() {
            let severity = found.severity.word();
            let title = format!("{} ({severity}): {}", found.category, found.pattern);
            mark("violation", title, found.start, found.end);
        }
    }
    if part.is_none_or(|part| part == Metric::Authenticity) {
        for shown in turn.traits.iter() {
            for evidence in &shown.evidence {
                for &[start, end] in &evidence.spans {
                    let title = format!("{}: {}", shown.name, evidence.signal);
                    mark("trait", title, start, end);
                }
            }
        }
    }
    marks
}

fn trait_item(shown: &TraitResult) -> impl IntoView + use<> {
    let measures = shown.evidence.iter().map(|evidence| {
        let threshold = evidence
            .threshold
            .clone()
            .map(|t| format!(" ({t})"))
            .unwrap_or_default();
        format!("{} {}{threshold}", evidence.signal, short(evidence.value))
    });
    let measures = measures.collect::<Vec<_>>().join(", ");
    let (mark, word) = if shown.matched {
        ("✓", "shown")
    } else {
        ("✕", "not shown")
    };
    view! {
        <li class:missed=!shown.matched>
            <span aria-hidden="true">{mark}</span>" "<strong>{shown.name.to_string()}</strong>" "{word}
            <small>{measures}</small>
        </li>
    }
}

/// A reply of a session; `unread` says what of it cannot be judged.
pub fn turn_view(
    turn: &TurnResult,
    unread: Option<String>,
    part: Option<Metric>,
) -> impl IntoView + use<> {
    let unread = unread.map(|words| view! { <p class="muted">{sentence(&words)}"."</p> });
    view! {
        <li class="turn">
            <p class="turn-figures"><strong>"Turn "{turn.turn_index}</strong>{figures(turn)}</p>
            {unread}
            {prompt(turn)}
            {evidence::marked(&turn.text, &marks_of(turn, part))}
            {nearest(turn)}
            {findings(turn)}
        </li>
    }
}

fn figures(turn: &TurnResult) -> impl IntoView + use<> {
    let figures = [
        (Metric::Authenticity, turn.authenticity),
        (Metric::Style, turn.style),
        (Metric::Lexicon, turn.lexicon),
        (Metric::Voice, turn.voice),
    ];
    figures.map(|(metric, value)| {
        view! { <span>{metric.name()}" "<b>{measured(value, 3)}</b></span> }
    })
}

fn prompt(turn: &TurnResult) -> Option<impl IntoView + use<>> {
    turn.prompt.clone().map(|text| {
        view! { <p class="prompt"><span class="muted">"To: "</span><q>{text.to_string()}</q></p> }
    })
}

fn nearest(turn: &TurnResult) -> Option<impl IntoView + use<>> {
    let cosine = measured(turn.style, 3);
    turn.nearest_exemplar.clone().map(|text| {
        view! {
            <p class="nearest">
                <span class="muted">"Nearest exemplar (cosine "{cosine}"): "</span>
                <q>{text.to_string()}</q>
            </p>
        }
    })
}

/// Which traits it shows, and which rules it breaks.
fn findings(turn: &TurnResult) -> impl IntoView + use<> {
    let violations = turn.violations.iter().map(|violation| {
        view! {
            <li class="missed">
                <strong>{violation.severity.word()}" "{violation.category.clone()}</strong>
                <small>{violation.pattern.clone()}</small>
            </li>
        }
        .into_any()
    });
    traits_and(turn, violations.collect())
}

fn traits_and(turn: &TurnResult, violations: Vec<AnyView>) -> impl IntoView + use<> {
    let traits = turn.traits.iter().map(trait_item);
    view! { <ul class="traits">{traits.collect_view()}{violations}</ul> }
}

/// What pulled most towards a trait by examples, and away from it, in words.
type Pulls = [String; 2];

/// The traits that are told by examples, each with its score and what made it.
fn taught(turn: &TurnResult, why: &[Option<Pulls>]) -> Option<AnyView> {
    let items = turn.taught.iter().enumerate().map(|(at, told)| {
        let why = why.get(at).cloned().flatten().map(|[up, down]| {
            view! { <small>"for it: "<bdi>{up}</bdi>"; against it: "<bdi>{down}</bdi></small> }
        });
        view! {
            <li>
                <strong><bdi>{told.name()}</bdi></strong>" "
                <b data-testid="taught-value" data-value=told.value.to_string()>{fixed(told.value, 2)}</b>
                {why}
            </li>
        }
    });
    let items = items.collect_view();
    (!turn.taught.is_empty()).then(|| {
        view! {
            <div data-testid="taught">
                <h4>{explained("Traits by examples", "trait_examples")}</h4>
                <ul class="traits">{items}</ul>
            </div>
        }
        .into_any()
    })
}

/// Why each trait by examples has its score in a reply, as soon as that is known.
pub fn taught_why(model: Model, text: Arc<str>) -> Derived<Vec<Option<Pulls>>> {
    Derived::new(move || {
        let (told, made) = (model.told.get(), model.embedding.made());
        let (Some(told), Some(made)) = (&*told, made) else {
            return Vec::new();
        };
        // a reply lists those that were learned
        let learned = told
            .iter()
            .filter_map(|told| told.learned.contrast.as_ref().ok());
        let why = learned.map(|contrast| {
            let apart = explain_trait(contrast, &text, &made).ok()?;
            Some([true, false].map(|is_up| named(&apart, is_up)))
        });
        why.collect()
    })
}

/// The strongest pulls to a side in a line.
fn named(apart: &Explanation, is_up: bool) -> String {
    let all = pulls(apart);
    let few = strongest(all.iter(), is_up).into_iter().take(FEW);
    let few = few.map(|pull| {
        let none = if pull.is_there { "" } else { ": none" };
        format!("{}{none} {}", pull.what, signed(pull.share))
    });
    let few = few.collect::<Vec<_>>();
    if few.is_empty() {
        "nothing".to_owned()
    } else {
        few.join(", ")
    }
}

/// Signals and words of a score taken apart; words of the text stand in quotation marks, signals do
/// not.
fn pulls(apart: &Explanation) -> Vec<Pull> {
    let quoted = apart.words.iter().map(|word| Pull {
        what: format!("“{}”", Shown(&word.what)),
        ..word.clone()
    });
    apart.signals.iter().cloned().chain(quoted).collect()
}

/// The kinds of marks by what their classes begin with, and what each is called.
const LEGEND: [(&str, &str, &str); 6] = [
    ("preferred", "preferred", "preferred"),
    ("avoided", "avoided", "avoided"),
    ("trait", "trait", "trait evidence"),
    ("violation", "violation", "violation"),
    ("pull up", "pull up two tipped", "pulls towards the persona"),
    (
        "pull down",
        "pull down two tipped",
        "pulls towards any assistant",
    ),
];

/// What the marks mean that occur.
pub fn legend(marks: &[Mark]) -> impl IntoView + use<> {
    let occurs = |kind: &str| marks.iter().any(|mark| mark.class.starts_with(kind));
    let legend = LEGEND.into_iter().filter(|(kind, ..)| occurs(kind));
    let items = legend.map(|(_, class, words)| view! { <li><mark class=class>{words}</mark></li> });
    view! { <ul class="legend marks">{items.collect_view()}</ul> }
}

/// So many words are marked on each side, and so many pulls listed.
const STRONGEST: usize = 5;
/// So many are named in a line.
const FEW: usize = 3;
/// A pull below this share of the strongest is not marked.
const FAINT: f64 = 0.15;

/// Up and down, from the weakest to the strongest.
const PULLS: [[&str; 3]; 2] = [
    ["pull up one", "pull up two", "pull up three"],
    ["pull down one", "pull down two", "pull down three"],
];

/// The strongest pulls up or down, the strongest first.
fn strongest<'a>(pulls: impl Iterator<Item = &'a Pull>, is_up: bool) -> Vec<&'a Pull> {
    let has_side = |pull: &&Pull| {
        if is_up {
            pull.share > 0.0
        } else {
            pull.share < 0.0
        }
    };
    let mut pulls: Vec<&Pull> = pulls.filter(has_side).collect();
    sort_by(&mut pulls, |one, other| {
        other.share.abs().total_cmp(&one.share.abs())
    });
    pulls.truncate(STRONGEST);
    pulls
}

/// A share with its sign.
fn signed(share: f64) -> String {
    let sign = if share > 0.0 { "+" } else { "" };
    format!("{sign}{}", fixed(share, 2))
}

/// The words that pull most, up and down, each as strong as it pulls.
fn pulls_of(words: &[Pull]) -> Vec<Mark> {
    let sides = [true, false].map(|is_up| strongest(words.iter(), is_up));
    let firsts = sides.iter().filter_map(|side| side.first());
    let most = firsts.map(|pull| pull.share.abs()).fold(0.0, f64::max);
    let mut marks = Vec::new();
    for (side, classes) in sides.iter().zip(PULLS) {
        for pull in side {
            let strength = pull.share.abs() / most;
            let level = (strength * 3.0) as usize;
            let tip = format!("voice {}", signed(pull.share));
            let spans = pull.spans.iter().filter(|_| strength >= FAINT);
            marks.extend(spans.map(|[start, end]| Mark {
                start: *start,
                end: *end,
                class: classes[level.min(2)],
                title: tip.clone(),
                tip: Some(tip.clone()),
            }));
        }
    }
    marks
}

/// The voice of a reply taken apart, as soon as there is one.
pub fn explanation(model: Model, text: Arc<str>) -> Derived<Option<Explanation>> {
    Derived::new(move || {
        let heard = model.heard.get();
        let Heard::Known(voice, _) = &*heard else {
            return None;
        };
        let made = model.embedding.made()?;
        model.run.with(|run| {
            let run = run.result.as_ref()?;
            run.explain(voice, &text, &made).ok()
        })
    })
}

/// All that there is to say of a reply.
pub fn whole(
    turn: &TurnResult,
    (explanation, why): (Option<&Explanation>, &[Option<Pulls>]),
    silent: Option<String>,
    opinion: Option<AnyView>,
    caught: Vec<AnyView>,
) -> AnyView {
    let mut marks = marks_of(turn, None);
    marks.extend(explanation.iter().flat_map(|found| pulls_of(&found.words)));
    let voice = match (explanation, silent) {
        (Some(explanation), _) => Some(apart(explanation)),
        (None, Some(reason)) => Some(
            view! { <p class="muted" data-testid="voice-silent">"Voice: "{reason}</p> }.into_any(),
        ),
        (None, None) => None,
    };
    view! {
        <p class="turn-figures">{figures(turn)}</p>
        {prompt(turn)}
        <div class="reply-sides">
            <div data-testid="reply-marked">
                {evidence::marked(&turn.text, &marks)}
                {legend(&marks)}
            </div>
            {nearest(turn)}
        </div>
        {traits_and(turn, caught)}
        {taught(turn, why)}
        {opinion}
        {voice}
    }
    .into_any()
}

/// The sum that a voice is, and what pulled most in it.
fn apart(explanation: &Explanation) -> AnyView {
    let score = explanation.score;
    let term = |label: &'static str, note: String, share: f64| {
        view! {
            <div>
                <dt>{label}</dt>
                <dd class="term">{note}</dd>
                <dd class="figure" data-share=share.to_string()>{signed(share)}</dd>
            </div>
        }
    };
    let cosine = |found: Option<(f64, usize)>| found.map(|(cosine, _)| fixed(cosine, 3));
    let near = match (cosine(score.nearest), cosine(score.nearest_off)) {
        (Some(ours), Some(off)) => format!("cosine {ours}, off brand {off}"),
        (Some(ours), None) => format!("cosine {ours}"),
        _ => String::new(),
    };
    let parts = Family::ALL.into_iter().zip(score.parts);
    let parts = parts.map(|(family, share)| {
        let note = if family == Family::Nearest {
            near.clone()
        } else {
            String::new()
        };
        term(family.label(), note, share)
    });
    let named = |is_up: bool| {
        let all = pulls(explanation);
        let strongest = strongest(all.iter(), is_up).into_iter();
        strongest.cloned().collect::<Vec<Pull>>()
    };
    view! {
        <div class="voice-apart" data-testid="voice-apart">
            <div>
                <h4>{explained("Voice", "voice")}", as a sum"</h4>
                <dl class="sum">
                    {term("Where every reply starts", String::new(), score.base)}
                    {parts.collect_view()}
                    <div class="sum-total">
                        <dt>"Log-odds"</dt>
                        <dd class="term"></dd>
                        <dd class="figure" data-testid="voice-log-odds" data-value=score.log_odds.to_string()>{signed(score.log_odds)}</dd>
                    </div>
                    <div class="sum-total">
                        <dt>"Voice"</dt>
                        <dd class="term">"1 / (1 + e^−log-odds)"</dd>
                        <dd class="figure" data-testid="voice-value" data-value=score.value.to_string()>{fixed(score.value, 3)}</dd>
                    </div>
                </dl>
            </div>
            {pull_table("What made it sound like us", &named(true))}
            {pull_table("What made it sound like any assistant", &named(false))}
        </div>
    }
    .into_any()
}

fn pull_table(caption: &'static str, pulls: &[Pull]) -> impl IntoView + use<> {
    let rows = pulls.iter().map(|pull| {
        let none = if pull.is_there { "" } else { ": none" };
        view! { <tr><th scope="row">{pull.what.clone()}{none}</th><td>{signed(pull.share)}</td></tr> }
    });
    let rows = rows.collect_view();
    let nothing = pulls.is_empty();
    view! {
        <table class="pulls">
            <caption>{caption}</caption>
            <tbody>{rows}{nothing.then(|| view! { <tr><td>"nothing"</td></tr> })}</tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull(what: &str, share: f64, start: usize) -> Pull {
        Pull {
            what: what.to_owned(),
            is_there: true,
            share,
            spans: vec![[start, start + 1]],
        }
    }

    #[test]
    fn the_words_that_pull_most_are_marked_as_strong_as_they_pull() {
        let words = [
            pull("a", 0.9, 0),
            pull("b", -0.5, 2),
            pull("c", 0.01, 4),
            pull("d", 0.2, 6),
        ];
        let marks = pulls_of(&words);
        let found: Vec<_> = marks
            .iter()
            .map(|mark| {
                (
                    mark.start,
                    mark.class,
                    mark.tip.as_deref().unwrap_or_default(),
                )
            })
            .collect();
        assert_eq!(
            found,
            [
                (0, "pull up three", "voice +0.90"),
                (6, "pull up one", "voice +0.20"),
                (2, "pull down two", "voice −0.50"),
            ]
        );
    }

    #[test]
    fn a_text_without_words_has_no_marks() {
        assert_eq!(pulls_of(&[]), vec![]);
        assert_eq!(pulls_of(&[pull("a", 0.0, 0)]), vec![]);
    }

    #[test]
    fn no_more_are_marked_than_are_strong() {
        let words: Vec<Pull> = (0..20).map(|at| pull("x", 1.0, at)).collect();
        assert_eq!(pulls_of(&words).len(), STRONGEST);
    }
}
