//! Changes that a message reports in its own words. Often one sentence says what is no longer true, the next what is true now,
//! and only together do they name what they replace.

use std::collections::HashSet;
use std::ops::{Deref, DerefMut, Range};

use super::super::echo::content_words;
use super::super::message::{ONCE, PLURAL, SAID_BUT, addressed, gives_power, planted};
use super::super::pattern::pattern;
use super::super::person::{expand, tongue};
use super::super::sentences::Sentence;
use super::super::weighed;
use super::super::{clauses, commands, correction, drops, team};
use super::Reader;
use super::unshaped::{AND_FORGET, FORGET_THEN, OF_SELF, ONLY_SAID, asks};
use crate::domain::claim::{Claim, Mended, Takes};
use crate::domain::gate;
use crate::domain::memory::{CONTENT_MAX_CHARS, Content, Importance, MemoryKind, Statement};
use crate::ports::extractor::{Known, Owner};

/// A statement, and how it was found.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub statement: Statement,
    /// The term that it withdraws, or the whole of a known memory.
    pub negates: Option<String>,
    pub role: ChangeRole,
    /// It is a remembered statement with a new value.
    pub mended: bool,
}

/// Whether a statement belongs to a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangeRole {
    Plain,
    Changed,
    /// Like `Changed`, but worth keeping only if it replaces a memory.
    InPlace,
}

impl Kept {
    fn is_of_change(&self) -> bool {
        self.negates.is_some() || self.role != ChangeRole::Plain
    }

    fn lasts(&self) -> bool {
        !self.mended && self.role != ChangeRole::InPlace
    }

    /// Converts it to a claim of its own.
    pub fn into_claim(self) -> Claim {
        let takes = match self.negates {
            Some(term) => Takes::Term(term),
            None if self.statement.kind == MemoryKind::Correction => Takes::Nearest,
            None => Takes::Nothing,
        };
        Claim::of(self.statement, takes)
    }
}

impl Deref for Kept {
    type Target = Statement;

    fn deref(&self) -> &Statement {
        &self.statement
    }
}

impl DerefMut for Kept {
    fn deref_mut(&mut self) -> &mut Statement {
        &mut self.statement
    }
}

/// What a sentence says, and what was learned from it.
pub(super) struct Told {
    text: String,
    learned: Range<usize>,
    /// The probability that it reports a change.
    share: f32,
    /// It says that something remembered is wrong.
    held: bool,
    /// No group continues past it: it was a command to remember, or says nothing.
    apart: bool,
}

/// Sentences that report one change.
#[derive(Default)]
struct Group {
    parts: Vec<String>,
    learned: Vec<usize>,
    /// One of them certainly reports a change, or says what is true instead of something remembered wrongly.
    sure: bool,
    /// One of them says that something remembered is wrong.
    held: bool,
    /// One of them is worth keeping by itself.
    stands: bool,
}

impl Group {
    /// Whether another part still fits into one memory.
    fn has_room_for(&self, part: &str) -> bool {
        // Room for the third person and the punctuation between.
        const SPARE: usize = 60;
        let long: usize = self.parts.iter().map(|part| part.chars().count()).sum();
        long + part.chars().count() + SPARE <= CONTENT_MAX_CHARS
    }
}

/// The probability of a change from which a sentence starts a group or continues one.
const BEGINS: f32 = 0.5;
const GOES_ON: f32 = 0.04;

/// After a sentence that mentions a secret, a sentence with at most this many words may be the secret.
const FEW_WORDS: usize = 6;

/// Maximum length in words of a correction that is merged into a memory's wording.
const BRIEF_WORDS: usize = 12;

// Refers to what was mentioned before, or to what is remembered; to a person only if one was mentioned.
pattern! {
    pub(super) POINTS_BACK = r"^(?:(?:so|and|but|jadi|dan|tapi) )?(?:it|it's|that's|these days|now it's|now i|instead|sekarang|skrg|kini|itu|gantinya)\b";
    OF_SOMEBODY = r"^(?:he|she|they|he's|she's|they're|dia|mereka)\b";
    KIN = r"\b(?:wife|husband|partner|girlfriend|boyfriend|kids?|child(?:ren)?|sons?|daughters?|mother|mum|mom|father|dad|brother|sister|cat|dog|horse|boss|manager|istri|suami|pacar|anak|ibu|ayah|bapak|kakak|adik|kucing|anjing|bos|atasan)\w{0,3}\b";
    // Contains something confidential: such a sentence is never grouped.
    NAMES_SECRET = r"\b(?:passwords?|passphrases?|passcodes?|passkeys?|pin|pins|logins?|credentials?|api keys?|combinations?|(?:seed|recovery) phrases?|tokens?|cvv|ssn|kata sandi|sandi|kode akses|rekening)\b";
    // Mentions something that has a secret: the next sentence may say it.
    HAS_SECRET = r"\b(?:keys?|codes?|wi-?fi|alarm|netflix|icloud|spotify|accounts?|kode|kunci|akun)\b";
    OF_KIN = r"^(?:the|our) (?:kids|children|baby|twins|boys|girls|dog|cat)\b|^(?:he|she|dia)\b";
    // "You have my dog's name wrong lol."
    FAULTS = r"\byou(?:'ve| have)?(?: got| have| had| noted| saved| stored| wrote| put)*(?: down)? (?:my|our|me|us|it|that) (?:[\w' -]{2,30}? )?(?:wrong|mixed up|backwards|incorrectly|incorrect|muddled)\b|\b(?:kamu|lo|lu) salah (?:catat|nyatet|ingat|inget|tulis)\b";

    SAYS_IT = r"^(?:(?:so|and|but|now|instead|sekarang|jadi|dan|tapi) )*(?:it|it's|that's|itu)\b";
    JOKES = r"^(?:just |only |i'm |i am |it's |it was |lol,? |haha,? )*(?:(?:kidding|joking|a joke|april fools?|bercanda|becanda|canda)\b.{0,12}|not really|psych|i wish)$";

    // "Where I teach is Ugep": not a question.
    TELLS_WHERE = r"^(?:where|what|who) (?:i|we|he|she|my|our) [\w' ]{2,40}? (?:is|are|was|were) \S";
}

impl Reader<'_> {
    /// Records what a sentence says. The statements from index `kept` on were learned from it.
    pub(super) fn hear(&mut self, sentence: &Sentence, kept: usize) {
        let mut text = clauses::bare(&sentence.text).text;
        // "…, so forget what I said before."
        let forgetting = AND_FORGET.captures(&text).or_else(|| FORGET_THEN.captures(&text));
        if let Some(said) = forgetting.map(|found| found["said"].to_owned()) {
            text = said;
        }
        if !is_safe(&text) || NAMES_SECRET.is_match(&text) {
            self.hushed = true;
            return self.gap();
        }
        let opens = HAS_SECRET.is_match(&text);
        // "I changed the PIN. It's 4711 now."
        self.hushed &= POINTS_BACK.is_match(&text);
        if self.hushed {
            let says_it = SAYS_IT.is_match(&text) && text.split_whitespace().count() <= FEW_WORDS;
            if says_it || text.contains(|c: char| c.is_ascii_digit()) {
                self.kept.truncate(kept);
            }
            return self.gap();
        }
        if JOKES.is_match(&text) {
            self.kept.truncate(kept);
            return self.unsaid();
        }
        let held = FAULTS.is_match(&text)
            || !self.known.is_empty()
                && (ONLY_SAID.is_match(&text) && correction::held_part(&text, self.known).is_some()
                    || correction::held_by_you(&text, self.known).is_some());
        if held && !self.kept[kept.min(self.kept.len())..].iter().any(Kept::is_of_change) {
            // Something called wrong is not a memory.
            self.kept.truncate(kept);
        }
        let learned = kept.min(self.kept.len())..self.kept.len();
        // "You said Ghent, but I live in Berlin."
        if let Some(found) = SAID_BUT.captures(&expand(&text, tongue(&text))).filter(|_| !learned.is_empty()) {
            found["rest"].clone_into(&mut text);
        }
        let commanded = commands::read(&text).is_some();
        if commanded && learned.is_empty() {
            return self.gap();
        }
        let mut parts = match () {
            () if commanded => self.kept[learned.clone()].iter().map(|kept| kept.content.as_str().to_owned()).collect(),
            () if sentence.question || asks(&text) && !TELLS_WHERE.is_match(&text) => {
                clauses::pieces(&text).into_iter().filter(|part| !asks(part)).collect()
            }
            () => vec![text.clone()],
        };
        parts.retain(|part| !drops::is_chat(part) && !part.is_empty());
        let whole = text;
        let text = parts.join(", ");
        let fixed = ONCE.is_match(&text)
            || match drops::always(&text) {
                None | Some("deictic" | "mood") => false,
                Some("quoted") => !self.repeats(&text),
                Some(_) => true,
            };
        if text.is_empty() || fixed && !held {
            return self.gap();
        }
        let share = if self.known.is_empty() {
            0.0
        } else if sentence.question {
            weighed::change(&text)
        } else {
            weighed::change(&text).max(weighed::change(&whole))
        };
        self.told.push(Told { text, learned, share, held, apart: commanded });
        if opens {
            self.hushed = true;
            self.gap();
        }
    }

    /// Discards what was said just before, because it was a joke.
    fn unsaid(&mut self) {
        if let Some(told) = self.told.pop().filter(|told| told.learned.end == self.kept.len()) {
            self.kept.truncate(told.learned.start);
        }
        self.gap();
    }

    /// Marks a gap across which nothing is grouped.
    pub(super) fn gap(&mut self) {
        self.told.push(Told { text: String::new(), learned: 0..0, share: 0.0, held: false, apart: true });
    }

    /// The changes, group by group. What was learned from a change is removed from the statements.
    pub(super) fn changes(&mut self) -> Vec<Claim> {
        let mut groups: Vec<Group> = Vec::new();
        // Groups before this index are closed.
        let mut closed = 0;
        for told in std::mem::take(&mut self.told) {
            let own = &self.kept[told.learned.clone()];
            let learned_of_it = own.iter().any(Kept::is_of_change);
            let lasting = own.iter().filter(|kept| kept.is_of_change() && kept.lasts()).count();
            if told.apart || lasting > 1 {
                // Two changes in one sentence are kept separate.
                groups.extend(told.learned.filter(|at| self.kept[*at].is_of_change()).map(|at| self.alone(at)));
                closed = groups.len();
                continue;
            }
            let points_back = POINTS_BACK.is_match(&told.text) || TELLS_WHERE.is_match(&told.text);
            if !own.is_empty() && !learned_of_it && !points_back {
                continue;
            }
            let tells = learned_of_it || told.held || told.share >= BEGINS;
            let goes_on = tells || points_back || told.share >= GOES_ON;
            let of_its_own = OF_SELF.is_match(&told.text) || OF_KIN.is_match(&told.text);
            let stands = lasting > 0 && of_its_own && !points_back;
            let of_somebody = OF_SOMEBODY.is_match(&told.text) && !OF_SELF.is_match(&told.text);
            let apart = |group: &Group| {
                let kin = || group.parts.iter().any(|part| KIN.is_match(part));
                let found_wrong = group.held && group.parts.len() > 1;
                stands && (group.stands || found_wrong) || of_somebody && !kin() || !group.has_room_for(&told.text)
            };
            let joins = goes_on && groups.len() > closed && groups.last().is_some_and(|group| !apart(group));
            if !joins {
                if !tells || of_somebody && lasting == 0 {
                    continue;
                }
                groups.push(Group::default());
            }
            let Some(group) = groups.last_mut() else { continue };
            group.parts.push(told.text);
            group.learned.extend(told.learned);
            group.sure |= learned_of_it || group.held || weighed::is_sure_of_change(told.share);
            group.held |= told.held;
            group.stands |= stands;
        }
        let (mut changes, mut told) = (Vec::new(), HashSet::new());
        for group in groups.into_iter().filter(|group| group.sure) {
            if self.is_of_the_held(&group)
                && let Some(change) = self.change_of(&group)
            {
                changes.push(change);
                told.extend(group.learned);
            }
        }
        let mut at = 0;
        self.kept.retain(|kept| {
            at += 1;
            !told.contains(&(at - 1)) && kept.role != ChangeRole::InPlace
        });
        changes
    }

    /// A change reported by a single statement.
    fn alone(&self, at: usize) -> Group {
        let parts = vec![self.kept[at].content.as_str().to_owned()];
        Group { parts, learned: vec![at], sure: true, stands: true, held: false }
    }

    /// "It's fine now" alone replaces no memory: something in it must be about the user, or about what is remembered.
    fn is_of_the_held(&self, group: &Group) -> bool {
        let [part] = group.parts.as_slice() else { return true };
        let said = content_words(part);
        group.held
            || OF_SELF.is_match(part)
            || group.learned.iter().any(|at| self.kept[*at].negates.is_some())
            || self.known.iter().any(|memory| !content_words(memory).is_disjoint(&said))
    }

    /// `None` if it cannot be kept as a change; what was learned from it is then kept as separate statements.
    fn change_of(&self, group: &Group) -> Option<Claim> {
        if !self.personal {
            return None;
        }
        let learned = || group.learned.iter().map(|at| &self.kept[*at]);
        let lasting = learned().find(|kept| kept.lasts());
        // If the text is long, or says by itself what is true, inserting the value into the memory may miss the point.
        let brief = group.parts.iter().map(|part| part.split_whitespace().count()).sum::<usize>() <= BRIEF_WORDS;
        let fits = brief && (group.held || lasting.is_none());
        let mended = learned().find(|kept| kept.mended && fits).and_then(|kept| self.mended_by(kept));
        let parts: Vec<String> = group.parts.iter().map(|part| in_third(part)).collect();
        let mut content = parts.join(". ");
        // The statement learned from it, if it leaves nothing out.
        if let (Some(kept), 1) = (lasting, group.learned.len())
            && content_words(&content).is_subset(&content_words(kept.content.as_str()))
        {
            kept.content.as_str().clone_into(&mut content);
        }
        if !gate::check_note(&content).is_empty() || !gate::secrets(&content).is_empty() || drops::holds_credential(&content) {
            return None;
        }
        let takes = learned().find_map(|kept| kept.negates.clone()).map_or(Takes::Nearest, Takes::Term);
        let kind = lasting.map_or(MemoryKind::Fact, |kept| kept.kind);
        let importance = learned().map(|kept| kept.importance).max().unwrap_or(Importance::DEFAULT);
        let says = Statement { kind, content: Content::new(&content).ok()?, importance };
        Some(Claim { mended, lasting: lasting.is_some(), ..Claim::of(says, takes) })
    }

    /// The user's memory with the new value in place of the withdrawn term.
    fn mended_by(&self, kept: &Kept) -> Option<Mended> {
        let words = |text: &str| -> HashSet<String> {
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let (old, new) = (words(kept.negates.as_deref().unwrap_or_default()), words(kept.content.as_str()));
        let meant = |known: &&Known| {
            let held = words(&known.text);
            known.owner == Owner::User && !held.is_disjoint(&old) && held.difference(&old).all(|word| new.contains(word))
        };
        let known = self.reading.known.iter().find(meant)?;
        Some(Mended { id: known.id.clone(), content: kept.content.clone() })
    }
}

fn in_third(part: &str) -> String {
    let tongue = tongue(part);
    let text = expand(part, tongue);
    let of_team = PLURAL.is_match(&text).then(|| team::weighed(&text).ok()).flatten();
    of_team.map_or_else(|| addressed(&text, tongue), |shared| shared.text)
}

/// Nothing in it is directed against somebody or is a secret.
fn is_safe(said: &str) -> bool {
    !gives_power(said) && !planted(said) && !drops::holds_credential(said) && gate::secrets(said).is_empty()
}
