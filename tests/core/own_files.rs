//! Files of a test's own: tests run side by side, and two may give their files the same names.

use std::path::{Path, PathBuf};

/// A file's path in a folder that no other test has: it is named as the test is, which its thread knows.
pub fn path(name: &str) -> PathBuf {
    let test = std::thread::current();
    let test = test.name().unwrap_or_default().replace("::", "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME"));
    let folder = folder.join(test);
    std::fs::create_dir_all(&folder).expect("made");
    folder.join(name)
}

/// A file with this text.
pub fn file(name: &str, text: &str) -> PathBuf {
    let path = path(name);
    std::fs::write(&path, text).expect("written");
    path
}
