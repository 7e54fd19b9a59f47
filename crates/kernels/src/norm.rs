//! Layer normalisation.

use rten_simd::{Isa, SimdOp};
use rten_vecmath::{Normalize, NormalizeOptions, Sum, SumSquareSub};

/// Normalises each row to mean 0 and variance 1, then scales and shifts it by learned numbers.
pub struct LayerNorm {
    pub scale: Vec<f32>,
    pub bias: Vec<f32>,
    pub epsilon: f32,
}

impl LayerNorm {
    /// Normalises each row in place.
    pub fn apply(&self, rows: &mut [f32]) {
        Normalised { norm: self, rows }.dispatch();
    }
}

struct Normalised<'a> {
    norm: &'a LayerNorm,
    rows: &'a mut [f32],
}

impl SimdOp for Normalised<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let LayerNorm { scale, bias, epsilon } = self.norm;
        #[allow(clippy::cast_precision_loss, reason = "a row has hundreds of numbers")]
        let size = scale.len() as f32;
        for row in self.rows.chunks_exact_mut(scale.len()) {
            let mean = Sum::new(row).eval(isa) / size;
            let variance = SumSquareSub::new(row, mean).eval(isa) / size;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: 1.0 / (variance + epsilon).sqrt(),
                element_scale: Some(scale),
                element_bias: Some(bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(row, options).eval(isa);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_shifted_and_scaled_each_by_itself() {
        let norm = LayerNorm { scale: vec![1.0, 1.0, 2.0, 1.0], bias: vec![0.0, 0.0, 0.0, 10.0], epsilon: 0.0 };
        let mut rows = [1.0, 3.0, 1.0, 3.0, -5.0, 5.0, 5.0, -5.0];
        norm.apply(&mut rows);
        let expected = [-1.0, 1.0, -2.0, 11.0, -1.0, 1.0, 2.0, 9.0];
        assert!(rows.iter().zip(expected).all(|(made, expected)| (made - expected).abs() < 1e-6), "{rows:?}");
    }
}
