//! The Web Worker that runs a model that somebody brings.

fn main() {
    assay::embedding::worker::start(assay::embedding::onnx::worker::obtain);
}
