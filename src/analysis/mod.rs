//! What is true of any weighted score.
