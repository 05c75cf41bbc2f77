//! The web app's entry point.

fn main() {
    assay::app::run();
}
