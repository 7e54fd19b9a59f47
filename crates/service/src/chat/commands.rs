//! Commands to the memory in a chat: one line becomes a reply. Every surface with a chat calls this and adds no logic.

use std::sync::Arc;

use crate::chat::Chat;
use crate::erasure::Erasures;
use crate::erasure::epoch;
use crate::erasure::epoch::Epochs;
use crate::erasure::erase::ErasureConfirmation;
use crate::memories::Memories;
use crate::memories::forget::{self, AsAsked};
use crate::reading::TextReader;
use crate::reading::{Budget, Reader};
use crate::transactions::atomically;
use crate::{Error, Page, Result};
use access::callers::{Caller, Scope};
use access::digest::Digester;
use domain::chat::commands::{self, Command};
use domain::chat::profile::{FieldValue, LANGUAGE_FIELD};
use domain::chat::replies::{CONFIRM_ALL, CONFIRM_SOME, Language};
use domain::chat::talk::{QUESTION_MS, Question, QuestionTopic, Talk, ToForget};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::Content;
use domain::memory::tags::TagFilter;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::extractor::Wish;
use ports::store::Store;

/// Longest reply in characters; Telegram takes 4,096.
pub const REPLY_MAX_CHARS: usize = 4_000;
/// Limit for the memories on a card, newest first; notes and preferences are all on it.
const CARD_MEMORIES: u32 = 50;
/// Tables with data that a user would call the notes of an assistant.
const TOLD: [&str; 3] = ["memories", "notes", "preferences"];

/// A line of a chat.
pub struct ChatLine {
    pub user: UserId,
    pub surface: Surface,
    pub thread: Option<String>,
    pub text: String,
    /// A language tag such as `id` or `en-GB`, from the surface. The language in the user's profile takes precedence.
    pub language: Option<String>,
}

/// Reply to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// At most [`REPLY_MAX_CHARS`] characters.
    pub text: String,
    pub card: Option<Card>,
    pub confirm: Option<Confirmation>,
}

/// A list whose items can be deleted one by one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub items: Vec<CardItem>,
    /// Memories that are not on the card.
    pub more: u64,
}

#[derive(Clone, PartialEq, Eq)]
pub struct CardItem {
    pub kind: ItemKind,
    pub id: String,
    pub text: String,
}

impl std::fmt::Debug for CardItem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CardItem({:?}, {})", self.kind, self.id)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    Preference,
    Note,
    Memory,
}

impl ItemKind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Preference => "preference",
            Self::Note => "note",
            Self::Memory => "memory",
        }
    }
}

/// The phrase that deletes `count` items if it is sent in the same conversation before `until`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    pub phrase: &'static str,
    pub count: u64,
    pub until: Moment,
}

impl Reply {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), card: None, confirm: None }
    }
}

/// Lines that users type in a chat, and tools of a model.
pub struct ChatCommands {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub epochs: Epochs,
    pub chat: Arc<Chat>,
    pub memories: Arc<Memories>,
    pub erasure: Arc<Erasures>,
}

impl ChatCommands {
    /// Carries out a command. `None`: the line is not a command and goes to the assistant.
    pub async fn command(&self, caller: &Caller, line: ChatLine) -> Result<Option<Reply>> {
        // An invalid conversation is refused, even by commands that do not use it.
        line.talk()?;
        let says = |phrases: [&str; 2]| phrases.iter().any(|phrase| commands::says(&line.text, phrase));
        let Some(command) = commands::read(&line.text) else {
            return if says(CONFIRM_ALL) {
                match self.confirmed_all(caller, &line).await? {
                    None => self.confirmed_notes(caller, &line).await,
                    done => Ok(done),
                }
            } else if says(CONFIRM_SOME) {
                self.confirmed_some(caller, &line).await
            } else {
                self.asked_in_plain_words(caller, &line).await
            };
        };
        let language = self.language_of(&line).await?;
        let reply = match command {
            Command::Remember(text) => self.remember_line(caller, &line, &text, language).await?,
            Command::Forget(words) => self.forget_line(caller, &line, &words, language).await?,
            Command::ForgetAll => self.ask_before_forgetting_all(caller, &line, language).await?,
            Command::Memory => self.list_of_notes(caller, &line.user, language).await?,
            Command::Memories => self.card_of_everything(caller, &line.user, language).await?,
            Command::Reset => {
                self.chat.reset_turns(caller, &line.user, &line.talk()?).await?;
                Reply::text(language.reset())
            }
            Command::ResetMemory => self.ask_before_deleting_notes(caller, &line, language).await?,
            Command::Help => Reply::text(language.help()),
        };
        Ok(Some(reply))
    }

    async fn language_of(&self, line: &ChatLine) -> Result<Language> {
        let profile = self.store.profile(&line.user).await?;
        let preferred = profile.iter().find(|field| field.name == LANGUAGE_FIELD).and_then(|field| match &field.value {
            FieldValue::Text(language) => Language::of(language),
            FieldValue::Json(_) => None,
        });
        Ok(preferred.or_else(|| Language::of(line.language.as_deref()?)).unwrap_or_default())
    }

    async fn remember_line(&self, caller: &Caller, line: &ChatLine, text: &str, language: Language) -> Result<Reply> {
        caller.needs(Scope::Write)?;
        if text.is_empty() {
            return Ok(Reply::text(language.how_to_remember()));
        }
        // Longer than the limit of a statement.
        let Ok(content) = Content::new(text) else { return Ok(Reply::text(language.suspicious())) };
        match self.chat.add_note(caller, &line.user, &line.surface, &content).await {
            Ok(_) => Ok(Reply::text(language.remembered(text))),
            Err(Error::Refused(Problem::Refused { .. })) => {
                let text = text.to_owned();
                let secret = self.reader.read(Budget::Requests, move |reader| reader.holds_secret(&text)).await?;
                Ok(Reply::text(if secret { language.secret() } else { language.suspicious() }))
            }
            Err(error) => Err(error),
        }
    }

    /// Deletes every note, preference and personal memory that contains this text or has it as its id. Returns how many.
    pub async fn forget_containing(&self, caller: &Caller, user: &UserId, substring: &str) -> Result<u64> {
        caller.needs(Scope::Write)?;
        atomically!(self.store.as_ref(), |tx| {
            let meant = |id: &str, text: &str| id == substring || commands::contains(text, substring);
            let notes = tx.known_notes(user).await?.into_iter().filter(|note| meant(&note.id, &note.content));
            let notes: Vec<String> = notes.map(|note| note.id).collect();
            let preferences = tx.known_preferences(user).await?.into_iter().filter(|own| meant(&own.id, &own.content));
            let preferences: Vec<String> = preferences.map(|own| own.id).collect();
            let mut gone = tx.delete_notes(user, &notes).await? + tx.delete_preferences(user, &preferences).await?;
            for (id, text) in tx.memory_texts(user).await? {
                if meant(&id, &text) && tx.delete_memory(user, &id).await? {
                    gone += 1;
                }
            }
            Ok(gone)
        })
        .await
    }

    async fn ask_before_forgetting_all(&self, caller: &Caller, line: &ChatLine, language: Language) -> Result<Reply> {
        caller.needs(Scope::Erase)?;
        let (user, talk) = (&line.user, line.talk()?);
        let Some(held) = self.store.user_line(user).await? else { return Ok(Reply::text(language.empty())) };
        let (notes, preferences) = (self.store.notes(user).await?.len(), self.store.preferences(user).await?.len());
        let count = held.memories.unsigned_abs() + (notes + preferences) as u64;
        let until = self.ask(user, &talk, QuestionTopic::Forget(ToForget::Everything)).await?;
        let confirm = Confirmation { phrase: language.confirm_all(), count, until };
        Ok(Reply { text: language.confirm(count), card: None, confirm: Some(confirm) })
    }

    /// Asks the user to confirm that these memories, named by their topic, are to be forgotten.
    pub async fn ask_before_forgetting(&self, caller: &Caller, line: &ChatLine, ids: Vec<String>) -> Result<Reply> {
        caller.needs(Scope::Write)?;
        let (language, count) = (self.language_of(line).await?, ids.len() as u64);
        let until = self.ask(&line.user, &line.talk()?, QuestionTopic::Forget(ToForget::Memories(ids))).await?;
        let confirm = Confirmation { phrase: language.confirm_some(), count, until };
        Ok(Reply { text: language.ask_some(count), card: None, confirm: Some(confirm) })
    }

    /// Asks the user to confirm that all notes are to be deleted. All other data stays.
    async fn ask_before_deleting_notes(&self, caller: &Caller, line: &ChatLine, language: Language) -> Result<Reply> {
        caller.needs(Scope::Write)?;
        let count = self.store.notes(&line.user).await?.len() as u64;
        if count == 0 {
            return Ok(Reply::text(language.empty()));
        }
        let until = self.ask(&line.user, &line.talk()?, QuestionTopic::Notes).await?;
        let confirm = Confirmation { phrase: language.confirm_all(), count, until };
        Ok(Reply { text: language.confirm(count), card: None, confirm: Some(confirm) })
    }

    /// Stores the question to the user of a conversation. Returns when it expires.
    async fn ask(&self, user: &UserId, talk: &Talk, about: QuestionTopic) -> Result<Moment> {
        self.chat.refuse_secret_name(talk).await?;
        let (now, fence) = (self.clock.now(), self.epochs.fence(user).await?);
        let question = Question { about, asked_at: now };
        atomically!(self.store.as_ref(), [fence, question], |tx| {
            fence.holds(tx).await?;
            Ok(tx.ask(user, talk, question).await?)
        })
        .await?;
        Ok(now.plus_ms(QUESTION_MS))
    }

    /// Handles the phrase that confirms an erasure. It counts once, and only as the answer to an open question of this
    /// conversation. If nothing can be erased now, the question stays open, so that the phrase can be sent again.
    async fn confirmed_all(&self, caller: &Caller, line: &ChatLine) -> Result<Option<Reply>> {
        let (now, talk, language) = (self.clock.now(), line.talk()?, self.language_of(line).await?);
        let asked = atomically!(self.store.as_ref(), [talk], |tx| { Ok(tx.question(&line.user, talk).await?) });
        if asked.await?.is_none_or(|asked| asked.about != QuestionTopic::Forget(ToForget::Everything) || !asked.is_open(now)) {
            return Ok(None);
        }
        match self.erasure.forget_everything(caller, &line.user, Some(&ErasureConfirmation { talk: &talk, at: now })).await {
            Ok(rows) => {
                let told = rows.iter().filter(|rows| TOLD.contains(&rows.name.as_str()));
                Ok(Some(Reply::text(language.removed(told.map(|rows| rows.removed).sum()))))
            }
            // The question was answered a moment ago.
            Err(Error::Refused(Problem::NotFound { .. })) => Ok(None),
            Err(refused) => Err(refused),
        }
    }

    /// Handles the phrase for some memories: the question is removed and they are deleted in one transaction.
    async fn confirmed_some(&self, caller: &Caller, line: &ChatLine) -> Result<Option<Reply>> {
        let (now, talk, language) = (self.clock.now(), line.talk()?, self.language_of(line).await?);
        let gone = atomically!(self.store.as_ref(), [talk], |tx| {
            let asked = tx.question(&line.user, talk).await?.filter(|asked| asked.is_open(now));
            let Some(Question { about: QuestionTopic::Forget(ToForget::Memories(ids)), .. }) = asked else { return Ok(None) };
            caller.needs(Scope::Write)?;
            epoch::open(tx, &self.digester.user(&line.user)).await?;
            tx.take_question(&line.user, talk).await?;
            Ok(Some(forget::delete_these(tx, &line.user, &ids).await?.len()))
        });
        Ok(gone.await?.map(|gone| Reply::text(language.removed(gone as u64))))
    }

    /// Handles the phrase for all notes.
    async fn confirmed_notes(&self, caller: &Caller, line: &ChatLine) -> Result<Option<Reply>> {
        let (now, talk, language) = (self.clock.now(), line.talk()?, self.language_of(line).await?);
        let gone = atomically!(self.store.as_ref(), [talk], |tx| {
            let asked = tx.question(&line.user, talk).await?.filter(|asked| asked.is_open(now));
            if asked.is_none_or(|asked| asked.about != QuestionTopic::Notes) {
                return Ok(None);
            }
            caller.needs(Scope::Write)?;
            epoch::open(tx, &self.digester.user(&line.user)).await?;
            tx.take_question(&line.user, talk).await?;
            let notes: Vec<String> = tx.known_notes(&line.user).await?.into_iter().map(|note| note.id).collect();
            Ok(Some(tx.delete_notes(&line.user, &notes).await?))
        });
        Ok(gone.await?.map(|gone| Reply::text(language.removed(gone))))
    }

    /// Handles a line without a slash that is only a wish to forget everything, or everything about a topic. `None`: the line
    /// goes to the assistant, because it is no such wish, matches fewer than two memories, or is not allowed to this caller.
    async fn asked_in_plain_words(&self, caller: &Caller, line: &ChatLine) -> Result<Option<Reply>> {
        let text = line.text.clone();
        let read = move |reader: &Reader| {
            let many = reader.asks_to_forget_many(&text);
            // The whole line must be the wish: other sentences in it are to be learned.
            Some(many).filter(|many| !many.is_empty() && *many == [reader.wish(&text)])
        };
        let Some(wish) = self.reader.read(Budget::Requests, read).await? else { return Ok(None) };
        if wish == [Wish::Everything] {
            if !commands::names_speaker(&line.text) || caller.needs(Scope::Erase).is_err() {
                return Ok(None);
            }
            let language = self.language_of(line).await?;
            return self.ask_before_forgetting_all(caller, line, language).await.map(Some);
        }
        let ids = self.memories.several_meant(&line.user, &wish).await?;
        if ids.is_empty() { Ok(None) } else { self.ask_before_forgetting(caller, line, ids).await.map(Some) }
    }

    /// Handles `/forget` with words: a substring of memories, or a wish to forget something.
    async fn forget_line(&self, caller: &Caller, line: &ChatLine, words: &str, language: Language) -> Result<Reply> {
        caller.needs(Scope::Write)?;
        let text = words.to_owned();
        let wish = self.reader.read(Budget::Requests, move |reader| reader.wish(&text)).await?;
        if forget::topic(&wish).is_none() {
            return Ok(Reply::text(language.removed(self.forget_containing(caller, &line.user, words).await?)));
        }
        let ids = self.memories.several_meant(&line.user, &[wish]).await?;
        if !ids.is_empty() {
            return self.ask_before_forgetting(caller, line, ids).await;
        }
        match self.memories.forget_as_asked(caller, &line.user, words).await? {
            AsAsked::Several(meant) => {
                self.ask_before_forgetting(caller, line, meant.into_iter().map(|one| one.id).collect()).await
            }
            asked => Ok(Reply::text(language.removed(u64::from(matches!(asked, AsAsked::Forgotten(_)))))),
        }
    }

    async fn list_of_notes(&self, caller: &Caller, user: &UserId, language: Language) -> Result<Reply> {
        let notes = self.chat.notes(caller, user).await?;
        let memories = self.store.user_line(user).await?.map_or(0, |line| line.memories.unsigned_abs());
        let others = memories + self.store.preferences(user).await?.len() as u64;
        let beside = (others > 0).then(|| language.see_memories(others));
        if notes.is_empty() {
            return Ok(Reply::text(beside.unwrap_or_else(|| language.empty().to_owned())));
        }
        let lines: Vec<String> = (1..).zip(&notes).map(|(n, note)| format!("{n}. {}", note.content)).collect();
        let room = REPLY_MAX_CHARS - beside.as_ref().map_or(0, |beside| beside.chars().count() + 1);
        let list = commands::whole_lines(language.notes(), &lines, 0, room, |more| language.more(more));
        Ok(Reply::text(beside.map_or_else(|| list.clone(), |beside| format!("{list}\n{beside}"))))
    }

    async fn card_of_everything(&self, caller: &Caller, user: &UserId, language: Language) -> Result<Reply> {
        let notes = self.chat.notes(caller, user).await?;
        let preferences = self.chat.preferences(caller, user, None).await?;
        let memories =
            self.memories.memories(caller, user, TagFilter::default(), &Page { after: None, limit: CARD_MEMORIES }).await?;
        let held = self.store.user_line(user).await?.map_or(0, |line| line.memories.unsigned_abs());
        let more = held.saturating_sub(memories.len() as u64);
        let item = |kind, id, text| CardItem { kind, id, text };
        let mut items: Vec<CardItem> =
            preferences.into_iter().map(|own| item(ItemKind::Preference, own.id, own.content)).collect();
        items.extend(notes.into_iter().map(|note| item(ItemKind::Note, note.id, note.content)));
        items.extend(memories.into_iter().map(|memory| item(ItemKind::Memory, memory.id, memory.content)));
        if items.is_empty() {
            return Ok(Reply::text(language.empty()));
        }
        let lines: Vec<String> = (1..).zip(&items).map(|(n, item)| format!("{n}. {}", item.text)).collect();
        let beyond = usize::try_from(more).unwrap_or(usize::MAX);
        let text = commands::whole_lines(language.everything(), &lines, beyond, REPLY_MAX_CHARS, |left| language.more(left));
        Ok(Reply { text, card: Some(Card { items, more }), confirm: None })
    }
}

impl ChatLine {
    fn talk(&self) -> Result<Talk> {
        Ok(Talk::new(self.surface.clone(), self.thread.as_deref())?)
    }
}
