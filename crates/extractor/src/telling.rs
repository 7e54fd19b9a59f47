//! Tells statements of users about themselves as statements about "User" (English) or "Pengguna" (Indonesian).
//!
//! Only the person changes: "I work on X" becomes "User works on X". Every other word stays as it was said, because people search
//! for their own words, and numbers and negations must stay.

use language::lexicon::{self, Language};

use crate::forms::forms;

/// The subject that a statement is told about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    User,
    Team,
}

/// The words for a subject.
struct Words {
    /// As a subject and an object.
    name: &'static str,
    possessive: &'static str,
    /// "mine", "ours".
    alone: &'static str,
    /// After the subject was named.
    again: [&'static str; 2],
    is_one: bool,
}

const USER: Words = Words { name: "User", possessive: "User's", alone: "User's", again: ["them", "their"], is_one: true };
const TEAM: Words = Words { name: "the team", possessive: "the", alone: "the team's", again: ["the team", "its"], is_one: false };

/// The language that decides how a sentence is worded.
pub fn language(text: &str) -> Language {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let of = |language: Language, word: &str| {
        lexicon::is_common(word, language) || lexicon::pronouns(word).iter().any(|pronoun| pronoun.language == language)
    };
    let known = |language| words.iter().filter(|word| of(language, word)).count();
    // With the suffix for "my".
    let is_own = |word: &str| word.strip_suffix("ku").is_some_and(lexicon::is_indonesian);
    let is_indonesian = |word: &str| is_own(word) || (lexicon::is_indonesian(word) && !lexicon::is_english(word));
    let indonesian = words.iter().filter(|word| is_indonesian(word)).count();
    let indonesian = indonesian.max(known(Language::Indonesian));
    if indonesian > 0 && indonesian >= known(Language::English) { Language::Indonesian } else { Language::English }
}

/// A statement in the third person: first letter capitalised, no final mark.
pub fn told(text: &str, subject: Subject) -> String {
    let said = match (language(text), subject) {
        (Language::Indonesian, Subject::User) => of_user_in_indonesian(text),
        (Language::Indonesian, Subject::Team) => of_team_in_indonesian(text),
        (_, Subject::User) => of_user(text),
        (_, Subject::Team) => of_subject(&long(text), &TEAM, false),
    };
    tidy(&said)
}

/// Tells the continuation of a statement about the user, in the third person.
pub fn after(text: &str) -> String {
    tidy(&match language(text) {
        Language::Indonesian => forms().part("me").replace(text, "Pengguna").into_owned(),
        _ => of_subject(&long(text), &USER, true),
    })
}

/// Tells the topic of a request to forget, in the third person.
pub fn query(text: &str) -> String {
    let said = match language(text) {
        Language::Indonesian => {
            forms().part("me").replace(&forms().part("my_suffix").replace(text, "${noun} Pengguna"), "Pengguna").into_owned()
        }
        _ => of_subject(&long(text), &USER, false),
    };
    tidy(&said)
}

fn of_user(text: &str) -> String {
    let text = long(text);
    if let Some(order) = order(&text) {
        return format!("User wants the assistant {}", of_subject(&order, &USER, true));
    }
    let own = of_subject(&text, &USER, false);
    if own == text { format!("User says: {text}") } else { own }
}

/// An order to the assistant, as it goes on after "User wants the assistant".
fn order(text: &str) -> Option<String> {
    let text = forms().part("please").remove(text);
    let (first, rest) = text.split_once(' ')?;
    let (lower, second) = (first.to_lowercase(), rest.split(' ').next().unwrap_or_default().to_lowercase());
    let telling = &forms().telling;
    // "Mark is my brother", "no one eats pork", "no longer a nurse", "never had a dog".
    let states = telling.third.values().chain(&telling.unchanged).any(|verb| *verb == second)
        || ["one", "longer", "more"].contains(&second.as_str())
        || (lower == "never" && !telling.orders.contains(&second));
    (telling.orders.contains(&lower) && !states).then(|| match lower.as_str() {
        "don't" => format!("not to {rest}"),
        "never" => format!("never to {rest}"),
        "no" => format!("to use no {rest}"),
        _ => format!("to {lower} {rest}"),
    })
}

/// Expands contractions and colloquial spellings of an English sentence.
fn long(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let core = core(word);
        match forms().telling.short.get(&core.to_lowercase()) {
            Some(long) if core != "IM" && core != "U" => word.replacen(core, long, 1),
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A word without the punctuation around it.
fn core(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '+' && c != '#').trim_matches('\'')
}

/// A user speaks as "I", and for a household as "we"; a team as "we". `named`: the subject was named before.
fn of_subject(text: &str, words: &Words, named: bool) -> String {
    let telling = &forms().telling;
    let of_one = if words.is_one { in_third_person(text, words, named, &telling.one) } else { text.to_owned() };
    in_third_person(&of_one, words, named || of_one != text, &telling.several)
}

/// `pronouns`: subject, possessive, object, possessive alone, reflexive.
fn in_third_person(text: &str, words: &Words, mut named: bool, pronouns: &[String; 5]) -> String {
    let telling = &forms().telling;
    let listed = |list: &[String], word: &str| list.iter().any(|known| known == word);
    let mut out: Vec<String> = Vec::new();
    let (mut awaiting, mut present, mut joined) = (false, false, false);
    for word in text.split_whitespace() {
        let bare = core(word);
        let lower = bare.to_lowercase();
        let inverted = out.last().is_some_and(|before| listed(&telling.auxiliaries, &before.to_lowercase()));
        let mut put = |with: &str| out.push(word.replacen(bare, with, 1));
        let [them, their] = words.again;
        // "US" and "IT" are no pronouns.
        let shouted = bare.len() > 1 && !bare.contains(char::is_lowercase);
        match pronouns.iter().position(|pronoun| pronoun.eq_ignore_ascii_case(bare)).filter(|_| !shouted) {
            Some(0) => {
                put(words.name);
                (named, awaiting, joined) = (true, !inverted, false);
                // "Do I snore?" is told as "does User snore?".
                if let Some(verb) = out.len().checked_sub(2).filter(|_| inverted).and_then(|before| out.get_mut(before)) {
                    let own = core(verb).to_owned();
                    *verb = verb.replacen(&own, &third(&own), 1);
                }
            }
            Some(1) => {
                put(if named { their } else { words.possessive });
                (named, awaiting, joined) = (true, false, false);
            }
            Some(2) => put(if std::mem::replace(&mut named, true) { them } else { words.name }),
            Some(3) => put(words.alone),
            Some(_) => put("themselves"),
            None if awaiting && (listed(&telling.adverbs, &lower) || is_adverb(&lower)) => put(bare),
            None if awaiting || (joined && present && listed(&telling.joined, &lower)) => {
                let verb = third(bare);
                present = verb != bare && lower != "am" && lower != "do" && !lower.ends_with("n't");
                put(&verb);
                (awaiting, joined) = (false, false);
            }
            None => {
                put(bare);
                joined = matches!(lower.as_str(), "and" | "but" | "or" | "then") || (joined && is_adverb(&lower));
            }
        }
        joined |= word.ends_with(',') && present;
    }
    out.join(" ")
}

fn is_adverb(lower: &str) -> bool {
    lower.ends_with("ly") && !matches!(lower, "rely" | "apply" | "reply" | "supply" | "fly" | "multiply")
}

/// Whether the third person replaces this word: a pronoun with its suffix, a short form, a conjunction before it.
#[cfg(test)]
pub fn is_reworded(word: &str) -> bool {
    let telling = &forms().telling;
    let part = |name: &str| forms().part(name).is_match(word);
    let pronouns = telling.one.iter().chain(&telling.several);
    telling.third.contains_key(word)
        || telling.short.contains_key(word)
        || pronouns.clone().any(|pronoun| pronoun.eq_ignore_ascii_case(word))
        || part("my_suffix")
        || part("me")
        || forms().part("joint").is_match(&format!("{word} "))
        || forms().part("please").is_match(&format!("{word} "))
        // "given that"; "call me" is told as "wants to be called".
        || ["given", "panggil"].contains(&word)
}

/// The form of a verb after "she".
fn third(verb: &str) -> String {
    let lower = verb.to_lowercase();
    if let Some(known) = forms().telling.third.get(&lower) {
        return known.clone();
    }
    let unchanged = &forms().telling.unchanged;
    let past = lower.ends_with("ed") && !forms().telling.base_in_ed.contains(&lower);
    if past || unchanged.contains(&lower) || lower.is_empty() || !lower.chars().all(|c| c.is_alphabetic() || c == '-') {
        return verb.to_owned();
    }
    let before_y = lower.chars().rev().nth(1);
    if ["s", "sh", "ch", "x", "z", "o"].iter().any(|end| lower.ends_with(end)) {
        format!("{verb}es")
    } else if lower.ends_with('y') && before_y.is_some_and(|c| !"aeiou".contains(c)) {
        format!("{}ies", &verb[..verb.len() - 1])
    } else {
        format!("{verb}s")
    }
}

/// Indonesian words do not change with the person; possessives are often a suffix.
fn of_user_in_indonesian(text: &str) -> String {
    let declines = forms().part("declines").is_match(text);
    let own = if declines { text.into() } else { forms().part("call_me").replace(text, "Pengguna mau dipanggil") };
    let own = forms().part("my_suffix").replace(&own, "${noun} Pengguna");
    let own = forms().part("me").replace(&own, "Pengguna");
    let is_order = declines || text.split(' ').next().is_some_and(|first| forms().telling.orders.contains(&first.to_lowercase()));
    match own.as_ref() {
        own if is_order && !own.starts_with("Pengguna") => format!("Pengguna minta: {own}"),
        own if own == text => format!("Pengguna bilang: {own}"),
        own => own.to_owned(),
    }
}

fn of_team_in_indonesian(text: &str) -> String {
    forms().part("we").replace(text, "tim").into_owned()
}

/// Single spaces, no final punctuation, first letter capitalised.
pub fn tidy(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_matches(|c: char| matches!(c, '.' | ',' | '!' | ';' | ':' | ' ' | '-' | '–' | '—'));
    let is_identifier = |word: &str| word.contains(['_', '.', '/', '`']) || word.chars().skip(1).any(char::is_uppercase);
    let mut chars = text.chars();
    match chars.next() {
        // An identifier or a product keeps its own spelling.
        Some(first) if first.is_lowercase() && !text.split(' ').next().is_some_and(is_identifier) => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_keeps_its_order() {
        for (said, told) in [
            ("can I get a bigger locker before my shift?", "Can User get a bigger locker before their shift?"),
            ("Do I snore when I sleep on my back?", "Does User snore when User sleeps on their back?"),
            ("why am I so tired?", "Why is User so tired?"),
            ("what would we need for our garden?", "What would User need for their garden?"),
            ("so do I", "So does User"),
        ] {
            assert_eq!(after(said), told);
        }
    }

    #[test]
    fn the_person_changes_and_nothing_else() {
        for (said, stored) in [
            ("I work mostly on the iOS app", "User works mostly on the iOS app"),
            ("my main machine is X", "User's main machine is X"),
            ("I'm on Windows 11", "User is on Windows 11"),
            ("I usually study at night and drink tea", "User usually studies at night and drinks tea"),
            ("I don't eat pork", "User doesn't eat pork"),
            ("I live in Ghent with my wife", "User lives in Ghent with their wife"),
            ("I moved to Oslo in 2021", "User moved to Oslo in 2021"),
            ("I've used Rust for 5 years", "User has used Rust for 5 years"),
            ("We have two daughters", "User has two daughters"),
            ("Always answer in short sentences", "User wants the assistant to always answer in short sentences"),
            ("Don't use emojis", "User wants the assistant not to use emojis"),
            ("please stop calling me Ren, it's Renaldi", "User wants the assistant to stop calling them Ren, it's Renaldi"),
            ("Mark is my brother", "Mark is User's brother"),
            ("No one in my family eats pork", "No one in User's family eats pork"),
            ("No longer a plumber, my knees gave up", "No longer a plumber, User's knees gave up"),
            ("We live in the US with my parents", "User lives in the US with User's parents"),
            ("I already use Neovim", "User already uses Neovim"),
            ("Big fan of Postgres", "User says: Big fan of Postgres"),
            ("gue prefer jawaban singkat", "Pengguna prefer jawaban singkat"),
            ("namaku Sari", "Nama Pengguna Sari"),
            ("panggil gue Gut", "Pengguna mau dipanggil Gut"),
            ("ga usah panggil gue bro", "Pengguna minta: ga usah panggil Pengguna bro"),
            ("jangan pakai emoji", "Pengguna minta: jangan pakai emoji"),
        ] {
            assert_eq!(told(said, Subject::User), stored);
        }
        for (said, stored) in [
            ("We deploy with Argo CD", "The team deploys with Argo CD"),
            ("Our releases are cut on Tuesdays", "The releases are cut on Tuesdays"),
            ("gudang kami tutup hari Minggu", "Gudang tim tutup hari Minggu"),
        ] {
            assert_eq!(told(said, Subject::Team), stored);
        }
    }
}
