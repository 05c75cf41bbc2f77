//! Runs a test binary that was compiled for wasm32 in a real browser:
//!
//!   CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=in-browser cargo test --target wasm32-unknown-unknown
//!
//! The pure core imports nothing, so its test binaries are whole modules with a
//! `main` of their own. There is no output to read in a page: a test that fails
//! aborts, and the stack of that names it.

#[path = "harness/mod.rs"]
mod harness;

use harness::driver::{Browser, Setup};
use harness::site::Site;
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// Instantiates the module and runs its tests. The stack is cut by a browser
/// after ten frames unless told otherwise, and panicking takes more than that.
const RUN: &str = "
    Error.stackTraceLimit = 200;
    const module = await WebAssembly.compileStreaming(fetch(arguments[0]));
    const wanted = WebAssembly.Module.imports(module).map(i => i.module + '.' + i.name);
    if (wanted.length) return { fault: 'the module imports ' + wanted.join(', ') };
    const { exports } = await WebAssembly.instantiate(module);
    try { return { status: exports.main(0, 0) }; }
    catch (error) {
        // of the frames, those in this project's code
        const [what, ...frames] = error.stack.split('\\n');
        const own = frames.filter(frame => frame.includes('5assay') || frame.includes('4core'));
        return { fault: [what, ...own.map(frame => frame.replace(/ \\(http.*/, ''))].join('\\n') };
    }
";

fn run(module: &Path) -> Result<(), Box<dyn Error>> {
    let folder = module.parent().ok_or("no folder")?;
    let name = module
        .file_name()
        .and_then(|name| name.to_str())
        .ok_or("no file name")?;
    // the server needs a page for the script to live in
    let site_folder = env::temp_dir().join(format!("assay-in-browser-{}", std::process::id()));
    fs::create_dir_all(&site_folder)?;
    fs::copy(folder.join(name), site_folder.join("tests.wasm"))?;
    fs::write(
        site_folder.join("index.html"),
        "<!doctype html><link rel=icon href=data:,><title>tests</title>",
    )?;
    let site = Site::serve(&site_folder, "/")?;
    let answer = Browser::start(Setup::default()).and_then(|browser| {
        browser.open(&site.url(""))?;
        browser.run_async(RUN, &[json!(site.url("tests.wasm"))])
    });
    fs::remove_dir_all(&site_folder)?;
    let answer = answer?;
    match (&answer["status"], &answer["fault"]) {
        (Value::Number(status), _) if status.as_i64() == Some(0) => Ok(()),
        (_, Value::String(fault)) => Err(fault.as_str().into()),
        _ => Err(format!("ended with {answer}").into()),
    }
}

fn main() -> ExitCode {
    let Some(module) = env::args().nth(1) else {
        eprintln!("usage: in-browser TESTS.wasm");
        return ExitCode::from(2);
    };
    match run(Path::new(&module)) {
        Ok(()) => {
            println!("\ntest {module} ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            println!(
                "\ntest {module} ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n"
            );
            ExitCode::FAILURE
        }
    }
}
