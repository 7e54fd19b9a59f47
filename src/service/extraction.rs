//! From an exchange to what may be learned from it: what is known already, the extractor, and the checks. Everything slow is here,
//! and none of it is in a transaction.

use super::in_hand::{Hold, Token};
use super::lesson::{Lesson, only_safe};
use super::reading::{Budget, Reader};
use super::unread::Unread;
use super::{Keepsake, Result};
use crate::domain::exchange::Exchange;
use crate::domain::fact::FactStatus;
use crate::domain::prompt::without_blocks;
use crate::domain::settings::Settings;
use crate::domain::usage::OverBudget;
use crate::ports::extractor::{ExtractError, Extraction, Known, Material, Owner};
use crate::ports::store::facts::FactSearch;

/// How many memories and how many facts the extractor is shown, to tell an echo from news and to find what a correction replaces.
const KNOWN: usize = 12;
/// How much of a message is compared with what is known: as much as an extractor reads, and more than any embedder does.
const SEARCHED_CHARS: usize = 20_000;

impl Keepsake {
    /// Everything slow, outside any transaction: the extractor and the embedder.
    pub(super) async fn read(
        &self,
        exchange: &Exchange,
        settings: &Settings,
        team: bool,
        token: Token,
        hold: &Hold,
    ) -> std::result::Result<Lesson, Unread> {
        let personal = settings.learn_personal && exchange.user.is_some();
        let global = settings.learn_global && team;
        if !personal && !global {
            return Ok(Lesson::default());
        }
        // A quoted block of recalled notes is nobody's statement.
        let exchange =
            &Exchange { message: without_blocks(&exchange.message), reply: without_blocks(&exchange.reply), ..exchange.clone() };
        let known = self.known(exchange, settings).await.map_err(Unread::by_embedder)?;
        let computed = self.computed(exchange, &known, (personal, global), (token.clone(), hold), Reader::extract).await?;
        let material = Material { exchange, known: &known, personal, global };
        if self.must_let_go(hold).await.map_err(Unread::by_embedder)? {
            return Err(Unread::let_go());
        }
        let meter = self.meter();
        let extracted = tokio::select! {
            biased;
            () = hold.stopped() => return Err(Unread::let_go()),
            extracted = self.extractor.extract(&material, computed, &meter) => extracted,
        };
        let extraction = match extracted {
            Err(ExtractError::OverBudget) if settings.learn_over_budget == OverBudget::Rules => {
                self.computed(exchange, &known, (personal, global), (token, hold), Reader::extract_unaided).await?
            }
            extracted => {
                let extraction = extracted?;
                *self.provider.away() = None;
                extraction
            }
        };
        let lesson = self.lesson(extraction, &known, personal, global).await?;
        self.without_echoes(exchange, lesson, settings).await.map_err(Unread::by_embedder)
    }

    /// What an extractor computes by itself, on a thread for reading.
    async fn computed(
        &self,
        exchange: &Exchange,
        known: &[Known],
        (personal, global): (bool, bool),
        (token, hold): (Token, &Hold),
        extract: impl Fn(&Reader, &Material<'_>) -> Extraction + Send + 'static,
    ) -> std::result::Result<Extraction, Unread> {
        let (exchange, known, hold) = (exchange.clone(), known.to_vec(), hold.clone());
        let compute = move |reader: &Reader| {
            let found = extract(reader, &Material { exchange: &exchange, known: &known, personal, global });
            drop((token, hold));
            found
        };
        Ok(self.reading(Budget::Learning, compute).await?)
    }

    /// What was extracted, checked and with vectors.
    async fn lesson(
        &self,
        mut extraction: Extraction,
        known: &[Known],
        personal: bool,
        global: bool,
    ) -> std::result::Result<Lesson, Unread> {
        let judge = move |reader: &Reader| {
            let beyond = only_safe(reader, &mut extraction, personal, global);
            (extraction, beyond)
        };
        let (extraction, beyond) = self.reading(Budget::Learning, judge).await?;
        let lesson = self.directed(extraction, known).await?;
        Ok(Lesson { beyond, ..lesson })
    }

    /// What the assistant could have recalled for this message: the user's own memories and approved facts. Pending and rejected
    /// facts are left out, because an extractor may send what it sees to a provider.
    async fn known(&self, exchange: &Exchange, settings: &Settings) -> Result<Vec<Known>> {
        if exchange.message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let message = beginning(&exchange.message);
        let vector = self.embed_one(message).await?;
        let now = self.clock.now();
        let mut known = Vec::new();
        if let Some(user) = &exchange.user {
            let near = self.relevant_memories(user, message, &vector, KNOWN, now).await?;
            let ids: Vec<String> = near.into_iter().map(|ranked| ranked.id).collect();
            let memories = self.store.memories_by_id(user, &ids).await?.into_iter();
            known.extend(memories.map(|memory| Known { id: memory.id, text: memory.content, owner: Owner::User }));
        }
        let search = FactSearch {
            status: Some(FactStatus::Approved),
            min_similarity: settings.merge_correction,
            ..FactSearch::best(&vector, &[], now, KNOWN)
        };
        let facts = self.store.nearest_facts(&search).await?.into_iter().map(|near| near.fact);
        known.extend(facts.map(|fact| Known { id: fact.id, text: fact.content, owner: Owner::Team }));
        Ok(known)
    }
}

/// As much of a message as is compared with what is known.
fn beginning(message: &str) -> &str {
    message.char_indices().nth(SEARCHED_CHARS).map_or(message, |(end, _)| &message[..end])
}
