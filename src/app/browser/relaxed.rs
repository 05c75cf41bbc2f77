//! Which build of the embedding worker this browser can run.

use js_sys::{Uint8Array, WebAssembly};

/// A module with one function and one instruction of relaxed SIMD in it.
const MODULE: [u8; 36] = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253,
    15, 65, 2, 253, 15, 253, 128, 2, 11,
];

/// The program of the worker, by the name of its file without the ending.
pub fn program() -> &'static str {
    let relaxed = WebAssembly::validate(&Uint8Array::from(&MODULE[..]).into());
    if relaxed.unwrap_or(false) {
        "embedder-relaxed"
    } else {
        "embedder"
    }
}
