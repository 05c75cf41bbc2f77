//! Sorting as `slice::sort_by` does, for lists that are sorted once.
//!
//! The standard sort is compiled anew for every type of item, 4 kB of the page
//! each time. Here only the numbers of the items are sorted, and those always
//! have the same type.

use std::cmp::Ordering;

/// Sorts a list; items that compare as equal keep their order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    // most lists are in order
    let mut is_behind = |pair: &[T]| compare(&pair[0], &pair[1]) == Ordering::Greater;
    if !items.windows(2).any(&mut is_behind) {
        return;
    }
    for (left, right) in swaps(items.len(), &mut |a, b| compare(&items[a], &items[b])) {
        items.swap(left, right);
    }
}

/// Sorts a list by a key; items of equal keys keep their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The swaps that put `length` items in order, one after the other.
fn swaps(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|&a, &b| compare(a, b));
    // every place fetches its item, along one cycle after the other; the item
    // that was there first travels on and is where the cycle ends
    let mut swaps = Vec::new();
    for start in 0..length {
        let mut place = start;
        while order[place] != start {
            let from = std::mem::replace(&mut order[place], place);
            swaps.push((place, from));
            place = from;
        }
        order[place] = place;
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        // every list of up to 6 items of 4 keys, each item with its first place
        for length in 0..=6u32 {
            for number in 0..4usize.pow(length) {
                let items: Vec<(usize, u32)> = (0..length)
                    .map(|place| (number / 4usize.pow(place) % 4, place))
                    .collect();
                let (mut ours, mut theirs) = (items.clone(), items);
                sort_by_key(&mut ours, |item| item.0);
                theirs.sort_by_key(|item| item.0);
                assert_eq!(ours, theirs);
            }
        }
    }
}
