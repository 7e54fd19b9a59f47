//! Connects the session port to the cookie layer. The id is stored as a digest only: a copy of the database opens no session.

use std::sync::Arc;

use time::OffsetDateTime;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};
use tower_sessions::{Session, SessionStore};

use super::digest::sha256_hex;
use domain::moment::{DAY_MS, MINUTE_MS, Moment};
use ports::clock::{Clock, SystemClock};
use ports::sessions::{Sessions, StoredSession};

/// The session key of the operator's id.
pub const OPERATOR: &str = "operator";
/// The session key of the time of sign-in.
const SIGNED_IN_AT: &str = "signed_in_at";
/// The session key of the time of the last use, about.
const SEEN_AT: &str = "seen_at";
/// How often a session in use is prolonged.
const PROLONG_MS: i64 = 5 * MINUTE_MS;
/// The session key of the time at which the operator last typed the password.
const PROVED_AT: &str = "proved_at";
/// A session ends this long after the sign-in, however much it is used.
const LIFE_MS: i64 = 7 * DAY_MS;
/// How long a typed password is valid for actions that ask for it again.
const PROOF_MS: i64 = 10 * MINUTE_MS;

/// The id under which a session is stored.
#[must_use]
pub fn stored_id(id: &Id) -> String {
    sha256_hex(id.to_string().as_bytes())
}

fn lives(began: Moment, now: Moment) -> bool {
    now.0 - began.0 < LIFE_MS
}

/// Records the signed-in operator in the session.
pub async fn begin(session: &Session, operator: &str, now: Moment) -> std::result::Result<(), tower_sessions::session::Error> {
    session.insert(OPERATOR, operator).await?;
    session.insert(SIGNED_IN_AT, now).await?;
    prove(session, now).await
}

/// Returns the operator of this session. Deletes a session that has reached its maximum age.
pub async fn operator(session: &Session, now: Moment) -> std::result::Result<Option<String>, tower_sessions::session::Error> {
    let began = session.get::<Moment>(SIGNED_IN_AT).await?.unwrap_or_default();
    let seen = session.get::<Moment>(SEEN_AT).await?.unwrap_or(began);
    let operator = session.get::<String>(OPERATOR).await?;
    if operator.is_some() && !lives(began, now) {
        session.flush().await?;
        return Ok(None);
    }
    // A session is prolonged only when it is written.
    if operator.is_some() && now.0 - seen.0 >= PROLONG_MS {
        session.insert(SEEN_AT, now).await?;
    }
    Ok(operator)
}

/// Notes that the operator has typed the password.
pub async fn prove(session: &Session, now: Moment) -> std::result::Result<(), tower_sessions::session::Error> {
    session.insert(PROVED_AT, now).await
}

/// Whether the operator has typed the password lately.
pub async fn is_proved(session: &Session, now: Moment) -> std::result::Result<bool, tower_sessions::session::Error> {
    let proved = session.get::<Moment>(PROVED_AT).await?;
    // A time in the future is from before the clock was corrected; its age is unknown.
    Ok(proved.is_some_and(|at| (0..PROOF_MS).contains(&(now.0 - at.0))))
}

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

    /// Whether this session is still there, still this operator's, and not too old.
    pub async fn is_open(&self, id: &Id, operator: &str) -> bool {
        let found = self.load(id).await.ok().flatten();
        let field = |record: &Record, name: &str| record.data.get(name).cloned();
        found.is_some_and(|record| {
            let began = field(&record, SIGNED_IN_AT).and_then(|at| serde_json::from_value(at).ok()).unwrap_or_default();
            field(&record, OPERATOR).is_some_and(|id| id == operator) && lives(began, self.clock.now())
        })
    }
}

impl std::fmt::Debug for SessionAdapter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionAdapter")
    }
}

/// Converts a record for the store. The cookie layer uses the machine's clock, the store the process's own.
fn stored(record: &Record, now: Moment) -> Result<StoredSession> {
    let expires_ms = i64::try_from(record.expiry_date.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
    Ok(StoredSession {
        id: stored_id(&record.id),
        record: serde_json::to_string(&record.data).map_err(|error| Error::Encode(error.to_string()))?,
        expires_at: now.plus_ms(expires_ms - SystemClock.now().0),
        operator: record.data.get(OPERATOR).and_then(|id| id.as_str()).map(str::to_owned),
    })
}

#[async_trait::async_trait]
impl SessionStore for SessionAdapter {
    async fn create(&self, record: &mut Record) -> Result<()> {
        while !self.sessions.create_session(&stored(record, self.clock.now())?).await.map_err(backend)? {
            record.id = Id::default();
        }
        Ok(())
    }

    async fn save(&self, record: &Record) -> Result<()> {
        self.sessions.save_session(&stored(record, self.clock.now())?).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let now = self.clock.now();
        let found = self.sessions.load_session(&stored_id(id), now).await.map_err(backend)?;
        let Some(StoredSession { record, expires_at, .. }) = found else { return Ok(None) };
        let data = serde_json::from_str(&record).map_err(|error| Error::Decode(error.to_string()))?;
        let expires = i128::from(SystemClock.now().0 + expires_at.0 - now.0) * 1_000_000;
        let expiry_date = OffsetDateTime::from_unix_timestamp_nanos(expires).map_err(|error| Error::Decode(error.to_string()))?;
        Ok(Some(Record { id: *id, data, expiry_date }))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.sessions.delete_session(&stored_id(id)).await.map_err(backend)
    }
}

fn backend(error: impl std::fmt::Display) -> Error {
    Error::Backend(error.to_string())
}
