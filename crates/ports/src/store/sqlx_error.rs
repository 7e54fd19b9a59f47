//! What the errors of SQL engines mean. Here and not in the engines, because only the package of [`StoreError`] can convert into it.

use super::StoreError;

/// SQLite's code for a reader that tries to write after another writer committed.
const BUSY_SNAPSHOT: u32 = 517;

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|e| e.code().map(std::borrow::Cow::into_owned)).unwrap_or_default();
        let code = code.parse::<u32>().unwrap_or_default();
        // Primary result codes of SQLite: 5 busy, 6 locked, 8 read-only, 11 malformed, 13 full, 26 not a database; extended codes
        // contain them in the low byte.
        match (code & 0xff, &error) {
            _ if code == BUSY_SNAPSHOT => Self::Conflict(error.into()),
            (5 | 6, _) | (_, sqlx::Error::PoolTimedOut) => Self::Busy(error.into()),
            (8, _) => Self::ReadOnly(error.into()),
            (11 | 26, _) => Self::Damaged(error.into()),
            (13, _) => Self::Full(error.into()),
            _ => Self::failed(error),
        }
    }
}
