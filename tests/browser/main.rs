//! The built app in a real browser, against what the library computes.
//!
//! Needs a build in `dist` (or `ASSAY_DIST`) and the command line built for
//! speed (`ASSAY_BIN`); `make test-browser` makes both.

// a test says what went wrong by panicking; clippy knows only #[test] functions as tests
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accessibility;
mod against;
mod app;
mod brought;
mod constitution;
mod constitution_form;
mod debate;
mod debate_form;
mod dropped;
mod embedding;
mod explained;
mod figures;
mod firmness;
mod harness;
mod harness_itself;
mod hostile;
mod intake;
mod kept;
mod labels;
mod large;
mod links;
mod look;
mod offline;
mod parts;
mod persona;
mod persona_compare;
mod persona_form;
mod persona_judges;
mod persona_own;
mod persona_replies;
mod persona_verdict;
mod places;
mod reports;
mod runs;
mod safety_rules;
mod sessions;
mod soak;
mod vectors;
mod what_if;
mod work;
