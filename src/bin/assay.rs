//! The command line: scores debates, turns and personas from files.

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;

use assay::cli::{Streams, run};
use mimalloc::MiMalloc;

#[global_allocator]
static MEMORY: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let status = run(
        std::env::args_os().skip(1),
        &mut Streams {
            stdin: &mut stdin(),
            stdout: &mut stdout().lock(),
            stderr: &mut stderr().lock(),
        },
    );
    ExitCode::from(status as u8)
}
