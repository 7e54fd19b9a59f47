//! Judges one clause: does it say something about the user that will still be true next month?

mod refuted;

use super::pattern::pattern;
use super::person::{Tongue, third};
use super::{drops, frames, wishes};
use crate::domain::memory::MemoryKind;
use refuted::refuted;
pub use refuted::{at_hand, passes};

/// The result for a clause.
#[derive(Debug, PartialEq, Eq)]
pub enum Judged {
    Keep {
        kind: MemoryKind,
        importance: i64,
        text: String,
    },
    /// The rule that dropped it.
    Drop(&'static str),
    /// Says nothing about the user.
    Nothing,
}

pattern! {
    PERSONAL = r"^(?:i|we|my|our|me)\b|^(?:{AKU}|kita|kami)\b|^\w+ku\b|\b{AKU}\b|^call me\b";
    WEAK = r"^(?:i|we|{AKU}|kita|kami)$|^(?:my|our) \w+ (?:is|are)$";

    AT_FIRST = r"^(?:at (?:home|work|the office|school|my job)|in my (?:free|spare) time|in (?:my|our) \w+|these days|lately|nowadays|currently|now|since (?:\w+ ){1,3}|{DAY}|weekdays|weekends|mornings|evenings|afternoons|nights|for (?:\w+ ){1,4}|on (?:my|the|our) (?:\w+ ){1,3}|when \w+ing(?: \w+){0,3}|outside (?:of )?work|before bed|after work|sekarang|skrg|saat ini|di (?:rumah|kantor|laptop|kampus|waktu luang)|kalo di \w+|kalau di \w+|sehari-hari|kadang|kalo ngoding|untuk (?:\w+ ){1,3}|buat (?:\w+ ){1,3}|soal \w+|sejak \S+)[, ]*\b(?:(?:kita|kami) )?(?P<rest>(?:I|we|{AKU}|kita|kami|{PAKE}(?:nya)?)\b.*)$";

    QUANTITY = r"^(?:(?:nearly |almost )?(?:all|most|both|some|half|much|many|each|every one|a lot|none|everything)(?: of)?|every(?: single)? one of) (?P<rest>(?:my|our)\b.*)$";
    WITHOUT_I = r"^(?:just |recently |finally |newly |only |officially |also )*(?:joined|started (?:as|at|on|last|this|here)|moved (?:to (?-i:[A-Z])\w*|into|in with|house|over|here)|relocated|transferred (?:to|from|over)|switched (?:to|from|jobs|teams|careers)|graduated|retired|turned (?:vegan|vegetarian|pescatarian|\d+)|went (?:vegan|vegetarian|freelance|part-time|fully remote)|gone (?:vegan|vegetarian|freelance)|became (?:an?|the)|got (?:promoted|married|engaged|hired|laid off|certified|diagnosed)|quit my|left my|got (?:an?|one|two|three|\d+|my|no)|can't (?:eat|stand|drink|have|drive|swim|hear|read|tolerate)|live in|work (?:as|at|for)|speak (?-i:[A-Z])|(?:love|hate|never) \w|adopted an?|bought (?:an?|my|our) (?:\w+ )?(?:house|flat|car|apartment|bike))\b.*";
    // Spoken Indonesian usually omits the subject.
    TANPA_AKU = r"^(?:(?:sekarang|skrg|saat ini|udah|sudah|masih|lagi|cuma|biasanya|emang|asli|aslinya|dari dulu|kebetulan) )*(?:tinggal|ngekos|ngontrak|domisili|menetap|merantau|kerja|bekerja|ngantor|kuliah|ngajar|mengajar|lahir|besar|asli(?:nya)?|punya|alergi|hobi(?:nya)?|suka(?:nya)?|biasanya|umur|jualan|belajar|{GA} (?:bisa|suka|pernah|makan|minum|punya|ngerti|paham)) (?:(?:di|dari|sebagai|jadi|sama|bareng|tiap|setiap|orang) )?\S.*";
    BEEN = r"^(?:been|have been) (?:an? |the |on |in |with |using |doing |writing |working |running |coding |programming |teaching |living |playing |maintaining |leading |building |vegan|vegetarian|married|at (?-i:[A-Z])\w*).*\b(?:for (?:[\w-]+ ){1,3}(?:years?|months|decades?)|since)\b.*";

    BEING_LEFT_OUT = r"^(?:now|currently|these days) (?:at|with|on|an?) \w.*|^(?:now|currently|these days) in (?:the |an? )?[\w-]+(?: \w+)?$|^(?:(?:currently|still|mostly|mainly|also|just|originally|now|happily) )*(?:(?:working|living|running|studying|learning|training|raising|saving|preparing|building|renting|commuting|teaching|majoring|speciali[sz]ing|recovering|managing|maintaining|writing (?:my|a (?:\w+ )?(?:book|novel|thesis|memoir))|doing (?:a|my) (?:phd|masters?|degree|residency)|hosting|leading|organi[sz]ing|volunteering) |based (?:in|near|out)|born |raised |married |divorced$|widowed$|retired|dyslexic|diabetic|bilingual|self-employed|deaf |pregnant|(?:(?:not|pretty|very|quite|really|so|super|too|kinda) )*(?:great|good|bad|terrible|awful|hopeless|rubbish|comfortable|experienced|rusty) (?:with|at|in)|no good (?:with|at)|more of an? |(?:an? |(?:proud|single|stay-at-home|new|young|busy) )*(?:mum|mom|mother|dad|father|parent|grandmother|grandfather) (?:of|to)|former \w|ex-\w+)\b.*";
    // "Learning Rust is hard": the gerund is the subject.
    DOING_IS = r"^\w+ing\b[^,]* (?:is|was|takes?|seems?|feels?|makes?|requires?|needs?|costs?|sounds?|would|will|can)\b";
}

/// The clause with its omitted subject.
pub fn with_subject(clause: &str, tongue: Tongue) -> String {
    subject_back(clause, tongue)
}

/// Restores the omitted subject: "just joined as …", "been using Emacs for years".
fn subject_back(clause: &str, tongue: Tongue) -> String {
    if tongue == Tongue::Indonesian {
        let left_out = TANPA_AKU.is_match(clause) && !PERSONAL.is_match(clause);
        return if left_out { format!("gue {}", lower(clause)) } else { clause.to_owned() };
    }
    if WITHOUT_I.is_match(clause) {
        format!("I {}", lower(clause))
    } else if BEING_LEFT_OUT.is_match(clause) && !DOING_IS.is_match(clause) {
        format!("I am {}", lower(clause))
    } else if BEEN.is_match(clause) && !clause.to_lowercase().starts_with("have") {
        format!("I have {}", lower(clause))
    } else {
        clause.to_owned()
    }
}

pattern! {
    DEGREE = r"^(?P<who>i|we) (?:am|are) (?:(?:an? (?:bit|little|tad)|slightly|somewhat|partially|partly|severely|mildly|half|completely|totally|quite|rather|very|fairly|legally|clinically|kind of|sort of) )+";
    THE_FAMILY = r"^the (?P<who>kids|children|wife|husband|missus|dogs?|cats?|baby|twins|boys|girls|in-laws|grandkids)\b";
    // "In this company" does not refer to something being discussed.
    THIS_PLACE = r"\b(?P<at>in|at|for|on|of|by) this (?P<place>company|firm|team|office|house|household|family|flat|city|town|village|country|region|organi[sz]ation|school|department|lab|shop|clinic)\b";
    // A household or a team, in Indonesian: what it does, the user does.
    KAMI = r"^(?:kami|kita)(?: (?:se\w+|berdua|bertiga|berempat|semua|semuanya|tuh|di sini))* ";
    NOW_FIRST = r"^(?:now|currently|sekarang|skrg|saat ini|these days|nowadays|lately) ";
}

/// Whether its shape is reliable by itself, even if the text after it does not last.
pub fn is_firm(clause: &str) -> bool {
    const LOOSE: &[&str] = &["plain_present", "plain_being", "present", "setup", "habit", "alat", "kebiasaan"];
    frames::fitting(clause).any(|frame| !LOOSE.contains(&frame.rule.name))
}

/// Judges a separate clause with expanded contractions. `asking`: the message also asks for something.
pub fn judge(clause: &str, tongue: Tongue, asking: bool) -> Judged {
    if let Some(rule) = drops::always(clause) {
        return Judged::Drop(rule);
    }
    if let Some(wish) = wishes::wish(clause, tongue, asking) {
        return Judged::Keep { kind: wish.kind, importance: wish.importance, text: wish.text };
    }
    if drops::is_chat(clause) {
        return Judged::Drop("small_talk");
    }
    if drops::is_question(clause) {
        return Judged::Drop("question");
    }
    let own = |frame: &frames::Frame| matches!(frame.rule.name, "relation" | "pronouns" | "belongs" | "that_name");
    if drops::is_about_others(clause) && !AT_FIRST.is_match(clause) && !frames::fitting(clause).any(own) {
        return Judged::Drop("other_person");
    }
    if WEAK.is_match(clause) {
        return Judged::Nothing;
    }
    let whole = clause;
    let mut dropped = None;
    let whole = &subject_back(whole, tongue);
    let clause = whole.as_str();
    let plain = AT_FIRST.captures(clause).or_else(|| QUANTITY.captures(clause));
    let plain = plain.map_or_else(|| clause.to_owned(), |found| found["rest"].to_owned());
    let fleeting = drops::fleeting(&plain);
    let plain = THIS_PLACE.replace_all(&plain, "$at our $place").into_owned();
    let flat = DEGREE.replace(&plain, "$who am ").into_owned();
    let plain = THE_FAMILY.replace(&plain, "my $who").into_owned();
    let one_of_us = KAMI.replace(&plain, "saya ").into_owned();
    let mut shapes = vec![clause, plain.as_str(), flat.as_str(), one_of_us.as_str()];
    shapes.dedup();
    for (clause, frame) in shapes.iter().flat_map(|shape| frames::fitting(shape).map(move |f| (*shape, f))) {
        if refuted(frame.rule.name, clause) {
            dropped = Some("one_off");
        } else if let Some(rule) = fleeting.filter(|_| !frame.lasts) {
            dropped = Some(rule);
        } else {
            return Judged::Keep {
                kind: frame.kind,
                importance: frame.importance,
                text: stated(if NOW_FIRST.is_match(whole) { &plain } else { whole }, tongue),
            };
        }
    }
    if let Some(rule) = dropped {
        Judged::Drop(rule)
    } else if drops::is_request(clause) || fleeting.is_some() {
        Judged::Drop("one_off")
    } else if PERSONAL.is_match(clause) {
        Judged::Drop("not_durable")
    } else {
        Judged::Nothing
    }
}

pattern! {
    WANTS_CALL = r"^(?:please |just |you can |you may |feel free to )*call me (?P<name>.+)$";
    CALLED = r"^(?:everyone|everybody|people|friends|they all|most people) calls? me (?P<name>.+)$";
    SAID_PRONOUNS = r"^(?:(?:my )?pronouns(?: are| is|:)? |i (?:use|go by|prefer) |please use |use |it is )?(?P<what>(?:he|she|they|xe|ze|fae|it)/\w+(?:/\w+)?)\b(?: pronouns)?(?P<rest>.*)$";
    REACHED = r"^(?:(?:you|people|everyone|anyone|folks) (?:can|may|should|could) |it is |please |just |always |easiest |best |better )*(?:to )?(?:best |always |only |usually )?(?:reach|contact|ping|message|dm|find|notify) me(?: best| only| always| usually| directly)? (?P<how>(?:on|via|through|by|over|in|under)\b.*)$";
    HERE = r"^(?P<what>.{2,50}) here(?P<rest>,.*)?$";
    ELIDED = r"^(?:mostly |mainly |usually |strongly |really )*(?P<verb>prefer|working|allergic|vegetarian|vegan|fluent|native|born|based|living|located|raised|self-taught|colou?rblind|lactose|left-handed|new to|not an? |big fan|huge fan|a native)\b";
    OUR_HOUSE = r"\b(?:we|our|us)\b";
}

/// The statement in the third person, with an omitted subject restored.
pub fn stated(clause: &str, tongue: Tongue) -> String {
    if let Some(found) = WANTS_CALL.captures(clause) {
        return format!("User wants to be called {}", &found["name"]);
    }
    if let Some(found) = CALLED.captures(clause) {
        return format!("User is called {} by everyone", &found["name"]);
    }
    if let Some(found) = SAID_PRONOUNS.captures(clause) {
        return format!("User's pronouns are {}{}", &found["what"], &found["rest"]);
    }
    if let Some(found) = REACHED.captures(clause) {
        return third(&format!("I want to be reached {}", &found["how"]), tongue);
    }
    if tongue == Tongue::Indonesian {
        let said = third(clause, tongue);
        let elided = !said.contains("Pengguna") && !clause.contains("User");
        return if elided { format!("Pengguna {}", lower(&said)) } else { said };
    }
    if let Some(found) = HERE.captures(clause).filter(|found| !PERSONAL.is_match(&found["what"])) {
        return format!("User is a {}{}", &found["what"], found.name("rest").map_or("", |rest| rest.as_str()));
    }
    if let Some(found) = ELIDED.captures(clause) {
        let said = if found["verb"].eq_ignore_ascii_case("prefer") {
            format!("I {}", lower(clause))
        } else {
            format!("I am {}", lower(clause))
        };
        return third(&said, tongue);
    }
    let said = if OUR_HOUSE.is_match(clause) { household(clause) } else { clause.to_owned() };
    third(&said, tongue)
}

pattern! {
    WE_ARE = r"\bwe are\b";
    WE_HAVE = r"\bwe have\b";
    WE = r"\bwe\b";
    OUR = r"\bour\b";
    // The "us" in "us-west-2" is not a pronoun.
    US = r"\bus\b(?P<more>-\w+)?";
}

/// A household or a team for which one member speaks.
fn household(clause: &str) -> String {
    let text = WE_ARE.replace_all(clause, "I am");
    let text = WE_HAVE.replace_all(&text, "I have");
    let text = WE.replace_all(&text, "I");
    let text = OUR.replace_all(&text, "my");
    US.replace_all(&text, |us: &regex::Captures| if us.name("more").is_some() { us[0].to_owned() } else { "me".to_owned() })
        .into_owned()
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if chars.clone().next().is_some_and(char::is_lowercase) => first.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::person::{expand, tongue};
    use super::*;

    fn kept(said: &str) -> Option<String> {
        let tongue = tongue(said);
        match judge(&expand(said, tongue), tongue, false) {
            Judged::Keep { text, .. } => Some(text),
            _ => None,
        }
    }

    #[test]
    fn durable_statements_are_kept() {
        for (said, stored) in [
            ("I work mostly on the iOS app", "User works mostly on the iOS app"),
            ("call me Gut", "User wants to be called Gut"),
            ("I prefer short answers", "User prefers short answers"),
            ("backend dev here", "User is a backend dev"),
            ("Prefer Postgres over MySQL", "User prefers Postgres over MySQL"),
            ("gue prefer jawaban singkat", "Pengguna prefer jawaban singkat"),
            ("we live in Ghent", "User lives in Ghent"),
        ] {
            assert_eq!(kept(said).as_deref(), Some(stored), "{said}");
        }
    }

    #[test]
    fn the_rest_is_let_go() {
        for said in [
            "I have a meeting at 3",
            "my build is broken",
            "I love this",
            "I'm so tired",
            "I ran the tests",
            "thanks a lot",
            "she prefers tabs",
            "my boss wants a report",
            "gue lagi laper",
            "gue baru makan",
            "kode gue error",
            "I use this function to parse dates",
            "I want tea",
            "call me when it is done",
            "my test passes now",
            "I tried Docker and it failed",
        ] {
            assert_eq!(kept(said), None, "{said}");
        }
    }
}
