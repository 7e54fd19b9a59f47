//! Forgets memories that are described in the user's own words: one, or, once that is confirmed, all about a topic.

use super::claims::{self, Occasion, StatementSource};
use crate::Result;
use crate::memories::Memories;
use crate::reading::Budget;
use crate::recall::QUERY_MAX_CHARS;
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::claim::MOST_FORGOTTEN;
use domain::memory::claim::{Claim, NearMemory, Takes};
use domain::problem::{Field, Problem};
use domain::recall::asked;
use ports::extractor::Wish;
use ports::store::WriteTx;

/// A memory that was deleted, or that is to be confirmed first.
pub struct Forgotten {
    pub id: String,
    pub content: String,
}

/// The result of a query to forget.
pub enum AsAsked {
    Forgotten(Forgotten),
    /// No memory is meant.
    Nothing,
    /// Everything is meant, which must be confirmed first.
    Everything,
    /// All of these are meant, or perhaps one of them, which must be confirmed first.
    Several(Vec<Forgotten>),
}

impl From<NearMemory> for Forgotten {
    fn from(held: NearMemory) -> Self {
        Self { id: held.id, content: held.text }
    }
}

impl Memories {
    /// Deletes the memory that a query means: "the thing about my laptop", "the last one". A query that means everything deletes
    /// nothing: call `Erasures::forget_all` once it is confirmed. A query that means several memories deletes nothing either:
    /// call [`Self::forget_these`] once it is confirmed.
    pub async fn forget_as_asked(&self, caller: &Caller, user: &UserId, query: &str) -> Result<AsAsked> {
        caller.needs(Scope::Write)?;
        if query.trim().is_empty() {
            return Err(Problem::invalid(Field::Query, "must not be blank").into());
        }
        asked::check(query, QUERY_MAX_CHARS)?;
        let asked = query.to_owned();
        let claim = match self.reader.read(Budget::Requests, move |reader| reader.wish(&asked)).await? {
            Wish::Everything => return Ok(AsAsked::Everything),
            Wish::Nothing => return Ok(AsAsked::Nothing),
            Wish::Claim(claim) => claim,
        };
        let vector = match &claim.takes {
            Takes::Term(term) | Takes::Every(term) => self.embedder.embed_one(term).await?,
            Takes::Id(_) | Takes::Nearest | Takes::Last { .. } | Takes::Nothing => Vec::new(),
        };
        let (settings, surface, now) = (self.settings.get(), Surface::new("api")?, self.clock.now());
        // A program names no conversation.
        let source = StatementSource { user, surface: &surface, thread: None, at: now, occasion: Occasion::Request };
        let gone = atomically!(self.store.as_ref(), [settings, vector, source, claim], |tx| {
            Ok(claims::forget(tx, settings, source, claim, vector, now).await?)
        })
        .await?;
        Ok(match gone {
            claims::ForgetOutcome::Deleted(held) => AsAsked::Forgotten(held.into()),
            claims::ForgetOutcome::Nothing => AsAsked::Nothing,
            claims::ForgetOutcome::ToConfirm(all) => AsAsked::Several(all.into_iter().map(Forgotten::from).collect()),
        })
    }

    /// Deletes these memories in one transaction. Memories that are gone already, or are another user's, are left out.
    pub async fn forget_these(&self, caller: &Caller, user: &UserId, ids: &[String]) -> Result<Vec<Forgotten>> {
        caller.needs(Scope::Write)?;
        if ids.is_empty() || ids.len() > MOST_FORGOTTEN {
            return Err(Problem::invalid(Field::Ids, format!("must name 1 to {MOST_FORGOTTEN} memories")).into());
        }
        atomically!(self.store.as_ref(), |tx| { delete_these(tx, user, ids).await }).await
    }

    /// Returns the ids of the memories meant by the wishes that mean several. A wish that means one needs no confirmation.
    pub(crate) async fn several_meant(&self, user: &UserId, wishes: &[Wish]) -> Result<Vec<String>> {
        let topics: Vec<String> = wishes.iter().filter_map(topic).map(str::to_owned).collect();
        if topics.is_empty() {
            return Ok(Vec::new());
        }
        let vectors = self.embedder.embed(&topics).await?;
        let (settings, now) = (self.settings.get(), self.clock.now());
        atomically!(self.store.as_ref(), [settings, topics, vectors], |tx| {
            let mut ids = Vec::new();
            for (topic, vector) in topics.iter().zip(vectors) {
                let all = claims::every(tx, settings, user, topic, vector, now).await?;
                if all.len() > 1 {
                    claims::add_new(&mut ids, all);
                }
            }
            Ok(ids)
        })
        .await
    }
}

/// Deletes these memories of a user, each as if it were deleted alone.
pub(crate) async fn delete_these(tx: &mut dyn WriteTx, user: &UserId, ids: &[String]) -> Result<Vec<Forgotten>> {
    let mut gone = Vec::new();
    for id in ids {
        let held = tx.own_memory(user, id).await?;
        if let Some((memory, _)) = held
            && tx.delete_memory(user, id).await?
        {
            gone.push(Forgotten { id: memory.id, content: memory.content });
        }
    }
    Ok(gone)
}

/// The topic of a wish to forget everything about something; `None`: the wish is another one.
pub(crate) fn topic(wish: &Wish) -> Option<&str> {
    match wish {
        Wish::Claim(Claim { takes: Takes::Every(words), .. }) => Some(words),
        Wish::Claim(_) | Wish::Everything | Wish::Nothing => None,
    }
}
