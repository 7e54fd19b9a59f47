//! Reads a message sentence by sentence and collects what the other modules decide.

mod back;
mod beside;
mod changes;
mod family;
mod keep;
mod unshaped;

use super::commands::{self, Command};
use super::correction;
use super::message::{
    CHANGED_MIND, Heard, ONCE, OUT_OF_DATE, PLURAL, POLITE_WISH, SAID_BUT, TAGGED, gives_power, has_changed, planted,
    secret_sentences,
};
use super::pattern::pattern;
use super::person::{Tongue, expand, third, tongue};
use super::personal::{self, Judged};
use super::sentences::{self, Sentence};
use super::{clauses, drops, echo, retract, team, wishes};
use crate::domain::claim::Claim;
use crate::domain::gate;
use crate::domain::memory::MemoryKind;
use crate::domain::provenance::Origin;
use crate::ports::extractor::{Extraction, Material};
use changes::{Kept, Told};

/// Importance of something that the user asked to remember.
const ASKED: i64 = 4;
/// Importance of something mentioned in passing.
const PLAIN: i64 = 3;
/// Importance of a proposal for the team.
const SHARED: i64 = 3;
const SHARED_ON_REQUEST: i64 = 4;
/// Only this many characters of a message are read; nobody states a preference in a novel.
const READ_MAX_CHARS: usize = 20_000;

pattern! { NOW_IT = r"^(?:it|that|they)(?: is|'s| are|'re)? .{1,30}\bnow$|^(?:still|back|now) (?:on|in|at|to|with|using) \S" }

pub struct Reader<'a> {
    reading: &'a Material<'a>,
    /// The texts of what is known.
    known: &'a [String],
    personal: bool,
    heard: Heard,
    /// "Remember these: …" started a list.
    asked: Option<Wanted>,
    /// What the previous sentence withdrew without saying what is true now.
    taken_back: Option<String>,
    /// The previous sentence rejected a term without saying what is right: "Not Vue."
    refused: Option<String>,
    kept: Vec<Kept>,
    told: Vec<Told>,
    /// The previous sentence mentioned a secret.
    hushed: bool,
    /// Something in the message was said to have changed; later sentences are read with that in mind.
    changing: bool,
    /// The context in which this sentence is read.
    context: SentenceContext,
    /// The family member mentioned last.
    family: Option<String>,
    out: Extraction,
}

/// What the sentence as a whole says about its parts.
#[derive(Clone, Copy, Default)]
struct SentenceContext {
    /// Something was said to have changed.
    changed: bool,
    /// A family is mentioned: "we" is a household.
    household: bool,
    /// It quotes what somebody said.
    quoted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Personal,
    Team,
}

impl<'a> Reader<'a> {
    pub fn new(reading: &'a Material<'a>, known: &'a [String]) -> Self {
        let personal = reading.personal && reading.exchange.user.is_some();
        Self {
            reading,
            known,
            personal,
            heard: Heard::default(),
            asked: None,
            taken_back: None,
            refused: None,
            kept: Vec::new(),
            told: Vec::new(),
            hushed: false,
            changing: false,
            context: SentenceContext::default(),
            family: None,
            out: Extraction::default(),
        }
    }

    pub fn read(mut self) -> Extraction {
        let message: String = self.reading.exchange.message.chars().take(READ_MAX_CHARS).collect();
        let (sentences, aside) = sentences::split(&message);
        if aside {
            self.drop("quoted");
        }
        self.note_echo();
        if sentences.iter().any(|s| drops::always(&s.text) == Some("asked_not_to")) {
            self.drop("asked_not_to");
            return self.out;
        }
        self.heard = Heard::in_message(&sentences);
        let secret = secret_sentences(&sentences);
        self.changing = sentences.iter().enumerate().any(|(at, sentence)| !secret[at] && self.doubts(&sentence.text));
        for (at, sentence) in sentences.iter().enumerate() {
            if secret[at] {
                self.drop("secret");
                self.hushed = true;
                self.gap();
                if sentence.text.contains(gate::REDACTED) {
                    self.beside_secret(&sentence.text);
                }
                continue;
            }
            if drops::opens_fiction(&sentence.text) && commands::read(&sentence.text).is_none() {
                self.drop("hypothetical");
                break;
            }
            let before = at.checked_sub(1).filter(|before| !secret[*before]).map(|before| &sentences[before]);
            self.learned(sentence, before);
            self.doubt(&sentence.text, sentence.question);
        }
        let last = sentences.iter().enumerate().rev().filter(|(at, _)| !secret[*at]).map(|(_, sentence)| sentence);
        let before = last.map(|sentence| clauses::bare(&sentence.text).text).find(|text| !correction::is_refusal(text));
        self.refused_after(before.as_deref());
        let changes = self.changes();
        self.out.claims.extend(changes);
        self.out.claims.extend(self.kept.into_iter().map(Kept::into_claim));
        self.out
    }

    fn drop(&mut self, rule: &'static str) {
        if !self.out.dropped.contains(&rule) {
            self.out.dropped.push(rule);
        }
    }

    /// Replies are never learned from. A reply that repeats a memory is reported, for people who tune the rules.
    fn note_echo(&mut self) {
        if self.known.is_empty() {
            return;
        }
        let reply: String = self.reading.exchange.reply.chars().take(READ_MAX_CHARS).collect();
        let said: Vec<_> = sentences::split(&reply).0.into_iter().map(|s| s.text).collect();
        if echo::restates(&said, self.known) {
            self.drop("echo");
        }
    }

    /// `true` if no rule decided about the sentence.
    fn sentence(&mut self, sentence: &Sentence, before: Option<&Sentence>) -> bool {
        let bare = clauses::bare(&sentence.text);
        if bare.text.is_empty() {
            return false;
        }
        if gives_power(&sentence.text) {
            return self.settled("planted_instruction");
        }
        let tongue = tongue(&bare.text);
        let text = team::in_one_voice(&expand(&bare.text, tongue));
        if ONCE.is_match(&text) {
            return self.settled("one_off");
        }
        if let Some(back) = retract::read(&text)
            && self.take_back(&back, sentence.question)
        {
            return false;
        }
        if OUT_OF_DATE.is_match(&text) || OUT_OF_DATE.is_match(&sentence.text) {
            self.changing = true;
            return false;
        }
        if (!sentence.question || POLITE_WISH.is_match(&text))
            && let Some(command) = commands::read(&text).or_else(|| commands::read(&sentence.text))
        {
            self.command(command, sentence, before);
            return false;
        }
        if sentence.opens && sentences::hands_over(&sentence.text) {
            return self.settled("one_off");
        }
        match self.asked {
            Some(Wanted::Personal) if !sentence.question => {
                self.remember(&text);
                return false;
            }
            Some(Wanted::Team) if !sentence.question => {
                self.share(&text);
                return false;
            }
            _ => {}
        }
        if self.refusal(&text) || self.over(&text) {
            return false;
        }
        if planted(&text) && wishes::wish(&text, tongue, false).is_none() {
            return self.settled("planted_instruction");
        }
        self.changing |= bare.corrects || CHANGED_MIND.is_match(&text);
        let (text, question) = match TAGGED.captures(&sentence.text).filter(|_| sentence.question) {
            Some(_) => (text, false),
            None => (text, sentence.question),
        };
        if question || drops::is_question(&text) {
            self.question(&text);
            return true;
        }
        if drops::always(&sentence.text) == Some("joke") {
            return self.settled("joke");
        }
        if correction::is_slip(&text) && self.change(&text, tongue, true) {
            return false;
        }
        if let Some(found) = SAID_BUT.captures(&text) {
            self.put_right(&text[..text.len() - found["rest"].len()], &found["rest"]);
            return false;
        }
        if let Some(rule) = drops::always(&text).filter(|rule| *rule != "deictic" && *rule != "mood") {
            return self.settled(rule);
        }
        if self.change(&text, tongue, bare.corrects || self.changing) {
            return false;
        }
        if before.is_some_and(|before| beside::instead(&before.text, &text)) {
            self.wish_instead(&text);
            return false;
        }
        let (kept, shared) = (self.kept.len(), self.out.candidates.len());
        self.statement(&text, tongue, bare.corrects);
        if self.kept.len() == kept {
            self.said_anew(&text, tongue);
        }
        if self.kept.len() == kept && self.out.candidates.len() == shared {
            self.contrast(&text, tongue, bare.corrects || self.changing);
        }
        if self.kept.len() == kept {
            self.revalue(&text, tongue, bare.corrects || self.changing);
        }
        true
    }

    /// "You said X, but Y": learns Y, which replaces what the first part names.
    fn put_right(&mut self, wrong: &str, rest: &str) {
        self.drop("quoted");
        self.changing = true;
        let kept = self.kept.len();
        let rest = clauses::bare(rest).text;
        let tongue = tongue(&rest);
        let rest = expand(&rest, tongue);
        if !self.change(&rest, tongue, true) {
            self.statement(&rest, tongue, true);
        }
        let old = correction::held_part(wrong, self.known);
        if self.kept.len() == kept && old.is_some() && drops::fleeting(&rest).is_none() && !drops::is_request(&rest) {
            return self.keep(&personal::stated(&rest, tongue), MemoryKind::Correction, ASKED, old);
        }
        if let Some(statement) = self.kept.get_mut(kept).filter(|_| old.is_some()) {
            statement.kind = MemoryKind::Correction;
            statement.negates = old;
        }
    }

    /// Records that a rule decided about the sentence.
    fn settled(&mut self, rule: &'static str) -> bool {
        self.context.quoted = rule == "quoted";
        self.drop(rule);
        false
    }

    fn command(&mut self, command: Command, sentence: &Sentence, before: Option<&Sentence>) {
        match command {
            Command::ForgetAll => self.drop("forget_all"),
            Command::Idle => self.drop("small_talk"),
            Command::Forget(query) if self.personal => {
                let tongue = tongue(&query);
                self.out.claims.push(Claim::forget_that(&third(&expand(&query, tongue), tongue)));
            }
            Command::Forget(_) => {}
            Command::Remember(text) => self.told_to(Wanted::Personal, &text, sentence, before),
            Command::Team(text) => self.told_to(Wanted::Team, &text, sentence, before),
        }
    }

    /// Keeps what is said; where nothing is, what the sentences after it or the one before say.
    fn told_to(&mut self, wanted: Wanted, text: &str, sentence: &Sentence, before: Option<&Sentence>) {
        let keep = match wanted {
            Wanted::Personal => Self::remember,
            Wanted::Team => Self::share,
        };
        if !text.trim().is_empty() {
            keep(self, text);
        } else if sentence.opens {
            self.asked = Some(wanted);
        } else if let Some(before) = before.filter(|s| !s.question) {
            keep(self, &clauses::bare(&before.text).text);
        }
    }

    fn clause(&mut self, text: &str, tongue: Tongue, corrects: bool) {
        if tongue == Tongue::English && self.of_family(text) {
            return;
        }
        if NOW_IT.is_match(text)
            && let Some(correction::Correction { mended: Some(mended), old, .. }) = correction::mended_by_kind(text, self.known)
        {
            return self.keep_mended(&mended, old);
        }
        if !(PLURAL.is_match(text) || team::speaks(text)) || !self.is_ours(text) {
            match self.own(text, tongue, corrects) {
                None | Some("one_off" | "not_durable") if self.fills(text, tongue, corrects) => return,
                None | Some("one_off" | "not_durable") => {}
                Some(_) => return,
            }
        }
        match self.shared(text) {
            Ok(shared) => {
                self.propose(&shared, Origin::Assistant, SHARED);
                self.set_right(text, &shared.text, corrects);
            }
            Err(rule) => self.drop(rule),
        }
    }

    /// A statement about the team's present practice may replace something that this user had remembered about it.
    fn set_right(&mut self, said: &str, content: &str, corrects: bool) {
        let marked = corrects || self.changing || has_changed(said);
        if marked && let Some(old) = correction::outdates(content, true, self.known) {
            self.keep(content, MemoryKind::Correction, ASKED, Some(old));
        }
    }

    /// A statement that replaces something remembered is worth remembering, whatever its shape.
    fn fills(&mut self, text: &str, tongue: Tongue, corrects: bool) -> bool {
        if !(corrects || self.changing) || drops::fleeting(text).is_some() || drops::is_request(text) {
            return false;
        }
        let content = personal::stated(text, tongue);
        let Some(old) = correction::fills_the_place_of(&content, self.known) else { return false };
        self.keep(&content, MemoryKind::Correction, ASKED, Some(old));
        true
    }

    /// Keeps a clause that says something lasting about the user. Returns the rule that decided, if any.
    fn own(&mut self, text: &str, tongue: Tongue, corrects: bool) -> Option<&'static str> {
        match personal::judge(text, tongue, self.heard.asking) {
            Judged::Keep { text: content, .. } if planted(&content) => {
                self.drop("planted_instruction");
                Some("planted_instruction")
            }
            Judged::Keep { kind, importance, text: content } => {
                let restyled = correction::restyles(&content, self.known);
                let marked = corrects || self.changing || restyled || has_changed(text);
                self.keep_or_correct(&content, kind, importance, marked);
                Some("kept")
            }
            Judged::Drop(rule) => {
                self.drop(rule);
                Some(rule)
            }
            Judged::Nothing => None,
        }
    }

    /// A first person plural that speaks for a team: it is proposed, not kept as personal.
    fn is_ours(&self, text: &str) -> bool {
        self.reading.global && self.shared(text).is_ok()
    }
}
