//! Small texts that could make something large: each gives a result or problems, in time
//! and memory that grow with its size. Time is counted in steps (`steps.rs`, a stage of its
//! own); held against memory and, as a bound on hanging, a minute they are here.
//! `cargo bench --bench bombs` prints times.

// a test says what went wrong by panicking
#![allow(missing_docs, clippy::expect_used, clippy::panic)]

mod bombs;
#[cfg(assay_steps)]
mod steps;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Characters of a bomb.
const SIZE: usize = 97_000;
/// The most that one takes, in MB.
const MOST_MEMORY: f32 = 200.0;
/// Nothing takes a hundredth of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a bomb takes at its peak, in MB.
fn peak(name: &'static str, size: usize) -> f32 {
    let before = MEMORY.current_usage_as_mb();
    MEMORY.reset_peak_usage();
    let (done, is_done) = mpsc::channel();
    let running = thread::spawn(move || {
        bombs::run(name, size, &mut |_, step| step());
        // the test may have given up
        let _ = done.send(());
    });
    let is_stuck = is_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout);
    assert!(
        !is_stuck,
        "{name} of {size} characters is not done after {PATIENCE:?}"
    );
    running.join().expect(name);
    MEMORY.peak_usage_as_mb() - before
}

/// One test, because all threads share the memory that is counted.
#[test]
fn no_small_text_makes_something_large() {
    let mut wrong = Vec::new();
    for name in bombs::names() {
        let [small, large] = [SIZE / 2, SIZE].map(|size| peak(name, size));
        println!("{name}: {large:.1} MB");
        if large > MOST_MEMORY || (large > 20.0 && large > 3.0 * small) {
            wrong.push(format!(
                "{name}: {small:.1} MB, twice as long {large:.1} MB"
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
