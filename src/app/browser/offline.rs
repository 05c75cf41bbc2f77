//! The page without a network: its service worker (`public/service-worker.js`), what it has
//! been given as an installed program, and the way to be rid of all of it.

use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Cache, CacheStorage, MessageChannel, MessageEvent, RegistrationOptions, Response,
    ServiceWorker, ServiceWorkerContainer, ServiceWorkerRegistration, ServiceWorkerState,
    ServiceWorkerUpdateViaCache,
};

use super::events::{Files, read_file};
use super::{Refused, location, relaxed, run_store, storage, texts, vectors};
use crate::embedding::fetch::words;

/// Where the service worker puts what the page is given by other programs.
const SHARED: &str = "assay-shared";
/// The page that is shown when all is gone: it runs nothing, so nothing comes back.
const REMOVED: &str = "removed.html";

fn worker() -> Option<ServiceWorkerContainer> {
    let navigator = web_sys::window()?.navigator();
    // there is none where the page did not come safely, or is a private one
    let found = Reflect::get(&navigator, &"serviceWorker".into()).ok()?;
    found.is_object().then(|| found.unchecked_into())
}

fn caches() -> Option<CacheStorage> {
    web_sys::window()?.caches().ok()
}

async fn settled<T: JsCast>(promise: Promise) -> Option<T> {
    Some(JsFuture::from(promise).await.ok()?.unchecked_into())
}

fn listen(target: &web_sys::EventTarget, name: &'static str, act: impl Fn() + 'static) {
    gloo::events::EventListener::new(target, name, move |_| act()).forget();
}

/// Whether this browser has service workers for this page, and one was started here before.
pub async fn is_on() -> Option<bool> {
    let asked = worker()?.get_registration();
    let found: JsValue = settled(asked).await?;
    Some(found.is_object())
}

/// The page is installed as a program.
pub fn on_installed(handler: impl Fn() + 'static) {
    listen(&gloo::utils::window(), "appinstalled", handler);
}

/// Starts the service worker and waits until it has kept the page; hears of another version of
/// that. Fails in words.
pub async fn start(on_update: impl Fn() + Clone + 'static) -> Result<(), String> {
    let none = || "this browser has no service workers for this page".to_owned();
    let container = worker().ok_or_else(none)?;
    let options = RegistrationOptions::new();
    options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
    let script = location::beside_the_page("service-worker.js");
    let registering = JsFuture::from(container.register_with_options(&script, &options));
    let registration = registering.await.map_err(|error| words(&error))?;
    let registration: ServiceWorkerRegistration = registration.unchecked_into();
    watch(&container, &registration, on_update);
    if registration.active().is_some() {
        return Ok(());
    }
    let coming = registration.installing().or_else(|| registration.waiting());
    let coming = coming.ok_or_else(none)?;
    let settled = Promise::new(&mut |resolve, _| {
        let same = coming.clone();
        listen(&coming, "statechange", move || {
            let state = same.state();
            if matches!(
                state,
                ServiceWorkerState::Activated | ServiceWorkerState::Redundant
            ) {
                // the promise takes any number of answers
                let _ = resolve.call0(&JsValue::NULL);
            }
        });
    });
    // a promise that nobody rejects
    let _ = JsFuture::from(settled).await;
    match coming.state() {
        ServiceWorkerState::Redundant => Err(
            "a file of the page did not come, or is of another version than the others".to_owned(),
        ),
        _ => Ok(()),
    }
}

fn watch(
    container: &ServiceWorkerContainer,
    registration: &ServiceWorkerRegistration,
    on_update: impl Fn() + Clone + 'static,
) {
    // the first one replaces nothing
    let is_first = container.controller().is_none();
    if registration.waiting().is_some() {
        on_update();
    }
    let same = registration.clone();
    listen(registration, "updatefound", move || {
        let (Some(coming), on_update) = (same.installing(), on_update.clone()) else {
            return;
        };
        let state = coming.clone();
        let was_first = is_first && same.active().is_none();
        listen(&coming, "statechange", move || {
            if state.state() == ServiceWorkerState::Installed && !was_first {
                on_update();
            }
        });
    });
}

/// Lets the version that waits take over, and loads the page anew when it has.
pub async fn take_over() {
    let waiting = async {
        let container = worker()?;
        let registration: ServiceWorkerRegistration = settled(container.get_registration()).await?;
        listen(&container, "controllerchange", location::reload);
        registration.waiting()
    };
    match waiting.await {
        Some(waiting) => {
            let _ = waiting.post_message(&object(&[("act", "take over".into())]));
        }
        // another tab was first
        None => location::reload(),
    }
}

/// How far the keeping of all files is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// So many bytes of so many.
    Bytes(f64, f64),
    /// It ended; why.
    Failed(String),
}

/// Asks what is missing for all that the page can do without a network, and with `is_asked`
/// fetches that. The handler hears how far it is.
pub async fn keep_all(is_asked: bool, heard: impl Fn(Kept) + 'static) {
    let sent = async {
        let registration = worker()?.ready().ok()?;
        let registration: ServiceWorkerRegistration = settled(registration).await?;
        let active: ServiceWorker = registration.active()?;
        let channel = MessageChannel::new().ok()?;
        let listener = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            let data = event.data();
            let get = |key: &str| Reflect::get(&data, &key.into()).ok();
            let number = |key| get(key).and_then(|value| value.as_f64());
            heard(match get("failed").and_then(|value| value.as_string()) {
                Some(words) => Kept::Failed(words),
                None => Kept::Bytes(
                    number("done").unwrap_or_default(),
                    number("all").unwrap_or_default(),
                ),
            });
        });
        channel
            .port1()
            .set_onmessage(Some(listener.as_ref().unchecked_ref()));
        // the port holds it for as long as the page is there
        listener.forget();
        // one of the two builds is never used here, and one only with a model of one's own
        let other = match relaxed::program() {
            "embedder" => "embedder-relaxed_bg.wasm",
            _ => "embedder_bg.wasm",
        };
        let without = Array::of2(&other.into(), &"embedder-onnx_bg.wasm".into());
        let act = if is_asked { "keep all" } else { "ask" };
        let message = object(&[("act", act.into()), ("without", without.into())]);
        let ports = Array::of1(&channel.port2());
        active.post_message_with_transferable(&message, &ports).ok()
    };
    sent.await;
}

fn object(entries: &[(&str, JsValue)]) -> Object {
    let made = Object::new();
    for (key, value) in entries {
        // a plain object takes any key
        let _ = Reflect::set(&made, &(*key).into(), value);
    }
    made
}

/// What other programs have shared with the page since it was asked last.
pub async fn shared() -> Files {
    let found = async {
        let cache: Cache = settled(caches()?.open(SHARED)).await?;
        let keys: Array = settled(cache.keys()).await?;
        let mut files = Vec::new();
        for request in keys.iter() {
            let request: web_sys::Request = request.unchecked_into();
            let response: Response = settled(cache.match_with_request(&request)).await?;
            let blob: web_sys::Blob = settled(response.blob().ok()?).await?;
            let url = request.url();
            let name = url.rsplit('/').next().unwrap_or_default();
            let name = js_sys::decode_uri_component(name).map_or(name.to_owned(), Into::into);
            let parts = Array::of1(&blob);
            files.push(web_sys::File::new_with_blob_sequence(&parts, &name).ok()?);
        }
        settled::<JsValue>(caches()?.delete(SHARED)).await?;
        Some(files)
    };
    let mut read = Vec::new();
    for file in found.await.unwrap_or_default() {
        read.push(read_file(&file).await?);
    }
    Ok(read)
}

/// Files that the installed page is opened with.
pub fn on_launch(handler: impl Fn(Files) + Clone + 'static) {
    let Some(queue) = web_sys::window()
        .and_then(|window| Reflect::get(&window, &"launchQueue".into()).ok())
        .filter(JsValue::is_object)
    else {
        return;
    };
    let take = Closure::<dyn Fn(JsValue)>::new(move |launch: JsValue| {
        let handler = handler.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let list = Reflect::get(&launch, &"files".into()).unwrap_or_default();
            let mut files = Ok(Vec::new());
            for handle in Array::from(&list).iter() {
                match launched(&handle).await {
                    Some(file) => match (read_file(&file).await, &mut files) {
                        (Ok(file), Ok(files)) => files.push(file),
                        (Err(words), files) => *files = Err(words),
                        _ => {}
                    },
                    None => files = Err("a file could not be read".to_owned()),
                }
            }
            if files.as_ref().map_or(true, |files| !files.is_empty()) {
                handler(files);
            }
        });
    });
    let set = Reflect::get(&queue, &"setConsumer".into());
    if let Some(set) = set
        .ok()
        .and_then(|set| set.dyn_into::<js_sys::Function>().ok())
    {
        let _ = set.call1(&queue, take.as_ref());
    }
    take.forget();
}

/// The file of a handle.
async fn launched(handle: &JsValue) -> Option<web_sys::File> {
    let get = Reflect::get(handle, &"getFile".into()).ok()?;
    let get: js_sys::Function = get.dyn_into().ok()?;
    let file: Promise = get.call0(handle).ok()?.dyn_into().ok()?;
    settled(file).await
}

/// Takes everything of this page out of the browser, work and files, and leaves the page.
pub async fn remove_all() -> Result<(), Refused> {
    if let Some(container) = worker() {
        let all: Option<Array> = settled(container.get_registrations()).await;
        let home = location::beside_the_page("./");
        for registration in all.unwrap_or_default().iter() {
            let registration: ServiceWorkerRegistration = registration.unchecked_into();
            if registration.scope() == home
                && let Ok(gone) = registration.unregister()
            {
                let _ = JsFuture::from(gone).await;
            }
        }
    }
    if let Some(caches) = caches() {
        let names: Option<Array> = settled(caches.keys()).await;
        let names = names.unwrap_or_default();
        let own = names.iter().filter_map(|name| name.as_string());
        for name in own.filter(|name| name.starts_with("assay-")) {
            let _ = JsFuture::from(caches.delete(&name)).await;
        }
    }
    for database in [texts::DATABASE, vectors::DATABASE, run_store::DATABASE] {
        super::database::remove(database);
    }
    for key in storage::keys() {
        if key.starts_with("assay.") {
            storage::remove(&key);
        }
    }
    let window = web_sys::window().ok_or(Refused)?;
    let gone = location::beside_the_page(REMOVED);
    window.location().replace(&gone).map_err(|_| Refused)
}
