//! The Web Worker that runs the embedding model, for browsers with relaxed SIMD.

fn main() {
    console_error_panic_hook::set_once();
    assay::embedding::worker::start(assay::embedding::packed::obtain);
}
