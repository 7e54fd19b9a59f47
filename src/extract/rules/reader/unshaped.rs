//! Sentences without a known shape: a classifier learned from labelled utterances decides whether they are worth keeping.

use super::super::message::{CHANGED_MIND, PLURAL, has_changed};
use super::super::pattern::pattern;
use super::super::person::{expand, tongue as tongue_of};
use super::super::personal::{self, Judged};
use super::super::sentences::Sentence;
use super::super::weighed::{self, Weight, is_rather_team, weigh};
use super::super::{clauses, correction, drops, team};
use super::beside::WRITING;
use super::changes::{ChangeRole, Kept};
use super::{PLAIN, Reader, SHARED, SentenceContext};
use crate::domain::memory::MemoryKind;
use crate::domain::provenance::Origin;

/// A text with fewer words is too short for the classifier; for statements about oneself, two words are enough.
const LEAST_WORDS: usize = 4;
const LEAST_WORDS_OF_SELF: usize = 2;

impl Reader<'_> {
    /// Learns a sentence and records what it says.
    pub(super) fn learned(&mut self, sentence: &Sentence, before: Option<&Sentence>) {
        let kept = self.kept.len();
        self.learned_alone(sentence, before);
        self.hear(sentence, kept);
    }

    /// Learns a sentence by its shape, or else by its similarity to labelled utterances.
    fn learned_alone(&mut self, sentence: &Sentence, before: Option<&Sentence>) {
        if let Some(found) = FORGET_THEN.captures(&sentence.text) {
            self.changing = true;
            return self.learned_alone(&part(sentence, &found["said"]), before);
        }
        if let Some(found) = AND_FORGET.captures(&sentence.text) {
            self.changing = true;
            self.learned_alone(&part(sentence, &found["said"]), before);
            return self.learned_alone(&part(sentence, &found["back"]), before);
        }
        if ONLY_SAID.is_match(&sentence.text) && !sentence.question && correction::held_part(&sentence.text, self.known).is_some()
        {
            self.changing = true;
            return self.drop("quoted");
        }
        let (found, kept) = (self.found(), self.kept.len());
        let outdates = !self.known.is_empty() && weighed::tells_of_change(&sentence.text);
        let changed = outdates || tells_of_change(&sentence.text);
        self.context = SentenceContext { changed, household: team::is_of_family(&sentence.text), quoted: false };
        if !self.sentence(sentence, before) {
            // "You said X, but …": people often repeat the wrong value before they correct it.
            if outdates && self.context.quoted && self.found() == found && self.repeats(&sentence.text) {
                self.outdated(sentence, kept);
            }
            return;
        }
        if self.found() == found {
            self.unshaped(sentence);
        } else if !outdates {
            self.fleeting(sentence, kept);
        }
        if outdates {
            self.outdated(sentence, kept);
        }
    }

    /// Removes what was kept of a sentence, from index `kept` on, if it has the shape of a statement but certainly is not one.
    fn fleeting(&mut self, sentence: &Sentence, kept: usize) {
        let plain = |kept: &Kept| kept.negates.is_none() && kept.role == ChangeRole::Plain;
        let said = clauses::bare(&sentence.text).text;
        if self.kept.len() > kept
            && self.kept[kept..].iter().all(plain)
            && weighed::is_surely_none(&said)
            && clauses::pieces(&said).iter().all(|piece| weighed::is_surely_none(piece))
        {
            self.kept.truncate(kept);
            self.drop("not_durable");
        }
    }

    /// Whether a sentence repeats what the assistant remembers, and not what somebody else said.
    pub(super) fn repeats(&self, said: &str) -> bool {
        YOU_SAID.is_match(said) || correction::held_part(said, self.known).is_some()
    }

    fn unshaped(&mut self, sentence: &Sentence) {
        let text = clauses::bare(&sentence.text).text;
        if !sentence.question && !asks(&text) {
            return self.weighed(&sentence.text, &text, false);
        }
        // There may be a statement next to a question; after a colon comes its material.
        let pieces = clauses::pieces(&text);
        if pieces.len() > 1 && !text.contains(": ") {
            // In a request to write something, most of the text is material.
            let doubtful = WRITING.is_match(&text);
            for piece in pieces.iter().filter(|piece| !asks(piece) && !LEADS_IN.is_match(piece)) {
                self.weighed(piece, piece, doubtful);
            }
        }
    }

    /// Keeps a sentence that reports a change as a whole, to replace a similar memory, unless something learned from it, from
    /// index `kept` on, names what it withdraws. Of a request, only the parts that state something are kept.
    fn outdated(&mut self, sentence: &Sentence, kept: usize) {
        if self.kept[kept..].iter().any(|statement| statement.negates.is_some()) {
            return;
        }
        let text = clauses::bare(&sentence.text).text;
        let asking = sentence.question || asks(&text);
        if asking && self.kept.len() > kept {
            return;
        }
        let parts = if asking { clauses::pieces(&text) } else { vec![text] };
        let parts: Vec<String> =
            parts.into_iter().filter(|part| !asking || (!asks(part) && weighed::tells_of_change(part))).collect();
        let learned = self.kept.split_off(kept);
        for part in parts {
            self.keep_in_place(&part, learned.first());
        }
        if self.kept.len() == kept {
            self.kept.extend(learned);
        }
    }

    /// A text that speaks for the team, by its shape or, if it uses the plural, by the classifier.
    pub(super) fn shared(&self, text: &str) -> Result<team::Shared, &'static str> {
        let household = self.context.household;
        let lasts = || matches!(personal::judge(text, tongue_of(text), self.heard.asking), Judged::Keep { .. });
        let alike = || {
            weigh(text, is_doubtful(text), false) == Some(Weight::Team)
                || ((is_rather_team(text) || team::is_work(text)) && lasts())
        };
        team::read(text, self.heard.ordering)
            .or_else(|rule| if PLURAL.is_match(text) && !household && alike() { team::weighed(text) } else { Err(rule) })
    }

    fn found(&self) -> usize {
        self.kept.len() + self.out.candidates.len() + self.out.claims.len()
    }

    fn weighed(&mut self, said: &str, text: &str, doubtful: bool) {
        let tongue = tongue_of(text);
        let text = expand(text, tongue);
        let least = if OF_SELF.is_match(&text) { LEAST_WORDS_OF_SELF } else { LEAST_WORDS };
        let brief = text.split_whitespace().count() < least;
        if brief || drops::is_chat(&text) || !is_prose(said) {
            return;
        }
        let doubtful = doubtful || is_doubtful(&text);
        match weigh(said, doubtful, team::is_doubtful(&text)) {
            // A statement that is not explicitly about the user needs a higher probability.
            Some(Weight::Personal) if !OF_SELF.is_match(&text) && weigh(said, true, true).is_none() => {}
            Some(Weight::Personal) => {
                self.keep_or_correct(&personal::stated(&text, tongue), MemoryKind::Fact, PLAIN, self.changing);
            }
            Some(Weight::Team) if self.context.household && PLURAL.is_match(&text) => self.drop("person"),
            Some(Weight::Team) => match team::weighed(&text) {
                Ok(shared) => self.propose(&shared, Origin::Assistant, SHARED),
                Err(rule) => self.drop(rule),
            },
            None => {}
        }
    }
}

pattern! {
    pub(super) OF_SELF = r"\b(?:i|i'm|i've|i'd|i'll|im|ive|my|me|mine|myself|we|our|us|{AKU}|kita|kami|\w{3,}ku)\b";
    YOU_SAID = r"\b(?:you|kamu|lo|lu|kau)\b.{0,20}\b(?:said|say|told|wrote|have|had|put|bilang|tulis|catat)\b";
    // It does not say what is true instead.
    pub(super) ONLY_SAID = r"^(?:\w+,? )?(?:(?:you|kamu|lo|lu) (?:(?:just|once|tadi|kemarin) )?(?:said|told me|wrote|noted|have (?:noted|stored|saved)|bilang|catat|nyatet)|i (?:once |earlier )?(?:said|told you)|when i (?:said|told you))\b[^,;–—]{0,120}$";
    // "At our nursery school, …": only a place, and no statement about it.
    LEADS_IN = r"^(?:at|in|on|for|with|di|pada|untuk|buat) (?:our |the |my |tempat )?(?:[\w'-]+ ?){1,4}$";
    FOR_A_WHILE = r"\b(?:for the next|until then|for the rest of|in a (?:minute|moment|bit)|(?:an|one|two|\d+) (?:hours?|minutes?) ago|(?:is|are) killing me|last night|this (?:morning|afternoon|evening|weekend)|tonight|just now|malam ini|hari ini|tadi|barusan)\b";
    NOT_SAID = r#"["“”„«»]|^\W*\[|-----|[{}<>]|\w\(\)"#;
}

/// Whether a text looks as if it were about today or about somebody else; it then needs a higher probability.
fn is_doubtful(text: &str) -> bool {
    drops::fleeting(text).is_some() || drops::always(text).is_some() || drops::is_about_others(text) || FOR_A_WHILE.is_match(text)
}

/// Not a quotation, and not a line of a log, of code or of a key.
fn is_prose(said: &str) -> bool {
    let (upper, lower) = said
        .chars()
        .filter(|c| c.is_alphabetic())
        .fold((0, 0), |(upper, lower), c| if c.is_uppercase() { (upper + 1, lower) } else { (upper, lower + 1) });
    upper <= lower && !NOT_SAID.is_match(said)
}

// "Forget that, we are going with Azure", "I moved to Porto, so forget what I said about Dublin": two things in one sentence.
pattern! {
    pub(super) FORGET_THEN = r"^(?:please |ok |no |tolong |eh )*(?:actually |oh |wait )*(?:forget|scrap|ignore|disregard|strike|cancel|lupakan|lupain|abaikan|coret|batalin|batalkan|batal)(?: (?:that|it|this|what i (?:said|told you|wrote)(?: (?:before|earlier))?(?: about [^,;]{1,40}?)?|before|earlier|(?:yang|permintaan|info|soal) [^,;]{1,40}?|itu|deh|dulu|tadi))+\s*[,;:–—-]+\s*(?P<said>\S.{6,})$";
    pub(super) AND_FORGET = r"^(?P<said>\S.{8,}?)(?:[,;]|\s[-–—]|\s(?:so|and|jadi|dan|makanya)\b)+\s*(?:so |and |please |jadi |dan |tolong )*(?P<back>(?:forget|ignore|disregard|scrap|lupakan|lupain|abaikan|hapus) (?:what|about|the|that|my|yang|soal|tentang|permintaan|info|catatan)\b.*)$";
}

/// A part of a sentence as a sentence of its own.
fn part(whole: &Sentence, text: &str) -> Sentence {
    Sentence { text: text.to_owned(), question: whole.question, opens: whole.opens }
}

pattern! { NEWS = r"\b(?:new (?:rota|schedule|system|menu|price|version|job|employer|boss|place|flat|house|home|phone|car|bike|laptop|machine|desk|office|doctor|school|rule|policy|name|number|address|role|title|position|diet|hours|shift)|used to|you had (?:it|that|me|us|my|our|the)|you(?: have|'ve)? got (?:it|that|me|my|our|the) [\w ]{0,24}?wrong|turns? out|the old|no more|promoted|split up|separated|instead|by mistake|typo|(?:it|that) should (?:be|say|read)|yang benar|ternyata|aslinya|sebenarnya|baru pindah)\b" }
/// Whether something is said to differ from what it was, or from what is remembered.
fn tells_of_change(sentence: &str) -> bool {
    has_changed(sentence) || CHANGED_MIND.is_match(sentence) || NEWS.is_match(sentence) || clauses::bare(sentence).corrects
}

pub(super) fn asks(text: &str) -> bool {
    let text = expand(text, tongue_of(text));
    drops::is_question(&text) || drops::is_request(&text)
}

#[cfg(test)]
mod tests {
    use super::super::super::read;
    use super::super::super::tests::{changes_and_others, known as known_as, statements};
    use crate::domain::claim::Claim;
    use crate::domain::exchange::Exchange;
    use crate::domain::moment::Moment;
    use crate::domain::people::UserId;
    use crate::domain::provenance::Surface;
    use crate::ports::extractor::{Extraction, Material};

    fn learned(message: &str) -> Extraction {
        learned_beside(message, &[])
    }

    fn learned_beside(message: &str, known: &[&str]) -> Extraction {
        let known = known_as(&known.iter().map(|memory| (*memory).to_owned()).collect::<Vec<_>>());
        let exchange = Exchange {
            external_id: None,
            user: Some(UserId::new("u1").expect("valid")),
            surface: Surface::new("web").expect("valid"),
            thread: None,
            at: Moment(0),
            message: message.to_owned(),
            reply: "Okay.".to_owned(),
        };
        read(&Material { exchange: &exchange, known: &known, personal: true, global: true })
    }

    fn says(claim: &Claim) -> &str {
        claim.says.as_ref().expect("a statement").content.as_str()
    }

    #[test]
    fn statements_without_a_shape_are_learned_by_their_likeness() {
        for (said, team) in [
            ("Ever since the knee surgery I have stuck to swimming.", false),
            ("Invoices leave the house on the third of each month.", true),
            ("Can you draft a note? Our checkout is at half past ten.", true),
        ] {
            let out = learned(said);
            assert_eq!((statements(&out).count(), out.candidates.len()), if team { (0, 1) } else { (1, 0) }, "{said}: {out:?}");
        }
        for said in ["The build is red again.", "Perfect, the second one.", "Print the numbers 1 to 10 in Rust", "I'm so tired."]
        {
            let out = learned(said);
            assert!(statements(&out).count() == 0 && out.candidates.is_empty(), "{said}: {out:?}");
        }
    }

    #[test]
    fn a_household_speaks_for_itself_and_a_firm_for_a_team() {
        for (said, team) in [
            ("We have two daughters, 4 and 7.", false),
            ("Our dog Pixel has epilepsy.", false),
            ("My partner and I split up, so I'm single these days.", false),
            ("The kids are at Montessori now, we took them out of the Catholic school.", false),
            ("We deploy with Argo CD.", true),
            ("Our warehouse uses Zebra scanners.", true),
        ] {
            assert_eq!(learned(said).candidates.len(), usize::from(team), "{said}: {:?}", learned(said));
        }
    }

    #[test]
    fn a_change_is_noticed_and_an_addition_is_none() {
        for (said, change) in [
            ("I've switched to decaf.", true),
            ("Forget that, I live in Porto.", true),
            ("I drink decaf.", false),
            ("I also play the cello now.", false),
        ] {
            let out = learned(said);
            let (changes, others) = changes_and_others(&out);
            assert_eq!((changes.len(), others.len()), if change { (1, 0) } else { (0, 1) }, "{said}: {out:?}");
        }
    }

    #[test]
    fn a_correction_may_take_two_sentences() {
        let known = ["The user plays the cello.", "The user takes ramipril.", "Pengguna kerja sebagai perawat."];
        for (said, end) in [
            ("I no longer play the cello. It's the accordion these days.", "accordion these days"),
            ("The doctor took me off the ramipril. It's losartan now, one in the morning.", "one in the morning"),
            ("Aku udah nggak kerja sebagai perawat. Sekarang buka praktik bidan.", "buka praktik bidan"),
        ] {
            let out = learned_beside(said, &known);
            let (changes, others) = changes_and_others(&out);
            assert_eq!((changes.len(), others.len()), (1, 0), "{said}: {out:?}");
            assert!(says(changes[0]).ends_with(end), "{said}: {out:?}");
        }
        for said in [
            "I no longer play the cello. I take losartan instead of ramipril now.",
            "I no longer play the cello. Can you find me an accordion teacher?",
            "I no longer play the cello. Remember that I'm left-handed.",
            "I no longer play the cello. The kids are at Montessori now.",
            "I no longer play the cello. She is pregnant and has diabetes.",
            "I no longer play the cello. My PIN is 1234. It's easy to remember.",
        ] {
            let out = learned_beside(said, &known);
            assert!(!says(changes_and_others(&out).0[0]).contains(". "), "{said}: {out:?}");
        }
    }

    #[test]
    fn what_is_said_twice_is_kept_once_and_nothing_else_is_lost() {
        let out = learned_beside("I'm vegan now. I live in Porto. Remember that I'm vegan now.", &["The user plays chess."]);
        assert_eq!(statements(&out).count(), 2, "{out:?}");
        let out = learned_beside(
            "I've switched to decaf. I've switched to decaf.",
            &["The user drinks espresso.", "The user drinks tea."],
        );
        assert_eq!(statements(&out).count(), 1, "{out:?}");
    }
}
