//! Similarity of team facts, in SQLite. Compares every pair of the newest facts by their exact vectors: some hundred facts are a
//! hundred thousand pairs, which take a few milliseconds.

use async_trait::async_trait;
use sqlx::Row;

use super::matrix::similarity;
use crate::sqlite::SqliteStore;
use crate::sqlite::values::vector;
use ports::embedder::Vector;
use ports::store::StoreError;
use ports::store::facts::likeness::{AlikePair, AlikeSides, LikenessReads, MergedText};

/// `rowid` is the order of insertion.
const NEWEST: &str = "SELECT id, vector FROM facts WHERE status <> 'rejected' ORDER BY rowid DESC LIMIT ?1";
const MERGED: &str = "SELECT m.fact_id, m.content, m.similarity FROM fact_merges AS m JOIN facts AS f ON f.id = m.fact_id \
                      WHERE m.similarity >= ?1 AND f.status <> 'rejected' ORDER BY m.similarity, m.place LIMIT ?2";
const FLAGGED: &str = "SELECT c.fact_a, c.fact_b, c.similarity FROM contradictions AS c \
                       JOIN facts AS a ON a.id = c.fact_a JOIN facts AS b ON b.id = c.fact_b \
                       WHERE c.similarity >= ?1 AND c.resolved_at IS NULL AND a.status <> 'rejected' AND b.status <> 'rejected' \
                       ORDER BY c.similarity, c.fact_a, c.fact_b LIMIT ?2";

/// A pair, by the positions of its facts.
#[derive(Clone, Copy)]
struct PlacedPair {
    a: usize,
    b: usize,
    similarity: f64,
}

/// The pairs nearest to a value.
struct Nearest {
    value: f64,
    each: usize,
    few: Vec<PlacedPair>,
}

impl Nearest {
    fn take(&mut self, pair: PlacedPair) {
        let distance = |pair: &PlacedPair| (pair.similarity - self.value).abs();
        let place = self.few.partition_point(|one| distance(one) <= distance(&pair));
        if place < self.each {
            self.few.insert(place, pair);
            self.few.truncate(self.each);
        }
    }

    fn named(self, facts: &[(String, Vector)]) -> Vec<AlikePair> {
        let pair =
            |PlacedPair { a, b, similarity }: PlacedPair| AlikePair { a: facts[a].0.clone(), b: facts[b].0.clone(), similarity };
        self.few.into_iter().map(pair).collect()
    }
}

fn around(facts: &[(String, Vector)], values: &[f64], each: usize) -> Vec<AlikeSides> {
    let side = |value: &f64| Nearest { value: *value, each, few: Vec::new() };
    let mut sides: Vec<(Nearest, Nearest)> = values.iter().map(|value| (side(value), side(value))).collect();
    for (a, (_, one)) in facts.iter().enumerate() {
        for (b, (_, other)) in facts.iter().enumerate().skip(a + 1) {
            let pair = PlacedPair { a, b, similarity: similarity(one, other) };
            for (from, below) in &mut sides {
                if pair.similarity >= from.value { from.take(pair) } else { below.take(pair) }
            }
        }
    }
    sides.into_iter().map(|(from, below)| AlikeSides { from: from.named(facts), below: below.named(facts) }).collect()
}

#[async_trait]
impl LikenessReads for SqliteStore {
    async fn alike_facts(&self, newest: u32, values: &[f64], each: usize) -> Result<Vec<AlikeSides>, StoreError> {
        let rows = sqlx::query(NEWEST).bind(newest).fetch_all(&self.readers).await?;
        let facts = rows.iter().map(|row| Ok((row.try_get("id")?, vector(row, "vector")?)));
        Ok(around(&facts.collect::<Result<Vec<_>, StoreError>>()?, values, each))
    }

    async fn merged_from(&self, similarity: f64, limit: u32) -> Result<Vec<MergedText>, StoreError> {
        let rows: Vec<(String, String, f64)> =
            sqlx::query_as(MERGED).bind(similarity).bind(limit).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(fact_id, content, similarity)| MergedText { fact_id, content, similarity }).collect())
    }

    async fn flagged_from(&self, similarity: f64, limit: u32) -> Result<Vec<AlikePair>, StoreError> {
        let rows: Vec<(String, String, f64)> =
            sqlx::query_as(FLAGGED).bind(similarity).bind(limit).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(a, b, similarity)| AlikePair { a, b, similarity }).collect())
    }
}
