//! Replies of an assistant to commands, in English and Indonesian. The Indonesian sentences are those that its users know.

/// The languages in which commands are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Language {
    #[default]
    English,
    Indonesian,
}

/// The phrases that confirm forgetting everything, in both languages.
pub const CONFIRM_ALL: [&str; 2] = ["yes delete all", "ya hapus semua"];

/// The phrases that confirm forgetting the counted memories, in both languages.
pub const CONFIRM_SOME: [&str; 2] = ["yes delete them", "ya hapus itu"];

impl Language {
    /// Parses a tag such as `id` or `en-GB`, or a name. `None`: another language.
    #[must_use]
    pub fn of(tag: &str) -> Option<Self> {
        let tag = tag.trim().to_lowercase();
        let first = tag.split(['-', '_', ' ']).next().unwrap_or_default();
        match first {
            "en" | "eng" | "english" | "inggris" => Some(Self::English),
            "id" | "in" | "ind" | "indonesian" | "indonesia" | "bahasa" => Some(Self::Indonesian),
            _ => None,
        }
    }

    fn choose<T>(self, english: T, indonesian: T) -> T {
        match self {
            Self::English => english,
            Self::Indonesian => indonesian,
        }
    }

    /// The phrase that confirms forgetting everything.
    #[must_use]
    pub fn confirm_all(self) -> &'static str {
        self.choose(CONFIRM_ALL[0], CONFIRM_ALL[1])
    }

    /// The phrase that confirms forgetting the counted memories.
    #[must_use]
    pub fn confirm_some(self) -> &'static str {
        self.choose(CONFIRM_SOME[0], CONFIRM_SOME[1])
    }

    #[must_use]
    pub fn remembered(self, text: &str) -> String {
        self.choose(format!("OK, I’ll remember: {text}"), format!("OK, gue inget: {text}"))
    }

    #[must_use]
    pub fn how_to_remember(self) -> &'static str {
        self.choose(
            "Format: /remember <text>\nExample: /remember always summarise output of more than 20 lines",
            "Format: /remember <text>\nContoh: /remember selalu ringkas output >20 baris",
        )
    }

    #[must_use]
    pub fn suspicious(self) -> &'static str {
        self.choose(
            "This note looks like a prompt injection or a system instruction. I didn’t save it. Please write it more naturally.",
            "Note ini keliatan kayak prompt injection / system instruction. Ga gue save. Tulis lebih natural ya.",
        )
    }

    #[must_use]
    pub fn secret(self) -> &'static str {
        self.choose(
            "This note seems to contain a secret, such as a token or a password. I didn’t save it.",
            "Note ini keliatan kayak berisi secret (token, password, kredensial). Ga gue save.",
        )
    }

    #[must_use]
    pub fn removed(self, count: u64) -> String {
        format!("Removed {count} note(s).")
    }

    #[must_use]
    pub fn empty(self) -> &'static str {
        self.choose("Memory is empty.", "Memory kosong.")
    }

    #[must_use]
    pub fn notes(self) -> &'static str {
        "Memory notes:"
    }

    #[must_use]
    pub fn everything(self) -> &'static str {
        self.choose("What I remember about you:", "Yang gue inget tentang lo:")
    }

    /// Line below a list of notes: there are other memories.
    #[must_use]
    pub fn see_memories(self, others: u64) -> String {
        self.choose(format!("{others} more: /memories"), format!("{others} lagi: /memories"))
    }

    /// Last line of a list that does not fit.
    #[must_use]
    pub fn more(self, count: usize) -> String {
        self.choose(format!("… and {count} more"), format!("… dan {count} lagi"))
    }

    #[must_use]
    pub fn reset(self) -> &'static str {
        self.choose("Chat history reset. Starting from zero.", "Chat history di-reset. Mulai dari nol.")
    }

    #[must_use]
    pub fn confirm(self, count: u64) -> String {
        let phrase = self.confirm_all();
        self.choose(
            format!("There are {count} notes. Are you sure you want to delete them all? Reply '{phrase}' to confirm."),
            format!("Ada {count} notes. Yakin mau hapus semua? Balas '{phrase}' untuk konfirmasi."),
        )
    }

    /// Question before `count` memories about a topic are forgotten.
    #[must_use]
    pub fn ask_some(self, count: u64) -> String {
        let phrase = self.confirm_some();
        self.choose(
            match count {
                1 => format!(
                    "I have one memory that may be about that. Are you sure you want to delete it? Reply '{phrase}' to confirm."
                ),
                _ => format!(
                    "I have {count} memories about that. Are you sure you want to delete them? Reply '{phrase}' to confirm."
                ),
            },
            format!("Ada {count} memori soal itu. Yakin mau hapus? Balas '{phrase}' untuk konfirmasi."),
        )
    }

    #[must_use]
    pub fn help(self) -> &'static str {
        self.choose(
            "/remember <text> – keep a note\n\
             /forget <substring> – remove what contains these words\n\
             /forget – remove everything about you\n\
             /memory – list your notes\n\
             /memories – list everything I remember about you\n\
             /reset – start this chat from zero; memory stays\n\
             /reset_memory – delete all your notes",
            "/remember <text> – simpan note\n\
             /forget <substring> – hapus yang mengandung kata ini\n\
             /forget – hapus semua tentang lo\n\
             /memory – daftar note\n\
             /memories – semua yang gue inget tentang lo\n\
             /reset – mulai chat ini dari nol; memory tetap ada\n\
             /reset_memory – hapus semua note lo",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_known_by_tag_and_by_name() {
        for tag in ["id", "ID", "id-ID", "in_ID", "Indonesian", "Bahasa Indonesia", "bahasa"] {
            assert_eq!(Language::of(tag), Some(Language::Indonesian), "{tag}");
        }
        for tag in ["en", "en-GB", "English"] {
            assert_eq!(Language::of(tag), Some(Language::English), "{tag}");
        }
        for tag in ["", "fr", "idle", "it"] {
            assert_eq!(Language::of(tag), None, "{tag}");
        }
    }

    #[test]
    fn a_phrase_confirms_what_its_question_asks() {
        for language in [Language::English, Language::Indonesian] {
            assert!(language.confirm(3).contains(&format!("'{}'", language.confirm_all())) && language.confirm(3).contains('3'));
            assert!(
                language.ask_some(3).contains(&format!("'{}'", language.confirm_some())) && language.ask_some(3).contains('3')
            );
            assert!(!CONFIRM_ALL.contains(&language.confirm_some()), "one phrase, one meaning");
        }
    }
}
