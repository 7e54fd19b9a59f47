//! Turns an exchange into a lesson: looks up what is known, asks the extractor and applies the checks. All slow work is here, and
//! none of it is in a transaction.

use futures::future::select_all;

use super::in_flight::{Hold, ReadToken};
use super::lesson::{Lesson, only_safe};
use super::unread::Unread;
use crate::Result;
use crate::learning::lesson::Lessons;
use crate::reading::{Budget, Reader};
use domain::facts::fact::FactStatus;
use domain::insight::usage::OverBudget;
use domain::memory::exchange::Exchange;
use domain::memory::own_words::own_words;
use domain::settings::Settings;
use ports::extractor::{ExtractError, Extraction, Known, Material, StatementOwner};
use ports::store::facts::FactSearch;

/// Number of memories, and of facts, that the extractor is shown, to tell an echo from news and to find what a correction
/// replaces.
const KNOWN: usize = 12;
/// Characters of a message that are compared with what is known: as much as an extractor reads, and more than any embedder does.
const SEARCHED_CHARS: usize = 20_000;

/// An exchange that is being read.
pub(super) struct InReading<'a> {
    exchange: Exchange,
    personal: bool,
    global: bool,
    token: ReadToken,
    hold: &'a Hold,
}

impl<'a> InReading<'a> {
    /// `team`: the exchange may still teach the team. Blocks that a program inserted are removed, because no one said them.
    pub fn new(exchange: &Exchange, settings: &Settings, team: bool, token: ReadToken, hold: &'a Hold) -> Self {
        let (message, reply) = (own_words(&exchange.message), own_words(&exchange.reply));
        Self {
            personal: settings.learn_personal && exchange.user.is_some(),
            global: settings.learn_global && team,
            exchange: Exchange { message, reply, ..exchange.clone() },
            token,
            hold,
        }
    }

    fn teaches(&self) -> bool {
        self.personal || self.global
    }

    fn material<'m>(&'m self, known: &'m [Known]) -> Material<'m> {
        Material { exchange: &self.exchange, known, personal: self.personal, global: self.global }
    }
}

/// Extractions from several exchanges, one each, in their order.
pub(super) struct Extracted {
    /// Memories and facts that the assistant could already have known, for all of the exchanges.
    pub known: Vec<Known>,
    pub found: Vec<Extraction>,
}

impl Lessons {
    /// Reads one exchange: extracts, checks and embeds what can be learned.
    pub(super) async fn read(&self, text: &InReading<'_>, settings: &Settings) -> std::result::Result<Lesson, Unread> {
        let Extracted { known, found } = self.extracted(std::slice::from_ref(text), settings).await?;
        self.checked(text, found.into_iter().next().unwrap_or_default(), &known, settings).await
    }

    /// Extracts from several exchanges, which must be of one user. The extractor is asked once for all of them.
    pub(super) async fn extracted(&self, all: &[InReading<'_>], settings: &Settings) -> std::result::Result<Extracted, Unread> {
        let wanted: Vec<&InReading<'_>> = all.iter().filter(|text| text.teaches()).collect();
        let mut known: Vec<Known> = Vec::new();
        for text in &wanted {
            let near = self.known(&text.exchange, settings).await.map_err(Unread::by_embedder)?;
            known.extend(near.into_iter().filter(|one| known.iter().all(|held| held.id != one.id)).collect::<Vec<_>>());
        }
        let mut computed = Vec::with_capacity(wanted.len());
        for text in &wanted {
            computed.push(self.computed(text, &known, Reader::extract).await?);
        }
        for text in &wanted {
            if self.in_flight.must_let_go(text.hold).await.map_err(Unread::by_embedder)? {
                return Err(Unread::let_go());
            }
        }
        let materials: Vec<Material<'_>> = wanted.iter().map(|text| text.material(&known)).collect();
        let meter = self.model_budget.as_ref();
        let ask = async {
            match materials.as_slice() {
                [] => Ok(Vec::new()),
                [one] => Ok(vec![self.extractor.extract(one, computed.pop().unwrap_or_default(), meter).await?]),
                several => self.extractor.extract_together(several, computed, meter).await,
            }
        };
        let extracted = tokio::select! {
            biased;
            () = any_stopped(&wanted) => return Err(Unread::let_go()),
            extracted = ask => extracted,
        };
        let mut extractions = match extracted {
            Err(ExtractError::OverBudget) if settings.learn_over_budget == OverBudget::Rules => {
                let mut unaided = Vec::with_capacity(wanted.len());
                for text in &wanted {
                    unaided.push(self.computed(text, &known, Reader::extract_unaided).await?);
                }
                unaided
            }
            extracted => {
                let extractions = extracted?;
                if !wanted.is_empty() {
                    self.provider.answered();
                }
                extractions
            }
        }
        .into_iter();
        let mut of =
            |text: &InReading<'_>| if text.teaches() { extractions.next().unwrap_or_default() } else { Extraction::default() };
        let found = all.iter().map(&mut of).collect();
        Ok(Extracted { known, found })
    }

    /// Checks and embeds the extraction of one exchange, and removes echoes.
    pub(super) async fn checked(
        &self,
        text: &InReading<'_>,
        extraction: Extraction,
        known: &[Known],
        settings: &Settings,
    ) -> std::result::Result<Lesson, Unread> {
        if !text.teaches() {
            return Ok(Lesson::default());
        }
        let mut lesson = self.lesson(extraction, known, text.personal, text.global).await?;
        if text.personal && !lesson.claims.is_empty() {
            let message = text.exchange.message.clone();
            lesson.note(self.reader.read(Budget::Learning, move |reader| reader.learned_notes(&message)).await?);
        }
        self.without_echoes(&text.exchange, lesson, settings).await.map_err(Unread::by_embedder)
    }

    /// Runs the local part of an extractor on a reader thread.
    async fn computed(
        &self,
        text: &InReading<'_>,
        known: &[Known],
        extract: impl Fn(&Reader, &Material<'_>) -> Extraction + Send + 'static,
    ) -> std::result::Result<Extraction, Unread> {
        let (exchange, known, personal, global) = (text.exchange.clone(), known.to_vec(), text.personal, text.global);
        let (token, hold) = (text.token.clone(), text.hold.clone());
        let compute = move |reader: &Reader| {
            let found = extract(reader, &Material { exchange: &exchange, known: &known, personal, global });
            drop((token, hold));
            found
        };
        Ok(self.reader.read(Budget::Learning, compute).await?)
    }

    /// Drops unsafe proposals from an extraction and embeds the rest.
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
        let (extraction, beyond) = self.reader.read(Budget::Learning, judge).await?;
        let lesson = self.directed(extraction, known).await?;
        Ok(Lesson { beyond, ..lesson })
    }

    /// Returns what the assistant could have recalled for this message: the user's own memories and approved facts. Pending and
    /// rejected facts are left out, because an extractor may send what it sees to a provider.
    async fn known(&self, exchange: &Exchange, settings: &Settings) -> Result<Vec<Known>> {
        if exchange.message.trim().is_empty() {
            return Ok(Vec::new());
        }
        let message = beginning(&exchange.message);
        let vector = self.embedder.embed_one(message).await?;
        let now = self.clock.now();
        let mut known = Vec::new();
        if let Some(user) = &exchange.user {
            let near = self.recall.relevant_memories(user, message, &vector, KNOWN, now).await?;
            let ids: Vec<String> = near.into_iter().map(|ranked| ranked.id).collect();
            let memories = self.store.memories_by_id(user, &ids).await?.into_iter();
            known.extend(memories.map(|memory| Known { id: memory.id, text: memory.content, owner: StatementOwner::User }));
        }
        let search = FactSearch {
            status: Some(FactStatus::Approved),
            min_similarity: settings.merge_correction,
            ..FactSearch::best(&vector, &[], now, KNOWN)
        };
        let facts = self.store.nearest_facts(&search).await?.into_iter().map(|near| near.fact);
        known.extend(facts.map(|fact| Known { id: fact.id, text: fact.content, owner: StatementOwner::Team }));
        Ok(known)
    }
}

/// Returns the part of a message that is compared with what is known.
fn beginning(message: &str) -> &str {
    message.char_indices().nth(SEARCHED_CHARS).map_or(message, |(end, _)| &message[..end])
}

/// Returns when one of these texts must no longer be used.
async fn any_stopped(texts: &[&InReading<'_>]) {
    if texts.is_empty() {
        return std::future::pending().await;
    }
    select_all(texts.iter().map(|text| Box::pin(text.hold.stopped()))).await;
}
