//! What the app knows, apart from how it looks: the documents of record, their
//! history, and everything that follows from them. Only [`store`], [`embedding`]
//! and [`firmness`] hold signals; the rest is plain data and functions.

pub mod benches;
pub mod derived;
pub mod embedding;
pub mod export;
pub mod firmness;
pub mod format;
pub mod history;
pub mod link;
pub mod locks;
pub mod number;
pub mod opening;
pub mod recent;
pub mod route;
pub mod store;
pub mod words;
pub mod work;
