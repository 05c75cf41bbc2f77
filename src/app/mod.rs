//! The single-page app.
