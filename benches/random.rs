//! Pseudo-random numbers that are the same in every run.

use keepsake::embed::DIMENSIONS;
use ports::embedder::Vector;

/// Knuth's MMIX generator.
pub struct Random(pub u64);

impl Random {
    /// Between −1 and 1.
    pub fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    }

    pub fn direction(&mut self) -> Vector {
        let numbers: Vector = (0..DIMENSIONS).map(|_| self.number()).collect();
        let length = numbers.iter().map(|x| x * x).sum::<f32>().sqrt();
        numbers.into_iter().map(|x| x / length).collect()
    }
}
