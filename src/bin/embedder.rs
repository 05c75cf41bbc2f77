//! The Web Worker that runs the embedding model.

fn main() {
    console_error_panic_hook::set_once();
    assay::embedding::worker::start(assay::embedding::packed::obtain);
}
