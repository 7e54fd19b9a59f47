//! The similarity of two vectors.

/// The cosine of two vectors of length 1.
#[must_use]
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
}

/// A similarity rounded down to hundredths.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
pub fn hundredth(similarity: f64) -> u8 {
    (similarity.clamp(0.0, 1.0) * 100.0 + f64::EPSILON * 100.0).floor() as u8
}
