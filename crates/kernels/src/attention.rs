//! Self-attention over one sentence.

use rten_simd::{Isa, SimdOp};
use rten_vecmath::Softmax;

use crate::product::{Rows, Start, multiply, width};

/// The number of heads in a layer, and the numbers per head.
#[derive(Debug, Clone, Copy)]
pub struct Attention {
    pub heads: usize,
    pub size: usize,
}

/// Scratch memory for one head, reused from sentence to sentence.
#[derive(Default)]
pub struct Room {
    queries: Vec<f32>,
    /// Panels of keys as columns.
    keys: Vec<f32>,
    /// Panels of values as rows.
    values: Vec<f32>,
    scores: Vec<f32>,
    mixed: Vec<f32>,
}

impl Attention {
    /// `input` has a row per token: its query, key and value, each with all heads side by side. `out` gets a row per token with
    /// all heads.
    pub fn apply(self, room: &mut Room, input: &[f32], out: &mut [f32]) {
        Attended { attention: self, room, input, out }.dispatch();
    }
}

struct Attended<'a> {
    attention: Attention,
    room: &'a mut Room,
    input: &'a [f32],
    out: &'a mut [f32],
}

impl SimdOp for Attended<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let Attention { heads, size } = self.attention;
        let Room { queries, keys, values, scores, mixed } = self.room;
        let (hidden, width) = (heads * size, width(isa));
        let tokens = self.input.len() / (3 * hidden);
        if tokens == 0 {
            return;
        }
        // Values beyond the last key or value only pad the panel; nothing reads them.
        let (across, wide) = (tokens.next_multiple_of(width), size.next_multiple_of(width));
        queries.resize(tokens * size, 0.0);
        keys.resize(across * size, 0.0);
        values.resize(wide * tokens, 0.0);
        scores.resize(tokens * across, 0.0);
        mixed.resize(tokens * wide, 0.0);
        #[allow(clippy::cast_precision_loss, reason = "a head has tens of numbers")]
        let scale = 1.0 / (size as f32).sqrt();

        for head in 0..heads {
            for (token, row) in self.input.chunks_exact(3 * hidden).enumerate() {
                let part = |which: usize| &row[which * hidden + head * size..][..size];
                for (query, x) in queries[token * size..].iter_mut().zip(part(0)) {
                    *query = x * scale;
                }
                let key = &mut keys[token / width * width * size + token % width..];
                for (key, x) in key.iter_mut().step_by(width).zip(part(1)) {
                    *key = *x;
                }
                for (nth, part) in part(2).chunks(width).enumerate() {
                    values[(nth * tokens + token) * width..][..part.len()].copy_from_slice(part);
                }
            }
            let left = Rows { numbers: queries, stride: size, count: tokens };
            for (nth, keys) in keys.chunks_exact(width * size).enumerate() {
                multiply(isa, left, keys, Start::Zero, &mut scores[nth * width..], across);
            }
            for scores in scores.chunks_exact_mut(across) {
                Softmax::new_mut(&mut scores[..tokens]).eval(isa);
            }
            let left = Rows { numbers: scores, stride: across, count: tokens };
            for (nth, values) in values.chunks_exact(width * tokens).enumerate() {
                multiply(isa, left, values, Start::Zero, &mut mixed[nth * width..], wide);
            }
            for (out, mixed) in self.out.chunks_exact_mut(hidden).zip(mixed.chunks_exact(wide)) {
                out[head * size..][..size].copy_from_slice(&mixed[..size]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One head in double precision, computed directly from the definition.
    fn plain(input: &[f32], out: &mut [f64], hidden: usize, head: usize, size: usize) {
        let part = |row: &[f32], which: usize| -> Vec<f64> {
            row[which * hidden + head * size..][..size].iter().map(|x| f64::from(*x)).collect()
        };
        let rows: Vec<&[f32]> = input.chunks_exact(3 * hidden).collect();
        for (token, row) in rows.iter().enumerate() {
            let query = part(row, 0);
            let score = |key: Vec<f64>| query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>() / (size as f64).sqrt();
            let weights: Vec<f64> = rows.iter().map(|row| score(part(row, 1)).exp()).collect();
            let all: f64 = weights.iter().sum();
            for (weight, row) in weights.iter().zip(&rows) {
                for (nth, value) in part(row, 2).iter().enumerate() {
                    out[token * hidden + head * size + nth] += weight / all * value;
                }
            }
        }
    }

    #[test]
    fn each_token_mixes_the_values_by_the_likeness_of_query_and_key() {
        let mut room = Room::default();
        for (heads, size, tokens) in [(1, 4, 1), (2, 20, 7), (12, 32, 31), (3, 64, 40), (12, 32, 2)] {
            let hidden = heads * size;
            let input: Vec<f32> = (0..tokens * 3 * hidden).map(|nth| 2.0 * (0.7 * nth as f32).sin()).collect();
            let (mut out, mut expected) = (vec![0.0; tokens * hidden], vec![0.0; tokens * hidden]);
            Attention { heads, size }.apply(&mut room, &input, &mut out);
            (0..heads).for_each(|head| plain(&input, &mut expected, hidden, head, size));
            for (made, expected) in out.iter().zip(expected) {
                assert!((f64::from(*made) - expected).abs() < 1e-4, "{made} {expected}");
            }
        }
    }
}
