//! What is true of any text, and of any list: places and offsets, whole words,
//! sorting. The ground floor: it names no other module.

mod automaton;
mod bits;
mod decode;
mod free_tree;
mod offsets;
mod phrases;
mod places;
mod shown;
mod sorting;
mod tree;
mod word_starts;
mod word_tree;

pub use bits::each_bit;
pub use decode::{Encoding, decode};
pub use free_tree::FreeTree;
pub use offsets::{Scalars, scalar_starts};
pub use phrases::{Folded, Hit, Phrases, Reading, canonical, fold, is_word, straighten};
pub use places::{Place, Places};
pub use shown::{Shown, is_steering, one_line};
pub use sorting::{sort_by, sort_by_key};
pub use word_starts::WordStart;
pub use word_tree::WordTree;
