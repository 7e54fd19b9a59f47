//! Commands to the memory: remember, forget, tell the team.

mod audience;

use super::pattern::pattern;

/// A command to the memory.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// "Remember that …"; the text may be empty if it refers to a neighbouring sentence.
    Remember(String),
    /// "Remember this for the team: …".
    Team(String),
    /// "Forget that …": what to search for.
    Forget(String),
    /// "Forget everything about me": an erasure, which the extractor must not do.
    ForgetAll,
    /// "Forget it": small talk.
    Idle,
}

const POLITE: &str = r"(?:(?:please|pls|can you|could you|would you|will you|you can|you should|i want you to|i'd like you to|also|just|and|but|ok(?:ay)?|hey|oh|so|btw|actually|quick one|kindly|tolong|mohon|plis|bisa|bantu|coba|eh|oh iya|dan|terus|min|bro|kak|lo|kamu|hei)[, ]+)*";

/// With the polite words in it.
fn polite(pattern: &str) -> String {
    pattern.replace("{POLITE}", POLITE)
}

pattern! {
    TEAM = &polite(r"^{POLITE}(?:(?:remember|note|save|share|store|log|record|add|put|keep|write down|jot down|make a note|let)\b.{0,30}?\b(?:for|with|to|in|so)\s+(?:the |our |my )?(?:(?:whole|entire|rest of the) )?(?:the )?(?:team|everyone|everybody|crew|squad|team's)(?:'s)?(?: memory| notes?| knowledge(?: base)?| wiki)?(?: know| knows)?|(?:for|to) (?:the |our )?(?:(?:whole|entire) )?(?:team|everyone|everybody)(?: on the team| to know)?|team[- ](?:note|fact|memory|knowledge|wide|info)|(?:tell|inform|let|notify) (?:the |our )?(?:whole |entire )?(?:team|everyone|everybody)(?: know)?|note (?:for|to) (?:the )?team|(?:catat|catet|ingat|inget|simpan|simpen|bagi(?:kan|in)?|share|tambahin|masukin|kasih tau)\b.{0,16}?\b(?:buat|untuk|utk|bwt|ke|di)\s+(?:(?:se|satu )?tim|team|semua(?: orang)?|anak-anak|memori tim|catatan tim)(?: ya| kita| semua)*|(?:ini )?(?:buat|untuk) (?:satu )?(?:tim|team)(?: ya)?|catatan (?:buat |untuk )?tim|info (?:buat |untuk )?tim)\s*(?P<mark>that\b|[:,–—-]+(?: that\b)?|(?:bahwa|kalau|kalo|klo)\b)?\s*(?P<rest>.*)$");
    TEAM_END = &polite(r"^(?P<rest>.{8,}?)[,.;() –—-]+{POLITE}(?:remember|save|share|note|store|add|keep|catat|catet|ingat|simpan|share)\s*(?:this|that|it|ini|itu|ya)?\s*(?:for|with|to|buat|untuk|ke|sama)\s+(?:the |our |whole )*(?:team|everyone|tim|team ya|tim ya)(?: memory| please| ya)?\)?$");
    POINT_TEAM = &polite(r"^{POLITE}(?:remember|save|share|note|store|add|put|keep|record|catat|catet|ingat|inget|simpan|bagikan)\s*(?:this|that|it|the above|ini|itu|yang tadi|ya)?\s*(?:for|with|to|in|buat|untuk|ke)\s+(?:the |our |whole |entire )*(?:team|everyone|team memory|tim|team's notes|team notes)(?: memory| please| ya| notes| too)*$");
    REMEMBER = &polite(r"^/?{POLITE}(?:(?:(?:it would be|would be|it'd be) (?:\w+ )?(?:good|nice|great|helpful|handy|useful|best) (?:if you|to)(?: could| would| can)? |i (?:would )?(?:like|want|need|appreciate) (?:it if you|you to) |you (?:should|must|ought to) |make sure (?:you |to ))?(?:always )?(?:remember(?:ed)?|memori[sz]e|(?:keep|kept) (?:it |this |that )?in mind|bear (?:it |this )?in mind|don't (?:ever )?forget|do not forget|never forget|take note|make a note|make note|be aware|please know|note down|jot down|write down|note to self|for (?:future|your|later) reference|for your (?:information|notes|memory|records)|(?:save|store|add|put|commit) (?:this|that|it|the following)(?: down)?(?: (?:to|in)(?: your| the)? memory)?(?: for (?:later|me|next time|future))? ?(?:[:,–—-]| that\b)|add to (?:your )?memory|remember for (?:later|next time|the future|me))|note(?: that| this|:| to (?:yourself|self)))\b");
    REMEMBER_TAIL = r"^(?:\s|\b)*(?:(?:that|this(?: down)?|of|down|for (?:later|next time|me|the future|future (?:reference|chats|conversations))|the (?:fact|following)(?: that)?|in (?:your )?memory|to (?:your )?memory|about me|please|too|also|also that|(?:one|two|three|four|a few|some|these|a couple(?: of)?) (?:more )?(?:things?|facts?)(?: about me| for me)?)\b[\s:,–—-]*)*[\s:,–—-]*(?P<rest>.*)$";
    NOT_REMEMBER = r"^(?:when|how|what|why|where|who|the time|those|last|if|back|correctly|right|me$|us$|it$|anything|nothing|everything|more$|less)\b";
    NOT_FORGET = r"\b(?:don't|do not|never) (?:ever )?forget\b";
    TODO = r"^to (?P<rest>.*)$";
    INGAT = &polite(r"^/?{POLITE}(?:ingat(?:lah)?|inget|ingat-ingat|di(?:ingat|inget|catat|catet|simpan|simpen)|camkan|perlu (?:di)?(?:ingat|inget|catat)|jangan (?:sampai )?lupa|catat|catet|simpan|simpen|save|masukin (?:ke )?memori|tambahin (?:ke )?memori|noted ya|buat (?:diingat|catatan|referensi)|untuk (?:diingat|catatan|referensi))\b(?P<mark>(?:\s*(?:ya+|yah|ini|dong|aja|baik-baik|bahwa|kalau|kalo|klo|kl|di memori|ke memori|di ingatan|bro|kak|nih|soal|terus|selalu|juga|lo|kamu|bahwasanya)\b)*)\s*(?P<colon>[:,–—-]*)\s*(?P<rest>.*)$");
    NOT_INGAT = r"^(?:ga|gak|nggak|ngga|tidak|kah|pas|waktu|dulu|nggak\?|kan)\b";
    FIRST_PERSON = r"\b(?:{AKU}|kita|kami|\w{3,}ku|i|my|me|our|we)\b";
    POINT_BACK = &polite(r"^{POLITE}(?:remember|memori[sz]e|note|save|store|keep|jot|write|catat|catet|ingat|inget|simpan|simpen|don't forget|do not forget|never forget)\s*(?:that|this|it|these|those|both|all of (?:that|this)|down|ini|itu|ya+|yang tadi|baik-baik|dong)*(?: down| in mind| ya| please| for (?:later|next time|me|the future|future (?:reference|chats|conversations))| (?:about me|going forward|from now on)| in (?:your )?memory)*$");
    REMEMBER_END = &polite(r"^(?P<rest>.{6,}?)[,.;() –—-]+(?:and |so |dan |jadi |tolong )?{POLITE}(?:(?:remember|note|save|store|keep) (?:that|this|it)(?: in mind| down| please| for (?:later|next time|the future|future reference))*|keep (?:that|this|it) in mind|don't forget(?: that| it| this)?|do not forget(?: that| it| this)?|for future reference|please remember|(?:ingat|inget|catat|catet|simpan|simpen)(?: ya+| itu| ini| baik-baik| dong| yak)*|jangan lupa(?: ya)?|tolong (?:di)?(?:ingat|inget|catat)(?: ya)?)\)?$");
    FORGET = &polite(r"^/?{POLITE}(?:(?:you (?:can|should|may|must) )?(?:forget|unlearn|stop remembering|don't remember|do not remember|no longer remember|disregard|ignore|never ?mind)|(?:delete|erase|remove|drop|clear|scrub|wipe)(?: from (?:your )?memory)?)\b(?P<about>(?: (?:that|about|what|the (?:fact|part|bit|thing|memory|memories|note|entry|stuff)|(?:that |any |all |your )?(?:memory|memories|notes?|entry)|everything|anything|all|how|where|where|who)\b)*(?: (?:you (?:know|remember|have|learned|stored|saved)|i (?:have )?(?:ever |just |once )?(?:said|told you|mentioned|wrote)|i said|from (?:your )?memory)\b)*(?: (?:about|that|regarding|on|of|where|which says)\b)*)\s*:?\s*(?P<rest>.*)$");
    OF_MEMORY = r"\b(?:memory|memories|notes?|remember\w*|what you know|i said|i told|i mentioned|told you|fact that|you know about|learned|stored|saved)\b";
    OWN_FACT = r"\b(?:I|I'm|my|me|mine|about|that)\b";
    IDLE = r"^(?:it|that|this|about (?:it|that|this)|the (?:last|previous|above)(?: \w+)?|what i (?:just )?said|everything i (?:just )?said|i asked|i said (?:that|anything|it)|him|her|them|all that|to|the (?:first|second|error|warning|failing|tests?|bug|file|script|code|column|line|lines|rest)\b.*|.{0,2})$";
    EVERYTHING = r"^(?:everything|all|anything)(?: (?:of )?(?:my|your|about me|you know|you have|you remember|you've|i|i've|memories|the memories|that|on me|stored|learned|saved|know|remember|told|said|me|about|have|ever|data|of it|you|know))*$|\b(?:all|every one of|everything in) (?:of )?(?:my|your) memor(?:y|ies)|^my (?:memory|memories|data)$";
    LUPA = &polite(r"^/?{POLITE}(?:(?:lupain|lupakan)|(?:hapus|hilangin|hilangkan|buang|delete)(?: dari)? (?:ingatan|memori|memory|catatan)(?:mu|nya)?|(?:ga|gak|nggak|tidak) (?:usah|perlu) (?:di)?(?:inget|ingat)(?: lagi)?|jangan (?:di)?(?:inget|ingat)(?:-inget|-ingat)? lagi|stop (?:inget|ingat))\b(?:\s*(?:aja|dong|ya|deh|lo|kamu|lagi))*(?P<about>(?:\s*(?:soal|tentang|bahwa|kalau|kalo|klo|yang|mengenai|apa yang {AKU} bilang(?: soal| tentang)?|itu|info|fakta|ingatan|catatan|memori|preferensi)\b)*)\s*(?P<rest>.*)$");
    SEMUA = r"^(?:semua(?:nya)?|segala(?:nya)?)(?: (?:tentang|soal|yang|memori|ingatan|data|lo|kamu|tau|tahu|ingat|inget|{AKU}|catatan))*$";
}

/// Parses a sentence as a command.
pub fn read(sentence: &str) -> Option<Command> {
    if let Some(found) =
        TEAM.captures(sentence).filter(|c| c.name("mark").is_some() || POINT_TEAM.is_match(&c[0]) || said_to_team(&c[0]))
    {
        return Some(Command::Team(found["rest"].trim().to_owned()));
    }
    if let Some(found) = TEAM_END.captures(sentence) {
        return Some(Command::Team(found["rest"].trim().to_owned()));
    }
    if let Some(told) = audience::addressed(sentence) {
        return Some(Command::Team(told));
    }
    if POINT_BACK.is_match(sentence) {
        return Some(Command::Remember(String::new()));
    }
    forget(sentence).or_else(|| remember(sentence))
}

pattern! { TEAM_VERB = r"^(?:\w+ )*?(?:remember|note|save|share|record|store|catat|catet|ingat|simpan)\b.{0,14}\b(?:for|with|buat|untuk) (?:the |our |whole )*(?:team|tim|everyone)\b" }

/// "Remember for the team the staging …": a verb of storing before the team.
fn said_to_team(sentence: &str) -> bool {
    TEAM_VERB.is_match(sentence)
}

fn forget(sentence: &str) -> Option<Command> {
    if let Some(found) = LUPA.captures(sentence) {
        let rest = found["rest"].trim();
        return Some(if SEMUA.is_match(rest) {
            Command::ForgetAll
        } else if rest.split(' ').count() < 2 && found["about"].trim().is_empty() || rest.is_empty() {
            Command::Idle
        } else {
            Command::Forget(first_clause(rest))
        });
    }
    let found = FORGET.captures(sentence)?;
    let (about, rest) = (found["about"].trim(), found["rest"].trim());
    let said = sentence.to_lowercase();
    let forgets = said.contains("forget") || said.contains("remember") || said.contains("unlearn");
    if EVERYTHING.is_match(&format!("{about} {rest}").trim().to_lowercase()) {
        return Some(Command::ForgetAll);
    }
    if !forgets && !OF_MEMORY.is_match(sentence) {
        return None;
    }
    if rest.is_empty() || IDLE.is_match(rest) || (about.is_empty() && !OWN_FACT.is_match(rest)) {
        return Some(Command::Idle);
    }
    Some(Command::Forget(first_clause(rest)))
}

/// "… that I work there, that's over": the explanation is not part of the search.
fn first_clause(rest: &str) -> String {
    rest.split(", ").next().unwrap_or(rest).to_owned()
}

fn remember(sentence: &str) -> Option<Command> {
    if let Some(found) = INGAT.captures(sentence) {
        let (mark, rest) = (found["mark"].trim(), found["rest"].trim());
        let addressed = !mark.is_empty() || !found["colon"].is_empty() || FIRST_PERSON.is_match(rest);
        if !addressed || NOT_INGAT.is_match(rest) {
            return None;
        }
        return Some(Command::Remember(rest.to_owned()));
    }
    if let Some(found) = REMEMBER.find(sentence) {
        let rest = REMEMBER_TAIL.captures(&sentence[found.end()..])?["rest"].trim().to_owned();
        if NOT_REMEMBER.is_match(&rest) {
            return None;
        }
        if NOT_FORGET.is_match(sentence) && !FIRST_PERSON.is_match(&rest) && !sentence.contains(" that ") {
            return Some(Command::Idle);
        }
        return match TODO.captures(&rest) {
            // "Remember to always …" is a wish; "remember to call" is an errand.
            Some(todo) => ["always", "never", "use", "answer", "not", "keep"]
                .iter()
                .any(|word| todo["rest"].starts_with(word))
                .then(|| Command::Remember(todo["rest"].to_owned()))
                .or(Some(Command::Idle)),
            None => Some(Command::Remember(rest)),
        };
    }
    let found = REMEMBER_END.captures(sentence)?;
    let rest = found["rest"].trim();
    // "lo salah inget" is about somebody's memory. Without punctuation before the verb, only the user's own statement counts.
    let marked = sentence[rest.len()..].starts_with([',', '.', ';', '(', '–', '—']) || sentence[rest.len()..].starts_with(" -");
    (marked || FIRST_PERSON.is_match(rest)).then(|| Command::Remember(rest.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Command::{Forget, ForgetAll, Idle, Remember, Team};
    use super::*;

    #[test]
    fn commands_are_told_apart() {
        let text = |t: &str| t.to_owned();
        for (said, command) in [
            (
                "Remember that our staging API is at staging.example.com",
                Some(Remember(text("our staging API is at staging.example.com"))),
            ),
            ("Note that I always want HAR exports", Some(Remember(text("I always want HAR exports")))),
            ("please keep in mind that I'm colorblind", Some(Remember(text("I'm colorblind")))),
            ("don't forget I am off on Fridays", Some(Remember(text("I am off on Fridays")))),
            ("I'm allergic to nuts, please remember that", Some(Remember(text("I'm allergic to nuts")))),
            ("please remember that", Some(Remember(String::new()))),
            ("remember to call mom", Some(Idle)),
            ("remember when we shipped it", None),
            ("ingat ya, gue alergi udang", Some(Remember(text("gue alergi udang")))),
            ("catat: meeting tim tiap Senin", Some(Remember(text("meeting tim tiap Senin")))),
            ("remember this for the team: releases are cut on Tuesdays", Some(Team(text("releases are cut on Tuesdays")))),
            ("Share with the team that the VPN needs a token", Some(Team(text("the VPN needs a token")))),
            ("catat buat tim: rilis tiap Selasa", Some(Team(text("rilis tiap Selasa")))),
            ("Forget that I prefer short answers", Some(Forget(text("I prefer short answers")))),
            ("forget what I said about my address", Some(Forget(text("my address")))),
            ("lupain soal alergi gue", Some(Forget(text("alergi gue")))),
            ("forget it", Some(Idle)),
            ("forget everything about me", Some(ForgetAll)),
            ("forget everything you know about me", Some(ForgetAll)),
            ("lupakan semua tentang gue", Some(ForgetAll)),
            ("delete the second line", None),
            ("I work for the team", None),
        ] {
            assert_eq!(read(said), command, "{said}");
        }
    }
}
