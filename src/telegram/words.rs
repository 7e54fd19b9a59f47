//! The bot's own messages. Replies to commands are in `domain/chat/replies.rs`.

use domain::chat::replies::Language;

/// The bot's words in one language.
#[derive(Debug, Clone, Copy)]
pub struct BotWords(Language);

macro_rules! said {
    ($($name:ident: $english:literal, $indonesian:literal;)*) => {
        impl BotWords {
            $(pub fn $name(self) -> &'static str {
                match self.0 {
                    Language::English => $english,
                    Language::Indonesian => $indonesian,
                }
            })*
        }
    };
}

impl BotWords {
    /// Chooses the language that Telegram reports, or the default.
    pub fn of(tag: Option<&str>) -> Self {
        Self(tag.and_then(Language::of).unwrap_or_default())
    }
}

said! {
    how_to_link:
        "This chat is not linked, so it has no memory. Ask your assistant for a code and send it here: /link CODE",
        "Chat ini belum terhubung, jadi belum punya memory. Minta kode ke asisten kamu, lalu kirim ke sini: /link KODE";
    linked:
        "This chat is linked. I remember what you write here. /help lists the commands, and /unlink ends it.",
        "Chat ini sudah terhubung. Gue inget apa yang lo tulis di sini. /help buat daftar perintah, /unlink buat berhenti.";
    linked_already: "This chat is linked already. /unlink ends it.", "Chat ini sudah terhubung. /unlink buat berhenti.";
    wrong_code:
        "This code is wrong, was used, or is too old. A code is good once, for ten minutes. Ask for a new one.",
        "Kode ini salah, sudah dipakai, atau kedaluwarsa. Kode cuma berlaku sekali, sepuluh menit. Minta yang baru ya.";
    unlinked:
        "This chat is no longer linked. What I remember about you stays, and your other chats still have it.",
        "Chat ini sudah tidak terhubung. Yang gue inget tetap ada, dan chat lo yang lain masih punya.";
    edited_command:
        "I do not carry out a command that was edited. Send it as a new message.",
        "Perintah yang diedit ga gue jalanin. Kirim sebagai pesan baru ya.";
    unknown_command: "I do not know this command. /help lists them.", "Gue ga kenal perintah ini. Coba /help.";
    not_now: "That cannot be done right now. Try again in a moment.", "Belum bisa sekarang. Coba lagi sebentar lagi.";
    deleted: "Deleted", "Dihapus";
    gone_already: "It is gone already", "Sudah tidak ada";
}
