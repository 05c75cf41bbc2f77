//! Persona alignment from texts to results: worked examples by hand, the
//! detectors' accuracy, properties, and the project's own example.

mod arithmetic;
mod corpus;
mod embedder;
mod example;
mod performance;
mod properties;
