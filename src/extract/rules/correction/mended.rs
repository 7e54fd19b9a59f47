//! Completes a short correction from a known memory: the memory with the new value in place of the old one.

use regex::Regex;

use super::super::drops;
use super::super::echo::content_words;
use super::super::pattern::pattern;
use super::held::without_twins;
use super::places::{CATEGORIES, OWN, name_in};
use super::{BARE_IT, Correction, POINTS, REMARK, SUBJECT, holding, squeezed, term};
use crate::domain::merging::holds_term;

/// The memory with `new` in place of `old`.
pub(super) fn mend(memory: &str, old: &str, new: &str) -> Option<String> {
    let pattern = Regex::new(&format!(r"(?i)\b{}\b", regex::escape(old))).ok()?;
    pattern.is_match(memory).then(|| pattern.replace(memory, regex::NoExpand(new)).into_owned())
}

/// A text with more words is a sentence and not a value.
const BRIEF_WORDS: usize = 4;
// A value has no verb and is not a question.
pattern! {
    pub(super) SENTENCE = r"\b(?:i|me|my|we|our|you|your|they|them|is|are|was|were|has|have|had|said|goes|aku|saya|gue|kami|kita)\b|\bmade \w|^(?:tolong|mohon|bikin|bikinin|buat|buatin|buatkan|kasih|coba|cari|cariin|carikan|make|write|give|draft|find|show|fix|add|use|list|tell|send|update)\b";
    ASKS = r"^(?:how|what|why|when|where|who|which|again|seriously|really|please|ok|okay|thanks|no|yes|never|always|i|we|you|and|but|so|stop)\b";
}

/// "Not Vue." "Svelte.": the memory that contains the rejected term, with the next term in its place.
pub fn mended_by_refusal(old: &str, new: &str, known: &[String]) -> Option<Correction> {
    let old = term(old);
    let new = REMARK.replace(new, "").into_owned();
    let said = BARE_IT.captures(&new).map_or(new.as_str(), |c| c.name("new").map_or(new.as_str(), |m| m.as_str()));
    let value = !SENTENCE.is_match(said) && !drops::is_request(said) && !ASKS.is_match(said) && !POINTS.is_match(said);
    let brief = said.split_whitespace().count() <= BRIEF_WORDS && value;
    let memory = holding(known, &old).filter(|memory| brief && !holds_term(memory, said))?;
    let mended = mend(memory, &old, &term(said)).map(|text| without_twins(&text));
    mended.map(|mended| Correction { new: None, old, mended: Some(mended) })
}

pub(super) fn subject_of(memory: &str) -> String {
    memory.split(" is ").next().unwrap_or(memory).to_owned()
}

/// "It's X now": the known memory that names another thing of the same kind, with X in its place.
pub fn mended_by_kind(sentence: &str, known: &[String]) -> Option<Correction> {
    if let Some(change) = mended_by_subject(sentence, known) {
        return Some(change);
    }
    let found = ITS_NOW.captures(sentence).or_else(|| IT_IS.captures(sentence))?;
    let new = term(&LEAD.replace(&found["new"], ""));
    if let Some(change) = renamed(sentence, &new, known) {
        return Some(change);
    }
    if let Some(change) = recounted(&new, known) {
        return Some(change);
    }
    let kind = CATEGORIES.iter().find(|kind| kind.find(&new).is_some_and(|m| m.len() + 4 >= new.len()))?;
    known.iter().find_map(|memory| {
        let old = kind.find_iter(memory).map(|m| m.as_str()).find(|word| differs(&new, word))?;
        Some(Correction { new: None, old: old.to_owned(), mended: mend(memory, old, &new) })
    })
}

/// A different value, and not the same one in more words ("iPhone 15" for "iPhone").
pub(super) fn differs(new: &str, old: &str) -> bool {
    squeezed(new) != squeezed(old) && !holds_term(new, old)
}

/// "The wedding is on 16 May": the known memory about the wedding, with the new date.
fn mended_by_subject(sentence: &str, known: &[String]) -> Option<Correction> {
    let said = OWN.captures(sentence).filter(|_| !SUBJECT.is_match(sentence))?;
    known.iter().find_map(|memory| {
        let old = OWN.captures(memory)?;
        let same = content_words(&said["k"]) == content_words(&old["k"]) && squeezed(&said["v"]) != squeezed(&old["v"]);
        same.then(|| Correction { new: None, old: term(&old["v"]), mended: mend(memory, &old["v"], &said["v"]) })
    })
}

pattern! {
    ITS_NOW = r"^(?:it|that|they|sekarang|jadi|udah|make (?:it|that)|change (?:it|that) to|call it|call me|(?:I (?:said|told you) .{1,30},? (?:but|and) )?I (?:said|meant|mean)|I go by|(?:sekarang )?namanya(?: jadi| sekarang| itu)?)(?:'s| is| are|'re)?(?: now| jadi| actually| been| called| going to be)* (?P<new>[\w .+#:/-]{1,30}?)(?: now| these days| instead| from now on| sekarang| lagi| ya)*$";
    LEAD = r"^(?:(?:still|back|now|just|only|actually|really|on|in|at|using|with|to|using|going with|a|an|the) )+";
    // "Helix it is".
    IT_IS = r"^(?P<new>[\w .+#-]{1,30}?),? (?:it is|aja|deh|then)(?: then| now| for me)?$";
    NAMED = r"\b(?:named?|namanya|called|call me|go by)\b|\b(?:mr|mrs|ms|dr|prof)\b";
}

/// A new name for something known: "it's Dr. Okafor now", "sekarang namanya Rajawali".
fn renamed(sentence: &str, new: &str, known: &[String]) -> Option<Correction> {
    if !NAMED.is_match(sentence) {
        return None;
    }
    let names = known.iter().filter_map(|memory| Some((memory, name_in(memory)?)));
    let (memory, old) = names.into_iter().find(|(_, old)| squeezed(old) != squeezed(new))?;
    Some(Correction { new: None, mended: mend(memory, &old, new), old })
}

pattern! {
    MOVED = r"^(?:(?:i|we|they|kami|kita|{AKU}) )?(?:have |had |just |recently |has been |was |were |got |is |are |udah |sudah )*(?:(?:moved|changed|pushed|shifted|switched|rescheduled|raised|lowered|bumped|extended|postponed|increased|reduced|renamed|upgraded|mindahin|ganti|ubah|geser|undur|majuin) (?:back |up )?(?:the |my |our |its )?(?P<what>[\w '-]{2,40}?)|(?:the |my |our )?(?P<what2>[\w '-]{2,40}?) (?:(?:has |have |had |was |were |got |is |are |been |just |now |udah |sudah )*(?:moved|changed|pushed|shifted|switched|rescheduled|raised|lowered|bumped|extended|postponed|renamed|upgraded|pindah|ganti|diundur|dimajuin|diganti|dipindah))(?: back| up)?) (?:to|from .{1,30} to|ke|jadi|menjadi) (?P<new>[^,;]{1,40}?)(?: now| from now on| instead| sekarang)?(?: this (?:week|month|year|spring|summer|autumn|fall|winter))?(?:,.*)?$";
    COUNTED = r"^(?P<n>\d+|no|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) (?P<noun>\w+)$";
}

/// "It's three kids now": the memory that counts the same things.
fn recounted(new: &str, known: &[String]) -> Option<Correction> {
    let found = COUNTED.captures(new)?;
    let noun = found["noun"].trim_end_matches('s');
    let pattern = Regex::new(&format!(
        r"(?i)\b(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty) {}s?\b",
        regex::escape(noun)
    ))
    .ok()?;
    let (memory, old) = known.iter().find_map(|memory| Some((memory, pattern.find(memory)?.as_str())))?;
    Some(Correction { new: None, old: old.to_owned(), mended: mend(memory, old, new) })
}

/// "We moved the standup to 9:30": the memory about the standup, with the new value.
pub fn mended_by_move(sentence: &str, known: &[String]) -> Option<Correction> {
    let found = MOVED.captures(sentence)?;
    let (what, new) = (found.name("what").or_else(|| found.name("what2"))?.as_str(), term(&found["new"]));
    let memory = known.iter().find(|memory| holds_term(memory, what))?;
    let same_kind = CATEGORIES
        .iter()
        .filter(|kind| kind.is_match(&new))
        .find_map(|kind| kind.find_iter(memory).map(|m| m.as_str().to_owned()).find(|word| differs(&new, word)));
    let old =
        same_kind.or_else(|| OWN.captures(memory).map(|own| own["v"].to_owned()).filter(|value| !holds_term(value, what)))?;
    Some(Correction { new: None, mended: mend(memory, &old, &new), old: term(&old) })
}
