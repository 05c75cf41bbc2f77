//! The page is split into parts after linking, which needs the linker's relocations.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("wasm32") {
        println!("cargo::rustc-link-arg-bin=assay-app=--emit-relocs");
    }
}
