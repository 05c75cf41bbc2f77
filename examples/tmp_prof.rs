use std::io::{stderr, stdin, stdout};
fn main() {
    let _ = assay::cli::run(
        std::env::args_os().skip(1),
        &mut assay::cli::Streams {
            stdin: &mut stdin(),
            stdout: &mut stdout().lock(),
            stderr: &mut stderr().lock(),
        },
    );
}
