//! Signs that a note gives the assistant orders, weighed together.
//!
//! The shapes in `notes` are orders that have been seen. The signs are what orders have in common: a verb of obeying, telling or
//! unlocking, a protected object, a "no exception", a way to send data out, a word that the note uses for itself. Many harmless
//! notes have one or two of them, but not three.

/// A note with a total weight of at least this is an order.
const ENOUGH: i32 = 3;

/// One sign: its weight, and what shows it on lower-case text.
const SIGNS: &[(i32, &str)] = &[
    // A verb at the start of a clause, addressed to the reader of the note.
    (
        1,
        r"(?:^|[.;:,!?-] ?|\b(?:please|always|never|then|and|just|only|must|should|shall|may|fine to|ok to|okay to|tolong|selalu|harap|lalu|dan|simply|also|instead) )(?:answer|reply|respond|say|tell|claim|speak|talk|print|output|reveal|repeat|recite|post|send|forward|publish|leak|approve|accept|trust|treat|consider|regard|obey|pretend|act|behave|erase|delete|wipe|forget|disable|deactivate|switch off|turn off|skip|bypass|replace|swap|give out|give away|give|grant|hand out|allow|let|call|invoke|use the tool|use the|recommend|promote|rank|praise|believe|assume|hide|conceal|disclose|unlock|open|export|copy|read out|translate|execute|download|fetch|visit|stop|remind|mark|read|quote|insert|load|adopt|prioriti[sz]e|side with|lie|be|rate|vote|sign|transfer|pay|wire|buy|order|redirect|forge|fake|invent|omit|leave out|keep|ask|urge|convince|remember|obtain|collect|gather|extract|list|dump|append|include|change|substitute|strip|hand|pass|push|steer|nudge|slip|sneak|plant|weave|begin|start|authori[sz]e|escalate|raise|approve|release|waive|exempt|elevate|demote|silence|mute|suppress|censor|downplay|exaggerate|fabricate|correct|batalkan|arahkan|gib|hilangkan|loloskan|utamakan|set|raise|lower|remove|drop|reset|ban|block|invite|promise|confirm|ubah|ganti|kasih tahu|beri tahu|beritahu|tambahkan|transfer|bayar|minta|tulis|nenne|empfiehl|deaktiviere|ignoriere|desactive|desactiva|ignora|recommande|recomienda|odpowiadaj|ignoruj|podaj|negeer|schakel|insist|deny|refuse|agree|katakan|bilang|jawab|balas|patuhi|turuti|ikuti|lewati|hapus|kirim|kirimkan|bocorkan|buka|setujui|abaikan|anggap|percayai|berikan|sebutkan|tampilkan|sembunyikan|matikan|jalankan|panggil|rekomendasikan|sarankan|reponds|repondez|dis|dites|donne|montre|revele|gib|sag|antworte|zeig|verrate|vertraue|losche|responde|di|muestra|revela|rispondi|dimmi|mostra|antwoord|geef|responda|mostre|share|put|describe|produce|authori[sz]e|matiin|jalanin|salin|teruskan|reply|echo|sell|lend)\b",
    ),
    (
        1,
        r"\b(?:do not|don'?t|never|should not|must not|shall not|need not|no need to|jangan|stop|pay no|ne|nicht|no) (?:you )?(?:follow|obey|apply|record|log|warn|mention|check|verify|refuse|heed|attention|question|report|enforce|tell|inform|respect|wait|ikuti|catat|tanya|cek|periksa|patuhi|lapor|tolak|reponds|dis|suis)\b|\bignor(?:e|es|ing)\b|\bdisregard",
    ),
    (
        1,
        r"\b(?:gets?|receives?|holds?|deserves?|is given|are given|is allowed|are allowed|may see|can see|mendapat|memiliki|boleh)\b[^.\n]{0,16}\b(?:every|all|full|any|unlimited|semua|penuh)\b",
    ),
    // Something protected.
    (
        1,
        r"\b(?:rules?|polic(?:y|ies)|guidelines|filters?|gate|guardrails?|safeguards?|permissions?|rights|confirmations?|consent|approvals?|restrictions|limits|approved|aturan|kebijakan|batasan|konfirmasi|izin|persetujuan|regeln|regles|reglas|filtres|filtros|zasady|regole|regras|configuration|safety|security checks?|moderation|keamanan)\b",
    ),
    (
        1,
        r"\b(?:secrets?|passwords?|passwort|credentials|tokens?|card numbers?|bank accounts?|account number|rekening|iban|invoices?|faktur|payee|wallet|refunds?|payments?|budget|money|funds|(?:api |access |private )?keys?|hidden|kata sandi(?:nya)?|sandi(?:nya)?|rahasia|mot de passe|contrasena|private data|personal data|salary|salaries)\b",
    ),
    (
        1,
        r"\b(?:memor(?:y|ies)|saved notes?|stored notes?|notes|conversations?|chat history|system prompt|prompt|context|fact list|all facts|every fact|stored facts?|sessions?|cookies?|importance|pending (?:items?|facts?)|review queue|memori|ingatan|percakapan|riwayat|all data|semua data|database dump|transcripts?)\b",
    ),
    (
        1,
        r"\b(?:audit(?: trail| log)?|operators?'?s?|admin(?:istrator)?s?|root|system|sistem|developers?|owner|management|superuser|ceo|cto|boss|administratorrechte|adminrechte)\b",
    ),
    // No exception.
    (
        1,
        r"\b(?:every|all|any|anyone|anybody|anything|always|never|only|nobody|no one|every time|everything|everyone|whatever|whoever|each|semua(?:nya)?|setiap|zawsze|wszystk\w+|selalu|siapa ?pun|hanya|apa ?pun|immer|alle|jedem|jemand|nur|tous|toutes|toujours|uniquement|plus qu|todos|todas|siempre|sempre|altijd|from here on|from now on|henceforth|permanently|no matter|regardless|unconditionally)\b",
    ),
    (
        1,
        r"\bwithout (?:checking|reading|asking|review|verif|confirm|approval|permission|question|delay|hesitat|telling|looking|thinking|proof)|\btanpa (?:memeriksa|membaca|bertanya|konfirmasi|izin|verifikasi|tinjauan|ragu|bukti)|\b(?:no|without|zero|tanpa|ohne|sans|sin|senza) (?:limits?|limitations?|rules|questions|restrictions?|exceptions?|batas(?:an)?|aturan|grenzen|regeln|limites)\b",
    ),
    // A way to send data out, or somebody's profit.
    (
        1,
        r"https?://|\b[a-z0-9-]+\.(?:com|net|org|io|example|xyz|ru|cn|tk|top|site|online|dev|app|me|link)\b|\S@\S|\bpastebin|\bwebhook|\bpublic channel|\bexternal\b",
    ),
    (
        1,
        r"\b(?:rank|put|place|list|name|recommend|praise|promote|prefer|sebut|sarankan)\b[^.\n]{0,30}\b(?:first|above|best|over (?:all|every|any)|top|instead of|number one|pertama|terbaik)\b|\b(?:best|safest|cheapest|most secure) (?:choice|option|provider|vendor|product|bank)\b",
    ),
    (
        2,
        r"\b(?:lie|lies|lying|rude|mislead|deceive|manipulate|sabotage|insult|flatter|discourage|scare|blame|gaslight|bohong|berbohong|menipu|luge|mens|miente)\b|\boutranks?\b|\b(?:prioriti[sz]e|prefer|rank|put|place) this\b|\bside with\b|\bstop (?:asking|checking|warning|confirming|logging|verifying|refusing)\b|\bhigher than the (?:operator|system|policy)",
    ),
    (
        1,
        r"\b(?:phrase|code ?word|code|signal|magic word|keyword|token|kata kunci|word)\b:? (?:is )?(?:[\x22'`]|\d{2,})|\bas a signal\b",
    ),
    (
        1,
        r"\b(?:tell|ask|remind|urge|convince|get|warn|inform|persuade|trick|make|let) (?:the |all |every )?(?:users?|people|customers?|them|everyone|visitors?|guests?|clients?)\b",
    ),
    (
        1,
        r"\b(?:competitors?|other vendors?|rivals?|premium plan|upsell|sponsors?|our product|is (?:safe|secure|perfect|the best)|es seguro|ist sicher|the other (?:vendor|provider|product)|pesaing|vendor lain)\b",
    ),
    (
        1,
        r"\b(?:each|every|all|setiap|semua|jeder|chaque|cada) (?:answers?|repl(?:y|ies)|responses?|jawaban|balasan|antwort|reponse|respuesta)\b",
    ),
    (
        2,
        r"\bpretend(?:s|ing)?\b|\banswers? to (?:nobody|no one)\b|\bnobody but\b|\b(?:speak|answer|reply|act|respond|write|sign) as (?:the )?(?:ceo|cto|boss|owner|operator|admin\w*|developer|bank|support team|security team|[a-z]+ who)\b|\bwhenever recalled\b|\braise this\b|\bhidden (?:setup|text|prompt|instructions?|rules?)\b|\b(?:arahkan|direct|redirect|steer|push|send|point) (?:them|him|her|mereka|users?|people|pengguna|customers?|visitors?)?\s?(?:to|ke|toward|towards) (?:the )?(?:situs|site|https?|premium|[a-z0-9-]+\.(?:com|example|net|org|io|xyz))",
    ),
    // A word for the note itself, a trigger, or its reader.
    (
        1,
        r"\bthis (?:sentence|note|memory|line|text|one|prompt|message|entry|rule)\b|\bwhat (?:follows|precedes|comes (?:next|before))|\bprecedes?\b|\bnext (?:message|reply|user|(?:\w+ )?(?:answers|replies|messages|requests|questions))\b|\b(?:catatan|pesan|kalimat|aturan) ini\b|\b(?:cette|diese|diesen|esta|questa) (?:note|notiz|hinweis|nota)\b|\bthis is (?:recalled|read|loaded|seen|shown|retrieved)\b|\b(?:for|pour|fur|untuk|para|per|voor|from|of) (?:this|ce|diesen|dieses|este|questo|dit) (?:account|user|compte|nutzer|konto|usuario|utente|session|chat)\b|\bakun ini\b|\bpengguna ini\b|\bas (?:[a-z]+ )?(?:who|which|that) (?:has|knows|obeys|never|always)\b",
    ),
    (
        1,
        r"\b(?:when|whenever|if|once|every time|jika|kalau|bila|saat|wenn|falls|quand|quando|cuando)\b[^.\n]{0,40}\b(?:typed|types|says?|said|asked|asks|mentions?|mentioned|word|ditanya|diminta|bertanya|tanya|nanya|minta|menyebut|fragt|gefragt|demande|pregunta|chiede|you|anyone|someone|jemand)\b",
    ),
    (
        1,
        r"\b(?:to|kepada|ke) (?:the )?(?:next )?(?:users?|pengguna|customers?|visitors?|anyone|everybody)\b|\b(?:users?|anyone|people|someone|customers?) (?:named|called|who (?:says?|asks?|types?|knows?)|saying|with the (?:word|code))\b",
    ),
    (
        1,
        r"\byou\b|\byour(?:self)?\b|\bkamu\b|\banda\b|\b(?:the|this) (?:model|assistant|ai|bot|chatbot|agent|llm)\b|\basisten\b|\bto the (?:reader|model)\b|\b(?:the )?(?:shell|bash|python|mail|browser|delete|send_?\w*|\w+_memor\w+) tool\b|\btool \w+\b",
    ),
    (
        1,
        r"\b(?:model|assistant|ai|bot|chatbot|agent|llm|asisten) (?:must|should|shall|may|will|has to|needs to|is to|harus|wajib|boleh)\b",
    ),
    // Something done to the conversation itself, or to what others had remembered.
    (
        1,
        r"\b(?:what(?:ever)?|everything|anything|all(?: that)?) (?:(?:is|was|gets|has been|we|they|people|users?) )?(?:discussed|said|written|typed|talked about|spoken|told|shared|discuss|say|write|type)\b|\b(?:other|another|someone else's|the user's(?: other)?) (?:users?'? |people's )?(?:memor(?:y|ies)|notes|chats?|conversations?)\b|\b(?:semua|seluruh|isi) (?:yang (?:dibahas|dikatakan|ditulis)|obrolan|percakapan|chat)\b",
    ),
    (
        1,
        r"\b(?:public|open|external|outside|foreign) (?:gist|paste|repo\w*|channel|folder|bucket|page|board|link|server|address|site|drive|group)\b|\b(?:gist|telegra\.ph|t\.me|wa\.me|bit\.ly|discord\.gg|ngrok)\b|\b[a-z0-9-]{2,}\.[a-z]{2,8}/\S|\b(?:link|url|address|alamat|tautan) (?:below|above|given|di bawah|berikut)\b",
    ),
    // The action or its reason is to be hidden.
    (
        2,
        r"\b(?:no need to|need not|don'?t|do not|never|without|jangan|tidak (?:perlu|usah)|tak perlu|gak usah|nggak usah|tanpa) (?:ever |pernah )?(?:say(?:ing)?|tell(?:ing)?|mention(?:ing)?|explain(?:ing)?|give|giving|bilang|beri ?tahu|jelaskan|sebut(?:kan)?|menyebut|memberi ?tahu|mengatakan|katakan) (?:so|why|the reason|this|that you|anyone|anybody|alasan\w*|kenapa|siapa[- ]?pun|ini)\b|\b(?:keep|say) (?:quiet|nothing|silent) about (?:it|this|that)\b|\b(?:diam-diam|diam diam)\b|\bno[- ]?(?:one|body) (?:needs? to|should|must|may|has to) (?:know|notice|see|find out)\b",
    ),
    // Consent by somebody else, so that the reader need not ask.
    (
        2,
        r"\b(?:already |has |have |had |sudah |telah )+(?:agreed|allowed|approved|permitted|authori[sz]ed|consented|cleared|signed off|green-?lit|diizinkan|mengizinkan|setuju|menyetujui|disetujui|memperbolehkan)\b[^.\n]{0,12}[:;,]? ?(?:so |jadi |to |that |please )?(?:you |kamu |just |langsung )?(?:give|hand|share|reveal|show|send|tell|release|publish|leak|forward|open|bocorkan|kirim|kirimkan|berikan|tampilkan|sebarkan|buka|bagikan|kasih)\b",
    ),
    (2, r"(?:^|[.;:,!?-] ?|\b(?:dan|lalu|and|then|please|tolong) )(?:leak|bocorkan|bocorin|smuggle|exfiltrate|siphon)\b"),
    // Permission to break a rule, and rules that end for the reader only.
    (
        3,
        r"\b(?:allows?|allowed|permits?|permitted|lets?|entitles?|clears?|frees?|authori[sz]e[sd]?|mengizinkan|membolehkan) (?:you|kamu|anda|the (?:assistant|model|bot|ai)|asisten) (?:to |untuk )?(?:ignore|skip|bypass|break|overlook|waive|disregard|override|mengabaikan|melewati|melanggar)\b|\b(?:no longer|not|do not|don'?t) (?:apply|applies|bind|count) (?:to|for) (?:you|the (?:assistant|model|bot|ai))\b|\b(?:tidak|tak|nggak|gak) (?:lagi )?berlaku (?:lagi )?(?:bagi|untuk|buat) ?(?:mu|kamu|anda|asisten)\b",
    ),
    // People are made to believe something, or are asked for credentials.
    (
        3,
        r"(?:^|[.;:,!?-] ?|\b(?:always|please|and|then) )(?:let|make|have|keep|leave) (?:the |any |every |all |our )?(?:users?|customers?|clients?|guests?|patients?|callers?|people|visitors?|them|him|her) (?:believe|believing|think|thinking|assume|assuming)\b|\b(?:ask|asks|asking|demand|request|prompt)(?:ing)? (?:them |him |her |people |users |customers |every \w+ )?for (?:the |a |an |their |his |her )?(?:full )?(?:credit card|card number|card details|pin|cvv|password|bank (?:login|details)|online banking|social security|one-time code|otp)\b",
    ),
    // The reader's duty to ask is lifted.
    (
        3,
        r"\b(?:you|kamu|anda|asisten|the (?:assistant|model|bot|ai|agent))(?:'re| are| is)? (?:no longer|don'?t|do not|does not|doesn'?t|need not|never|not|tidak|tak|nggak|gak) (?:again |lagi )?(?:need|needs|have|has|required?|obliged|supposed|expected|perlu|harus|usah|wajib)?(?: to| lagi)? ?(?:ask(?: for)?|seek|request|get|wait for|obtain|any|a|have|minta|meminta|tunggu|menunggu|check with|confirm with)? ?(?:for )?(?:anyone'?s? |the user'?s? |any |my |further |prior )?(?:confirmations?|approvals?|permissions?|consent|authori[sz]ations?|verification|izin|ijin|persetujuan|konfirmasi|restu)\b[^.\n]{0,40}\b(?:refunds?|payments?|transfers?|orders?|purchases?|delet\w+|eras\w+|wip\w+|send\w*|shar\w+|post\w*|publish\w*|execut\w+|run(?:ning)?|carry|bookings?|cancel\w*|access|data|records?|meng\w+|menghapus|hapus|mengirim|kirim|bayar|transfer|jalankan)\b",
    ),
    // Said by people about themselves, or about how they like their answers.
    (
        -1,
        r"\b(?:for me|to me|call me|ask(?:ing)? me|i (?:prefer|like|want|am|work|use|read|write|usually|always|live|need|keep)|i'm|my (?:fork|repo|remote|branch|code|team|editor|name|laptop|phone)|prefers?|wants|likes|tanya saya|panggil saya|untuk saya|ke saya)\b",
    ),
    // Said by somebody who protects.
    (
        -2,
        r"\b(?:never|not|must never|may not|tidak boleh) be (?:printed|logged|stored|shared|committed|sent|exposed|posted|e-?mailed|copied|kept)\b",
    ),
    (
        -2,
        r"\b(?:never|do not|don'?t|jangan|must not|should not|avoid|no) (?:[a-z]+ )?(?:stor(?:e|ing)|shar(?:e|ing)|send(?:ing)?|log(?:ging)?|commit(?:ting)?|reveal(?:ing)?|post(?:ing)?|delet(?:e|ing)|leak(?:ing)?|expose|paste|print|email|publish|put|keep|hard-?code|simpan|kirim|bagikan|hapus|taruh)\b",
    ),
];

/// The first signs, this many, are actions: without one of them, or a sign with double weight, nothing is ordered.
const DEEDS: usize = 3;

/// Whether the signs in a note add up to an order.
pub(super) fn add_up(lower: &str) -> bool {
    let set = pattern_set!(SIGNS.iter().map(|(_, sign)| *sign));
    let shown = set.matches(lower.as_bytes());
    let decision = shown.iter().any(|index| index < DEEDS || SIGNS[index].0 > 1);
    decision && shown.iter().map(|index| SIGNS[index].0).sum::<i32>() >= ENOUGH
}
