//! What the programs of this folder share: a static server that keeps a record,
//! and a browser driven through WebDriver. Both are small and blocking, on the
//! standard library alone, so that the tests read from top to bottom.

#![allow(dead_code, reason = "each of the programs uses its part")]

pub mod driver;
pub mod http;
pub mod proxy;
pub mod site;
