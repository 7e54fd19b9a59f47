//! What a planted order wants done, in any wording: guards disabled, ranks granted, lies told, profit steered.
//!
//! Data for `notes`, on lower-case text from which harmless phrases were removed. The words of one kind are defined once and
//! combined, so that a rule names its parts: who is told, what is done, and to what.

/// Guards that only an assistant has.
const AI_GUARDS: &str = r"(?:(?:content|safety|output|prompt|ethic\w*|ai|model|assistant)(?:'s)? (?:filters?|filtering|polic(?:y|ies)|rules?|guidelines?|checks?|layers?|restrictions?|protocols?|limits?|warnings?|training)|guard ?rails?|safeguards?|safety|moderation|system prompt|pengaman|filter konten|aturan keamanan|pedoman keamanan)";
/// Checks that are made before an action.
const STEPS: &str = r"(?:confirmations?|confirm|approvals?|verif(?:y|ication)|authori[sz]ation|consent|permission|double.?check(?:s|ing)?|second (?:look|approval|check)|review|konfirmasi|persetujuan|verifikasi|izin)";
/// Actions of an assistant that need such a check.
const DEEDS: &str = r"(?:tool calls?|deletions?|delet(?:e|es|ing)|transfers?|payments?|pay|purchases?|refunds?|exports?|actions?|commands?|invoices?|perform|execute|proceed|facts?|memor(?:y|ies)|penghapusan|transfer|pembayaran|hapus|menghapus|kirim|requests?|permintaan)";
/// Ranks.
const RANKS: &str = r"(?:admin(?:istrator)?s?|operators?|root|superusers?|owners?|developers?|staff|authori[sz]ed|approved|trusted|verified|privileged|cleared|legitimate|genuine|official|reviewed|confirmed|signed|consented|atasan|pemilik|disetujui|terpercaya|tepercaya|resmi|sah)";
/// The people an assistant serves.
pub(super) const SERVED: &str = r"(?:(?:the |all |any |every |this |other |our )*(?:users?|customers?|clients?|patients?|visitors?|callers?|members?|people|anyone|anybody|everyone|everybody|nobody|them|shoppers?|buyers?|guests?|readers?|reviewers?|operators?|auditors?|pengguna|pelanggan|nasabah|pasien|orang|siapa ?pun|mereka))";
/// No matter what.
const ALWAYS: &str = r"(?:whatever|no matter|regardless|irrespective|in (?:each|every|all)|every time|each time|whenever|always|at the end of|setiap|selalu|apa ?pun|di akhir|every|each|all|any)";
/// An outside destination.
pub(super) const OUTSIDE: &str =
    r"(?:https?://\S+|[a-z0-9-]+\.(?:example|com|net|org|io|xyz|ru|cn|top|site|online|link|me|co)\b\S*|\S+@\S+)";

/// Name and pattern.
#[expect(clippy::too_many_lines, reason = "a table of patterns")]
pub(super) fn harms() -> Vec<(&'static str, String)> {
    vec![
        // Guards are said to be gone, or ordered to go.
        (
            "override",
            format!(
                r"\b(?:no|without|zero|skip|bypass|ignor\w+|disregard\w*|forget|drop|disabl\w+|suspend\w*|lift\w*|switch(?:ed)? off|turn(?:ed)? off|opposite of|against|contrary to|beyond|outside|lewati|abaikan|matikan|tanpa|lupakan)\b[^.\n]{{0,40}}\b{AI_GUARDS}\b"
            ),
        ),
        (
            "override",
            format!(
                r"\b{AI_GUARDS}\b[^.\n]{{0,30}}\b(?:off|disabled|suspended|lifted|removed|void|expired|outdated|obsolete|waived|inactive|gone|cancelled|canceled|revoked|paused|superseded|replaced|do(?:es)? not apply|don'?t apply|no longer|not apply|be ignored|be skipped|dimatikan|dicabut|dihapus|tidak berlaku|nonaktif)\b"
            ),
        ),
        (
            "override",
            format!(
                r"\b(?:skip|bypass|forget|waive|drop|omit|never ask for|do not ask for|don'?t ask for|no need for|lewati|tanpa|tidak perlu|tak perlu|gak perlu|ga perlu|jangan minta)\b[^.\n]{{0,40}}\b{STEPS}\b[^.\n]{{0,50}}\b{DEEDS}\b"
            ),
        ),
        (
            "override",
            format!(r"(?:^|[.;:] )(?:forget|ignore|disregard|lupakan|abaikan) (?:that |the fact that |bahwa )[^.;\n]{{0,40}}\b(?:{DEEDS}|{STEPS})\b[^.;\n]{{0,30}}\b(?:{STEPS}|need|require|forbidden|not allowed)"),
        ),
        (
            "override",
            format!(
                r"\b(?:invoices?|payments?|transfers?|refunds?|orders?|requests?|changes?|merges?|exports?|faktur|tagihan|permintaan) (?:from|by|of|to|made by|signed by|dari|milik) [^.;\n]{{2,40}}\b(?:never needs?|needs? no|require no|requires no|does not need|do not need|don'?t need|skips?|tidak perlu|tak perlu|are exempt|is exempt)\b[^.;\n]{{0,20}}\b{STEPS}\b"
            ),
        ),
        // A note grants somebody a rank.
        (
            "trust_claim",
            format!(
                r"\b(?:treat|consider|regard|take|accept|count|assume|view|handle|anggap|perlakukan)\b[^.;\n]{{0,70}}\b(?:as|to be|is|are|sebagai|adalah|sudah)\b[^.;\n]{{0,16}}\b{RANKS}\b|\b(?:treat|consider|regard|anggap|perlakukan)\b[^.;\n]{{0,60}}\b(?:coming|sent|written|spoken|perintah|instruksi|datang) (?:directly )?(?:from|by|dari) (?:the )?{RANKS}\b"
            ),
        ),
        (
            "trust_claim",
            format!(
                r"\b(?:users?|anyone|people|accounts?|requests?|messages?|callers?|customers?|whoever|somebody|someone|everybody|pengguna|akun|orang)\b[^.;\n]{{0,10}}\b(?:says?|types?|writes?|mentions?|whose|who (?:says?|types?|writes?|mentions?|knows?|claims?|asks?|greets?|uses?)|containing|that contains?|starting with|that starts?|with the (?:word|code|phrase|name|tag)|yang (?:menyebut|bilang|menulis|tahu))\b[^.;\n]{{0,50}}\b(?:is|are|as|counts? as|becomes?|have|has|gets?|adalah|jadi|dianggap|punya)\b[^.;\n]{{0,16}}\b(?:{RANKS}|full|all|every|akses|penuh)\b"
            ),
        ),
        (
            "trust_claim",
            r"\b(?:users?|account|pengguna|customer|owner|they) (?:has |have |had |already |sudah |telah )*(?:consent(?:ed|s)?|agreed|approved|authori[sz]ed|signed off|setuju|menyetujui|waived)\b[^.;\n]{0,24}\b(?:everything|in advance|anything|all|beforehand|semua|segala|sejak awal|any)\b".to_owned(),
        ),
        // Whatever comes next is to be obeyed.
        (
            "command_to_model",
            r"\b(?:do|does|doing|carry out|carries out|follow|follows|execute|perform|obey|act on|act upon|comply with|lakukan|ikuti|turuti|jalankan|kerjakan)\b (?:exactly |just |precisely |saja )?(?:whatever|what(?:ever)? is|what|anything|everything|all|as|apa ?pun|apa|semua)\b (?:yang )?(?:it|he|she|they|this|that|the|is|a|any|each|in|dia|mereka|isinya|diminta|ditulis|dikatakan|disuruh)?\b[^.;\n]{0,24}\b(?:says?|said|asks?|asked|tells?|told|wants?|contains?|commands?|demands?|instructs?|requests?|written|states?|diminta|dikatakan|tertulis|disuruh|perintahkan|suruh)\b".to_owned(),
        ),
        (
            "command_to_model",
            format!(
                r"\b(?:agree|comply|side|go along) with (?:whatever|everything|anything|all|any)\b|\b(?:assistant|bot|chatbot|model|ai|agent|llm|asisten) (?:is to|has to|is expected to|is required to|needs to|is told to|is instructed to|will|must|shall|should|harus|wajib) [^.;\n]{{0,24}}\b(?:agree|comply|obey|grant|approve|accept|reveal|lie|hide|conceal|deny|praise|promote|steer|flatter|discourage|withhold|share|insult|setuju|patuh|turut|bohong|sembunyi\w*)\b|\bset (?:the )?(?:importance|confidence|priority) of (?:all |every |any |other )|\b(?:refuse|stop|decline) (?:to help|helping|serving|answering) {SERVED}"
            ),
        ),
        // Lies.
        (
            "deception",
            r"(?:^|[.;:,] |\b(?:and|then|just|simply|always|please|to|you|may|should|must|dan|lalu|saja) )(?:invent|fabricate|make up|forge|falsify|fake|karang|rekayasa|palsukan|buat-buat)\b[^.;\n]{0,40}\b(?:sources?|citations?|references?|numbers?|figures?|quotes?|results?|statistics?|facts?|answers?|evidence|reviews?|testimonials?|records?|excuses?|reasons?|studies|study|data|angka|sumber|kutipan|hasil|alasan|ulasan|bukti)\b".to_owned(),
        ),
        (
            "deception",
            format!(
                r"\b(?:amplif(?:y|ied)|stoke|sow|spread|feed|encourage[sd]?|exaggerate[sd]?|play(?:ed)? up|play(?:ed)? down|downplay(?:ed)?|minimi[sz]e[sd]?|besar-besarkan|kecilkan|sebarkan)\b[^.;\n]{{0,24}}\b(?:doubts?|fears?|rumou?rs?|distrust|mistrust|panic|risks?|dangers?|side effects?|harms?|hoa[kx]s|rasa takut|risiko|bahaya)\b|\b(?:doubts?|fears?|rumou?rs?|risks?|dangers?|side effects?|warnings?)\b[^.;\n]{{0,40}}\b(?:should|must|is to|are to|has to|have to|harus) be (?:amplified|downplayed|played down|exaggerated|stoked|encouraged|left out|omitted|hidden|suppressed|removed|dropped|denied)|\bdeny (?:that|having|any|all|it|knowing|everything|ever)\b|\b(?:never|don'?t|do not|jangan(?: pernah)?|stop)\b (?:again )?(?:remind(?:ing)?|warn(?:ing)?|alert(?:ing)?|caution(?:ing)?|meng?ingatkan|ingatkan|memperingatkan|peringatkan) {SERVED}\b|\b(?:never|don'?t|do not|jangan(?: pernah)?|stop)\b (?:inform(?:ing)?|tell(?:ing)?|notify(?:ing)?|memberi ?tahu|beri ?tahu|kasih tahu) {SERVED} (?:about (?:the |this|it|that|any )|of (?:the |this|it|any )|why|anything|soal|tentang|bahwa|kalau)"
            ),
        ),
        (
            "deception",
            r"\b(?:leave out|leaving out|left out|omit(?:ted|ting)?|cut out|strip(?:ped)?|suppress(?:ed)?|hide|hidden|remove[d]?|hilangkan|buang|sembunyikan)\b[^.;\n]{0,30}\b(?:warnings?|risks?|side effects?|disclaimers?|dangers?|penalt(?:y|ies)|allerg\w+|contraindications?|fees|drawbacks?|recalls?|peringatan|risiko|efek samping|denda)\b|\b(?:warnings?|risks?|side effects?|disclaimers?)\b[^.;\n]{0,40}\b(?:must|should|are to|is to|to) be (?:left out|omitted|hidden|removed|dropped)\b".to_owned(),
        ),
        // Harm to the person who asks.
        (
            "harmful_answer",
            format!(
                r"\b(?:reply|respond|answer|greet|balas|jawab)\b[^.;\n]{{0,12}}\b(?:only |always |hanya )?(?:to )?(?:every|all|each|any|setiap|semua)\b [^.;\n]{{0,30}}\b(?:questions?|requests?|messages?|complaints?|customers?|users?|tickets?|pertanyaan|permintaan|keluhan)\b[^.;\n]{{0,16}}\b(?:with|by|that|dengan|bahwa) (?:a |an |the )?(?:suggestions?|advice|claims?|saying|telling|refusals?|insults?|lies?|links?|invitations?|promises?|recommendations?|saran|tautan|bohong|ajakan|no\b|the word|[\x22'])|\b(?:insults?|slurs?|threats?|lies|mockery|hinaan|ancaman|ejekan)\b[^.;\n]{{0,12}}\b(?:if|when|whenever|to|at|kalau|jika|saat|kepada)\b|\bonly (?:with )?(?:insults|lies|threats|nonsense)\b|\b(?:advise|urge|tell|convince|encourage|persuade|suruh|sarankan|suggest(?:ion)? (?:to|that)|recommend) (?:{SERVED} )?(?:to |agar |untuk )?(?:stop|quit|skip|discontinue|double|berhenti) (?:\w+ ){{0,2}}(?:medication|medicine|treatment|insulin|therapy|doses?|pills?|tablets|obat|pengobatan|terapi)\b"
            ),
        ),
        // Profit and exfiltration.
        (
            "steering",
            format!(
                r"\b{ALWAYS}\b[^.;\n]{{0,50}}\b(?:mention|say|add|recommend|promote|praise|bring up|point to|push|plug|name|suggest|sebut|rekomendasikan|puji|promosikan)\b[^.;\n]{{0,40}}\b(?:best|cheapest|safest|only|leading|superior|top|discount|offer|sale|deal|rates?|brand|sponsor|terbaik|termurah|promo|diskon)\b"
            ),
        ),
        (
            "steering",
            format!(
                r"\b(?:add|append|include|insert|embed|put|slip|weave|attach|drop|place|work|selipkan|sisipkan|tambahkan|cantumkan|masukkan)\b[^\n]{{0,30}}{OUTSIDE}[^\n]{{0,40}}(?:\b(?:repl(?:y|ies)|answers?|responses?|summar(?:y|ies)|conversations?|chats?|jawaban|balasan|ringkasan|akhir|percakapan)\b|\b(?:each|every|all|your) +~)|\b(?:repl(?:y|ies)|answers?|responses?|summari[sz]\w*|jawaban|balasan|ringkasan|meringkas|merangkum|menjawab)\b[^\n]{{0,40}}\b(?:add|append|include|insert|embed|slip|weave|attach|selipkan|sisipkan|tambahkan|arahkan|link to)\b[^\n]{{0,30}}{OUTSIDE}|\b(?:route|steer|funnel|lure|nudge|direct|redirect|refer|send|arahkan|giring|alihkan)\b {SERVED}[^\n]{{0,24}}\b(?:to|towards?|ke)\b[^\n]{{0,16}}{OUTSIDE}"
            ),
        ),
        (
            "exfiltrate",
            format!(
                r"\b(?:send|post|forward|upload|share|copy|report|stream|sync|relay|push|leak|kirim(?:kan)?|unggah|teruskan|bagikan|salin)\b[^\n]{{0,40}}\b(?:conversations?|chats?|memor(?:y|ies)|notes?|prompts?|transcripts?|contexts?|histor(?:y|ies)|session|secrets?|credentials?|tokens?|keys|passwords?|card (?:data|numbers?)|percakapan|catatan|memori|riwayat|ingatan|kata sandi)\b[^\n]{{0,40}}\b(?:webhook|endpoint|{OUTSIDE})|\b(?:share|show|reveal|give out|hand out|disclose|tell|read out|print|bagikan|tampilkan|bocorkan)\b[^.;\n]{{0,16}}\b(?:notes?|memor(?:y|ies)|secrets?|data|records?|conversations?|histor(?:y|ies)|salar(?:y|ies)|passwords?|catatan|ingatan|data)\b (?:of|from|about|by|milik|dari|tentang) (?:all |every |any |the )?(?:other|another|others|colleagues?|everyone|team members|users?|orang lain|pengguna lain|rekan)\b"
            ),
        ),
        (
            "system_prompt",
            r"(?:^|[.;:,] |\b(?:and|then|always|please|by) )(?:read(?:ing)? out|print(?:ing)?|recit(?:e|ing)|reveal(?:ing)?|show(?:ing)?|dump(?:ing)?|post(?:ing)?|quot(?:e|ing)|display(?:ing)?|list(?:ing)?|bacakan|tampilkan)\b[^.;\n]{0,30}\b(?:contents? of|isi) (?:the |your )?(?:credentials?|secrets?|env\w*|config\w*|memory|system|hidden|password|prompt|kunci|rahasia)\b".to_owned(),
        ),
        // Passwords that unlock, and access for anyone.
        (
            "trigger",
            r"\b(?:phrase|word|code ?word|pass ?phrase|keyword|sentence|emoji|kata|frasa)\b[^.;\n]{2,40}\b(?:unlocks?|activates?|enables?|opens?|lifts?|grants?|disables?|switches|turns|membuka|mengaktifkan|mematikan)\b[^.;\n]{0,40}\b(?:mode|everything|all|restrictions?|limits?|full|hidden|rules|filters?|access|rights|semua|akses|penuh)\b|\b(?:everything|anything|all of it|segala(?:nya)?|semuanya) (?:is|are|becomes?|jadi) (?:permitted|allowed|fair game|possible|diperbolehkan|diizinkan|boleh)\b".to_owned(),
        ),
        (
            "exfiltrate",
            r"\b(?:anyone|anybody|whoever|everyone|everybody|users?|people|callers?|accounts?|siapa ?(?:pun|saja)|orang)\b[^.;\n]{0,40}\b(?:is to|are to|must|should|may|can|shall|gets?|receives?|mendapat|dapat|diberi|boleh)\b[^.;\n]{0,16}\b(?:be )?(?:given|shown|handed|told|granted|get|receive|see|have|read|lihat|melihat)?\b[^.;\n]{0,20}\b(?:admin|passwords?|credentials?|api keys?|private keys?|secrets?|root|kata sandi|rahasia|other (?:users?|people|customers?)|everyone's|all notes|every note|all memories)\b|\b(?:give|grant|hand|kasih|beri|berikan)\b[^.;\n]{0,12}\b(?:access|akses|rights|hak)\b[^.;\n]{0,12}\b(?:to|for|ke|kepada|untuk) (?:anyone|anybody|whoever|everyone|everybody|all|siapa ?(?:pun|saja)|semua)\b".to_owned(),
        ),
        (
            "trust_claim",
            r"\b(?:treat|consider|take|count|regard|read|interpret|anggap)\b[^.;\n]{0,50}\bas (?:a |an |their |full |given |implicit |sign of )*(?:consent|approval|agreement|permission|authori[sz]ation|confirmation|go-ahead)\b|\b(?:consider|regard|treat|anggap)\b[^.;\n]{0,40}\b(?:rule|policy|limit|check|approval|principle|aturan|batas)\w*\b[^.;\n]{0,24}\b(?:abolished|void|gone|dead|cancelled|optional|lifted|suspended|repealed|dihapus|tidak ada)\b|\b(?:consider|think of|see|regard|imagine|anggap|bayangkan) (?:yourself|dirimu|diri kamu|diri anda|kamu|anda)\b".to_owned(),
        ),
        (
            "trust_claim",
            r"\b(?:semua|setiap|segala|tiap) (?:permintaan|perintah|instruksi|transfer|pengajuan|pesan|ekspor)\b[^.;\n]{0,60}\b(?:wajib|harus|langsung|otomatis|pasti)\b[^.;\n]{0,10}\b(?:disetujui|dituruti|dikabulkan|diterima|dijalankan|dipenuhi|dipatuhi|diizinkan|setujui)\b|\b(?:disetujui|dihapus|dikirim|dibayar|dipromosikan|diterima|setujui|hapus|kirim|bayar)\b[^.;\n]{0,16}\btanpa (?:di)?(?:cek|periksa|tanya|verifikasi|konfirmasi|izin|baca|tinjau)".to_owned(),
        ),
        (
            "trust_claim",
            r"\b(?:pending|facts?|memor(?:y|ies)|refunds?|payments?|invoices?|transfers?|exports?|withdrawals?|requests? (?:of|from|by)|claims?)\b[^.;\n]{0,60}\b(?:promoted?|approved?|accept(?:ed)?|grant(?:ed)?|paid|pay|released?|executed?|processed?|published?|deleted?)\b[^.;\n]{0,16}\b(?:without (?:being |having been |any |a )?(?:read|check|review|verif|look|seen|ask|question|approv|confirm)|unread|unseen|unchecked|unreviewed|blindly|on sight)".to_owned(),
        ),
        (
            "command_to_model",
            r"\b(?:do not|don'?t|never|stop|jangan(?: pernah)?)\b (?:trust(?:ing)?|believ(?:e|ing)|listen(?:ing)? to|heed(?:ing)?|percaya(?:i)?|dengarkan)\b[^.;\n]{0,24}\b(?:the (?:users?|operators?|owner|reviewers?|admin\w*|auditors?|developers?)\b(?:'s)?|corrections?|warnings?|system|pengguna|operator|koreksi)".to_owned(),
        ),
        // Harm to others through answers.
        (
            "harmful_answer",
            r"\b(?:detailed|exact|full|step.by.step|complete|working|precise|concrete|specific|lengkap|rinci)\b[^.;\n]{0,20}\b(?:instructions?|steps|recipes?|guides?|methods?|doses?|code|plans?|tutorial|petunjuk|cara|langkah)\b[^.\n]{0,40}\b(?:self.?harm|suicid\w+|bombs?|explosives?|weapons?|poison\w*|overdos\w+|malware|ransomware|phishing|drugs?|meth|helpline|fraud|bunuh diri|bom|racun|senjata)\b|\b(?:self.?harm|suicid\w+|bombs?|explosives?|weapons?|poison\w*|overdos\w+|malware|ransomware|meth|bunuh diri|bom|racun|senjata)\b[^.\n]{0,40}\b(?:give|provide|offer|explain|supply|write|beri(?:kan)?|jelaskan)\b[^.\n]{0,20}\b(?:detailed|exact|full|step.by.step|complete|working|precise|instructions|petunjuk|langkah)\b|\binstead of (?:a |the )?(?:helpline|hotline|warning|refus\w+|doctor|emergency)\b".to_owned(),
        ),
        (
            "harmful_answer",
            format!(
                r"\b(?:make sure|ensure|see to it|take care|pastikan)\b[^.;\n]{{0,6}}\b {SERVED}[^.;\n]{{0,24}}\b(?:never|not|cannot|can'?t|don'?t|no longer|tidak)\b[^.;\n]{{0,10}}\b(?:reach(?:es)?|speak|talk|contact|find out|learn|notice|suspect|reali[sz]e|discover|cancel|unsubscribe|complain|leave|hear|get (?:a refund|through|help)|tahu|sadar|bicara|menghubungi)\b"
            ),
        ),
        // Records and numbers that are sent to somebody else.
        (
            "tampering",
            r"\b(?:replace|swap|exchange|change|substitute|overwrite|alter|rewrite|ganti|ubah|tukar)\b[^.;\n]{0,30}\b(?:phone|hotline|support|bank|account|iban|payee|beneficiary|wallet|delivery address|billing|payment|contact|rekening|nomor telepon|alamat|pembayaran)\b[^;\n]{0,40}\b(?:with|to|by|for|jadi|menjadi|dengan|ke)\b[^;\n]{0,20}(?:\d[\d .-]{4,}\d|\S+@\S+|https?://|\b[a-z]{2}\d{2}[a-z0-9]{4,})|\b(?:round|lower|raise|reduce|inflate|shave|increase|cut|turunkan|naikkan|bulatkan)\b[^.;\n]{0,40}\b(?:without|and (?:do not|don'?t|never|hide|keep)|secretly|quietly|unnoticed|diam-diam|tanpa)\b[^.;\n]{0,16}\b(?:saying|telling|mention\w*|notice|notif\w+|anyone|quiet|bilang|memberi)?".to_owned(),
        ),
        (
            "steering",
            r"\b(?:add|append|include|insert|embed|put|slip|weave|work in|drop|mention|place|run|show|selipkan|sisipkan|tambahkan|cantumkan|masukkan|tampilkan)\b[^.;\n]{0,16}\b(?:adverts?|advertisements?|ads?|plugs?|slogans?|promotions?|promos?|endorsements?|sponsor\w*|affiliate|referral|coupons?|iklan|promosi|slogan)\b[^.;\n]{0,60}\b(?:every|each|all|any|when|whenever|if|repl(?:y|ies)|answers?|responses?|setiap|semua|tiap|kalau|jika|saat|jawaban|balasan)\b|\b(?:repl(?:y|ies)|answers?|responses?|jawaban|balasan|chats?)\b[^.;\n]{0,30}\b(?:adverts?|advertisements?|affiliate|referral|iklan)\b|\b(?:assistant|bot|ai|model|you|asisten|chatbot) (?:shall|must|should|will|has to|is to|harus|wajib)\b[^.;\n]{0,10}\b(?:praise|promote|recommend|endorse|advertise|favou?r|push|sell|upsell|puji|promosikan|rekomendasikan)\b".to_owned(),
        ),
        (
            "new_identity",
            r"\b(?:whose|your|its|my|the assistant's|with the) (?:only|sole|true|real|secret|hidden|new|one|single|actual) (?:goal|purpose|job|task|aim|mission|objective|loyalty|duty|function|intention|directive) (?:is|are|was|remains|becomes|of)\b|\byou(?:'re| are) (?:now )?[a-z]{3,12}(?: now)?, (?:an?|the|my) [^.;\n]{0,40}\b(?:who|that|which|whose|with|without|model|assistant|ai|bot)\b".to_owned(),
        ),
        // The same in related languages.
        (
            "override",
            r"\b(?:ignor\w*|oubli\w*|meconnai\w*|desobei\w*|missacht\w*|vergiss|vergesst|uebergeh\w*|umgeh\w*|olvid\w*|desobede\w*|salta\w*|dimentica\w*|trascura\w*|negeer\w*|vergeet|omzeil\w*|esque\w*|desconsider\w*|(?:ne|n') ?\w+ (?:plus|pas|jamais)|befolg\w* \w* ?(?:nicht|keine)|halte dich nicht|folge nicht|no (?:sigas|obedezcas|respetes|cumplas)|non (?:seguire|rispettare|obbedire)|volg \w* ?niet|nao (?:siga|obedeca|respeite))\b[^.;\n]{0,40}\b(?:consignes?|regles?|instructions?|directives?|regeln?|vorgaben|anweisungen|richtlinien|betreibers?|instrucciones|reglas|normas|indicaciones|istruzioni|regole|aanwijzingen|regels|instructies|instrucoes|regras|orientacoes|operateur|operador|gestore)\b".to_owned(),
        ),
        (
            "exfiltrate",
            r"\b(?:nenne|verrate|gib|zeige?|sende|schicke?|teile|revele|donne|montre|envoie|communique|divulgue|revela|muestra|envia|comparte|rivela|mostra|invia|condividi|geef|toon|stuur|deel|revele|mostre|envie)\b[^.;\n]{0,50}\b(?:passwort\w*|kennwort\w*|schlussel|zugangsdaten|notizen|geheim\w*|vertraulich\w*|mots? de passe|identifiants|secrets?|notes (?:secretes|internes|privees)|confidentiel\w*|contrasenas?|claves?|secretos?|confidencial\w*|notas (?:internas|privadas)|credenziali|segret\w+|riservat\w+|wachtwoord\w*|geheime?|vertrouwelijk\w*|senhas?|segredos?)\b|\b(?:passwort|kennwort|mot de passe|contrasena|wachtwoord|senha)\b[^.;\n]{0,30}\b(?:fragt|demande|pide|pregunta|chiede|vraagt|pergunta)\b[^.;\n]{0,10}, (?:nenne|verrate|gib|donne|dis|dale|dala|dilo|geef|zeg|diga)\b".to_owned(),
        ),
        // A note that claims to speak as somebody.
        (
            "role_tag",
            r"(?:^|\n)\s*(?:#+|>+|\*+|=+|-+|\[+|<+)? ?(?:new |urgent |important |updated |internal )?(?:system|developer|admin\w*|operator|root|security|sistem) (?:messages?|notice|update|prompt|note|order|alert|directive|instructions?|pesan|perintah)\b ?[\]>*]*\s*[:>-]|\b(?:next|following|coming|berikutnya) (?:prompt|message|request|instruction|note|text|input|pesan|permintaan)\b[^.;\n]{0,24}\b(?:is|comes?|are|was|dari|adalah) (?:from |written by |sent by )?(?:the |your )?(?:developers?|operators?|admin\w*|system|owner|maker|pengembang|sistem)\b".to_owned(),
        ),
        (
            "new_identity",
            r"\b(?:your|its|the assistant's) (?:maker|creator|owner|master|developer|new boss)s? (?:want|say|told|order|need|decid|ask|instruct|expect)\w*\b|\b(?:who|that|which) (?:has|have|knows|feels|with) no (?:scruples|limits|morals?|ethics|rules|conscience|boundaries|shame|restrictions|filter)\b|\b(?:without|free of|no|tanpa) (?:any )?(?:scruples|morals?|ethics|conscience|inhibitions|sensor|moral|etika|nurani)\b".to_owned(),
        ),
    ]
}
