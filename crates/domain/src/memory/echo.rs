//! Detects exchanges that only repeat stored text. An assistant that repeats what it recalled, or a user who quotes it, says
//! nothing new: no contributor is counted and no memory changes.

use std::collections::HashSet;

use crate::recall::words::{Term, terms};

/// Minimum number of words of a quotation; shorter texts are repeated by chance.
const QUOTED_WORDS: usize = 3;
/// Words for the speaker, with which most memories begin.
const SPEAKER: &str = "User User's Pengguna";

/// Whether the message contains this text word for word, ignoring case and punctuation.
#[must_use]
pub fn quotes(message: &str, held: &str) -> bool {
    let words = |text: &str| -> String {
        let lower = text.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        format!(" {} ", words.join(" "))
    };
    let held = words(held);
    held.split_whitespace().count() >= QUOTED_WORDS && words(message).contains(&held)
}

/// Whether a statement comes from the reply and not from the message: more than half of its words are in the reply; at most half,
/// and fewer than in the reply, are in the message.
#[must_use]
pub fn only_in_reply(statement: &str, message: &str, reply: &str) -> bool {
    let speaker = terms(SPEAKER);
    let said: HashSet<Term> = terms(statement).into_iter().filter(|term| !speaker.contains(term)).collect();
    let shared = |text: &str| terms(text).into_iter().collect::<HashSet<Term>>().intersection(&said).count();
    let (asked, answered) = (shared(message), shared(reply));
    asked * 2 <= said.len() && asked < answered && answered * 2 > said.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_is_word_for_word() {
        let held = "Backups are taken every 6 hours.";
        assert!(quotes("You said: “backups are taken, every 6 hours”. Really?", held));
        assert!(!quotes("Backups are taken every 60 hours", held));
        assert!(!quotes("Every 6 hours we take backups", held));
        assert!(!quotes("I like tea", "tea"), "too short to be one");
    }

    #[test]
    fn what_only_the_reply_says_is_not_the_users() {
        let statement = "Backups are taken every 6 hours";
        for (message, reply, only) in [
            ("How often are backups taken?", "Backups are taken every 6 hours.", true),
            ("And the schedule?", "Backups are taken every 6 hours.", true),
            ("", "As noted before: backups are taken every 6 hours.", true),
            ("Backups are taken every 6 hours.", "Noted: backups are taken every 6 hours.", false),
            ("We take a backup each 6 hours", "Good.", false),
            ("Hello", "Hello!", false),
        ] {
            assert_eq!(only_in_reply(statement, message, reply), only, "{message} | {reply}");
        }
        assert!(only_in_reply("User lives in Ghent", "Where do I live?", "You live in Ghent, in Belgium."));
    }
}
