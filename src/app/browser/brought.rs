//! Files of a model that somebody brings: given, fetched from a folder beside the page, and kept
//! by the Cache API under their hashes.

use js_sys::{Array, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, Cache, CacheStorage, Event, File, FileList, HtmlInputElement, Response};

use super::location;
use super::reader::Held;
use super::worker::Weights;
use crate::embedding::card::{Card, is_plain};

/// Where the browser keeps them.
const CACHE: &str = "assay-brought";
/// What is asked for in a folder beside the page; the first two are one file.
const BESIDE: [&str; 9] = [
    "model.onnx",
    "onnx/model.onnx",
    "tokenizer.json",
    "config.json",
    "1_Pooling/config.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "tokenizer_config.json",
];

/// Files that may be a model.
#[derive(Clone, Default)]
pub struct Bundle {
    /// What they are called together: their folder, or the ONNX file.
    pub name: String,
    files: Vec<(String, Blob)>,
}

impl Bundle {
    /// Whether there is an ONNX file among names.
    pub fn is_among<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
        names.any(is_onnx)
    }

    /// Files by their names. Of several ONNX files the plain export; of what is neither a graph
    /// nor JSON only the name.
    fn of(files: Vec<(String, Blob)>, folder: Option<String>) -> Self {
        let has_plain = files.iter().any(|(name, _)| is_plain(name));
        let files = files.into_iter().filter_map(|(name, blob)| {
            if has_plain && is_onnx(&name) && !is_plain(&name) {
                return None;
            }
            let is_json = ends(&name, ".json");
            let blob = if is_onnx(&name) || is_json || !name.contains('.') {
                blob
            } else {
                Blob::new().ok()?
            };
            Some((name, blob))
        });
        let files: Vec<(String, Blob)> = files.collect();
        let stem = || {
            let mut names = files.iter().map(|(name, _)| name.as_str());
            let name = names.find(|name| is_onnx(name))?;
            Some(name[..name.len() - ".onnx".len()].to_owned())
        };
        let name = folder.or_else(stem).unwrap_or_default();
        Self { name, files }
    }

    /// Files that were dropped or opened.
    pub fn of_held(files: Vec<(String, Held)>) -> Self {
        Self::of(
            files
                .into_iter()
                .map(|(name, held)| (name, held.0))
                .collect(),
            None,
        )
    }

    /// All files, for a worker; each has its name.
    pub fn hand_over(&self) -> Vec<Weights> {
        let named = |(name, blob): &(String, Blob)| {
            let parts = Array::of1(blob);
            let file = File::new_with_blob_sequence(&parts, name);
            Weights(file.map_or_else(|_| blob.clone(), Into::into))
        };
        self.files.iter().map(named).collect()
    }

    /// The two files of a model that was found in them.
    pub fn of_card(&self, card: &Card) -> Option<[Weights; 2]> {
        let find = |wanted: &str| {
            let mut files = self.files.iter();
            let found = files.find(|(name, _)| name == wanted);
            found.map(|(_, blob)| Weights(blob.clone()))
        };
        let [model, tokenizer] = &card.files;
        Some([find(model)?, find(tokenizer)?])
    }
}

fn is_onnx(name: &str) -> bool {
    ends(name, ".onnx")
}

fn ends(name: &str, end: &str) -> bool {
    let start = name.len().saturating_sub(end.len());
    name.get(start..)
        .is_some_and(|last| last.eq_ignore_ascii_case(end))
}

/// The files that were chosen in a field for files, or for a folder.
pub fn chosen(event: &Event) -> Option<Bundle> {
    let input: HtmlInputElement = event.target()?.dyn_into().ok()?;
    let bundle = of_list(&input.files()?);
    input.set_value("");
    bundle
}

fn of_list(list: &FileList) -> Option<Bundle> {
    let mut folder = None;
    let mut files = Vec::new();
    for file in (0..list.length()).filter_map(|at| list.get(at)) {
        let path = Reflect::get(&file, &"webkitRelativePath".into());
        let path = path
            .ok()
            .and_then(|path| path.as_string())
            .unwrap_or_default();
        let (first, name) = match path.split_once('/') {
            Some((first, rest)) => (Some(first.to_owned()), rest.to_owned()),
            None => (None, file.name()),
        };
        folder = folder.or(first);
        files.push((name, Blob::from(file)));
    }
    (!files.is_empty()).then(|| Bundle::of(files, folder))
}

/// The files of a folder beside the page; in words why there is no model in it.
pub async fn beside(folder: &str) -> Result<Bundle, String> {
    let folder = folder.trim().trim_matches('/');
    if folder.is_empty() || folder.contains(':') || folder.contains("..") {
        return Err(format!(
            "expected the name of a folder beside this page, as models/mine, got {folder:?}"
        ));
    }
    let mut files: Vec<(String, Blob)> = Vec::new();
    for name in BESIDE {
        let is_there = is_onnx(name) && files.iter().any(|(name, _)| is_plain(name));
        if !is_there && let Some(blob) = fetched(&format!("{folder}/{name}")).await {
            files.push((name.to_owned(), blob));
        }
    }
    if files.is_empty() {
        return Err(format!(
            "there is no {folder}/model.onnx beside this page; whoever runs it can put the folder there"
        ));
    }
    let last = folder.rsplit('/').next().map(str::to_owned);
    Ok(Bundle::of(files, last))
}

/// A file, where the server has it and gives no page in its place.
async fn fetched(relative: &str) -> Option<Blob> {
    let address = location::beside_the_page(relative);
    let response = JsFuture::from(web_sys::window()?.fetch_with_str(&address)).await;
    let response: Response = response.ok()?.dyn_into().ok()?;
    let kind = response.headers().get("content-type").ok().flatten();
    if !response.ok() || kind.is_some_and(|kind| kind.starts_with("text/html")) {
        return None;
    }
    JsFuture::from(response.blob().ok()?)
        .await
        .ok()?
        .dyn_into()
        .ok()
}

/// Keeps the files of a model; says whether the browser has them.
pub async fn keep(card: &Card, files: &[Weights; 2]) -> bool {
    let Some(cache) = cache().await else {
        return false;
    };
    for (address, file) in addresses(card).iter().zip(files) {
        let Ok(response) = Response::new_with_opt_blob(Some(&file.0)) else {
            return false;
        };
        if JsFuture::from(cache.put_with_str(address, &response))
            .await
            .is_err()
        {
            return false;
        }
    }
    true
}

/// The files of a model that is kept.
pub async fn kept(card: &Card) -> Option<[Weights; 2]> {
    let cache = cache().await?;
    let mut files = Vec::new();
    for address in addresses(card) {
        let found = JsFuture::from(cache.match_with_str(&address)).await.ok()?;
        let response: Response = found.dyn_into().ok()?;
        let blob = JsFuture::from(response.blob().ok()?).await.ok()?;
        files.push(Weights(blob.dyn_into().ok()?));
    }
    <[Weights; 2]>::try_from(files).ok()
}

/// Gives up the files of a model.
pub async fn forget(card: &Card) {
    if let Some(cache) = cache().await {
        for address in addresses(card) {
            let _ = JsFuture::from(cache.delete_with_str(&address)).await;
        }
    }
}

fn addresses(card: &Card) -> [String; 2] {
    [&card.model_sha256, &card.tokenizer_sha256]
        .map(|hash| location::beside_the_page(&format!("brought/{hash}")))
}

async fn cache() -> Option<Cache> {
    // absent where the page is not in a secure context
    let caches: CacheStorage = Reflect::get(&web_sys::window()?.into(), &"caches".into())
        .ok()?
        .dyn_into()
        .ok()?;
    JsFuture::from(caches.open(CACHE))
        .await
        .ok()?
        .dyn_into()
        .ok()
}
