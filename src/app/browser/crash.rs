//! What is left to say when the program breaks. A panic ends in a trap, which public/boot.js
//! hears, as it hears those that no program can announce; here its words go to the console.

/// From now on a panic says on the console what it was.
pub fn install() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}
