//! Rows times a panel: the inner loop of every product here.
//!
//! A panel is a few columns of the right side, packed so that it is read sequentially: for each step in depth, the same few
//! columns. It stays in the L1 cache while the rows are processed; a tile of the result stays in registers.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp};

/// Rows of a tile. With two vectors of the panel and one number of the left side, a tile fills the 16 registers of AVX2. That is
/// twice as many sums as the multiplication units need to stay busy.
const TILE_ROWS: usize = 6;
const TILE_VECTORS: usize = 2;

/// The initial value of a result, to which the product is added.
#[derive(Clone, Copy)]
pub(crate) enum Start<'a> {
    Zero,
    /// One number per column of the panel.
    Bias(&'a [f32]),
    /// The existing value.
    Kept,
}

/// Rows of a larger matrix: the first starts at the start of the slice, each next one `stride` later.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub numbers: &'a [f32],
    pub stride: usize,
    pub count: usize,
}

/// Number of columns of a panel.
#[inline(always)]
pub(crate) fn width<I: Isa>(isa: I) -> usize {
    isa.f32().len() * TILE_VECTORS
}

/// Number of columns of a panel with the vectors that this processor has.
pub(crate) fn width_here() -> usize {
    struct Width;
    impl SimdOp for Width {
        type Output = usize;

        #[inline(always)]
        fn eval<I: Isa>(self, isa: I) -> usize {
            width(isa)
        }
    }
    Width.dispatch()
}

/// Multiplies the rows by the panel, and writes to the first columns of the same number of rows of `out`.
#[inline(always)]
pub(crate) fn multiply<I: Isa>(isa: I, left: Rows, panel: &[f32], start: Start, out: &mut [f32], stride: usize) {
    // Tiles of nearly equal height, because a last tile of a single row would wait for its own sums.
    let tiles = left.count.div_ceil(TILE_ROWS);
    let mut row = 0;
    for nth in 1..=tiles {
        let next = left.count * nth / tiles;
        let numbers = &left.numbers[row * left.stride..];
        let out = &mut out[row * stride..];
        match next - row {
            6 => tile::<I, 6>(isa, numbers, left.stride, panel, start, out, stride),
            5 => tile::<I, 5>(isa, numbers, left.stride, panel, start, out, stride),
            4 => tile::<I, 4>(isa, numbers, left.stride, panel, start, out, stride),
            3 => tile::<I, 3>(isa, numbers, left.stride, panel, start, out, stride),
            2 => tile::<I, 2>(isa, numbers, left.stride, panel, start, out, stride),
            _ => tile::<I, 1>(isa, numbers, left.stride, panel, start, out, stride),
        }
        row = next;
    }
}

#[inline(always)]
fn tile<I: Isa, const ROWS: usize>(
    isa: I,
    left: &[f32],
    left_stride: usize,
    panel: &[f32],
    start: Start,
    out: &mut [f32],
    stride: usize,
) {
    let ops = isa.f32();
    let lanes = ops.len();
    let depth = panel.len() / (TILE_VECTORS * lanes);
    let mut rows: [&[f32]; ROWS] = [&[]; ROWS];
    let mut sums = [[ops.zero(); TILE_VECTORS]; ROWS];
    for row in 0..ROWS {
        rows[row] = &left[row * left_stride..][..depth];
        let from = match start {
            Start::Zero => continue,
            Start::Bias(bias) => bias,
            Start::Kept => &out[row * stride..],
        };
        for vector in 0..TILE_VECTORS {
            sums[row][vector] = ops.load(&from[vector * lanes..]);
        }
    }
    for (step, columns) in panel.chunks_exact(TILE_VECTORS * lanes).enumerate() {
        let columns = [ops.load(columns), ops.load(&columns[lanes..])];
        for row in 0..ROWS {
            let number = ops.splat(rows[row][step]);
            for vector in 0..TILE_VECTORS {
                sums[row][vector] = ops.mul_add(number, columns[vector], sums[row][vector]);
            }
        }
    }
    for row in 0..ROWS {
        for vector in 0..TILE_VECTORS {
            ops.store(sums[row][vector], &mut out[row * stride + vector * lanes..]);
        }
    }
}
