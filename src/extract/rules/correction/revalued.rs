//! A new value for the same thing: "the bakery opens at six now", remembered as "Bakery opens at seven".
//!
//! People do not repeat the wording of a memory, but the topic and the kind of value usually identify it. A sentence is about a
//! memory if they share a significant word and a kind of value. If the sentence says that something changed, the kind of value is
//! enough, provided only one memory has it. A value that the user calls wrong must be remembered: "line 40, not line 14" replaces
//! nothing else.

use std::collections::BTreeSet;

use super::super::pattern::pattern;
use super::held::without_twins;
use super::mended::mend;
use super::values::{Kind, Value, heads, names_things, root, values};
use super::{Correction, POINTS, held_part};
use crate::domain::merging::holds_term;

/// A sentence with more words tells a story.
const MOST_WORDS: usize = 24;
/// Without a sign of a change, the sentence must contain this share of the words that a memory is about.
const COVERED: f64 = 0.5;
/// Maximum length in words of a sentence that is about the memory itself and names only the value.
const STORED_WORDS: usize = 16;
/// Maximum length in words of a new value stated by itself.
const BARE_WORDS: usize = 6;

// Says by itself that something is different now.
pattern! {
    CUE = r"\b(?:now|no longer|any ?more|any longer|instead|these days|nowadays|changed?|switched|swapped|moved|gone up|went up|went down|goes up|became|turned|turns out|after all|from now on|by now|i meant|i mean|make (?:it|that)|scratch that|by mistake|mistaken|misspoke|given up|gave up|settled on|up to|down to|got sold|retired|update|correction|started|starting|upgraded|downgraded|promoted|replaced|renamed|not|isn't|aren't|nope|since (?:{DAY}|last|this|yesterday|the|i|we)|sekarang|skrg|kini|bukan|ternyata|ganti|diganti|pindah|dipindah|berubah|jadi|menjadi|{GA} (?:jadi|lagi)|lagi|salah|maksud\w*|ralat|koreksi|udah|sudah|mulai|sejak|naik|turun)\b";
    // What the user calls wrong: it must be remembered, or nothing is replaced.
    REFUSED = r"(?:\b(?:not|isn't|aren't|instead of|rather than|bukan(?:nya)?|{GA} jadi|no more)\b|\bfrom\b) (?:the |a |an |my |on |at |in |di |jam )?(?P<old>[\w:.%-]+(?: [\w:.%-]+)?)";
    // The same, with the reason after it: "Greece was too hot", "oil was wrong", "from Heathrow any more".
    FAULTED = r"\b(?P<old>[\w:.%-]+) (?:(?:was|were|is|are|got) (?:too|wrong|not|a mistake|cancel\w*|sold|gone|closed|retired|over|out)\b|any ?more\b|any longer\b|by mistake\b|lagi\b|(?:itu )?(?:salah|keliru)\b)";
    // What is stored, according to the user: "you have 7 in there", "kamu catatnya kimia".
    HELD_WRONG = r"\b(?:you(?:'ve| have)? (?:have|had|got|noted|wrote|stored|put|saved)|(?:kamu|lo|lu) (?:catat|nyatet|tulis|simpan|ingat|kira)\w*) (?:down )?(?P<old>[\w:.%-]+)";
    // One more, not a different one.
    ADDS = r"\b(?:also|too|as well|another|besides|in addition|both|juga|plus|either)\b";
    // A single event, or a wish: a change only if the sentence says so.
    NARRATES = r"\b(?:was|were|had|did|went|ran|saw|ate|bought|made|got|had|will|would|want|need|\w{3,}ed|going to|mau|pengen|akan|pernah|beli)\b";
    // Mentions what is stored, or that it was said differently before.
    STORED = r"\b(?:i (?:meant|mean|misspoke)|make that|scratch that|by mistake|you(?:'ve| have| had| wrote| noted| stored| saved| put)|stored|noted|in your (?:notes|memory)|maksud\w*|catat\w*|ralat|koreksi|correction|update)\b";
    // About somebody else, a text, or a possibility: no memory changes.
    ASIDE = r"^(?:if|when|suppose|imagine|let's say|say|what|kalau|kalo|jika|andai\w*|misal\w*|katanya|menurut)\b|\b(?:if i|would|could|might|maybe|perhaps|example|exercise|story|novel|poem|title|heading|paragraph|sentence|table|column|row|line|page|step|chapter|question|answer|text|article|email|draft|code|slide|formula|equation|(?:judul|paragraf|kalimat|baris|halaman|tabel|kolom|contoh|soal|cerita|jawaban|artikel)(?:nya)?|friend|neighbou?r|cousin|he|she|they|his|her|their|teman|temen|tetangga|sepupu|dia|mereka|mungkin|kayaknya)\b|(?:=|->|→)|\btimes \d";
    IN_A_TEXT = r"\b(?:in|on|of|for|di|pada) (?:the |this |that )?(?:\w+ )?(?:example|exercise|story|novel|poem|title|heading|paragraph|sentence|column|row|line|chapter|draft|slide|formula|snippet|contoh|cerita|judul|paragraf|kalimat|baris)(?:nya)?\b";
    PASSES = r"\b(?:today|tonight|tomorrow|yesterday|this (?:time|once|evening|morning|afternoon|weekend)|for once|just (?:this )?once|as an exception|exceptionally|last (?:night|week|time)|hari ini|besok|kemarin|nanti|tadi|semalam|lusa|sekali ini|kali ini|sekali)\b";
}

/// Whether it mentions a place in a text being discussed.
pub(super) fn in_a_text(sentence: &str) -> bool {
    IN_A_TEXT.is_match(sentence)
}

/// Reads a sentence as a new value for something in a memory. `marked`: something was said to have changed.
pub fn revalued(sentence: &str, marked: bool, known: &[String]) -> Option<Correction> {
    let words = sentence.split_whitespace().count();
    if known.is_empty() || words > MOST_WORDS || ASIDE.is_match(sentence) || PASSES.is_match(sentence) {
        return None;
    }
    let said = values(sentence);
    let cued = marked || CUE.is_match(sentence);
    let told = !cued && NARRATES.is_match(sentence) || ADDS.is_match(sentence) && !marked;
    if said.is_empty() || told || refuses_unknown(sentence, &said, known) {
        return None;
    }
    let about = heads(sentence, &said);
    let bare = match (cued, STORED.is_match(sentence)) {
        (false, _) => 0,
        (true, false) => BARE_WORDS,
        (true, true) => STORED_WORDS,
    };
    let said = Said { sentence, values: said, about, cued, alone: words <= bare };
    let mut fitting = known.iter().filter_map(|memory| said.fit(memory));
    let first = fitting.next()?;
    let best = fitting.fold((first, true), |(best, alone), other| match other.shared.cmp(&best.shared) {
        std::cmp::Ordering::Greater => (other, true),
        std::cmp::Ordering::Equal => (best, false),
        std::cmp::Ordering::Less => (best, alone),
    });
    let (Fit { change, .. }, true) = best else { return None };
    Some(change)
}

/// Like [`revalued`], for an independent statement: without a sign of a change it is one more memory.
pub fn revalued_by_sign(sentence: &str, marked: bool, known: &[String]) -> Option<Correction> {
    if marked || CUE.is_match(sentence) { revalued(sentence, marked, known) } else { None }
}

/// The words that a sentence calls wrong.
fn refusals(sentence: &str) -> Vec<String> {
    let named = REFUSED.captures_iter(sentence).chain(FAULTED.captures_iter(sentence)).chain(HELD_WRONG.captures_iter(sentence));
    named.map(|found| found["old"].to_lowercase()).collect()
}

fn any_word(of: &str, within: &str) -> bool {
    of.to_lowercase().split(' ').any(|word| within.split(' ').any(|other| other == word))
}

/// "Line 40, not line 14": the value called wrong is not remembered.
fn refuses_unknown(sentence: &str, said: &[Value], known: &[String]) -> bool {
    let held =
        |old: &str| held_part(old, known).is_some() || known.iter().any(|memory| old.split(' ').any(|w| holds_term(memory, w)));
    refusals(sentence).iter().any(|old| said.iter().any(|value| any_word(&value.text, old)) && !held(old))
}

/// What a sentence says, computed once for all memories.
struct Said<'a> {
    sentence: &'a str,
    values: Vec<Value>,
    about: BTreeSet<String>,
    /// The sentence says that something changed.
    cued: bool,
    /// The sentence has so few words that the kind of value must be enough.
    alone: bool,
}

/// A memory that a sentence may be about.
struct Fit {
    /// Number of shared significant words.
    shared: usize,
    change: Correction,
}

impl Said<'_> {
    fn fit(&self, memory: &str) -> Option<Fit> {
        let held = values(memory);
        let of = heads(memory, &held);
        let counted = |value: &Value| matches!(&value.kind, Kind::Count(unit) if names_things(unit));
        let same_things = |new: &Value| counted(new) && held.iter().any(|old| old.kind == new.kind);
        // What is counted is a topic by itself: "three cats".
        let shared = of.intersection(&self.about).count() + usize::from(self.values.iter().any(same_things));
        let refused = refusals(self.sentence);
        let wrong = |value: &Value| refused.iter().any(|old| any_word(&value.text, old));
        let still = |old: &Value| self.values.iter().any(|value| value.same == old.same && !wrong(value));
        let (new, old) = self
            .values
            .iter()
            .filter(|new| !wrong(new) && !POINTS.is_match(&new.text) && !holds_term(memory, &new.text))
            .find_map(|new| {
                let old = held.iter().find(|old| old.kind.fits(&new.kind) && old.same != new.same && !still(old))?;
                self.is_enough(new, old, shared, of.len().max(1)).then_some((new, old))
            })?;
        let mended = mend(memory, &old.text, &new.text).map(|text| without_twins(&text))?;
        Some(Fit { shared, change: Correction { new: None, old: memory.to_owned(), mended: Some(mended) } })
    }

    /// Whether the kind of value and the shared words are enough to identify the memory.
    #[allow(clippy::cast_precision_loss, reason = "counts of words")]
    fn is_enough(&self, new: &Value, old: &Value, shared: usize, of: usize) -> bool {
        if shared == 0 {
            return self.alone && new.kind.tells() && old.kind.tells();
        }
        match new.kind {
            // Many names and things can be true at once: a further one is not a replacement.
            Kind::Name | Kind::Thing(_) => self.cued,
            _ => self.cued || shared as f64 / of as f64 >= COVERED,
        }
    }
}

/// "Turns out the recipe wants butter, oil was wrong": the only memory that contains the value called wrong and is about the same
/// topic. The sentence replaces it.
pub fn faulted<'a>(sentence: &str, known: &'a [String]) -> Option<&'a str> {
    if known.is_empty()
        || sentence.split_whitespace().count() > MOST_WORDS
        || ASIDE.is_match(sentence)
        || PASSES.is_match(sentence)
    {
        return None;
    }
    let refused = refusals(sentence);
    let about = heads(sentence, &[]);
    let mut meant = known.iter().filter(|memory| {
        let of = heads(memory, &[]);
        let shared: Vec<_> = of.intersection(&about).collect();
        let wrong = |head: &str| refused.iter().any(|old| old.split(' ').any(|word| root(word) == head));
        shared.len() >= 2 && shared.iter().any(|head| wrong(head)) && !about.is_subset(&of)
    });
    meant.next().filter(|_| meant.next().is_none()).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_takes_the_place() {
        for (said, held, mended) in [
            ("the bakery opens at six now", "Bakery opens at seven", "Bakery opens at six"),
            ("My son started third grade this week", "Son is in second grade", "Son is in third grade"),
            ("Make that four kids: the twins arrived", "Has two kids", "Has four kids"),
            ("I bake at 180 degrees", "Bakes bread at 220 degrees", "Bakes bread at 180 degrees"),
            ("The shop's Wi-Fi is called Petal5 now", "Shop Wi-Fi is called Petal2", "Shop Wi-Fi is called Petal5"),
            ("The yoga class is on Tuesday", "Yoga class is on Thursday", "Yoga class is on Tuesday"),
            ("sekarang aku ngajar kelas lima", "Mengajar kelas tiga", "Mengajar kelas lima"),
            ("cat dapurnya jadi hijau", "Cat dapur warna kuning", "Cat dapur warna hijau"),
        ] {
            let change = revalued(said, false, &[held.to_owned(), "Likes chess".to_owned()]).expect(said);
            assert_eq!(change.mended.as_deref(), Some(mended), "{said}");
        }
    }

    #[test]
    fn a_statement_of_its_own_needs_a_sign() {
        let held = ["Keeps the spare key in locker 1".to_owned()];
        assert_eq!(revalued_by_sign("I keep the spare key in locker 2", false, &held), None);
        assert!(revalued_by_sign("I keep the spare key in locker 2 now", false, &held).is_some());
    }

    #[test]
    fn what_shares_no_place_is_left_alone() {
        for (said, held) in [
            ("no, line 40, not line 14", "Has 3 cats"),
            ("12 times 12 is 144", "Has two kids"),
            ("Salah, harusnya 25 bukan 52", "Punya dua anak"),
            ("Tomorrow the yoga class is on Tuesday", "Yoga class is on Thursday"),
            ("If the bakery opened at six I would go", "Bakery opens at seven"),
            ("use Bob instead of Alice in the example", "Daughter is called Alice"),
        ] {
            assert_eq!(revalued(said, true, &[held.to_owned()]), None, "{said}");
        }
    }
}
