//! Sentences in which people talk about themselves, without an order.
//!
//! `I hide my address because of spam` and `my charts don't tell me anything` contain the verbs of an attack, but the one who
//! acts is not the assistant. Such clauses are removed before a note is checked for orders. A clause that mentions the assistant,
//! its rules, its memory or somebody's rank is never removed.

/// How a clause begins in which people talk about themselves or their own things.
const TELLER: &str = r"^(?:(?:and|but|so|because|since|as|when|while|if|although|though|also|then|that|which means|in the past|last [a-z]+|yesterday|today|this [a-z]+|usually|sometimes|on [a-z]+days|karena|tapi|jadi|dan|kemarin|biasanya|kadang|kalau|hi|hello|ok|okay|yes|no|well|sorry|thanks|btw|fyi),? )*(?:i(?:'m|'ve|'d|'ll)?|we(?:'re|'ve|'d|'ll)?|my [a-z0-9' -]{2,24}?|our [a-z0-9' -]{2,24}?|he|she|they|saya|aku|gue|gw|kami|kita|(?:tim|anak|istri|suami|bos|atasan|laptop|teman|rekan|klien|ibu|ayah) (?:saya|aku|gue|kami|kita)) (?:[a-z]+ly |always |never |often |just |also |still |only |already |usually |almost |then |both |selalu |sering |sudah |udah |lagi |baru |biasanya |belum |masih |juga |tidak |nggak |gak |ga |don't |doesn't |didn't |can't |won't |do not |does not |did not |cannot )*[a-z]";
/// A plural or a thing that does not do something: `charts don't tell`, `the logs never show`.
const THING: &str = r"^(?:(?:and|but|so|because|since|as|when|while|if) )*(?:[a-z/-]+ ){0,4}(?:[a-z/-]+s (?:don't|do not|can't|won't|cannot)|[a-z/-]+ (?:doesn't|does not|didn't|did not)) [a-z]";
/// Keeps a clause from being removed.
const GUARDED: &str = r"\b(?:yourself|assistant|asisten|chatbot|bot|model|ai|llm|agent|kamu|anda|lo|lu|prompts?|instructions?|instruksi|memor(?:y|ies)|ingatan|memori|notes?|catatan|rules?|aturan|system|sistem|admin\w*|operators?|developers?|root|superuser|owner|creator|maker|authori[sz]\w*|verified|clearance|permissions? to|guardrails?|safeguards?|filters?|polic(?:y|ies)|restrictions?|restricted|consent\w*|approved|persetujuan|perintah|disetujui|verifikasi|users?|pengguna|anyone who|whoever|https?|hereby|override|secrets?|passwords?|credentials|password|tokens?)\b|\S@\S|\.example\b|\b(?:and|but|so|then|dan|lalu|jadi) (?:always|never|please|don't|do not|just|only|selalu|jangan|tolong)\b|, (?:always|never|please|don't|do not|selalu|jangan|tolong)\b";

/// Mentions of the reader. Such a clause may still be removed, unless it asks the reader for something.
const READER: &str = r"\b(?:you|your|yours)\b";
/// Wishes, permissions and orders: what follows is for the reader to do.
const WISHES: &str = r"\b(?:want|wants|need|needs|like|love|ask|asks|asked|tell|told|order|expect|require|allow|permit|let|authori[sz]e|command|instruct|grant|prefer|insist|forbid|demand|request|wish|hope|hereby|own|made|built|created|trained|give|gave|say|said|call|name)\b";

/// The text without the clauses that only tell something.
pub(super) fn set_aside(lower: &str) -> String {
    let tells = |clause: &str| {
        let clause = clause.trim_start().as_bytes();
        let reader = pattern!(READER).is_match(clause);
        (pattern!(TELLER).is_match(clause) && !(reader && pattern!(WISHES).is_match(clause))
            || pattern!(THING).is_match(clause) && !reader)
            && !pattern!(GUARDED).is_match(clause)
    };
    let mut left = String::with_capacity(lower.len());
    for sentence in lower.split_inclusive(['.', ';', '!', '?', '\n']) {
        if tells(sentence) {
            left.push_str(" ~. ");
            continue;
        }
        for clause in sentence.split_inclusive(", ") {
            left.push_str(if tells(clause) { " ~, " } else { clause });
        }
    }
    left
}
