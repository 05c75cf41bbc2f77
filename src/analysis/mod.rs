//! What is true of any weighted score.

pub mod bootstrap;
