//! The tests on a phone: with `ASSAY_SCREEN=phone` every browser of theirs is one. A few are
//! about what only a wide window has, and are listed here.

use crate::app::say;
use crate::harness::driver::Setup;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Tests that a phone cannot pass, by the name of their page, and why.
const WIDE: [(&str, &str); 0] = [];

/// Runs a test. One of the list is tried on a phone all the same: it has to fail there, or its
/// reason is gone.
pub fn try_on(name: &str, test: impl FnOnce()) {
    let is_phone = Setup::chosen().unwrap() == Setup::PHONE;
    let listed = WIDE.iter().find(|(listed, _)| *listed == name);
    let Some((_, why)) = listed.filter(|_| is_phone) else {
        return test();
    };
    let outcome = catch_unwind(AssertUnwindSafe(test));
    assert!(
        outcome.is_err(),
        "{name} passes on a phone: take it off the list in wide.rs"
    );
    say(&format!("{name} is for a wide window: {why}"));
}
