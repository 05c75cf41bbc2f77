//! Stability: how much the responses of a session stay alike (SCORING.md section 3).

use std::rc::Rc;

use crate::analysis::bootstrap::population_std;

/// The scalar product.
pub(super) fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Population standard deviation of the cosine distances to the mean vector,
/// at least 0. None with fewer than two vectors, or when they cancel out and the mean
/// has no direction. The vectors have length 1.
pub fn spread(vectors: &[Rc<Vec<f64>>]) -> Option<f64> {
    let first = vectors.first().filter(|_| vectors.len() >= 2)?;
    let mut mean = vec![0.0; first.len()];
    for vector in vectors {
        for (sum, component) in mean.iter_mut().zip(vector.iter()) {
            *sum += component / vectors.len() as f64;
        }
    }
    let length = dot(&mean, &mean).sqrt();
    if length < f64::EPSILON {
        return None;
    }
    let distances: Vec<f64> = vectors
        .iter()
        .map(|vector| 1.0 - dot(vector, &mean) / length)
        .collect();
    population_std(&distances)
}

/// `1 - min(1, spread / max_expected_variance)`, in [0, 1].
pub fn score(spread: f64, max_expected_variance: f64) -> f64 {
    1.0 - (spread / max_expected_variance).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_by_hand() {
        // mean of (1,0), (1,0), (0,1) is (2/3, 1/3); cosines 2/sqrt5, 2/sqrt5, 1/sqrt5;
        // the spread of two equal values and one 1/sqrt5 below is sqrt(2)/3 / sqrt(5)
        let vectors = [vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]].map(Rc::new);
        let spread = spread(&vectors).expect("three");
        assert!((spread - 2f64.sqrt() / 3.0 / 5f64.sqrt()).abs() < 1e-12);
        assert!((score(spread, 0.25) - (1.0 - 0.210_818_510_677_891_97 / 0.25)).abs() < 1e-12);
        assert_eq!(score(3.0, 0.25), 0.0);
        assert_eq!(score(0.0, 5e-324), 1.0);
    }

    #[test]
    fn too_little_is_not_measured() {
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[Rc::new(vec![1.0])]), None);
        assert_eq!(
            spread(&[vec![1.0, 0.0], vec![-1.0, 0.0]].map(Rc::new)),
            None
        );
    }
}
