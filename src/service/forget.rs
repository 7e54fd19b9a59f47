//! Forgetting one memory, described in somebody's own words.

use super::claims::{self, Occasion, Source};
use super::reading::Budget;
use super::recall::QUERY_MAX_CHARS;
use super::{Error, Keepsake, Result};
use crate::access::callers::{Caller, Scope};
use crate::domain::claim::Takes;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::domain::provenance::Surface;
use crate::ports::extractor::Wish;
use crate::ports::store::atomically;

/// What was deleted.
pub struct Forgotten {
    pub id: String,
    pub content: String,
}

/// The result of a query to forget.
pub enum AsAsked {
    Forgotten(Forgotten),
    /// It means no memory.
    Nothing,
    /// It means everything, which is to be confirmed first.
    Everything,
}

impl Keepsake {
    /// Deletes the memory that a query means: "the thing about my laptop", "the last one". One that means everything deletes nothing;
    /// it is to be confirmed, and then [`Keepsake::forget_all`] does it.
    pub async fn forget_as_asked(&self, caller: &Caller, user: &UserId, query: &str) -> Result<AsAsked> {
        caller.needs(Scope::Write)?;
        if query.trim().is_empty() {
            return Err(Problem::invalid(Field::Query, "must not be blank").into());
        }
        if query.chars().count() > QUERY_MAX_CHARS {
            return Err(Problem::invalid(Field::Query, format!("must be {QUERY_MAX_CHARS} characters or fewer")).into());
        }
        let asked = query.to_owned();
        let claim = match self.reading(Budget::Requests, move |reader| reader.wish(&asked)).await? {
            Wish::Everything => return Ok(AsAsked::Everything),
            Wish::Nothing => return Ok(AsAsked::Nothing),
            Wish::Claim(claim) => claim,
        };
        let vector = match &claim.takes {
            Takes::Term(term) => self.embed_one(term).await?,
            Takes::Id(_) | Takes::Nearest | Takes::Last { .. } | Takes::Nothing => Vec::new(),
        };
        let (settings, surface, now) = (self.settings(), Surface::new("api")?, self.clock.now());
        // A program names no conversation.
        let source = Source { user, surface: &surface, thread: None, at: now, occasion: Occasion::Request };
        let gone = atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let (settings, vector, source, claim) = (&settings, &vector, &source, &claim);
            Box::pin(async move { Ok(claims::forget(tx, settings, source, claim, vector, now).await?) })
        })
        .await?;
        Ok(gone.map_or(AsAsked::Nothing, |held| AsAsked::Forgotten(Forgotten { id: held.id, content: held.text })))
    }
}
