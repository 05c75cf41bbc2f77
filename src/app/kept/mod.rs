//! What stays between visits.
//!
//! - [`record`]: a work as it is kept, its long texts elsewhere
//! - [`keeper`]: what one tab writes, and what it leaves to the others
//! - [`shelf`]: where it is kept
//! - [`all`]: everything in one text: the file that a person saves, and what older pages kept
//!
//! The browser keeps short texts at once and together with what is said of them (local
//! storage), and long ones slowly and by themselves (a database, the drawer).

pub mod all;
pub mod keeper;
pub mod record;
pub mod shelf;
