//! Resolves "he", "she" and "it" to a member of the user's family, so that "she's allergic to nuts" after "my daughter starts
//! school" is not lost.

use super::super::drops;
use super::super::pattern::pattern;
use super::super::person::Tongue;
use super::super::personal;
use super::Reader;
use crate::domain::memory::MemoryKind;

pattern! {
    MENTION = r"\b(?P<who>my (?:(?:\w+ ){0,2}?)?{FAMILY}(?:,? (?-i:[A-Z])\w+)?)\b";
    HAS_ONE = r"^i {ADV}(?:have|got|adopted) (?:an? |one |two |three |\d+ )(?:[\w-]+ ){0,2}?(?P<who>{FAMILY})\b";
    // Relatives with a separate life: facts about them are theirs, not the user's.
    ELSEWHERE = r"\b(?:sisters?|brothers?|siblings?|grand\w+|nephews?|nieces?|uncle|aunt|cousins?|in-laws|family)\b";
    PRONOUN = r"^(?:and |but |also )*(?P<who>(?:he|she|they|his|her|their|it|its)\b)(?P<is>'s|'re)?(?P<rest> .+)$";
    // Lasting facts about somebody else's life: what they are, have, can and like.
    LASTING = r"^ (?:has|have) (?:an? )?[\w-]+(?: [\w-]+)?$|^(?: (?:is|are|has|have))?(?: (?:severely|very|really|also|both|only|still|a bit|quite|mostly))* (?:allergic|intolerant|diabetic|afraid|scared|deaf|blind|autistic|dyslexic|epileptic|vegan|vegetarian|called|named|born|from|an? (?:[\w-]+ ?)+$|an? .*\b(?:year|months?)[- ]old|(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:$| and| years?| months?| now)|name is|names are|birthday is|favou?rite|in (?:grade|year|kindergarten|primary|high|middle|first|second|third|fourth|fifth)|can't|doesn't|don't|never|only|always|loves?|likes?|hates?|prefers?|lives?|works?|speaks?|stud(?:y|ies)|plays?|eats?|sleeps?|needs? .* (?:every|daily|diet)|goes to|go to|turns? \d+)\b.*";
}

impl Reader<'_> {
    /// Keeps what a clause says about a family member who was mentioned before.
    pub(super) fn of_family(&mut self, text: &str) -> bool {
        let told = PRONOUN.captures(text).and_then(|found| {
            let who = self.family.clone()?;
            let mut rest = found["rest"].to_owned();
            if let Some(short) = found.name("is") {
                rest = format!("{}{rest}", if short.as_str() == "'re" { " are" } else { " is" });
            }
            let own = ["his", "her", "their", "its"].contains(&found["who"].to_lowercase().as_str());
            (LASTING.is_match(&rest) && drops::fleeting(text).is_none())
                .then(|| format!("{who}{}{rest}", if own { "'s" } else { "" }))
                .filter(|told| !personal::passes(told))
        });
        let found = MENTION.captures(text).map(|found| found["who"].to_owned());
        let found = found.or_else(|| HAS_ONE.captures(text).map(|found| format!("my {}", &found["who"])));
        if let Some(found) = found {
            self.family = (!ELSEWHERE.is_match(&found)).then_some(found);
        }
        let Some(told) = told else { return false };
        self.keep_or_correct(&personal::stated(&told, Tongue::English), MemoryKind::Fact, 3, false);
        true
    }
}
