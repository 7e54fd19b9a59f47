//! Values as the columns and the parameters of statements hold them.

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use domain::recall::words::terms;
use ports::embedder::Vector;
use ports::store::{Cause, StoreError};

/// The stems of a text as stored.
pub(super) fn words(content: &str) -> Vec<u8> {
    bytemuck::cast_slice(&terms(content)).to_vec()
}

/// A vector as bytes, little-endian like every supported machine.
pub(super) fn blob(vector: &[f32]) -> &[u8] {
    bytemuck::cast_slice(vector)
}

/// Reads a vector column; a blob of another length than whole numbers is corrupt.
pub(super) fn vector(row: &SqliteRow, column: &str) -> Result<Vector, StoreError> {
    let bytes: &[u8] = row.try_get(column)?;
    if bytes.is_empty() || !bytes.len().is_multiple_of(size_of::<f32>()) {
        return Err(corrupt(format!("{column} has {} bytes", bytes.len())));
    }
    Ok(bytemuck::pod_collect_to_vec(bytes))
}

/// Joins ids for one column; `None` for an empty list.
pub(super) fn ids_of(ids: &[String]) -> Option<String> {
    Some(ids.join(" ")).filter(|ids| !ids.is_empty())
}

pub(super) fn ids_in(stored: Option<&str>) -> Vec<String> {
    stored.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

/// Error for stored data that the program does not understand.
pub(super) fn corrupt(cause: impl Into<Cause>) -> StoreError {
    StoreError::Corrupt(cause.into())
}

/// Ids for `json_each(?)`, so that one constant statement takes any number of them.
pub(super) fn json_ids(ids: &[String]) -> String {
    serde_json::to_string(ids).unwrap_or_else(|_| "[]".to_owned())
}

/// Numbers for `json_each(?)`.
pub(super) fn json_numbers(numbers: &[i64]) -> Result<String, StoreError> {
    serde_json::to_string(numbers).map_err(corrupt)
}
