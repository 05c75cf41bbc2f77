//! Embedding texts in the browser: the job as a pure state machine, the pool of
//! workers that carries it out, and the panel that shows it.

pub mod brought;
pub mod job;
pub mod models;
pub mod panel;
pub mod pool;
