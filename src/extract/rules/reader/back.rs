//! What the user withdraws: a new value for an old one, found by its term, its topic or by contrast.

use super::super::correction::{self, Correction};
use super::super::message::{DURABLE_CHANGE, REFUSED_TERM, adds};
use super::super::pattern::pattern;
use super::super::person::{Tongue, expand, third, tongue as tongue_of};
use super::super::personal::{self, Judged};
use super::super::retract::{self, Retraction};
use super::super::{clauses, drops, wishes};
use super::{ASKED, Reader};
use crate::domain::memory::MemoryKind;
use crate::domain::merging::holds_term;

pattern! {
    SELF = r"^(?:I|my|we|our|{AKU}|\w{3,}ku|(?:[\w/-]+ ){1,3}{AKU})\b";

    // A wish that rejects what was liked before, and says what is wanted instead.
    STOPS = r"^(?:please |ok |and |tolong |udah )*(?:stop|no more|enough|quit|lay off|drop|skip|away|jangan|berhenti|udahan|cukup)(?: (?:with|of|doing|using|writing|giving me|sending|the|those|all|pakai|pake|kasih|dengan|sama))* (?P<old>[^,;:]{2,40}?)(?: (?:lagi|terus))?\s*(?:[,;:–—]|\s-\s)\s*\S+ .*$";
    I_SAID = r"^i (?:said|asked for|meant|told you) (?:\S+ ?){1,3}$";
    // "No longer a student": the subject is omitted.
    UNSAID = r"^no longer (?:an? |the |in |on |at |with )[^,;]{2,60}|^not (?:an? |in |on |at |with )[^,;]{2,40} any ?(?:more|longer)\b|^(?:done|finished|through) with [^,;]{2,60}";
    SELF_SAID = r"\b(?:i|my|me|mine|we|our|us|{AKU}|kita|kami|\w{3,}ku|jawab\w*)\b|\b(?:pindah|ganti|udah|sudah)\b.*\b(?:sekarang|skrg)\b";
    CONTRAST = r"\b(?:now|no longer|any ?more|again|instead|rather than|than before|used to|changed|switched|moved|dropped|gave|finished|stopped|quit|history|these days|not|isn't|aren't|after all|became|graduated|promoted|gone|left|renamed|turned|went|swapped|traded|wrong|mistake|instead|replaced|sekarang|skrg|bukan|lagi|ganti|pindah|berhenti|berubah|geser|dipindah\w*|diganti|diubah|lulus|resign|keluar|batal|{GA} jadi|balik ke|udahan|mulai (?:bulan|minggu|hari|tahun) ini)\b";

    // An order to the memory that sounds like an order to write.
    RENAMES = r"^(?:please |ok |so )*(?:make (?:that|it)|change (?:that|it) to)\b";
}

impl Reader<'_> {
    /// Records what is withdrawn, and reads what is said instead. `false` if no memory is about it.
    pub(super) fn take_back(&mut self, back: &Retraction, question: bool) -> bool {
        let tongue = tongue_of(&back.topic);
        let Some(memory) = retract::memory(&third(&back.topic, tongue), self.known) else { return false };
        let memory = memory.to_owned();
        let Some(instead) = &back.instead else {
            // "Forget what I said about X" without more is a command to the memory.
            if back.command {
                return false;
            }
            self.taken_back = Some(memory);
            self.changing = true;
            return true;
        };
        let said = clauses::bare(&retract::spelled_out(instead, &back.topic)).text;
        let tongue = tongue_of(&said);
        let said = expand(&said, tongue);
        let says = SELF.is_match(&said) || wishes::wish(&said, tongue, false).is_some() || said.starts_with("it is ");
        if question || drops::is_question(&said) || (back.command && !says) {
            return false;
        }
        self.taken_back = Some(memory);
        self.changing = true;
        let kept = self.kept.len();
        if !self.change(&said, tongue, true) {
            self.statement(&said, tongue, true);
        }
        if self.kept.len() == kept {
            self.said_anew(&said, tongue);
        }
        true
    }

    /// After something was withdrawn, the next statement replaces it, whatever its shape.
    pub(super) fn said_anew(&mut self, text: &str, tongue: Tongue) {
        let known = self.known;
        if let Some(term) = self.taken_back.clone().filter(|back| !known.contains(back))
            && let Some(Correction { mended: Some(mended), old, .. }) = correction::mended_by_refusal(&term, text, known)
        {
            self.taken_back = None;
            return self.keep_mended(&mended, old);
        }
        let Some(memory) = self.taken_back.clone().filter(|back| known.contains(back)) else { return };
        if drops::is_chat(text) || drops::is_request(text) || drops::always(text).is_some_and(|rule| rule != "deictic") {
            return;
        }
        if let Some(Correction { mended: Some(mended), old, .. }) =
            correction::mended_by_kind(&format!("it is {text}"), std::slice::from_ref(&memory))
        {
            self.taken_back = None;
            return self.keep_mended(&mended, old);
        }
        let lasting = SELF.is_match(text) && text.split_whitespace().count() >= 3 && drops::fleeting(text).is_none();
        if lasting {
            self.taken_back = None;
            self.keep(&personal::stated(text, tongue), MemoryKind::Correction, ASKED, Some(memory));
        }
    }

    /// "Not Vue." "Svelte.": waits after the first sentence until the second says what is right.
    pub(super) fn refusal(&mut self, text: &str) -> bool {
        if let Some(old) = self.refused.clone()
            && let Some(Correction { mended: Some(mended), old, .. }) = correction::mended_by_refusal(&old, text, self.known)
        {
            self.refused = None;
            self.keep_mended(&mended, old);
            return true;
        }
        let Some(found) = REFUSED_TERM.captures(text).filter(|found| self.knows(&found["old"])) else { return false };
        self.refused = Some(found["old"].to_owned());
        self.changing = true;
        true
    }

    /// "I said light. Not dark.": the right value comes before the wrong one.
    pub(super) fn refused_after(&mut self, before: Option<&str>) {
        let corrected = self.kept.iter().any(|statement| statement.kind == MemoryKind::Correction);
        if let (Some(old), Some(before), false) = (self.refused.take(), before, corrected)
            && let Some(Correction { mended: Some(mended), old, .. }) = correction::mended_by_refusal(&old, before, self.known)
        {
            self.keep_mended(&mended, old);
        }
    }

    /// Whether the message as a whole says that something remembered has ended, or was never true.
    pub(super) fn doubts(&self, sentence: &str) -> bool {
        let known = self.known;
        !known.is_empty() && (correction::ended(sentence, known).is_some() || correction::held_by_you(sentence, known).is_some())
    }

    /// "You keep calling me Liz", "Tabs?": the remembered term is rejected until somebody says what is right.
    pub(super) fn doubt(&mut self, sentence: &str, question: bool) {
        let known = self.known;
        let brief = question && sentence.split_whitespace().count() <= 2;
        let old = correction::held_by_you(sentence, known)
            .or_else(|| brief.then(|| correction::held_part(sentence.trim_end_matches('?'), known)).flatten());
        if old.is_some() {
            self.refused = old;
        }
    }

    /// "Opsgenie is history.": withdraws the memory; the next sentence may say what is true.
    pub(super) fn over(&mut self, text: &str) -> bool {
        let corrected = self.kept.iter().any(|statement| statement.kind == MemoryKind::Correction);
        let few = |part: &str, most: usize| part.split_whitespace().count() <= most;
        let alone = correction::GONE.captures(text).is_some_and(|found| {
            found.get(0).is_some_and(|all| all.start() == 0) && few(&found["old"], 4) && few(&found["rest"], 1)
        });
        let Some(old) = correction::ended(text, self.known).filter(|_| alone) else { return false };
        let memory = self.known.iter().find(|memory| holds_term(memory, &old)).cloned();
        if !corrected && let Some(last) = self.kept.last_mut().filter(|last| last.negates.is_none()) {
            // "I use Dvorak. Qwerty was ages ago.": the previous sentence said what is true.
            last.kind = MemoryKind::Correction;
            last.negates = memory;
        } else if !corrected {
            self.taken_back = memory;
            self.changing = true;
        }
        true
    }

    /// Learns a correction; `false` if the sentence is not one.
    pub(super) fn change(&mut self, text: &str, tongue: Tongue, marked: bool) -> bool {
        if let Some(old) = STOPS.captures(text).and_then(|found| correction::held_part(&found["old"], self.known)) {
            let wish = wishes::instead(text);
            self.keep(&wish.text, MemoryKind::Correction, wish.importance, Some(old));
            return true;
        }
        if drops::is_request(text) && !marked {
            return false;
        }
        let marked = marked || I_SAID.is_match(text);
        let full = UNSAID.is_match(text).then(|| format!("I am {text}"));
        let text = full.as_deref().unwrap_or(text);
        let known = self.known;
        let by_kind = || if marked { correction::mended_by_kind(text, known).or_else(|| self.by_term(text)) } else { None };
        let by_move = || correction::mended_by_move(text, known).or_else(|| correction::mended_by_holding(text, known));
        let Some(Correction { new, old, mended }) = correction::read(text, marked, known).or_else(by_move).or_else(by_kind)
        else {
            return false;
        };
        if let Some(mended) = mended {
            self.keep_mended(&mended, old);
            return true;
        }
        let Some(new) = new else { return false };
        let old = if self.knows(&old) {
            old
        } else if let Some(part) = correction::held_part(&old, known) {
            part
        } else {
            let revalued = || correction::revalued(text, true, known).map(|change| change.old);
            correction::outdates(&third(&new, tongue), true, known).or_else(revalued).unwrap_or(old)
        };
        let tongue = if new == text { tongue } else { tongue_of(&new) };
        match personal::judge(&new, tongue, self.heard.asking) {
            Judged::Keep { text, importance, .. } => {
                self.keep(&text, MemoryKind::Correction, importance.max(ASKED), Some(old.clone()));
            }
            Judged::Drop(rule @ ("question" | "joke" | "quoted" | "hypothetical" | "role_play" | "other_person")) => {
                self.context.quoted = rule == "other_person";
                self.drop(rule);
                return true;
            }
            _ if drops::fleeting(&new).is_some() && !self.knows(&old) => {
                self.drop("one_off");
                return true;
            }
            _ if self.knows(&old) || (SELF.is_match(text) && DURABLE_CHANGE.is_match(text) && !personal::at_hand(&new)) => {
                self.keep(&personal::stated(&new, tongue), MemoryKind::Correction, ASKED, Some(old.clone()));
            }
            _ => return false,
        }
        if new == text {
            self.taken_back = Some(old);
        }
        true
    }

    /// A sentence about a change in something remembered replaces that memory, whatever its shape.
    pub(super) fn contrast(&mut self, text: &str, tongue: Tongue, marked: bool) {
        let text = &personal::with_subject(text, tongue);
        let own = marked || SELF_SAID.is_match(text) && CONTRAST.is_match(text);
        let tells = |clause: &String| SELF_SAID.is_match(clause) && CONTRAST.is_match(clause) && !drops::is_request(clause);
        let ordered = drops::is_request(text) && !clauses::clauses(text).iter().any(tells);
        let other = ordered || drops::is_chat(text) || drops::fleeting(text).is_some();
        if !own || other || personal::at_hand(text) || adds(text) {
            return;
        }
        let content = personal::stated(text, tongue);
        let known = self.known;
        if let Some(old) =
            correction::about(text, known).map(str::to_owned).or_else(|| correction::outdates(&content, true, known))
        {
            self.keep(&content, MemoryKind::Correction, ASKED, Some(old));
        }
    }

    /// A sentence with a new value for something remembered replaces that memory, whatever its shape.
    pub(super) fn revalue(&mut self, text: &str, tongue: Tongue, marked: bool) {
        let known = self.known;
        let ordered = drops::is_request(text) && !RENAMES.is_match(text);
        if ordered || adds(text) || drops::is_chat(text) || drops::always(text).is_some_and(|rule| rule != "deictic") {
            return;
        }
        if let Some(Correction { mended: Some(mended), old, .. }) = correction::revalued(text, marked, known) {
            self.keep_mended(&mended, old);
        } else if let Some(memory) = correction::faulted(text, known) {
            self.keep(&personal::stated(text, tongue), MemoryKind::Correction, ASKED, Some(memory.to_owned()));
        }
    }

    /// "No, Helix.": replaces one term by another of its kind.
    fn by_term(&self, text: &str) -> Option<Correction> {
        let brief = text.split_whitespace().count() <= 4 && !drops::is_chat(text) && !drops::is_request(text);
        if brief { correction::mended_by_kind(&format!("it is {text}"), self.known) } else { None }
    }

    pub(super) fn knows(&self, term: &str) -> bool {
        self.known.iter().any(|memory| holds_term(memory, term))
    }
}
