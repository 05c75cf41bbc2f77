//! The page is split into parts after linking, which needs the linker's relocations.
// the bans are for what runs in a browser; this runs where the page is built
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-bin=assay-app=--emit-relocs");
    }
}
