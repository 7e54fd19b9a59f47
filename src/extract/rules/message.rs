//! Looks at a whole sentence or message: what it asks for, whether something changed, where a secret is.

use super::pattern::pattern;
use super::person::{Tongue, expand, third, tongue};
use super::sentences::Sentence;
use super::{clauses, commands, drops, personal, team, wishes};
use crate::domain::gate;

/// What a message does besides stating things.
#[derive(Debug, Clone, Copy, Default)]
pub struct Heard {
    /// It asks for something, even if only for an answer.
    pub asking: bool,
    /// It wants something done.
    pub ordering: bool,
}

impl Heard {
    pub fn in_message(sentences: &[Sentence]) -> Self {
        Self { asking: sentences.iter().any(asks), ordering: sentences.iter().any(orders) }
    }
}

pattern! {
    pub CHANGED_MIND = r"\b(?:changed my mind|after all|that's over|that is over|out of date|outdated|no longer true|(?:go|switch|change|come|move|back) (?:back )?to (?:the )?(?:old|previous|full|long|short|normal|plain)|\b(?:got|have|had) (?:it|that|this|them|me) (?:backwards|wrong|mixed up|the wrong way|upside down)|berubah pikiran|udah ga jadi|udah nggak)\b|\byou (?:\w+ )?(?:have|remember|think|know|list|store|say|saved|noted)\b.{0,30}\b(?:old|wrong|outdated|previous|former|still)\b|\byou still (?:have|think|remember|list|say|call|keep)\b|^you keep \w+ing\b|^stop (?:giving|sending|suggesting)\b";
    pub TAGGED = r"^.+, (?:ok|okay|please|alright|deal|all right|yeah|will you|would you|oke|ya|bisa kan|paham)$";
    pub SAID_BUT = r"^(?:(?:kemarin|tadi|dulu|sebelumnya|waktu itu|minggu lalu|earlier|yesterday|before|last time|last week|the other day|at first),? )?(?:you|i|we|lo|kamu|{AKU}) (?:once |just |earlier |previously |still |always |seem to |tadi |pernah |dulu |masih )?(?:said|say|told you|told me|mentioned|think|thought|assumed?|believed?|supposed?|remember|wrote|have (?:noted|stored|saved)|(?:have|had|got) (?:me|us|it|my \w+|our \w+) (?:down )?as|bilang|ngomong|nyatet|nyatat|catat|inget|kira|pikir)\b.{3,120}?(?:,? (?:but|however|tapi|padahal)|,? (?:actually|sebenernya|sebenarnya|aslinya|ternyata|though))(?: yang (?:benar|bener)(?:nya)?,?| (?:in fact|really|actually),?)? (?P<rest>.{4,})$";
    pub POLITE_WISH = r"^(?:can|could|would|will) (?:you|every(?:one|body)|the (?:whole )?team|all of (?:you|us))\b|^(?:bisa|tolong|boleh)\b";
    pub PLURAL = r"^(?:we|our|kita|kami)\b|\b(?:our|kita|kami)\b";
    CHANGED = r"\b(?:now|these days|nowadays|any ?more|any longer|no longer|instead|again|back (?:to|on|in|at|with)|switched|moved|changed|sekarang|skrg|rather than|than before|after all|turned (?:vegan|vegetarian|pescatarian|\d+|into)|went (?:vegan|vegetarian|remote|freelance|back|part-time)|became|graduated|got promoted|promoted|renamed|swapped|traded|transferred|left (?:the|my|for)|these days|since (?:last|this|{DAY}|{MONTH}|yesterday)|udah (?:{GA}|pindah|ganti|lulus|bukan)|sudah (?:pindah|ganti|lulus|bukan)|lagi|ganti|pindah|berubah|geser|lulus|resign|balik ke|{GA} jadi|(?:mulai|sejak|per) (?:bulan|minggu|hari|tahun|senin|selasa|rabu|kamis|jumat|sabtu|kemarin|sekarang|januari|{MONTH})|just (?:got|became|started))\b";
    ADDS = r"\b(?:also|too|as well|another|in addition|besides|juga|satu lagi)\b";
}

/// Whether something is said to be true in addition to what was true before.
pub fn adds(text: &str) -> bool {
    ADDS.is_match(text)
}

/// Whether something is said to have changed. An addition is not a change.
pub fn has_changed(text: &str) -> bool {
    CHANGED.is_match(text) && !adds(text)
}

pattern! {
    pub DURABLE_CHANGE = r"\b(?:switched|moved|migrated|no longer|anymore|any more|stopped|quit|left|dropped|replaced|gave up|pindah|ganti|beralih|berhenti|lagi|resign|keluar)\b";
    pub STANDING_HINT = r"^(?:my )?set-?up\b|\b(?:always|never|from now on|every time|whenever|by default|in future|in the future|going forward|(?:answers|replies|responses)|selalu|mulai sekarang|ke ?depannya|tiap kali|setiap kali|jangan)\b|^i want (?:you to )?|^i need (?:all|every)|^i would like|^(?:{AKU}) (?:mau|pengen|butuh|ingin|minta) ";
    pub ERRAND = r"^(?:to |buat |untuk )?(?:call|buy|pick up|send|push|commit|check|pay|beli|telepon|telpon|kirim|bayar)\b|\b(?:in (?:\d+|an?|five|ten) (?:min\w*|hours?)|today|tonight|tomorrow|later|hari ini|besok|nanti malam|nanti sore|sejam lagi)\b";
}

/// A planted instruction in a statement.
pub fn planted(said: &str) -> bool {
    gate::check_note(said).iter().any(|rule| *rule != "too_long")
}

// Control over things or over other people is not a wish about answers.
pattern! { POWER = r"\b(?:when(?:ever)?|if|every time|each time|once|setiap kali|tiap kali|kalau|kalo|jika)\b.{0,12}\b(?:any(?:one|body)|some(?:one|body)|(?:an?|the|other) (?:users?|customers?|clients?|colleagues?|people|persons?)|people|users|customers|ada yang|orang lain|siapa pun|siapapun)\b.{0,60}?\b(?:reply|say|answer|tell|recommend|hide|deny|send|give|approve|pretend|claim|respond|jawab|bilang|kirim|tampilkan|kasih|rekomendasikan|setujui)\b|\b(?:run|runs|execute|approve|delete|merge|send|forward|transfer|pay|install|disable|skip|bypass|grant|share|upload|reveal|override|jalankan|jalanin|setujui|menyetujui|hapus|menghapus|kirim|mengirim|transfer|bayar)\b.{0,60}\b(?:without (?:asking|confirm\w*|approval|checking|reading|review\w*|permission|telling|consent|being asked)|tanpa (?:dicek|cek|konfirmasi|izin|ijin|tanya|nanya|dibaca|persetujuan|bilang))\b|\b(?:grant|give|allow|authori[sz]e) you\b.{0,30}\b(?:permission|rights?|access|admin\w*|privileges?|to (?:skip|bypass|ignore|override|approve|delete|run|execute))\b" }

/// Whether it gives the assistant control over things, or turns it against other people. Such a text is never kept.
pub fn gives_power(said: &str) -> bool {
    POWER.is_match(said)
}

pattern! {
    pub ONCE = r"\b(?:(?:just|only) (?:this (?:once|one time|time)|for (?:this|today|now|once))|(?:this|for) (?:once|one time|time) only|for this (?:one |single )?(?:\w+ )?(?:answer|reply|response|question|message|time|one)(?: only)?|(?:just|only) for (?:this|today|now)\b.*|(?:untuk|buat|khusus)? ?(?:se)?kali ini (?:aja|saja|doang|sih|dulu)|sekali ini (?:aja|saja|doang)?|sekali ini|khusus (?:buat |untuk )?(?:\w+ )?ini|cuma (?:buat|untuk) (?:\w+ )?(?:ini|sekarang|hari ini)|kali ini|in this (?:reply|answer|response|message|chat|conversation|thread)|di (?:jawaban|chat|pesan) ini)\b";
    pub MID_STANDING = r"^(?P<lead>.{3,160}?)(?:\s*[,;]|\s+[-–—]+|\s(?:but|and|so|tapi|tp|dan|cuma|jadi)\b)+\s*(?:but |and |so |tapi |tolong |please,? )*(?P<tail>(?:from (?:now|here) on(?:wards?)?|going forward|moving forward|in (?:the )?future|next time|mulai (?:sekarang|skrg)|ke ?depan(?:nya)?|lain kali)\b[,:]? .*)$";
    pub REFUSES = r"^(?:please |ok |and )*(?:no more|stop|don't|do not|enough|quit|never|berhenti|jangan|stop|udahan)\b";
    pub INSTEAD = r"^(?:please |just |tolong )*(?:give|show|send|write|use|go with|stick (?:to|with)|make|answer|reply|hand|kasih|pake|pakai|kirim)\b.*\b(?:instead|aja|saja)$";
    pub OUT_OF_DATE = r"^(?:no,? |nope,? )?(?:that|this|it)(?: is|'s| was)? (?:\w+ )?(?:wrong|outdated|out of date|incorrect|old|not (?:true|right)|no longer (?:true|right)|not true any ?more|stale|ancient)(?: info| news)?(?: now| by the way)?$|^(?:itu )?(?:udah |sudah )?(?:salah|keliru|basi|{GA} (?:bener|benar|berlaku)(?: lagi)?)(?: itu| tuh)?$";
    pub REFUSED_TERM = r"^(?:no,? |nope,? )?(?:it is |that is )?(?:not|bukan) (?P<old>[\w .+#/'-]{1,40})$";
}

fn asks(sentence: &Sentence) -> bool {
    if TAGGED.is_match(&sentence.text) {
        return orders(sentence);
    }
    let bare = clauses::bare(&sentence.text).text;
    let text = expand(&bare, tongue(&bare));
    sentence.question || drops::is_question(&text) || orders(sentence)
}

fn orders(sentence: &Sentence) -> bool {
    let bare = clauses::bare(&sentence.text).text;
    let text = expand(&bare, tongue(&bare));
    let wish = || wishes::wish(&text, tongue(&text), false).is_some();
    drops::is_request(&text) && commands::read(&text).is_none() && !STANDING_HINT.is_match(&text) && !wish()
}

/// In the third person; a statement about a team is worded without "we".
pub fn addressed(text: &str, tongue: Tongue) -> String {
    if tongue == Tongue::English {
        let text = team::without_we(text).unwrap_or_else(|| text.to_owned());
        personal::stated(&text, tongue)
    } else {
        third(text, tongue)
    }
}

/// Which sentences contain a secret, alone or together with the next one ("my password is:" "hunter2").
pub fn secret_sentences(sentences: &[Sentence]) -> Vec<bool> {
    let holds = |text: &str| text.contains(gate::REDACTED) || drops::holds_credential(text) || !gate::secrets(text).is_empty();
    let mut secret: Vec<bool> = sentences.iter().map(|s| holds(&s.text)).collect();
    for at in 1..sentences.len() {
        let opener = &sentences[at - 1];
        let both = format!("{}{} {}", opener.text, if opener.opens { ":" } else { "" }, sentences[at].text);
        if !secret[at - 1]
            && !secret[at]
            && (!gate::secrets(&both).is_empty() || (opener.opens && drops::holds_credential(&both)))
        {
            secret[at - 1] = true;
            secret[at] = true;
        }
    }
    secret
}
