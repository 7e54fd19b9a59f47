//! Client of Telegram's Bot API. The token is part of every URL, so no error contains a URL.

use std::time::Duration;

use reqwest::Url;
use serde::Serialize;
use serde_json::{Value, json};

use super::shapes::{ErrorResponse, GetUpdates, InlineKeyboardMarkup, SendMessage, WANTED};
use crate::outgoing;

/// Longest text of a message, in UTF-16 units as Telegram counts.
const TEXT_MAX: usize = 4_096;
/// How long Telegram holds a request for updates open, in seconds.
const HELD_S: u32 = 30;
/// Timeout of any call.
const WITHIN: Duration = Duration::from_secs(HELD_S as u64 + 15);
/// Attempts of a call that Telegram asks to make later, and the longest wait.
const TRIES: u32 = 5;
const WAIT_MAX_S: u64 = 60;
/// Longest answer in bytes: a hundred updates of the longest messages fit.
const ANSWER_MAX_BYTES: usize = 8 << 20;

/// Why a call failed. Contains neither the URL nor any message text.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    #[error("Telegram refuses the token. Get a new one from BotFather, and set KEEPSAKE_TELEGRAM_TOKEN")]
    Token,
    #[error("Telegram answered {0}")]
    Refused(u16),
    #[error("Telegram cannot be reached")]
    Unreachable,
    #[error("Telegram's answer cannot be read")]
    Unreadable,
    #[error("{0}")]
    Own(String),
}

/// One bot's connection.
pub struct Client {
    http: reqwest::Client,
    base: Url,
    /// The first part of the token: the bot's id, which is no secret.
    bot: String,
}

impl Client {
    /// Creates the client; sends nothing yet.
    pub fn new(api: &str, token: &str) -> Result<Self, Failed> {
        let unusable = || Failed::Own("the address of Telegram's API is no URL".to_owned());
        let (bot, secret) = token.split_once(':').ok_or(Failed::Token)?;
        if bot.is_empty() || secret.is_empty() || !bot.chars().all(|c| c.is_ascii_digit()) {
            return Err(Failed::Token);
        }
        let mut base = Url::parse(api).map_err(|_| unusable())?;
        base.path_segments_mut().map_err(|()| unusable())?.pop_if_empty().push(&format!("bot{token}"));
        let http = outgoing::client().timeout(WITHIN).build();
        Ok(Self { http: http.map_err(|_| Failed::Own("no HTTP client".to_owned()))?, base, bot: bot.to_owned() })
    }

    #[must_use]
    pub fn bot(&self) -> &str {
        &self.bot
    }

    /// Returns the updates from this id on, with their ids, in order. Waits a while for the first.
    pub async fn updates(&self, next: Option<i64>) -> Result<Vec<(i64, Value)>, Failed> {
        let params = GetUpdates { offset: next, timeout: HELD_S, allowed_updates: WANTED };
        let Value::Array(updates) = self.call("getUpdates", &params).await? else { return Err(Failed::Unreadable) };
        let id = |update: Value| Some((update.get("update_id")?.as_i64()?, update));
        Ok(updates.into_iter().filter_map(id).filter(|(id, _)| next.is_none_or(|next| *id >= next)).collect())
    }

    pub async fn send(&self, chat: i64, text: &str, buttons: Option<InlineKeyboardMarkup>) -> Result<(), Failed> {
        let params = SendMessage { chat_id: chat, message_id: None, text: fitting(text), reply_markup: buttons };
        self.call("sendMessage", &params).await.map(drop)
    }

    /// Replaces the text and the buttons of a message.
    pub async fn edit(&self, chat: i64, message: i64, text: &str, buttons: Option<InlineKeyboardMarkup>) -> Result<(), Failed> {
        let params = SendMessage { chat_id: chat, message_id: Some(message), text: fitting(text), reply_markup: buttons };
        self.call("editMessageText", &params).await.map(drop)
    }

    /// Answers a button press, so that the user's app stops waiting.
    pub async fn answer_press(&self, press: &str, text: &str) -> Result<(), Failed> {
        self.call("answerCallbackQuery", &json!({"callback_query_id": press, "text": text})).await.map(drop)
    }

    pub async fn delete_webhook(&self) -> Result<(), Failed> {
        self.call("deleteWebhook", &json!({})).await.map(drop)
    }

    /// Makes Telegram send updates to this URL, one at a time, with this secret.
    pub async fn set_webhook(&self, url: &str, secret: &str) -> Result<(), Failed> {
        let params = json!({"url": url, "secret_token": secret, "max_connections": 1, "allowed_updates": WANTED});
        self.call("setWebhook", &params).await.map(drop)
    }

    /// Returns the `result` of a call. Retries if Telegram asks to wait.
    async fn call(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<Value, Failed> {
        let mut url = self.base.clone();
        url.path_segments_mut().map_err(|()| Failed::Unreadable)?.push(method);
        for _ in 1..TRIES {
            match self.once(url.clone(), params).await? {
                BotAnswer::Result(result) => return Ok(result),
                BotAnswer::Later(seconds) => {
                    tracing::debug!(method, seconds, "Telegram asks for patience");
                    tokio::time::sleep(Duration::from_secs(seconds.min(WAIT_MAX_S))).await;
                }
            }
        }
        Err(Failed::Refused(429))
    }

    async fn once(&self, url: Url, params: &(impl Serialize + Sync)) -> Result<BotAnswer, Failed> {
        let mut response = self.http.post(url).json(params).send().await.map_err(|_| Failed::Unreachable)?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|_| Failed::Unreachable)? {
            if body.len() + part.len() > ANSWER_MAX_BYTES {
                return Err(Failed::Unreadable);
            }
            body.extend_from_slice(&part);
        }
        if status.is_success() {
            let mut answer: Value = serde_json::from_slice(&body).map_err(|_| Failed::Unreadable)?;
            return Ok(BotAnswer::Result(answer["result"].take()));
        }
        let told = serde_json::from_slice::<ErrorResponse>(&body).ok();
        match status.as_u16() {
            429 => Ok(BotAnswer::Later(told.and_then(|told| told.parameters?.retry_after).unwrap_or(1))),
            401 | 404 => Err(Failed::Token),
            other => Err(Failed::Refused(other)),
        }
    }
}

enum BotAnswer {
    Result(Value),
    /// Retry after so many seconds.
    Later(u64),
}

/// Cuts a text to the length of a message.
fn fitting(text: &str) -> String {
    let mut units = 0;
    text.chars()
        .take_while(|c| {
            units += c.len_utf16();
            units <= TEXT_MAX
        })
        .collect()
}
