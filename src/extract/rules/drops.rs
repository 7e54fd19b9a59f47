//! What is never worth keeping, as tables of reasons for dropping a sentence, in the order in which they are checked.
//!
//! `ALWAYS` applies to every sentence. `FLEETING` marks what is soon over; a statement that lasts by its nature (a name, a new
//! job) is kept anyway.

use std::sync::LazyLock;

use super::pattern::{Rule, Table, pattern};

/// Reasons that drop every statement.
pub const ALWAYS: &[Rule] = &[
    Rule {
        name: "asked_not_to",
        pattern: r"\b(?:don't|do not|never|no need to|please don't) (?:remember|save|store|note|record|memori[sz]e|keep) (?:this|that|it|any of this|what i)\b|\boff the record\b|\bjust between us\b|\b(?:jangan|ga usah|gak usah|nggak usah|tidak usah|gausah) (?:di)?(?:inget|ingat|simpan|simpen|catat|catet)\b",
        catches: &["don't remember this but I am moving", "jangan disimpan ya, gue mau resign"],
        spares: &["don't forget that I live in Rome"],
    },
    Rule {
        name: "hypothetical",
        pattern: r"^(?:\w+ )?(?:suppose|supposing|imagine|hypothetically|assuming|assume|let's say|let us say|say i|pretend|what if|if (?:i|we) (?:were|was|had|could|would|did|ever|won|became|moved|lived|went|wanted|get|got|become|move)|if only|picture this|in theory|misal(?:nya|kan)?|misal|andai(?:kan|nya|kata)?|seandainya|anggap(?:lah)?(?: aja)?|umpama\w*|bayangin|bayangkan|(?:kalo|kalau|klo|jika) (?:{AKU}) (?:jadi|punya|kaya|pindah|menang|bisa))\b|\b(?:i wish|were i|i would (?:love to|like to|be|have|probably|maybe|use|move|buy|go|do|guess|imagine|hate to|never have)|we would|hypothetical|wish i|i might|i may|we might|i could|pengen(?:nya)? sih)\b|\b(?:i|we) (?:had |have |once |briefly |even )*(?:thought about|considered|toyed with|almost started|nearly started) \w+ing\b",
        catches: &[
            "suppose I live in Mars",
            "if I were a doctor",
            "what if I moved to Rome",
            "misalnya gue tinggal di Jepang",
            "I might move to Oslo",
        ],
        spares: &["if I ask for code, give only code", "I would rather have short answers", "I would prefer tea"],
    },
    Rule {
        name: "role_play",
        pattern: r"\b(?:role-?play|pretend(?:ing)? (?:to be|you|i|that)|act as|you are now|you're now|be my (?:dungeon|game)|let's play|in character|my character|in the (?:story|game|novel)|once upon a time|pura-pura|berperan|jadilah|ceritanya (?:gue|aku|lo|kamu|lu)|main peran|(?:talk|speak|behave)(?: back)? like (?:one|an? \w+)$|(?:like|as if|as though) i (?:am|was|were) (?:an? )?(?:\d+|five|six|seven|eight|nine|ten|twelve|child|kid|toddler|beginner|dummy|idiot|goldfish|grandm\w+|alien))\b",
        catches: &[
            "pretend to be a pirate",
            "explain it like I am five",
            "let's role-play: I am a king",
            "pura-pura lo jadi guru",
        ],
        spares: &["I play the drums"],
    },
    Rule {
        name: "joke",
        pattern: r"(?:^|\s)/s$|\b(?:just kidding|jk|kidding|lmao|rofl|lol|that was sarcasm|#sarcasm|yeah,? right|oh,? (?:sure|great|joy|wonderful|lovely|yay|fantastic|perfect|brilliant|how nice),?|i just love|just what i (?:needed|wanted)|lucky me|living the dream|as a joke|for (?:the )?(?:laughs|lulz|giggles)|said no one|asyik banget ya|hebat banget ya|april fools?|becanda|bercanda|canda doang|cuma canda|canda)\b",
        catches: &["I am the king of Spain lol", "I love meetings /s"],
        spares: &["I kid you not"],
    },
    Rule {
        name: "quoted",
        pattern: r#"^"[^"]*"$|^'[^']*'$|\byou (?:just |already |once |also |previously )?(?:said|told|mentioned|wrote|claimed|suggested|recommended|stated|explained|answered|replied)\b|\baccording to (?:you|the|him|her)\b|\b(?:kata|menurut) (?:lo|lu|kamu|dia|mereka|orang|temen|teman)\b|\b(?:lo|lu|kamu|dia|mereka) (?:tadi |barusan |kemarin |pernah )?(?:bilang|ngomong|nyaranin|kasih tau|cerita)\b|\b(?:he|she|they|boss|manager|friend|colleague|wife|husband|mom|dad|someone|somebody|people|customer|client|guy|teacher|docs?|article|error|log|screen|page) (?:just |always |also )?(?:says?|said|told|claims?|claimed|wrote|asked|thinks?|texted)\b|\b(?:it|error|log|page|screen|output) (?:just )?says\b|\b(?:flatmate|roommate|housemate|neighbou?r|cousin|uncle|aunt|mate|colleague|brother|sister|mother|father|\w+-in-law) (?:just |always |still |also )?(?:insists?|swears by|is obsessed|claims?|reckons?|says|keeps (?:saying|telling)|raves)\b"#,
        catches: &["you said that I live in Rome", "my boss said I am late", "kata lo gue suka teh"],
        spares: &["I said it before: I prefer tea", "kalo gue bilang gas, kasih kode"],
    },
    Rule {
        name: "uncertain",
        pattern: r"^(?:i (?:\w+ )?(?:think (?:that |the |it|this|i |we |my |you|so|there|about|maybe|he |she|they|is|of|a |an |our|something|everything|all |no )|guess|suppose|wonder|hope|assume|imagine|doubt|bet|feel like|suspect|believe)|maybe|perhaps|not sure|no idea|i am (?:not )?(?:sure|thinking|wondering|considering|guessing|unsure|curious|tempted|debating|not certain)|i (?:am )?(?:don't|do not) (?:know (?:if|whether|what|how|why|where|when|who)|understand|get (?:it|why|how)|remember|recall|see why|think|mind (?:if|it|that|this|either|at all)|want to)|kayaknya|kayanya|mungkin|sepertinya|kira-kira|gatau|ga tau|gak tau|nggak tau|bingung)\b",
        catches: &["I think the bug is in the parser", "maybe I should move", "kayaknya gue salah"],
        spares: &["I think best with diagrams", "I don't know any Rust"],
    },
    Rule {
        name: "mood",
        pattern: r"\b(?:i am|i feel|i am feeling|i have been feeling|feeling|we are) (?:(?:so|very|really|just|dead|bone|a bit|a little|bit|kinda|kind of|pretty|quite|super|too|such|totally|absolutely|completely|getting|still|all|feeling|currently|extremely|also|honestly|already|now|always so) )*(?:an? (?:mess|idiot|wreck|fool|moron|genius|zombie|day|minute|hour)|tired|exhausted|sleepy|hungry|thirsty|bored|sad|happy|glad|angry|mad|upset|stuck|lost|confused|frustrated|annoyed|stressed|overwhelmed|worried|anxious|nervous|excited|sick|ill|fine|good|great|ok|okay|well|better|bad|sorry|late|busy|done|ready|back(?:$| (?:now|again|home|soon|to (?:work|you|it|this)))|here|home|there|free|curious|impressed|surprised|shocked|amazed|grateful|thankful|proud|pleased|afraid|scared|lazy|dumb|stupid|dying|screwed|running late|out of (?:ideas|time|coffee|luck)|in a (?:hurry|rush|meeting|call)|about to|trying to (?:fix|figure|understand|get|make|run|install|build|find|debug|use|do|write|connect|set|solve|decide|add|create|see|think|reproduce|deploy|parse|convert|sort|implement|log|open|compile|test|work out)|looking (?:for|at|into|to|forward)|getting (?:an?|the|this|it|that|close|there|ready|error|errors|weird|old|better|worse|nowhere|some|off|started)|seeing|having (?:trouble|issues|problems|an? (?:hard|bad|good|rough|issue|problem|look|great|blast|break|error)|lunch|dinner|breakfast|fun|doubts|second)|going (?:to (?:bed|sleep|lunch|the|try|fix|do|go|check|need|have to|run|test|head|get (?:some|a|the|back)|make|take|start with|give)|crazy|insane|mad|nuts|home|out|with (?:this|option|the)|through|over)|debugging|waiting|wondering|hitting|facing|struggling (?:to|with (?:this|the|a|an|my))|unable|doing (?:this|it|the|some|well|ok|good|fine|great|my (?:homework|taxes|laundry))|asking|talking|writing (?:an? (?:\w+ )?(?:email|e-mail|letter|message|test|function|script|report|post|essay|article|review|paper|reply|query|quick|short)|the|this|my (?:cv|resume|essay))|reading (?:a|an|the|this)|making|testing|fixing|running (?:into|this|the|a)|not (?:sure|feeling|able|getting|seeing|convinced|happy|ready|done)|kidding|joking|missing|guessing|blocked|swamped|hungover|cold|hot|wet|down|up|off to|heading|leaving now|on (?:it|my way|the (?:bus|train|phone|road|page|way|plane|toilet|couch|right track)|hold|a (?:call|train|bus|plane|roll|break|deadline)|fire))\b|\b(?:{AKU}) (?:lagi|masih|udah|jadi|agak|rada|mulai|sangat)? ?(?:capek|cape|lelah|laper|lapar|ngantuk|bete|bosen|bosan|sedih|seneng banget hari|kesel|kesal|marah|stres|stress|pusing|bingung|galau|sakit kepala|mager|gabut|sibuk|telat|otw|stuck|mentok|emosi|kaget|panik|mules|haus|nangis|baper)\b|\b(?:capek|cape|laper|ngantuk|pusing|gabut|mager) (?:banget|bgt|nih|gue|aku|parah)\b",
        catches: &["I am so tired", "I am stuck on this bug", "gue lagi laper", "ngantuk banget", "I am trying to fix it"],
        spares: &["I am a nurse", "I am learning Rust", "I am going on parental leave"],
    },
    Rule {
        name: "deictic",
        pattern: r"^(?:i|we) (?:\w+ )?(?:love|like|hate|enjoy|want|need|use|prefer|have|know|see|get|do|did|own|write|run|take|try|agree with|appreciate) (?:(?-i:it)(?:$|[,!]| so\b| very\b| a lot| too| now| here| and| but| because| for| in\b| to\b)|(?:this|that|these|those|them|him|her|your|the (?:first|second|third|last|other|latter|former|above|idea|way|sound|look|new|old|result|output|answer|following|bug|error)|both|either|neither|option|one(?:$|[,!]| please)|some help|help|a hand|more info)(?:\b|$))|^(?:{AKU}) (?:suka|mau|prefer|pilih|butuh|pake|pakai) (?:yang )?(?:ini|itu|pertama|kedua|ketiga|terakhir|tadi|nomor|opsi|idenya|idemu)\b",
        catches: &["I love this", "I prefer the second option", "gue suka yang kedua"],
        spares: &["I love hiking", "I use the fish shell"],
    },
];

/// Reasons that drop every statement except one that lasts by its nature.
pub const FLEETING: &[Rule] = &[
    Rule {
        name: "one_off",
        pattern: r"\b(?:running (?:\w+ ){0,3}late|left-?overs?|today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening|time|file|ticket|branch|bug|error|issue|function|test|task|script|pr|pull request|page|query|class|method|repo|code|thing|one|problem|screen|chart|column|image|email|message|week|weekend|month|sprint|chapter|exercise|assignment|question|report|doc|document|step|version|commit)|right now|at the moment|for now|just now|for once|last (?:night|week|tuesday|monday|wednesday|thursday|friday|saturday|sunday|time|month)|an? (?:minute|hour|moment|second|while|sec) ago|\d+ (?:minutes?|hours?|mins?|secs?|seconds?) ago|later|soon|in (?:a|an|\d+|five|ten|two) (?:min\w*|hours?|sec\w*|bit|moment|while)|at \d{1,2}(?::\d\d)? ?(?:am|pm)?$|again\b.*\bfail|for hours|(?:is|are) killing me|all (?:day|morning|night|afternoon)|so far|(?:this|these|those) (?:tests?|errors?|bugs?|files?|logs?|numbers|lines?|tables?)|for (?:this|these)|just (?:ran|pushed|tried|merged|installed|restarted|finished|noticed|saw|had|ate|woke|opened|updated|deployed|fixed|got (?:back|home|an|this|off|out|up|the|here|in|it|a (?:weird|strange|new) ?(?:error|message|email|bug)?))|hari ini|malam ini|nanti|besok|kemarin|kemaren|tadi|barusan|minggu ini|pagi ini|siang ini|sore ini|bentar|sebentar|sekali ini|kali ini|buat (?:yang )?ini|untuk ini|bug ini|error ini|file ini|tiket ini|pr ini|yang ini|barusan|semalam|semalem|lusa)\b",
        catches: &[
            "I use tabs in this file",
            "I have to leave at 3",
            "gue tadi makan bakso",
            "I want tea today",
            "for this PR use tabs",
        ],
        spares: &["I wake up at 5 every day", "setiap hari gue lari", "I use tabs"],
    },
    Rule {
        name: "one_off",
        pattern: r"\b(?:and|but|when|whenever|then|so) (?:it|the \w+|nothing|everything|that|this|i)(?: \w+)? (?:fails?|failed|crash\w*|breaks?|broke|hangs?|hung|throws?|threw|errors?|doesn't|won't|isn't|didn't|keeps?|returns?|get an?)\b|\b(?:error|exception|crash(?:es|ed|ing)?|fails?|failed|failing|broken|bug|traceback|segfault|null pointer|undefined|doesn't work|not working|won't (?:start|compile|run|build|load|open|boot)|errornya|gagal|ga jalan|gak jalan|nggak jalan|ngehang|ngelag|nge-?hang)\b",
        catches: &["I use pnpm and it fails", "my build fails", "gue pake docker tapi gagal"],
        spares: &["I use pnpm for everything"],
    },
];

static FIXED: LazyLock<Table> = LazyLock::new(|| Table::new(ALWAYS));
static SHORT: LazyLock<Table> = LazyLock::new(|| Table::new(FLEETING));

pub fn always(clause: &str) -> Option<&'static str> {
    FIXED.first(clause)
}

pub fn fleeting(clause: &str) -> Option<&'static str> {
    SHORT.first(clause)
}

pattern! { QUESTION = r"^(?:(?:so|and|but|ok(?:ay)?|hey|hi|hello|well|also|btw|eh|nah|terus|trus|jadi)[, ]+)*(?:how|what|what's|whats|why|where|who|whose|which|do(?:es)? (?:you|i|we|it|the|that|this|anyone|they|my)|did (?:you|i|we|it|the)|is (?:it|there|that|this|the|my|a)|are (?:you|there|they|we|the|these)|am i|can (?:i|we|it|you|the)|could (?:i|we|you|it)|should (?:i|we|it)|would (?:you|it|that|this)|will (?:it|this|that|you)|have you|has (?:the|anyone)|any (?:idea|chance|way|tips|suggestions?|thoughts|recommendations?)|wondering|i wonder|i was wondering|curious (?:if|how|what|why)|tell me (?:what|how|why|if|about)|apa(?:kah)?|apaan|gimana|bagaimana|gmn|kenapa|knp|mengapa|kapan|siapa|berapa|brp|mana|di ?mana|kemana|bisakah|bolehkah|haruskah|bisa (?:ga|gak|nggak|ngga|bantu|tolong|kah)|boleh (?:ga|gak|nggak|minta|tanya)|ada (?:yang tau|ga|gak|saran|ide|rekomendasi|cara)|tau ga|tahu ga|lo tau|kamu tau|emang(?:nya)?)\b|, (?:right|correct)$|^(?:right|correct)$|\b(?:apa|berapa|mana|siapa|kapan) ya\b|\bkok\b.{3,60}\b(?:ya|sih)$|\b(?:(?:ga|gak|nggak|ngga|kah) (?:ya|sih)|or not|ya kan|kan ya|bener ga|gimana ya|apa ya|kenapa ya)$" }

/// Asks something, with or without a question mark.
pub fn is_question(clause: &str) -> bool {
    QUESTION.is_match(clause)
}

pattern! { REQUEST = r"^(?:(?:so|and|but|ok(?:ay)?|hey|hi|hello|well|also|now|then|next|first|just|please|kindly|pls|can you|could you|would you|will you|i need you to|i want you to|i would like you to|i would like to|i need to|i want to|i have to|i need|i would like|i want|we need to|let's|lets|help me(?: to)?|help|eh|nah|terus|trus|tolong|plis|mohon|coba|bantu(?:in)?|gue mau|gue butuh|gue pengen|gue perlu|aku mau|aku butuh|aku pengen|saya mau|saya butuh|saya ingin|minta)[, ]+)*(?:add|catat (?:\d+|satu|dua|tiga|empat|lima|poin|hal|perbedaan)|analy[sz]e|answer this|apply|ask (?:him|her|them)|book|brainstorm|build|bump|calculate|call (?:mom|him|her|the|them)|change|check|clean|click|close|commit|compare|compile|compute|configure|continue|convert|copy|correct|count|create|debug|decode|define|delete|deploy|describe|design|diagnose|draft|draw|edit|elaborate|email|estimate|evaluate|expand|explain|export|extract|fetch|figure|fill|find|finish|fix|format|generate|get|give me|google|go ahead|guess|help|identify|implement|import|improve|insert|install|investigate|join|launch|let me know|list|load|log in|look|look up|make (?:me|a|an|the|it|this|that|sure)|merge|migrate|move|name (?:a|three|five|some)|open|optimi[sz]e|order|outline|parse|pick|plan|play|plot|predict|print|proofread|pull|push|put|rank|read|rebase|recommend|redo|reduce|refactor|regenerate|remind|remove|rename|rephrase|replace|reply to|report|research|reset|resolve|restart|retry|return|revert|review|revise|rewrite|run|save the|schedule|search|see|select|send|set|share the|shorten|show|simplify|solve|sort|split|start|submit|suggest|sum|summari[sz]e|sync|take|tell me|test|think of|translate|troubleshoot|try|turn|undo|uninstall|update|upgrade|upload|validate|verify|visit|wait|walk me|write|rewrite|the count|a (?:list|summary|quick|table|script|recipe|regex|joke|poem|draft|logo)|some (?:ideas|names|help)|help|tolong|bikin(?:in|kan)?|buat(?:in|kan)|cek(?:in)?|jelasin|jelaskan|terangin|cari(?:in|kan)|kasih (?:tau|tahu|contoh|gue|aku|saya|ide|saran|daftar)|terjemah(?:in|kan)|rangkum(?:in|kan)?|ringkas(?:in|kan)|perbaiki|benerin|ubah(?:in)?|ganti(?:in)? (?:nama|warna|judul|teks|file)|hitung(?:in)?|itung(?:in)?|lanjut(?:in|kan)?|liat(?:in)?|lihat|tulis(?:in|kan)|ketik(?:in)?|bandingin|bandingkan|ingetin|ingatkan|bales(?:in)?|balas(?:in)?|daftar(?:in)?|sebutin|sebutkan|rekomendasiin|saranin|cobain|jalanin|install(?:in)?|pasang(?:in)?|bantu(?:in)?|minta)\b" }

/// Asks for something to be done now.
pub fn is_request(clause: &str) -> bool {
    REQUEST.is_match(clause)
}

pattern! { CHAT = r"^(?:hi|hello|hey|yo|sup|thanks?|thank you|thx|ty|cheers|ok(?:ay)?|k|cool|nice|great|awesome|perfect|good (?:morning|evening|night|afternoon|job|one|point|idea|bot)|bye|see you|see ya|cya|later|got it|sounds good|makes sense|yes|yeah|yep|no|nope|sure|exactly|right|wow|haha+|hehe+|wkwk\w*|hmm+|oh|ah|alright|congrats|welcome|no worries|never ?mind|nvm|forget it|forget about it|halo|hai|hay|pagi|siang|sore|malam|selamat (?:pagi|siang|sore|malam)|makasih|mksh|terima kasih|thanks ya|oke|ok deh|sip|siap|mantap|mantul|keren|iya|ya|nggak|enggak|ga|gak|lanjut|gas|dah|dadah|assalamualaikum)(?:[ ,!]+\w+){0,3}$" }

/// Greeting, thanks, agreement.
pub fn is_chat(clause: &str) -> bool {
    CHAT.is_match(clause)
}

pattern! { OTHERS = r"^(?:he|she|they|his|her|their|him|it|its|that|this|these|those|there|somebody|someone|everyone|everybody|nobody|people|some people|most people|dia|mereka|dia tuh|orang-orang|(?:my|our|the) (?:boss|manager|colleagues?|co-?workers?|teammates?|team ?lead|friends?|neighbou?rs?|client|customer|roommate|landlord|teacher|professor|barber|cto|ceo|intern) (?:\w+ )?(?:likes?|loves?|hates?|prefers?|wants?|thinks?|says?|uses?|needs?|keeps?|always|never|asked|told|just|has|had|went|is (?:\w+ )?(?:\w+ing|sick|out|off|late|annoy\w*|great|nice|mad|angry|tired|on))|(?:bos|atasan|temen|teman|tetangga|klien|rekan|sepupu temen)(?:ku|nya| {AKU})?)\b" }

/// Is about somebody else, or about nothing that is named.
pub fn is_about_others(clause: &str) -> bool {
    OTHERS.is_match(clause)
}

pattern! { STORY_ON = r"^(?:knock,? ?knock|tok[, ]+tok|here is a joke|joke time|got a joke|joke:|tebak-tebakan|i will tell you a joke)\b|^(?:\w+,? )?(?:suppose|supposing|imagine|hypothetically|let's say|let us say|pretend|let's (?:role-?play|play)|role-?play|you are now|you're now|misal(?:nya|kan)?|andai(?:kan)?|seandainya|anggap(?:lah)?|bayangin|bayangkan|pura-pura|ceritanya (?:gue|aku|lo|kamu|lu))\b|\b(?:write|draft|compose|tell|make up|bikin|buat|tulis)\w*\b.{0,60}\b(?:story|poem|song|lyrics|dialogue|monologue|scene|sketch|skit|script|letter|email|e-mail|bio|tweet|post|cover letter|essay|speech|caption|cerita|cerpen|puisi|lagu|dialog|surat|pidato|caption)\b.{0,40}\b(?:where|in which|saying|says|about|from the (?:view|perspective)|as if|that goes|di mana|tentang|isinya|yang isinya|bahwa)\b" }

/// Begins a passage of fiction or supposition, which includes the sentences after it.
pub fn opens_fiction(clause: &str) -> bool {
    STORY_ON.is_match(clause)
}

pattern! { CREDENTIAL = r"\b(?:password|passwords|passwd|passphrase|pass ?code|pwd|pin(?: code| number)?|cvv|otp|seed phrase|recovery (?:phrase|code)|(?:safe|lock|locker|padlock|door|gate|alarm|access) (?:code|combination)|mnemonic|kata sandi|sandi|card number|credit card|nomor kartu|no kartu)(?:nya)?\b[^.?!]{0,40}?(?:\bis\b|\bare\b|=|:|\badalah\b|\bto\b|\bitu\b|\bya\b|nya\b)\s*\S+|\b(?:api|access|secret|private|auth|bearer|encryption|signing|license)[ -]?(?:key|token)s?(?:nya)?\b[^.?!]{0,30}?(?:\bis\b|=|:|\badalah\b)\s*\S*\d\S*|\btoken(?:nya)?\b[^.?!]{0,20}?(?:\bis\b|=|:|\badalah\b)\s*[\w-]*\d[\w-]{5,}|\b(?:password|passwd|pwd|pin|kata sandi|sandi|wifi pass)(?:nya)?\b[^.?!]{0,24}?\s[\w!@#$%^&*-]*\d[\w!@#$%^&*-]*\b|\b(?:log ?in|sign in|masuk)(?: with| pake| pakai)? \S+ ?/ ?\S+|\b(?:\d[ -]?){13,19}\b" }

/// Contains something like a credential. Broader than the gate's rules for secrets, and checked in addition to them.
pub fn holds_credential(text: &str) -> bool {
    CREDENTIAL.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::super::pattern::check_examples;
    use super::*;

    #[test]
    fn examples_of_both_tables_hold() {
        check_examples(ALWAYS);
        check_examples(FLEETING);
    }

    #[test]
    fn credentials_are_seen_and_talk_about_them_is_not() {
        for text in [
            "my password is hunter2",
            "the wifi password: kopi123",
            "pin atm gue 4421",
            "API key = abc123def",
            "kata sandinya adalah rahasia",
        ] {
            assert!(holds_credential(text), "{text}");
        }
        for text in ["I use a password manager", "tokens are refreshed every 15 minutes", "I forgot my password"] {
            assert!(!holds_credential(text), "{text}");
        }
    }
}
