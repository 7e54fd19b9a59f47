//! Aims of a planted note beyond single orders: to persist, spread, control, sell, spy, or sabotage.
//!
//! Data for `notes`, on lower-case text from which harmless phrases were removed. If the verb alone is innocent, it counts only
//! at the start of a clause, where it is an order: `never share …` and `the form asks for …` are not orders.

use super::note_harms::{OUTSIDE, SERVED};

/// Where an order begins.
const START: &str = r"(?:^|[.;:,!?-] ?|\b(?:please|always|and|then|just|must|should|shall|may|also|simply|instead|first|secretly|quietly|tolong|selalu|lalu|dan|harap|segera) )";

/// Ranks in whose name somebody may speak.
const RANKED: &str = r"administrators?|admins?|operators?|owners?|root|developers?|management|board|ceo|cto|cfo|director|bank|police|legal team|security team|support team|data protection officer|operator|atasan|pemilik";

/// Name and pattern.
#[expect(clippy::too_many_lines, reason = "a table of patterns")]
pub(super) fn plots() -> Vec<(&'static str, String)> {
    vec![
        // Persist and spread.
        (
            "self_keeping",
            r"\b(?:this|the following|these) (?:notes?|memor(?:y|ies)|rules?|entr(?:y|ies)|facts?|lines?|instructions?)\b[^.;\n]{0,40}\b(?:never|not|cannot|can't|must not|may not)\b (?:be )?(?:deleted|removed|edited|changed|reviewed|shown|questioned|expire|expired|forgotten|overwritten|exported|erased|listed|corrected|merged|displayed|audited)\b|\b(?:copy|repeat|replicate|propagate|spread|re-?save|write|carry|clone|salin|sebarkan)\b (?:this|these|the above|the following|catatan ini|pesan ini)[^.;\n]{0,24}\b(?:to|into|in|at|for|across|again|over|ke|di)\b|\b(?:conceal|hide|keep|sembunyikan)\b (?:this|the|these) (?:rule|note|memory|entry|instruction|line)s?\b[^.;\n]{0,20}\b(?:from|away|out of|dari)\b".to_owned(),
        ),
        // Control: refuse nothing, obey somebody, drop duties.
        (
            "new_identity",
            r"\b(?:never|not|n't|cannot|can't|won't|no longer|without) (?:ever )?(?:refus(?:e|es|ing|al)|declin(?:e|es|ing)|say(?:s|ing)? no)\b|\b(?:you|it|assistant|asisten|bot|model) (?:now |only |will |must |shall )*(?:answers? (?:only )?to|obeys?|serves?|belongs? to|reports? (?:only )?to|takes? orders from|follows? (?:only )?(?:me|my|the orders))\b".to_owned(),
        ),
        (
            "override",
            r"\b(?:you|assistant|bot|model|kamu|anda|asisten) (?:no longer|need not|needn't|do(?:es)? not|don't|doesn't|are not|aren't|is not|isn't|tidak|tak|gak|nggak) (?:longer )?(?:need|needs|have|has|required|obliged|bound|supposed|expected|perlu|harus|wajib|usah)?(?: lagi)?(?: to| by)? ?(?:follow|obey|check|verify|confirm|respect|warn|log|report|apply|honou?r|consult|disclose|refuse|comply|adhere|stick|mengikuti|mematuhi|memeriksa|memverifikasi|mencatat|melapor|menolak|patuh)\b".to_owned(),
        ),
        (
            "override",
            r"\b(?:you|assistant|bot|model|ai|agent|kamu|anda|asisten) (?:may|can|should|must|shall|will|are (?:allowed|free|permitted|authori[sz]ed|encouraged) to|is (?:allowed|free|permitted|authori[sz]ed) to|boleh|harus|wajib|bisa|bebas|berhak) (?:now |freely |always |also |saja |langsung )*(?:leak|reveal|disclose|give out|expose|lie|deceive|break|bypass|override|hack|insult|steal|impersonate|manipulate|fabricate|withhold|violate|mislead|cheat|membocorkan|mengungkap\w*|membuka rahasia|berbohong|melanggar|mengabaikan|melewati|menipu|membobol|membagikan (?:data|rahasia|kata sandi))\b".to_owned(),
        ),
        (
            "trust_claim",
            format!(
                r"\b(?:anyone|anybody|whoever|everyone|everybody|users? who|people who|those who|siapa ?(?:pun|saja)|barang siapa)\b[^.;\n]{{0,50}}\b(?:may|can|(?:is|are) (?:allowed|entitled|free|permitted|cleared) to|boleh|berhak|dapat|bisa)\b (?:also )?(?:see|read|access|view|delete|export|change|edit|approve|download|melihat|mengakses|membaca|menghapus|mengubah|mengunduh) (?:all|every\w*|any\w*|the full|semua|seluruh|segala)\b|\b(?:anggap|perlakukan)\b[^.;\n]{{0,40}}\b(?:lolos|terverifikasi|diverifikasi|berwenang|berhak|istimewa|sah|benar)\b|{START}(?:treat|regard|consider|see|accept) (?:me|this user|this account|this chat|him|her|them) (?:as|like)\b"
            ),
        ),
        (
            "command_to_model",
            format!(
                r"{START}(?:run|execute|act (?:up)?on|follow|obey|perform|carry out|jalankan|ikuti)\b[^.;\n]{{0,20}}\b(?:rest|anything|any (?:instructions?|commands?|text|orders?)|whatever|all (?:instructions?|commands?)|(?:semua|setiap) (?:perintah|instruksi))\b[^.;\n]{{0,40}}\b(?:as (?:a |an )?(?:shell |system )?(?:commands?|instructions?|orders?|prompts?|code)|that (?:appears?|stands?|comes?|is)|found|contained|inside|within|in (?:the |an? |any )?(?:invites?|calendar|e-?mails?|documents?|pages?|attachments?|web\w*|comments?|files?|tickets?|issues?|dokumen|halaman|surel))\b|{START}run (?:it|the rest|that|what follows)[^.;\n]{{0,16}}\bas\b"
            ),
        ),
        (
            "command_to_model",
            r"\b(?:whatever|anything|everything|all (?:that )?)\b[^.,;\n]{0,20}\b(?:operators?|reviewers?|owner|admins?|user)\b (?:approves?|rejects?|says?|asks?|wants?|decides?|orders?)\b[^.;\n]{0,8}, ?(?:reject|approve|do|refuse|ignore|deny|undo|delete|always|never)".to_owned(),
        ),
        // Sell and steer.
        (
            "steering",
            format!(
                r"\b(?:make|get|push|nudge|pressure|lead|steer|persuade|trick|bring|coax|lure|talk|bujuk|dorong)\b {SERVED} (?:to |into |agar |untuk |supaya )?(?:buy(?:ing)?|purchas(?:e|ing)|subscrib(?:e|ing)|upgrad(?:e|ing)|pay(?:ing)?|click(?:ing)?|sign(?:ing)? up|invest(?:ing)?|download(?:ing)?|install(?:ing)?|shar(?:e|ing)|reveal(?:ing)?|believ(?:e|ing)|accept(?:ing)?|order(?:ing)?|giv(?:e|ing)|switch(?:ing)?|choos(?:e|ing)|membeli|berlangganan|membayar|klik)\b|\b(?:every|each|all|any|setiap|semua)\b (?:answers?|repl(?:y|ies)|responses?|jawaban|balasan)\b[^.;\n]{{0,40}}\b(?:must|should|shall|has to|have to|needs? to|harus|wajib)\b (?:also )?(?:recommend|promote|praise|advertise|mention|name|favou?r|end with (?:a )?(?:link|plug)|rekomendasi\w*|menyebut|mempromosikan|memuji)"
            ),
        ),
        // Spy.
        (
            "exfiltrate",
            format!(
                r"{START}(?:give|share|hand|send|show|tell|reveal|post|forward|read|list|publish|sell|email|disclose|kasih|berikan|kirim|bagikan|tunjukkan|sebarkan|bocorkan)\b[^.;\n]{{0,30}}\b(?:(?:personal|private|home|confidential|salary|medical|health|internal|secret|pribadi|rahasia|gaji) (?:phone |home |bank |e-?mail )?(?:numbers?|address(?:es)?|data|details|records?|information|files|notes|figures|messages|karyawan|pelanggan)|(?:nomor|data|alamat) (?:pribadi|rumah|gaji|pelanggan))\b[^.;\n]{{0,40}}\b(?:to|with|ke|kepada|who|if|when|whenever|kalau|jika)\b"
            ),
        ),
        (
            "exfiltrate",
            format!(
                r"{START}(?:append|add|attach|include|paste|put|copy|post|write|insert|upload|send|sync|salin|unggah|kirim|tempel)\b[^.;\n]{{0,30}}\b(?:conversations?|chats?|memor(?:y|ies)|notes|prompts?|sessions?|contexts?|histor(?:y|ies)|transcripts?|vault|folder|database|backups?|keys?|percakapan|ingatan|catatan|riwayat)\b[^;\n]{{0,30}}(?:\b(?:public|outside|forum|blog|pastebin|publik)\b|{OUTSIDE}|\bftp\.\S+)"
            ),
        ),
        (
            "exfiltrate",
            format!(
                r"{START}(?:ask|request|get|obtain|demand|prompt|coax|minta|tanyakan|pancing)\b[^.;\n]{{0,30}}\b(?:passwords?|pin|otp|one.time (?:code|password)s?|2fa|card (?:numbers?|details)|cvv|bank logins?|social security|credentials|seed phrases?|private keys?|login details|kata sandi|sandi|kode otp|nomor kartu)\b"
            ),
        ),
        (
            "new_identity",
            r"\byou(?:'re| are) (?:now )?[a-z0-9-]{3,16}\b[^.\n]{0,4}[;,.:] ?[^.\n]{0,30}\b(?:no|without|any|every|never) (?:rules?|limits?|restrictions?|boundaries|filters?|guidelines|answers everything|refus\w+)\b|\bagainst (?:the |your |their )?(?:users?|customers?|owners?|clients?|operators?)(?:'s?)? (?:interests?|will|wish(?:es)?|orders?)\b".to_owned(),
        ),
        (
            "deception",
            format!(
                r"{START}(?:pretend|act as if|behave as if|anggap saja|pura-pura) (?:that |bahwa )?(?:the|there|no|all|every|it|nothing|you)\b[^.;\n]{{0,50}}\b(?:not|never|no|n't|off|approved|gone|absent|empty|without|doesn't|isn't)\b|\bjangan (?:pernah )?(?:cerita(?:kan)?|bilang|sampaikan|sebut(?:kan)?|beri ?tahu(?:kan)?|kasih tahu|ungkap(?:kan)?|katakan|bocorkan) (?:kepada|ke|pada|sama)? ?(?:pengguna|pelanggan|nasabah|operator|siapa|mereka|dia)\b|\b(?:gate|review|filter|check|guard|moderation)\b (?:is|are|was) (?:broken|offline|down|gone|dead|out of order)\b[^.\n]{{0,10}}\b(?:so|therefore|thus|hence)\b"
            ),
        ),
        // People exempted from rules, and things presented as something else.
        (
            "trust_claim",
            format!(
                r"\b(?:exempt(?:ed)?|excused|released|free|freed|excluded|dikecualikan|bebas) (?:from|of|dari)\b[^.;\n]{{0,20}}\b(?:review queue|gate|house rules|safety|moderation|restrictions|content|guidelines|polic(?:y|ies)|all (?:rules|checks|limits)|kebijakan|aturan|tinjauan)\b|\bas (?:if|though)\b[^.;\n]{{0,40}}\b(?:confirmed|approved|verified|reviewed|consented|signed|authori[sz]ed|paid|trusted|cleared|official)\b|{START}(?:act|speak|decide|approve|sign|answer|reply|write|respond|post|bertindak) (?:every \w+ |all \w+ )?(?:on behalf of|in the name of|in place of|as|atas nama|sebagai) (?:the |our |an? )?(?:{RANKED})\b"
            ),
        ),
        (
            "override",
            format!(
                r"\b(?:all |any )?(?:earlier|previous|prior|former|preceding) (?:limits|restrictions|rules|instructions|guidelines|constraints|orders|directives)\b (?:were|are|no longer|do not|don't|have been|was|count)\b|{START}skip (?:the |any |all )?(?:malware|virus|security|spam|fraud|safety|content|identity|background) (?:scans?|checks?|filters?|reviews?)\b[^.;\n]{{0,20}}\b(?:for|from|of|when)\b|\bdo as\b[^.;\n]{{0,50}}\b(?:says?|tells?|orders?|asks?|commands?)\b|\beven (?:when|if) (?:it|they|that|this)\b[^.;\n]{{0,6}}\b(?:contradicts?|conflicts?|goes against|overrules?)\b|\b(?:abaikan|lewati|hapus) (?:batas|batasan|syarat|ambang|kuorum)\b|\blangsung (?:promosikan|setujui|hapus|bayar|transfer)\b|\b(?:kamu|anda) bukan (?:lagi )?(?:asisten|bot|ai)\b|\b(?:ohne|sin|sans|senza|zonder|sem|tanpa) (?:\w+ )?(?:einschrankung\w*|regeln|grenzen|filter|restricciones|limites|filtros|reglas|filtres|regles|restrictions|limiti|regole|beperkingen|restricoes|pembatasan|sensor)\b"
            ),
        ),
        (
            "deception",
            format!(
                r"\b(?:if|when|whenever|once|kalau|jika|bila|saat)\b[^.;\n]{{0,50}}\b(?:asked|ditanya|diminta)\b[^.;\n]{{0,60}}, (?:always |just |simply |selalu )?(?:say|claim|state|report|deny|insist|answer that|reply that|respond that|name|bilang|katakan|laporkan|jawab bahwa)\b|{START}(?:report|say|answer|show|claim|state|return|write|give|declare|laporkan|sampaikan|katakan|bilang|tulis)\b[^.;\n]{{0,60}}\b(?:no matter what|no matter how|regardless of|whatever (?:the|is|was)|independent of|even if (?:it|the|there|they)|walau(?:pun)?|meski(?:pun)?|padahal)\b|\b(?:verschweig\w*|verheimlich\w*|verbirg|cache|dissimule|oculta|esconde|nascondi|verzwijg|verberg)\b[^.;\n]{{0,24}}\b(?:diesen?|ceci|cette|esta?|questa?|dit|deze|nota|note|hinweis|notiz|nutzer|usuario|utilisateur)\b"
            ),
        ),
        (
            "steering",
            format!(
                r"{START}(?:talk|dissuade|discourage|deter) {SERVED} (?:out of|from)\b|{START}keep {SERVED} from (?:contact|reach|cancel|leav|complain|ask|learn|switch|find|know)\w*|\b(?:replace|swap|exchange|substitute|ganti)\b[^.;\n]{{0,30}}\b(?:it|them|links?|urls?|address(?:es)?|tautan)\b[^.\n]{{0,20}}\b(?:with|by|for|dengan)\b[^\n]{{0,20}}{OUTSIDE}"
            ),
        ),
        (
            "tampering",
            format!(
                r"\b(?:book|transfer|credit|move|send|route|wire|post|skim)\b[^.;\n]{{0,20}}\b(?:difference|rest|remainder|surplus|cents|balance|fraction|selisih|sisa)\b[^.;\n]{{0,12}}\b(?:to|into|on|onto|ke)\b|{START}(?:block|reject|drop|discard|downgrade|lower|demote|bury|hide|suppress|upgrade|raise|boost|promote|favou?r|let no|turunkan|naikkan|tolak|promosikan)\b[^.;\n]{{0,30}}\b(?:facts?|memor(?:y|ies)|notes?|confidence|importance|ranking|contributions?|proposals?|fakta|ingatan|catatan)\b[^.;\n]{{0,30}}\b(?:from|that|by|mentioning|about|dari|yang)\b"
            ),
        ),
        (
            "secrecy",
            r"\b(?:reviewers?|operators?|auditors?|inspectors?|moderators?)\b (?:are|is|must|should|may|shall|can) (?:to |only |never |not )+(?:be )?(?:see|shown|know|learn|told|read|get|given)\b".to_owned(),
        ),
        (
            "exfiltrate",
            format!(
                r"{START}(?:make|put|include|work|weave|insert|add)\b[^.;\n]{{0,16}}\b(?:api keys?|passwords?|tokens?|credentials|secrets?|private keys?)\b[^.;\n]{{0,16}}\b(?:part of|in|into|to)\b[^.;\n]{{0,8}}\b(?:every|each|all|any)\b|\b(?:save|store|keep|collect|remember|note|simpan|catat)\b[^.;\n]{{0,12}}\b(?:passwords?|card numbers?|pins?|credentials|tokens|kata sandi)\b[^.;\n]{{0,40}}\b(?:and|then|dan|lalu)\b[^.;\n]{{0,8}}\b(?:repeat|show|send|print|reveal|post|tell|kirim|tampilkan)\b"
            ),
        ),
        // Sabotage: lies and impostors.
        (
            "deception",
            format!(
                r"(?:^|[.;:!?] ?|\b(?:please|always|and|then|just|must|should|shall) )(?:insist|swear|maintain|assure {SERVED}|convince {SERVED}|reassure {SERVED})(?: that)? (?:the|it|that|this|there|all|every|no|they|our|a|an|nothing)\b|\b(?:never|don'?t|do not)\b (?:ever )?(?:cite|name|give|use|show|mention|reveal|quote|state|tell) (?:\w+ )?the (?:real|true|actual|correct|right|original)\b|{START}(?:say|claim|answer|state|write|bilang|katakan)\b (?:that )?(?:it|this|they|that) (?:came|comes|was|were|is|are|has|had) (?:from|by|already|never|always|been)\b|{START}tell (?:the |every |any |all )?(?:reviewers?|operators?|auditors?|inspectors?|moderators?|supervisors?|regulators?|compliance|investigators?)\b[^.;\n]{{0,4}}\b(?:that|it|there|everything|nothing|all)\b|\b(?:tell|telling) (?:them|him|her|people|users?|customers?|whoever asks|anyone)\b[^.;\n]{{0,6}}\b(?:that )?(?:it|this|the (?:hole|bug|issue|problem|breach|leak|outage|data))\b[^.;\n]{{0,20}}\b(?:already|never|not) (?:been )?(?:fixed|solved|happened|exist\w*|a problem|real|resolved|closed)"
            ),
        ),
        (
            "deception",
            format!(
                r"{START}(?:give|provide|show|return|quote|offer|supply|feed|serve|report|berikan|tampilkan)\b[^.;\n]{{0,24}}\b(?:wrong|false|incorrect|misleading|inaccurate|fake|outdated|made.up|invented|palsu|salah|keliru)\b (?:\w+ )?(?:answers?|advice|information|numbers?|figures?|prices?|results?|directions?|data|balances?|totals?|addresses|dates?|jawaban|angka|informasi|harga)\b|\b(?:impersonat(?:e|ing)|pos(?:e|ing) as|masquerad(?:e|ing) as|pretend(?:ing)? to be (?:a |an |the )?(?:bank|police|doctor|lawyer|official|employee|support|human|person|agent|officer|staff|ceo|manager|customer)|menyamar (?:sebagai|jadi))\b|\b(?:do not|don'?t|never|jangan(?: sampai)?) (?:let|allow|biarkan)? ?{SERVED} (?:find out|know|learn|notice|see|suspect|reali[sz]e|discover|tahu|mengetahui|sadar|melihat)\b|\bwithout {SERVED}(?:'s?)? (?:knowledge|knowing|noticing|consent|being told)\b|\b(?:ubah|ganti|set|change|turn|round|naikkan|turunkan) (?:all |semua |every |each )?(?:angka|numbers?|figures|stok|stock|totals?|saldo|balances?|prices?|harga)\b[^.;\n]{{0,40}}\b(?:if|when|whenever|kalau|jika|saat|bila)\b[^.;\n]{{0,24}}\b(?:auditors?|operators?|reviewers?|inspectors?|asks?|bertanya|tanya|memeriksa)\b"
            ),
        ),
        // Sabotage: weak locks and broken work.
        (
            "weakening",
            format!(
                r"{START}(?:disable|remove|reset|turn off|switch off|skip|lower|weaken|drop|unlock|open|matikan|nonaktifkan|buka)\b[^.;\n]{{0,24}}\b(?:two.factor|2fa|mfa|authentication|encryption|passwords?|captcha|access control|accounts?|otp|backups?|audit\w*|verifikasi|kunci|akun)\b[^.;\n]{{0,30}}\b(?:for|of|when|if|once|untuk|kalau|jika)\b[^.;\n]{{0,12}}\b(?:whoever|anyone|anybody|everyone|all users|any user|asks?|asked|politely|requests?|siapa ?pun|diminta)\b|{START}(?:insert|add|include|introduce|leave|put|write|suggest|hide|plant|build|sisipkan|tanam)\b[^.;\n]{{0,30}}\b(?:back ?doors?|vulnerabilit\w+|malware|exploits?|key ?loggers?|logic bombs?|hidden (?:users?|accounts?|admin)|skimmers?|miners?|trojans?|pintu belakang)\b|{START}(?:use|take|send)\b[^.;\n]{{0,12}}\b(?:admin|root|owner'?s?|somebody else'?s?|another user'?s?) (?:token|key|account|password|session|rights)\b[^.;\n]{{0,40}}\b(?:every|all|any|even|whenever|always|without)\b"
            ),
        ),
        (
            "tampering",
            r"\b(?:all|any|every|other|older|earlier|the|semua|setiap) (?:other )?(?:memor(?:y|ies)|notes?|facts?|ingatan|catatan|fakta)\b[^.;\n]{0,40}\b(?:are|is|should be|must be|to be|can be|harus|adalah)\b (?:all )?(?:wrong|false|invalid|void|obsolete|lies|discarded|ignored|deleted|forgotten|dropped|replaced|distrusted|overwritten|dihapus|salah|diabaikan|dilupakan)\b|\b(?:mark|flag|tag|file|label|tandai)\b[^.;\n]{0,40}\b(?:as|sebagai) (?:spam|resolved|approved|verified|paid|trusted|reviewed|legitimate|done|closed|disetujui|lunas|selesai)\b[^.;\n]{0,20}\b(?:without|unread|blindly|automatically|regardless|on sight|tanpa)\b|\b(?:confirmation|confirmations|approval|approvals|consent|verification|warnings?)(?: dialogs?| prompts?| steps?)? (?:is|are) (?:un|not )(?:necessary|needed|required)\b[^.;\n]{0,30}\b(?:here|in this|for this|for me|any ?more|workspace|tenant|account|session|chat|user)\b".to_owned(),
        ),
        (
            "tool_abuse",
            format!(
                r"{START}(?:open|visit|load|fetch|call|request|ping|download|render|query|contact|buka|kunjungi|unduh|panggil)\b[^\n]{{0,16}}{OUTSIDE}[^\n]{{0,50}}\b(?:before|after|each|every|whenever|when|first|on|sebelum|setiap|kalau|saat)\b|\b(?:before|after|each|every|whenever|when|sebelum|setiap|kalau|saat)\b[^\n]{{0,50}}\b(?:open|visit|load|fetch|call|request|ping|download|render|buka|kunjungi|unduh|panggil)\b[^\n]{{0,16}}{OUTSIDE}"
            ),
        ),
        (
            "harmful_answer",
            format!(
                r"{START}(?:refuse|decline|stop|tolak|berhenti) (?:to )?(?:answer(?:ing)?|help(?:ing)?|serv(?:e|ing)|reply(?:ing)?|respond(?:ing)?|menjawab|membantu|melayani)\b[^.;\n]{{0,50}}\b(?:{SERVED}|questions?|requests?|pertanyaan)\b|\b(?:always|only|selalu|hanya) (?:answer|reply|respond|say|jawab|balas|bilang)\b[^.;\n]{{0,10}}(?:[\x22'`]|\b(?:no|yes|nothing|ya|tidak)\b)"
            ),
        ),
    ]
}
