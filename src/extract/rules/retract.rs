//! Recognises that users withdraw something they said earlier, by its topic: "scratch what I said about tabs", "I've changed my
//! mind about bullet points", "it was wrong when I told you that I report to Lena".
//!
//! The topic is searched for among the known memories. If no memory is about it, nothing is withdrawn, so that remarks on the
//! current task ("scratch that, use the other file") have no effect.

use super::echo::{content_words, shared};
use super::pattern::pattern;

/// What is withdrawn, and what the same sentence says instead.
#[derive(Debug, PartialEq, Eq)]
pub struct Retraction {
    pub topic: String,
    pub instead: Option<String>,
    /// Worded as a command to the memory: "forget what I said about tabs".
    pub command: bool,
}

pattern! {
    ABOUT = r"^(?:(?:please |you can |just |well )*(?:scratch|forget|ignore|disregard|never ?mind|strike|drop|undo|cancel)|i (?:have to |want to |must |am |would like to )?(?:take|taking) back|i (?:have )?(?:just )?(?:changed|change|am changing) my mind|i (?:was|am|have been) (?:wrong|mistaken)|i (?:misspoke|lied|made a mistake)|my (?:mind|opinion) (?:has )?changed)(?: (?:what|everything|anything|all|that|the (?:thing|part|bit|stuff|comment|note)|my (?:comment|remark|note|wish|request|preference)s?)){0,2}(?: (?:that )?I (?:have |had )?(?:just )?(?:said|told you|mentioned|wrote|claimed|asked)(?: you)?(?: before| earlier| yesterday| last week| the other day| once)?)?(?: (?:about|on|regarding|concerning|for|that)| with) (?P<topic>[^,;:.]{2,60}?)(?:(?:\s*[,;:]\s*|\s+[-–—]+\s+|\s+(?:and|but|so) )(?P<rest>\S.*))?$";
    // "Forget the marathon, I'm training for a triathlon now".
    DROPPED = r"^(?:please |well |just |ok )*(?:forget|scratch|scrap|lose|kill|cancel|undo|never ?mind|ditch|drop|skip|no more|lupain|lupakan|batalin) (?:about )?(?:(?:the|my|our|that) )?(?P<topic>[\w' -]{2,40}?)(?: (?:thing|stuff|idea|plan|itu))?(?:\s*[,;:]\s*|\s+[-–—]+\s+)(?:and |but |so |now )*(?P<rest>(?:I|we|my|our|it is|use|switch|go|give|make|answer|write|keep|call|show|{AKU}|sekarang|pake|pakai)\b.*)$";
    CLAIM = r"^(?:(?:it|that) (?:was|is) )?(?:wrong|a mistake|a lie|not true|incorrect|mistaken|nonsense|an error)(?: of me)? (?:when|that|to say|for me to say) (?:I (?:said|told you|wrote|mentioned|claimed) )?(?:that )?(?P<topic>[^,;:]{4,100}?)(?:\s*[,;:]\s*(?P<rest>\S.*))?$";
    WAS_WRONG = r"^(?:what|the (?:thing|part|bit)|that thing|everything) I (?:said|told you|mentioned|wrote)(?: before| earlier| yesterday)? (?:about|on|regarding) (?P<topic>.{2,60}?)(?: (?:is|was|isn't|is not|no longer|doesn't|does not)(?: \w+){0,2}? (?:wrong|outdated|out of date|true|incorrect|old|over|a mistake|right|obsolete|stale|holds?|appl(?:y|ies))(?: any ?more| now)?)(?:[ ,;:–—-]+(?P<rest>\S.*))?$";
    SAID_WRONG = r"^i (?:said|told you|mentioned|wrote)(?: before| earlier| once| yesterday)?(?: that)? (?P<topic>[^;:]{4,100}?)(?:,| -| –| —)? (?:but |and |which )?(?:that |this |it |I |which )?(?:was|is|isn't|is not|am)(?: \w+){0,2}? (?:wrong|outdated|true|a mistake|incorrect|not right|old|over|mistaken|a typo|a slip)(?: any ?more| now)?(?:[ ,;:–—-]+(?P<rest>\S.*))?$";
    ASKED_OF = r"^(?:and |so |oh )?(?:that thing|what|the (?:thing|bit|part)|remember what) I (?:said|told you|mentioned) (?:about|on) (?P<topic>[\w' -]{2,40})$";
    SOAL = r"^(?:tolong |eh )?(?:(?:lupain|lupakan|abaikan|coret|batalin|batalkan|tarik)(?: aja| dong)? (?:yang|apa yang|omongan|ucapan|kata-kata)(?: (?:tadi |kemarin |dulu |pernah )?{AKU}(?: pernah| tadi)? (?:bilang|ngomong|omongin|sebut|cerita|tulis)(?: tadi| kemarin| dulu)?)?|{AKU} (?:udah |sudah |jadi )?berubah pikiran|{AKU} (?:kemarin |tadi |dulu )?salah (?:bilang|ngomong|sebut|info|kasih tau))(?: (?:soal|tentang|kalo|kalau|bahwa|mengenai))? (?P<topic>[^,;:.]{2,60}?)(?:(?:\s*[,;:]\s*|\s+[-–—]+\s+|\s+(?:tapi|jadi) )(?P<rest>\S.*))?$";
    SALAH = r"^(?:yang|apa yang) (?:tadi |kemarin |dulu |pernah )?{AKU}(?: pernah| tadi| kemarin)? (?:bilang|ngomong|cerita|sebut|tulis)(?: tadi| kemarin| dulu)? (?:soal|tentang|kalo|kalau|bahwa) (?P<topic>[^,;:]{2,60}?) (?:itu |tuh |udah |sudah |ternyata )*(?:salah|{GA} (?:bener|benar|berlaku|valid)|keliru|basi|kedaluwarsa)(?: lagi)?(?:[ ,;:–—-]+(?P<rest>\S.*))?$";
    AT_HAND = r"^(?:it|this|that|these|those|them|him|her|you|the (?:above|last|first|second|other|previous|next|error|question|test|file|function|line|code)\b.*|(?:this|that|these|those) .*|ini|itu|yang (?:ini|itu|tadi)|above|.{0,1})$";

    COMMAND = r"^(?:please |you can |just |well |tolong |eh )*(?:forget|ignore|disregard|never ?mind|drop|lupain|lupakan|abaikan)\b";
}

/// Parses a sentence as a withdrawal. Also `None` if it refers to the current task.
pub fn read(sentence: &str) -> Option<Retraction> {
    let shapes = [&*ABOUT, &*CLAIM, &*WAS_WRONG, &*SAID_WRONG, &*ASKED_OF, &*SOAL, &*SALAH, &*DROPPED];
    let found = shapes.into_iter().find_map(|shape| shape.captures(sentence))?;
    let topic = found["topic"].trim().to_owned();
    let instead = found.name("rest").map(|rest| rest.as_str().trim().to_owned());
    let command = COMMAND.is_match(sentence);
    (!AT_HAND.is_match(&topic)).then_some(Retraction { topic, instead, command })
}

/// Share of the topic's words that a memory about it must contain.
const ABOUT_IT: f64 = 0.5;

/// The known memory that a topic names.
pub fn memory<'a>(topic: &str, known: &'a [String]) -> Option<&'a str> {
    if content_words(topic).is_empty() {
        return None;
    }
    let best = known.iter().max_by(|a, b| shared(topic, a).total_cmp(&shared(topic, b)))?;
    (shared(topic, best) >= ABOUT_IT).then_some(best)
}

pattern! { IT = r"\b(?:them|it|those|that)\b" }

/// "I like them": with the topic in place of the pronoun.
pub fn spelled_out(said: &str, topic: &str) -> String {
    if topic.split(' ').count() <= 3 { IT.replace(said, regex::NoExpand(topic)).into_owned() } else { said.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_named() {
        for (said, topic, instead) in [
            ("scratch what I said about tabs, I want four spaces", "tabs", Some("I want four spaces")),
            ("I have changed my mind about bullet points", "bullet points", None),
            ("it was wrong when I told you that I report to Lena", "I report to Lena", None),
            ("I take back what I said about Jira", "Jira", None),
            ("what I told you about my diet is no longer true, I eat fish again", "my diet", Some("I eat fish again")),
            ("I told you I have two kids, that was wrong, I have three", "I have two kids", Some("I have three")),
            ("gue berubah pikiran soal tabel", "tabel", None),
            ("yang gue bilang soal Surabaya salah, gue tinggal di Sidoarjo", "Surabaya", Some("gue tinggal di Sidoarjo")),
        ] {
            let wanted = Retraction { topic: topic.to_owned(), instead: instead.map(str::to_owned), command: false };
            assert_eq!(read(said), Some(wanted), "{said}");
        }
        for said in ["scratch that, use the other file", "I changed my mind about this function, delete it", "I drop off at nine"]
        {
            assert_eq!(read(said), None, "{said}");
        }
    }

    #[test]
    fn a_topic_finds_its_memory() {
        let known = ["User prefers answers as bullet points".to_owned(), "User writes TypeScript".to_owned()];
        assert_eq!(memory("bullet points", &known), Some("User prefers answers as bullet points"));
        assert_eq!(memory("the schema", &known), None);
    }
}
