//! What a test cannot pass somewhere: on a phone (`ASSAY_SCREEN=phone`), or in another engine
//! (`ASSAY_BROWSER`). What an engine cannot do at all, whatever the test, is in
//! `harness/engine.rs`.

use crate::app::say;
use crate::harness::driver::{SILENT, Setup};
use crate::harness::engine::Engine;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Where a test is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    #[allow(dead_code, reason = "no test needs it now")]
    Phone,
    In(Engine),
}

/// Tests that cannot be passed at a place, by the name of their page, and why.
const CANNOT: [(Place, &str, &str); 2] = [
    (Place::In(Engine::Webkit), "embedding-second-visit", FORGETS),
    (Place::In(Engine::Webkit), "embedding-kept-damaged", FORGETS),
];

const FORGETS: &str =
    "a driven WebKit has a private session, whose files (Cache API) go with each visit of the page";

/// Runs a test. One of the list is tried there all the same: it has to fail, or its reason is gone.
pub fn try_on(name: &str, test: impl FnOnce()) {
    let is_here = |place: Place| match place {
        Place::Phone => Setup::chosen().unwrap() == Setup::PHONE,
        Place::In(engine) => Engine::chosen().unwrap() == engine,
    };
    let listed = CANNOT
        .iter()
        .find(|(place, listed, _)| *listed == name && is_here(*place));
    let Some((place, _, why)) = listed else {
        return test();
    };
    let Err(failure) = catch_unwind(AssertUnwindSafe(test)) else {
        panic!("{name} passes in {place:?}: take it off the list in places.rs");
    };
    // a browser that is not there or hangs is no reason
    let words = failure.downcast_ref::<String>();
    if words.is_some_and(|words| words.contains(SILENT) || words.contains("tools/setup")) {
        resume_unwind(failure);
    }
    say(&format!("{name} is not for {place:?}: {why}"));
}
