//! `wasm-bindgen`, as much of its command line as Trunk uses. The official one
//! also runs tests and fetches over TLS, which takes most of its build.

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::path::PathBuf;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.typescript(true).omit_default_module_path(false);
    let mut out_dir = None;
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("version") => {
                println!("wasm-bindgen {}", wasm_bindgen_shared::version());
                return Ok(());
            }
            Long("target") => match arguments.value()?.string()?.as_str() {
                "web" => bindgen.web(true)?,
                "no-modules" => bindgen.no_modules(true)?,
                other => bail!("target {other} is not supported"),
            },
            Long("out-dir") => {
                out_dir = Some(PathBuf::from(arguments.value()?));
                continue;
            }
            Long("out-name") => bindgen.out_name(&arguments.value()?.string()?),
            Long("no-typescript") => bindgen.typescript(false),
            Long("no-demangle") => bindgen.demangle(false),
            Long("keep-debug") => bindgen.keep_debug(true),
            Value(file) => bindgen.input_path(PathBuf::from(file)),
            other => return Err(other.unexpected().into()),
        };
    }
    let Some(out_dir) = out_dir else {
        bail!("usage: wasm-bindgen --target=web --out-dir=DIR [--out-name=NAME] FILE");
    };
    bindgen.generate(out_dir)
}
