//! A correction that takes more than one sentence: one says what no longer holds, the next what does.

use super::super::message::{gives_power, planted};
use super::super::person::{expand, third, tongue};
use super::super::sentences::Sentence;
use super::super::weighed::likely_to_go_on;
use super::super::words::pattern;
use super::super::{clauses, commands, drops};
use super::Reader;
use super::unshaped::{OF_SELF, asks};
use crate::domain::gate;
use crate::domain::memory::{Change, Content, MemoryKind, Statement};
use crate::domain::merging::holds_term;

// At what was spoken of before, or at what is held; of a person only where one was.
pattern!(
    pub(super) POINTS_BACK,
    r"^(?:(?:so|and|but|jadi|dan|tapi) )?(?:it|it's|that's|these days|now it's|now i|instead|sekarang|skrg|kini|itu|gantinya)\b"
);
pattern!(OF_SOMEBODY, r"^(?:he|she|they|he's|she's|they're|dia|mereka)\b");
pattern!(
    KIN,
    r"\b(?:wife|husband|partner|girlfriend|boyfriend|kids?|child(?:ren)?|sons?|daughters?|mother|mum|mom|father|dad|brother|sister|cat|dog|horse|boss|manager|istri|suami|pacar|anak|ibu|ayah|bapak|kakak|adik|kucing|anjing|bos|atasan)\w{0,3}\b"
);

/// What the sentences before have left in the reader's hands.
#[derive(Clone, Copy)]
pub(super) struct Before {
    /// The statement that said something to have changed, if the last sentence did.
    pub turn: Option<usize>,
    pub kept: usize,
    pub shared: usize,
}

impl Reader<'_> {
    /// The statement since `kept` that said something to have changed.
    pub(super) fn turned(&self, kept: usize) -> Option<usize> {
        let turns = |statement: &Statement| statement.negates.is_some() || statement.change != Change::Unsaid;
        self.out.personal.iter().rposition(turns).filter(|at| *at >= kept)
    }

    /// Reads a sentence as the rest of the correction before it. `None`: it speaks of something else.
    pub(super) fn join(&mut self, before: Before, sentence: &Sentence) -> Option<usize> {
        let turn = before.turn?;
        let text = clauses::bare(&sentence.text).text;
        if !self.may_go_on(before, sentence, &text) {
            return None;
        }
        let (earlier, own) = self.out.personal.split_at(before.kept);
        let first = earlier.get(turn)?;
        if !self.goes_on(first, own, &sentence.text, &text) {
            return None;
        }
        let tongue = tongue(&text);
        let rest = third(&expand(&text, tongue), tongue);
        let whole = format!("{}. {rest}", first.content.as_str().trim_end_matches('.'));
        let content = Content::new(&whole).ok().filter(|_| gate::check_note(&whole).is_empty())?;
        let negates = first.negates.clone().or_else(|| own.iter().find_map(|statement| statement.negates.clone()));
        let change = match &negates {
            Some(_) => Change::Unsaid,
            None if [first].into_iter().chain(own).any(|statement| statement.change == Change::Said) => Change::Said,
            None => first.change,
        };
        let kind = if negates.is_some() { MemoryKind::Correction } else { first.kind };
        let importance = own.iter().map(|statement| statement.importance).fold(first.importance, Ord::max);
        self.out.personal[turn] = Statement { kind, content, importance, negates, change };
        self.out.personal.truncate(before.kept);
        Some(turn)
    }

    /// A statement that nothing speaks against and that the team does not share.
    fn may_go_on(&self, before: Before, sentence: &Sentence, text: &str) -> bool {
        let said = &sentence.text;
        let told = !sentence.question && !asks(text) && !drops::is_chat(text) && commands::read(text).is_none();
        let safe = !gives_power(said) && !planted(said) && !drops::holds_credential(said) && gate::secrets(said).is_empty();
        let fixed = drops::always(text).is_some_and(|rule| rule != "deictic");
        told && safe && !fixed && self.out.candidates.len() == before.shared
    }

    fn goes_on(&self, first: &Statement, own: &[Statement], said: &str, text: &str) -> bool {
        let holder = |statement: &Statement| {
            let term = statement.negates.as_deref()?;
            self.reading.known.iter().position(|memory| holds_term(memory, term))
        };
        let (theirs, ours) = (holder(first), own.iter().find_map(holder));
        if theirs.is_some() && ours.is_some() && theirs != ours {
            return false;
        }
        let of_somebody = OF_SOMEBODY.is_match(text);
        if of_somebody && !KIN.is_match(first.content.as_str()) {
            return false;
        }
        let shapeless = own.iter().all(|statement| statement.change == Change::InPlace);
        let linked = POINTS_BACK.is_match(text) || of_somebody || shapeless && likely_to_go_on(said);
        let alone = own.iter().any(|statement| statement.change == Change::Unsaid && statement.negates.is_none())
            || own.iter().any(|statement| statement.change == Change::Said) && OF_SELF.is_match(text);
        let unheld = first.change == Change::InPlace && first.negates.is_none();
        linked && (!alone || unheld)
    }
}
