//! Many texts at once, on all cores: texts of like length are computed together, batch by batch.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::{EmbedError, Model};

/// About so many tokens are computed together: the weights of all layers, which no cache of a core has room for,
/// are read once for them.
const TOKENS: usize = 1024;
/// No fewer: reading the weights for them would take longer than the threads wait for each other.
const LEAST_TOKENS: usize = 64;

/// What a text's vector is, or why it has none.
type Vector = Result<Vec<f32>, EmbedError>;

impl Model {
    /// The vectors of texts in their order, made by so many threads. A text's vector depends on nothing
    /// but the text: not on the others, their order or the number of threads.
    pub fn embed_many(&self, texts: &[&str], threads: NonZero<usize>) -> Vec<Vector> {
        let cut = in_threads(texts, threads, 64, |texts| {
            texts.iter().map(|text| self.tokenise(text)).collect()
        });
        let (mut vectors, mut order) = (Vec::new(), Vec::new());
        for (index, ids) in cut.into_iter().enumerate() {
            vectors.push(ids.as_ref().map(|_| Vec::new()).map_err(Clone::clone));
            order.extend(ids.ok().map(|ids| (index, ids)));
        }
        // the longest first: what is left at the end, while other threads have nothing to do, is short
        order.sort_by_key(|(index, ids)| (std::cmp::Reverse(ids.len()), *index));
        let batches: Vec<&[(usize, Vec<u32>)]> = batches(&order, threads);
        let made = in_threads(&batches, threads, 1, |batches| {
            let texts = batches.iter().flat_map(|batch| batch.iter());
            let texts: Vec<&[u32]> = texts.map(|(_, ids)| ids.as_slice()).collect();
            let count = texts.len();
            match self.run(&texts) {
                Ok(vectors) => vectors.into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error); count],
            }
        });
        for ((index, _), vector) in order.iter().zip(made) {
            vectors[*index] = vector;
        }
        vectors
    }
}

/// Parts of a list, in its order, of about as many tokens; a long text is one of its own. Where there are
/// threads the last parts get smaller and smaller, so that all end at about the same time.
fn batches(texts: &[(usize, Vec<u32>)], threads: NonZero<usize>) -> Vec<&[(usize, Vec<u32>)]> {
    let mut left: usize = texts.iter().map(|(_, ids)| ids.len()).sum();
    let (mut batches, mut rest) = (Vec::new(), texts);
    while !rest.is_empty() {
        let most = match threads.get() {
            1 => TOKENS,
            threads => (left / (2 * threads)).clamp(LEAST_TOKENS, TOKENS),
        };
        let mut tokens = 0;
        let fits = rest.iter().take_while(|(_, ids)| {
            tokens += ids.len();
            tokens <= most
        });
        let (batch, further) = rest.split_at(fits.count().max(1));
        left -= batch.iter().map(|(_, ids)| ids.len()).sum::<usize>();
        batches.push(batch);
        rest = further;
    }
    batches
}

/// What is made of the items, in their order: threads take so many at a time.
fn in_threads<T: Sync, R: Send>(
    items: &[T],
    threads: NonZero<usize>,
    at_once: usize,
    make: impl Fn(&[T]) -> Vec<R> + Sync,
) -> Vec<R> {
    let chunks: Vec<&[T]> = items.chunks(at_once).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(at) else { break };
            let results = make(chunk);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, results));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(chunks.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_threads_make_is_in_order() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 2, 7] {
            let threads = NonZero::new(threads).expect("above 0");
            let double = |items: &[usize]| items.iter().map(|item| 2 * item).collect();
            let doubled = in_threads(&items, threads, 3, double);
            assert!(doubled.into_iter().eq((0..1000).map(|item| 2 * item)));
            assert_eq!(in_threads(&[], threads, 3, double), Vec::<usize>::new());
        }
    }

    /// How many texts of so many tokens each batch has.
    fn counts(lengths: &[usize], threads: usize) -> Vec<usize> {
        let texts = lengths.iter().map(|length| vec![0; *length]);
        let texts: Vec<(usize, Vec<u32>)> = texts.enumerate().collect();
        let threads = NonZero::new(threads).expect("above 0");
        let batches = batches(&texts, threads);
        batches.iter().map(|batch| batch.len()).collect()
    }

    #[test]
    fn batches_hold_all_texts_once() {
        assert_eq!(
            counts(&[1500, 700, 300, 200, 12, 256, 256, 1], 1),
            [1, 2, 5]
        );
        assert_eq!(counts(&[], 2), [0; 0]);
    }

    #[test]
    fn the_last_batches_of_threads_are_small() {
        assert_eq!(counts(&[32; 128], 1), [32; 4]);
        // each takes a quarter of the 4,096 tokens that are left
        let counts = counts(&[32; 128], 2);
        assert_eq!(counts, [32, 24, 18, 13, 10, 7, 6, 4, 3, 2, 2, 2, 2, 2, 1]);
    }
}
