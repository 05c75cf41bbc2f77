//! Sets of small numbers as bits.

/// Tells of each bit of a number that is set, the lowest first.
#[inline]
pub fn each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
