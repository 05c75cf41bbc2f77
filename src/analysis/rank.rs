//! Rank correlation.

/// Spearman's rho of pairs, in [-1, 1]: the correlation of the ranks, of equal values the mean of
/// theirs. None with fewer than three pairs, or where one side is all the same.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let (one, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (one, other) = (ranks(&one), ranks(&other));
    let centre = f64::midpoint(pairs.len() as f64, 1.0);
    let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
    for (a, b) in one.iter().zip(&other) {
        both += (a - centre) * (b - centre);
        first += (a - centre).powi(2);
        second += (b - centre).powi(2);
    }
    (first > 0.0 && second > 0.0).then(|| both / (first * second).sqrt())
}

/// From 1; of equal values the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let same = |at: &&usize| values[**at] == values[order[from]];
        let to = from + order[from..].iter().take_while(same).count().max(1);
        for at in &order[from..to] {
            ranks[*at] = f64::midpoint(from as f64 + 1.0, to as f64);
        }
        from = to;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        assert_eq!(ranks(&[0.3, 0.1, 0.3, 0.2]), [3.5, 1.0, 3.5, 2.0]);
        // ranks 1 2 3 4 against 1 3 2 4: 1 - 6 x 2 / (4 x 15)
        let pairs = [(1.0, 10.0), (2.0, 30.0), (3.0, 20.0), (4.0, 40.0)];
        let rho = spearman(&pairs).expect("four");
        assert!((rho - 0.8).abs() < 1e-12);
        let turned: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*a, -b)).collect();
        assert!((spearman(&turned).expect("four") + 0.8).abs() < 1e-12);
        assert_eq!(spearman(&pairs[..2]), None);
        assert_eq!(spearman(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }
}
