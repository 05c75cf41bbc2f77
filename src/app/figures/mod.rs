//! The charts and tables of a result, to be taken along: as pictures, as Vega-Lite, as cells.

pub mod door;
mod panel;
pub mod source;
