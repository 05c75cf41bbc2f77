//! Layer normalisation of rows, and of sums of rows.

use tract_core::internal::*;

/// Scale and bias of a normalisation. Two are the same when they share them.
#[derive(Clone, Debug)]
pub struct Norm {
    /// A factor for each value of a row; their number is a multiple of four.
    pub scale: Arc<[f32]>,
    /// A summand for each value of a row.
    pub bias: Arc<[f32]>,
    /// Added to the variance.
    pub epsilon: f32,
}

impl Norm {
    /// Values in a row.
    pub fn width(&self) -> usize {
        self.scale.len()
    }

    /// Gives each row the mean 0 and the variance 1, then scale and bias.
    pub fn normalise(&self, rows: &mut [f32]) {
        assay_kernels::normalise(rows, &self.scale, &self.bias, self.epsilon);
    }

    /// Adds others to the rows, and normalises the sums.
    pub fn add(&self, rows: &mut [f32], others: &[f32]) {
        for (value, other) in rows.iter_mut().zip(others) {
            *value += other;
        }
        self.normalise(rows);
    }
}

impl PartialEq for Norm {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scale, &other.scale)
            && Arc::ptr_eq(&self.bias, &other.bias)
            && self.epsilon.to_bits() == other.epsilon.to_bits()
    }
}

impl Eq for Norm {}
