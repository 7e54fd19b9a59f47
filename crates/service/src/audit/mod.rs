//! Writes and verifies the hash-chained audit log.
//!
//! Rows hold ids, enums and keyed digests: never memory text, and never a user together with a team fact. The chain reveals any
//! row that was changed or removed in the middle. A truncated end is only detected by comparison with a head hash noted
//! elsewhere.

pub mod search;
pub mod workload;

use std::sync::Arc;

use super::Result;
use crate::transactions::atomically;
use access::callers::{Caller, CallerKind};
use access::digest::sha256_hex;
use access::operators::{Manager, Reviewer, Viewer};
use domain::audit::Action;
use domain::moment::Moment;
use ports::clock::Clock;
use ports::store::operate::audit::AuditRow;
use ports::store::{Store, StoreError, WriteTx};

/// `prev_hash` of the first row.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// Rows read at once while verifying.
const VERIFY_PAGE: u32 = 1000;

/// Actor of an audit entry.
#[derive(Debug, Clone)]
pub enum Actor {
    Operator(String),
    Caller(String),
    CommandLine,
    System,
}

impl From<&Reviewer> for Actor {
    fn from(reviewer: &Reviewer) -> Self {
        Self::Operator(reviewer.id().to_owned())
    }
}

impl From<&Manager> for Actor {
    fn from(manager: &Manager) -> Self {
        Self::Operator(manager.id().to_owned())
    }
}

impl From<&Viewer> for Actor {
    fn from(viewer: &Viewer) -> Self {
        Self::Operator(viewer.id().to_owned())
    }
}

impl From<&Caller> for Actor {
    fn from(caller: &Caller) -> Self {
        match caller.kind() {
            CallerKind::Key | CallerKind::Bot => Self::Caller(caller.id().to_owned()),
            CallerKind::CommandLine => Self::CommandLine,
            CallerKind::Operator => Self::Operator(caller.id().to_owned()),
        }
    }
}

impl From<&Actor> for Actor {
    fn from(actor: &Actor) -> Self {
        actor.clone()
    }
}

impl Actor {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Operator(id) => ("operator", id),
            Self::Caller(id) => ("caller", id),
            Self::CommandLine => ("cli", "cli"),
            Self::System => ("system", "system"),
        }
    }

    /// `operator`, `caller`, `cli` or `system`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.parts().0
    }

    /// The actor's id in other records, such as the settings history.
    #[must_use]
    pub fn id(&self) -> &str {
        self.parts().1
    }
}

/// One event.
#[derive(Debug, Clone)]
pub struct Entry {
    pub actor: Actor,
    pub action: &'static str,
    pub target: Option<String>,
    pub user_digest: Option<String>,
    /// Enums and numbers only.
    pub detail: Option<String>,
}

impl Entry {
    /// Creates an entry with only an actor and an action.
    #[must_use]
    pub fn of(actor: impl Into<Actor>, action: &'static str) -> Self {
        Self { actor: actor.into(), action, target: None, user_digest: None, detail: None }
    }

    /// Sets the target of the action.
    #[must_use]
    pub fn on(self, target: impl Into<String>) -> Self {
        Self { target: Some(target.into()), ..self }
    }

    /// Sets the keyed digest of the user concerned.
    #[must_use]
    pub fn about(self, user_digest: impl Into<String>) -> Self {
        Self { user_digest: Some(user_digest.into()), ..self }
    }

    /// Sets the detail: enums and numbers only.
    #[must_use]
    pub fn saying(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }
}

/// Reason for an action: its text, which an erasure removes, and its keyed digest, which stays in the chain.
#[derive(Debug, Clone)]
pub struct Why {
    pub text: String,
    pub digest: String,
}

/// Appends to the chain, in the same transaction as the action itself. Actions of the system are logged with the hour only: an
/// exact time could reveal who spoke just then.
pub async fn append(tx: &mut dyn WriteTx, at: Moment, entry: Entry) -> std::result::Result<(), StoreError> {
    append_row(tx, at, entry, None).await.map(|_| ())
}

/// Like [`append`], with the reason if there is one: its digest in the chain, its text beside it.
pub async fn append_with_reason<'a>(
    tx: &mut dyn WriteTx,
    at: Moment,
    entry: Entry,
    why: impl Into<Option<&'a Why>>,
) -> std::result::Result<(), StoreError> {
    let why: Option<&Why> = why.into();
    let seq = append_row(tx, at, entry, why.map(|why| why.digest.clone())).await?;
    match why {
        Some(why) => tx.keep_reason(seq, &why.text).await,
        None => Ok(()),
    }
}

async fn append_row(
    tx: &mut dyn WriteTx,
    at: Moment,
    entry: Entry,
    reason_digest: Option<String>,
) -> std::result::Result<i64, StoreError> {
    debug_assert!(Action::find(entry.action).is_some(), "{} is not in the table of actions", entry.action);
    let (seq, prev_hash) = tx.audit_head().await?.unwrap_or((0, GENESIS.to_owned()));
    let (actor_kind, actor_id) = entry.actor.parts();
    let at = if matches!(entry.actor, Actor::System) { at.hour() } else { at };
    let mut row = AuditRow {
        seq: seq + 1,
        at,
        actor_kind: actor_kind.to_owned(),
        actor_id: actor_id.to_owned(),
        action: entry.action.to_owned(),
        target: entry.target,
        user_digest: entry.user_digest,
        detail: entry.detail,
        reason_digest,
        prev_hash,
        hash: String::new(),
    };
    row.hash = chain_hash(&row);
    tx.append_audit(&row).await?;
    Ok(row.seq)
}

/// The audit log: written in the transaction that it records, searched and verified.
pub struct Audit {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
}

impl Audit {
    /// Records that an operator signed in.
    pub async fn signed_in(&self, viewer: &Viewer) -> Result<()> {
        self.note_access(Entry {
            actor: viewer.into(),
            action: "operator.signed_in",
            target: None,
            user_digest: None,
            detail: None,
        })
        .await
    }

    /// Records that sign-ins of an account are stopped for a while. Single attempts are in the process's log, because a stranger
    /// could fill this one.
    pub async fn sign_ins_stopped(&self, operator_id: Option<String>) -> Result<()> {
        let (actor, action) = (Actor::System, "operator.sign_ins_stopped");
        self.note_access(Entry { actor, action, target: operator_id, user_digest: None, detail: None }).await
    }

    async fn note_access(&self, entry: Entry) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), [entry = entry.clone()], |tx| { Ok(append(tx, now, entry).await?) }).await
    }
}

/// The result of verifying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verification {
    /// Every row is intact; with the newest hash.
    Intact { rows: i64, head: String },
    /// The first row that does not match.
    Broken { seq: i64 },
}

/// Reads the whole log and recomputes the chain.
pub async fn verify(store: &dyn Store) -> std::result::Result<Verification, StoreError> {
    let (mut seq, mut head) = (0, GENESIS.to_owned());
    loop {
        let rows = store.audit_after(seq, VERIFY_PAGE).await?;
        if rows.is_empty() {
            return Ok(Verification::Intact { rows: seq, head });
        }
        for row in rows {
            if row.seq != seq + 1 || row.prev_hash != head || row.hash != chain_hash(&row) {
                return Ok(Verification::Broken { seq: seq + 1 });
            }
            (seq, head) = (row.seq, row.hash);
        }
    }
}

/// SHA-256 over every column, each preceded by its length, so that no two different rows give the same input.
fn chain_hash(row: &AuditRow) -> String {
    let mut bytes = Vec::new();
    let (seq, at) = (row.seq.to_string(), row.at.0.to_string());
    let optional = [&row.target, &row.user_digest, &row.detail, &row.reason_digest];
    let fixed = [&row.prev_hash, &seq, &at, &row.actor_kind, &row.actor_id, &row.action];
    for part in fixed.into_iter().map(Some).chain(optional.into_iter().map(Option::as_ref)) {
        match part {
            Some(text) => {
                bytes.extend((text.len() as u64).to_be_bytes());
                bytes.extend(text.as_bytes());
            }
            None => bytes.extend(u64::MAX.to_be_bytes()),
        }
    }
    sha256_hex(&bytes)
}
