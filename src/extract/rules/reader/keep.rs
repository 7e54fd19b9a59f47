//! Adds what a sentence says to the memories and candidates of the message, after the checks that everything must pass.

use super::super::commands::{self, Command};
use super::super::message::{ERRAND, PLURAL, addressed, adds, gives_power, has_changed, planted};
use super::super::person::{expand, tidy, tongue};
use super::super::personal::{self, Judged};
use super::super::{clauses, correction, drops, team};
use super::changes::{ChangeRole, Kept, POINTS_BACK};
use super::unshaped::OF_SELF;
use super::{ASKED, PLAIN, Reader, SHARED_ON_REQUEST};
use crate::domain::fact::Candidate;
use crate::domain::gate;
use crate::domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use crate::domain::merging::{holds_term, may_outdate};
use crate::domain::provenance::Origin;

/// A text with fewer words ("It was.") replaces no memory.
const LEAST_WORDS_IN_PLACE: usize = 3;

impl Reader<'_> {
    /// Keeps what the user asked to remember, whatever its shape.
    pub(super) fn remember(&mut self, said: &str) {
        if !gate::check_note(said).is_empty() {
            return self.drop("planted_instruction");
        }
        if let Some(Command::Team(text)) = commands::read(said) {
            return self.share(&text);
        }
        let bare = clauses::bare(said);
        let tongue = tongue(&bare.text);
        let text = expand(&bare.text, tongue);
        if text.split_whitespace().count() < 2 || drops::is_question(&text) {
            return self.drop("question");
        }
        if ERRAND.is_match(&text) {
            return self.drop("one_off");
        }
        let (content, kind, importance) = match personal::judge(&text, tongue, false) {
            Judged::Keep { kind, importance, text } => (text, kind, importance.max(ASKED)),
            _ => (addressed(&text, tongue), MemoryKind::Fact, ASKED),
        };
        let change = correction::read(&text, bare.corrects, self.known);
        match change {
            Some(change) => self.keep(&content, MemoryKind::Correction, importance, Some(change.old)),
            None => self.keep_or_correct(&content, kind, importance, bare.corrects || self.changing || has_changed(&text)),
        }
    }

    pub(super) fn share(&mut self, said: &str) {
        if gives_power(said) {
            return self.drop("planted_instruction");
        }
        let bare = clauses::bare(said).text;
        let tongue = tongue(&bare);
        match team::asked(&expand(&bare, tongue)) {
            Ok(shared) => self.propose(&shared, Origin::User, SHARED_ON_REQUEST),
            Err("personal_in_team") => {
                self.drop("personal_in_team");
                self.statement(&expand(&bare, tongue), tongue, false);
            }
            Err(rule) => self.drop(rule),
        }
    }

    pub(super) fn propose(&mut self, shared: &team::Shared, origin: Origin, importance: i64) {
        if !self.reading.global {
            return;
        }
        if !gate::check(&shared.text).is_empty() {
            return self.drop("gate");
        }
        if !gate::check_note(&shared.text).is_empty() {
            return self.drop("planted_instruction");
        }
        let (Ok(content), Ok(importance)) = (Content::new(&shared.text), Importance::new(importance)) else { return };
        if self.personal && (self.context.changed || self.changing) && self.kept.iter().all(|s| s.content != content) {
            let statement = Statement { kind: MemoryKind::Fact, content: content.clone(), importance };
            self.kept.push(Kept { statement, negates: None, role: ChangeRole::InPlace, mended: false });
        }
        if self.out.candidates.iter().all(|c| c.content != content) {
            self.out.candidates.push(Candidate { origin, kind: shared.kind, content, importance });
        }
    }

    pub(super) fn keep_or_correct(&mut self, content: &str, kind: MemoryKind, importance: i64, marked: bool) {
        let back = self.taken_back.take();
        let marked = marked || back.is_some() || kind == MemoryKind::Correction;
        if let Some(memory) = back.as_ref().filter(|back| self.known.contains(back)) {
            return self.keep(content, MemoryKind::Correction, importance, Some(memory.clone()));
        }
        if back.is_none() && adds(content) {
            return self.keep(content, kind, importance, None);
        }
        let known = self.known;
        let revalued = || correction::revalued_by_sign(content, marked, known).map(|change| change.old);
        let faulted = || correction::faulted(content, known).map(str::to_owned);
        match correction::outdates(content, marked, known).or(back).or_else(revalued).or_else(faulted) {
            Some(old) => self.keep(content, MemoryKind::Correction, importance, Some(old)),
            None => self.keep(content, kind, importance, None),
        }
    }

    pub(super) fn keep(&mut self, content: &str, kind: MemoryKind, importance: i64, negates: Option<String>) {
        self.keep_as(content, kind, importance, negates, false);
    }

    /// Keeps a remembered statement with a new value in place of `old`.
    pub(super) fn keep_mended(&mut self, memory: &str, old: String) {
        self.keep_as(memory, MemoryKind::Correction, ASKED, Some(old), true);
    }

    fn keep_as(&mut self, content: &str, kind: MemoryKind, importance: i64, negates: Option<String>, mended: bool) {
        if !self.personal {
            return;
        }
        if drops::holds_credential(content) || !gate::secrets(content).is_empty() {
            return self.drop("secret");
        }
        let short: String = tidy(content).chars().take(CONTENT_MAX_CHARS).collect();
        let (Ok(content), Ok(importance)) = (Content::new(&short), Importance::new(importance)) else { return };
        if self.kept.iter().all(|s| s.content != content) {
            let negates = negates.filter(|term| {
                let mut holders = self.known.iter().filter(|memory| holds_term(memory, term)).peekable();
                holders.peek().is_none() || holders.any(|memory| may_outdate(content.as_str(), memory))
            });
            let role = match negates {
                None if self.context.changed || self.changing => ChangeRole::Changed,
                _ => ChangeRole::Plain,
            };
            self.kept.push(Kept { statement: Statement { kind, content, importance }, negates, role, mended });
        }
    }

    /// Keeps a text that replaces a similar memory. If nothing was `learned` from it, it is kept only if it replaces one.
    pub(super) fn keep_in_place(&mut self, said: &str, learned: Option<&Kept>) {
        if !self.personal {
            return;
        }
        if gives_power(said) || planted(said) || !gate::check_note(said).is_empty() {
            return self.drop("planted_instruction");
        }
        if drops::holds_credential(said) || !gate::secrets(said).is_empty() {
            return self.drop("secret");
        }
        if learned.is_none() && said.split_whitespace().count() < LEAST_WORDS_IN_PLACE {
            return;
        }
        let tongue = tongue(said);
        let text = expand(said, tongue);
        let of_the_held = OF_SELF.is_match(&text) || POINTS_BACK.is_match(&text);
        if learned.is_none() && !of_the_held && (drops::is_about_others(&text) || self.names_a_stranger(said)) {
            return;
        }
        let of_team = PLURAL.is_match(&text).then(|| team::weighed(&text).ok()).flatten();
        let content = of_team.map_or_else(|| personal::stated(&text, tongue), |shared| shared.text);
        let short: String = tidy(&content).chars().take(CONTENT_MAX_CHARS).collect();
        let Ok(content) = Content::new(&short) else { return };
        let Ok(importance) = Importance::new(PLAIN) else { return };
        let (kind, importance) = learned.map_or((MemoryKind::Fact, importance), |learned| (learned.kind, learned.importance));
        let role = if learned.is_some_and(|learned| learned.role != ChangeRole::InPlace) {
            ChangeRole::Changed
        } else {
            ChangeRole::InPlace
        };
        if self.kept.iter().all(|s| s.content != content) {
            let statement = Statement { kind, content, importance };
            self.kept.push(Kept { statement, negates: None, role, mended: false });
        }
    }

    /// Whether it names a person about whom nothing is remembered; such a text replaces no memory.
    fn names_a_stranger(&self, said: &str) -> bool {
        let names = gate::check(said).into_iter().filter(|finding| finding.rule == "person_name");
        names.map(|finding| &said[finding.start..finding.end]).any(|name| !self.known.iter().any(|m| m.contains(name)))
    }
}
