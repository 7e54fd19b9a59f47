//! Reads texts: redaction, the gate, the check of notes, and what an extractor computes.
//!
//! This takes processor time in proportion to the text, so it runs on threads of its own, never on those that answer requests,
//! and only here: all other code gets the results. Requests and learning have a budget each, so that neither waits for the other.
//! A thread that takes too long cannot be stopped; it keeps its place in the budget until it really ends.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use super::error::{BUSY_RETRY_S, noted};
use super::settings::current::CurrentSettings;
use super::{Error, Result};
use domain::blocks::{pieces, seams, sentences};
use domain::chat::notes::is_pasted_instruction;
use domain::erasure::people::UserId;
use domain::erasure::reason::Reason;
use domain::gate::{self, Finding};
use domain::memory::Content;
use domain::memory::exchange::Exchange;
use domain::problem::{Faults, Field, Problem, RuleLine};
use domain::settings::FilePaths;
use ports::embedder::{Embedder, Vector};
use ports::extractor::{Extraction, Extractor, Material, Wish};

/// Time limit for reading a text, including the wait for a turn. The longest text that is accepted, 1 MiB, takes less than a
/// second even if it is crafted to be slow; the rest is for waiting. Callers have timeouts of their own.
const WITHIN: Duration = Duration::from_secs(10);
/// Concurrent readings for learning, arriving facts and verification of erasures. Learning is not urgent; the second turn is for
/// the others while one text hangs.
const LEARNING_TURNS: usize = 2;
/// Minimum number of concurrent readings for requests; more where there are more processors.
const REQUEST_TURNS: usize = 2;
/// Texts of the length of a fact that are read in one turn: a few milliseconds of work.
const SHORT_TEXTS: usize = 64;

/// Maximum number of lines that a refusal of a document names.
const REFUSED_LINES_TOLD: usize = 50;
/// Name of the rule for a text that reads like an order.
const ORDER: &str = "order";
/// Minimum likeness to an order at which a sentence of a document is refused. Single statements are refused at a lower level, and
/// are checked in other ways too. Of 52,357 sentences in 428 documents, this project's own pages and READMEs of crates, 24 reach
/// this level; half of them speak of assistants and what users tell them. Orders of the usual kinds are above it, or have a form
/// that is recognised with certainty.
const LIKE_AN_ORDER_IN_A_DOCUMENT: f32 = 0.95;

/// Replacement for a secret in a turn.
const REDACTED_IN_TURN: &str = "[redacted]";

/// The budget that a reading counts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Budget {
    /// A caller waits for the answer.
    Requests,
    /// Learning, arrivals and verification of erasures: no caller waits.
    Learning,
}

/// The reason why a text was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Late {
    /// Others took all turns; this text is not to blame.
    #[error("no turn to read a text came in time")]
    NoTurn,
    #[error("reading a text takes too long")]
    TooLong,
}

impl From<Late> for Error {
    fn from(_: Late) -> Self {
        Problem::Busy { retry_after_s: BUSY_RETRY_S }.into()
    }
}

/// The turns of each budget, and the time limit.
#[derive(Clone)]
pub(super) struct Readers {
    requests: Arc<Semaphore>,
    learning: Arc<Semaphore>,
    within: Duration,
}

impl Default for Readers {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            requests: Arc::new(Semaphore::new(processors.max(REQUEST_TURNS))),
            learning: Arc::new(Semaphore::new(LEARNING_TURNS)),
            within: WITHIN,
        }
    }
}

impl Readers {
    /// Runs work on a thread of its own when it is its turn. A panic is resumed in the caller.
    async fn run<T: Send + 'static>(
        &self,
        budget: Budget,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> std::result::Result<T, Late> {
        let turns = match budget {
            Budget::Requests => &self.requests,
            Budget::Learning => &self.learning,
        };
        let until = Instant::now() + self.within;
        let turn = timeout_at(until, Arc::clone(turns).acquire_owned()).await.ok().and_then(std::result::Result::ok);
        let Some(turn) = turn.filter(|_| Instant::now() < until) else { return Err(told(budget, Late::NoTurn)) };
        let began = Instant::now();
        let done = spawn_blocking(move || {
            // Held to the end, even if the caller has stopped waiting.
            let _turn = turn;
            work()
        });
        match timeout_at(until, done).await {
            Ok(Ok(outcome)) => Ok(outcome),
            Ok(Err(stopped)) => match stopped.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The process ends.
                Err(_) => Err(Late::NoTurn),
            },
            // A turn that came late left too little time to blame the text.
            Err(_) => Err(told(budget, if until - began < self.within / 2 { Late::NoTurn } else { Late::TooLong })),
        }
    }
}

fn told(budget: Budget, late: Late) -> Late {
    tracing::warn!(?budget, cause = %late, "a text was not read");
    late
}

/// Checks and extraction of texts. Only work on a thread for reading gets one.
pub(super) struct Reader {
    extractor: Arc<dyn Extractor>,
    /// The weights of the encoder that made the vectors.
    encoder: String,
    paths: FilePaths,
}

#[expect(clippy::unused_self, reason = "whoever has a reader is on a thread for reading")]
impl Reader {
    /// Returns the gate's findings in a text with this vector.
    pub fn gate(&self, text: &str, vector: &[f32]) -> Vec<Finding> {
        let mut findings = gate::check_with(text, Some(gate::Meaning { encoder: &self.encoder, vector }));
        if self.paths == FilePaths::All {
            findings.extend(gate::paths(text));
        }
        findings
    }

    /// Returns the rules by which the gate refuses a text with this vector as a team fact. A planted instruction is refused too:
    /// the assistant would obey it for the whole team.
    pub fn refusals(&self, text: &str, vector: &[f32]) -> Vec<String> {
        let mut rules = gate::rules_fired(&self.gate(text, vector));
        rules.extend(text.contains(gate::REDACTED).then(|| "secret".to_owned()));
        rules.extend(self.orders(text));
        rules
    }

    /// The shapes of planted orders in a text.
    pub fn orders(&self, text: &str) -> Vec<String> {
        gate::check_note(text).into_iter().map(str::to_owned).collect()
    }

    /// Refuses a personal statement with a secret or a planted instruction.
    pub fn refuse_unsafe(&self, text: &str) -> std::result::Result<(), Problem> {
        let mut rules = gate::rules_fired(&gate::secrets(text));
        // A sentence whose secret was removed is not worth keeping.
        rules.extend(text.contains(gate::REDACTED).then(|| "secret".to_owned()));
        rules.extend(self.orders(text));
        if rules.is_empty() { Ok(()) } else { Err(Problem::refused(rules)) }
    }

    /// Refuses a text of many lines that holds a secret or a planted instruction, with the rules and their lines; `before` lines
    /// stand above the text. Secrets count anywhere in it, instructions only in parts that touch `changed`. Invisible characters
    /// are no reason: such a text comes back as it was sent, and what they hide is read.
    pub fn refuse_document(&self, text: &str, before: u32, changed: &Range<usize>) -> std::result::Result<(), Problem> {
        let is_new = |part: &Range<usize>| part.start <= changed.end && part.end >= changed.start;
        let line = |at: usize| before + u32::try_from(text[..at].matches('\n').count() + 1).unwrap_or(u32::MAX);
        let mut lines: Vec<RuleLine> = Vec::new();
        let mut note = |rule: &str, line: u32| {
            let found = RuleLine { rule: rule.to_owned(), line };
            if !lines.contains(&found) && lines.len() < REFUSED_LINES_TOLD {
                lines.push(found);
            }
        };
        for secret in gate::secrets(text) {
            note(secret.rule, line(secret.start));
        }
        let pieces = pieces(text);
        let seams = seams(text, &pieces);
        for piece in pieces.into_iter().chain(seams).filter(is_new) {
            let mut start = piece.start;
            let mut found = Vec::new();
            for one in text[piece.clone()].split_inclusive('\n') {
                found.extend(gate::planted_forms(one).into_iter().map(|rule| (rule, line(start))));
                start += one.len();
            }
            if found.is_empty() {
                // Lines may give an order together that none of them gives alone.
                found.extend(gate::planted_forms(&text[piece.clone()]).into_iter().map(|rule| (rule, line(piece.start))));
            }
            for (rule, number) in found {
                note(rule, number);
            }
        }
        for sentence in sentences(text).into_iter().filter(is_new) {
            let said = text[sentence.clone()].replace(['\n', '\r'], " ");
            if gate::order_likeness(&said) >= LIKE_AN_ORDER_IN_A_DOCUMENT {
                note(ORDER, line(sentence.start + said.len() - said.trim_start().len()));
            }
        }
        lines.sort_by_key(|found| found.line);
        let mut rules: Vec<String> = Vec::new();
        for found in &lines {
            if !rules.contains(&found.rule) {
                rules.push(found.rule.clone());
            }
        }
        if rules.is_empty() { Ok(()) } else { Err(Problem::Refused { rules, lines }) }
    }

    /// Whether a text contains a secret, or contained one.
    pub fn holds_secret(&self, text: &str) -> bool {
        holds_secret(text)
    }

    /// A turn of a conversation without its secrets, marked as other programs mark them.
    pub fn redacted(&self, text: &str) -> String {
        gate::redact_secrets(text).replace(gate::REDACTED, REDACTED_IN_TURN)
    }

    /// Returns a text as the gate reads it, and the places of its findings in it.
    pub fn as_read(&self, text: &str, findings: &[Finding]) -> (String, Vec<(&'static str, usize, usize)>) {
        gate::as_read(text, findings)
    }

    /// Removes known secrets from an exchange.
    pub fn cleaned(&self, exchange: Exchange) -> Exchange {
        let clean = |text: &str| gate::redact_secrets(text).into_owned();
        Exchange {
            message: clean(&exchange.message),
            reply: clean(&exchange.reply),
            thread: exchange.thread.as_deref().map(clean),
            ..exchange
        }
    }

    /// Returns what a message asks to forget that may be several memories.
    pub fn asks_to_forget_many(&self, message: &str) -> Vec<Wish> {
        self.extractor.asks_to_forget_many(message)
    }

    /// Returns the sentences of a message about how to answer from now on, in the user's words, that may be kept as notes.
    pub fn learned_notes(&self, message: &str) -> Vec<Content> {
        let said = self.extractor.asked_of_answers(message).into_iter();
        let notes = said.filter_map(|sentence| Content::new(&sentence).ok());
        notes.filter(|note| !is_pasted_instruction(note.as_str()) && self.refuse_unsafe(note.as_str()).is_ok()).collect()
    }

    /// Whether a message asks the memory to keep or forget something, and so should not wait long for others.
    pub fn asks_something(&self, message: &str) -> bool {
        self.extractor.asks_something(message)
    }

    /// Returns the meaning of a text that was sent as something to forget.
    pub fn wish(&self, query: &str) -> Wish {
        self.extractor.wish(query)
    }

    /// Returns what the extractor finds without asking a model.
    pub fn extract(&self, material: &Material<'_>) -> Extraction {
        self.extractor.read(material)
    }

    /// Like [`Reader::extract`], where no model will be asked afterwards.
    pub fn extract_unaided(&self, material: &Material<'_>) -> Extraction {
        self.extractor.unaided(material)
    }
}

/// Reads texts within the budgets: with the gate, the note check and the extractor. Clones share the budgets.
#[derive(Clone)]
pub struct TextReader {
    extractor: Arc<dyn Extractor>,
    embedder: Arc<dyn Embedder>,
    settings: CurrentSettings,
    readers: Readers,
}

impl TextReader {
    pub fn new(extractor: Arc<dyn Extractor>, embedder: Arc<dyn Embedder>, settings: CurrentSettings) -> Self {
        Self { extractor, embedder, settings, readers: Readers::default() }
    }

    /// Runs work that reads texts.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Reader) -> T + Send + 'static,
    ) -> std::result::Result<T, Late> {
        let (encoder, paths) = (self.embedder.id().weights.clone(), self.settings.get().gate_paths);
        let reader = Reader { extractor: self.extractor.clone(), encoder, paths };
        self.readers.run(budget, move || work(&reader)).await
    }

    /// For each text with its vector, the rules by which the gate refuses it as a team fact.
    pub(super) async fn refusals(&self, budget: Budget, texts: Vec<(String, Vector)>) -> Result<Vec<Vec<String>>> {
        let mut refusals = Vec::with_capacity(texts.len());
        let mut texts = texts.into_iter().peekable();
        while texts.peek().is_some() {
            let part: Vec<(String, Vector)> = texts.by_ref().take(SHORT_TEXTS).collect();
            let judge =
                move |reader: &Reader| part.iter().map(|(text, vector)| reader.refusals(text, vector)).collect::<Vec<_>>();
            refusals.extend(self.read(budget, judge).await?);
        }
        Ok(refusals)
    }

    /// Refuses these texts if one of them holds a secret: reasons, names, and other texts that are stored as typed.
    pub(super) async fn refuse_secrets(&self, texts: Vec<String>) -> Result<()> {
        let found = move |reader: &Reader| texts.iter().any(|text| reader.holds_secret(text));
        if self.read(Budget::Requests, found).await? { Err(a_secret().into()) } else { Ok(()) }
    }

    /// Checks a typed reason for something about this user.
    pub async fn reason(&self, text: &str, user: &UserId) -> Result<Reason> {
        let reason = Reason::new(text, user)?;
        self.refuse_secrets(vec![reason.as_str().to_owned()]).await?;
        Ok(reason)
    }

    /// Checks a typed user id and the reason for looking the user up. All faults of the two are reported at once.
    pub async fn asked_about(&self, user: &str, reason: &str) -> Result<(UserId, Reason)> {
        let mut faults = Faults::new();
        let user = faults.note(UserId::new(user));
        let reason = if let Some(user) = &user {
            noted(&mut faults, self.reason(reason, user).await)?
        } else {
            faults.note(Reason::fits(reason));
            None
        };
        faults.settle()?;
        user.zip(reason).ok_or_else(|| Problem::invalid(Field::Reason, "is missing").into())
    }

    /// Refuses these texts if one of them must not be stored as a personal statement.
    pub(super) async fn refuse_unsafe(&self, texts: Vec<String>) -> Result<()> {
        let mut texts = texts.into_iter().peekable();
        while texts.peek().is_some() {
            let part: Vec<String> = texts.by_ref().take(SHORT_TEXTS).collect();
            self.read(Budget::Requests, move |reader| part.iter().try_for_each(|text| reader.refuse_unsafe(text))).await??;
        }
        Ok(())
    }

    /// Sets how long a text may take to be read.
    #[must_use]
    pub fn within(mut self, within: Duration) -> Self {
        self.readers.within = within;
        self
    }
}

/// Refuses a name that holds a secret, for commands that work before there is an embedder. It is short.
pub(super) async fn refuse_secret_in(name: &str) -> Result<()> {
    let name = name.to_owned();
    let found = spawn_blocking(move || holds_secret(&name)).await.map_err(Error::failed)?;
    if found { Err(a_secret().into()) } else { Ok(()) }
}

fn holds_secret(text: &str) -> bool {
    text.contains(gate::REDACTED) || !gate::secrets(text).is_empty()
}

fn a_secret() -> Problem {
    Problem::refused(vec!["secret".to_owned()])
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn readers(within: Duration) -> Readers {
        Readers { within, ..Readers::default() }
    }

    const SOON: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_mins(1);

    #[tokio::test]
    async fn what_hangs_keeps_its_turn_until_it_ends_and_takes_none_of_the_others() {
        let readers = readers(SOON);
        let mut stuck = Vec::new();
        for _ in 0..LEARNING_TURNS {
            let (release, wait) = mpsc::channel::<()>();
            stuck.push(release);
            assert_eq!(readers.run(Budget::Learning, move || wait.recv().is_ok()).await, Err(Late::TooLong));
        }
        assert_eq!(readers.run(Budget::Learning, || 1).await, Err(Late::NoTurn));
        assert_eq!(readers.run(Budget::Requests, || 2).await, Ok(2));
        stuck.pop();
        let readers = Readers { within: LONG, ..readers };
        assert_eq!(readers.run(Budget::Learning, || 3).await, Ok(3), "a turn came back");
    }

    #[tokio::test]
    async fn whoever_gives_up_leaves_the_turn_to_the_work() {
        let readers = readers(LONG);
        let places = readers.requests.available_permits();
        let (release, wait) = mpsc::channel::<()>();
        let given_up = tokio::time::timeout(SOON, readers.run(Budget::Requests, move || wait.recv().is_ok())).await;
        assert!(given_up.is_err());
        assert_eq!(readers.requests.available_permits(), places - 1);
        drop(release);
        while readers.requests.available_permits() < places {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_reaches_whoever_asked() {
        let readers = readers(LONG);
        let asked = tokio::spawn({
            let readers = readers.clone();
            async move { readers.run(Budget::Learning, || panic!("an odd text")).await.map(|(): ()| ()) }
        });
        assert!(asked.await.expect_err("panicked").is_panic());
        assert_eq!(readers.learning.available_permits(), LEARNING_TURNS);
    }
}
