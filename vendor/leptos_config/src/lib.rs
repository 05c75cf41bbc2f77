//! Stands in for `leptos_config`, which reads the settings of a Leptos server.
//! Assay has no server. The real crate asks for `regex` with all its features,
//! and as Cargo joins the features of a crate, the page would carry every table
//! of Unicode (a third of its size) for nothing.
//!
//! Here is only what Leptos itself names: the type of a parameter of two
//! components that this app does not use.

#![allow(missing_docs)] // named by Leptos

use std::sync::Arc;

/// How a page that reloads itself talks to its server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReloadWSProtocol {
    #[default]
    WS,
    WSS,
}

/// Settings of a server.
#[derive(Clone, Debug, Default)]
pub struct LeptosOptions {
    pub output_name: Arc<str>,
    pub site_root: Arc<str>,
    pub site_pkg_dir: Arc<str>,
    pub reload_port: u32,
    pub reload_external_port: Option<u32>,
    pub reload_ws_protocol: ReloadWSProtocol,
    pub hash_file: Arc<str>,
    pub hash_files: bool,
}
