//! How long large files take and how much memory, each in a process of its own: `make bench-large`
//! (SIZE in MB, ROWS). The files are made with a seed in the system's temporary folder.

// a benchmark says what went wrong by panicking
#![allow(missing_docs, clippy::expect_used)]

#[path = "../tests/core/large.rs"]
mod large;

use std::path::{Path, PathBuf};
use std::process::Command;

/// The argument by which this program is started once more to measure a file.
const MEASURE: &str = "--measure";

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.map_or(default, |set| set.parse().expect("a whole number"))
}

/// A row of the table.
fn row(path: &Path) -> String {
    let measured = large::measure(path);
    let peak = large::peak().map_or_else(|| "-".to_owned(), |peak| format!("{peak} MB"));
    format!(
        "{} | {:.2} s | {:.3} s | {:.3} s | {peak} |",
        measured.conversations,
        measured.listed.as_secs_f64(),
        measured.searched.as_secs_f64(),
        measured.opened.as_secs_f64()
    )
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == MEASURE) {
        println!("{}", row(Path::new(&arguments[at + 1])));
        return;
    }
    let folder = std::env::temp_dir().join(format!("assay-large-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("a folder of its own");
    let (size, rows) = (number("SIZE", 1000), number("ROWS", 200_000));
    let (chats, labelled): (PathBuf, PathBuf) =
        (folder.join("chats.jsonl"), folder.join("rows.jsonl"));
    large::write_chats(&chats, size * 1_000_000).expect("written");
    large::write_rows(&labelled, rows as usize).expect("written");
    println!("| file | conversations | listed | searched | one opened | most memory |");
    println!("|---|---|---|---|---|---|");
    for (name, path) in [
        (format!("{size} MB of chats"), &chats),
        (format!("{rows} rows"), &labelled),
    ] {
        let this = std::env::current_exe().expect("this program");
        let told = Command::new(this)
            .arg(MEASURE)
            .arg(path)
            .output()
            .expect("it runs");
        assert!(
            told.status.success(),
            "{}",
            String::from_utf8_lossy(&told.stderr)
        );
        println!(
            "| {name} | {}",
            String::from_utf8_lossy(&told.stdout).trim()
        );
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
