//! How much is unpacked: what a file is has to show itself within a little, and no file may grow
//! without end.

/// Bytes that are looked at to know what a file is.
pub(super) const HEAD: u64 = 64 << 10;
/// The largest entry of an archive, and the largest text that is no JSON.
pub(super) const LARGEST: usize = 64 << 20;
/// What the entries of an archive may come to together.
pub(super) const LARGEST_ALL: usize = 512 << 20;
/// How many times its packed size an entry may be, from a megabyte on.
pub(super) const MOST_TIMES: usize = 500;
