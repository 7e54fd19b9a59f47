//! A linear layer whose weights are packed once for all products.

use rten_simd::{Isa, SimdOp};

use crate::activation::Activation;
use crate::product::{Rows, Start, multiply, width_here};

/// The number of outputs of a layer is a multiple of this: a whole panel on every processor.
pub const GRAIN: usize = 32;
/// Block size in depth: this much of a panel fits into the L1 cache, together with the rows being multiplied.
const DEPTH: usize = 384;
/// Block size in rows: this much of the left side fits into the L2 cache while all panels are processed.
const ROWS: usize = 96;

/// `x · Wᵀ + b`.
pub struct Linear {
    panels: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
    width: usize,
}

impl Linear {
    /// `weights` holds one row of `inputs` numbers for each output, as stored in the file.
    ///
    /// # Panics
    ///
    /// If the number of outputs is not a multiple of [`GRAIN`], or the number of weights is not inputs times outputs.
    #[must_use]
    pub fn new(weights: &[f32], bias: Vec<f32>, inputs: usize) -> Self {
        let width = width_here();
        assert!(bias.len().is_multiple_of(GRAIN) && GRAIN.is_multiple_of(width), "whole panels");
        assert_eq!(weights.len(), inputs * bias.len(), "a row of weights an output");
        let mut panels = vec![0.0; weights.len()];
        for (panel, rows) in panels.chunks_exact_mut(inputs * width).zip(weights.chunks_exact(inputs * width)) {
            for (step, columns) in panel.chunks_exact_mut(width).enumerate() {
                for (column, row) in columns.iter_mut().zip(rows.chunks_exact(inputs)) {
                    *column = row[step];
                }
            }
        }
        Self { panels, bias, inputs, width }
    }

    /// Number of columns of its result.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes the product to `out`.
    pub fn put(&self, input: &[f32], out: &mut [f32]) {
        Product { layer: self, input, out, kept: false, through: None }.dispatch();
    }

    /// Applies the activation to the product and writes it to `out`.
    pub fn put_through(&self, through: Activation, input: &[f32], out: &mut [f32]) {
        Product { layer: self, input, out, kept: false, through: Some(through) }.dispatch();
    }

    /// Adds the product to `out`.
    pub fn add(&self, input: &[f32], out: &mut [f32]) {
        Product { layer: self, input, out, kept: true, through: None }.dispatch();
    }
}

struct Product<'a> {
    layer: &'a Linear,
    input: &'a [f32],
    out: &'a mut [f32],
    kept: bool,
    through: Option<Activation>,
}

impl SimdOp for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Linear { ref panels, ref bias, inputs, width } = *self.layer;
        let outputs = bias.len();
        assert_eq!(self.input.len() * outputs, self.out.len() * inputs, "as many rows out as in");
        for (input, out) in self.input.chunks(ROWS * inputs).zip(self.out.chunks_mut(ROWS * outputs)) {
            for (nth, panel) in panels.chunks_exact(inputs * width).enumerate() {
                let columns = nth * width..(nth + 1) * width;
                let bias = &bias[columns.clone()];
                if self.kept {
                    for row in out.chunks_exact_mut(outputs) {
                        row[columns.clone()].iter_mut().zip(bias).for_each(|(x, bias)| *x += bias);
                    }
                }
                for (nth, panel) in panel.chunks(DEPTH * width).enumerate() {
                    let start = if nth == 0 && !self.kept { Start::Bias(bias) } else { Start::Kept };
                    let left = Rows { numbers: &input[nth * DEPTH..], stride: inputs, count: input.len() / inputs };
                    multiply(isa, left, panel, start, &mut out[columns.start..], outputs);
                }
                if let Some(through) = self.through {
                    for row in out.chunks_exact_mut(outputs) {
                        through.apply(isa, &mut row[columns.clone()]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Varied numbers between -1 and 1.
    fn numbers(count: usize) -> Vec<f32> {
        (0..count).map(|nth| (0.37 * nth as f32 * (1.0 + 0.01 * (nth % 97) as f32)).sin()).collect()
    }

    /// The same in double precision, directly from the definition.
    fn plain(weights: &[f32], bias: &[f32], input: &[f32], inputs: usize) -> Vec<f64> {
        let dot = |row: &[f32], weights: &[f32]| row.iter().zip(weights).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>();
        let rows = input.chunks_exact(inputs);
        rows.flat_map(|row| {
            weights.chunks_exact(inputs).zip(bias).map(move |(weights, bias)| dot(row, weights) + f64::from(*bias))
        })
        .collect()
    }

    /// Equal within the rounding error of this many terms of at most 1.
    fn close(made: &[f32], expected: &[f64], terms: usize) {
        assert_eq!(made.len(), expected.len());
        for (made, expected) in made.iter().zip(expected) {
            assert!((f64::from(*made) - expected).abs() < 2e-6 * (terms + 10) as f64, "{made} {expected}");
        }
    }

    fn bits(numbers: &[f32]) -> Vec<u32> {
        numbers.iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn products_are_those_of_plain_sums_for_any_number_of_rows_and_any_depth() {
        for inputs in [1, 20, 384, 1000] {
            let (weights, bias) = (numbers(64 * inputs), numbers(64));
            let layer = Linear::new(&weights, bias.clone(), inputs);
            for rows in (0..14).chain([95, 96, 97, 193]) {
                let input = numbers(rows * inputs);
                let expected = plain(&weights, &bias, &input, inputs);
                let mut out = vec![7.0; rows * layer.outputs()];
                layer.put(&input, &mut out);
                close(&out, &expected, inputs);

                layer.add(&input, &mut out);
                close(&out, &expected.iter().map(|x| 2.0 * x).collect::<Vec<_>>(), inputs);

                layer.put_through(Activation::Relu, &input, &mut out);
                close(&out, &expected.iter().map(|x| x.max(0.0)).collect::<Vec<_>>(), inputs);
            }
        }
    }

    #[test]
    fn a_row_does_not_depend_on_the_rows_around_it() {
        let inputs = 500;
        let layer = Linear::new(&numbers(32 * inputs), numbers(32), inputs);
        let input = numbers(107 * inputs);
        let mut all = vec![0.0; 107 * 32];
        layer.put(&input, &mut all);
        for (row, together) in input.chunks_exact(inputs).zip(all.chunks_exact(32)) {
            let mut alone = vec![0.0; 32];
            layer.put(row, &mut alone);
            assert_eq!(bits(&alone), bits(together));
        }
    }

    /// `x · Φ(x)`, with values from a table of the normal distribution.
    #[test]
    fn gelu_is_that_of_the_normal_distribution() {
        let layer = Linear::new(&[0.0; 32], [0.0, 0.5, 1.0, -1.0, 2.0, -2.0, 3.0, -12.0].repeat(4), 1);
        let mut out = vec![0.0; 32];
        layer.put_through(Activation::Gelu, &[0.0], &mut out);
        let expected = [0.0, 0.345_731_230, 0.841_344_746, -0.158_655_254, 1.954_499_736, -0.045_500_264, 2.995_950_306, 0.0];
        for (made, expected) in out.iter().zip(expected) {
            assert!((f64::from(*made) - expected).abs() < 2e-6, "{made} {expected}");
        }
    }
}
