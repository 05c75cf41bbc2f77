//! The profiles of the domains: looked at, changed, taken in and given out.

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;

use super::model::Model;
use crate::app::browser::{download, events};
use crate::app::derived::live;
use crate::app::desk::Face;
use crate::app::panels::faces::Faces;
use crate::app::panels::field::{Field, small_button, text_field};
use crate::app::panels::problems::ProblemList;
use crate::app::panels::text::{Hints, TextPanel};
use crate::app::problems::problems_of;
use crate::debate::{NO_DOMAIN, Profiles, Weights};
use crate::document::edit::{Draft, Step, edit, quoted};
use crate::document::{Node, Problem, Severity, Value, parse_json};
use crate::path;

const INPUT: &str = "profiles";

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
    let replace = move |text: String| {
        desk.type_text(INPUT, text);
        desk.settle();
    };
    let take_in = move |event: leptos::ev::Event| {
        events::on_chosen(&event, move |read| match read {
            Ok(texts) => texts.into_iter().for_each(replace),
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
    view! {
        <div class="form-bar">
            <Show
                when=move || is_own.get()
                fallback=move || view! { <button type="button" data-testid="profile-own" on:click=move |_| replace(Profiles::BUILT_IN.to_owned())>"Change a copy"</button> }
            >
                <button type="button" data-testid="profile-built-in" on:click=move |_| replace(String::new())>"Back to the built-in ones"</button>
            </Show>
            <label class="file">"Import"<input class="visually-hidden" type="file" accept=".json,application/json" data-testid="profile-import" on:change=take_in /></label>
            <button type="button" data-testid="profile-export" on:click=give_out>"Export"</button>
        </div>
        {live(move || is_own.get().then(|| view! { <Faces face form=move || view! { <ProfileForm model problems /> }>
                <TextPanel
                    desk
                    name=INPUT
                    hints=Hints {
                        label: "Profiles",
                        formats: "JSON",
                        placeholder: "",
                    }
                    problems
                    has_form=true
                />
            </Faces>
            <ProblemList desk name=INPUT problems face /> }))}
    }
}

#[derive(Clone, Copy)]
struct Parts {
    model: Model,
    node: Memo<Option<Arc<Node>>>,
    wrong: Memo<HashMap<String, String>>,
    /// The domain shown.
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
        self.node.with(|node| {
            let node = node
                .as_ref()
                .and_then(|node| node.at(path!["domains", domain.as_str()]));
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

#[component]
fn ProfileForm(model: Model, problems: Signal<Vec<Problem>>) -> impl IntoView {
    let text = model.desk.text(INPUT);
    let node = Memo::new(move |_| text.with(|text| parse_json(text).ok().map(Arc::new)));
    let domains = Memo::new(move |_| {
        node.with(|node| keys(node.as_ref().and_then(|node| node.at(path!["domains"]))))
    });
    // the domain in use is the one that is most likely meant
    let chosen = RwSignal::new(
        model
            .scored
            .with_untracked(|e| e.result.as_ref().map(|result| result.domain.clone()))
            .unwrap_or_default(),
    );
    let shown = Memo::new(move |_| {
        domains.with(|all| {
            let chosen = all.iter().find(|name| **name == chosen.get());
            chosen.or(all.first()).cloned().unwrap_or_default()
        })
    });
    let parts = Parts {
        model,
        node,
        wrong: Memo::new(move |_| {
            problems.with(|found| {
                let errors = found.iter().filter(|p| p.severity == Severity::Error);
                errors
                    .map(|p| (p.path.clone(), p.message.clone()))
                    .collect()
            })
        }),
        domain: shown,
    };
    let options = move || {
        let names = domains.get().into_iter();
        names
            .map(|name| view! { <option value=name.clone()>{name.clone()}</option> })
            .collect_view()
    };
    let weights = move || {
        Weights::NAMES.map(|name| {
            let commit = move |parts: Parts, typed: String| {
                parts.change(name, |draft, domain| {
                    draft.set_typed(path!["domains", domain, "weights", name], &typed);
                });
            };
            let field = parts.field(
                name.into(),
                format!("profile-{name}"),
                path!["weights", name].to_vec(),
                commit,
            );
            view! { <label><span>{name}</span>{field}</label> }
        })
    };
    let models = Memo::new(move |_| parts.of(|node| keys(node.at(path!["models"]))));
    let add_model = move |_| {
        parts.change("models", |draft, domain| {
            let models = path!["domains", domain, "models"];
            let taken = draft.keys(models);
            // one more name than there are models: one of them is free
            let free = (1..=taken.len() + 1)
                .map(|number| format!("model-{number}"))
                .find(|name| !taken.contains(name));
            let name = free.unwrap_or_default();
            if draft.has(models) {
                draft.set(path!["domains", domain, "models", name.as_str()], "0.5");
            } else {
                draft.set(models, &format!("{{{}: 0.5}}", quoted(&name)));
            }
        });
        model.desk.settle();
    };
    let add_domain = move |_| {
        let (taken, like) = (domains.get_untracked(), shown.get_untracked());
        // one more name than there are domains: one of them is free
        let mut names = (1..=taken.len() + 1).map(|number| format!("domain-{number}"));
        let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
        let weights = model.profiles.with_untracked(|read| {
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
        model.desk.settle();
        chosen.set(name);
    };
    let remove_domain = move |_| {
        parts.change("drop", |draft, domain| {
            draft.remove(path!["domains", domain]);
        });
        model.desk.settle();
    };
    let rename_domain = Callback::new(move |typed: String| {
        let typed = typed.trim().to_owned();
        if typed.is_empty() || domains.with_untracked(|all| all.contains(&typed)) {
            return model.host.notices.warn(format!(
                "A domain needs a name of its own; “{typed}” is none."
            ));
        }
        parts.change("name", |draft, domain| {
            draft.rename(path!["domains"], domain, &typed);
        });
        chosen.set(typed);
    });
    let name_field = move || {
        let field = Field::when_left("Name of the domain", "profile-name");
        text_field(model.desk, field, shown, Memo::new(|_| None), rename_domain)
    };
    view! {
        <Show
            when=move || parts.node.with(Option::is_some)
            fallback=|| view! { <p class="form-empty">"The text is not JSON as it stands."</p> }
        >
            <div class="form profile-form" data-testid="profile-form">
                <div class="choice">
                    <label for="profile-domain">"Domain"</label>
                    <select id="profile-domain" data-testid="profile-domain" prop:value=move || { domains.track(); shown.get() } on:change=move |event| chosen.set(event_target_value(&event))>
                        {live(options)}
                    </select>
                    <label class="domain-name">"Name "{name_field()}</label>
                    <span class="form-acts">
                        <button type="button" data-testid="profile-add-domain" on:click=add_domain>"Add domain"</button>
                        <button type="button" disabled=move || domains.with(|all| all.len() < 2) on:click=remove_domain>"Remove"</button>
                    </span>
                </div>
                <div class="profile-weights">{weights()}</div>
                <Keywords parts />
                <div class="form-bar">
                    <h3>"Models"</h3>
                    <span class="muted">"Reliability from 0 to 1; a model that is not listed has 0.5"</span>
                    <span class="form-acts"><button type="button" data-testid="profile-add-model" on:click=add_model>"Add model"</button></span>
                </div>
                <ol class="profile-models">{live(move || models.get().into_iter().enumerate().map(|(index, name)| model_row(parts, index, name)).collect_view())}</ol>
            </div>
        </Show>
    }
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
            <textarea id="profile-keywords" data-testid="profile-keywords" rows="3" prop:value=move || words.get() on:change=typed></textarea>
        </div>
    }
}
