//! Rows to work with.

use crate::domain::exchange::Exchange;
use crate::domain::fact::FactKind;
use crate::domain::memory::{Importance, MemoryKind};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::provenance::{Origin, Surface};
use crate::ports::embedder::{DIMENSIONS, Vector};
use crate::ports::store::facts::NewFact;
use crate::ports::store::inbox::NewExchange;
use crate::ports::store::memories::{NewMemory, Page, Wording};
use crate::ports::store::{Store, StoreError, atomically};

pub const NOW: Moment = Moment(1_790_000_000_000);

pub fn user(id: &str) -> UserId {
    UserId::new(id).expect("valid")
}

pub fn web() -> Surface {
    Surface::new("web").expect("valid")
}

/// The unit vector along one axis: similarity 1 to itself, 0 to others.
pub fn axis(n: usize) -> Vector {
    let mut vector = vec![0.0; DIMENSIONS];
    vector[n] = 1.0;
    vector
}

pub fn wording(content: &str, n: usize) -> Wording {
    Wording { kind: MemoryKind::Fact, content: content.to_owned(), importance: Importance::DEFAULT, vector: axis(n) }
}

pub fn memory(id: &str, n: usize) -> NewMemory {
    NewMemory {
        id: id.to_owned(),
        wording: wording(&format!("statement {id}"), n),
        surface: web(),
        thread: Some("t1".to_owned()),
        at: NOW,
    }
}

pub fn fact(id: &str, n: usize) -> NewFact {
    NewFact {
        id: id.to_owned(),
        kind: FactKind::Fact,
        content: format!("Statement {id}."),
        origin: Origin::Assistant,
        importance: Importance::DEFAULT,
        vector: axis(n),
        at: NOW,
    }
}

pub fn exchange(id: &str, user_id: Option<&str>) -> NewExchange {
    let exchange = Exchange {
        external_id: None,
        user: user_id.map(user),
        surface: web(),
        thread: Some("t1".to_owned()),
        at: NOW,
        message: format!("message {id}"),
        reply: "reply".to_owned(),
    };
    NewExchange { id: id.to_owned(), external_digest: None, exchange, epoch: 0, received_at: NOW }
}

pub fn page(limit: u32) -> Page {
    Page { after: None, limit }
}

/// Runs one write in a transaction of its own.
macro_rules! write {
    ($store:expr, |$tx:ident| $body:expr) => {
        $crate::ports::store::atomically::<_, $crate::ports::store::StoreError, _>($store, |$tx| Box::pin(async move { $body }))
            .await
            .expect("written")
    };
}
pub(super) use write;

/// Inserts memories of one user.
pub async fn insert(store: &dyn Store, owner: &UserId, memories: &[NewMemory]) {
    atomically::<_, StoreError, _>(store, |tx| {
        Box::pin(async move {
            for memory in memories {
                tx.insert_memory(owner, memory).await?;
            }
            Ok(())
        })
    })
    .await
    .expect("inserted");
}
