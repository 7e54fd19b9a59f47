//! Weights stored in 16 bits.

use rten_simd::f16;

/// IEEE half precision, little endian.
#[must_use]
pub fn from_f16(bytes: &[u8]) -> Vec<f32> {
    pairs(bytes).map(|bits| f16::from_bits(bits).to_f32()).collect()
}

/// bfloat16, the upper half of a single-precision number, little endian.
#[must_use]
pub fn from_bf16(bytes: &[u8]) -> Vec<f32> {
    pairs(bytes).map(|bits| f32::from_bits(u32::from(bits) << 16)).collect()
}

fn pairs(bytes: &[u8]) -> impl Iterator<Item = u16> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_le_bytes(*pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp, reason = "widening is exact")]
    fn halves_become_the_same_singles() {
        assert_eq!(from_f16(&[0x00, 0x3c, 0x00, 0xc1, 0x01, 0x00]), [1.0, -2.5, 2.0_f32.powi(-24)]);
        assert_eq!(from_bf16(&[0x80, 0x3f, 0x20, 0xc0]), [1.0, -2.5]);
    }
}
