//! Persona alignment from texts to results: worked examples by hand, the
//! detectors' accuracy, properties, and the project's own example.

// a helper of a test fails the test by panicking
#![allow(clippy::expect_used, clippy::panic)]

mod arithmetic;
mod control;
mod corpus;
mod draft;
mod drift;
mod embedder;
mod example;
mod intervals;
mod parts;
mod performance;
mod properties;
#[path = "../core/rested.rs"]
mod rested;
mod safety;
#[path = "../core/schema.rs"]
mod schema;
mod steps;
mod voice;
