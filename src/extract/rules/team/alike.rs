//! Statements that the classifier takes for the team's: worded without "we", and refused if they contain a person, a household or
//! a reference outside the sentence.

use super::super::pattern::pattern;
use super::super::person::tidy;
use super::{OF_TODAY, PRIVATE_MATTER, REFUSED, Shared, WE_LEFT, kind, told};

pattern! {
    FAMILY_MATTER = r"\b{FAMILY}\b|\b{KELUARGA}\b|\b(?:wedding|married|honeymoon|anniversary|mortgage|landlord|homeschool\w*|vacation|child|children|flat|apartment|nikah|serumah)\b";
    // What one team member is and does for themselves.
    ONE_OF_THEM = r"^(?:the|our|my|one of (?:the|our)) (?:(?:new|old|former|senior|junior|other|\w+er) )?(?:intern|trainee|apprentice|boss|manager|lead|ceo|cto|founder|owner|director|colleague|co-?worker|teammate|teacher|student|chef|cook|baker|nurse|doctor|driver|designer|developer|engineer|admin|secretary|accountant|lawyer|assistant|receptionist|anak magang|magang|bos|atasan) (?:\w+ly |also |still |even )?(?:lives?|is from|comes from|likes?|loves?|hates?|prefers?|wants?|thinks?|has (?:a|an|two|three|\d+)|is (?:\w+ )?(?:sick|ill|pregnant|married|divorced|allergic|vegan|vegetarian|\d+)|takes the (?:train|bus)|commutes?|eats?|drinks?|wears?|speaks?|moved|quit|left|got|had|tinggal|suka|alergi|sakit|hamil)\b";
    // Something that people do and one day finish.
    UNDERWAY = r"^(?:we are|we're|we've been|we have been|kami sedang|kita sedang|kami lagi|kita lagi) (?:(?:now|currently|still|just) )?(?:restor|build|plan|try|look|wait|writ|work|learn|expect|mov|renovat|prepar|organi[sz]|fix|paint|sav|think|go|mencoba|menunggu|membangun|menulis|belajar|menyiapkan|mencari)\w*\b";
    // A person in it, or a word that refers outside the sentence.
    POINTS = r"^(?:this|that|these|those|it|its|they|he|she|which|ini|itu|dia|mereka)\b";
    // The "us" in "us-west-2" is not a pronoun.
    PLURAL_SELF = r"\b(?:tim )?(?P<who>we're|we've|we|us|our|ours|(?:kami|kita)(?: tim)?)\b(?P<more>-\w+)?";
}

/// Whether anything besides a person in it suggests that it is not a statement of the team.
pub fn is_doubtful(text: &str) -> bool {
    REFUSED.first(text).is_some()
}

// What only colleagues say about themselves.
pattern! { WORK = r"^(?:we|kita|kami) (?:(?:always|never|only|all|now|currently|still|just|usually|selalu|biasanya|cuma|sekarang) )*(?:deploy|ship|release|merge|squash|host|rebase|monitor|rotate|publish|lint|bill|invoice|cache|page|version|containeri[sz]e|provision|onboard|triage|nge-?deploy|deploy|rilis|merilis|ngerilis|nge-?merge)\b|^(?:we|kita|kami) (?:(?:all|now|currently|still|just|sekarang) )*(?:use|track|manage|log|pakai|pake|menggunakan|gunakan|catat|simpan) (?:[\w-]+ ){0,4}(?-i:[A-Z])[\w.]+ (?:for|untuk|buat)\b|^(?:we are|we're) an? (?:[\w-]+ ){0,4}(?:company|firm|agency|startup|shop|clinic|school|studio|charity|bakery|restaurant|practice|lab|warehouse|factory|hotel|farm)\b" }

/// Whether colleagues talk about their work.
pub fn is_work(text: &str) -> bool {
    WORK.is_match(text)
}

/// Whether it is about a family.
pub fn is_of_family(text: &str) -> bool {
    FAMILY_MATTER.is_match(text)
}

/// A statement that the classifier takes for the team's, worded without "we".
pub fn weighed(said: &str) -> Result<Shared, &'static str> {
    let text = told(said, true, |_| true).unwrap_or_else(|| {
        let said = PLURAL_SELF.replace_all(said, |found: &regex::Captures| match found["who"].to_lowercase().as_str() {
            _ if found.name("more").is_some() => found[0].to_owned(),
            "we're" => "the team is".to_owned(),
            "we've" => "the team has".to_owned(),
            "we" | "us" => "the team".to_owned(),
            "our" => "the".to_owned(),
            "ours" => "the team's".to_owned(),
            _ => "tim".to_owned(),
        });
        tidy(&said)
    });
    let person = REFUSED.all(&text).any(|rule| rule == "person");
    if person || ONE_OF_THEM.is_match(&text) || PRIVATE_MATTER.is_match(&text) || (WE_LEFT.is_match(said) && is_of_family(said)) {
        return Err("person");
    }
    if UNDERWAY.is_match(said) || POINTS.is_match(&text) || OF_TODAY.is_match(&text) {
        return Err("not_shared");
    }
    Ok(Shared { kind: kind(&text), text: tidy(&text) })
}
