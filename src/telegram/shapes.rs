//! The parts of Telegram's Bot API (<https://core.telegram.org/bots/api>) that the bot reads and writes. Other fields are
//! ignored, so a new or changed one stops no update.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The kinds of updates that the bot asks for.
pub const WANTED: [&str; 3] = ["message", "edited_message", "callback_query"];

#[derive(Deserialize)]
pub struct Update {
    pub message: Option<Message>,
    /// A message with its new text. Its date is that of the original.
    pub edited_message: Option<Message>,
    pub callback_query: Option<CallbackQuery>,
}

#[derive(Deserialize)]
pub struct Message {
    #[serde(rename = "message_id")]
    pub id: i64,
    /// Seconds since 1970; 0: the message can no longer be read.
    pub date: i64,
    pub chat: Chat,
    pub from: Option<User>,
    pub text: Option<String>,
    /// Text below a picture or a file.
    pub caption: Option<String>,
    /// Present if the message is forwarded. Older servers of the API use the other fields.
    forward_origin: Option<Value>,
    forward_from: Option<Value>,
    forward_from_chat: Option<Value>,
    forward_sender_name: Option<Value>,
    forward_date: Option<Value>,
    /// Present if a bot wrote the message for the user.
    via_bot: Option<Value>,
}

impl Message {
    pub fn is_of_others(&self) -> bool {
        let marks = [
            &self.forward_origin,
            &self.forward_from,
            &self.forward_from_chat,
            &self.forward_sender_name,
            &self.forward_date,
            &self.via_bot,
        ];
        marks.into_iter().any(Option::is_some)
    }
}

#[derive(Deserialize)]
pub struct Chat {
    pub id: i64,
    r#type: String,
}

impl Chat {
    pub fn is_private(&self) -> bool {
        self.r#type == "private"
    }
}

#[derive(Deserialize)]
pub struct User {
    pub is_bot: bool,
    pub language_code: Option<String>,
}

/// A button below a message was pressed.
#[derive(Deserialize)]
pub struct CallbackQuery {
    pub id: String,
    pub from: User,
    pub message: Option<Message>,
    pub data: Option<String>,
}

#[derive(Serialize)]
pub struct InlineKeyboardMarkup {
    pub inline_keyboard: Vec<Vec<InlineKeyboardButton>>,
}

#[derive(Clone, Serialize)]
pub struct InlineKeyboardButton {
    pub text: String,
    pub callback_data: String,
}

#[derive(Serialize)]
pub struct GetUpdates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// How long Telegram holds the request open, in seconds.
    pub timeout: u32,
    pub allowed_updates: [&'static str; WANTED.len()],
}

/// Parameters of `sendMessage`, and of `editMessageText` with the message to replace.
#[derive(Serialize)]
pub struct SendMessage {
    pub chat_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<i64>,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_markup: Option<InlineKeyboardMarkup>,
}

/// The body of an error response.
#[derive(Deserialize)]
pub struct ErrorResponse {
    pub parameters: Option<ResponseParameters>,
}

#[derive(Deserialize)]
pub struct ResponseParameters {
    /// Seconds after which the call may be made again.
    pub retry_after: Option<u64>,
}
