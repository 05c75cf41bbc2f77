//! The profiles of the domains: looked at, changed, taken in and given out.

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;

use super::PROFILES;
use super::model::Model;
use crate::app::browser::{download, events};
use crate::app::derived::live;
use crate::app::desk::Face;
use crate::app::panels::faces::Faces;
use crate::app::panels::field::{Field, small_button, text_field, word_button};
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::TextPanel;
use crate::app::problems::problems_of;
use crate::debate::{DebateResult, NO_DOMAIN, Profiles, Term, UNKNOWN_MODEL};
use crate::document::edit::{Draft, edit, quoted};
use crate::document::{Evaluation, Node, Parsed, Problem, Severity, Step, Value};
use crate::path;
use crate::text::Shown;

const INPUT: &str = PROFILES.name;

/// Profiles in two faces, or the way to have one's own.
#[component]
pub fn ProfileEditor(
    /// Whose debate it is.
    model: Model,
) -> impl IntoView {
    let desk = model.desk;
    let text = desk.text(INPUT);
    let is_own = Memo::new(move |_| text.with(|text| !text.is_empty()));
    let face = RwSignal::new(Face::Form);
    let problems = Signal::derive(move || {
        model
            .profiles
            .with(|read| problems_of(&read.problems, INPUT, INPUT))
    });
    let own = move || {
        let refuse = Callback::new(move |message: String| model.host.notices.warn(message));
        view! {
            <Faces face form=move || view! { <ProfileForm model problems /> }>
                <TextPanel desk name=INPUT hints=PROFILES.hints problems has_form=true refuse />
            </Faces>
            <ProblemList desk name=INPUT problems face />
        }
    };
    view! {
        {ways_in_and_out(model, text, is_own)}
        {live(move || is_own.get().then(own))}
    }
}

/// Profiles of one's own or the built-in ones, taken in and given out.
fn ways_in_and_out(model: Model, text: Memo<Arc<str>>, is_own: Memo<bool>) -> impl IntoView {
    let replace = move |text: String| {
        model.desk.type_text(INPUT, text);
        model.desk.settle();
    };
    let take_in = move |event: leptos::ev::Event| {
        events::on_chosen(&event, move |read| match read {
            Ok(files) => files
                .into_iter()
                .filter_map(|file| file.text)
                .for_each(replace),
            Err(message) => model.host.notices.warn(message),
        });
    };
    let give_out = move |_| {
        let text = text.get_untracked();
        let text = if text.is_empty() {
            Profiles::BUILT_IN
        } else {
            &*text
        };
        if download::offer("assay-profiles.json", "application/json", text).is_err() {
            model.host.notices.warn("This browser offers no downloads.");
        }
    };
    let copy = move || {
        word_button("Change a copy", "profile-own", move || {
            replace(Profiles::BUILT_IN.to_owned());
        })
    };
    let back = move || {
        word_button("Back to the built-in ones", "profile-built-in", move || {
            replace(String::new());
        })
    };
    view! {
        <div class="form-bar">
            {live(move || if is_own.get() { back() } else { copy() })}
            <label class="file">
                "Import"
                <input
                    class="visually-hidden"
                    type="file"
                    accept=".json,application/json"
                    data-testid="profile-import"
                    on:change=take_in
                />
            </label>
            <button type="button" data-testid="profile-export" on:click=give_out>"Export"</button>
        </div>
    }
}

#[derive(Clone, Copy)]
struct Parts {
    model: Model,
    wrong: Memo<HashMap<String, String>>,
    /// The names of all domains.
    domains: Memo<Vec<String>>,
    /// The domain that was chosen.
    chosen: RwSignal<String>,
    /// The domain shown: the first where that is none of them.
    domain: Memo<String>,
}

impl Parts {
    fn change(self, gesture: &str, change: impl FnOnce(&mut Draft, &str)) {
        let domain = self.domain.get_untracked();
        let gesture = format!("profile {domain} {gesture}");
        let change = |text: &str| edit(text, |draft| change(draft, &domain));
        self.model.desk.edit(INPUT, &gesture, change);
    }

    /// Something of the domain shown.
    fn of<T: Default>(self, read: impl FnOnce(&Node) -> T) -> T {
        let domain = self.domain.get();
        self.model.own_profiles.with(|own| {
            let node =
                root(own.as_ref()).and_then(|node| node.at(path!["domains", domain.as_str()]));
            node.map(read).unwrap_or_default()
        })
    }

    fn field(
        self,
        label: String,
        hook: String,
        path: Vec<Step>,
        commit: impl Fn(Self, String) + Send + Sync + 'static,
    ) -> AnyView {
        let last = path.iter().map(|step| match step {
            Step::Key(key) => key.clone(),
            Step::Item(item) => format!("[{item}]"),
        });
        let tail = last.collect::<Vec<_>>().join(".");
        text_field(
            self.model.desk,
            Field::at_once(label, hook),
            Memo::new(move |_| self.of(|node| node.typed(&path))),
            Memo::new(move |_| {
                let path = format!("domains.{}.{tail}", self.domain.get());
                self.wrong.with(|wrong| wrong.get(&path).cloned())
            }),
            Callback::new(move |typed| commit(self, typed)),
        )
    }
}

fn keys(node: Option<&Node>) -> Vec<String> {
    match node.map(|node| &node.value) {
        Some(Value::Map(entries)) => entries.iter().map(|entry| entry.key.clone()).collect(),
        _ => Vec::new(),
    }
}

/// The value of the profiles' text; none where it is not JSON.
fn root(own: Option<&Arc<Parsed>>) -> Option<&Node> {
    own?.node(0)
}

#[component]
fn ProfileForm(model: Model, problems: Signal<Vec<Problem>>) -> impl IntoView {
    let own = model.own_profiles;
    let domains = Memo::new(move |_| {
        own.with(|own| keys(root(own.as_ref()).and_then(|node| node.at(path!["domains"]))))
    });
    // the domain in use is the one that is most likely meant
    let used = |scored: &Evaluation<DebateResult>| {
        let result = scored.result.as_ref();
        result.map(|result| result.domain.clone())
    };
    let chosen = RwSignal::new(model.scored.with_untracked(used).unwrap_or_default());
    let domain = Memo::new(move |_| {
        domains.with(|all| {
            let chosen = all.iter().find(|name| **name == chosen.get());
            chosen.or(all.first()).cloned().unwrap_or_default()
        })
    });
    let parts = Parts {
        model,
        wrong: Memo::new(move |_| problems.with(|found| errors_by_path(found))),
        domains,
        chosen,
        domain,
    };
    view! {
        <Show
            when=move || own.with(|own| root(own.as_ref()).is_some())
            fallback=|| view! { <p class="form-empty">"The text is not JSON as it stands."</p> }
        >
            <div class="form profile-form" data-testid="profile-form">
                <DomainChoice parts />
                <div class="profile-weights">{Term::ALL.map(|term| weight(parts, term))}</div>
                <Keywords parts />
                <Models parts />
            </div>
        </Show>
    }
}

fn errors_by_path(found: &[Problem]) -> HashMap<String, String> {
    let errors = found.iter().filter(|p| p.severity == Severity::Error);
    errors
        .map(|p| (p.path.clone(), p.message.clone()))
        .collect()
}

/// The domain that is shown; domains are added, renamed and removed.
#[component]
fn DomainChoice(parts: Parts) -> impl IntoView {
    let Parts {
        domains,
        chosen,
        domain,
        ..
    } = parts;
    let options = move || {
        let names = domains.get().into_iter();
        names
            .map(|name| view! { <option value=name.clone()>{name.clone()}</option> })
            .collect_view()
    };
    let name_field = text_field(
        parts.model.desk,
        Field::when_left("Name of the domain", "profile-name"),
        domain,
        Memo::new(|_| None),
        Callback::new(move |typed: String| rename_domain(parts, typed.trim())),
    );
    let remove = move |_| {
        parts.change("drop", |draft, domain| {
            draft.remove(path!["domains", domain]);
        });
        parts.model.desk.settle();
    };
    let shown = move || {
        domains.track();
        domain.get()
    };
    view! {
        <div class="choice">
            <label for="profile-domain">"Domain"</label>
            <select
                id="profile-domain"
                data-testid="profile-domain"
                prop:value=shown
                on:change=move |event| chosen.set(event_target_value(&event))
            >
                {live(options)}
            </select>
            <label class="domain-name">"Name "{name_field}</label>
            <span class="form-acts">
                {word_button("Add domain", "profile-add-domain", move || add_domain(parts))}
                <button
                    type="button"
                    disabled=move || domains.with(|all| all.len() < 2)
                    on:click=remove
                >
                    "Remove"
                </button>
            </span>
        </div>
    }
}

/// Adds a domain with the weights of the one shown.
fn add_domain(parts: Parts) {
    let (taken, like) = (parts.domains.get_untracked(), parts.domain.get_untracked());
    // one more name than there are domains: one of them is free
    let mut names = (1..=taken.len() + 1).map(|number| format!("domain-{number}"));
    let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
    let weights = parts.model.profiles.with_untracked(|read| {
        let like = read.result.as_ref().and_then(|all| all.domain(&like));
        like.map_or(NO_DOMAIN, |domain| domain.weights)
    });
    let weights = weights
        .named()
        .map(|(key, value)| format!("{}: {value}", quoted(key)));
    let json = format!(
        "{{\"weights\": {{{}}}, \"keywords\": [], \"models\": {{}}}}",
        weights.join(", ")
    );
    parts.change("add", |draft, _| {
        draft.set(path!["domains", name.as_str()], &json);
    });
    parts.model.desk.settle();
    parts.chosen.set(name);
}

fn rename_domain(parts: Parts, typed: &str) {
    let is_taken = |all: &Vec<String>| all.iter().any(|name| name == typed);
    if typed.is_empty() || parts.domains.with_untracked(is_taken) {
        let words = if typed.is_empty() {
            "A domain needs a name.".to_owned()
        } else {
            format!(
                "There is a domain “{}” already: choose another name.",
                Shown(typed)
            )
        };
        return parts.model.host.notices.warn(words);
    }
    parts.change("name", |draft, domain| {
        draft.rename(path!["domains"], domain, typed);
    });
    parts.chosen.set(typed.to_owned());
}

fn weight(parts: Parts, term: Term) -> impl IntoView {
    let name = term.weight();
    let commit = move |parts: Parts, typed: String| {
        parts.change(name, |draft, domain| {
            draft.set_typed(path!["domains", domain, "weights", name], &typed);
        });
    };
    let path = path!["weights", name].to_vec();
    let field = parts.field(
        format!("Weight of {}", term.name()),
        format!("profile-{name}"),
        path,
        commit,
    );
    view! { <label><span>{term.label()}</span>{field}</label> }
}

/// The models of the domain, with their reliabilities.
#[component]
fn Models(parts: Parts) -> impl IntoView {
    let models = Memo::new(move |_| parts.of(|node| keys(node.at(path!["models"]))));
    let rows = move || {
        let models = models.get().into_iter().enumerate();
        models
            .map(|(index, name)| model_row(parts, index, name))
            .collect_view()
    };
    view! {
        <div class="form-bar">
            <h3>"Models"</h3>
            <span class="muted">"Reliability from 0 to 1; a model that is not listed has "{UNKNOWN_MODEL}</span>
            <span class="form-acts">
                {word_button("Add model", "profile-add-model", move || add_model(parts))}
            </span>
        </div>
        <ol class="profile-models">{live(rows)}</ol>
    }
}

fn add_model(parts: Parts) {
    parts.change("models", |draft, domain| {
        let models = path!["domains", domain, "models"];
        let taken = draft.keys(models);
        // one more name than there are models: one of them is free
        let free = (1..=taken.len() + 1)
            .map(|number| format!("model-{number}"))
            .find(|name| !taken.contains(name));
        let name = free.unwrap_or_default();
        if draft.has(models) {
            draft.set(
                path!["domains", domain, "models", name.as_str()],
                &UNKNOWN_MODEL.to_string(),
            );
        } else {
            draft.set(models, &format!("{{{}: {UNKNOWN_MODEL}}}", quoted(&name)));
        }
    });
    parts.model.desk.settle();
}

fn model_row(parts: Parts, index: usize, name: String) -> AnyView {
    let (old, gone) = (name.clone(), name.clone());
    let rename = Callback::new(move |typed: String| {
        parts.change("rename", |draft, domain| {
            let models = path!["domains", domain, "models"];
            if !typed.trim().is_empty() && !draft.keys(models).iter().any(|key| key == typed.trim())
            {
                draft.rename(models, &old, typed.trim());
            }
        });
    });
    let path = path!["models", name.as_str()].to_vec();
    let key = name.clone();
    let weigh = move |parts: Parts, typed: String| {
        parts.change(&key, |draft, domain| {
            draft.set_typed(path!["domains", domain, "models", key.as_str()], &typed);
        });
    };
    let remove = move || {
        parts.change("remove", |draft, domain| {
            draft.remove(path!["domains", domain, "models", gone.as_str()]);
        });
        parts.model.desk.settle();
    };
    let shown = name.clone();
    let title = text_field(
        parts.model.desk,
        Field::when_left(
            format!("Model {}", index + 1),
            format!("profile-model-{index}"),
        ),
        Memo::new(move |_| shown.clone()),
        Memo::new(|_| None),
        rename,
    );
    view! {
        <li>
            {title}
            {parts.field(format!("Reliability of {name}"), format!("profile-reliability-{index}"), path, weigh)}
            {small_button(format!("Remove {name}"), "×", remove)}
        </li>
    }
    .into_any()
}

/// The keywords, one per line or with commas between them.
#[component]
fn Keywords(parts: Parts) -> impl IntoView {
    let words = Memo::new(move |_| {
        parts.of(
            |node| match node.at(path!["keywords"]).map(|node| &node.value) {
                Some(Value::List(items)) => items
                    .iter()
                    .map(|item| item.typed(&[]))
                    .collect::<Vec<_>>()
                    .join(", "),
                _ => String::new(),
            },
        )
    });
    let typed = move |event| {
        let typed = event_target_value(&event);
        let words: Vec<String> = typed
            .split([',', '\n'])
            .map(str::trim)
            .filter(|word| !word.is_empty())
            .map(quoted)
            .collect();
        parts.change("keywords", |draft, domain| {
            draft.set(
                path!["domains", domain, "keywords"],
                &format!("[{}]", words.join(", ")),
            );
        });
        parts.model.desk.settle();
    };
    view! {
        <div class="form-field">
            <label for="profile-keywords">"Keywords, with commas between them"</label>
            <textarea
                id="profile-keywords"
                data-testid="profile-keywords"
                rows="3"
                prop:value=move || words.get()
                on:change=typed
            ></textarea>
        </div>
    }
}
