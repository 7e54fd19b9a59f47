//! What an exchange teaches, ready to be kept: with its directions, and with the memories named that it outdates.

use std::collections::{HashMap, HashSet};

use super::remember::refuse_unsafe;
use super::{Error, Keepsake, Result};
use crate::domain::memory::{MemoryKind, Statement};
use crate::domain::merging::{holds_term, may_outdate, merges_personal};
use crate::domain::people::UserId;
use crate::domain::settings::Settings;
use crate::ports::embedder::Vector;
use crate::ports::extractor::{Change, Extraction};
use crate::ports::store::{StoreError, WriteTx};

/// The nearest memory is outdated, and not the one that holds what was taken back, if it lies so much nearer.
const MUCH_NEARER: f64 = 0.1;

/// What one exchange may teach: all of it is saved at once, while other writers wait.
const MOST_OF_A_KIND: usize = 100;

/// What an extractor proposed, with its directions, ready for the transaction.
#[derive(Default)]
pub(super) struct Lesson {
    pub extraction: Extraction,
    personal: Vec<Vector>,
    changes: Vec<Directions>,
    pub candidates: Vec<Vector>,
    pub forget: Vec<Vector>,
}

/// Those of something that was said to have changed.
struct Directions {
    said: Vector,
    mended: Option<Vector>,
}

/// Drops what must not be kept.
pub(super) fn only_safe(extraction: &mut Extraction, personal: bool) {
    extraction.personal.truncate(MOST_OF_A_KIND);
    extraction.changes.truncate(MOST_OF_A_KIND);
    extraction.candidates.truncate(MOST_OF_A_KIND);
    extraction.forget.truncate(MOST_OF_A_KIND);
    let safe = |statement: &Statement| personal && refuse_unsafe(statement.content.as_str()).is_ok();
    extraction.personal.retain(safe);
    extraction.changes.retain(|change| safe(&change.said) && change.mended.as_ref().is_none_or(safe));
}

impl Keepsake {
    /// What was extracted, with its directions.
    pub(super) async fn directions(&self, extraction: Extraction) -> Result<Lesson> {
        let changes = extraction.changes.iter().flat_map(texts_of);
        let texts: Vec<String> = extraction
            .personal
            .iter()
            .map(|statement| statement.content.as_str())
            .chain(changes)
            .chain(extraction.candidates.iter().map(|candidate| candidate.content.as_str()))
            .chain(extraction.forget.iter().map(String::as_str))
            .map(str::to_owned)
            .collect();
        let mut vectors = if texts.is_empty() { Vec::new() } else { self.embedder.embed(&texts).await? };
        let forget = vectors.split_off(vectors.len() - extraction.forget.len());
        let candidates = vectors.split_off(vectors.len() - extraction.candidates.len());
        let mut directions = vectors.split_off(extraction.personal.len()).into_iter();
        let mut changes = Vec::with_capacity(extraction.changes.len());
        for change in &extraction.changes {
            let said = directions.next().ok_or_else(|| Error::failed("the embedder left out a text"))?;
            changes.push(Directions { said, mended: change.mended.as_ref().and_then(|_| directions.next()) });
        }
        Ok(Lesson { extraction, personal: vectors, changes, candidates, forget })
    }
}

/// What is to be saved: what changed first, each with the memory that it outdates named, and that of an exchange only once.
pub(super) async fn settle<'a>(
    tx: &mut dyn WriteTx,
    settings: &Settings,
    changed: f64,
    user: &UserId,
    lesson: &'a Lesson,
) -> std::result::Result<Vec<(Statement, &'a Vector)>, StoreError> {
    let own = Own::of(tx, user, lesson).await?;
    let mut settled = Vec::new();
    let mut outdated: HashSet<&str> = HashSet::new();
    for (change, Directions { said, mended }) in lesson.extraction.changes.iter().zip(&lesson.changes) {
        let held = own.by_similarity(tx, user, said).await?;
        let found = Held::outdated(&held, changed, &change.said, MUCH_NEARER);
        let again = found.is_some_and(|found| outdated.contains(found.content));
        let fresh = found.filter(|found| !again && !found.says(settings, &change.said));
        let mended = found.and_then(|found| change.mended.as_ref().filter(|new| found.is_mended_by(new)).zip(mended.as_ref()));
        match (fresh, mended) {
            (Some(found), Some((new, vector))) => settled.push((found.outdated_by(new), vector)),
            (Some(found), None) => settled.push((found.outdated_by(&change.said), said)),
            // More of what was just outdated: it stands beside the first.
            (None, Some((new, vector))) if again => settled.push((beside(new), vector)),
            (None, _) if change.lasting => settled.push((beside(&change.said), said)),
            (None, _) => {}
        }
        outdated.extend(fresh.map(|found| found.content));
    }
    for (statement, vector) in lesson.extraction.personal.iter().zip(&lesson.personal) {
        let mut statement = statement.clone();
        if statement.negates.is_some() {
            let held = own.by_similarity(tx, user, vector).await?;
            let found = Held::outdated(&held, changed, &statement, f64::INFINITY);
            let again = found.is_some_and(|found| outdated.contains(found.content));
            if again {
                statement = beside(&statement);
            } else if let Some(found) = found.filter(|found| !found.says(settings, &statement)) {
                statement = found.outdated_by(&statement);
                outdated.insert(found.content);
            }
        }
        settled.push((statement, vector));
    }
    Ok(settled)
}

fn texts_of(change: &Change) -> impl Iterator<Item = &str> {
    [&change.said].into_iter().chain(&change.mended).map(|statement| statement.content.as_str())
}

/// As a statement that outdates nothing.
fn beside(statement: &Statement) -> Statement {
    let kind = if statement.kind == MemoryKind::Correction { MemoryKind::Fact } else { statement.kind };
    Statement { kind, negates: None, ..statement.clone() }
}

/// The user's memories by id, as they were before this exchange.
struct Own(HashMap<String, String>);

impl Own {
    /// Empty where nothing in the lesson may outdate one.
    async fn of(tx: &mut dyn WriteTx, user: &UserId, lesson: &Lesson) -> std::result::Result<Self, StoreError> {
        let Extraction { personal, changes, .. } = &lesson.extraction;
        if changes.is_empty() && personal.iter().all(|statement| statement.negates.is_none()) {
            return Ok(Self(HashMap::new()));
        }
        Ok(Self(tx.own_contents(user).await?.into_iter().collect()))
    }

    async fn by_similarity(
        &self,
        tx: &mut dyn WriteTx,
        user: &UserId,
        vector: &[f32],
    ) -> std::result::Result<Vec<Held<'_>>, StoreError> {
        let mut near = tx.scan_own_memories(user, vector).await?;
        near.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then_with(|| a.id.cmp(&b.id)));
        let held = near.iter().filter_map(|row| Some(Held { content: self.0.get(&row.id)?, similarity: row.similarity }));
        Ok(held.collect())
    }
}

/// A memory that is held, and how near something lies to it.
#[derive(Clone, Copy)]
struct Held<'a> {
    content: &'a str,
    similarity: f64,
}

impl Held<'_> {
    /// Of `held`, nearest first, the one that holds what `said` takes back, or else the nearest one that is near enough.
    fn outdated(held: &[Self], changed: f64, said: &Statement, much_nearer: f64) -> Option<Self> {
        let text = said.content.as_str();
        let nearest = held.iter().copied().find(|held| held.similarity >= changed && may_outdate(text, held.content));
        let named = said
            .negates
            .as_ref()
            .and_then(|term| held.iter().copied().find(|held| holds_term(held.content, term) && may_outdate(text, held.content)));
        match (named, nearest) {
            (Some(named), Some(nearest))
                if named.similarity < changed && nearest.similarity - named.similarity >= much_nearer =>
            {
                Some(nearest)
            }
            (named, nearest) => named.or(nearest),
        }
    }

    /// It says the same already: nothing changed.
    fn says(self, settings: &Settings, said: &Statement) -> bool {
        merges_personal(self.similarity, settings.merge_personal, self.content, said.content.as_str())
    }

    /// Is it this memory that has a new value there, in the place of the term that is taken back?
    fn is_mended_by(self, mended: &Statement) -> bool {
        let words = |text: &str| -> HashSet<String> {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let old = words(mended.negates.as_deref().unwrap_or_default());
        let (held, new) = (words(self.content), words(mended.content.as_str()));
        !held.is_disjoint(&old) && held.difference(&old).all(|word| new.contains(word))
    }

    fn outdated_by(self, said: &Statement) -> Statement {
        Statement { kind: MemoryKind::Correction, negates: Some(self.content.to_owned()), ..said.clone() }
    }
}
