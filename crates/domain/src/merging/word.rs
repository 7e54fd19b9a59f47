//! A word of a statement, as the merge guard compares it.

use super::vocabulary::OWNER;

/// A word as written and as compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Lower case, common endings removed, numbers as digits.
    pub key: String,
    /// As written, to check its capitals.
    pub written: String,
    /// In lower case, without the ending of a possessive.
    pub lower: String,
    pub kind: Kind,
    /// Whether no punctuation is between it and the word before.
    pub follows: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Digits, versions, dates, times, sizes, and number words.
    Number,
    /// Quoted, back-ticked, or coded (`snake_case`, `camelCase`, paths, flags).
    Identifier,
    /// Carries no meaning of its own in this comparison.
    Stop,
    /// Negates a statement.
    Negation,
    /// A noun, verb or adjective, an emoji, or any word of a language that is not known.
    Plain,
}

impl Word {
    pub fn new(key: String, written: &str, kind: Kind) -> Self {
        Self { key, written: written.to_owned(), lower: bare(written), kind, follows: true }
    }

    /// A phrase that is treated as one word.
    pub fn phrase(key: String) -> Self {
        Self { written: key.clone(), lower: key.clone(), key, kind: Kind::Plain, follows: true }
    }

    /// Whether it is possessive: "Ana's", "my".
    #[must_use]
    pub fn is_possessive(&self) -> bool {
        self.written.to_lowercase().replace('’', "'").ends_with("'s")
            && !matches!(self.lower.as_str(), "it" | "that" | "there" | "he" | "she" | "what" | "let")
            || (self.kind == Kind::Stop && self.is_one_of(&OWNER) && !matches!(self.lower.as_str(), "the" | "user"))
    }

    /// Whether this word, in any form, is in the list.
    #[must_use]
    pub fn is_one_of(&self, list: &[&str]) -> bool {
        list.iter().any(|entry| *entry == self.key || *entry == self.lower || stem(entry) == self.key)
    }

    /// Whether it is written with a capital.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.kind == Kind::Plain && self.written.chars().next().is_some_and(char::is_uppercase)
    }

    #[must_use]
    pub fn is_article(&self) -> bool {
        matches!(self.key.as_str(), "a" | "an" | "the")
    }
}

/// In lower case, without the ending of a possessive.
pub fn bare(written: &str) -> String {
    let lower = written.to_lowercase().replace('’', "'");
    lower.strip_suffix("'s").unwrap_or(&lower).trim_matches('\'').to_owned()
}

/// Removes the most common English endings, so that `restarts`, `restarted` and `restart` are one word.
pub fn stem(word: &str) -> String {
    let cut = |suffix: &str, least: usize| word.strip_suffix(suffix).filter(|s| s.chars().count() >= least);
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word.to_owned();
    }
    let base = if let Some(s) = cut("ies", 3).or_else(|| cut("ied", 3)) {
        return format!("{s}y");
    } else if let Some(s) =
        cut("ing", 4).or_else(|| cut("ed", 3)).or_else(|| cut("es", 4)).or_else(|| cut("ly", 4)).or_else(|| cut("s", 3))
    {
        s
    } else {
        word
    };
    let base = base.strip_suffix('e').filter(|s| s.chars().count() >= 3).unwrap_or(base);
    // "cookies" is "cooky", and so is "cookie".
    if let Some(short) = base.strip_suffix('i').filter(|s| s.chars().count() >= 3 && word.len() > base.len()) {
        return format!("{short}y");
    }
    // The ending doubled the consonant: `running` → `runn` → `run`.
    let mut chars = base.chars().rev();
    match (chars.next(), chars.next()) {
        (Some(a), Some(b)) if a == b && !"aeiousl".contains(a) && base.len() > 4 => base[..base.len() - a.len_utf8()].to_owned(),
        _ => base.to_owned(),
    }
}
