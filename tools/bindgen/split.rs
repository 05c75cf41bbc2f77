//! Splits the page's program into the part that starts and the parts that are
//! fetched when they are first needed: `assay-split PROGRAM.wasm DIST`.
//!
//! Trunk has compiled the program and written its bindings into DIST; it has no
//! hook in between. A split needs what the linker knew (`build.rs`), which writing
//! bindings drops. So the compiled program is split here, and the bindings of the
//! part that starts are written again, over Trunk's.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use wasm_bindgen_cli_support::Bindgen;
use wasm_split_cli_support::SplitWasm;

/// How the splitter names its script.
const LOADER: &str = "./__wasm_split.js";

/// What the splitter's script calls once a part is being fetched, and what stands
/// for it: hosts that send another type than `application/wasm` are served as well.
const INSTANTIATE: &str = "WebAssembly.instantiateStreaming(src, imports)";
const FETCHED: &str = r#"
async function instantiate(fetched, imports) {
  const response = await fetched;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return (response.headers.get("content-type") ?? "").startsWith("application/wasm")
    ? WebAssembly.instantiateStreaming(response, imports)
    : WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
"#;

/// The part that no address leads to.
const LATER: &str = "more";

/// Set, it keeps the names of functions, for a profile or a stack.
const KEEPS_NAMES: &str = "ASSAY_NAMES";

fn main() -> Result<()> {
    let arguments: Vec<_> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [program, dist] = arguments.as_slice() else {
        bail!("usage: assay-split PROGRAM.wasm DIST");
    };
    let name = bound_name(program, dist)?;
    let work = dist.join(format!("{name}-parts"));
    fs::create_dir(&work).with_context(|| format!("cannot make {}", work.display()))?;
    let main = work.join("main.wasm");
    let split = split(program, &work, &main, &name)?;
    for part in &split.split_modules {
        fs::write(part, without_names(&fs::read(part)?)?)?;
    }
    let parts = parts(split, &name);
    list_parts(dist, &parts)?;
    write_loader(dist, &work, &name)?;
    write_bindings(dist, &main, &name)?;
    tell_page(dist, &parts, &name)?;
    fs::remove_file(main)?;
    Ok(())
}

/// The name of the program in DIST, with Trunk's hash in it.
fn bound_name(program: &Path, dist: &Path) -> Result<String> {
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    for entry in fs::read_dir(dist)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if let Some(name) = file.strip_suffix("_bg.wasm")
            && name.starts_with(&format!("{stem}-"))
        {
            return Ok(name.to_owned());
        }
    }
    bail!("no {stem}-*_bg.wasm in {}", dist.display())
}

/// Writes the parts, the part that starts and the splitter's script into `work`.
fn split(program: &Path, work: &Path, main: &Path, name: &str) -> Result<SplitWasm> {
    let wasm = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let bindings = format!("./{name}.js");
    let mut options = wasm_split_cli_support::Options::new(&wasm);
    options.output_dir = work;
    options.main_out_path = main;
    options.main_module = &bindings;
    match wasm_split_cli_support::transform(options) {
        Ok(split) => Ok(split),
        Err(error) => bail!("cannot split {}: {error:?}", program.display()),
    }
}

/// Each part with the files that it is made of, as the page asks for them.
fn parts(split: SplitWasm, name: &str) -> BTreeMap<String, Vec<String>> {
    let path = |file| format!("{name}-parts/{file}.wasm");
    let parts = split.prefetch_map.into_iter();
    parts
        .map(|(part, files)| (part, files.into_iter().map(path).collect()))
        .collect()
}

/// Writes them, a line for each part: `debate NAME-parts/split_debate.wasm ...`.
fn list_parts(dist: &Path, parts: &BTreeMap<String, Vec<String>>) -> Result<()> {
    let mut list = String::new();
    for (part, files) in parts {
        writeln!(list, "{part} {}", files.join(" "))?;
    }
    fs::write(dist.join("parts.txt"), list)?;
    Ok(())
}

/// The script that fetches parts, beside the bindings.
fn write_loader(dist: &Path, work: &Path, name: &str) -> Result<()> {
    let written = work.join(LOADER);
    let script = fs::read_to_string(&written)?;
    ensure!(
        script.contains(INSTANTIATE),
        "the splitter's script has no {INSTANTIATE}"
    );
    let script = script
        .replace(INSTANTIATE, "instantiate(src, imports)")
        .replace("new URL(\"./", &format!("new URL(\"./{name}-parts/"));
    fs::write(dist.join(format!("{name}-parts.js")), script + FETCHED)?;
    fs::remove_file(written)?;
    Ok(())
}

/// The bindings of the part that starts.
fn write_bindings(dist: &Path, main: &Path, name: &str) -> Result<()> {
    Bindgen::new()
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .keep_lld_exports(true)
        .demangle(false)
        .remove_name_section(env::var_os(KEEPS_NAMES).is_none())
        .remove_producers_section(true)
        .input_path(main)
        .out_name(name)
        .generate(dist)?;
    let bindings = dist.join(format!("{name}.js"));
    let script = fs::read_to_string(&bindings)?;
    let import = format!("from \"{LOADER}\"");
    ensure!(script.contains(&import), "the program has no parts");
    fs::write(
        bindings,
        script.replace(&import, &format!("from \"./{name}-parts.js\"")),
    )?;
    Ok(())
}

/// The page starts with that script as well, so it is fetched beside the bindings and not
/// after them. And its start script is told what to fetch before the program runs: the files
/// of which every bench is made, and the size of what comes before them.
fn tell_page(dist: &Path, parts: &BTreeMap<String, Vec<String>>, name: &str) -> Result<()> {
    let size = fs::metadata(dist.join(format!("{name}_bg.wasm")))?.len();
    let mut benches = parts.iter().filter(|(part, _)| *part != LATER);
    let mut shared = benches.next().context("no parts")?.1.clone();
    for (_, files) in benches {
        shared.retain(|file| files.contains(file));
    }
    let page = dist.join("index.html");
    let mut html = fs::read_to_string(&page)?;
    let link = format!("<link rel=\"modulepreload\" href=\"./{name}-parts.js\" />\n  </head>");
    let early = format!(
        "data-size=\"{size}\" data-early=\"{}\" data-wasm=",
        shared.join(" ")
    );
    for (place, with) in [("</head>", link), ("data-wasm=", early)] {
        ensure!(html.contains(place), "index.html has no {place}");
        html = html.replacen(place, &with, 1);
    }
    fs::write(page, html)?;
    Ok(())
}

/// A module without the sections that only a debugger reads; with the names of its
/// functions where [`ASSAY_NAMES`](KEEPS_NAMES) asks for them.
fn without_names(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = walrus::ModuleConfig::new();
    config
        .generate_name_section(env::var_os(KEEPS_NAMES).is_some())
        .generate_producers_section(false);
    Ok(config.parse(wasm)?.emit_wasm())
}
