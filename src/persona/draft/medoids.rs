//! K-medoids: the few texts that stand for all, by their vectors.

use crate::persona::stability::dot;
use crate::steps::{Pause, Progress, step};

/// So many rounds of swaps at most; they end long before.
const MOST_ROUNDS: usize = 20;

/// The medoids of unit vectors in the order of the first, each with how many it stands for (itself
/// among them). First the text that is nearest to all, then whichever helps most, then swaps while
/// they help (Kaufman and Rousseeuw's PAM, with the cosine distance). A row is a step.
pub async fn medoids(vectors: &[Vec<f64>], most: usize, pause: Pause<'_>) -> Vec<(usize, usize)> {
    let number = vectors.len();
    let mut distances = vec![0.0; number * number];
    for at in 0..number {
        for other in 0..at {
            let distance = (1.0 - dot(&vectors[at], &vectors[other])).max(0.0);
            distances[at * number + other] = distance;
            distances[other * number + at] = distance;
        }
        step(pause, Progress::new(at, number, "examples compared")).await;
    }
    let space = Space { distances, number };
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < most.min(number) {
        let free = (0..number).filter(|at| !chosen.contains(at));
        let Some(best) =
            least(free.map(|at| (space.cost(&chosen.iter().copied().chain([at])), at)))
        else {
            break;
        };
        chosen.push(best.1);
        step(pause, Progress::new(chosen.len(), most, "exemplars chosen")).await;
    }
    for round in 0..MOST_ROUNDS {
        if !space.swap(&mut chosen, pause).await {
            break;
        }
        step(pause, Progress::new(round, MOST_ROUNDS, "rounds of swaps")).await;
    }
    chosen.sort_unstable();
    let mut stands_for = vec![0; chosen.len()];
    for at in 0..number {
        let nearest = chosen.iter().enumerate();
        if let Some((_, medoid)) = least(nearest.map(|(place, one)| (space.of(at, *one), place))) {
            stands_for[medoid] += 1;
        }
    }
    chosen.into_iter().zip(stands_for).collect()
}

/// The least of some costs, the first where several are.
fn least(costs: impl Iterator<Item = (f64, usize)>) -> Option<(f64, usize)> {
    costs.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
}

struct Space {
    distances: Vec<f64>,
    number: usize,
}

impl Space {
    fn of(&self, one: usize, other: usize) -> f64 {
        self.distances[one * self.number + other]
    }

    /// How far all are from the nearest of these, summed up.
    fn cost(&self, chosen: &(impl Iterator<Item = usize> + Clone)) -> f64 {
        let nearest = |at| {
            let distances = chosen.clone().map(|one| self.of(at, one));
            distances.fold(f64::INFINITY, f64::min)
        };
        (0..self.number).map(nearest).sum()
    }

    /// Swaps the pair that helps most; whether there was one.
    async fn swap(&self, chosen: &mut [usize], pause: Pause<'_>) -> bool {
        // what rounding gains is no gain
        const LEAST_GAIN: f64 = 1e-12;
        let now = self.cost(&chosen.iter().copied());
        let mut best = (now - LEAST_GAIN, None);
        for place in 0..chosen.len() {
            for at in (0..self.number).filter(|at| !chosen.contains(at)) {
                let swapped = chosen.iter().enumerate();
                let swapped = swapped.map(|(one, old)| if one == place { at } else { *old });
                let cost = self.cost(&swapped);
                if cost < best.0 {
                    best = (cost, Some((place, at)));
                }
            }
            step(pause, Progress::new(place, chosen.len(), "swaps tried")).await;
        }
        if let (_, Some((place, at))) = best {
            chosen[place] = at;
        }
        best.1.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{THROUGH, at_once};

    fn at_angles(degrees: &[f64]) -> Vec<Vec<f64>> {
        let unit = |angle: &f64| vec![angle.to_radians().cos(), angle.to_radians().sin()];
        degrees.iter().map(unit).collect()
    }

    #[test]
    fn each_cluster_has_its_middle() {
        let vectors = at_angles(&[0.0, 4.0, 8.0, 90.0, 93.0, 99.0, 180.0]);
        let found = at_once(medoids(&vectors, 3, THROUGH));
        assert_eq!(found, [(1, 3), (4, 3), (6, 1)]);
    }

    #[test]
    fn with_few_texts_all_stand_for_themselves() {
        let vectors = at_angles(&[0.0, 90.0]);
        assert_eq!(at_once(medoids(&vectors, 12, THROUGH)), [(0, 1), (1, 1)]);
        assert_eq!(at_once(medoids(&[], 12, THROUGH)), []);
        // the same text twice: nobody is lost
        let same = at_once(medoids(&at_angles(&[5.0, 5.0, 5.0]), 2, THROUGH));
        assert_eq!(same.iter().map(|(_, number)| number).sum::<usize>(), 3);
    }
}
