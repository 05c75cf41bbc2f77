//! The Web Worker that reads files.

fn main() {
    console_error_panic_hook::set_once();
    assay::reading::worker::start();
}
