//! Activation functions between two layers.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdUnaryOp};
use rten_vecmath::Gelu;

/// An element-wise function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// `x · Φ(x)`, with the error function and not its tanh approximation.
    Gelu,
    Relu,
}

impl Activation {
    #[inline(always)]
    pub(crate) fn apply<I: Isa>(self, isa: I, numbers: &mut [f32]) {
        let ops = isa.f32();
        for numbers in numbers.chunks_exact_mut(ops.len()) {
            let x = ops.load(numbers);
            let y = match self {
                Self::Gelu => Gelu {}.eval(isa, x),
                Self::Relu => ops.max(x, ops.zero()),
            };
            ops.store(y, numbers);
        }
    }
}
