//! Finds statements in a message that are worth remembering: for one person, or for a team. It only proposes; the gate and the
//! quarantine judge again.
//!
//! Only the user's own words are read. A message that asks not to be remembered is not read; in one that begins a play, nothing
//! after that is. Each sentence goes through these steps, and the first that recognises it decides:
//!
//! 1. A sentence with a secret is left out (`gate`).
//! 2. Commands to the memory are obeyed: remember, forget, for the team (`command` in `rules.toml`).
//! 3. Statements that are played, supposed, joking or quoted are left out (`refusal` in `rules.toml`).
//! 4. Heads that learned from labelled sentences judge the rest, whole and in parts.
//!
//! In other languages only commands to the memory are read (`commands`); kept text stays as it was written.
//!
//! Kept statements are told in the third person (`telling`). A change names the memory that it replaces (`changes`).
//!
//! To teach it a sentence, add a line to `crates/language/talk.tsv` or `crates/language/changes.tsv` and run `make weights`. `keepsake learn
//! --dry-run --explain` shows which step decided about a sentence.

#[cfg(test)]
mod cases;
mod changes;
mod clauses;
mod command;
mod commands;
mod forget;
mod forms;
mod heads;
mod languages;
pub mod lessons;
mod marks;
mod reader;
mod sentences;
mod telling;
#[cfg(test)]
mod time;
mod wishes;
#[cfg(test)]
#[path = "../../gate/src/worst.rs"]
mod worst;

pub use changes::Takes;
pub use forget::Forget;
pub use heads::Shares;

/// The audience that a statement is kept for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    User,
    Team,
}

/// The kind of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Statement,
    /// Something that happens at a time.
    Episode,
    /// A wish about how the assistant answers.
    Wish,
    /// The meaning of a term.
    Glossary,
    /// Instructions for doing something.
    Howto,
    /// The place where something is.
    Reference,
}

/// A statement worth keeping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// In the third person; in a language that is not read, as the user wrote it.
    pub text: String,
    pub audience: Audience,
    /// Whether the user asked for it.
    pub asked: bool,
    pub kind: Kind,
    /// The memory that it replaces.
    pub takes: Takes,
    /// Whether it is worth keeping even if it replaces nothing.
    pub lasting: bool,
}

/// A sentence, and the step that decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    pub sentence: String,
    /// A rule of `rules.toml`; `secret`, `planted`, `private`, `listed`, `aside`; or the finding of the heads: `personal`,
    /// `team`, `change`, `nothing`.
    pub decided: &'static str,
    /// Whether a rule left it out.
    pub dropped: bool,
    pub shares: Option<Shares>,
}

/// The findings in a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    pub kept: Vec<Kept>,
    /// Requests to forget. Everything is never forgotten without being confirmed.
    pub forget: Vec<Forget>,
    pub steps: Vec<Step>,
    /// Whether nothing was found, and the message is in a language that is not read.
    pub unread: bool,
}

/// Reads a message. `known`: memories of the user; `team`: facts of the team that it may be about.
#[must_use]
pub fn read(message: &str, known: &[&str], team: &[&str]) -> Reading {
    let mut reading = reader::Reader::new(known, team).read(&marks::plain(message));
    let said_nothing = reading.steps.iter().all(|step| matches!(step.decided, "nothing" | "aside"));
    if said_nothing && reading.kept.is_empty() && reading.forget.is_empty() {
        reading.unread = languages::is_unread(reading.steps.iter().map(|step| step.sentence.as_str()));
    }
    reading
}

/// The user's own sentences in a message, as they are judged, and whether each is a question.
#[must_use]
pub fn sentences_of(message: &str) -> Vec<(String, bool)> {
    sentences::split(&marks::plain(message)).0.into_iter().map(|sentence| (sentence.marked(), sentence.question)).collect()
}

/// Requests in a message to forget possibly several memories: everything about its speaker, or everything about something. Fast
/// for any length, because only sentences that could be such a request are read.
#[must_use]
pub fn asks_to_forget_many(message: &str) -> Vec<Forget> {
    reader::asks_to_forget_many(&marks::plain(message))
}

/// Whether a message contains a command to the memory: to remember or to forget, for the team, or how to answer from now on. No
/// memory is looked up, and no head judges.
#[must_use]
pub fn asks_something(message: &str) -> bool {
    reader::asks_something(&marks::plain(message))
}

/// Sentences of a message that say how the assistant is to answer from now on, as the user wrote them: "stop using emojis",
/// "jangan pakai tabel". No memory is looked up, and no head judges.
#[must_use]
pub fn asked_of_answers(message: &str) -> Vec<String> {
    reader::asked_of_answers(&marks::plain(message))
}

/// Parses a text that was sent as something to forget; `None`: it names nothing.
#[must_use]
pub fn asked_to_forget(query: &str) -> Option<Forget> {
    wishes::asked(query)
}

/// Reads the lists and compiles all patterns in advance.
pub fn warm() {
    drop(read("Remember that I live in Porto. Our releases are cut on Tuesdays.", &[], &[]));
}
