//! Files that name each other. A name that a folder's `mod.rs` hands on is the file's
//! that has it; every `mod.rs` names its own files, so what these need of it is in a circle.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::paths::{Named, code, named_paths};

/// A module as a path from the crate: `["a", "one"]`.
type Module = Vec<String>;

/// The pairs among these files (path under `src`, text) that name each other. In a
/// folder that is among `families` the `mod.rs` and its own files are no two files.
pub fn circles(files: &[(PathBuf, String)], families: &[&str]) -> Vec<String> {
    let named: HashMap<Module, Vec<Module>> = files
        .iter()
        .map(|(file, text)| (module_of(file), named_by(&module_of(file), text)))
        .collect();
    let mut edges: BTreeSet<(Module, Module)> = BTreeSet::new();
    for (module, paths) in &named {
        let found = paths.iter().filter_map(|path| file_of(path, &named));
        edges.extend(found.map(|other| (module.clone(), other)));
    }
    let is_pair = |(one, other): &&(Module, Module)| {
        let is_family = other.starts_with(one) && families.contains(&&*one.join("::"));
        one < other && !is_family && edges.contains(&(other.clone(), one.clone()))
    };
    let pairs = edges.iter().filter(is_pair);
    pairs
        .map(|(one, other)| format!("{} and {}", one.join("::"), other.join("::")))
        .collect()
}

fn module_of(file: &Path) -> Module {
    let file = file.with_extension("");
    let parts = file.iter().map(|part| part.to_str().unwrap().to_owned());
    parts.filter(|part| part != "mod").collect()
}

/// The paths from the crate that a file names outside of its tests.
fn named_by(module: &Module, text: &str) -> Vec<Module> {
    let named = named_paths(code(text)).unwrap();
    // `pub(super)` says who may name, and names nothing
    let named = named.iter().map(Named::segments);
    let named = named.filter(|path| path != &["super"]);
    named.map(|path| from_crate(module, path)).collect()
}

fn from_crate(module: &Module, path: &[String]) -> Module {
    let (mut base, mut path) = (module.clone(), path);
    while let [first, rest @ ..] = path {
        match first.as_str() {
            "crate" => base.clear(),
            "super" => drop(base.pop()),
            "self" => {}
            _ => break,
        }
        path = rest;
    }
    base.extend_from_slice(path);
    base
}

/// The file that has what a path names; none where the path leads to no other file.
fn file_of(path: &[String], named: &HashMap<Module, Vec<Module>>) -> Option<Module> {
    let (length, module) = (0..=path.len())
        .rev()
        .find_map(|length| Some((length, named.get_key_value(&path[..length])?.0)))?;
    let handed_on = named[module].iter().find(|other| {
        other.len() > module.len() + 1
            && other.starts_with(module)
            && path
                .get(length)
                .is_some_and(|name| other.last() == Some(name))
    });
    match handed_on {
        Some(other) if other.as_slice() != path => file_of(other, named),
        _ => Some(module.clone()),
    }
}
