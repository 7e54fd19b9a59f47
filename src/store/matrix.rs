//! Every fact's vector in memory, side by side, so that one scan ranks and merges.
//!
//! A cache of committed rows only: it is brought up to date from the change sequence, in commit order, and knows up to
//! which change it is current.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use simsimd::SpatialSimilarity;

use crate::ports::embedder::{DIMENSIONS, Vector};
use crate::ports::store::facts::FactMeta;

/// Cosine similarity of two L2-normalised vectors.
pub fn similarity(a: &[f32], b: &[f32]) -> f64 {
    f32::dot(a, b).unwrap_or_default()
}

#[derive(Default)]
struct Rows {
    metas: Vec<FactMeta>,
    /// Row n is at `n · DIMENSIONS`.
    vectors: Vec<f32>,
    place: HashMap<String, usize>,
    seq: i64,
}

/// The matrix.
#[derive(Default)]
pub struct FactMatrix(RwLock<Rows>);

/// A fact as it is now, or the id of one that is gone.
pub enum Update {
    Put(FactMeta, Vector),
    Gone(String),
}

impl FactMatrix {
    /// The change up to which the matrix is current.
    pub fn seq(&self) -> i64 {
        self.0.read().unwrap_or_else(PoisonError::into_inner).seq
    }

    /// Applies what changed up to `seq`; older news than the matrix already has is ignored.
    pub fn apply(&self, seq: i64, updates: Vec<Update>, afresh: bool) {
        let mut rows = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if seq < rows.seq {
            return;
        }
        if afresh {
            *rows = Rows::default();
        }
        rows.seq = seq;
        for update in updates {
            match update {
                Update::Put(meta, vector) => rows.put(meta, &vector),
                Update::Gone(id) => rows.remove(&id),
            }
        }
    }

    /// Shows every fact.
    pub fn each(&self, visit: &mut dyn FnMut(&FactMeta)) {
        self.0.read().unwrap_or_else(PoisonError::into_inner).metas.iter().for_each(visit);
    }

    pub fn scan(&self, query: &[f32], visit: &mut dyn FnMut(&FactMeta, f64)) {
        let rows = self.0.read().unwrap_or_else(PoisonError::into_inner);
        for (meta, vector) in rows.metas.iter().zip(rows.vectors.chunks_exact(DIMENSIONS)) {
            visit(meta, similarity(vector, query));
        }
    }
}

impl Rows {
    fn put(&mut self, meta: FactMeta, vector: &[f32]) {
        if let Some(&n) = self.place.get(&meta.id) {
            self.vectors[n * DIMENSIONS..(n + 1) * DIMENSIONS].copy_from_slice(vector);
            self.metas[n] = meta;
        } else {
            self.place.insert(meta.id.clone(), self.metas.len());
            self.metas.push(meta);
            self.vectors.extend_from_slice(vector);
        }
    }

    /// The last row takes the place of the one that goes; the freed tail is zeroed before it is cut off.
    fn remove(&mut self, id: &str) {
        let Some(n) = self.place.remove(id) else { return };
        let last = self.metas.len() - 1;
        self.metas.swap_remove(n);
        if n != last {
            self.vectors.copy_within(last * DIMENSIONS.., n * DIMENSIONS);
            self.place.insert(self.metas[n].id.clone(), n);
        }
        self.vectors[last * DIMENSIONS..].fill(0.0);
        self.vectors.truncate(last * DIMENSIONS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::confidence::Evidence;
    use crate::domain::fact::FactStatus;
    use crate::domain::memory::Importance;
    use crate::domain::moment::Moment;
    use crate::domain::provenance::Origin;

    fn put(id: &str, axis: usize) -> Update {
        let mut vector = vec![0.0; DIMENSIONS];
        vector[axis] = 1.0;
        let meta = FactMeta {
            id: id.to_owned(),
            status: FactStatus::Pending,
            origin: Origin::User,
            importance: Importance::DEFAULT,
            touched: Moment(0),
            evidence: Evidence { contributors: 0, approved_by_operator: false, confirmed_at: Moment(0), contradicted: false },
        };
        Update::Put(meta, vector)
    }

    fn nearest(matrix: &FactMatrix, axis: usize) -> Option<String> {
        let mut query = vec![0.0; DIMENSIONS];
        query[axis] = 1.0;
        let mut best = None;
        matrix.scan(&query, &mut |meta, score| {
            if score > 0.5 {
                best = Some(meta.id.clone());
            }
        });
        best
    }

    #[test]
    fn removing_a_row_keeps_every_other_findable() {
        let matrix = FactMatrix::default();
        matrix.apply(3, vec![put("a", 1), put("b", 2), put("c", 3)], false);
        matrix.apply(4, vec![Update::Gone("a".to_owned())], false);
        assert_eq!(
            (nearest(&matrix, 1), nearest(&matrix, 2).as_deref(), nearest(&matrix, 3).as_deref()),
            (None, Some("b"), Some("c"))
        );
    }

    #[test]
    fn old_news_does_not_undo_newer() {
        let matrix = FactMatrix::default();
        matrix.apply(5, vec![put("a", 1)], false);
        matrix.apply(4, vec![Update::Gone("a".to_owned())], false);
        assert_eq!(nearest(&matrix, 1).as_deref(), Some("a"));
    }
}
