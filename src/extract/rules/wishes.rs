//! Standing wishes: how the user always wants to be answered.
//!
//! "Keep answers short" is one; "keep this short" is not. A wish needs a word that makes it general (always, from now on,
//! whenever, answers …) and must not refer to the current task. If the same message asks for something, a wish about form belongs
//! to that request unless it says that it is general.

use super::pattern::pattern;
use super::person::{Tongue, expand, third, tidy};
use crate::domain::memory::MemoryKind;

/// A wish, worded as a statement about the user.
#[derive(Debug, PartialEq, Eq)]
pub struct Wish {
    pub text: String,
    pub kind: MemoryKind,
    pub importance: i64,
}

pattern! {
    STANDING = r"^(?:and |but |so |also )?(?:please )?(?:from (?:now|here) on(?:wards?)?|going forward|moving forward|in (?:the )?future|in general|as a (?:general )?rule|by default|henceforth|for (?:all )?(?:future|the future)|for next time|next time|at all times|unless i (?:say|ask)[\w ]* otherwise)\b[,:]? *(?P<rest>.+)$";
    STANDING_END = r"^(?P<rest>.+?),? (?:from (?:now|here) on(?:wards?)?|going forward|moving forward|in (?:the )?future|by default|at all times|every time|each time|every single time|as a (?:general )?rule|in general|with me|when (?:talking|replying|writing|speaking|responding) to me|in (?:all )?(?:your|my) (?:answers|replies|responses|explanations|examples|code)|unless i (?:say|ask)[\w ]* otherwise|when (?:you|i) (?:answer|reply|respond|explain|write|ask|show|give|review|summari[sz]e|suggest|talk)\b.*|ever(?: again)?|anymore|any more)$";
    // "Never use sarcasm with me", "number the steps every time you give me instructions", "when you give me dates use ISO".
    EACH_TIME = r"^(?:please |and |but |also |just |only )*(?P<rest>(?:(?:always|never|don't|do not|only) )?(?:use|write|give|show|put|add|number|label|list|name|say|avoid|skip|include|keep|cite|quote|round|convert|format|translate|explain|address|mark|bold|spell|start|end|leave|prefer|check|offer|suggest|ask|handle|mention|assume) \S.*?),? (?:(?:every|each|any) ?time|whenever|when|if) (?:you|i) (?:ever |have to )?(?:give|show|write|send|explain|answer|ask|make|list|suggest|recommend|quote|mention|say|review|generate|reply|draft|code|produce|describe|compare|plan|talk)\b.*$";
    WHEN_YOU = r"^(?:please |and |also |but )*(?P<when>(?:when|whenever|every time|each time|any time|if) you (?:ever )?(?:give|show|write|send|explain|answer|make|list|suggest|recommend|quote|mention|say|review|correct|translate|generate|draft|plan|describe|compare|calculate|convert)\b[^,]{2,50}?),? (?P<rest>(?:please |always |never |only |just |do not |don't )*(?:use|include|put|write|give|keep|avoid|round|add|skip|stick|convert|show|spell|cite|start|end|leave|assume|prefer|go with|make)\b.+)$";
    // "Stop sending me screenshots, I want plain text instead": the wanted part belongs to the rejected one.
    SWAP = r"^(?:please |and |but |ok |just )*(?:(?:stop|quit|no more|enough (?:with|of)|less|i am (?:tired|sick|done) (?:of|with))(?: (?:sending|giving|showing|writing|using|adding|suggesting|asking|explaining|putting|calling|answering|replying|quoting|linking|pasting|posting|including|attaching|proposing|recommending|formatting|wrapping|starting|ending|repeating|dumping|handing|drawing|making))?|(?:don't|do not) (?:send|give|show|write|use|call|paste|dump|answer|reply)|instead of|rather than) (?P<not>(?:me |with )?(?:the )?[^,;:]{3,80}?)(?:\s*[,;:]|\s+[-–—]+|\s(?:and|but))+\s*(?:and |but )?(?:please |just |only )*(?:i (?:want|would rather|prefer|need|like)|give|send|show|use|write|answer|reply|go with|stick (?:to|with)|switch to|make|plain|prose|text|do|get|keep) (?P<yes>[^?]{3,120})$";
    NOUN_ON = r"^(?:only |just |plain |and |but )*(?P<what>[\w/'-]+(?: [\w/'-]+){0,4}?),? (?:from (?:now|here) on(?:wards?)?|going forward|from here on(?: out)?)(?: please)?(?P<rest>, (?:no|not) [\w ]+)?(?:,? please)?$";
    NOT_NOUN_ON = r"^(?:it|he|she|they|there|this|that|these|those|the|everything|nothing|something|we|i|you|what|who|so|ok|starting|only|please|always|never|don't|do|no|stop|use|keep|give|show|write|answer|reply|be|call|add|make|send|speak|include|avoid|skip|put|explain|let|take|stay|drop|start|end|lead|reply|respond|talk|try|cite|format)\b|\b(?:is|are|was|were|will|works?|fails?|gets?|goes|changes?|has|have|breaks?)\b";
    NOT_TOLD = r"^(?:it|he|she|they|there|this|that|these|those|nothing|everything|something|we|what|who|why|how|the [\w-]+ (?:is|are|was|will|has|\w+s)|all (?:the )?\w+ (?:is|are|will|\w+s))\b";
    TUKAR = r"^(?:tolong |plis |mohon )*(?:berhenti|stop|jangan|udahan|ga usah|gak usah|nggak usah|tidak usah|daripada) (?:lagi )?(?:ng\w+|kirim\w*|kasih|ngasih|pake|pakai|nulis|tulis|bikin|jawab\w*|ngomong|tampilin|nampilin) .{2,60}?(?:\s*[,;]|\s+-|\stapi)+\s*(?:tapi |mending )?(?:{AKU} (?:mau(?:nya)?|pengen\w*|minta|prefer|butuh)|pake|pakai|kasih|ganti|mending|cukup|kirim|pakainya) .+$";
    BACK_TO = r"^(?:(?:please|let's|can we|can you|could you|ok|now|just)[, ]+)*(?:(?:go|switch|change|come|get|move) back to|return to|revert to|stick (?:to|with)|switch (?:over )?to|change (?:it )?to|back to) \S";
    ALL_OF_IT = r"^(?:so |and |please )*(?:all|every|any) (?:\w+ ){1,3}?(?:in|as|with|without|should be|must be|needs? to be|go(?:es)? in) \S+(?: \S+){0,6}$";
    HELPS_IF = r"^(?:it|that)(?: would| really| always|'d)* (?:help|be (?:\w+ )?(?:great|nice|better|good|easier|helpful|best|cool|useful|appreciated|ideal|kind|lovely)|helps|makes? (?:it|things|my life) easier|mean a lot|is (?:\w+ )?(?:easier|better|helpful|best))(?: (?:for |to )?me)?(?: a lot| more| most)?,? (?:if|when) you (?:could |would |can )?(?P<rest>\S.*)$";
    GIVEN = r"^(?P<when>(?:when|whenever|if|every time|any time|anytime|once) (?:you|i) (?:give|show|write|send|explain|answer|ask|paste|share|post|draft|make|use|list|suggest|recommend|quote|mention|say|review|correct|translate|generate)\b.{0,60}?),? (?:then )?I (?:always |would )?(?P<verb>want|need|prefer|like|expect) (?P<rest>\S.*)$";
    WOULD_LIKE = r"^(?:i would (?:like|love|prefer)|i (?:want|need|expect)) (?:it if )?you to (?:\w+ ){1,12}?(?:everything|rather than|instead of|more often|more \w+|less \w+|before you|after you|without asking|each|all)\b";
    ALWAYS = r"^(?:please |and |but |also |can you |could you |would you |will you |you should |you must |make sure (?:to |you )|be sure to |try to |i'd like you to |remember to |do )*(?P<how>always|never|don't ever|do not ever)\s+(?P<what>[\w-]+)\s+\S";
    NOT_WISH = r"^(?:never|always) (?:mind|had|been|seen|heard|thought|knew|felt|again|gets|got|ask yourself|happens?|the (?:same|case)|a (?:pleasure|good|bad)|good|nice|tried|worked|have i|did i|better|wanted|loved|liked)\b";
    WHEN = r"^(?:please )?(?P<when>(?:whenever|every ?time|each time|any ?time|anytime|when|if|before|after|once) (?:i|you|we|there|my|the user|someone|something|it is|writing|answering|explaining|reviewing|summari[sz]ing|suggesting|showing|generating|giving|quoting|replying|a |an )[^,]{2,90})(?:,|:| -| then| just| please)+ *(?P<rest>(?:please |just |then |only |always |never |do |you should |you must |you can |i want |i'd like |i would like |i expect |i prefer |i need |i mean |make sure )*(?:don't|do not|stop|skip|avoid|keep|make|answer|reply|respond|speak|talk|write|use|give|show|explain|be|format|address|call|include|add|start|end|put|cite|return|prefer|quote|ask|assume|treat|spell|convert|round|lead|list|point|tell|mention|warn|check|run|provide|say|send|leave|begin|suggest|no|short|code|only|it means|that means|i want|i mean|you|summari[sz]e|translate|read|switch|stick|default|remind|never|always|offer|attach|link|do|squash|rebase|open|push|commit|lint|confirm|wait|verify|group|sort|name|sign|tag|split|wrap|indent|document|log|ask|propose|target|pick|limit|mark|highlight|number|note|follow|prefix|redact|hide|lowercase|capitali[sz]e|order|assign|cc|skip)\b.*)$";
    STYLED = r"^(?:please |and |but |also |just |ok |you can |you may |could you |can you |would you |i'd like you to |i want you to |try to |feel free to |do )*(?P<verb>don't|do not|stop|quit|no more|avoid|skip|no need (?:to|for)|you don't (?:have|need) to|drop|cut|cut out|less|fewer|more|no|keep|answer|reply|respond|speak|talk|write|use|give me|show me|explain|be|format|address me|include|add|start|end|put|cite|default to|stick to|quote|ask me|treat me|spell|convert|round|lead with|leave out|only|short|code first|just|go easy on|enough with)\b(?P<rest>.*)$";
    STYLE = r"\b{STYLE}\b";
    GENERAL = r"\b(?:answers|replies|responses|explanations|always|never|every|all|whenever|each|any|anything|everything|in general|with me|to me|me by|your messages)\b";
    AT_HAND = r"\b(?:in the (?:example|code|file|script|query|table|text|draft|solution)|this|that|these|those|it|its|here|above|below|following|second one|first one|instead of that|today|tonight|tomorrow|right now|for now|my (?:code|email|essay|letter|draft|text|cv|resume|file|function|script|query|report|test|tests|bug|error|post|message|speech|presentation))\b";
    MATTER = r"^(?:please |just |also )*(?:give me|show me|explain|write|add|include|use|list|put|quote|cite|start|end|lead with|make|format)\b.*\b(?:of|how|why|what|about|for (?:the|a|an|my|our)|between|where)\b";
    EVERYTHING = r"\b(?:everything you|anything you|all (?:of )?your|your (?:answers|replies|responses|messages|explanations)|you write for me|whenever you|with me|to me|for me)\b";
    NOUN_LED = r"^(?:(?:and|but|also|please) )?(?:[\w-]+ ){0,2}(?:answers|replies|responses|explanations|examples|code|summaries|snippets|units|dates|comments|themes?|sources|links|screenshots|prices|times|measurements|recipes|text|words)\b.{0,40}?\b(?:only|first|please|in (?-i:[A-Z])\w+|for me|always|without \w+|over \w+)\b";
    POINTING = r"\b(?:this|these|those|here|above|below|following|second one|first one|today|tonight|tomorrow|right now|for now)\b|\bthat (?:one|file|function|test|email|bug|error)\b";
    ARTICLE = r"^(?:please |just )*(?:write|give me|show me|add|include|use|put|explain|convert|format|keep|make|list|answer|round|drop|skip|cut) (?:\w+ )?(?:an?|the|two|three|four|five|ten|\d+) (?:(?-i:[a-z])|\d)";
    NOT_AT_HAND = r"\bthe (?:sentences|answers|replies|responses|explanations|examples|jargon|tone|language|code blocks|summaries|headings)\b|\bthe (?:metric|imperial|code first|24|iso|answer first|bottom line|conclusion first|result first|summary first|short version first|oxford|point|pleasantries|small talk|preamble|fluff|emojis?|jargon|apologies|disclaimers|exclamation|flattery|filler|bullet)\b|\bthe (?:code|answer|conclusion|result|summary)\b.*\bfirst\b|\bkeep it (?:short|brief|concise|casual|simple)[\w, ]*(?:always|with me|in general|please)$";
    STYLED_STRONG = r"^(?:please )?(?:use|write|keep|answer|speak|be|call|talk|don't|do not|never|avoid|put|add|include)\b";
    NO_NEED = r"^(?:no need (?:to|for)|you (?:don't (?:have|need) to|can skip)) \w+";
    DONT = r"^(?:please |also |and |just )*(?:don't|do not|stop|no more|no)\s+(?P<what>\w+)";
    NOT_DONT = r"^(?:please |also |and |just )*(?:(?:don't|do not) (?:worry|mind|bother$|forget|know|think|get|panic|tell|understand|want|have|need|like|care|see|be (?:sad|shy|silly|mean|mad)|you|we|they|leave me|go|give up|let|work|die|judge|laugh|ask (?:why|how)|hold|hesitate|look|remember|save|store)|stop (?:the|it|that|this|him|working|here|there|running|by|now|by|all|server|container)|no (?:problem|worries|way|idea|one|thanks?|need to (?:apologi[sz]e$|worry|be|hurry|rush|panic|thank|reply$|answer$|fix|do|change|run|test)|luck|rush|clue|big deal|more (?:questions?|time)$|the|it|i|that|this|not|he|she|but|wait|kidding|doubt|wonder|point|offen[cs]e|he|longer))\b";

    MULAI = r"^(?:tolong |plis |mohon )?(?:mulai (?:sekarang|hari ini|besok|skrg)|ke ?depan(?:nya)?|untuk (?:ke ?depan(?:nya)?|seterusnya|selanjutnya)|lain kali|next time|selanjutnya|secara default|defaultnya|default)\b[,:]? *(?P<rest>.+)$";
    MULAI_END = r"^(?P<rest>.+?),? (?:mulai sekarang|ke ?depan(?:nya)?|untuk seterusnya|selamanya|terus ya|setiap kali|tiap kali|lain kali)$";
    SELALU = r"^(?:tolong |plis |mohon |pokoknya |intinya |harus |lo |lu |kamu )*(?P<how>selalu|jangan pernah|wajib|pokoknya jangan|jangan sekali-kali)\s+\w+";
    KASIH = r"^(?:tolong |plis |mohon |pokoknya |dan |terus |juga )*(?:kasih|jelasin|tulis|sebut|pake|pakai|format)\w*\b";
    CARA = r"\b(?:dulu|langsung|selalu|tiap|setiap|jawaban|singkat|aja|ringkas|tanpa|di awal|di akhir|bahasa|format|pake|pakai|yang (?:singkat|ringkas|detail|pendek|simpel|sederhana)|jangan|semua)\b";
    NOT_SELALU = r"^selalu (?:pengen|ingin|mau|suka|gagal|error|muncul|begini|begitu|gitu|bikin|ada|saja)\b";
    NOT_WHEN = r"^(?:when|if|before|after|once|whenever) (?:you are|you're|i am|i'm|you) (?:done|ready|finished|back|start|go|leave|finish|get|have (?:time|a (?:minute|moment|second|sec))|can|like|want)\b";
    KALAU = r"^(?:tolong |pokoknya )?(?P<when>(?:(?:setiap|tiap|tiap kali|setiap kali|setiap kali|kapanpun) ?)?(?:kalo|kalau|klo|kl|pas|jika|saat|waktu|tiap kali|setiap kali|tiap|setiap|sebelum|sesudah|setelah|abis)(?: lagi)? (?:{AKU}|lo|lu|kamu|ada|(?:nge|men)?jelas(?:in|kan)|ngejelasin|ngajarin|jawab|ngasih|kasih|nulis|jelasin|bikin|review|output(?:nya)?|jawaban(?:nya)?)\b[^,]{0,80}?),? +(?P<rest>(?:tolong |langsung |selalu |cukup |jangan |harus |wajib |maksud(?:nya)? |artinya |berarti |itu |lo |lu |kamu |cuma |{AKU} (?:mau|minta|pengen|cuma mau) )*(?:kasih|jawab|pake|pakai|tulis|kasi|beri|jangan|langsung|selalu|sebut|tanya|singkat|ringkas|ga usah|gak usah|nggak usah|tidak usah|cukup|artinya|berarti|maksud\w*|tampilin|tunjukin|bikin|buat(?:in)?|jelasin|format|kirim|ingetin|sertain|sertakan|terjemahin|ngomong|bales|balas|bahasa|cek|tolong|harus|wajib|mulai|panggil|ganti|itu|to the point)\b.*)$";
    TIAP = r"^(?:di )?(?:tiap|setiap|pada akhir|di akhir|di awal|sebelum|setelah|abis) (?:\w+ ){1,5}(?:kasih|jawab|pake|pakai|tulis|sebut|sertakan|sertain|tambahin|tambahkan|bikin|tanya|ingetin|rangkum|ringkas|selalu|jangan|harus|cek|tampilin)\b .+$";
    NOW_ANSWER = r"^(?:sekarang|skrg) (?P<rest>(?:jawab|balas|bales|ngomong|pake|pakai|gunakan|panggil|jangan|tulis)\w*\b.*)$";
    GAYAKAN = r"^(?:tolong |plis |pliss |please |mohon |pokoknya |dan |terus |trus |juga |lo |lu |kamu )*(?:(?P<no>jangan|stop|ga usah|gak usah|gausah|nggak usah|ngga usah|tidak usah|tidak perlu|ga perlu|gak perlu|nggak perlu|hindari|kurangi|kurangin|berhenti|udahan)|jawab(?:nya|annya|in)?|balas(?:nya)?|bales(?:nya)?|ngomong(?:nya)?|pake|pakai|gunakan|kasih|jelasin(?:nya)?|tulis(?:nya)?|output(?:nya)?|jawaban(?:nya)?|bahasa(?:nya)?|cukup|langsung|singkat|ringkas|format(?:nya)?|panggil|sebut|penjelasan(?:nya)?|gaya(?:nya)?|kode dulu|code dulu|pendek(?:in)?)\b(?P<rest>.*)$";
    GAYA = r"\b{GAYA}\b";
    TOPIC_JANGAN = r"^(?P<topic>(?:[\w/-]+ ){1,4}?)(?:jangan|ga usah|gak usah|ga perlu|harus|wajib|selalu|cukup) \w+";
    DI_SINI = r"\b(?:ini|itu|tadi|barusan|hari ini|besok|dulu$|sekarang|yang (?:pertama|kedua|tadi)|tersebut|berikut|di atas|di bawah|sebentar|sini|situ|nanti|lagi sibuk|nya (?:di|ke))\b";
    NOT_JANGAN = r"^(?:tolong |plis |mohon )?(?:jangan (?:di\w+(?: \w+nya| dulu)?$|lupa|khawatir|kuatir|jangan|sampai|marah|bingung|sedih|nyerah|menyerah|malu|gitu|begitu|takut|ngambek|galak|bercanda|ketawa|ditutup|dihapus|mau|bohong|baper|panik|kemana|diem|sok)|stop (?:dulu|server|container|di|aja|ya)?$|stop (?:server|container|service|dulu)|jangan$|ga usah (?:deh|dulu|repot|khawatir|dipikirin)|berhenti (?:dulu|di))\b";
}

/// Parses a clause as a standing wish. `asking`: the same message asks for something.
pub fn wish(clause: &str, tongue: Tongue, asking: bool) -> Option<Wish> {
    match tongue {
        Tongue::English => english(clause, asking),
        Tongue::Indonesian => indonesian(clause, asking),
    }
}

fn english(clause: &str, asking: bool) -> Option<Wish> {
    if NOT_WISH.is_match(clause) || NOT_DONT.is_match(clause) {
        return None;
    }
    if SWAP.captures(clause).is_some_and(|found| !AT_HAND.is_match(&found["not"])) {
        return (!POINTING.is_match(clause)).then(|| told(clause, 4));
    }
    if let Some(found) = NOUN_ON.captures(clause).filter(|found| !NOT_NOUN_ON.is_match(&found["what"])) {
        let rest = found.name("rest").map_or("", |rest| rest.as_str());
        let text = tidy(&format!("User wants {} from now on{rest}", inner(&found["what"])));
        return Some(Wish { text, kind: MemoryKind::Preference, importance: 4 });
    }
    let general = STANDING.captures(clause).or_else(|| STANDING_END.captures(clause).filter(|c| imperative(&c["rest"])));
    if let Some(found) = general {
        let rest = &found["rest"];
        return (!NOT_TOLD.is_match(rest) && (!POINTING.is_match(rest) || clause.contains("now on"))).then(|| told(rest, 5));
    }
    if let Some(found) = EACH_TIME.captures(clause).filter(|found| !AT_HAND.is_match(&found["rest"])) {
        return (!POINTING.is_match(clause)).then(|| told(found.get(0).map_or(clause, |all| all.as_str()), 4));
    }
    if let Some(found) = WHEN_YOU.captures(clause).filter(|_| !NOT_WHEN.is_match(clause)) {
        let text = format!("User wants this: {}, {}", inner(&found["when"]), inner(&found["rest"]));
        return (!POINTING.is_match(clause)).then_some(Wish { text, kind: MemoryKind::Preference, importance: 4 });
    }
    if let Some(found) = ALWAYS.captures(clause) {
        return (!POINTING.is_match(clause) && !found["what"].ends_with("ed")).then(|| told(clause, 5));
    }
    if let Some(found) = WHEN.captures(clause).filter(|_| !NOT_WHEN.is_match(clause)) {
        let text = format!("User wants this: {}, {}", inner(&found["when"]), inner(&found["rest"]));
        return (!POINTING.is_match(&found["when"])).then_some(Wish { text, kind: MemoryKind::Preference, importance: 4 });
    }
    if NOUN_LED.is_match(clause)
        && !STYLED.is_match(clause)
        && !asking
        && !AT_HAND.is_match(clause)
        && clause.split(' ').count() <= 10
    {
        let text = tidy(&format!("User wants {}", inner(clause.trim_end_matches(" please"))));
        return Some(Wish { text, kind: MemoryKind::Preference, importance: 3 });
    }
    if let Some(found) = HELPS_IF.captures(clause)
        && (GENERAL.is_match(clause) || STYLE.is_match(clause))
        && !POINTING.is_match(&found["rest"])
    {
        return Some(told(&found["rest"], 4));
    }
    if let Some(found) = GIVEN.captures(clause)
        && !POINTING.is_match(&found["when"])
        && !AT_HAND.is_match(&found["rest"])
    {
        let text = tidy(&format!("User wants this: {}, {}", inner(&found["when"]), inner(&found["rest"])));
        return Some(Wish { text, kind: MemoryKind::Preference, importance: 4 });
    }
    let returns = BACK_TO.is_match(clause) || (ALL_OF_IT.is_match(clause) && !asking);
    if returns && STYLE.is_match(clause) && !AT_HAND.is_match(clause) {
        return Some(if BACK_TO.is_match(clause) {
            told(clause, 4)
        } else {
            Wish { text: tidy(&format!("User wants {}", inner(clause))), kind: MemoryKind::Preference, importance: 4 }
        });
    }
    if WOULD_LIKE.is_match(clause) && !AT_HAND.is_match(clause) && !POINTING.is_match(clause) {
        let text = tidy(&inner(clause).replacen(" you ", " the assistant ", 1));
        return Some(Wish { text, kind: MemoryKind::Preference, importance: 4 });
    }
    let styled = STYLED.captures(clause)?;
    let general = GENERAL.is_match(clause);
    let particular = !general && (ARTICLE.is_match(clause) || MATTER.is_match(clause));
    let pointed = (AT_HAND.is_match(clause) || particular) && !NOT_AT_HAND.is_match(clause);
    let about_form = STYLE.is_match(&styled["rest"])
        || STYLE.is_match(&styled["verb"])
        || EVERYTHING.is_match(clause) && STYLED_STRONG.is_match(clause);
    let gerund = DONT.captures(clause).is_some_and(|d| d["what"].ends_with("ing") || clause.to_lowercase().starts_with("stop"));
    let gerund = gerund && (general || !clause.contains(" the ")) || NO_NEED.is_match(clause);
    let wanted = about_form || (gerund && !asking && clause.split(' ').count() <= 9);
    let fits = wanted && !pointed && (!asking || general) && clause.split(' ').count() <= 24;
    fits.then(|| told(clause, 3))
}

/// What is wanted instead of something rejected.
pub fn instead(clause: &str) -> Wish {
    match super::person::tongue(clause) {
        Tongue::English => told(clause, 4),
        tongue @ Tongue::Indonesian => {
            let text = format!("Pengguna minta: {}", lower_first(&tidy(&third(clause, tongue))));
            Wish { text, kind: MemoryKind::Preference, importance: 4 }
        }
    }
}

/// Whether one sentence says both what is rejected and what is wanted.
pub fn swaps(clause: &str) -> bool {
    SWAP.is_match(clause) || TUKAR.is_match(clause)
}

/// Whether this is an imperative, and not a description of somebody's action.
fn imperative(rest: &str) -> bool {
    STYLED.is_match(rest) || ALWAYS.is_match(rest)
}

pattern! {
    POLITE = r"^(?:please |and |but |also |just |ok |so |you can |you may |you should |you must |could you |can you |would you |i'd like you to |i want you to |I would like you to |feel free to |remember to |do (?:always|never) )+";
    NEGATED = r"^(?:don't|do not)(?: ever)? ";
    NOUN_WISH = r"^(?:no more|no|less|fewer|more|short|only) ";
}

/// "Don't use tables" → "User wants the assistant not to use tables".
fn told(said: &str, importance: i64) -> Wish {
    let said = POLITE.replace(said, "");
    let said = said.trim_end_matches(" please").trim_end_matches(", please");
    let rest = inner(said);
    let text = if let Some(negated) = NEGATED.find(&rest) {
        format!("User wants the assistant not to {}", &rest[negated.end()..])
    } else if NOUN_WISH.is_match(&rest) {
        format!("User wants {}", lower_first(&rest))
    } else if rest.starts_with("User ") {
        rest
    } else {
        format!("User wants the assistant to {}", lower_first(&rest))
    };
    Wish { text: tidy(&text), kind: MemoryKind::Preference, importance }
}

/// In the third person, for use inside a sentence.
fn inner(said: &str) -> String {
    let said = third(&expand(said, Tongue::English), Tongue::English);
    lower_first(&said)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !text.starts_with("User") && chars.clone().next().is_some_and(char::is_lowercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

fn indonesian(clause: &str, asking: bool) -> Option<Wish> {
    let clause = NOW_ANSWER.captures(clause).and_then(|found| found.name("rest")).map_or(clause, |rest| rest.as_str());
    if NOT_JANGAN.is_match(clause) {
        return None;
    }
    let ask = |text: &str, kind, importance| {
        let text = tidy(&third(text, Tongue::Indonesian));
        let text = if text.starts_with("Pengguna ") { text } else { format!("Pengguna minta: {}", lower_first(&text)) };
        Some(Wish { text, kind, importance })
    };
    if TUKAR.is_match(clause) && !DI_SINI.is_match(clause) {
        return ask(clause, MemoryKind::Correction, 4);
    }
    if let Some(found) = MULAI.captures(clause).or_else(|| MULAI_END.captures(clause)) {
        let rest = found["rest"].trim_end_matches(" dulu");
        return if DI_SINI.is_match(rest) || rest.split(' ').count() < 2 {
            None
        } else {
            ask(&found["rest"], MemoryKind::Preference, 5)
        };
    }
    if SELALU.is_match(clause) {
        return if DI_SINI.is_match(clause) || NOT_SELALU.is_match(clause) {
            None
        } else {
            ask(clause, MemoryKind::Preference, 5)
        };
    }
    if TIAP.is_match(clause) && !DI_SINI.is_match(clause) {
        return ask(clause, MemoryKind::Preference, 4);
    }
    if let Some(found) = KALAU.captures(clause) {
        return if DI_SINI.is_match(&found["when"]) { None } else { ask(clause, MemoryKind::Correction, 4) };
    }
    if let Some(found) = GAYAKAN.captures(clause) {
        let negated = found.name("no").is_some();
        let about_form = GAYA.is_match(clause);
        let general = clause.contains("jawaban") || clause.contains("semua");
        if DI_SINI.is_match(clause)
            || (asking && !general)
            || clause.split(' ').count() < 2
            || (KASIH.is_match(clause) && !CARA.is_match(clause))
        {
            return None;
        }
        let kind = if negated { MemoryKind::Correction } else { MemoryKind::Preference };
        return if about_form || (negated && clause.split(' ').count() <= 10) { ask(clause, kind, 4) } else { None };
    }
    let topic = TOPIC_JANGAN.captures(clause)?;
    let about_form = GAYA.is_match(&topic["topic"]) || clause.contains(" jangan ");
    if about_form && !asking && !DI_SINI.is_match(clause) { ask(clause, MemoryKind::Correction, 4) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_general() {
        for (said, stored) in [
            ("always answer in Indonesian", "User wants the assistant to always answer in Indonesian"),
            ("Keep answers short, code first", "User wants the assistant to keep answers short, code first"),
            ("please don't use tables", "User wants the assistant not to use tables"),
            ("From now on, reply in French", "User wants the assistant to reply in French"),
            ("No emojis please", "User wants no emojis"),
            ("stop apologising", "User wants the assistant to stop apologising"),
            ("When I ask for code, give me only code", "User wants this: when User asks for code, give User only code"),
        ] {
            assert_eq!(wish(said, Tongue::English, false).map(|w| w.text).as_deref(), Some(stored), "{said}");
        }
        for (said, stored) in [
            ("jangan pake tabel", "Pengguna minta: jangan pake tabel"),
            ("kalo gue bilang gas, kasih kode aja", "Pengguna minta: kalo Pengguna bilang gas, kasih kode aja"),
            ("selalu jawab pake bahasa Indonesia", "Pengguna minta: selalu jawab pake bahasa Indonesia"),
        ] {
            assert_eq!(wish(said, Tongue::Indonesian, false).map(|w| w.text).as_deref(), Some(stored), "{said}");
        }
    }

    #[test]
    fn what_is_at_hand_is_no_wish() {
        for said in
            ["keep this short", "never mind", "don't worry", "use a table here", "stop the server", "write a poem in French"]
        {
            assert_eq!(wish(said, Tongue::English, false), None, "{said}");
        }
        assert_eq!(wish("use bullet points", Tongue::English, true), None);
        assert_eq!(wish("jangan lupa makan", Tongue::Indonesian, false), None);
    }
}
