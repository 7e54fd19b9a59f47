//! Vectors as 8-bit integers.

use simsimd::SpatialSimilarity;

/// Largest value of a quantised number.
const GREATEST: f32 = 127.0;

/// The quantisation of a vector.
#[derive(Clone, Copy, Default)]
pub struct VectorCode {
    /// The value of one step.
    pub scale: f32,
    /// Length of the rounding error.
    pub error: f32,
    /// Length of the quantised vector.
    pub length: f32,
}

/// Adding this to a number below 2²² and subtracting it again rounds to a whole number, with instructions that every processor
/// can apply to many numbers at once.
const ROUNDER: f32 = 12_582_912.0;

/// Quantises a vector.
pub fn encode(vector: &[f32], numbers: &mut [i8]) -> VectorCode {
    let greatest = vector.iter().fold(0.0_f32, |greatest, x| greatest.max(x.abs()));
    let scale = if greatest > 0.0 { greatest / GREATEST } else { 1.0 };
    let steps = 1.0 / scale;
    let rounded: Vec<f32> = vector.iter().map(|x| x * steps + ROUNDER - ROUNDER).collect();
    for (number, rounded) in numbers.iter_mut().zip(&rounded) {
        #[allow(clippy::cast_possible_truncation, reason = "−127 to 127")]
        {
            *number = *rounded as i8;
        }
    }
    let there: Vec<f32> = rounded.iter().map(|rounded| rounded * scale).collect();
    let error = f32::sqeuclidean(vector, &there).unwrap_or_default();
    let length = f32::dot(&there, &there).unwrap_or_default();
    #[allow(clippy::cast_possible_truncation, reason = "a bound that is used with room for errors of arithmetic")]
    VectorCode { scale, error: error.sqrt() as f32, length: length.sqrt() as f32 }
}
