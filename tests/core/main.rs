//! Integration tests of the core: one binary, one module per subject.
// a test says what went wrong by panicking; clippy knows only #[test] functions as tests
#![allow(missing_docs, clippy::expect_used, clippy::panic, clippy::unwrap_used)]

// these run natively only: in a browser proptest finds no entropy
#[cfg(not(target_arch = "wasm32"))]
mod against;
#[cfg(not(target_arch = "wasm32"))]
mod back;
#[cfg(feature = "cli-core")]
mod command_line;
mod constitution;
mod constitution_form;
#[cfg(not(target_arch = "wasm32"))]
mod constitution_intervals;
mod constitution_record;
mod constitution_sessions;
#[cfg(not(target_arch = "wasm32"))]
mod constitution_steps;
mod debate;
#[cfg(feature = "cli-core")]
mod debate_lines;
#[cfg(not(target_arch = "wasm32"))]
mod exports;
#[cfg(not(target_arch = "wasm32"))]
mod firmness;
mod form;
#[cfg(not(target_arch = "wasm32"))]
mod large;
mod links;
#[cfg(not(target_arch = "wasm32"))]
mod own_files;
#[cfg(feature = "cli-core")]
mod parts;
mod persona_form;
#[cfg(not(target_arch = "wasm32"))]
mod private;
#[cfg(not(target_arch = "wasm32"))]
mod properties;
#[cfg(not(target_arch = "wasm32"))]
mod reports;
#[cfg(not(target_arch = "wasm32"))]
mod rested;
#[cfg(feature = "cli-core")]
mod schema;
#[cfg(feature = "cli-core")]
mod schemas;
mod scoring_md;
#[cfg(not(target_arch = "wasm32"))]
mod sources;
#[cfg(not(target_arch = "wasm32"))]
mod unpack;
