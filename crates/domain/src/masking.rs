//! The mask shown instead of a hidden text: a rounded length, and nothing of the words.

/// Characters per step of a mask.
const CHARS_PER_STEP: usize = 20;
/// Steps of the longest mask.
const STEPS_MAX: u8 = 25;

/// The length of a text's mask: 1 to 25 steps of 20 characters.
#[must_use]
pub fn mask(text: &str) -> u8 {
    let steps = text.chars().count().div_ceil(CHARS_PER_STEP);
    u8::try_from(steps).unwrap_or(STEPS_MAX).clamp(1, STEPS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_tells_the_length_roughly() {
        for (chars, steps) in [(0, 1), (1, 1), (20, 1), (21, 2), (500, 25), (9000, 25)] {
            assert_eq!(mask(&"é".repeat(chars)), steps);
        }
    }
}
