//! Handles one update.

use serde_json::Value;

use super::bot::Bot;
use super::client::Failed;
use super::shapes::{CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update};
use super::words::BotWords;
use domain::chat::talk::ToForget;
use domain::erasure::people::UserId;
use domain::memory::exchange::{CLOCK_SKEW_MS, Exchange};
use domain::moment::Moment;
use domain::problem::Problem;
use service::chat::commands::{Card, ChatLine, ItemKind, Reply};
use service::{Error, Result};

/// Most delete buttons below a card, and in a row.
const BUTTONS_MAX: usize = 48;
const BUTTONS_IN_ROW: usize = 6;

/// A text in a private chat.
struct ChatText {
    chat: i64,
    text: String,
    /// Unique in the chat.
    at: Moment,
    language: Option<String>,
    /// Replaces the earlier text of the message.
    is_edited: bool,
}

/// Where a reply goes.
#[derive(Clone, Copy)]
struct To {
    chat: i64,
    /// The message to replace; `None`: the reply is a new one.
    instead: Option<i64>,
}

impl Bot {
    /// Handles an update. Updates that the bot does not serve are ignored. So is a reply that Telegram refuses, because the user
    /// may have blocked the bot.
    pub(super) async fn handle(&self, id: i64, update: Value) -> Result<()> {
        let Ok(update) = serde_json::from_value::<Update>(update) else {
            tracing::warn!(update = id, "an update of an unknown shape is left out");
            return Ok(());
        };
        if let Some(press) = update.callback_query {
            return self.pressed(press).await;
        }
        let is_edited = update.message.is_none();
        match update.message.or(update.edited_message).and_then(|message| said(message, is_edited)) {
            Some(said) => self.hear(id, said).await,
            None => Ok(()),
        }
    }

    async fn hear(&self, id: i64, said: ChatText) -> Result<()> {
        let (words, to) = (BotWords::of(said.language.as_deref()), To { chat: said.chat, instead: None });
        let chat = said.chat.to_string();
        let user = self.keepsake.links.user_of_chat(&self.surface, &chat).await?;
        if said.is_edited {
            return match user {
                // An edited command is not carried out again.
                Some(_) if said.text.starts_with('/') => {
                    self.answer(to, words.edited_command(), None).await;
                    Ok(())
                }
                Some(user) => self.learn(id, user, said, to).await,
                None => Ok(()),
            };
        }
        let mut parts = said.text.split_whitespace();
        let command = parts.next().map(|first| first.split('@').next().unwrap_or(first).to_ascii_lowercase());
        match (command.as_deref(), parts.next(), user) {
            (Some("/start" | "/link"), Some(code), _) => self.link(&chat, code, words, to).await,
            (Some("/start" | "/link"), None, user) => {
                self.answer(to, if user.is_some() { words.linked_already() } else { words.how_to_link() }, None).await;
                Ok(())
            }
            (Some("/unlink"), _, _) => {
                let was = self.keepsake.links.unlink_chat(&self.surface, &chat).await?;
                self.answer(to, if was { words.unlinked() } else { words.how_to_link() }, None).await;
                Ok(())
            }
            (Some(other), _, None) => {
                if other.starts_with('/') {
                    self.answer(to, words.how_to_link(), None).await;
                }
                Ok(())
            }
            (_, _, Some(user)) => self.hear_of(id, user, said, to).await,
            (None, _, None) => Ok(()),
        }
    }

    async fn link(&self, chat: &str, code: &str, words: BotWords, to: To) -> Result<()> {
        match self.keepsake.links.link_chat(&self.surface, chat, code).await {
            Ok(true) => self.answer(to, words.linked(), None).await,
            Ok(false) => {
                // The code may have been valid, and this may be the same message again.
                let linked = self.keepsake.links.user_of_chat(&self.surface, chat).await?.is_some();
                self.answer(to, if linked { words.linked_already() } else { words.wrong_code() }, None).await;
            }
            Err(Error::Refused(problem)) if !matches!(problem, Problem::Busy { .. }) => {
                self.answer(to, words.not_now(), None).await;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Handles a text of a linked user: a command, or something to learn from.
    async fn hear_of(&self, id: i64, user: UserId, said: ChatText, to: To) -> Result<()> {
        let words = BotWords::of(said.language.as_deref());
        let is_command = said.text.starts_with('/');
        match self.command(&user, said.chat, &said.text, said.language.clone()).await {
            Ok(Some(reply)) => self.reply(to, reply).await,
            Ok(None) if is_command => self.answer(to, words.unknown_command(), None).await,
            Ok(None) => return self.learn(id, user, said, to).await,
            Err(Error::Refused(problem)) if !matches!(problem, Problem::Busy { .. }) => {
                self.answer(to, words.not_now(), None).await;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    async fn command(&self, user: &UserId, chat: i64, text: &str, language: Option<String>) -> Result<Option<Reply>> {
        self.keepsake.commands.command(&self.caller, self.line(user, chat, text, language)).await
    }

    fn line(&self, user: &UserId, chat: i64, text: &str, language: Option<String>) -> ChatLine {
        let (user, surface) = (user.clone(), self.surface.clone());
        ChatLine { user, surface, thread: Some(chat.to_string()), text: text.to_owned(), language }
    }

    /// Learns from a text. Sends no reply, except to a wish to forget many memories: that needs a confirmation.
    async fn learn(&self, id: i64, user: UserId, said: ChatText, to: To) -> Result<()> {
        let exchange = Exchange {
            external_id: Some(format!("telegram-{}-{id}", self.client.bot())),
            user: Some(user.clone()),
            surface: self.surface.clone(),
            thread: Some(said.chat.to_string()),
            at: said.at.min(self.keepsake.clock.now().plus_ms(CLOCK_SKEW_MS)),
            message: said.text,
            reply: String::new(),
        };
        let accepted = if said.is_edited {
            self.keepsake.inbox.accept_corrected(&self.caller, exchange).await
        } else {
            self.keepsake.inbox.accept(&self.caller, exchange, None).await
        };
        match accepted {
            Ok(accepted) => {
                let asked = match accepted.to_forget {
                    None => None,
                    Some(ToForget::Everything) => self.command(&user, said.chat, "/forget all", said.language).await?,
                    Some(ToForget::Memories(ids)) => {
                        let line = self.line(&user, said.chat, "", said.language);
                        Some(self.keepsake.commands.ask_before_forgetting(&self.caller, &line, ids).await?)
                    }
                };
                if let Some(reply) = asked {
                    self.reply(to, reply).await;
                }
                Ok(())
            }
            // A retry would be refused again.
            Err(Error::Refused(problem)) if problem.retry_after_s().is_none() => {
                tracing::debug!(status = problem.status(), "a message was not learned");
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// Handles a delete button of a card: `m:mem_…`.
    async fn pressed(&self, press: CallbackQuery) -> Result<()> {
        let words = BotWords::of(press.from.language_code.as_deref());
        let readable = |card: &Message| card.date != 0 && card.chat.is_private();
        let Some(card) = press.message.filter(readable) else { return Ok(()) };
        let chat = card.chat.id;
        let user = self.keepsake.links.user_of_chat(&self.surface, &chat.to_string()).await?;
        let (Some(user), Some(item)) = (user, press.data.as_deref().and_then(|data| data.split_once(':'))) else {
            self.answered(self.client.answer_press(&press.id, words.how_to_link()).await);
            return Ok(());
        };
        let gone = match item {
            ("m", id) => self.keepsake.memories.delete_memory(&self.caller, &user, id).await,
            ("n", id) => self.keepsake.chat.delete_note(&self.caller, &user, id).await,
            ("p", id) => self.keepsake.chat.delete_preference(&self.caller, &user, id).await,
            _ => return Ok(()),
        };
        let told = match gone {
            Ok(()) => words.deleted(),
            Err(Error::Refused(Problem::NotFound { .. })) => words.gone_already(),
            Err(error) => return Err(error),
        };
        self.answered(self.client.answer_press(&press.id, told).await);
        if let Some(reply) = self.command(&user, chat, "/memories", press.from.language_code).await? {
            self.reply(To { chat, instead: Some(card.id) }, reply).await;
        }
        Ok(())
    }

    async fn reply(&self, to: To, reply: Reply) {
        let buttons = reply.card.as_ref().map(|card| buttons(card, &reply.text));
        self.answer(to, &reply.text, buttons).await;
    }

    /// Sends a reply. If that fails, the action that it reports is not undone.
    async fn answer(&self, to: To, text: &str, buttons: Option<InlineKeyboardMarkup>) {
        let sent = match to.instead {
            Some(message) => self.client.edit(to.chat, message, text, buttons).await,
            None => self.client.send(to.chat, text, buttons).await,
        };
        self.answered(sent);
    }

    #[expect(clippy::unused_self, reason = "read with the calls that it ends")]
    fn answered(&self, sent: std::result::Result<(), Failed>) {
        if let Err(failed) = sent {
            tracing::warn!(cause = %failed, "an answer was not sent");
        }
    }
}

/// The text of a private message. `None`: another kind of chat, a forwarded message, or one written by a bot.
fn said(message: Message, is_edited: bool) -> Option<ChatText> {
    if message.is_of_others() {
        return None;
    }
    let from = message.from.filter(|from| !from.is_bot)?;
    let text = message.text.or(message.caption).filter(|text| !text.trim().is_empty())?;
    // Several messages may have the same second.
    let at = Moment(message.date.checked_mul(1000)?.checked_add(message.id.rem_euclid(1000))?);
    message.chat.is_private().then_some(ChatText { chat: message.chat.id, text, at, language: from.language_code, is_edited })
}

/// A button for each line of the card that is in the text.
fn buttons(card: &Card, text: &str) -> InlineKeyboardMarkup {
    let listed = |n: &usize| text.contains(&format!("\n{n}. "));
    let button = |(n, item): (usize, &service::chat::commands::CardItem)| {
        let kind = match item.kind {
            ItemKind::Preference => 'p',
            ItemKind::Note => 'n',
            ItemKind::Memory => 'm',
        };
        InlineKeyboardButton { text: format!("✕ {n}"), callback_data: format!("{kind}:{}", item.id) }
    };
    let shown: Vec<_> = (1..).zip(&card.items).take_while(|(n, _)| listed(n)).take(BUTTONS_MAX).map(button).collect();
    InlineKeyboardMarkup { inline_keyboard: shown.chunks(BUTTONS_IN_ROW).map(<[_]>::to_vec).collect() }
}
