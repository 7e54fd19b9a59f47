//! Rehearses an erasure: an invented user's data is put into every place where data can be, erased, and searched for.
//!
//! Anything it finds, a real erasure would leave behind. The console and the metrics show the result until the next rehearsal.

use serde::{Deserialize, Serialize};

use super::carry_out::REHEARSAL_REASON;
use super::erase::ErasureOrder;
use crate::audit::{self, Actor, Entry, Why};
use crate::erasure::Erasures;
use crate::recall::counts::RecallRecord;
use crate::transactions::atomically;
use crate::transactions::in_custody;
use crate::{Error, Result};
use access::callers::{self, KeyRequest, make_key};
use access::digest::sha256_hex;
use domain::blocks::{BlockFields, BlockPath, Operation, SHRINKS};
use domain::chat::profile::{FieldValue, ProfileField};
use domain::chat::talk::{Question, QuestionTopic, Role, Talk, ToForget, Turn};
use domain::erasure::people::UserId;
use domain::erasure::receipt::CheckResult;
use domain::erasure::{ErasureScope, Status};
use domain::facts::fact::{Candidate, FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::exchange::Exchange;
use domain::memory::tags::{Labels, Tags};
use domain::memory::{Content, Importance, MemoryKind};
use domain::moment::{DAY_MS, HOUR_MS, MINUTE_MS, Moment};
use ports::embedder::Vector;
use ports::store::WriteTx;
use ports::store::blocks::{Author, BlockRef, BlockStore, BlockText, NewHead, StoreRef};
use ports::store::chat::notes::NewNote;
use ports::store::chat::preferences::Preference;
use ports::store::facts::decisions::{DecidedFact, DecisionRecord, FactState};
use ports::store::facts::{FactMerge, NewFact, Slice};
use ports::store::memories::{MemoryMerge, MergeCause, NewMemory, Wording};
use ports::store::operate::inbox::{NewExchange, StoredAnswer};

/// The note that holds the result of the last rehearsal.
const NOTE: &str = "rehearsal";
/// Maximum number of users per search for left-over canaries.
const LEFT_AT_ONCE: u64 = 50;
/// A canary that is older than this belongs to a rehearsal that was cut off.
const CUT_OFF_AFTER_MS: i64 = 10 * MINUTE_MS;
const SURFACE: &str = "rehearsal";
const CANARY: &str = "rehearsal";
const PLANTED: &str = "erasure.rehearsed";
/// Two facts: one that only the canary said, and one that another user said too.
const OWN_FACT: &str = "Rehearsal facts that one person proposed go when that person goes.";
const SHARED_FACT: &str = "Rehearsal facts that two people proposed stay until both are gone.";

/// The result of a rehearsal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rehearsal {
    pub at: Moment,
    /// Nothing was left, and everything could be checked.
    pub clean: bool,
    /// Checks that did not pass, with what they found.
    pub residue: Vec<String>,
    /// The receipt, if the rehearsal was not clean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub erasure: Option<String>,
}

/// An invented user with texts.
struct Canary {
    user: UserId,
    words: [String; 3],
    vectors: Vec<Vector>,
}

impl Erasures {
    /// Plants, erases and searches. It uses two canaries, so that the second covers what the first could not.
    pub async fn rehearse(&self) -> Result<Rehearsal> {
        let now = self.clock.now();
        self.erase_canaries_left(now).await?;
        let (first, second) = (self.canary().await?, self.canary().await?);
        self.plant(&first, &second.user).await?;
        let mut rehearsal = Rehearsal { at: now, clean: true, residue: Vec::new(), erasure: None };
        for user in [&first.user, &second.user] {
            let (id, status) = self.erase_canary(user).await?;
            let (_, _, lines) = self.store.erasure_parts(&id).await?;
            let failed = lines.into_iter().filter(|line| line.result != CheckResult::Passed);
            rehearsal.residue.extend(failed.map(|line| format!("{}: {}", line.name, line.detail)));
            if status == Status::Verified {
                in_custody!(self.custody.as_ref(), [id], |tx| { Ok(tx.drop_rehearsal(id).await?) }).await?;
            } else {
                rehearsal.clean = false;
                rehearsal.erasure = Some(id);
            }
        }
        self.note_rehearsal(&rehearsal).await?;
        Ok(rehearsal)
    }

    async fn erase_canary(&self, user: &UserId) -> Result<(String, Status)> {
        let order = ErasureOrder { user, scope: ErasureScope::Everything, reason: REHEARSAL_REASON, preview: None };
        let id = self.order_erasure(&Actor::System, &order).await?;
        self.erasing_done(&id);
        let status = self.finish_erasure(&id, Some(user)).await?;
        Ok((id, status))
    }

    /// Erases the canaries of a rehearsal that was cut off. A canary is recognised by the audit log entry written with it, so
    /// that a user with a similar name is never taken for one.
    async fn erase_canaries_left(&self, now: Moment) -> Result<()> {
        let since = now.plus_ms(-CUT_OFF_AFTER_MS);
        for line in self.custody.users_by_prefix(&format!("{CANARY}_"), Slice { skip: 0, limit: LEFT_AT_ONCE }).await? {
            let digest = self.digester.user(&line.user);
            let planted = self.store.opening(Actor::System.id(), PLANTED, &digest, Moment(0)).await?;
            if planted.is_some_and(|planted| planted.at < since) {
                self.erase_canary(&line.user).await?;
            }
        }
        Ok(())
    }

    /// Rehearses once a day, in this hour (UTC).
    pub async fn rehearse_nightly(&self, hour: u8) -> Result<()> {
        let now = self.clock.now();
        let current = now.0.rem_euclid(DAY_MS) / HOUR_MS;
        let today = self.last_rehearsal().await?.is_some_and(|last| last.at.day() == now.day());
        if current == i64::from(hour) && !today {
            let rehearsal = self.rehearse().await?;
            if !rehearsal.clean {
                tracing::error!(checks = rehearsal.residue.len(), "the rehearsal of an erasure left something behind");
            }
        }
        Ok(())
    }

    /// The result of the last rehearsal.
    pub async fn last_rehearsal(&self) -> Result<Option<Rehearsal>> {
        let note = self.custody.note(NOTE).await?;
        Ok(note.and_then(|note| serde_json::from_str(&note).ok()))
    }

    async fn note_rehearsal(&self, rehearsal: &Rehearsal) -> Result<()> {
        let note = serde_json::to_string(rehearsal).map_err(Error::failed)?;
        let detail = format!("residue={}", rehearsal.residue.len());
        in_custody!(self.custody.as_ref(), [note, detail = detail.clone()], |tx| {
            tx.set_note(NOTE, note).await?;
            let entry = Entry::of(Actor::System, PLANTED).saying(detail);
            Ok(audit::append(tx, rehearsal.at, entry).await?)
        })
        .await
    }

    async fn canary(&self) -> Result<Canary> {
        let word = || self.clock.id("canary");
        let words = [format!("Keeps {}", word()), format!("Kept {}", word()), format!("Said {}", word())];
        let user = UserId::new(self.clock.id(CANARY))?;
        let mut texts = words.to_vec();
        texts.extend([OWN_FACT.to_owned(), SHARED_FACT.to_owned()]);
        Ok(Canary { user, words, vectors: self.embedder.embed(&texts).await? })
    }

    /// Puts one row of the canary into every table of the inventory that an erasure empties, and one into memory.
    async fn plant(&self, canary: &Canary, other: &UserId) -> Result<()> {
        let now = self.clock.now();
        let surface = Surface::new(SURFACE)?;
        let memory = atomically!(self.store.as_ref(), [surface], |tx| {
            let memory = self.plant_memories(tx, canary, surface, now).await?;
            self.plant_facts(tx, canary, other, surface, now).await?;
            self.plant_inbox(tx, canary, surface, now).await?;
            let wanted = KeyRequest {
                name: SURFACE.to_owned(),
                scopes: vec![callers::Scope::Read],
                user: Some(canary.user.clone()),
                surface: Some(surface.clone()),
                ..KeyRequest::default()
            };
            self.plant_told(tx, canary, surface, now).await?;
            self.plant_links(tx, canary, surface, now).await?;
            self.plant_blocks(tx, canary, surface, now).await?;
            let (_, key) = make_key(self.clock.as_ref(), wanted, Actor::System.id())?;
            tx.insert_key(&key).await?;
            tx.note_first_call(&key.id, now, PLANTED).await?;
            tx.note_key_use(&key.id, now).await?;
            let planted = |user: &UserId| Entry::of(Actor::System, PLANTED).about(self.digester.user(user));
            audit::append(tx, now, planted(other)).await?;
            let why = Why { text: canary.words[0].clone(), digest: self.digester.reason(&canary.words[0]) };
            audit::append_with_reason(tx, now, planted(&canary.user), &why).await?;
            Ok(memory)
        })
        .await?;
        self.store.index_blocks().await?;
        atomically!(self.store.as_ref(), [surface], |tx| { self.change_planted_blocks(tx, canary, surface, now).await }).await?;
        let (user, memories) = (Some(canary.user.clone()), vec![memory]);
        self.counts.count_later(RecallRecord { user, memories, facts: Vec::new(), by_meaning: Vec::new(), surface, at: now });
        Ok(())
    }

    async fn plant_memories(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<String> {
        let tags = |words: &[String]| Tags::new(words).unwrap_or_default();
        let wording = |n: usize| Wording {
            kind: MemoryKind::Fact,
            content: canary.words[n].clone(),
            importance: Importance::DEFAULT,
            vector: canary.vectors[n].clone(),
            labels: Labels { tags: tags(&canary.words[n..=n]), expires_at: Some(now.plus_ms(DAY_MS)) },
        };
        let id = self.clock.id("mem");
        let thread = Some(canary.words[2].clone());
        let new = NewMemory { id: id.clone(), wording: wording(0), surface: surface.clone(), thread, at: now };
        tx.insert_memory(&canary.user, &new).await?;
        let merge = MemoryMerge {
            id: self.clock.id("mrg"),
            memory_id: id.clone(),
            cause: MergeCause::Merge,
            similarity: 1.0,
            at: now,
            before: wording(1),
            before_updated_at: now,
            incoming: wording(0),
        };
        tx.record_merge(&canary.user, &merge).await?;
        Ok(id)
    }

    async fn plant_facts(
        &self,
        tx: &mut dyn WriteTx,
        canary: &Canary,
        other: &UserId,
        surface: &Surface,
        now: Moment,
    ) -> Result<()> {
        let (own, shared) = (self.clock.id("gf"), self.clock.id("gf"));
        for (id, content, n) in [(&own, OWN_FACT, 3), (&shared, SHARED_FACT, 4)] {
            let fact = NewFact {
                id: id.clone(),
                kind: FactKind::Fact,
                content: content.to_owned(),
                origin: Origin::User,
                importance: Importance::DEFAULT,
                vector: canary.vectors[n].clone(),
                at: now,
            };
            tx.insert_fact(&fact).await?;
            tx.add_contribution(id, &canary.user, surface, now).await?;
        }
        tx.add_contribution(&shared, other, surface, now).await?;
        let merge = FactMerge {
            id: self.clock.id("mrg"),
            fact_id: shared.clone(),
            content: canary.words[2].clone(),
            vector: canary.vectors[2].clone(),
            similarity: 1.0,
            at: now,
        };
        tx.record_fact_merge(&merge, Some(&canary.user)).await?;
        tx.flag_contradiction(&own, &shared, 1.0, now).await?;
        tx.count_fact_recalls(std::slice::from_ref(&own), surface, now).await?;
        let before = FactState {
            status: FactStatus::Pending,
            approved_by_operator: false,
            decided_by: None,
            decided_at: None,
            rejection: None,
            importance: Importance::DEFAULT,
            kind: FactKind::Fact,
            wording: Some((OWN_FACT.to_owned(), canary.vectors[3].clone())),
        };
        let touched = DecidedFact { fact_id: own, version_before: 1, version_after: 1, before };
        let (operator_id, session) = (Actor::System.id().to_owned(), SURFACE.to_owned());
        let decision = DecisionRecord { seq: 0, operator_id, session, verb: SURFACE.to_owned(), at: now, facts: vec![touched] };
        let decision = tx.record_decision(&decision).await?;
        let merged = NewFact {
            id: self.clock.id("gf"),
            kind: FactKind::Fact,
            content: canary.words[1].clone(),
            origin: Origin::User,
            importance: Importance::DEFAULT,
            vector: canary.vectors[1].clone(),
            at: now,
        };
        tx.insert_fact(&merged).await?;
        tx.add_contribution(&merged.id, &canary.user, surface, now).await?;
        tx.merge_fact((&merged.id, 1), (&shared, 1), now, Some(decision)).await?;
        Ok(())
    }

    /// Plants what users tell an assistant in chats: a preference, a note, a field, a turn and an open question.
    async fn plant_told(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<()> {
        let (user, [first, second, third]) = (&canary.user, &canary.words);
        let preference =
            Preference { id: self.clock.id("pref"), platform: Some(surface.clone()), content: first.clone(), created_at: now };
        tx.insert_preference(user, &preference).await?;
        let note =
            NewNote { id: self.clock.id("note"), content: second.clone(), surface: surface.clone(), at: now, memory: None };
        tx.insert_note(user, &note).await?;
        let field = ProfileField { name: CANARY.to_owned(), value: FieldValue::Text(third.clone()), updated_at: now };
        tx.set_profile_field(user, &field).await?;
        let talk = Talk::new(surface.clone(), Some(second))?;
        let turn = |content: &String| Turn { role: Role::User, content: content.clone(), at: now };
        tx.append_turns(user, &talk, &[turn(first)]).await?;
        tx.archive_turns(user, &talk, now).await?;
        tx.append_turns(user, &talk, &[turn(third)]).await?;
        let about = QuestionTopic::Forget(ToForget::Memories(vec![self.clock.id("mem"), self.clock.id("mem")]));
        Ok(tx.ask(user, &talk, &Question { about, asked_at: now }).await?)
    }

    /// Plants a store with two blocks, and a refused write.
    async fn plant_blocks(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<()> {
        let (user, words) = (&canary.user, &canary.words);
        let store = BlockStore {
            id: self.clock.id("memstore"),
            name: words[0].clone(),
            description: words[1].clone(),
            metadata: [(CANARY.to_owned(), words[2].clone())].into(),
            is_default: false,
            created_at: now,
            updated_at: now,
            archived_at: None,
        };
        tx.insert_block_store(user, &store).await?;
        for path in &words[..2] {
            let head = self.planted_head(canary, surface, now, Operation::Created, path, Some(&words[1]))?;
            tx.insert_block(user, &store.id, &self.clock.id("mem"), &head).await?;
        }
        Ok(tx.count_block_refusals(user, now.day(), &[SHRINKS.to_owned()]).await?)
    }

    /// Changes one block and moves the other to the bin, once both are in the search index.
    async fn change_planted_blocks(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<()> {
        let (user, words) = (&canary.user, &canary.words);
        for (path, last) in [(&words[0], Some(&words[2])), (&words[1], None)] {
            let operation = if last.is_some() { Operation::Modified } else { Operation::Deleted };
            let head = self.planted_head(canary, surface, now, operation, path, last)?;
            let store = tx.known_block_store(user, &StoreRef::Named(words[0].clone())).await?;
            let (store, at) = (store.map(|store| store.id), BlockRef::Path(head.path.clone()));
            if let Some(block) = tx.known_block(user, store.as_deref(), &at).await? {
                tx.change_block(user, &block.id, block.version, &head).await?;
            }
        }
        Ok(())
    }

    fn planted_head(
        &self,
        canary: &Canary,
        surface: &Surface,
        at: Moment,
        operation: Operation,
        path: &str,
        text: Option<&String>,
    ) -> Result<NewHead> {
        let words = &canary.words;
        let text = text.map(|text| BlockText { content: text.clone(), sha256: sha256_hex(text.as_bytes()) });
        let fields = BlockFields {
            description: words[1].clone(),
            kind: words[0].clone(),
            scope: words[1].clone(),
            source: words[2].clone(),
            tags: Tags::new(&words[..1])?,
            ..BlockFields::default()
        };
        let by = Author {
            kind: Actor::System.kind().to_owned(),
            id: Actor::System.id().to_owned(),
            surface: surface.as_str().to_owned(),
        };
        let (version_id, path) = (self.clock.id("memver"), BlockPath::new(format!("/{path}"))?);
        Ok(NewHead { version_id, operation, path, text, fields, at, by })
    }

    /// Plants a linked chat, and a code for another.
    async fn plant_links(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<()> {
        tx.link_chat(&canary.user, surface, &canary.words[0], now).await?;
        let code = sha256_hex(self.clock.id("code").as_bytes());
        Ok(tx.put_link_code(&canary.user, &code, now, now.plus_ms(DAY_MS)).await?)
    }

    /// Plants an exchange that waits for a day, with the host's id, a statement for the team, and a stored reply.
    async fn plant_inbox(&self, tx: &mut dyn WriteTx, canary: &Canary, surface: &Surface, now: Moment) -> Result<()> {
        let id = self.clock.id("ex");
        let exchange = Exchange {
            external_id: None,
            user: Some(canary.user.clone()),
            surface: surface.clone(),
            thread: Some(canary.words[1].clone()),
            at: now,
            message: canary.words[0].clone(),
            reply: canary.words[1].clone(),
        };
        let external_digest = Some(self.digester.external_id(Some(&canary.user), &canary.words[2]));
        let new =
            NewExchange { id: id.clone(), external_digest, exchange, epoch: 0, received_at: now, imported: false, asks: false };
        tx.enqueue(&new).await?;
        tx.postpone_exchange(&id, 0, now.plus_ms(DAY_MS)).await?;
        let candidate = Candidate {
            origin: Origin::User,
            kind: FactKind::Fact,
            content: Content::new(&canary.words[1])?,
            importance: Importance::DEFAULT,
        };
        tx.hold_arrival(Some(&canary.user), surface, Some(&canary.words[0]), now, &candidate).await?;
        let digest = self.digester.idempotency_key(SURFACE, &canary.words[2]);
        let kept = StoredAnswer { body_digest: self.digester.body(canary.words[2].as_bytes()), answer: id };
        Ok(tx.keep_answer(&digest, &kept, Some(&canary.user), now).await?)
    }
}
