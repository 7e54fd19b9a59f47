//! Connects the session port to the cookie layer.

use std::sync::Arc;

use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};

use crate::domain::moment::Moment;
use crate::ports::clock::Clock;
use crate::ports::sessions::{Sessions, StoredSession};

/// The session key of the operator's id.
pub const OPERATOR: &str = "operator";

/// The session store that tower-sessions uses.
#[derive(Clone)]
pub struct SessionAdapter {
    sessions: Arc<dyn Sessions>,
    clock: Arc<dyn Clock>,
}

impl SessionAdapter {
    #[must_use]
    pub fn new(sessions: Arc<dyn Sessions>, clock: Arc<dyn Clock>) -> Self {
        Self { sessions, clock }
    }
}

impl std::fmt::Debug for SessionAdapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionAdapter")
    }
}

fn stored(record: &Record) -> Result<StoredSession> {
    let expires_ms = record.expiry_date.unix_timestamp_nanos() / 1_000_000;
    Ok(StoredSession {
        id: record.id.to_string(),
        record: serde_json::to_string(record).map_err(|error| Error::Encode(error.to_string()))?,
        expires_at: Moment(i64::try_from(expires_ms).unwrap_or(i64::MAX)),
        operator: record.data.get(OPERATOR).and_then(|id| id.as_str()).map(str::to_owned),
    })
}

#[async_trait::async_trait]
impl SessionStore for SessionAdapter {
    async fn create(&self, record: &mut Record) -> Result<()> {
        while !self.sessions.create_session(&stored(record)?).await.map_err(backend)? {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.sessions.save_session(&stored(record)?).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let found = self.sessions.load_session(&id.to_string(), self.clock.now()).await.map_err(backend)?;
        found.map(|session| serde_json::from_str(&session.record).map_err(|error| Error::Decode(error.to_string()))).transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.sessions.delete_session(&id.to_string()).await.map_err(backend)
    }
}

fn backend(error: impl std::fmt::Display) -> Error {
    Error::Backend(error.to_string())
}
