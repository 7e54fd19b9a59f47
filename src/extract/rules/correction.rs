//! Recognises that users correct or withdraw something, and what.
//!
//! `domain::claim` later decides which memory a correction replaces, by similarity or by the term that is withdrawn. People
//! rarely repeat the old wording, so the known memories are consulted: the term is taken from the one about the same slot (home,
//! editor, diet …), and "no, it's Y, not X" is completed from the one that contains X.

mod held;
mod mended;
mod places;
mod revalued;
mod values;

use super::echo::content_words;
use super::pattern::pattern;
use crate::domain::merging::holds_term;

pub use held::{GONE, ended, held_by_you, swapped as mended_by_holding};
use mended::{mend, subject_of};
pub use mended::{mended_by_kind, mended_by_move, mended_by_refusal};
pub use places::{about, fills_the_place_of, outdates, restyles};
pub use revalued::{faulted, revalued, revalued_by_sign};

/// "Not X.", and nothing else.
pub fn is_refusal(sentence: &str) -> bool {
    super::message::REFUSED_TERM.is_match(sentence) || sentence.split_whitespace().count() < 2
}

/// "I said X but I meant Y".
pub fn is_slip(sentence: &str) -> bool {
    MEANT.is_match(sentence)
}

/// A correction read from one sentence.
#[derive(Debug, PartialEq, Eq)]
pub struct Correction {
    /// The new statement, in the user's words; `None` if the sentence only withdraws something.
    pub new: Option<String>,
    /// What is withdrawn.
    pub old: String,
    /// The known memory with the new term in place of the old one.
    pub mended: Option<String>,
}

pattern! {
    FROM_TO = r"^(?:i|we|my .{2,30}?|our .{2,30}?|the .{2,30}?|it|they|everything) (?:am |are |is |was |were |got |have |has |just |recently |finally |now |already |fully |also |been )*(?:moved|moving|switched|switching|migrated|migrating|changed|went|going|gone|converted|transitioned|upgraded|downgraded|transferred|relocated|jumped|renamed)\b.{0,30}?\bfrom (?P<old>.{1,60}?) (?:over )?to (?P<new>\S.*)$";
    REPLACED = r"^(?:i|we) (?:have |just |recently |finally )*(?:(?:replaced|ditched|dropped|abandoned|traded|swapped|exchanged) (?:my |our |the )?(?P<old>.{1,60}?) (?:with|for|in favou?r of|by) (?P<new>\S.*)|(?:chose|picked|use|am using|prefer|went with|am on|want|like) (?P<new2>.{1,60}?) (?:instead of|rather than|in place of|over) (?P<old2>.{1,60}))$";
    TAKES_BACK = r"^(?:i|we|it|my .{2,40}?|our .{2,40}?|the .{2,40}?) (?:(?:have |had |just |recently |finally |actually |already |am |are |is |now |also |all )*(?:moved (?:off|away from|out of|on from)|off of?|done with|stopped (?:using|working (?:on|at|with|for)|living in|drinking|eating|liking|being|playing|learning|doing)|quit|left|dropped|ditched|gave up(?: on)?|given up(?: on)?|abandoned|got rid of|sold|uninstalled|out of|through with|switched off|migrated off|migrated away from|moved from) (?P<a>.{2,60}?)|(?:no longer|don't|do not|doesn't|isn't|am not|are not|aren't|am no longer|is no longer|is not|are no longer|can't) (?:really |actually |even |like to |want to )?(?P<verb>use|using|work(?:ing)? (?:at|on|for|in|with)|live|living in|live in|like|prefer|want|need|drink|eat|run|running|drive|own|have|play|study|on|in|at|a|an|the|based in|called|be|maintain|lead|write|learn(?:ing)?|go by|do)?\b\s*(?P<b>.{2,60}?)(?: (?:anymore|any more|any longer|now|these days|at all))?)(?:(?:[,;]| [-–—]+| and| but| so)+ (?P<rest>(?:and |but |so |now |it's |it is |these days )*(?:I|we|my|it|it's|now|these days|currently|instead|using|on|our|the|they|just|switched|moved|mostly)\b.*))?$";
    POINTED_OLD = r"^i (?:can't|don't|won't|no longer|am not) (?:\w+ ){0,2}(?:this|that|it)\b";
    ANYMORE = r"\b(?:any ?more|any longer|no longer|moved|off|stopped|quit|left|dropped|ditched|gave up|given up|abandoned|got rid|sold|uninstalled|done with|migrated|through with)\b";
    USED_TO = r"^(?:i|we) used to (?:\w+ )(?:(?:in|at|on|for|with|as) )?(?P<old>.{2,50}?)(?:,|;| but| and| [-–—]+)+ (?P<rest>(?:but |and |now |these days |nowadays )*(?:I|we|now|it's|it is|these days|nowadays)\b.*)$";
    NOT_OLD = r"^(?P<new>.{2,160}?)(?:,| -| –| —)? (?:and )?(?:not|no longer|instead of|rather than) (?P<old>[^,;]{1,60})$";
    NOT_BUT = r"^(?P<lead>.{0,60}?)(?:\bnot|n't) (?P<old>.{1,50}?)(?:,| -| –| —)? (?:but|it's|it is|they're|he's|she's|he is|she is|they are|rather|i am|i use|i mean|i meant) (?P<new>.{1,80})$";
    BARE_IT = r"^(?:(?:it|that|they|the (?:right|correct) (?:one|answer|name|value)|he|she|i (?:meant|mean|said)|should(?: have)? be(?:en)?|make (?:that|it)|change (?:that|it) to|mine|his|hers)(?:'s| is| are| was|'re| should be| would be)? (?:actually |really |now |supposed to be |called |to say )*)?(?P<new>.{1,80})$";
    DARI_KE = r"\b(?:pindah(?:an)?|ganti|beralih|migrasi|switch|berubah|upgrade|downgrade|hijrah|move)\b.{0,20}?\bdari (?P<old>.{1,50}?) (?:jadi|ke|menjadi) (?P<new>.+)$";
    LAGI = r"^(?:sekarang )?(?:(?:{AKU}|kita|kami) )?(?:tuh |kan |sekarang |emang )*(?:(?:udah|udh|sudah|dah)? ?(?:{GA}|bukan|berhenti|stop) (?:lagi )?(?:(?:{PAKE}|kerja di|kerja|bekerja di|tinggal di|suka|minum|makan|prefer|main|belajar|di|jadi|megang|pegang|ngerokok|langganan|kuliah di|punya) )?(?P<old>.{2,40}?)(?: lagi| sekarang)?|(?:udah |sudah |baru |baru aja )*(?:keluar dari|resign dari|ninggalin|berhenti (?:{PAKE}|dari|minum|makan|main)|lepas dari) (?P<old2>.{2,40}?))(?:(?:,|;| -| –| —| tapi| dan| jadi)+ (?P<rest>(?:jadi |tapi |dan )?(?:sekarang|skrg|udah|{AKU}|ganti|pindah|pake|pakai|tinggal|kerja)\b.*))?$";
    DULU = r"^(?:{AKU} )?dulu(?:nya)? (?:{AKU} )?(?:emang )?(?:{PAKE} |kerja di |tinggal di |di |suka |prefer )?(?P<old>.{2,40}?)(?:,| tapi| -)+ ?(?:tapi )?(?P<rest>(?:sekarang|skrg|kini)\b.*)$";
    BUKAN_TAPI = r"^(?P<lead>.{0,60}?)\bbukan (?P<old>.{1,50}?),? (?:tapi|tetapi|melainkan|yang bener|yang benar|harusnya|tp) (?P<new>[^,;]{1,80})(?:[,;].*)?$";
    MEANT = r"^(?:i|{AKU}) (?:said|wrote|told you|typed|bilang|tulis|nulis)(?: that)? (?P<old>.{1,50}?),? (?:but|and|though|tapi) (?:i )?(?:meant|mean|it is|should have said|maksudnya|harusnya|maksud {AKU}) (?P<new>.{1,60})$";
    BUKAN = r"^(?P<new>.{2,120}?),? (?:dan )?bukan (?P<old>[^,;]{1,50})$";
    ITU = r"^(?:(?:itu|maksud {AKU}|maksudku|maksudnya|harusnya|seharusnya|yang bener|yang benar|benernya|{AKU} maksud)\b[ :,]*(?:itu |adalah |tuh )?)?(?P<new>.{1,80})$";
    SUBJECT = r"^(?:I|my|we|our|{AKU}|kita|kami|nama\w*|\w+ku|(?:[\w/-]+ ){1,4}{AKU})\b";
    TRIM = r"^(?:the|my|a|an|our|to|on|in|at|use|using|from|sama|dengan|ke|di|pake|pakai|being|towards?)\s+|\s+(?:anymore|any more|any longer|lagi|terus|melulu|mulu|now|sekarang|please|ya|dong|deh)$";
}

/// A term as it may occur in a memory: no article, no "anymore".
fn term(raw: &str) -> String {
    let mut text = raw.trim().trim_matches(['"', '\'', '.', ',', '!']).to_owned();
    for _ in 0..3 {
        text = TRIM.replace(&text, "").into_owned();
    }
    text
}

fn holding<'a>(known: &'a [String], old: &str) -> Option<&'a str> {
    known.iter().map(String::as_str).find(|memory| holds_term(memory, old) || squeezed(memory).contains(&squeezed(old)))
}

/// The longest run of words of `old` that a known memory contains: for "Siemens in June", "Siemens".
pub fn held_part(old: &str, known: &[String]) -> Option<String> {
    let words: Vec<&str> = old.split_whitespace().collect();
    let runs = (1..=words.len().min(LONGEST_RUN)).rev().flat_map(|len| words.windows(len).map(|run| run.join(" ")));
    let held = runs
        .map(|run| term(&run))
        .find(|run| !content_words(run).is_empty() && known.iter().any(|memory| holds_term(memory, run)));
    held.or_else(|| words.iter().find_map(|word| akin(word, known)))
}

/// Maximum length of a value in words.
const LONGEST_RUN: usize = 6;

/// Minimum common prefix of two forms of one word: "coffee" and "coffees".
const STEM_CHARS: usize = 5;

/// The word of a known memory that has the same beginning.
fn akin(word: &str, known: &[String]) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let begins = |other: &str| {
        let (short, long) = if word.len() < other.len() { (word.as_str(), other) } else { (other, word.as_str()) };
        short.chars().count() >= STEM_CHARS && long.starts_with(short) && long.len() <= short.len() + 3
    };
    let mut words = known.iter().flat_map(|memory| memory.split(|c: char| !c.is_alphanumeric()));
    words.find(|other| begins(&other.to_lowercase())).map(str::to_owned)
}

/// Letters and digits only, so that "vscode" matches "VS Code".
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Parses a sentence as a correction. `marked`: it started with "actually", "no", "ralat" …
pub fn read(sentence: &str, marked: bool, known: &[String]) -> Option<Correction> {
    let whole = || Some(sentence.to_owned());
    if let Some(c) = FROM_TO.captures(sentence).or_else(|| DARI_KE.captures(sentence)) {
        return Some(Correction { new: whole(), old: term(&c["old"]), mended: None });
    }
    if let Some(c) = REPLACED.captures(sentence) {
        let old = c.name("old").or_else(|| c.name("old2"))?.as_str();
        return Some(Correction { new: whole(), old: term(old), mended: None });
    }
    if let Some(c) = USED_TO.captures(sentence).or_else(|| DULU.captures(sentence)) {
        return Some(Correction { new: Some(clean_now(&c["rest"])), old: term(&c["old"]), mended: None });
    }
    if let Some(c) = TAKES_BACK
        .captures(sentence)
        .filter(|c| !POINTED_OLD.is_match(&c[0]))
        .filter(|c| ANYMORE.is_match(sentence) || (marked && c.name("rest").is_some()))
    {
        let old = term(c.name("a").or_else(|| c.name("b"))?.as_str());
        return Some(after(sentence, &old, c.name("rest").map(|m| m.as_str())));
    }
    if let Some(c) =
        LAGI.captures(sentence).filter(|c| c.name("rest").is_some() || c[0].contains(" lagi") || c.name("old2").is_some())
        && !BUKAN_TAPI.is_match(sentence)
        && !c.name("old").is_some_and(|old| POINTS.is_match(old.as_str()))
    {
        let old = term(c.name("old").or_else(|| c.name("old2"))?.as_str());
        return Some(after(sentence, &old, c.name("rest").map(|m| m.as_str())));
    }
    swapped(sentence, marked, known).or_else(|| stopped(sentence, known))
}

pattern! { ENDED = r"\b(?:stopped|quit|dropped|had to drop|gave up(?: on)?|given up(?: on)?|done with|finished with|got rid of|ditched|sold|gave (?:away )?|lost|broke up with|split up with|split from|moved on from|moved out of|moved away from|cancell?ed|ended|abandoned|retired|replaced|gone off|went off|fell out of love with|outgrew|swapped out|that's history|phased out|no more|bye(?:[ -]bye)?|goodbye|farewell|not (?:in|at|on|with|using)|berhenti|udahan|putus sama|jual|batal|tidak lagi|udah {GA}|sudah {GA}|{GA} lagi) (?P<old>[^,;:.]{2,60}?)(?:[,;:]|\s[-–—]\s|\s(?:and|but|so|completely|entirely|altogether|for good|to my|for|in favou?r|because|dan|tapi|jadi|lagi)\b|$)" }

/// The sentence says that something in a known memory has ended.
fn stopped(sentence: &str, known: &[String]) -> Option<Correction> {
    let found = ENDED.captures(sentence)?;
    let old = held_part(&found["old"], known)?;
    Some(Correction { new: Some(sentence.to_owned()), old, mended: None })
}

/// Withdraws `old`, and states what is true now if the sentence says so.
fn after(sentence: &str, old: &str, rest: Option<&str>) -> Correction {
    let new = match rest.map(clean_now) {
        Some(rest) if SUBJECT.is_match(&rest) => rest,
        _ => sentence.to_owned(),
    };
    Correction { new: Some(new), old: old.to_owned(), mended: None }
}

pattern! { NOW = r"^(?:(?:and|but|so|now|these days|nowadays|it's|it is|jadi|tapi|dan)[, ]+)+" }

/// "now I use Y" → "I use Y now".
fn clean_now(rest: &str) -> String {
    NOW.replace(rest, "").trim().to_owned()
}

pattern! {
    REMARK = r"(?:\s*[,;]|\s+[-–—]+)\s*(?:and |but |so )?(?:you|lo|lu|kamu|kau|sorry|my (?:bad|mistake|fault|typo)|please|that|remember|(?:as )?i (?:think|told|said|already|keep|mentioned|meant|misspoke|was|mistyped|typed)|as|by the way|btw|thanks|it is (?:a|easy|easily)|haha\w*|lol|ok|okay|don't|for the|just|easy mistake|common|people|everyone|tadi|maaf|salah|sori|ya|dong|makasih|{AKU} (?:salah|tadi|typo))\b.*$";
    NOT_FIRST = r"^(?:it is |that is )?(?:not|bukan) (?P<old>[^,;:]{1,40}?)(?:\s*[,;:]|\s+[-–—]+) *(?:it is |but |tapi |rather )?(?P<new>[^,;:]{1,40})$";
    POINTS = r"\b(?:this|that|these|those|it|the (?:first|second|third|last|other|next|same|left|right|blue|red|green|upper|lower|top|bottom|file|one|way|function|test)|ones?|other way|line|step|page|row|column|baris|halaman|langkah|kolom|paragraf|yang (?:itu|ini|satunya|tadi|pertama|kedua|lain|sana|sini)|ini|itu)\b";
}

/// "Y, not X", "not X but Y", "bukan X tapi Y", "Y bukan X".
fn swapped(sentence: &str, marked: bool, known: &[String]) -> Option<Correction> {
    let shapes = [&*MEANT, &*NOT_BUT, &*BUKAN_TAPI, &*NOT_FIRST, &*NOT_OLD, &*BUKAN];
    let caught = |text: &str| {
        let mut found =
            shapes.into_iter().filter_map(|shape| shape.captures(text)).map(|c| (term(&c["old"]), c["new"].to_owned()));
        let first = found.next();
        let held = first.iter().find(|(old, _)| holding(known, old).is_some()).cloned();
        let part = |(old, new): &(String, String)| held_part(old, known).map(|part| (part, new.clone()));
        let partly = || first.iter().find_map(part);
        held.or_else(|| found.find(|(old, _)| holding(known, old).is_some())).or_else(partly).or_else(|| first.clone())
    };
    let brief = REMARK.replace(sentence, "");
    let (old, said) = caught(&brief).or_else(|| caught(sentence))?;
    if POINTS.is_match(&old) || revalued::in_a_text(sentence) {
        return None;
    }
    let memory = holding(known, &old);
    let stands = SUBJECT.is_match(sentence) && !sentence.to_lowercase().starts_with("i mean") && !MEANT.is_match(sentence);
    if stands && (memory.is_some() || marked) {
        return Some(Correction { new: Some(brief.into_owned()), old, mended: None });
    }
    let said = said.rsplit(": ").next().unwrap_or(&said).to_owned();
    let new = BARE_IT.captures(&said).or_else(|| ITU.captures(&said)).map_or(said.clone(), |c| c["new"].to_owned());
    let new = ITU.captures(&new).map_or(new.clone(), |c| c["new"].to_owned());
    let memory = memory.filter(|_| !POINTS.is_match(&new) && !mended::SENTENCE.is_match(&new))?;
    let mended = mend(memory, &old, &term(&new)).unwrap_or_else(|| format!("{} ({}, not {old})", subject_of(memory), term(&new)));
    Some(Correction { new: None, old, mended: Some(mended) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_name_what_they_take_back() {
        let none: &[String] = &[];
        for (said, old, new) in [
            ("I switched from vim to Helix", "vim", "I switched from vim to Helix"),
            ("I moved off the iOS app, I am on the dashboard now", "iOS app", "I am on the dashboard now"),
            ("I don't use Jira anymore", "Jira", "I don't use Jira anymore"),
            ("I no longer work at Acme, now I work at Globex", "Acme", "I work at Globex"),
            ("I used to live in Rome, but now I live in Turin", "Rome", "I live in Turin"),
            ("gue pindah dari Bandung ke Solo", "Bandung", "gue pindah dari Bandung ke Solo"),
            ("gue udah ga pake Windows lagi, sekarang gue pake Fedora", "Windows", "sekarang gue pake Fedora"),
        ] {
            let change = read(said, false, none).expect(said);
            assert_eq!((change.old.as_str(), change.new.as_deref()), (old, Some(new)), "{said}");
        }
        assert_eq!(read("I use tea leaves", false, none), None);
    }

    #[test]
    fn short_corrections_are_completed_from_what_is_known() {
        let known = ["User's database is MySQL".to_owned(), "Kopi favorit Pengguna arabika".to_owned()];
        assert_eq!(
            read("it's Postgres, not MySQL", true, &known).and_then(|c| c.mended).as_deref(),
            Some("User's database is Postgres")
        );
        assert_eq!(
            read("bukan arabika tapi robusta", true, &known).and_then(|c| c.mended).as_deref(),
            Some("Kopi favorit Pengguna robusta")
        );
        assert_eq!(read("it's the blue one, not the red one", true, &known), None);
    }

    #[test]
    fn a_new_value_outdates_the_old_one() {
        for (new, marked, old, term) in [
            ("User lives in Turin", false, "User lives in Rome", Some("Rome")),
            ("User's main machine is a ThinkPad", false, "User's main machine is a MacBook", Some("MacBook")),
            ("User is vegan now", true, "User is vegetarian", Some("vegetarian")),
            ("User uses Helix now", true, "User's editor is VS Code", Some("VS Code")),
            ("User uses Helix", false, "User uses Postgres", None),
            ("User wants long answers", true, "User prefers short answers", Some("short")),
        ] {
            assert_eq!(outdates(new, marked, &[old.to_owned()]).as_deref(), term, "{new}");
        }
    }
}
