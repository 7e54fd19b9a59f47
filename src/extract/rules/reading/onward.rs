//! A correction that takes more than one sentence: one says what no longer holds, the next what does.

use super::super::message::{gives_power, planted};
use super::super::person::{expand, third, tongue};
use super::super::sentences::Sentence;
use super::super::weighed::goes_on;
use super::super::words::pattern;
use super::super::{clauses, commands, drops};
use super::Reader;
use super::unshaped::{OF_SELF, asks};
use crate::domain::gate;
use crate::domain::memory::{Change, Content, MemoryKind, Statement};
use crate::domain::merging::holds_term;

// At what was spoken of before, or at what is held.
pattern!(
    pub(super) POINTS_BACK,
    r"^(?:it|it's|that's|that|they|they're|these days|now|nowadays|instead|both|he|she|he's|she's|sekarang|skrg|kini|itu|dia|mulai|jadi|gantinya)\b"
);

impl Reader<'_> {
    /// The statement of the sentence before that said something to have changed, if the last sentence did.
    pub(super) fn turn(&self, kept: usize) -> Option<usize> {
        let turns = |statement: &Statement| statement.negates.is_some() || statement.change != Change::Unsaid;
        self.out.personal.iter().rposition(turns).filter(|at| *at >= kept)
    }

    /// Reads a sentence as the rest of the one before it, whose statement is at `turn`. `false`: it speaks of something else.
    pub(super) fn goes_on(&mut self, turn: usize, sentence: &Sentence, kept: usize) -> bool {
        let text = clauses::bare(&sentence.text).text;
        let said = &sentence.text;
        if sentence.question || asks(&text) || drops::is_chat(&text) || commands::read(&text).is_some() {
            return false;
        }
        if gives_power(said) || planted(said) || drops::holds_credential(said) || !gate::secrets(said).is_empty() {
            return false;
        }
        let (before, own) = self.out.personal.split_at(kept);
        let Some(first) = before.get(turn) else { return false };
        let holder = |statement: &Statement| {
            let term = statement.negates.as_deref()?;
            self.reading.known.iter().position(|memory| holds_term(memory, term))
        };
        let (theirs, ours) = (holder(first), own.iter().find_map(holder));
        if theirs.is_some() && ours.is_some() && theirs != ours {
            return false;
        }
        let alone = own.iter().any(|statement| statement.change == Change::Unsaid && statement.negates.is_none())
            || own.iter().any(|statement| statement.change == Change::Said) && OF_SELF.is_match(&text);
        let unheld = first.change == Change::InPlace && first.negates.is_none();
        if alone && !unheld || own.is_empty() && !(POINTS_BACK.is_match(&text) || goes_on(said)) {
            return false;
        }
        let tongue = tongue(&text);
        let rest = third(&expand(&text, tongue), tongue);
        let whole = format!("{}. {rest}", first.content.as_str().trim_end_matches('.'));
        if !gate::check_note(&whole).is_empty() {
            return false;
        }
        let Ok(content) = Content::new(&whole) else { return false };
        let negates = first.negates.clone().or_else(|| own.iter().find_map(|statement| statement.negates.clone()));
        let change = match &negates {
            Some(_) => Change::Unsaid,
            None if [first].into_iter().chain(own).any(|statement| statement.change == Change::Said) => Change::Said,
            None => first.change,
        };
        let kind = if negates.is_some() { MemoryKind::Correction } else { first.kind };
        let importance = own.iter().map(|statement| statement.importance).fold(first.importance, Ord::max);
        self.out.personal[turn] = Statement { kind, content, importance, negates, change };
        self.out.personal.truncate(kept);
        true
    }
}
