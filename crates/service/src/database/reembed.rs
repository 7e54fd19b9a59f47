//! Recomputes every vector with another embedder. It can be resumed: each batch and the position reached are one transaction, and
//! until the last one the database names no embedder that a server would accept.

use crate::Result;
use crate::transactions::in_custody;
use ports::embedder::{Embedder, EmbedderId};
use ports::store::custody::Custody;
use ports::store::memories::vectors::{Reached, VectorColumn};

/// Texts embedded per batch.
const BATCH: u32 = 64;

/// The embedder named in the database while its vectors are mixed.
fn unfinished(to: &EmbedderId) -> EmbedderId {
    EmbedderId {
        model: format!("unfinished re-embedding to {}", to.model),
        weights: to.weights.clone(),
        dimensions: to.dimensions,
    }
}

/// Replaces every vector. Returns how many this run computed; `progress` is called for each batch.
pub async fn run(custody: &dyn Custody, embedder: &dyn Embedder, progress: &mut (dyn FnMut(u64) + Send)) -> Result<u64> {
    let halfway = unfinished(embedder.id());
    if custody.embedder().await?.as_ref() != Some(&halfway) {
        in_custody!(custody, [halfway], |tx| {
            tx.set_embedder(halfway).await?;
            for column in VectorColumn::ALL {
                tx.set_reached(column, Reached::default()).await?;
            }
            Ok(())
        })
        .await?;
    }
    let mut made = 0;
    for column in VectorColumn::ALL {
        loop {
            let batch = next(custody, embedder, column).await?;
            if batch == 0 {
                break;
            }
            made += batch;
            progress(batch);
        }
    }
    in_custody!(custody, |tx| { Ok(tx.set_embedder(embedder.id()).await?) }).await?;
    Ok(made)
}

/// One batch of one column. Nothing else writes meanwhile: the command holds the data folder's lock.
async fn next(custody: &dyn Custody, embedder: &dyn Embedder, column: VectorColumn) -> Result<u64> {
    let rows = custody.texts_beyond(column, BATCH).await?;
    let Some(last) = rows.last().map(|(row, _)| *row) else { return Ok(0) };
    let texts: Vec<String> = rows.iter().map(|(_, text)| text.clone()).collect();
    let vectors = embedder.embed(&texts).await?;
    in_custody!(custody, [rows, vectors], |tx| {
        for ((row, _), vector) in rows.iter().zip(vectors) {
            tx.replace_vector(column, *row, vector).await?;
        }
        Ok(tx.set_reached(column, last).await?)
    })
    .await?;
    Ok(rows.len() as u64)
}
